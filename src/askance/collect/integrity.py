"""What says that a store is whole: sums over its reports, in which their order leaves no trace.

Each report is hashed, and the hashes are added up modulo 2^256 in the transaction that keeps it.
The sums find what went wrong by accident. Whoever can write to a store can write its sums as well:
what was altered on purpose is found by a list of receipts, kept where that person cannot write.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from threading import Lock
from typing import Any, Self, TypeVar, final

from askance.errors import DocumentError
from askance.wire.canonical import canonical, fingerprint
from askance.wire.form import Form

REMEDY = "askance collect repair STORE NEW saves what is good"
"""What to do with a damaged store."""

_Row = TypeVar("_Row")
_BITS = 256
_MANY = 200_000
"""So many different spellings are counted at a time, so that memory stays bounded."""


@final
@dataclass(frozen=True, slots=True)
class Sums:
    """How many reports there are, and the sums of their hashes modulo 2^256.

    Attributes
    ----------
    count : int
    values : int
        Of the values alone, so that counts of values can be checked without reading an id.
    reports : int
        Of ids with values; and of the form, and whether the survey is closed.

    >>> one, other = Sums(1, 5, 7), Sums(1, 2**256 - 1, 0)
    >>> one + other
    Sums(count=2, values=4, reports=7)
    >>> Sums.read((one + other).spelling) - other == one
    True
    """

    count: int = 0
    values: int = 0
    reports: int = 0

    def __add__(self, other: Self) -> "Sums":
        return self._moved(other, 1)

    def __sub__(self, other: Self) -> "Sums":
        return self._moved(other, -1)

    def _moved(self, other: Self, way: int) -> "Sums":
        return Sums(
            self.count + way * other.count,
            (self.values + way * other.values) % (1 << _BITS),
            (self.reports + way * other.reports) % (1 << _BITS),
        )

    @property
    def spelling(self) -> bytes:
        """The sums as 72 bytes."""
        sums = ((self.count, 8), (self.values, 32), (self.reports, 32))
        return b"".join(number.to_bytes(size, "big") for number, size in sums)

    @classmethod
    def read(cls, spelling: bytes) -> "Sums":
        """Read what `spelling` gives."""
        return cls(*(int.from_bytes(spelling[a:b], "big") for a, b in ((0, 8), (8, 40), (40, 72))))


@final
class Once:
    """A check that is made once, by whoever comes first; all others wait for what it finds.

    Damage that was found stays found. What may pass, such as a connection that is lost, does not:
    the next to come checks anew.

    >>> once = Once()
    >>> once.made(lambda: print("checked")), once.made(lambda: print("checked"))
    checked
    (None, None)
    """

    __slots__ = ("_done", "_found", "_guard", "_left")

    def __init__(self) -> None:
        self._done, self._left = False, False
        self._found: DocumentError | None = None
        self._guard = Lock()

    def made(self, check: Callable[[], None]) -> None:
        """Check, unless it was done; raise what was found then."""
        with self._guard:
            if self._found is not None:
                raise self._found
            if not self._done:
                try:
                    check()
                except DocumentError as error:
                    self._found = error
                    raise
                self._done = True

    def watched(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        """What is to be checked for as long as anybody wants to know."""
        for row in rows:
            if self._left:
                raise InterruptedError("the check was broken off")
            yield row

    def leave(self, seconds: float = 10.0) -> None:
        """Break a check off, and wait for it to end."""
        self._left = True
        if self._guard.acquire(timeout=seconds):
            self._guard.release()


def sums(
    rows: Iterable[tuple[bytes, str]], form: bytes, value: Callable[[str], int] | None = None
) -> Sums:
    """Add up the hashes of reports: BLAKE2b of id and values, bound to the form by its fingerprint.

    >>> rows = [(b"a" * 16, '{"tea":1}'), (b"b" * 16, '{"tea":0}')]
    >>> sums(rows, b"form") == sums(rows[::-1], b"form") != sums(rows, b"another")
    True
    """
    person, value = bytes.fromhex(fingerprint(form))[:16], value or _remembering()
    count = values = reports = 0
    for id, answers in rows:
        count += 1
        values += value(answers)
        spelling = id + answers.encode("utf-8", "surrogateescape")
        reports += int.from_bytes(blake2b(spelling, digest_size=32, person=person).digest(), "big")
    return Sums(count, values % (1 << _BITS), reports % (1 << _BITS))


def seal(form: bytes, closed: bool) -> Sums:
    """What the form, and whether the survey is closed, add to the sums."""
    hashed = blake2b(form + bytes([closed]), digest_size=32, person=b"survey")
    return Sums(0, 0, int.from_bytes(hashed.digest(), "big"))


def verified(
    rows: Iterable[tuple[bytes, str]], whole: Sums | None, form: bytes, closed: bool
) -> Iterator[tuple[bytes, str]]:
    """The rows; after the last one refuse those that are not what was kept.

    Parameters
    ----------
    rows : iterable of (bytes, str)
    whole : Sums or None
        The store's. None where an earlier version wrote it.
    form : bytes
    closed : bool
        See `verify`.

    Raises
    ------
    DocumentError
        If a report was changed, lost or added since it was kept.
    """
    found, value = Sums(), _remembering()
    chunk: list[tuple[bytes, str]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == 1000:
            found += sums(chunk, form, value)
            yield from chunk
            chunk.clear()
    found += sums(chunk, form, value)
    yield from chunk
    verify(found, whole, form, closed)


def verify(found: Sums, whole: Sums | None, form: bytes, closed: bool) -> None:
    """Refuse sums of reports that are not those of the store.

    A closed survey may bear the seal of an open one, as after an interrupted closing, but never the
    other way round: none is opened again by accident.

    Raises
    ------
    DocumentError
        If they differ.
    """
    if whole is not None and whole not in {found + seal(form, state) for state in (False, closed)}:
        raise _changed(found.count, whole.count)


def count_values(
    groups: Iterable[tuple[str, int]], names: Sequence[str], whole: Sums | None, form: bytes
) -> dict[str, list[tuple[str | None, int]]]:
    """Count reports by the value of each question, from counts of whole reports.

    Raises
    ------
    DocumentError
        If the values are not those that were kept.

    >>> count_values([('{"tea":1}', 2), ('{"tea":[0,4]}', 1)], ["tea", "milk"], None, b"")
    {'tea': [('1', 2), ('[0,4]', 1)], 'milk': [(None, 3)]}
    """
    counted: dict[str, Counter[str | None]] = {name: Counter() for name in names}
    count = values = 0
    for answers, often in groups:
        count += often
        values += often * _value(answers)
        found = _object(answers)
        for name in names:
            counted[name][_spelt(found[name]) if name in found else None] += often
    if whole is not None and (count, values % (1 << _BITS)) != (whole.count, whole.values):
        raise _changed(count, whole.count, _impossible(counted, form))
    return {name: list(found.items()) for name, found in counted.items()}


def in_groups(answers: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Count equal spellings in bounded memory; a spelling may be given more than once.

    >>> list(in_groups(["a", "b", "a"]))
    [('a', 2), ('b', 1)]
    """
    groups: Counter[str] = Counter()
    for one in answers:
        groups[one] += 1
        if len(groups) == _MANY:
            yield from groups.items()
            groups.clear()
    yield from groups.items()


def receipt(form: bytes, id: bytes, answers: str) -> str:
    r"""The digest on a respondent's receipt: the SHA-256 of the body that was sent.

    Parameters
    ----------
    form : bytes
        The canonical bytes of the form.
    id, answers
        As they are kept.

    >>> from askance.wire.report import Report
    >>> form = b'{"size":256}'
    >>> body = Report(fingerprint(form), "0f" * 16, {"tea": 1}).body(256)
    >>> receipt(form, b"\x0f" * 16, '{"tea":1}') == fingerprint(body)
    True
    """
    mark, size = _envelope(form)
    body = f'{{"answers":{answers},"form":"{mark}","id":"{id.hex()}"}}'
    return fingerprint(body.encode("ascii", "backslashreplace").ljust(size))


def check_receipt(form: bytes, id: bytes, answers: str | None, digest: str | None) -> str:
    """The values that are kept under an id, if the digest on the receipt is theirs.

    Raises
    ------
    DocumentError
        If nothing is kept under this id, or something else than the receipt is for.
    """
    if answers is None:
        raise DocumentError(
            f"report {id.hex()}",
            got="no such report",
            allowed="the number of a report that is kept",
            remedy="compare it with the receipt; perhaps it was withdrawn before",
        )
    if digest is not None and digest.lower() != receipt(form, id, answers):
        raise DocumentError(
            f"report {id.hex()}",
            got=digest,
            allowed="the SHA-256 of the message, as its receipt has it",
            remedy="nothing was withdrawn",
        )
    return answers


@lru_cache(4)
def _envelope(form: bytes) -> tuple[str, int]:
    return fingerprint(form), int(json.loads(form)["size"])


def _impossible(counted: Mapping[str, Iterable[str | None]], form: bytes) -> str:
    """Name the first question with a value that nobody can have sent, if there is one."""
    for question in Form.read(form).questions:
        for spelling in counted.get(question.name, ()):
            if spelling is None or not (
                spelling == "null" or question.allows(json.loads(spelling))
            ):
                return f"reports.answers.{question.name}"
    return "reports"


def _changed(found: int, kept: int, where: str = "reports") -> DocumentError:
    return DocumentError(
        where,
        got=f"{found} reports that are not all as they were kept",
        allowed=f"the {kept} reports that were kept, unchanged",
        remedy=f"it was damaged, or changed by another program; {REMEDY}",
    )


def _remembering() -> Callable[[str], int]:
    """Hash values once where they come again, and forget them with whoever holds this."""
    return lru_cache(1 << 16)(_value)


def _value(answers: str) -> int:
    spelling = answers.encode("utf-8", "surrogateescape")
    return int.from_bytes(blake2b(spelling, digest_size=32, person=b"values").digest(), "big")


def _object(answers: str) -> Mapping[str, Any]:
    try:
        found = json.loads(answers)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _spelt(value: Any) -> str:
    """Spell a value canonically, those that reports have without delay."""
    if type(value) is int:
        return str(value)
    if type(value) is list and all(type(end) is int for end in value):
        return f"[{','.join(map(str, value))}]"
    return canonical(value).decode("ascii")
