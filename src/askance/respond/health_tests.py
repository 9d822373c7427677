"""The system's random bytes, tested as they are drawn: a source that is stuck protects nobody.

The twin of ``browser/health.js``; both are held to the vectors in ``wire/vectors``.
"""

import secrets
from threading import Lock
from typing import final

from askance.arguments import checked
from askance.errors import AskanceError

ALIKE = 6
"""How many bytes alike in a row raise the alarm of the repetition count test."""

LIKE_THE_FIRST = 20
"""How many bytes of a window like its first raise that of the adaptive proportion test."""

WINDOW = 512
_START_UP = 64, 16


@final
class HealthTests:
    """Test random bytes by the repetition count test and the adaptive proportion test.

    Each byte is taken to hold H = 8 bits, and each test raises a false alarm with probability
    α = 2⁻⁴⁰ at most, at a byte or in a window::

        C₁ = 1 + ⌈−log₂ α / H⌉ = 6
        C₂ = min {c : P(1 + B ≥ c) ≤ α} = 20,  B ~ Binomial(W − 1, 2⁻ᴴ)

    The first test fails at C₁ bytes alike in a row, the second where C₂ of a window of W = 512
    bytes are like its first. The standard's formula for C₂ (1 + CRITBINOM(W, 2⁻ᴴ, 1 − α) = 19)
    leaves out that the first byte always counts: it would raise five times as many false alarms.

    Turan et al. (2018), NIST SP 800-90B, sections 4.4.1 and 4.4.2.

    >>> from askance.respond import HealthTests
    >>> tests = HealthTests()
    >>> tests.passes(bytes(range(256))), tests.passes(bytes(6)), tests.passes(b"1")
    (True, False, False)
    """

    __slots__ = ("_alike", "_first", "_last", "_like", "_passed", "_seen")

    def __init__(self) -> None:
        self._seen = self._alike = self._like = 0
        self._first = self._last = -1
        self._passed = True

    @checked
    def passes(self, drawn: bytes) -> bool:
        """Take bytes as they are drawn, and say whether none of all so far has failed a test."""
        for byte in drawn:
            if self._seen % WINDOW == 0:
                self._first, self._like = byte, 0
            self._like += byte == self._first
            self._alike = self._alike + 1 if byte == self._last else 1
            self._last = byte
            self._seen += 1
            self._passed &= self._alike < ALIKE and self._like < LIKE_THE_FIRST
        return self._passed


@final
class SystemSource:
    """The operating system's random bytes, tested before the first is used and then at each draw.

    The start-up test takes 1,024 bytes, in draws as long as an id: what begins anew with each draw
    is seen by it. A source that has failed stays refused, until the process begins again.
    """

    __slots__ = ("_begun", "_lock", "_tests")

    def __init__(self) -> None:
        self._tests, self._lock, self._begun = HealthTests(), Lock(), False

    def draw(self, count: int) -> bytes:
        """Draw so many fresh bytes.

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
            drawn = secrets.token_bytes(count)
            if self._tests.passes(drawn):
                return drawn
        allowed = "a source of random bytes that is not stuck"
        remedy = "nobody can be asked on this machine: nothing would protect their answers"
        raise AskanceError("os.urandom", allowed=allowed, remedy=remedy)


SYSTEM_BYTES = SystemSource()
"""Of this process."""
