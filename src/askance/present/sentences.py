r"""Sentences from templates: TOML holds the words, keyed by enum members, and code the facts.

A template is a text with blanks, or a list of texts, each a sentence. A blank is `{path}` or
`{path:how}`: the path leads to a value through attributes, and `how` says how it is written.

| how | what is written |
|---|---|
| `?words\|others` | the first words where the value is true or there, else the others |
| `=table` | the template of a table for this enum member or word, or its template `other` |
| `>name` | the template of this name, about the value |
| `each=name` | that template about each item, joined by commas |
| `and`, `or to` | the items, the last joined by this word; `and=table` takes them from a table |
| `names`, `sentences`, `count` | the items joined by commas or as sentences, or how many they are |
| `cite=table` | the sources that a table has for one member or several |
| `percent`, `chance`, `s`, `was` | 95 %, 3/4, the ending of a plural, and its verb |
| `.3f` and the like | as Python formats it |

`{cite:key,key}` cites sources of the bibliography.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from string import Formatter
from typing import Any, final

from askance_collect.wire.toml_text import packaged_toml

Template = str | list[str]

_READABLE = 1000  # the largest denominator of a fraction that is written as one


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """What fills the blanks of templates.

    Attributes
    ----------
    tables : mapping of str to mapping of str to Template
        Of which `sentences` has the templates that others include.
    cite : callable
        Writes sources, of which it gets the keys.
    facts : mapping of str to callable
        Computes what is no attribute of a value from the value, by its name in templates.

    >>> sentences = {"said": ["{people:,} people", "Each said {word:=words} {cite:warner1965}"]}
    >>> tables = {"sentences": sentences, "words": {"y": "yes"}}
    >>> writer = Writer(tables=tables, cite=", ".join, facts={})
    >>> writer.write("said", {"people": 1200, "word": "y"})
    '1,200 people. Each said yes warner1965.'
    >>> writer.write("said", {"people": 1200, "word": "no"})
    Traceback (most recent call last):
    KeyError: 'other'
    """

    tables: Mapping[str, Mapping[str, Template]]
    cite: Callable[[Sequence[str]], str]
    facts: Mapping[str, Callable[[Any], object]]

    def write(self, name: str, subject: object) -> str:
        """Write the template of a name about a subject."""
        return self.fill(self.tables["sentences"][name], subject)

    def fill(self, template: Template, subject: object) -> str:
        """Fill the blanks of a template about a subject."""
        if not isinstance(template, str):
            return join_sentences(self.fill(sentence, subject) for sentence in template)
        return "".join(
            words + ("" if path is None else self._write_blank(path, how or "", subject))
            for words, path, how, _ in Formatter().parse(template)
        )

    def _write_blank(self, path: str, how: str, subject: object) -> str:
        if path == "cite":
            return self.cite(how.split(","))
        value = self._follow(path, subject)
        if how.startswith("?"):
            return self.fill(split_choice(how)[not _is_there(value)], subject)
        if how.startswith("="):
            return self.fill(self._choose(how[1:], value), subject)
        if how.startswith(">"):
            return self.write(how[1:], value)
        kind, _, name = how.partition("=")
        if kind == "cite":
            members = value if isinstance(value, tuple) else (value,)
            sources = ",".join(str(self._choose(name, member)) for member in members)
            return self.cite(sources.split(","))
        if kind == "each":
            return ", ".join(self.write(name, item) for item in value)
        if kind in ("and", "or to"):
            items = [
                self.fill(self._choose(name, item), subject) if name else item for item in value
            ]
            return _join(items, kind)
        return _FORMATS[how](value) if how in _FORMATS else _format(value, how)

    def _choose(self, table: str, value: Any) -> Template:
        choices = self.tables[table]
        key = value.name.lower() if isinstance(value, Enum) else str(value)
        return choices[key] if key in choices else choices["other"]

    def _follow(self, path: str, subject: object) -> Any:
        value = subject
        for name in filter(None, path.split(".")):
            if isinstance(value, Mapping):
                value = value[name]
            elif name in self.facts:
                value = self.facts[name](value)
            else:
                value = value[int(name)] if isinstance(value, tuple) else getattr(value, name)
        return value


def split_choice(how: str) -> tuple[str, str]:
    """Split the words of a choice from those for the other case.

    >>> split_choice("?by {law:?F|χ²}|by nothing")
    ('by {law:?F|χ²}', 'by nothing')
    """
    depth = 0
    for index, letter in enumerate(how):
        depth += (letter == "{") - (letter == "}")
        if letter == "|" and not depth:
            return how[1:index], how[index + 1 :]
    return how[1:], ""


def load_sentences(name: str) -> Mapping[str, Mapping[str, Template]]:
    """Read the templates of one file, by their tables.

    >>> sorted(load_sentences("methods.toml"))[:2]
    ['chance_place', 'dependence']
    """
    return packaged_toml("askance.present", f"templates/{name}")


def list_blanks(template: Template) -> Iterator[tuple[str, str]]:
    """List the blanks of a template, those in choices too, as path and how it is written.

    >>> list(list_blanks("{n:,} {is_many:?people {cite:a}|person}"))
    [('n', ','), ('is_many', '?people {cite:a}|person'), ('cite', 'a')]
    """
    for sentence in [template] if isinstance(template, str) else template:
        for _, path, how, _ in Formatter().parse(sentence):
            if path is not None:
                yield path, how or ""
                if how and how.startswith("?"):
                    yield from list_blanks(list(split_choice(how)))


def join_sentences(texts: Iterable[str]) -> str:
    """End each sentence with a full stop, and leave the empty ones out.

    >>> join_sentences(["It rains", "", "It pours."])
    'It rains. It pours.'
    """
    return " ".join(text if text.endswith(".") else f"{text}." for text in texts if text)


def write_chance(value: Any) -> str:
    """Write a chance as a fraction that can be read, else rounded.

    >>> write_chance(Fraction(3, 4)), write_chance(Fraction(410105312, 862713251))
    ('3/4', '0.4754')
    """
    fraction = Fraction(value)
    return str(fraction) if fraction.denominator <= _READABLE else f"{float(fraction):.4f}"


_FORMATS: Mapping[str, Callable[[Any], str]] = {
    "chance": write_chance,
    "percent": lambda share: f"{100 * share:g} %",
    "names": ", ".join,
    "sentences": lambda items: ". ".join(str(item).rstrip(".") for item in items),
    "count": lambda items: f"{len(items):,}",
    "s": lambda number: "" if number == 1 else "s",
    "was": lambda number: "was" if number == 1 else "were",
}


def _format(value: Any, how: str) -> str:
    return format(float(value) if isinstance(value, Fraction) else value, how)


def _join(items: Sequence[str], word: str) -> str:
    if word == "or to":
        return f" {word} ".join(items)
    return f" {word} ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def _is_there(value: object) -> bool:
    if value is None or isinstance(value, bool | int | float | str | tuple | list):
        return bool(value)
    return True
