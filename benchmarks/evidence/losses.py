"""Every loss of a mechanism with 4 answers over 20 outputs and all 2^20 − 1 messages.

Prints seconds and ε for each loss, for integers (exact) and for doubles, with the memory at its
highest; and, for 10 outputs, the ratio to the same sums by dictionary in this run.
"""

import resource
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import numpy as np

import askance as ak

ANSWERS = 4
JUDGES: tuple[Callable[[ak.Channel], ak.privacy.Guarantee], ...] = (
    ak.privacy.shafer_loss,
    ak.privacy.walley_loss,
    ak.privacy.belief_loss,
    ak.privacy.plausibility_loss,
)


def mechanism(outputs: int, *, exact: bool) -> ak.Channel:
    """Put random mass on every non-empty set of outputs."""
    count, total = (1 << outputs) - 1, 1 << 30
    dice = np.random.default_rng(1)
    weights = dice.integers(1, 100, size=(ANSWERS, count))
    units = weights * (total // 2 // weights.sum(axis=1, keepdims=True))
    units[:, 0] += total - units.sum(axis=1)
    output = ak.Frame([f"y{i}" for i in range(outputs)])
    named = {f"r{mask}": output.names(mask) for mask in range(1, count + 1)}
    rows = ak.exact.Table(total, tuple(map(tuple, units.tolist()))) if exact else units / total
    return ak.Channel(ak.Frame(["a", "b", "c", "d"]), named, rows, output=output)


def by_dictionary(channel: ak.Channel) -> tuple[Fraction, Fraction]:
    """Give Shafer's and Walley's ratio by looping over masses, one by one."""
    size, rows = len(channel.output), range(len(channel.frame))
    masses = [dict(zip(channel.meanings, channel.table.row(x), strict=True)) for x in rows]
    shafer = walley = Fraction(1)
    for x, other in permutations(rows, 2):
        shafer = max(shafer, *(masses[x][mask] / masses[other][mask] for mask in masses[x]))
        for row in range(size):
            high = sum(mass for mask, mass in masses[x].items() if mask >> row & 1)
            walley = max(walley, high / masses[other][1 << row])
    return shafer, walley


def timed(judge: Callable[[ak.Channel], object], channel: ak.Channel) -> tuple[float, object]:
    """Give the seconds that one call takes, and what it gives."""
    start = time.perf_counter()
    guarantee = judge(channel)
    return time.perf_counter() - start, guarantee


def main() -> None:
    """Measure both kinds of rows, then compare."""
    for exact in (True, False):
        channel = mechanism(20, exact=exact)
        for judge in JUDGES:
            took, loss = timed(judge, channel)
            kind = "integers" if exact else "doubles"
            print(f"{kind:<9}{judge.__name__:<18}{took:7.3f} s   ε = {loss.epsilon}")
        del channel
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"at most {peak:.0f} MiB, the mechanisms themselves included")
    small = mechanism(10, exact=True)
    plain, expected = timed(by_dictionary, small)
    took = sum(timed(judge, small)[0] for judge in JUDGES[:2])
    losses = tuple(judge(small).value for judge in JUDGES[:2])
    assert losses == expected
    print(f"10 outputs, both losses: {plain / took:.0f} times as fast as by dictionary")


if __name__ == "__main__":
    main()
