"""Where reports are kept: one small protocol, two drivers, chosen by the URL."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from askance.arguments import checked
from askance.collect.accept import Accepted, Outcome
from askance.collect.sqlite import SqliteStore
from askance.errors import DocumentError
from askance.wire.canonical import fingerprint
from askance.wire.form import Form


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

    def reports(self) -> Iterator[tuple[str, str]]:
        """Every report's id, in hex, with its values in canonical JSON, in their order.

        The ids are random, so their order tells nothing; only whoever holds one, its respondent,
        can say whose report it is. After the last one, a store whose reports are not those that
        were kept is refused.
        """
        ...

    def shuffled(self) -> Iterator[str]:
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

    def form(self) -> bytes:
        """The canonical bytes of the form that the reports answer."""
        ...

    def withdraw(self, id: bytes, digest: str | None = None) -> None:
        """Take a report out for good, so that nothing of it is left here, not even its id.

        With the digest on the receipt, only the very report that the receipt is for.
        """
        ...

    @property
    def closed(self) -> bool:
        """Whether further reports are refused."""
        ...

    def close_survey(self) -> None:
        """Refuse further reports for good and rewrite the rest in the order of their random ids."""
        ...

    def close(self) -> None:
        """Let go of the file or the connection."""
        ...


@checked
def open_store(url: str | Path, form: Form | None = None, *, read_only: bool = False) -> Store:
    """Open the store at a path or URL, or make one for a form.

    Parameters
    ----------
    url : str or Path
        A path, ``sqlite:///relative.db``, ``sqlite:////absolute.db`` or ``postgresql://…``.
    form : Form, optional
        Needed to make a store; an existing one must belong to exactly this form.
    read_only : bool
        For counting and exporting, also while a server is writing.

    Raises
    ------
    DocumentError
        If there is no store, if it belongs to another form, or if another process writes to it.

    >>> open_store("nowhere.db", read_only=True)
    Traceback (most recent call last):
    askance.errors.DocumentError: nowhere.db: got 'no such file'; allowed: a store of reports; ...
    """
    scheme = str(url).partition("://")[0] if "://" in str(url) else ""
    store: Store
    if scheme in ("postgresql", "postgres"):
        from askance.collect.postgres import PostgresStore

        store = PostgresStore.open(str(url), form, read_only=read_only)
    elif scheme in ("sqlite", ""):
        path = Path(str(url).removeprefix("sqlite:///"))
        store = SqliteStore.open(path, form, read_only=read_only)
    else:
        raise DocumentError(scheme, allowed="a path, sqlite:///… or postgresql://…")
    try:
        if form is not None and store.form() != form.bytes:
            store.check()  # or the form was damaged
            raise DocumentError(
                _place(url),
                got=f"a store for the form {fingerprint(store.form())[:16]}…",
                allowed=f"a store for the form {form.fingerprint[:16]}…",
                remedy="name another store: one store belongs to one form",
            )
    except BaseException:
        store.close()
        raise
    return store


def _place(url: str | Path) -> str:
    """Name a store without the password that its URL may hold."""
    parts = urlsplit(str(url))
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}" if parts.scheme else str(url)
