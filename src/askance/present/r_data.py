"""Values of R in the format of `saveRDS`, which `readRDS` opens: version 2 of R's serialisation.

Every item begins with a word: its type, whether it is an object, whether it has attributes. What
attributes it has stands behind it, as a list of pairs.
"""

import gzip
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

_SYMBOL, _PAIRS, _CHARACTERS, _LOGICAL, _INTEGER, _REAL, _TEXTS, _LIST = 1, 2, 9, 10, 13, 14, 16, 19
_NIL, _OBJECT, _ATTRIBUTES, _TAG, _UTF8 = 254, 1 << 8, 1 << 9, 1 << 10, 8 << 12
_WRITTEN_BY, _READ_BY = 0x00030600, 0x00020300  # releases of R: 3.6.0, and 2.3.0 or later
_NA = 0x7FF00000000007A2
_NO_INTEGER = -(1 << 31)


@final
@dataclass(frozen=True, slots=True)
class RValue:
    """A vector of R with its attributes.

    Attributes
    ----------
    entries : sequence
        Numbers with None for NA, or one letter for NA that bears it as haven's `tagged_na` does;
        whole numbers (``is_integer``); texts (``is_text``); or a list of other values.
    attributes : mapping
        Values by name, in order.
    is_text, is_integer : bool
    """

    entries: Sequence[Any]
    attributes: Mapping[str, "RValue"] = field(default_factory=dict)
    is_text: bool = False
    is_integer: bool = False


def texts(*entries: str) -> RValue:
    """Make a vector of texts."""
    return RValue(entries, is_text=True)


def r_value(document: Any) -> RValue:
    """Make what is in JSON a value of R: objects are named lists.

    >>> r_value({"name": "warner"}).attributes["names"].entries
    ('name',)
    """
    if isinstance(document, Mapping):
        entries = [r_value(entry) for entry in document.values()]
        return RValue(entries, {"names": texts(*map(str, document))})
    if isinstance(document, list | tuple):
        return RValue([r_value(entry) for entry in document])
    is_number = isinstance(document, int | float)
    return RValue([float(document)]) if is_number else texts(str(document))


def write_rds(value: RValue) -> bytes:
    r"""Write a value as `saveRDS` does: equal values give equal bytes.

    >>> gzip.decompress(write_rds(texts("yes")))[-7:]
    b'\x00\x00\x00\x03yes'
    """
    parts = [b"X\n", struct.pack(">3i", 2, _WRITTEN_BY, _READ_BY)]
    _append(value, parts)
    return gzip.compress(b"".join(parts), mtime=0)


def _append(value: RValue, parts: list[bytes]) -> None:
    """Append a value: its word, its length, its entries, and its attributes."""
    is_list = any(isinstance(entry, RValue) for entry in value.entries)
    kind = _LIST if is_list else _REAL
    kind = _TEXTS if value.is_text else _INTEGER if value.is_integer else kind
    flags = (_ATTRIBUTES if value.attributes else 0) | (
        _OBJECT if "class" in value.attributes else 0
    )
    parts.append(struct.pack(">2i", kind | flags, len(value.entries)))
    for entry in value.entries:
        if isinstance(entry, RValue):
            _append(entry, parts)
        elif value.is_text:
            parts.append(_characters(entry))
        elif value.is_integer:
            parts.append(struct.pack(">i", _NO_INTEGER if entry is None else entry))
        else:
            parts.append(_double(entry))
    if value.attributes:
        for name, attribute in value.attributes.items():
            parts += [struct.pack(">2i", _PAIRS | _TAG, _SYMBOL), _characters(name)]
            _append(attribute, parts)
        parts.append(struct.pack(">i", _NIL))


def _characters(text: str) -> bytes:
    content = text.encode()
    return struct.pack(">2i", _CHARACTERS | _UTF8, len(content)) + content


def _double(entry: float | str | None) -> bytes:
    if entry is None or isinstance(entry, str):
        return struct.pack(">Q", _NA | (ord(entry) << 32 if entry else 0))
    return struct.pack(">d", entry)
