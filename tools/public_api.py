"""Write down the public names and the survey file's schema.

The names: ``tests/house/public_api.txt`` and ``docs/reference/python.md``; the schema:
``src/askance/survey/schema/survey-1.json``.
"""

import dataclasses
import inspect
import json
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

import askance
from askance.inference.regression.coefficients import FromTable
from askance.survey import survey_schema

ROOT = Path(__file__).parents[1]
SNAPSHOT = ROOT / "tests" / "house" / "public_api.txt"
REFERENCE = ROOT / "docs" / "reference" / "python.md"
SCHEMA = ROOT / "src" / "askance" / "survey" / "schema" / "survey-1.json"
MEMBER = re.compile(r"<(\w+\.\w+): (?:'[^']*'|\"[^\"]*\")>")
HEAD = """# Python names

`import askance as ak` is the only import. The most frequent names are in `ak` itself; the others
are in their room (subpackage), such as `ak.privacy`. `make snapshot` writes this list.
`help(ak.Frame)` prints the whole description of a name, with formula, source and example.
"""


def rooms() -> dict[str, ModuleType]:
    """Give every room that has public names."""
    members_by_name = {name: getattr(askance, name) for name in askance.__all__}
    return {
        name: member for name, member in members_by_name.items() if isinstance(member, ModuleType)
    }


def flat() -> list[str]:
    """List the names that stand at the top too."""
    return sorted(set(askance.__all__) - set(rooms()))


def public() -> dict[str, Any]:
    """Give every public name, after its room, with what it stands for."""
    return {
        f"{room}.{name}": getattr(module, name)
        for room, module in sorted(rooms().items())
        for name in sorted(module.__all__)
    }


def called(path: str) -> str:
    """Say by what a name is called: at the top where it stands there, in its room otherwise."""
    room, name = path.split(".")
    lifted = name in flat() and getattr(rooms()[room], name) is getattr(askance, name)
    return f"ak.{name}" if lifted else f"ak.{path}"


def snapshot() -> str:
    """List every name with its parameters, one a line."""
    lines = [f"ak.{name}" for name in flat()]
    for path, member in public().items():
        lines.append(f"{path}{parameters(member)}")
        lines += [f"{path}.{member}{tail}" for member, tail, _ in members(member)]
    return "\n".join(lines) + "\n"


def reference() -> str:
    """Tell every name in a sentence, by room."""
    parts = [HEAD, "\n## At the top\n\n", ", ".join(f"`ak.{name}`" for name in flat()), ".\n"]
    named = public()
    for room, module in sorted(rooms().items()):
        parts.append(f"\n## {room}\n\n{summary(module)}\n")
        parts += [
            _entry(path, member) for path, member in named.items() if path.startswith(f"{room}.")
        ]
    return "".join(parts)


def _entry(path: str, member: Any) -> str:
    lines = [f"### `{called(path)}{parameters(member)}`", "", summary(member)]
    listed = [f"- `.{member}{tail}`: {words}" for member, tail, words in members(member) if words]
    lines += ["", *listed] if listed else []
    return "\n" + "\n".join(lines) + "\n"


def parameters(member: Any) -> str:
    """Write the parameters without their types, which differ between Python versions."""
    chosen = inspect.isclass(member) and (inspect.isabstract(member) or issubclass(member, Enum))
    if chosen or not callable(member):
        return ""
    try:
        signature = inspect.signature(member)
    except (TypeError, ValueError):
        return ""
    bare = [
        parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()
    ]
    if bare and bare[0].name in {"self", "cls"}:
        bare = bare[1:]
    text = str(signature.replace(parameters=bare, return_annotation=signature.empty))
    return MEMBER.sub(r"\1", text)


def members(member: Any) -> Iterator[tuple[str, str, str]]:
    """Give a class's own public members: name, parameters, first sentence."""
    if not inspect.isclass(member):
        return
    if issubclass(member, Enum):
        yield from ((item.name, "", str(item.value)) for item in member)
    fields = (
        {field.name for field in dataclasses.fields(member)}
        if dataclasses.is_dataclass(member)
        else set()
    )
    names = {name for kind in member.__mro__ if _ours(kind) for name in vars(kind)} | fields
    choices = set(member.__members__) if issubclass(member, Enum) else set()
    for name in sorted(name for name in names - choices if not name.startswith("_")):
        value = inspect.getattr_static(member, name, None)
        if name in fields or isinstance(value, property | FromTable):
            words = summary(value) if isinstance(value, property | FromTable) else ""
            yield name, "", words
        elif callable(value) or isinstance(value, classmethod | staticmethod):
            yield name, parameters(getattr(member, name)), summary(value)


def summary(member: Any) -> str:
    """Give the first sentence of a docstring."""
    if isinstance(member, classmethod | staticmethod):
        member = member.__func__
    return " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())


def _ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in {"askance", "askance_collect"}


if __name__ == "__main__":
    SNAPSHOT.write_text(snapshot(), encoding="utf-8")
    REFERENCE.parent.mkdir(parents=True, exist_ok=True)
    REFERENCE.write_text(reference(), encoding="utf-8")
    schema = json.dumps(survey_schema(), indent=1, ensure_ascii=False)
    SCHEMA.write_text(f"{schema}\n", encoding="utf-8")
    for path in (SNAPSHOT, REFERENCE, SCHEMA):
        print(f"wrote {path.relative_to(ROOT)}")
