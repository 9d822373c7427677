"""Reports whose protected and plain answers are kept in two stores that share no id.

A report that has arrived waits, whole, until a crowd has. Then each is split, and the two parts go
to two stores, under ids that are hashes of its id, in the order of these. It is taken out of where
it waited; the digest of its message is left, by which a second sending is known. What the two
stores have in common is how many reports they hold, and which crowd came before which.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import NoReturn, Protocol, final

from askance_collect.collect.accept import PARTED, Accepted, Outcome, Snapshot, Store
from askance_collect.collect.integrity import check_receipt, receipt
from askance_collect.collect.report_sums import Sums
from askance_collect.errors import DocumentError
from askance_collect.wire.canonical_json import canonical
from askance_collect.wire.form import Form
from askance_collect.wire.parts import (
    PARTING_CROWD,
    FormPart,
    id_of_part,
    split_values,
)

_LOOKS = 20
"""So often counts are taken anew because reports were parted meanwhile."""


def path_of_part(path: str | Path, part: FormPart) -> Path:
    """Name the file of one part, in the folder of a form's store.

    >>> path_of_part("out/exam.db", FormPart.PLAIN).name
    'exam.plain.db'
    """
    whole = Path(path)
    return whole.with_name(f"{whole.stem}.{part.value}{whole.suffix}")


class PartingNotes(Protocol):
    """What the store in which reports wait remembers of those that were parted."""

    def let_go(self, digests: Sequence[bytes]) -> None:
        """Take every report out, and note the digests of their messages."""
        ...

    def forget(self, digest: bytes) -> None:
        """Take a noted digest out."""
        ...

    def find_parted(self, digests: Sequence[bytes]) -> set[bytes]:
        """Find the digests that are noted."""
        ...

    def parted(self) -> Iterator[str]:
        """The digests that are noted, in hex, in their order."""
        ...


@final
class _Unfinished:
    """Whether a parting may have been broken off, and who looks at that."""

    __slots__ = ("guard", "possible")

    def __init__(self) -> None:
        self.guard, self.possible = Lock(), True


@final
@dataclass(frozen=True, slots=True)
class ApartStore:
    """A store in three files: of reports that wait to be parted, and of their two parts.

    Attributes
    ----------
    files : tuple of Path
        The three files, the one in which reports wait first.
    waiting : Store
    notes : PartingNotes
        The same store.
    parts : mapping of FormPart to Store
    lookups : mapping of FormPart to callable
        For each part, what gives the values that are kept under an id, or None.
    whole : Form
    read_only : bool
    """

    files: tuple[Path, ...]
    waiting: Store = field(repr=False)
    notes: PartingNotes = field(repr=False)
    parts: Mapping[FormPart, Store] = field(repr=False)
    lookups: Mapping[FormPart, Callable[[bytes], str | None]] = field(repr=False)
    whole: Form = field(repr=False)
    read_only: bool = False
    unfinished: _Unfinished = field(repr=False, default_factory=_Unfinished)

    @property
    def _stores(self) -> tuple[Store, ...]:
        return self.waiting, *self.parts.values()

    def check(self) -> None:
        """Read all three once, and finish a parting that was broken off."""
        for store in self._stores:
            store.check()
        if self.read_only:
            return
        with self.unfinished.guard:
            if self.unfinished.possible:
                begun = any(self._is_taken(bytes.fromhex(id)) for id, _ in self.waiting.reports())
                if begun or self.waiting.count() >= PARTING_CROWD:
                    self._part()
                self.unfinished.possible = False

    def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Let a batch wait, flushed before this returns; part what waits once it is a crowd."""
        self.check()
        outcomes = self._settle(batch, self.waiting.append)
        if self.waiting.count() >= PARTING_CROWD:
            self.unfinished.possible = True
            self._part()
            self.unfinished.possible = False
        return outcomes

    def look_up(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Say what became of each report, and keep none."""
        self.check()
        return self._settle(batch, self.waiting.look_up)

    def _settle(
        self, batch: Sequence[Accepted], settle: Callable[[Sequence[Accepted]], list[Outcome]]
    ) -> list[Outcome]:
        """Say of reports that were parted what became of them, and settle the others."""
        digests = [self._digest(report.id, report.answers) for report in batch]
        parted = self.notes.find_parted(digests)
        taken = [
            digest not in parted and self._is_taken(report.id)
            for digest, report in zip(digests, batch, strict=True)
        ]
        others = [
            report
            for digest, report, is_taken in zip(digests, batch, taken, strict=True)
            if digest not in parted and not is_taken
        ]
        settled = iter(settle(others))
        return [
            Outcome.REPEATED
            if digest in parted
            else Outcome.CONFLICTING
            if is_taken
            else next(settled)
            for digest, is_taken in zip(digests, taken, strict=True)
        ]

    def _is_taken(self, id: bytes) -> bool:
        """Say whether a part of a report with this id is kept."""
        return any(
            look_up(id_of_part(id, part)) is not None for part, look_up in self.lookups.items()
        )

    def _digest(self, id: bytes, answers: str) -> bytes:
        return bytes.fromhex(receipt(self.whole.bytes, id, answers))

    def _part(self) -> None:
        """Bring both parts of what waits to the disk, then let go of it; it can be done again."""
        rows = [(bytes.fromhex(id), answers) for id, answers in self.waiting.reports()]
        for part, store in self.parts.items():
            store.append([self._part_of(id, answers, part) for id, answers in rows])
        self.notes.let_go([self._digest(id, answers) for id, answers in rows])

    def _part_of(self, id: bytes, answers: str, part: FormPart) -> Accepted:
        values = split_values(json.loads(answers), self.whole)[part]
        return Accepted(id_of_part(id, part), canonical(values).decode("ascii"))

    def check_writable(self) -> None:
        """Write what is no report into each file and take it out again."""
        self.check()
        for store in self._stores:
            store.check_writable()

    def reports(self) -> Iterator[tuple[str, str]]:
        """Refuse to give reports whole."""
        self._refuse()

    def shuffled_values(self) -> Iterator[str]:
        """Refuse to give reports whole."""
        self._refuse()

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Refuse to copy reports whole."""
        self._refuse()

    def fill(self, *_: object) -> Sums:
        """Refuse to be made from a copy of whole reports."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        first, second = (path.name for path in self.files[1:])
        raise DocumentError(
            str(self.files[0]),
            got="reports whose protected and plain answers are kept apart",
            allowed=f"the store of one part: {first} or {second}",
            remedy="nothing joins the two: the survey says apart = true",
        )

    def counts(self, names: Sequence[str]) -> dict[str, list[tuple[str | None, int]]]:
        """Count the reports by their value for each question, those that wait included.

        Raises
        ------
        DocumentError
            If reports are parted so often meanwhile that no one moment is seen.
        """
        for _ in range(_LOOKS):
            before = self._totals()
            counted = self._count(names)
            if self._totals() == before:
                return counted
        allowed = "a store in which nothing is parted meanwhile"
        raise DocumentError(str(self.files[0]), allowed=allowed, remedy="do it again")

    def _totals(self) -> tuple[int, ...]:
        return tuple(store.count() for store in self._stores)

    def _count(self, names: Sequence[str]) -> dict[str, list[tuple[str | None, int]]]:
        counted: dict[str, Counter[str | None]] = {name: Counter() for name in names}
        asked: list[tuple[Store, list[str]]] = [(self.waiting, list(names))]
        for part, store in self.parts.items():
            own = [name for name in names if part.includes(self.whole.question(name))]
            asked.append((store, own))
        for store, own in asked:
            for name, values in store.counts(own).items():
                counted[name].update(dict(values))
        return {name: list(values.items()) for name, values in counted.items()}

    def count(self) -> int:
        """Count the reports, those that wait included."""
        return self.waiting.count() + self.parts[FormPart.PROTECTED].count()

    def count_waiting(self) -> int:
        """Count the reports that wait to be parted."""
        return self.waiting.count()

    def spent_tokens(self) -> Mapping[int, int]:
        """Count the tokens that are spent, by the position of their key among the form's."""
        spent = self.waiting.spent_tokens()
        return {key: count for key, count in spent.items() if key != PARTED}

    def add_spent_tokens(self, tokens: Sequence[tuple[bytes, int]]) -> None:
        """Note tokens as spent that another store knew."""
        self.waiting.add_spent_tokens(tokens)

    def digests(self) -> Iterator[str]:
        """The digest on every receipt, in the order of the digests."""
        waiting = (
            receipt(self.whole.bytes, bytes.fromhex(id), answers)
            for id, answers in self.waiting.reports()
        )
        yield from sorted([*waiting, *self.notes.parted()])

    def form(self) -> bytes:
        """The canonical bytes of the whole form."""
        return self.waiting.form()

    def withdraw(self, id: bytes, digest: str | None = None) -> None:
        """Take a report out for good, or both of its parts.

        Raises
        ------
        DocumentError
            If there is no such report, or if the digest is not its.
        """
        self.check()
        ids = {part: id_of_part(id, part) for part in FormPart}
        stored = {part: look_up(ids[part]) for part, look_up in self.lookups.items()}
        left = {part: answers for part, answers in stored.items() if answers is not None}
        if not left:
            self.waiting.withdraw(id, digest)
            return
        known = None if digest is None else digest.lower()
        if len(left) == len(stored):
            values = {
                name: value
                for answers in left.values()
                for name, value in json.loads(answers).items()
            }
            answers = canonical(values).decode("ascii")
            check_receipt(self.whole.bytes, id, answers, digest)
            known = receipt(self.whole.bytes, id, answers)
        for part in left:
            self.parts[part].withdraw(ids[part])
        if known is not None and re.fullmatch("[0-9a-f]{64}", known):
            self.notes.forget(bytes.fromhex(known))

    @property
    def closed(self) -> bool:
        """Whether further reports are refused."""
        return self.waiting.closed

    def remaining_capacity(self) -> int | None:
        """Count the bytes that are free on the files' disk."""
        return self.waiting.remaining_capacity()

    def close_survey(self) -> None:
        """Part what waits, refuse further reports, and rewrite all three files.

        Interrupted, it can be done again.
        """
        self.check()
        self._part()
        for store in (*self.parts.values(), self.waiting):
            store.close_survey()

    def delete_all(self) -> None:
        """Close for good and delete everything, in all three files."""
        for store in self._stores:
            store.delete_all()

    def close(self) -> None:
        """Let go of the files."""
        for store in self._stores:
            store.close()
