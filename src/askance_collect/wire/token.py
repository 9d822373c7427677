"""Tokens: blindly signed invitations, so that each admits one report.

A token is a blind signature (RSABSSA-SHA384-PSS-Randomized): an issuer signed it for an invitation
code without seeing it. Whoever has the form can tell a token from a forged one.

References
----------
Denis, Jacobs, Wood (2023), RSA Blind Signatures, RFC 9474. Moriarty, Kaliski, Jonsson, Rusch
(2016), PKCS #1, RFC 8017, sections 8.1 and 9.1.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha384
from hmac import compare_digest
from typing import Any, final

from askance_collect.arguments import checked
from askance_collect.errors import InputError, ReportRefused
from askance_collect.wire.canonical_json import fingerprint
from askance_collect.wire.form_schema import bounds, conform, refuse, rule

EXPONENT = 65537
"""The public exponent of every key."""

LENGTHS = 2048, 3072, 4096
"""In bits, of a modulus. All keys of a form are of one length: a body's length tells no key."""

_, MOST_KEYS = bounds("tokens.keys")
"""No more keys of a form than one sign of a code can name."""

FEWEST_CODES, MOST_CODES = bounds("tokens.keys.codes")
"""No key of fewer codes is taken, whatever a form's minimum: one alone would be a name."""

PREFIX = 32
"""Bytes that are drawn for each message: its issuer can know nothing that a token says."""

SALT = 48
"""Bytes of salt in the padding of a message: as many as of its hash."""

_CONTEXT = "askance-token-1 "


@final
@dataclass(frozen=True, slots=True)
class TokenKey:
    """A public key under which tokens are signed, for a stratum, a wave or everybody.

    Attributes
    ----------
    name : str
    modulus : int
        The product of two primes, of 2,048, 3,072 or 4,096 bits; the exponent is 65,537.
    codes : int, optional
        How many invitation codes the form says that there are under it: a token is from one of so
        many people. None where the form does not say.
    """

    name: str
    modulus: int
    codes: int | None = None

    @property
    def length(self) -> int:
        """Bytes of the modulus, and of every signature."""
        return -(-self.modulus.bit_length() // 8)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the modulus, in hexadecimal: what a public log says of a key.

        >>> TokenKey("all", 2**2047 + 1).fingerprint[:16]
        '69c260c255982f79'
        """
        return fingerprint(self.modulus.to_bytes(self.length, "big"))


@final
@dataclass(frozen=True, slots=True)
class Tokens:
    """Who signs the tokens that reports on a form need, and under which keys.

    Attributes
    ----------
    issuer : str
        The address at which a code is exchanged for a blind signature.
    keys : tuple of TokenKey
        All of one length; a code names its key by its first sign.
    """

    issuer: str
    keys: tuple[TokenKey, ...]

    @property
    def size(self) -> int:
        """Characters of every token, in which it stands behind a report.

        >>> Tokens("https://issuer.example/", (TokenKey("all", 2**2047 + 1),)).size
        386
        """
        return -(-(1 + PREFIX + self.keys[0].length) * 4 // 3)

    @property
    def smallest_key(self) -> TokenKey | None:
        """The key with the fewest codes; None where the form does not say how many there are.

        >>> keys = TokenKey("north", 2**2047 + 1, 120), TokenKey("south", 2**2047 + 3, 80)
        >>> Tokens("https://issuer.example/", keys).smallest_key.codes
        80
        """
        counted = [key for key in self.keys if key.codes is not None]
        return min(counted, key=lambda key: key.codes or 0, default=None)


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A signature under a key of a form, on a message that holds drawn bytes and the form's name.

    Attributes
    ----------
    key : int
        The position of its key among the form's.
    prefix : bytes
        What was drawn for it: 32 bytes.
    signature : bytes
    """

    key: int
    prefix: bytes = field(repr=False)
    signature: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The token as it stands behind a report: in URL-safe base64, without padding."""
        return to_base64url(bytes([self.key]) + self.prefix + self.signature)

    @property
    def digest(self) -> bytes:
        """What a collector remembers of a token that is spent: the SHA-256 of it, 32 bytes."""
        return bytes.fromhex(fingerprint(self.text.encode("ascii")))


@checked
def token_message(form: str, prefix: bytes) -> bytes:
    """The message that is signed: what was drawn, and the form by its fingerprint.

    A token is of one form: none that was got for another, or for a former wording, is of any use.

    Parameters
    ----------
    form : str
        The fingerprint of the form.
    prefix : bytes
        What was drawn.

    >>> token_message("ab" * 32, b"drawn ")[:25]
    b'drawn askance-token-1 aba'
    """
    return prefix + f"{_CONTEXT}{form}".encode("ascii")


@checked
def read_token(text: str, tokens: Tokens, form: str) -> Token:
    """Read a token, refusing any that its issuer has not signed for this form.

    Parameters
    ----------
    text : str
        As it stands behind a report.
    tokens : Tokens
        The form's.
    form : str
        The form's fingerprint.

    Raises
    ------
    ReportRefused
        With code ``token``.

    >>> tokens = Tokens("https://issuer.example/", (TokenKey("all", 2**2047 + 1),))
    >>> read_token("AA", tokens, "ab" * 32)
    Traceback (most recent call last):
    askance_collect.errors.ReportRefused: token: allowed: 386 characters of URL-safe base64; ...
    """
    raw = from_base64url(text) if len(text) == tokens.size else None
    if raw is None:
        raise _refusal(f"{tokens.size} characters of URL-safe base64")
    token = Token(raw[0], raw[1 : 1 + PREFIX], raw[1 + PREFIX :])
    if token.key >= len(tokens.keys):
        raise _refusal("a token under one of the form's keys")
    key = tokens.keys[token.key]
    if not pss_verify(token_message(form, token.prefix), token.signature, key):
        raise _refusal("a token that the survey's issuer has signed for this very form")
    return token


@checked
def pss_verify(message: bytes, signature: bytes, key: TokenKey) -> bool:
    """Say whether a signature on a message is of a key: RSASSA-PSS with SHA-384.

    References
    ----------
    RFC 8017, section 8.1.2; the parameters are those of RFC 9474, section 5.

    >>> pss_verify(b"tea", bytes(256), TokenKey("all", 2**2047 + 1))
    False
    """
    number = int.from_bytes(signature, "big")
    if len(signature) != key.length or number >= key.modulus:
        return False
    bits = key.modulus.bit_length() - 1
    encoded = pow(number, EXPONENT, key.modulus)
    return not encoded >> bits and _is_padded(message, encoded.to_bytes(-(-bits // 8), "big"), bits)


@checked
def pss_encode(message: bytes, bits: int, salt: bytes) -> bytes:
    """Encode a message for signing: EMSA-PSS with SHA-384 and MGF1.

    Parameters
    ----------
    message : bytes
    bits : int
        One less than the modulus has.
    salt : bytes

    Returns
    -------
    bytes
        As many as the bits need.

    Raises
    ------
    InputError
        If there are too few bits for the salt, or more than of any key.

    References
    ----------
    RFC 8017, section 9.1.1.

    >>> pss_encode(b"tea", 2047, bytes(48))[-1:].hex()
    'bc'
    """
    least, most = 8 * (sha384().digest_size + len(salt)) + 9, LENGTHS[-1]
    if not least <= bits <= most:
        raise InputError("bits", got=bits, allowed=f"{least} to {most}")
    length = -(-bits // 8)
    hashed = sha384(bytes(8) + sha384(message).digest() + salt).digest()
    block = (b"\x01" + salt).rjust(length - len(hashed) - 1, b"\x00")
    masked = _xor(block, _mask(hashed, len(block)))
    return _without(masked, 8 * length - bits) + hashed + b"\xbc"


def _is_padded(message: bytes, encoded: bytes, bits: int) -> bool:
    """Say whether an encoded message is one of this message, with whatever salt (section 9.1.2)."""
    size = sha384().digest_size
    masked, hashed = encoded[: -size - 1], encoded[-size - 1 : -1]
    block = _without(_xor(masked, _mask(hashed, len(masked))), 8 * len(encoded) - bits)
    return compare_digest(pss_encode(message, bits, block[-SALT:]), encoded)


def _mask(seed: bytes, length: int) -> bytes:
    """Stretch a seed (MGF1: RFC 8017, section B.2.1)."""
    rounds = range(-(-length // sha384().digest_size))
    return b"".join(sha384(seed + counter.to_bytes(4, "big")).digest() for counter in rounds)[
        :length
    ]


def _xor(first: bytes, second: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(first, second, strict=True))


def _without(block: bytes, bits: int) -> bytes:
    """Set the first bits of a block to zero."""
    return bytes([block[0] & 0xFF >> bits]) + block[1:]


@checked
def to_base64url(raw: bytes) -> str:
    """Spell bytes in URL-safe base64, without padding.

    Parameters
    ----------
    raw : bytes

    >>> to_base64url(b"tea?")
    'dGVhPw'
    """
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


@checked
def from_base64url(text: str) -> bytes | None:
    """Read bytes in their one spelling in URL-safe base64; None for another spelling.

    Parameters
    ----------
    text : str

    >>> from_base64url("dGVhPw"), from_base64url("dGVhPx"), from_base64url("dGVhPw==")
    (b'tea?', None, None)
    """
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (NotBase64, ValueError):
        return None
    return raw if to_base64url(raw) == text else None


@checked
def read_tokens(raw: Any, collector: str, minimum: int = FEWEST_CODES) -> Tokens:
    """Read who signs the tokens of a form.

    Parameters
    ----------
    raw : object
        What the form says under ``tokens``.
    collector : str
        Its address, which may not be the issuer's.
    minimum : int
        The form's: no key may have fewer codes, nor fewer than 2, where codes are counted.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.

    >>> read_tokens({"issuer": "https://issuer.example/", "keys": []}, "")
    Traceback (most recent call last):
    askance_collect.errors.FormError: tokens.keys: got []; allowed: a list, from 1 to 32
    """
    conform(raw, "tokens", (), "tokens")
    keys = [TokenKey(key["name"], _modulus(key["n"]), key.get("codes")) for key in raw["keys"]]
    if raw["issuer"] == collector:
        raise refuse("issuer", "tokens.issuer", collector)
    for index, key in enumerate(keys):
        where = f"tokens.keys[{index}]"
        if any(key.name == other.name or key.modulus == other.modulus for other in keys[:index]):
            raise refuse("keys", where, key.name)
        if key.length != keys[0].length:
            raise refuse("lengths", f"{where}.n", f"{8 * key.length} bits")
    _need_crowds(keys, minimum)
    return Tokens(raw["issuer"], tuple(keys))


def _modulus(text: str) -> int:
    return int.from_bytes(from_base64url(text) or b"", "big")


@rule("modulus")
def _is_modulus(text: str, _: Sequence[str]) -> bool:
    modulus = _modulus(text)
    return modulus.bit_length() in LENGTHS and modulus % 2 == 1


def _need_crowds(keys: Sequence[TokenKey], minimum: int) -> None:
    """Refuse keys of few codes, and a count that some lack: a token shows the key it is of."""
    for position, key in enumerate(keys):
        if any(key.codes for key in keys) and (key.codes or 0) < minimum:
            remedy = f"a token tells its key: put its people under one of {minimum:,} codes or more"
            raise refuse("codes", f"tokens.keys[{position}].codes", key.codes, remedy)


def _refusal(allowed: str) -> ReportRefused:
    remedy = "get a token for the code on the invitation, and send it with the report"
    return ReportRefused("token", "token", allowed=allowed, remedy=remedy)
