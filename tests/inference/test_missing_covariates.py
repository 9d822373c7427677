"""Rows with a missing covariate are refused by number, or left out of a sample that stays whole."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose

import askance as ak

lab = ak.inference
N = 240
Q = ak.Warner(truth="4/5").channel(ak.Frame(["yes", "no"]))
HOLED = np.arange(N) % 7 == 3


def invented() -> pd.DataFrame:
    rng = np.random.default_rng(6)
    x = rng.normal(size=N)
    truth = np.where(rng.random(N) < 1 / (1 + np.exp(-x)), "yes", "no")
    cut = rng.normal(size=N)
    below = x + rng.normal(size=N) <= cut
    return pd.DataFrame(
        {
            "said": ak.privatise(Q, truth, rng=rng),
            "x": np.where(HOLED, np.nan, x),
            "kind": rng.choice(["a", "b"], N),
            "w": rng.choice([1.0, 3.0], N),
            "village": np.arange(N) // 8,
            "low": np.where(below, -np.inf, cut),
            "high": np.where(below, cut, np.inf),
        }
    )


@pytest.mark.long
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.from_pandas, lambda item: item.to_dict("list")])
def test_rows_with_holes_are_left_out(frame):
    table = invented()
    regression = ak.response_regression(
        "said", "~ x + kind", Q, data=table[~HOLED], clusters="village"
    )
    result = ak.response_regression(
        "said", "~ x + kind", Q, data=frame(table), clusters="village", missing="drop"
    )
    assert result.n == regression.n == N - HOLED.sum()
    assert_allclose(result.value, regression.value)
    assert_allclose(result.covariance, regression.covariance)
    with pytest.raises(ak.errors.InputError, match="row"):
        ak.response_regression("said", "~ x + kind", Q, data=frame(table))


@pytest.mark.parametrize("kind", [np.asarray, list, pd.DataFrame])
def test_rows_of_arrays_are_left_out(kind):
    table = invented()
    x = kind(table[["x"]].to_numpy())
    more = {"weights": table["w"].to_numpy(), "group": [0] * N}
    regression = ak.response_regression(table["said"].tolist(), x, Q, missing="drop", **more)
    rest = table[~HOLED]
    known_regression = ak.response_regression(
        rest["said"].tolist(), rest[["x"]].to_numpy(), Q, weights=rest["w"].to_numpy()
    )
    assert_allclose(regression.value, known_regression.value)
    assert_allclose(regression.covariance, known_regression.covariance)


@pytest.mark.long
@pytest.mark.parametrize("named", [False, True])
def test_a_design_stays_whole(named):
    """Villages and strata count that have nobody left; not so if rows are cut out beforehand."""
    table = invented()
    table.loc[table["village"] == 5, "x"] = np.nan
    sampling = lab.SamplingDesign(weights="w", clusters="village", data=table)
    to_numpy_result = table["x"].notna().to_numpy()
    filled = table.assign(x=table["x"].fillna(0.0))
    regression = ak.response_regression(
        "said", "~ x", Q, data=filled, sampling=sampling.domain(to_numpy_result)
    )
    columns = lab.SamplingColumns(weights="w", clusters="village") if named else sampling
    result = ak.response_regression("said", "~ x", Q, data=table, sampling=columns, missing="drop")
    assert_allclose(result.value, regression.value)
    assert_allclose(result.covariance, regression.covariance)
    assert result.df == regression.df
    ranges = ak.Ranges(table["low"], table["high"])
    line = ak.censored_regression(ranges, "~ x", data=table, sampling=columns, missing="drop")
    also = ak.censored_regression(
        ranges, "~ x", data=filled, sampling=sampling.domain(to_numpy_result)
    )
    assert_allclose(line.covariance, also.covariance)


def test_numbers_leave_rows_out_too():
    table = invented()
    ranges, rest = ak.Ranges(table["low"], table["high"]), table[~HOLED]
    regression = ak.censored_regression(ak.Ranges(rest["low"], rest["high"]), "~ x", data=rest)
    result = ak.censored_regression(ranges, "~ x", data=table, missing="drop")
    assert_allclose(result.value, regression.value)
    arrays = ak.censored_regression(ranges, table[["x"]], missing="drop")
    assert arrays.terms == ("x",)
    assert_allclose(arrays.value, regression.value)
    alone = ak.censored_regression(ranges, missing="drop")
    assert_allclose(alone.value, ak.censored_regression(ranges).value)


def test_rows_that_do_not_pair_are_refused():
    """With fewer covariates than reports the last reports were left out unseen."""
    table = invented()
    x, tolist_result = table[["x"]].to_numpy(), table["said"].tolist()
    for rows in (200, 300):
        some = np.resize(x, (rows, 1))
        with pytest.raises(ak.errors.InputError, match=rf"240 rows.*{rows}, as covariates have"):
            ak.response_regression(tolist_result, some, Q, missing="drop")
    with pytest.raises(ak.errors.InputError, match=r"w.*2 rows.*240"):
        ak.response_regression(tolist_result, x, Q, data={"w": [1, 2]}, weights="w", missing="drop")
    for nothing in ([], np.zeros((0, 1)), 3.0, np.nan):
        with pytest.raises(ak.errors.InputError):
            ak.response_regression(tolist_result, nothing, Q, missing="drop")


def test_nothing_but_holes_is_refused():
    table = invented().assign(x=np.nan)
    with pytest.raises(ak.errors.InputError, match="holes in every row"):
        ak.response_regression("said", "~ x", Q, data=table, missing="drop")
    with pytest.raises(ak.errors.InputError, match="missing"):
        ak.response_regression("said", "~ x", Q, data=table, missing="mean")


@pytest.mark.long
@pytest.mark.parametrize("draws", [False, True])
def test_outcomes_and_pairs_leave_rows_out_too(draws):
    """Of an outcome too; a sampling design's villages stay, also those of which nobody is left."""
    table = invented().assign(other=lambda item: item["said"].to_numpy()[::-1])
    table.loc[table["village"] == 5, "x"] = np.nan
    is_gone = np.arange(N) % 11 == 0
    series = pd.Series(np.where(is_gone, np.nan, table["x"].fillna(0.0) + np.arange(N) % 5))
    to_numpy_result, x = table["x"].notna().to_numpy(), table[["x"]]
    sampling = lab.SamplingDesign(weights="w", clusters="village", data=table) if draws else None
    pair = {"one": table["said"], "two": table["other"]}
    cases = (
        (lab.outcome_regression, (series, table["said"], x, Q), to_numpy_result & ~is_gone),
        (lab.paired_regression, (pair, x, {"one": Q, "two": Q}), to_numpy_result),
    )
    for regression, (*inputs, channel), remaining in cases:
        regression_result = regression(*inputs, channel, sampling=sampling, missing="drop")
        if sampling is None:
            rest = [_of(element, remaining) for element in inputs]
            expected = regression(*rest, channel)
        else:
            filled = [
                _of(element, slice(None)).fillna(0.0) if element is not pair else element
                for element in inputs
            ]
            expected = regression(*filled, channel, sampling=sampling.domain(remaining))
            assert regression_result.df == expected.df
        assert_allclose(regression_result.value, expected.value, rtol=1e-6)
        assert_allclose(regression_result.covariance, expected.covariance, rtol=1e-5)
        with pytest.raises(ak.errors.InputError, match=r"missing|NaN|row"):
            regression(*inputs, channel, sampling=sampling)


def _of(inputs, remaining):
    return (
        {name: value[remaining] for name, value in inputs.items()}
        if isinstance(inputs, dict)
        else inputs[remaining]
    )


def test_an_outcome_of_nobody_is_refused():
    table = invented()
    inputs = np.full(N, np.nan), table["said"], table[["kind"]].to_numpy() == "a", Q
    with pytest.raises(ak.errors.InputError, match="holes in every row"):
        lab.outcome_regression(*inputs, missing="drop")
    with pytest.raises(ak.errors.InputError, match="leaves out rows without one"):
        lab.outcome_regression(*inputs)
    with pytest.raises(ak.errors.InputError, match=r"outcome.*239 rows"):
        lab.outcome_regression(np.ones(239), table["said"], table[["x"]], Q, missing="drop")
