"""Write the options of each analysis into the reference of the command line.

They are those of `askance.cli.requests`; ``make snapshot`` writes them anew.
"""

from pathlib import Path

import click

from askance.cli.requests import REQUESTS
from askance.cli.typed_request import Argument, list_arguments

PAGE = Path(__file__).parents[1] / "docs/reference/command-line.md"
HEAD = "| option | meaning |\n|---|---|\n"


def row(argument: Argument) -> str:
    """Describe an option in a row of a table."""
    flags = [f"`{flag}`" for flag in [*argument.option.opts, *argument.option.secondary_opts]]
    sentence, notes = argument.help, list[str]()
    choices = argument.option.type
    if isinstance(choices, click.Choice):
        notes.append(f"One of {', '.join(f'`{choice}`' for choice in choices.choices)}.")
    if argument.option.required:
        notes.append("[required]")
    elif argument.option.show_default:
        notes.append(f"[default: {argument.default}]")
    return f"| {', '.join(flags)} | {' '.join([sentence, *notes])} |\n"


def table(verb: str) -> str:
    """Write the table of a verb's options, those that it shares with others last."""
    arguments = sorted(list_arguments(REQUESTS[verb]), key=lambda argument: bool(argument.part))
    return HEAD + "".join(row(argument) for argument in arguments if argument.flag)


def written(page: str) -> str:
    """Give the page with the tables of today."""
    for verb in REQUESTS:
        begin = page.index(f"\n## `askance {verb} ")
        start = page.index(HEAD, begin)
        end = page.index("\n\n", start) + 1
        page = page[:start] + table(verb) + page[end:]
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
