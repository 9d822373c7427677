"""The columns to choose from, in the form that every utility needs."""

from dataclasses import dataclass
from itertools import product
from math import isfinite
from typing import final

import numpy as np

from askance.design.optimum.columns import extremal_columns
from askance.design.optimum.limits import Limits
from askance.design.optimum.utility import contrasts
from askance.design.solver.moment import Block
from askance.errors import InputError
from askance.typing import Floats, Integers

_MOST_CLASSES = 8_000  # more are not listed


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Columns, or classes of columns that are alike up to the order of answers.

    Attributes
    ----------
    columns : array, shape (n, k)
        A column, or one of each class.
    balance : array, shape (n, g)
        What each adds to the sums of the rows, which have to be one.
    caps : array, shape (n, c)
        What each adds to the distances between rows.
    limits : array, shape (c,)
    groups : array of int, shape (k,)
        Which answers are alike; all different if columns are listed one by one.
    """

    columns: Floats
    balance: Floats
    caps: Floats
    limits: Floats
    groups: Integers

    @property
    def equations(self) -> tuple[Floats, Floats]:
        """The equations with a slack for each cap: left side by column, and right side."""
        n, c = len(self.columns), len(self.limits)
        left = np.zeros((self.balance.shape[1] + c, n + c))
        left[: self.balance.shape[1], :n] = self.balance.T
        left[self.balance.shape[1] :, :n] = self.caps.T
        left[self.balance.shape[1] :, n:] = np.eye(c)
        return left, np.concatenate([np.ones(self.balance.shape[1]), self.limits])

    @property
    def alike(self) -> bool:
        """Whether all answers are alike and no distance is bounded: then one class is best."""
        return self.balance.shape[1] == 1 and not len(self.limits)

    def blocks(self, shares: Floats) -> list[Block]:
        """Give the information on contrasts, by column and slack, at shares alike within groups.

        One block for the groups as wholes, and one for each group's inside, which stands there once
        for each of its contrasts.
        """
        rows = self.columns - self.columns.min(axis=1, keepdims=True)
        chance = self.columns @ shares
        sizes = np.bincount(self.groups)
        wholes = np.zeros((len(self.groups), len(sizes)))
        wholes[np.arange(len(self.groups)), self.groups] = 1 / np.sqrt(sizes[self.groups])
        basis = _across(sizes)
        parts = [((rows @ wholes @ basis) / np.sqrt(chance)[:, None], 1)]
        for group in np.flatnonzero(sizes > 1):
            inside = rows[:, self.groups == group]
            spread = inside.var(axis=1) * sizes[group] / (sizes[group] - 1)
            parts.append((np.sqrt(spread / chance)[:, None], int(sizes[group]) - 1))
        c = len(self.limits)
        return [
            Block(features=np.vstack([part, np.zeros((c, part.shape[1]))]), times=times)
            for part, times in parts
            if part.shape[1]
        ]


def all_columns(limits: Limits) -> Candidates:
    """List every extremal column."""
    columns = extremal_columns(limits)
    caps = [
        np.abs(
            float(cap.first_weight) * columns[:, cap.pair[0]]
            - float(1 - cap.first_weight) * columns[:, cap.pair[1]]
        )
        for cap in limits.caps
    ]
    return Candidates(
        columns=columns,
        balance=columns,
        caps=np.array(caps).reshape(len(caps), len(columns)).T,
        limits=np.array([float(cap.limit) for cap in limits.caps]),
        groups=np.arange(len(limits.frame)),
    )


def classes(limits: Limits, groups: Integers) -> Candidates:
    """List the staircase columns up to the order of answers within groups.

    Every class is used evenly: all its columns with one chance. By symmetry and concavity nothing
    better is lost, where constraints treat all answers alike and guesses those of a group.

    Raises
    ------
    InputError
        If constraints treat answers differently, or there are too many classes.
    """
    sizes = np.bincount(groups)
    if not limits.symmetric or many(groups):
        different = f"shares of {len(sizes)} sizes"
        raise InputError(
            "optimal_channel",
            got=f"{len(groups)} answers, {different if limits.symmetric else 'treated unlike'}",
            allowed="more than 12 answers only where constraints treat all alike and guesses have "
            "few different shares",
            remedy="round the guesses to two or three different shares",
        )
    ratio = float(limits.common_ratio or 1)
    low, high = (1.0, ratio) if isfinite(ratio) else (0.0, 1.0)
    counts = np.array(list(product(*(range(size + 1) for size in sizes))))
    inside = counts.sum(axis=1)
    flat = (inside > 0) if limits.caps else (inside > 0) & (inside < len(groups))
    counts = counts[flat]
    rank = np.array([int((groups[:at] == groups[at]).sum()) for at in range(len(groups))])
    columns = np.where(rank[None, :] < counts[:, groups], high, low)
    scale = columns.mean(axis=1, keepdims=True)
    columns = columns / scale
    share = counts / sizes
    caps, bounds = _apart(counts, sizes, (high - low) / scale, limits)
    return Candidates(
        columns=columns,
        balance=(low + (high - low) * share) / scale,
        caps=caps,
        limits=bounds,
        groups=groups,
    )


def many(groups: Integers) -> bool:
    """Say whether there are too many classes to list.

    >>> many(np.repeat([0, 1], 32)), many(np.arange(64))
    (False, True)
    """
    return float(np.prod(np.bincount(groups) + 1.0)) > _MOST_CLASSES


def _apart(
    counts: Integers, sizes: Integers, height: Floats, limits: Limits
) -> tuple[Floats, Floats]:
    """Give half the mean distance between two answers of each pair of groups."""
    if not limits.caps:
        return np.zeros((len(counts), 0)), np.zeros(0)
    found = []
    for i, j in product(range(len(sizes)), repeat=2):
        if i < j:
            one, two = counts[:, i] / sizes[i], counts[:, j] / sizes[j]
            found.append(one * (1 - two) + two * (1 - one))
        elif i == j and sizes[i] > 1:
            found.append(2 * counts[:, i] * (sizes[i] - counts[:, i]) / (sizes[i] * (sizes[i] - 1)))
    apart = np.array(found).T * height / 2
    return apart, np.full(apart.shape[1], float(limits.caps[0].limit))


def _across(sizes: Integers) -> Floats:
    """Give an orthonormal basis of what is orthogonal to the whole, in units of the groups."""
    g = len(sizes)
    if np.all(sizes == 1):
        return contrasts(g)
    whole = np.sqrt(sizes / sizes.sum())
    basis: Floats = np.linalg.svd(whole[None, :])[2][1:].T
    return basis
