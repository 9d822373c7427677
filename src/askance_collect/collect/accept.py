"""From the bytes of a request to a report worth keeping or a refusal, and what a store makes of it.

`Store` is the small protocol of whatever keeps reports; each driver stands in a file of its own.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, final

from askance_collect.arguments import checked
from askance_collect.collect.owner import open_to_read
from askance_collect.collect.report_sums import Sums
from askance_collect.errors import DocumentError, ReportRefused, file_faults
from askance_collect.wire.form import Form
from askance_collect.wire.report import check_report
from askance_collect.wire.token import read_token

CAP = 16 * 1024
"""No more than so many bytes of a body are ever read, unless the form itself needs more."""

PARTED = 255
"""In the place of a token's key: what is noted is the digest of a report that was parted."""

STATUS: Mapping[str, int] = MappingProxyType(
    {
        "size": 400,
        "not-json": 400,
        "origin": 403,
        "shape": 422,
        "wrong-form": 409,
        "id": 422,
        "questions": 422,
        "impossible": 422,
        "not-canonical": 400,
        "conflict": 409,
        "token": 403,
        "spent": 409,
        "work": 403,
        "rate": 429,
        "busy": 503,
        "disk-full": 503,
        "read-only": 503,
        "disk-error": 503,
        "closed": 410,
    }
)
"""The HTTP status of every refusal; a body beyond the cap is answered 413 instead of 400."""


@final
@dataclass(frozen=True, slots=True)
class Accepted:
    """A report that is possible under its form, as it is kept.

    Attributes
    ----------
    id : bytes
        The respondent's 128 random bits: the only key.
    answers : str
        The values in canonical JSON. Equal reports have equal spellings.
    token : bytes
        What is remembered of the token that came with it, 32 bytes; empty where none is needed.
    key : int
        The position of the key under which the token is signed.
    """

    id: bytes
    answers: str = field(repr=False)
    token: bytes = field(default=b"", repr=False)
    key: int = 0


@checked
def accept(body: bytes, form: Form) -> Accepted:
    """Take a report's body in, refusing whatever could not have been sent under this form.

    Where the form wants tokens, one stands behind the report, and is as fixed in its length.

    Raises
    ------
    ReportRefused
        With a code that the reference of reports lists; the message names the place, never what
        stood there.

    >>> from askance_collect.collect import Outcome, accept
    >>> from askance_collect.wire import Report
    >>> form = Form.read({
    ...     "askance": "form-1", "title": {"en": ""}, "consent": {"en": ""}, "contact": {"en": ""},
    ...     "languages": ["en"], "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": {"en": "Tea?"}, "answers": [
    ...         {"name": "yes", "label": {"en": "Yes"}}, {"name": "no", "label": {"en": "No"}}]}],
    ... })
    >>> accept(Report(form.fingerprint, "0f" * 16, {"tea": 1}).body(form.size), form).answers
    '{"tea":1}'
    >>> accept(b"{}", form)
    Traceback (most recent call last):
    askance_collect.errors.ReportRefused: body: allowed: exactly 256 bytes
    """
    if form.tokens is None:
        id, answers = check_report(body, form)
        return Accepted(bytes.fromhex(id), answers)
    if len(body) != form.posted_size:
        raise ReportRefused(
            "size", "body", allowed=f"exactly {form.posted_size} bytes, with a token"
        )
    id, answers = check_report(body[: form.size], form)
    text = body[form.size :].decode("ascii", "replace")
    token = read_token(text, form.tokens, form.fingerprint)
    return Accepted(bytes.fromhex(id), answers, token.digest, token.key)


@checked
def read_saved(path: str | Path, form: Form) -> list[Accepted]:
    """Read the reports that a tablet saved to a file, a line each, or refuse them all.

    Spaces that were lost at the end of a line on the way are those that every report ends with.

    Parameters
    ----------
    path : str or Path
    form : Form
        The one that they answer.

    Raises
    ------
    DocumentError
        With the number of the first line that is no report on this form; what it says is not told.

    >>> import askance as ak
    >>> from askance_collect.collect import read_saved
    >>> from askance.survey import load_survey
    >>> form = ak.publish(load_survey("examples/affairs.toml"))
    >>> read_saved("nowhere.askance", form)
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: nowhere.askance: got 'No such file or directory'; allow...
    """
    with file_faults(path, "a file that a tablet saved"), open_to_read(Path(path)) as file:
        lines = file.read().splitlines()
    accepted = []
    for number, line in enumerate(lines, 1):
        try:
            accepted.append(accept(line.rstrip(b" ").ljust(form.size), form))
        except ReportRefused as refusal:
            raise DocumentError(
                f"{path}, line {number}",
                got=f"something else ({refusal.code})",
                allowed="a report on this form, as the tablet saved it",
                remedy="nothing was taken in: fetch the file again, or take out that line",
            ) from None
    return accepted


@final
class Outcome(Enum):
    """What became of a report."""

    NEW = "kept"
    REPEATED = "kept already, word for word"
    CONFLICTING = "another report has this id"
    CLOSED = "the survey takes no more reports"
    SPENT = "another report came with this token"


def first_of_each(batch: Sequence[Accepted]) -> dict[bytes, Accepted]:
    """The first report under each id, in the order of the ids.

    The order is the same for everybody, so that two writers cannot wait for each other in a ring,
    and it says nothing about who came first.

    >>> first_of_each([Accepted(b"b", "1"), Accepted(b"a", "2"), Accepted(b"b", "3")])
    {b'a': Accepted(id=b'a', key=0), b'b': Accepted(id=b'b', key=0)}
    """
    firsts: dict[bytes, Accepted] = {}
    for report in batch:
        firsts.setdefault(report.id, report)
    return dict(sorted(firsts.items()))


def settle(
    batch: Sequence[Accepted],
    insert: Callable[[Mapping[bytes, Accepted]], set[bytes] | None],
    look_up: Callable[[Sequence[bytes]], Mapping[bytes, str]],
) -> list[Outcome]:
    """Keep a batch and say what became of each report.

    Parameters
    ----------
    batch : sequence of Accepted
    insert : callable
        Keeps reports whose ids are not in the store and whose tokens are not spent, and gives those
        ids; None if the survey is closed.
    look_up : callable
        Gives what the store holds under ids. An id without a report was turned away.

    >>> stored = {b"a": "1"}
    >>> look_up = lambda ids: {id: stored[id] for id in ids if id in stored}
    >>> settle([Accepted(b"a", "1"), Accepted(b"b", "1")], lambda firsts: {b"b"}, look_up)
    [<Outcome.REPEATED: 'kept already, word for word'>, <Outcome.NEW: 'kept'>]
    """
    firsts = first_of_each(batch)
    inserted = insert(firsts)
    unseen = set(inserted or ())
    stored_answers = {id: firsts[id].answers for id in unseen}
    if others := [id for id in firsts if id not in unseen]:
        stored_answers |= look_up(others)
    outcomes = []
    for report in batch:
        if report.id not in stored_answers:
            outcome = Outcome.CLOSED if inserted is None else Outcome.SPENT
        elif stored_answers[report.id] != report.answers:
            outcome = Outcome.CONFLICTING
        else:
            outcome = Outcome.NEW if report.id in unseen else Outcome.REPEATED
        unseen.discard(report.id)
        outcomes.append(outcome)
    return outcomes


def spendable(reports: Iterable[Accepted], spent: Container[bytes] = ()) -> list[Accepted]:
    """The reports whose token is not spent, nor that of one before.

    >>> [report.id for report in spendable([Accepted(b"a", "1", b"t"), Accepted(b"b", "1", b"t")])]
    [b'a']
    """
    earlier_tokens, unspent = set[bytes](), list[Accepted]()
    for report in reports:
        if not report.token or (report.token not in spent and report.token not in earlier_tokens):
            unspent.append(report)
        earlier_tokens.add(report.token)
    return unspent


@final
@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a store holds at one moment, whatever is added to it meanwhile.

    Attributes
    ----------
    form : bytes
        The canonical bytes of the form.
    closed : bool
        Whether further reports are refused.
    reports : iterator of (bytes, str)
        Every report's id and values, in the order of the ids. After the last one, a store whose
        reports are not those that were kept is refused.
    tokens : iterator of (bytes, int)
        Every token that is spent, with the position of its key, in the order of the tokens.

    >>> from askance_collect.collect import Snapshot
    >>> Snapshot(b"{}", closed=False, reports=iter(()), tokens=iter(()))
    Snapshot(closed=False)
    """

    form: bytes = field(repr=False)
    closed: bool
    reports: Iterator[tuple[bytes, str]] = field(repr=False)
    tokens: Iterator[tuple[bytes, int]] = field(repr=False)


class Store(Protocol):
    """The reports of one form. A report is an id and its values; there is nothing else to know."""

    def check(self) -> None:
        """Read the whole store once, and refuse it if it is damaged.

        Whatever changes the store does so first, and waits while another thread does: nothing is
        ever added to a store that was not found whole since it was opened.
        """
        ...

    def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Keep a batch durably in one transaction and say what became of each report.

        When this returns, what it calls new survives a loss of power. When it raises, the batch may
        be handed over again.
        """
        ...

    def look_up(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Say what became of each report, as `append` does once the survey is closed; keep none."""
        ...

    def check_writable(self) -> None:
        """Write what is no report and take it out again, in one transaction that is flushed.

        When this returns, a report could have been kept; nothing is left, and nobody saw it.
        """
        ...

    def reports(self) -> Iterator[tuple[str, str]]:
        """Every report's id, in hex, with its values in canonical JSON, in their order.

        The ids are random, so their order tells nothing; only whoever holds one, its respondent,
        can say whose report it is. After the last one, a store whose reports are not those that
        were kept is refused.
        """
        ...

    def digests(self) -> Iterator[str]:
        """The SHA-256 of every message that was sent, in hex, as its receipt has it.

        In the order of the ids; of the digests, where no id is left.
        """
        ...

    def shuffled_values(self) -> Iterator[str]:
        """The values of every report, in an order drawn afresh each time.

        Sorted on the disk: memory does not grow with the reports. Checked like `reports`.
        """
        ...

    def counts(self, names: Sequence[str]) -> dict[str, list[tuple[str | None, int]]]:
        """Count the reports by their value, in JSON, for each question, all at one moment.

        None stands for a report that has no value for this question at all, which no report that
        came through `accept` has. Values that are not those that were kept are refused.
        """
        ...

    def count(self) -> int:
        """Count the reports."""
        ...

    def spent_tokens(self) -> Mapping[int, int]:
        """Count the tokens that are spent, by the position of their key among the form's."""
        ...

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Everything as it is at one moment, for a copy. A server may write meanwhile."""
        ...

    def fill(
        self,
        reports: Iterable[Sequence[tuple[bytes, str]]],
        tokens: Iterable[Sequence[tuple[bytes, int]]],
    ) -> Sums:
        """Put ids with values, and tokens that are spent, into a new store, in one transaction.

        The reports are read to their end before the tokens. Both come part by part, in the order of
        the ids and of the tokens; if reading either raises, nothing is kept. Gives
        the sums of both.
        """
        ...

    def add_spent_tokens(self, tokens: Sequence[tuple[bytes, int]]) -> None:
        """Note tokens as spent that another store knew."""
        ...

    def form(self) -> bytes:
        """The canonical bytes of the form that the reports answer."""
        ...

    def withdraw(self, id: bytes, digest: str | None = None) -> None:
        """Delete a report permanently, with its id.

        With the digest on the receipt, only the very report that the receipt is for.
        """
        ...

    @property
    def closed(self) -> bool:
        """Whether further reports are refused."""
        ...

    def remaining_capacity(self) -> int | None:
        """Count the bytes that are free where it lies; None if that is not known here."""
        ...

    def close_survey(self) -> None:
        """Refuse further reports for good and rewrite the rest in the order of their random ids."""
        ...

    def delete_all(self) -> None:
        """Close the survey for good and delete every report and every token.

        What is damaged can be deleted too. Broken off, it can be done again.
        """
        ...

    def close(self) -> None:
        """Close the file or the connection."""
        ...
