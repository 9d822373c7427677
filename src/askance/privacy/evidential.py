"""Two readings of privacy for reports that are sets of answers: Shafer's and Walley's."""

from collections.abc import Mapping
from fractions import Fraction

from askance.channels.channel import Channel
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.local import Ratio, exact_rows, over, worst_ratio

Masses = list[dict[int, Fraction]]


def shafer_loss(channel: Channel) -> Guarantee:
    r"""Give the most that any message's mass can differ between two answers.

    .. math:: e^{\varepsilon_S} = \max_{E, x, x'} m_x(E) / m_{x'}(E)

    A message is the set of answers that a report means, so reports with equal meanings count as
    one; 0/0 is ignored and a/0 is infinite.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 2 (Shafer's semantics), with 0/0 ignored.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> shafer_loss(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(6, 1)
    """
    masses = _masses(channel)
    messages = sorted({message for row in masses for message in row})
    rows = [[row.get(message, Fraction(0)) for message in messages] for row in masses]
    named = [" or ".join(channel.output.names(message)) for message in messages]
    return worst_ratio(channel, rows, named, Notion.SHAFER)


def walley_loss(channel: Channel) -> Guarantee:
    r"""Give the most that plausibility under one answer can exceed belief under another.

    .. math:: e^{\varepsilon_W} = \max_{x \ne x'} \max_y
              \frac{\sum_{E \ni y} m_x(E)}{m_{x'}(\{y\})}

    The maximum of pl/bel over all events is attained at single answers, since plausibility is
    subadditive and belief superadditive. Whoever resolves a vague report as they like learns no
    more than this.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 13, over distinct pairs of answers.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> walley_loss(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(9, 1)
    """
    masses, answers, outputs = _masses(channel), channel.frame.answers, channel.output.answers
    worst: Ratio = Fraction(0)
    where = "nowhere: there is one answer"
    for x, row in enumerate(masses):
        for other, beside in enumerate(masses):
            for y, output in enumerate(outputs):
                ratio = over(_plausibility(row, y), beside.get(1 << y, Fraction(0)))
                if x != other and ratio > worst:
                    worst = ratio
                    where = f"at {output!r} between {answers[x]!r} and {answers[other]!r}"
    return Guarantee(Notion.WALLEY, max(worst, Fraction(1)), where)


def _plausibility(row: Mapping[int, Fraction], answer: int) -> Fraction:
    return sum((mass for message, mass in row.items() if message >> answer & 1), Fraction(0))


def _masses(channel: Channel) -> Masses:
    masses: Masses = []
    for row in exact_rows(channel):
        mass: dict[int, Fraction] = {}
        for message, share in zip(channel.meanings, row, strict=True):
            mass[message] = mass.get(message, Fraction(0)) + share
        masses.append({message: share for message, share in mass.items() if share})
    return masses
