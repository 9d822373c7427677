"""What a tally keeps of a complex sample: how its weighted counts vary with who was drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.errors import DocumentError, InputError, refuse_unknown
from askance.results import keep_read_only, numbers
from askance.typing import Floats, Json

_SAME = 1e-9
"""How far a covariance may be from one, of its size, by rounding."""


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

    @checked
    def __init__(
        self,
        covariance: npt.ArrayLike,
        *,
        freedom: float,
        repeated: npt.ArrayLike,
        samples: Sequence[str],
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
        values = held, float(freedom), back, tuple(sorted(samples))
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
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DesignSums) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[Any, ...]:
        held = (self.covariance.tobytes(), self.repeated.tobytes())
        return (*held, self.freedom, self.samples)


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
    )


def written(sums: DesignSums, reports: Sequence[str], received: Sequence[int]) -> Json:
    """Write a design's sums for JSON, by the names of the reports that were received."""
    return {
        "freedom": sums.freedom,
        "samples": list(sums.samples),
        "repeated": {reports[at]: sums.repeated[at].item() for at in received},
        "covariance": {
            reports[at]: {reports[to]: sums.covariance[at, to].item() for to in received}
            for at in received
        },
    }


def read(told: Any, reports: Sequence[str]) -> DesignSums:
    """Read what `written` wrote.

    Raises
    ------
    DocumentError, InputError
        If it is something else.
    """
    parts = {"freedom", "samples", "repeated", "covariance"}
    if not isinstance(told, Mapping) or set(told) != parts:
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
    return DesignSums(held, freedom=freedom, repeated=back, samples=samples)


def is_covariance(held: Floats) -> bool:
    """Say whether numbers are finite, alike on both sides and have no negative eigenvalue.

    >>> is_covariance(np.eye(2)), is_covariance(np.array([[1.0, 2.0], [2.0, 1.0]]))
    (True, False)
    """
    if not np.isfinite(held).all():
        return False
    size = _SAME * len(held) * float(np.abs(held).max(initial=0.0))
    if np.abs(held - held.T).max(initial=0.0) > size:
        return False
    return bool(np.linalg.eigvalsh(held).min(initial=0.0) >= -size)


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
