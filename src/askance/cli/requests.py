"""The requests of the verbs that analyse reports: each field is a flag, and an argument in JSON.

The command line, `askance rpc`, the R package and the reference page are held to these fields.
"""

from pathlib import Path
from typing import Annotated, Literal, final

import msgspec

from askance.cli.mechanism_option import Recipe, convert_recipes, read_recipes
from askance.cli.sample import SampleColumns
from askance.cli.typed import read_sets
from askance.cli.typed_request import Arg
from askance_collect.errors import InputError


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


@final
class CompareRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of groups, how far they differ, and of all together.

    Attributes
    ----------
    level : float
        The confidence level of the intervals.
    output : OutputOptions
        How the result is written.
    source : ReportOptions
        Where the reports are.
    sample : SampleColumns
        The columns of the table.
    plot : Path, optional
        Draw the share of each group: .svg, .png
    group : str, optional
        The column of groups; each may have a `--mechanism` of its own, `GROUP=NAME:…`.
    """

    level: float = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    plot: Path | None = None
    group: str | None = None


@final
class ComplianceRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares where some people do not comply.

    Attributes
    ----------
    level : float
        The confidence level of the intervals.
    output : OutputOptions
        How the result is written.
    source : ReportOptions
        Where the reports are.
    sample : SampleColumns
        The columns of the table.
    plot : Path, optional
        Draw the sensitivity, or the shares: .svg, .png
    steps : int, optional
        With `--sensitivity`: in how many steps (4).
    sensitivity : str, optional
        How the shares depend on how many do not comply, from nobody up to this share, such
        as `1/5`.
    models : tuple of str
        Who [does not comply](#people-who-do-not-comply): `cheating`, `sld`,
        `self-protective:says=REPORT` or `random`; again for several kinds.
    group : str, optional
        The column of groups, where each has a `--mechanism` of its own.
    """

    level: float = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    plot: Path | None = None
    steps: int | None = None
    sensitivity: str | None = None
    models: Annotated[tuple[str, ...], Arg(flag="--model")] = ()
    group: str | None = None


@final
class BoundsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on shares that are only partly identified.

    Attributes
    ----------
    level : float
        The confidence level of the intervals.
    output : OutputOptions
        How the result is written.
    source : ReportOptions
        Where the reports are.
    sample : SampleColumns
        The columns of the table.
    group : str, optional
        The column of groups, where each has a `--mechanism` of its own.
    sets : dict of str to tuple of str
        The share of several answers together: `ever=daily,often`; again for several.
    false_share : str, optional
        Bounds if up to this share of the reports is false, such as `1/20` (contamination).
    blank_chance : str, optional
        With `--nonresponse`: the chance of a blank whatever the answer; a form knows it.
    monotone_selection : str, optional
        With `--nonresponse`: an answer at least as common among nonrespondents (monotone
        selection).
    nonrespondents : int, optional
        With `--nonresponse`: how many people were asked and sent nothing, not even a blank.
    nonresponse : bool
        Bounds among all who were asked: [nonrespondents](../how-to/nonresponse.md), and who
        sent a blank, may have any answer.
    """

    level: float = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    group: str | None = None
    sets: Annotated[dict[str, tuple[str, ...]], Arg(flag="--set", read=read_sets)] = msgspec.field(
        default_factory=dict
    )
    false_share: str | None = None
    blank_chance: str | None = None
    monotone_selection: str | None = None
    nonrespondents: int | None = None
    nonresponse: bool = False


@final
class SmallAreasRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of many small groups.

    Attributes
    ----------
    level : float
        The confidence level of the intervals.
    output : OutputOptions
        How the result is written.
    source : ReportOptions
        Where the reports are.
    sample : SampleColumns
        The columns of the table.
    plot : Path, optional
        Draw the shares: .svg, .png
    errors : str
        With `--formula`: standard errors at everybody's share, or each group's own.
    areas : str, optional
        With `--formula`: a table of the groups, with a column as in `--by`; without it,
        columns that all rows of a group have alike.
    formula : str, optional
        Covariates of the groups, such as `"~ rural"` (Fay and Herriot).
    """

    level: float = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()
    plot: Path | None = None
    errors: Literal["pooled", "own"] = "pooled"
    areas: str | None = None
    formula: str | None = None


@final
class EstimateRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates of a form's questions, or of a column of reports.

    Attributes
    ----------
    level : float
        The confidence level of the intervals.
    output : OutputOptions
        How the result is written.
    page : Path, optional
        Write the analyst's page, one file that loads nothing.
    attentive : bool
        Leave out people who [failed an attention
        check](#without-those-who-fail-an-attention-check).
    source : ReportOptions
        Where the reports are.
    sample : SampleColumns
        The columns of the table.
    """

    level: float = 0.95
    output: OutputOptions = OutputOptions()
    page: Path | None = None
    attentive: bool = False
    source: ReportOptions = ReportOptions()
    sample: SampleColumns = SampleColumns()


@final
class CountRequest(msgspec.Struct, frozen=True, kw_only=True):
    """How many reports of each kind there are.

    Attributes
    ----------
    out : Path
        Write the counts: a .json or .csv file.
    source : ReportOptions
        Where the reports are.
    group : str, optional
        The column of groups, where each has a `--mechanism` of its own.
    sample : SampleColumns
        The columns of the table.
    """

    out: Path
    source: ReportOptions = ReportOptions()
    group: str | None = None
    sample: Annotated[SampleColumns, Arg(without=("counts", "recode", "collapse"))] = (
        SampleColumns()
    )


@final
class RegressRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A regression of a protected answer.

    Attributes
    ----------
    formula : str
        Such as `"affair ~ marriage + C(age)"`.
    covariates : Path, optional
        A CSV table of covariates with a column `id`: the ids of reports, as their
        respondents kept them.
    missing : str
        What to do with rows whose covariates have holes.
    link : str
        The link function.
    ordered : bool
        The answers have an order, the form's.
    errors : str
        The standard errors; columns of a sample give their own.
    level : float
        The confidence level of the intervals.
    effects : bool, optional
        Average marginal effects too.  [default: in JSON]
    output : OutputOptions
        How the result is written.
    plot : Path, optional
        Draw the coefficients: .svg, .png
    compliance : str, optional
        With `--model`: covariates of compliance, such as `"~ age"`.
    models : tuple of str
        Who [does not comply](#people-who-do-not-comply): `cheating`, `sld`,
        `self-protective:says=REPORT` or `random`; again for several kinds.
    group : str, optional
        The column of groups, where each has a `--mechanism` of its own.
    source : ReportOptions
        Where the reports are.
    sample : SampleColumns
        The columns of the table.
    """

    formula: str
    covariates: Path | None = None
    missing: Literal["refuse", "drop"] = "refuse"
    link: Literal["logit", "probit", "loglog", "cloglog"] = "logit"
    ordered: bool = False
    errors: Literal["observed", "expected", "robust"] = "observed"
    level: float = 0.95
    effects: bool | None = None
    output: OutputOptions = OutputOptions()
    plot: Path | None = None
    compliance: str | None = None
    models: Annotated[tuple[str, ...], Arg(flag="--model")] = ()
    group: str | None = None
    source: ReportOptions = ReportOptions()
    sample: Annotated[SampleColumns, Arg(without=("column",))] = SampleColumns()


@final
class ItemCountRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates and regressions from a list experiment.

    Attributes
    ----------
    table : str
        The table of the experiment.
    column : str, optional
        The column of counts, for a difference in means.
    formula : str, optional
        Instead: a regression, such as `"items ~ age + C(region)"`.
    arms : str
        The column that says which list was seen.
    control : str
        The value of that column for the list without the sensitive item.
    items : int
        How many items that list has.
    method : str, optional
        For a regression: maximum likelihood, nonlinear or linear least squares (`ml`).
    outcome : str, optional
        The column to regress on the item and the covariates.
    family : str, optional
        The distribution of the outcome: `normal`, or `logit` for the log-odds of a 1.
    errors : str, optional
        The standard errors of a likelihood (`observed`).
    anchored : bool
        Hold the mean share at the difference in means.
    constrained : bool
        Whether the other items are independent of the sensitive one; `--unconstrained` lets them
        depend on it.
    overdispersed : bool
        Let the other items be correlated.
    misreport : str
        Which respondents misreport.
    condition : str
        How the item depends on the number of the others that hold.
    missing : str
        What to do with rows with holes.
    level : float
        The confidence level of the intervals.
    output : OutputOptions
        How the result is written.
    sample : SampleColumns
        The columns of the table.
    """

    table: Annotated[str, Arg(flag="")]
    column: str | None = None
    formula: str | None = None
    arms: Annotated[str, Arg(flag="--list")] = msgspec.field(name="list")
    control: str
    items: int
    method: Literal["ml", "nls", "lm"] | None = None
    outcome: str | None = None
    family: Literal["normal", "logit"] | None = None
    errors: Literal["observed", "robust"] | None = None
    anchored: bool = False
    constrained: Annotated[bool, Arg(flag="--unconstrained")] = True
    overdispersed: bool = False
    misreport: Literal["none", "ceiling", "floor", "ceiling and floor", "top", "uniform"] = "none"
    condition: Literal["none", "level", "indicators"] = "none"
    missing: Literal["refuse", "drop"] = "refuse"
    level: float = 0.95
    output: OutputOptions = OutputOptions()
    sample: Annotated[SampleColumns, Arg(without=("column", "counts", "recode", "collapse"))] = (
        SampleColumns()
    )
