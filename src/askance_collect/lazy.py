"""A package's public names, loaded when they are first used.

The ``__init__`` of every room says its public names once, as imports under ``TYPE_CHECKING``, and
then ``attach(__name__)``. Type checkers, editors and the check of the floors read the
imports; `attach` reads the same lines when the room is opened. So ``import askance`` loads nothing
else, and ``ak.privacy.shafer_loss`` loads the file that it stands in. A name once loaded is an
ordinary attribute.
"""

import ast
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, final

from askance_collect.errors import MissingExtra

DISTRIBUTION = "askance-collector"
"""What pip calls this package; what it lacks comes with an extra of it."""

_PACKAGE = __name__.partition(".")[0]

NEEDS: dict[str, tuple[str, str]] = {}
"""What a room needs besides what its package asks for, and the extra that brings it."""


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
            attribute = _load(where, name)
        except ModuleNotFoundError as error:
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


def release() -> str:
    """Give the version of Askance that is installed: the collector's and the rest have one number.

    >>> release().count(".")
    2
    """
    from importlib.metadata import version  # which takes longer than all else that is loaded here

    return version(DISTRIBUTION)


def attach(package: str, needs: Mapping[str, tuple[str, str]] = MappingProxyType({})) -> None:
    """Let a package load its public names when they are first used, and list those it can have.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    needs : mapping of str to (str, str)
        Rooms of the package that need more than it asks for: a package, and the extra that brings
        it.
    """
    NEEDS.update(needs)
    room = sys.modules[package]
    where = _read_imports(room)
    modules = {name: file if "." in file else f"{file}.{name}" for name, file in where.items()}
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


def _load(where: str, name: str) -> Any:
    """Load a name from its module, or a room from its package."""
    if where.count("."):
        return getattr(import_module(where), name)
    return import_module(f"{where}.{name}")


@cache
def _is_installed(room: str) -> bool:
    """Say whether what a room needs is installed: if not, its names are neither listed nor starred.

    Asked for all the same, they say what to install.
    """
    return room not in NEEDS or find_spec(NEEDS[room][0]) is not None


def _hint(name: str) -> str:
    """Say in which room a name is."""
    top = sys.modules.get("askance", sys.modules[_PACKAGE])
    if name.startswith("_") or not isinstance(top, LazyPackage):
        return ""
    packages = {top.__name__, _PACKAGE}
    rooms = [room for room, where in top.__dict__["_where"].items() if where in packages]
    matches = [room for room in rooms if name in dir(_load(top.__dict__["_where"][room], room))]
    return f"; it is {top.__name__}.{matches[0]}.{name}" if matches else ""
