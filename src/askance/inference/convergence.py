"""Convergence status: how a fit ended, in words that can be printed beside it."""

from enum import Enum
from typing import final

from askance.typing import Json


@final
class Convergence(Enum):
    """Convergence status of a fit; the value is the sentence to print."""

    EXACT = "computed in closed form"
    CONVERGED = "the maximum of the likelihood, certified by its gap"
    STATIONARY = "no small change is more likely; a higher top elsewhere is not ruled out"
    ON_BOUNDARY = "at least one share is estimated as exactly 0 or 1; trust the interval, not se"
    PARTLY_IDENTIFIED = "the design leaves part of this open; the interval holds all it allows"
    STOPPED = "stopped before the certificate was reached; the gap says how far away it is"
    NO_REPORTS = "no report says anything about this question; nothing was learnt"

    def to_dict(self) -> Json:
        """Write the status for JSON."""
        return {"outcome": self.name.lower(), "message": self.value}
