"""How a page becomes one file: parts that a build made, chosen by their imports and joined.

``tools/page_parts.mjs`` makes a part of each module, worker and style with esbuild, and writes down
what it imports, its SHA-256, and that of its source. Here parts are chosen and joined, and no
JavaScript is read: a part is whole statements of one scope, in which no name is declared twice.
Names were shortened over all parts of a build, so that only parts of one build fit each other.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, final

from askance_collect.errors import DocumentError
from askance_collect.wire.canonical_json import canonical, fingerprint


@final
@dataclass(frozen=True, slots=True)
class PagePart:
    """What one source of the page is built to.

    Attributes
    ----------
    path : str
        That of its source in this room.
    code : str
        Of a module, one statement a line.
    imports : tuple of str
        The modules that it stands on, by their paths.
    names : frozenset of str
        What it may say of the page's words, among other names.
    build : str
        Of a module, the SHA-256 of all modules as they were built together.
    source_map : Mapping
        Of a module, where each place of its lines comes from (version 3).
    """

    path: str
    code: str
    imports: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    build: str = ""
    source_map: Mapping[str, Any] = field(default_factory=dict, repr=False)


def read_part(path: str) -> PagePart:
    """Read a built part, and compare it and its source with what the build wrote down.

    Raises
    ------
    DocumentError
        If the part is not as it was built, or its source has changed since.

    >>> read_part("browser/sets.js").imports
    ('browser/speech.js',)
    """
    try:
        return _checked_part(
            path, source(path), source(f"built/{path}"), source(f"built/{path}.json")
        )
    except FileNotFoundError as error:
        raise _unusable(f"built/{path}", "no file") from error


@cache
def _checked_part(path: str, written: str, code: str, description: str) -> PagePart:
    facts = json.loads(description)
    build = facts["build"]
    if fingerprint(f"{build}{code}".encode()) != facts["part"]:
        raise _unusable(f"built/{path}", "a file that changed after it was built")
    if fingerprint(written.encode()) != facts["source"]:
        raise _unusable(path, "a source that changed after its part was built")
    imports, names = tuple(facts.get("imports", ())), frozenset(facts.get("names", ()))
    return PagePart(path, code, imports, names, build, facts.get("map", {}))


def _unusable(path: str, got: str) -> DocumentError:
    return DocumentError(
        f"askance_collect/respond/{path}",
        got=got,
        allowed="parts of the page as they were built from their sources",
        remedy="in a working copy run `make page`; elsewhere install askance-collector again",
    )


def module_path(name: str) -> str:
    """Name the file of one of the page's modules.

    >>> module_path("image")
    'browser/image.js'
    """
    return f"browser/{name}.js"


def needed_parts(paths: Iterable[str]) -> list[PagePart]:
    """Read modules and all that they import, each behind what it imports.

    Raises
    ------
    DocumentError
        If a part is not as it was built, or parts come from several builds.

    >>> [part.path for part in needed_parts([module_path("trail")])]
    ['browser/partition.js', 'browser/trail.js']
    """
    parts: list[PagePart] = []
    visited: set[str] = set()

    def add(path: str) -> None:
        if path in visited:
            return
        visited.add(path)
        part = read_part(path)
        for imported in part.imports:
            add(imported)
        parts.append(part)

    for path in paths:
        add(path)
    for part in parts:
        if part.build != parts[0].build:
            raise _unusable(f"built/{part.path}", "a part of another build than the others")
    return parts


@final
@dataclass(frozen=True, slots=True)
class Script:
    """A script that parts and lines of a form's own are joined to.

    Attributes
    ----------
    pieces : tuple of PagePart and str
        In their order. A text is whole statements too, whose only values are JSON.
    """

    pieces: tuple[PagePart | str, ...]

    @property
    def text(self) -> str:
        r"""The script, which begins and ends with a line break.

        >>> Script(("let tea;", "let milk;")).text
        '\nlet tea;\nlet milk;\n'
        """
        return "".join(["\n", *map(_lines_of, self.pieces)])

    def source_map(self, first_line: int) -> bytes:
        """Write where each line comes from, of a file in which the script begins on some line.

        It is an index map of version 3 (ECMA-426, section 10): one section for each part, with the
        source in it.

        >>> parts = needed_parts([module_path("sets")])
        >>> sections = json.loads(Script(tuple(parts)).source_map(0))["sections"]
        >>> sections[-1]["map"]["sources"]
        ['browser/sets.js']
        """
        sections, line = [], first_line + 1
        for piece in self.pieces:
            if isinstance(piece, PagePart):
                contents = {"sourcesContent": [source(piece.path)]}
                offset = {"line": line, "column": 0}
                sections.append({"offset": offset, "map": {**piece.source_map, **contents}})
            line += _lines_of(piece).count("\n")
        return canonical({"version": 3, "sections": sections})


def _lines_of(piece: PagePart | str) -> str:
    text = piece.code if isinstance(piece, PagePart) else piece
    return text if text.endswith("\n") else f"{text}\n"


def joined_styles(names: Iterable[str]) -> str:
    """Join some of the page's styles."""
    return "".join(read_part(f"browser/{name}.css").code for name in names)


def filled(template: str, parts: Mapping[str, str]) -> bytes:
    """Put parts where a template names them in braces, and nothing into what was put in.

    >>> filled("<p>{said}", {"said": "{said}"})
    b'<p>{said}'
    """
    marks = re.compile(rf"\{{({'|'.join(parts)})\}}")
    return marks.sub(lambda mark: parts[mark[1]], template).encode()


def hash_of(script: str) -> str:
    """Name a script or a style as a policy does: by its SHA-256.

    >>> hash_of("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def source(path: str) -> str:
    """Read a file of this room, by its path in it."""
    return (files("askance_collect.respond") / path).read_text(encoding="utf-8")
