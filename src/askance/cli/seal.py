"""A study's key: drawn once, and used to open what devices sealed for it."""

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, final

import click
import msgspec

from askance.cli.typed_request import takes_request
from askance.engines.files import Kind, files_at, kind_of
from askance_collect.cli.documents import form_at, save
from askance_collect.cli.request_options import Arg
from askance_collect.collect.folder import PRIVATE
from askance_collect.errors import InputError, file_faults
from askance_collect.wire.form import Form
from askance_collect.wire.question import FreeText

if TYPE_CHECKING:
    from askance.engines.sealed import OpenedTexts

_OPENED = Kind.TABLE, Kind.RESULTS
_NOT_OPENED = Kind.LINES, Kind.PARQUET, Kind.LABELLED
_PASSPHRASE = "ASKANCE_SEAL_PASSPHRASE"  # noqa: S105  the name of a variable


@final
class SealKeyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Where a study's private key goes.

    Attributes
    ----------
    out : Path
        A new file.
    encrypt : bool
        Ask for a passphrase, and encrypt the file by it; who opens reports is asked for it, or has
        it in `ASKANCE_SEAL_PASSPHRASE`.
    existing : bool
        OUT is a private key already, of this command or an identity file of `age-keygen`: print its
        public half.
    """

    out: Annotated[Path, Arg(flag="")]
    encrypt: bool = False
    existing: bool = False


@takes_request()
def seal_key(request: SealKeyRequest) -> None:
    """Draw a study's key pair; write its private half into OUT.

    The public half is printed. A survey file takes it as seal = "…": texts that it asks to seal,
    and reports that its frames hand to the surrounding pages, are then sealed for the holder of
    OUT. Nobody can open them without it.
    """
    from askance.engines.sealed import make_seal_key

    if request.existing:
        if request.encrypt:
            raise InputError("--encrypt", got="beside --existing", allowed="one of the two")
        click.echo(f'seal = "{_read_key(request.out).public}"')
        return
    passphrase = ""
    if request.encrypt:
        passphrase = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True)
    key = make_seal_key()
    save(request.out, key.private(passphrase), new=True, mode=PRIVATE)
    click.echo(f'seal = "{key.public}"')


@final
class UnsealRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A table of sealed reports or texts, and the key that opens them.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    table : Path
        A table of reports, or of texts.
    key : Path
        The private key.
    unsealed : bool
        Take reports that are not sealed, too.
    out : Path
        Where the opened table goes: a new `.csv` file.
    """

    survey: Annotated[Path, Arg(flag="")]
    table: Annotated[Path, Arg(flag="")]
    key: Path
    unsealed: bool = False
    out: Path


@takes_request()
def unseal(request: UnsealRequest) -> None:
    """Open sealed reports on SURVEY, or texts, in TABLE."""
    from askance.engines.sealed import TEXT_HEADER, unseal_tables, unseal_texts
    from askance.engines.sources import text_header

    form, key = form_at(request.survey), _read_key(request.key)
    kind = kind_of(request.table)
    if kind is Kind.TABLE and tuple(text_header(request.table, kind)) == TEXT_HEADER:
        _save_texts(unseal_texts(request.table, form, key), request.out)
        return
    ((opened, count),) = unseal_tables([request.table], form, key, unsealed=request.unsealed)
    save(request.out, opened, new=True)
    click.echo(f"{count:,} sealed report{'' if count == 1 else 's'}  {request.out}")


def _save_texts(texts: "OpenedTexts", out: Path) -> None:
    """Write opened texts, and name each row that did not open."""
    save(out, texts.table, new=True)
    click.echo(f"{texts.opened:,} sealed text{'' if texts.opened == 1 else 's'}  {out}")
    for row, question, fault in texts.refused:
        click.echo(f"{row}, {question}: {fault.value}; it is left as it was", err=True)
    if texts.refused:
        raise SystemExit(1)


def open_sealed(
    form: Form, places: Sequence[str], key: Path | None, *, unsealed: bool
) -> tuple[str, ...]:
    """Name where reports lie, sealed ones opened for as long as the verb runs.

    Raises
    ------
    InputError
        If a key is missing, or is not that of the form.
    DocumentError
        If a report does not open, comes twice, or is not sealed.
    """
    unsealed |= _seals_texts(form) and key is None  # its collector exports reports legibly
    if form.seal_key is None:
        if key is not None or unsealed:
            flag = "--key" if key is not None else "--unsealed"
            raise InputError(flag, got="a form without a key", allowed="nothing, beside it")
        return tuple(places)
    kinds = {source: files_at(source)[1] for source in places}
    for source, kind in kinds.items():
        if kind in _NOT_OPENED and not unsealed:
            raise InputError(
                source,
                got=f"{kind.value}, in which no sealed report is looked for",
                allowed="CSV, or a platform's results in JSON: the form's reports are sealed",
                remedy="--unsealed takes reports that are not: anybody may have added them",
            )
    sealed = [source for source, kind in kinds.items() if kind in _OPENED]
    if not sealed or (key is None and unsealed):
        return tuple(places)
    if key is None:
        raise InputError(
            "--key",
            got="none",
            allowed="the private key of askance seal-key: the form's reports are sealed",
            remedy="--unsealed instead takes those that are not, as from a collector",
        )
    from askance.engines.sealed import unseal_tables

    files = {source: files_at(source)[0] for source in sealed}
    flat = [file for several in files.values() for file in several]
    tables = unseal_tables(flat, form, _read_key(key), unsealed=unsealed)
    folder = Path(click.get_current_context().with_resource(TemporaryDirectory()))
    opened = dict(zip(flat, (text for text, _ in tables), strict=True))
    return tuple(
        str(_write_tables(folder / str(number), files[source], opened))
        if source in files
        else source
        for number, source in enumerate(places)
    )


def _seals_texts(form: Form) -> bool:
    return any(isinstance(question, FreeText) and question.is_sealed for question in form.questions)


def format_seal_flags(key: Path | None, *, unsealed: bool) -> tuple[str, ...]:
    """Write the flags that open sealed reports, the key without its folder."""
    return (*(("--key", key.name) if key is not None else ()), *(("--unsealed",) * bool(unsealed)))


def _write_tables(folder: Path, files: Sequence[Path], opened: dict[Path, str]) -> Path:
    """Write opened tables into a folder of their own; return it, or a single table."""
    folder.mkdir()
    laid = [folder / f"{file.stem}.csv" for file in files]
    for file, target in zip(files, laid, strict=True):
        save(target, opened[file])
    return laid[0] if len(laid) == 1 else folder


def _read_key(path: Path) -> Any:
    """Read a private key; a passphrase comes from the environment, or is asked for."""
    from askance.engines.sealed import read_seal_key

    with file_faults(path, "the private key of askance seal-key", InputError):
        content = path.read_bytes()
    passphrase = ""
    if b"ENCRYPTED" in content:
        typed = os.environ.get(_PASSPHRASE)
        passphrase = typed or click.prompt("Passphrase", hide_input=True, err=True)
    return read_seal_key(content, passphrase)
