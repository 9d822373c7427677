"""A channel as a measurement of OpenDP, to be composed and post-processed by its combinators."""

import math
from typing import Any

from askance.channels.channel import Channel
from askance.channels.privatise import privatise
from askance.privacy.losses import local_loss
from askance_collect.arguments import checked
from askance_collect.errors import MissingExtra


@checked
def opendp_measurement(channel: Channel) -> Any:
    r"""A channel as a measurement of OpenDP: a local randomiser with its privacy map.

    The map is that of pure differential privacy (max divergence) under the discrete metric,

    .. math:: d_{out}(d_{in}) = \begin{cases} 0 & d_{in} = 0 \\ \varepsilon & d_{in} \ge 1
              \end{cases}

    where d_in : distance of two answers, which is 1 between any two that differ; ε : loss of local
    differential privacy, computed on the integers that are drawn, as a double that is never less.

    Called with an answer it draws one report from bits of the operating system, as `privatise`
    does with the coin. The input domain holds the channel's answers and nothing else, so that no
    other value can be told by the error that it ends in. Reports are strings, or what the channel
    of a frequency oracle sends: bytes or a number. OpenDP's own features have to be enabled by
    whoever trusts them: ``contrib``, and ``honest-but-curious``, since OpenDP cannot check a
    measurement from outside it.

    Parameters
    ----------
    channel : Channel
        With exact chances, in no more than 2^48 parts.

    Returns
    -------
    opendp.Measurement
        Its loss is infinite where a report rules an answer out.

    Raises
    ------
    InputError
        If the chances are doubles or have more parts: what is promised would not be what is drawn.
    MissingExtra
        If OpenDP is not installed.

    References
    ----------
    Kasiviswanathan, Lee, Nissim, Raskhodnikova & Smith (2011), Definition 2.4 (the local
    randomiser).

    >>> import askance as ak
    >>> from opendp.combinators import make_composition
    >>> from opendp.mod import enable_features
    >>> enable_features("contrib", "honest-but-curious")
    >>> q = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
    >>> once = ak.privacy.opendp_measurement(q)
    >>> round(once.map(1), 6), once("yes") in q.reports
    (1.791759, True)
    >>> twice = make_composition([once, once])
    >>> round(twice.map(1), 6), len(twice("no"))
    (3.583519, 2)
    """

    def send(answer: Any) -> Any:
        return privatise(channel, [answer], coin=True)[0]

    send(channel.frame.answers[0])  # one draw for nothing: what cannot be drawn is refused here
    dp = _opendp()
    answers, loss = channel.frame.answers, _above(channel)
    admissible = frozenset(answers)
    return dp.measurements.make_user_measurement(
        input_domain=dp.domains.user_domain(
            f"Answer({len(answers)})",
            member=lambda value: isinstance(value, str) and value in admissible,
            descriptor=answers,
        ),
        input_metric=dp.metrics.discrete_distance(),
        output_measure=dp.measures.max_divergence(),
        function=send,
        privacy_map=lambda distance: loss if distance else 0.0,
        TO="String" if isinstance(send(answers[0]), str) else "ExtrinsicObject",
    )


def _above(channel: Channel) -> float:
    """The loss as a double that is never less: one step above the nearest."""
    loss = local_loss(channel)
    return math.nextafter(loss.epsilon_nearest, math.inf) if loss.value != 1 else 0.0


def _opendp() -> Any:
    try:
        import opendp
        import opendp.domains
        import opendp.measurements
        import opendp.measures
        import opendp.metrics
    except ModuleNotFoundError as error:
        raise MissingExtra("opendp", "opendp") from error
    return opendp
