"""The two censoring schemes of the literature, as cuts."""

from collections.abc import Sequence
from typing import Any

from askance.arguments import checked
from askance.channels.tick_weights import EVEN
from askance.mechanisms.cuts import Cuts


@checked
def CaseI(law: Any = EVEN, *, open: Sequence[Any] = ()) -> Cuts:  # noqa: N802  its name in the literature
    """Draw one cut, and ask whether the answer is up to it or above.

    Case I interval censoring, or current status.

    Parameters
    ----------
    law, open
        As for `Cuts`.

    References
    ----------
    Ding & Ding (2022), Section II-C.

    >>> CaseI() == Cuts(number=1)
    True
    """
    return Cuts(number=1, law=law, open=open)


@checked
def CaseII(law: Any = EVEN, *, open: Sequence[Any] = ()) -> Cuts:  # noqa: N802  its name in the literature
    """Draw two cuts, and ask which of the three ranges holds the answer.

    Case II interval censoring, with both cuts from one law.

    Parameters
    ----------
    law, open
        As for `Cuts`.

    References
    ----------
    Ding & Ding (2022), Section II-C.

    >>> CaseII([1, 2, 1]) == Cuts(number=2, law=[1, 2, 1])
    True
    """
    return Cuts(number=2, law=law, open=open)
