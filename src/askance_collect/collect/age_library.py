"""Encryption for public keys in the format of age, by pyrage: `age -d` reads what it writes."""

from types import ModuleType
from typing import Any, cast

from askance_collect.errors import InputError, MissingExtra
from askance_collect.lazy import DISTRIBUTION


def age_library() -> ModuleType:
    """Load pyrage.

    Raises
    ------
    MissingExtra
        Without ``pip install 'askance-collector[backup]'``.
    """
    try:
        import pyrage
    except ImportError as error:
        raise MissingExtra("pyrage", "backup", DISTRIBUTION) from error
    return cast(ModuleType, pyrage)


def read_recipient(key: str) -> Any:
    """Read a public key.

    Raises
    ------
    InputError
        If it is none.

    >>> read_recipient("age1someone")
    Traceback (most recent call last):
    askance_collect.errors.InputError: key: got 'age1someone'; allowed: a public key, age1… or ss...
    """
    age = age_library()
    kind = age.ssh if key.startswith("ssh-") else age.x25519
    try:
        return kind.Recipient.from_str(key)
    except age.RecipientError:
        raise InputError(
            "key",
            got="AGE-SECRET-KEY-…" if key.upper().startswith("AGE-SECRET") else key,
            allowed="a public key, age1… or ssh-ed25519 …",
            remedy="askance-collect key makes a pair",
        ) from None
