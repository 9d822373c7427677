"""Processor time of `estimate` through k-ary response, beside NumPy inverting its matrix.

``python benchmarks/start/many_answers.py`` prints medians of several passes over one tally, each
pass of both in turn.
"""

import argparse
from statistics import median
from time import process_time

import numpy as np

import askance as ak

REPORTS = 100_000


def main() -> None:
    """Print the medians of each number of answers, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, nargs="+", default=[16, 64, 65, 256, 1024])
    parser.add_argument("--passes", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'answers':>8}{'estimate':>12}{'inverse':>12}{'ratio':>8}   (seconds)")
    for k in arguments.answers:
        frame = ak.Frame([f"answer {index}" for index in range(k)])
        channel, rng = ak.KAry(truth="2/3").channel(frame), np.random.default_rng(k)
        counts = rng.multinomial(REPORTS, np.full(k, 1 / k) @ channel.matrix)
        tally = ak.Tally(channel, dict(zip(frame.answers, counts.tolist(), strict=True)))
        own, inverse = [], []
        for _ in range(arguments.passes):
            begun = process_time()
            ak.estimate(tally)
            middle = process_time()
            np.linalg.inv(channel.matrix)
            own.append(middle - begun)
            inverse.append(process_time() - middle)
        times = median(own), median(inverse)
        print(f"{k:8,}{times[0]:12.4f}{times[1]:12.4f}{times[0] / times[1]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
