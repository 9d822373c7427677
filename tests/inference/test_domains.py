"""What is withheld of small groups cannot be found from what is shown of others."""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import askance as ak

MINIMUM = 50
Q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))

Group = tuple[str, ...]


def told(sizes: Mapping[Group, int], by: Iterable[str] = ()) -> dict[Group, bool]:
    """Whether the estimate of each group is shown."""
    tallies = {group: ak.Tally(Q, {"yes": n // 3, "no": n - n // 3}) for group, n in sizes.items()}
    names = list(by) or [f"by {index}" for index in range(len(next(iter(sizes))))]
    estimate = ak.inference.estimate_domains(tallies, by=names, minimum=MINIMUM)
    return dict(
        zip(estimate.groups, (item is not None for item in estimate.estimates), strict=True)
    )


def merged(sizes: Mapping[Group, int], columns: Iterable[int]) -> dict[Group, int]:
    """The groups by fewer columns."""
    kept_items, mapping = list(columns), dict[Group, int]()
    for group, n in sizes.items():
        name = tuple(group[kept_item] for kept_item in kept_items)
        mapping[name] = mapping.get(name, 0) + n
    return mapping


def sums(
    sizes: Mapping[Group, int], columns: tuple[int, ...], displayed: Mapping[Group, bool]
) -> Any:
    """A row for each estimate that is shown: 1 for the groups that it is of."""
    return [
        [float(tuple(group[column] for column in columns) == name) for group in sizes]
        for name, is_shown in displayed.items()
        if is_shown
    ]


def solved(rows: Any, row: Any) -> bool:
    """Whether sums and differences of what is shown are the sum of a row."""
    if not len(rows):
        return False
    together = np.vstack([rows, row])
    return bool(np.linalg.matrix_rank(together) == np.linalg.matrix_rank(rows))


def found_out(sizes: Mapping[Group, int], displayed: Mapping[Group, bool]) -> list[Group]:
    """The small groups whose reports follow from this table and from those by fewer columns."""
    wide = len(next(iter(sizes)))
    fewer = [
        (combination, merged(sizes, combination))
        for k in range(wide)
        for combination in combinations(range(wide), k)
    ]
    further = [row for index, item in fewer for row in sums(sizes, index, told(item))]
    rows = np.array([*further, *sums(sizes, tuple(range(wide)), displayed)]).reshape(-1, len(sizes))
    small = [index for index, n in enumerate(sizes.values()) if 0 < n < MINIMUM]
    unit = np.eye(len(sizes))
    before = np.array(further).reshape(-1, len(sizes))
    groups = list(sizes)
    return [
        groups[index]
        for index in small
        if solved(rows, unit[index]) and not solved(before, unit[index])
    ]


@pytest.mark.long
def test_no_small_group_is_found_by_subtraction() -> None:
    dice = np.random.default_rng(24)
    naively = 0
    for _ in range(30):
        sizes = {
            (f"g{index}",): int(dice.choice([0, 3, 49, 50, 60, 60, 70, 90])) for index in range(5)
        }
        displayed = told(sizes)
        assert not found_out(sizes, displayed), sizes
        ns = [n for group, n in sizes.items() if n and not displayed[group]]
        assert not ns or sum(sizes.values()) < MINIMUM or sum(ns) >= MINIMUM
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
        sizes: dict[Group, int] = {cell: int(dice.choice([20, 40, 60, 60, 80])) for cell in cells}
        turned = {cells[index][::-1]: sizes[cells[index]] for index in dice.permutation(len(cells))}
        again = told(turned, ["by 1", "by 0"])
        assert told(sizes) == {name[::-1]: value for name, value in again.items()}


Shown = dict[Group, bool]
Beside = list[tuple[Callable[[Group], Group], Shown]]


def by_rank(sizes: Mapping[Group, int], *, jointly: bool = True) -> Shown:
    """The rule as it is said, all ranks anew for each group that is withheld.

    If not ``jointly``, one subtraction at a time is all that is thought of.
    """
    displayed: dict[tuple[int, ...], Shown] = {}
    wide = range(len(next(iter(sizes))))
    for columns in (
        combination for k in range(len(wide) + 1) for combination in combinations(wide, k)
    ):
        n = dict(sorted(merged(sizes, columns).items()))
        within = [of for of in displayed if set(of) < set(columns)]
        further: Beside = [
            (part([columns.index(position) for position in of]), displayed[of]) for of in within
        ]
        out = {cell for cell in n if 0 < n[cell] < MINIMUM}
        while near := lacking(n, out, further, jointly):
            cells = [cell for cell in near if n[cell] and cell not in out]
            cells = cells or [cell for cell in n if n[cell] and cell not in out]
            if not cells:
                break
            out.add(min(cells, key=n.__getitem__))
        displayed[columns] = {cell: n[cell] > 0 and cell not in out for cell in n}
    return displayed[tuple(wide)]


def part(places: list[int]) -> Callable[[Group], Group]:
    """Name the cell of a table by fewer columns in which a cell lies."""
    return lambda cell: tuple(cell[index] for index in places)


def lacking(n: Mapping[Group, int], out: set[Group], further: Beside, jointly: bool) -> list[Group]:
    """The cells of which one more is withheld."""
    for of, result in further:
        for item in result:
            if result[item] and 0 < sum(n[cell] for cell in out if of(cell) == item) < MINIMUM:
                return [cell for cell in n if of(cell) == item]
    if not jointly or len(further) < 2 or not out:
        return []
    rows = np.array(
        [
            [of(cell) == element for cell in out]
            for of, observed in further
            for element in observed
            if observed[element]
        ]
    )
    several = [of for of, _ in further[1:]]
    for of in (lambda cell: cell, *several):
        for item in dict.fromkeys(map(of, n)):
            same = [cell for cell in n if of(cell) == item]
            if 0 < sum(n[cell] for cell in same) < MINIMUM and solved(
                rows.reshape(-1, len(out)), [of(cell) == item for cell in out]
            ):
                return [x for x in n if any(by(x) == by(y) for by in several for y in same)]
    return []


@st.composite
def tables(draw: st.DrawFn) -> dict[Group, int]:
    shape = draw(st.sampled_from([(6,), (3, 4), (4, 4), (2, 2, 3), (3, 3, 2), (3, 3, 3)]))
    few = st.sampled_from([0, 3, 30, 40, 49, 50, 60, 60, 70, 90, 150, 300])
    cells = prod(shape)
    return of_letters(shape, draw(st.lists(few, min_size=cells, max_size=cells)))


def of_letters(shape: Iterable[int], sizes: Iterable[int]) -> dict[Group, int]:
    return dict(zip(product(*("abcdef"[:k] for k in shape)), sizes, strict=True))


@pytest.mark.long
@given(tables())
@example(of_letters((2, 2, 2), [30, 3, 50, 30, 0, 60, 60, 70]))  # a pair's sum, and neither
@example(of_letters((4, 3), [0, 5, 100, 100, 0, 100, 0, 30, 5, 0, 5, 100]))  # of everybody
def test_the_groups_withheld_are_those_that_ranks_say(sizes: dict[Group, int]) -> None:
    assert told(sizes) == by_rank(sizes)


@pytest.mark.long
def test_very_many_groups_are_dealt_with() -> None:
    """Of 20 × 20 × 20 groups all ranks anew would never be done."""
    dice = np.random.default_rng(27)
    cells = list(product("abcdefghijklmnopqrst", repeat=3))
    choices = dice.choice([20, 45, 49, 50, 60], len(cells), p=[0.6, 0.1, 0.1, 0.1, 0.1])
    sizes: dict[Group, int] = dict(zip(cells, choices.tolist(), strict=True))
    displayed = told(sizes)
    for columns in combinations(range(3), 2):
        merged_result = merged(
            {cell: n * (not displayed[cell]) for cell, n in sizes.items()}, columns
        )
        assert all(n == 0 or n >= MINIMUM for n in merged_result.values())


RINGS = {("a", "x"): 40, ("a", "y"): 45, ("b", "x"): 45, ("b", "y"): 40}
BRIDGE = (
    {(a, b): 100 for a in "abcd" for b in "uvxy"}
    | {("b", "u"): 30}
    | RINGS
    | {(chr(ord(a) + 2), chr(ord(b) - 3)): n for (a, b), n in RINGS.items()}
)


def test_a_bridge_between_two_rings_is_no_small_group() -> None:
    """Every row and column has two groups withheld, and yet one of them would be found."""
    sizes: dict[Group, int] = dict(BRIDGE)
    assert told(sizes) == by_rank(sizes) != by_rank(sizes, jointly=False)
    naive = {group: n >= MINIMUM for group, n in sizes.items()}
    assert found_out(sizes, naive) == [("b", "u")]
    assert not found_out(sizes, told(sizes))


def test_the_next_smallest_goes_too_and_words_say_so() -> None:
    sizes = {("a",): 12, ("b",): 400, ("c",): 60, ("d",): 60}
    assert list(told(sizes).values()) == [False, True, False, True]
    assert list(told(sizes | {("a",): 30, ("b",): 30}).values()) == [False, False, True, True]
    tallies = {group: ak.Tally(Q, {"yes": n, "no": 0}) for group, n in sizes.items()}
    estimate = ak.inference.estimate_domains(tallies, minimum=MINIMUM)
    assert estimate.withheld == (
        "fewer than 50 reports",
        "",
        "else a group with fewer could be derived by subtraction",
        "",
    )
    assert estimate.notes[-3:-1] == (
        "withheld: fewer than 50 reports",
        "withheld too: else a group with fewer could be derived by subtraction",
    )
    assert estimate.goodness_of_fit.misfit == estimate.notes[-1:]  # of b, all of whom report "yes"
    assert [item["withheld"] for item in estimate.to_dict()["groups"]] == [
        item or None for item in estimate.withheld
    ]
    assert [row[-1] for row in ak.present.result_table(estimate).rows][3] == "withheld too"
    table = ak.present.result_table(estimate)
    assert all("derived by subtraction" in item for item in (table.to_latex(), table.to_html()))
    two = {("a",): ak.Tally(Q, {"yes": 3}), ("b",): ak.Tally(Q, {"yes": 60})}
    nothing = ak.inference.estimate_domains(two, minimum=MINIMUM)
    assert nothing.estimates == (None, None)
    assert "nothing is left to show: every group is withheld" in str(nothing)
    fewer = ak.inference.estimate_domains(two, minimum=100)  # not even everybody is shown
    assert fewer.withheld == ("fewer than 100 reports",) * 2
    assert told({("a", "x"): 3, ("b", "y"): 4}) == {("a", "x"): False, ("b", "y"): False}


def counts(**sizes: int) -> dict[str, ak.Tally]:
    return {group: ak.Tally(Q, {"yes": n // 3, "no": n - n // 3}) for group, n in sizes.items()}


REMAINDERS = st.dictionaries(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")),
    st.sampled_from([0, 3, 20, 30, 49, 50, 80, 200]),
    min_size=1,
    max_size=9,
)


@given(sizes=REMAINDERS)
@example(sizes={("a", "x"): 20, ("a", "y"): 40, ("b", "x"): 300, ("b", "y"): 400})
def test_the_remainder_is_what_everybody_and_those_shown_tell(sizes: dict[Group, int]) -> None:
    """By linear algebra: it adds no rank to what is shown, so that nothing new follows from it."""
    tallies = {group: ak.Tally(Q, {"yes": n // 3, "no": n - n // 3}) for group, n in sizes.items()}
    domains = ak.inference.estimate_domains(tallies, by=("p", "q"), minimum=MINIMUM)
    lacking = [
        group
        for group, fit in zip(domains.groups, domains.estimates, strict=True)
        if fit is None and sizes[group]
    ]
    total = sum(sizes[group] for group in lacking)
    is_any_shown = any(fit is not None for fit in domains.estimates)
    is_shown = len(lacking) > 1 and total >= MINIMUM and is_any_shown
    assert (domains.remainder is not None) == is_shown
    assert domains.remainder_reports == total
    assert any("together" in row for row in domains.columns()[1]) == is_shown
    if domains.remainder is None:
        return
    whole = ak.inference.estimate(sum(tallies[group] for group in lacking))
    np.testing.assert_array_equal(domains.remainder.value, whole.value)
    np.testing.assert_array_equal(domains.remainder.se, whole.se)
    shown = [[float(g == group) for g in sizes] for group in sizes if group not in lacking]
    known = np.array([*shown, [1.0] * len(sizes)])
    remainder = np.array([float(group in lacking) for group in sizes])
    rank = np.linalg.matrix_rank(known)
    assert np.linalg.matrix_rank(np.vstack([known, remainder])) == rank


def test_the_remainder_is_printed_with_its_rule() -> None:
    sizes = {"north": 20, "south": 40, "west": 300, "east": 9}
    tallies = {group: ak.Tally(Q, {"yes": n // 3, "no": n - n // 3}) for group, n in sizes.items()}
    domains = ak.inference.estimate_domains(tallies, by="region", minimum=MINIMUM)
    assert "all others" in str(domains)
    assert "together: 3 withheld groups with 50 reports or more" in " ".join(domains.notes)
    assert domains.to_dict()["remainder"]["reports"] == 69
    few = ak.inference.estimate_domains(
        {group: tallies[group] for group in ("north", "west", "east")}, by="region", minimum=25
    )
    assert few.remainder is not None
    assert few.remainder_reports == 29


def test_collapsed_groups_are_one_before_any_is_withheld() -> None:
    tallies = counts(man=200, other=30, woman=170)
    alone = ak.inference.estimate_domains(tallies, by="sex", minimum=MINIMUM)
    assert [fit is None for fit in alone.estimates] == [False, True, True]
    joined_estimate = ak.inference.estimate_domains(
        tallies, by="sex", minimum=MINIMUM, collapse=[("other", "woman")]
    )
    assert joined_estimate.groups == (("man",), ("other or woman",))
    together = ak.estimate(tallies["other"] + tallies["woman"])
    assert joined_estimate.estimates[1] is not None
    assert joined_estimate.estimates[1].value.tolist() == together.value.tolist()
    assert joined_estimate.reports == (200, 200)


def test_groups_by_several_columns_are_collapsed_column_by_column() -> None:
    sizes = {("north", "man"): 90, ("north", "other"): 20, ("north", "woman"): 80}
    tallies = {group: ak.Tally(Q, {"yes": n // 3, "no": n - n // 3}) for group, n in sizes.items()}
    estimate = ak.inference.estimate_domains(
        tallies, by=["region", "sex"], collapse=[[("north", "other"), ("north", "woman")]]
    )
    assert estimate.groups == (("north", "man"), ("north", "other or woman"))


@pytest.mark.parametrize(
    ("collapse", "says"),
    [
        (["other,woman"], r"collapse\[0\].*'other,woman'.*two groups or more"),
        ([("other",)], r"collapse\[0\].*two groups or more"),
        ([("other", "other")], r"collapse\[0\].*two groups or more"),
        ([("other", "nobody")], r"collapse\[0\].*'nobody'.*man, other, woman"),
        ([("man", "other"), ("other", "woman")], r"collapse\[1\].*'other'.*no other list"),
    ],
)
def test_what_cannot_be_collapsed_is_refused(collapse: Any, says: str) -> None:
    tallies = counts(man=200, other=30, woman=170)
    with pytest.raises(ak.AskanceError, match=says):
        ak.inference.estimate_domains(tallies, by="sex", collapse=collapse)


def test_the_common_name_is_that_of_no_other_group() -> None:
    tallies = {"a": 100, "b": 100, "a or b": 100}
    with pytest.raises(ak.AskanceError, match="'a or b'"):
        ak.inference.estimate_domains(counts(**tallies), collapse=[("a", "b")])


def test_groups_of_one_complex_sample_are_not_added_up() -> None:
    sampling = ak.inference.SamplingDesign(clusters=np.arange(40) // 2)
    tallies = ak.tally(Q, ["yes", "no"] * 20, by=["a", "b"] * 20, sampling=sampling)
    with pytest.raises(ak.AskanceError, match="two groups of one sample"):
        ak.inference.estimate_domains(tallies, collapse=[("a", "b")])
