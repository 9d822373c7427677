"""Least favourable pairs and best tests, held to every test there is on small frames."""

from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, InputError
from askance.privacy.tradeoffs.attack import attack_curve
from askance.privacy.tradeoffs.best_test import best_test
from askance.privacy.tradeoffs.curve import Curve
from askance.privacy.tradeoffs.events import events
from askance.privacy.tradeoffs.minimax import least_favourable
from askance.privacy.tradeoffs.neyman_pearson import neyman_pearson
from askance.privacy.tradeoffs.piecewise import ascending
from askance.privacy.tradeoffs.tradeoff import View, tradeoff

F = Fraction
XS = Frame(["x0", "x1"])


@st.composite
def evidence(draw, size=None):
    """Two rows of masses on the sets of two or three answers; zeros are common."""
    size = size or draw(st.integers(2, 3))
    count = (1 << size) - 1
    entry = st.one_of(st.just(0), st.integers(0, 9))
    rows = [draw(st.lists(entry, min_size=count, max_size=count).filter(any)) for _ in range(2)]
    output = Frame([f"y{at}" for at in range(size)])
    matrix = [[F(value, sum(row)) for value in row] for row in rows]
    named = {str(mask): output.names(mask) for mask in range(1, count + 1)}
    return Channel(XS, named, matrix, output=output)


@given(evidence())
def test_the_least_favourable_pair_is_possible_and_attains_the_pessimistic_curve(channel):
    laws = least_favourable(channel, "x0", "x1")
    assert neyman_pearson(*([*law.values()] for law in laws)) == tradeoff(
        channel, "x0", "x1", view=View.PESSIMISTIC
    )
    read = events(channel, 0, 1, 3)
    for row, law in enumerate(laws):
        chances = [*law.values()]
        assert sum(chances) == 1
        for mask, low in enumerate(read.low[row]):
            inside = sum(chance for at, chance in enumerate(chances) if mask >> at & 1)
            assert low <= inside * read.totals[row]


@given(evidence())
@settings(max_examples=60)
def test_the_attackers_curve_is_the_lowest_over_orderings(channel):
    """Each order of the answers makes one pair of laws: masses go to the first, or the last."""
    read = events(channel, 0, 1, 3)
    curve = attack_curve(read)
    lowest = None
    for order in permutations(range(read.size)):
        first, second = [0] * read.size, [0] * read.size
        for mask, mass, its in zip(read.focal, *read.masses, strict=True):
            members = [at for at in order if mask >> at & 1]
            first[members[-1]] += mass
            second[members[0]] += its
        nested = neyman_pearson_in_order(first, second, order)
        lowest = nested if lowest is None else lowest.minimum(nested)
    assert curve == lowest


def neyman_pearson_in_order(first, second, order):
    """Accuse in a given order, whatever the ratios."""
    alarm, missed, knots = F(0), F(1), [(F(0), F(1))]
    for at in order:
        alarm, missed = alarm + F(first[at], sum(first)), missed - F(second[at], sum(second))
        knots.append((alarm, missed))
    return Curve(ascending(sorted(knots)))


def errors(read, view, test):
    """Compute the errors of a test from its Choquet integrals, layer by layer."""
    chances = [*test.accuses.values()]
    layers = sorted({*chances, F(0)})
    cautious = view is View.PESSIMISTIC
    alarm, found = F(0), F(0)
    for below, level in pairwise(layers):
        mask = sum(1 << at for at, chance in enumerate(chances) if chance >= level)
        first = (read.high(0) if cautious else read.low[0])[mask]
        second = (read.low[1] if cautious else read.high(1))[mask]
        alarm += (level - below) * F(first, read.totals[0])
        found += (level - below) * F(second, read.totals[1])
    return alarm, 1 - found


@given(evidence(), st.fractions(0, 1))
def test_the_best_test_has_the_errors_that_it_says(channel, alpha):
    for view in (View.PESSIMISTIC, View.ATTACKER):
        test = best_test(channel, "x0", "x1", alpha, view=view)
        alarm, missed = errors(events(channel, 0, 1, 3), view, test)
        curve = tradeoff(channel, "x0", "x1", view=view)
        assert test.beta == missed == curve.exactly(alpha)
        assert alarm <= alpha == test.alpha


@given(evidence(), st.fractions(0, 1))
def test_the_best_test_on_messages_is_neyman_and_pearsons(channel, alpha):
    for view in (View.REPORTS, View.MESSAGES):
        test = best_test(channel, "x0", "x1", alpha, view=view)
        assert test.beta == tradeoff(channel, "x0", "x1", view=view).exactly(alpha)
        sent = channel.table.rows[1]
        found = sum(units * share for units, share in zip(sent, test.accuses.values(), strict=True))
        assert 1 - F(found) / channel.table.total == test.beta


def test_a_test_is_shown():
    q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    test = best_test(q, "yes", "no", "1/5", view=View.ATTACKER)
    assert test.to_dict()["accuses"] == {"yes": "1/9", "no": "1"}
    assert 'no</th><td style="text-align: right">1</td>' in test._repr_html_()


def test_what_cannot_be_tested_is_refused():
    q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    with pytest.raises(InputError, match=r"got 'OPTIMISTIC'; allowed: REPORTS, MESSAGES"):
        best_test(q, "yes", "no", 0.1, view=View.OPTIMISTIC)
    with pytest.raises(InputError, match="twice"):
        tradeoff(q, "yes", "yes")
    with pytest.raises(InputError, match="did you mean 'yes'"):
        least_favourable(q, "yess", "no")
    with pytest.raises(InputError, match="alpha"):
        best_test(q, "yes", "no", 2)
    wide = Abstain(truth=0.6, lie=0.1).channel(Frame([f"y{at}" for at in range(17)]))
    for view, most in ((View.PESSIMISTIC, 16), (View.ATTACKER, 10)):
        with pytest.raises(InputError, match=f"17 answers'; allowed: at most {most}"):
            tradeoff(wide, "y0", "y1", view=view)
    assert tradeoff(wide, "y0", "y1").advantage == F(3, 5) - F(1, 160)


def test_messages_of_one_wording_are_told_apart():
    frame = Frame(["a", "b", "a or b"])
    meant = {"one": ["a", "b"], "two": ["a or b"], "three": ["b"]}
    q = Channel(frame, meant, [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    assert len(best_test(q, "a", "b", 0.25).accuses) == 3
