"""Frequency oracles by name: which rule the document of a channel names, read from its parameters.

Channels know the interface of an oracle alone. The module of an oracle registers it here, and is
imported when a document names it.
"""

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from types import MappingProxyType
from typing import Any, TypeVar

from askance.channels.abstract_oracle import AbstractOracle
from askance.channels.mass_functions import numbers_read, opened
from askance_collect.errors import DocumentError

Oracle = TypeVar("Oracle", bound=AbstractOracle)

ORACLE_MODULES: Mapping[str, str] = MappingProxyType(
    {
        "kary": "askance.channels.oracles",
        "unary": "askance.channels.oracles",
        "subset": "askance.channels.oracles",
        "hash": "askance.channels.oracles",
        "hadamard": "askance.channels.projective_oracles",
        "projective": "askance.channels.projective_oracles",
        "bit_flip": "askance.channels.bit_flip_oracle",
    }
)
"""The module in which the oracle of each name registers itself."""

_REGISTERED: dict[str, type[AbstractOracle]] = {}


def register_oracle(oracle: type[Oracle]) -> type[Oracle]:
    """Register a class of oracles under its name, as a decorator; the class comes back as it is.

    >>> from askance.channels.oracles import KAryOracle
    >>> register_oracle(KAryOracle) is KAryOracle
    True
    """
    _REGISTERED[oracle.name] = oracle
    return oracle


def read_oracle(document: Any, answers: int) -> AbstractOracle:
    """Read an oracle for so many answers from its name and parameters in a channel's document.

    Raises
    ------
    DocumentError
        If no oracle has this name, or a parameter is missing, unknown or no number.

    >>> read_oracle({"name": "subset", "size": "2", "truth": "1/2"}, 9)
    SubsetOracle(answers=9, size=2, truth=Fraction(1, 2))
    """
    name = document.get("name") if isinstance(document, dict) else None
    if not isinstance(name, str) or name not in ORACLE_MODULES:
        allowed = f"a name: {', '.join(ORACLE_MODULES)}; parameters"
        raise DocumentError("oracle", got=document, allowed=allowed)
    import_module(ORACLE_MODULES[name])
    kind: Any = _REGISTERED[name]
    parameters = {part.name: part.type for part in fields(kind) if part.name != "answers"}
    written = {key: value for key, value in document.items() if key != "name"}
    values = opened(written, "oracle", tuple(parameters))
    read = {
        parameter: _read_parameter(value, f"oracle.{parameter}", kind_of_number is int)
        for (parameter, kind_of_number), value in zip(parameters.items(), values, strict=True)
    }
    oracle: AbstractOracle = kind(answers=answers, **read)
    return oracle


def _read_parameter(written: Any, where: str, is_whole: bool) -> Any:
    (number,) = numbers_read([written], where)
    return int(number) if is_whole and number == int(number) else number
