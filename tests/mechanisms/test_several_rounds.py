"""Repeated questions against every sequence of reports, written out in fractions."""

import math
from fractions import Fraction
from itertools import permutations, product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import askance as ak
from askance.mechanisms import DBitFlip, MemoisedHashing, MemoisedKAry, Rappor
from askance.privacy import HistoryRelation, loss_over_rounds
from askance_collect.errors import InputError

ABC = ak.Frame(["a", "b", "c"])
chances = st.fractions(0, 1, max_denominator=6)
levels = st.fractions(Fraction(5, 4), 9, max_denominator=8)


def unchanged(recipe, frame, rounds=None):
    """The loss while the answer stays."""
    draws = recipe.memoised_draws(frame)
    return loss_over_rounds(draws, rounds, relation=HistoryRelation.UNCHANGED).value


def together(recipe, frame, rounds=None, changes=None):
    """The loss between histories that change, and come back, in the same rounds."""
    same = HistoryRelation.SAME_ROUNDS_OF_CHANGE
    draws = recipe.memoised_draws(frame)
    return loss_over_rounds(draws, rounds, relation=same, changes=changes).value


def bit(chance, value):
    return chance if value else 1 - chance


def rappor_laws(recipe, k):
    """Give permanent bits with their chance for each answer, and a report's chance given them."""
    sets = list(product((0, 1), repeat=k))

    def kept(x, content):
        truths = (recipe.truth if index == x else recipe.lie for index in range(k))
        return math.prod(
            (bit(p, b) for p, b in zip(truths, content, strict=True)), start=Fraction(1)
        )

    def sent(stored, report):
        again_truths = (recipe.again_truth if b else recipe.again_lie for b in stored)
        return math.prod(
            (bit(p, b) for p, b in zip(again_truths, report, strict=True)), start=Fraction(1)
        )

    return sets, kept, sent


def kary_laws(recipe, k):
    """Do so for k-ary response, from its channels' own chances."""
    frame = ak.Frame([f"x{index}" for index in range(k)])
    first, pair = recipe.permanent_channel(frame).oracle, recipe.channel(frame).oracle
    t, lie, own = first.true_positive_rate, first.false_positive_rate, pair.true_positive_rate
    again = (own - lie) / (t - lie)

    def kept(x, content):
        return t if x == content else lie

    def sent(stored, report):
        return again if stored == report else (1 - again) / (k - 1)

    return list(range(k)), kept, sent


def sequence_law(laws, x, rounds):
    reports, remaining, messages = laws
    return {
        combination: sum(
            remaining(x, report)
            * math.prod((messages(report, item) for item in combination), start=Fraction(1))
            for report in reports
        )
        for combination in product(reports, repeat=rounds)
    }


def worst(item, other):
    fraction = Fraction(1)
    for name, chance in item.items():
        if chance and not other[name]:
            return math.inf
        if chance:
            fraction = max(fraction, chance / other[name])
    return fraction


@given(
    chances, chances, chances, chances, st.sampled_from([(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
)
@pytest.mark.long
def test_rappor_loses_what_all_sequences_lose(truth, lie, again, made, size):
    k, rounds = size
    recipe = Rappor(truth=truth, lie=lie, again_truth=again, again_lie=made)
    laws = rappor_laws(recipe, k)
    sequence_laws = [sequence_law(laws, x, rounds) for x in range(k)]
    expected = max(worst(sequence_laws[x], sequence_laws[y]) for x, y in permutations(range(k), 2))
    frame = ak.Frame([f"x{index}" for index in range(k)])
    assert unchanged(recipe, frame, rounds) == expected
    assert unchanged(recipe, frame, rounds) <= unchanged(recipe, frame)
    assert unchanged(recipe, frame, 1) == ak.local_loss(recipe.channel(frame)).value
    if again != made:
        assert unchanged(recipe, frame) == ak.local_loss(recipe.permanent_channel(frame)).value


@pytest.mark.long
@given(levels, levels, st.sampled_from([(2, 1), (2, 4), (3, 2), (3, 3), (4, 2)]))
def test_memoised_k_ary_response_loses_what_all_sequences_lose(one, two, size):
    k, rounds = size
    recipe = MemoisedKAry(lasting=max(one, two), per_report=min(one, two))
    laws = kary_laws(recipe, k)
    sequence_laws = [sequence_law(laws, x, rounds) for x in range(k)]
    expected = max(worst(sequence_laws[x], sequence_laws[y]) for x, y in permutations(range(k), 2))
    frame = ak.Frame([f"x{index}" for index in range(k)])
    assert unchanged(recipe, frame, rounds) == expected <= unchanged(recipe, frame)
    assert (
        unchanged(recipe, frame)
        == ak.local_loss(recipe.permanent_channel(frame)).value
        == recipe.lasting
    )
    assert unchanged(recipe, frame, 1) <= recipe.per_report
    assert float(unchanged(recipe, frame, 1)) == pytest.approx(float(recipe.per_report), rel=1e-5)


def history_law(laws, history, displayed):
    """Give the law of reports where each answer's permanent step is drawn once and kept."""
    reports, remaining, messages = laws
    distinct = list(dict.fromkeys(history))
    result = {visited: Fraction(0) for visited in product(reports, repeat=len(history) * displayed)}
    for combination in product(reports, repeat=len(distinct)):
        memo = dict(zip(distinct, combination, strict=True))
        chance = math.prod((remaining(x, memo[x]) for x in distinct), start=Fraction(1))
        item = [memo[x] for x in history for _ in range(displayed)]
        for observed in result:
            pairs = zip(item, observed, strict=True)
            result[observed] += chance * math.prod(
                (messages(*pair) for pair in pairs), start=Fraction(1)
            )
    return result


def test_that_an_answer_changed_is_hidden_by_the_step_of_each_round_alone():
    bare = kary_laws(MemoisedKAry(lasting=6, per_report=6), 3)  # every report is what was kept
    assert worst(history_law(bare, (0, 1), 1), history_law(bare, (0, 0), 1)) == math.inf
    noisy = kary_laws(MemoisedKAry(lasting=6, per_report=2), 3)
    worst_results = [
        worst(history_law(noisy, (0, 1), number), history_law(noisy, (0, 0), number))
        for number in (1, 2)
    ]
    assert worst_results[0] < worst_results[1] < math.inf


@pytest.mark.long
@given(levels, levels)
def test_levels_are_kept(one, two):
    lasting, lowest = max(one, two), min(one, two)
    for recipe in (Rappor, MemoisedKAry):
        at_epsilon_result = recipe.at_epsilon(lasting_ratio=lasting, per_report_ratio=lowest)
        assert unchanged(at_epsilon_result, ABC) <= lasting
        assert unchanged(at_epsilon_result, ABC, 1) <= lowest
        assert float(unchanged(at_epsilon_result, ABC)) == pytest.approx(float(lasting), rel=1e-5)
        assert float(unchanged(at_epsilon_result, ABC, 1)) == pytest.approx(float(lowest), rel=1e-5)
        assert (
            unchanged(at_epsilon_result, ABC, 1)
            == ak.local_loss(at_epsilon_result.channel(ABC)).value
        )


RECIPES = [Rappor.at_epsilon(3, "3/2"), MemoisedKAry.at_epsilon(3, "3/2")]


@pytest.mark.parametrize("recipe", RECIPES, ids=["rappor", "kary"])
def test_reports_have_the_law_of_the_channel_and_the_shares_come_back(recipe):
    n, shares = 60_000, [0.5, 0.3, 0.2]
    answers = np.repeat(["a", "b", "c"], [int(n * share) for share in shares])
    channel = recipe.channel(ABC)
    oracle = channel.oracle
    memo = recipe.memoise(ABC, answers, rng=np.random.default_rng(1))
    dice = np.random.default_rng(2)
    for report_result in (recipe.report(ABC, memo, rng=dice) for _ in range(2)):
        tally = ak.tally(channel, report_result)
        held_counts = tally.counts if isinstance(recipe, MemoisedKAry) else tally.supports
        result = (held_counts / n - float(oracle.false_positive_rate)) / float(
            oracle.true_positive_rate - oracle.false_positive_rate
        )
        se = np.sqrt(0.25 / n) / float(oracle.true_positive_rate - oracle.false_positive_rate)
        assert np.abs(result - shares).max() < 5 * se


@pytest.mark.parametrize("recipe", RECIPES, ids=["rappor", "kary"])
def test_a_report_has_the_chances_of_its_step(recipe):
    """Two rounds of one person's kept bits agree as often as two draws from them do."""
    n = 40_000
    remaining = recipe.memoise(ABC, ["b"], rng=np.random.default_rng(3)) * n
    report_result = recipe.report(ABC, remaining, rng=np.random.default_rng(4))
    if isinstance(recipe, MemoisedKAry):
        again = np.mean([item == remaining[0] for item in report_result])
        t, lie = (
            recipe.permanent_channel(ABC).oracle.true_positive_rate,
            recipe.permanent_channel(ABC).oracle.false_positive_rate,
        )
        expected = (recipe.channel(ABC).oracle.true_positive_rate - lie) / (t - lie)
        assert abs(again - float(expected)) < 5 * 0.5 / math.sqrt(n)
        return
    bits = np.unpackbits(
        np.frombuffer(b"".join(report_result), dtype=np.uint8).reshape(n, 1), axis=1
    )[:, :3]
    memo = np.unpackbits(np.frombuffer(remaining[0], dtype=np.uint8))[:3]
    expected = np.where(memo, float(recipe.again_truth), float(recipe.again_lie))
    assert np.abs(bits.mean(axis=0) - expected).max() < 5 * 0.5 / math.sqrt(n)


@pytest.mark.parametrize("recipe", RECIPES, ids=["rappor", "kary"])
def test_dice_and_the_coin_are_never_mixed_and_blanks_stay(recipe):
    memo = recipe.memoise(ABC, ["a", None, "c"], coin=True)
    assert memo[1] is None
    report_result = recipe.report(ABC, memo, coin=True)
    assert [item is None for item in report_result] == [False, True, False]
    assert recipe.report(ABC, memo, rng=np.random.default_rng(5)) == recipe.report(
        ABC, memo, rng=np.random.default_rng(5)
    )
    with pytest.raises(InputError, match="one of them"):
        recipe.report(ABC, memo, rng=np.random.default_rng(1), coin=True)
    with pytest.raises(InputError, match="one of them"):
        recipe.memoise(ABC, ["a"], rng=np.random.default_rng(1), coin=True)


def test_a_bad_memory_is_refused_and_with_the_coin_not_repeated():
    with pytest.raises(InputError, match=r"memos\[0\]: got 'ff'"):
        RECIPES[0].report(ABC, [b"\xff"], rng=np.random.default_rng(1))
    with pytest.raises(InputError) as caught:
        RECIPES[0].report(ABC, [b"\xff"], coin=True)
    assert "ff" not in str(caught.value)


def test_one_report_tells_no_more_than_all():
    for recipe in (Rappor, MemoisedKAry):
        with pytest.raises(InputError, match="lasting loss"):
            recipe.at_epsilon(1, 2)


def hashed(recipe):
    """Give what one seed leaves: k-ary response over cells."""
    return kary_laws(
        MemoisedKAry(lasting=recipe.lasting, per_report=recipe.per_report), recipe.cells
    )


@given(levels, levels, st.integers(2, 4), st.integers(1, 3))
def test_memoised_hashing_loses_what_its_cells_lose(one, two, cells, rounds):
    recipe = MemoisedHashing(lasting=max(one, two), per_report=min(one, two), cells=cells)
    laws, pages = hashed(recipe), ak.Frame([f"x{index}" for index in range(50)])
    sequence_laws = [sequence_law(laws, cell, rounds) for cell in (0, 1)]
    assert unchanged(recipe, pages, rounds) == worst(*sequence_laws)
    assert unchanged(recipe, pages, 1) == ak.local_loss(recipe.channel(pages)).value
    assert unchanged(recipe, pages) == ak.local_loss(recipe.permanent_channel(pages)).value
    assert together(recipe, pages) == recipe.lasting**cells


def test_hashed_histories_that_change_together_lose_no_more_than_all_cells():
    recipe = MemoisedHashing(lasting=6, per_report=2, cells=2)
    item, other = (
        history_law(hashed(recipe), variant, 1) for variant in ((0, 1, 0, 1), (1, 0, 1, 0))
    )
    pages = ak.Frame([f"x{index}" for index in range(50)])
    assert worst(item, other) <= together(recipe, pages, 4) < recipe.lasting**2


@pytest.mark.parametrize("coin", [False, True], ids=["dice", "coin"])
def test_hashed_reports_have_the_law_and_what_is_kept_is_drawn_once(coin, monkeypatch):
    feed = np.random.default_rng(5)
    fed = SimpleNamespace(draw=lambda count, _: feed.bytes(count))
    monkeypatch.setattr("askance.channels.bulk_draws.SYSTEM_BYTES", fed)
    chance = {"coin": True} if coin else {"rng": np.random.default_rng(6)}
    recipe, n = MemoisedHashing(lasting=9, per_report=4, cells=3), 40_000
    channel = recipe.channel(ABC)
    memo = recipe.memoise(n, **chance)
    averages = [(memo[:, 1 + c] == c).mean() for c in range(3)]
    assert averages == pytest.approx([9 / 11] * 3, abs=0.02)
    for shares in ([0.5, 0.3, 0.2], [0.1, 0.1, 0.8]):  # the same people, other answers
        answers = np.repeat(["a", "b", "c"], [round(n * share) for share in shares])
        report_result = recipe.report(ABC, memo, answers, **chance)
        assert (np.asarray(report_result) // 3 == memo[:, 0]).all()
        oracle = channel.oracle
        number = float(oracle.true_positive_rate - oracle.false_positive_rate)
        averages = (
            ak.tally(channel, report_result).supports / n - float(oracle.false_positive_rate)
        ) / number
        assert np.abs(averages - shares).max() < 5 * 0.5 / math.sqrt(n) / number


def test_hashing_without_a_second_step_repeats_the_kept_cell_of_todays_answer():
    recipe = MemoisedHashing(lasting=4, per_report=4, cells=3)
    memo = recipe.memoise(200, rng=np.random.default_rng(1))
    first = recipe.report(ABC, memo, ["a"] * 200, rng=np.random.default_rng(2))
    assert recipe.report(ABC, memo, ["b"] * 200, rng=np.random.default_rng(3)) != first
    assert recipe.report(ABC, memo, ["a"] * 200, rng=np.random.default_rng(4)) == first


def test_what_hashing_keeps_is_read_with_care():
    recipe = MemoisedHashing(lasting=6, per_report=2, cells=3)
    memo = recipe.memoise(2, rng=np.random.default_rng(1))
    assert recipe.report(ABC, memo, ["a", None], rng=np.random.default_rng(1))[1] is None
    for wrong in (memo[:1], memo[:, :2], memo - 10**15, memo + 3, [[1, 2, 3, 4]] * 2):
        with pytest.raises(InputError, match="memos"):
            recipe.report(ABC, wrong, ["a", "b"], rng=np.random.default_rng(1))
    with pytest.raises(InputError, match="one of them"):
        recipe.memoise(2, rng=np.random.default_rng(1), coin=True)
    with pytest.raises(InputError) as caught:
        recipe.report(ABC, memo, ["a", "z9"], coin=True)
    assert "z9" not in str(caught.value)
    fewest = MemoisedHashing.at_epsilon(lasting_ratio=9, per_report_ratio=4)
    assert fewest.cells == 5  # e^ε + 1


@pytest.mark.long
def test_many_rounds_and_changes_are_told_at_once_and_never_too_low():
    frame = ak.Frame([f"x{index}" for index in range(1000)])
    recipe = MemoisedKAry(lasting="7.3891", per_report="2.7183")
    t, k = recipe.permanent_channel(frame).oracle, len(frame)
    again = (recipe.channel(frame).oracle.true_positive_rate - t.false_positive_rate) / (
        t.true_positive_rate - t.false_positive_rate
    )
    for rounds in (20, 200, 400):
        remaining, lost = again**rounds, ((1 - again) / (k - 1)) ** rounds
        exact = (t.true_positive_rate * remaining + (k - 1) * t.false_positive_rate * lost) / (
            t.false_positive_rate * remaining
            + (t.true_positive_rate + (k - 2) * t.false_positive_rate) * lost
        )
        unchanged_result = unchanged(recipe, frame, rounds)
        assert (
            exact
            <= unchanged_result
            <= min(exact * (1 + Fraction(1, 10**50)), unchanged(recipe, frame))
        )
    rappor = Rappor(truth="3/4", lie="1/4", again_truth="501/1000", again_lie="499/1000")
    for rounds in (300, 1000):
        on, off = (Fraction(number, 1000) ** rounds for number in (501, 499))
        exact = ((3 * on + off) / (on + 3 * off)) ** 2
        unchanged_result = unchanged(rappor, frame, rounds)
        assert exact <= unchanged_result <= exact * (1 + Fraction(1, 10**50))
        turned = Rappor(truth="1/4", lie="3/4", again_truth="501/1000", again_lie="499/1000")
        assert unchanged(turned, frame, rounds) == unchanged_result
    for item in (recipe, rappor, MemoisedHashing(lasting="7.3891", per_report="2.7183")):
        assert together(item, frame, 9_000, 999) <= together(item, frame, 10_000, 10_000)


@pytest.mark.parametrize("kind", ["u8", "i4", "u4"])
def test_what_is_kept_may_be_whole_numbers_of_any_width(kind):
    """Stored as they may be, the same memories send the same reports."""
    hashing, flips = (
        MemoisedHashing(lasting=6, per_report=2, cells=3),
        DBitFlip(truth=1, lie=0, answers_asked=2),
    )
    answers = ["a", "b", "c", "a"]
    seeds = hashing.memoise(4, rng=np.random.default_rng(1)).copy()
    seeds[:, 0] %= 1 << 31  # fits every width; a report, the seed times 3, does not
    report_result = hashing.report(ABC, seeds, answers, rng=np.random.default_rng(2))
    assert (
        hashing.report(ABC, seeds.astype(kind), answers, rng=np.random.default_rng(2))
        == report_result
    )
    assert {type(item) for item in report_result} == {int}
    bits = flips.memoise(ABC, 4, rng=np.random.default_rng(1))
    assert flips.report(ABC, bits.astype(kind), answers) == flips.report(ABC, bits, answers)
