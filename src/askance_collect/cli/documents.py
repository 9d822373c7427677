"""What the verbs read and write: survey files, published forms, and results as JSON."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click

from askance_collect.cli.program import publisher
from askance_collect.collect.folder import replacing
from askance_collect.errors import InputError
from askance_collect.wire.form import Form, read_form
from askance_collect.wire.parts import FormPart, form_of_part

FILE = click.Path(dir_okay=False, path_type=Path)
"""The kind of an argument that names a file, which may not be there yet."""

FOLDER = click.Path(file_okay=False, path_type=Path)
"""The kind of an argument that names a folder."""

PLACE = click.Path(path_type=Path)
"""The kind of an argument that names a file or a folder."""


def form_at(path: Path) -> Form:
    """Read a published form; publish a survey file on the spot, where all of Askance runs.

    Raises
    ------
    InputError
        If it is no published form, and this is the collector alone.
    """
    if path.suffix == ".json":
        return read_form(path)
    if (publish := publisher()) is not None:
        return publish(path)
    raise InputError(
        str(path),
        got="another kind of file",
        allowed="a published form (.json): this is the collector alone",
        remedy="askance publish writes it, where all of Askance is installed",
    )


def form_path(survey: Path) -> Path:
    """Path of the form of a survey file: in the same folder, with another suffix.

    >>> form_path(Path("a/affairs.toml")).name
    'affairs.form.json'
    """
    return survey if survey.suffix == ".json" else survey.with_suffix(".form.json")


def key_at(path: Path | None) -> str:
    """Read a key from its file, or none.

    Raises
    ------
    InputError
        If there is no such file.
    """
    try:
        return "" if path is None else path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        allowed = "a file with a key of 32 or more letters, digits, - and _"
        raise InputError(str(path), got=getattr(error, "strerror", ""), allowed=allowed) from error


def passphrase_by(ask: bool, file: Path | None, *, new: bool = False) -> str | None:
    """Ask for a passphrase, a new one twice, or read it from its file, or give none.

    Raises
    ------
    InputError
        If both are wanted, or the file has no line of its own.
    """
    if ask and file is not None:
        allowed = "--passphrase, which asks, or --passphrase-file"
        raise InputError("--passphrase", got="both", allowed=allowed)
    if ask:
        typed: str = click.prompt("passphrase", hide_input=True, confirmation_prompt=new, err=True)
        return typed
    try:
        lines = [] if file is None else file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", "")
        raise InputError(
            "--passphrase-file", got=problem, allowed="a file with one line"
        ) from error
    if file is not None and len(lines) != 1:
        problem = f"{len(lines)} lines"
        raise InputError("--passphrase-file", got=problem, allowed="a file with one line")
    return lines[0] if lines else None


def day_of(option: str, spelling: str) -> date:
    """Read a day.

    Raises
    ------
    InputError
        If it is none.

    >>> day_of("--until", "2027-03-31").year
    2027
    """
    try:
        return date.fromisoformat(spelling)
    except ValueError:
        allowed = "a day: 2027-03-31"
        raise InputError(option, got=spelling, allowed=allowed) from None


def named_by_files(files: Sequence[Path]) -> dict[str, Path]:
    """Name surveys by their files.

    Raises
    ------
    InputError
        If two have one name.

    >>> [*named_by_files([Path("a/exam.form.json"), Path("tea.toml")])]
    ['exam', 'tea']
    """
    names = [file.name.partition(".")[0] for file in files]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError("SURVEYS", got=f"{twice} twice", allowed="surveys of different names")
    return dict(zip(names, files, strict=True))


def of_each(option: str, values: tuple[str, ...], named: dict[str, Path]) -> dict[str, list[str]]:
    """Gather what is said of each survey, NAME=…, and what is said of all.

    >>> of_each("--host", ["tea.example.org"], {"tea": Path("tea.toml")})
    {'tea': ['tea.example.org']}
    """
    parted = [value.rpartition("=") for value in values]
    for name, mark, _ in parted:
        if mark and name not in named:
            allowed = f"a value, or NAME= and a value, where NAME is {', '.join(named)}"
            raise InputError(option, got=name, allowed=allowed)
    return {own: [value for name, _, value in parted if name in ("", own)] for own in named}


def public_keys(keys: Sequence[str]) -> list[str]:
    """Take public keys, and read those in files, a line each.

    >>> public_keys(["age1someone"])
    ['age1someone']
    """
    public: list[str] = []
    for key in keys:
        if key.startswith(("age1", "ssh-")) or not Path(key).is_file():
            public.append(key)
        else:
            lines = (line.strip() for line in Path(key).read_text("utf-8").splitlines())
            public += [line for line in lines if line and not line.startswith("#")]
    return public


def write_form(form: Form, survey: Path) -> Path:
    """Write a form into the folder of its survey file, and return its path.

    Where parts are kept apart, the form of each is written beside it.
    """
    path = form_path(survey)
    save(path, form.bytes)
    for part in FormPart if form.keeps_apart else ():
        save(part_form_path(survey, part), form_of_part(form, part).bytes)
    return path


def part_form_path(survey: Path, part: FormPart) -> Path:
    """Path of the form of one part; a folder of forms to be asked does not take it for one.

    >>> part_form_path(Path("a/exam.toml"), FormPart.PLAIN).name
    'exam.plain.json'
    """
    return survey.with_name(f"{survey.name.partition('.')[0]}.{part.value}.json")


def save(path: Path, content: str | bytes, *, new: bool = False, mode: int = 0o666) -> None:
    """Write a file, all of it or nothing; a new one is not written over another.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    written = content.encode() if isinstance(content, str) else content
    try:
        with replacing(path, mode=mode, new=new) as file:
            file.write(written)
    except OSError as error:
        allowed = "a new file" if new else "a file that can be written"
        raise InputError(
            str(path), got=error.strerror, allowed=allowed, remedy="choose another name"
        ) from error


def echo_json(result: Any) -> None:
    """Print a result as JSON, which knows no NaN and no infinity."""
    click.echo(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False))


def counted(count: int, noun: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "report"), counted(0, "report")
    ('1 report', '0 reports')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"
