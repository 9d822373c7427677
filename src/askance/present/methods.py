"""A methods paragraph to paste: design, what it promises, sample, estimator, and their sources."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, final, runtime_checkable

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.errors import InputError
from askance.inference.area_level import FayHerriotEstimates
from askance.inference.design_columns import DesignColumns
from askance.inference.domains import DomainEstimates, LineDomains
from askance.inference.line.cells import LineEstimate
from askance.inference.regression.response_regression import ResponseRegression
from askance.inference.replicate_weights import ReplicateColumns
from askance.inference.shares.compliance import ComplianceEstimate
from askance.inference.shares.group_comparison import GroupComparison
from askance.inference.shares.information import Estimate
from askance.inference.shares.manipulation import ContaminationBounds
from askance.inference.shares.partial import PartialEstimate
from askance.inference.shares.share_intervals import MOST_PROFILED
from askance.inference.shares.small_areas import SmallAreaEstimates
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.present.asked_in_words import Said, asked_in_words
from askance.present.result_table import MethodsParagraph

_PACKED = Path(__file__).parents[1] / "references.bib"
_CLONED = Path(__file__).parents[3] / "docs" / "references.bib"
_BOOK = _PACKED if _PACKED.is_file() else _CLONED


@runtime_checkable
class OfClasses(Protocol):
    """A regression beside people who do not comply, as `compliance_regression` gives it."""

    @property
    def classes(self) -> Any:
        """The fit, whose answers are the classes."""
        ...

    @property
    def model(self) -> Any:
        """What its coefficients mean."""
        ...


_Areas = SmallAreaEstimates | FayHerriotEstimates
_Open = ComplianceEstimate | PartialEstimate | ContaminationBounds
_Result = (
    Estimate
    | DomainEstimates
    | LineEstimate
    | LineDomains
    | ResponseRegression
    | OfClasses
    | _Open
    | GroupComparison
    | _Areas
)


@checked
def methods_paragraph(
    result: _Result,
    channel: Channel | AbstractRangeChannel | Mapping[str, Channel],
    *,
    recipe: AbstractMechanism | None = None,
    sample: DesignColumns | ReplicateColumns | None = None,
    left_out: int = 0,
) -> MethodsParagraph:
    """Write the methods paragraph of an estimate: what was asked how, and computed how.

    Parameters
    ----------
    result : Estimate, DomainEstimates, LineEstimate, ResponseRegression, ComplianceRegression,
        ComplianceEstimate, PartialEstimate, ContaminationBounds, GroupComparison,
        SmallAreaEstimates or FayHerriotEstimates
    channel : Channel, RangeChannel or RingChannel of a number, or mapping of str to Channel
        Through which the reports came: its ε is told. Of groups that were asked in different ways
        the channel of each, by its name.
    recipe : mechanism, optional
        The design by its name, with its source; without it the channel is described.
    sample : DesignColumns or ReplicateColumns, optional
        By which columns people were drawn.
    left_out : int
        How many rows were left out because covariates were missing.

    Returns
    -------
    MethodsParagraph

    >>> import askance as ak
    >>> warner = ak.Warner(truth="3/4")
    >>> q = warner.channel(ak.Frame(["yes", "no"]))
    >>> found = ak.estimate(ak.Tally(q, {"yes": 40, "no": 60}))
    >>> told: ak.present.MethodsParagraph = ak.present.methods_paragraph(found, q, recipe=warner)
    >>> print(told.text)
    The sensitive question was asked by Warner's randomised response (Warner, 1965): the ...
    >>> told.references[1][:27]
    'Warner, S. L. (1965). Rando'
    """
    _refuse_other(result, channel)
    said = [*asked_in_words(channel, recipe), _people(result, left_out)]
    if sample is not None:
        said.append(_sample(sample))
    said += _computed(result, channel, sample)
    if isinstance(result, DomainEstimates | LineDomains) and result.by:
        said += _domains(result)
    said.append((f"Computations were done with Askance {version('askance')}.", ()))
    book = _references()
    keys = sorted({key for _, cited in said for key in cited}, key=lambda key: book[key].listed)
    text = " ".join(_cited(sentence, cited, book) for sentence, cited in said)
    return MethodsParagraph(text=text, references=tuple(book[key].listed for key in keys))


def _computed(result: Any, channel: Any, sample: Any) -> list[Said]:
    """Say by which method, and where its errors come from."""
    if isinstance(result, ResponseRegression):
        return _fit(result)
    if isinstance(result, OfClasses):
        return _noncompliance(result)
    if isinstance(result, LineEstimate | LineDomains):
        return _number(result, channel, sample)
    if isinstance(result, _Open):
        return _left_open(result)
    if isinstance(result, GroupComparison):
        return _compared(result)
    return _pooled(result) if isinstance(result, _Areas) else _shares(result, sample)


def _refuse_other(result: Any, channel: Any) -> None:
    """Refuse an estimate of shares beside the law of a number, and the other way round."""
    number = isinstance(result, LineEstimate | LineDomains)
    if number is not isinstance(channel, AbstractRangeChannel):
        raise InputError(
            "methods_paragraph.channel",
            got=type(channel).__name__,
            allowed="the ranges' own channel" if number else "a Channel",
        )
    if isinstance(channel, Mapping) and not channel:
        raise InputError(
            "methods_paragraph.channel", got="no group", allowed="a Channel, or one for each group"
        )


def _number(result: LineEstimate | LineDomains, channel: Any, sample: Any) -> list[Said]:
    told = result.told if isinstance(result, LineDomains) else (result,)
    if not told:
        return [("No number was estimated", ())]
    level = f"{100 * told[0].level:g} %"
    complete = isinstance(channel, RangeChannel) and channel.complete
    what = "shares and quantiles" if complete else "quantiles"
    if sample is not None or "complex sample" in told[0].method:
        likely = "The distribution was estimated by nonparametric maximum likelihood {}, weighted"
        how = _replicates(told[0].method)
        by = (
            f"that of the mean over fits to each of {how} replicates" if how else "by linearisation"
        )
        return [
            (likely, ("turnbull1976",)),
            (
                f"Variances are design-based, {by} {{}}, and the {level} intervals Student's",
                ("sarndal1992",) if how else ("binder1983",),
            ),
        ]
    return [
        (
            "The distribution was estimated by nonparametric maximum likelihood {}",
            ("turnbull1976",),
        ),
        (
            "The standard error of the mean is that of the expected information, its "
            f"{level} interval holds all means that the steps of the line leave open",
            (),
        ),
        (f"Intervals of {what} are by likelihood ratio {{}}", ("banerjee2001",)),
    ]


def _people(result: Any, left_out: int) -> Said:
    if isinstance(result, DomainEstimates | LineDomains | SmallAreaEstimates):
        told = f"{sum(result.reports):,} reports"
    elif isinstance(result, GroupComparison):
        told = f"{sum(one.reports for one in result.groups.values()):,} reports"
    elif isinstance(result, FayHerriotEstimates):
        told = f"estimates of {np.isfinite(result.direct).sum():,} groups"
    elif isinstance(result, ComplianceEstimate):
        told = f"{result.answers.reports:,} reports"
    elif isinstance(result, LineEstimate | PartialEstimate | ContaminationBounds):
        told = f"{result.reports:,} reports"
    elif isinstance(result, Estimate):
        told = f"{result.reports:,} reports that tell of the answer"
    else:
        blank = f", of whom {result.blanks:,} sent a blank" if result.blanks else ""
        told = f"{result.n:,} respondents{blank}"
    gone = f"; {left_out:,} with missing covariates were left out" if left_out else ""
    return f"The analysis rests on {told}{gone}", ()


def _sample(sample: DesignColumns | ReplicateColumns) -> Said:
    if isinstance(sample, ReplicateColumns):
        kind = _REPLICATES.get(sample.kind or "", "with a scale of their own")
        told = ", ".join(sample.replicates)
        return (
            f"The sampling design entered with weights ({sample.weights}) and replicate weights "
            f"({told}; {kind})",
            (),
        )
    parts = [f"sampling weights ({sample.weights})"] if sample.weights else []
    for what, names in (
        ("strata", sample.strata),
        ("clusters", sample.clusters),
        ("finite-population corrections", sample.fpc),
    ):
        parts += [f"{what} ({', '.join(names)})"] if names else []
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


def _shares(result: Estimate | DomainEstimates, sample: Any) -> list[Said]:
    told = result if isinstance(result, Estimate) else next(filter(None, result.estimates), None)
    if told is None:
        return [("No share was estimated", ())]
    level = f"{100 * told.level:g} %"
    if sample is not None or told.method.startswith("weighted"):
        return [
            ("Shares were estimated by weighted pseudo-maximum likelihood", ()),
            _variances(told.method),
            (
                f"The {level} intervals are those of as many equally weighted answers as tell each "
                "share as precisely {}",
                ("korn1998",),
            ),
        ]
    closed = told.method.startswith("clipped")
    how = (
        "inverting the chances of the reports, cut to [0, 1], which is the maximum-likelihood "
        "estimate"
        if closed
        else "maximum likelihood"
    )
    two = len(told.labels) == 2
    sure = "invert the score test {}" if two else "invert the likelihood ratio"
    if len(told.labels) > MOST_PROFILED:
        sure = "are normal, cut to [0, 1]"
    return [
        (f"Shares were estimated by {how}", ()),
        (
            "Standard errors are exact given the number of reports that tell of the answer, at the "
            "estimate"
            if closed
            else "Standard errors are those of the expected Fisher information",
            (),
        ),
        (f"The {level} intervals {sure}", ("wilson1927",) if two else ()),
    ]


def _replicates(method: str) -> str:
    """Over how many replicates variances were found; nothing where they are linearised.

    >>> _replicates("se by 1,200 replicates, 30 degrees of freedom")
    '1,200'
    """
    found = re.search(r"([\d,]+) replicates", method)
    return found[1] if found else ""


def _variances(method: str) -> Said:
    if how := _replicates(method):
        counts = f"the weighted counts of reports vary as over {how} replicates {{}}"
        return f"Variances are design-based: {counts}, shares linearly with them", ("sarndal1992",)
    return "Variances are design-based, by linearisation {}", ("binder1983",)


def _noncompliance(fit: OfClasses) -> list[Said]:
    """Say what was taken of people who do not comply, and how both parts were fitted."""
    link, classes = fit.model.given.link, fit.classes
    kind = "multinomial logit" if link is None else link.name
    names = fit.model.answers[len(fit.model.given.answers) :]
    likelihood = "likelihood" if math.isinf(classes.freedom) else "weighted pseudo-likelihood"
    return [
        (
            f"The true answer was regressed on the covariates by a {kind} model, and the log-odds "
            "of not complying on theirs, maximising the "
            f"{likelihood} of the reports over both {{}}",
            ("moshagen2012", "heckmoshagen2018"),
        ),
        (f"People who do not comply were taken to {' or to '.join(names)}", ()),
        _errors(classes),
    ]


_KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cheat": ("clark1998",),
        "deny": ("moshagen2012",),
        "protect themselves": ("bockenholt2007",),
        "answer at random": ("atsusaka2023",),
    }
)
"""Who described each kind of people who do not comply."""


def _left_open(found: _Open) -> list[Said]:
    """Say what is assumed of people, and that the ends of what that leaves open are told."""
    if isinstance(found, ContaminationBounds):
        return [
            (
                f"Up to {100 * found.false_share:g} % of the reports were taken to be false, "
                "whatever they say: the shares of the others are bounded {}",
                ("horowitz1995",),
            ),
            (
                f"With {100 * found.level:g} % confidence all true shares are in the intervals, "
                "by upper limits of Clopper and Pearson of the frequencies {}",
                ("clopper1934",),
            ),
        ]
    told = found if isinstance(found, PartialEstimate) else found.answers
    weighted = told.low_se is not None
    how = "allow for the design effect of each end {}" if weighted else "invert likelihood ratios"
    return [
        *(_classes(found) if isinstance(found, ComplianceEstimate) else _silent(told)),
        (
            "Shares that the reports do not determine are told by both ends of what fits them "
            f"equally well; the {100 * told.level:g} % intervals hold both ends and {how}",
            ("raoscott1984",) if weighted else (),
        ),
    ]


def _silent(found: PartialEstimate) -> list[Said]:
    if "all who were asked" not in found.what:
        return [("Shares of sets of answers were estimated by maximum likelihood", ())]
    return [
        (
            "Shares are of all who were asked; those who did not reply may have any answer {}",
            ("imbens2004",),
        )
    ]


def _classes(found: ComplianceEstimate) -> list[Said]:
    kinds = [one.name for one in found.noncompliers]
    weighted = found.test.effects is not None
    said: list[Said] = [("Everybody was taken to follow the instructions", ())]
    if kinds:
        sources = tuple(dict.fromkeys(key for name in kinds for key in _KINDS.get(name, ())))
        cited = " {}" if sources else ""
        said = [
            (
                f"People who do not comply were taken to {' or to '.join(kinds)}{cited}; shares "
                "were estimated by maximum likelihood over the classes",
                sources,
            )
        ]
    if found.test.freedom:
        law = " by F, for its design effects {}" if weighted else " {}"
        sources = ("raoscott1984",) if weighted else ("heck2018",)
        said.append(
            (
                f"Whether any such shares fit the reports was tested by likelihood ratio{law}",
                sources,
            )
        )
    return said


def _compared(found: GroupComparison) -> list[Said]:
    groups, weighted = len(found.groups), found.effects is not None
    law = ", by F for its design effects {}" if weighted else ""
    return [
        (
            f"Shares of {groups} groups were estimated apart, and together by maximum likelihood; "
            f"that they are the same was tested by likelihood ratio{law}",
            ("raoscott1984",) if weighted else (),
        ),
        (
            f"The {100 * found.level:g} % intervals of differences square and add the arms of "
            "those of the groups {}",
            ("zoudonner2008",) if weighted else ("newcombe1998",),
        ),
    ]


def _pooled(found: _Areas) -> list[Said]:
    """Say from whom small groups borrow."""
    level = f"The {100 * found.level:g} % intervals have equal tails of the posterior"
    if isinstance(found, SmallAreaEstimates):
        return [
            (
                f"Shares of {len(found.groups):,} groups were partially pooled: drawn from one "
                "Dirichlet distribution, whose mean and spread were integrated out {}",
                ("raomolina2015", "tak2017"),
            ),
            (level, ()),
        ]
    terms = f" ({', '.join(found.terms[1:])})" if found.terms[1:] else ""
    return [
        (
            f"Unbiased estimates of {len(found.groups):,} groups were drawn towards a regression "
            f"on what is known of them{terms}, by the area-level model of Fay and Herriot {{}}",
            ("fay1979",),
        ),
        (
            "Its coefficients and the variance between groups were integrated out under even "
            "priors {}",
            ("raomolina2015",),
        ),
        (level, ()),
    ]


def _fit(fit: ResponseRegression) -> list[Said]:
    link = getattr(fit.model, "link", None)
    kind = "multinomial logit" if link is None else link.name
    kind = f"ordered {kind}" if link is not None and len(fit.model.answers) > 2 else kind
    formula = "" if fit.formula is None else f" ({fit.formula.text})"
    sources = ("scheers1988", "blair2015") if len(fit.model.answers) == 2 else ()
    likelihood = "likelihood" if math.isinf(fit.freedom) else "weighted pseudo-likelihood"
    cited = " {}" if sources else ""
    return [
        (
            f"The true answer was regressed on the covariates{formula} by a {kind} model, "
            f"maximising the {likelihood} of the reports given their chances{cited}",
            sources,
        ),
        _errors(fit),
    ]


def _errors(fit: ResponseRegression) -> Said:
    """Say where the standard errors come from."""
    level = f"{100 * fit.level:g} %"
    if not math.isinf(fit.freedom):
        how = _replicates(fit.errors)
        by = f"over fits to each of {how} replicates" if how else "linearised"
        return (
            f"Standard errors are design-based, {by} {{}}, with intervals of "
            f"{level} by Student's law with {fit.freedom:g} degrees of freedom",
            ("sarndal1992",) if how else ("binder1983",),
        )
    if fit.errors in ("observed information", "expected information"):
        return f"Standard errors are those of the {fit.errors}, intervals of {level} normal", ()
    return (
        f"Standard errors are robust {{}} ({fit.errors}), intervals of {level} normal",
        ("huber1967",),
    )


def _domains(result: DomainEstimates | LineDomains) -> list[Said]:
    told: list[Said] = [
        (
            f"Groups by {', '.join(result.by)} were estimated as domains of the whole sample {{}}",
            ("cochran1977",),
        )
    ]
    untold = [n for n, one in zip(result.reports, result.estimates, strict=True) if n and not one]
    if any(n < result.minimum for n in untold):
        few = f"Estimates of groups with fewer than {result.minimum:,} reports were withheld"
        told.append((few, ()))
    if any(n >= result.minimum for n in untold):
        why = (
            "The next smallest were withheld too, so that none of these is found by subtraction {}"
        )
        told.append((why, ("cox1980",)))
    return told


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A source as it is cited and listed."""

    cited: str
    listed: str


def _cited(sentence: str, keys: Sequence[str], book: Mapping[str, _Source]) -> str:
    told = "; ".join(book[key].cited for key in keys)
    filled = sentence.replace("{}", f"({told})")
    return filled if filled.endswith(".") else f"{filled}."


_ENTRY = re.compile(r"^@(\w+)\{(\S+?),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)


def _references() -> Mapping[str, _Source]:
    """Read the bibliography that the documentation cites."""
    try:
        text = _BOOK.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            "methods", got=f"no {_BOOK.name}", allowed="the bibliography of the package"
        ) from error
    return {
        key: _source({name: _plain(value) for name, value in _FIELD.findall(fields)})
        for _, key, fields in _ENTRY.findall(text)
    }


def _source(one: Mapping[str, str]) -> _Source:
    """Write a source by author and year.

    >>> told = {"author": "Warner, Stanley L.", "title": "T", "journal": "J", "volume": "60",
    ...         "number": "309", "pages": "63–69", "year": "1965"}
    >>> _source(told).cited, _source(told).listed
    ('Warner, 1965', 'Warner, S. L. (1965). T. J, 60(309), 63–69.')
    """
    people = [_name(who) for who in one.get("author", one.get("editor", "")).split(" and ")]
    families = [family for family, _ in people]
    few = " & ".join(filter(None, [", ".join(families[:-1]), families[-1]]))
    cited = few if len(people) < 3 else f"{families[0]} et al."
    names = [f"{family}, {initials}".rstrip(", ") for family, initials in people]
    listed = ", & ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    volume = one.get("volume", "") + (f"({one['number']})" if "number" in one else "")
    where = one.get("journal") or one.get("booktitle") or one.get("publisher")
    where = where or one.get("institution") or one.get("school") or ""
    place = ", ".join(filter(None, [where, volume, one.get("pages", "")]))
    return _Source(
        cited=f"{cited}, {one.get('year', 'n.d.')}",
        listed=f"{listed} ({one.get('year', 'n.d.')}). {_ended(one.get('title', ''))} {place}.",
    )


def _ended(title: str) -> str:
    return title if title.endswith(("?", "!")) else f"{title}."


def _name(who: str) -> tuple[str, str]:
    family, _, given = who.partition(", ")
    initials = " ".join(
        "-".join(f"{part[0]}." for part in one.split("-") if part) for one in given.split()
    )
    return family, initials


_ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}


def _plain(text: str) -> str:
    r"""Read accents and dashes of TeX.

    >>> _plain(r"M{\"o}bius \& Sons, 63--69")
    'Möbius & Sons, 63–69'
    """
    from unicodedata import normalize

    text = text.replace(r"\&", "&")
    accented = re.sub(r"\\([\"'`^~])\{?(\w)\}?", lambda found: found[2] + _ACCENTS[found[1]], text)
    return normalize("NFC", re.sub(r"[{}]", "", accented)).replace("--", "–")
