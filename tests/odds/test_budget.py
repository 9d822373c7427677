"""The harness keeps its budget and finds what it promises to find."""

import ast
import itertools
from collections import Counter
from pathlib import Path

import budget
import numpy as np
import pytest
from designs import DESIGNS, NARROW_COVERS, TARGETS, WIDE_COVERS
from scipy.stats import binom

SPEND = budget.FAMILY / len(budget.REGISTERED)


def test_shares_add_up_to_the_budget():
    assert sum(map(budget.alarm, budget.REGISTERED)) == pytest.approx(budget.FAMILY)
    assert len(set(budget.REGISTERED)) == len(budget.REGISTERED)


def test_every_registered_test_exists_and_every_target_is_registered():
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    spent = {
        node.value
        for node in ast.walk(ast.parse(tests))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(budget.REGISTERED) == set(TARGETS) | (set(budget.REGISTERED) & spent)
    assert {design for design, _, _ in TARGETS.values()} == set(DESIGNS)
    assert set(budget.WIDE) <= spent | set(DESIGNS)


def test_an_unregistered_test_cannot_spend():
    with pytest.raises(KeyError, match="register"):
        budget.alarm("unheard of")


@pytest.mark.long
@pytest.mark.parametrize("null", [(0.935, 0.965), (0.3, 0.3), (0.05, 0.05)])
@pytest.mark.parametrize("n", [50, 400, pytest.param(3000, marks=pytest.mark.long)])
def test_false_alarms_stay_within_the_share(n, null):
    for truth in null:
        refused = sum(
            binom.pmf(hits, n, truth)
            for hits in range(n + 1)
            if budget.judge(hits, n, null, SPEND) != "holds"
        )
        assert refused <= SPEND


@pytest.mark.long
@pytest.mark.parametrize("defect", [NARROW_COVERS, WIDE_COVERS])
def test_as_many_trials_as_it_asks_for_find_the_defect(defect):
    null = (0.935, 0.965)
    n = budget.trials(null, (defect,), SPEND)
    total = sum(
        binom.pmf(hits, n, defect)
        for hits in range(n + 1)
        if budget.judge(hits, n, null, SPEND) == ("too low" if defect < 0.9 else "too high")
    )
    assert total >= 1 - budget.MISS


WATCHED = [
    ((0.935, 0.965), NARROW_COVERS),
    ((0.935, 0.965), WIDE_COVERS),
    ((0.92, 0.98), 0.7),
    ((0.92, 0.98), 0.9995),
    ((0.19, 0.2), 0.1),
    ((0.19, 0.2), 0.4),
    ((0.3, 0.3), 0.34),
    ((0.0, 0.0), 0.02),
]


def watched(null, defect, truth):
    """Compute the chance of each verdict of a watch, and how many trials it takes on average."""
    chances, low, ends, mean = np.ones(1), 0, Counter(), 0.0
    for n in itertools.count(1):
        mean += chances.sum()
        chances = np.convolve(chances, [1 - truth, truth])
        while len(chances) and (verdict_result := verdict(null, defect, low, n)):
            ends[verdict_result], chances, low = (
                ends[verdict_result] + chances[0],
                chances[1:],
                low + 1,
            )
        while len(chances) and (verdict_result := verdict(null, defect, low + len(chances) - 1, n)):
            ends[verdict_result], chances = ends[verdict_result] + chances[-1], chances[:-1]
        if chances.sum() < SPEND / 1000:
            return ends, mean
    raise AssertionError


def verdict(null, defect, hits, n):
    watch = budget.Watch(null, (defect,), SPEND)
    watch.see(hits, n)
    return watch.verdict


@pytest.mark.long
@pytest.mark.parametrize(("null", "defect"), WATCHED)
def test_a_watch_keeps_both_promises_with_fewer_trials(null, defect):
    """By the chances of all ways in which the trials may come, one by one."""
    end, refused = (null[0], "too low") if defect < null[0] else (null[1], "too high")
    fixed = budget.trials(null, (defect,), SPEND)
    right, few = watched(null, defect, end)
    assert right[refused] <= SPEND / 2
    assert few < fixed
    wrong, some = watched(null, defect, defect)
    assert wrong["holds"] <= budget.MISS
    assert some < fixed


def test_a_watch_of_two_sides_holds_where_both_let_go():
    watch = budget.Watch((0.4, 0.6), (0.2, 0.8), SPEND)
    watch.see(30, 60)
    assert watch.verdict is None
    watch.see(40, 80)
    assert watch.verdict == "holds"
    for hits, result in ((3, "too low"), (77, "too high")):
        watch = budget.Watch((0.4, 0.6), (0.2, 0.8), SPEND)
        watch.see(hits, 80)
        assert watch.verdict == result


def test_fixed_seeds_repeat_and_others_can_be_asked_for(monkeypatch):
    first, again = budget.dice("warner").random(4), budget.dice("warner").random(4)
    monkeypatch.setenv("ASKANCE_ODDS_SEED", "7")
    assert (first == again).all()
    assert (first != budget.dice("warner").random(4)).all()
