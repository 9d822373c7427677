"""Look at the built site as a reader does, from the folder: python tools/check_site.py [FOLDER].

Every link of every page leads somewhere; no page asks anything of another machine; nothing is wider
than a telephone; each search of `docs/site/searches.toml` finds its page first; odds and the way of
asking work; and every public name tells what it must.
"""

import dataclasses
import inspect
import re
import shutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, final
from urllib.parse import quote, unquote, urldefrag, urlsplit

from build_site import OUT, ROOT, searches
from playwright.sync_api import Page, sync_playwright
from public_api import public

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LOOKED_AT = (
    "index.html",
    "gallery.html",
    "mechanisms.html",
    "tutorials/turn-the-odds.html",
    "how-to/which-way-of-asking.html",
    "how-to/choose-a-design.html",
    "explanation/threats.html",
    "api/inference/npmle.html",
)
"""Pages that are looked at closely: axe-core, both widths, light and dark."""

WIDTHS = 360, 1280
AUDIT = """axe.run(document.querySelector("article"), {
  preload: false, rules: {"definition-list": {enabled: false}}
})"""
"""Sphinx wraps the parts of its lists; style sheets of a folder cannot be asked for."""


def main(folder: Path = OUT) -> int:
    """Print what was found, and say by the exit status whether anything is wrong."""
    pages = sorted(folder.rglob("*.html"))
    if not pages:
        sys.exit(f"{folder}: no site is there; run: make docs")
    read = {page: Anchors.of(page) for page in pages}
    wrong = [*broken_links(read), *looked_at(folder, pages), *untold()]
    print("\n".join(wrong))
    links = sum(len(page.links) for page in read.values())
    print(f"{len(pages)} pages, {links} links, {len(wrong)} faults")
    return bool(wrong)


@final
class Anchors(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()

    @classmethod
    def of(cls, page: Path) -> "Anchors":
        """Read a page."""
        parser = cls()
        parser.feed(page.read_text("utf-8"))
        return parser

    def handle_starttag(self, _: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep every address and every name."""
        attributes = dict(attrs)
        self.links += [
            address for name in ("href", "src", "srcset") if (address := attributes.get(name))
        ]
        self.ids |= {address for name in ("id", "name") if (address := attributes.get(name))}


def broken_links(read: dict[Path, Anchors]) -> Iterator[str]:
    """Name each link to a page, a file or a place in a page that is not there."""
    for page, page_links in read.items():
        for link in page_links.links:
            path, fragment = urldefrag(link)
            if urlsplit(link).scheme in ("http", "https", "mailto", "data"):
                continue
            target = (page.parent / unquote(path).partition("?")[0]).resolve() if path else page
            if not target.exists():
                yield f"{page.relative_to(OUT)}: {link}: no such file"
            elif fragment and target in read and unquote(fragment) not in read[target].ids:
                yield f"{page.relative_to(OUT)}: {link}: no such place"


def looked_at(folder: Path, pages: list[Path]) -> Iterator[str]:
    """Open every page in a browser, some of them narrow and wide, light and dark."""
    browser = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        tab = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page()
        requests: list[str] = []
        faults: list[str] = []
        tab.on("request", lambda request: requests.append(request.url))
        tab.on("console", lambda message: faults.append(f"{tab.url}: {message.text}"))
        tab.on("pageerror", lambda error: faults.append(f"{tab.url}: {error}"))
        for page in pages:
            tab.goto(page.as_uri())
        for name in LOOKED_AT:
            yield from _closely(tab, folder / name)
        yield from _searched(tab, folder)
        yield from _used(tab, folder)
    outside = [url for url in requests if not url.startswith(("file:", "data:"))]
    print(f"{len(requests)} requests, {len(outside)} of them to another machine")
    yield from faults
    yield from (f"asked of another machine: {url}" for url in outside)


def _closely(tab: Page, page: Path) -> Iterator[str]:
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            tab.set_viewport_size({"width": width, "height": 800})
            tab.emulate_media(color_scheme=scheme)
            tab.goto(page.as_uri())
            view = f"{page.relative_to(OUT)} at {width} px, {scheme}"
            if (wide := tab.evaluate("document.documentElement.scrollWidth")) > width:
                yield f"{view}: {wide} px wide"
            tab.add_script_tag(path=AXE)
            for violation in tab.evaluate(AUDIT)["violations"]:
                yield f"{view}: {violation['id']}: {violation['nodes'][0]['html'][:90]}"


def _searched(tab: Page, folder: Path) -> Iterator[str]:
    """Search for each term of `docs/site/searches.toml`, and name those that miss their page."""
    for page, terms in searches().items():
        expected = Path(page).with_suffix(".html").as_posix()
        for term in terms:
            tab.goto((folder / "search.html").as_uri() + f"?q={quote(term)}")
            first = tab.locator("#search-results li a").first
            first.wait_for()
            target = (first.get_attribute("href") or "").partition("#")[0]
            if target != expected:
                yield f"searching {term!r} finds {target} first, not {expected}"


def _used(tab: Page, folder: Path) -> Iterator[str]:
    """Search, turn the odds and go a way, as a reader does."""
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto((folder / "search.html").as_uri() + "?q=crosswise")
    tab.locator("#search-results li").first.wait_for()
    tab.goto((folder / "tutorials/turn-the-odds.html").as_uri())
    sentence = tab.locator("#odds .told").inner_text()
    if "6 times as likely" not in sentence or "75.0\N{NO-BREAK SPACE}%" not in sentence:
        yield f"the odds tell: {sentence}"
    tab.locator("#odds input").nth(1).fill("30")
    if "2 times as likely" not in (sentence := tab.locator("#odds .told").inner_text()):
        yield f"the odds, turned, tell: {sentence}"
    tab.goto((folder / "how-to/which-way-of-asking.html").as_uri())
    for step in ("Yes or no", "Those who say either", "From the respondent", "That nobody guesses"):
        tab.get_by_role("link", name=step).click()
    headings = tab.locator("article h2:visible").all_inner_texts()
    if len(headings) != 1 or not headings[0].startswith("Tell the truth or be silent"):
        yield f"the way of asking ends at {headings}"


def untold() -> Iterator[str]:
    """Name each public thing whose docstring lacks a part that it must have."""
    lacking = [fault for path, member in public().items() for fault in _lacking(path, member)]
    print(f"{len(lacking)} parts of docstrings are missing")
    yield from lacking


def _lacking(path: str, member: Any) -> Iterator[str]:
    text = inspect.getdoc(member) or ""
    if not text:
        yield f"{path}: no docstring"
    if inspect.isfunction(member) or inspect.isclass(member):
        words = set(re.findall(r"\w+", text))
        yield from (
            f"{path}: {name} is not told" for name in _signature(member) if name not in words
        )


def _signature(member: Any) -> list[str]:
    if inspect.isclass(member):
        if dataclasses.is_dataclass(member):
            return [
                field.name
                for field in dataclasses.fields(member)
                if field.init and field.name[0] != "_"
            ]
        return []
    return [name for name in inspect.signature(member).parameters if name not in ("self", "cls")]


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
