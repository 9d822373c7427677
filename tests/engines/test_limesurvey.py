"""What the real client fetches from LimeSurvey's interface is counted: its server is stood in for.

The server says what RemoteControl 2 says: a key for a name and a password, and for the key the
responses, as text in base 64. Its tables are as LimeSurvey 6.10.6 wrote them: what somebody had not
been asked is null, and nothing between two separators; counted is what it counts itself.
"""

import base64
import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from citric import Client
from citric.exceptions import LimeSurveyStatusError

from askance.engines import count_reports
from askance_collect.errors import DocumentError
from askance_collect.wire import Form

GUIDE = Path(__file__).parents[2] / "docs/how-to/ask-in-your-platform.md"
pytestmark = pytest.mark.filterwarnings("ignore::askance.engines.TableNote")
HEAD = "id submitdate lastpage startlanguage seed any_affair age[above] age[upto] children years"
PEOPLE: list[tuple[str | int | None, ...]] = [
    (1, "2026-11-24 10:00:00", 2, "en", "7", "yes", "", "40", "one", "3"),
    (2, "2026-11-24 11:00:00", 2, "en", "8", "no", "40", "", "more", "12"),
    (3, None, 1, "en", "9", None, None, None, None, None),
]
KEY = "4k9n2"
SURVEY = 123456


def written(kind: str, complete: str, separator: str = ";") -> str:
    """Write the responses; where there is none LimeSurvey writes one that is empty.

    Its page separates by commas, and does not end with an empty line.
    """
    names = HEAD.split()
    rows = [row for row in PEOPLE if complete == "all" or bool(row[1]) == (complete == "complete")]
    rows = rows or [("",) * len(names)]
    if kind == "json":
        return json.dumps({"responses": [dict(zip(names, row, strict=True)) for row in rows]})
    cells = [["" if cell is None else f'"{cell}"' for cell in row] for row in (names, *rows)]
    lines = "".join(separator.join(row) + "\r\n" for row in cells)
    return "\ufeff" + lines + "\r\n" * (separator == ";")


class RemoteControl(BaseHTTPRequestHandler):
    """Its JSON-RPC, as far as fetching responses goes."""

    def do_POST(self) -> None:
        document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        result = self.answer(document["method"], document["params"])
        encoded = json.dumps({"id": document["id"], "result": result, "error": None}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(encoded)))
        self.end_headers()
        self.wfile.write(encoded)

    def answer(self, method: str, params: list[Any]) -> Any:
        if method == "get_session_key":
            right = params[:2] == ["reader", "secret"]
            return KEY if right else {"status": "Invalid user name or password"}
        if params[0] != KEY:
            return {"status": "Invalid session key"}
        if method == "release_session_key":
            return "OK"
        assert method == "export_responses"
        _, survey, kind, _, complete, heading, *_ = params
        if survey != SURVEY:
            return {"status": "Error: Invalid survey ID"}
        assert heading == "code"
        return base64.b64encode(written(kind, complete).encode()).decode("ascii")

    def log_message(self, *_: object) -> None:
        """Keep silent."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), RemoteControl)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/admin/remotecontrol"
    server.shutdown()
    server.server_close()
    thread.join()


def expected(form: Form, tmp_path: Path, rows: int) -> Any:
    """Count the same people in a plain table."""
    head = HEAD.replace("[", "_").replace("]", "").split()
    people = [["" if cell is None else str(cell) for cell in row] for row in PEOPLE[:rows]]
    table = "".join(",".join(row) + "\n" for row in (head, *people))
    (tmp_path / "plain.csv").write_text(table, encoding="utf-8")
    return count_reports(tmp_path / "plain.csv", form)


def test_the_code_of_the_documentation_fetches_what_is_counted(
    address: str, affairs_form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    section = GUIDE.read_text("utf-8").split("\n## LimeSurvey\n")[1].split("\n## ")[0]
    (code,) = re.findall("```py\n(.*?)```", section, re.DOTALL)
    for replies, meant in (
        ("https://survey.example.org/admin/remotecontrol", address),
        ('os.environ["LIMESURVEY_PASSWORD"]', '"secret"'),
    ):
        assert replies in code
        code = code.replace(replies, meant)
    exec(code, {})
    assert count_reports("export.csv", affairs_form) == expected(affairs_form, tmp_path, 2)


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_all_is_counted_in_either_form(
    address: str, affairs_form: Form, tmp_path: Path, kind: str
) -> None:
    with Client(address, "reader", "secret") as client:
        client.save_responses(tmp_path / f"all.{kind}", SURVEY, file_format=kind)
        none = tmp_path / f"none.{kind}"
        none.write_bytes(
            client.export_responses(SURVEY, file_format=kind, completion_status="incomplete")
        )
        with pytest.raises(LimeSurveyStatusError, match="Invalid survey ID"):
            client.export_responses(1)
    result = count_reports(tmp_path / f"all.{kind}", affairs_form)
    assert result == expected(affairs_form, tmp_path, 3)
    assert count_reports(none, affairs_form).reports == 1


def test_what_its_page_exports_is_counted(affairs_form: Form, tmp_path: Path) -> None:
    path = tmp_path / "results-survey1.csv"
    path.write_text(written("csv", "all", ","), encoding="utf-8", newline="")
    assert count_reports(path, affairs_form) == expected(affairs_form, tmp_path, 3)


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_where_nobody_came_no_report_is_counted(
    affairs_form: Form, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.PEOPLE", [])
    path = tmp_path / f"none.{kind}"
    path.write_text(written(kind, "all"), encoding="utf-8", newline="")
    assert count_reports(path, affairs_form).reports == 0


@pytest.mark.parametrize(
    ("change", "result"),
    [
        (('"age[upto]"', '"age[to]"'), "no columns named 'age_upto'"),
        (('"age[upto]"', '"age_above"'), "result 1: got \"two columns 'age_above'\""),
        (('"no"', '"maybe"'), "result 2, column any_affair"),
        (("[{", "{"), "results in JSON"),
        (('"responses": [', '"responses": 1, "rest": ['), "responses: allowed: an array"),
    ],
)
def test_what_is_damaged_is_told(
    affairs_form: Form, tmp_path: Path, change: tuple[str, str], result: str
) -> None:
    text = written("json", "all")
    assert change[0] in text
    path = tmp_path / "damaged.json"
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(DocumentError, match=re.escape(result)) as refused:
        count_reports(path, affairs_form)
    assert "maybe" not in str(refused.value)
