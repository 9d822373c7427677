"""Counts reports where they lie: in the database, or in a file through an embedded engine.

Begin with `count_reports`: a form and a database, a CSV file or a Parquet file in, the `Counts` of
each question's reports out. Rows are counted where they lie, and only counts come back; they go
into `askance.analyse`, or question by question into any estimator. `report_rows` brings the reports
themselves, one `ReportRow` each, for a regression with covariates beside them. `tally` counts a
column of reports that is at hand, from a list to a reader of record batches.

Needs ``pip install 'askance[engines]'``.
"""

from typing import TYPE_CHECKING

from askance.lazy import attach

if TYPE_CHECKING:
    from askance.engines.rows import Counts as Counts
    from askance.engines.count import count_reports as count_reports
    from askance.engines.tally import tally as tally
    from askance.engines.rows import ReportRow as ReportRow, report_rows as report_rows
else:
    attach(__name__)
