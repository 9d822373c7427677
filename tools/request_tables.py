"""Write the options of each analysis into the reference of the command line.

They are those of the request of its verb; ``make snapshot`` writes them anew.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from askance.cli import verbs
from askance.cli.rpc import list_commands
from askance_collect.cli.request_options import Argument, list_arguments, request_of

PAGE = Path(__file__).parents[1] / "docs/reference/command-line.md"
HEAD = "| option | meaning |\n|---|---|\n"


def default(argument: Argument) -> str:
    """Write a default; of a number thousands are marked, unless it is a port's."""
    value = argument.default
    if argument.name == "port" or not isinstance(value, int | float):
        return str(value)
    return f"{value:,g}" if isinstance(value, float) else f"{value:,}"


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
        notes.append(f"[default: {default(argument)}]")
    return f"| {', '.join(flags)} | {' '.join([sentence, *notes])} |\n"


def requests() -> dict[str, Callable[..., Any]]:
    """Find the request of each verb that takes one."""
    context = click.Context(verbs)
    requests = {
        verb: request_of(command.callback) for verb, command in list_commands(context).items()
    }
    return {verb: request for verb, request in requests.items() if request is not None}


def table(request: Callable[..., Any]) -> str:
    """Write the table of a verb's options, those that it shares with others last."""
    arguments = sorted(list_arguments(request), key=lambda argument: bool(argument.part))
    return HEAD + "".join(row(argument) for argument in arguments if argument.flag)


def written(page: str) -> str:
    """Give the page with the tables of today."""
    for verb, request in requests().items():
        if not any(argument.flag for argument in list_arguments(request)):
            continue
        begin = page.index(f"## `askance {verb} ")
        start = page.index(HEAD, begin)
        end = f"{page}\n".index("\n\n", start) + 1
        page = page[:start] + table(request) + page[end:]
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
