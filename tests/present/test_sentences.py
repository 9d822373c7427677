"""The words of methods paragraphs: every enum member has its own, and every blank is filled."""

import re
from typing import get_args

import pytest

from askance.inference import Computation, ErrorSource, ListCombination, NoncomplianceModel
from askance.inference.fit_result import FitClaim
from askance.inference.provenance import (
    GroupTest,
    LearningAlgorithm,
    Misreport,
    ScramblingModel,
    Ties,
    TypeEstimator,
)
from askance.inference.shares.frequencies import Dependence, FrequencyMethod
from askance.inference.shares.information import ShareEstimator
from askance.present.bibliography import read_references
from askance.present.sentences import Writer, list_blanks, load_sentences

WORDS = load_sentences("methods.toml")
TEMPLATES = [template for table in WORDS.values() for template in table.values()]

ENUMS = {
    "dependence": get_args(Dependence),
    "error_source": ErrorSource,
    "frequency_method": get_args(FrequencyMethod),
    "group_test": GroupTest,
    "learning_algorithm": LearningAlgorithm,
    "list_combination": ListCombination,
    "misreport": get_args(Misreport),
    "noncompliance_model": NoncomplianceModel,
    "scrambling_model": ScramblingModel,
    "share_estimator": ShareEstimator,
    "ties": Ties,
    "type_estimator": TypeEstimator,
}
"""The tables that have words for each member."""

SOME = {"fit_claim": FitClaim, "robust_errors": ErrorSource}
"""The tables that have words for some, and for all others the same."""


def key(member: object) -> str:
    return member if isinstance(member, str) else member.name.lower()  # type: ignore[attr-defined]


def test_each_member_of_an_enum_has_its_words() -> None:
    for table, members in ENUMS.items():
        assert {*WORDS[table]} == {key(member) for member in members}, table
    for table, members in SOME.items():
        assert {*WORDS[table]} - {"other"} < {key(member) for member in members}, table
        assert "other" in WORDS[table]


def test_each_computation_has_its_sentences() -> None:
    """Numbers by group have those of a number and of groups."""
    computed = {key(member) for member in Computation} - {"domain_numbers"}
    assert computed - {*WORDS["sentences"]} == set()


def test_each_design_has_its_name_procedure_and_source() -> None:
    assert [*WORDS["mechanism"]] == [*WORDS["procedure"]] == [*WORDS["mechanism_source"]]


def test_what_a_blank_names_is_there_and_nothing_else_is() -> None:
    blanks = [blank for template in TEMPLATES for blank in list_blanks(template)]
    used = {how.partition("=")[2] for _, how in blanks if re.match(r"[a-z ]*=", how)}
    included = {how[1:] for _, how in blanks if how.startswith(">")}
    included |= {how.removeprefix("each=") for _, how in blanks if how.startswith("each=")}
    assert used - {"chance", "forced_reply"} == {*WORDS} - {"sentences"}
    assert included - {*WORDS["sentences"]} == set()


def test_each_source_is_in_the_bibliography() -> None:
    book = read_references()
    cited = {
        source
        for template in TEMPLATES
        for path, how in list_blanks(template)
        if path == "cite"
        for source in how.split(",")
    }
    for table in ("mechanism_source", "noncompliance_model", "scrambling_model"):
        cited |= {source for keys in WORDS[table].values() for source in str(keys).split(",")}
    assert len(cited) > 60
    assert [source for source in cited if source not in book] == []


@pytest.mark.parametrize(
    "template", ["{missing}", "{n:=words}", "{n:>missing}", "{n:each=missing}"]
)
def test_what_is_missing_is_an_error(template: str) -> None:
    tables = {"sentences": {"said": template}, "words": {"yes": "Yes"}}
    writer = Writer(tables=tables, cite=", ".join, facts={})
    with pytest.raises((KeyError, AttributeError)):
        writer.write("said", {"n": ("no",)})
