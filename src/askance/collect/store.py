"""Opening the place where reports are kept: one of two drivers, chosen by the URL."""

from pathlib import Path
from urllib.parse import urlsplit

from askance.arguments import checked
from askance.collect.accept import Store
from askance.collect.sqlite import SqliteStore
from askance.errors import DocumentError
from askance.wire.canonical import fingerprint
from askance.wire.form import Form


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
