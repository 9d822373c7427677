"""Whatever takes our objects says so when it is given something else."""

import inspect
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import hypothesis
import pandas as pd
import pytest
from hypothesis import strategies as st

import askance as ak
from askance.arguments import _kinds, checked, no_less, no_more, refusal
from askance.errors import InputError

STRANGE = [None, 3, "x", [0.5, 0.5], {"yes": 1}, object()]


def _taking() -> list[object]:
    """Give the public functions, and classes made by place, that take our objects."""
    found = []
    for name in ak.__all__:
        one = getattr(ak, name)
        if not (inspect.isfunction(one) or (inspect.isclass(one) and _written(one))):
            continue
        if any(_kinds(each.annotation) for each in inspect.signature(one).parameters.values()):
            found.append(one)
    return found


def _written(one: type) -> bool:
    return inspect.isfunction(one.__init__) and hasattr(one.__init__, "__wrapped__")


@pytest.mark.parametrize("one", _taking(), ids=lambda one: one.__name__)
def test_what_takes_our_objects_refuses_others_by_name(one):
    every = inspect.signature(one).parameters.values()
    parameters = [each for each in every if each.kind is not each.VAR_POSITIONAL]
    for asked in parameters:
        kinds = _kinds(asked.annotation)
        for given in STRANGE if kinds else ():
            if isinstance(given, kinds):
                continue  # a list may well be allowed, with nothing said about what it holds
            with pytest.raises(InputError) as told:
                one(**{each.name: given if each is asked else _any(each) for each in parameters})
            assert told.value.where == f"{one.__name__}.{asked.name}"
            assert told.value.got == type(given).__name__
            assert told.value.allowed


def _any(parameter: inspect.Parameter) -> object:
    """Give something that the check lets pass, for it asks for nothing else."""
    kinds = _kinds(parameter.annotation)
    return object.__new__(_concrete(kinds[0])) if kinds and kinds[0] is not Mapping else {}


def _concrete(kind: type) -> type:
    return next(one for one in (kind, *kind.__subclasses__()[::-1]) if not inspect.isabstract(one))


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
    assert share(frame=frame, of={"a": 1}, name=3) == (frame, {"a": 1}, 3)
    with pytest.raises(InputError, match=r"share\.of: got 'list'"):
        share(frame, [1])
    with pytest.raises(TypeError, match="missing 1 required"):
        share()


def test_what_is_held_is_looked_at_too():
    with pytest.raises(InputError, match=r"log_rank_test\.samples\['b'\]: got 'list'"):
        ak.log_rank_test({"a": ak.Ranges([0], [1]), "b": [1, 2]})
    with pytest.raises(InputError, match=r"compose\.guarantees\[0\]: got 'int'"):
        ak.compose([3])


def test_a_refusal_never_repeats_what_was_given():
    assert "secret" not in str(refusal("here", "secret", (ak.Frame,)))


def test_a_column_of_counts_is_told_how_it_becomes_a_mapping():
    counts = pd.Series(["yes", "no", "no"]).value_counts()
    channel = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    with pytest.raises(InputError, match=r"'Series'; allowed: a mapping .*its \.to_dict may give"):
        ak.Tally(channel, counts)
    assert ak.Tally(channel, counts.to_dict()).counts.tolist() == [1, 2]


def _bounds_by_nearest(text: str) -> list[str]:
    """Find what is allowed written with a number that is rounded to the nearest."""
    return [
        found
        for said in re.findall(r"allowed\s*=\s*\(?((?:\s*f?\"[^\"\n]*\"(?:[^\"\n]*\n)?)+)", text)
        for found in re.findall(r"\{[^{}]*:[^{}]*[efg]\}", said)
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
