"""The ranges that were reported to one question, for whoever wants more than its estimate."""

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.engines.count import Counts
from askance.errors import InputError
from askance.survey.deployed import range_channel_of
from askance.wire.form import Form
from askance.wire.question import CutsQuestion, RingQuestion


@checked
def reported_ranges(form: Form, counts: Counts, question: str) -> Ranges:
    """Give the distinct ranges that were reported to a question, each as often as it was.

    Parameters
    ----------
    form : Form
    counts : Counts
        What `count_reports` found in the store; blanks are left out.
    question : str
        The name of a question that was asked by ranges.

    Returns
    -------
    Ranges
        In the unit of the form, with no end where a report has no limit.

    Raises
    ------
    InputError
        If the question is not asked by ranges.
    FormError
        If the form has no such question.

    >>> from askance.survey.survey_file import parse_survey
    >>> from askance.survey.publish import publish
    >>> form = publish(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Age"
    ... consent = "Voluntary."
    ... [[question]]
    ... name = "age"
    ... text = "How old are you?"
    ... line = { lower = 20, upper = 80, step = 10, unit = "years" }
    ... mechanism = { name = "cuts", number = 1 }
    ... '''))
    >>> counts = Counts(9, {"age": {(0, 2): 3, (2, 6): 5, None: 1}})  # up to the second tick: 40
    >>> reported_ranges(form, counts, "age")
    Ranges((-inf, 40], (40, inf])
    """
    asked = form.question(question)
    if not isinstance(asked, CutsQuestion | RingQuestion):
        raise InputError(
            "reported_ranges.question",
            got=f"{question!r}, a {asked.kind} question",
            allowed="a question asked by cuts or a ring",
            remedy="analyse estimates questions of every kind",
        )
    cells = {cell: n for cell, n in counts.values[question].items() if isinstance(cell, tuple)}
    return range_channel_of(asked).ranges(list(cells), list(cells.values()))
