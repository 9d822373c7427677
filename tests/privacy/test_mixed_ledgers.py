"""Ledgers that mix frequency oracles with written tables, against whole outputs in fractions."""

import math
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, KAry
from askance.mechanisms import SubsetSelection, UnaryEncoding
from askance.privacy import Ledger, Notion

ABC = Frame(["a", "b", "c"])
EACH = {"a": ["a"], "b": ["b"], "c": ["c"]}
ORACLES = {
    "unary": UnaryEncoding(truth="1/2", lie="1/3").channel(ABC),
    "symmetric": UnaryEncoding(truth="3/5", lie="2/5").channel(ABC),
    "subset": SubsetSelection(ratio=2, size=1).channel(ABC),
}
TABLES = {
    "k-ary": KAry(truth="1/2").channel(ABC),
    "vague": Abstain(truth="2/5", lie="1/5").channel(ABC),
}


def lopsided(which):
    """Tell two answers apart well, and the third hardly at all: all pairs differ."""
    rows = [["8/10", "1/10", "1/10"], ["1/10", "8/10", "1/10"], ["5/10", "4/10", "1/10"]]
    order = list(permutations(range(3)))[which]
    return Channel(ABC, EACH, [[Fraction(item) for item in rows[x]] for x in order])


channels = st.one_of(
    st.sampled_from([*ORACLES.values(), *TABLES.values()]), st.integers(0, 5).map(lopsided)
)
ledgers = st.lists(st.tuples(channels, st.integers(1, 2)), min_size=1, max_size=3).filter(
    lambda entries: sum(times for _, times in entries) <= 3
)


def rows_of(channel):
    total = [sum(row) for row in channel.table.rows]
    return [
        [Fraction(item, entire) for item in row]
        for row, entire in zip(channel.table.rows, total, strict=True)
    ]


def whole_outputs(entries):
    """The chance of every sequence of reports, for each answer."""
    rows = [rows_of(channel) for channel, times in entries for _ in range(times)]
    return [
        [math.prod(chances, start=Fraction(1)) for chances in product(*(row[x] for row in rows))]
        for x in range(3)
    ]


def spent(entries):
    ledger = Ledger()
    for channel, times in entries:
        ledger = ledger.spend(channel, times)
    return ledger


def worst_ratio(item, other):
    """The largest ratio of the chances of an output."""
    return max(a / b if b else math.inf for a, b in zip(item, other, strict=True) if a)


def hockey_stick(item, other, ratio):
    return sum(max(a - ratio * b, 0) for a, b in zip(item, other, strict=True))


@given(ledgers)
@settings(max_examples=60, deadline=None)
def test_what_a_mixed_ledger_loses_is_what_whole_outputs_lose(entries):
    laws, ledger = whole_outputs(entries), spent(entries)
    pairs = list(permutations(range(3), 2))
    loss = ledger.loss(Notion.LOCAL)
    assert loss.value == max(worst_ratio(laws[x], laws[z]) for x, z in pairs)
    assert all(loss.pairs[x][z] == worst_ratio(laws[x], laws[z]) for x, z in pairs)
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(4)):
        expected = max(hockey_stick(laws[x], laws[z], ratio) for x, z in pairs)
        delta_result = ledger.delta(ratio=ratio, notion=Notion.LOCAL)
        assert delta_result == pytest.approx(float(expected), abs=1e-9)


@given(ledgers, st.sampled_from([0.3, 0.1, 0.02]))
@settings(max_examples=40, deadline=None)
def test_the_least_loss_that_leaves_a_share_uncovered_is_that_of_whole_outputs(entries, delta):
    laws, ledger = whole_outputs(entries), spent(entries)
    pairs = list(permutations(range(3), 2))
    epsilon = ledger.epsilon(delta, notion=Notion.LOCAL)

    def uncovered(loss):
        ratio = Fraction(math.exp(loss))
        return float(max(hockey_stick(laws[x], laws[z], ratio) for x, z in pairs))

    assert uncovered(epsilon + 1e-6) <= delta + 1e-9
    assert epsilon < 1e-6 or uncovered(epsilon - 1e-5) > delta - 1e-9


@pytest.mark.parametrize("oracle", ORACLES)
@pytest.mark.parametrize("which", range(6))
def test_an_oracle_beside_a_table_hides_no_pair_that_the_table_tells_apart(oracle, which):
    """An oracle tells all pairs apart alike; the table does not, and the worst pair counts."""
    mixed = (ORACLES[oracle], 1), (lopsided(which), 1)
    for entries in (mixed, mixed[::-1]):
        laws, ledger = whole_outputs(entries), spent(entries)
        pairs = list(permutations(range(3), 2))
        expected = float(max(hockey_stick(laws[x], laws[z], 2) for x, z in pairs))
        assert ledger.delta(ratio=2, notion=Notion.LOCAL) == pytest.approx(expected, abs=1e-9)
        worst = max(worst_ratio(laws[x], laws[z]) for x, z in pairs)
        assert ledger.loss(Notion.LOCAL).value == worst
