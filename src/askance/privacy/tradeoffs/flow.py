"""The most that can flow through a network, in whole numbers."""

from collections import deque
from collections.abc import Hashable

Network = dict[Hashable, dict[Hashable, int]]


def largest_flow(capacity: Network, source: Hashable, sink: Hashable) -> Network:
    """Give a largest flow, by shortest augmenting paths.

    Parameters
    ----------
    capacity : nested dict
        How much each node can pass on to each other.
    source, sink : hashable

    References
    ----------
    Edmonds & Karp (1972), section 1.2.

    >>> flow = largest_flow({"s": {"a": 3, "b": 1}, "a": {"t": 2}, "b": {"t": 2}}, "s", "t")
    >>> flow["s"]
    {'a': 2, 'b': 1}
    """
    spare: Network = {}
    for start, ends in capacity.items():
        for end, most in ends.items():
            spare.setdefault(start, {})[end] = most
            spare.setdefault(end, {}).setdefault(start, 0)
    while path := _path(spare, source, sink):
        most = min(spare[start][end] for start, end in path)
        for start, end in path:
            spare[start][end] -= most
            spare[end][start] += most
    return {
        start: {end: most - spare[start][end] for end, most in ends.items()}
        for start, ends in capacity.items()
    }


def _path(spare: Network, source: Hashable, sink: Hashable) -> list[tuple[Hashable, Hashable]]:
    """Find a shortest path with room left, edge by edge."""
    came: dict[Hashable, Hashable] = {source: source}
    queue = deque([source])
    while queue and sink not in came:
        node = queue.popleft()
        for end, room in spare[node].items():
            if room and end not in came:
                came[end] = node
                queue.append(end)
    edges = []
    node = sink
    while node in came and node != source:
        edges.append((came[node], node))
        node = came[node]
    return edges[::-1]
