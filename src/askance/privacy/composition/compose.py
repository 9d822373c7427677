"""Guarantees of several questions about one trait: losses add, leakages add."""

import math
from collections.abc import Sequence
from fractions import Fraction

from askance.arguments import checked
from askance.errors import InputError, NotComparable
from askance.privacy.guarantee import Guarantee, Notion

_ALONE = {Notion.ADVANTAGE, Notion.FLOOR, Notion.INFORMATION}
"""Of several reports together these say nothing: ranges of any width can meet in one point, and two
reports that each halve the chance of an answer can make it a fifth."""


@checked
def compose(guarantees: Sequence[Guarantee]) -> Guarantee:
    """Bound what independent reports about the same trait give away together.

    Losses add, so ratios multiply (Li, Zhou, Qin & Xu, 2022, Lemmas 3 and 15); for ranges the
    leakages 1 − τ add (Ding & Ding, 2022, Theorem 4), whatever the cuts. Each coverage then counts
    the people that it was computed for.

    Raises
    ------
    InputError
        If there is nothing to compose.
    NotComparable
        If notions differ, or the notion does not compose by itself (advantage, floor,
        information).

    >>> six = Guarantee(Notion.LOCAL, Fraction(6), "")
    >>> compose([six, six]).value
    Fraction(36, 1)
    """
    if not guarantees:
        raise InputError("compose.guarantees", got="none", allowed="one or more guarantees")
    notions = {guarantee.notion for guarantee in guarantees}
    if len(notions) > 1 or notions & _ALONE:
        raise NotComparable(
            "compose",
            got=", ".join(sorted(notion.name for notion in notions)),
            allowed="guarantees of one notion that composes",
            remedy="compose losses, or coverages",
        )
    values = [guarantee.value for guarantee in guarantees]
    attained = f"over {len(values)} reports together"
    if Notion.COVERAGE in notions:
        together: Fraction | float = max(1 - sum(1 - value for value in values), Fraction(0))
    elif math.inf not in values:
        together = math.prod((Fraction(value) for value in values), start=Fraction(1))
    else:
        together = math.inf
    spreads = dict.fromkeys(guarantee.spread for guarantee in guarantees)
    spread = next(iter(spreads)) if len(spreads) == 1 else "each counted by its own people"
    return Guarantee(guarantees[0].notion, together, attained, spread=spread)
