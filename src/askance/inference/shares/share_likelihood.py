"""The log-likelihood of shares in groups, with its gradient, as any other program can use it.

A sampler of Bayesian statistics wants two functions and no more: what the reports make of a guess
at the shares, and in which direction that grows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.channels.tally import Tally
from askance.inference.shares.information import speaking
from askance.inference.shares.partial import given_speaking
from askance.inference.shares.sampled_law import SampledLaw, tangent
from askance.inference.shares.share_intervals import refuse_impossible
from askance.results import doubles, keep_read_only, read_only
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class ShareLikelihood:
    r"""The log-likelihood of the shares in one group or more, with its gradient (score function).

    .. math:: \ell(\pi) = \sum_g \sum_j n_{gj} \log \sum_i \pi_{gi}\, q^{(g)}_{ij}

    up to a constant. It is concave in π, and does not ask that shares sum to one: a prior keeps
    them on the simplex. Hand `value` and `gradient` to a sampler that takes functions, or `counts`
    and `chances` to one that differentiates by itself.

    Of tallies with weights or of a complex sample it is a pseudo-likelihood: of weighted
    frequencies, and of as many people drawn alike as tell these as precisely. The frequencies of a
    group then count

    .. math:: n_g^* = \min\Bigl(n_g, \frac{(\sum_g w)^2}{c \sum_g w^2}\Bigr)

    reports, with c the design effect beyond that of unequal weights. One c is estimated from all
    groups together, each by its degrees of freedom: the variances that few clusters of one group
    tell are too rough to be taken for known. Groups count as independent, though clusters may reach
    into several.

    Parameters
    ----------
    tallies : mapping of str to Tally
        Of each group, by its name: all of one frame; channels may differ. With weights or of a
        complex sample too.

    Attributes
    ----------
    groups : tuple of str
    labels : tuple of str
        The k answers.
    counts : array, shape (groups, m)
        :math:`n_{gj}` of the reports that were received and say something of the answer; 0 where a
        group received fewer kinds. Of a sample they need not be whole and sum to :math:`n_g^*`.
    chances : array, shape (groups, k, m)
        :math:`q^{(g)}_{ij}` of these; 1 where there is no report.

    Raises
    ------
    InputError
        If there is no group, frames differ, or a report was received that no answer can send.

    References
    ----------
    Chen, Wakefield & Lumley (2014), effective sample sizes in hierarchical models; Rao & Molina
    (2015), on pseudo-likelihoods and on smoothing variances over areas.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> likelihood = ak.inference.ShareLikelihood({"north": ak.Tally(q, {"yes": 4, "no": 6})})
    >>> shares = [[0.3, 0.7]]
    >>> round(likelihood.value(shares), 6), likelihood.gradient(shares).round(9).tolist()
    (-6.730117, [[10.0, 10.0]])
    """

    groups: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Floats
    chances: Floats

    @checked
    def __init__(self, tallies: Mapping[str, Tally]) -> None:
        _refuse_unlike(tallies)
        for tally in tallies.values():
            refuse_impossible(tally)
        counts_by_group = effective_counts(list(tallies.values()))
        received = [
            received_of(tally, counts)
            for tally, counts in zip(tallies.values(), counts_by_group, strict=True)
        ]
        labels = next(iter(tallies.values())).channel.frame.answers
        most = max(1, *(len(n) for n, _ in received))
        counts = np.zeros((len(tallies), most))
        chances = np.ones((len(tallies), len(labels), most))
        for group, (n, q) in enumerate(received):
            counts[group, : len(n)] = n
            chances[group, :, : len(n)] = q
        fields = {"groups": tuple(tallies), "labels": labels, "counts": counts, "chances": chances}
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        keep_read_only(self, "counts chances")

    @checked
    def value(self, shares: npt.ArrayLike) -> float:
        """The log-likelihood; −∞ where a report that was received has no chance.

        Parameters
        ----------
        shares : array, shape (groups, k)

        Raises
        ------
        InputError
            If the shape is another one, or a share is not finite.
        """
        chance = self._chance(shares)
        is_observed = self.counts > 0
        if (chance[is_observed] <= 0).any():
            return -np.inf
        return float(self.counts[is_observed] @ np.log(chance[is_observed]))

    @checked
    def gradient(self, shares: npt.ArrayLike) -> Floats:
        r"""The score by each share, shape (groups, k).

        .. math:: \frac{\partial \ell}{\partial \pi_{gi}} = \sum_j n_{gj}\, q^{(g)}_{ij} / p_{gj}

        Not a number where a report that was received has no chance.

        Parameters
        ----------
        shares : array, shape (groups, k)
        """
        chance, is_observed = self._chance(shares), self.counts > 0
        ratios = np.zeros_like(chance)
        ratios[is_observed] = self.counts[is_observed] / np.where(
            chance[is_observed] > 0, chance[is_observed], np.nan
        )
        return read_only((self.chances @ ratios[:, :, None])[..., 0])

    def _chance(self, shares: npt.ArrayLike) -> Floats:
        values = doubles(shares, "ShareLikelihood.shares")
        wanted = (len(self.groups), len(self.labels))
        if values.shape != wanted:
            raise InputError("ShareLikelihood.shares", got=values.shape, allowed=f"shape {wanted}")
        if not np.isfinite(values).all():
            index = tuple(np.argwhere(~np.isfinite(values))[0].tolist())
            where = f"ShareLikelihood.shares{list(index)}"
            raise InputError(where, got=float(values[index]), allowed="a finite number")
        return (values[:, None, :] @ self.chances)[:, 0, :]


def received_of(tally: Tally, counts: Floats) -> tuple[Floats, Floats]:
    """Counts of the reports received that say something, and their chances, shape (k, m)."""
    is_received = (counts > 0) & speaking(tally.channel)
    return counts[is_received], tally.channel.matrix[:, is_received]


def effective_counts(tallies: Sequence[Tally]) -> list[Floats]:
    """Counts of each report; effective counts if the tally is weighted.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> sums = {"yes": 20.0, "no": 20.0}  # of weights 1 and 3, as often
    >>> heavy = ak.Tally(q, {"yes": 10, "no": 10}, weights=sums, squares={"yes": 50, "no": 50})
    >>> [counts.round(2).tolist() for counts in effective_counts([heavy, ak.Tally(q, {"yes": 2})])]
    [[8.0, 8.0], [2.0, 0.0]]
    """
    spoken = [given_speaking(tally) for tally in tallies]
    laws = [SampledLaw.of(tally) for tally in spoken]
    effects = {
        is_design_based: _common_effect(
            [
                (law, tally)
                for law, tally in zip(laws, spoken, strict=True)
                if law is not None and law.is_design_based == is_design_based
            ]
        )
        for is_design_based in (False, True)
    }
    counts = [tally.counts.astype(float) for tally in tallies]
    for column, law, informative, tally in zip(counts, laws, spoken, tallies, strict=True):
        if law is not None:
            places = np.isin(tally.channel.reports, informative.channel.reports)
            column[places] = law.frequency * min(law.kish / effects[law.is_design_based], law.n)
    return counts


def _common_effect(groups: Sequence[tuple[SampledLaw, Tally]]) -> float:
    """The variance of frequencies over that of as many people as their weights are worth.

    Along what shares can change, summed over groups, each by its degrees of freedom. Of weights
    alone, which tell no more than counts, it is at least 1; and 1 where no group tells it.
    """
    observed = simple = 0.0
    for law, tally in groups:
        df = min(law.df, law.n - 1.0)
        if df < 1 or not law.kish > 1:
            continue
        basis, f = tangent(tally.channel.matrix.T), law.frequency
        contrasts = basis.T @ (np.eye(len(f)) - f[:, None])
        spread = contrasts @ law.covariance @ contrasts.T + basis.T @ np.diag(law.repeated) @ basis
        observed += df * float(np.trace(spread))
        simple += df * float(np.trace(basis.T @ np.diag(f) @ basis)) / (law.kish - 1)
        simple -= df * float(((basis.T @ f) ** 2).sum()) / (law.kish - 1)
    if not (observed > 0 and simple > 0):
        return 1.0
    return observed / simple if groups[0][0].is_design_based else max(observed / simple, 1.0)


def _refuse_unlike(tallies: Mapping[str, Tally]) -> None:
    if not tallies:
        raise InputError("tallies", got="no group", allowed="one or more by name")
    (first, tally), *others = tallies.items()
    for name, other in others:
        if other.channel.frame != tally.channel.frame:
            raise InputError(
                f"tallies[{name!r}]",
                got=f"answers {', '.join(other.channel.frame.answers)}",
                allowed=f"those of {first!r}: {', '.join(tally.channel.frame.answers)}",
            )
