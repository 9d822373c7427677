"""Joint shares of the answers to several questions.

The joint channel of independent reports is a Kronecker product; every product with it is a chain of
products with the single channels, one axis at a time.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel, report_columns
from askance.chart import SHARE, Chart, chart_frame, draw_result, rows_chart
from askance.inference.fit_result import Convergence, GoodnessOfFit, Untested, joined_fits
from askance.inference.frequency_tests import fit_of_rows, mixture_test
from askance.inference.maximisation import maximise_mixture
from askance.inference.provenance import Computation
from askance.inference.ranges.sampled import replicates_of
from askance.inference.replicate_weights import ratio_covariance
from askance.inference.sampling_design import AbstractSamplingDesign, SamplingDesign, weights_alone
from askance.inference.shares.estimate import TOLERANCE, design_based_covariance
from askance.inference.shares.information import answers_worth, identify, interior_shares, speaking
from askance.results import (
    Listing,
    counted,
    describe_variance,
    doubles,
    json_of,
    listed,
    noisy_wilson,
    normal_quantile,
    number,
    read_only,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError, refuse_unknown


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class JointEstimate:
    """The estimated share of each combination of answers.

    Attributes
    ----------
    questions : tuple of str
        The d questions.
    labels : tuple of tuple of str
        Each question's answers.
    value, lower, upper : array, shape (k_1, …, k_d)
        Shares and their intervals.
    effective_sample_size : array, shape (k_1, …, k_d)
        The number of direct, truthful answers with the same precision; at most ``reports``.
    covariance : array, shape (K, K)
        Of the K = k_1 ⋯ k_d shares, the last question's answers fastest.
    level : float
    reports : int
        How many say something of the answer to some question.
    gap : float
        At most this much mean log-likelihood per report is missing to the maximum.
    convergence : Convergence
    df : float
        Degrees of freedom of the variance of a complex sample; infinite for people drawn at random.
    replicates : int
        Over how many replicates it was found; 0 if linearised.
    goodness_of_fit : GoodnessOfFit
        Whether the channels can have sent these combinations of reports at all.
    """

    computation: ClassVar[Computation] = Computation.JOINT_SHARES
    questions: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    value: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    effective_sample_size: Floats
    level: float
    reports: int
    gap: float
    convergence: Convergence
    df: float = math.inf
    replicates: int = 0
    goodness_of_fit: GoodnessOfFit

    @property
    def se(self) -> Floats:
        """Standard error of each share, shape (k_1, …, k_d)."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)).reshape(self.value.shape))

    def margin(self, *questions: str) -> Floats:
        """The shares of the answers to some of the questions, over all others.

        Raises
        ------
        InputError
            If a question is not among those estimated.
        """
        axes = [self._axis(question) for question in questions]
        if len(set(axes)) < len(axes):
            raise InputError("margin", got=questions, allowed="different questions")
        others = tuple(axis for axis in range(len(self.questions)) if axis not in axes)
        remaining = [axis for axis in range(len(self.questions)) if axis in axes]
        return read_only(
            self.value.sum(axis=others).transpose([remaining.index(axis) for axis in axes])
        )

    def odds_ratio(self) -> tuple[float, float, float]:
        """Odds ratio of two yes-or-no answers, with its confidence interval.

        π₁₁π₂₂/(π₁₂π₂₁) for two questions of two answers, with the interval on its logarithm by the
        delta method; 0 to infinity where a share is estimated as 0.

        Raises
        ------
        InputError
            Unless there are two questions of two answers each.
        """
        if self.value.shape != (2, 2):
            raise InputError(
                "odds_ratio",
                got=f"{' × '.join(map(str, self.value.shape))} answers",
                allowed="two questions of two answers",
                remedy="use association() for more",
            )
        shares = self.value.ravel()
        if not np.all(shares > 0):
            odds = shares[0] * shares[3], shares[1] * shares[2]
            ratio = odds[0] / odds[1] if odds[1] > 0 else (math.inf if odds[0] > 0 else math.nan)
            return float(ratio), 0.0, math.inf
        slope = np.array([1, -1, -1, 1]) / shares
        logarithm = float(np.log(shares) @ [1, -1, -1, 1])
        reach = student_quantile(self.level, self.df)
        if not reach < math.inf:  # no degree of freedom tells how sure it is
            return float(np.exp(np.clip(logarithm, None, 700))), 0.0, math.inf
        reach *= math.sqrt(max(float(slope @ self.covariance @ slope), 0.0))
        ratio, lower, upper = np.exp(np.clip(logarithm + reach * np.array([0, -1, 1]), None, 700))
        return float(ratio), float(lower), float(upper)

    @checked
    def association(self, first: str, second: str) -> float:
        """Cramér's V of two questions' estimated joint shares: 0 apart, 1 together.

        V² = Σ (π_ab − π_a π_b)²/(π_a π_b) / (min(k₁, k₂) − 1)
        """
        joint = self.margin(first, second)
        independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        is_possible = independent > 0
        excess = float(
            ((joint[is_possible] - independent[is_possible]) ** 2 / independent[is_possible]).sum()
        )
        return math.sqrt(excess / (min(joint.shape) - 1))

    def to_dict(self) -> Json:
        """Write the estimate for JSON: nested lists for arrays, None where there is no number."""
        names = (
            "questions labels value se covariance lower upper plain=effective_sample_size "
            "level reports gap"
        ) + (" df replicates" if math.isfinite(self.df) else "")
        return json_of(self, names) | self.convergence.to_dict() | json_of(self, "goodness_of_fit")

    def _axis(self, question: str) -> int:
        refuse_unknown("question", question, self.questions)
        return self.questions.index(question)

    def _frame(self) -> dict[str, Any]:
        combined = list(product(*self.labels))
        names = {name: [labels[i] for labels in combined] for i, name in enumerate(self.questions)}
        arrays = {"share": self.value, "se": self.se, "lower": self.lower, "upper": self.upper}
        arrays["plain"] = self.effective_sample_size
        return names | {name: array.ravel() for name, array in arrays.items()}

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        head = [*self.questions, "share", "se", f"{percent} from", "to", "plain answers"]
        columns = [array.ravel() for array in (self.value, self.se, self.lower, self.upper)]
        rows = [
            [*combined, *(number(float(column[cell])) for column in columns), f"{worth:,.0f}"]
            for cell, (combined, worth) in enumerate(
                zip(product(*self.labels), self.effective_sample_size.ravel(), strict=True)
            )
        ]
        title = f"share of each combination of {' and '.join(self.questions)}"
        notes = [f"{counted(self.reports, 'report')}; gap {self.gap:.1g}; {self.convergence.value}"]
        if self.df < math.inf:
            how = describe_variance(self.replicates, of=" of scores")
            notes.append(f"weighted pseudo-likelihood, {how}, {self.df:g} degrees of freedom")
        return title, head, rows, [*notes, *self.goodness_of_fit.misfit]

    def _chart(self) -> Chart:
        """Describe a row for each combination of answers, the last question's answers fastest."""
        pairs = ([f"{name}: {label}" for label in labels] for name, labels in self._answers())
        names = ["; ".join(combined) for combined in product(*pairs)]
        value, *ends = (array.ravel() for array in (self.value, self.lower, self.upper))
        return rows_chart(
            names, value, (ends[0], ends[1]), level=self.level, x=SHARE, y="combination"
        )

    def _answers(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        return zip(self.questions, self.labels, strict=True)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KroneckerMixture:
    """Counts of joint reports, and the channel of each question.

    Attributes
    ----------
    matrices : tuple of array, each of shape (k_i, m_i)
        Reports without counts included.
    counts : array, shape (m_1, …, m_d)
        How often each joint report was received.
    """

    matrices: tuple[Floats, ...]
    counts: Floats

    @property
    def shape(self) -> tuple[int, ...]:
        """How many answers each question has."""
        return tuple(len(matrix) for matrix in self.matrices)

    @property
    def weights(self) -> Floats:
        """How often each joint report was seen, those that were not left out."""
        return self.counts[self.counts > 0]

    def chance(self, shares: Floats) -> Floats:
        """The chance of each joint report that was seen."""
        return self.chances(shares)[self.counts > 0]

    def chances(self, shares: Floats) -> Floats:
        """The chance of every joint report, shape (m_1, …, m_d)."""
        return multiply_axes(shares.reshape(self.shape), [matrix.T for matrix in self.matrices])

    def slope(self, chance: Floats) -> Floats:
        """The derivative of the log-likelihood by each joint share."""
        return multiply_axes(self._spread(self.weights / chance), self.matrices).ravel()

    def curvature(self, chance: Floats) -> Floats:
        """The negative second derivative by each pair of joint shares."""
        return information(self.matrices, self._spread(self.weights / chance**2))

    def _spread(self, values: Floats) -> Floats:
        spread = np.zeros(self.counts.shape)
        spread[self.counts > 0] = values
        return spread


def multiply_axes(values: Floats, matrices: list[Floats] | tuple[Floats, ...]) -> Floats:
    """Multiply each axis of an array by its matrix.

    >>> multiply_axes(np.eye(2), [np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]])]).tolist()
    [[11.0]]
    """
    for matrix in matrices:
        values = np.tensordot(values, matrix, axes=(0, 1))  # the new axis goes last: d turns round
    return values


def information(matrices: tuple[Floats, ...], weights: Floats) -> Floats:
    """Σ_j w_j q_j q_jᵀ over joint reports j, each q_j a product of the questions' columns.

    Parameters
    ----------
    matrices : tuple of array, each of shape (k_i, m_i)
    weights : array, shape (m_1, …, m_d)

    Returns
    -------
    array, shape (K, K)
        K = k_1 ⋯ k_d joint answers, the last question's fastest.
    """
    pairs = [
        (matrix[:, None, :] * matrix[None, :, :]).reshape(-1, matrix.shape[1])
        for matrix in matrices
    ]
    sizes = [len(matrix) for matrix in matrices]
    folded = multiply_axes(weights, pairs).reshape([size for size in sizes for _ in range(2)])
    order = [*range(0, 2 * len(sizes), 2), *range(1, 2 * len(sizes), 2)]
    joint = math.prod(sizes)
    return np.ascontiguousarray(folded.transpose(order)).reshape(joint, joint)


MOST = 2_000
"""How many joint answers can be estimated."""


@checked
def estimate_joint(
    channels: Mapping[str, Channel],
    counts: npt.ArrayLike | None = None,
    level: float = 0.95,
    *,
    reports: Any = None,
    sampling: AbstractSamplingDesign | None = None,
) -> JointEstimate:
    r"""Estimate the share of each combination of answers to questions that were protected apart.

    The most likely joint shares, maximised and certified as for one question; the joint channel, a
    Kronecker product, is never written out. Covariance is that of the observed information, as for
    one question: given which questions each report says something of. Intervals are Wilson's
    (1927), with what protection adds to the variance.

    With a sampling design the likelihood is weighted (pseudo-likelihood), and its errors are
    linearised:

    .. math:: \hat V = A^{-1}
              \widehat{\mathrm{Cov}}\Bigl(\sum_i w_i (s_i - \bar s)\Bigr) A^{-1} / W^2

    on the changes that sum to zero, with s_i = q_j/P_j the score of who sent the combination j, s̄
    its weighted mean, A the expected information of one report, W = Σ w_i and the covariance the
    sample's (Binder, 1983). What a finite-population correction takes away from the channel's draws
    is given back. Intervals are Student's, of as many people as would tell each share as precisely
    (Korn & Graubard, 1998).

    Parameters
    ----------
    channels : mapping of str to Channel
        The questions, in the order of the counts' axes. A report that says nothing, such as a
        blank, may be one of a channel's reports.
    counts : array_like of int, shape (m_1, …, m_d), optional
        How often each combination of reports was received: people, not weights.
    level : float
    reports : data frame, or mapping of str to columns of length n, optional
        In place of counts: what each person sent to each question, by name. Who left one of them
        blank is left out.
    sampling : SamplingDesign or ReplicateWeights, optional
        How these people were drawn; beside reports.

    Raises
    ------
    NotIdentified
        If a question's reports cannot tell its answers apart.
    InputError
        If counts or reports do not fit the channels or the sampling design, an impossible
        combination was received, or there are more than 2,000 combinations of answers.

    >>> from askance.channels.frame import Frame
    >>> yn, reports = Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}
    >>> q = Channel(yn, reports, [[0.75, 0.25], [0.25, 0.75]])
    >>> estimate_joint({"smokes": q, "drinks": q}, [[300, 200], [200, 300]])
    share of each combination of smokes and drinks
    smokes  drinks  share       se  95 % from      to  plain answers
    yes        yes   0.45   0.0395     0.3729  0.5275            159
    yes         no   0.05  0.03688          0  0.1239             35
    no         yes   0.05  0.03688          0  0.1239             35
    no          no   0.45   0.0395     0.3729  0.5275            159
    1,000 reports; gap ...; the maximum of the likelihood, certified by its gap
    >>> from askance.inference import SamplingDesign
    >>> rows = {"smokes": ["yes", "yes", "no", "no"] * 50, "drinks": ["yes", "no", "no", "no"] * 50}
    >>> sample = SamplingDesign(weights=[1.0, 1.0, 2.0, 2.0] * 50, clusters=np.arange(200) // 4)
    >>> plain = Channel(yn, reports, [[1, 0], [0, 1]])
    >>> joint = estimate_joint({"smokes": plain, "drinks": plain}, reports=rows, sampling=sample)
    >>> joint.value.round(3).tolist(), joint.df
    ([[0.167, 0.167], [0.0, 0.667]], 49.0)
    """
    normal_quantile(level)
    if (counts is None) == (reports is None):
        raise InputError(
            "estimate_joint", got="counts and reports, or neither", allowed="one of the two"
        )
    if reports is None:
        if sampling is not None:
            raise InputError(
                "estimate_joint.sampling",
                got="a sampling design beside counts",
                allowed="reports of the people it draws: reports={question: column}",
            )
        return _maximise_joint(channels, _build_problem(channels, _read_counts(counts)), level)
    cell = _number_cells(channels, reports)
    shape = [len(channel.reports) for channel in channels.values()]
    sample = None if sampling is None else _read_sample(sampling, cell)
    person_weights = (
        np.ones(len(cell)) if sample is None else sample.sampling.weights * sample.scale
    )
    totals = np.zeros(math.prod(shape))
    np.add.at(totals, cell[cell >= 0], person_weights[cell >= 0])
    problem = _build_problem(channels, totals.reshape(shape))
    return _maximise_joint(
        channels, problem, level, sample and _condition_on_informative(sample, problem)
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sample:
    """A complex sample of people, and which combination of reports each sent; −1 a blank.

    Attributes
    ----------
    sampling : AbstractSamplingDesign
        Of those without a blank: others have no weight.
    cell : array of int, shape (n,)
    scale : float
        What weights are multiplied by, so that they sum to the people who have some.
    """

    sampling: AbstractSamplingDesign
    cell: Integers
    scale: float


def _read_sample(sampling: AbstractSamplingDesign, cell: Integers) -> _Sample:
    where = "estimate_joint.sampling"
    if len(sampling.weights) != len(cell):
        raise InputError(where, got=f"{len(sampling.weights):,} rows", allowed=f"{len(cell):,}")
    sampling = sampling.domain(cell >= 0)
    people, total = np.count_nonzero(sampling.weights), sampling.weights.sum()
    return _Sample(sampling=sampling, cell=cell, scale=float(people / total) if people else 1.0)


def _condition_on_informative(sample: _Sample, problem: KroneckerMixture) -> _Sample:
    """Condition a weighted sample on the people with informative reports (ancillary)."""
    speaks = sample.cell >= 0
    speaks[speaks] = (_informed_questions(problem) > 0).ravel()[sample.cell[speaks]]
    if speaks.all() or not speaks.any() or not weights_alone(sample.sampling):
        return sample
    sampling = SamplingDesign(weights=sample.sampling.weights[speaks])
    return replace(sample, sampling=sampling, cell=sample.cell[speaks])


def _number_cells(channels: Mapping[str, Channel], reports: Any) -> Integers:
    """Number the combination that each person sent, the last question fastest; −1 a blank."""
    names = getattr(reports, "column_names", getattr(reports, "columns", reports))
    names = list(names) if isinstance(names, Iterable) and not isinstance(names, str) else []
    names = [name for name in names if isinstance(name, str)]  # an array has rows instead
    lacking = [name for name in channels if name not in names]
    if lacking or not channels:
        raise InputError(
            "reports",
            got=f"no column {lacking[0]!r}" if lacking else "no question",
            allowed=f"a column for each of {', '.join(channels) or 'some questions'}",
        )
    same_rows(**{f"reports[{name!r}]": reports[name] for name in channels})
    columns = {
        name: report_columns(channel, reports[name], f"reports[{name!r}]")
        for name, channel in channels.items()
    }
    n = len(next(iter(columns.values()), ()))
    cells = np.zeros(n, dtype=np.int64)
    for name, channel in channels.items():
        column = columns[name]
        if len(column) != n:
            raise InputError(f"reports[{name!r}]", got=f"{len(column)} reports", allowed=f"{n}")
        cells = np.where((cells < 0) | (column < 0), -1, cells * len(channel.reports) + column)
    return cells


def _maximise_joint(
    channels: Mapping[str, Channel],
    problem: KroneckerMixture,
    level: float,
    sample: _Sample | None = None,
) -> JointEstimate:
    size = math.prod(problem.shape)
    if not _count_informative(problem):
        nothing = np.full(size, np.nan)
        return _build_estimate(
            channels, problem, nothing, level, Convergence.NO_REPORTS, sample=sample
        )
    shares, gap = maximise_mixture(problem, np.full(size, 1 / size), TOLERANCE)
    convergence = Convergence.ON_BOUNDARY if shares.min() <= 0 else Convergence.CONVERGED
    convergence = convergence if gap <= TOLERANCE else Convergence.STOPPED
    return _build_estimate(channels, problem, shares, level, convergence, gap, sample)


def _count_informative(problem: KroneckerMixture) -> float:
    """Number of reports informative on some question; all if there is one answer."""
    if math.prod(problem.shape) == 1:
        return float(problem.counts.sum())
    return float(problem.counts.sum(where=_informed_questions(problem) > 0))


def _read_counts(counts: npt.ArrayLike | None) -> Floats:
    received = doubles(counts, "counts")
    if not np.all((received >= 0) & (received == np.floor(received)) & np.isfinite(received)):
        raise InputError(
            "counts",
            got="others",
            allowed="whole numbers in [0, ∞)",
            remedy="count people; with sampling weights give reports= and sampling=",
        )
    return received


def _build_problem(channels: Mapping[str, Channel], counts: Floats) -> KroneckerMixture:
    shape = tuple(len(channel.reports) for channel in channels.values())
    if not channels or counts.shape != shape:
        raise InputError("counts", got=f"shape {counts.shape}", allowed=f"shape {shape}")
    for channel in channels.values():
        identify(channel)
    matrices = tuple(channel.matrix for channel in channels.values())
    for axis, (name, matrix) in enumerate(zip(channels, matrices, strict=True)):
        others = tuple(other for other in range(len(shape)) if other != axis)
        if np.any((matrix.max(axis=0) == 0) & (counts.sum(axis=others) > 0)):
            raise InputError(
                f"counts, {name}",
                got="a report that no answer can send",
                allowed="reports that the channel can yield",
                remedy="check that the reports belong to this form",
            )
    size = math.prod(len(matrix) for matrix in matrices)
    if size > MOST:
        raise InputError(
            "channels",
            got=f"{size:,} combinations of answers",
            allowed=f"at most {MOST:,}",
            remedy="take fewer questions together, or merge answers",
        )
    return KroneckerMixture(matrices=matrices, counts=counts)


def _build_estimate(
    channels: Mapping[str, Channel],
    problem: KroneckerMixture,
    shares: Floats,
    level: float,
    convergence: Convergence,
    gap: float = float("nan"),
    sample: _Sample | None = None,
) -> JointEstimate:
    n, k = _count_informative(problem), len(shares)
    covariance, lower, upper, worth = np.full((k, k), np.nan), np.zeros(k), np.ones(k), np.zeros(k)
    df = math.inf if sample is None else sample.sampling.df
    if n:
        covariance = _simple_covariance(problem, shares)
        sizes, variance = np.full(k, n), np.diag(covariance)
        if sample is not None:
            covariance, variance, sizes = _linearise(problem, shares, sample)
        worth = answers_worth(shares, np.diag(variance), n)
        if df > 0:
            reach = student_quantile(level, df)
            lower, upper = noisy_wilson(shares, variance, 1 / sizes, reach)
    return JointEstimate(
        questions=tuple(channels),
        labels=tuple(channel.frame.answers for channel in channels.values()),
        value=shares.reshape(problem.shape),
        covariance=covariance,
        lower=lower.reshape(problem.shape),
        upper=upper.reshape(problem.shape),
        effective_sample_size=worth.reshape(problem.shape),
        level=level,
        reports=round(n),
        gap=gap,
        convergence=convergence,
        df=df,
        replicates=replicates_of(sample.sampling) if sample is not None else 0,
        goodness_of_fit=_test_fit(channels, problem, shares, gap, sample),
    )


def _test_fit(
    channels: Mapping[str, Channel],
    problem: KroneckerMixture,
    shares: Floats,
    gap: float,
    sample: _Sample | None,
) -> GoodnessOfFit:
    """Test each question by itself, and all combinations of reports; everybody counts once."""
    if sample is not None:
        is_counted = (sample.sampling.weights > 0) & (sample.cell >= 0)
        people = np.bincount(sample.cell[is_counted], minlength=problem.counts.size)
        problem = replace(problem, counts=people.reshape(problem.counts.shape).astype(float))
        if people.any():
            shares, gap = maximise_mixture(
                problem, np.full(len(shares), 1 / len(shares)), TOLERANCE
            )
    counts, names = problem.counts, [channel.reports for channel in channels.values()]
    if not counts.sum():
        return GoodnessOfFit(untested=Untested.NO_REPORTS)
    axes = range(counts.ndim)
    margins = [
        counts.sum(axis=tuple(axis for axis in axes if axis != question)) for question in axes
    ]
    single = joined_fits(
        {
            question: fit_of_rows(channel.matrix, margin, channel.reports)
            for (question, channel), margin in zip(channels.items(), margins, strict=True)
        }
    )
    can_occur = [channel.matrix.max(axis=0) > 0 for channel in channels.values()]
    possible = np.flatnonzero(reduce(np.multiply.outer, can_occur))
    pairs = [" with ".join(f"“{report}”" for report in reports) for reports in product(*names)]
    events = [pairs[cell] for cell in possible]
    chance = problem.chances(shares).ravel()[possible]
    together = mixture_test(counts.ravel()[possible], chance, gap, events)
    return GoodnessOfFit(tests=(*single.tests, together))


def _linearise(
    problem: KroneckerMixture, shares: Floats, sample: _Sample
) -> tuple[Floats, Floats, Floats]:
    """Covariance of the shares that are most likely by the weighted likelihood.

    And the variance of each for its interval, with how many people drawn alike would have it.
    """
    size, sampling, is_counted = len(shares), sample.sampling, sample.cell >= 0
    if len(sample.cell) * size > _MOST_SCORES:
        raise InputError(
            "estimate_joint.sampling",
            got=f"{len(sample.cell):,} people and {size:,} combinations of answers",
            allowed=f"a product of at most {_MOST_SCORES:,}",
            remedy="take fewer questions together, or merge answers",
        )
    speaks = _informed_questions(problem) > 0
    informative = _count_informative(problem)
    interior = interior_shares(shares, informative)
    chances = problem.chances(interior).ravel()
    inverse_chances = np.divide(1.0, chances, out=np.zeros(len(chances)), where=chances > 0)
    basis = np.linalg.svd(np.ones((1, size)))[2][1:].T
    plain = _simple_covariance(problem, shares) * informative
    bread = basis @ (basis.T @ plain @ basis)
    is_counted[is_counted] &= speaks.ravel()[sample.cell[is_counted]]
    scores = np.zeros((len(is_counted), size - 1))
    scores[is_counted] = _scores(problem, sample.cell[is_counted], inverse_chances) @ basis
    weights = sampling.weights * is_counted
    total, people = weights.sum(), float(np.count_nonzero(weights))
    scores[is_counted] -= (weights @ scores) / total
    survey_meat = ratio_covariance(sampling, scores, is_counted[:, None])
    survey_meat += basis.T @ _channel_draws(problem, interior, inverse_chances, sample) @ basis
    simple_meat = (scores * weights[:, None]).T @ scores * (total / max(people - 1, 1.0))
    sampled, simple = (bread @ meat @ bread.T / total**2 for meat in (survey_meat, simple_meat))
    kish = people * float(weights @ weights) / total**2
    plain /= people
    covariance, effects = design_based_covariance(
        plain, sampled, simple, (kish, bool(shares.min() <= 0))
    )
    return covariance, np.diag(plain) * effects, people / effects


def _informed_questions(problem: KroneckerMixture) -> Integers:
    """Bit mask, for each joint report, of the questions that it informs on; 0 for no question.

    Shape (m_1, …, m_d); the question at axis a counts 2^a.
    """
    speaks = np.zeros(problem.counts.shape, dtype=np.int64)
    for axis, matrix in enumerate(problem.matrices):
        own = speaking(matrix)
        shape = [-1 if other == axis else 1 for other in range(speaks.ndim)]
        speaks += (own << axis).reshape(shape)
    return speaks


def _simple_covariance(problem: KroneckerMixture, shares: Floats) -> Floats:
    """Covariance of joint shares of a simple random sample, by the observed information.

    As `observed_covariance` for one question. Ancillary is which questions each report says
    something of: where a share is estimated as 0, or a change is not told at all, reports of each
    kind are taken as often as shares that lie inside send them.
    """
    if len(shares) == 1:
        return np.zeros((1, 1))
    shares = np.where(shares < _NOTHING, 0.0, shares)
    speaks = _informed_questions(problem)
    counts, chances = np.where(speaks > 0, problem.counts, 0.0), problem.chances(shares)
    weights = np.divide(counts, chances**2, out=np.zeros(counts.shape), where=counts > 0)
    covariance = _inverse_on_simplex(information(problem.matrices, weights))
    if shares.min() > 0 and covariance is not None:
        return covariance
    chances, pattern = problem.chances(interior_shares(shares, counts.sum())), speaks.ravel()
    sizes, chance = (np.bincount(pattern, array.ravel()) for array in (counts, chances))
    totals = np.divide(sizes, chance, out=np.zeros(len(sizes)), where=chance > 0)
    weights = totals[speaks] / np.where(chances > 0, chances, np.inf)
    covariance = _inverse_on_simplex(information(problem.matrices, weights))
    return np.full((len(shares),) * 2, np.inf) if covariance is None else covariance


_SINGULAR = 1e12
_NOTHING = 1e-9  # a share of 0, to which the maximisation came from inside


def _inverse_on_simplex(matrix: Floats) -> Floats | None:
    """Invert a large information matrix on changes that sum to zero, without a basis of these.

    >>> _inverse_on_simplex(np.diag([5.0, 1.25])).round(9).tolist()  # shares .2 and .8
    [[0.16, -0.16], [-0.16, 0.16]]
    >>> _inverse_on_simplex(np.ones((2, 2))) is None
    True
    """
    size, scale = len(matrix), float(np.trace(matrix)) / len(matrix)
    if not scale > 0:
        return None
    edge = np.ones((size + 1, size + 1))
    edge[:size, :size], edge[size, size] = matrix / scale, 0.0
    try:
        inverse = np.linalg.inv(edge)
    except np.linalg.LinAlgError:
        return None
    if np.linalg.norm(edge, 1) * np.linalg.norm(inverse, 1) >= _SINGULAR:
        return None
    covariance = np.asarray(inverse[:size, :size] / scale, dtype=np.float64)
    return (covariance + covariance.T) / 2


_MOST_SCORES = 200_000_000


def _information(problem: KroneckerMixture, weights: Floats) -> Floats:
    return information(problem.matrices, weights.reshape(problem.counts.shape))


def _scores(problem: KroneckerMixture, cell: Integers, inverse_chances: Floats) -> Floats:
    """The score q_j/P_j of each person, shape (n, K)."""
    places = np.unravel_index(cell, problem.counts.shape)
    rows = np.ones((len(cell), 1))
    for matrix, position in zip(problem.matrices, places, strict=True):
        rows = (rows[:, :, None] * matrix[:, position].T[:, None, :]).reshape(len(cell), -1)
    return rows * inverse_chances[cell, None]


def _channel_draws(
    problem: KroneckerMixture, shares: Floats, inverse_chances: Floats, sample: _Sample
) -> Floats:
    """Σ f w² Var(s | answer): what the channel draws is no better known in a finite population."""
    weights, is_counted = sample.sampling.weights, sample.cell >= 0
    again = (sample.sampling.sampling_fraction * weights**2)[is_counted]
    sums = np.bincount(sample.cell[is_counted], again, len(inverse_chances)) * inverse_chances
    people = shares * multiply_axes(sums.reshape(problem.counts.shape), problem.matrices).ravel()
    expected = problem.chances(people).ravel()
    mean = _information(problem, inverse_chances)
    return _information(problem, expected * inverse_chances**2) - mean @ (people[:, None] * mean)
