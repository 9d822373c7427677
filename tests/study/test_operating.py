"""Operating characteristics: what is computed, and that it tells good collections from bad."""

import dataclasses

import numpy as np
import pytest
from scipy.stats import energy_distance, norm

import askance as ak
from askance.study import StoppingRule, invent_answers, operating_characteristics, read_answers
from askance_collect.errors import InputError

HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n'
LINE = '[[question]]\nname = "{0}"\ntext = "?"\nline = {{ lower = 0, upper = 20 }}\n{1}\n'


def form_of(*mechanisms):
    format_results = [
        LINE.format(f"q{index}", f"mechanism = {{ {mechanism} }}" if mechanism else "")
        for index, mechanism in enumerate(mechanisms)
    ]
    return ak.publish(ak.parse_survey((HEAD + "".join(format_results)).encode()))


@pytest.fixture(scope="module")
def narrow():
    form = form_of('name = "progressive", number = 5, floor = "1/20"')
    return form, invent_answers(form, {"q0": norm(10, 3)}, people=500)


def recorded(form, folder, *answers):
    """Read answers to the one question of a form, of which an empty text is none."""
    table = folder / "answers.csv"
    table.write_text("\n".join(["q0,", *(f"{answer}," for answer in answers)]), encoding="utf-8")
    return read_answers(table, form)


def rehearsed(form, recorded, **inputs):
    settings = {"people": 400, "repetitions": 20, "rng": 7} | inputs
    return operating_characteristics(form, recorded, **settings)


@pytest.mark.long
def test_progressive_collection_comes_nearer_than_round_1(narrow):
    (result,) = rehearsed(*narrow)
    first, more = result.collections
    assert (first.name, more.name) == ("round 1", "progressive")
    assert more.energy < first.energy
    assert more.share_left < first.share_left
    assert all(
        item.covered >= 0.7 for collection in result.collections for item in collection.accuracy
    )


@pytest.mark.long
def test_stopping_after_looking_ruins_the_estimate(narrow):
    (before,), (after,) = (rehearsed(*narrow, stops=stops) for stops in StoppingRule)
    assert after.collections[0].energy == before.collections[0].energy
    assert after.collections[1].energy > 2 * before.collections[1].energy
    assert after.collections[1].accuracy[1].bias > 1


@pytest.mark.long
def test_people_who_stop_nowhere_are_as_published_and_who_never_start_tell_nothing(narrow):
    form, people = narrow
    (willing,) = rehearsed(form, people, sensitivities=np.zeros(500))
    (silent,) = rehearsed(form, people, sensitivities=np.ones(500), repetitions=2)
    assert willing.collections[1].share_left < 0.5
    nothing = silent.collections[1]
    assert nothing.share_left == pytest.approx(1)
    assert nothing.accuracy[0].covered == 1
    written = silent.to_dict()["collections"][1]
    assert written["accuracy"][1]["bias"] is None
    assert "–" in repr(silent)


@pytest.mark.long
def test_figures_are_those_of_the_definition():
    form = ak.publish(ak.load_survey("examples/affairs.toml"))
    people = invent_answers(form, {"affair": [0.2, 0.8]}, people=100)
    rehearsed_result = rehearsed(form, people, people=150, repetitions=40)
    yes = rehearsed_result[1].collections[0].accuracy[0]
    assert yes.truth == 0.2
    assert yes.rmse >= abs(yes.bias)
    q = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
    expected = ak.design.effective_sample_size(q, 150, prevalence=0.2)
    assert yes.rmse == pytest.approx((0.16 / expected) ** 0.5, rel=0.5)
    assert rehearsed_result[1].collections[0].energy is None


@pytest.mark.long
def test_the_dice_repeat():
    form = form_of('name = "cuts", number = 2', "")
    people = invent_answers(form, people=50)
    item, two = (rehearsed(form, people, repetitions=3) for _ in range(2))
    assert [part.to_dict() for part in item] == [part.to_dict() for part in two]
    assert item[1].collections[0].share_left is None
    assert item[1].collections[0].energy < item[0].collections[0].energy


@pytest.mark.parametrize(
    "mechanism",
    [
        'name = "ring", floor = "1/5"',
        'name = "selective", number = 2, floor = "1/5", sent = "1/2"',
        'name = "cuts", number = 1, open = [[0, 4]]',
    ],
)
@pytest.mark.long
def test_every_kind_of_range_is_rehearsed(mechanism):
    form = form_of(mechanism)
    people = invent_answers(form, {"q0": norm(10, 4)}, people=300)
    (result,) = rehearsed(form, people, repetitions=3)
    (item,) = result.collections
    assert item.name == "as published"
    assert item.energy > 0
    assert 0 < item.share_left < 1


@pytest.mark.long
def test_the_energy_distance_is_that_of_scipy():
    form = form_of('name = "cuts", number = 3')
    people = invent_answers(form, {"q0": norm(10, 4)}, people=300)
    (result,) = rehearsed(form, people, repetitions=1)
    remaining = []

    kind = type(ak.analysis.prepare_analysis(ak.survey.deployed(form.questions[0])))
    estimated = kind.estimate

    def estimate(*inputs):
        remaining.append(estimated(*inputs))
        return remaining[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "estimate", estimate)
        rehearsed(form, people, repetitions=1)
    ticks = np.arange(1.0, 21.0)
    true = np.bincount([person["q0"] for person in people.people], minlength=20)
    expected = energy_distance(ticks, ticks, np.diff(remaining[0].cdf), true)
    assert result.collections[0].energy == pytest.approx(expected, rel=1e-6)


@pytest.mark.long
def test_those_who_do_not_answer_send_nothing(tmp_path):
    form = form_of('name = "progressive", number = 2, floor = "1/20"')
    people = recorded(form, tmp_path, "", "3", "5", "")
    (result,) = rehearsed(form, people, repetitions=2)
    assert result.collections[0].accuracy[0].truth == 4


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"people": 0}, "people"),
        ({"repetitions": 1.5}, "repetitions"),
        ({"sensitivities": [0.5]}, "500 shares"),
        ({"sensitivities": np.full(500, 1.5)}, "500 shares"),
        ({"sensitivities": np.full(500, np.nan)}, "500 shares"),
        ({"level": 1.0}, "level"),
    ],
)
def test_bad_input_is_refused(narrow, given, told):
    with pytest.raises(InputError, match=told):
        rehearsed(*narrow, **given)


def test_nobody_can_be_asked_nothing(narrow, tmp_path):
    form, _ = narrow
    with pytest.raises(InputError, match="one or more people"):
        rehearsed(form, recorded(form, tmp_path))
    with pytest.raises(InputError, match="one or more answers"):
        rehearsed(form, recorded(form, tmp_path, "", ""))


@pytest.mark.long
def test_the_table_fits_a_terminal(narrow):
    (result,) = rehearsed(*narrow, repetitions=2)
    lines = repr(result).splitlines()
    assert max(map(len, lines)) <= 80
    assert "progressive</th>" in result._repr_html_()


@pytest.mark.parametrize(
    ("scale", "result"),
    [
        (1e6, "none 50,000,000 1,230,000 0 100 % 1,230,000"),
        (1, "none 50.0 1.2 0.0 100 % 1.2"),
        (0.01, "none 0.500 0.012 0.000 100 % 0.012"),
    ],
)
def test_errors_stand_in_columns_with_two_figures_of_the_smallest(narrow, scale, result):
    values = {"truth": 50.0, "bias": 1.23, "rmse": 1.23, "covered": 1, "half_width": 1.23}
    scaled = {name: value * (1 if name == "covered" else scale) for name, value in values.items()}
    (outcome,) = rehearsed(*narrow, people=5, repetitions=1)
    collection = outcome.collections[0]
    figures = (
        dataclasses.replace(collection.accuracy[0], **scaled | {"name": "mean"}),
        dataclasses.replace(collection.accuracy[0], **scaled | {"name": "none", "rmse": 0.0}),
    )
    alone = dataclasses.replace(collection, accuracy=figures, energy=None)
    written = repr(dataclasses.replace(outcome, collections=(alone,)))
    assert " ".join(written.splitlines()[4].split()) == result


@pytest.mark.long
def test_what_it_saves_that_shares_rise_is_said_where_every_range_is_sent(narrow):
    """As narrow a median takes more people by Wilson's interval at each tick."""
    form = form_of('name = "cuts"')
    people = invent_answers(form, {"q0": norm(10, 6)}, people=500)
    (cut,) = rehearsed(form, people, repetitions=2)
    (progressive,) = rehearsed(*narrow, people=100, repetitions=1)
    assert cut.collections[0].saved_by_monotonicity > 100
    assert "as published: that shares rise saves" in repr(cut)
    assert "saved_by_order" in cut.to_dict()["collections"][0]
    assert progressive.collections[1].saved_by_monotonicity == 0
    assert "progressive: that shares rise saves" not in repr(progressive)
