"""A log that only grows, of what was published and what arrived: its heads, and proofs."""

import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import click

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
from askance_collect.cli.documents import FILE, form_at, save
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond.page import render_page
from askance_collect.wire.form import Form

_OBSERVATION = re.compile(r"seen (?P<when>\S+) (?P<outcome>\S+) (?P<digest>\S+) (?P<where>\S+)")


@click.group()
def log() -> None:
    """Keep a signed log of pages and reports that only grows."""


@log.command()
@click.argument("log", type=FILE)
@click.option("--name", required=True, help="Whose it is: study.example.org/exam")
def new(log: Path, name: str) -> None:
    """Make LOG and its keys, in one folder."""
    key = create_log(log, name)
    click.echo(f"{log}.key  private: for whoever signs, and for nobody else")
    click.echo(f"{log}.vkey  public: hand it out, it checks what the log says")
    click.echo(key.text)


@log.command()
@click.argument("log", type=FILE)
@click.option("--survey", type=FILE, help="The form and the page of this survey, or form.")
@click.option("--receipts", type=FILE, help="Digests of reports, by askance collect receipts.")
@click.option(
    "--allow-few", "few", is_flag=True, help="Even if there are fewer than 20 new reports."
)
def add(log: Path, survey: Path | None, receipts: Path | None, few: bool) -> None:
    """Put digests at the end of LOG, and sign its new head.

    What is in LOG already is left out.
    """
    if survey is None and receipts is None:
        raise InputError("askance log add", got="nothing", allowed="--survey, --receipts or both")
    reports = [] if receipts is None else report_entries(_digests(receipts), read_log(log), few=few)
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


@log.command()
@click.argument("log", type=FILE)
@click.option("--out", type=FILE, help="Write it here.")
def head(log: Path, out: Path | None) -> None:
    """Print the newest signed head of LOG.

    Keep it, print it on an invitation, publish it: every later head must be consistent with it.
    """
    contents = read_log(log)
    _put(contents.checkpoint(_own_key(log)).note, out)


@log.command()
@click.argument("log", type=FILE)
@click.option("--url", "address", required=True, help="The witness's address for submissions.")
@click.option("--key", "vkey", required=True, help="The witness's public key, or a file.")
@click.option("--out", type=FILE, required=True, help="Write the head here, or add to it.")
def witness(log: Path, address: str, vkey: str, out: Path) -> None:
    """Have a witness sign the newest head of LOG, too.

    It signs no head that lacks what it has signed before, so that nobody can be shown another log.
    """
    key, theirs = _own_key(log), read_witness_key(_read_key_text(vkey))
    signed = submit_head(read_log(log), key, address, theirs)
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


@log.command()
@click.argument("log", type=FILE)
@click.argument("digest", required=False)
@click.option("--since", type=FILE, help="An earlier head.")
@click.option("--out", type=FILE, help="Write the proof here.")
def prove(log: Path, digest: str | None, since: Path | None, out: Path | None) -> None:
    """Prove that DIGEST is in LOG, or by --since that nothing left."""
    key = _own_key(log)
    contents = read_log(log)
    if since is not None and digest is None:
        _put(prove_growth(contents, read_checkpoint(_text(since), key), key), out)
        return
    if digest is None or since is not None:
        raise InputError("askance log prove", allowed="a digest, or --since and a head")
    _put(prove_entry(contents, _entry(digest, contents), key), out)


@log.command()
@click.argument("file", type=FILE)
@click.option("--key", "vkey", required=True, help="The log's public key, or a file that has it.")
@click.option("--digest", help="Of a form, a page or a report: FILE proves that it is there.")
@click.option("--since", type=FILE, help="An earlier head: FILE proves that nothing left.")
@click.option("--survey", type=FILE, help="A survey, or its form: all of it is in the log.")
@click.option(
    "--max-gap", "pause", type=click.FloatRange(0), help="Hours: longer ones are told as gaps."
)
def check(
    file: Path,
    vkey: str,
    digest: str | None,
    since: Path | None,
    survey: Path | None,
    pause: float | None,
) -> None:
    """Check FILE: a whole log, or a proof. Ends with 1 if it does not hold."""
    key = read_verifier_key(_read_key_text(vkey))
    earlier = None if since is None else read_checkpoint(_text(since), key)
    form = None if survey is None else form_at(survey)
    text = _text(file)
    try:
        verdict = _check_file(file, text, key, digest, earlier)
        if survey is not None and form is not None:
            verdict = f"{verdict}\n{_compare_form(read_log(file), survey, form)}"
    except DocumentError as error:
        click.echo(f"{file}  does not hold: {error}")
        sys.exit(1)
    click.echo(f"{file}  {verdict}")
    if pause is not None and not _is_without_gaps(read_log(file), timedelta(hours=pause)):
        sys.exit(1)


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
        return f"nothing left: {_entries(check_growth(text, earlier, key))}"
    log = read_log(file)
    verdicts = [_describe_log(log, key)]
    if digest is not None:
        verdicts.append(f"{_entry(digest, log)}: in the log")
    if earlier is not None:
        if earlier.size > len(log.entries):
            size, allowed = f"{len(log.entries)} entries", f"all {earlier.size} that there were"
            raise DocumentError(str(file), got=size, allowed=allowed)
        check_growth(prove_growth(log, earlier, key), earlier, key)
        verdicts.append(f"nothing left since {_entries(earlier)}")
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
    torn = f"\n{log.torn_size:,} bytes behind the last head: not written to their end" * (
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
