"""A recommended channel: what it is worth, what it promises, and how much better any could be."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from askance.channels.canvas import axes
from askance.channels.channel import Channel
from askance.channels.listing import Listing, listed, number
from askance.channels.readonly import plain_json
from askance.design.optimum.utility import AbstractUtility
from askance.exact.ratio import percent
from askance.privacy.guarantee import Guarantee
from askance.typing import Json

_FEW = 8  # reports that a table and sentences show


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """A channel ready to deploy, with its certificate.

    Attributes
    ----------
    channel : Channel
        On integers, exactly as it would be deployed.
    utility : AbstractUtility
        What it was chosen for.
    value : float
        The utility of this channel, rounding included.
    bound : float
        No channel that keeps the constraints has a better utility; where `among` is not empty, none
        of those.
    guarantees : tuple of Guarantee
        What was asked for, computed on the integers.
    promises : tuple of str
        The guarantees as sentences.
    among : str
        The channels that the bound is about, where these are not all.
    """

    channel: Channel
    utility: AbstractUtility
    value: float
    bound: float
    guarantees: tuple[Guarantee, ...]
    promises: tuple[str, ...]
    among: str = ""

    @property
    def gap(self) -> float:
        """How much of the utility any other channel could gain at most, as a share."""
        if self.utility.larger_is_better:
            return max(1 - self.value / self.bound, 0.0)
        return max(1 - self.bound / self.value, 0.0)

    @property
    def words(self) -> tuple[str, ...]:
        """What the channel does and promises, in sentences."""
        table = self.channel.table
        if table is None or len(self.channel.reports) > _FEW:
            return self.promises
        sent = tuple(
            f"Of 100 people whose answer is “{answer}”, "
            + ", ".join(
                f"{percent(Fraction(chance).limit_denominator(10**6))} send “{report}”"
                for chance, report in zip(table.row(at), self.channel.reports, strict=True)
                if chance
            )
            + "."
            for at, answer in enumerate(self.channel.frame.answers)
        )
        return (*sent, *self.promises)

    def to_dict(self) -> Json:
        """Write the design for JSON; the integers are in `channel`."""
        document: Json = plain_json(
            {
                "utility": self.utility.name,
                "measure": self.utility.label,
                "value": self.value,
                "bound": self.bound,
                "gap": self.gap,
                "among": self.among,
                "guarantees": [
                    {
                        "notion": one.notion.name.lower(),
                        "value": float(one.value),
                        "attained": one.attained,
                    }
                    for one in self.guarantees
                ],
                "words": list(self.words),
            }
        )
        return {**document, "channel": self.channel.to_dict()}

    def plot(self, ax: Any = None) -> Any:
        """Draw the chances of reports by answers; returns the axes."""
        ax = axes(ax)
        image = ax.imshow(self.channel.matrix, vmin=0, vmax=1, cmap="Blues", aspect="auto")
        ax.set_yticks(range(len(self.channel.frame)), self.channel.frame.answers)
        if len(self.channel.reports) <= 4 * _FEW:
            ax.set_xticks(range(len(self.channel.reports)), self.channel.reports, rotation=90)
        ax.set(xlabel="report", ylabel="answer")
        ax.figure.colorbar(image, ax=ax, label="chance")
        return ax

    def _table(self) -> Listing:
        shown = self.channel.reports[:_FEW]
        more = len(self.channel.reports) - len(shown)
        head = ["answer", *shown, *(["…"] if more else [])]
        rows = [
            [answer, *(f"{chance:.4f}" for chance in row[: len(shown)]), *(["…"] if more else [])]
            for answer, row in zip(self.channel.frame.answers, self.channel.matrix, strict=True)
        ]
        merit = (
            f"{self.utility.label} {number(self.value, 6)}; at most {self.gap:.1e} could be gained"
        )
        among = f" among {self.among}" if self.among else ""
        notes = [f"{len(self.channel.reports)} reports; {merit}{among}", *self.promises]
        return f"optimal channel, {self.utility.name}", head, rows, notes
