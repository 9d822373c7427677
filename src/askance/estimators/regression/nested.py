"""Two regressions of which one leaves something out."""

from typing import Protocol

from scipy.special import chdtrc

from askance.errors import InputError
from askance.typing import Floats


class Likely(Protocol):
    """A regression by maximum likelihood."""

    @property
    def value(self) -> Floats:
        """What was fitted."""
        ...

    @property
    def log_likelihood(self) -> float:
        """At what was fitted."""
        ...


def likelihood_ratio(
    larger: Likely, smaller: Likely, *, same: bool, given: str
) -> tuple[float, int, float]:
    """Give twice the difference in log-likelihood, its degrees of freedom, and the chance of more.

    Parameters
    ----------
    larger, smaller : fitted regressions
    same : bool
        Whether both were given the same.
    given : str
        What they were given, for the message.

    Raises
    ------
    InputError
        If the smaller regression is not smaller, or was given something else.
    """
    freedom = len(larger.value) - len(smaller.value)
    if freedom <= 0 or not same:
        raise InputError(
            "likelihood_ratio",
            got=f"{len(smaller.value)} values" + ("" if same else f", not of the same {given}"),
            allowed=f"fewer than {len(larger.value)}, of the same {given}",
        )
    statistic = max(2 * (larger.log_likelihood - smaller.log_likelihood), 0.0)
    return statistic, freedom, float(chdtrc(freedom, statistic))
