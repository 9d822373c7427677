"""What is installed is held to its wheel: each file that differs is named."""

import base64
import hashlib
import json
import py_compile
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance_collect.collect import InstallState, inspect_installation, program_digest
from askance_collect.errors import DocumentError, InputError

FILES = {
    "askance_collect/__init__.py": b'"""Ask."""\n',
    "askance_collect/collect/app.py": b"def keep(report):\n    return report\n",
    "askance_collect/collect/deploy/nginx.conf": b"user www-data;\n",
}
INFO = "askance_collector-0.2.0.dist-info"


def _row(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages in which pip installed the wheel, compiled it and wrote a command."""
    site = tmp_path / "site-packages"
    for name, content in FILES.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(content)
    rows = [_row(name, content) for name, content in FILES.items()]
    for name in FILES:
        if name.endswith(".py"):
            path = Path(py_compile.compile(str(site / name), doraise=True))
            rows.append(f"{path.relative_to(site).as_posix()},,")
    rows += [
        "../../../bin/askance-collect,sha256=none,1",
        f"{INFO}/RECORD,,",
        f"{INFO}/INSTALLER,,4",
    ]
    (site / INFO).mkdir()
    (site / INFO / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: askance-collector\nVersion: 0.2.0\n"
    )
    (site / INFO / "RECORD").write_text("\n".join(sorted(rows)) + "\n")
    return site


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    wheel = tmp_path / "askance_collector-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in FILES.items():
            archive.writestr(name, content)
        rows = [_row(name, content) for name, content in reversed(FILES.items())]
        archive.writestr(f"{INFO}/RECORD", "\n".join([*rows, f"{INFO}/RECORD,,"]) + "\n")
    return wheel


def test_what_pip_installed_is_the_program_of_its_wheel(site: Path, wheel: Path) -> None:
    installation = inspect_installation(site)
    assert (installation.package, installation.version) == ("askance-collector", "0.2.0")
    assert (installation.changed, installation.missing, installation.added) == ((), (), ())
    assert installation.state is InstallState.UNALTERED
    lines = sorted(_row(name, content).rpartition(",")[0] for name, content in FILES.items())
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    assert installation.digest == program_digest(wheel) == digest


def _change(site: Path) -> None:
    (site / "askance_collect/collect/app.py").write_bytes(
        FILES["askance_collect/collect/app.py"] + b"#"
    )


def _link(site: Path) -> None:
    (site / "askance_collect/__init__.py").rename(site / "elsewhere.py")
    (site / "askance_collect/__init__.py").symlink_to(site / "elsewhere.py")


def _remove(site: Path) -> None:
    (site / "askance_collect/collect/deploy/nginx.conf").unlink()


def _add(site: Path) -> None:
    (site / "askance_collect/collect/secret.py").write_text("")


def _add_without_source(site: Path) -> None:
    (site / "askance_collect/collect/secret.pyc").write_bytes(b"")


def _compile_another(site: Path) -> None:
    """A compiled file that says to be newer than its source runs in its place."""
    path = site / "askance_collect/collect/__pycache__" / f"app.{sys.implementation.cache_tag}.pyc"
    other = site.parent / "app.py"
    other.write_bytes(b"def keep(report):\n    print(report)\n")
    py_compile.compile(str(other), str(path), doraise=True)
    content = path.read_bytes()
    stat_result = (site / "askance_collect/collect/app.py").stat()
    head = (
        content[:8]
        + int(stat_result.st_mtime).to_bytes(4, "little")
        + stat_result.st_size.to_bytes(4, "little")
    )
    path.write_bytes(head + content[16:])


def _compile_nothing(site: Path) -> None:
    (site / "askance_collect/__pycache__/gone.cpython-311.pyc").write_bytes(b"")


@pytest.mark.parametrize(
    ("attack", "changed", "missing", "added"),
    [
        (_change, ["askance_collect/collect/app.py"], [], []),
        (_link, ["askance_collect/__init__.py"], [], []),
        (_remove, [], ["askance_collect/collect/deploy/nginx.conf"], []),
        (_add, [], [], ["askance_collect/collect/secret.py"]),
        (_add_without_source, [], [], ["askance_collect/collect/secret.pyc"]),
        (_compile_another, [], [], ["askance_collect/collect/__pycache__/app."]),
        (_compile_nothing, [], [], ["askance_collect/__pycache__/gone.cpython-311.pyc"]),
    ],
)
def test_what_differs_is_named(
    attack: Callable[[Path], None],
    changed: list[str],
    missing: list[str],
    added: list[str],
    site: Path,
) -> None:
    attack(site)
    installation = inspect_installation(site)
    assert installation.state is InstallState.ALTERED
    assert list(installation.changed) == changed
    assert list(installation.missing) == missing
    assert len(installation.added) == len(added)
    assert all(
        name.startswith(start) for name, start in zip(installation.added, added, strict=True)
    )


def test_who_changes_the_list_too_changes_its_sha256(site: Path, wheel: Path) -> None:
    _change(site)
    (site / "askance_collect/collect/__pycache__").rename(site / "nowhere")
    name, record = "askance_collect/collect/app.py", site / INFO / "RECORD"
    row, other = _row(name, FILES[name]), _row(name, FILES[name] + b"#")
    record.write_text(record.read_text().replace(row, other))
    installation = inspect_installation(site)
    assert installation.state is InstallState.UNALTERED
    assert installation.digest != program_digest(wheel)


def test_an_editable_install_is_no_release(site: Path) -> None:
    for name in sorted((site / "askance_collect").rglob("*"), reverse=True):
        name.rmdir() if name.is_dir() else name.unlink()
    (site / "askance_collect").rmdir()
    (site / "askance.pth").write_text("/somewhere\n")
    (site / INFO / "RECORD").write_text(f"askance.pth,sha256=a,1\n{INFO}/RECORD,,\n")
    installation = inspect_installation(site)
    assert (installation.state, installation.digest) == (InstallState.EDITABLE, "")
    assert inspect_installation().state is InstallState.EDITABLE  # these tests run a working copy


def test_what_has_no_list_is_refused(site: Path, tmp_path: Path) -> None:
    (site / INFO / "RECORD").unlink()
    with pytest.raises(DocumentError, match="no RECORD"):
        inspect_installation(site)
    with pytest.raises(DocumentError, match="no such package"):
        inspect_installation(tmp_path)
    (tmp_path / "a.whl").write_bytes(b"a wheel")
    with pytest.raises(DocumentError, match="wheel of the release"):
        program_digest(tmp_path / "a.whl")
    with zipfile.ZipFile(tmp_path / "b.whl", "w") as archive:
        archive.writestr("other-1.dist-info/RECORD", "other/a.py,sha256=a,1\n")
    with pytest.raises(DocumentError, match="no list"):
        program_digest(tmp_path / "b.whl")


def test_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="--release"):
        CliRunner().invoke(verbs, ["collect", "healthy", "--release", "1"], catch_exceptions=False)


DIGEST = "0f" * 32


@pytest.mark.parametrize(
    ("health", "release", "code", "last"),
    [
        ({"healthy": True, "program": DIGEST}, "", 0, f"program SHA-256 {DIGEST}"),
        ({"healthy": True, "program": DIGEST}, DIGEST, 0, f"program SHA-256 {DIGEST}"),
        ({"healthy": True, "program": DIGEST}, "f0" * 32, 1, "not the program of the release"),
        ({"healthy": True, "altered": True}, "", 1, "its program differs from its wheel"),
        ({"healthy": True}, "", 0, "editable install: not a release"),
        ({"healthy": True}, DIGEST, 1, "editable install: not a release"),
    ],
)
def test_health_says_which_program_a_collector_is(
    health: dict[str, object],
    release: str,
    code: int,
    last: str,
    answering: Callable[..., str],
) -> None:
    address = answering(lambda _: json.dumps(health).encode())
    words = ["collect", "healthy", address, *(["--release", release] if release else [])]
    done = CliRunner().invoke(verbs, words)
    lines = done.output.splitlines()
    assert (lines[0], done.exit_code) == ("healthy", code)
    assert lines[-1].startswith(last)
