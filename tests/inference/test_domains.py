"""What is withheld of small groups cannot be found from what is shown of others."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import askance as ak

MINIMUM = 50
Q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))

Group = tuple[str, ...]


def told(sizes: Mapping[Group, int], by: Iterable[str] = ()) -> dict[Group, bool]:
    """Whether the estimate of each group is shown."""
    tallies = {group: ak.Tally(Q, {"yes": n // 3, "no": n - n // 3}) for group, n in sizes.items()}
    names = list(by) or [f"by {at}" for at in range(len(next(iter(sizes))))]
    found = ak.inference.estimate_domains(tallies, by=names, minimum=MINIMUM)
    return dict(zip(found.groups, (one is not None for one in found.estimates), strict=True))


def merged(sizes: Mapping[Group, int], columns: Iterable[int]) -> dict[Group, int]:
    """The groups by fewer columns."""
    kept, found = list(columns), dict[Group, int]()
    for group, n in sizes.items():
        name = tuple(group[at] for at in kept)
        found[name] = found.get(name, 0) + n
    return found


def sums(sizes: Mapping[Group, int], columns: tuple[int, ...], shown: Mapping[Group, bool]) -> Any:
    """A row for each estimate that is shown: 1 for the groups that it is of."""
    return [
        [float(tuple(group[at] for at in columns) == one) for group in sizes]
        for one, is_shown in shown.items()
        if is_shown
    ]


def solved(rows: Any, row: Any) -> bool:
    """Whether sums and differences of what is shown are the sum of a row."""
    if not len(rows):
        return False
    together = np.vstack([rows, row])
    return bool(np.linalg.matrix_rank(together) == np.linalg.matrix_rank(rows))


def found_out(sizes: Mapping[Group, int], shown: Mapping[Group, bool]) -> list[Group]:
    """The small groups whose reports follow from this table and from those by fewer columns."""
    wide = len(next(iter(sizes)))
    fewer = [(at, merged(sizes, at)) for k in range(wide) for at in combinations(range(wide), k)]
    beside = [row for at, one in fewer for row in sums(sizes, at, told(one))]
    rows = np.array([*beside, *sums(sizes, tuple(range(wide)), shown)]).reshape(-1, len(sizes))
    small = [at for at, n in enumerate(sizes.values()) if 0 < n < MINIMUM]
    unit = np.eye(len(sizes))
    before = np.array(beside).reshape(-1, len(sizes))
    groups = list(sizes)
    return [groups[at] for at in small if solved(rows, unit[at]) and not solved(before, unit[at])]


@pytest.mark.long
def test_no_small_group_is_found_by_subtraction() -> None:
    dice = np.random.default_rng(24)
    naively = 0
    for _ in range(30):
        sizes = {(f"g{at}",): int(dice.choice([0, 3, 49, 50, 60, 60, 70, 90])) for at in range(5)}
        shown = told(sizes)
        assert not found_out(sizes, shown), sizes
        held = [n for group, n in sizes.items() if n and not shown[group]]
        assert not held or sum(sizes.values()) < MINIMUM or sum(held) >= MINIMUM
        naively += bool(found_out(sizes, {group: n >= MINIMUM for group, n in sizes.items()}))
    assert naively >= 5  # what withholds small groups alone is caught


@pytest.mark.long
def test_no_small_group_is_found_from_tables_by_fewer_columns() -> None:
    dice = np.random.default_rng(25)
    naively = 0
    for _ in range(15):
        sizes = {
            (a, b): int(dice.choice([0, 3, 30, 60, 70, 150], p=[0.1, 0.15, 0.1, 0.2, 0.2, 0.25]))
            for a in "abc"
            for b in "xyz"
        }
        assert not found_out(sizes, told(sizes)), sizes
        naively += bool(found_out(sizes, {group: n >= MINIMUM for group, n in sizes.items()}))
    assert naively >= 5


@pytest.mark.long
def test_the_order_of_groups_and_columns_changes_nothing() -> None:
    """Two tables that withhold differently would each show what the other withholds."""
    dice = np.random.default_rng(26)
    cells = [(a, b) for a in "abc" for b in "xyz"]
    for _ in range(15):
        sizes: dict[Group, int] = {one: int(dice.choice([20, 40, 60, 60, 80])) for one in cells}
        turned = {cells[at][::-1]: sizes[cells[at]] for at in dice.permutation(len(cells))}
        again = told(turned, ["by 1", "by 0"])
        assert told(sizes) == {one[::-1]: shown for one, shown in again.items()}


def test_a_bridge_between_two_rings_is_no_small_group() -> None:
    """Every row and column has two groups withheld, and yet one of them would be found."""
    ring = {("a", "x"): 40, ("a", "y"): 45, ("b", "x"): 45, ("b", "y"): 40}
    other = {(chr(ord(a) + 2), chr(ord(b) - 3)): n for (a, b), n in ring.items()}
    rest = {(a, b): 100 for a in "abcd" for b in "uvxy"} | {("b", "u"): 30}
    sizes = rest | ring | other
    naive = {group: n >= MINIMUM for group, n in sizes.items()}
    assert found_out(sizes, naive) == [("b", "u")]
    assert not found_out(sizes, told(sizes))


def test_the_next_smallest_goes_too_and_words_say_so() -> None:
    sizes = {("a",): 12, ("b",): 400, ("c",): 60, ("d",): 60}
    assert list(told(sizes).values()) == [False, True, False, True]
    assert list(told(sizes | {("a",): 30, ("b",): 30}).values()) == [False, False, True, True]
    tallies = {group: ak.Tally(Q, {"yes": n, "no": 0}) for group, n in sizes.items()}
    found = ak.inference.estimate_domains(tallies, minimum=MINIMUM)
    assert found.withheld == (
        "fewer than 50 reports",
        "",
        "else a group with fewer could be found by subtraction",
        "",
    )
    assert found.notes[-2:] == (
        "withheld: fewer than 50 reports",
        "withheld too: else a group with fewer could be found by subtraction",
    )
    assert [one["withheld"] for one in found.to_dict()["groups"]] == [
        one or None for one in found.withheld
    ]
    assert [row[-1] for row in ak.present.result_table(found).rows][3] == "withheld too"
    table = ak.present.result_table(found)
    assert all("found by subtraction" in one for one in (table.to_latex(), table.to_html()))
    two = {("a",): ak.Tally(Q, {"yes": 3}), ("b",): ak.Tally(Q, {"yes": 60})}
    nothing = ak.inference.estimate_domains(two, minimum=MINIMUM)
    assert nothing.estimates == (None, None)
    assert "nothing is left to show: every group is withheld" in str(nothing)
    fewer = ak.inference.estimate_domains(two, minimum=100)  # not even everybody is shown
    assert fewer.withheld == ("fewer than 100 reports",) * 2
    assert told({("a", "x"): 3, ("b", "y"): 4}) == {("a", "x"): False, ("b", "y"): False}
