"""One description for each analysis: its flags, its call in JSON and R's function say the same."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs

ROOT = Path(__file__).parents[2]
SURVEY = str(ROOT / "examples/affairs.toml")
PEOPLE = str(ROOT / "r/inst/extdata/practices.csv")
FORCED: dict[str, Any] = {
    "mechanism": {"name": "forced", "yes": "1/6", "no": "1/6"},
    "reports": [PEOPLE],
}
MECHANISM = FORCED | {"column": "forced"}
SAMPLE = MECHANISM | {"weights": "weight", "strata": ["region"], "clusters": ["school"]}
LIST = {"table": PEOPLE, "list": "list", "control": "short", "items": 3}
WARNER = {"name": "warner", "truth": "3/4"}
BY_REGION = {"group": "region", "mechanism": dict.fromkeys(("north", "middle", "south"), WARNER)}
LINE: dict[str, Any] = {"line": "0,9,1", "mechanism": {"name": "cuts", "number": 2}}
LAW = {"name": "normal", "mean": 5, "sd": 1}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("estimate", SAMPLE | {"level": 0.9, "methods": True}),
    ("estimate", MECHANISM | {"by": ["region"], "collapse": ["north,south"]}),
    ("compare", MECHANISM | {"group": "region"}),
    ("compare", MECHANISM | BY_REGION),
    ("plan", {"epsilon": 1, "prevalence": 0.05, "half_width": 0.1}),
    ("check", {"survey": SURVEY, "sizes": [200, 300], "summary": True}),
    ("plan", {"epsilon": 1, "answers": ["a", "b, c", "d"], "prevalence": [0.2, "3/10", "1/2"]}),
    ("plan", {"epsilon": 1, "answers": 4}),
    ("study", LINE | {"expect": {"sensitive": LAW}, "times": 2, "seed": 1}),
    (
        "estimate",
        MECHANISM | {"recode": {"yes": "no", "no": "yes", "NA": None}, "answers": ["yes", "no"]},
    ),
    ("compliance", MECHANISM | {"models": ["cheating"], "sensitivity": "1/5", "steps": 2}),
    (
        "bounds",
        MECHANISM | {"nonresponse": True, "nonrespondents": 60, "monotone_selection": "yes"},
    ),
    ("bounds", MECHANISM | {"sets": {"any": ["yes", "no"]}}),
    ("bounds", SAMPLE | {"false_share": "1/20"}),
    ("small-areas", MECHANISM | {"by": ["school"]}),
    ("regress", FORCED | {"formula": "forced ~ age", "missing": "drop", "effects": False}),
    ("regress", FORCED | {"formula": "forced ~ 1", "link": "probit", "errors": "robust"}),
    ("item-count", LIST | {"column": "items", "missing": "drop"}),
    ("item-count", LIST | {"formula": "items ~ age", "constrained": False, "missing": "drop"}),
]
ANALYSES = sorted(
    {verb for verb, _ in CALLS}
    | {"audit", "count", "rehearse", "invite", "print", "publish", "verifier"}
)


def call(*lines: object) -> list[dict[str, Any]]:
    """Answer each call, as another program is answered."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    outcome = CliRunner().invoke(verbs, ["rpc"], input=text.encode())
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    return [json.loads(line) for line in outcome.stdout.splitlines()]


FLAGS = {"sizes": "-n", "models": "--model", "sets": "--set", "constrained": "--unconstrained"}
"""The flags that are not called as their arguments."""

PLACED = {"form", "reports", "survey", "table", "output"}
"""Arguments that stand without a flag."""


@cache
def arguments(verb: str) -> tuple[str, ...]:
    """The arguments of a verb in JSON, as an unknown one is answered with them."""
    (answer,) = call({"verb": verb, "nonsense": 1})
    assert answer["err"].startswith("askance: request: got 'nonsense'; allowed: ")
    return tuple(answer["err"].split("allowed: ")[1].partition("\n")[0].split(";")[0].split(", "))


def options(verb: str) -> dict[str, click.Option]:
    """The options of a verb by their flags."""
    command = verbs.get_command(click.Context(verbs), verb)
    assert command is not None
    return {param.opts[0]: param for param in command.params if isinstance(param, click.Option)}


def flag(name: str) -> str:
    """The flag of an argument, empty where it stands without one."""
    return "" if name in PLACED else FLAGS.get(name, f"--{name.replace('_', '-')}")


def named(mechanism: dict[str, Any], group: str = "") -> str:
    """Type a mechanism by its name."""
    numbers = [f"{key}={value}" for key, value in mechanism.items() if key != "name"]
    return f"{group}{'=' * bool(group)}{mechanism['name']}:{','.join(numbers)}"


def typed(verb: str, values: dict[str, Any]) -> list[str]:
    """Type a call by its flags."""
    words = [verb]
    for name, value in values.items():
        texts = value if isinstance(value, list) else [value]
        if name == "mechanism":
            texts = [named(value)] if "name" in value else list(map(named, value.values(), value))
        elif name == "expect":
            (question, law), *_ = value.items()
            texts = [f"{question}:{named(law).replace(':', ',')}"]
        elif name == "recode":
            texts = [",".join(f"{entry}={report or ''}" for entry, report in value.items())]
        elif name in {"answers", "prevalence"}:
            texts = [",".join(f'"{text}"' if "," in str(text) else str(text) for text in texts)]
        elif isinstance(value, dict):
            texts = [f"{key}={','.join(answers)}" for key, answers in value.items()]
        if isinstance(value, bool):
            words.append("--no-effects" if (name, value) == ("effects", False) else flag(name))
        else:
            words += [word for text in texts for word in (flag(name), str(text)) if word]
    return words


@pytest.mark.parametrize(("verb", "values"), CALLS)
def test_a_call_in_json_is_answered_as_its_flags_are(verb: str, values: dict[str, Any]) -> None:
    if verb != "check":
        values = values | {"json": True}
    by_flags, by_json = call(typed(verb, values), {"verb": verb} | values)
    assert by_json == by_flags
    assert by_json["status"] == 0, by_json["err"]
    assert verb == "check" or json.loads(by_json["out"])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"verb": "serves"}, "verb: got 'serves'; allowed: new, import, plan, check, study"),
        ({"mechanisms": []}, "request: got 'mechanisms'; allowed: .*did you mean 'mechanism'"),
        ({"mechanism": "warner"}, 'mechanism: got \'warner\'; allowed: {"name": "warner", '),
        ({"mechanism": {"truth": "3/4"}}, 'mechanism: got .*; allowed: {"name": "warner", '),
        ({"mechanism": WARNER | {"lie": 1}, "reports": ["a.csv"]}, "--mechanism warner"),
        ({"verb": "study", "people": 0}, "people: got 0; allowed: a whole number, 1 or more"),
        ({"verb": "rehearse", "survey": "a", "width": 1}, "width: got 1; .* from 200 to 4,000"),
        ({"verb": "print", "survey": "a", "output": "b", "paper": "a5"}, "paper: .*: a4, letter"),
        ({"verb": "verify", "page": "a", "survey": "b", "timeout": 0}, ".* a number above 0"),
        ({"verb": "plan", "epsilon": [1]}, "epsilon: got .*; allowed: a number, or text with one"),
        ({"level": "high"}, "level: got 'high'; allowed: a number"),
        ({"weights": 5}, "weights: got 5; allowed: text"),
        ({"json": "yes"}, "json: got 'yes'; allowed: true or false"),
        ({"page": 5}, "page: got 5; allowed: the name of a file"),
        ({"recode": "1=yes"}, 'recode: got \'1=yes\'; allowed: an object: {"1": "yes", '),
        ({"replicates": "brr:r*"}, "replicates: got 'brr:r.'; allowed: an object: "),
        (
            {"verb": "plan", "answers": True},
            'answers: got True; allowed: \\["yes", "no"\\], or how',
        ),
        ({"verb": "study", "expect": ["a:1"]}, "expect: got .*; allowed: laws by their questions"),
        ({"verb": "log ad"}, "verb: got 'log ad'; allowed: .*log add"),
        ({"verb": "log add", "log": 5}, "log: got 5; allowed: the name of a file"),
        ({"format": "pdf"}, "format: got 'pdf'; allowed: table, json, latex, html, csv"),
        ({"format": "csv", "json": True}, "--format: got 'csv, with --json'; allowed: one of them"),
        ({"verb": "regress"}, "formula: got 'nothing'; allowed: text"),
        ({"verb": "bounds", "sets": ["a"]}, "sets: got .*; allowed: lists of texts by name"),
        (
            {"verb": "bounds", "nonrespondents": 1.5},
            "nonrespondents: got 1.5; allowed: a whole number",
        ),
        ({}, "FORM: got 'nothing'; allowed: a form, and where its reports are"),
        ({"form": "a.json"}, "REPORTS: got 'nothing'"),
    ],
)
def test_what_is_wrong_in_a_call_is_named(values: dict[str, Any], message: str) -> None:
    (answer,) = call({"verb": "estimate"} | values)
    assert (answer["status"], answer["out"]) == (2, "")
    assert re.search(f"^askance: {message}", answer["err"])


@pytest.mark.parametrize("verb", ANALYSES)
def test_every_analysis_has_the_flags_of_its_request(verb: str) -> None:
    names = arguments(verb)
    assert len(set(names)) == len(names)
    assert [*options(verb)] == [flag(name) for name in names if flag(name)]


lab = ak.inference
HALVES = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
COUNTED = {"y": [0, 1, 2, 3] * 20, "l": ["a", "b"] * 40, "o": [0, 1, 0, 1] * 20}
ITEMS: dict[str, Any] = {"data": COUNTED, "items": 3, "control": "a"}


CALLED = {
    "response": lambda **wrong: ak.response_regression(["yes"], None, HALVES, **wrong),
    "outcome": lambda **wrong: lab.item_count_outcome("y", "l", "o", "~ 1", **ITEMS, **wrong),
    "items": lambda **wrong: lab.item_count_regression("y", "l", "~ 1", **ITEMS, **wrong),
}


@pytest.mark.parametrize(
    ("verb", "name", "function"),
    [
        ("regress", "link", "response"),
        ("regress", "errors", "response"),
        ("item-count", "family", "outcome"),
        ("item-count", "errors", "outcome"),
        ("item-count", "misreport", "items"),
        ("item-count", "condition", "items"),
    ],
)
def test_a_request_allows_what_the_library_does(verb: str, name: str, function: str) -> None:
    with pytest.raises(ak.errors.InputError) as refused:
        CALLED[function](**{name: "tea"})
    choices = options(verb)[f"--{name}"].type
    assert isinstance(choices, click.Choice)
    assert refused.value.allowed.replace('"', "") == ", ".join(choices.choices)


IN_R = {
    "estimate": "askance_estimate",
    "compare": "askance_compare",
    "compliance": "askance_compliance",
    "bounds": "askance_bounds",
    "small-areas": "askance_small_areas",
    "regress": "askance_regress",
    "item-count": "askance_item_count",
}
OF_R = {"formula", "data", "reports", "contrasts", "covariates", "group"}
"""What R's functions are given of data frames and designs, from which they make the rest."""

NOT_IN_R = {
    *("form", "reports", "table", "column", "formula", "recode", "collapse", "areas", "covariates"),
    *("mechanism", "answers", "key", "unsealed", "json", "format", "page", "plot", "attentive"),
    *("effects", "missing_codes", "decimal", "thousands", "encoding"),
}
"""Files, and what R does itself."""

LIST_IN_R = {"fpc", "methods"}
"""What R's function for a list experiment has no use for yet."""


def formals(function: str) -> set[str]:
    """The arguments of a function of R, by its source."""
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "r/R").glob("*.R"))
    rest = source.split(f"\n{function} <- function(", 1)[1]
    names, depth, word = set[str](), 0, ""
    for sign in rest:
        depth += (sign == "(") - (sign == ")")
        if depth < 0 or (sign == "," and not depth):
            names.add(word.partition("=")[0].strip())
            word = ""
        else:
            word += sign
        if depth < 0:
            return names
    raise AssertionError(function)


@pytest.mark.parametrize("verb", IN_R)
def test_the_function_of_r_has_the_arguments_of_the_request(verb: str) -> None:
    names = set(arguments(verb))
    assert formals(IN_R[verb]) - OF_R <= names
    left_out = NOT_IN_R | (LIST_IN_R if verb == "item-count" else set())
    assert names - left_out <= formals(IN_R[verb])
