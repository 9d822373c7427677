"""What a tablet saved to a file is taken in as if it had been sent, all of it or nothing."""

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance_collect.collect import open_store, read_saved
from askance_collect.errors import DocumentError
from askance_collect.respond import respond


@pytest.fixture
def bodies(affairs_form):
    answers = {question.name: None for question in affairs_form.questions}
    size = affairs_form.size
    return sorted(respond(affairs_form, answers).body(size) for _ in range(5))


@pytest.fixture
def saved_store(tmp_path, affairs_form):
    """Write a file and take it in: place(lines) gives what was said, and how many are kept."""
    form, store, saved = (tmp_path / name for name in ("f.form.json", "s.db", "r.askance"))
    form.write_bytes(affairs_form.bytes)

    def take(lines, *, end=b"\n", extra=()):
        saved.write_bytes(end.join(lines) + end)
        words = ["collect", "import", str(store), str(saved), "--form", str(form), *extra]
        run = CliRunner().invoke(verbs, words)
        if not store.exists():
            return run, None
        kept_store = open_store(store, read_only=True)
        try:
            return run, kept_store.count()
        finally:
            kept_store.close()

    return take


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_every_report_is_kept_once(saved_store, bodies, end):
    run, count = saved_store(bodies, end=end)
    assert (run.exit_code, run.output, count) == (0, "5 kept\n", 5)
    run, count = saved_store([*bodies, bodies[0]])
    assert (run.exit_code, count) == (0, 5)
    assert run.output == "0 kept\n6 kept already, word for word\n"


def test_spaces_that_were_lost_on_the_way_are_no_harm(affairs_form, tmp_path, bodies):
    path = tmp_path / "r.askance"
    result = []
    for lines in (bodies, [body.rstrip() for body in bodies]):
        path.write_bytes(b"\n".join(lines))
        result.append(read_saved(path, affairs_form))
    assert result[0] == result[1]
    assert [item.id.hex().encode() for item in result[0]] == [
        body.split(b'"')[-2] for body in bodies
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda body: body.rstrip()[:-1], "not-json"),
        (lambda body: b"", "not-json"),
        (lambda body: b"{}", "shape"),
        (lambda body: body + b" x", "size"),
        (lambda body: b"\xff\xfe", "not-json"),
    ],
)
def test_a_line_that_is_no_report_is_named_and_nothing_is_taken_in(
    saved_store, bodies, change, code
):
    run, count = saved_store([*bodies[:2], change(bodies[2]), *bodies[3:]])
    assert isinstance(run.exception, DocumentError)
    text = str(run.exception)
    assert f"r.askance, line 3: got 'something else ({code})'" in text
    assert "nothing was taken in" in text
    assert bodies[2].decode()[:20] not in text
    assert count is None


def test_a_report_on_another_form_is_refused(saved_store, bodies, affairs_form):
    other = bodies[0].replace(affairs_form.fingerprint.encode(), b"e" * 64)
    run, count = saved_store([other])
    assert "line 1: got 'something else (wrong-form)'" in str(run.exception)
    assert count is None


def test_another_report_under_a_number_that_was_used_is_told(saved_store, bodies, affairs_form):
    saved_store(bodies)
    name = next(question.name for question in affairs_form.questions if question.allows(0)).encode()
    changed = bodies[0].replace(b'"%b":null' % name, b'"%b":0' % name)
    assert changed != bodies[0]
    run, count = saved_store([changed])
    assert run.output == "0 kept\n1 another report has this id\n"
    assert "got '1 that were not kept'" in str(run.exception)
    assert count == 5


def test_a_closed_survey_takes_no_more(saved_store, bodies, tmp_path):
    saved_store(bodies[:2])
    closing = CliRunner().invoke(verbs, ["collect", "close", str(tmp_path / "s.db")])
    assert closing.exit_code == 0
    run, count = saved_store(bodies)
    assert count == 2
    assert run.output == (
        "0 kept\n2 kept already, word for word\n3 the survey takes no more reports\n"
    )
    assert "got '3 that were not kept'" in str(run.exception)


def test_an_empty_file_takes_nothing_in(saved_store):
    run, count = saved_store([], end=b"")
    assert (run.exit_code, run.output, count) == (0, "0 kept\n", 0)
