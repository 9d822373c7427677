"""What the fuzzers kept is tried for ever, with a few fresh cases; a blind fuzzer is caught."""

import importlib.util
import json
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).parent))
import connections
import forms
import reports
import surveys

from askance_collect.collect import Accepted

HERE = Path(__file__).parent
DRIVERS = {"reports": reports, "forms": forms, "connections": connections, "surveys": surveys}
FRESH = {"reports": 3000, "forms": 1000, "connections": 1000, "surveys": 200}


@pytest.fixture(autouse=True, scope="module")
def _closed():
    yield
    forms.page().close()
    connections.close()


def kept(target):
    lines = (HERE / f"corpus/{target}.jsonl").read_text("ascii").splitlines()
    return [json.loads(line).encode("latin-1") for line in lines]


def fresh(target, seed=1):
    dice = Random(seed)
    return [DRIVERS[target].vary(dice) for _ in range(FRESH[target])]


def findings(target, cases):
    judge_result = DRIVERS[target].judge(cases)
    return [(case, wrong) for case, wrong in zip(cases, judge_result, strict=True) if wrong]


@pytest.mark.long
@pytest.mark.parametrize("target", DRIVERS)
def test_the_kept_cases_are_judged_rightly(target):
    cases = kept(target)
    assert len(cases) > 50
    assert findings(target, [*DRIVERS[target].seeds(), *cases]) == []


@pytest.mark.long
@pytest.mark.parametrize("target", DRIVERS)
def test_fresh_cases_are_judged_rightly_and_many_are_taken_in(target):
    tally = DRIVERS[target].TALLY
    before = tally["taken in"]
    assert findings(target, fresh(target)) == []
    assert FRESH[target] / 20 < tally["taken in"] - before < FRESH[target]


def test_the_corpus_is_small():
    sizes = [path.stat().st_size for path in (HERE / "corpus").iterdir()]
    assert len(sizes) == len(DRIVERS)
    assert sum(sizes) < 300_000


def test_what_is_found_is_written_down_and_can_be_tried_again(monkeypatch, tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("fuzz", HERE.parents[1] / "tools/fuzz.py")
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    assert runner.SHARES.keys() == DRIVERS.keys()
    assert [runner.corpus(target) for target in DRIVERS] == [kept(target) for target in DRIVERS]
    monkeypatch.setattr(runner, "FINDINGS", tmp_path)
    monkeypatch.setattr(surveys, "parse_survey", lambda raw: raw["askance"])
    assert runner.generate_cases("surveys", 3, 60, 1)[0] == 3
    texts = [str(path) for path in tmp_path.glob("surveys-*.case")]
    assert texts
    assert runner.again(*texts) == len(texts)
    monkeypatch.undo()
    assert runner.again(*texts) == 0
    assert "nothing is wrong" in capsys.readouterr().out


@pytest.mark.long
def test_a_collector_that_is_too_kind_is_caught(monkeypatch):
    def too_kind(body, form):
        return honest(body.replace(b": ", b":").ljust(form.size), form)

    honest = reports.accept
    monkeypatch.setattr(reports, "accept", too_kind)
    assert findings("reports", fresh("reports"))


def test_a_reader_that_differs_from_the_page_is_caught(monkeypatch):
    """Python's order of keys was once not the page's; it is not that of halves of characters."""

    def by_halves(document):
        def turned(part):
            if isinstance(part, dict):
                return {key: turned(part[key]) for key in sorted(part, key=halves)}
            return list(map(turned, part)) if isinstance(part, list) else part

        return honest(document), json.dumps(turned(document), separators=(",", ":")).encode()

    def halves(key):
        return key.encode("utf-16-be", "surrogatepass")

    honest = forms.canonical
    document = forms.copied(forms._DOCUMENTS[0]) | {"about": {"\uffff": 1, "😀": 2}}
    right, wrong = by_halves(document)
    assert right != wrong
    monkeypatch.setattr(forms, "_text", lambda case, _: case.decode())
    judge_result = forms.judge([right, wrong])
    assert judge_result[0] == ""
    assert judge_result[1].startswith("DIFFERENCE")


def test_a_refusal_that_is_a_crash_is_caught(monkeypatch):
    monkeypatch.setattr(surveys, "parse_survey", lambda raw: raw["askance"])
    assert "TypeError" in findings("surveys", surveys.seeds())[0][1]


@pytest.mark.long
def test_a_file_that_takes_an_hour_is_caught(monkeypatch):
    def busy(_):
        while True:
            pass

    monkeypatch.setattr(surveys, "_SECONDS", 1)
    monkeypatch.setattr(surveys, "publish", busy)
    assert findings("surveys", surveys.seeds()[:1])[0][1] == "takes more than 1 seconds"


def test_a_request_that_is_refused_on_the_way_gets_one_reply(monkeypatch):
    chunked = b"\x00POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk"
    assert findings("connections", [chunked]) == []
    refuse = connections.serve._Connection._refuse

    def forgets(line, code, *instead):
        refuse(line, code, *instead)
        line._inner.cycle.disconnected = False

    monkeypatch.setattr(connections.serve._Connection, "_refuse", forgets)
    assert "a second reply" in findings("connections", [chunked])[0][1]


def test_a_connection_that_hangs_or_keeps_too_much_is_caught(monkeypatch):
    line = connections.serve._Connection
    with monkeypatch.context() as broken:
        broken.setattr(line, "expire", lambda _: None)
        findings_result = findings(
            "connections", [b"\x00POST /report HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"]
        )
        assert "never ended" in findings_result[0][1]
    with monkeypatch.context() as broken:
        blank = json.dumps(connections._BLANK, sort_keys=True, separators=(",", ":"))
        made_up = Accepted(bytes(16), blank)
        broken.setattr("askance_collect.collect.app.accept", lambda body, form: made_up)
        findings_result = findings("connections", connections.seeds())
        assert any("nobody sent" in wrong for _, wrong in findings_result)
    with monkeypatch.context() as broken:
        broken.setattr("askance_collect.collect.app.accept", lambda body, form: 1 / 0)
        findings_result = findings("connections", connections.seeds())
        assert any("status 500" in wrong for _, wrong in findings_result)
