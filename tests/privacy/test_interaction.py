"""Which losses and curves compose however questions are chosen: every strategy, exactly."""

import math
from contextlib import suppress
from fractions import Fraction as F
from itertools import permutations, product

import numpy as np
import pytest

from askance import Channel, Frame
from askance.privacy import Interaction, Ledger, Notion, View, neyman_pearson
from askance_collect.errors import InputError, NotComparable

YES_NO, AB = Frame(["yes", "no"]), Frame(["a", "b"])
SETS = ({0}, {1}, {0, 1})
EVENTS = [{index for index in range(4) if mask >> index & 1} for mask in range(1, 16)]
BY_MESSAGE = (Notion.LOCAL, Notion.SHAFER)
BY_ANSWER = (Notion.BELIEF, Notion.PLAUSIBILITY, Notion.WALLEY)
NARROW = ((F(45, 100), F(45, 100), F(10, 100)), (F(49, 100), F(49, 100), F(2, 100)))
FIRSTS = {
    "narrow": NARROW,
    "vague": ((F(2, 5), F(2, 5), F(1, 5)),) * 2,
    "telling": ((F(3, 5), F(1, 10), F(3, 10)), (F(1, 5), F(3, 5), F(1, 5))),
}
WEAKEST = ((F(6, 10), F(2, 10), F(2, 10)), (F(2, 10), F(6, 10), F(2, 10)))


def garbled(rows, share):
    """Turn "a" and "b" round with some chance: what is said is a garbling."""
    turned = [(b, a, vague) for a, b, vague in rows]
    return tuple(
        tuple((1 - share) * p + share * q for p, q in zip(row, back, strict=True))
        for row, back in zip(rows, turned, strict=True)
    )


CANDIDATES = (
    WEAKEST,
    garbled(WEAKEST, F(1)),
    garbled(WEAKEST, F(1, 4)),
    ((F(2, 5), F(2, 5), F(1, 5)),) * 2,
)
"""Whatever is chosen has at most the losses of the weakest, pair by pair, and lies on no lower
curve by message."""
SURE = tuple(((F(index == 0), F(index == 1), F(0)),) * 2 for index in range(2))
"""Two questions without any loss: one is always answered "a", one always "b"."""


def channel(rows, output=YES_NO):
    item, two = output.answers
    return Channel(
        YES_NO,
        {item: [item], two: [two], "either": [item, two]},
        [list(row) for row in rows],
        output=output,
    )


def ledger(first, interaction, entered=WEAKEST):
    return Ledger().spend(channel(first)).spend(channel(entered, AB), interaction=interaction)


def by_messages(first, chosen, x):
    """Give the chance of each pair of messages: the first decides which question follows."""
    return {(e, f): first[x][e] * chosen[e][x][f] for e, f in product(range(3), repeat=2)}


def ways():
    """List every way to resolve: the first message, then the second, as the first came out."""
    return product(range(2), repeat=3)


def by_answers(first, chosen, x, variant):
    """Give the chance of each pair of answers: the first decides which question follows."""
    result = [F(0)] * 4
    for e, f in product(range(3), repeat=2):
        y = variant[0] if e == 2 else e
        z = variant[1 + y] if f == 2 else f
        result[2 * y + z] += first[x][e] * chosen[y][x][f]
    return result


def bounds(laws):
    """Give the lower and the upper chance of every event."""
    chances = [[sum(law[index] for index in event) for law in laws] for event in EVENTS]
    return [min(chance) for chance in chances], [max(chance) for chance in chances]


def largest(above, below):
    return max((a / b if b else math.inf) for a, b in zip(above, below, strict=True) if a)


def losses_by_message(first, chosen, x, other):
    item, two = ([*by_messages(first, chosen, index).values()] for index in (x, other))
    return dict.fromkeys(BY_MESSAGE, largest(item, two))


def losses_by_answer(first, chosen, x, other):
    """Judge the reader who resolves everything, separately under each answer."""
    (low, high), (its_low, its_high) = (
        bounds([by_answers(first, chosen, index, variant) for variant in ways()])
        for index in (x, other)
    )
    values = largest(low, its_low), largest(high, its_high), largest(high, its_low)
    return dict(zip(BY_ANSWER, values, strict=True))


@pytest.mark.parametrize("first", FIRSTS.values(), ids=FIRSTS)
@pytest.mark.parametrize("judged", ["messages", "answers"])
def test_sums_hold_for_every_strategy_and_are_attained(first, judged):
    interaction, losses, size = {
        "messages": (Interaction.FROM_MESSAGES, losses_by_message, 3),
        "answers": (Interaction.FROM_ANSWERS, losses_by_answer, 2),
    }[judged]
    account = ledger(first, interaction)
    for x, other in permutations(range(2)):
        worst = {}
        for chosen in product(CANDIDATES, repeat=size):
            for notion, value in losses(first, chosen, x, other).items():
                worst[notion] = max(worst.get(notion, 0), value)
        for notion, value in worst.items():
            assert value == account.loss(notion).pairs[x][other]


@pytest.mark.long
@pytest.mark.parametrize("first", FIRSTS.values(), ids=FIRSTS)
def test_curves_by_message_hold_for_every_strategy(first):
    account = ledger(first, Interaction.FROM_MESSAGES)
    alpha = np.linspace(0, 1, 101)
    for x, other in permutations(range(2)):
        tight = neyman_pearson(
            *([p * q for p, q in product(first[index], WEAKEST[index])] for index in (x, other))
        )
        names = YES_NO.answers[x], YES_NO.answers[other]
        for notion in BY_MESSAGE:
            beta_result = account.tradeoff(*names, notion=notion).beta(alpha)
            assert beta_result == pytest.approx(tight.beta(alpha), abs=1e-14)
        for chosen in product(CANDIDATES, repeat=3):
            laws = [[*by_messages(first, chosen, index).values()] for index in (x, other)]
            assert neyman_pearson(*laws).is_at_least_as_strong(tight)


@pytest.mark.long
def test_three_reports_in_a_row_chosen_from_messages():
    """Warner's replies: the second question by the first reply, the third by both."""
    plain = tuple(row[:2] for row in ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))))
    turned = tuple(row[::-1] for row in plain)
    warner = Channel(YES_NO, {"a": ["a"], "b": ["b"]}, [list(row) for row in plain], output=AB)
    account = Ledger().spend(warner).spend(warner, 2, interaction=Interaction.FROM_MESSAGES)
    nothing = ((F(1, 2), F(1, 2)),) * 2
    tight = neyman_pearson(
        *([math.prod(combination) for combination in product(row, repeat=3)] for row in plain)
    )
    for second in product((plain, turned, nothing), repeat=2):
        for third in product((plain, nothing), repeat=4):
            laws = [
                [
                    plain[x][a] * second[a][x][b] * third[2 * a + b][x][c]
                    for a, b, c in product(range(2), repeat=3)
                ]
                for x in range(2)
            ]
            assert max(largest(*laws), largest(*laws[::-1])) <= account.loss(Notion.LOCAL).value
            assert neyman_pearson(*laws).is_at_least_as_strong(tight)
    assert account.loss(Notion.SHAFER).value == 27


@pytest.mark.parametrize("notion", BY_ANSWER)
def test_losses_of_answers_break_where_messages_are_read(notion):
    """The second reply is "b" exactly after the vague message: 49/45, 55/51 and 17/15 become 5."""
    account = ledger(NARROW, Interaction.FROM_MESSAGES, SURE[0])
    fixed = ledger(NARROW, Interaction.INDEPENDENT, SURE[0]).loss(notion).value
    assert (
        fixed == {"BELIEF": F(49, 45), "PLAUSIBILITY": F(55, 51), "WALLEY": F(17, 15)}[notion.name]
    )
    chosen = SURE[0], SURE[0], SURE[1]
    masses = [by_messages(NARROW, chosen, index) for index in range(2)]
    inside = [sum(mass for (e, f), mass in item.items() if f == 1) for item in masses]
    assert inside[0] / inside[1] == 5 > fixed  # belief and plausibility alike: none is in part
    with pytest.raises(InputError, match=rf"{notion.name}, of a question chosen after messages we"):
        account.loss(notion)


@pytest.mark.parametrize("notion", BY_MESSAGE)
def test_losses_of_messages_break_where_answers_decide_what_vague_ones_were(notion):
    """Nothing but "either" is sent, meant as "yes" by one answer and as "no" by the other."""
    vague = ((F(0), F(0), F(1)),) * 2
    account = ledger(vague, Interaction.FROM_ANSWERS, SURE[0])
    assert ledger(vague, Interaction.INDEPENDENT, SURE[0]).loss(notion).value == 1
    reports = [
        SURE[resolved][0] for resolved in range(2)
    ]  # the second reply is the first's meaning
    assert largest(*reports) == math.inf
    refused = (
        lambda: account.loss(notion),
        lambda: account.loss_distribution(notion=notion),
        lambda: account.tradeoff(notion=notion),
        lambda: account.delta(1.0, notion=notion),
        lambda: account.epsilon(0.1, notion=notion),
        lambda: account.gaussian(notion=notion),
    )
    for questions in refused:
        with pytest.raises(InputError, match=r"after messages were resolved.*FROM_MESSAGES if"):
            questions()
    assert account.loss(Notion.WALLEY).value == math.inf


ADDS = {
    Interaction.INDEPENDENT: {*BY_MESSAGE, *BY_ANSWER},
    Interaction.FROM_MESSAGES: {*BY_MESSAGE},
    Interaction.FROM_ANSWERS: {*BY_ANSWER},
    Interaction.UNKNOWN: set(),
}
HOLDS = {
    Interaction.INDEPENDENT: {*View} - {View.ATTACKER},
    Interaction.FROM_MESSAGES: {View.REPORTS, View.MESSAGES},
    Interaction.FROM_ANSWERS: {View.PESSIMISTIC, View.OPTIMISTIC},
    Interaction.UNKNOWN: set(),
}


@pytest.mark.parametrize("interaction", Interaction)
def test_every_notion_and_view_is_settled(interaction):
    """What the tests of this file prove is given, all else is refused."""

    def asked(question):
        with suppress(InputError, NotComparable):
            return question(ledger(FIRSTS["telling"], interaction))

    notions = {
        notion for notion in Notion if asked(lambda account, item=notion: account.loss(item))
    }
    assert notions == ADDS[interaction]
    views = {
        view for view in View if asked(lambda account, element=view: account.tradeoff(view=element))
    }
    assert views == HOLDS[interaction]


def test_the_advantage_of_reports_together_is_that_of_their_curve():
    """Half the difference of both laws of pairs of messages, which no sum of advantages tells."""
    account = ledger(FIRSTS["telling"], Interaction.INDEPENDENT)
    laws = [[*by_messages(FIRSTS["telling"], (WEAKEST,) * 3, x).values()] for x in range(2)]
    separate = sum(abs(p - q) for p, q in zip(*laws, strict=True)) / 2
    assert account.tradeoff().advantage == pytest.approx(float(separate), abs=1e-15)
    assert account.delta(0) == pytest.approx(float(separate), abs=1e-15)


def test_messages_are_read_not_the_reports_behind_them():
    """Two reports of one meaning lose nothing as messages; whoever reads them apart does."""
    rows = [[F(9, 10), F(1, 10)], [F(1, 10), F(9, 10)]]
    q = Channel(YES_NO, {"one": ["yes"], "two": ["yes"]}, rows)
    account = Ledger().spend(q).spend(channel(SURE[0], AB), interaction=Interaction.FROM_MESSAGES)
    assert account.loss(Notion.SHAFER).value == 1
    totals = [sum(row[index] * SURE[index][0][0] for index in range(2)) for row in rows]
    assert totals[0] / totals[1] == 9 == account.loss(Notion.LOCAL).value


def test_ways_to_choose_are_refused_together():
    account = ledger(NARROW, Interaction.FROM_MESSAGES).spend(
        channel(WEAKEST), interaction=Interaction.FROM_ANSWERS
    )
    for notion in (*BY_MESSAGE, *BY_ANSWER):
        with pytest.raises(InputError, match="chosen after messages were"):
            account.loss(notion)
    with pytest.raises(InputError, match="chosen after messages were"):
        account.losses()


def test_independent_losses_are_those_of_every_event():
    """Both reports are resolved together, as the reader likes; then the sums are attained."""
    for first in FIRSTS.values():
        account = ledger(first, Interaction.INDEPENDENT)
        for x, other in permutations(range(2)):
            result = []
            for index in (x, other):
                masses = by_messages(first, (WEAKEST,) * 3, index)
                output = {
                    pair: {2 * y + z for y in SETS[pair[0]] for z in SETS[pair[1]]}
                    for pair in masses
                }
                result.append(
                    (
                        [sum(m for k, m in masses.items() if output[k] <= e) for e in EVENTS],
                        [sum(m for k, m in masses.items() if output[k] & e) for e in EVENTS],
                    )
                )
            (low, high), (its_low, its_high) = result
            values = largest(low, its_low), largest(high, its_high), largest(high, its_low)
            for notion, value in zip(BY_ANSWER, values, strict=True):
                assert account.loss(notion).pairs[x][other] == value
