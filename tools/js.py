"""Build the npm package in js/: python tools/js.py [FOLDER].

The modules of the respondent's page are bundled by esbuild into files that load nothing else, with
the English words that each says; other languages are files of their own.
"""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import conformance

from askance_collect.respond.words import script_of_blanks, with_words, words_by_name

ROOT = Path(__file__).parents[1]
JS, BROWSER = ROOT / "js", ROOT / "src/askance_collect/respond/browser"
ESBUILD = ROOT / "node_modules/.bin/esbuild"
_CHOICES = "asking", "controls", "dots"
_KINDS = *_CHOICES, "texts", "pictures"
STYLES = {"choice": _CHOICES, "question": _KINDS}
"""The bundles that show something, and the page's styles that each uses."""
_COLOUR = re.compile(r"(--[\w-]+): (#\w+)")
_TEXT = re.compile(r'"[^"\n]*"')
_RULE = re.compile(r"([^{}@]+)(\{[^{}]*\})")
_COMMA = re.compile(r",(?![^(]*\))")
_CLASS = re.compile(r"\.([a-z][\w-]*)")
_TAG = re.compile(r"[a-z]+")
_EMPTY = re.compile(r"@media[^{}]*\{\}")
_VARIABLE = re.compile(r"(--[\w-]+):[^;{}]+;?")
_REM = re.compile(r"(?m)(?<![\w.-])(\d*\.?\d+)rem\b(?!.*\{$)")
"""A length by the size of the letters, outside the conditions of a rule."""
_NO_CLASS = re.compile(r'typeof [\w.]+ === "\w+"|(?:Attribute|element)\("[\w-]+"')
"""Texts of a script that are no classes, though some are spelt as one."""
_WORD = re.compile(r"(?<=words\.)\w+")
"""How a bundle names what it says. How a visit of the survey's own page ended, no element says."""


def main(folder: Path = JS / "dist") -> None:
    """Write bundles, languages, vectors and the licence; print what each bundle weighs."""
    (folder / "languages").mkdir(parents=True, exist_ok=True)
    _write(JS / "LICENSE", (ROOT / "LICENSE").read_text("utf-8"))
    for name in ("index", "isolated", "jspsych", "log", "server", "surveyjs"):
        _write(folder / f"{name}.js", _packed(f'export * from "./{name}.js";'))
    for name, styles in STYLES.items():
        script = _bundled(f'export * from "./{name}.js";')
        _write(
            folder / f"{name}.js", _packed(_speaking(name, script), _used(_style(styles), script))
        )
    for tag in with_words()[1:]:
        words = f"export default {words_by_name(tag, set(_WORD.findall(script)))};\n"
        _write(folder / "languages" / f"{tag}.js", words)
    conformance.main(folder / "conformance")
    for path in sorted(folder.glob("*.*")):
        print(f"{path.name:12} {len(gzip.compress(path.read_bytes(), 9)):7,} bytes packed by gzip")


def _write(path: Path, text: str) -> None:
    """Write a file at once: others may be reading the one before, or writing the same."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def _speaking(name: str, script: str) -> str:
    """Write a module that exports a bundle, with the English words that it says put in."""
    lines = [f'export * from "./{name}.js";', _import("WORDS_OF", "words")]
    named = set(_WORD.findall(script))
    lines.append(f"WORDS_OF.en={words_by_name('en', named)};")
    if "BLANKS" in script:
        lines += [_import("BLANKS", "tongue"), script_of_blanks(named)]
    return "\n".join(lines)


def _import(name: str, module: str) -> str:
    return f'import {{ {name} }} from "../{BROWSER.relative_to(ROOT)}/{module}.js";'


def _packed(module: str, style: str = "") -> str:
    return _bundled(module, style, "--minify")


def _bundled(module: str, style: str = "", *options: str) -> str:
    """Bundle a module that lies in js/ with all that it imports."""
    version = json.loads((JS / "package.json").read_text("ascii"))["version"]
    constants = {"ASKANCE_STYLE": style, "ASKANCE_VERSION": version}
    defined = [f"--define:{name}={json.dumps(value)}" for name, value in constants.items()]
    return _esbuild(module, "--bundle", "--format=esm", "--target=es2022", *defined, *options)


def _style(names: tuple[str, ...]) -> str:
    """Put the page's styles into one for the inside of an element.

    The page around can choose its colours; dark ones are used where it has any. Letters are as
    large as those around.
    """
    palette = (BROWSER / "palette.css").read_text("utf-8")
    light, dark = (dict(_COLOUR.findall(block)) for block in palette.split("@media"))
    themed = {name: f"light-dark({colour},{dark[name]})" for name, colour in light.items()}
    text = f":host{{--rem:var(--askance-size,1rem);{_chosen(light)}}}"
    text += f"@supports (color:light-dark(#000,#fff)){{:host{{{_chosen(themed)}}}}}"
    files = [*(BROWSER / f"{name}.css" for name in names), JS / "style.css"]
    rules = "\n".join(file.read_text("utf-8") for file in files)
    return _esbuild(
        text + _REM.sub(r"calc(\1*var(--rem))", rules), "--loader=css", "--minify"
    ).strip()


def _used(style: str, script: str) -> str:
    """Leave out the rules for what only the survey's own page shows, and the colours of these."""
    tags, classes = _named(script), _named(_NO_CLASS.sub("", script))

    def is_shown(selector: str) -> bool:
        keeps = selector in tags or not _TAG.fullmatch(selector)
        return keeps and classes.issuperset(_CLASS.findall(selector))

    def of_script(rule: re.Match[str]) -> str:
        selectors = [selector for selector in _COMMA.split(rule[1]) if is_shown(selector)]
        return f"{','.join(selectors)}{rule[2]}" if selectors else ""

    rules = _EMPTY.sub("", _RULE.sub(of_script, style))
    idle = {name for name in _VARIABLE.findall(rules) if f"var({name})" not in rules}
    return _VARIABLE.sub(lambda selector: "" if selector[1] in idle else selector[0], rules)


def _named(script: str) -> set[str]:
    return {name for text in _TEXT.findall(script) for name in text.strip('"').split()}


def _chosen(palette: dict[str, str]) -> str:
    """Write colours, each the one that the page has chosen if it has."""
    return "".join(f"{name}:var(--askance{name[1:]},{colour});" for name, colour in palette.items())


def _esbuild(text: str, *options: str) -> str:
    command = [ESBUILD, "--charset=utf8", "--log-level=warning", *options]
    run = subprocess.run(  # noqa: S603  our own bundler
        command, input=text, cwd=JS, capture_output=True, text=True, check=False
    )
    if run.returncode:
        sys.exit(run.stderr)
    return run.stdout


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
