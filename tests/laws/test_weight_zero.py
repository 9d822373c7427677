"""Rows of weight 0 change no result, whatever they tell: they are as good as not there."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

import askance as ak
from askance.channels import InclusionProbability, Ranges, RingChannel
from askance.inference import (
    SamplingDesign,
    cdf_intervals,
    censored_regression,
    compliance_regression,
    count_items,
    estimate_line,
    fit_family,
    functional_bounds,
    functional_interval,
    item_count,
    item_count_least_squares,
    item_count_outcome,
    item_count_regression,
    jackknife,
    naive_npmle,
    npmle,
    outcome_regression,
    paired_regression,
    quantile_intervals,
    response_regression,
    simultaneous_band,
    stochastic_lie_detector,
    unbiased_mean,
)
from askance_collect.exact import Floor, Line

LINE = (0.0, 10.0)
HEARD = InclusionProbability(np.arange(11.0), [1, 0.6, 0.8, 1, 0.7, 1, 1, 0.6, 1, 0.9])
CUT, RINGS = Line(0, 10, 1), RingChannel(Line(0, 10, 1), [1] * 9, Floor([1] * 10, 1))
FRAME, SAID = ak.Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}
YES_NO = ak.Channel(FRAME, SAID, [[0.75, 0.25], [0.25, 0.75]])
ASKED = [ak.Channel(FRAME, SAID, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8)]


def rows(rng, n, shape):
    """Draw what n people tell of a number on ten steps: one cut, two, or a ring."""
    y = rng.uniform(*LINE, n)
    number = {"one cut": 1, "two cuts": 2, "rings": 2}[shape]
    cuts = np.sort([rng.choice(np.arange(1.0, 10), number, replace=False) for _ in range(n)])
    edges = np.column_stack([np.full(n, -np.inf), cuts, np.full(n, np.inf)])
    result = []
    for number, row in zip(y, edges, strict=True):
        pieces = list(pairwise(row))
        content = int(np.searchsorted(row, number)) - 1
        result.append(pieces[content % 2 :: 2] if shape == "rings" else [pieces[content]])
    return result


def shown(result):
    """Flatten all numbers of a result."""
    if isinstance(result, (tuple, list)):
        return np.concatenate([shown(item) for item in result])
    named = result.to_dict() if hasattr(result, "to_dict") else result
    flat, todo = [], [named]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo += [value[name] for name in sorted(value, key=str)]
        elif isinstance(value, (list, tuple, np.ndarray)):
            todo += list(value)
        elif isinstance(value, (bool, int, float, np.number)):
            flat.append(float(value))
    return np.array(flat)


def pairs(seed, result, extra):
    """Give rows as they are; and with others of weight 0 strewn among them, the order kept."""
    rng = np.random.default_rng(seed)
    silent = rng.permutation(np.arange(len(result) + len(extra)) >= len(result))
    weights = np.zeros(len(silent))
    weights[~silent] = rng.integers(1, 4, len(result))
    iter_result, more = iter(result), iter(extra)
    every = [next(more) if off else next(iter_result) for off in silent.tolist()]
    return (result, weights[~silent]), (every, weights)


def widened(result):
    """Say that each range could have been any part of the line."""
    return Ranges([-np.inf] * len(result), [np.inf] * len(result))


def alike(read, item, other):
    assert shown(read(*other)) == pytest.approx(shown(read(*item)), rel=1e-6, abs=1e-7)


OF_RANGES = {
    "npmle": npmle,
    "naive_npmle": naive_npmle,
    "of selected": lambda result: npmle(result, inclusion=HEARD),
    "nulls": lambda output: npmle(output, inclusion=HEARD, nulls=5),
    "eligible": lambda told: npmle(told, eligible=widened(told)),
    "likelihood": lambda told: npmle(told).log_likelihood(told),
    "bounds": lambda told: functional_bounds(npmle(told), np.negative, LINE),
    "cdf_intervals": lambda told: cdf_intervals(told, 5),
    "cdf_intervals of selected": lambda told: cdf_intervals(told, 5, inclusion=HEARD),
    "quantile_intervals": lambda told: quantile_intervals(told, [0.5]),
    "simultaneous_band": simultaneous_band,
    "functional_interval": lambda told: functional_interval(told, np.negative, LINE),
    "average of selected": lambda told: functional_interval(
        told, np.negative, LINE, inclusion=HEARD
    ),
}
ONE_CUT_ALONE = {
    "unbiased_mean": lambda result: unbiased_mean(result, LINE),
    "fit_family": lambda output: fit_family(output, norm, fixed={"scale": 3.0}),
    "estimate_line": lambda told: estimate_line(ak.RangeChannel(CUT, [1] * 9), told),
}
ALONE = {"rings": {"estimate_line": lambda result: estimate_line(RINGS, result)}}
ALONE |= {"one cut": ONE_CUT_ALONE}


@pytest.mark.parametrize("shape", ["one cut", "two cuts", "rings"])
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_ranges_of_weight_0_change_nothing(shape, seed):
    """Nor does it matter that they are of another shape, or what ends they alone have."""
    rng = np.random.default_rng(seed)
    item, other = pairs(seed, rows(rng, 12, shape), rows(rng, 4, rng.choice(["two cuts", "rings"])))
    item, other = (Ranges.unions(result, weights) for result, weights in (item, other))
    for read in (OF_RANGES | ALONE.get(shape, {})).values():
        alike(read, (item,), (other,))


def people(rng, n):
    """Draw people: two answers, a covariate, an arm, how many items, an outcome, a cluster.

    Last, a report in that arm, as it is due where half answer yes, and half of these deny.
    """
    choices, (turn, arm) = rng.choice(["yes", "no"], (2, n)), np.divmod(np.arange(n), 2)
    reported = np.where(turn % 20 < np.where(arm, 13, 7), "yes", "no")
    sensitive = rng.integers(0, 2, n)
    count = rng.integers(0, 3, n) + arm * sensitive
    earned = rng.normal(sensitive, 1.0)
    columns = rng.normal(size=n), arm, count, earned, np.arange(n) % 9, reported
    return list(zip(*choices, *columns, strict=True))


def columns(result):
    return [np.array(column) for column in zip(*result, strict=True)]


OF_PEOPLE = {
    "response_regression": lambda p, w: response_regression(p[0], p[2][:, None], YES_NO, weights=w),
    "compliance_regression": lambda p, w: compliance_regression(
        p[7], None, ASKED, stochastic_lie_detector(), group=p[3], weights=w
    ),
    "outcome_regression": lambda p, w: outcome_regression(
        p[5], p[0], p[2][:, None], YES_NO, weights=w
    ),
    "paired_regression": lambda p, w: paired_regression(
        {"a": p[0], "b": p[1]}, p[2][:, None], {"a": YES_NO, "b": YES_NO}, weights=w
    ),
    "censored_regression": lambda p, w: censored_regression(
        Ranges(p[5].round(), p[5].round() + 1, w), p[2][:, None]
    ),
    "item_count": lambda p, w: item_count(count_items(p[4], p[3], items=2, weights=w)),
    "item_count_least_squares": lambda p, w: item_count_least_squares(
        p[4], p[3], p[2][:, None], items=2, link="identity", weights=w
    ),
    "item_count_regression": lambda p, w: item_count_regression(
        p[4], p[3], p[2][:, None], items=2, weights=w
    ),
    "item_count_outcome": lambda p, w: item_count_outcome(p[4], p[3], p[5], items=2, weights=w),
}


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_people_of_weight_0_change_no_regression(seed):
    """Of questions, of outcomes and of list experiments."""
    rng = np.random.default_rng(seed)
    data = pairs(seed, people(rng, 300), people(rng, 9))
    item, other = ((columns(result), weights) for result, weights in data)
    for read in OF_PEOPLE.values():
        alike(read, item, other)


def of_sample(result, clusters, weights):
    """What ranges and answers of a sample say, each drawn in a cluster."""
    sampling = SamplingDesign(weights=weights, clusters=clusters)
    ranges, index = Ranges.unions(result), rows_of(result)
    return [
        cdf_intervals(ranges, 5, sampling=sampling),
        cdf_intervals(ranges, 5, sampling=sampling, inclusion=HEARD),
        functional_interval(ranges, np.negative, LINE, sampling=sampling),
        npmle(ranges, sampling=jackknife(sampling)),
        response_regression(index, None, YES_NO, sampling=jackknife(sampling)),
    ]


def rows_of(result):
    """Make an answer of each range."""
    return ["yes" if pieces[0][0] < 3 else "no" for pieces in result]


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_people_of_weight_0_change_no_sample_that_has_their_cluster(seed):
    """A cluster of their own was drawn too, outside the domain: it counts."""
    rng = np.random.default_rng(seed)
    rows_result, extra = rows(rng, 18, "two cuts"), rows(rng, 4, "rings")
    rows_result, extra = (
        list(zip(some, (np.arange(len(some)) % 6).tolist(), strict=True))
        for some in (rows_result, extra)
    )
    item, other = (
        (*map(list, zip(*some, strict=True)), weights)
        for some, weights in pairs(seed, rows_result, extra)
    )
    alike(of_sample, item, other)
