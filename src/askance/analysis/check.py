"""Check a form before it is asked: what each respondent risks, and how precise answers will be."""

from collections.abc import Iterator, Sequence

from askance.analysis.form_notes import write_notes
from askance.analysis.form_results import Check, CheckedQuestion, CheckedTrait
from askance.analysis.question_analysis import (
    AbstractQuestionAnalysis,
    RangesAnalysis,
    prepare_analysis,
)
from askance.privacy.crowd import RowCrowd
from askance.privacy.evidence import question_evidence
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.population import joint_posterior
from askance.survey.deployed import (
    DeployedForm,
    DeployedQuestion,
    led_by_ranges,
    minimum_of,
    together,
    traits_of,
)
from askance.survey.question_risk import (
    accepted_reason,
    describe_joint_posterior,
    describe_risk,
    describe_worst_case,
    question_risk,
)
from askance.survey.row_crowd import describe_texts, row_crowd, summarise_crowd, warn_of_crowd
from askance_collect.arguments import checked
from askance_collect.exact.ratio import read_integer
from askance_collect.respond.words import spoken_in, words_of
from askance_collect.wire.canonical_json import describe_difference, fold
from askance_collect.wire.form import Form, unpiped
from askance_collect.wire.form_schema import Label, in_first_language
from askance_collect.wire.question import Choice, FreeText, Question, TableQuestion

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
    'The report is always true.'
    """
    return check_deployed(DeployedForm.of(form), sizes)


def check_deployed(deployed: DeployedForm, sizes: Sequence[int] = SIZES) -> Check:
    """Judge a form whose questions are built already."""
    sizes = [read_integer(n, "check.sizes", "numbers of people in [1, ∞)") for n in sizes]
    form, questions, guarantees = deployed.form, deployed.questions, deployed.guarantees
    crowd = row_crowd(form, guarantees)
    notes = write_notes(deployed)
    analyses = [prepare_analysis(question) for question in questions]
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
    risk = describe_joint_posterior(joint, questions)
    return CheckedTrait(trait, names, guarantees, risk, joint)


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
        precision_population=analysis.precision_population,
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
    warnings += dict.fromkeys(_warn_of_look_alikes(deployed.form))
    if plain := _kept_as_given(questions):
        asked_plainly = f"Asked directly and stored as given: {', '.join(plain)}."
        warnings.append(" ".join((asked_plainly, *summarise_crowd(crowd))))
        warnings += warn_of_crowd(crowd)
    choices = [
        question.question.name
        for question in questions
        if isinstance(question.question, Choice) and not question.guarantees
    ]
    if choices and (minimum := minimum_of(deployed.form)) > 1:
        warnings.append(
            f"Groups by {' or '.join(choices)} with fewer than {minimum:,} reports are withheld, "
            "and so is any group that would reveal one of these. Decide now which to merge "
            "(`--collapse`)."
        )
    protected = [question.question.name for question in questions if question.guarantees]
    if forced := [name for name in protected if name in deployed.form.required_questions]:
        warnings.append(
            f"Required, although protected: {', '.join(forced)}. People who would rather not "
            "answer can only answer falsely or leave the survey; both bias the estimate."
        )
    is_apart = deployed.form.keeps_apart
    warnings += _note_sealed_texts(questions)
    warnings += _warn_of_texts(questions, is_apart=is_apart) or describe_texts(crowd)
    if is_apart:
        warnings.append(_KEPT_APART.format(", ".join(protected)))
    return tuple(warnings)


_KEPT_APART = (
    "Stored separately (`apart = true`): {} in one store, all other answers in another, and "
    "nothing in them says which belong together. So no estimate combines the two: a protected "
    "answer cannot be grouped by a plain one or regressed on it. The collector receives both at "
    "once."
)
_TEXT_STORE = {
    False: "The operator of the collector has the text beside the protected reports. Ask for texts "
    "in a separate survey, store them separately (`apart = true`), or leave them out.",
    True: (
        "The collector receives the text with the protected reports and stores it with the plain "
        "answers."
    ),
}
"""Where texts are kept, by whether protected and plain answers are kept apart."""
_SEALED_TEXTS = (
    "The device encrypts texts ({}): the operator of the collector cannot read them. The holder of "
    "the study's key can, and a text can identify its writer."
)


def _is_sealed(question: DeployedQuestion) -> bool:
    """Say whether a device encrypts what is written."""
    return isinstance(question.question, FreeText) and question.question.is_sealed


def _kept_as_given(questions: Sequence[DeployedQuestion]) -> list[str]:
    """List the questions whose answers are stored unprotected."""
    return [
        question.question.name
        for question in questions
        if not question.guarantees and not _is_sealed(question)
    ]


def _note_sealed_texts(questions: Sequence[DeployedQuestion]) -> list[str]:
    """Say which texts the device encrypts, and who can read them."""
    sealed = [question.question.name for question in questions if _is_sealed(question)]
    return [_SEALED_TEXTS.format(", ".join(sealed))] if sealed else []


def _warn_of_texts(questions: Sequence[DeployedQuestion], *, is_apart: bool) -> list[str]:
    """Warn that free texts can reveal protected answers."""
    texts = [
        question.question.name
        for question in questions
        if isinstance(question.question, FreeText) and not _is_sealed(question)
    ]
    if not texts or not any(question.guarantees for question in questions):
        return []
    return [
        f"Texts can identify their writers and reveal protected answers: {', '.join(texts)}. "
        f"{_TEXT_STORE[is_apart]}",
    ]


def _warn_of_proofs(form: Form) -> Iterator[str]:
    """Warn of proofs without a declared reason, and of declared reasons without a proof."""
    for question in form.questions:
        reason, evidence = accepted_reason(question), question_evidence(question)
        proofs = evidence.harmful_proofs
        if proofs and not reason:
            yield f"{question.name}: a report can prove an answer, and the survey gives no reason."
        if reason and not evidence.is_protected:
            yield (
                f"{question.name}: reports reveal every answer, although a mechanism seems to "
                "protect them. Remove mechanism, proves and the reason, or change the chances."
            )
        elif reason and not proofs:
            yield f"{question.name}: no report proves an answer; remove proves and the reason."


def _warn_of_look_alikes(form: Form) -> Iterator[str]:
    """Warn of answers that readers may confuse with each other or with the page's own words."""
    for question in form.questions:
        for labels in _list_labels(question):
            names = [label.name for label in labels]
            for pair in _pair_look_alikes(names):
                name, other = sorted(pair, key=len)
                more = describe_difference(other, name)
                yield f"{question.name}: {other!a} looks like {name!r}, but has {more}."
            for language in form.languages:
                texts = [label.wording[language] for label in labels]
                words = words_of(spoken_in(language))
                own = [str(words[word]) for word in _NO_ANSWER if word in words]
                for text, other in _pair_look_alikes([*texts, *own]):
                    whose = "the page's own" if other in own else "another answer,"
                    yield f"{question.name}, {language}: {text!r} looks like {whose} {other!r}."


_NO_ANSWER = ("rather", "unanswered")
"""What the page offers beside the answers, and says where none was given."""


def _list_labels(question: Question) -> list[tuple[Label, ...]]:
    """List the answers of a question, and its reports, where they are named."""
    if isinstance(question, TableQuestion):
        return [question.answers, question.reports]
    return [question.answers] if isinstance(question, Choice) else []


def _pair_look_alikes(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pair each text with the earlier text that readers may confuse with it."""
    first: dict[str, str] = {}
    for text in texts:
        known = first.setdefault(fold(text), text)
        if known is not text:
            yield known, text
