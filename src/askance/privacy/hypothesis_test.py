"""Hypothesis tests between two answers from reports: rejection rule and error probabilities."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise, permutations
from typing import Any, final

from askance.channels.channel import Channel
from askance.privacy.losses import messages, some_pairs, two_answers, units
from askance.privacy.tradeoff import (
    MOST_NESTED,
    READ,
    Events,
    View,
    chain,
    events,
    laws_of,
    nested,
    repeated,
    rows_of,
)
from askance.privacy.tradeoff_function import ranking, to_integers
from askance.results import Listing, kept_mapping, listed, number, result_frame, result_stream
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown
from askance_collect.exact.ratio import chance

Corner = tuple[Fraction, Fraction, int]
"""Errors α and β of the test that accuses on a set, and the set as a mask."""


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Attack:
    """A randomised test of one answer against another, with its two errors.

    Attributes
    ----------
    pair : tuple of str
        The innocent answer x, and the one that it accuses of, x′.
    view : View
    rejection_chances : mapping of str to Fraction
        The chance with which it accuses at each report, message or answer.
    alpha, beta : Fraction
        Its errors in that view: of accusing x, and of not accusing x′.

    >>> half = Fraction(1, 2)
    >>> shared = {"view": View.REPORTS, "rejection_chances": {"yes": half}}
    >>> Attack(pair=("no", "yes"), alpha=half, beta=half, **shared).beta
    Fraction(1, 2)
    """

    pair: tuple[str, str]
    view: View
    rejection_chances: Mapping[str, Fraction]
    alpha: Fraction
    beta: Fraction

    def to_dict(self) -> Json:
        """Write the test for JSON, fractions as strings."""
        return {
            "pair": list(self.pair),
            "view": self.view.name.lower(),
            "accuses": {name: str(share) for name, share in self.rejection_chances.items()},
            "alpha": str(self.alpha),
            "beta": str(self.beta),
        }

    def _frame(self) -> dict[str, Any]:
        accuses = {name: float(share) for name, share in self.rejection_chances.items()}
        return {"report": [*accuses], "accuses": [*accuses.values()]}

    def _table(self) -> Listing:
        rows = [[name, number(float(share))] for name, share in self.rejection_chances.items()]
        return _title(self.pair, self.view), ["sees", "accuses"], rows, [_errors(self)]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RepeatedAttack:
    """The likelihood-ratio test of one answer against another from several independent reports.

    Attributes
    ----------
    pair : tuple of str
        The innocent answer x, and the one that it accuses of, x′.
    view : View
    times : int
        k, the number of reports.
    ratios : mapping of str to Fraction or float
        How many times as likely each report, message or answer is from x′; infinite where x cannot
        send it. What neither can send is left out.
    threshold : Fraction or float
        Where the product of the ratios is larger, it accuses.
    chance_at_threshold : Fraction
        The chance with which it accuses where the product is the threshold.
    alpha, beta : Fraction
        Its errors in that view, exact.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> test = repeated_test(q, "no", "yes", "1/16", 2)
    >>> test.threshold, test.chance_at_threshold, test.rejection_chance(["yes", "yes"]), test.beta
    (Fraction(9, 1), Fraction(1, 1), Fraction(1, 1), Fraction(7, 16))
    """

    pair: tuple[str, str]
    view: View
    times: int
    ratios: Mapping[str, Fraction | float]
    threshold: Fraction | float
    chance_at_threshold: Fraction
    alpha: Fraction
    beta: Fraction

    @checked
    def rejection_chance(self, observations: Sequence[str]) -> Fraction:
        """The rejection probability after these reports, messages or answers.

        Raises
        ------
        InputError
            If there are not as many as the test is for, or one cannot be sent.
        """
        if isinstance(observations, str) or len(observations) != self.times:
            raise InputError("observations", got=observations, allowed=f"a list of {self.times}")
        for observation in observations:
            refuse_unknown("observations", observation, self.ratios)
        parts = [_as_integers(self.ratios[observation]) for observation in observations]
        above, below = (math.prod(side) for side in zip(*parts, strict=True))
        bar, under = _as_integers(self.threshold)
        if above * under == bar * below:
            return self.chance_at_threshold if above or below else Fraction(0)
        return Fraction(above * under > bar * below)

    def to_dict(self) -> Json:
        """Write the test for JSON, fractions as strings."""
        return {
            "pair": list(self.pair),
            "view": self.view.name.lower(),
            "times": self.times,
            "ratios": {name: str(ratio) for name, ratio in self.ratios.items()},
            "bar": str(self.threshold),
            "at_bar": str(self.chance_at_threshold),
            "alpha": str(self.alpha),
            "beta": str(self.beta),
        }

    def _frame(self) -> dict[str, Any]:
        ratios = {name: float(ratio) for name, ratio in self.ratios.items()}
        return {"report": [*ratios], "ratio": [*ratios.values()]}

    def _table(self) -> Listing:
        rows = [[name, number(float(ratio))] for name, ratio in self.ratios.items()]
        bar = (
            f"accuses where the product of {self.times} ratios is over "
            f"{number(float(self.threshold))}, and with chance "
            f"{number(float(self.chance_at_threshold))} at it"
        )
        return _title(self.pair, self.view), ["sees", "ratio"], rows, [bar, _errors(self)]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def attack(
    channel: Channel,
    x: str,
    other: str,
    rejection_chances: Mapping[str, object],
    *,
    view: View = View.MESSAGES,
) -> Attack:
    r"""Type I and type II error of a randomised test that you choose.

    .. math::

       \alpha = \sum_E m_x(E)\, \varphi(E), \qquad \beta = 1 - \sum_E m_{x'}(E)\, \varphi(E)

    by reports or messages. A test that sees single answers meets vague reports too: its errors are
    then intervals, of which the pessimistic view gives the upper ends and the attacker's the lower,

    .. math::

       \alpha \in [\underline{E}_x \varphi, \overline{E}_x \varphi], \qquad
       \beta \in [1 - \overline{E}_{x'} \varphi, 1 - \underline{E}_{x'} \varphi].

    Parameters
    ----------
    channel : Channel
    x, other : str
        The innocent answer x, and the one that the test looks for, x′.
    rejection_chances : mapping of str to probability
        φ: the chance that the test says x′ at each report, message or answer, by the names that
        `best_test` has in the view; 0 where left out.
    view : View
        Any but OPTIMISTIC, which is a bound and no test's errors.

    Returns
    -------
    Attack
        Exact.

    Raises
    ------
    InputError
        If a chance is no probability, a name or an answer is unknown, or the view is OPTIMISTIC.

    References
    ----------
    Neyman & Pearson (1933), section III; Li, Zhou, Qin & Xu (2022), section 4, for lower and upper
    errors.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> test = attack(q, "no", "yes", {"yes": 1, "yes or no": "1/2"})
    >>> test.alpha, test.beta
    (Fraction(1, 4), Fraction(1, 4))
    >>> worse = attack(q, "no", "yes", {"yes": 1}, view=View.PESSIMISTIC)
    >>> worse.alpha, worse.beta
    (Fraction(2, 5), Fraction(2, 5))
    """
    x_row, other_row = rows_of(channel, x, other)
    by_answer = view in {View.PESSIMISTIC, View.ATTACKER}
    if view is View.OPTIMISTIC:
        raise _no_test_error("attack.view", view)
    if by_answer:
        names: Sequence[str] = channel.output.answers
    else:
        laws = laws_of(channel, x_row, other_row, view)
        names = [name for (name,), _, _ in laws]
    for name in rejection_chances:
        refuse_unknown("attack.rejection_chances", name, names)
    rule = {
        name: chance(rejection_chances.get(name, 0), f"attack.rejection_chances[{name!r}]")
        for name in names
    }
    if by_answer:
        alpha, power = _expected_errors(channel, x_row, other_row, list(rule.values()), view)
    else:
        shares = list(rule.values())
        alpha, power = (
            sum((units * share for units, share in zip(row, shares, strict=True)), Fraction(0))
            / sum(row)
            for row in zip(*((first, second) for _, first, second in laws), strict=True)
        )
    return Attack(
        pair=(x, other),
        view=view,
        rejection_chances=kept_mapping(rule),
        alpha=alpha,
        beta=1 - power,
    )


@checked
def best_test(
    channel: Channel,
    x: str,
    other: str,
    alpha: object,
    *,
    view: View = View.MESSAGES,
) -> Attack:
    """Most powerful test (Neyman–Pearson) between two answers at a type I error.

    Parameters
    ----------
    channel : Channel
    x, other : str
        The innocent answer, and the one that the test looks for.
    alpha : number
        α, the chance of a false alarm, used to the full.
    view : View
        Any but OPTIMISTIC, which is a bound and no test's errors.

    Raises
    ------
    InputError
        If α is no chance, an answer is not in the frame, or the view is OPTIMISTIC.

    References
    ----------
    Neyman & Pearson (1933), section III; Huber & Strassen (1973), Theorem 4.1, for the minimax
    test of the pessimistic view.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> best_test(q, "yes", "no", 0.05)
    'yes' against 'no', message by message: sets of answers, taken as they are
    sees       accuses
    yes              0
    no             0.5
    yes or no        0
    α = 0.05, β = 0.7
    """
    level = chance(alpha, "best_test.alpha")
    names, steps = _nested_corners(channel, *rows_of(channel, x, other), view)
    beta, inner, outer, part = min(
        (b0 + (b1 - b0) * share, inner, outer, share)
        for (a0, b0, inner), (a1, b1, outer) in steps
        if a0 <= level <= a1
        for share in [(level - a0) / (a1 - a0) if a1 > a0 else Fraction(1)]
    )
    rejection_chances = {
        name: Fraction(inner >> i & 1) or part * (outer >> i & 1) for i, name in enumerate(names)
    }
    return Attack(
        pair=(x, other),
        view=view,
        rejection_chances=kept_mapping(rejection_chances),
        alpha=level,
        beta=beta,
    )


@checked
def worst_test(channel: Channel, alpha: object, *, view: View = View.MESSAGES) -> Attack:
    """Most powerful test between two answers, at the pair of answers that fares worst.

    Of the tests of all ordered pairs with this type I error, one with the least type II error; it
    attains `worst_tradeoff` in the same view. Same bounds and errors as `best_test`.

    Parameters
    ----------
    channel : Channel
    alpha : probability
        Type I error.
    view : str
        As in `best_test`.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import KAry
    >>> worst_test(KAry(truth="3/5").channel(Frame(["a", "b", "c"])), "1/5").rejection_chances["b"]
    Fraction(1, 1)
    """
    answers = channel.frame.answers
    pairs = some_pairs([channel]) if view in READ else permutations(range(len(answers)), 2)
    tests = [best_test(channel, answers[x], answers[y], alpha, view=view) for x, y in pairs]
    if not tests:
        raise InputError("worst_test", got="one answer", allowed="two or more answers")
    return min(tests, key=lambda test: test.beta)


@checked
def repeated_test(
    channel: Channel,
    x: str,
    other: str,
    alpha: object,
    times: int,
    *,
    view: View = View.PESSIMISTIC,
) -> RepeatedAttack:
    r"""Most powerful test of two answers from several independent reports of the same one.

    .. math:: \prod_{i=1}^k \frac{p'(y_i)}{p(y_i)} > t

    accuses. By reports or messages p and p′ are the rows. In the pessimistic view they are the
    least favourable pair: whatever each vague report is resolved to, even with an eye to the
    others, its errors are never larger, and no test does better against the worst resolution.

    Parameters
    ----------
    channel : Channel
    x, other : str
        The innocent answer, and the one that the test looks for.
    alpha : number
        α, the chance of a false alarm, used to the full.
    times : int
        k, the number of reports.
    view : View
        PESSIMISTIC, MESSAGES or REPORTS.

    Returns
    -------
    RepeatedAttack
        Its errors are exact; they are on `tradeoff` with the same ``times``.

    Raises
    ------
    InputError
        If α is no chance, an answer is unknown, the view is another, or there are too many reports
        to go through (20,000 counts of different ratios).

    References
    ----------
    Huber & Strassen (1973), Theorem 4.1 and Corollary 4.2, for the pair and its products; Neyman &
    Pearson (1933), section III.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> test = repeated_test(q, "no", "yes", "1/20", 5)
    >>> test
    'no' against 'yes', answer by answer, each vague report resolved against the one who tests
    sees   ratio
    yes      1.5
    no    0.6667
    accuses where the product of 5 ratios is over 3.375, and with chance 0.5177 at it
    α = 0.05, β = 0.7881
    >>> test.rejection_chance(["yes", "yes", "yes", "no", "yes"])  # 1.5⁴/1.5 is the bar
    Fraction(497, 960)
    """
    if view is View.OPTIMISTIC:
        raise _no_test_error("repeated_test.view", view)
    level = chance(alpha, "repeated_test.alpha")
    laws = laws_of(channel, *rows_of(channel, x, other), view)
    outcomes = [(names, first, second) for names, first, second in laws if first or second]
    masses = [first for _, first, _ in outcomes], [second for _, _, second in outcomes]
    bar, at_bar, beta = _find_bar(*repeated(*masses, times), level)
    scale = Fraction(*map(sum, masses))
    return RepeatedAttack(
        pair=(x, other),
        view=view,
        times=int(times),
        ratios=kept_mapping(
            {
                name: _ratio(first, second, scale)
                for names, first, second in outcomes
                for name in names
            }
        ),
        threshold=bar * scale ** int(times),
        chance_at_threshold=at_bar,
        alpha=level,
        beta=beta,
    )


def _nested_corners(
    channel: Channel, x: int, other: int, view: View
) -> tuple[Sequence[str], Iterable[tuple[Corner, Corner]]]:
    """Name what the test sees, and pair the nested sets between which it may mix."""
    if view in READ:
        channel, x, other = two_answers(channel, x, other)
    match view:
        case View.REPORTS:
            rows, _ = units(channel)
            return channel.reports, pairwise(
                _rank_outcomes(to_integers(rows[x]), to_integers(rows[other]))
            )
        case View.MESSAGES:
            read = messages(channel)
            names = channel.output.wordings(int(mask) for mask in read.masks)
            return names, pairwise(
                _rank_outcomes(to_integers(read.masses[x]), to_integers(read.masses[other]))
            )
        case View.PESSIMISTIC:
            sets = events(channel, x, other)
            corners = _corners(sets, sets.cautious())
            return channel.output.answers, pairwise(corners[mask] for mask in chain(sets))
        case View.ATTACKER:
            sets = events(channel, x, other, MOST_NESTED)
            corners = _corners(sets, sets.bold())
            pairs = zip(*nested(sets.size), strict=True)
            return channel.output.answers, ((corners[a], corners[b]) for a, b in pairs)
    raise _no_test_error("best_test.view", view)


def _expected_errors(
    channel: Channel, x: int, other: int, rule: Sequence[Fraction], view: View
) -> tuple[Fraction, Fraction]:
    """Take the upper and the lower expectation of a test, or the lower and the upper."""
    read = messages(channel)
    sure = [[share for i, share in enumerate(rule) if mask >> i & 1] for mask in read.masks]
    ends = (max, min) if view is View.PESSIMISTIC else (min, max)
    rows = to_integers(read.masses[x]), to_integers(read.masses[other])
    alarm, power = (
        sum((mass * end(shares) for mass, shares in zip(row, sure, strict=True)), Fraction(0))
        / sum(row)
        for row, end in zip(rows, ends, strict=True)
    )
    return alarm, power


def _find_bar(
    first: Sequence[int], second: Sequence[int], level: Fraction
) -> tuple[Fraction | float, Fraction, Fraction]:
    """Find the ratio at which a test uses up its level, its chance there, and its other error."""
    alarms, misses = sum(first), sum(second)
    alarm, missed, wanted = 0, misses, level * alarms
    groups = groupby(ranking(first, second), lambda i: _ratio(first[i], second[i]))
    while True:
        ratio, group = next(groups)
        places = list(group)
        first_mass, second_mass = sum(first[i] for i in places), sum(second[i] for i in places)
        if first_mass and alarm + first_mass >= wanted:
            part = (wanted - alarm) / first_mass
            return ratio, part, (missed - part * second_mass) / misses
        alarm, missed = alarm + first_mass, missed - second_mass


def _ratio(first: int, second: int, scale: Fraction = Fraction(1)) -> Fraction | float:
    return Fraction(second, first) * scale if first else math.inf


def _as_integers(ratio: Fraction | float) -> tuple[int, int]:
    return ratio.as_integer_ratio() if isinstance(ratio, Fraction) else (1, 0)


def _title(pair: tuple[str, str], view: View) -> str:
    return f"{pair[0]!r} against {pair[1]!r}, {view.value}"


def _errors(test: Attack | RepeatedAttack) -> str:
    return f"α = {number(float(test.alpha))}, β = {number(float(test.beta))}"


def _no_test_error(where: str, view: View) -> InputError:
    allowed = ", ".join(view.name for view in View if view is not View.OPTIMISTIC)
    return InputError(where, got=view.name, allowed=allowed)


def _rank_outcomes(first: Sequence[int], second: Sequence[int]) -> Iterator[Corner]:
    alarms, misses = sum(first), sum(second)
    alarm, missed, mask = 0, misses, 0
    yield Fraction(0), Fraction(1), mask
    for outcome in ranking(first, second):
        alarm, missed, mask = alarm + first[outcome], missed - second[outcome], mask | 1 << outcome
        yield Fraction(alarm, alarms), Fraction(missed, misses), mask


def _corners(read: Events, errors: Sequence[tuple[int, int]]) -> list[Corner]:
    alarms, misses = read.totals
    return [(Fraction(a, alarms), Fraction(b, misses), mask) for mask, (a, b) in enumerate(errors)]
