"""Regressions side by side are what each of them is by itself."""

import csv
import io
import math
import re

import numpy as np
import pytest

import askance as ak
from askance_collect.errors import InputError

Q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
DATA = {
    "said": (["yes"] * 4 + ["no"] * 5) * 36,
    "age": [index % 23 for index in range(324)],
    "town": ["a & b", "c_d"] * 162,
}
RNG = np.random.default_rng(5)
LISTED = RNG.integers(0, 4, 324), np.arange(324) % 2


def regression(formula: str) -> ak.inference.ResponseRegression:
    return ak.response_regression("said", formula, Q, data=DATA)


MODELS = {
    "alone": regression("~ age"),
    "by town": regression("~ age + town"),
    "list": ak.inference.item_count_least_squares(*LISTED, items=3, covariates=DATA["age"]),
}
COMPARISON = ak.present.compare_models(MODELS, rename={"x1": "age"})


def test_every_number_is_that_of_its_model() -> None:
    frame = COMPARISON.to_frame()
    for title, fit in COMPARISON.items():
        own = frame[frame["model"] == title]
        assert own["estimate"].tolist() == fit.coefficients().value.tolist()
        assert own["se"].tolist() == fit.se.tolist()
        assert own["p"].tolist() == fit.p_value.tolist()
        assert own["lower"].tolist() == fit.coefficients().lower.tolist()
    assert next(csv.DictReader(io.StringIO(COMPARISON.to_csv())))["term"] == "intercept"


def test_models_share_the_rows_of_their_terms_and_each_has_its_foot() -> None:
    rows = {line.split("  ")[0]: line for line in repr(COMPARISON).splitlines()}
    assert len(re.findall(r"\d\.\d+", rows["age"])) == 2
    assert f"{MODELS['alone'].aic:.2f}" in rows["AIC"]
    assert rows["AIC"].endswith("–"), "least squares has no likelihood"
    assert rows["respondents"].split()[1:] == ["324", "324", "324"]
    written = COMPARISON.to_dict()["models"]
    assert [model["aic"] is None for model in written] == [False, False, True]
    assert written[0]["standard_errors"]["source"] == "observed"


@pytest.mark.parametrize(("below", "number"), [("se", "se"), ("p", "p_value")])
def test_what_stands_below_is_chosen(below: str, number: str) -> None:
    text = repr(ak.present.compare_models({"": MODELS["alone"]}, below=below))
    under = [line.strip() for line in text.splitlines() if line.strip().startswith("(")]
    assert [float(cell.strip("(< )")) for cell in under] == pytest.approx(
        getattr(MODELS["alone"], number).tolist(), abs=6e-4
    )


def test_intervals_stand_below_with_their_level() -> None:
    text = repr(ak.present.compare_models({"": MODELS["alone"]}, below="interval"))
    assert len(re.findall(r"\[.*, .*\]", text)) == 2
    assert "95 % intervals" in text


def test_latex_and_html_escape_names_and_set_the_foot_apart() -> None:
    foot = {"mechanism": ["Warner & co", "Warner", "list"]}
    comparison = ak.present.compare_models(MODELS, foot=foot)
    latex = comparison.to_latex()
    assert latex.count(r"\midrule") == 2
    assert r"Warner \& co" in latex
    lines = latex.splitlines()
    assert lines[lines.index(r"\midrule", lines.index(r"\midrule") + 1) + 1].startswith("respond")
    html = comparison.to_html()
    assert "Warner &amp; co" in html
    assert html.count("border-top") == 2 + 1 + len(MODELS), "the table, its notes, and each cell"


def test_what_is_no_comparison_is_refused() -> None:
    one = {"alone": MODELS["alone"]}
    with pytest.raises(InputError, match="no model"):
        ak.present.compare_models({})
    with pytest.raises(InputError, match=r"models.'alone'.*a fitted regression"):
        ak.present.compare_models({"alone": math})
    with pytest.raises(InputError, match=r"foot.'mechanism'.*1 texts in a list"):
        ak.present.compare_models(one, foot={"mechanism": ["a", "b"]})
    with pytest.raises(InputError, match="a name of its own"):
        ak.present.compare_models(one, rename={"age": "intercept"})
