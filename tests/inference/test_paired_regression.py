"""Two protected answers regressed together."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import askance as ak

YN = ak.Frame(["yes", "no"])
ABC = ak.Frame(["a", "b", "c"])
ABSTAIN = ak.Abstain(truth=0.7, lie=0.1).channel(YN)
KARY = ak.Channel(ABC, {"a": ["a"], "b": ["b"], "c": ["c"]}, 0.7 * np.eye(3) + 0.1)


def people(n: int, seed: int = 4) -> tuple[dict[str, Any], np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 1))
    astype_result = (rng.random(n) > 1 / (1 + np.exp(-0.5 * X[:, 0]))).astype(int)
    two = np.where(rng.random(n) < 0.4, astype_result, rng.integers(0, 3, n))
    reports = {}
    for name, true, channel in (("x", astype_result, ABSTAIN), ("y", two, KARY)):
        code = (rng.random(n)[:, None] > channel.matrix[true].cumsum(axis=1)).sum(axis=1)
        reports[name] = np.array(channel.reports)[code.clip(max=2)]
    return reports, X


CHANNELS = {"x": ABSTAIN, "y": KARY}


@pytest.mark.long
def test_with_an_association_for_every_person_it_is_the_regression_of_pairs() -> None:
    """Without covariates that matter, the table of pairs is that of the joint estimate."""
    reports, X = people(3000)
    fit = ak.inference.paired_regression(reports, X, CHANNELS)
    assert fit.names == (
        "x yes: intercept",
        "x yes: x1",
        "y a: intercept",
        "y a: x1",
        "y b: intercept",
        "y b: x1",
        "x yes × y a",
        "x yes × y b",
    )
    pairs = [", ".join(pair) for pair in zip(reports["x"], reports["y"], strict=True)]
    joint = ak.response_regression(pairs, X, ak.channels.two_questions(ABSTAIN, KARY))
    assert 0 <= 2 * (joint.log_likelihood - fit.log_likelihood) < 20  # χ² on 2
    np.testing.assert_allclose(fit.prevalence().value, joint.prevalence().value, atol=0.02)
    assert fit.prevalence().labels[0] == "x yes, y a"


def test_independent_answers_factor() -> None:
    """With the association at 0 the likelihood is the product of the two regressions'."""
    reports, X = people(1000)
    alone = [ak.response_regression(reports[name], X, CHANNELS[name]) for name in "xy"]
    fit = ak.inference.paired_regression(reports, X, CHANNELS)
    values = np.concatenate([alone[0].value, alone[1].value, [0, 0]])
    total = fit.likelihood.total(values)
    assert total == pytest.approx(sum(item.log_likelihood for item in alone))
    assert fit.log_likelihood >= total


def test_a_blank_in_one_question_leaves_the_other() -> None:
    reports, X = people(500)
    holes: dict[str, Any] = {name: list(codes) for name, codes in reports.items()}
    holes["y"][:100] = [None] * 100
    fit = ak.inference.paired_regression(holes, X, CHANNELS, errors="robust")
    assert fit.convergence is ak.inference.Convergence.STATIONARY
    assert str(fit.standard_errors) == "robust"
    assert fit.n == 500


def test_expected_errors_go_through_all_reports_that_could_have_come() -> None:
    """Where one question is blank, through those of the other."""
    codes, X = people(600)
    reports: dict[str, Any] = {name: list(replies) for name, replies in codes.items()}
    reports["x"][:100], reports["y"][50:200] = [None] * 100, [None] * 150
    fit = ak.inference.paired_regression(reports, X, CHANNELS, errors="expected")
    seen_received, information = fit.likelihood.received, 0.0
    for first, second in itertools.product(range(4), repeat=2):
        like = (seen_received.index // 4 == 3) == (first == 3)
        like &= (seen_received.index % 4 == 3) == (second == 3)
        text = replace(seen_received, index=np.full(len(X), 4 * first + second))
        score = replace(fit.likelihood, received=text).scores(fit.value)
        chance = fit.predict(X) @ seen_received.chances[4 * first + second]
        information = information + (score * (like * chance)[:, None]).T @ score
    np.testing.assert_allclose(fit.covariance, np.linalg.inv(information), rtol=1e-6)
    assert str(fit.standard_errors) == "expected information"


def test_a_cluster_of_copies_is_one_row() -> None:
    reports, X = people(300)
    alone = ak.inference.paired_regression(reports, X, CHANNELS, errors="robust")
    twice = {name: np.tile(codes, 2) for name, codes in reports.items()}
    copied = ak.inference.paired_regression(
        twice, np.tile(X, (2, 1)), CHANNELS, clusters=np.tile(np.arange(300), 2)
    )
    np.testing.assert_allclose(copied.se, alone.se, rtol=1e-5)


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"channels": {"x": ABSTAIN}}, "two questions"),
        ({"reports": {"x": ["yes", "no"], "y": ["a"]}}, "1 reports"),
        ({"errors": "scores"}, "observed, expected, robust"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], match: str) -> None:
    reports, X = people(50)
    with pytest.raises(ak.errors.InputError, match=match):
        ak.inference.paired_regression(
            **{"reports": reports, "covariates": X, "channels": CHANNELS} | changed
        )
