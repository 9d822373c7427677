"""Seconds from a thousand ranges to ten million, as a table and as scaling.svg.

One thread, a fresh process and fresh data for each point: the median of up to three fits.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from icenreg import THREADS
from kinds import make

KINDS = ("case1", "case2", "mixed", "visits", "grid", "ring")
NAMES = {
    "case1": "one cut",
    "case2": "two cuts",
    "mixed": "two cuts, 30 % exact",
    "visits": "visits",
    "grid": "two cuts on 200 steps",
    "ring": "rings",
}
SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)


def seconds(kind: str, n: int) -> float:
    import askance as ak

    low, high, pieces = make(kind, n, int.from_bytes(os.urandom(2), "big"))
    ranges = ak.Ranges(low, high, closed="survival", pieces=pieces if kind == "ring" else None)
    spent: list[float] = []
    while len(spent) < 3 and sum(spent) < 5:
        began = time.perf_counter()
        ak.npmle(ranges)
        spent.append(time.perf_counter() - began)
    return statistics.median(spent)


def draw_figure(seconds_by_program: dict[str, list[float]], sizes: list[int]) -> None:
    from matplotlib import pyplot

    from askance.present.figures import save_figure

    figure, ax = pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")
    for kind, line in seconds_by_program.items():
        ax.loglog(sizes, line, "o-", markersize=4, label=NAMES[kind])
    ax.set_xlabel("ranges")
    ax.set_ylabel("seconds to the most likely distribution")
    ax.grid(alpha=0.3)
    ax.legend(frameon=False)
    save_figure(figure, Path(__file__).with_suffix(".svg"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--point", nargs=2, metavar=("KIND", "N"))
    options = parser.parse_args()
    if options.point:
        print(seconds(options.point[0], int(options.point[1])))
        return
    print("seconds" + " " * 20 + "".join(f"{n:>12,}" for n in options.sizes))
    seconds_by_program: dict[str, list[float]] = {}
    for kind in options.kinds:
        seconds_by_program[kind] = []
        for n in options.sizes:
            command = [sys.executable, __file__, "--point", kind, str(n)]
            ran = subprocess.run(
                command, check=True, capture_output=True, text=True, env=os.environ | THREADS
            )
            seconds_by_program[kind].append(float(ran.stdout))
        print(
            f"{NAMES[kind]:27}" + "".join(f"{s:12.4f}" for s in seconds_by_program[kind]),
            flush=True,
        )
    draw_figure(seconds_by_program, options.sizes)


if __name__ == "__main__":
    main()
