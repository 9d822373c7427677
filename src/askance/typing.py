"""Names for the arrays and numbers that cross rooms."""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
"""An array of doubles."""

Integers = npt.NDArray[np.int64]
"""An array of 64-bit integers."""

Booleans = npt.NDArray[np.bool_]
"""An array of truth values."""

Json = dict[str, Any]
"""A JSON object."""
