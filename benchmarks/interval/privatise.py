"""Ten million numbers as random ranges, by every range mechanism, on one thread.

The measure is the time that numpy needs to draw as many cuts alone, each from its law, by
``Generator.choice``; both in one run, each the better of two.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

import askance as ak

LINE = ak.Line(0, 500, 1)
CHUNK = 1 << 16
LAW = {"name": "lognormal", "median": 60, "spread": 2}
RECIPES = {
    "one cut": ak.Cuts(law=LAW),
    "two cuts": ak.Cuts(number=2, law=LAW),
    "two even cuts, exact to 10": ak.Cuts(number=2, open=[(0, 10)]),
    "ring": ak.Ring(floor="1/5", law=LAW, sizes=LAW),
    "selective, two cuts": ak.mechanisms.Selective(
        floor="1/5", send_chance="4/5", number=2, law=LAW, sizes=LAW
    ),
    "progressive, three cuts": ak.Progressive(number=3, floor="1/5", law=LAW, sizes=LAW),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10_000_000)
    people = parser.parse_args().people
    numbers = np.random.default_rng().lognormal(4, 0.7, people)
    print(f"{people:,} numbers on a line of {LINE.ticks} steps")
    for name, recipe in RECIPES.items():
        channel = recipe.channel(LINE)
        cuts = 2 if isinstance(channel, ak.channels.RingChannel) else channel.number
        p = np.array(channel.cut_weights) / sum(channel.cut_weights)
        drawing = best(lambda p=p, cuts=cuts: draw(p, people * cuts))
        sending = best(lambda channel=channel: ak.privatise(channel, numbers))
        print(
            f"{name:<28} {sending:6.2f} s  {sending / drawing:5.2f} × drawing its {cuts} cuts alone"
        )


def draw(p: np.ndarray, count: int) -> None:
    dice = np.random.default_rng()
    for start in range(0, count, CHUNK):
        dice.choice(len(p), p=p, size=min(CHUNK, count - start))


def best(work: Callable[[], object]) -> float:
    spent = []
    for _ in range(2):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return min(spent)


if __name__ == "__main__":
    main()
