"""A tail of the noise: how likely it is, and how quickly the chance falls at its end."""

from dataclasses import dataclass
from typing import final

from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tail:
    """Tails of the noise, each beyond t on its side of zero.

    Attributes
    ----------
    t : array, shape (p,)
    side : array, shape (p,)
        1 for the upper tail, beyond t; −1 for the lower one, beyond −t.
    log_chance : array, shape (p,)
    rate : array, shape (p,)
        The density at the end of the tail, by its chance.
    """

    t: Floats
    side: Floats
    log_chance: Floats
    rate: Floats
