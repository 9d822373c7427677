"""Telling two answers apart from one report: the best possible errors, view by view."""

from enum import Enum
from fractions import Fraction
from typing import final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.errors import InputError
from askance.privacy.losses.messages import messages, units
from askance.privacy.tradeoffs.attack import MOST_NESTED, attack_curve
from askance.privacy.tradeoffs.curve import Curve
from askance.privacy.tradeoffs.events import events
from askance.privacy.tradeoffs.neyman_pearson import neyman_pearson
from askance.privacy.tradeoffs.piecewise import lower_hull


@final
class View(Enum):
    """How someone who tests a report reads it; each member's value says it in one sentence."""

    REPORTS = "report by report, whatever they mean"
    MESSAGES = "message by message: sets of answers, taken as they are"
    PESSIMISTIC = "answer by answer, each vague report resolved against the one who tests"
    OPTIMISTIC = "the pessimistic curve turned around: errors that a sensible test stays below"
    ATTACKER = "answer by answer, each vague report resolved in favour of the one who tests"


@checked
def tradeoff(channel: Channel, x: str, other: str, *, view: View = View.MESSAGES) -> Curve:
    r"""Give the least type II error at each type I error, for a test of x against x′.

    .. math::

       T^{msg}(\alpha) &= \inf\{1 - \sum_E m_{x'}(E) \varphi(E) :
                           \sum_E m_x(E) \varphi(E) \le \alpha\} \\
       T^{pe}(\alpha) &= \inf\{1 - \underline{E}_{x'} \varphi : \overline{E}_x \varphi
                           \le \alpha\} \\
       T^{op}(\alpha) &= 1 - T^{pe}(1 - \alpha) \\
       T^{att}(\alpha) &= \inf\{1 - \overline{E}_{x'} \varphi : \underline{E}_x \varphi
                           \le \alpha\}

    Lower and upper expectations are Choquet integrals for belief and plausibility. The curves by
    message certify Shafer's loss and the attacker's curves Walley's: the loss is at most ε exactly
    when they lie nowhere below `error_floor`, for all ordered pairs of answers. The pessimistic
    curve certifies neither.

    Parameters
    ----------
    channel : Channel
        Computed exactly; rows of doubles are taken as the fractions that they are.
    x, other : str
        The innocent answer, and the one that the test looks for.
    view : View

    Returns
    -------
    Curve
        Exact. Convex but for the optimistic and the attacker's, which need not be.

    Raises
    ------
    InputError
        If an answer is not in the frame, if both are the same, or if messages are about more
        answers than can be gone through: 16 for the pessimistic, 10 for the attacker's curve.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Theorem 18, as corrected; Huber & Strassen (1973), Theorem 4.1, for
    the pessimistic curve.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> [tradeoff(q, "yes", "no", view=one).beta(0.05) for one in View]
    [0.7, 0.7, 0.925, 0.9666666666666667, 0.55]
    """
    at, beside = rows_of(channel, x, other)
    match view:
        case View.REPORTS:
            rows, _ = units(channel)
            return neyman_pearson(rows[at], rows[beside])
        case View.MESSAGES:
            masses = messages(channel).masses
            return neyman_pearson(masses[at], masses[beside])
        case View.ATTACKER:
            return attack_curve(events(channel, at, beside, MOST_NESTED))
    read = events(channel, at, beside)
    alarms, misses = read.totals
    corners = [(Fraction(a) / alarms, Fraction(b) / misses) for a, b in lower_hull(read.cautious())]
    curve = Curve(corners)
    return curve.turned() if view is View.OPTIMISTIC else curve


def rows_of(channel: Channel, x: str, other: str) -> tuple[int, int]:
    """Find two different answers.

    Raises
    ------
    InputError
        If an answer is not in the frame, or both are the same.
    """
    if x == other:
        raise InputError("tradeoff", got=f"{x!r} twice", allowed="two different answers")
    return channel.frame.index(x), channel.frame.index(other)
