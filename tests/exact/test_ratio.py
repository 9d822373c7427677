"""Numbers are read as written, and logarithms err on the side of caution."""

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.errors import InputError
from askance.exact.ratio import chance, log_up, loss_ratio, percent, ratio

fractions = st.fractions(Fraction(1, 10**6), 10**6)


@given(st.fractions())
def test_a_fraction_is_read_back_from_its_own_spelling(value):
    if len(str(value)) < 60:
        assert ratio(str(value)) == ratio(value) == value


@given(st.floats(-1e6, 1e6))
def test_a_float_is_the_decimal_that_prints_it(value):
    assert ratio(value) == Fraction(repr(value))


@pytest.mark.parametrize(
    "value",
    [
        *("", "1/0", "1/00", "one", "1/2/3", "0x1", "١", "1 / 2", "1e9999", "9" * 100),
        *(float("nan"), float("inf"), True, None, [1], 1j),
    ],
)
def test_what_is_not_a_number_is_refused(value):
    with pytest.raises(InputError, match=r"^here: .*allowed: a number such as 3, 0.6"):
        ratio(value, "here")


@pytest.mark.parametrize("value", [-0.1, 1.1, "-1/3", 2])
def test_a_chance_lies_between_nought_and_one(value):
    with pytest.raises(InputError, match=r"allowed: a probability in \[0, 1\]"):
        chance(value)


@given(fractions)
def test_a_logarithm_is_never_less_than_the_truth(value):
    with mpmath.workdps(50):
        truth = mpmath.log(mpmath.mpf(value.numerator) / value.denominator)
        shown = mpmath.mpf(str(log_up(value)))
        assert truth <= shown <= truth + mpmath.mpf("1.000001e-6")


@given(st.fractions(Fraction(1, 10**6), 12))
def test_a_power_is_never_more_than_the_truth(exponent):
    with mpmath.workdps(60):
        truth = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
        power = loss_ratio(exponent)
        given_back = mpmath.mpf(power.numerator) / power.denominator
        assert truth * (1 - mpmath.mpf(2) ** -16) <= given_back <= truth


@pytest.mark.parametrize("wrong", [0, -1])
def test_a_logarithm_needs_a_positive_number(wrong):
    with pytest.raises(InputError, match="positive ratio"):
        log_up(Fraction(wrong))


@pytest.mark.parametrize("wrong", [0, -1, 12.5])
def test_a_loss_beyond_reason_is_refused(wrong):
    with pytest.raises(InputError, match="epsilon"):
        loss_ratio(wrong)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Fraction(0), "0"),
        (Fraction(1), "100"),
        (Fraction(1, 1000), "0.1"),
        (Fraction(1, 1001), "fewer than 0.1"),
        (Fraction(9991, 10000), "more than 99.9"),
        (Fraction(2, 3), "66.7"),
    ],
)
def test_counts_out_of_a_hundred(value, said):
    assert percent(value) == said


def test_decimals_are_exact():
    assert ratio(Decimal("0.1")) == Fraction(1, 10)
