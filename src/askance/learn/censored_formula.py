"""Linear regressions of ranges that are written as formulas, on data frames."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, final

from askance.arguments import checked, same_rows
from askance.channels.ranges import Ranges
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.regression.censored_fit import CensoredRegression
from askance.estimators.regression.censored_regression import censored_regression as regression
from askance.estimators.regression.margins import Margins
from askance.learn.columns import column_or_values, columns_of
from askance.learn.formula import matrix, terms
from askance.typing import Floats, Json


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CensoredFormula:
    """A linear regression of ranges whose covariates come from a formula.

    Attributes
    ----------
    formula : str
    fit : CensoredRegression
        The regression on the formula's columns.
    spec : formulaic.ModelSpec
        How the formula's columns are made of a data frame.
    """

    formula: str
    fit: CensoredRegression
    spec: Any

    @checked
    def predict(self, data: Any, share: float = 0.5) -> Floats:
        """Give the number that a share of people do not exceed, for each row of a data frame.

        Raises
        ------
        InputError
            If a covariate is missing, or has a level that the regression has not seen.
        """
        return self.fit.predict(self._covariates(data), share)

    def predict_interval(self, data: Any) -> tuple[Floats, Floats]:
        """Give the range between whose ends one more number lies at the regression's level."""
        return self.fit.predict_interval(self._covariates(data))

    @checked
    def at(self, data: Any, share: float = 0.5) -> Margins:
        """Give `predict` with the uncertainty of the coefficients."""
        return self.fit.at(self._covariates(data), share)

    def to_dict(self) -> Json:
        """Write the regression for JSON."""
        return {"formula": self.formula, **self.fit.to_dict()}

    def __repr__(self) -> str:
        return f"{self.formula}\n{self.fit!r}"

    def _repr_html_(self) -> str:
        return self.fit._repr_html_()

    def plot(self, ax: Any = None) -> Any:
        """Draw the coefficients of the covariates with their intervals.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        return self.fit.plot(ax)

    def _covariates(self, data: Any) -> Floats:
        return matrix(self.spec, columns_of(data))[1]


@checked
def censored_regression(
    formula: Annotated[str, "~ covariates"],
    data: Any,
    ranges: Ranges,
    noise: str | AbstractNoise = "normal",
    *,
    log: bool = False,
    errors: Literal["observed", "scores", "robust"] = "observed",
    clusters: Any = None,
    level: float = 0.95,
) -> CensoredFormula:
    """Regress numbers seen as ranges, as `askance.censored_regression`, by a formula.

    Parameters
    ----------
    formula : str
        Such as ``"~ age + C(region)"``: what the numbers depend on, in the grammar of formulaic. An
        intercept is always there.
    data : pandas, polars or other data frame, or mapping of str to sequence
        Covariates without holes, a row for each range.
    ranges : Ranges
    noise, log, errors, level
        As in `askance.censored_regression`.
    clusters : str or array_like, optional
        As in `askance.censored_regression`; a str names a column.

    Raises
    ------
    InputError
        If the formula cannot be read, or names a column that is not there or has holes.
    NotIdentified
        As in `askance.censored_regression`.

    >>> import numpy as np
    >>> told = Ranges([-np.inf, 1, 3, 3, -np.inf, 5], [1, 3, np.inf, 5, 3, np.inf])
    >>> data = {"lives": ["town"] * 3 + ["country"] * 3}
    >>> fit = censored_regression("~ lives", data, told, "logistic")
    >>> fit.predict({"lives": ["town", "country"]}).round(4).tolist()
    [2.0, 4.0]
    """
    same_rows(data=data, ranges=ranges, clusters=clusters)
    table = columns_of(data)
    spec, design = matrix(terms(formula), table)
    fit = regression(
        ranges,
        design,
        noise,
        log=log,
        terms=[name for name in spec.column_names if name != "Intercept"],
        errors=errors,
        clusters=column_or_values(table, clusters),
        level=level,
    )
    return CensoredFormula(formula=formula, fit=fit, spec=spec)
