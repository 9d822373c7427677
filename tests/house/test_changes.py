"""Every change is told in a fragment, and the fragments assemble."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_the_fragments_are_named_and_worded(root: Path, load: Callable[[Path], Any]) -> None:
    fragments_result = load(root / "tools" / "changelog.py").fragments(root / "changes")
    for path in (path for paths in fragments_result.values() for path in paths):
        text = path.read_text(encoding="utf-8").strip()
        assert text.endswith("."), f"{path}: end it with a full stop"
        assert 3 <= len(text.split()) <= 80, f"{path}: write 3 to 80 words from the user's side"


def test_a_release_takes_the_fragments(tmp_path: Path, root: Path, load: Any) -> None:
    tool = load(root / "tools" / "changelog.py")
    changes = tmp_path / "changes"
    changes.mkdir()
    (changes / "README.md").write_text("stays", encoding="utf-8")
    for area, result in (("collect", "A store."), ("ask", "A page\nfor people.")):
        (changes / area).mkdir()
        (changes / area / "new.added.md").write_text(f"{result}\n", encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.1.0 (2020-01-01)\n", "utf-8")
    tool.release(tmp_path, "0.2.0", "2021-02-03")
    assert (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8") == (
        "# Changelog\n\n## 0.2.0 (2021-02-03)\n\n### Added\n\nAsking\n\n- A page for people.\n"
        "\nCollecting\n\n- A store.\n"
        "\n## 0.1.0 (2020-01-01)\n"
    )
    assert [path.name for path in changes.rglob("*.md")] == ["README.md"]


def test_a_badly_named_fragment_is_refused(tmp_path: Path, root: Path, load: Any) -> None:
    (tmp_path / "page.md").touch()
    with pytest.raises(ValueError, match=r"page\.md: call it"):
        load(root / "tools" / "changelog.py").fragments(tmp_path)
    (tmp_path / "page.md").unlink()
    (tmp_path / "attic").mkdir()
    (tmp_path / "attic" / "page.added.md").touch()
    with pytest.raises(ValueError, match="area one of"):
        load(root / "tools" / "changelog.py").fragments(tmp_path)
