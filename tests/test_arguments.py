"""Whatever takes our objects says so when it is given something else."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Literal

import hypothesis
import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st

import askance as ak
from askance_collect.arguments import checked, no_less, no_more
from askance_collect.errors import InputError


def test_a_thing_that_has_what_is_wanted_is_told_of():
    warner = ak.Warner(truth="3/4")
    with pytest.raises(InputError, match=r"its \.channel may give one"):
        ak.local_loss(warner)


def test_what_is_right_goes_through_unchanged():
    @checked
    def share(frame: ak.Frame, of: Mapping[str, int] | None = None, *, name: str = "") -> object:
        return frame, of, name

    frame = ak.Frame(["yes", "no"])
    assert share(frame) == (frame, None, "")
    assert share(frame=frame, of={"a": 1}, name="x") == (frame, {"a": 1}, "x")
    with pytest.raises(InputError, match=r"share\.of: got 'list'"):
        share(frame, [1])
    with pytest.raises(InputError, match=r"^name: got 3; allowed: a text"):
        share(frame, name=3)
    with pytest.raises(TypeError, match="missing 1 required"):
        share()


def test_numbers_texts_choices_pairs_and_functions_are_what_they_say():
    @checked
    def asked(
        share: float = 0.5,
        n: int | None = None,
        variant: Literal["up", "down"] = "up",
        support: tuple[float, float] | None = None,
        log: bool = False,
        phi: Callable[[float], float] = abs,
    ) -> object:
        return share, n, variant, support, log, phi

    assert asked(1, 3.0, "down", (0, 1), np.True_, len)[:4] == (1, 3, "down", (0, 1))
    assert type(asked(n=3.0)[1]) is int
    assert asked(Fraction(1, 4))[0] == 0.25
    assert asked(np.float64(0.25), np.int64(3))[:2] == (0.25, 3)
    assert asked(np.array(0.25))[0] == 0.25
    assert asked(float("inf"))[0] == float("inf")
    for where, strange in {
        "share": (float("nan"), "0.5", None, True, [0.5], 1j, np.array([0.5, 1])),
        "n": (2.5, float("inf"), "3", True, [3]),
        "variant": ("left", None, 1),
        "support": (5, (1,), (0, 1, 2), (0, float("nan")), "01", (0, None)),
        "log": (1, "yes", None),
        "phi": (1, None, "abs"),
    }.items():
        for inputs in strange:
            with pytest.raises(InputError) as caught:
                asked(**{where: inputs})
            assert caught.value.where == where
            assert caught.value.allowed


def test_what_is_held_is_looked_at_too():
    with pytest.raises(InputError, match=r"log_rank_test\.samples\['b'\]: got 'list'"):
        ak.inference.log_rank_test({"a": ak.Ranges([0], [1]), "b": [1, 2]})
    with pytest.raises(InputError, match=r"compose\.guarantees\[0\]: got 'int'"):
        ak.privacy.compose([3])


def test_a_refusal_never_repeats_what_was_given():
    with pytest.raises(InputError) as caught:
        ak.local_loss("secret")
    assert "secret" not in str(caught.value)


def test_a_column_of_counts_is_told_how_it_becomes_a_mapping():
    counts = pd.Series(["yes", "no", "no"]).value_counts()
    channel = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    with pytest.raises(InputError, match=r"'Series'; allowed: a mapping .*its \.to_dict may give"):
        ak.Tally(channel, counts)
    assert ak.Tally(channel, counts.to_dict()).counts.tolist() == [1, 2]


def _bounds_by_nearest(text: str) -> list[str]:
    """Find what is allowed written with a number that is rounded to the nearest."""
    return [
        result
        for match in re.findall(r"allowed\s*=\s*\(?((?:\s*f?\"[^\"\n]*\"(?:[^\"\n]*\n)?)+)", text)
        for result in re.findall(r"\{[^{}]*:[^{}]*[efg]\}", match)
    ]


def test_bounds_are_written_so_that_what_is_written_is_allowed():
    for path in Path(ak.__file__).parent.rglob("*.py"):
        assert _bounds_by_nearest(path.read_text(encoding="utf-8")) == [], path.name
    twin = 'raise InputError(\n    "level",\n    allowed=f"a level "\n    f"up to {most:.3f}",\n)'
    assert _bounds_by_nearest(twin) == ["{most:.3f}"]
    assert _bounds_by_nearest(twin.replace("{most:.3f}", "{no_more(most)}")) == []


@hypothesis.given(st.fractions(0, 10**9) | st.floats(0, 1e300, allow_subnormal=False))
def test_a_bound_is_rounded_inwards_by_a_hair(bound):
    least, most = Fraction(no_less(bound)), Fraction(no_more(bound))
    assert most <= Fraction(bound) <= least
    assert least - most <= Fraction(bound) / 500


@pytest.mark.parametrize(
    ("name", "taker"),
    [
        ("sampling", "estimate_line"),
        ("replicates", "ReplicateWeights"),
        ("weights", "SamplingDesign"),
        ("inclusion", "npmle"),
    ],
)
def test_what_is_said_of_a_sample_where_it_is_not_taken_is_refused_with_what_takes_it(
    name: str, taker: str
) -> None:
    ranges = ak.Ranges([[0, 2], [1, 3]])
    with pytest.raises(InputError, match=rf"fit_family\.{name}: .*{taker}"):
        ak.inference.fit_family(
            ranges, "norm", **{name: ak.inference.SamplingDesign(weights=[1, 2])}
        )
    with pytest.raises(InputError, match=rf"ShareLikelihood\.{name}: .*{taker}"):
        ak.inference.ShareLikelihood({}, **{name: [1, 2]})
