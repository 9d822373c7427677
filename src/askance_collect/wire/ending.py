"""The last screen of a form: its own thanks, the way back to a panel, and a privacy warning."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address
from typing import Any, final
from urllib.parse import urlsplit

from askance_collect.wire.form_schema import conform, keep_unchangeable, refuse, rule

_HOST = re.compile(r"(?:https?://)?([^/:\[]+|\[[^]]*\])(?::(\d+))?(?:/.*)?", re.ASCII)
_IN_NUMBERS = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)\.?")


@final
@dataclass(frozen=True, slots=True)
class Redirect:
    """The last screen of people who are turned away, for panels that send people.

    Attributes
    ----------
    thanks : Mapping of str to str, optional
        The survey's own words, one text for each language.
    code : str, optional
        The code of this outcome, the same for everybody who comes to it.
    url : str, optional
        The way back, with names in braces as in that of `Ending`.
    """

    thanks: Mapping[str, str] | None = None
    code: str | None = None
    url: str | None = None

    def __post_init__(self) -> None:
        keep_unchangeable(self, "thanks")


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
    full : Redirect, optional
        What people read and where they go back to if enough of their group have taken part.
    screened : Redirect, optional
        The same for people with an answer whose quota is 0.
    """

    thanks: Mapping[str, str] | None = None
    code: str | None = None
    url: str | None = None
    framing_origins: tuple[str, ...] = ()
    full: Redirect | None = None
    screened: Redirect | None = None

    def __post_init__(self) -> None:
        keep_unchangeable(self, "thanks")

    @property
    def url_parameters(self) -> tuple[str, ...]:
        """The names that the ways back ask for, each once.

        >>> Ending(url="https://panel.example/done?who={pid}&study={study}").url_parameters
        ('pid', 'study')
        """
        return tuple(dict.fromkeys(re.findall(r"\{(\w+)\}", " ".join(self.urls.values()))))

    @property
    def urls(self) -> dict[str, str]:
        """The ways back, by their places in the form.

        >>> Ending(full=Redirect(url="https://panel.example/full")).urls
        {'ending.full.url': 'https://panel.example/full'}
        """
        urls = {"ending.url": self.url}
        for name, redirect in (("full", self.full), ("screened", self.screened)):
            urls[f"ending.{name}.url"] = redirect.url if redirect else None
        return {where: url for where, url in urls.items() if url is not None}


def read_ending(raw: Any, languages: Sequence[str], where: str = "ending") -> Ending:
    """Read the texts and addresses of a form's last screen in these languages.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.

    >>> read_ending({"code": "C1A2"}, ["en"])
    Ending(thanks=None, code='C1A2', url=None, framing_origins=(), full=None, screened=None)
    """
    conform(raw, "ending", languages, where)
    thanks, code, url, within = map(raw.get, ("thanks", "code", "url", "within"))
    full, screened = (Redirect(**raw[key]) if key in raw else None for key in ("full", "screened"))
    return Ending(thanks, code, url, tuple(within or ()), full, screened)


def need_elsewhere(ending: Ending, collector: str) -> None:
    """Refuse a way back to the collector's host, which would learn who sent a report."""
    for where, url in ending.urls.items():
        if collector and host_of(url) == host_of(collector):
            raise refuse("elsewhere", where, url)


def host_of(url: str) -> str:
    """The host of an address, without a dot at its end; empty of what is no address.

    >>> host_of("https://panel.example./done")
    'panel.example'
    """
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


@rule("reached")
def is_reached(url: str, _: Sequence[str] = ()) -> bool:
    """Say whether a browser takes what is written as an address for one.

    >>> [is_reached(f"https://{host}/") for host in ("a.b:8080", "a.b:65536", "256.1.1.1")]
    [True, False, False]
    """
    match = _HOST.fullmatch(url)
    return match is not None and is_host(match[1]) and int(match[2] or 0) < 1 << 16


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
