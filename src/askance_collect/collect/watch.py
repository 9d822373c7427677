"""The state of a running collector for its operator: whether it takes reports, and coarse counts.

Nobody is to be seen in a count, neither who took part nor when. So each is rounded down to a
multiple of `STEP`, and all are told as they stood at the end of the last whole `PERIOD`. What has
to be known at once, that reports cannot be written, is a fact about the machine and told as it is.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

from askance_collect.collect.accept import STATUS, Outcome
from askance_collect.collect.environment import SYSTEM, Environment
from askance_collect.errors import ReportRefused

_log = logging.getLogger("askance_collect.collect")

STEP = 10
"""Counts are told in steps of so many."""

PERIOD = 900.0
"""Seconds between the moments at which counts are told anew."""

FRESH = 5.0
"""Seconds for which one attempt to write says how the store is, whoever asks."""

_PATIENCE = 5.0
"""Seconds that an attempt may take before the store is called unable."""

MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"

OUTCOMES: Mapping[Outcome, str] = MappingProxyType(
    {Outcome.NEW: "kept", Outcome.REPEATED: "repeated"}
)
"""What becomes of a report that is acknowledged."""

REFUSALS = (*STATUS, "not-found", "method", "request", "head", "slow")
"""Every cause for which somebody is refused, by the code that they are told."""

FAILURES: Mapping[str, str] = MappingProxyType(
    {
        "disk-full": "the disk is full",
        "read-only": "the store may not be written to",
        "disk-error": "the disk cannot be written to",
        "damaged": "the store is damaged",
        "moved": "the store is not as it was opened",
        "taken": "another program keeps the store to itself",
        "no-descriptors": "no descriptors are left",
        "no-memory": "no memory is left",
        "no-connection": "the database takes no more connections",
        "database-gone": "the database cannot be reached",
        "silent": "the store does not answer",
        "unforeseen": "a fault of the collector",
    }
)
"""Every cause for which reports are not written, or requests not answered, as logs name it."""

_PAGES, _ACKNOWLEDGED, _REFUSED, _FAILED = "pages", "reports", "refusals", "failures"
_HELP = {
    _PAGES: "Pages that were handed out",
    _ACKNOWLEDGED: "Reports that were acknowledged, by what became of them",
    _REFUSED: "Requests that were refused, by the code that was told",
    _FAILED: "Failures, by the cause that the log names",
}
_LABELS = {_ACKNOWLEDGED: "outcome", _REFUSED: "cause", _FAILED: "cause"}
_EVERY = (
    (_PAGES, ""),
    *((_ACKNOWLEDGED, outcome) for outcome in OUTCOMES.values()),
    *((_REFUSED, cause) for cause in REFUSALS),
    *((_FAILED, cause) for cause in FAILURES),
)


@final
class Faults:
    """Faults as the log names them: each kind at once, then so many in a quarter of an hour.

    Whoever can cause one can cause thousands; the log, and its disk, are not theirs to fill.

    >>> faults = Faults()
    >>> for _ in range(3):
    ...     faults.log("a request was not answered: ValueError in app.py:1 [unforeseen]")
    """

    __slots__ = ("_kinds", "_monotonic")

    MOST = 64
    """The most kinds of which anything is kept."""

    def __init__(self, environment: Environment = SYSTEM) -> None:
        self._monotonic = environment.monotonic
        self._kinds: dict[str, tuple[float, int]] = {}

    def log(self, kind: str) -> None:
        """Write a fault down, or count it if its kind was written in this period."""
        now = self._monotonic()
        since, more = self._kinds.get(kind, (now - PERIOD, 0))
        if now - since < PERIOD:
            self._kinds[kind] = (since, more + 1)
            return
        if len(self._kinds) >= self.MOST:
            self._kinds.pop(next(iter(self._kinds)))
        self._kinds[kind] = (now, 0)
        _log.error("%s%s", kind, f", and {more} times more before" if more else "")


@final
class CoarseCounts:
    """Counts of events since the start, rounded so that they reveal no person.

    >>> counts = CoarseCounts()
    >>> for _ in range(19):
    ...     counts.refused("token")
    >>> counts.published()["refusals", "token"]
    0
    """

    __slots__ = ("_faults", "_monotonic", "_now", "_published", "_since")

    def __init__(self, environment: Environment = SYSTEM) -> None:
        self._faults = Faults(environment)
        self._monotonic = environment.monotonic
        self._now = dict.fromkeys(_EVERY, 0)
        self._published = dict(self._now)
        self._since = self._monotonic()

    def page(self) -> None:
        """Count a page."""
        self._add((_PAGES, ""))

    def acknowledged(self, outcome: Outcome) -> None:
        """Count a report that is acknowledged."""
        self._add((_ACKNOWLEDGED, OUTCOMES[outcome]))

    def refused(self, cause: str) -> None:
        """Count a request that is refused."""
        self._add((_REFUSED, cause))

    def failed(self, cause: str) -> None:
        """Count a failure."""
        self._add((_FAILED, cause))

    def fault(self, kind: str) -> None:
        """Count a fault that nobody foresaw, and write its kind down, seldom."""
        self.failed("unforeseen")
        self._faults.log(kind)

    def published(self) -> Mapping[tuple[str, str], int]:
        """Give what may be told: in steps, as it stood when the last period ended."""
        if self._monotonic() - self._since >= PERIOD:
            self._end_period()
        return self._published

    def _add(self, key: tuple[str, str]) -> None:
        self.published()
        if key in self._now:  # all there are: nothing that anybody sends becomes a name
            self._now[key] += 1

    def _end_period(self) -> None:
        """Round all counts, and log which refusals have grown."""
        now = self._monotonic()
        elapsed, self._since = now - self._since, now
        self._since -= elapsed % PERIOD
        before, self._published = (
            self._published,
            {key: n - n % STEP for key, n in self._now.items()},
        )
        grown = [
            key
            for key in self._published
            if key[0] == _REFUSED and self._published[key] > before[key]
        ]
        if grown:
            listed = ", ".join(f"{cause} {self._published[_REFUSED, cause]}" for _, cause in grown)
            _log.warning("refused since the start, in steps of %s: %s", STEP, listed)


@final
@dataclass(frozen=True, slots=True)
class SurveyState:
    """How one survey is: its counts, whether a report could be written, and whether any is taken.

    One that is not asked any more has no counts.
    """

    counts: CoarseCounts | None = None
    able: bool = False
    taking: bool = False


def openmetrics(surveys: Mapping[str, SurveyState], version: str) -> bytes:
    r"""Write how surveys are, by name, in the text format of OpenMetrics 1.0; one may have no name.

    >>> lines = openmetrics({"": SurveyState(CoarseCounts(), able=True)}, "1").decode().splitlines()
    >>> lines[:2], lines[-1]
    (['# TYPE askance_collector info', ...], '# EOF')
    """
    lines = [
        "# TYPE askance_collector info",
        f'askance_collector_info{{version="{version}"}} 1',
        "# TYPE askance_store_able gauge",
        "# HELP askance_store_able Whether a report could be written just now.",
        *(
            f"askance_store_able{_label(survey=n)} {int(state.able)}"
            for n, state in surveys.items()
        ),
        "# TYPE askance_survey_open gauge",
        "# HELP askance_survey_open Whether reports are taken.",
        *(
            f"askance_survey_open{_label(survey=n)} {int(state.taking)}"
            for n, state in surveys.items()
        ),
    ]
    counted = [
        (n, state.counts.published()) for n, state in surveys.items() if state.counts is not None
    ]
    for family, help_text in _HELP.items():
        lines.append(f"# TYPE askance_{family} counter")
        lines.append(f"# HELP askance_{family} {help_text}; in steps of {STEP}, late.")
        for survey, counts in counted:
            for key, number in counts.items():
                if key[0] == family:
                    label = _label(survey=survey, **{_LABELS.get(family, ""): key[1]})
                    lines.append(f"askance_{family}_total{label} {number}")
    return "".join(f"{line}\n" for line in (*lines, "# EOF")).encode("ascii")


def _label(**labels: str) -> str:
    text = ",".join(f'{name}="{value}"' for name, value in labels.items() if value)
    return f"{{{text}}}" if text else ""


@final
class Health:
    """Whether the store takes a report, tried by writing: seldom, however often anybody asks.

    That it was tried just now tells when somebody last asked, and nothing about reports.
    """

    __slots__ = ("_attempt", "_monotonic", "_since", "_try_out")

    def __init__(
        self, try_out: Callable[[], Awaitable[object]], environment: Environment = SYSTEM
    ) -> None:
        self._try_out, self._monotonic = try_out, environment.monotonic
        self._attempt: asyncio.Task[bool] | None = None
        self._since = 0.0

    async def good(self) -> bool:
        """Say whether a report could be written, a few seconds ago at most."""
        done = self._attempt is not None and self._attempt.done()
        if self._attempt is None or (done and self._monotonic() - self._since >= FRESH):
            self._since = self._monotonic()
            self._attempt = asyncio.create_task(self._tried())
        try:
            return await asyncio.wait_for(asyncio.shield(self._attempt), _PATIENCE)
        except TimeoutError:
            return False

    async def _tried(self) -> bool:
        try:
            await self._try_out()
        except ReportRefused:
            return False
        return True
