"""Measure the English of the documentation: python tools/english.py [PAGE ...].

For each page: words, sentences, words in a mean sentence, sentences of more than 35 words, and
turns of phrase that people read twice whose second language is English. `--list` prints them.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

ROOT = Path(__file__).parents[1]
LONG = 35
"""A sentence with more words than this is long."""

VERB = r"(?:is|are|was|were|do|does|did|has|have|can|could|may|will|would|must)"
TURNS = {
    "a sentence that begins with its genitive": r"^Of (?!course|\d|the \d)",
    "a subject that begins with who": r"^Who\b[^?:]*\b" + VERB + r"\b[^?:]*[.;]?$",
    "a clause as the subject, cut off by a comma": r"^What [^?,]{3,90}, " + VERB + r"\b",
    "a verb before its subject": r"(?:^|[;,:] )(?i:nor|neither|only then|only so|never|nowhere) "
    + VERB
    + r"\b (?!not)",
    "best without a verb": r"(?:^B|[;,:(] ?b)est (?:a|an|the|you|on|in|from|by)\b",
    "whom": r"(?<!for )(?<!to )\bwhom\b",
    "of which": r"\bof which\b",
    "told by": r"\b(?:is|are|was|were|be|been) told (?:by|from|as|off|of)\b",
    "which is what": r"\bwhich is what\b",
    "a right for nothing": r"\bfor which (?:nothing|none|no)\b",
    "a rare word": r"\b(?:lest|whence|anew|nought|wherein|thereof|whereof|whereupon|hitherto"
    r"|henceforth|heard of|foretold|forthwith|be had|next to be|none but|nothing but)\b",
}
"""What a page says in another way: the name of each turn, and how it is found in a sentence."""

FENCE = re.compile(r"^( *)(`{3,}|:{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
GENERATED = re.compile(r"^<!-- .*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
"""What a tool writes into a page, between marks."""

MARKUP = re.compile(r"^---\n.*?^---\n|<!--.*?-->|<[^>\n]+>", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?")
SPLIT = re.compile(r"(?<=[.!?])[”\"')*]*\s+(?=[\"“'(*`]*[A-Z])")
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.|>)\s+|^\s*\[[ x]\]\s+")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class English:
    """What the sentences of one page measure.

    Attributes
    ----------
    words, sentences : int
        In running text and lists, without code, tables and headings.
    long : tuple of str
        Sentences of more than 35 words.
    turns : tuple of (str, str)
        The name of each turn of phrase, and the sentence that has it.
    """

    words: int
    sentences: int
    long: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]

    @property
    def mean(self) -> float:
        """Words in a mean sentence."""
        return self.words / max(self.sentences, 1)


def measure(text: str) -> English:
    """Measure one page, given its Markdown."""
    prose, cells = split_page(text)
    counts = [len(re.findall(r"\S*\w\S*", sentence)) for sentence in prose]
    long = [sentence for sentence, count in zip(prose, counts, strict=True) if count > LONG]
    hits = [
        (name, sentence)
        for sentence in [*prose, *cells]
        for name, turn in TURNS.items()
        if re.search(turn, sentence)
    ]
    return English(words=sum(counts), sentences=len(prose), long=tuple(long), turns=tuple(hits))


def split_page(text: str) -> tuple[list[str], list[str]]:
    """Split a page into the sentences of its text, and its headings and cells of tables."""
    text = GENERATED.sub("", FENCE.sub("\n\n", text))
    text = MARKUP.sub("", re.sub(r"`[^`\n]+(?:\n[^`\n]+)?`", "Code", text))
    text = LINK.sub(r"\1", text)
    prose: list[str] = []
    cells: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        for piece in _pieces(block):
            if piece.startswith("#"):
                cells.append(piece.lstrip("# "))
            elif piece.startswith("|"):
                cells += [cell.strip() for cell in piece.strip("|").split("|") if cell.strip("- ")]
            else:
                prose += [
                    sentence
                    for sentence in SPLIT.split(piece)
                    if re.search(r"[A-Za-z]{2}", sentence)
                ]
    return prose, cells


def _pieces(block: str) -> Iterator[str]:
    """Join the lines of a block into its paragraphs, items, rows and headings."""
    current = ""
    for line in block.splitlines():
        starts = ITEM.match(line) or line.startswith(("|", "#"))
        if starts and current:
            yield current
            current = ""
        current = f"{current} {ITEM.sub('', line).strip()}".strip().replace("**", "")
    if current:
        yield current


def pages() -> list[Path]:
    """List the pages that are measured."""
    readmes = [ROOT / "README.md", ROOT / "js" / "README.md", ROOT / "r" / "README.md"]
    return [*readmes, *sorted((ROOT / "docs").rglob("*.md"))]


OTHER_TEXTS = ("respond", "wire")
"""Folders whose texts respondents read or forms hold."""

PRINTED = TURNS | {"whoever": r"(?i)\bwhoever\b", "bend": r"\bbends?\b"}
"""What the program prints in another way: TURNS, and words that have a standard one."""


FEWEST_WORDS = 4


def printed() -> Iterator[tuple[str, str, str]]:
    """List each turn in a sentence that the program prints: its file, its name, the sentence.

    These are the strings of the two packages and of their templates, of four words or more.
    """
    readers = {".py": code_strings, ".toml": _toml_strings, ".html": _html_strings}
    for path in sorted((ROOT / "src").glob("askance*/**/*.*")):
        if path.suffix not in readers or not set(path.parts).isdisjoint(OTHER_TEXTS):
            continue
        for text in readers[path.suffix](path.read_text("utf-8")):
            if len(text.split()) < FEWEST_WORDS:
                continue
            for sentence in SPLIT.split(" ".join(text.split())):
                for name, turn in PRINTED.items():
                    if re.search(turn, sentence):
                        yield str(path.relative_to(ROOT / "src")), name, sentence


def code_strings(source: str) -> Iterator[str]:
    """List the strings of Python code without its docstrings; what a blank fills is an ellipsis."""
    tree = ast.parse(source)
    stack: list[ast.AST] = [tree]
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    while stack:
        node = stack.pop()
        if id(node) in docstrings:
            continue
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
            yield "".join(map(str, parts))
        else:
            stack += ast.iter_child_nodes(node)


def _toml_strings(source: str) -> Iterator[str]:
    stack: list[Any] = [tomllib.loads(source)]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            stack += value.values() if isinstance(value, dict) else value


def _html_strings(source: str) -> Iterator[str]:
    yield from re.split(r"<[^>]*>|\{%.*?%\}", source)


def main(*arguments: str) -> None:
    """Print a line for each page, and a line for all."""
    chosen = [Path(name).resolve() for name in arguments if name != "--list"] or pages()
    total = [0, 0, 0, 0]
    print("   words  sentences   mean   long  turns")
    for page in chosen:
        figures = measure(page.read_text("utf-8"))
        row = figures.words, figures.sentences, len(figures.long), len(figures.turns)
        total = [sum(pair) for pair in zip(total, row, strict=True)]
        _print_row(*row, str(page.relative_to(ROOT)))
        if "--list" in arguments:
            print(*(f"      {name}: {sentence}" for name, sentence in figures.turns), sep="\n")
            print(*(f"      long: {sentence}" for sentence in figures.long), sep="\n")
    _print_row(*total, "all")


def _print_row(words: int, sentences: int, long: int, turns: int, page: str) -> None:
    print(f"{words:8,} {sentences:10,} {words / max(sentences, 1):6.1f} {long:6} {turns:6}  {page}")


if __name__ == "__main__":
    main(*sys.argv[1:])
