"""The draft of an impact assessment, the registry's record, and hazards answered from a form."""

import json
import re
import tomllib
from io import BytesIO
from pathlib import Path

import docx
import jsonschema
import pytest
from docx.enum.text import WD_COLOR_INDEX

import askance as ak
from askance.present import (
    Actor,
    Attribution,
    Hazard,
    Seen,
    Standing,
    answer_hazards,
    assess_actors,
    board_facts,
    deployment_record,
    write_assessment,
    write_assessment_docx,
)
from askance_collect.errors import InputError

FOLDER = Path(__file__).parent
SCHEMA = json.loads((FOLDER / "registry_schema.json").read_text("utf-8"))
EXAMPLES = ["affairs", "doping", "income", "student-life"]
HEAD = 'askance = "survey-1"\ntitle = "T|able *1*"\nconsent = "C"\ncontact = "us"\n'
QUESTION = '[[question]]\nname = "tea"\ntext = "Tea?"\nanswers = ["yes", "no"]\n'
WARNER = QUESTION + 'mechanism = { name = "warner", ratio = 2 }\n'
PLAIN = QUESTION.replace("tea", "sex") + 'expect = { yes = "1/2", no = "1/2" }\n'
TEXT = '[[question]]\nname = "why"\ntext = "Why?"\nfree_text = { limit = 100 }\n'
SEALED = TEXT.replace("100 }", "100, sealed = true }")


def judged(*parts):
    form = ak.publish(ak.parse_survey("".join([HEAD, *parts]).encode()))
    return form, ak.check(form)


@pytest.fixture(scope="module")
def surveys():
    forms = [ak.publish(ak.load_survey(f"examples/{name}.toml")) for name in EXAMPLES]
    return [(form, ak.check(form)) for form in forms]


def standings(*parts):
    return {
        answer_hazard.hazard: answer_hazard
        for answer_hazard in answer_hazards(board_facts(*judged(*parts)))
    }


def test_every_hazard_has_a_sentence_for_each_way_in_which_a_form_can_stand_to_it(surveys):
    folder = Path(ak.present.__file__).parent / "templates"
    templates = tomllib.loads((folder / "hazards.toml").read_text("utf-8"))
    written = set(templates["sentences"])
    distinct = set()
    several = [answer_hazards(board_facts(*survey)) for survey in surveys]
    several += [standings(*parts).values() for parts in ([WARNER], [WARNER, TEXT], [PLAIN])]
    for answers in several:
        assert [item.hazard for item in answers] == list(Hazard)
        for answer in answers:
            distinct.add(f"{answer.hazard.name}_{answer.standing.name}")
            assert "{" not in answer.sentence
    assert distinct <= written
    assert set(templates["titles"]) == {hazard.name for hazard in Hazard}


def test_what_a_form_has_decides_how_it_stands_to_a_hazard():
    alone, plain, text = standings(WARNER), standings(WARNER, PLAIN), standings(WARNER, TEXT)
    assert alone[Hazard.PRIVACY_PARAMETER].standing is Standing.MET
    assert "ε = 0.7." in alone[Hazard.PRIVACY_PARAMETER].sentence  # ln 2 = 0.693…, upwards
    assert alone[Hazard.OTHER_RELEASES].standing is Standing.MET
    assert plain[Hazard.OTHER_RELEASES].standing is Standing.IN_PART
    assert "(sex)" in plain[Hazard.OTHER_RELEASES].sentence
    assert "500.5 of 1,000" in plain[Hazard.OTHER_RELEASES].sentence
    assert text[Hazard.OTHER_RELEASES].standing is Standing.OPEN
    assert text[Hazard.UNSTRUCTURED_DATA].standing is Standing.OPEN
    strong = WARNER.replace("ratio = 2", "ratio = 100_000")
    assert standings(strong)[Hazard.PRIVACY_PARAMETER].standing is Standing.OPEN


def test_actors_who_see_no_report_learn_nothing_and_the_others_the_worst_posterior(surveys):
    for survey in surveys:
        facts = board_facts(*survey)
        actors = {assess_actor.actor: assess_actor for assess_actor in assess_actors(facts)}
        assert set(actors) == set(Actor)
        for item in actors.values():
            sees_reports = Seen.REPORT in item.seen
            assert sees_reports == (item.attribution is not Attribution.NOBODY)
            assert item.worst == (facts.worst if sees_reports else ())
            assert (Seen.ADDRESS in item.seen) == (
                item.actor in {Actor.NETWORK, Actor.HOST, Actor.COLLECTOR}
            )
        assert actors[Actor.ANALYST].crowd == survey[1].crowd.mean


BLOCKS = (
    QUESTION.replace("tea", "set").replace('"no"]', '"no", "perhaps"]')
    + """\
mechanism = { name = "blocks", number = 2 }
proves = "accepted"
proves_reason = "R"
"""
)


def test_nothing_is_promised_of_what_is_not_protected_and_no_loss_of_what_rules_answers_out():
    plain = standings(PLAIN)
    for hazard in (Hazard.PRIVACY_PARAMETER, Hazard.COMPOSITION):
        assert plain[hazard].standing is Standing.OPEN
        assert "No answer is protected" in plain[hazard].sentence
    assert plain[Hazard.VARIANT].standing is Standing.OPEN
    assert "protected before" not in plain[Hazard.QUERY_MODEL].sentence
    for parts in ([BLOCKS], [CUTS]):
        found = standings(*parts)
        assert found[Hazard.PRIVACY_PARAMETER].standing is Standing.IN_PART
        assert "ε =" not in found[Hazard.PRIVACY_PARAMETER].sentence
        assert "ε =" not in found[Hazard.COMPOSITION].sentence
        assert "Pure" not in found[Hazard.VARIANT].sentence
    both = standings(WARNER, BLOCKS)
    assert "Reports to set are sets of answers" in both[Hazard.VARIANT].sentence
    loss = deployment_record(*judged(WARNER, BLOCKS))["deployment"]["privacy_loss"]
    assert "privacy_parameters" not in loss
    assert "set: sets of answers" in loss["privacy_parameters_details"]


COIN = """[[question]]
name = "both"
text = "Both?"
answers = ["yes", "no"]
mechanism = { name = "crosswise", harmless = "1/4" }
coin = "a birthday"
"""
CUTS = """[[question]]
name = "paid"
text = "Paid?"
line = { lower = 0, upper = 40, step = 10 }
innocent = 0
mechanism = { name = "cuts", number = 1 }
proves = "accepted"
proves_reason = "R"
"""


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([PLAIN], ["plain answers as given"]),
        ([PLAIN, TEXT], ["plain answers as given", "texts as written"]),
        ([COIN], ["both: 37 → 63.8 of 100", "both: up to the answer itself, if the coin is known"]),
        (
            [CUTS],
            [
                "a report can prove paid",
                "ranges that fit 25 of 100 or more",
            ],
        ),
    ],
)
def test_an_actor_who_sees_rows_is_said_to_learn_all_that_they_tell(parts, told):
    draft = write_assessment(*judged(*parts)).replace("\\", "")
    (analyst,) = [row for row in draft.splitlines() if row.startswith("| The analyst")]
    assert analyst.split(" | ")[-1].removesuffix(" |").split("; ") == told
    (network,) = [row for row in draft.splitlines() if row.startswith("| The network")]
    assert "the odds do not change" in network


@pytest.mark.parametrize(
    ("parts", "said", "unsaid"),
    [
        ([WARNER, TEXT], "Answered in free text: why. Texts are stored as written.", "encrypts"),
        (
            [WARNER, SEALED],
            "Answered in free text: why. The device encrypts why for the study's key",
            "in free text and stored as written",
        ),
        ([WARNER, TEXT], "Texts are stored (why), without any protection.", "So do texts"),
        ([WARNER, SEALED], "Texts are stored (why); the device encrypts why.", "So do texts"),
    ],
)
def test_texts_are_said_to_be_stored_as_they_are(parts, said, unsaid):
    """An encrypted text was said to be stored as written, and without any protection."""
    key = f'seal = "{ak.engines.make_seal_key().public}"\n' if SEALED in parts else ""
    draft = write_assessment(*judged(key, *parts))
    assert said in draft
    assert unsaid not in draft


@pytest.mark.parametrize(
    ("parts", "chance"),
    [
        ([WARNER], "random draws on the device for tea; whole-number chances; bounds"),
        ([COIN], "coins in the world for both, which the device does not see; whole-number"),
        ([PLAIN], "no answer is protected by chance."),
    ],
)
def test_protection_by_design_is_by_the_chance_that_a_form_has(parts, chance):
    """Draws on the device were claimed where a birthday is the only coin, or nothing is drawn."""
    draft = write_assessment(*judged(*parts))
    assert f"Protection by design (Article 25): {chance}" in draft


def test_a_crowd_is_a_lower_bound_where_shares_are_not_declared():
    for plain, is_bound in ((PLAIN, False), (QUESTION, True)):
        draft = write_assessment(*judged(plain))
        (analyst,) = [row for row in draft.splitlines() if row.startswith("| The analyst")]
        assert ("a row: at least 500 on average" in analyst) == is_bound
        assert ("On average at least 500.5 of" in draft) == is_bound


def test_the_worst_posterior_is_the_largest_gain_of_every_report(surveys):
    form, check = surveys[EXAMPLES.index("doping")]
    (declared, worst) = board_facts(form, check).worst
    gains = {}
    for question in form.questions:
        if (population := ak.privacy.declared_population(question)) is not None:
            reports = ak.privacy.posteriors(question, population)
            gains[question.name] = max(report.posterior - report.prior for report in reports)
    assert gains[declared.question.name] == max(gains.values()) == declared.posterior.gain
    assert worst.question.name == "would"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_record_is_one_that_the_registry_takes(surveys, name):
    form, check = surveys[EXAMPLES.index(name)]
    record = json.loads(json.dumps(deployment_record(form, check)))
    jsonschema.Draft7Validator(SCHEMA).validate(record)
    assert "ranges" in record["deployment"]["privacy_loss"]["privacy_parameters_details"]
    assert "privacy_parameters" not in record["deployment"]["privacy_loss"]


def test_a_record_of_randomised_answers_alone_has_their_loss():
    record = deployment_record(*judged(WARNER, WARNER.replace("tea", "coffee")))
    jsonschema.Draft7Validator(SCHEMA).validate(record)
    loss = record["deployment"]["privacy_loss"]
    assert loss["privacy_parameters"] == {"epsilon": pytest.approx(2 * 0.693148), "delta": 0.0}
    assert record["deployment"]["dp_variant"]["variant_name"] == "Pure DP"
    broken = record | {"surprise": 1}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate(broken)


def test_the_draft_holds_every_question_and_marks_every_blank(surveys):
    for form, check in surveys:
        draft = write_assessment(form, check)
        words = draft.replace("\\", "")
        for question in check.questions:
            assert " ".join(question.text.split()) in words
            assert question.protection in words
        assert words.count("**TO FILL IN: ") == words.count("TO FILL IN") >= 15
        assert form.fingerprint in words
        for article in ("35(2)", "35(7)(a)", "35(7)(b)", "35(7)(c)", "35(7)(d)", "35(9)", "36"):
            assert article in words


def test_what_a_survey_says_is_no_markup_of_the_draft():
    draft = write_assessment(*judged(WARNER))
    assert draft.startswith("# Data protection impact assessment: T\\|able \\*1\\*\n")


def test_the_word_document_says_the_same_with_its_blanks_highlighted(surveys):
    form, check = surveys[0]
    document = docx.Document(BytesIO(write_assessment_docx(form, check)))
    highlighted = [
        run.text
        for paragraph in document.paragraphs
        for run in paragraph.runs
        if run.font.highlight_color == WD_COLOR_INDEX.YELLOW
    ]
    draft = write_assessment(form, check).replace("\\", "")
    assert [re.sub(r"\W", "", text) for text in highlighted] == [
        re.sub(r"\W", "", text) for text in re.findall(r"\*\*(TO FILL IN: .+?)\*\* …", draft)
    ]
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    assert all(question.protection in cells for question in check.questions)


def test_a_check_of_another_form_is_refused():
    form, _ = judged(WARNER)
    for write in (write_assessment, write_assessment_docx, deployment_record):
        with pytest.raises(InputError, match="pass askance"):
            write(form, judged(PLAIN)[1])
