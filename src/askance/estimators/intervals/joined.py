"""What the most likely distribution becomes when imagined people join who tell but a side."""

import numpy as np

from askance.channels.identification import Selection
from askance.channels.ranges import Ranges
from askance.estimators.intervals.close_fit import tolerance
from askance.estimators.outcome import Outcome
from askance.estimators.ranges.distribution import Distribution
from askance.estimators.ranges.inclusion import steps, weighed
from askance.estimators.ranges.npmle import one_fit
from askance.typing import Floats

_ROUNDS = 50
_SAME = 1e-8  # a ratio that has settled


def joined(
    ranges: Ranges, said: tuple[float, float], people: float, selection: Selection | None = None
) -> Distribution:
    """Fit ranges and so many people more, who are drawn from all and tell one range that can be.

    Where some numbers are heard of more often than others, the crowd is not chosen so:
    b log F(said) is added to the adjusted likelihood.
    """
    if selection is None:
        more, tol = _with(ranges, [said], people), tolerance(ranges.total)
        fit = one_fit(more, tol)
        return _distribution(fit.lower, fit.upper, fit.mass, more.total, (fit.gap, tol))
    return _of_all(_with(ranges, _heard(said, selection), people), ranges.total, selection)


def can_join(said: tuple[float, float], selection: Selection | None) -> bool:
    """Say whether anybody in a range can be heard of, so that a crowd may tell it."""
    return selection is None or bool(_heard(said, selection))


def _of_all(more: Ranges, heard: float, selection: Selection) -> Distribution:
    """Fit ranges of which the last is told by people drawn from all, heard of or not.

    In masses h of any size n log Σ s h + b log Σ h is taken off Σ w log h(R). Both logarithms are
    replaced by their tangents until these settle (Lange, Hunter & Yang, 2000); every round is as
    `adjusted`, with prices between s and 1.
    """
    places, tol = steps(more, selection), tolerance(heard)
    runs, mass = places.runs(more), places.start(more)
    part, ratio, gap = heard / more.total, 0.0, np.inf
    for _ in range(_ROUNDS):
        before, ratio = ratio, float(mass.sum() / (places.price @ mass))
        if abs(ratio - before) <= _SAME * ratio:
            break
        mass, gap = weighed(runs, part * places.price + (1 - part) / ratio, mass, tol)
    kept = mass > 0
    return _distribution(places.lower[kept], places.upper[kept], mass[kept], more.total, (gap, tol))


def _distribution(
    lower: Floats, upper: Floats, mass: Floats, n: float, closeness: tuple[float, float]
) -> Distribution:
    gap, tol = closeness
    return Distribution(
        lower=lower,
        upper=upper,
        mass=mass / mass.sum(),
        n=n,
        gap=max(gap, 0.0),
        method="most likely distribution, with a crowd",
        outcome=Outcome.CONVERGED if gap <= tol else Outcome.STOPPED,
    )


def _heard(said: tuple[float, float], selection: Selection) -> list[tuple[float, float]]:
    """Leave out of a range what is beyond the line, and those of whom nobody is ever heard."""
    first, last = np.clip(said, selection.ends[0], selection.ends[-1]).tolist()
    edges = [first, *np.clip(selection.unseen, first, last).ravel().tolist(), last]
    return [(low, high) for low, high in zip(edges[::2], edges[1::2], strict=True) if low < high]


def _with(ranges: Ranges, pieces: list[tuple[float, float]], people: float) -> Ranges:
    """Add one range of one or more pieces."""
    low, high = zip(*pieces, strict=True)
    plain = ranges.plain and len(pieces) == 1
    return Ranges(
        np.append(ranges.lower, low),
        np.append(ranges.upper, high),
        np.append(ranges.weights, people),
        pieces=None if plain else np.append(np.diff(ranges.starts), len(pieces)),
    )
