"""Run commands for another program, a JSON line each, in one process."""

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from typing import Any, TextIO

import click

from askance.cli.main import PROGRAM, main, verbs
from askance_collect.errors import AskanceError, DocumentError, InputError, listed_names, nearest


@click.command()
def rpc() -> None:
    """Carry out commands of another program, a JSON line each.

    Each line on standard input is a call in JSON: a verb with its arguments, which
    are called as its flags, {"verb": "estimate", "form": "form.json", "reports": ["sent.csv"]}; or
    the words of any command, ["new", "survey.toml"]. Each is answered by a line on standard
    output: {"status": 0, "out": "…", "err": "…"}, what the command ends with and writes. A command
    that would ask something gets no answer, and ends. It ends with its input.
    """
    _answer(sys.stdin.buffer, sys.stdout)


def _answer(lines: Iterable[bytes], output: TextIO) -> None:
    """Answer every line; what a command prints is in its answer, and nowhere else."""
    for number, line in enumerate(lines, start=1):
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err), _without_input():
            status = _run_line(line, number)
        written = {"status": status, "out": out.getvalue(), "err": err.getvalue()}
        output.write(json.dumps(written) + "\n")
        output.flush()


@contextmanager
def _without_input() -> Iterator[None]:
    """Give a command an empty standard input, so that it reads none of the following calls."""
    standard_input = sys.stdin
    sys.stdin = StringIO()
    try:
        yield
    finally:
        sys.stdin = standard_input


def _run_line(line: bytes, number: int) -> int:
    """Run one call and return its exit status; an exception ends this call alone."""
    try:
        call = _read_call(line, number)
        main(call) if isinstance(call, list) else _run_call(call)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except AskanceError as error:
        click.echo(f"askance: {error}", err=True)
        return 2
    except Exception:  # the next command may be a right one
        traceback.print_exc()
        return 1
    return 0


def _read_call(line: bytes, number: int) -> list[str] | dict[str, Any]:
    """Read the words of a command, which may be any but rpc, or a verb with its arguments."""
    try:
        call: Any = json.loads(line)
    except (ValueError, RecursionError):
        call = None
    if isinstance(call, dict) and isinstance(call.get("verb"), str):
        return call
    texts = isinstance(call, list) and all(isinstance(word, str) for word in call)
    if not texts or call[:1] == ["rpc"]:
        raise DocumentError(
            f"standard input: line {number}",
            got="rpc" if texts else "another line",
            allowed='a call in JSON: {"verb": "estimate", …}, or the words of a command: '
            '["new", "survey.toml"]',
        )
    return list(call)


def _run_call(call: Mapping[str, Any]) -> None:
    """Run a verb that takes a request by its arguments."""
    with PROGRAM.errors_as_ends():
        from askance.cli.typed_request import read_request

        name, context = call["verb"], click.Context(verbs)
        request = _find_request(name, context)
        values = {argument: value for argument, value in call.items() if argument != "verb"}
        command = _find_command(name, context)
        assert command is not None  # it has a request
        with click.Context(command, parent=context, info_name=name) as inner:
            inner.invoke(command, request_read=read_request(request, values))


def _find_request(name: str, context: click.Context) -> Callable[..., Any]:
    """Find the request of a verb; a package that it lacks is named."""
    from askance_collect.cli.request_options import request_of

    command = _find_command(name, context)
    if command is not None and (request := request_of(command.callback)) is not None:
        return request
    taking = [
        verb
        for verb, command in list_commands(context).items()
        if request_of(command.callback) is not None
    ]
    raise InputError(
        "verb", got=name, allowed=listed_names(taking), remedy=nearest(name, tuple(taking))
    )


def _find_command(name: str, context: click.Context) -> click.Command | None:
    """Find a verb, or one of a group: ``log add``."""
    verb, _, inner = name.partition(" ")
    if verb not in PROGRAM.modules:
        return None
    import_module(PROGRAM.modules[verb])
    command = verbs.get_command(context, verb)
    if not isinstance(command, click.Group):
        return None if inner else command
    return command.get_command(context, inner)


def list_commands(context: click.Context) -> dict[str, click.Command]:
    """List the verbs that can be loaded, and those of groups by both their names."""
    commands: dict[str, click.Command] = {}
    for verb in PROGRAM.modules:
        command = verbs.get_command(context, verb)
        if isinstance(command, click.Group):
            commands |= {f"{verb} {name}": inner for name, inner in command.commands.items()}
        elif command is not None:
            commands[verb] = command
    return commands
