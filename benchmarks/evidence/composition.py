"""k-fold composition of two questions with three reports: exact here, on a grid in dp-accounting.

Prints ε at δ = 1e-6, the processor's seconds (median of the passes, worst of both directions
included), and the ratio of the two times in this run. Then four mechanisms of 1,000 reports each,
on a grid by both: between which figures ε certainly lies, where dp-accounting composes twice,
pessimistically and optimistically.
"""

import argparse
import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from peers import peers

from askance import Channel, Frame
from askance.privacy import Ledger, Notion
from askance.privacy import ledger as ledgers

DELTA = 1e-6
ROWS = {
    "A": ((55, 20, 25), (22, 58, 20)),
    "B": ((42, 37, 21), (38, 43, 19)),
    "truth 3/5, lie 1/10": ((60, 10, 30), (10, 60, 30)),
}
PEER = """
import json, math, sys, time, warnings
warnings.simplefilter("ignore")
from dp_accounting.pld import privacy_loss_distribution as pld
first, second, k, passes, step = json.loads(sys.argv[1])
one, two = ({at: math.log(p / 100) for at, p in enumerate(row)} for row in (first, second))
times = []
for _ in range(passes):
    start = time.process_time()
    law = pld.from_two_probability_mass_functions(
        one, two, value_discretization_interval=step, symmetric=False
    )
    epsilon = law.self_compose(k).get_epsilon_for_delta(1e-6)
    times.append(time.process_time() - start)
print(json.dumps([epsilon, times]))
"""
SEVERAL = {
    "four reports": ((28, 26, 24, 22), (26, 25, 25, 24)),
    "three reports": ((42, 37, 21), (38, 43, 19)),
    "truth 2/5, lie 3/10": ((40, 30, 30), (30, 40, 30)),
    "Warner's, 11/20": ((55, 45), (45, 55)),
}
TIMES = 1000  # reports by each of these
SEVERAL_PEER = """
import json, math, sys, time, warnings
warnings.simplefilter("ignore")
from dp_accounting.pld import privacy_loss_distribution as pld
rows, k, passes, step = json.loads(sys.argv[1])
ends, times = {}, []
for _ in range(passes):
    start = time.process_time()
    for pessimistic in (False, True):
        whole = None
        for pair in rows:
            one, two = ({at: math.log(p / 100) for at, p in enumerate(row)} for row in pair)
            law = pld.from_two_probability_mass_functions(
                one,
                two,
                pessimistic_estimate=pessimistic,
                value_discretization_interval=step,
                symmetric=False,
            ).self_compose(k)
            whole = law if whole is None else whole.compose(law)
        ends[pessimistic] = whole.get_epsilon_for_delta(1e-6)
    times.append(time.process_time() - start)
print(json.dumps([ends[False], ends[True], times]))
"""


def channel_of(rows: tuple[tuple[int, ...], ...]) -> Channel:
    """Make a channel of two answers, of percentages."""
    named = {f"report {at}": ["yes", "no"] for at in range(len(rows[0]))}
    named |= {"report 0": ["yes"], "report 1": ["no"]}
    return Channel(
        Frame(["yes", "no"]), named, [[Fraction(mass, 100) for mass in row] for row in rows]
    )


def ours(
    rows: tuple[tuple[int, ...], ...], k: int, passes: int
) -> tuple[float, list[float], float]:
    """Give ε, the times of law and ε in both directions, and the time of one curve."""
    channel, times, epsilon, seconds_drawn = channel_of(rows), [], 0.0, 0.0
    for _ in range(passes):
        ledgers._law.cache_clear()
        start = time.process_time()
        ledger = Ledger().spend(channel, k)
        epsilon = ledger.epsilon(DELTA)
        times.append(time.process_time() - start)
        start = time.process_time()
        ledger.tradeoff()
        seconds_drawn = time.process_time() - start
    return epsilon, times, seconds_drawn


def several(python: Path, passes: int, step: float) -> None:
    """Compose four mechanisms in one direction, and print brackets and times."""
    ledger, times = Ledger(), []
    for rows in SEVERAL.values():
        ledger = ledger.spend(channel_of(rows), TIMES)
    for _ in range(passes):
        ledgers._law.cache_clear()
        start = time.process_time()
        law = ledger.loss_distribution("yes", "no", notion=Notion.LOCAL)
        ends = law.epsilon_lower(DELTA), law.epsilon(DELTA)
        times.append(time.process_time() - start)
    order = json.dumps([list(SEVERAL.values()), TIMES, passes, step])
    low, high, spent = ask(python, SEVERAL_PEER, order)
    print(f"{len(SEVERAL)} mechanisms, {TIMES:,} reports each, in processor seconds:")
    for name, pair, seconds in (("here", ends, times), ("dp-accounting", (low, high), spent)):
        width = pair[1] - pair[0]
        print(
            f"{name:>15}: {pair[0]:.6f} ≤ ε ≤ {pair[1]:.6f} ({width:.6f}), {median(seconds):.3f} s"
        )


def theirs(
    python: Path, rows: tuple[tuple[int, ...], ...], k: int, passes: int, step: float
) -> tuple[float, list[float]]:
    epsilon, times = ask(python, PEER, json.dumps([*rows, k, passes, step]))
    return epsilon, times


def ask(python: Path, program: str, order: str) -> Any:
    run = subprocess.run(
        [str(python), "-c", program, order], capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--step", type=float, default=1e-4, help="the grid of dp-accounting")
    parser.add_argument("--only-several", action="store_true", help="the four mechanisms alone")
    options = parser.parse_args()
    python = peers(Path(__file__).parent)
    several(python, options.passes, options.step)
    for name, rows in () if options.only_several else ROWS.items():
        for k in (10, 100, 1000, 10_000):
            epsilon, times, seconds_drawn = ours(rows, k, options.passes)
            line = f"{name}, k = {k:6,}: ε = {epsilon:11.6f} in {median(times):.4f} s"
            line += f" (curve {seconds_drawn:.4f} s)"
            if k <= 1000:
                far, spent = theirs(python, rows, k, options.passes, options.step)
                line += f"; dp-accounting {far:.4f} (+{far - epsilon:.4f}) in {median(spent):.4f} s"
                line += f"; ratio {median(spent) / median(times):.0f}"
            print(line)
