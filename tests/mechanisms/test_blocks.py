"""Random blocks of named answers: all partitions enumerated, evidence, and what is refused."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Frame, parse_survey, publish
from askance.mechanisms import Blocks, Partitions, Runs, answer_mechanism
from askance.privacy import interval_differential
from askance.survey import deployed
from askance_collect.errors import InputError, SurveyError
from askance_collect.respond import draw_bounds, encode


def frame_of(k):
    return Frame([f"ä{index}" for index in range(k)])


def partitions_of(items, number):
    """List every partition into so many blocks, by giving each answer a block in turn."""
    for chosen in itertools.product(range(number), repeat=len(items)):
        first = [chosen.index(block) for block in range(number) if block in chosen]
        if len(first) == number and first == sorted(first):
            yield [
                tuple(item for item, block in zip(items, chosen, strict=True) if block == position)
                for position in range(number)
            ]


def runs_of(items, number):
    for cuts in itertools.combinations(range(1, len(items)), number - 1):
        ends = [0, *cuts, len(items)]
        yield [tuple(items[a:b]) for a, b in itertools.pairwise(ends)]


@pytest.mark.parametrize(("k", "number"), [(3, 2), (4, 2), (4, 3), (5, 2), (6, 4)])
@pytest.mark.parametrize(("recipe", "listed"), [(Blocks, partitions_of), (Runs, runs_of)])
def test_every_partition_is_as_likely_as_the_next(recipe, listed, k, number):
    frame = frame_of(k)
    every = list(listed(frame.answers, number))
    counts = Counter(block for item in every for block in item)
    channel = recipe(number=number).channel(frame)
    assert set(channel.reports) == {" or ".join(block) for block in counts}
    for block, count in counts.items():
        column = channel.column(" or ".join(block))
        for index, answer in enumerate(frame.answers):
            share = channel.table.row(index)[column]
            assert share == (Fraction(count, len(every)) if answer in block else 0)
    same = Partitions(every).channel(frame)
    listed = [same.column(report) for report in channel.reports]
    assert (same.matrix[:, listed] == channel.matrix).all()


@pytest.mark.parametrize(("recipe", "most", "blocks"), [(Blocks, 10, 2**10 - 2), (Runs, 40, 78)])
@pytest.mark.long
def test_as_many_answers_as_are_allowed(recipe, most, blocks):
    assert len(recipe(number=2).channel(frame_of(most)).reports) == blocks


@pytest.mark.long
def test_more_blocks_than_a_question_can_list_are_refused():
    frame = frame_of(11)
    halves = [
        [
            [a for index, a in enumerate(frame.answers) if (mask >> index & 1) == side]
            for side in (0, 1)
        ]
        for mask in range(1, 552)
    ]
    assert len(Partitions(halves[:550]).channel(frame).reports) == 1_100
    with pytest.raises(InputError, match="got '1102 blocks'; allowed: at most 1100"):
        Partitions(halves).channel(frame)


@given(
    st.integers(3, 6).flatmap(lambda k: st.tuples(st.just(k), st.integers(2, k - 1))),
    st.sampled_from([Blocks, Runs]),
)
@settings(max_examples=20, deadline=None)
def test_blocks_are_true_flat_and_tell_every_share(sizes, recipe):
    k, number = sizes
    channel = recipe(number=number).channel(frame_of(k))
    assert not channel.may_be_untrue
    assert interval_differential(channel)[1].value == 1
    assert np.linalg.matrix_rank(channel.matrix) == k
    for answer in channel.frame.answers:
        row, index_result = channel.mass(answer), channel.frame.answers.index(answer)
        mapping = dict(zip(channel.reports, channel.table.row(index_result), strict=True))
        assert row.plausibility([answer]) == 1
        assert row.belief([answer]) == mapping.get(answer, 0)


def test_topologies_may_be_anything():
    districts = Frame(["n", "e", "s", "w"])
    mixed = Partitions(
        [[["n", "s"], ["e", "w"]], [["w", "s", "e", "n"]], [["n"], ["e", "s", "w"]]],
        weights=["1/2", "1/4", 0],
    ).channel(districts)
    assert mixed.reports == ("n or s", "e or w", "n or e or s or w")
    assert mixed.table.rows[0] == (2, 0, 1)


SURVEY = """
askance = "survey-1"
title = "T"
consent = "C"
languages = ["en", "de"]
[[question]]
name = "q"
text = "Q?"
answers = [{{ name = "a", en = "Never", de = "Nie" }}, {{ name = "b", en = "Once", de = "Einmal" }},
  {{ name = "c", en = "Often", de = "Oft" }}]
mechanism = {{ {} }}
proves = "accepted"
proves_reason = "None of these answers can hurt anybody."
"""


@pytest.mark.parametrize(
    "written",
    [
        'name = "blocks"',
        'name = "runs", number = 2',
        'name = "partitions", partitions = [[["a", "b"], ["c"]], [["a"], ["b", "c"]], '
        '[["a", "c"], ["b"]]], weights = [1, "1/2", 0.25]',
    ],
)
def test_they_are_deployed_as_tables_in_the_languages_of_the_survey(written):
    question = publish(parse_survey(SURVEY.format(written).encode())).questions[0]
    channel = deployed(question).channel
    wordings = {report.name: report.wording for report in question.reports}
    assert wordings["a or b"] == {"en": "Never or Once", "de": "Nie oder Einmal"}
    for answer in range(3):
        draws = itertools.product(*map(range, draw_bounds(question)))
        counts = Counter(encode(question, answer, draw) for draw in draws)
        assert all(answer in question.meanings[column] for column in counts)
        for column, count in counts.items():
            assert Fraction(count, counts.total()) == channel.table.row(answer)[column]


def test_the_catalogue_builds_them():
    frame = frame_of(4)
    assert answer_mechanism("blocks", {}, frame) == Blocks(number=2)
    assert answer_mechanism("runs", {"number": 3}, frame) == Runs(number=3)
    mechanism = answer_mechanism(
        "partitions", {"partitions": [[["ä0", "ä1"], ["ä2", "ä3"]]]}, frame
    )
    assert mechanism.parameters()["weights"] == '["1"]'
    assert "ä0" in mechanism.parameters()["partitions"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Blocks(number=1), r"\[2, ∞\)"),
        (lambda: Runs(number=2.5), r"\[2, ∞\)"),
        (lambda: Blocks(number=3).channel(frame_of(3)), "fewer blocks than answers"),
        (lambda: Runs(number=2).channel(frame_of(2)), "fewer blocks than answers"),
        (lambda: Blocks(number=2).channel(frame_of(11)), "at most 10"),
        (lambda: Runs(number=2).channel(frame_of(41)), "at most 40"),
        (lambda: Blocks(number=2).channel(Frame(["a", "b", "a or b"])), "told apart"),
        (lambda: Partitions([]), "lists of blocks"),
        (lambda: Partitions([["a", "b"]]), "lists of blocks"),
        (lambda: Partitions([[["a"], []]]), "lists of blocks"),
        (lambda: Partitions([[["a"], [3]]]), "lists of blocks"),
        (lambda: Partitions([[["a"]]], weights=[1, 2]), "1 non-negative numbers"),
        (lambda: Partitions([[["a"]]], weights=[0]), "not all zero"),
        (lambda: Partitions([[["a"]]], weights=[-1]), "non-negative"),
        (lambda: Partitions([[["a"]]], weights=3), "non-negative numbers"),
        (lambda: Partitions([[["a"], ["a"]]]).channel(Frame(["a", "b"])), "every answer once"),
        (lambda: Partitions([[["a"]]]).channel(Frame(["a", "b"])), "every answer once"),
    ],
)
def test_what_hides_nothing_or_is_no_partition_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize(
    ("written", "where"),
    [
        ('name = "blocks", number = 3', "mechanism.number"),
        ('name = "partitions", partitions = [[["a", "b", "c"]]]', "mechanism"),
        ('name = "partitions", partitions = [[["a", "b"]]]', "mechanism.partitions[0]"),
        ('name = "runs", count = 2', "mechanism.count"),
    ],
)
def test_a_mistake_in_a_survey_is_told_with_its_place(written, where):
    with pytest.raises(SurveyError) as caught:
        publish(parse_survey(SURVEY.format(written).encode()))
    assert caught.value.where == f"question[0].{where}"
