"""The npm package: built from the page's modules, typed, and run in Node and in a real browser."""

import csv
import gzip
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.engines import count_reports
from askance_collect.collect import accept, export_csv, open_store
from askance_collect.wire import Form, Report

ROOT = Path(__file__).parents[2]
JS, BIN = ROOT / "js", ROOT / "node_modules/.bin"
LARGEST = {
    "choice.js": 19_000,
    "question.js": 28_700,
    "isolated.js": 4_500,
    "surveyjs.js": 1_160,
    "jspsych.js": 870,
    "log.js": 2_000,
}
"""In bytes, packed by gzip: what a page loads to ask in the study's frame, to ask named answers or
every kind of question on itself, too, and beside them where a survey is SurveyJS's or jsPsych's;
and what checks proofs of a log."""


def run(*command, given=None, **settings):
    """Run a program in js/, with the tools that npm ci has installed."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    options = {"cwd": JS, "env": {**os.environ, "PATH": path, **settings}, "timeout": 280}
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built():
    """Build the package once."""
    node = shutil.which("node")
    assert node, "node is not installed: the package cannot be tested (Debian: nodejs)"
    run(ROOT / ".venv/bin/python", ROOT / "tools/js.py")
    return JS / "dist"


@pytest.mark.long
def test_its_types_are_those_of_the_package(built):
    run("tsc", "--project", "test")


@pytest.mark.long
def test_it_computes_what_the_vectors_say(built):
    assert "# fail 0" in run("node", "--test", "--test-reporter=tap", "test/package.test.mjs")


@pytest.mark.browser
@pytest.mark.long
def test_its_element_asks_every_question_in_a_browser(built):
    assert "# fail 0" in run("node", "--test", "--test-reporter=tap", "test/question.test.mjs")


@pytest.mark.browser
@pytest.mark.long
def test_its_element_is_a_control_that_follows_its_attributes(built):
    assert "# fail 0" in run("node", "--test", "--test-reporter=tap", "test/control.test.mjs")


@pytest.mark.browser
@pytest.mark.long
def test_apps_of_react_vue_and_svelte_use_it(built):
    assert "# fail 0" in run("node", "--test", "--test-reporter=tap", "test/frameworks.test.mjs")


@pytest.mark.long
def test_what_conforms_passes_the_public_suite_and_twins_fail(built):
    assert "# fail 0" in run("node", "--test", "--test-reporter=tap", "test/conformance.test.mjs")


@pytest.mark.browser
@pytest.mark.long
def test_behind_a_wall_the_page_around_reads_nothing(built):
    assert "# fail 0" in run("node", "--test", "--test-reporter=tap", "test/isolated.test.mjs")


@pytest.mark.browser
@pytest.mark.long
def test_the_scripts_of_the_documentation_ask_on_other_platforms(built):
    assert "# fail 0" in run("node", "--test", "--test-reporter=tap", "test/platforms.test.mjs")


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize(
    ("export", "children"), [("surveyjs.json", {0: 2, 1: 2}), ("jspsych.csv", {0: 3})]
)
def test_what_a_platform_exports_is_estimated(built, tmp_path, export, children):
    """The real library asks some people, and its own export is read as a collector's is."""
    script = f"test/{Path(export).stem}.test.mjs"
    completed = run("node", "--test", "--test-reporter=tap", script, EXPORTS=str(tmp_path))
    assert "# fail 0" in completed
    (form,) = (
        item["form"] for item in vectors("1/forms.json")["good"] if item["name"] == "marriage"
    )
    counts = count_reports(tmp_path / export, Form.read(form))
    assert dict(counts.values["children"]) == children
    assert counts.reports == sum(children.values()) == sum(counts.values["any_affair"].values())
    assert any(isinstance(value, tuple) for value in counts.values["age"])
    (tmp_path / "marriage.form.json").write_bytes(Form.read(form).bytes)
    words = ["estimate", tmp_path / "marriage.form.json", tmp_path / export, "--json"]
    done = CliRunner().invoke(verbs, list(map(str, words)))
    assert done.exit_code == 0, done.output
    names = [finding["name"] for finding in json.loads(done.output)["findings"]]
    assert names == ["children", "any_affair", "religious", "age"]


@pytest.mark.long
def test_what_is_published_is_what_is_meant_to_be(built):
    """With its licence, and without tests, sources or what only this machine knows."""
    (packed,) = json.loads(run("npm", "pack", "--dry-run", "--json"))
    held_path = {file["path"] for file in packed["files"]}
    types = {f"types/{path.name}" for path in (JS / "types").glob("*.d.ts")}
    bundles = {f"dist/{name}" for name in (*LARGEST, "index.js", "server.js")}
    tags = {path.stem for path in (ROOT / "src/askance_collect/respond/languages").glob("*.toml")}
    languages = {f"dist/languages/{tag}.js" for tag in tags - {"en"}}
    suite = {f"conformance/{name}" for name in ("README.md", "adapter.js", "run.js")}
    vectors = {f"dist/conformance/{path.name}" for path in (built / "conformance").iterdir()}
    alone = {"LICENSE", "README.md", "custom-elements.json", "package.json"}
    assert held_path == alone | types | bundles | languages | suite | vectors
    assert (JS / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("name", LARGEST)
def test_it_is_light(built, name):
    assert len(gzip.compress((built / name).read_bytes(), 9)) <= LARGEST[name]


@pytest.mark.long
@pytest.mark.parametrize("version", ["1", "2"])
def test_it_spells_values_as_the_collector_does(built, tmp_path, version):
    """Reports of every form of the vectors, with every value that stands in a case, exported."""
    cases = vectors(f"{version}/draws.json")["cases"]
    exported, inputs = [], []
    for index, item in enumerate(vectors(f"{version}/forms.json")["good"]):
        rows = rows_of(
            [case for case in cases if case[0] == item["name"]], len(item["form"]["questions"])
        )
        questions = item["form"]["questions"]
        counted = all(question["kind"] != "text" for question in questions)
        is_plain = not item["form"].keys() & {
            "tokens",
            "apart",
        }  # one store keeps it
        if rows and counted and is_plain:
            exported.append(export(Form.read(item["form"]), rows, tmp_path / f"{index}.db"))
            inputs.append([questions, rows])
    script = """
        import { readFileSync } from "node:fs";
        import { cellsOf, columnsOf } from "askance";
        const spelt = ([questions, rows]) => [
          questions.flatMap((question) => columnsOf(question)),
          ...rows.map((row) => questions.flatMap((question, at) => cellsOf(question, row[at]))),
        ];
        console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(spelt)));
    """
    document = json.loads(
        run("node", "--input-type=module", "--eval", script, given=json.dumps(inputs))
    )
    assert [[head, *sorted(rows)] for head, *rows in document] == exported
    assert sum(map(len, exported)) > (150 if version == "1" else 20)


def rows_of(cases, width):
    """Give reports that hold every value of the cases: (form, question, …, value)."""
    content = [
        list({json.dumps(case[-1]): case[-1] for case in cases if case[1] == index}.values())
        or [None]
        for index in range(width)
    ]
    return [
        [values[index % len(values)] for values in content]
        for index in range(max(map(len, content)))
    ]


def export(form, rows, path):
    """Send reports, and give the collector's table: the header, and the rows in order."""
    names = [question.name for question in form.questions]
    store = open_store(str(path), form)
    for index, row in enumerate(rows):
        values = {
            name: tuple(v) if isinstance(v, list) else v for name, v in zip(names, row, strict=True)
        }
        store.append(
            [accept(Report(form.fingerprint, f"{index:032x}", values).body(form.size), form)]
        )
    export_csv(store, form, path.with_suffix(".csv"))
    store.close()
    with path.with_suffix(".csv").open(newline="", encoding="utf-8") as file:
        head, *result = (row[1:] for row in csv.reader(file))
    return [head, *sorted(result)]


def vectors(name):
    """Read a file of the vectors."""
    return json.loads((ROOT / "src/askance_collect/wire/vectors" / name).read_text("ascii"))
