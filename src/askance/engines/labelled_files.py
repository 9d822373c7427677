"""Files of SPSS and Stata, and workbooks, as tables: labels become names, user-missing is missing.

They are read by pyreadstat and python-calamine, of the extra ``files``. Whether a code such as 9
is an answer or none is said in the file, by its missing values; what it does not declare missing is
an answer.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, time
from pathlib import Path
from typing import Any

from askance.channels.channel import Channel
from askance.engines.labelled_codebook import read_codebook
from askance.results import is_missing
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, MissingExtra, nearest

ENDINGS = (".sav", ".zsav", ".dta")
"""How such files end: SPSS, SPSS compressed, Stata."""


@checked
def labelled_table(source: str | Path, *, named: Collection[str] = ()) -> Any:
    """Read a file of SPSS or Stata as a data frame whose value labels stand for their codes.

    A column becomes one of names if every value that occurs in it has a label. If only some do, as
    the ends of a scale or "don't know" of an age, it stays one of numbers, but for those that are
    ``named``. System-missing and user-missing values, and empty texts, are missing.

    Parameters
    ----------
    source : str or Path
        A ``.sav``, ``.zsav`` or ``.dta`` file.
    named : collection of str
        Columns that are names in any case, such as reports: a value without a label is its number
        as text, which a channel then refuses by name.

    Returns
    -------
    pandas.DataFrame
        Which `askance.tally` and the regressions take.

    Raises
    ------
    DocumentError
        If it cannot be read, or is of another kind.
    MissingExtra
        If pyreadstat is not installed.

    >>> import pandas as pd
    >>> import pyreadstat
    >>> from tempfile import TemporaryDirectory
    >>> from askance.engines import labelled_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "panel.sav")
    ...     codes = pd.DataFrame({"q1": [1.0, 2.0, 9.0], "age": [31.0, 40.0, 28.0]})
    ...     labels = {"q1": {1: "yes", 2: "no", 9: "refused"}}
    ...     pyreadstat.write_sav(codes, path, variable_value_labels=labels,
    ...                          missing_ranges={"q1": [9]})
    ...     table = labelled_table(path)
    >>> table["q1"].isna().tolist(), table["q1"].dropna().tolist(), table["age"].tolist()
    ([False, False, True], ['yes', 'no'], [31.0, 40.0, 28.0])
    """
    import pandas as pd

    columns, labels = _read(Path(source))
    return pd.DataFrame(
        {
            name: _label_column(name, values, labels.get(name, {}), always=name in named)
            for name, values in columns.items()
        }
    )


def labelled_rows(path: Path) -> tuple[list[str], list[list[str]]]:
    """Read a file of SPSS or Stata as text: its header, and its rows.

    Raises
    ------
    DocumentError
        As in `labelled_table`.
    """
    columns, labels = _read(path)
    texts = [
        [
            "" if value is None else _text(value)
            for value in _label_column(name, values, labels.get(name, {}))
        ]
        for name, values in columns.items()
    ]
    return list(columns), [list(row) for row in zip(*texts, strict=True)]


def labelled_names(path: Path) -> list[str]:
    """Name the columns of such a file."""
    return list(_read(path, rows=False)[0])


@checked
def labelled_channels(source: str | Path) -> dict[str, Channel]:
    r"""Read the channels of a file that `export_labelled` wrote: P(report | answer), by variable.

    Parameters
    ----------
    source : str or Path
        A ``.sav``, ``.zsav`` or ``.dta`` file.

    Returns
    -------
    dict of str to Channel
        Of each protected question, for `askance.tally` of the same file; empty for a file that
        another program wrote.

    Raises
    ------
    DocumentError, MissingExtra
        As in `labelled_table`, or if what was written was damaged.

    >>> import askance as ak
    >>> from tempfile import TemporaryDirectory
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "sent.jsonl").write_text(
    ...         '{"marriage":0,"affair":1,"religious":2,"years":null}\n')
    ...     ak.present.export_labelled(form, f"{folder}/sent.jsonl", f"{folder}/sent.sav")
    ...     channels = ak.engines.labelled_channels(f"{folder}/sent.sav")
    ...     tally = ak.tally(channels["affair"], f"{folder}/sent.sav", "affair")
    >>> tally.counts.tolist()
    [0, 1, 0]
    """
    metadata = _read_file(Path(source), rows=False)[1]
    variables = read_codebook(metadata.notes, str(source)).get("variables", {})
    return {
        str(entry.get("column", name)): Channel.from_dict(entry["channel"])
        for name, entry in variables.items()
        if "channel" in entry
    }


def _read(
    path: Path, *, rows: bool = True
) -> tuple[Mapping[str, list[Any]], Mapping[str, Mapping[Any, str]]]:
    """Read the columns, and the labels of their values, as the codebook in the file names them."""
    columns, metadata = _read_file(path, rows=rows)
    variables = read_codebook(metadata.notes, str(path)).get("variables", {})
    named, labels = dict[str, list[Any]](), dict[str, Mapping[Any, str]]()
    for variable in metadata.column_names:
        entry = variables.get(variable, {})
        name, whole = entry.get("column", variable), entry.get("labels", {})
        named[name] = list(columns[variable]) if rows else []
        labels[name] = {
            code: whole.get(label, label)
            for code, label in metadata.variable_value_labels.get(variable, {}).items()
        }
    return named, labels


def _read_file(path: Path, *, rows: bool) -> tuple[Mapping[str, Sequence[Any]], Any]:
    """Read a file by pyreadstat: its columns, and what it says of them."""
    try:
        import pyreadstat
    except ImportError as error:
        raise MissingExtra("pyreadstat", "files") from error
    if path.suffix.lower() not in ENDINGS:
        raise DocumentError(str(path), got=f"{path.suffix!r}", allowed=", ".join(ENDINGS))
    faults = pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError
    read = pyreadstat.read_dta if path.suffix.lower() == ".dta" else pyreadstat.read_sav
    try:
        columns, metadata = read(str(path), output_format="dict", metadataonly=not rows)
    except faults as error:
        raise DocumentError(
            str(path), got=str(error), allowed="a file of SPSS or Stata that can be read"
        ) from error
    return columns, metadata


def _label_column(
    name: str, values: list[Any], labels: Mapping[Any, str], *, always: bool = False
) -> list[Any]:
    """Put labels in the place of codes where all have one."""
    cleaned = [None if is_missing(value) or value == "" else value for value in values]
    distinct = {value for value in cleaned if value is not None}
    if always:
        return [None if value is None else _text(labels.get(value, value)) for value in cleaned]
    if labels and distinct <= set(labels):
        _refuse_equal_labels(name, labels)
        return [None if value is None else labels[value] for value in cleaned]
    return cleaned


def _refuse_equal_labels(name: str, labels: Mapping[Any, str]) -> None:
    """Refuse one label of two codes, which would become one answer unseen."""
    codes: dict[str, Any] = {}
    for code, label in labels.items():
        if label in codes:
            raise InputError(
                f"value labels of column {name!r}",
                got=f"{label!r} of both {codes[label]} and {code}",
                allowed="a label of its own for every value",
            )
        codes[label] = code


def _text(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def workbook_rows(
    path: Path, sheet: str | None = None
) -> tuple[list[str], list[list[str]], list[int]]:
    """Read a sheet of a workbook as text: its header, its rows, and their numbers.

    A row with nothing in it is a row, but not above the header or below the last one.

    Raises
    ------
    DocumentError
        If it cannot be read, has no such sheet, or a cell stands beside the header.
    MissingExtra
        If python-calamine is not installed.
    """
    try:
        import python_calamine as calamine
    except ImportError as error:
        raise MissingExtra("python-calamine", "files") from error
    try:
        with calamine.load_workbook(path) as book:
            names = list(book.sheet_names)
            if sheet is not None and sheet not in names:
                raise DocumentError(
                    f"{path}: sheet {sheet!r}",
                    got="no such sheet",
                    allowed=", ".join(names),
                    remedy=nearest(sheet, tuple(names)),
                )
            cells = book.get_sheet_by_name(sheet or names[0]).to_python(skip_empty_area=False)
    except (calamine.CalamineError, OSError) as error:
        raise DocumentError(
            str(path), got="a file that is damaged or of another kind", allowed="a workbook"
        ) from error
    texts = [[_cell_text(cell) for cell in row] for row in cells]
    filled = [number for number, row in enumerate(texts, start=1) if any(row)]
    if not filled:
        raise DocumentError(
            f"{path}: sheet {(sheet or names[0])!r}", got="nothing", allowed="a header and rows"
        )
    first, last = filled[0], filled[-1]
    header, rows = texts[first - 1], list(enumerate(texts[first:last], start=first + 1))
    width = max(i for i, name in enumerate(header, start=1) if name)
    for number, row in rows:
        if any(row[width:]):
            raise DocumentError(
                f"{path}: row {number}", got="a cell beside the table", allowed=f"{width} cells"
            )
    return header[:width], [row[:width] for _, row in rows], [number for number, _ in rows]


def _cell_text(cell: Any) -> str:
    """Write a cell as text: 1.0 is 1, and a day has no hour."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
