"""What was computed and how, as values from which sentences are written."""

from dataclasses import dataclass
from enum import Enum
from typing import Literal, final

Misreport = Literal["none", "ceiling", "floor", "ceiling and floor", "top", "uniform"]
"""How people may depart from the truth in a list experiment."""


@final
class Computation(Enum):
    """What was computed: each result names its own, by which pages describe it.

    >>> import askance as ak
    >>> ak.inference.GoodnessOfFit().computation is ak.inference.Computation.GOODNESS_OF_FIT
    True
    """

    SHARES = "shares of answers"
    DOMAIN_SHARES = "shares of answers in domains of a sample"
    NUMBER = "distribution of a number asked by random cuts"
    DOMAIN_NUMBERS = "distributions of a number in domains of a sample"
    RESPONSE_REGRESSION = "regression of a true answer"
    COMPLIANCE_REGRESSION = "regression of a true answer and of compliance"
    COMPLIANCE = "shares of answers and of people who do not comply"
    PARTIAL_IDENTIFICATION = "bounds of shares that are not identified"
    CONTAMINATION = "bounds of shares among contaminated reports"
    GROUP_COMPARISON = "test that groups have the same shares"
    SMALL_AREAS = "partially pooled shares of groups"
    FAY_HERRIOT = "area-level model"
    SCRAMBLED_MEAN = "mean of scrambled numbers"
    DISTRIBUTION = "nonparametric maximum likelihood of a distribution"
    SMOOTH_DISTRIBUTION = "kernel-smoothed maximum likelihood"
    PARAMETRIC_FAMILY = "parametric maximum likelihood"
    CENSORED_REGRESSION = "regression of an interval-censored number"
    POINT_INTERVALS = "intervals of a distribution function"
    QUANTILE_INTERVALS = "intervals of quantiles"
    FUNCTIONAL_INTERVAL = "interval of a linear functional"
    UNBIASED_MEAN = "unbiased mean of a number from its cells"
    GOODNESS_OF_FIT = "test that reports fit their channel"
    GROUP_TEST = "test that groups have one distribution"
    JOINT_SHARES = "joint shares of several answers"
    FREQUENCIES = "frequency estimation"
    HEAVY_HITTERS = "heavy hitters"
    SIMULTANEOUS_INTERVALS = "simultaneous intervals of frequencies"
    WALLEY_INTERVAL = "interval between belief and plausibility"
    INATTENTION = "shares corrected for inattentive people by an anchor"
    SENSITIVITY = "sensitivity of shares to noncompliance"
    POISONING_BOUND = "bound of the effect of false reports"
    RANGE_POISONING_BOUND = "bound of the effect of false ranges"
    OVERIDENTIFICATION_TEST = "test of overidentifying restrictions"
    MAXIMUM_LIKELIHOOD = "shares of maximum likelihood alone"
    SURVEY_STATISTIC = "total, mean or ratio of a sample"
    ITEM_COUNT = "difference in means of a list experiment"
    ITEM_COUNT_TYPES = "joint shares of a list experiment"
    DESIGN_EFFECT_TEST = "test of a list experiment's design effects"
    HAUSMAN_TEST = "specification test of a list regression"
    COMBINED_LISTS = "list experiment combined with another question"
    ITEM_COUNT_REGRESSION = "list regression by maximum likelihood"
    ITEM_COUNT_LEAST_SQUARES = "list regression by least squares"
    OUTCOME_REGRESSION = "regression of an outcome on a true answer"
    OPTIMAL_CHANNEL = "optimal channel"
    OPTIMAL_CUTS = "optimal law of random cuts"
    SAMPLE_SIZE = "sample size"
    DIRECT_COMPARISON = "errors of a direct and of a randomised question"
    PLAN = "comparison of mechanisms for an aim"
    LEARNER = "learner fitted to reports"
    AUDIT = "audit of a mechanism by its reports"


@final
class TypeEstimator(Enum):
    """How joint shares of the sensitive item and the number of control items are estimated.

    >>> import askance as ak
    >>> types = ak.inference.item_count(ak.inference.ItemCounts([5, 5], {"a": [2, 5, 3]})).types()
    >>> types.estimator is ak.inference.TypeEstimator.MOMENTS
    True
    """

    MOMENTS = "by moments"
    MAXIMUM_LIKELIHOOD = "by maximum likelihood"


@final
class ListCombination(Enum):
    """What an estimate from one list is combined with.

    >>> import askance as ak
    >>> both = ak.inference.double_item_count([1, 2, 1, 2], [2, 2, 2, 1], [0, 0, 1, 1])
    >>> both.combination is ak.inference.ListCombination.SECOND_LIST
    True
    """

    DIRECT_QUESTION = "a direct question to the same people"
    SECOND_LIST = "a second list, with the groups exchanged"


@final
class ScramblingModel(Enum):
    """Scrambled response designs by the names of those who proposed them.

    >>> import askance as ak
    >>> saha = ak.inference.Scrambling.saha(factor=(1.5, 0.2), added=(5.5, 2.6))
    >>> saha.model is ak.inference.ScramblingModel.SAHA
    True
    """

    EICHHORN_HAYRE = "Eichhorn–Hayre"
    BAR_LEV = "Bar-Lev"
    POLLOCK_BEK = "Pollock–Bek"
    SAHA = "Saha"
    DIANA_PERRI_1 = "Diana–Perri 1"
    DIANA_PERRI_2 = "Diana–Perri 2"


@final
class GroupTest(Enum):
    """Tests that groups of interval-censored numbers have one distribution.

    >>> import askance as ak
    >>> ak.inference.GroupTest.LOG_RANK.value
    'log-rank'
    """

    LOG_RANK = "log-rank"
    KOLMOGOROV = "Kolmogorov"


@final
class Ties(Enum):
    """How many people share a cut, which decides on the law of the likelihood ratio."""

    HARDLY = "hardly shared"
    PARTLY = "partly shared"
    GRID = "on a grid"
    EXACT = "some numbers exact"


@final
class NoncomplianceModel(Enum):
    """Published models of people who do not follow the instructions.

    >>> import askance as ak
    >>> ak.inference.cheating_detection().model
    <NoncomplianceModel.CHEATING_DETECTION: 'cheating detection'>
    """

    CHEATING_DETECTION = "cheating detection"
    STOCHASTIC_LIE_DETECTOR = "stochastic lie detector"
    SELF_PROTECTIVE = "self-protective no-saying"
    RANDOM_ANSWERERS = "random answers"
    ONE_SAYERS = "one-saying"


@final
class LearningAlgorithm(Enum):
    """How a learner is fitted to reports.

    >>> import askance as ak
    >>> ak.learn.ChannelClassifier().provenance.algorithm is ak.inference.LearningAlgorithm.EM
    True
    """

    EM = "an EM algorithm over the true answers"
    UNBIASED_WEIGHTS = "weights that invert the channel without bias"
    IMPUTATION = "each range replaced by its mean given the fit"
    BOOSTING = "boosting the likelihood of the ranges"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerProvenance:
    """By which algorithm a learner is fitted to reports, and which learner that fits.

    Attributes
    ----------
    algorithm : LearningAlgorithm
    learner : str
        The class of the learner that is fitted in turn.

    >>> import askance as ak
    >>> made = ak.learn.ChannelClassifier().provenance
    >>> isinstance(made, ak.inference.LearnerProvenance), made.learner
    (True, 'LogisticRegression')
    """

    algorithm: LearningAlgorithm
    learner: str
