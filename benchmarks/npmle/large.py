"""Ten million ranges, and a tally of a billion reports, each in a fresh process.

One thread. The tally holds every range between two of 1,000 steps that was reported by any of 10⁹
people, each of whom drew two cuts.
"""

import argparse
import os
import resource
import subprocess
import sys
import time

import numpy as np
from icenreg import THREADS
from kinds import make

STEPS, PEOPLE = 1_000, 10**9


def ten_million() -> str:
    import askance as ak

    ranges = ak.Ranges(*make("case2", 10_000_000, int.from_bytes(os.urandom(2), "big"))[:2])
    return describe_memory_and_time("two cuts each, 10,000,000 ranges", ranges)


def tally() -> str:
    import askance as ak

    rng = np.random.default_rng()
    upto = np.append(0, np.cumsum(rng.dirichlet(np.full(STEPS, 2.0))))
    low, high = np.triu_indices(STEPS + 1, 1)
    chance = (upto[high] - upto[low]) * np.where((low > 0) & (high < STEPS), 1, STEPS - high + low)
    counts = rng.poisson(PEOPLE * chance / chance.sum())
    ends = np.where(low == 0, -np.inf, low), np.where(high == STEPS, np.inf, high)
    ranges = ak.Ranges(*ends, counts)
    return describe_memory_and_time(
        f"{counts.sum():,} reports, {np.count_nonzero(counts):,} distinct", ranges
    )


def describe_memory_and_time(name: str, ranges: object) -> str:
    import askance as ak

    began, worked = time.perf_counter(), time.process_time()
    fit = ak.npmle(ranges)
    spent, worked = time.perf_counter() - began, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{name}: {spent:.2f} s ({worked:.2f} of work), gap {fit.gap:.0e}, {peak:.0f} MB"


WORKS = {"ten-million": ten_million, "tally": tally}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", choices=WORKS)
    options = parser.parse_args()
    if options.work:
        print(WORKS[options.work]())
        return
    for work in WORKS:
        command = [sys.executable, __file__, "--work", work]
        subprocess.run(command, check=True, env=os.environ | THREADS)


if __name__ == "__main__":
    main()
