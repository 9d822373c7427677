"""A Merkle tree over what is published: one number that names all of it, and proofs that are short.

Whoever holds a head can be shown that something is among what it names, or that a later head names
all of it and more, without seeing the rest.

References
----------
Laurie, Messeri, Stradling (2021), Certificate Transparency Version 2.0, RFC 9162, section 2.1.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from hashlib import sha256
from itertools import zip_longest

from askance_collect.arguments import checked
from askance_collect.errors import InputError

DIGEST = 32
"""Bytes of a hash."""


@checked
def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry of a log, as a leaf of its Merkle tree.

    h(d) = SHA-256(0 ‖ d): an inner node is never a leaf, since its hash begins otherwise.

    Parameters
    ----------
    entry : bytes
        The entry d.

    Returns
    -------
    bytes
        32 of them.

    References
    ----------
    Laurie, Messeri, Stradling (2021), section 2.1.1.

    >>> from askance_collect.wire import leaf_hash
    >>> leaf_hash(b"").hex()[:16]
    '6e340b9cffb37a98'
    """
    return sha256(b"\x00" + entry).digest()


@checked
def tree_head(leaves: Sequence[bytes]) -> bytes:
    r"""The head of a Merkle tree: one hash that names all its leaves, in their order.

    Neighbours are joined, SHA-256(1 ‖ left ‖ right), until one is left; a last one that has no
    neighbour goes up as it is. Of no leaves it is the SHA-256 of nothing.

    Parameters
    ----------
    leaves : sequence of bytes
        Hashes of entries, by `leaf_hash`.

    Returns
    -------
    bytes
        32 of them.

    Raises
    ------
    InputError
        If a leaf is no hash.

    References
    ----------
    Laurie, Messeri, Stradling (2021), section 2.1.1.

    >>> from askance_collect.wire import leaf_hash, tree_head
    >>> tree_head([]).hex()[:16]
    'e3b0c44298fc1c14'
    >>> tree_head([leaf_hash(b""), leaf_hash(b"\0")]).hex()[:16]
    'fac54203e7cc696c'
    """
    _need_hashes("leaves", leaves)
    return _head(leaves)


def tree_heads(leaves: Sequence[bytes], sizes: Sequence[int]) -> list[bytes]:
    """The heads that a tree had at several sizes as it grew, each leaf joined once.

    >>> leaves = [leaf_hash(name.encode()) for name in ("one", "two", "three")]
    >>> tree_heads(leaves, [3, 0, 2]) == [tree_head(leaves[:size]) for size in (3, 0, 2)]
    True
    """
    wanted, heads, complete = frozenset(sizes), {0: _head([])}, list[bytes]()
    for size, leaf in enumerate(leaves, start=1):
        node, remaining = leaf, size
        while not remaining % 2:
            node, remaining = _hash_pair(complete.pop(), node), remaining >> 1
        complete.append(node)
        if size in wanted:
            heads[size] = reduce(
                lambda right_hash, left_hash: _hash_pair(left_hash, right_hash), reversed(complete)
            )
    return [heads[size] for size in sizes]


def _head(leaves: Sequence[bytes]) -> bytes:
    row = leaves
    while len(row) > 1:
        row = [
            left_hash if right_hash is None else _hash_pair(left_hash, right_hash)
            for left_hash, right_hash in zip_longest(row[::2], row[1::2])
        ]
    return row[0] if row else sha256().digest()


def _hash_pair(left_hash: bytes, right_hash: bytes) -> bytes:
    return sha256(b"\x01" + left_hash + right_hash).digest()


@checked
def prove_inclusion(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """An inclusion proof (audit path): what leads from one leaf to the head.

    Parameters
    ----------
    leaves : sequence of bytes
        All leaves, by `leaf_hash`.
    index : int
        Which of them, from 0.

    Returns
    -------
    list of bytes
        At most one hash for each halving, the leaf's neighbour first.

    Raises
    ------
    InputError
        If there is no such leaf, or a leaf is no hash.

    References
    ----------
    Laurie, Messeri, Stradling (2021), section 2.1.3.1.

    >>> from askance_collect.wire import is_included, leaf_hash, prove_inclusion, tree_head
    >>> leaves = [leaf_hash(name.encode()) for name in ("one", "two", "three")]
    >>> path = prove_inclusion(leaves, 0)
    >>> len(path), is_included(leaves[0], 0, 3, path, tree_head(leaves))
    (2, True)
    """
    _need_hashes("leaves", leaves)
    if not 0 <= index < len(leaves):
        allowed = f"0 to {len(leaves) - 1}" if leaves else "a tree with leaves"
        raise InputError("index", got=index, allowed=allowed)
    path: list[bytes] = []
    while len(leaves) > 1:
        half = _half(len(leaves))
        left_leaves, right_leaves = leaves[:half], leaves[half:]
        path.append(_head(right_leaves if index < half else left_leaves))
        leaves, index = (left_leaves, index) if index < half else (right_leaves, index - half)
    return path[::-1]


@checked
def prove_consistency(leaves: Sequence[bytes], first: int) -> list[bytes]:
    """A consistency proof: that a tree begins with all that it had when it was smaller.

    Parameters
    ----------
    leaves : sequence of bytes
        All leaves, by `leaf_hash`.
    first : int
        How many there were at first.

    Returns
    -------
    list of bytes
        Empty where nothing was added, or nothing was there before.

    Raises
    ------
    InputError
        If there are fewer leaves than at first, or a leaf is no hash.

    References
    ----------
    Laurie, Messeri, Stradling (2021), section 2.1.4.1.

    >>> from askance_collect.wire import is_consistent, leaf_hash, prove_consistency, tree_head
    >>> leaves = [leaf_hash(name.encode()) for name in ("one", "two", "three")]
    >>> proof = prove_consistency(leaves, 2)
    >>> is_consistent(2, tree_head(leaves[:2]), 3, tree_head(leaves), proof)
    True
    """
    _need_hashes("leaves", leaves)
    if not 0 <= first <= len(leaves):
        raise InputError("first", got=first, allowed=f"0 to {len(leaves)}")
    proof: list[bytes] = []
    is_head_known = True  # whether what is left of the first tree is all of it, whose head is known
    while 0 < first < len(leaves):
        half = _half(len(leaves))
        left_leaves, right_leaves = leaves[:half], leaves[half:]
        proof.append(_head(right_leaves if first <= half else left_leaves))
        if first <= half:
            leaves = left_leaves
        else:
            leaves, first, is_head_known = right_leaves, first - half, False
    return [*([] if is_head_known else [_head(leaves)]), *proof[::-1]]


@checked
def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], head: bytes) -> bool:
    """Say whether an inclusion proof shows that a leaf is in the tree that a head names.

    Parameters
    ----------
    leaf : bytes
        By `leaf_hash`.
    index : int
        Where it is, from 0.
    size : int
        How many leaves the tree has.
    proof : sequence of bytes
        By `prove_inclusion`.
    head : bytes
        By `tree_head`.

    References
    ----------
    Laurie, Messeri, Stradling (2021), section 2.1.3.2.

    >>> is_included(leaf_hash(b""), 0, 1, [], leaf_hash(b""))
    True
    """
    if not 0 <= index < size or not _are_hashes(leaf, *proof):
        return False
    heads = _hash_upwards(index, size - 1, leaf, proof)
    return heads is not None and heads[1] == head


@checked
def is_consistent(
    first: int, first_head: bytes, size: int, head: bytes, proof: Sequence[bytes]
) -> bool:
    """Say whether a consistency proof shows that one tree begins with all leaves of another.

    Parameters
    ----------
    first, first_head : int, bytes
        How many leaves the smaller tree has, and its head.
    size, head : int, bytes
        Of the larger one.
    proof : sequence of bytes
        By `prove_consistency`.

    References
    ----------
    Laurie, Messeri, Stradling (2021), section 2.1.4.2.

    >>> is_consistent(1, leaf_hash(b""), 1, leaf_hash(b""), [])
    True
    """
    if not 0 <= first <= size or (first == size and first_head != head):
        return False
    if first in (0, size):
        return not proof and (first > 0 or first_head == _head([]))
    node_index, last = first - 1, size - 1
    while node_index % 2:
        node_index, last = node_index >> 1, last >> 1
    path = list(proof) if node_index else [first_head, *proof]
    if not path or not _are_hashes(*path):
        return False
    return _hash_upwards(node_index, last, path[0], path[1:]) == (first_head, head)


def _hash_upwards(
    node_index: int, last: int, node_hash: bytes, path: Sequence[bytes]
) -> tuple[bytes, bytes] | None:
    """Hash a node with its siblings up to the top of the tree.

    Gives what its left neighbours make with it, and what all do; None if the path has another
    length than the tree.
    """
    then = now = node_hash
    for sibling in path:
        if not last:
            return None
        if node_index % 2 or node_index == last:
            then, now = _hash_pair(sibling, then), _hash_pair(sibling, now)
            while not node_index % 2 and node_index:
                node_index, last = node_index >> 1, last >> 1
        else:
            now = _hash_pair(now, sibling)
        node_index, last = node_index >> 1, last >> 1
    return None if last else (then, now)


def _half(size: int) -> int:
    """The largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


def _are_hashes(*hashes: object) -> bool:
    """Say whether all have the length of a hash; joined, others could spell two of them."""
    return all(isinstance(candidate, bytes) and len(candidate) == DIGEST for candidate in hashes)


def _need_hashes(where: str, hashes: Sequence[bytes]) -> None:
    if not _are_hashes(*hashes):
        odd: Iterator[tuple[int, object]] = enumerate(hashes)
        index, wrong = next(
            (index, candidate) for index, candidate in odd if not _are_hashes(candidate)
        )
        actual = f"{len(wrong)} bytes" if isinstance(wrong, bytes) else wrong
        raise InputError(f"{where}[{index}]", got=actual, allowed=f"{DIGEST} bytes")
