"""Frequency oracles at a privacy level: recipes for columns with many answers.

A report leaves a set of answers possible (its support), so that both of Li, Zhou, Qin & Xu's losses
are these recipes' too: Shafer's equals that of local differential privacy, and Walley's is infinite
or grows without end, except where sets are single answers.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar, final

from askance.channels.abstract_oracle import AbstractOracle
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.oracles import HashOracle, SubsetOracle, UnaryOracle
from askance.channels.projective_oracles import LARGEST_FIELD, HadamardOracle, ProjectiveOracle
from askance.mechanisms.randomised_response import AbstractMechanism
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_bound
from askance_collect.exact.ratio import chance, just_below, read_integer, read_ratio

_FINE = 1 << 30  # a root is rounded down to so many parts


def _read_ratio(value: object, where: str) -> Fraction:
    """Read e^ε."""
    read = read_ratio(value, where)
    if read <= 1:
        raise InputError(where, got=str(value), allowed="a ratio e^ε in (1, ∞)")
    return read


def _read_bound(epsilon: object, ratio: object) -> Fraction:
    """The simplest ratio just below e^ε, so that whole numbers stay small."""
    return just_below(loss_bound(epsilon, ratio))


def spread(oracle: AbstractOracle) -> Fraction:
    """The variance of a rare answer's estimate from one report: q*(1 − q*)/(p* − q*)².

    References
    ----------
    Wang, Blocki, Li & Jha (2017), the approximate variance of a pure protocol.

    >>> spread(UnaryOracle(answers=9, truth="1/2", lie="1/4"))
    Fraction(3, 1)
    """
    return (
        oracle.false_positive_rate
        * (1 - oracle.false_positive_rate)
        / (oracle.true_positive_rate - oracle.false_positive_rate) ** 2
    )


@final
@dataclass(frozen=True, slots=True, init=False)
class UnaryEncoding(AbstractMechanism):
    r"""Unary encoding: one bit for each answer, flipped independently at random.

    .. math:: e^\varepsilon = \frac{p (1 - q)}{q (1 - p)}

    Parameters
    ----------
    truth, lie : probability
        p and q, the chances that the bit of the true answer is set, and that of any other.

    References
    ----------
    Erlingsson, Pihur & Korolova (2014), basic one-time RAPPOR; Wang, Blocki, Li & Jha (2017), unary
    encoding.

    >>> from askance.mechanisms import UnaryEncoding
    >>> UnaryEncoding.at_epsilon(ratio=3)
    UnaryEncoding(truth=Fraction(1, 2), lie=Fraction(1, 4))
    """

    name: ClassVar[str] = "unary"
    truth: Fraction
    lie: Fraction

    def __init__(self, *, truth: object, lie: object) -> None:
        object.__setattr__(self, "truth", chance(truth, "UnaryEncoding.truth"))
        object.__setattr__(self, "lie", chance(lie, "UnaryEncoding.lie"))

    @classmethod
    @checked
    def at_epsilon(
        cls, epsilon: object = None, *, ratio: object = None, symmetric: bool = False
    ) -> "UnaryEncoding":
        """Make it optimised (OUE), p = ½, or symmetric (SUE, basic one-time RAPPOR), p + q = 1.

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.
        symmetric : bool

        >>> from askance.mechanisms import UnaryEncoding
        >>> UnaryEncoding.at_epsilon(ratio=9, symmetric=True)
        UnaryEncoding(truth=Fraction(3, 4), lie=Fraction(1, 4))
        """
        level = _read_bound(epsilon, ratio)
        if not symmetric:
            return cls(truth="1/2", lie=1 / (level + 1))
        root = Fraction(isqrt(level.numerator * _FINE**2 // level.denominator), _FINE)
        return cls(truth=root / (root + 1), lie=1 / (root + 1))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel over these answers, exact and without a matrix."""
        oracle = UnaryOracle(answers=len(frame), truth=self.truth, lie=self.lie)
        return Channel.from_oracle(frame, oracle)


@final
@dataclass(frozen=True, slots=True, init=False)
class SubsetSelection(AbstractMechanism):
    r"""Subset selection: d of the k answers are named, more often with the true one than without.

    Parameters
    ----------
    ratio : number
        e^ε.
    size : int, optional
        d; left out, the size with the least variance, next to k/(e^ε + 1).

    References
    ----------
    Ye & Barg (2018); Wang, Huang, Nie, Xu, Wang & Yiu (2019), the ω-subset mechanism.

    >>> from askance import Frame
    >>> from askance.mechanisms import SubsetSelection
    >>> SubsetSelection(ratio=3).channel(Frame(list("abcdefgh"))).oracle.size
    2
    """

    name: ClassVar[str] = "subset"
    ratio: Fraction
    size: int | None

    def __init__(self, *, ratio: object, size: int | None = None) -> None:
        object.__setattr__(self, "ratio", _read_ratio(ratio, "SubsetSelection.ratio"))
        allowed = "a whole number of answers, 1 or more"
        count = None if size is None else read_integer(size, "SubsetSelection.size", allowed)
        object.__setattr__(self, "size", count)

    @classmethod
    @checked
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "SubsetSelection":
        """Be as truthful as ε-local differential privacy allows.

        >>> from askance.mechanisms import SubsetSelection
        >>> SubsetSelection.at_epsilon(ratio=3)
        SubsetSelection(ratio=Fraction(3, 1), size=None)
        """
        return cls(ratio=_read_bound(epsilon, ratio))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel over these answers, exact and without a matrix."""
        k = len(frame)
        near = int(k / (self.ratio + 1))
        sizes = {min(max(size, 1), k - 1) for size in (near, near + 1)}
        oracles = [self._oracle(k, size) for size in ({self.size} if self.size else sizes)]
        return Channel.from_oracle(frame, min(oracles, key=spread))

    def _oracle(self, answers: int, size: int) -> SubsetOracle:
        truth = self.ratio * size / (self.ratio * size + answers - size)
        return SubsetOracle(answers=answers, size=size, truth=truth)


@final
@dataclass(frozen=True, slots=True, init=False)
class HadamardResponse(AbstractMechanism):
    r"""Hadamard response: half of the answers are named, those on one side of a random parity.

    A report is one number of log₂ k bits; counting takes k log k steps.

    .. math:: e^\varepsilon = p / (1 - p)

    Parameters
    ----------
    truth : probability
        p, the chance that the true answer is among those named.

    References
    ----------
    Acharya, Sun & Zhang (2019), for high privacy (one block).

    >>> from askance.mechanisms import HadamardResponse
    >>> HadamardResponse.at_epsilon(ratio=3)
    HadamardResponse(truth=Fraction(3, 4))
    """

    name: ClassVar[str] = "hadamard"
    truth: Fraction

    def __init__(self, *, truth: object) -> None:
        object.__setattr__(self, "truth", chance(truth, "HadamardResponse.truth"))

    @classmethod
    @checked
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "HadamardResponse":
        """Be as truthful as ε-local differential privacy allows.

        >>> from askance.mechanisms import HadamardResponse
        >>> float(HadamardResponse.at_epsilon(1).truth)
        0.731058...
        """
        level = _read_bound(epsilon, ratio)
        return cls(truth=level / (level + 1))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel over these answers, exact and without a matrix."""
        return Channel.from_oracle(frame, HadamardOracle(answers=len(frame), truth=self.truth))


@final
@dataclass(frozen=True, slots=True, init=False)
class ProjectiveGeometry(AbstractMechanism):
    r"""Projective geometry response (PGR): the answers on a random hyperplane are named.

    As exact as subset selection where answers are many beside e^ε, with a report of log₂ k bits,
    and counted in k log k steps. A geometry has P points, as many as (q^t − 1)/(q − 1) allows and
    at least k; what those without an answer cost is about (1 − k/P) e^ε/2k of the squared error of
    subset selection, whose sets are drawn among the k answers alone, and a field next to e^ε + 1
    costs some more. Over 1,024 answers no field comes nearer than 1.2 % at ε = 3 and 1.8 % at
    ε = 4; over 100,000 all is below .3 %.

    Parameters
    ----------
    ratio : number
        e^ε.
    order : int, optional
        q, the order of the field: a power of a prime up to 256. Left out, that with the least
        variance, next to e^ε + 1.

    References
    ----------
    Feldman, Nelson, Nguyen & Talwar (2022).

    >>> from askance import Frame
    >>> from askance.mechanisms import ProjectiveGeometry
    >>> ProjectiveGeometry(ratio=3).channel(Frame([f"page {i}" for i in range(1000)])).oracle
    ProjectiveOracle(answers=1000, order=4, level=Fraction(3, 1))
    """

    name: ClassVar[str] = "projective"
    ratio: Fraction
    order: int | None

    def __init__(self, *, ratio: object, order: int | None = None) -> None:
        object.__setattr__(self, "ratio", _read_ratio(ratio, "ProjectiveGeometry.ratio"))
        prime_power = None
        if order is not None:
            prime_power = read_integer(
                order, "ProjectiveGeometry.order", "a power of a prime in [2, 256]", 2, 256
            )
            ProjectiveOracle(answers=2, order=prime_power, level=Fraction(2))
        object.__setattr__(self, "order", prime_power)

    @classmethod
    @checked
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "ProjectiveGeometry":
        """Be as truthful as ε-local differential privacy allows.

        >>> from askance.mechanisms import ProjectiveGeometry
        >>> ProjectiveGeometry.at_epsilon(ratio=3)
        ProjectiveGeometry(ratio=Fraction(3, 1), order=None)
        """
        return cls(ratio=_read_bound(epsilon, ratio))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel over these answers, exact and without a matrix."""
        orders = [self.order] if self.order else _neighbouring_orders(self.ratio + 1)
        oracles = [
            ProjectiveOracle(answers=len(frame), order=order, level=self.ratio) for order in orders
        ]
        return Channel.from_oracle(frame, min(oracles, key=spread))


def _neighbouring_orders(level: Fraction) -> list[int]:
    """Find the orders of finite fields next to a number, on either side."""
    below = [q for q in _orders() if q <= level]
    above = [q for q in _orders() if q > level]
    return [*below[-1:], *above[:1]]


def _orders() -> list[int]:
    primes = [p for p in range(2, LARGEST_FIELD + 1) if all(p % d for d in range(2, isqrt(p) + 1))]
    powers = (p**e for p in primes for e in range(1, 9))
    return sorted(q for q in powers if q <= LARGEST_FIELD)


@final
@dataclass(frozen=True, slots=True, init=False)
class LocalHashing(AbstractMechanism):
    r"""Local hashing: answers are thrown into g cells by a seed of one's own; a cell is reported.

    Whoever counts throws all answers for every report: n · k steps. Projective geometry response
    has no more error and no such cost.

    Parameters
    ----------
    ratio : number
        e^ε.
    cells : int, optional
        g: 2 is binary local hashing (BLH); left out, that with the least variance, next to e^ε + 1
        (OLH).

    References
    ----------
    Wang, Blocki, Li & Jha (2017), local hashing.

    >>> from askance import Frame
    >>> from askance.mechanisms import LocalHashing
    >>> LocalHashing(ratio=3).channel(Frame(["a", "b", "c"])).oracle
    HashOracle(answers=3, cells=4, truth=Fraction(1, 2))
    """

    name: ClassVar[str] = "hash"
    ratio: Fraction
    cells: int | None

    def __init__(self, *, ratio: object, cells: int | None = None) -> None:
        object.__setattr__(self, "ratio", _read_ratio(ratio, "LocalHashing.ratio"))
        allowed = "a whole number from 2 to 2^20"
        count = (
            None
            if cells is None
            else read_integer(cells, "LocalHashing.cells", allowed, 2, 1 << 20)
        )
        object.__setattr__(self, "cells", count)

    @classmethod
    @checked
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "LocalHashing":
        """Be as truthful as ε-local differential privacy allows.

        >>> from askance.mechanisms import LocalHashing
        >>> LocalHashing.at_epsilon(ratio=3)
        LocalHashing(ratio=Fraction(3, 1), cells=None)
        """
        return cls(ratio=_read_bound(epsilon, ratio))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel over these answers, exact and without a matrix."""
        near = int(self.ratio + 1)
        cells = [self.cells] if self.cells else [max(near, 2), near + 1]
        oracles = [self._oracle(len(frame), count) for count in cells]
        return Channel.from_oracle(frame, min(oracles, key=spread))

    def _oracle(self, answers: int, cells: int) -> HashOracle:
        truth = self.ratio / (self.ratio + cells - 1)
        return HashOracle(answers=answers, cells=cells, truth=truth)
