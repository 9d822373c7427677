"""Answers that are piped into later texts: ``{tea|it}`` is what was answered to ``tea``, else "it".

They are filled in on the respondent's device. So only what is asked plainly, and always before, may
be piped: what is protected is not shown again to whoever looks at the screen.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from askance.errors import FormError

_PIPE = re.compile(r"\{([a-z][a-z0-9_]{0,39})\|([^{}|]*)\}")


class Piped(Protocol):
    """A question of any kind, as far as a text that it is piped into looks at it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def hidden(self) -> bool:
        """Whether chance on the device stands between an answer and what is sent."""


def piped_names(text: str) -> list[str]:
    """Name the questions whose answers a text asks for.

    >>> piped_names("How often do you drink {drink|it}, and {where|anywhere}? {no} {A|b}")
    ['drink', 'where']
    """
    return [name for name, _ in _PIPE.findall(text)]


def unpiped(text: str) -> str:
    """Read a text as whoever left the earlier answers out does.

    >>> unpiped("How often do you drink {drink|it}? {no}")
    'How often do you drink it? {no}'
    """
    return _PIPE.sub(r"\2", text)


def around_pipes(text: str) -> list[str]:
    """Give what stands before, between and behind the answers that a text asks for.

    >>> around_pipes("How often do you drink {drink|it}?")
    ['How often do you drink ', '?']
    """
    return _PIPE.sub("\0", text).split("\0")


def read_pipes(
    document: Mapping[str, Any], questions: Sequence[Piped], comes_later: Callable[[int, int], bool]
) -> bool:
    """Check what is piped into the texts of a form; say if anything is.

    Whether chance may ask the second of two questions after the first is known to ``comes_later``.

    Raises
    ------
    FormError
        With the path of the first text that asks for what it may not.

    >>> read_pipes({"questions": []}, (), lambda one, other: False)
    False
    """
    found, lists = False, document.get("checklists", ())
    ticked = {one["at"] + item for one in lists for item in range(len(one["items"]))}
    for at, raw in enumerate(document["questions"]):
        if "piped" not in raw:
            continue
        if at in ticked:
            allowed = "a text without blanks, where answers are ticked"
            raise FormError(f"questions[{at}].text", got="{…|…}", allowed=allowed)
        wanted = [piped_names(text) for text in raw["text"].values()]
        if raw["piped"] is not True or not all(wanted):
            allowed = "piped as true where each language has a blank such as {tea|it}"
            raise FormError(f"questions[{at}].piped", got=raw["piped"], allowed=allowed)
        for name in sorted({name for names in wanted for name in names}):
            _need_plain_before(name, at, questions, comes_later)
        found = True
    return found


def _need_plain_before(
    name: str, at: int, questions: Sequence[Piped], comes_later: Callable[[int, int], bool]
) -> None:
    """Refuse a blank for what is not known by then, or is not to be seen again."""
    where = f"questions[{at}].text"
    before = [one for one in questions[:at] if one.name == name]
    plain = [one.name for one in questions[:at] if not _is_kept(one)]
    if not before:
        allowed = f"the name of a question above, asked plainly: {', '.join(plain) or 'none is'}"
        raise FormError(where, got=f"{{{name}|…}}", allowed=allowed)
    if _is_kept(before[0]):
        raise FormError(
            where,
            got=f"{{{name}|…}}, which is protected",
            allowed="an answer that is given plainly: whoever looks at the screen would read it",
        )
    if comes_later(at, questions.index(before[0])):
        allowed = "a question that is always asked before: here chance makes the order"
        raise FormError(where, got=f"{{{name}|…}}", allowed=allowed)


def _is_kept(question: Piped) -> bool:
    return question.hidden or getattr(question, "coin", None) is not None
