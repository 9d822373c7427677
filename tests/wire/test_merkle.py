"""Heads of Merkle trees and their proofs, by the reference tree, by recursion and by law."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance_collect.errors import InputError
from askance_collect.wire import (
    is_consistent,
    is_included,
    leaf_hash,
    prove_consistency,
    prove_inclusion,
    tree_head,
)

PRINTED = json.loads((Path(__file__).parents[1] / "oracles/rfc6962.json").read_text("ascii"))
ENTRIES = [bytes.fromhex(entry) for entry in PRINTED["entries"]]
HEADS = [bytes.fromhex(head) for head in PRINTED["heads"]]
LEAVES = [leaf_hash(item) for item in ENTRIES]
trees = st.lists(st.binary(max_size=3), min_size=1, max_size=40).map(
    lambda entries: [leaf_hash(entry) for entry in entries]
)


def hashes(texts):
    return [bytes.fromhex(text) for text in texts]


def numbered(size):
    return [leaf_hash(b"%d" % index) for index in range(size)]


def half(size):
    return max(2**power for power in range(size) if 2**power < size)


def twin_head(entries):
    """MTH as the RFC defines it: by recursion, over entries."""
    if not entries:
        return sha256(b"").digest()
    if len(entries) == 1:
        return sha256(b"\0" + entries[0]).digest()
    k = half(len(entries))
    return sha256(b"\1" + twin_head(entries[:k]) + twin_head(entries[k:])).digest()


def twin_path(index, entries):
    """PATH as the RFC defines it."""
    if len(entries) == 1:
        return []
    k = half(len(entries))
    if index < k:
        return [*twin_path(index, entries[:k]), twin_head(entries[k:])]
    return [*twin_path(index - k, entries[k:]), twin_head(entries[:k])]


def twin_subproof(first, entries, entire=True):
    """SUBPROOF as the RFC defines it."""
    if first == len(entries):
        return [] if entire else [twin_head(entries)]
    k = half(len(entries))
    if first <= k:
        return [*twin_subproof(first, entries[:k], entire), twin_head(entries[k:])]
    return [*twin_subproof(first - k, entries[k:], False), twin_head(entries[:k])]


def test_heads_of_the_reference_tree():
    assert [tree_head(LEAVES[:size]) for size in range(9)] == HEADS


@pytest.mark.parametrize("item", PRINTED["inclusion"], ids=str)
def test_inclusion_proofs_of_the_reference_tree(item):
    index, size, proof = item["index"], item["size"], hashes(item["proof"])
    assert prove_inclusion(LEAVES[:size], index) == proof
    assert is_included(LEAVES[index], index, size, proof, HEADS[size])


@pytest.mark.parametrize("item", PRINTED["consistency"], ids=str)
def test_consistency_proofs_of_the_reference_tree(item):
    first, size, proof = item["first"], item["size"], hashes(item["proof"])
    assert prove_consistency(LEAVES[:size], first) == proof
    assert is_consistent(first, HEADS[first], size, HEADS[size], proof)


def test_every_small_tree_is_as_the_rfc_defines_it():
    entries = [b"%d" % position for position in range(20)]
    for size in range(1, len(entries)):
        leaves = [leaf_hash(entry) for entry in entries[:size]]
        assert tree_head(leaves) == twin_head(entries[:size])
        for index in range(size):
            assert prove_inclusion(leaves, index) == twin_path(index, entries[:size])
            assert prove_consistency(leaves, index + 1) == twin_subproof(index + 1, entries[:size])


@given(trees, st.data())
def test_every_leaf_is_shown_and_no_other_in_its_place(leaves, data):
    head, size = tree_head(leaves), len(leaves)
    drawn_value = data.draw(st.integers(0, size - 1))
    proof = prove_inclusion(leaves, drawn_value)
    assert is_included(leaves[drawn_value], drawn_value, size, proof, head)
    for other in range(size):
        assert is_included(leaves[other], drawn_value, size, proof, head) == (
            leaves[other] == leaves[drawn_value]
        )
    assert not is_included(leaf_hash(b"another"), drawn_value, size, proof, head)


@given(trees, st.data())
def test_every_beginning_is_consistent_and_no_altered_one(leaves, data):
    size = len(leaves)
    first = data.draw(st.integers(0, size))
    proof = prove_consistency(leaves, first)
    before, head = tree_head(leaves[:first]), tree_head(leaves)
    assert is_consistent(first, before, size, head, proof)
    if first:
        drawn_value = data.draw(st.integers(0, first - 1))
        changed = [*leaves[:drawn_value], leaf_hash(b"another"), *leaves[drawn_value + 1 :]]
        dropped = leaves[:drawn_value] + leaves[drawn_value + 1 :]
        for altered in (changed, dropped, sorted(leaves), leaves[::-1]):
            if altered[:first] != leaves[:first]:
                consistency = prove_consistency(altered, min(first, len(altered)))
                assert not is_consistent(first, before, size, tree_head(altered), consistency)
                assert not is_consistent(
                    first, before, len(altered), tree_head(altered), consistency
                )
                assert not is_consistent(first, before, size, tree_head(altered), proof)


@given(trees, st.data())
def test_no_part_of_a_proof_can_be_changed_left_out_or_added(leaves, data):
    size, head = len(leaves), tree_head(leaves)
    drawn_value = data.draw(st.integers(0, size - 1))
    path, steps = prove_inclusion(leaves, drawn_value), prove_consistency(leaves, drawn_value + 1)
    before = tree_head(leaves[: drawn_value + 1])
    for altered in spoilt(path, data):
        assert not is_included(leaves[drawn_value], drawn_value, size, altered, head)
    for altered in spoilt(steps, data):
        assert not is_consistent(drawn_value + 1, before, size, head, altered)


def spoilt(proof, data):
    other = leaf_hash(b"another")
    yield [*proof, other]
    yield [other, *proof]
    if proof:
        drawn_value = data.draw(st.integers(0, len(proof) - 1))
        yield proof[:drawn_value] + proof[drawn_value + 1 :]
        yield [*proof[:drawn_value], other, *proof[drawn_value + 1 :]]
        yield [*proof[:drawn_value], proof[drawn_value][:-1], *proof[drawn_value + 1 :]]
    if proof[::-1] != proof:
        yield proof[::-1]


def test_no_head_is_taken_for_another_trees():
    leaves = numbered(7)
    head, proof = tree_head(leaves), prove_consistency(leaves, 4)
    assert not is_consistent(4, tree_head(leaves[:3]), 7, head, proof)
    assert not is_consistent(7, head, 4, tree_head(leaves[:4]), proof)
    assert not is_consistent(-1, head, 7, head, [])
    assert not is_consistent(0, head, 7, head, [])
    assert not is_consistent(0, tree_head([]), 0, head, [])
    assert not is_consistent(7, tree_head(leaves[:6]), 7, head, [])
    assert not is_consistent(3, tree_head(leaves[:3]), 7, head, [])
    assert is_consistent(0, tree_head([]), 7, head, [])


def test_an_inner_node_is_no_leaf_and_bytes_do_not_move_between_neighbours():
    item, two = numbered(2)
    head = tree_head([item, two])
    assert leaf_hash(item + two) != head
    assert not is_included(item + two[:8], 0, 2, [two[8:]], head)
    assert not is_included(item[:24], 0, 2, [item[24:] + two], head)


@pytest.mark.parametrize("index", [-1, 7, 2.5, None])
def test_what_is_no_place_in_the_tree_is_refused(index):
    with pytest.raises(InputError):
        prove_inclusion(numbered(7), index)
    with pytest.raises(InputError):
        prove_consistency(numbered(7), 8 if index == 7 else index)


def test_what_is_no_hash_is_refused():
    with pytest.raises(InputError, match=r"leaves\[1\]: got '3 bytes'; allowed: 32 bytes"):
        tree_head([leaf_hash(b""), b"tea"])
    with pytest.raises(InputError, match="a tree with leaves"):
        prove_inclusion([], 0)
