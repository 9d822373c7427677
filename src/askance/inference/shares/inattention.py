"""Shares corrected for inattentive people by an anchor: a question whose true shares are known.

Inattentive people pick a report by chance, whatever they are asked. At a question whose shares are
known they are whoever the channel cannot account for: so the anchor counts them, and their reports
are taken out of those of the sensitive question, which the same people answered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.channel import Channel
from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result, rows_chart
from askance.inference.fit_result import GoodnessOfFit, joined_fits
from askance.inference.frequency_tests import fit_of_rows
from askance.inference.provenance import Computation
from askance.results import (
    Listing,
    figure_rows,
    json_of,
    listed,
    normal_quantile,
    number,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified, refuse_unknown
from askance_collect.exact.ratio import chance

_NOBODY = 1e-6
"""A share of attentive people below which nothing is learnt from them."""


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class InattentionCorrection:
    """Shares of true answers and of inattentive people, with the uncorrected shares for comparison.

    Attributes
    ----------
    labels : tuple of str
        The k answers.
    careless : float
        The estimated share of inattentive people; below 0 where the anchor has fewer of their
        reports than none would leave on average.
    value : array, shape (k,)
        Corrected shares. They sum to one but can leave [0, 1].
    uncorrected : array, shape (k,)
        The shares as if everybody were attentive.
    covariance : array, shape (k + 1, k + 1)
        Of the share of inattentive people and of the corrected shares, in this order.
    uncorrected_covariance : array, shape (k, k)
    level : float
        How often an interval holds the true share.
    reports : int
        How many people answered both questions.
    goodness_of_fit : GoodnessOfFit
        Whether some shares of answers and of inattentive people explain the reports to the
        question, and some share of inattentive people those to the anchor.

    >>> import askance as ak
    >>> from askance.inference import InattentionCorrection
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> pairs = {("yes", "yes"): 40, ("yes", "no"): 60, ("no", "yes"): 30, ("no", "no"): 70}
    >>> fit: InattentionCorrection = ak.inference.correct_inattention(
    ...     q, q, pairs, anchor_shares={"no": 1}
    ... )
    >>> fit
    share of each answer among attentive people
    answer  share      se  95 % from     to  without correction       se
    yes       0.5  0.1179      0.269  0.731                 0.5  0.07071
    no        0.5  0.1179      0.269  0.731                 0.5  0.07071
    200 people; a share of 0.4 (standard error 0.1349) is inattentive
    """

    computation: ClassVar[Computation] = Computation.INATTENTION
    labels: tuple[str, ...]
    careless: float
    value: Floats
    uncorrected: Floats
    covariance: Floats
    uncorrected_covariance: Floats
    level: float
    reports: int
    goodness_of_fit: GoodnessOfFit

    @property
    def careless_se(self) -> float:
        """Standard error of the share of inattentive people."""
        return float(np.sqrt(self.covariance[0, 0]))

    @property
    def se(self) -> Floats:
        """Standard error of each corrected share, shape (k,)."""
        return read_only(np.sqrt(np.diag(self.covariance)[1:]))

    @property
    def uncorrected_se(self) -> Floats:
        """Standard error of each share without a correction, shape (k,)."""
        return read_only(np.sqrt(np.diag(self.uncorrected_covariance)))

    @property
    def lower(self) -> Floats:
        """Lower ends of the intervals of the corrected shares, inside [0, 1], shape (k,)."""
        return read_only((self.value - normal_quantile(self.level) * self.se).clip(0, 1))

    @property
    def upper(self) -> Floats:
        """Upper ends of the intervals of the corrected shares, inside [0, 1], shape (k,)."""
        return read_only((self.value + normal_quantile(self.level) * self.se).clip(0, 1))

    def to_dict(self) -> Json:
        """Write the shares for JSON."""
        names = (
            "labels careless careless_se value se covariance lower upper "
            "uncorrected uncorrected_se level reports goodness_of_fit"
        )
        return json_of(self, names)

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        head = ["answer", "share", "se", f"{percent} from", "to", "without correction", "se"]
        corrected = (self.value, self.se, self.lower, self.upper)
        rows = figure_rows(self.labels, *corrected, self.uncorrected, self.uncorrected_se)
        careless = f"{number(self.careless)} (standard error {number(self.careless_se)})"
        notes = [f"{self.reports:,} people; a share of {careless} is inattentive"]
        notes += self.goodness_of_fit.misfit
        return "share of each answer among attentive people", head, rows, notes

    def _chart(self) -> Chart:
        """Describe the corrected shares with their intervals; a cross is one without correction."""
        crosses = Series(
            mark=MarkKind.POINT,
            label="without correction",
            names=self.labels,
            value=self.uncorrected,
            continues=True,
        )
        return rows_chart(
            self.labels,
            self.value,
            (self.lower, self.upper),
            level=self.level,
            x=Axis(name="share", label="share among attentive people"),
            y="answer",
            after=(crosses,),
        )

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def correct_inattention(
    question: Channel,
    anchor: Channel,
    counts: Mapping[tuple[str, str], int],
    *,
    anchor_shares: Mapping[str, object],
    picks: Mapping[str, float] | None = None,
    anchor_picks: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> InattentionCorrection:
    r"""Correct shares for inattentive people, estimated from an anchor question.

    .. math:: \hat\gamma = g^\top (\hat\lambda' - a), \qquad
        \hat\pi = \frac{B (\hat\lambda - \hat\gamma\, r)}{1 - \hat\gamma}, \qquad
        a = Q'^\top s, \quad B\, Q^\top = I

    with λ and λ' the frequencies of the reports to the question and to the anchor, Q and Q' their
    channels, s the known shares of the anchor's answers, r and r' the chances with which
    inattentive people pick a report of either, γ the share of inattentive people (the careless
    rate), π the shares among attentive people, and g = W (r' − a) / (r' − a)ᵀ W (r' − a) with
    W = 2 diag(a + r')⁻¹. The covariance of γ and π is that of the influence of each person by the
    delta method: it holds whatever the true answers to the two questions have to do with each
    other. For the crosswise model, even picks and an anchor that is true of nobody, γ and π are
    1 − γ and π of Atsusaka & Stevenson (2023, as their R package cWise has them), who call γ the
    attentive share.

    Assumed are the same inattentive people at both questions, picks with known chances, and, for
    the shares to be those of everybody, that inattention has nothing to do with the true answer.

    Parameters
    ----------
    question, anchor : Channel
        Through which either was asked.
    counts : mapping of (str, str) to int
        How many people sent each report to the question together with each report to the anchor.
    anchor_shares : mapping of str to chance
        The known share of each answer to the anchor; what is left out is 0.
    picks, anchor_picks : mapping of str to float, optional
        With which chances inattentive people pick each report; even if left out.
    level : float

    Raises
    ------
    InputError
        If there are no counts, a report or an answer is unknown, or shares or picks do not sum to
        one.
    NotIdentified
        If the anchor cannot tell attentive people from others, the question cannot tell its answers
        apart, or by the anchor nobody was attentive.

    References
    ----------
    Atsusaka & Stevenson (2023).

    >>> import askance as ak
    >>> q = ak.mechanisms.Crosswise(harmless="1/4").channel(ak.Frame(["yes", "no"]))
    >>> same, differ = q.reports
    >>> counts = {(same, same): 340, (same, differ): 260, (differ, same): 340, (differ, differ): 60}
    >>> fit = ak.inference.correct_inattention(q, q, counts, anchor_shares={"no": 1})
    >>> round(fit.careless, 4), fit.uncorrected.round(4).tolist(), fit.value.round(4).tolist()
    (0.28, [0.3, 0.7], [0.2222, 0.7778])
    """
    normal_quantile(level)
    observed = _read_counts(question, anchor, counts)
    n = observed.sum()
    pick = _read_chances(question.reports, picks, "picks")
    anchor_pick = _read_chances(anchor.reports, anchor_picks, "anchor_picks")
    attentive = _read_shares(anchor, anchor_shares) @ anchor.matrix
    weights = _weigh_anchor(attentive, anchor_pick)
    inverse = _left_inverse(question)
    frequency, anchor_frequency = observed.sum(axis=1) / n, observed.sum(axis=0) / n
    careless = float(weights @ (anchor_frequency - attentive))
    _refuse_nobody(careless)
    fit = _test_fit(question, (*question.matrix, pick), observed.sum(axis=1))
    anchor_fit = _test_fit(anchor, (attentive, anchor_pick), observed.sum(axis=0))
    value = inverse @ (frequency - careless * pick) / (1 - careless)
    # the influence of a person on the careless share, by the report to the anchor
    on_careless = weights - weights @ anchor_frequency
    on_question = (inverse - (inverse @ frequency)[:, None]) / (1 - careless)
    on_value = (value - inverse @ pick) / (1 - careless)
    return InattentionCorrection(
        labels=question.frame.answers,
        careless=careless,
        value=value,
        uncorrected=inverse @ frequency,
        covariance=_covariance(on_careless, on_question, on_value, observed),
        uncorrected_covariance=_invert_multinomial(inverse, frequency) / n,
        level=level,
        reports=int(n),
        goodness_of_fit=joined_fits({"the question": fit, "the anchor": anchor_fit}),
    )


def _test_fit(channel: Channel, rows: Sequence[Floats], counts: Floats) -> GoodnessOfFit:
    """Test reports against mixtures of what attentive people send and what others pick."""
    return fit_of_rows(np.vstack(rows), counts, channel.reports)


def _refuse_nobody(careless: float) -> None:
    """Refuse to divide by a share of attentive people of zero."""
    if careless > 1 - _NOBODY:
        raise NotIdentified(
            "counts",
            got=f"a share of inattentive people of {careless:.3f}",
            allowed="an anchor at which somebody is attentive",
            remedy="check the known shares of the anchor, and its channel",
        )


def _covariance(
    on_careless: Floats, on_question: Floats, on_value: Floats, observed: Floats
) -> Floats:
    """Covariance of the careless share and the shares, from the influence of each pair sent."""
    influence = np.concatenate(
        [
            np.broadcast_to(on_careless, (1, *observed.shape)),
            on_question[:, :, None] + on_value[:, None, None] * on_careless,
        ]
    )
    spread: Floats = np.einsum("aij,bij,ij->ab", influence, influence, observed)
    spread /= observed.sum() ** 2
    return spread


def _invert_multinomial(inverse: Floats, frequency: Floats) -> Floats:
    """Covariance of one report's unbiased estimates of the shares."""
    share = inverse @ frequency
    return (inverse * frequency) @ inverse.T - np.outer(share, share)


def _read_counts(question: Channel, anchor: Channel, counts: Mapping[Any, Any]) -> Floats:
    """The counts as an array, shape (reports to the question, reports to the anchor)."""
    observed = np.zeros((len(question.reports), len(anchor.reports)))
    for pair, count in counts.items():
        is_pair = isinstance(pair, tuple) and len(pair) == 2
        if not is_pair or not isinstance(count, int | np.integer) or count < 0:
            allowed = "pairs of reports, each with how many people sent it"
            raise InputError("counts", got={pair: count}, allowed=allowed)
        refuse_unknown("counts", pair[0], question.reports)
        refuse_unknown("counts", pair[1], anchor.reports)
        observed[question.reports.index(pair[0]), anchor.reports.index(pair[1])] = count
    if not observed.sum():
        raise InputError("counts", got="no report", allowed="at least one pair of reports")
    return observed


def _read_chances(
    reports: tuple[str, ...], chances: Mapping[str, float] | None, where: str
) -> Floats:
    if chances is None:
        return np.full(len(reports), 1 / len(reports))
    for report in chances:
        refuse_unknown(where, report, reports)
    read = np.array([chances.get(report, 0.0) for report in reports], dtype=np.float64)
    if not ((read >= 0).all() and abs(read.sum() - 1) <= _ROUNDING):
        raise InputError(where, got=dict(chances), allowed="chances that sum to one")
    return read


_ROUNDING = 1e-9


def _read_shares(anchor: Channel, shares: Mapping[str, object]) -> Floats:
    for answer in shares:
        refuse_unknown("anchor_shares", answer, anchor.frame.answers)
    read = {answer: chance(share, f"anchor_shares[{answer!r}]") for answer, share in shares.items()}
    if abs(float(sum(read.values())) - 1) > _ROUNDING:
        raise InputError(
            "anchor_shares",
            got=str({answer: str(share) for answer, share in read.items()}),
            allowed="the known share of each answer, one together",
        )
    return np.array([float(read.get(answer, 0)) for answer in anchor.frame.answers])


def _weigh_anchor(attentive: Floats, pick: Floats) -> Floats:
    """The weight of each report to the anchor in the share of inattentive people."""
    apart, both = pick - attentive, (pick + attentive) / 2
    weighed = np.divide(apart, both, out=np.zeros_like(apart), where=both > 0)
    distance = float(weighed @ apart)
    if distance < _NOBODY:
        raise NotIdentified(
            "anchor_shares",
            got="reports as frequent as picks by chance",
            allowed="an anchor whose reports differ from those of inattentive people",
            remedy="ask it through other chances, or take a statement that is true of fewer people",
        )
    return weighed / distance


def _left_inverse(channel: Channel) -> Floats:
    """Weights of reports for each share, unbiased and with the least spread if answers are even."""
    matrix, chances = channel.matrix, channel.matrix.mean(axis=0)
    weighed = np.divide(matrix, chances, out=np.zeros_like(matrix), where=chances > 0)
    gram = weighed @ matrix.T
    if np.linalg.matrix_rank(gram, tol=_NOBODY) < len(gram):
        raise NotIdentified(
            "question",
            got="answers that are reported alike",
            allowed="a channel that distinguishes its answers",
        )
    return np.linalg.solve(gram, weighed)
