"""A log that only grows, of what was published and what arrived: its heads, and proofs."""

import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Annotated, final

import click
import msgspec

from askance.cli.typed_request import takes_request
from askance.transparency.cosigning import cosigned_at, read_witness_key, submit_head
from askance.transparency.public_log import (
    PublicLog,
    append_entries,
    check_log,
    create_log,
    entries_of,
    prove_entry,
    prove_growth,
    read_log,
    report_entries,
)
from askance.transparency.signed_note import (
    Checkpoint,
    VerifierKey,
    check_entry,
    check_growth,
    read_checkpoint,
    read_verifier_key,
)
from askance_collect.cli.documents import form_at, save
from askance_collect.cli.request_options import Arg
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond.page import render_page
from askance_collect.wire.form import Form

_OBSERVATION = re.compile(r"seen (?P<when>\S+) (?P<outcome>\S+) (?P<digest>\S+) (?P<where>\S+)")


@click.group()
def log() -> None:
    """Keep a signed log of pages and reports that only grows."""


_Log = Annotated[Path, Arg(flag="", help="The file of the log.")]
_Head = Annotated[Path | None, Arg(help="Write it here.")]


@final
class NewLogRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A log to make.

    Attributes
    ----------
    name : str
        Whose it is, such as `study.example.org/exam`.
    """

    log: _Log
    name: str


@takes_request()
def new(request: NewLogRequest) -> None:
    """Make LOG and its keys, in one folder."""
    log, key = request.log, create_log(request.log, request.name)
    click.echo(f"{log}.key  private: only for the signer")
    click.echo(f"{log}.vkey  public: hand it out, it verifies the log")
    click.echo(key.text)


@final
class AddRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to put at the end of a log.

    Attributes
    ----------
    survey : Path, optional
        The form and the page of this survey, or form, and each key of its issuer with its number
        of codes (`key SHA-256 codes`).
    receipts : Path, optional
        The digests of reports, sorted, as the collector writes its receipts.
    allow_few : bool
        Even if there are fewer than 20 new reports.
    """

    log: _Log
    survey: Path | None = None
    receipts: Path | None = None
    allow_few: bool = False


@takes_request()
def add(request: AddRequest) -> None:
    """Put digests at the end of LOG, and sign its new head.

    Digests that LOG has already are left out.
    """
    log, survey, receipts = request.log, request.survey, request.receipts
    if survey is None and receipts is None:
        raise InputError("askance log add", got="nothing", allowed="--survey, --receipts or both")
    reports = (
        []
        if receipts is None
        else report_entries(_digests(receipts), read_log(log), few=request.allow_few)
    )
    add_to(log, None if survey is None else form_at(survey), reports)


def add_to(log: Path, form: Form | None, reports: Sequence[str] = ()) -> None:
    """Put a form and its page into a log, if they are not there, and reports behind them."""
    existing = read_log(log).entries
    published = [] if form is None else _published_entries(form)
    entries = [*(entry for entry in published if entry not in existing), *reports]
    if not entries:
        click.echo("all of it is in the log already")
        return
    head = append_entries(log, entries)
    kinds = Counter(entry.split()[0] for entry in entries)
    summary = ", ".join(_count_noun(many, kind, f"{kind}s") for kind, many in kinds.items())
    click.echo(f"{log}  {summary} added, {_entries(head)} in all")
    click.echo(head.note, nl=False)


def _published_entries(form: Form) -> list[str]:
    """What a log has of a form: it, its page, and each key of its issuer with its codes."""
    keys = form.tokens.keys if form.tokens is not None else ()
    counted = [f"key {key.fingerprint} {key.codes or 'uncounted'}" for key in keys]
    return [f"form {form.fingerprint}", f"page {render_page(form).sha256}", *counted]


@final
class HeadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The newest head of a log."""

    log: _Log
    out: _Head = None


@takes_request()
def head(request: HeadRequest) -> None:
    """Print the newest signed head of LOG.

    Keep it, print it on an invitation, publish it: every later head must be consistent with it.
    """
    contents = read_log(request.log)
    _put(contents.checkpoint(_own_key(request.log)).note, request.out)


@final
class WitnessRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A head for a witness to sign.

    Attributes
    ----------
    url : str
        The witness's address for submissions.
    key : str
        The witness's public key for Ed25519, or a file that has it.
    out : Path
        Write the head here with all signatures, or add to it.
    """

    log: _Log
    url: str
    key: str
    out: Path


@takes_request()
def witness(request: WitnessRequest) -> None:
    """Have a witness sign the newest head of LOG, too.

    A witness signs no head that lacks entries which it has signed before, so nobody can be shown
    another log.
    """
    log, out = request.log, request.out
    key, theirs = _own_key(log), read_witness_key(_read_key_text(request.key))
    signed = submit_head(read_log(log), key, request.url, theirs)
    note = signed.note
    if out.exists():
        earlier = read_checkpoint(_text(out), key)
        if (earlier.size, earlier.head) == (signed.size, signed.head):
            lines = [
                line for line in signed.note.splitlines(keepends=True) if line not in earlier.note
            ]
            note = earlier.note + "".join(lines)
    save(out, note)
    when = datetime.fromtimestamp(cosigned_at(signed, theirs) or 0, UTC)
    click.echo(f"{out}  {_entries(signed)}, signed by {theirs.name} at {when:%Y-%m-%d %H:%M} UTC")


@final
class ProveRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to prove of a log.

    Attributes
    ----------
    digest : str, optional
        Of a form, a page or a report.
    since : Path, optional
        An earlier head: prove that nothing was removed.
    """

    log: _Log
    digest: Annotated[str | None, Arg(flag="")] = None
    since: Path | None = None
    out: _Head = None


@takes_request()
def prove(request: ProveRequest) -> None:
    """Prove that DIGEST is in LOG, or by --since that none was removed."""
    digest, since, out = request.digest, request.since, request.out
    log, key = request.log, _own_key(request.log)
    contents = read_log(log)
    if since is not None and digest is None:
        _put(prove_growth(contents, read_checkpoint(_text(since), key), key), out)
        return
    if digest is None or since is not None:
        raise InputError("askance log prove", allowed="a digest, or --since and a head")
    _put(prove_entry(contents, _entry(digest, contents), key), out)


@final
class CheckLogRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A log or a proof to check with the public key alone.

    Attributes
    ----------
    file : Path
        The log, or the proof.
    key : str
        The log's public key, or a file that has it.
    digest : str, optional
        The digest of a form, a page or a report; FILE proves that it is there.
    since : Path, optional
        An earlier head: FILE proves that nothing was removed.
    survey : Path, optional
        A survey, or its form: the form, the page and the keys are in the log; others beside them
        are named.
    max_gap : float, optional
        So many hours may lie between two `seen` lines; a longer gap is listed, with exit status 1.
    """

    file: Annotated[Path, Arg(flag="")]
    key: str
    digest: str | None = None
    since: Path | None = None
    survey: Path | None = None
    max_gap: Annotated[float, msgspec.Meta(ge=0)] | None = None


@takes_request()
def check(request: CheckLogRequest) -> None:
    """Check FILE: a whole log, or a proof. The exit status is 1 if it is not valid."""
    file, since, survey = request.file, request.since, request.survey
    key = read_verifier_key(_read_key_text(request.key))
    earlier = None if since is None else read_checkpoint(_text(since), key)
    form = None if survey is None else form_at(survey)
    text = _text(file)
    try:
        verdict = _check_file(file, text, key, request.digest, earlier)
        if survey is not None and form is not None:
            verdict = f"{verdict}\n{_compare_form(read_log(file), survey, form)}"
    except DocumentError as error:
        click.echo(f"{file}  does not hold: {error}")
        sys.exit(1)
    click.echo(f"{file}  {verdict}")
    pause = request.max_gap
    if pause is not None and not _is_without_gaps(read_log(file), timedelta(hours=pause)):
        sys.exit(1)


for _command in (new, add, head, witness, prove, check):
    log.add_command(_command)


def _check_file(
    file: Path, text: str, key: VerifierKey, digest: str | None, earlier: Checkpoint | None
) -> str:
    """Check a file, which says itself what it is."""
    if text.startswith("c2sp.org/tlog-proof"):
        if digest is None:
            raise InputError("--digest", got="nothing", allowed="what the proof is of")
        return _check_proof(text, digest, key)
    if text.startswith("old "):
        if earlier is None:
            raise InputError("--since", got="nothing", allowed="the earlier head")
        return f"nothing was removed: {_entries(check_growth(text, earlier, key))}"
    log = read_log(file)
    verdicts = [_describe_log(log, key)]
    if digest is not None:
        verdicts.append(f"{_entry(digest, log)}: in the log")
    if earlier is not None:
        if earlier.size > len(log.entries):
            size, allowed = f"{len(log.entries)} entries", f"all {earlier.size} that there were"
            raise DocumentError(str(file), got=size, allowed=allowed)
        check_growth(prove_growth(log, earlier, key), earlier, key)
        verdicts.append(f"nothing was removed since {_entries(earlier)}")
    return "\n".join(verdicts)


def _compare_form(log: PublicLog, survey: Path, form: Form) -> str:
    """Find a form, its page and its keys in a log; say what else of the kind is there.

    Who is shown a form of their own, or a key, finds it missing here, or finds others beside it.
    """
    ours = _published_entries(form)
    if missing := [entry for entry in ours if entry not in log.entries]:
        raise DocumentError(str(survey), got=missing[0], allowed=f"what is in {log.path}")
    kinds = dict.fromkeys(entry.split()[0] for entry in ours)
    others = Counter(
        kind
        for entry in dict.fromkeys(log.entries)
        if (kind := entry.split()[0]) in kinds and entry not in ours
    )
    other_kinds = ", ".join(
        _count_noun(many, f"other {kind}", f"other {kind}s") for kind, many in others.items()
    )
    return f"{survey}: {', '.join(ours)}: in the log, {other_kinds or 'and no other'}"


def _check_proof(text: str, digest: str, key: VerifierKey) -> str:
    """Check a proof of a digest, whatever it is of."""
    *others, last = entries_of(_hex(digest))
    for entry in others:
        with suppress(DocumentError):
            return _describe_proof(entry, check_entry(text, entry, key))
    return _describe_proof(last, check_entry(text, last, key))


def _describe_proof(entry: str, head: Checkpoint) -> str:
    return f"{entry}: in the log, whose head names {_entries(head)}"


def _entries(head: Checkpoint) -> str:
    return _count_noun(head.size, "entry", "entries")


def _describe_log(log: PublicLog, key: VerifierKey) -> str:
    """Check a log, and say what it has."""
    heads = check_log(log, key)
    kinds = Counter(entry.split()[0] for entry in log.entries)
    outcomes = Counter(
        match["outcome"] for entry in log.entries if (match := _OBSERVATION.fullmatch(entry))
    )
    counts = [
        _count_noun(many, kind, kind if kind == "seen" else f"{kind}s")
        for kind, many in kinds.items()
    ]
    counts += [f"of them {many:,} {outcome}" for outcome, many in outcomes.items()]
    torn = f"\n{log.torn_size:,} bytes behind the last head: not completely written" * (
        log.torn_size > 0
    )
    size = ", ".join(
        (
            _count_noun(len(log.entries), "entry", "entries"),
            _count_noun(len(heads), "head", "heads"),
        )
    )
    return f"whole: {'; '.join([size, ', '.join(counts)]) if counts else size}{torn}"


def _count_noun(number: int, singular: str, plural: str) -> str:
    return f"{number:,} {singular if number == 1 else plural}"


def _is_without_gaps(log: PublicLog, pause: timedelta) -> bool:
    """Say where a log of what was seen has nothing for longer than a pause, up to now."""
    times = [
        datetime.strptime(match["when"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        for entry in log.entries
        if (match := _OBSERVATION.fullmatch(entry))
    ]
    times.append(datetime.now(UTC).replace(microsecond=0))
    gaps = [(start, end) for start, end in pairwise(times) if end - start > pause]
    for start, end in gaps:
        click.echo(f"gap  {start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} UTC")
    return not gaps


def _entry(digest: str, log: PublicLog) -> str:
    entries = [entry for entry in entries_of(_hex(digest)) if entry in log.entries]
    if not entries:
        raise DocumentError(log.path, got=digest, allowed="a digest that is in the log")
    return entries[0]


def _hex(digest: str) -> str:
    if not re.fullmatch("[0-9a-fA-F]{64}", digest):
        allowed = "64 hexadecimal digits, as on the receipt"
        raise InputError("DIGEST", got=digest, allowed=allowed)
    return digest.lower()


def _digests(path: Path) -> list[str]:
    digests = _text(path).split()
    for digest in digests:
        if not re.fullmatch("[0-9a-f]{64}", digest):
            allowed = "digests, a line each: askance collect receipts writes them"
            raise DocumentError(str(path), got=digest[:80], allowed=allowed)
    return digests


def _own_key(log: Path) -> VerifierKey:
    return read_verifier_key(_text(log.with_name(f"{log.name}.vkey")))


def _read_key_text(key: str) -> str:
    """A key that was typed, or that lies in a file."""
    return _text(Path(key)) if Path(key).is_file() else key


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "no text"
        raise DocumentError(str(path), got=problem, allowed="a text file") from error


def _put(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
    else:
        save(out, text)
        click.echo(f"{out} is written")
