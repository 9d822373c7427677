"""Rows with counts are the rows repeated: every figure of a list experiment is the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.inference import (
    SamplingDesign,
    count_items,
    design_effect_test,
    double_item_count,
    hausman_test,
    item_count,
    item_count_least_squares,
    item_count_outcome,
    item_count_regression,
    item_count_with_direct,
)
from askance_collect.errors import AskanceError, InputError

LEAST = {"rel": 1e-6, "abs": 1e-8}


def shown(result):
    """Flatten a result, by the names under which it writes what it holds: numbers, and all else."""
    numbers, others = {}, {}
    todo = [("", result.to_dict())]
    while todo:
        path, item = todo.pop()
        if isinstance(item, dict):
            todo += [(f"{path}.{name}", part) for name, part in item.items()]
        elif isinstance(item, (list, tuple, np.ndarray)):
            todo += [(f"{path}.{index}", part) for index, part in enumerate(item)]
        elif isinstance(item, (bool, int, float, np.number)):
            numbers[path] = float(item)
        else:
            others[path] = item
    return {path: value for path, value in numbers.items() if not path.endswith(".gap")}, others


def both_lists(rows, how):
    return double_item_count(rows["said"], rows["again"], rows["arm"], **how)


def with_direct(rows, how):
    return item_count_with_direct(rows["said"], rows["arm"], rows["open"], **how)


def tallied(rows, how):
    return count_items(rows["said"], rows["arm"], items=3, **how)


def likely(rows, how, **model):
    return item_count_regression(rows["said"], rows["arm"], rows["x"], items=3, **model, **how)


def by_means(rows, how, **model):
    return item_count_least_squares(rows["said"], rows["arm"], rows["x"], items=3, **model, **how)


def outcome(rows, how, **model):
    return item_count_outcome(
        rows["said"], rows["arm"], rows["earned"], rows["x"], items=3, **model, **how
    )


FITS = {
    "tally": tallied,
    "difference": lambda rows, how: item_count(tallied(rows, how)),
    "types": lambda rows, how: item_count(tallied(rows, how)).likely_types(),
    "design effect": lambda rows, how: design_effect_test(tallied(rows, how)),
    "two lists": both_lists,
    "direct": with_direct,
    "likelihood": likely,
    "robust": lambda rows, how: likely(rows, how, errors="robust"),
    "clusters": lambda rows, how: likely(rows, how, clusters=rows["cluster"]),
    "anchored": lambda rows, how: likely(rows, how, anchored=True),
    "level": lambda rows, how: likely(rows, how, condition="level"),
    "unconstrained": lambda rows, how: likely(rows, how, constrained=False),
    "ceiling": lambda rows, how: likely(rows, how, misreport="ceiling"),
    "profile": lambda rows, how: likely(rows, how).coefficients("profile"),
    "squares": by_means,
    "lines": lambda rows, how: by_means(rows, how, link="identity"),
    "squares anchored": lambda rows, how: by_means(rows, how, anchored=True),
    "squares, clusters": lambda rows, how: by_means(rows, how, clusters=rows["cluster"]),
    "Hausman": lambda rows, how: hausman_test(by_means(rows, how), likely(rows, how)),
    "outcome": outcome,
    "outcome, robust": lambda rows, how: outcome(rows, how, errors="robust"),
    "outcome, clusters": lambda rows, how: outcome(rows, how, clusters=rows["cluster"]),
}


def people(seed, n=120):
    """Draw rows, and how often each is there; the clusters keep repeated rows together."""
    rng = np.random.default_rng(seed)
    x, arm = rng.integers(0, 2, n), np.arange(n) % 2
    z = rng.random(n) < np.where(x, 0.6, 0.35)
    openly = z & (rng.random(n) < 0.5)
    rows = {
        "x": x,
        "arm": arm,
        "said": rng.binomial(3, 0.5, n) + z * arm,
        "again": rng.binomial(3, 0.5, n) + z * (1 - arm),
        "open": openly.astype(int),
        "earned": rng.normal(z + 0.5 * x).round(3),
        "cluster": np.arange(n) // 4,
    }
    return rows, rng.integers(0, 4, n)


@pytest.mark.parametrize("name", FITS)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_counts_are_the_rows_repeated(name, seed):
    """Estimates, errors of every kind, intervals, tests, and how many people there are."""
    rows, counts = people(seed)
    repeated = {column: np.repeat(value, counts) for column, value in rows.items()}
    fit = FITS[name]
    try:
        item = shown(fit(repeated, {}))
    except AskanceError as refused:  # whatever is refused is so either way
        with pytest.raises(type(refused)):
            fit(rows, {"counts": counts})
        return
    numbers, others = shown(fit(rows, {"counts": counts}))
    assert numbers == pytest.approx(item[0], **LEAST, nan_ok=True)
    assert others == item[1]


@pytest.mark.parametrize("fit", [likely, by_means, outcome])
def test_people_are_counted_as_often_as_they_are_there(fit):
    rows, counts = people(7)
    assert fit(rows, {"counts": counts}).n == counts.sum()


@pytest.mark.parametrize("name", ["tally", "two lists", "direct", "likelihood", "squares"])
def test_counts_stand_beside_no_weights_and_are_whole(name):
    """Sampling weights and frequencies are never given at once."""
    rows, counts = people(7)
    sampling = SamplingDesign(weights=np.ones(len(counts)))
    further = [({"sampling": sampling}, "beside a sampling design")]
    if name not in ("two lists", "direct"):
        further.append(({"weights": np.ones(len(counts))}, "beside sampling weights"))
    for more, match in further:
        with pytest.raises(InputError, match=match):
            FITS[name](rows, {"counts": counts} | more)
    with pytest.raises(InputError, match=r"counts\[0\].*whole numbers"):
        FITS[name](rows, {"counts": counts + 0.5})


def test_counts_may_be_named_as_a_column():
    rows, counts = people(7)
    data = rows | {"times": counts}
    questions = {"items": 3, "data": data, "counts": "times"}
    named = item_count_regression("said", "arm", "~ x", **questions)
    assert named.value.tolist() == likely(rows, {"counts": counts}).value.tolist()
    assert count_items("said", "arm", **questions) == tallied(rows, {"counts": counts})
