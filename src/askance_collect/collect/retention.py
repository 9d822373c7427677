"""Deletion at the end of retention, recorded in a document that names nobody."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from errno import EACCES
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import final

from askance_collect.arguments import checked
from askance_collect.collect.accept import Store
from askance_collect.collect.apart import ApartStore
from askance_collect.collect.export import receipts
from askance_collect.collect.folder import Folder, own_accounts, replacing
from askance_collect.collect.store import open_store
from askance_collect.errors import DocumentError
from askance_collect.wire.canonical_json import canonical, fingerprint

_SEARCHED = 1000
_FILES = ("", "-wal", "-journal", "-shm")


@final
@dataclass(frozen=True, slots=True)
class Deletion:
    """What was deleted, and when: nobody is named, and no time but the day.

    Attributes
    ----------
    day : str
        As year, month and day.
    form : str
        The fingerprint of the form whose reports were deleted.
    reports : int
    tokens : int
        Tokens that were spent.
    receipts : str
        The SHA-256 of the list of receipts, as it may have been published; nothing if the store
        was damaged.
    searched : int
        For so many reports it was seen that neither number nor place is left in the store's file
        and log; 0 where a database has them.
    """

    day: str
    form: str
    reports: int
    tokens: int
    receipts: str
    searched: int

    def to_dict(self) -> dict[str, object]:
        """Give the document."""
        return {"askance": "deletion-1", **asdict(self)}


@checked
def delete_reports(store: str | Path, proof: str | Path) -> Deletion:
    """Delete every report and every token of a store, close its survey, and write that down.

    The store stays, empty and closed, so that whoever still comes is told that it is over. In a
    file zeros are written over what stood there and in its log, before either gets shorter. Broken
    off, it can be done again, and the document says what was there at first.

    Parameters
    ----------
    store : str or Path
        The store's path or URL. No server may use a file.
    proof : str or Path
        A new file for the document, in JSON.

    Raises
    ------
    DocumentError
        If there is a file already or it cannot be written; or if the store cannot be opened or
        emptied. What is not written down beforehand is not deleted.

    >>> import tempfile
    >>> from askance_collect.collect import Deletion, accept, delete_reports, open_store
    >>> from askance_collect.wire import Form, Report
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> form = Form.read({
    ...     "askance": "form-1", "title": tea, "consent": tea, "contact": tea, "languages": ["en"],
    ...     "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": tea, "answers": answers}],
    ... })
    >>> body = Report(form.fingerprint, "0f" * 16, {"tea": 1}).body(form.size)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = open_store(f"{folder}/tea.db", form)
    ...     outcomes = store.append([accept(body, form)])
    ...     store.close()
    ...     done: Deletion = delete_reports(f"{folder}/tea.db", f"{folder}/proof.json")
    ...     store = open_store(f"{folder}/tea.db", form)
    ...     done.reports, done.searched, store.count(), store.closed
    ...     store.close()
    (1, 1, 0, True)
    """
    proof_path = Path(proof)
    begun_path = proof_path.with_name(f"{proof_path.name}.part")
    if os.path.lexists(proof_path):
        raise DocumentError(str(proof), got="a file", allowed="a new file")
    opened = open_store(store)
    try:
        files = opened.files if isinstance(opened, ApartStore) else (_file_path(store),)
        sought, deletion = _plan_deletion(opened, begun_path, in_file=files[0].is_file())
        _write(begun_path, deletion)
        opened.delete_all()
    finally:
        opened.close()
    for file in files:
        _search(file, sought)
    try:
        with Folder.opened(proof_path.parent) as folder:
            folder.rename(begun_path.name, proof_path.name)
    except OSError as error:
        raise _unwritten(proof_path, error) from error
    return deletion


def _file_path(store: str | Path) -> Path:
    return Path(str(store).removeprefix("sqlite:///"))


def _plan_deletion(
    store: Store, begun_path: Path, *, in_file: bool
) -> tuple[list[bytes], Deletion]:
    """Say what there is to delete, or was before a deletion that was broken off."""
    form, many = fingerprint(store.form()), store.count()
    former = _read_begun_deletion(begun_path)
    if not many and former is not None and former.form == form:
        return [], former
    root, sought = sha256(), list[bytes]()
    try:
        for line in receipts(store):
            root.update(line.encode("ascii"))
        listed = root.hexdigest()
        stores = [*store.parts.values()] if isinstance(store, ApartStore) else [store]
        ids = chain.from_iterable(islice(each.reports(), _SEARCHED) for each in stores)
        sought = [bytes.fromhex(id) for id, _ in ids]
    except DocumentError:  # damaged, and to be deleted all the same
        listed = ""
    day = datetime.now().astimezone().date().isoformat()
    tokens, searched = sum(store.spent_tokens().values()), len(sought) if in_file else 0
    return sought, Deletion(day, form, many, tokens, listed, searched)


def _read_begun_deletion(begun_path: Path) -> Deletion | None:
    """Read what a deletion wrote down that was broken off, if there was one.

    Raises
    ------
    DocumentError
        If there is a link, a pipe, or a file of another account.
    """
    try:
        with Folder.opened(begun_path.parent) as folder:
            descriptor = folder.open_file(begun_path.name, owners=own_accounts())
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file, suppress(ValueError, TypeError, KeyError):
        document = json.load(file)
        del document["askance"]
        return Deletion(**document)
    return None


def _write(path: Path, deletion: Deletion) -> None:
    """Write the document, and have it on the disk before anything rests on it."""
    try:
        with replacing(path, durable=True) as file:
            file.write(canonical(deletion.to_dict()) + b"\n")
    except OSError as error:
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: OSError) -> DocumentError:
    allowed = "a file that can be written, on a disk with room for it"
    remedy = "as root, name one in the store's folder" if error.errno == EACCES else ""
    return DocumentError(str(path), got=error.strerror, allowed=allowed, remedy=remedy)


def _search(path: Path, sought: Sequence[bytes]) -> None:
    """Check that some deleted reports are in neither the store's file nor its log."""
    for end in _FILES:
        with suppress(FileNotFoundError, NotADirectoryError):
            with Folder.opened(path.parent) as folder:
                descriptor = folder.open_file(f"{path.name}{end}")
            with os.fdopen(descriptor, "rb") as file:
                content = file.read()
            if any(id in content for id in sought):
                raise DocumentError(
                    f"{path}{end}",
                    got="a report that was deleted",
                    allowed="a file without it",
                    remedy="end what reads the store, and delete again",
                )
