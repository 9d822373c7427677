"""Privacy for reports that are sets of answers: Shafer's and Walley's readings, and their kin."""

from typing import Any

import numpy.typing as npt

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.exact.level import loss_within
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.losses.messages import messages
from askance.privacy.losses.ratios import between_rows, largest_ratios, worst_pair


@checked
def shafer_loss(channel: Channel) -> Guarantee:
    r"""Give the most that any message's mass can differ between two answers.

    .. math:: e^{\varepsilon_S} = \max_{E, x, x'} m_x(E) / m_{x'}(E)

    A message is the set of answers that a report means, so reports with equal meanings count as
    one; 0/0 is ignored and a/0 is infinite. It bounds what anyone learns who takes the message as
    it is.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 1, with 0/0 ignored.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> loss = shafer_loss(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"])))
    >>> loss.value, loss.pair_epsilons.round(4).tolist()
    (Fraction(6, 1), [[0.0, 1.7918], [1.7918, 0.0]])
    """
    read = messages(channel)
    return worst_pair(
        Notion.SHAFER,
        channel.frame.answers,
        between_rows(read.masses, exact=read.exact),
        lambda at: f"by {' or '.join(channel.output.names(int(read.masks[at])))!r}",
    )


@checked
def belief_loss(channel: Channel) -> Guarantee:
    r"""Give the most that the belief in any set of answers can differ between two answers.

    .. math:: e^{\varepsilon_{bel}} = \max_{A, x, x'} bel_x(A) / bel_{x'}(A)

    All 2^l sets are looked at. Never more than Shafer's loss; a bound on it does not bound
    Shafer's.

    Raises
    ------
    InputError
        If messages are about more than 24 answers.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 2.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> belief_loss(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(6, 1)
    """
    read = messages(channel, every_set=True)
    return _over_events(Notion.BELIEF, channel, read.beliefs(), exact=read.exact)


@checked
def plausibility_loss(channel: Channel) -> Guarantee:
    r"""Give the most that the plausibility of any set of answers can differ between two answers.

    .. math:: e^{\varepsilon_{pl}} = \max_{A, x, x'} pl_x(A) / pl_{x'}(A)

    Same bounds and errors as `belief_loss`.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 2.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> plausibility_loss(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(9, 4)
    """
    read = messages(channel, every_set=True)
    return _over_events(Notion.PLAUSIBILITY, channel, read.plausibilities(), exact=read.exact)


@checked
def walley_loss(channel: Channel, *, diagonal: bool = False) -> Guarantee:
    r"""Give the most that plausibility under one answer can exceed belief under another.

    .. math:: e^{\varepsilon_W} = \max_{x \ne x'} \max_y
              \frac{\sum_{E \ni y} m_x(E)}{m_{x'}(\{y\})}

    The maximum of pl/bel over all events is attained at single answers, since plausibility is
    subadditive and belief superadditive. Whoever resolves a vague report as they like learns no
    more than this.

    Parameters
    ----------
    channel : Channel
    diagonal : bool
        Whether an answer counts beside itself, as the definition says literally. pl/bel under one
        answer measures how vague its reports are, not what they tell; `pairs` holds it always.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 13, over distinct pairs of answers.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> walley_loss(q).value, walley_loss(q).pairs[0][0]
    (Fraction(9, 1), Fraction(4, 1))
    """
    read = messages(channel)
    high, low = read.contours(), read.singles()
    return worst_pair(
        Notion.WALLEY,
        channel.frame.answers,
        largest_ratios(high, low, exact=read.exact),
        lambda at: f"at {channel.output.answers[at]!r}",
        diagonal=diagonal,
    )


@checked
def is_shafer_private(channel: Channel, epsilon: object = None, *, ratio: object = None) -> bool:
    """Say whether Shafer's loss is at most ε: never yes unless it is so.

    Parameters
    ----------
    channel : Channel
    epsilon : number, optional
        ε. A float is a logarithm to double precision: a loss keeps to it whose own logarithm,
        rounded to the nearest double, does. Every other number is compared exactly.
    ratio : number, optional
        e^ε instead, compared exactly.

    Raises
    ------
    InputError
        If not exactly one is given, or it is neither in [0, 10000], or [1, e^10000] for the ratio,
        nor infinite.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 1.

    >>> import math
    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> is_shafer_private(q, ratio=6), is_shafer_private(q, math.log(6)), is_shafer_private(q, 1.7)
    (True, True, False)
    """
    return loss_within(shafer_loss(channel).value, epsilon, ratio)


@checked
def is_walley_private(
    channel: Channel, epsilon: object = None, *, ratio: object = None, diagonal: bool = False
) -> bool:
    """Say whether Walley's loss is at most ε: never yes unless it is so.

    Same bounds and errors as `is_shafer_private`; the diagonal as in `walley_loss`.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 13 and Lemma 14.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> is_walley_private(q, 2.2), is_walley_private(q, 1.8)
    (True, False)
    """
    return loss_within(walley_loss(channel, diagonal=diagonal).value, epsilon, ratio)


def _over_events(
    notion: Notion, channel: Channel, values: npt.NDArray[Any], *, exact: bool
) -> Guarantee:
    return worst_pair(
        notion,
        channel.frame.answers,
        between_rows(values[:, 1:], exact=exact),
        lambda at: f"for {' or '.join(channel.output.names(at + 1))!r}",
    )
