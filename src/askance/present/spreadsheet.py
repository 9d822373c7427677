"""Every estimate of an analysis as one CSV table."""

import csv
import math
from io import StringIO
from typing import TYPE_CHECKING

from askance.present.quantity import quantities
from askance.present.worded import worded

if TYPE_CHECKING:
    from askance.survey.analyse import Analysis

COLUMNS = (
    "question",
    "label",
    "unit",
    "estimate_low",
    "estimate_high",
    "lower",
    "upper",
    "level",
    "standard_error",
    "plain_answers",
    "reports",
    "truth",
)


def to_csv(analysis: "Analysis") -> str:
    """Write every estimate as a row of a CSV table, shares in [0, 1] and at full precision.

    A cell is empty where there is no number; withheld questions have no row. ``estimate_low`` and
    ``estimate_high`` differ where even endless reports only bound the figure.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 310, 1: 520, 2: 170}
    >>> analysis = ak.analyse(form, ak.Counts(1000, sent))
    >>> print(to_csv(analysis).splitlines()[1])
    affair,yes,,0.3228...,0.3228...,0.2777...,0.3696...,0.95,0.0256...,333.5...,1000,
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for finding in (worded(one, analysis.form) for one in analysis.findings):
        for held in quantities(finding):
            ends = (held.low, held.high, held.lower, held.upper, finding.estimate.level)
            figures = (*ends, held.error, held.plain, finding.reports, held.truth)
            writer.writerow((finding.name, held.label, held.unit or "", *map(_cell, figures)))
    return text.getvalue()


def _cell(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.12g}"
