"""The JSON schema of a survey file, with every variant of a mechanism's parameters."""

from collections.abc import Iterator
from typing import Any

import msgspec

from askance.mechanisms.catalogue import ANSWERS, NUMBERS
from askance.mechanisms.named_mechanisms import UnrelatedQuestion
from askance.survey.specs import Survey
from askance.survey.written_questions import BESIDE_COVERAGE
from askance_collect.arguments import checked
from askance_collect.wire.toml_text import packaged_toml

_KEYS = packaged_toml("askance.survey", "schema/parameters.toml")


@checked
def survey_schema() -> dict[str, Any]:
    """Write the JSON schema of a survey file, for an editor that completes and checks it.

    >>> from askance.survey import survey_schema
    >>> survey_schema()["$defs"]["Survey"]["required"]
    ['askance', 'title', 'consent', 'question']
    """
    schema: dict[str, Any] = msgspec.json.schema(Survey)
    for table in schema["$defs"].values():
        if (mechanism := table["properties"].get("mechanism")) is not None:
            (recipe,) = (
                variant
                for variant in mechanism.get("anyOf", [mechanism])
                if variant["type"] == "object"
            )
            recipe.update(_recipe_schema())
    return schema


def _recipe_schema() -> dict[str, Any]:
    """Write every way in which a recipe can be written as JSON schema."""
    return {"anyOf": [_write_variant(*recipe) for recipe in _list_recipes()]}


def _list_recipes() -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    for subject, recipes in (("named answers", ANSWERS), ("a number on a line", NUMBERS)):
        for name, variants in recipes.items():
            yield from ((name, subject, variant.needed, variant.optional) for variant in variants)
    yield UnrelatedQuestion.name, "named answers, by two rules in the world", ("asked",), ("share",)
    for name, others in BESIDE_COVERAGE.items():
        yield name, "a number on a line, with a target", ("coverage",), others


def _write_variant(
    name: str, subject: str, needed: tuple[str, ...], optional: tuple[str, ...]
) -> dict[str, Any]:
    keys = {key: {"description": _KEYS[key]} for key in (*needed, *optional)}
    return {
        "title": name,
        "description": f"For {subject}.",
        "properties": {"name": {"const": name}, **keys},
        "required": ["name", *needed],
        "additionalProperties": False,
    }
