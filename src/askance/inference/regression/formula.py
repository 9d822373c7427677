"""What a formula makes of the columns of a data frame: covariates, their terms, and their changes.

The grammar is that of formulaic. Names as R has them, ``rr.q1``, are columns; ``factor(x)`` and
``as.factor(x)`` are ``C(x)``.
"""

import datetime as dt
import re
import warnings
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import (
    Any,
    Literal,
    Protocol,
    TypeVar,
    final,
)

import numpy as np

from askance.channels.channel import listed_column
from askance.channels.written_values import (
    is_written_number,
    refuse_alike_kinds,
    refuse_truths_among_numbers,
)
from askance.inference.sampling_columns import SamplingColumns, read_counts, read_sampling
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import (
    Listing,
    data_frame,
    doubles,
    is_missing,
    kept_mapping,
    kinds_in,
    listed,
    read_only,
    which_missing,
)
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError, MissingExtra, nearest

_LISTED = 5  # rows in a message
_NUDGE = 1e-4  # of a variable's spread, for its slope


class _Regressed(Protocol):
    @property
    def formula(self) -> "Formula | None":
        """What the covariates were made by."""

    def _table(self) -> Listing: ...


_Fit = TypeVar("_Fit", bound=_Regressed)


def listed_below_formula(result: type[_Fit]) -> type[_Fit]:
    """Let a regression show its listing as `listed` does, in a terminal below its formula."""
    plain = listed(result).__repr__

    def in_text(self: _Fit) -> str:
        listing = plain(self)
        return listing if self.formula is None else f"{self.formula.text}\n{listing}"

    type.__setattr__(result, "__repr__", in_text)
    return result


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Formula:
    """What a formula makes of the columns of a data frame.

    Attributes
    ----------
    text : str
        As it was written, after the name of the column of reports if there is one.
    columns : mapping of str to tuple, or to read-only array
        The columns that it names, as they were given: doubles in an array.
    spec : formulaic.ModelSpec, or PlainSum
        How the covariates are made of them.
    """

    text: str
    columns: Mapping[str, Sequence[Any]]
    spec: Any

    def __post_init__(self) -> None:
        copies = {
            name: read_only(values) if isinstance(values, array) else tuple(values)
            for name, values in self.columns.items()
        }
        object.__setattr__(self, "columns", kept_mapping(copies))

    @property
    def terms(self) -> tuple[str, ...]:
        """What the covariates are called."""
        return _terms_of(self.spec)

    def covariates(self, data: Any) -> Floats:
        """Make the covariates of a data frame.

        Raises
        ------
        InputError
            If a covariate is missing, or has a level that was not there before.
        """
        table = columns_of(data)
        columns = picked(table, list(self.columns))
        spec, matrix = _matrix(self.spec, columns, rows_of(columns or table))
        if (terms := _terms_of(spec)) != self.terms:
            raise InputError("data", got=", ".join(terms), allowed=", ".join(self.terms))
        return matrix

    def changes(self) -> Iterator[tuple[str, Floats, Floats, float]]:
        """Change one variable at a time wherever the formula, which is no plain sum, has it.

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
        change = self._change()
        for name, values in self.columns.items():
            for label, after, before, per in self._list_changes(name, values):
                yield label, change(name, after), change(name, before), per

    def _change(self) -> Callable[[str, list[Any]], Floats]:
        """Make the covariates with one column in the place of what it was."""
        frame = _pandas(self.columns, rows_of(self.columns))
        return lambda name, values: _build_matrix(
            self.spec, frame.assign(**{name.replace(".", _DOT): values})
        )[1]

    def _list_changes(
        self, name: str, values: Sequence[Any]
    ) -> list[tuple[str, list[Any], list[Any], float]]:
        n, levels = len(values), set(values)
        if self._categorical(name):
            first, *others = sorted(levels, key=str)
            return [(f"{name}: {level}", [level] * n, [first] * n, 1.0) for level in others]
        if levels <= {0, 1}:
            return [(name, [1.0] * n, [0.0] * n, 1.0)]
        numbers = np.asarray(values, dtype=float)
        step = _NUDGE * float(numbers.std())
        return [(name, (numbers + step / 2).tolist(), (numbers - step / 2).tolist(), step)]

    def _categorical(self, name: str) -> bool:
        states = self.spec.encoder_state.items()
        kinds = {str(term).replace(_DOT, "."): kind for term, (kind, _) in states}
        return any(
            kind.value == "categorical" and (name == factor or name in names_in(factor))
            for factor, kind in kinds.items()
        )


@final
@dataclass(frozen=True, slots=True)
class PlainSum:
    """A formula that adds columns up, as they are: of numbers it needs no grammar.

    Reading one takes half a second less than bringing in a library to do so.

    Attributes
    ----------
    names : tuple of str

    >>> [PlainSum.of(right) for right in ("age + rr.q1", "1", "C(town)")]
    [PlainSum(names=('age', 'rr.q1')), PlainSum(names=()), None]
    """

    names: tuple[str, ...]

    @classmethod
    def of(cls, right: str) -> "PlainSum | None":
        """Read the right side of a formula, if it is such a sum of columns, each named once."""
        parts = [part.strip() for part in right.split("+")]
        names = tuple(part for part in parts if part != "1")
        plain = all(map(_PLAIN.fullmatch, names)) and len(set(names)) == len(names)
        return cls(names) if plain and len(parts) - len(names) <= 1 else None

    @property
    def required_variables(self) -> tuple[str, ...]:
        """The columns that it needs."""
        return self.names

    @property
    def column_names(self) -> tuple[str, ...]:
        """What it makes."""
        return self.names


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegressionColumns:
    """What a regression is given: arrays, or what texts name in a data frame.

    Attributes
    ----------
    formula : Formula or None
    reports, covariates, group, weights, counts, clusters
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
    counts: Any = None
    clusters: Any = None

    def read_sample(
        self, sampling: Any, data: Any, n: int
    ) -> tuple[AbstractSamplingDesign | None, Floats | None]:
        """Read the sampling design, None without weights or one, and how much each row counts.

        Raises
        ------
        InputError
            As `read_sampling` and `read_counts`.
        """
        by_row = {"weights": self.weights, "counts": self.counts, "clusters": self.clusters}
        sample = read_sampling(sampling, data, n, **by_row)
        return sample, read_counts(self.counts, n) if sample is None else sample.weights


def look_up_columns(
    data: Any, covariates: Any, terms: Sequence[str] | None, *, reports: Any = None, **others: Any
) -> RegressionColumns:
    """Look up what is named by texts: covariates by a formula, anything else by its column.

    Raises
    ------
    InputError
        If the formula cannot be read, there is no data frame for it, or it lacks a column.

    >>> data = {"x": [1.0, 3.0], "w": [1, 2]}
    >>> look_up_columns(data, "~ x", None, weights="w").covariates.tolist()
    [[1.0], [3.0]]
    """
    written = isinstance(covariates, str)
    if data is None:
        if written:
            raise InputError(
                "data", got="none", allowed="a data frame with the columns of the formula"
            )
        return RegressionColumns(covariates=covariates, terms=terms, reports=reports, **others)
    table = columns_of(data)
    looked_up = {name: column_or_values(table, value) for name, value in others.items()}
    report_values = picked(table, [reports])[reports] if isinstance(reports, str) else reports
    if not written:
        return RegressionColumns(
            covariates=covariates, terms=terms, reports=report_values, **looked_up
        )
    if terms is not None:
        raise InputError("terms", got=terms, allowed="none with a formula, which names its own")
    wanted = _terms(covariates)
    columns = picked(table, _variables(covariates, wanted, table))
    refuse_factors_unseen(data, columns, covariates)
    spec, matrix = _matrix(wanted, columns, rows_of(columns or table))
    text = f"{reports} {covariates.strip()}" if isinstance(reports, str) else covariates
    formula = Formula(text=text, columns=columns, spec=spec)
    return RegressionColumns(
        formula=formula,
        covariates=matrix,
        terms=formula.terms,
        reports=report_values,
        **looked_up,
    )


Columns = dict[str, Sequence[Any]]
"""Values by the name of their column; doubles in an array of their own, anything else in a list."""

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
        return {str(name): _column(values, f"data[{name!r}]") for name, values in data.items()}
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
    return {
        str(name): array("d", frame[name].to_numpy().tobytes())
        if frame.schema[name] == nw.Float64
        else _column(frame[name].to_native(), f"data[{name!r}]")
        for name in frame.columns
    }


def _column(values: Any, where: str) -> Sequence[Any]:
    if type(values) is np.ndarray and values.dtype == np.float64 and values.ndim == 1:
        return array("d", values.tobytes())
    if isinstance(values, array) and values.typecode == "d":
        return values
    cells = listed_column(values, where)
    if not any(issubclass(kind, Decimal) for kind in kinds_in(cells)):
        return list(cells)
    return [float(cell) if isinstance(cell, Decimal) else cell for cell in cells]


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


def column_or_values(columns: Columns, name_or_values: Any) -> Any:
    """The column that a text names; anything else as it is.

    Raises
    ------
    InputError
        If there is no such column.

    >>> column_or_values({"town": ["a", "b"]}, "town").tolist()
    ['a', 'b']
    """
    return (
        np.asarray(picked(columns, [name_or_values])[name_or_values])
        if isinstance(name_or_values, str)
        else name_or_values
    )


def rows_of(columns: Mapping[str, Sequence[Any]]) -> int:
    """How many rows there are.

    >>> rows_of({"age": [30, 40]})
    2
    """
    return len(next(iter(columns.values()), []))


def refuse_holes(columns: Columns) -> None:
    """Make sure that every value is there.

    Raises
    ------
    InputError
        If something is missing or a date, naming the column and the rows.
    """
    for name, values in columns.items():
        if any(issubclass(kind, _DATES) for kind in kinds_in(values)):
            row = next(row for row, value in enumerate(values) if isinstance(value, _DATES))
            raise InputError(
                f"data[{name!r}]",
                got=f"a date in row {row}",
                allowed="numbers, or text for groups",
                remedy="turn dates into numbers, such as years since one of them",
            )
        holes = np.flatnonzero(which_missing(values)).tolist()
        if holes:
            more = " …" if len(holes) > _LISTED else ""
            raise InputError(
                f"data[{name!r}]",
                got=f"nothing in row {', '.join(map(str, holes[:_LISTED]))}{more}",
                allowed="covariates without holes",
                remedy="leave these rows out, or fill them in",
            )


def refuse_factors_unseen(data: Any, columns: Columns, formula: str) -> None:
    """Refuse columns that mix numbers with other values, which would silently become factors.

    In a data frame numbers that are texts are refused too: each would be a level. A column of
    categories has levels, whatever they are called; so has what stands in C().

    Raises
    ------
    InputError
        With the column, and a row.

    >>> refuse_factors_unseen({}, {"age": [31, 40, None], "town": ["a", "7"]}, "~ age + town")
    """
    plain_names = uncategorised(formula)
    for name, values in columns.items():
        kinds = {bool if kind is np.bool_ else kind for kind in kinds_in(values)}
        where = f"data[{name!r}]"
        if {str, bytes} & kinds:
            refuse_alike_kinds(values, where)
        if name not in plain_names:
            continue
        refuse_truths_among_numbers(values, where)
        if {str, bool} & kinds and len(kinds) > 1:
            _refuse_mixed(name, values)
    if not isinstance(data, Mapping):
        _refuse_numbers_as_texts(data, columns, plain_names)


def _refuse_mixed(name: str, values: Sequence[Any]) -> None:
    """Refuse a column that mixes numbers, texts and truth values."""
    groups: dict[type, int] = {}
    for row, value in enumerate(values):
        if not is_missing(value):
            kind = next((kind for kind in (bool, str) if isinstance(value, kind)), float)
            groups.setdefault(kind, row)
    if len(groups) > 1:
        first, second = sorted(groups.values())[:2]
        raise InputError(
            f"data[{name!r}]",
            got=f"{values[first]!r} in row {first}, and {values[second]!r} in row {second}",
            allowed="numbers alone, texts alone, or truth values alone",
            remedy=f"write None where a value is missing, or C({name}) for groups",
        )


def _refuse_numbers_as_texts(data: Any, columns: Columns, names: Sequence[str]) -> None:
    """Refuse texts of a data frame that are numbers."""
    import narwhals as nw

    schema = nw.from_native(data, eager_only=True).schema
    for name in names:
        if schema.get(name) not in (nw.String, nw.Object):
            continue
        values = columns.get(name, ())
        for text in dict.fromkeys(values):
            if isinstance(text, str) and is_written_number(text):
                row = list(values).index(text)
                raise InputError(
                    f"data[{name!r}]",
                    got=f"the text {text!r} in row {row}, which is a number",
                    allowed="numbers, or texts that are no numbers",
                    remedy=f"turn the texts into numbers, or write C({name}) for groups",
                )


def complete_rows(columns: Columns, names: Sequence[str]) -> tuple[Booleans, dict[str, int]]:
    """Say which rows have something in every column named, and how many each column lacks.

    >>> columns = {"age": [30, None, 40], "town": ["a", "b", None]}
    >>> complete, lacking = complete_rows(columns, ["age"])
    >>> complete.tolist(), lacking
    ([True, False, True], {'age': 1})
    """
    chosen = picked(columns, names)
    holes = {name: which_missing(values) for name, values in chosen.items()}
    complete = np.ones(rows_of(columns), dtype=bool)
    for missing in holes.values():
        complete &= ~missing
    return complete, {name: int(missing.sum()) for name, missing in holes.items() if missing.any()}


Missing = Literal["refuse", "drop"]
"""What is done with rows of which a covariate, or the outcome, is missing."""


Cases = tuple[Any, Any, Any, dict[str, Any]]
"""Data, covariates, a sampling design, and other columns by their names."""


def complete_cases(
    missing: Missing,
    data: Any,
    covariates: Any,
    sampling: AbstractSamplingDesign | SamplingColumns | None,
    **others: Any,
) -> Cases:
    """Leave out rows with a missing covariate; under a sampling design the others are a domain.

    So are rows without an outcome, where one of the other columns is called so.

    Parameters
    ----------
    missing : {"refuse", "drop"}
        What is refused is refused where covariates are read.
    data, covariates, sampling
        As regressions take them.
    **others
        Columns, names of them, ranges, or nothing.

    Returns
    -------
    data, covariates, sampling, others
        As they were given where nothing is left out.

    Raises
    ------
    InputError
        If no row is whole.

    >>> data = {"x": [1.0, None, 3.0], "w": [1, 2, 3]}
    >>> complete_cases("drop", data, "~ x", None, weights="w", group=[0, 0, 1])[0]
    {'x': [1.0, 3.0], 'w': [1, 3]}
    """
    complete = np.ones(1, dtype=np.bool_)
    if missing == "drop":
        complete = _mark_complete(data, covariates)
        has_outcome = _mark_complete(None, others.get("outcome"))
        complete = complete & has_outcome if len(complete) in (1, len(has_outcome)) else complete
    if complete.all():
        return data, covariates, sampling, others
    if not complete.any():
        raise InputError("missing", got="holes in every row", allowed="a row without")
    table = None if data is None else columns_of(data)
    _refuse_lengths(len(complete), (table or {}) | others)
    sample = read_sampling(sampling, data, len(complete))
    rows = np.flatnonzero(complete)
    if sample is not None:  # what a row of weight 0 holds is not looked at
        sample = sample.domain(complete)
        rows = np.where(complete, np.arange(len(complete)), rows[0])
    chosen_data = table and {name: _select_values(column, rows) for name, column in table.items()}
    covariates = covariates if isinstance(covariates, str) else _select_rows(covariates, rows)
    chosen_others = {name: _select_rows(column, rows) for name, column in others.items()}
    return chosen_data, covariates, sample, chosen_others


def _mark_complete(data: Any, covariates: Any) -> Booleans:
    """Say which rows have every covariate."""
    if covariates is None:
        return np.ones(1, dtype=np.bool_)
    if not isinstance(covariates, str):
        values = doubles(covariates, "covariates")
        if not values.size:  # what is no table is refused where covariates are read
            return np.ones(1, dtype=np.bool_)
        return np.asarray(np.isfinite(values).reshape(len(np.atleast_1d(values)), -1).all(axis=1))
    table = {} if data is None else columns_of(data)
    names = [name for name in _variables(covariates, _terms(covariates), table) if name in table]
    refuse_factors_unseen(data, {name: table[name] for name in names}, covariates)
    return complete_rows(table, names)[0]


def _refuse_lengths(n: int, columns: Mapping[str, Any]) -> None:
    """Refuse columns that have not a row for each row of covariates."""
    for name, column in columns.items():
        if hasattr(column, "__len__") and not isinstance(column, str) and len(column) != n:
            raise InputError(
                name, got=f"{len(column):,} rows", allowed=f"{n:,}, as covariates have"
            )


def _select_rows(column: Any, rows: Integers) -> Any:
    """Choose rows of a column, a table or ranges; a name or nothing stays."""
    if column is None or isinstance(column, str):
        return column
    if hasattr(column, "iloc"):
        return column.iloc[rows].reset_index(drop=True)
    if hasattr(column, "shape"):
        return column[rows]
    if len(column) and np.ndim(column[0]):
        return np.asarray(column)[rows]
    return _select_values(listed_column(column, "rows"), rows)


def _select_values(column: Sequence[Any], rows: Integers) -> Sequence[Any]:
    if isinstance(column, array):
        return array("d", np.asarray(column)[rows].tobytes())
    return [column[row] for row in rows.tolist()]


def sides(formula: str) -> tuple[str, str, tuple[str, ...]]:
    """Take a formula with a column of reports on its left apart, and name its variables.

    Raises
    ------
    InputError
        If it cannot be read, or has no left side.

    >>> sides("any_affair ~ age + factor(rr.q1)")
    ('any_affair', '~ age + factor(rr.q1)', ('age', 'rr.q1'))
    """
    reports, wanted = _read(formula, "reports ~ covariates")
    if not reports:
        raise InputError("formula", got=formula, allowed="reports ~ covariates")
    right = f"~{formula.rpartition('~')[2]}"
    return reports, right, _variables(right, wanted, {})


_DOT = "\ua4f8"
"""Stands in a name for a dot, which would mean another thing: a letter that looks like one."""

_WORD = re.compile(r'"[^"]*"|\'[^\']*\'|`[^`]*`|(?<![\w.])[^\W\d][\w.]*|(?<![\w.])\.+[^\W\d][\w.]*')
_CALL = re.compile(r"\s*\(")
_NAMED = re.compile(r"\s*=(?!=)")  # an argument by its name
_PLAIN = re.compile(r"[^\W\d][\w.]*")
_FACTOR = re.compile(r"(?<![\w.])(?:as\.)?factor(?=\s*\()")


def uncategorised(formula: str) -> tuple[str, ...]:
    """Name what a formula may mean as columns of numbers: not what only stands in C().

    >>> uncategorised("said ~ age + C(town, contr.sum) + income")
    ('age', 'income')
    """
    right = formula.rpartition("~")[2]
    return names_in(re.sub(r"\bC\((?:[^()]|\([^()]*\))*\)", "1", right))


def names_in(formula: str) -> tuple[str, ...]:
    """Name what a formula may mean as columns: not what is called, nor what is in quotes.

    >>> names_in("~ age + C(rr.q1, contr.treatment('no.1')) + poly(`her age`, degree=2)")
    ('age', 'rr.q1', 'her age')
    >>> names_in("~ np.power(age, .5) + .x")
    ('age', '.x')
    """
    names: dict[str, None] = {}
    for word in _WORD.finditer(formula):
        text, end = word.group(), word.end()
        if text[0] in "\"'" or _CALL.match(formula, end) or _NAMED.match(formula, end):
            continue
        names.setdefault(text.strip("`"))
    return tuple(names)


def _translate(formula: str) -> str:
    """Write a formula of R's as formulaic reads it.

    >>> _translate("~ as.factor(rr.q1) + np.log(age)") == f"~ C(rr{_DOT}q1) + np.log(age)"
    True
    """

    def dotless(word: re.Match[str]) -> str:
        text = word.group()
        called = _CALL.match(formula, word.end())
        return text if text[0] in "\"'" or called else text.replace(".", _DOT)

    return _FACTOR.sub("C", _WORD.sub(dotless, formula))


def _terms_of(spec: Any) -> tuple[str, ...]:
    return tuple(name.replace(_DOT, ".") for name in spec.column_names if name != "Intercept")


def _terms(formula: str) -> Any:
    """Read a formula whose left side is empty."""
    reports, wanted = _read(formula, "~ covariates")
    if reports:
        raise InputError("formula", got=formula, allowed="~ covariates")
    return wanted


def _variables(formula: str, wanted: Any, table: Columns) -> tuple[str, ...]:
    """Name the columns that a formula needs, in its order; a table knows more than the grammar."""
    needed = {str(name).replace(_DOT, ".") for name in wanted.required_variables}
    needed |= {name for name in names_in(formula) if name in table}
    return tuple(sorted(needed, key=formula.find))


def _matrix(wanted: Any, columns: Columns, rows: int) -> tuple[Any, Floats]:
    """Make the columns of a formula, the intercept left out; give how, too.

    Raises
    ------
    InputError
        If a covariate is missing, or has a level that was not there before.
    """
    refuse_holes(columns)
    if isinstance(wanted, PlainSum):
        if all(map(_is_numeric, columns.values())) and len(columns) == len(wanted.names):
            return wanted, _stack_columns(wanted, columns, rows)
        wanted = _grammar(" + ".join(("1", *wanted.names)))
    return _build_matrix(wanted, _pandas(columns, rows))


def _is_numeric(values: Sequence[Any]) -> bool:
    """Whether a column holds numbers alone, truth values aside."""
    return all(issubclass(kind, _NUMBERS) and kind is not bool for kind in kinds_in(values))


_NUMBERS = (int, float, np.integer, np.floating)


def _stack_columns(plain: PlainSum, columns: Mapping[str, Sequence[Any]], rows: int) -> Floats:
    arrays = [np.asarray(columns[name], dtype=np.float64) for name in plain.names]
    return np.stack(arrays).T if arrays else np.empty((rows, 0))


def _build_matrix(wanted: Any, frame: Any) -> tuple[Any, Floats]:
    faults = _formulaic().errors
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", faults.DataMismatchWarning)
            matrix = wanted.get_model_matrix(frame, context={}, output="numpy")
    except faults.DataMismatchWarning as error:
        raise InputError(
            "data",
            got=str(error).split(". ")[0].replace(_DOT, "."),
            allowed="levels that the regression has seen",
        ) from None
    except (faults.FormulaicError, TypeError, ValueError) as error:
        raise InputError(
            "formula", got=str(error).replace(_DOT, "."), allowed="columns and known functions"
        ) from error
    names = matrix.model_spec.column_names
    if "Intercept" not in names:
        raise InputError(
            "formula",
            got=f"the columns {', '.join(names) or 'none'}",
            allowed="an intercept",
            remedy="leave - 1 or + 0 out; an intercept alone is ~ 1",
        )
    return matrix.model_spec, np.delete(
        np.asarray(matrix, dtype=float), names.index("Intercept"), 1
    )


def _read(formula: object, allowed: str) -> tuple[str, Any]:
    if not isinstance(formula, str) or formula.count("~") > 1:
        raise InputError("formula", got=formula, allowed=allowed)
    reports, _, right = formula.rpartition("~")
    if not right.strip():
        raise InputError(
            "formula", got=formula, allowed=allowed, remedy="an intercept alone is ~ 1"
        )
    return reports.strip().strip("`"), PlainSum.of(right) or _grammar(right.strip(), allowed)


def _grammar(right: str, allowed: str = "~ covariates") -> Any:
    library = _formulaic()
    try:
        return library.Formula(_translate(right))
    except library.errors.FormulaicError as error:
        plain = re.sub("\x1b\\[[0-9;]*m", "", str(error)).splitlines()[0]
        raise InputError("formula", got=plain.replace(_DOT, "."), allowed=allowed) from None


def _formulaic() -> Any:
    try:
        import formulaic
        import formulaic.errors
    except ModuleNotFoundError as error:
        raise MissingExtra("formulaic", "learn") from error
    return formulaic


def _pandas(columns: Mapping[str, Sequence[Any]], rows: int) -> Any:
    named = {
        name.replace(".", _DOT): np.asarray(values) if isinstance(values, array) else values
        for name, values in columns.items()
    }
    return data_frame(named, range(rows))
