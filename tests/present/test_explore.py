"""The explorer's numbers are those of the functions that it asks, for channels of every kind."""

import math
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import askance as ak
from askance.mechanisms import Blocks, Crosswise, Runs
from askance_collect.errors import InputError, MissingExtra

YN = ak.Frame(["yes", "no"])
THREE = ak.Frame(["never", "seldom", "often"])
Q = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
OWN = [
    (Q, [60, 10, 30]),
    (ak.Warner(truth="3/4").channel(YN), [75, 25, 0]),
    (Crosswise(harmless="1/4").channel(YN), [75, 25, 0]),
    (ak.KAry(truth="1/2").channel(THREE), [50, 50, 0]),
    (ak.Abstain(truth="1/3", lie="1/3").channel(THREE), [33, 33, 34]),
]
OTHERS = [
    Runs(number=2).channel(THREE),
    Blocks(number=2).channel(THREE),
    ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[0.9, 0.1], [0.4, 0.6]]),
    ak.Channel(YN, {"don't know": ["yes"], "no": ["no"]}, [[0.9, 0.1], [0.4, 0.6]]),
]


@pytest.mark.parametrize(("channel", "start"), OWN)
def test_truth_lie_and_silence_begin_at_the_channels_own(channel, start):
    turned = ak.explore(channel)
    assert turned.chances == start
    assert turned.channel() is channel
    turned.chances = [50, 20, 30]
    wanted = ak.Abstain(truth="1/2", lie="1/5").channel(channel.frame)
    assert turned.channel() == wanted
    assert turned.figures["losses"][0][1] == round_up_loss(ak.local_loss(wanted))


def round_up_loss(loss):
    return f"{math.ceil(1000 * loss.epsilon) / 1000:.3f}"


@pytest.mark.parametrize("channel", OTHERS)
def test_any_other_channel_is_post_processed_and_gives_away_no_more(channel):
    turned = ak.explore(channel)
    assert (turned.chances, turned.channel()) == ([100, 0, 0], channel)
    before = ak.privacy.shafer_loss(channel).value
    turned.chances = [70, 20, 10]
    after = turned.channel()
    assert ak.privacy.shafer_loss(after).value <= before
    messages = channel.matrix[0, 0] * 0.7 + 0.2 / len(channel.reports)
    assert after.matrix[0, 0] == pytest.approx(messages)
    assert after.matrix[:, -1] == pytest.approx([0.1, 0.1, 0.1][: len(channel.frame)])
    assert after.meanings[-1] == channel.frame.full_mask
    turned.chances = [0, 0, 100]
    assert turned.figures["cards"][1]["value"] == "0"
    assert turned.figures["losses"][0][1] == "0.000"


def test_figures_are_those_of_the_functions():
    turned = ak.explore(Q, people=2_000, prevalence=0.2)
    guess, worth, width = (card["value"] for card in turned.figures["cards"])
    assert guess == "75.0\N{NO-BREAK SPACE}%"
    assert worth == f"{ak.design.effective_sample_size(Q, 2_000, prevalence=0.2):,.0f}"
    half = ak.design.expected_half_width(Q, 2_000, prevalence=0.2)
    assert width == f"± {100 * half:.1f} points"
    beliefs = [[float(Q.mass(element).belief([to])) for element in YN.answers] for to in YN.answers]
    result = {answer: (low, high) for answer, _, low, high in turned.figures["beliefs"]}
    assert (
        result["yes"][0]
        == f"{100 * (0.2 * beliefs[0][0] + 0.8 * beliefs[0][1]):.1f}\N{NO-BREAK SPACE}%"
    )
    assert result == {
        "yes": ("20.0\N{NO-BREAK SPACE}%", "50.0\N{NO-BREAK SPACE}%"),
        "no": ("50.0\N{NO-BREAK SPACE}%", "80.0\N{NO-BREAK SPACE}%"),
    }
    names = ("shafer_loss", "walley_loss", "belief_loss", "plausibility_loss")
    losses = [getattr(ak.privacy, name)(Q) for name in names]
    assert [row[1] for row in turned.figures["losses"][1:]] == [
        round_up_loss(loss) for loss in losses
    ]
    assert turned.figures["of"] == [60, 10, 30, 20, 2_000]
    assert [row[2] for row in turned.figures["losses"]] == ["6", "6", "9", "6", "2.25"]
    turned.chances = [60, 30, 10]
    assert turned.figures["losses"][2] == ["Walley’s", "0.848", "2.334"]  # 7/3, rounded up


def test_the_page_runs():
    page = Path(__file__).parents[2] / "docs" / "how-to" / "explore-in-a-notebook.md"
    blocks = re.findall(r"^```python \S+\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page.name, "exec"), names)
    assert names["turned"].channel().table.rows == ((5, 2, 3), (2, 5, 3))


def test_python_may_turn_it_and_is_refused_by_name():
    turned = ak.explore(Q)
    for wrong in ([50, 50, 1], [110, -10, 0]):
        with pytest.raises(InputError, match=r"explore\.chances.*100 in all"):
            turned.chances = wrong
    assert turned.chances == [60, 10, 30]
    turned.prevalence = 45
    assert turned.figures["beliefs"][0][1] == "45.0\N{NO-BREAK SPACE}%"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"channel": 3}, r"explore\.channel: got 'int'"),
        ({"channel": ak.KAry(truth="1/2").channel(ak.Frame([*"abcdefghijk"]))}, "2 to 10 answers"),
        ({"people": 0}, r"explore\.people"),
        ({"people": 10**7}, r"explore\.people"),
        ({"prevalence": 1.0}, r"explore\.prevalence"),
        ({"prevalence": math.nan}, "prevalence: got nan"),
    ],
)
def test_what_cannot_be_explored_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        ak.explore(**({"channel": Q} | given))


def test_a_hundredth_is_exact():
    turned = ak.explore(Q)
    turned.chances = [29, 1, 70]
    assert ak.local_loss(turned.channel()).value == Fraction(29)


def test_without_anywidget_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtra, match=r"anywidget.*pip install 'askance\[notebook\]'"):
        ak.explore(Q)
