"""All that the papers print is listed, and comes out as the claims files say."""

import sys
import tomllib
from html import unescape
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from remaking import FOLDER, JUDGED, PAPERS, VERDICTS, Exhibit, Paper, Row, Scope, scope

ALL = [Paper.read(folder) for folder in PAPERS]
CLAIMS = [
    pytest.param(
        paper.folder,
        claim,
        id=f"{paper.folder}, {claim.place}: {claim.says}",
        marks=[pytest.mark.long] if paper.folder == "ding-ding" else [],
    )
    for paper in ALL
    for claim in paper.claims
]
PRINTED = {
    "li-zhou-qin-xu-2022": [f"Figure {index}" for index in range(1, 6)],
    "yoshida-yung-hayashi": [f"Figure {index}" for index in range(1, 4)],
    "ding-ding": [
        *(f"Figure {index}" for index in range(1, 15)),
        *(f"Table {word}" for word in ("I", "II", "III", "IV")),
    ],
}


@pytest.mark.parametrize(("folder", "claim"), CLAIMS)
def test_the_claim_is_computed(folder, claim):
    assert claim.holds(scope(folder))
    assert claim.verdict in JUDGED


@pytest.mark.parametrize("paper", ALL, ids=lambda paper: paper.folder)
def test_every_figure_and_table_of_the_paper_is_listed(paper):
    assert [element.number for element in paper.shown if element.verdict != "added"] == PRINTED[
        paper.folder
    ]
    for item in paper.shown:
        assert item.verdict in VERDICTS
        assert item.made
        scripts = [FOLDER / paper.folder / f"{name.partition(':')[0]}.py" for name in item.made]
        functions = [f"def {created.partition(':')[2]}(run: Run)" for created in item.made]
        for path, function in zip(scripts, functions, strict=True):
            assert function in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("paper", ALL, ids=lambda paper: paper.folder)
def test_every_row_has_ours_or_theirs_and_the_verdict_that_they_make(paper):
    for displayed in paper.shown:
        for row in displayed.row:
            assert row.ours or row.theirs
            if row.ours:
                assert len(row.ours) == len(row.our_se) == len(displayed.columns)
                assert displayed.judged(row, row.ours, row.our_se) == row.verdict
                assert displayed.changed({row.label: (row.ours, row.our_se)}, 1) == []


@pytest.mark.parametrize("paper", ALL, ids=lambda paper: paper.folder)
def test_only_what_comes_out_in_all_parts_is_called_reproduced(paper):
    for displayed in paper.shown:
        if displayed.verdict == "reproduced":
            assert {row.verdict for row in displayed.row} <= {"reproduced", ""}, displayed.number
            about = [claim for claim in paper.claims if displayed.number in claim.numbers]
            assert {claim.verdict for claim in about} <= {"right", "added"}, displayed.number


def test_a_claim_names_the_figures_that_it_is_about():
    (ding,) = (item for item in ALL if item.folder == "ding-ding")
    named = {claim.place: claim.numbers for claim in ding.claims}
    assert named["Figures 10 and 11"] == {"Figure 10", "Figure 11"}
    assert named["Table IV, coverage of M1"] == {"Table IV"}
    assert named["Lemma 1"] == set()


def test_a_number_that_moved_is_told():
    row = Row(label="a", theirs=[0.5], ours=[0.5], our_se=[0.01], verdict="reproduced")
    displayed = Exhibit(
        number="Table V", says="", verdict="reproduced", why="", columns=["x"], row=[row]
    )
    assert displayed.changed({"a": ([0.52], [0.02])}, 0.25) == []
    assert displayed.changed({"a": ([0.70], [0.02])}, 0.25) == ["a"]
    assert displayed.changed({"a": ([0.544], [0.005])}, 1) == ["a"], "in print it is .5"
    assert displayed.changed({"b": ([0.5], [0.005])}, 1) == ["b"], "no such row"


def test_a_name_is_computed_when_a_call_asks():
    questions = []
    names = Scope({"late": lambda: questions.append(1) or 3}, known=2)
    assert eval("known * 2", names) == 4
    assert questions == []
    assert eval("[late + at for at in (1, late)]", names) == [4, 6]
    assert questions == [1]
    with pytest.raises(NameError, match="nowhere"):
        eval("nowhere", names)


@pytest.fixture(scope="module")
def program():
    spec = spec_from_file_location("papers_main", FOLDER / "__main__.py")
    sys.modules["papers_main"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
def test_a_figure_of_each_paper_is_remade_and_shown(program, tmp_path, capsys):
    assert program.main(["Figure 8", "Figure 1", "--folder", str(tmp_path)]) == 0
    page = unescape((tmp_path / "index.html").read_text(encoding="utf-8"))
    assert page.count("<figure") == 4
    assert "differs" in capsys.readouterr().out
    for paper in ALL:
        assert (tmp_path / paper.folder / "figure-1.svg").exists()
        assert all(claim.place in page for claim in paper.claims)


@pytest.mark.parametrize("words", [["Tabel II"], ["--data", "nowhere.csv"]])
def test_what_is_not_there_is_said(program, words, capsys):
    with pytest.raises(SystemExit) as stopped:
        program.main(words)
    assert stopped.value.code == 2
    assert words[-1] in capsys.readouterr().err


def test_what_no_longer_comes_out_ends_in_a_failure(program):
    results = [program.recorded(paper) for paper in ALL]
    assert program.departures(results) == []
    results[0].others = [(claim, False) for claim, _ in results[0].others[:1]]
    results[1].entries[0].departs = ["a row"]
    departures_result = program.departures(results)
    assert [item.partition(",")[0] for item in departures_result] == [
        "li-zhou-qin-xu-2022",
        "yoshida-yung-hayashi",
    ]


def test_the_page_in_the_repository_is_that_of_the_claims_files(program):
    markdown_result = program.markdown([program.recorded(paper) for paper in ALL], FOLDER)
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == markdown_result, (
        "run: python papers --record"
    )


def test_a_run_is_written_into_the_claims_file(program, tmp_path, monkeypatch):
    folder = tmp_path / "ding-ding"
    folder.mkdir()
    text = (FOLDER / "ding-ding" / "claims.toml").read_text(encoding="utf-8")
    (folder / "claims.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(program, "FOLDER", tmp_path)
    (ding,) = (program.recorded(paper) for paper in ALL if paper.folder == "ding-ding")
    (entry,) = (item for item in ding.entries if item.shown.number == "Table I")
    entry.found = {"one cut pair drawn for each row": ([0.5], [0.25])}
    program.record([ding])
    document = tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))
    (row,) = next(item for item in document["shown"] if item["number"] == "Table I")["row"]
    assert (row["ours"], row["our_se"]) == ([0.5], [0.25])
    assert len(document["claim"]) == len(ding.paper.claims)
