"""Make what is released, twice, and compare: python tools/release.py [FOLDER].

Of the commit that is checked out, FOLDER (``dist``) holds then: the source and the wheel of
Askance, the wheel of the collector alone, the npm package, the release set with its hashes, a bill
of materials (CycloneDX), the licences of all that is installed, the SHA-256 of the program in the
collector's wheel, as `askance-collect healthy` says it, and SHA256SUMS over all of it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from askance_collect.collect import program_digest

ROOT = Path(__file__).parents[1]
CONSTRAINTS = "constraints-release.txt"
BOM, LICENCES, SUMS = "askance.cdx.json", "LICENCES.md", "SHA256SUMS"
PROGRAMS = "PROGRAMS"
ROOMS = (("one", 0o022, "UTC"), ("somewhere/else/altogether", 0o077, "Asia/Kolkata"))
"""Two places to build in: path, file mode mask and time zone, none of which may show."""
PERMISSIVE = (
    *("0BSD", "Apache-2.0", "Artistic-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0"),
    *("CC0-1.0", "HPND", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0", "Python-2.0", "Unlicense"),
    *("Zlib", "LGPL-3.0-only", "LGPL-3.0-or-later", "MPL-2.0"),
)
"""What may be used by a program under Apache-2.0: permissive, or of the library or file alone."""
SPOKEN = {"Apache Software License": "Apache-2.0", "BSD License": "BSD-3-Clause"}
"""The classifiers of packages that name their licence in no other way."""
UNSAID = {"pyrage": "MIT"}
"""What a package's own file of its licence says, where nothing about it does."""


def main(folder: Path) -> None:
    """Build, compare, install and list; tell the workflow that asked what it may publish."""
    if _output("git", "status", "--porcelain"):
        raise SystemExit("what is released is a commit: commit the changes first")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        builds = [built(Path(scratch) / name, mask, zone) for name, mask, zone in ROOMS]
        for name, path in sorted(builds[0].items()):
            problem = difference(path, builds[1][name])
            if problem:
                raise SystemExit(f"{name}: two builds of one commit differ: {problem}")
            shutil.copy(path, folder / name)
    shutil.copy(ROOT / CONSTRAINTS, folder)
    with installed(sorted(folder.glob("*.whl"))) as python:
        write_bill(python, folder / BOM)
    listed = licences(json.loads((folder / BOM).read_text("utf-8")))
    (folder / LICENCES).write_text(table(listed), "utf-8")
    write_programs(folder)
    write_sums(folder)
    tell_workflow(folder / SUMS)
    print((folder / SUMS).read_text("utf-8"), end="")
    if strange := [name for name, _, licence in listed if not allowed(licence)]:
        raise SystemExit(f"licences to look at: {', '.join(strange)}; see {folder / LICENCES}")
    print(f"{len(builds[0])} files built twice, equal bytes; {len(listed)} licences, all allowed")


def built(room: Path, mask: int, zone: str) -> dict[str, Path]:
    """Build a copy of the commit in a room of its own; give what came of it by name."""
    out = room / "out"
    out.mkdir(parents=True)
    umask = os.umask(mask)
    try:
        archive = ("git", "-C", str(ROOT), "archive", "--format=tar", "-o", str(room / "c.tar"))
        _run(room, *archive, "HEAD")
        _run(room, "tar", "-xf", "c.tar")
        (room / "c.tar").unlink()
        (room / "node_modules").symlink_to(ROOT / "node_modules")
        settings = {
            "SOURCE_DATE_EPOCH": _output("git", "log", "-1", "--format=%ct"),
            "PYTHONPATH": str(room / "src"),
            "TZ": zone,
        }
        hatch = (sys.executable, "-m", "hatchling", "build", "-d", str(out))
        for words, where in (
            (hatch, room),
            ((*hatch, "-t", "wheel"), room / "collector"),
            ((sys.executable, "tools/js.py"), room),
            (("chmod", "-R", "u=rwX,go=rX", "js"), room),  # npm packs modes as it finds them
            (("npm", "pack", "--silent", "--pack-destination", str(out)), room / "js"),
        ):
            _run(where, *words, **settings)
    finally:
        os.umask(umask)
    return {file.name: file for file in out.iterdir()}


def difference(path: Path, other: Path) -> str:
    """Say where two files differ first: nothing, if they are the same."""
    if path.read_bytes() == other.read_bytes():
        return ""
    if path.suffix != ".whl":
        return "not the same bytes"
    with zipfile.ZipFile(path) as first_archive, zipfile.ZipFile(other) as right:
        for a, b in zip(first_archive.infolist(), right.infolist(), strict=False):
            entries = [(x.filename, x.date_time, x.external_attr, x.CRC) for x in (a, b)]
            if entries[0] != entries[1]:
                return f"{entries[0]} and {entries[1]}"
    return "not the same files"


@contextmanager
def installed(wheels: list[Path]) -> Iterator[Path]:
    """Make an environment of the release set, each file of it held to its hash, and the wheels."""
    with tempfile.TemporaryDirectory() as scratch:
        python = Path(scratch) / "venv/bin/python"
        _uv("venv", "--quiet", "--python", sys.executable, python.parents[1])
        pip = ("pip", "install", "--quiet", "--python", python)
        _uv(*pip, "--require-hashes", "-r", ROOT / CONSTRAINTS)
        _uv(*pip, "--no-deps", *wheels)
        _uv("pip", "check", "--quiet", "--python", python)
        yield python


def write_bill(python: Path, path: Path) -> None:
    """Write what an environment holds, in CycloneDX, the same bytes for the same packages."""
    words = ["cyclonedx_py", "environment", str(python), "--output-reproducible"]
    words += ["--spec-version", "1.6", "--pyproject", str(ROOT / "pyproject.toml")]
    _run(ROOT, sys.executable, "-m", *words, "--output-file", str(path))


def licences(bill: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Read name, version and licence of every package of a bill of materials."""
    components = (
        (component["name"], component["version"], _licence(component))
        for component in bill["components"]
    )
    return sorted(components, key=lambda row: row[0].casefold())


def _licence(component: dict[str, Any]) -> str:
    names = []
    for entry in component.get("licenses", []):
        licence = entry.get("license", {})
        name = entry.get("expression") or licence.get("id") or licence["name"].split(" :: ")[-1]
        names.append(SPOKEN.get(name, name))
    return " AND ".join(dict.fromkeys(names)) or UNSAID.get(component["name"], "")


def allowed(licence: str) -> bool:
    """Tell whether every licence of a list, or one of each choice, is permissive.

    >>> allowed("MIT AND (GPL-2.0-only OR BSD-3-Clause)")
    True
    >>> allowed("MIT AND GPL-2.0-only")
    False
    """
    flat = re.sub(r"[()]", " ", re.sub(r" WITH \S+", "", licence))
    return bool(licence) and all(
        any(alternative.strip() in PERMISSIVE for alternative in part.split(" OR "))
        for part in flat.split(" AND ")
    )


def table(listed: list[tuple[str, str, str]]) -> str:
    """Write the licences as a table, those that nobody has allowed marked."""
    rows = (f"| {n} | {v} | {s or '?'}{'' if allowed(s) else ' (look)'} |\n" for n, v, s in listed)
    head = "# Licences of what `askance[all]` installs\n\n"
    head += "| package | version | licence |\n|---|---|---|\n"
    return head + "".join(rows)


def write_programs(folder: Path) -> None:
    """Write the SHA-256 of the collector's program, which is that of what pip installs of it."""
    lines = (
        f"{program_digest(wheel)}  {wheel.name}\n"
        for wheel in sorted(folder.glob("askance_collector-*.whl"))
    )
    (folder / PROGRAMS).write_text("".join(lines), "utf-8")


def write_sums(folder: Path) -> None:
    """Write the SHA-256 of every file of a folder, as sha256sum checks it."""
    named = sorted(file for file in folder.iterdir() if file.name != SUMS)
    sums = (f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in named)
    (folder / SUMS).write_text("".join(sums), "utf-8")


def tell_workflow(sums: Path) -> None:
    """Hand the SHA-256 of the sums to the jobs that come after, past the files that they fetch."""
    if output_file := os.environ.get("GITHUB_OUTPUT"):
        with Path(output_file).open("a", encoding="utf-8") as outputs:
            outputs.write(f"sums={sha256(sums.read_bytes()).hexdigest()}\n")


def _output(*words: str) -> str:
    done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    return done.stdout.strip()


def _run(where: Path, *words: str, **settings: str) -> None:
    subprocess.run(words, cwd=where, check=True, env=os.environ | settings, stdout=2)  # noqa: S603


def _uv(*words: str | Path) -> None:
    _run(ROOT, sys.executable, "-m", "uv", *map(str, words))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
