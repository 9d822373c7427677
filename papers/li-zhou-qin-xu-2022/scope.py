"""The names that calls of this paper's claims use."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

from remaking import Scope, script

import askance as ak

tradeoffs, estimation = (
    script("li-zhou-qin-xu-2022", name) for name in ("tradeoffs", "estimation")
)
YES_NO = ak.Frame(["yes", "no"])
MIXED = ak.Abstain(truth="3/5", lie="1/10")
Q = MIXED.channel(YES_NO)
NAMED = {"1": ["y0"], "2": ["y1"], "1 or 2": ["y0", "y1"]}


def evidence(*rows: tuple[int, int, int]) -> ak.Channel:
    """Read masses on {1}, {2} and {1, 2}, in hundredths."""
    frame, output = ak.Frame([f"x{i}" for i in range(len(rows))]), ak.Frame(["y0", "y1"])
    exact = [[Fraction(mass, 100) for mass in row] for row in rows]
    return ak.Channel(frame, NAMED, exact, output=output)


def vague(channel: ak.Channel) -> set[Fraction]:
    """Give the chances, by the answer, of a report that leaves both answers possible."""
    positions = [position for position, mask in enumerate(channel.meanings) if mask == 3]
    return {sum(channel.table.row(x)[position] for position in positions) for x in (0, 1)}


def ratios(rows: list[list[int]]) -> int:
    """Count the different ratios of chances that messages have; no ratio survives more."""
    return len(
        {
            Fraction(numerator, other) if other else math.inf
            for numerator, other in zip(*rows, strict=True)
        }
    )


def on_curve(corner: str) -> bool:
    """Say whether some Q_λ has the price of a corner of figure 5."""
    loss, variance = estimation.corners()[corner]
    points = estimation.curve()
    return any(
        abs(point_loss - loss) + abs(above - variance) < 1e-9 for point_loss, above in points
    )


def rising(values: list[float]) -> bool:
    """Say whether each number is larger than the one before."""
    return all(low < high for low, high in pairwise(values))


def ends(interval: Any) -> tuple[float, float]:
    """Give the ends of an interval, without the last digits."""
    return round(interval.low, 12), round(interval.high, 12)


SCOPE = Scope(
    {
        "optimist": lambda: (
            ak.privacy.Ledger()
            .spend(ak.Warner(truth="3/4").channel(YES_NO), 2)
            .tradeoff(view=ak.privacy.View.OPTIMISTIC)
        ),
        "limit": lambda: (
            ak.privacy.Ledger()
            .spend(ak.Abstain(truth="0.51", lie="0.48").channel(YES_NO), 2500)
            .gaussian(view=ak.privacy.View.PESSIMISTIC)
        ),
    },
    ak=ak,
    math=math,
    Fraction=Fraction,
    yn=YES_NO,
    m=MIXED,
    q=Q,
    narrow=evidence((45, 45, 10), (49, 49, 2)),
    alike=evidence((45, 45, 10), (45, 45, 10)),
    even=ak.Abstain(truth="2/5", lie="2/5").channel(YES_NO),
    warner=ak.Warner(truth="3/4").channel(YES_NO),
    half=ak.mechanisms.Redistribute(truth="3/5", lie="1/10", share="1/2").channel(YES_NO),
    few=ak.Tally(Q, {"no": 9, "don't know": 4}),
    from_warner=tradeoffs.from_warner,
    vague=vague,
    ratios=ratios,
    rising=rising,
    ends=ends,
    on_curve=on_curve,
    estimates=estimation.estimates,
    spread=estimation.spread,
    GRID=[i / 100 for i in range(101)],
)
