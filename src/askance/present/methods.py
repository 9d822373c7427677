"""A methods paragraph to paste: design, what it promises, sample, estimator, and their sources."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, final, runtime_checkable

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.errors import InputError
from askance.inference.design_columns import DesignColumns
from askance.inference.domains import DomainEstimates, LineDomains
from askance.inference.line.cells import LineEstimate
from askance.inference.regression.response_regression import ResponseRegression
from askance.inference.shares.information import Estimate
from askance.inference.shares.share_intervals import MOST_PROFILED
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.present.result_table import MethodsParagraph
from askance.privacy.losses import local_loss

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


Said = tuple[str, tuple[str, ...]]
"""A sentence, and the keys of its sources."""


@checked
def methods_paragraph(
    result: (
        Estimate | DomainEstimates | LineEstimate | LineDomains | ResponseRegression | OfClasses
    ),
    channel: Channel | AbstractRangeChannel | Mapping[str, Channel],
    *,
    recipe: AbstractMechanism | None = None,
    sample: DesignColumns | None = None,
    left_out: int = 0,
) -> MethodsParagraph:
    """Write the methods paragraph of an estimate: what was asked how, and computed how.

    Parameters
    ----------
    result : Estimate, DomainEstimates, LineEstimate, ResponseRegression or ComplianceRegression
    channel : Channel, RangeChannel or RingChannel of a number, or mapping of str to Channel
        Through which the reports came: its ε is told. Of groups that were asked in different ways
        the channel of each, by its name.
    recipe : mechanism, optional
        The design by its name, with its source; without it the channel is described.
    sample : DesignColumns, optional
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
    if isinstance(channel, AbstractRangeChannel):
        said = [_cuts(channel), _people(result, left_out)]
    elif isinstance(channel, Mapping):
        said = [*_groups(channel), _people(result, left_out)]
    else:
        said = [_design(channel, recipe), _promise(channel), _people(result, left_out)]
    if sample is not None:
        said.append(_sample(sample))
    if isinstance(result, ResponseRegression):
        said += _fit(result)
    elif isinstance(result, OfClasses):
        said += _noncompliance(result)
    elif isinstance(result, LineEstimate | LineDomains):
        said += _number(result, channel, sample)
    else:
        said += _shares(result, sample)
    if isinstance(result, DomainEstimates | LineDomains) and result.by:
        said += _domains(result)
    said.append((f"Computations were done with Askance {version('askance')}.", ()))
    book = _references()
    keys = sorted({key for _, cited in said for key in cited}, key=lambda key: book[key].listed)
    text = " ".join(_cited(sentence, cited, book) for sentence, cited in said)
    return MethodsParagraph(text=text, references=tuple(book[key].listed for key in keys))


_Told = Callable[[Any], str]

_DESIGNS: Mapping[str, tuple[str, _Told, tuple[str, ...]]] = MappingProxyType(
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
    }
)


def _chance(value: Any) -> str:
    """Write a chance as a fraction that can be read, else rounded.

    >>> _chance(Fraction(3, 4)), _chance(Fraction(410105312, 862713251))
    ('3/4', '0.4754')
    """
    told = Fraction(value)
    return str(told) if told.denominator <= _READABLE else f"{float(told):.4f}"


_READABLE = 1000


def _design(channel: Channel, recipe: AbstractMechanism | None) -> Said:
    known = None if recipe is None else _DESIGNS.get(recipe.name)
    if known is None or recipe is None:
        answers, reports = len(channel.frame), len(channel.reports)
        return (
            f"Each of {answers} answers was turned into one of {reports} reports at random, with "
            "known chances",
            (),
        )
    name, told, sources = known
    return f"The sensitive question was asked by {name} {{}}: {told(recipe)}", sources


def _promise(channel: Channel) -> Said:
    found = local_loss(channel)
    if math.isinf(found.value):
        return (
            "Some report rules an answer out, so that no finite ε of local differential privacy "
            "{} holds",
            ("kasiviswanathan2011",),
        )
    epsilon = math.ceil(float(found.epsilon) * 1000) / 1000
    return (
        f"Each report satisfies ε-local differential privacy {{}} with ε = {epsilon:.3f}: none is "
        f"more than {found.printed(4)} times as likely from one answer as from another",
        ("kasiviswanathan2011",),
    )


def _groups(channels: Mapping[str, Channel]) -> list[Said]:
    """Say that groups were asked in different ways, and what the weakest promise is."""
    names = [f"“{name}”" for name in channels]
    told = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    weakest = max(channels.values(), key=lambda one: local_loss(one).value)
    return [
        (f"The sensitive question was asked in groups with different chances ({told})", ()),
        _promise(weakest),
    ]


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


def _cuts(channel: AbstractRangeChannel) -> Said:
    line = channel.line
    unit = f" {line.unit}" if line.unit else ""
    told = "one or more ranges into which random cuts part the line"
    if isinstance(channel, RangeChannel):
        told = "the range between the nearest of the cuts that were drawn on the line"
    return (
        "Each number was reported as a random range that holds it {}: "
        f"{told} from {float(line.lower):g} to {float(line.upper):g}{unit}. What is reported is "
        "always true and rules out the rest of the line, so that no finite ε of local differential "
        "privacy holds",
        ("ding2022",),
    )


def _number(
    result: LineEstimate | LineDomains, channel: Any, sample: DesignColumns | None
) -> list[Said]:
    told = result.told if isinstance(result, LineDomains) else (result,)
    if not told:
        return [("No number was estimated", ())]
    level = f"{100 * told[0].level:g} %"
    complete = isinstance(channel, RangeChannel) and channel.complete
    what = "shares and quantiles" if complete else "quantiles"
    if sample is not None:
        return [
            (
                "The distribution was estimated by nonparametric maximum likelihood {}, weighted",
                ("turnbull1976",),
            ),
            (
                "Variances are design-based, by linearisation {}, and the "
                f"{level} intervals Student's",
                ("binder1983",),
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
    if isinstance(result, DomainEstimates | LineDomains):
        n, what = sum(result.reports), "reports"
    elif isinstance(result, LineEstimate):
        n, what = result.reports, "reports"
    elif isinstance(result, Estimate):
        n, what = result.reports, "reports that tell of the answer"
    else:
        n, what = result.n, "respondents"
    gone = f"; {left_out:,} with missing covariates were left out" if left_out else ""
    return f"The analysis rests on {n:,} {what}{gone}", ()


def _sample(sample: DesignColumns) -> Said:
    parts = [f"sampling weights ({sample.weights})"] if sample.weights else []
    for what, names in (
        ("strata", sample.strata),
        ("clusters", sample.clusters),
        ("finite-population corrections", sample.fpc),
    ):
        parts += [f"{what} ({', '.join(names)})"] if names else []
    listed = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    return f"The sampling design entered with {listed}", ()


def _shares(result: Estimate | DomainEstimates, sample: DesignColumns | None) -> list[Said]:
    told = result if isinstance(result, Estimate) else next(filter(None, result.estimates), None)
    if told is None:
        return [("No share was estimated", ())]
    level = f"{100 * told.level:g} %"
    if sample is not None or told.method.startswith("weighted"):
        return [
            ("Shares were estimated by weighted pseudo-maximum likelihood", ()),
            ("Variances are design-based, by linearisation {}", ("binder1983",)),
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
        return (
            "Standard errors are linearised and design-based {}, with intervals of "
            f"{level} by Student's law with {fit.freedom:g} degrees of freedom",
            ("binder1983",),
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

    >>> _plain(r"M{\"o}bius, 63--69")
    'Möbius, 63–69'
    """
    from unicodedata import normalize

    accented = re.sub(r"\\([\"'`^~])\{?(\w)\}?", lambda found: found[2] + _ACCENTS[found[1]], text)
    return normalize("NFC", re.sub(r"[{}]", "", accented)).replace("--", "–")
