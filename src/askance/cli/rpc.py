"""Run commands for another program, one JSON line each; it waits for one start only."""

import json
import sys
import traceback
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any, TextIO

import click

from askance.cli.main import main
from askance_collect.errors import AskanceError, DocumentError


@click.command()
def rpc() -> None:
    """Carry out commands of another program, a JSON line each.

    Each line on standard input is the words of a command in JSON: ["estimate", "form.json",
    "sent.csv"]. Each is answered by a line on standard output: {"status": 0, "out": "…", "err":
    "…"}, what the command ends with and writes. It ends with its input.
    """
    _answer(sys.stdin.buffer, sys.stdout)


def _answer(lines: Iterable[bytes], output: TextIO) -> None:
    """Answer every line; what a command prints is in its answer, and nowhere else."""
    for number, line in enumerate(lines, start=1):
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = _run_line(line, number)
        written = {"status": status, "out": out.getvalue(), "err": err.getvalue()}
        output.write(json.dumps(written) + "\n")
        output.flush()


def _run_line(line: bytes, number: int) -> int:
    """Carry out one command, and say what it ends with; a fault is one of this command alone."""
    try:
        main(_words(line, number))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except AskanceError as error:
        click.echo(f"askance: {error}", err=True)
        return 2
    except Exception:  # the next command may be a right one
        traceback.print_exc()
        return 1
    return 0


def _words(line: bytes, number: int) -> list[str]:
    """Read the words of a command, which may be any but rpc."""
    try:
        words: Any = json.loads(line)
    except (ValueError, RecursionError):
        words = None
    texts = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not texts or words[:1] == ["rpc"]:
        raise DocumentError(
            f"standard input: line {number}",
            got="rpc" if texts else "another line",
            allowed='the words of a command in JSON: ["estimate", "form.json", "sent.csv"]',
        )
    return list(words)
