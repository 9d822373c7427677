"""Answers that are piped into later texts: ``{tea|it}`` is what was answered to ``tea``, else "it".

They are filled in on the respondent's device. So only what is asked plainly, and always before, may
be piped: what is protected is not shown again to whoever looks at the screen.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from askance_collect.wire.form_schema import refuse

_PIPE = re.compile(r"\{([a-z][a-z0-9_]{0,39})\|([^{}|]*)\}")


class Piped(Protocol):
    """A question of any kind, as far as a text that it is piped into looks at it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def is_randomised(self) -> bool:
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
        wanted = [piped_names(text) for text in raw["text"].values()]
        if index in ticked or not all(wanted):
            raise refuse("piped", f"questions[{index}].piped", raw["text"])
        for name in sorted({name for names in wanted for name in names}):
            if remedy := _pipe_remedy(name, index, questions, comes_later):
                raise refuse("piped", f"questions[{index}].text", f"{{{name}|…}}", remedy)
        is_piped = True
    return is_piped


def _pipe_remedy(
    name: str, index: int, questions: Sequence[Piped], comes_later: Callable[[int, int], bool]
) -> str:
    """Name what to pipe instead of what is not known by then, or is not to be seen again."""
    before = [question for question in questions[:index] if question.name == name]
    plain = [question.name for question in questions[:index] if not _is_kept(question)]
    if not before:
        return f"name a question above, asked plainly: {', '.join(plain) or 'none is'}"
    if _is_kept(before[0]):
        return "it is protected, and whoever looks at the screen would read it"
    if comes_later(index, questions.index(before[0])):
        return "pipe what is always asked before: here chance makes the order"
    return ""


def _is_kept(question: Piped) -> bool:
    return question.is_randomised or getattr(question, "coin", None) is not None
