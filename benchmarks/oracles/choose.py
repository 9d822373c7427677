"""What each frequency oracle takes to make a report and to count it, side by side.

In CPU nanoseconds, the best of three in one run; as ratios to NumPy drawing one double a row.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

import askance as ak


def main() -> None:
    """Print a table for each number of answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--answers", type=int, nargs="+", default=[128, 1024])
    options = parser.parse_args()
    floor = best(lambda: np.random.default_rng(1).random(options.rows * 10)) / 10
    for k in options.answers:
        nanoseconds = floor / options.rows * 1e9
        print(f"k = {k}, {options.rows:,} rows; drawing alone {nanoseconds:.1f} ns a row")
        compared(k, options.rows, floor)


def compared(k: int, rows: int, floor: float) -> None:
    """Measure every oracle at ε = 1."""
    frame = ak.Frame([f"answer {i}" for i in range(k)])
    column = np.array(frame.answers)[np.random.default_rng(2).integers(0, k, rows)]
    for oracle in ak.design.compare_oracles(answers=k, people=rows, epsilon=1).oracles:
        channel = oracle.mechanism.channel(frame)
        reports = ak.privatise(channel, column, rng=1, name="said")

        def send(channel: ak.Channel = channel) -> object:
            return ak.privatise(channel, column, rng=1, name="said")

        def count(channel: ak.Channel = channel, reports: object = reports) -> object:
            return getattr(ak.tally(channel, reports), "supports", None)

        spent, counted = best(send), best(count)
        print(
            f"  {oracle.label:<20}{oracle.bytes:>7,} bytes  a report {spent / rows * 1e9:9.1f} ns "
            f"({spent / floor:8.1f} ×)  counted {counted / rows * 1e9:9.1f} ns "
            f"({counted / floor:8.1f} ×)"
        )


def best(work: Callable[[], object]) -> float:
    """Give the least CPU time of three."""
    spent = []
    for _ in range(3):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


if __name__ == "__main__":
    main()
