"""Randomised response: Warner's, among k answers, with silence or a toss, or any table at all.

A recipe at a privacy level finds its chances itself, once it knows the answers.
"""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import ClassVar, Generic, TypeVar, final

from askance.channels.channel import DONT_KNOW, Channel, meant
from askance.channels.frame import Frame
from askance.channels.oracles import KAryOracle
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import log_nearest, loss_bound
from askance_collect.exact.ratio import LARGEST_TOTAL, chance, just_below, read_ratio


@final
class ChancePlace(Enum):
    """Where the chance of a randomised response falls, which decides what may be said of it.

    >>> from askance.mechanisms import ChancePlace
    >>> ChancePlace.WORLD.value
    'a fact of the world that the respondent alone knows'
    """

    DEVICE = "the respondent's device, from the answer"
    WORLD = "a fact of the world that the respondent alone knows"
    PAPER = "dice or notes in the respondent's hands"
    UNSTATED = "not said"


class AbstractMechanism(ABC):
    """A recipe for questions with named answers.

    `has_innocent_last` says whether the last answer is the one that harms nobody, by definition.
    """

    __slots__ = ()
    name: ClassVar[str]
    has_innocent_last: ClassVar[bool] = False

    @abstractmethod
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would: each that is given, by its name."""
        names: tuple[str, ...] = self.__slots__
        values = ((name, getattr(self, name)) for name in names)
        return {name: str(value) for name, value in values if value is not None}


Recipe = TypeVar("Recipe", bound=AbstractMechanism)
RecipeBuilder = Callable[[Fraction, Fraction, Frame], Recipe]
"""Makes a recipe from the chance of the truth, that of each other answer, and the answers."""
_NEAR = Fraction(1, 1 << 53)  # of the ratio is given up at first
_FEW = 1 << 16  # with a finer chance to answer, a table has no room left for the ratio


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class AtLevel(Generic[Recipe]):
    """A recipe at a privacy level: as truthful as a bound on local differential privacy allows.

    With k answers, of which the report is one with chance c, the truth has the chance
    c r/(r + k − 1) and each other answer c/(r + k − 1), where r is e^ε, if that is a fraction which
    a table can hold, or one just below it: as near as a double where the table has room. So the
    loss is ε for every number of answers, and never more.

    Attributes
    ----------
    most : Fraction
        e^ε, rounded down in the 50th digit, or as it was given.
    answered : Fraction
        c, exactly. Where its denominator is over 2^16, a table that can be drawn is found when the
        form is published.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), the randomised response mechanism; Li, Zhou, Qin & Xu (2022),
    Corollary 12, with the constant as corrected in the explanation pages.

    >>> from askance.mechanisms.randomised_response import KAry
    >>> level = KAry.at_epsilon(ratio="3")
    >>> level.on(Frame(["yes", "no"])), level.on(Frame(["a", "b", "c"]))
    (KAry(truth=Fraction(3, 4)), KAry(truth=Fraction(3, 5)))
    """

    most: Fraction
    answered: Fraction
    parameter_texts: tuple[tuple[str, str], ...]
    build: RecipeBuilder[Recipe] = field(repr=False)
    title: str = field(repr=False)

    def __init__(
        self,
        title: str,
        build: RecipeBuilder[Recipe],
        epsilon: object,
        ratio: object,
        answered: object = None,
    ) -> None:
        share = chance(1 if answered is None else answered, f"{title}.answered")
        level = ("ratio", ratio) if epsilon is None else ("epsilon", epsilon)
        object.__setattr__(self, "most", loss_bound(epsilon, ratio))
        object.__setattr__(self, "answered", share)
        parameters = {level[0]: str(read_ratio(level[1]))}
        parameters |= {} if answered is None else {"answered": str(share)}
        object.__setattr__(self, "parameter_texts", tuple(parameters.items()))
        object.__setattr__(self, "build", build)
        object.__setattr__(self, "title", title)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.parameter_texts)
        return f"{self.title}.at_epsilon({arguments})"

    def on(self, frame: Frame) -> Recipe:
        """The recipe with its chances for these answers."""
        return self.build(*level_chances(self.most, len(frame), self.answered), frame)

    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        return self.on(frame).channel(frame)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return dict(self.parameter_texts)


def level_chances(most: Fraction, answers: int, share: Fraction) -> tuple[Fraction, Fraction]:
    """The chance of the truth and of each other answer: their ratio is at most ``most``.

    >>> level_chances(Fraction(3), 3, Fraction(1, 2))
    (Fraction(3, 10), Fraction(1, 10))
    """
    others, total, near = answers - 1, LARGEST_TOTAL // share.denominator, _simplify_ratio(most)
    candidates = (bound.as_integer_ratio() for bound in (most, near))
    fits = (pair for pair in candidates if pair[0] + others * pair[1] <= total)
    fine = share.denominator > _FEW
    fitting = near.as_integer_ratio() if fine else largest_ratio(most, others, total)
    truth, lie = next(fits, fitting)
    part = share / (truth + others * lie)
    return truth * part, lie * part


def _simplify_ratio(most: Fraction) -> Fraction:
    """Find a simple fraction just below a ratio whose logarithm rounds to the same double."""
    near, target = _NEAR, log_nearest(most)
    while log_nearest(simple := just_below(most, near)) != target:
        near /= 8
    return simple


def largest_ratio(most: Fraction, others: int, total: int) -> tuple[int, int]:
    """Find the largest a/b up to a ratio of 1 or more with a + others · b ≤ total.

    Down the Stern–Brocot tree: of two neighbours, one not above and one above the
    ratio, no fraction between has smaller parts than their sum.
    """
    (a, b), (c, d) = (1, 1), (1, 0)
    while (gap := most * b - a) and a + c + others * (b + d) <= total:
        over = c - most * d
        steps = min(math.floor(gap / over), (total - a - others * b) // (c + others * d))
        a, b = a + steps * c, b + steps * d
        if not steps:
            back = math.ceil(over / gap) - 1
            c, d = c + back * a, d + back * b
    return a, b


_WRITTEN = 64  # answers whose matrix is written at once


@final
@dataclass(frozen=True, slots=True, init=False)
class Warner(AbstractMechanism):
    r"""Warner's randomised response (1965): the true one of two answers, else the other.

    .. math:: Q = \begin{pmatrix} p & 1-p \\ 1-p & p \end{pmatrix}

    Parameters
    ----------
    truth : probability
        p, the chance that the report is the true answer. At ½ nothing can be learnt.

    References
    ----------
    Warner (1965), equation (1).

    >>> Warner(truth="3/4").channel(Frame(["yes", "no"])).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    name: ClassVar[str] = "warner"
    truth: Fraction

    def __init__(self, *, truth: object) -> None:
        object.__setattr__(self, "truth", chance(truth, "Warner.truth"))

    @classmethod
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "AtLevel[Warner]":
        """Be as truthful as ε-local differential privacy allows: p = e^ε / (e^ε + 1).

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.

        >>> Warner.at_epsilon(ratio=3).on(Frame(["yes", "no"]))
        Warner(truth=Fraction(3, 4))
        """
        return AtLevel("Warner", _build_warner, epsilon, ratio)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        _demand_two(frame)
        return KAry(truth=self.truth).channel(frame)


def _build_warner(truth: Fraction, lie: Fraction, frame: Frame) -> Warner:  # noqa: ARG001  one shape for all
    _demand_two(frame)
    return Warner(truth=truth)


def _two_chances(where: str, truth: object, lie: object, *, rest: str) -> tuple[Fraction, Fraction]:
    p, q = chance(truth, f"{where}.truth"), chance(lie, f"{where}.lie")
    if p + q > 1:
        raise InputError(
            where,
            got=f"truth + lie = {p + q}",
            allowed="a sum of at most 1",
            remedy=f"what is left to 1 is {rest}",
        )
    return p, q


def _demand_two(frame: Frame) -> None:
    if len(frame) != 2:
        raise InputError(
            "Warner.channel",
            got=f"{len(frame)} answers",
            allowed="two answers",
            remedy="for more answers use KAry",
        )


@final
@dataclass(frozen=True, slots=True, init=False)
class KAry(AbstractMechanism):
    r"""k-ary randomised response (k-RR), also called generalised randomised response (GRR).

    The true answer is reported with one chance, each other answer equally often otherwise.

    .. math:: Q(y \mid x) = t \text{ if } y = x, \quad (1 - t)/(k - 1) \text{ otherwise.}

    Parameters
    ----------
    truth : probability
        t, the chance that the report is the true answer.

    References
    ----------
    Warner (1965), equation (1), for k = 2; Kairouz, Oh & Viswanath (2016), the randomised
    response mechanism, for any k.

    >>> KAry(truth="1/2").channel(Frame(["a", "b", "c"])).table.rows[0]
    (2, 1, 1)
    """

    name: ClassVar[str] = "kary"
    truth: Fraction

    def __init__(self, *, truth: object) -> None:
        object.__setattr__(self, "truth", chance(truth, "KAry.truth"))

    @classmethod
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "AtLevel[KAry]":
        """Be as truthful as ε-local differential privacy allows: t = e^ε / (e^ε + k − 1).

        How many answers there are, k, is asked when the recipe meets them: ``channel(frame)``
        yields the channel, ``on(frame)`` the recipe with its chances.

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.

        >>> level = KAry.at_epsilon(1)
        >>> [round(float(level.on(Frame(list("abcd"[:k]))).truth), 6) for k in (2, 4)]
        [0.731059, 0.475367]
        """
        return AtLevel("KAry", _build_kary, epsilon, ratio)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers: of more than 64, without its matrix."""
        k = len(frame)
        if k < 2:
            raise InputError("KAry.channel", got=f"{k} answer", allowed="two or more answers")
        if k > _WRITTEN:
            return Channel.from_oracle(frame, KAryOracle(answers=k, truth=self.truth))
        rows = _square_rows(self.truth, (1 - self.truth) / (k - 1), k)
        return Channel(frame, {answer: [answer] for answer in frame.answers}, rows)


def _square_rows(own: Fraction, other: Fraction, k: int) -> list[list[Fraction]]:
    return [[other] * x + [own] + [other] * (k - x - 1) for x in range(k)]


def _build_kary(truth: Fraction, lie: Fraction, frame: Frame) -> KAry:  # noqa: ARG001  one shape for all
    return KAry(truth=truth)


@final
@dataclass(frozen=True, slots=True, init=False)
class Abstain(AbstractMechanism):
    r"""Randomised response with abstention: truth, lie or "don't know", each with its chance.

    .. math:: Q_{2\times 3} = \begin{pmatrix} p & q & 1-p-q \\ q & p & 1-p-q \end{pmatrix}

    Parameters
    ----------
    truth : probability
        p, the chance that the report is the true answer.
    lie : probability
        q, the chance that the report is an untrue answer, shared equally among the others.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the mechanism Q with two inputs and three outputs, whose estimator is
    their equation (2).

    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> q.reports, q.table.rows
    (('yes', 'no', "don't know"), ((6, 1, 3), (1, 6, 3)))
    """

    name: ClassVar[str] = "abstain"
    truth: Fraction
    lie: Fraction

    def __init__(self, *, truth: object, lie: object) -> None:
        p, q = _two_chances("Abstain", truth, lie, rest='the chance of "don\'t know"')
        object.__setattr__(self, "truth", p)
        object.__setattr__(self, "lie", q)

    @classmethod
    def at_epsilon(
        cls, epsilon: object = None, *, ratio: object = None, answered: object = 1
    ) -> "AtLevel[Abstain]":
        """Answer with chance c, as truthfully as ε-local differential privacy allows.

        p = c e^ε / (e^ε + k − 1): the generalised Warner mechanism of Li, Zhou, Qin & Xu (2022),
        Corollary 12, with the constant as corrected in the explanation pages. How many answers
        there are, k, is asked when the recipe meets them.

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.
        answered : probability
            c.

        >>> m = Abstain.at_epsilon(1, answered="7/10").on(Frame(["yes", "no"]))
        >>> float(m.truth), m.truth + m.lie
        (0.511741..., Fraction(7, 10))
        """
        return AtLevel("Abstain", _build_abstain, epsilon, ratio, answered)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        k = len(frame)
        if k < 2 or DONT_KNOW in frame.answers:
            raise InputError(
                "Abstain.channel",
                got=frame.answers,
                allowed=f"two or more answers, none of them {DONT_KNOW!r}",
            )
        other, silent = self.lie / (k - 1), 1 - self.truth - self.lie
        rows = [[*row, silent] for row in _square_rows(self.truth, other, k)]
        meanings = {answer: (answer,) for answer in frame.answers}
        return Channel(frame, {**meanings, DONT_KNOW: frame.answers}, rows)


def _build_abstain(truth: Fraction, lie: Fraction, frame: Frame) -> Abstain:
    return Abstain(truth=truth, lie=(len(frame) - 1) * lie)


@final
@dataclass(frozen=True, slots=True, init=False)
class Redistribute(AbstractMechanism):
    r"""Truth, lie or "don't know", each "don't know" redistributed to truth and lies at random.

    .. math:: Q_\lambda = \begin{pmatrix} t & 1-t \\ 1-t & t \end{pmatrix},
              \qquad t = p + \lambda (1-p-q)

    One way to resolve every "don't know" of `Abstain`; the estimators recover the share from its
    channel, as (n₁/n − q − (1 − λ)r)/(p − q + (2λ − 1)r) with r = 1 − p − q for two answers.

    Parameters
    ----------
    truth, lie : probability
        p and q, as of `Abstain`.
    share : probability
        λ, which part of what is left to 1 becomes truth.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the mechanism Q_λ of their last section, with the denominator of its
    estimator as corrected in the explanation pages.

    >>> Redistribute(truth="3/5", lie="1/10", share="1/2").channel(Frame(["yes", "no"])).table.rows
    ((3, 1), (1, 3))
    """

    name: ClassVar[str] = "redistribute"
    truth: Fraction
    lie: Fraction
    share: Fraction

    def __init__(self, *, truth: object, lie: object, share: object) -> None:
        p, q = _two_chances("Redistribute", truth, lie, rest="redistributed")
        object.__setattr__(self, "truth", p)
        object.__setattr__(self, "lie", q)
        object.__setattr__(self, "share", chance(share, "Redistribute.share"))

    @property
    def final_truth(self) -> Fraction:
        """How often the report is true in the end: p + λ(1 − p − q)."""
        return self.truth + self.share * (1 - self.truth - self.lie)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        return KAry(truth=self.final_truth).channel(frame)


@final
@dataclass(frozen=True, slots=True, init=False)
class TableMechanism(AbstractMechanism):
    """Send each report with the chance that the answer's row gives it.

    For a channel that no recipe names, such as one that was computed for its purpose.

    Parameters
    ----------
    reports : mapping of str to sequence of str
        Each report, with the answers that it leaves possible on its face.
    rows : sequence of sequences of probabilities
        For each answer, in the order of the question, the chance of each report.

    >>> half = TableMechanism(
    ...     reports={"yes": ["yes"], "either": ["yes", "no"]}, rows=[["1/2", "1/2"], [0, 1]]
    ... )
    >>> half.channel(Frame(["yes", "no"])).table.rows
    ((1, 1), (0, 2))
    """

    name: ClassVar[str] = "table"
    reports: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def __init__(self, *, reports: object, rows: object) -> None:
        object.__setattr__(self, "reports", _read_reports(reports))
        object.__setattr__(self, "rows", _read_rows(rows, len(self.reports)))

    @classmethod
    @checked
    def of(cls, channel: Channel) -> "TableMechanism":
        """Write a channel out, integer by integer.

        Raises
        ------
        InputError
            If the channel was not given exactly.

        >>> from askance.mechanisms.randomised_response import Warner
        >>> TableMechanism.of(Warner(truth="3/4").channel(Frame(["yes", "no"]))).rows[0]
        (Fraction(3, 4), Fraction(1, 4))
        """
        if channel.table is None:
            raise InputError(
                "TableMechanism.of",
                got="a channel of doubles",
                allowed="a channel with exact chances",
            )
        rows = [channel.table.row(answer) for answer in range(len(channel.frame))]
        return cls(reports=meant(channel), rows=rows)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel over these answers, one row for each."""
        if len(self.rows) != len(frame):
            raise InputError(
                "TableMechanism.rows",
                got=f"{len(self.rows)} rows",
                allowed=f"{len(frame)} rows, one for each answer",
            )
        return Channel(frame, dict(self.reports), [list(row) for row in self.rows])

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        rows = [[str(entry) for entry in row] for row in self.rows]
        reports = {report: list(means) for report, means in self.reports}
        return {
            "reports": json.dumps(reports, ensure_ascii=False),
            "rows": json.dumps(rows),
        }


def _read_reports(meanings: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    fits = isinstance(meanings, Mapping) and all(
        report
        and isinstance(means, list | tuple)
        and all(isinstance(answer, str) for answer in means)
        for report, means in meanings.items()
    )
    if not isinstance(meanings, Mapping) or not fits or len(meanings) < 2:
        raise InputError(
            "TableMechanism.reports",
            got=meanings,
            allowed='two or more reports with what they mean: { yes = ["yes"], … }',
        )
    return tuple((str(report), tuple(means)) for report, means in meanings.items())


def _read_rows(table: object, width: int) -> tuple[tuple[Fraction, ...], ...]:
    if not isinstance(table, Sequence) or not all(isinstance(row, list | tuple) for row in table):
        raise InputError(
            "TableMechanism.rows", got=table, allowed='lists of chances: [["3/5", "2/5"], …]'
        )
    rows = tuple(tuple(chance(entry, "TableMechanism.rows") for entry in row) for row in table)
    for row_index, row in enumerate(rows):
        if len(row) != width or sum(row) != 1:
            raise InputError(
                f"TableMechanism.rows[{row_index}]",
                got=", ".join(map(str, row)),
                allowed=f"{width} chances, one for each report, that sum to one",
            )
    return rows
