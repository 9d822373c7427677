"""What each respondent risks, and how precise the answers will be: computed on the form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from askance.arguments import checked
from askance.exact.ratio import whole
from askance.privacy.guarantee import EVENLY, Guarantee
from askance.survey.deployed import AbstractDeployed, Moved, ReportPreview, said
from askance.survey.publish import DeployedForm, together, traits_of
from askance.wire.form import Form

SIZES = (100, 1_000, 10_000)


@final
@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    """What one question of a form gives away and tells, as deployed.

    Attributes
    ----------
    name, text, kind : str
    words : tuple of str
        What is sent, in plain sentences.
    guarantees : tuple of Guarantee
    precision : tuple of (int, str)
        For some numbers of reports the half-width of a 95 % interval.
    preview : ReportPreview or None
        What a report will look like, where it never lies.
    spread : str
        How common answers are taken to be: in every figure about this question.
    protection : str
        The strongest thing to say about one report, in a sentence.
    manipulation : Moved or None
        How far false reports move what is published; None where nothing bounds it.
    by_answer : bool
        Whether the words can be a sentence for each answer.

    >>> import askance as ak
    >>> found = ak.check(ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "warner", truth = "3/4" }
    ... ''')))
    >>> first: ak.survey.CheckedQuestion = found.questions[0]
    >>> first.name, first.guarantees[0].notion.name
    ('tea', 'LOCAL')
    """

    name: str
    text: str
    kind: str
    words: tuple[str, ...]
    guarantees: tuple[Guarantee, ...]
    precision: tuple[tuple[int, str], ...]
    preview: ReportPreview | None = None
    spread: str = EVENLY
    protection: str = ""
    manipulation: Moved | None = None
    by_answer: bool = False


@final
@dataclass(frozen=True, slots=True)
class CheckedTrait:
    """What several questions about one trait give away together.

    Attributes
    ----------
    name : str
    questions : tuple of str
    guarantees : tuple of Guarantee
        Empty where nothing bounds what they tell together.

    >>> from askance.survey import CheckedTrait
    >>> CheckedTrait("fidelity", ("affair", "desire"), ()).questions
    ('affair', 'desire')
    """

    name: str
    questions: tuple[str, ...]
    guarantees: tuple[Guarantee, ...]


@final
@dataclass(frozen=True, slots=True)
class Check:
    """What a form does to those who answer it."""

    title: str
    fingerprint: str
    questions: tuple[CheckedQuestion, ...]
    traits: tuple[CheckedTrait, ...]
    warnings: tuple[str, ...]


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
    >>> judged = check(publish(load_survey("examples/affairs.toml")))
    >>> judged.questions[3].words[-1]
    'What is sent is always true.'
    """
    return judged(DeployedForm.of(form), sizes)


def judged(deployed: DeployedForm, sizes: Sequence[int] = SIZES) -> Check:
    """Judge a form whose questions are built already."""
    sizes = [whole(n, "check.sizes", "numbers of people in [1, ∞)") for n in sizes]
    form, questions = deployed.form, deployed.questions
    guarantees = {one.question.name: one.guarantees for one in questions}
    traits = tuple(
        CheckedTrait(trait, names, together([guarantees[name] for name in names]))
        for trait, names in traits_of(form).items()
    )
    return Check(
        form.document["title"][deployed.language],
        form.fingerprint,
        tuple(_judged(one, sizes) for one in questions),
        traits,
        _warnings(deployed),
    )


def _judged(one: AbstractDeployed, sizes: Sequence[int]) -> CheckedQuestion:
    n = sizes[len(sizes) // 2] if sizes else SIZES[1]
    widths = one.precision(sizes)
    return CheckedQuestion(
        one.question.name,
        said(one.question.text),
        one.question.kind,
        one.sentences(),
        one.guarantees,
        tuple(zip(sizes, widths, strict=True)) if widths else (),
        one.preview(),
        one.spread,
        one.protection(),
        one.moved(max(n // 10, 1), n),
        one.by_answer,
    )


def _warnings(deployed: DeployedForm) -> tuple[str, ...]:
    questions = deployed.questions
    told = [one.blank_warning for one in questions] + [one.mean_warning for one in questions]
    told = [*filter(None, told), *deployed.rounding_notes]
    if plain := [one.question.name for one in questions if not one.guarantees]:
        told.append(
            f"Asked plainly, and kept as given: {', '.join(plain)}. Together with other answers "
            "they can single a person out in a small population."
        )
    return tuple(told)
