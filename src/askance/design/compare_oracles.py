"""Compare frequency oracles at one local loss: squared error, bytes and computation."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from askance.channels.abstract_oracle import MOST_ANSWERS, AbstractOracle
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.oracles import KAryOracle
from askance.chart import Axis, Chart, bars_chart, chart_frame, draw_result
from askance.mechanisms.frequency_oracles import (
    HadamardResponse,
    LocalHashing,
    ProjectiveGeometry,
    SubsetSelection,
    UnaryEncoding,
)
from askance.mechanisms.randomised_response import AbstractMechanism, KAry
from askance.privacy.guarantee import Guarantee
from askance.privacy.losses import local_loss, shafer_loss, walley_loss
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
from askance_collect.exact.level import loss_bound
from askance_collect.exact.ratio import just_below, read_integer

_AS_GOOD = 1.02
"""Squared errors within a fiftieth of the least count as equal: then cost decides."""

_COLUMNS = "oracle bytes client counting standard_error squared_error epsilon shafer walley"
_HEAD = [
    "oracle",
    "bytes",
    "client",
    "counting",
    "rare ±",
    "squared error",
    "ε",
    "Shafer",
    "Walley",
]

_STEPS = {
    "kary": ("1", "n + k"),
    "hadamard": ("log k", "n + k log k"),
    "projective": ("log k", "n + k log k"),
    "unary": ("k", "n·k"),
    "subset": ("k", "n·k"),
    "hash": ("1", "n·k"),
}
"""Steps for a report where it is made, and for all reports where they are counted."""

_DEAR = ["n + k", "n + k log k", "n·k"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OracleCost:
    """A frequency oracle at a level: its error, its losses, and its cost in bytes and steps.

    Attributes
    ----------
    label : str
        The oracle, as the table calls it.
    mechanism : AbstractMechanism
        The recipe, ready for ``.channel(frame)``.
    standard_error : float
        Of the unbiased estimate of a share near 0.
    squared_error : float
        Expected, summed over all answers; the same whatever the shares.
    bytes : int
        What a report takes; k-ary response's as the number of its answer.
    client_cost, server_cost : str
        The order of steps for one report, and for all n, in k answers.
    guarantees : tuple of Guarantee
        Local, Shafer's and Walley's loss.

    >>> from askance.design import compare_oracles
    >>> compare_oracles(answers=1000, people=10**6, ratio=3).best.cells[:4]
    ('projective geometry', '2', 'log k', 'n + k log k')
    """

    label: str
    mechanism: AbstractMechanism
    standard_error: float
    squared_error: float
    bytes: int
    client_cost: str
    server_cost: str
    guarantees: tuple[Guarantee, ...]

    def to_dict(self) -> Json:
        """Write it for JSON; an infinite loss becomes None."""
        named = {"name": self.mechanism.name, **self.mechanism.parameters()}
        epsilons = (guarantee.epsilon for guarantee in self.guarantees)
        losses: Json = plain_json(dict(zip(("epsilon", "shafer", "walley"), epsilons, strict=True)))
        return {"oracle": self.label, "mechanism": named} | json_of(self, _COSTS) | losses

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in a table."""
        errors = (f"{error:.3g}" for error in (self.standard_error, self.squared_error))
        losses = (_format_loss(guarantee) for guarantee in self.guarantees)
        return (self.label, f"{self.bytes:,}", self.client_cost, self.server_cost, *errors, *losses)


_COSTS = "bytes client=client_cost counting=server_cost standard_error squared_error"


def _format_loss(guarantee: Guarantee) -> str:
    if guarantee.value == math.inf:
        return "∞"
    return f"{math.ceil(1000 * guarantee.epsilon - 1e-6) / 1000:,.3f}"


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OracleComparison:
    """Frequency oracles that keep the same local loss, the recommended one first.

    Attributes
    ----------
    answers, people : int
        k and n.
    oracles : tuple of OracleCost
    reason : str
        Why the first is first.

    >>> from askance.design import compare_oracles
    >>> compare_oracles(answers=3, people=1000, ratio=3).reason
    'k-ary response first: it has the least squared error'
    """

    answers: int
    people: int
    oracles: tuple[OracleCost, ...]
    reason: str

    @property
    def best(self) -> OracleCost:
        """The recommended oracle."""
        return self.oracles[0]

    def to_dict(self) -> Json:
        """Write the comparison for JSON."""
        return json_of(self)

    def _frame(self) -> Any:
        costs = [oracle.to_dict() for oracle in self.oracles]
        return [{key: cost[key] for key in _COLUMNS.split()} for cost in costs]

    def _table(self) -> Listing:
        title = f"{self.people:,} reports on {self.answers:,} answers"
        return title, _HEAD, [oracle.cells for oracle in self.oracles], [self.reason]

    def _chart(self) -> Chart:
        """Describe the standard error of a rare answer by each oracle, with the bytes it takes."""
        errors = [oracle.standard_error for oracle in self.oracles]
        notes = [f"{number(row.standard_error, 3)}; {row.bytes:,} bytes" for row in self.oracles]
        asked = f"{self.people:,} reports on {self.answers:,} answers"
        axis = Axis(name="standard error", label=f"standard error of a share near 0; {asked}")
        return bars_chart([oracle.label for oracle in self.oracles], errors, notes, axis)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def compare_oracles(
    *,
    answers: int,
    people: int,
    epsilon: object = None,
    ratio: object = None,
    max_bytes: int | None = None,
) -> OracleComparison:
    r"""Set frequency oracles side by side at one level: error, bytes, steps and losses.

    With p* and q* the chances that a report leaves possible the true answer, and a certain other
    one, the unbiased estimate of the share f of those who report has the variance

    .. math:: \frac{q^*(1 - q^*)}{n (p^* - q^*)^2} + f \frac{1 - p^* - q^*}{n (p^* - q^*)},

    whose sum over all answers does not depend on the shares. The least sum comes first; of those
    within a fiftieth of it, whatever is counted in fewest steps, and then the shortest report.

    Parameters
    ----------
    answers : int
        k, from 2 to 2^24.
    people : int
        n, how many reports will come.
    epsilon : number, optional
        ε in (0, 12], which all keep.
    ratio : number, optional
        e^ε instead, exactly.
    max_bytes : int, optional
        Leave out what takes more bytes a report.

    Raises
    ------
    InputError
        If a number is outside its range, or no report is so short.

    References
    ----------
    Wang, Blocki, Li & Jha (2017), the variance of a pure protocol.

    >>> from askance.design import compare_oracles
    >>> best = compare_oracles(answers=1000, people=100_000, epsilon=1).best
    >>> best.label, best.bytes, round(best.standard_error, 5)
    ('projective geometry', 2, 0.00607)
    """
    allowed = "a whole number from 2 to 2^24"
    k = read_integer(answers, "compare_oracles.answers", allowed, 2, MOST_ANSWERS)
    n = read_integer(people, "compare_oracles.people", "a whole number from 1 to 2^53", 1, 2**53)
    level = just_below(loss_bound(epsilon, ratio))
    oracles = [
        _judge_oracle(name, recipe, frame, n) for name, recipe, frame in _candidates(level, k)
    ]
    if max_bytes is not None:
        max_bytes = read_integer(max_bytes, "compare_oracles.max_bytes", "a whole number of bytes")
        oracles = _keep_short(oracles, max_bytes)
    ranked = _rank_oracles(oracles)
    return OracleComparison(
        answers=k, people=n, oracles=tuple(ranked), reason=_explain_first(ranked[0], ranked)
    )


def _candidates(level: Fraction, k: int) -> list[tuple[str, AbstractMechanism, Frame]]:
    """List each oracle with its best parameters at e^ε, on k answers."""
    frame = Frame([f"answer {i}" for i in range(k)])
    recipes: dict[str, AbstractMechanism] = {
        "k-ary response": KAry(truth=level / (level + k - 1)),
        "unary, optimised": UnaryEncoding.at_epsilon(ratio=level),
        "unary, symmetric": UnaryEncoding.at_epsilon(ratio=level, symmetric=True),
        "subset selection": SubsetSelection(ratio=level),
        "Hadamard response": HadamardResponse(truth=level / (level + 1)),
        "projective geometry": ProjectiveGeometry(ratio=level),
        "local hashing": LocalHashing(ratio=level),
    }
    return [(name, recipe, frame) for name, recipe in recipes.items()]


def _judge_oracle(name: str, recipe: AbstractMechanism, frame: Frame, people: int) -> OracleCost:
    if isinstance(recipe, KAry):  # of few answers it would write a matrix
        oracle = KAryOracle(answers=len(frame), truth=recipe.truth)
        channel = Channel.from_oracle(frame, oracle)
    else:
        channel = recipe.channel(frame)
    assert channel.oracle is not None
    rare, total = _error_variances(channel.oracle, people)
    client, counting = _STEPS[channel.oracle.name]
    return OracleCost(
        label=name,
        mechanism=recipe,
        standard_error=math.sqrt(rare),
        squared_error=float(total),
        bytes=_report_bytes(channel.oracle),
        client_cost=client,
        server_cost=counting,
        guarantees=(local_loss(channel), shafer_loss(channel), walley_loss(channel)),
    )


def _error_variances(oracle: AbstractOracle, people: int) -> tuple[Fraction, Fraction]:
    """The variance of a rare share, and the sum of all variances."""
    p, q = oracle.true_positive_rate, oracle.false_positive_rate
    rare = q * (1 - q) / (p - q) ** 2 / people
    return rare, oracle.answers * rare + (1 - p - q) / (p - q) / people


def _report_bytes(oracle: AbstractOracle) -> int:
    if oracle.reports is None:
        return -(-oracle.answers // 8)
    return -(-(oracle.reports - 1).bit_length() // 8)


def _keep_short(oracles: list[OracleCost], max_bytes: int) -> list[OracleCost]:
    short = [oracle for oracle in oracles if oracle.bytes <= max_bytes]
    if not short:
        fewest_bytes = min(oracle.bytes for oracle in oracles)
        raise InputError(
            "compare_oracles.max_bytes",
            got=max_bytes,
            allowed=f"{fewest_bytes} or more, the shortest report",
        )
    return short


def _rank_oracles(oracles: list[OracleCost]) -> list[OracleCost]:
    """Put those as good as the best first, the cheapest of them on top; then the others."""
    least_error = min(oracle.squared_error for oracle in oracles)

    def key(oracle: OracleCost) -> tuple[float, ...]:
        good = oracle.squared_error <= least_error * _AS_GOOD
        cost = (float(_DEAR.index(oracle.server_cost)), float(oracle.bytes))
        return (0.0, *cost, oracle.squared_error) if good else (1.0, oracle.squared_error, *cost)

    return sorted(oracles, key=key)


def _explain_first(first: OracleCost, ranked: list[OracleCost]) -> str:
    """Say why the first is first."""
    finest = min(ranked, key=lambda oracle: oracle.squared_error)
    if finest is first:
        return f"{first.label} first: it has the least squared error"
    over = number(100 * (first.squared_error / finest.squared_error - 1), 2)
    return (
        f"{first.label} first: its squared error is {over} % over the least, that of "
        f"{finest.label}; it takes {_describe_cost(first)} in place of {_describe_cost(finest)}"
    )


def _describe_cost(oracle: OracleCost) -> str:
    unit = "byte" if oracle.bytes == 1 else "bytes"
    return f"{oracle.bytes:,} {unit} a report and {oracle.server_cost} steps of counting"
