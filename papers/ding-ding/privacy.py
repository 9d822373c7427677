"""What claims about privacy are computed with, where one call of the library is not enough.

Conditional means of noise are taken by quadrature here, apart from the library's own formulas.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.stats import logistic, norm

import askance as ak

LINE = ak.Line(0, 20, 1)
TRUE_SD, CUTS = 1.7, logistic(0, 5)


def up_to_a_threshold(*, is_exact: bool) -> ak.Channel:
    """Give Remark 4's random A: who is up to a tells the number, a being even on 0 to 4.

    Of four numbers; whoever does not tell says nothing, or says a.
    """
    numbers = (1, 2, 3, 4)
    frame, share = ak.Frame([str(number) for number in numbers]), Fraction(1, 5)
    meanings = {name: [name] for name in frame.answers}
    silent = {a: f"above {a}" if is_exact else "nothing" for a in range(4)}
    for a, name in silent.items():
        meanings[name] = [str(number) for number in numbers if number > a or not is_exact]
    names, rows = list(meanings), []
    for number in numbers:
        row = [Fraction(0)] * len(names)
        for a in range(5):
            row[names.index(str(number) if number <= a else silent[a])] += share
        rows.append(row)
    return ak.Channel(frame, reports=meanings, matrix=rows)


def refusal(call: Callable[[], object]) -> str:
    """Name the error with which a call is refused."""
    try:
        call()
    except ak.AskanceError as error:
        return type(error).__name__
    return "not refused"


def below(noise: Any, end: float) -> float:
    """Give G(s) = E[ε 1{ε ≤ s}] of a noise."""
    return float(quad(lambda e: e * noise.pdf(e), -60, end, limit=200)[0])


def entropy(share: float) -> float:
    """Give the entropy of a yes-or-no chance."""
    return -share * math.log(share) - (1 - share) * math.log(1 - share)


def fixed_scale(*, with_variance: bool) -> float:
    """Iterate the update of Remark 5 with endless data until the scale stays; the truth is 1.7.

    E[ε²| D] = E[ε | D]² + Var(ε | D), D being on which side of its cut the noise is.
    """
    cut = np.linspace(-150, 150, 60_001)
    shares, weight = norm.cdf(cut / TRUE_SD), CUTS.pdf(cut) * (cut[1] - cut[0])
    sd, last = 1.0, 0.0
    while abs(sd - last) > 1e-9:
        z, last = cut / sd, sd
        low = -np.exp(norm.logpdf(z) - norm.logcdf(z))
        high = np.exp(norm.logpdf(z) - norm.logsf(z))
        first, second = (1 + z * low, 1 + z * high) if with_variance else (low**2, high**2)
        sd = float(sd * np.sqrt(weight @ (shares * first + (1 - shares) * second)))
    return sd


def small_channels(answers: int, reports: int, total: int) -> Iterator[ak.Channel]:
    """List every channel whose chances are whole parts of a total; a report means all answers."""
    frame = ak.Frame([f"x{i}" for i in range(answers)])
    means = {f"y{i}": frame.answers for i in range(reports)}
    rows = [row for row in product(range(total + 1), repeat=reports) if sum(row) == total]
    for chosen in product(rows, repeat=answers):
        yield ak.Channel(frame, means, [[Fraction(unit, total) for unit in row] for row in chosen])


def information_bounds(channel: ak.Channel) -> bool:
    """Say whether the local loss lies between the information loss and twice it."""
    shares = [Fraction(i + 1, 6) for i in range(3)]
    ratio = ak.privacy.information_loss(channel, shares).value
    return ratio <= ak.local_loss(channel).value <= ratio**2


def private_both_ways(channel: ak.Channel) -> bool:
    """Say whether a channel is flat inside its reports and has a finite information loss."""
    flat = ak.privacy.interval_differential(channel)[1].value == 1
    return flat and ak.privacy.information_loss(channel).value < math.inf


def tells_nothing(channel: ak.Channel) -> bool:
    """Say whether every answer has the same chances of the reports."""
    return bool((channel.matrix == channel.matrix[0]).all())


def preimages(channel: ak.Channel) -> list[frozenset[int]]:
    """Give for each report that can be sent the answers that can send it."""
    sets = [frozenset(np.flatnonzero(column).tolist()) for column in channel.matrix.T]
    return [answers_of_report for answers_of_report in sets if answers_of_report]


def statements(channel: ak.Channel) -> Iterator[tuple[frozenset[int], bool]]:
    """List the preimages that rule something out, and whether some set of reports implies each."""
    answer_sets = preimages(channel)
    sets = [
        chosen for size in range(len(answer_sets)) for chosen in combinations(answer_sets, size + 1)
    ]
    for stated in answer_sets:
        if len(stated) < len(channel.frame):
            yield stated, any(frozenset().union(*chosen) <= stated for chosen in sets)


def obfuscates(channel: ak.Channel) -> bool:
    """Say whether (33) holds: each statement is implied by some set of reports."""
    return all(implied for _, implied in statements(channel))


def perturbs(channel: ak.Channel) -> bool:
    """Say whether (34) holds: no statement is implied by any set of reports."""
    return not any(implied for _, implied in statements(channel))


def judged(channel: ak.channels.RingChannel) -> tuple[Fraction | float, ...]:
    """Give flatness, coverage and floor of a ring as the library judges it."""
    judges = ak.privacy.flatness, ak.privacy.coverage, ak.privacy.least_coverage
    return tuple(judge(channel).value for judge in judges)


def written(channel: ak.channels.RingChannel) -> tuple[Fraction | float, ...]:
    """Give the same of the partitions into arcs, written out: equally likely, all that keep it."""
    n, names = channel.line.ticks, [str(i) for i in range(channel.line.ticks)]
    laws = []
    for cuts in combinations(range(1, n), channel.number):
        arcs = [names[low:high] for low, high in pairwise(cuts)]
        arcs.append(names[cuts[-1] :] + names[: cuts[0]])
        if min(map(len, arcs)) >= channel.floor.minimum:
            laws.append(arcs)
    blocks = ak.mechanisms.Partitions(laws).channel(ak.Frame(names))
    tau, flat = ak.privacy.interval_differential(blocks)
    least = min(mask.bit_count() for mask in blocks.meanings)
    return flat.value, tau.value, Fraction(least, n)


def followed_coverage(channel: ak.channels.OpenCellChannel) -> Fraction:
    """Follow every pair of cuts from every answer, and count how much what is sent holds."""
    n, count_held, draws = (
        channel.line.ticks,
        0,
        list(product(range(1, channel.line.ticks), repeat=2)),
    )
    for cuts in draws:
        ends = [0, *sorted(cuts), n]
        for answer in range(n):
            below = sum(cut <= answer for cut in cuts)
            count_held += 1 if below + 1 in channel.exact_cells else ends[below + 1] - ends[below]
    return Fraction(count_held, len(draws) * n * n)


def partitions(elements: tuple[int, ...]) -> Iterator[list[set[int]]]:
    """List every partition of some elements."""
    if not elements:
        yield []
        return
    first, rest = elements[0], elements[1:]
    for parts in partitions(rest):
        yield [{first}, *parts]
        for step, part in enumerate(parts):
            yield [*parts[:step], part | {first}, *parts[step + 1 :]]


def lemma_1() -> Iterator[tuple[Fraction, Fraction]]:
    """Give both sides of Lemma 1 for all pairs of partitions that it is about."""
    parted = list(partitions((0, 1, 2, 3)))
    weights = [row for row in product(range(9), repeat=4) if sum(row) == 8]
    pairs = [
        (first, two)
        for first, two in product(parted, repeat=2)
        if all(len(a & b) <= 1 for a in first for b in two)
    ]
    for (first, two), row in product(pairs, weights):
        sides = [
            64 - sum(sum(row[step] for step in part) ** 2 for part in parts)
            for parts in (first, two)
        ]
        yield Fraction(sum(sides), 64), Fraction(64 - sum(a * a for a in row), 64)
