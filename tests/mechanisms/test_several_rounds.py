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

    def kept(x, held):
        given = (recipe.truth if at == x else recipe.lie for at in range(k))
        return math.prod((bit(p, b) for p, b in zip(given, held, strict=True)), start=Fraction(1))

    def sent(held, report):
        given = (recipe.again_truth if b else recipe.again_lie for b in held)
        return math.prod((bit(p, b) for p, b in zip(given, report, strict=True)), start=Fraction(1))

    return sets, kept, sent


def kary_laws(recipe, k):
    """Do so for k-ary response, from its channels' own chances."""
    frame = ak.Frame([f"x{at}" for at in range(k)])
    first, both = recipe.permanent_channel(frame).oracle, recipe.channel(frame).oracle
    t, lie, own = first.true_positive_rate, first.false_positive_rate, both.true_positive_rate
    again = (own - lie) / (t - lie)

    def kept(x, held):
        return t if x == held else lie

    def sent(held, report):
        return again if held == report else (1 - again) / (k - 1)

    return list(range(k)), kept, sent


def sequence_law(laws, x, rounds):
    reports, kept, sent = laws
    return {
        seen: sum(
            kept(x, held) * math.prod((sent(held, one) for one in seen), start=Fraction(1))
            for held in reports
        )
        for seen in product(reports, repeat=rounds)
    }


def worst(one, other):
    found = Fraction(1)
    for seen, chance in one.items():
        if chance and not other[seen]:
            return math.inf
        if chance:
            found = max(found, chance / other[seen])
    return found


@given(
    chances, chances, chances, chances, st.sampled_from([(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
)
@pytest.mark.long
def test_rappor_loses_what_all_sequences_lose(truth, lie, again, made, size):
    k, rounds = size
    recipe = Rappor(truth=truth, lie=lie, again_truth=again, again_lie=made)
    laws = rappor_laws(recipe, k)
    found = [sequence_law(laws, x, rounds) for x in range(k)]
    expected = max(worst(found[x], found[y]) for x, y in permutations(range(k), 2))
    frame = ak.Frame([f"x{at}" for at in range(k)])
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
    found = [sequence_law(laws, x, rounds) for x in range(k)]
    expected = max(worst(found[x], found[y]) for x, y in permutations(range(k), 2))
    frame = ak.Frame([f"x{at}" for at in range(k)])
    assert unchanged(recipe, frame, rounds) == expected <= unchanged(recipe, frame)
    assert (
        unchanged(recipe, frame)
        == ak.local_loss(recipe.permanent_channel(frame)).value
        == recipe.lasting
    )
    assert unchanged(recipe, frame, 1) <= recipe.per_report
    assert float(unchanged(recipe, frame, 1)) == pytest.approx(float(recipe.per_report), rel=1e-5)


def history_law(laws, history, shown):
    """Give the law of reports where each answer's permanent step is drawn once and kept."""
    reports, kept, sent = laws
    distinct = list(dict.fromkeys(history))
    found = {seen: Fraction(0) for seen in product(reports, repeat=len(history) * shown)}
    for held in product(reports, repeat=len(distinct)):
        memo = dict(zip(distinct, held, strict=True))
        chance = math.prod((kept(x, memo[x]) for x in distinct), start=Fraction(1))
        each = [memo[x] for x in history for _ in range(shown)]
        for seen in found:
            pairs = zip(each, seen, strict=True)
            found[seen] += chance * math.prod((sent(*at) for at in pairs), start=Fraction(1))
    return found


def test_that_an_answer_changed_is_hidden_by_the_step_of_each_round_alone():
    bare = kary_laws(MemoisedKAry(lasting=6, per_report=6), 3)  # every report is what was kept
    assert worst(history_law(bare, (0, 1), 1), history_law(bare, (0, 0), 1)) == math.inf
    noisy = kary_laws(MemoisedKAry(lasting=6, per_report=2), 3)
    found = [
        worst(history_law(noisy, (0, 1), shown), history_law(noisy, (0, 0), shown))
        for shown in (1, 2)
    ]
    assert found[0] < found[1] < math.inf


@pytest.mark.long
@given(levels, levels)
def test_levels_are_kept(one, two):
    lasting, each = max(one, two), min(one, two)
    for recipe in (Rappor, MemoisedKAry):
        made = recipe.at_epsilon(lasting_ratio=lasting, per_report_ratio=each)
        assert unchanged(made, ABC) <= lasting
        assert unchanged(made, ABC, 1) <= each
        assert float(unchanged(made, ABC)) == pytest.approx(float(lasting), rel=1e-5)
        assert float(unchanged(made, ABC, 1)) == pytest.approx(float(each), rel=1e-5)
        assert unchanged(made, ABC, 1) == ak.local_loss(made.channel(ABC)).value


RECIPES = [Rappor.at_epsilon(3, "3/2"), MemoisedKAry.at_epsilon(3, "3/2")]


@pytest.mark.parametrize("recipe", RECIPES, ids=["rappor", "kary"])
def test_reports_have_the_law_of_the_channel_and_the_shares_come_back(recipe):
    n, shares = 60_000, [0.5, 0.3, 0.2]
    answers = np.repeat(["a", "b", "c"], [int(n * one) for one in shares])
    channel = recipe.channel(ABC)
    oracle = channel.oracle
    kept = recipe.memoise(ABC, answers, rng=np.random.default_rng(1))
    dice = np.random.default_rng(2)
    for sent in (recipe.report(ABC, kept, rng=dice) for _ in range(2)):
        tally = ak.tally(channel, sent)
        held = tally.counts if isinstance(recipe, MemoisedKAry) else tally.supports
        found = (held / n - float(oracle.false_positive_rate)) / float(
            oracle.true_positive_rate - oracle.false_positive_rate
        )
        se = np.sqrt(0.25 / n) / float(oracle.true_positive_rate - oracle.false_positive_rate)
        assert np.abs(found - shares).max() < 5 * se


@pytest.mark.parametrize("recipe", RECIPES, ids=["rappor", "kary"])
def test_a_report_has_the_chances_of_its_step(recipe):
    """Two rounds of one person's kept bits agree as often as two draws from them do."""
    n = 40_000
    kept = recipe.memoise(ABC, ["b"], rng=np.random.default_rng(3)) * n
    sent = recipe.report(ABC, kept, rng=np.random.default_rng(4))
    if isinstance(recipe, MemoisedKAry):
        again = np.mean([one == kept[0] for one in sent])
        t, lie = (
            recipe.permanent_channel(ABC).oracle.true_positive_rate,
            recipe.permanent_channel(ABC).oracle.false_positive_rate,
        )
        expected = (recipe.channel(ABC).oracle.true_positive_rate - lie) / (t - lie)
        assert abs(again - float(expected)) < 5 * 0.5 / math.sqrt(n)
        return
    bits = np.unpackbits(np.frombuffer(b"".join(sent), dtype=np.uint8).reshape(n, 1), axis=1)[:, :3]
    memo = np.unpackbits(np.frombuffer(kept[0], dtype=np.uint8))[:3]
    expected = np.where(memo, float(recipe.again_truth), float(recipe.again_lie))
    assert np.abs(bits.mean(axis=0) - expected).max() < 5 * 0.5 / math.sqrt(n)


@pytest.mark.parametrize("recipe", RECIPES, ids=["rappor", "kary"])
def test_dice_and_the_coin_are_never_mixed_and_blanks_stay(recipe):
    kept = recipe.memoise(ABC, ["a", None, "c"], coin=True)
    assert kept[1] is None
    sent = recipe.report(ABC, kept, coin=True)
    assert [one is None for one in sent] == [False, True, False]
    assert recipe.report(ABC, kept, rng=np.random.default_rng(5)) == recipe.report(
        ABC, kept, rng=np.random.default_rng(5)
    )
    with pytest.raises(InputError, match="one of them"):
        recipe.report(ABC, kept, rng=np.random.default_rng(1), coin=True)
    with pytest.raises(InputError, match="one of them"):
        recipe.memoise(ABC, ["a"], rng=np.random.default_rng(1), coin=True)


def test_a_bad_memory_is_refused_and_with_the_coin_not_repeated():
    with pytest.raises(InputError, match=r"memos\[0\]: got 'ff'"):
        RECIPES[0].report(ABC, [b"\xff"], rng=np.random.default_rng(1))
    with pytest.raises(InputError) as told:
        RECIPES[0].report(ABC, [b"\xff"], coin=True)
    assert "ff" not in str(told.value)


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
    laws, pages = hashed(recipe), ak.Frame([f"x{at}" for at in range(50)])
    found = [sequence_law(laws, cell, rounds) for cell in (0, 1)]
    assert unchanged(recipe, pages, rounds) == worst(*found)
    assert unchanged(recipe, pages, 1) == ak.local_loss(recipe.channel(pages)).value
    assert unchanged(recipe, pages) == ak.local_loss(recipe.permanent_channel(pages)).value
    assert together(recipe, pages) == recipe.lasting**cells


def test_hashed_histories_that_change_together_lose_no_more_than_all_cells():
    recipe = MemoisedHashing(lasting=6, per_report=2, cells=2)
    one, other = (history_law(hashed(recipe), way, 1) for way in ((0, 1, 0, 1), (1, 0, 1, 0)))
    pages = ak.Frame([f"x{at}" for at in range(50)])
    assert worst(one, other) <= together(recipe, pages, 4) < recipe.lasting**2


@pytest.mark.parametrize("coin", [False, True], ids=["dice", "coin"])
def test_hashed_reports_have_the_law_and_what_is_kept_is_drawn_once(coin, monkeypatch):
    feed = np.random.default_rng(5)
    fed = SimpleNamespace(draw=lambda count, _: feed.bytes(count))
    monkeypatch.setattr("askance.channels.bulk_draws.SYSTEM_BYTES", fed)
    chance = {"coin": True} if coin else {"rng": np.random.default_rng(6)}
    recipe, n = MemoisedHashing(lasting=9, per_report=4, cells=3), 40_000
    channel = recipe.channel(ABC)
    kept = recipe.memoise(n, **chance)
    found = [(kept[:, 1 + c] == c).mean() for c in range(3)]
    assert found == pytest.approx([9 / 11] * 3, abs=0.02)
    for shares in ([0.5, 0.3, 0.2], [0.1, 0.1, 0.8]):  # the same people, other answers
        answers = np.repeat(["a", "b", "c"], [round(n * one) for one in shares])
        sent = recipe.report(ABC, kept, answers, **chance)
        assert (np.asarray(sent) // 3 == kept[:, 0]).all()
        oracle = channel.oracle
        apart = float(oracle.true_positive_rate - oracle.false_positive_rate)
        found = (ak.tally(channel, sent).supports / n - float(oracle.false_positive_rate)) / apart
        assert np.abs(found - shares).max() < 5 * 0.5 / math.sqrt(n) / apart


def test_hashing_without_a_second_step_repeats_the_kept_cell_of_todays_answer():
    recipe = MemoisedHashing(lasting=4, per_report=4, cells=3)
    kept = recipe.memoise(200, rng=np.random.default_rng(1))
    first = recipe.report(ABC, kept, ["a"] * 200, rng=np.random.default_rng(2))
    assert recipe.report(ABC, kept, ["b"] * 200, rng=np.random.default_rng(3)) != first
    assert recipe.report(ABC, kept, ["a"] * 200, rng=np.random.default_rng(4)) == first


def test_what_hashing_keeps_is_read_with_care():
    recipe = MemoisedHashing(lasting=6, per_report=2, cells=3)
    kept = recipe.memoise(2, rng=np.random.default_rng(1))
    assert recipe.report(ABC, kept, ["a", None], rng=np.random.default_rng(1))[1] is None
    for wrong in (kept[:1], kept[:, :2], kept - 10**15, kept + 3, [[1, 2, 3, 4]] * 2):
        with pytest.raises(InputError, match="memos"):
            recipe.report(ABC, wrong, ["a", "b"], rng=np.random.default_rng(1))
    with pytest.raises(InputError, match="one of them"):
        recipe.memoise(2, rng=np.random.default_rng(1), coin=True)
    with pytest.raises(InputError) as told:
        recipe.report(ABC, kept, ["a", "z9"], coin=True)
    assert "z9" not in str(told.value)
    fewest = MemoisedHashing.at_epsilon(lasting_ratio=9, per_report_ratio=4)
    assert fewest.cells == 5  # e^ε + 1


@pytest.mark.long
def test_many_rounds_and_changes_are_told_at_once_and_never_too_low():
    frame = ak.Frame([f"x{at}" for at in range(1000)])
    recipe = MemoisedKAry(lasting="7.3891", per_report="2.7183")
    t, k = recipe.permanent_channel(frame).oracle, len(frame)
    again = (recipe.channel(frame).oracle.true_positive_rate - t.false_positive_rate) / (
        t.true_positive_rate - t.false_positive_rate
    )
    for rounds in (20, 200, 400):
        kept, lost = again**rounds, ((1 - again) / (k - 1)) ** rounds
        exact = (t.true_positive_rate * kept + (k - 1) * t.false_positive_rate * lost) / (
            t.false_positive_rate * kept
            + (t.true_positive_rate + (k - 2) * t.false_positive_rate) * lost
        )
        told = unchanged(recipe, frame, rounds)
        assert exact <= told <= min(exact * (1 + Fraction(1, 10**50)), unchanged(recipe, frame))
    shown = Rappor(truth="3/4", lie="1/4", again_truth="501/1000", again_lie="499/1000")
    for rounds in (300, 1000):
        on, off = (Fraction(one, 1000) ** rounds for one in (501, 499))
        exact = ((3 * on + off) / (on + 3 * off)) ** 2
        told = unchanged(shown, frame, rounds)
        assert exact <= told <= exact * (1 + Fraction(1, 10**50))
        turned = Rappor(truth="1/4", lie="3/4", again_truth="501/1000", again_lie="499/1000")
        assert unchanged(turned, frame, rounds) == told
    for one in (recipe, shown, MemoisedHashing(lasting="7.3891", per_report="2.7183")):
        assert together(one, frame, 9_000, 999) <= together(one, frame, 10_000, 10_000)


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
    sent = hashing.report(ABC, seeds, answers, rng=np.random.default_rng(2))
    assert hashing.report(ABC, seeds.astype(kind), answers, rng=np.random.default_rng(2)) == sent
    assert {type(one) for one in sent} == {int}
    bits = flips.memoise(ABC, 4, rng=np.random.default_rng(1))
    assert flips.report(ABC, bits.astype(kind), answers) == flips.report(ABC, bits, answers)
