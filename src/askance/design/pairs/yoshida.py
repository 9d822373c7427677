"""The best two rows where only the advantage over guessing is bounded: say nothing, never lie."""

from fractions import Fraction

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.design.pairs.pair import OptimalPair, advantage_limit, inner_share
from askance.errors import InputError
from askance.exact.ratio import whole
from askance.privacy.guessing import prior_weight
from askance.privacy.losses import exact_rows


@checked
def switch_prevalence(advantage: object, *, first_weight: object = "1/2") -> Fraction:
    r"""Give θ₀, the share at which the best pair with two reports changes sides.

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
    r"""Give the two rows with the most Fisher information at a bounded weighted advantage.

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
        δ in [|1 − 2w|, 1), above 0.
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
    one, zero = a / w, a / (1 - w)
    known = None if prevalence is None else inner_share(prevalence)
    if whole(reports, "reports", "2 with a prevalence, or 3 and more", 0) >= 3:
        nothing = Fraction(0)
        return OptimalPair(
            first=(1 - one, nothing, one), second=(nothing, 1 - zero, zero), first_weight=w
        )
    if reports < 2 or known is None:
        raise InputError(
            "reports",
            got=f"{reports}, without a prevalence" if reports == 2 else reports,
            allowed="2 with a prevalence, or 3 and more",
            remedy="with one report nothing can be learnt" if reports < 2 else "",
        )
    certain = (Fraction(0), Fraction(1))
    if known <= (w - a) / delta:
        return OptimalPair(first=(1 - one, one), second=certain, first_weight=w)
    return OptimalPair(first=certain[::-1], second=(zero, 1 - zero), first_weight=w)


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
    >>> from askance.mechanisms.abstain import Abstain
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
    distance = sum(abs((1 - w) * zero - w * one) for one, zero in columns)
    shared = sum(one for one, zero in columns if zero), sum(zero for one, zero in columns if one)
    return distance <= delta and shared == (a / w, a / (1 - w))
