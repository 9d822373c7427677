"""The JSON schema of a survey file, with every variant of a mechanism's parameters."""

from collections.abc import Iterator
from typing import Any

import msgspec

from askance.mechanisms.catalogue import ANSWERS, NUMBERS
from askance.mechanisms.named_mechanisms import UnrelatedQuestion
from askance.survey.specs import Survey
from askance.survey.written_questions import BESIDE_COVERAGE
from askance_collect.arguments import checked

_KEYS = {
    "answered": "the chance that an answer is sent at all",
    "asked": "the chance that the sensitive question is the one to answer; of two rules, a list",
    "between": "two numbers between which every cut falls",
    "coverage": "the share of people that a report is to leave possible, on average",
    "draws": "how many cards each person draws",
    "epsilon": "the most that a report may shift the log-odds between two answers",
    "floor": "the least share of people, by the sizes, that a range holds",
    "forced": "for each answer the chance, of all who are asked, of being told to give it",
    "forced_yes": "the chance, of all who are asked, of being told to give the first answer",
    "harmless": "the known share of people with a harmless trait, or with each class of one",
    "if_forced": "for each answer its chance among those whose answer is forced",
    "law": "where a cut falls: even, a number for each inner tick, or a distribution by name",
    "lie": "the chance of any one answer that is not the true one",
    "marks": "the share of cards with each mark",
    "number": "how many cuts, candidates or blocks are drawn",
    "open": "stretches [low, high] in which an answer is sent exactly",
    "partitions": "each a list of blocks, each a list of answers",
    "prior": "how the answers are thought to spread, as law",
    "ratio": "the most that a report may multiply the odds between two answers: e to the epsilon",
    "red_if_no": "the share of red cards in the pack of those without the trait",
    "red_if_yes": "the share of red cards in the pack of those with the trait",
    "reports": "for each report the answers that it leaves possible",
    "rows": "for each answer the chance of each report, in whole numbers",
    "sent": "the chance that a range which keeps the floor is sent",
    "share": "how much of the lies becomes vague; of two rules, how often the first one holds",
    "sizes": "how many people are thought to be in each step, as law",
    "stopping": "when narrowing ends: side-blind",
    "truth": "the chance that the true answer is sent",
    "truth_if_no": "the chance that one without the trait is told to say so",
    "weights": "one number for each partition",
}


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
