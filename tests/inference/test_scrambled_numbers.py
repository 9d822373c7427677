"""Scrambled numbers: every way in which a report may come out, summed in fractions."""

import json
from fractions import Fraction as F
from itertools import product
from typing import Any

import numpy as np
import pytest

import askance as ak
from askance.inference import Scrambling, scrambled_mean

FACTORS, ADDED = (F(1, 2), F(1), F(3)), (F(-2), F(1), F(4))  # each as likely


def moments(values: tuple[F, ...]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return float(mean), float(sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5


S, T, P = moments(FACTORS), moments(ADDED), F(1, 4)
SCRAMBLINGS = {
    "eichhorn_hayre": (Scrambling.eichhorn_hayre(factor=S), F(0), lambda y, s, _: y * s),
    "bar_lev": (Scrambling.bar_lev(truth_chance=0.25, factor=S), P, lambda y, s, _: y * s),
    "pollock_bek": (Scrambling.pollock_bek(added=T), F(0), lambda y, _, t: y + t),
    "saha": (Scrambling.saha(factor=S, added=T), F(0), lambda y, s, t: s * (y + t)),
    "diana_perri_1": (
        Scrambling.diana_perri_1(truth_chance=0.25, factor=S, added=T),
        P,
        lambda y, s, t: s * (y + t),
    ),
    "diana_perri_2": (
        Scrambling.diana_perri_2(weight=0.25, factor=S, added=T),
        F(0),
        lambda y, s, t: s * (t / 4 + 3 * y / 4),
    ),
}


@pytest.mark.parametrize("name", SCRAMBLINGS)
@pytest.mark.parametrize("y", [F(0), F(7, 2), F(-3)])
def test_unscrambled_reports_are_unbiased_and_vary_as_told(name: str, y: F) -> None:
    scrambling, result, scramble = SCRAMBLINGS[name]
    ways = [(result, y)] + [
        ((1 - result) / 9, scramble(y, s, t)) for s, t in product(FACTORS, ADDED)
    ]
    unscramble_result = scrambling.unscramble([float(z) for _, z in ways])
    chances = np.array([float(chance) for chance, _ in ways])
    assert chances @ unscramble_result == pytest.approx(float(y), abs=1e-12)
    variance = chances @ (unscramble_result - float(y)) ** 2
    assert scrambling.variance(float(y), float(y * y)) == pytest.approx(variance, abs=1e-12)


@pytest.mark.checked(
    "scrambled_mean", by="the closed form of Saha's design", value=1e-12, errors=1e-12
)
def test_variances_of_rrtcs(within: Any) -> None:
    """Its formula for Bar-Lev's and Eichhorn and Hayre's designs, with p told and p₂ scrambled."""
    for number in (0.0, 0.6):
        mu, sigma, p2 = 1.2, 0.7, 1 - number
        scrambling = Scrambling.bar_lev(truth_chance=number, factor=(mu, sigma))
        a = (
            number * (1 - number)
            + sigma**2 * p2
            + mu**2 * p2
            - mu**2 * p2**2
            - 2 * number * p2 * mu
        )
        assert scrambling.variance(3.0, 9.0) == pytest.approx(9 * a / (number + p2 * mu) ** 2)
    z = np.array([12.0, 30.0, 21.0, 45.0, 18.0])
    result = scrambled_mean(z, Scrambling.saha(factor=(1.5, 0.2), added=(5.5, 2.6)))
    assert result.value == pytest.approx((z.mean() - 1.5 * 5.5) / 1.5, rel=within.value)
    expected = (z.var(ddof=1) / (5 * 1.5**2)) ** 0.5
    assert result.se == pytest.approx(expected, rel=within.errors)


def test_totals_by_inclusion_probabilities() -> None:
    plain = Scrambling.pollock_bek(added=(0, 0))
    y, pi = np.array([2.0, 4.0, 9.0]), np.array([0.5, 0.25, 0.2])
    mean = scrambled_mean(y, plain, inclusion=pi, population=12)
    assert mean.total == pytest.approx((y / pi).sum())
    assert mean.value == pytest.approx((y / pi).sum() / 12)
    assert mean.total_se**2 == pytest.approx(3 * (y / pi).var(ddof=1))
    ratio = scrambled_mean(y, plain, inclusion=pi)
    assert ratio.value == pytest.approx((y / pi).sum() / 11)
    away = (y - ratio.value) / pi
    assert ratio.se**2 == pytest.approx(1.5 * (away @ away) / 121)
    equal = scrambled_mean(y, plain)
    assert np.isnan(equal.total)
    assert equal.sd == pytest.approx(y.std(ddof=1))
    assert equal.effective_sample_size == pytest.approx(3)
    assert scrambled_mean(y, plain, population=30).total == pytest.approx(150)
    assert json.loads(json.dumps(equal.to_dict(), allow_nan=False))["total"] is None


def test_what_cannot_be_is_refused() -> None:
    scrambling = Scrambling.pollock_bek(added=(0, 1))
    refused = ak.errors.InputError
    with pytest.raises(ak.errors.NotIdentified, match="does not depend"):
        Scrambling.eichhorn_hayre(factor=(0, 1))
    for wrong in ({"factor": (1, -1)}, {"factor": (np.inf, 1)}):
        with pytest.raises(refused, match=r"Scrambling\.factor"):
            Scrambling.eichhorn_hayre(**wrong)
    with pytest.raises(refused, match=r"Scrambling\.truth_chance"):
        Scrambling.bar_lev(truth_chance=1, factor=(1, 1))
    with pytest.raises(refused, match=r"reports\[1\]"):
        scrambled_mean([1.0, np.nan], scrambling)
    with pytest.raises(refused, match="two or more"):
        scrambled_mean([1.0], scrambling)
    with pytest.raises(refused, match="inclusion"):
        scrambled_mean([1.0, 2.0], scrambling, inclusion=[0.5, 0])
    with pytest.raises(refused, match="population"):
        scrambled_mean([1.0, 2.0], scrambling, population=1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"factor_square": 0.5},
        {"added_square": float("nan")},
        {"cross_moment": 5.0},
        {"truth_chance": 1.0},
        {"factor_square": float("inf")},
    ],
)
def test_moments_that_no_scramble_has_are_refused(wrong: dict[str, float]) -> None:
    fine = {"factor": 1.0, "factor_square": 1.0, "added": 2.0, "added_square": 5.0}
    fine["cross_moment"] = 2.0
    Scrambling(name="own", **({"truth_chance": 0.1} | fine))
    with pytest.raises(ak.errors.InputError, match="Scrambling"):
        Scrambling(name="own", **({"truth_chance": 0.1} | fine | wrong))
    with pytest.raises(ak.errors.NotIdentified, match="does not depend"):
        Scrambling(name="own", **({"truth_chance": 0.0} | fine | {"factor": 0.0}))


def test_numbers_without_squares_are_refused() -> None:
    plain = Scrambling.pollock_bek(added=(1, 1))
    with pytest.raises(ak.errors.InputError, match="reports"):
        scrambled_mean([1e200, 1.0], plain)
    with pytest.raises(ak.errors.InputError, match="inclusion: got 1e-320"):
        scrambled_mean([1.0, 2.0], plain, inclusion=[1e-320, 1])
    with pytest.raises(ak.errors.InputError, match="at least the squared mean, 9"):
        plain.variance(3.0, 1.0)


def test_what_is_drawn_and_put_in_a_frame() -> None:
    from matplotlib import pyplot

    scrambling = Scrambling.pollock_bek(added=(1, 1))
    mean = scrambled_mean([2.0, 9.0, 4.0], scrambling)
    assert mean.to_frame()["of"].tolist() == ["mean"]
    pair = scrambled_mean([2.0, 9.0, 4.0], scrambling, population=30)
    frame = pair.to_frame().set_index("of")
    assert frame.loc["total", "value"] == pytest.approx(30 * pair.value)
    reach = frame["upper"] - frame["lower"]
    assert reach["total"] == pytest.approx(30 * (pair.upper - pair.lower))
    assert pair.margins().value.tolist() == [pair.value, pair.total]
    ax = pair.plot()
    assert [yticklabel.get_text() for yticklabel in ax.get_yticklabels()] == ["mean"]
    assert "Pollock–Bek" in ax.get_xlabel()
    pyplot.close(ax.figure)
