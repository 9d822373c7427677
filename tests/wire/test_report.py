"""Reports: one length, one spelling, nothing impossible, and no answer in any message."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance_collect.errors import ReportRefused
from askance_collect.wire import Report, read_report


@st.composite
def values(draw, form):
    """Any values that the form allows, as a collector may get them."""

    def one(question):
        if question.kind == "cuts":
            tick = draw(st.integers(1, question.line.ticks - 1))
            return draw(st.sampled_from([(0, tick), (tick, question.line.ticks), None]))
        if question.kind == "number":
            return draw(st.none() | st.integers(0, question.line.ticks))
        names = question.reports if question.kind == "table" else question.answers
        return draw(st.none() | st.integers(0, len(names) - 1))

    return {question.name: one(question) for question in form.questions}


@given(data=st.data())
def test_every_body_has_one_length_and_is_read_back(affairs_form, data):
    form = affairs_form
    report = Report(form.fingerprint, "0123456789abcdef" * 2, data.draw(values(form)))
    body = report.body(form.size)
    assert len(body) == form.size
    assert body.isascii()
    assert read_report(body, form) == report


@given(junk=st.binary(max_size=300))
def test_junk_is_refused_by_a_code(affairs_form, junk):
    for body in (junk, junk.ljust(affairs_form.size)):
        with pytest.raises(ReportRefused) as refusal:
            read_report(body, affairs_form)
        assert refusal.value.code in {"size", "not-json", "shape"}


@pytest.mark.long
@given(
    junk=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=4,
    )
)
def test_no_value_but_an_allowed_one_is_taken(affairs_form, junk):
    for question in affairs_form.questions:
        raw = dict.fromkeys(item.name for item in affairs_form.questions) | {question.name: junk}
        document = {"answers": raw, "form": affairs_form.fingerprint, "id": "0" * 32}
        body = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
        body = body.ljust(affairs_form.size)
        if junk is None or question.allows(junk):
            items = tuple(junk) if isinstance(junk, list) else junk
            assert read_report(body, affairs_form).values[question.name] == items
        elif len(body) == affairs_form.size:
            with pytest.raises(ReportRefused) as refusal:
                read_report(body, affairs_form)
            assert refusal.value.code == "impossible"
            assert question.name in refusal.value.where


def test_a_report_that_is_printed_keeps_what_it_says(affairs_form):
    assert "31415926" not in repr(Report(affairs_form.fingerprint, "0" * 32, {"years": 31415926}))


def test_no_message_repeats_a_value(affairs_form):
    secret = "4711-secret"
    names = [question.name for question in affairs_form.questions]
    bodies = [
        {"answers": dict.fromkeys(names, secret), "form": affairs_form.fingerprint, "id": "0" * 32},
        {"answers": {secret: 1}, "form": affairs_form.fingerprint, "id": "0" * 32},
        {"answers": {}, "form": secret, "id": "0" * 32},
        {"answers": {}, "form": affairs_form.fingerprint, "id": secret},
        {secret: 1},
        secret,
    ]
    for body in bodies:
        with pytest.raises(ReportRefused) as refusal:
            read_report(json.dumps(body).encode().ljust(affairs_form.size), affairs_form)
        assert secret not in f"{refusal.value} {refusal.value!r} {vars(refusal.value)}"
        assert refusal.value.__cause__ is None


def test_a_report_that_cannot_fit_is_not_cut():
    with pytest.raises(ReportRefused) as refusal:
        Report("f" * 64, "0" * 32, {"q": 1}).body(100)
    assert refusal.value.code == "size"
