"""Regressions of true answers and of ranges that are written as formulas, on data frames."""

import datetime as dt
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal, final

import formulaic
import narwhals as nw
import numpy as np
from formulaic.errors import DataMismatchWarning, FormulaicError

from askance.arguments import checked, same_rows
from askance.channels.channel import Channel, listed_column
from askance.channels.ranges import Ranges
from askance.errors import InputError, nearest
from askance.inference.regression.censored_regression import CensoredRegression
from askance.inference.regression.censored_regression import (
    censored_regression as regression_of_ranges,
)
from askance.inference.regression.coefficients import Margins, Move
from askance.inference.regression.covariates import design_of
from askance.inference.regression.error_laws import AbstractNoise
from askance.inference.regression.response_regression import ResponseRegression
from askance.inference.regression.response_regression import (
    response_regression as regression_of_responses,
)
from askance.results import is_missing
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
    fit = regression_of_ranges(
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


Columns = dict[str, list[Any]]
"""Values by the name of their column."""

_LISTED = 5  # rows in a message
_DATES = (dt.date, dt.timedelta, np.datetime64, np.timedelta64)


def columns_of(data: Any) -> Columns:
    """Take a data frame of any library, or a mapping of columns, apart.

    Raises
    ------
    InputError
        If it is neither.

    >>> columns_of({"age": (30, 40)})
    {'age': [30, 40]}
    """
    if isinstance(data, Mapping):
        return {
            str(name): list(listed_column(values, f"data[{name!r}]"))
            for name, values in data.items()
        }
    try:
        frame = nw.from_native(data, eager_only=True)
    except TypeError as error:
        raise InputError(
            "data", got=type(data).__name__, allowed="a data frame or a mapping of columns"
        ) from error
    return {str(name): frame[name].to_list() for name in frame.columns}


def picked(columns: Columns, names: Sequence[str]) -> Columns:
    """Pick columns by name.

    Raises
    ------
    InputError
        If one is not there, or they differ in length.

    >>> picked({"age": [30, 40], "town": ["a", "b"]}, ["age"])
    {'age': [30, 40]}
    """
    for name in names:
        if name not in columns:
            raise InputError(
                "data",
                got=f"no column {name!r}",
                allowed=", ".join(list(columns)[:20]) or "a column of this name",
                remedy=nearest(name, list(columns)),
            )
    chosen = {name: columns[name] for name in names}
    if len({len(values) for values in chosen.values()}) > 1:
        lengths = ", ".join(f"{name} {len(values)}" for name, values in chosen.items())
        raise InputError("data", got=f"rows: {lengths}", allowed="columns of one length")
    return chosen


def column_or_values(columns: Columns, given: Any) -> Any:
    """Give the column that a text names; anything else as it is.

    Raises
    ------
    InputError
        If there is no such column.

    >>> column_or_values({"town": ["a", "b"]}, "town").tolist()
    ['a', 'b']
    """
    return np.asarray(picked(columns, [given])[given]) if isinstance(given, str) else given


def refuse_holes(columns: Columns) -> None:
    """Make sure that every value is there.

    Raises
    ------
    InputError
        If something is missing or a date, naming the column and the rows.
    """
    for name, values in columns.items():
        holes = [at for at, value in enumerate(values) if is_missing(value)]
        dates = [at for at, value in enumerate(values) if isinstance(value, _DATES)]
        if dates:
            raise InputError(
                f"data[{name!r}]",
                got=f"a date in row {dates[0]}",
                allowed="numbers, or text for groups",
                remedy="turn dates into numbers, such as years since one of them",
            )
        if holes:
            more = " …" if len(holes) > _LISTED else ""
            raise InputError(
                f"data[{name!r}]",
                got=f"nothing in row {', '.join(map(str, holes[:_LISTED]))}{more}",
                allowed="covariates without holes",
                remedy="leave these rows out, or fill them in",
            )


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
    fit = regression_of_responses(
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


def reports_and_terms(formula: str) -> tuple[str, Any]:
    """Read a formula with a column of reports on its left.

    Raises
    ------
    InputError
        If it cannot be read, or has no left side.

    >>> reports_and_terms("any_affair ~ age")
    ('any_affair', 1 + age)
    """
    reports, wanted = _sides(formula, "reports ~ covariates")
    if not reports:
        raise InputError("formula", got=formula, allowed="reports ~ covariates")
    return reports, wanted


def terms(formula: str) -> Any:
    """Read a formula whose left side is empty.

    Raises
    ------
    InputError
        If it cannot be read, or has a left side.

    >>> terms("~ age")
    1 + age
    """
    left, wanted = _sides(formula, "~ covariates")
    if left:
        raise InputError("formula", got=formula, allowed="~ covariates")
    return wanted


@checked
def variables(formula: str) -> tuple[str, tuple[str, ...]]:
    """Name the column of reports and the covariates that a formula needs.

    >>> variables("any_affair ~ age + C(religious)")
    ('any_affair', ('age', 'religious'))
    """
    reports, wanted = reports_and_terms(formula)
    return reports, tuple(sorted(wanted.required_variables, key=formula.rpartition("~")[2].find))


def matrix(wanted: Any, columns: Columns) -> tuple[Any, Floats]:
    """Make the columns of a formula, the intercept left out; give how, too.

    Raises
    ------
    InputError
        If a covariate is missing, or has a level that was not there before.
    """
    chosen = picked(columns, sorted(wanted.required_variables))
    refuse_holes(chosen)
    frame = nw.from_dict(chosen, backend="pandas").to_native()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DataMismatchWarning)
            made = wanted.get_model_matrix(frame, context={}, output="numpy")
    except DataMismatchWarning as error:
        raise InputError(
            "data",
            got=str(error).split(". ")[0],
            allowed="levels that the regression has seen",
        ) from None
    except (FormulaicError, TypeError, ValueError) as error:
        raise InputError(
            "formula", got=str(error), allowed="columns and known functions"
        ) from error
    names = made.model_spec.column_names
    if "Intercept" not in names or len(names) < 2:
        raise InputError(
            "formula",
            got=f"the columns {', '.join(names) or 'none'}",
            allowed="an intercept and at least one covariate",
            remedy="leave - 1 or + 0 out; for a share alone use estimate",
        )
    return made.model_spec, np.delete(np.asarray(made, dtype=float), names.index("Intercept"), 1)


def _sides(formula: object, allowed: str) -> tuple[str, Any]:
    if not isinstance(formula, str) or formula.count("~") > 1:
        raise InputError("formula", got=formula, allowed=allowed)
    left, _, right = formula.rpartition("~")
    try:
        return left.strip().strip("`"), formulaic.Formula(right.strip())
    except FormulaicError as error:
        plain = re.sub("\x1b\\[[0-9;]*m", "", str(error)).splitlines()[0]
        raise InputError("formula", got=plain, allowed=allowed) from None
