"""Random partitions of the answers: the channel that sends the block that holds the answer."""

from collections.abc import Mapping
from fractions import Fraction

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.errors import InputError

MOST_BLOCKS = 1_100
"""The most reports that a table of blocks may have."""


def block_channel(frame: Frame, chances: Mapping[tuple[str, ...], Fraction]) -> Channel:
    """Send each block, from every answer in it, with the chance that it is drawn.

    The partition is drawn before the answer is looked at: a report never lies, and all answers in
    it send it equally often.

    Raises
    ------
    InputError
        If two blocks would have the same name.

    >>> third = Fraction(1, 3)
    >>> blocks = {("a", "b"): third, ("c",): third, ("a",): 1 - third, ("b", "c"): 1 - third}
    >>> block_channel(Frame(["a", "b", "c"]), blocks).table.rows[1]
    (1, 0, 0, 2)
    """
    meant = {" or ".join(block): block for block in chances}
    if len(meant) < len(chances):
        raise InputError(
            "answers",
            got='names with " or " in them',
            allowed="names by which blocks can be told apart",
        )
    rows = [
        [chance if answer in block else Fraction(0) for block, chance in chances.items()]
        for answer in frame.answers
    ]
    return Channel(frame, meant, rows)


def parted(frame: Frame, number: int, where: str, most: int) -> int:
    """Check that so many blocks hide something of so many answers; give their count.

    >>> parted(Frame(["a", "b", "c"]), 2, "Runs", 100)
    3
    """
    k = len(frame)
    if not number < k <= most:
        raise InputError(
            where,
            got=f"{number} blocks of {k} answers",
            allowed=f"fewer blocks than answers, of which there are at most {most}",
            remedy="as many blocks as answers would send every answer as it is",
        )
    return k
