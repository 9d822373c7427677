"""Write down the public names: ``tests/house/public_api.txt`` and ``docs/reference/python.md``."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import askance

ROOT = Path(__file__).parents[1]
SNAPSHOT = ROOT / "tests" / "house" / "public_api.txt"
REFERENCE = ROOT / "docs" / "reference" / "python.md"
MEMBER = re.compile(r"<(\w+\.\w+): (?:'[^']*'|\"[^\"]*\")>")
HEAD = """# Python names

Everything is imported from `askance` itself: `import askance as ak`. The list is written by
`make snapshot`; `help(ak.Frame)` tells the whole of each, with formula, source and example.
"""


def public() -> dict[str, Any]:
    """Give every public name with what it stands for."""
    return {name: getattr(askance, name) for name in sorted(askance.__all__)}


def snapshot() -> str:
    """List every name with its parameters, one a line."""
    lines: list[str] = []
    for name, thing in public().items():
        lines.append(f"{name}{parameters(thing)}")
        lines += [f"{name}.{member}{tail}" for member, tail, _ in members(thing)]
    return "\n".join(lines) + "\n"


def reference() -> str:
    """Tell every name in a sentence, by room."""
    rooms: dict[str, list[str]] = {}
    for name, thing in public().items():
        told = [f"### `{name}{parameters(thing)}`", "", summary(thing)]
        listed = [
            f"- `.{member}{tail}`: {words}" for member, tail, words in members(thing) if words
        ]
        told += ["", *listed] if listed else []
        rooms.setdefault(_room(thing), []).append("\n".join(told))
    parts = [f"\n## {room}\n\n" + "\n\n".join(told) + "\n" for room, told in sorted(rooms.items())]
    return HEAD + "".join(parts)


def parameters(thing: Any) -> str:
    """Write the parameters without their types, which differ between Python versions."""
    chosen = inspect.isclass(thing) and (inspect.isabstract(thing) or issubclass(thing, Enum))
    if chosen or not callable(thing):
        return ""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    bare = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    if bare and bare[0].name in {"self", "cls"}:
        bare = bare[1:]
    told = str(signature.replace(parameters=bare, return_annotation=signature.empty))
    return MEMBER.sub(r"\1", told)


def members(thing: Any) -> Iterator[tuple[str, str, str]]:
    """Give a class's own public members: name, parameters, first sentence."""
    if not inspect.isclass(thing):
        return
    if issubclass(thing, Enum):
        yield from ((one.name, "", str(one.value)) for one in thing)
    fields = (
        {field.name for field in dataclasses.fields(thing)}
        if dataclasses.is_dataclass(thing)
        else set()
    )
    names = {name for kind in thing.__mro__ if _ours(kind) for name in vars(kind)} | fields
    choices = set(thing.__members__) if issubclass(thing, Enum) else set()
    for name in sorted(name for name in names - choices if not name.startswith("_")):
        value = inspect.getattr_static(thing, name, None)
        if name in fields or isinstance(value, property):
            words = summary(value) if isinstance(value, property) else ""
            yield name, "", words
        elif callable(value) or isinstance(value, classmethod | staticmethod):
            yield name, parameters(getattr(thing, name)), summary(value)


def summary(thing: Any) -> str:
    """Give the first sentence of a docstring."""
    if isinstance(thing, classmethod | staticmethod):
        thing = thing.__func__
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def _ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "askance"


def _room(thing: Any) -> str:
    path = str(getattr(thing, "__module__", "askance.typing")).split(".")
    return path[1] if path[0] == "askance" and len(path) > 1 else "typing"


if __name__ == "__main__":
    SNAPSHOT.write_text(snapshot(), encoding="utf-8")
    REFERENCE.parent.mkdir(parents=True, exist_ok=True)
    REFERENCE.write_text(reference(), encoding="utf-8")
    print(f"wrote {SNAPSHOT.relative_to(ROOT)} and {REFERENCE.relative_to(ROOT)}")
