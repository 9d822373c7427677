"""Small groups, partially pooled: beside sums over a grid, closed forms and laws."""

import json

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import beta

import askance as ak
from askance.inference import ShareLikelihood, estimate_small_areas
from askance_collect.errors import InputError, NotIdentified

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="4/5").channel(YN)
OTHER = ak.Warner(truth="4/5").channel(ak.Frame(["a", "b"]))
ABC = ak.Frame(["a", "b", "c"])
YES = {"north": 9, "east": 4, "south": 11, "west": 6}


def tallies(yes=YES, n=20, channel=WARNER):
    return {name: ak.Tally(channel, {"yes": value, "no": n - value}) for name, value in yes.items()}


def of(channel, *rows):
    return {
        f"group {index}": ak.Tally(channel, dict(zip(channel.reports, row, strict=True)))
        for index, row in enumerate(rows)
    }


@pytest.mark.checked("estimate_small_areas", by="a sum over a grid", value=5e-3, errors=1e-2)
@pytest.mark.long
def test_two_answers_are_what_a_sum_over_a_grid_gives(within):
    """Every mean, likeness and share of a grid, each as likely as it is."""
    pooled = (80 * (30 / 80 - 0.2) / 0.6 + 1) / 82
    reported = 0.2 + 0.6 * pooled
    usual = 20 * pooled * (1 - pooled) * 0.36 / (reported * (1 - reported))
    edges = np.linspace(0, 1, 501)
    x = (edges[1:] + edges[:-1]) / 2
    likely = [
        (0.2 + 0.6 * x) ** element * (0.8 - 0.6 * x) ** (20 - element) for element in YES.values()
    ]
    density, s = np.zeros((4, len(x))), np.exp(np.linspace(-4, 11, 50))
    for m in (np.arange(50) + 0.5) / 50:
        prior = np.diff(beta.cdf(edges, (s * m)[:, None], (s * (1 - m))[:, None]), axis=1)
        item = np.array([prior @ element for element in likely])
        weight = item.prod(axis=0) * s * usual / (s + usual) ** 2
        density += [
            element * ((weight / e) @ prior) for element, e in zip(likely, item, strict=True)
        ]
    density /= density.sum(axis=1, keepdims=True)
    mean = density @ x
    estimate = estimate_small_areas(tallies())
    assert estimate.value[:, 0] == pytest.approx(mean, abs=0.003)
    errors = np.sqrt(density @ x**2 - mean**2)
    assert estimate.se[:, 0] == pytest.approx(errors, abs=0.003)
    assert estimate.value[:, 0] == pytest.approx(mean, rel=within.value)
    assert estimate.se[:, 0] == pytest.approx(errors, rel=within.errors)
    below = np.cumsum(density, axis=1)
    for group in range(4):
        ends = [x[np.searchsorted(below[group], p)] for p in (0.025, 0.975)]
        assert [estimate.lower[group, 0], estimate.upper[group, 0]] == pytest.approx(
            ends, abs=0.008
        )


@pytest.mark.long
def test_three_plain_answers_have_a_closed_form_given_the_population():
    rows = np.array([(12, 5, 3), (4, 9, 7), (8, 8, 4), (2, 15, 3), (9, 6, 5)])
    plain = ak.KAry(truth="1").channel(ABC)
    estimate = estimate_small_areas(of(plain, *rows.tolist()))
    part = (np.arange(40) + 0.5) / 40
    m = np.array([(a, b, 1 - a - b) for a in part for b in part if a + b < 1])
    total, mean = 0.0, np.zeros(rows.shape)
    for s in np.exp(np.linspace(-3, 11, 60)):
        a = s * m[:, None]
        log = (gammaln(s) - gammaln(s + 20)) * len(rows)
        log = log + (gammaln(a + rows) - gammaln(a)).sum(axis=(1, 2))
        weight = np.exp(log + 100) * s * 20 / (s + 20) ** 2
        total += weight.sum()
        mean += np.tensordot(weight, (a + rows) / (s + 20), 1)
    assert estimate.value == pytest.approx(mean / total, abs=0.006)


@pytest.mark.long
def test_two_answers_among_three_are_as_two():
    """A third answer that nobody gives, and nobody could be thought to give, takes little."""
    two = estimate_small_areas(of(ak.KAry(truth="1").channel(YN), *[(30, 70), (50, 50), (40, 60)]))
    reports = [(30, 70, 0), (50, 50, 0), (40, 60, 0)]
    three = estimate_small_areas(of(ak.KAry(truth="1").channel(ABC), *reports))
    assert three.value[:, 0] == pytest.approx(two.value[:, 0], abs=0.02)
    assert (three.value[:, 2] > 0).all()
    assert (three.value[:, 2] < 0.02).all()


def test_order_of_groups_and_of_answers_does_not_matter():
    estimate = estimate_small_areas(tallies())
    back = estimate_small_areas(dict(reversed(tallies().items())))
    assert back.groups == tuple(reversed(estimate.groups))
    assert back.value[::-1] == pytest.approx(estimate.value, abs=1e-6)
    turned = ak.Warner(truth="4/5").channel(ak.Frame(["no", "yes"]))
    other = estimate_small_areas(tallies(channel=turned))
    assert other.value[:, ::-1] == pytest.approx(estimate.value, abs=0.003)


def test_the_same_reports_give_the_same_digits():
    item, other = (estimate_small_areas(tallies()).to_dict() for _ in range(2))
    assert json.dumps(item) == json.dumps(other)


def test_nobody_is_said_to_have_all_or_nothing():
    estimate = estimate_small_areas(tallies({"a": 0, "b": 20, "c": 3, "d": 8}))
    assert estimate.direct[0].tolist() == [0, 1]
    assert estimate.direct[1].tolist() == [1, 0]
    assert estimate.value.min() > 0
    assert estimate.value.max() < 1
    assert (estimate.lower < estimate.value).all()
    assert (estimate.value < estimate.upper).all()
    assert estimate.value.sum(axis=1) == pytest.approx(np.ones(4))


@pytest.mark.long
def test_small_groups_borrow_and_large_ones_do_not():
    sizes = {"small": (6, 20), "large": (6_000, 20_000), "b": (9, 20), "c": (12, 20), "d": (10, 20)}
    questions = {name: ak.Tally(WARNER, {"yes": y, "no": n - y}) for name, (y, n) in sizes.items()}
    estimate = estimate_small_areas(questions)
    assert estimate.direct[0] == pytest.approx(estimate.direct[1], abs=1e-6)
    assert estimate.value[1] == pytest.approx(estimate.direct[1], abs=0.002)
    assert estimate.direct[0, 0] + 0.02 < estimate.value[0, 0] < estimate.mean[0]
    assert estimate.se[0, 0] > 5 * estimate.se[1, 0]


def test_groups_that_are_alike_borrow_more():
    estimate = estimate_small_areas(tallies({"a": 7, "b": 8, "c": 7, "d": 8}))
    separate = estimate_small_areas(tallies({"a": 1, "b": 14, "c": 4, "d": 11}))
    assert estimate.between_sd[0] < separate.between_sd[0]
    assert estimate.se.mean() < separate.se.mean()


def test_a_group_without_a_report_has_what_the_others_say():
    estimate = estimate_small_areas(tallies() | {"nowhere": ak.Tally(WARNER, {})})
    assert np.isnan(estimate.direct[-1]).all()
    assert estimate.value[-1, 0] == pytest.approx(estimate.mean[0], abs=1e-3)
    assert estimate.se[-1, 0] > estimate.se[:-1, 0].max()
    assert estimate.to_dict()["direct"][-1] == [None, None]


def test_channels_may_differ_between_groups():
    plain = ak.KAry(truth="1").channel(YN)
    mixed = tallies() | {"plainly": ak.Tally(plain, {"yes": 6, "no": 14})}
    estimate = estimate_small_areas(mixed)
    assert estimate.se[-1, 0] < estimate.se[:-1, 0].min()


@pytest.mark.long
def test_many_groups_and_many_reports_stay_finite():
    estimate = estimate_small_areas(
        tallies({str(index): 2_000 + 100 * index for index in range(30)}, 9_000)
    )
    assert estimate.value[:, 0] == pytest.approx(estimate.direct[:, 0], abs=0.01)
    three = ak.KAry(truth="7/10").channel(ABC)
    several = estimate_small_areas(
        of(three, *[(10 + index % 7, 9, 2 + index % 5) for index in range(130)])
    )
    assert np.isfinite(several.upper).all()
    assert several.value.sum(axis=1) == pytest.approx(np.ones(130))


@pytest.mark.long
@pytest.mark.parametrize("answers", ["abcdef", pytest.param("abcdefgh", marks=pytest.mark.wide)])
def test_many_answers_cover_and_are_not_all_called_alike(answers):
    """A prior so sharp that it lies on single points makes up no evidence of groups being alike."""
    rng, channel = np.random.default_rng(1), ak.KAry(truth="7/10").channel(ak.Frame([*answers]))
    shares = rng.dirichlet([5] * len(answers), 30)
    estimate = estimate_small_areas(of(channel, *[rng.multinomial(20, p @ channel.matrix).tolist()
                                               for p in shares]))  # fmt: skip
    covered = (estimate.lower <= shares) & (shares <= estimate.upper)
    assert covered.mean() > 0.8
    assert estimate.se.mean() > 0.035
    assert np.sqrt(((estimate.value - shares) ** 2).mean()) < 0.075


@pytest.mark.long
@pytest.mark.parametrize(("answers", "n"), [("yn", 1_000_000), ("abc", 20_000)])
def test_large_groups_that_are_unlike_keep_their_own_shares_and_errors(answers, n):
    channel = ak.KAry(truth="3/4").channel(ak.Frame([*answers]))
    shares = np.random.default_rng(5).dirichlet([4] * len(answers), 5)
    rows = np.rint(n * shares @ channel.matrix).astype(int)
    questions = of(channel, *rows.tolist())
    result = estimate_small_areas(questions)
    alone = [ak.estimate(question) for question in questions.values()]
    se = np.array([item.se for item in alone])
    assert result.value == pytest.approx(np.array([item.value for item in alone]), abs=se.min() / 3)
    assert result.se == pytest.approx(se, rel=0.05)


@pytest.mark.long
def test_groups_too_large_to_borrow_are_refused():
    with pytest.raises(InputError, match=r"tallies\['a'\].*by themselves"):
        estimate_small_areas(tallies({"a": 3 * 10**9, "b": 4 * 10**9, "c": 5 * 10**9}, 10**10))


def test_it_is_told_and_drawn():
    estimate = estimate_small_areas(tallies(), level=0.9)
    assert "90 % from" in repr(estimate)
    assert "between groups: mean" in repr(estimate)
    ax = estimate.plot()
    assert [yticklabel.get_text() for yticklabel in ax.get_yticklabels()] == list(YES)
    assert len(ax.lines) == 3


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"a": ak.Tally(WARNER, {"yes": 1})}, "got '1 group, 1 report'"),
        ({}, "groups"),
        ({"a": ak.Tally(WARNER, {"yes": 1}), "b": ak.Tally(WARNER, {"yes": 1})}, "three groups"),
        ({str(index): ak.Tally(WARNER, {}) for index in range(4)}, "0 reports"),
        (
            {str(index): ak.Tally(ak.KAry(truth="1/2").channel(ak.Frame([*"abcdefghi"])), {"a": 1})
             for index in range(3)},
            "at most 8",
        ),
        (
            tallies() | {"other": ak.Tally(OTHER, {"a": 1})},
            "answers a, b",
        ),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        estimate_small_areas(given)


def test_a_channel_that_tells_nothing_is_refused():
    blind = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(NotIdentified):
        estimate_small_areas(tallies() | {"blind": ak.Tally(blind, {"yes": 3})})


def test_the_likelihood_is_the_sum_over_reports_and_its_gradient_the_slope():
    plain = ak.KAry(truth="1").channel(YN)
    likelihood = ShareLikelihood(tallies() | {"plainly": ak.Tally(plain, {"no": 3})})
    shares = np.array([(0.1 + 0.1 * position, 0.9 - 0.1 * position) for position in range(5)])
    by_hand = 3 * np.log(shares[-1, 1])
    for yes, (share, _) in zip(YES.values(), shares, strict=False):
        by_hand += yes * np.log(0.2 + 0.6 * share) + (20 - yes) * np.log(0.8 - 0.6 * share)
    assert likelihood.value(shares) == pytest.approx(by_hand)
    step = 1e-6
    for index in np.ndindex(5, 2):
        shifted = [shares.copy(), shares.copy()]
        shifted[0][index] += step
        shifted[1][index] -= step
        slope = (likelihood.value(shifted[0]) - likelihood.value(shifted[1])) / (2 * step)
        assert likelihood.gradient(shares)[index] == pytest.approx(slope, rel=1e-6, abs=1e-5)
    chance = (shares[:, None, :] @ likelihood.chances)[:, 0]
    assert likelihood.value(shares) == pytest.approx((likelihood.counts * np.log(chance)).sum())


def test_reports_that_shares_rule_out_are_impossible():
    plain = ak.KAry(truth="1").channel(YN)
    likelihood = ShareLikelihood({"a": ak.Tally(plain, {"yes": 3, "no": 1})})
    assert likelihood.value([[1, 0]]) == -np.inf
    assert np.isnan(likelihood.gradient([[1, 0]])).any()
    with pytest.raises(InputError, match=r"shape \(1, 2\)"):
        likelihood.value([0.3, 0.7])
    with pytest.raises(InputError, match=r"shares\[0, 1\]: got nan"):
        likelihood.value([[0.3, np.nan]])
    with pytest.raises(InputError, match="no group"):
        ShareLikelihood({})


def test_the_shares_of_a_group_are_reached_by_its_name():
    q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    tallies = {
        name: ak.Tally(q, {"yes": y, "no": 12 - y})
        for name, y in zip("abc", (1, 5, 6), strict=True)
    }
    fit = ak.inference.estimate_small_areas(tallies)
    assert [*fit] == ["a", "b", "c"]
    frame = fit.to_frame()
    for i, (name, area) in enumerate(fit.items()):
        assert (area.group, area.reports) == (name, 12)
        assert area.lower.tolist() == fit.lower[i].tolist()
        assert frame["share"][frame["group"] == name].tolist() == area.value.tolist()
        assert area.to_frame()["share"].tolist() == area.value.tolist()
