"""Integrals over the whole line that are refused where the tails make them infinite."""

from collections.abc import Callable
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from askance.channels.continuous import ContinuousLaw
from askance.design.cuts.panelled_law import integral
from askance.errors import InputError, NotIdentified
from askance.typing import Floats

_HALVES = 2.0 ** -np.arange(1, 1001)  # down to where doubles end
_ROUNDED = 40  # halves that 1 − p can still tell apart
_TRIFLE = 1e-17  # part of an integral that adding it no longer changes
_SMALL = 1e-4  # part of it before the last octave, so that one octave without weight ends no tail
_SETTLING = 0.97  # ratio of octaves from which a sum is taken to be infinite
_LAST = 20  # octaves that are asked for it
_EACH = 4  # panels an octave

Function = Callable[[Any], Any]


def share_above(law: ContinuousLaw) -> Function:
    """Give the function that says how much lies above a number, as finely as the law knows it.

    >>> from scipy import stats
    >>> float(share_above(stats.norm())(20)) > 0
    True
    """
    above: Function = law.sf if hasattr(law, "sf") else lambda u: 1 - law.cdf(u)
    return above


def panelled(law: ContinuousLaw, height: Function) -> tuple[Floats, Floats]:
    """Cut the line at the quantiles 2^-1, 2^-2, … of both tails and integrate between them.

    Octaves of a tail 1/y^α weigh in a constant ratio in the end. The integral is finite where that
    is below 1; it is refused from .97 up, where a thousand octaves do not show it.

    Returns
    -------
    edges : array, shape (c + 1,)
    mass : array, shape (c,)
        What a function that is nowhere negative has between them.

    Raises
    ------
    NotIdentified
        If the integral over a tail is infinite.
    InputError
        If the function is no number somewhere, or the law has no two quantiles to cut at.

    >>> from scipy import stats
    >>> edges, mass = panelled(stats.norm(), lambda u: stats.norm.pdf(u))
    >>> round(float(mass.sum()), 12)
    1.0
    """
    with catch_warnings():
        simplefilter("ignore")  # quantiles that overflow are left out by _sound
        near = law.ppf(_HALVES)
        far = law.isf(_HALVES) if hasattr(law, "isf") else law.ppf(1 - _HALVES[:_ROUNDED])
    lower = _tail(_sound(near, law.cdf), height, -1)
    upper = _tail(_sound(far, share_above(law)), height, 1)
    edges = np.unique(np.concatenate([lower, upper]))
    if len(edges) < 2:
        raise InputError("prior", got="steps", allowed="a law that is smooth between its ends")
    return edges, integral(height, edges[:-1], edges[1:])


def _sound(edges: Floats, beyond: Function) -> Floats:
    """Keep the quantiles up to where the law's own tail is lost to rounding."""
    sound = np.isclose(beyond(edges), _HALVES[: len(edges)], rtol=0.5, atol=0)
    return edges[: int(np.argmin(np.append(sound, False)))]


def _tail(edges: Floats, height: Function, side: int) -> Floats:
    """Follow a tail until no weight is left."""
    edges = edges[: int(np.argmin(np.append(side * np.diff(edges) > 0, False))) + 1]
    mass = np.abs(integral(height, edges[:-1], edges[1:]))
    if np.isnan(mass).any():
        raise InputError("slope", got="no number", allowed="finite numbers")
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = mass[1:] / np.maximum(mass[:-1], np.finfo(float).tiny)
        part = mass / np.maximum(np.cumsum(mass), np.finfo(float).tiny)
    light = np.flatnonzero((part[1:] < _TRIFLE) & (part[:-1] < _SMALL)) + 1
    heavy = not len(light) and ratio[-_LAST:].max(initial=0) > _SETTLING
    if heavy or not np.isfinite(mass).all():
        raise NotIdentified(
            "prior",
            got=f"{'an upper' if side > 0 else 'a lower'} tail too heavy",
            allowed="tails and a slope whose integral is finite",
            remedy="declare bounds, or learn quantiles instead",
        )
    edges = edges[: light[0] + 2] if len(light) else edges
    inner = edges[:-1, None] + np.diff(edges)[:, None] * np.arange(_EACH) / _EACH
    return np.append(inner.ravel(), edges[-1])
