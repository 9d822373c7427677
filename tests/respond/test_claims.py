"""The page claims of each form what is true of its integers: of all designs, and of odd forms.

The truth is enumerated here, by every draw and every answer; the claims are the ids of the words
that the page shows, in each language that it has words of.
"""

import json
import random
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction
from itertools import accumulate, product
from pathlib import Path

import pytest

import askance as ak
from askance.survey import parse_survey, publish
from askance_collect.errors import AskanceError, FormError, InputError
from askance_collect.respond import encode
from askance_collect.wire import Form

sys.path.append(str(Path(__file__).parents[1] / "fuzz"))
sys.path.append(str(Path(__file__).parents[1] / "vectors"))
import forms as fuzzed
from sample_forms import PROVING

FOLDER = Path(__file__).parent
HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n[[question]]\nname = "q"\ntext = "Q?"\n'
REASON = 'proves = "accepted"\nproves_reason = "The page says so."\n'
DESIGNS = {
    "warner": ["truth = '3/4'"],
    "kary": ["truth = '3/5'"],
    "abstain": ["truth = '3/5', lie = 0", "truth = '3/5', lie = '1/10'"],
    "redistribute": ["truth = '3/5', lie = '1/10', share = '1/2'"],
    "blocks": ["", "number = 2"],
    "runs": ["", "number = 2"],
    "partitions": ["partitions = [[['a'], ['b', 'c']], [['a', 'b'], ['c']]]"],
    "table": [
        "reports = { ab = ['a', 'b'], c = ['c'], bc = ['b', 'c'] }, "
        "rows = [[1, 0, 0], ['1/2', 0, '1/2'], [0, '1/2', '1/2']]"
    ],
    "forced": ["forced = { yes = '1/6', no = '1/12' }", "forced = { yes = '1/2' }"],
    "one_sided": ["forced_yes = '1/5'"],
    "mangat": ["truth_if_no = '2/3'"],
    "unrelated": ["asked = '7/10', harmless = '1/6'"],
    "kuk": [
        "red_if_yes = '4/5', red_if_no = '3/10', draws = 3",
        "red_if_yes = 1, red_if_no = '3/10'",
    ],
    "crosswise": ["harmless = '1/4'"],
    "triangular": ["harmless = '1/4'"],
    "hidden": ["harmless = ['1/4', '1/4', '1/4', '1/4']"],
    "christofides": ["marks = ['1/2', '1/4', '1/4']"],
    "diagonal": ["harmless = ['1/2', '1/4', '1/4']"],
}
RANGES = {
    "cuts": [
        "number = 1",
        "number = 2",
        "number = 1, between = [2, 4]",
        "number = 1, open = [[4, 6]]",
        "number = 2, open = [[0, 1]]",
    ],
    "two_cuts": ["number = 2"],
    "ring": ["floor = '1/3'", "floor = '1/6'"],
    "selective": ["number = 1, floor = '1/2', sent = '3/4'", "number = 2, floor = '1/3', sent = 1"],
    "progressive": ["number = 2, floor = '1/3'", "number = 3, floor = '1/6'"],
}
GROUPS = """
[[question.group]]
name = "few"
share = "2/3"
mechanism = { name = "one_sided", forced_yes = "1/4" }
[[question.group]]
name = "many"
share = "1/3"
mechanism = { name = "warner", truth = "4/5" }
"""
SETS = """mechanism = { name = "unrelated", asked = ["7/10", "2/10"], share = "2/5" }
coin = "a die, and the house number of a friend"
"""
LINES = [
    "line = { lower = 0, upper = 6, whole = true, unit = 'times' }",
    "line = { lower = 18, upper = 24, whole = true }",
    "line = { lower = 0, upper = 6, step = 1, unit = 'h' }",
]


def list_answer_surveys(frames=(["yes", "no"], ["a", "b", "c"])):
    """Write a question for each design, with each answer as the innocent one, and with none."""
    for name, parameters in DESIGNS.items():
        for chosen, answers in product(parameters, frames):
            for innocent in [None, *answers][:3]:
                yield write_question(name, chosen, f"answers = {answers}\n", innocent)
    for name, innocent in product(DESIGNS, (None, "yes", "no")):
        text = 'answers = ["yes", "no"]\ncoin = "a birthday"\n'
        yield write_question(name, DESIGNS[name][0], text, innocent)
    for innocent in (None, "yes", "no"):
        declared = "" if innocent is None else f'innocent = "{innocent}"\n'
        yield HEAD + 'answers = ["yes", "no"]\n' + declared + REASON + GROUPS
    yield HEAD + 'answers = ["yes", "no"]\n' + SETS + REASON
    listed = 'answers = ["a", "b"]\nchoose = "all"\n'
    for protect, name in product(
        ('"all"', '"each"', '"together"'), ("kary", "abstain", "blocks", "runs")
    ):
        for innocent in (None, "none"):
            yield write_question(name, DESIGNS[name][0], f"{listed}protect = {protect}\n", innocent)


def list_number_surveys(
    declared=((LINES[0], None), (LINES[1], "high"), (LINES[2], "low")),
):
    """Write a question for each way of asking for ranges, on these lines with these innocents."""
    for name, parameters in RANGES.items():
        for chosen, (line, innocent) in product(parameters, declared):
            first, last = re.findall(r"\b(?:lower|upper) = (\d+)", line)
            number = {None: None, "low": first, "high": last}[innocent]
            yield write_question(name, chosen, f"{line}\n", number)


def write_question(name, parameters, questions, innocent):
    declared = "" if innocent is None else f"innocent = {innocent!r}\n"
    if questions.startswith("line") and innocent is not None:
        declared = f"innocent = {innocent}\n"
    recipe = ", ".join(filter(None, [f"name = '{name}'", parameters]))
    return f"{HEAD}{questions}mechanism = {{ {recipe} }}\n{declared}{REASON}"


def list_forms(surveys):
    """Publish what can be published: a design does not take each list of answers."""
    for survey in surveys:
        try:
            yield publish(parse_survey(survey.encode()))
        except AskanceError:
            continue


MOST_DRAWS = 20_000
ELSEWHERE = {
    *("skips", "quotas", "later", "tablet", "pin", "seal", "tokens", "open", "saved", "look"),
    *("ending", "evidence", "review", "words"),
}
"""What of a form brings screens of its own, which say nothing of single records."""


def fuzz_forms(count):
    """Give the fuzzers' forms that are read, some with an innocent answer put into them."""
    dice = random.Random(42)
    while count:
        text = fuzzed.vary(dice)
        try:
            form = Form.read(text)
            document = json.loads(form.bytes)
            if ELSEWHERE & document.keys():
                continue
            for question in document["questions"]:
                if dice.random() < 0.5 and "about" in question:
                    names = [label["name"] for label in question.get("answers", [])]
                    question["about"] = {"innocent": dice.choice([*names, "0", "1", "3/2", "x"])}
            form = Form.read(document)
        except (FormError, RecursionError, ValueError):
            continue
        if sum(map(count_draws, form.questions)) > MOST_DRAWS:
            continue
        count -= 1
        yield form


# The truth, by enumeration: for each value that can be sent who sends it.


def list_senders(question, raw):
    """Give for each value the answers, or steps of a line, that can send it."""
    senders = defaultdict(set)
    if "table" in raw or "coin" in raw:
        for answer, row in enumerate(raw.get("coin", raw)["table"]["rows"]):
            for column, units in enumerate(row):
                if units:
                    senders[column].add(answer)
        return senders
    narrow = range(question.number + 1) if raw.get("ask") == "narrow" else [None]
    for draws, step, steps in product(list_draws(question), range(question.line.ticks), narrow):
        value = encode(question, step, draws, steps)
        if value is not None:
            senders[tuple(value)].add(step)
    return senders


def count_draws(question):
    """Count the draws and answers of a range that would be enumerated."""
    if question.kind == "ring":
        return question.law.total * question.line.ticks
    if question.kind == "cuts":
        cuts = sum(weight > 0 for weight in question.weights) ** question.number
        return cuts * question.line.ticks * (question.number + 1)
    return 0


def list_draws(question):
    """Give one of the draws for each tick that can be drawn; no blank."""
    last = question.blank[1] - 1
    if question.kind == "ring":
        return [(last, position) for position in range(question.law.total)]
    starts = [0, *accumulate(question.weights)]
    firsts = [start for start, weight in zip(starts, question.weights, strict=False) if weight]
    return [(last, *combination) for combination in product(firsts, repeat=question.number)]


def find_kinds(question, raw, senders):
    """Say of each value what it proves: answer, part, another; "exact" of what is sent exactly."""
    return {value: find_kind(raw, value, answers) for value, answers in senders.items()}


def find_kind(raw, value, answers):
    if "line" in raw:
        return find_number_kind(raw, value, answers)
    judged = raw.get("coin", raw)
    names = [label["name"] for label in judged["answers"]]
    for part in judged.get("sets", ()):
        if answers <= set(part["answers"]):
            return "answer"
    if "sets" in judged:
        return None
    if len(answers) == 1:
        return "answer"
    for item in range(raw.get("ticks", 0)):
        if len({answer >> item & 1 for answer in answers}) == 1:
            return "part"
    innocent = read_innocent(judged)
    return "another" if innocent in names and names.index(innocent) not in answers else None


def find_number_kind(raw, value, answers):
    line, exact = raw["line"], raw.get("cuts", {}).get("open", [])
    if any(low <= min(answers) < high for low, high in exact):
        return "exact"
    lower, step = Fraction(line["lower"]), Fraction(line["step"])
    is_open = {line["ticks"] - 1} | ({0} if lower != -1 else set())
    numbers = {lower + (answer + 1) * step for answer in answers}
    if line.get("whole") and step == 1 and len(numbers) == 1 and not answers & is_open:
        return "answer"
    innocent = read_innocent(raw)
    if not isinstance(innocent, str) or not re.fullmatch(r"-?\d+(/\d+)?", innocent):
        return None
    number = Fraction(innocent)
    if line.get("whole") and number.denominator > 1:
        return None
    places = [
        index
        for index in range(line["ticks"])
        if lower + index * step < number <= lower + (index + 1) * step
    ]
    position = places[0] if places else 0 if number <= lower else line["ticks"] - 1
    return None if position in answers else "another"


def read_innocent(judged):
    about = judged.get("about")
    return about.get("innocent") if isinstance(about, dict) else None


# What the page says.

BADGE = {"answer": "partly", "part": "partlyTicked", "another": "partlyNot"}
HINT = {"answer": "proofHint", "part": "proofTicked", "another": "proofNot", "exact": "exactHint"}


class Page:
    def __init__(self):
        node = shutil.which("node")
        assert node, "node is not installed: the page cannot be asked without it"
        script = str(FOLDER / "claims.mjs")
        self._process = subprocess.Popen(
            [node, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def close(self):
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def shown(self, cases):
        self._process.stdin.write(json.dumps(cases).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@pytest.fixture(scope="module")
def page():
    opened = Page()
    yield opened
    opened.close()


def ids(text):
    return set(re.findall(r"‹([\w.]+)", text))


def judge(page, forms):
    """Compare what the page says of each form with the truth; count the values by their kinds."""
    compared = defaultdict(int)
    truths = [read_truth(form) for form in forms]
    cases = [
        {
            "text": form.bytes.decode(),
            "draws": [truth["draws"] for truth in truth_list],
            "values": [list(truth["kinds"]) for truth in truth_list],
        }
        for form, truth_list in zip(forms, truths, strict=True)
    ]
    for form, truth_list, displayed in zip(forms, truths, page.shown(cases), strict=True):
        assert displayed["other"] == [], "every language says the same"
        for kind in judge_form(form, truth_list, displayed["shown"]):
            compared[kind] += 1
    return compared


def read_truth(form):
    truths = []
    for question, raw in zip(form.questions, json.loads(form.bytes)["questions"], strict=True):
        is_hidden = {"table", "cuts", "ring", "coin"} & raw.keys()
        senders = list_senders(question, raw) if is_hidden else {}
        kinds = find_kinds(question, raw, senders)
        protected = ("line" in raw and bool(is_hidden)) or any(
            len(answers) > 1 for answers in senders.values()
        )
        truths.append(
            {
                "raw": raw,
                "senders": senders,
                "kinds": kinds,
                "protected": protected,
                "draws": list_tries(question, raw),
            }
        )
    return truths


def list_tries(question, raw):
    """Give draws to look at the question with: one for each group of it."""
    if "table" in raw:
        last, starts = raw["blank"][1] - 1, [0]
        for index in range(1, len(raw.get("groups", []))):
            width = sum(part["reports"] for part in raw["groups"][:index])
            starts.append(sum(raw["table"]["rows"][0][:width]))
        return [[last, start] for start in starts]
    if raw["kind"] in {"cuts", "ring"}:
        tries = list_draws(question)
        return [list(draws) for draws in (tries[0], tries[-1])]
    return [[]]


def judge_form(form, truths, displayed):
    proving = {
        kind for truth in truths if truth["protected"] for kind in truth["kinds"].values()
    } & BADGE.keys()
    replies = {name: ids(displayed[name]) for name in ("consent", "practice", "card")}
    assert ("checkProof" in replies["consent"]) == bool(proving)
    if any(truth["protected"] and "coin" not in truth["raw"] for truth in truths):
        is_exact = any(truth["raw"].get("cuts", {}).get("open") for truth in truths)
        assert ("checkProof" in replies["practice"]) == bool(proving)
        hidden = "cardHiddenElse" if is_exact else "cardHidden"
        expected = {"cardProof"} if proving else {hidden, "cardShared"}
        assert (
            replies["card"] & {"cardProof", "cardHidden", "cardHiddenElse", "cardShared"}
            == expected
        )
        assert ("cardExact" in replies["card"]) == is_exact
    for truth, screens, records in zip(
        truths, displayed["questions"], displayed["records"], strict=True
    ):
        for group, screen in enumerate(screens):
            judge_screen(truth, group, ids(screen))
        for (value, kind), record in zip(truth["kinds"].items(), records, strict=True):
            judge_record(truth, value, kind, ids(record))
            yield kind


def judge_screen(truth, group, replies):
    raw = truth["raw"]
    kinds = own_columns(truth, group)
    proving = kinds.values()
    if "count" in raw:  # of both lists, and by the sensitive item, which has two answers alone
        proving = {"answer"} & set(truth["kinds"].values())
    badges = {BADGE[kind] for kind in proving if kind in BADGE} if truth["protected"] else set()
    senders = {value: truth["senders"][value] for value in kinds}
    shared = "line" in raw or any(len(answers) > 1 for answers in senders.values())
    is_protected = truth["protected"] and shared
    guards = {*BADGE.values(), "noisy", "broad", "coin", "plain"}
    if "coin" in raw:
        assert replies & guards == badges | {"coin"}
    elif not is_protected:
        assert replies & guards == {"plain"}
        return
    elif badges:
        assert replies & guards == badges
    else:
        assert replies & guards == {"broad" if is_true(raw, senders) else "noisy"}
    if "line" not in raw:
        answers = set(range(len(raw.get("coin", raw)["answers"])))
        excludes = any(sending != answers for sending in senders.values())
        assert replies & {"noRatio", "ratio"} == {"noRatio" if excludes else "ratio"}
        return
    floor = raw.get("cuts", {}).get("floor") or raw.get("ring")
    withheld = bool(floor) and floor.get("rule") == "withhold"
    assert ("exactly" in replies) == bool(raw.get("cuts", {}).get("open"))
    assert ("neverSent" in replies) == (bool(floor) and not withheld)
    assert ("withheld" in replies) == withheld
    assert ("blankRulesOut" in replies) == (withheld and raw["blank"][0] == 0)


def own_columns(truth, group):
    """Give the values of one group, of all where there are none."""
    if not (groups := truth["raw"].get("groups")):
        return truth["kinds"]
    first = sum(part["reports"] for part in groups[:group])
    columns = range(first, first + groups[group]["reports"])
    return {value: kind for value, kind in truth["kinds"].items() if value in columns}


def is_true(raw, senders):
    if "line" in raw:
        return True
    return all(answers <= set(raw["reports"][value]["means"]) for value, answers in senders.items())


def judge_record(truth, value, kind, replies):
    hints = {*HINT.values(), "noisyHint", "broadHint", "plain"}
    is_protected = truth["protected"] and is_shared(truth, value)
    if "count" in truth["raw"]:  # the end of a list says of each of its items whether it is true
        assert replies & {"countEnds", "countSent"} == {
            "countEnds" if is_end_of_list(truth["raw"], value) else "countSent"
        }
    elif is_protected and kind:
        assert replies & hints == {HINT[kind]}, (value, kind)
    elif not is_protected or "coin" in truth["raw"]:
        assert replies & hints == {"plain"}
    else:
        assert replies & hints <= {"noisyHint", "broadHint"}
        assert replies & hints


def is_end_of_list(raw, value):
    shorter = len(raw["count"]["items"]) + 1
    number, last = (value, shorter - 1) if value < shorter else (value - shorter, shorter)
    return number in (0, last)


def is_shared(truth, value):
    """Whether anything that the group of a value sends can come from two answers."""
    for group in range(len(truth["raw"].get("groups", [None]))):
        columns = own_columns(truth, group)
        if value in columns and "line" not in truth["raw"]:
            return any(len(truth["senders"][column]) > 1 for column in columns)
    return True


def test_every_mechanism_of_the_catalogue_is_walked():
    frame = ak.Frame(["yes", "no"])
    with pytest.raises(InputError) as of_answers:
        ak.mechanisms.answer_mechanism("none", {}, frame)
    with pytest.raises(InputError) as of_numbers:
        ak.mechanisms.range_mechanism("none", {})
    assert DESIGNS.keys() == set(of_answers.value.allowed.split(", "))
    assert RANGES.keys() == set(of_numbers.value.allowed.split(", "))


def test_the_page_says_of_named_answers_what_is_true(page):
    compared = judge(page, list(list_forms(list_answer_surveys())))
    assert {kind for kind, count in compared.items() if count > 4} == {
        "answer",
        "part",
        "another",
        None,
    }


def test_the_page_says_of_numbers_what_is_true(page):
    compared = judge(page, list(list_forms(list_number_surveys())))
    assert {kind for kind, count in compared.items() if count > 4} == {
        "answer",
        "another",
        "exact",
        None,
    }


def test_the_page_says_of_odd_forms_what_is_true(page):
    compared = judge(page, [Form.read(PROVING["proving"]), *fuzz_forms(60)])
    assert compared.keys() == {"answer", "part", "another", "exact", None}


@pytest.mark.wide
def test_the_page_says_of_many_more_forms_what_is_true(page):
    four = list_answer_surveys((["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]))
    ranges = list_number_surveys(product(LINES, (None, "low", "high")))
    forms = [*list_forms(four), *list_forms(ranges), *fuzz_forms(3000)]
    assert sum(judge(page, forms).values()) > 5000


def test_a_false_claim_is_found(page, monkeypatch):
    """With the truth turned round each comparison fails."""
    (form,) = list_forms(
        [write_question("one_sided", "forced_yes = '1/5'", "answers = ['yes', 'no']\n", "yes")]
    )
    judge(page, [form])
    for wrong in (None, "part", "another"):
        monkeypatch.setattr(sys.modules[__name__], "find_kind", lambda *_, wrong=wrong: wrong)
        with pytest.raises(AssertionError):
            judge(page, [form])
