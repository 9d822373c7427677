"""The likelihood of a list experiment's counts: its model, its maximum and its profile.

Chances of misreports are often most likely exactly 0 or 1, where their logits have no end. So they
enter the maximisation as chances, between bounds. What else is estimated leans on them: intervals
let them, and everything else, take their most likely values again wherever a share is fixed.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import comb, log
from types import MappingProxyType
from typing import final

import numpy as np
from scipy.special import expit, log_expit, logit

from askance.inference.list_experiments.item_tally import ListAnswers
from askance.inference.maximisation import LastEvaluation, Optimum, Within, maximise
from askance.inference.provenance import Misreport
from askance.typing import Booleans, Floats, Integers

_RARE = 0.05  # where chances of misreports and overdispersion start


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PersonKind:
    """A type of respondent that is possible given a reported count.

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
    condition : str
        How the sensitive item depends on how many control items hold: "none", by a "level" for
        each, or by "indicators" of every number but J.
    fixed : tuple of (str, int)
        Chances, among those that the model has, that are fixed at 0 or 1.
    """

    items: int
    sensitive: tuple[str, ...]
    terms: tuple[str, ...]
    constrained: bool
    overdispersed: bool
    misreport: Misreport
    condition: str = "none"
    fixed: tuple[tuple[str, int], ...] = ()

    @property
    def blocks(self) -> tuple[str, ...]:
        """The linear predictors in the covariates."""
        return _blocks(self)

    @property
    def levels(self) -> tuple[str, ...]:
        """What the control count adds to the sensitive items' predictors, item by item."""
        labels = {
            "none": [],
            "level": ["control items"],
            "indicators": [f"{y} control items" for y in range(self.items)],
        }
        return tuple(
            f"{item}: {term}" for item in self.sensitive for term in labels[self.condition]
        )

    @property
    def chances(self) -> tuple[str, ...]:
        """The parameters that no covariate moves, all logits of chances."""
        return _chances(self)

    def includes(self, other: "ItemCountModel") -> bool:
        """Whether another model of the same lists and covariates is a special case of this one.

        A chance that a model does not have is 0.
        """
        zeros = dict.fromkeys((*_marks(self), *_marks(other)), 0.0)
        own, others = (
            zeros | dict.fromkeys(_marks(model), math.nan) | dict(model.fixed)
            for model in (self, other)
        )
        return (
            all(math.isnan(own[name]) or own[name] == others[name] for name in zeros)
            and (other.constrained or not self.constrained)
            and (self.overdispersed or not other.overdispersed)
            and (other.condition in ("none", self.condition) or self.condition == "indicators")
        )

    def steps(self, others: int | Integers) -> Floats:
        """What the levels of one item multiply, if so many control items hold."""
        y = np.asarray(others)[..., None]
        by_condition = {"none": y[..., :0], "level": y, "indicators": y == np.arange(self.items)}
        return np.asarray(by_condition[self.condition], dtype=np.float64)

    @property
    def names(self) -> tuple[str, ...]:
        """What each parameter multiplies, or is the logit of."""
        return _names(self)

    def control_block(self, kind: PersonKind) -> int:
        """The linear predictor of a person's control count."""
        offset = 0 if self.constrained or not kind.holds else 1
        return len(self.sensitive) + offset

    def dispersion(self, kind: PersonKind) -> int | None:
        """The predictor of the overdispersion of a person's control count, if there is any."""
        if not self.overdispersed:
            return None
        names = self.chances
        wanted = "overdispersion"
        if not self.constrained:
            wanted += " if it holds" if kind.holds else " if not"
        first = len(self.blocks) + len(self.levels)
        return first + names.index(wanted) if wanted in names else None

    def ways(self, arm: int, holds: int | None, others: int) -> Iterator[tuple[int, PersonKind]]:
        """Everything that a person may say."""
        most = self.items + (arm > 0)
        truth = others + (holds or 0 if arm else 0)
        if self.misreport == "uniform":
            mark = "uniform, treated" if arm else "uniform, control"
            lies = [(count, -float(np.log(most + 1))) for count in range(most + 1)]
        elif self.misreport == "top":
            mark, lies = "top", [(most, 0.0)]
        else:
            mark, lies = self._edge_lies(arm, holds, others)
        for count, logarithm in lies:
            lie = ((mark, 1),)
            yield count, PersonKind(holds=holds, others=others, marks=lie, logarithm=logarithm)
        yield truth, PersonKind(holds=holds, others=others, marks=((mark, 0),) if lies else ())

    def _edge_lies(
        self, arm: int, holds: int | None, others: int
    ) -> tuple[str, list[tuple[int, float]]]:
        """Respondents who avoid the ends of the list, since a true count would reveal the item."""
        if arm and holds and others == self.items and "ceiling" in _marks(self):
            return "ceiling", [(self.items, 0.0)]
        if arm and holds and others == 0 and "floor" in _marks(self):
            return "floor", [(0, 0.0)]
        return "", []


@lru_cache
def _blocks(model: ItemCountModel) -> tuple[str, ...]:
    control = ("control",) if model.constrained else ("control if not", "control if it holds")
    return (*model.sensitive, *control)


@lru_cache
def _chances(model: ItemCountModel) -> tuple[str, ...]:
    spread = {1: ("overdispersion",), 2: ("overdispersion if not", "overdispersion if it holds")}
    dispersed = spread[1 if model.constrained else 2] if model.overdispersed else ()
    return tuple(name for name in (*dispersed, *_marks(model)) if name not in dict(model.fixed))


def _marks(model: ItemCountModel) -> tuple[str, ...]:
    """The ways in which people of the model depart from the truth, each with a chance."""
    return _MARKS[model.misreport]


_MARKS: Mapping[Misreport, tuple[str, ...]] = MappingProxyType(
    {
        "none": (),
        "ceiling": ("ceiling",),
        "floor": ("floor",),
        "ceiling and floor": ("ceiling", "floor"),
        "top": ("top",),
        "uniform": ("uniform, control", "uniform, treated"),
    }
)


@lru_cache
def _names(model: ItemCountModel) -> tuple[str, ...]:
    single = ("intercept", *model.terms)
    first = tuple(f"{block}: {term}" for block in model.blocks for term in single)
    return (*first, *model.levels, *(f"logit of {chance}" for chance in model.chances))


@lru_cache(maxsize=1 << 10)
def kinds(model: ItemCountModel, arm: int, count: int) -> tuple[PersonKind, ...]:
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
        for reported, kind in model.ways(arm, z, others)
        if reported == count and all(fixed.get(mark, hit) == hit for mark, hit in kind.marks)
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traits:
    """What kinds of people are, kind by kind.

    Attributes
    ----------
    others, control, spread : array of int
        How many control items hold, and the predictors of that count and of its overdispersion; −1
        where it has none.
    happens : array, shape (kinds, predictors)
        1 where what the predictor is about happened, −1 where it did not, 0 where it has no say.
    logarithm : array
        Of further constant chances, and of in how many ways the control items may hold.
    own : array of int
        The predictor of the kind's sensitive item.
    levels : slice
        The predictors that are levels, which add to that.
    steps : array, shape (kinds, levels)
        How much of each it takes.
    """

    others: Integers
    control: Integers
    spread: Integers
    happens: Floats
    logarithm: Floats
    own: Integers
    levels: slice
    steps: Floats

    def __post_init__(self) -> None:
        """Let nobody write into the arrays, which many rows and places share."""
        _freeze(self)

    def select(self, kind: Integers) -> "Traits":
        """Those of some kinds, in their order."""
        return Traits(
            others=self.others[kind],
            control=self.control[kind],
            spread=self.spread[kind],
            happens=self.happens[kind],
            logarithm=self.logarithm[kind],
            own=self.own[kind],
            levels=self.levels,
            steps=self.steps[kind],
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kinds:
    """Every kind of person that any count may come from, count by count, as arrays.

    Attributes
    ----------
    first, many : array of int
        Where those of a count begin, and how many there are; of arm a and count c at
        a (J + 2) + c.
    traits : Traits
    """

    first: Integers
    many: Integers
    traits: Traits

    def __post_init__(self) -> None:
        """Let nobody write into the arrays, which many rows and places share."""
        _freeze(self)


def _freeze(table: "Traits | Kinds | KindEntries") -> None:
    for name in table.__slots__:
        if isinstance(array := getattr(table, name), np.ndarray):
            array.setflags(write=False)


@lru_cache(maxsize=1 << 6)
def every_kind(model: ItemCountModel) -> Kinds:
    """List all kinds of people that a model has.

    >>> model = ItemCountModel(
    ...     items=1,
    ...     sensitive=("a",),
    ...     terms=(),
    ...     constrained=True,
    ...     overdispersed=False,
    ...     misreport="none",
    ... )
    >>> every_kind(model).many.tolist()
    [1, 1, 0, 1, 2, 1]
    """
    codes = [
        kinds(model, arm, count) if count <= model.items + (arm > 0) else ()
        for arm in range(len(model.sensitive) + 1)
        for count in range(model.items + 2)
    ]
    arms = [index // (model.items + 2) for index, group in enumerate(codes) for _ in group]
    listed = [kind for group in codes for kind in group]
    many = np.array([len(group) for group in codes])
    spread = [model.dispersion(kind) for kind in listed]
    names, blocks = model.chances, len(model.blocks) + len(model.levels)
    happens = np.zeros((len(listed), blocks + len(names)))
    steps = np.zeros((len(listed), len(model.sensitive), len(model.levels) // len(model.sensitive)))
    for index, (kind, arm) in enumerate(zip(listed, arms, strict=True)):
        if kind.holds is not None:
            happens[index, max(arm - 1, 0)] = 2 * kind.holds - 1
            steps[index, max(arm - 1, 0)] = model.steps(kind.others)
        for name, hit in kind.marks:
            if name in names:
                happens[index, blocks + names.index(name)] = 2 * hit - 1
    ways = [log(comb(model.items, kind.others)) + kind.logarithm for kind in listed]
    traits = Traits(
        others=np.array([kind.others for kind in listed]),
        control=np.array([model.control_block(kind) for kind in listed]),
        spread=np.array([-1 if predictor is None else predictor for predictor in spread]),
        happens=happens,
        logarithm=np.array(ways),
        own=np.maximum(np.array(arms) - 1, 0),
        levels=slice(len(model.blocks), blocks),
        steps=steps.reshape(len(listed), -1),
    )
    return Kinds(first=np.cumsum(many) - many, many=many, traits=traits)


Derivatives = tuple[Floats, Floats]
"""The slope of a log chance, shape (n, P), and its curvature, (n, P, P), by the predictors."""


Moments = tuple[Floats, Floats, Floats]
"""Means of score, shape (n, P), its square and the curvature, (n, P, P), by the predictors."""


def binomial(others: Integers, items: int, eta: Floats) -> Floats:
    """The logarithm of h^y (1 − h)^(J − y) with h = logit⁻¹(η).

    >>> binomial(np.array([1]), 1, np.zeros(1)).tolist()
    [-0.6931471805599453]
    """
    return others * log_expit(eta) + (items - others) * log_expit(-eta)


def binomial_slopes(others: Integers, items: int, eta: Floats) -> tuple[Floats, Floats]:
    """The slope and the curvature of `binomial` by η.

    >>> [part.tolist() for part in binomial_slopes(np.array([1]), 1, np.zeros(1))]
    [[0.5], [-0.25]]
    """
    h = expit(eta)
    return others - items * h, -items * h * expit(-eta)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overdispersed:
    r"""The beta-binomial chance of control counts in one order, by h = logit⁻¹(η) and ρ.

    .. math:: \frac{\prod_{k<y} (h (1-\rho) + k \rho)
              \prod_{k<J-y} ((1-h)(1-\rho) + k \rho)}{\prod_{k<J} (1 - \rho + k \rho)}

    ρ is the correlation of two items.

    Attributes
    ----------
    others : array of int, shape (n,)
        y.
    items : int
        J.
    eta, dispersion : array, shape (n,)

    >>> counts = Overdispersed(
    ...     others=np.array([1]), items=2, eta=np.zeros(1), dispersion=np.zeros(1)
    ... )
    >>> np.exp(counts.logarithm()).tolist(), counts.slopes()[0].tolist()
    ([0.25], [[0.0, -1.0]])
    """

    others: Integers
    items: int
    eta: Floats
    dispersion: Floats

    def logarithm(self) -> Floats:
        """The logarithm of the chance."""
        up, down = self._members()
        a, b, c = self._factors()
        terms = np.where(up, np.log(a), 0.0) + np.where(down, np.log(b), 0.0) - np.log(c)
        value: Floats = terms.sum(0)
        return value

    def slopes(self) -> Derivatives:
        """Slope (n, 2) and curvature (n, 2, 2) of the logarithm, by η and ρ."""
        up, down = self._members()
        a, b, c = self._factors()
        h, g, stay = expit(self.eta), expit(-self.eta), 1 - self.dispersion
        k, bend = np.arange(self.items)[:, None], h * g
        over_a, over_b = np.where(up, 1 / a, 0.0), np.where(down, 1 / b, 0.0)
        in_a, in_b, in_c = (k - h) * over_a, (k - g) * over_b, (k - 1) / c
        by_h = stay * (over_a.sum(0) - over_b.sum(0))
        slope = np.stack([by_h * bend, in_a.sum(0) + in_b.sum(0) - in_c.sum(0)], axis=1)
        hh = -(stay**2) * ((over_a**2).sum(0) + (over_b**2).sum(0))
        hr = (-over_a - stay * in_a * over_a).sum(0) + (over_b + stay * in_b * over_b).sum(0)
        curve = np.empty((len(h), 2, 2))
        curve[:, 0, 0] = hh * bend**2 + by_h * bend * (g - h)
        curve[:, 0, 1] = curve[:, 1, 0] = hr * bend
        curve[:, 1, 1] = -(in_a**2).sum(0) - (in_b**2).sum(0) + (in_c**2).sum(0)
        return slope, curve

    def _factors(self) -> tuple[Floats, Floats, Floats]:
        stay, k = 1 - self.dispersion, np.arange(self.items)[:, None] * self.dispersion
        return expit(self.eta) * stay + k, expit(-self.eta) * stay + k, stay + k

    def _members(self) -> tuple[Booleans, Booleans]:
        """Which of the factors of the first two products count, shape (J, n)."""
        k = np.arange(self.items)[:, None]
        return k < self.others, k < self.items - self.others


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KindEntries:
    """Some rows with all kinds that each may be, one below the other.

    Attributes
    ----------
    rows, start, many : array of int, shape (rows,)
        Of each row its number, where its kinds begin, and how many there are: at least one.
    traits : Traits
        Of each entry's kind.
    plain, dispersed : array of int
        The entries whose control count is binomial, and those where it is beta-binomial.
    items : int
    """

    rows: Integers
    start: Integers
    many: Integers
    traits: Traits
    plain: Integers
    dispersed: Integers
    items: int

    def __post_init__(self) -> None:
        """Let nobody write into the arrays, which many rows and places share."""
        _freeze(self)

    def predictors(self, eta: Floats) -> Floats:
        """Each entry's predictors, shape (entries, predictors), from those of all rows."""
        predictors = np.repeat(eta[self.rows], self.many, axis=0)
        if self.traits.steps.shape[1]:
            added = (self.traits.steps * predictors[:, self.traits.levels]).sum(axis=1)
            predictors[np.arange(len(predictors)), self.traits.own] += added
        return predictors

    def logarithms(self, eta: Floats) -> Floats:
        """The logarithm of each row's chance, by its entries' predictors."""
        return np.logaddexp.reduceat(self._values(eta), self.start)

    def shares(self, eta: Floats) -> Floats:
        """How likely each kind is among those that the row may be."""
        values = self._values(eta)
        total = np.logaddexp.reduceat(values, self.start)
        shares: Floats = np.exp(values - np.repeat(total, self.many))
        return shares

    def mean(self, shares: Floats, of: Floats) -> Floats:
        """The mean of something over the kinds that each row may be."""
        shaped = shares.reshape(-1, *([1] * (of.ndim - 1)))
        return np.add.reduceat(shaped * of, self.start)

    def slopes(self, eta: Floats) -> Derivatives:
        """Of the logarithm of the chance of being of a kind, and saying what was said."""
        happens, share = self.traits.happens, expit(eta)
        slope = np.where(happens > 0, 1 - share, np.where(happens < 0, -share, 0.0))
        curve = np.zeros((*slope.shape, slope.shape[1]))
        np.einsum("ikk->ik", curve)[:] = -np.abs(happens) * share * (1 - share)
        plain = self.plain
        if len(plain):
            predictor = self.traits.control[plain]
            first, second = binomial_slopes(
                self.traits.others[plain], self.items, eta[plain, predictor]
            )
            slope[plain, predictor] += first
            curve[plain, predictor, predictor] += second
        if len(self.dispersed):
            self._add_dispersion(eta, slope, curve)
        if self.traits.steps.shape[1]:
            self._add_levels(slope, curve)
        return slope, curve

    def _add_levels(self, slope: Floats, curve: Floats) -> None:
        """Levels move what the sensitive item's predictor moves, by their steps."""
        own, levels, steps = self.traits.own, self.traits.levels, self.traits.steps
        rows = np.arange(len(own))
        slope[:, levels] = steps * slope[rows, own, None]
        along = curve[rows, own, :, None] * steps[:, None, :]
        curve[:, :, levels], curve[:, levels, :] = along, along.swapaxes(1, 2)
        pairs = steps[:, :, None] * steps[:, None, :]
        curve[:, levels, levels] = pairs * curve[rows, own, own, None, None]

    def _add_dispersion(self, eta: Floats, slope: Floats, curve: Floats) -> None:
        dispersed = self.dispersed
        predictor = self.traits.control[dispersed]
        spread = self.traits.spread[dispersed]
        counts = self._counts(eta)
        first, second = counts.slopes()
        turn = counts.dispersion * (1 - counts.dispersion)
        slope[dispersed, predictor] += first[:, 0]
        slope[dispersed, spread] += first[:, 1] * turn
        curve[dispersed, predictor, predictor] += second[:, 0, 0]
        curve[dispersed, predictor, spread] += second[:, 0, 1] * turn
        curve[dispersed, spread, predictor] += second[:, 0, 1] * turn
        by_rho = second[:, 1, 1] * turn + first[:, 1] * (1 - 2 * counts.dispersion)
        curve[dispersed, spread, spread] += by_rho * turn

    def _values(self, eta: Floats) -> Floats:
        """The logarithm of the chance of being of a kind, and saying what was said."""
        value, plain, happens = self.traits.logarithm.copy(), self.plain, self.traits.happens
        if len(plain):
            predictor = eta[plain, self.traits.control[plain]]
            value[plain] += binomial(self.traits.others[plain], self.items, predictor)
        if len(self.dispersed):
            value[self.dispersed] += self._counts(eta).logarithm()
        hits = np.where(happens != 0, log_expit(happens * eta), 0.0)
        values: Floats = value + hits.sum(axis=1)
        return values

    def _counts(self, eta: Floats) -> Overdispersed:
        dispersed = self.dispersed
        return Overdispersed(
            others=self.traits.others[dispersed],
            items=self.items,
            eta=eta[dispersed, self.traits.control[dispersed]],
            dispersion=expit(eta[dispersed, self.traits.spread[dispersed]]),
        )


_ROWS = 1 << 13  # so many at once stay in the processor's cache


def _parts(model: ItemCountModel, answers: ListAnswers) -> Iterator[KindEntries]:
    every = every_kind(model)
    code = answers.arm * (model.items + 2) + answers.count
    possible = np.flatnonzero(every.many[code])
    for first in range(0, len(possible), _ROWS):
        rows = possible[first : first + _ROWS]
        many = every.many[code[rows]]
        start = np.cumsum(many) - many
        kind = np.arange(many.sum()) + np.repeat(every.first[code[rows]] - start, many)
        traits = every.traits.select(kind)
        yield KindEntries(
            rows=rows,
            start=start,
            many=many,
            traits=traits,
            plain=np.flatnonzero(traits.spread < 0),
            dispersed=np.flatnonzero(traits.spread >= 0),
            items=model.items,
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemCountLikelihood:
    """Σ_i w_i log Σ_t p_t(η_i), over the kinds t of people who may have said what i did.

    Attributes
    ----------
    model : ItemCountModel
    answers : ListAnswers
    model_matrix : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)
    parts : tuple of KindEntries
        What each row may be, some rows at a time: the same at every place.
    """

    model: ItemCountModel
    answers: ListAnswers
    model_matrix: Floats
    weights: Floats
    parts: tuple[KindEntries, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find what each row may be."""
        object.__setattr__(self, "parts", tuple(_parts(self.model, self.answers)))

    def weighed(self, weights: Floats) -> "ItemCountLikelihood":
        """The same with other weights."""
        return replace(self, weights=weights)

    def logarithms(self, parameters: Floats) -> Floats:
        """The logarithm of each row's chance, shape (n,)."""
        logs, eta = np.full(len(self.model_matrix), -np.inf), self._predictors(parameters)
        for part in self.parts:
            logs[part.rows] = part.logarithms(part.predictors(eta))
        return logs

    def total(self, parameters: Floats) -> float:
        """The log-likelihood."""
        is_counted = self.weights > 0
        return float(self.weights[is_counted] @ self.logarithms(parameters)[is_counted])

    def slope(self, parameters: Floats) -> Floats:
        """The gradient, shape (parameters,)."""
        return self.weights @ self.scores(parameters)

    def scores(self, parameters: Floats, moments: Moments | None = None) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        mean = (moments or self.moments(parameters))[0]
        return np.hstack(
            [
                mean[:, predictor, None] * self._predictor_matrix(predictor)
                for predictor in range(mean.shape[1])
            ]
        )

    def informations(
        self, parameters: Floats, moments: Moments | None = None
    ) -> Iterator[Callable[[], Floats]]:
        """The observed information (Louis, 1982), and that of the complete data."""
        mean, second, bend = moments or self.moments(parameters)
        yield lambda: self._spread(mean[:, :, None] * mean[:, None, :] - second - bend)
        yield lambda: self._spread(-bend)

    def observed(self, parameters: Floats) -> Floats:
        """The negative second derivatives: complete information less what is missing."""
        return next(self.informations(parameters))()

    def complete(self, parameters: Floats) -> Floats:
        """The complete-data information: what it would be if everybody's kind were known."""
        return list(self.informations(parameters))[1]()

    def moments(self, parameters: Floats) -> Moments:
        """Means of score, its square and the curvature over the kinds that a row may be."""
        eta = self._predictors(parameters)
        mean, second = np.zeros(eta.shape), np.zeros((*eta.shape, eta.shape[1]))
        bend = np.zeros_like(second)
        for part in self.parts:
            predictors = part.predictors(eta)
            shares, (slope, curve) = part.shares(predictors), part.slopes(predictors)
            mean[part.rows] = part.mean(shares, slope)
            second[part.rows] = part.mean(shares, slope[:, :, None] * slope[:, None, :])
            bend[part.rows] = part.mean(shares, curve)
        return mean, second, bend

    def _predictors(self, parameters: Floats) -> Floats:
        width = self.model_matrix.shape[1]
        last = width * len(self.model.blocks)
        linear = self.model_matrix @ parameters[:last].reshape(-1, width).T
        return np.hstack(
            [linear, np.broadcast_to(parameters[last:], (len(linear), len(parameters) - last))]
        )

    def _predictor_matrix(self, predictor: int) -> Floats:
        blocks = len(self.model.blocks)
        return self.model_matrix if predictor < blocks else np.ones((len(self.model_matrix), 1))

    def _spread(self, curve: Floats) -> Floats:
        """Σ_i w_i curve_i ⊗ X_i X_iᵀ, for predictors whose covariates differ."""
        size = curve.shape[1]
        columns = [self._predictor_matrix(predictor) for predictor in range(curve.shape[1])]
        weighed = curve * self.weights[:, None, None]
        full = np.zeros((sum(column.shape[1] for column in columns),) * 2)
        ends = np.cumsum([0, *(column.shape[1] for column in columns)])
        for i in range(size):
            for j in range(i, size):
                part = columns[i].T @ (columns[j] * weighed[:, i, j, None])
                full[ends[i] : ends[i + 1], ends[j] : ends[j + 1]] = part
        upper = np.triu(full)
        return upper + np.triu(upper, 1).T

    def start(self) -> Floats:
        """Where the maximisation begins: what differences in means say, without covariates."""
        model, answers = self.model, self.answers

        def mean(arm: int) -> float:
            rows = answers.arm == arm
            return float(np.average(answers.count[rows], weights=self.weights[rows]))

        first = mean(0)
        shares = [mean(arm) - first for arm in range(1, len(model.sensitive) + 1)]
        shares += [first / model.items] * (len(model.blocks) - len(shares))
        blocks = np.zeros((len(model.blocks), self.model_matrix.shape[1]))
        blocks[:, 0] = logit(np.clip(shares, _RARE, 1 - _RARE))
        levels = np.zeros(len(model.levels))
        return np.concatenate([blocks.ravel(), levels, np.full(len(model.chances), logit(_RARE))])


_EDGE = 0.02  # how near 0 or 1 it is asked whether a chance is just as likely there
_AS_LIKELY = 1e-6  # log-likelihoods that are as good
BOUND = 1e-8
"""What of a chance of 0 or 1 its logit can tell."""

_LOG_ODDS = 14.0  # of a share that may as well be 0 or 1
_SAFE = 1e-8  # the least curvature, in units of the parameters, that is surely one
_LEAST = 1e-16  # of a share whose log-odds are told


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OnChances:
    """A likelihood in coefficients and, in place of logits, chances between bounds.

    Attributes
    ----------
    likelihood : ItemCountLikelihood

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> answers = answers_of([0, 1, 1], [0, 0, 1], items=1, control=0, data=None, weights=None)
    >>> model = ItemCountModel(
    ...     items=1,
    ...     sensitive=("a",),
    ...     terms=(),
    ...     constrained=True,
    ...     overdispersed=False,
    ...     misreport="ceiling",
    ... )
    >>> likelihood = ItemCountLikelihood(
    ...     model=model, answers=answers, model_matrix=np.ones((3, 1)), weights=np.ones(3)
    ... )
    >>> float(np.exp(OnChances(likelihood=likelihood).total(np.array([0.0, 0.0, 0.5]))).round(6))
    0.15625
    """

    likelihood: ItemCountLikelihood
    last: LastEvaluation = field(default_factory=LastEvaluation, init=False, repr=False)

    @property
    def within(self) -> Within:
        """The bounds of coefficients, which have none, and of chances."""
        size, first = self._size()
        low, high = np.full(size, -np.inf), np.full(size, np.inf)
        low[first:], high[first:] = BOUND, 1 - BOUND
        return low, high

    def logits(self, parameters: Floats) -> Floats:
        """The same with logits in place of chances."""
        first = self._size()[1]
        return np.append(parameters[:first], logit(parameters[first:]))

    def chances(self, parameters: Floats) -> Floats:
        """What has logits, with chances in their place."""
        first = self._size()[1]
        return np.append(parameters[:first], expit(parameters[first:]).clip(BOUND, 1 - BOUND))

    def turn(self, parameters: Floats) -> Floats:
        """By how much logits rise with chances, after ones for the coefficients."""
        first = self._size()[1]
        return np.append(np.ones(first), 1 / (parameters[first:] * (1 - parameters[first:])))

    @property
    def weights(self) -> Floats:
        """How often each row counts."""
        return self.likelihood.weights

    def weighed(self, weights: Floats) -> "OnChances":
        """The same with other weights."""
        return OnChances(likelihood=self.likelihood.weighed(weights))

    def total(self, parameters: Floats) -> float:
        """The log-likelihood."""
        return self.likelihood.total(self.logits(parameters))

    def slope(self, parameters: Floats) -> Floats:
        """The gradient, shape (parameters,)."""
        return self.weights @ self.scores(parameters)

    def scores(self, parameters: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        logits = self.logits(parameters)
        return self.likelihood.scores(logits, self._moments(logits)) * self.turn(parameters)

    def informations(self, parameters: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information, and that of the complete data."""
        logits, turn = self.logits(parameters), self.turn(parameters)
        moments = self._moments(logits)
        observed, complete = self.likelihood.informations(logits, moments)

        def in_chances() -> Floats:
            first = self._size()[1]
            slope = self.weights @ self.likelihood.scores(logits, moments)
            bend = slope[first:] * (1 - 2 * parameters[first:])
            return (observed() + np.diag(np.append(np.zeros(first), bend))) * np.outer(turn, turn)

        yield in_chances
        yield lambda: complete() * np.outer(turn, turn)

    def observed(self, parameters: Floats) -> Floats:
        """The negative second derivatives."""
        return next(self.informations(parameters))()

    def complete(self, parameters: Floats) -> Floats:
        """The complete-data information: what it would be if everybody's kind were known."""
        return list(self.informations(parameters))[1]()

    def among(self, model: ItemCountModel) -> Integers:
        """Where the parameters are that a model has in which some chances are fixed."""
        first, fixed = self._size()[1], dict(model.fixed)
        free = [
            index for index, name in enumerate(self.likelihood.model.chances) if name not in fixed
        ]
        return np.append(np.arange(first), first + np.array(free, dtype=np.int64))

    def _moments(self, logits: Floats) -> Moments:
        return self.last.once("moments", logits, self.likelihood.moments)

    def _size(self) -> tuple[int, int]:
        size = len(self.likelihood.model.names)
        return size, size - len(self.likelihood.model.chances)


def maximise_item_counts(problem: ItemCountLikelihood) -> tuple[ItemCountLikelihood, Optimum]:
    """Maximise from differences in means, and from the maximum of a simpler model.

    Chances that are as likely 0 or 1 are then fixed there.
    """
    model, starts = problem.model, [problem.start()]
    if not model.constrained:
        simple = replace(problem, model=replace(model, constrained=True, overdispersed=False))
        top = _maximise_logits(simple, simple.start())
        starts.append(_start_unconstrained(simple.model, model, top.parameters, starts[0]))
    if model.levels:
        simple = replace(problem, model=replace(model, condition="none"))
        top = _maximise_logits(simple, simple.start())
        starts.append(np.append(top.parameters, np.zeros(len(model.levels))))
    best = max((_maximise_logits(problem, start) for start in starts), key=lambda top: top.total)
    return _fix_at_edges(problem, best)


def _maximise_logits(problem: ItemCountLikelihood, start: Floats) -> Optimum:
    """Maximise from logits to logits."""
    if not problem.model.chances:
        return maximise(problem, start)
    inside = OnChances(likelihood=problem)
    top = maximise(inside, inside.chances(start), inside.within)
    return replace(top, parameters=inside.logits(top.parameters))


def _start_unconstrained(
    smaller: ItemCountModel, larger: ItemCountModel, parameters: Floats, start: Floats
) -> Floats:
    """Where the constrained model's top lies in the larger one."""
    width = 1 + len(larger.terms)
    blocks = {
        name: parameters[i * width : (i + 1) * width] for i, name in enumerate(smaller.blocks)
    }
    coefficients = [blocks.get(name, blocks["control"]) for name in larger.blocks]
    chances = dict(zip(smaller.chances, parameters[width * len(smaller.blocks) :], strict=True))
    last = dict(zip(larger.chances, start[width * len(larger.blocks) :], strict=True))
    return np.concatenate(
        [*coefficients, [chances.get(name, last[name]) for name in larger.chances]]
    )


def _fix_at_edges(
    problem: ItemCountLikelihood, top: Optimum
) -> tuple[ItemCountLikelihood, Optimum]:
    """Fix chances at 0 or 1, one by one, where the likelihood is as large there."""
    model = problem.model
    first = len(top.parameters) - len(model.chances)
    for index, name in enumerate(model.chances, start=first):
        share = float(expit(top.parameters[index]))
        if min(share, 1 - share) < _EDGE:
            smaller = replace(model, fixed=(*model.fixed, (name, round(share))))
            optimum = _maximise_logits(
                replace(problem, model=smaller), np.delete(top.parameters, index)
            )
            if optimum.total >= top.total - _AS_LIKELY:
                return _fix_at_edges(replace(problem, model=smaller), optimum)
    return problem, top


def freed(problem: ItemCountLikelihood, parameters: Floats) -> tuple[OnChances, Floats]:
    """The same likelihood and place with no chance fixed, chances at 0 or 1 next to it.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    >>> freed(fit.likelihood, fit.value)[1].shape
    (2,)
    """
    model = problem.model
    free_model = replace(model, fixed=())
    first = len(parameters) - len(model.chances)
    by_name = dict(zip(model.chances, expit(parameters[first:]), strict=True))
    by_name |= {name: float(edge) for name, edge in model.fixed}
    chances = np.array([by_name[name] for name in free_model.chances]).clip(BOUND, 1 - BOUND)
    return OnChances(likelihood=replace(problem, model=free_model)), np.append(
        parameters[:first], chances
    )


def curvature(inside: OnChances, parameters: Floats) -> Floats:
    """The information observed; where some chance is fixed, and none is, that of the rows' slopes.

    At a fixed chance the likelihood may still rise, so what it bends there may be no
    information.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    >>> curvature(*freed(fit.likelihood, fit.value)).shape
    (2, 2)
    """
    observed = inside.observed(parameters)
    on_bound = (parameters <= inside.within[0]) | (parameters >= inside.within[1])
    size = np.sqrt(np.abs(np.diag(observed)).clip(np.finfo(float).tiny))
    if not on_bound.any() or np.linalg.eigvalsh(observed / np.outer(size, size))[0] > _SAFE:
        return observed
    scores = inside.scores(parameters)
    return scores.T @ (scores * inside.weights[:, None])


def group_identical_rows(problem: ItemCountLikelihood) -> ItemCountLikelihood:
    """The same likelihood with a row for all people who said the same and have equal covariates.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    >>> group_identical_rows(fit.likelihood).weights.tolist()
    [10.0, 30.0, 20.0, 10.0, 30.0, 30.0, 10.0]
    """
    observed = problem.answers
    rows = np.column_stack([observed.arm, observed.count, problem.model_matrix])
    _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    weights = np.bincount(group.ravel(), problem.weights).astype(np.float64)
    answers = replace(
        observed, arm=observed.arm[first], count=observed.count[first], weights=weights
    )
    return replace(
        problem, answers=answers, model_matrix=problem.model_matrix[first], weights=weights
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogOddsOfMean:
    """The log-odds of the mean prevalence of an item.

    Attributes
    ----------
    model_matrix : array, shape (people, c + 1)
    weights : array, shape (people,)
    first : int
        Where the item's coefficients begin.

    >>> two = np.array([[1.0, -1.0], [1.0, 1.0]])
    >>> target = LogOddsOfMean(model_matrix=two, weights=np.ones(2), first=0)
    >>> target.value(np.array([0.0, 1.0])), target.bends(np.array([0.0, 1.0]))[0].round(6).tolist()
    (0.0, [0.786448, 0.0])
    """

    model_matrix: Floats
    weights: Floats
    first: int

    @property
    def ends(self) -> tuple[float, float]:
        """Between which it lies, or may as well."""
        return -_LOG_ODDS, _LOG_ODDS

    def value(self, parameters: Floats) -> float:
        """The number."""
        mean = np.clip(self._part() @ self._shares(parameters), _LEAST, 1 - _LEAST)
        return float(np.log(mean / (1 - mean)))

    def bends(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Its slope and its curvature by the parameters."""
        own, share, part = self._own(), self._shares(parameters), self._part()
        mean, bend = float(part @ share), part * share * (1 - share)
        spread = max(mean * (1 - mean), _LEAST)
        slope, curve = np.zeros(len(parameters)), np.zeros((len(parameters),) * 2)
        slope[own] = bend @ self.model_matrix / spread
        second = (
            self.model_matrix.T @ (self.model_matrix * (bend * (1 - 2 * share))[:, None]) / spread
        )
        curve[own, own] = second - (1 - 2 * mean) * np.outer(slope[own], slope[own])
        return slope, curve

    def _own(self) -> slice:
        return slice(self.first, self.first + self.model_matrix.shape[1])

    def _shares(self, parameters: Floats) -> Floats:
        return expit(self.model_matrix @ parameters[self._own()])

    def _part(self) -> Floats:
        part: Floats = self.weights / self.weights.sum()
        return part
