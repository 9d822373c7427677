"""Equal documents have equal bytes, which can stand in a page as they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.wire.canonical import canonical, fingerprint

documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(documents)
def test_the_spelling_is_read_back_and_is_its_own(document):
    spelling = canonical(document)
    assert json.loads(spelling) == document
    assert canonical(json.loads(spelling)) == spelling
    assert spelling.isascii()
    assert not set(b"<>&") & set(spelling)


@given(st.dictionaries(st.text(), st.integers()))
def test_the_order_of_keys_does_not_matter(document):
    assert canonical(dict(reversed(document.items()))) == canonical(document)


def test_what_no_document_may_hold_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


def test_the_fingerprint_is_sha_256():
    assert fingerprint(b"abc").startswith("ba7816bf8f01cfea414140de5dae2223")
