"""The drawings in the docs are those of the recipes, and each stands on its page."""

import html
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_every_design_is_drawn_from_its_recipe(root: Path, load: Callable[[Path], Any]) -> None:
    tool = load(root / "tools" / "designs.py")
    pictures = tool.pictures()
    page = (root / "docs" / "how-to" / "choose-a-design.md").read_text(encoding="utf-8")
    assert len(pictures) >= 10
    for path, value in pictures.items():
        text = path.read_text(encoding="utf-8") if path.exists() else "not there"
        assert text == value, f"{path}: if the drawing is wanted, run: make snapshot"
        assert f"(designs/{path.name})" in page, (
            f"docs/how-to/choose-a-design.md has no picture (designs/{path.name}): write a section "
            "about the design, and show it there"
        )
    drawings = {*(root / "docs" / "how-to" / "designs").iterdir()}
    assert drawings - {*pictures, tool.COMPARED} == set(), "no design is drawn so: delete these"
    result = tool.COMPARED.read_text(encoding="utf-8")
    assert str(tool.compared()) in html.unescape(result), "if it is wanted, run: make snapshot"
    assert f"(designs/{tool.COMPARED.name})" in page


@pytest.mark.long
def test_the_strip_is_drawn_as_its_page_says(root: Path, load: Callable[[Path], Any]) -> None:
    tool = load(root / "tools" / "designs.py")
    page = (root / "docs" / "how-to" / "when-people-do-not-comply.md").read_text(encoding="utf-8")
    text = tool.STRIP.read_text(encoding="utf-8")
    assert str(tool.strip()) in html.unescape(text), "if it is wanted, run: make snapshot"
    assert f"steps={len(tool.strip().noncompliant_share) - 1}).plot()" in page
    assert f"({tool.STRIP.name})" in page
