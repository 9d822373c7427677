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
ENTRIES = [bytes.fromhex(one) for one in PRINTED["entries"]]
HEADS = [bytes.fromhex(one) for one in PRINTED["heads"]]
LEAVES = [leaf_hash(one) for one in ENTRIES]
trees = st.lists(st.binary(max_size=3), min_size=1, max_size=40).map(
    lambda entries: [leaf_hash(one) for one in entries]
)


def hashes(texts):
    return [bytes.fromhex(one) for one in texts]


def numbered(size):
    return [leaf_hash(b"%d" % at) for at in range(size)]


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


def twin_subproof(first, entries, whole=True):
    """SUBPROOF as the RFC defines it."""
    if first == len(entries):
        return [] if whole else [twin_head(entries)]
    k = half(len(entries))
    if first <= k:
        return [*twin_subproof(first, entries[:k], whole), twin_head(entries[k:])]
    return [*twin_subproof(first - k, entries[k:], False), twin_head(entries[:k])]


def test_heads_of_the_reference_tree():
    assert [tree_head(LEAVES[:size]) for size in range(9)] == HEADS


@pytest.mark.parametrize("one", PRINTED["inclusion"], ids=str)
def test_inclusion_proofs_of_the_reference_tree(one):
    index, size, proof = one["index"], one["size"], hashes(one["proof"])
    assert prove_inclusion(LEAVES[:size], index) == proof
    assert is_included(LEAVES[index], index, size, proof, HEADS[size])


@pytest.mark.parametrize("one", PRINTED["consistency"], ids=str)
def test_consistency_proofs_of_the_reference_tree(one):
    first, size, proof = one["first"], one["size"], hashes(one["proof"])
    assert prove_consistency(LEAVES[:size], first) == proof
    assert is_consistent(first, HEADS[first], size, HEADS[size], proof)


def test_every_small_tree_is_as_the_rfc_defines_it():
    entries = [b"%d" % at for at in range(20)]
    for size in range(1, len(entries)):
        leaves = [leaf_hash(one) for one in entries[:size]]
        assert tree_head(leaves) == twin_head(entries[:size])
        for at in range(size):
            assert prove_inclusion(leaves, at) == twin_path(at, entries[:size])
            assert prove_consistency(leaves, at + 1) == twin_subproof(at + 1, entries[:size])


@given(trees, st.data())
def test_every_leaf_is_shown_and_no_other_in_its_place(leaves, data):
    head, size = tree_head(leaves), len(leaves)
    at = data.draw(st.integers(0, size - 1))
    proof = prove_inclusion(leaves, at)
    assert is_included(leaves[at], at, size, proof, head)
    for other in range(size):
        assert is_included(leaves[other], at, size, proof, head) == (leaves[other] == leaves[at])
    assert not is_included(leaf_hash(b"another"), at, size, proof, head)


@given(trees, st.data())
def test_every_beginning_is_consistent_and_no_altered_one(leaves, data):
    size = len(leaves)
    first = data.draw(st.integers(0, size))
    proof = prove_consistency(leaves, first)
    before, head = tree_head(leaves[:first]), tree_head(leaves)
    assert is_consistent(first, before, size, head, proof)
    if first:
        at = data.draw(st.integers(0, first - 1))
        changed = [*leaves[:at], leaf_hash(b"another"), *leaves[at + 1 :]]
        dropped = leaves[:at] + leaves[at + 1 :]
        for altered in (changed, dropped, sorted(leaves), leaves[::-1]):
            if altered[:first] != leaves[:first]:
                told = prove_consistency(altered, min(first, len(altered)))
                assert not is_consistent(first, before, size, tree_head(altered), told)
                assert not is_consistent(first, before, len(altered), tree_head(altered), told)
                assert not is_consistent(first, before, size, tree_head(altered), proof)


@given(trees, st.data())
def test_no_part_of_a_proof_can_be_changed_left_out_or_added(leaves, data):
    size, head = len(leaves), tree_head(leaves)
    at = data.draw(st.integers(0, size - 1))
    path, steps = prove_inclusion(leaves, at), prove_consistency(leaves, at + 1)
    before = tree_head(leaves[: at + 1])
    for altered in spoilt(path, data):
        assert not is_included(leaves[at], at, size, altered, head)
    for altered in spoilt(steps, data):
        assert not is_consistent(at + 1, before, size, head, altered)


def spoilt(proof, data):
    other = leaf_hash(b"another")
    yield [*proof, other]
    yield [other, *proof]
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        yield proof[:at] + proof[at + 1 :]
        yield [*proof[:at], other, *proof[at + 1 :]]
        yield [*proof[:at], proof[at][:-1], *proof[at + 1 :]]
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
    one, two = numbered(2)
    head = tree_head([one, two])
    assert leaf_hash(one + two) != head
    assert not is_included(one + two[:8], 0, 2, [two[8:]], head)
    assert not is_included(one[:24], 0, 2, [one[24:] + two], head)


@pytest.mark.parametrize("at", [-1, 7, 2.5, None])
def test_what_is_no_place_in_the_tree_is_refused(at):
    with pytest.raises(InputError):
        prove_inclusion(numbered(7), at)
    with pytest.raises(InputError):
        prove_consistency(numbered(7), 8 if at == 7 else at)


def test_what_is_no_hash_is_refused():
    with pytest.raises(InputError, match=r"leaves\[1\]: got '3 bytes'; allowed: 32 bytes"):
        tree_head([leaf_hash(b""), b"tea"])
    with pytest.raises(InputError, match="a tree with leaves"):
        prove_inclusion([], 0)
