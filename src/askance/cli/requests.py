"""The requests of the verbs that analyse reports: each field is a flag, and an argument in JSON.

The command line, `askance rpc`, the R package and the reference page are held to these fields.
"""

from pathlib import Path
from typing import Annotated, Literal, final

import msgspec

from askance.cli.sample import SampleColumns
from askance.cli.typed import read_set
from askance.cli.typed_request import Arg
from askance_collect.errors import InputError

Level = Annotated[float, Arg("Of the intervals.")]
Group = Annotated[
    str | None,
    Arg("The column of groups, of which each has a --mechanism of its own."),
]
Models = Annotated[
    tuple[str, ...],
    Arg(
        "Who does not comply: cheating, sld, self-protective:says=REPORT or random; again for "
        "several kinds.",
        flag="--model",
    ),
]


@final
class ReportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Where the reports are, and what they were made by: a form, or mechanisms by their names."""

    form: Annotated[str | None, Arg(flag="")] = None
    reports: Annotated[tuple[str, ...], Arg(flag="")] = ()
    mechanism: Annotated[
        tuple[str, ...],
        Arg(
            "Instead of FORM: NAME:KEY=VALUE,…, such as crosswise:harmless=1/4; of several "
            "groups GROUP=NAME:KEY=VALUE,… each."
        ),
    ] = ()
    key: Annotated[Path | None, Arg("Opens reports that frames sealed.")] = None
    unsealed: Annotated[
        bool, Arg("Of a form with a key: take reports that are not sealed, too.")
    ] = False
    answers: Annotated[str | None, Arg("With --mechanism: names with commas between (yes,no).")] = (
        None
    )


@final
class OutputOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a result is written."""

    as_json: Annotated[bool, Arg("Print JSON.", flag="--json")] = msgspec.field(
        default=False, name="json"
    )
    format: Annotated[
        Literal["table", "json", "latex", "html", "csv"] | None,
        Arg("How to write the result.  [default: table]"),
    ] = None
    methods: Annotated[bool, Arg("Write a methods paragraph to paste, too.")] = False

    def __post_init__(self) -> None:
        if self.as_json and self.format not in (None, "json"):
            raise InputError("--format", got=f"{self.format}, with --json", allowed="one of them")
        if self.methods and self.format == "csv":
            raise InputError("--methods", got="--format csv", allowed="table, json, latex or html")

    @property
    def form(self) -> str:
        """The format that was asked for, or a table."""
        return "json" if self.as_json else self.format or "table"


@final
class CompareRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of groups, how far they differ, and of all together."""

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    plot: Annotated[Path | None, Arg("Draw the share of each group: .svg, .png")] = None
    group: Annotated[
        str | None,
        Arg("The column of groups; each may have a --mechanism of its own, GROUP=NAME:…"),
    ] = None


@final
class ComplianceRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares where some people do not comply."""

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    plot: Annotated[Path | None, Arg("Draw the strip, or the shares: .svg, .png")] = None
    steps: Annotated[int | None, Arg("With --sensitivity: how many, from nobody on (4).")] = None
    sensitivity: Annotated[
        str | None,
        Arg("How shares depend on how many do not comply, up to this share, such as 1/5."),
    ] = None
    models: Models = ()
    group: Group = None


@final
class BoundsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on shares that are only partly identified."""

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    group: Group = None
    sets: Annotated[
        dict[str, tuple[str, ...]],
        Arg("The share of answers together: NAME=a,b", flag="--set", read=read_set),
    ] = msgspec.field(default_factory=dict)
    false_share: Annotated[
        str | None, Arg("If up to this share of reports is false, such as 1/20.")
    ] = None
    by_chance: Annotated[
        str | None,
        Arg("… the chance of a blank whatever the answer; a form knows it."),
    ] = None
    at_least: Annotated[
        str | None, Arg("… an answer at least as common among who did not reply.")
    ] = None
    silent: Annotated[int | None, Arg("… people who were asked and sent nothing, not even so.")] = (
        None
    )
    nonresponse: Annotated[bool, Arg("Among all who were asked: blanks did not reply")] = False


@final
class SmallAreasRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of many small groups."""

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    plot: Annotated[Path | None, Arg("Draw the shares: .svg, .png")] = None
    errors: Annotated[
        Literal["pooled", "own"],
        Arg("With --formula: errors at everybody's share, or each group's own."),
    ] = "pooled"
    areas: Annotated[
        str | None,
        Arg("With --formula: a table of the groups, with a column as in --by."),
    ] = None
    formula: Annotated[
        str | None,
        Arg('What is known of groups, such as "~ rural" (Fay and Herriot).'),
    ] = None


@final
class EstimateRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates of a form's questions, or of a column of reports."""

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    page: Annotated[Path | None, Arg("Write the page.")] = None
    attentive: Annotated[bool, Arg("Without those who failed an attention check.")] = False
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()


@final
class CountRequest(msgspec.Struct, frozen=True, kw_only=True):
    """How many reports of each kind there are."""

    out: Annotated[Path, Arg("Write the counts: a .json or .csv file.")]
    source: ReportOptions = ReportOptions()
    group: Group = None
    sample: Annotated[SampleColumns, Arg(without=("counts", "recode", "collapse"))] = (
        SampleColumns()
    )


@final
class RegressRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A regression of a protected answer."""

    formula: Annotated[str, Arg('Such as "affair ~ marriage + C(age)".')]
    covariates: Annotated[
        Path | None,
        Arg("A CSV table with a column id: the ids of reports, as their respondents kept them."),
    ] = None
    missing: Annotated[
        Literal["refuse", "drop"],
        Arg("What to do with rows whose covariates have holes."),
    ] = "refuse"
    link: Literal["logit", "probit", "loglog", "cloglog"] = "logit"
    ordered: Annotated[bool, Arg("The answers have an order, the form's.")] = False
    errors: Literal["observed", "expected", "robust"] = "observed"
    level: Level = 0.95
    effects: Annotated[bool | None, Arg("Average marginal effects too.  [default: in JSON]")] = None
    output: OutputOptions = OutputOptions()
    plot: Annotated[Path | None, Arg("Draw the coefficients: .svg, .png")] = None
    compliance: Annotated[
        str | None, Arg('With --model: on what it depends who complies ("~ age").')
    ] = None
    models: Models = ()
    group: Group = None
    source: ReportOptions = ReportOptions()
    sample: Annotated[SampleColumns, Arg(without=("column",))] = SampleColumns()


@final
class ItemCountRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates and regressions from a list experiment."""

    table: Annotated[str, Arg(flag="")]
    column: Annotated[str | None, Arg("The column of counts, for a difference in means.")] = None
    formula: Annotated[
        str | None, Arg('Instead: a regression, such as "items ~ age + C(region)".')
    ] = None
    arms: Annotated[
        str,
        Arg("The column that says which list was seen.", flag="--list"),
    ] = msgspec.field(name="list")
    control: Annotated[str, Arg("What it says of the list without the item.")]
    items: Annotated[int, Arg("How many items that list has.")]
    method: Annotated[
        Literal["ml", "nls", "lm"] | None,
        Arg("Of a regression: maximum likelihood, nonlinear or linear least squares (ml)."),
    ] = None
    outcome: Annotated[str | None, Arg("The column to regress on the item and the covariates.")] = (
        None
    )
    family: Annotated[
        Literal["normal", "logit"] | None, Arg("Its law: normal, or log-odds of a 1.")
    ] = None
    errors: Annotated[Literal["observed", "robust"] | None, Arg("Of a likelihood (observed).")] = (
        None
    )
    anchored: Annotated[bool, Arg("Hold the mean share at the difference in means.")] = False
    constrained: Annotated[
        bool, Arg("Other items depend on the sensitive one.", flag="--unconstrained")
    ] = True
    overdispersed: Annotated[bool, Arg("Other items go together.")] = False
    misreport: Literal["none", "ceiling", "floor", "ceiling and floor", "top", "uniform"] = "none"
    condition: Annotated[
        Literal["none", "level", "indicators"],
        Arg("How the item depends on how many others hold."),
    ] = "none"
    missing: Literal["refuse", "drop"] = "refuse"
    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    sample: Annotated[SampleColumns, Arg(without=("column", "counts", "recode", "collapse"))] = (
        SampleColumns()
    )


REQUESTS: dict[str, type[msgspec.Struct]] = {
    "count": CountRequest,
    "estimate": EstimateRequest,
    "compare": CompareRequest,
    "compliance": ComplianceRequest,
    "bounds": BoundsRequest,
    "small-areas": SmallAreasRequest,
    "regress": RegressRequest,
    "item-count": ItemCountRequest,
}
"""The request of each verb that analyses reports."""
