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

Level = Annotated[float, Arg("The confidence level of the intervals.")]
Group = Annotated[
    str | None,
    Arg("The column of groups, where each has a `--mechanism` of its own."),
]
Models = Annotated[
    tuple[str, ...],
    Arg(
        "Who [does not comply](#people-who-do-not-comply): `cheating`, `sld`, "
        "`self-protective:says=REPORT` or `random`; again for several kinds.",
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
            "A [mechanism by its name](#mechanisms-by-name) instead of FORM, such as "
            "`crosswise:harmless=1/4`; of several groups `GROUP=NAME:KEY=VALUE,…` each."
        ),
    ] = ()
    key: Annotated[
        Path | None,
        Arg(
            "The private key that opens "
            "[sealed](../how-to/ask-inside-another-page.md#sealed-for-the-study) reports."
        ),
    ] = None
    unsealed: Annotated[
        bool, Arg("With a form that has a key: take reports that are not sealed, too.")
    ] = False
    answers: Annotated[
        str | None,
        Arg("With `--mechanism`: the names of the answers, with commas between (`yes,no`)."),
    ] = None


@final
class OutputOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a result is written."""

    as_json: Annotated[bool, Arg("Print JSON, as `--format json` does.", flag="--json")] = (
        msgspec.field(default=False, name="json")
    )
    format: Annotated[
        Literal["table", "json", "latex", "html", "csv"] | None,
        Arg("How to write the result; `csv` has every digit.  [default: table]"),
    ] = None
    methods: Annotated[bool, Arg("Write a methods paragraph to paste, with its references.")] = (
        False
    )

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
        Arg("The column of groups; each may have a `--mechanism` of its own, `GROUP=NAME:…`."),
    ] = None


@final
class ComplianceRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares where some people do not comply."""

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    plot: Annotated[Path | None, Arg("Draw the sensitivity, or the shares: .svg, .png")] = None
    steps: Annotated[int | None, Arg("With `--sensitivity`: in how many steps (4).")] = None
    sensitivity: Annotated[
        str | None,
        Arg(
            "How the shares depend on how many do not comply, from nobody up to this share, such "
            "as `1/5`."
        ),
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
        Arg(
            "The share of several answers together: `ever=daily,often`; again for several.",
            flag="--set",
            read=read_set,
        ),
    ] = msgspec.field(default_factory=dict)
    false_share: Annotated[
        str | None,
        Arg("Bounds if up to this share of the reports is false, such as `1/20` (contamination)."),
    ] = None
    by_chance: Annotated[
        str | None,
        Arg("With `--nonresponse`: the chance of a blank whatever the answer; a form knows it."),
    ] = None
    at_least: Annotated[
        str | None,
        Arg(
            "With `--nonresponse`: an answer at least as common among nonrespondents (monotone "
            "selection)."
        ),
    ] = None
    silent: Annotated[
        int | None,
        Arg("With `--nonresponse`: how many people were asked and sent nothing, not even a blank."),
    ] = None
    nonresponse: Annotated[
        bool,
        Arg(
            "Bounds among all who were asked: [nonrespondents](../how-to/nonresponse.md), and who"
            " sent a blank, may have any answer."
        ),
    ] = False


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
        Arg("With `--formula`: standard errors at everybody's share, or each group's own."),
    ] = "pooled"
    areas: Annotated[
        str | None,
        Arg(
            "With `--formula`: a table of the groups, with a column as in `--by`; without it, "
            "columns that all rows of a group have alike."
        ),
    ] = None
    formula: Annotated[
        str | None,
        Arg('Covariates of the groups, such as `"~ rural"` (Fay and Herriot).'),
    ] = None


@final
class EstimateRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates of a form's questions, or of a column of reports."""

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    page: Annotated[Path | None, Arg("Write the analyst's page, one file that loads nothing.")] = (
        None
    )
    attentive: Annotated[
        bool,
        Arg(
            "Leave out people who [failed an attention "
            "check](#without-those-who-fail-an-attention-check)."
        ),
    ] = False
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

    formula: Annotated[str, Arg('Such as `"affair ~ marriage + C(age)"`.')]
    covariates: Annotated[
        Path | None,
        Arg(
            "A CSV table of covariates with a column `id`: the ids of reports, as their "
            "respondents kept them."
        ),
    ] = None
    missing: Annotated[
        Literal["refuse", "drop"],
        Arg("What to do with rows whose covariates have holes."),
    ] = "refuse"
    link: Annotated[Literal["logit", "probit", "loglog", "cloglog"], Arg("The link function.")] = (
        "logit"
    )
    ordered: Annotated[bool, Arg("The answers have an order, the form's.")] = False
    errors: Annotated[
        Literal["observed", "expected", "robust"],
        Arg("The standard errors; columns of a sample give their own."),
    ] = "observed"
    level: Level = 0.95
    effects: Annotated[bool | None, Arg("Average marginal effects too.  [default: in JSON]")] = None
    output: OutputOptions = OutputOptions()
    plot: Annotated[Path | None, Arg("Draw the coefficients: .svg, .png")] = None
    compliance: Annotated[
        str | None, Arg('With `--model`: covariates of compliance, such as `"~ age"`.')
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
        str | None, Arg('Instead: a regression, such as `"items ~ age + C(region)"`.')
    ] = None
    arms: Annotated[
        str,
        Arg("The column that says which list was seen.", flag="--list"),
    ] = msgspec.field(name="list")
    control: Annotated[
        str, Arg("The value of that column for the list without the sensitive item.")
    ]
    items: Annotated[int, Arg("How many items that list has.")]
    method: Annotated[
        Literal["ml", "nls", "lm"] | None,
        Arg("Of a regression: maximum likelihood, nonlinear or linear least squares (`ml`)."),
    ] = None
    outcome: Annotated[str | None, Arg("The column to regress on the item and the covariates.")] = (
        None
    )
    family: Annotated[
        Literal["normal", "logit"] | None,
        Arg("The distribution of the outcome: `normal`, or `logit` for the log-odds of a 1."),
    ] = None
    errors: Annotated[
        Literal["observed", "robust"] | None,
        Arg("The standard errors of a likelihood (`observed`)."),
    ] = None
    anchored: Annotated[bool, Arg("Hold the mean share at the difference in means.")] = False
    constrained: Annotated[
        bool, Arg("Let the other items depend on the sensitive one.", flag="--unconstrained")
    ] = True
    overdispersed: Annotated[bool, Arg("Let the other items be correlated.")] = False
    misreport: Annotated[
        Literal["none", "ceiling", "floor", "ceiling and floor", "top", "uniform"],
        Arg("Which respondents misreport."),
    ] = "none"
    condition: Annotated[
        Literal["none", "level", "indicators"],
        Arg("How the item depends on the number of the others that hold."),
    ] = "none"
    missing: Annotated[Literal["refuse", "drop"], Arg("What to do with rows with holes.")] = (
        "refuse"
    )
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
