"""Routing of a questionnaire: sections, skip rules, quotas, review, device and ending."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from askance.survey.specs import (
    EndingSpec,
    FilePosition,
    Names,
    QuestionSpec,
    QuotaSpec,
    RedirectSpec,
    SkipSpec,
    SpanSpec,
    Survey,
    read_label,
    write_wording,
)
from askance_collect.errors import AskanceError, SurveyError, nearest
from askance_collect.exact.ratio import read_ratio
from askance_collect.wire.ending import host_of
from askance_collect.wire.form import (
    LARGEST_QUOTA,
    MOST_DAYS,
    ORDERS,
    REVIEWS,
    leak_remedy,
    may_be_untrue,
)
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    FreeText,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
)


def write_sections(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition], languages: Sequence[str]
) -> list[dict[str, Any]]:
    """Write the sections of a form, each with the position of the question at which it begins.

    >>> from askance.survey.specs import SectionSpec
    >>> tea = QuestionSpec("tea", "Tea?", section=SectionSpec("Drinks", order="random"))
    >>> write_sections([tea], [("question[0]", "")], ["en"])
    [{'at': 0, 'title': {'en': 'Drinks'}, 'text': {'en': ''}, 'order': 'random'}]
    """
    written = []
    for index, (spec, (path, _)) in enumerate(zip(specs, places, strict=True)):
        if (begun := spec.section) is None:
            continue
        where = f"{path}.section"
        if begun.order not in ORDERS:
            remedy = nearest(begun.order, ORDERS)
            allowed = " or ".join(f'"{order}"' for order in ORDERS)
            raise SurveyError(f"{where}.order", got=begun.order, allowed=allowed, remedy=remedy)
        title = write_wording(begun.title, languages, f"{where}.title")
        text = write_wording(begun.text, languages, f"{where}.text", empty=True)
        order = {"order": begun.order} if begun.order != ORDERS[0] else {}
        written.append({"at": index, "title": title, "text": text, **order})
    return written


def write_skips(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition], questions: Sequence[Question]
) -> list[dict[str, Any]]:
    """Write who skips what, by positions of questions and answers.

    >>> from askance_collect.wire.question import read_question
    >>> tea = QuestionSpec("tea", "Tea?", answers=["yes", "no"])
    >>> milk = QuestionSpec("milk", "With milk?", ["yes", "no"], skip=SkipSpec("tea", ["no"]))
    >>> raw = {"kind": "choice", "text": {"en": "?"}, "answers": [
    ...     {"name": name, "label": {"en": name}} for name in ("yes", "no")]}
    >>> read = [read_question(raw | {"name": name}, ["en"]) for name in ("tea", "milk")]
    >>> write_skips([tea, milk], [("question[0]", ""), ("question[1]", "")], read)
    [{'question': 1, 'after': 0, 'answered': [1], 'send': None}]
    """
    written = []
    for index, (spec, (path, _)) in enumerate(zip(specs, places, strict=True)):
        if (skip := spec.skip) is None:
            continue
        where = f"{path}.skip"
        after = _find_earlier(specs, index, skip.after, where)
        _refuse_unknown_answer(questions[index], questions[after], where)
        answered = _find_answers(questions[after], skip, f"{where}.answered")
        sends = skip.send is not None
        send = _find_answer(questions[index], skip.send, f"{where}.send") if sends else None
        _refuse_disclosing_skip(questions[index], questions[after], send, where)
        written.append({"question": index, "after": after, "answered": answered, "send": send})
    return written


def _find_earlier(specs: Sequence[QuestionSpec], index: int, name: str, where: str) -> int:
    """Find the earlier question whose answer a rule depends on."""
    names = [spec.name for spec in specs[:index]]
    if name not in names:
        later = any(spec.name == name for spec in specs)
        below = _describe_circle(specs, index) or "move this question below that one"
        remedy = below if later else nearest(name, names)
        allowed = f"a question above this one: {', '.join(names) or 'none is'}"
        raise SurveyError(f"{where}.after", got=name, allowed=allowed, remedy=remedy)
    after = names.index(name)
    begun = [i for i, spec in enumerate(specs[: index + 1]) if spec.section is not None]
    section = specs[begun[-1]].section if begun else None
    if section is not None and section.order != ORDERS[0] and begun[-1] <= after:
        allowed = "a question that is always asked before: here chance makes the order"
        raise SurveyError(f"{where}.after", got=name, allowed=allowed)
    return after


def _describe_circle(specs: Sequence[QuestionSpec], index: int) -> str:
    """Describe the remedy for circular skip rules; an empty text if there is no circle."""
    after = {spec.name: spec.skip.after for spec in specs if spec.skip is not None}
    chain = [specs[index].name]
    while (name := after.get(chain[-1])) not in {None, *chain}:
        chain.append(str(name))
    if name != chain[0]:
        return ""
    return f"the rules go in a circle, {' after '.join([*chain, name])}: leave one of them out"


def _refuse_unknown_answer(question: Question, after: Question, where: str) -> None:
    """Refuse a rule on an answer that the device does not know, as behind a physical coin."""
    if isinstance(after, FreeText):
        allowed = "a question with answers or a number, whose answers a rule can name"
        raise SurveyError(f"{where}.after", got=f"{after.name}, a text", allowed=allowed)
    if any(isinstance(either, Choice) and either.coin for either in (question, after)):
        allowed = "questions without a coin in the world: the device does not know what it hides"
        raise SurveyError(f"{where}.after", got=after.name, allowed=allowed)
    if isinstance(after, TableQuestion) and not after.is_known_to_device:
        allowed = "a question whose answer the device knows: of a list it knows a number"
        raise SurveyError(f"{where}.after", got=after.name, allowed=allowed)
    is_whole = not isinstance(after, CutsQuestion | RingQuestion) or after.line.integer
    if after.is_known_to_device and is_whole:
        return
    raise SurveyError(
        f"{where}.after",
        got=f"{after.name}, of whose answer the device knows a range",
        allowed="a whole number that is typed in",
        remedy="write typed = true and line = { …, whole = true }, and narrow by no steps",
    )


def _refuse_disclosing_skip(
    question: Question, after: Question, send: int | None, where: str
) -> None:
    """Refuse a skip rule that would reveal a protected answer, or that leaves nothing to send."""
    if not (allowed := leak_remedy(question, after, send)):
        return
    if send is None and question.is_randomised:
        remedy = "write send = …: a protected question sends a report for everybody"
        raise SurveyError(f"{where}.send", got="nothing", allowed=allowed, remedy=remedy)
    raise SurveyError(
        f"{where}.after",
        got=f"{after.name}, which is protected",
        allowed=allowed,
        remedy="what is sent would tell that answer: protect this question too, by a mechanism "
        "whose every report can come from everybody",
    )


def _find_answers(question: Question, skip: SkipSpec, where: str) -> list[int] | dict[str, int]:
    """Find the answers of a rule: by their names, or as the numbers from one to another."""
    assert not isinstance(question, FreeText)  # whose answers no device can know by a rule
    if isinstance(question, Choice | TableQuestion):
        if isinstance(skip.answered, SpanSpec):
            allowed = f"a list of answers to {skip.after}"
            raise SurveyError(where, got="numbers", allowed=allowed)
        named = [_find_answer(question, name, where) for name in skip.answered]
        if not named or len(set(named)) != len(named):
            allowed = f"at least one answer to {skip.after}, each once"
            raise SurveyError(where, got=skip.answered, allowed=allowed)
        return named
    if not isinstance(skip.answered, SpanSpec):
        allowed = "{ from = …, to = … }, or one of the two, of a number"
        raise SurveyError(where, got=skip.answered, allowed=allowed)
    return _find_numbers(question, skip.answered, where)


def _find_numbers(
    question: Number | RangeQuestion, span: SpanSpec, where: str
) -> list[int] | dict[str, int]:
    """Find the answers from one number to another; the ends of long runs only."""
    line = question.line
    low = line.lower if span.from_ is None else _read_number(span.from_, f"{where}.from")
    high = line.upper if span.to is None else _read_number(span.to, f"{where}.to")
    inside, touched = _find_overlapping(question, low, high)
    if inside != touched or not inside or not line.lower <= low <= high <= line.upper:
        allowed = f"numbers from {line.lower} to {line.upper}, in whole steps of {line.step}"
        raise SurveyError(where, got=f"{low} to {high}", allowed=allowed)
    many = len(inside) > _MOST_LISTED
    return {"from": inside[0], "to": inside[-1]} if many else list(inside)


_MOST_LISTED = 1_001
"""Forms of before list every number: those that do stay as they are."""


def _find_overlapping(
    question: Number | RangeQuestion, low: Fraction, high: Fraction
) -> tuple[range, ...]:
    """Find the answers inside an interval, and those that overlap it."""
    first, last = (
        lambda position, end=end: question.number_bounds(position)[end] for end in (0, 1)
    )
    possible = question.possible_answers
    return tuple(
        possible[bisect_left(possible, low, key=begins) : bisect_right(possible, high, key=ends)]
        for begins, ends in ((first, last), (last, first))
    )


def _find_answer(question: Question, written: object, where: str) -> int:
    """Find an answer by its name, or as a number."""
    if isinstance(question, FreeText):
        raise SurveyError(
            where, got=written, allowed="no text to send: people who skip it write none"
        )
    if isinstance(question, Choice | TableQuestion):
        names = [answer.name for answer in question.answers]
        if written not in names:
            remedy = nearest(str(written), names)
            raise SurveyError(where, got=written, allowed=", ".join(names), remedy=remedy)
        return names.index(str(written))
    number, line = _read_number(written, where), question.line
    _, touched = _find_overlapping(question, number, number)
    if touched and not (line.integer and number.denominator > 1):
        return touched[0]
    allowed = f"a number from {line.lower} to {line.upper} that can be answered"
    raise SurveyError(where, got=str(number), allowed=allowed)


def _read_number(written: object, where: str) -> Fraction:
    """Read a number that a survey file gives."""
    try:
        return read_ratio(written, where)
    except AskanceError as error:
        raise SurveyError(where, got=written, allowed="a number") from error


def write_grids(
    specs: Sequence[QuestionSpec],
    places: Sequence[FilePosition],
    names: Names,
    questions: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Write which questions of a form are asked as one grid: items that can be, unless told not to.

    Parameters
    ----------
    specs : sequence of QuestionSpec
        As the survey file has them.
    places : sequence of FilePosition
        Where in it each question of the form stands.
    names : Names
        What the survey leaves to Askance to name, in each of its languages.
    questions : sequence of dict
        The questions as the form has them.

    Raises
    ------
    SurveyError
        If a grid that is asked for has no items, or what needs a screen for each of them.

    >>> tea = QuestionSpec("tea", "How often?", ["daily", "never"], items=["black", "green"])
    >>> places = [("question[0]", "answers")] * 2
    >>> grid, = write_grids([tea], places, {"en": {}}, [{"kind": "choice"}] * 2)
    >>> grid["at"], grid["items"]
    (0, [{'en': 'black'}, {'en': 'green'}])
    """
    written = []
    for index, spec in enumerate(specs):
        where = f"question[{index}]"
        if spec.grid:
            _refuse_grid(spec, where)
        positions = [position for position, (path, _) in enumerate(places) if path == where]
        rows = [questions[position] for position in positions]
        if not spec.grid and not _is_grid(spec, rows):
            continue
        items = [read_label(item, names, where)["label"] for item in spec.items or ()]
        text = write_wording(spec.text, names, f"{where}.text")
        written.append({"at": positions[0], "text": text, "items": items})
    return written


_MOST_ROWS, _MOST_COLUMNS = 10, 5
"""How many items, and answers side by side, a grid has that the survey does not ask for."""


def _is_grid(spec: QuestionSpec, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether items stand in a grid unless the survey says otherwise."""
    if spec.grid is False or spec.items is None or spec.answers is None or spec.choose is not None:
        return False
    is_small = len(rows) <= _MOST_ROWS and len(spec.answers) <= _MOST_COLUMNS
    needs_screens = any({"groups", "piped"} & set(row) for row in rows) or _own_screen_keys(spec)
    return is_small and not needs_screens


def _refuse_grid(spec: QuestionSpec, where: str) -> None:
    """Refuse a grid that is asked for where there can be none."""
    if spec.items is None or spec.answers is None or spec.choose is not None:
        got = "no items" if spec.items is None else "items without answers to choose one of"
        allowed = "grid = true beside items and answers, with one answer chosen for each item"
        raise SurveyError(f"{where}.grid", got=got, allowed=allowed)
    if present := _own_screen_keys(spec):
        remedy = f"leave grid or {present[0]} out"
        raise SurveyError(
            f"{where}.grid", got=f"a grid beside {present[0]}", allowed="none", remedy=remedy
        )


def _own_screen_keys(spec: QuestionSpec) -> list[str]:
    """Name the keys of a question for which each of its items needs a screen of its own."""
    beside = {
        "coin": spec.coin is not None,
        "group": spec.group is not None,
        "comment": spec.comment is not None,
        "image": spec.has_image,
    }
    return [key for key, is_there in beside.items() if is_there]


def write_quotas(
    quotas: Sequence[QuotaSpec], questions: Sequence[Question]
) -> list[dict[str, Any]]:
    """Write how many people are wanted who give an answer, by positions.

    Raises
    ------
    SurveyError
        If that is no answer which reports tell: of a protected question they do not.

    >>> from askance_collect.wire import Choice, Label
    >>> tea = Choice("tea", {}, (Label("yes", {}), Label("no", {})))
    >>> write_quotas([QuotaSpec("tea", "no", 200)], [tea])
    [{'question': 0, 'answer': 1, 'most': 200}]
    """
    written: list[dict[str, Any]] = []
    names = [question.name for question in questions]
    for index, quota in enumerate(quotas):
        where = f"quota[{index}]"
        if quota.question not in names:
            remedy, allowed = nearest(quota.question, names), ", ".join(names)
            raise SurveyError(
                f"{where}.question", got=quota.question, allowed=allowed, remedy=remedy
            )
        question = questions[position := names.index(quota.question)]
        if not isinstance(question, Choice) or question.coin is not None:
            raise SurveyError(
                f"{where}.question",
                got=f"{quota.question}, which is no choice that is asked plainly",
                allowed="a question that is asked plainly, with answers",
                remedy="reports do not show who gave a protected answer: count by another question",
            )
        answer = _find_answer(question, quota.answer, f"{where}.answer")
        if not 0 <= quota.most <= LARGEST_QUOTA:
            allowed = f"a number of people in [0, {LARGEST_QUOTA}]; 0 screens out"
            raise SurveyError(f"{where}.most", got=quota.most, allowed=allowed)
        if any((other["question"], other["answer"]) == (position, answer) for other in written):
            raise SurveyError(where, got=f"{quota.answer!r} again", allowed="one quota each")
        written.append({"question": position, "answer": answer, "most": quota.most})
        screened = [
            entry for entry in written if entry["question"] == position and not entry["most"]
        ]
        if len(screened) == len(question.answers):
            raise SurveyError(
                f"{where}.most",
                got=f"0, as for every answer to {quota.question}",
                allowed="an answer with which people may take part",
            )
    return written


def write_ending(survey: Survey, languages: Sequence[str]) -> dict[str, Any] | None:
    """Write the last screen: its thanks, and the panel's address to return to.

    >>> from askance.survey.survey_file import load_survey
    >>> survey = load_survey("examples/affairs.toml")
    >>> write_ending(survey, ["en"]) is None
    True
    """
    if (ending := survey.ending) is None:
        return None
    fields = _write_redirect(ending, survey, languages, "ending")
    if ending.within is not None:
        fields["within"] = ending.within
    most = [quota.most for quota in survey.quota or ()]
    for name, redirect, has_quota, needed in (
        ("full", ending.full, any(most), "most = 1 or more"),
        ("screened", ending.screened, 0 in most, "most = 0"),
    ):
        if redirect is None:
            continue
        where = f"ending.{name}"
        if not has_quota:
            got, allowed = f"no quota with {needed}", f"a [[quota]] with {needed}"
            raise SurveyError(where, got=got, allowed=allowed, remedy=f"or leave {name} out")
        written = _write_redirect(redirect, survey, languages, where)
        _need_other_outcome(written, fields, where)
        fields[name] = written
    return fields


def _write_redirect(
    redirect: EndingSpec | RedirectSpec, survey: Survey, languages: Sequence[str], where: str
) -> dict[str, Any]:
    """Write the thanks, the code and the way back of one outcome of a visit."""
    fields: dict[str, Any] = {"code": redirect.code, "url": redirect.url}
    if redirect.thanks is not None:
        fields["thanks"] = write_wording(redirect.thanks, languages, f"{where}.thanks")
    host = host_of(survey.collector)
    if host and host == host_of(redirect.url or ""):
        remedy = "the collector would learn who sent a report: lead to another host"
        raise SurveyError(
            f"{where}.url", got=redirect.url, allowed="an address elsewhere", remedy=remedy
        )
    return {key: part for key, part in fields.items() if part is not None}


def _need_other_outcome(written: Mapping[str, Any], others: Mapping[str, Any], where: str) -> None:
    """Check that the code and the address of an outcome belong to no other outcome."""
    outcomes = [others, *(others[name] for name in ("full", "screened") if name in others)]
    for key in ("code", "url"):
        if key in written and any(outcome.get(key) == written[key] for outcome in outcomes):
            raise SurveyError(
                f"{where}.{key}",
                got=f"{written[key]} again",
                allowed="one of its own for each outcome",
                remedy="otherwise a panel pays people who were turned away, or nobody",
            )


def write_review(review: str | None, questions: Sequence[Question]) -> str | None:
    """Write whether everybody reviews the report before sending; needed where reports may be false.

    >>> write_review("open", []) is None
    True
    """
    if review is None:
        return None
    if review not in REVIEWS:
        allowed = " or ".join(f'"{choice}"' for choice in REVIEWS)
        remedy = nearest(review, REVIEWS)
        raise SurveyError("review", got=review, allowed=allowed, remedy=remedy)
    on_request, _ = REVIEWS
    if may_be_untrue(questions):
        return None if review == on_request else review
    if review == on_request:
        raise SurveyError(
            "review",
            got=review,
            allowed='"open": all that is sent is true here, and everybody is shown it',
            remedy="leave review out",
        )
    return None


_DAYS = 14


def write_days(later: bool | int) -> int | None:
    """Write for how many days people may go on later on the same device, if they may.

    Raises
    ------
    SurveyError
        If that is no number of days for which a device keeps anything.

    >>> write_days(True), write_days(30), write_days(False)
    (14, 30, None)
    """
    if isinstance(later, bool):
        return _DAYS if later else None
    if 1 <= later <= MOST_DAYS:
        return later
    allowed = f"true, which is {_DAYS} days, or 1 to {MOST_DAYS} days"
    remedy = "leave later out where nobody is to go on later" if later < 1 else ""
    raise SurveyError("later", got=later, allowed=allowed, remedy=remedy)


_FOR_A_NETWORK = {
    "later": "a visit is never stored on a shared device: leave later out",
    "quota": "a device without a network cannot know when a quota is full: count at the doors, or "
    "leave quota out",
    "tokens": "a code is exchanged over the network, by one person: leave tokens out",
    "open": "a stamp is for a challenge that the collector hands out: leave open out",
    "ending.url": "nobody goes back to a panel from an interviewer's device: leave url out",
    "ending.within": "an interviewer carries the page itself: leave within out",
    "pin": "a tablet keeps its page already: leave pin out",
}
"""What goes with no tablet, by its name in a survey file, and why."""


def write_device(survey: Survey) -> dict[str, Any]:
    """Write for how long people may go on later on a device, or that an interviewer carries it.

    Raises
    ------
    SurveyError
        If the survey has what needs a network, or a device of one's own.

    >>> from askance.survey.survey_file import load_survey
    >>> write_device(load_survey("examples/affairs.toml"))
    {'later': None, 'pin': None}
    """
    if not survey.tablet:
        return {"later": write_days(survey.later), "pin": _is_pinned(survey) or None}
    ending = survey.ending
    present = {
        "later": survey.later is not False,
        "quota": bool(survey.quota),
        "tokens": survey.tokens is not None,
        "open": survey.open is not None,
        "ending.url": ending is not None and ending.url is not None,
        "ending.within": ending is not None and ending.within is not None,
        "pin": survey.pin,
    }
    for where, remedy in _FOR_A_NETWORK.items():
        if present[where]:
            allowed = "no such thing beside tablet = true"
            raise SurveyError(where, allowed=allowed, remedy=remedy)
    return {"tablet": True}


def write_saved(survey: Survey) -> bool | None:
    """Write whether saved pages may post, which have to know where.

    Raises
    ------
    SurveyError
        If the survey names no collector.

    >>> from askance.survey.survey_file import load_survey
    >>> write_saved(load_survey("examples/affairs.toml"))
    """
    if survey.saved and not survey.collector:
        allowed = "saved = true beside a collector"
        remedy = 'say where saved pages post: collector = "https://example.org/survey/"'
        raise SurveyError("saved", got="no collector", allowed=allowed, remedy=remedy)
    return survey.saved or None


def _is_pinned(survey: Survey) -> bool:
    """Whether the browser pins the page that it first opened; refused inside another page."""
    if survey.pin and survey.ending is not None and survey.ending.within is not None:
        allowed = "no such thing beside pin = true"
        remedy = "browsers keep nothing for a page within another one: leave within or pin out"
        raise SurveyError("ending.within", allowed=allowed, remedy=remedy)
    return survey.pin
