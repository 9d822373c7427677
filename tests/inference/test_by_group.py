"""Results by groups are read as mappings are: names, items, a group by its name."""

import pytest

import askance as ak

Q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
TALLIES = {"a": ak.Tally(Q, {"yes": 40, "no": 60}), "b": ak.Tally(Q, {"yes": 30, "no": 50})}
GROUPED = ak.channels.GroupedTally(TALLIES)
RESULTS = (
    ak.inference.estimate_domains(TALLIES, by="town"),
    GROUPED,
    ak.inference.compare_groups(GROUPED),
)


@pytest.mark.parametrize("result", RESULTS)
def test_groups_are_read_as_a_mapping(result):
    assert list(result) == ["a", "b"]
    assert len(result) == 2
    assert "b" in result
    assert {name: type(item) for name, item in result.items()} == {
        name: type(result[name]) for name in result
    }
    with pytest.raises(ak.errors.InputError, match="got 'c'; allowed: a, b"):
        result["c"]
    with pytest.raises(ak.errors.InputError, match="allowed: a, b"):
        result[[]]


def test_each_group_has_its_own_estimate():
    domains = RESULTS[0]
    for name, tally in GROUPED.items():
        assert domains[name].value.tolist() == ak.estimate(tally).value.tolist()
    assert domains["a",] is domains["a"]


def test_groups_by_two_columns_have_a_value_of_each_and_withheld_ones_none():
    tallies = {("a", "old"): TALLIES["a"], ("a", "young"): ak.Tally(Q, {"yes": 2, "no": 1})}
    domains = ak.inference.estimate_domains(tallies, by=["town", "age"], minimum=10)
    assert list(domains) == [("a", "old"), ("a", "young")]
    assert domains["a", "young"] is None
    with pytest.raises(ak.errors.InputError, match="allowed"):
        domains["a"]
