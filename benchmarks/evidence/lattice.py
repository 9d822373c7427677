"""Belief and plausibility of every set, and every loss, against py_dempster_shafer.

The rival computes in an environment of its own. Both get the same 85 focal sets; each figure is
the best of several passes.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from peers import peers

FOCAL = 85


def rows(answers: int, number: int) -> list[dict[int, Fraction]]:
    """Draw rows of masses on the same focal sets, all single answers among them."""
    dice = random.Random(20)
    focal = {1 << i for i in range(answers)}
    while len(focal) < FOCAL:
        focal.add(dice.randrange(1, 1 << answers))
    mass_functions = []
    for _ in range(number):
        units = [dice.randrange(1, 1000) for _ in focal]
        shares = zip(sorted(focal), units, strict=True)
        mass_functions.append(
            {mask: Fraction(units_of_mask, sum(units)) for mask, units_of_mask in shares}
        )
    return mass_functions


def best(work: Callable[[], object], passes: int) -> float:
    """Time the quickest of several passes, in seconds."""
    spent = []
    for _ in range(passes):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return min(spent)


def rival(answers: int) -> None:
    """Run in the rival's environment: print its seconds and two of its values."""
    from pyds import MassFunction

    (row,) = rows(answers, 1)
    read = MassFunction(
        {
            frozenset(position for position in range(answers) if mask >> position & 1): float(mass)
            for mask, mass in row.items()
        }
    )
    began = time.perf_counter()
    belief, plausibility = read.bel(), read.pl()
    spent = time.perf_counter() - began
    event = frozenset(range(answers // 2))
    print(json.dumps([spent, belief[event], plausibility[event]]))


def against_rival(answers: int) -> None:
    import askance as ak

    command = [peers(Path(__file__).parent), __file__, "--rival", str(answers)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    theirs, belief, plausibility = json.loads(ran.stdout)
    (row,) = rows(answers, 1)
    frame = ak.Frame(f"y{i}" for i in range(answers))
    m = ak.channels.MassFunction(frame, {mask: float(mass) for mask, mass in row.items()})
    event = (1 << answers // 2) - 1
    assert abs(m.beliefs()[event] - belief) < 1e-12
    assert abs(m.plausibilities()[event] - plausibility) < 1e-12
    ours = best(lambda: (m.beliefs(), m.plausibilities()), 20)
    print(
        f"belief and plausibility of all 2^{answers} sets, one row: askance {ours * 1e3:.2f} ms, "
        f"py_dempster_shafer {theirs * 1e3:,.0f} ms: {theirs / ours:,.0f} times"
    )


def two_rows(answers: int) -> None:
    import askance as ak

    frame = ak.Frame(f"y{i}" for i in range(answers))
    exact = [ak.channels.MassFunction(frame, row) for row in rows(answers, 2)]
    doubles = [
        ak.channels.MassFunction(frame, {mask: float(mass) for mask, mass in m.masses.items()})
        for m in exact
    ]
    channel = ak.Channel.from_masses({f"x{i}": m for i, m in enumerate(exact)})
    parts: dict[str, Callable[[], object]] = {
        "beliefs": lambda: [m.beliefs() for m in doubles],
        "plausibilities": lambda: [m.plausibilities() for m in doubles],
        "Shafer's loss": lambda: ak.privacy.shafer_loss(channel),
        "Walley's loss": lambda: ak.privacy.walley_loss(channel),
        "loss in belief": lambda: ak.privacy.belief_loss(channel),
        "loss in plausibility": lambda: ak.privacy.plausibility_loss(channel),
    }
    spent = {name: best(work, 7) for name, work in parts.items()}
    timings = ", ".join(f"{name} {1e3 * seconds:.1f}" for name, seconds in spent.items())
    print(f"two rows over 2^{answers} sets: {1e3 * sum(spent.values()):.0f} ms ({timings})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rival", type=int, metavar="ANSWERS", help="run as the rival")
    options = parser.parse_args()
    if options.rival:
        rival(options.rival)
        return
    for answers in (10, 16):
        against_rival(answers)
    two_rows(20)


if __name__ == "__main__":
    sys.exit(main())
