"""Write an example survey file to start from, or one that asks by a named mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import final

import click

from askance_collect.cli.documents import FILE, save
from askance_collect.errors import InputError

_HEAD = '''\
# A survey for askance. Try:   askance check {name}

askance = "survey-1"
title = "My survey"
languages = ["en"]
contact = "Questions? Write to you@example.org"
consent = """
We study how common some things are, not what any one person does. \\
Taking part is your choice. You can leave any question out.{consent}"""

# Asked plainly: no mechanism.
[[question]]
name = "region"
text = "Where do you live?"
answers = ["town", "country"]
'''

_EXAMPLE = """
# Truth with chance 3/5, an untrue answer with 1/10, "don't know" otherwise.
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }

# As truthful as a privacy loss of 1.0 allows.
[[question]]
name = "party"
text = "Which party would you vote for?"
answers = ["left", "centre", "right", "none"]
mechanism = { name = "kary", epsilon = 1.0 }

# A random number t is drawn; what is sent is whether the answer is above it.
[[question]]
name = "income"
text = "What is your income in a month?"
line = { lower = 0, upper = 10000, step = 250, unit = "euros" }
mechanism = { name = "cuts", number = 1 }
"""

_SENSITIVE = """
{told}
[[question]]
name = "cheated"
text = "{text}"
answers = {answers}
{asked}
"""

_MECHANISM = 'mechanism = {{ name = "{recipe}", {numbers} }}'

_GROUP = """
[[question.group]]
name = "{name}"
share = "1/2"
mechanism = {{ name = "{recipe}", {numbers} }}"""

_JOINT = '''
{told}
[[question]]
name = "cheated"
text = """
A: I have cheated in an exam.
B: {statement}
What is so of A and B?"""
answers = ["yes", "no"]
mechanism = {{ name = "{recipe}", harmless = "{harmless}" }}
coin = "{coin}"
replies = [
{replies}
]
'''

_BY_RULES = '''
{told}
[[question]]
name = "cheated"
text = """
{text}"""
answers = {answers}
mechanism = {{ name = "{recipe}", {numbers} }}
coin = "{coin}"
replies = [
{replies}
]
'''

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
    also : tuple of str
        Other names of it.
    consent : str
        What respondents are told that their device does, where reports are no answers.
    groups : tuple of (str, str)
        The name of each group, with its parameters, where chance asks people through several.
    replies : tuple of (str, str)
        The name of each reply to two statements, with its wording: a coin may be in the world.
    coin : str
        Whose coin it is, where that is always one in the world.
    """

    title: str
    note: str
    recipe: str
    numbers: str
    also: tuple[str, ...] = ()
    text: str = "Have you ever cheated in an exam?"
    answers: str = '["yes", "no"]'
    consent: str = ""
    groups: tuple[tuple[str, str], ...] = ()
    replies: tuple[tuple[str, str], ...] = ()
    coin: str = ""

    def block(self) -> str:
        """Write the question, with what happens above it."""
        comment = "\n".join(f"# {line}" for line in f"{self.title}: {self.note}".splitlines())
        if self.coin:
            return _BY_RULES.format(
                told=comment,
                text=self.text,
                answers=self.answers,
                recipe=self.recipe,
                numbers=self.numbers,
                coin=self.coin,
                replies=self._worded(),
            )
        parts = [
            _GROUP.format(name=name, recipe=self.recipe, numbers=numbers)
            for name, numbers in self.groups
        ]
        alone = _MECHANISM.format(recipe=self.recipe, numbers=self.numbers)
        mechanism = "\n".join(parts) or alone
        return _SENSITIVE.format(
            told=comment, text=self.text, answers=self.answers, asked=mechanism
        )

    def joint(self, coin: "_Coin") -> str:
        """Write the question for a coin in the world: the page draws nothing."""
        comment = (
            f"{self.title}, with a coin in the world: respondents reply to two\n"
            f"statements at once. B holds of the share harmless, {coin.share}.\n"
            "The page draws nothing."
        )
        return _JOINT.format(
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


COINS: Mapping[str, _Coin] = MappingProxyType(
    {
        "birthday": _Coin(
            source="your mother's birthday",
            statement="My mother was born in January, February or March.",
            harmless="1/4",
            share="three of twelve months",
        ),
        "house-number": _Coin(
            source="the house number of a friend you think of",
            statement="The house number of the friend I think of ends in 1, 2 or 3.",
            harmless="3/10",
            share="three of ten digits",
        ),
    }
)
"""Coins in the world by the names under which `askance new` writes them."""

MECHANISMS: Mapping[str, _NamedMechanism] = MappingProxyType(
    {
        "warner": _NamedMechanism(
            title="Warner (mirrored question)",
            note="the answer with chance truth, else the other one.",
            recipe="warner",
            numbers='truth = "3/4"',
            also=("mirrored",),
        ),
        "forced": _NamedMechanism(
            title="Forced response, as by a die",
            note="of all who are asked, 1/6 are told to say yes and\n"
            "1/6 to say no; the others say their answer.",
            recipe="forced",
            numbers='forced = { yes = "1/6", no = "1/6" }',
        ),
        "forced-several": _NamedMechanism(
            title="Polytomous forced response",
            note="with chance truth the answer is one's own; the\n"
            "others are told which one to give, each of the four as often (if_forced = { … }\n"
            "gives other chances of these).",
            recipe="forced",
            numbers='truth = "3/5"',
            also=("polytomous",),
            text="How often have you cheated in an exam?",
            answers='["never", "once", "twice", "more often"]',
        ),
        "one-sided": _NamedMechanism(
            title="One-sided forced response",
            note="of all who are asked, 1/5 are told to say yes, and\n"
            "nobody to say no. A no is true: it is not protected.",
            recipe="one_sided",
            numbers='forced_yes = "1/5"',
            also=("hard-garbling",),
        ),
        "mangat": _NamedMechanism(
            title="Mangat",
            note="whoever has cheated says yes. The others say no with chance\n"
            "truth_if_no, else yes. A no is true: it is not protected.",
            recipe="mangat",
            numbers='truth_if_no = "2/3"',
        ),
        "unrelated": _NamedMechanism(
            title="Unrelated question",
            note="this one with chance asked, else a harmless one, to which\n"
            "the share harmless says yes (a birthday in two of twelve months).",
            recipe="unrelated",
            numbers='asked = "7/10", harmless = "1/6"',
            also=("horvitz", "simmons"),
        ),
        "unrelated-pairs": _NamedMechanism(
            title="Unrelated question by two rules, where nobody knows how many say yes to the\n"
            "harmless one",
            note="by the first rule asked[0] of all reply to A, by the other asked[1].\n"
            "Die and house number are in the world: the page draws nothing.",
            recipe="unrelated",
            numbers='asked = ["2/3", "1/3"]',
            also=("greenberg",),
            text="Think of a friend's house number, and roll a die that nobody else sees.\n"
            "Is the number even? Then reply to A if the die shows 1 to 4, else to B.\n"
            "Is it odd? Then reply to B if the die shows 1 to 4, else to A.\n"
            "A: Have you ever cheated in an exam?\n"
            "B: Do you like tea better than coffee?",
            replies=(
                ("first: yes", "Even, and yes"),
                ("first: no", "Even, and no"),
                ("second: yes", "Odd, and yes"),
                ("second: no", "Odd, and no"),
            ),
            coin="a die, and the house number of a friend you think of",
        ),
        "kuk": _NamedMechanism(
            title="Kuk",
            note="a card from one of two packs. red_if_yes of the cards are red for those\n"
            "who have cheated, red_if_no for the others; each person draws so many cards.",
            recipe="kuk",
            numbers='red_if_yes = "4/5", red_if_no = "1/5", draws = 1',
            consent="draws a card from one of two packs, one for people who have cheated, one "
            "for the others. It sends the colour of the card: both packs hold red and "
            "black ones.",
        ),
        "crosswise": _NamedMechanism(
            title="Crosswise",
            note="is just one of two things so, or both or neither? The share harmless\n"
            "has the other trait, such as a birthday in three of twelve months. The page draws\n"
            "it; for a real one write this file with --coin birthday.",
            replies=(
                ("both or neither", "Both are true, or neither"),
                ("just one", "Just one of them is true"),
            ),
            recipe="crosswise",
            numbers='harmless = "1/4"',
            consent="draws a second yes or no, which has nothing to do with you. It sends "
            "whether both are alike: “both or neither” if they are, “just one” if one "
            "is yes.",
        ),
        "triangular": _NamedMechanism(
            title="Triangular",
            note="is neither of two things so, or one or both? The share harmless has\n"
            "the other trait. Neither tells a no: it is not protected. The page draws the trait;\n"
            "for a real one write this file with --coin birthday.",
            replies=(
                ("one or both", "At least one of them is true"),
                ("neither", "Neither is true"),
            ),
            recipe="triangular",
            numbers='harmless = "1/4"',
            consent="draws a second yes or no, which has nothing to do with you. It sends “one "
            "or both” if at least one is yes, and “neither” if none is: “neither” shows"
            " that your answer is no.",
        ),
        "hidden": _NamedMechanism(
            title="Hidden sensitivity",
            note="the last answer hurts nobody. Whoever has it sends a class\n"
            "of a harmless trait, such as the quarter of birth: harmless gives their shares.",
            recipe="hidden",
            numbers='harmless = ["1/4", "1/4", "1/4", "1/4"]',
            consent="sends your answer, unless it is “neither”: then it draws one of the four "
            "to send.",
            text="Have you ever cheated in an exam, or copied homework?",
            answers='["both", "cheated", "copied", "neither"]',
        ),
        "christofides": _NamedMechanism(
            title="Christofides",
            note="the mark of a card, counted from the far end by whoever has\n"
            "cheated; marks gives the share of cards with each mark.",
            recipe="christofides",
            numbers='marks = ["1/2", "1/3", "1/6"]',
            consent="draws a card marked 1, 2 or 3. It sends the mark or, if you have cheated, "
            "the mark counted from the other end: 3, 2 or 1.",
        ),
        "extended-crosswise": _NamedMechanism(
            title="Extended crosswise",
            note="chance puts each person into one of two groups, whose\n"
            "harmless traits have the shares harmless and 1 - harmless. One estimate uses\n"
            "both; people who do not follow the rule make them differ.",
            recipe="crosswise",
            numbers='harmless = "1/4", or "3/4"',
            consent="puts you by chance into one of two groups and draws a second yes or no, which "
            "has nothing to do with you, and is more often a yes in one group. It sends the group, "
            "and whether both are alike: “both or neither” if they are, “just one” if one is yes.",
            groups=(("few", 'harmless = "1/4"'), ("many", 'harmless = "3/4"')),
        ),
        "mangat-pairs": _NamedMechanism(
            title="Mangat in two groups, as the stochastic lie detector asks",
            note="whoever has cheated\n"
            "says yes; chance lets more of the others say so in one group than in the other.\n"
            "So the share of people who deny can be estimated too.",
            recipe="mangat",
            numbers='truth_if_no = "4/5", or "1/5"',
            also=("lie-detector",),
            groups=(("few", 'truth_if_no = "4/5"'), ("many", 'truth_if_no = "1/5"')),
        ),
        "forced-pairs": _NamedMechanism(
            title="Forced response in two groups, as cheating detection asks",
            note="a yes is forced more\n"
            "often in one group than in the other, a no never. So the share of people who say no\n"
            "whatever they are told can be estimated too.",
            recipe="one_sided",
            numbers='forced_yes = "1/5", or "4/5"',
            groups=(("few", 'forced_yes = "1/5"'), ("many", 'forced_yes = "4/5"')),
        ),
        "diagonal": _NamedMechanism(
            title="Diagonal",
            note="each answer has a number, 1 to 4, and so has each class of a harmless trait,\n"
            "such as the quarter of birth; harmless gives the shares of its classes. The report\n"
            "is how many steps lead from the answer to the class, plus one.",
            recipe="diagonal",
            numbers='harmless = ["2/5", "1/5", "1/5", "1/5"]',
            consent="draws one of four classes and counts the steps from your answer to it, from "
            "each answer to the next and from the last to the first. It sends that number plus "
            "one: 1, 2, 3 or 4.",
            text="How often have you cheated in an exam?",
            answers='["never", "once", "twice", "more often"]',
        ),
    }
)
"""Mechanisms by the names under which `askance new` writes them."""

NAMES: Mapping[str, str] = MappingProxyType(
    {name: kind for kind, named in MECHANISMS.items() for name in (kind, *named.also)}
)
"""Every name of a mechanism, and the one that it is written under."""

_LISTED = "\b\nMechanisms by name:\n" + "\n".join(
    f"  {', '.join((kind, *named.also)):<27} {named.numbers}" for kind, named in MECHANISMS.items()
)


@click.command(epilog=_LISTED)
@click.argument("path", type=FILE)
@click.option(
    "--mechanism",
    type=click.Choice(list(NAMES)),
    metavar="NAME",
    help="Ask by this mechanism: see below.",
)
@click.option(
    "--coin",
    type=click.Choice(list(COINS)),
    help="For crosswise and triangular: the harmless trait is a real one, and the page draws none.",
)
def new(path: Path, mechanism: str | None, coin: str | None) -> None:
    """Write an example survey to PATH."""
    chosen = None if mechanism is None else MECHANISMS[NAMES[mechanism]]
    if coin is not None and (chosen is None or chosen.coin or not chosen.replies):
        joint = " or ".join(
            kind for kind, named in MECHANISMS.items() if named.replies and not named.coin
        )
        raise InputError("--coin", got=mechanism or "no mechanism", allowed=f"--mechanism {joint}")
    device_text = _DEVICE + chosen.consent if chosen and chosen.consent and coin is None else ""
    consent = "\n\n" * bool(device_text) + " \\\n".join(wrap(device_text, 80))
    question = _EXAMPLE if chosen is None else chosen.joint(COINS[coin]) if coin else chosen.block()
    save(path, _HEAD.format(name=path.name, consent=consent) + question, new=True)
    click.echo(f"{path} is ready. Next: askance check {path}")
