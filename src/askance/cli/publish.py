"""What each respondent risks; then the form that is deployed, and the page that asks it."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, final
from urllib.parse import urlsplit

import click
import msgspec

from askance.analysis.check import SIZES, check_deployed
from askance.analysis.form_results import Check
from askance.cli.typed_request import Positive, takes_request
from askance.survey.invitations import describe_report_costs, describe_tokens
from askance.survey.publish import deployed_at
from askance.survey.row_crowd import row_crowd, warn_of_crowd
from askance_collect.cli.documents import FOLDER, save, write_form
from askance_collect.cli.request_options import Arg
from askance_collect.errors import InputError
from askance_collect.respond.colours import THEMES, contrast_in
from askance_collect.respond.iframe import render_frame
from askance_collect.respond.page import render_page, render_source_map
from askance_collect.respond.verifier import render_verifier, verified_link
from askance_collect.respond.words import notes_on_words
from askance_collect.wire.ending import Ending
from askance_collect.wire.form import Form, may_be_untrue
from askance_collect.wire.parts import PARTING_CROWD
from askance_collect.wire.toml_text import packaged_toml


@final
class CheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A survey, and how much is said of it.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    sizes : tuple of int
        Judge the precision at so many reports; again for several (100, 1,000 and 10,000).
    summary : bool
        The first page alone.
    details : bool
        Also histograms, and what each figure means for each question.
    picture : Path, optional
        Draw the typical report, the worst one and the histogram of every such question (SVG, light
        or dark).
    board : Path, optional
        Write [one page for an ethics board](../how-to/for-ethics-boards.md), or for a data
        protection impact assessment (HTML, A4).
    assessment : Path, optional
        Write a draft of a [data protection impact
        assessment](../how-to/for-ethics-boards.md#a-draft-to-edit) to edit: Markdown, or Word where
        the name ends in `.docx`.
    record : Path, optional
        Write a draft [record](../how-to/for-ethics-boards.md#a-record-for-the-registry) for the
        Differential Privacy Deployments Registry: JSON, which is YAML, too.
    """

    survey: Annotated[Path, Arg(flag="")]
    sizes: Annotated[tuple[Positive, ...], Arg(flag="-n")] = ()
    summary: bool = False
    details: bool = False
    picture: Path | None = None
    board: Path | None = None
    assessment: Path | None = None
    record: Path | None = None


@takes_request()
def check(request: CheckRequest) -> None:
    """Show what SURVEY, or its form, reveals about its respondents.

    --board writes the same, with what is stored and who could do what, as one page to attach to an
    application: to an ethics board, or for a data protection impact assessment. --assessment
    writes a draft of such an assessment, and --record one of a deployment's public record.
    """
    from rich.console import Console

    from askance.present.terminal import risk_tables, summary_table

    deployed = deployed_at(request.survey)
    judgement = check_deployed(deployed, request.sizes or SIZES)
    if request.picture is not None:
        from askance.present.figures import outlook_picture

        save(request.picture, outlook_picture(judgement))
    _write_documents(request, deployed.form, judgement)
    Console().print(
        summary_table(judgement)
        if request.summary
        else risk_tables(judgement, details=request.details)
    )
    form = deployed.form
    on_words = notes_on_words(form.languages, form.translations)
    for note in (*on_words, *_note_ending(form), *_note_devices(form), *_note_appearance(form)):
        click.echo(f"note  {note}")


def _write_documents(request: CheckRequest, form: Form, judgement: Check) -> None:
    """Write the page for a board, the draft of an assessment, and that of a record."""
    if request.board is not None:
        from askance.present.board_page import render_board

        save(request.board, render_board(form, judgement))
    if request.assessment is not None:
        from askance.present.impact_assessment import write_assessment, write_assessment_docx

        write = write_assessment_docx if request.assessment.suffix == ".docx" else write_assessment
        save(request.assessment, write(form, judgement))
    if request.record is not None:
        from askance.present.deployment_record import write_record

        save(request.record, write_record(form, judgement))


_NOTES: dict[str, str] = packaged_toml("askance.cli", "notes.toml")


def _note_ending(form: Form) -> Iterator[str]:
    """List empty contacts, the addresses of the last screens, and who is notified of a visit."""
    if tags := [tag for tag, contact in form.document["contact"].items() if not contact.strip()]:
        languages = f", in {', '.join(tags)}" if len(form.languages) > 1 else ""
        yield _NOTES["no_contact"].format(languages=languages)
    if (ending := form.ending) is None:
        return
    for where, url in ending.urls.items():
        yield _NOTES[where].format(host=urlsplit(url).hostname)
    if ending.urls and (names := ending.url_parameters):
        yield _NOTES["parameters"].format(parameters="&".join(f"{name}=…" for name in names))
    if ending.url is not None and form.quotas:
        yield from _note_turned_away(form, ending)
    if ending.framing_origins:
        yield _NOTES["frames"].format(origins=", ".join(ending.framing_origins))


def _note_turned_away(form: Form, ending: Ending) -> Iterator[str]:
    """Describe who is turned away without a way back, and what a panel learns of the others."""
    most = [quota.maximum for quota in form.quotas]
    has_way = {
        name: redirect is not None and bool(redirect.url or redirect.code)
        for name, redirect in (("full", ending.full), ("screened", ending.screened))
    }
    for name, is_used in (("full", any(most)), ("screened", 0 in most)):
        if is_used and not has_way[name]:
            yield _NOTES["no_way_back"].format(name=name)
    if any(has_way.values()):
        yield _NOTES["panel"]


def _note_devices(form: Form) -> Iterator[str]:
    """Describe what stays on devices, what a report costs, and who is shown the report."""
    lying = {
        "resumption": form.resume_days is not None,
        "tablet": form.for_tablet,
        "pin": form.pins_page,
        "parts": form.keeps_apart,
    }
    for name in (name for name, is_so in lying.items() if is_so):
        yield _NOTES[name].format(days=form.resume_days, crowd=PARTING_CROWD)
    if form.tokens is not None:
        yield from describe_tokens(form.tokens, form.document["collector"])
    if form.open_link is not None:
        yield from describe_report_costs(form.open_link)
    if may_be_untrue(form.questions) and not form.shown_on_request:
        yield _NOTES["review"]


def _note_appearance(form: Form) -> Iterator[str]:
    """Describe how legible a study's colours are, and how large its images are."""
    look = form.branding
    if look is not None and (colours := look.colours) is not None:
        texts = [f"{colours[theme]} in the {theme} theme" for theme in THEMES]
        least = int(10 * min(contrast_in(colours[theme], theme) for theme in THEMES)) / 10
        yield _NOTES["colours"].format(colours=" and ".join(texts), contrast=least)
    pictures = {picture.image.uri: picture.image for picture in form.images}
    if look is not None and look.logo is not None:
        pictures[look.logo.uri] = look.logo
    if pictures:
        page_size = len(gzip.compress(render_page(form).bytes, 9, mtime=0))
        images = sum(len(image.bytes) for image in pictures.values())
        yield _NOTES["images"].format(page=page_size, images=images)


INDEX = "index.html"


@final
class PublishRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A survey, and the files to write with its form.

    Attributes
    ----------
    survey : Path
        A survey file.
    page : Path, optional
        Write the respondent's page, too; of a survey for a
        [tablet](../how-to/ask-at-the-door-with-a-tablet.md) as `index.html`, and beside it what
        installs it there.
    source_map : Path, optional
        Write a [source map](respondent-page.md#how-it-is-built) of the page, for the debuggers of
        browsers.
    frame : Path, optional
        Write the [frame for the pages of
        others](../how-to/ask-inside-another-page.md#behind-a-wall), too, as a collector has it at
        `/frame`.
    log : Path, optional
        Put the form and the page into this [log](#askance-log), and print its signed head.
    webcat : Path, optional
        Write into a new folder the unsigned manifest for
        [WEBCAT](../how-to/sign-the-page-for-webcat.md), and what its tools make it from.
    """

    survey: Annotated[Path, Arg(flag="")]
    page: Path | None = None
    source_map: Path | None = None
    frame: Path | None = None
    log: Path | None = None
    webcat: Annotated[Path | None, Arg(path=FOLDER)] = None


@takes_request()
def publish(request: PublishRequest) -> None:
    """Write the form of SURVEY, and print its fingerprint.

    Beside the PAGE of a survey for a tablet, or whose page is pinned, lie the files that keep it.
    The FRAME is what `askance serve` has at /frame, byte for byte, to be hosted elsewhere.
    """
    survey, page = request.survey, request.page
    deployed = deployed_at(survey)
    form = deployed.form
    click.echo(f"form  {write_form(form, survey)}  SHA-256 {form.fingerprint}")
    for note in (*deployed.rounding_notes, *warn_of_crowd(row_crowd(form, deployed.guarantees))):
        click.echo(f"note  {note}")
    if page is not None:
        _write_page(page, form)
    if request.source_map is not None:
        save(request.source_map, render_source_map(form))
        click.echo(f"source map  {request.source_map}")
    if request.frame is not None:
        framed = render_frame(form)
        save(request.frame, framed.bytes)
        click.echo(f"frame  {request.frame}  SHA-256 {framed.sha256}")
    if request.log is not None:
        from askance.cli.log import add_to

        add_to(request.log, form)
    if request.webcat is not None:
        _write_webcat(request.webcat, form)


def _write_page(page: Path, form: Form) -> None:
    """Write the respondent's page, and the service worker that stores it if there is one."""
    rendered = render_page(form)
    if rendered.companions and page.name != INDEX:
        allowed = f"{INDEX}, in a folder of its own: what keeps it keeps the page of a folder"
        raise InputError("--page", got=page.name, allowed=allowed)
    save(page, rendered.bytes)
    click.echo(f"page  {page}  SHA-256 {rendered.sha256}")
    for name, (content, _) in rendered.companions.items():
        save(page.with_name(name), content)
        click.echo(f"page  {page.with_name(name)}")


def _write_webcat(folder: Path, form: Form) -> None:
    """Write a manifest, and what WEBCAT's own tools make it from."""
    from askance.transparency.webcat import render_webcat

    manifest, site = render_webcat(form), folder / "site"
    try:
        site.mkdir(parents=True)
    except OSError as error:
        allowed = "a new folder"
        raise InputError("--webcat", got=f"{folder}: {error.strerror}", allowed=allowed) from error
    for name, content in manifest.files.items():
        save(site / name, content)
    save(folder / "webcat.config.json", manifest.config)
    save(folder / "manifest_unsigned.json", manifest.unsigned)
    click.echo(f"webcat  {folder / 'manifest_unsigned.json'}  hash {manifest.hash}")


@final
class VerifierRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A survey whose page others open.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    contact : str
        The contact if another page is found, ideally the host of the verifier.
    out : Path
        Where to write it.
    page : str, optional
        Where the page lies, if not where its reports go.
    """

    survey: Annotated[Path, Arg(flag="")]
    contact: str
    out: Path = Path("verifier.html")
    page: str | None = None


@takes_request()
def verifier(request: VerifierRequest) -> None:
    """Write a page that opens SURVEY as published, or not at all.

    It is one file for somebody else to host: an ethics board, a library. Its visitors get the
    published page or none.
    """
    form = deployed_at(request.survey).form
    page_address = request.page or form.document["collector"]
    rendered = render_verifier(form, page_address, request.contact)
    save(request.out, rendered.bytes)
    click.echo(f"verifier  {request.out}  SHA-256 {rendered.sha256}")
    example_address = f"https://library.example/{request.out.name}"
    link = verified_link(example_address, page_address, render_page(form).sha256)
    click.echo(f"link      {link}")
    click.echo("          with its own address in the place of library.example")
    click.echo("collect   askance serve … --page-origin https://library.example")
