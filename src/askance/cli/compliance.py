"""Shares under noncompliance: estimates, tests, bounds and a sensitivity analysis."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import msgspec

from askance.channels.grouped_tally import GroupedTally
from askance.cli.noncompliers import kinds_of
from askance.cli.reports import Counted, ReportOptions, TableOptions, read_source, tally_question
from askance.cli.sample import SampleColumns, show_replicates
from askance.cli.typed_request import Exact, GroupColumn, Level, Noncompliance, takes_request
from askance.cli.verb_result import (
    OutputOptions,
    VerbResult,
    draw,
    echo_results,
    refuse_beside_groups,
)
from askance.inference.shares.compliance import (
    ComplianceEstimate,
    Noncompliers,
    estimate_compliance,
)
from askance.inference.shares.sensitivity import Sensitivity, sensitivity
from askance.typing import Json
from askance_collect.errors import InputError, NotIdentified

_MOST, _STEPS, _FINE = "1/5", 4, 40


@final
class ComplianceRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares where some people do not comply.

    Attributes
    ----------
    plot : Path, optional
        Draw the sensitivity, or the shares: .svg, .png
    steps : int, optional
        With `--sensitivity`: in how many steps (4).
    sensitivity : str, optional
        How the shares depend on how many do not comply, from nobody up to this share, such
        as `1/5`.
    """

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    tables: TableOptions = TableOptions()
    sample: SampleColumns = SampleColumns()
    plot: Path | None = None
    steps: int | None = None
    sensitivity: Exact | None = None
    models: Noncompliance = ()
    group: GroupColumn = None


@takes_request()
@show_replicates
def compliance(request: ComplianceRequest) -> None:
    """Estimate from REPORTS under FORM where some do not comply.

    Groups with different chances show how many people do not comply, and test whether all comply. A
    single mechanism usually gives bounds, and how they depend on the share who do not comply.
    Without a --model everybody complies.

    FORM and REPORTS are those of `askance estimate`.
    """
    output, plot, most = request.output, request.plot, request.sensitivity
    refuse_beside_groups(request.sample.by, {"methods": output.methods, "plot": plot})
    if request.steps is not None and most is None:
        raise InputError(
            "--steps", got=str(request.steps), allowed="nothing, without --sensitivity"
        )
    kinds = kinds_of(request.models)
    source = read_source(request.source, request.tables)
    tallies = tally_question(source, request.sample, request.group, separate_groups=True)
    strip = _Strip(
        kinds=kinds,
        most=most,
        steps=request.steps or _STEPS,
        level=request.level,
    )

    def learn(counted: Counted) -> VerbResult:
        estimate = estimate_compliance(counted, kinds, request.level)
        return _make_result(
            estimate, strip.of(counted), strip_alone=output.form == "csv" and most is not None
        )

    outcomes = tallies.estimate_each(learn)
    if plot is not None:
        strip.draw(tallies.overall, plot)
    echo_results(outcomes, output, request.sample.by, tallies.methods, source.fieldwork)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Strip:
    """How shares depend on how many do not comply, of each kind by itself, or of any.

    Attributes
    ----------
    kinds : tuple of Noncompliers
    most : str or None
        The largest share of noncompliers; None where `--sensitivity` is not given.
    steps : int
    level : float
    """

    kinds: tuple[Noncompliers, ...]
    most: str | None
    steps: int
    level: float

    def of(self, counted: Counted, steps: int | None = None) -> list[Sensitivity]:
        """The strips of a sensitivity analysis, if there are any."""
        if self.most is None and isinstance(counted, GroupedTally):
            return []
        try:
            return [
                sensitivity(
                    counted,
                    kind,
                    most=self.most or _MOST,
                    steps=steps or self.steps,
                    level=self.level,
                )
                for kind in self.kinds or (None,)
            ]
        except NotIdentified:
            if self.most is None:  # nobody asked for it
                return []
            raise

    def draw(self, counted: Counted, path: Path) -> None:
        """Draw the strip in many steps, or the shares without a strip."""
        strips = self.of(counted, _FINE)
        if len(strips) > 1:
            raise InputError("--plot", got=f"{len(strips)} models", allowed="one, or none")
        shares = estimate_compliance(counted, self.kinds, self.level)
        draw(strips[0] if strips else shares, path)


def _make_result(
    estimate: ComplianceEstimate, strips: Sequence[Sensitivity], *, strip_alone: bool
) -> VerbResult:
    document = estimate.to_dict() | {"sensitivity": [strip.to_dict() for strip in strips]}
    notes = []
    if estimate.noncompliers and isinstance(estimate.tally, GroupedTally):
        document["everybody"], sentence = _test_compliance(estimate)
        notes.append(f"that everybody complies: {sentence}")
    if not estimate.classes.is_identified.all():
        notes.append(_OPEN)
    tested = [estimate.test] if estimate.test.df else []
    results = strips if strip_alone else (estimate, *tested, *strips)
    return VerbResult(json=document, results=tuple(results), notes=tuple(notes))


def _test_compliance(estimate: ComplianceEstimate) -> tuple[Json | None, str]:
    """Test whether some people do not comply, and print the result."""
    try:
        everybody = estimate_compliance(estimate.tally, (), estimate.answers.level)
    except InputError:
        return None, "no: some report can only come from people who do not comply"
    statistic, df, p = estimate.likelihood_ratio(everybody)
    document = {"statistic": statistic, "df": df, "p_value": p}
    return document, f"likelihood ratio {statistic:.4g} (p {p:.3g})"


_OPEN = (
    "from and to: all values that fit the reports equally well; groups with different chances "
    "narrow them"
)
