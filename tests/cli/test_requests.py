"""One description for each analysis: its flags, its call in JSON and R's function say the same."""

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.cli.requests import REQUESTS
from askance.cli.typed_request import list_arguments
from askance.inference.regression.answer_model import LINKS
from askance.inference.regression.outcome_law import ERRORS as OUTCOME_ERRORS
from askance.inference.regression.outcome_law import FAMILIES
from askance.inference.regression.response_regression import ERRORS

ROOT = Path(__file__).parents[2]
PEOPLE = str(ROOT / "r/inst/extdata/practices.csv")
FORCED: dict[str, Any] = {"mechanism": ["forced:yes=1/6,no=1/6"], "reports": [PEOPLE]}
ASKED = FORCED | {"column": "forced"}
DRAWN = ASKED | {"weights": "weight", "strata": ["region"], "clusters": ["school"]}
LIST = {"table": PEOPLE, "list": "list", "control": "short", "items": 3}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("estimate", DRAWN | {"level": 0.9, "methods": True}),
    ("estimate", ASKED | {"by": ["region"], "collapse": ["north,south"]}),
    ("compare", ASKED | {"group": "region"}),
    ("compliance", ASKED | {"models": ["cheating"], "sensitivity": "1/5", "steps": 2}),
    ("bounds", ASKED | {"nonresponse": True, "silent": 60, "at_least": "yes"}),
    ("bounds", ASKED | {"sets": {"any": ["yes", "no"]}}),
    ("bounds", DRAWN | {"false_share": "1/20"}),
    ("small-areas", ASKED | {"by": ["school"]}),
    ("regress", FORCED | {"formula": "forced ~ age", "missing": "drop", "effects": False}),
    ("regress", FORCED | {"formula": "forced ~ 1", "link": "probit", "errors": "robust"}),
    ("item-count", LIST | {"column": "items", "missing": "drop"}),
    ("item-count", LIST | {"formula": "items ~ age", "constrained": False, "missing": "drop"}),
]


def call(*lines: object) -> list[dict[str, Any]]:
    """Answer each call, as another program is answered."""
    given = "".join(json.dumps(line) + "\n" for line in lines)
    outcome = CliRunner().invoke(verbs, ["rpc"], input=given.encode())
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    return [json.loads(line) for line in outcome.stdout.splitlines()]


def typed(verb: str, values: dict[str, Any]) -> list[str]:
    """Type a call by its flags."""
    words = [verb]
    for argument in list_arguments(REQUESTS[verb]):
        if argument.name not in values:
            continue
        value = values[argument.name]
        if isinstance(value, bool):
            is_switch = argument.default is None
            words += [f"--no-{argument.flag[2:]}" if is_switch and not value else argument.flag]
            continue
        texts = value if isinstance(value, list) else [value]
        if isinstance(value, dict):
            texts = [f"{name}={','.join(answers)}" for name, answers in value.items()]
        words += [word for text in texts for word in (argument.flag, str(text)) if word]
    return words


@pytest.mark.parametrize(("verb", "values"), CALLS)
def test_a_call_in_json_is_answered_as_its_flags_are(verb: str, values: dict[str, Any]) -> None:
    by_flags, by_json = call(
        typed(verb, values | {"json": True}), {"verb": verb, "json": True} | values
    )
    assert by_json == by_flags
    assert by_json["status"] == 0, by_json["err"]
    assert json.loads(by_json["out"])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"verb": "serve"}, "verb: got 'serve'; allowed: count, estimate"),
        ({"mechanisms": []}, "request: got 'mechanisms'; allowed: .*did you mean 'mechanism'"),
        ({"mechanism": "warner"}, "mechanism: got 'warner'; allowed: a list of texts"),
        ({"level": "high"}, "level: got 'high'; allowed: a number"),
        ({"weights": 5}, "weights: got 5; allowed: text"),
        ({"json": "yes"}, "json: got 'yes'; allowed: true or false"),
        ({"page": 5}, "page: got 5; allowed: the name of a file"),
        ({"format": "pdf"}, "format: got 'pdf'; allowed: table, json, latex, html, csv"),
        ({"format": "csv", "json": True}, "--format: got 'csv, with --json'; allowed: one of them"),
        ({"verb": "regress"}, "formula: got 'nothing'; allowed: text"),
        ({"verb": "bounds", "sets": ["a"]}, "sets: got .*; allowed: lists of texts by name"),
        ({"verb": "bounds", "silent": 1.5}, "silent: got 1.5; allowed: a whole number"),
        ({}, "FORM: got 'nothing'; allowed: a form, and where its reports are"),
        ({"form": "a.json"}, "REPORTS: got 'nothing'"),
    ],
)
def test_what_is_wrong_in_a_call_is_named(values: dict[str, Any], message: str) -> None:
    (answer,) = call({"verb": "estimate"} | values)
    assert (answer["status"], answer["out"]) == (2, "")
    assert re.search(f"^askance: {message}", answer["err"])


def test_every_analysis_has_the_flags_of_its_request() -> None:
    for verb, request in REQUESTS.items():
        command = verbs.get_command(click.Context(verbs), verb)
        assert command is not None
        options = [one.opts[0] for one in command.params if isinstance(one, click.Option)]
        flags = [argument.flag for argument in list_arguments(request) if argument.flag]
        assert options == flags
        assert len({argument.name for argument in list_arguments(request)}) == len(
            list_arguments(request)
        )


def test_a_request_allows_what_the_library_does() -> None:
    def allowed(verb: str, name: str) -> list[str]:
        (argument,) = [one for one in list_arguments(REQUESTS[verb]) if one.name == name]
        return argument.allowed.split(", ")

    assert allowed("regress", "link") == list(LINKS)
    assert allowed("regress", "errors") == list(ERRORS)
    assert allowed("item-count", "family") == list(FAMILIES)
    assert allowed("item-count", "errors") == list(OUTCOME_ERRORS)


IN_R = {
    "estimate": "askance_estimate",
    "compare": "askance_compare",
    "compliance": "askance_compliance",
    "bounds": "askance_bounds",
    "small-areas": "askance_small_areas",
    "regress": "askance_regress",
    "item-count": "askance_item_count",
}
OF_R = {"formula", "data", "design", "reports", "contrasts", "covariates", "group"}
"""What R's functions are given of data frames and designs, from which they make the rest."""

NOT_IN_R = {
    *("form", "reports", "table", "column", "formula", "recode", "collapse", "areas", "covariates"),
    *("mechanism", "answers", "key", "unsealed", "json", "format", "page", "plot", "attentive"),
    "effects",
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
    names = {argument.name for argument in list_arguments(REQUESTS[verb])}
    assert formals(IN_R[verb]) - OF_R <= names
    left_out = NOT_IN_R | (LIST_IN_R if verb == "item-count" else set())
    assert names - left_out <= formals(IN_R[verb])
