"""Random streams of the analyst's dice, keyed by what they are for.

A seed names no stream by itself. Each purpose, and each column that is privatised, has a stream of
its own, derived from the seed by a hash. What a caller draws with the same seed elsewhere, by
`numpy.random.default_rng` or otherwise, is therefore independent of what is drawn here.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from operator import index
from typing import Any

import numpy as np

from askance_collect.errors import InputError
from askance_collect.random_bytes import SYSTEM_BYTES

_ALLOWED = "a whole number of at least 0, several of them, or a numpy Generator"


def random_stream(rng: Any, purpose: str, column: str = "") -> np.random.Generator:
    """Derive the generator of one purpose and column from a seed, or from a caller's generator.

    The stream is NumPy's default one, seeded by SHA-256 of the purpose, the column and the words
    that `rng` gives. A seed (whole numbers) gives itself. What has a state (a Generator, a
    BitGenerator, a RandomState, a SeedSequence) gives 32 bytes, or a child, and moves on, so that
    the next call draws something else.

    Parameters
    ----------
    rng : seed, Generator, BitGenerator, RandomState, SeedSequence or None
        Fresh bits of the operating system if None.
    purpose : str
        The function that draws, by its public name.
    column : str
        Which of several columns it draws for.

    Raises
    ------
    InputError
        If it is none of these.

    >>> bool(random_stream(1, "privatise", "tea").random() == np.random.default_rng(1).random())
    False
    >>> [random_stream(1, "privatise", name).integers(100).item() for name in ("tea", "tea", "gin")]
    [30, 30, 91]
    """
    if rng is None:
        return np.random.default_rng(int.from_bytes(SYSTEM_BYTES.draw(16)))
    key = json.dumps([purpose, column, _words(rng, purpose)])
    return np.random.default_rng(int.from_bytes(sha256(key.encode()).digest()))


def is_seed(rng: Any) -> bool:
    """Say whether dice are a seed, which draws the same in every call, and have no state.

    >>> is_seed(1), is_seed([1, 2]), is_seed(np.random.default_rng(1)), is_seed(None)
    (True, True, False, False)
    """
    return rng is not None and not isinstance(rng, np.random.SeedSequence | _WITH_STATE)


_WITH_STATE = np.random.Generator | np.random.BitGenerator | np.random.RandomState


def _words(rng: Any, purpose: str) -> Sequence[int] | str:
    if isinstance(rng, np.random.SeedSequence):
        (child,) = rng.spawn(1)
        state: list[int] = child.generate_state(8).tolist()
        return state
    if isinstance(rng, np.random.BitGenerator):
        rng = np.random.Generator(rng)
    if isinstance(rng, np.random.Generator | np.random.RandomState):
        return rng.bytes(32).hex()
    try:
        listed = np.ndim(rng) == 1
        words = [index(word) for word in (rng if listed else [rng])]
    except (TypeError, ValueError):
        words = [-1]
    if not words or min(words) < 0:
        raise InputError(f"{purpose}.rng", got=rng, allowed=_ALLOWED)
    return words
