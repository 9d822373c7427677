"""A form as deployed: each of its questions with its channel and guarantees, built once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from askance.channels.channel import Channel
from askance.channels.range_channel import RangeChannel
from askance.channels.ring_channel import RingChannel
from askance.errors import FormError
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.ledger import compose
from askance.survey.deployed import AbstractDeployed
from askance.survey.deployed_answers import plain_answers, protected_answers
from askance.survey.deployed_numbers import PlainNumber, protected_number
from askance.wire.form import Form
from askance.wire.question import Choice, Number, Question, TableQuestion


@final
@dataclass(frozen=True, slots=True)
class DeployedForm:
    """A form and its questions as deployed, in the form's order.

    >>> from askance.survey.publish import deploy
    >>> from askance.survey.survey_file import load_survey
    >>> asked = deploy(load_survey("examples/affairs.toml"))
    >>> [one.question.kind for one in asked.questions]
    ['choice', 'table', 'table', 'cuts']
    >>> asked.questions[1].guarantees[0]
    Guarantee(LOCAL, ε = 1.79176, attained by 'yes' between 'yes' and 'no')
    """

    form: Form
    questions: tuple[AbstractDeployed, ...]

    @classmethod
    def of(cls, form: Form) -> "DeployedForm":
        """Build every question of a form from its integers."""
        return cls(form, tuple(map(deployed, form.questions)))

    @property
    def language(self) -> str:
        """The first language of the form, in which everything is said."""
        return self.form.languages[0]

    @property
    def rounding_notes(self) -> tuple[str, ...]:
        """What is to be said of chances that were rounded when they were deployed."""
        return tuple(filter(None, (one.rounding_note for one in self.questions)))


def deployed(
    question: Question,
    channel: Channel | RangeChannel | RingChannel | None = None,
    recipe: Channel | None = None,
) -> AbstractDeployed:
    """Build a question of a form from its integers: the one place where its kind is asked.

    Parameters
    ----------
    question : Question
    channel : Channel, RangeChannel or RingChannel, optional
        What was just written into the form, so that it need not be built again.
    recipe : Channel, optional
        The channel before it was rounded to the form's table.

    >>> from askance.wire.question import Label
    >>> plain = deployed(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    >>> plain.way.value, plain.guarantees
    ('as it is given', ())
    """
    match question:
        case Choice():
            return plain_answers(question)
        case Number():
            return PlainNumber(question)
        case TableQuestion():
            return protected_answers(question, channel, recipe)
        case _:
            return protected_number(question, channel)


def traits_of(form: Form) -> dict[str, tuple[str, ...]]:
    """Name the questions that a form declares to be about one trait.

    Raises
    ------
    FormError
        If a trait has no name, no questions, or questions that the form does not ask.
    """
    asked = {question.name for question in form.questions}
    traits = form.document["about"].get("traits", [])
    try:
        found = {trait["name"]: tuple(trait["questions"]) for trait in traits}
        known = all(names and asked.issuperset(names) for names in found.values())
    except (LookupError, TypeError):
        known = False
    if not known or not all(isinstance(name, str) for name in found):
        raise FormError("about.traits", allowed="names, each with questions of the form")
    return found


def minimum_of(form: Form) -> int:
    """Say below how many reports a form's author wants no estimate shown.

    Raises
    ------
    FormError
        If that is no whole number.
    """
    least = form.document["about"].get("minimum", 1)
    if type(least) is not int:
        raise FormError("about.minimum", got=least, allowed="a whole number of reports")
    return least


def together(judged: Sequence[Sequence[Guarantee]]) -> tuple[Guarantee, ...]:
    """Compose the guarantees of several questions, notion by notion.

    A question without a notion breaks it: next to a range, which rules answers out, no local loss
    of the group is finite.
    """
    found = [{one.notion: one for one in guarantees} for guarantees in judged]
    notions = [Notion.LOCAL, Notion.SHAFER, Notion.WALLEY, Notion.COVERAGE]
    return tuple(
        compose([guarantees[notion] for guarantees in found])
        for notion in notions
        if all(notion in guarantees for guarantees in found)
    )
