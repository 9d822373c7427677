"""What each respondent risks, and how precise the answers will be: computed on the form."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.range_channel import RangeChannel
from askance.design.precision import half_width
from askance.design.report_variance import half_widths
from askance.exact.ratio import whole
from askance.inference.line.line_information import identified
from askance.privacy.guarantee import EVENLY, Guarantee, Notion, cautious, meaning
from askance.survey.deployed import (
    channel_of,
    guarantees_of,
    range_channel_of,
    rounding_told,
    spread_of,
    step_shares,
    traits_of,
)
from askance.survey.outlook import Outlook, outlook, warnings_of
from askance.survey.publish import together
from askance.survey.words import Moved, figure, moved, sentences
from askance.wire.form import Form
from askance.wire.question import (
    Choice,
    CutsQuestion,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
)

SIZES = (100, 1_000, 10_000)


@final
@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    """One question as deployed.

    Attributes
    ----------
    name, text, kind : str
    words : tuple of str
        What is sent, in plain sentences.
    guarantees : tuple of (str, str, str)
        Label, figure and meaning of each guarantee.
    precision : tuple of (int, str)
        For some numbers of reports the half-width of a 95 % interval.
    outlook : Outlook or None
        What a report will look like, where it never lies.
    spread : str
        How common answers are taken to be: in every figure about this question.
    protection : str
        The strongest thing to say about one report, in a sentence.
    manipulation : Moved or None
        How far false reports move what is published; None where nothing bounds it.
    """

    name: str
    text: str
    kind: str
    words: tuple[str, ...]
    guarantees: tuple[tuple[str, str, str], ...]
    precision: tuple[tuple[int, str], ...]
    outlook: Outlook | None = None
    spread: str = EVENLY
    protection: str = ""
    manipulation: Moved | None = None


@final
@dataclass(frozen=True, slots=True)
class CheckedTrait:
    """Several questions about one trait, judged together."""

    name: str
    questions: tuple[str, ...]
    guarantees: tuple[tuple[str, str, str], ...]


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
    language = form.languages[0]
    judged = {question.name: guarantees_of(question) for question in form.questions}
    sizes = [whole(n, "check.sizes", "numbers of people in [1, ∞)") for n in sizes]
    questions = tuple(
        CheckedQuestion(
            question.name,
            question.text[language],
            question.kind,
            sentences(question),
            _lines(judged[question.name]),
            _precision(question, sizes),
            outlook(question, language),
            spread_of(question),
            _protection(question, judged[question.name]),
            _moved(question, sizes),
        )
        for question in form.questions
    )
    traits = tuple(
        CheckedTrait(trait, names, _lines(together([judged[name] for name in names])))
        for trait, names in traits_of(form).items()
    )
    title = form.document["title"][language]
    return Check(title, form.fingerprint, questions, traits, _warnings(form.questions, judged))


def _lines(guarantees: Sequence[Guarantee]) -> tuple[tuple[str, str, str], ...]:
    return tuple((one.notion.label, figure(one), meaning(one)) for one in guarantees)


def _protection(question: Question, guarantees: Sequence[Guarantee]) -> str:
    """Say in a sentence how well one report is protected; shares are those of `spread`."""
    found = {one.notion: one for one in guarantees}
    if not found:
        return "Not protected: what is sent tells the answer."
    if Notion.COVERAGE in found:
        average, least = (
            cautious(Fraction(found[notion].value), math.floor)
            for notion in (Notion.COVERAGE, Notion.FLOOR)
        )
        exact = isinstance(question, CutsQuestion) and question.open
        how = "Partly sent exactly" if exact else "True, but broad"
        return f"{how}: it fits {average} of 100 people on average, {least} at worst."
    if not math.isinf(found[Notion.LOCAL].value):
        return meaning(found[Notion.LOCAL])
    right = cautious((1 + Fraction(found[Notion.ADVANTAGE].value)) / 2, math.ceil)
    return f"Some report rules an answer out; of two, {right} of 100 guesses are right at most."


def _moved(question: Question, sizes: Sequence[int]) -> Moved | None:
    """Let a tenth of the middle number of reports be false."""
    n = sizes[len(sizes) // 2] if sizes else SIZES[1]
    return moved(question, max(n // 10, 1), n)


def _learnt(question: RangeQuestion) -> bool:
    """Say whether many reports tell all that the ranges divide."""
    channel = range_channel_of(question)
    return (isinstance(channel, RangeChannel) and channel.plain) or identified(channel)


def _precision(question: Question, sizes: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """Give what intervals to expect; nothing where a number is plain or a mean is not told."""
    match question:
        case TableQuestion() | Choice():
            channel = channel_of(question)
            widths = [100 * half_width(channel, _kept(question, n)) for n in sizes]
            told = [f"± {width:.1f} points" for width in widths]
        case CutsQuestion() | RingQuestion() if _learnt(question):
            unit = next(iter(question.unit.values()))
            kept = [_kept(question, n) for n in sizes]
            shares = step_shares(question)
            widths = half_widths(range_channel_of(question), kept, shares=shares).tolist()
            told = [f"± {_rounded(width)} {unit}".rstrip() for width in widths]
        case _:
            return ()
    return tuple(zip(sizes, told, strict=True))


def _rounded(width: float) -> str:
    return f"{width:,.0f}" if width >= 10 else f"{width:.2g}"


def _kept(question: TableQuestion | Choice | RangeQuestion, n: int) -> int:
    """Expect how many reports chance does not leave blank, nor a floor withhold."""
    if isinstance(question, Choice):
        return n
    sent = 1 - Fraction(*question.blank)
    if isinstance(question, CutsQuestion) and question.withhold:
        heard, shares = range_channel_of(question).heard(), step_shares(question)
        sent *= Fraction(float(np.average(heard, weights=shares)))
    return max(round(n * sent), 1)


def _warnings(
    questions: Sequence[Question], judged: Mapping[str, Sequence[Guarantee]]
) -> tuple[str, ...]:
    cuts = (one for one in questions if isinstance(one, CutsQuestion))
    told = [warning for one in cuts for warning in warnings_of(one)]
    told += [
        f"{one.name}: no number of reports tells the mean, as ranges of this law leave pieces of "
        "the line alike."
        for one in questions
        if isinstance(one, RangeQuestion) and not _learnt(one)
    ]
    told += filter(None, map(rounding_told, questions))
    if plain := [name for name, guarantees in judged.items() if not guarantees]:
        told.append(
            f"Asked plainly, and kept as given: {', '.join(plain)}. Together with other answers "
            "they can single a person out in a small population."
        )
    return tuple(told)
