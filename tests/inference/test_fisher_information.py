"""The information of one report, against closed forms and the variances of estimates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Channel, Frame, Tally
from askance.inference import fisher_information, maximum_likelihood, truth_lie_variance
from askance.mechanisms import Abstain
from askance_collect.errors import InputError

YES_NO = Frame(["yes", "no"])


@pytest.mark.parametrize("pi", [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize(("p", "q"), [(0.6, 0.1), (0.75, 0.25), (0.3, 0.05)])
def test_its_inverse_is_the_variance_of_many_reports(pi, p, q):
    n = 10**9
    information = fisher_information(Abstain(truth=p, lie=q).channel(YES_NO), pi)
    assert 1 / (n * information) == pytest.approx(truth_lie_variance(pi, p, q, n), rel=1e-7)


def test_silence_instead_of_lies():
    q = Abstain(truth=0.25, lie=0).channel(YES_NO)
    assert fisher_information(q, 0.2) == pytest.approx(0.25 / (0.2 * 0.8))
    assert fisher_information(q, 0.0) == np.inf
    matrix = fisher_information(q, [0.0, 1.0])
    assert (matrix[0, 0], matrix[0, 1]) == (np.inf, 0.75)


@pytest.mark.long
@settings(max_examples=20, deadline=None)
@given(st.integers(2, 5), st.integers(0, 3), st.integers(0, 2**32))
def test_the_matrix_is_what_standard_errors_invert(k, more, seed):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.ones(k + more), k) * 0.5 + np.eye(k, k + more) * 0.5
    answers = [f"a{index}" for index in range(k)]
    q = Channel(Frame(answers), {f"r{index}": [answers[0]] for index in range(k + more)}, rows)
    counts = np.rint(1e10 * rng.dirichlet(np.ones(k)) @ rows).astype(int)
    fit = maximum_likelihood(Tally(q, dict(zip(q.reports, counts.tolist(), strict=True))))
    shares = fit.value
    assert shares.min() > 0
    information = fisher_information(q, shares)
    assert information @ shares == pytest.approx(np.ones(k))
    basis = np.linalg.svd(np.ones((1, k)))[2][1:].T
    covariance = basis @ np.linalg.inv(basis.T @ information @ basis) @ basis.T
    assert covariance / counts.sum() == pytest.approx(fit.covariance, rel=1e-6, abs=1e-15)
    if k == 2:
        contrast = np.array([1, -1])
        scalar = fisher_information(q, float(shares[0]))
        assert contrast @ information @ contrast == pytest.approx(scalar)


def test_shares_that_are_none_are_refused():
    q = Abstain(truth=0.6, lie=0.1).channel(YES_NO)
    for shares in (1.2, float("nan"), [0.5, 0.6], [0.5, 0.3, 0.2]):
        with pytest.raises(InputError, match="prevalence"):
            fisher_information(q, shares)
    three = Abstain(truth=0.6, lie=0.1).channel(Frame(["a", "b", "c"]))
    with pytest.raises(InputError, match="each answer"):
        fisher_information(three, 0.5)
