"""The page of groups: every number once, small groups told, nothing of what is withheld."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

import askance as ak
from askance.present import GroupFinding, render_groups

lab = ak.inference
YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4").channel(YN)
HOSTILE = '</table><script>alert(1)</script>"&'
SHARES = {"north": (260, 140), "south": (180, 220), "tiny": (12, 0)}


class Text(HTMLParser):
    """The texts of the page's cells, in order, and its tags."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.tags[-1:] and self.tags[-1][0] != "style":
            self.words.append(data.strip())

    @property
    def text(self):
        return " ".join(filter(None, self.words)).replace("\xa0", " ")


def make_reports(counts=SHARES):
    reports = [word for yes, no in counts.values() for word in ["yes"] * yes + ["no"] * no]
    town = [name for name, value in counts.items() for _ in range(sum(value))]
    return reports, town


def finding(counts=SHARES, minimum=1, **more):
    reports, town = make_reports(counts)
    tallies = ak.tally(WARNER, reports, by=town)
    groups = lab.estimate_domains(tallies, by="town", minimum=minimum)
    whole_estimate = ak.estimate(ak.tally(WARNER, reports))
    return GroupFinding(
        text="Said", description="By a coin.", overall=whole_estimate, groups=groups, **more
    )


def page_of(*result, **more):
    return Text(render_groups("Towns", result, **more))


def test_each_number_is_said_once():
    text = page_of(finding()).text
    north = ak.estimate(ak.Tally(WARNER, {"yes": 260, "no": 140}))
    once = (f"{100 * north.value[0]:.1f} %", f"to {100 * north.upper[0]:.1f} %", "260")
    assert [text.count(result) for result in once] == [1, 1, 0]
    assert len(re.findall(r"\b400\b", text)) == 2  # of north and of south
    assert f"{100 * north.value[1]:.1f} %" not in text  # the mirror says nothing new


def test_a_small_group_is_told_and_never_as_a_bare_hundred():
    page = page_of(finding(pool="askance small-areas said.csv --by town"))
    assert "tiny small too few to say" in page.text
    assert "100.0 % " not in page.text.replace("to 100.0 %", "")
    assert "askance small-areas said.csv --by town" in page.text
    assert "hollow" not in page.text  # since there is no such dot


def test_a_small_group_inside_has_a_hollow_dot():
    page = page_of(finding(SHARES | {"tiny": (7, 5)}))
    assert "too few to say" not in page.text
    assert "A hollow dot is the estimate of a small group." in page.text
    dots = [attrs["class"] for tag, attrs in page.tags if tag == "circle"]
    assert dots.count("dot hollow") == 1
    assert dots.count("dot") == 4  # everybody's, two towns', and the key


def test_of_what_is_withheld_only_the_size_is_told():
    page = page_of(finding(minimum=50))
    assert "tiny withheld 12" in page.text
    assert "north withheld too 400" in page.text
    north = ak.estimate(ak.Tally(WARNER, {"yes": 260, "no": 140}))
    assert f"{100 * north.value[0]:.1f} %" not in page.text
    nothing = GroupFinding(
        text="q", description="By a coin.", overall=None, groups=finding().groups
    )
    assert "Everybody withheld" in page_of(nothing).text


def test_marks_stand_where_the_estimates_are_on_one_scale():
    page = page_of(finding(SHARES | {"tiny": (7, 5)}))
    dots = [float(attrs["cx"][:-1]) for tag, attrs in page.tags if "%" in attrs.get("cx", "")]
    shares = [
        ak.estimate(ak.Tally(WARNER, {"yes": yes, "no": no})).value[0]
        for yes, no in ((447, 365), (260, 140), (180, 220), (7, 5))
    ]
    assert np.ptp(np.array(dots) / shares) < 0.1
    lines = {
        attrs["x1"] for tag, attrs in page.tags if attrs.get("class") == "all" and "x1" in attrs
    }
    assert f"{dots[0]}%" in lines


def three(groups=None):
    frame = ak.Frame(["low", "middle", "high"])
    q = ak.mechanisms.KAry(truth="1/2").channel(frame)
    reports = ["low"] * 300 + ["middle"] * 200 + ["high"] * 250
    town = (["a"] * 5 + ["b"] * 5) * 75
    by = lab.estimate_domains(ak.tally(q, reports, by=town), by="town") if groups else None
    wording = {"low": "Tief", "middle": "Mitte", "high": "Hoch"}
    return GroupFinding(
        text="Trust",
        description="",
        overall=ak.estimate(ak.tally(q, reports)),
        groups=by,
        wording=wording,
    )


def test_more_answers_have_a_panel_each_and_groups_are_counted_once():
    page = page_of(three(groups=True))
    for word in ("Tief", "Mitte", "Hoch"):
        assert f"Share of “{word}”" in page.text
    assert page.text.count("375") == 2  # of each town once
    assert "Who reported" in page.text


def test_without_groups_answers_are_rows():
    page = page_of(three())
    assert "Share of each answer" in page.text
    assert "Everybody" not in page.text
    assert "side by side" not in page.text


def test_groups_are_in_the_order_of_their_question_and_in_its_words():
    named = {"town": {"south": "Süden", "tiny": "Klein", "north": "Norden"}}
    text = page_of(finding(names=named)).text
    assert text.index("Süden") < text.index("Klein") < text.index("Norden")


def test_hostile_names_are_only_text():
    page = page_of(finding(SHARES | {HOSTILE: (40, 60)}, pool=HOSTILE), notes=[HOSTILE])
    assert "script" not in {tag for tag, _ in page.tags}
    assert page.text.count("alert(1)") >= 3


def test_many_groups_are_folded_with_all_their_numbers():
    counts = {f"g{index:02}": (60 + index, 40) for index in range(45)}
    page = page_of(finding(counts))
    assert "The other 5 groups" in page.text
    last = ak.estimate(ak.Tally(WARNER, {"yes": 104, "no": 40})).value[0]
    assert f"{100 * last:.1f} %" in page.text
    assert sum(attrs.get("class") == "grid" for _, attrs in page.tags) < 41 * 7


def test_it_asks_for_nothing_and_pointers_are_met():
    page = render_groups("Towns", [finding(), three(groups=True)])
    assert not re.search(r"https?://|@import|<script| style=", page)
    tags = Text(page).tags
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    pointers = [part for _, attrs in tags for part in attrs.get("aria-labelledby", "").split()]
    assert set(pointers) <= set(ids)
    assert page == render_groups("Towns", [finding(), three(groups=True)])


def test_what_is_no_finding_is_refused():
    with pytest.raises(ak.errors.InputError, match=r"render_groups.findings"):
        render_groups("Towns", [3])
    with pytest.raises(ak.errors.InputError, match=r"render_groups.notes"):
        render_groups("Towns", [], notes=[1])
