"""Regressions side by side: a column for each fit, a row for each coefficient."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from askance.inference.regression.coefficients import convergence_notes
from askance.present.result_table import (
    Fitted,
    ResultTable,
    title_regression,
    write_html,
    write_latex,
)
from askance.results import (
    Cell,
    Cells,
    Listing,
    folded,
    group_count,
    group_estimate,
    group_items,
    group_names,
    kept_mapping,
    listed,
    plain_json,
    result_frame,
    result_stream,
)
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError

Below = Literal["se", "interval", "p"]
"""What stands below each coefficient."""

_COLUMNS = ("estimate", "se", "p", "lower", "upper")


@final
@folded
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ModelComparison:
    """Several fitted regressions side by side.

    It is iterable as a mapping is: ``comparison["with age"]`` is the fit of that title.

    Attributes
    ----------
    models : mapping of str to fitted regression
        By their titles.
    below : {"se", "interval", "p"}
        What stands below each coefficient where it is printed.
    rename : mapping of str to str
        What coefficients are called here.
    foot : mapping of str to tuple of str
        Rows that were added to the foot: a cell for each model.
    """

    models: Mapping[str, Any]
    below: Below = "se"
    rename: Mapping[str, str]
    foot: Mapping[str, tuple[str, ...]]

    def __post_init__(self) -> None:
        for name in ("models", "rename", "foot"):
            object.__setattr__(self, name, kept_mapping(getattr(self, name)))

    def _by_group(self) -> Mapping[str, Any]:
        return self.models

    @property
    def terms(self) -> tuple[str, ...]:
        """The coefficients of all models, in the order in which they first come."""
        return tuple(dict.fromkeys(name for fit in self.models.values() for name in self._own(fit)))

    def columns(self) -> Cells:
        """The head of a long table, and a row for each model and coefficient."""
        rows: list[list[Cell]] = []
        for title, fit in self.models.items():
            rows += [[title, name, *row] for name, row in self._own(fit).items()]
        return ["model", "term", *_COLUMNS], rows

    def to_dict(self) -> Json:
        """Write the comparison for JSON: of each model its coefficients and its measures of fit."""
        models = [
            {
                "title": title,
                "model": _describe(fit),
                "standard_errors": fit.standard_errors.to_dict(),
                "level": fit.level,
                **{name: plain_json(read(fit)) for name, read in _MEASURES.items()},
                "coefficients": [
                    {"term": name, **dict(zip(_COLUMNS, plain_json(row), strict=True))}
                    for name, row in self._own(fit).items()
                ],
            }
            for title, fit in self.models.items()
        ]
        return {"models": models, "foot": plain_json(self.foot)}

    def to_csv(self) -> str:
        """Write a row for each model and coefficient as CSV, every number to its last digit."""
        head, rows = self.columns()
        return ResultTable(
            title="", head=tuple(head), rows=tuple(map(tuple, rows)), level=math.nan
        ).to_csv()

    def to_latex(self) -> str:
        """Write the table for LaTeX, with the rules of its package booktabs."""
        return write_latex(self._table(), is_name=_is_first, foot=2 * len(self.terms))

    def to_html(self) -> str:
        """Write the table as HTML that pastes into a page, a notebook or a text document."""
        return write_html(self._table(), is_name=_is_first, foot=2 * len(self.terms))

    def _own(self, fit: Any) -> dict[str, list[float]]:
        """Give the numbers of each coefficient of a model, by what it is called here."""
        margins = fit.coefficients()
        columns = (margins.value, margins.se, fit.p_value, margins.lower, margins.upper)
        names = [self.rename.get(name, name) for name in margins.labels]
        return dict(zip(names, np.array(columns).T.tolist(), strict=True))

    def _table(self) -> Listing:
        owns = [self._own(fit) for fit in self.models.values()]
        places = [_choose_decimals(own) for own in owns]
        rows: list[list[str]] = []
        for term in self.terms:
            cells = [
                _write_cell(own[term], self.below, digits) if term in own else ("", "")
                for own, digits in zip(owns, places, strict=True)
            ]
            rows += [[term, *(cell[0] for cell in cells)], ["", *(cell[1] for cell in cells)]]
        foot = [[name, *map(write, self.models.values())] for name, write in _FOOT.items()]
        foot += [[name, *cells] for name, cells in self.foot.items()]
        filled = [row for row in foot if any(cell not in ("", "–") for cell in row[1:])]
        return "models side by side", ["term", *self.models], rows + filled, self._notes()

    def _notes(self) -> list[str]:
        """Say what stands below coefficients, what each model is, and what is doubted of it."""
        fits = self.models.items()
        levels = ", ".join(dict.fromkeys(f"{100 * fit.level:g} %" for fit in self.models.values()))
        below = {"se": "standard errors", "p": "p values", "interval": f"{levels} intervals"}
        return [
            f"in brackets: {below[self.below]}",
            *(f"{title}: {_describe(fit)}" for title, fit in fits),
            *(f"{title}: {line}" for title, fit in fits for line in _list_doubts(fit)),
        ]

    __iter__ = group_names
    __len__ = group_count
    __getitem__ = group_estimate
    items = group_items
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _is_first(column: int) -> bool:
    return column == 0


def _describe(fit: Any) -> str:
    return title_regression(fit._table()[0], getattr(fit, "formula", None))


def _list_doubts(fit: Any) -> list[str]:
    """Say what is doubted of a fit: that its maximum was reached, or that it fits the reports."""
    return [*convergence_notes(fit.convergence, is_brief=True), *fit.goodness_of_fit.misfit]


def _choose_decimals(own: Mapping[str, list[float]]) -> int:
    """Two digits of the least standard error of a model, at least three places."""
    errors = [row[1] for row in own.values() if math.isfinite(row[1]) and row[1] > 0]
    return min(max(3, 1 - math.floor(math.log10(min(errors)))), 8) if errors else 3


def _write_cell(row: list[float], below: Below, places: int) -> tuple[str, str]:
    """Write a coefficient, and what stands below it."""
    value, se, p_value, lower, upper = row
    if below == "p":
        under = "< 0.001" if p_value < 0.001 else _write(p_value, 3)
        return _write(value, places), f"({under})"
    if below == "se":
        return _write(value, places), f"({_write(se, places)})"
    return _write(value, places), f"[{_write(lower, places)}, {_write(upper, places)}]"


def _write(number: float, places: int) -> str:
    return "–" if math.isnan(number) else f"{number:,.{places}f}".replace("-", "−")


def _measure(name: str) -> Callable[[Any], float]:
    """Read a measure of a fit; not a number of one that has none, as least squares has no AIC."""

    def read(fit: Any) -> float:
        fit = getattr(fit, "classes", fit)  # of people who do not comply: the fit of their classes
        return float(getattr(fit, name, math.nan))

    return read


_MEASURES = {name: _measure(name) for name in ("n", "log_likelihood", "aic")}
_FOOT: Mapping[str, Callable[[Any], str]] = {
    "respondents": lambda fit: _write(_MEASURES["n"](fit), 0),
    "log-likelihood": lambda fit: _write(_MEASURES["log_likelihood"](fit), 2),
    "AIC": lambda fit: _write(_MEASURES["aic"](fit), 2),
    "standard errors": lambda fit: str(fit.standard_errors),
}


@checked
def compare_models(
    models: Mapping[str, Any],
    *,
    below: Below = "se",
    rename: Mapping[str, str] | None = None,
    foot: Mapping[str, Any] | None = None,
) -> ModelComparison:
    r"""Set several fitted regressions side by side: a column for each, a row for each coefficient.

    The foot has the number of respondents, the log-likelihood, Akaike's criterion (1974) and what
    standard errors rest on; a model without one of them has a dash there.

    Parameters
    ----------
    models : mapping of str to fitted regression
        By their titles: of `askance.response_regression`, `askance.censored_regression`,
        `askance.inference.outcome_regression`, `askance.inference.compliance_regression`,
        `askance.inference.item_count_regression` or `askance.inference.item_count_least_squares`.
    below : {"se", "interval", "p"}
        What stands below each coefficient: its standard error, its interval, or the p value of
        Wald's test that it is 0.
    rename : mapping of str to str, optional
        What coefficients are called in the table. Those of two models with one name share a row.
    foot : mapping of str to sequence of str, optional
        More rows of the foot, each with a cell for every model, such as its mechanism.

    Returns
    -------
    ModelComparison

    Raises
    ------
    InputError
        If there is no model, one is no fitted regression, two coefficients of a model get one name,
        or a row of the foot has more or fewer cells.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> reports, age = ["yes", "no"] * 30 + ["no"] * 12, [[i % 5] for i in range(72)]
    >>> comparison: ak.present.ModelComparison = ak.present.compare_models(
    ...     {
    ...         "alone": ak.response_regression(reports, None, q),
    ...         "by age": ak.response_regression(reports, age, q, terms=["age"]),
    ...     },
    ...     foot={"mechanism": ["Warner, ¾"] * 2},
    ... )
    >>> comparison
    models side by side
    term                            alone                by age
    intercept                      −0.693                −0.846
                                  (0.523)               (0.919)
    age                                                   0.077
                                                        (0.369)
    respondents                        72                    72
    log-likelihood                 −48.90                −48.88
    AIC                             99.80                101.76
    standard errors  observed information  observed information
    mechanism                   Warner, ¾             Warner, ¾
    in brackets: standard errors
    alone: logit of the share of yes
    by age: logit of the share of yes
    >>> list(comparison), comparison["alone"].n
    (['alone', 'by age'], 72)
    >>> comparison.to_frame()["term"].tolist()
    ['intercept', 'intercept', 'age']
    >>> r"\toprule" in comparison.to_latex(), comparison.to_html()[:6]
    (True, '<table')
    """
    if not models:
        raise InputError("compare_models.models", got="no model", allowed="one or more, by title")
    for title, fit in models.items():
        if not isinstance(fit, Fitted) or not hasattr(fit, "standard_errors"):
            raise InputError(
                f"compare_models.models[{title!r}]",
                got=type(fit).__name__,
                allowed="a fitted regression",
            )
    rows = {name: _read_cells(name, cells, len(models)) for name, cells in (foot or {}).items()}
    comparison = ModelComparison(models=models, below=below, rename=rename or {}, foot=rows)
    _refuse_doubled(comparison)
    return comparison


def _read_cells(name: str, cells: Any, length: int) -> tuple[str, ...]:
    """Read a row of the foot."""
    texts = tuple(cells) if isinstance(cells, list | tuple) else ()
    if len(texts) != length or not all(isinstance(cell, str) for cell in texts):
        raise InputError(
            f"compare_models.foot[{name!r}]",
            got=cells,
            allowed=f"{length} texts in a list, one for each model",
        )
    return texts


def _refuse_doubled(comparison: ModelComparison) -> None:
    for name, new in comparison.rename.items():
        if not isinstance(new, str):
            raise InputError(f"compare_models.rename[{name!r}]", got=new, allowed="a name")
    for title, fit in comparison.models.items():
        names = [comparison.rename.get(name, name) for name in fit.coefficients().labels]
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise InputError(
                "compare_models.rename",
                got=f"{doubled!r} for two coefficients of {title!r}",
                allowed="a name of its own for each coefficient of a model",
            )
