"""The threat model names tests that exist, and known weaknesses point to its rows and back."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path("docs") / "explanation"
ROW = re.compile(r'^\| <a id="(\w+)"></a>\w+ ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$', re.M)
LABEL = re.compile(r"\[([^\]]+)\](?![(:])")
DEFINED = re.compile(r'^\[([^\]]+)\]: (\S+)(?: "([^"]+)")?$', re.M)
WEAKNESS = re.compile(r"weaknesses\.md#([\w-]+)")


def _text(root: Path, page: str) -> str:
    return (root / FOLDER / f"{page}.md").read_text(encoding="utf-8")


def slug(heading: str) -> str:
    """Name a heading as links do."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def bad_names(threats: str, root: Path) -> list[str]:
    """List labels without a definition or the other way round, and tests that are not there."""
    defined = {label: (path, test) for label, path, test in DEFINED.findall(threats)}
    used = set(LABEL.findall(DEFINED.sub("", threats)))
    ordered = sorted(used ^ set(defined))
    for label, (link, test) in defined.items():
        path = (root / FOLDER / link).resolve()
        named, _, function = test.partition("::")
        if not path.is_file() or (test and path != (root / named).resolve()):
            ordered.append(f"{label}: {link}")
        elif function and function not in _functions(path):
            ordered.append(f"{label}: {test}")
    return ordered


@cache
def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def bad_rows(threats: str) -> list[str]:
    """List rows that are missing, show nothing, or are summed up by another word."""
    matrix = [line for line in threats.splitlines() if line.startswith(("| attacker |", "| ["))]
    things = [cell.strip() for cell in matrix[0].strip("|").split("|")[1:]]
    words = {
        index: word
        for line in matrix[1:]
        for word, index in re.findall(r"\[([\w ]+)\]\(#(\w+)\)", line)
    }
    result = []
    rows = {index: cells for index, *cells in ROW.findall(threats)}
    sections = re.split(r"^## ", threats, flags=re.M)[1:]
    for part in sections:
        listed = [item for _, item, *_ in ROW.findall(part)]
        result += [part.splitlines()[0]] if listed != things else []
    for name, (_, holds, displayed, remains) in rows.items():
        is_held = not WEAKNESS.search(remains)
        word = "open" if holds == "Nothing." else "held" if is_held else "in part"
        result += [f"{name}: {word}"] if words.get(name) != word else []
        result += [f"{name}: what remains"] if is_held and remains != "Nothing known." else []
        shows, why = bool(LABEL.search(displayed)), displayed.startswith("no test: ")
        result += [f"{name}: {displayed}"] if shows == why else []
    return result + sorted(
        set(words) - set(rows) - {slug(part.splitlines()[0]) for part in sections}
    )


def bad_weaknesses(threats: str, weaknesses: str) -> list[str]:
    """List weaknesses that are in no row, or do not name just the rows that they are in."""
    rows: dict[str, list[str]] = {}
    for index, *cells in ROW.findall(threats):
        for name in WEAKNESS.findall(cells[-1]):
            rows.setdefault(name, []).append(index)
    result: dict[str, list[str]] = {}
    for part in re.split(r"^##+ ", weaknesses, flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        if body.strip():
            result[slug(heading) + " again" * (slug(heading) in result)] = re.findall(
                r"\(threats\.md#(\w+)\)", body
            )
    return sorted(
        name for name in rows.keys() | result.keys() if rows.get(name) != result.get(name)
    )


def test_every_test_and_file_that_is_named_exists(root: Path) -> None:
    assert bad_names(_text(root, "threats"), root) == [], (
        "docs/explanation/threats.md: define each label at its end, as a test that exists, and use "
        "each that is defined"
    )


def test_every_attacker_has_every_row(root: Path) -> None:
    threats = _text(root, "threats")
    assert bad_rows(threats) == [], (
        "docs/explanation/threats.md: each attacker has a row for each thing of the matrix, in its "
        "order; the matrix says held, in part or open as the row does; each row names a test, or "
        "says `no test: ` and why"
    )
    assert len(ROW.findall(threats)) >= 60


def test_weaknesses_and_rows_point_to_each_other(root: Path) -> None:
    weaknesses = bad_weaknesses(_text(root, "threats"), _text(root, "weaknesses"))
    assert weaknesses == [], (
        "docs/explanation: each weakness links the rows of threats.md that it is in, in their "
        "order, and these rows link it"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("::test_every_body_has_one_length_and_is_read_back", "::test_that_is_gone"),
        ("tests/wire/test_report.py ", "tests/wire/test_gone.py "),
        ("[one size],", "[two sizes],"),
        ("[one size], ", ""),
    ],
)
def test_a_name_that_leads_nowhere_is_caught(root: Path, old: str, new: str) -> None:
    threats = _text(root, "threats")
    assert threats.count(old) == 1
    assert bad_names(threats.replace(old, new), root) != []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"^\| <a id=\"n3\">.*\n", ""),
        (r"\[open\]\(#n2\)", "[held](#n2)"),
        (r"(id=\"n3\".*)Nothing known\.", r"\1Something."),
        (r"(id=\"n3\".*)\[the bytes[^|]*\|", r"\1none |"),
        (r"no test: [^|]*\|", "no test |"),
    ],
)
def test_a_row_that_says_too_little_is_caught(root: Path, old: str, new: str) -> None:
    threats = _text(root, "threats")
    broken = re.sub(old, new, threats, flags=re.M)
    assert broken != threats
    assert bad_rows(broken) != []


@pytest.mark.parametrize(
    ("page", "old", "new"),
    [
        ("threats", "weaknesses.md#timing", "weaknesses.md#the-time"),
        ("weaknesses", "### Timing", "### The time"),
        ("weaknesses", "(threats.md#n1)", "(threats.md#n2)"),
        ("weaknesses", "## Repeating\n", "### Timing\n\nRows: [N1](threats.md#n1).\n"),
        ("weaknesses", "## Taking part\n", "## Taking part\n\n### New\n\nA weakness.\n"),
    ],
)
def test_a_weakness_without_its_row_is_caught(root: Path, page: str, old: str, new: str) -> None:
    pages = {name: _text(root, name) for name in ("threats", "weaknesses")}
    assert old in pages[page]
    pages[page] = pages[page].replace(old, new)
    assert bad_weaknesses(pages["threats"], pages["weaknesses"]) != []
