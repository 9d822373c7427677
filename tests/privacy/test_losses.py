"""Shafer's and Walley's losses and their kin: independent values, every event, implications."""

import json
import math
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, local_loss
from askance.channels import MassFunction
from askance.privacy import (
    Guarantee,
    Notion,
    belief_loss,
    error_floor,
    is_shafer_private,
    is_walley_private,
    plausibility_loss,
    shafer_loss,
    tradeoff,
    walley_loss,
)
from askance_collect.errors import InputError, NotComparable
from askance_collect.exact import Table

F = Fraction
ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "losses.json").read_text())
JUDGES = {
    "eps_S": shafer_loss,
    "eps_bel": belief_loss,
    "eps_pl": plausibility_loss,
    "eps_W": walley_loss,
}


def channel_of(rows, size):
    """Read rows of masses by mask."""
    masks = sorted({int(mask) for row in rows for mask in row})
    output = Frame([f"y{index}" for index in range(size)])
    answers = Frame([f"x{index}" for index in range(len(rows))])
    matrix = [[F(row.get(str(mask), 0)) for mask in masks] for row in rows]
    return Channel(
        answers, {str(mask): output.names(mask) for mask in masks}, matrix, output=output
    )


def two_rows(first, second):
    """Read masses on {1}, {2} and {1, 2}."""
    named = ("1", "2", "3")
    return channel_of([dict(zip(named, row, strict=True)) for row in (first, second)], 2)


NARROW = two_rows(("9/20", "9/20", "1/10"), ("49/100", "49/100", "1/50"))
"""Beliefs and plausibilities are close, masses are not."""


@st.composite
def evidence(draw, answers=None, size=3):
    """Rows of masses on the sets of three answers; zeros are common."""
    count = (1 << size) - 1
    entry = st.one_of(st.just(0), st.integers(0, 9))
    k = answers or draw(st.integers(2, 3))
    raw = [draw(st.lists(entry, min_size=count, max_size=count).filter(any)) for _ in range(k)]
    rows = [{str(index + 1): F(v, sum(row)) for index, v in enumerate(row)} for row in raw]
    return channel_of(rows, size)


def by_event(channel, x):
    """Sum belief and plausibility of every event from the masses, one by one."""
    row = channel.table.row(x)
    sets = range(1, channel.output.full_mask + 1)
    bel = {
        a: sum(m for e, m in zip(channel.meanings, row, strict=True) if not e & ~a) for a in sets
    }
    pl = {a: sum(m for e, m in zip(channel.meanings, row, strict=True) if e & a) for a in sets}
    return bel, pl


@pytest.mark.parametrize("case", ORACLE["mechanisms"], ids=lambda case: case["name"])
@pytest.mark.parametrize("key", JUDGES)
def test_losses_are_those_computed_independently(case, key):
    channel = channel_of(case["rows"], case["size"])
    loss = JUDGES[key](channel)
    literal = walley_loss(channel, diagonal=True) if key == "eps_W" else loss
    for result, expected in ((loss, f"{key}_distinct"), (literal, key)):
        assert result.epsilon == pytest.approx(float(case[expected]), rel=1e-10, abs=1.1e-6)
        off = result.pair_epsilons[~np.eye(len(result.pairs), dtype=bool) | (result is not loss)]
        assert off.max() == pytest.approx(float(case[expected]), rel=1e-10, abs=1e-12)
    if f"pair_{key}" in case:
        pairs = np.array(case[f"pair_{key}"], dtype=float)
        assert loss.pair_epsilons == pytest.approx(pairs, rel=1e-10, abs=1e-12)


@pytest.mark.long
@given(evidence())
def test_losses_are_those_over_every_event(channel):
    read = [by_event(channel, x) for x in range(len(channel.frame))]
    for judge, top, bottom in ((belief_loss, 0, 0), (plausibility_loss, 1, 1), (walley_loss, 1, 0)):
        loss = judge(channel)
        for x, other in product(range(len(read)), repeat=2):
            ratios = [
                over / under if under else math.inf
                for over, under in zip(
                    read[x][top].values(), read[other][bottom].values(), strict=True
                )
                if over or under
            ]
            assert loss.pairs[x][other] == max(ratios)
        pairs = permutations(range(len(read)), 2)
        assert loss.value == max(loss.pairs[x][other] for x, other in pairs)


@pytest.mark.long
@given(evidence())
def test_belief_and_plausibility_lose_no_more_than_messages_do(channel):
    """Lemma 2."""
    most = shafer_loss(channel).value
    assert belief_loss(channel).value <= most <= local_loss(channel).value
    assert plausibility_loss(channel).value <= most


def test_close_beliefs_and_plausibilities_do_not_make_close_masses():
    """The converse of Lemma 2 is false."""
    assert belief_loss(NARROW).value == F(49, 45)
    assert plausibility_loss(NARROW).value == F(55, 51)
    assert shafer_loss(NARROW).value == 5
    assert shafer_loss(NARROW).attained == "by 'y0 or y1' between 'x0' and 'x1'"


def test_shafers_and_walleys_losses_do_not_imply_each_other():
    q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    assert (shafer_loss(q).value, walley_loss(q).value) == (6, 9)
    assert (shafer_loss(NARROW).value, walley_loss(NARROW).value) == (5, F(17, 15))
    with pytest.raises(NotComparable, match="SHAFER and WALLEY"):
        shafer_loss(q).is_at_least_as_strong(walley_loss(q))
    with pytest.raises(NotComparable, match="BELIEF and PLAUSIBILITY"):
        belief_loss(q).is_at_least_as_strong(plausibility_loss(q))


def test_an_answer_beside_itself_counts_only_when_asked_to():
    assert walley_loss(NARROW, diagonal=True).value == F(11, 9)
    rows = two_rows(("9/20", "9/20", "1/10"), ("9/20", "9/20", "1/10"))
    assert shafer_loss(rows).value == 1
    assert walley_loss(rows).value == walley_loss(rows, diagonal=True).value == F(11, 9)


def test_reports_that_say_nothing_lose_everything_to_whoever_resolves_them():
    vacuous = channel_of([{"3": 1}, {"3": 1}], 2)
    loss = walley_loss(vacuous)
    assert (loss.value, loss.attained) == (math.inf, "at 'y0' between 'x0' and 'x1'")
    assert loss.pair_epsilons.tolist() == [[math.inf] * 2] * 2
    assert shafer_loss(vacuous).value == belief_loss(vacuous).value == 1
    assert loss.to_dict()["pairs"] == [["inf", "inf"], ["inf", "inf"]]


def test_privacy_is_affirmed_only_where_it_holds():
    q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    assert is_shafer_private(q, "1.7917594692280550009")
    assert not is_shafer_private(q, "1.7917594692280550008")
    assert is_walley_private(q, 2.1973)
    assert not is_walley_private(q, 2.1972)
    assert is_walley_private(NARROW, 0.13)
    assert not is_walley_private(NARROW, 0.13, diagonal=True)
    still = channel_of([{"3": 1}, {"3": 1}], 2)
    assert is_shafer_private(still, 0)
    assert is_walley_private(still, math.inf)
    assert not is_walley_private(still, 10_000)
    for wrong in (-1, float("nan"), "two", 1e5):
        with pytest.raises(InputError, match="epsilon"):
            is_shafer_private(q, wrong)


@pytest.mark.long
@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 30))
def test_a_loss_is_its_own_bound_however_it_is_said(truth, lie, silence):
    total = truth + lie + silence
    recipe = Abstain(truth=Fraction(truth, total), lie=Fraction(lie, total))
    q = recipe.channel(Frame(["yes", "no"]))
    for judge, keeps in ((shafer_loss, is_shafer_private), (walley_loss, is_walley_private)):
        loss = judge(q)
        assert keeps(q, ratio=loss.value)
        assert keeps(q, ratio=str(loss.value))
        assert keeps(q, loss.epsilon_nearest)
        assert keeps(q, str(loss.epsilon))
        if loss.value > 1:
            assert not keeps(q, ratio=loss.value - Fraction(1, 10**30))
            assert not keeps(q, math.nextafter(loss.epsilon_nearest, 0))
            assert loss.pair_epsilons[0, 1] == pytest.approx(loss.epsilon_nearest, rel=1e-15)


def test_a_ratio_near_one_keeps_its_logarithm():
    near = Fraction(10**12 + 1, 10**12)
    loss = Guarantee(Notion.LOCAL, near, "", ((Fraction(1), near), (1 / near, Fraction(1))))
    assert loss.epsilon_nearest == 9.999999999995e-13
    assert loss.pair_epsilons[0, 1] == pytest.approx(9.999999999995e-13, rel=1e-15)
    assert Guarantee(Notion.LOCAL, math.inf, "").epsilon_nearest == math.inf
    with pytest.raises(NotComparable):
        _ = Guarantee(Notion.ADVANTAGE, Fraction(1, 2), "").epsilon_nearest


def test_the_floor_of_a_float_lies_under_what_keeps_to_it():
    q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    tradeoff_result = tradeoff(q, "yes", "no")
    assert tradeoff_result.is_at_least_as_strong(error_floor(math.log(6)))
    assert tradeoff_result.is_at_least_as_strong(error_floor(ratio=6))
    assert not tradeoff_result.is_at_least_as_strong(error_floor(ratio="5.999"))
    assert error_floor(ratio=6).exact[1] == (Fraction(1, 7), Fraction(1, 7))


def test_a_loss_is_said_once():
    q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    for keeps in (is_shafer_private, is_walley_private):
        with pytest.raises(InputError, match=r"allowed: epsilon = ε, or ratio = e\^ε"):
            keeps(q)
        with pytest.raises(InputError, match="got 'epsilon and ratio'"):
            keeps(q, 1, ratio=3)


@given(evidence())
@settings(max_examples=25)
@pytest.mark.long
def test_doubles_are_judged_as_they_are_and_too_many_towards_caution(channel):
    plain = dict(zip(channel.reports, map(channel.output.names, channel.meanings), strict=True))
    doubles = Channel(channel.frame, plain, channel.matrix, output=channel.output)
    padding = {f"never {index}": channel.output.names(7) for index in range(1 << 13)}
    wide = np.hstack([channel.matrix, np.zeros((len(channel.frame), 1 << 13))])
    many = Channel(channel.frame, plain | padding, wide, output=channel.output)
    for judge in JUDGES.values():
        few = judge(doubles).value
        assert float(few) == pytest.approx(float(judge(channel).value), rel=1e-12)
        rounded = judge(many).value
        assert few == rounded or (few < rounded <= few * (1 + F(1, 10**11)))


@given(evidence(answers=2))
def test_plausibility_needs_no_subtraction(channel):
    """However small it is beside what is believed, it keeps all its digits."""
    for x in channel.frame.answers:
        masses = channel.mass(x).masses
        tiny = {mask: float(mass) * 1e-30 for mask, mass in masses.items()}
        tiny[max(masses, key=masses.get)] = 1.0
        plausibilities_result = MassFunction(channel.output, tiny).plausibilities()
        for event in range(1, channel.output.full_mask + 1):
            exact = sum(F(mass) for focal, mass in tiny.items() if focal & event)
            assert plausibilities_result[event] == pytest.approx(float(exact), rel=1e-15, abs=0)


def test_totals_beyond_doubles_stay_exact():
    fine = 3**40
    row = [F(1, fine), 1 - F(1, fine)]
    table = Table(fine, ((1, fine - 1), (2, fine - 2)))
    q = Channel(Frame("ab"[index] for index in range(2)), {"a": ["a"], "b": ["b"]}, table)
    assert q.table.row(0) == tuple(row)
    assert shafer_loss(q).value == walley_loss(q).value == plausibility_loss(q).value == 2
    assert shafer_loss(q).pairs[0][1] == F(fine - 1, fine - 2)


def test_ratios_may_outgrow_doubles():
    fine = 10**400
    table = Table(fine, ((1, fine - 1), (fine - 1, 1)))
    q = Channel(Frame(["a", "b"]), {"a": ["a"], "b": ["b"]}, table)
    assert shafer_loss(q).value == walley_loss(q).value == fine - 1
    assert shafer_loss(q).pair_epsilons[1, 0] == pytest.approx(400 * math.log(10))


def test_too_many_answers_for_every_event_are_refused():
    output = Frame([f"y{index}" for index in range(70)])
    reports = {"first": ["y0"], "last": ["y69"]}
    rows = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
    wide = Channel(Frame(["a", "b"]), reports, rows, output=output)
    assert shafer_loss(wide).value == walley_loss(wide).value == 2
    for judge in (belief_loss, plausibility_loss):
        with pytest.raises(InputError, match="70 answers'; allowed: at most 24"):
            judge(wide)
