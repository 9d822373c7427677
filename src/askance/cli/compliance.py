"""What if people did not follow the instructions? Shares, tests, bounds, and what depends on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import click

from askance.channels.grouped_tally import GroupedTally
from askance.cli.documents import FILE
from askance.cli.noncompliers import kinds_of
from askance.cli.options import VerbResult, draw, echo_results, pop_output_options, reports_options
from askance.cli.reports import Counted, read_source, tally_question
from askance.cli.sample import SampleColumns
from askance.errors import InputError, NotIdentified
from askance.exact.ratio import spelt
from askance.inference.shares.compliance import (
    ComplianceEstimate,
    Noncompliers,
    estimate_compliance,
)
from askance.inference.shares.sensitivity import Sensitivity, sensitivity
from askance.typing import Json

_MOST, _STEPS, _FINE = "1/5", 4, 40
_ROWS = 9  # of a table, as high as a strip is drawn


@click.command()
@reports_options
@click.option("--plot", type=FILE, help="Draw the strip, or the shares: .svg, .png")
@click.option("--steps", type=int, help="With --sensitivity: how many, from nobody on (4).")
@click.option(
    "--sensitivity",
    "most",
    help="How shares depend on how many do not comply, up to this share, such as 1/5.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    help="Who does not comply: cheating, sld, self-protective:says=REPORT or random; again "
    "for several kinds.",
)
@click.option("--group", help="The column of groups, of which each has a --mechanism of its own.")
def compliance(
    words: Sequence[str],
    level: float,
    mechanism: Sequence[str],
    answers: str | None,
    group: str | None,
    models: Sequence[str],
    most: str | None,
    steps: int | None,
    plot: Path | None,
    **options: Any,
) -> None:
    """Estimate from REPORTS under FORM where some do not comply.

    Groups that were asked with different chances tell how many do not, and test whether all do.
    One way of asking mostly gives bounds, and how they depend on how many do not comply. Without
    a --model everybody complies.

    FORM and REPORTS are those of `askance estimate`.
    """
    how = pop_output_options(options, options["by"], plot=plot)
    sample = SampleColumns(**options)
    if steps is not None and most is None:
        raise InputError("--steps", got=str(steps), allowed="nothing, without --sensitivity")
    kinds = kinds_of(models)
    source = read_source(words, mechanism, answers)
    tallies = tally_question(source, sample, group, separate_groups=True)
    strip = _Strip(
        kinds=kinds, most=None if most is None else spelt(most), steps=steps or _STEPS, level=level
    )

    def learn(counted: Counted) -> VerbResult:
        estimate = estimate_compliance(counted, kinds, level)
        return _make_result(
            estimate, strip.of(counted), strip_alone=how.form == "csv" and most is not None
        )

    outcomes = tallies.estimate_each(learn)
    if plot is not None:
        strip.draw(tallies.everybody, plot)
    echo_results(
        outcomes,
        how,
        sample.by,
        tallies.methods,
        source.fieldwork,
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Strip:
    """How shares depend on how many do not comply, of each kind by itself, or of any.

    Attributes
    ----------
    kinds : tuple of Noncompliers
    most : str or None
        The largest share; without it a strip is told where there is one way of asking.
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
        draw(strips[0] if strips else shares, path, _ROWS)


def _make_result(
    estimate: ComplianceEstimate, strips: Sequence[Sensitivity], *, strip_alone: bool
) -> VerbResult:
    document = estimate.to_dict() | {"sensitivity": [strip.to_dict() for strip in strips]}
    notes = []
    if estimate.noncompliers and isinstance(estimate.tally, GroupedTally):
        document["everybody"], sentence = _test_compliance(estimate)
        notes.append(f"that everybody complies: {sentence}")
    if not estimate.classes.determined.all():
        notes.append(_OPEN)
    tested = [estimate.test] if estimate.test.freedom else []
    results = strips if strip_alone else (estimate, *tested, *strips)
    return VerbResult(json=document, results=tuple(results), notes=tuple(notes))


def _test_compliance(estimate: ComplianceEstimate) -> tuple[Json | None, str]:
    """Test whether those are there who do not comply, and say it."""
    try:
        everybody = estimate_compliance(estimate.tally, (), estimate.answers.level)
    except InputError:
        return None, "no, a report came that only others send"
    statistic, freedom, p = estimate.likelihood_ratio(everybody)
    document = {"statistic": statistic, "freedom": freedom, "p_value": p}
    return document, f"likelihood ratio {statistic:.4g} (p {p:.3g})"


_OPEN = (
    "from and to: all that fits the reports equally well; groups asked with other chances tell more"
)
