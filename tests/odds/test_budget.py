"""The harness keeps its budget and finds what it promises to find."""

import ast
from pathlib import Path

import budget
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


def test_an_unregistered_test_cannot_spend():
    with pytest.raises(KeyError, match="register"):
        budget.alarm("unheard of")


@pytest.mark.parametrize("null", [(0.935, 0.965), (0.3, 0.3), (0.05, 0.05)])
@pytest.mark.parametrize("n", [50, 400, 3000])
def test_false_alarms_stay_within_the_share(n, null):
    for truth in null:
        refused = sum(
            binom.pmf(hits, n, truth)
            for hits in range(n + 1)
            if budget.judge(hits, n, null, SPEND) != "holds"
        )
        assert refused <= SPEND


@pytest.mark.parametrize("defect", [NARROW_COVERS, WIDE_COVERS])
def test_as_many_trials_as_it_asks_for_find_the_defect(defect):
    null = (0.935, 0.965)
    n = budget.trials(null, (defect,), SPEND)
    found = sum(
        binom.pmf(hits, n, defect)
        for hits in range(n + 1)
        if budget.judge(hits, n, null, SPEND) == ("too low" if defect < 0.9 else "too high")
    )
    assert found >= 1 - budget.MISS


def test_fixed_seeds_repeat_and_others_can_be_asked_for(monkeypatch):
    first, again = budget.dice("warner").random(4), budget.dice("warner").random(4)
    monkeypatch.setenv("ASKANCE_ODDS_SEED", "7")
    assert (first == again).all()
    assert (first != budget.dice("warner").random(4)).all()
