"""A command-line program: it loads its verbs when they are asked for, and ends with what to do."""

import ast
import gc
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Any, final

import click

from askance_collect.errors import AskanceError, DocumentError, InputError, MissingExtra
from askance_collect.wire.form import Form

_PASSWORD = re.compile(r"postgres(ql)?://([^/@]*:[^/@]+@|\S*[?&](ssl)?password=)")
"""A database's URL with a password, as libpq reads it."""


@final
@dataclass(frozen=True, slots=True)
class Program:
    """A command-line program.

    Attributes
    ----------
    name : str
        The command, which begins the line of an error.
    modules : mapping of str to str
        The module of each verb, in which a function has the verb's name.
    distribution : str
        What pip calls the package.
    extras : mapping of str to str
        The extra of that package which brings each package that may be missing.
    publish : callable, optional
        Publishes a survey file on the spot; the collector alone cannot.
    """

    name: str
    modules: Mapping[str, str]
    distribution: str
    extras: Mapping[str, str]
    publish: Callable[[Path], Form] | None = None

    def load(self, verb: str) -> click.Command:
        """Load a verb; where a package is missing, one that names it takes its place."""
        gc.disable()  # modules stay: to look through them again and again costs a twentieth
        try:
            command: click.Command = getattr(import_module(self.modules[verb]), function_name(verb))
        except ImportError as error:
            missing = self.name_missing(error)
        else:
            return command
        finally:
            gc.freeze()
            gc.enable()

        def raise_missing(**_: object) -> None:
            raise missing

        return click.Command(
            verb,
            params=[click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)],
            callback=raise_missing,
            short_help=str(missing),
            add_help_option=False,
            context_settings={"ignore_unknown_options": True},
        )

    def name_missing(self, error: ImportError) -> MissingExtra:
        """Name the missing package and the extra that brings it; anything else is a fault."""
        if isinstance(error, MissingExtra):
            return error
        package = (error.name or "").partition(".")[0]
        if package not in self.extras:
            raise error
        return MissingExtra(package, self.extras[package], self.distribution)

    def run(self, group: click.Command, words: Sequence[str] | None = None) -> None:
        """Run the command line, or what another program typed; it ends as a command does."""
        with self.errors_as_ends():
            group(words)

    @contextmanager
    def errors_as_ends(self) -> Iterator[None]:
        """End the program with code 2 at an error, which is printed as a line."""
        try:
            yield
        except AskanceError as error:
            self._end(error)
        except ImportError as error:
            self._end(self.name_missing(error))
        except (OSError, sqlite3.Error) as error:
            where = getattr(error, "filename", None) or "the disk"
            problem = getattr(error, "strerror", None) or str(error)
            allowed = "a disk that can be written, with room"
            self._end(DocumentError(str(where), got=problem, allowed=allowed))

    def _end(self, error: AskanceError) -> None:
        click.echo(f"{self.name}: {error}", err=True)
        sys.exit(2)


@final
class Verbs(click.Group):
    """The verbs of a program, each loaded when it is asked for."""

    def __init__(self, *, program: Program, **settings: Any) -> None:
        super().__init__(**settings)
        self.program = program

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs by what their files say of them: to look at a list loads none."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        listed = [
            self.commands.get(name) or click.Command(name, help=_read_docstring(self.program, name))
            for name in names
        ]
        rows = [(str(command.name), command.get_short_help_str(room)) for command in listed]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command; refuse one that shows a password to the whole machine."""
        refuse_passwords(args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the verbs, loaded or not."""
        return sorted({*self.program.modules, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a verb; for an unknown name all of them, so that a similar one can be suggested."""
        names = self.list_commands(ctx)
        for name in (cmd_name,) if cmd_name in names else names:
            if name not in self.commands:
                self.add_command(self.program.load(name))
        return super().get_command(ctx, cmd_name)


def publisher() -> Callable[[Path], Form] | None:
    """Give what publishes survey files in the program whose verb runs, if it can.

    >>> publisher() is None
    True
    """
    context = click.get_current_context(silent=True)
    while context is not None:
        if isinstance(context.command, Verbs):
            return context.command.program.publish
        context = context.parent
    return None


def refuse_passwords(words: Sequence[str]) -> None:
    """Refuse the URL of a database with a password, which every account sees among the processes.

    Raises
    ------
    InputError
        If a word has one; it is not repeated.

    >>> refuse_passwords(["status", "postgresql://ann@host/club?passfile=/etc/club.pass"])
    >>> refuse_passwords(["status", "postgresql://ann:secret@host/club"])
    Traceback (most recent call last):
    askance_collect.errors.InputError: postgresql://…: got 'a password in a command, where every...
    """
    if any(_PASSWORD.search(word) for word in words):
        raise InputError(
            "postgresql://…",
            got="a password in a command, where every account of the machine reads it",
            allowed="postgresql://USER@HOST/NAME",
            remedy="put it into ~/.pgpass, a file named by ?passfile= or PGPASSFILE, or PGPASSWORD",
        )


def _read_docstring(program: Program, verb: str) -> str:
    """Read what a verb's function says of it."""
    spec = find_spec(program.modules[verb])
    if spec is None or spec.origin is None:
        return ""
    (function,) = (
        node
        for node in ast.parse(Path(spec.origin).read_bytes()).body
        if isinstance(node, ast.FunctionDef) and node.name == function_name(verb)
    )
    return ast.get_docstring(function) or ""


def function_name(verb: str) -> str:
    """Name the function of a verb; a keyword of Python has an underscore behind it.

    >>> function_name("seal-key"), function_name("import")
    ('seal_key', 'import_')
    """
    return verb.replace("-", "_") + "_" * iskeyword(verb)
