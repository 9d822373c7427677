"""Sealed data: reports in the table of a frame's host, and texts, encrypted for the study's key.

Each is one cell of text: HPKE (RFC 9180), base mode, one message, by DHKEM of X25519 or of P-256,
each with HKDF-SHA256, and AES-128-GCM. The form and the question are bound to it, so that a cell
opens under these alone. What is opened is a report's body on that question, padded to one length,
or what somebody wrote.

References
----------
Barnes, Bhargavan, Lipp, Wood (2022), Hybrid Public Key Encryption, RFC 9180, sections 4 to 6.
"""

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple, final

from askance.engines.age_key import derive_p256, read_identity
from askance.engines.files import Kind, TextTable, kind_of
from askance.engines.sources import read_text_table
from askance_collect.arguments import checked
from askance_collect.collect.export import columns, spell
from askance_collect.errors import DocumentError, InputError, MissingExtra
from askance_collect.wire.canonical_json import canonical, escape_formula
from askance_collect.wire.form import Form, body_size
from askance_collect.wire.question import FreeText, Question
from askance_collect.wire.sealed_text import SEALED_TEXT, read_envelope
from askance_collect.wire.token import from_base64url, to_base64url

VERSION = "askance-seal-1"
"""How a sealed cell begins, and what is bound to it beside form and question."""

_CELL = re.compile(rf"'?{VERSION}\.(x25519|p256)\.([A-Za-z0-9_-]+)")
_BLOCK = re.compile(rb"-----BEGIN [A-Z ]+-----.+?-----END [A-Z ]+-----\n?", re.DOTALL)
_X25519 = 32
"""Bytes of a public key of X25519, which comes first."""


@final
@dataclass(frozen=True, slots=True)
class SealKey:
    """A study's key pair: what is sealed for its public half is opened with it.

    Attributes
    ----------
    x25519, p256 : bytes
        The private keys, 32 bytes each.
    """

    x25519: bytes = field(repr=False)
    p256: bytes = field(repr=False)

    @property
    def public(self) -> str:
        """The public half, as a survey file says it under ``seal``."""
        serialization = _library().serialization
        raw, point = serialization.Encoding.Raw, serialization.Encoding.X962
        first, second = (_loaded(self, kem).public_key() for kem in ("x25519", "p256"))
        form = serialization.PublicFormat.UncompressedPoint
        spelt = first.public_bytes(raw, serialization.PublicFormat.Raw)
        return to_base64url(spelt + second.public_bytes(point, form))

    @checked
    def private(self, passphrase: str = "") -> bytes:
        """Both private keys as PKCS #8 in PEM, encrypted where there is a passphrase."""
        serialization = _library().serialization
        shut = (
            serialization.BestAvailableEncryption(passphrase.encode())
            if passphrase
            else serialization.NoEncryption()
        )
        how = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, shut
        return b"".join(_loaded(self, kem).private_bytes(*how) for kem in ("x25519", "p256"))


@final
class _Library(NamedTuple):
    """What draws, reads and uses keys."""

    hpke: Any
    serialization: Any
    ec: Any
    x25519: Any
    InvalidTag: Any


def _library() -> _Library:
    try:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives import hpke, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, x25519
    except ImportError as error:
        raise MissingExtra("cryptography", "seal") from error
    return _Library(hpke, serialization, ec, x25519, InvalidTag)


@checked
def make_seal_key() -> SealKey:
    """Draw a key pair of a study.

    Raises
    ------
    MissingExtra
        Without ``pip install 'askance[seal]'``.

    >>> key = make_seal_key()
    >>> len(key.public), read_seal_key(key.private("tea"), "tea").public == key.public
    (130, True)
    """
    _, _, ec, x25519, _ = _library()
    return _export_key(x25519.X25519PrivateKey.generate(), ec.generate_private_key(ec.SECP256R1()))


def _loaded(key: SealKey, kem: str) -> Any:
    """Make the private key of one curve, as `cryptography` has it."""
    library = _library()
    if kem == "x25519":
        return library.x25519.X25519PrivateKey.from_private_bytes(key.x25519)
    return library.ec.derive_private_key(int.from_bytes(key.p256, "big"), library.ec.SECP256R1())


def _export_key(first: Any, second: Any) -> SealKey:
    number = second.private_numbers().private_value
    return SealKey(first.private_bytes_raw(), number.to_bytes(32, "big"))


@checked
def read_seal_key(content: bytes, passphrase: str = "") -> SealKey:
    """Read a study's private key, as `SealKey.private` spells it, or an identity file of age.

    Parameters
    ----------
    content : bytes
    passphrase : str
        Where it is encrypted.

    Raises
    ------
    InputError
        If it is none, or opens by another passphrase.
    MissingExtra
        Without ``pip install 'askance[seal]'``.

    >>> read_seal_key(b"tea")
    Traceback (most recent call last):
    askance_collect.errors.InputError: key: allowed: a private key that askance seal-key wrote, ...
    """
    _, serialization, ec, x25519, _ = _library()
    if (identity := read_identity(content)) is not None:
        return SealKey(identity, derive_p256(identity))
    secret = passphrase.encode() if passphrase else None
    try:
        first, second = (
            serialization.load_pem_private_key(block, secret) for block in _BLOCK.findall(content)
        )
        if not isinstance(first, x25519.X25519PrivateKey):
            raise TypeError("another kind of key")
        if not isinstance(second, ec.EllipticCurvePrivateKey):
            raise TypeError("another kind of key")
        if not isinstance(second.curve, ec.SECP256R1):
            raise TypeError("another curve")
    except (ValueError, TypeError) as error:
        allowed = (
            "a private key that askance seal-key wrote, and its passphrase if it has one; "
            "or an identity file of age"
        )
        raise InputError("key", allowed=allowed) from error
    return _export_key(first, second)


@checked
def seal_report(form: Form, question: str, body: bytes, *, kem: str = "x25519") -> str:
    """Seal a report's body on one question for the study, as a frame does.

    Parameters
    ----------
    form : Form
        With a public key.
    question : str
    body : bytes
    kem : str
        ``x25519``, or ``p256`` as in browsers that have no X25519.

    Raises
    ------
    InputError
        If the form has no key, or there is no such curve.
    MissingExtra
        Without ``pip install 'askance[seal]'``.
    """
    if form.seal_key is None or kem not in ("x25519", "p256"):
        fault = kem if form.seal_key else "a form without a key"
        raise InputError("seal", got=fault, allowed="a form with a key, and x25519 or p256")
    form.question(question)
    return _encrypt(form.seal_key, kem, body, (VERSION, form.fingerprint, question))


@checked
def seal_text(form: Form, question: str, text: str, *, kem: str = "x25519") -> str:
    """Seal a text for the study, as the respondent's page does.

    Parameters
    ----------
    form : Form
    question : str
        One that asks for a sealed text.
    text : str
    kem : str
        ``x25519``, or ``p256`` as in browsers that have no X25519.

    Returns
    -------
    str
        The value in a report: as long for every text of the question.

    Raises
    ------
    InputError
        If the question takes no sealed text, or not this one, or there is no such curve.
    MissingExtra
        Without ``pip install 'askance[seal]'``.
    """
    asking = form.question(question)
    if not isinstance(asking, FreeText) or not asking.is_sealed or form.seal_key is None:
        raise InputError("question", got=question, allowed="a question with a sealed text")
    if kem not in ("x25519", "p256") or not asking.allows_plaintext(text):
        allowed = f"a text that the question takes, of up to {asking.limit} characters; and "
        raise InputError("text", allowed=f"{allowed}x25519 or p256")
    padded = text.encode("utf-8").ljust(asking.padded_size)
    return _encrypt(form.seal_key, kem, padded, (SEALED_TEXT, _asked_under(form), question))


def _encrypt(public: str, kem: str, content: bytes, bound: Sequence[str]) -> str:
    """Encrypt for a study's public key; what begins the cell is bound to it, and what follows."""
    _, _, ec, x25519, _ = _library()
    raw = from_base64url(public) or b""
    if kem == "x25519":
        key: Any = x25519.X25519PublicKey.from_public_bytes(raw[:_X25519])
    else:
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw[_X25519:])
    sealed = _suite(kem).encrypt(content, key, info=_bound(bound))
    return f"{bound[0]}.{kem}.{to_base64url(sealed)}"


def _suite(kem: str) -> Any:
    hpke = _library().hpke
    curve = hpke.KEM.X25519 if kem == "x25519" else hpke.KEM.P256
    return hpke.Suite(curve, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_128_GCM)


def _bound(bound: Sequence[str]) -> bytes:
    """What is bound to a cell: HPKE's ``info``."""
    return "\0".join(bound).encode("ascii")


def _asked_under(form: Form) -> str:
    """The fingerprint of the form that was asked: of a part, that of the whole."""
    return str(form.document["about"].get("part", {}).get("of", form.fingerprint))


@final
class TextFault(Enum):
    """Why a text is not opened.

    >>> from askance.engines import TextFault
    >>> TextFault.COPY.value
    'stands there twice'
    """

    UNOPENED = "does not open under this form, this question and this key"
    COPY = "stands there twice"
    PLAIN = "is not sealed"
    OTHER = "holds something that the question does not take"


@final
class RefusedText(NamedTuple):
    """A text that was not opened.

    Attributes
    ----------
    row : str
        Its place in the table.
    question : str
    fault : TextFault

    >>> from askance.engines import RefusedText
    >>> RefusedText("row 7", "more", TextFault.COPY).question
    'more'
    """

    row: str
    question: str
    fault: TextFault


@final
@dataclass(frozen=True, slots=True)
class OpenedTexts:
    r"""What people wrote, opened.

    Attributes
    ----------
    table : str
        The table in CSV, with all its rows; a text that is refused stands there as it did.
    opened : int
        How many texts were opened.
    refused : tuple of RefusedText

    >>> OpenedTexts("question,text\n", 0).refused
    ()
    """

    table: str = field(repr=False)
    opened: int
    refused: tuple[RefusedText, ...] = ()


TEXT_HEADER = ("question", "text")
"""The columns of a collector's table of texts."""


@checked
def unseal_texts(source: str | Path, form: Form, key: SealKey) -> OpenedTexts:
    r"""Open the sealed texts of a collector's export.

    Parameters
    ----------
    source : str or Path
        The table of texts, ``<stem>.texts.csv``.
    form : Form
        That was asked, or the part of it that has the texts.
    key : SealKey

    Raises
    ------
    InputError
        If the form has no key, or another one.
    DocumentError
        If it is no table of texts, or one of another form.
    MissingExtra
        Without ``pip install 'askance[seal]'``.

    >>> from tempfile import TemporaryDirectory
    >>> import askance as ak
    >>> from askance.engines import make_seal_key, seal_text, unseal_texts
    >>> key = make_seal_key()
    >>> form = ak.publish(ak.parse_survey(f'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... seal = "{key.public}"
    ... [[question]]
    ... name = "more"
    ... text = "What else?"
    ... free_text = {{ limit = 20, sealed = true }}
    ... '''.encode()))
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "tea.texts.csv")
    ...     _ = table.write_text(f"question,text\nmore,{seal_text(form, 'more', 'Coffee')}\n")
    ...     unseal_texts(table, form, key).table
    'question,text\nmore,Coffee\n'
    """
    _need_key(form, key)
    path = Path(source)
    table, texts = _table_at(path), _texts_of(form)
    if tuple(table.header) != TEXT_HEADER:
        raise DocumentError(str(path), got=list(table.header), allowed=", ".join(TEXT_HEADER))
    out, refused, earlier = StringIO(), list[RefusedText](), set[str]()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(TEXT_HEADER)
    opened = 0
    for row, (name, cell) in zip(table.places, table.rows, strict=True):
        if name not in texts:
            raise DocumentError(f"{path}: {row}", got=name, allowed=", ".join(texts))
        text = _open_text(cell, texts[name], form, key, earlier) if texts[name].is_sealed else cell
        if isinstance(text, TextFault):
            refused.append(RefusedText(row, name, text))
        opened += texts[name].is_sealed and isinstance(text, str)
        rows.writerow([name, cell if isinstance(text, TextFault) else escape_formula(text)])
    return OpenedTexts(out.getvalue(), opened, tuple(refused))


def _texts_of(form: Form) -> dict[str, FreeText]:
    return {text.name: text for text in form.questions if isinstance(text, FreeText)}


def _open_text(
    cell: str, question: FreeText, form: Form, key: SealKey, earlier: set[str]
) -> str | TextFault:
    """Open one text, which no other row may hold too."""
    inside = cell.lstrip("'")  # a table may have it with a mark that spreadsheets take away
    if not inside.startswith(f"{SEALED_TEXT}."):
        return TextFault.PLAIN
    if inside in earlier:
        return TextFault.COPY
    earlier.add(inside)
    if (envelope := read_envelope(inside, question.padded_size)) is None:
        return TextFault.UNOPENED
    (kem, raw), library = envelope, _library()
    bound = _bound((SEALED_TEXT, _asked_under(form), question.name))
    try:
        content = bytes(_suite(kem).decrypt(raw, _loaded(key, kem), info=bound))
        text = content.decode("utf-8").rstrip(" ")
    except library.InvalidTag:
        return TextFault.UNOPENED
    except UnicodeDecodeError:
        return TextFault.OTHER
    return text if question.allows_plaintext(text) else TextFault.OTHER


def _need_key(form: Form, key: SealKey) -> None:
    """Refuse a key that is not the form's."""
    if form.seal_key != key.public:
        fault = "a form without a key" if form.seal_key is None else "the key of another form"
        raise InputError("key", got=fault, allowed="the key for which the form is sealed")


@checked
def unseal_tables(
    sources: Sequence[str | Path], form: Form, key: SealKey, *, unsealed: bool = False
) -> tuple[tuple[str, int], ...]:
    r"""Open the sealed reports of tables: each question has one column of them.

    Parameters
    ----------
    sources : sequence of str or Path
        CSV tables, or what a platform exports.
    form : Form
        With the public half of the key.
    key : SealKey
    unsealed : bool
        Whether reports may stand there that are not sealed: anybody may have added them.

    Returns
    -------
    tuple of tuples of str and int
        Of each a CSV table as a collector would export it, beside all other columns; and how many
        reports were opened.

    Raises
    ------
    InputError
        If the form has no key, or another one.
    DocumentError
        With the row and the column of the first cell that does not open, comes twice, or is not
        sealed.
    MissingExtra
        Without ``pip install 'askance[seal]'``.

    >>> from tempfile import TemporaryDirectory
    >>> import askance as ak
    >>> key: SealKey = make_seal_key()
    >>> form = ak.publish(ak.parse_survey(f'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... seal = "{key.public}"
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... mechanism = {{ name = "warner", truth = "3/4" }}
    ... '''.encode()))
    >>> report = ak.wire.Report(form.fingerprint, "0f" * 16, {"tea": 1})
    >>> cell = seal_report(form, "tea", report.body(form.size))
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "answers.csv")
    ...     _ = table.write_text(f"town,tea\nnorth,{cell}\n")
    ...     unseal_tables([table], form, key)
    (('town,tea\nnorth,no\n', 1),)
    """
    _need_key(form, key)
    opener = _Opener(form, key, unsealed=unsealed)
    return tuple(opener.table(Path(source)) for source in sources)


@final
@dataclass(frozen=True, slots=True)
class _Opener:
    """What opens tables of one form, and where each sealed report stood."""

    form: Form
    key: SealKey
    unsealed: bool
    place_by_report: dict[str, str] = field(default_factory=dict)

    def table(self, path: Path) -> tuple[str, int]:
        """Open a table, and count what was opened."""
        table, named, before = _table_at(path), columns(self.form), len(self.place_by_report)
        questions = [question for question in self.form.questions if question.name in table.header]
        by_name = {question.name: question for question in questions}
        names = (named[column] if column in by_name else [column] for column in table.header)
        header = list(dict.fromkeys(name for several in names for name in several))
        out = StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(header)
        for position, row in zip(table.places, table.rows, strict=True):
            cells = dict(zip(table.header, row, strict=True))
            for name, question in by_name.items():
                opened = self.cells(cells[name], f"{path}: {position}, column {name}", question)
                if opened is not None:
                    cells |= zip(named[name], opened, strict=True)
            rows.writerow([cells.get(column, "") for column in header])
        return out.getvalue(), len(self.place_by_report) - before

    def cells(self, cell: str, where: str, question: Question) -> tuple[str, ...] | None:
        """Open a cell; None of one that is not sealed, where that may be."""
        sealed = _CELL.fullmatch(cell)
        if sealed is None:
            if cell and not self.unsealed:
                raise DocumentError(
                    where,
                    got="a plain report",
                    allowed="sealed reports and empty cells",
                    remedy="anybody who could write the table may have added it: --unsealed "
                    "accepts it all the same",
                )
            return None
        inside = cell.lstrip("'")  # a table may have it with a mark that spreadsheets take away
        if inside in self.place_by_report:
            raise DocumentError(
                where,
                got="a copy",
                allowed="each sealed report once",
                remedy=(
                    f"the same report is in {self.place_by_report[inside]}: delete one of the two"
                ),
            )
        self.place_by_report[inside] = where
        kem, spelt = sealed.groups()
        body = self.body(kem, spelt, where, question)
        value = _value(body, where, self.form, question)
        return (escape_formula(value),) if isinstance(value, str) else spell(question, value)

    def body(self, kem: str, spelt: str, where: str, question: Question) -> bytes:
        """Open a cell under this form, this question and this key alone."""
        private = _loaded(self.key, kem)
        raw, library = from_base64url(spelt) or b"", _library()
        try:
            bound = _bound((VERSION, self.form.fingerprint, question.name))
            opened = _suite(kem).decrypt(raw, private, info=bound)
        except library.InvalidTag as error:
            raise DocumentError(
                where,
                got="a sealed report that does not open",
                allowed="one that was sealed for this form, this question and this key",
                remedy="see that the form, and the column, are those that were asked",
            ) from error
        return bytes(opened)


def _table_at(path: Path) -> TextTable:
    """Read a table of answers or an export of a platform."""
    if kind_of(path) not in (Kind.TABLE, Kind.RESULTS):
        allowed = "a CSV table, or results in JSON, in which a page keeps what it was handed"
        raise DocumentError(str(path), got="another kind of file", allowed=allowed)
    return read_text_table(path, kind_of(path))


def _value(body: bytes, where: str, form: Form, question: Question) -> Any:
    """Read what a cell held: a report's body on its question, in its one spelling.

    A frame seals a report as a whole, so that a text stands in it as somebody wrote it.
    """
    if isinstance(question, FreeText):
        question = replace(question, is_sealed=False)
    size = body_size([question])
    try:
        document = json.loads(body.decode("ascii"))
        (value,) = (document["answers"][question.name],)
        value = tuple(value) if isinstance(value, list) else value
        report = {"answers": {question.name: value}, "form": form.fingerprint, "id": document["id"]}
        right = canonical(report).ljust(size) == body and (value is None or question.allows(value))
    except (ValueError, LookupError, TypeError, RecursionError):
        right = False
    if not right:
        allowed = "a report that the question can send"
        raise DocumentError(where, got="something else, sealed", allowed=allowed)
    return value
