"""Between two answers every oracle is truth, lie or "don't know": against its matrix."""

import pytest

import askance as ak
from askance.mechanisms import (
    HadamardResponse,
    ProjectiveGeometry,
    SubsetSelection,
    UnaryEncoding,
)
from askance.privacy import (
    Ledger,
    Notion,
    View,
    advantage,
    best_test,
    guessing,
    tradeoff,
    worst_test,
    worst_tradeoff,
)

FRAME = ak.Frame(["a", "b", "c", "d"])
MANY = ak.Frame([f"page {index}" for index in range(5000)])
RECIPES = [
    UnaryEncoding(truth="1/2", lie="1/5"),
    UnaryEncoding(truth="1/5", lie="2/5"),
    SubsetSelection(ratio=3, size=2),
    HadamardResponse(truth="2/3"),
    ProjectiveGeometry(ratio="5/2", order=3),
]


def written(recipe):
    """The same channel with all its chances."""
    ruled = recipe.channel(FRAME)
    reports = {f"r{index}": FRAME.names(mask) for index, mask in enumerate(ruled.meanings)}
    return ruled, ak.Channel(FRAME, reports, ruled.table)


@pytest.mark.parametrize("recipe", RECIPES, ids=repr)
@pytest.mark.parametrize("view", [View.REPORTS, View.MESSAGES])
@pytest.mark.parametrize("times", [1, 3])
def test_curves_are_those_of_the_matrix(recipe, view, times):
    ruled, matrix = written(recipe)
    for pair in (("a", "b"), ("d", "b")):
        tradeoff_result = tradeoff(ruled, *pair, view=view, times=times)
        expected = tradeoff(matrix, *pair, view=view, times=times)
        assert tradeoff_result == expected
    assert worst_tradeoff(ruled, view=view, times=times) == expected


@pytest.mark.parametrize("recipe", RECIPES, ids=repr)
def test_guesses_are_those_of_the_matrix(recipe):
    ruled, matrix = written(recipe)
    for weight in ("1/2", "1/3"):
        assert (
            advantage(ruled, first_weight=weight).value
            == advantage(matrix, first_weight=weight).value
        )
        result, expected = (guessing(item, first_weight=weight) for item in (ruled, matrix))
        assert result.error == expected.error


@pytest.mark.parametrize("recipe", RECIPES, ids=repr)
def test_ledgers_are_those_of_the_matrix(recipe):
    ruled, matrix = (Ledger().spend(item, 3).spend(Q, 2) for item in written(recipe))
    assert ruled.loss(Notion.LOCAL).value == matrix.loss(Notion.LOCAL).value
    alone, further = (Ledger().spend(item, 3) for item in written(recipe))
    for notion in (Notion.LOCAL, Notion.SHAFER, Notion.WALLEY):
        assert alone.loss(notion).value == further.loss(notion).value
    for notion in (Notion.LOCAL, Notion.SHAFER):
        assert alone.delta(1, notion=notion) == pytest.approx(further.delta(1, notion=notion))


Q = ak.KAry(truth="1/2").channel(FRAME)


@pytest.mark.parametrize("recipe", RECIPES, ids=repr)
def test_many_answers_are_judged_at_once(recipe):
    channel = recipe.channel(MANY)
    curve = tradeoff(channel, "page 7", "page 11")
    assert curve.advantage == advantage(channel).value
    assert worst_tradeoff(channel) == curve
    spent = Ledger().spend(channel, 20)
    assert spent.loss(Notion.LOCAL).value == ak.local_loss(channel).value ** 20
    assert 0 < spent.epsilon(1e-6) <= spent.loss(Notion.LOCAL).epsilon


def test_a_test_says_which_reports_it_looks_at():
    channel = HadamardResponse(truth="3/4").channel(MANY)
    test = best_test(channel, "page 7", "page 11", 0.1, view=View.REPORTS)
    assert "page 11, not page 7" in repr(test)


def test_the_worst_test_of_many_answers_is_found_at_once():
    channel = HadamardResponse(truth="3/4").channel(MANY)
    assert worst_test(channel, 0.1).beta == best_test(channel, "page 7", "page 11", 0.1).beta
