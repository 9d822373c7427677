"""Sums over all reports of a store, by which a changed or lost one is found."""

from dataclasses import dataclass
from typing import Self, final

BITS = 256
"""Of a sum, which is taken modulo 2^256."""


@final
@dataclass(frozen=True, slots=True)
class Sums:
    """How many reports there are, and the sums of their hashes modulo 2^256.

    Attributes
    ----------
    count : int
    values : int
        Of the values alone, so that counts of values can be checked without reading an id.
    reports : int
        Of ids with values; of tokens that are spent; and of the form, and whether the survey is
        closed.

    >>> first, second = Sums(1, 5, 7), Sums(1, 2**256 - 1, 0)
    >>> first + second
    Sums(count=2, values=4, reports=7)
    >>> Sums.read((first + second).spelling) - second == first
    True
    """

    count: int = 0
    values: int = 0
    reports: int = 0

    def __add__(self, other: Self) -> "Sums":
        return self._add_scaled(other, 1)

    def __sub__(self, other: Self) -> "Sums":
        return self._add_scaled(other, -1)

    def _add_scaled(self, other: Self, sign: int) -> "Sums":
        return Sums(
            self.count + sign * other.count,
            (self.values + sign * other.values) % (1 << BITS),
            (self.reports + sign * other.reports) % (1 << BITS),
        )

    @property
    def spelling(self) -> bytes:
        """The sums as 72 bytes."""
        sums = ((self.count, 8), (self.values, 32), (self.reports, 32))
        return b"".join(number.to_bytes(size, "big") for number, size in sums)

    @classmethod
    def read(cls, spelling: bytes) -> "Sums":
        """Read what `spelling` gives."""
        return cls(*(int.from_bytes(spelling[a:b], "big") for a, b in ((0, 8), (8, 40), (40, 72))))
