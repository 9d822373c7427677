"""Regressions beside people who do not comply, beside every class counted out by hand."""

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.special import expit, ndtr

import askance as ak
from askance.inference import (
    Noncompliers,
    SamplingDesign,
    cheating_detection,
    compliance_regression,
    estimate_compliance,
    random_answerers,
    stochastic_lie_detector,
)

YN = ak.Frame(["yes", "no"])
MEANINGS = {"yes": ["yes"], "no": ["no"]}
FEW, MANY = (ak.Channel(YN, MEANINGS, [[1, 0], [p, 1 - p]]) for p in (F(1, 6), F(5, 6)))
CHANNELS = (FEW, MANY)
LIARS = stochastic_lie_detector()


def invented(n: int, seed: int = 1) -> tuple[list[str], Any, Any, Any]:
    """Give reports of carriers who deny the more the larger z is, with covariates and groups."""
    rng = np.random.default_rng(seed)
    x, z, group = rng.normal(size=n), rng.integers(0, 2, n), np.arange(n) % 2
    carries = rng.random(n) < expit(0.4 + 0.8 * x)
    denies = rng.random(n) < expit(-1.0 + 0.9 * z)
    forced = rng.random(n) < np.where(group, 5 / 6, 1 / 6)
    yes = np.where(carries, ~denies, forced)
    return ["yes" if item else "no" for item in yes], x, z, group


def fit_of(n: int = 1200, seed: int = 1, **how: Any) -> Any:
    replies, x, z, group = invented(n, seed)
    inputs = {"compliance": z, "compliance_terms": ["wary"], "terms": ["x"], "group": group}
    return compliance_regression(replies, x, CHANNELS, LIARS, **(inputs | how))


def by_hand(index: Any, replies: Any, x: Any, z: Any, group: Any, law: Any = expit) -> float:
    """The log-likelihood of the lie detector, row by row."""
    carries, denies = law(index[0] + index[1] * x), expit(index[2] + index[3] * z)
    forced = np.where(group, 5 / 6, 1 / 6)
    yes = carries * (1 - denies) + (1 - carries) * forced
    return float(np.log(np.where(np.array(replies) == "yes", yes, 1 - yes)).sum())


@pytest.mark.parametrize(("link", "law"), [("logit", expit), ("probit", ndtr)])
def test_the_likelihood_of_the_lie_detector_by_hand(link: str, law: Any) -> None:
    people = invented(600)
    fit = fit_of(600, link=link)
    assert fit.names == ("yes: intercept", "yes: x", "deny: intercept", "deny: wary")
    problem = fit.classes.likelihood
    for index in (fit.value, np.array([0.3, -0.5, -0.7, 0.4])):
        assert problem.total(index) == pytest.approx(by_hand(index, *people, law), rel=1e-12)
    slope = approx_fprime(fit.value, lambda position: by_hand(position, *people, law), 1e-7)
    np.testing.assert_allclose(slope, 0, atol=1e-3)


KINDS = {
    "cheats and liars": (YN, (cheating_detection(), LIARS), False),
    "three answers": (
        ak.Frame(["a", "b", "c"]),
        (Noncompliers(name="hide", says="c", answers=["a", "b"]), random_answerers()),
        False,
    ),
    "ordered": (
        ak.Frame(["a", "b", "c"]),
        (Noncompliers(name="hide", says={"c": "3/4", "b": "1/4"}),),
        True,
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", KINDS)
def test_derivatives_of_any_kinds(name: str) -> None:
    """Of the likelihood of reports, and class shares that sum to 1, for models of every shape."""
    frame, kinds, ordered = KINDS[name]
    k, rng = len(frame), np.random.default_rng(2)
    reports = {item: [item] for item in frame.answers}
    channels = [ak.Channel(frame, reports, rng.dirichlet(np.ones(k) / 3, k)) for _ in range(4)]
    x, z, group = rng.normal(size=4000), rng.normal(size=4000), np.arange(4000) % 4
    wide = np.stack([ak.inference.with_noncompliers(channel, kinds).matrix for channel in channels])
    people = rng.choice(
        wide.shape[1], 4000, p=np.append(np.full(k, 0.7 / k), [0.3 / len(kinds)] * len(kinds))
    )
    chances = wide[group, people].cumsum(axis=1)
    answer = [
        frame.answers[position]
        for position in (rng.random((4000, 1)) > chances[:, :-1]).sum(axis=1)
    ]
    how = {"group": group, "compliance": z, "ordered": ordered}
    fit = compliance_regression(answer, x, channels, kinds, **how)
    problem, model = fit.classes.likelihood, fit.model
    index = fit.value + rng.normal(0, 0.1, len(fit.value))
    eta = problem.model_matrix @ model.weights(index)
    np.testing.assert_allclose(model.shares(eta).sum(axis=1), 1, atol=1e-12)
    assert model.shares(eta).min() > 0
    np.testing.assert_allclose(
        problem.slope(index), approx_fprime(index, problem.total, 1e-7), rtol=1e-4, atol=2e-2
    )
    steps = 1e-5 * np.eye(len(index))
    bend = [(problem.slope(index + step) - problem.slope(index - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(problem.observed(index), -np.array(bend), rtol=1e-5, atol=1e-3)


def test_shares_from_which_it_starts_are_those_it_has() -> None:
    fit = fit_of(400)
    wanted = np.array([0.3, 0.5, 0.2])
    eta = np.array([[1.0, 0, 0]]) @ fit.model.weights(fit.model.start(wanted))
    np.testing.assert_allclose(fit.model.shares(eta)[0], wanted, atol=1e-12)


@pytest.mark.parametrize("kind", [LIARS, cheating_detection()], ids=lambda item: item.name)
def test_without_covariates_it_is_the_estimate_of_a_tally(kind: Noncompliers) -> None:
    replies, _, _, group = invented(1500)
    tallies = {
        str(index): ak.tally(
            element, [r for r, g in zip(replies, group, strict=True) if g == index]
        )
        for index, element in enumerate(CHANNELS)
    }
    estimate = estimate_compliance(ak.channels.GroupedTally(tallies), kind)
    fit = compliance_regression(replies, None, CHANNELS, kind, group=group)
    np.testing.assert_allclose(fit.classes.prevalence().value, estimate.classes.low, atol=1e-6)
    if kind.answers:
        np.testing.assert_allclose(fit.prevalence().value, estimate.answers.low, atol=1e-6)
    else:  # as frequent as among those who comply
        share = estimate.classes.low[:2] / estimate.classes.low[:2].sum()
        np.testing.assert_allclose(fit.prevalence().value, share, atol=1e-6)


def test_a_switch_in_both_is_two_surveys() -> None:
    replies, _, z, group = invented(2000)
    fit = compliance_regression(replies, z, CHANNELS, LIARS, compliance=z, group=group)
    for number in (0, 1):
        flatnonzero_result = np.flatnonzero(z == number)
        alone = compliance_regression(
            [replies[index] for index in flatnonzero_result],
            None,
            CHANNELS,
            LIARS,
            group=group[flatnonzero_result],
        )
        own = fit.value[[0, 2]] + number * fit.value[[1, 3]]
        np.testing.assert_allclose(own, alone.value, atol=1e-5)


@pytest.mark.long
def test_items_of_the_same_people_share_who_does_not_comply() -> None:
    """Three items, each asked of one half in either way; brute force finds the same top."""
    rng = np.random.default_rng(5)
    people = 1500
    cheats = rng.random(people) < 0.2
    group = np.arange(people) % 2
    rows: list[tuple[int, int, int, str]] = []
    for item, share in enumerate((0.2, 0.4, 0.6)):
        yes = (rng.random(people) < share) | (rng.random(people) < np.where(group, 5 / 6, 1 / 6))
        selected = np.where(yes & ~cheats, "yes", "no")
        rows += [(who, item, group[who], selected[who]) for who in range(people)]
    who, item, questions, selected = (list(part) for part in zip(*rows, strict=True))
    X = np.column_stack([np.array(item) == 1, np.array(item) == 2]).astype(float)
    fit = compliance_regression(
        selected,
        X,
        CHANNELS,
        cheating_detection(),
        group=questions,
        clusters=who,
        terms=["second", "third"],
    )
    assert fit.names == ("yes: intercept", "yes: second", "yes: third", "cheat: intercept")
    assert str(fit.classes.standard_errors) == "1,500 clusters"

    def down(index: Any) -> float:
        p = expit(index[0] + X @ index[1:3])
        forced = np.where(np.array(questions), 5 / 6, 1 / 6)
        yes = (1 - expit(index[3])) * (p + (1 - p) * forced)
        return -float(np.log(np.where(np.array(selected) == "yes", yes, 1 - yes)).sum())

    optimum = minimize(down, np.zeros(4), tol=1e-10)
    np.testing.assert_allclose(fit.value, optimum.x, atol=2e-4)
    alone = compliance_regression(
        selected[:people], None, CHANNELS, cheating_detection(), group=questions[:people]
    )
    assert fit.se[3] < alone.se[1]
    assert abs(expit(fit.value[3]) - 0.2) < 0.06


@pytest.mark.long
def test_designs_are_those_of_rows_and_clusters() -> None:
    w, school = np.random.default_rng(3).uniform(0.5, 2, 1200), np.arange(1200) // 10
    robust = fit_of(weights=w, errors="robust")
    fit = fit_of(sampling=SamplingDesign(weights=w))
    np.testing.assert_allclose(fit.classes.covariance, robust.classes.covariance, rtol=1e-9)
    assert fit.classes.df == 1200 - 4
    clusters = fit_of(weights=w, clusters=school)
    schools = fit_of(sampling=SamplingDesign(weights=w, clusters=school))
    np.testing.assert_allclose(schools.classes.covariance, clusters.classes.covariance, rtol=1e-9)
    assert schools.classes.df == 120 - 4
    assert (schools.prevalence().upper > schools.prevalence().value).all()
    stratified = SamplingDesign(weights=w, strata=np.arange(1200) // 300, clusters=school)
    assert not np.allclose(fit_of(sampling=stratified).se, schools.se, rtol=1e-4)


@pytest.mark.long
def test_the_truth_is_found_and_tests_are_those_of_likelihoods() -> None:
    fit = fit_of(8000)
    assert (np.abs(fit.value - [0.4, 0.8, -1.0, 0.9]) / fit.se).max() < 3.5
    smaller = fit_of(8000, compliance=None, compliance_terms=None)
    statistic, df, p = fit.likelihood_ratio(smaller)
    assert df == 1
    assert statistic > 10 > p
    replies, x, _, group = invented(8000)
    others = compliance_regression(replies, x, CHANNELS, cheating_detection(), group=group)
    with pytest.raises(ak.errors.InputError, match="cheat"):
        fit.likelihood_ratio(others)
    replies, x, z, group = invented(1200)
    by_z = compliance_regression(replies, z, CHANNELS, LIARS, group=group)
    assert len(by_z.value) < len(fit_of().value)
    with pytest.raises(ak.errors.InputError, match="not nested"):
        fit_of().likelihood_ratio(by_z)
    table = dict(zip("yxzg", invented(8000), strict=True))
    again = compliance_regression(
        "y", "~ x", CHANNELS, LIARS, compliance="~ z", data=table, group="g"
    )
    np.testing.assert_allclose(again.value, fit.value, atol=1e-9)
    assert "deny: z" in repr(again)
    document = again.to_dict()
    assert document["prevalence"]["labels"] == ["yes", "no"]
    assert document["classes"]["labels"][2] == "deny"
    prevalence_result = again.prevalence([[0.0, 1.0]])
    assert prevalence_result.value[0] == pytest.approx(expit(fit.value[0]))


def test_what_cannot_be_told_is_refused() -> None:
    replies, x, z, group = invented(400)
    with pytest.raises(ak.errors.NotIdentified, match="estimate_compliance gives bounds"):
        compliance_regression(replies, None, FEW, cheating_detection())
    with pytest.raises(ak.errors.InputError, match="at least one kind"):
        compliance_regression(replies, x, CHANNELS, (), group=group)
    with pytest.raises(ak.errors.InputError, match="compliance"):
        compliance_regression(replies, x, CHANNELS, LIARS, compliance=z[:-1], group=group)
    with pytest.raises(ak.errors.InputError, match=r"^compliance: .*missing or infinite in row 0"):
        compliance_regression(
            replies, x, CHANNELS, LIARS, compliance=np.full(400, np.nan), group=group
        )
    with pytest.raises(ak.errors.InputError, match="never"):
        compliance_regression(
            replies, x, CHANNELS, Noncompliers(name="a", says="never"), group=group
        )
