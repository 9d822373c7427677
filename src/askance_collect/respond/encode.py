"""From an answer to a report: draws first, in an order that no answer can change, then the answer.

The twin of ``browser/askance.js``; both are held to the vectors in ``wire/vectors``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.integer_draws import Words, drawn_below, pick
from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.wire.form import Form
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    FreeText,
    Number,
    Question,
    RingQuestion,
    TableQuestion,
    Value,
)
from askance_collect.wire.report import Report

Draws = tuple[int, ...]
"""The integers a question's randomness consists of, one below each of its bounds."""

Cell = tuple[int, int]
"""Above the first tick, up to the second; the ring's outside where the first is the larger."""


@checked
def next_cut(question: CutsQuestion, draws: Draws, cell: Cell) -> int | None:
    """The first drawn cut that narrows a range of a question, or None if none does.

    A cut counts if it lies strictly inside and, where cuts are passed over, leaves both sides large
    enough. The side on which the answer is plays no part. A device that asks one step narrower at a
    time begins with the whole line and asks on which side of each such cut the answer is.

    Parameters
    ----------
    question : CutsQuestion
    draws : sequence of int
        What the device drew.
    cell : pair of int
        The range so far, by its ticks.

    Raises
    ------
    InputError
        If the draws are none of the question's.

    >>> from askance_collect.exact import Line
    >>> from askance_collect.wire import CutsQuestion
    >>> cups = CutsQuestion("cups", {}, Line(0, 4), {}, 2, (1, 1, 1), False, (0, 1), {})
    >>> next_cut(cups, (0, 1, 2), (0, 4)), next_cut(cups, (0, 1, 2), (2, 4))
    (2, 3)
    """
    return _next_cut(question, _need_draws(question, draws), cell)


def _next_cut(question: CutsQuestion, draws: Draws, cell: Cell) -> int | None:
    low, high = cell
    floor = None if question.withhold else question.floor
    for cut_draw in draws[1:]:
        tick = pick(question.weights, cut_draw) + 1
        if low < tick < high and (floor is None or floor.allows_cut(low, tick, high)):
            return tick
    return None


@checked
def list_cells(question: CutsQuestion | RingQuestion, draws: Draws) -> tuple[Cell, ...]:
    """List the ranges into which the draws of a question part its line.

    Lowest first; a ring's inside, then its outside. A device that shows these and is told which of
    them holds the answer need not be told the answer.

    Raises
    ------
    InputError
        If the draws are none of the question's.

    >>> from askance_collect.exact import Line
    >>> from askance_collect.wire import CutsQuestion
    >>> cups = CutsQuestion("cups", {}, Line(0, 4), {}, 2, (1, 1, 1), False, (0, 1), {})
    >>> list_cells(cups, (0, 1, 2))
    ((0, 2), (2, 3), (3, 4))
    """
    return _cells(question, _need_draws(question, draws))


def _cells(question: CutsQuestion | RingQuestion, draws: Draws) -> tuple[Cell, ...]:
    if isinstance(question, RingQuestion):
        low, high = question.law.pair_at(draws[1])
        return (low, high), (high, low)
    return tuple(_parted(question, draws, (0, question.line.ticks)))


def _parted(question: CutsQuestion, draws: Draws, cell: Cell) -> Iterator[Cell]:
    tick = _next_cut(question, draws, cell)
    if tick is None:
        yield cell
    else:
        yield from _parted(question, draws, (cell[0], tick))
        yield from _parted(question, draws, (tick, cell[1]))


def _cell_of(
    question: CutsQuestion | RingQuestion, step: int, draws: Draws, steps: int | None
) -> Cell | None:
    """What an answer in a step of the line sends, or None where its cell is withheld."""
    if isinstance(question, RingQuestion):
        inside, outside = _cells(question, draws)
        return inside if inside[0] <= step < inside[1] else outside
    if question.is_sent_exactly(step):
        return step, step + 1
    cell = _narrowed(question, step, draws, steps)
    is_sent = not question.withhold or question.floor is None or question.floor.allows_range(*cell)
    return cell if is_sent else None


def _narrowed(question: CutsQuestion, step: int, draws: Draws, steps: int | None) -> Cell:
    low, high = 0, question.line.ticks
    for _ in range(question.number if steps is None else steps):
        tick = _next_cut(question, draws, (low, high))
        if tick is None:
            break
        low, high = (tick, high) if tick <= step else (low, tick)
    return low, high


@checked
def draw_bounds(question: Question) -> tuple[int, ...]:
    """List the bounds of what a question draws: an integer below each, the one for a blank first.

    A plain question draws nothing; a table question draws a column's position; a number draws the
    position of each cut, or of one pair of them. The list depends on the form alone.

    >>> from askance_collect.exact import Line
    >>> from askance_collect.wire import CutsQuestion
    >>> cups = CutsQuestion("cups", {}, Line(0, 4), {}, 2, (1, 1, 1), False, (0, 1), {})
    >>> draw_bounds(cups)
    (1, 3, 3)
    """
    return _bounds(question)


def _bounds(question: Question) -> tuple[int, ...]:
    match question:
        case TableQuestion():
            return question.blank[1], question.table.total
        case CutsQuestion():
            return question.blank[1], *[sum(question.weights)] * question.number
        case RingQuestion():
            return question.blank[1], question.law.total
    return ()


@checked
def draw(question: Question, words: Words | None = None) -> Draws:
    """Draw a question's randomness, before anything is known of the answer.

    Parameters
    ----------
    question : Question
    words : callable, optional
        A source of words, each uniform on 0 … 2^48 − 1, for rehearsals and for tests; fresh bits
        of the operating system if left out.

    Returns
    -------
    tuple of int
        One below each of the `draw_bounds`, uniform and independent.

    Raises
    ------
    InputError
        If the source gives something else than words.

    >>> from askance_collect.exact import Line
    >>> from askance_collect.wire import CutsQuestion
    >>> cups = CutsQuestion("cups", {}, Line(0, 4), {}, 2, (1, 1, 1), False, (0, 1), {})
    >>> draw(cups, lambda: 5), len(draw(cups))
    ((0, 2, 2), 3)
    """
    return _fresh(question, words or word)


def _fresh(question: Question, words: Words) -> Draws:
    return tuple(drawn_below(bound, words) for bound in _bounds(question))


@checked
def assigned_group(question: TableQuestion, draws: Draws) -> int | None:
    """Say into which group chance has put a device: before any answer, and whatever it will be.

    Groups are laid end to end, each as long as its share of the table, and the draw of a report
    falls into one of them.

    Returns
    -------
    int or None
        The position of the group; None where the question has none.

    Raises
    ------
    InputError
        If the draws are none of the question's.

    >>> import askance as ak
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... [[question.group]]
    ... name = "few"
    ... share = "1/4"
    ... mechanism = { name = "warner", truth = "3/4" }
    ... [[question.group]]
    ... name = "many"
    ... share = "3/4"
    ... mechanism = { name = "warner", truth = "2/3" }
    ... '''))
    >>> [assigned_group(form.questions[0], (0, number)) for number in (0, 3, 4, 15)]
    [0, 0, 1, 1]
    """
    offset = _need_draws(question, draws)[1]
    for position, group in enumerate(question.group_questions):
        if offset < group.table.total:
            return position
        offset -= group.table.total
    return None


@checked
def encode(
    question: Question, answer: object, draws: Draws, steps: int | None = None
) -> Value | str:
    """Privatise one answer with given draws: the value that is sent in a report.

    Equal draws and equal answers send equal values.

    Parameters
    ----------
    question : Question
    answer : int, str or None
        The index of an answer, the tick of a plain number, the step ``(i, i + 1]`` of the line that
        holds a protected number, a text, or None for "I'd rather not answer".
    draws : tuple of int
        From `draw`.
    steps : int, optional
        How often the person agreed to a narrower range, where a question is asked one step narrower
        at a time; as often as there is one if left out.

    Raises
    ------
    InputError
        If the answer is not one of the question's, the draws are none of it, or the question has no
        such steps; the message repeats neither the answer nor the draws.

    >>> from askance_collect.exact import Line
    >>> from askance_collect.wire import CutsQuestion
    >>> cups = CutsQuestion("cups", {}, Line(0, 4), {}, 2, (1, 1, 1), False, (0, 1), {})
    >>> [encode(cups, step, (0, 1, 2)) for step in range(4)]
    [(0, 2), (0, 2), (2, 3), (3, 4)]
    """
    _check_steps(question, steps)
    return _encode_answer(question, answer, _need_draws(question, draws), steps)


def _encode_answer(
    question: Question, answer: object, draws: Draws, steps: int | None = None
) -> Value | str:
    """Do as `encode`, with draws that are known to be the question's own."""
    if answer is None:
        return None
    match question:
        case Choice():
            return _check(answer, len(question.answers), question)
        case Number():
            return _check(answer, question.line.ticks + 1, question, question.line.spacing)
        case FreeText():
            return _check_text(answer, question)
        case TableQuestion():
            row = question.table.rows[_check(answer, len(question.answers), question)]
            column = pick(row, draws[1])
            return None if draws[0] < question.blank[0] else column
        case CutsQuestion() | RingQuestion():
            cell = _cell_of(question, _check(answer, question.line.ticks, question), draws, steps)
            return None if draws[0] < question.blank[0] else cell


@checked
def place_in_group(question: TableQuestion, draws: Draws, group: str) -> Draws:
    """Move draws into the group that an invitation names, where invitations choose among groups.

    Groups are as wide as each other: what a draw leaves when it is divided by that width is uniform
    in it. Where the question has no such group, or chance chooses, the draws stay as they are.

    Parameters
    ----------
    question : TableQuestion
    draws : tuple of int
        From `draw`.
    group : str
        The name of a group.

    Raises
    ------
    InputError
        If the draws are none of the question's.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Group, Label, TableQuestion
    >>> yn, four = (Label("yes", {}), Label("no", {})), tuple(Label(f"{i}", {}) for i in range(4))
    >>> table = Table(8, ((3, 1, 1, 3), (1, 3, 3, 1)))
    >>> groups, means = (Group("few", {}, 2), Group("many", {}, 2)), ((0,), (1,), (1,), (0,))
    >>> q = TableQuestion("q", {}, yn, four, means, table, (0, 1), {}, groups, invited=True)
    >>> [place_in_group(q, (0, number), "many") for number in (2, 6)]
    [(0, 6), (0, 6)]
    """
    blank, offset = _need_draws(question, draws)
    names = [assigned.name for assigned in question.groups]
    if not question.invited or group not in names:
        return draws
    width = question.table.total // len(names)
    return blank, names.index(group) * width + offset % width


@checked
def respond(form: Form, answers: Mapping[str, Any], *, group: str = "") -> Report:
    """Privatise one person's answers to a form: the report that may leave the device.

    All randomness is drawn first, from fresh bits of the operating system; there is no seed.

    Parameters
    ----------
    form : Form
    answers : Mapping
        For each question an answer as `encode` takes it; a question left out is not answered. One
        that the answers let skip has the answer that the form says, whatever is given here. So
        has one left out that a protected answer lets skip: a blank would say who was asked.
    group : str
        The group that an invitation names, for questions whose groups it assigns; chance chooses
        where there is none of that name.

    Raises
    ------
    InputError
        If there is an answer to a question that the form does not ask, or one that is none of a
        question's; no message repeats an answer.

    >>> import askance as ak
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "warner", truth = "3/4" }
    ... '''))
    >>> report = respond(form, {"tea": 1})
    >>> report.values["tea"] in (0, 1), len(report.body(form.size)) == form.size
    (True, True)
    """
    draws = {question.name: _fresh(question, word) for question in form.questions}
    for question in form.questions:
        if isinstance(question, TableQuestion):
            draws[question.name] = place_in_group(question, draws[question.name], group)
    encoded = follow_skips(form, answers)
    values = {
        question.name: _encode_answer(question, encoded[question.name], draws[question.name])
        for question in form.questions
    }
    return Report(form.fingerprint, identifier(), values)


@checked
def follow_skips(form: Form, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Give what each question of a form encodes: the answers, and what its skips make of them.

    A question that the answers let skip has the answer that the form says, whatever is given. So
    has one left out that a protected answer lets skip: a blank would say who was asked.

    Parameters
    ----------
    form : Form
    answers : Mapping
        For each question an answer as `encode` takes it; a question left out is not answered.

    Raises
    ------
    InputError
        If there is an answer to a question that the form does not ask, or one that is none of a
        question's; no message repeats an answer.

    >>> import askance as ak
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... [[question]]
    ... name = "cups"
    ... text = "How many cups a day?"
    ... line = { lower = 0, upper = 9 }
    ... skip = { after = "tea", answered = ["no"], send = 0 }
    ... '''))
    >>> follow_skips(form, {"tea": 1}), follow_skips(form, {"tea": 0, "cups": 3})
    ({'tea': 1, 'cups': 0}, {'tea': 0, 'cups': 3})
    """
    names = [question.name for question in form.questions]
    unknown = sorted(str(name) for name in answers if name not in names)
    if unknown:
        raise InputError("answers", got=unknown, allowed="names of the form's questions")
    encoded = [answers.get(name) for name in names]
    for question, answer in zip(form.questions, encoded, strict=True):
        if isinstance(question, FreeText):
            _encode_answer(question, answer, ())
        elif answer is not None:
            _check(
                answer, question.possible_answers.stop, question, question.possible_answers.start
            )
    for skip in form.skips:
        left_out = skip.send is not None and encoded[skip.question] is None
        hidden = form.questions[skip.after].is_randomised
        if encoded[skip.after] in skip.answered or (left_out and hidden):
            encoded[skip.question] = skip.send
    return dict(zip(names, encoded, strict=True))


def _need_draws(question: Question, draws: object) -> Draws:
    """Refuse draws that are none of the question's; they are as secret as the answer."""
    tops = _bounds(question)
    if isinstance(draws, tuple) and len(draws) == len(tops):
        pairs = zip(draws, tops, strict=True)
        if all(type(number) is int and 0 <= number < top for number, top in pairs):
            return draws
    raise InputError(f"draws.{question.name}", allowed="what draw gives for this question")


def _check(answer: object, bound: int, question: Question, first: int = 0) -> int:
    if type(answer) is not int or not first <= answer < bound:
        raise InputError(f"answers.{question.name}", allowed=f"an integer in [{first}, {bound})")
    return answer


def _check_text(answer: object, question: FreeText) -> str:
    if isinstance(answer, str) and question.allows(answer):
        return answer
    if question.is_sealed:
        raise InputError(f"answers.{question.name}", allowed="a text that was sealed; or None")
    lines = "with" if question.lines > 1 else "without"
    raise InputError(
        f"answers.{question.name}",
        allowed=f"1 to {question.limit} characters, {lines} line breaks, with none of control and "
        "no blank at an end; or None",
    )


def _check_steps(question: Question, steps: int | None) -> None:
    narrow = isinstance(question, CutsQuestion) and question.progressive
    if steps is not None and not (narrow and type(steps) is int and steps >= 0):
        raise InputError(
            f"steps.{question.name}",
            got=steps,
            allowed="a whole number of steps, for a question that is asked one step at a time",
        )


def word() -> int:
    """48 fresh random bits.

    >>> 0 <= word() < 2**48
    True
    """
    return int.from_bytes(SYSTEM_BYTES.draw(6), "big")


def identifier() -> str:
    """A fresh 128-bit report id in hexadecimal.

    >>> len(identifier())
    32
    """
    return SYSTEM_BYTES.draw(16).hex()
