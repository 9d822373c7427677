"""Groups compared: beside the binomial's own likelihood ratio, known intervals and laws."""

import json

import numpy as np
import pytest
from scipy.special import xlogy

import askance as ak
from askance.channels import GroupedTally
from askance.inference import GroupComparison, compare_groups, maximum_likelihood
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])
PLAIN = ak.KAry(truth="1").channel(YN)
WARNER = ak.Warner(truth="3/4").channel(YN)


def asked(plainly=(20, 180), coin=(400, 600)):
    return GroupedTally(
        {
            "plainly": ak.Tally(PLAIN, dict(zip(("yes", "no"), plainly, strict=True))),
            "coin": ak.Tally(WARNER, dict(zip(("yes", "no"), coin, strict=True))),
        }
    )


def test_plain_groups_have_the_likelihood_ratio_of_a_table():
    counts = np.array([(20, 180), (60, 140), (30, 170)])
    tallies = {
        str(index): ak.Tally(PLAIN, {"yes": int(yes), "no": int(no)})
        for index, (yes, no) in enumerate(counts)
    }
    comparison = compare_groups(GroupedTally(tallies))
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    assert comparison.deviance == pytest.approx(2 * xlogy(counts, counts / expected).sum())
    assert comparison.df == 2
    assert comparison.pooled.value == pytest.approx(counts.sum(axis=0) / counts.sum(), abs=1e-6)


def test_differences_square_and_add_the_arms_of_wilson_intervals():
    """Newcombe (1998), table II, 56/70 against 48/80: .0524 to .3339."""
    groups = {
        "second": ak.Tally(PLAIN, {"yes": 48, "no": 32}),
        "first": ak.Tally(PLAIN, {"yes": 56, "no": 14}),
    }
    comparison = compare_groups(GroupedTally(groups))
    assert comparison.difference[0, 0] == pytest.approx(0.2)
    assert [comparison.lower[0, 0], comparison.upper[0, 0]] == pytest.approx(
        [0.0524, 0.3339], abs=5e-5
    )


def test_shares_are_those_of_each_group_and_of_all():
    comparison = compare_groups(asked())
    for name, item in asked().tallies.items():
        assert comparison.groups[name].value == pytest.approx(ak.estimate(item).value)
    assert comparison.pooled.value == pytest.approx(maximum_likelihood(asked()).value)
    assert comparison.difference[0] == pytest.approx([0.2, -0.2])
    assert comparison.p_value < 1e-6


def test_equal_shares_do_not_differ():
    comparison = compare_groups(asked(plainly=(60, 140)))  # 0.3, as the coin tells
    assert comparison.deviance == pytest.approx(0, abs=1e-8)
    assert comparison.p_value == pytest.approx(1)
    assert comparison.lower[0, 0] < 0 < comparison.upper[0, 0]
    assert (comparison.pooled.se < comparison.groups["coin"].se).all()


def test_at_an_edge_the_interval_of_a_difference_has_a_width():
    comparison = compare_groups(asked(plainly=(0, 50), coin=(200, 800)))
    assert comparison.difference[0].tolist() == [0, 0]
    assert comparison.lower[0, 0] < -0.05
    assert 0 < comparison.upper[0, 0] < 0.1


def test_it_is_told_written_and_drawn():
    comparison: GroupComparison = compare_groups(asked(), level=0.9)
    assert "coin − plainly" in repr(comparison)
    assert "90 % from" in repr(comparison)
    document = json.loads(json.dumps(comparison.to_dict()))
    assert set(document["groups"]) == {"plainly", "coin"}
    assert document["p_value"] == pytest.approx(comparison.p_value)
    assert [yticklabel.get_text() for yticklabel in comparison.plot().get_yticklabels()] == [
        "plainly",
        "coin",
        "all",
    ]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"coin": ak.Tally(WARNER, {"yes": 3})}, "one group"),
        (
            {"coin": ak.Tally(WARNER, {"yes": 3}), "none": ak.Tally(PLAIN, {})},
            "no report of 'none'",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(groups, message):
    with pytest.raises(InputError, match=message):
        compare_groups(GroupedTally(groups))
