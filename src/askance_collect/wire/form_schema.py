"""The schema of forms, which is published: whether a document conforms to it, and its texts.

What form-2.json says of keys, types, bounds and patterns is said there alone: this reader goes by
it, and so does the respondent's page, into whose modules it is written. A rule that no schema can
express has a name and a sentence there (`x-rules`), and is carried out once on each side.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from importlib.resources import files
from itertools import repeat
from types import MappingProxyType
from typing import Any, TypeGuard, final

from askance_collect.errors import FormError, restate
from askance_collect.wire.canonical_json import canonical

_Check = Callable[[Any, Sequence[str]], None]
"""Refuses a value, given the languages of its form; ``where`` is the path from the value on."""

_Rule = Callable[[Any, Sequence[str]], bool]

_FILE = files("askance_collect.wire") / "schema" / "form-2.json"
_SCHEMA: Mapping[str, Any] = json.loads(_FILE.read_text("ascii"))
_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
_NAMED_RULES: dict[str, _Rule] = {}

_ANY = ("any keys",)
_PLAIN = {"boolean": "true or false", "null": "null", "string": "a text"}

RULES: Mapping[str, str] = _SCHEMA["x-rules"]
"""What is allowed by each rule that a schema cannot express, by its name."""

NEWER = frozenset(part for part, node in _SCHEMA["properties"].items() if "x-since" in node)
"""What form-2 brings beside questions."""


NEVER = (0, 1)
"""The chance of a blank that no kind of plain question has, as ``(units, total)``."""


def conform(value: Any, part: str, languages: Sequence[str], where: str = "") -> None:
    """Refuse a value that is not what the schema says of a part of a form.

    Parameters
    ----------
    value : object
        As read from JSON.
    part : str
        A key of the form, or a definition of the schema; the form itself without.
    languages : sequence of str
        Those of the form.
    where : str
        Where the value stands, for messages.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.

    >>> conform(91, "later", ["en"], "later")
    Traceback (most recent call last):
    askance_collect.errors.FormError: later: got 91; allowed: an integer from 1 to 90
    """
    try:
        _check_of(part)(value, languages)
    except FormError as error:
        raise _below(error, where) from None


def refuse(rule: str, where: str, got: Any = None, remedy: str = "") -> FormError:
    """Make the error of a broken rule, with the sentence that the schema has for it.

    >>> refuse("names", "questions", got="tea").allowed
    'names that are all different'
    """
    return FormError(where, got=got, allowed=RULES[rule], remedy=remedy)


def broken_rule(error: FormError) -> str:
    """Name the rule that a refusal goes by; empty where the schema itself refuses.

    >>> broken_rule(refuse("names", "questions")), broken_rule(FormError("later", got=91))
    ('names', '')
    """
    return next((name for name, allowed in RULES.items() if allowed == error.allowed), "")


def rule(name: str) -> Callable[[_Rule], _Rule]:
    """Carry out a rule that a single value of the schema keeps by itself."""

    def register(is_kept: _Rule) -> _Rule:
        _NAMED_RULES[name] = is_kept
        return is_kept

    return register


def pattern(part: str) -> re.Pattern[str]:
    """The pattern of a text, to be matched with the whole of it.

    >>> bool(pattern("name").fullmatch("tea")), bool(pattern("name").fullmatch("Tea"))
    (True, False)
    """
    return _compiled(_node(part)["pattern"])


def bounds(path: str) -> tuple[int, int]:
    """The least and the largest of an integer or of a list's length, by its path in the schema.

    >>> bounds("cuts.cuts.number")
    (1, 16)
    """
    node = _node(path)
    if node.get("type") == "array":
        return node["minItems"], node["maxItems"]
    return node.get("minimum", 0), node["maximum"]


def _node(path: str) -> Mapping[str, Any]:
    """The node of a path, which begins with a part of the schema."""
    first, *keys = path.split(".")
    node = _SCHEMA["properties"].get(first) or _SCHEMA["$defs"].get(first, _SCHEMA)
    for key in keys:
        while key not in node.get("properties", {}):
            node = _referred(node) if "$ref" in node else node["items"]
        node = node["properties"][key]
    return node  # type: ignore[no-any-return]  # the schema has objects alone there


def _referred(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node that another one refers to."""
    return reduce(lambda inner, key: inner[key], node["$ref"].split("/")[1:], _SCHEMA)


@cache
def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(text.removeprefix("^").removesuffix("$"))


@cache
def _check_of(path: str) -> _Check:
    """Make the check of a part, once."""
    return _check(_node(path))


def _check(node: Mapping[str, Any]) -> _Check:
    """Make the check of a node: what it refers to, what it says of a value, and of its parts."""
    if "$ref" in node:
        return _check_reference(
            _check(_referred(node)), {key: node[key] for key in node if key != "$ref"}
        )
    tests = [make_test(node[key]) for key, make_test in _TESTS.items() if key in node]
    inner = [make(node) for key, make in _PARTS.items() if key in node]

    def check(value: Any, languages: Sequence[str]) -> None:
        for is_met in tests:
            if not is_met(value):
                raise FormError("", got=value, allowed=_allowed(node))
        for part in inner:
            part(value, languages)

    return check


def _check_reference(first: _Check, rest: Mapping[str, Any]) -> _Check:
    """Make the check of a reference: the node that it names, then the keywords around it."""
    if not rest.keys() & {*_TESTS, *_PARTS}:
        return first
    second = _check(rest)

    def check(value: Any, languages: Sequence[str]) -> None:
        first(value, languages)
        second(value, languages)

    return check


def _below(error: FormError, step: str) -> FormError:
    """Put a step before the path of an error, as seen from one level further out."""
    where = f"{step}{error.where}".removeprefix("." * (not step))
    return restate(error, where, FormError)


def _items(node: Mapping[str, Any]) -> _Check:
    inner, plain = _check(node["items"]), _integer_bounds(node["items"])
    least, most = plain or (1, 0)

    def check(value: Any, languages: Sequence[str]) -> None:
        if plain and all(type(part) is int and least <= part <= most for part in value):
            return
        _check_parts(value, zip(range(len(value)), repeat(inner)), languages)

    return check


def _integer_bounds(node: Mapping[str, Any]) -> tuple[int, float] | None:
    """The bounds of an integer that has no other keyword: lists of them are long."""
    node = _referred(node) if set(node) == {"$ref"} else node
    if node.get("type") != "integer" or set(node) - {"type", "minimum", "maximum"}:
        return None
    return node["minimum"], node.get("maximum", float("inf"))


def _check_parts(
    value: Any, checks: Iterable[tuple[Any, _Check]], languages: Sequence[str]
) -> None:
    """Check the parts of a value, by their keys or positions; an error names the path to them."""
    key: str | int = 0
    try:
        for key, check in checks:
            check(value[key], languages)
    except FormError as error:
        raise _below(error, f".{key}" if isinstance(key, str) else f"[{key}]") from None


def _properties(node: Mapping[str, Any]) -> _Check:
    checks = [(key, _check(part)) for key, part in node["properties"].items()]

    def check(value: Any, languages: Sequence[str]) -> None:
        _check_parts(value, [member for member in checks if member[0] in value], languages)

    return check


def _other_properties(node: Mapping[str, Any]) -> _Check:
    declared, others = node.get("properties", {}), node["additionalProperties"]
    inner = _check(others or {"title": _allowed(node), "enum": ()})

    def check(value: Any, languages: Sequence[str]) -> None:
        _check_parts(value, [(key, inner) for key in value if key not in declared], languages)

    return check


def _property_names(node: Mapping[str, Any]) -> _Check:
    inner = _check(node["propertyNames"])

    def check(value: Any, languages: Sequence[str]) -> None:
        for key in value:
            inner(key, languages)

    return check


def _required(node: Mapping[str, Any]) -> _Check:
    def check(value: Any, _: Sequence[str]) -> None:
        for key in node["required"]:
            if key not in value:
                part = node.get("properties", {}).get(key, {})
                raise FormError(f".{key}", got="no such key", allowed=_allowed(part))

    return check


def _dependent(node: Mapping[str, Any]) -> _Check:
    """Make the check of what the presence of a key demands of the whole object."""
    checks = {key: _check(part) for key, part in node["dependentSchemas"].items()}

    def check(value: Any, languages: Sequence[str]) -> None:
        for key in checks.keys() & value.keys():
            try:
                checks[key](value, languages)
            except FormError as error:
                other, remedy = error.where[1:], f"leave {key!r} out"
                allowed = f"{key!r} where {other} is {error.allowed}"
                got = f"{other} {error.got!r}"
                raise FormError(f".{key}", got=got, allowed=allowed, remedy=remedy) from None

    return check


def _any_of(node: Mapping[str, Any]) -> _Check:
    checks = [_check(part) for part in node["anyOf"]]

    def check(value: Any, languages: Sequence[str]) -> None:
        deepest = FormError("", got=value, allowed=_allowed(node))
        for branch in checks:
            try:
                return branch(value, languages)
            except FormError as error:
                deepest = max(deepest, error, key=lambda error: len(error.where))
        raise deepest

    return check


def _of_kind(node: Mapping[str, Any]) -> _Check:
    """Make the check of what is of one kind: the discriminator names its definition."""
    key = node["discriminator"]["propertyName"]
    kinds = {part["$ref"].rpartition("/")[2]: _check(part) for part in node["oneOf"]}
    return lambda value, languages: kinds[value[key]](value, languages)


def _ruled(node: Mapping[str, Any]) -> _Check:
    name = node["x-rule"]

    def check(value: Any, languages: Sequence[str]) -> None:
        if not _NAMED_RULES[name](value, languages):
            raise refuse(name, "", value)

    return check


def _first_items(node: Mapping[str, Any]) -> _Check:
    checks = list(enumerate(map(_check, node["prefixItems"])))
    return lambda value, languages: _check_parts(value, checks, languages)


def _allowed(node: Mapping[str, Any]) -> str:
    """Say what a node allows, from what it says of itself."""
    if "$ref" in node:
        node = {**_referred(node), **node}
    if "title" in node:
        return str(node["title"])
    if "anyOf" in node:
        return " or ".join(map(_allowed, node["anyOf"]))
    if "enum" in node or "const" in node:
        return " or ".join(map(json.dumps, node.get("enum") or [node["const"]]))
    match node.get("type"):
        case "integer":
            return f"an integer from {node['minimum']} {_up_to(node.get('maximum'))}"
        case "array":
            return f"a list, from {node.get('minItems', 0)} {_up_to(node.get('maxItems'))}"
        case "object":
            return (
                f"an object with {', '.join(node.get('required') or node.get('properties', _ANY))}"
            )
        case other:
            return _PLAIN.get(other or "", "a value")


def _are_unlike(values: Sequence[Any]) -> bool:
    try:
        return len(set(values)) == len(values)
    except TypeError:
        return len(set(map(canonical, values))) == len(values)


def _up_to(most: int | None) -> str:
    return "on" if most is None else f"to {most}"


_TESTS: Mapping[str, Callable[[Any], Callable[[Any], object]]] = {
    "type": lambda name: lambda value: type(value) is _TYPES[name],
    "const": lambda only: lambda value: type(value) is type(only) and value == only,
    "enum": lambda names: lambda value: type(value) is str and value in names,
    "pattern": lambda text: _compiled(text).fullmatch,
    "minLength": lambda least: lambda value: len(value) >= least,
    "maxLength": lambda most: lambda value: len(value) <= most,
    "minimum": lambda least: lambda value: value >= least,
    "maximum": lambda most: lambda value: value <= most,
    "multipleOf": lambda divisor: lambda value: not value % divisor,
    "minItems": lambda least: lambda value: len(value) >= least,
    "maxItems": lambda most: lambda value: len(value) <= most,
    "minProperties": lambda least: lambda value: len(value) >= least,
    "uniqueItems": lambda _: _are_unlike,
}
_PARTS: Mapping[str, Callable[[Mapping[str, Any]], _Check]] = {
    "items": _items,
    "prefixItems": _first_items,
    "properties": _properties,
    "additionalProperties": _other_properties,
    "propertyNames": _property_names,
    "required": _required,
    "dependentSchemas": _dependent,
    "anyOf": _any_of,
    "oneOf": _of_kind,
    "x-rule": _ruled,
}


_LEGIBLE, _LANGUAGE = pattern("said"), pattern("language")


@final
@dataclass(frozen=True, slots=True)
class Label:
    """A stable name with its wording in each language of the form."""

    name: str
    wording: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "wording")


def is_legible(text: object) -> TypeGuard[str]:
    r"""Say whether a value is a text that is shown as it is written.

    A control character can rewrite a terminal; a mark that turns the direction of writing can
    rearrange the sentences in which the text stands; half a character cannot be written at all.

    >>> is_legible("Ja\n\u05db\u05df"), is_legible("Yes\u202e"), is_legible("Yes\x1b[2K")
    (True, False, False)
    """
    return isinstance(text, str) and _LEGIBLE.fullmatch(text) is not None


def is_language(tag: object) -> TypeGuard[str]:
    """Say whether a value is a language tag that every browser can write numbers and lists in.

    A language, and where they are told a script, a region, one variant and something of one's own.

    References
    ----------
    BCP 47, section 2.1. The page's program would stop at any other shape.

    >>> [is_language(tag) for tag in ("de-AT", "zh-Hant-TW", "de-1996-x-easy", "en-1", "en-US-GB")]
    [True, True, True, False, False]
    """
    return isinstance(tag, str) and bool(_LANGUAGE.fullmatch(tag))


def is_index(value: object, bound: int) -> TypeGuard[int]:
    """Say whether a value is a whole number in ``0 … bound − 1``."""
    return type(value) is int and 0 <= value < bound


def read_wording(raw: Any, languages: Sequence[str]) -> dict[str, str]:
    """Put the texts of a wording in the order of the form's languages."""
    return {language: raw[language] for language in languages}


def read_labels(raw: Any, languages: Sequence[str]) -> tuple[Label, ...]:
    """Read labels, each with its wording."""
    return tuple(Label(entry["name"], read_wording(entry["label"], languages)) for entry in raw)


@rule("languages")
def _is_in_each(wording: Any, languages: Sequence[str]) -> bool:
    return set(wording) == set(languages)


@rule("words")
def _is_in_some(words: Any, languages: Sequence[str]) -> bool:
    return set(words) <= set(languages)


@rule("names")
def _are_named_apart(labels: Any, _: Sequence[str]) -> bool:
    return len({label["name"] for label in labels}) == len(labels)


def in_first_language(texts: Mapping[str, str]) -> str:
    """A text in the first language of its form.

    >>> in_first_language({"en": "years", "de": "Jahre"})
    'years'
    """
    return next(iter(texts.values()))


def unchangeable(document: Any) -> Any:
    """Copy a document, at any depth, so that it can be read and not written.

    >>> unchangeable({"a": [1, {"b": 2}]})
    mappingproxy({'a': (1, mappingproxy({'b': 2}))})
    """
    if isinstance(document, dict | MappingProxyType):
        return MappingProxyType({key: unchangeable(value) for key, value in document.items()})
    if isinstance(document, list | tuple):
        return tuple(unchangeable(value) for value in document)
    return document


def keep_unchangeable(value: object, names: str) -> None:
    """Copy documents that a frozen value was given, so that nobody else can change them."""
    for name in names.split():
        object.__setattr__(value, name, unchangeable(getattr(value, name)))
