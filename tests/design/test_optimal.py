"""The best channel: known cases come out, brute force finds none better, the rest is refused."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from askance import Abstain, Channel, Frame, KAry, Warner, local_loss
from askance.design import (
    Advantage,
    Answered,
    AOptimal,
    DOptimal,
    EOptimal,
    LocalDifferentialPrivacy,
    MeanSquaredError,
    MutualInformation,
    PairLosses,
    Shafer,
    Walley,
    joint_pair,
    merit,
    optimal_channel,
    yoshida_pair,
)
from askance.design.extremal_columns import Limits, extremal_columns
from askance.inference import fisher_information
from askance.privacy import advantage, guessing, shafer_loss, walley_loss
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact import exp_down

YN = Frame(["yes", "no"])
UTILITIES = (AOptimal, DOptimal, EOptimal, MeanSquaredError, MutualInformation)
UNEVEN = {2: [0.3, 0.7], 3: [0.2, 0.3, 0.5], 4: [0.1, 0.2, 0.3, 0.4]}


def frame(k):
    return Frame([f"a{index}" for index in range(k)])


def subset_selection(k, d, epsilon):
    """Write subset selection out: every set of d answers, e^ε times likelier if it holds one's."""
    sets = list(combinations(range(k), d))
    rows = np.array([[math.exp(epsilon) if x in s else 1.0 for s in sets] for x in range(k)])
    names = {str(s): [f"a{index}" for index in s] for s in sets}
    return Channel(frame(k), names, rows / rows.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("utility", UTILITIES)
def test_warner_comes_out(utility):
    for epsilon in (0.1, 1, 4):
        for prior in ([0.5, 0.5], [0.1, 0.9]):
            design = optimal_channel(YN, LocalDifferentialPrivacy(epsilon), utility=utility(prior))
            warner = Warner.at_epsilon(epsilon).channel(YN)
            assert design.channel.matrix == pytest.approx(warner.matrix, abs=1e-6)
            assert design.gap < 1e-6
            assert design.guarantees[0].epsilon <= epsilon


def test_k_ary_response_comes_out_where_the_loss_is_large():
    for k in (3, 4, 5):
        design = optimal_channel(frame(k), LocalDifferentialPrivacy(3), utility=MeanSquaredError())
        expected = KAry.at_epsilon(3).channel(frame(k))
        assert design.channel.matrix == pytest.approx(expected.matrix, abs=1e-6)
        assert design.gap < 1e-9


@pytest.mark.parametrize("epsilon", [0.2, 0.5, 1, 2])
@pytest.mark.parametrize("k", [4, 6, 9, 12])
def test_subset_selection_comes_out_with_the_right_size(k, epsilon):
    design = optimal_channel(
        frame(k), LocalDifferentialPrivacy(epsilon), utility=MeanSquaredError()
    )
    e = math.exp(epsilon)

    def error(d):
        """Mean squared error × n of subset selection of size d (Ye & Barg, 2018)."""
        p = e * d / (e * d + k - d)
        q = (e * d * (d - 1) / (k - 1) + d * (k - d) / (k - 1)) / (e * d + k - d)
        return (q * (1 - q) * (k - 1) + p * (1 - p)) / (p - q) ** 2

    best = min(range(1, k), key=error)
    sizes = {bin(meaning).count("1") for meaning in design.channel.meanings}
    assert sizes == {best}
    assert design.value == pytest.approx(error(best), rel=1e-8)
    assert design.gap < 1e-8
    if k == 6:
        written = subset_selection(k, best, epsilon)
        assert merit(written, MeanSquaredError()) == pytest.approx(error(best), rel=1e-9)


def test_yoshidas_pairs_come_out():
    for w, theta in (("1/2", 0.3), ("2/5", 0.05), ("2/5", 0.6)):
        questions = Advantage("3/10", first_weight=w, between=("yes", "no"))
        prior = AOptimal([theta, 1 - theta])
        three = optimal_channel(YN, questions, utility=prior, reports=3)
        pair = yoshida_pair("3/10", first_weight=w)
        assert three.channel.table.rows == pair.channel(YN).table.rows
        assert three.gap == 0
        two = optimal_channel(YN, questions, utility=prior, reports=2)
        small = yoshida_pair("3/10", first_weight=w, prevalence=theta, reports=2)
        information = float(small.information(theta))
        assert fisher_information(two.channel, theta) == pytest.approx(information, rel=1e-9)
        assert len(two.channel.reports) == 2
        assert two.value >= three.value
        turned = Advantage("3/10", first_weight=1 - Fraction(w), between=("no", "yes"))
        assert optimal_channel(YN, turned, utility=prior).channel == three.channel


def test_the_generalised_warner_mechanism_comes_out_at_a_fixed_answering_rate():
    for questions in (Shafer(1), LocalDifferentialPrivacy(1)):
        design = optimal_channel(YN, questions, Answered("7/10"))
        expected = Abstain.at_epsilon(1, answered="7/10").channel(YN)
        assert design.channel.reports == expected.reports
        assert design.channel.matrix == pytest.approx(expected.matrix, abs=1e-6)
        assert design.guarantees[0].epsilon <= 1
    many = optimal_channel(
        frame(4), LocalDifferentialPrivacy(2), Answered("1/2"), utility=MeanSquaredError()
    )
    result = optimal_channel(frame(4), LocalDifferentialPrivacy(2), utility=MeanSquaredError())
    assert many.channel.matrix[:, :4] == pytest.approx(result.channel.matrix / 2)
    assert many.gap < 1e-8


def test_the_joint_optimum_comes_out():
    design = optimal_channel(YN, LocalDifferentialPrivacy(1.2), Advantage("3/10"))
    expected = joint_pair("3/10", 1.2).channel(YN)
    assert design.channel == expected
    loose = optimal_channel(YN, LocalDifferentialPrivacy(1.2), Advantage("9/10"))
    assert loose.channel == joint_pair(epsilon=1.2).channel(YN)


def test_answers_that_few_can_tell_apart_are_told_truly_or_not_at_all():
    """Under a bounded advantage alone, with k answers: the truth with chance δ, else silence."""
    for k in (3, 5, 9):
        design = optimal_channel(frame(k), Advantage("2/5"))
        expected = Abstain(truth="2/5", lie=0).channel(frame(k))
        assert design.channel.matrix == pytest.approx(expected.matrix, abs=1e-7)
        assert not design.channel.may_be_untrue


@pytest.mark.parametrize("loss", [Shafer, Walley])
def test_evidential_losses_are_kept_and_met(loss):
    design = optimal_channel(frame(4), loss(1), utility=AOptimal(UNEVEN[4]))
    local = optimal_channel(frame(4), LocalDifferentialPrivacy(1), utility=AOptimal(UNEVEN[4]))
    judge = shafer_loss if loss is Shafer else walley_loss
    assert judge(design.channel).value <= exp_down(1)
    assert float(judge(design.channel).value) == pytest.approx(math.e, rel=1e-8)
    assert design.value == pytest.approx(local.value, rel=1e-8)
    assert loss is Shafer or not design.channel.is_vague


def test_walley_with_silence():
    design = optimal_channel(YN, Walley(2), Answered("4/5"))
    e = math.exp(2)
    q = 1 / (1 + e)
    expected = [[0.8 - q, q, 0.2], [q, 0.8 - q, 0.2]]
    assert design.channel.matrix == pytest.approx(np.array(expected), abs=1e-9)
    with pytest.raises(InputError, match=r"a share of answers of at least 0\.5379"):
        optimal_channel(YN, Walley(1), Answered("1/2"))
    with pytest.raises(InputError, match="for two answers"):
        optimal_channel(frame(3), Walley(1), Answered("4/5"))


def test_the_bound_under_walley_with_silence_is_about_one_report_for_each_answer():
    """Names that say less than they tell slip past Walley's loss: the bound does not hold there."""
    design = optimal_channel(YN, Walley(2), Answered("4/5"))
    assert design.among in repr(design)
    assert "one report for each answer" in design.among
    assert design.to_dict()["among"] == design.among
    e, c = math.exp(2), 0.8
    high, low = (c * part / (e + 1) / 2 for part in (e, 1))
    rows = [[high, low, high, low, 1 - c], [low, high, low, high, 1 - c]]
    names = {"y1": ["yes"], "y2": ["yes"], "n1": ["no"], "n2": ["no"], "-": ["yes", "no"]}
    sly = Channel(YN, names, rows)
    assert walley_loss(sly).value < e
    assert float(local_loss(sly).value) == pytest.approx(e)
    assert merit(sly, AOptimal()) < 0.9 * design.bound
    assert (
        optimal_channel(YN, LocalDifferentialPrivacy(1), reports=2).among
        == "channels with two reports"
    )
    assert not optimal_channel(frame(3), Walley(1)).among


@pytest.mark.parametrize("epsilon", [0.5, 2])
def test_a_channel_renamed_to_single_answers_keeps_walleys_loss(epsilon):
    """Why the bound under Walley holds: the best at that local loss is the best here, renamed."""
    best = optimal_channel(frame(4), LocalDifferentialPrivacy(epsilon), utility=MeanSquaredError())
    assert best.channel.is_vague == (epsilon < 1)
    turns = [[f"a{index % 4}"] for index in range(len(best.channel.reports))]
    renamed = Channel(
        frame(4), dict(zip(best.channel.reports, turns, strict=True)), best.channel.table
    )
    assert walley_loss(renamed).value <= exp_down(epsilon)
    walley = optimal_channel(frame(4), Walley(epsilon), utility=MeanSquaredError())
    assert walley.bound == pytest.approx(best.bound, rel=1e-9)


def test_pairs_that_need_more_protection_get_it():
    losses = PairLosses({("a0", "a1"): "1/2", ("a2", "a3"): 1}, others=3)
    design = optimal_channel(frame(4), losses)
    pairs = local_loss(design.channel).pair_epsilons
    assert pairs[0, 1] == pytest.approx(0.5, abs=1e-7)
    assert pairs[0, 1] <= 0.5
    assert pairs[2, 3] <= 1
    assert pairs.max() <= 3
    assert [promise.split(":")[0] for promise in design.promises[:2]] == [
        "Between a0 and a1",
        "Between a2 and a3",
    ]
    strict = optimal_channel(frame(4), LocalDifferentialPrivacy("1/2"))
    loose = optimal_channel(frame(4), LocalDifferentialPrivacy(3))
    assert loose.value < design.value < strict.value
    unprotected = optimal_channel(frame(3), PairLosses({("a0", "a1"): 1}))
    assert local_loss(unprotected.channel).pair_epsilons[0, 1] <= 1
    assert local_loss(unprotected.channel).value == math.inf


def all_columns_by_brute_force(ratio, k):
    """Find the rays of the cone q_x ≤ ratio · q_x′: feasible with k − 1 independent equalities."""
    planes = [np.eye(k)[x] - ratio * np.eye(k)[y] for x, y in permutations(range(k), 2)]
    distinct = set()
    for tight in combinations(planes, k - 1):
        basis = np.linalg.svd(np.array(tight))
        if basis[1][-1] > 1e-9:
            ray = basis[2][-1] / basis[2][-1].sum() * k
            if all(plane @ ray <= 1e-9 for plane in planes):
                distinct.add(tuple(np.round(ray, 9)))
    return distinct


@pytest.mark.parametrize("k", [2, 3, 4])
def test_extremal_columns_are_the_rays_of_the_cone(k):
    limits = LocalDifferentialPrivacy(1).tighten(Limits.free(frame(k)))
    listed = {tuple(np.round(column, 9)) for column in extremal_columns(limits)}
    assert listed == all_columns_by_brute_force(math.e, k)
    general = PairLosses({("a0", "a1"): 1}, others=1).tighten(Limits.free(frame(k)))
    assert general.common_ratio is not None
    bent = Advantage("1/2", first_weight="2/5").tighten(limits)
    rays = extremal_columns(bent)
    assert all(np.abs(rays - np.array(column)).max(axis=1).min() < 1e-8 for column in listed)


def test_brute_force_over_the_vertices_finds_none_better():
    """All channels from 3 answers to 3 reports: a convex utility is largest at a vertex."""
    k, e = 3, math.e
    free = k * (k - 1)
    rows, sides = [], []
    for y in range(k):
        cells = []
        for x in range(k):
            row, side = np.zeros(free), 0.0
            if y < k - 1:
                row[x * (k - 1) + y] = 1
            else:
                row[x * (k - 1) : (x + 1) * (k - 1)] = -1
                side = 1.0
            cells.append((row, side))
        for x, z in permutations(range(k), 2):
            rows.append(cells[x][0] - e * cells[z][0])
            sides.append(e * cells[z][1] - cells[x][1])
    rows, sides = np.array(rows), np.array(sides)
    chosen = np.array(list(combinations(range(len(rows)), free)))
    solvable = np.abs(np.linalg.det(rows[chosen])) > 1e-9
    points = np.linalg.solve(rows[chosen][solvable], sides[chosen][solvable][..., None])[..., 0]
    points = np.unique(
        np.round(points[np.all(points @ rows.T <= sides + 1e-9, axis=1)], 10), axis=0
    )
    assert len(points) > 10
    for utility in (MutualInformation(), MutualInformation(UNEVEN[3])):
        best = 0.0
        for point in points:
            reshape_result = point.reshape(k, k - 1)
            matrix = np.column_stack([reshape_result, 1 - reshape_result.sum(axis=1)]).clip(0, 1)
            names = {str(index): ["a0"] for index in range(k)}
            best = max(best, merit(Channel(frame(k), names, matrix), utility))
        design = optimal_channel(frame(k), LocalDifferentialPrivacy(1), utility=utility)
        assert design.value == pytest.approx(best, rel=1e-8)


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize(
    "questions",
    [
        (LocalDifferentialPrivacy(1),),
        (Advantage("3/10"),),
        (LocalDifferentialPrivacy(2), Advantage("3/10", first_weight="2/5")),
        (PairLosses({("a0", "a1"): "1/2"}, others=2), Answered("3/5")),
    ],
)
def test_every_certificate_is_tight(questions, utility):
    for k in (3, 4):
        design = optimal_channel(frame(k), *questions, utility=utility(UNEVEN[k]))
        assert design.gap < (1e-5 if utility is EOptimal else 1e-6)
        for constraint in questions:
            limits = constraint.tighten(Limits.free(frame(k)))
            assert all(
                limits.ratios[x][y] == math.inf or Fraction(item) <= limits.ratios[x][y]
                for x, row in enumerate(local_loss(design.channel).pairs)
                for y, item in enumerate(row)
            )


def test_several_guesses_are_judged_by_the_worst():
    guesses = [UNEVEN[4], UNEVEN[4][::-1]]
    for utility in UTILITIES:
        design = optimal_channel(frame(4), LocalDifferentialPrivacy(1), utility=utility(guesses))
        alone = [
            optimal_channel(frame(4), LocalDifferentialPrivacy(1), utility=utility(guess))
            for guess in guesses
        ]
        sign = -1 if utility.larger_is_better else 1
        assert design.gap < 1e-6
        assert sign * design.value >= max(sign * item.bound for item in alone) - 1e-9
        judged = [merit(design.channel, utility(guess)) for guess in guesses]
        assert design.value == (min(judged) if utility.larger_is_better else max(judged))


@pytest.mark.parametrize(("k", "epsilon", "seed"), [(4, 1, 3), (6, 3, 3), (8, 1, 0)])
def test_the_largest_variance_is_certified_where_guesses_are_far_apart(k, epsilon, seed):
    guesses = np.random.default_rng(seed).dirichlet(np.full(k, 0.7), 3) + 0.001
    guesses /= guesses.sum(axis=1, keepdims=True)
    design = optimal_channel(frame(k), LocalDifferentialPrivacy(epsilon), utility=EOptimal(guesses))
    assert design.gap < 1e-7


@pytest.mark.parametrize("k", [13, 24, 64])
@pytest.mark.long
def test_many_answers_by_symmetry(k):
    for questions in (
        (LocalDifferentialPrivacy(1),),
        (Advantage("1/5"), LocalDifferentialPrivacy(2)),
    ):
        design = optimal_channel(frame(k), *questions)
        assert design.gap < 1e-6
        assert len(design.channel.reports) <= (k // 2 + 1) * k * 2


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize(
    ("sizes", "shares", "questions"),
    [
        ([32, 32], [2, 1], (LocalDifferentialPrivacy(1),)),
        ([32, 32], [1, 2], (LocalDifferentialPrivacy(1),)),
        ([8, 16], [3, 1], (LocalDifferentialPrivacy("1/2"), Advantage("1/5"))),
        ([4, 4, 8], [3, 2, 1], (LocalDifferentialPrivacy(2),)),
    ],
)
@pytest.mark.long
def test_many_answers_of_a_few_sizes(sizes, shares, questions, utility):
    prior = np.repeat(shares, sizes) / np.dot(shares, sizes)
    design = optimal_channel(frame(sum(sizes)), *questions, utility=utility(prior))
    assert design.gap < 1e-6
    assert design.guarantees[0].epsilon <= Fraction(questions[0].epsilon)


@pytest.mark.long
def test_many_answers_all_unlike():
    prior = np.random.default_rng(5).dirichlet(np.full(40, 3.0))
    design = optimal_channel(
        frame(40), LocalDifferentialPrivacy(1), utility=MutualInformation(prior)
    )
    assert design.gap < 1e-6
    with pytest.raises(InputError, match="round the guesses to two or three"):
        optimal_channel(frame(40), LocalDifferentialPrivacy(1), utility=AOptimal(prior))
    with pytest.raises(InputError, match="treated unlike"):
        optimal_channel(frame(40), PairLosses({("a0", "a1"): 1}, others=2))


@pytest.mark.parametrize("weight", ["1/2", "2/5"])
@pytest.mark.parametrize("answered", ["7/10", "9/10"])
def test_silence_takes_its_part_of_a_bounded_advantage(weight, answered):
    """A silent report leaves |1 − 2w| of the distance, which is none at even weights."""
    design = optimal_channel(YN, Advantage("3/10", first_weight=weight), Answered(answered))
    result = advantage(design.channel, first_weight=weight).value
    assert result == pytest.approx(0.3, abs=1e-9)
    assert result <= Fraction(3, 10)
    silent = design.channel.matrix[:, design.channel.reports.index("don't know")]
    assert silent.tolist() == [float(1 - Fraction(answered))] * 2
    assert design.gap < 1e-6
    if weight == "1/2":  # the best of all would say nothing more often
        assert "one report for each answer" in design.among
        assert design.value > optimal_channel(YN, Advantage("3/10")).value


@pytest.mark.parametrize("k", [2, 3])
def test_the_least_advantage_at_uneven_weights_is_a_bound_on_ratios(k):
    """w p never outweighs (1 − w) q: the ratio is at most (1 − w)/w."""
    least = optimal_channel(frame(k), Advantage("1/5", first_weight="2/5"))
    ratio = optimal_channel(frame(k), LocalDifferentialPrivacy(math.log(1.5)))
    assert least.value == pytest.approx(ratio.value, rel=1e-6)
    assert least.gap < 1e-6
    assert "right at most 60 times in 100, if 'a0' has 40 chances" in repr(least)
    rarely = optimal_channel(frame(k), Advantage("1/5", first_weight="2/5"), Answered("4/5"))
    assert rarely.value == pytest.approx(ratio.value / 0.8, rel=1e-6)
    assert advantage(rarely.channel, first_weight="2/5").value <= Fraction(1, 5)


def test_the_gap_is_what_could_still_be_gained():
    for utility, off in ((MutualInformation(), 0.8), (AOptimal(), 1.25)):
        design = optimal_channel(frame(3), LocalDifferentialPrivacy(1), utility=utility)
        assert replace(design, value=off * design.bound).gap == pytest.approx(0.2)


@pytest.mark.parametrize("k", [6, 9])
def test_symmetry_loses_nothing(k):
    channel = optimal_channel(frame(k), LocalDifferentialPrivacy(1), Advantage("1/5"))
    prior = np.full(k, 1 / k)
    prior[0] += 1e-13
    listed = optimal_channel(
        frame(k), LocalDifferentialPrivacy(1), Advantage("1/5"), utility=AOptimal(prior)
    )
    assert channel.value == pytest.approx(listed.value, rel=1e-7)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: optimal_channel(Frame(["a"]), LocalDifferentialPrivacy(1)), "two answers or more"),
        (lambda: optimal_channel(YN), "at least one that protects"),
        (lambda: optimal_channel(YN, Answered("1/2")), "the plain question"),
        (lambda: optimal_channel(YN, "epsilon"), "LocalDifferentialPrivacy"),
        (lambda: optimal_channel(YN, LocalDifferentialPrivacy(0)), "no report says anything"),
        (lambda: optimal_channel(YN, LocalDifferentialPrivacy(13)), "leave the constraint out"),
        (lambda: optimal_channel(YN, Advantage(1)), "leave the constraint out"),
        (
            lambda: optimal_channel(YN, Advantage("1/10", first_weight="1/4")),
            "the least that can hold",
        ),
        (lambda: optimal_channel(YN, Advantage("1/2", first_weight=1)), "probability in"),
        (lambda: optimal_channel(YN, Advantage("1/2", between=("no", "no"))), "two different"),
        (lambda: optimal_channel(YN, PairLosses({("no", "no"): 1})), "two different"),
        (lambda: optimal_channel(YN, PairLosses({("no", "maybe"): 1})), "yes, no"),
        (lambda: optimal_channel(YN, PairLosses({})), "at least one that protects"),
        (lambda: optimal_channel(YN, PairLosses({("yes", "no"): 1}, others=0)), "privacy loss"),
        (lambda: optimal_channel(YN, LocalDifferentialPrivacy(math.nan)), "a number such as"),
        (
            lambda: optimal_channel(
                YN, LocalDifferentialPrivacy(1), utility=AOptimal([math.nan, 1])
            ),
            "positive",
        ),
        (
            lambda: optimal_channel(YN, LocalDifferentialPrivacy(1), utility=AOptimal([])),
            "positive shares",
        ),
        (lambda: optimal_channel(YN, LocalDifferentialPrivacy(1), Answered(1)), "a share in"),
        (
            lambda: optimal_channel(
                YN, LocalDifferentialPrivacy(1), Answered("1/2"), Answered("1/3")
            ),
            "shares answered of 1/2 and of 1/3",
        ),
        (
            lambda: optimal_channel(YN, LocalDifferentialPrivacy(1), utility=AOptimal([0, 1])),
            "give an answer that nobody may have a small share",
        ),
        (
            lambda: optimal_channel(YN, LocalDifferentialPrivacy(1), utility=AOptimal([0.5])),
            "positive shares",
        ),
        (lambda: optimal_channel(YN, LocalDifferentialPrivacy(1), reports=1), "2 or more"),
        (lambda: optimal_channel(YN, LocalDifferentialPrivacy(1), reports="two"), "2 or more"),
        (lambda: optimal_channel(YN, LocalDifferentialPrivacy(1), reports=2.5), "2 or more"),
        (
            lambda: optimal_channel(YN, LocalDifferentialPrivacy(1), utility=AOptimal("half")),
            "numbers",
        ),
        (lambda: optimal_channel(YN, PairLosses(1)), "losses such as"),
        (lambda: optimal_channel(YN, PairLosses({"yes": 1})), "two different answers"),
        (lambda: optimal_channel(YN, Advantage("1/2", between=("yes",))), "two different answers"),
        (lambda: optimal_channel(frame(4), LocalDifferentialPrivacy(1), reports=3), "4 or more"),
        (
            lambda: optimal_channel(
                YN, Advantage("1/2"), utility=AOptimal([[0.2, 0.8], [0.8, 0.2]]), reports=2
            ),
            "one guess",
        ),
        (
            lambda: optimal_channel(frame(9), Advantage("1/2", first_weight="2/5")),
            "at most 8 answers",
        ),
    ],
)
def test_bad_input_is_refused_with_what_can_hold(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_what_tells_nothing_apart_is_said():
    with pytest.raises(NotIdentified):
        merit(Warner(truth="1/2").channel(YN), AOptimal())


def test_results_tell_themselves(tmp_path):
    from matplotlib.figure import Figure

    design = optimal_channel(YN, LocalDifferentialPrivacy(1), Advantage("3/10"))
    assert "at most" in repr(design)
    assert "<table>" in design._repr_html_()
    assert design.sentences[0].startswith("Of 100 people whose answer is “yes”, 47.5 send “yes”")
    assert any("right at most 65 times in 100" in sentence for sentence in design.sentences)
    document = design.to_dict()
    assert Channel.from_dict(document["channel"]) == design.channel
    assert document["gap"] == design.gap
    axes = design.plot(Figure().subplots())
    assert axes.get_xlabel() == "report"
    wide = optimal_channel(frame(12), LocalDifferentialPrivacy("1/2"))
    assert "…" in repr(wide)
    assert wide.sentences == wide.promises
    assert wide.plot(Figure().subplots()) is not None


def test_a_bound_said_as_a_ratio_is_kept_and_met():
    two, three = frame(2), frame(3)
    for questions in (LocalDifferentialPrivacy(ratio=3), Shafer(ratio="3")):
        assert optimal_channel(two, questions).channel == Warner(truth="3/4").channel(two)
        assert 0 <= 3 - optimal_channel(three, questions).guarantees[0].value <= Fraction(1, 10**9)
    assert optimal_channel(two, Walley(ratio=3)).guarantees[0].value == 3
    assert joint_pair(ratio=3).first == (Fraction(3, 4), Fraction(1, 4))
    assert joint_pair("1/4", ratio=3).first == (Fraction(3, 8), Fraction(1, 8), Fraction(1, 2))
    pairs = PairLosses(ratios={("a0", "a1"): 2}, others_ratio=9)
    result = optimal_channel(three, pairs)
    assert result.guarantees[0].pairs[0][1] <= 2
    assert result.guarantees[0].value <= 9
    assert "no report is more than" in result.promises[0]
    losses = PairLosses({("a0", "a1"): math.log(2)}, others=math.log(9))
    assert optimal_channel(three, losses).value == pytest.approx(result.value, rel=1e-6)


def test_of_two_losses_for_one_pair_the_smaller_holds():
    either = [{("a0", "a1"): 1, ("a1", "a0"): 2}, {("a0", "a1"): 2, ("a1", "a0"): 1}]
    limits = [PairLosses(item).tighten(Limits.free(frame(2))).ratios for item in either]
    assert limits[0] == limits[1]
    assert limits[0][0][1] == exp_down(1)


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        (LocalDifferentialPrivacy(), "no bound"),
        (LocalDifferentialPrivacy(1, ratio=3), "epsilon and ratio"),
        (Shafer(ratio=1), "no report says anything"),
        (Walley(ratio=200_000), "leave the constraint out"),
        (PairLosses(), "or ratios such as"),
        (PairLosses({}, ratios={}), "losses and ratios"),
        (PairLosses({("a0", "a1"): 1}, 2, others_ratio=9), "others and others_ratio"),
    ],
)
def test_a_bound_is_said_once(questions, message):
    with pytest.raises(InputError, match=message):
        optimal_channel(frame(3), questions)


@pytest.mark.parametrize("w", ["1/5", "7/10"])
@pytest.mark.parametrize(
    ("k", "questions"),
    [(2, {"reports": 2}), (2, {"reports": 3}), (3, {"utility": MutualInformation()})],
)
def test_a_weight_that_turns_with_its_pair_is_the_same_bound(w, k, questions):
    channels = [
        optimal_channel(
            frame(k),
            LocalDifferentialPrivacy(2),
            Advantage("13/20", first_weight=weight, between=between),
            **questions,
        )
        for weight, between in ((w, ("a0", "a1")), (1 - Fraction(w), ("a1", "a0")))
    ]
    assert channels[0].value == pytest.approx(channels[1].value, rel=1e-6)
    for design in channels:
        judged = guessing(design.channel, first_weight=w, between=("a0", "a1")).guarantee
        assert judged.value <= Fraction(13, 20)
        assert judged.value == pytest.approx(0.65, abs=1e-6)
        assert design.guarantees[1].value == judged.value
        assert design.gap < 1e-6
