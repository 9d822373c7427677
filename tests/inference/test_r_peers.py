"""The invented survey of the R package, beside what rr, RRreg, GLMMRR, RRTCS, survey and list find.

`r/data-raw/peers.R` made their figures; `r/tests` holds the R package to the same ones, and
`docs/how-to/for-r-users.md` prints them.
"""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

import askance as ak
from askance.inference import SamplingDesign

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "r"
PAGE = ROOT / "docs" / "how-to" / "for-r-users.md"
PEERS = json.loads((PACKAGE / "tests" / "testthat" / "peers.json").read_text("utf-8"))
YN = ak.Frame(["yes", "no"])
CHANNELS = {
    "direct": ak.Warner(truth=1).channel(YN),
    "forced": ak.mechanisms.ForcedResponse(forced={"yes": "1/6", "no": "1/6"}).channel(YN),
    "warner": ak.Warner(truth="3/4").channel(YN),
    "crosswise": ak.mechanisms.Crosswise(harmless="1/4").channel(YN),
    "triangular": ak.mechanisms.Triangular(harmless="1/4").channel(YN),
    "unrelated": ak.mechanisms.UnrelatedQuestion(sensitive_chance="0.7", harmless="0.4").channel(
        YN
    ),
    "mangat": ak.mechanisms.Mangat(truth_if_no="0.7").channel(YN),
    "kuk": ak.mechanisms.Kuk(red_if_yes="0.8", red_if_no="0.2").channel(YN),
}
TERMS = "~ age + female"


@pytest.fixture(scope="module")
def practices() -> dict[str, list[str]]:
    with (PACKAGE / "inst" / "extdata" / "practices.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def whole(people, *columns):
    """Rows that have all of these columns; numbers as numbers."""
    ats = [index for index in range(1200) if all(people[name][index] != "NA" for name in columns)]
    numbers = ("age", "female", "items", "weight", "schools")
    return {
        name: np.array([float(column[index]) for index in ats])
        if name in numbers and "NA" not in [column[position] for position in ats]
        else [column[at] for at in ats]
        for name, column in people.items()
    }


def agree(name, value, se, *, value_within, se_within):
    """Both relative; a value is also as near as that itself."""
    for rtol, atol in ((value_within, 0), (0, value_within)):
        np.testing.assert_allclose(value, PEERS[name]["value"], rtol=rtol, atol=atol)
    np.testing.assert_allclose(se, PEERS[name]["se"], rtol=se_within)


@pytest.mark.checked("estimate", by="R's RRreg 0.7.5", value=1e-11, errors=1e-11)
@pytest.mark.parametrize("name", [name for name in CHANNELS if name != "direct"])
def test_rrreg_finds_the_same_shares(practices, name, within):
    """Its errors divide by n − 1, as those of a sampling design do."""
    replies = [item for item in practices[name] if item != "NA"]
    result = ak.estimate(ak.tally(CHANNELS[name], replies))
    longer = np.sqrt(len(replies) / (len(replies) - 1))
    close = {"value_within": within.value, "se_within": within.errors}
    agree(f"RRuni {name}", result.value[0], result.se[0] * longer, **close)
    design = SamplingDesign(weights=np.ones(len(replies)))
    result = ak.estimate(ak.tally(CHANNELS[name], replies, sampling=design))
    agree(f"RRuni {name}", result.value[0], result.se[0], **close)


@pytest.mark.checked("estimate", by="R's RRTCS 0.0.4", value=1e-11, errors=1e-11)
@pytest.mark.parametrize("name", ["warner", "unrelated"])
def test_rrtcs_finds_the_same_in_a_finite_population(practices, name, within):
    design = SamplingDesign(fpc=[5000] * 1200)
    result = ak.estimate(ak.tally(CHANNELS[name], practices[name], sampling=design))
    close = {"value_within": within.value, "se_within": within.errors}
    agree(f"RRTCS {name}", result.value[0], result.se[0], **close)


@pytest.mark.checked("estimate", by="R's survey 4.1-1", value=1e-11, errors=1e-11)
def test_survey_finds_the_same_in_a_complex_sample(practices, within):
    close = {"value_within": within.value, "se_within": within.errors}
    people = whole(practices)
    columns = {"weights": "weight", "strata": "region", "clusters": "school", "data": people}
    design = SamplingDesign(**columns, fpc="schools")
    result = ak.estimate(ak.tally(CHANNELS["direct"], people["direct"], sampling=design))
    agree("svymean direct", result.value[0], result.se[0], **close)
    assert design.df == PEERS["svymean direct"]["df"]

    sampling_design = SamplingDesign(**columns)
    crosswise = people["crosswise"]
    result = ak.estimate(ak.tally(CHANNELS["crosswise"], crosswise, sampling=sampling_design))
    agree("svymean crosswise", result.value[0], result.se[0], **close)
    by = ak.tally(
        CHANNELS["crosswise"], crosswise, by=people["female"].tolist(), sampling=sampling_design
    )
    domains = [ak.estimate(by[number]) for number in (0.0, 1.0)]
    values, errors = [domain.value[0] for domain in domains], [domain.se[0] for domain in domains]
    agree("svyby crosswise", values, errors, **close)


@pytest.mark.checked("estimate_domains", by="svyby of R's survey 4.1-1", value=1e-11, errors=1e-11)
def test_survey_finds_the_same_in_domains(practices, within):
    people = whole(practices)
    sampling = SamplingDesign(weights="weight", strata="region", clusters="school", data=people)
    by = ak.tally(
        CHANNELS["crosswise"], people["crosswise"], by=people["female"].tolist(), sampling=sampling
    )
    result = ak.inference.estimate_domains({name: by[name] for name in (0.0, 1.0)}).estimates
    values, errors = [item.value[0] for item in result], [item.se[0] for item in result]
    close = {"value_within": within.value, "se_within": within.errors}
    agree("svyby crosswise", values, errors, **close)


@pytest.mark.checked("response_regression", by="R's survey 4.1-1", value=1e-9, errors=1e-7)
def test_survey_finds_the_same_logit(practices, within):
    """Every school stays: rows without an age are outside the domain."""
    people = whole(practices, "age")
    design = SamplingDesign(weights="weight", strata="region", clusters="school", data=people)
    fit = ak.response_regression("direct", TERMS, CHANNELS["direct"], data=people, sampling=design)
    close = {"value_within": within.value, "se_within": within.errors}
    agree("svyglm direct", fit.value, fit.se, **close)


@pytest.mark.checked("response_regression", by="R's RRreg 0.7.5", value=3e-5, errors=4e-4)
def test_rr_and_rrreg_find_the_same_regression(practices, within):
    """RRreg stops a little early; rr's errors are those of scores' products, and not these."""
    people = whole(practices, "forced", "age")
    fit = ak.response_regression("forced", TERMS, CHANNELS["forced"], data=people)
    close = {"value_within": within.value, "se_within": within.errors}
    agree("RRlog", fit.value, fit.se, **close)
    assert fit.log_likelihood == pytest.approx(PEERS["RRlog"]["log_likelihood"], abs=1e-8)
    np.testing.assert_allclose(fit.value, PEERS["rrreg"]["value"], atol=3e-7)


@pytest.mark.checked("response_regression", by="R's GLMMRR 0.6.0", value=1e-6, errors=1e-6)
@pytest.mark.parametrize("link", ["logit", "probit"])
def test_glmmrr_finds_the_same_regression(practices, link, within):
    people = whole(practices, "forced", "age")
    how = {"data": people, "link": link, "errors": "expected"}
    fit = ak.response_regression("forced", TERMS, CHANNELS["forced"], **how)
    close = {"value_within": within.value, "se_within": within.errors}
    agree(f"RRglm {link}", fit.value, fit.se, **close)
    known_log_likelihood = PEERS[f"RRglm {link}"]["log_likelihood"]
    assert fit.log_likelihood == pytest.approx(known_log_likelihood, abs=1e-9)


@pytest.mark.checked("item_count", by="R's list 9.2.6 (HC3)", value=1e-11, errors=1e-3)
def test_list_finds_the_same_difference(practices, within):
    """Its errors are HC3, ours by moments."""
    numbers = [int(item) for item in practices["items"]]
    counts = ak.inference.count_items(numbers, practices["list"], items=3, control="short")
    estimate = ak.inference.item_count(counts)
    close = {"value_within": within.value, "se_within": within.errors}
    agree("ictreg lm", estimate.value[0], estimate.se[0], **close)


@pytest.mark.checked("item_count_regression", by="R's list 9.2.6", value=1e-2, errors=1e-3)
def test_list_finds_the_same_regression(practices, within):
    """Its EM algorithm stops early."""
    people = whole(practices, "age")
    people["items"] = [int(item) for item in people["items"]]
    fit = ak.inference.item_count_regression(
        "items", "list", TERMS, items=3, control="short", data=people
    )
    assert fit.log_likelihood == pytest.approx(PEERS["ictreg ml"]["log_likelihood"], abs=1e-6)
    assert np.abs((fit.value - PEERS["ictreg ml"]["value"]) / fit.se).max() < 1e-3
    np.testing.assert_allclose(fit.value, PEERS["ictreg ml"]["value"], rtol=within.value)
    np.testing.assert_allclose(fit.se, PEERS["ictreg ml"]["se"], rtol=within.errors)


@pytest.mark.checked("item_count_least_squares", by="R's list 9.2.6", value=1e-2, errors=1e-3)
def test_list_finds_the_same_least_squares(practices, within):
    compare_least_squares(practices, "logit", "nls", within.value, within.errors)


@pytest.mark.checked(
    "item_count_least_squares", by="R's list 9.2.6 (lines, HC3)", value=1e-2, errors=1e-2
)
def test_list_finds_the_same_straight_lines(practices, within):
    compare_least_squares(practices, "identity", "lm", within.value, within.errors)


def compare_least_squares(practices, link, name, value_within, se_within):
    people = whole(practices, "age")
    people["items"] = [int(item) for item in people["items"]]
    means = ak.inference.item_count_least_squares(
        "items", "list", TERMS, items=3, control="short", data=people, link=link
    )
    expected = PEERS[f"ictreg {name} regression"]
    assert np.abs((means.value - expected["value"]) / means.se).max() < 1e-3
    np.testing.assert_allclose(means.value, expected["value"], rtol=value_within)
    np.testing.assert_allclose(means.se, expected["se"], rtol=se_within)


def printed(value, se) -> set[str]:
    """Values with their errors, as the page prints them."""
    pairs = zip(np.atleast_1d(value), np.atleast_1d(se), strict=True)
    return {f"{item:.6f} ± {error:.6f}".replace("-", "−") for item, error in pairs}


def _lies():
    """Log-odds of carrying, of the two groups of whom carriers may deny."""
    counted = {("yes", "few"): 440, ("no", "few"): 560, ("yes", "many"): 800, ("no", "many"): 200}
    reports = [report for (report, _), n in counted.items() for _ in range(n)]
    group = [(0, 1)[name == "many"] for (_, name), n in counted.items() for _ in range(n)]
    channel_results = [ak.mechanisms.OneSided(forced_yes=p).channel(YN) for p in ("0.2", "0.8")]
    lies = ak.inference.stochastic_lie_detector()
    fit = ak.inference.compliance_regression(reports, None, channel_results, lies, group=group)
    return fit.value, fit.se


def test_the_page_prints_what_was_found(practices):
    union_result = set().union(*(printed(item["value"], item["se"]) for item in PEERS.values()))
    ours = set()
    for name, channel in CHANNELS.items():
        result = ak.estimate(ak.tally(channel, [item for item in practices[name] if item != "NA"]))
        ours |= printed(result.value[0], result.se[0])
    people = whole(practices, "forced", "age")
    for errors in ("observed", "expected"):
        fit = ak.response_regression(
            "forced", TERMS, CHANNELS["forced"], data=people, errors=errors
        )
        ours |= printed(fit.value, fit.se)
    numbers = [int(item) for item in practices["items"]]
    counts = ak.inference.count_items(numbers, practices["list"], items=3, control="short")
    result = ak.inference.item_count(counts)
    ours |= printed(result.value[0], result.se[0])
    people = whole(practices, "age")
    people["items"] = [int(item) for item in people["items"]]
    fit = ak.inference.item_count_regression(
        "items", "list", TERMS, items=3, control="short", data=people
    )
    ours |= printed(fit.value, fit.se)
    means = ak.inference.item_count_least_squares(
        "items", "list", TERMS, items=3, control="short", data=people
    )
    ours |= printed(means.value, means.se)
    regression = ak.inference.item_count_regression(
        "items", "list", TERMS, items=3, control="short", data=people, anchored=True
    )
    ours |= printed(regression.value, regression.se)
    outcome = ak.inference.item_count_outcome(
        "items", "list", "female", "~ age", items=3, control="short", family="logit", data=people
    )
    ours |= printed(outcome.value, outcome.se)
    ours |= printed(*_lies())
    assert PAGE.read_text("utf-8").count(f"−{-fit.log_likelihood:.6f} |") == 2
    matches = re.findall(r"−?\d\.\d{6} ± \d\.\d{6}", PAGE.read_text("utf-8"))
    assert len(matches) > 40
    assert set(matches) - union_result - ours == set()
    absent = ("RRglm probit", "ictreg ml", "ictreg nls regression", "ictreg lm regression")
    in_part = ("ictreg robust ml", "ictreg.joint", "RRlog SLD")
    absent += ("ictreg robust nls",)
    theirs = {name: printed(item["value"], item["se"]) for name, item in PEERS.items()}
    whole_ones = [theirs[name] for name in theirs if name not in (*absent, *in_part)]
    assert set().union(*whole_ones) <= set(matches)
    assert all(theirs[name] & set(matches) for name in in_part)
