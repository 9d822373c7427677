"""Invented range-valued data of the kinds that surveys and inspections give."""

import numpy as np
from numpy.typing import NDArray

KINDS = ("case1", "case2", "cells", "mixed", "visits", "grid", "progressive", "ring", "unions")
CUTS = {"case1": 1, "progressive": 1, "cells": 4, "unions": 4}
TOP, STEPS = 14.0, 200
Array = NDArray[np.float64]


def numbers(rng: np.random.Generator, n: int) -> Array:
    """Draw unseen numbers: a mixture of two Weibull laws."""
    early = 3.5 * rng.weibull(2.0, n)
    return np.where(rng.random(n) < 0.6, early, 9.5 * rng.weibull(6.0, n))


def cell(y: Array, cuts: Array) -> tuple[Array, Array]:
    """Tell which cell between its own sorted cuts holds each number."""
    ends = np.pad(cuts, ((0, 0), (1, 1)), constant_values=((0, 0), (-np.inf, np.inf)))
    piece, row = (y[:, None] > cuts).sum(axis=1), np.arange(len(y))
    return ends[row, piece], ends[row, piece + 1]


def visited(rng: np.random.Generator, y: Array) -> tuple[Array, Array]:
    """Look in at random times until the number is passed or a last visit at a random time."""
    low, high = np.full(len(y), -np.inf), np.full(len(y), np.inf)
    last, time, live = 4 + 16 * rng.random(len(y)), np.zeros(len(y)), np.arange(len(y))
    while len(live):
        time[live] += rng.exponential(size=len(live))
        live = live[time[live] <= last[live]]
        passed = time[live] >= y[live]
        high[live[passed]] = time[live[passed]]
        live = live[~passed]
        low[live] = time[live]
    never = np.isinf(low) & np.isinf(high)
    early = never & (y <= last)
    high[early] = last[early]
    low[never & ~early] = last[never & ~early]
    return low, high


def either(rng: np.random.Generator, y: Array, cuts: Array) -> tuple[Array, Array]:
    """Tell two cells between its own sorted cuts, one of which holds the number."""
    ends = np.pad(cuts, ((0, 0), (1, 1)), constant_values=((0, 0), (-np.inf, np.inf)))
    piece, row = (y[:, None] > cuts).sum(axis=1), np.arange(len(y))[:, None]
    other = (piece + rng.integers(1, ends.shape[1] - 1, len(y))) % (ends.shape[1] - 1)
    pair = np.sort(np.stack([piece, other], axis=1), axis=1)
    return ends[row, pair].ravel(), ends[row, pair + 1].ravel()


def make(
    kind: str, n: int, seed: int, exact: float = 0.3
) -> tuple[Array, Array, NDArray[np.int64]]:
    """Give pieces ``(lower, upper]``, equal ends for an exact number, and pieces per range."""
    rng = np.random.default_rng([seed, KINDS.index(kind), n])
    y, ones = numbers(rng, n), np.ones(n, dtype=np.int64)
    cuts = np.sort(TOP * rng.random((n, CUTS.get(kind, 2))))
    if kind == "grid":
        cuts = np.rint(cuts / TOP * STEPS).clip(1, STEPS)
        cuts[:, 1] += cuts[:, 0] == cuts[:, 1]
        cuts *= TOP / STEPS
    if kind == "unions":
        return *either(rng, y, cuts), 2 * ones
    low, high = visited(rng, y) if kind == "visits" else cell(y, cuts)
    if kind == "mixed":
        is_exact = rng.random(n) < exact
        low, high = np.where(is_exact, y, low), np.where(is_exact, y, high)
    if kind == "progressive":
        inner = np.maximum(low, 0) + rng.random(n) * (
            np.minimum(high, 2 * TOP) - np.maximum(low, 0)
        )
        low, high = np.where(y > inner, inner, low), np.where(y > inner, high, inner)
    if kind != "ring":
        return low, high, ones
    outside = (rng.random(n) < 0.5) & ((y <= cuts[:, 0]) | (y > cuts[:, 1]))
    first = np.cumsum(1 + outside) - 1 - outside
    lower, upper = np.full((2, n + outside.sum()), np.inf)
    lower[first], upper[first] = (
        np.where(outside, -np.inf, low),
        np.where(outside, cuts[:, 0], high),
    )
    lower[first[outside] + 1] = cuts[outside, 1]
    return lower, upper, ones + outside


if __name__ == "__main__":
    for name in KINDS:
        data = make(name, 1_000, 1)
        print(f"{name}: {len(data[0])} pieces, {np.mean(np.isfinite(data[0])):.2f} with lower ends")
