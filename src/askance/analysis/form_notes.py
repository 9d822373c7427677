"""Notes on a form's questions: sections, lists, routing, attention checks and quotas."""

from collections.abc import Sequence
from itertools import chain

from askance.survey.deployed import DeployedForm
from askance.survey.multi_select import describe_item_losses
from askance.survey.report_preview import describe_number, format_number
from askance_collect.errors import FormError
from askance_collect.wire.form import Form, piped_names
from askance_collect.wire.question import Choice, FreeText, Question, TableQuestion


def find_right_answers(form: Form) -> dict[str, int]:
    """The position of the right answer of each question that checks attention.

    Raises
    ------
    FormError
        If what the form says about attention names no answers of its plain questions.

    >>> from askance.survey import load_survey, publish
    >>> find_right_answers(publish(load_survey("examples/affairs.toml")))
    {}
    """
    declared, positions = form.document["about"].get("attention", {}), {}
    for question in form.questions if isinstance(declared, dict) else ():
        if question.name in declared and isinstance(question, Choice) and question.coin is None:
            names = [answer.name for answer in question.answers]
            if declared[question.name] in names:
                positions[question.name] = names.index(declared[question.name])
    if not isinstance(declared, dict) or set(positions) != set(declared):
        allowed = "an object: for a plain question the name of its right answer"
        raise FormError("about.attention", allowed=allowed)
    return positions


def write_notes(deployed: DeployedForm) -> list[tuple[str, ...]]:
    """Describe each question's list losses, routing, attention check and quota in sentences."""
    form = deployed.form
    notes = [_note_section(form, index) for index in range(len(form.questions))]
    for checklist in form.checklists:
        losses = describe_item_losses(
            len(checklist.items), deployed.questions[checklist.first_question].guarantees
        )
        for index in checklist.question_positions:
            notes[index] = (*losses, *notes[index])
    names = [question.name for question in form.questions]
    for name, right in find_right_answers(form).items():
        index = names.index(name)
        (answer,) = _name_answers(form.questions[index], [right])
        notes[index] = (*notes[index], _CHECKS.format(answer))
    needed = form.required_questions
    notes = [
        (*sentences, _NEEDED) if question.name in needed else sentences
        for question, sentences in zip(form.questions, notes, strict=True)
    ]
    for quota in form.quotas:
        (answer,) = _name_answers(form.questions[quota.question], [quota.answer])
        sentence = _QUOTA if quota.maximum else _SCREENED
        full = sentence.format(f"{quota.maximum:,}", answer)
        notes[quota.question] = (*notes[quota.question], full)
    for index, count in _count_in_vain(form).items():
        notes[index] = (*notes[index], _IN_VAIN.format(count, "" if count == 1 else "s"))
    for skip in form.skips:
        question, earlier = form.questions[skip.question], form.questions[skip.after]
        send = "nothing"
        if skip.send is not None:
            drawn = "a report drawn from " if question.is_randomised else ""
            send = f"{drawn}“{_name_answers(question, [skip.send])[0]}”"
        answers = " or ".join(f"“{answer}”" for answer in _name_answers(earlier, skip.answered))
        notes[skip.question] = (
            *notes[skip.question],
            f"Not asked after {answers} to {earlier.name}: {send} is sent.",
        )
    return notes


def _note_section(form: Form, index: int) -> tuple[str, ...]:
    """Note that a question begins a randomly ordered section, or shows an earlier answer."""
    document, notes = form.document, []
    sections = document.get("sections", ())
    ends = [*(section["at"] for section in sections[1:]), len(form.questions)]
    for section, end in zip(sections, ends, strict=True) if sections else ():
        if section["at"] == index and "order" in section and end > index + 1:
            notes.append(_ORDER.format(section["title"][form.languages[0]], end - index))
    question = document["questions"][index]
    if "piped" in question:
        names = dict.fromkeys(chain.from_iterable(map(piped_names, question["text"].values())))
        notes.append(_PIPED.format(" and ".join(names)))
    return tuple(notes)


def _count_in_vain(form: Form) -> dict[int, int]:
    """Count the questions that people answer before the one that can turn them away."""
    turning = {quota.question for quota in form.quotas}
    counts = {index: index - sum(other < index for other in turning) for index in turning}
    return {index: count for index, count in sorted(counts.items()) if count}


_NEEDED = "An answer is required: the question cannot be left out."
_ORDER = (
    "It begins section “{}”: each device asks its {} questions in a random order, which is not "
    "sent. This averages out order effects, which nobody can then study."
)

_PIPED = (
    "Its text shows the answer to {}, so anyone who sees the screen can read that answer. The "
    "device inserts it and sends nothing for it."
)

_QUOTA = (
    "Once {} reports say “{}”, people with this answer are turned away, and nothing is sent. "
    "People who began before that still count."
)

_SCREENED = "People who answer “{1}” are asked nothing more, and nothing is sent."
_IN_VAIN = (
    "People who are turned away here have answered {} question{} in vain: put this question at the "
    "beginning."
)

_CHECKS = (
    "Attention check: the right answer is “{}”. The device ignores it; estimates are made with and "
    "without the people who fail it."
)


def _name_answers(question: Question, answers: Sequence[int]) -> list[str]:
    """Name answers by name, or runs of consecutive numbers by first and last."""
    if isinstance(question, Choice | TableQuestion):
        return [question.answers[answer].name for answer in answers]
    assert not isinstance(question, FreeText)  # no rule names what somebody writes
    runs = [answers] if isinstance(answers, range) else _split_runs(answers)
    ends = ((question.number_bounds(run[0])[0], question.number_bounds(run[-1])[1]) for run in runs)
    spans = ((" to ".join(dict.fromkeys(map(format_number, pair))), pair[1]) for pair in ends)
    return [describe_number(question, last, f"{span} {{}}".format) for span, last in spans]


def _split_runs(numbers: Sequence[int]) -> list[Sequence[int]]:
    """Group integers into maximal runs of consecutive values."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [*runs]
