"""The command ``askance``: its verbs, and the module of each."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

import click

from askance_collect.cli.program import Program, Verbs
from askance_collect.wire.form import Form

VERBS: Mapping[str, str] = MappingProxyType(
    {
        "new": "askance.cli.new",
        "import": "askance.cli.imports",
        "plan": "askance.cli.plan",
        "check": "askance.cli.publish",
        "study": "askance.cli.study",
        "rehearse": "askance.cli.rehearse",
        "audit": "askance.cli.audit",
        "publish": "askance.cli.publish",
        "verifier": "askance.cli.publish",
        "seal-key": "askance.cli.seal",
        "unseal": "askance.cli.seal",
        "invite": "askance.cli.invitations",
        "issue": "askance_collect.cli.issue",
        "verify": "askance.cli.verify",
        "log": "askance.cli.log",
        "serve": "askance_collect.cli.serve",
        "collect": "askance_collect.cli.collect",
        "print": "askance.cli.sheets",
        "telephone": "askance.cli.sheets",
        "reconcile": "askance.cli.sheets",
        "look": "askance.cli.look",
        "count": "askance.cli.count",
        "estimate": "askance.cli.estimate",
        "compare": "askance.cli.compare",
        "compliance": "askance.cli.compliance",
        "bounds": "askance.cli.bounds",
        "small-areas": "askance.cli.small_areas",
        "regress": "askance.cli.regress",
        "item-count": "askance.cli.item_count",
        "export": "askance.cli.export",
        "deposit": "askance.cli.deposit",
        "translate": "askance.cli.translate",
        "demo": "askance.cli.demo",
        "rpc": "askance.cli.rpc",
    }
)
"""The module of each verb, in the order in which a survey needs them."""


def publish(path: Path) -> Form:
    """Publish a survey file on the spot.

    >>> publish(Path("examples/affairs.toml")).questions[1].name
    'affair'
    """
    form: Form = import_module("askance.survey.publish").deployed_at(path).form
    return form


PROGRAM = Program(
    modules=VERBS,
    name="askance",
    distribution="askance",
    publish=publish,
    extras={
        "rich": "survey",
        "msgspec": "survey",
        "psycopg": "postgres",
        "matplotlib": "plot",
        "jinja2": "plot",
        "duckdb": "engines",
        "narwhals": "engines",
        "sklearn": "learn",
        "formulaic": "learn",
        "pandas": "learn",
        "pyreadstat": "files",
        "python_calamine": "files",
        "playwright": "rehearse",
        "cryptography": "tokens",
        "segno": "tokens",
        "pyrage": "backup",
        "defusedxml": "imports",
    },
)

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


verbs = click.version_option(package_name="askance")(
    Verbs(
        name="askance",
        program=PROGRAM,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        help="Ask with chance: surveys whose single answers nobody can learn.",
        epilog=_IN_ORDER,
    )
)
"""The verbs, each loaded when it is asked for."""


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line, or the words of a command, and exit with its status."""
    PROGRAM.run(verbs, words)
