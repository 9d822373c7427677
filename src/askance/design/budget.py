"""What privacy costs: one budget for questions about one trait, and the price of a "don't know"."""

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from askance.channels.frame import Frame
from askance.design.precision import Prevalence, shares_of
from askance.inference.shares.estimate import truth_lie_variance
from askance.mechanisms.randomised_response import Abstain, AtLevel, Redistribute, Warner
from askance.privacy.guarantee import Guarantee
from askance.privacy.losses import local_loss, shafer_loss, walley_loss
from askance.results import Listing, json_of, listed, normal_quantile, result_frame, result_stream
from askance.typing import Floats, Json
from askance_collect.arguments import checked, refusal
from askance_collect.errors import InputError, refuse_unknown
from askance_collect.exact.level import log_down, loss_bound
from askance_collect.exact.ratio import read_integer, read_ratio

_UNITS = 1_000  # parts of the budget


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetPart:
    """One question's part of the budget, and its precision.

    Attributes
    ----------
    name : str
    equal, optimal : Fraction
        Its loss if all get the same, and if the variances together are to be least.
    asked : float
        If everyone is asked a single question with the whole budget: the part of the people who
        are asked this one.
    equal_width, optimal_width, asked_width : float
        Half-widths of its interval in the three cases, for the share that fares worst.
    """

    name: str
    equal: Fraction
    optimal: Fraction
    asked: float
    equal_width: float
    optimal_width: float
    asked_width: float


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BudgetAllocation:
    """Budget allocation: equally, optimally, or on one question for each person.

    Attributes
    ----------
    budget : Fraction
        The loss of one person.
    people : int
    level : float
        Of the intervals.
    parts : tuple of Part

    >>> [str(part.optimal) for part in allocate_budget(1, {"ever": 2, "how often": 6}).parts]
    ['193/500', '307/500']
    """

    budget: Fraction
    people: int
    level: float
    parts: tuple[BudgetPart, ...]

    def to_dict(self) -> Json:
        """Write the split for JSON; losses as they are written in a survey file."""
        return {
            "budget": str(self.budget),
            "people": self.people,
            "level": self.level,
            "parts": [
                json_of(part) | {"equal": str(part.equal), "optimal": str(part.optimal)}
                for part in self.parts
            ],
        }

    def _table(self) -> Listing:
        title = f"a loss of {float(self.budget):g} spent on {self.people:,} people"
        head = ["question", "equal ε", "±", "optimal ε", "±", "or asked of", "±"]
        rows = [
            [
                part.name,
                f"{float(part.equal):.3f}",
                f"{part.equal_width:.3f}",
                f"{float(part.optimal):.3f}",
                f"{part.optimal_width:.3f}",
                f"{100 * part.asked:.1f} %",
                f"{part.asked_width:.3f}",
            ]
            for part in self.parts
        ]
        return title, head, rows, [f"half-widths of {100 * self.level:g} % intervals"]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def allocate_budget(
    epsilon: object = None,
    questions: Mapping[str, int] | None = None,
    *,
    ratio: object = None,
    people: int = 1_000,
    prevalence: Mapping[str, Prevalence] | None = None,
    importance: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> BudgetAllocation:
    """Allocate one loss ε to several questions about the same trait, whose losses add.

    Every question is asked by k-ary randomised response. Optimally split, the weighted sum of the
    variances is least: on a grid of thousandths of the budget, each thousandth goes where it helps
    most, which is optimal because the variances are convex in ε. Beside it stand the equal split
    and a single question for each person with the whole budget, drawn with chances in proportion to
    the square roots of the weighted variances; that is often the better way.

    Parameters
    ----------
    epsilon : number, optional
        The budget of one person.
    questions : mapping of str to int
        How many answers each question has.
    ratio : number, optional
        e^ε instead; its logarithm is rounded down in the 15th digit.
    people : int
    prevalence : mapping, optional
        The shares of a question's answers, as in `sample_size`; even where left out.
    importance : mapping, optional
        How much a question's variance counts; 1 where left out.
    level : float

    Raises
    ------
    InputError
        If the budget is not in (0, 12], there is no question, or a number is outside its range.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), for the mechanism; Fox (1966), for the greedy split.

    >>> allocate_budget(2, {"ever": 2, "how often": 6}, people=5000)
    a loss of 2 spent on 5,000 people
    question   equal ε      ±  optimal ε      ±  or asked of      ±
    ever         1.000  0.030      0.808  0.036       47.6 %  0.026
    how often    1.000  0.046      1.192  0.037       52.4 %  0.028
    half-widths of 95 % intervals
    """
    questions = questions or {}
    budget = _check_budget(epsilon, ratio, questions, people)
    weight, prevalences = _read_importance(importance or {}, questions), prevalence or {}
    _refuse_unknown_questions(prevalences, questions, "prevalence")
    losses = float(budget) * np.arange(1, _UNITS + 1) / _UNITS
    shares = {name: shares_of(prevalences.get(name), k) for name, k in questions.items()}
    variances = [_variance(losses, k, shares[name]) for name, k in questions.items()]
    units = _split_greedily([w * curve for w, curve in zip(weight, variances, strict=True)])
    even = budget / len(questions)
    alone = np.array([curve[-1] for curve in variances])
    chances = np.sqrt(weight * alone) / np.sqrt(weight * alone).sum()
    equally = [
        _variance(np.array([float(even)]), k, shares[name])[0] for name, k in questions.items()
    ]
    best = [curve[spent - 1] for curve, spent in zip(variances, units, strict=True)]
    z = normal_quantile(level)
    widths = np.minimum(z * np.sqrt(np.array([equally, best, alone / chances]) / people), 0.5)
    parts = tuple(
        BudgetPart(
            name=name,
            equal=even,
            optimal=budget * units[i] / _UNITS,
            asked=float(chances[i]),
            equal_width=float(widths[0, i]),
            optimal_width=float(widths[1, i]),
            asked_width=float(widths[2, i]),
        )
        for i, name in enumerate(questions)
    )
    return BudgetAllocation(budget=budget, people=people, level=level, parts=parts)


def _check_budget(
    epsilon: object, ratio: object, questions: Mapping[str, int], people: int
) -> Fraction:
    bound = loss_bound(epsilon, ratio)
    if not 1 <= len(questions) <= _UNITS // 2:
        raise InputError("questions", got=len(questions), allowed=f"1 to {_UNITS // 2} questions")
    read_integer(people, "people", "a number of people in [1, ∞)")
    for name, answers in questions.items():
        read_integer(answers, f"allocate_budget.questions[{name!r}]", "two or more answers", 2)
    return log_down(bound) if epsilon is None else read_ratio(epsilon)


def _variance(losses: Floats, k: int, shares: Floats) -> Floats:
    """The largest variance of a share from one k-ary report, at each loss."""
    total = np.exp(losses)[:, None] + k - 1
    slope = (total - k) / total
    chance = 1 / total + slope * shares
    variance: Floats = (chance * (1 - chance) / slope**2).max(axis=1)
    return variance


def _read_importance(importance: Mapping[str, float], questions: Mapping[str, int]) -> Floats:
    _refuse_unknown_questions(importance, questions, "importance")
    weight = np.array([float(importance.get(name, 1)) for name in questions])
    if not (weight > 0).all():
        raise InputError(
            "allocate_budget.importance", got=weight.tolist(), allowed="numbers above 0"
        )
    return weight


def _refuse_unknown_questions(
    by_question: Mapping[str, object], questions: Mapping[str, int], where: str
) -> None:
    for key in by_question:
        refuse_unknown(f"allocate_budget.{where}", key, questions)


def _split_greedily(variances: Sequence[Floats]) -> list[int]:
    """Every question one unit, then each further one to where the sum falls most."""
    units = [1] * len(variances)
    gains = [(float(curve[1] - curve[0]), i) for i, curve in enumerate(variances)]
    heapq.heapify(gains)
    for _ in range(_UNITS - len(variances)):
        _, i = heapq.heappop(gains)
        units[i] += 1
        curve, spent = variances[i], units[i]
        gain = float(curve[spent] - curve[spent - 1]) if spent < _UNITS else math.inf
        heapq.heappush(gains, (gain, i))
    return units


_TWO = Frame(["yes", "no"])
_HALF = Fraction(1, 2)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A privacy loss and the variance of the estimated share that it buys.

    Attributes
    ----------
    loss : Guarantee
    variance : float
        Of the unbiased estimate; infinite where nothing is learnt.
    """

    loss: Guarantee
    variance: float

    @checked
    def preferred_to(self, other: "Price") -> bool:
        """Say whether neither loss nor variance is larger and one is smaller.

        A partial order (Li, Zhou, Qin & Xu, Corollary 20). By Walley's prices Q(p, q) with p > ½ is
        preferred exactly if neither p nor q is smaller; so nothing is preferred to a mechanism of
        Warner's, with p + q = 1, and no two of these are comparable.

        Raises
        ------
        NotComparable
            If the losses are of different notions.

        >>> more, less = Abstain(truth="7/10", lie="1/5"), Abstain(truth="3/5", lie="1/5")
        >>> walley_price(more, 0.3, 100).preferred_to(walley_price(less, 0.3, 100))
        True
        """
        no_worse = self.loss.is_at_least_as_strong(other.loss) and self.variance <= other.variance
        better = self.loss.value != other.loss.value or self.variance < other.variance
        return no_worse and better

    def to_dict(self) -> Json:
        """Write the loss and the variance for JSON."""
        return json_of(self)

    def _frame(self) -> dict[str, Any]:
        loss = self.loss
        return {
            "notion": [loss.notion.label],
            "loss": [float(loss.value)],
            "variance": [self.variance],
        }

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def shafer_price(mechanism: Abstain | AtLevel[Abstain], prevalence: float, n: int) -> Price:
    """Price the mechanism where a "don't know" is a message of its own.

    ε^S is Shafer's loss, ν^S = [((p + q)/(p − q))²/4 − (π − ½)²] E[1/N | N > 0] the exact variance.

    Parameters
    ----------
    mechanism : Abstain
        For two answers; at a privacy level too.
    prevalence : float
        π, the share of one answer.
    n : int
        Reports.

    Raises
    ------
    NotIdentified
        If truth and lie are equally likely.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the last section, whose ν^S has a ratio upside down.

    >>> price = shafer_price(Abstain(truth="3/5", lie="1/10"), 0.3, 50)
    >>> price.loss.value, round(price.variance, 6)
    (Fraction(6, 1), 0.012972)
    """
    abstain = _resolve_level(mechanism)
    truth, lie = float(abstain.truth), float(abstain.lie)
    variance = truth_lie_variance(_check_share(prevalence), truth, lie, n)
    return Price(loss=shafer_loss(abstain.channel(_TWO)), variance=variance)


@checked
def walley_price(mechanism: Abstain | AtLevel[Abstain], prevalence: float, n: int) -> Price:
    """Price the mechanism at its worst, for both sides, over how vague reports are resolved.

    ε^W is Walley's loss; ν^W the largest variance over Q_λ, at the truthfulness in [p, 1 − q] that
    is nearest to ½: [1/(4(2p − 1)²) − (π − ½)²]/n for p > ½, infinite where ½ can be had. No single
    λ attains both.

    Parameters
    ----------
    mechanism : Abstain
    prevalence : float
    n : int

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the last section.

    >>> price = walley_price(Abstain(truth="3/5", lie="1/10"), 0.3, 50)
    >>> price.loss.value, round(price.variance, 6)
    (Fraction(9, 1), 0.1242)
    """
    abstain = _resolve_level(mechanism)
    nearest, _ = _extreme_truths(abstain)
    return Price(
        loss=walley_loss(abstain.channel(_TWO)), variance=_warner_variance(nearest, prevalence, n)
    )


@checked
def hopeful_price(mechanism: Abstain | AtLevel[Abstain], prevalence: float, n: int) -> Price:
    """Price the mechanism at its best, for both sides, over how vague reports are resolved.

    ε^O = ln(p/(1 − p)) and ν^O = [1/(4(1 − 2q)²) − (π − ½)²]/n for p > ½. No single λ attains both.

    Parameters
    ----------
    mechanism : Abstain
    prevalence : float
    n : int

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the last section.

    >>> price = hopeful_price(Abstain(truth="3/5", lie="1/10"), 0.3, 50)
    >>> price.loss.value, round(price.variance, 6)
    (Fraction(3, 2), 0.007012)
    """
    nearest, farthest = _extreme_truths(_resolve_level(mechanism))
    loss = local_loss(Warner(truth=nearest).channel(_TWO))
    return Price(loss=loss, variance=_warner_variance(farthest, prevalence, n))


@checked
def resolved_price(mechanism: Redistribute, prevalence: float, n: int) -> Price:
    """Price the mechanism where vague reports are resolved by a declared share λ.

    These prices are a curve between (ε^W, ν^O) at λ = 1 and (ε^O, ν^W) at λ = 0, not the rectangle
    between all four (as Li, Zhou, Qin & Xu (2022) have it).

    Parameters
    ----------
    mechanism : Redistribute
    prevalence : float
    n : int

    >>> half = Redistribute(truth="3/5", lie="1/10", share="1/2")
    >>> price = resolved_price(half, 0.3, 50)
    >>> price.loss.value, round(price.variance, 6)
    (Fraction(3, 1), 0.0192)
    """
    truth = mechanism.final_truth
    loss = local_loss(Warner(truth=truth).channel(_TWO))
    return Price(loss=loss, variance=_warner_variance(truth, prevalence, n))


def _resolve_level(mechanism: Abstain | AtLevel[Abstain]) -> Abstain:
    """Find the chances of a mechanism at a privacy level."""
    abstain = mechanism.on(_TWO) if isinstance(mechanism, AtLevel) else mechanism
    if not isinstance(abstain, Abstain):
        raise refusal("mechanism", abstain, (Abstain,))
    return abstain


def _extreme_truths(mechanism: Abstain) -> tuple[Fraction, Fraction]:
    """The truthfulness in [p, 1 − q] nearest to and farthest from ½."""
    low, high = mechanism.truth, 1 - mechanism.lie
    nearest = min(max(_HALF, low), high)
    return nearest, max(low, high, key=lambda truth: abs(truth - _HALF))


def _warner_variance(truth: Fraction, prevalence: float, n: int) -> float:
    if truth == _HALF:
        return math.inf
    return truth_lie_variance(_check_share(prevalence), float(truth), float(1 - truth), n)


def _check_share(prevalence: float) -> float:
    if not 0 <= prevalence <= 1:
        raise InputError("prevalence", got=prevalence, allowed="a share in [0, 1]")
    return prevalence
