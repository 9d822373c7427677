"""The verifier's bytes, what its policy names, and for whom there is none."""

import base64
import gzip
import hashlib
import re

import pytest

from askance_collect.errors import InputError
from askance_collect.respond import render_page, render_verifier, verified_link
from askance_collect.wire import Form

HOME = "https://exam.example.org/"
TELL = "Ethics board\n\nethics@uni.example"


@pytest.fixture(scope="module")
def form(affairs_form):
    return Form.read(affairs_form.document | {"collector": HOME})


def policy_of(page):
    stated = page.headers["content-security-policy"].split("; ")
    return {name: rest for name, _, rest in (item.partition(" ") for item in stated)}


def hashed(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"


def test_everybody_makes_the_same_bytes_of_the_same(form):
    item, other = (
        render_verifier(element, HOME, TELL) for element in (form, Form.read(form.bytes))
    )
    assert item == other
    assert item.sha256 == hashlib.sha256(item.bytes).hexdigest()
    assert item != render_verifier(form, HOME, "somebody else")
    assert len(gzip.compress(item.bytes, 9)) < 12_000


def test_its_policy_names_its_script_and_the_pages_and_nothing_else(form):
    page, verifier = render_page(form), render_verifier(form, HOME, TELL)
    policy, own = policy_of(verifier), policy_of(page)
    for part, tag in (("script-src", "script type=.module."), ("style-src", "style")):
        inside = re.search(f"<{tag}>(.*?)</{tag.split()[0]}>".encode(), verifier.bytes, re.DOTALL)
        assert policy[part].split() == [own[part], hashed(inside[1])]
    assert policy["default-src"] == "'none'"
    assert policy["connect-src"] == HOME.rstrip("/")
    assert policy["trusted-types"] == "verified"
    assert policy["frame-ancestors"] == "'none'"
    assert {"worker-src", "frame-src"} & policy.keys() == set()
    assert not re.search(rb"(src|href)=.http", verifier.bytes)


def test_a_page_on_another_host_is_reached_and_no_other_is(form):
    elsewhere = render_verifier(form, "https://www.uni.example/exam/index.html", TELL)
    reached = policy_of(elsewhere)["connect-src"]
    assert reached == f"{HOME.rstrip('/')} https://www.uni.example"


def test_nothing_that_it_is_told_is_read_as_markup(form):
    result = "<b onclick=x>\n\n</script><script>alert(1)</script>"
    text = render_verifier(form, HOME, result).bytes.decode()
    assert "<b " not in text
    assert text.count("</script>") == 1


@pytest.mark.parametrize(
    ("change", "address", "tell", "where"),
    [
        ({"collector": ""}, HOME, TELL, "form"),
        ({"askance": "form-2", "tablet": True}, HOME, TELL, "form"),
        ({}, "http://exam.example.org/", TELL, "address"),
        ({}, "https://exam.example.org", TELL, "address"),
        ({}, "https://exam.example.org/#page", TELL, "address"),
        ({}, "https://exam.example.org:99999/", TELL, "address"),
        ({}, "https://exam.example.org/;script-src *", TELL, "address"),
        ({}, HOME, " \n", "tell"),
    ],
)
def test_what_no_verifier_could_open_is_refused(form, change, address, tell, where):
    with pytest.raises(InputError) as refused:
        render_verifier(Form.read(form.document | change), address, tell)
    assert refused.value.where == where


@pytest.mark.parametrize(
    ("given", "where"),
    [
        (("library.example", HOME, "0" * 64), "verifier"),
        (("https://library.example/x.html#y", HOME, "0" * 64), "verifier"),
        (("https://library.example/", "exam", "0" * 64), "address"),
        (("https://library.example/", HOME, "0" * 63), "sha256"),
    ],
)
def test_a_link_is_made_of_addresses_and_a_sha256(given, where):
    with pytest.raises(InputError) as refused:
        verified_link(*given)
    assert refused.value.where == where
