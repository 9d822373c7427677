"""A new design is enrolled where all others are: the places are there, and what is written fits."""

import ast
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    "words",
    [
        ["LiuChow", "truth shares:", "several"],
        ["Moors", "truth", "two"],
        ["Abernathy", "shares:", ""],
    ],
)
def test_every_enrolment_is_written(
    words: list[str], tmp_path: Path, root: Path, load: Callable[[Path], Any]
) -> None:
    tool = load(root / "tools" / "new_design.py")
    before = {path: (root / path).read_text(encoding="utf-8") for path in tool.TOUCHED}
    for path, text in before.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / "changes" / "ask").mkdir(parents=True)
    tool.ROOT = tmp_path
    design = tool.read(words)
    for enrol in (tool.enrol_in_python, tool.enrol_in_pages, tool.enrol_in_r):
        enrol(design)
    written = {path: (tmp_path / path).read_text(encoding="utf-8") for path in tool.TOUCHED}
    assert [path for path in written if written[path] == before[path]] == []
    assert [path.name for path in (tmp_path / "changes" / "ask").iterdir()] == [
        f"{design.places()['flag']}.added.md"
    ]
    spellings = (design.name, design.key, design.places()["flag"])
    for path in written:
        assert any(spelling in written[path] for spelling in spellings), path
        if path.endswith(".py"):
            ast.parse(written[path])
        if path.endswith(".toml"):
            tomllib.loads(written[path])
    words_of_methods = tomllib.loads(written[tool.METHODS])
    for table in ("mechanism", "procedure", "mechanism_source"):
        assert design.key in words_of_methods[table]


def test_a_design_without_a_name_of_a_class_is_refused(root: Path, load: Any) -> None:
    tool = load(root / "tools" / "new_design.py")
    for words in (["liu-chow"], [""], ["LiuChow", "truth", "three"]):
        with pytest.raises(SystemExit, match="NAME=LiuChow"):
            tool.read(words)
