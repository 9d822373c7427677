"""Wilson's interval for frequencies."""

import numpy as np

from askance.typing import Floats


def wilson(frequency: Floats, n: Floats, z: float) -> tuple[Floats, Floats]:
    """Give the shares that a score test does not reject (Wilson, 1927).

    (f + z²/2n ± z √(f(1 − f)/n + z²/4n²)) / (1 + z²/n)

    Parameters
    ----------
    frequency : array
    n : array
        Observations behind each, not necessarily whole; 0 gives [0, 1].
    z : float

    >>> low, high = wilson(np.array([0.0]), np.array([10.0]), 1.959964)
    >>> low.round(6).tolist(), high.round(6).tolist()
    ([0.0], [0.277533])
    """
    penalty = z * z / np.maximum(n, 1e-300)
    centre = (frequency + penalty / 2) / (1 + penalty)
    spread = np.sqrt(frequency * (1 - frequency) / penalty + 0.25) * penalty / (1 + penalty)
    return np.clip(centre - spread, 0, 1), np.clip(centre + spread, 0, 1)
