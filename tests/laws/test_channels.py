"""What must hold for every channel."""

import math
from fractions import Fraction
from itertools import permutations, product

from hypothesis import given
from hypothesis import strategies as st

from askance import Channel, Frame, local_loss
from askance.privacy import (
    Ledger,
    Notion,
    View,
    advantage,
    compose,
    shafer_loss,
    tradeoff,
    walley_loss,
)

JUDGES = (local_loss, shafer_loss, walley_loss)


@st.composite
def exact_rows(draw, answers=None, reports=None):
    """Rows of fractions that sum to one; zeros are common."""
    k = answers or draw(st.integers(2, 4))
    m = reports or draw(st.integers(1, 5))
    entry = st.one_of(st.just(0), st.integers(1, 50))
    raw = draw(
        st.lists(st.lists(entry, min_size=m, max_size=m).filter(any), min_size=k, max_size=k)
    )
    return [[Fraction(value, sum(row)) for value in row] for row in raw]


@st.composite
def channels(draw):
    """An exact channel whose reports mean arbitrary sets of answers."""
    rows = draw(exact_rows())
    frame = Frame([f"x{index}" for index in range(len(rows))])
    meanings = draw(
        st.lists(st.integers(1, frame.full_mask), min_size=len(rows[0]), max_size=len(rows[0]))
    )
    reports = {f"y{index}": frame.names(mask) for index, mask in enumerate(meanings)}
    return Channel(frame, reports, rows)


def through(channel, kernel):
    """Send every report of a channel through a kernel on reports."""
    rows = [channel.table.row(position) for position in range(len(channel.frame))]
    width = len(kernel[0])
    mixed = [
        [sum(p * step[z] for p, step in zip(row, kernel, strict=True)) for z in range(width)]
        for row in rows
    ]
    first = channel.frame.answers[:1]
    return Channel(channel.frame, {f"z{index}": first for index in range(width)}, mixed)


def product_of(item, other):
    """Ask two questions about the same trait, independently."""
    rows = [
        [p * q for p, q in product(item.table.row(index), other.table.row(index))]
        for index in range(len(item.frame))
    ]
    names = [f"{a} {b}" for a, b in product(item.reports, other.reports)]
    return Channel(item.frame, dict.fromkeys(names, item.frame.answers[:1]), rows)


@given(channels())
def test_rows_sum_to_one(channel):
    assert all(sum(channel.table.row(index)) == 1 for index in range(len(channel.frame)))
    assert abs(channel.matrix.sum(axis=1) - 1).max() < 1e-12


@given(channels(), st.integers(1, 15))
def test_belief_is_at_most_plausibility_and_its_dual(channel, event):
    frame = channel.frame
    inside = frame.names(event & frame.full_mask)
    outside = frame.names(frame.full_mask & ~event)
    for answer in frame.answers:
        mass = channel.mass(answer)
        assert mass.belief(inside) <= mass.plausibility(inside) + 1e-12
        assert abs(mass.belief(inside) - (1 - mass.plausibility(outside))) < 1e-12
        assert abs(mass.pignistic().sum() - 1) < 1e-12


@given(channels(), st.data())
def test_processing_a_report_never_raises_a_loss(channel, data):
    kernel = data.draw(exact_rows(answers=len(channel.reports)))
    processed = through(channel, kernel)
    assert local_loss(processed).is_at_least_as_strong(local_loss(channel))
    assert advantage(processed).is_at_least_as_strong(advantage(channel))


@given(channels(), st.data())
def test_losses_add_under_composition(channel, data):
    rows = data.draw(exact_rows(answers=len(channel.frame)))
    names = [f"z{index}" for index in range(len(rows[0]))]
    other = Channel(channel.frame, dict.fromkeys(names, channel.frame.answers[:1]), rows)
    loss = local_loss(product_of(channel, other))
    assert loss.is_at_least_as_strong(compose([local_loss(channel), local_loss(other)]))


@given(exact_rows(answers=2))
def test_with_two_answers_a_repeated_question_costs_exactly_twice(rows):
    frame = Frame(["a", "b"])
    channel = Channel(frame, {f"y{index}": ["a"] for index in range(len(rows[0]))}, rows)
    assert local_loss(product_of(channel, channel)).value == local_loss(channel).value ** 2


@given(channels())
def test_losses_are_losses(channel):
    for judge in JUDGES:
        assert judge(channel).value >= 1
        assert judge(channel).epsilon >= math.log(judge(channel).value)
    assert shafer_loss(channel).value <= local_loss(channel).value
    assert 0 <= advantage(channel).value <= 1


@st.composite
def fine_channels(draw):
    """An exact channel whose rows have denominators of up to forty digits."""
    k, m = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    entry = st.just(0) | st.integers(1, 50) | st.integers(1, 10**40)
    row = st.lists(entry, min_size=m, max_size=m).filter(any)
    raw = draw(st.lists(row, min_size=k, max_size=k))
    frame = Frame([f"x{index}" for index in range(k)])
    means = draw(st.lists(st.integers(1, frame.full_mask), min_size=m, max_size=m))
    rows = [[Fraction(value, sum(row)) for value in row] for row in raw]
    return Channel(
        frame, {f"y{index}": frame.names(mask) for index, mask in enumerate(means)}, rows
    )


def over(above, below):
    return 1 if not above else math.inf if not below else above / below


@given(fine_channels(), st.fractions("1/9", "8/9"))
def test_exact_stays_exact_in_every_loss(channel, w):
    """Written again in fractions, from the definitions."""
    k = len(channel.frame)
    rows = [channel.table.row(index) for index in range(k)]
    masses = [channel.mass(answer).masses for answer in channel.frame.answers]
    pairs = list(permutations(range(k), 2))
    local = [over(p, q) for x, z in pairs for p, q in zip(rows[x], rows[z], strict=True)]
    shafer = [over(masses[x].get(e, 0), masses[z].get(e, 0)) for x, z in pairs for e in masses[x]]
    totals = [[sum(v for e, v in item.items() if e >> y & 1) for y in range(k)] for item in masses]
    walley = [over(totals[x][y], masses[z].get(1 << y, 0)) for x, z in pairs for y in range(k)]
    separate = [
        sum(abs(w * p - (1 - w) * q) for p, q in zip(rows[x], rows[z], strict=True))
        for x, z in pairs
    ]
    assert local_loss(channel).value == max(1, *local)
    assert shafer_loss(channel).value == max(1, *shafer)
    assert walley_loss(channel).value == max(1, *walley)
    assert advantage(channel, first_weight=w).value == max(separate)
    assert Channel.from_json(channel.to_json()) == channel
    spent = Ledger().spend(channel, times=7).loss(Notion.LOCAL)
    assert spent.value == max(1, *local) ** 7
    assert spent.value == math.inf or spent.epsilon >= 7 * math.log(max(1, *local)) - 1e-9


@given(fine_channels(), st.fractions(0, 1))
def test_exact_stays_exact_in_every_trade_off(channel, alpha):
    """The best of all tests that accuse on a set, on another around it, or by chance between."""
    rows = [channel.table.row(number) for number in (0, 1)]
    m = range(len(channel.reports))
    tests = [
        tuple(sum((row[y] for y in m if mask >> y & 1), Fraction(0)) for row in rows)
        for mask in range(1 << len(m))
    ]
    best = min(
        1 - hit if low == alpha else 1 - hit - (alpha - low) / (high - low) * (more - hit)
        for (low, hit), (high, more) in product(tests, tests)
        if low == alpha or low < alpha < high
    )
    assert tradeoff(channel, "x0", "x1", view=View.REPORTS).exact_beta(alpha) == best
    curve = tradeoff(channel, "x0", "x1", view=View.ATTACKER)
    item, two = (channel.mass(answer) for answer in ("x0", "x1"))
    sets = [channel.frame.names(mask) for mask in range(channel.frame.full_mask + 1)]
    errors = [(item.belief(event), 1 - two.plausibility(event)) for event in sets]
    chords = [
        b if low == alpha else b + (alpha - low) / (high - low) * (d - b)
        for inner, (low, b) in enumerate(errors)
        for outer, (high, d) in enumerate(errors)
        if not inner & ~outer and (low == alpha or low < alpha < high)
    ]
    assert curve.exact_beta(alpha) == min(chords)


def test_a_chance_that_no_double_holds_is_still_there():
    rare = Fraction(1, 10**400)
    rows = [[1 - rare, rare], [Fraction(1), Fraction(0)]]
    channel = Channel(Frame(["a", "b"]), {"a": ["a"], "b": ["b"]}, rows)
    assert channel.matrix[0, 1] == 0
    assert channel.may_be_untrue
    assert local_loss(channel).value == math.inf
    turned = Channel(Frame(["a", "b"]), {"a": ["a"], "either": ["a", "b"]}, rows)
    assert turned.is_vague
