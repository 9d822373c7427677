"""What is deployed is rounded once, towards what was promised, and says so."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import mpmath
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak
from askance.cli import verbs
from askance.design import question_block
from askance.survey import deployable, deployed, parse_survey, publish
from askance_collect.errors import InputError, SurveyError

YN = ak.Frame(["yes", "no"])
JUDGES = ak.local_loss, ak.privacy.shafer_loss, ak.privacy.walley_loss, ak.privacy.advantage
TINY = Fraction(1, 10**20)


def survey_of(recipe, frame=YN):
    head = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n'
    return head + question_block(recipe, frame, name="q")


@st.composite
def fine_channels(draw):
    """A channel whose rows have no small common denominator; some reports mean the same."""
    k, m = draw(st.integers(2, 4)), draw(st.integers(2, 5))
    row = st.lists(st.integers(1, 10**14), min_size=m, max_size=m)
    raw = draw(st.lists(row, min_size=k, max_size=k))
    frame = ak.Frame([f"x{index}" for index in range(k)])
    means = draw(st.lists(st.integers(1, frame.full_mask), min_size=m, max_size=m))
    rows = [[Fraction(value, sum(row)) for value in row] for row in raw]
    return ak.Channel(
        frame, {f"y{index}": frame.names(mask) for index, mask in enumerate(means)}, rows
    )


def excess(channel, x, other, threshold):
    """How much more is sent from one answer than a multiple of what is sent from another."""
    rows = channel.table.row(x), channel.table.row(other)
    return sum(max(p - threshold * q, 0) for p, q in zip(*rows, strict=True))


@settings(max_examples=40, deadline=None)
@given(fine_channels())
@pytest.mark.long
def test_what_is_drawn_never_tells_more_than_what_was_written(channel):
    deployable_result = deployable(channel)
    assert deployable_result.table.total <= 2**48
    for judge in JUDGES:
        assert judge(deployable_result).value <= judge(channel).value
    for judge in (ak.local_loss, ak.privacy.shafer_loss):
        ours, theirs = judge(deployable_result).pairs, judge(channel).pairs
        entries = zip(sum(ours, ()), sum(theirs, ()), strict=True)
        assert all(item <= other for item, other in entries)
    for x, other in permutations(range(len(channel.frame)), 2):
        rows = channel.table.row(x), channel.table.row(other)
        for threshold in [Fraction(1), *(p / q for p, q in zip(*rows, strict=True))]:
            assert excess(deployable_result, x, other, threshold) <= excess(
                channel, x, other, threshold
            )


@settings(max_examples=30, deadline=None)
@given(st.fractions("1/100", "99/100"), st.integers(2, 9), st.integers(0, 3))
@pytest.mark.long
def test_recipes_lose_next_to_nothing_by_it(truth, k, share):
    frame = ak.Frame([f"a{index}" for index in range(k)])
    lie = (1 - truth) * share / 4
    for recipe in (ak.KAry(truth=truth + TINY), ak.Abstain(truth=truth + TINY, lie=lie)):
        exact = recipe.channel(frame)
        deployable_result = deployable(exact)
        assert abs(deployable_result.matrix - exact.matrix).max() < 1e-11
        for judge in JUDGES:
            assert judge(deployable_result).value <= judge(exact).value


def bounded(value, epsilon):
    """Whether a ratio is at most e^ε, and short of it by 1e-15 at most, in sixty digits."""
    with mpmath.workdps(60):
        most = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        short = 1 - mpmath.mpf(value.numerator) / value.denominator / most
        return 0 <= short <= mpmath.mpf("1e-15")


EPSILONS = [Fraction(word) for word in ("1e-6", "1/10", "1", "27/10", "10", "12")]
WEIGHTS = [Fraction(word) for word in ("1/1000", "3/8", "1/2", "7/9", "999/1000")]


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_joint_optimum_is_over_its_bounds(epsilon, weight):
    least = abs(1 - 2 * weight)
    for part in ("1/1000", "1/7", "19/20"):
        delta = least + (1 - least) * Fraction(part)
        pair = ak.design.joint_pair(delta, epsilon, first_weight=weight)
        ratios = [max(a / b, b / a) for a, b in zip(pair.first, pair.second, strict=True) if a]
        assert bounded(max(ratios), epsilon) or pair.advantage == least
        assert pair.advantage <= delta
        exact = pair.channel(YN)
        assert ak.local_loss(exact).value == max(ratios)
        deployable_result = deployable(exact)
        assert ak.local_loss(deployable_result).value <= max(ratios)
        guessing_result = ak.privacy.guessing(
            deployable_result, first_weight=weight, between=("yes", "no")
        )
        assert guessing_result.guarantee.value <= delta


def test_the_deployed_joint_optimum_keeps_to_its_loss():
    pair = ak.design.joint_pair("23/80", 10, first_weight="3/8")
    form = publish(
        parse_survey(survey_of(ak.mechanisms.TableMechanism.of(pair.channel(YN))).encode())
    )
    question = form.questions[0]
    loss = ak.local_loss(deployed(question).channel).value
    with mpmath.workdps(60):
        assert mpmath.mpf(loss.numerator) / loss.denominator <= mpmath.exp(10)
    assert 0 < deployed(question).rounding() < Fraction(1, 10**14)


def test_that_chances_were_rounded_is_told(tmp_path):
    path = tmp_path / "survey.toml"
    path.write_text(survey_of(ak.Warner(truth=Fraction(2, 3) + TINY)))
    form = publish(parse_survey(path.read_bytes()))
    first = next(warning for warning in ak.check(form).warnings if "rounded" in warning)
    assert "281,474,976,710,656 whole parts" in first
    assert "No chance changed by more than" in first
    published = CliRunner().invoke(verbs, ["publish", str(path)])
    assert first in published.output
    path.write_text(survey_of(ak.Warner(truth="2/3")))
    assert not ak.check(publish(parse_survey(path.read_bytes()))).warnings
    assert "note" not in CliRunner().invoke(verbs, ["publish", str(path)]).output


@pytest.mark.parametrize(
    "recipe",
    [
        ak.KAry(truth="2/3"),
        ak.Abstain(truth="1/3", lie="1/7"),
        ak.mechanisms.TableMechanism(
            reports={"a": ["yes"], "b": ["no"]}, rows=[["1/3", "2/3"], ["2/3", "1/3"]]
        ),
    ],
)
def test_what_a_draw_holds_is_deployed_as_it_is(recipe):
    exact = recipe.channel(YN)
    assert deployable(exact) is exact
    question = publish(parse_survey(survey_of(recipe).encode())).questions[0]
    assert deployed(question).rounding() is None


@pytest.mark.parametrize("about", [{}, {"mechanism": {"name": "warner"}}, {"mechanism": 3}])
def test_a_form_that_does_not_say_how_it_was_made_is_not_judged_by_it(about):
    question = publish(parse_survey(survey_of(ak.Warner(truth="2/3")).encode())).questions[0]
    stranger = replace(question, about=about)
    assert deployed(stranger).rounding() is None


def test_chances_that_keep_their_promise_in_no_whole_parts_are_refused():
    """Blocks that are always true, drawn by weights that no 48 bits hold."""
    thirds = [[["a", "b"], ["c"]], [["a"], ["b", "c"]], [["a", "c"], ["b"]]]
    weights = [Fraction(1, 10**9 + 7), Fraction(1, 10**9 + 9), Fraction(3)]
    blocks = ak.mechanisms.Partitions(thirds, weights=weights)
    with pytest.raises(InputError, match="fewer digits, over one common denominator"):
        deployable(blocks.channel(ak.Frame(["a", "b", "c"])))
    next_to_nothing = [[1 - TINY, TINY, 0 * TINY], [1 - 2 * TINY, 0 * TINY, 2 * TINY]]
    reports = {"either": ["yes", "no"], "yes": ["yes"], "no": ["no"]}
    written = ak.mechanisms.TableMechanism(reports=reports, rows=next_to_nothing)
    with pytest.raises(SurveyError, match=r"^question\[0\].mechanism.*2\^48 whole parts"):
        publish(parse_survey(survey_of(written).encode()))
    doubles = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[0.5, 0.5], [0.25, 0.75]])
    with pytest.raises(InputError, match="exact chances"):
        deployable(doubles)
