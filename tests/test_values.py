"""What is public refuses a value that means nothing by its name, and fails in no other way.

Every public function, recipe and method enrols itself. What it is called with follows from its
annotations; where these say too little it fails, and says where in this file to write an example.
"""

import copy
import dataclasses
import enum
import functools
import inspect
import json
import os
import pickle
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from tempfile import gettempdir
from types import ModuleType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow
import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA384
from matplotlib.figure import Figure
from scipy import stats

import askance as ak
import askance.learn as learn
from askance_collect.arguments import let_through
from named_mechanisms import MECHANISMS

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4")
Q = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
LINE = ak.Line(0, 4)
CUTS = ak.Cuts(number=2).channel(LINE)
RANGE_REPORTS = ak.privatise(CUTS, np.tile([0.5, 1.5, 2.5, 3.5], 12), rng=1, name="said")
RANGES = ak.Ranges([0, 1, 2, 0, 3, 1] * 3, [1, 3, 4, 2, 4, 2] * 3)
FIT = ak.npmle(RANGES)
MASS = ak.channels.MassFunction(YN, {("yes",): 0.5, ("yes", "no"): 0.5})
TALLY = ak.Tally(Q, {"yes": 30, "no": 50, "don't know": 20})
BITS = ak.mechanisms.UnaryEncoding(truth="1/2", lie="1/4").channel(YN)
HASHED = ak.mechanisms.MemoisedHashing(lasting=6, per_report=2, cells=3)
CHEATS = ak.inference.cheating_detection()
GROUPED = ak.channels.GroupedTally({"a": TALLY})
DRAWS = ak.channels.MemoisedSymbols(classes=2, symbols=2, truth="6/7", again="3/4")
KEPT_BITS = ak.channels.MemoisedBits(
    classes=2, bits=2, truth="3/4", lie="1/4", again_truth="3/4", again_lie="1/4"
)
FLIPPED = ak.mechanisms.DBitFlip(truth="3/4", lie="1/4", answers_asked=1)
SUPPORTS = ak.channels.SupportTally(BITS, [30, 50], total=100)
RNG = np.random.default_rng(1)
X = RNG.normal(size=(18, 1))
SURVEY = b"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
[[question]]
name = "cups"
text = "How many cups?"
line = { lower = 0, upper = 4, unit = "cups" }
mechanism = { name = "cuts", number = 2 }
"""
FORM = ak.publish(ak.parse_survey(SURVEY))
CUPS = FORM.question("cups")
ANSWERED = ak.Report(FORM.fingerprint, "0" * 32, {"tea": 1, "cups": (0, 2)}).body(FORM.size)
ANSWERS = [("yes", "no", "don't know", "no")[position * position % 4] for position in range(18)]
DATA = {"said": ANSWERS, "x": X[:, 0].tolist()}
COUNTS = ak.engines.Counts(4, {"tea": {0: 1, 1: 3}, "cups": {(0, 2): 2, (1, 4): 2}})
TICKED = ak.analysis.TickedShare(
    items=("tea",),
    reports=4,
    share=0.5,
    se=0.1,
    lower=0.2,
    upper=0.8,
    effective_sample_size=2.0,
    suppressed=False,
)
UNDERSTOOD = ak.analysis.EvidenceRate(group="", answer="right", reports=100, share=0.8, se=0.04)
TICKED_LIST = ak.analysis.ChecklistFinding(text="Which?", questions=("tea",), items=(TICKED,))
ISSUER = rsa.generate_private_key(65537, 2048)
MODULUS = ISSUER.public_key().public_numbers().n.to_bytes(256, "big")
SIGNED_BY = [{"name": "all", "n": ak.wire.to_base64url(MODULUS)}]
INVITED = ak.wire.Form.read(
    FORM.document
    | {"askance": "form-2", "tokens": {"issuer": "https://sign.example/", "keys": SIGNED_BY}}
)
HOUSED = ak.wire.Form.read(FORM.document | {"collector": "https://tea.example.org/"})
SEAL_KEY = ak.engines.make_seal_key()
SEALED = ak.wire.Form.read(FORM.document | {"askance": "form-2", "seal": SEAL_KEY.public})
MORE = {"kind": "sealed", "name": "more", "text": {"en": "?"}, "limit": 9, "lines": 1}
WRITTEN = ak.wire.Form.read(
    SEALED.document
    | {
        "questions": [MORE],
        "size": ak.wire.body_size([ak.wire.read_question(MORE, ["en"])]),
        "about": {"traits": []},
    }
)
MESSAGE = bytes(32)
SIGNATURE = ISSUER.sign(
    ak.wire.token_message(INVITED.fingerprint, MESSAGE),
    padding.PSS(padding.MGF1(SHA384()), 48),
    SHA384(),
)
TOKEN = ak.wire.Token(0, MESSAGE, SIGNATURE)
SAMPLES = {"a": RANGES, "b": ak.Ranges([0, 1, 2, 3], [2, 3, 3, 4])}
PAIRS = ak.exact.PairLaw([1, 1, 1], ak.exact.Floor([1, 1, 1, 1], 1))
UNIFORM = stats.uniform(0, 4)

SAMPLING = ak.inference.SamplingDesign(weights=[2.0, 1.0] * 9, strata=["a"] * 8 + ["b"] * 10)
HALVES = ak.inference.SamplingDesign(weights=[2.0, 1.0] * 9, strata=np.arange(18) // 2)
REPLICATES = ak.inference.jackknife(SAMPLING)
UNEQUAL = ak.inference.JointInclusion(np.linspace(0.2, 0.8, 18))
SAMPLED_COUNTS = ak.channels.SampledCounts(
    np.eye(3), df=9, fpc_squares=[0, 0, 0], samples=["first"]
)
SAMPLED = ak.channels.SampledSupports(
    support_weights=[3.0, 1.0],
    informative_weights=[4.0, 4.0],
    covariances=[[1, 1, 2]] * 2,
    fpc_squares=[0.0, 0.0],
    squared_weights=8.0,
)

UNARY = ak.inference.SupportLaw(
    true_positive_rate="1/2", false_positive_rate="1/4", both_inside="1/8", both_outside="1/16"
)
FREQUENCIES = ak.inference.estimate_supports([40, 30, 25], 100, UNARY)

LISTS = ak.inference.ItemCounts([5, 9, 6], {"a": [3, 6, 6, 4]})
LISTED = {"reports": [0, 1, 2, 1, 1, 1, 3, 0] * 6, "arms": [0, 0, 0, 0, 1, 1, 1, 1] * 6}
LIED: dict[str, Any] = {
    "reports": (["yes"] * 4 + ["no"] * 5 + ["yes"] * 7 + ["no"] * 3) * 4,
    "covariates": ([[0]] * 19 + [[1]] * 19) * 2,
    "channel": [
        ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8)
    ],
    "noncompliers": ak.inference.stochastic_lie_detector(),
    "group": ([0] * 9 + [1] * 10) * 4,
    "compliance": None,
}

AGES = ak.estimate_line(
    ak.RangeChannel(ak.Line(17, 21, 1, "years"), [0, 1, 0]),
    ak.Ranges([-np.inf, 19], [19, np.inf], counts=[6, 4]),
)
EXAMPLES: tuple[Any, ...] = (
    ak.inference.LineDomains(
        by=("town",), groups=(("a",),), reports=(10,), minimum=5, estimates=(AGES,)
    ),
    *(Q, CUTS, TALLY, GROUPED, SUPPORTS, MASS, YN, LINE, FIT, RANGES, WARNER, CHEATS, COUNTS),
    *(SAMPLING, REPLICATES, LISTS, UNARY, FREQUENCIES, DRAWS, FORM.questions[0], CUPS, FORM),
    *(ak.parse_survey(SURVEY), ak.check(FORM), ak.analyse(FORM, COUNTS)),
    ak.present.board_facts(FORM, ak.check(FORM)),
    *(INVITED.tokens, INVITED.tokens.keys[0], ak.privacy.shafer_loss(Q)),
    *(ak.survey.deployed(FORM.questions[0]), ak.estimate(TALLY)),
    ak.inference.goodness_of_fit(TALLY),
    ak.Abstain(truth="3/5", lie="1/10"),
    ak.mechanisms.Redistribute(truth="1/2", lie="1/10", share="1/2"),
    ak.inference.Scrambling.pollock_bek(added=(1.0, 1.0)),
    ak.design.MeanSquaredError(),
    ak.exact.Table(3, ((1, 2), (2, 1))),
    ak.audit.ChannelSubject(Q, rng=1),
)
"""One of each class that parameters are annotated with; of several that fit, the first is taken."""

PLAIN: dict[Any, Any] = {
    **{float: 0.5, int: 2, str: "yes", bytes: b"tea", bool: False, tuple[float, float]: (1.0, 1.0)},
    **{
        Sequence[str]: ["yes"],
        Sequence[bytes]: [b"tea"],
        tuple[str, ...]: ("yes",),
        tuple[int, ...]: (0, 1, 2),
    },
}
"""What a parameter of a plain type may be, whose name is not below."""

BY_NAME: dict[str, Any] = {
    "advantage": "1/4",
    "alpha": "1/10",
    "answers": ["yes"],
    "points": [1.5],
    "chances": [[0.5, 0.5]] * 18,
    "column": ["yes", "no"],
    "counts": {"yes": 3},
    "covariates": X,
    "coverage": 0.7,
    "derive": lambda low, high: (low, high),
    "epsilon": 1,
    "f": lambda t: t * np.log(t),
    "false_share": "1/20",
    "family": stats.norm,
    "first": [0.25, 0.75],
    "floor": "1/4",
    "lie": "1/10",
    "limit": "1/4",
    "maps": {"yes": "yes", "no": "no"},
    "n": 20,
    "number": 2,
    "other": "no",
    "outcome": X[:, 0] + np.arange(18) % 3,
    "phi": lambda x: x**2,
    "predicted": [1.5] * 18,
    "prevalence": 0.3,
    "prior": UNIFORM,
    "question": "cups",
    "raw": SURVEY,
    "reports": ANSWERS,
    "second": [0.5, 0.5],
    "send_chance": "9/10",
    "sensitive_chance": "7/10",
    "share": 0.5,
    "shares": [0.25, 0.75],
    "source": ["yes", "no"],
    "support": (0.0, 4.0),
    "times": 3,
    "truth": "3/5",
    "values": [1.0, 2.0],
    "weights": None,
    "x": "yes",
    "y": RANGES,
}
"""What a parameter of this name may be, whose annotation does not say enough."""

TOWNS = ak.present.GroupFinding(
    text="tea",
    description="By a coin.",
    overall=ak.estimate(TALLY),
    groups=ak.inference.estimate_domains({"a": TALLY, "b": TALLY}, by="town"),
    wording={"yes": "Yes"},
    names={"town": {"a": "Aberdeen"}},
)

LEAF = ak.wire.leaf_hash(b"tea")
SIGNING = ak.transparency.new_signing_key("study.example.org/exam")
VKEY = SIGNING.verifier
ENTRY = f"page {'00' * 32}"
ROOT = b64encode(ak.wire.leaf_hash(ENTRY.encode())).decode()
NOTE = SIGNING.signed(f"{VKEY.name}\n1\n{ROOT}\n")
WITNESS = ak.transparency.WitnessKey("library.example/w", bytes(32))
LOG = ak.transparency.PublicLog("exam.log", (ENTRY,), (NOTE,), 0)
HEAD = LOG.checkpoint(VKEY)
OWN: dict[str, dict[str, Any]] = {
    "ItemCount.list_of": {"group": 1},
    "ItemCount": {"items": ({"en": "I run."}, {"en": "I swim."}), "sensitive": {"en": "I cheat."}},
    "save_figure": {"figure": Figure(), "path": Path(gettempdir(), "askance.svg")},
    ".at_epsilon": {"epsilon": 1},
    "check_deposit": {"names": ["form.json"], "study": {"dates": "May"}},
    "write_methods": {"paragraphs": {}, "study": {"dates": "May"}},
    "render_codebook": {"form": FORM, "study": {"dates": "May"}},
    ".delta": {"epsilon": 1},
    ".delta_lower": {"epsilon": 1},
    "number_readings": {"typed": "1,000"},
    "numbers_on_line": {"typed": "1,000", "line": LINE},
    "in_ascii": {"typed": "1,000"},
    "find_proof": {"value": 0},
    "JointPosterior": {"prior": Fraction(1, 4), "posterior": Fraction(1, 2)},
    "report_evidence": {"report": 0},
    "posteriors": {"population": ak.privacy.Population(shares=(Fraction(1, 4), Fraction(3, 4)))},
    "convicted_share": {
        "question": CUPS,
        "population": ak.privacy.Population(
            shares=(Fraction(1, CUPS.line.ticks),) * CUPS.line.ticks, innocent=0
        ),
    },
    "methods_paragraph": {"result": ak.estimate(TALLY), "channel": Q, "left_out": 3},
    "result_table": {"result": ak.estimate(TALLY)},
    "compare_groups": {"tally": ak.channels.GroupedTally({"a": TALLY, "b": TALLY})},
    "estimate_small_areas": {"tallies": dict.fromkeys("abc", TALLY)},
    "fay_herriot": {
        "value": [0.1, 0.3, 0.2, 0.4],
        "se": [0.1] * 4,
        "covariates": None,
        "groups": None,
        "terms": None,
        "between_sd": 0.1,
    },
    "report_log_likelihood": {"shares": [[0.5, 0.5]]},
    "range_log_likelihood": {"cdf": stats.norm.cdf},
    "ShareLikelihood.value": {"shares": [[0.5, 0.5]]},
    "ShareLikelihood.gradient": {"shares": [[0.5, 0.5]]},
    "scrambled_mean": {"reports": [2.0, 3.0, 7.0]},
    "mean_of_numbers": {"values": [0.0, 1.0], "population": None},
    "Scrambling.unscramble": {"reports": [2.0, 3.0]},
    "Scrambling.variance": {"mean": 1.0, "mean_square": 2.0},
    "Scrambling.diana_perri_2": {"weight": 0.5},
    "count_items": {**LISTED, "items": 2, "data": None},
    "item_count_with_direct": {**LISTED, "direct": [0, 1, 0, 0, 0, 1, 0, 1] * 6},
    "double_item_count": {"first": LISTED["reports"], "second": LISTED["reports"][::-1]}
    | {"arms": LISTED["arms"]},
    "item_count_regression": {**LISTED, "items": 2, "covariates": None},
    "item_count_least_squares": {**LISTED, "items": 2, "covariates": None},
    "item_count_outcome": {**LISTED, "items": 2, "outcome": [1, 0, 2, 1, 0, 1, 4, 1] * 6}
    | {"covariates": None},
    "ItemCountEstimate.types": {"item": "a"},
    "ItemCountEstimate.likely_types": {"item": "a"},
    "ItemCounts.from_dict": {"written": LISTS.to_dict()},
    "ItemCountRegression.difference": {"after": [0, 1, 1] * 16, "before": [0, 0, 1] * 16},
    "compliance_regression": LIED,
    "ComplianceRegression.prevalence": {"covariates": np.ones((2, 1))},
    "ComplianceRegression.likelihood_ratio": {
        "smaller": ak.inference.compliance_regression(**LIED | {"covariates": None})
    },
    "ItemCountLeastSquares.difference": {"after": [0, 1, 1] * 16, "before": [0, 0, 1] * 16},
    "hausman_test": {
        "least_squares": ak.inference.item_count_least_squares(
            **LISTED, covariates=[0, 1, 1] * 16, items=2
        ),
        "likelihood_fit": ak.inference.item_count_regression(
            **LISTED, covariates=[0, 1, 1] * 16, items=2
        ),
    },
    "HausmanTest": {"statistic": 3.5, "df": 2},
    "ItemCountRegression.likelihood_ratio": {
        "smaller": ak.inference.item_count_regression(**LISTED, items=2)
    },
    "poststratify": {"groups": list("abc") * 6, "totals": {"a": 9, "b": 9, "c": 12}},
    "rake": {
        "margins": {"x": list("abc") * 6, "y": list("de") * 9},
        "totals": {"x": {"a": 9, "b": 9, "c": 12}, "y": {"d": 20, "e": 10}},
    },
    "calibrate": {"auxiliary": np.ones((18, 1)), "totals": [30.0]},
    "survey_total": {"values": X},
    "survey_mean": {"values": X},
    "survey_ratio": {"values": X, "denominator": np.ones(18)},
    "track_replicates": {"progress": lambda index, many: None},
    "replicated": {"statistic": lambda weights: weights.sum()},
    "balanced_replicates": {"sampling": HALVES},
    "bootstrap": {"rng": 1},
    "SamplingColumns.of": {"data": {"w": [1.0] * 18}},
    "SamplingDesign.covariance": {"scores": X},
    "SamplingDesign.domain": {"members": X[:, 0] > 0},
    "JointInclusion.covariance": {"scores": X},
    "JointInclusion.domain": {"members": X[:, 0] > 0},
    "ReplicateColumns.of": {"data": {"w": [1.0] * 18, "r1": [0.0, 2.0] * 9, "r2": [2.0, 0.0] * 9}},
    "ReplicateWeights.covariance": {"scores": X},
    "ReplicateWeights.domain": {"members": X[:, 0] > 0},
    "cuts_on_line": {"coverage": "0.6"},
    "ring_on_line": {"coverage": "0.55"},
    "two_cuts_on_line": {"coverage": "0.6"},
    "answer_mechanism": {"name": "kary", "parameters": {"truth": "1/2"}},
    "range_mechanism": {"name": "cuts", "parameters": {"number": 2}},
    "InclusionProbability.from_channel": {"channel": CUTS},
    "accept": {"body": ANSWERED},
    "page_origins": {"others": ["https://example.org"]},
    "follow_skips": {"answers": {}},
    "place_in_group": {"question": FORM.questions[0], "draws": (0, 1), "group": "few"},
    "assigned_group": {"draws": (0, 1)},
    "bounds": {"question": CUPS},
    "deployed": {"question": CUPS},
    "draw": {"question": CUPS},
    "encode": {"question": CUPS, "answer": 1},
    "next_cut": {"cell": (0, 4)},
    "read_question": {"raw": FORM.document["questions"][0], "languages": ["en"]},
    "read_report": {"body": ANSWERED},
    "respond": {"answers": {"tea": 1, "cups": 2}},
    "manipulation": {"false_reports": 5, "reports": 100},
    "sensitivity": {"most": "1/10", "steps": 2},
    "render_groups": {"title": "Tea", "findings": [TOWNS]},
    "cheating_detection": {"says": "no"},
    "stochastic_lie_detector": {"carriers": "yes", "says": "no"},
    "random_answerers": {"chances": {"yes": "1/2", "no": "1/2"}, "independent_of_answer": True},
    "one_sayers": {"says": "no"},
    "correct_inattention": {
        "question": WARNER.channel(YN),
        "anchor": WARNER.channel(YN),
        "counts": {("yes", "no"): 3, ("no", "no"): 9},
        "anchor_shares": {"no": 1},
        "picks": {"yes": 0.5, "no": 0.5},
        "anchor_picks": {"yes": 0.5, "no": 0.5},
    },
    "estimate_sets": {"sets": {"it": ["yes"]}},
    "ComplianceEstimate.likelihood_ratio": {"smaller": ak.inference.estimate_compliance(TALLY, ())},
    "mean_manipulation": {
        "channel": ak.RangeChannel(LINE, [1, 1, 1]),
        "false_reports": 5,
        "reports": 100,
    },
    "non_identified": {"ranges": ak.Ranges([0.0, 1.0], [2.0, 3.0])},
    "tabulate": {"rows": [[Fraction(1, 3), Fraction(2, 3)]]},
    "quantise_table": {"satisfies": lambda table: True},
    "uniform_below": {"bound": 10, "words": lambda: 7},
    "range_manipulation": {
        "shares": [0.25] * 4,
        "false_reports": 5,
        "reports": 100,
        "quantiles": [0.5],
    },
    "attack": {"rejection_chances": {"yes": 1}},
    "Blocks.channel": {"frame": ak.Frame(["a", "b", "c"])},
    "Runs.channel": {"frame": ak.Frame(["a", "b", "c"])},
    "CensoredRegression.predict_margins": {"covariates": np.empty((18, 0))},
    "CensoredRegression.predict": {"covariates": np.empty((18, 0))},
    "CensoredRegression.predict_interval": {"covariates": np.empty((18, 0))},
    "RepeatedAttack.rejection_chance": {"observations": ["yes"] * 3},
    "InclusionProbability.restrict": {"first": 0.0, "last": 4.0},
    "SeveralAttributes.privatise": {"columns": {"a": ["yes"], "b": ["no"]}},
    "SeveralAttributes.ratio": {"differing": ["a"]},
    "loss_over_rounds": {"rounds": 3},
    "losses_over_rounds": {"rounds": 3},
    "DBitFlip.memoise": {"people": 2},
    "DBitFlip.report": {"memos": FLIPPED.memoise(YN, 2, rng=np.random.default_rng(1))},
    "MemoisedHashing.at_epsilon": {"lasting": 2, "per_report": 1},
    "MemoisedHashing.report": {"memos": HASHED.memoise(2, rng=np.random.default_rng(1))},
    "MemoisedKAry.at_epsilon": {"lasting": 2, "per_report": 1},
    "Rappor.at_epsilon": {"lasting": 2, "per_report": 1},
    "MemoisedKAry.report": {"memos": ["yes", "no"]},
    "Rappor.report": {"memos": [b"\x80", b"\x40"]},
    "TradeoffFunction.beta": {"alpha": 0.1},
    "CredalSet.contains": {"chances": [0.75, 0.25]},
    "GaussianLimit.beta": {"alpha": 0.1},
    "Guarantee.for_equal_pairs": {"answers": 3, "value": 3.0},
    "Guarantee.is_at_least_as_strong": {"other": ak.privacy.shafer_loss(Q)},
    "JointEstimate.association": {"first": "a", "second": "b"},
    "Counts.from_dict": {"written": COUNTS.to_dict(FORM)},
    "Tally.from_dict": {"written": TALLY.to_dict()},
    "Tally.from_json": {"text": TALLY.to_json()},
    "SampledCounts.of": {"places": [0, 2]},
    "SampledSupports.from_dict": {"written": SAMPLED.to_dict()},
    "GroupedTally.from_dict": {"written": GROUPED.to_dict(), "channels": {"a": Q}},
    "SupportTally.from_json": {"text": SUPPORTS.to_json(), "channel": BITS},
    "ResponseRegression.difference": {"after": X + 1, "before": X},
    "ResponseRegression.likelihood_ratio": {
        "smaller": ak.response_regression(ANSWERS, np.empty((18, 0)), Q)
    },
    "InclusionProbability.from_ranges": {"ranges": ak.Ranges([0.0, 2.0], [2.0, 4.0], [0.5, 0.5])},
    "audit": {"draws": 400},
    "render_results": {
        "title": "Ours",
        "results": [ak.audit.audit(ak.audit.ChannelSubject(Q, rng=1), draws=400, rng=1)],
        "kind": "audit",
        "lead": "Once.",
        "caption": "Losses.",
    },
    "box_coverage": {"channels": [CUTS, CUTS], "distribution": np.full((4, 4), 1 / 16)},
    "compare": {"epsilon": 1},
    "individual_channels": {"name": "crosswise", "parameters": {"harmless": [0.25, 0.2]}},
    "IndividualChannels.tally": {"reports": ["just one", "both or neither"]},
    "unknown_harmless_share": {"sensitive_chance": "7/10"},
    "compare_mechanisms": {"epsilon": 1, "prevalence": 0.1},
    "compare_with_direct": {
        "channel": WARNER.channel(YN),
        "people": 500,
        "prevalence": "1/5",
        "direct_bias": "1/20",
        "randomised_bias": "1/50",
    },
    "compare_numbers": {"line": ak.exact.Line(0, 5, integer=True), "ranges": [ak.Cuts(number=2)]},
    "compare_oracles": {"answers": 3, "epsilon": 1},
    "corrected_absolute_error": {"y": [[-np.inf, 2.0]] * 18},
    "corrected_accuracy": {"predicted": ["yes"] * 18},
    "corrected_scorer": {"scoring": "auc"},
    "corrected_squared_error": {"y": [[-np.inf, 2.0]] * 18},
    "coverage_law": {"reports": CUTS},
    "energy_bounds": {"other": UNIFORM},
    "estimate_frequencies": {"tally": ak.Tally(WARNER.channel(YN), {"yes": 30, "no": 50})},
    "estimate_supports": {"counts": [40, 30, 25], "reports": 100},
    "FrequencyCovariance.variance": {"contrast": [1.0, -1.0, 0.0]},
    "FrequencyEstimate.label": {"position": 1},
    "SupportLaw.share": {"frequency": 0.5},
    "estimate_joint": {"counts": [[3, 2, 1], [2, 1, 3], [1, 1, 2]]},
    "estimate_line": {"ranges": RANGE_REPORTS},
    "estimate_plain": {"counts": {1: 3, 4: 2}},
    "estimate_plain_sample": {
        "ticks": [1, None, 3],
        "sampling": ak.inference.SamplingDesign(weights=[1.0, 2.0, 3.0]),
    },
    "functional_interval": {"support": (0.0, 4.0)},
    "post_process": {"kernel": {name: {name: 1} for name in Q.reports}},
    "interval_score": {"predicted": [[0.5, 3.0]] * 18},
    "is_shafer_private": {"epsilon": 1},
    "is_walley_private": {"epsilon": 1},
    "error_floor": {"epsilon": 1},
    "error_ceiling": {"epsilon": 1},
    "joint_pair": {"advantage": "1/4"},
    "kolmogorov_bounds": {"other": UNIFORM},
    "noisy_ranges": {"noise": [["1/4"] * 4] * 4},
    "paired_regression": {
        "reports": {name: np.array(["yes", "no"])[RNG.integers(0, 2, 60)] for name in "ab"},
        "covariates": RNG.normal(size=(60, 1)),
    },
    "plan": {"epsilon": 3, "half_width": 0.3},
    "pull_back": {"branches": [(0.0, 9.0, lambda y: y)]},
    "sample_size": {"half_width": 0.4},
    "tally_from_sql": {"result": [("yes", 3), ("no", 5)]},
    "tally_groups": {"group": ["a", "b"] * (len(ANSWERS) // 2)},
    "tally_sql": {"table": "reports", "column": "drink"},
    "allocate_budget": {"epsilon": 1, "questions": {"a": 2, "b": 3}},
    "truth_lie_variance": {"truth": 0.6, "lie": 0.1},
    "unbiased_mean": {"ranges": ak.Ranges([-np.inf, 2, -np.inf, 1], [1, np.inf, 3, np.inf])},
    "unbiased_mean_variance": {"mean": 2.0, "variance": 1.0},
    "blind": {"form": INVITED},
    "blind_with": {"form": INVITED, "key": 0, "factor": 5} | {"prefix": MESSAGE, "salt": bytes(48)},
    "from_base64url": {"text": "dGVh"},
    "pss_encode": {"bits": 2047, "salt": bytes(48)},
    "check_entry": {
        "proof": ak.transparency.prove_entry(LOG, ENTRY, VKEY),
        "entry": ENTRY,
        "key": VKEY,
    },
    "check_growth": {
        "proof": ak.transparency.prove_growth(LOG, HEAD, VKEY),
        "earlier": HEAD,
        "key": VKEY,
    },
    "check_log": {"log": LOG, "key": VKEY},
    "cosigned_at": {"head": HEAD, "witness": WITNESS},
    "new_signing_key": {"name": "study.example.org/exam"},
    "prove_entry": {"log": LOG, "entry": ENTRY, "key": VKEY},
    "prove_growth": {"log": LOG, "earlier": HEAD, "key": VKEY},
    "read_checkpoint": {"note": NOTE, "key": VKEY},
    "read_signing_key": {"text": SIGNING.text},
    "read_witness_key": {"text": WITNESS.text},
    "read_verifier_key": {"text": VKEY.text},
    "render_verifier": {
        "form": HOUSED,
        "address": "https://tea.example.org/",
        "report_to": "the library",
    },
    "render_webcat": {"form": HOUSED},
    "report_entries": {"digests": [], "log": LOG},
    "verified_link": {
        "verifier": "https://library.example/t",
        "address": "https://tea.example.org/",
        "sha256": "0" * 64,
    },
    "VerifierKey.opened": {"note": NOTE},
    "SigningKey.signed": {"text": "tea\n"},
    "PublicLog.checkpoint": {"key": VKEY},
    "is_included": {"leaf": LEAF, "index": 0, "size": 1, "proof": [], "head": LEAF},
    "is_consistent": {"first": 1, "first_head": LEAF, "size": 1, "head": LEAF, "proof": []},
    "prove_consistency": {"leaves": [LEAF], "first": 1},
    "prove_inclusion": {"leaves": [LEAF], "index": 0},
    "tree_head": {"leaves": [LEAF]},
    "pss_verify": {"signature": bytes(256)},
    "check_stamp": {"stamp": "0" * 128, "challenge": bytes(16), "body": b"{}", "work": 8},
    "solve_stamp": {"challenge": bytes(16), "body": b"{}", "work": 8},
    "read_open_link": {"raw": {"work": 8}},
    "check_seal": {"seal": SEAL_KEY.public},
    "read_seal_key": {"content": SEAL_KEY.private()},
    "seal_report": {"form": SEALED},
    "seal_text": {"form": WRITTEN, "question": "more", "text": "Tea"},
    "read_code": {"typed": "0" * 16},
    "read_token": {"text": TOKEN.text, "form": INVITED.fingerprint},
    "read_tokens": {"raw": INVITED.document["tokens"], "collector": ""},
    "spell_code": {"code": "0" * 16},
    "to_base64url": {"raw": b"tea"},
    "token_message": {"form": INVITED.fingerprint, "prefix": MESSAGE},
    "walley_interval": {"tally": ak.Tally(WARNER.channel(YN), {"yes": 30, "no": 50})},
}
"""What a function asks that another calls by the same name."""

ELSEWHERE = {
    "opendp_measurement": "loads OpenDP: tests/privacy",
    "explore": "makes a widget: tests/present",
    "create_issuer": "makes files: tests/tokens",
    "open_issuer": "reads files: tests/tokens",
    "create_log": "makes files: tests/transparency",
    "append_entries": "writes files: tests/transparency",
    "read_log": "reads files: tests/transparency",
    "fetch": "asks a server: tests/transparency",
    "verify_page": "asks a server: tests/transparency",
    "verify_webcat": "asks a server: tests/transparency",
    "submit_head": "asks a server: tests/transparency",
    "create_exchange": "takes an issuer: tests/tokens",
    "write_codes": "makes files: tests/tokens",
    "write_cards": "makes files: tests/tokens",
    "optimal_channel": "takes constraints by place: tests/design",
    "report_rows": "reads files: tests/engines",
    "count_ranges": "reads tables: tests/engines",
    "count_reports": "reads files: tests/engines",
    "unseal_tables": "reads files: tests/engines",
    "unseal_texts": "reads files: tests/engines",
    "open_store": "makes files: tests/collect",
    "repair": "makes files: tests/collect",
    "back_up": "makes files: tests/collect",
    "check_backup": "reads files: tests/collect",
    "create_backup_key": "makes files: tests/collect",
    "restore": "makes files: tests/collect",
    "export_csv": "makes files: tests/collect",
    "export_jsonl": "makes files: tests/collect",
    "export_receipts": "makes files: tests/collect",
    "write_kit": "makes files: tests/collect",
    "diagnose": "asks a server: tests/collect",
    "inspect_installation": "reads files: tests/collect",
    "program_digest": "reads files: tests/collect",
    "read_saved": "reads files: tests/collect",
    "create_app": "takes a store: tests/collect",
    "serve": "serves: tests/collect",
    "delete_reports": "deletes what is in files: tests/collect",
    "mount": "takes what makes apps: tests/collect",
    "serving": "serves: tests/collect",
    "load_survey": "reads files: tests/survey",
    "import_survey": "reads files: tests/survey/test_imports.py",
    "labelled_table": "reads files: tests/engines",
    "labelled_channels": "reads files: tests/present",
    "export_labelled": "makes files: tests/present",
    "read_answers": "reads files: tests/study",
    "operating_characteristics": "takes what read_answers gives: tests/study",
    "rehearse": "drives a browser: tests/browser",
}


NO_EXAMPLE = object()


def by_annotation(annotation: Any) -> Any:
    """Give an example of our classes, of a choice, or of a container of these."""
    kind, inner = get_origin(annotation) or annotation, get_args(annotation)
    if kind in (Union, UnionType, Annotated):
        examples = map(by_annotation, inner[:1] if kind is Annotated else inner)
        return next((example for example in examples if example is not NO_EXAMPLE), NO_EXAMPLE)
    if kind is Literal:
        return inner[0]
    if kind in (Sequence, Mapping) or inner[1:] == (...,):
        example = by_annotation(inner[0 if kind is tuple else -1]) if inner else NO_EXAMPLE
        many = dict.fromkeys("ab", example) if kind is Mapping else (example,)
        return NO_EXAMPLE if example is NO_EXAMPLE else many
    if not isinstance(kind, type) or not kind.__module__.startswith("askance"):
        return NO_EXAMPLE
    if issubclass(kind, enum.Enum):
        return next(iter(kind))
    if getattr(kind, "_is_protocol", False):
        return NO_EXAMPLE
    return next((example for example in EXAMPLES if isinstance(example, kind)), NO_EXAMPLE)


def plain_example(annotation: Any) -> Any:
    """Give an example of a plain type: the last resort, where a name says nothing more."""
    inner = get_args(annotation)
    if get_origin(annotation) in (Union, UnionType, Annotated):
        return plain_example(inner[0])
    return PLAIN.get(annotation, NO_EXAMPLE)


def arguments(title: str, function: Callable[..., Any]) -> dict[str, Any]:
    """Give what a function can be called with.

    What `OWN` says of it or of every method of its name comes first, then what its annotation says,
    then `BY_NAME`, then `PLAIN`.
    """
    parameters, inputs = inspect.signature(function).parameters, {}
    every = OWN.get(f".{title.rpartition('.')[2]}", {})
    own = {name: value for name, value in every.items() if name in parameters} | OWN.get(title, {})
    for parameter in parameters.values():
        if parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ) or parameter.name in ("self", "cls"):
            continue
        if parameter.name in own:
            inputs[parameter.name] = own[parameter.name]
        elif parameter.default is parameter.empty:
            inputs[parameter.name] = example_of(title, parameter)
    return inputs | {name: value for name, value in own.items() if name not in inputs}


def example_of(title: str, parameter: inspect.Parameter) -> Any:
    """Give an example of a parameter, or say where to write one."""
    annotation = parameter.annotation
    if annotation == title.partition(".")[0]:
        return instance(annotation)
    ours, plain = by_annotation(annotation), plain_example(annotation)
    named = BY_NAME.get(parameter.name, NO_EXAMPLE)
    if annotation in (int, float, str, bytes) and not isinstance(named, type(plain) | int):
        named = NO_EXAMPLE
    for example in (ours, named, plain):
        if example is not NO_EXAMPLE:
            return example
    if type(None) in get_args(annotation):
        return None
    raise LookupError(
        f"no example of {title}'s {parameter.name}, a {annotation}: write one into "
        "tests/test_values.py, under EXAMPLES if it is of a class of ours, under BY_NAME if every "
        f"{parameter.name} may be that, else under OWN[{title!r}]"
    )


def functions() -> dict[str, Callable[..., Any]]:
    result = {name: getattr(room, name) for room in rooms() for name in room.__all__}
    return {
        name: value
        for name, value in result.items()
        if inspect.isfunction(value) and name not in ELSEWHERE
    }


def rooms() -> list[ModuleType]:
    getattr_results = [getattr(ak, name) for name in ak.__all__]
    return [room for room in getattr_results if inspect.ismodule(room)]


NOTHING = object()
ODD: dict[str, Any] = {
    "nan": float("nan"),
    "inf": float("inf"),
    "-inf": float("-inf"),
    "-1": -1,
    "0": 0,
    "2.5": 2.5,
    "1e308": 1e308,
    "text": "a",
    "no text": "",
    "None": None,
    "True": True,
    "nothing in a list": [],
    "nan in a list": [float("nan")],
    "None in a list": [None],
    "texts": ["a", "b"],
    "mapping": {},
    "mapping to nan": {"yes": float("nan")},
    "object": NOTHING,
    "nothing in an array": np.array([]),
    "zeros": np.zeros((2, 3)),
    "nans": np.full(18, np.nan),
    "ragged": [[1.0], [1.0, 2.0]],
    "complex": 1 + 1j,
    "bytes": b"x",
    "date": np.datetime64("2020-01-01"),
    "to a number": lambda *_: 0.5,
    "to nan": lambda *_: np.nan,
    "to a text": lambda *_: "a",
    "to another shape": lambda *_: np.zeros((2, 3)),
    "to nothing": lambda *_: None,
}
MEANINGLESS = ("nan", "object", "complex", "nan in a list", "nans", "mapping to nan")
"""Whatever is asked for, this is none of it."""

VISIT = ak.study.ScreenVisit(
    name="tea", visitors=1, leavers=0, words=9.0, seconds=6.0, presses=2.0, screen_heights=0.5
)


def respond_with(answers: list[str]) -> ak.audit.Responses:
    return ak.audit.Responses(reports=answers, traces={"seconds": np.ones(len(answers))})


WAITING = ak.respond.blind_with(INVITED, 0, MESSAGE, bytes(48), 1)
OWN["Blinded.token"] = {
    "signature": pow(
        int.from_bytes(WAITING.message, "big"),
        ISSUER.private_numbers().d,
        ISSUER.private_numbers().public_numbers.n,
    ).to_bytes(256, "big")
}

OBSTACLE = ak.collect.Obstacle(
    step=ak.collect.VisitStep.PAGE, problem=ak.collect.Problem.NO_REPLY, address="http://a/"
)

IMPORTED = Path(__file__).parent / "survey" / "imports" / "tea.surveyjs.json"
OBJECTS: list[Any] = [
    ak.survey.import_survey(IMPORTED),
    FLIPPED,
    ak.design.AOptimal(),
    ak.design.DOptimal(),
    ak.design.EOptimal(),
    ak.design.MutualInformation(),
    ak.collect.Diagnosis(
        page="", page_sha256="", form="", bytes_sent=0, arrived=False, obstacles=(OBSTACLE,)
    ),
    SIGNING,
    VKEY,
    LOG,
    HEAD,
    ak.transparency.Verdict("same", ()),
    ak.transparency.Webcat(b"{}", {}),
    WITNESS,
    ak.transparency.Fetched("https://exam.example.org/", b"", ()),
    ak.audit.PageSubject(FORM, "tea"),
    WAITING,
    TOKEN,
    TOWNS,
    ak.inference.estimate_small_areas(dict.fromkeys("abc", TALLY))["a"],
    ak.inference.fay_herriot([0.1, 0.2, 0.3, 0.4], [0.1] * 4)["1"],
    ak.study.Rehearsal(
        people=1,
        finished=1,
        practised=1,
        understood=1,
        minutes=(0.1,),
        screens=(VISIT,),
        page=20_000,
        script=0.01,
        faults=(),
    ),
    FREQUENCIES.covariance,
    UNEQUAL,
    SAMPLED_COUNTS,
    SAMPLED,
    ak.inference.SamplingColumns(weights="w"),
    ak.inference.ReplicateColumns(weights="w", replicates="r*", kind="brr"),
    ak.privacy.Ledger().spend(Q, 3),
    ak.privacy.Ledger().spend(Q, 3).loss_distribution(),
    ak.privacy.Ledger().spend(Q, 30).gaussian(),
    ak.mechanisms.SentReport("just one"),
    ak.mechanisms.Draw(
        "a coin", (ak.mechanisms.Outcome(Fraction(1), "a", ak.mechanisms.SentReport("a")),)
    ),
    ak.mechanisms.OwnAnswer((("yes", ak.mechanisms.SentReport("yes")),)),
    ak.Report("0" * 64, "0" * 32, {"tea": 1}),
    TICKED_LIST,
    TICKED,
    ak.analysis.EvidenceFinding(question="tea", comprehension=(UNDERSTOOD,)),
    ak.wire.Explanations(0, (ak.wire.GroupExplanation("card", {"en": "By a card."}),)),
    ak.engines.ReportRow({"tea": 1}, {"age": "31"}),
    ak.Ring(floor="1/4").channel(LINE),
    ak.channels.InclusionProbability.from_channel(CUTS),
    ak.collect.Accepted(b"0" * 16, "{}"),
    ak.collect.BackupPlace(Path("tea.backup"), print),
    ak.collect.Snapshot(b"{}", closed=False, reports=iter(()), tokens=iter(())),
    ak.wire.Choice("tea", {}, (ak.wire.Label("yes", {}), ak.wire.Label("no", {}))),
    ak.wire.FreeText("more", {}, 12, 1),
    ak.wire.Group("few", {"en": "A few"}, 2),
    ak.wire.Image("data:image/svg+xml;base64,PHN2Zy8+", {"en": "a dot"}),
    ak.wire.Picture(ak.wire.Image("data:image/svg+xml;base64,PHN2Zy8+", {"en": "a dot"}), 0, 1),
    ak.wire.Number("cups", {}, LINE, {}),
    ak.wire.RingQuestion("cups", {}, LINE, {}, PAIRS, False, (0, 1), {}),
    ak.invent_answers(FORM, people=10),
    ak.design.optimal_channel(YN, ak.design.Shafer(1)),
    ak.inference.Scrambling.pollock_bek(added=(1.0, 1.0)),
    ak.inference.item_count(LISTS).types(),
    ak.inference.item_count_regression(**LISTED, covariates=[0, 1, 1] * 16, items=2),
    ak.inference.item_count_least_squares(**LISTED, covariates=[0, 1, 1] * 16, items=2),
    ak.response_regression(ANSWERS, X, Q),
    ak.inference.compliance_regression(**LIED),
    ak.response_regression(ANSWERS, X, Q).prevalence(),
    learn.ChannelClassifier(channel=Q).fit(X, ANSWERS),
    learn.IntervalBooster(max_iter=3).fit(X, RANGES),
    learn.IntervalRegressor(max_iter=3).fit(X, RANGES),
]
"""What no function with examples gives, and cannot be made of examples."""


REHEARSED = "OperatingCharacteristics"
"""Is given by a rehearsal alone, which takes seconds: tests/study."""

OF_FILES = {"Issuer": "is a file with private keys: tests/tokens"}


def public() -> dict[str, type]:
    result = {
        name: getattr(room, name)
        for room in rooms()
        for name in room.__all__
        if inspect.isclass(getattr(room, name))
    }
    created = {
        name: value for name, value in result.items() if not getattr(value, "_is_protocol", False)
    }
    output = {name: value for name, value in created.items() if name not in OF_FILES}
    return {
        name: value
        for name, value in output.items()
        if not issubclass(value, Exception | enum.Enum)
    }


def parts(item: Any) -> list[Any]:
    """Give what a thing of ours, a mapping or a sequence holds."""
    if dataclasses.is_dataclass(item) and type(item).__module__.startswith("askance"):
        names = [element.name for element in dataclasses.fields(item)]
        cache = {"latest"} if type(item).__name__ == "CensoredLikelihood" else set()
        return [getattr(item, name, None) for name in names if name not in cache]
    if isinstance(item, Mapping):
        return list(item.values())
    return list(item) if isinstance(item, tuple | list | frozenset) else []


def inside(item: Any, observed: dict[int, Any]) -> None:
    """Gather a thing and all that it holds."""
    if id(item) not in observed and len(observed) < 100_000:
        observed[id(item)] = item
        for element in parts(item):
            inside(element, observed)


@functools.cache
def instances() -> dict[str, Any]:
    """Give one of every public class: of `OBJECTS`, what functions give, or made of examples."""
    observed: dict[int, Any] = {}
    for item in (*OBJECTS, *EXAMPLES, *BY_NAME.values()):
        inside(item, observed)
    for title, function in functions().items():
        with suppress(LookupError):  # a test of its own says what it lacks
            inside(example_call(title, function), observed)
    classes = public()
    result: dict[str, Any] = {}
    for item in observed.values():
        if classes.get(type(item).__name__) is type(item):
            result.setdefault(type(item).__name__, item)
    for name in sorted(classes.keys() - result.keys() - {REHEARSED}):
        with suppress(LookupError):
            result[name] = example_call(name, classes[name])
    return result


def instance(name: str) -> Any:
    """Give one of a public class, or say where to write one."""
    return instances()[name] if name in instances() else example_call(name, public()[name])


def example_call(title: str, function: Callable[..., Any]) -> Any:
    """Call a function, or make an object, from examples; say where to write better ones."""
    named_arguments = arguments(title, function)
    try:
        return function(**named_arguments)
    except Exception as refusal:
        raise LookupError(
            f"{title}(**{named_arguments}): {type(refusal).__name__}: {refusal}. Write what it can"
            f" be called with into tests/test_values.py, under OWN[{title!r}]; if it is a class, an"
            " instance under OBJECTS will do, and if it takes a file or a server, its name under"
            " ELSEWHERE"
        ) from refusal


FREE = {
    ("restrict", "answers"): "a mapping by answer lists the answers",
}
"""Where something odd is let through, and why."""

SKIPPED = {"ax", "done", "progress", "style", "rng"}
"""What other libraries read: axes, dice, a callback."""


def named(function: Callable[..., Any]) -> list[str]:
    return [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.name not in {"self", "cls", *SKIPPED}
    ]


def faults(title: str, function: Callable[..., Any], inputs: dict[str, Any]) -> list[str]:
    """List what is let through though it means nothing, and what fails in another way."""
    result = []
    for name in named(function):
        for odd, value in ODD.items():
            try:
                function(**{**inputs, name: value})
            except ak.AskanceError as output:
                if not output.where or not (output.allowed or output.remedy):
                    result.append(f"{name}: {odd}: says too little: {output}")
            except Exception as error:
                result.append(f"{name}: {odd}: {type(error).__name__}: {error}")
            else:
                if odd in MEANINGLESS and (title, name) not in FREE:
                    result.append(f"{name}: {odd}: let through")
    return result


@pytest.mark.parametrize("title", functions())
def test_a_function_refuses_what_means_nothing(title: str) -> None:
    function = functions()[title]
    example_call(title, function)
    assert hasattr(function, "__wrapped__"), (
        f"decorate {title} with askance_collect.arguments.checked"
    )
    assert faults(title, function, arguments(title, function)) == []


@pytest.mark.parametrize("title", functions())
def test_what_takes_our_objects_refuses_others_by_name(title: str) -> None:
    function = functions()[title]
    named_arguments = arguments(title, function)
    for name in named(function):
        kinds = [
            item.kind
            for item in let_through(inspect.signature(function).parameters[name].annotation)
        ]
        for odd in (None, 3, "x", [0.5, 0.5], {"yes": 1}, object()):
            if not kinds or None in kinds or isinstance(odd, tuple(kinds)):
                continue  # it takes other things too, or this is one
            with pytest.raises(ak.errors.InputError) as caught:
                function(**{**named_arguments, name: odd})
            assert caught.value.where == f"{function.__qualname__}.{name}"
            assert caught.value.got == type(odd).__name__
            assert caught.value.allowed


UNASKED = {
    "ChannelSubject": "positions of answers, from the inside",
    "FormSubject": "positions of answers, from the inside",
    "FunctionSubject": "positions of answers, from the inside",
    "BatchSubject": "positions of answers, from the inside",
    "PageSubject": "positions of answers, from the inside",
    "ProgramSubject": "positions of answers, from the inside",
    "ChannelClassifier": "refuses as scikit-learn does: tests/learn",
    "IntervalBooster": "refuses as scikit-learn does: tests/learn",
    "IntervalRegressor": "refuses as scikit-learn does: tests/learn",
    "Report": "made where answers are seen, from the inside",
    "Choice": "asked about values that nobody trusts: tests/wire",
    "FreeText": "asked about values that nobody trusts: tests/vectors",
    "CutsQuestion": "asked about values that nobody trusts: tests/wire",
    "Redirect": "asked about values that nobody trusts: tests/wire",
    "Ending": "asked about values that nobody trusts: tests/wire",
    "Group": "asked about values that nobody trusts: tests/wire",
    "Image": "reads documents: tests/wire",
    "Look": "reads documents: tests/wire",
    "Picture": "reads documents: tests/wire",
    "Number": "asked about values that nobody trusts: tests/wire",
    "RingQuestion": "asked about values that nobody trusts: tests/wire",
    "TableQuestion": "asked about values that nobody trusts: tests/wire",
    "PairLaw": "places on a line, from the inside",
    "Channel": "from_masses, from_dict, from_json read documents: tests/channels/test_document.py",
    "Floor": "places on a line, from the inside",
    "Form": "reads documents: tests/wire",
    "Frame": "masks, from the inside",
    "Line": "ticks, from the inside",
    "MassFunction": "reads documents and masks: tests/channels/test_evidence.py",
    "OpenCellChannel": "cells of a line, from the inside",
    "ProductFrame": "masks, from the inside",
    "RangeChannel": "cells of a line, from the inside",
    "Ranges": "reads ends: tests/channels/test_ranges.py",
    "RingChannel": "cells of a line, from the inside",
    "StudentNoise": "arrays, from the inside",
    "Table": "entries, from the inside",
}
"""Whose methods are asked for elsewhere, or are too often asked for by our own code."""


def methods() -> list[str]:
    return [
        f"{name}.{method}"
        for name, value in public().items()
        if name not in UNASKED
        for method, result in vars(value).items()
        if not method.startswith("_")
        and f"{name}.{method}" not in {"CensoredRegression.likelihood_ratio"}
        and method != "tighten"
        and name != REHEARSED
        and inspect.isfunction(getattr(result, "__func__", result))
        and named(getattr(result, "__func__", result))
    ]


@pytest.mark.parametrize("title", methods())
def test_a_method_refuses_what_means_nothing(title: str) -> None:
    name, _, method = title.partition(".")
    function = getattr(instance(name), method)
    example_call(title, function)
    assert faults(title, function, arguments(title, function)) == []


@pytest.mark.parametrize("name", public())
def test_nothing_that_is_frozen_can_be_changed_from_inside(name: str) -> None:
    """Arrays are read-only, mappings cannot be written to, lists are tuples, at any depth."""
    if not dataclasses.is_dataclass(public()[name]) or name == REHEARSED:
        return
    observed: dict[int, Any] = {}
    inside(instance(name), observed)
    for value in observed.values():
        if isinstance(value, np.ndarray):
            assert not value.flags.writeable
        assert not isinstance(value, dict | list | set | bytearray)


OWN |= {
    "compare_models": {
        "models": {"by x": ak.response_regression(ANSWERS, X, Q)},
        "rename": {"x1": "x"},
        "foot": {"mechanism": ["Greenberg et al."]},
    },
    "table_columns": {"source": Path(__file__).parents[1] / "examples/affairs-answers.csv"},
    "TableReading.from_toml": {"text": 'decimal = ","'},
    "TableReading.read": {"path": Path(os.devnull)},  # an empty file leaves all open
    "ShareLikelihood": {"tallies": {"a": TALLY}},
    "FunctionSubject": {"answers": ["yes", "no"], "function": str},
    "BatchSubject": {"answers": ["yes", "no"], "function": respond_with},
    "ProgramSubject": {"command": ["cat"], "answers": ["yes", "no"]},
    "AOptimal": {"prior": [0.5, 0.5]},
    "DOptimal": {"prior": [0.5, 0.5]},
    "EOptimal": {"prior": [0.5, 0.5]},
    "MeanSquaredError": {"prior": [0.5, 0.5]},
    "MutualInformation": {"prior": [0.5, 0.5]},
    "DiscreteLaplace": {"decay": "1/2"},
    "LocalHashing": {"ratio": 3, "cells": 4},
    "ProjectiveGeometry": {"ratio": 3, "order": 4},
    "SubsetSelection": {"ratio": 3, "size": 1},
    "MemoisedSymbols": {"classes": 2, "symbols": 2, "truth": "6/7", "again": "3/4"},
    "MemoisedBits": {
        "classes": 2,
        "bits": 2,
        "truth": "3/4",
        "lie": "1/4",
        "again_truth": "3/4",
        "again_lie": "1/4",
    },
    "MemoisedHashing": {"lasting": 6, "per_report": 2, "cells": 3},
    "MemoisedKAry": {"lasting": 6, "per_report": 2},
    "SeveralAttributes": {
        "frames": {"a": YN, "b": YN},
        "sharing": ak.mechanisms.Sharing.FAKE,
        "epsilon": 1,
    },
    "Rappor": {"truth": "3/4", "lie": "1/4", "again_truth": "3/4", "again_lie": "1/4"},
    "SupportTally": {"channel": BITS, "counts": [3, 1], "total": 4},
    "Blocks": {"number": 2},
    "Runs": {"number": 2},
    "Cuts": {"number": 1, "law": "even", "between": None, "open": ()},
    "TwoCuts": {"number": 3},
    "Partitions": {"partitions": [[["yes"], ["no"]]]},
    "Shafer": {"epsilon": 1},
    "LocalDifferentialPrivacy": {"epsilon": 1},
    "Walley": {"epsilon": 1},
    "PairLosses": {"losses": {("yes", "no"): 1}},
    "StudentNoise": {"df": 4.0},
    "Frame": {"answers": ["yes", "no"]},
    "Noncompliers": {"name": "a", "says": "no", "answers": ["yes"], "independent_of_answer": False},
    "Line": {"lower": 0, "upper": 4},
    "Floor": {"sizes": [1, 1, 1, 1], "minimum": 1},
    "PairLaw": {"weights": [1, 1, 1], "floor": ak.exact.Floor([1, 1, 1, 1], 1)},
    "Table": {"total": 4, "rows": ((3, 1), (1, 3))},
    "Channel": {
        "frame": YN,
        "reports": {"yes": ["yes"], "no": ["no"]},
        "matrix": [[0.75, 0.25], [0.25, 0.75]],
    },
    "MassFunction": {"frame": YN, "masses": {("yes",): 0.5, ("yes", "no"): 0.5}},
    "RangeChannel": {"line": LINE, "cut_weights": [1, 1, 1]},
    "RingChannel": {
        "line": LINE,
        "cut_weights": [1, 1, 1],
        "floor": ak.exact.Floor([1, 1, 1, 1], 1),
    },
    "OpenCellChannel": {"cuts": ak.RangeChannel(LINE, [1, 1, 1], 2), "cells": [1]},
    "Ranges": {"lower": [0.0, 1.0], "upper": [1.0, 3.0]},
    "InclusionProbability": {"ends": [0.0, 2.0, 4.0], "chance": [0.5, 1.0]},
    "CutLaw": {"law": UNIFORM},
    "DirichletCuts": {"prior": UNIFORM, "ranges": 2, "concentration": 2},
    "PrivacyLossDistribution": {"losses": [0.0, 1.0], "first": [0.5, 0.5], "second": [0.5, 0.5]},
    "TradeoffFunction": {"knots": [(0, 1), (1, 0)]},
    "TableMechanism": {
        "reports": {"yes": ["yes"], "no": ["no"]},
        "rows": [["3/4", "1/4"], ["1/4", "3/4"]],
    },
}
"""What classes are made of that people make themselves, named designs apart."""

KEYS = {"asked": "sensitive_chance"}
"""What documents call otherwise than a recipe does."""

for named_mechanism in MECHANISMS:
    NAME = type(named_mechanism.recipe).__name__
    OWN[NAME] = {KEYS.get(key, key): value for key, value in named_mechanism.parameters.items()}
    OWN |= {f"{NAME}.{method}": {"frame": named_mechanism.frame} for method in ("channel", "path")}

CONSTRUCTED = (
    *("FunctionSubject", "BatchSubject", "ProgramSubject", "Responses", "AOptimal", "DOptimal"),
    *("EOptimal", "MeanSquaredError", "MutualInformation", "MemoisedSymbols", "MemoisedBits"),
    *("SeveralAttributes", "SupportTally", "Shafer", "LocalDifferentialPrivacy", "Walley"),
    *("Advantage", "Answered", "PairLosses", "StudentNoise", "Frame", "Noncompliers", "Line"),
    *("Floor", "PairLaw", "Table", "Tally", "GroupedTally", "ShareLikelihood", "Channel"),
    *("MassFunction", "ProductFrame", "RangeChannel", "RingChannel", "OpenCellChannel"),
    *("Ranges", "InclusionProbability", "CutLaw", "DirichletCuts", "CredalSet"),
    *("PrivacyLossDistribution", "TradeoffFunction"),
)
"""Classes that people make themselves, beside all recipes."""


def list_constructed() -> list[str]:
    """List the classes that people make themselves."""
    recipes = (name for name in ak.mechanisms.__all__ if hasattr(public().get(name), "channel"))
    return sorted({*CONSTRUCTED, *recipes})


LATER = {
    "AOptimal": "its channel",
    "Advantage": "its frame",
    "Answered": "its frame",
    "Cuts": "its line",
    "DOptimal": "its channel",
    "EOptimal": "its channel",
    "LocalDifferentialPrivacy": "its frame",
    "MeanSquaredError": "its channel",
    "MutualInformation": "its channel",
    "PairLosses": "its frame",
    "Progressive": "its line",
    "Ring": "its line",
    "Selective": "its line",
    "TwoCuts": "its line",
    "Shafer": "its frame",
    "Walley": "its frame",
}
"""Recipes, constraints and aims: what they hold is judged where they meet what is named here."""


CROSSES = (lambda item: pickle.loads(pickle.dumps(item)), copy.deepcopy)


@pytest.mark.parametrize("name", public())
def test_everything_crosses_processes_and_is_copied(name: str) -> None:
    if name == REHEARSED:
        return
    instance_result = instance(name)
    for carry in CROSSES:
        assert describe(carry(instance_result)) == describe(instance_result)


def describe(item: Any) -> str:
    return re.sub(" at 0x[0-9a-f]+", "", repr(item))


@pytest.mark.parametrize("name", list_constructed())
def test_nothing_is_made_of_what_means_nothing(name: str) -> None:
    kind = public()[name]
    example_call(name, kind)
    faults_result = faults(name, kind, arguments(name, kind))
    later = (
        [item for item in faults_result if item.endswith(": let through")] if name in LATER else []
    )
    names_alone = {"answers: mapping to nan: let through"} if name == "Frame" else set()
    assert set(faults_result) - set(later) - names_alone == set()


TOLD_ELSEWHERE = {
    "Analysis": "of each of its questions: askance estimate --methods",
    "AreaFigure": "of the FayHerriotEstimates that it belongs to",
    "AreaShares": "of the SmallAreaEstimates that it belongs to",
    "AttentionCheck": "a count",
    "BudgetAllocation": "prices, before asking",
    "ImportedSurvey": "a questionnaire: nothing is estimated",
    "Check": "of a form, before asking: the ethics board's page",
    "CheckedQuestion": "of a form, before asking",
    "CheckedTrait": "of a form, before asking",
    "Chernoff": "how fast channels tell populations apart, before asking",
    "Comparison": "channels side by side, before asking",
    "CoverageTradeoff": "its best cuts are OptimalCuts",
    "MechanismComparison": "designs side by side, before asking",
    "Discrimination": "how well populations are told apart, before asking",
    "Finding": "of its estimate",
    "FrequencyCovariance": "of the FrequencyEstimate that it belongs to",
    "Identification": "what a channel can tell at all, before asking",
    "ItemCounts": "a tally",
    "JointInclusion": "how people were drawn",
    "ChecklistFinding": "shares of what was ticked: of each question's estimate",
    "Margins": "coefficients, effects and predictions: of the regression",
    "NumberComparison": "designs side by side, before asking",
    "OptimalPair": "the inside of a Design",
    "OracleComparison": "designs side by side, before asking",
    "ReplicateWeights": "how people were drawn",
    "SamplingDesign": "how people were drawn",
    "ShareLikelihood": "a likelihood to hand to a sampler, whose model is told by who writes it",
    "TickedShare": "of the question's estimate",
}
"""Results without a paragraph of their own, and where it comes from."""


def results() -> list[str]:
    """Every public class that lists itself, or says what was computed: learners too."""
    rooms = ("inference", "survey", "analysis", "design", "audit")
    listing = (
        name
        for name, kind in public().items()
        if hasattr(kind, "computation")
        or (kind.__module__.split(".")[1] in rooms and hasattr(kind, "_table"))
    )
    return sorted({*listing} - set(TOLD_ELSEWHERE))


def test_every_computation_is_that_of_a_result_with_a_paragraph() -> None:
    """Numbers by group come from rows alone: tests/cli/test_numbers_by_group.py."""
    computed = {getattr(public()[name], "computation", None) for name in results()}
    by_group = {ak.inference.Computation.DOMAIN_NUMBERS}
    assert computed | by_group == {*ak.inference.Computation}


@pytest.mark.long
@pytest.mark.parametrize("name", results())
def test_every_result_has_a_paragraph_that_cites_what_it_lists(name: str) -> None:
    result = instance(name)
    channels = [item for item in (None, Q, CUTS) if has_methods(result, item)]
    assert channels, (
        f"src/askance/present/templates/methods.toml: write a sentence on {name}, and its source; "
        "or say under TOLD_ELSEWHERE whose paragraph tells of it"
    )
    paragraph = ak.present.methods_paragraph(result, channels[0])
    assert paragraph.text.endswith(f"Computations were done with Askance {version('askance')}.")
    assert not re.search(r"[{}]|None|nan|<|\.\.|the by|The by", paragraph.text)
    cited = set(re.findall(r"([A-Z][\w-]+)[^;()]*, (\d{4})", paragraph.text))
    listed = {
        (reference.split(",")[0], re.findall(r"\((\d{4})\)", reference)[0])
        for reference in paragraph.references
    }
    assert cited == listed
    assert paragraph.references, "a method without a source"


def has_methods(result: Any, channel: Any) -> bool:
    try:
        ak.present.methods_paragraph(result, channel)
    except ak.errors.InputError:
        return False
    return True


NO_TABLE = {
    "Check": "facts and sentences of a page; its questions have a risk each, which is a table",
    "Noncompliers": "a model that people choose: nothing was computed",
    "OptimalCuts": "a law to draw cuts from, which is an object of scipy",
    "Population": "what a survey file declares: nothing was computed",
    "QuestionEvidence": "positions of answers: QuestionRisk names them",
    "ReportEvidence": "positions of answers: QuestionRisk names them",
    "RowFactor": "one number: of its RowCrowd",
    "Survey": "a file that was read: nothing was computed",
}
"""Results that are no table, and why."""

COMPUTING = ("analysis", "audit", "design", "inference", "privacy", "study", "survey")


def classes_in(annotation: Any) -> set[Any]:
    """Gather the classes that an annotation names."""
    return {annotation}.union(*map(classes_in, get_args(annotation)))


def computed_results() -> set[str]:
    """Name the public classes that public functions of rooms that compute return."""
    functions_of_rooms = (
        function
        for function in functions().values()
        if function.__module__.split(".")[1] in COMPUTING
    )
    returned = set().union(
        *(classes_in(get_type_hints(function).get("return")) for function in functions_of_rooms)
    )
    kinds = {name for name, kind in public().items() if kind in returned}
    return {name for name in kinds if public()[name].__module__.split(".")[1] in COMPUTING}


def test_every_result_offers_one_protocol() -> None:
    """JSON, a data frame and a stream of Arrow: write `to_frame = result_frame` in its class."""
    protocol = ("to_dict", "to_frame", "__arrow_c_stream__")
    lacking = {
        name
        for name in computed_results()
        if not all(hasattr(public()[name], method) for method in protocol)
    }
    assert len(computed_results()) > 60
    assert lacking == {*NO_TABLE}


def test_every_result_by_group_is_a_mapping_of_its_groups() -> None:
    """Write `__iter__ = group_names` and what belongs to it in its class."""
    by_group = {
        name: result
        for name, result in instances().items()
        if hasattr(result, "groups") and hasattr(result, "to_frame")
    }
    assert by_group.keys() >= {"DomainEstimates", "GroupComparison", "SmallAreaEstimates"}
    for name, result in by_group.items():
        assert len(result) == len(result.groups) == len(list(result)), name
        assert {group: result[group] for group in result}.keys() == dict(result.items()).keys()
        with pytest.raises(ak.errors.InputError):
            result["no such group"]


def listed_results() -> list[str]:
    return [name for name, kind in public().items() if hasattr(kind, "to_frame")]


@pytest.mark.parametrize("name", sorted({*listed_results()} - {REHEARSED}))
def test_every_result_leaves_in_one_way(name: str) -> None:
    """As JSON, as a data frame of three libraries and as a stream of Arrow: the same columns."""
    result = instance(name)
    json.dumps(result.to_dict(), allow_nan=False)
    frame, table = result.to_frame(), result.to_frame("pyarrow")
    assert len(frame.columns) > 0
    assert list(frame.columns) == table.column_names == result.to_frame("polars").columns
    assert len(frame) == table.num_rows
    stream = pyarrow.RecordBatchReader.from_stream(result).read_all()
    assert stream.schema == table.schema
    assert str(stream.to_pydict()) == str(table.to_pydict())
    with pytest.raises(ak.errors.InputError, match="pandas, polars, pyarrow"):
        result.to_frame("excel")
