"""The words of methods paragraphs: every enum member has its own, and every blank is filled."""

import re
import tomllib
from pathlib import Path
from typing import Any, get_args, get_type_hints

import askance as ak
from askance.present.sentences import list_blanks

ROOT = Path(__file__).parents[2]
FILE = ROOT / "src" / "askance" / "present" / "templates" / "methods.toml"
WORDS = tomllib.loads(FILE.read_text(encoding="utf-8"))
TEMPLATES = [template for table in WORDS.values() for template in table.values()]


def kinds(result: Any, *path: str) -> Any:
    """The members that an attribute of a result may have."""
    for name in path:
        result = get_type_hints(result)[name]
    return get_args(result) or result


ENUMS = {
    "dependence": kinds(ak.inference.HeavyHitters, "dependence"),
    "error_source": ak.inference.ErrorSource,
    "frequency_method": kinds(ak.inference.FrequencyEstimate, "method"),
    "group_test": ak.inference.GroupTest,
    "learning_algorithm": ak.inference.LearningAlgorithm,
    "list_combination": ak.inference.ListCombination,
    "misreport": kinds(ak.inference.ItemCountRegression, "model", "misreport"),
    "noncompliance_model": ak.inference.NoncomplianceModel,
    "scrambling_model": ak.inference.ScramblingModel,
    "share_estimator": ak.inference.ShareEstimator,
    "ties": kinds(ak.inference.PointIntervals, "scope", "ties"),
    "type_estimator": ak.inference.TypeEstimator,
}
"""The tables that have words for each member."""

SOME = {"fit_claim": ak.inference.FitClaim, "robust_errors": ak.inference.ErrorSource}
"""The tables that have words for some, and for all others the same."""


def key(member: object) -> str:
    return member if isinstance(member, str) else member.name.lower()  # type: ignore[attr-defined]


def test_each_member_of_an_enum_has_its_words() -> None:
    for table, members in ENUMS.items():
        assert {*WORDS[table]} == {key(member) for member in members}, table
    for table, members in SOME.items():
        assert {*WORDS[table]} - {"other"} < {key(member) for member in members}, table
        assert "other" in WORDS[table]


def test_each_kind_of_report_says_how_it_was_asked() -> None:
    notes = tomllib.loads(FILE.with_name("notes.toml").read_text(encoding="utf-8"))
    assert {*notes["how"]} == {kind.name for kind in ak.survey.ReportKind}


def test_each_computation_has_its_sentences() -> None:
    """Numbers by group have those of a number and of groups."""
    computed = {key(member) for member in ak.inference.Computation} - {"domain_numbers"}
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
    book = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
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
    assert [source for source in cited if f"{{{source}," not in book] == []
