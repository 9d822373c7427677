"""Invented respondents, as many as it takes to follow a distribution closely."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.errors import InputError, refuse_unknown
from askance.exact.ratio import whole
from askance.study.recorded import Recorded, record
from askance.wire.form import Form
from askance.wire.question import Choice, Number, Question, TableQuestion

_EVEN = "even"
_MOST = 10_000_000  # people that fit in memory


@checked
def invent_answers(
    form: Form, expected: Mapping[str, Any] | None = None, *, people: int = 2_000
) -> Recorded:
    """Invent people who answer a form as is expected of them, to rehearse it with.

    Every question has its own distribution; the answers of one person to two questions have nothing
    to do with each other, since each list is shuffled by a fixed rule.

    Parameters
    ----------
    form : Form
    expected : mapping of str to distribution or sequence of number, optional
        By question: for a number a distribution with a ``ppf``, as those of SciPy, whose numbers
        are brought inside the line; for named answers a share of each. Even where left out.
    people : int

    Raises
    ------
    InputError
        If a question is not the form's, a distribution gives no numbers, or shares do not fit.

    >>> from askance.survey.load import load_survey
    >>> from askance.survey.publish import publish
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> invent_answers(form, {"affair": [0.3, 0.7]}, people=10).truth["affair"]["yes"]
    0.3
    """
    given = dict(expected or {})
    names = [question.name for question in form.questions]
    for name in given:
        refuse_unknown("expected", name, names)
    people = whole(people, "people", f"a whole number from 1 to {_MOST:,}", 1, _MOST)
    cells = {
        question.name: _shuffled(_answers(question, given.get(question.name, _EVEN), people), at)
        for at, question in enumerate(form.questions)
    }
    return record(form, cells, "invented")


def _shuffled(cells: Sequence[str], seed: int) -> list[str]:
    return [cells[at] for at in np.random.default_rng(seed).permutation(len(cells))]


def _answers(question: Question, law: Any, people: int) -> list[str]:
    if isinstance(question, Choice | TableQuestion):
        names = [answer.name for answer in question.answers]
        shares = np.ones(len(names)) if law is _EVEN else _shares(law, len(names), question.name)
        upto = np.cumsum(shares / shares.sum())
        at = np.searchsorted(upto, _levels(people), side="right")
        return [names[min(one, len(names) - 1)] for one in at.tolist()]
    line = question.line
    low, high = float(line.lower), float(line.upper)
    if law is _EVEN:
        drawn = low + (high - low) * _levels(people)
    else:
        drawn = _numbers(law, people, question.name)
    inside = np.clip(drawn, low, high)
    if isinstance(question, Number):
        ticks = np.rint((inside - low) / float(line.step)).astype(int)
        return [str(line.lower + line.step * one) for one in ticks.tolist()]
    return [repr(one) for one in inside.tolist()]


def _levels(people: int) -> Any:
    return (np.arange(people) + 0.5) / people


def _shares(given: Any, answers: int, name: str) -> Any:
    try:
        shares = np.array(given, dtype=float)
    except (TypeError, ValueError):
        shares = np.empty(0)
    right = shares.shape == (answers,) and np.isfinite(shares).all() and (shares >= 0).all()
    if not right or not shares.sum():
        raise InputError(f"expected.{name}", got=given, allowed=f"{answers} shares, not all zero")
    return shares


def _numbers(law: Any, people: int, name: str) -> Any:
    if not hasattr(law, "ppf"):
        raise InputError(f"expected.{name}", got=law, allowed="a distribution with a ppf")
    drawn = np.asarray(law.ppf(_levels(people)), dtype=float)
    if drawn.shape != (people,) or np.isnan(drawn).any():
        raise InputError(f"expected.{name}", got=law, allowed="a distribution of one number")
    return drawn
