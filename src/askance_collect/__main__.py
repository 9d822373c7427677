"""The command ``askance-collect``, also as ``python -m askance_collect``."""

import click

from askance_collect.cli.collect import collect
from askance_collect.cli.program import Program, Verbs
from askance_collect.lazy import DISTRIBUTION

PROGRAM = Program(
    name="askance-collect",
    modules={"serve": "askance_collect.cli.serve", "issue": "askance_collect.cli.issue"},
    distribution=DISTRIBUTION,
    extras={
        "psycopg": "postgres",
        "cryptography": "tokens",
        "segno": "tokens",
        "pyrage": "backup",
    },
)


@click.group(
    cls=Verbs,
    program=PROGRAM,
    commands=collect.commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name=DISTRIBUTION)
def verbs() -> None:
    """Ask a published form at an address, and look after the reports that come in."""


def main() -> None:
    """Run the command line."""
    PROGRAM.run(verbs)


if __name__ == "__main__":
    main()
