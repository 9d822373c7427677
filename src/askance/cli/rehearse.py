"""Pilot a survey's page with invented people, before anybody is asked."""

from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from askance.study.rehearsal import SPEED, Habits
from askance.study.rehearsal import rehearse as pilot
from askance_collect.cli.documents import FILE, echo_json, form_at

_GLOSS = """\
words, seconds, presses: medians over those who saw the screen
screens high: above 1 somebody has to scroll
times are reckoned: how fast people read, press and leave is assumed, not found"""


@click.command()
@click.argument("survey", type=FILE)
@click.option("--people", type=click.IntRange(1, 10_000), default=20, show_default=True)
@click.option("--width", type=click.IntRange(200, 4_000), default=360, show_default=True)
@click.option("--height", type=click.IntRange(200, 4_000), default=740, show_default=True)
@click.option(
    "--screenshots",
    "pictures",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for a picture of each screen, in each language.",
)
@click.option("--speed", default=SPEED, show_default=True, help="Words read in a minute.")
@click.option("--press", default=2.0, show_default=True, help="Seconds for each press.")
@click.option("--leaving", default=0.02, show_default=True, help="Chance to leave in a minute.")
@click.option("--understanding", default=0.8, show_default=True, help="Of the practice, at once.")
@click.option("--blank", default=0.02, show_default=True, help="Chance to leave a question out.")
@click.option("--browser", type=FILE, help="A Chromium, if not the one on the command path.")
@click.option("--seed", type=int, help="Of the analyst's dice: who answers what.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rehearse(survey: Path, as_json: bool, **options: Any) -> None:
    """Pilot SURVEY's page with invented people, in a real browser.

    Prints what is on each screen and how long people stay there, where they leave, whether they
    understand the practice, and what goes wrong. Reports go to a collector of its own and are
    forgotten.
    """
    names = ("speed", "press", "leaving", "understanding", "blank")
    habits = Habits(**{name: options.pop(name) for name in names})
    form, seed = form_at(survey), options.pop("seed")
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("take the survey", total=options["people"])
        done = pilot(form, habits=habits, rng=seed, done=lambda: progress.advance(bar), **options)
    if as_json:
        echo_json(done.to_dict())
    else:
        click.echo(f"{done}\n\n{_GLOSS}")
