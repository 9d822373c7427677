"""Advantage: how well anyone who sees a report can tell two answers apart."""

from itertools import permutations

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.losses.guessing import distances, prior_weight


@checked
def advantage(channel: Channel, *, first_weight: object = "1/2") -> Guarantee:
    r"""Give the worst weighted advantage over pairs of answers.

    .. math:: \max_{x \ne x'} \lVert w\, p_x - (1 - w)\, p_{x'} \rVert_1

    With w = ½ this is the total variation distance: someone who holds the two answers equally
    likely beforehand guesses right with chance (1 + advantage) / 2.

    Parameters
    ----------
    channel : Channel
    first_weight : probability
        w in (0, 1), the prior chance of x, the first answer of the pair; over ordered pairs either
        answer is the first once.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), equation (1), the constraint on the weighted ℓ₁ norm.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> advantage(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(1, 2)
    """
    w = prior_weight(first_weight, "advantage.first_weight")
    answers, distance = channel.frame.answers, distances(channel, w)
    worst, where = abs(1 - 2 * w), "with a single answer"
    for x, other in permutations(range(len(answers)), 2):
        if (found := distance(x, other)) >= worst:
            worst, where = found, f"between {answers[x]!r} and {answers[other]!r}"
    return Guarantee(Notion.ADVANTAGE, worst, where)
