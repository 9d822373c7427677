"""Numbers as a reader wants them: percentages, intervals, counts."""

import math
from collections.abc import Iterable

from askance.estimators.goodness_of_fit import DOUBT

UNKNOWN = "not known"
"""Said where there is no number."""

_MOST_PLACES = 9

NOTHING = "nothing learnt"
"""Said of a number of which the reports tell no more than that it is on its line."""


def share(value: float) -> str:
    """Say a share as a percentage.

    >>> share(0.3241), share(0.0), share(0.0004), share(0.9997), share(float("nan"))
    ('32.4 %', '0.0 %', 'under 0.1 %', 'over 99.9 %', 'not known')
    """
    if not math.isfinite(value):
        return UNKNOWN
    if 0 < value < 0.0005:
        return "under 0.1 %"
    if 0.9995 < value < 1:
        return "over 99.9 %"
    return f"{100 * value:.1f} %"


def share_interval(lower: float, upper: float) -> str:
    """Say an interval of shares, to as many decimals as tell its ends apart.

    >>> share_interval(0.271, 0.382), share_interval(0, 1), share_interval(0.99996, 1)
    ('27.1 to 38.2 %', '0.0 to 100.0 %', '99.996 to 100.000 %')
    """
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return UNKNOWN
    for places in range(1, _MOST_PLACES):
        low, high = (f"{100 * end:.{places}f}" for end in (lower, upper))
        if low != high:
            break
    return f"{low} to {high} %"


def doubt(found: Iterable[str], doubted: bool) -> tuple[str, ...]:
    """Warn of reports that do not fit their form; nothing where they do.

    >>> doubt(["Blank is 0.0 % of the reports."], doubted=True)[1]
    'Blank is 0.0 % of the reports.'
    """
    if not doubted:
        return ()
    return (
        "These reports do not fit the form: many were not drawn as it says, or were sent to "
        "mislead.",
        *found,
        "No interval can be given: nobody knows how many are false. Honest reports are doubted so "
        f"at one question in {1 / DOUBT:,.0f}, at most.",
    )


def digits(error: float) -> int:
    """Say how many decimals a number deserves whose standard error is this.

    >>> digits(0.31), digits(4.2), digits(120), digits(0.0042), digits(0.0)
    (1, 0, 0, 3, 2)
    """
    if not (math.isfinite(error) and error > 0):
        return 2
    return min(max(-math.floor(math.log10(error)), 0), 6)


def number(value: float, error: float) -> str:
    """Say a number to the precision that its standard error allows.

    >>> number(29.0831, 0.31), number(1234.5, 120)
    ('29.1', '1,234')
    """
    return f"{value:,.{digits(error)}f}" if math.isfinite(value) else UNKNOWN


def number_interval(lower: float, upper: float, error: float) -> str:
    """Say an interval of numbers; an end that no cut bounds is said as such.

    >>> number_interval(28.61, 29.56, 0.31), number_interval(28, float("inf"), 1)
    ('28.6 to 29.6', 'above 28')
    """
    places = digits(error)
    if math.isnan(lower) or math.isnan(upper) or (math.isinf(lower) and math.isinf(upper)):
        return UNKNOWN
    if math.isinf(upper):
        return f"above {lower:,.{places}f}"
    if math.isinf(lower):
        return f"up to {upper:,.{places}f}"
    return f"{lower:,.{places}f} to {upper:,.{places}f}"


def count(value: float) -> str:
    """Say how many.

    >>> count(1234.4), count(float("nan"))
    ('1,234', 'not known')
    """
    return f"{value:,.0f}" if math.isfinite(value) else UNKNOWN


def percent_level(levels: Iterable[float]) -> str:
    """Name the intervals of a table by their level, where it is one.

    >>> percent_level([0.95, 0.95]), percent_level([0.9, 0.95]), percent_level([])
    ('95 % interval', 'interval', 'interval')
    """
    held = set(levels)
    return f"{100 * held.pop():g} % interval" if len(held) == 1 else "interval"
