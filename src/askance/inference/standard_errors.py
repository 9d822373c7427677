"""Where the standard errors of a regression come from, as values."""

import math
from dataclasses import dataclass
from enum import Enum
from typing import final

from askance.results import plain_json
from askance.typing import Json


@final
class ErrorSource(Enum):
    """How the covariance of coefficients is estimated.

    >>> import askance as ak
    >>> ak.inference.ErrorSource.SCORES.value
    'products of scores'
    """

    OBSERVED = "observed information"
    EXPECTED = "expected information"
    SCORES = "products of scores"
    ROBUST = "robust"
    CLUSTERED = "robust, by cluster"
    LINEARISED = "linearised, of a complex sample"
    REPLICATED = "over replicates of a complex sample"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class StandardErrors:
    """What the standard errors of a regression rest on.

    Attributes
    ----------
    source : ErrorSource
    clusters : int
        How many clusters the scores are summed over; 0 unless errors are robust by cluster.
    replicates : int
        How many replicates were fitted; 0 unless the variance is taken over replicates.
    df : float
        Degrees of freedom of a complex sample; infinite otherwise.

    >>> import askance as ak
    >>> q = ak.Warner(truth=1).channel(ak.Frame(["yes", "no"]))
    >>> reports, x = ["yes", "no", "no", "no"] * 5, [[i % 3] for i in range(20)]
    >>> fit = ak.response_regression(reports, x, q, clusters=[i // 4 for i in range(20)])
    >>> isinstance(fit.standard_errors, ak.inference.StandardErrors), fit.standard_errors.clusters
    (True, 5)
    >>> print(fit.standard_errors)
    5 clusters
    """

    source: ErrorSource
    clusters: int = 0
    replicates: int = 0
    df: float = math.inf

    def to_dict(self) -> Json:
        """Write the source and its numbers for JSON."""
        return {
            "source": self.source.name.lower(),
            "clusters": self.clusters,
            "replicates": self.replicates,
            "df": plain_json(self.df),
        }

    def __str__(self) -> str:
        """Write the source with its numbers, as tables do after "se by"."""
        df = f"{self.df:g} degrees of freedom"
        match self.source:
            case ErrorSource.CLUSTERED:
                return f"{self.clusters:,} clusters"
            case ErrorSource.LINEARISED:
                return f"complex sample, {df}"
            case ErrorSource.REPLICATED:
                return f"{self.replicates:,} replicates, {df}"
            case _:
                return str(self.source.value)
