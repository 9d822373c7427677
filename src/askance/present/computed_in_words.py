"""How a result was computed, for a methods section: model, variances, intervals and sources."""

import math
from typing import Any, assert_never

from askance.design.optimal_channel import Design
from askance.design.optimal_cuts import OptimalCuts
from askance.design.plan import Plan
from askance.design.sample_size import SampleSize
from askance.design.utility import (
    AbstractUtility,
    AOptimal,
    DOptimal,
    EOptimal,
    MeanSquaredError,
    MutualInformation,
)
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.group_tests import GroupTest, SampleTest
from askance.inference.intervals.cdf_intervals import QuantileIntervals
from askance.inference.intervals.functional_interval import FunctionalInterval, UnbiasedMean
from askance.inference.intervals.likelihood_ratio_law import PointIntervals, Scope, Ties
from askance.inference.line.manipulated import RangeManipulation
from askance.inference.list_experiments.item_count import (
    ItemCountEstimate,
    TypeEstimator,
    TypeShares,
)
from askance.inference.list_experiments.item_count_checks import DesignEffectTest, HausmanTest
from askance.inference.list_experiments.item_count_combined import CombinedShares, ListCombination
from askance.inference.list_experiments.item_count_least_squares import ItemCountLeastSquares
from askance.inference.list_experiments.item_count_model import Misreport
from askance.inference.list_experiments.item_count_regression import ItemCountRegression
from askance.inference.parametric import FamilyFit
from askance.inference.provenance import (
    AuditProvenance,
    LearnerProvenance,
    LearningAlgorithm,
    ProvenancedResult,
)
from askance.inference.ranges.distribution import Distribution, SmoothDistribution
from askance.inference.regression.censored_regression import CensoredRegression
from askance.inference.regression.outcome_law import OutcomeRegression
from askance.inference.regression.response_regression import ResponseRegression
from askance.inference.scrambled_numbers import ScrambledMean, ScramblingModel
from askance.inference.shares.estimate import MostLikely
from askance.inference.shares.frequencies import FrequencyEstimate, FrequencyMethod
from askance.inference.shares.heavy_hitters import HeavyHitters, SimultaneousIntervals
from askance.inference.shares.joint import JointEstimate
from askance.inference.shares.manipulation import Manipulation
from askance.inference.shares.overidentification import OveridentificationTest
from askance.inference.shares.sensitivity import Sensitivity
from askance.inference.shares.share_intervals import WalleyInterval
from askance.inference.standard_errors import ErrorSource, StandardErrors
from askance.inference.survey_statistics import SurveyStatistic

CitedSentence = tuple[str, tuple[str, ...]]
"""A sentence, and the keys of its sources, which stand where it has braces."""


RangeFit = Distribution | SmoothDistribution | FamilyFit | CensoredRegression | SampleTest
RangeInterval = PointIntervals | QuantileIntervals | FunctionalInterval | UnbiasedMean
ListResult = (
    ItemCountEstimate
    | TypeShares
    | DesignEffectTest
    | HausmanTest
    | CombinedShares
    | ItemCountRegression
    | ItemCountLeastSquares
)
"""Results of a list experiment alone."""

FrequencyResult = FrequencyEstimate | HeavyHitters | SimultaneousIntervals
ReportBound = WalleyInterval | Sensitivity | Manipulation | RangeManipulation
ShareResult = JointEstimate | MostLikely | GoodnessOfFit | OveridentificationTest
MeanResult = ScrambledMean | SurveyStatistic
DesignResult = Design | OptimalCuts | SampleSize | Plan
InferredResult = RangeFit | RangeInterval | ListResult | FrequencyResult | ReportBound | ShareResult
ComputedResult = InferredResult | MeanResult | OutcomeRegression | DesignResult | ProvenancedResult
"""The results that are described here."""


def computed_in_words(result: ComputedResult, channel: Any) -> list[CitedSentence]:
    """Say by which model a result was computed, and where its errors and intervals come from.

    Parameters
    ----------
    result : result of an estimator
    channel : Channel, range channel, mapping or None
        Through which the reports came.

    >>> from askance.inference import ItemCounts, item_count
    >>> fit = item_count(ItemCounts([8, 132, 222, 227], {"x": [9, 78, 172, 184, 139]}))
    >>> computed_in_words(fit, None)[0][0][:60]
    'The share for whom the item holds is the difference in means'
    """
    if isinstance(result, InferredResult):
        return _describe_inferred(result)
    if isinstance(result, DesignResult):
        return _describe_design(result)
    match result:
        case ScrambledMean():
            return _scrambled(result)
        case SurveyStatistic():
            return _statistic(result)
        case OutcomeRegression():
            return _outcome(result, channel)
        case ProvenancedResult():
            return _describe_provenance(result.provenance)
        case _:
            assert_never(result)


def _describe_inferred(result: InferredResult) -> list[CitedSentence]:
    if isinstance(result, RangeFit):
        return _describe_range_fit(result)
    if isinstance(result, RangeInterval):
        return _describe_range_interval(result)
    if isinstance(result, ListResult):
        return _describe_list_result(result)
    if isinstance(result, FrequencyResult):
        return _describe_frequency_result(result)
    if isinstance(result, ReportBound):
        return _describe_bound(result)
    return _describe_share_result(result)


def _describe_range_fit(result: RangeFit) -> list[CitedSentence]:
    match result:
        case Distribution():
            return _curve(result)
        case SmoothDistribution():
            return _smooth(result)
        case FamilyFit():
            return _family(result)
        case CensoredRegression():
            return _censored(result)
        case SampleTest():
            return _equal_groups(result)
        case _:
            assert_never(result)


def _describe_range_interval(result: RangeInterval) -> list[CitedSentence]:
    match result:
        case PointIntervals():
            together = "simultaneous " if result.together else ""
            return _points(result, f"{together}intervals of shares up to a point")
        case QuantileIntervals():
            return _points(result, "intervals of quantiles")
        case FunctionalInterval():
            return _functional(result)
        case UnbiasedMean():
            return _unbiased_mean(result)
        case _:
            assert_never(result)


def _describe_list_result(result: ListResult) -> list[CitedSentence]:
    match result:
        case ItemCountEstimate():
            return _difference(result)
        case TypeShares():
            return _types(result)
        case DesignEffectTest():
            return _design_effect_test()
        case HausmanTest():
            return _hausman_test(result)
        case CombinedShares():
            return _combined(result)
        case ItemCountRegression():
            return _item_regression(result)
        case ItemCountLeastSquares():
            return _item_squares(result)


def _describe_frequency_result(result: FrequencyResult) -> list[CitedSentence]:
    match result:
        case FrequencyEstimate():
            return _frequencies(result)
        case HeavyHitters():
            return _heavy_hitters(result)
        case SimultaneousIntervals():
            return _simultaneous_intervals(result)
        case _:
            assert_never(result)


def _describe_bound(result: ReportBound) -> list[CitedSentence]:
    match result:
        case WalleyInterval():
            return _walley(result)
        case Sensitivity():
            return _sensitivity(result)
        case Manipulation():
            return _poisoning_bound(result)
        case RangeManipulation():
            return _poisoning_bound_of_ranges(result)
        case _:
            assert_never(result)


def _describe_share_result(result: ShareResult) -> list[CitedSentence]:
    match result:
        case JointEstimate():
            return _joint(result)
        case MostLikely():
            return [("Shares were estimated by maximum likelihood", ())]
        case GoodnessOfFit():
            return _goodness_of_fit()
        case OveridentificationTest():
            return _overidentification_test(result)
        case _:
            assert_never(result)


def _describe_design(result: DesignResult) -> list[CitedSentence]:
    match result:
        case Design():
            return _best_channel(result)
        case OptimalCuts():
            return _best_cuts()
        case SampleSize():
            return _sample_size(result)
        case Plan():
            return _plan(result)
        case _:
            assert_never(result)


def _describe_provenance(provenance: LearnerProvenance | AuditProvenance) -> list[CitedSentence]:
    match provenance:
        case LearnerProvenance():
            return [_describe_learner(provenance)]
        case AuditProvenance():
            return _audit(provenance)
        case _:
            assert_never(provenance)


Regression = ResponseRegression | CensoredRegression | OutcomeRegression | ItemCountRegression


def errors_in_words(fit: Regression) -> CitedSentence:
    """Say where the standard errors of a regression come from.

    >>> from askance import Ranges, censored_regression
    >>> hours = Ranges([0, 2, 4, 6, 8, 10] * 2, [2, 4, 6, 8, 10, 12] * 2)
    >>> fit = censored_regression(hours, [[x] for x in (0, 1, 1, 2, 2, 3, 0, 0, 1, 2, 3, 3)])
    >>> errors_in_words(fit)[0]
    'Standard errors are those of the observed information, intervals of 95 % normal'
    """
    level, errors = _write_level(fit.level), fit.standard_errors
    source, sources = _describe_source(errors)
    if math.isinf(errors.freedom):
        return f"Standard errors are {source}, intervals of {level} normal", sources
    return (
        f"Standard errors are design-based, {source} {{}}, with intervals of "
        f"{level} by Student's law with {errors.freedom:g} degrees of freedom",
        sources,
    )


def _describe_source(errors: StandardErrors) -> CitedSentence:
    match errors.source:
        case ErrorSource.OBSERVED:
            return "those of the observed information", ()
        case ErrorSource.EXPECTED:
            return "those of the expected information", ()
        case ErrorSource.SCORES:
            return "those of the products of scores {}", ("berndt1974",)
        case ErrorSource.ROBUST:
            return "robust {}", ("huber1967",)
        case ErrorSource.CLUSTERED:
            return f"robust {{}} ({errors.clusters:,} clusters)", ("huber1967",)
        case ErrorSource.LINEARISED:
            return "linearised", ("binder1983",)
        case ErrorSource.REPLICATED:
            return f"over fits to each of {errors.replicates:,} replicates", ("sarndal1992",)


def _write_level(level: float) -> str:
    return f"{100 * level:g} %"


def _describe_intervals(level: float, freedom: float = math.inf) -> CitedSentence:
    """Normal intervals, or Student's where a sample has degrees of freedom."""
    if math.isinf(freedom):
        return f"The {_write_level(level)} intervals are normal", ()
    return (
        f"Variances are design-based {{}}, and the {_write_level(level)} intervals are Student's "
        f"with {freedom:g} degrees of freedom",
        ("sarndal1992",),
    )


def _word_weighting(freedom: float) -> str:
    return "" if math.isinf(freedom) else "weighted "


LIST: CitedSentence = (
    "The sensitive item was asked in a list experiment (item count technique) {}: people drawn at "
    "random saw the control items alone, the others the sensitive item too, and each said only how "
    "many hold",
    ("miller1984", "droitcour1991"),
)
"""How a list experiment asks."""


def _difference(result: ItemCountEstimate) -> list[CitedSentence]:
    level = _write_level(result.level)
    tally = result.tally
    law = "Student's" if math.isfinite(tally.freedom) else "normal"
    how = "design-based {}" if tally.covariance is not None else "those of two independent means {}"
    sources = ("sarndal1992",) if tally.covariance is not None else ("imai2011",)
    return [
        (
            "The share for whom the item holds is the difference in means of the two groups {}",
            ("blair2012",),
        ),
        (
            f"Variances are {how}; the {level} intervals are {law}, cut to [0, 1]",
            sources,
        ),
    ]


def _types(result: TypeShares) -> list[CitedSentence]:
    by_moments = result.estimator is TypeEstimator.MOMENTS
    return [
        (
            "Joint shares of the sensitive item and the number of control items were estimated by "
            f"{'moments' if by_moments else 'maximum likelihood'} {{}}",
            ("blair2012",),
        )
    ]


def _design_effect_test() -> list[CitedSentence]:
    return [
        (
            "That the sensitive item changes no answer to the control items was tested by moment "
            "inequalities, against a mixture of χ² laws {}",
            ("blair2012", "kudo1963"),
        )
    ]


def _hausman_test(result: HausmanTest) -> list[CitedSentence]:
    law = "χ²" if math.isinf(result.sampled) else f"F with {result.sampled:g} degrees of freedom"
    return [
        (
            "Coefficients by least squares and by maximum likelihood were compared by Hausman's "
            f"specification test {{}}, with the covariance of their difference, against {law}",
            ("hausman1978",),
        )
    ]


def _combined(result: CombinedShares) -> list[CitedSentence]:
    if result.combination is ListCombination.DIRECT_QUESTION:
        how = "The list was combined with the direct question, whose “yes” is taken to be true {}"
        sources = ("aronow2015",)
    else:
        how = "Each person saw the sensitive item in one of two lists, and both estimates were "
        how, sources = how + "averaged {}", ("droitcour1991",)
    return [(how, sources), _describe_intervals(result.shares.level, result.freedom)]


def _item_regression(result: ItemCountRegression) -> list[CitedSentence]:
    model, weighted = result.model, _word_weighting(result.freedom)
    how = "pseudo-likelihood" if weighted else "maximum likelihood"
    sentences: list[CitedSentence] = [
        (
            "The sensitive item was regressed on the covariates by a logit model beside a "
            f"{'beta-' * model.overdispersed}binomial model of the control items, by {weighted}"
            f"{how} {{}}",
            ("imai2011",),
        )
    ]
    sentences += _describe_misreport(model.misreport)
    if result.anchored:
        sentences.append(("Mean shares were held at the difference in means {}", ("blair2019",)))
    return [*sentences, errors_in_words(result)]


def _describe_misreport(misreport: Misreport) -> list[CitedSentence]:
    match misreport:
        case "none":
            return []
        case "ceiling":
            liars, source = "say one item less where all hold", "blair2012"
        case "floor":
            liars, source = "say 0 where only the sensitive item holds", "blair2012"
        case "ceiling and floor":
            liars, source = (
                "say one item less where all hold, and others 0 where only the sensitive item does",
                "blair2012",
            )
        case "top":
            liars, source = "say the largest number whatever holds", "blair2019"
        case "uniform":
            liars, source = "say any number at random", "blair2019"
    return [(f"Some were allowed to {liars} {{}}", (source,))]


def _item_squares(result: ItemCountLeastSquares) -> list[CitedSentence]:
    how = "nonlinear" if result.link == "logit" else "linear"
    sentences: list[CitedSentence] = [
        (
            f"The sensitive item was regressed on the covariates by two-step {how} least squares, "
            "with robust errors that allow for both steps {}",
            ("imai2011",),
        )
    ]
    if result.anchored:
        sentences.append(("Mean shares were held at the difference in means {}", ("blair2019",)))
    return [*sentences, _describe_intervals(result.level, result.freedom)]


def _outcome(result: OutcomeRegression, channel: Any) -> list[CitedSentence]:
    weighted = _word_weighting(result.freedom)
    kind = "linear model with normal errors" if math.isfinite(result.scale) else "logit model"
    cause, source = (
        ("true answer", "blair2015") if channel is not None else ("sensitive item", "imai2015")
    )
    return [
        (
            f"An outcome was regressed on the {cause} and the covariates by a {kind}, by "
            f"maximising the {weighted}likelihood of reports and outcomes together "
            "{}",
            (source,),
        ),
        errors_in_words(result),
    ]


def _scrambled(result: ScrambledMean) -> list[CitedSentence]:
    sources = () if result.model is None else (_cite_scrambling(result.model),)
    if result.by_channel:
        how = "The mean is that of unbiased estimates of each number from its report {}"
        return [(how, ("wang2017",)), _describe_intervals(result.level, result.freedom)]
    cited = " {}" if sources else ""
    how = (
        f"Numbers were scrambled by the design of {result.scrambling}{cited}, "
        "and unscrambled by the "
    )
    return [
        (f"{how}moments of the scramble; the mean is that of the unscrambled numbers", sources),
        _describe_intervals(result.level, result.freedom),
    ]


def _cite_scrambling(model: ScramblingModel) -> str:
    match model:
        case ScramblingModel.EICHHORN_HAYRE:
            return "eichhorn1983"
        case ScramblingModel.BAR_LEV:
            return "barlev2004"
        case ScramblingModel.POLLOCK_BEK:
            return "pollock1976"
        case ScramblingModel.SAHA:
            return "saha2007"
        case ScramblingModel.DIANA_PERRI_1 | ScramblingModel.DIANA_PERRI_2:
            return "diana2010"


def _curve(result: Distribution) -> list[CitedSentence]:
    how = "nonparametric maximum likelihood from interval-censored observations {}"
    if result.ignores_selection:
        return [
            ("The distribution was estimated by the likelihood of Ding and Ding {}", ("ding2022",))
        ]
    return [(f"The distribution was estimated by {how}", ("turnbull1976",))]


def _smooth(result: SmoothDistribution) -> list[CitedSentence]:
    return [
        *_curve(result.fit),
        (
            f"It was smoothed by a kernel of bandwidth {result.bandwidth:.3g} {{}}",
            ("groeneboom2010",),
        ),
    ]


def _family(result: FamilyFit) -> list[CitedSentence]:
    return [
        (
            f"The distribution {result.family.name} was fitted to interval-censored observations "
            "by maximum likelihood {}, with standard errors of the information",
            ("turnbull1976",),
        ),
        ("Its fit was tested by Neyman's smooth test {}", ("neyman1937",)),
    ]


def _censored(result: CensoredRegression) -> list[CitedSentence]:
    weighted = _word_weighting(result.freedom)
    number = "logarithm of the number" if result.log else "number"
    return [
        (
            f"The {number} was regressed on the covariates by a linear model with "
            f"{result.noise.name} errors, by maximising the {weighted}likelihood of "
            "the intervals {}",
            ("tobin1958", "kalbfleisch2002"),
        ),
        errors_in_words(result),
    ]


def _points(result: PointIntervals | QuantileIntervals, target: str) -> list[CitedSentence]:
    on_grid = result.scope.ties in (Ties.PARTLY, Ties.GRID)
    return [
        (
            "The distribution was estimated by nonparametric maximum likelihood {}",
            ("turnbull1976",),
        ),
        (
            f"The {_write_level(result.level)} {target} invert its likelihood ratio {{}}",
            ("banerjee2001", "tang2012") if on_grid else ("banerjee2001",),
        ),
        _describe_scope(result.scope),
    ]


def _describe_scope(scope: Scope) -> CitedSentence:
    if scope.ties is Ties.EXACT:
        return ("Some numbers were told exactly", ())
    if scope.smooth:
        return ("They suppose that the distribution has a positive density", ())
    if scope.least_ratio == 1:
        return ("They hold for any distribution, heaped or not", ())
    return (
        "They hold for any distribution, heaped or not; no 95 % intervals that do are less than "
        f"{scope.least_ratio:g} times as wide, where it is smooth, as those for smooth ones {{}}",
        ("pratt1961",),
    )


def _functional(result: FunctionalInterval) -> list[CitedSentence]:
    return [
        (
            "The average was estimated by its nonparametric maximum-likelihood estimate, which "
            "errs least among regular estimates {}",
            ("groeneboom1992", "geskus1999"),
        ),
        _describe_intervals(result.level, result.freedom),
    ]


def _unbiased_mean(result: UnbiasedMean) -> list[CitedSentence]:
    return [
        ("The mean is the unbiased estimate of Ding and Ding {}", ("ding2022",)),
        _describe_intervals(result.level, result.freedom),
    ]


def _goodness_of_fit() -> list[CitedSentence]:
    return [
        (
            "Whether any shares explain the reports was tested by the count of each, as a "
            "binomial, and by likelihood ratio with a bound for every number of reports {}",
            ("agrawal2020", "hoeffding1963"),
        )
    ]


def _equal_groups(result: SampleTest) -> list[CitedSentence]:
    rank = result.method is GroupTest.LOG_RANK
    dealt = f" among {result.permutations:,} permutations {{}}" if result.permutations else ""
    sources = ("sun1996", "fay2010") if rank else ("smirnov1939", "turnbull1976")
    return [
        (
            f"That the groups have one distribution was tested by the {result.method.value} "
            "statistic for interval-censored observations {}",
            sources,
        ),
        *([(f"The p-value is its rank{dealt}", ("phipson2010",))] if dealt else []),
    ]


def _joint(result: JointEstimate) -> list[CitedSentence]:
    level = _write_level(result.level)
    weighted = _word_weighting(result.freedom)
    return [
        (
            f"Shares of the combinations of {len(result.questions)} answers were estimated by "
            f"{weighted}maximum likelihood from the reports of each person together",
            (),
        ),
        (
            f"The {level} intervals invert the score test {{}}, widened by what "
            "protection adds to the variance",
            ("wilson1927",),
        ),
        *(
            []
            if math.isinf(result.freedom)
            else [("Variances are design-based {}", ("binder1983",))]
        ),
    ]


def _frequencies(result: FrequencyEstimate) -> list[CitedSentence]:
    law = result.law
    chances = f"{float(law.inside):.4g}, and another one with chance {float(law.outside):.4g}"
    how, source = _describe_frequency_method(result.method)
    return [
        (
            "Each report names a set of answers (frequency oracle): the true one with chance "
            f"{chances} {{}}",
            ("wang2017",),
        ),
        (f"Shares were estimated {how} {{}}", (source,)),
        (
            f"The {_write_level(result.level)} intervals invert the score test of each count {{}}",
            ("wilson1927",),
        ),
        *(
            [("Counts are those of as many equally weighted reports as tell as much {}", _EQUAL)]
            if result.sampled is not None
            else []
        ),
    ]


def _describe_frequency_method(method: FrequencyMethod) -> tuple[str, str]:
    """Describe how shares are made of counts, and name the source."""
    match method:
        case "unbiased":
            return "by unbiased inversion", "wang2017"
        case "clipped":
            return "by unbiased inversion, cut at 0 and divided by their sum", "wang2020"
        case "projected":
            return "by unbiased inversion, projected on the simplex", "wang2020"
        case "most likely":
            return "by maximum likelihood", "kairouz2016discrete"
        case "posterior":
            return "as means under a Dirichlet prior", "wang2020"
        case "shrunk":
            return "by unbiased inversion, shrunk towards equal shares", "efron1973"


_EQUAL = ("korn1998",)


def _heavy_hitters(result: HeavyHitters) -> list[CitedSentence]:
    any_law = result.dependence != "positive"
    return [
        *_frequencies(result.estimate),
        (
            f"Answers more common than {result.above:g} were found at a false-discovery rate of "
            f"{100 * result.rate:g} % {{}}",
            ("benjamini2001",) if any_law else ("benjamini1995",),
        ),
    ]


def _simultaneous_intervals(result: SimultaneousIntervals) -> list[CitedSentence]:
    level = _write_level(result.level)
    return [
        *_frequencies(result.estimate),
        (
            f"Simultaneous {level} intervals are those of Clopper and Pearson {{}} "
            "with Bonferroni's correction",
            ("clopper1934",),
        ),
    ]


def _walley(result: WalleyInterval) -> list[CitedSentence]:
    return [
        ("The share is told as the interval between belief and plausibility {}", ("li2022",)),
        (
            f"The {_write_level(result.level)} interval holds the share itself {{}}",
            ("imbens2004", "stoye2009"),
        ),
    ]


def _sensitivity(result: Sensitivity) -> list[CitedSentence]:
    return [
        (
            f"Shares are told by how many people do not comply ({result.kind}); where the reports "
            "do not determine them, by both ends of the identified set, whose "
            f"{_write_level(result.level)} interval holds all of it",
            (),
        )
    ]


def _poisoning_bound(result: Manipulation) -> list[CitedSentence]:
    return [
        (
            f"The largest effect of {result.false:,} false reports was computed by linear "
            "programmes over all reports that could be sent {}",
            ("cheu2021",),
        )
    ]


def _poisoning_bound_of_ranges(result: RangeManipulation) -> list[CitedSentence]:
    return [
        (
            f"The largest effect of {result.false:,} false ranges on the mean and on quantiles was "
            "computed over all ranges that could be sent {}",
            ("turnbull1976",),
        )
    ]


def _overidentification_test(result: OveridentificationTest) -> list[CitedSentence]:
    law, sources = (" by F, for its design effects {}", ("raoscott1984",))
    if result.effects is None:
        law, sources = " {}", ("heck2018",)
    return [(f"Whether any shares fit the reports was tested by likelihood ratio{law}", sources)]


def _statistic(result: SurveyStatistic) -> list[CitedSentence]:
    return [
        (
            f"The {result.title} was estimated with the sampling weights {{}}",
            ("horvitz1952",),
        ),
        _describe_intervals(result.level, result.freedom),
    ]


def _describe_learner(provenance: LearnerProvenance) -> CitedSentence:
    answers = f"True answers were classified by {provenance.learner}, fitted to reports by"
    numbers = "Numbers seen as ranges were regressed by"
    match provenance.algorithm:
        case LearningAlgorithm.UNBIASED_WEIGHTS:
            how = f"{answers} weights that invert the channel without bias {{}}"
            return how, ("natarajan2013",)
        case LearningAlgorithm.EM:
            return f"{answers} an EM algorithm over the true answers {{}}", ("dempster1977",)
        case LearningAlgorithm.IMPUTATION:
            how = "each replaced in turn by its mean given its range and the fit {}"
            return f"{numbers} {provenance.learner}, {how}", ("ding2022",)
        case LearningAlgorithm.BOOSTING:
            how = f"{numbers} boosted trees on the likelihood of the ranges {{}}"
            return how, ("friedman2001",)


def _best_channel(result: Design) -> list[CitedSentence]:
    utility = _describe_utility(result.utility)
    return [
        (
            f"The channel is the best in {utility} under its bounds, found by mixing extremal "
            "columns, and rounded to whole numbers {}",
            ("kairouz2016", "yoshida2019", "ye2018"),
        ),
        *((str(promise).rstrip("."), ()) for promise in result.promises),
    ]


def _describe_utility(utility: AbstractUtility) -> str:
    match utility:
        case AOptimal():
            return "the sum of the variances (A-optimality)"
        case DOptimal():
            return "the volume of the confidence region (D-optimality)"
        case EOptimal():
            return "the largest variance (E-optimality)"
        case MeanSquaredError():
            return "the mean squared error"
        case MutualInformation():
            return "the mutual information of answer and report"
        case _:
            return "the utility"


def _best_cuts() -> list[CitedSentence]:
    return [
        (
            "The law of the random cuts is the one of least variance of the mean at the promised "
            "coverage {}",
            ("ding2022",),
        )
    ]


def _sample_size(result: SampleSize) -> list[CitedSentence]:
    how = "by going through every count" if result.exact else "by the normal law"
    return [
        (
            f"The sample size ({result.people:,} people to ask, {result.reports:,} reports) was "
            f"found {how}, for the aim “{result.aim}” {{}}",
            ("cochran1977",),
        )
    ]


def _plan(result: Plan) -> list[CitedSentence]:
    return [
        (
            f"Of {len(result.alternatives)} designs within the bound “{result.bounds}” the one was "
            f"chosen that needs the fewest respondents for the aim “{result.aim}”",
            (),
        ),
        ("Optimal channels among them were found by mixing extremal columns {}", ("kairouz2016",)),
    ]


def _audit(provenance: AuditProvenance) -> list[CitedSentence]:
    return [
        (
            f"The mechanism was asked {provenance.draws:,} times; lower bounds of its privacy "
            "losses are from exact binomial limits of events that were chosen on other draws {}",
            ("clopper1934", "jagielski2020", "arcolezi2024"),
        ),
        (
            "Checks are exact tests with a step-down correction {}, and a right mechanism is found "
            f"fault with in at most {100 * provenance.failure:g} % of audits",
            ("holm1979",),
        ),
    ]
