"""Write the files with which an operator runs a collector: for systemd or a container, and a proxy.

They are templates in the folder ``deploy``; tests run them as they are written.
"""

import re
import secrets
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from askance.arguments import checked
from askance.errors import DocumentError, InputError
from askance.lazy import release
from askance.wire.form import Form

_FOLDER = Path(__file__).with_name("deploy")
_NAME = re.compile("[a-z0-9][a-z0-9-]{0,40}")
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_MARK = re.compile("@([a-z]+)@")
_ASKED_FOR = re.compile("[A-Za-z0-9._-]+")
_NEEDS = ("click", "httptools", "starlette", "uvicorn", "uvloop")

_PROXIES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "nginx": {
            "group": "www-data",
            "proxyfile": "nginx.conf",
            "proxyplace": "/etc/nginx/nginx.conf",
            "socket": "unix:/run/askance-@name@.sock",
            "address": '""',
            "rated": "$remote_addr",
        },
        "caddy": {
            "group": "caddy",
            "proxyfile": "Caddyfile",
            "proxyplace": "/etc/caddy/Caddyfile",
            "socket": "unix//run/askance-@name@.sock",
            "address": "-X-Forwarded-For",
            "rated": "X-Forwarded-For {remote_host}",
        },
    }
)
_SYSTEMD = {
    "README.md": "systemd.md",
    "askance-@name@.socket": "collector.socket",
    "askance-@name@.service": "collector.service",
}
_CONTAINER = {
    "README.md": "container.md",
    "Containerfile": "Containerfile",
    "bare.py": "bare.py.in",
    "compose.yaml": "compose.yaml",
}
_PORT = "127.0.0.1:8102"
_COUNTED = "--behind-proxy", "--address-header", "X-Forwarded-For"
"""How a collector is told where reports come from, for a form that takes so many from one place."""


@checked
def write_kit(
    form: Form,
    folder: str | Path,
    name: str,
    host: str,
    *,
    proxy: Literal["nginx", "caddy"] = "nginx",
    container: bool = False,
) -> list[Path]:
    """Write what it takes to run the collector of a form for years, into a new folder.

    A systemd unit with a socket of its own, or a container file; the settings of a proxy with TLS
    that keeps no log; the packages at the versions that are installed here; for systemd a key that
    opens the counts. ``README.md`` says where each belongs. Where the form takes so many reports
    from one neighbourhood, the proxy hands addresses on and the collector counts by them; else
    nobody's address goes past the proxy.

    Parameters
    ----------
    form : Form
    folder : str or Path
        There may be nothing under this name yet.
    name : str
        What the survey is called in names of files and units: small letters, digits and hyphens.
    host : str
        Where respondents find it, such as ``exam.example.org``.
    proxy : str
        ``nginx`` or ``caddy``.
    container : bool
        Whether it runs in a container in place of systemd.

    Returns
    -------
    list of Path
        The files, in the order of their names.

    Raises
    ------
    InputError
        If a name is none.
    DocumentError
        If the folder is there already, or cannot be written.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from askance import publish
    >>> from askance.collect import write_kit
    >>> from askance.survey import load_survey
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> with TemporaryDirectory() as place:
    ...     [path.name for path in write_kit(form, f"{place}/kit", "tea", "tea.example.org")][:3]
    ['README.md', 'askance-tea.service', 'askance-tea.socket']
    """
    if not _NAME.fullmatch(name):
        raise InputError("name", got=name, allowed="small letters, digits and hyphens")
    if not _HOST.fullmatch(host):
        raise InputError("host", got=host, allowed="a host's name, such as exam.example.org")
    chosen = _PROXIES[proxy]
    upstream = _PORT if container else chosen["socket"].replace("@name@", name)
    marks = {"name": name, "host": host, "upstream": upstream, **chosen}
    marks |= _by_address(chosen, container, rated=form.open is not None and bool(form.open.rate))
    listed = {**(_CONTAINER if container else _SYSTEMD), chosen["proxyfile"]: chosen["proxyfile"]}
    files = {_filled(file, marks): _filled(_template(of), marks) for file, of in listed.items()}
    files["requirements.txt"] = "".join(f"{line}\n" for line in _pinned())
    if not container:
        files[f"{name}.operator-key"] = f"{secrets.token_urlsafe(32)}\n"
    made = Path(folder)
    try:
        made.mkdir(parents=True)
        for file, text in files.items():
            mode = 0o600 if file.endswith("-key") else 0o644
            (made / file).touch(mode)
            (made / file).write_text(text, encoding="utf-8")
        (made / f"{name}.form.json").write_bytes(form.bytes)
        if container:
            (made / "wheels").mkdir()
    except OSError as error:
        got = error.strerror or str(error)
        raise DocumentError(str(folder), got=got, allowed="a new folder") from error
    return sorted(one for one in made.iterdir() if one.is_file())


def _by_address(chosen: Mapping[str, str], container: bool, *, rated: bool) -> dict[str, str]:
    """Say whether a proxy hands on who asks, and whether the collector counts by it."""
    if not rated:
        return {"handed": "nothing of them handed on", "counted": ""}
    words = "".join(f', "{one}"' for one in _COUNTED[1:]) if container else f" {' '.join(_COUNTED)}"
    handed = "of them the address alone handed on, for the rate"
    return {"handed": handed, "counted": words, "address": chosen["rated"]}


def _template(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _filled(text: str, marks: Mapping[str, str]) -> str:
    return _MARK.sub(lambda found: marks[found[1]], text)


def _pinned() -> Iterable[str]:
    """Pin the collector, and what it needs as it is installed here."""
    yield f"askance-collector=={release()}"
    found, left = set[str](), list(_NEEDS)
    while left:
        name = left.pop().lower().replace("_", "-")
        try:
            asked = distribution(name).requires or []
        except PackageNotFoundError:  # which this Python, or this system, does without
            continue
        if name not in found:
            found.add(name)
            left += [_ASKED_FOR.findall(one)[0] for one in asked if "extra ==" not in one]
    yield from (f"{name}=={version(name)}" for name in sorted(found))
