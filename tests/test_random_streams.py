"""A seed draws the same for one column, and something else for another column or purpose."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import uniform

import askance as ak
from askance.mechanisms import DBitFlip, MemoisedHashing, MemoisedKAry, Rappor
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4").channel(YN)
ANSWERS = ["yes", "no"] * 50
BELOW, ABOVE = ak.Ranges([-np.inf] * 3, [5, 6, 7]), ak.Ranges([5, 6, 7], [np.inf] * 3)
CUTS = ak.Cuts(number=1).channel(ak.Line(0, 100))


def privatise_answers(**inputs):
    return ak.privatise(WARNER, ANSWERS, **inputs)


def test_one_seed_and_one_column_send_the_same():
    assert privatise_answers(rng=1, name="tea") == privatise_answers(rng=np.int64(1), name="tea")
    assert privatise_answers(rng=[1, 2], name="tea") == privatise_answers(
        rng=np.array([1, 2]), name="tea"
    )
    assert privatise_answers(rng=np.random.default_rng(1)) == privatise_answers(
        rng=np.random.default_rng(1)
    )
    assert privatise_answers(rng=1, name="tea") != privatise_answers(rng=1, name="gin")
    assert privatise_answers(rng=1, name="tea") != privatise_answers(rng=2, name="tea")
    assert privatise_answers(rng=[1, 2], name="tea") != privatise_answers(rng=[12], name="tea")


@pytest.mark.parametrize(
    "state",
    [
        np.random.default_rng(1),
        np.random.RandomState(1),
        np.random.PCG64(1),
        np.random.SeedSequence(1),
    ],
    ids=lambda item: type(item).__name__,
)
def test_what_has_a_state_moves_on(state):
    assert privatise_answers(rng=state) != privatise_answers(rng=state)


def test_a_column_of_a_data_frame_has_its_own_name():
    expected = privatise_answers(rng=1, name="tea")
    for column in (pd.Series(ANSWERS, name="tea"), pl.Series("tea", ANSWERS)):
        assert list(ak.privatise(WARNER, column, rng=1)) == expected
        assert list(ak.privatise(WARNER, column, rng=1, name="gin")) != expected
    batches = pa.Table.from_pydict({"tea": ANSWERS}).to_reader()
    assert ak.privatise(WARNER, batches, rng=1).read_all()["tea"].to_pylist() == expected


@pytest.mark.parametrize(
    "column", [ANSWERS, np.array(ANSWERS), pd.Series(ANSWERS), pl.Series(ANSWERS), iter([ANSWERS])]
)
@pytest.mark.parametrize("seed", [1, [1, 2], np.int64(1)])
def test_a_seed_without_a_name_is_refused(column, seed):
    with pytest.raises(InputError, match=r"column without a name.*name=.*default_rng\(seed\)"):
        ak.privatise(WARNER, column, rng=seed)
    with pytest.raises(InputError, match="without a name"):
        ak.privatise(CUTS, [3.0], rng=seed)


@pytest.mark.parametrize("wrong", [-1, 1.5, "1", [], [-1], [0.5], [[1]], float("nan"), object()])
def test_what_is_no_dice_is_refused(wrong):
    for call in (
        lambda: privatise_answers(rng=wrong, name="tea"),
        lambda: ak.inference.log_rank_test({"a": BELOW, "b": ABOVE}, rng=wrong),
    ):
        with pytest.raises(InputError, match=r"rng: .*numpy Generator"):
            call()


def test_rounds_refuse_a_seed():
    rappor = Rappor(truth="3/4", lie="1/4", again_truth="3/4", again_lie="1/4")
    kary = MemoisedKAry(lasting=6, per_report=2)
    hashing = MemoisedHashing(lasting=6, per_report=2, cells=2)
    flips = DBitFlip(truth="3/4", lie="1/4", answers_asked=1)
    dice = np.random.default_rng(1)
    for draw in (
        lambda rng: rappor.memoise(YN, ANSWERS, rng=rng),
        lambda rng: rappor.report(YN, rappor.memoise(YN, ANSWERS), rng=rng),
        lambda rng: kary.memoise(YN, ANSWERS, rng=rng),
        lambda rng: kary.report(YN, ANSWERS, rng=rng),
        lambda rng: hashing.memoise(100, rng=rng),
        lambda rng: hashing.report(YN, hashing.memoise(100), ANSWERS, rng=rng),
        lambda rng: flips.memoise(YN, 100, rng=rng),
    ):
        with pytest.raises(InputError, match="every round alike"):
            draw(1)
        assert np.any(np.asarray(draw(dice)) != np.asarray(draw(dice)))


def test_purposes_have_streams_of_their_own():
    law = ak.channels.DirichletCuts(uniform(), 2, 1)
    cuts = law.draw(500, rng=1)[:, 0]
    assert (cuts == law.draw(500, rng=1)[:, 0]).all()
    own = np.random.default_rng(1).dirichlet(np.ones(2), 500)[:, 0]
    assert not np.isin(cuts, own).any()
