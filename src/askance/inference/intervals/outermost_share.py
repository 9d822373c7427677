"""The outermost share in a likelihood-ratio set, found by exclusion of all shares beyond it.

The set holds each share whose squared deviate is at most a critical value. Both depend on the
share, so the set may have holes: the deviate dips where nobody agrees any longer, and the critical
value rises where the share meets that of many people (a step of F). Newton's method, which finds
some end, may stop at an inner one.

So the search goes on from there, outwards by stretches on which a lower bound of the deviate is
above an upper bound of the critical value. A crowd of b people who agree (with a share θ where F(t)
may rise) maximises l + b log θ, so beyond the θ₁ that it moves F(t) to

    fall(θ) ≥ fall(θ₁) + b log(θ/θ₁), and the crowd is larger.

The deviate rises with the fall, with the crowd and with θ. Shares up to other ends rise with θ, as
the likelihood of ranges is supermodular in them (Topkis, 1978), so they tie with θ at most as if
they stayed until they are pooled. Where the stretch ends a share is asked for, and the next begins.

The share that is returned is in the set but for 0.0003 of the critical value, and beyond it no
deviate is less than 0.99 times its critical value, unless on a stretch of shares narrower than a
two-hundredth of their way from the estimate.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import betainc, expit, ndtri

from askance.typing import Floats, Integers

_LEEWAY = 0.01  # of the critical value, by which a deviate beyond the end may be less
_CLOSE = 3e-4  # a deviate's logarithm, where it is critical
_NARROW = 1e-5  # positions, between which it is not looked for
_STEEP = 1.8  # by about so much the logarithm of a deviate rises with the position
_LEAST_STEEP, _MOST_STEEP = 0.3, 4.0
_MOST_STEP = 4.0  # of a position
_NEAR_SIDE = 0.1  # of a stretch, that a straight line through its ends leaves at either side
_ROUNDING = 1e-12
_SURE = 1 - _ROUNDING  # a share that rounding may make 1
_NOTHING = 1e-9  # a deviate whose logarithm is still taken
FURTHEST = 16.0  # a way, at which the share is the estimate or the other end but for 1e-7
_STRETCHES = (0.005, 0.02, 0.06, 0.2, 0.6, 2.0, 6.0, 2 * FURTHEST)  # of ways, from a share on


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CandidateShare:
    """A share, the crowd that moves F(t) there, and whether it is in the likelihood-ratio set.

    Attributes
    ----------
    position : float
        Grows outwards about as its `_logit_beyond`: that, or the logarithm of the crowd.
    share : float
    agree : float
        The share of people who agree with the crowd: F(t) where it moves up, else 1 − F(t).
    fall : float
        Of the log-likelihood, from its top.
    crowd : float
        How many people.
    critical : float
        How large the squared deviate may be there.
    upto : array, shape (c,)
        The shares up to all ends, on which the critical value depends; else of no length.
    """

    position: float
    share: float
    agree: float
    fall: float
    crowd: float
    critical: float
    upto: Floats

    @property
    def deviate(self) -> float:
        """The squared deviate."""
        return least_deviate(self.fall, self.crowd, self.agree, self.agree)

    @property
    def excess(self) -> float:
        """The logarithm of the deviate over its critical value: nearly straight in the position."""
        return math.log(max(self.deviate, _NOTHING) / self.critical)


_Pair = tuple[CandidateShare | None, CandidateShare | None]


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutermostSearch:
    """The search for the outermost share that is in the likelihood-ratio set.

    Attributes
    ----------
    ask : callable
        Computes about the share at a position, from one nearby; None where rounding forbids.
    most_critical : callable
        Of a share: bounds the critical values from it to where so many agree, for each number.
    agree : float
        How many agree at the estimate.
    least, most : float
        Positions, before which the share is the estimate and beyond which nobody looks.
    """

    ask: Callable[[float, CandidateShare], CandidateShare | None]
    most_critical: Callable[[CandidateShare], Callable[[Floats], Floats]]
    agree: float
    least: float
    most: float

    def close_in(self, first: CandidateShare) -> Iterator[_Pair]:
        """Close in on the outermost share of the set.

        The first of a pair is in the set, the second the outermost one. It is missing but in the
        last pair, and there too if all are in the set. (None, None) ends the search where rounding
        forbids it.
        """
        candidate: CandidateShare | None = first
        while candidate is not None:
            crossing: CandidateShare | None = candidate
            for crossing in self._search_crossing(candidate):
                if crossing is not None and crossing.excess <= 0:
                    yield crossing, None
            if crossing is not None and crossing.excess < -_CLOSE:
                return
            candidate = crossing and self._find_another(crossing)
            if crossing is not None and candidate is crossing:
                yield None, crossing
                return
        yield None, None

    def _search_crossing(self, first: CandidateShare) -> Iterator[CandidateShare | None]:
        """Find a share whose deviate is critical, beyond the first if that is in the set."""
        low = high = last = None
        candidate: CandidateShare | None = first
        while True:
            yield candidate
            if candidate is None or abs(candidate.excess) <= _CLOSE:
                return
            low, high = (candidate, high) if candidate.excess < 0 else (low, candidate)
            if low is not None and high is not None:
                if high.position - low.position <= _NARROW:
                    yield high
                    return
                position = _divide(low, high)
            else:
                step = -candidate.excess / _steepness(last, candidate)
                step = min(max(step, -_MOST_STEP), _MOST_STEP)
                position = min(max(candidate.position + step, self.least), self.most)
                if position == candidate.position or candidate.agree >= 1:
                    return
            last, candidate = candidate, self.ask(position, candidate)

    def _find_another(self, crossing: CandidateShare) -> CandidateShare | None:
        """Find a share of the set beyond one, where there is any; else give that one back."""
        last = crossing
        while last.position < self.most:
            agree = self._exclude(last)
            if agree >= 1:
                break
            candidate = self._ask_until(agree, last)
            if candidate is None or candidate.excess <= _CLOSE:
                return candidate
            last = candidate
        return crossing

    def _ask_until(self, agree: float, last: CandidateShare) -> CandidateShare | None:
        """Evaluate a share beyond one at which at most this many people agree."""
        step = float(
            np.diff(_logit_beyond(np.array([last.agree, agree]), np.array([self.agree])))[0]
        )
        while True:
            position = min(last.position + max(step, _NARROW), self.most)
            candidate = self.ask(position, last)
            if candidate is None or candidate.agree <= agree + _ROUNDING or step <= _NARROW:
                return candidate
            step /= 2

    def _exclude(self, inner: CandidateShare) -> float:
        """Bound from below how many agree at the next share of the set; 1 if no share is left."""
        numbers = inner.agree, inner.fall, inner.crowd, self.agree
        agree, fall, crowd, start = (np.array([number]) for number in numbers)
        far = _stretch_ends(agree, start)
        critical = self.most_critical(inner)(far[:, 0])[:, None]

        def most_critical(stretch: int, _rest: Integers, _far: Floats) -> Floats:
            return np.asarray(critical[stretch])

        return float(exclude_beyond(agree, fall, crowd, start, most_critical)[0])


def exclude_beyond(
    agree: Floats,
    fall: Floats,
    crowd: Floats,
    start: Floats,
    most_critical: Callable[[int, Integers, Floats], Floats],
) -> Floats:
    """Bound from below how many agree at each next share of its set; 1 where no share is left.

    Parameters
    ----------
    agree, fall, crowd : array, shape (k,)
        How many agree with the crowd at each share, how far the likelihood falls, and the crowd.
    start : array, shape (k,)
        How many agree at the estimate.
    most_critical : callable
        Bounds the critical values on a stretch, by its number, from some of these shares to where
        so many agree.
    """
    near, rest, ends = agree.copy(), np.arange(len(agree)), _stretch_ends(agree, start)
    for stretch, end in enumerate(ends):
        far = end[rest]
        falls = fall[rest] + crowd[rest] * np.log(near[rest] / agree[rest])
        columns = (column.tolist() for column in (falls, crowd[rest], near[rest], far))
        least = np.array([least_deviate(*row) for row in zip(*columns, strict=True)])
        excluded = least >= (1 - _LEEWAY) * most_critical(stretch, rest, far)
        rest = rest[excluded]
        near[rest] = far[excluded]
        if not len(rest):
            break
    return np.asarray(np.maximum(near, ends[0]))


def _stretch_ends(agree: Floats, start: Floats) -> Floats:
    """How many agree at the end of each stretch beyond each share, shape (s, k)."""
    return _agree_at(_logit_beyond(agree, start) + np.array(_STRETCHES)[:, None], start)


def _logit_beyond(agree: Floats, start: Floats) -> Floats:
    """The logit of the share who agree, on the scale from the estimate to everybody."""
    far, rest = np.maximum(agree - start, _LEAST_PART), np.maximum(1 - agree, _LEAST_PART)
    return np.log(far / rest).clip(-FURTHEST, FURTHEST)


def _agree_at(logit: Floats, start: Floats) -> Floats:
    """The share who agree at a logit: everybody at the largest."""
    return np.where(logit < FURTHEST, start + expit(logit) * (1 - start), 1.0)


def least_deviate(fall: float, crowd: float, near: float, far: float) -> float:
    """Bound the deviate from below where the share of people who agree is between two."""
    if fall <= _NOTHING or crowd <= 0:
        return 0.0
    return squared_deviate(fall, crowd * (1 - min(far, _SURE)), min(near, _SURE))


def _divide(inner: CandidateShare, beyond: CandidateShare) -> float:
    """Choose a position between two shares, where a straight line crosses."""
    part = -inner.excess / (beyond.excess - inner.excess)
    part = min(max(part, _NEAR_SIDE), 1 - _NEAR_SIDE)
    return inner.position + part * (beyond.position - inner.position)


def _steepness(last: CandidateShare | None, candidate: CandidateShare) -> float:
    """By how much the logarithm of a deviate over its critical value rises with the position."""
    if last is None or last.position == candidate.position:
        return _STEEP
    steepness = (candidate.excess - last.excess) / (candidate.position - last.position)
    return min(max(steepness, _LEAST_STEEP), _MOST_STEEP)


_LEAST_PART = 1e-300  # a chance whose deviate is a number still
_CLOSE_SHARE = 1e-10  # of that part
_PART_STEPS = 100
_SHRINKS = 10
_NEAR_ENDS = 1e-9  # the estimate and θ are one


def squared_deviate(fall: float, pull: float, share: float) -> float:
    r"""The square of the normal deviate that is as rare as the observed fall.

    Twice the fall of the log-likelihood has a known law where many tell of a share, not where few
    do. So it is read as what m people told plainly, each whether the number is up to the point: for
    one part p of them that says so, and one m, the fall from p to the share θ and the slope there
    are the same. (One cut a person, on a coarse grid: they are those who were asked there.) How
    rare at most pm of m are, pm itself counted half (Lancaster, 1961), tells the normal deviate.

    Parameters
    ----------
    fall : float
        Of the log-likelihood, from its top to θ; 0 is no deviate.
    pull : float
        m(θ − p) = −θ(1 − θ) dl/dθ, positive.
    share : float
        θ, above the estimate.

    >>> squared_deviate(10 * math.log(2), 5, 0.5)  # none of ten is up to the median: chance 1/2048
    10.8...
    >>> round(squared_deviate(2, 1000, 0.5), 3)  # two standard errors, of a million people
    4.0
    """
    if fall <= 0:
        return 0.0
    part = _solve_part(fall / pull, share)
    if part == 0:
        rare = math.exp(-fall) / 2
    else:
        people = pull / (share - part)
        agreeing = people * part
        upto = betainc(people - agreeing, agreeing + 1, 1 - share)
        rare = float(upto + betainc(people - agreeing + 1, agreeing, 1 - share)) / 2
    return float(ndtri(min(max(rare, _LEAST_PART), 0.5)) ** 2)


def _solve_part(ratio: float, share: float) -> float:
    """Solve KL(p ‖ θ) = ratio (θ − p) for p in [0, θ), by Newton's method: the left is convex.

    Where the ratio is too large for any, p is 0.
    """
    if -math.log1p(-share) <= ratio * share:
        return 0.0
    nearest, odds = share * (1 - _NEAR_ENDS), share * math.exp(-2 * ratio)
    part = max(odds / (1 - share + odds), _LEAST_PART)  # before where the left is least
    for _ in range(_PART_STEPS):
        off = part - share
        lower = math.log1p(-off / (1 - share))
        upper = math.log1p(off / share) if -off < part else math.log(part / share)
        step = ((1 - part) * lower + part * upper + ratio * off) / (upper - lower + ratio)
        part = part - step if step < part else part / _SHRINKS
        if part >= nearest:
            return nearest
        if abs(step) <= _CLOSE_SHARE * part:
            break
    return part
