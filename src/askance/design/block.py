"""A question as it is pasted into a survey file."""

import json
from collections.abc import Sequence
from fractions import Fraction

from askance.channels.frame import Frame
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.table import Written


def question_block(
    mechanism: AbstractMechanism,
    frame: Frame,
    *,
    name: str = "sensitive",
    text: str = "Put the question here",
    blank: object = 0,
    notes: Sequence[str] = (),
) -> str:
    """Write a question with its mechanism in TOML, as in version survey-1.

    Parameters
    ----------
    mechanism : AbstractMechanism
    frame : Frame
        The answers.
    name, text : str
    blank : probability
        The chance that nothing is sent whatever the answer.
    notes : sequence of str
        Written above it as comments.

    >>> from askance.mechanisms.warner import Warner
    >>> print(question_block(Warner(truth="3/4"), Frame(["yes", "no"])))
    [[question]]
    name = "sensitive"
    text = "Put the question here"
    answers = ["yes", "no"]
    mechanism = { name = "warner", truth = "3/4" }
    <BLANKLINE>
    """
    lines = [
        *(f"# {note}" for note in notes),
        "[[question]]",
        f"name = {_text(name)}",
        f"text = {_text(text)}",
        f"answers = {_list(frame.answers)}",
        mechanism_line(mechanism),
        *([f"blank = {_text(str(blank))}"] if Fraction(str(blank)) else []),
    ]
    return "\n".join(lines) + "\n"


def mechanism_line(mechanism: AbstractMechanism) -> str:
    """Write a mechanism as the line of a question that holds it.

    >>> from askance.mechanisms.warner import Warner
    >>> mechanism_line(Warner(truth="3/4"))
    'mechanism = { name = "warner", truth = "3/4" }'
    """
    return f"mechanism = {{ {_parameters(mechanism)} }}"


def _parameters(mechanism: AbstractMechanism) -> str:
    if isinstance(mechanism, Written):
        reports = ", ".join(f"{_text(one)} = {_list(means)}" for one, means in mechanism.reports)
        rows = ", ".join(_list([str(entry) for entry in row]) for row in mechanism.rows)
        return f'name = "table", reports = {{ {reports} }}, rows = [{rows}]'
    given = {"name": mechanism.name, **mechanism.parameters()}
    return ", ".join(f"{key} = {_text(value)}" for key, value in given.items())


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
