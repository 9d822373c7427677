"""A question as it is pasted into a survey file."""

import json
from collections.abc import Sequence
from fractions import Fraction

from askance.channels.frame import Frame
from askance.exact.ratio import chance
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
        mechanism_lines(mechanism),
        *([f"blank = {_text(str(blank))}"] if chance(blank, "blank") else []),
    ]
    return "\n".join(lines) + "\n"


def mechanism_lines(mechanism: AbstractMechanism) -> str:
    """Write a mechanism as the lines of a question that hold it: one, or more for a table.

    >>> from askance.mechanisms.warner import Warner
    >>> print(mechanism_lines(Warner(truth="3/4")))
    mechanism = { name = "warner", truth = "3/4" }
    >>> half = {"yes": ["yes"], "either": ["yes", "no"]}
    >>> print(mechanism_lines(Written(reports=half, rows=[["1/2", "1/2"], [0, 1]])))
    mechanism.name = "table"
    mechanism.reports."yes" = ["yes"]
    mechanism.reports."either" = ["yes", "no"]
    mechanism.rows = [
        ["0.5", "0.5"],
        ["0", "1"],
    ]
    """
    if not isinstance(mechanism, Written):
        given = {"name": mechanism.name, **mechanism.parameters()}
        return f"mechanism = {{ {', '.join(f'{key} = {_text(to)}' for key, to in given.items())} }}"
    reports = (
        f"mechanism.reports.{_text(one)} = {_list(means)}" for one, means in mechanism.reports
    )
    rows = (f"    {_list(list(map(decimal, row)))}," for row in mechanism.rows)
    lines = ('mechanism.name = "table"', *reports, "mechanism.rows = [", *rows, "]")
    return "\n".join(lines)


def decimal(chance: Fraction) -> str:
    """Write a chance with at most six decimals, or as a fraction where they are too few.

    >>> decimal(Fraction(23, 200)), decimal(Fraction(1, 3))
    ('0.115', '1/3')
    """
    millions = chance * 1_000_000
    if millions.denominator > 1:
        return str(chance)
    whole, rest = divmod(millions.numerator, 1_000_000)
    return f"{whole}.{rest:06d}".rstrip("0").rstrip(".")


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
