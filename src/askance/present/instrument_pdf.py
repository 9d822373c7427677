"""The instrument of a study as PDF: all that `describe_instrument` writes, set in every script.

Typst shapes and breaks the lines of all scripts and writes PDF/A, tagged with the language of each
text. Equal forms give equal bytes with the same fonts.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from askance.present.instrument import InstrumentLine, group_lines, list_instrument
from askance_collect.arguments import checked
from askance_collect.errors import InputError, MissingExtra
from askance_collect.wire.form import Form

_STANDARD: Final = "a-2a"  # which refuses a sign that no font has
_LEVELS: Final = {"title": 1, "section": 2, "question": 3}
_LINE, _LONG = 90, 2500  # signs on a line, and on what is kept on one page
_PREFERRED: Final = "DejaVu Sans", "Noto Sans"
_WITHOUT_SIGNS: Final = "lastresort", "adobeblank", "adobenotdef"
"""Fonts that have a box, or nothing, for every sign."""


@checked
def render_instrument(form: Form, fonts: Collection[Path | str] = ()) -> bytes:
    """Typeset all that a form says as PDF/A, on A4, with its fingerprint below.

    Fonts are those of the system, those that come with matplotlib, and those in the folders named.

    Parameters
    ----------
    form : Form
    fonts : collection of Path, optional
        Folders with fonts.

    Raises
    ------
    MissingExtra
        If Typst or matplotlib is not installed.
    InputError
        If no font has a sign of the form, or a folder is not there.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> ak.present.render_instrument(form)[:5]
    b'%PDF-'
    """
    try:
        import matplotlib
        import typst
    except ImportError as error:
        raise MissingExtra("typst", "pdf") from error
    own = Path(matplotlib.get_data_path(), "fonts", "ttf")
    book = typst.Fonts(font_paths=[str(own), *_read_folders(fonts)])
    families = _choose_families(book.fonts(), own)
    lines = list(list_instrument(form))
    try:
        return _typeset(form, lines, book, families)
    except typst.TypstError:
        _typeset(form, [], book, families)
        for line in lines:
            try:
                _typeset(form, [line], book, families)
            except typst.TypstError as error:
                raise _unfit_error(line) from error
        raise


def _read_folders(fonts: object) -> list[str]:
    """Read the names of folders that are there."""
    is_list = isinstance(fonts, Collection) and not isinstance(fonts, str | bytes | Mapping)
    folders = list(fonts) if isinstance(fonts, Collection) and is_list else [None]
    for folder in folders:
        if not isinstance(folder, str | Path) or not Path(folder).is_dir():
            raise InputError(
                "fonts", got=fonts if folder is None else folder, allowed="folders that are there"
            )
    return list(map(str, folders))


def _choose_families(fonts: Sequence[Any], own: Path) -> list[str]:
    """Choose the fonts that have signs to read, those without serifs first."""
    families = {
        font.family
        for font in fonts
        if font.path is None
        or font.family in _PREFERRED
        or not Path(font.path).is_relative_to(own)  # the others there are for mathematics
    }
    readable = [
        family
        for family in families
        if not any(name in family.casefold().replace(" ", "") for name in _WITHOUT_SIGNS)
    ]
    return sorted(readable, key=_rank_family)


def _rank_family(family: str) -> tuple[Any, ...]:
    """Rank a font: the one that Askance brings, Noto's, others without serifs, the rest."""
    rest = ("Mono" in family, "Sans" not in family)
    return family != _PREFERRED[0], not family.startswith(_PREFERRED[1]), *rest, family


def _unfit_error(line: InstrumentLine) -> InputError:
    """Describe a line that the fonts cannot set."""
    text = line.text if len(line.text) <= _LINE else f"{line.text[:_LINE]}…"
    return InputError(
        f"the form in {line.language}" if line.language else "the form",
        got=text,
        allowed="signs that a font of this machine has",
        remedy="install a font for them, such as Noto Sans of that script, or name the folder of "
        "one: fonts=[…] in Python, --fonts on the command line",
    )


def _typeset(
    form: Form, lines: Sequence[InstrumentLine], book: Any, families: Sequence[str]
) -> bytes:
    """Typeset lines with the fonts of a book."""
    import typst

    data = {
        "title": form.document["title"][form.languages[0]],
        "language": _split_tag(form.languages[0])[0],
        "fingerprint": form.fingerprint,
        "families": families,
        "blocks": list(_list_blocks(lines)),
    }
    template = files("askance.present") / "templates" / "instrument.typ"
    pdf: bytes = typst.compile(
        template.read_bytes(),
        format="pdf",
        font_paths=book,
        sys_inputs={"instrument": json.dumps(data)},
        pdf_standards=_STANDARD,
        timestamp=0,  # PDF/A has to have a date, and equal forms equal bytes
    )
    return pdf


def _list_blocks(lines: Sequence[InstrumentLine]) -> Iterator[dict[str, Any]]:
    """Describe each block of lines for the template."""
    for block in group_lines(lines):
        texts = [_describe_line(line) for line in block.lines]
        yield {
            "kind": block.kind,
            "level": _LEVELS.get(block.kind, 0),
            "tag": block.language,
            "lines": texts,
            "is_long": sum(len(line["text"]) + _LINE for line in texts) > _LONG,
        }


def _describe_line(line: InstrumentLine) -> dict[str, Any]:
    """Describe a line for the template."""
    language, region = _split_tag(line.language)
    return asdict(line) | {"language": language, "region": region}


def _split_tag(tag: str) -> tuple[str, str | None]:
    """Split a tag of BCP 47 into a language and a region of two letters."""
    language, *others = tag.split("-")
    return language or "en", next((part for part in others if len(part) == 2), None)
