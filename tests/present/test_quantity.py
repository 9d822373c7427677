from dataclasses import replace

from askance.exact import Line
from askance.inference import estimate_plain
from askance.present.findings import headline, quantities


def test_the_headline_is_the_first_of_two_answers(analysis):
    assert headline(analysis.findings[1]).label == "yes"


def test_the_headline_is_the_commonest_of_more(analysis):
    assert headline(analysis.findings[2]).label == "fairly"


def test_the_headline_of_a_number_is_its_mean_as_bounds(analysis):
    mean = headline(analysis.findings[3])
    assert (mean.name, mean.told, mean.interval) == ("mean, years", "28.6 to 29.6", "28.2 to 30.0")


def test_a_mean_that_is_one_number_is_told_as_one(analysis):
    finding = analysis.findings[3]
    sharp = replace(finding, estimate=replace(finding.estimate, mean_low=29.1, mean_high=29.1))
    assert headline(sharp).told == "29.1"


def test_nothing_is_held_of_what_is_withheld(analysis):
    assert quantities(analysis.findings[5]) == ()
    assert headline(analysis.findings[5]) is None


def test_quantiles_have_names_and_no_worth(analysis):
    held = quantities(analysis.findings[3])
    assert [one.label for one in held] == ["mean", "10th percentile", "median", "90th percentile"]
    assert [one.worth for one in held] == ["1,502", "", "", ""]
    assert held[2].truth_told == "27.0"


def test_a_number_of_which_nothing_was_learnt_is_said_to_be_so(analysis):
    finding = analysis.findings[3]
    estimate = estimate_plain(Line(17, 70, 1), {}, unit="years")
    held = quantities(replace(finding, estimate=estimate, truth=None))
    assert {(one.told, one.interval) for one in held[:1]} == {("nothing learnt", "not known")}
    assert {(one.told, one.interval) for one in held[1:]} == {("not known", "not known")}
