"""The issuer: private keys, the codes that were handed out, and one blind signature for each.

What is kept of a code is its hash, its key, and the hash of what was signed for it, so that whoever
did not hear the answer can ask again. No time and no order is kept, also not in how rows lie in the
file: a hash takes the place of as many zeros.

References
----------
Denis, Jacobs, Wood (2023), RSA Blind Signatures, RFC 9474, section 4.3.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import final

from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, MissingExtra
from askance_collect.exact.typed_number import in_ascii
from askance_collect.lazy import DISTRIBUTION
from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.wire.token import EXPONENT, LENGTHS, MOST_KEYS, TokenKey, to_base64url

try:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.rsa import (
        RSAPrivateKey,
        RSAPrivateNumbers,
        generate_private_key,
    )
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        load_der_private_key,
    )
except ImportError as error:
    raise MissingExtra("cryptography", "tokens", DISTRIBUTION) from error

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without letters and digits that look alike (Crockford): five bits each."""

SIGNS = 16
"""Of a code: the first names its key, the others hold 75 random bits."""

MOST_CODES = 10_000_000
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_VERSION = 2
_MARK = 0x61736B74
"""The application id of an issuer's file, in SQLite's words."""

_SCHEMA = (
    "CREATE TABLE keys (at INTEGER PRIMARY KEY, name TEXT NOT NULL, private BLOB NOT NULL)",
    "CREATE TABLE codes (code BLOB PRIMARY KEY, key INTEGER NOT NULL, signed BLOB) WITHOUT ROWID",
)
_COUNTS = "SELECT key, count(*), sum(signed <> zeroblob(32)) FROM codes GROUP BY key"
_UNSIGNED = bytes(32)
"""What stands in the place of a hash. Were it shorter, SQLite would move a row that gets one, and
the places of rows would tell who came after whom."""


@final
class NotSigned(Exception):
    """Why a code buys no signature: it is ``"unknown"``, ``"exchanged"``, or asked ``"wrong"``."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


@final
@dataclass(frozen=True, slots=True)
class Issuer:
    """A file with private keys and codes; it holds nothing about reports or their senders.

    Attributes
    ----------
    path : Path
    public_keys : tuple of TokenKey
        What the form names: the keys that sign, without what they sign with.
    """

    path: Path
    public_keys: tuple[TokenKey, ...]
    _connection: sqlite3.Connection = field(repr=False)
    _private: tuple[RSAPrivateNumbers, ...] = field(repr=False)
    _guard: Lock = field(repr=False, default_factory=Lock)

    @checked
    def invite(self, count: int, key: str | None = None) -> list[str]:
        """Make so many new codes, worth one signature each, and return them: once.

        Parameters
        ----------
        count : int
        key : str, optional
            The name of their key. By default the only one.

        Raises
        ------
        InputError
            If there is no such key, or it is not said which of several.
        """
        position = self._position(key)
        if not 0 < count <= MOST_CODES:
            raise InputError("count", got=count, allowed=f"1 to {MOST_CODES:,} at a time")
        codes = [_new_code(position) for _ in range(count)]
        rows = ((_hash(code), position, _UNSIGNED) for code in codes)
        with self._guard, _transaction(self._connection):
            self._connection.executemany("INSERT INTO codes VALUES (?, ?, ?)", rows)
        return codes

    @checked
    def sign(self, code: str, blinded: bytes) -> bytes:
        """Sign for a code what its holder has blinded, once.

        The same again gets the same answer: what was lost on its way can be asked for anew.

        Parameters
        ----------
        code : str
            As it is typed.
        blinded : bytes
            As many as the modulus of its key has.

        Raises
        ------
        NotSigned
            If there is no such code, if it was exchanged for something else, or if this is nothing
            that can be signed.
        """
        normalised = read_code(code)
        if normalised is None:
            raise NotSigned("unknown")
        position, digest = LETTERS.index(normalised[0]), sha256(blinded).digest()
        if position >= len(self.public_keys) or not _is_signable(
            blinded, self.public_keys[position]
        ):
            raise NotSigned("unknown" if position >= len(self.public_keys) else "wrong")
        with self._guard, _transaction(self._connection):
            row = (_hash(normalised),)
            cursor = self._connection.execute("SELECT signed FROM codes WHERE code = ?", row)
            if (signed_row := cursor.fetchone()) is None:
                raise NotSigned("unknown")
            if signed_row[0] == _UNSIGNED:
                new = (digest, *row)
                self._connection.execute("UPDATE codes SET signed = ? WHERE code = ?", new)
            elif signed_row[0] != digest:
                raise NotSigned("exchanged")
        return _signed(blinded, self._private[position])

    def counts(self) -> Mapping[str, tuple[int, int]]:
        """How many codes there are under each key, and how many of them were exchanged."""
        with self._guard:
            counts_by_position = {
                position: (many, done) for position, many, done in self._connection.execute(_COUNTS)
            }
        counted = {
            key.name: counts_by_position.get(position, (0, 0))
            for position, key in enumerate(self.public_keys)
        }
        return MappingProxyType(counted)

    def jwks(self) -> dict[str, list[dict[str, str | int]]]:
        """The public keys as a JWK Set (RFC 7517): of each its name (``kid``) and its ``codes``."""
        exponent = to_base64url(EXPONENT.to_bytes(3, "big"))
        counts = self.counts()
        numbers = (
            (token_key.name, token_key.modulus.to_bytes(token_key.length, "big"))
            for token_key in self.public_keys
        )
        return {
            "keys": [
                {
                    "kty": "RSA",
                    "kid": name,
                    "n": to_base64url(raw),
                    "e": exponent,
                    "codes": counts[name][0],
                }
                for name, raw in numbers
            ]
        }

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _position(self, key: str | None) -> int:
        names = [token_key.name for token_key in self.public_keys]
        if key is None and len(names) == 1:
            return 0
        if key not in names:
            raise InputError("key", got=key or "no name", allowed=", ".join(names))
        return names.index(key)


@checked
def create_issuer(
    path: str | Path, names: Sequence[str] = ("everybody",), *, bits: int = LENGTHS[0]
) -> Issuer:
    """Make an issuer: a file that only its owner may read, with a new private key for each name.

    Parameters
    ----------
    path : str or Path
        A new file.
    names : sequence of str
        Of the keys: one, or one for each stratum or wave, up to 32. Who sees a token sees its key:
        a stratum of few people tells more of them than a token should.
    bits : int
        Of each modulus: 2048, 3072 or 4096.

    Raises
    ------
    InputError
        If the names or the bits are not such.
    DocumentError
        If the file is there already, or cannot be made.

    >>> from tempfile import TemporaryDirectory
    >>> from askance_collect.tokens import Issuer, create_issuer
    >>> with TemporaryDirectory() as folder:
    ...     issuer: Issuer = create_issuer(f"{folder}/exam.issuer")
    ...     codes = issuer.invite(3)
    ...     dict(issuer.counts())
    ...     issuer.close()
    {'everybody': (3, 0)}
    """
    key_names = list(names)
    fits = [_NAME.fullmatch(name) for name in key_names]
    if not 0 < len(key_names) <= MOST_KEYS or len(set(key_names)) < len(key_names) or not all(fits):
        allowed = f"1 to {MOST_KEYS} different names, each up to 40 characters: a-z, 0-9 and _"
        raise InputError("names", got=key_names, allowed=allowed)
    if bits not in LENGTHS:
        raise InputError("bits", got=bits, allowed=", ".join(map(str, LENGTHS)))
    issuer_file = Path(path)
    try:
        issuer_file.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        reason, allowed = error.strerror, "a new file in a folder that can be written to"
        raise DocumentError(str(path), got=reason, allowed=allowed) from error
    connection = _connect(issuer_file)
    with _transaction(connection):
        for statement in _SCHEMA:
            connection.execute(statement)
        rows = [(position, name, _new_key(bits)) for position, name in enumerate(key_names)]
        connection.executemany("INSERT INTO keys VALUES (?, ?, ?)", rows)
        connection.execute(f"PRAGMA application_id = {_MARK}")
        connection.execute(f"PRAGMA user_version = {_VERSION}")
    connection.close()
    return open_issuer(issuer_file)


@checked
def open_issuer(path: str | Path) -> Issuer:
    """Open an issuer's file.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    DocumentError
        If there is none, or if it is something else.

    >>> from askance_collect.tokens import open_issuer
    >>> open_issuer("nowhere.issuer")
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: nowhere.issuer: got 'no such file'; allowed: an issuer'...
    """
    issuer_file = Path(path)
    remedy = "askance invite makes one"
    if not issuer_file.is_file():
        reason, allowed = "no such file", "an issuer's file"
        raise DocumentError(str(path), got=reason, allowed=allowed, remedy=remedy)
    with ExitStack() as opened:
        try:
            connection = opened.enter_context(closing(_connect(issuer_file)))
            _need_ours(connection)
            rows = connection.execute("SELECT name, private FROM keys ORDER BY at").fetchall()
            private = tuple(_read_key(raw) for _, raw in rows)
        except (sqlite3.DatabaseError, ValueError, TypeError, UnsupportedAlgorithm) as error:
            reason, allowed = str(error), "an issuer's file"
            raise DocumentError(str(path), got=reason, allowed=allowed, remedy=remedy) from error
        public = tuple(
            TokenKey(name, key.public_numbers.n)
            for (name, _), key in zip(rows, private, strict=True)
        )
        opened.pop_all()
        return Issuer(issuer_file, public, connection, private)


def _need_ours(connection: sqlite3.Connection) -> None:
    """Refuse a database of another kind, or of a later version."""
    mark, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    )
    if mark != _MARK:
        raise ValueError("another kind of file")
    if version == 1:
        _level(connection)
    elif version != _VERSION:
        raise ValueError(f"a file of version {version}, made by a later Askance")


def _level(connection: sqlite3.Connection) -> None:
    """Rewrite a file of version 1 so that all rows have one length."""
    connection.execute("UPDATE codes SET signed = ? WHERE signed IS NULL", (_UNSIGNED,))
    connection.execute("PRAGMA temp_store = MEMORY")  # there are private keys in it
    connection.execute("VACUUM")
    connection.execute(f"PRAGMA user_version = {_VERSION}")


@checked
def read_code(typed: str) -> str | None:
    """Read a code as people type it: in any case, with spaces and strokes, l for 1 and o for 0.

    Its digits may be those of any script.

    Parameters
    ----------
    typed : str

    >>> read_code("0abl-2345 6789-ocde")
    '0AB1234567890CDE'
    """
    text = in_ascii(typed).upper()
    text = re.sub(r"[\s-]", "", text).translate(str.maketrans("ILO", "110"))
    return text if len(text) == SIGNS and not set(text) - set(LETTERS) else None


@checked
def spell_code(code: str) -> str:
    """A code in groups of four, as it is printed.

    >>> spell_code("0AB1234567890CDE")
    '0AB1-2345-6789-0CDE'
    """
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def _new_code(key: int) -> str:
    random_bytes = SYSTEM_BYTES.draw(SIGNS - 1)  # of 256 values, eight for each of the 32 letters
    return LETTERS[key] + "".join(LETTERS[byte % len(LETTERS)] for byte in random_bytes)


def _hash(code: str) -> bytes:
    return sha256(code.encode("ascii")).digest()


def _is_signable(blinded: bytes, key: TokenKey) -> bool:
    return len(blinded) == key.length and 0 < int.from_bytes(blinded, "big") < key.modulus


def _signed(blinded: bytes, key: RSAPrivateNumbers) -> bytes:
    """Raise a number to the private exponent, and check that it was (RFC 9474, section 4.3).

    By the Chinese remainder theorem, of the number times a random one: how long it takes depends on
    nothing that whoever asks could choose. An answer with a fault would give the key away: it is
    checked before it goes out.
    """
    modulus = key.public_numbers.n
    message = int.from_bytes(blinded, "big")
    factor = SYSTEM_BYTES.below(modulus - 1) + 1
    hidden = message * pow(factor, EXPONENT, modulus) % modulus
    of_p, of_q = pow(hidden, key.dmp1, key.p), pow(hidden, key.dmq1, key.q)
    power = of_q + key.q * ((of_p - of_q) * key.iqmp % key.p)
    signature = power * pow(factor, -1, modulus) % modulus
    if pow(signature, EXPONENT, modulus) != message:
        raise ArithmeticError("a signature that does not verify was not handed out")
    return signature.to_bytes(len(blinded), "big")


def _new_key(bits: int) -> bytes:
    key = generate_private_key(EXPONENT, bits)
    return key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


def _read_key(raw: bytes) -> RSAPrivateNumbers:
    key = load_der_private_key(raw, None)
    if not isinstance(key, RSAPrivateKey):
        raise TypeError("a key that is not of RSA")
    return key.private_numbers()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        for setting in ("synchronous = EXTRA", "secure_delete = ON", "trusted_schema = OFF"):
            connection.execute(f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
