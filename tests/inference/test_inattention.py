"""Shares corrected for inattentive people by an anchor, against other programs and brute force."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import askance as ak
from askance.inference import (
    correct_inattention,
    estimate_compliance,
    known_answer,
    one_sayers,
    random_answerers,
)
from askance_collect.errors import InputError, NotIdentified

YN = ak.Frame(["yes", "no"])
COLOURS = ak.Frame(["red", "green", "blue"])


def crosswise(p):
    return ak.mechanisms.Crosswise(harmless=p).channel(YN)


def counts_of(channel, anchor, table):
    pairs = product(channel.reports, anchor.reports)
    return dict(zip(pairs, np.asarray(table).ravel().tolist(), strict=True))


@pytest.mark.checked("correct_inattention", by="R's cWise 0.1.0", value=5e-7, errors=5e-7)
def test_the_correction_is_that_of_cwise_on_its_own_data(within):
    """Atsusaka & Stevenson's cmdata: 2,000 people, 1,427 and 1,541 of whom are alike in both."""
    q, a = crosswise("3/20"), crosswise("3/20")
    fit = correct_inattention(
        q, a, counts_of(q, a, [[1133, 294], [408, 165]]), anchor_shares={"no": 1}
    )
    assert fit.uncorrected[0] == pytest.approx(0.195, abs=1e-9)
    assert fit.value[0] == pytest.approx(0.1053604, rel=within.value)
    assert 1 - fit.careless == pytest.approx(0.7728571, rel=within.value)
    # they divide by n - 1, we by n
    assert fit.uncorrected_se[0] * np.sqrt(2000 / 1999) == pytest.approx(
        0.01444624, rel=within.errors
    )


@given(
    st.fractions(Fraction(1, 20), Fraction(9, 20), max_denominator=20),
    st.fractions(Fraction(1, 20), Fraction(9, 20), max_denominator=20),
    st.lists(st.integers(1, 400), min_size=4, max_size=4),
)
def test_the_correction_is_the_paper_s_for_the_crosswise_model(p, p_anchor, table):
    """With γ the attentive share: π = naive - (1/2 - 1/(2γ)) (λ - 1/2) / (p - 1/2)."""
    n = sum(table)
    fraction = Fraction(table[0] + table[1], n)
    attentive = (Fraction(table[0] + table[2], n) - Fraction(1, 2)) / (Fraction(1, 2) - p_anchor)
    q, a = crosswise(p), crosswise(p_anchor)
    if attentive <= Fraction(1, 100):
        return
    fit = correct_inattention(q, a, counts_of(q, a, table), anchor_shares={"no": "1"})
    naive = (fraction + p - 1) / (2 * p - 1)
    bias = (
        (Fraction(1, 2) - 1 / (2 * attentive)) * (fraction - Fraction(1, 2)) / (p - Fraction(1, 2))
    )
    assert 1 - fit.careless == pytest.approx(float(attentive), abs=1e-9)
    assert fit.uncorrected[0] == pytest.approx(float(naive), abs=1e-9)
    assert fit.value[0] == pytest.approx(float(naive - bias), abs=1e-6 / float(attentive))


def kary_case():
    """Three answers, two reports of the anchor, uneven picks and an anchor true of some."""
    q = ak.KAry(truth="3/5").channel(COLOURS)
    a = ak.Warner(truth="4/5").channel(YN)
    table = np.array([[130, 210], [160, 240], [90, 170]])
    chosen = {
        "anchor_shares": {"yes": "1/10", "no": "9/10"},
        "picks": dict(zip(q.reports, [0.5, 0.3, 0.2], strict=True)),
        "anchor_picks": {"yes": 0.6, "no": 0.4},
    }
    return q, a, table, chosen


def test_the_covariance_is_that_of_numeric_derivatives():
    """The delta method by finite differences in every cell of the table of pairs."""
    q, a, table, chosen = kary_case()
    n = table.sum()

    def parameters(counts):
        fit = correct_inattention(q, a, counts_of(q, a, counts), **chosen)
        return np.array([fit.careless, *fit.value])

    scale = 1_000_000  # counts are whole
    base, slopes = table * scale, []
    for cell in np.ndindex(*table.shape):
        copied = base.copy()
        copied[cell] += scale // 1000
        slopes.append((parameters(copied) - parameters(base)) / (scale // 1000) * base.sum())
    slopes = np.array(slopes)  # the derivative by the share of a cell, others shrinking
    shares = table.ravel() / n
    expected = np.einsum("c,ca,cb->ab", shares, slopes, slopes) / n
    fit = correct_inattention(q, a, counts_of(q, a, table), **chosen)
    assert fit.covariance == pytest.approx(expected, rel=2e-3, abs=1e-9)
    assert fit.value.sum() == pytest.approx(1)
    assert fit.covariance[1:, 1:].sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)


def test_the_covariance_is_that_of_a_bootstrap():
    q, a, table, chosen = kary_case()
    rng, n = np.random.default_rng(7), table.sum()
    multinomial_result = rng.multinomial(n, table.ravel() / n, size=3_000)
    fits = [correct_inattention(q, a, counts_of(q, a, row), **chosen) for row in multinomial_result]
    spread = np.cov(np.array([[fit.careless, *fit.value] for fit in fits]).T)
    fit = correct_inattention(q, a, counts_of(q, a, table), **chosen)
    assert np.diag(fit.covariance) == pytest.approx(np.diag(spread), rel=0.12)
    # the two questions are answered by the same people: not as if by others
    inattention = correct_inattention(
        q,
        a,
        counts_of(q, a, np.rint(np.outer(table.sum(1), table.sum(0)) / n).astype(int)),
        **chosen,
    )
    assert not np.allclose(inattention.covariance, fit.covariance, rtol=1e-3)


def test_the_shares_are_found_again_in_expected_counts():
    """In the counts expected of a population the correction is exact, the naive share is not."""
    q, a, _, chosen = kary_case()
    people, careless, n = np.array([0.2, 0.5, 0.3]), 0.25, 10**9
    attentive = np.outer(people @ q.matrix, np.array([0.1, 0.9]) @ a.matrix)
    picked = np.outer([0.5, 0.3, 0.2], [0.6, 0.4])
    expected = np.rint(n * ((1 - careless) * attentive + careless * picked)).astype(int)
    fit = correct_inattention(q, a, counts_of(q, a, expected), **chosen)
    assert fit.careless == pytest.approx(careless, abs=1e-7)
    assert fit.value == pytest.approx(people, abs=1e-7)
    assert abs(fit.uncorrected - people).max() > 0.02


def test_the_joint_likelihood_agrees_where_its_model_fits():
    """Pairs by maximum likelihood over latent classes: the same shares, at most as wide."""
    channel_result = ak.Warner(truth="4/5").channel(YN)
    pair = ak.channels.two_reports(channel_result, known_answer(channel_result, "no"))
    attentive = np.outer(np.array([0.25, 0.75]) @ channel_result.matrix, channel_result.matrix[1])
    table = np.rint(100_000 * (0.8 * attentive + 0.2 * 0.25)).astype(int)
    likely = estimate_compliance(
        ak.Tally(pair, dict(zip(pair.reports, table.ravel().tolist(), strict=True))),
        random_answerers(),
    )
    fit = correct_inattention(
        channel_result,
        channel_result,
        counts_of(channel_result, channel_result, table),
        anchor_shares={"no": 1},
    )
    assert likely.classes.low[-1] == pytest.approx(fit.careless, abs=1e-4)
    assert likely.answers.low[0] == pytest.approx(fit.value[0], abs=1e-4)
    assert likely.answers.upper[0] - likely.answers.lower[0] <= 1.01 * (fit.upper - fit.lower)[0]


@given(
    st.fractions(Fraction(1, 20), Fraction(9, 20), max_denominator=20),
    st.fractions(0, 1, max_denominator=10),
    st.fractions(0, Fraction(4, 5), max_denominator=10),
)
def test_one_sayers_are_what_two_groups_turned_round_add_up_to(p, carriers, sayers):
    n = 10**6
    few, many = crosswise(p), crosswise(1 - p)
    tallies, replies = {}, []
    for name, channel, chance in (("few", few, p), ("many", many, 1 - p)):
        item = (1 - sayers) * (carriers * (1 - chance) + (1 - carriers) * chance) + sayers
        replies.append(item)
        count = round(n * item)
        tallies[name] = ak.Tally(channel, {"both or neither": n - count, "just one": count})
    assert sum(replies) - 1 == sayers
    fit = estimate_compliance(ak.channels.GroupedTally(tallies), one_sayers())
    assert fit.classes.low[-1] == pytest.approx(float(sayers), abs=1e-4)
    assert fit.answers.low[0] == pytest.approx(float(carriers), abs=2e-3)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"anchor_shares": {"no": "1/2", "yes": "1/2"}}, NotIdentified, "anchor_shares"),
        ({"anchor_shares": {"no": "1/2"}}, InputError, "one together"),
        ({"anchor_shares": {"perhaps": 1}}, InputError, "perhaps"),
        ({"picks": {"just one": 0.7}}, InputError, "picks"),
        ({"counts": {}}, InputError, "no report"),
        ({"counts": {("just one", "just one"): -1}}, InputError, "-1"),
        ({"counts": {("just one", "other"): 1}}, InputError, "other"),
        ({"counts": {("just one", "just one"): 9}}, NotIdentified, "inattentive"),
        ({"question": known_answer(crosswise("1/4"), "no")}, NotIdentified, "alike"),
    ],
)
def test_what_tells_nothing_is_refused(change, error, words):
    q = crosswise("1/4")
    given_ = {
        "question": q,
        "anchor": q,
        "counts": counts_of(q, q, [[5, 2], [4, 1]]),
        "anchor_shares": {"no": 1},
    }
    with pytest.raises(error, match=words):
        correct_inattention(**(given_ | change))
