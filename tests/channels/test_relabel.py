"""Maps of answers: images of focal sets, and the lemma's misprint."""

from fractions import Fraction
from itertools import product

import pytest

from askance import Abstain, Channel, Frame
from askance.channels import MassFunction, image, relabel
from askance.privacy import shafer_loss, walley_loss
from askance_collect.errors import InputError

ABC, DE = Frame(["a", "b", "c"]), Frame(["d", "e"])
F = Fraction
M = MassFunction(ABC, {1: F(1, 2), 6: F(1, 4), 7: F(1, 4)})
MERGE = {"a": "d", "b": "d", "c": "e"}


def test_the_image_mass_is_of_images_not_of_preimages():
    """The paper's m(f⁻¹(F)) would not sum to one."""
    image_result = image(M, MERGE, DE)
    assert image_result.masses == {1: F(1, 2), 3: F(1, 2)}
    preimages = {1: 0b011, 2: 0b100, 3: 0b111}
    assert sum(M.masses.get(before, 0) for before in preimages.values()) == F(1, 4)


def test_beliefs_move_by_preimages():
    image_result = image(M, MERGE, DE)
    for onto, before in {1: 0b011, 2: 0b100, 3: 0b111}.items():
        assert image_result.belief(onto) == M.belief(before)
        assert image_result.plausibility(onto) == M.plausibility(before)


def test_a_drawn_map_is_a_mixture_whose_coupling_matters():
    """Both mixtures send every answer to d or e with chance 1/2; their image masses differ."""
    vacuous = MassFunction(DE, {3: 1})
    stay, swap, all_d, all_e = ({"d": x, "e": y} for x, y in ("de", "ed", "dd", "ee"))
    together = image(vacuous, [("1/2", all_d), ("1/2", all_e)])
    image_result = image(vacuous, [("1/2", stay), ("1/2", swap)])
    assert together.masses == {1: F(1, 2), 2: F(1, 2)}
    assert image_result.is_vacuous


def test_channels_move_row_by_row():
    q = Abstain(truth=0.6, lie=0.2).channel(ABC)
    maps = [(0.25, MERGE), (0.75, {"a": "e", "b": "d", "c": "e"})]
    relabel_result = relabel(q, maps, DE)
    assert relabel_result.output == DE
    assert relabel_result.table is not None
    for answer in ABC.answers:
        assert relabel_result.mass(answer) == image(q.mass(answer), maps, DE)
    doubles = Channel(ABC, {"a": ["a"], "bc": ["b", "c"]}, [[0.7, 0.3], [0.2, 0.8], [0.5, 0.5]])
    assert relabel(doubles, MERGE, DE).matrix[0].tolist() == [0.7, 0.3]


def test_every_map_of_three_answers_raises_no_loss():
    q = Abstain(truth="5/9", lie="2/9").channel(ABC)
    for targets in product(ABC.answers, repeat=3):
        relabel_result = relabel(q, dict(zip(ABC.answers, targets, strict=True)))
        assert shafer_loss(relabel_result).value <= shafer_loss(q).value
        assert walley_loss(relabel_result).value <= walley_loss(q).value


@pytest.mark.parametrize(
    ("maps", "why"),
    [
        ({"a": "d", "b": "d"}, "nothing for 'c'"),
        ({**MERGE, "c": "f"}, "allowed: d, e"),
        ([(0.5, MERGE)], "chances that sum to 1/2"),
        ([(1.5, MERGE), (-0.5, MERGE)], "probability in"),
        ([], "chances that sum to 0"),
    ],
)
def test_what_does_not_fit_is_refused(maps, why):
    with pytest.raises(InputError, match=why):
        image(M, maps, DE)
