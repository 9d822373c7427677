"""Reading forms: what is refused, where, and that reading is stable."""

import contextlib
import copy
import hashlib
import json
import pickle

import pytest

from askance_collect.errors import FormError
from askance_collect.exact import Floor, Line, PairLaw, Table
from askance_collect.wire import (
    Choice,
    CutsQuestion,
    Form,
    Label,
    Number,
    RingQuestion,
    TableQuestion,
)


def test_a_form_is_known_by_its_content_not_its_spelling(affairs_form):
    loose = json.dumps(affairs_form.document, indent=3, ensure_ascii=False)
    for raw in (loose, loose.encode(), affairs_form.bytes, affairs_form.document):
        assert Form.read(raw).fingerprint == affairs_form.fingerprint


def test_bytes_of_a_form_are_text_in_utf_8(affairs_form):
    """Two halves of a character, each spelt by itself, would be published as the whole one."""
    halves = affairs_form.document | {"about": {"😀": 1}}
    encoded = json.dumps(halves, ensure_ascii=False).encode()
    assert Form.read(b"\xef\xbb\xbf" + encoded) == Form.read(encoded) == Form.read(halves)
    text = encoded.replace("😀".encode(), b"\xed\xa0\xbd\xed\xb8\x80")
    for raw in (text, text.decode(errors="surrogatepass"), encoded.decode().encode("utf-16")):
        with pytest.raises(FormError, match=r"^form: .*UTF-8"):
            Form.read(raw)


@pytest.mark.parametrize("levels", [63, 64, 300, 900, 100_000])
def test_a_form_nested_too_deep_is_refused_by_its_levels(affairs_form, levels):
    shallow = Form.read(affairs_form.document | {"about": {"a": 0}}).bytes
    raw = shallow.replace(b'"about":{"a":0}', b'"about":{"a":%s}' % _deep(levels))
    with pytest.raises(FormError, match=r"^form: .*64 levels"):
        Form.read(raw)
    Form.read(raw.replace(_deep(levels), _deep(62)))


def _deep(levels):
    return b"[" * levels + b"]" * levels


def test_a_form_does_not_change_with_the_document_it_was_read_from(affairs_form):
    document = copy.deepcopy(affairs_form.document)
    form = Form.read(document)
    document["questions"].clear()
    assert form.bytes == affairs_form.bytes


def test_nothing_in_a_form_can_be_changed_under_its_fingerprint(affairs_form):
    """What is handed out is a copy, or cannot be written to, at any depth."""
    form = Form.read(affairs_form.bytes)
    before = form.bytes
    form.document["title"]["en"] = "Another"
    form.document["questions"][0].clear()
    assert (form.bytes, form.document) == (before, affairs_form.document)
    assert hashlib.sha256(form.bytes).hexdigest() == form.fingerprint
    for question in form.questions:
        for name in ("text", "unit", "about"):
            getattr_result = getattr(question, name, None)
            if getattr_result is not None:
                with pytest.raises(TypeError):
                    getattr_result["en"] = "Another"
    wording = {"en": "Yes"}
    label = Label("yes", wording)
    wording["en"] = "No"
    assert label.wording == {"en": "Yes"}


def test_a_form_crosses_processes(affairs_form):
    assert pickle.loads(pickle.dumps(affairs_form)) == affairs_form
    assert copy.deepcopy(affairs_form) == affairs_form


def test_a_question_is_found_by_its_name(affairs_form):
    for question in affairs_form.questions:
        assert affairs_form.question(question.name) is question
    with pytest.raises(FormError, match="shoe_size"):
        affairs_form.question("shoe_size")


def test_the_size_holds_the_widest_report(affairs_form):
    widest = {"any_affair": None, "age": [53, 53], "children": None}
    names = [question.name for question in affairs_form.questions]
    report = {"answers": {name: widest.get(name) for name in names}, "form": "f" * 64}
    longest = len(json.dumps(report | {"id": "0" * 32}, separators=(",", ":")))
    assert longest <= affairs_form.size < longest + 256
    assert affairs_form.size % 256 == 0


@pytest.mark.parametrize(("count", "most"), [(2, 4), (10_000, 4), (10_001, 5), (12_345, 5)])
def test_no_value_is_wider_than_its_question_says(count, most):
    """Nothing is sent as null: four characters."""
    names = tuple(Label(str(index), {}) for index in range(count))
    table = Table(1, ((1,) + (0,) * (count - 1),))
    line = Line(0, count - 1, 1) if count > 2 else Line(0, 2, 1)
    for question in (
        Choice("q", {}, names),
        TableQuestion("q", {}, names[:1], names, ((0,),) * count, table, (0, 1), {}),
        Number("q", {}, line, {}),
    ):
        assert question.max_encoded_length == most


@pytest.mark.parametrize("ticks", [9, 10, 99, 100, 1000])
def test_a_range_is_no_wider_than_both_its_ends_at_the_last_tick(ticks):
    floor = Floor([1] * ticks, 1)
    cuts = CutsQuestion("q", {}, Line(0, ticks), {}, 2, (1,) * (ticks - 1), False, (0, 1), {})
    ring = RingQuestion(
        "q", {}, Line(0, ticks), {}, PairLaw((1,) * (ticks - 1), floor), False, (0, 1), {}
    )
    for question in (cuts, ring):
        assert question.max_encoded_length == len(f"[{ticks},{ticks}]")


@pytest.mark.parametrize("junk", [None, 3, "12", [1], [1, 2, 3], [1, 2.0], [-1, 2], [0, 2], [1, 4]])
def test_a_ring_allows_pairs_of_inner_ticks_alone(junk):
    law = PairLaw((1, 1, 1), Floor([1] * 4, 1))
    question = RingQuestion("q", {}, Line(0, 4), {}, law, False, (0, 1), {})
    assert question.allows([1, 2])
    assert question.allows((3, 1))
    assert not question.allows(junk)


def test_a_number_may_be_any_tick_and_no_more():
    question = Number("q", {}, Line(0, 3, 1), {})
    assert [question.allows(index) for index in (-1, 0, 3, 4, True, 1.0)] == [0, 1, 1, 0, 0, 0]


def test_a_report_that_no_answer_sends_is_not_allowed():
    names = tuple(Label(name, {}) for name in "abc")
    table = Table(2, ((1, 1, 0), (0, 2, 0)))
    question = TableQuestion("q", {}, names[:2], names, ((0,), (1,), (0, 1)), table, (0, 1), {})
    assert [question.allows(index) for index in range(-1, 4)] == [False, True, True, False, False]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"size": 1}, "size"),
        ({"languages": ["xx"]}, "title"),
        ({"questions": [{"kind": "table"}]}, r"questions\[0\]\.name"),
        ({"collector": "https://example.org/'none'/"}, "collector"),
    ],
)
def test_the_message_says_where_what_and_what_is_allowed(affairs_form, change, where):
    with pytest.raises(FormError, match=rf"^{where}: got .*allowed: "):
        Form.read(affairs_form.document | change)


@pytest.mark.parametrize(("part", "index", "own"), [("coin", 0, "choice"), ("groups", 1, "table")])
def test_what_another_kind_of_question_has_is_refused_by_name(affairs_form, part, index, own):
    questions = affairs_form.document["questions"]
    questions[index][part] = []
    text = (
        rf"^questions\[{index}\]\.{part}: got .*; allowed: '{part}' where kind is \"{own}\"; leave "
    )
    with pytest.raises(FormError, match=text):
        Form.read(affairs_form.document | {"questions": questions})


def test_the_repr_of_a_form_does_not_print_it_whole(affairs_form):
    assert "consent" not in repr(affairs_form).split("questions=")[0]


def test_an_image_may_be_so_long_and_no_longer(affairs_form):
    begin = "data:image/svg+xml;base64,"
    text = "A" * (65_536 - len(begin) - 2)
    look = {"logo": {"image": begin + text, "alt": {"en": "A dot"}}}
    form = Form.read(affairs_form.document | {"askance": "form-2", "look": look})
    assert form.branding.logo.uri == begin + text
    look["logo"]["image"] += "AAAA"
    with pytest.raises(FormError) as refused:
        Form.read(affairs_form.document | {"askance": "form-2", "look": look})
    assert refused.value.where == "look.logo.image"


ODD = [None, 5, 1.5, True, "x", [], [5], [[]], {}, {"a": 1}]


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_questions_that_are_no_list_of_questions_are_refused_as_a_form(affairs_form, value):
    where = "form" if value == 1.5 else "questions"  # no fraction stands in a form at all
    with pytest.raises(FormError, match=f"^{where}"):
        Form.read(affairs_form.document | {"questions": value})


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_whatever_stands_under_a_key_a_form_is_read_or_refused(affairs_form, value):
    """No key of a form, and none of a question, fails in another way."""
    document = affairs_form.document
    questions = document["questions"]
    changes = [{key: value} for key in (*document, "lists", "sections", "skips", "about", "quotas")]
    for index, question in enumerate(questions):
        for key in question:
            changed = [*questions[:index], question | {key: value}, *questions[index + 1 :]]
            changes.append({"questions": changed})
    for change in changes:
        with contextlib.suppress(FormError):
            Form.read(document | change)
