"""The command ``askance``: its verbs and their files; errors end with code 2 and say what to do."""

import ast
import re
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import final

import click

from askance_collect.errors import AskanceError, DocumentError, InputError, MissingExtra
from askance_collect.lazy import alone

VERBS: Mapping[str, str] = MappingProxyType(
    {
        "new": "new",
        "plan": "plan",
        "check": "publish",
        "study": "study",
        "rehearse": "rehearse",
        "audit": "audit",
        "publish": "publish",
        "verifier": "publish",
        "seal-key": "seal",
        "unseal": "seal",
        "invite": "invitations",
        "issue": "invitations",
        "verify": "verify",
        "log": "log",
        "serve": "serve",
        "collect": "collect",
        "print": "sheets",
        "telephone": "sheets",
        "reconcile": "sheets",
        "count": "count",
        "estimate": "estimate",
        "compare": "compare",
        "compliance": "compliance",
        "bounds": "bounds",
        "small-areas": "small_areas",
        "regress": "regress",
        "item-count": "item_count",
        "translate": "translate",
        "demo": "demo",
        "rpc": "rpc",
    }
)
"""The file of each verb, in the order in which a survey needs them."""

EXTRAS: Mapping[str, str] = MappingProxyType(
    {
        "click": "survey",
        "rich": "survey",
        "msgspec": "survey",
        "starlette": "serve",
        "uvicorn": "serve",
        "uvloop": "serve",
        "httptools": "serve",
        "psycopg": "postgres",
        "matplotlib": "plot",
        "jinja2": "plot",
        "duckdb": "engines",
        "narwhals": "engines",
        "sklearn": "learn",
        "formulaic": "learn",
        "pandas": "learn",
        "pyreadstat": "files",
        "playwright": "rehearse",
        "cryptography": "tokens",
        "segno": "tokens",
        "pyrage": "backup",
    }
)
"""The extra that brings a package."""

_IN_ORDER = """\b
A survey, in order:
  askance new survey.toml    write an example to start from
  askance plan survey.toml   how many people to ask, and how
  askance check survey.toml  what each respondent risks
  askance study survey.toml  how far off the estimates will be
  askance rehearse survey.toml  how the page goes, and what fails
  askance audit survey.toml  whether reports keep to what is stated
  askance serve survey.toml  ask, and keep what is sent in reports.db
  askance estimate survey.form.json reports.db --page page.html
  askance regress survey.form.json reports.db --formula "affair ~ age"
"""


_PASSWORD = re.compile(r"postgres(ql)?://([^/@]*:[^/@]+@|\S*[?&](ssl)?password=)")
"""A database's URL with a password, as libpq reads it."""


@final
class Verbs(click.Group):
    """The verbs, each loaded when it is asked for: to look at a store takes no estimates."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs by what their files say of them: to look at a list loads none."""
        room = formatter.width - 6 - max(map(len, VERBS))
        listed = (
            click.Command(name, help=_read_docstring(name)) for name in self.list_commands(ctx)
        )
        rows = [(str(command.name), command.get_short_help_str(room)) for command in listed]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command; refuse one that shows a password to the whole machine."""
        refuse_passwords(args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the verbs, loaded or not."""
        available = {name for name in VERBS if not alone() or _file_of(name).exists()}
        return sorted({*available, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a verb; for an unknown name all of them, so that a similar one can be suggested."""
        for name in (cmd_name,) if cmd_name in VERBS else self.list_commands(ctx):
            if name not in self.commands:
                self.add_command(_load_verb(name))
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=None if alone() else _IN_ORDER,
)
@click.version_option(package_name="askance-collector" if alone() else "askance")
def verbs() -> None:
    """Ask with chance: surveys whose single answers nobody can learn."""


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


def _file_of(name: str) -> Path:
    return Path(__file__).with_name(f"{VERBS[name]}.py")


def _read_docstring(name: str) -> str:
    """Read what a verb's function says of it."""
    written = ast.parse(_file_of(name).read_bytes()).body
    called = name.replace("-", "_")
    (verb,) = (
        node for node in written if isinstance(node, ast.FunctionDef) and node.name == called
    )
    return ast.get_docstring(verb) or ""


def _load_verb(name: str) -> click.Command:
    """Load a verb; where a package is missing, one that names it takes its place."""
    try:
        file = import_module(f"askance.cli.{VERBS[name]}")
        command: click.Command = getattr(file, name.replace("-", "_"))
    except ImportError as error:
        missing = _missing(error)
    else:
        return command

    def tell(**_: object) -> None:
        raise missing

    return click.Command(
        name,
        params=[click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)],
        callback=tell,
        short_help=str(missing),
        add_help_option=False,
        context_settings={"ignore_unknown_options": True},
    )


def _missing(error: ImportError) -> MissingExtra:
    """Name the package that is missing and the extra that brings it; anything else is a fault."""
    if isinstance(error, MissingExtra):
        return error
    package = (error.name or "").partition(".")[0]
    if package == "askance" and alone():
        return MissingExtra(str(error.name), "survey")
    if package not in EXTRAS:
        raise error
    return MissingExtra(package, EXTRAS[package])


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line, or what another program typed; it ends as a command does."""
    try:
        verbs(words)
    except AskanceError as error:
        _end(error)
    except ImportError as error:
        _end(_missing(error))
    except (OSError, sqlite3.Error) as error:
        where = getattr(error, "filename", None) or "the disk"
        problem = getattr(error, "strerror", None) or str(error)
        _end(
            DocumentError(str(where), got=problem, allowed="a disk that can be written, with room")
        )


def _end(error: AskanceError) -> None:
    click.echo(f"askance: {error}", err=True)
    sys.exit(2)
