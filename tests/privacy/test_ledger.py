"""The ledger: what adds, what composes tightly, what is refused and why."""

import json
import math
from fractions import Fraction
from itertools import pairwise, permutations, product
from pathlib import Path

import numpy as np
import pytest

from askance import Abstain, Channel, Frame, KAry, Warner, local_loss
from askance.channels import two_reports
from askance.mechanisms import Kuk
from askance.privacy import Interaction, Ledger, Notion, error_floor, tradeoff
from askance_collect.errors import InputError, NotComparable

YES_NO = Frame(["yes", "no"])
ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "composition.json").read_text())
EITHER = {"yes": ["yes"], "no": ["no"], "either": ["yes", "no"]}


def evidential(*rows):
    return Channel(YES_NO, EITHER, [[Fraction(mass) for mass in row] for row in rows])


NAMED = {
    "two_by_three_p.6_q.1": Abstain(truth=0.6, lie=0.1).channel(YES_NO),
    "warner_.75": Warner(truth=0.75).channel(YES_NO),
    "thm5_counterexample": evidential((".45", ".45", ".1"), (".49", ".49", ".02")),
}
NOTIONS = {
    "S": Notion.SHAFER,
    "bel": Notion.BELIEF,
    "pl": Notion.PLAUSIBILITY,
    "W": Notion.WALLEY,
}
VAGUE = evidential((".4", ".4", ".2"), (".4", ".4", ".2"))


@pytest.mark.parametrize("case", ORACLE["composition_losses"]["cases"])
@pytest.mark.parametrize("notion", NOTIONS)
def test_losses_together_are_those_over_all_subsets(case, notion):
    ledger = Ledger().spend(NAMED[case["first"]]).spend(NAMED[case["second"]])
    loss = ledger.loss(NOTIONS[notion])
    assert math.log(loss.value) == pytest.approx(case[f"eps_{notion}_distinct"], rel=1e-10)
    assert loss.pair_epsilons.max() == pytest.approx(case[f"eps_{notion}"], rel=1e-10)


@pytest.mark.parametrize("notion", [Notion.SHAFER, Notion.BELIEF, Notion.PLAUSIBILITY])
def test_pairs_add_exactly(notion):
    two_by_three_p_6_q_1 = NAMED["two_by_three_p.6_q.1"]
    two = NAMED["thm5_counterexample"]
    judged = Ledger().spend(two_reports(two_by_three_p_6_q_1, two)).loss(notion)
    added = Ledger().spend(two_by_three_p_6_q_1).spend(two).loss(notion)
    assert judged.pairs == added.pairs


def test_many_reports_multiply_ratios():
    ledger = Ledger().spend(NAMED["warner_.75"], 3).spend(NAMED["two_by_three_p.6_q.1"], 2)
    local, shafer, walley = ledger.losses()
    assert (local.value, shafer.value, walley.value) == (27 * 36, 27 * 36, 27 * 81)
    assert local.attained == "over 5 reports, between 'yes' and 'no'"
    assert (ledger.reports, repr(ledger)) == (5, "Ledger(3 × 2 reports, 2 × 3 reports)")
    assert Ledger().spend(NAMED["warner_.75"], 10_000).loss(Notion.LOCAL).epsilon == pytest.approx(
        10_000 * math.log(3)
    )
    telling = Abstain(truth=0.5, lie=0).channel(YES_NO)
    assert Ledger().spend(telling).loss(Notion.SHAFER).epsilon == math.inf


def test_one_report_is_its_own_curve():
    q = NAMED["two_by_three_p.6_q.1"]
    alpha = np.linspace(0, 1, 51)
    ours = Ledger().spend(q).tradeoff().beta(alpha)
    assert ours == pytest.approx(tradeoff(q, "yes", "no").beta(alpha), abs=1e-14)


def test_curves_keep_to_the_bound_of_their_losses():
    q = NAMED["two_by_three_p.6_q.1"]
    alpha = np.linspace(0, 1, 51)
    tight = Ledger().spend(q, 4).tradeoff().beta(alpha)
    assert (tight >= error_floor(math.log(6), times=4).beta(alpha) - 1e-12).all()
    assert (
        error_floor(math.log(6), times=4).beta(alpha)
        >= error_floor(4 * math.log(6)).beta(alpha) - 1e-12
    ).all()


def test_the_worst_pair_of_answers_counts():
    frame = Frame(["a", "b", "c"])
    q = KAry(truth=0.6).channel(frame)
    ledger = Ledger().spend(q, 20)
    delta_results = [
        ledger.loss_distribution(x, other).delta(1.0)
        for x, other in product(frame.answers, repeat=2)
        if x != other
    ]
    assert ledger.delta(1.0) == max(delta_results)
    assert ledger.delta(ratio=6) == ledger.delta(math.log(6))
    assert ledger.loss_distribution("a", "b").delta_lower(ratio=6) == ledger.loss_distribution(
        "a", "b"
    ).delta(ratio=6)
    assert ledger.loss_distribution("a", "b").epsilon(1e-6) <= ledger.epsilon(1e-6)
    with pytest.raises(InputError, match="answer"):
        ledger.tradeoff()


def test_every_ordered_pair_of_answers_has_a_law_of_its_own():
    frame, rows = Frame(["a", "b", "c"]), ((8, 1, 1), (1, 5, 4), (2, 2, 6))
    rows = [[Fraction(units, 10) for units in row] for row in rows]
    q = Channel(frame, {name: [name] for name in frame.answers}, rows)
    ledger, alone = Ledger().spend(q, 3).spend(q, 2), {}
    for x, other in permutations(range(3), 2):
        names = frame.answers[x], frame.answers[other]
        two = Channel(
            Frame(names),
            {name: [name] for name in frame.answers},
            [rows[x], rows[other]],
            output=frame,
        )
        alone[x, other] = law = Ledger().spend(two, 5).loss_distribution()
        assert ledger.loss_distribution(*names).losses.tolist() == law.losses.tolist()
        assert ledger.tradeoff(*names).knots.tolist() == law.tradeoff().knots.tolist()
    deltas = {law.delta(2.0) for law in alone.values()}
    epsilons = {law.epsilon(0.01) for law in alone.values()}
    assert len(deltas) == len(epsilons) == 6
    assert (ledger.delta(2.0), ledger.epsilon(0.01)) == (max(deltas), max(epsilons))
    gaussian_result, back = ledger.gaussian("a", "b"), ledger.gaussian("b", "a")
    assert gaussian_result.mu == back.mu
    assert gaussian_result.bound != back.bound


def test_both_answers_are_named_or_neither():
    ledger = Ledger().spend(evidential((".6", ".2", ".2"), (".1", ".8", ".1")))
    assert (
        ledger.loss_distribution().losses.tolist()
        == ledger.loss_distribution("yes", "no").losses.tolist()
    )
    assert (
        ledger.loss_distribution().losses.tolist()
        != ledger.loss_distribution("no", "yes").losses.tolist()
    )
    for named in (("no",), ("", "no"), ("no", "maybe")):
        with pytest.raises(InputError, match="answer"):
            ledger.loss_distribution(*named)


def test_a_single_answer_has_nothing_to_lose():
    ledger = Ledger().spend(Channel(Frame(["a"]), {"a": ["a"]}, [[1]]), 2)
    assert ledger.delta(0.0) == ledger.epsilon(0.0) == 0
    assert [loss.value for loss in ledger.losses()] == [1, 1, 1]


def test_reports_are_counted_in_any_kind_of_whole_number():
    q = NAMED["warner_.75"]
    spend_result = Ledger().spend(q, 3)
    for times in (3.0, np.int64(3), np.float64(3)):
        ledger = Ledger().spend(q, times)
        assert repr(ledger) == repr(spend_result)
        assert ledger.epsilon(1e-6) == spend_result.epsilon(1e-6)
        assert ledger.loss(Notion.LOCAL).value == 27


def test_reports_of_one_meaning_are_one_message():
    rows = [[Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 10), Fraction(9, 10)]]
    ledger = Ledger().spend(Channel(YES_NO, {"a": ["yes"], "b": ["yes"]}, rows), 5)
    assert ledger.delta(0.0, notion=Notion.SHAFER) == 0
    assert ledger.delta(0.0, notion=Notion.LOCAL) > 0.9
    assert ledger.epsilon(0.0, notion=Notion.LOCAL) == pytest.approx(5 * math.log(9))


def test_delta_is_that_of_the_reports_where_several_have_one_meaning():
    kuk = Kuk(red_if_yes="4/5", red_if_no="1/5", draws=3).channel(YES_NO)
    abstain = Abstain(truth="3/5", lie="1/10").channel(YES_NO)
    ledger = Ledger().spend(abstain, 2).spend(kuk)
    yes, no = (
        np.array([math.prod(cells) for cells in product(*rows)])
        for rows in zip(*(channel.matrix for channel in (abstain, abstain, kuk)), strict=True)
    )
    for epsilon in (1.0, 3.0, 5.0, 7.0):
        by_reports = np.maximum(yes - math.exp(epsilon) * no, 0).sum()
        assert ledger.delta(epsilon) == pytest.approx(by_reports, abs=1e-12)
    assert ledger.tradeoff() == ledger.tradeoff(notion=Notion.LOCAL)


def test_doubles_are_composed_as_they_are():
    q = Channel(YES_NO, {"yes": ["yes"], "no": ["no"]}, [[0.7, 0.3], [0.3, 0.7]])
    exact = Warner(truth=0.7).channel(YES_NO)
    ours, theirs = (Ledger().spend(item, 30).epsilon(1e-9) for item in (q, exact))
    assert ours == pytest.approx(theirs, rel=1e-12)


def test_unknown_interaction_is_refused_and_could_tell_all():
    with pytest.raises(InputError, match=r"got 'UNKNOWN'.*share random bits"):
        Ledger().spend(VAGUE, interaction=Interaction.UNKNOWN)
    nothing = dict.fromkeys(("same", "turned"), YES_NO.answers)
    coin = reply = Channel(YES_NO, nothing, [[Fraction(1, 2)] * 2] * 2)
    assert Ledger().spend(coin).spend(reply).loss(Notion.LOCAL).value == 1
    shared = dict.fromkeys(("same yes", "same no", "turned yes", "turned no"), YES_NO.answers)
    half = Fraction(1, 2)
    channel = Channel(
        YES_NO, shared, [[half, 0 * half, 0 * half, half], [0 * half, half, half, 0 * half]]
    )
    assert local_loss(channel).value == math.inf


def test_questions_chosen_from_messages_break_the_sum_for_walley_only():
    """A second question without loss of its own, asked after "either", always answers "yes"."""
    plain = evidential((".5", ".5", "0"), (".5", ".5", "0"))
    chosen = Ledger().spend(VAGUE).spend(plain, interaction=Interaction.FROM_MESSAGES)
    with pytest.raises(InputError, match="chosen after messages were read"):
        chosen.loss(Notion.WALLEY)
    assert chosen.loss(Notion.SHAFER).value == 1
    resolved = Ledger().spend(VAGUE).spend(plain, interaction=Interaction.FROM_ANSWERS)
    assert resolved.loss(Notion.WALLEY).value == Fraction(3, 2)
    masses = {"yes": Fraction(2, 5), "no": Fraction(2, 5), "either": Fraction(1, 5)}
    then = {"yes": Fraction(1, 2), "no": Fraction(1, 2), "either": Fraction(1)}
    plausible = sum(masses[e] * then[e] for e in ("yes", "either"))
    believed = masses["yes"] * then["yes"]
    assert plausible / believed == 2 > resolved.loss(Notion.WALLEY).value


def test_nothing_tight_is_claimed_for_walley():
    """Two reports with truth and lie 2/5: readers tell the answers apart by .36, not by .2."""
    ledger = Ledger().spend(VAGUE, 2)
    for questions in (
        lambda: ledger.tradeoff(notion=Notion.WALLEY),
        lambda: ledger.delta(1.0, notion=Notion.WALLEY),
        lambda: ledger.epsilon(0.1, notion=Notion.WALLEY),
    ):
        with pytest.raises(InputError, match="nothing tighter than the sum"):
            questions()
    reports = two_reports(VAGUE, VAGUE)
    same = [reports.output.answers[number] for number in (0, 3)]
    separate = reports.mass("yes").plausibility(same) - reports.mass("no").belief(same)
    assert float(separate) == pytest.approx(0.36, abs=1e-12)
    e = 3 / 2
    assert separate > (e - 1) / (e + 1) == pytest.approx(0.2)
    assert separate <= (e**2 - 1) / (e**2 + 1)


def test_what_cannot_be_entered():
    q = NAMED["warner_.75"]
    for times in (0, 10_001, 2.5, math.nan, True, "3", None):
        with pytest.raises(InputError, match="times"):
            Ledger().spend(q, times)
    with pytest.raises(InputError, match="one ledger for each trait"):
        Ledger().spend(q).spend(Warner(truth=0.75).channel(Frame(["a", "b"])))
    with pytest.raises(InputError, match="no reports"):
        Ledger().losses()
    with pytest.raises(NotComparable, match="COVERAGE"):
        Ledger().spend(q).loss(Notion.COVERAGE)
    with pytest.raises(InputError, match="no tight composition"):
        Ledger().spend(q).loss_distribution(notion=Notion.BELIEF)
    with pytest.raises(InputError, match=r"^delta\.epsilon: got nan"):
        Ledger().spend(q).delta(math.nan)
    with pytest.raises(InputError, match="10001 reports"):
        Ledger().spend(q, 10_000).spend(q).epsilon(1e-6)


@pytest.mark.long
@pytest.mark.parametrize(
    "rows",
    [
        ((".55", ".2", ".25"), (".22", ".58", ".2")),
        ((".55", ".45", "0"), (".45", ".55", "0")),
        ((".42", ".37", ".21"), (".38", ".43", ".19")),
    ],
)
@pytest.mark.parametrize("k", [10, 100, 1000])
def test_the_gaussian_limit_is_as_near_as_it_says(rows, k):
    ledger = Ledger().spend(evidential(*rows), k)
    limit, curve = ledger.gaussian(), ledger.tradeoff()
    alpha = np.linspace(1e-6, 1 - 1e-6, 4001)
    highest = np.abs(curve.beta(alpha) - limit.beta(alpha)).max()
    assert highest <= limit.distance + 1e-12
    up, down = np.minimum(alpha + limit.bound, 1), np.maximum(alpha - limit.bound, 0)
    assert (limit.beta(up) - limit.bound <= curve.beta(alpha) + 1e-12).all()
    assert (curve.beta(alpha) <= limit.beta(down) + limit.bound + 1e-12).all()


def test_many_small_losses_come_to_the_gaussian_limit():
    """Losses that shrink as 1/√k: both errors shrink alike."""
    limits = [
        Ledger().spend(Abstain(truth=0.4 + part, lie=0.4 - part).channel(YES_NO), k).gaussian()
        for k, part in ((25, 0.1), (100, 0.05), (400, 0.025), (2500, 0.01))
    ]
    for few, many in pairwise(limits):
        assert many.bound < few.bound
        assert many.distance < few.distance
        assert many.mu == pytest.approx(few.mu, rel=0.05)
    assert limits[-1].distance < 0.01


def test_the_gaussian_distance_is_the_largest():
    curve = Ledger().spend(NAMED["warner_.75"], 7).tradeoff()
    limit = Ledger().spend(NAMED["warner_.75"], 7).gaussian()
    alpha = np.unique(np.concatenate([np.linspace(0, 1, 200_001), curve.knots[:, 0]]))
    highest = np.abs(curve.beta(alpha) - limit.beta(alpha)).max()
    assert highest == pytest.approx(limit.distance, abs=1e-6)


def test_no_gaussian_limit_without_finite_losses():
    telling = Abstain(truth=0.5, lie=0).channel(YES_NO)
    with pytest.raises(InputError, match="proves an answer"):
        Ledger().spend(telling, 5).gaussian()
    with pytest.raises(InputError, match="say nothing"):
        Ledger().spend(VAGUE, 5).gaussian()
