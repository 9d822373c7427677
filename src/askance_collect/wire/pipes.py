"""Answers that are piped into later texts: ``{tea|it}`` is what was answered to ``tea``, else "it".

They are filled in on the respondent's device. So only what is asked plainly, and always before, may
be piped: what is protected is not shown again to whoever looks at the screen.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from askance_collect.errors import FormError

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
    """Fill a text as for a respondent who left the earlier answers out.

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

    >>> read_pipes({"questions": []}, (), lambda question, after: False)
    False
    """
    is_piped, lists = False, document.get("checklists", ())
    ticked = {
        checklist["at"] + item for checklist in lists for item in range(len(checklist["items"]))
    }
    for index, raw in enumerate(document["questions"]):
        if "piped" not in raw:
            continue
        if index in ticked:
            allowed = "a text without blanks, where answers are ticked"
            raise FormError(f"questions[{index}].text", got="{…|…}", allowed=allowed)
        wanted = [piped_names(text) for text in raw["text"].values()]
        if raw["piped"] is not True or not all(wanted):
            allowed = "piped as true where each language has a blank such as {tea|it}"
            raise FormError(f"questions[{index}].piped", got=raw["piped"], allowed=allowed)
        for name in sorted({name for names in wanted for name in names}):
            _need_plain_before(name, index, questions, comes_later)
        is_piped = True
    return is_piped


def _need_plain_before(
    name: str, index: int, questions: Sequence[Piped], comes_later: Callable[[int, int], bool]
) -> None:
    """Refuse a blank for what is not known by then, or is not to be seen again."""
    where = f"questions[{index}].text"
    before = [question for question in questions[:index] if question.name == name]
    plain = [question.name for question in questions[:index] if not _is_kept(question)]
    if not before:
        allowed = f"the name of a question above, asked plainly: {', '.join(plain) or 'none is'}"
        raise FormError(where, got=f"{{{name}|…}}", allowed=allowed)
    if _is_kept(before[0]):
        raise FormError(
            where,
            got=f"{{{name}|…}}, which is protected",
            allowed="an answer that is given plainly: whoever looks at the screen would read it",
        )
    if comes_later(index, questions.index(before[0])):
        allowed = "a question that is always asked before: here chance makes the order"
        raise FormError(where, got=f"{{{name}|…}}", allowed=allowed)


def _is_kept(question: Piped) -> bool:
    return question.hidden or getattr(question, "coin", None) is not None
