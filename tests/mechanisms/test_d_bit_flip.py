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
    return ak.Frame([f"x{at}" for at in range(k)])


@st.composite
def recipes(draw):
    k, d = draw(st.sampled_from(FEW))
    low, high = sorted((draw(inner), draw(inner)))
    return DBitFlip(truth=high, lie=low, answers_asked=d), k


def bits_law(recipe, asked, true):
    """The chance of each choice of bits of those asked, from the definition."""
    found = {}
    for bits in product((0, 1), repeat=len(asked)):
        chances = [recipe.truth if at == true else recipe.lie for at in asked]
        found[bits] = math.prod(
            (p if bit else 1 - p for p, bit in zip(chances, bits, strict=True)), start=Fraction(1)
        )
    return found


def law(recipe, k, true):
    """The chance of each report, who was asked and the bits, from the definition."""
    ways = list(combinations(range(k), recipe.answers_asked))
    return {
        (asked, bits): chance / len(ways)
        for asked in ways
        for bits, chance in bits_law(recipe, asked, true).items()
    }


def worst(one, other):
    found = Fraction(1)
    for seen, chance in one.items():
        if chance and not other[seen]:
            return math.inf
        if chance:
            found = max(found, chance / other[seen])
    return found


def held(report, answer):
    asked, bits = report
    return answer in asked and bool(bits[asked.index(answer)])


@pytest.mark.long
@given(recipes())
def test_moments_and_losses_are_those_of_every_report(made):
    recipe, k = made
    channel = recipe.channel(frame_of(k))
    oracle, laws = channel.oracle, [law(recipe, k, x) for x in range(k)]
    assert all(sum(one.values()) == 1 for one in laws)

    def chance(event):
        return sum((p for report, p in laws[0].items() if event(report)), Fraction(0))

    assert chance(lambda one: held(one, 0)) == oracle.true_positive_rate
    assert chance(lambda one: held(one, 1)) == oracle.false_positive_rate
    assert chance(lambda one: held(one, 0) and held(one, 1)) == oracle.both_inside
    assert chance(lambda one: not any(one[1])) == oracle.empty
    if k > 2:
        assert chance(lambda one: held(one, 1) and held(one, 2)) == oracle.both_outside
    asked = Fraction(recipe.answers_asked, k)
    assert (oracle.true_positive_rate / asked, oracle.false_positive_rate / asked) == (
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
    told = {}
    for one, other in oracle.between.values():
        if one:
            total = told.setdefault(one / other, [Fraction(0), Fraction(0)])
            total[0] += one
            total[1] += other
    assert told == merged


@pytest.mark.long
@given(recipes())
def test_the_matrix_is_that_of_every_report(made):
    recipe, k = made
    ruled = recipe.channel(frame_of(k))
    reports = {f"r{at}": ruled.output.names(mask) for at, mask in enumerate(ruled.meanings)}
    written = ak.Channel(ruled.frame, reports, ruled.table)
    assert len(ruled.meanings) == math.comb(k, recipe.answers_asked) << recipe.answers_asked
    assert ak.local_loss(ruled).value == ak.local_loss(written).value
    for diagonal in (False, True):
        found = walley_loss(ruled, diagonal=diagonal)
        assert found.value == walley_loss(written, diagonal=diagonal).value
    assert shafer_loss(ruled).value >= shafer_loss(written).value  # who was asked is a message too
    reports_seen = tradeoff(ruled, "x0", "x1", view=View.REPORTS)
    assert reports_seen == tradeoff(written, "x0", "x1", view=View.REPORTS)
    read = tradeoff(ruled, "x0", "x1", view=View.MESSAGES)
    matrix = tradeoff(written, "x0", "x1", view=View.MESSAGES)
    assert all(read.beta(at / 8) <= matrix.beta(at / 8) + 1e-12 for at in range(9))
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


def class_of(asked, answer):
    """What is kept for an answer: one draw each for those asked, one for all others."""
    return answer if answer in asked else None


def history_law(recipe, asked, history):
    """The law of all reports of a history, where each draw is made once and kept."""
    classes = [class_of(asked, x) for x in history]
    distinct = list(dict.fromkeys(classes))
    laws = [bits_law(recipe, asked, one) for one in distinct]
    found = {}
    for kept in product(*laws):
        memo = dict(zip(distinct, kept, strict=True))
        chances = (one[bits] for one, bits in zip(laws, kept, strict=True))
        seen = tuple(memo[one] for one in classes)
        found[seen] = found.get(seen, 0) + math.prod(chances, start=Fraction(1))
    return found


def changed_alike(asked, one, other):
    """Whether two histories change in the same rounds, as those asked tell them apart."""
    first, second = ([class_of(asked, x) for x in way] for way in (one, other))
    alike = {}
    back = {}
    pairs = zip(first, second, strict=True)
    return all(alike.setdefault(a, b) == b and back.setdefault(b, a) == a for a, b in pairs)


@pytest.mark.parametrize(("k", "d"), [(2, 1), (3, 1), (3, 2), (2, 2), (4, 2), (3, 3)])
@pytest.mark.parametrize("changes", [0, 1, 2])
@pytest.mark.parametrize(("p", "q"), [("3/4", "1/4"), ("1/2", "1/5")])
def test_the_loss_over_changes_is_the_worst_over_histories(k, d, changes, p, q):
    recipe = DBitFlip(truth=p, lie=q, answers_asked=d)
    rounds = min(changes, 2 if k < 4 and d < 3 else 1) + 1
    histories = list(product(range(k), repeat=rounds))
    asked = tuple(range(d))  # any others are as likely
    laws = {way: history_law(recipe, asked, way) for way in histories}
    found = max(
        worst(laws[one], laws[other])
        for one, other in product(histories, repeat=2)
        if changed_alike(asked, one, other)
    )
    assert together(recipe, frame_of(k), rounds) == found
    assert found <= together(recipe, frame_of(k), 1000)


@pytest.mark.parametrize(("k", "d"), FEW)
@pytest.mark.parametrize(("p", "q"), [("3/4", "1/4"), ("1/2", "1/5"), (1, 0)])
def test_a_change_shows_as_often_as_it_is_said(k, d, p, q):
    recipe = DBitFlip(truth=p, lie=q, answers_asked=d)
    ways = list(combinations(range(k), d))
    shown = sum(
        chance
        for asked in ways
        for seen, chance in history_law(recipe, asked, (0, 1)).items()
        if seen[0] != seen[1]
    ) / Fraction(len(ways))
    assert recipe.change_detection_chance(frame_of(k)) == shown


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
    bits, asked = (
        np.unpackbits(np.frombuffer(one, dtype=np.uint8), count=k)
        for one in (report[:half], report[half:])
    )
    places = tuple(np.flatnonzero(asked).tolist())
    return places, tuple(int(bits[at]) for at in places)


def fits(seen, expected):
    counts = np.array([seen.get(one, 0) for one in expected])
    assert counts.sum() == sum(seen.values())
    chances = np.array([float(one) for one in expected.values()])
    return chisquare(counts, chances * counts.sum()).pvalue > 1e-6


def counted(reports, k):
    found = {}
    for one in reports:
        told = read(one, k)
        found[told] = found.get(told, 0) + 1
    return found


@pytest.mark.parametrize(("k", "d"), [(3, 2), (9, 1)])
def test_reports_have_the_law_whether_memoised_or_not(k, d, chance):
    recipe, frame, n = DBitFlip(truth="3/4", lie="1/4", answers_asked=d), frame_of(k), 6_000
    alone = ak.privatise(recipe.channel(frame), ["x1"] * n, **chance())
    kept = recipe.memoise(frame, n, **chance())
    for sent in (alone, recipe.report(frame, kept, ["x1"] * n)):
        seen = counted(sent, k)
        assert fits(seen, law(recipe, k, 1))
        assert not fits(seen, law(recipe, k, 0))


def test_what_is_kept_is_sent_again_and_changes_show_as_often_as_told(chance):
    recipe, frame, n = DBitFlip.at_epsilon(2, answers_asked=2), frame_of(5), 20_000
    kept = recipe.memoise(frame, n, **chance())
    days = [recipe.report(frame, kept, [x] * n) for x in ("x0", "x3", "x0")]
    assert days[0] == days[2]
    differ = np.mean([one != other for one, other in zip(*days[:2], strict=True)])
    expected = float(recipe.change_detection_chance(frame))
    assert abs(differ - expected) < 5 * 0.5 / math.sqrt(n)
    for one, other in zip(*days[:2], strict=True):
        assert one[1:] == other[1:]  # asked are the same
    neither = [not {0, 3} & set(row) for row in kept[:, :2].tolist()]
    assert all(one == other for one, other, out in zip(*days[:2], neither, strict=True) if out)


def test_shares_come_back_from_those_who_were_asked():
    recipe, k, n = DBitFlip.at_epsilon(2, answers_asked=3), 20, 40_000
    frame, shares = frame_of(k), np.arange(1, k + 1) / (k * (k + 1) / 2)
    channel = recipe.channel(frame)
    dice = np.random.default_rng(8)
    answers = dice.choice(frame.answers, n, p=shares)
    kept = recipe.memoise(frame, n, rng=dice)
    tally = ak.tally(channel, recipe.report(frame, kept, answers.tolist()))
    assert tally.total == n
    assert int(tally.informative_counts.sum()) == 3 * n
    found = estimate_frequencies(tally)
    p, q = float(recipe.truth), float(recipe.lie)
    assert found.value == pytest.approx((tally.supports / tally.informative_counts - q) / (p - q))
    named = q + (p - q) * shares
    assert found.se == pytest.approx(
        np.sqrt(named * (1 - named) / tally.informative_counts) / (p - q), rel=0.05
    )
    assert (np.abs(found.value - shares) < 5 * found.se).all()
    all_bits = SupportLaw(
        true_positive_rate=channel.oracle.true_positive_rate,
        false_positive_rate=channel.oracle.false_positive_rate,
    )
    wasteful = estimate_supports(tally.supports, n, all_bits)
    assert (found.se < wasteful.se * 0.95).all()  # silence is told from a bit that is not set


def one_by_one(tally, law, at):
    """The same answer alone, out of those who were asked about it."""
    counts = [int(tally.supports[at])] * 2
    return estimate_supports(counts, int(tally.informative_counts[at]), law, level=0.9)


def test_every_interval_is_that_of_the_answer_alone():
    recipe, frame = DBitFlip(truth="3/4", lie="1/4", answers_asked=2), frame_of(4)
    answers = np.repeat(frame.answers, [5, 40, 100, 200])
    tally = ak.tally(
        recipe.channel(frame), ak.privatise(recipe.channel(frame), answers, rng=1, name="said")
    )
    law = SupportLaw(true_positive_rate="3/4", false_positive_rate="1/4")
    assert len(set(tally.informative_counts.tolist())) > 1
    for method in ("unbiased", "clipped", "projected", "shrunk", "posterior"):
        found = estimate_frequencies(tally, method=method, level=0.9)
        assert method == "unbiased" or found.value.sum() == pytest.approx(1)
        for at in range(4):
            alone = one_by_one(tally, law, at)
            assert found.lower[at] == pytest.approx(alone.lower[0])
            assert found.upper[at] == pytest.approx(alone.upper[0])
            assert found.unbiased[at] == pytest.approx(alone.unbiased[0])
            together = simultaneous_frequencies(found, 0.8)
            pair = simultaneous_frequencies(alone, 0.9)  # k · tail of four is that of two
            assert together.lower[at] == pytest.approx(pair.lower[0])
            assert together.upper[at] == pytest.approx(pair.upper[0])
            tails = find_heavy_hitters(found, threshold=0.1).p_values
            assert tails[at] == pytest.approx(find_heavy_hitters(alone, threshold=0.1).p_values[0])
    with pytest.raises(InputError, match="k-ary response"):
        estimate_frequencies(tally, method="most likely")
    with pytest.raises(InputError, match=r"variances, \.diagonal\(\), are known"):
        found.covariance.toarray()


def test_an_answer_that_nobody_was_asked_about_is_named():
    channel = DBitFlip(truth="3/4", lie="1/4", answers_asked=1).channel(ABC)
    tally = ak.tally(channel, [b"\x80\x80", b"\x00\x40"])
    assert (tally.supports.tolist(), tally.informative_counts.tolist()) == ([1, 0, 0], [1, 1, 0])
    with pytest.raises(InputError, match=r"trials\[2\]: got 0.0; allowed: a whole number in \[1,"):
        estimate_frequencies(tally)
    law = SupportLaw(true_positive_rate="3/4", false_positive_rate="1/4")
    for heard, told in (
        ([4, 4], "trials: got 'shape"),
        ([4, 9, 4], r"trials\[1\]"),
        ([4, 4.5, 4], r"trials\[1\]"),
        ([4, float("nan"), 4], r"trials\[1\]"),
        ([4, 1, 4], r"counts\[1\]: got 2.0; allowed: a whole number in \[0, 1\]"),
    ):
        with pytest.raises(InputError, match=told):
            estimate_supports([1, 2, 3], 8, law, trials=heard)
    nothing = estimate_supports([0, 0], 0, law, trials=[0, 0])
    assert np.isnan(nothing.value).all()


SENT = [b"\x80\xc0", None, b"\x20\x60", b"\x00\xa0"]
COLUMNS = {
    "list": SENT,
    "pandas": pd.Series(SENT, dtype=object),
    "polars": pl.Series(SENT, dtype=pl.Binary),
    "arrow": pa.array(SENT, type=pa.binary(2)),
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
    kept = recipe.memoise(ABC, 2, rng=np.random.default_rng(1))
    assert recipe.report(ABC, kept, ["a", None])[1] is None
    same = np.array([[0, 0, 1, 1, 1]] * 2)
    for wrong in (kept[:1], kept[:, :4], kept - 9, kept + 3, same, kept.tolist(), kept * 1.0):
        with pytest.raises(InputError, match="memos"):
            recipe.report(ABC, wrong, ["a", "b"])
    with pytest.raises(InputError, match=r"column\[1\]") as told:
        recipe.report(ABC, kept, ["a", "z9"])
    assert "z9" not in str(told.value)
    with pytest.raises(InputError, match="one of them"):
        recipe.memoise(ABC, 2, rng=np.random.default_rng(1), coin=True)
    assert recipe.memoise(ABC, 2, rng=np.random.default_rng(1)).tolist() == kept.tolist()
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
        estimate_frequencies(ak.tally(even.channel(ABC), SENT))
