"""Audit a mechanism: sample it, bound its privacy losses, and test its law."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, ClassVar, final

import numpy as np

from askance.audit.agreement import (
    NOT_COMPARED,
    AuditCheck,
    collision_check,
    holm,
    joint_checks,
    law_checks,
    message_checks,
    order_checks,
    seed_check,
    text_checks,
    trace_checks,
)
from askance.audit.loss_bounds import POWER, AuditSample, Claims, LossBound, loss_bounds
from askance.audit.reports_by_cell import CellScheme, need_draws, read_cells, read_stated
from askance.audit.subject import NOTHING, AbstractSubject, Responses
from askance.channels.channel import Channel
from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result
from askance.inference.provenance import Computation
from askance.random_streams import random_stream
from askance.results import (
    Listing,
    folded,
    json_of,
    listed,
    number,
    plain_json,
    result_frame,
    result_stream,
)
from askance.typing import Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_reach
from askance_collect.exact.ratio import read_integer

ALPHA = 0.001
"""How often an audit may find fault with a right mechanism, unless something else is asked."""

_MOST = 100_000_000
_LOSS_COLUMNS = "notion between=answers event lower stated at=type_one_error broken=is_violated"
_AUDIT_COLUMNS = (
    "subject answers draws failure=alpha resolution=detectable_difference passed verdict faults"
)
_CHECK_COLUMNS = "name asked=claim told=observed p_value broken=is_violated"
_FEW_ALONE = 5  # draws of one kind, of answers in runs of one
_MAX_PAIRS = 6  # pairs of answers in a table or plot
_NINE_TIMES = 1.2815515655446004  # the normal quantile of nine times in ten


@final
@folded
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Audit:
    """What an audit found: lower bounds on privacy losses, and checks of how reports are drawn.

    Attributes
    ----------
    subject : str
    answers : tuple of str
        Those that were asked, each as often.
    draws : int
        How many reports were looked at.
    alpha : float
        The probability that all this finds fault with a right mechanism, at most.
    losses : tuple of LossBound
        All of which hold together, except with probability α/2.
    checks : tuple of AuditCheck
        Which raise a false alarm in the other half of it, at most.
    detectable_difference : float or None
        By how much a chance has to differ from what is stated to be found nine times in ten,
        nearly; None where no chances are stated.
    """

    computation: ClassVar[Computation] = Computation.AUDIT
    subject: str
    answers: tuple[str, ...]
    draws: int
    alpha: float
    losses: tuple[LossBound, ...]
    checks: tuple[AuditCheck, ...]
    detectable_difference: float | None

    @property
    def faults(self) -> tuple[str, ...]:
        """What was found wrong, a sentence each: the surest first."""
        checks = sorted(
            (check for check in self.checks if check.is_violated), key=lambda check: check.p_value
        )
        failed = [
            f"violated: {check.claim} ({check.observed}; p = {_format_p(check.p_value)})"
            for check in checks
        ]
        return (*(_word_excess(bound) for bound in self._list_broken()), *failed)

    def _list_broken(self) -> list[LossBound]:
        """Each kind of loss that is exceeded, by its worst case."""
        worst: dict[str, LossBound] = {}
        for bound in self.losses:
            best = worst.get(bound.notion)
            if bound.is_violated and (
                best is None or _measure_excess(bound) > _measure_excess(best)
            ):
                worst[bound.notion] = bound
        return list(worst.values())

    @property
    def passed(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.faults

    @property
    def verdict(self) -> str:
        """The result in one line."""
        if self.passed:
            return f"{self.subject}: nothing wrong in {self.draws:,} reports"
        first, more = self.faults[0], len(self.faults) - 1
        return f"{self.subject}: FAULT: {first}{f'; and {more} more' if more else ''}"

    def to_dict(self) -> Json:
        """Write all of it for JSON."""
        facts = json_of(self, _AUDIT_COLUMNS)
        losses = [json_of(bound, _LOSS_COLUMNS) for bound in self.losses]
        return facts | {
            "losses": losses,
            "checks": [json_of(check, _CHECK_COLUMNS) for check in self.checks],
        }

    def _frame(self) -> Any:
        return [plain_json(json_of(bound, _LOSS_COLUMNS)) for bound in self.losses]

    def _list_shown(self) -> list[LossBound]:
        """The bounds to show: of the worst pairs of answers, and of all other losses."""
        local = self.losses[0].notion
        pairs = [bound for bound in self.losses if bound.notion == local]
        worst = sorted(pairs, key=lambda bound: (-_measure_excess(bound), -bound.lower))[
            :_MAX_PAIRS
        ]
        return worst + [bound for bound in self.losses if bound.notion != local]

    def _table(self) -> Listing:
        head = ["what a report gives away", "at least", "stated"]
        rows = [_write_row(bound) for bound in self._list_shown()]
        checks = [
            f"{_mark_check(check)}: {check.claim}{_word_check(check)}" for check in self.checks
        ]
        hidden = len(self.losses) - len(rows)
        notes = [f"{hidden:,} more pairs of answers show less"] if hidden else []
        notes += checks
        if self.detectable_difference is not None:
            notes.append(
                f"a chance that is off by {number(self.detectable_difference, 2)} would have been "
                "found nine times in ten"
            )
        notes.append(f"a correct mechanism fails at most one in {1 / self.alpha:,.0f} audits")
        return self.verdict, head, rows, notes

    def _chart(self) -> Chart:
        """Describe each loss from below, and what is stated of it."""
        bounds = [bound for bound in self._list_shown() if bound.is_loss]
        names = tuple(_caption_bound(bound) for bound in bounds)
        low = np.array([bound.lower for bound in bounds])
        stated = [math.nan if bound.stated is None else bound.stated for bound in bounds]
        finite = np.where(np.isfinite(stated), stated, math.nan)
        return Chart(
            series=(
                Series(mark=MarkKind.BAR, label="at least, by this audit", names=names, value=low),
                Series(
                    mark=MarkKind.POINT, label="stated", names=names, value=finite, continues=True
                ),
            ),
            x=Axis(name="privacy loss ε", limits=(0, math.inf)),
            y=Axis(name="loss"),
        )

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _caption_bound(bound: LossBound) -> str:
    beyond = " – more than is stated" if bound.is_violated else ""
    return f"{bound.notion}: {_name_answers(bound)}{beyond}"


def _format_p(value: float) -> str:
    return "0" if value == 0 else number(value, 2)


def _measure_excess(bound: LossBound) -> float:
    """The excess of a lower bound over the stated loss; zero without a stated loss."""
    if bound.stated is None or bound.stated == math.inf:
        return 0.0
    return bound.lower - bound.stated


def _word_excess(bound: LossBound) -> str:
    unit = "ε ≥ " if bound.is_loss else "at least "
    return (
        f"{_name_notion(bound)} {unit}{number(bound.lower)} where {_word_stated(bound)} is stated "
        f"({_name_answers(bound)} by {bound.event})"
    )


def _name_notion(bound: LossBound) -> str:
    if bound.notion != POWER or bound.type_one_error is None:
        return bound.notion
    return f"{bound.notion} at type I error {bound.type_one_error:.3f}"


def _name_answers(bound: LossBound) -> str:
    names = ", ".join(bound.answers[:3])
    return names if len(bound.answers) <= 3 else f"{len(bound.answers)} answers"


def _word_stated(bound: LossBound) -> str:
    if bound.stated is None:
        return "–"
    return "∞" if bound.stated == math.inf else number(bound.stated)


def _write_row(bound: LossBound) -> list[str]:
    label = f"{_name_notion(bound)}: {_name_answers(bound)} – by {bound.event}"
    return [label, number(bound.lower) + " !" * bound.is_violated, _word_stated(bound)]


def _mark_check(check: AuditCheck) -> str:
    return "NO" if check.is_violated else "--" if check.observed == NOT_COMPARED else "ok"


def _word_check(check: AuditCheck) -> str:
    if check.observed == NOT_COMPARED:
        return f" ({check.observed})"
    if check.p_value >= 1:
        return ""
    return (
        f" ({check.observed}; p = {_format_p(check.p_value)})"
        if check.is_violated
        else f" (p = {_format_p(check.p_value)})"
    )


@checked
def audit(
    subject: AbstractSubject,
    *,
    epsilon: object = None,
    ratio: object = None,
    draws: int = 100_000,
    alpha: float = ALPHA,
    rng: Any = None,
    progress: Callable[[int], object] | None = None,
) -> Audit:
    r"""Audit a mechanism for local differential privacy, from its reports alone.

    Every answer is asked equally often, in an order by chance. On one half of the draws, chosen by
    chance too, an event E is chosen for each pair of answers in the order of the likelihood ratio;
    on the other half

    .. math:: \varepsilon \ge \ln\frac{\underline{P}(E \mid x)}{\overline{P}(E \mid x')}

    with Clopper and Pearson's exact limits, α divided evenly over all limits. Where it is
    stated what each report means, so are Shafer's and Walley's loss and those of belief and
    plausibility; besides the advantage, the guessing chance and points of the trade-off function.
    Upper bounds are what the stated channel gives away, by enumeration: exactly, where its chances
    are whole parts.

    Beyond the loss it is tested whether reports follow the law that is stated, whether what comes
    with them (a length, a time, how many random words were drawn) tells more than they do, whether
    they depend on other answers or on their place, and whether two runs repeat each other.

    Parameters
    ----------
    subject : FormSubject, PageSubject, ChannelSubject, ProgramSubject, or another subject
    epsilon : number, optional
        ε that is stated of the local loss, in place of that of the subject's channel.
    ratio : number, optional
        e^ε instead, exactly.
    draws : int
        How many reports are looked at, over all answers: 100 for each answer at least.
    alpha : float
        The probability of a false alarm, over all bounds and checks, in (0, 1/2].
    rng : seed or Generator, optional
        The analyst's dice: who is asked when, and which draws choose events.
    progress : callable, optional
        Called with the number of reports that have come, for a progress bar.

    Raises
    ------
    InputError
        If draws are too few, α is out of range, ε and its ratio are both given, or the subject
        does not answer as it must.

    References
    ----------
    Jagielski, Ullman & Oprea (2020), with the limits of Clopper & Pearson (1934); Arcolezi & Gambs
    (2024), for local mechanisms; Gilbert & McMillan (2018), on why draws can refute privacy and
    never prove it; Holm (1979), for the checks.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> honest = ak.audit.audit(ak.audit.ChannelSubject(q), draws=2000, rng=1, alpha=1e-9)
    >>> honest.passed, honest.losses[0].stated
    (True, 1.0986122886681098)
    >>> bare = ak.audit.FunctionSubject(["yes", "no"], lambda answer: answer, q)
    >>> ak.audit.audit(bare, draws=2000, rng=1).passed
    False
    """
    draws = read_integer(draws, "audit.draws", f"a whole number in [1, {_MOST:,}]", 1, _MOST)
    if not 0 < alpha <= 0.5:
        raise InputError("audit.alpha", got=alpha, allowed="a chance in (0, 0.5]")
    is_stated = epsilon is not None or ratio is not None
    stated_ratio = loss_reach(epsilon, ratio) if is_stated else subject.stated_ratio
    claims = Claims(channel=subject.stated_channel, stated_ratio=stated_ratio, blank=NOTHING)
    sample, responses = _draw_sample(subject, draws, random_stream(rng, "audit"), progress)
    checks = _run_checks(subject, sample, responses, stated_ratio)
    return Audit(
        subject=subject.name,
        answers=subject.answers,
        draws=len(sample.places),
        alpha=alpha,
        losses=loss_bounds(sample, claims, alpha / 2),
        checks=holm(checks, alpha / 2),
        detectable_difference=_find_resolution(
            subject.stated_channel, sample, alpha / 2 / len(checks)
        ),
    )


def _run_checks(
    subject: AbstractSubject,
    sample: AuditSample,
    responses: Responses,
    stated_ratio: Fraction | float | None,
) -> list[AuditCheck]:
    """Run all tests beyond the loss bounds."""
    checks: list[AuditCheck] = []
    if subject.stated_channel is not None:
        checks += law_checks(sample, subject.stated_channel)
    checks += trace_checks(sample, dict(responses.traces), subject.constant)
    checks += text_checks(sample, responses.side_texts)
    run = min(subject.at_a_time, len(sample.places))
    checks += order_checks(sample, run)
    checks += joint_checks(sample, run, responses.other_answers)
    checks += message_checks(sample, responses.messages)
    if subject.stated_channel is None and stated_ratio is not None:
        checks += collision_check(sample, responses.reports, float(stated_ratio))
    if responses.has_unassigned_output:
        checks += _check_single_runs(subject)
    again = subject.respond_twice()
    checks += [seed_check(again[0].reports, again[1].reports)] if again is not None else []
    return checks


def _check_single_runs(subject: AbstractSubject) -> list[AuditCheck]:
    """Test the side channels of runs with a single answer."""
    runs = subject.respond_singly()
    if runs is None:
        return []
    places, responses = runs
    first = np.arange(len(places)) // len(subject.answers) % 2 == 0
    reading = _read_reports(
        subject.stated_channel, responses.reports, places, first, len(subject.answers)
    )
    sample = AuditSample(answers=subject.answers, places=places, first=first, reading=reading)
    return list(text_checks(sample, responses.side_texts, _FEW_ALONE))


def _draw_sample(
    subject: AbstractSubject,
    draws: int,
    dice: np.random.Generator,
    progress: Callable[[int], object] | None,
) -> tuple[AuditSample, Responses]:
    """Sample every answer equally often in random order, and split the draws at random."""
    size = len(subject.answers)
    repetitions = need_draws(draws, size)
    places = dice.permutation(np.repeat(np.arange(size), repetitions))
    parts, come = list[Responses](), 0
    for start in range(0, len(places), subject.at_a_time):
        parts.append(subject.respond(places[start : start + subject.at_a_time]))
        come += len(parts[-1].reports)
        if progress is not None:
            progress(come)
    responses = _join_runs(parts)
    first = _choose_half(places, dice)
    sample = AuditSample(
        answers=subject.answers,
        places=places,
        first=first,
        reading=_read_reports(subject.stated_channel, responses.reports, places, first, size),
    )
    return sample, responses


def _join_runs(parts: Sequence[Responses]) -> Responses:
    """Join the responses of several runs."""
    names = [(*part.traces, *part.side_texts, *part.other_answers) for part in parts]
    odd = next((columns for columns in names if columns != names[0]), names[0])
    if odd != names[0]:
        raise InputError("Responses", got=odd, allowed=f"in each run {', '.join(names[0])}")

    def texts(columns: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(chain(*(run[name] for run in columns))) for name in columns[0]}

    return Responses(
        reports=tuple(chain(*(part.reports for part in parts))),
        traces={
            name: np.concatenate([part.traces[name] for part in parts]) for name in parts[0].traces
        },
        side_texts=texts([part.side_texts for part in parts]),
        other_answers=texts([part.other_answers for part in parts]),
        messages=tuple(chain(*(part.messages for part in parts))),
        has_unassigned_output=any(part.has_unassigned_output for part in parts),
    )


def _choose_half(places: Integers, dice: np.random.Generator) -> Any:
    """Choose half of each answer's draws."""
    shuffled = dice.permutation(len(places))
    order = shuffled[np.argsort(places[shuffled], kind="stable")]
    first = np.zeros(len(places), dtype=bool)
    first[order[::2]] = True
    return first


def _read_reports(
    stated: Channel | None, reports: Sequence[str], places: Integers, first: Any, size: int
) -> CellScheme:
    if stated is not None:
        return CellScheme(read_stated(reports, stated))
    return read_cells(reports, places, first, size)


def _find_resolution(stated: Channel | None, sample: AuditSample, alpha: float) -> float | None:
    if stated is None:
        return None
    from scipy.special import ndtri

    chances = stated.matrix[stated.matrix > 0]
    deviates = float(ndtri(1 - alpha / (2 * len(chances)))) + _NINE_TIMES
    draws = len(sample.places) / len(sample.answers)
    return float(np.sqrt(chances * (1 - chances) / draws).max()) * deviates
