"""The last screen of a form: its own thanks, the way back to a panel, and who may be around."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address
from typing import Any, final
from urllib.parse import urlsplit

from askance_collect.errors import FormError
from askance_collect.wire.label import keep_unchangeable, need_wording

_WAY_BACK = re.compile(
    r"https://(?P<host>[a-z0-9.-]+|\[[0-9a-f:]+\])(:(?P<port>\d{1,5}))?/"
    r"([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*",
    re.ASCII,
)
_LONGEST_WAY = 1000
_AROUND = re.compile(
    r"(https://(?P<host>[a-z0-9.-]+|\[[0-9a-f:]+\])|http://(localhost|127\.0\.0\.1))"
    r"(:(?P<port>\d{1,5}))?",
    re.ASCII,
)
_MOST_AROUND = 10
_CODE = re.compile(r"[!-~]{1,100}")
_IN_NUMBERS = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)\.?")


@final
@dataclass(frozen=True, slots=True)
class Ending:
    """The last screen of a form next to the receipt, for panels that send people.

    Attributes
    ----------
    thanks : Mapping of str to str, optional
        The survey's own words, one text for each language.
    code : str, optional
        A completion code, the same for everybody.
    url : str, optional
        The way back. ``{name}`` in it stands for the value of that name behind the ``#`` of the
        address by which somebody came, which no server sees.
    framing_origins : tuple of str
        Origins whose pages may show this one in a frame or open it, and are told when a visit has
        ended; no others may.
    """

    thanks: Mapping[str, str] | None = None
    code: str | None = None
    url: str | None = None
    framing_origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        keep_unchangeable(self, "thanks")

    @property
    def url_parameters(self) -> tuple[str, ...]:
        """The names that the way back asks for, each once.

        >>> Ending(url="https://panel.example/done?who={pid}&study={study}").url_parameters
        ('pid', 'study')
        """
        return tuple(dict.fromkeys(re.findall(r"\{(\w+)\}", self.url or "")))


def read_ending(raw: Any, languages: Sequence[str], where: str = "ending") -> Ending:
    """Read the texts and addresses of a form's last screen in these languages.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.

    >>> read_ending({"code": "C1A2"}, ["en"])
    Ending(thanks=None, code='C1A2', url=None, framing_origins=())
    """
    keys = "thanks", "code", "url", "within"
    if not isinstance(raw, dict) or not raw or not set(raw) <= set(keys):
        raise FormError(where, got=raw, allowed=f"one or more of {', '.join(keys)}")
    thanks, code, url, within = map(raw.get, keys)
    if "thanks" in raw:
        need_wording(f"{where}.thanks", thanks, languages)
    if "code" in raw and not (isinstance(code, str) and _CODE.fullmatch(code)):
        allowed = "up to 100 letters, digits and signs of ASCII, without a space"
        raise FormError(f"{where}.code", got=code, allowed=allowed)
    if "url" in raw and not (isinstance(url, str) and _leads_back(url)):
        raise FormError(
            f"{where}.url",
            got=url,
            allowed="an address such as https://example.org/done?who={pid}: a name in braces is "
            "what stands behind # in the address by which somebody came",
        )
    if "within" in raw and not _are_around(within):
        raise FormError(
            f"{where}.within",
            got=within,
            allowed=f"up to {_MOST_AROUND} origins such as https://survey.example.org, each once",
        )
    return Ending(thanks, code, url, tuple(within or ()))


def need_elsewhere(ending: Ending, collector: str) -> None:
    """Refuse a way back to the collector's host, which would learn who sent a report."""
    back = ending.url
    if back and collector and host_of(back) == host_of(collector):
        raise FormError("ending.url", got=back, allowed="an address elsewhere than the collector's")


def host_of(url: str) -> str:
    """The host of an address, without a dot at its end; empty of what is no address.

    >>> host_of("https://panel.example./done")
    'panel.example'
    """
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _leads_back(url: str) -> bool:
    """Say whether a browser can be sent to an address, which holds no secret but its own blanks."""
    match = _WAY_BACK.fullmatch(url)
    if match is None or len(url) > _LONGEST_WAY:
        return False
    return is_host(match["host"]) and int(match["port"] or 0) < 1 << 16


def _are_around(origins: Any) -> bool:
    """Say whether these are origins of pages that others cannot change on their way."""
    if not isinstance(origins, list) or not 0 < len(origins) <= _MOST_AROUND:
        return False
    matches = [isinstance(origin, str) and _AROUND.fullmatch(origin) for origin in origins]
    return len(set(map(str, origins))) == len(origins) and all(
        match and is_host(match["host"] or "localhost") and int(match["port"] or 0) < 1 << 16
        for match in matches
    )


def is_host(host: str) -> bool:
    """Say whether a browser takes this for a host; what ends in a number is an address to it.

    References
    ----------
    The URL Standard of WHATWG, sections 3.5 and 3.6.

    >>> [is_host(host) for host in ("example.org", "127.1", "0x7f.1", "1.2.3.256", "a.1", "[::g]")]
    [True, True, True, False, False, False]
    """
    try:
        if host[0] == "[":
            return bool(IPv6Address(host[1:-1]).packed)
        if not _IN_NUMBERS.fullmatch(host):
            return True
        *parts, last = map(_part, host.removesuffix(".").split("."))
    except ValueError:
        return False
    return len(parts) < 4 and max(parts, default=0) < 256 and last < 256 ** (4 - len(parts))


def _part(written: str) -> int:
    """Read a part of an address as browsers do: in hexadecimal, in octal or in decimal digits."""
    if written.startswith("0x"):
        return int(written[2:] or "0", 16)
    return int(written, 8 if written.startswith("0") else 10)
