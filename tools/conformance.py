"""Write the vectors of js/conformance from those that Python and JavaScript both pass.

Each case is whole: a form stands as its text, and a form that must be refused as the text of a
good one in which one place is replaced. So a program in any language needs nothing but JSON.
"""

import copy
import json
from pathlib import Path
from typing import Any

from askance_collect.errors import FormError
from askance_collect.wire import Form
from askance_collect.wire.canonical_json import canonical
from askance_collect.wire.form_schema import broken_rule

WIRE = Path(__file__).parents[1] / "src/askance_collect/wire"
VECTORS = WIRE / "vectors"
VERSIONS = "1", "2"


def main(folder: Path) -> None:
    """Write one file for each part of the suite."""
    folder.mkdir(parents=True, exist_ok=True)
    good = _join_part("forms.json", "good")
    texts = {case["name"]: canonical(case["form"]).decode("ascii") for case in good}
    refused = json.loads((VECTORS / "1/refused.json").read_text("ascii"))["answers"]
    parts = {
        "forms": [
            {"form": case["name"], "text": texts[case["name"]], "fingerprint": case["fingerprint"]}
            for case in good
        ],
        "refused-forms": [_bad_form(case, texts) for case in _join_part("forms.json", "bad")],
        "draws": [_draw_case(case) for case in _join_part("draws.json", "cases")],
        "steps": _step_cases(),
        "refused-answers": [
            {key: case[key] for key in ("form", "question", "answer", "wrong")} for case in refused
        ],
        "reports": [
            {key: case[key] for key in ("form", "id", "values", "body")}
            for case in _join_part("bodies.json", "cases")
        ],
    }
    for version in VERSIONS:
        schema = f"form-{version}.json"
        (folder / schema).write_bytes((WIRE / "schema" / schema).read_bytes())
    for name, cases in parts.items():
        lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
        (folder / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="ascii")


def _join_part(name: str, part: str) -> list[Any]:
    """Read one part of the vectors of both versions of forms."""
    files = (VECTORS / version / name for version in VERSIONS)
    return [case for file in files for case in json.loads(file.read_text("ascii"))[part]]


def _bad_form(case: dict[str, Any], texts: dict[str, str]) -> dict[str, Any]:
    """Say where a good form's text is replaced, and by what; or give the whole text."""
    if "text" in case:
        return {"wrong": case["wrong"], "insert": case["text"], "times": case.get("times", 1)}
    before = texts[case["form"]]
    after = _changed(json.loads(before), case)
    by = _refused_by(after)
    start = next(i for i in range(len(before)) if before[i] != after[i : i + 1])
    end = 0
    while before[-1 - end] == after[-1 - end] and end < min(len(before), len(after)) - start - 1:
        end += 1
    edit = {"from": start, "to": len(before) - end, "insert": after[start : len(after) - end]}
    return {"wrong": case["wrong"], "by": by, "form": case["form"], **edit}


def _refused_by(text: str) -> str:
    """Name the rule by which a form is refused, or the schema, which lists the rules."""
    try:
        Form.read(text)
    except FormError as error:
        return broken_rule(error) or "schema"
    raise ValueError("a bad form is read")


def _changed(document: Any, case: dict[str, Any]) -> str:
    changed = copy.deepcopy(document)
    container = changed
    *path, last = case["at"]
    for step in path:
        container = container[step]
    if case.get("drop"):
        del container[last]
    else:
        container[last] = case["put"]
    return canonical(changed).decode("ascii")


def _draw_case(case: list[Any]) -> dict[str, Any]:
    form, question, hexadecimal, answer, draws, used, value = case
    words = [int(hexadecimal[i : i + 12], 16) for i in range(0, len(hexadecimal), 12)]
    names = "form", "question", "words", "answer", "draws", "used", "value"
    return dict(zip(names, (form, question, words, answer, draws, used, value), strict=True))


def _step_cases() -> list[dict[str, Any]]:
    """Say what is sent after each narrower step of a range."""
    names = "form", "question", "draws", "answer", "values"
    cases = json.loads((VECTORS / "1/parts.json").read_text("ascii"))["cases"]
    return [
        dict(zip(names, (form, question, draws, answer, values), strict=True))
        for form, question, draws, _, answer, values in cases
        if values
    ]
