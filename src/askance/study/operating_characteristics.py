"""Rehearse a form many times with people whose answers are known: how far off estimates are."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.analysis.question_analysis import (
    AbstractQuestionAnalysis,
    prepare_analysis,
    sum_shares_with,
    tally_items,
)
from askance.design.precision import saved_by_whole_numbers
from askance.design.quantile_precision import saved_by_monotonicity
from askance.inference.line.cells import LineEstimate
from askance.inference.line.plain_number import numbers_at, ticks_to_report
from askance.inference.shares.estimate import estimate
from askance.inference.shares.information import Estimate
from askance.random_streams import random_stream
from askance.results import (
    Listing,
    json_of,
    listed,
    number,
    plain_json,
    result_frame,
    result_stream,
)
from askance.study.people import Recorded, StoppingRule, answering
from askance.survey.deployed import ProtectedAnswers, deployed
from askance.survey.random_ranges import ProtectedNumber
from askance.survey.report_preview import AbstractDeployed
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.integer_draws import Words
from askance_collect.exact.ratio import read_integer
from askance_collect.respond.encode import draw, encode
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import (
    CutsQuestion,
    FreeText,
    Number,
    Question,
    RangeQuestion,
    ReportCounts,
    TableQuestion,
    Value,
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Bias, root-mean-square error and coverage of one figure.

    Attributes
    ----------
    name : str
        An answer, whose share it is; or mean, median, and so on.
    truth, bias, rmse : float
        What is true; the mean error; the root of the mean squared error.
    covered : float
        How often the interval held what is true.
    half_width : float
        Of the interval, on average.
    """

    name: str
    truth: float
    bias: float
    rmse: float
    covered: float
    half_width: float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Operating characteristics of one way to collect a question.

    Attributes
    ----------
    name : str
    accuracy : tuple of Accuracy
    energy : float or None
        For a number: energy distance (2 ∫ (F̂ − F)²)^½ from the estimated to the true distribution,
        both rounded up to the ticks of the line, on average; in the unit of √t.
    share_left : float or None
        For a protected number: the share of the people that a report leaves possible, on average.
    saved_by_integers : float
        For a protected whole number: how many people more as narrow an interval of the mean would
        take if the number could have any value; ∞ where no number of people would do, 0 of
        everything else.
    saved_by_monotonicity : float
        For a number by cuts whose ranges are all sent: how many people more as narrow an interval
        of the median would take by Wilson's at each tick, as though shares need not rise; 0 of
        everything else.
    """

    name: str
    accuracy: tuple[Accuracy, ...]
    energy: float | None
    share_left: float | None
    saved_by_integers: float = 0.0
    saved_by_monotonicity: float = 0.0


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OperatingCharacteristics:
    """Bias, error and coverage of the estimates of one question, before anybody is asked.

    Attributes
    ----------
    question : str
    people, repetitions : int
    level : float
    collections : tuple of Collection
        As published; for a number that is asked step by step, round 1 and progressive.
    """

    question: str
    people: int
    repetitions: int
    level: float
    collections: tuple[Collection, ...]

    def to_dict(self) -> Json:
        """Write all of it for JSON."""
        facts = json_of(self, "question people repetitions level")
        return facts | {
            "collections": [_write_collection(collection) for collection in self.collections]
        }

    def _table(self) -> Listing:
        setting = f"{self.people:,} people, {self.repetitions:,} times"
        head = ["", "truth", "bias", "rmse", "covered", "half-width"]
        rows = []
        places = _choose_decimals(
            [figure.rmse for collection in self.collections for figure in collection.accuracy]
        )
        for collection in self.collections:
            rows.append([collection.name, *[""] * 5])
            rows += [_write_row(figure, places) for figure in collection.accuracy]
        notes = [
            _write_note(collection)
            for collection in self.collections
            if collection.energy is not None
        ]
        notes += [
            _word_saving(collection)
            for collection in self.collections
            if collection.saved_by_integers
        ]
        notes += [
            _word_saving_by_order(collection)
            for collection in self.collections
            if collection.saved_by_monotonicity
        ]
        notes.append(f"covered: how often an interval at {100 * self.level:g} % held the truth")
        return f"{self.question}: {setting}", head, rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _choose_decimals(errors: list[float]) -> int:
    """Say how many decimals show two figures of the smallest error."""
    positive = [error for error in errors if error > 0]
    return min(max(1 - math.floor(math.log10(min(positive))), 0), 6) if positive else 2


def _write_row(figure: Accuracy, places: int) -> list[str]:
    values = (figure.truth, figure.bias, figure.rmse, figure.half_width)
    texts = [f"{round(value, places) + 0.0:,.{places}f}" for value in values]
    return [f"  {figure.name}", *texts[:3], f"{100 * figure.covered:.0f} %", texts[3]]


def _write_note(collection: Collection) -> str:
    suffix = (
        f"; reports leave {100 * collection.share_left:.0f} % possible"
        if collection.share_left
        else ""
    )
    return f"{collection.name}: energy distance {number(collection.energy or 0.0, 3)}{suffix}"


def _word_saving(collection: Collection) -> str:
    more = (
        f"{collection.saved_by_integers:,.0f} people more"
        if collection.saved_by_integers < math.inf
        else "more people than there are"
    )
    return f"{collection.name}: without whole numbers as narrow a mean would take {more}"


def _word_saving_by_order(collection: Collection) -> str:
    saved = f"{collection.saved_by_monotonicity:,.0f}"
    return f"{collection.name}: that shares rise saves {saved} people for as narrow a median"


def _write_collection(collection: Collection) -> Json:
    savings = {
        "saved": collection.saved_by_integers,
        "saved_by_order": collection.saved_by_monotonicity,
    }
    saved = {name: plain_json(people) for name, people in savings.items() if people}
    return saved | {
        "name": collection.name,
        "accuracy": [json_of(figure) for figure in collection.accuracy],
        "energy_distance": plain_json(collection.energy),
        "left_possible": collection.share_left,
    }


Estimated = tuple[Floats, float | None, float | None]
"""Value, lower and upper end of each figure, shape (figures, 3); energy distance; share left."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Crowd:
    """Everybody who may be asked one question, each with an own sensitivity.

    Attributes
    ----------
    answers : tuple of int or None
    truth : dict of str to float
    sensitivities : array, shape (people,)
    ticks, upto : array, shape (t + 1,)
        For a number the ticks at which its distribution is told, and the share up to each.
    stops : StoppingRule
    """

    answers: tuple[int | None, ...]
    truth: dict[str, float]
    sensitivities: Floats
    ticks: Floats
    upto: Floats
    stops: StoppingRule


@checked
def operating_characteristics(
    form: Form,
    recorded: Recorded,
    *,
    people: int = 1_000,
    repetitions: int = 100,
    level: float = 0.95,
    sensitivities: npt.ArrayLike | None = None,
    stops: StoppingRule = StoppingRule.BEFORE,
    rng: Any = None,
    done: Callable[[], object] | None = None,
) -> tuple[OperatingCharacteristics, ...]:
    """Operating characteristics of a form's estimates: bias, error, coverage, by rehearsal.

    People are drawn with replacement from the recorded ones, privatise their answers as their
    devices would, and their reports are estimated from. A number that is asked step by step is
    collected twice: round 1 is one cut for everybody, as if nobody were asked again; progressive is
    as many steps as each person agrees to.

    Of a list that is sent as one report the figures are those of its items.

    Parameters
    ----------
    form : Form
    recorded : Recorded
        From `read_answers` or `invent_answers`.
    people, repetitions : int
        How many are asked, and how often all of it is repeated.
    level : float
        Of the intervals.
    sensitivities : array_like, shape (recorded people,), optional
        For each the least share of the people that a range should leave possible, in [0, 1]; drawn
        evenly from 0.1 to 0.6 if left out.
    stops : StoppingRule
    rng : seed or Generator, optional
        The analyst's dice.
    done : callable, optional
        Called after each repetition of each collection, for a progress bar.

    Raises
    ------
    InputError
        If nobody is recorded, or a number or sensitivity is out of its range.

    References
    ----------
    Ding & Ding (2022), Table III, compare round 1 and progressive collection in this way.

    >>> from askance.study.people import invent_answers
    >>> from askance.survey.survey_file import load_survey
    >>> from askance.survey.publish import publish
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> people = invent_answers(form, {"affair": [0.3, 0.7]})
    >>> rehearsed = operating_characteristics(form, people, people=200, repetitions=5, rng=1)
    >>> rehearsed[1].question, rehearsed[1].collections[0].accuracy[0].truth
    ('affair', 0.3)
    """
    if not recorded.people:
        raise InputError("recorded", got="nobody", allowed="one or more people")
    people = read_integer(people, "people", "a whole number in [1, ∞)")
    repetitions = read_integer(repetitions, "repetitions", "a whole number in [1, ∞)")
    dice = random_stream(rng, "operating_characteristics")
    own = _draw_sensitivities(sensitivities, len(recorded.people), dice)
    results = []
    for question in filter(collections_of, form.questions):
        patient = np.where(_find_skipping(form, question, recorded), 0.0, own)
        crowd, outcomes = _build_crowd(question, recorded, patient, stops), []
        for name, variant in collections_of(question):
            runs, built = [], deployed(variant)
            for _ in range(repetitions):
                runs.append(_collect_once(prepare_analysis(built), crowd, people, level, dice))
                if done is not None:
                    done()
            saving = _make_saver(built, crowd, people, level)
            outcomes.append(_summarise(name, crowd, runs, saving=saving))
        results.append(
            OperatingCharacteristics(
                question=question.name,
                people=people,
                repetitions=repetitions,
                level=level,
                collections=tuple(outcomes),
            )
        )
    return tuple(results)


def collections_of(question: Question) -> tuple[tuple[str, Question], ...]:
    """List the ways to collect a question that are compared, each as a question of its own.

    No figure is made of what people write: there is none to collect a text.
    """
    if isinstance(question, FreeText):
        return ()
    if isinstance(question, CutsQuestion) and question.progressive:
        first = replace(question, number=1, progressive=False)
        return ("round 1", first), ("progressive", question)
    return (("as published", question),)


def _draw_sensitivities(
    sensitivities: npt.ArrayLike | None, people: int, dice: np.random.Generator
) -> Floats:
    own = (
        dice.uniform(0.1, 0.6, people)
        if sensitivities is None
        else np.asarray(sensitivities, dtype=float)
    )
    if own.shape != (people,) or not np.all((own >= 0) & (own <= 1)):
        raise InputError(
            "sensitivities", got=f"shape {own.shape}", allowed=f"{people} shares in [0, 1]"
        )
    return own


def _find_skipping(form: Form, question: Question, recorded: Recorded) -> npt.NDArray[np.bool_]:
    """Whether each recorded person skips a question."""
    rules = [rule for rule in form.skips if form.questions[rule.question] is question]
    after = [(form.questions[rule.after].name, rule.answered) for rule in rules]
    is_skipped = [
        [person[name] in answered for name, answered in after] for person in recorded.people
    ]
    return np.array([any(row) for row in is_skipped], dtype=bool)


def _build_crowd(
    question: Question, recorded: Recorded, own: Floats, stops: StoppingRule
) -> _Crowd:
    recorded_answers = [person[question.name] for person in recorded.people]
    answers = tuple(answer if isinstance(answer, int) else None for answer in recorded_answers)
    if isinstance(question, TableQuestion):
        classes = question.answer_classes
        answers = tuple(answer if answer is None else classes[answer] for answer in answers)
    answered = [answer for answer in answers if answer is not None]
    if not answered:
        raise InputError(
            f"recorded.{question.name}", got="no answers", allowed="one or more answers"
        )
    truth = dict(recorded.truth[question.name])
    if isinstance(question, TableQuestion) and question.checkbox_count:
        words = (in_first_language(item.wording) for item in question.items)
        truth = {name: sum_shares_with(question, [item], truth) for item, name in enumerate(words)}
    return _Crowd(
        answers=answers,
        truth=truth,
        sensitivities=own,
        ticks=_list_ticks(question, answered),
        upto=answering(question).upto(answered),
        stops=stops,
    )


def _list_ticks(question: Question, answers: Sequence[int]) -> Floats:
    """The numbers at which the distribution of all answers is estimated."""
    if not isinstance(question, Number | RangeQuestion):
        return np.empty(0)
    return numbers_at(question.line, ticks_to_report(question.line, answers))


def _collect_once(
    analysis: AbstractQuestionAnalysis,
    crowd: _Crowd,
    people: int,
    level: float,
    dice: np.random.Generator,
) -> Estimated:
    """Ask so many people and estimate from what they send."""
    question = analysis.deployed
    chosen = dice.integers(0, len(crowd.answers), people).tolist()
    reports = Counter(_privatise(question.question, crowd, chosen, _stream_words(dice)))
    counts = {value: count for value, count in reports.items() if value is not None}
    if isinstance(question, ProtectedAnswers) and question.question.checkbox_count:
        return _estimate_items(question, counts, level), None, None
    estimated = analysis.estimate(counts, level)
    if not isinstance(estimated, LineEstimate):
        return _stack_shares(estimated), None, None
    return (
        _stack_figures(estimated),
        _measure_energy(estimated, crowd),
        _share_left(question, crowd, counts),
    )


def _stream_words(dice: np.random.Generator) -> Words:
    def stream() -> Iterator[int]:
        while True:
            yield from dice.integers(0, 1 << 48, 4_096).tolist()

    return stream().__next__


def _privatise(
    question: Question, crowd: _Crowd, chosen: Sequence[int], words: Words
) -> Iterator[Value]:
    for person in chosen:
        answer, draws, steps = crowd.answers[person], draw(question, words), None
        if isinstance(question, CutsQuestion) and question.progressive and answer is not None:
            own = float(crowd.sensitivities[person])
            steps = crowd.stops.agreed_steps(question, answer, draws, own, crowd.upto)
        value = encode(question, answer, draws, steps)
        assert not isinstance(value, str)  # there is no way to collect a text
        yield value


def _estimate_items(question: ProtectedAnswers, counts: ReportCounts, level: float) -> Floats:
    """Estimate the share of each item of a list that is sent as one report."""
    tallies = [
        tally_items(question.channel, [item], counts)
        for item in range(question.question.checkbox_count)
    ]
    nothing = np.array([np.nan, 0.0, 1.0])
    return np.array(
        [
            nothing if tally is None else _stack_shares(estimate(tally, level))[-1]
            for tally in tallies
        ]
    )


def _stack_shares(estimated: Estimate) -> Floats:
    return np.column_stack([estimated.value, estimated.lower, estimated.upper])


def _stack_figures(estimated: LineEstimate) -> Floats:
    rows = [(estimated.mean, estimated.lower, estimated.upper)]
    rows += [(value, low, high) for low, value, high in estimated.quantiles.values()]
    return np.array(rows)


def _measure_energy(estimated: LineEstimate, crowd: _Crowd) -> float:
    """(2 ∫ (F̂ − F)²)^½ of both distributions rounded up to ticks."""
    index = np.searchsorted(estimated.ticks, crowd.ticks, side="right") - 1
    difference = estimated.cdf[index] - crowd.upto
    return float(np.sqrt(2 * np.sum(np.diff(crowd.ticks) * (difference**2)[:-1])))


def _share_left(question: AbstractDeployed, crowd: _Crowd, counts: ReportCounts) -> float | None:
    if not isinstance(question, ProtectedNumber) or not counts:
        return None
    cells: Integers = np.array(list(counts)).reshape(-1, 2)
    shares = question.channel.range_probabilities(cells, np.diff(crowd.upto))
    return float(np.average(shares, weights=list(counts.values())))


def _make_saver(
    question: AbstractDeployed, crowd: _Crowd, people: int, level: float
) -> Callable[[dict[str, float]], tuple[float, float]]:
    """Make a function from half-widths to the people saved by whole numbers and by a monotone F."""

    def saving(widths: dict[str, float]) -> tuple[float, float]:
        if not isinstance(question, ProtectedNumber):
            return 0.0, 0.0
        shares = np.diff(crowd.upto)
        by_whole_numbers = saved_by_whole_numbers(question.channel, people, widths["mean"], shares)
        if isinstance(question.question, CutsQuestion) and question.question.progressive:
            return by_whole_numbers, 0.0  # people stop where they like
        smeared = (people * shares + 1 / len(shares)) / (people + 1)
        return by_whole_numbers, saved_by_monotonicity(
            question.channel, people, widths["median"], level, smeared
        )

    return saving


def _summarise(
    name: str,
    crowd: _Crowd,
    runs: Sequence[Estimated],
    saving: Callable[[dict[str, float]], tuple[float, float]],
) -> Collection:
    figures = np.array([run[0] for run in runs])
    energy = [run[1] for run in runs if run[1] is not None]
    shares_left = [run[2] for run in runs if run[2] is not None]
    accuracy = tuple(
        _measure_accuracy(label, truth, figures[:, i])
        for i, (label, truth) in enumerate(crowd.truth.items())
    )
    by_whole_numbers, by_order = saving({figure.name: figure.half_width for figure in accuracy})
    return Collection(
        name=name,
        accuracy=accuracy,
        energy=float(np.mean(energy)) if energy else None,
        share_left=float(np.mean(shares_left)) if shares_left else None,
        saved_by_integers=by_whole_numbers,
        saved_by_monotonicity=by_order,
    )


def _measure_accuracy(name: str, truth: float, figures: Floats) -> Accuracy:
    value, low, high = figures.T
    return Accuracy(
        name=name,
        truth=truth,
        bias=float(np.mean(value - truth)),
        rmse=float(np.sqrt(np.mean((value - truth) ** 2))),
        covered=float(np.mean((low <= truth) & (truth <= high))),
        half_width=float(np.mean(high - low)) / 2,
    )
