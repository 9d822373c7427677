"""Wilson's interval for frequencies, and for shares that are seen through noise as well."""

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


def noisy_wilson(
    share: Floats, variance: Floats, sampling: Floats, z: float
) -> tuple[Floats, Floats]:
    """Give the shares π that a score test does not reject, where protection adds to the variance.

    (π̂ − π)² ≤ z² [V + s (π(1 − π) − π̂(1 − π̂))]

    The sampling of people varies with the share as π(1 − π); what protection adds stays, also where
    the share is 0. With V = s π̂(1 − π̂) and s = 1/n it is Wilson's (1927) interval.

    Parameters
    ----------
    share, variance : array
        π̂ and V, its variance there.
    sampling : array
        s: one over the plain answers of as many people.
    z : float

    >>> low, high = noisy_wilson(np.array([0.0]), np.array([0.01]), np.array([0.001]), 1.959964)
    >>> low.tolist(), high.round(4).tolist()
    ([0.0], [0.1975])
    """
    penalty = z * z * np.asarray(sampling)
    noise = np.maximum(variance - sampling * share * (1 - share), 0)
    centre = (share + penalty / 2) / (1 + penalty)
    spread = penalty * share * (1 - share) + penalty**2 / 4 + (1 + penalty) * z * z * noise
    reach = np.sqrt(spread) / (1 + penalty)
    return np.clip(centre - reach, 0, share), np.clip(centre + reach, share, 1)
