"""What requests share: where reports are, how a result is written, and arguments of several."""

from pathlib import Path
from typing import Annotated, Literal, final

import msgspec

from askance.cli.typed import Recipe, convert_recipes, read_recipes
from askance.cli.typed_request import Arg
from askance_collect.errors import InputError

Level = Annotated[float, Arg(help="The confidence level of the intervals.")]
GroupColumn = Annotated[
    str | None, Arg(help="The column of groups, where each has a `--mechanism` of its own.")
]
Noncompliance = Annotated[
    tuple[str, ...],
    Arg(
        flag="--model",
        help="Who [does not comply](#people-who-do-not-comply): `cheating`, `sld`, "
        "`self-protective:says=REPORT`, `random` or `one-sayers`; again for several kinds.",
    ),
]
Browser = Annotated[Path | None, Arg(help="A Chromium, if not the one on the command path.")]


@final
class ReportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Where the reports are, and what they were made by: a form, or mechanisms by their names.

    Attributes
    ----------
    form : str, optional
        A published form, a survey file, or a channel as JSON.
    reports : tuple of str
        Where the reports are.
    mechanism : mapping of str
        A [mechanism by its name](#mechanisms-by-name) instead of FORM, such as
        `crosswise:harmless=1/4`; of several groups `GROUP=NAME:KEY=VALUE,…` each.
    key : Path, optional
        The private key that opens
        [sealed](../how-to/ask-inside-another-page.md#sealed-for-the-study) reports.
    unsealed : bool
        With a form that has a key: take reports that are not sealed, too.
    answers : str, optional
        With `--mechanism`: the names of the answers, with commas between (`yes,no`).
    """

    form: Annotated[str | None, Arg(flag="")] = None
    reports: Annotated[tuple[str, ...], Arg(flag="")] = ()
    mechanism: Annotated[
        dict[str, Recipe],
        Arg(
            read=read_recipes,
            convert=convert_recipes,
            allowed='{"name": "warner", "truth": "3/4"}, as in a survey file; or those of groups',
        ),
    ] = msgspec.field(default_factory=dict)
    key: Path | None = None
    unsealed: bool = False
    answers: str | None = None


@final
class OutputOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a result is written.

    Attributes
    ----------
    as_json : bool
        Print JSON, as `--format json` does.
    format : str, optional
        How to write the result; `csv` has every digit.  [default: table]
    methods : bool
        Write a methods paragraph to paste, with its references.
    """

    as_json: Annotated[bool, Arg(flag="--json")] = msgspec.field(default=False, name="json")
    format: Literal["table", "json", "latex", "html", "csv"] | None = None
    methods: bool = False

    def __post_init__(self) -> None:
        if self.as_json and self.format not in (None, "json"):
            raise InputError("--format", got=f"{self.format}, with --json", allowed="one of them")
        if self.methods and self.format == "csv":
            raise InputError("--methods", got="--format csv", allowed="table, json, latex or html")

    @property
    def form(self) -> str:
        """The format that was asked for, or a table."""
        return "json" if self.as_json else self.format or "table"
