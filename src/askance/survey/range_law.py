"""The law of a range question as a form publishes it: whole numbers, and nothing left out."""

from typing import Any

from askance.channels.range_channel import RangeChannel
from askance.channels.ring_channel import RingChannel


def law_of(channel: RangeChannel | RingChannel) -> dict[str, Any]:
    """Write the kind of question and its law; every key is there, whether it is used or not.

    >>> from askance.exact.line import Line
    >>> law_of(RangeChannel(Line(0, 3, 1), [1, 2]))
    {'kind': 'cuts', 'cuts': {'number': 1, 'weights': [1, 2], 'floor': None, 'open': []}}
    """
    weights = list(channel.weights)
    if isinstance(channel, RingChannel):
        weights = list(channel.law.weights)  # of two cuts; others are refused there
        sizes, least = list(channel.floor.sizes), channel.floor.least
        return {"kind": "ring", "ring": {"weights": weights, "sizes": sizes, "least": least}}
    floor = None
    if channel.floor is not None:
        rule = "withhold" if channel.withhold else "skip"
        sizes, least = list(channel.floor.sizes), channel.floor.least
        floor = {"sizes": sizes, "least": least, "rule": rule}
    opened = [list(stretch) for stretch in channel.open]
    cuts = {"number": channel.number, "weights": weights, "floor": floor, "open": opened}
    return {"kind": "cuts", "cuts": cuts}
