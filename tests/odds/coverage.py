"""Print how often the 95 % intervals cover: python tests/odds/coverage.py."""

import sys
from functools import cache

from asymptotic import table as asymptotic
from budget import alarm, dice, judge, trials
from designs import (
    DESIGNS,
    INTERIOR,
    NARROW_COVERS,
    NARROWED,
    TARGETS,
    WIDE_COVERS,
    WIDENED,
    Reading,
)


@cache
def surveys(design: str) -> tuple[dict[str, Reading], ...]:
    """Draw as many surveys as the budget and the twins ask for."""
    spend = alarm("abstain")  # all shares are equal
    n = trials(INTERIOR, (NARROW_COVERS, WIDE_COVERS), spend)
    rng = dice(design)
    return tuple(DESIGNS[design].draw(rng) for _ in range(n))


def hits(name: str, factor: float = 1.0) -> tuple[int, int]:
    """Count how often a target is covered by its interval, stretched by a factor."""
    design, target, _ = TARGETS[name]
    covered = [readings[target].covers(factor) for readings in surveys(design)]
    return sum(covered), len(covered)


def table() -> list[str]:
    """Give one line per target: coverage as it is, and of the broken twins."""
    head = ("target", "n", "surveys", "covers", f"x{NARROWED}", f"x{WIDENED}", "verdict")
    lines = ["{:<38}{:>6}{:>9}{:>8}{:>8}{:>8}  {}".format(*head)]
    for name, (design, _, null) in TARGETS.items():
        covered, surveys = hits(name)
        twins = [hits(name, factor)[0] / surveys for factor in (NARROWED, WIDENED)]
        verdict = judge(covered, surveys, null, alarm(name))
        lines.append(
            f"{name:<38}{DESIGNS[design].n:>6}{surveys:>9}{covered / surveys:>8.4f}"
            f"{twins[0]:>8.4f}{twins[1]:>8.4f}  {verdict}"
        )
    return lines


if __name__ == "__main__":
    sys.stdout.write("\n".join([*table(), "", *asymptotic(), ""]))
