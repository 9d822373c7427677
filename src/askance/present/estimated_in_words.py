"""How shares and regressions were estimated, for a methods section, and by whose method."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from askance.channels.range_channel import RangeChannel
from askance.inference.shares.share_intervals import MOST_PROFILED
from askance.present.computed_in_words import Said, errors_in_words, replicates_of


def estimated_in_words(result: Any, channel: Any, sample: Any) -> list[Said]:
    """Say how shares of answers, a number's distribution or a regression on them was estimated.

    Parameters
    ----------
    result : result of an estimator
        Shares, by group or not; a number of a form; a regression; what people who do not comply
        leave open; small groups.
    channel : Channel, range channel, or mapping of str to Channel
    sample : DesignColumns, ReplicateColumns or None

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> estimated_in_words(ak.estimate(ak.Tally(q, {"yes": 4, "no": 6})), q, None)[-1]
    ('The 95 % intervals invert the score test {}', ('wilson1927',))
    """
    name = type(result).__name__
    if name in _OF_SAMPLES:
        line = name.startswith("Line")
        said = _number(result, channel, sample) if line else _shares(result, sample)
        return said + (_domains(result) if getattr(result, "by", ()) else [])
    return _MODELLED[name](result)


def _number(result: Any, channel: Any, sample: Any) -> list[Said]:
    told = getattr(result, "told", (result,))
    if not told:
        return [("No number was estimated", ())]
    level = f"{100 * told[0].level:g} %"
    complete = isinstance(channel, RangeChannel) and channel.complete
    what = "shares and quantiles" if complete else "quantiles"
    if sample is not None or "complex sample" in told[0].method:
        likely = "The distribution was estimated by nonparametric maximum likelihood {}, weighted"
        how = replicates_of(told[0].method)
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
        (
            f"Intervals of {what} are by likelihood ratio {{}}, with critical values that hold for "
            "any distribution, heaped or not",
            ("banerjee2001",),
        ),
    ]


def _shares(result: Any, sample: Any) -> list[Said]:
    told = next(filter(None, getattr(result, "estimates", (result,))), None)
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


def _variances(method: str) -> Said:
    if how := replicates_of(method):
        counts = f"the weighted counts of reports vary as over {how} replicates {{}}"
        return f"Variances are design-based: {counts}, shares linearly with them", ("sarndal1992",)
    return "Variances are design-based, by linearisation {}", ("binder1983",)


def _noncompliance(fit: Any) -> list[Said]:
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
        errors_in_words(classes),
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


def _contaminated(found: Any) -> list[Said]:
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


def _compliance(found: Any) -> list[Said]:
    return [*_classes(found), _ends(found.answers)]


def _partial(found: Any) -> list[Said]:
    return [*_silent(found), _ends(found)]


def _ends(told: Any) -> Said:
    """Say that the ends of what is left open are told."""
    weighted = told.low_se is not None
    how = "allow for the design effect of each end {}" if weighted else "invert likelihood ratios"
    return (
        "Shares that the reports do not determine are told by both ends of what fits them "
        f"equally well; the {100 * told.level:g} % intervals hold both ends and {how}",
        ("raoscott1984",) if weighted else (),
    )


def _silent(found: Any) -> list[Said]:
    if not found.everybody:
        return [("Shares of sets of answers were estimated by maximum likelihood", ())]
    return [
        (
            "Shares are of all who were asked; those who did not reply may have any answer {}",
            ("imbens2004",),
        )
    ]


def _classes(found: Any) -> list[Said]:
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


def _compared(found: Any) -> list[Said]:
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


def _pooled(found: Any) -> list[Said]:
    return [
        (
            f"Shares of {len(found.groups):,} groups were partially pooled: drawn from one "
            "Dirichlet distribution, whose mean and spread were integrated out {}",
            ("raomolina2015", "tak2017"),
        ),
        _tails(found),
    ]


def _area_level(found: Any) -> list[Said]:
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
        _tails(found),
    ]


def _tails(found: Any) -> Said:
    return f"The {100 * found.level:g} % intervals have equal tails of the posterior", ()


def is_paired(fit: Any) -> bool:
    """Whether a regression is of two protected answers together, as `paired_regression` gives it.

    >>> is_paired("no regression")
    False
    """
    return type(fit).__name__ == "ResponseRegression" and any(
        " × " in name for name in fit.model.names
    )


def _fit(fit: Any) -> list[Said]:
    likelihood = "likelihood" if math.isinf(fit.freedom) else "weighted pseudo-likelihood"
    if is_paired(fit):
        return [
            (
                "Two true answers were regressed together on the covariates by a log-linear model "
                f"with their association {{}}, maximising the {likelihood} of the pairs of reports",
                ("mccullagh1989",),
            ),
            errors_in_words(fit),
        ]
    link = getattr(fit.model, "link", None)
    kind = "multinomial logit" if link is None else link.name
    kind = f"ordered {kind}" if link is not None and len(fit.model.answers) > 2 else kind
    formula = "" if fit.formula is None else f" ({fit.formula.text})"
    sources = ("scheers1988", "blair2015") if len(fit.model.answers) == 2 else ()
    cited = " {}" if sources else ""
    return [
        (
            f"The true answer was regressed on the covariates{formula} by a {kind} model, "
            f"maximising the {likelihood} of the reports given their chances{cited}",
            sources,
        ),
        errors_in_words(fit),
    ]


def _domains(result: Any) -> list[Said]:
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


_OF_SAMPLES = ("Estimate", "DomainEstimates", "LineEstimate", "LineDomains")
_MODELLED: Mapping[str, Callable[[Any], list[Said]]] = MappingProxyType(
    {
        "ResponseRegression": _fit,
        "ComplianceRegression": _noncompliance,
        "ComplianceEstimate": _compliance,
        "PartialEstimate": _partial,
        "ContaminationBounds": _contaminated,
        "GroupComparison": _compared,
        "SmallAreaEstimates": _pooled,
        "FayHerriotEstimates": _area_level,
    }
)
ESTIMATED = frozenset({*_OF_SAMPLES, *_MODELLED})
"""Names of the results that are told of here, each through a channel."""
