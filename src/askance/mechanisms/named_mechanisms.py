"""Mechanisms of randomised response by the names that they have in survey methodology.

Each is a respondent's path, from which its channel follows. Of two answers the first carries
the sensitive trait, such as "yes". The name of a parameter says whose chance it is: ``forced`` is
told of everybody who is asked, ``if_forced`` of those whose answer is forced, ``truth_if_no`` of
those without the trait; ``harmless`` is the share of people with a trait that is nobody's business
and that nobody knows of the respondent, such as a birthday in spring.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import ClassVar, final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.mechanisms.randomised_response import AtLevel
from askance.mechanisms.respondent_path import (
    COIN,
    DEVICE,
    AbstractPathMechanism,
    Draw,
    Outcome,
    OwnAnswer,
    PathTree,
    SentReport,
    fork_by_answer,
    fork_by_chance,
    path_channel,
)
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown
from askance_collect.exact.ratio import chance, read_integer, read_ratio


def _trait_answers(frame: Frame, where: str) -> tuple[str, str]:
    """The answer that carries the trait and the one that does not."""
    if len(frame) != 2:
        raise InputError(
            f"{where}.channel",
            got=f"{len(frame)} answers",
            allowed="two answers, the first with the sensitive trait",
        )
    first, second = frame.answers
    return first, second


@final
@dataclass(frozen=True, slots=True, init=False)
class ForcedResponse(AbstractPathMechanism):
    r"""Forced response: chance makes some give a fixed answer; the others give their own.

    .. math:: Q(y \mid x) = t\,[y = x] + f_y, \qquad t = 1 - \sum_y f_y

    Parameters
    ----------
    forced : mapping of str to probability, optional
        f, for each answer the chance, among all who are asked, of being told to give it.
    truth : probability, optional
        Instead: t, the chance of being told to give one's own answer,
    if_forced : mapping of str to probability, optional
        and, among those whose answer is forced, the chance of each answer, f/(1 − t): even if left
        out. The p₂ of R's GLMMRR is such a one.

    Raises
    ------
    InputError
        If the chances do not fit together; from `channel`, if they name an answer that there is
        not.

    References
    ----------
    Boruch (1971); Fox & Tracy (1986). A die that says "yes" for a one and "no" for a six: Blair,
    Imai & Zhou (2015). Red balls that ask for one's own number, white ones with a number to give:
    Liu & Chow (1976).

    >>> from askance.mechanisms import ForcedResponse
    >>> die = ForcedResponse(forced={"yes": "1/6", "no": "1/6"})
    >>> die.channel(Frame(["yes", "no"])).table.rows
    ((5, 1), (1, 5))
    >>> die == ForcedResponse(truth="2/3", if_forced={"yes": "1/2", "no": "1/2"})
    True
    """

    name: ClassVar[str] = "forced"
    truth: Fraction
    if_forced: tuple[tuple[str, Fraction], ...]

    def __init__(
        self, *, forced: object = None, truth: object = None, if_forced: object = None
    ) -> None:
        if (forced is None) == (truth is None) or (forced is not None and if_forced is not None):
            raise InputError(
                "ForcedResponse",
                got="both or neither" if if_forced is None else "forced and if_forced",
                allowed="forced, told of everybody; or truth, with or without if_forced",
            )
        own, law = _read_forced(forced) if truth is None else _read_if_forced(truth, if_forced)
        forced_shares = sorted((answer, part) for answer, part in law.items() if part and own < 1)
        object.__setattr__(self, "truth", own)
        object.__setattr__(self, "if_forced", tuple(forced_shares))

    @classmethod
    def at_epsilon(
        cls, epsilon: object = None, *, ratio: object = None
    ) -> "AtLevel[ForcedResponse]":
        """Ask for the own answer as often as ε-local differential privacy allows; force evenly.

        t = (e^ε − 1)/(e^ε + k − 1), with k answers.

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.

        >>> from askance.mechanisms import ForcedResponse
        >>> ForcedResponse.at_epsilon(ratio=5).on(Frame(["yes", "no"])).truth
        Fraction(2, 3)
        """
        return AtLevel("ForcedResponse", _build_forced, epsilon, ratio)

    @checked
    def forced(self, frame: Frame) -> tuple[Fraction, ...]:
        """The chance, among all who are asked, of being told to give each answer."""
        even = dict.fromkeys(frame.answers, Fraction(1, len(frame)))
        law = dict(self.if_forced) or even
        for answer in law:
            refuse_unknown("ForcedResponse.forced", answer, frame.answers)
        return tuple((1 - self.truth) * law.get(answer, Fraction(0)) for answer in frame.answers)

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: the own answer, or one that is fixed."""
        forced_answers = zip(self.forced(frame), frame.answers, strict=True)
        return fork_by_chance(
            DEVICE,
            Outcome(self.truth, "“say your answer”", fork_by_answer(frame, frame.answers)),
            *(
                Outcome(part, f"“say {answer}”", SentReport(answer))
                for part, answer in forced_answers
            ),
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        return path_channel(frame, self.path(frame))

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        if not self.if_forced:
            return {"truth": str(self.truth)}
        chances = {answer: str((1 - self.truth) * part) for answer, part in self.if_forced}
        return {"forced": json.dumps(chances, ensure_ascii=False)}


def _build_forced(truth: Fraction, lie: Fraction, frame: Frame) -> ForcedResponse:  # noqa: ARG001  one shape for all
    return ForcedResponse(truth=truth - lie)


def _read_forced(forced: object) -> tuple[Fraction, dict[str, Fraction]]:
    """The chance of the truth, and of each answer among the forced, from those among all."""
    law = _read_chances(forced, "ForcedResponse.forced")
    total = sum(law.values(), Fraction(0))
    if total > 1:
        _refuse_sum("ForcedResponse.forced", law.values(), "chances that sum to at most one")
    return 1 - total, {answer: part / total for answer, part in law.items()} if total else {}


def _read_if_forced(truth: object, if_forced: object) -> tuple[Fraction, dict[str, Fraction]]:
    """The chance of the truth, and of each answer among the forced, as they are given."""
    own = chance(truth, "ForcedResponse.truth")
    if if_forced is None:
        return own, {}
    law = _read_chances(if_forced, "ForcedResponse.if_forced")
    if sum(law.values()) != 1:
        _refuse_sum("ForcedResponse.if_forced", law.values(), "chances that sum to one")
    return own, law


def _read_chances(law: object, where: str) -> dict[str, Fraction]:
    fits = isinstance(law, Mapping) and all(isinstance(answer, str) for answer in law)
    if not isinstance(law, Mapping) or not law or not fits:
        raise InputError(where, got=law, allowed='a chance for each answer: { yes = "1/6", … }')
    return {answer: chance(part, where) for answer, part in law.items()}


def _refuse_sum(where: str, law: Iterable[Fraction], allowed: str) -> None:
    raise InputError(where, got=f"a sum of {sum(law)}", allowed=allowed)


@final
@dataclass(frozen=True, slots=True, init=False)
class OneSided(AbstractPathMechanism):
    r"""One-sided forced response ("hard garbling"): "yes" is forced with some chance, "no" never.

    .. math:: Q = \begin{pmatrix} 1 & 0 \\ f & 1-f \end{pmatrix}

    Whoever carries the trait always says so, and can always say that it was the device. A "no" is
    true and tells that there is no trait: the local loss is infinite, while a "yes" multiplies the
    odds of the trait by 1/f at most.

    Parameters
    ----------
    forced_yes : probability
        f, the chance, among all who are asked, of being told to give the first answer.

    References
    ----------
    Boudreau, Chassang, González-Torres & Heath (2023), who force a fixed number in each block of
    reports: here every report is forced or not by a draw of its own.

    >>> from askance.mechanisms import OneSided
    >>> OneSided(forced_yes="1/5").channel(Frame(["yes", "no"])).table.rows
    ((5, 0), (1, 4))
    """

    name: ClassVar[str] = "one_sided"
    has_innocent_last: ClassVar[bool] = True
    forced_yes: Fraction

    def __init__(self, *, forced_yes: object) -> None:
        object.__setattr__(self, "forced_yes", chance(forced_yes, "OneSided.forced_yes"))

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: the first answer, or the own one."""
        yes, _ = _trait_answers(frame, "OneSided")
        own = fork_by_answer(frame, frame.answers)
        return fork_by_chance(
            DEVICE,
            Outcome(1 - self.forced_yes, "“say your answer”", own),
            Outcome(self.forced_yes, f"“say {yes}”", SentReport(yes)),
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        return path_channel(frame, self.path(frame))


@final
@dataclass(frozen=True, slots=True, init=False)
class Mangat(AbstractPathMechanism):
    r"""Mangat's randomised response (1994): who carries the trait says so; the others draw.

    .. math:: Q = \begin{pmatrix} 1 & 0 \\ 1-p & p \end{pmatrix}

    Parameters
    ----------
    truth_if_no : probability
        p, the chance that one without the trait is told to say so; else they say the opposite.

    References
    ----------
    Mangat (1994).

    >>> from askance.mechanisms import Mangat
    >>> Mangat(truth_if_no="2/3").channel(Frame(["yes", "no"])).table.rows
    ((3, 0), (1, 2))
    """

    name: ClassVar[str] = "mangat"
    has_innocent_last: ClassVar[bool] = True
    truth_if_no: Fraction

    def __init__(self, *, truth_if_no: object) -> None:
        object.__setattr__(self, "truth_if_no", chance(truth_if_no, "Mangat.truth_if_no"))

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: only those without the trait draw."""
        yes, no = _trait_answers(frame, "Mangat")
        draw = fork_by_chance(
            DEVICE,
            Outcome(self.truth_if_no, "“say your answer”", SentReport(no)),
            Outcome(1 - self.truth_if_no, "“say the other one”", SentReport(yes)),
        )
        return OwnAnswer(((yes, SentReport(yes)), (no, draw)))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        return path_channel(frame, self.path(frame))


@final
@dataclass(frozen=True, slots=True, init=False)
class UnrelatedQuestion(AbstractPathMechanism):
    r"""Unrelated question design (Horvitz, Simmons): the sensitive question or a harmless one.

    .. math:: Q(\text{yes} \mid x) = p\,[x = \text{yes}] + (1-p)\,h

    Parameters
    ----------
    sensitive_chance : probability
        p, the chance that the sensitive question is the one to answer.
    harmless : probability
        h, the known share of people whose answer to the harmless question is the first one.

    References
    ----------
    Greenberg, Abul-Ela, Simmons & Horvitz (1969), with the share of the harmless trait known.

    >>> from askance.mechanisms import UnrelatedQuestion
    >>> recipe = UnrelatedQuestion(sensitive_chance="7/10", harmless="1/6")
    >>> recipe.channel(Frame(["yes", "no"])).table.rows
    ((15, 5), (1, 19))
    """

    name: ClassVar[str] = "unrelated"
    sensitive_chance: Fraction
    harmless: Fraction

    def __init__(self, *, sensitive_chance: object, harmless: object) -> None:
        object.__setattr__(
            self, "sensitive_chance", chance(sensitive_chance, "UnrelatedQuestion.sensitive_chance")
        )
        object.__setattr__(self, "harmless", chance(harmless, "UnrelatedQuestion.harmless"))

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: one question or the other."""
        yes, no = _trait_answers(frame, "UnrelatedQuestion")
        harmless = fork_by_chance(
            COIN,
            Outcome(self.harmless, "has it", SentReport(yes)),
            Outcome(1 - self.harmless, "has it not", SentReport(no)),
        )
        return fork_by_chance(
            DEVICE,
            Outcome(
                self.sensitive_chance,
                "the sensitive question",
                fork_by_answer(frame, frame.answers),
            ),
            Outcome(1 - self.sensitive_chance, "the harmless question", harmless),
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        return path_channel(frame, self.path(frame))

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"asked": str(self.sensitive_chance), "harmless": str(self.harmless)}


MOST_DRAWS = 100


@final
@dataclass(frozen=True, slots=True, init=False)
class Kuk(AbstractPathMechanism):
    r"""Kuk's randomised response (1990): report the colour of a card from a pack set by the answer.

    With m draws the report is how many cards were red:

    .. math:: Q(r \mid x) = \binom{m}{r} \theta_x^r (1-\theta_x)^{m-r}

    Parameters
    ----------
    red_if_yes : probability
        θ₁, the share of red cards in the pack of those who carry the trait.
    red_if_no : probability
        θ₂, the share of red cards in the other pack.
    draws : int
        m, how many cards each person draws, with replacement; 1 if left out, at most 100.

    References
    ----------
    Kuk (1990).

    >>> from askance.mechanisms import Kuk
    >>> Kuk(red_if_yes="4/5", red_if_no="1/5").channel(Frame(["yes", "no"])).reports
    ('red', 'black')
    >>> Kuk(red_if_yes="4/5", red_if_no="1/5", draws=2).channel(Frame(["yes", "no"])).table.rows
    ((1, 8, 16), (16, 8, 1))
    """

    name: ClassVar[str] = "kuk"
    red_if_yes: Fraction
    red_if_no: Fraction
    draws: int

    def __init__(self, *, red_if_yes: object, red_if_no: object, draws: object = 1) -> None:
        allowed, count = (
            f"a whole number of cards in [1, {MOST_DRAWS}]",
            read_ratio(draws, "Kuk.draws"),
        )
        cards = count.numerator if count.denominator == 1 else count
        object.__setattr__(self, "red_if_yes", chance(red_if_yes, "Kuk.red_if_yes"))
        object.__setattr__(self, "red_if_no", chance(red_if_no, "Kuk.red_if_no"))
        object.__setattr__(self, "draws", read_integer(cards, "Kuk.draws", allowed, 1, MOST_DRAWS))

    @property
    def _reports(self) -> tuple[str, ...]:
        if self.draws == 1:
            return "red", "black"
        return tuple(f"{red} red" for red in range(self.draws + 1))

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: the own answer chooses the pack."""
        yes, no = _trait_answers(frame, "Kuk")
        return OwnAnswer(((yes, self._cards(self.red_if_yes)), (no, self._cards(self.red_if_no))))

    def _cards(self, share: Fraction) -> Draw:
        m = self.draws
        chances = [comb(m, red) * share**red * (1 - share) ** (m - red) for red in range(m + 1)]
        cards = zip(chances[::-1] if m == 1 else chances, self._reports, strict=True)
        return fork_by_chance(
            DEVICE, *(Outcome(part, report, SentReport(report)) for part, report in cards)
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        return path_channel(frame, self.path(frame), self._reports)


@final
@dataclass(frozen=True, slots=True, init=False)
class Crosswise(AbstractPathMechanism):
    r"""Crosswise model: report whether exactly one of two things holds of you, or both or neither.

    .. math:: Q = \begin{pmatrix} h & 1-h \\ 1-h & h \end{pmatrix}

    with the reports "both or neither" and "just one": Warner's chances, and no device, where the
    harmless trait is one of the respondent's own.

    Parameters
    ----------
    harmless : probability
        h, the known share of people with the harmless trait. At ½ nothing can be learnt.

    References
    ----------
    Yu, Tian & Tang (2008).

    >>> from askance.mechanisms import Crosswise
    >>> q = Crosswise(harmless="1/4").channel(Frame(["yes", "no"]))
    >>> q.reports, q.table.rows
    (('both or neither', 'just one'), ((1, 3), (3, 1)))
    """

    name: ClassVar[str] = "crosswise"
    harmless: Fraction

    def __init__(self, *, harmless: object) -> None:
        object.__setattr__(self, "harmless", chance(harmless, "Crosswise.harmless"))

    @classmethod
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "AtLevel[Crosswise]":
        """Say how rare a harmless trait ε-local differential privacy allows: h = 1/(e^ε + 1).

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.

        >>> from askance.mechanisms import Crosswise
        >>> Crosswise.at_epsilon(ratio=3).on(Frame(["yes", "no"]))
        Crosswise(harmless=Fraction(1, 4))
        """
        return AtLevel("Crosswise", _build_crosswise, epsilon, ratio)

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: the harmless trait first, then the own answer."""
        _trait_answers(frame, "Crosswise")
        return fork_by_chance(
            COIN,
            Outcome(self.harmless, "has it", fork_by_answer(frame, _CROSSWISE)),
            Outcome(1 - self.harmless, "has it not", fork_by_answer(frame, _CROSSWISE[::-1])),
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        return path_channel(frame, self.path(frame), _CROSSWISE)


_CROSSWISE = "both or neither", "just one"


def _build_crosswise(truth: Fraction, lie: Fraction, frame: Frame) -> Crosswise:
    _trait_answers(frame, "Crosswise")
    return Crosswise(harmless=lie / (truth + lie))


@final
@dataclass(frozen=True, slots=True, init=False)
class Triangular(AbstractPathMechanism):
    r"""Triangular model: report whether neither of two things holds of you, or at least one.

    .. math:: Q = \begin{pmatrix} 1 & 0 \\ h & 1-h \end{pmatrix}

    with the reports "one or both" and "neither". Who says "neither" has told that there is no
    trait: the local loss is infinite.

    Parameters
    ----------
    harmless : probability
        h, the known share of people with the harmless trait.

    References
    ----------
    Yu, Tian & Tang (2008).

    >>> from askance.mechanisms import Triangular
    >>> Triangular(harmless="1/4").channel(Frame(["yes", "no"])).table.rows
    ((4, 0), (1, 3))
    """

    name: ClassVar[str] = "triangular"
    has_innocent_last: ClassVar[bool] = True
    harmless: Fraction

    def __init__(self, *, harmless: object) -> None:
        object.__setattr__(self, "harmless", chance(harmless, "Triangular.harmless"))

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: the harmless trait first, then the own answer."""
        _trait_answers(frame, "Triangular")
        some, _ = _TRIANGULAR
        return fork_by_chance(
            COIN,
            Outcome(self.harmless, "has it", SentReport(some)),
            Outcome(1 - self.harmless, "has it not", fork_by_answer(frame, _TRIANGULAR)),
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        return path_channel(frame, self.path(frame), _TRIANGULAR)


_TRIANGULAR = "one or both", "neither"


@final
@dataclass(frozen=True, slots=True, init=False)
class HiddenSensitivity(AbstractPathMechanism):
    r"""Hidden sensitivity model: people with the harmless answer report a harmless trait instead.

    .. math:: Q(y \mid x) = [y = x] \text{ for } x < k, \qquad Q(y \mid k) = h_y

    For two sensitive questions at once, the answers are the four pairs, "neither" last; people with
    nothing to hide tick the box of, say, their quarter of birth. With two answers it is the
    triangular model. It hides whether a respondent has anything to hide, and not what: no answer
    but the last one is ever sent for another.

    Parameters
    ----------
    harmless : sequence of probability
        h, the known share of people in each class of a harmless trait: one class for each answer,
        in their order. The last answer is the one that hurts nobody.

    Raises
    ------
    InputError
        If the shares do not sum to one; from `channel`, if there are not as many as answers.

    References
    ----------
    Tian, Yu, Tang & Geng (2007).

    >>> from askance.mechanisms import HiddenSensitivity
    >>> quarters = HiddenSensitivity(harmless=["1/4", "1/4", "1/4", "1/4"])
    >>> quarters.channel(Frame(["both", "drugs", "theft", "neither"])).table.rows[2:]
    ((0, 0, 4, 0), (1, 1, 1, 1))
    """

    name: ClassVar[str] = "hidden"
    has_innocent_last: ClassVar[bool] = True
    harmless: tuple[Fraction, ...]

    def __init__(self, *, harmless: object) -> None:
        law = _read_shares(harmless, "HiddenSensitivity.harmless")
        object.__setattr__(self, "harmless", law)

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: only those with nothing to hide report the harmless trait."""
        _refuse_class_count("HiddenSensitivity", self.harmless, frame)
        *sensitive, last = frame.answers
        classes = zip(self.harmless, frame.answers, strict=True)
        outcomes = [
            Outcome(part, f"class {number}", SentReport(answer))
            for number, (part, answer) in enumerate(classes, 1)
        ]
        return OwnAnswer(
            (
                *((answer, SentReport(answer)) for answer in sensitive),
                (last, fork_by_chance(COIN, *outcomes)),
            )
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        return path_channel(frame, self.path(frame))

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"harmless": json.dumps([str(part) for part in self.harmless])}


@final
@dataclass(frozen=True, slots=True, init=False)
class Christofides(AbstractPathMechanism):
    r"""Christofides' randomised response (2003): a card's mark, or how far it is from the far end.

    .. math:: Q(r \mid \text{no}) = p_r, \qquad Q(r \mid \text{yes}) = p_{L+1-r}

    With two marks it is Warner's design.

    Parameters
    ----------
    marks : sequence of probability
        p, the share of cards with each mark 1, …, L. Shares that read the same from both ends
        teach nothing.

    Raises
    ------
    InputError
        If there are not 2 to 100 marks, or the shares do not sum to one.

    References
    ----------
    Christofides (2003).

    >>> from askance.mechanisms import Christofides
    >>> Christofides(marks=["1/2", "1/3", "1/6"]).channel(Frame(["yes", "no"])).table.rows
    ((1, 2, 3), (3, 2, 1))
    """

    name: ClassVar[str] = "christofides"
    marks: tuple[Fraction, ...]

    def __init__(self, *, marks: object) -> None:
        object.__setattr__(self, "marks", _read_shares(marks, "Christofides.marks"))

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: the card first, then the own answer."""
        _trait_answers(frame, "Christofides")
        reports = _numbered(self.marks)
        cards = zip(self.marks, reports[::-1], reports, strict=True)
        return fork_by_chance(
            DEVICE,
            *(
                Outcome(part, f"card {own}", fork_by_answer(frame, [far, own]))
                for part, far, own in cards
            ),
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        return path_channel(frame, self.path(frame), _numbered(self.marks))

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"marks": json.dumps([str(part) for part in self.marks])}


@final
@dataclass(frozen=True, slots=True, init=False)
class Diagonal(AbstractPathMechanism):
    r"""Diagonal model: how many steps lead from the own answer to the class of a harmless trait.

    .. math:: Q(y \mid x) = h_w, \qquad w = ((x + y - 2) \bmod k) + 1

    that is, :math:`y = ((w - x) \bmod k) + 1` is reported by a respondent with answer x in class w.
    Every answer may be sensitive. With two answers it is the crosswise model, and with even shares
    a report tells nothing.

    Parameters
    ----------
    harmless : sequence of probability
        h, the known share of people in each class w = 1, …, k of a harmless trait: one class for
        each answer x = 1, …, k, in their order.

    Raises
    ------
    InputError
        If the shares do not sum to one; from `channel`, if there are not as many as answers.

    References
    ----------
    Groenitz (2014), Section 3.1.

    >>> from askance.mechanisms import Diagonal
    >>> Diagonal(harmless=["1/2", "1/3", "1/6"]).channel(Frame(["a", "b", "c"])).table.rows
    ((3, 2, 1), (2, 1, 3), (1, 3, 2))
    """

    name: ClassVar[str] = "diagonal"
    harmless: tuple[Fraction, ...]

    def __init__(self, *, harmless: object) -> None:
        object.__setattr__(self, "harmless", _read_shares(harmless, "Diagonal.harmless"))

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: the harmless trait first, then the own answer."""
        _refuse_class_count("Diagonal", self.harmless, frame)
        reports = _numbered(self.harmless)
        return fork_by_chance(
            COIN,
            *(
                Outcome(
                    share, f"class {w + 1}", fork_by_answer(frame, reports[w::-1] + reports[:w:-1])
                )
                for w, share in enumerate(self.harmless)
            ),
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        return path_channel(frame, self.path(frame), _numbered(self.harmless))

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"harmless": json.dumps([str(part) for part in self.harmless])}


def _numbered(shares: tuple[Fraction, ...]) -> tuple[str, ...]:
    """A number for each share, from one on, as the names of reports."""
    return tuple(str(number) for number in range(1, len(shares) + 1))


def _refuse_class_count(where: str, shares: tuple[Fraction, ...], frame: Frame) -> None:
    """Refuse a harmless trait that has not one class for each answer."""
    if len(shares) != len(frame):
        raise InputError(
            f"{where}.harmless",
            got=f"{len(shares)} shares",
            allowed=f"{len(frame)} shares, one for each answer",
        )


def _read_shares(shares: object, where: str) -> tuple[Fraction, ...]:
    """Read shares that sum to one."""
    if not isinstance(shares, list | tuple) or not 2 <= len(shares) <= MOST_DRAWS:
        raise InputError(where, got=shares, allowed=f"a list of 2 to {MOST_DRAWS} shares")
    law = tuple(chance(part, where) for part in shares)
    if sum(law) != 1:
        _refuse_sum(where, law, "shares that sum to one")
    return law


@checked
def unknown_harmless_share(sensitive_chance: object, frame: Frame) -> Channel:
    r"""Unrelated question design whose harmless share is unknown: a channel of pairs of answers.

    .. math:: Q(y \mid x, u) = p\,[y = x] + (1 - p)\,[y = u]

    The pair is of the answers to the sensitive question, x, and to the harmless one, u. One group
    cannot tell their shares apart; two groups with different p can, put together as
    `askance.channels.GroupedTally`. How the two hang together stays open, so that `estimate`, which
    asks for the share of every pair, refuses: identified are the shares of each x and of each u,
    which `askance.inference.estimate_sets` estimates.

    Parameters
    ----------
    sensitive_chance : probability
        p, the chance that the sensitive question is the one to answer, in one group.
    frame : Frame
        The answers to either question.

    Returns
    -------
    Channel
        From pairs, named such as "yes, yes", to answers.

    References
    ----------
    Greenberg, Abul-Ela, Simmons & Horvitz (1969), the two-sample design.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> q = ak.mechanisms.unknown_harmless_share("7/10", yn)
    >>> q.frame.answers, q.table.rows
    (('yes, yes', 'yes, no', 'no, yes', 'no, no'), ((10, 0), (7, 3), (3, 7), (0, 10)))
    """
    p = chance(sensitive_chance, "unknown_harmless_share.sensitive_chance")
    pairs = list(product(frame.answers, repeat=2))
    rows = [
        [p * (x == report) + (1 - p) * (u == report) for report in frame.answers] for x, u in pairs
    ]
    meanings = {
        report: [f"{x}, {u}" for x, u in pairs if report in {x, u}] for report in frame.answers
    }
    return Channel(Frame([f"{x}, {u}" for x, u in pairs]), meanings, rows)
