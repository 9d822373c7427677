"""A methods paragraph to paste: mechanism, guarantee, sample, estimator, and their sources."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.design.sample_size import SampleSize
from askance.inference.area_level import FayHerriotEstimates
from askance.inference.fit_result import FitClaim, GoodnessOfFit
from askance.inference.line.manipulated import RangeManipulation
from askance.inference.list_experiments.item_count_combined import CombinedShares
from askance.inference.regression.outcome_law import OutcomeRegression
from askance.inference.regression.response_regression import ResponseRegression
from askance.inference.replicate_weights import ReplicateColumns
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.shares.estimate import MostLikely
from askance.inference.shares.group_comparison import GroupComparison
from askance.inference.shares.information import Estimate
from askance.inference.shares.joint import JointEstimate
from askance.inference.shares.manipulation import ContaminationBounds, Manipulation
from askance.inference.shares.overidentification import OveridentificationTest
from askance.inference.shares.partial import PartialEstimate, describe_reports
from askance.inference.shares.sensitivity import Sensitivity
from askance.inference.shares.share_intervals import WalleyInterval
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.present.computed_in_words import (
    LIST,
    CitedSentence,
    ComputedResult,
    ListResult,
    RangeFit,
    RangeInterval,
    computed_in_words,
)
from askance.present.estimated_in_words import EstimatedResult, NumberResult, estimated_in_words
from askance.present.result_table import MethodsParagraph
from askance.privacy.losses import local_loss
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_PACKED = Path(__file__).parents[1] / "references.bib"
_CLONED = Path(__file__).parents[3] / "docs" / "references.bib"
_BOOK = _PACKED if _PACKED.is_file() else _CLONED


@checked
def methods_paragraph(
    result: Any,
    channel: Channel | AbstractRangeChannel | Mapping[str, Channel] | None = None,
    *,
    recipe: AbstractMechanism | None = None,
    is_drawn: bool = False,
    sampling: SamplingColumns | ReplicateColumns | None = None,
    left_out: int = 0,
) -> MethodsParagraph:
    """Write the methods paragraph of a result: what was asked how, and computed how.

    Parameters
    ----------
    result : result of an estimator, a test, a learner, a design or an audit
        Shares and numbers of a form; regressions; list experiments; scrambled numbers;
        distributions from ranges, with their intervals and tests; frequency oracles; small groups;
        people who do not comply; totals and means of a sample; a fitted learner; an optimal
        channel, a sample size or a plan; an audit.
    channel : Channel, RangeChannel or RingChannel of a number, or mapping of str to Channel
        Through which the reports came: its ε is told. Of groups that were asked in different ways
        the channel of each, by its name, and of several questions that of each question. What came
        through no channel, such as a list experiment or recorded ranges, does without.
    recipe : mechanism, optional
        The mechanism by its name, with its source; without it the channel is described.
    is_drawn : bool
        Whether reports were drawn from answers with the mechanism's chances, as a form's page does:
        then nobody carried out its procedure, and the paragraph does not say so.
    sampling : SamplingColumns or ReplicateColumns, optional
        By which columns people were drawn.
    left_out : int
        How many rows were left out because covariates were missing.

    Returns
    -------
    MethodsParagraph

    Raises
    ------
    InputError
        If the result is none of these, or its channel is missing or of another kind.

    >>> import askance as ak
    >>> warner = ak.Warner(truth="3/4")
    >>> q = warner.channel(ak.Frame(["yes", "no"]))
    >>> fit = ak.estimate(ak.Tally(q, {"yes": 40, "no": 60}))
    >>> methods: ak.present.MethodsParagraph
    >>> methods = ak.present.methods_paragraph(fit, q, recipe=warner)
    >>> print(methods.text)
    The sensitive question was asked by Warner's randomised response (Warner, 1965): the ...
    >>> methods.references[1][:27]
    'Warner, S. L. (1965). Rando'
    """
    _refuse_other(result, channel)
    if channel is None and isinstance(getattr(result, "channel", None), Channel):
        channel = result.channel
    sentences = [
        *_describe_question(result, channel, recipe, is_drawn=is_drawn),
        *_describe_people(result, left_out),
    ]
    if sampling is not None:
        sentences.append(_describe_sampling(sampling))
    if isinstance(result, EstimatedResult):
        sentences += estimated_in_words(result, channel, sampling)
    else:
        sentences += computed_in_words(result, channel)
    sentences += _describe_misfit(result)
    sentences.append((f"Computations were done with Askance {version('askance')}.", ()))
    book = _read_references()
    keys = sorted(
        {key for _, cited in sentences for key in cited}, key=lambda key: book[key].listed
    )
    text = " ".join(_cite(sentence, cited, book) for sentence, cited in sentences)
    return MethodsParagraph(text=text, references=tuple(book[key].listed for key in keys))


_ThroughChannel = (
    EstimatedResult
    | JointEstimate
    | MostLikely
    | WalleyInterval
    | Sensitivity
    | OveridentificationTest
    | Manipulation
)


def _refuse_other(result: Any, channel: Any) -> None:
    """Refuse what has no methods, and a channel of another kind than the result's."""
    if isinstance(result, type) or not isinstance(result, EstimatedResult | ComputedResult):
        raise InputError(
            "methods_paragraph.result",
            got=type(result).__name__,
            allowed="what an estimator, a test, a learner, a design or an audit gives",
        )
    number = isinstance(result, NumberResult)
    other = channel is None or number is not isinstance(channel, AbstractRangeChannel)
    if other and (number or isinstance(result, _ThroughChannel)):
        raise InputError(
            "methods_paragraph.channel",
            got="nothing" if channel is None else type(channel).__name__,
            allowed="the ranges' own channel" if number else "a Channel",
        )
    if isinstance(channel, Mapping) and not channel:
        raise InputError(
            "methods_paragraph.channel", got="no group", allowed="a Channel, or one for each group"
        )


def _describe_question(
    result: Any, channel: Any, recipe: AbstractMechanism | None, *, is_drawn: bool
) -> list[CitedSentence]:
    """Say how a question was asked, and how little each report gives away."""
    if channel is None:
        return [LIST] if isinstance(result, ListResult | OutcomeRegression) else []
    if isinstance(channel, AbstractRangeChannel):
        return [_describe_cuts(channel)]
    if isinstance(channel, Mapping):
        several = isinstance(result, JointEstimate) or (
            isinstance(result, ResponseRegression) and result.model.questions > 1
        )
        return _describe_groups(channel, "questions" if several else "groups")
    return [_describe_mechanism(channel, recipe, is_drawn=is_drawn), _describe_promise(channel)]


def _describe_people(result: Any, left_out: int) -> list[CitedSentence]:
    """State the sample size of a result, and how many rows were left out.

    >>> from askance import Ranges, npmle
    >>> _describe_people(npmle(Ranges([0, 1], [2, 3])), left_out=1)[0][0]
    'The analysis rests on 2 intervals; 1 with missing covariates was left out'
    """
    basis = "" if isinstance(result, _OF_NOBODY) else _describe_size(result)
    if not basis:
        return []
    were = "was" if left_out == 1 else "were"
    omitted = f"; {left_out:,} with missing covariates {were} left out" if left_out else ""
    return [(f"The analysis rests on {basis}{omitted}", ())]


def _describe_misfit(result: Any) -> list[CitedSentence]:
    """State that the reports fail the goodness-of-fit test, where they do.

    Bounds that suppose false reports say for themselves how many there must be.
    """
    fit: GoodnessOfFit | None = getattr(result, "goodness_of_fit", None)
    if fit is None or fit.worst is None or not fit.doubted:
        return []
    if isinstance(result, ContaminationBounds):
        return []
    how, cited = _HOW_TESTED.get(fit.worst.claim, ("an exact binomial test", ()))
    contrast = f"{fit.worst.contrast} (p = {fit.p_value:.2g} by {how})"
    return [(f"The reports do not fit this design: {contrast}", cited)]


_HOW_TESTED: Mapping[FitClaim, CitedSentence] = MappingProxyType(
    {
        FitClaim.MIXTURE: (
            "likelihood ratio, with a bound for every number of reports {}",
            ("agrawal2020",),
        ),
        FitClaim.ADDED_ITEM: ("Fisher's exact test {}", ("agresti1992",)),
        FitClaim.TOTAL: ("Bernstein's inequality {}", ("bernstein1946",)),
    }
)


_OF_NOBODY = (Manipulation, RangeManipulation, SampleSize)


def _describe_size(result: Any) -> str:
    if isinstance(result, GroupComparison):
        return f"{sum(estimate.reports for estimate in result.groups.values()):,} reports"
    if isinstance(result, FayHerriotEstimates):
        return f"estimates of {np.isfinite(result.direct).sum():,} groups"
    if isinstance(result, Estimate):
        return f"{result.reports:,} reports that tell of the answer"
    if isinstance(result, PartialEstimate):
        return describe_reports(result)
    if isinstance(result, OveridentificationTest):
        return f"{_sum_counts(result.observed)} reports"
    parts = (getattr(result, name, None) for name in ("answers", "estimate", "fit"))
    return next(filter(None, map(_word_count, (result, *parts))), "")


def _word_count(result: Any) -> str:
    """Write the sample size of a result with its unit: respondents, reports or intervals."""
    if hasattr(getattr(result, "tally", None), "counts"):
        return f"{_sum_counts(result.tally.counts)} respondents"
    if hasattr(result, "reports"):
        return f"{_sum_counts(result.reports)} reports"
    if hasattr(result, "n"):
        blank = f", of whom {result.blanks:,} sent a blank" if getattr(result, "blanks", 0) else ""
        unit = "intervals" if isinstance(result, RangeFit | RangeInterval) else "respondents"
        return f"{_sum_counts(result.n)} {unit}{blank}"
    return f"{result.people:,} respondents" if isinstance(result, CombinedShares) else ""


def _sum_counts(numbers: Any) -> str:
    return f"{np.sum(numbers):,.0f}"


def _describe_sampling(sampling: SamplingColumns | ReplicateColumns) -> CitedSentence:
    if isinstance(sampling, ReplicateColumns):
        kind = _REPLICATES.get(sampling.kind or "", "with a scale of their own")
        replicates = ", ".join(sampling.replicates)
        return (
            f"The sampling design entered with weights ({sampling.weights}) and replicate weights "
            f"({replicates}; {kind})",
            (),
        )
    parts = [f"sampling weights ({sampling.weights})"] if sampling.weights else []
    for column_kind, names in (
        ("strata", sampling.strata),
        ("clusters", sampling.clusters),
        ("finite-population corrections", sampling.fpc),
    ):
        parts += [f"{column_kind} ({', '.join(names)})"] if names else []
    listed = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    return f"The sampling design entered with {listed}", ()


_REPLICATES: Mapping[str, str] = MappingProxyType(
    {
        "brr": "balanced half-samples",
        "fay": "balanced half-samples by Fay's method",
        "jk1": "jackknife",
        "jk2": "jackknife of pairs",
        "jkn": "jackknife by strata",
        "bootstrap": "bootstrap",
        "sdr": "successive differences",
    }
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A source as it is cited and listed."""

    cited: str
    listed: str


def _cite(sentence: str, keys: Sequence[str], book: Mapping[str, _Source]) -> str:
    citations = "; ".join(book[key].cited for key in keys)
    filled = sentence.replace("{}", f"({citations})")
    return filled if filled.endswith(".") else f"{filled}."


_ENTRY = re.compile(r"^@(\w+)\{(\S+?),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)


def _read_references() -> Mapping[str, _Source]:
    """Read the bibliography that the documentation cites."""
    try:
        text = _BOOK.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            "methods", got=f"no {_BOOK.name}", allowed="the bibliography of the package"
        ) from error
    return {
        key: _format_source({name: _read_tex(value) for name, value in _FIELD.findall(fields)})
        for _, key, fields in _ENTRY.findall(text)
    }


def _format_source(entry: Mapping[str, str]) -> _Source:
    """Write a source by author and year.

    >>> entry = {"author": "Warner, Stanley L.", "title": "T", "journal": "J", "volume": "60",
    ...          "number": "309", "pages": "63–69", "year": "1965"}
    >>> _format_source(entry).cited, _format_source(entry).listed
    ('Warner, 1965', 'Warner, S. L. (1965). T. J, 60(309), 63–69.')
    """
    people = [
        _format_name(who) for who in entry.get("author", entry.get("editor", "")).split(" and ")
    ]
    families = [family for family, _ in people]
    few = " & ".join(filter(None, [", ".join(families[:-1]), families[-1]]))
    cited = few if len(people) < 3 else f"{families[0]} et al."
    names = [f"{family}, {initials}".rstrip(", ") for family, initials in people]
    listed = ", & ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    volume = entry.get("volume", "") + (f"({entry['number']})" if "number" in entry else "")
    where = entry.get("journal") or entry.get("booktitle") or entry.get("publisher")
    where = where or entry.get("institution") or entry.get("school") or ""
    publication = ", ".join(filter(None, [where, volume, entry.get("pages", "")]))
    return _Source(
        cited=f"{cited}, {entry.get('year', 'n.d.')}",
        listed=f"{listed} ({entry.get('year', 'n.d.')}). {_end_title(entry.get('title', ''))} "
        f"{publication}.",
    )


def _end_title(title: str) -> str:
    return title if title.endswith(("?", "!")) else f"{title}."


def _format_name(who: str) -> tuple[str, str]:
    family, _, given_names = who.partition(", ")
    initials = " ".join(
        "-".join(f"{part[0]}." for part in name.split("-") if part) for name in given_names.split()
    )
    return family, initials


_ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}


def _read_tex(text: str) -> str:
    r"""Read accents and dashes of TeX.

    >>> _read_tex(r"M{\"o}bius \& Sons, 63--69")
    'Möbius & Sons, 63–69'
    """
    from unicodedata import normalize

    text = text.replace(r"\&", "&")
    accented = re.sub(r"\\([\"'`^~])\{?(\w)\}?", lambda match: match[2] + _ACCENTS[match[1]], text)
    return normalize("NFC", re.sub(r"[{}]", "", accented)).replace("--", "–")


_Wording = Callable[[Any], str]

_MECHANISMS: Mapping[str, tuple[str, _Wording, tuple[str, ...]]] = MappingProxyType(
    {
        "warner": (
            "Warner's randomised response",
            lambda m: (
                f"the statement was put with chance {_chance(m.truth)}, its opposite otherwise"
            ),
            ("warner1965",),
        ),
        "kary": (
            "k-ary randomised response",
            lambda m: (
                f"the answer itself was reported with chance {_chance(m.truth)}, and each other "
                "answer with the same share of the rest"
            ),
            ("kairouz2016",),
        ),
        "abstain": (
            "randomised response with an uncommitted reply",
            lambda m: (
                f"the answer was reported with chance {_chance(m.truth)}, another one with chance "
                f"{_chance(m.lie)}, and “don't know” otherwise"
            ),
            ("li2022",),
        ),
        "forced": (
            "the forced-response design",
            lambda m: (
                f"the truth was told with chance {_chance(m.truth)}, and otherwise a reply that "
                "was drawn ("
                + ", ".join(
                    f"{name} with chance {_chance(share)}" for name, share in m.if_forced or ()
                )
                + ")"
            ),
            ("boruch1971", "fox1986"),
        ),
        "one_sided": (
            "one-sided forced response",
            lambda m: f"a “yes” was forced with chance {_chance(m.forced_yes)}, a “no” never",
            ("boudreau2023",),
        ),
        "mangat": (
            "Mangat's design",
            lambda m: (
                "who carries the trait said so, and the others told the truth with chance "
                f"{_chance(m.truth_if_no)}"
            ),
            ("mangat1994",),
        ),
        "unrelated": (
            "the unrelated-question design",
            lambda m: (
                f"the sensitive question was drawn with chance {_chance(m.asked)}, and otherwise a "
                f"harmless one to which a known share of {_chance(m.harmless)} says “yes”"
            ),
            ("greenberg1969",),
        ),
        "kuk": (
            "Kuk's design",
            lambda m: (
                f"the colour of a card was named, red with chance {_chance(m.red_if_yes)} among "
                f"carriers of the trait and {_chance(m.red_if_no)} among the others, in {m.draws} "
                f"draw{'s' * (m.draws > 1)}"
            ),
            ("kuk1990",),
        ),
        "crosswise": (
            "the crosswise model",
            lambda m: (
                "respondents said whether just one of the sensitive and a harmless statement was "
                f"true, or both or neither; the share of the harmless one is {_chance(m.harmless)}"
            ),
            ("yu2008",),
        ),
        "triangular": (
            "the triangular model",
            lambda m: (
                "respondents said whether neither, or at least one, of the sensitive and a "
                "harmless statement was true; the share of the harmless one is "
                f"{_chance(m.harmless)}"
            ),
            ("yu2008",),
        ),
        "hidden": (
            "the hidden-sensitivity model",
            lambda m: (
                "those with the last answer reported a class of a harmless trait, of shares "
                + ", ".join(map(_chance, m.harmless))
            ),
            ("tian2007",),
        ),
        "christofides": (
            "Christofides' design",
            lambda m: (
                "a card with a mark was drawn, of shares "
                + ", ".join(map(_chance, m.marks))
                + ", and carriers of the trait counted from the other end"
            ),
            ("christofides2003",),
        ),
        "diagonal": (
            "the diagonal model",
            lambda m: (
                "respondents reported how many steps lead from their answer to their class of a "
                "harmless trait, whose classes have the shares "
                + ", ".join(map(_chance, m.harmless))
            ),
            ("groenitz2014",),
        ),
    }
)


def _chance(value: Any) -> str:
    """Write a chance as a fraction that can be read, else rounded.

    >>> _chance(Fraction(3, 4)), _chance(Fraction(410105312, 862713251))
    ('3/4', '0.4754')
    """
    fraction = Fraction(value)
    return str(fraction) if fraction.denominator <= _READABLE else f"{float(fraction):.4f}"


_READABLE = 1000


def _describe_mechanism(
    channel: Channel, recipe: AbstractMechanism | None, *, is_drawn: bool
) -> CitedSentence:
    entry = None if recipe is None else _MECHANISMS.get(recipe.name)
    if entry is None or recipe is None:
        answers, reports = len(channel.frame), len(channel.reports)
        return (
            f"Each of {answers} answers was turned into one of {reports} reports at random, with "
            "known chances",
            (),
        )
    name, wording, sources = entry
    if is_drawn:
        return (
            "Each report was drawn from the answer on the respondent's side, with the chances of "
            f"{name} {{}}, as if {wording(recipe)}",
            sources,
        )
    return f"The sensitive question was asked by {name} {{}}: {wording(recipe)}", sources


def _describe_promise(channel: Channel) -> CitedSentence:
    loss = local_loss(channel)
    if math.isinf(loss.value):
        return (
            "Some report rules an answer out, so that no finite ε of local differential privacy "
            "{} holds",
            ("kasiviswanathan2011",),
        )
    epsilon = math.ceil(float(loss.epsilon) * 1000) / 1000
    return (
        f"Each report satisfies ε-local differential privacy {{}} with ε = {epsilon:.3f}: none is "
        f"more than {loss.printed(4)} times as likely from one answer as from another",
        ("kasiviswanathan2011",),
    )


def _describe_groups(channels: Mapping[str, Channel], unit: str) -> list[CitedSentence]:
    """Describe channels that differ by group or question, and the weakest of their guarantees."""
    names = [f"“{name}”" for name in channels]
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    groups = f"{unit} with different chances ({listed})"
    if len(names) > _NAMED:
        groups = f"{len(names)} {unit} with different chances"
    sentence = f"The sensitive question was asked in {groups}"
    if unit == "questions":
        sentence = f"The sensitive questions were asked through channels of their own ({listed})"
    weakest = max(channels.values(), key=lambda channel: local_loss(channel).value)
    return [
        (sentence, ()),
        _describe_promise(weakest),
    ]


def _describe_cuts(channel: AbstractRangeChannel) -> CitedSentence:
    line = channel.line
    unit = f" {line.unit}" if line.unit else ""
    ranges = "one or more ranges into which random cuts part the line"
    if isinstance(channel, RangeChannel):
        ranges = "the range between the nearest of the cuts that were drawn on the line"
    return (
        "Each number was reported as a random range that holds it {}: "
        f"{ranges} from {float(line.lower):g} to {float(line.upper):g}{unit}. What is reported is "
        "always true and rules out the rest of the line, so that no finite ε of local differential "
        "privacy holds",
        ("ding2022",),
    )


_NAMED = 6  # groups that are listed
