"""What all constraints together ask of a channel: ratios between rows, distances, and silence."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from askance.channels.frame import Frame
from askance.errors import InputError

Ratio = Fraction | float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """A bound on ‖w Q(·|x) − (1 − w) Q(·|x′)‖₁ for one ordered pair of answers.

    Attributes
    ----------
    pair : tuple of int
        x and x′.
    first_weight : Fraction
        w.
    limit : Fraction
    """

    pair: tuple[int, int]
    first_weight: Fraction
    limit: Fraction


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Constraints in numbers.

    Attributes
    ----------
    frame : Frame
    ratios : tuple of tuple of Fraction or float
        No report may be more than ratios[x][x′] times as likely from x as from x′; infinite where
        nothing is asked.
    caps : tuple of Cap
    silent : Fraction
        The chance, whatever the answer, of a report that says nothing.
    walley : Fraction or None
        The bound on Walley's ratio, where reports that say nothing count against it.
    precise : bool
        Whether every other report has to mean a single answer.
    """

    frame: Frame
    ratios: tuple[tuple[Ratio, ...], ...]
    caps: tuple[Cap, ...] = ()
    silent: Fraction = Fraction(0)
    walley: Fraction | None = None
    precise: bool = False

    @classmethod
    def free(cls, frame: Frame) -> "Limits":
        """Ask nothing yet.

        >>> Limits.free(Frame(["yes", "no"])).common_ratio
        inf
        """
        k = len(frame)
        return cls(frame=frame, ratios=((math.inf,) * k,) * k)

    def bounded(self, ratios: tuple[tuple[Ratio, ...], ...]) -> "Limits":
        """Ask for these ratios too."""
        both = tuple(
            tuple(min(pair) for pair in zip(*rows, strict=True))
            for rows in zip(self.ratios, ratios, strict=True)
        )
        return replace(self, ratios=both)

    def capped(self, caps: Iterable[Cap]) -> "Limits":
        """Ask for these distances too; of two bounds on one distance the lower is kept."""
        lowest: dict[tuple[tuple[int, int], Fraction], Cap] = {}
        for cap in (*self.caps, *caps):
            turned = cap.pair[0] > cap.pair[1]
            low, high = sorted(cap.pair)
            key = (low, high), 1 - cap.first_weight if turned else cap.first_weight
            if key not in lowest or cap.limit < lowest[key].limit:
                lowest[key] = cap
        return replace(self, caps=tuple(lowest.values()))

    @property
    def common_ratio(self) -> Ratio | None:
        """The ratio that is asked for alike between all different answers; None if they differ."""
        first = self.ratios[0][1]
        alike = (first,) * (len(self.frame) - 1)
        same = all(row[:x] + row[x + 1 :] == alike for x, row in enumerate(self.ratios))
        return first if same else None

    @property
    def bounded_ratios(self) -> bool:
        """Whether any ratio is bounded."""
        pairs = ((x, other) for x, row in enumerate(self.ratios) for other in range(len(row)))
        return any(self.ratios[x][other] != math.inf for x, other in pairs if x != other)

    @property
    def private(self) -> bool:
        """Whether anything is asked that protects an answer."""
        return bool(self.caps) or self.bounded_ratios

    @property
    def symmetric(self) -> bool:
        """Whether all answers are asked for alike, and weights are one half."""
        k = len(self.frame)
        asked = {(cap.pair, cap.limit) for cap in self.caps}
        limits = {limit for _, limit in asked}
        return (
            self.common_ratio is not None
            and all(cap.first_weight == Fraction(1, 2) for cap in self.caps)
            and len(limits) <= 1
            and len({frozenset(pair) for pair, _ in asked}) in {0, k * (k - 1) // 2}
        )

    @property
    def binding(self) -> "Limits":
        """The same without distances that the ratios keep.

        Where no report outweighs the odds (1 − w)/w that a guesser starts from, every guess is the
        one made without a report, whose distance is |1 − 2w|: the least that a cap allows.
        """
        caps = []
        for cap in self.caps:
            x, other = cap.pair if 2 * cap.first_weight <= 1 else cap.pair[::-1]
            low = min(cap.first_weight, 1 - cap.first_weight)
            if not self.ratios[x][other] * low <= 1 - low:
                caps.append(cap)
        return replace(self, caps=tuple(caps))

    @property
    def telling(self) -> "Limits":
        """What is left to ask of the reports that say something, given that one is sent."""
        if not self.silent:
            return self
        c = 1 - self.silent
        caps = []
        for cap in self.caps:
            least = abs(1 - 2 * cap.first_weight)
            left = (cap.limit - self.silent * least) / c
            caps += [replace(cap, limit=left)] if left < 1 else []
        return replace(self, caps=tuple(caps), silent=Fraction(0))

    def silenced(self, share: Fraction) -> "Limits":
        """Ask that this share of reports says nothing.

        Raises
        ------
        InputError
            If another share was asked for before.
        """
        if self.silent not in {0, share}:
            raise InputError(
                "constraints",
                got=f"shares answered of {1 - self.silent} and of {1 - share}",
                allowed="one",
            )
        return replace(self, silent=share)
