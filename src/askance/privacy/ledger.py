"""Several reports about one trait: what they give away together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.privacy.guarantee import AlikePairs, Guarantee, Notion, Pairs, Ratio
from askance.privacy.loss_distribution import (
    MOST,
    AnswerPair,
    GaussianLimit,
    PrivacyLossDistribution,
    gaussian_limit,
    kfold,
)
from askance.privacy.losses import (
    belief_loss,
    local_loss,
    messages,
    plausibility_loss,
    shafer_loss,
    some_pairs,
    two_answers,
    units,
    walley_loss,
)
from askance.privacy.tradeoff import View, least_favourable
from askance.privacy.tradeoff_function import TradeoffFunction
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotComparable, listed_names
from askance_collect.exact.ratio import read_integer

_JUDGES = {
    Notion.LOCAL: local_loss,
    Notion.SHAFER: shafer_loss,
    Notion.BELIEF: belief_loss,
    Notion.PLAUSIBILITY: plausibility_loss,
    Notion.WALLEY: walley_loss,
}
_USUAL = (Notion.LOCAL, Notion.SHAFER, Notion.WALLEY)
_TIGHT = {Notion.LOCAL: View.REPORTS, Notion.SHAFER: View.MESSAGES}
_BY_REPORT = {*_TIGHT, *_TIGHT.values()}
"""What is said of reports or messages as they are; other notions and views are of answers."""


@final
class Interaction(Enum):
    """How a report depends on those before it; each member's value says it in one sentence."""

    INDEPENDENT = "the question was fixed beforehand and every report draws fresh random bits"
    FROM_ANSWERS = "the question was chosen after all earlier messages were resolved to answers"
    FROM_MESSAGES = (
        "the question was chosen after earlier messages were read, by somebody who knew nothing "
        "else"
    )
    UNKNOWN = "the dependence between the reports' random bits is unknown"


_BREAKS = {
    Interaction.FROM_MESSAGES: (
        "read",
        "resolved answers",
        "losses do not add up: a question without any loss of its own, whose reply says whether "
        "the first message was vague, can raise a plausibility ratio of 55/51 to 5; use "
        "loss(Notion.SHAFER), which is never smaller than the loss of belief and of plausibility",
    ),
    Interaction.FROM_ANSWERS: (
        "resolved",
        "messages",
        "losses do not add up: if the answer decides how a vague message is resolved, the next "
        "question reveals it; enter FROM_MESSAGES if the messages were resolved without knowing "
        "the answer",
    ),
}
"""Where each way to choose breaks the sum: what was done, what may be done, and why."""

_UNTIGHT = (
    "nothing tighter than the sum of losses holds for readers who resolve vague reports together: "
    "two reports with truth and lie 2/5 (ε = ln 3/2 each) let them tell answers apart by .36 where "
    "a tight bound says .2"
)


@final
@dataclass(frozen=True, slots=True)
class Ledger:
    """Privacy accountant of one trait: what all its reports give away; an entry, a new ledger.

    The trait is the same in all reports, and each draws fresh chance. Where draws are kept for
    several rounds, or answers change, take `loss_over_rounds`.

    Attributes
    ----------
    entries : tuple of (Channel, int)
        How many reports were sent by each channel, in order.
    interactions : frozenset of Interaction
        How reports depended on those before them.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemmas 3 and 15, Corollaries 6 and 19, as corrected.

    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
    >>> ledger = Ledger().spend(q, times=50)
    >>> ledger.loss(Notion.SHAFER).epsilon, round(ledger.epsilon(1e-6), 4)
    (89.587974, 78.7488)
    """

    entries: tuple[tuple[Channel, int], ...] = ()
    interactions: frozenset[Interaction] = frozenset()

    @checked
    def spend(
        self,
        channel: Channel,
        times: int = 1,
        *,
        interaction: Interaction = Interaction.INDEPENDENT,
    ) -> "Ledger":
        """Enter further reports, and how they depend on those before.

        A question that was chosen along the way is entered as the weakest that could have been
        chosen: one whose losses, and whose curves if they are asked for, bound those of each, for
        every pair of answers.

        Raises
        ------
        InputError
            If the channel has other answers than those before, ``times`` is not in [1, 10000], or
            the interaction is unknown: then nothing bounds what the reports give away.
        """
        if interaction is Interaction.UNKNOWN:
            raise InputError(
                "Ledger.spend.interaction",
                got="UNKNOWN",
                allowed="an interaction that is known",
                remedy="reports that share random bits can together reveal what each hides: a "
                "reply, and the coin that decided whether it was true; draw fresh bits for every "
                "report",
            )
        count = read_integer(times, "Ledger.spend.times", f"a whole number in [1, {MOST}]", 1, MOST)
        if self.entries and channel.frame != self.frame:
            raise InputError(
                "Ledger.spend.channel",
                got=f"answers {listed_names(channel.frame.answers)}",
                allowed=f"the answers entered before: {listed_names(self.frame.answers)}",
                remedy="keep one ledger for each trait",
            )
        return Ledger((*self.entries, (channel, count)), self.interactions | {interaction})

    @property
    def frame(self) -> Frame:
        """The answers that all entries are about."""
        if not self.entries:
            raise InputError(
                "Ledger", got="no reports", allowed="one or more", remedy="add them with spend(…)"
            )
        return self.entries[0][0].frame

    @property
    def reports(self) -> int:
        """How many reports were entered."""
        return sum(times for _, times in self.entries)

    @checked
    def loss(self, notion: Notion) -> Guarantee:
        """Bound one loss of all reports together: the matrices of pairs of answers add.

        Raises
        ------
        NotComparable
            If the notion has no matrix of pairs.
        InputError
            If there is no entry, or a question was chosen in a way under which this loss does not
            add: after messages were read, for beliefs, plausibilities and Walley's loss; after they
            were resolved, for what is said of the messages themselves.
        """
        answers = self.frame.answers
        if notion not in _JUDGES:
            raise NotComparable(
                "Ledger.loss",
                got=notion.name,
                allowed=", ".join(supported.name for supported in _JUDGES),
                remedy="compose() adds up coverages",
            )
        self._refuse_chosen("Ledger.loss", notion)
        judged = [(_JUDGES[notion](channel).pairs, times) for channel, times in self.entries]
        equal_pairs = _add_equal_pairs(judged)
        if equal_pairs is not None:
            where = f"over {self.reports} reports, between any two answers"
            return Guarantee(notion, equal_pairs.off, where, equal_pairs)
        size = range(len(answers))
        pairs: list[list[Ratio]] = [[Fraction(1) for _ in size] for _ in size]
        for ratios, times in judged:
            pairs = [
                [_multiply_ratio(pairs[x][z], ratios[x][z], times) for z in size] for x in size
            ]
        x, z = max(permutations(size, 2), key=lambda pair: pairs[pair[0]][pair[1]], default=(0, 0))
        where = f"over {self.reports} reports, between {answers[x]!r} and {answers[z]!r}"
        return Guarantee(notion, pairs[x][z], where, tuple(map(tuple, pairs)))

    def losses(self) -> tuple[Guarantee, ...]:
        """Bound the local loss, Shafer's and Walley's of all reports together."""
        return tuple(self.loss(notion) for notion in _USUAL)

    @checked
    def loss_distribution(
        self,
        x: str = "",
        other: str = "",
        *,
        notion: Notion = Notion.LOCAL,
        view: View | None = None,
    ) -> PrivacyLossDistribution:
        """Privacy loss distribution of all reports: what speaks for ``other`` and against ``x``.

        It is exact to rounding where losses can be listed, else certified from both sides.

        Parameters
        ----------
        x, other : str
            Two answers; not needed where there are but two.
        notion : Notion
            LOCAL for the reports themselves; SHAFER for messages, the sets of answers that they
            mean. Where several reports mean one set, messages tell less than what is sent.
        view : View, optional
            Who reads the reports, in place of ``notion``: REPORTS, MESSAGES, or PESSIMISTIC, for
            the least favourable laws of the answers. These laws compose exactly: whoever resolves
            all reports against the test can do no worse than report by report. Their curve bounds
            what a test of answers can be sure of; their loss is no privacy guarantee.

        Raises
        ------
        InputError
            If the notion or the view has no tight composition, questions were chosen in a way that
            breaks it, or there are more than 10000 reports.

        References
        ----------
        Huber & Strassen (1973), Theorem 4.1, for the least favourable laws.

        >>> from askance.mechanisms.randomised_response import Abstain
        >>> q = Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
        >>> [round(Ledger().spend(q, 9).loss_distribution(view=view).delta(0), 4)
        ...  for view in (View.MESSAGES, View.PESSIMISTIC)]
        [0.959, 0.4669]
        """
        return _law(self._counts(self._pair(x, other), _read_view(notion, view)))

    @checked
    def tradeoff(
        self,
        x: str = "",
        other: str = "",
        *,
        notion: Notion = Notion.LOCAL,
        view: View | None = None,
    ) -> TradeoffFunction:
        """Trade-off function of all reports together, tight; asked as `loss_distribution` is.

        ``view`` may be OPTIMISTIC too: the pessimistic curve turned around.

        References
        ----------
        Li, Zhou, Qin & Xu (2022), Corollaries 6 and 19, as corrected and for any number of reports.
        """
        curve = self.loss_distribution(x, other, notion=notion, view=_orient_view(view)).tradeoff()
        return curve.reflected() if view is View.OPTIMISTIC else curve

    @checked
    def delta(
        self, epsilon: object = None, *, ratio: object = None, notion: Notion = Notion.LOCAL
    ) -> float:
        """The δ of (ε, δ)-differential privacy of all reports, at ε, over all pairs of answers.

        The ratio e^ε can be given instead.
        """
        laws = self._laws(notion)
        return max((law.delta(epsilon, ratio=ratio) for law in laws), default=0.0)

    @checked
    def epsilon(self, delta: float, *, notion: Notion = Notion.LOCAL) -> float:
        """The least ε of (ε, δ)-differential privacy of all reports, over all pairs of answers."""
        return max((law.epsilon(delta) for law in self._laws(notion)), default=0.0)

    @checked
    def gaussian(
        self,
        x: str = "",
        other: str = "",
        *,
        notion: Notion = Notion.LOCAL,
        view: View | None = None,
    ) -> GaussianLimit:
        """Gaussian approximation (μ-GDP) of many small losses composed, with its error.

        Parameters as for ``tradeoff``. For those who resolve vague reports, it is that of the least
        favourable laws; the optimistic curve has the same with μ below 0.

        References
        ----------
        Dong, Roth & Su (2022), Theorem 3.4; conjectured for both readings by Li, Zhou, Qin & Xu
        (2022) in their conclusion.
        """
        counts = self._counts(self._pair(x, other), _read_view(notion, _orient_view(view)))
        limit = gaussian_limit(dict(counts), _law(counts))
        return replace(limit, mu=-limit.mu) if view is View.OPTIMISTIC else limit

    def _laws(self, notion: Notion) -> list[PrivacyLossDistribution]:
        view, _ = _read_view(notion, None), self.frame
        pairs = some_pairs([channel for channel, _ in self.entries])
        return [_law(counts) for counts in {self._counts(pair, view) for pair in pairs}]

    def _pair(self, x: str, other: str) -> tuple[int, int]:
        frame = self.frame
        if not x and not other and len(frame) == 2:
            return 0, 1
        return frame.index(x), frame.index(other)

    def _counts(self, pair: tuple[int, int], view: View) -> tuple[tuple[AnswerPair, int], ...]:
        self._refuse_chosen("Ledger.loss_distribution", view)
        counts: dict[AnswerPair, int] = {}
        for channel, times in self.entries:
            answer_pair = _read_pair(channel, *pair, view)
            counts[answer_pair] = counts.get(answer_pair, 0) + times
        return tuple(counts.items())

    def _refuse_chosen(self, where: str, judgement: Notion | View) -> None:
        """Refuse what does not compose where questions were chosen along the way."""
        by_report = judgement in _BY_REPORT
        chosen = Interaction.FROM_ANSWERS if by_report else Interaction.FROM_MESSAGES
        if chosen in self.interactions:
            after, allowed, remedy = _BREAKS[chosen]
            raise InputError(
                where,
                got=f"{judgement.name}, of a question chosen after messages were {after}",
                allowed=f"questions fixed beforehand, or chosen from {allowed}",
                remedy=remedy,
            )

    def __repr__(self) -> str:
        listed = ", ".join(f"{times} × {_describe_reports(q)}" for q, times in self.entries)
        return f"Ledger({listed or 'nothing spent'})"


def _add_equal_pairs(judged: Sequence[tuple[Pairs, int]]) -> AlikePairs | None:
    """Add the losses of channels that each have one ratio for all pairs; None for others."""
    off: Ratio = Fraction(1)
    on: Ratio = Fraction(1)
    size = 0
    for pairs, times in judged:
        if not isinstance(pairs, AlikePairs):
            return None
        off, on, size = (
            _multiply_ratio(off, pairs.off, times),
            _multiply_ratio(on, pairs.on, times),
            len(pairs),
        )
    return AlikePairs(size, off, on)


def _describe_reports(channel: Channel) -> str:
    oracle = channel.oracle
    return f"{len(channel.reports)} reports" if oracle is None else f"a {oracle.name} oracle"


def _multiply_ratio(had: Ratio, ratio: Ratio, times: int) -> Ratio:
    """Add a loss so many times: multiply the ratio."""
    if math.inf in (had, ratio):
        return math.inf
    return Fraction(had) * Fraction(ratio) ** times


def _orient_view(view: View | None) -> View | None:
    """Take the pessimistic view for the optimistic one, which turns it around."""
    return View.PESSIMISTIC if view is View.OPTIMISTIC else view


def _read_view(notion: Notion, view: View | None) -> View:
    """Find how reports are read, and refuse what has no tight composition."""
    if view in {View.ATTACKER, View.OPTIMISTIC}:
        raise InputError(
            "Ledger.loss_distribution",
            got=view.name,
            allowed="REPORTS, MESSAGES or PESSIMISTIC",
            remedy=f"{_UNTIGHT}; error_floor(ratio=….loss(Notion.WALLEY).value) lies below their "
            "curve"
            if view is View.ATTACKER
            else "it is the curve of the pessimistic law, turned around",
        )
    if view is not None:
        return view
    if notion is Notion.WALLEY:
        raise InputError(
            "Ledger.loss_distribution",
            got="WALLEY",
            allowed="SHAFER or LOCAL",
            remedy=f"{_UNTIGHT}; use loss(Notion.WALLEY), or view=View.PESSIMISTIC where they are "
            "resolved against the reader",
        )
    if notion not in _TIGHT:
        raise InputError(
            "Ledger.loss_distribution",
            got=notion.name,
            allowed="SHAFER or LOCAL",
            remedy="no tight composition of this notion is known; use loss()",
        )
    return _TIGHT[notion]


def _read_pair(channel: Channel, x: int, other: int, view: View) -> AnswerPair:
    """Read two rows exactly: by message, by report, or by the least favourable answers."""
    if view is View.PESSIMISTIC:
        names = channel.frame.answers[x], channel.frame.answers[other]
        laws = [law.values() for law in least_favourable(channel, *names)]
        return AnswerPair.of(*laws)
    channel, x, other = two_answers(channel, x, other)
    rows = messages(channel).masses if view is View.MESSAGES else units(channel)[0]
    masses, other_masses = (
        [Fraction(mass) for mass in rows[answer].tolist()] for answer in (x, other)
    )
    total, other_total = sum(masses), sum(other_masses)
    return AnswerPair.of(
        (mass / total for mass in masses), (mass / other_total for mass in other_masses)
    )


@lru_cache(maxsize=2)
def _law(counts: tuple[tuple[AnswerPair, int], ...]) -> PrivacyLossDistribution:
    return kfold(counts)
