"""The worst pair of answers by columns, the others when asked for, and what is told of many."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Channel, Frame, KAry, local_loss
from askance.privacy import (
    Guarantee,
    Notion,
    belief_loss,
    plausibility_loss,
    shafer_loss,
    walley_loss,
)
from askance_collect.errors import InputError
from askance_collect.exact import Table

F = Fraction
LAID_OUT = ((F(1), F(3), F(3)), (F(3), F(1), F(3)), (F(3), F(3), F(1)))


def equal_pairs(size, off, on=1):
    return Guarantee.for_equal_pairs(Notion.LOCAL, size, off, "by a report", own_ratio=F(on)).pairs


EQUAL_PAIRS = equal_pairs(3, F(3))


@pytest.mark.parametrize("pairs", [EQUAL_PAIRS])
def test_pairs_are_as_if_they_were_laid_out(pairs):
    assert len(pairs) == 3
    assert (pairs[0], pairs[-1], pairs[1:]) == (LAID_OUT[0], LAID_OUT[-1], LAID_OUT[1:])
    assert list(pairs) == list(LAID_OUT)
    assert list(reversed(pairs)) == list(reversed(LAID_OUT))
    assert LAID_OUT[1] in pairs
    with pytest.raises(IndexError):
        pairs[3]
    with pytest.raises(TypeError):
        pairs[0] = LAID_OUT[0]
    with pytest.raises(TypeError):
        pairs[0][1] = F(2)


@pytest.mark.parametrize("pairs", [EQUAL_PAIRS])
def test_pairs_are_equal_by_what_they_hold_and_cross_processes(pairs):
    assert pairs == LAID_OUT
    assert (LAID_OUT == pairs) is True  # noqa: SIM300
    assert pickle.loads(pickle.dumps(pairs)) == pairs
    assert pairs != LAID_OUT[:2]
    assert pairs != (*LAID_OUT[:2], LAID_OUT[1])
    assert pairs != list(LAID_OUT)
    assert pairs != equal_pairs(3, F(3), F(2))
    assert pairs != equal_pairs(3, F(2))
    assert pairs != equal_pairs(4, F(3))


def test_one_answer_has_nothing_beside_it():
    assert equal_pairs(1, F(3)) == equal_pairs(1, F(2)) == ((F(1),),)
    with pytest.raises(InputError, match="answers: got 0"):
        equal_pairs(0, F(3))
    for wrong in (F(1, 2), math.nan):
        with pytest.raises(
            InputError, match=r"value: got '(1/2|nan)'; allowed: a ratio in \[1, ∞\]"
        ):
            equal_pairs(3, wrong)


@pytest.mark.long
def test_pairs_of_a_million_answers_are_not_written_out():
    loss = Guarantee.for_equal_pairs(Notion.LOCAL, 10**6, F(3), "by a report")
    assert (loss.value, loss.pairs[5][7], loss.pairs[5][5]) == (3, 3, 1)
    with pytest.raises(InputError, match=r"1,000,000 answers'; allowed: at most 1,048,576 pairs"):
        loss.to_dict()
    with pytest.raises(InputError, match="pair_epsilons: got 'pairs of 1,000,000 answers'"):
        _ = loss.pair_epsilons
    most = Guarantee.for_equal_pairs(Notion.LOCAL, 1024, F(3), "").to_dict()["pairs"]
    assert (len(most), most[0][:2]) == (1024, ["1", "3"])


@pytest.mark.parametrize("pairs", [LAID_OUT, EQUAL_PAIRS])
def test_logarithms_of_pairs(pairs):
    result = Guarantee(Notion.LOCAL, F(3), "", pairs).pair_epsilons
    assert result.tolist() == (math.log(3) * (1 - np.eye(3))).tolist()
    with pytest.raises(ValueError, match="read-only"):
        result[0, 1] = 0


@pytest.mark.parametrize(
    ("value", "digits", "result"),
    [
        (10**16, 2, "10000000000000000"),
        (10**16 + 1, 2, "1.01 × 10^16"),
        (F(10**17 + 1, 7), 4, "1.4286 × 10^16"),
        (10**20 - 1, 3, "1.000 × 10^20"),
        (10**400, 2, "10^400"),
        (F(10**5000), 2, "10^5000"),
        (2.0**60, 1, "1.2 × 10^18"),
    ],
)
def test_large_ratios_are_powers_of_ten_rounded_up(value, digits, result):
    exact = value if isinstance(value, float) else F(value)
    loss = Guarantee(Notion.LOCAL, exact, "")
    assert loss.printed(digits) == result
    assert loss.promise.startswith("No report is more than 1")
    if "×" in result:
        figures, power = result.split(" × 10^")
        read = F(figures) * 10 ** int(power)
        assert read - F(10) ** (int(power) - digits) < F(value) <= read


@st.composite
def channels(draw, kinds=("table", "large", "doubles", "many doubles")):
    """Channels of few and of many answers; zeros, equal rows and equal ratios are common."""
    k, m, size = draw(st.integers(1, 12)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    kind = draw(st.sampled_from(kinds))
    drawn_value = draw(
        st.booleans()
    )  # each answer by a report of its own, so that Walley's is finite
    k, m, size = (draw(st.integers(9, 12)), size + 2, size + 1) if drawn_value else (k, m, size)
    least = 1 if drawn_value else draw(st.integers(0, 1))
    entries = st.lists(st.integers(least, 9 if drawn_value else 3), min_size=m, max_size=m).filter(
        any
    )
    rows = draw(st.lists(entries, min_size=k, max_size=k))
    rows = [rows[0]] * k if draw(st.integers(0, 4)) == 0 else rows
    scale = 10**30 + 1 if kind == "large" else 1
    total = math.lcm(*map(sum, rows)) * scale
    entire = [[entry * (total // sum(row)) for entry in row] for row in rows]
    means = st.integers(1, (1 << size) - 1)
    reports = {
        f"report {index}": 1 << index if drawn_value and index < size else draw(means)
        for index in range(m)
    }
    output = Frame([f"y{index}" for index in range(size)])
    matrix = Table(total, entire)
    if "doubles" in kind:
        never = -(-((1 << 14) + 1) // k) if kind == "many doubles" else 0
        reports |= {f"never {index}": (1 << size) - 1 for index in range(never)}
        matrix = np.hstack([np.array(entire) / total, np.zeros((k, never))])
    return Channel(Frame([f"x{index}" for index in range(k)]), reports, matrix, output=output)


def ratios_of(above, below):
    """The ratio of each entry over each, with 0/0 left out and a/0 infinite."""
    pairs = enumerate(zip(above, below, strict=True))
    return [(a / b if b else math.inf, index) for index, (a, b) in pairs if a or b]


def by_all_pairs(above, below, *, diagonal, itself):
    """Go through all pairs of rows and all columns, in reading order."""
    worst = F(1), None
    pairs = []
    for x, row in enumerate(above):
        pairs.append([])
        for other, further in enumerate(below):
            value, back = max((value, -index) for value, index in ratios_of(row, further))
            value = F(1) if itself and x == other else value
            pairs[x].append(value)
            if value > worst[0] and (diagonal or x != other):
                worst = value, (x, other, -back)
    return worst, tuple(map(tuple, pairs))


def meant(channel):
    return dict(zip(channel.reports, channel.meanings, strict=True))


def exactly(channel):
    if channel.table is not None:
        return [list(map(F, row)) for row in channel.table.rows]
    return [[F(entry) for entry in row] for row in channel.matrix.tolist()]


def read_by_meaning(channel):
    """Masses of messages, contours and singles, added up one by one."""
    masks = sorted(set(channel.meanings))
    rows = exactly(channel)
    masses = [
        [
            sum(c for c, means in zip(row, channel.meanings, strict=True) if means == mask)
            for mask in masks
        ]
        for row in rows
    ]
    answers = range(len(channel.output))
    totals = [
        [sum(mass for mass, mask in zip(row, masks, strict=True) if mask >> y & 1) for y in answers]
        for row in masses
    ]
    alone = [
        [
            sum(mass for mass, mask in zip(row, masks, strict=True) if mask == 1 << y)
            for y in answers
        ]
        for row in masses
    ]
    return masks, masses, totals, alone


def expected(channel):
    """What each loss is, by all pairs: its value, where it is attained, and the pairs."""
    masks, masses, content, alone = read_by_meaning(channel)
    rows, answers = exactly(channel), channel.frame.answers

    def told(result, named):
        (value, position), pairs = result
        if position is None:
            return value, "by every report alike", pairs
        x, other, column = position
        return value, f"{named(column)} between {answers[x]!r} and {answers[other]!r}", pairs

    def message(index):
        return f"by {' or '.join(channel.output.names(masks[index]))!r}"

    def single(at):
        return f"at {channel.output.answers[at]!r}"

    yield (
        local_loss,
        told(
            by_all_pairs(rows, rows, diagonal=False, itself=True),
            lambda at: f"by {channel.reports[at]!r}",
        ),
    )
    yield shafer_loss, told(by_all_pairs(masses, masses, diagonal=False, itself=True), message)
    for diagonal in (False, True):
        yield (
            lambda q, diagonal=diagonal: walley_loss(q, diagonal=diagonal),
            told(by_all_pairs(content, alone, diagonal=diagonal, itself=False), single),
        )


@given(channels(kinds=("table", "large", "doubles")))
@settings(max_examples=50)
@pytest.mark.long
def test_the_worst_pair_by_columns_is_the_first_of_all_pairs(channel):
    for judge, (value, attained, pairs) in expected(channel):
        loss = judge(channel)
        assert (loss.value, loss.attained) == (value, attained)
        assert loss.pairs == pairs


@pytest.mark.long
@pytest.mark.parametrize(
    ("odd", "others", "value"),
    [
        ((1, 1, 98), (40, 40, 20), 60),
        ((1, 20, 79), (2, 98, 0), 40),
        ((5, 5, 90), (5, 85, 10), 19),
        ((1, 98, 1), (1, 98, 1), 2),
    ],
)
@pytest.mark.parametrize("position", [0, 4, 11])
@pytest.mark.parametrize("scale", [1, 10**30])
def test_a_row_that_is_both_ends_of_a_column_is_not_beside_itself(
    odd, others, value, position, scale
):
    rows = [others] * 12
    rows[position] = odd
    table = Table(100 * scale, [[item * scale for item in row] for row in rows])
    reports, output = {"y0": ["y0"], "y1": ["y1"], "either": ["y0", "y1"]}, Frame(["y0", "y1"])
    channel = Channel(Frame([f"x{index}" for index in range(12)]), reports, table, output=output)
    assert walley_loss(channel).value == value
    for judge, result in expected(channel):
        loss = judge(channel)
        assert (loss.value, loss.attained, loss.pairs) == result


@given(channels(kinds=("many doubles",)))
@settings(max_examples=25, deadline=None)
@pytest.mark.long
def test_too_many_doubles_are_rounded_up_and_attained_at_a_worst_pair(channel):
    reports = {name: means for name, means in meant(channel).items() if "never" not in name}
    few = Channel(channel.frame, reports, channel.matrix[:, : len(reports)], output=channel.output)
    for judge, (value, _, pairs) in expected(few):
        loss = judge(channel)
        slack = 1 + F(1, 10**11)
        assert value <= loss.value <= max(value, 1) * slack
        for row, pair in zip(loss.pairs, pairs, strict=True):
            assert all(
                item <= result <= item * slack for item, result in zip(pair, row, strict=True)
            )


@given(channels(kinds=("table", "large", "doubles")))
@settings(max_examples=25)
@pytest.mark.long
def test_beliefs_and_plausibilities_by_all_pairs(channel):
    masks, masses, _, _ = read_by_meaning(channel)
    events = range(1, channel.output.full_mask + 1)
    for judge, counts in (
        (belief_loss, lambda mask, event: not mask & ~event),
        (plausibility_loss, lambda mask, event: mask & event),
    ):
        sums = [
            [
                sum(m for m, mask in zip(row, masks, strict=True) if counts(mask, event))
                for event in events
            ]
            for row in masses
        ]
        (value, _), pairs = by_all_pairs(sums, sums, diagonal=False, itself=True)
        assert (judge(channel).value, judge(channel).pairs) == (value, pairs)


def test_rows_are_computed_when_they_are_asked_for_and_cross_processes():
    channel = KAry(truth="1/3").channel(Frame([f"x{position}" for position in range(20)]))
    loss = local_loss(channel)
    copied = pickle.loads(pickle.dumps(loss))
    assert loss.pairs[3] is loss.pairs[3]
    assert (
        loss.pairs == copied.pairs == equal_pairs(20, F(19, 2)) == tuple(equal_pairs(20, F(19, 2)))
    )
    assert tuple(equal_pairs(20, F(19, 2))) == loss.pairs
    assert loss.pairs != equal_pairs(20, F(9))
    assert loss.pairs != equal_pairs(21, F(19, 2))
    assert loss.to_dict() == copied.to_dict()
    with pytest.raises(IndexError):
        loss.pairs[20]
    with pytest.raises(ValueError, match="read-only"):
        loss.pairs.row.above.ranks[0, 0] = 2


@pytest.mark.long
def test_large_whole_numbers_in_many_messages_are_added_exactly():
    size, fine = 40, 3**80
    output = Frame([f"y{index}" for index in range(size)])
    sets = {f"half {index}": ((1 << 20) - 1) << index for index in range(20)}
    reports = sets | {f"y{index}": 1 << index for index in range(size)}
    units = [[1 + (7 * x + index) % 11 for index in range(len(reports))] for x in range(12)]
    rows = [[item * fine + index for index, item in enumerate(row)] for row in units]
    total = max(map(sum, rows)) + fine
    rows = [[*row, total - sum(row)] for row in rows]
    channel = Channel(
        Frame([f"x{index}" for index in range(12)]),
        reports | {"all": output.full_mask},
        Table(total, rows),
        output=output,
    )
    for judge, (value, attained, pairs) in expected(channel):
        loss = judge(channel)
        assert (loss.value, loss.attained, loss.pairs) == (value, attained, pairs)
