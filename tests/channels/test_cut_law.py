"""Laws of cuts: their own quantiles, whole numbers on a line, and what is refused."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from askance import Line
from askance.channels import CutLaw, DirichletCuts
from askance.design import cuts_with_coverage
from askance_collect.errors import InputError

LAWS = [stats.norm(3, 2), stats.logistic(-5, 0.1), stats.expon(), stats.uniform(-1, 2)]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.dist.name)
def test_a_cumulative_function_is_inverted(law):
    shares = np.array([1e-6, 0.01, 0.5, 0.9, 0.999])
    result = CutLaw(law.cdf).law
    assert result.ppf(shares) == pytest.approx(law.ppf(shares), rel=1e-9, abs=1e-9)
    assert result.ppf([0.0, 1.0])[0] == -np.inf


def test_a_cumulative_function_may_jump():
    step = CutLaw(lambda x: (x >= 2) * 0.5 + (x >= 3) * 0.5).law
    assert step.ppf([0.25, 0.5, 0.75]).tolist() == [2, 2, 3]


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        3,
        [0.5, 0.5],
        np.exp,
        np.abs,
        lambda x: 0 * x,
        lambda x: np.full(3, 0.5),
        stats.norm(0, -1),
        stats.norm(np.nan, 1),
    ],
)
def test_what_is_no_law_is_refused(wrong):
    with pytest.raises(InputError, match="law"):
        CutLaw(wrong)


@given(st.fractions("51/101", "51/52", max_denominator=10**6), st.floats(0.001, 0.999))
@example("33/34", 0.75)  # Beta(1/32, 1/32)
@example("51/52", 0.999)
@pytest.mark.long
def test_quantile_laws_invert(coverage, share):
    law = cuts_with_coverage(coverage, stats.norm(45, 15)).law
    assert float(law.cdf(law.ppf(share))) == pytest.approx(share, abs=1e-9)


@given(st.floats(-20, 120), st.floats(0.5, 50), st.integers(2, 60), st.integers(60, 10**6))
@pytest.mark.long
def test_weights_on_a_line_are_within_one_of_the_law(centre, scale, ticks, total):
    law, line = stats.norm(centre, scale), Line(0, ticks, 1)
    edges = np.arange(ticks) + 0.5
    mass = np.diff(law.cdf(edges))
    if mass.sum() < 1e-6:
        return
    channel = CutLaw(law, 2).on_line(line, total=total)
    assert (channel.total, channel.number) == (total, 2)
    assert np.abs(np.array(channel.cut_weights) - mass / mass.sum() * total).max() <= 1 + 1e-6


def test_laws_off_the_line_are_refused():
    with pytest.raises(InputError, match="mass on the line"):
        CutLaw(stats.uniform(200, 300)).on_line(Line(0, 100, 1))
    with pytest.raises(InputError, match="total"):
        CutLaw(stats.uniform(0, 100)).on_line(Line(0, 100, 1), total=99)
    for total in (100.5, 1 << 41, "1000"):
        with pytest.raises(InputError, match="total"):
            CutLaw(stats.uniform(0, 100)).on_line(Line(0, 100, 1), total=total)
    with pytest.raises(InputError, match=r"got 'a ring'.*has a floor"):
        CutLaw(stats.uniform(0, 100), 2, ring=True).on_line(Line(0, 100, 1))
    with pytest.raises(InputError, match=r"got 'an acceptable range'.*stretches"):
        CutLaw(stats.uniform(0, 100), open=[(40, 60)]).on_line(Line(0, 100, 1))


@pytest.mark.parametrize("number", [0, -1, 65, 1.5, True])
def test_numbers_of_cuts_are_checked(number):
    with pytest.raises(InputError, match="number"):
        CutLaw(stats.norm(), number)


@pytest.mark.parametrize(
    "wrong",
    [[(1, 0)], [(0, 0)], [(0, 2), (1, 3)], [(2, 3), (0, 1)], [(np.nan, 1)], [(0,)], [0], "x", None],
)
def test_acceptable_ranges_are_checked(wrong):
    with pytest.raises(InputError, match=r"^CutLaw\.open: "):
        CutLaw(stats.norm(), open=wrong)


@pytest.mark.parametrize("number", [1, 17])
def test_a_ring_has_two_cuts_or_more(number):
    with pytest.raises(InputError, match="2 to 16 cuts"):
        CutLaw(stats.norm(), number, ring=True)


@given(st.fractions("2/5", "49/50"), st.integers(3, 6))
def test_dirichlet_cuts_have_the_coverage_asked_for(tau, ranges):
    cuts = DirichletCuts(stats.norm(), ranges, (1 - tau) / (ranges * tau - 1))
    assert cuts.coverage == tau


def test_dirichlet_cuts_are_drawn_as_promised():
    cuts = DirichletCuts(stats.norm(), 3, 1).draw(20_000, rng=5)
    differences = np.diff(
        np.pad(stats.norm.cdf(cuts), ((0, 0), (1, 1)), constant_values=(0, 1)), axis=1
    )
    assert (np.diff(cuts) >= 0).all()
    assert (differences**2).sum(axis=1).mean() == pytest.approx(
        0.5, abs=0.01
    )  # standard error .0012


def test_dirichlet_cuts_say_what_they_are_made_of():
    with pytest.raises(InputError, match="concentration"):
        DirichletCuts(stats.norm(), 3, 0)
    with pytest.raises(InputError, match="ranges"):
        DirichletCuts(stats.norm(), 1, 1)
    for wrong in (-1, 2.5, None, "x"):
        with pytest.raises(InputError, match=r"^n: "):
            DirichletCuts(stats.norm(), 3, 1).draw(wrong, rng=0)
