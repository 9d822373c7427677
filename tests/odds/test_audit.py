"""An audit finds fault with the right mechanism as seldom as it says, and with wrong ones often."""

import sys
from pathlib import Path

import pytest
from budget import Watch, alarm, dice, settle

from askance.audit import audit

sys.path.insert(0, str(Path(__file__).parents[1] / "audit"))
from planted import FAULTY, WARNER, batches, coin, planted

pytestmark = pytest.mark.odds

FAILURE, TOO_OFTEN = 0.2, 0.45
DRAWS = 400
STATED = {"audit, right": (WARNER, {}), "audit, right, by its ε": (None, {"ratio": 3})}
QUICK = ("p and q swapped", "retry until it agrees", "a leak by order")


def audits(name, truth):
    """Audit a coin again and again, at a failure that a few hundred audits can judge."""
    rng, (stated, claim) = dice(name), STATED[name]
    watch = Watch((0.0, FAILURE), (TOO_OFTEN,), alarm(name))

    def once():
        subject = batches(name, coin(truth), stated, rng)
        return audit(subject, draws=DRAWS, alpha=FAILURE, rng=rng, **claim)

    return settle(once, {name: (watch, lambda result: not result.passed)})[name]


@pytest.mark.parametrize("name", STATED)
def test_the_right_mechanism_is_found_fault_with_as_seldom_as_stated(name):
    assert audits(name, 0.75) == "holds"


@pytest.mark.parametrize("name", STATED)
def test_a_coin_that_tells_more_is_refused(name):
    assert audits(name, 0.9) == "too high"


@pytest.mark.parametrize("fault", QUICK)
def test_a_fault_is_found_nine_times_in_ten_in_its_stated_draws(fault):
    *_, claim, draws = FAULTY[fault]
    rng = dice("audit, faults")
    watch = Watch((0.9, 1.0), (0.6,), alarm("audit, faults") / len(QUICK))

    def once():
        return audit(planted(fault, rng), draws=draws, rng=rng, **claim)

    outcome = settle(once, {fault: (watch, lambda item: not item.passed)})
    assert outcome[fault] == "holds"
