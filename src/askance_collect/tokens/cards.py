"""Invitations: codes as a table for a mail merge, and as cards to print with links as QR codes.

What is written here can be exchanged for a token, once: handle it like ballots.
"""

import csv
import html
import io
import os
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from askance_collect.arguments import checked
from askance_collect.errors import InputError, MissingExtra, file_faults
from askance_collect.lazy import DISTRIBUTION
from askance_collect.tokens.issuer import spell_code

try:
    import segno
except ImportError as error:
    raise MissingExtra("segno", "tokens", DISTRIBUTION) from error


_VERIFIED = re.compile(r"page=[^&#]+&sha256=[0-9a-f]{64}")
"""What a link by way of a verifier has behind its #: the code goes behind that."""


@checked
def write_codes(codes: Sequence[str], page: str, path: str | Path) -> None:
    """Write codes with their links as CSV, for a mail merge: columns ``code`` and ``link``.

    Parameters
    ----------
    codes : sequence of str
        By `Issuer.invite`.
    page : str
        The address of the respondent's page, or of a verifier with the page and its SHA-256 behind
        the ``#``.
    path : str or Path
        A new file, which only its owner may read.

    Raises
    ------
    InputError
        If the address is none.
    DocumentError
        If the file is there already or cannot be made.

    >>> from tempfile import TemporaryDirectory
    >>> from askance_collect.tokens import write_codes
    >>> with TemporaryDirectory() as folder:
    ...     write_codes(["0AB1234567890CDE"], "https://exam.example.org/", f"{folder}/codes.csv")
    ...     print(Path(folder, "codes.csv").read_text())
    code,link
    0AB1-2345-6789-0CDE,https://exam.example.org/#code=0AB1234567890CDE
    """
    home, text = home_of(page), io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("code", "link"))
    rows.writerows((spell_code(code), _link(home, code)) for code in codes)
    _write(Path(path), text.getvalue())


@checked
def write_cards(
    codes: Sequence[str], page: str, title: str, path: str | Path, head: str = ""
) -> None:
    """Write codes as cards to print, ten on a page of A4 or Letter, as one HTML file.

    Parameters
    ----------
    codes, page, path
        As for `write_codes`.
    title : str
        Of the survey.
    head : str
        The head of the survey's log, in lines, to stand on every card: whoever keeps the card can
        show that nothing left the log since.

    Raises
    ------
    InputError
        If the address is none.
    DocumentError
        If the file is there already or cannot be made.

    >>> from tempfile import TemporaryDirectory
    >>> from askance_collect.tokens import write_cards
    >>> with TemporaryDirectory() as folder:
    ...     cards = Path(folder, "cards.html")
    ...     write_cards(["0AB1234567890CDE"], "https://exam.example.org/", "Exams", cards)
    ...     "0AB1-2345-6789-0CDE" in cards.read_text()
    True
    """
    home = home_of(page)
    head_html = "<br>".join(html.escape(head).split("\n"))
    cards = "".join(_card(code, home, title, head_html) for code in codes)
    sheet = (files("askance_collect.tokens") / "cards.html").read_text(encoding="utf-8")
    _write(Path(path), sheet.replace("{title}", html.escape(title)).replace("{cards}", cards))


def _card(code: str, home: str, title: str, head: str) -> str:
    qr_code = segno.make(_link(home, code), error="m", micro=False).svg_inline(
        omitsize=True, border=2
    )
    address = home.partition("#")[0]
    lines = (
        f"<h2>{html.escape(title)}</h2>",
        f"<p>{html.escape(address.removeprefix('https://').removesuffix('/'))}</p>",
        f"<p class=code>{spell_code(code)}</p>",
    )
    below = f"<p class=head>{head}</p>" if head else ""
    return f"<li><div>{''.join(lines)}</div>{qr_code}{below}</li>\n"


def _link(home: str, code: str) -> str:
    return f"{home}{'&' if '#' in home else '#'}code={code}"


def home_of(page: str) -> str:
    """The address of a page, to which a code can be added where no server sees it.

    >>> home_of("https://exam.example.org")
    'https://exam.example.org/'
    """
    try:
        parts = urlsplit(page)
        opened = not parts.fragment or _VERIFIED.fullmatch(parts.fragment)
        fits = parts.scheme in ("http", "https") and parts.hostname and opened
    except ValueError:
        fits = False
    if not fits:
        allowed = "an address such as https://exam.example.org/, without a # but a verifier's"
        raise InputError("page", got=page, allowed=allowed)
    return page if parts.path else f"{page}/"


def _write(path: Path, text: str) -> None:
    with file_faults(path, "a new file in a folder that can be written to"):
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with open(os.open(path, flags, 0o600), "w", encoding="utf-8", newline="") as file:  # noqa: PTH123 with a mode
            file.write(text)
