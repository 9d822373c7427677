"""Reading forms: what is refused, where, and that reading is stable."""

import copy
import json

import pytest

from askance.errors import FormError
from askance.wire.form import Form, body_size


def test_a_form_is_known_by_its_content_not_its_spelling(affairs_form):
    loose = json.dumps(affairs_form.document, indent=3, ensure_ascii=False)
    for raw in (loose, loose.encode(), affairs_form.bytes, affairs_form.document):
        assert Form.read(raw).fingerprint == affairs_form.fingerprint


def test_a_form_does_not_change_with_the_document_it_was_read_from(affairs_form):
    document = copy.deepcopy(affairs_form.document)
    form = Form.read(document)
    document["questions"].clear()
    assert form.bytes == affairs_form.bytes


def test_a_question_is_found_by_its_name(affairs_form):
    for question in affairs_form.questions:
        assert affairs_form.question(question.name) is question
    with pytest.raises(FormError, match="shoe_size"):
        affairs_form.question("shoe_size")


def test_the_size_holds_the_widest_report(affairs_form):
    assert affairs_form.size % 256 == 0
    assert affairs_form.size == body_size(affairs_form.questions)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"size": 1}, "size"),
        ({"languages": ["xx"]}, "title"),
        ({"questions": [{"kind": "table"}]}, r"questions\[0\]"),
        ({"collector": "https://example.org/'none'/"}, "collector"),
    ],
)
def test_the_message_says_where_what_and_what_is_allowed(affairs_form, change, where):
    with pytest.raises(FormError, match=rf"^{where}: got .*allowed: "):
        Form.read(affairs_form.document | change)


def test_the_repr_of_a_form_does_not_print_it_whole(affairs_form):
    assert "consent" not in repr(affairs_form).split("questions=")[0]
