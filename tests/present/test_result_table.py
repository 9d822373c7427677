"""Tables to paste, and the paragraph that says how it was done."""

import csv
import io
import json
import math
import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import askance as ak
from askance.cli import verbs
from askance_collect.errors import InputError
from named_mechanisms import MECHANISMS

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4")
Q = WARNER.channel(YN)
ESTIMATE = ak.estimate(ak.Tally(Q, {"yes": 40, "no": 60}))
REPORTS = ((["yes"] * 4 + ["no"] * 5) * 36)[:320]
TOWN = ["a & b", "c_d"] * 160
PLAN = ak.inference.SamplingColumns(weights="w", strata="region", clusters=["school", "class"])


def regression(**chosen: Any) -> ak.inference.ResponseRegression:
    data = {"said": REPORTS, "age": [index % 23 for index in range(320)], "town": TOWN}
    return ak.response_regression("said", "~ age + town", Q, data=data, **chosen)


class Cells(HTMLParser):
    """Read the cells of a table, and see that every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, _: object) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def test_csv_holds_every_digit() -> None:
    rows = list(csv.DictReader(io.StringIO(ak.present.result_table(ESTIMATE).to_csv())))
    assert [row["answer"] for row in rows] == ["yes", "no"]
    for name, values in (("share", ESTIMATE.value), ("se", ESTIMATE.se), ("upper", ESTIMATE.upper)):
        assert [float(row[name]) for row in rows] == values.tolist()
    fit = regression()
    rows = list(csv.DictReader(io.StringIO(ak.present.result_table(fit).to_csv())))
    assert [float(row["p"]) for row in rows] == fit.p_value.tolist()
    assert [row["term"] for row in rows] == list(fit.names)


def test_every_format_holds_the_same_table() -> None:
    estimate = ak.inference.estimate_domains(ak.tally(Q, REPORTS, by=TOWN), by="town")
    table = ak.present.result_table(estimate, "q1")
    html = Cells(table.to_html())
    latex = table.to_latex()
    body = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert len(html.rows) - 1 == len(body) == 3  # a head, two groups; a foot
    assert html.rows[1][:2] == ["a & b", "yes"]
    assert r"a \& b & yes & " in body[1]
    assert r"c\_d & yes" in body[2]
    assert len(table.to_csv().splitlines()) == 5  # the other share is in CSV alone
    assert (
        html.rows[1][2] == body[1].split("&")[3].strip() == f"{estimate.estimates[0].value[0]:.3f}"
    )
    assert r"95 \% from" in body[0]
    assert "q1: share of yes, by town" in str(table)
    assert latex.count("{") == latex.count("}")


def test_signs_and_digits_are_readable() -> None:
    fit = regression()
    table = ak.present.result_table(fit)
    text = str(table)
    assert "−" in text
    assert "-" not in text.split("95 % from")[1].split("\n320")[0]
    small = ak.response_regression(REPORTS, [[index % 7 * 1e4] for index in range(320)], Q)
    row = next(line for line in str(ak.present.result_table(small)).splitlines() if "x1" in line)
    assert not re.search(r"\s−?0\.0+\s", row)  # enough places to see something
    nobody = ak.present.result_table(ak.estimate(ak.Tally(Q, {"yes": 0, "no": 0})))
    assert "–" in str(nobody)
    assert nobody.to_csv().splitlines()[1].startswith("yes,,,")
    assert "$-$" in table.to_latex()


def test_latex_takes_no_sign_for_a_command() -> None:
    q = ak.Warner(truth="3/4").channel(ak.Frame(["[none]", "*any|ε"]))
    latex = ak.present.result_table(
        ak.estimate(ak.Tally(q, {"[none]": 40, "*any|ε": 60}))
    ).to_latex()
    assert "\n{[}none] & " in latex
    assert "any" not in latex  # it says nothing new
    assert (
        ak.present.result_table(ak.estimate(ak.Tally(q, {"*any|ε": 6}))).to_csv().count("any") == 1
    )
    assert in_latex("*any|ε") == "{*}any\\textbar{}$\\varepsilon$"
    by = ak.tally(Q, REPORTS, by=["small: a{x}" if index % 2 else "b" for index in range(320)])
    table = ak.present.result_table(ak.inference.estimate_domains(by, by="{x}"))
    assert table.notes == ("320 reports; clipped inversion, the most likely shares",)
    assert str(table).splitlines()[1].startswith("{x} ")


def test_two_shares_are_one_number_and_three_are_three() -> None:
    frame = ak.Frame(["low", "middle", "high"])
    reports = {"low": 40, "middle": 25, "high": 35}
    three = ak.estimate(ak.Tally(ak.KAry(truth="1/2").channel(frame), reports))
    for result, rows in ((ESTIMATE, 1), (three, 3)):
        table = ak.present.result_table(result)
        assert table.to_latex().count(r"\\") == 1 + rows
        assert len(Cells(table.to_html()).rows) == 2 + rows  # a head and a foot
        assert len(table.to_csv().splitlines()) == 1 + len(result.labels)


PRINTED = {
    **{f"\\{sign}": sign for sign in "&%$#_{}"},
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textbar{}": "|",
    "$-$": "−",
    "$<$": "<",
    "$>$": ">",
    "$^2$": "²",
    "{}": "",
    "{[}": "[",
    "{*}": "*",
}
SYMBOLS = {"varepsilon": "ε", "times": "×", "le": "≤", "ge": "≥", "infty": "∞"}
PRINTED |= {rf"${chr(92)}{name}$": sign for name, sign in SYMBOLS.items()}
PRINTED |= {r"$\to$": "→", r"$\pi$": "π", r"$\chi$": "χ", r"$\pm$": "±"}


def in_latex(text: str) -> str:
    """Set a text as a caption."""
    table = ak.present.ResultTable(title=text, head=("a",), rows=(("b",),), level=0.95)
    return table.to_latex().split("\\caption{")[1].split("}\n\\begin{tabular}")[0]


def printed(latex: str) -> str:
    """Read what LaTeX prints; a sign that it takes for anything else is a fault."""
    out, index = [], 0
    ordered = sorted(PRINTED, key=len, reverse=True)
    while index < len(latex):
        written = next((item for item in ordered if latex.startswith(item, index)), None)
        if written is None:
            written = latex[index]
            assert written not in "\\{}$&#^_~%|<>", f"{latex[index:]!r} begins with a command"
            assert written.isprintable() or written == " "
        assert not latex.startswith(("--", "``", "''", ",,", "?`", "!`"), index), "a ligature"
        out.append(PRINTED.get(written, written))
        index += len(written)
    return "".join(out)


@given(
    st.text(st.sampled_from("ab 1-`',?![]*\\{}$&#^_~%|<>−ε×≤≥∞²→πχ±äй中שא🙂\n\x00"), max_size=12)
)
def test_latex_prints_every_text_as_it_is(text: str) -> None:
    plain = re.sub("[\x00-\x1f]", " ", text)
    assert printed(in_latex(text)) == plain


def test_a_table_of_latex_is_one_with_a_row_a_line() -> None:
    """Of every kind of table: as many cells as columns, and nothing open."""
    hostile = ["a & b % $x_1$ {y} \\z ~ ^ #3", "[none] — “no”"]
    q = WARNER.channel(ak.Frame(hostile))
    counts = {hostile[0]: 70, hostile[1]: 50}
    by = {name: ak.Tally(q, counts) for name in ("x\ny", "100 %", "שלום")}
    result = [ak.estimate(ak.Tally(q, counts)), ak.inference.estimate_domains(by, by="to&wn")]
    for item in [*result, regression(), regression().coefficients()]:
        latex = ak.present.result_table(item, "q_1").to_latex()
        (sides,) = re.findall(r"\\begin\{tabular\}\{([lr]+)\}", latex)
        body = latex.split("\\toprule\n")[1].split("\n\\bottomrule")[0]
        rows = [line for line in body.split("\n") if line != r"\midrule"]
        assert len(rows) > 1
        for row in rows:
            cells = row.removesuffix(r" \\").split(" & ")
            assert row.endswith(r" \\")
            assert len(cells) == len(sides)
            assert all(printed(cell) is not None for cell in cells)
        (caption,) = re.findall(r"\\caption\{(.*)\}\n", latex)
        assert printed(caption).startswith("q_1: ")


def test_what_is_no_result_is_refused() -> None:
    for wrong in (3.0, "share", None, Q):
        with pytest.raises(InputError, match="an Estimate, estimates of groups"):
            ak.present.result_table(wrong)
        with pytest.raises(InputError, match="methods_paragraph"):
            ak.present.methods_paragraph(wrong, Q)  # type: ignore[arg-type]


RECIPES = [
    (WARNER, "Warner, 1965", YN),
    (ak.KAry(truth="3/4"), "Kairouz et al., 2016", YN),
    (ak.Abstain(truth="3/5", lie="1/10"), "Li et al., 2022", YN),
    *((mechanism.recipe, mechanism.cited, mechanism.frame) for mechanism in MECHANISMS),
]


@pytest.mark.parametrize(("recipe", "cited", "frame"), RECIPES, ids=lambda item: str(item)[:9])
def test_every_design_cites_its_source(recipe: Any, cited: str, frame: ak.Frame) -> None:
    q = recipe.channel(frame)
    paragraph = ak.present.methods_paragraph(
        ak.estimate(ak.Tally(q, dict.fromkeys(q.reports, 50))), q, recipe=recipe
    )
    assert f"({cited}" in paragraph.text
    for name in recipe.__slots__:
        value = getattr(recipe, name)
        if not isinstance(value, tuple):
            assert str(value) in paragraph.text
    loss = ak.local_loss(q)
    if math.isinf(loss.value):
        assert "no finite ε" in paragraph.text
    else:
        number = float(re.findall(r"ε = (\d+\.\d{3})", paragraph.text)[0])
        assert float(loss.epsilon) <= number < float(loss.epsilon) + 0.0011


def test_what_is_cited_is_listed_and_the_other_way_round() -> None:
    data = {"w": [1.0, 2.0] * 160, "region": ["n", "s"] * 160}
    data |= {"school": [f"{index % 2}{index // 16}" for index in range(320)]}
    data |= {"class": [f"{index % 2}{index // 8}" for index in range(320)]}
    sampled = ak.tally(Q, REPORTS, by=TOWN, sampling=PLAN.of(data))
    results: list[Any] = [
        ESTIMATE,
        ak.inference.estimate_domains(sampled, by="town"),
        regression(),
        regression(errors="robust"),
        regression(sampling=PLAN.of(data)),
    ]
    for result in results:
        paragraph = ak.present.methods_paragraph(
            result, Q, recipe=WARNER, sampling=PLAN, left_out=3
        )
        years = set(re.findall(r"([A-Z][\w-]+)[^;()]*, (\d{4})", paragraph.text))
        dated = [
            (reference.split(",")[0], re.findall(r"\((\d{4})\)", reference))
            for reference in paragraph.references
        ]
        listed = {(name, year) for name, (year, *_) in dated}
        assert years == listed
        assert "weights (w), strata (region) and clusters (school, class)" in paragraph.text
        assert list(paragraph.references) == sorted(paragraph.references)
        assert "{" not in paragraph.text
    assert "3 with missing covariates" in paragraph.text
    assert "Binder, 1983" in paragraph.text
    assert "Huber, 1967" in ak.present.methods_paragraph(results[3], Q).text
    assert "one of 2 reports at random" in ak.present.methods_paragraph(ESTIMATE, Q).text
    three = ak.KAry(truth="3/4").channel(ak.Frame(["a", "b", "c"]))
    outcome = ak.estimate(ak.Tally(three, {"a": 40, "b": 30, "c": 30}))
    assert "likelihood ratio" in ak.present.methods_paragraph(outcome, three).text
    names = [f"n{index}" for index in range(201)]
    many = ak.KAry(truth="3/4").channel(ak.Frame(names))
    outcome = ak.estimate(ak.Tally(many, dict.fromkeys(names, 9)))
    assert "intervals are normal" in ak.present.methods_paragraph(outcome, many).text


def run(*words: object) -> str:
    result = CliRunner().invoke(verbs, [str(word) for word in words])
    if result.exception:
        raise result.exception
    return str(result.stdout)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    rows = [f"{replies},{town}" for replies, town in zip(REPORTS, TOWN, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["said,town", *rows]), encoding="utf-8")
    survey = """
    askance = "survey-1"
    title = "Town"
    consent = "Voluntary."
    [[question]]
    name = "said"
    text = "Said?"
    answers = ["yes", "no"]
    mechanism = { name = "warner", truth = "3/4" }
    """
    (tmp_path / "s.toml").write_text(survey, encoding="utf-8")
    return tmp_path


@pytest.mark.long
def test_verbs_write_what_is_asked_for(published: Path) -> None:
    for first in (("--mechanism", "warner:truth=3/4"), (published / "s.toml",)):
        column = ("--column", "said") if first[0] == "--mechanism" else ()
        words = ("estimate", *first, published / "t.csv", *column)
        assert run(*words, "--format", "csv").startswith("answer,share")
        assert r"\begin{table}" in run(*words, "--format", "latex")
        assert "<table" in run(*words, "--format", "html", "--methods")
        assert "(Warner, 1965)" in run(*words, "--methods")
        assert "methods" in json.loads(run(*words, "--json", "--methods"))
        assert run(*words, "--format", "json") == run(*words, "--json")
        assert "by town" in run(*words, "--by", "town", "--format", "latex", "--methods")
        assert json.loads(run(*words, "--by", "town", "--json", "--methods"))["methods"]
        fit = ("regress", *first, published / "t.csv", "--formula", "said ~ town")
        assert run(*fit, "--format", "csv").startswith("term,estimate")
        assert "Scheers" in run(*fit, "--format", "html", "--methods")
        assert "Scheers" in json.loads(run(*fit, "--json", "--methods"))["methods"]["text"]
        groups = ("regress", *first, published / "t.csv", "--formula", "said ~ 1", "--by", "town")
        assert run(*groups, "--format", "latex").count(r"\toprule") == 2
        rows = list(csv.DictReader(io.StringIO(run(*groups, "--format", "csv"))))
        assert [row["town"] for row in rows] == ["a & b", "c_d"]
        with pytest.raises(InputError, match="--methods"):
            run(*groups, "--methods")
        with pytest.raises(InputError, match="--methods"):
            run(*words, "--format", "csv", "--methods")
        with pytest.raises(InputError, match="--format"):
            run(*words, "--format", "csv", "--json")


def test_several_questions_are_told_apart_in_csv(published: Path) -> None:
    plain = '[[question]]\nname = "town"\ntext = "Town?"\nanswers = ["north", "south"]\n'
    (published / "two.toml").write_text(
        (published / "s.toml").read_text() + plain, encoding="utf-8"
    )
    rows = [f"{replies},{'ns'[index % 2]}" for index, replies in enumerate(REPORTS)]
    named = "\n".join(rows).replace(",n", ",north").replace(",s", ",south")
    (published / "two.csv").write_text(f"said,town\n{named}", encoding="utf-8")
    for more in ((), ("--weights", "w")):
        if more:
            text = "\n".join(f"{row},1.5" for row in f"said,town\n{named}".splitlines())
            (published / "two.csv").write_text(text.replace("town,1.5", "town,w"), encoding="utf-8")
        text = run(
            "estimate", published / "two.toml", published / "two.csv", "--format", "csv", *more
        )
        items = list(csv.DictReader(io.StringIO(text)))
        assert [row["question"] for row in items] == ["said", "said", "town", "town"]


def test_what_is_withheld_or_doubted_is_said(published: Path) -> None:
    """One head of the CSV whatever came; no paragraph on how sure one is of what has no law."""
    text = (
        (published / "s.toml").read_text().replace("[[question]]", "minimum = 5\n[[question]]", 1)
    )
    more = '[[question]]\nname = "town"\ntext = "Town?"\nanswers = ["north", "south"]\n'
    (published / "few.toml").write_text(text + more, encoding="utf-8")
    rows = ["said,town", *["yes,"] * 400, "yes,north"]
    (published / "few.csv").write_text("\n".join(rows), encoding="utf-8")
    words = ["estimate", str(published / "few.toml"), str(published / "few.csv")]
    result = CliRunner().invoke(verbs, [*words, "--format", "csv"])
    assert result.stdout.startswith("question,answer,share")
    assert "too few reports: town\nreports do not fit: said\n" in result.stderr
    assert "methods" not in json.loads(run(*words, "--json", "--methods"))


def test_the_package_brings_its_bibliography() -> None:
    document = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    brought = document["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert brought["docs/references.bib"] == "askance/references.bib"


def test_chances_without_a_short_fraction_are_rounded() -> None:
    kary = ak.KAry.at_epsilon(1).on(YN)
    q = kary.channel(YN)
    result = ak.estimate(ak.Tally(q, {"yes": 40, "no": 60}))
    assert "with chance 0.731" in ak.present.methods_paragraph(result, q, recipe=kary).text


@pytest.mark.long
def test_numbers_of_a_form_are_set_too(tmp_path: Path) -> None:
    survey = """
    askance = "survey-1"
    title = "Age"
    consent = "Voluntary."
    [[question]]
    name = "age"
    text = "Age?"
    line = { lower = 0, upper = 80, step = 10 }
    mechanism = { name = "cuts", number = 1 }
    """
    (tmp_path / "s.toml").write_text(survey, encoding="utf-8")
    rows = ["age_above,age_upto", *["40,", ",40", "20,", ",60"] * 30]
    (tmp_path / "t.csv").write_text("\n".join(rows), encoding="utf-8")
    completed = run("estimate", tmp_path / "s.toml", tmp_path / "t.csv", "--format", "csv")
    rows = completed.splitlines()
    assert rows[0] == "what,estimate,se,lower,upper"
    assert rows[1].startswith("average,")
    assert np.isfinite([float(part) for part in rows[1].split(",")[1:]]).all()
