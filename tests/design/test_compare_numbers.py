"""Ranges, noise and scrambles of a whole number, each figure by its definition."""

import json
import math

import numpy as np
import pytest
from scipy.stats import gamma

from askance.design import compare_numbers
from askance.inference import Scrambling
from askance.mechanisms import Cuts, DiscreteLaplace, Progressive, Ring, Selective
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact import Line

DAYS = Line(0, 12, integer=True)
Y = np.arange(13.0)
NARROWING = Progressive(number=2, floor="1/13")
SHARES = np.exp(-Y / 3) / np.exp(-Y / 3).sum()


def rows(shares=None, **inputs):
    return compare_numbers(DAYS, shares=shares, ranges=[Cuts()], **inputs).rows


def mean_apart(shares, separate):
    pairs = np.outer(shares, shares) * ~np.eye(len(shares), dtype=bool)
    return (pairs * separate).sum() / pairs.sum()


@pytest.mark.parametrize("shares", [None, SHARES])
def test_one_cut_is_as_its_law_says(shares):
    own = rows(shares)[0]
    values = np.full(13, 1 / 13) if shares is None else shares
    distance = np.abs(Y[:, None] - Y) / 12
    assert own.mean_total_variation == pytest.approx(mean_apart(values, distance))
    assert (own.max_total_variation, own.epsilon) == (pytest.approx(1), math.inf)
    upto = np.cumsum(values)[:-1]
    assert own.mean_coverage == pytest.approx((upto**2 + (1 - upto) ** 2).mean())
    assert own.variance == pytest.approx(12 * (upto * (1 - upto)).sum())
    guessed = [values[: index + 1].max() + values[index + 1 :].max() for index in range(12)]
    assert own.guess_probability == pytest.approx(np.mean(guessed))


@pytest.mark.parametrize("shares", [None, SHARES])
def test_noise_is_as_its_law_says(shares):
    values = np.full(13, 1 / 13) if shares is None else shares
    for row in rows(shares):
        if not isinstance(row.mechanism, DiscreteLaplace):
            continue
        alpha, k = float(row.mechanism.decay), 13
        matrix = (1 - alpha) / (1 + alpha) * alpha ** np.abs(Y[:, None] - Y)
        matrix[:, 0], matrix[:, -1] = alpha**Y / (1 + alpha), alpha ** (12 - Y) / (1 + alpha)
        worth = np.linalg.solve(matrix, Y)
        mean = values @ Y
        assert row.variance == pytest.approx(values @ matrix @ worth**2 - mean**2)
        assert row.epsilon == pytest.approx(-(k - 1) * math.log(alpha), rel=1e-6)
        separate = np.abs(matrix[:, None] - matrix).sum(axis=2) / 2
        assert row.max_total_variation == pytest.approx(separate[0, -1])
        assert row.mean_total_variation == pytest.approx(mean_apart(values, separate))
        assert row.guess_probability == pytest.approx((values[:, None] * matrix).max(axis=0).sum())
        assert row.mean_coverage == pytest.approx(1)


def test_scrambles_are_as_their_laws_say():
    _, _, addend, factor, _ = rows(SHARES)
    added = addend.mechanism.added_square
    most = round((math.sqrt(1 + 12 * added) - 1) / 2)
    assert addend.mechanism == Scrambling.pollock_bek(added=(0.0, math.sqrt(added)))
    minimum_result = np.minimum(np.abs(Y[:, None] - Y) / (2 * most + 1), 1)
    assert addend.mean_total_variation == pytest.approx(mean_apart(SHARES, minimum_result))
    assert addend.variance == pytest.approx(SHARES @ Y**2 - (SHARES @ Y) ** 2 + added)
    shape = 1 / (factor.mechanism.factor_square - 1)
    law = gamma(shape, scale=1 / shape)
    minimum_result = np.ones((13, 13))
    for a in range(1, 13):
        for b in range(1, 13):
            even = math.log(b / a) / (shape / a - shape / b) * shape if a != b else 1.0
            minimum_result[a, b] = abs(law.cdf(even / a) - law.cdf(even / b))
    assert factor.mean_total_variation == pytest.approx(
        mean_apart(SHARES, minimum_result), abs=1e-4
    )
    assert factor.max_total_variation == pytest.approx(1)  # 0 stays 0


@pytest.mark.parametrize("shares", [None, SHARES])
def test_what_stands_beside_ranges_equals_them(shares):
    ranges, noise, addend, factor, as_private = rows(shares, people=200)
    for row in (noise, factor):
        assert row.effective_sample_size == pytest.approx(ranges.effective_sample_size, rel=0.005)
    assert addend.effective_sample_size == pytest.approx(ranges.effective_sample_size, rel=0.3)
    assert as_private.mean_total_variation == pytest.approx(ranges.mean_total_variation, abs=0.001)
    mean = 6.0 if shares is None else SHARES @ Y
    spread = 14.0 if shares is None else SHARES @ (Y - mean) ** 2
    assert ranges.effective_sample_size == pytest.approx(200 * spread / ranges.variance)


def test_a_level_of_privacy_comes_first():
    result = compare_numbers(DAYS, ranges=[Cuts()], epsilon=3, people=50).rows
    assert (len(result), result[0].matched_on) == (6, "ε = 3")
    assert result[0].epsilon == pytest.approx(3)
    assert result[0].max_total_variation == pytest.approx(
        1 - math.exp(-3 / 2)
    )  # told apart at the middle
    assert compare_numbers(DAYS, ranges=[Cuts()], ratio=2).rows[0].matched_on == "e^ε = 2"
    with pytest.raises(InputError, match="epsilon"):
        compare_numbers(DAYS, epsilon=-1)


def test_a_factor_rules_no_positive_number_out():
    line = Line(1, 12, integer=True)
    assert compare_numbers(line, ranges=[Cuts()]).rows[3].mean_coverage == pytest.approx(1)
    zero = rows()[3].mean_coverage  # one of 13, told by a 0
    assert zero == pytest.approx((12 / 13) ** 2 + (1 / 13) ** 2)


def test_it_is_written_and_shown():
    numbers = compare_numbers(DAYS)
    assert [row.matched_on for row in numbers.rows[:2]] == ["", "same variance"]
    written = json.loads(json.dumps(numbers.to_dict(), allow_nan=False))
    assert written["rows"][0]["epsilon"] is None
    assert len(numbers.to_frame()) == len(numbers.rows) == 10
    assert "two cuts" in repr(numbers)
    assert "progressive: " in repr(compare_numbers(DAYS, ranges=[NARROWING]))


@pytest.mark.parametrize(
    "line",
    [
        Line(0, 12),
        Line(0, 11, 2, integer=True),
        Line(-3, 3, integer=True),
        Line(0, 200, integer=True),
    ],
)
def test_other_lines_are_refused(line):
    with pytest.raises(InputError, match="whole numbers"):
        compare_numbers(line)


def test_what_tells_nothing_of_the_mean_is_refused():
    with pytest.raises(NotIdentified, match="leave the mean open"):
        compare_numbers(DAYS, ranges=[Cuts(law=[1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0])])
    with pytest.raises(NotIdentified, match="leave the mean open"):
        compare_numbers(DAYS, ranges=[Ring(floor="1/4")])  # a number and its opposite look alike
    with pytest.raises(InputError, match="withheld"):
        compare_numbers(DAYS, ranges=[Selective(floor="1/4", send_chance="1/2")])


@pytest.mark.parametrize("share", [0.1, 0.3, 0.37, 0.9])
def test_ranges_that_tell_the_number_itself_add_no_variance(share):
    """Of two numbers one cut tells all; rounding may leave less than nothing to be added."""
    numbers = compare_numbers(Line(0, 1, integer=True), shares=[share, 1 - share], ranges=[Cuts()])
    sizes = [row.effective_sample_size for row in numbers.rows if row.matched_on == "same variance"]
    assert sizes == pytest.approx([1000, 1000], rel=0.01)
