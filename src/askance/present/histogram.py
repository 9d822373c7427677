"""The law of the individual coverage as a histogram of text."""

from typing import TYPE_CHECKING

import numpy as np

from askance.typing import Floats

if TYPE_CHECKING:
    from askance.privacy.coverage import CoverageLaw

_WIDEST = 40
_BINS = 10
_BLOCKS = "▁▂▃▄▅▆▇█"


def histogram(law: "CoverageLaw") -> tuple[str, ...]:
    """Draw how many of 100 reports leave each tenth of all people possible, in 70 columns.

    Parameters
    ----------
    law : CoverageLaw

    >>> from askance.privacy.coverage import CoverageLaw
    >>> law = CoverageLaw(values=[0.25, 0.35, 1], chances=[0.25, 0.25, 0.5], n=0)
    >>> for line in histogram(law):
    ...     print(line)
      20 to 30 %   25  ████████████████████
      30 to 40 %   25  ████████████████████
      40 to 50 %    0
      50 to 60 %    0
      60 to 70 %    0
      70 to 80 %    0
      80 to 90 %    0
     90 to 100 %   50  ████████████████████████████████████████
    """
    held = _tenths(law)
    used = np.flatnonzero(held > 0)
    scale = _WIDEST / held.max()
    return tuple(
        f"{f'{10 * tenth} to {10 * tenth + 10} %':>12}{_count(float(held[tenth])):>5}  "
        f"{'█' * round(held[tenth] * scale)}".rstrip()
        for tenth in range(used[0], used[-1] + 1)
    )


def sparkline(law: "CoverageLaw") -> str:
    """Draw the same in a line: how many reports leave each tenth of all people possible.

    >>> from askance.privacy.coverage import CoverageLaw
    >>> sparkline(CoverageLaw(values=[0.25, 0.35, 1], chances=[0.125, 0.375, 0.5], n=0))
    '0 % ··▂▆·····█ 100 %'
    """
    held = _tenths(law)
    tall = np.ceil(held / held.max() * len(_BLOCKS) - 1e-9).astype(int)
    return f"0 % {''.join(_BLOCKS[height - 1] if height else '·' for height in tall)} 100 %"


def _tenths(law: "CoverageLaw") -> Floats:
    at = np.clip(np.ceil(law.values * _BINS - 1e-9).astype(int) - 1, 0, _BINS - 1)
    return np.bincount(at, law.chances, _BINS).astype(float)


def _count(share: float) -> str:
    return "<1" if 0 < share < 0.005 else f"{100 * share:.0f}"
