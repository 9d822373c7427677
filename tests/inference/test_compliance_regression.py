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
SAID = {"yes": ["yes"], "no": ["no"]}
FEW, MANY = (ak.Channel(YN, SAID, [[1, 0], [p, 1 - p]]) for p in (F(1, 6), F(5, 6)))
BOTH = (FEW, MANY)
LIARS = stochastic_lie_detector()


def invented(n: int, seed: int = 1) -> tuple[list[str], Any, Any, Any]:
    """Give reports of carriers who deny the more the larger z is, with covariates and groups."""
    rng = np.random.default_rng(seed)
    x, z, group = rng.normal(size=n), rng.integers(0, 2, n), np.arange(n) % 2
    carries = rng.random(n) < expit(0.4 + 0.8 * x)
    denies = rng.random(n) < expit(-1.0 + 0.9 * z)
    forced = rng.random(n) < np.where(group, 5 / 6, 1 / 6)
    yes = np.where(carries, ~denies, forced)
    return ["yes" if one else "no" for one in yes], x, z, group


def fit_of(n: int = 1200, seed: int = 1, **how: Any) -> Any:
    said, x, z, group = invented(n, seed)
    given = {"compliance": z, "compliance_terms": ["wary"], "terms": ["x"], "group": group}
    return compliance_regression(said, x, BOTH, LIARS, **(given | how))


def by_hand(at: Any, said: Any, x: Any, z: Any, group: Any, law: Any = expit) -> float:
    """The log-likelihood of the lie detector, row by row."""
    carries, denies = law(at[0] + at[1] * x), expit(at[2] + at[3] * z)
    forced = np.where(group, 5 / 6, 1 / 6)
    yes = carries * (1 - denies) + (1 - carries) * forced
    return float(np.log(np.where(np.array(said) == "yes", yes, 1 - yes)).sum())


@pytest.mark.parametrize(("link", "law"), [("logit", expit), ("probit", ndtr)])
def test_the_likelihood_of_the_lie_detector_by_hand(link: str, law: Any) -> None:
    people = invented(600)
    fit = fit_of(600, link=link)
    assert fit.names == ("yes: intercept", "yes: x", "deny: intercept", "deny: wary")
    problem = fit.classes.likelihood
    for at in (fit.value, np.array([0.3, -0.5, -0.7, 0.4])):
        assert problem.total(at) == pytest.approx(by_hand(at, *people, law), rel=1e-12)
    slope = approx_fprime(fit.value, lambda at: by_hand(at, *people, law), 1e-7)
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
    reports = {one: [one] for one in frame.answers}
    channels = [ak.Channel(frame, reports, rng.dirichlet(np.ones(k) / 3, k)) for _ in range(4)]
    x, z, group = rng.normal(size=4000), rng.normal(size=4000), np.arange(4000) % 4
    wide = np.stack([ak.inference.with_noncompliers(one, kinds).matrix for one in channels])
    people = rng.choice(
        wide.shape[1], 4000, p=np.append(np.full(k, 0.7 / k), [0.3 / len(kinds)] * len(kinds))
    )
    chances = wide[group, people].cumsum(axis=1)
    said = [frame.answers[at] for at in (rng.random((4000, 1)) > chances[:, :-1]).sum(axis=1)]
    how = {"group": group, "compliance": z, "ordered": ordered}
    fit = compliance_regression(said, x, channels, kinds, **how)
    problem, model = fit.classes.likelihood, fit.model
    at = fit.value + rng.normal(0, 0.1, len(fit.value))
    eta = problem.model_matrix @ model.weights(at)
    np.testing.assert_allclose(model.shares(eta).sum(axis=1), 1, atol=1e-12)
    assert model.shares(eta).min() > 0
    np.testing.assert_allclose(
        problem.slope(at), approx_fprime(at, problem.total, 1e-7), rtol=1e-4, atol=2e-2
    )
    steps = 1e-5 * np.eye(len(at))
    bend = [(problem.slope(at + one) - problem.slope(at - one)) / 2e-5 for one in steps]
    np.testing.assert_allclose(problem.observed(at), -np.array(bend), rtol=1e-5, atol=1e-3)


def test_shares_from_which_it_starts_are_those_it_has() -> None:
    fit = fit_of(400)
    wanted = np.array([0.3, 0.5, 0.2])
    eta = np.array([[1.0, 0, 0]]) @ fit.model.weights(fit.model.start(wanted))
    np.testing.assert_allclose(fit.model.shares(eta)[0], wanted, atol=1e-12)


@pytest.mark.parametrize("kind", [LIARS, cheating_detection()], ids=lambda one: one.name)
def test_without_covariates_it_is_the_estimate_of_a_tally(kind: Noncompliers) -> None:
    said, _, _, group = invented(1500)
    tallies = {
        str(at): ak.tally(one, [r for r, g in zip(said, group, strict=True) if g == at])
        for at, one in enumerate(BOTH)
    }
    known = estimate_compliance(ak.channels.GroupedTally(tallies), kind)
    fit = compliance_regression(said, None, BOTH, kind, group=group)
    np.testing.assert_allclose(fit.classes.prevalence().value, known.classes.low, atol=1e-6)
    if kind.answers:
        np.testing.assert_allclose(fit.prevalence().value, known.answers.low, atol=1e-6)
    else:  # as frequent as among those who comply
        share = known.classes.low[:2] / known.classes.low[:2].sum()
        np.testing.assert_allclose(fit.prevalence().value, share, atol=1e-6)


def test_a_switch_in_both_is_two_surveys() -> None:
    said, _, z, group = invented(2000)
    fit = compliance_regression(said, z, BOTH, LIARS, compliance=z, group=group)
    for one in (0, 1):
        kept = np.flatnonzero(z == one)
        alone = compliance_regression(
            [said[at] for at in kept], None, BOTH, LIARS, group=group[kept]
        )
        own = fit.value[[0, 2]] + one * fit.value[[1, 3]]
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
        said = np.where(yes & ~cheats, "yes", "no")
        rows += [(who, item, group[who], said[who]) for who in range(people)]
    who, item, asked, said = (list(part) for part in zip(*rows, strict=True))
    X = np.column_stack([np.array(item) == 1, np.array(item) == 2]).astype(float)
    fit = compliance_regression(
        said, X, BOTH, cheating_detection(), group=asked, clusters=who, terms=["second", "third"]
    )
    assert fit.names == ("yes: intercept", "yes: second", "yes: third", "cheat: intercept")
    assert str(fit.classes.standard_errors) == "1,500 clusters"

    def down(at: Any) -> float:
        p = expit(at[0] + X @ at[1:3])
        forced = np.where(np.array(asked), 5 / 6, 1 / 6)
        yes = (1 - expit(at[3])) * (p + (1 - p) * forced)
        return -float(np.log(np.where(np.array(said) == "yes", yes, 1 - yes)).sum())

    found = minimize(down, np.zeros(4), tol=1e-10)
    np.testing.assert_allclose(fit.value, found.x, atol=2e-4)
    alone = compliance_regression(
        said[:people], None, BOTH, cheating_detection(), group=asked[:people]
    )
    assert fit.se[3] < alone.se[1]
    assert abs(expit(fit.value[3]) - 0.2) < 0.06


@pytest.mark.long
def test_designs_are_those_of_rows_and_clusters() -> None:
    w, school = np.random.default_rng(3).uniform(0.5, 2, 1200), np.arange(1200) // 10
    robust = fit_of(weights=w, errors="robust")
    drawn = fit_of(sampling=SamplingDesign(weights=w))
    np.testing.assert_allclose(drawn.classes.covariance, robust.classes.covariance, rtol=1e-9)
    assert drawn.classes.df == 1200 - 4
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
    said, x, _, group = invented(8000)
    others = compliance_regression(said, x, BOTH, cheating_detection(), group=group)
    with pytest.raises(ak.errors.InputError, match="cheat"):
        fit.likelihood_ratio(others)
    said, x, z, group = invented(1200)
    by_z = compliance_regression(said, z, BOTH, LIARS, group=group)
    assert len(by_z.value) < len(fit_of().value)
    with pytest.raises(ak.errors.InputError, match="not nested"):
        fit_of().likelihood_ratio(by_z)
    table = dict(zip("yxzg", invented(8000), strict=True))
    again = compliance_regression("y", "~ x", BOTH, LIARS, compliance="~ z", data=table, group="g")
    np.testing.assert_allclose(again.value, fit.value, atol=1e-9)
    assert "deny: z" in repr(again)
    told = again.to_dict()
    assert told["prevalence"]["labels"] == ["yes", "no"]
    assert told["classes"]["labels"][2] == "deny"
    one = again.prevalence([[0.0, 1.0]])
    assert one.value[0] == pytest.approx(expit(fit.value[0]))


def test_what_cannot_be_told_is_refused() -> None:
    said, x, z, group = invented(400)
    with pytest.raises(ak.errors.NotIdentified, match="estimate_compliance gives bounds"):
        compliance_regression(said, None, FEW, cheating_detection())
    with pytest.raises(ak.errors.InputError, match="at least one kind"):
        compliance_regression(said, x, BOTH, (), group=group)
    with pytest.raises(ak.errors.InputError, match="compliance"):
        compliance_regression(said, x, BOTH, LIARS, compliance=z[:-1], group=group)
    with pytest.raises(ak.errors.InputError, match=r"^compliance: .*missing or infinite in row 0"):
        compliance_regression(said, x, BOTH, LIARS, compliance=np.full(400, np.nan), group=group)
    with pytest.raises(ak.errors.InputError, match="never"):
        compliance_regression(said, x, BOTH, Noncompliers(name="a", says="never"), group=group)
