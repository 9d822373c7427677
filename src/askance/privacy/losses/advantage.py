"""Advantage: how well anyone who sees a report can tell two answers apart."""

from fractions import Fraction
from itertools import permutations

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.errors import InputError
from askance.exact.ratio import ratio
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.losses.local import exact_rows


@checked
def advantage(channel: Channel, *, weight: object = "1/2") -> Guarantee:
    r"""Give the worst weighted advantage over pairs of answers.

    .. math:: \max_{x \ne x'} \lVert (1 - w)\, p_x - w\, p_{x'} \rVert_1

    With w = ½ this is the total variation distance: someone who holds the two answers equally
    likely beforehand guesses right with chance (1 + advantage) / 2.

    Parameters
    ----------
    channel : Channel
    weight : probability
        w in (0, 1), the prior chance of the second answer.

    References
    ----------
    Yoshida, Yung & Hayashi, equation (2), the constraint on the weighted ℓ₁ norm.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> advantage(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(1, 2)
    """
    w = ratio(weight, "advantage.weight")
    if not 0 < w < 1:
        raise InputError("advantage.weight", got=str(weight), allowed="a probability in (0, 1)")
    rows, answers = exact_rows(channel), channel.frame.answers
    worst, where = abs(1 - 2 * w), "with a single answer"
    for x, other in permutations(range(len(rows)), 2):
        pairs = zip(rows[x], rows[other], strict=True)
        distance = sum((abs((1 - w) * p - w * q) for p, q in pairs), Fraction(0))
        if distance >= worst:
            worst, where = distance, f"between {answers[x]!r} and {answers[other]!r}"
    return Guarantee(Notion.ADVANTAGE, worst, where)
