"""The notebooks of the docs show what their cells print and draw today."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest


def _words(outputs: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is printed or told of a cell; a picture is told by its kind."""
    return [
        "".join(output["text"] if "text" in output else output["data"]["text/plain"])
        for output in outputs
    ]


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
        pictures = [
            item for cell in again["cells"] for item in cell.get("outputs", []) if "data" in item
        ]
        assert "image/svg+xml" in pictures[-1]["data"]


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
