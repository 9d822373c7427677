"""Oracles whose sets are hyperplanes: projective geometry response and Hadamard response.

Answers and reports are both points of a space over a finite field, and a report leaves possible the
answers that are orthogonal to it. Each set holds one answer in q, two answers are in equally many
of them, and a transform counts for all answers at once how many reports leave them possible.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Literal, final

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import (
    AbstractChance,
    AbstractOracle,
    Places,
    Ratio,
    by_blocks,
    either,
    largest_of,
    refuse_answers,
    refuse_long,
    register_oracle,
)
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance as read_chance
from askance_collect.exact.ratio import read_ratio

LARGEST_FIELD = 256
"""Fields have so many elements at the most."""

_ROWS = 1 << 14  # that are drawn at a time: what they need fits into the cache


@final
@dataclass(frozen=True, slots=True, eq=False)
class FiniteField:
    """The finite field of q = p^m elements, as tables; an element's base-p digits are a polynomial.

    Attributes
    ----------
    order, prime : int
        q and p.
    plus, times : array of int, shape (q, q)
    inverse : array of int, shape (q,)
        That of 0 is 0.
    traced : array of int, shape (q,)
        The element whose digits are the traces of e, eα, eα², …: the trace of e · y is the sum of
        its digits times those of y.
    """

    order: int
    prime: int
    plus: Integers = field(repr=False)
    times: Integers = field(repr=False)
    inverse: Integers = field(repr=False)
    traced: Integers = field(repr=False)


@lru_cache(maxsize=16)
def finite_field(order: int) -> FiniteField:
    """Make the field with so many elements.

    Raises
    ------
    InputError
        If the order is no power of a prime in [2, 256].

    References
    ----------
    Lidl & Niederreiter (1997), chapter 2.

    >>> four = finite_field(4)
    >>> four.times[2].tolist(), four.plus[3].tolist()
    ([0, 2, 3, 1], [3, 2, 1, 0])
    """
    fits = type(order) is int and 2 <= order <= LARGEST_FIELD
    prime = next((p for p in range(2, order + 1) if order % p == 0), 0) if fits else 0
    degree = round(math.log(order, prime)) if prime else 0
    if not prime or prime**degree != order:
        raise InputError("order", got=order, allowed="a power of a prime in [2, 256]")
    powers = prime ** np.arange(degree)
    digits = np.arange(order)[:, None] // powers % prime
    plus = (digits[:, None] + digits) % prime @ powers
    times = _field_products(digits, prime, degree) @ powers
    inverse = np.zeros(order, dtype=np.int64)
    inverse[1:] = (times[1:] == 1).argmax(axis=1)
    trace = power = np.arange(order)
    for _ in range(degree - 1):
        raised = power
        for _ in range(prime - 1):
            raised = times[raised, power]
        trace, power = plus[trace, raised], raised
    traced = trace[times[:, powers]] @ powers
    return FiniteField(order, prime, plus, times, inverse, traced)


def _field_products(digits: Integers, prime: int, degree: int) -> Integers:
    """Multiply all pairs modulo the first polynomial that lets no product vanish."""
    order = len(digits)
    raw = np.zeros((order, order, 2 * degree - 1), dtype=np.int64)
    for power in range(degree):
        raw[:, :, power : power + degree] += digits[:, None, power, None] * digits[None]
    for tail in digits:
        products = raw.copy()
        for top in range(2 * degree - 2, degree - 1, -1):
            products[:, :, top - degree : top] -= products[:, :, top, None] * tail
        products = products[:, :, :degree] % prime
        if products[1:, 1:].any(axis=2).all():
            return products
    raise AssertionError  # there is one of every degree


def characters(values: npt.NDArray[Any], prime: int) -> Floats:
    r"""Sum values over a vector space times its characters: for even values, which makes it real.

    .. math:: F(a) = \sum_y f(y) \, e^{2\pi i \langle a, y\rangle/p}

    Parameters
    ----------
    values : array, shape (p^d,)
        By the base-p digits of the position.
    prime : int

    References
    ----------
    Lidl & Niederreiter (1997), chapter 5; for p = 2 the Walsh–Hadamard transform.

    >>> characters(np.array([1, 0, 0, 2]), 2).tolist()
    [3.0, -1.0, -1.0, 3.0]
    """
    sums = np.array(values, dtype=float if prime == 2 else complex)
    stride = 1
    turns = np.exp(2j * np.pi * np.outer(np.arange(prime), np.arange(prime)) / prime)
    while stride < len(sums):
        parts = sums.reshape(-1, prime, stride)
        if prime == 2:
            first, second = parts[:, 0].copy(), parts[:, 1]
            parts[:, 0] += second
            np.subtract(first, second, out=second)
        else:
            parts = turns @ parts
        sums, stride = parts.reshape(-1), stride * prime
    return sums.real


def parity(words: Integers) -> Integers:
    """Say whether an odd number of bits is set: 1 if so, else 0.

    >>> parity(np.array([0, 1, 3, 7])).tolist()
    [0, 1, 0, 1]
    """
    return (np.bitwise_count(words) & 1).astype(np.int64)


@register_oracle
@final
@dataclass(frozen=True, slots=True, kw_only=True)
class HadamardOracle(AbstractOracle):
    r"""Hadamard response: S is half of the answers, those where a row of a Hadamard matrix is +1.

    Of the K = 2^⌈log₂(k + 1)⌉ rows one is reported, with chance p one whose S holds the truth.

    .. math:: e^\varepsilon = p/(1 - p), \quad p^* = p, \quad q^* = 1/2

    References
    ----------
    Acharya, Sun & Zhang (2019), for high privacy (one block).

    >>> HadamardOracle(answers=1000, truth="3/4").ratio
    Fraction(3, 1)
    """

    name: ClassVar[str] = "hadamard"
    coded: ClassVar[Literal["names", "numbers", "bits"]] = "numbers"
    by_report: ClassVar[bool] = True
    answers: int
    truth: Fraction

    def __post_init__(self) -> None:
        refuse_answers("HadamardOracle.answers", self.answers)
        object.__setattr__(self, "truth", read_chance(self.truth, "HadamardOracle.truth"))

    @property
    def true_positive_rate(self) -> Fraction:
        """The chance that the set holds the true answer."""
        return self.truth

    @property
    def false_positive_rate(self) -> Fraction:
        """The chance that the set holds a certain other answer: one half."""
        return Fraction(1, 2)

    @property
    def both_inside(self) -> Fraction:
        """The chance that the set holds a certain other answer: one half."""
        return self.truth / 2

    @property
    def both_outside(self) -> None:
        """It depends on whether the bits in which the two differ are those of the given answer."""
        return None

    @property
    def ratio(self) -> Ratio:
        """p/(1 − p), or its inverse."""
        low, high = sorted((self.truth, 1 - self.truth))
        return largest_of(high, low)

    @property
    def alone(self) -> tuple[Fraction, Fraction]:
        """Of two or three answers one row names each; of more some row always names others too."""
        if self.answers > 3:
            return Fraction(0), Fraction(0)
        return self.truth / 2, (1 - self.truth) / 2

    @property
    def empty(self) -> Fraction:
        """Of two answers one row holds none."""
        return (1 - self.truth) / 2 if self.answers == 2 else Fraction(0)

    @property
    def reports(self) -> int:
        """K rows."""
        return 1 << self.answers.bit_length()

    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """Each row of the Hadamard matrix."""
        refuse_long(self, self.reports)
        rows, places = range(self.reports), range(self.answers)
        sets = [
            sum(1 << answer for answer in places if not (y & (answer + 1)).bit_count() & 1)
            for y in rows
        ]
        true_chance, other = 2 * self.truth / self.reports, 2 * (1 - self.truth) / self.reports
        return sets, [[true_chance if mask >> x & 1 else other for mask in sets] for x in places]

    def draw(self, chance: AbstractChance) -> Callable[[Integers], Integers]:
        """Draw a row, and turn one of its bits if it is on the wrong side."""

        def draw_reports(answers: Integers) -> Integers:
            rows = chance.rows(len(answers))
            is_outside, row = ~rows.flips(self.truth), rows.below(self.reports)
            column = answers.astype(np.int64) + 1
            wrong = parity(row & column) != is_outside
            return either(wrong, row ^ (column & -column), row)

        return draw_reports

    def sets(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """The columns at which the row is +1."""
        columns = np.arange(1, self.answers + 1)[answers]
        return np.asarray(parity(reports[:, None] & columns) == 0, dtype=np.bool_)

    def supports(self, counts: Integers) -> Integers:
        """Transform the counts."""
        signed = characters(counts, 2)[1 : self.answers + 1]
        supports: Integers = ((signed + counts.sum()) / 2).round().astype(np.int64)
        return supports


@register_oracle
@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectiveOracle(AbstractOracle):
    r"""Projective geometry response (PGR): S is a hyperplane, of one answer in q.

    Answers are points of the projective space of dimension t − 1 over the field of q elements, with
    t as small as they fit; reports are its hyperplanes, ρ times as likely from an answer on them.

    .. math:: p^* = \frac{h \rho}{h \rho + v - h}, \quad v = \frac{q^t - 1}{q - 1}, \quad
              h = \frac{q^{t-1} - 1}{q - 1}

    Parameters
    ----------
    answers : int
    order : int
        q, a power of a prime up to 256; e^ε + 1 or next to it has the least error.
    level : number
        ρ = e^ε, one or more.

    References
    ----------
    Feldman, Nelson, Nguyen & Talwar (2022).

    >>> space = ProjectiveOracle(answers=1000, order=4, level=3)
    >>> space.reports, space.true_positive_rate
    (1365, Fraction(1023, 2047))
    """

    name: ClassVar[str] = "projective"
    coded: ClassVar[Literal["names", "numbers", "bits"]] = "numbers"
    by_report: ClassVar[bool] = True
    answers: int
    order: int
    level: Fraction

    def __post_init__(self) -> None:
        refuse_answers("ProjectiveOracle.answers", self.answers)
        finite_field(self.order)
        level = read_ratio(self.level, "ProjectiveOracle.level")
        if level < 1:
            raise InputError("ProjectiveOracle.level", got=str(level), allowed="a ratio in [1, ∞)")
        object.__setattr__(self, "level", level)

    @property
    def dimension(self) -> int:
        """How many coordinates a point has: t."""
        t = 2
        while self._points(t) < self.answers:
            t += 1
        return t

    def _points(self, dimension: int) -> int:
        points: int = (self.order**dimension - 1) // (self.order - 1)
        return points

    @property
    def _total_weight(self) -> Fraction:
        """What all reports weigh, where one that does not hold the answer weighs 1."""
        holding = self._points(self.dimension - 1)
        return holding * self.level + self.reports - holding

    @property
    def true_positive_rate(self) -> Fraction:
        """The chance that the hyperplane holds the true answer."""
        return self._points(self.dimension - 1) * self.level / self._total_weight

    @property
    def false_positive_rate(self) -> Fraction:
        """The chance that the hyperplane holds a certain other answer."""
        holding, holding_two = (self._points(self.dimension - less) for less in (1, 2))
        return (holding_two * self.level + holding - holding_two) / self._total_weight

    @property
    def both_inside(self) -> Fraction:
        """How often it holds the truth and another answer."""
        return self._points(self.dimension - 2) * self.level / self._total_weight

    @property
    def both_outside(self) -> Fraction | None:
        """None: it depends on whether the truth is on the line of the two; 0 in the plane."""
        return Fraction(0) if self.dimension == 2 else None

    @property
    def ratio(self) -> Fraction:
        """ρ."""
        return self.level

    @property
    def alone(self) -> tuple[Fraction, Fraction]:
        """Where points are hyperplanes; with more dimensions some answer is never alone on one."""
        if self.dimension > 2:
            return Fraction(0), Fraction(0)
        return self.level / self._total_weight, 1 / self._total_weight

    @property
    def empty(self) -> Fraction:
        """Where points are hyperplanes those that stand for no answer hold none."""
        spare = self.reports - self.answers if self.dimension == 2 else 0
        return spare / self._total_weight

    @property
    def reports(self) -> int:
        """As many hyperplanes as points: v."""
        return self._points(self.dimension)

    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """Each hyperplane."""
        refuse_long(self, self.reports)
        points, parts = self._vectors(np.arange(self.reports)), _digit_tables(self.order)
        products = parts.product(points[:, None], points[None, : self.answers], self.dimension)
        sets = [
            sum(1 << answer for answer in np.flatnonzero(row == 0).tolist()) for row in products
        ]
        true_chance, other = self.level / self._total_weight, 1 / self._total_weight
        return sets, [
            [true_chance if mask >> x & 1 else other for mask in sets] for x in range(self.answers)
        ]

    @property
    def _lines(self) -> tuple[Integers, Integers, Integers]:
        """By the place of the highest coordinate: the first such point, its vector, and the gap."""
        starts = np.array([self._points(power) for power in range(self.dimension)])
        powers = self.order ** np.arange(self.dimension)
        return starts, powers, powers - starts

    def _vectors(self, points: Integers) -> Integers:
        """Write points as vectors whose highest coordinate that is not 0 is 1.

        A vector is a whole number, whose base-q digits are its coordinates.
        """
        starts, _, gaps = self._lines
        return points + gaps.take(np.searchsorted(starts, points, side="right") - 1)

    def draw(self, chance: AbstractChance) -> Callable[[Integers], Integers]:
        """Draw all coordinates but the answer's leading one, which makes the product 0 or 1."""
        q, free, parts = self.order, self.order ** (self.dimension - 1), _digit_tables(self.order)
        tables = finite_field(q)
        less = (tables.plus == 0).argmax(axis=1)
        completed = tables.plus[[[1], [0]], less].ravel()  # what makes a product 1, and then 0
        starts, powers, gaps = self._lines

        def draw_reports(answers: Integers) -> Integers:
            rows = chance.rows(len(answers))
            is_inside = rows.flips(self.true_positive_rate)
            number = np.where(is_inside, rows.below(free - 1) + 1, rows.below(free))
            top = np.searchsorted(starts, answers, side="right") - 1
            power = powers.take(top)
            vector = number + number // power * power * (q - 1)  # with room for one digit more
            product = parts.product(answers + gaps.take(top), vector, self.dimension)
            vector += completed.take(product + q * is_inside) * power
            vector = parts.normal(vector, self.dimension)
            return vector - gaps.take(np.searchsorted(powers, vector, side="right") - 1)

        return by_blocks(draw_reports, _ROWS)

    def sets(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """The points on the hyperplane that is reported."""
        planes = self._vectors(reports.astype(np.int64))[:, None]
        points = self._vectors(np.arange(self.answers)[answers])
        product = _digit_tables(self.order).product(points, planes, self.dimension)
        return np.asarray(product == 0, dtype=np.bool_)

    def supports(self, counts: Integers) -> Integers:
        """Transform the counts, laid on all multiples of their points."""
        vectors, parts = self._vectors(np.arange(self.reports)), _digit_tables(self.order)
        spread = np.zeros(self.order**self.dimension)
        for factor in range(1, self.order):
            spread[parts.quotient(vectors, factor, self.dimension)] = counts
        traces = parts.traced(vectors[: self.answers], self.dimension)
        sums = characters(spread, finite_field(self.order).prime)[traces]
        supports: Integers = ((sums + counts.sum()) / self.order).round().astype(np.int64)
        return supports


def _inner_products(tables: FiniteField, first: Integers, second: Integers) -> Integers:
    """Inner products over the last axis."""
    products = tables.times[first, second]
    total: Integers = products[..., 0]
    for coordinate in range(1, products.shape[-1]):
        total = tables.plus[total, products[..., coordinate]]
    return total


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _DigitTables:
    """Vectors as whole numbers, a part of whose digits at a time is looked up.

    Attributes
    ----------
    order : int
        q.
    digits : int
        How many digits a part has: as many as its values are 256 at the most.
    base : int
        q to that power.
    products : array, shape (base²,)
        The inner product of two parts.
    sums : array, shape (q²,)
    leads : array, shape (base,)
        The highest digit of a part that is not 0, if there is one.
    quotients : array, shape (q · base,)
        A part divided by an element.
    traces : array, shape (base,)
        A part with each digit as `FiniteField.traced` has it.
    """

    order: int
    digits: int
    base: int
    products: Places
    sums: Places
    leads: Places
    quotients: Places
    traces: Places

    def product(self, first: Integers, second: Integers, dimension: int) -> Places:
        """Inner products of vectors."""
        sums = np.zeros(1, dtype=np.uint16)  # which q² − 1 fits into
        for first_part, second_part in zip(
            self._split(first, dimension), self._split(second, dimension), strict=True
        ):
            product = self.products.take(first_part * self.base + second_part)
            sums = self.sums.take(sums * self.order + product).astype(np.uint16)
        return sums

    def normal(self, vectors: Integers, dimension: int) -> Integers:
        """Divide vectors by their highest digit that is not 0."""
        parts = self._split(vectors, dimension)
        lead = self.leads.take(parts[-1])
        for part in reversed(parts[:-1]):
            rest = np.flatnonzero(lead == 0)
            lead[rest] = self.leads.take(part[rest])
        return self._look_up(self.quotients, parts, lead.astype(np.int64) * self.base)

    def quotient(self, vectors: Integers, factor: int, dimension: int) -> Integers:
        """Divide vectors by an element."""
        parts = self._split(vectors, dimension)
        return self._look_up(self.quotients, parts, np.array(factor * self.base))

    def traced(self, vectors: Integers, dimension: int) -> Integers:
        """Turn each digit of vectors into what the field has as its traces."""
        return self._look_up(self.traces, self._split(vectors, dimension), np.array(0))

    def _look_up(self, table: Places, parts: Sequence[Integers], shift: Integers) -> Integers:
        """Look up each part, and join what is found."""
        vectors = np.zeros_like(parts[0])
        for part in reversed(parts):
            vectors = vectors * self.base + table.take(shift + part)
        return vectors

    def _split(self, vectors: Integers, dimension: int) -> list[Integers]:
        """Part vectors, the lowest digits first."""
        parts = []
        for _ in range(self.digits, dimension, self.digits):
            above = vectors // self.base
            parts.append(vectors - above * self.base)
            vectors = above
        return [*parts, vectors]


@lru_cache(maxsize=16)
def _digit_tables(order: int) -> _DigitTables:
    """Make the tables of a field."""
    tables, digits = finite_field(order), 1
    while order ** (digits + 1) <= LARGEST_FIELD:
        digits += 1
    base, powers = order**digits, order ** np.arange(digits)
    values = np.arange(base)[:, None] // powers % order
    products = _inner_products(tables, values[:, None], values[None])
    top = digits - 1 - (values[:, ::-1] != 0).argmax(axis=1)
    quotients = tables.times[tables.inverse[:, None, None], values[None]] @ powers
    arrays = {
        "products": products,
        "sums": tables.plus,
        "leads": values[np.arange(base), top],
        "quotients": quotients,
        "traces": tables.traced[values] @ powers,
    }
    packed = {name: table.astype(np.uint8).ravel() for name, table in arrays.items()}
    return _DigitTables(order=order, digits=digits, base=base, **packed)
