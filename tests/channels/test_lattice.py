"""The transforms against sums written out set by set."""

from fractions import Fraction

import numpy as np
import pytest

from askance.channels import frame as lattice
from askance_collect.errors import InputError

INSIDE = {
    lattice.subset_sums: lambda part, entire: not part & ~entire,
    lattice.superset_sums: lambda part, complete: not complete & ~part,
    lattice.meeting_sums: lambda part, whole: bool(part & whole),
}


def written_out(values, related):
    sets = range(values.shape[-1])
    sums = [sum(values[..., part] for part in sets if related(part, entire)) for entire in sets]
    return np.stack([np.broadcast_to(item, values.shape[:-1]) for item in sums], axis=-1)


@pytest.mark.parametrize("transform", INSIDE)
@pytest.mark.parametrize("answers", range(8))
def test_sums_are_those_written_out(transform, answers):
    dice = np.random.default_rng(answers)
    numbers = dice.integers(0, 1000, (2, 3, 1 << answers))
    assert np.array_equal(transform(numbers), written_out(numbers, INSIDE[transform]))


@pytest.mark.parametrize("transform", INSIDE)
def test_fractions_stay_exact(transform):
    values = np.array([Fraction(index, 7) for index in range(32)], dtype=object)
    sums = transform(values)
    assert sums.tolist() == written_out(values, INSIDE[transform]).tolist()
    assert all(isinstance(item, Fraction) for item in sums[1:])


@pytest.mark.parametrize("answers", [0, 1, 5, 14])
def test_differences_undo_sums(answers):
    values = np.random.default_rng(3).integers(-99, 99, (2, 1 << answers)).astype(float)
    before = values.copy()
    assert np.array_equal(lattice.subset_differences(lattice.subset_sums(values)), values)
    assert np.array_equal(lattice.superset_differences(lattice.superset_sums(values)), values)
    assert np.array_equal(values, before)


def test_sums_in_place_need_no_copy():
    values = np.arange(2.0 * 1024).reshape(2, 1024)
    expected = lattice.superset_sums(values)
    sums = lattice.superset_sums(values, copy=False)
    assert sums is values
    assert np.array_equal(values, expected)


def test_small_plausibilities_are_not_lost():
    values = np.zeros(1 << 12)
    values[1], values[-2], values[6] = 1e-30, 1 - 1e-3, 1e-3
    meeting = lattice.meeting_sums(values)
    assert meeting[1] == 1e-30
    assert meeting[0] == 0
    assert 1 - lattice.subset_sums(values)[-2] != 1e-30


@pytest.mark.parametrize("length", [0, 3, 12, 1 << 25])
def test_other_lengths_are_refused(length):
    with pytest.raises(InputError, match="one value per set"):
        lattice.subset_sums(np.broadcast_to(0.0, (length,)))


@pytest.mark.long
def test_the_largest_frame_works():
    values = np.zeros(1 << lattice.LARGEST, dtype=np.float64)
    values[5] = 1
    sums = lattice.subset_sums(values)
    assert sums.sum() == 1 << (lattice.LARGEST - 2)
    assert sums[-1] == sums[5] == 1
