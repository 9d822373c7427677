"""Frequency oracles against their matrices, written out in fractions, at few answers."""

import json
import math
import pickle
import subprocess
import sys
from fractions import Fraction
from hashlib import sha256
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import chisquare

import askance as ak
from askance.channels.oracles import KAryOracle
from askance.channels.projective_oracles import finite_field
from askance.mechanisms import (
    DBitFlip,
    HadamardResponse,
    LocalHashing,
    ProjectiveGeometry,
    SubsetSelection,
    UnaryEncoding,
)
from askance.privacy import Ledger, Notion, belief_loss, plausibility_loss, shafer_loss, walley_loss
from askance_collect.errors import DocumentError

inner = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=40)
few = st.integers(2, 5)


@st.composite
def oracles(draw):
    """Any oracle that can be written out, with few answers."""
    k, p, q = draw(few), draw(inner), draw(inner)
    size = draw(st.integers(1, k - 1))
    order, more = draw(st.sampled_from([2, 3, 4, 5, 8, 9])), draw(st.integers(2, 14))
    recipes = [
        UnaryEncoding(truth=p, lie=q),
        SubsetSelection(ratio=1 + 5 * p, size=size),
        HadamardResponse(truth=p),
        ProjectiveGeometry(ratio=1 + 5 * p, order=order),
    ]
    recipe = draw(st.sampled_from([KAryOracle(answers=k, truth=p), *recipes]))
    return (
        recipe
        if isinstance(recipe, KAryOracle)
        else of(recipe, more if recipe in recipes[2:] else k)
    )


def of(recipe, answers):
    return recipe.channel(ak.Frame([f"x{index}" for index in range(answers)])).oracle


def frame_of(oracle):
    return ak.Frame([f"x{index}" for index in range(oracle.answers)])


def chance_of(oracle, given_answer, event):
    sets, rows = oracle.written()
    pairs = zip(sets, rows[given_answer], strict=True)
    return sum((chance for content, chance in pairs if event(content)), Fraction(0))


@given(oracles())
def test_moments_are_those_of_the_matrix(oracle):
    k = oracle.answers
    x, *others = np.random.default_rng(k).permutation(k).tolist()
    y = others[0]
    assert all(sum(row) == 1 for row in oracle.written()[1])
    assert chance_of(oracle, x, lambda content: content >> x & 1) == oracle.true_positive_rate
    assert chance_of(oracle, x, lambda stored: stored >> y & 1) == oracle.false_positive_rate
    assert chance_of(oracle, x, lambda held: held >> x & held >> y & 1) == oracle.both_inside
    assert chance_of(oracle, x, lambda held: not held) == oracle.empty
    if oracle.both_outside is not None and k > 2:
        z = others[1]
        assert chance_of(oracle, x, lambda held: held >> z & held >> y & 1) == oracle.both_outside


@pytest.mark.long
@given(oracles())
def test_every_loss_is_that_of_the_matrix(oracle):
    ruled = ak.Channel.from_oracle(frame_of(oracle), oracle)
    reports = {f"r{index}": ruled.output.names(mask) for index, mask in enumerate(ruled.meanings)}
    written = ak.Channel(ruled.frame, reports, ruled.table)
    judges = [ak.local_loss, shafer_loss, walley_loss]
    judges += [lambda q: walley_loss(q, diagonal=True)]
    if isinstance(oracle, KAryOracle):
        judges += [belief_loss, plausibility_loss]
    for judge in judges:
        assert judge(ruled).value == judge(written).value
        assert judge(ruled).pairs == judge(written).pairs
    local, shafer = ak.local_loss(written), shafer_loss(written)
    assert {
        entry for x, row in enumerate(local.pairs) for y, entry in enumerate(row) if x != y
    } <= {ak.local_loss(ruled).pairs[0][1]}
    assert shafer.value == local.value


@pytest.mark.parametrize("notion", [Notion.LOCAL, Notion.SHAFER, Notion.WALLEY])
def test_losses_of_many_answers_add(notion):
    few = ak.Frame([f"a{index}" for index in range(4)])
    ways = [
        UnaryEncoding(truth="1/2", lie="1/5").channel(few),
        SubsetSelection(ratio=3, size=1).channel(few),
    ]
    dense = [
        ak.Channel(q.frame, dict(zip(q.reports, q.meanings, strict=True)), q.table) for q in ways
    ]
    ruled, written = (
        Ledger().spend(first, times=3).spend(second).loss(notion) for first, second in (ways, dense)
    )
    assert (ruled.value, ruled.pairs) == (written.value, written.pairs)
    assert ruled.attained == "over 4 reports, between any two answers"
    many = ak.KAry.at_epsilon(ratio=3).channel(ak.Frame([f"a{index}" for index in range(100_000)]))
    assert Ledger().spend(many, times=5).loss(notion).value == 3**5
    mixed = Ledger().spend(ways[0]).spend(dense[1]).loss(notion)
    assert mixed.pairs == Ledger().spend(dense[0]).spend(dense[1]).loss(notion).pairs


def test_answers_may_be_named_like_reports_between_two():
    names, odd = ["p", "q", "r"], ["x", "x, not x", "r"]
    recipe = UnaryEncoding(truth="3/4", lie="1/4")
    plain, named = (
        ak.privacy.tradeoff(recipe.channel(ak.Frame(answers)), *answers[:2])
        for answers in (names, odd)
    )
    assert named.exact_beta("1/3") == plain.exact_beta("1/3")


@given(oracles(), st.integers(0, 2**32))
def test_counts_become_supports(oracle, seed):
    if not oracle.by_report:
        return
    counts = np.random.default_rng(seed).integers(0, 1000, oracle.reports)
    sets, _ = oracle.written()
    expected = [
        sum(int(count) for count, content in zip(counts, sets, strict=True) if content >> index & 1)
        for index in range(oracle.answers)
    ]
    assert oracle.supports(counts).tolist() == expected


@pytest.mark.long
@given(oracles())
@example(of(LocalHashing(ratio=3), 5))
@example(of(DBitFlip(truth="3/4", lie="1/8", answers_asked=3), 4))
def test_documents_come_back(oracle):
    channel = ak.Channel.from_oracle(frame_of(oracle), oracle)
    assert ak.Channel.from_json(channel.to_json()) == channel
    assert pickle.loads(pickle.dumps(channel)) == channel


def test_an_oracle_that_a_document_does_not_say_is_refused():
    frame = {"frame": ["a", "b", "c"]}
    subset = {"name": "subset", "size": "2", "truth": "1/2"}
    channel = ak.Channel.from_dict(frame | {"oracle": subset})
    assert channel.oracle.true_positive_rate == Fraction(1, 2)
    unread = [subset | {"name": "dice"}, subset | {"name": ["subset"]}, subset | {"size": "two"}]
    for document in [*unread, "subset", {"name": "subset"}, subset | {"level": "2"}]:
        with pytest.raises(DocumentError):
            ak.Channel.from_dict(frame | {"oracle": document})


def test_a_channel_loads_no_oracle_that_it_does_not_need():
    code = """
import sys
import askance as ak
yn = ak.Frame(["yes", "no"])
ak.Channel.from_dict(ak.Channel(yn, {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]]).to_dict())
ak.Channel.from_dict({"frame": ["a", "b"], "oracle": {"name": "hadamard", "truth": "3/4"}})
print(*sorted(name for name in sys.modules if name.endswith(("oracles", "bit_flip_oracle"))))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["askance.channels.projective_oracles"]


LOCAL = [
    KAryOracle(answers=5, truth=Fraction(3, 5)),
    KAryOracle(answers=5, truth=Fraction(1, 10)),
    KAryOracle(answers=5, truth=Fraction(99, 100)),
    of(UnaryEncoding(truth="1/2", lie="1/5"), 4),
    of(UnaryEncoding(truth=1, lie="0.212385209"), 4),
    of(SubsetSelection(ratio=3, size=2), 5),
    of(HadamardResponse(truth="2/3"), 6),
    of(ProjectiveGeometry(ratio="5/2", order=4), 6),
    of(ProjectiveGeometry(ratio="5/2", order=3), 11),
    of(ProjectiveGeometry(ratio="5/2", order=2), 9),
    of(ProjectiveGeometry(ratio="5/2", order=17), 18),
]


def fits(counts, chances):
    """Pearson's test at one in a million; what has no chance must not come."""
    counts, chances = np.asarray(counts), np.asarray(chances, dtype=float)
    possible = chances > 0
    expected = chances[possible] * counts.sum()
    return counts[~possible].sum() == 0 and chisquare(counts[possible], expected).pvalue > 1e-6


@pytest.fixture(params=[False, True], ids=["dice", "coin"])
def chance(request, monkeypatch):
    """Dice, or a coin whose bits are drawn by dice, so that two runs do the same."""
    if not request.param:
        return lambda seed: {"rng": seed, "name": "said"}
    feed = np.random.default_rng(5)
    fed = SimpleNamespace(draw=lambda count, _: feed.bytes(count))
    monkeypatch.setattr("askance.channels.bulk_draws.SYSTEM_BYTES", fed)
    return lambda _: {"coin": True}


@pytest.mark.long
@pytest.mark.parametrize("oracle", LOCAL, ids=lambda item: f"{item.name}-{item.answers}")
def test_draws_have_the_law(oracle, chance):
    channel, n = ak.Channel.from_oracle(frame_of(oracle), oracle), 20_000
    sets, rows = oracle.written()
    where = {content: position for position, content in enumerate(sets)}
    for x, name in enumerate(channel.frame.answers):
        reports = ak.privatise(channel, np.full(n, name), **chance(x))
        if oracle.coded == "bits":
            bits = np.unpackbits(reports, axis=1, count=oracle.answers).astype(int)
            places = [where[int(bit)] for bit in bits @ (1 << np.arange(oracle.answers))]
        elif oracle.coded == "names":
            places = [channel.frame.index(element) for element in reports.tolist()]
        else:
            places = reports.tolist()
        counts = np.bincount(places, minlength=len(sets))
        assert fits(counts, rows[x])
        assert not fits(counts, rows[x - 1]), "the law of another answer"


@pytest.mark.parametrize("size", [1, 25, 500, 1990], ids=lambda d: f"{d} of 2000")
def test_large_sets_hold_every_answer_as_often_as_the_law_says(size, chance):
    k, n, x = 2000, 500, 7
    channel = SubsetSelection(ratio=3, size=size).channel(ak.Frame([f"x{i}" for i in range(k)]))
    oracle = channel.oracle
    reports = ak.privatise(channel, np.full(n, f"x{x}"), **chance(size))
    unpackbits_result = np.unpackbits(reports, axis=1, count=k)
    assert (unpackbits_result.sum(axis=1) == size).all()
    assert fits(
        [unpackbits_result[:, x].sum(), (1 - unpackbits_result[:, x]).sum()],
        [oracle.true_positive_rate, 1 - oracle.true_positive_rate],
    )
    others = np.delete(unpackbits_result, x, axis=1)
    parts = [part.sum() for part in np.array_split(others[:, :1980], 30, axis=1)]
    assert fits(parts, np.full(30, 1 / 30))
    assert not fits(parts, np.r_[np.full(29, 0.7 / 29), 0.3])
    pairs = (others[:, :999] & others[:, 1000:]).sum()
    expected = 999 * n * float(oracle.both_outside)
    assert abs(pairs - expected) < 6 * math.sqrt(expected) + 6


def test_hashing_draws_its_own_cell_as_often_as_it_says(chance):
    channel = LocalHashing(ratio=3).channel(ak.Frame(["a", "b", "c"]))
    n = 40_000
    counted = ak.tally(channel, ak.privatise(channel, ["b"] * n, **chance(1)))
    for support, expected in zip(counted.supports, (0.25, 0.5, 0.25), strict=True):
        assert fits([support, n - support], [expected, 1 - expected])
        assert not fits([support, n - support], [expected + 0.02, 0.98 - expected])


RECIPES = [
    ak.KAry.at_epsilon(1),
    UnaryEncoding.at_epsilon(1),
    UnaryEncoding.at_epsilon(1, symmetric=True),
    SubsetSelection.at_epsilon(1),
    HadamardResponse.at_epsilon(1),
    ProjectiveGeometry.at_epsilon(1),
    LocalHashing.at_epsilon(1),
]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda item: type(item).__name__)
@pytest.mark.parametrize("k", [65, 1000, 100_000])
def test_recipes_keep_to_their_level(recipe, k):
    channel = recipe.channel(ak.Frame([f"page {index}" for index in range(k)]))
    loss = ak.local_loss(channel)
    assert 1 - 1e-8 < math.log(loss.value) <= 1
    assert shafer_loss(channel).value == loss.value <= walley_loss(channel).value


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda item: type(item).__name__)
def test_equal_dice_send_the_same_however_a_column_is_divided(recipe):
    channel = recipe.channel(ak.Frame([f"page {index}" for index in range(100)]))
    column = [f"page {index % 100}" for index in range(500)]
    reports = ak.privatise(channel, column, rng=7, name="said")
    divided = ak.privatise(
        channel, iter([column[:3], column[3:250], column[250:]]), rng=7, name="said"
    )
    assert [element for part in divided for element in part] == reports
    assert ak.privatise(channel, column, rng=7, name="said") == reports


@pytest.mark.parametrize("k", [66, 127, 128, 129, 255, 256, 257, 40_000])
@pytest.mark.parametrize("own", [0, 0.005, 0.4], ids=["truth the rarest", "rare", "common"])
def test_dice_fall_on_equal_parts_of_the_line_and_then_on_the_truth(own, k):
    truth = Fraction(own).limit_denominator(1000) + (1 - Fraction(own)) / k if own else Fraction(0)
    oracle = KAryOracle(answers=k, truth=truth)
    channel = ak.Channel.from_oracle(frame_of(oracle), oracle)
    answers = np.random.default_rng(2).integers(0, k, 2000)
    answers[:4] = 0, k - 1, 0, k - 1
    names = np.array(channel.frame.answers, dtype=object)
    reports = ak.privatise(channel, names[answers], rng=3, name="said")
    key = json.dumps(["privatise", "said", [3]])
    stream = np.random.default_rng(int.from_bytes(sha256(key.encode()).digest()))
    share = stream.random(2000) / float(oracle.false_positive_rate)
    part = np.floor(share).astype(int)
    expected = np.where(part < k, part, answers) if truth else part + (part >= answers)
    assert reports.tolist() == names[expected].tolist()


@pytest.mark.parametrize("truth", [Fraction(3, 2**40), Fraction(1, 2), Fraction(3, 2**47 + 1)])
def test_the_coin_draws_from_fine_chances(truth):
    channel = ak.KAry(truth=truth).channel(ak.Frame([f"x{index}" for index in range(65)]))
    reports = ak.privatise(channel, ["x1"] * 4000, coin=True)
    assert len(set(reports)) == 65 - (truth < Fraction(1, 4))  # the truth never comes
    assert abs(reports.count("x1") / 4000 - truth) < Fraction(1, 16)


def test_the_coin_says_how_fine_a_chance_may_be():
    channel = ak.KAry(truth=Fraction(1, 3**40)).channel(
        ak.Frame([f"x{index}" for index in range(65)])
    )
    with pytest.raises(ak.AskanceError, match=r"at most 2\^57.*at_epsilon"):
        ak.privatise(channel, ["x1"], coin=True)


@pytest.mark.long
def test_the_coin_draws_at_a_level_for_very_many_answers():
    millions = ak.Frame([f"page {index}" for index in range(3_000_000)])
    for recipe in RECIPES:
        channel = recipe.channel(millions)
        assert channel.oracle.true_positive_rate.denominator <= 2**57
        if channel.oracle.coded != "bits":  # 3 million bits a report take a while
            assert len(ak.privatise(channel, ["page 1"] * 3, coin=True)) == 3


def test_a_number_of_answers_that_no_matrix_holds():
    channel = UnaryEncoding.at_epsilon(1).channel(
        ak.Frame([f"page {index}" for index in range(1000)])
    )
    with pytest.raises(ak.AskanceError, match="2\\^22 chances; losses, privatise, tally"):
        _ = channel.matrix
    with pytest.raises(ak.AskanceError, match="an oracle of 9 answers"):
        ak.Channel.from_oracle(ak.Frame(["a", "b"]), of(LocalHashing(ratio=3), 9))


@pytest.mark.long
@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49, 64, 81, 121, 125, 243, 256])
def test_fields_obey_their_laws(order):
    field, every = finite_field(order), np.arange(order)
    rng = np.random.default_rng(order)
    a, b, c = rng.integers(0, order, (3, 200))
    plus, times = field.plus, field.times
    assert (times[a, plus[b, c]] == plus[times[a, b], times[a, c]]).all()
    assert (times[times[a, b], c] == times[a, times[b, c]]).all()
    assert (times[every[1:], field.inverse[1:]] == 1).all()
    assert (np.sort(plus, axis=1) == every).all()
    assert (np.sort(times[1:], axis=1) == every).all()


@pytest.mark.parametrize("order", [0, 1, 6, 12, 257])
def test_no_field_of_another_order(order):
    with pytest.raises(ak.AskanceError, match="a power of a prime"):
        ProjectiveGeometry(ratio=3, order=order)


@pytest.mark.parametrize(("epsilon", "least"), [(3, 1.0119), (4, 1.0181)])
def test_no_field_brings_projective_geometry_nearer_to_subset_selection(epsilon, least):
    """Its points outnumber the answers, and no field has e^ε + 1 elements: none reaches 1.01."""
    pages = ak.Frame([f"page {index}" for index in range(1024)])

    def squared(recipe):
        oracle = recipe.channel(pages).oracle
        p, q = oracle.true_positive_rate, oracle.false_positive_rate
        return float(1024 * q * (1 - q) / (p - q) ** 2 + (1 - p - q) / (p - q))

    chosen = ProjectiveGeometry.at_epsilon(epsilon)
    primes = [p for p in range(2, 257) if all(p % d for d in range(2, p))]
    powers = [p**e for p in primes for e in range(1, 9)]
    fields = [q for q in powers if 1 / 2 < q / math.exp(epsilon) < 2]
    errors = [squared(ProjectiveGeometry(ratio=chosen.ratio, order=q)) for q in fields]
    subset = squared(SubsetSelection.at_epsilon(epsilon))
    assert min(errors) / subset == pytest.approx(least, abs=5e-5)
    assert squared(chosen) <= 1.001 * min(errors)
