"""The reference pages list what the code has: verbs, options, keys, codes, errors."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import askance.errors
from askance.cli import verbs
from askance.survey import survey_schema


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
    found = dict(_commands(verbs, "askance"))
    assert len(found) >= 9
    listed = set(re.findall(r"`(askance [a-z][a-z-]*(?: [a-z]+)?)", page))
    assert set(found) == listed - {"askance collect", "askance log"}
    for name, command in found.items():
        part = page.split(f"`{name}", 1)[1].split("\n## ")[0]
        options = [one for one in command.params if isinstance(one, click.Option)]
        assert [one.opts[0] for one in options if f"`{one.opts[0]}" not in part] == []
        told = set(re.findall(r"^\| `(--?[a-z-]+)", part, re.MULTILINE))
        assert told == {one.opts[0] for one in options} or not told


def test_every_key_of_the_survey_file_is_listed(pages: dict[str, str]) -> None:
    tables = survey_schema()["$defs"].values()
    keys = [key for table in tables for key in table["properties"]]
    assert {"title", "answers", "step"} <= set(keys)
    assert [key for key in keys if f"`{key}`" not in pages["survey-file"]] == []


def test_every_mechanism_is_listed_with_its_parameters(pages: dict[str, str]) -> None:
    rows = {
        row.split("|")[1].strip(" `"): row
        for row in pages["survey-file"].split("## Mechanisms")[1].split("\n## ")[0].splitlines()
        if row.startswith("| `")
    }
    asked = survey_schema()["$defs"]["QuestionSpec"]["properties"]["mechanism"]
    ways = next(one["anyOf"] for one in asked["anyOf"] if "anyOf" in one)
    assert rows.keys() - {"name"} == {way["title"] for way in ways}
    for way in ways:
        parameters = way["properties"].keys() - {"name"}
        assert [key for key in parameters if f"`{key}" not in rows[way["title"]]] == []


def test_the_tree_of_errors_is_the_one_in_the_code(pages: dict[str, str]) -> None:
    told = (askance.errors.__doc__ or "").split("::\n\n")[1].split("\n\n")[0]
    drawn = pages["errors"].split("```text\n")[1].split("\n```")[0]
    assert [line.strip() for line in told.splitlines()] == [
        line.strip() for line in drawn.splitlines()
    ]
