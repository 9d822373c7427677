"""How often the interval from the Fisher information at the estimate covers, and how often ours.

Yoshida, Yung and Hayashi estimate by maximum likelihood and take ± 1.96/√(n J). Every possible
tally is gone through, so these are chances, not counts.
"""

from itertools import product
from math import comb, inf, sqrt

from askance.channels import Channel, Frame, Tally
from askance.design import joint_pair, yoshida_pair
from askance.inference import estimate, fisher_information

YN = Frame(["yes", "no"])
CHANNELS = {
    "truth or silence": yoshida_pair("1/2").channel(YN),
    "Warner": joint_pair(epsilon=2).channel(YN),
}
SETTINGS = tuple(product(CHANNELS, (0.02, 0.1, 0.3), (40,)))


def coverage(channel: Channel, share: float, n: int) -> tuple[float, float]:
    """Give the chances that the asymptotic interval and ours hold the share."""
    chance = [share * item + (1 - share) * zero for item, zero in channel.matrix.T.tolist()]
    theirs = ours = 0.0
    for counts in tallies(n, len(chance)):
        weight = likelihood(counts, chance)
        if weight < 1e-9:
            continue
        result = estimate(Tally(channel, dict(zip(channel.reports, counts, strict=True))))
        ours += weight * (result.lower[0] <= share <= result.upper[0])
        value = min(max(float(result.value[0]), 0.0), 1.0)
        information = fisher_information(channel, value)
        half = 0.0 if information == inf else 1.96 / sqrt(n * information)
        theirs += weight * (abs(share - value) <= half)
    return theirs, ours


def tallies(n: int, kinds: int):
    """Go through all ways to spread n reports over so many kinds."""
    if kinds == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in tallies(n - first, kinds - 1):
            yield (first, *rest)


def likelihood(counts: tuple[int, ...], chance: list[float]) -> float:
    """Give the chance of a tally."""
    total, weight = sum(counts), 1.0
    for count, item in zip(counts, chance, strict=True):
        weight *= comb(total, count) * item**count
        total -= count
    return weight


def table() -> list[str]:
    """Give one line per setting."""
    lines = ["{:<18}{:>6}{:>5}{:>12}{:>8}".format("channel", "share", "n", "asymptotic", "ours")]
    for name, share, n in SETTINGS:
        theirs, ours = coverage(CHANNELS[name], share, n)
        lines.append(f"{name:<18}{share:>6}{n:>5}{theirs:>12.3f}{ours:>8.3f}")
    return lines
