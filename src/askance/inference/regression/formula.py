"""Covariates written as a formula of a data frame's columns, in the grammar of formulaic."""

import datetime as dt
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.channels.channel import listed_column
from askance.errors import InputError, MissingExtra, nearest
from askance.results import is_missing, kept_mapping
from askance.typing import Floats

_NUDGE = 1e-4  # of a variable's spread, for its slope


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Formula:
    """What a formula makes of the columns of a data frame.

    Attributes
    ----------
    text : str
        As it was written, after the name of the column of reports if there is one.
    columns : mapping of str to tuple
        The columns that it names, as they were given.
    spec : formulaic.ModelSpec
        How the covariates are made of them.
    """

    text: str
    columns: Mapping[str, Sequence[Any]]
    spec: Any

    def __post_init__(self) -> None:
        kept = {name: tuple(values) for name, values in self.columns.items()}
        object.__setattr__(self, "columns", kept_mapping(kept))

    @property
    def terms(self) -> tuple[str, ...]:
        """What the covariates are called."""
        return tuple(name for name in self.spec.column_names if name != "Intercept")

    def covariates(self, data: Any) -> Floats:
        """Make the covariates of a data frame.

        Raises
        ------
        InputError
            If a covariate is missing, or has a level that was not there before.
        """
        return _matrix(self.spec, columns_of(data))[1]

    def changes(self) -> Iterator[tuple[str, Floats, Floats, float]]:
        """Change one variable at a time wherever the formula has it.

        A number: a little up and down. A number that is 0 or 1 for everyone: 1, and 0. A level
        against the first one: all have it, and nobody.

        Yields
        ------
        name : str
        after, before : array, shape (n, c)
            Covariates.
        per : float
            How far apart they are.
        """
        for name, values in self.columns.items():
            for label, after, before, per in self._changed(name, values):
                up, down = ({**self.columns, name: changed} for changed in (after, before))
                yield label, self.covariates(up), self.covariates(down), per

    def _changed(
        self, name: str, values: Sequence[Any]
    ) -> list[tuple[str, list[Any], list[Any], float]]:
        n, levels = len(values), sorted(set(values), key=str)
        if self._categorical(name):
            return [(f"{name}: {one}", [one] * n, [levels[0]] * n, 1.0) for one in levels[1:]]
        if set(levels) <= {0, 1}:
            return [(name, [1.0] * n, [0.0] * n, 1.0)]
        numbers = np.asarray(values, dtype=float)
        step = _NUDGE * float(numbers.std())
        return [(name, list(numbers + step / 2), list(numbers - step / 2), step)]

    def _categorical(self, name: str) -> bool:
        return any(
            kind.value == "categorical" and re.search(rf"\b{re.escape(name)}\b", str(factor))
            for factor, (kind, _) in self.spec.encoder_state.items()
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """What a regression is given: arrays, or what texts name in a data frame.

    Attributes
    ----------
    formula : Formula or None
    reports, covariates, group, weights, clusters
        Values; covariates as arrays.
    terms : sequence of str, optional
        What the covariates are called.
    """

    formula: Formula | None = None
    covariates: Any
    terms: Sequence[str] | None
    reports: Any = None
    group: Any = None
    weights: Any = None
    clusters: Any = None


def given_by(
    data: Any, covariates: Any, terms: Sequence[str] | None, *, reports: Any = None, **others: Any
) -> Given:
    """Look up what is named by texts: covariates by a formula, anything else by its column.

    Raises
    ------
    InputError
        If the formula cannot be read, there is no data frame for it, or it lacks a column.

    >>> given_by({"x": [1.0, 3.0], "w": [1, 2]}, "~ x", None, weights="w").covariates.tolist()
    [[1.0], [3.0]]
    """
    written = isinstance(covariates, str)
    if data is None:
        if written:
            raise InputError(
                "data", got="none", allowed="a data frame with the columns of the formula"
            )
        return Given(covariates=covariates, terms=terms, reports=reports, **others)
    table = columns_of(data)
    found = {name: column_or_values(table, one) for name, one in others.items()}
    said = picked(table, [reports])[reports] if isinstance(reports, str) else reports
    if not written:
        return Given(covariates=covariates, terms=terms, reports=said, **found)
    if terms is not None:
        raise InputError("terms", got=terms, allowed="none with a formula, which names its own")
    wanted = _terms(covariates)
    columns = picked(table, _variables(covariates, wanted))
    spec, design = _matrix(wanted, columns)
    text = f"{reports} {covariates.strip()}" if isinstance(reports, str) else covariates
    formula = Formula(text=text, columns=columns, spec=spec)
    return Given(formula=formula, covariates=design, terms=formula.terms, reports=said, **found)


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
        import narwhals as nw
    except ModuleNotFoundError as error:
        raise MissingExtra("narwhals", "learn") from error
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
    """The column that a text names; anything else as it is.

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


def sides(formula: str) -> tuple[str, str, tuple[str, ...]]:
    """Take a formula with a column of reports on its left apart, and name its variables.

    Raises
    ------
    InputError
        If it cannot be read, or has no left side.

    >>> sides("any_affair ~ age + C(religious)")
    ('any_affair', '~ age + C(religious)', ('age', 'religious'))
    """
    reports, wanted = _read(formula, "reports ~ covariates")
    if not reports:
        raise InputError("formula", got=formula, allowed="reports ~ covariates")
    right = f"~{formula.rpartition('~')[2]}"
    return reports, right, _variables(right, wanted)


def _terms(formula: str) -> Any:
    """Read a formula whose left side is empty."""
    left, wanted = _read(formula, "~ covariates")
    if left:
        raise InputError("formula", got=formula, allowed="~ covariates")
    return wanted


def _variables(formula: str, wanted: Any) -> tuple[str, ...]:
    return tuple(sorted(wanted.required_variables, key=formula.find))


def _matrix(wanted: Any, columns: Columns) -> tuple[Any, Floats]:
    """Make the columns of a formula, the intercept left out; give how, too.

    Raises
    ------
    InputError
        If a covariate is missing, or has a level that was not there before.
    """
    chosen = picked(columns, sorted(wanted.required_variables))
    refuse_holes(chosen)
    faults, frame = _formulaic().errors, _pandas(chosen)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", faults.DataMismatchWarning)
            made = wanted.get_model_matrix(frame, context={}, output="numpy")
    except faults.DataMismatchWarning as error:
        raise InputError(
            "data",
            got=str(error).split(". ")[0],
            allowed="levels that the regression has seen",
        ) from None
    except (faults.FormulaicError, TypeError, ValueError) as error:
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


def _read(formula: object, allowed: str) -> tuple[str, Any]:
    if not isinstance(formula, str) or formula.count("~") > 1:
        raise InputError("formula", got=formula, allowed=allowed)
    left, _, right = formula.rpartition("~")
    library = _formulaic()
    try:
        return left.strip().strip("`"), library.Formula(right.strip())
    except library.errors.FormulaicError as error:
        plain = re.sub("\x1b\\[[0-9;]*m", "", str(error)).splitlines()[0]
        raise InputError("formula", got=plain, allowed=allowed) from None


def _formulaic() -> Any:
    try:
        import formulaic
        import formulaic.errors
    except ModuleNotFoundError as error:
        raise MissingExtra("formulaic", "learn") from error
    return formulaic


def _pandas(columns: Columns) -> Any:
    import pandas as pd  # which formulaic brings

    return pd.DataFrame(columns)
