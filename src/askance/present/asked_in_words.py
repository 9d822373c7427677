"""How a question was asked, for a methods section: the design by its name, and what it promises."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.privacy.losses import local_loss

Said = tuple[str, tuple[str, ...]]
"""A sentence, and the keys of its sources, which stand where it has braces."""


def asked_in_words(
    channel: Channel | AbstractRangeChannel | Mapping[str, Channel],
    recipe: AbstractMechanism | None,
) -> list[Said]:
    """Say how a question was asked, and how little each report gives away.

    Parameters
    ----------
    channel : Channel, range channel of a number, or mapping of str to Channel
        Of groups that were asked in different ways that of each.
    recipe : AbstractMechanism or None
        The design by its name, if it has one.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms import Warner
    >>> warner = Warner(truth="3/4")
    >>> told = asked_in_words(warner.channel(Frame(["yes", "no"])), warner)
    >>> told[0][0][:64], told[0][1]
    ("The sensitive question was asked by Warner's randomised response", ('warner1965',))
    """
    if isinstance(channel, AbstractRangeChannel):
        return [_cuts(channel)]
    if isinstance(channel, Mapping):
        return _groups(channel)
    return [_design(channel, recipe), _promise(channel)]


_Told = Callable[[Any], str]

_DESIGNS: Mapping[str, tuple[str, _Told, tuple[str, ...]]] = MappingProxyType(
    {
        "warner": (
            "Warner's randomised response",
            lambda m: (
                f"the statement was put with chance {_chance(m.truth)}, its opposite otherwise"
            ),
            ("warner1965",),
        ),
        "kary": (
            "k-ary randomised response",
            lambda m: (
                f"the answer itself was reported with chance {_chance(m.truth)}, and each other "
                "answer with the same share of the rest"
            ),
            ("kairouz2016",),
        ),
        "abstain": (
            "randomised response with an uncommitted reply",
            lambda m: (
                f"the answer was reported with chance {_chance(m.truth)}, another one with chance "
                f"{_chance(m.lie)}, and “don't know” otherwise"
            ),
            ("li2022",),
        ),
        "forced": (
            "the forced-response design",
            lambda m: (
                f"the truth was told with chance {_chance(m.truth)}, and otherwise a reply that "
                "was drawn ("
                + ", ".join(
                    f"{name} with chance {_chance(share)}" for name, share in m.if_forced or ()
                )
                + ")"
            ),
            ("boruch1971", "fox1986"),
        ),
        "one_sided": (
            "one-sided forced response",
            lambda m: f"a “yes” was forced with chance {_chance(m.forced_yes)}, a “no” never",
            ("boudreau2023",),
        ),
        "mangat": (
            "Mangat's design",
            lambda m: (
                "who carries the trait said so, and the others told the truth with chance "
                f"{_chance(m.truth_if_no)}"
            ),
            ("mangat1994",),
        ),
        "unrelated": (
            "the unrelated-question design",
            lambda m: (
                f"the sensitive question was drawn with chance {_chance(m.asked)}, and otherwise a "
                f"harmless one to which a known share of {_chance(m.harmless)} says “yes”"
            ),
            ("greenberg1969",),
        ),
        "kuk": (
            "Kuk's design",
            lambda m: (
                f"the colour of a card was named, red with chance {_chance(m.red_if_yes)} among "
                f"carriers of the trait and {_chance(m.red_if_no)} among the others, in {m.draws} "
                f"draw{'s' * (m.draws > 1)}"
            ),
            ("kuk1990",),
        ),
        "crosswise": (
            "the crosswise model",
            lambda m: (
                "respondents said whether just one of the sensitive and a harmless statement was "
                f"true, or both or neither; the share of the harmless one is {_chance(m.harmless)}"
            ),
            ("yu2008",),
        ),
        "triangular": (
            "the triangular model",
            lambda m: (
                "respondents said whether neither, or at least one, of the sensitive and a "
                "harmless statement was true; the share of the harmless one is "
                f"{_chance(m.harmless)}"
            ),
            ("yu2008",),
        ),
        "hidden": (
            "the hidden-sensitivity model",
            lambda m: (
                "those with the last answer reported a class of a harmless trait, of shares "
                + ", ".join(map(_chance, m.harmless))
            ),
            ("tian2007",),
        ),
        "christofides": (
            "Christofides' design",
            lambda m: (
                "a card with a mark was drawn, of shares "
                + ", ".join(map(_chance, m.marks))
                + ", and carriers of the trait counted from the other end"
            ),
            ("christofides2003",),
        ),
    }
)


def _chance(value: Any) -> str:
    """Write a chance as a fraction that can be read, else rounded.

    >>> _chance(Fraction(3, 4)), _chance(Fraction(410105312, 862713251))
    ('3/4', '0.4754')
    """
    told = Fraction(value)
    return str(told) if told.denominator <= _READABLE else f"{float(told):.4f}"


_READABLE = 1000


def _design(channel: Channel, recipe: AbstractMechanism | None) -> Said:
    known = None if recipe is None else _DESIGNS.get(recipe.name)
    if known is None or recipe is None:
        answers, reports = len(channel.frame), len(channel.reports)
        return (
            f"Each of {answers} answers was turned into one of {reports} reports at random, with "
            "known chances",
            (),
        )
    name, told, sources = known
    return f"The sensitive question was asked by {name} {{}}: {told(recipe)}", sources


def _promise(channel: Channel) -> Said:
    found = local_loss(channel)
    if math.isinf(found.value):
        return (
            "Some report rules an answer out, so that no finite ε of local differential privacy "
            "{} holds",
            ("kasiviswanathan2011",),
        )
    epsilon = math.ceil(float(found.epsilon) * 1000) / 1000
    return (
        f"Each report satisfies ε-local differential privacy {{}} with ε = {epsilon:.3f}: none is "
        f"more than {found.printed(4)} times as likely from one answer as from another",
        ("kasiviswanathan2011",),
    )


def _groups(channels: Mapping[str, Channel]) -> list[Said]:
    """Say that groups were asked in different ways, and what the weakest promise is."""
    names = [f"“{name}”" for name in channels]
    told = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    groups = f"groups with different chances ({told})"
    if len(names) > _NAMED:
        groups = f"{len(names)} groups with different chances"
    weakest = max(channels.values(), key=lambda one: local_loss(one).value)
    return [
        (f"The sensitive question was asked in {groups}", ()),
        _promise(weakest),
    ]


def _cuts(channel: AbstractRangeChannel) -> Said:
    line = channel.line
    unit = f" {line.unit}" if line.unit else ""
    told = "one or more ranges into which random cuts part the line"
    if isinstance(channel, RangeChannel):
        told = "the range between the nearest of the cuts that were drawn on the line"
    return (
        "Each number was reported as a random range that holds it {}: "
        f"{told} from {float(line.lower):g} to {float(line.upper):g}{unit}. What is reported is "
        "always true and rules out the rest of the line, so that no finite ε of local differential "
        "privacy holds",
        ("ding2022",),
    )


_NAMED = 6  # groups that are listed
