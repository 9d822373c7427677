"""Random bits from the operating system. There is no seed to set."""

import secrets


def word() -> int:
    """Give 48 fresh random bits.

    >>> 0 <= word() < 2**48
    True
    """
    return int.from_bytes(secrets.token_bytes(6), "big")


def identifier() -> str:
    """Give a fresh 128-bit report id in hexadecimal.

    >>> len(identifier())
    32
    """
    return secrets.token_hex(16)
