"""Table II: how far estimates of E[Y] and E[Y²] are from the truth, from one cut a person.

Y is normal with mean 1/2 and variance 1. The cut U is uniform on [-T, T] with T = 2 n^(1/3) where
E[Y] is sought; where E[Y²] is, the number asked about is Y² itself and U is uniform on [0, 2T].
Outliers replace that share of the numbers by 1000. The most likely distribution has its masses at
the middles of their intervals; an interval without an end is closed by the declared support, or by
±200, which is what the printed figures come nearest to.

python papers/ding-ding/table2.py [--repetitions 1000] [--seed 1]
"""

import argparse
import math
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import askance as ak

TRUTH = {"E[Y]": 0.5, "E[Y²]": 1.25}
SIZES, SHARES = (100, 1000), (0.0, 0.01, 0.05)
CELLS = [(n, share) for n in SIZES for share in SHARES]
OUTLIER, SENTINEL = 1000.0, 200.0
ROUNDING, OUTLYING = 0.005, 0.002
ROWS = tomllib.loads((Path(__file__).parent / "table-2.toml").read_text(encoding="utf-8"))["row"]


def support(n: int, of: str) -> tuple[float, float]:
    """Give where the cuts are drawn."""
    half = 2 * n ** (1 / 3)
    return (-half, half) if of == "E[Y]" else (0.0, 2 * half)


def numbers(n: int, of: str, share: float, rng: np.random.Generator) -> np.ndarray:
    """Draw what people would answer, the first few of them outliers."""
    drawn = rng.normal(0.5, 1, n)
    drawn = drawn if of == "E[Y]" else drawn**2
    drawn[: round(share * n)] = OUTLIER
    return drawn


def one_cut(drawn: np.ndarray, low: float, high: float, rng: np.random.Generator) -> ak.Ranges:
    """Ask each person about one uniform cut."""
    cut = rng.uniform(low, high, len(drawn))
    below = drawn <= cut
    return ak.Ranges(np.where(below, -np.inf, cut), np.where(below, cut, np.inf))


def middle(fit: ak.inference.Distribution, ends: tuple[float, float]) -> float:
    """Give the mean with each mass at the middle of its interval."""
    return sum(fit.mean_bounds(ends)) / 2


def estimates(n: int, of: str, share: float, rng: np.random.Generator) -> dict[str, float]:
    """Estimate once, by every method of the table."""
    drawn, ends = numbers(n, of, share, rng), support(n, of)
    ranges = one_cut(drawn, *ends, rng)
    fit = ak.npmle(ranges)
    return {
        "Example 2": ak.inference.unbiased_mean(ranges, ends, slope=2).value,
        "NPMLE, middles, declared support": middle(fit, ends),
        "NPMLE, middles, ±200 for no end": middle(fit, (-SENTINEL, SENTINEL)),
        "mean of the numbers": float(drawn.mean()),
        "median of the numbers": float(np.median(drawn)),
    }


def errors(repetitions: int, seed: int, track: Any = iter) -> dict[tuple[str, str], np.ndarray]:
    """Give absolute errors, by method and what is sought: arrays (cells, repetitions)."""
    rng = np.random.default_rng(seed)
    made = {(row["method"], row["of"]): np.empty((6, repetitions)) for row in ROWS}
    for at in track(range(repetitions)):
        for of in TRUTH:
            for cell, (n, share) in enumerate(CELLS):
                for method, value in estimates(n, of, share, rng).items():
                    made[method, of][cell, at] = abs(value - TRUTH[of])
    return made


def agrees(ours: float, se: float, theirs: float) -> bool:
    """Say whether two means of as many repetitions differ by chance and rounding only.

    Two in a thousand are allowed besides: the outliers of the paper are about 1000, not just that.
    """
    return abs(ours - theirs) <= ROUNDING + OUTLYING * theirs + 3 * math.sqrt(2) * se


def line(row: dict[str, Any], made: np.ndarray) -> str:
    """Write a row for a page: ours ± its standard error, theirs, and ≠ where they differ."""
    mean, se = made.mean(axis=1), made.std(axis=1, ddof=1) / math.sqrt(made.shape[1])
    cells = [f"{value:.2f} ± {spread:.2f}" for value, spread in zip(mean, se, strict=True)]
    for at, theirs in enumerate(row["theirs"]):
        mark = "" if agrees(mean[at], se[at], theirs) else " ≠"
        cells[at] += f" ({theirs:.2f}{mark})"
    return f"| {row['of']} | {row['method']} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    from rich.console import Console
    from rich.progress import track

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    screen = Console(file=sys.stderr)
    made = errors(asked.repetitions, asked.seed, lambda all: track(all, "Table II", console=screen))
    head = [f"n = {n:,}, {share:.0%} outliers" for n, share in CELLS]
    sys.stdout.write(f"| of | method | {' | '.join(head)} |\n{'|---' * 8}|\n")
    for row in ROWS:
        sys.stdout.write(line(row, made[row["method"], row["of"]]) + "\n")


if __name__ == "__main__":
    main()
