"""Pairs of answers that are laid out when they are asked for, and what is told of very many."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from askance.errors import InputError
from askance.privacy import Guarantee, Notion

F = Fraction
LAID_OUT = ((F(1), F(3), F(3)), (F(3), F(1), F(3)), (F(3), F(3), F(1)))


def alike(size, off, on=1):
    return Guarantee.alike(Notion.LOCAL, size, off, "by a report", on=F(on)).pairs


ALIKE = alike(3, F(3))


@pytest.mark.parametrize("pairs", [ALIKE])
def test_pairs_are_as_if_they_were_laid_out(pairs):
    assert len(pairs) == 3
    assert (pairs[0], pairs[-1], pairs[1:]) == (LAID_OUT[0], LAID_OUT[-1], LAID_OUT[1:])
    assert list(pairs) == list(LAID_OUT)
    assert list(reversed(pairs)) == list(reversed(LAID_OUT))
    assert LAID_OUT[1] in pairs
    with pytest.raises(IndexError):
        pairs[3]
    with pytest.raises(TypeError):
        pairs[0] = LAID_OUT[0]
    with pytest.raises(TypeError):
        pairs[0][1] = F(2)


@pytest.mark.parametrize("pairs", [ALIKE])
def test_pairs_are_equal_by_what_they_hold_and_cross_processes(pairs):
    assert pairs == LAID_OUT
    assert (LAID_OUT == pairs) is True  # noqa: SIM300
    assert pickle.loads(pickle.dumps(pairs)) == pairs
    assert pairs != LAID_OUT[:2]
    assert pairs != (*LAID_OUT[:2], LAID_OUT[1])
    assert pairs != list(LAID_OUT)
    assert pairs != alike(3, F(3), F(2))
    assert pairs != alike(3, F(2))
    assert pairs != alike(4, F(3))


def test_one_answer_has_nothing_beside_it():
    assert alike(1, F(3)) == alike(1, F(2)) == ((F(1),),)
    with pytest.raises(InputError, match="answers: got 0"):
        alike(0, F(3))
    for wrong in (F(1, 2), math.nan):
        with pytest.raises(
            InputError, match=r"value: got '(1/2|nan)'; allowed: a ratio in \[1, ∞\]"
        ):
            alike(3, wrong)


def test_pairs_of_a_million_answers_are_not_written_out():
    loss = Guarantee.alike(Notion.LOCAL, 10**6, F(3), "by a report")
    assert (loss.value, loss.pairs[5][7], loss.pairs[5][5]) == (3, 3, 1)
    with pytest.raises(InputError, match=r"1,000,000 answers'; allowed: at most 1,048,576 pairs"):
        loss.to_dict()
    with pytest.raises(InputError, match="pair_epsilons: got 'pairs of 1,000,000 answers'"):
        _ = loss.pair_epsilons
    most = Guarantee.alike(Notion.LOCAL, 1024, F(3), "").to_dict()["pairs"]
    assert (len(most), most[0][:2]) == (1024, ["1", "3"])


@pytest.mark.parametrize("pairs", [LAID_OUT, ALIKE])
def test_logarithms_of_pairs(pairs):
    found = Guarantee(Notion.LOCAL, F(3), "", pairs).pair_epsilons
    assert found.tolist() == (math.log(3) * (1 - np.eye(3))).tolist()
    with pytest.raises(ValueError, match="read-only"):
        found[0, 1] = 0


@pytest.mark.parametrize(
    ("value", "digits", "told"),
    [
        (10**16, 2, "10000000000000000"),
        (10**16 + 1, 2, "1.01 × 10^16"),
        (F(10**17 + 1, 7), 4, "1.4286 × 10^16"),
        (10**20 - 1, 3, "1.000 × 10^20"),
        (10**400, 2, "10^400"),
        (F(10**5000), 2, "10^5000"),
        (2.0**60, 1, "1.2 × 10^18"),
    ],
)
def test_large_ratios_are_powers_of_ten_rounded_up(value, digits, told):
    exact = value if isinstance(value, float) else F(value)
    loss = Guarantee(Notion.LOCAL, exact, "")
    assert loss.printed(digits) == told
    assert loss.promise.startswith("No report is more than 1")
    if "×" in told:
        figures, power = told.split(" × 10^")
        read = F(figures) * 10 ** int(power)
        assert read - F(10) ** (int(power) - digits) < F(value) <= read
