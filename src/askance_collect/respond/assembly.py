"""How a page becomes one file: modules and styles made bare, joined, and named by their hashes."""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache, reduce
from importlib.resources import files

_IMPORT = re.compile(r'^import [^;]*? from "\./[a-z-]+\.js";\n', re.MULTILINE)
_NEEDED = re.compile(r'^import [^;]*?"\./([a-z-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |class |const |function )", re.MULTILINE)
_REMARK = re.compile(r"^ *//.*\n|^/\*.*?\*/\n", re.MULTILINE)
_CONSTANTS = re.compile(r"^( +)const .*[^;\n](?:;\n\1const .*[^;\n])+", re.MULTILINE)
"""What a function declares, one a line: but the first they need no word of their own."""
_TEXT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`"""
    r"""|(?:(?<=[(!])|(?<== )|(?<==\n  ))/(?:\[[^\]\n]*\]|\\.|[^/\\\n])+/)"""
)
"""A text or a pattern, in which a space means something; a division has a space behind it."""
_ASIDE = re.compile(r"\((\w+)\)(?= =>)|[,;](?=\n *[)\]}])")
_LAYOUT = re.compile(r"\n(?=\s|[)\]}]) *|(?<![\w$]) +| +(?![\w$])")
_STYLED = re.compile(r"\s+(?=[{}>])|(?<=[:;,{}>])\s+|;(?=\s*})")


def bare_module(name: str) -> str:
    """Give one of the page's modules as it is sent.

    >>> bare_module("image").count("import ")
    0
    """
    return bare_script(f"browser/{name}.js")


def bare_script(path: str) -> str:
    """Give a module without what is for those who change it: what begins at the margin has a line.

    Texts and patterns stay as they are; the rest means the same without the spaces.
    """
    return _bare(source(path))


@cache
def _bare(written: str) -> str:
    code = reduce(lambda text, mark: mark.sub("", text), (_REMARK, _IMPORT, _EXPORT), written)
    code = _CONSTANTS.sub(lambda run: run[0].replace(f";\n{run[1]}const ", ","), code)
    parts = _TEXT.split(code)
    parts[::2] = [_LAYOUT.sub("", _ASIDE.sub(r"\1", part)) for part in parts[::2]]
    return "".join(parts).strip()


def with_needed(names: Iterable[str]) -> list[str]:
    """Name modules and all that they need, each behind what it needs.

    >>> with_needed(["trail"])
    ['partition', 'trail']
    """
    ordered: dict[str, None] = {}
    visited: set[str] = set()

    def add(name: str) -> None:
        if name in visited:
            return
        visited.add(name)
        for needed in _NEEDED.findall(source(f"browser/{name}.js")):
            add(needed)
        ordered[name] = None

    for name in names:
        add(name)
    return list(ordered)


def joined_styles(names: Iterable[str]) -> str:
    """Join some of the page's styles, without their layout."""
    return "".join(
        _STYLED.sub("", _REMARK.sub("", source(f"browser/{name}.css"))) for name in names
    )


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
