"""What must hold for every mass function and every channel of sets, in exact rationals."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from askance import Channel, Frame
from askance.channels import (
    CredalSet,
    MassFunction,
    ProductFrame,
    Reading,
    Rule,
    combine,
    image,
    post_process,
    relabel,
    restrict,
    two_reports,
)
from askance.channels import (
    frame as lattice,
)
from askance.privacy import shafer_loss, walley_loss
from askance_collect.errors import InputError

LARGEST = 4


def frame_of(size):
    return Frame(f"x{index}" for index in range(size))


@st.composite
def masses(draw, size=None):
    """A mass function with few or many focal sets, in fractions."""
    frame = frame_of(size or draw(st.integers(1, LARGEST)))
    units = draw(
        st.dictionaries(st.integers(1, frame.full_mask), st.integers(1, 60), min_size=1, max_size=8)
    )
    total = sum(units.values())
    return MassFunction(frame, {mask: Fraction(value, total) for mask, value in units.items()})


@st.composite
def pairs(draw):
    size = draw(st.integers(1, LARGEST))
    return draw(masses(size)), draw(masses(size))


@st.composite
def channels(draw, size=3):
    rows = draw(st.lists(masses(size), min_size=2, max_size=3))
    return Channel.from_masses({f"x{index}": row for index, row in enumerate(rows)})


@st.composite
def drawn_maps(draw, size=3):
    """A map of answers drawn at random among a few."""
    answer = st.sampled_from([f"x{index}" for index in range(size)])
    images = draw(st.lists(st.lists(answer, min_size=size, max_size=size), min_size=1, max_size=3))
    units = draw(st.lists(st.integers(1, 9), min_size=len(images), max_size=len(images)))
    maps = [{f"x{index}": to for index, to in enumerate(item)} for item in images]
    return [(Fraction(unit, sum(units)), to) for unit, to in zip(units, maps, strict=True)]


@given(masses())
def test_belief_and_plausibility_are_dual(m):
    everything = m.frame.full_mask
    for event in range(everything + 1):
        assert m.belief(event) == 1 - m.plausibility(everything ^ event)
        assert m.belief(event) <= m.plausibility(event)


@given(masses())
def test_full_tables_are_the_values_of_single_sets(m):
    sets = range(m.frame.full_mask + 1)
    assert m.beliefs().tolist() == [m.belief(item) for item in sets]
    assert m.plausibilities().tolist() == [m.plausibility(item) for item in sets]
    assert m.commonalities().tolist() == [m.commonality(item) for item in sets]


@given(masses())
def test_every_way_back_gives_the_same_masses(m):
    assert MassFunction.from_belief(m.frame, m.beliefs()) == m
    assert MassFunction.from_plausibility(m.frame, m.plausibilities()) == m
    assert MassFunction.from_commonality(m.frame, m.commonalities()) == m
    named = {m.frame.names(index): m.belief(index) for index in range(1, m.frame.full_mask + 1)}
    assert MassFunction.from_belief(m.frame, named) == m
    assert MassFunction.from_dict(m.to_dict()) == m
    assert MassFunction.from_codes(m.frame, [(mass, name) for name, mass in m.masses.items()]) == m


@given(st.lists(st.fractions(-3, 3, max_denominator=9), min_size=16, max_size=16))
@pytest.mark.long
def test_transforms_are_inverse_for_any_values(values):
    f = np.array(values, dtype=object)
    assert lattice.subset_differences(lattice.subset_sums(f)).tolist() == values
    assert lattice.superset_differences(lattice.superset_sums(f)).tolist() == values
    total, inside = sum(values), lattice.subset_sums(f)
    assert lattice.meeting_sums(f).tolist() == [total - item for item in inside[::-1]]


@given(st.lists(st.integers(-2, 6), min_size=6, max_size=6))
def test_what_is_no_belief_function_is_refused_by_its_worst_set(units):
    masses = [0, *units, 12 - sum(units)]
    values = lattice.subset_sums(np.array([Fraction(mass, 12) for mass in masses], dtype=object))
    if min(masses) >= 0:
        from_belief_result = MassFunction.from_belief(frame_of(3), values)
        assert [12 * from_belief_result.masses.get(position, 0) for position in range(8)] == masses
    else:
        worst = frame_of(3).wordings([masses.index(min(masses))])[0]
        with pytest.raises(InputError, match=f"on {worst}'"):
            MassFunction.from_belief(frame_of(3), values)


@given(pairs())
def test_combination_multiplies_what_it_should(pair):
    item, other = pair
    everything = item.frame.full_mask
    united = combine(item, other, Rule.DISJUNCTIVE)
    for event in range(everything + 1):
        assert united.mass.belief(event) == item.belief(event) * other.belief(event)
    if united.conflict < 1:
        combined = combine(item, other)
        assert combined.conflict == united.conflict
        for event in range(1, everything + 1):
            product = item.commonality(event) * other.commonality(event)
            assert combined.mass.commonality(event) == product / (1 - combined.conflict)


@given(pairs(), st.sampled_from(Rule))
def test_combination_commutes_and_knows_its_neutral_elements(pair, rule):
    item, other = pair
    assume(combine(item, other, Rule.DISJUNCTIVE).conflict < 1)
    assert combine(item, other, rule) == combine(other, item, rule)
    vacuous = MassFunction(item.frame, {item.frame.full_mask: 1})
    absorbed = combine(item, vacuous, rule).mass
    assert absorbed == (vacuous if rule is Rule.DISJUNCTIVE else item)


@given(masses(3), masses(3), masses(3))
def test_dempster_is_associative(one, two, three):
    one, two, three = (m.discount("1/2") for m in (one, two, three))  # no conflict is total
    left_mass = combine(combine(one, two).mass, three).mass
    assert left_mass == combine(one, combine(two, three).mass).mass


@given(masses(), st.data())
def test_conditioning_is_combining_with_certainty(m, data):
    event = data.draw(st.integers(1, m.frame.full_mask))
    assume(m.plausibility(event) > 0)
    condition_result = m.condition(event)
    assert condition_result == combine(m, MassFunction(m.frame, {event: 1})).mass
    for other in range(m.frame.full_mask + 1):
        assert condition_result.plausibility(other) == m.plausibility(
            other & event
        ) / m.plausibility(event)


@given(masses(), st.fractions(0, 1, max_denominator=12))
def test_discounting_shrinks_belief(m, doubt):
    weaker = m.discount(doubt)
    for event in range(m.frame.full_mask):
        assert weaker.belief(event) == (1 - doubt) * m.belief(event)


@given(masses())
def test_the_credal_set_holds_what_it_should(m):
    allowed = CredalSet(m)
    pignistic = m.pignistic()
    assert pignistic.sum() == 1
    assert allowed.contains(pignistic)
    for corner in allowed.extreme_points():
        assert allowed.contains(corner)
    if m.is_bayesian:
        assert len(allowed.extreme_points()) == 1
    if m.is_consonant:
        assert max(m.contour()) == 1


@given(masses(2), masses(3))
def test_product_frames_give_back_what_they_take(one, other):
    crossed = ProductFrame({"one": one.frame, "other": other.frame})
    joint = crossed.independent({"one": one, "other": other})
    assert crossed.marginal("one", joint) == one
    assert crossed.marginal("other", joint) == other


@given(masses(3), drawn_maps())
def test_images_move_belief_by_preimages(m, maps):
    image_result = image(m, maps)
    for event in range(8):
        names = m.frame.names(event)
        before = [(share, [x for x, to in item.items() if to in names]) for share, item in maps]
        assert image_result.belief(event) == sum(share * m.belief(item) for share, item in before)
        assert image_result.plausibility(event) == sum(
            share * m.plausibility(item) for share, item in before
        )


@given(channels(), drawn_maps())
def test_no_map_of_answers_raises_a_loss(channel, maps):
    relabel_result = relabel(channel, maps)
    assert shafer_loss(relabel_result).value <= shafer_loss(channel).value
    assert walley_loss(relabel_result).value <= walley_loss(channel).value


@given(channels(), st.data())
def test_no_kernel_on_messages_raises_shafers_loss(channel, data):
    units = st.lists(st.integers(0, 5), min_size=2, max_size=2).filter(any)
    kernel = {}
    for report in channel.reports:
        item, other = data.draw(units)
        kernel[report] = {"u": Fraction(item, item + other), "v": Fraction(other, item + other)}
    reports = {"u": ["x0"], "v": ["x0", "x2"]}
    after = post_process(channel, kernel, reports, reading=Reading.SHAFER)
    assert shafer_loss(after).value <= shafer_loss(channel).value


@given(channels(2), channels(2))
def test_losses_of_two_reports_are_sums_of_pair_losses(first, second):
    """With two answers, the larger of the two ordered pairs' products."""
    assume(len(first.frame) == len(second.frame) == 2)
    reports = two_reports(first, second)
    for loss in (shafer_loss, walley_loss):
        assert loss(reports).value <= loss(first).value * loss(second).value
    assert restrict(reports, ["x0"]).mass("x0") == reports.mass("x0")


@given(channels())
def test_json_keeps_everything(channel):
    assert Channel.from_json(channel.to_json()) == channel
