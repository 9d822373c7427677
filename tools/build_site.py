"""Build the documentation as a site: python tools/build_site.py [FOLDER].

It needs no server and asks nothing of one: the folder can be copied, sent, or opened from a disk.
The pages are those of `docs/`, in the order of `docs/README.md`; the reference of Python names is
made from the docstrings, a page for each idea of a room.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, final

import site_pictures
from public_api import rooms

import askance

ROOT = Path(__file__).parents[1]
DOCS, OUT = ROOT / "docs", ROOT / "out" / "site"
SOURCE = ROOT / "build" / "site"
OWN = DOCS / "site"
PAPERS = ROOT / "papers" / "README.md"
"""What only the site has: its front page, its settings, its looks."""

LINK = re.compile(
    r"(?m)(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)(?=[#)])"
    r"|(?<=^\[)([^\]\n]+\]: )(?!https?:|#)([^#\s]+)"
)
"""What a page links to: in the text, or in a list at its end."""
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
TITLED = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)
LISTED = re.compile(r"\[([^\]]+)\]\(([^)#]+)\)")


def main(folder: Path = OUT) -> None:
    """Lay out the pages, and let Sphinx build them; a warning is an error."""
    lay_out()
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2"]
    subprocess.run([*command, "-d", SOURCE.with_name("site-read"), SOURCE, folder], check=True)  # noqa: S603  our own
    shutil.rmtree(folder / ".doctrees", ignore_errors=True)
    (folder / ".buildinfo").unlink(missing_ok=True)
    print(f"wrote {folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder}/index.html")


def lay_out() -> None:
    """Write what Sphinx reads: each page with its links turned, and the pages that are made."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(DOCS, SOURCE, ignore=shutil.ignore_patterns("site", "README.md"))
    for path in (ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        shutil.copy(path, SOURCE / path.name.lower())
    shutil.copy(PAPERS, SOURCE / "papers.md")
    shutil.copytree(OWN, SOURCE, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.js"))
    bundle(SOURCE / "_static" / "site.js")
    shutil.copy(OWN / "scorer.js", SOURCE)
    for page in sorted(set(SOURCE.rglob("*.md")) - {SOURCE / "index.md"}):
        terms = searches().get(page.relative_to(SOURCE).as_posix(), ())
        page.write_text(index_page(turned(page), terms), encoding="utf-8")
    for notebook in sorted(SOURCE.rglob("*.ipynb")):
        notebook.with_suffix(".md").write_text(read_notebook(notebook), encoding="utf-8")
        notebook.unlink()
    contents = [part.directive() for part in parts()]
    site_pictures.main(SOURCE, SOURCE / "_static" / "pictures")
    front = SOURCE / "index.md"
    text, mark, after = front.read_text("utf-8").partition("```{toctree}")
    front.write_text("\n".join([text, *contents, mark + after]), encoding="utf-8")
    write_reference()


def searches() -> dict[str, list[str]]:
    """Read for each page the searches that must find it first."""
    return tomllib.loads((OWN / "searches.toml").read_text("utf-8"))


def index_page(text: str, terms: Sequence[str]) -> str:
    """Enter a page into the index under the searches that must find it, below its title."""
    if not terms:
        return text
    title, line, rest = text.partition("\n")
    entries = ", ".join(f"! {term}" for term in terms)
    return f"{title}{line}\n```{{index}} {entries}\n```\n{rest}"


def bundle(path: Path) -> None:
    """Make one classic script of ours and the respondent's: a folder on a disk loads no modules."""
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    command = [
        esbuild,
        OWN / "site.js",
        "--bundle",
        "--minify",
        "--charset=utf8",
        f"--outfile={path}",
    ]
    subprocess.run([*command, "--log-level=warning"], check=True)  # noqa: S603  our own


def home_of(page: Path) -> Path:
    """Say where in the repository a page that was laid out comes from."""
    inside = page.relative_to(SOURCE)
    if inside.parts[0] in ("contributing.md", "changelog.md"):
        return ROOT / f"{inside.stem.upper()}.md"
    if inside.parts[0] == "papers.md":
        return PAPERS
    return DOCS / inside


def turned(page: Path) -> str:
    """Turn the links of a page that lead out of `docs/`, and the titles of its blocks.

    The empty line that ends an example for the tests is left out.
    """
    home = home_of(page)

    def link(match: re.Match[str]) -> str:
        target = (home.parent / (match[1] or match[3])).resolve()
        return (match[2] or "") + os.path.relpath(placed(target), page.parent)

    pieces = FENCED.split(page.read_text("utf-8"))
    return "".join(
        TITLED.sub(r"```{code-block} \1\n:caption: \2\n", piece.replace("\n\n```", "\n```"))
        if i % 2
        else LINK.sub(link, piece)
        for i, piece in enumerate(pieces)
    )


def placed(target: Path) -> Path:
    """Say where a file of the repository stands on the site; what is no page is carried along."""
    if target in (ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        return SOURCE / target.name.lower()
    if target == PAPERS:
        return SOURCE / "papers.md"
    if target in (ROOT / "README.md", DOCS / "README.md"):
        return SOURCE / "index.md"
    if target.is_relative_to(DOCS):
        return SOURCE / target.relative_to(DOCS).with_suffix(
            ".md" if target.suffix == ".ipynb" else target.suffix
        )
    copy = SOURCE / "files" / target.relative_to(ROOT)
    if target.is_dir():
        return _listed(target, SOURCE / "folders" / target.relative_to(ROOT) / "index.md")
    if copy.suffix == ".md":
        copy = copy.with_suffix(".txt")
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(target, copy)
    return copy


def _listed(folder: Path, page: Path) -> Path:
    """Make a page that lists the files of a folder, each to take away."""
    files = [
        file
        for file in sorted(folder.iterdir())
        if file.is_file() and not file.name.startswith(".")
    ]
    lines = [f"- [{file.name}]({os.path.relpath(placed(file), page.parent)})" for file in files]
    page.parent.mkdir(parents=True, exist_ok=True)
    head = (
        f"---\norphan: true\n---\n\n# {folder.relative_to(ROOT)}/\n\nFiles of the repository.\n\n"
    )
    page.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    return page


def read_notebook(path: Path) -> str:
    """Write a notebook as a page: its text, its code, and what that said when it last ran."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n\n".join(piece for cell in cells for piece in _render_output(cell)) + "\n"


def _render_output(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text", "")})
        if "image/png" in data:
            image = data["image/png"].strip()
            yield f'<img alt="what the code above drew" src="data:image/png;base64,{image}">'
        else:
            yield f"```text\n{''.join(data['text/plain'])}\n```"


@final
@dataclass(frozen=True, slots=True)
class Part:
    """One heading of the list of pages, and what stands under it."""

    title: str
    pages: tuple[tuple[str, str], ...]

    def directive(self) -> str:
        """Write it for the bar at the side."""
        lines = [f"{title} <{page}>" for title, page in self.pages]
        head = ["```{toctree}", ":hidden:", f":caption: {self.title}", ""]
        return "\n".join([*head, *lines, "```", ""])


def parts() -> Iterator[Part]:
    """Read the list of pages in `docs/README.md`: a part for each of its kinds."""
    text = (DOCS / "README.md").read_text("utf-8")
    for piece in text.split("\n## ")[1:]:
        title, _, body = piece.partition("\n")
        links = [(name, path) for name, path in LISTED.findall(body) if not path.startswith("../")]
        pages = [
            (name[0].upper() + name[1:], Path(path).with_suffix("").as_posix())
            for name, path in links
        ]
        if title == "Look something up":
            pages += [
                ("Python, by room", "api/index"),
                ("Glossary", "glossary"),
                ("Notation", "notation"),
            ]
        if title == "Understand":
            pages.append(("The three papers, reproduced", "papers"))
            pages += [("Contributing", "contributing"), ("Changes", "changelog")]
        yield Part(title, tuple(pages))


def write_reference() -> None:
    """Write a page for each room and one for each of its ideas, to be filled from docstrings."""
    entries = []
    for room, module in sorted(rooms().items()):
        ideas = _ideas(module)
        for idea, names in ideas.items():
            _write_idea(room, idea, names)
        listed = "\n".join(f"   {idea}" for idea in ideas)
        page = (
            f"{room}\n{'=' * len(room)}\n\n.. automodule:: askance.{room}\n   :no-members:\n\n"
            f".. toctree::\n   :maxdepth: 2\n\n{listed}\n"
        )
        _write(f"api/{room}/index.rst", page)
        entries.append(f"   {room}/index")
    intro = (
        "Python, by room\n===============\n\n"
        "``import askance as ak`` is the only import. Each room (subpackage) has a page for each "
        "of its files, with the formula, the source and an example of every public name. See also "
        ":doc:`all names on one page </reference/python>`.\n\n.. toctree::\n   :maxdepth: 1\n\n"
    )
    _write("api/index.rst", intro + "\n".join(entries) + "\n")


def _ideas(module: ModuleType) -> dict[str, list[str]]:
    """Give a room's public names by the file that each stands in."""
    pages: dict[str, list[str]] = {}
    for name in module.__all__:
        home = getattr(getattr(module, name), "__module__", module.__name__)
        pages.setdefault(
            home.rpartition(".")[2] if home.startswith("askance.") else "names", []
        ).append(name)
    return dict(sorted(pages.items()))


def _write_idea(room: str, idea: str, names: list[str]) -> None:
    """Write the page of one file: what it says of itself, then its public names."""
    home = getattr(getattr(getattr(askance, room), names[0]), "__module__", "")
    title = idea.replace("_", " ")
    lines = [title, "=" * len(title), ""]
    if home.startswith("askance."):
        lines += [f".. automodule:: {home}", "   :no-members:", "   :no-index:", ""]
    for name in names:
        member = getattr(getattr(askance, room), name)
        kind = "class" if isinstance(member, type) else "function" if callable(member) else "data"
        lines += [f".. auto{kind}:: askance.{room}.{name}", ""]
    _write(f"api/{room}/{idea}.rst", "\n".join(lines))


def _write(path: str, text: str) -> None:
    page = SOURCE / path
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
