"""Which estimator of many shares errs least, and how long a million of them take.

Reports are drawn as counts, by their exact law: those of k-ary response from one multinomial, those
of a unary encoding from the answers and then a binomial for each of those that hold an answer and
those that do not. Errors are means over the draws; times are CPU seconds, beside NumPy sorting as
many doubles as there are answers.
"""

import argparse
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from askance.inference import (
    SupportLaw,
    estimate_supports,
    find_heavy_hitters,
    simultaneous_frequencies,
)

ODDS = Fraction(27183, 10000)
"""e^ε at ε = 1, to five digits."""
SIZES = (16, 128, 1024)
UNBIASED = ("unbiased", "clipped", "projected", "shrunk", "posterior")
Draw = Callable[[np.ndarray], np.ndarray]


def main() -> None:
    """Print errors, and then seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=1_000_000)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--answers", type=int, default=1_000_000)
    options = parser.parse_args()
    print(f"{options.reports:,} reports at ε = 1, means of {options.draws} draws: L1 / L2 × 1,000")
    for name, rule in (("k-ary", kary), ("unary", unary)):
        for shape in (zipf, flat):
            errors(name, rule, shape, (options.reports, options.draws))
    seconds(options.answers, 100 * options.reports)


def errors(name: str, rule: Callable, shape: Callable, size: tuple[int, int]) -> None:
    """Print the mean error of each estimator, by the number of answers."""
    (reports, draws), methods = size, list(UNBIASED)
    if rule is kary:
        methods.insert(3, "most likely")
    print(f"{name}, {shape.__name__}" + "".join(f"{f'k = {k:,}':>20}" for k in SIZES))
    columns: dict[str, list[str]] = {method: [] for method in [*methods, "posterior, prior 1/10"]}
    for k in SIZES:
        law, draw = rule(k, reports, np.random.default_rng(k))
        truth = shape(k)
        counts = [draw(truth) for _ in range(draws)]
        for method, cells in columns.items():
            kind, _, prior = method.partition(", prior ")
            more = {"prior": float(Fraction(prior))} if prior else {}
            errors = [
                estimate_supports(row_of_counts, reports, law, method=kind, **more).value - truth
                for row_of_counts in counts
            ]
            l1 = np.mean([np.abs(error).sum() for error in errors])
            l2 = np.mean([np.sqrt((error**2).sum()) for error in errors])
            cells.append(f"{l1:11.3f} /{1000 * l2:7.2f}")
    for method, cells in columns.items():
        print(f"  {method:<24}" + "".join(cells))


def seconds(answers: int, reports: int) -> None:
    """Print how long estimates of very many answers take, with their intervals."""
    law, draw = unary(answers, reports, np.random.default_rng(1))
    counts = draw(zipf(answers))
    floor = spent(lambda: np.sort(np.random.default_rng(1).random(answers)))
    print(f"{answers:,} answers, {reports:,} reports; sorting as many doubles: {floor:.3f} s")
    for method in UNBIASED:
        line(
            f"{method}, with intervals",
            lambda method=method: estimate_supports(counts, reports, law, method=method),
            floor,
        )
    estimate = estimate_supports(counts, reports, law)
    line("intervals for all together", lambda: simultaneous_frequencies(estimate), floor)
    line("the commonest answers", lambda: find_heavy_hitters(estimate), floor)
    line("table", lambda: repr(estimate), floor)


def kary(k: int, reports: int, dice: np.random.Generator) -> tuple[SupportLaw, Draw]:
    """Give k-ary response, and a draw of its counts."""
    inside, outside = ODDS / (ODDS + k - 1), 1 / (ODDS + k - 1)
    law = SupportLaw(
        true_positive_rate=inside, false_positive_rate=outside, both_inside=0, both_outside=0
    )
    return law, lambda truth: dice.multinomial(reports, law.named(truth))


def unary(_: int, reports: int, dice: np.random.Generator) -> tuple[SupportLaw, Draw]:
    """Give the optimised unary encoding, and a draw of its support counts."""
    inside, outside = Fraction(1, 2), 1 / (ODDS + 1)
    law = SupportLaw(
        true_positive_rate=inside,
        false_positive_rate=outside,
        both_inside=inside * outside,
        both_outside=outside * outside,
    )

    def draw(truth: np.ndarray) -> np.ndarray:
        counts_held = dice.multinomial(reports, truth)
        return dice.binomial(counts_held, float(inside)) + dice.binomial(
            reports - counts_held, float(outside)
        )

    return law, draw


def zipf(k: int) -> np.ndarray:
    """Give shares in proportion to 1, 1/2, 1/3 …"""
    shares = 1 / np.arange(1, k + 1)
    return shares / shares.sum()


def flat(k: int) -> np.ndarray:
    """Give equal shares."""
    return np.full(k, 1 / k)


def line(name: str, work: Callable[[], object], floor: float) -> None:
    """Print one way's time."""
    took = spent(work)
    print(f"  {name:<34}{took:8.2f} s {took / floor:8.1f} ×")


def spent(work: Callable[[], object]) -> float:
    """Give the least CPU seconds of three."""
    took = []
    for _ in range(3):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return min(took)


if __name__ == "__main__":
    main()
