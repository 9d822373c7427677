"""Compare the installed program with the wheel that it came from.

A wheel lists the SHA-256 of each of its files, and pip keeps that list as RECORD. The program's
files are compared with it, and its own lines have one SHA-256, which a release publishes: who
changes a file must change the list too, and so that number.
"""

import csv
import marshal
import sys
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import final

from askance_collect.arguments import checked
from askance_collect.errors import DocumentError
from askance_collect.lazy import DISTRIBUTION
from askance_collect.wire.canonical_json import fingerprint

_PACKAGE = "askance_collect"
_PROGRAM = f"{_PACKAGE}/"
_COMPILED = "__pycache__"
_HEADER = 16
"""Bytes that stand before the code in a compiled file."""


@final
class InstallState(Enum):
    """How what is installed compares with its wheel."""

    UNALTERED = "unaltered"
    ALTERED = "altered"
    EDITABLE = "editable"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """What is installed of Askance, compared file by file with its wheel.

    Attributes
    ----------
    package : str
        ``askance-collector``.
    version : str
    state : InstallState
        Editable, where the files of a working copy run, so that there is no wheel.
    digest : str
        SHA-256 of the wheel's list of the program's files; empty if editable.
    changed, missing, added : tuple of str
        Files that have other bytes than in the wheel, are not there, or are not the wheel's.
    """

    package: str
    version: str
    state: InstallState
    digest: str = ""
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@checked
def inspect_installation(folder: str | Path | None = None) -> Installation:
    """Compare the installed files of the program with the list that came in its wheel.

    A compiled file has to be what its source compiles to. Files of other packages, and the command
    ``askance-collect`` itself, which pip writes, are not looked at.

    Parameters
    ----------
    folder : str or Path, optional
        Where packages are installed (``site-packages``); by default where this one is.

    Returns
    -------
    Installation

    Raises
    ------
    DocumentError
        If nothing of Askance is installed there, or its list cannot be read.

    >>> from askance_collect.collect import Installation, InstallState, inspect_installation
    >>> installation: Installation = inspect_installation()
    >>> installation.package, installation.state is InstallState.EDITABLE
    ('askance-collector', True)
    """
    return _inspect(folder, compiled=True)


@cache
def started_installation() -> Installation | None:
    """Give how the program compared with its wheel when this process first looked.

    Compiled files, which take seconds, are left out. None where nothing is known of the wheel.
    """
    try:
        return _inspect(None, compiled=False)
    except DocumentError:
        return None


def describe_program() -> dict[str, object]:
    """Say to everybody, of a program that came in a wheel, which one it is, or that it is altered.

    >>> describe_program()
    {}
    """
    installation = started_installation()
    if installation is None or installation.state is InstallState.EDITABLE:
        return {}
    if installation.state is InstallState.ALTERED:
        return {"altered": True}
    return {"program": installation.digest}


@checked
def program_digest(wheel: str | Path) -> str:
    """Give the SHA-256 of a wheel's list of the program's files.

    It is the same for the wheel and for what pip installs of it.

    Raises
    ------
    DocumentError
        If it is no wheel of Askance.

    >>> from askance_collect.collect import program_digest
    >>> program_digest("nowhere.whl")
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: nowhere.whl: got 'No such file or directory'; allowed:...
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(".dist-info/RECORD")]
            text = archive.read(names[0]).decode("utf-8") if names else ""
    except (OSError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "something else"
        raise DocumentError(str(wheel), got=reason, allowed="a wheel of the release") from error
    if not (listed := _read_record(text)):
        raise DocumentError(str(wheel), got="no list", allowed="a wheel of the release")
    return _digest(listed)


def _inspect(folder: str | Path | None, *, compiled: bool) -> Installation:
    distribution = _find_distribution(folder)
    package, version = str(distribution.metadata["Name"]), distribution.version
    listed = _read_record(distribution.read_text("RECORD") or "")
    top = Path(str(distribution.locate_file(_PACKAGE)))
    runs = Path(__file__).parents[1] if folder is None else top
    if runs.resolve() != top.resolve() or not (listed or top.is_dir()):
        return Installation(package=package, version=version, state=InstallState.EDITABLE)
    if not listed:
        allowed = "what pip or uv installed from a wheel, or an editable install"
        raise DocumentError(str(top), got="no RECORD of its files", allowed=allowed)
    present = {f"{_PROGRAM}{path.relative_to(top).as_posix()}": path for path in _files(top)}
    changed = [name for name in listed if name in present and _hash(present[name]) != listed[name]]
    added = [
        name
        for name in present.keys() - listed.keys()
        if not _is_cache(name, listed) or (compiled and not _is_compiled(present[name]))
    ]
    missing = listed.keys() - present.keys()
    unaltered = not (changed or added or missing)
    return Installation(
        package=package,
        version=version,
        state=InstallState.UNALTERED if unaltered else InstallState.ALTERED,
        digest=_digest(listed),
        changed=tuple(sorted(changed)),
        missing=tuple(sorted(missing)),
        added=tuple(sorted(added)),
    )


def _find_distribution(folder: str | Path | None) -> Distribution:
    """Find what is installed of Askance, here or in a folder of packages."""
    path = sys.path if folder is None else [str(folder)]
    for distribution in distributions(name=DISTRIBUTION, path=path):
        return distribution
    raise DocumentError(str(folder or DISTRIBUTION), got="no such package", allowed="an install")


def _read_record(record: str) -> dict[str, str]:
    """Read the hashes of the program's files in a RECORD."""
    rows = (row for row in csv.reader(record.splitlines()) if len(row) == 3)
    return {
        name: value
        for name, value, _ in rows
        if name.startswith(_PROGRAM) and value and _COMPILED not in name
    }


def _digest(listed: Mapping[str, str]) -> str:
    return fingerprint("".join(f"{name},{listed[name]}\n" for name in sorted(listed)).encode())


def _files(top: Path) -> Iterable[Path]:
    return (path for path in top.rglob("*") if path.is_symlink() or not path.is_dir())


def _hash(path: Path) -> str:
    """Spell the SHA-256 of a file as RECORD does; nothing, of a link or what cannot be read."""
    try:
        content = None if path.is_symlink() else path.read_bytes()
    except OSError:
        content = None
    if content is None:
        return ""
    return f"sha256={urlsafe_b64encode(sha256(content).digest()).decode('ascii').rstrip('=')}"


def _source(name: str) -> tuple[str, int]:
    """Give the source file of a compiled file, and the level of its optimisation."""
    folder, _, file = name.rpartition("/")
    stem, _, rest = file.partition(".")
    tag = sys.implementation.cache_tag
    levels = {f"{tag}.pyc": 0, f"{tag}.opt-1.pyc": 1, f"{tag}.opt-2.pyc": 2}
    if not folder.endswith(f"/{_COMPILED}") or rest not in levels:
        return "", 0
    return f"{folder.removesuffix(_COMPILED)}{stem}.py", levels[rest]


def _is_cache(name: str, listed: Mapping[str, str]) -> bool:
    """Say whether a file is where this Python keeps a compiled file of the program."""
    return _source(name)[0] in listed


def _is_compiled(path: Path) -> bool:
    """Say whether a compiled file is what its source compiles to."""
    name, level = _source(path.as_posix())
    try:
        code = marshal.loads(path.read_bytes()[_HEADER:])  # noqa: S302  # Python would run it
        source = Path(name).read_bytes()
        return bool(code == compile(source, name, "exec", 0, True, level))
    except (OSError, ValueError, EOFError, TypeError, SyntaxError):
        return False
