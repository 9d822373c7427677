"""Every paper that is cited is listed, every listed one is cited, every symbol is explained."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

NAME = r"[A-ZÀ-ÞĀ-Ž][\wÀ-ÿ’'-]+"
CITED = re.compile(
    rf"({NAME}(?:(?:, and | and |, & | & |, ){NAME})*(?: et al\.)?),? \(?((?:17|18|19|20)\d\d)\b"
)
GREEK = re.compile(r"[α-ωΑ-Ω]")
MONTHS = {"January", "February", "March", "April", "May", "June", "July", "August", "Python"}


def entries(text: str) -> dict[str, tuple[set[str], str]]:
    """Read a bibliography: key to surnames and year.

    >>> entries("@article{warner1965, author = {Warner, Stanley L.}, year = {1965}}")
    {'warner1965': ({'Warner'}, '1965')}
    """
    result = {}
    for part in re.split(r"^@\w+", text, flags=re.MULTILINE)[1:]:
        key = part[1:].split(",", 1)[0].strip()
        author = re.search(r"author\s*=\s*{(.*?)}", part, re.DOTALL)
        year = re.search(r"year\s*=\s*{(\d{4})}", part)
        assert author is not None, key
        assert year is not None, key
        names = {name.split(",")[0].strip() for name in re.split(r"\s+and\s+", author[1])}
        result[key] = (names, year[1])
    return result


def citations(text: str) -> Iterator[tuple[set[str], str]]:
    """Find "Surname and Surname (year)" in running words.

    >>> [(sorted(names), year) for names, year in citations("as Li, Zhou and Xu (2022) say")]
    [(['Li', 'Xu', 'Zhou'], '2022')]
    """
    for match in CITED.finditer(text):
        names = {
            name for name in re.split(r", and | and |, & | & |, ", match[1]) if name not in MONTHS
        }
        if names:
            yield {re.sub(r" et al\.$|['’]s$", "", name) for name in names}, match[2]


@pytest.fixture(scope="module")
def words(root: Path, statements: dict[str, list[ast.AST]]) -> dict[str, str]:
    """Collect running words: pages and docstrings."""
    pages = [root / "README.md", *(root / "docs").rglob("*.md")]
    result = {str(page.relative_to(root)): page.read_text(encoding="utf-8") for page in pages}
    holders = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for path, nodes in statements.items():
        docstrings = [ast.get_docstring(node) for node in nodes if isinstance(node, holders)]
        result[path] = "\n\n".join(docstring for docstring in docstrings if docstring)
    return result


def test_sources_and_citations_agree(root: Path, words: dict[str, str]) -> None:
    listed = entries((root / "docs" / "references.bib").read_text(encoding="utf-8"))
    used: set[str] = set()
    unknown = []
    for where, text in words.items():
        for names, year in citations(" ".join(text.split())):
            keys = {
                key
                for key, (expected, index) in listed.items()
                if index == year and names & expected
            }
            used |= keys
            if not keys:
                unknown.append(f"{where}: {sorted(names)} {year}")
    assert unknown == [], "add an entry for each to docs/references.bib, or correct name and year"
    assert set(listed) - used == set(), (
        "docs/references.bib has entries that no page and no docstring cites: cite or delete them"
    )


def test_every_symbol_is_explained(root: Path, words: dict[str, str]) -> None:
    page = (root / "docs" / "notation.md").read_text(encoding="utf-8")
    explained = {
        sign
        for line in page.splitlines()
        if line.startswith("|")
        for sign in GREEK.findall(line.split("|")[1])
    }
    used = {
        sign
        for where, text in words.items()
        if where != "docs/notation.md"
        for sign in GREEK.findall(text)
    }
    assert used - explained == set(), "add a row for each symbol to docs/notation.md"
    assert explained - used == set(), "docs/notation.md: nobody uses these, delete their rows"
