"""Formulas in the grammar of formulaic: read, and made into columns."""

import re
import warnings
from typing import Any

import formulaic
import narwhals as nw
import numpy as np
from formulaic.errors import DataMismatchWarning, FormulaicError

from askance.arguments import checked
from askance.errors import InputError
from askance.learn.columns import Columns, picked, refuse_holes
from askance.typing import Floats


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
