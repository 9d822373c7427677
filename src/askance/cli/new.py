"""Write an example survey file to start from, or one that asks by a named mechanism.

The texts are in `starters.toml`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import Annotated, final

import click

from askance_collect.cli.documents import save
from askance_collect.cli.request_options import Arg, takes_request
from askance_collect.errors import InputError
from askance_collect.wire.toml_text import packaged_toml

_STARTERS = packaged_toml("askance.cli", "starters.toml")
_TEXTS: Mapping[str, str] = _STARTERS["texts"]

_DEVICE = "For the question about exams your device "


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _NamedMechanism:
    """How a named mechanism is written into a survey file.

    Attributes
    ----------
    title : str
        The mechanism by its name.
    note : str
        What happens, and whose chance each number is.
    recipe : str
        Its name in a survey file.
    numbers : str
        Its parameters there.
    also : sequence of str
        Other names of it.
    consent : str
        What respondents are told that their device does, where reports are no answers.
    groups : sequence of (str, str)
        The name of each group, with its parameters, where chance asks people through several.
    replies : sequence of (str, str)
        The name of each reply to two statements, with its wording: a coin may be in the world.
    coin : str
        Whose coin it is, where that is always one in the world.
    """

    title: str
    note: str
    recipe: str
    numbers: str
    also: Sequence[str] = ()
    text: str = "Have you ever cheated in an exam?"
    answers: str = '["yes", "no"]'
    consent: str = ""
    groups: Sequence[tuple[str, str]] = ()
    replies: Sequence[tuple[str, str]] = ()
    coin: str = ""

    def block(self) -> str:
        """Write the question, with what happens above it."""
        comment = "\n".join(f"# {line}" for line in f"{self.title}: {self.note}".splitlines())
        if self.coin:
            return _TEXTS["by_rules"].format(
                told=comment,
                text=self.text,
                answers=self.answers,
                recipe=self.recipe,
                numbers=self.numbers,
                coin=self.coin,
                replies=self._worded(),
            )
        parts = [
            _TEXTS["group"].format(name=name, recipe=self.recipe, numbers=numbers)
            for name, numbers in self.groups
        ]
        alone = _TEXTS["mechanism"].format(recipe=self.recipe, numbers=self.numbers)
        mechanism = "\n".join(parts) or alone
        return _TEXTS["sensitive"].format(
            told=comment, text=self.text, answers=self.answers, asked=mechanism
        )

    def joint(self, coin: "_Coin") -> str:
        """Write the question for a coin in the world: the page draws nothing."""
        comment = (
            f"{self.title}, with a coin in the world: respondents reply to two\n"
            f"statements at once. B holds of the share harmless, {coin.share}.\n"
            "The page draws nothing."
        )
        return _TEXTS["joint"].format(
            told="\n".join(f"# {line}" for line in comment.splitlines()),
            statement=coin.statement,
            recipe=self.recipe,
            harmless=coin.harmless,
            coin=coin.source,
            replies=self._worded(),
        )

    def _worded(self) -> str:
        """Write the replies, each with its wording."""
        return "\n".join(
            f'    {{ name = "{name}", en = "{wording}" }},' for name, wording in self.replies
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Coin:
    """A coin in the world: whose it is, what is stated of it, and how often that holds."""

    source: str
    statement: str
    harmless: str
    share: str


COINS = {name: _Coin(**coin) for name, coin in _STARTERS["coins"].items()}
"""Coins in the world by the names under which `askance new` writes them."""

MECHANISMS = {
    name: _NamedMechanism(**mechanism) for name, mechanism in _STARTERS["mechanisms"].items()
}
"""Mechanisms by the names under which `askance new` writes them."""

NAMES: Mapping[str, str] = MappingProxyType(
    {name: kind for kind, named in MECHANISMS.items() for name in (kind, *named.also)}
)
"""Every name of a mechanism, and the one that it is written under."""

_LISTED = "\b\nMechanisms by name:\n" + "\n".join(
    f"  {', '.join((kind, *named.also)):<27} {named.numbers}" for kind, named in MECHANISMS.items()
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NewRequest:
    """An example survey file to start from.

    Attributes
    ----------
    path : Path
        Where to write it.
    mechanism : str, optional
        Ask the sensitive question by this [mechanism](../how-to/choose-a-design.md).
    coin : str, optional
        For `crosswise` and `triangular`: ask with
        [a coin in the world](survey-file.md#a-coin-in-the-world), and the page draws none.
    """

    path: Annotated[Path, Arg(flag="")]
    mechanism: Annotated[str | None, Arg(choices=tuple(NAMES), metavar="NAME")] = None
    coin: Annotated[str | None, Arg(choices=tuple(COINS))] = None


@takes_request(epilog=_LISTED)
def new(request: NewRequest) -> None:
    """Write an example survey to PATH."""
    path, mechanism, coin = request.path, request.mechanism, request.coin
    chosen = None if mechanism is None else MECHANISMS[NAMES[mechanism]]
    if coin is not None and (chosen is None or chosen.coin or not chosen.replies):
        joint = " or ".join(
            kind for kind, named in MECHANISMS.items() if named.replies and not named.coin
        )
        raise InputError("--coin", got=mechanism or "no mechanism", allowed=f"--mechanism {joint}")
    device_text = _DEVICE + chosen.consent if chosen and chosen.consent and coin is None else ""
    consent = "\n\n" * bool(device_text) + " \\\n".join(wrap(device_text, 80))
    question = (
        _TEXTS["example"]
        if chosen is None
        else chosen.joint(COINS[coin])
        if coin
        else chosen.block()
    )
    save(path, _TEXTS["head"].format(name=path.name, consent=consent) + question, new=True)
    click.echo(f"{path} is ready. Next: askance check {path}")
