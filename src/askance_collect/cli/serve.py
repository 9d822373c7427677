"""Publish surveys, ask them, and keep what is sent."""

import os
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, final

import click

from askance_collect.cli.documents import (
    PLACE,
    day_of,
    form_at,
    form_path,
    key_at,
    named_by_files,
    of_each,
    public_keys,
    write_form,
)
from askance_collect.cli.program import publisher
from askance_collect.cli.request_options import Arg, Between, takes_request
from askance_collect.collect.app import create_app, page_origins
from askance_collect.collect.backup import back_up
from askance_collect.collect.operator import BackupPlace
from askance_collect.collect.serve import serve as run
from askance_collect.collect.several import mount
from askance_collect.collect.store import open_store
from askance_collect.errors import InputError
from askance_collect.respond.iframe import FRAME, render_frame
from askance_collect.respond.page import Page, render_page
from askance_collect.wire.form import Form
from askance_collect.wire.parts import part_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp

_BLANK = "{name}"


Host = Annotated[str, Arg(help="The address to listen on.")]
Port = Annotated[int, Between(ge=0, le=65535), Arg(help="The port; 0 takes a free one.")]
BehindProxy = Annotated[
    bool, Arg(help="A proxy with TLS is in front; needed for a host that others reach.")
]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ServeRequest:
    """Surveys to ask, and how.

    Attributes
    ----------
    surveys : tuple of Path
        Survey files or published forms, or folders of them.
    store : str, optional
        A file or `postgresql://…` (`reports.db`); of several surveys with `{name}` in it
        (`{name}.db`).
    address_header : str, optional
        Where that proxy says who asks, such as `X-Forwarded-For`; needed behind a proxy, and only
        there, for a survey with a [`rate`](survey-file.md#an-open-link).
    page_origin : tuple of str
        Where else the page lies, such as `https://www.example.org`; of one of several surveys
        `exam=https://www.example.org`; again for several.
    until : tuple of str
        The last day on which reports are taken, such as `2027-03-31`; of one of several surveys
        `exam=2027-03-31`.
    operator_key : Path, optional
        A file with the key to `/operator` and [`/metrics`](report.md#for-the-operator), of 32 or
        more letters, digits, - and _.
    backup : str, optional
        Where the button on the
        [operator's page](../how-to/keep-a-survey-for-years.md#the-operators-page-monitoring) puts a
        backup; of several surveys with `{name}` in it.
    backup_recipient : tuple of str
        Encrypt it for this public key, or those in this file; again for several.
    """

    surveys: Annotated[tuple[Path, ...], Arg(flag="", path=PLACE)]
    store: str | None = None
    host: Host = "127.0.0.1"
    port: Port = 8000
    behind_proxy: BehindProxy = False
    address_header: str | None = None
    page_origin: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    operator_key: Path | None = None
    backup: str | None = None
    backup_recipient: tuple[str, ...] = ()


@takes_request()
def serve(request: ServeRequest) -> None:
    """Ask SURVEYS at an address of this machine, until Ctrl-C.

    One is asked at the address itself. Several, or those in a folder, are asked each at a path that
    is the name of its file: /exam/ for exam.toml or exam.form.json. Each has a store of its own,
    exam.db, and a failure of one does not stop the others.
    """
    named, several = _named(request.surveys)
    store, backup = request.store or (f"{_BLANK}.db" if several else "reports.db"), request.backup
    pattern = _need_blank("--store", store, several)
    copies = None if backup is None else _need_blank("--backup", backup, several)
    key, keys = key_at(request.operator_key), tuple(public_keys(request.backup_recipient))
    origins = of_each("--page-origin", request.page_origin, named)
    days = of_each("--until", request.until, named)
    served = {}
    for name, path in named.items():
        form, own = _asked_form(path), pattern.replace(_BLANK, name)
        page, welcome = render_page(form), page_origins(origins[name])
        day = min((day_of("--until", text) for text in days[name]), default=None)
        copy = None if copies is None else _backups(form, own, copies.replace(_BLANK, name), keys)
        header = _header_of(form, request.address_header or "", behind_proxy=request.behind_proxy)
        served[name] = _ServedSurvey(path, form, page, own, welcome, key, day, copy, header)
    with ExitStack() as stack:

        def make() -> "tuple[ASGIApp, Callable[[], None]]":
            if several:
                makers = {name: survey.maker(stack) for name, survey in served.items()}
                return mount(makers, operator_key=key)
            (survey,) = served.values()
            return survey.maker(stack)()

        def announce(url: str) -> None:
            for name, survey in served.items():
                survey.announce(url, f"{name}/" if several else "")
            click.echo("print both on the invitation")

        run(make, announce, request.host, request.port, behind_proxy=request.behind_proxy)


@final
@dataclass(frozen=True, slots=True)
class _ServedSurvey:
    """A survey to serve: its page, its settings and its store."""

    path: Path
    form: Form
    page: Page
    store: str
    origins: frozenset[str]
    key: str = field(repr=False)
    until: date | None
    backups: BackupPlace | None
    header: str

    def maker(self, stack: ExitStack) -> "Callable[[], tuple[ASGIApp, Callable[[], None]]]":
        """Give what makes its collector; the store is closed with the stack."""

        def make() -> "tuple[ASGIApp, Callable[[], None]]":
            store = open_store(self.store, self.form)
            stack.callback(store.close)
            if form_path(self.path) != self.path:
                write_form(self.form, self.path)
            if store.closed:
                notice = "the survey is closed: no report is kept any more"
                click.echo(f"{self.path.name}: {notice}", err=True)
            page, frame = self.page, render_frame(self.form)
            files = {**page.companions, FRAME: (frame.bytes, frame.headers)}
            page_parts = page.bytes, page.headers, page.sha256, store, self.origins, files
            app = create_app(
                self.form,
                *page_parts,
                operator_key=self.key,
                last_day=self.until,
                backups=self.backups,
                address_header=self.header,
            )
            return app, store.check

        return make

    def announce(self, url: str, path: str) -> None:
        """Say where it is asked, and what to compare."""
        click.echo(f"asking at {_below(url, path)}")
        click.echo(f"form {form_path(self.path)}  SHA-256 {self.form.fingerprint}")
        click.echo(f"page SHA-256 {self.page.sha256}")
        if self.until is not None:
            click.echo(f"until {self.until} is over")
        if self.key:
            click.echo(f"operator {_below(url, f'{path}operator')}, with the key behind #")


def _below(url: str, path: str) -> str:
    """Spell a path at an address, or at a socket, which ends in no stroke.

    >>> _below("http://127.0.0.1:8000/", "exam/"), _below("unix:/run/exam.sock", "exam/")
    ('http://127.0.0.1:8000/exam/', '/exam/ at unix:/run/exam.sock')
    """
    if url.endswith("/") or not path:
        return f"{url}{path}"
    return f"/{path} at {url}"


def _asked_form(path: Path) -> Form:
    """Read the form to ask; refuse one that is a part of another."""
    form = form_at(path)
    if part_of(form) is not None:
        raise InputError(
            str(path),
            got="the form of a part that is kept apart",
            allowed="a whole form",
            remedy="it is for counting and estimating; ask the form that it is a part of",
        )
    return form


def _named(surveys: tuple[Path, ...]) -> tuple[dict[str, Path], bool]:
    """Name each survey by its file; return whether paths need these names."""
    named = named_by_files([file for path in surveys for file in _files(path)])
    return named, len(named) > 1 or surveys[0].is_dir()


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    kind, files_of = (
        ("*.toml", "survey files") if publisher() else ("*.form.json", "published forms")
    )
    if not (files := sorted(path.glob(kind))):
        raise InputError(str(path), got="a folder without any", allowed=f"{files_of}, {kind}")
    return files


def _need_blank(option: str, pattern: str, several: bool) -> str:
    """See that each of several surveys has a place of its own."""
    if several and _BLANK not in pattern:
        allowed = f"a place for each survey, with {_BLANK} in it: {_BLANK}.db"
        raise InputError(option, got=pattern, allowed=allowed)
    return pattern


def _backups(form: Form, store: str, path: str, keys: tuple[str, ...]) -> BackupPlace:
    """Say where backups go, and how one is made while the store is written to."""
    if form.keeps_apart:
        raise InputError(
            "--backup",
            got=f"{store}, whose parts are kept apart",
            allowed="surveys that are kept in one store",
            remedy="askance-collect backup copies each part's store, never reports that wait whole",
        )

    def make() -> None:
        opened = open_store(store, read_only=True)
        try:
            back_up(opened, path, keys)
        finally:
            opened.close()

    return BackupPlace(Path(path), make, bool(keys))


def _header_of(form: Form, header: str, *, behind_proxy: bool) -> str:
    """Refuse to count by a header that anybody may write, or to count all as the proxy's own."""
    if header and not behind_proxy:
        allowed = "none, unless a proxy of your own is in front (--behind-proxy) and writes it"
        raise InputError("--address-header", got=header, allowed=allowed)
    handed_on = behind_proxy or "LISTEN_FDS" in os.environ  # at a socket nobody has an address
    if handed_on and not header and form.open_link is not None and form.open_link.rate is not None:
        allowed, remedy = "one, behind a proxy", "say where your proxy writes who asks"
        raise InputError("--address-header", got="none", allowed=allowed, remedy=remedy)
    return header
