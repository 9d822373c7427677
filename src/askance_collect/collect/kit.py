"""Write the files with which an operator runs a collector: for systemd or a container, and a proxy.

They are templates in the folder ``deploy``; tests run them as they are written.
"""

import os
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

from askance_collect.arguments import checked
from askance_collect.collect.folder import PRIVATE, Folder
from askance_collect.collect.installed import program_digest
from askance_collect.errors import DocumentError, InputError
from askance_collect.lazy import DISTRIBUTION, release
from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.wire.form import Form
from askance_collect.wire.token import to_base64url

_FOLDER = Path(__file__).with_name("deploy")
_NAME = re.compile("[a-z0-9][a-z0-9-]{0,40}")
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_MARK = re.compile("@([a-z]+)@")
_REGION = re.compile("[ ]*@(each[a-z]+)@\n(.*?)[ ]*@end@\n", re.DOTALL)
_RESERVED = "health", "metrics", "operator"
"""Paths that the collector, or the proxy, keeps to itself."""

_DIGEST = re.compile(r"[\w./:-]+@sha256:[0-9a-f]{64}", re.ASCII)
_BASE = "python:3.13-slim-bookworm"
_COLLECTING, _SIGNING = "needed.txt", "signing.txt"
"""What the package needs besides itself, each with the hashes of its files."""


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
_ISSUER = {
    "README.md": "issuer.md",
    "askance-@name@.socket": "collector.socket",
    "askance-@name@.service": "issuer.service",
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
    form: Form | Mapping[str, Form],
    folder: str | Path,
    name: str,
    host: str | Mapping[str, str],
    *,
    proxy: Literal["nginx", "caddy"] = "nginx",
    container: bool = False,
    wheels: Iterable[str | Path] = (),
    base: str = "",
) -> list[Path]:
    """Write what it takes to run the collector of a form, or of several, into a new folder.

    A systemd unit with a socket of its own, or a container file; the settings of a proxy with TLS
    that keeps no log; the packages that are installed, each with its hash; for systemd a key that
    opens the counts. ``README.md`` says where each belongs. Where the form takes so many reports
    from one neighbourhood, the proxy hands addresses on and the collector counts by them; else
    nobody's address goes past the proxy.

    Where a form's reports need tokens, a folder ``issuer-NAME`` beside it is for the machine that
    signs: units and a proxy for the host that the form names, unless that is this machine.

    One process serves several surveys, each with a store of its own. At one host each is found
    under its name, ``https://collect.example.org/exam/``, or each has a host of its own.

    Parameters
    ----------
    form : Form, or Mapping of str to Form
        Several by what each is called, as `mount` wants it; not metrics, operator or health.
    folder : str or Path
        There may be nothing under this name yet.
    name : str
        What the survey is called in names of files and units: small letters, digits and hyphens.
        Of several, what units and folders are called.
    host : str, or Mapping of str to str
        Where respondents find it, such as ``exam.example.org``; of several, by their names.
    proxy : str
        ``nginx`` or ``caddy``.
    container : bool
        Whether it runs in a container in place of systemd.
    wheels : Iterable of str or Path
        The release's own wheel, ``askance_collector-….whl``: it is copied, for whoever signs tokens
        too, and its hash stands in ``requirements.txt``. Without it pip refuses that file until the
        hash from the release's ``SHA256SUMS`` is added.
    base : str
        The image under the container's, by its digest, ``name@sha256:…``. Without one the container
        file has none, and nothing is built until one is named.

    Returns
    -------
    list of Path
        The files, in the order of their names.

    Raises
    ------
    InputError
        If a name is none, a survey has no host, two have one, a wheel is not of this version, or
        the image is not named by its digest.
    DocumentError
        If the folder is there already, or cannot be written, or a wheel cannot be read.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from askance import publish
    >>> from askance_collect.collect import write_kit
    >>> from askance.survey import load_survey
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> with TemporaryDirectory() as place:
    ...     [path.name for path in write_kit(form, f"{place}/kit", "tea", "tea.example.org")][:3]
    ['README.md', 'askance-tea.service', 'askance-tea.socket']
    """
    forms, hosts = _check_surveys(form, name, host)
    chosen = _PROXIES[proxy]
    wheel = _wheel(wheels)
    ran = f"--release {program_digest(wheel)} " if wheel else ""
    files = _texts(_CONTAINER if container else _SYSTEMD, forms, hosts, name, chosen, base, ran)
    files["requirements.txt"] = _pin_package(_COLLECTING, wheel)
    if not container:
        files[f"{name}.operator-key"] = f"{to_base64url(SYSTEM_BYTES.draw(32))}\n"
    for survey, its_form in forms.items():
        files |= _for_issuer(survey, its_form, chosen, wheel)
    written = {file: text.encode() for file, text in files.items()}
    written |= _wheel_files(files, wheel)
    written |= {f"{survey}.form.json": its_form.bytes for survey, its_form in forms.items()}
    target = Path(folder)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with Folder.opened(target.parent) as above, above.below(target.name) as kit:
            _write(kit, written)
            if wheel is None:
                with kit.below("wheels"):
                    pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise DocumentError(str(folder), got=reason, allowed="a new folder") from error
    return sorted(path for path in target.rglob("*") if path.is_file())


def _write(folder: Folder, files: Mapping[str, bytes]) -> None:
    """Write new files into a new folder, those with a stroke in their name into folders below."""
    below: dict[str, dict[str, bytes]] = {}
    for name, content in files.items():
        inside, stroke, file = name.partition("/")
        if stroke:
            below.setdefault(inside, {})[file] = content
            continue
        mode = PRIVATE if name.endswith("-key") else 0o644
        with os.fdopen(folder.create(name, mode), "wb") as opened:
            opened.write(content)
    for name, others in below.items():
        with folder.below(name) as inner:
            _write(inner, others)


def _check_surveys(
    form: Form | Mapping[str, Form], name: str, host: str | Mapping[str, str]
) -> tuple[Mapping[str, Form], Mapping[str, str]]:
    """Give the form and the host of each survey, once every name can stand in a file."""
    forms = {name: form} if isinstance(form, Form) else form
    if not isinstance(form, Form) and len(forms) < 2:
        raise InputError("form", got=len(forms), allowed="one form, or several by their names")
    for survey in (name, *forms):
        if not _NAME.fullmatch(survey) or (len(forms) > 1 and survey in _RESERVED):
            allowed = "small letters, digits and hyphens, but of several not " + ", ".join(
                _RESERVED
            )
            raise InputError("name", got=survey, allowed=allowed)
    hosts = dict.fromkeys(forms, host) if isinstance(host, str) else host
    for survey_host in hosts.values():
        if not _HOST.fullmatch(survey_host):
            raise InputError(
                "host", got=survey_host, allowed="a host's name, such as exam.example.org"
            )
    if hosts.keys() != forms.keys() or len(set(hosts.values())) not in (1, len(forms)):
        allowed = f"one host, or one of its own for each of {', '.join(forms)}"
        raise InputError(
            "host", got=", ".join(f"{n}={h}" for n, h in hosts.items()), allowed=allowed
        )
    return forms, hosts


def _wheel_files(files: Iterable[str], wheel: Path | None) -> dict[str, bytes]:
    """Read the wheel for the kit, and for the folders of the machines that sign tokens."""
    if wheel is None:
        return {}
    folders = {"": None} | dict.fromkeys(
        file.partition("/")[0] + "/" for file in files if "/" in file
    )
    return {f"{folder}wheels/{wheel.name}": wheel.read_bytes() for folder in folders}


def _for_issuer(
    survey: str, form: Form, chosen: Mapping[str, str], wheel: Path | None
) -> dict[str, str]:
    """Fill in what the machine that signs needs, if it has a host of its own."""
    issuer = urlsplit(form.tokens.issuer if form.tokens else "")
    host = issuer.hostname or ""
    if issuer.scheme != "https" or issuer.port or issuer.path != "/" or not _HOST.fullmatch(host):
        return {}
    files = _texts(_ISSUER, {survey: form}, {survey: host}, f"{survey}-issuer", chosen)
    files["requirements.txt"] = _pin_package(_SIGNING, wheel)
    return {f"issuer-{survey}/{file}": text for file, text in files.items()}


def _texts(
    templates: Mapping[str, str],
    forms: Mapping[str, Form],
    hosts: Mapping[str, str],
    name: str,
    chosen: Mapping[str, str],
    base: str = "",
    ran: str = "",
) -> dict[str, str]:
    """Fill in the templates, and that of a proxy, by the names of the files."""
    container = templates is _CONTAINER
    upstream = _PORT if container else chosen["socket"].replace("@name@", name)
    marks = {"name": name, "upstream": upstream, "release": release(), "ran": ran, **chosen}
    marks |= _base_image(base)
    marks["sandbox"] = _fill_marks(_template("sandbox.service"), marks)
    marks |= _survey_marks(forms, hosts, container) | _address_marks(
        chosen, container, forms.values()
    )
    regions = _regions(forms, hosts, chosen, container, upstream)
    return {
        _fill_marks(file, marks): _fill_marks(_repeat_regions(_template(of), regions), marks)
        for file, of in {**templates, chosen["proxyfile"]: chosen["proxyfile"]}.items()
    }


def _regions(
    forms: Mapping[str, Form],
    hosts: Mapping[str, str],
    chosen: Mapping[str, str],
    container: bool,
    upstream: str,
) -> dict[str, list[dict[str, str]]]:
    """Say what stands once for each survey, and once for each host."""
    several, own_hosts = len(forms) > 1, len(set(hosts.values())) > 1
    surveys, sites = [], []
    for survey, its_form in forms.items():
        where = {"survey": survey, "host": hosts[survey], "named": f"{survey}/" * several}
        where["path"] = "" if own_hosts else where["named"]
        surveys.append(where)
        rated = _address_marks(chosen, container, [its_form] if own_hosts else forms.values())
        sites.append({**where, **rated, **_below(survey if own_hosts else "", upstream)})
    return {"eachsurvey": surveys, "eachhost": sites if own_hosts else sites[:1]}


def _survey_marks(
    forms: Mapping[str, Form], hosts: Mapping[str, str], container: bool
) -> dict[str, str]:
    """Say what all files say of what is asked."""
    paths = [f"{'/survey' if container else '/etc/askance'}/{survey}.form.json" for survey in forms]
    return {
        "host": next(iter(hosts.values())),
        "hosts": ", ".join(dict.fromkeys(hosts.values())),
        "surveys": ", ".join(forms),
        "files": " ".join(f"{survey}.form.json" for survey in forms),
        "asked": ", ".join(f'"{path}"' for path in paths) if container else " ".join(paths),
        "store": "{name}" if len(forms) > 1 else next(iter(forms)),
    }


def _below(survey: str, upstream: str) -> dict[str, str]:
    """Say how a proxy asks for a survey that has a host of its own, but not a collector."""
    if not survey:
        return {"under": "", "rewritten": ""}
    colon = ":" if upstream.startswith("unix:") else ""
    return {"under": f"{colon}/{survey}/", "rewritten": f"rewrite * /{survey}{{uri}}\n\t"}


def _address_marks(
    chosen: Mapping[str, str], container: bool, forms: Iterable[Form]
) -> dict[str, str]:
    """Say whether a proxy hands on who asks, and whether the collector counts by it."""
    if not any(form.open and form.open.rate for form in forms):
        return {"handed": "nothing of them handed on", "counted": ""}
    words = (
        "".join(f', "{word}"' for word in _COUNTED[1:]) if container else f" {' '.join(_COUNTED)}"
    )
    handed = "of them the address alone handed on, for the rate"
    return {"handed": handed, "counted": words, "address": chosen["rated"]}


def _repeat_regions(text: str, regions: Mapping[str, Iterable[Mapping[str, str]]]) -> str:
    """Write what stands between two marks once for each survey, or for each host."""
    return _REGION.sub(
        lambda match: "".join(_fill_marks(match[2], marks) for marks in regions[match[1]]), text
    )


def _template(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _fill_marks(text: str, marks: Mapping[str, str]) -> str:
    return _MARK.sub(lambda match: marks.get(match[1], match[0]), text)


def _base_image(base: str) -> dict[str, str]:
    """Give the marks for the base image, or those that ask for it when the container is built."""
    if base and not _DIGEST.fullmatch(base):
        raise InputError("base", got=base, allowed="an image by its digest, name@sha256:…")
    base_mark = (
        f"{{BASE:-{base}}}" if base else f"{{BASE:?say {_BASE} by its digest, name@sha256:…}}"
    )
    return {"image": _BASE, "default": f"={base}" if base else "", "chosenbase": f"${base_mark}"}


def _wheel(wheels: Iterable[str | Path]) -> Path | None:
    """Find the wheel of the package; refuse wheels of another one, or of another release."""
    named = f"{DISTRIBUTION.replace('-', '_')}-{release()}-py3-none-any.whl"
    package_wheel = None
    for package_wheel in map(Path, wheels):
        if package_wheel.name != named:
            raise InputError("wheel", got=package_wheel.name, allowed=named)
    return package_wheel


def _pin_package(needed: str, wheel: Path | None) -> str:
    """Pin the package by the hash of its wheel, and all that it needs by theirs."""
    line = f"{DISTRIBUTION}=={release()}"
    if wheel is not None:
        try:
            line += f" \\\n    --hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}"
        except OSError as error:
            reason = error.strerror or str(error)
            raise DocumentError(str(wheel), got=reason, allowed="a wheel of the release") from error
    return f"{line}\n{_template(needed)}"
