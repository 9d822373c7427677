"""Areas by their covariates: beside R's sae, and beside a joint normal law written out in full."""

import json
from pathlib import Path

import numpy as np
import pytest

import askance as ak
from askance.inference import fay_herriot
from askance_collect.errors import InputError, NotIdentified

SAE = json.loads((Path(__file__).parents[1] / "oracles" / "fay_herriot.json").read_text())
COVARIATES = np.column_stack([SAE["x1"], SAE["x2"]])
ANY = (-np.inf, np.inf)


@pytest.mark.checked("fay_herriot", by="R's sae 1.3", value=1e-9, errors=1e-9)
def test_it_is_the_predictor_of_sae_where_the_variance_is_known(within):
    deviation = SAE["variance"] ** 0.5
    fit = fay_herriot(SAE["value"], SAE["se"], COVARIATES, support=ANY, between_sd=deviation)
    assert fit.value == pytest.approx(SAE["eblup"], rel=within.value)
    assert fit.coefficients == pytest.approx(SAE["coefficients"], rel=within.value)
    assert fit.coefficient_se == pytest.approx(SAE["coefficient_se"], rel=within.errors)
    assert fit.between_sd == pytest.approx(deviation)


def test_groups_keep_more_of_themselves_than_at_a_variance_that_is_nearly_0():
    """Its restricted likelihood is highest at 5e-5, where hardly anything of a group is left."""
    fit = fay_herriot(SAE["value"], SAE["se"], COVARIATES)
    assert fit.between_sd > 0.02
    nearly = np.array(SAE["se"]) ** 2 / (SAE["variance"] + np.array(SAE["se"]) ** 2)
    assert (fit.shrinkage < nearly).all()
    assert (fit.se > 0.02).all()


def test_it_is_a_mixture_of_joint_normal_laws():
    """The even prior of β is one of a huge variance; the laws are of all groups at once."""
    value, se = np.array([0.2, 0.5, 0.1, 0.7, 0.4, 0.3]), np.array([0.1, 0.2, 0.1, 0.15, 0.3, 0.1])
    model_matrix = np.column_stack([np.ones(6), [1, 2, 0, 3, 1, 1]])
    even = np.linspace(0.001, 1, 400)
    deviations = 10 * even**2
    logs, means, variances = [], [], []
    for deviation, index in zip(deviations, even, strict=True):
        prior = 1e3 * model_matrix @ model_matrix.T + deviation**2 * np.eye(6)
        pair = prior + np.diag(se**2)
        gain = prior @ np.linalg.inv(pair)
        lost = np.linalg.slogdet(pair)[1] + value @ np.linalg.solve(pair, value)
        logs.append(np.log(deviation * index) - lost / 2)  # even in the variance
        means.append(gain @ value)
        variances.append(np.diag(prior - gain @ prior))
    weights = np.exp(np.array(logs) - max(logs))
    weights /= weights.sum()
    mean = weights @ means
    spread = weights @ (np.array(variances) + (np.array(means) - mean) ** 2)
    fit = fay_herriot(value, se, model_matrix[:, 1], support=(-10.0, 10.0))
    assert fit.value == pytest.approx(mean, abs=0.001)
    assert fit.se == pytest.approx(np.sqrt(spread), rel=0.01)


def test_ends_of_an_interval_leave_half_of_the_rest_on_either_side():
    """Numbers are drawn from the normal law of a group alone, and those outside are left out."""
    value, se = [0.02, 0.3, 0.6, 0.5], [0.1] * 4
    fit = fay_herriot(value, se, between_sd=0.2, level=0.8)
    plain = fay_herriot(value, se, between_sd=0.2, level=0.8, support=ANY)
    draws = np.random.default_rng(7).normal(plain.value[0], plain.se[0], 400_000)
    draws = draws[(draws > 0) & (draws < 1)]
    assert fit.value[0] == pytest.approx(draws.mean(), abs=0.001)
    assert fit.se[0] == pytest.approx(draws.std(), abs=0.001)
    ends = [fit.lower[0], fit.upper[0]]
    assert ends == pytest.approx(np.quantile(draws, [0.1, 0.9]), abs=0.001)


def test_no_share_is_0_or_1_whatever_a_group_says_by_itself():
    fit = fay_herriot([-0.3, 1.2, 0.0, 1.0, 0.5, np.nan], [0.2] * 6)
    assert (fit.lower > 0).all()
    assert (fit.upper < 1).all()
    assert ((fit.lower < fit.value) & (fit.value < fit.upper)).all()


def test_a_group_without_an_estimate_gets_what_its_covariates_say():
    value, se, x = [0.1, 0.3, 0.2, 0.6, 0.5, np.nan], [0.1] * 5 + [np.nan], [1, 2, 3, 4, 5, 6]
    fit = fay_herriot(value, se, x, support=ANY, between_sd=0.1)
    assert fit.value[5] == pytest.approx(fit.coefficients @ [1, 6])
    assert fit.shrinkage[5] == 1
    assert fit.se[5] > fit.se[:5].max()
    assert np.isnan(fit.direct_se[5])
    assert fit.to_dict()["direct"][5] is None
    fewer = fay_herriot(value[:5], se[:5], x[:5], support=ANY, between_sd=0.1)
    assert fit.value[:5] == pytest.approx(fewer.value, rel=1e-12)


@pytest.mark.long
def test_weighted_shares_of_many_protected_answers_are_drawn_together():
    """Twelve answers, sampling weights, and what is known of eight regions."""
    rng, frame = np.random.default_rng(3), ak.Frame([*"abcdefghijkl"])
    channel, values, errors = ak.KAry(truth="4/5").channel(frame), [], []
    for _ in range(8):
        reports = ak.privatise(channel, rng.choice([*frame.answers], 150), rng=rng)
        sampling = ak.inference.SamplingDesign(weights=rng.uniform(1, 3, 150))
        item = ak.estimate(ak.tally(channel, reports, sampling=sampling))
        values.append(item.value[0])
        errors.append(item.se[0])
    fit = fay_herriot(values, errors, np.arange(8.0))
    assert (fit.se < fit.direct_se).all()
    assert fit.value == pytest.approx(1 / 12, abs=0.06)


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"value": [0.1, 0.2, 0.3]}, "fay_herriot"),
        ({"se": [0.1, 0.0, 0.1, 0.1]}, r"fay_herriot\.se\[1\]"),
        ({"value": [0.1, np.inf, 0.3, 0.2]}, r"fay_herriot\.value\[1\]"),
        ({"value": [0.1, np.nan, 0.3, np.nan]}, "2 groups with an estimate"),
        ({"groups": ["a"]}, r"fay_herriot\.groups"),
        ({"support": (1.0, 0.0)}, r"fay_herriot\.support"),
        ({"between_sd": -1.0}, r"fay_herriot\.between"),
        ({"value": [40.0, 0.2, 0.3, 0.4]}, r"fay_herriot\.value\[0\]"),
        ({"covariates": [[1.0]] * 3}, "3 rows"),
        ({"level": 1.0}, "level"),
    ],
)
def test_it_says_what_is_wrong(given, where):
    with pytest.raises(InputError, match=where):
        fay_herriot(**{"value": [0.1, 0.2, 0.3, 0.4], "se": [0.1] * 4} | given)


def test_covariates_that_determine_each_other_are_refused():
    with pytest.raises(NotIdentified):
        fay_herriot([0.1] * 6, [0.1] * 6, [[x, 2 * x] for x in range(6)])


@pytest.mark.long
def test_it_is_drawn_and_told():
    fit = fay_herriot([0.1, 0.2, 0.3, 0.4], [0.1] * 4, groups=[*"abcd"])
    assert [tick.get_text() for tick in fit.plot().get_yticklabels()] == [*"abcd"]
    assert str(fit).splitlines()[0] == "estimate of each group, shrunk towards its covariates"


def test_covariates_must_vary_among_groups_that_have_an_estimate():
    value, se = [0.1, 0.2, 0.3, 0.35, np.nan, 0.1], [0.1] * 6
    with pytest.raises(InputError, match="no variation"):
        fay_herriot(value, se, [0, 0, 0, 0, 1, 0])
    with pytest.raises(NotIdentified):
        fay_herriot(value, se, np.column_stack([[1, 2, 3, 4, 9, 6], [2, 4, 6, 8, 0, 12]]))


def test_very_precise_figures_keep_the_spread_between_them():
    """However small errors are, groups lie as far apart as they do; and in any unit."""
    value = np.array([0.1, 0.4, 0.35, 0.7, 0.5, 0.2, 0.9, 0.65])
    for se in (1e-3, 1e-6, 1e-12):
        fit = fay_herriot(value, np.full(8, se))
        assert 0.2 < fit.between_sd < 0.4
        assert fit.value == pytest.approx(value, abs=1e-4)
        endless = fay_herriot(value, np.full(8, se), support=ANY)
        assert 0.2 < endless.between_sd < 0.4
    large = fay_herriot(1e6 * value, np.full(8, 1e5), support=ANY)
    small = fay_herriot(value, np.full(8, 0.1), support=ANY)
    assert large.value == pytest.approx(1e6 * small.value)
    assert large.between_sd == pytest.approx(1e6 * small.between_sd)


def test_a_support_without_ends_leaves_next_to_nothing_out():
    """With three groups to spare the posterior of the variance falls slowest."""
    value, se = [0.1, 0.5, 0.2, 0.8], [0.1, 0.2, 0.1, 0.15]
    endless = fay_herriot(value, se, support=ANY)
    wide = fay_herriot(value, se, support=(-1e7, 1e7))
    assert endless.value == pytest.approx(wide.value, abs=1e-4)
    assert endless.lower == pytest.approx(wide.lower, abs=1e-3)
    assert endless.between_sd == pytest.approx(wide.between_sd, rel=0.005)


def test_the_figure_of_a_group_is_reached_by_its_name():
    value, se = [0.1, 0.3, 0.2, 0.2, np.nan], [0.1, 0.2, 0.1, 0.1, np.nan]
    fit = fay_herriot(value, se, groups=list("abdec"))
    assert [*fit] == ["a", "b", "d", "e", "c"]
    assert [area.value for _, area in fit.items()] == fit.value.tolist()
    assert fit["c"].to_dict()["direct"] is None
    assert fit["c"].shrinkage == pytest.approx(1)
