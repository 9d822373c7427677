"""Dense channels of many answers by as many reports, built and judged; frames of very many names.

The floor is NumPy going once through a matrix of doubles of that size, for the least of each
column. Each channel is given as a NumPy matrix, as a table of whole numbers (up to what doubles
add exactly, and beyond), as lists of fractions with few and with many values, and as k-ary
response by its recipe; each is judged by the local loss, Shafer's and Walley's. All in one run, in
CPU seconds, each the best of three.
"""

import argparse
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

import askance as ak
from askance_collect.errors import InputError

JUDGES = (ak.local_loss, ak.privacy.shafer_loss, ak.privacy.walley_loss)


def main() -> None:
    """Print seconds, and ratios to the floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=1024)
    parser.add_argument("--names", type=int, default=1_000_000)
    options = parser.parse_args()
    channels(options.answers)
    frames(options.names)


def channels(k: int) -> None:
    """Measure the building and the judging of channels over k answers."""
    weights = np.random.default_rng(1).integers(1, 1000, (k, k))
    total = int(weights.sum(axis=1).max())
    weights[:, 0] += total - weights.sum(axis=1)
    matrix = weights / total
    floor = best(lambda: matrix.min(axis=0))
    print(f"{k:,} × {k:,}: one pass {floor * 1e3:.2f} ms; milliseconds, × the floor")
    frame = ak.Frame([f"answer {i}" for i in range(k)])
    judges: dict[str, Callable[[], Any]] = {
        "doubles": lambda: matrix,
        "table": table(total, weights.tolist()),
        "table beyond doubles": table(total * 10**30, (weights.astype(object) * 10**30).tolist()),
        "fractions of two values": few(k),
        "fractions of many values": many(total, weights.tolist()),
    }
    reports = {answer: [answer] for answer in frame.answers}
    ways = {
        name: lambda make=make: ak.Channel(frame, reports, make()) for name, make in judges.items()
    }
    ways["k-ary response"] = lambda: ak.KAry.at_epsilon(1).channel(frame)
    for name, build in ways.items():
        channel = build()
        line(f"{name}: build", best(build), floor)
        for judge in JUDGES:
            line(f"  {judge.__name__}", best(lambda judge=judge, q=channel: judge(q)), floor)
        line(
            "  and one row of local pairs",
            best(lambda q=channel: ak.local_loss(q).pairs[k // 2]),
            floor,
        )


def table(total: int, rows: list[list[int]]) -> Callable[[], ak.exact.Table]:
    """Make a table, which is a part of what building takes."""
    return lambda: ak.exact.Table(total, rows)


def few(k: int) -> Callable[[], list[list[Fraction]]]:
    """Give rows of fractions of which there are two in all, for an even k."""
    low, high = Fraction(1, 2 * k), Fraction(3, 2 * k)
    rows = [[low if (x + y) % 2 else high for y in range(k)] for x in range(k)]
    return lambda: rows


def many(total: int, weights: list[list[int]]) -> Callable[[], list[list[Fraction]]]:
    """Give rows of fractions, each made for itself."""
    rows = [[Fraction(weight, total) for weight in row] for row in weights]
    return lambda: rows


def frames(names: int) -> None:
    """Measure frames of very many names."""
    listed = [f"answer {i}" for i in range(names)]
    text = "\n".join(listed)
    floor = best(text.split)
    print(f"{names:,} names: splitting a text into them {floor * 1e3:.0f} ms; × this")
    frame = ak.Frame(listed)
    line("frame: build", best(lambda: ak.Frame(listed)), floor)
    line(
        "  a name that stands twice", best(lambda: refused(ak.Frame, [*listed, listed[-1]])), floor
    )
    line("  first name looked up", best(lambda: ak.Frame(listed).index(listed[-1])), floor)
    line("  an unknown name", best(lambda: refused(frame.index, listed[-1] + "x")), floor)
    half = listed[::2]
    line("  mask of every other name", best(lambda: frame.mask(half)), floor)
    mask = frame.mask(half)
    line("  names of that mask", best(lambda: frame.names(mask)), floor)


def refused(work: Callable[[Any], object], value: object) -> str:
    """Give the message of a refusal."""
    try:
        work(value)
    except InputError as error:
        return str(error)
    raise AssertionError("was not refused")


def line(name: str, seconds: float, floor: float) -> None:
    """Print one figure."""
    print(f"  {name:<32}{seconds * 1e3:9.1f} ms {seconds / floor:9.1f} ×")


def best(work: Callable[[], object]) -> float:
    """Give the least CPU seconds of three."""
    spent = []
    for _ in range(3):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


if __name__ == "__main__":
    main()
