"""A deployed question's channel is built once, and every verb hands it on; the count is exact."""

from collections import Counter
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance import Channel, check, load_survey, publish
from askance.channels import RangeChannel, RingChannel
from askance.cli import verbs
from askance.survey import deployed
from askance_collect.exact import Floor, Line

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = {
    "affairs": {"Channel": 3, "RangeChannel": 1},
    "income": {"RangeChannel": 3, "RingChannel": 1, "Channel": 1},
}


@contextmanager
def counted():
    """Count every channel that is built meanwhile, by its class."""
    built = Counter()

    def counting(kind, build):
        def init(self, *inputs, **named):
            built[kind.__name__] += 1
            build(self, *inputs, **named)

        return init

    with pytest.MonkeyPatch.context() as patch:
        for kind in (Channel, RangeChannel, RingChannel):
            patch.setattr(kind, "__init__", counting(kind, kind.__init__))
        yield built


def run(*words):
    with counted() as built:
        outcome = CliRunner().invoke(verbs, [str(word) for word in words])
    assert outcome.exception is None, outcome.output
    return built


@pytest.fixture(params=QUESTIONS)
def survey(request, tmp_path):
    path = tmp_path / f"{request.param}.toml"
    path.write_bytes((EXAMPLES / path.name).read_bytes())
    return path


@pytest.mark.long
def test_check_builds_one_channel_a_question(survey):
    assert run("check", survey) == QUESTIONS[survey.stem]


def test_so_does_publish_with_its_page(survey):
    assert run("publish", survey, "--page", survey.with_suffix(".html")) == QUESTIONS[survey.stem]


@pytest.mark.long
def test_so_does_estimate_with_its_page(survey):
    run("publish", survey)
    form = publish(load_survey(survey))
    blank = ",".join(f'"{question.name}":null' for question in form.questions)
    reports = survey.with_suffix(".jsonl")
    reports.write_text(f"{{{blank}}}\n" * 60)
    page = survey.with_suffix(".html")
    built = run("estimate", survey.with_suffix(".form.json"), reports, "--page", page)
    assert built == QUESTIONS[survey.stem]


@pytest.mark.long
def test_a_plan_of_numbers_builds_no_other():
    """Of named answers it looks at other channels too: the alternatives."""
    assert run("plan", EXAMPLES / "income.toml") == QUESTIONS["income"]


@pytest.mark.long
def test_a_verb_that_builds_its_questions_again_is_caught(survey):
    """One that publishes and checks by the public calls builds them for each of the two."""
    with counted() as built:
        check(publish(load_survey(survey)))
    assert built.total() >= 2 * sum(QUESTIONS[survey.stem].values()) - 1  # a plain one is not kept
    assert built != QUESTIONS[survey.stem]


@pytest.mark.parametrize(
    "words", [["check", "--details"], ["plan", "--json", "--half-width", "0.1"]]
)
@pytest.mark.long
def test_what_publish_hands_on_is_what_a_stranger_reads_in_the_form(survey, words):
    """Sentences, figures, people and precision are the same, to the letter, of survey and form."""
    run("publish", survey)
    results = [
        CliRunner().invoke(verbs, [words[0], str(path), *words[1:]])
        for path in (survey, survey.with_suffix(".form.json"))
    ]
    assert results[0].output == results[1].output
    assert len(results[0].output) > 1000


@pytest.mark.long
def test_a_channel_that_is_not_the_forms_is_never_kept():
    """Each differs from the form in one thing; what is built in its place is as the form says."""
    form = publish(load_survey(EXAMPLES / "income.toml"))
    age, _, household, _, table = form.questions
    law = deployed(age).channel
    line, other = law.line, Line(17, 90, 1, "months")
    remaining = {"number": 1, "open": law.open}
    cuts = [
        RangeChannel(other, law.cut_weights, **remaining),
        RangeChannel(line, (law.cut_weights[0] + 1, *law.cut_weights[1:]), **remaining),
        RangeChannel(line, law.cut_weights, number=2, open=law.open),
        RangeChannel(line, law.cut_weights, number=1),
    ]
    ring = deployed(household).channel
    floor = Floor(ring.floor.sizes, ring.floor.minimum + 1)
    rings = [RingChannel(ring.line, ring.cut_weights, floor), law]
    requests = deployed(table).channel
    reports = {
        report: requests.frame.names(meaning)
        for report, meaning in zip(requests.reports, requests.meanings, strict=True)
    }
    flat = [[Fraction(1, len(reports))] * len(reports)] * len(requests.frame)
    swapped = dict(zip(reports, reversed(reports.values()), strict=True))
    renamed = {f"{report}!": meant for report, meant in reports.items()}
    tables = [
        Channel(requests.frame, reports, flat),
        Channel(requests.frame, swapped, requests.table),
        Channel(requests.frame, renamed, requests.table),
    ]
    for question, wrong in [(age, cuts), (household, rings), (table, tables)]:
        right = deployed(question).channel
        assert deployed(question, right).channel is right
        for channel in wrong:
            assert channel != right
            assert deployed(question, channel).channel == right
