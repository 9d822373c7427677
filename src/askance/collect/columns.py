"""How a report stands in a table of text: which columns a question has, and what they say.

A name that a spreadsheet would take for a formula gets an apostrophe in front, and so does a name
that begins with an apostrophe; reading takes one apostrophe away. An empty cell, or two for a
range, is a blank. An empty end of a range is open. A range whose lower end is the larger is a
ring's outside: above it, or up to the other.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import DECIMALS, ratio
from askance.wire.form import Form
from askance.wire.question import (
    Choice,
    Label,
    Number,
    Question,
    RangeQuestion,
    TableQuestion,
    Value,
)

RESPONDENT = "respondent"
"""The column of shuffled row numbers."""

_FORMULA = tuple("=+-@\t\r'")


def columns(form: Form) -> Mapping[str, tuple[str, ...]]:
    """Name the columns of each question, in the form's order.

    A range has two columns. A name that is taken already gets underscores until it is new.
    """
    taken = {RESPONDENT}
    named: dict[str, tuple[str, ...]] = {}
    for question in form.questions:
        ends = ("_above", "_upto") if isinstance(question, RangeQuestion) else ("",)
        stem = question.name
        while taken & {stem + end for end in ends}:
            stem += "_"
        named[question.name] = tuple(stem + end for end in ends)
        taken |= set(named[question.name])
    return named


def spell(question: Question, value: Value) -> tuple[str, ...]:
    """Write a value as the cells of its question's columns.

    Parameters
    ----------
    question : Question
    value : Value
        One that the question allows.

    >>> from askance.wire.question import CutsQuestion
    >>> age = CutsQuestion("age", {}, Line(17, 70), {}, 1, (1,) * 52, False, (0, 1), {})
    >>> spell(age, (0, 12)), spell(age, (12, 53)), spell(age, None)
    (('', '29'), ('29', ''), ('', ''))
    """
    if isinstance(question, RangeQuestion):
        low, high = value if isinstance(value, tuple) else (0, question.line.ticks)
        above = written(question.line.at(low)) if low > 0 else ""
        upto = written(question.line.at(high)) if high < question.line.ticks else ""
        return above, upto
    if not isinstance(value, int):
        return ("",)
    if isinstance(question, Number):
        return (written(question.line.at(value)),)
    return (guard(_names(question)[value].name),)


def unspell(question: Question, cells: Sequence[str]) -> Value:
    """Read the cells that `spell` writes, whatever spelling their numbers have.

    Raises
    ------
    InputError
        If the cells are not those of a value that some respondent can have sent.

    >>> tea = Choice("tea", {}, (Label("yes", {}), Label("no", {})))
    >>> unspell(tea, ["no"]), unspell(tea, [""])
    (1, None)
    """
    value = None if not any(cells) else _value(question, cells)
    if value is not None and not question.allows(value):
        raise InputError(question.name, allowed="what a respondent can send")
    return value


def guard(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula, in a way that can be undone.

    >>> guard("=1+1"), guard("yes")
    ("'=1+1", 'yes')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def written(number: Fraction) -> str:
    """Write a number exactly: as a decimal if it has an end that is read back, else as a fraction.

    >>> written(Fraction(35, 2)), written(Fraction(-3)), written(Fraction(1, 3))
    ('17.5', '-3', '1/3')
    """
    places = max(_power(number.denominator, 2), _power(number.denominator, 5))
    scaled = number * 10**places
    if scaled.denominator != 1 or places > DECIMALS:
        return str(number)
    digits = str(abs(scaled.numerator)).zfill(places + 1)
    whole, rest = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{'-' if number < 0 else ''}{whole}{'.' if rest else ''}{rest}"


def _value(question: Question, cells: Sequence[str]) -> Value:
    if isinstance(question, RangeQuestion):
        above, upto = cells
        low = _tick(question.line, above) if above else 0
        return low, _tick(question.line, upto) if upto else question.line.ticks
    if isinstance(question, Number):
        return _tick(question.line, cells[0])
    names = [label.name for label in _names(question)]
    name = cells[0].removeprefix("'")
    if name not in names:
        raise InputError(question.name, allowed=", ".join(names[:20]))
    return names.index(name)


def _names(question: Choice | TableQuestion) -> tuple[Label, ...]:
    return question.answers if isinstance(question, Choice) else question.reports


def _tick(line: Line, cell: str) -> int:
    try:
        steps = (ratio(cell, "number") - line.lower) / line.step
    except InputError:
        steps = Fraction(1, 2)
    if steps.denominator != 1:
        first, second, last = (written(line.at(tick)) for tick in (0, 1, line.ticks))
        raise InputError("number", allowed=f"{first}, {second} and so on up to {last}")
    return steps.numerator


def _power(number: int, base: int) -> int:
    power = 0
    while number % base == 0:
        number, power = number // base, power + 1
    return power
