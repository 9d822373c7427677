"""Equal documents have equal bytes, which can stand in a page as they are."""

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance_collect.errors import FormError
from askance_collect.wire import Form

LARGEST = 2**53 - 1
documents = st.dictionaries(
    st.text(),
    st.recursive(
        st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    ),
)


@settings(max_examples=25)
@given(documents)
@pytest.mark.long
def test_the_spelling_is_read_back_and_is_its_own(affairs_form, about):
    form = Form.read(affairs_form.document | {"about": about})
    assert json.loads(form.bytes)["about"] == about
    assert Form.read(form.bytes).bytes == form.bytes
    assert form.bytes.isascii()
    assert not set(b"<>&") & set(form.bytes)


@settings(max_examples=25)
@given(documents)
@pytest.mark.long
def test_the_order_of_keys_does_not_matter(affairs_form, about):
    document = affairs_form.document | {"about": about}
    turned = dict(reversed(document.items())) | {"about": dict(reversed(about.items()))}
    assert list(turned) != list(document)
    assert Form.read(turned).bytes == Form.read(document).bytes


@pytest.mark.parametrize("odd", [float("nan"), 0.5, LARGEST + 1, object()])
def test_what_no_document_may_hold_is_refused(affairs_form, odd):
    with pytest.raises(FormError, match="no fraction"):
        Form.read(affairs_form.document | {"about": {"odd": odd}})


def test_the_fingerprint_is_sha_256(affairs_form):
    assert affairs_form.fingerprint == hashlib.sha256(affairs_form.bytes).hexdigest()
    assert hashlib.sha256(b"abc").hexdigest().startswith("ba7816bf8f01cfea414140de5dae2223")
