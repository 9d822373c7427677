"""Two answers: the best two rows under a bounded loss, a bounded advantage, or both, exactly."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from askance.channels.channel import DONT_KNOW, Channel, fresh
from askance.channels.frame import Frame, Names
from askance.design.extremal_columns import Limits
from askance.privacy.losses import advantage_limit, exact_rows, prior_weight
from askance.results import json_of, result_frame, result_stream
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_bound
from askance_collect.exact.ratio import just_below, read_integer, read_ratio

_HALF = Fraction(1, 2)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalPair:
    """The chances of each report for two answers, in fractions.

    Attributes
    ----------
    first, second : tuple of Fraction
        Rows of the answer whose share is asked for and of the other one: p₁ and p₀ in Yoshida,
        Yung & Hayashi (2019).
    first_weight : Fraction
        w, the chance that a guesser gives the first answer beforehand.
    """

    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]
    first_weight: Fraction = _HALF

    def information(self, prevalence: object) -> Fraction | float:
        r"""The Fisher information of one report, exactly.

        .. math:: J_\theta = \sum_y \frac{(p_1(y) - p_0(y))^2}{(1 - \theta) p_0(y) + \theta p_1(y)}

        Parameters
        ----------
        prevalence : probability
            θ, the share of the first answer; at 0 or 1 the information can be infinite.

        References
        ----------
        Yoshida, Yung & Hayashi (2019), Section II.

        >>> third = Fraction(1, 4)
        >>> OptimalPair(first=(third, 1 - third), second=(1 - third, third)).information("1/2")
        Fraction(1, 1)
        """
        theta = share(prevalence)
        total = Fraction(0)
        for p1, p0 in zip(self.first, self.second, strict=True):
            chance = theta * p1 + (1 - theta) * p0
            if chance:
                total += (p1 - p0) ** 2 / chance
            elif p1 != p0:
                return math.inf
        return total

    @property
    def advantage(self) -> Fraction:
        """The weighted advantage ‖(1 − w)p₀ − w p₁‖₁."""
        rows = zip(self.first, self.second, strict=True)
        w = self.first_weight
        return sum((abs((1 - w) * p0 - w * p1) for p1, p0 in rows), Fraction(0))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel: a report means the answer it makes the likelier one, or both.

        Parameters
        ----------
        frame : Frame
            Two answers, the one whose share is asked for first.

        Raises
        ------
        InputError
            If there are not two answers, or one is called "don't know".

        >>> fifth = Fraction(1, 5)
        >>> pair = OptimalPair(first=(fifth, 0 * fifth, 4 * fifth), second=(0, fifth, 4 * fifth))
        >>> pair.channel(Frame(["yes", "no"])).reports
        ('yes', 'no', "don't know")
        """
        if len(frame) != 2 or DONT_KNOW in frame.answers:
            raise InputError(
                "frame", got=frame.answers, allowed=f"two answers, neither of them {DONT_KNOW!r}"
            )
        reports: dict[str, tuple[str, ...]] = {}
        columns: list[tuple[Fraction, Fraction]] = []
        for p1, p0 in zip(self.first, self.second, strict=True):
            excess = self.first_weight * p1 - (1 - self.first_weight) * p0 if p1 != p0 else 0
            names = frame.answers if not excess else (frame.answers[excess < 0],)
            name = names[0] if excess else DONT_KNOW
            if p1 or p0:
                reports[fresh(name, reports)] = names
                columns.append((Fraction(p1), Fraction(p0)))
        return Channel(frame, reports, list(zip(*columns, strict=True)))

    def to_dict(self) -> Json:
        """Write both rows for JSON, their fractions as texts."""
        return json_of(self)

    def _frame(self) -> dict[str, Any]:
        return {"first": list(map(float, self.first)), "second": list(map(float, self.second))}

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def share(prevalence: object, where: str = "prevalence") -> Fraction:
    """Read a share exactly.

    >>> share(0.2)
    Fraction(1, 5)
    """
    read = read_ratio(prevalence, where)
    if not 0 <= read <= 1:
        raise InputError(where, got=str(prevalence), allowed="a share in [0, 1]")
    return read


def inner_share(prevalence: object, where: str = "prevalence") -> Fraction:
    """Read a share that is neither 0 nor 1.

    Raises
    ------
    InputError
        If the share is not in (0, 1): there the information can be infinite, and what is best for
        it is of no use anywhere else.

    >>> inner_share("1/3")
    Fraction(1, 3)
    """
    read = read_ratio(prevalence, where)
    if not 0 < read < 1:
        raise InputError(
            where,
            got=str(prevalence),
            allowed="a share in (0, 1)",
            remedy="give the share that you expect, if only roughly",
        )
    return read


@checked
def switch_prevalence(advantage: object, *, first_weight: object = "1/2") -> Fraction:
    r"""The share θ₀ at which the best pair with two reports changes sides.

    .. math:: \theta_0 = (w - a)/\delta, \qquad a = (1 - \delta)/2

    Parameters
    ----------
    advantage : probability
        δ, the bound on the weighted advantage.
    first_weight : probability
        w, the chance that a guesser gives the answer of interest beforehand.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), Theorem 1.

    >>> switch_prevalence("1/4"), switch_prevalence("1/4", first_weight="2/5")
    (Fraction(1, 2), Fraction(1, 10))
    """
    w = prior_weight(first_weight)
    delta = advantage_limit(advantage, w)
    return (w - (1 - delta) / 2) / delta


@checked
def yoshida_pair(
    advantage: object,
    *,
    first_weight: object = "1/2",
    prevalence: object | None = None,
    reports: int = 3,
) -> OptimalPair:
    r"""Optimal pair of rows: the most Fisher information at a bounded weighted advantage.

    Of all pairs with ‖(1 − w)p₀ − w p₁‖₁ ≤ δ, with a = (1 − δ)/2:

    .. math::
        p_1 = [1 - a/w,\, 0,\, a/w], \qquad p_0 = [0,\, 1 - a/(1-w),\, a/(1-w)]

    for three or more reports, whatever the prevalence: the truth, or "don't know", and never a lie.
    The same pair maximises every f-divergence, every relative Rényi entropy and the Chernoff
    exponent between any two prevalences. With two reports, one row is certain: p₀ for θ ≤ θ₀, p₁
    above.

    Parameters
    ----------
    advantage : probability
        δ in :math:`[|1 - 2w|, 1)`, above 0.
    first_weight : probability
        w in (0, 1), the chance that a guesser gives the first answer beforehand.
    prevalence : probability, optional
        θ in (0, 1), the share of the first answer; needed for two reports only.
    reports : int
        2, or 3 and more.

    Raises
    ------
    InputError
        If δ, w, θ or the number of reports is out of its range.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), Theorems 1 and 3 and Corollary 1.

    >>> pair = yoshida_pair("1/4")
    >>> pair.first, pair.second
    ((Fraction(1, 4), Fraction(0, 1), Fraction(3, 4)), (Fraction(0, 1), Fraction(1, 4), ...))
    >>> pair.information("1/2")  # δ / (θ(1 − θ))
    Fraction(1, 1)
    """
    w = prior_weight(first_weight)
    delta = advantage_limit(advantage, w)
    a = (1 - delta) / 2
    silent1, silent0 = a / w, a / (1 - w)
    theta = None if prevalence is None else inner_share(prevalence)
    if read_integer(reports, "reports", "2 with a prevalence, or 3 and more", 0) >= 3:
        nothing = Fraction(0)
        return OptimalPair(
            first=(1 - silent1, nothing, silent1),
            second=(nothing, 1 - silent0, silent0),
            first_weight=w,
        )
    if reports < 2 or theta is None:
        raise InputError(
            "reports",
            got=f"{reports}, without a prevalence" if reports == 2 else reports,
            allowed="2 with a prevalence, or 3 and more",
            remedy="with one report nothing can be learnt" if reports < 2 else "",
        )
    certain = (Fraction(0), Fraction(1))
    if theta <= (w - a) / delta:
        return OptimalPair(first=(1 - silent1, silent1), second=certain, first_weight=w)
    return OptimalPair(first=certain[::-1], second=(silent0, 1 - silent0), first_weight=w)


@checked
def is_yoshida_optimal(
    channel: Channel, advantage: object, *, first_weight: object = "1/2"
) -> bool:
    r"""Check a channel for two answers against what every optimal one has.

    .. math:: \sum_{y: p_0(y) > 0} p_1(y) = a/w, \qquad \sum_{y: p_1(y) > 0} p_0(y) = a/(1 - w)

    together with the bound itself. Both sums force every report that is possible for both answers
    to favour neither, so they are sufficient too. Exact.

    Parameters
    ----------
    channel : Channel
        For two answers, the one whose share is asked for first.
    advantage : probability
        δ.
    first_weight : probability
        w, of the first answer.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), Theorem 2.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> yn = Frame(["yes", "no"])
    >>> honest, lying = Abstain(truth="1/4", lie=0), Abstain(truth="3/8", lie="1/8")
    >>> [is_yoshida_optimal(m.channel(yn), "1/4") for m in (honest, lying)]
    [True, False]
    """
    if len(channel.frame) != 2:
        raise InputError("channel", got=f"{len(channel.frame)} answers", allowed="two answers")
    w = prior_weight(first_weight)
    delta = advantage_limit(advantage, w)
    a = (1 - delta) / 2
    columns = list(zip(*exact_rows(channel), strict=True))
    distance = sum(abs((1 - w) * p0 - w * p1) for p1, p0 in columns)
    shared = sum(p1 for p1, p0 in columns if p0), sum(p0 for p1, p0 in columns if p1)
    return distance <= delta and shared == (a / w, a / (1 - w))


@checked
def joint_pair(
    advantage: object | None = None,
    epsilon: object | None = None,
    *,
    ratio: object | None = None,
    first_weight: object = "1/2",
) -> OptimalPair:
    r"""Optimal pair of rows where the loss ε and the advantage δ are both bounded.

    A report counts by the ratio p₁/p₀ alone, and what it tells is convex in its two chances, while
    both bounds are piecewise linear in the ratio. So some optimum uses no other ratios than e^−ε,
    (1 − w)/w and e^ε: three reports suffice, at every prevalence and for every f-divergence. For
    w = ½ and δ < tanh(ε/2),

    .. math::
        p = \frac{\delta e^\varepsilon}{e^\varepsilon - 1}, \qquad
        q = \frac{\delta}{e^\varepsilon - 1}, \qquad
        r = 1 - \delta \coth(\varepsilon / 2)

    are the chances of the truth, a lie and "don't know". Without the bound on ε this is Yoshida's
    pair, which never lies; without the bound on δ, or where it does not bind, Warner's design,
    which is never silent.

    Parameters
    ----------
    advantage : probability, optional
        δ, the bound on ‖(1 − w)p₀ − w p₁‖₁.
    epsilon : number, optional
        ε in (0, 12]. It enters as a fraction just below e^ε, so that the bound is kept exactly.
    ratio : number, optional
        e^ε instead, exactly.
    first_weight : probability
        w in (0, 1), the chance that a guesser gives the first answer beforehand.

    Raises
    ------
    InputError
        If nothing is bounded, or a bound is out of its range.

    References
    ----------
    Extends Yoshida, Yung & Hayashi (2019), Theorem 1, and the staircase mechanisms of Kairouz, Oh &
    Viswanath (2016); Li, Zhou, Qin & Xu (2022) use the same 2 × 3 mechanism.

    >>> pair = joint_pair("3/10", 1.2)
    >>> [round(float(chance), 6) for chance in pair.first]
    [0.429304, 0.129304, 0.441392]
    """
    w = prior_weight(first_weight)
    delta = None if advantage is None else advantage_limit(advantage, w)
    if ratio is None and (epsilon is None or (isinstance(epsilon, float) and epsilon == math.inf)):
        if delta is None:
            raise InputError(
                "joint_pair", got="no bound", allowed="a bound on the advantage, on ε, or both"
            )
        return yoshida_pair(delta, first_weight=w)
    bound = loss_bound(epsilon, ratio)
    return joint_rows(just_below(bound) if ratio is None else bound, delta, w)


def joint_rows(ratio: Fraction, delta: Fraction | None, w: Fraction) -> OptimalPair:
    """The two rows for a bound on the ratio itself; see `joint_pair`.

    >>> joint_rows(Fraction(3), Fraction(1, 4), Fraction(1, 2)).first
    (Fraction(3, 8), Fraction(1, 8), Fraction(1, 2))
    """
    warner = _warner(ratio, w)
    return warner if delta is None or warner.advantage <= delta else _three_reports(ratio, delta, w)


def _warner(e: Fraction, w: Fraction) -> OptimalPair:
    truth, lie = e / (e + 1), 1 / (e + 1)
    return OptimalPair(first=(truth, lie), second=(lie, truth), first_weight=w)


def _three_reports(e: Fraction, delta: Fraction, w: Fraction) -> OptimalPair:
    """Solve for p₀ on the ratios e, 1/e and c: it sums to one, as does p₁, and δ is met.

    z + x + y = 1, e z + x/e + c y = 1, (w e − (1 − w)) z + ((1 − w) − w/e) x = δ.
    """
    c = (1 - w) / w
    up, down = w * e - (1 - w), (1 - w) - w / e
    a, b = e - c, 1 / e - c
    z = ((1 - c) * down - b * delta) / (a * down - b * up)
    x = (delta - up * z) / down
    y = 1 - x - z
    return OptimalPair(first=(e * z, x / e, c * y), second=(z, x, y), first_weight=w)


def has_even_report(pair: OptimalPair) -> bool:
    """Say whether some report is as likely from either answer."""
    return any(p1 == p0 != 0 for p1, p0 in zip(pair.first, pair.second, strict=True))


def name_reports(
    pair: OptimalPair, limits: Limits
) -> tuple[dict[str, Names], list[tuple[Fraction, Fraction]]]:
    """Name the reports that are sent: for the answer they make the likelier one, or both.

    Beside a share that says nothing, and where every report has to mean one answer, a report that
    leaves the odds even is named for the answer that it is likelier from.
    """
    w, frame = pair.first_weight, limits.frame
    reports: dict[str, Names] = {}
    columns = []
    for p1, p0 in zip(pair.first, pair.second, strict=True):
        excess = w * p1 - (1 - w) * p0 if p1 != p0 else Fraction(0)
        if limits.silent or limits.precise:
            excess = excess or p1 - p0
        several = not excess and not limits.precise
        names = frame.answers if several else (frame.answers[excess < 0],)
        used_names = dict.fromkeys(frame.answers, ()) | reports if several else reports
        if p1 or p0:
            reports[fresh(DONT_KNOW if several else names[0], used_names)] = names
            columns.append((p1, p0))
    return reports, columns
