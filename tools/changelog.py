"""Assemble the fragments in ``changes/`` into ``CHANGELOG.md``: ``changelog.py VERSION``.

A fragment is ``<area>/<topic>.<kind>.md``. In a release its kinds follow each other, and within a
kind its areas, as listed here.
"""

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

KINDS = ("added", "changed", "deprecated", "removed", "fixed", "security")
AREAS = {
    "ask": "Asking",
    "collect": "Collecting",
    "estimate": "Estimating",
    "plan": "Planning, checking and ethics boards",
    "privacy": "Privacy and randomness",
    "project": "The project",
}
FRAGMENT = re.compile(rf"[a-z0-9-]+\.({'|'.join(KINDS)})\.md")
TITLE = "# Changelog\n"


def fragments(folder: Path) -> dict[str, list[Path]]:
    """Sort the fragments by kind, then by area; refuse a name that says no kind or no area."""
    fragments_by_kind: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for path in sorted(folder.rglob("*.md")):
        if path == folder / "README.md":
            continue
        name = FRAGMENT.fullmatch(path.name)
        if name is None:
            raise ValueError(f"{path.name}: call it <topic>.<kind>.md, kind one of {KINDS}")
        if path.parent != folder and path.parent.name not in AREAS:
            raise ValueError(f"{path.name}: put it into changes/<area>/, area one of {(*AREAS,)}")
        fragments_by_kind[name[1]].append(path)
    return fragments_by_kind


def section(version: str, day: str, fragments_by_kind: dict[str, list[Path]]) -> str:
    """Write one release."""
    parts = [f"\n## {version} ({day})\n"]
    for kind, paths in fragments_by_kind.items():
        parts += [f"\n### {kind.capitalize()}\n"] if paths else []
        parts += _by_area(paths)
    return "".join(parts)


def _by_area(paths: list[Path]) -> Iterator[str]:
    """Write a list for each area, in the order of areas."""
    in_order = sorted(paths, key=lambda path: (*AREAS, "changes").index(path.parent.name))
    for area, group in groupby(in_order, key=lambda path: path.parent.name):
        yield f"\n{AREAS.get(area, 'Elsewhere')}\n\n"
        yield from (f"- {' '.join(path.read_text(encoding='utf-8').split())}\n" for path in group)


def release(root: Path, version: str, day: str) -> None:
    """Put the newest release on top and clear the fragments away."""
    fragments_by_kind = fragments(root / "changes")
    target = root / "CHANGELOG.md"
    older = target.read_text(encoding="utf-8").removeprefix(TITLE) if target.exists() else ""
    target.write_text(TITLE + section(version, day, fragments_by_kind) + older, encoding="utf-8")
    for path in (path for paths in fragments_by_kind.values() for path in paths):
        path.unlink()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("say the version: make changelog VERSION=0.2.0")
    release(Path(__file__).parents[1], sys.argv[1], datetime.now(UTC).date().isoformat())
