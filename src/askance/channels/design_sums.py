"""What a tally keeps of a complex sample: how its weighted counts vary with who was drawn."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.errors import DocumentError, InputError, refuse_unknown
from askance.exact.ratio import whole
from askance.results import json_of, keep_read_only, numbers, over_replicates
from askance.typing import Floats, Json

_SAME = 1e-9
"""How far a covariance may be from one, of its size, by rounding."""
_COUNT = "a whole number of replicates"
_MOST = 10**9


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class DesignSums:
    """Design-based covariance of the weighted counts of reports.

    Parameters
    ----------
    covariance : array_like, shape (m, m)
        Of Σ w over those who sent each report.
    freedom : float
        Its degrees of freedom.
    repeated : array_like, shape (m,)
        Σ f w² over those who sent each report, with f the fraction of the population that was
        drawn with them: 0 if with replacement. A finite population leaves less to chance in who is
        drawn, but nothing less in what the channel draws; this is what has to be given back.
    samples : sequence of str
        Marks of the samples. Groups of one sample are not independent, and are not added.
    replicates : int
        Over how many replicates the covariance was found, those of all samples; 0 if linearised.

    Raises
    ------
    InputError
        If shapes differ, or a number is missing, or negative where it cannot be.

    >>> from askance.channels import DesignSums
    >>> one = DesignSums([[2, -1], [-1, 2]], freedom=9, repeated=[0, 0], samples=["first"])
    >>> both = one + DesignSums([[1, 0], [0, 1]], freedom=5, repeated=[0, 0], samples=["second"])
    >>> both.covariance.tolist(), both.freedom, both.samples
    ([[3.0, -1.0], [-1.0, 3.0]], 14.0, ('first', 'second'))
    """

    covariance: Floats
    freedom: float
    repeated: Floats
    samples: tuple[str, ...]
    replicates: int

    @checked
    def __init__(
        self,
        covariance: npt.ArrayLike,
        *,
        freedom: float,
        repeated: npt.ArrayLike,
        samples: Sequence[str],
        replicates: int = 0,
    ) -> None:
        held = numbers(covariance, "DesignSums.covariance")
        back = numbers(repeated, "DesignSums.repeated")
        size = len(back) if back.ndim == 1 else -1
        if held.shape != (size, size):
            raise InputError(
                "DesignSums.covariance",
                got=f"shape {held.shape}",
                allowed=f"shape ({max(size, 0)}, {max(size, 0)}), as repeated has it",
            )
        if not is_covariance(held):
            raise InputError(
                "DesignSums.covariance",
                got="what is no covariance",
                allowed="finite numbers, symmetric, without a negative eigenvalue",
            )
        fits = np.isfinite(back) & (back >= 0)
        if not fits.all():
            at = int(np.argmin(fits))
            raise InputError(f"DesignSums.repeated[{at}]", got=back[at], allowed="[0, ∞)")
        if not freedom >= 0:
            raise InputError("DesignSums.freedom", got=freedom, allowed="[0, ∞]")
        if replicates < 0:
            raise InputError("DesignSums.replicates", got=replicates, allowed="0, 1, 2, …")
        values = held, float(freedom), back, tuple(sorted(samples)), replicates
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)
        keep_read_only(self, "covariance repeated")

    def __add__(self, other: "DesignSums") -> "DesignSums":
        """Put independent samples together."""
        if not isinstance(other, DesignSums):
            return NotImplemented
        if set(self.samples) & set(other.samples):
            raise InputError(
                "Tally.__add__",
                got="two groups of one sample, which are not independent",
                allowed="samples that were drawn apart",
                remedy="tally both groups together",
            )
        return DesignSums(
            self.covariance + other.covariance,
            freedom=self.freedom + other.freedom,
            repeated=self.repeated + other.repeated,
            samples=self.samples + other.samples,
            replicates=self.replicates + other.replicates,
        )

    @checked
    def of(self, places: npt.ArrayLike) -> "DesignSums":
        """Take the sums of some reports, in this order.

        Raises
        ------
        InputError
            If a place is none of them.

        >>> held = DesignSums([[2, -1], [-1, 3]], freedom=9, repeated=[0, 1], samples=["a"])
        >>> held.of([1]).covariance.tolist(), held.of([1]).repeated.tolist()
        ([[3.0]], [1.0])
        """
        given, m = numbers(places, "places"), len(self.repeated)
        if given.ndim != 1 or not np.isin(given, np.arange(m)).all():
            raise InputError("places", got=places, allowed=f"whole numbers in [0, {m - 1}]")
        at = given.astype(np.int64)
        return DesignSums(
            self.covariance[np.ix_(at, at)],
            freedom=self.freedom,
            repeated=self.repeated[at],
            samples=self.samples,
            replicates=self.replicates,
        )

    @property
    def told(self) -> str:
        """What the covariance comes from, in words."""
        over = over_replicates(self.replicates)
        return f"a complex sample{over}, {self.freedom:g} degrees of freedom"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DesignSums) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[Any, ...]:
        held = (self.covariance.tobytes(), self.repeated.tobytes())
        return (*held, self.freedom, self.samples, self.replicates)


def side_by_side(parts: Sequence[DesignSums]) -> DesignSums | None:
    """Put the reports of samples that were drawn apart side by side; None of none.

    >>> one = DesignSums([[2]], freedom=9, repeated=[0], samples=["first"])
    >>> both = side_by_side([one, DesignSums([[3]], freedom=5, repeated=[1], samples=["other"])])
    >>> both.covariance.tolist(), both.freedom, both.repeated.tolist()
    ([[2.0, 0.0], [0.0, 3.0]], 14.0, [0.0, 1.0])
    """
    if not parts:
        return None
    sizes = [len(one.repeated) for one in parts]
    held, first = np.zeros((sum(sizes), sum(sizes))), 0
    for one, size in zip(parts, sizes, strict=True):
        held[first : first + size, first : first + size] = one.covariance
        first += size
    return DesignSums(
        held,
        freedom=sum(one.freedom for one in parts),
        repeated=np.concatenate([one.repeated for one in parts]),
        samples=[mark for one in parts for mark in one.samples],
        replicates=sum(one.replicates for one in parts),
    )


def written(sums: DesignSums, reports: Sequence[str], received: Sequence[int]) -> Json:
    """Write a design's sums for JSON, by the names of the reports that were received."""
    told: Json = {
        "freedom": sums.freedom,
        "samples": list(sums.samples),
        "repeated": {reports[at]: sums.repeated[at].item() for at in received},
        "covariance": {
            reports[at]: {reports[to]: sums.covariance[at, to].item() for to in received}
            for at in received
        },
    }
    return told | ({"replicates": sums.replicates} if sums.replicates else {})


def read(told: Any, reports: Sequence[str]) -> DesignSums:
    """Read what `written` wrote.

    Raises
    ------
    DocumentError, InputError
        If it is something else.
    """
    parts = {"freedom", "samples", "repeated", "covariance"}
    if not isinstance(told, Mapping) or set(told) - {"replicates"} != parts:
        raise DocumentError("tally.design", allowed=f"an object with {', '.join(sorted(parts))}")
    places = {report: at for at, report in enumerate(reports)}
    rows = _row(told["covariance"], places, "tally.design.covariance")
    held = np.zeros((len(places), len(places)))
    for at, row in rows.items():
        where = f"tally.design.covariance[{reports[at]!r}]"
        for to, value in _row(row, places, where).items():
            held[at, to] = _number(value, where)
    back = np.zeros(len(places))
    for at, value in _row(told["repeated"], places, "tally.design.repeated").items():
        back[at] = _number(value, "tally.design.repeated")
    samples = told["samples"]
    if not isinstance(samples, list) or not all(isinstance(one, str) for one in samples):
        raise DocumentError("tally.design.samples", allowed="a list of texts")
    freedom = _number(told["freedom"], "tally.design.freedom")
    again = whole(told.get("replicates", 0), "tally.design.replicates", _COUNT, 0, _MOST)
    return DesignSums(held, freedom=freedom, repeated=back, samples=samples, replicates=again)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampledSupports:
    r"""How often reports of a sample leave each answer possible, and how that varies.

    .. math:: f_a = N_a / H_a, \qquad \hat V(f_a) = (V_N - 2 f_a C + f_a^2 V_H + F_a) / H_a^2

    with N_a the sum of weights of those whose report leaves the answer possible, and H_a of those
    whose report tells of it. Answers may be very many: how two of them vary together is kept of 50
    at most,

    .. math:: \widehat{\mathrm{Cov}}(f_a, f_b) = \frac{C(N_a - f_a H_a,\, N_b - f_b H_b) + F_{ab}}
              {H_a H_b}

    Attributes
    ----------
    named, heard : array, shape (k,)
        N and H.
    moments : array, shape (k, 3)
        The variance of N, its covariance with H, and the variance of H: by the design; with weights
        alone of people drawn with replacement.
    repeated : array, shape (k,)
        F, Σ f w² over those who name the answer, as in `DesignSums`.
    squares : float
        Σ w² over all reports.
    freedom : float
        Degrees of freedom; infinite with weights alone.
    samples : tuple of str
        Marks of the samples; none with weights alone.
    replicates : int
        Over how many replicates the moments were found; 0 if linearised.
    together : array, shape (2k, 2k), or None
        The covariance C of all N, and then of all H, with F_ab, Σ f w² over those who name both,
        added to that of two N; None where it is not kept.

    Raises
    ------
    InputError
        If shapes differ, a number is missing, or a sum is negative or larger than it can be.

    >>> one = SampledSupports(
    ...     named=[6, 2], heard=[8, 8], moments=[[2, 2, 3], [1, 1, 3]], repeated=[0, 0], squares=9
    ... )
    >>> one.frequency.tolist(), one.variance.round(4).tolist()
    ([0.75, 0.25], [0.0107, 0.0107])
    """

    named: Floats
    heard: Floats
    moments: Floats
    repeated: Floats
    squares: float
    freedom: float = math.inf
    samples: tuple[str, ...] = ()
    replicates: int = 0
    together: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("named", "heard", "moments", "repeated"):
            object.__setattr__(self, name, numbers(getattr(self, name), f"SampledSupports.{name}"))
        k = len(self.named)
        fits = {
            "heard": self.heard.shape == (k,),
            "named": self.heard.shape == (k,)
            and bool(((self.named >= 0) & (self.named <= self.heard * (1 + _SAME))).all()),
            "moments": self.moments.shape == (k, 3) and bool((self.moments[:, [0, 2]] >= 0).all()),
            "repeated": self.repeated.shape == (k,) and bool((self.repeated >= 0).all()),
            "squares": self.squares >= 0,
            "freedom": self.freedom >= 0,
            "replicates": self.replicates >= 0,
        }
        if self.together is not None:
            held = numbers(self.together, "SampledSupports.together")
            object.__setattr__(self, "together", held)
            fits["together"] = held.shape == (2 * k, 2 * k) and _is_even(held)
            keep_read_only(self, "together")
        finite = (self.named, self.heard, self.moments, self.repeated, np.array(self.squares))
        if not all(np.isfinite(one).all() for one in finite) or not all(fits.values()):
            wrong = next((name for name, right in fits.items() if not right), "named")
            raise InputError(
                f"SampledSupports.{wrong}",
                got="others",
                allowed=f"finite sums of {k} answers, none negative, and no more named than heard",
            )
        object.__setattr__(self, "samples", tuple(sorted(self.samples)))
        keep_read_only(self, "named heard moments repeated")

    @property
    def frequency(self) -> Floats:
        """How often each answer is left possible, weighted; not a number where nobody tells."""
        return _quotient(self.named, self.heard, np.nan)

    @property
    def variance(self) -> Floats:
        """The variance of each frequency."""
        f, (one, both, all_of) = self.frequency, self.moments.T
        held: Floats = (one - 2 * f * both + f**2 * all_of).clip(0) + self.repeated
        return _quotient(held, self.heard**2, np.nan)

    @property
    def correlation(self) -> Floats | None:
        """How frequencies go together, shape (k, k); None if it is not kept."""
        if self.together is None:
            return None
        own = np.eye(len(self.named))
        slope = np.hstack([own, -own * np.nan_to_num(self.frequency)[:, None]])
        return correlation(slope @ self.together @ slope.T)

    @property
    def effective(self) -> Floats:
        """Effective numbers of reports, shape (k,): f(1 − f) over the variance.

        Where all reports say the same they are as many as their weights allow (Kish, 1965).
        """
        f, variance = self.frequency, self.variance
        alike = self.heard.max(initial=0.0) ** 2 / self.squares if self.squares else 0.0
        told = np.where((f > 0) & (f < 1), variance, 0.0)
        return _quotient(f * (1 - f), told, alike)

    def __add__(self, other: "SampledSupports") -> "SampledSupports":
        """Put independent samples together."""
        if not isinstance(other, SampledSupports):
            return NotImplemented
        if set(self.samples) & set(other.samples) or bool(self.samples) != bool(other.samples):
            raise InputError(
                "SupportTally.__add__",
                got="two groups of one sample, or a design beside weights alone",
                allowed="samples that were drawn apart, with designs or without",
                remedy="tally both together",
            )
        one, two = self.together, other.together
        return SampledSupports(
            named=self.named + other.named,
            heard=self.heard + other.heard,
            moments=self.moments + other.moments,
            repeated=self.repeated + other.repeated,
            squares=self.squares + other.squares,
            freedom=self.freedom + other.freedom,
            samples=self.samples + other.samples,
            replicates=self.replicates + other.replicates,
            together=None if one is None or two is None else one + two,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SampledSupports) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.named.tobytes(), self.squares, self.freedom, self.samples))

    def to_dict(self) -> Json:
        """Write the sums for JSON; None are infinitely many degrees of freedom."""
        return {name: told for name, told in json_of(self).items() if name not in _LATER or told}

    @classmethod
    @checked
    def from_dict(cls, written: Any) -> "SampledSupports":
        """Read what `to_dict` wrote.

        Raises
        ------
        DocumentError
            If it is something else.
        """
        needed = set(cls.__slots__) - set(_LATER)
        if not isinstance(written, dict) or set(written) - set(_LATER) != needed:
            parts = ", ".join(cls.__slots__)
            raise DocumentError("tally.sample", allowed=f"an object with {parts}")
        marks = written["samples"]
        if not isinstance(marks, list) or not all(isinstance(one, str) for one in marks):
            raise DocumentError("tally.sample.samples", allowed="a list of texts")
        told = written | {"samples": tuple(marks)}
        for name in ("squares", "freedom"):
            value = math.inf if (name, told[name]) == ("freedom", None) else told[name]
            told[name] = _number(value, f"tally.sample.{name}")
        again, where = told.get("replicates", 0), "tally.sample.replicates"
        told["replicates"] = whole(again, where, _COUNT, 0, _MOST)
        try:
            return cls(**told)
        except InputError as error:
            where = error.where.replace("SampledSupports", "tally.sample", 1)
            raise DocumentError(where, got=error.got, allowed=error.allowed) from error


_LATER = ("replicates", "together")
"""What documents lack that were written before, or that have none."""


def correlation(covariance: Floats) -> Floats:
    """Turn a covariance into correlations, 0 beside what does not vary.

    >>> correlation(np.array([[4.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])).tolist()
    [[1.0, -0.5, 0.0], [-0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    sd = np.sqrt(np.diag(covariance).clip(0))
    size = np.where(sd > 0, sd, np.inf)
    held = (covariance / size / size[:, None]).clip(-1, 1)
    np.fill_diagonal(held, 1.0)
    return held


def _quotient(above: Floats, below: Floats, otherwise: float) -> Floats:
    known = below > 0
    held: Floats = np.divide(above, below, out=np.full(len(above), otherwise), where=known)
    return held


def is_covariance(held: Floats) -> bool:
    """Say whether numbers are finite, alike on both sides and have no negative eigenvalue.

    >>> is_covariance(np.eye(2)), is_covariance(np.array([[1.0, 2.0], [2.0, 1.0]]))
    (True, False)
    """
    return _is_even(held) and bool(np.linalg.eigvalsh(held).min(initial=0.0) >= -_rounding(held))


def _is_even(held: Floats) -> bool:
    """Say whether numbers are finite, and alike on both sides."""
    even = np.isfinite(held).all() and np.abs(held - held.T).max(initial=0.0) <= _rounding(held)
    return bool(even)


def _rounding(held: Floats) -> float:
    return _SAME * len(held) * float(np.abs(held).max(initial=0.0))


def _row(written: Any, places: Mapping[str, int], where: str) -> dict[int, Any]:
    if not isinstance(written, Mapping):
        raise DocumentError(where, allowed="an object of numbers by report")
    for report in written:
        refuse_unknown(where, report, places)
    return {places[report]: value for report, value in written.items()}


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DocumentError(where, got=value, allowed="a number")
    return float(value)
