r"""Loss over rounds of memoised reports, for a stated relation between two histories of answers.

A history is the answers of one person in T rounds, x = (x_1, …, x_T). Each answer a keeps one draw
m_a, and the report of a round is drawn from that of its answer. Given the kept draws reports are
independent, so that

.. math:: P(r \mid x) = \prod_a f_a(r_{S_a}), \quad
    f_a(r_S) = \sum_m P_a(m) \prod_{t \in S} W(r_t \mid m), \quad S_a = \{t : x_t = a\}

and the loss is the largest ratio P(r | x) / P(r | x') over all reports r and all pairs of histories
in the relation. Only counts matter: how often each report came while x said a. log f_a is convex in
its counts (a log-sum-exp of linear functions), so that the most likely history of given reports
sends equal reports to one answer.

**Symbols.** With k symbols, ρ = W(m | m)/W(b | m) and n_b reports that read b, the histories of
which they are most likely are those that answer what they report (t ≥ l, and
1 + Σ w_b u_b ≤ ∏ (1 + w_b u_b) for u ≥ 0):

.. math:: \max_x P(r \mid x) \propto \prod_b \bigl(1 + t (\rho^{n_b} - 1)\bigr)

The least likely history spreads every n_b over all answers; it is found by a dynamic programme over
answers whose state is how many reports of each symbol are left. The largest quotient over the
partitions of T is exact.

**Beyond.** By Hölder's inequality the k factors of any history come to at least

.. math:: P(r \mid x') \ge \Bigl( \sum_m \bigl(\prod_a P_a(m)\bigr)^{1/k}
    \bigl(\prod_t W(r_t \mid m)\bigr)^{1/k} \Bigr)^k

which depends on the reports alone. For symbols it is t l^{k−1} k^k ρ^{T/k} or more, against at most
ρ^T: the loss is at most ρ^{T(k−1)/k} / (t l^{k−1} k^k), and ρ^T. Both grow without end, and so does
the loss: over endless rounds everything that was kept becomes known, and two histories of which one
repeats an answer where the other does not can be told apart for certain.

References
----------
Erlingsson, Pihur & Korolova (2014), Theorem 1, whose loss is that of an answer that stays; Ding,
Kulkarni & Yekhanin (2017), on what a change shows; Arcolezi, Pinzón, Palamidessi & Gambs (2023),
whose budget g ε∞ holds for histories that change, and come back, in the same rounds.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from typing import Any, final

import numpy as np

from askance.channels.abstract_oracle import largest_of
from askance.channels.memoised_draws import MemoisedBits, MemoisedDraws, MemoisedSymbols
from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result
from askance.privacy.guarantee import Guarantee, Notion, Ratio
from askance.results import result_frame, result_stream
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_integer

MOST_ROUNDS = 10_000
"""So many rounds are accounted for; beyond, the loss of endless ones holds."""

_WORK = 200_000  # what an exact loss may take, in steps
_SPREAD_WORK = 40_000  # of the dynamic programme, whose steps are dear
_MOST_SPELLS = 20  # rounds of bits that change once
_NOTHING: Ratio = Fraction(1)  # e^ε of reports that say nothing
_TIE = 1e-9  # losses this near in double precision are compared exactly
_DIGITS = 256  # bits that are kept of what is longer
_EXACT_BITS = 4096  # longer powers are rounded


@final
class HistoryRelation(Enum):
    """Which histories of answers may not be told apart; each member's value says it in words."""

    ANY = "any two histories"
    ONE_CHANGE = "histories that change once at most, in a round that nobody knows"
    SAME_ROUNDS_OF_CHANGE = "histories that change, and come back, in the same rounds"
    UNCHANGED = "histories that never change"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LossOverRounds:
    """What the reports of some rounds give away together, between histories in a relation.

    Attributes
    ----------
    relation : HistoryRelation
    rounds : int, optional
        None where they are endless.
    value : Fraction or float
        e^ε, a ratio in [1, ∞].
    exact : bool
        Whether two histories attain it; else it is a proven upper bound.

    >>> any_two = HistoryRelation.ANY
    >>> loss = LossOverRounds(relation=any_two, rounds=6, value=Fraction(36), exact=True)
    >>> loss.epsilon, loss.guarantee
    (3.583519, Guarantee(LOCAL, ε = 3.583519, attained over 6 rounds, any two histories))
    """

    relation: HistoryRelation
    rounds: int | None
    value: Ratio
    exact: bool
    _draws: MemoisedDraws | None = field(default=None, compare=False, repr=False)
    _changes: int | None = field(default=None, compare=False, repr=False)

    @property
    def guarantee(self) -> Guarantee:
        """The loss as a guarantee of local privacy, to compare and to compose."""
        rounds = "endless rounds" if self.rounds is None else _plural(self.rounds)
        return Guarantee(Notion.LOCAL, self.value, f"over {rounds}, {self.relation.value}")

    @property
    def epsilon(self) -> float:
        """The loss ln(value), rounded up to six decimals; infinite where something is certain."""
        return self.guarantee.epsilon

    def to_dict(self) -> Json:
        """Write the loss for JSON; the ratio as a string, exact where it is."""
        return {
            "relation": self.relation.name.lower(),
            "rounds": self.rounds,
            "value": str(self.value),
            "exact": self.exact,
        }

    def __repr__(self) -> str:
        rounds = "endless rounds" if self.rounds is None else _plural(self.rounds)
        sign = "=" if self.exact else "≤"
        return f"LossOverRounds(ε {sign} {self.epsilon} over {rounds}, {self.relation.value})"

    def _chart(self) -> Chart:
        """Describe the loss after each round up to these, or after fifty of endless ones."""
        losses = [self] if self._draws is None else list(self._shorter(self._draws))
        rounds = [math.inf if loss.rounds is None else loss.rounds for loss in losses]
        curve = Series(
            mark=MarkKind.LINE,
            label=self.relation.value + ", at most" * (not all(loss.exact for loss in losses)),
            x=np.array(rounds, dtype=float),
            value=np.array([float(loss.epsilon) for loss in losses]),
        )
        y = Axis(name="epsilon", label="privacy loss ε", limits=(0, math.inf))
        return Chart(series=(curve,), x=Axis(name="rounds"), y=y)

    def _shorter(self, draws: MemoisedDraws) -> "Iterator[LossOverRounds]":
        """Compute the loss after one round, after two, and so on: after 25 numbers of rounds."""
        for count in np.unique(np.geomspace(1, self.rounds or 50, 25).round()):
            yield loss_over_rounds(draws, int(count), relation=self.relation, changes=self._changes)

    def _frame(self) -> dict[str, Any]:
        return {name: [value] for name, value in self.to_dict().items()} | {
            "value": [float(self.value)],
            "epsilon": [self.epsilon],
        }

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _plural(rounds: int) -> str:
    return f"{rounds:,} round{'' if rounds == 1 else 's'}"


@checked
def loss_over_rounds(
    draws: MemoisedDraws,
    rounds: int | None = None,
    *,
    relation: HistoryRelation = HistoryRelation.ANY,
    changes: int | None = None,
) -> LossOverRounds:
    r"""Loss of local privacy over rounds of memoised reports, between histories in a relation.

    .. math:: e^\varepsilon = \max_{(x, x') \in R} \max_r \frac{P(r \mid x)}{P(r \mid x')}

    The module's docstring derives how it is found. It is exact for the rounds of a short study (a
    dozen with few answers), a proven upper bound beyond, and says which.

    Parameters
    ----------
    draws : MemoisedSymbols or MemoisedBits
        As `memoised_draws` of a recipe gives them.
    rounds : int, optional
        T, how many reports each person sends in all; endless if left out.
    relation : HistoryRelation
        R, the widest if left out: any two histories.
    changes : int, optional
        How often an answer changes at most, where histories change in the same rounds; as often as
        it can if left out.

    Raises
    ------
    InputError
        If rounds are not in [1, 10000], or changes are given for another relation.

    References
    ----------
    Erlingsson, Pihur & Korolova (2014); Ding, Kulkarni & Yekhanin (2017); Arcolezi, Pinzón,
    Palamidessi & Gambs (2023).

    >>> draws = MemoisedSymbols(classes=2, symbols=2, truth="6/7", again="17/20")
    >>> loss_over_rounds(draws, 6)
    LossOverRounds(ε = 5.610283 over 6 rounds, any two histories)
    >>> loss_over_rounds(draws).value
    inf
    >>> loss_over_rounds(draws, relation=HistoryRelation.SAME_ROUNDS_OF_CHANGE).value
    Fraction(36, 1)
    """
    allowed = f"a whole number in [1, {MOST_ROUNDS}], or None for endless rounds"
    count = None if rounds is None else read_integer(rounds, "rounds", allowed, 1, MOST_ROUNDS)
    same = relation is HistoryRelation.SAME_ROUNDS_OF_CHANGE
    if changes is not None and not same:
        raise InputError(
            "changes",
            got=f"{changes} with {relation.name}",
            allowed="with SAME_ROUNDS_OF_CHANGE alone",
            remedy="leave it out: the loss of the other relations covers all that they allow",
        )
    draws = _orient_bits(draws)
    if _says_nothing(draws):
        value, exact = _NOTHING, True
    elif same or relation is HistoryRelation.UNCHANGED:
        often = 0 if not same else MOST_ROUNDS if changes is None else changes
        limit = read_integer(
            often, "changes", f"a whole number in [0, {MOST_ROUNDS}]", 0, MOST_ROUNDS
        )
        value, exact = _known_rounds(draws, count, limit)
    elif count is None:
        value, exact = math.inf, True
    else:
        value, exact = _unknown_rounds(draws, count, relation)
    return LossOverRounds(
        relation=relation, rounds=count, value=value, exact=exact, _draws=draws, _changes=changes
    )


@checked
def losses_over_rounds(
    draws: MemoisedDraws, rounds: int | None = None
) -> tuple[LossOverRounds, ...]:
    """Loss of local privacy over rounds of memoised reports, for each relation, widest first.

    >>> draws = MemoisedSymbols(classes=2, symbols=2, truth="6/7", again="17/20")
    >>> for loss in losses_over_rounds(draws, 6):
    ...     print(loss.relation.name, loss.epsilon)
    ANY 5.610283
    ONE_CHANGE 5.610283
    SAME_ROUNDS_OF_CHANGE 3.520467
    UNCHANGED 1.791584
    """
    return tuple(loss_over_rounds(draws, rounds, relation=relation) for relation in HistoryRelation)


def _orient_bits(draws: MemoisedDraws) -> MemoisedDraws:
    """Name the two values of a bit so that a set one is more often reported as set."""
    if isinstance(draws, MemoisedSymbols) or draws.again_truth >= draws.again_lie:
        return draws
    return MemoisedBits(
        classes=draws.classes,
        bits=draws.bits,
        truth=1 - draws.truth,
        lie=1 - draws.lie,
        again_truth=draws.again_lie,
        again_lie=draws.again_truth,
    )


def _says_nothing(draws: MemoisedDraws) -> bool:
    """Whether reports have one law whatever was answered."""
    if isinstance(draws, MemoisedSymbols):
        return draws.step == 1 or draws.classes == 1
    settled = draws.truth == draws.lie and draws.truth in {0, 1}
    return draws.again_truth == draws.again_lie or settled or draws.classes == 1


# --- histories that change in the same rounds -----------------------------------------------------


def _known_rounds(draws: MemoisedDraws, rounds: int | None, changes: int) -> tuple[Ratio, bool]:
    """Multiply the losses of the rounds that share an answer, divided at their worst."""
    parts = min(draws.classes, changes + 1, rounds or draws.classes)
    if rounds is None or (parts > 1 and rounds * _count_partitions(rounds, parts) > _WORK // 2):
        return _multiply_parts(draws, (None,) * parts), rounds is None
    if parts == 1:
        return _multiply_parts(draws, (rounds,)), _is_short(draws, rounds)
    return max(_multiply_parts(draws, sizes) for sizes in _partitions(rounds, parts)), True


def _multiply_parts(draws: MemoisedDraws, sizes: tuple[int | None, ...]) -> Ratio:
    """Multiply the losses of answers that are each given so many times, None for endlessly."""
    if isinstance(draws, MemoisedSymbols):
        return _product(_repeated_symbol(draws, size) for size in sizes)
    bits = [_repeated_bit(draws, size) for size in sizes]
    above, below = [ratio for ratio, _ in bits], [ratio for _, ratio in bits]
    if len(sizes) <= draws.bits > 1:
        return _product([*above, *below])
    if len(sizes) == 1:
        return max(above[0], below[0])
    return max(
        _product([*above[:i], *above[i + 1 :], *below[:j], *below[j + 1 :]])
        for i, j in permutations(range(len(sizes)), 2)
    )


def _product(ratios: Iterable[Ratio]) -> Ratio:
    total: Ratio = Fraction(1)
    for ratio in ratios:
        total *= ratio
    return total


@lru_cache(1 << 12)
def _repeated_symbol(draws: MemoisedSymbols, rounds: int | None) -> Ratio:
    """Ratio of the chances that one answer, and another, are reported as it so many times."""
    truth, lie, step = draws.truth, draws.lie, draws.step
    faded = Fraction(0) if rounds is None or step is None else _round_power(1 / step, rounds)
    return largest_of(truth + (1 - truth) * faded, lie + (1 - lie) * faded)


@lru_cache(1 << 12)
def _repeated_bit(draws: MemoisedBits, rounds: int | None) -> tuple[Ratio, Ratio]:
    """Ratios of so many reports of a bit, under its own answer over another and back.

    They tell most where all are set or none is.
    """
    above, below = [], []
    for set_chance, unset_chance in (
        (draws.again_truth, draws.again_lie),
        (1 - draws.again_truth, 1 - draws.again_lie),
    ):
        from_set, from_unset = _scale_powers(set_chance, unset_chance, rounds)
        own, other = (w * from_set + (1 - w) * from_unset for w in (draws.truth, draws.lie))
        above.append(largest_of(own, other))
        below.append(largest_of(other, own))
    return max(above), max(below)


def _scale_powers(
    chance: Fraction, other: Fraction, rounds: int | None
) -> tuple[Fraction, Fraction]:
    """Raise two unequal chances to so many rounds, up to a common factor: the larger becomes 1."""
    if chance < other:
        smaller, larger = _scale_powers(other, chance, rounds)
        return larger, smaller
    return Fraction(1), Fraction(0) if rounds is None else _round_power(other / chance, rounds)


def _round_power(base: Fraction, rounds: int) -> Fraction:
    """Raise a ratio below 1; where that is long, round it down in the 60th digit.

    A loss only grows by that.
    """
    if rounds * base.denominator.bit_length() <= _EXACT_BITS:
        return base**rounds
    step, mantissa = int(base * (1 << _DIGITS)), 1 << _DIGITS
    for bit in f"{rounds:b}":
        mantissa = mantissa * mantissa >> _DIGITS
        mantissa = mantissa * step >> _DIGITS if bit == "1" else mantissa
    return Fraction(mantissa, 1 << _DIGITS)


def _partitions(total: int, parts: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """Write a number as a sum of so many whole numbers at most, each way once, descending.

    >>> list(_partitions(4, 2))
    [(4,), (3, 1), (2, 2)]
    """
    if total == 0:
        yield ()
        return
    for first in range(min(total, largest or total), -(-total // parts) - 1, -1):
        if parts > 1 or first == total:
            for rest in _partitions(total - first, parts - 1, first):
                yield first, *rest


@lru_cache(1 << 12)
def _count_partitions(total: int, parts: int) -> int:
    """Count these sums, or some of them where they are too many."""
    counts = [1] + [0] * total
    for size in range(1, min(parts, total) + 1):
        for i in range(size, total + 1):
            counts[i] += counts[i - size]
        if counts[total] > _WORK:
            break
    return counts[total]


# --- histories that need not change together ------------------------------------------------------


def _unknown_rounds(
    draws: MemoisedDraws, rounds: int, relation: HistoryRelation
) -> tuple[Ratio, bool]:
    """Find the loss exactly where that takes few steps, else bound it."""
    if rounds > 1 and _shows_what_is_kept(draws):
        return math.inf, True
    if rounds == 1:
        return _known_rounds(draws, 1, 0)
    any_two = relation is HistoryRelation.ANY
    if isinstance(draws, MemoisedSymbols):
        if any_two and _spread_steps(draws, rounds) <= _SPREAD_WORK:
            return _any_symbols(draws, rounds), draws.classes == draws.symbols
        if not any_two and _one_change_steps(draws, rounds) <= _WORK:
            return _one_change_symbols(draws, rounds), True
    elif any_two and _table_steps(draws, rounds) <= _WORK:
        return _any_bits(draws, rounds), True
    elif not any_two and rounds <= _MOST_SPELLS:
        return _one_change_bits(draws, rounds), True
    return _bound(draws, rounds, relation), False


def _shows_what_is_kept(draws: MemoisedDraws) -> bool:
    """Whether a report is what is kept: then two that differ rule out an answer that stayed."""
    if isinstance(draws, MemoisedSymbols):
        return draws.step is None
    return draws.again_truth == 1 and draws.again_lie == 0


def _spread_steps(draws: MemoisedSymbols, rounds: int) -> int:
    """Count the steps of the dynamic programme, about."""
    columns = min(draws.symbols, rounds)
    if _count_partitions(rounds, columns) > _WORK // 100:
        return _WORK + 1
    return sum(
        2 * math.prod(n + 1 for n in sizes)
        + (len(_answers(draws, sizes)) - 2) * math.prod((n + 1) * (n + 2) // 2 for n in sizes)
        for sizes in _partitions(rounds, columns)
    )


def _answers(draws: MemoisedSymbols, sizes: tuple[int, ...]) -> list[int]:
    """List answers that a history may give: those whose symbols are reported, and others (−1)."""
    others = min(draws.symbols - len(sizes), sum(sizes))
    return [*range(len(sizes)), *[-1] * others]


def _any_symbols(draws: MemoisedSymbols, rounds: int) -> Ratio:
    """Loss between any two histories: the best quotient over how often each symbol is reported."""
    columns = min(draws.symbols, rounds)
    return max(_spread_quotient(draws, sizes) for sizes in _partitions(rounds, columns))


def _spread_quotient(draws: MemoisedSymbols, sizes: tuple[int, ...]) -> Fraction:
    """Divide the largest chance of reports of such numbers by the smallest, over all histories.

    The state of the programme is how many reports of each symbol are left to the answers to come.
    """
    answers = _answers(draws, sizes)
    every = list(product(*(range(n + 1) for n in sizes)))
    factors = {
        answer: {counts: _chance_in_parts(draws, counts, answer) for counts in every}
        for answer in set(answers)
    }
    smallest = {sizes: 1}
    for answer in answers[:-1]:
        reached: dict[tuple[int, ...], int] = {}
        for remaining, chance in smallest.items():
            for counts in product(*(range(n + 1) for n in remaining)):
                after = tuple([n - m for n, m in zip(remaining, counts, strict=True)])
                candidate = chance * factors[answer][counts]
                if candidate < reached.get(after, candidate + 1):
                    reached[after] = candidate
        smallest = reached
    last = min(chance * factors[answers[-1]][remaining] for remaining, chance in smallest.items())
    alone = [(0,) * i + (n,) + (0,) * (len(sizes) - i - 1) for i, n in enumerate(sizes)]
    largest = math.prod(factors[i][counts] for i, counts in enumerate(alone))
    spare = factors[0][(0,) * len(sizes)] ** (len(answers) - len(sizes))
    return Fraction(largest * spare, last)


def _chance_in_parts(draws: MemoisedSymbols, counts: tuple[int, ...], answer: int) -> int:
    """Chance of an answer's reports, in parts that depend on how many they are alone."""
    truth, lie, step = draws.truth, draws.lie, draws.step
    assert step is not None
    parts = math.lcm(truth.denominator, lie.denominator)
    more, fewer, total = step.numerator, step.denominator, sum(counts)
    gained: Iterator[int] = (
        int((truth if symbol == answer else lie) * parts)
        * (more**n - fewer**n)
        * fewer ** (total - n)
        for symbol, n in enumerate(counts)
    )
    alone: int = parts * fewer**total
    return alone + sum(gained)


def _one_change_steps(draws: MemoisedSymbols, rounds: int) -> int:
    """Count what one change at an unknown time takes: patterns, subsets and counts."""
    k = draws.symbols
    if k > 8:
        return _WORK + 1
    return (len(_patterns(draws.classes)) * math.comb(rounds + 2 * k - 1, rounds) << k) // 8


@lru_cache(16)
def _patterns(classes: int) -> tuple[tuple[int, ...], ...]:
    """List which of four answers are the same: a, b of one history and a', b' of the other."""
    return tuple(
        pattern
        for pattern in product(range(min(classes, 4)), repeat=4)
        if list(dict.fromkeys(pattern)) == list(range(len(set(pattern))))
    )


def _compositions(total: int, parts: int) -> Integers:
    """Write a number as a sum of so many whole numbers, in every order: shape (ways, parts).

    >>> _compositions(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    rows = np.zeros((1, 0), dtype=np.int64)
    remaining = np.full(1, total, dtype=np.int64)
    for _ in range(parts - 1):
        again = np.repeat(np.arange(len(remaining)), remaining + 1)
        part = np.arange(len(again)) - np.repeat(
            np.cumsum(remaining + 1) - remaining - 1, remaining + 1
        )
        rows = np.column_stack([rows[again], part])
        remaining = remaining[again] - part
    return np.column_stack([rows, remaining])


def _one_change_symbols(draws: MemoisedSymbols, rounds: int) -> Ratio:
    """Loss between histories that change once at most, a first and b later, a' and b'.

    Counted are the reports of each symbol before and after the change of one history; the other's
    comes no later. Its own change is at its best where it takes all of a symbol's reports or none.
    """
    k = draws.symbols
    counts = _compositions(rounds, 2 * k)
    before, after = counts[:, :k], counts[:, k:]
    best, near = -math.inf, []
    for pattern in _patterns(draws.classes):
        bottom = _log_pair(draws, pattern[2:], before, after)
        subsets = product((0, 1), repeat=k) if pattern[0] != pattern[1] else [(0,) * k]
        for subset in subsets:
            first = before * np.array(subset)
            logs = _log_pair(draws, pattern[:2], first, before - first + after) - bottom
            best = max(best, float(logs.max()))
            chosen = np.flatnonzero(logs >= best - _TIE)
            near += [(float(logs[i]), pattern, subset, tuple(counts[i].tolist())) for i in chosen]
    tied = {_sorted_symbols(*case[1:]): case for case in near if case[0] >= best - _TIE}
    return max(_one_change_quotient(draws, *case[1:]) for case in tied.values())


def _sorted_symbols(
    pattern: tuple[int, ...], subset: tuple[int, ...], counts: tuple[int, ...]
) -> tuple[object, ...]:
    """Write a case in canonical form: equal for cases that differ in names of symbols only."""
    k = len(subset)
    columns = (
        (tuple(answer == symbol for answer in pattern), subset[symbol], *counts[symbol::k])
        for symbol in range(k)
    )
    return pattern[0] == pattern[1], pattern[2] == pattern[3], tuple(sorted(columns))


def _log_pair(
    draws: MemoisedSymbols, answers: tuple[int, ...], before: Integers, after: Integers
) -> Floats:
    """Logarithm of the chances of reports before and after a change, up to a common factor."""
    if answers[0] == answers[1]:
        return _log_symbols(draws, answers[0], before + after)
    return _log_symbols(draws, answers[0], before) + _log_symbols(draws, answers[1], after)


def _log_symbols(draws: MemoisedSymbols, answer: int, counts: Integers) -> Floats:
    weights = np.full(draws.symbols, float(draws.lie))
    weights[answer] = float(draws.truth)
    assert draws.step is not None
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(weights) + counts * math.log(draws.step)
    log_chances: Floats = np.logaddexp.reduce(logs, axis=1)
    return log_chances


def _one_change_quotient(
    draws: MemoisedSymbols,
    pattern: tuple[int, ...],
    subset: tuple[int, ...],
    counts: tuple[int, ...],
) -> Fraction:
    k = draws.symbols
    before, after = counts[:k], counts[k:]
    first = [n * chosen for n, chosen in zip(before, subset, strict=True)]
    later = [n - m + o for n, m, o in zip(before, first, after, strict=True)]
    top = _exact_pair(draws, pattern[:2], first, later)
    return top / _exact_pair(draws, pattern[2:], before, after)


def _exact_pair(
    draws: MemoisedSymbols, answers: tuple[int, ...], before: Sequence[int], after: Sequence[int]
) -> Fraction:
    if answers[0] == answers[1]:
        together = [n + m for n, m in zip(before, after, strict=True)]
        return _exact_symbols(draws, answers[0], together)
    return _exact_symbols(draws, answers[0], before) * _exact_symbols(draws, answers[1], after)


def _exact_symbols(draws: MemoisedSymbols, answer: int, counts: Sequence[int]) -> Fraction:
    assert draws.step is not None
    weights = (draws.truth if i == answer else draws.lie for i in range(draws.symbols))
    return sum((w * draws.step**n for w, n in zip(weights, counts, strict=True)), Fraction(0))


# A bit's reports: how many rounds, and in how many of them it is set.


@lru_cache(1 << 14)
def _exact_bit(draws: MemoisedBits, own: bool, rounds: int, often: int) -> Fraction:
    """Chance of a bit that is set so often in the rounds of an answer, its own or another."""
    w, rest = (draws.truth if own else draws.lie), rounds - often
    p, q = draws.again_truth, draws.again_lie
    return w * p**often * (1 - p) ** rest + (1 - w) * q**often * (1 - q) ** rest


@lru_cache(8)
def _log_bits(draws: MemoisedBits, own: bool, rounds: int) -> Floats:
    """Logarithms of these chances, shape (rounds + 1, rounds + 1): by rounds and by how often."""
    w = float(draws.truth if own else draws.lie)
    total, often = np.indices((rounds + 1, rounds + 1))
    rest = np.maximum(total - often, 0)
    with np.errstate(divide="ignore"):
        terms = [
            np.log(share) + _log_power(chance, often) + _log_power(1 - chance, rest)
            for share, chance in ((w, draws.again_truth), (1 - w, draws.again_lie))
        ]
    log_chances: Floats = np.logaddexp(*terms)
    return log_chances


def _log_power(base: Fraction, exponents: Integers) -> Floats:
    """Logarithm of powers; the 0th power is 1 for any base."""
    log = math.log(base) if base else -math.inf
    with np.errstate(invalid="ignore"):
        return np.where(exponents == 0, 0.0, exponents * log)


def _one_change_bits(draws: MemoisedBits, rounds: int) -> Ratio:
    """Loss between histories that change once at most, a first and b later, a' and b'.

    The rounds before both changes, between them and after them are shared by all bits, which are
    independent otherwise.
    """
    cases = [
        (pattern, (before, between, rounds - before - between))
        for pattern in _patterns(draws.classes)
        for before in range(1, rounds)
        for between in range(rounds - before)
    ]
    logs = [
        sum(
            n * _log_spells(draws, own, _stays(case[0]), case[1])
            for own, n in _group_bits(draws, case)
        )
        for case in cases
    ]
    best = max(logs)
    if best == math.inf:
        return math.inf
    return max(
        math.prod(
            _exact_spells(draws, own, _stays(case[0]), case[1]) ** n
            for own, n in _group_bits(draws, case)
        )
        for case, log in zip(cases, logs, strict=True)
        if log >= best - _TIE
    )


def _stays(pattern: tuple[int, ...]) -> tuple[bool, bool]:
    """Whether each history stays."""
    return pattern[0] == pattern[1], pattern[2] == pattern[3]


def _group_bits(
    draws: MemoisedBits, case: tuple[tuple[int, ...], tuple[int, int, int]]
) -> list[tuple[tuple[bool, ...], int]]:
    """Group bits by which of four answers own them, with the size of each group."""
    pattern = case[0]
    labels = set(pattern)
    kinds = [(tuple(answer == label for answer in pattern), 1) for label in labels]
    return [*kinds, ((False,) * 4, draws.bits - len(labels))]


def _spell_counts(spells: tuple[int, int, int]) -> Integers:
    """How often a bit may be set in each spell, shape (ways, 3): at either end of what it can be.

    Given how often it is set before the second change, the first history's chance is convex.
    """
    before, between, after = spells
    rows = [
        (first, until - first, last)
        for until in range(before + between + 1)
        for first in {max(until - between, 0), min(until, before)}
        for last in range(after + 1)
    ]
    return np.array(rows)


@lru_cache(1 << 16)
def _log_spells(
    draws: MemoisedBits,
    own: tuple[bool, ...],
    sames: tuple[bool, bool],
    spells: tuple[int, int, int],
) -> float:
    """Logarithm of a bit's largest ratio over how often it is set in each spell."""
    first, between, last = _spell_counts(spells).T
    before, middle, total = spells[0], spells[1], sum(spells)
    table = {is_own: _log_bits(draws, is_own, total) for is_own in (False, True)}

    def log_pair(pair: tuple[bool, ...], same: bool, n: int, often: Integers) -> Floats:
        rest = first + between + last - often
        if same:
            logs: Floats = table[pair[0]][total, often + rest]
        else:
            logs = table[pair[0]][n, often] + table[pair[1]][total - n, rest]
        return logs

    top = log_pair(own[:2], sames[0], before, first)
    bottom = log_pair(own[2:], sames[1], before + middle, first + between)
    possible = top > -math.inf
    return float((top[possible] - bottom[possible]).max())


@lru_cache(1 << 12)
def _exact_spells(
    draws: MemoisedBits,
    own: tuple[bool, ...],
    sames: tuple[bool, bool],
    spells: tuple[int, int, int],
) -> Fraction:
    """The same ratio, exactly."""
    before, middle, total = spells[0], spells[1], sum(spells)

    def pair(owners: tuple[bool, ...], same: bool, n: int, often: int, rest: int) -> Fraction:
        if same:
            return _exact_bit(draws, owners[0], total, often + rest)
        return _exact_bit(draws, owners[0], n, often) * _exact_bit(
            draws, owners[1], total - n, rest
        )

    return max(
        pair(own[:2], sames[0], before, i, j + m)
        / pair(own[2:], sames[1], before + middle, i + j, m)
        for i, j, m in _spell_counts(spells).tolist()
        if pair(own[2:], sames[1], before + middle, i + j, m)
    )


def _table_steps(draws: MemoisedBits, rounds: int) -> int:
    """Count tables of who answered what and how often a bit was set, up to names of answers."""
    k = draws.classes
    if k > 5:
        return _WORK + 1
    return math.comb(rounds + 2 * k * k - 1, rounds) // math.factorial(k)


def _any_bits(draws: MemoisedBits, rounds: int) -> Ratio:
    """Loss between any two histories: over tables of how often each pair of answers was given.

    Bits are independent, given the table.
    """
    k = draws.classes
    tables = _distinct_tables(rounds, k)
    best, near = -math.inf, []
    for table in tables:
        log = sum(_log_table(draws, table, bit) for bit in range(k))
        if log == math.inf:
            return math.inf
        best = max(best, log)
        if log >= best - _TIE:
            near.append((log, table))
    return max(
        math.prod(_exact_table(draws, table, bit) for bit in range(k))
        for log, table in near
        if log >= best - _TIE
    )


def _distinct_tables(rounds: int, answers: int) -> Integers:
    """List tables of counts over rounds, one for each class under renaming of answers."""
    tables = _compositions(rounds, answers**2).reshape(-1, answers, answers)
    digits = (rounds + 1) ** np.arange(answers**2, dtype=object)
    codes = [
        tables[:, order][:, :, order].reshape(len(tables), -1) @ digits
        for order in map(list, permutations(range(answers)))
    ]
    distinct: Integers = tables[np.equal(codes[0], np.min(codes, axis=0)).astype(bool)]
    return distinct


def _set_counts(table: Integers) -> Integers:
    """How often a bit may be set for each pair of answers, shape (ways, k, k)."""
    ways = np.indices(tuple(table.ravel() + 1)).reshape(table.size, -1).T
    return ways.reshape(-1, *table.shape)


def _log_table(draws: MemoisedBits, table: Integers, bit: int) -> float:
    ways = _set_counts(table)
    top, bottom = (
        sum(
            _log_bits(draws, answer == bit, int(table.sum()))[
                table.sum(axis=axis)[answer], ways.sum(axis=axis + 1)[:, answer]
            ]
            for answer in range(len(table))
        )
        for axis in (1, 0)
    )
    possible = top > -math.inf
    return float((top[possible] - bottom[possible]).max())


def _exact_table(draws: MemoisedBits, table: Integers, bit: int) -> Fraction:
    def of_history(set_counts: Integers, axis: int) -> Fraction:
        pairs = zip(table.sum(axis=axis).tolist(), set_counts.sum(axis=axis).tolist(), strict=True)
        chances = (_exact_bit(draws, i == bit, *pair) for i, pair in enumerate(pairs))
        return math.prod(chances, start=Fraction(1))

    possible = (set_counts for set_counts in _set_counts(table) if of_history(set_counts, 0))
    return max(of_history(set_counts, 1) / of_history(set_counts, 0) for set_counts in possible)


# --- bounds for many rounds -----------------------------------------------------------------------


def _bound(draws: MemoisedDraws, rounds: int, relation: HistoryRelation) -> Ratio:
    """Bound the loss by Hölder's inequality, as the module's docstring derives it."""
    one_change = relation is HistoryRelation.ONE_CHANGE
    if isinstance(draws, MemoisedBits):
        return _bound_of_bits(draws, rounds, 2 if one_change else draws.classes)
    bounds = [_bound_of_symbols(draws, rounds, draws.symbols)]
    if one_change:
        bounds.append(_bound_of_symbols(draws, rounds, 2))
        if _spread_steps(draws, rounds) <= _SPREAD_WORK:
            bounds.append(_any_symbols(draws, rounds))
    return min(bounds)


def _bound_of_symbols(draws: MemoisedSymbols, rounds: int, answers: int) -> Ratio:
    """Bound the loss between histories of so many answers at most, of all symbols or of two."""
    truth, lie, step = draws.truth, draws.lie, draws.step
    assert step is not None
    top = step**rounds
    if not lie:
        return top
    if answers == 2 < draws.symbols:
        return min(top, max(step ** -(-rounds // 2) / 4, Fraction(1)) / lie**2)
    grown = step ** -(-rounds * (answers - 1) // answers)
    shares: Fraction = truth * lie ** (answers - 1) * answers**answers
    return min(top, grown / shares)


def _bound_of_bits(draws: MemoisedBits, rounds: int, answers: int) -> Ratio:
    """Bound the loss of bits, each at its worst, between histories of so many answers at most.

    A bit that is set s times is most likely of a history whose answers are the same or two, one
    where it is set and one where it is not.
    """
    often = np.arange(rounds + 1)
    own, other = (_log_ends(draws, w, rounds) for w in (draws.truth, draws.lie))
    top = np.max([own[2], other[2], own[0] + other[1], other[0] + own[1], other[0] + other[1]], 0)
    bottom = np.full(rounds + 1, np.inf)
    for first in {draws.truth, draws.lie} if answers < draws.classes else {draws.truth}:
        cases = [
            (first, draws.lie, draws.again_truth),
            (1 - first, 1 - draws.lie, draws.again_lie),
        ]
        terms = [
            _log_power(permanent, np.array(1))
            + _log_power(rest, np.array(answers - 1))
            + _log_power(chance, often)
            + _log_power(1 - chance, rounds - often)
            for permanent, rest, chance in cases
        ]
        bottom = np.minimum(bottom, answers * np.logaddexp(*(term / answers for term in terms)))
    possible = top > -np.inf
    return _exponential(draws.bits * float((top[possible] - bottom[possible]).max()))


def _log_ends(draws: MemoisedBits, w: Fraction, rounds: int) -> tuple[Floats, Floats, Floats]:
    """Logarithms of a bit's chances: s times set, T − s times not, and both; shape (T + 1,)."""
    often = np.arange(rounds + 1)
    permanent = _log_power(w, np.array(1)), _log_power(1 - w, np.array(1))
    chances = draws.again_truth, draws.again_lie
    is_set = [_log_power(chance, often) for chance in chances]
    is_not = [_log_power(1 - chance, rounds - often) for chance in chances]
    return (
        np.logaddexp(permanent[0] + is_set[0], permanent[1] + is_set[1]),
        np.logaddexp(permanent[0] + is_not[0], permanent[1] + is_not[1]),
        np.logaddexp(permanent[0] + is_set[0] + is_not[0], permanent[1] + is_set[1] + is_not[1]),
    )


def _exponential(log: float) -> Ratio:
    """Exponential of a logarithm, rounded up."""
    if log == math.inf:
        return math.inf
    twos = math.floor(log / math.log(2))
    slack = 1e-9 + 1e-12 * log
    return Fraction(math.exp(log - twos * math.log(2) + slack)) * (1 << twos)


def _is_short(draws: MemoisedDraws, rounds: int) -> bool:
    """Whether the chances of so many reports are kept exactly."""
    if isinstance(draws, MemoisedSymbols):
        numbers = [draws.step or Fraction(1)]
    else:
        numbers = [draws.again_truth, draws.again_lie]
    return all(2 * rounds * number.denominator.bit_length() <= _EXACT_BITS for number in numbers)
