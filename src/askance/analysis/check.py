"""Check a form before it is asked: what each respondent risks, and how precise answers will be."""

from collections.abc import Iterator, Sequence
from itertools import chain

from askance.analysis.form_results import Check, CheckedQuestion, CheckedTrait
from askance.analysis.question_analysis import (
    AbstractQuestionAnalysis,
    RangesAnalysis,
    prepare_analysis,
)
from askance.privacy.crowd import RowCrowd
from askance.privacy.evidence import question_evidence
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.joint_posterior import joint_posterior
from askance.survey.declared_crowd import describe_crowd, row_crowd, warn_of_crowd
from askance.survey.declared_risks import accepted_reason
from askance.survey.deployed import (
    DeployedForm,
    DeployedQuestion,
    led_by_ranges,
    together,
    traits_of,
)
from askance.survey.multi_select import describe_item_losses
from askance.survey.question_risk import (
    describe_joint_posterior,
    describe_risk,
    describe_worst_case,
    question_risk,
)
from askance.survey.random_ranges import format_number
from askance_collect.arguments import checked
from askance_collect.errors import FormError
from askance_collect.exact.ratio import read_integer
from askance_collect.wire.form import Form, piped_names, unpiped
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import Choice, Question, TableQuestion
from askance_collect.wire.text_question import FreeText


def minimum_of(form: Form) -> int:
    """Read the minimum number of reports for which a form's author shows an estimate.

    Raises
    ------
    FormError
        If that is no whole number.
    """
    least = form.document["about"].get("minimum", 1)
    if type(least) is not int:
        raise FormError("about.minimum", got=least, allowed="a whole number of reports")
    return least


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
        full = _QUOTA.format(f"{quota.maximum:,}", answer)
        notes[quota.question] = (*notes[quota.question], full)
    for skip in form.skips:
        question, earlier = form.questions[skip.question], form.questions[skip.after]
        send = "nothing"
        if skip.send is not None:
            send = f"“{_name_answers(question, [skip.send])[0]}”, as any answer,"
        answers = " or ".join(f"“{answer}”" for answer in _name_answers(earlier, skip.answered))
        notes[skip.question] = (
            *notes[skip.question],
            f"Not asked of whoever answers {answers} to {earlier.name}: {send} is sent for them.",
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


_ORDER = (
    "It begins section “{}”: each device asks the {} questions of it in an order by chance, which "
    "is not sent. That averages out what comes of standing first, and nobody can study it."
)


_PIPED = (
    "What was answered to {} stands in its text, where whoever looks at the screen can read it; "
    "the device puts it there, and nothing is sent for it."
)


_QUOTA = (
    "Once {} reports say “{}”, whoever answers so is turned away, and nothing is sent. Who began "
    "before that is counted too."
)


_CHECKS = (
    "It checks attention: “{}” is right. That decides nothing on the device; estimates are made "
    "with those who fail and without."
)


_NEEDED = "An answer is required: the page offers none to leave it out."


def _name_answers(question: Question, answers: Sequence[int]) -> list[str]:
    """Name answers by name, or runs of consecutive numbers by first and last."""
    if isinstance(question, Choice | TableQuestion):
        return [question.answers[answer].name for answer in answers]
    assert not isinstance(question, FreeText)  # no rule names what somebody writes
    runs = [answers] if isinstance(answers, range) else _split_runs(answers)
    ends = ((question.number_bounds(run[0])[0], question.number_bounds(run[-1])[1]) for run in runs)
    spans = (dict.fromkeys(map(format_number, pair)) for pair in ends)
    return [f"{' to '.join(span)} {in_first_language(question.unit)}".rstrip() for span in spans]


def _split_runs(numbers: Sequence[int]) -> list[Sequence[int]]:
    """Group integers into maximal runs of consecutive values."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [*runs]


SIZES = (100, 1_000, 10_000)


@checked
def check(form: Form, sizes: Sequence[int] = SIZES) -> Check:
    """Judge every question of a form, and questions about one trait together.

    Parameters
    ----------
    form : Form
    sizes : sequence of int
        Numbers of reports to give the precision for.

    >>> from askance.survey.survey_file import load_survey
    >>> from askance.survey.publish import publish
    >>> checked_form = check(publish(load_survey("examples/affairs.toml")))
    >>> checked_form.questions[3].sentences[-1]
    'What is sent is always true.'
    """
    return check_deployed(DeployedForm.of(form), sizes)


def check_deployed(deployed: DeployedForm, sizes: Sequence[int] = SIZES) -> Check:
    """Judge a form whose questions are built already."""
    sizes = [read_integer(n, "check.sizes", "numbers of people in [1, ∞)") for n in sizes]
    form, questions, crowd = deployed.form, deployed.questions, row_crowd(deployed)
    notes = write_notes(deployed)
    analyses = [prepare_analysis(question) for question in questions]
    guarantees = {question.question.name: question.guarantees for question in questions}
    led = led_by_ranges(form)
    traits = tuple(
        _check_trait(
            form,
            trait,
            names,
            together([guarantees[name] for name in names], led_by_range=not led.isdisjoint(names)),
        )
        for trait, names in traits_of(form).items()
    )
    return Check(
        title=form.document["title"][deployed.language],
        fingerprint=form.fingerprint,
        questions=tuple(
            _check_question(analysis, published, sizes, question_notes)
            for analysis, published, question_notes in zip(
                analyses, form.questions, notes, strict=True
            )
        ),
        traits=traits,
        warnings=_list_warnings(deployed, analyses, crowd),
        crowd=crowd,
    )


def _check_trait(
    form: Form, trait: str, names: tuple[str, ...], guarantees: tuple[Guarantee, ...]
) -> CheckedTrait:
    losses = (guarantee.value for guarantee in guarantees if guarantee.notion is Notion.LOCAL)
    questions = [form.question(name) for name in names]
    joint = joint_posterior(questions, next(losses, None))
    told = describe_joint_posterior(joint, questions)
    return CheckedTrait(trait, names, guarantees, told, joint)


def _check_question(
    analysis: AbstractQuestionAnalysis,
    published: Question,
    sizes: Sequence[int],
    notes: tuple[str, ...],
) -> CheckedQuestion:
    question, risk = analysis.deployed, question_risk(published)
    n = sizes[len(sizes) // 2] if sizes else SIZES[1]
    widths = analysis.precision(sizes)
    return CheckedQuestion(
        name=question.question.name,
        text=unpiped(in_first_language(question.question.text)),
        kind=question.question.kind,
        sentences=(*question.sentences(), *notes),
        guarantees=question.guarantees,
        precision=tuple(zip(sizes, widths, strict=True)) if widths else (),
        preview=question.preview(),
        assumed_population=question.assumed_population,
        protection=question.protection(),
        manipulation=analysis.bound_poisoning(max(n // 10, 1), n),
        by_answer=question.by_answer,
        answer_sentences=question.answer_sentences(),
        risk=risk,
        risks=describe_risk(risk),
        worst_case=describe_worst_case(risk),
        accepted=accepted_reason(published) if risk.evidence.harmful_proofs else "",
    )


def _list_warnings(
    deployed: DeployedForm, analyses: Sequence[AbstractQuestionAnalysis], crowd: RowCrowd
) -> tuple[str, ...]:
    questions = deployed.questions
    numbers = [analysis for analysis in analyses if isinstance(analysis, RangesAnalysis)]
    warnings = [analysis.deployed.blank_warning for analysis in numbers]
    warnings += [analysis.mean_warning for analysis in numbers]
    warnings = [*filter(None, warnings), *deployed.rounding_notes]
    warnings += _warn_of_proofs(deployed.form)
    if plain := [question.question.name for question in questions if not question.guarantees]:
        warnings.append(f"Asked plainly, and kept as given: {', '.join(plain)}.")
        warnings += [*describe_crowd(crowd), *warn_of_crowd(crowd)]
    choices = [
        question.question.name
        for question in questions
        if isinstance(question.question, Choice) and not question.guarantees
    ]
    if choices and (minimum := minimum_of(deployed.form)) > 1:
        warnings.append(
            f"Groups by {' or '.join(choices)} with fewer than {minimum:,} reports are withheld, "
            "and any that would reveal such a group. Decide now which to merge (`--collapse`)."
        )
    needed = deployed.form.required_questions
    if forced := [
        question.question.name
        for question in questions
        if question.guarantees and question.question.name in needed
    ]:
        warnings.append(
            f"Required, though protected: {', '.join(forced)}. Whoever would rather not answer can "
            "only answer falsely, or leave the survey; both bend the estimate."
        )
    warnings += _warn_of_texts(questions)
    return tuple(warnings)


def _warn_of_texts(questions: Sequence[DeployedQuestion]) -> list[str]:
    """Warn of free texts beside protected questions: a text can reveal a protected answer."""
    texts = [
        question.question.name for question in questions if isinstance(question.question, FreeText)
    ]
    if not texts or not any(question.guarantees for question in questions):
        return []
    return [
        f"What people write can name them, and tell what chance hides: {', '.join(texts)}. "
        "Whoever runs the collector holds it in one report with what is protected. Ask for "
        "texts in a survey of their own, or leave them out."
    ]


def _warn_of_proofs(form: Form) -> Iterator[str]:
    """Warn of proofs without a reason, and of reasons without a proof."""
    for question in form.questions:
        reason, proofs = accepted_reason(question), question_evidence(question).harmful_proofs
        if proofs and not reason:
            yield f"{question.name}: what is sent can prove an answer, and no reason is given."
        if reason and not proofs:
            yield f"{question.name}: no report proves an answer; leave proves and its reason out."
