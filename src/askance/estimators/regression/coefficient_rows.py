"""Coefficients as the rows of a table, narrow enough for a terminal."""

import numpy as np
from scipy.special import ndtr

from askance.channels.listing import number
from askance.estimators.regression.margins import Margins
from askance.typing import Floats

_DIGITS = (4, 4, 3, 2, 3, 3)


def wald(value: Floats, se: Floats) -> Floats:
    """Say how often a coefficient of 0 would come out at least as large.

    >>> wald(np.array([1.959964]), np.ones(1)).round(6).tolist()
    [0.05]
    """
    p: Floats = 2 * ndtr(-np.abs(value) / se)
    return p


def coefficient_rows(told: Margins) -> tuple[list[str], list[list[str]]]:
    """Give the head and a row for each coefficient, with Wald's test that it is 0."""
    value, se = told.value, told.se
    columns = (value, se, value / se, wald(value, se), told.lower, told.upper)
    rows = [
        [
            name,
            *(
                number(float(column[at]), digits)
                for column, digits in zip(columns, _DIGITS, strict=True)
            ),
        ]
        for at, name in enumerate(told.labels)
    ]
    return ["term", "value", "se", "z", "p", f"{100 * told.level:g} % from", "to"], rows
