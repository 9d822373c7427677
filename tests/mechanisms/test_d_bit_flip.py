"""dBitFlip against every report and every history, written out in fractions at few answers."""

import math
import pickle
from fractions import Fraction
from itertools import combinations, permutations, product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import askance as ak
from askance.inference import (
    SupportLaw,
    estimate_frequencies,
    estimate_supports,
    find_heavy_hitters,
    simultaneous_frequencies,
)
from askance.mechanisms import DBitFlip, UnaryEncoding
from askance.privacy import (
    HistoryRelation,
    View,
    loss_over_rounds,
    shafer_loss,
    tradeoff,
    walley_loss,
)
from askance_collect.errors import InputError

ABC = ak.Frame(["a", "b", "c"])
FEW = [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2)]
inner = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=30)


def unchanged(recipe, frame, rounds=None):
    """The loss while the answer stays."""
    draws = recipe.memoised_draws(frame)
    return loss_over_rounds(draws, rounds, relation=HistoryRelation.UNCHANGED).value


def together(recipe, frame, rounds=None, changes=None):
    """The loss between histories that change, and come back, in the same rounds."""
    same = HistoryRelation.SAME_ROUNDS_OF_CHANGE
    draws = recipe.memoised_draws(frame)
    return loss_over_rounds(draws, rounds, relation=same, changes=changes).value


def frame_of(k):
    return ak.Frame([f"x{index}" for index in range(k)])


@st.composite
def recipes(draw):
    k, d = draw(st.sampled_from(FEW))
    low, high = sorted((draw(inner), draw(inner)))
    return DBitFlip(truth=high, lie=low, answers_asked=d), k


def bits_law(recipe, questions, true):
    """The chance of each choice of bits of those asked, from the definition."""
    result = {}
    for bits in product((0, 1), repeat=len(questions)):
        chances = [recipe.truth if question == true else recipe.lie for question in questions]
        result[bits] = math.prod(
            (p if bit else 1 - p for p, bit in zip(chances, bits, strict=True)), start=Fraction(1)
        )
    return result


def law(recipe, k, true):
    """The chance of each report, who was asked and the bits, from the definition."""
    ways = list(combinations(range(k), recipe.answers_asked))
    return {
        (questions, bits): chance / len(ways)
        for questions in ways
        for bits, chance in bits_law(recipe, questions, true).items()
    }


def worst(item, other):
    fraction = Fraction(1)
    for name, chance in item.items():
        if chance and not other[name]:
            return math.inf
        if chance:
            fraction = max(fraction, chance / other[name])
    return fraction


def held(report, answer):
    questions, bits = report
    return answer in questions and bool(bits[questions.index(answer)])


@pytest.mark.long
@given(recipes())
def test_moments_and_losses_are_those_of_every_report(made):
    recipe, k = made
    channel = recipe.channel(frame_of(k))
    oracle, laws = channel.oracle, [law(recipe, k, x) for x in range(k)]
    assert all(sum(one.values()) == 1 for one in laws)

    def chance(event):
        return sum((p for report, p in laws[0].items() if event(report)), Fraction(0))

    assert chance(lambda item: held(item, 0)) == oracle.true_positive_rate
    assert chance(lambda element: held(element, 1)) == oracle.false_positive_rate
    assert chance(lambda one: held(one, 0) and held(one, 1)) == oracle.both_inside
    assert chance(lambda one: not any(one[1])) == oracle.empty
    if k > 2:
        assert chance(lambda one: held(one, 1) and held(one, 2)) == oracle.both_outside
    fraction = Fraction(recipe.answers_asked, k)
    assert (oracle.true_positive_rate / fraction, oracle.false_positive_rate / fraction) == (
        recipe.truth,
        recipe.lie,
    )
    expected = max(worst(laws[x], laws[y]) for x, y in permutations(range(k), 2))
    assert ak.local_loss(channel).value == expected == unchanged(recipe, frame_of(k))
    pairs = [(laws[0][report], laws[1][report]) for report in laws[0]]
    merged = {}
    for one, other in pairs:
        total = merged.setdefault(one / other, [Fraction(0), Fraction(0)])
        total[0] += one
        total[1] += other
    result = {}
    for one, other in oracle.between.values():
        if one:
            total = result.setdefault(one / other, [Fraction(0), Fraction(0)])
            total[0] += one
            total[1] += other
    assert result == merged


@pytest.mark.long
@given(recipes())
def test_the_matrix_is_that_of_every_report(made):
    recipe, k = made
    ruled = recipe.channel(frame_of(k))
    reports = {f"r{index}": ruled.output.names(mask) for index, mask in enumerate(ruled.meanings)}
    written = ak.Channel(ruled.frame, reports, ruled.table)
    assert len(ruled.meanings) == math.comb(k, recipe.answers_asked) << recipe.answers_asked
    assert ak.local_loss(ruled).value == ak.local_loss(written).value
    for diagonal in (False, True):
        loss = walley_loss(ruled, diagonal=diagonal)
        assert loss.value == walley_loss(written, diagonal=diagonal).value
    assert shafer_loss(ruled).value >= shafer_loss(written).value  # who was asked is a message too
    reports_seen = tradeoff(ruled, "x0", "x1", view=View.REPORTS)
    assert reports_seen == tradeoff(written, "x0", "x1", view=View.REPORTS)
    read = tradeoff(ruled, "x0", "x1", view=View.MESSAGES)
    matrix = tradeoff(written, "x0", "x1", view=View.MESSAGES)
    assert all(read.beta(index / 8) <= matrix.beta(index / 8) + 1e-12 for index in range(9))
    assert ak.Channel.from_json(ruled.to_json()) == ruled
    assert pickle.loads(pickle.dumps(ruled)) == ruled


def test_all_answers_asked_is_a_unary_encoding():
    flip = DBitFlip(truth="3/4", lie="1/8", answers_asked=3).channel(ABC).oracle
    unary = UnaryEncoding(truth="3/4", lie="1/8").channel(ABC).oracle
    names = (
        "true_positive_rate",
        "false_positive_rate",
        "both_inside",
        "both_outside",
        "ratio",
        "resolved",
        "alone",
        "empty",
    )
    for name in names:
        assert getattr(flip, name) == getattr(unary, name)


@given(st.fractions(Fraction(5, 4), 50, max_denominator=9), st.sampled_from([1, 2, 5]))
def test_a_level_is_kept(level, asked):
    frame = frame_of(9)
    loss = unchanged(DBitFlip.at_epsilon(ratio=level, answers_asked=asked), frame)
    assert loss <= level
    assert float(loss) == pytest.approx(float(level), rel=1e-5)


def class_of(questions, answer):
    """What is kept for an answer: one draw each for those asked, one for all others."""
    return answer if answer in questions else None


def history_law(recipe, questions, history):
    """The law of all reports of a history, where each draw is made once and kept."""
    classes = [class_of(questions, x) for x in history]
    distinct = list(dict.fromkeys(classes))
    laws = [bits_law(recipe, questions, item) for item in distinct]
    result = {}
    for combination in product(*laws):
        memo = dict(zip(distinct, combination, strict=True))
        chances = (item[bits] for item, bits in zip(laws, combination, strict=True))
        items = tuple(memo[item] for item in classes)
        result[items] = result.get(items, 0) + math.prod(chances, start=Fraction(1))
    return result


def changed_alike(questions, item, other):
    """Whether two histories change in the same rounds, as those asked tell them apart."""
    first, second = ([class_of(questions, x) for x in variant] for variant in (item, other))
    equal = {}
    back = {}
    pairs = zip(first, second, strict=True)
    return all(equal.setdefault(a, b) == b and back.setdefault(b, a) == a for a, b in pairs)


@pytest.mark.parametrize(("k", "d"), [(2, 1), (3, 1), (3, 2), (2, 2), (4, 2), (3, 3)])
@pytest.mark.parametrize("changes", [0, 1, 2])
@pytest.mark.parametrize(("p", "q"), [("3/4", "1/4"), ("1/2", "1/5")])
def test_the_loss_over_changes_is_the_worst_over_histories(k, d, changes, p, q):
    recipe = DBitFlip(truth=p, lie=q, answers_asked=d)
    rounds = min(changes, 2 if k < 4 and d < 3 else 1) + 1
    histories = list(product(range(k), repeat=rounds))
    items = tuple(range(d))  # any others are as likely
    laws = {history: history_law(recipe, items, history) for history in histories}
    highest = max(
        worst(laws[item], laws[other])
        for item, other in product(histories, repeat=2)
        if changed_alike(items, item, other)
    )
    assert together(recipe, frame_of(k), rounds) == highest
    assert highest <= together(recipe, frame_of(k), 1000)


@pytest.mark.parametrize(("k", "d"), FEW)
@pytest.mark.parametrize(("p", "q"), [("3/4", "1/4"), ("1/2", "1/5"), (1, 0)])
def test_a_change_shows_as_often_as_it_is_said(k, d, p, q):
    recipe = DBitFlip(truth=p, lie=q, answers_asked=d)
    ways = list(combinations(range(k), d))
    displayed = sum(
        chance
        for questions in ways
        for name, chance in history_law(recipe, questions, (0, 1)).items()
        if name[0] != name[1]
    ) / Fraction(len(ways))
    assert recipe.change_detection_chance(frame_of(k)) == displayed


def test_the_loss_of_histories_that_change_together_stops_at_the_answers_that_are_asked():
    recipe = DBitFlip.at_epsilon(2, answers_asked=3)
    once = unchanged(recipe, frame_of(9))
    losses = [together(recipe, frame_of(9), changes=c) for c in (0, 1, 2, 50)]
    assert losses == [once, once**2, once**3, once**3]


@pytest.fixture(params=[False, True], ids=["dice", "coin"])
def chance(request, monkeypatch):
    """Dice, or a coin whose bits are drawn by dice, so that two runs do the same."""
    if not request.param:
        dice = np.random.default_rng(3)
        return lambda: {"rng": dice}
    feed = np.random.default_rng(5)
    fed = SimpleNamespace(draw=lambda count, _: feed.bytes(count))
    monkeypatch.setattr("askance.channels.bulk_draws.SYSTEM_BYTES", fed)
    return lambda: {"coin": True}


def read(report, k):
    half = len(report) // 2
    bits, questions = (
        np.unpackbits(np.frombuffer(item, dtype=np.uint8), count=k)
        for item in (report[:half], report[half:])
    )
    places = tuple(np.flatnonzero(questions).tolist())
    return places, tuple(int(bits[index]) for index in places)


def fits(observed, expected):
    counts = np.array([observed.get(item, 0) for item in expected])
    assert counts.sum() == sum(observed.values())
    chances = np.array([float(value) for value in expected.values()])
    return chisquare(counts, chances * counts.sum()).pvalue > 1e-6


def counted(reports, k):
    result = {}
    for report in reports:
        read_result = read(report, k)
        result[read_result] = result.get(read_result, 0) + 1
    return result


@pytest.mark.parametrize(("k", "d"), [(3, 2), (9, 1)])
def test_reports_have_the_law_whether_memoised_or_not(k, d, chance):
    recipe, frame, n = DBitFlip(truth="3/4", lie="1/4", answers_asked=d), frame_of(k), 6_000
    alone = ak.privatise(recipe.channel(frame), ["x1"] * n, **chance())
    memo = recipe.memoise(frame, n, **chance())
    for reports in (alone, recipe.report(frame, memo, ["x1"] * n)):
        counted_result = counted(reports, k)
        assert fits(counted_result, law(recipe, k, 1))
        assert not fits(counted_result, law(recipe, k, 0))


def test_what_is_kept_is_sent_again_and_changes_show_as_often_as_told(chance):
    recipe, frame, n = DBitFlip.at_epsilon(2, answers_asked=2), frame_of(5), 20_000
    memo = recipe.memoise(frame, n, **chance())
    days = [recipe.report(frame, memo, [x] * n) for x in ("x0", "x3", "x0")]
    assert days[0] == days[2]
    differ = np.mean([item != other for item, other in zip(*days[:2], strict=True)])
    expected = float(recipe.change_detection_chance(frame))
    assert abs(differ - expected) < 5 * 0.5 / math.sqrt(n)
    for day, other in zip(*days[:2], strict=True):
        assert day[1:] == other[1:]  # asked are the same
    neither = [not {0, 3} & set(row) for row in memo[:, :2].tolist()]
    assert all(item == other for item, other, out in zip(*days[:2], neither, strict=True) if out)


def test_shares_come_back_from_those_who_were_asked():
    recipe, k, n = DBitFlip.at_epsilon(2, answers_asked=3), 20, 40_000
    frame, shares = frame_of(k), np.arange(1, k + 1) / (k * (k + 1) / 2)
    channel = recipe.channel(frame)
    dice = np.random.default_rng(8)
    answers = dice.choice(frame.answers, n, p=shares)
    memo = recipe.memoise(frame, n, rng=dice)
    tally = ak.tally(channel, recipe.report(frame, memo, answers.tolist()))
    assert tally.total == n
    assert int(tally.informative_counts.sum()) == 3 * n
    estimate = estimate_frequencies(tally)
    p, q = float(recipe.truth), float(recipe.lie)
    assert estimate.value == pytest.approx(
        (tally.supports / tally.informative_counts - q) / (p - q)
    )
    named = q + (p - q) * shares
    assert estimate.se == pytest.approx(
        np.sqrt(named * (1 - named) / tally.informative_counts) / (p - q), rel=0.05
    )
    assert (np.abs(estimate.value - shares) < 5 * estimate.se).all()
    all_bits = SupportLaw(
        true_positive_rate=channel.oracle.true_positive_rate,
        false_positive_rate=channel.oracle.false_positive_rate,
    )
    wasteful = estimate_supports(tally.supports, n, all_bits)
    assert (estimate.se < wasteful.se * 0.95).all()  # silence is told from a bit that is not set


def one_by_one(tally, law, index):
    """The same answer alone, out of those who were asked about it."""
    counts = [int(tally.supports[index])] * 2
    return estimate_supports(counts, int(tally.informative_counts[index]), law, level=0.9)


def test_every_interval_is_that_of_the_answer_alone():
    recipe, frame = DBitFlip(truth="3/4", lie="1/4", answers_asked=2), frame_of(4)
    answers = np.repeat(frame.answers, [5, 40, 100, 200])
    tally = ak.tally(
        recipe.channel(frame), ak.privatise(recipe.channel(frame), answers, rng=1, name="said")
    )
    law = SupportLaw(true_positive_rate="3/4", false_positive_rate="1/4")
    assert len(set(tally.informative_counts.tolist())) > 1
    for method in ("unbiased", "clipped", "projected", "shrunk", "posterior"):
        estimate = estimate_frequencies(tally, method=method, level=0.9)
        assert method == "unbiased" or estimate.value.sum() == pytest.approx(1)
        for index in range(4):
            alone = one_by_one(tally, law, index)
            assert estimate.lower[index] == pytest.approx(alone.lower[0])
            assert estimate.upper[index] == pytest.approx(alone.upper[0])
            assert estimate.unbiased[index] == pytest.approx(alone.unbiased[0])
            together = simultaneous_frequencies(estimate, 0.8)
            pair = simultaneous_frequencies(alone, 0.9)  # k · tail of four is that of two
            assert together.lower[index] == pytest.approx(pair.lower[0])
            assert together.upper[index] == pytest.approx(pair.upper[0])
            tails = find_heavy_hitters(estimate, threshold=0.1).p_values
            assert tails[index] == pytest.approx(
                find_heavy_hitters(alone, threshold=0.1).p_values[0]
            )
    with pytest.raises(InputError, match="k-ary response"):
        estimate_frequencies(tally, method="most likely")
    with pytest.raises(InputError, match=r"variances, \.diagonal\(\), are known"):
        estimate.covariance.toarray()


def test_an_answer_that_nobody_was_asked_about_is_named():
    channel = DBitFlip(truth="3/4", lie="1/4", answers_asked=1).channel(ABC)
    tally = ak.tally(channel, [b"\x80\x80", b"\x00\x40"])
    assert (tally.supports.tolist(), tally.informative_counts.tolist()) == ([1, 0, 0], [1, 1, 0])
    with pytest.raises(InputError, match=r"trials\[2\]: got 0.0; allowed: a whole number in \[1,"):
        estimate_frequencies(tally)
    law = SupportLaw(true_positive_rate="3/4", false_positive_rate="1/4")
    for received, message in (
        ([4, 4], "trials: got 'shape"),
        ([4, 9, 4], r"trials\[1\]"),
        ([4, 4.5, 4], r"trials\[1\]"),
        ([4, float("nan"), 4], r"trials\[1\]"),
        ([4, 1, 4], r"counts\[1\]: got 2.0; allowed: a whole number in \[0, 1\]"),
    ):
        with pytest.raises(InputError, match=message):
            estimate_supports([1, 2, 3], 8, law, trials=received)
    nothing = estimate_supports([0, 0], 0, law, trials=[0, 0])
    assert np.isnan(nothing.value).all()


REPORTS = [b"\x80\xc0", None, b"\x20\x60", b"\x00\xa0"]
COLUMNS = {
    "list": REPORTS,
    "pandas": pd.Series(REPORTS, dtype=object),
    "polars": pl.Series(REPORTS, dtype=pl.Binary),
    "arrow": pa.array(REPORTS, type=pa.binary(2)),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_reports_are_counted_in_every_container(kind):
    channel = DBitFlip(truth="3/4", lie="1/4", answers_asked=2).channel(ABC)
    tally = ak.tally(channel, COLUMNS[kind])
    assert (tally.supports.tolist(), tally.informative_counts.tolist()) == ([1, 0, 1], [2, 2, 2])
    assert (tally.total, tally.blanks) == (3, 1)
    assert ak.channels.SupportTally.from_json(tally.to_json(), channel) == tally
    assert (tally + tally).informative_counts.tolist() == [4, 4, 4]
    assert estimate_frequencies(tally).trials.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "wrong",
    [b"\x80", b"\x80\xc0\x00", b"\x20\xc0", b"\x00\x80", b"\x00\xe0", b"\x00\x88", "ab", 3],
    ids=repr,
)
def test_what_is_no_report_is_refused(wrong):
    channel = DBitFlip(truth="3/4", lie="1/4", answers_asked=2).channel(ABC)
    with pytest.raises(InputError, match=r"column\[1\].*1 byte of bits that are set, then as many"):
        ak.tally(channel, [b"\x80\xc0", wrong])


def test_what_is_kept_and_answers_are_read_with_care():
    recipe = DBitFlip(truth="3/4", lie="1/4", answers_asked=2)
    memo = recipe.memoise(ABC, 2, rng=np.random.default_rng(1))
    assert recipe.report(ABC, memo, ["a", None])[1] is None
    same = np.array([[0, 0, 1, 1, 1]] * 2)
    for wrong in (memo[:1], memo[:, :4], memo - 9, memo + 3, same, memo.tolist(), memo * 1.0):
        with pytest.raises(InputError, match="memos"):
            recipe.report(ABC, wrong, ["a", "b"])
    with pytest.raises(InputError, match=r"column\[1\]") as caught:
        recipe.report(ABC, memo, ["a", "z9"])
    assert "z9" not in str(caught.value)
    with pytest.raises(InputError, match="one of them"):
        recipe.memoise(ABC, 2, rng=np.random.default_rng(1), coin=True)
    assert recipe.memoise(ABC, 2, rng=np.random.default_rng(1)).tolist() == memo.tolist()
    for people in (0, -1, 2.5):
        with pytest.raises(InputError, match="people"):
            recipe.memoise(ABC, people, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"truth": "1/4", "lie": "3/4", "answers_asked": 2},
            r"lie: got '3/4'; allowed: at most the truth",
        ),
        ({"truth": "5/4", "lie": "1/4", "answers_asked": 2}, "DBitFlip.truth"),
        ({"truth": float("nan"), "lie": "1/4", "answers_asked": 2}, "DBitFlip.truth"),
        ({"truth": "3/4", "lie": "1/4", "answers_asked": 0}, r"asked.*from 1 to 62"),
        ({"truth": "3/4", "lie": "1/4", "answers_asked": 63}, r"asked.*from 1 to 62"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(given, told):
    with pytest.raises(InputError, match=told):
        DBitFlip(**given)


def test_more_cannot_be_asked_than_there_is_and_equal_chances_tell_nothing():
    with pytest.raises(InputError, match=r"asked: got 4; allowed: a whole number from 1 to 3"):
        DBitFlip(truth="3/4", lie="1/4", answers_asked=4).channel(ABC)
    even = DBitFlip(truth="1/2", lie="1/2", answers_asked=2)
    assert together(even, ABC, changes=7) == 1
    sure = DBitFlip(truth=1, lie=0, answers_asked=2)
    assert unchanged(sure, ABC) == math.inf
    with pytest.raises(ak.errors.NotIdentified, match="no number of reports"):
        estimate_frequencies(ak.tally(even.channel(ABC), REPORTS))
