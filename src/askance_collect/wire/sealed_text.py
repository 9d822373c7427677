"""A text that a device encrypted for the study's key: its envelope, which all can read.

It is ``askance-text-1.KEM.DATA``. KEM is the curve, ``x25519`` or ``p256``; DATA is, in URL-safe
base64, HPKE's encapsulated key and then its ciphertext. Every text of a question is filled up with
spaces to one size before it is encrypted, so that no length tells of it.

References
----------
Barnes, Bhargavan, Lipp, Wood (2022), Hybrid Public Key Encryption, RFC 9180, sections 4 to 6.
"""

import re
from base64 import urlsafe_b64decode

SEALED_TEXT = "askance-text-1"
"""How a sealed text begins, and what is bound to it beside form and question."""

_ENVELOPE = re.compile(rf"{SEALED_TEXT}\.(x25519|p256)\.([A-Za-z0-9_-]+)")
_ENCAPSULATED = {"x25519": 32, "p256": 65}
"""Bytes of an encapsulated key, by its curve."""
_TAG = 16


def read_envelope(value: str, size: int) -> tuple[str, bytes] | None:
    """Give the curve and the bytes of a sealed text; None of any other text.

    Parameters
    ----------
    value : str
    size : int
        The bytes that were encrypted, three for each character: so base64 has no bits to spare.

    Returns
    -------
    tuple of str and bytes, or None
        ``x25519`` or ``p256``; the encapsulated key, and the ciphertext behind it.

    >>> envelope = "askance-text-1.x25519." + "A" * 68
    >>> read_envelope(envelope, 3)[0], read_envelope(envelope, 4), read_envelope("tea", 3)
    ('x25519', None, None)
    """
    match = _ENVELOPE.fullmatch(value)
    if match is None:
        return None
    kem, spelt = match.groups()
    length = _ENCAPSULATED[kem] + size + _TAG
    if length % 3 or len(spelt) * 3 != length * 4:
        return None
    return kem, urlsafe_b64decode(spelt)


def longest_envelope(size: int) -> int:
    """Count the characters of the longest envelope of so many bytes.

    >>> longest_envelope(3)
    132
    """
    return max(
        len(f"{SEALED_TEXT}.{kem}.") + -(-4 * (key + size + _TAG) // 3)
        for kem, key in _ENCAPSULATED.items()
    )
