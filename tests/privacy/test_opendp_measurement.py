"""Channels as measurements of OpenDP, judged by OpenDP's own combinators and its own mechanism."""

import math
import re
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from opendp.combinators import make_adaptive_composition, make_composition, make_pureDP_to_zCDP
from opendp.measurements import make_randomized_response
from opendp.measures import max_divergence
from opendp.metrics import discrete_distance
from opendp.mod import OpenDPException, enable_features

import askance as ak
from askance.mechanisms import Crosswise, LocalHashing, UnaryEncoding
from askance_collect.errors import InputError, MissingExtra
from askance_collect.exact import tabulate

YN = ak.Frame(["yes", "no"])
Q = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
FOUR = ak.Frame(["a", "b", "c", "d"])
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "for-ldp-users.md"
NEAR_ONE = tabulate(
    [[Fraction(1, 2)] * 2, [Fraction(2**47 - 1, 2**48), Fraction(2**47 + 1, 2**48)]]
)

enable_features("contrib", "honest-but-curious")
measured = ak.privacy.opendp_measurement


@pytest.mark.parametrize(
    "channel",
    [
        Q,
        ak.Warner(truth="3/4").channel(YN),
        Crosswise(harmless="1/6").channel(YN),
        ak.KAry.at_epsilon(1).channel(FOUR),
        UnaryEncoding.at_epsilon(2).channel(FOUR),
        LocalHashing.at_epsilon(1).channel(FOUR),
        ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, NEAR_ONE),
    ],
    ids=["abstain", "warner", "crosswise", "k-ary", "bits", "hashes", "all but silent"],
)
def test_the_map_is_never_less_than_the_exact_loss(channel):
    measured_result = measured(channel)
    result, ratio = measured_result.map(1), ak.local_loss(channel).value
    assert measured_result.map(0) == 0
    assert measured_result.map(2) == result  # no two answers are further apart
    with mpmath.workdps(60):
        loss = mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
        assert 0 < loss <= result
    assert result <= ak.local_loss(channel).epsilon_nearest * (1 + 2**-51)
    assert measured_result.check(1, result)
    assert not measured_result.check(1, result * 0.999)


def test_its_loss_is_that_of_opendps_own_mechanism():
    ours = measured(ak.KAry(truth="1/2").channel(FOUR)).map(1)
    theirs = make_randomized_response([*FOUR.answers], 0.5).map(1)
    assert theirs <= ours <= theirs * (1 + 2**-50)


def test_what_tells_nothing_costs_nothing_and_what_tells_all_costs_all():
    assert measured(ak.Warner(truth="1/2").channel(YN)).map(1) == 0
    assert measured(ak.Abstain(truth="3/5", lie=0).channel(YN)).map(1) == math.inf


def test_opendp_composes_converts_and_post_processes():
    once = measured(Q)
    other = measured(ak.Warner(truth="3/4").channel(YN))
    composition = make_composition([once, other])
    assert composition.map(1) >= once.map(1) + other.map(1) >= math.log(18) - 1e-12
    result, turned = composition("yes")
    assert (result in Q.reports, turned in YN.answers) == (True, True)
    adaptive = make_adaptive_composition(
        once.input_domain, discrete_distance(), max_divergence(), d_in=1, d_mids=[1.8]
    )
    adaptive_result = adaptive("no")
    assert adaptive_result(once) in Q.reports
    with pytest.raises(OpenDPException):
        adaptive_result(once)  # spent
    received = once >> (lambda report: report != "don't know")
    assert (received("yes") in {True, False}, received.map(1)) == (True, once.map(1))
    assert make_pureDP_to_zCDP(once).map(1) < once.map(1) ** 2 / 2 + 1e-12


def test_it_sends_what_the_channel_sends():
    certain = [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]
    turned = measured(ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, certain))
    assert (turned("yes"), turned("no"), turned.map(1)) == ("no", "yes", math.inf)
    for recipe in (UnaryEncoding, LocalHashing):  # bytes and numbers, which a tally reads
        q = recipe.at_epsilon(10).channel(FOUR)
        measured_result = measured(q)
        counted = ak.tally(q, [measured_result("b") for _ in range(60)])
        assert ak.inference.estimate_frequencies(counted).value.argmax() == 1


def test_what_is_no_answer_is_refused_and_not_repeated():
    once = measured(Q)
    for value in ("perhaps", None):
        assert not once.input_domain.member(value)
        with pytest.raises(OpenDPException) as caught:
            once(value)
        assert "perhaps" not in str(caught.value)
    assert once.input_domain.member("yes")


def test_chances_that_are_no_whole_numbers_are_refused():
    doubles = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.25, 0.75]])
    with pytest.raises(InputError, match="exact chances"):
        measured(doubles)
    with pytest.raises(InputError, match=r"opendp_measurement\.channel: got 'int'"):
        measured(3)


def test_without_opendp_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "opendp", None)
    with pytest.raises(MissingExtra, match=r"opendp.*pip install 'askance\[opendp\]'"):
        measured(Q)


def test_the_page_runs():
    block = re.search(
        r"^```python composed_by_opendp.py\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S
    )
    result: dict[str, object] = {}
    exec(compile(block[1], PAGE.name, "exec"), result)
    assert result["loss"] == pytest.approx(math.log(6))
    assert result["both"] == pytest.approx(2 * math.log(6))
    assert result["still"] == result["loss"]
    assert set(result["reports"]) <= set(Q.reports)
