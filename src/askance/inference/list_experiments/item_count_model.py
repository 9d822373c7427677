"""What a count in a list experiment depends on, and the likelihood that follows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb, log
from typing import final

import numpy as np
from scipy.special import expit, log_expit, logit

from askance.inference.climb import Top, ascend
from askance.inference.list_experiments.item_tally import ListAnswers
from askance.typing import Floats, Integers

_RARE = 0.05  # where chances of misreports and overdispersion start
_EDGE = 0.02  # how near 0 or 1 it is asked whether a chance is just as likely there
_ALIKE = 1e-6  # log-likelihoods that are as good


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a person may be, among those whose count was the same.

    Attributes
    ----------
    holds : int or None
        Whether the sensitive item holds; None where that has no say.
    others : int
        How many control items hold.
    marks : tuple of (str, int)
        Which kinds of misreport happened (1) or not (0).
    logarithm : float
        Of a further constant chance.
    """

    holds: int | None
    others: int
    marks: tuple[tuple[str, int], ...] = ()
    logarithm: float = 0.0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ItemCountModel:
    """What the chance of a count depends on.

    Attributes
    ----------
    items : int
        J, the number of control items.
    sensitive : tuple of str
        The M sensitive items.
    terms : tuple of str
        The c covariates.
    constrained : bool
        Whether the control items hold alike for people with and without the sensitive one.
    overdispersed : bool
        Whether the control count is beta-binomial.
    misreport : str
        How people depart from the truth.
    fixed : tuple of (str, int)
        Chances, among those that the model has, that are held at 0 or 1.
    """

    items: int
    sensitive: tuple[str, ...]
    terms: tuple[str, ...]
    constrained: bool
    overdispersed: bool
    misreport: str
    fixed: tuple[tuple[str, int], ...] = ()

    @property
    def blocks(self) -> tuple[str, ...]:
        """The linear predictors in the covariates."""
        control = ("control",) if self.constrained else ("control if not", "control if it holds")
        return (*self.sensitive, *control)

    @property
    def chances(self) -> tuple[str, ...]:
        """The parameters that no covariate moves, all logits of chances."""
        spread = {
            1: ("overdispersion",),
            2: ("overdispersion if not", "overdispersion if it holds"),
        }
        marks = {
            "none": (),
            "top": ("top",),
            "uniform": ("uniform, control", "uniform, treated"),
        }.get(self.misreport, tuple(self.misreport.split(" and ")))
        dispersed = spread[1 if self.constrained else 2] if self.overdispersed else ()
        return tuple(one for one in (*dispersed, *marks) if one not in dict(self.fixed))

    @property
    def names(self) -> tuple[str, ...]:
        """What each parameter multiplies, or is the logit of."""
        single = ("intercept", *self.terms)
        first = tuple(f"{block}: {term}" for block in self.blocks for term in single)
        return (*first, *(f"logit of {one}" for one in self.chances))

    def control_block(self, kind: Kind) -> int:
        """The linear predictor of a person's control count."""
        held = 0 if self.constrained or not kind.holds else 1
        return len(self.sensitive) + held

    def dispersion(self, kind: Kind) -> int | None:
        """The predictor of the overdispersion of a person's control count, if there is any."""
        if not self.overdispersed:
            return None
        names = self.chances
        wanted = "overdispersion"
        if not self.constrained:
            wanted += " if it holds" if kind.holds else " if not"
        return len(self.blocks) + names.index(wanted) if wanted in names else None

    def ways(self, arm: int, holds: int | None, others: int) -> Iterator[tuple[int, Kind]]:
        """Everything that a person may say."""
        most = self.items + (arm > 0)
        truth = others + (holds or 0 if arm else 0)
        if self.misreport == "uniform":
            mark = "uniform, treated" if arm else "uniform, control"
            lies = [(said, -float(np.log(most + 1))) for said in range(most + 1)]
        elif self.misreport == "top":
            mark, lies = "top", [(most, 0.0)]
        else:
            mark, lies = self._edge(arm, holds, others)
        for said, logarithm in lies:
            lie = ((mark, 1),)
            yield said, Kind(holds=holds, others=others, marks=lie, logarithm=logarithm)
        yield truth, Kind(holds=holds, others=others, marks=((mark, 0),) if lies else ())

    def _edge(
        self, arm: int, holds: int | None, others: int
    ) -> tuple[str, list[tuple[int, float]]]:
        """Who hides behind the edge of the list: the truth would show the sensitive item."""
        if arm and holds and others == self.items and "ceiling" in self.misreport:
            return "ceiling", [(self.items, 0.0)]
        if arm and holds and others == 0 and "floor" in self.misreport:
            return "floor", [(0, 0.0)]
        return "", []


@lru_cache(maxsize=1 << 10)
def kinds(model: ItemCountModel, arm: int, count: int) -> tuple[Kind, ...]:
    """Who may have said a count, having seen the list of an arm.

    >>> model = ItemCountModel(
    ...     items=2,
    ...     sensitive=("a",),
    ...     terms=(),
    ...     constrained=True,
    ...     overdispersed=False,
    ...     misreport="none",
    ... )
    >>> [(kind.holds, kind.others) for kind in kinds(model, 1, 2)]
    [(0, 2), (1, 1)]
    """
    holds = (None,) if arm == 0 and model.constrained else (0, 1)
    fixed = dict(model.fixed)
    return tuple(
        kind
        for z in holds
        for others in range(model.items + 1)
        for said, kind in model.ways(arm, z, others)
        if said == count and all(fixed.get(one, hit) == hit for one, hit in kind.marks)
    )


def binomial(others: int, items: int, eta: Floats) -> tuple[Floats, Floats, Floats]:
    """The logarithm of the binomial chance of a control count, its slope and curvature by η.

    >>> [part.tolist() for part in binomial(1, 1, np.zeros(1))]
    [[-0.6931471805599453], [0.5], [-0.25]]
    """
    h, left = expit(eta), items - others
    value = log(comb(items, others)) + others * log_expit(eta) + left * log_expit(-eta)
    return value, others - items * h, -items * h * expit(-eta)


Factors = tuple[Floats, Floats, Floats]
"""What the chance of a control count is a product of: (y, n), (J − y, n) and, below, (J, n)."""


def factors(others: int, items: int, eta: Floats, dispersion: Floats) -> Factors:
    r"""Factors of the beta-binomial chance of a control count, by h = logit⁻¹(η) and ρ.

    .. math:: \binom{J}{y} \frac{\prod_{k<y} (h (1-\rho) + k \rho)
              \prod_{k<J-y} ((1-h)(1-\rho) + k \rho)}{\prod_{k<J} (1 - \rho + k \rho)}

    ρ is the correlation of two items.

    >>> [part.tolist() for part in factors(1, 2, np.zeros(1), np.zeros(1))]
    [[[0.5]], [[0.5]], [[1.0], [1.0]]]
    """
    stay, k = 1 - dispersion, np.arange(items)[:, None] * dispersion
    return expit(eta) * stay + k[:others], expit(-eta) * stay + k[: items - others], stay + k


def logarithm(parts: Factors) -> Floats:
    """The logarithm of the chance.

    >>> np.exp(logarithm(factors(1, 2, np.zeros(1), np.zeros(1)))).tolist()
    [0.5]
    """
    a, b, c = parts
    ways = log(comb(len(c), len(a)))
    value: Floats = ways + np.log(a).sum(0) + np.log(b).sum(0) - np.log(c).sum(0)
    return value


def control_slopes(parts: Factors, eta: Floats, dispersion: Floats) -> tuple[Floats, Floats]:
    """Slope (n, 2) and curvature (n, 2, 2) of the logarithm of the chance, by η and ρ.

    >>> control_slopes(factors(1, 2, np.zeros(1), np.zeros(1)), np.zeros(1), np.zeros(1))[0]
    array([[ 0., -1.]])
    """
    (a, b, c), h, g, stay = parts, expit(eta), expit(-eta), 1 - dispersion
    up, down, every = (np.arange(len(part))[:, None] for part in parts)
    bend = h * g
    in_a, in_b, in_c = (up - h) / a, (down - g) / b, (every - 1) / c
    by_h = stay * ((1 / a).sum(0) - (1 / b).sum(0))
    slope = np.stack([by_h * bend, in_a.sum(0) + in_b.sum(0) - in_c.sum(0)], axis=1)
    hh = -(stay**2) * ((1 / a**2).sum(0) + (1 / b**2).sum(0))
    hr = (-1 / a - stay * in_a / a).sum(0) + (1 / b + stay * in_b / b).sum(0)
    curve = np.empty((len(h), 2, 2))
    curve[:, 0, 0] = hh * bend**2 + by_h * bend * (g - h)
    curve[:, 0, 1] = curve[:, 1, 0] = hr * bend
    curve[:, 1, 1] = -(in_a**2).sum(0) - (in_b**2).sum(0) + (in_c**2).sum(0)
    return slope, curve


Derivatives = tuple[Floats, Floats]
"""The slope of a log chance, shape (n, P), and its curvature, (n, P, P), by the predictors."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemCountLikelihood:
    """Σ_i w_i log Σ_t p_t(η_i), over the kinds t of people who may have said what i did.

    Attributes
    ----------
    model : ItemCountModel
    answers : ListAnswers
    design : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)
    """

    model: ItemCountModel
    answers: ListAnswers
    design: Floats
    weights: Floats

    def logarithms(self, at: Floats) -> Floats:
        """The logarithm of each row's chance, shape (n,)."""
        held = np.empty(len(self.design))
        for rows, eta, arm, group in self._groups(at):
            held[rows] = np.logaddexp.reduce([self._value(eta, kind, arm) for kind in group])
        return held

    def total(self, at: Floats) -> float:
        """The log-likelihood."""
        return float(self.weights @ self.logarithms(at))

    def slope(self, at: Floats) -> Floats:
        """The gradient, shape (parameters,)."""
        slope: Floats = self.weights @ self.scores(at)
        return slope

    def scores(self, at: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        mean = self._moments(at)[0]
        return np.hstack([mean[:, one, None] * self._of(one) for one in range(mean.shape[1])])

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information (Louis, 1982), and that of the complete data."""
        mean, second, bend = self._moments(at)
        yield lambda: self._spread(mean[:, :, None] * mean[:, None, :] - second - bend)
        yield lambda: self._spread(-bend)

    def observed(self, at: Floats) -> Floats:
        """The negative second derivatives: complete information less what is missing."""
        return next(self.informations(at))()

    def complete(self, at: Floats) -> Floats:
        """The information that would be held if everybody's kind were known."""
        return list(self.informations(at))[1]()

    def _moments(self, at: Floats) -> tuple[Floats, Floats, Floats]:
        """Means of score, its square and the curvature over the kinds that a row may be."""
        n, size = len(self.design), len(self.model.blocks) + len(self.model.chances)
        mean, second = np.zeros((n, size)), np.zeros((n, size, size))
        bend = np.zeros_like(second)
        for rows, eta, arm, group in self._groups(at):
            values = np.array([self._value(eta, kind, arm) for kind in group])
            shares = np.exp(values - np.logaddexp.reduce(values))
            for share, kind in zip(shares, group, strict=True):
                slope, curve = self._bends(eta, kind, arm)
                mean[rows] += share[:, None] * slope
                second[rows] += share[:, None, None] * slope[:, :, None] * slope[:, None, :]
                bend[rows] += share[:, None, None] * curve
        return mean, second, bend

    def _groups(self, at: Floats) -> Iterator[tuple[Integers, Floats, int, tuple[Kind, ...]]]:
        """All who said the same in an arm: their rows, predictors, arm, and what they may be."""
        eta = self._predictors(at)
        for arm in range(len(self.model.sensitive) + 1):
            for count in range(self.model.items + 2):
                rows = np.flatnonzero((self.answers.arm == arm) & (self.answers.count == count))
                if len(rows):
                    yield rows, eta[rows], arm, kinds(self.model, arm, count)

    def _predictors(self, at: Floats) -> Floats:
        width = self.design.shape[1]
        last = width * len(self.model.blocks)
        linear = self.design @ at[:last].reshape(-1, width).T
        return np.hstack([linear, np.broadcast_to(at[last:], (len(linear), len(at) - last))])

    def _value(self, eta: Floats, kind: Kind, arm: int) -> Floats:
        """The logarithm of the chance of being of a kind, and saying what was said."""
        told, spread = eta[:, self.model.control_block(kind)], self.model.dispersion(kind)
        if spread is None:
            value = binomial(kind.others, self.model.items, told)[0]
        else:
            value = logarithm(factors(kind.others, self.model.items, told, expit(eta[:, spread])))
        for where, hit in self._switches(kind, arm):
            value = value + log_expit(eta[:, where] if hit else -eta[:, where])
        return value + kind.logarithm

    def _bends(self, eta: Floats, kind: Kind, arm: int) -> Derivatives:
        n, size = eta.shape
        slope, curve = np.zeros((n, size)), np.zeros((n, size, size))
        at, spread = self.model.control_block(kind), self.model.dispersion(kind)
        told = eta[:, at]
        if spread is None:
            _, slope[:, at], curve[:, at, at] = binomial(kind.others, self.model.items, told)
        else:
            rho = expit(eta[:, spread])
            parts = factors(kind.others, self.model.items, told, rho)
            first, second = control_slopes(parts, told, rho)
            slope[:, at], curve[:, at, at] = first[:, 0], second[:, 0, 0]
            turn = rho * (1 - rho)
            slope[:, spread] = first[:, 1] * turn
            curve[:, spread, spread] = second[:, 1, 1] * turn**2 + slope[:, spread] * (1 - 2 * rho)
            curve[:, at, spread] = curve[:, spread, at] = second[:, 0, 1] * turn
        for where, hit in self._switches(kind, arm):
            share = expit(eta[:, where])
            slope[:, where] += hit - share
            curve[:, where, where] -= share * (1 - share)
        return slope, curve

    def _switches(self, kind: Kind, arm: int) -> list[tuple[int, int]]:
        """The predictors of what happened or not: the sensitive item, and misreports."""
        found = [] if kind.holds is None else [(max(arm - 1, 0), kind.holds)]
        names, first = self.model.chances, len(self.model.blocks)
        return found + [(first + names.index(one), hit) for one, hit in kind.marks if one in names]

    def _of(self, predictor: int) -> Floats:
        blocks = len(self.model.blocks)
        return self.design if predictor < blocks else np.ones((len(self.design), 1))

    def _spread(self, curve: Floats) -> Floats:
        """Σ_i w_i curve_i ⊗ X_i X_iᵀ, for predictors whose covariates differ."""
        size = curve.shape[1]
        rows = [
            np.hstack(
                [
                    self._of(one).T @ (self._of(two) * (curve[:, one, two] * self.weights)[:, None])
                    for two in range(size)
                ]
            )
            for one in range(size)
        ]
        held: Floats = np.vstack(rows)
        return (held + held.T) / 2

    def start(self) -> Floats:
        """Where a climb begins: what differences in means say, without covariates."""
        model, said = self.model, self.answers

        def mean(arm: int) -> float:
            rows = said.arm == arm
            return float(np.average(said.count[rows], weights=self.weights[rows]))

        first = mean(0)
        shares = [mean(arm) - first for arm in range(1, len(model.sensitive) + 1)]
        shares += [first / model.items] * (len(model.blocks) - len(shares))
        blocks = np.zeros((len(model.blocks), self.design.shape[1]))
        blocks[:, 0] = logit(np.clip(shares, _RARE, 1 - _RARE))
        return np.append(blocks.ravel(), np.full(len(model.chances), logit(_RARE)))


Climbed = tuple[ItemCountLikelihood, Top]


def climbed(problem: ItemCountLikelihood) -> Climbed:
    """Climb from differences in means, and from the top of the constrained model.

    Chances that are as likely 0 or 1 are then held there.
    """
    model, starts = problem.model, [problem.start()]
    if not model.constrained:
        simple = replace(problem, model=replace(model, constrained=True, overdispersed=False))
        top = ascend(simple, simple.start())
        starts.append(_unconstrained(simple.model, model, top.at, starts[0]))
    best = max((ascend(problem, one) for one in starts), key=lambda top: top.total)
    return _on_edges(problem, best)


def _unconstrained(
    smaller: ItemCountModel, larger: ItemCountModel, at: Floats, start: Floats
) -> Floats:
    """Where the constrained model's top lies in the larger one."""
    width = 1 + len(larger.terms)
    blocks = {name: at[i * width : (i + 1) * width] for i, name in enumerate(smaller.blocks)}
    told = [blocks.get(name, blocks["control"]) for name in larger.blocks]
    chances = dict(zip(smaller.chances, at[width * len(smaller.blocks) :], strict=True))
    last = dict(zip(larger.chances, start[width * len(larger.blocks) :], strict=True))
    return np.concatenate([*told, [chances.get(name, last[name]) for name in larger.chances]])


def _on_edges(problem: ItemCountLikelihood, top: Top) -> Climbed:
    """Hold chances, one by one, at 0 or 1 where that is as likely."""
    model = problem.model
    first = len(top.at) - len(model.chances)
    for at, name in enumerate(model.chances, start=first):
        share = float(expit(top.at[at]))
        if min(share, 1 - share) < _EDGE:
            held = replace(model, fixed=(*model.fixed, (name, round(share))))
            found = ascend(replace(problem, model=held), np.delete(top.at, at))
            if found.total >= top.total - _ALIKE:
                return _on_edges(replace(problem, model=held), found)
    return problem, top
