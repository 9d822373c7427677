"""The reference pages list what the code has: verbs, options, keys, codes, errors."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import askance_collect.errors
from askance.cli import verbs
from askance.survey import survey_schema

COMMANDS, SURVEY_FILE = "docs/reference/command-line.md", "docs/reference/survey-file.md"


@pytest.fixture(scope="module")
def pages(root: Path) -> dict[str, str]:
    """Read the reference."""
    folder = root / "docs" / "reference"
    return {page.stem: page.read_text(encoding="utf-8") for page in folder.glob("*.md")}


def _commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for verb in group.list_commands(context):
        command = group.get_command(context, verb)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, f"{name} {verb}")
        else:
            yield f"{name} {verb}", command


def test_every_verb_and_option_is_listed(pages: dict[str, str]) -> None:
    page = pages["command-line"]
    mapping = dict(_commands(verbs, "askance"))
    assert len(mapping) >= 9
    listed = set(re.findall(r"`(askance [a-z][a-z-]*(?: [a-z]+)?)", page))
    sections = listed - {"askance collect", "askance log"}
    assert set(mapping) - sections == set(), (
        f"{COMMANDS}: write a section ## `askance VERB` for each"
    )
    assert sections - set(mapping) == set(), f"{COMMANDS}: no such verb, delete its section"
    for name, command in mapping.items():
        part = re.split(r"\n##+ ", page.split(f"`{name}", 1)[1])[0]
        options = [param for param in command.params if isinstance(param, click.Option)]
        unlisted = [option.opts[0] for option in options if f"`{option.opts[0]}" not in part]
        assert unlisted == [], f"{COMMANDS}: add a row for each to the table of `{name}`"
        distinct = set(re.findall(r"^\| `(--?[a-z-]+)", part, re.MULTILINE))
        options_there = {option.opts[0] for option in options}
        assert distinct == options_there or not distinct, (
            f"{COMMANDS}: the table of `{name}` has {sorted(distinct - options_there)} too many "
            f"and lacks {sorted(options_there - distinct)}"
        )


def test_the_options_of_analyses_are_those_of_their_requests(
    pages: dict[str, str], root: Path, load: Callable[[Path], Any]
) -> None:
    tables = load(root / "tools/request_tables.py")
    page = pages["command-line"]
    assert tables.written(page) == page, "write them anew: python tools/request_tables.py"
    assert tables.written(page.replace("confidence level", "level")) == page


def test_every_key_of_the_survey_file_is_listed(pages: dict[str, str]) -> None:
    tables = survey_schema()["$defs"].values()
    keys = [key for table in tables for key in table["properties"]]
    assert {"title", "answers", "step"} <= set(keys)
    unlisted = [key for key in keys if f"`{key}`" not in pages["survey-file"]]
    assert unlisted == [], f"{SURVEY_FILE}: add a row for each key"


def test_every_mechanism_is_listed_with_its_parameters(pages: dict[str, str]) -> None:
    rows = {
        row.split("|")[1].strip(" `"): row
        for row in pages["survey-file"].split("## Mechanisms")[1].split("\n## ")[0].splitlines()
        if row.startswith("| `")
    }
    mechanism = survey_schema()["$defs"]["QuestionSpec"]["properties"]["mechanism"]
    ways = next(item["anyOf"] for item in mechanism["anyOf"] if "anyOf" in item)
    recipes = {route["title"] for route in ways}
    assert recipes - rows.keys() == set(), f"{SURVEY_FILE}: add a row for each under ## Mechanisms"
    assert rows.keys() - {"name"} - recipes == set(), f"{SURVEY_FILE}: no such recipe, delete it"
    for variant in ways:
        parameters = variant["properties"].keys() - {"name"}
        unlisted = [key for key in parameters if f"`{key}" not in rows[variant["title"]]]
        assert unlisted == [], f"{SURVEY_FILE}: name each in the row of `{variant['title']}`"


def test_the_tree_of_errors_is_the_one_in_the_code(pages: dict[str, str]) -> None:
    part = (askance_collect.errors.__doc__ or "").split("::\n\n")[1].split("\n\n")[0]
    kinds = [kind for kind in vars(askance_collect.errors).values() if isinstance(kind, type)]
    own = {
        kind.__name__
        for kind in kinds
        if kind.__module__ == askance_collect.errors.__name__ and issubclass(kind, Exception)
    }
    assert own - set(re.findall(r"\w+", part)) == set(), (
        "draw each in the tree at the top of errors.py"
    )
    drawn_part = pages["errors"].split("```text\n")[1].split("\n```")[0]
    assert [line.strip() for line in drawn_part.splitlines()] == [
        line.strip() for line in part.splitlines()
    ], "copy the tree at the top of errors.py into the block of text of docs/reference/errors.md"
