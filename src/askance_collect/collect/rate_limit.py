"""Rate limit of open surveys: some work for each report, and not too many from one network.

All of it is in memory. A challenge is the same for everybody who asks within ten minutes. Of where
reports come from there is a count for each neighbourhood of the net, under a hash whose key is
drawn when the collector starts, is overwritten every ten minutes, and is written nowhere: then the
counts are gone, and nobody can say any more which neighbourhood a hash stood for.
"""

import math
import re
from asyncio import sleep
from collections.abc import Mapping
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from typing import Any, final

from askance_collect.collect.environment import SYSTEM, Environment
from askance_collect.errors import InputError, ReportRefused
from askance_collect.wire.open_link import CHALLENGE, WHILE, OpenLink, check_stamp

MAX_NEIGHBOURHOODS = 1 << 16
"""Neighbourhoods that are counted at once. Those beyond are let in: a flood shuts nobody out."""

_KEY = 32
_V4, _V6 = 3, 7  # bytes of a neighbourhood: /24 and /56
_HEADER = re.compile(r"[A-Za-z0-9-]{1,64}")


_Request = Mapping[str, Any]
"""What is known of a request (ASGI)."""


@final
class RateLimit:
    """Lets reports in under a form that says what each costs.

    Parameters
    ----------
    size : int
        The length in bytes of a report.
    link : OpenLink
    header : str
        The header in which a proxy of one's own says where a request comes from; empty where there
        is none. What stands last in it was written by the nearest one.
    environment : Environment

    >>> from askance_collect.wire.open_link import OpenLink
    >>> door = RateLimit(256, OpenLink(rate=1))
    >>> request = {"client": ("203.0.113.7", 50_000), "headers": []}
    >>> door.wait(request), door.count(request), door.wait(request), door.turn(), door.wait(request)
    (0, None, 600, None, 0)
    """

    __slots__ = (
        "_challenges",
        "_counts",
        "_environment",
        "_header",
        "_key",
        "_link",
        "_since",
        "_size",
    )

    def __init__(
        self,
        size: int,
        link: OpenLink,
        header: str = "",
        environment: Environment = SYSTEM,
    ) -> None:
        if header and not _HEADER.fullmatch(header):
            allowed = "the name of a header, such as X-Forwarded-For"
            raise InputError("address-header", got=header, allowed=allowed)
        self._size, self._link, self._environment = size, link, environment
        self._header = header.lower().encode("ascii")
        self._counts = dict[bytes, int]()
        self._key = bytearray(_KEY)
        self._draw_key()
        self._challenges = [environment.random_bytes(CHALLENGE)]
        self._since = self._environment.monotonic()

    def describe_terms(self, request: _Request) -> dict[str, object]:
        """Say what a page has to know before it sends: what to work on, and how long to wait."""
        terms: dict[str, object] = {}
        if self._link.work is not None:
            terms["challenge"] = self._challenges[0].hex()
        if seconds := self.wait(request):
            terms["wait"] = seconds
        return terms

    def admit(self, body: bytes, request: _Request) -> bytes:
        """Give the report in a body, if its stamp is good and its neighbourhood not too busy.

        Raises
        ------
        ReportRefused
            Whatever is wrong; no message says where from.
        """
        if self.wait(request):
            remedy = "it can be sent again then: nothing is lost"
            allowed = f"at most {self._link.rate:,} in ten minutes from one neighbourhood"
            raise ReportRefused("rate", "reports", allowed=allowed, remedy=remedy)
        if self._link.work is None:
            return body
        report, stamp = body[: self._size], body[self._size :].decode("ascii", "replace")
        fits = (
            check_stamp(stamp, challenge, report, self._link.work) for challenge in self._challenges
        )
        if not any(fits):
            allowed = "one that was worked out for this report, within ten minutes"
            raise ReportRefused("work", "stamp", allowed=allowed, remedy="ask for a new challenge")
        return report

    def wait(self, request: _Request) -> int:
        """Give the seconds until a report from there is taken: 0 if one is taken now."""
        if (
            self._link.rate is None
            or self._counts.get(self._hash_neighbourhood(request), 0) < self._link.rate
        ):
            return 0
        return max(1, math.ceil(self._since + WHILE - self._environment.monotonic()))

    def count(self, request: _Request) -> None:
        """Count a report from there."""
        if self._link.rate is None:
            return
        neighbourhood = self._hash_neighbourhood(request)
        if neighbourhood in self._counts or len(self._counts) < MAX_NEIGHBOURHOODS:
            self._counts[neighbourhood] = self._counts.get(neighbourhood, 0) + 1

    def turn(self) -> None:
        """Forget all counts, overwrite their key, and hand out another challenge.

        The challenge before is good for as long again, for whoever works on it now.
        """
        self._counts.clear()
        self._draw_key()
        self._challenges[:] = [self._environment.random_bytes(CHALLENGE), self._challenges[0]]
        self._since = self._environment.monotonic()

    async def turn_on(self) -> None:
        """Turn every ten minutes, for as long as the collector runs."""
        while True:
            await sleep(WHILE)
            self.turn()

    def _draw_key(self) -> None:
        """Overwrite the key, byte by byte: nothing else ever holds all of it."""
        for i in range(_KEY):
            self._key[i] = self._environment.random_bytes(1)[0]

    def _hash_neighbourhood(self, request: _Request) -> bytes:
        """Give a neighbourhood as it is known until the key is overwritten."""
        return blake2b(_mask_address(self._address(request)), key=self._key).digest()

    def _address(self, request: _Request) -> str:
        if not self._header:
            client = request.get("client")
            return str(client[0]) if client else ""
        values = [value for name, value in request["headers"] if name == self._header]
        return str(values[-1].decode("latin-1").rpartition(",")[2].strip()) if values else ""


def _mask_address(address: str) -> bytes:
    """Give the part of an address that a household, a street or a school has in common.

    What is no address shares one neighbourhood with whatever else is none.

    >>> _mask_address("203.0.113.7") == _mask_address("::ffff:203.0.113.9")
    True
    >>> _mask_address("2001:db8:0:12ff::1") == _mask_address("2001:db8:0:1234::1")
    True
    >>> _mask_address("unknown")
    b''
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return b""
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return mapped.packed[:_V4] if mapped is not None else parsed.packed[:_V6]
    return parsed.packed[:_V4]
