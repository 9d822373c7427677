"""Counts reports where they lie: in the database, or in a file through an embedded engine.

Begin with `tally`: a channel, and a column of its reports wherever it lies, from a list and a data
frame to Parquet, DuckDB, a store and a cluster. Rows are counted where they lie, also by group and
with sampling weights, and only counts come back, for any estimator. Where only a query reaches,
`tally_sql` writes it and `tally_from_sql` reads its result. `count_ranges` counts ranges by their
distinct ends, for `askance.npmle`. `count_reports` counts all questions of a form, in its database,
in CSV, JSON Lines, Parquet, SPSS or Stata; its `Counts` go into `askance.analyse`. `report_rows`
brings the reports themselves, one `ReportRow` each, for a regression with covariates beside them;
`tally_groups` counts groups that were asked through channels of their own, also of one sample;
`labelled_table` reads a file of SPSS or Stata as a data frame, `labelled_channels` the channels
that `askance.present.export_labelled` wrote into it, and `table_columns` any table as
columns. A `TableReading` says how
tables are read: marks, missing codes, what entries stand for, and of each column a `ColumnReading`
with its `ColumnKind`. What somebody should know of how a table is read, such as hidden rows, is a
warning: a `TableNote`.

A `SealKey` opens what devices sealed for a study: `make_seal_key` draws one, `read_seal_key` reads
it. `unseal_tables` opens tables of reports that frames in other pages sealed, and `unseal_texts`
what people wrote; `seal_report` and `seal_text` seal as these devices do.

Needs ``pip install 'askance[engines]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.engines.counts import Counts as Counts, Fieldwork as Fieldwork
    from askance.engines.count import (
        count_ranges as count_ranges,
        count_reports as count_reports,
        report_rows as report_rows,
    )
    from askance.engines.tallies import tally_groups as tally_groups
    from askance.engines.labelled_files import (
        labelled_channels as labelled_channels,
        labelled_table as labelled_table,
    )
    from askance.engines.sealed import (
        SealKey as SealKey,
        OpenedTexts as OpenedTexts,
        RefusedText as RefusedText,
        TextFault as TextFault,
        make_seal_key as make_seal_key,
        read_seal_key as read_seal_key,
        seal_report as seal_report,
        seal_text as seal_text,
        unseal_tables as unseal_tables,
        unseal_texts as unseal_texts,
    )
    from askance.engines.reading import (
        ColumnKind as ColumnKind,
        ColumnReading as ColumnReading,
        TableReading as TableReading,
    )
    from askance.engines.tables import ReportRow as ReportRow, table_columns as table_columns
    from askance.engines.table_notes import TableNote as TableNote
    from askance.engines.tallies import (
        tally as tally,
        tally_from_sql as tally_from_sql,
        tally_sql as tally_sql,
    )
else:
    attach(__name__)
