"""Reports for another program: a file of SPSS, Stata or R, with labels and channels."""

from pathlib import Path
from typing import Annotated, final

import click
import msgspec

from askance.cli.reports import TableOptions
from askance.cli.typed_request import takes_request
from askance.present.labelled_export import export_labelled
from askance.survey.publish import deployed_at
from askance_collect.cli.request_options import Arg


@final
class ExportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Reports for another program.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    reports : Path
        A store or a table of its reports.
    out : Path
        The file to write: `.sav`, `.zsav`, `.dta` or `.rds`.
    """

    survey: Annotated[Path, Arg(flag="")]
    reports: Annotated[Path, Arg(flag="")]
    out: Annotated[Path, Arg(flag="")]
    tables: TableOptions = TableOptions()


@takes_request()
def export(request: ExportRequest) -> None:
    """Write REPORTS of SURVEY for SPSS, Stata or R.

    OUT ends in .sav, .zsav, .dta or .rds. It has variable and value labels, codes of missing values
    and, for each protected question, the chance of each report under each answer. Rows of a
    store are in random order.
    """
    form = deployed_at(request.survey).form
    export_labelled(form, request.reports, request.out, reading=request.tables.read())
    click.echo(f"{request.out} is written")
