"""A script for the telephone: the respondent's own banknote decides, and nobody hears its digits.

It is read out, or sent as text messages. The digits are noted before the question is asked. The
last digit of a serial number is left out: on euro notes it is a check digit, and never 0.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import count

from askance_collect.arguments import checked
from askance_collect.respond.by_hand import DIGITS, DevicePlan, Step
from askance_collect.respond.on_paper import OnPaper, on_paper
from askance_collect.wire.form import Form
from askance_collect.wire.question import Choice, FreeText, Number, Question, TableQuestion

_WIDTH = 79
_WIDE = r"\u3400-\u9fff\uf900-\ufaff"
_MAY_END = re.compile(
    rf"(?<=\s)(?=\S)|(?<![\s“（])(?=[{_WIDE}])|(?<=[{_WIDE}，。：；、！？）])(?=[\w“（])"
)
"""Where a line may end; no mark that closes begins a line, and none that opens ends one."""


@checked
def telephone_script(
    form: Form,
    *,
    copies: int = 1,
    first: int = 1,
    language: str | None = None,
    messages: bool = False,
) -> str:
    """Write a form as a script for interviewers, with the chances of the form.

    Up to three digits of a banknote that the respondent alone sees decide what is said; the
    interviewer learns the report and nothing else. If all digits are equally likely, each answer's
    reports have exactly the chances of the form's table. The ranges of a number are drawn afresh
    for each copy, before the call.

    Parameters
    ----------
    form : Form
    copies : int
        1 to 10,000 calls; a form without ranges needs one script for all.
    first : int
        The number of the first, 1 or more.
    language : str, optional
        One of the form's; its first that there are words of, if left out.
    messages : bool
        As text messages: what is sent one after the other, in place of what is read out.

    Returns
    -------
    str
        Plain text, in lines of 79 characters at most but for messages; a form feed between copies.

    Raises
    ------
    InputError
        If something of the form cannot be asked so as it is published, digits do not have its
        chances, or an argument means nothing.

    >>> import askance as ak
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "warner", truth = "4/5" }
    ... '''))
    >>> from askance_collect.respond import telephone_script
    >>> script = telephone_script(form)
    >>> [line.strip() for line in script.splitlines() if "If it" in line]
    ['If it is 0 to 5, say your true answer.', 'If it is 6 to 7, ...', 'If it is 8 to 9, ...']
    """
    call = on_paper(form, "say", device=DIGITS, copies=copies, first=first, language=language)
    write = _messages if messages else _script
    return "\n\f\n".join(write(call, number) for number in call.numbers)


def _script(call: OnPaper, number: int) -> str:
    lines = [
        call.text("title"),
        call.say("sheet", number=number),
        "",
        *_wrapped("", call.say("for_interviewer")),
        "",
    ]
    for part in ("consent", "contact"):
        if text := call.text(part):
            lines += [*_wrapped(call.say("say"), text), ""]
    used = 0
    for position, question in call.questions:
        lines += [f"{position}.", *_write_question(call, question, used), ""]
        used += question.name in call.plans
    if used:
        lines += _wrapped(call.say("say"), call.say("end"))
    return "\n".join(lines).rstrip() + "\n"


def _messages(call: OnPaper, number: int) -> str:
    """Write the messages to send: digits are noted and confirmed before the question comes."""
    lines: list[str] = [call.text("title"), call.say("sheet", number=number), ""]
    lines += [*_wrapped("", call.say("for_sender")), ""]
    numbers = count(1)

    def send(*texts: str) -> None:
        lines.extend([call.say("message", number=next(numbers)), *texts, ""])

    send(*filter(None, map(call.text, ("consent", "contact"))))
    used = 0
    for position, question in call.questions:
        plan = call.plans.get(question.name)
        rules: list[str] = []
        if plan is not None:
            send(_noting(call, plan, used), call.say("ready"))
            rules = [_rule(call, question, plan, step, "write") for step in plan.steps]
            rules = [call.say("your_digits"), *rules]
            used += 1
        offered = [f"- {text}" for text in _offered(call, question)]
        send(f"{position}. {question.text[call.language].strip()}", *offered, *rules)
        lines += [*_write_notes(call, question), ""]
    if used:
        send(call.say("end"))
    return "\n".join(lines).rstrip() + "\n"


def _noting(call: OnPaper, plan: DevicePlan, used: int) -> str:
    times = call.say(f"digits_{plan.times}")
    return call.lines("telephone")[used > 0].format(times=times)


def _write_question(call: OnPaper, question: Question, used: int) -> Iterator[str]:
    """Write one question: digits are noted first, then it is asked, then the rule is read."""
    plan = call.plans.get(question.name)
    say, ask = call.say("say"), call.say("ask")
    if plan is not None:
        yield from _wrapped(say, _noting(call, plan, used))
    yield from _wrapped(ask, question.text[call.language].strip())
    for text in _offered(call, question):
        yield from _wrapped("", f"- {text}", indent=_width(ask) + 2)
    if plan is not None:
        yield from _wrapped(say, call.say("your_digits"))
        for step in plan.steps:
            yield from _wrapped("", _rule(call, question, plan, step), indent=_width(say) + 2)
    yield from _write_notes(call, question)


def _write_notes(call: OnPaper, question: Question) -> Iterator[str]:
    """Write what the interviewer says if asked, and writes down."""
    if protection := " ".join(call.protects(question)):
        yield from _wrapped(call.say("if_asked"), protection)
    yield from _wrapped(call.say("note"), _noted(call, question))


def _offered(call: OnPaper, question: Question) -> list[str]:
    """List what is read out to choose from."""
    match question:
        case Choice() | TableQuestion():
            return [call.named(answer) for answer in question.answers]
        case FreeText():
            return []
        case Number():
            return [call.number(question)]
    return call.ranges(question)


def _rule(call: OnPaper, question: Question, plan: DevicePlan, step: Step, how: str = "if") -> str:
    faces = step.first
    if step.first != step.last:
        faces = call.say("from_to", first=step.first, last=step.last)
    reports = "; ".join(call.does(question, step))
    return call.say(f"{how}_one" if plan.times == 1 else f"{how}_digits", faces=faces, what=reports)


def _noted(call: OnPaper, question: Question) -> str:
    """Say what the interviewer writes down."""
    if not isinstance(question, TableQuestion | Choice):
        return call.say("only_said")
    replies = call.replies(question)
    reports = ", ".join(text if text == name else f"{text} [{name}]" for text, name in replies)
    hidden = isinstance(question, TableQuestion)
    return call.say("only_report" if hidden else "only_answer", reports=reports)


def _wrapped(who: str, text: str, indent: int = 0) -> list[str]:
    """Write a spoken text after its speaker, or indented."""
    begin = f"{who}: " if who else " " * indent
    lines: list[str] = []
    for index, part in enumerate(text.splitlines()):
        lead = begin if index == 0 else " " * _width(begin)
        lines += _folded(part, lead, " " * (_width(begin) + 2 * part.startswith("- ")))
    return lines


def _folded(text: str, line: str, indent: str) -> Iterator[str]:
    """Break a text where a line may end: at a space, and in Chinese between most characters."""
    for piece in _MAY_END.split(text):
        if _width(line + piece.rstrip()) > _WIDTH:
            yield line.rstrip()
            line = indent
        line += piece
    if line.strip():
        yield line.rstrip()


def _width(text: str) -> int:
    """Count the columns that a text takes where letters are of one width."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )
