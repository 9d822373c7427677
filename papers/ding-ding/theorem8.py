"""What Theorem 8 minimises, exactly: every answer, every cut, every line of a grid.

Y = f*(X) + ε with f*(x) = 1 + x/2, X one of −1, 0 and 1, ε one of −2 … 2 and a cut on one of −4½ …
4½, all equally likely. Ỹ is the mean of Y given X and on which side of its cut it is. Lines a + b x
have a and b on halves from −3 to 3. Everything is counted in fractions.

python papers/ding-ding/theorem8.py
"""

import sys
from fractions import Fraction
from functools import cache
from itertools import product

XS = (-1, 0, 1)
NOISE = range(-2, 3)
CUTS = [Fraction(i, 2) for i in range(-9, 10, 2)]
GRID = [Fraction(i, 2) for i in range(-6, 7)]
TRUE = (Fraction(1), Fraction(1, 2))

Line = tuple[Fraction, Fraction]


def value_at(line: Line, x: int) -> Fraction:
    """Give the height of a line."""
    return line[0] + line[1] * x


@cache
def filled_in() -> list[tuple[int, Fraction]]:
    """List X with Ỹ, once for every X, ε and cut."""
    errors = []
    for x, cut in product(XS, CUTS):
        numbers = [value_at(TRUE, x) + noise for noise in NOISE]
        for low in (True, False):
            if side := [y for y in numbers if (y <= cut) == low]:
                errors += [(x, sum(side, Fraction(0)) / len(side))] * len(side)
    return errors


@cache
def loss(line: Line) -> Fraction:
    """Give E(Ỹ − f(X))²."""
    rows = filled_in()
    return sum(((estimate - value_at(line, x)) ** 2 for x, estimate in rows), Fraction(0)) / len(
        rows
    )


def distance(line: Line) -> Fraction:
    """Give E(f(X) − f*(X))²."""
    return sum(((value_at(line, x) - value_at(TRUE, x)) ** 2 for x in XS), Fraction(0)) / len(XS)


def lines() -> list[Line]:
    """List the lines."""
    return list(product(GRID, GRID))


def least_and_most() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Give the line at which the loss is least, and that at which it is largest."""
    ends = min(lines(), key=loss), max(lines(), key=loss)
    return tuple(map(float, ends[0])), tuple(map(float, ends[1]))


def excess_is_distance() -> bool:
    """Say whether every loss exceeds that of f* by the squared distance to f*."""
    return all(loss(line) - loss(TRUE) == distance(line) for line in lines())


def main() -> None:
    """Print both."""
    least, most = least_and_most()
    sys.stdout.write(f"least at {least}, largest at {most}; {excess_is_distance()}\n")


if __name__ == "__main__":
    main()
