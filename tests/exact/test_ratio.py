"""Numbers are read as written, and logarithms err on the side of caution."""

from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.privacy import Guarantee, Notion
from askance_collect.errors import InputError
from askance_collect.exact import exp_down
from askance_collect.exact.ratio import just_below, read_integer, read_ratio

fractions = st.fractions(1, 10**6)


@given(st.fractions())
def test_a_fraction_is_read_back_from_its_own_spelling(value):
    if len(str(value)) < 60:
        assert read_ratio(str(value)) == read_ratio(value) == value


@given(st.floats(-1e6, 1e6))
def test_a_float_is_the_decimal_that_prints_it(value):
    assert read_ratio(value) == Fraction(repr(value))


@pytest.mark.parametrize(
    "value",
    [
        *("", "1/0", "1/00", "one", "1/2/3", "0x1", "١", "1 / 2", "1e9999", "9" * 61),
        *(float("nan"), float("inf"), True, np.True_, None, [1], 1j, np.arange(1)),
    ],
)
def test_what_is_not_a_number_is_refused(value):
    with pytest.raises(InputError, match=r"^here: .*allowed: a number such as 3, 0.6"):
        read_ratio(value, "here")


@pytest.mark.parametrize(
    "value", [3, np.int64(3), np.uint8(3), 3.0, np.float64(3), np.float32(3), Decimal(3), " 3 "]
)
def test_a_number_of_any_kind_is_read(value):
    assert read_ratio(value) == 3
    assert type(read_ratio(value).numerator) is int


def test_a_short_double_and_a_long_text_are_what_they_print():
    assert read_ratio(np.float32(0.1)) == read_ratio("0.1") == Fraction(1, 10)
    assert read_ratio("9" * 60) == 10**60 - 1


@pytest.mark.parametrize("value", [2, 2.0, np.int64(2), np.float64(2)])
def test_a_whole_number_may_be_written_as_any_number(value):
    assert (
        read_integer(value, "here", "2 or more", 2)
        == read_integer(value, "here", "at most 2", 0, 2)
        == 2
    )


@pytest.mark.parametrize("value", [1, 2.5, float("inf"), float("nan"), True, "2", None])
def test_what_is_not_whole_or_too_small_is_refused(value):
    with pytest.raises(InputError, match=r"^here: .*allowed: 2 or more"):
        read_integer(value, "here", "2 or more", 2)
    with pytest.raises(InputError, match=r"^here: .*allowed: at most 2"):
        read_integer(3, "here", "at most 2", 0, 2)
    with pytest.raises(InputError):
        read_integer(True, "here", "1 or more")


@given(fractions)
def test_a_loss_is_printed_as_never_less_than_the_truth(value):
    with mpmath.workdps(50):
        truth = mpmath.log(mpmath.mpf(value.numerator) / value.denominator)
        displayed = mpmath.mpf(str(Guarantee(Notion.LOCAL, value, "").epsilon))
        assert truth <= displayed <= truth + mpmath.mpf("1.000001e-6")


@given(st.fractions(Fraction(1, 10**6), 12))
def test_a_power_is_never_more_than_the_truth_and_as_near_as_a_double(exponent):
    with mpmath.workdps(60):
        exact = mpmath.mpf(exponent.numerator) / exponent.denominator
        truth, above = mpmath.exp(exact), mpmath.expm1(exact)
        power = just_below(exp_down(exponent))
        given_back = mpmath.mpf(power.numerator) / power.denominator
        assert 0 <= truth - given_back <= mpmath.mpf(2) ** -52 * min(truth, above)


@given(st.integers(1, 12_000))
def test_the_fraction_below_a_power_is_simple(thousandths):
    power = just_below(exp_down(Fraction(thousandths, 1000)))
    assert power.numerator + power.denominator < 1 << 40


@pytest.mark.parametrize("tiny", ["1e-58", "1e-70", "1e-300"])
def test_a_power_of_next_to_nothing_is_one_or_hardly_more(tiny):
    assert 1 <= exp_down(tiny) <= 1 + Fraction(tiny)


@given(st.integers(1, 2000), st.integers(1, 2000))
def test_no_simpler_fraction_is_just_below(over, under):
    """Written again: the first denominator at which some fraction falls into the interval."""
    value = 1 + Fraction(over, under) + Fraction(1, 10**12)
    lowest = value - min(value, value - 1) / (1 << 52)
    below = just_below(value)
    assert lowest <= below <= value
    tried = range(1, min(below.denominator, 500))
    assert not any(-(-lowest * q // 1) <= value * q for q in tried)
    assert just_below(1 + Fraction(over, under)) == 1 + Fraction(over, under)


@given(st.fractions(0, 10_000))
def test_a_power_of_fifty_digits_is_never_more_than_the_truth_either(exponent):
    with mpmath.workdps(70):
        truth = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
        power = exp_down(exponent)
        given_back = mpmath.mpf(power.numerator) / power.denominator
        assert truth * (1 - mpmath.mpf(10) ** -49) <= given_back <= truth


@pytest.mark.parametrize("wrong", [-1e-9, 10_000.5])
def test_a_power_beyond_all_figures_is_refused(wrong):
    assert exp_down(10_000) > 10**4342
    with pytest.raises(InputError, match=r"^epsilon: .*a privacy loss in \[0, 10000\]"):
        exp_down(wrong)


def test_decimals_are_exact():
    assert read_ratio(Decimal("0.1")) == Fraction(1, 10)
