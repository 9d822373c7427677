"""Methods paragraphs of what came through no channel, of two questions, and what is refused.

That every result has one: tests/test_values.py.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.inference import ErrorSource, ReplicateColumns, SamplingColumns
from askance.mechanisms import ChancePlace
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])
Q = ak.Warner(truth="3/4").channel(YN)


def test_what_is_none_of_these_is_refused() -> None:
    for wrong in (3.0, "share", None, Q, YN):
        with pytest.raises(InputError, match=r"methods_paragraph\.result"):
            ak.present.methods_paragraph(wrong)
    with pytest.raises(InputError, match=r"methods_paragraph\.channel.*nothing"):
        ak.present.methods_paragraph(ak.estimate(ak.Tally(Q, {"yes": 3, "no": 4})))


def test_two_protected_questions_are_not_told_as_groups() -> None:
    sides = {"a": Q, "b": Q}
    replies = {"a": ["yes", "no"] * 20, "b": ["yes", "yes", "no", "no"] * 10}
    pair = ak.inference.paired_regression(replies, np.arange(40.0)[:, None] % 7, sides)
    for result in (pair, ak.estimate_joint(sides, reports=replies)):
        output = ak.present.methods_paragraph(result, sides).text
        assert "The sensitive questions were asked through channels of their own" in output
        assert "groups" not in output
    assert "log-linear model with their association (McCullagh & Nelder, 1989)" in (
        ak.present.methods_paragraph(pair, sides).text
    )


def test_scrambles_by_name_and_samples_in_words() -> None:
    for scrambling, cited in (
        (ak.inference.Scrambling.saha(factor=(1.5, 0.2), added=(5.5, 2.6)), "Saha, 2007"),
        (ak.inference.Scrambling.eichhorn_hayre(factor=(1, 0.5)), "Eichhorn & Hayre, 1983"),
        (ak.inference.Scrambling.bar_lev(truth_chance=0.5, factor=(1, 1)), "Bar-Lev et al., 2004"),
        (ak.inference.Scrambling.pollock_bek(added=(1, 1)), "Pollock & Bek, 1976"),
        (
            ak.inference.Scrambling.diana_perri_1(truth_chance=0.5, factor=(1, 1), added=(1, 1)),
            "Diana & Perri, 2010",
        ),
        (
            ak.inference.Scrambling.diana_perri_2(weight=0.5, factor=(1, 1), added=(1, 1)),
            "Diana & Perri, 2010",
        ),
    ):
        mean = ak.inference.scrambled_mean([12.0, 30.0, 21.0, 45.0], scrambling)
        assert cited in ak.present.methods_paragraph(mean).text
    sampled = ak.inference.item_count(
        ak.inference.count_items(
            [0, 1, 2, 1, 2, 3] * 4,
            [0, 0, 0, 1, 1, 1] * 4,
            items=2,
            data={"w": [1.0, 2.0] * 12},
            sampling=SamplingColumns(weights="w"),
        )
    )
    paragraph = ak.present.methods_paragraph(sampled, sampling=SamplingColumns(weights="w"))
    assert "weights (w)" in paragraph.text
    assert (
        "Variances are design-based (Särndal et al., 1992); the 95 % intervals are Stu"
        in paragraph.text
    )
    fay = ReplicateColumns(weights="w", replicates=("r1", "r2"), kind="fay", fay=0.3)
    assert (
        "(r1, r2; balanced half-samples by Fay's method)"
        in ak.present.methods_paragraph(sampled, sampling=fay).text
    )


def test_the_verb_of_list_experiments_writes_one(tmp_path: Path) -> None:
    rows = ["said,saw,x", *["0,a,1", "1,a,2", "2,a,3", "1,b,1", "3,b,2", "2,b,"] * 5]
    (tmp_path / "t.csv").write_text("\n".join(rows), encoding="utf-8")
    arguments = ["item-count", str(tmp_path / "t.csv"), "--list", "saw", "--control", "a"]
    arguments += ["--items", "2", "--column", "said", "--methods"]

    def run(*more: str) -> str:
        result = CliRunner().invoke(verbs, [*arguments, *more])
        if result.exception:
            raise result.exception
        return str(result.stdout)

    assert "difference in means of the two groups (Blair & Imai, 2012)" in run()
    assert "Miller" in json.loads(run("--json"))["methods"]["references"][-1]
    with pytest.raises(InputError, match=r"--methods.*--by too"):
        run("--by", "x")


def test_each_source_of_errors_has_its_own_words() -> None:
    hours = ak.Ranges([0, 2, 4, 6, 8, 10] * 2, [2, 4, 6, 8, 10, 12] * 2)
    rows = [[x] for x in (0, 1, 1, 2, 2, 3, 0, 0, 1, 2, 3, 3)]
    replies = {
        "observed": "those of the observed information",
        "scores": "those of the products of scores (Berndt et al., 1974)",
        "robust": "robust (Huber, 1967)",
    }
    for errors, words in replies.items():
        fit = ak.censored_regression(hours, rows, errors=errors)
        assert fit.standard_errors.source is ErrorSource[errors.upper()]
        assert f"Standard errors are {words}, intervals" in ak.present.methods_paragraph(fit).text


def test_errors_of_least_squares_and_known_variances_are_said_as_they_are() -> None:
    """They were said to be robust, or integrated out, whatever was asked for."""
    replies, arm = [0, 1, 2, 1, 2, 3, 1, 2] * 5, [0, 0, 0, 0, 1, 1, 1, 1] * 5
    person = np.arange(40)
    plan = ak.inference.SamplingDesign(clusters=person // 4)
    for how, words in (
        ({}, "with robust errors that"),
        ({"clusters": person // 4}, "with errors robust by cluster (10 clusters) that"),
        ({"sampling": plan}, "with linearised errors that"),
        (
            {"sampling": ak.inference.jackknife(plan)},
            "with errors over fits to each of 10 replicates that",
        ),
    ):
        how |= {"items": 3, "link": "identity"}
        fit = ak.inference.item_count_least_squares(replies, arm, person % 3, **how)
        assert words in ak.present.methods_paragraph(fit).text
    groups = [0.12, 0.31, 0.18, 0.55, 0.46], [0.08, 0.1, 0.1, 0.12, 0.1]
    for between, words in (
        (None, "the variance between groups were integrated out under flat priors (Rao"),
        (0.1, "The standard deviation between groups was taken to be 0.1, and the coefficients"),
    ):
        fit = ak.inference.fay_herriot(*groups, between_sd=between)
        assert words in ak.present.methods_paragraph(fit, Q).text
        assert fit.is_between_sd_known == fit.to_dict().get("is_between_known", False)


def test_what_is_said_of_a_design_follows_where_its_chance_falls() -> None:
    crosswise = ak.mechanisms.Crosswise(harmless="1/4")
    channel = crosswise.channel(YN)
    result = ak.estimate(ak.Tally(channel, dict(zip(channel.reports, (60, 40), strict=True))))
    heads = {}
    for position in ChancePlace:
        how = {"recipe": crosswise, "chance_place": position}
        text = ak.present.methods_paragraph(result, channel, **how).text
        heads[position], replies, _ = text.partition(" respondents said whether just one")
        assert replies
    questions = "The sensitive question was asked by the crosswise model (Yu et al., 2008)"
    assert heads[ChancePlace.UNSTATED] == f"{questions}:"
    assert heads[ChancePlace.WORLD].startswith(f"{questions}; chance was a fact of the world")
    assert heads[ChancePlace.PAPER].startswith(f"{questions}; chance was dice or notes")
    assert heads[ChancePlace.DEVICE].startswith("Each report was drawn from the answer on the resp")
    assert heads[ChancePlace.DEVICE].endswith(", as if")  # nobody said so to anybody


def test_a_report_that_proves_an_answer_is_said_to_do_more_than_rule_one_out() -> None:
    proving = ak.mechanisms.OneSided(forced_yes="1/5").channel(YN)
    pairs = {"ab": ["a", "b"], "ac": ["a", "c"], "bc": ["b", "c"]}
    rows = [[0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]]
    excluding = ak.Channel(ak.Frame(["a", "b", "c"]), pairs, rows)
    for channel, words in ((proving, "and proves it, so no"), (excluding, "rules an answer out")):
        result = ak.estimate(ak.Tally(channel, dict.fromkeys(channel.reports, 40)))
        assert words in ak.present.methods_paragraph(result, channel).text


@pytest.mark.parametrize(
    ("estimator", "shares", "errors"),
    [
        (ak.inference.moment_estimate, "not cut to [0, 1]", "inverted frequencies"),
        (ak.inference.maximum_likelihood, "by maximum likelihood", "observed information"),
        (ak.estimate, "cut to [0, 1]", "exact given the number of informative reports"),
    ],
)
def test_the_estimator_is_told_from_the_estimate(
    estimator: Callable[[ak.Tally], Any], shares: str, errors: str
) -> None:
    """The unbiased inversion was said to be of maximum likelihood, by the expected information."""
    q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    fit = estimator(ak.Tally(q, {"yes": 40, "no": 60}))
    text = ak.present.methods_paragraph(fit, q).text
    assert shares in text
    assert errors in text
    assert "expected" not in text
