"""What has been collected: count it, export it, close the survey."""

import http.client
import json
import re
import socket
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, final
from urllib.parse import urlsplit

import click

from askance_collect.cli.documents import (
    PLACE,
    counted,
    day_of,
    form_at,
    named_by_files,
    of_each,
    passphrase_by,
    public_keys,
)
from askance_collect.cli.request_options import Arg, Between, takes_request
from askance_collect.collect.accept import Outcome, read_saved
from askance_collect.collect.apart import ApartStore
from askance_collect.collect.backup import Backup, back_up, check_backup, create_backup_key
from askance_collect.collect.backup import restore as make_store
from askance_collect.collect.doctor import (
    NOTES,
    Diagnosis,
    Obstacle,
    Problem,
    VisitStep,
    diagnose,
)
from askance_collect.collect.export import (
    export_csv,
    export_jsonl,
    export_receipts,
    written_files,
)
from askance_collect.collect.export import receipts as list_receipts
from askance_collect.collect.installed import Installation, InstallState, inspect_installation
from askance_collect.collect.kit import write_kit
from askance_collect.collect.owner import become_owner
from askance_collect.collect.retention import delete_reports
from askance_collect.collect.store import open_store
from askance_collect.collect.store import repair as save_good
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire.form import Form
from askance_collect.wire.parts import PARTING_CROWD
from askance_collect.wire.token import Tokens

_PATIENCE = 8.0  # seconds in which a collector that works has answered
_LONGEST = 1 << 16
_NAMED = 5
_ONE_LOOK = (
    "estimates made while it is open have intervals for a single look, at the planned number of "
    "reports"
)

_WORDS = tomllib.loads((files("askance_collect.cli") / "doctor.toml").read_text("utf-8"))
_NOT_FOLLOWED = ": the page follows no redirection, since a browser may make a GET of a POST there"


@click.group()
def collect() -> None:
    """Inspect, export, back up, repair, close or empty a store."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class KitRequest:
    """What a collector is to be made for.

    Attributes
    ----------
    forms : tuple of Path
        The published forms that it asks.
    folder : Path
        A new folder.
    host : tuple of str
        Where respondents find it; of one of several forms `NAME=HOST`.
    name : str, optional
        What files and units are called (as the form; of several `surveys`).
    proxy : str
        The proxy with TLS whose settings are written.
    container : bool
        A container file in the place of units for systemd.
    wheel : tuple of Path
        The release's own wheel, whose hash is pinned; again for several.
    base : str
        The container's base image, as `NAME@sha256:…`.
    """

    forms: Annotated[tuple[Path, ...], Arg(flag="")]
    folder: Annotated[Path, Arg(flag="", path=PLACE)]
    host: tuple[str, ...]
    name: str | None = None
    proxy: Literal["nginx", "caddy"] = "nginx"
    container: bool = False
    wheel: tuple[Path, ...] = ()
    base: str | None = None


@takes_request()
def kit(request: KitRequest) -> None:
    """Write into FOLDER the files that run a collector of FORMS.

    A unit for systemd or a container file, the settings of a proxy with TLS, and a README.md. One
    process asks several, each at https://HOST/NAME/ for NAME.form.json, or at a HOST of its own.
    """
    named, host = named_by_files(request.forms), request.host
    (first, *others) = named
    published_forms = {survey: form_at(path) for survey, path in named.items()}
    hosts = {
        survey: values[-1] for survey, values in of_each("--host", host, named).items() if values
    }
    written = write_kit(
        published_forms if others else published_forms[first],
        request.folder,
        request.name or ("surveys" if others else first),
        hosts if others else hosts[first],
        proxy=request.proxy,
        container=request.container,
        wheels=request.wheel,
        base=request.base or "",
    )
    for path in written:
        click.echo(path)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorRequest:
    """A survey to visit.

    Attributes
    ----------
    url : str
        Where it is asked.
    form : Path, optional
        The published form that is to be asked there.
    timeout : float
        For all of it, in seconds.
    """

    url: Annotated[str, Arg(flag="")]
    form: Path | None = None
    timeout: Annotated[float, Between(gt=0)] = 60


@takes_request()
def doctor(request: DoctorRequest) -> None:
    """Visit the survey at URL as a stranger; post a test report.

    Names what blocks, loses or rewrites anything on the way. The collector acknowledges the test
    report, and neither keeps nor counts it. The exit status is 1 if something is lost.
    """
    form = None if request.form is None else form_at(request.form)
    diagnosis = diagnose(request.url, form, seconds=request.timeout)
    click.echo(f"page {diagnosis.page or 'not opened'}")
    if diagnosis.page_sha256:
        click.echo(f"page SHA-256 {diagnosis.page_sha256}")
    if diagnosis.form:
        click.echo(f"form SHA-256 {diagnosis.form}")
    if diagnosis.arrived:
        click.echo(
            f"a test report of {diagnosis.bytes_sent} bytes arrived unchanged; it is not kept"
        )
    else:
        click.echo("no test report arrived")
    for obstacle in diagnosis.obstacles:
        click.echo(_describe_obstacle(obstacle, diagnosis))
    click.echo("this cannot check from outside whether anybody on the way logs addresses or")
    click.echo("bodies; where TLS ends, both are readable")
    raise SystemExit(diagnosis.has_loss)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class HealthRequest:
    """A collector to ask how it is.

    Attributes
    ----------
    url : str
        Where it answers.
    release : str, optional
        The program's SHA-256 that it must have, as in the release's `PROGRAMS`.
    """

    url: Annotated[str, Arg(flag="")] = "http://127.0.0.1:8000/"
    release: str | None = None


@takes_request()
def healthy(request: HealthRequest) -> None:
    """Ask the collector at URL if it can write, and what runs there.

    URL is https://…, http://… or unix:/run/….sock. On the collector's own machine, its files are
    compared with those of its wheel. The exit status is 1 if it could not write or does not answer,
    if a file differs, or if it is not the program of --release.
    """
    url, release = request.url, request.release or ""
    if release and not re.fullmatch("[0-9a-f]{64}", release):
        raise InputError("--release", got=release, allowed="64 hexadecimal digits in small letters")
    status, health = _ask_health(url)
    click.echo("healthy" if status == 200 else "not healthy")
    intact = _print_program(health, release, _on_this_machine(url)) if status else True
    raise SystemExit(not (status == 200 and intact))


def _ask_health(url: str) -> tuple[int, dict[str, object]]:
    """Ask a collector how it is; 0, if it does not answer."""
    with closing(_open_connection(url)) as line:
        try:
            line.request("GET", "/health")
            reply = line.getresponse()
            health = json.loads(reply.read(_LONGEST))
        except (OSError, http.client.HTTPException):
            return 0, {}
        except ValueError:
            return reply.status, {}
    return reply.status, health if isinstance(health, dict) else {}


def _print_program(health: dict[str, object], release: str, is_local: bool) -> bool:
    """Say which program a collector is; False if it is not as it was released."""
    installation = _installed_here() if is_local else None
    program = health.get("program")
    same = installation is not None and (
        bool(health.get("altered")) or installation.digest == program
    )
    if installation is not None and same and installation.state is InstallState.ALTERED:
        differing = _list_differences(installation)
        click.echo(
            f"{installation.package} {installation.version} differs from its wheel: {differing}"
        )
        return False
    if health.get("altered"):
        click.echo("its program differs from its wheel")
        return False
    if program is None:
        editable = installation is not None and installation.state is InstallState.EDITABLE
        click.echo(
            "editable install: not a release"
            if editable
            else "it does not say which program it is: an editable install, or an earlier version"
        )
        return not release
    click.echo(f"program SHA-256 {program}")
    if installation is not None and same:
        click.echo(f"{installation.package} {installation.version}: each file is as in its wheel")
    if release and program != release:
        click.echo(f"not the program of the release, {release}")
    return release in ("", program)


def _installed_here() -> Installation | None:
    """Compare what is installed with its wheel; None, where its wheel is not known."""
    try:
        return inspect_installation()
    except DocumentError:
        return None


def _list_differences(installation: Installation) -> str:
    """Name the first files that differ, and count the others."""
    named = [
        *(f"{name} was changed" for name in installation.changed),
        *(f"{name} is missing" for name in installation.missing),
        *(f"{name} was added" for name in installation.added),
    ]
    more = f", and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return ", ".join(named[:_NAMED]) + more


def _on_this_machine(url: str) -> bool:
    return url.startswith("unix:") or urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")


def _open_connection(url: str) -> http.client.HTTPConnection:
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
    address = urlsplit(url)
    if scheme not in ("http", "https") or not address.hostname:
        allowed = "https://exam.example.org/, http://127.0.0.1:8000/ or unix:/run/exam.sock"
        raise InputError("URL", got=url, allowed=allowed)
    over = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    return over(address.hostname, address.port, timeout=_PATIENCE)


_Store = Annotated[str, Arg(flag="", help="The file or the address of a store.")]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class StoreRequest:
    """A store, by the name of its file or its address."""

    store: _Store


@takes_request()
def status(request: StoreRequest) -> None:
    """Say how many reports STORE holds, and check them all."""
    opened = open_store(become_owner(request.store), read_only=True)
    form = Form.read(opened.form())
    state = "closed" if opened.closed else "open"
    click.echo(f"{counted(opened.count(), 'report')}, {state}, form SHA-256 {form.fingerprint}")
    if isinstance(opened, ApartStore):
        for line in _describe_parts(opened):
            click.echo(line)
    if not opened.closed:
        click.echo(_ONE_LOOK)
    if form.tokens is not None:
        for line in _describe_spent(form.tokens, opened.spent_tokens()):
            click.echo(line)
    root = sha256()
    for line in list_receipts(opened):
        root.update(line.encode("ascii"))
    click.echo(f"receipts SHA-256 {root.hexdigest()}")
    opened.close()


def _describe_parts(store: ApartStore) -> Iterator[str]:
    """Say where protected and plain answers are kept, and how many reports wait whole."""
    for kept, file in zip(store.parts.values(), store.files[1:], strict=True):
        yield f"{kept.count()} parted into {file.name}"
    waiting, name = store.count_waiting(), store.files[0].name
    yield f"{waiting} wait in {name} until {PARTING_CROWD} do, or it is closed"


def _describe_spent(tokens: Tokens, spent: Mapping[int, int]) -> Iterator[str]:
    """Say how many tokens came under each key, and where more came than it has codes."""
    keys = [(key, spent.get(key_index, 0)) for key_index, key in enumerate(tokens.keys)]
    of = {key.name: f" of {key.codes:,}" if key.codes is not None else "" for key, _ in keys}
    yield f"tokens spent: {', '.join(f'{many:,}{of[key.name]} {key.name}' for key, many in keys)}"
    for key, many in keys:
        if key.codes is not None and many > key.codes:
            yield (
                f"more tokens than codes under {key.name}: its issuer has signed for more people "
                "than the form states"
            )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptsRequest:
    """The store whose receipts are listed, and where.

    Attributes
    ----------
    output : Path
        What is written.
    """

    store: _Store
    output: Annotated[Path, Arg(flag="")]


@takes_request()
def receipts(request: ReceiptsRequest) -> None:
    """List the digests on all receipts.

    OUTPUT has a line for each report in STORE: the SHA-256 of the message that its respondent sent.
    """
    output = request.output
    opened = open_store(become_owner(request.store, writes=[output]), read_only=True)
    root = export_receipts(opened, output)
    opened.close()
    click.echo(f"{output} is written, SHA-256 {root}")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRequest:
    """A report to take out.

    Attributes
    ----------
    number : str
        Its number, as on the receipt.
    digest : str, optional
        The SHA-256 of its message, as on the receipt.
    """

    store: _Store
    number: Annotated[str, Arg(flag="")]
    digest: Annotated[str | None, Arg(flag="")] = None


@takes_request()
def withdraw(request: WithdrawRequest) -> None:
    """Take a report out of STORE for good.

    NUMBER and DIGEST are the report's number and the SHA-256 of its message, as on the receipt.
    """
    number = request.number
    if not re.fullmatch("[0-9a-fA-F]{32}", number):
        raise InputError("NUMBER", got=number, allowed="32 hexadecimal digits, as on the receipt")
    opened = open_store(become_owner(request.store))
    try:
        opened.withdraw(bytes.fromhex(number), request.digest)
        click.echo(f"withdrawn; {_reports_are(opened.count())} left")
        click.echo("backups still contain it: make a new one, and destroy the earlier ones")
    finally:
        opened.close()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExportStoreRequest:
    """Reports to write to a file.

    Attributes
    ----------
    output : Path
        What is written.
    recipient : tuple of str
        Encrypt texts for this key, or those in this file; again for several.
    """

    store: _Store
    output: Annotated[Path, Arg(flag="")]
    recipient: tuple[str, ...] = ()


@takes_request()
def export(request: ExportStoreRequest) -> None:
    """Write the reports in STORE to OUTPUT.

    OUTPUT ends in .csv, and gets a codebook beside it, or in .jsonl. What people wrote goes to a
    file of its own. For a key, age1… or ssh-ed25519 …, that is encrypted: age -d reads it.
    """
    output, recipients = request.output, public_keys(request.recipient)
    writers = {".csv": export_csv, ".jsonl": export_jsonl}
    if output.suffix not in writers:
        raise DocumentError(str(output), got=output.suffix, allowed=" or ".join(writers))
    opened = open_store(become_owner(request.store, writes=written_files(output)), read_only=True)
    try:
        write = writers[output.suffix]
        write(opened, Form.read(opened.form()), output, text_keys=recipients)
    finally:
        opened.close()
    click.echo(f"{output} is written, in random order")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRequest:
    """What a tablet saved, and where it goes.

    Attributes
    ----------
    saved : Path
        The tablet's file.
    form : Path, optional
        The published form, if STORE is to be made.
    """

    store: _Store
    saved: Annotated[Path, Arg(flag="")]
    form: Path | None = None


@takes_request()
def import_(request: SavedRequest) -> None:
    """Import into STORE the reports that a tablet SAVED to a file.

    All of them or none: each is checked as if it had been sent, and counts once.
    """
    saved, form = request.saved, request.form
    published = None if form is None else form_at(form)
    store = become_owner(request.store, reads=[saved])
    # Read before a store is made for them.
    reports = None if published is None else read_saved(saved, published)
    opened = open_store(store, published)
    try:
        if reports is None:
            reports = read_saved(saved, Form.read(opened.form()))
        counts = Counter(opened.append(reports))
    finally:
        opened.close()
    for outcome in Outcome:
        if counts[outcome] or outcome is Outcome.NEW:
            click.echo(f"{counts[outcome]} {outcome.value}")
    if refused := counts[Outcome.CONFLICTING] + counts[Outcome.CLOSED]:
        allowed = "reports that an open survey takes"
        raise InputError(str(saved), got=f"{refused} that were not kept", allowed=allowed)


@takes_request()
def close(request: StoreRequest) -> None:
    """Refuse further reports for good.

    STORE is rewritten so that no order of arrival is left.
    """
    opened = open_store(become_owner(request.store))
    try:
        opened.close_survey()
        click.echo(f"closed with {counted(opened.count(), 'report')}")
    finally:
        opened.close()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RepairRequest:
    """A damaged store, and a new one for what is good in it.

    Attributes
    ----------
    store : Path
        The damaged file.
    new : Path
        The new one.
    form : Path, optional
        The published form, if STORE's cannot be read.
    """

    store: Annotated[Path, Arg(flag="")]
    new: Annotated[Path, Arg(flag="")]
    form: Path | None = None


@takes_request()
def repair(request: RepairRequest) -> None:
    """Save the good reports of a damaged STORE in a NEW one.

    STORE, which is a file, stays as it is.
    """
    store, new, form = request.store, request.new, request.form
    published = None if form is None else form_at(form)
    done = save_good(become_owner(store), new, published)
    click.echo(f"{store}: {done.damage}")
    of_total = "" if done.expected is None else f"{done.saved} of "
    saved = of_total + _reports_are(done.saved if done.expected is None else done.expected)
    click.echo(f"{saved} in {new}, {'closed' if done.closed else 'open'}")
    if done.complete:
        click.echo("they are all that were kept, unchanged")
    elif done.saved == done.expected:
        click.echo("some are not as they were kept; compare receipts to find which")
    else:
        click.echo("others are lost, and some may not be as they were kept; compare receipts")


_AskPassphrase = Annotated[bool, Arg(help="Ask for a passphrase.")]
_Secret = Annotated[Path | None, Arg(help="Read the passphrase from this file.")]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRequest:
    """A store to copy.

    Attributes
    ----------
    output : Path
        The copy.
    recipient : tuple of str
        Encrypt for this key, or those in this file; again for several.
    """

    store: _Store
    output: Annotated[Path, Arg(flag="")]
    recipient: tuple[str, ...] = ()
    passphrase: _AskPassphrase = False
    passphrase_file: _Secret = None


@takes_request()
def backup(request: BackupRequest) -> None:
    """Copy STORE to OUTPUT, also while it is written to.

    OUTPUT is replaced once the new copy is whole. A key is public: age1… or ssh-ed25519 … Instead,
    a passphrase encrypts a copy of up to 256 MiB.
    """
    output, recipients = request.output, public_keys(request.recipient)
    passphrase = passphrase_by(request.passphrase, request.passphrase_file, new=True)
    opened = open_store(become_owner(request.store, writes=[output]), read_only=True)
    try:
        summary = back_up(opened, output, recipients, passphrase=passphrase)
    finally:
        opened.close()
    sealed = recipients or passphrase is not None
    click.echo(f"{output}  {'encrypted' if sealed else 'readable by whoever has it'}")
    _print_backup(summary)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRequest:
    """A backup, and where a store is made of it.

    Attributes
    ----------
    copy : Path
        The backup.
    store : str, optional
        A new file, or an empty database.
    identity : tuple of Path
        The file of a private key; again for several.
    """

    copy: Annotated[Path, Arg(flag="")]
    store: Annotated[str | None, Arg(flag="")] = None
    identity: tuple[Path, ...] = ()
    passphrase: _AskPassphrase = False
    passphrase_file: _Secret = None


@takes_request()
def restore(request: RestoreRequest) -> None:
    """Restore the backup COPY to a new STORE.

    Without STORE, only see whether the backup is whole. The passphrase is the backup's, or that of
    the private key.
    """
    copy, store, keys = request.copy, request.store, request.identity
    passphrase = passphrase_by(request.passphrase, request.passphrase_file)
    store_path = become_owner(copy if store is None else store, reads=[copy, *keys])
    if store is None:
        _print_backup(check_backup(copy, keys, passphrase=passphrase))
    else:
        _print_backup(make_store(copy, store_path, keys, passphrase=passphrase))
    if store is not None:
        click.echo(f"they are in {store}; withdraw again what was withdrawn after the backup")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRequest:
    """A pair of keys to make.

    Attributes
    ----------
    output : Path
        Where the private one goes.
    """

    output: Annotated[Path, Arg(flag="")]
    passphrase: _AskPassphrase = False
    passphrase_file: _Secret = None


@takes_request()
def key(request: KeyRequest) -> None:
    """Make a pair of keys for backups.

    The private one goes to OUTPUT, the public one is printed. Keep the private one elsewhere than
    the store: without it no backup can be read. With a passphrase it is encrypted itself.
    """
    output = request.output
    passphrase = passphrase_by(request.passphrase, request.passphrase_file, new=True)
    public = create_backup_key(output, passphrase=passphrase)
    click.echo(f"{output}  private: only for people who may restore", err=True)
    click.echo(public)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteRequest:
    """A store to empty.

    Attributes
    ----------
    proof : Path
        Where that is written.
    keep_until : str, optional
        Delete nothing before this day is over: `2028-03-31`.
    yes : bool
        Do not ask.
    """

    store: _Store
    proof: Annotated[Path, Arg(flag="")]
    keep_until: str | None = None
    yes: bool = False


@takes_request()
def delete(request: DeleteRequest) -> None:
    """Delete every report in STORE, and write that to PROOF.

    STORE stays, empty and closed. With --keep-until this can be done each night: before that day is
    over it deletes nothing, and once PROOF is there it does nothing more.
    """
    store, proof, keep_until = request.store, request.proof, request.keep_until
    if keep_until is not None and date.today() <= day_of("--keep-until", keep_until):
        click.echo(f"kept until {keep_until} is over: nothing is deleted")
        return
    store_path = become_owner(store)
    if keep_until is not None and proof.exists():
        click.echo(f"{proof} says that all is deleted")
        return
    if keep_until is None and not request.yes:
        click.confirm(f"delete every report in {store} for good?", abort=True)
    done = delete_reports(store_path, proof)
    deleted = _reports_are(done.reports)
    if done.tokens:
        deleted = f"{counted(done.reports, 'report')} and {counted(done.tokens, 'token')} are"
    click.echo(f"{deleted} deleted; {proof} says so")
    click.echo("backups and exports still contain them: destroy those, or their keys")


for _command in (
    *(kit, healthy, doctor, status, export, receipts, withdraw, repair, import_),
    *(backup, restore, key, delete, close),
):
    collect.add_command(_command)


def _reports_are(count: int) -> str:
    return f"{counted(count, 'report')} {'is' if count == 1 else 'are'}"


def _print_backup(summary: Backup) -> None:
    tokens = f", {counted(summary.tokens, 'token')} spent" if summary.tokens else ""
    reports = counted(summary.reports, "report")
    click.echo(f"{reports}{tokens}, {'closed' if summary.closed else 'open'}")
    click.echo(f"form SHA-256 {summary.form}")
    click.echo(f"sums {summary.sums[-32:]}")


def _describe_obstacle(obstacle: Obstacle, diagnosis: Diagnosis) -> str:
    """Write an obstacle as a sentence, with what replied."""
    sentence = _WORDS["problems"][obstacle.problem.name].format(
        status=obstacle.status,
        name=obstacle.name,
        value=obstacle.value,
        address=obstacle.address,
        sent=diagnosis.bytes_sent,
    )
    if obstacle.problem is Problem.REDIRECTED_AWAY and obstacle.step not in (
        VisitStep.PAGE,
        VisitStep.QUERY,
    ):
        sentence += _NOT_FOLLOWED
    is_refused = obstacle.problem is Problem.REFUSED
    remedy = _WORDS["refusals"].get(obstacle.name, "") if is_refused else ""
    step = _WORDS["steps"][obstacle.step.name]
    marks = "note" if obstacle.problem in NOTES else "LOST"
    server = f" [{obstacle.server}]" if obstacle.server else ""
    return f"{marks}  {step}: {sentence}{': ' if remedy else ''}{remedy}{server}"
