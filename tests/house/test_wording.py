"""Words and paths that have no place in the repository."""

import re
from pathlib import Path

import pytest

BANNED = {
    "how the text was made": r"\b(?=[aloctsd])(?:(?-i:A\.?I\b)|LLMs?\b|language model"
    r"|chat ?bot|copilot|(an?|the|this|our|sub-?|coding) ?agents?\b|coding assistant|co-authored)",
    "how the work was run": r"\b(?=[itamsh])(?:issue (item |number )?#?\d|(this|a|an earlier|my)"
    r" session\b|sub-?task\b|helper (session|person)|the brief\b|the lead\b)",
    "unfinished work": r"\b(?=[tfxwnpmi])(?:(?-i:(TODO|FIXME|XXX|WIP)\b)|NotImplementedError"
    r"|pytest\.skip|mark\.skip|mark\.xfail|importorskip)",
    "a path of one machine": r"(?<![\w.~>/:*-])/(root|work|home|Users|tmp)/\w",
    "a package registry": r"(?=[pnd/\"-])(?:pypi\.org|pythonhosted|npmjs|debian\.org|--index-url"
    r'|/simple/|"resolved"\s*:\s*"http)',
}
"""What none of our files says. Few places begin as a banned word does: only those are looked at."""

REMEDIES = {
    "how the text was made": "say it without",
    "how the work was run": "say what changes for users, and why, without",
    "unfinished work": "write what is missing, and take the mark out",
    "a path of one machine": "write it relative to the repository or to a temporary folder",
    "a package registry": "leave the address out: programs know their registry",
}

ELSEWHERE = r"\.\./shared"
AMERICAN = r"\b(behaviors?|neighbors?|analyze[ds]?|favors?|favorite|honors?|labeled|modeling)\b"


def matches(pattern: str, text: str) -> list[str]:
    return [match.group() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _scan(pattern: str, paths: list[Path], root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}: {word}"
        for path in paths
        if path != Path(__file__)
        for word in matches(pattern, path.read_text(encoding="utf-8"))
    ]


@pytest.mark.long
@pytest.mark.parametrize("kind", BANNED)
def test_nothing_speaks_of(kind: str, own_files: list[Path], root: Path) -> None:
    assert _scan(BANNED[kind], own_files, root) == [], REMEDIES[kind]


def test_nothing_outside_the_tests_looks_outside_the_repository(
    own_files: list[Path], root: Path
) -> None:
    inside = [path for path in own_files if root / "tests" not in path.parents]
    assert _scan(ELSEWHERE, inside, root) == [], "only tests may read data that lie beside"


def test_prose_is_british(own_files: list[Path], root: Path) -> None:
    prose = [path for path in own_files if path.suffix == ".md"]
    assert len(prose) > 5
    assert _scan(AMERICAN, prose, root) == [], "spell it as British English does"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("how the text was made", "an AI wrote this"),
        ("how the text was made", "the agents said"),
        ("how the work was run", "see issue 12"),
        ("unfinished work", "# TODO later"),
        ("a path of one machine", "open('/home/ada/x')"),
        ("a package registry", '"resolved": "https://x"'),
    ],
)
def test_broken_twins_are_caught(kind: str, text: str) -> None:
    assert matches(BANNED[kind], text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("how the text was made", "no address, no user agent; said, aid, AIC"),
        ("how the work was run", "an issue of 1978, held in sessionStorage"),
        ("a path of one machine", "examples/work/x, a/tmp/b, https://x.org/home/x"),
    ],
)
def test_ordinary_words_pass(kind: str, text: str) -> None:
    assert matches(BANNED[kind], text) == []
