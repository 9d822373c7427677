"""The parts of the page: what esbuild makes of its sources, and refused where they are not."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from askance_collect.respond import render_page, render_source_map

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "src/askance_collect/respond"
ASIDE = " // an aside: `${`, '*/' and </script>"


def build(sources, folder):
    node = shutil.which("node")
    assert node, "node is not installed: the parts of the page cannot be built"
    command = [node, ROOT / "tools/page_parts.mjs", sources, folder]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def read(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def sources(tmp_path):
    for folder in ("browser", "hosted", "worker"):
        shutil.copytree(ROOM / folder, tmp_path / "room" / folder)
    return tmp_path / "room"


@pytest.mark.long
def test_they_are_what_is_built_from_the_sources_and_an_aside_changes_no_code(sources, tmp_path):
    module = sources / "browser/number.js"
    lines = module.read_text("utf-8").splitlines()
    written = [line if line.lstrip().startswith(("/*", "*")) else line + ASIDE for line in lines]
    module.write_text("\n".join(written), "utf-8")
    done = build(sources, tmp_path / "built")
    assert done.returncode == 0, done.stderr
    built, committed = read(tmp_path / "built"), read(ROOM / "built")
    facts, own = (json.loads(item.pop("browser/number.js.json")) for item in (built, committed))
    assert {name for name in built if built[name] != committed.get(name)} == set(), "make page"
    assert built.keys() == committed.keys()
    assert facts.pop("source") != own.pop("source")
    assert facts == own


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("const tea = ;", "Unexpected"),
        ('import { milk } from "./element.js"; milk();', 'No matching export in "browser/elem'),
    ],
)
@pytest.mark.long
def test_what_cannot_be_joined_is_not_built(sources, tmp_path, line, result):
    with (sources / "browser/whole.js").open("a", encoding="utf-8") as module:
        module.write(line)
    done = build(sources, tmp_path / "built")
    assert done.returncode != 0
    assert result in done.stderr
    assert "browser/whole.js" in done.stderr
    assert not (tmp_path / "built").exists()


def altered(file):
    file.write_text(file.read_text("utf-8").replace("}\n", f"}}{ASIDE}\n", 1), "utf-8")


def of_another_build(file):
    facts, build = file.with_name(f"{file.name}.json"), "0" * 64
    part = hashlib.sha256(build.encode() + file.read_bytes()).hexdigest()
    facts.write_text(json.dumps(json.loads(facts.read_bytes()) | {"build": build, "part": part}))


@pytest.mark.parametrize(
    ("path", "spoil", "received"),
    [
        ("built/browser/form.js", altered, "'a file that changed after it was built'"),
        ("browser/form.js", altered, "'a source that changed after its part was built'"),
        ("built/browser/form.js", of_another_build, "'a part of another build than the others'"),
    ],
)
@pytest.mark.long
def test_nothing_is_published_of_parts_that_changed(tmp_path, path, spoil, received):
    shutil.copytree(ROOM.parent, tmp_path / "askance_collect")
    spoil(tmp_path / "askance_collect/respond" / path)
    survey = shutil.copy(ROOT / "examples/affairs.toml", tmp_path)
    command = [sys.executable, "-m", "askance", "publish", survey, "--page", "page.html"]
    settings = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True)
    assert done.returncode != 0
    assert "page.html" not in done.stdout
    assert not (tmp_path / "page.html").exists()
    for part in (f"askance_collect/respond/{path}: got {received}", "make page"):
        assert part in " ".join(done.stderr.split())


@pytest.mark.long
def test_the_source_map_leads_from_each_name_to_where_it_stands(affairs_form, tmp_path):
    (tmp_path / "page.html").write_bytes(render_page(affairs_form).bytes)
    (tmp_path / "page.map").write_bytes(render_source_map(affairs_form))
    command = ["node", Path(__file__).with_name("source_map.mjs"), "page.html", "page.map"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=60)
    counts = json.loads(done.stdout)
    assert counts["functions"] > 150
    assert counts["names"] > 2_000
    assert (counts["wrong"], counts["lost"]) == (0, [])
