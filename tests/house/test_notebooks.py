"""The notebooks and figures of the docs show what their code prints and draws today."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest


def _words(outputs: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is printed or told of a cell; a picture is told by its kind."""
    return [
        "".join(output["text"] if "text" in output else output["data"]["text/plain"])
        for output in outputs
    ]


def _pictures(outputs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Give the pictures of a cell."""
    key = "image/svg+xml"
    return ["".join(item["data"][key]) for item in outputs if key in item.get("data", {})]


def _assert_same_picture(old: str, new: str, name: str) -> None:
    """Compare two pictures: the same parts, at the same places to a hundredth of a point."""
    parts = [
        re.split(r"(-?\d+\.\d+)", re.sub(r"\b[a-z][0-9a-f]{10}\b", "", picture))
        for picture in (old, new)
    ]
    is_same = parts[0][::2] == parts[1][::2] and np.allclose(
        *(np.array(part[1::2], dtype=float) for part in parts), rtol=0, atol=0.01
    )
    assert is_same, f"{name}: if it is wanted, run: make snapshot"


@pytest.mark.long
def test_the_figures_for_print_are_drawn_as_they_are_today(
    root: Path,
    load: Callable[[Path], Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tool = load(root / "tools" / "print_figures.py")
    folder = tool.FOLDER
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    tool.draw_figures()
    for name in tool.NAMES.values():
        paths = (place / f"{name}.svg" for place in (folder, tmp_path))
        _assert_same_picture(*(path.read_text("utf-8") for path in paths), name)


@pytest.mark.long
def test_a_notebook_shows_what_its_cells_say(root: Path, load: Callable[[Path], Any]) -> None:
    tool = load(root / "tools" / "notebook.py")
    assert tool.PAGES
    for page in tool.PAGES:
        document = json.loads(page.read_text(encoding="utf-8"))
        again = json.loads(tool.rewritten(page))
        for old, new in zip(document["cells"], again["cells"], strict=True):
            value, now = old.get("outputs", []), new.get("outputs", [])
            assert _words(value) == _words(now), f"{page}: if it is wanted, run: make snapshot"
            pictures = zip(*(map(_pictures, (value, now))), strict=True)
            for earlier, later in pictures:
                _assert_same_picture(earlier, later, page.name)
        assert any(_pictures(cell.get("outputs", [])) for cell in again["cells"])


def test_cells_show_their_last_value_and_what_they_print(
    root: Path, load: Callable[[Path], Any]
) -> None:
    tool = load(root / "tools" / "notebook.py")
    cells = [
        {"cell_type": "code", "source": ["a = 2\n", "print(a)\n", "a * 3"]},
        {"cell_type": "markdown", "source": ["a"]},
        {"cell_type": "code", "source": ["a = a"]},
    ]
    plt.figure()  # left open by somebody else
    assert list(map(_words, tool.run_cells(cells))) == [["2\n", "6"], [], []]
