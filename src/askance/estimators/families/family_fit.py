"""A fitted family of distributions: parameters with standard errors, AIC and how well it fits."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.special import gammaincc

from askance.arguments import checked
from askance.estimators.outcome import Outcome
from askance.estimators.shares.uncertainty import normal_quantile
from askance.results import (
    Listing,
    axes,
    counted,
    json_of,
    keep_read_only,
    listed,
    number,
    read_only,
)
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FamilyFit:
    """Parameters of a scipy distribution, fitted to ranges.

    Attributes
    ----------
    family : scipy.stats continuous distribution
    names : tuple of str
        Its shapes, then ``loc`` and ``scale``.
    value : array, shape (k,)
    covariance : array, shape (k, k)
        Zero for parameters that were fixed.
    log_likelihood : float
    free : int
        How many parameters were estimated.
    n : float
        How many numbers were observed, counting weights.
    chi2 : (float, int)
        Neyman's smooth test: the statistic and its degrees of freedom; large if the family does not
        fit.
    outcome : Outcome

    >>> from scipy.stats import norm
    >>> from askance.channels.ranges import Ranges
    >>> from askance.estimators.families.parametric import fit_family
    >>> counts = {(-np.inf, 8): 31, (8, 10): 40, (10, 12): 62, (12, np.inf): 67}
    >>> fit_family(Ranges.tallied(counts), norm)
    norm, fitted to ranges
    parameter  value      se  95 % from     to
    loc        10.88  0.2133      10.46   11.3
    scale      2.744  0.2231       2.34  3.218
    200 ranges; log-likelihood -268.682; AIC 541.364
    goodness of fit: χ² 1.245 on 1, p 0.264
    the maximum of the likelihood, certified by its gap
    """

    family: Any
    names: tuple[str, ...]
    value: Floats
    covariance: Floats
    log_likelihood: float
    free: int
    n: float
    chi2: tuple[float, int]
    outcome: Outcome

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance")

    @property
    def se(self) -> Floats:
        """Standard error of each parameter; 0 where it was fixed."""
        return read_only(np.sqrt(np.clip(np.diag(self.covariance), 0, None)))

    @property
    def aic(self) -> float:
        """Akaike's criterion: twice the free parameters, less twice the log-likelihood."""
        return 2 * self.free - 2 * self.log_likelihood

    @property
    def p_value(self) -> float:
        """How often a family that fits would look at least this bad; not a number if untestable."""
        statistic, freedom = self.chi2
        return float(gammaincc(freedom / 2, statistic / 2)) if freedom else float("nan")

    @property
    def law(self) -> Any:
        """The fitted distribution, frozen: ``law.cdf``, ``law.mean()`` and so on, as in scipy."""
        return self.family(*self.value)

    @checked
    def intervals(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Give a normal interval for each parameter; the scale's on its logarithm."""
        z = normal_quantile(level)
        lower, upper = self.value - z * self.se, self.value + z * self.se
        factor = np.exp(z * self.se[-1] / self.value[-1])
        lower[-1], upper[-1] = self.value[-1] / factor, self.value[-1] * factor
        return read_only(lower), read_only(upper)

    def to_dict(self) -> Json:
        """Write the fit for JSON."""
        names = "names value se covariance log_likelihood aic free n chi2 p_value"
        return json_of(self, names) | {"family": self.family.name} | self.outcome.to_dict()

    def _table(self) -> Listing:
        columns = (self.value, self.se, *self.intervals())
        rows = [
            [name, *(number(float(column[at])) for column in columns)]
            for at, name in enumerate(self.names)
        ]
        notes = [
            f"{counted(self.n, 'range')}; log-likelihood {self.log_likelihood:.6g}; "
            f"AIC {self.aic:.6g}",
            f"goodness of fit: χ² {self.chi2[0]:.4g} on {self.chi2[1]}, p {self.p_value:.3g}",
            self.outcome.value,
        ]
        head = ["parameter", "value", "se", "95 % from", "to"]
        return f"{self.family.name}, fitted to ranges", head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw the fitted cumulative share.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        low, high = self.law.ppf([0.001, 0.999])
        places = np.linspace(float(low), float(high), 400)
        ax.plot(places, self.law.cdf(places), linewidth=1.5)
        ax.set_ylim(0, 1)
        ax.set_ylabel("share up to here")
        return ax
