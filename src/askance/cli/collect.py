"""What has been collected: count it, export it, close the survey."""

import http.client
import json
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

import click

from askance.cli.doctor import doctor
from askance.cli.documents import (
    FILE,
    day_of,
    form_at,
    named_by_files,
    of_each,
    passphrase_by,
    public_keys,
)
from askance.collect.accept import Outcome, read_saved
from askance.collect.backup import Backup, back_up, check_backup, create_backup_key
from askance.collect.backup import restore as make_store
from askance.collect.export import (
    export_csv,
    export_jsonl,
    export_receipts,
    receipts,
    written_files,
)
from askance.collect.installed import Installation, InstallState, inspect_installation
from askance.collect.kit import write_kit
from askance.collect.owner import become_owner
from askance.collect.retention import delete_reports
from askance.collect.store import open_store
from askance.collect.store import repair as save_good
from askance.errors import DocumentError, InputError
from askance.wire.form import Form
from askance.wire.token import Tokens

_Command = TypeVar("_Command", bound=Callable[..., None])
_PATIENCE = 8.0  # seconds in which a collector that works has answered
_LONGEST = 1 << 16
_NAMED = 5
_ONE_LOOK = (
    "what is estimated while it is open has intervals for one look, at the number of reports that "
    "was planned"
)


@click.group()
def collect() -> None:
    """Look at, export, copy, mend, close or empty a store."""


@collect.command()
@click.argument("forms", nargs=-1, required=True, type=FILE)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--host", multiple=True, required=True, help="Where it is found, or NAME=HOST.")
@click.option("--name", help="What units are called; otherwise as FORMS.")
@click.option("--proxy", type=click.Choice(["nginx", "caddy"]), default="nginx", show_default=True)
@click.option("--container", is_flag=True, help="Run it in a container in place of systemd.")
@click.option(
    "--wheel",
    "wheels",
    multiple=True,
    type=FILE,
    help="A wheel of the release, whose hash is pinned.",
)
@click.option("--base", default="", help="The container's base image, as name@sha256:….")
def kit(
    forms: tuple[Path, ...],
    folder: Path,
    host: tuple[str, ...],
    name: str | None,
    proxy: Literal["nginx", "caddy"],
    container: bool,
    wheels: tuple[str, ...],
    base: str,
) -> None:
    """Write into FOLDER what runs a collector of FORMS for years.

    A unit for systemd or a container file, the settings of a proxy with TLS, and a README.md. One
    process asks several, each at https://HOST/NAME/ for NAME.form.json, or at a HOST of its own.
    """
    named = named_by_files(forms)
    (first, *others) = named
    asked = {one: form_at(path) for one, path in named.items()}
    hosts = {one: found[-1] for one, found in of_each("--host", host, named).items() if found}
    made = write_kit(
        asked if others else asked[first],
        folder,
        name or ("surveys" if others else first),
        hosts if others else hosts[first],
        proxy=proxy,
        container=container,
        wheels=wheels,
        base=base,
    )
    for path in made:
        click.echo(path)


collect.add_command(doctor)


@collect.command()
@click.argument("url", default="http://127.0.0.1:8000/")
@click.option(
    "--release", default="", help="The program's SHA-256, as the release's PROGRAMS says."
)
def healthy(url: str, release: str) -> None:
    """Ask the collector at URL if it can write, and what runs there.

    URL is https://…, http://… or unix:/run/….sock. On its own machine its files are compared with
    those of its wheel. The exit status is 1 if it could not write or does not answer, if a file
    differs, or if it is not the program of --release.
    """
    if release and not re.fullmatch("[0-9a-f]{64}", release):
        raise InputError("--release", got=release, allowed="64 hexadecimal digits in small letters")
    status, health = _ask_health(url)
    click.echo("healthy" if status == 200 else "not healthy")
    intact = _tell_program(health, release, _on_this_machine(url)) if status else True
    raise SystemExit(not (status == 200 and intact))


def _ask_health(url: str) -> tuple[int, dict[str, object]]:
    """Ask a collector how it is; 0, if it does not answer."""
    with closing(_line(url)) as line:
        try:
            line.request("GET", "/health")
            reply = line.getresponse()
            health = json.loads(reply.read(_LONGEST))
        except (OSError, http.client.HTTPException):
            return 0, {}
        except ValueError:
            return reply.status, {}
    return reply.status, health if isinstance(health, dict) else {}


def _tell_program(health: dict[str, object], release: str, here: bool) -> bool:
    """Say which program a collector is; False if it is not as it was released."""
    found = _installed_here() if here else None
    program = health.get("program")
    same = found is not None and (bool(health.get("altered")) or found.digest == program)
    if found is not None and same and found.state is InstallState.ALTERED:
        differing = _differing(found)
        click.echo(f"{found.package} {found.version} differs from its wheel: {differing}")
        return False
    if health.get("altered"):
        click.echo("its program differs from its wheel")
        return False
    if program is None:
        editable = found is not None and found.state is InstallState.EDITABLE
        click.echo(
            "editable install: not a release"
            if editable
            else "it does not say which program it is: an editable install, or an earlier version"
        )
        return not release
    click.echo(f"program SHA-256 {program}")
    if found is not None and same:
        click.echo(f"{found.package} {found.version}: each file is as in its wheel")
    if release and program != release:
        click.echo(f"not the program of the release, {release}")
    return release in ("", program)


def _installed_here() -> Installation | None:
    """Compare what is installed with its wheel; None, where its wheel is not known."""
    try:
        return inspect_installation()
    except DocumentError:
        return None


def _differing(found: Installation) -> str:
    """Name the first files that differ, and count the others."""
    named = [
        *(f"{name} was changed" for name in found.changed),
        *(f"{name} is missing" for name in found.missing),
        *(f"{name} was added" for name in found.added),
    ]
    more = f", and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return ", ".join(named[:_NAMED]) + more


def _on_this_machine(url: str) -> bool:
    return url.startswith("unix:") or urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")


def _line(url: str) -> http.client.HTTPConnection:
    scheme, _, path = url.partition(":")
    if scheme == "unix":
        line = http.client.HTTPConnection("localhost")
        line.sock = socket.socket(socket.AF_UNIX)
        line.sock.settimeout(_PATIENCE)
        try:
            line.sock.connect(path)
        except OSError:
            line.sock.close()
            line.auto_open = 0
            line.sock = None
        return line
    place = urlsplit(url)
    if scheme not in ("http", "https") or not place.hostname:
        allowed = "https://exam.example.org/, http://127.0.0.1:8000/ or unix:/run/exam.sock"
        raise InputError("URL", got=url, allowed=allowed)
    over = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    return over(place.hostname, place.port, timeout=_PATIENCE)


@collect.command()
@click.argument("store")
def status(store: str) -> None:
    """Say how many reports STORE holds, and check them all."""
    kept = open_store(become_owner(store), read_only=True)
    form = Form.read(kept.form())
    state = "closed" if kept.closed else "open"
    click.echo(f"{kept.count()} reports, {state}, form SHA-256 {form.fingerprint}")
    if not kept.closed:
        click.echo(_ONE_LOOK)
    if form.tokens is not None:
        for line in _spent(form.tokens, kept.spent()):
            click.echo(line)
    root = sha256()
    for line in receipts(kept):
        root.update(line.encode("ascii"))
    click.echo(f"receipts SHA-256 {root.hexdigest()}")
    kept.close()


def _spent(tokens: Tokens, spent: Mapping[int, int]) -> Iterator[str]:
    """Say how many tokens came under each key, and where more came than it has codes."""
    keys = [(key, spent.get(at, 0)) for at, key in enumerate(tokens.keys)]
    of = {key.name: f" of {key.codes:,}" if key.codes is not None else "" for key, _ in keys}
    yield f"tokens spent: {', '.join(f'{many:,}{of[key.name]} {key.name}' for key, many in keys)}"
    for key, many in keys:
        if key.codes is not None and many > key.codes:
            yield (
                f"more tokens than codes under {key.name}: its issuer has signed for others than "
                "the people whom the form counts"
            )


@collect.command("receipts")
@click.argument("store")
@click.argument("output", type=FILE)
def list_receipts(store: str, output: Path) -> None:
    """List the digests on all receipts.

    OUTPUT has a line for each report in STORE: the SHA-256 of the message that its respondent sent.
    """
    kept = open_store(become_owner(store, writes=[output]), read_only=True)
    root = export_receipts(kept, output)
    kept.close()
    click.echo(f"{output} is written, SHA-256 {root}")


@collect.command()
@click.argument("store")
@click.argument("number")
@click.argument("digest", required=False)
def withdraw(store: str, number: str, digest: str | None) -> None:
    """Take a report out of STORE for good.

    NUMBER and DIGEST are the report's number and the SHA-256 of its message, as on the receipt.
    """
    if not re.fullmatch("[0-9a-fA-F]{32}", number):
        raise InputError("NUMBER", got=number, allowed="32 hexadecimal digits, as on the receipt")
    kept = open_store(become_owner(store))
    try:
        kept.withdraw(bytes.fromhex(number), digest)
        click.echo(f"withdrawn; {kept.count()} reports are left")
        click.echo("backups still hold it: make a new one, and destroy those made before")
    finally:
        kept.close()


@collect.command()
@click.argument("store")
@click.argument("output", type=FILE)
def export(store: str, output: Path) -> None:
    """Write the reports in STORE to OUTPUT.

    OUTPUT ends in .csv, and gets a codebook beside it, or in .jsonl.
    """
    writers = {".csv": export_csv, ".jsonl": export_jsonl}
    if output.suffix not in writers:
        raise DocumentError(str(output), got=output.suffix, allowed=" or ".join(writers))
    kept = open_store(become_owner(store, writes=written_files(output)), read_only=True)
    writers[output.suffix](kept, Form.read(kept.form()), output)
    kept.close()
    click.echo(f"{output} is written, in random order")


@collect.command("import")
@click.argument("store")
@click.argument("saved", type=FILE)
@click.option("--form", type=FILE, help="The published form, if STORE is to be made.")
def take_in(store: str, saved: Path, form: Path | None) -> None:
    """Take the reports into STORE that a tablet SAVED to a file.

    All of them or none: each is looked at as if it had been sent, and counts once.
    """
    given = None if form is None else form_at(form)
    store = become_owner(store, reads=[saved])
    reports = None if given is None else read_saved(saved, given)  # before a store is made for them
    kept = open_store(store, given)
    try:
        if reports is None:
            reports = read_saved(saved, Form.read(kept.form()))
        counts = Counter(kept.append(reports))
    finally:
        kept.close()
    for outcome in Outcome:
        if counts[outcome] or outcome is Outcome.NEW:
            click.echo(f"{counts[outcome]} {outcome.value}")
    if refused := counts[Outcome.CONFLICTING] + counts[Outcome.CLOSED]:
        allowed = "reports that an open survey takes"
        raise InputError(str(saved), got=f"{refused} that were not kept", allowed=allowed)


@collect.command()
@click.argument("store")
def close(store: str) -> None:
    """Refuse further reports for good.

    STORE is rewritten so that no order of arrival is left.
    """
    kept = open_store(become_owner(store))
    try:
        kept.close_survey()
        click.echo(f"closed with {kept.count()} reports")
    finally:
        kept.close()


@collect.command()
@click.argument("store", type=FILE)
@click.argument("new", type=FILE)
@click.option("--form", type=FILE, help="The published form, if STORE's cannot be read.")
def repair(store: Path, new: Path, form: Path | None) -> None:
    """Save the good reports of a damaged STORE in a NEW one.

    STORE, which is a file, stays as it is.
    """
    given = None if form is None else form_at(form)
    done = save_good(become_owner(store), new, given)
    click.echo(f"{store}: {done.damage}")
    kept = "" if done.kept is None else f" of {done.kept}"
    click.echo(f"{done.saved}{kept} reports are in {new}, {'closed' if done.closed else 'open'}")
    if done.complete:
        click.echo("they are all that were kept, unchanged")
    elif done.saved == done.kept:
        click.echo("some are not as they were kept; compare receipts to find which")
    else:
        click.echo("others are lost, and some may not be as they were kept; compare receipts")


def _by_passphrase(command: _Command) -> _Command:
    """Let a command take a passphrase, never as a word of the command itself."""
    asks = click.option("--passphrase", "ask", is_flag=True, help="Ask for a passphrase.")
    reads = click.option("--passphrase-file", "secret", type=FILE, help="Read it there.")
    return asks(reads(command))


@collect.command()
@click.argument("store")
@click.argument("output", type=FILE)
@click.option("--for", "keys", multiple=True, help="Encrypt for this key, or those in this file.")
@_by_passphrase
def backup(store: str, output: Path, keys: tuple[str, ...], ask: bool, secret: Path | None) -> None:
    """Copy STORE to OUTPUT, also while it is written to.

    OUTPUT is replaced once the new copy is whole. A key is public: age1… or ssh-ed25519 … In its
    place a passphrase encrypts a copy of up to 256 MiB.
    """
    given, passphrase = public_keys(keys), passphrase_by(ask, secret, new=True)
    kept = open_store(become_owner(store, writes=[output]), read_only=True)
    try:
        made = back_up(kept, output, given, passphrase=passphrase)
    finally:
        kept.close()
    sealed = given or passphrase is not None
    click.echo(f"{output}  {'encrypted' if sealed else 'readable by whoever has it'}")
    _tell(made)


@collect.command()
@click.argument("copy", type=FILE)
@click.argument("store", required=False)
@click.option("--identity", "keys", type=FILE, multiple=True, help="The file of a private key.")
@_by_passphrase
def restore(
    copy: Path, store: str | None, keys: tuple[Path, ...], ask: bool, secret: Path | None
) -> None:
    """Make a new STORE of the backup COPY.

    Without STORE, only see whether the backup is whole. The passphrase is the backup's, or that of
    the private key.
    """
    passphrase = passphrase_by(ask, secret)
    place = become_owner(copy if store is None else store, reads=[copy, *keys])
    if store is None:
        _tell(check_backup(copy, keys, passphrase=passphrase))
    else:
        _tell(make_store(copy, place, keys, passphrase=passphrase))
    if store is not None:
        click.echo(f"they are in {store}; withdraw again what was withdrawn after the backup")


@collect.command()
@click.argument("output", type=FILE)
@_by_passphrase
def key(output: Path, ask: bool, secret: Path | None) -> None:
    """Make a pair of keys for backups.

    The private one goes to OUTPUT, the public one is printed. Keep the private one elsewhere than
    the store: without it no backup can be read. With a passphrase it is encrypted itself.
    """
    public = create_backup_key(output, passphrase=passphrase_by(ask, secret, new=True))
    click.echo(f"{output}  private: for whoever may restore, and for nobody else", err=True)
    click.echo(public)


@collect.command()
@click.argument("store")
@click.argument("proof", type=FILE)
@click.option("--keep-until", help="Delete nothing before this day is over: 2028-03-31")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(store: str, proof: Path, keep_until: str | None, yes: bool) -> None:
    """Delete every report in STORE, and write that to PROOF.

    STORE stays, empty and closed. With --keep-until this can be done each night: before that day is
    over it deletes nothing, and once PROOF is there it does nothing more.
    """
    if keep_until is not None and date.today() <= day_of("--keep-until", keep_until):
        click.echo(f"kept until {keep_until} is over: nothing is deleted")
        return
    place = become_owner(store)
    if keep_until is not None and proof.exists():
        click.echo(f"{proof} says that all is deleted")
        return
    if keep_until is None and not yes:
        click.confirm(f"delete every report in {store} for good?", abort=True)
    done = delete_reports(place, proof)
    tokens = f" and {done.tokens} tokens" if done.tokens else ""
    click.echo(f"{done.reports} reports{tokens} are deleted; {proof} says so")
    click.echo("backups and exports still hold them: destroy those, or their keys")


def _tell(made: Backup) -> None:
    tokens = f", {made.tokens} tokens spent" if made.tokens else ""
    click.echo(f"{made.reports} reports{tokens}, {'closed' if made.closed else 'open'}")
    click.echo(f"form SHA-256 {made.form}")
    click.echo(f"sums {made.sums[-32:]}")
