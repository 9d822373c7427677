"""A folder for an archive: form, codebook, instrument, methods, results, tables, fingerprints."""

import shlex
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import click
import msgspec

from askance.analysis.analyse import analyse_deployed
from askance.analysis.form_results import Analysis
from askance.cli.sample import digest_of, name_of
from askance.cli.typed_request import takes_request
from askance.cli.verb_result import draw
from askance.engines.count import count_reports
from askance.present.analysis_page import render_analysis
from askance.present.codebook import (
    check_deposit,
    render_codebook,
    write_methods,
)
from askance.present.instrument import describe_instrument, render_instrument_page
from askance.present.instrument_pdf import render_instrument
from askance.present.methods import question_methods
from askance.present.result_table import result_table
from askance.survey.deployed import DeployedForm
from askance.survey.publish import deployed_at
from askance_collect.cli.documents import FOLDER, save
from askance_collect.cli.request_options import Arg
from askance_collect.errors import InputError, MissingExtra, file_faults
from askance_collect.respond.page import render_page
from askance_collect.wire.toml_text import read_toml

_FINGERPRINTS, _CHECK = "fingerprints.txt", "complete.md"
_UNIX = 3  # as the system that packed a zip


@final
class DepositRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A study for an archive.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    reports : Path
        Where its reports or their counts are, as for `askance estimate`.
    out : Path
        The folder to write, or with `--zip` the file, which is not there yet.
    study : Path, optional
        What the form does not say of the study, in TOML: `authors`, `population`, `sampling` and
        [so on](../how-to/deposit-a-study.md).
    level : float
        The confidence level.
    fonts : Path, optional
        A folder with fonts for `instrument.pdf`, where the system has none for the survey's script.
    zip : bool
        Write OUT as one zip, whose bytes follow from its files.
    """

    survey: Annotated[Path, Arg(flag="")]
    reports: Annotated[Path, Arg(flag="")]
    out: Annotated[Path, Arg(flag="", path=FOLDER)]
    study: Path | None = None
    level: float = 0.95
    fonts: Annotated[Path | None, Arg(path=FOLDER)] = None
    zip: bool = False


@takes_request()
def deposit(request: DepositRequest) -> None:
    """Write OUT, a folder that deposits SURVEY in an archive.

    It holds the form, a codebook (DDI-Codebook 2.5), the instrument, methods, results of REPORTS,
    tables, figures and fingerprints, and a list of missing items that archives ask for. It holds no
    single reports.
    """
    study = {} if request.study is None else read_toml(request.study, "a file of TOML")
    check_deposit((), study)
    deployed = deployed_at(request.survey)
    counts = count_reports(str(request.reports), deployed.form)
    analysis = analyse_deployed(
        deployed,
        counts,
        level=request.level,
        command=_write_command(request),
        data_fingerprint=digest_of(str(request.reports)),
    )
    results = {
        finding.name: finding.estimate
        for finding in analysis.findings
        if not finding.suppressed and finding.reports
    }
    tables = _split_lists(results, analysis)
    contents = _write_contents(deployed, analysis, results, study) | _write_tables(tables)
    contents |= _draw_figures(tables)
    reasons = _add_pdf(contents, deployed, request.fonts)
    names = {name.partition("/")[0] for name in contents} | {_FINGERPRINTS}
    complete = check_deposit(sorted(names), study, reasons)
    contents[_CHECK] = complete.to_markdown().encode()
    lines = [f"{sha256(content).hexdigest()}  {name}" for name, content in contents.items()]
    contents[_FINGERPRINTS] = ("\n".join(lines) + "\n").encode()
    if request.zip:
        save(request.out, _pack(contents), new=True)
    else:
        _make_folder(request.out)
        for name, content in contents.items():
            save(request.out / name, content, new=True)
    click.echo(f"{request.out} is ready: {len(contents)} files")
    for item in complete.items:
        if not item.is_there:
            click.echo(f"missing: {item.sentence} ({item.by}): {item.where}")


def _write_command(request: DepositRequest) -> str:
    """Write the command by which the results come from the form in the folder."""
    place = name_of(str(request.reports))
    return shlex.join(["askance", "estimate", "form.json", place, "--level", f"{request.level:g}"])


def _add_pdf(
    contents: dict[str, bytes], deployed: DeployedForm, folder: Path | None
) -> dict[str, str]:
    """Add the instrument as PDF, or say why it is not there: all the rest can be deposited."""
    try:
        fonts = () if folder is None else (folder,)
        contents["instrument.pdf"] = render_instrument(deployed.form, fonts)
    except (InputError, MissingExtra) as error:
        return {"instrument.pdf": str(error)}
    return {}


def _pack(contents: Mapping[str, bytes]) -> bytes:
    """Pack files into one zip: equal files give equal bytes, whenever they are packed."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in sorted(contents.items()):
            entry = ZipInfo(name)  # of 1980, as far back as the format goes
            entry.compress_type, entry.create_system = ZIP_DEFLATED, _UNIX
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()


def _write_contents(
    deployed: DeployedForm,
    analysis: Analysis,
    results: Mapping[str, Any],
    study: Mapping[str, Any],
) -> dict[str, bytes]:
    """Write the files of a deposit by their names."""
    form = deployed.form
    trusted = {
        finding.name: finding.estimate
        for finding in analysis.findings
        if finding.name in results and not finding.fit.doubted
    }
    questions = {question.question.name: question for question in deployed.questions}
    paragraphs = {name: question_methods(questions[name], trusted[name]) for name in trusted}
    methods = {name: paragraph for name, paragraph in paragraphs.items() if paragraph is not None}
    contents = {
        "form.json": form.bytes,
        "codebook.xml": render_codebook(form, study).encode(),
        "page.html": render_page(form).bytes,
        "instrument.html": render_instrument_page(form).encode(),
        "instrument.md": describe_instrument(form).encode(),
        "results.html": render_analysis(analysis).encode(),
    }
    if methods:
        contents["methods.md"] = write_methods(methods, study).encode()
    return contents


def _split_lists(results: Mapping[str, Any], analysis: Analysis) -> dict[str, Any]:
    """Put the items of a list before its combinations, which get a file of their own."""
    tables = dict(results)
    for finding in analysis.lists:
        name, *others = finding.questions
        if others:
            tables[f"{name}-list"] = finding
        elif name in results:
            tables |= {name: finding, f"{name}-combinations": results[name]}
    return tables


def _write_tables(results: Mapping[str, Any]) -> dict[str, bytes]:
    """Write each result as CSV, by the names of the files."""
    return {
        f"tables/{name}.csv": result_table(result, name).to_csv().encode()
        for name, result in results.items()
    }


def _make_folder(folder: Path) -> None:
    """Make a folder that is not there yet."""
    with file_faults(folder, "a folder that is not there yet"):
        folder.mkdir(parents=True)
    for name in ("tables", "figures"):
        (folder / name).mkdir()


def _draw_figures(results: Mapping[str, Any]) -> dict[str, bytes]:
    """Draw each result, and return the drawings by their names."""
    drawings = {}
    with TemporaryDirectory() as folder:
        for name, result in results.items():
            path = Path(folder, f"{name}.svg")
            draw(result, path)
            drawings[f"figures/{name}.svg"] = path.read_bytes()
    return drawings
