"""Kinds of people who do not comply, as they are typed: by the names of the literature."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from askance.cli.typed_request import named
from askance.inference.shares.compliance import (
    Noncompliers,
    cheating_detection,
    one_sayers,
    random_answerers,
    self_protective,
    stochastic_lie_detector,
)
from askance_collect.errors import InputError, nearest

_Model = tuple[Callable[..., Noncompliers], tuple[str, ...]]

_MODELS: Mapping[str, _Model] = MappingProxyType(
    {
        "cheating": (cheating_detection, ("says",)),
        "sld": (stochastic_lie_detector, ("carriers", "says")),
        "self-protective": (self_protective, ("says",)),
        "random": (random_answerers, ("chances",)),
        "one-sayers": (one_sayers, ("says",)),
    }
)
"""Models of noncompliance by their names in the literature, and the parameters of each."""


def kinds_of(written: Sequence[str]) -> tuple[Noncompliers, ...]:
    """Read kinds of people who do not comply, as they are typed.

    Raises
    ------
    InputError
        If there is no such model, or it has no such parameter.

    >>> [kind.name for kind in kinds_of(["sld:carriers=yes,says=no", "random"])]
    ['deny', 'answer at random']
    """
    return tuple(map(_kind, written))


def _kind(written: str) -> Noncompliers:
    name, options = named(written, "--model")
    if name not in _MODELS:
        raise InputError(
            "--model",
            got=name,
            allowed=", ".join(_MODELS),
            remedy=nearest(name, tuple(_MODELS)) or "such as sld:carriers=yes,says=no",
        )
    make, keys = _MODELS[name]
    lacking = name == "self-protective" and not options
    if lacking or set(options) - set(keys):
        raise InputError(
            f"--model {name}",
            got=", ".join(options) or "no report",
            allowed=", ".join(keys),
            remedy=f"such as {name}:{keys[-1]}=…",
        )
    return make(
        **{
            key: value if isinstance(value, Mapping) else str(value)
            for key, value in options.items()
        }
    )
