"""Survey files: each is published, or refused with its place and what to do, in little time."""

import json
import signal
import sys
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from changes import changed, encoded, scrambled

from askance.survey import parse_survey, publish
from askance_collect.errors import SurveyError
from askance_collect.wire import Form
from named_mechanisms import MECHANISMS, YN

TALLY = Counter()
ROOT = Path(__file__).parents[2]
_SECONDS = 20
"""Of work, that is: what one file may take. The slowest of the examples takes a hundredth of it."""

_CHANCES = [
    "0.5",
    "3/5",
    "1/10",
    "0.9",
    "1",
    "0",
    "1/3",
    0.5,
    1,
    0,
    "-1",
    "2",
    "1e-9",
    "1/281474976710657",
]
_LEVELS = [1, 0.5, "3/2", 2, 12, 13, 0, "1e-30", 1e-9, -1, "e"]
_NUMBERS = [1, 2, 3, 5, 16, 17, 0, -1, 1.5, "2", 10**6]
_ENDS = [0, 1, 2, 4, 8, 10, "1/2", -1, 0.1, 100, 1e9, "1e30"]
_NAMED = [
    {"name": "normal", "mean": 4, "sd": 2},
    {"name": "logistic", "mean": "1/2", "sd": "0.1"},
    {"name": "lognormal", "median": 3, "spread": 2},
    {"name": "uniform", "lower": 1, "upper": 6},
    {"name": "normal", "mean": 10**9, "sd": 1},
    {"name": "lognormal", "median": 10**30, "spread": "1.0000001"},
]
_LAWS = ["even", [1] * 7, [1] * 8, [1, 2, 0, 0, 3, 0, 1], [0] * 8, [10**20] * 8, *_NAMED, *_NAMED]
_OPEN = [[[0, 2]], [[6, 8]], [[0, 8]], [[2, 4], [4, 6]], [], [[1]], [["1", "2"]]]
_PARTITIONS = [[[["a", "b"], ["c"]], [["a"], ["b", "c"]]], [[["a", "b", "c"]]], [[]], []]
_ROWS = [[["0.5", "0.5"], ["0", "1"]], [[1, 0], [0, 1]], [[1, 0]], [["1/3", "2/3"], ["2/3", "1/3"]]]
_REPORTS = [{"x": ["a"], "y": ["a", "b"]}, {"a": ["a"], "b": ["b"]}, {"x": []}, {}]
_BY_ANSWER = [{"a": "1/2", "b": "1/2"}, {"a": "1/6"}, {"b": 1}, {"a": "2/3", "b": 1}, {"x": 0}, {}]
_SHARES = [["1/2", "1/3", "1/6"], ["1/4", "3/4"], [1], ["0.5", "0.6"], [0, 1], [], "1/3"]
_KEYS = {
    **dict.fromkeys(("truth", "lie", "answered", "share", "sent", "floor", "coverage"), _CHANCES),
    **dict.fromkeys(("epsilon", "ratio"), _LEVELS),
    **dict.fromkeys(("law", "sizes", "prior", "weights"), _LAWS),
    **{"number": _NUMBERS, "open": _OPEN, "between": [[1, 6], [2, 2], [8, 0], [0]]},
    **{"partitions": _PARTITIONS, "rows": _ROWS, "reports": _REPORTS},
    **dict.fromkeys(("forced_yes", "truth_if_no", "asked", "red_if_yes", "red_if_no"), _CHANCES),
    **dict.fromkeys(("forced", "if_forced"), _BY_ANSWER),
    **{"harmless": [*_CHANCES[1:], *_SHARES], "marks": _SHARES, "draws": _NUMBERS},
    "stopping": ["side-blind", "example-4", ""],
}
_RECIPES = {
    "warner": ["truth", "epsilon", "ratio"],
    "kary": ["truth", "epsilon", "ratio"],
    "abstain": ["truth lie", "answered epsilon", "answered ratio"],
    "redistribute": ["truth lie share"],
    "table": ["reports rows"],
    "blocks": ["", "number"],
    "runs": ["", "number"],
    "partitions": ["partitions", "partitions weights"],
    "forced": ["forced", "truth", "truth if_forced", "epsilon", "ratio"],
    "one_sided": ["forced_yes"],
    "mangat": ["truth_if_no"],
    "unrelated": ["asked harmless"],
    "kuk": ["red_if_yes red_if_no", "red_if_yes red_if_no draws"],
    "crosswise": ["harmless", "epsilon", "ratio"],
    "triangular": ["harmless"],
    "hidden": ["harmless"],
    "christofides": ["marks"],
    "cuts": ["number", "number law", "number between open", "coverage prior number", "law open"],
    "two_cuts": ["number", "number law sizes", "coverage prior"],
    "ring": ["floor", "floor law sizes", "coverage law sizes"],
    "selective": ["floor sent", "floor sent number law sizes open"],
    "progressive": ["number floor", "number floor law sizes open stopping"],
}
for _mechanism in MECHANISMS:
    _RECIPES.setdefault(_mechanism.recipe.name, [" ".join(_mechanism.parameters)])
    for _key in _mechanism.parameters:
        _KEYS.setdefault(_key, [*_CHANCES, *_SHARES])
_OF_TWO = {"warner", "table", *(item.recipe.name for item in MECHANISMS if item.frame == YN)}
_OF_TWO -= {"forced"}
_OF_LINES = ("cuts", "two_cuts", "ring", "selective", "progressive")
_TOKENS = encoded(
    [
        *("\n", "[[question]]\n", "[", "]", "{", "}", "=", '"', '"""', "'", "#", ",", ".", "\r\n"),
        *(
            "1e400",
            "0x10",
            "1_000",
            "nan",
            "inf",
            "-inf",
            "1979-05-27",
            "07:32:00",
            "true",
            "\ud83d",
        ),
        *("9" * 5000, "[" * 3000, "a." * 2000, "\\u0000", "\\ud83d", "\x00", "\ufeff", "é", "😀"),
        *(
            "name",
            "askance",
            "mechanism",
            "line",
            "answers",
            "1e999999999",
            "0.1e-99999999",
            "-0",
            "1e99999999999999999999",
        ),
    ]
)


def seeds():
    """Give the examples, and a survey with each recipe as it should be written."""
    contents = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.toml"))]
    for name, ways in _RECIPES.items():
        for variant in ways:
            recipe = {"name": name} | {key: _KEYS[key][0] for key in variant.split()}
            contents.append(_toml(_survey([_question("q", recipe)])))
    return contents


def vary(dice):
    """Write a survey of one question or a few, and change it or not."""
    questions = [_any_question(dice, index) for index in range(dice.choice((1, 1, 1, 2, 3)))]
    document = _survey(questions)
    for _ in range(dice.choice((0, 0, 0, 1, 2))):
        changed(dice, document)
    text = _toml(document)
    return scrambled(dice, text, _TOKENS) if dice.random() < 0.2 else text


def _survey(questions):
    return {"askance": "survey-1", "title": "T", "consent": "C", "question": questions}


def _question(name, recipe):
    questions = {"name": name, "text": "Q?"}
    if recipe is None or recipe["name"] not in _OF_LINES:
        few = recipe is not None and recipe["name"] in _OF_TWO
        questions["answers"] = ["a", "b"] if few else ["a", "b", "c"]
    else:
        questions["line"] = {"lower": 0, "upper": 8, "step": 1, "unit": "h"}
    return questions if recipe is None else questions | {"mechanism": recipe}


def _any_question(dice, index):
    name = dice.choice(list(_RECIPES))
    keys = dice.choice(_RECIPES[name]).split()
    recipe = {"name": name} | {key: dice.choice(_KEYS[key]) for key in keys}
    question_result = _question(f"q{index}", recipe if dice.random() < 0.9 else None)
    if "line" in question_result and dice.random() < 0.3:
        question_result["line"] = {key: dice.choice(_ENDS) for key in ("lower", "upper", "step")}
    if "line" in question_result and dice.random() < 0.2:
        question_result["line"]["whole"] = dice.choice((True, True, False, 1))
    if dice.random() < 0.2:
        question_result[dice.choice(("blank", "typed", "trait"))] = dice.choice(
            [*_CHANCES, True, "q0"]
        )
    return question_result


def _toml(document):
    """Write a document as TOML; nothing stands for what TOML has no word for."""
    questions = document.get("question")
    listed = isinstance(questions, list) and all(isinstance(item, dict) for item in questions)
    lines = [
        f"{_spelt(key)} = {_inline(value)}"
        for key, value in document.items()
        if not (listed and key == "question")
    ]
    for question in questions if listed else []:
        lines += [
            "[[question]]",
            *(f"{_spelt(key)} = {_inline(question[key])}" for key in question),
        ]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _spelt(text):
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _inline(value):
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{_spelt(key)} = {_inline(item)}" for key, item in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, str):
        return _spelt(value)
    return "[]" if value is None else json.dumps(value)


class TooSlow(BaseException):
    """A file that keeps a computer busy."""


@contextmanager
def _in_time():
    """Count this process's own time, which other work on the machine does not lengthen."""

    def ring(*_):
        raise TooSlow

    former = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


def judge(cases):
    """Say of each case what is wrong: nothing, as a rule."""
    return [_wrong(case) for case in cases]


def _wrong(case):
    try:
        with _in_time(), warnings.catch_warnings():
            warnings.simplefilter("error")
            form = publish(parse_survey(case))
            assert Form.read(form.bytes) == form, "published otherwise than it is read"
    except SurveyError as refusal:
        result = refusal.where and (refusal.allowed or refusal.remedy)
        return "" if result else f"a refusal that helps nobody: {refusal}"
    except TooSlow:
        return f"takes more than {_SECONDS} seconds"
    except (Exception, RecursionError) as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    TALLY["taken in"] += 1
    return ""
