"""A package's public names, loaded when they are first used.

The ``__init__`` of every room says its public names once, as imports under ``TYPE_CHECKING``, and
then ``attach(__name__)``. Type checkers, editors and the check of the floors read the
imports; `attach` reads the same lines when the room is opened. So ``import askance`` loads nothing
else, and ``ak.privacy.shafer_loss`` loads the file that it stands in. A name once loaded is an
ordinary attribute.
"""

import ast
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType
from typing import Any, final

from askance_collect.errors import MissingExtra

NEEDS = {
    "askance.analysis": ("msgspec", "survey,engines"),
    "askance.cli": ("click", "survey"),
    "askance.engines": ("narwhals", "engines"),
    "askance.learn": ("sklearn", "learn"),
    "askance.present": ("rich", "survey"),
    "askance.study": ("msgspec", "survey,engines"),
    "askance.survey": ("msgspec", "survey,engines"),
}
"""What a room needs besides numpy and scipy, and the extra that brings it."""


@final
class LazyPackage(ModuleType):
    """A package that loads each of its public names when it is first asked for.

    Python lets a module have a class of its own. This one also keeps the function where Python
    would put the file of the same name, such as ``askance.design.compare``.
    """

    def __getattr__(self, name: str) -> Any:
        """Load a public name."""
        where = self.__dict__["_where"].get(name)
        if where is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}{_hint(name)}")
        try:
            attribute = _load(where, name, self.__name__)
        except ModuleNotFoundError as error:
            if alone() and str(error.name).startswith("askance."):
                raise MissingExtra(str(error.name), "survey") from error
            if self.__name__ not in NEEDS or str(error.name).startswith("askance"):
                raise
            absent = str(error.name).partition(".")[0]
            raise MissingExtra(absent, NEEDS[self.__name__][1]) from error
        self.__dict__[name] = attribute
        return attribute

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute, but never a file over the public name that it holds."""
        is_public = self.__dict__["_where"].get(name, self.__name__) != self.__name__
        if not (is_public and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        """List the public names."""
        return list(self.__dict__["__all__"])

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Cross to another process by name, as what a job's function speaks of has to."""
        return import_module, (self.__name__,)


@cache
def alone() -> bool:
    """Say whether this is the collector alone, without the rooms that judge and estimate.

    >>> alone()
    False
    """
    return find_spec("askance.survey") is None


def installed() -> str:
    """Name what is installed, as pip does.

    >>> installed()
    'askance'
    """
    return "askance-collector" if alone() else "askance"


def release() -> str:
    """Give the version of Askance that is installed: the whole of it, or the collector alone.

    >>> release().count(".")
    2
    """
    return version(installed())


def attach(package: str) -> None:
    """Let a package load its public names when they are first used, and list those it can have."""
    room = sys.modules[package]
    where = _read_imports(room)
    modules = {
        name: f"{package}.{name}" if file == package else file for name, file in where.items()
    }
    listed = (
        name for name, file in modules.items() if _is_installed(package) and _is_installed(file)
    )
    room.__dict__.update(_where=where, __all__=sorted(listed))
    room.__class__ = LazyPackage


def _read_imports(room: ModuleType) -> dict[str, str]:
    """Read, in a package's own source, from where it imports each name for the type checker."""
    source = room.__dict__["__spec__"].loader.get_source(room.__name__)
    if source is None:
        raise ImportError(f"{room.__name__} is read at run time: keep its .py file")
    block = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    return {
        alias.name: str(line.module)
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }


def _load(where: str, name: str, package: str) -> Any:
    if where == package:
        return import_module(f"{where}.{name}")
    return getattr(import_module(where), name)


@cache
def _is_installed(room: str) -> bool:
    """Say whether what a room needs is installed: if not, its names are neither listed nor starred.

    Asked for all the same, they say what to install.
    """
    if room.count(".") == 1 and find_spec(room) is None:
        return False  # where the collector is installed alone
    return room not in NEEDS or find_spec(NEEDS[room][0]) is not None


def _hint(name: str) -> str:
    """Say in which room a name is."""
    top = sys.modules["askance"]
    if name.startswith("_") or not isinstance(top, LazyPackage):
        return ""
    rooms = [room for room, where in top.__dict__["_where"].items() if where == "askance"]
    matches = [room for room in rooms if name in dir(import_module(f"askance.{room}"))]
    return f"; it is askance.{matches[0]}.{name}" if matches else ""
