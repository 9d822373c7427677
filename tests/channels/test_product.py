"""Product frames: what extends, what is kept, what is independent."""

from fractions import Fraction
from itertools import product

import pytest

from askance import Frame
from askance.channels import MassFunction, ProductFrame
from askance_collect.errors import InputError

YES_NO, RGB = Frame(["yes", "no"]), Frame(["red", "green", "blue"])
PRODUCT = ProductFrame({"smokes": YES_NO, "colour": RGB})
F = Fraction
SMOKES = MassFunction(YES_NO, {("yes",): F(1, 4), ("yes", "no"): F(3, 4)})
COLOUR = MassFunction(RGB, {("red",): F(1, 3), ("red", "blue"): F(2, 3)})


def test_combinations_are_crossed_bit_by_bit():
    assert len(PRODUCT.joint) == 6
    for smokes, colour in product(range(4), range(8)):
        sides = {"smokes": YES_NO.names(smokes), "colour": RGB.names(colour)}
        crossed = PRODUCT.joint.names(PRODUCT.rectangle(sides))
        assert crossed == tuple(f"{a}, {b}" for a, b in product(*sides.values()))


def test_a_part_left_out_may_be_anything():
    assert PRODUCT.rectangle({}) == PRODUCT.joint.full_mask
    assert PRODUCT.rectangle({"colour": ["red"]}) == PRODUCT.joint.mask(["yes, red", "no, red"])


def test_extending_and_keeping_give_back():
    for part, mass in (("smokes", SMOKES), ("colour", COLOUR)):
        extended = PRODUCT.extend(part, mass)
        assert extended.exact
        assert PRODUCT.marginal(part, extended) == mass
    assert PRODUCT.marginal("colour", PRODUCT.extend("smokes", SMOKES)).is_vacuous


def test_independent_beliefs_multiply():
    joint = PRODUCT.independent({"smokes": SMOKES, "colour": COLOUR})
    for smokes, colour in product(range(1, 4), range(1, 8)):
        side = PRODUCT.rectangle({"smokes": YES_NO.names(smokes), "colour": RGB.names(colour)})
        assert joint.belief(side) == SMOKES.belief(smokes) * COLOUR.belief(colour)
        assert joint.plausibility(side) == SMOKES.plausibility(smokes) * COLOUR.plausibility(colour)
    assert PRODUCT.marginal("smokes", joint) == SMOKES
    assert PRODUCT.independent({}).is_vacuous


def test_three_parts():
    cube = ProductFrame({"a": YES_NO, "b": YES_NO, "c": YES_NO})
    m = cube.independent({"a": SMOKES, "c": SMOKES})
    assert m.belief(cube.rectangle({"a": ["yes"], "c": ["yes"]})) == F(1, 16)
    assert cube.marginal("b", m).is_vacuous


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: ProductFrame({}), "one or more frames"),
        (lambda: PRODUCT.extend("smoke", SMOKES), "did you mean 'smokes'"),
        (lambda: PRODUCT.extend("colour", SMOKES), "on the frame of 'colour'"),
        (lambda: PRODUCT.marginal("smokes", SMOKES), "joint frame"),
        (lambda: PRODUCT.rectangle({"age": ["yes"]}), "smokes, colour"),
        (lambda: ProductFrame({"x": Frame(["a", "a, a"]), "y": Frame(["a", "a, a"])}), "twice"),
    ],
)
def test_what_does_not_fit_is_refused(call, why):
    with pytest.raises(InputError, match=why):
        call()
