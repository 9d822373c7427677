"""What an editor needs to help with recipes in a survey file: names, keys and what they mean."""

from collections.abc import Iterator
from typing import Any

from askance.mechanisms.catalogue import ANSWERS, NUMBERS
from askance.survey.target import BESIDE_COVERAGE

_KEYS = {
    "answered": "the chance that an answer is sent at all",
    "between": "two numbers between which every cut falls",
    "coverage": "the share of people that a report is to leave possible, on average",
    "epsilon": "the most that a report may shift the log-odds between two answers",
    "floor": "the least share of people, by the sizes, that a range holds",
    "law": "where a cut falls: even, a number for each inner tick, or a distribution by name",
    "lie": "the chance of any one answer that is not the true one",
    "number": "how many cuts, candidates or blocks are drawn",
    "open": "stretches [low, high] in which an answer is sent exactly",
    "partitions": "each a list of blocks, each a list of answers",
    "prior": "how the answers are thought to spread, as law",
    "ratio": "the most that a report may multiply the odds between two answers: e to the epsilon",
    "reports": "for each report the answers that it leaves possible",
    "rows": "for each answer the chance of each report, in whole numbers",
    "sent": "the chance that a range which keeps the floor is sent",
    "share": "how much of the lies becomes vague",
    "sizes": "how many people are thought to be in each step, as law",
    "stopping": "when narrowing ends: side-blind",
    "truth": "the chance that the true answer is sent",
    "weights": "one number for each partition",
}


def recipe_schema() -> dict[str, Any]:
    """Write every way in which a recipe can be written as JSON schema.

    >>> [way["required"] for way in recipe_schema()["anyOf"]][:3]
    [['name', 'truth'], ['name', 'epsilon'], ['name', 'ratio']]
    """
    return {"anyOf": [_way(*one) for one in _ways()]}


def _ways() -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    for asked, recipes in (("named answers", ANSWERS), ("a number on a line", NUMBERS)):
        for name, ways in recipes.items():
            yield from ((name, asked, way.needed, way.optional) for way in ways)
    for name, others in BESIDE_COVERAGE.items():
        yield name, "a number on a line, with a target", ("coverage",), others


def _way(
    name: str, asked: str, needed: tuple[str, ...], optional: tuple[str, ...]
) -> dict[str, Any]:
    keys = {key: {"description": _KEYS[key]} for key in (*needed, *optional)}
    return {
        "title": name,
        "description": f"For {asked}.",
        "properties": {"name": {"const": name}, **keys},
        "required": ["name", *needed],
        "additionalProperties": False,
    }
