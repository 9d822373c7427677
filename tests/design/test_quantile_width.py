"""How wide a quantile's interval will be: against every count, and against surveys."""

import math

import numpy as np
import pytest
from scipy.stats import binom, chi2

import askance as ak
from askance.channels import RangeChannel
from askance.design import quantile_half_width, sample_size
from askance_collect.errors import InputError

HALVES = RangeChannel(ak.Line(0, 2, 1), [1])
"""One cut, so that the reports are a binomial count of a share of one half."""

YEARS = ak.Line(0, 24, 1)


def enumerated(n, quantile, level=0.95):
    """Half the mean width over every count: the step beyond stays if χ² lets the share be so."""
    counts = np.arange(n + 1)
    part = counts / n
    with np.errstate(divide="ignore", invalid="ignore"):
        selecteds = [
            np.where(many > 0, many * np.log(item / null), 0)
            for many, item, null in (
                (counts, part, quantile),
                (n - counts, 1 - part, 1 - quantile),
            )
        ]
    stays = 2 * sum(selecteds) <= chi2.ppf(level, 1)
    other = (counts > n * quantile) & ~stays  # the interval is the step before, as in truth
    wrong = (counts < n * quantile) & ~stays  # the interval is the step beyond alone
    return float(binom.pmf(counts, n, 0.5) @ (2.0 * stays + other + wrong)) / 2


@pytest.mark.parametrize(("n", "quantile"), [(60, 0.4), (200, 0.45), (400, 0.4), (2_000, 0.47)])
def test_two_steps_are_as_every_count_has_them(n, quantile):
    assert quantile_half_width(HALVES, n, quantile) == pytest.approx(
        enumerated(n, quantile), abs=0.02
    )


def test_a_share_that_is_the_quantile_leaves_both_steps_open_however_many_are_asked():
    assert quantile_half_width(HALVES, 10**9, 0.5) == pytest.approx(0.975)


@pytest.mark.long
@pytest.mark.parametrize("cuts", [1, 2])
def test_surveys_have_intervals_as_wide_as_planned(cuts):
    """Plans by Wilson's interval at each tick ask for a third as many people again, or fewer."""
    channel, people = ak.Cuts(number=cuts).channel(YEARS), 1_000
    cells, chances = channel.cells()
    observed = chances * np.diff(cells, axis=1)[:, 0]
    rng, widths = np.random.default_rng(8), []
    for _ in range(20):
        counts = rng.multinomial(people, observed / observed.sum())
        estimate = ak.estimate_line(channel, channel.ranges(cells[counts > 0], counts[counts > 0]))
        low, _, high = estimate.quantiles[0.5]
        widths.append(((estimate.upper - estimate.lower) / 2, (high - low) / 2))
    mean, median = (float(item) for item in np.mean(widths, axis=0))
    assert sample_size(channel, half_width=mean).people == pytest.approx(people, rel=0.05)
    estimate = sample_size(channel, half_width=median, quantile=0.5)
    assert quantile_half_width(channel, people) == pytest.approx(median, rel=0.15)
    assert estimate.people == pytest.approx(people, rel=0.4)
    assert estimate.attained == pytest.approx(median, rel=1e-3)
    assert estimate.saved_by_monotonicity / estimate.people == pytest.approx(
        {1: 0.326, 2: 0.111}[cuts], abs=0.01
    )


@pytest.mark.long
def test_a_plan_says_what_order_and_whole_numbers_save():
    channel = ak.Cuts(number=1).channel(ak.Line(1, 24, 1, integer=True))
    other = ak.Cuts(number=1).channel(YEARS)
    size = sample_size(channel, half_width=2, quantile=0.5)
    without = sample_size(other, half_width=2, quantile=0.5)
    assert size.people + size.saved_by_integers == pytest.approx(without.people, rel=0.01)
    assert "people saved by knowing that shares rise" in repr(without)
    assert without.to_dict()["saved_by_order"] == without.saved_by_monotonicity > 0
    assert "saved_by_order" not in sample_size(other, half_width=2).to_dict()
    finest = sample_size(channel, half_width=0.49, quantile=0.3)
    assert finest.saved_by_integers == math.inf


@pytest.mark.parametrize(
    ("aim", "wrong"),
    [
        ({"half_width": 0.4, "quantile": 0.3}, "half_width"),
        ({"half_width": 12, "quantile": 0.5}, "half_width"),
        ({"half_width": 3, "quantile": 0}, "quantile"),
        ({"half_width": 3, "quantile": float("nan")}, "quantile"),
        ({"half_width": 3, "quantile": 0.5, "population": 900}, "population"),
        ({"half_width": 3, "quantile": 0.5, "level": 0.9999}, "level"),
        ({"null_prevalence": 0.3, "quantile": 0.5}, "quantile"),
    ],
)
def test_what_cannot_be_planned_is_refused(aim, wrong):
    with pytest.raises(InputError) as refused:
        sample_size(ak.Cuts(number=1).channel(YEARS), **aim)
    assert refused.value.where == wrong


@pytest.mark.parametrize(
    "channel",
    [
        ak.Ring(floor="1/5").channel(YEARS),
        ak.Cuts(number=1).channel(ak.Line(0, 200, 1)),
        ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"])),
    ],
    ids=["rings", "fine", "no line"],
)
def test_what_has_no_such_law_is_refused(channel):
    with pytest.raises(InputError, match="quantile"):
        sample_size(channel, half_width=0.3, quantile=0.5)


@pytest.mark.parametrize("quantile", [None, 0.5])
def test_an_aim_is_worded_for_every_unit_of_a_line_which_has_no_plurals(quantile):
    channel = ak.Cuts(number=1).channel(ak.Line(18, 70, 1, "years", integer=True))
    more = {} if quantile is None else {"quantile": quantile}
    aim = str(sample_size(channel, half_width=12, **more)).splitlines()[0]
    assert aim.startswith("95 % interval of ± 12, in years")
