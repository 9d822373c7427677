"""Assemble the fragments in ``changes/`` into ``CHANGELOG.md``: ``changelog.py VERSION``."""

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

KINDS = ("added", "changed", "deprecated", "removed", "fixed", "security")
FRAGMENT = re.compile(rf"[a-z0-9-]+\.({'|'.join(KINDS)})\.md")
TITLE = "# Changelog\n"


def fragments(folder: Path) -> dict[str, list[Path]]:
    """Sort the fragments by kind; refuse a name that says no kind."""
    found: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        name = FRAGMENT.fullmatch(path.name)
        if name is None:
            raise ValueError(f"{path.name}: call it <topic>.<kind>.md, kind one of {KINDS}")
        found[name[1]].append(path)
    return found


def section(version: str, day: str, found: dict[str, list[Path]]) -> str:
    """Write one release."""
    parts = [f"\n## {version} ({day})\n"]
    for kind, paths in found.items():
        if paths:
            told = [" ".join(path.read_text(encoding="utf-8").split()) for path in paths]
            parts.append(f"\n### {kind.capitalize()}\n\n" + "".join(f"- {one}\n" for one in told))
    return "".join(parts)


def release(root: Path, version: str, day: str) -> None:
    """Put the newest release on top and clear the fragments away."""
    found = fragments(root / "changes")
    target = root / "CHANGELOG.md"
    older = target.read_text(encoding="utf-8").removeprefix(TITLE) if target.exists() else ""
    target.write_text(TITLE + section(version, day, found) + older, encoding="utf-8")
    for path in (path for paths in found.values() for path in paths):
        path.unlink()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("say the version: make changelog VERSION=0.2.0")
    release(Path(__file__).parents[1], sys.argv[1], datetime.now(UTC).date().isoformat())
