"""How shares and regressions were estimated, for a methods section, and by whose method."""

import math
from collections.abc import Sequence
from typing import Any, assert_never

from askance.channels.range_channel import RangeChannel
from askance.inference.area_level import FayHerriotEstimates
from askance.inference.domains import DomainEstimates, LineDomains
from askance.inference.fit_result import DesignVariance
from askance.inference.line.cells import LineEstimate
from askance.inference.regression.compliance_regression import ComplianceRegression
from askance.inference.regression.response_regression import ResponseRegression
from askance.inference.shares.compliance import ComplianceEstimate, NoncomplianceModel
from askance.inference.shares.group_comparison import GroupComparison
from askance.inference.shares.information import Estimate, ShareEstimator
from askance.inference.shares.manipulation import ContaminationBounds
from askance.inference.shares.partial import PartialEstimate
from askance.inference.shares.share_intervals import MOST_PROFILED
from askance.inference.shares.small_areas import SmallAreaEstimates
from askance.present.computed_in_words import CitedSentence, errors_in_words

NumberResult = LineEstimate | LineDomains
AreaResult = SmallAreaEstimates | FayHerriotEstimates
BoundedResult = ComplianceEstimate | PartialEstimate | ContaminationBounds
RegressionResult = ResponseRegression | ComplianceRegression
ModelledResult = RegressionResult | BoundedResult | GroupComparison | AreaResult
EstimatedResult = Estimate | DomainEstimates | NumberResult | ModelledResult
"""The results that are described here, each through a channel."""


def estimated_in_words(result: EstimatedResult, channel: Any, sampling: Any) -> list[CitedSentence]:
    """Say how shares of answers, a number's distribution or a regression on them was estimated.

    Parameters
    ----------
    result : result of an estimator
        Shares, by group or not; a number of a form; a regression; what people who do not comply
        leave open; small groups.
    channel : Channel, range channel, or mapping of str to Channel
    sampling : SamplingColumns, ReplicateColumns or None

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> estimated_in_words(ak.estimate(ak.Tally(q, {"yes": 4, "no": 6})), q, None)[-1]
    ('The 95 % intervals invert the score test {}', ('wilson1927',))
    """
    match result:
        case Estimate():
            return _describe_estimate(result)
        case DomainEstimates():
            estimate = next(filter(None, result.estimates), None)
            shares = _NO_SHARE if estimate is None else _describe_estimate(estimate)
            return [*shares, *_describe_domains(result)]
        case LineEstimate():
            return _describe_number((result,), channel, sampling)
        case LineDomains():
            return _describe_number(result.released, channel, sampling) + _describe_domains(result)
        case _:
            return _describe_model(result)


def _describe_model(result: ModelledResult) -> list[CitedSentence]:
    match result:
        case ResponseRegression():
            return _fit(result)
        case ComplianceRegression():
            return _noncompliance(result)
        case GroupComparison():
            return _compared(result)
        case SmallAreaEstimates():
            return _pooled(result)
        case FayHerriotEstimates():
            return _area_level(result)
        case _:
            return _describe_bounds(result)


def _describe_bounds(result: BoundedResult) -> list[CitedSentence]:
    match result:
        case ComplianceEstimate():
            return [*_classes(result), _describe_ends(result.answers)]
        case PartialEstimate():
            return [*_describe_nonresponse(result), _describe_ends(result)]
        case ContaminationBounds():
            return _contaminated(result)
        case _:
            assert_never(result)


def _describe_number(
    estimates: Sequence[LineEstimate], channel: Any, sampling: Any
) -> list[CitedSentence]:
    if not estimates:
        return [("No number was estimated", ())]
    level = f"{100 * estimates[0].level:g} %"
    complete = isinstance(channel, RangeChannel) and channel.complete
    targets = "shares and quantiles" if complete else "quantiles"
    variance = estimates[0].design_variance
    if sampling is not None or variance is not None:
        likely = "The distribution was estimated by nonparametric maximum likelihood {}, weighted"
        replicates = variance.replicates if variance is not None else 0
        by = (
            f"that of the mean over fits to each of {replicates:,} replicates"
            if replicates
            else "by linearisation"
        )
        return [
            (likely, ("turnbull1976",)),
            (
                f"Variances are design-based, {by} {{}}, and the {level} intervals Student's",
                ("sarndal1992",) if replicates else ("binder1983",),
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
            f"Intervals of {targets} are by likelihood ratio {{}}, with critical values that hold "
            "for any distribution, heaped or not",
            ("banerjee2001",),
        ),
    ]


def _describe_estimate(estimate: Estimate) -> list[CitedSentence]:
    level = f"{100 * estimate.level:g} %"
    match estimate.estimator:
        case ShareEstimator.PSEUDO_LIKELIHOOD:
            return _describe_weighted(estimate, level)
        case ShareEstimator.CLIPPED_INVERSION:
            return _describe_clipped(estimate, level)
        case ShareEstimator.UNBIASED_INVERSION:
            return _describe_unbiased(estimate, level)
        case ShareEstimator.MAXIMUM_LIKELIHOOD:
            return _describe_likelihood(estimate, level)
        case ShareEstimator.LIKELIHOOD_OF_SETS:
            return _describe_sets(level)
        case ShareEstimator.BY_GROUP:
            return _describe_by_group(level)
        case ShareEstimator.NONE:
            return _NO_SHARE


_NO_SHARE: list[CitedSentence] = [("No share was estimated", ())]


def _describe_weighted(estimate: Estimate, level: str) -> list[CitedSentence]:
    return [
        ("Shares were estimated by weighted pseudo-maximum likelihood", ()),
        _describe_variances(estimate.design_variance),
        (
            f"The {level} intervals are those of as many equally weighted answers as tell each "
            "share as precisely {}",
            ("korn1998",),
        ),
    ]


def _describe_clipped(estimate: Estimate, level: str) -> list[CitedSentence]:
    return [
        (
            "Shares were estimated by inverting the chances of the reports, cut to [0, 1], which "
            "is the maximum-likelihood estimate",
            (),
        ),
        (
            "Standard errors are exact given the number of reports that tell of the answer, at the "
            "estimate",
            (),
        ),
        _describe_share_intervals(estimate, level),
    ]


def _describe_unbiased(estimate: Estimate, level: str) -> list[CitedSentence]:
    plain = ("Standard errors are those of the inverted frequencies of the reports", ())
    variance = estimate.design_variance
    limits = f"The {level} intervals are those of the maximum-likelihood estimate"
    return [
        ("Shares were estimated by inverting the chances of the reports, not cut to [0, 1]", ()),
        plain if variance is None else _describe_variances(variance),
        (limits if variance is None else f"{limits} with sampling weights", ()),
    ]


def _describe_likelihood(estimate: Estimate, level: str) -> list[CitedSentence]:
    return [
        ("Shares were estimated by maximum likelihood", ()),
        ("Standard errors are those of the observed information", ()),
        _describe_share_intervals(estimate, level),
    ]


def _describe_sets(level: str) -> list[CitedSentence]:
    return [
        ("Shares were estimated by maximum likelihood of the answers behind replies", ()),
        ("Standard errors follow from the multinomial law of the replies", ()),
        (f"The {level} intervals invert the likelihood ratio", ()),
    ]


def _describe_by_group(level: str) -> list[CitedSentence]:
    return [
        ("Shares were estimated in each group by itself, and weighted by the groups' sizes", ()),
        (f"The {level} intervals join those of the groups {{}}", ("zou2009",)),
    ]


def _describe_share_intervals(estimate: Estimate, level: str) -> CitedSentence:
    """Say what the intervals of shares invert, by how many answers there are."""
    if len(estimate.labels) > MOST_PROFILED:
        return f"The {level} intervals are normal, cut to [0, 1]", ()
    if len(estimate.labels) == 2:
        return f"The {level} intervals invert the score test {{}}", ("wilson1927",)
    return f"The {level} intervals invert the likelihood ratio", ()


def _describe_variances(variance: DesignVariance | None) -> CitedSentence:
    if variance is not None and variance.replicates:
        counts = f"the weighted counts of reports vary as over {variance.replicates:,} replicates"
        return (
            f"Variances are design-based: {counts} {{}}, shares linearly with them",
            ("sarndal1992",),
        )
    return "Variances are design-based, by linearisation {}", ("binder1983",)


def _noncompliance(fit: ComplianceRegression) -> list[CitedSentence]:
    """Describe a regression with noncompliance: assumptions and likelihood."""
    link, classes = fit.model.answer_model.link, fit.classes
    kind = "multinomial logit" if link is None else link.name
    names = fit.model.answers[len(fit.model.answer_model.answers) :]
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


def _cite_model(model: NoncomplianceModel) -> str:
    match model:
        case NoncomplianceModel.CHEATING_DETECTION:
            return "clark1998"
        case NoncomplianceModel.STOCHASTIC_LIE_DETECTOR:
            return "moshagen2012"
        case NoncomplianceModel.SELF_PROTECTIVE:
            return "bockenholt2007"
        case NoncomplianceModel.RANDOM_ANSWERERS:
            return "atsusaka2023"


def _contaminated(result: ContaminationBounds) -> list[CitedSentence]:
    return [
        (
            f"Up to {100 * result.false_share:g} % of the reports were taken to be false, "
            "whatever they say: the shares of the others are bounded {}",
            ("horowitz1995",),
        ),
        (
            f"With {100 * result.level:g} % confidence all true shares are in the intervals, "
            "by upper limits of Clopper and Pearson of the frequencies {}",
            ("clopper1934",),
        ),
    ]


def _describe_ends(result: PartialEstimate) -> CitedSentence:
    """Describe the bounds of shares that the reports do not identify, and their intervals."""
    weighted = result.low_se is not None
    how = "allow for the design effect of each end {}" if weighted else "invert likelihood ratios"
    return (
        "Shares that the reports do not determine are told by both ends of what fits them "
        f"equally well; the {100 * result.level:g} % intervals hold both ends and {how}",
        ("raoscott1984",) if weighted else (),
    )


def _describe_nonresponse(result: PartialEstimate) -> list[CitedSentence]:
    if not result.everybody:
        return [("Shares of sets of answers were estimated by maximum likelihood", ())]
    return [
        (
            "Shares are of all who were asked; those who did not reply may have any answer {}",
            ("imbens2004",),
        )
    ]


def _classes(result: ComplianceEstimate) -> list[CitedSentence]:
    kinds = [noncomplier.name for noncomplier in result.noncompliers]
    weighted = result.test.effects is not None
    sentences: list[CitedSentence] = [("Everybody was taken to follow the instructions", ())]
    if kinds:
        models = (noncomplier.model for noncomplier in result.noncompliers)
        sources = tuple(dict.fromkeys(_cite_model(model) for model in models if model is not None))
        cited = " {}" if sources else ""
        sentences = [
            (
                f"People who do not comply were taken to {' or to '.join(kinds)}{cited}; shares "
                "were estimated by maximum likelihood over the classes",
                sources,
            )
        ]
    if result.test.freedom:
        law = " by F, for its design effects {}" if weighted else " {}"
        sources = ("raoscott1984",) if weighted else ("heck2018",)
        sentences.append(
            (
                f"Whether any such shares fit the reports was tested by likelihood ratio{law}",
                sources,
            )
        )
    return sentences


def _compared(result: GroupComparison) -> list[CitedSentence]:
    groups, weighted = len(result.groups), result.effects is not None
    law = ", by F for its design effects {}" if weighted else ""
    return [
        (
            f"Shares of {groups} groups were estimated apart, and together by maximum likelihood; "
            f"that they are the same was tested by likelihood ratio{law}",
            ("raoscott1984",) if weighted else (),
        ),
        (
            f"The {100 * result.level:g} % intervals of differences square and add the arms of "
            "those of the groups {}",
            ("zoudonner2008",) if weighted else ("newcombe1998",),
        ),
    ]


def _pooled(result: SmallAreaEstimates) -> list[CitedSentence]:
    return [
        (
            f"Shares of {len(result.groups):,} groups were partially pooled: drawn from one "
            "Dirichlet distribution, whose mean and spread were integrated out {}",
            ("raomolina2015", "tak2017"),
        ),
        _describe_tails(result),
    ]


def _area_level(result: FayHerriotEstimates) -> list[CitedSentence]:
    terms = f" ({', '.join(result.terms[1:])})" if result.terms[1:] else ""
    return [
        (
            f"Unbiased estimates of {len(result.groups):,} groups were drawn towards a regression "
            f"on what is known of them{terms}, by the area-level model of Fay and Herriot {{}}",
            ("fay1979",),
        ),
        (
            "Its coefficients and the variance between groups were integrated out under even "
            "priors {}",
            ("raomolina2015",),
        ),
        _describe_tails(result),
    ]


def _describe_tails(result: AreaResult) -> CitedSentence:
    return f"The {100 * result.level:g} % intervals have equal tails of the posterior", ()


def _fit(fit: ResponseRegression) -> list[CitedSentence]:
    likelihood = "likelihood" if math.isinf(fit.freedom) else "weighted pseudo-likelihood"
    if fit.model.questions > 1:
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


def _describe_domains(result: DomainEstimates | LineDomains) -> list[CitedSentence]:
    sentences: list[CitedSentence] = [
        (
            f"Groups by {', '.join(result.by)} were estimated as domains of the whole sample {{}}",
            ("cochran1977",),
        )
    ]
    untold = [
        n
        for n, estimate in zip(result.reports, result.estimates, strict=True)
        if n and not estimate
    ]
    if any(n < result.minimum for n in untold):
        few = f"Estimates of groups with fewer than {result.minimum:,} reports were withheld"
        sentences.append((few, ()))
    if any(n >= result.minimum for n in untold):
        why = (
            "The next smallest were withheld too, so that none of these is found by subtraction {}"
        )
        sentences.append((why, ("cox1980",)))
    return sentences
