"""Askance's Python, as the suite in js/conformance asks it: one JSON object a line."""

import json
import sys
from functools import cache

from askance_collect.errors import AskanceError
from askance_collect.respond import draw, draw_bounds, encode
from askance_collect.wire import Form, Report

read = cache(Form.read)


def read_form(text):
    return json.loads(read(text).bytes)


def fingerprint(text):
    return read(text).fingerprint


def draws_of(form, question, words):
    iter_result = iter(words)
    draws = draw(read(form).questions[question], lambda: next(iter_result))
    return {"draws": draws, "used": len(words) - len(list(iter_result))}


def value_of(form, question, draws, answer, steps=None):
    requests = read(form).questions[question]
    items = (0,) * len(draw_bounds(requests)) if draws is None else tuple(draws)
    return encode(requests, answer, items, steps)


def report(form, id, values):
    names = (question.name for question in read(form).questions)
    parts = (tuple(value) if isinstance(value, list) else value for value in values)
    body = Report(read(form).fingerprint, id, dict(zip(names, parts, strict=True)))
    return body.body(read(form).size).decode("ascii")


CALLS = {
    "readForm": read_form,
    "fingerprint": fingerprint,
    "draw": draws_of,
    "encode": value_of,
    "report": report,
}

for line in sys.stdin:
    given = json.loads(line)
    try:
        answer = {"result": CALLS[given.pop("call")](**given)}
    except AskanceError as refusal:
        answer = {"refused": type(refusal).__name__}
    sys.stdout.write(f"{json.dumps(answer)}\n")
    sys.stdout.flush()
