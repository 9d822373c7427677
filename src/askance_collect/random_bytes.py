"""The operating system's random bytes, tested as they are drawn: stuck, they protect nobody.

All that Python draws here comes from `SYSTEM_BYTES`: draws of respondents, in bulk too, ids, codes,
factors that blind, keys, and the seeds of dice that nobody gave one.
"""

import secrets
from collections.abc import Callable
from threading import Lock
from typing import final

from askance_collect.errors import AskanceError, InputError

REPETITIONS = 6
"""How many equal bytes in a row raise the alarm of the repetition count test."""

LIKE_THE_FIRST = 20
"""How many bytes of a window like its first raise that of the adaptive proportion test."""

WINDOW = 512
_START_UP = 64, 16

Alarm = Callable[[bytes, bytes], bool]
"""Says whether whole windows, behind the last bytes before them, raise an alarm of either test."""


def has_repetition(data: bytes) -> bool:
    """Say whether the repetition count test fails: at `REPETITIONS` equal bytes in a row.

    >>> has_repetition(b"a" + bytes(5)), has_repetition(b"a" + bytes(6))
    (False, True)
    """
    number = int.from_bytes(data, "big")
    steps = (number ^ number >> 8).to_bytes(len(data), "big")  # from each byte to the next
    return steps.find(bytes(REPETITIONS - 1), 1) >= 0


def raises_alarm(before: bytes, windows: bytes) -> bool:
    """Say whether whole windows fail either test.

    >>> raises_alarm(b"", bytes(range(256)) * 2), raises_alarm(b"", bytes(range(16)) * 32)
    (False, True)
    """
    starts = range(0, len(windows), WINDOW)
    like = (windows.count(windows[start], start, start + WINDOW) for start in starts)
    return max(like) >= LIKE_THE_FIRST or has_repetition(before + windows)


@final
class HealthTests:
    """Test random bytes by the repetition count test and the adaptive proportion test.

    Each byte is taken to hold H = 8 bits, and each test raises a false alarm with probability
    α = 2⁻⁴⁰ at most, at a byte or in a window::

        C₁ = 1 + ⌈−log₂ α / H⌉ = 6
        C₂ = min {c : P(1 + B ≥ c) ≤ α} = 20,  B ~ Binomial(W − 1, 2⁻ᴴ)

    The first test fails at C₁ equal bytes in a row, the second where C₂ of a window of W = 512
    bytes are like its first. The standard's formula for C₂ (1 + CRITBINOM(W, 2⁻ᴴ, 1 − α) = 19)
    leaves out that the first byte always counts: it would raise five times as many false alarms.

    Turan et al. (2018), NIST SP 800-90B, sections 4.4.1 and 4.4.2. The twin of
    ``respond/browser/health.js``; both are held to the vectors in ``wire/vectors``.

    >>> tests = HealthTests()
    >>> tests.passes(bytes(range(256))), tests.passes(bytes(6)), tests.passes(b"1")
    (True, False, False)
    """

    __slots__ = ("_before", "_count", "_first", "_like", "_passed")

    def __init__(self) -> None:
        self._count = self._first = self._like = 0
        self._before = b""
        self._passed = True

    def passes(self, data: bytes) -> bool:
        """Take bytes as they are drawn, and say whether none of all so far has failed a test.

        Raises
        ------
        InputError
            If it is given no bytes.
        """
        if not isinstance(data, bytes):
            raise InputError("HealthTests.passes.data", got=type(data).__name__, allowed="bytes")
        return self._take(data, raises_alarm)

    def _take(self, data: bytes, alarm: Alarm) -> bool:
        """Take bytes, the whole windows among them by a test of their own."""
        begun = min(-self._count % WINDOW, len(data))
        end = begun + (len(data) - begun) // WINDOW * WINDOW
        self._take_part(data[:begun])
        if windows := data[begun:end]:
            self._passed &= not alarm(self._before, windows)
            self._advance(windows)
        self._take_part(data[end:])
        return self._passed

    def _take_part(self, part: bytes) -> None:
        """Take bytes of one window, which it may not fill."""
        if part:
            if self._count % WINDOW == 0:
                self._first, self._like = part[0], 0
            self._like += part.count(self._first)
            self._passed &= self._like < LIKE_THE_FIRST
            self._passed &= not has_repetition(self._before + part)
            self._advance(part)

    def _advance(self, data: bytes) -> None:
        self._count += len(data)
        self._before = (self._before + data[1 - REPETITIONS :])[1 - REPETITIONS :]


@final
class SystemSource:
    """The operating system's random bytes, tested before the first is used and then at each draw.

    The start-up test takes 1,024 bytes, in draws as long as an id: what begins anew with each draw
    is seen by it. A source that has failed stays refused, until the process begins again.
    """

    __slots__ = ("_begun", "_lock", "_tests")

    def __init__(self) -> None:
        self._tests, self._lock, self._begun = HealthTests(), Lock(), False

    def __reduce__(self) -> str:
        """Refer to the source of the process that reads it: no test of another one holds there."""
        return "SYSTEM_BYTES"

    def draw(self, count: int, alarm: Alarm = raises_alarm) -> bytes:
        """Draw so many fresh bytes.

        Parameters
        ----------
        count : int
        alarm : callable
            What tests whole windows of them: of many bytes there is a quicker one.

        Raises
        ------
        AskanceError
            If the source has failed a test.

        >>> len(SystemSource().draw(6))
        6
        """
        with self._lock:
            if not self._begun:
                self._begun = True
                for _ in range(_START_UP[0]):
                    self._tests.passes(secrets.token_bytes(_START_UP[1]))
            fresh = secrets.token_bytes(count)
            if self._tests._take(fresh, alarm):
                return fresh
        allowed = "a source of random bytes that is not stuck"
        remedy = "draw nothing on this machine: it would protect nobody"
        raise AskanceError("os.urandom", allowed=allowed, remedy=remedy)

    def below(self, bound: int) -> int:
        """Draw an integer uniform on 0 … bound − 1, exactly: what is not below it is thrown away.

        Raises
        ------
        AskanceError
            If the source has failed a test.

        >>> SystemSource().below(1)
        0
        """
        bits = (bound - 1).bit_length()
        while True:
            number = int.from_bytes(self.draw(-(-bits // 8)), "big") >> -bits % 8
            if number < bound:
                return number


SYSTEM_BYTES = SystemSource()
"""Of this process."""
