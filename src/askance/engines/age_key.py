"""An identity file of age, as the private key of a study: `age-keygen` writes one.

It has a private key of X25519, in Bech32. The key of P-256, for browsers without X25519, is derived
from it, so that one file opens what was encrypted for either, and what age encrypted.

References
----------
Wuille, Maxwell (2017), Base32 address format for native v0-16 witness outputs, BIP 173.
NIST (2023), Digital Signature Standard, FIPS 186-5, appendix A.2.1: c mod (n − 1) + 1.
"""

from functools import reduce

from askance_collect.errors import MissingExtra

_SIGNS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = 0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3
_PREFIX = "age-secret-key-"
_CHECKSUM = 6
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_SECRET_BYTES = 32
_DRAWN_BYTES = 48
_DERIVED = b"askance-seal-1 p256"


def read_identity(content: bytes) -> bytes | None:
    """Read the private key of X25519 in an identity file; None of any other file.

    Parameters
    ----------
    content : bytes
        Lines: one identity, comments behind ``#``, and empty ones.

    >>> read_identity(b"# tea") is None
    True
    """
    lines = [line.strip() for line in content.decode("ascii", "replace").splitlines()]
    identities = [line for line in lines if line and not line.startswith("#")]
    if len(identities) != 1 or identities[0].upper() != identities[0]:
        return None
    return _read_bech32(identities[0].lower())


def derive_p256(secret: bytes) -> bytes:
    """Derive the private key of P-256 that belongs to one of X25519.

    Parameters
    ----------
    secret : bytes
        32 bytes.

    Returns
    -------
    bytes
        HKDF-SHA256 of them, in 48 bytes as an integer c: c mod (n − 1) + 1, in 32 bytes.

    Raises
    ------
    MissingExtra
        Without ``pip install 'askance[seal]'``.

    >>> len(derive_p256(bytes(32)))
    32
    """
    try:
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    except ImportError as error:
        raise MissingExtra("cryptography", "seal") from error
    derived = HKDF(SHA256(), _DRAWN_BYTES, salt=None, info=_DERIVED).derive(secret)
    return (int.from_bytes(derived, "big") % (_ORDER - 1) + 1).to_bytes(_SECRET_BYTES, "big")


def _read_bech32(text: str) -> bytes | None:
    """Read 32 bytes in Bech32 with the prefix of identities; None if a sign is wrong."""
    prefix, _, signs = text.rpartition("1")
    if prefix != _PREFIX or any(sign not in _SIGNS for sign in signs):
        return None
    values = [_SIGNS.index(sign) for sign in signs]
    spelt = [ord(letter) >> 5 for letter in prefix] + [0] + [ord(letter) & 31 for letter in prefix]
    if reduce(_polymod, [*spelt, *values], 1) != 1:
        return None
    number = reduce(lambda total, value: total << 5 | value, values[:-_CHECKSUM], 0)
    spare = 5 * (len(values) - _CHECKSUM) - 8 * _SECRET_BYTES
    if not 0 <= spare < 5 or number & ((1 << spare) - 1):
        return None
    return (number >> spare).to_bytes(_SECRET_BYTES, "big")


def _polymod(total: int, value: int) -> int:
    """One step of the checksum."""
    shifted = (total & 0x1FFFFFF) << 5 ^ value
    for index, term in enumerate(_GENERATOR):
        shifted ^= term if total >> (25 + index) & 1 else 0
    return shifted
