"""What must hold for every ledger, in exact rationals."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Channel, Frame
from askance.channels import two_reports
from askance.privacy import Ledger, Notion, compose

NOTIONS = (Notion.LOCAL, Notion.SHAFER, Notion.BELIEF, Notion.PLAUSIBILITY, Notion.WALLEY)
ANSWERS = Frame(["a", "b", "c"])
OUTPUT = Frame(["u", "v"])
MEANINGS = {"u": ["u"], "v": ["v"], "either": ["u", "v"]}


@st.composite
def evidential(draw):
    """Three answers, and masses on every set of two others; zeros are common."""
    row = st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(any)
    rows = [draw(row) for _ in ANSWERS.answers]
    shares = [[Fraction(mass, sum(row)) for mass in row] for row in rows]
    return Channel(ANSWERS, MEANINGS, shares, output=OUTPUT)


def entered(*channels):
    ledger = Ledger()
    for channel in channels:
        ledger = ledger.spend(channel)
    return ledger


@settings(deadline=None, max_examples=60)
@given(evidential(), evidential(), st.sampled_from(NOTIONS))
def test_matrices_of_pairs_add_exactly(one, two, notion):
    loss_result, joined_loss_result = (
        entered(one, two).loss(notion),
        entered(two_reports(one, two)).loss(notion),
    )
    assert loss_result.pairs == joined_loss_result.pairs
    assert loss_result.value == joined_loss_result.value


@settings(deadline=None, max_examples=60)
@given(evidential(), evidential(), st.sampled_from(NOTIONS))
def test_the_pair_of_answers_counts_and_the_order_does_not(one, two, notion):
    loss_result = entered(one, two).loss(notion)
    assert loss_result.pairs == entered(two, one).loss(notion).pairs
    assert loss_result.is_at_least_as_strong(
        compose([entered(one).loss(notion), entered(two).loss(notion)])
    )
    twice = Ledger().spend(one, 2).loss(notion)
    assert twice.pairs == entered(one, one).loss(notion).pairs


@settings(deadline=None, max_examples=30)
@given(evidential(), evidential())
def test_two_reports_have_the_law_of_their_product(one, two):
    entered_result, joined_entered_result = entered(one, two), entered(two_reports(one, two))
    for x, other in (("a", "b"), ("c", "a")):
        ours, theirs = (
            ledger.loss_distribution(x, other) for ledger in (entered_result, joined_entered_result)
        )
        for epsilon in (0.0, 0.5, 2.0):
            assert abs(ours.delta(epsilon) - theirs.delta(epsilon)) < 1e-12
