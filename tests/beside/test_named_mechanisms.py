"""Published shares of surveys that were asked by named designs."""

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import askance as ak
from askance.channels import GroupedTally
from askance.mechanisms import Crosswise, ForcedResponse, UnrelatedQuestion

YN = ak.Frame(["yes", "no"])
EXACT = {"0.166666666666667": "1/6", "0.833333333333333": "5/6", "0.666666666666667": "2/3"}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fraction(written: str) -> Fraction:
    return Fraction(EXACT.get(written, written))


def test_nigerias_die_is_a_forced_response(data_beside: Callable[[str], Path]) -> None:
    """The die forces one sixth of all to each answer: 26.19 % by Blair, Imai and Zhou's data."""
    counts = Counter(row["rr.q1"] for row in rows(data_beside("rr/nigeria_forced_response.csv")))
    die = ForcedResponse(forced={"yes": "1/6", "no": "1/6"}).channel(YN)
    result = ak.estimate(ak.Tally(die, {"yes": counts["1"], "no": counts["0"]}))
    n, yes = counts["1"] + counts["0"], counts["1"]
    assert result.reports == n
    assert result.value[0] == pytest.approx((yes / n - 1 / 6) * 3 / 2, abs=1e-12)
    assert result.value[0] == pytest.approx(0.2619, abs=5e-5)


@pytest.mark.parametrize(("question", "share"), [("3", 0.223), ("4", 0.016)])
def test_plagiarism_by_the_crosswise_model(
    data_beside: Callable[[str], Path], question: str, share: float
) -> None:
    """22.3 % partial and 1.6 % severe plagiarism in Jann, Jerke and Krumpal's survey."""
    replies = Counter(
        row["response"]
        for row in rows(data_beside("rr/plagiarism_crosswise.csv"))
        if row["question"] == question and row["response"] in {"0", "1"}
    )
    channel_result = Crosswise(harmless="1/4").channel(YN)
    counts = {"both or neither": replies["1"], "just one": replies["0"]}
    result = ak.estimate(ak.Tally(channel_result, counts))
    assert result.value[0] == pytest.approx(share, abs=5e-4)


def channel(model: str, p1: str, p2: str, unconditional: bool) -> ak.Channel:
    """Name what each survey recorded: of forced answers one told all, the other the forced."""
    fraction_result, other = fraction(p1), fraction(p2)
    if model == "Crosswise":
        return Crosswise(harmless=fraction_result).channel(YN)
    if model == "UQM":
        return UnrelatedQuestion(sensitive_chance=fraction_result, harmless=other).channel(YN)
    if model == "DQ":
        return ForcedResponse(truth=1).channel(YN)
    if unconditional:
        return ForcedResponse(forced={"yes": other, "no": 1 - fraction_result - other}).channel(YN)
    return ForcedResponse(truth=fraction_result, if_forced={"yes": other, "no": 1 - other}).channel(
        YN
    )


def grouped(data: list[dict[str, str]], unconditional: bool) -> GroupedTally:
    """Put together what was asked with different chances."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for row in data:
        n, yes = counts.setdefault((row["model"], row["p1"], row["p2"]), [0, 0])
        counts[row["model"], row["p1"], row["p2"]] = [n + int(row["n"]), yes + int(row["yes"])]
    tallies = {}
    for (model, p1, p2), (n, yes) in counts.items():
        channel_result = channel(model, p1, p2, unconditional)
        first, second = channel_result.reports
        tallies[f"{model} {p1} {p2}"] = ak.Tally(channel_result, {first: yes, second: n - yes})
    return GroupedTally(tallies)


def surveys(
    data_beside: Callable[[str], Path],
) -> Iterator[tuple[str, GroupedTally, dict[str, str]]]:
    rows_result = rows(data_beside("rr/expected_prevalence.csv"))
    for name, split in (("ethbe_counts.csv", "condition"), ("mturk_counts.csv", "model")):
        data = rows(data_beside(f"rr/{name}"))
        for result in (row for row in rows_result if row["file"] == name):
            labels = result["group"].split(" | ")
            if len(labels) != 2:
                continue
            mine = [row for row in data if [row["question"], row[split]] == labels]
            yield result["group"], grouped(mine, name.startswith("ethbe")), result


@pytest.mark.long
def test_shares_of_two_surveys_with_chances_that_differ(data_beside: Callable[[str], Path]) -> None:
    """Bounded maximum likelihood and profile limits, computed independently, of 46 questions."""
    observed = 0
    for label, tally, result in surveys(data_beside):
        outcome = ak.estimate(tally)
        assert outcome.reports == int(result["n"]), label
        assert outcome.value[0] == pytest.approx(float(result["mle"]), abs=2e-5), label
        ends = float(result["profile95_lo"]), float(result["profile95_hi"])
        near = 0.1 * (ends[1] - ends[0])
        if ends[0] > 0:
            se = float(outcome.se[0])
            assert se == pytest.approx(float(result["se_expected_info"]), rel=0.05), label
            assert outcome.lower[0] == pytest.approx(ends[0], abs=near), label
            assert outcome.upper[0] == pytest.approx(ends[1], abs=near), label
        else:  # at the edge ours leave more
            assert outcome.lower[0] < 0.01, label
            assert ends[1] - near < outcome.upper[0] < ends[1] + 0.03, label
        observed += 1
    assert observed == 46


def test_the_wrong_reading_of_a_forced_chance_is_far_off(
    data_beside: Callable[[str], Path],
) -> None:
    """One sixth of all, or of those who are forced: 22.6 % or 37 % of the same reports."""
    data = [
        row
        for row in rows(data_beside("rr/ethbe_counts.csv"))
        if (row["question"], row["condition"]) == ("copied", "FR pick-a-number")
    ]
    right, wrong = (ak.estimate(grouped(data, of_all)).value[0] for of_all in (True, False))
    assert right == pytest.approx(0.22622, abs=1e-5)
    assert wrong > right + 0.1
    assert np.isfinite(wrong)
