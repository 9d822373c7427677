"""Regressions of true answers that are written as formulas, on data frames."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, final

import numpy as np

from askance.arguments import checked, same_rows
from askance.channels.channel import Channel
from askance.estimators.regression.average_share import Move
from askance.estimators.regression.covariates import design_of
from askance.estimators.regression.margins import Margins
from askance.estimators.regression.response_fit import ResponseRegression
from askance.estimators.regression.response_regression import response_regression as regression
from askance.learn.columns import Columns, column_or_values, columns_of, picked
from askance.learn.formula import matrix, reports_and_terms, variables
from askance.typing import Floats, Json

_NUDGE = 1e-4  # of a variable's spread, for its slope


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FormulaRegression:
    """A regression of the true answer whose covariates come from a formula.

    Attributes
    ----------
    formula : str
    fit : ResponseRegression
        The regression on the formula's columns.
    columns : mapping of str to sequence
        The covariates as they were given.
    spec : formulaic.ModelSpec
        How the formula's columns are made of them.
    """

    formula: str
    fit: ResponseRegression
    columns: Mapping[str, Sequence[Any]]
    spec: Any

    def __post_init__(self) -> None:
        kept = {name: tuple(values) for name, values in self.columns.items()}
        object.__setattr__(self, "columns", MappingProxyType(kept))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a regression cross processes."""
        return _again, (self.formula, self.fit, dict(self.columns), self.spec)

    def predict(self, data: Any) -> Floats:
        """Give the chance of each answer for each row of a data frame, shape (rows, k).

        Raises
        ------
        InputError
            If a covariate is missing, or has a level that the regression has not seen.
        """
        return self.fit.predict(self._covariates(columns_of(data)))

    def prevalence(self, data: Any = None) -> Margins:
        """Give the mean predicted share of each answer: of all respondents, or of a data frame's.

        The interval takes their covariates as given, as `ResponseRegression.prevalence` says.

        Raises
        ------
        InputError
            If a covariate is missing, or has a level that the regression has not seen.
        """
        return self.fit.prevalence(None if data is None else self._covariates(columns_of(data)))

    def effects(self) -> Margins:
        """Give the average marginal effect of every variable on the share of each answer.

        A variable is changed wherever the formula has it. Of a number: the slope, averaged over
        respondents. Of a number that is 0 or 1 for everyone, and of a level against the first one:
        the share if all had it, less that if nobody had.
        """
        moves: dict[str, Move] = {}
        for name, values in self.columns.items():
            for label, after, before, per in self._changes(name, values):
                moves[label] = (
                    self._people({**self.columns, name: after}),
                    self._people({**self.columns, name: before}),
                    per,
                )
        return self.fit.average_effects(moves)

    def to_dict(self) -> Json:
        """Write the regression for JSON."""
        return {"formula": self.formula, **self.fit.to_dict(), "effects": self.effects().to_dict()}

    def __repr__(self) -> str:
        return f"{self.formula}\n{self.fit!r}"

    def _repr_html_(self) -> str:
        return self.fit._repr_html_()

    def plot(self, ax: Any = None) -> Any:
        """Draw the coefficients with their intervals, the intercepts left out.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        return self.fit.plot(ax)

    def _covariates(self, columns: Mapping[str, Sequence[Any]]) -> Floats:
        return matrix(self.spec, {name: list(values) for name, values in columns.items()})[1]

    def _people(self, columns: Mapping[str, Sequence[Any]]) -> tuple[Floats, Floats]:
        return design_of(self._covariates(columns)), self.fit.likelihood.weights

    def _changes(
        self, name: str, values: Sequence[Any]
    ) -> list[tuple[str, list[Any], list[Any], float]]:
        n, levels = len(values), sorted(set(values), key=str)
        if not self._categorical(name):
            numbers = np.asarray(values, dtype=float)
            if set(levels) <= {0, 1}:
                return [(name, [1.0] * n, [0.0] * n, 1.0)]
            step = _NUDGE * float(numbers.std())
            return [(name, list(numbers + step / 2), list(numbers - step / 2), step)]
        return [(f"{name}: {one}", [one] * n, [levels[0]] * n, 1.0) for one in levels[1:]]

    def _categorical(self, name: str) -> bool:
        return any(
            kind.value == "categorical" and re.search(rf"\b{re.escape(name)}\b", str(factor))
            for factor, (kind, _) in self.spec.encoder_state.items()
        )


def _again(formula: str, fit: ResponseRegression, columns: Columns, spec: Any) -> FormulaRegression:
    return FormulaRegression(formula=formula, fit=fit, columns=columns, spec=spec)


@checked
def response_regression(
    formula: Annotated[str, "reports ~ covariates"],
    data: Any,
    channel: Channel | Sequence[Channel],
    *,
    group: Any = None,
    link: str = "logit",
    ordered: bool = False,
    weights: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    level: float = 0.95,
    codes: Mapping[Any, str | None] | None = None,
) -> FormulaRegression:
    """Regress the true answer on covariates, as `askance.response_regression`, by a formula.

    Parameters
    ----------
    formula : str
        Such as ``"any_affair ~ age + C(religious)"``: the column of reports, and what their true
        answers depend on, in the grammar of formulaic. An intercept is always there.
    data : pandas, polars or other data frame, or mapping of str to sequence
        Reports by name, None, NaN or NA for a blank, and covariates without holes.
    channel : Channel, or sequence of them
    group, weights, clusters : str or array_like, optional
        As in `askance.response_regression`; a str names a column.
    link : {"logit", "probit", "cloglog", "loglog"}
    ordered : bool
    errors : {"observed", "expected", "robust"}
    level : float
    codes : mapping to str or None, optional
        As in `askance.response_regression`: what numbers in the column of reports stand for.

    Raises
    ------
    InputError
        If the formula cannot be read, or names a column that is not there or has holes.
    NotIdentified
        As in `askance.response_regression`.

    >>> import askance as ak
    >>> q = ak.Abstain(truth=0.6, lie=0.1).channel(ak.Frame(["yes", "no"]))
    >>> said = ["yes"] * 35 + ["no"] * 35 + [None] * 30
    >>> said += (["yes"] * 20 + ["no"] * 50 + [None] * 30) * 2
    >>> data = {"lives": ["town"] * 100 + ["country"] * 200, "said": said}
    >>> fit = response_regression("said ~ lives", data, q)
    >>> dict(zip(fit.fit.names, fit.fit.value.round(4).tolist()))
    {'intercept': -1.3863, 'lives[T.town]': 1.3863}
    >>> fit.predict({"lives": ["town"]}).round(4).tolist()
    [[0.5, 0.5]]
    """
    same_rows(data=data, group=group, weights=weights, clusters=clusters)
    table = columns_of(data)
    reports, wanted = reports_and_terms(formula)
    said = picked(table, [reports])[reports]
    covariates = picked(table, variables(formula)[1])
    spec, design = matrix(wanted, covariates)
    fit = regression(
        said,
        design,
        channel,
        terms=[name for name in spec.column_names if name != "Intercept"],
        group=column_or_values(table, group),
        link=link,
        ordered=ordered,
        weights=column_or_values(table, weights),
        errors=errors,
        clusters=column_or_values(table, clusters),
        level=level,
        codes=codes,
    )
    return FormulaRegression(formula=formula, fit=fit, columns=covariates, spec=spec)
