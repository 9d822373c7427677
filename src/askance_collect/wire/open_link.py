"""Open links: what keeps a machine from flooding a survey that anybody may answer.

Each report may have to come with a stamp that cost its device some work (Back, 2002), and few may
come from one neighbourhood of the net within a while. A stamp is good for one report and while its
challenge is: the collector hands the same one to everybody who asks. So it says nothing about who
sent it, and a report that is sent again brings nothing.

The work is in `PARTS` parts, so that nobody is unlucky for long. A part is done when a number is
found whose hash, after the challenge, the report and the part, begins with enough zeros.

References
----------
Back (2002), Hashcash: a denial of service counter-measure. Juels, Brainard (1999), Client puzzles:
a cryptographic countermeasure against connection depletion attacks, there in several smaller ones.
"""

from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import Any, final

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.wire.form_schema import bounds, conform

PARTS = 16
CHALLENGE = 16
"""Bytes of a challenge."""

WORK = bounds("open.work")
"""The least and the most work, in bits: so many hashes are expected, as a power of two."""

WHILE = 600
"""Seconds for which reports of a neighbourhood are counted, and a challenge is handed out."""

_DIGITS = 8
_LARGEST = 16**_DIGITS


@final
@dataclass(frozen=True, slots=True)
class OpenLink:
    """What a report costs where everybody who has the address may send one.

    Attributes
    ----------
    work : int or None
        For how many hashes, as a power of two, a device has to work on average.
    rate : int or None
        How many reports are taken within ten minutes from one neighbourhood of the net.

    >>> OpenLink(work=18).size, OpenLink(rate=30).size
    (128, 0)
    """

    work: int | None = None
    rate: int | None = None

    @property
    def size(self) -> int:
        """Characters of a stamp, which stands behind a report."""
        return PARTS * _DIGITS if self.work is not None else 0


@checked
def read_open_link(raw: Any) -> OpenLink:
    """Read what a report costs under a form.

    Parameters
    ----------
    raw : object
        What the form says under ``open``.

    Raises
    ------
    FormError
        With the path of what is wrong.

    >>> from askance_collect.wire import read_open_link
    >>> read_open_link({"work": 18})
    OpenLink(work=18, rate=None)
    >>> read_open_link({"work": 40})
    Traceback (most recent call last):
    askance_collect.errors.FormError: open.work: got 40; allowed: an integer from 8 to 24
    """
    conform(raw, "open", (), "open")
    return OpenLink(**raw)


@checked
def solve_stamp(challenge: bytes, body: bytes, work: int) -> str:
    """Work for a report, as its device does.

    Parameters
    ----------
    challenge : bytes
        What the collector handed out.
    body : bytes
        The report, as it is sent.
    work : int
        In bits.

    Raises
    ------
    InputError
        If there is no such challenge or so much work.

    >>> from askance_collect.wire import check_stamp, solve_stamp
    >>> stamp = solve_stamp(bytes(16), b"{}", 8)
    >>> stamp[:16], check_stamp(stamp, bytes(16), b"{}", 8)
    ('0000000b0000001b', True)
    """
    _require(challenge, work)
    digest = sha256(body).digest()
    return "".join(
        f"{next(n for n in count() if _is_part(challenge, digest, part, n, work)):0{_DIGITS}x}"
        for part in range(PARTS)
    )


@checked
def check_stamp(stamp: str, challenge: bytes, body: bytes, work: int) -> bool:
    """Say whether a stamp was worked out for a report, by as many hashes as it has parts.

    Parameters
    ----------
    stamp : str
        What came with the report, whatever it is.
    challenge : bytes
        What the collector handed out.
    body : bytes
        The report, as it was sent.
    work : int
        In bits.

    Raises
    ------
    InputError
        If there is no such challenge or so much work.

    >>> from askance_collect.wire import check_stamp
    >>> check_stamp("0" * 128, bytes(16), b"{}", 8)
    False
    """
    _require(challenge, work)
    starts = range(0, PARTS * _DIGITS, _DIGITS)
    if len(stamp) != PARTS * _DIGITS or not set(stamp) <= set("0123456789abcdef"):
        return False
    numbers, digest = (
        [int(stamp[start : start + _DIGITS], 16) for start in starts],
        sha256(body).digest(),
    )
    return all(
        _is_part(challenge, digest, part, number, work) for part, number in enumerate(numbers)
    )


def _require(challenge: bytes, work: int) -> None:
    """Refuse to work, or to judge work, on what no collector hands out."""
    if len(challenge) != CHALLENGE:
        raise InputError("challenge", got=f"{len(challenge)} bytes", allowed=f"{CHALLENGE} bytes")
    if not WORK[0] <= work <= WORK[1]:
        raise InputError("work", got=work, allowed=f"{WORK[0]} to {WORK[1]} bits")


def _is_part(challenge: bytes, digest: bytes, part: int, number: int, work: int) -> bool:
    tried = challenge + digest + bytes([part]) + (number % _LARGEST).to_bytes(4, "big")
    zeros = work - (PARTS.bit_length() - 1)
    return int.from_bytes(sha256(tried).digest()[:4], "big") >> (32 - zeros) == 0
