"""Attention checks: plain questions whose right answer is known, such as "choose blue here".

They decide nothing on the device: everybody sends a report of the same form. Who failed is told by
the reports alone, in counts, and estimates are made with those who failed and without.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from askance.errors import FormError, SurveyError, nearest
from askance.survey.specs import FilePosition, QuestionSpec
from askance.typing import Json
from askance.wire.answer_question import Choice
from askance.wire.form import Form
from askance.wire.question import Value


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionCheck:
    """How many people paid attention at one question, by their reports.

    Attributes
    ----------
    question : str
        Its name.
    right : str
        The name of the right answer.
    passed, failed, blank : int
        Reports with the right answer, with another one, and with none.

    >>> import askance as ak
    >>> from askance.survey import AttentionCheck
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "colour"
    ... text = "Please choose blue here."
    ... answers = ["red", "blue"]
    ... attention = "blue"
    ... '''))
    >>> analysis = ak.analyse(form, ak.engines.Counts(100, {"colour": {0: 8, 1: 90, None: 2}}))
    >>> check: AttentionCheck = analysis.attention[0]
    >>> check.passed, check.failed, check.blank
    (90, 8, 2)
    """

    question: str
    right: str
    passed: int
    failed: int
    blank: int

    @property
    def told(self) -> str:
        """The counts in a sentence."""
        answered = self.passed + self.failed
        return (
            f"Attention: {self.failed:,} of {answered:,} people gave another answer than "
            f"“{self.right}”; {self.blank:,} gave none."
        )

    def to_dict(self) -> Json:
        """Write the counts for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def read_right_answers(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition]
) -> dict[str, str]:
    """Name the right answer of each question that checks attention.

    Raises
    ------
    SurveyError
        If such a question is protected, has no answers, or not that one.

    >>> spec = QuestionSpec("colour", "Choose blue.", ["red", "blue"], attention="blue")
    >>> read_right_answers([spec], [("question[0]", "")])
    {'colour': 'blue'}
    """
    right_by_name = {}
    for spec, (path, _) in zip(specs, places, strict=True):
        if (right := spec.attention) is None:
            continue
        where = f"{path}.attention"
        if not spec.plain or spec.answers is None:
            problem = "a line" if spec.plain else "a protected question"
            remedy = "ask it plainly, with answers: chance, too, would make people fail"
            raise SurveyError(where, got=problem, allowed="a plain question", remedy=remedy)
        names = [
            answer.strip() if isinstance(answer, str) else str(answer["name"])
            for answer in spec.answers
        ]
        if right not in names:
            remedy = nearest(right, names)
            raise SurveyError(where, got=right, allowed=", ".join(names), remedy=remedy)
        right_by_name[spec.name] = right
    return right_by_name


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


def count_attention(
    form: Form, values: Mapping[str, Mapping[Value, int]]
) -> tuple[AttentionCheck, ...]:
    """Count who paid attention, question by question.

    >>> from askance.survey import load_survey, publish
    >>> count_attention(publish(load_survey("examples/affairs.toml")), {})
    ()
    """
    checks = []
    for name, position in find_right_answers(form).items():
        counts = values[name]
        blank, passed = counts.get(None, 0), counts.get(position, 0)
        question = form.question(name)
        assert isinstance(question, Choice)
        checks.append(
            AttentionCheck(
                question=name,
                right=question.answers[position].name,
                passed=passed,
                failed=sum(counts.values()) - passed - blank,
                blank=blank,
            )
        )
    return tuple(checks)
