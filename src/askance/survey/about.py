"""What a form says of itself, for people: read with the care that any document needs."""

from askance.errors import FormError
from askance.wire.form import Form


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
