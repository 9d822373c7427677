"""The command ``askance``: one verb per file; errors end with code 2 and say what to do."""

import sys

import click

from askance.cli.check import check
from askance.cli.collect import collect
from askance.cli.demo import demo
from askance.cli.estimate import estimate
from askance.cli.new import new
from askance.cli.plan import plan
from askance.cli.publish import publish
from askance.cli.regress import regress
from askance.cli.serve import serve
from askance.cli.study import study
from askance.errors import AskanceError

_IN_ORDER = """\b
A survey, in order:
  askance new survey.toml    write an example to start from
  askance plan survey.toml   how many people to ask, and how
  askance check survey.toml  what each respondent risks
  askance study survey.toml  how far off the estimates will be
  askance serve survey.toml  ask, and keep what is sent in reports.db
  askance estimate survey.form.json reports.db --page page.html
  askance regress survey.form.json reports.db --formula "affair ~ age"
"""


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_IN_ORDER,
)
@click.version_option(package_name="askance")
def verbs() -> None:
    """Ask with chance: surveys whose single answers nobody can learn."""


for verb in (new, plan, check, study, publish, serve, collect, estimate, regress, demo):
    verbs.add_command(verb)


def main() -> None:
    """Run the command line."""
    try:
        verbs()
    except AskanceError as error:
        click.echo(f"askance: {error}", err=True)
        sys.exit(2)
