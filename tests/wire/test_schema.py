"""What form-2.json says, both readers do, and another program that reads schemas as well."""

import copy
import json
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from askance_collect.errors import FormError
from askance_collect.wire import Form, Report

ROOT = Path(__file__).parents[2]
WIRE = ROOT / "src/askance_collect/wire"
sys.path.append(str(ROOT / "tests/fuzz"))
from forms import canonical, page  # noqa: E402  the page's reader, as the fuzzers ask it


@cache
def schema(name):
    text = (WIRE / "schema" / name).read_text("ascii")
    document = json.loads(
        text.replace('$"', '\\\\Z"')
    )  # in Python $ is before a last line break too
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document)


def vectors(name):
    return json.loads((WIRE / "vectors" / name).read_text("ascii"))


GOOD = {
    item["name"]: item["form"]
    for version in ("1", "2")
    for item in vectors(f"{version}/forms.json")["good"]
}
BAD_FORMS = [
    item
    for version in ("1", "2")
    for item in vectors(f"{version}/forms.json")["bad"]
    if item["schema"]
]
BAD_REPORTS = [report for report in vectors("1/refused.json")["reports"] if report.get("schema")]


def changed(document, change):
    document = copy.deepcopy(document)
    position = document
    for step in change["at"][:-1]:
        position = position[step]
    if change.get("drop"):
        del position[change["at"][-1]]
    else:
        position[change["at"][-1]] = change["put"]
    return document


@pytest.mark.parametrize("name", GOOD)
def test_good_forms_are_valid(name):
    document = GOOD[name]
    assert list(schema(f"{document['askance']}.json").iter_errors(document)) == []


def test_the_form_of_the_other_tests_is_valid(affairs_form):
    assert list(schema("form-1.json").iter_errors(affairs_form.document)) == []


@pytest.mark.long
@pytest.mark.parametrize("element", BAD_FORMS, ids=lambda item: item["wrong"])
def test_bad_forms_are_not(element):
    version = GOOD[element["form"]]["askance"]
    assert not schema(f"{version}.json").is_valid(changed(GOOD[element["form"]], element))


def test_the_second_version_has_words_for_all_that_the_first_has():
    for document in GOOD.values():
        newer = document | {"askance": "form-2"}
        assert list(schema("form-2.json").iter_errors(newer)) == []


def test_most_bad_forms_can_be_told_by_the_schema():
    assert len(BAD_FORMS) > 60


def test_every_body_is_a_valid_report():
    reports = schema("report-1.json")
    for case in vectors("1/bodies.json")["cases"]:
        assert reports.is_valid(json.loads(case["body"]))


@pytest.mark.parametrize("element", BAD_REPORTS, ids=lambda item: item["wrong"])
def test_bad_reports_are_not_valid(element):
    form = Form.read(GOOD["marriage"])
    values = dict.fromkeys(question.name for question in form.questions)
    report = json.loads(Report(form.fingerprint, "0" * 32, values).body(form.size))
    assert schema("report-1.json").is_valid(report)
    assert not schema("report-1.json").is_valid(changed(report, element))


@pytest.mark.parametrize("name", ["form-1.json", "form-2.json", "report-1.json"])
def test_a_schema_refers_to_nothing_outside_itself(name):
    text = (WIRE / "schema" / name).read_text("ascii")
    references = [part.split('"')[1] for part in text.split('"$ref": ')[1:]]
    assert all(reference.startswith("#/$defs/") for reference in references)


# What is written at the edges of everything that the schema says, in every form of the vectors.


SCHEMA = json.loads((WIRE / "schema/form-2.json").read_text("ascii"))
RULES = {allowed: name for name, allowed in SCHEMA["x-rules"].items()}


def broken_rule(refusal):
    """Name the rule by whose sentence a form is refused; nothing where the schema refuses it."""
    return RULES.get(refusal.allowed, "")


def referred(node):
    """What a node of the schema says together with what it refers to, of a kind of question too."""
    if "$ref" not in node:
        return node
    inner = SCHEMA
    for key in node["$ref"].split("/")[1:]:
        inner = inner[key]
    inner = referred(inner)
    pair = {key: inner.get(key, {}) | node.get(key, {}) for key in ("properties",)}
    return (
        inner | node | pair | {"required": [*inner.get("required", ()), *node.get("required", ())]}
    )


def edges(node, value):
    """Values at and beyond the bounds of a node, and of other types."""
    least, most = node.get("minimum"), node.get("maximum")
    around = [bound + more for bound in (least, most) if bound is not None for more in (-1, 0, 1)]
    yield from (number for number in around if abs(number) < 2**53)
    yield from (None, True, False, 0, "", "0", [], {}, [value], {"extra": value})
    if isinstance(value, str):
        yield from (
            value + " ",
            value + "\u202e",
            value + "\n",
            value.upper(),
            "x" + value,
            value * 90,
        )
    if isinstance(value, list):
        yield from (value[:1], value[:-1], value * 2, value * 40)
    if isinstance(value, dict):
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
        yield value | {"extra": 1}
        yield from (value | {key: True} for key in node.get("properties", ()) if key not in value)


def parts(node, value, variant=(), path=""):
    """Every part of a document with its node, its way and a name for all that are like it."""
    node = referred(node)
    if "discriminator" in node:
        node = referred(SCHEMA["$defs"][value["kind"]])
    yield node, value, variant, path
    if isinstance(value, dict):
        for key, inner in value.items():
            known_value = node.get("properties", {}).get(key, node.get("additionalProperties"))
            if isinstance(known_value, dict):
                yield from parts(known_value, inner, (*variant, key), f"{path}.{key}")
    if isinstance(value, list) and "items" in node:
        for index, inner in enumerate(value[:3]):
            yield from parts(node["items"], inner, (*variant, index), f"{path}[]")


def put(document, variant, value):
    """A copy of a document with another value in one place."""
    if not variant:
        return value
    first, *rest = variant
    inner = put(document[first], rest, value)
    if isinstance(document, dict):
        return document | {first: inner}
    return [*document[:first], inner, *document[first + 1 :]]


def fitted(document):
    """A form with the size that its questions have, whether or not any reader takes them."""
    widths = {"text": lambda question: 2 + 6 * question["limit"]}
    widths["number"] = lambda question: max(4, len(str(question["line"]["ticks"])))
    widths["cuts"] = widths["ring"] = lambda question: 3 + 2 * len(str(question["line"]["ticks"]))
    try:
        widest = [
            len(question["name"]) + 4 + widths.get(question["kind"], lambda _: 4)(question)
            for question in document["questions"]
        ]
    except (LookupError, TypeError, ValueError):
        return document
    return document | {"size": -(-(128 + sum(widest)) // 256) * 256}


def every_edge():
    """Each edge once for all places that are alike, in forms that are not long."""
    distinct = set()
    for document in sorted(GOOD.values(), key=lambda document: len(json.dumps(document))):
        if len(json.dumps(document)) > 9_000:
            continue
        for node, value, variant, path in parts(SCHEMA, document):
            kind = (
                document["questions"][variant[1]]["kind"]
                if len(variant) > 1 and variant[0] == "questions"
                else ""
            )
            for number, edge in enumerate(edges(node, value)):
                if (kind, path, number) not in distinct and variant:
                    distinct.add((kind, path, number))
                    created = put(document, variant, edge)
                    yield path, edge, created if path == ".size" else fitted(created)


@cache
def judged_edges():
    """Each edge by its path, with the form and the refusal of Python's reader."""

    def refusal(document):
        try:
            Form.read(document)
        except FormError as error:
            return error
        return None

    return [(path, edge, document, refusal(document)) for path, edge, document in every_edge()]


@pytest.mark.parametrize("every", [29, pytest.param(1, marks=pytest.mark.wide)])
def test_the_reader_refuses_what_another_reader_of_the_schema_refuses(every):
    counts = Counter()
    for _, _, document, refusal in judged_edges()[::every]:
        by_schema = not schema("form-2.json").is_valid(document | {"askance": "form-2"})
        by_rule = refusal is not None and broken_rule(refusal) != ""
        assert by_schema <= (refusal is not None), document
        assert by_rule <= (not by_schema or refusal.where == "askance"), (str(refusal), document)
        assert (refusal is None) <= (not by_schema)
        counts[by_schema, by_rule] += 1
    assert min(counts[True, False], counts[False, True], counts[False, False]) > 100 / every


def test_both_sides_refuse_the_same_edges():
    texts = [canonical(document).decode("ascii") for _, _, document, _ in judged_edges()]
    refused = [refusal is not None for *_, refusal in judged_edges()]
    verdicts = page().verdicts(texts)
    assert [
        text[:2000]
        for text, is_refused, verdict in zip(texts, refused, verdicts, strict=True)
        if is_refused != (verdict is None)
    ] == []


@pytest.fixture(autouse=True, scope="module")
def _closed():
    yield
    page().close()


@pytest.mark.parametrize(
    "path",
    [
        *("later", "open.work", "open.rate", "quotas[].most", "questions[].limit"),
        *("questions[].lines", "questions[].cuts.number"),
    ],
)
def test_the_edges_have_each_bound_and_what_is_beyond(path):
    """Else a bound that one side alone has would not be seen."""
    distinct, refused = set(), set()
    for variant, edge, _, refusal in judged_edges():
        if variant == f".{path}" and type(edge) is int:
            (distinct if refusal is None else refused).add(edge)
    assert {min(distinct) - 1, max(distinct) + 1} <= refused


def check_shapes(*arguments):
    node = shutil.which("node")
    assert node, "node is not installed: the page's shapes cannot be compared with the schema"
    command = [node, ROOT / "tools/form_shapes.mjs", "--check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_page_has_the_shapes_of_the_schema():
    assert check_shapes().returncode == 0


@pytest.mark.parametrize(
    ("part", "keyword", "value", "module"),
    [
        ("units", "maximum", 2**47, "form.js"),
        ("name", "pattern", "^[a-z]{1,40}$", "form.js"),
        ("checklist", "required", ["at", "text", "items"], "lists.js"),
        ("quota", "required", ["question", "answer"], "quotas.js"),
        ("colour", "pattern", "^#[0-9a-f]{3}$", "look.js"),
    ],
)
def test_a_schema_that_python_alone_goes_by_is_noticed(tmp_path, part, keyword, value, module):
    changed_schema = copy.deepcopy(SCHEMA)
    changed_schema["$defs"][part][keyword] = value
    path = tmp_path / "form-2.json"
    path.write_text(json.dumps(changed_schema), "ascii")
    done = check_shapes(path)
    assert done.returncode == 1
    assert module in done.stderr


def test_a_bound_that_the_page_alone_has_is_noticed(tmp_path):
    shutil.copytree(ROOT / "src/askance_collect/respond/browser", tmp_path / "browser")
    module = tmp_path / "browser/later.js"
    module.write_text(module.read_text("utf-8").replace("[1, 90]", "[1, 91]"), "utf-8")
    done = check_shapes(WIRE / "schema/form-2.json", tmp_path / "browser")
    assert (done.returncode, done.stderr.split(": ")[1].strip()) == (1, "later.js")


def refusals():
    """Every bad form of the vectors that is a document, with the refusal of Python's reader."""
    for version in ("1", "2"):
        for case in vectors(f"{version}/forms.json")["bad"]:
            if "form" in case:
                document = changed(GOOD[case["form"]], case)
                with pytest.raises(FormError) as refusal:
                    Form.read(document)
                yield case, document, refusal.value


@pytest.mark.long
def test_each_bad_form_is_refused_by_the_schema_or_by_a_named_rule():
    broken = set()
    for case, document, refusal in refusals():
        newer = document | {"askance": "form-2"}
        by_schema = document.get("askance") != "form-1" and case["at"] == ["askance"]
        if rule := broken_rule(refusal):
            broken.add(rule)
        elif refusal.where != "form":
            assert by_schema or not schema("form-2.json").is_valid(newer), case
    assert set(RULES.values()) == broken, "each rule has a bad form in the vectors"
