"""The columns of a table that options name: of reports, of the sampling design, of groups."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from hashlib import file_digest
from itertools import compress
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, final

import msgspec
import numpy as np

from askance.channels.tally import Tally
from askance.cli.typed_request import split_list, unquote, write_texts
from askance.engines.files import is_handed_over, name_standard_input
from askance.engines.tables import Columns, column_of
from askance.inference.domains import group_name
from askance.inference.replicate_weights import ReplicateColumns
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import is_missing
from askance.typing import Booleans, Integers
from askance_collect.cli.request_options import Arg
from askance_collect.errors import DocumentError, InputError, nearest
from askance_collect.exact.ratio import read_ratio, spelt

_QUOTED = r'\s*"(?:[^"]|"")*"\s*'
_CODE = re.compile(rf'({_QUOTED}|\s*(?:[^="\s][^=]*)?)=({_QUOTED}|\s*(?:[^"\s].*)?)', re.DOTALL)


def _read_codes(written: str) -> dict[str, str | None]:
    """Read the report that each other entry stands for; None stands for a blank.

    >>> _read_codes("1=yes,9=")
    {'1': 'yes', '9': None}
    >>> _read_codes('"Yes, once"=yes, "a=b"="no"')
    {'Yes, once': 'yes', 'a=b': 'no'}
    """
    codes: dict[str, str | None] = {}
    for part in split_list(written):
        pair = _CODE.fullmatch(part)
        entry, report = (unquote(text.strip()) for text in pair.groups()) if pair else ("", "")
        if pair is None or entry in codes:
            raise InputError(
                "--recode",
                got=part,
                allowed="ENTRY=REPORT with commas between, each once",
                remedy="quotes go round an entry with a comma or an equals sign",
            )
        codes[entry] = report or None
    return codes


def _write_codes(codes: Mapping[str, str | None]) -> str:
    """Write codes as they are typed.

    >>> _write_codes({"Yes, once": "yes", "9": None})
    '"Yes, once"=yes,9='
    """
    return ",".join(f"{write_texts([entry])}={report or ''}" for entry, report in codes.items())


def _read_replicates(written: str) -> dict[str, Any]:
    """Read KIND:COLUMNS, or SCALE:COLUMNS, as in ``fay=0.3:rep*`` or ``jkn=a.csv:rep*``.

    >>> _read_replicates("fay=0.3:rep*, other*")
    {'columns': ['rep*', 'other*'], 'kind': 'fay', 'fay': '0.3'}
    """
    kind, colon, names = (part.strip() for part in written.partition(":"))
    name, equals, number = (part.strip() for part in kind.partition("="))
    if not colon:
        raise _replicates_error(written)
    read: dict[str, Any] = {"columns": [column.strip() for column in names.split(",")]}
    if not re.match("[a-z]", name):
        return read | {"scale": spelt(name)}
    if not equals:
        return read | {"kind": name}
    return read | {"kind": name, "rscales" if name == "jkn" else "fay": spelt(number)}


def _convert_replicates(value: Any) -> dict[str, Any]:
    """Take replicate weights in JSON."""
    is_object = isinstance(value, Mapping) and isinstance(value.get("columns"), list)
    if not is_object or not {*value} <= {"columns", "kind", "scale", "fay", "rscales"}:
        raise TypeError(value)
    return dict(value)


def _write_replicates(read: Mapping[str, Any]) -> str:
    """Write replicate weights as they are typed.

    >>> _write_replicates({"columns": ["rep*"], "kind": "jkn", "rscales": [0.9, 0.8]})
    'jkn=0.9 0.8:rep*'
    """
    kind, number = read.get("kind", read.get("scale")), read.get("fay", read.get("rscales"))
    numbers = " ".join(map(str, number)) if isinstance(number, list) else number
    first = kind if number is None else f"{kind}={numbers}"
    return f"{first}:{','.join(read['columns'])}"


def _replicates_error(got: str) -> InputError:
    return InputError(
        "--replicates",
        got=got,
        allowed="KIND:COLUMNS, such as brr:rep*, fay=0.3:rep*, jk1:rep*, "
        "jkn=rscales.csv:rep* or 0.05:rep*, beside --weights alone",
    )


@final
class SampleColumns(msgspec.Struct, frozen=True, kw_only=True):
    """The columns of a table: of reports, of the sampling design, of groups.

    Attributes
    ----------
    column : str, optional
        The column that holds the reports; with a form, the question.
    weights : str, optional
        The column of sampling weights.
    strata : tuple of str
        The column of strata of a [complex
        sample](../how-to/weights-strata-and-clusters.md); again for each stage.
    clusters : tuple of str
        The column of clusters; again for each stage.
    fpc : tuple of str
        The column of finite population sizes, or of the fractions drawn; again for each
        stage.
    by : tuple of str
        The column of groups to estimate separately; again for several.
    collapse : tuple of str
        Groups to take as one: `other,woman`, or `COLUMN=other,woman`; again for several.
    counts : str, optional
        The column that says how many people a row stands for.
    recode : mapping of str, optional
        The meaning of other entries: `1=yes,2=no,9=` (nothing: a blank); quotes go round an
        entry with a comma.
    replicates : mapping of str, optional
        [Replicate weights](../how-to/weights-strata-and-clusters.md#replicate-weights)
        beside `--weights`, by kind and columns: `brr:rep*`, `jk1:rep*`.
    """

    column: str | None = None
    weights: str | None = None
    strata: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    fpc: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    collapse: tuple[str, ...] = ()
    counts: str | None = None
    recode: Annotated[
        dict[str, str | None] | None,
        Arg(read=_read_codes, allowed='an object: {"1": "yes", "2": "no", "9": null}'),
    ] = None
    replicates: Annotated[
        dict[str, Any] | None,
        Arg(
            read=_read_replicates,
            convert=_convert_replicates,
            allowed='an object: {"kind": "brr", "columns": ["rep*"]}, with "fay" or "rscales" '
            'where the kind has them, or a number "scale" in place of the kind',
        ),
    ] = None

    @property
    def flags(self) -> dict[str, Any]:
        """The columns that were named, by their arguments, as they are typed."""
        named = {name: value for name in self.__struct_fields__ if (value := getattr(self, name))}
        if self.recode:
            named["recode"] = _write_codes(self.recode)
        if self.replicates:
            named["replicates"] = _write_replicates(self.replicates)
        return named

    @property
    def sampling(self) -> SamplingColumns | ReplicateColumns | None:
        """The sampling design by its columns; None for a simple random sample."""
        if self.replicates is not None:
            return self._replicated(self.replicates)
        if self.weights is None and not self.stages:
            return None
        return SamplingColumns(
            weights=self.weights, strata=self.strata, clusters=self.clusters, fpc=self.fpc
        )

    def _replicated(self, written: Mapping[str, Any]) -> ReplicateColumns:
        """Read replicate weights by their kind, or by their scale, and their columns."""
        by_flag = {"--strata": self.strata, "--clusters": self.clusters, "--fpc": self.fpc}
        excluded = [flag for flag, columns in by_flag.items() if columns]
        if self.weights is None or excluded:
            typed = _write_replicates(written)
            raise _replicates_error(f"{typed}, with {excluded[0]}" if excluded else typed)
        scale, scales = written.get("scale"), written.get("rscales")
        return ReplicateColumns(
            weights=self.weights,
            replicates=written["columns"],
            kind=written.get("kind"),
            scale=None if scale is None else float(read_ratio(scale, "--replicates")),
            fay=float(read_ratio(written.get("fay", 0), "--replicates fay")),
            rscales=_read_scales(scales) if isinstance(scales, str) else scales,
        )

    @property
    def stages(self) -> bool:
        """Whether columns other than weights describe the sampling design."""
        return bool(self.strata or self.clusters or self.fpc or self.replicates)

    @property
    def others(self) -> tuple[str, ...]:
        """All columns but that of the reports."""
        single = [column for column in (self.weights, self.counts) if column]
        return (*single, *self.strata, *self.clusters, *self.fpc, *self.by)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns that hold numbers: weights, counts and population sizes."""
        return tuple(column for column in (self.weights, self.counts, *self.fpc) if column)

    @property
    def id_columns(self) -> tuple[str, ...]:
        """The columns whose values identify strata, clusters and groups."""
        return (*self.strata, *self.clusters, *self.by)


def show_replicates(run: Callable[[Any], None]) -> Callable[[Any], None]:
    """Make a verb show how many replicates are fitted, where its sample has columns of them."""

    @wraps(run)
    def call(request: Any) -> None:
        if request.sample.replicates is None:
            run(request)
            return
        from askance.cli.progress_bar import replicate_progress

        with replicate_progress():
            run(request)

    return call


def collapse_groups(columns: Columns, names: Sequence[str], collapsed: Sequence[str]) -> Columns:
    """Replace groups that are to be shown as one by their common name, in columns of groups.

    Raises
    ------
    InputError
        If it is not clear in which column, or a column has no such group.

    >>> collapse_groups({"sex": ["man", "woman", "other"]}, ["sex"], ["other,woman"])
    {'sex': ['man', 'other or woman', 'other or woman']}
    """
    columns = dict(columns)
    for written in collapsed:
        name, groups = _read_collapsed(written, names)
        values = column_of(columns, name, "--collapse")
        labels = list(map(group_name if None in values else _label, values))
        unknown = [group for group in groups if group not in labels]
        if unknown or len({*groups}) < 2:
            raise InputError(
                "--collapse",
                got=unknown[0] if unknown else written,
                allowed=f"two groups or more of {name}: {', '.join(sorted({*labels})[:20])}",
                remedy=nearest(unknown[0], tuple({*labels})) if unknown else "",
            )
        common = " or ".join(groups)
        if common in labels:
            raise InputError(
                "--collapse",
                got=f"{written}, while there is a group {common!r}",
                allowed="groups whose common name is new",
                remedy="rename that group",
            )
        together = zip(columns[name], labels, strict=True)
        columns[name] = [common if label in groups else cell for cell, label in together]
    return columns


def _label(value: Any) -> str:
    """Write a group's value as its label: 1.0, as a table may have a 1, is 1."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def collapse_example(small: str, groups: Iterable[str], column: str = "") -> str:
    """Write the flag that takes a small group and the first other one as one.

    >>> collapse_example("other", ["man", "other", "woman"])
    '--collapse "other,man"'
    """
    other = next((group for group in groups if group != small), "OTHER")
    text = f"{column}{'=' * bool(column)}{write_texts([small, other])}"
    return f"--collapse {quote(text)}" if '"' in text else f'--collapse "{text}"'


def _read_collapsed(written: str, names: Sequence[str]) -> tuple[str, list[str]]:
    """Read the column whose groups are collapsed, and the groups."""
    name, equals, listed = written.partition("=")
    if not equals or name.strip() not in names:
        if len(names) != 1:
            raise InputError(
                "--collapse",
                got=written,
                allowed=f"COLUMN=GROUP,GROUP, with one of the columns {', '.join(names)}"
                if names
                else "nothing without columns of groups: --by COLUMN",
            )
        name, listed = names[0], written
    return name.strip(), [unquote(group.strip()) for group in split_list(listed)]


def _read_scales(written: str) -> list[float]:
    """Read a number for each replicate: from a list, or from a file of one.

    >>> _read_scales("0.9, 9/10")
    [0.9, 0.9]
    """
    if not re.fullmatch(r"[\d\s.,/]*", written):
        try:
            written = Path(written).read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:
            allowed = "a number for each replicate, or the name of a file of them"
            raise InputError("--replicates jkn", got=written, allowed=allowed) from error
    first, *others = [text for line in written.splitlines() if (text := line.strip(" ,;"))] or [""]
    lines = others if others and not re.search(r"\d", first) else [first, *others]  # a head
    parts = [part for line in lines for part in re.split(r"[\s,;]+", line)]
    return [float(read_ratio(spelt(part), "--replicates jkn")) for part in parts]


def group_order(group: Any) -> list[tuple[int, float, str]]:
    """Say where a group comes: numbers first, then names, what is missing last.

    >>> sorted(["b", "10", None, "9", 2.5], key=group_order)
    [2.5, '9', '10', 'b', None]
    """
    return [_order(value) for value in (group if isinstance(group, tuple) else (group,))]


def _order(value: Any) -> tuple[int, float, str]:
    if value is None:
        return 2, 0.0, ""
    with suppress(TypeError, ValueError):
        if math.isfinite(number := float(value)):
            return 0, number, str(value)
    return 1, 0.0, str(value)


def groups_of(columns: Columns, by: Sequence[str]) -> Sequence[Any]:
    """Say of each row which group it belongs to: a value, or a tuple of several columns' values.

    >>> groups_of({"a": [1, 2], "b": ["x", "y"]}, ["a", "b"])
    [(1, 'x'), (2, 'y')]
    """
    return column_of(columns, by[0], "--by") if len(by) == 1 else row_groups(columns, by)


def row_groups(columns: Columns, by: Sequence[str]) -> list[tuple[Any, ...]]:
    """Say of each row which group it belongs to: a tuple of the columns' values."""
    return list(zip(*(column_of(columns, name, "--by") for name in by), strict=True))


def split_by_groups(columns: Columns, by: Sequence[str]) -> list[tuple[tuple[Any, ...], Booleans]]:
    """Say of each group, in order, which rows belong to it.

    >>> [(group, rows.tolist()) for group, rows in split_by_groups({"a": [2, 1, 2]}, ["a"])]
    [((1,), [False, True, False]), ((2,), [True, False, True])]
    """
    labels = row_groups(columns, by)
    return [
        (label, np.array([row_label == label for row_label in labels], dtype=bool))
        for label in sorted(set(labels), key=group_order)
    ]


def restrict_rows(
    columns: Columns,
    used: Iterable[str],
    sampling: AbstractSamplingDesign | None,
    members: Booleans,
) -> tuple[Columns, AbstractSamplingDesign | None]:
    """Restrict a table and its sampling design to the domain of some rows.

    Without a sampling design the other rows are dropped. With one they stay with weight 0, and
    their cells are replaced by those of a row in the domain, which nothing reads.

    >>> restrict_rows({"x": [1, None, 3]}, ["x"], None, np.array([True, False, True]))
    ({'x': [1, 3]}, None)
    """
    if members.all():
        return columns, sampling
    if sampling is None:
        return {name: list(compress(column, members)) for name, column in columns.items()}, None
    first = int(np.argmax(members))
    filled = {  # what a row of weight 0 holds is not looked at
        name: [
            value if is_member else columns[name][first]
            for value, is_member in zip(columns[name], members, strict=True)
        ]
        for name in used
    }
    return columns | filled, sampling.domain(members)


def group_positions(labels: Sequence[Any], groups: Iterable[str]) -> Integers:
    """The position of each row's group; 1.0, as a table may have a 1, is 1.

    >>> group_positions(["b", "a", "b"], ["a", "b"]).tolist()
    [1, 0, 1]
    """
    position_by_group = {name: i for i, name in enumerate(groups)}
    positions = []
    for row, label in enumerate(labels):
        written = "" if is_missing(label) else _label(label)
        if written not in position_by_group:
            raise InputError(
                f"--group, row {row + 1}",
                got="nothing" if is_missing(label) else written,
                allowed=", ".join(groups),
            )
        positions.append(position_by_group[written])
    return np.array(positions, dtype=np.int64)


def refuse_own(column: str | None, names: Sequence[str], where: str = "--by") -> None:
    """Refuse the column of reports among the columns of groups or covariates.

    Raises
    ------
    InputError
        If the column of reports is among the names.
    """
    if column is not None and column in names:
        raise InputError(
            where,
            got=f"{column}, the column of reports",
            allowed="other columns",
            remedy="reports would be compared with themselves",
        )


def refuse_repeated(reports: Sequence[str]) -> Sequence[str]:
    """Refuse a place that is named twice: its reports would count twice.

    Raises
    ------
    DocumentError
        With its name.
    """
    for i, location in enumerate(reports):
        if location in reports[:i]:
            raise DocumentError(name_of(location), got="twice", allowed="each place once")
    return reports


def count_by_report(tally: Tally) -> list[tuple[str | None, int]]:
    """How many sent each report, those who sent nothing last.

    >>> import askance as ak
    >>> channel = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> count_by_report(ak.Tally(channel, {"no": 4}, blanks=1))
    [('yes', 0), ('no', 4), (None, 1)]
    """
    reports: tuple[str | None, ...] = (*tally.channel.reports, None)
    return list(zip(reports, (*tally.counts.tolist(), tally.blanks), strict=True))


def digest_of(reports: str) -> str:
    """The SHA-256 of a file; empty for what is no file.

    >>> digest_of("nowhere.csv")
    ''
    """
    path = Path(reports)
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def name_of(reports: str) -> str:
    """Name the reports without a folder, a host, a user or a password.

    >>> name_of("postgresql://ann:secret@host/club?password=secret"), name_of("a/sent.csv")
    ('club', 'sent.csv')
    >>> name_of("postgresql://ann:secret@host")
    'postgresql'
    """
    if "://" not in reports:
        return name_standard_input(reports).rsplit("/", 1)[-1]
    kind, _, rest = reports.partition("://")
    return rest.partition("?")[0].partition("#")[0].partition("/")[2] or kind


def is_counts(location: str) -> bool:
    """Say whether a place is a table of counts in TOML."""
    return location.lower().endswith(".toml")


def is_at_hand(location: str) -> bool:
    """Say whether a place is read here, by no engine: counts in TOML, or columns handed over."""
    return is_counts(location) or is_handed_over(location)


def has_group_tables(table: Mapping[str, Any]) -> bool:
    """Say whether a table of counts has one for each group: ``[few]``, and below its counts."""
    return bool(table) and all(isinstance(part, Mapping) for part in table.values())


_ONE_PATTERN = (
    'name the files of one sample by a pattern, such as "sent/*.csv"; count others with '
    "askance count"
)


def refuse_tables(tables: Sequence[str], remedy: str = _ONE_PATTERN) -> None:
    """Refuse several tables of a sample: clusters of one name may be one, or one in each."""
    if len(tables) > 1:
        raise InputError(
            "REPORTS",
            got=f"{len(tables)} tables of a complex sample",
            allowed="one table, or counts of samples that were drawn apart",
            remedy=remedy,
        )
