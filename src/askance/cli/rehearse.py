"""Pilot a survey's page with invented people, before anybody is asked."""

from pathlib import Path
from typing import Annotated, final

import click
import msgspec

from askance.cli.progress_bar import progress_bar
from askance.cli.typed_request import Browser, PrintJson, takes_request
from askance.study.rehearsal import Habits
from askance.study.rehearsal import rehearse as pilot
from askance_collect.cli.documents import FOLDER, echo_json, form_at
from askance_collect.cli.request_options import Arg

_GLOSS = """\
words, seconds, presses: medians over those who saw the screen
screens high: above 1 somebody has to scroll
times are computed: how fast people read, press and leave is assumed, not measured"""

_Pixels = Annotated[int, msgspec.Meta(ge=200, le=4_000)]


@final
class RehearseRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A page that invented people take in a browser.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    people : int
        How many take the survey, in its languages in turn.
    width : int
        The width of the screen, in CSS pixels.
    height : int
        The height of the screen, in CSS pixels.
    screenshots : Path, optional
        A folder for a picture of each screen, in each language.
    habits : Habits
        How people read, press and leave.
    seed : int, optional
        The seed of the analyst's random numbers, which decide who answers what.
    """

    survey: Annotated[Path, Arg(flag="")]
    people: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 20
    width: _Pixels = 360
    height: _Pixels = 740
    screenshots: Annotated[Path | None, Arg(path=FOLDER)] = None
    habits: Habits = Habits()
    browser: Browser = None
    seed: int | None = None
    json: PrintJson = False


@takes_request()
def rehearse(request: RehearseRequest) -> None:
    """Pilot SURVEY's page with invented people, in a real browser.

    Prints what is on each screen and how long people stay there, where they leave, whether they
    understand the practice, and what goes wrong. Reports go to a collector of its own and are
    forgotten.
    """
    form = form_at(request.survey)
    with progress_bar("take the survey", request.people) as move:
        rehearsal = pilot(
            form,
            people=request.people,
            habits=request.habits,
            width=request.width,
            height=request.height,
            pictures=request.screenshots,
            browser=request.browser,
            rng=request.seed,
            done=move,
        )
    if request.json:
        echo_json(rehearsal.to_dict())
    else:
        click.echo(f"{rehearsal}\n\n{_GLOSS}")
