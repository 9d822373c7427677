"""Mechanisms of randomised response by their names, side by side at equal protection."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.chart import Axis, Chart, bars_chart, chart_frame, draw_result
from askance.design.compare import Bounds, describe_mechanism
from askance.design.precision import shares_of, spread
from askance.inference.shares.information import fisher_covariance, identifying
from askance.mechanisms.named_mechanisms import (
    Christofides,
    Crosswise,
    ForcedResponse,
    HiddenSensitivity,
    Kuk,
    Mangat,
    OneSided,
    Triangular,
    UnrelatedQuestion,
    unknown_harmless_share,
)
from askance.mechanisms.randomised_response import Abstain, AbstractMechanism, Warner
from askance.privacy.guarantee import Guarantee
from askance.privacy.losses import advantage as advantage_of
from askance.privacy.losses import local_loss
from askance.results import (
    Listing,
    json_of,
    listed,
    number,
    plain_json,
    result_frame,
    result_stream,
)
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_integer, read_ratio

_YES_NO = Frame(["yes", "no"])
_PARTS = 1_000, 1_000_000
"""In how many parts the one number of a mechanism is chosen: finer where it comes out small."""
_ENOUGH = 100
"""How many such parts it has at the least, or finer ones are taken."""

_HEAD = ["mechanism", "odds ×", "local ε", "guessed", "variance", "effective sample"]

_TRAITS = Frame(["both", "the first", "the second", "neither"])
_HARMLESS = Fraction(1, 4)

_FAMILIES: dict[str, Callable[[Fraction], AbstractMechanism]] = {
    "warner": lambda t: Warner(truth=(1 + t) / 2),
    "crosswise": lambda t: Crosswise(harmless=(1 - t) / 2),
    "forced": lambda t: ForcedResponse(truth=t),
    "forced, mostly yes": lambda t: ForcedResponse(
        truth=t, if_forced={"yes": Fraction(3, 4), "no": Fraction(1, 4)}
    ),
    "unrelated": lambda t: UnrelatedQuestion(sensitive_chance=t, harmless=_HARMLESS),
    "kuk": lambda t: Kuk(red_if_yes=(1 + t) / 2, red_if_no=(1 - t) / 2, draws=3),
    "christofides": lambda t: Christofides(
        marks=[(1 + t) / 3, Fraction(1, 3), (1 - t) / 3],
    ),
    "abstain": lambda t: Abstain(truth=(1 + t) * Fraction(3, 8), lie=(1 - t) * Fraction(3, 8)),
    "mangat": lambda t: Mangat(truth_if_no=t),
    "one_sided": lambda t: OneSided(forced_yes=1 - t),
    "triangular": lambda t: Triangular(harmless=1 - t),
    "unrelated_pairs": lambda t: UnrelatedQuestion(sensitive_chance=t, harmless=_HARMLESS),
    "hidden": lambda t: HiddenSensitivity(harmless=[*[(1 - t) / 3] * 3, t]),
}
"""Each mechanism as a family: at 0 it tells nothing of the trait, at 1 everything."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismCost:
    """A named mechanism that keeps a bound: its privacy for a respondent, and its precision.

    Attributes
    ----------
    mechanism : AbstractMechanism
    channel : Channel
        As who knows nothing else of the respondent sees it; of two rules that of the first, which
        tells more.
    epsilon : float
        The exact local loss, rounded upwards; infinite where a report rules an answer out, or does
        so for whoever knows the harmless answer.
    odds : Fraction or float
        How many times a report multiplies the odds of the sensitive answer, at most: the measure of
        jeopardy of Leysieffer & Warner (1976).
    guess_probability : Fraction
        How often, at most, a report tells two equally likely answers apart.
    variance : float
        Of the estimated share, times the number of people.
    effective_sample_size : float
        How many people, asked directly, would tell as much as all that are asked.
    description : str
        The mechanism and its chances, in words.

    >>> from askance.design import MechanismCost, compare_mechanisms
    >>> first: MechanismCost = compare_mechanisms(ratio=3).mechanisms[0]
    >>> first.odds, first.channel.reports
    (Fraction(3, 1), ('yes', 'no'))
    """

    mechanism: AbstractMechanism
    channel: Channel
    epsilon: float
    odds: Fraction | float
    guess_probability: Fraction
    variance: float
    effective_sample_size: float
    description: str

    def to_dict(self) -> Json:
        """Write the mechanism for JSON; an infinite figure becomes None."""
        written: Json = plain_json(
            {
                "design": self.description,
                "mechanism": {"name": self.mechanism.name, **self.mechanism.parameters()},
                "epsilon": self.epsilon,
                "odds": float(self.odds),
                "guessed": float(self.guess_probability),
                "variance": self.variance,
                "effective_sample_size": self.effective_sample_size,
            }
        )
        return written


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MechanismComparison:
    """Named mechanisms that keep the same bound, the most precise first.

    Attributes
    ----------
    bound : str
        What all of them keep.
    prevalence : float
        The share of people with the sensitive answer.
    people : int
        How many are asked.
    mechanisms : tuple of MechanismCost
    left_out : tuple of str
        Mechanisms that cannot keep the bound, whatever their number (down to a millionth).

    >>> from askance.design import compare_mechanisms
    >>> compare_mechanisms(ratio=3).left_out
    ('mangat', 'one_sided', 'triangular', 'unrelated_pairs', 'hidden')
    """

    bound: str
    prevalence: float
    people: int
    mechanisms: tuple[MechanismCost, ...]
    left_out: tuple[str, ...]

    def to_dict(self) -> Json:
        """Write the comparison for JSON."""
        return json_of(self, "bound prevalence people designs=mechanisms left_out")

    def _frame(self) -> Any:
        costs = [cost.to_dict() for cost in self.mechanisms]
        return [{key: cost[key] for key in cost if key != "mechanism"} for cost in costs]

    def _table(self) -> Listing:
        title = f"{self.bound}; {self.people:,} people, {100 * self.prevalence:g} % of them say yes"
        out = [f"cannot keep it: {', '.join(self.left_out)}"] if self.left_out else []
        return title, _HEAD, [_cells(cost) for cost in self.mechanisms], out

    def _chart(self) -> Chart:
        """Describe the effective sample size of each mechanism, the most precise on top."""
        names = [cost.description for cost in self.mechanisms]
        sizes = [cost.effective_sample_size for cost in self.mechanisms]
        label = f"effective sample size of {self.people:,} people, {self.bound}"
        axis = Axis(name="effective sample size", label=label)
        return bars_chart(names, sizes, [f"{size:,.0f}" for size in sizes], axis)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _cells(cost: MechanismCost) -> list[str]:
    loss = (
        "∞" if math.isinf(cost.epsilon) else f"{math.ceil(1000 * cost.epsilon - 1e-9) / 1000:.3f}"
    )
    odds = "∞" if cost.odds == math.inf else f"{math.ceil(100 * cost.odds) / 100:.2f}"
    guessed = f"{math.ceil(1000 * cost.guess_probability) / 10:.1f} %"
    size = cost.effective_sample_size
    people = f"{size:,.0f}" if size >= 10 else number(size, 2)
    return [cost.description, odds, loss, guessed, number(cost.variance, 3), people]


@checked
def compare_mechanisms(
    *,
    epsilon: object = None,
    ratio: object = None,
    advantage: object = None,
    odds: object = None,
    prevalence: float = 0.1,
    people: int = 1_000,
) -> MechanismComparison:
    r"""Variance and effective sample size of named mechanisms at equal protection.

    Each mechanism for two answers is a family with one free number (the harmless share of the
    unrelated question is 1/4; Kuk's people draw three cards, Christofides' cards have three marks;
    a quarter of all abstain). It is set as truthful as the bound allows, judged exactly, in
    thousandths (below a tenth in millionths), and the variance is

    .. math:: n \operatorname{Var}(\hat\pi) = \Bigl(\sum_r \frac{(q_{1r} - q_{2r})^2}
              {\pi q_{1r} + (1 - \pi) q_{2r}}\Bigr)^{-1}

    with q the chances of the reports and π the share of the sensitive answer.

    Two mechanisms have another. ``unrelated_pairs`` is the unrelated question in two equal samples,
    since nobody knows the harmless share h; the second is asked the harmless question alone, which
    costs no respondent anything:

    .. math:: n \operatorname{Var}(\hat\pi) = \frac{2}{p^2} \bigl[\lambda (1 - \lambda)
              + (1 - p)^2\, h (1 - h)\bigr], \qquad \lambda = p \pi + (1 - p) h

    Its odds and guesses are those of who does not know the harmless answer; for whoever does, no ε
    is finite. ``hidden`` asks of two sensitive traits at once, each of which π of all have
    independently of the other; its variance is that of the share of one of them, and its odds are
    those of having just what is reported against neither, 1/h for a class of share h: 3 at the
    least.

    Parameters
    ----------
    epsilon, ratio : number, optional
        A bound on the loss of local differential privacy, or e to it. Mechanisms under which some
        report rules the sensitive answer out keep none.
    advantage : probability, optional
        A bound on how much better than chance a report tells the two answers apart.
    odds : number above 1, optional
        A bound on how many times a report multiplies the odds of the sensitive answer: what a
        respondent who has it risks. Every mechanism can keep it.
    prevalence : float
        π, in (0, 1).
    people : int
        How many are asked.

    Raises
    ------
    InputError
        If nothing is bounded or a number is outside its range.

    References
    ----------
    Leysieffer & Warner (1976), for the odds as the measure of jeopardy; Greenberg, Abul-Ela,
    Simmons & Horvitz (1969), for two samples; Tian, Yu, Tang & Geng (2007), for hidden sensitivity.

    >>> from askance.design import compare_mechanisms
    >>> for cost in compare_mechanisms(odds=3, prevalence=0.1).mechanisms[:3]:
    ...     print(cost.description, round(cost.effective_sample_size))
    mangat: truth_if_no 0.666 166
    one_sided: forced_yes 0.334 166
    triangular: harmless 0.334 166
    """
    people = read_integer(people, "people", "a number of people in [1, ∞)")
    bounds, max_odds = _bounds(epsilon, ratio, advantage, odds)
    conditions = [bounds.description] if bounds else []
    conditions += [f"odds × {float(max_odds):g} at most"] if max_odds else []
    recipes = {name: _find_most_truthful(name, bounds, max_odds) for name in _FAMILIES}
    costs = (
        _cost(name, recipe, prevalence, people)
        for name, recipe in recipes.items()
        if recipe is not None
    )
    return MechanismComparison(
        bound=", ".join(conditions),
        prevalence=prevalence,
        people=people,
        mechanisms=tuple(sorted(costs, key=lambda cost: round(cost.variance, 9))),
        left_out=tuple(name for name, recipe in recipes.items() if recipe is None),
    )


def _bounds(
    epsilon: object, ratio: object, advantage: object, odds: object
) -> tuple[Bounds | None, Fraction | None]:
    if epsilon is ratio is advantage is odds is None:
        raise InputError(
            "compare_mechanisms", got="no bound", allowed="one on epsilon, ratio, advantage or odds"
        )
    if odds is None:
        return Bounds(epsilon=epsilon, ratio=ratio, advantage=advantage), None
    max_odds = read_ratio(odds, "odds")
    if max_odds <= 1:
        raise InputError("odds", got=str(odds), allowed="a number above 1")
    if epsilon is ratio is advantage is None:
        return None, max_odds
    return Bounds(epsilon=epsilon, ratio=ratio, advantage=advantage), max_odds


def _find_most_truthful(
    name: str, bounds: Bounds | None, max_odds: Fraction | None
) -> AbstractMechanism | None:
    """The most truthful mechanism of a family that keeps the bounds."""
    family = _FAMILIES[name]

    def keeps(truth: Fraction) -> bool:
        channel = _channel(recipe := family(truth))
        within_bounds = bounds is None or bounds.kept_by(_guarantees(name, recipe, channel))
        return within_bounds and (max_odds is None or _max_odds_factor(channel) <= max_odds)

    low = 0
    for parts in _PARTS:
        low, high = 0, parts
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if keeps(Fraction(middle, parts)) else (low, middle)
        if low >= _ENOUGH:
            break
    return family(Fraction(low, parts)) if low else None


def _channel(recipe: AbstractMechanism) -> Channel:
    return recipe.channel(_TRAITS if isinstance(recipe, HiddenSensitivity) else _YES_NO)


def _guarantees(
    name: str, recipe: AbstractMechanism, channel: Channel
) -> tuple[Guarantee, Guarantee]:
    """The local loss, against those who know the harmless answer, and the advantage."""
    informed_channel = channel
    if name == "unrelated_pairs":
        assert isinstance(recipe, UnrelatedQuestion)
        informed_channel = unknown_harmless_share(recipe.sensitive_chance, _YES_NO)
    return local_loss(informed_channel), advantage_of(channel)


def _max_odds_factor(channel: Channel) -> Fraction | float:
    """How many times a report multiplies the odds of an answer against the last."""
    assert channel.table is not None
    *sensitive, last = channel.table.rows
    return max(factor for row in sensitive for factor in _ratios(row, last))


def _ratios(yes: tuple[int, ...], no: tuple[int, ...]) -> Iterator[Fraction | float]:
    for yes_units, no_units in zip(yes, no, strict=True):
        if yes_units:
            yield Fraction(yes_units, no_units) if no_units else math.inf


def _cost(name: str, recipe: AbstractMechanism, prevalence: float, people: int) -> MechanismCost:
    channel = _channel(recipe)
    local, gain = _guarantees(name, recipe, channel)
    share = float(shares_of(prevalence, 2)[0])
    variance = _variance(name, recipe, share)
    return MechanismCost(
        mechanism=recipe,
        channel=channel,
        epsilon=local.epsilon if local.value != math.inf else math.inf,
        odds=_max_odds_factor(channel),
        guess_probability=(1 + Fraction(gain.value)) / 2,
        variance=variance,
        effective_sample_size=people * share * (1 - share) / variance,
        description=_describe_named(name, recipe),
    )


def _describe_named(name: str, recipe: AbstractMechanism) -> str:
    if name != "unrelated_pairs":
        return describe_mechanism(recipe)
    assert isinstance(recipe, UnrelatedQuestion)
    asked, harmless = float(recipe.sensitive_chance), float(recipe.harmless)
    return f"{name}: asked ({asked:g}, 0), harmless {harmless:g}"


def _variance(name: str, recipe: AbstractMechanism, share: float) -> float:
    """Of the estimated share of the trait, times the number of people."""
    if name == "unrelated_pairs":
        assert isinstance(recipe, UnrelatedQuestion)
        p, h = float(recipe.sensitive_chance), float(recipe.harmless)
        yes_share = p * share + (1 - p) * h
        return 2 * (yes_share * (1 - yes_share) + (1 - p) ** 2 * h * (1 - h)) / p**2
    channel = _channel(recipe)
    if len(channel.frame) == 2:
        return spread(channel, share).variance(1)
    marginal = np.array([share, 1 - share])
    covariance = fisher_covariance(
        identifying(channel).rows, np.outer(marginal, marginal).ravel(), 1.0
    )
    return float(covariance[:2, :2].sum())
