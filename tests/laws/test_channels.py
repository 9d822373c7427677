"""What must hold for every channel."""

import math
from fractions import Fraction
from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st

from askance import Channel, Frame, advantage, compose, local_loss, shafer_loss, walley_loss
from askance.exact.table import tabulate

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
    frame = Frame([f"x{at}" for at in range(len(rows))])
    meanings = draw(
        st.lists(st.integers(1, frame.everything), min_size=len(rows[0]), max_size=len(rows[0]))
    )
    reports = {f"y{at}": frame.names(mask) for at, mask in enumerate(meanings)}
    return Channel(frame, reports, rows)


def through(channel, kernel):
    """Send every report of a channel through a kernel on reports."""
    rows = [channel.table.row(at) for at in range(len(channel.frame))]
    width = len(kernel[0])
    mixed = [
        [sum(p * step[z] for p, step in zip(row, kernel, strict=True)) for z in range(width)]
        for row in rows
    ]
    first = channel.frame.answers[:1]
    return Channel(channel.frame, {f"z{at}": first for at in range(width)}, mixed)


def product_of(one, other):
    """Ask two questions about the same trait, independently."""
    rows = [
        [p * q for p, q in product(one.table.row(at), other.table.row(at))]
        for at in range(len(one.frame))
    ]
    names = [f"{a} {b}" for a, b in product(one.reports, other.reports)]
    return Channel(one.frame, dict.fromkeys(names, one.frame.answers[:1]), rows)


@given(channels())
def test_rows_sum_to_one(channel):
    assert all(sum(channel.table.row(at)) == 1 for at in range(len(channel.frame)))
    assert abs(channel.matrix.sum(axis=1) - 1).max() < 1e-12


@given(channels(), st.integers(1, 15))
def test_belief_is_at_most_plausibility_and_its_dual(channel, event):
    frame = channel.frame
    inside = frame.names(event & frame.everything)
    outside = frame.names(frame.everything & ~event)
    for answer in frame.answers:
        mass = channel.mass(answer)
        assert mass.belief(inside) <= mass.plausibility(inside) + 1e-12
        assert abs(mass.belief(inside) - (1 - mass.plausibility(outside))) < 1e-12
        assert abs(mass.pignistic().sum() - 1) < 1e-12


@given(channels(), st.data())
def test_processing_a_report_never_raises_a_loss(channel, data):
    kernel = data.draw(exact_rows(answers=len(channel.reports)))
    processed = through(channel, kernel)
    assert local_loss(processed).at_least(local_loss(channel))
    assert advantage(processed).at_least(advantage(channel))


@given(channels(), st.data())
def test_losses_add_under_composition(channel, data):
    rows = data.draw(exact_rows(answers=len(channel.frame)))
    names = [f"z{at}" for at in range(len(rows[0]))]
    other = Channel(channel.frame, dict.fromkeys(names, channel.frame.answers[:1]), rows)
    both = local_loss(product_of(channel, other))
    assert both.at_least(compose([local_loss(channel), local_loss(other)]))


@given(exact_rows(answers=2))
def test_with_two_answers_a_repeated_question_costs_exactly_twice(rows):
    frame = Frame(["a", "b"])
    channel = Channel(frame, {f"y{at}": ["a"] for at in range(len(rows[0]))}, rows)
    assert local_loss(product_of(channel, channel)).value == local_loss(channel).value ** 2


@given(channels())
def test_losses_are_losses(channel):
    for judge in JUDGES:
        assert judge(channel).value >= 1
        assert judge(channel).epsilon >= math.log(judge(channel).value)
    assert shafer_loss(channel).value <= local_loss(channel).value
    assert 0 <= advantage(channel).value <= 1


@given(exact_rows(), st.integers(2**60, 2**70))
def test_rounding_keeps_what_is_possible_and_moves_little(rows, fine):
    stirred = [[*row[:-1], row[-1]] for row in rows]
    donors = [at for at, row in enumerate(stirred) if sum(map(bool, row)) > 1]
    assume(donors)
    for at in donors:
        first, last = (
            next(i for i, p in order if p)
            for order in (enumerate(stirred[at]), [*enumerate(stirred[at])][::-1])
        )
        stirred[at][first] += Fraction(1, fine)
        stirred[at][last] -= Fraction(1, fine)
    table = tabulate(stirred)
    assert table.total <= 2**48
    for row, exact in zip(table.rows, stirred, strict=True):
        assert [bool(units) for units in row] == [bool(chance) for chance in exact]
        off = [
            abs(Fraction(units, table.total) - chance)
            for units, chance in zip(row, exact, strict=True)
        ]
        assert max(off) <= Fraction(len(row), table.total)
