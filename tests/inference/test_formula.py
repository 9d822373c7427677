"""Regressions written as formulas, on every kind of data frame."""

import json
import pickle
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import askance as ak

ABSTAIN = ak.Abstain(truth=0.6, lie=0.1).channel(ak.Frame(["yes", "no"]))


def regress(formula: Any, data: Any, **chosen: Any) -> ak.inference.ResponseRegression:
    reports, _, right = formula.partition("~")
    return ak.response_regression(reports.strip(), f"~{right}", ABSTAIN, data=data, **chosen)


def table(n: int = 600, seed: int = 3) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    age, town = rng.normal(40, 10, n), rng.choice(["north", "süd", "west"], n)
    chance = 1 / (1 + np.exp(1 - 0.03 * (age - 40) - 0.8 * (town == "süd")))
    code = rng.random(n)[:, None] > ABSTAIN.matrix[(rng.random(n) > chance) * 1].cumsum(axis=1)
    report = [ABSTAIN.reports[index] for index in code.sum(axis=1).clip(max=2)]
    faith = rng.integers(1, 5, n).tolist()
    return {
        "said": report,
        "age": age.tolist(),
        "town": town.tolist(),
        "faith": faith,
        "urban": rng.integers(0, 2, n).tolist(),
        "w": rng.uniform(0.5, 2, n).tolist(),
        "house": (np.arange(n) // 3).tolist(),
    }


def test_every_kind_of_frame_gives_the_same() -> None:
    data = table()
    formula = "said ~ age + C(faith) + town"
    item, *others = [regress(formula, frame(data)) for frame in (dict, pd.DataFrame, pl.DataFrame)]
    for other in others:
        np.testing.assert_array_equal(item.value, other.value)
    assert "town[T.süd]" in item.names
    by_hand = np.column_stack(
        [data["age"]]
        + [np.array(data["faith"]) == number for number in (2, 3, 4)]
        + [np.array(data["town"]) == name for name in ("süd", "west")]
    ).astype(float)
    plain = ak.response_regression(data["said"], by_hand, ABSTAIN)
    np.testing.assert_allclose(item.value, plain.value, rtol=1e-8)


def test_columns_are_named_for_weights_and_clusters() -> None:
    data = table()
    regress_result = regress("said ~ age", data, weights="w", clusters="house")
    two = regress("said ~ age", data, weights=data["w"], clusters=np.array(data["house"]))
    np.testing.assert_array_equal(regress_result.se, two.se)
    assert str(regress_result.standard_errors) == "complex sample, 198 degrees of freedom"


def test_blanks_in_a_frame_are_blanks() -> None:
    data = table()
    data["said"][5] = None
    frames = [pd.DataFrame(data), pl.DataFrame(data)]
    frames[0].loc[6, "said"] = np.nan
    fits = [regress("said ~ age", frame) for frame in frames]
    assert [int((~fit.likelihood.received.is_answered).sum()) for fit in fits] == [2, 1]


def test_predictions_and_prevalence_for_others() -> None:
    data = table()
    fit = regress("said ~ age + I(age**2) + town", data)
    someone = {"age": [30.0, 50.0], "town": ["west", "süd"]}
    predicted = fit.predict(pd.DataFrame(someone))
    np.testing.assert_allclose(predicted.sum(axis=1), 1)
    np.testing.assert_allclose(fit.prevalence(someone).value, predicted.mean(axis=0))
    np.testing.assert_allclose(fit.prevalence().value, fit.predict(data).mean(axis=0))


@pytest.mark.long
def test_effects_follow_a_variable_wherever_it_stands() -> None:
    data = table()
    fit = regress("said ~ age + I(age**2) + town + urban", data)
    effects_result = fit.effects()
    assert effects_result.labels == ("age", "town: süd", "town: west", "urban")

    def mean(**changed: Any) -> float:
        return float(fit.predict({**data, **changed})[:, 0].mean())

    age = np.array(data["age"])
    n = len(age)
    wanted = [
        (mean(age=list(age + 0.01)) - mean(age=list(age - 0.01))) / 0.02,
        mean(town=["süd"] * n) - mean(town=["north"] * n),
        mean(town=["west"] * n) - mean(town=["north"] * n),
        mean(urban=[1] * n) - mean(urban=[0] * n),
    ]
    np.testing.assert_allclose(effects_result.value, wanted, rtol=1e-6)
    assert json.loads(json.dumps(fit.to_dict(), allow_nan=False))["effects"]["labels"][0] == "age"
    assert repr(fit).startswith("said ~ age")
    assert "urban" in fit._repr_html_()
    assert fit.plot().get_xlabel()


def test_an_intercept_alone_gives_the_share() -> None:
    data = table()
    fit = regress("said ~ 1", data)
    alone = ak.response_regression(data["said"], np.empty((600, 0)), ABSTAIN)
    np.testing.assert_array_equal(fit.value, alone.value)
    share = ak.estimate(ak.tally(ABSTAIN, data["said"])).value
    np.testing.assert_allclose(fit.prevalence().value, share, atol=1e-6)
    np.testing.assert_allclose(fit.predict({"age": [30.0, 50.0]}), [share, share], atol=1e-6)
    assert fit.effects().labels == ()
    ages = ak.Ranges([20, 30, 40.0] * 200, [30, 40, 50.0] * 200)
    middle = ak.censored_regression(ages, "~ 1", "normal", data=data)
    assert middle.value[0] == pytest.approx(35)
    counts = [0, 1, 2, 3, 1, 1, 2, 2, 0, 1, 0, 2, 2, 4, 1, 1, 3, 2, 0, 1] * 30
    arms = ([0] * 10 + [1] * 10) * 30
    how: dict[str, Any] = {"items": 3}
    regression = ak.inference.item_count_regression(counts, arms, "~ 1", data=data, **how)
    other = ak.inference.item_count_regression(counts, arms, np.empty((600, 0)), **how)
    np.testing.assert_array_equal(regression.value, other.value)


@pytest.mark.long
def test_names_and_factors_of_r_are_read() -> None:
    data = table()
    dotted = data | {"rr.age": data["age"], ".her town": data["town"]}
    ours = regress("said ~ age + C(faith) + town + np.log(age + 100)", data)
    theirs = regress(
        "said ~ rr.age + as.factor(faith) + `.her town` + np.log(rr.age + 1e2)", dotted
    )
    np.testing.assert_array_equal(ours.value, theirs.value)
    assert theirs.names[1] == "rr.age"
    assert ".her town[T.süd]" in theirs.names
    assert theirs.effects().labels[0] == "rr.age"
    assert ".her town: süd" in theirs.effects().labels
    np.testing.assert_array_equal(ours.effects().value, theirs.effects().value)
    with pytest.raises(ak.errors.InputError, match=r"data\['rr.age'\].*row 0"):
        regress("said ~ rr.age", dotted | {"rr.age": [None, *data["age"][1:]]})


def test_a_polynomial_knows_its_column() -> None:
    data = table()
    regress_result = regress("said ~ poly(age, 2)", data)
    plain = regress("said ~ age + I(age**2)", data)
    np.testing.assert_allclose(regress_result.predict(data), plain.predict(data), atol=1e-6)
    assert regress_result.effects().labels == ("age",)


@pytest.mark.parametrize(
    ("formula", "changed", "match"),
    [
        (
            "said ~ age",
            {"age": [1.0, None, float("nan")] + [2.0] * 597},
            r"data\['age'\].*row 1, 2",
        ),
        ("said ~ aeg", {}, "did you mean 'age'"),
        ("told ~ age", {}, "no column 'told'"),
        ("said ~ age ~ town", {}, "~ covariates"),
        ("said ~ town ~", {}, "~ covariates"),
        ("said ~ age + foo(", {}, "formula"),
        ("said ~ foo(age)", {}, "foo"),
        ("said ~ log(town)", {}, "^formula: .* known functions"),
        ("said ~ age - 1", {}, "an intercept"),
        ("said ~", {}, "an intercept alone is ~ 1"),
        ("said ~ rr.age", {}, r"no column 'rr.age'"),
        ("said ~ age", {"age": [1.0, 2.0]}, "600 rows|one per report|2 rows"),
        ("said ~ age + faith", {"age": [1.0, 2.0]}, "age 2, faith 600"),
        ("said ~ age", {"age": [30.0] * 600}, "no variation in age"),
    ],
)
def test_what_cannot_be_is_refused(formula: str, changed: dict[str, Any], match: str) -> None:
    with pytest.raises(ak.errors.InputError, match=match):
        regress(formula, table() | changed)


def test_unseen_levels_and_missing_columns_are_named() -> None:
    fit = regress("said ~ age + town", table())
    with pytest.raises(ak.errors.InputError, match="ost"):
        fit.predict({"age": [30.0], "town": ["ost"]})
    with pytest.raises(ak.errors.InputError, match="no column 'town'"):
        fit.predict({"age": [30.0]})
    with pytest.raises(ak.errors.InputError, match="a data frame"):
        fit.predict([1, 2])


def rounded(data: dict[str, Any]) -> ak.Ranges:
    ages = np.array(data["age"]) + 5 * (np.array(data["town"]) == "west")
    return ak.Ranges(10 * np.floor(ages / 10), 10 * np.floor(ages / 10) + 10)


def test_ranges_are_regressed_by_a_formula() -> None:
    data = table() | {"village": [index // 10 for index in range(600)]}
    ranges, west = rounded(data), np.array(data["town"]) == "west"
    by_name = ak.censored_regression(ranges, "~ faith + town", data=data, clusters="village")
    columns = [data["faith"], np.array(data["town"]) == "süd", west]
    plain = ak.censored_regression(
        ranges, np.column_stack(columns), clusters=np.array(data["village"])
    )
    np.testing.assert_allclose(by_name.value, plain.value)
    np.testing.assert_allclose(by_name.coefficients().se, plain.coefficients().se)
    assert repr(by_name).startswith("~ faith + town\n")
    assert all(f">{term}</th>" in by_name._repr_html_() for term in by_name.terms)
    assert json.loads(json.dumps(by_name.to_dict()))["formula"] == "~ faith + town"
    people, coded = {"faith": [1, 0], "town": ["west", "north"]}, [[1, 0, 1], [0, 0, 0]]
    np.testing.assert_allclose(by_name.predict_interval(people), plain.predict_interval(coded))
    np.testing.assert_allclose(
        by_name.predict_margins(people, 0.9).lower, plain.predict_margins(coded, 0.9).lower
    )
    np.testing.assert_allclose(
        by_name.predict_margins(people, 0.9).value, plain.predict(coded, 0.9)
    )


@pytest.mark.parametrize(
    ("formula", "clusters", "match"),
    [
        ("age ~ town", None, "allowed: ~ covariates"),
        ("~ town ~ age", None, "allowed: ~ covariates"),
        ("~ town +", None, "^formula: "),
        ("~ towm", None, "did you mean 'town'"),
        ("~ town", "fait", "did you mean 'faith'"),
    ],
)
def test_formulas_for_ranges_are_checked(formula: Any, clusters: Any, match: str) -> None:
    data = table()
    with pytest.raises(ak.errors.InputError, match=match):
        ak.censored_regression(rounded(data), formula, data=data, clusters=clusters)


@pytest.mark.parametrize("library", ["formulaic", "narwhals"])
def test_a_missing_library_is_named_with_how_to_install_it(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ak.errors.MissingExtra, match=r"askance\[learn\]"):
        regress("said ~ age + town", pd.DataFrame(table()))


def test_arrays_need_no_data_frame_and_formulas_do() -> None:
    data = table()
    with pytest.raises(ak.errors.InputError, match=r"data: .*columns of the formula"):
        ak.response_regression(data["said"], "~ age", ABSTAIN)
    with pytest.raises(ak.errors.InputError, match=r"terms: .*names its own"):
        ak.response_regression("said", "~ age", ABSTAIN, data=data, terms=["age"])
    named = ak.response_regression("said", [[item] for item in data["age"]], ABSTAIN, data=data)
    np.testing.assert_allclose(named.value, regress("said ~ age", data).value, rtol=1e-9)


@pytest.mark.parametrize("plain", ["~ age + rr.q1", "~ 1 + age + rr.q1", "~age+rr.q1 + 1"])
def test_a_sum_of_numbers_is_what_the_grammar_makes_of_it(plain: str) -> None:
    """Brackets mean nothing in a sum, but are no plain one."""
    rng = np.random.default_rng(8)
    data = {
        "said": rng.choice(["yes", "no"], 400).tolist(),
        "age": rng.normal(40, 10, 400).tolist(),
        "rr.q1": rng.integers(0, 2, 400).tolist(),
    }
    q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    fit, expected = (
        ak.response_regression("said", item, q, data=data) for item in (plain, "~ (age) + (rr.q1)")
    )
    assert fit.names == expected.names == ("intercept", "age", "rr.q1")
    np.testing.assert_allclose(fit.value, expected.value, rtol=1e-12)
    for result, other in (
        (fit.effects(), expected.effects()),
        (fit.prevalence(), expected.prevalence()),
    ):
        assert result.labels == other.labels
        np.testing.assert_allclose(result.value, other.value, rtol=1e-9)
        np.testing.assert_allclose(result.se, other.se, rtol=1e-9)
    again = {"age": [30, 50.5], "rr.q1": [True, False]}
    np.testing.assert_allclose(fit.predict(again), expected.predict(again), rtol=1e-12)
    with pytest.raises(ak.errors.InputError, match=r"age\[T.young\].*allowed: age, rr.q1"):
        fit.predict({"age": ["old", "young"], "rr.q1": [1, 0]})


def test_a_sum_that_has_texts_or_repeats_itself_is_left_to_the_grammar() -> None:
    data = table()
    assert regress("said ~ age + town", data).names[1:] == ("age", "town[T.süd]", "town[T.west]")
    assert regress("said ~ age + age", data).names == ("intercept", "age")
    with pytest.raises(ak.errors.InputError, match="an intercept"):
        regress("said ~ age + 0", data)


def test_doubles_stay_in_an_array_and_tell_the_same_as_lists() -> None:
    data = table(90)
    content = {"said": data["said"], "age": np.array(data["age"]), "w": np.array(data["w"])}
    listed = {"said": data["said"], "age": data["age"], "w": data["w"]}
    for formula in ("said ~ age", "said ~ np.log(age)"):
        item, two = (regress(formula, inputs, weights="w") for inputs in (content, listed))
        np.testing.assert_array_equal(item.covariance, two.covariance)
    content["age"][:] = 0.0  # what was given is the caller's own, and what is kept is the fit's
    assert item.formula is not None
    assert list(item.formula.columns["age"]) == data["age"]
    with pytest.raises(ValueError, match="read-only"):
        item.formula.columns["age"][0] = 0.0
    again = pickle.loads(pickle.dumps(item.formula))
    np.testing.assert_array_equal(again.covariates(listed), item.formula.covariates(listed))


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_holes_in_doubles_are_told_and_left_out(frame: Any) -> None:
    data = table(60)
    age = np.array(data["age"])
    age[[4, 9]] = np.nan
    frame_result = frame({"said": data["said"], "age": age})
    with pytest.raises(ak.errors.InputError, match=r"data\['age'\]: got 'nothing in row 4, 9'"):
        regress("said ~ age", frame_result)
    rows = [row for row in range(60) if row not in (4, 9)]
    entire = {name: [data[name][row] for row in rows] for name in ("said", "age")}
    dropped = regress("said ~ age", frame_result, missing="drop")
    np.testing.assert_array_equal(dropped.value, regress("said ~ age", entire).value)
