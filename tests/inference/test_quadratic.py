"""The best of a quadratic model: by whole sets at once, one by one, and by brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.inference import maximisation as solver
from askance.inference.maximisation import best_of_model


@st.composite
def models(draw):
    k = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    root = rng.normal(size=(k + draw(st.integers(0, 4)), k))
    curvature = root.T @ root + 10.0 ** draw(st.integers(-6, 0)) * np.eye(k)
    shares = rng.dirichlet(np.ones(k)) * (rng.random(k) < 0.7)
    if not shares.sum():
        shares[0] = 1.0
    return shares / shares.sum(), rng.normal(size=k) * 3, curvature


def value(model, point):
    shares, slope, curvature = model
    step = point - shares
    return slope @ step - step @ curvature @ step / 2


def brute(model):
    """Solve on every face; keep the best point that is on the simplex."""
    shares, slope, curvature = model
    linear, k, best = slope + curvature @ shares, len(shares), -np.inf
    for size in range(1, k + 1):
        for index in map(list, itertools.combinations(range(k), size)):
            border = np.zeros((size + 1, size + 1))
            border[:size, :size] = curvature[np.ix_(index, index)]
            border[size, :size] = border[:size, size] = 1
            solved = np.linalg.solve(border, np.append(linear[index], 1.0))[:size]
            if np.all(solved >= -1e-12):
                point = np.zeros(k)
                point[index] = solved
                best = max(best, value(model, point))
    return best


@settings(max_examples=150, deadline=None)
@given(models())
def test_no_face_holds_a_better_point(model):
    best = best_of_model(*model)
    assert best.min() >= 0
    assert best.sum() == pytest.approx(1)
    assert value(model, best) == pytest.approx(brute(model), rel=1e-8, abs=1e-9)


@settings(max_examples=80, deadline=None)
@given(models())
def test_both_ways_agree(model):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "_exchange_blocks", lambda *_: None)
        best = best_of_model(*model)
    assert value(model, best) == pytest.approx(value(model, best_of_model(*model)), abs=1e-8)
