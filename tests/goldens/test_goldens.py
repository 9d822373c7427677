"""Public calls with fixed data, whose numbers no change of the house's inside may move.

After a change that is meant to move them: ``make goldens``, and say in the commit which moved.
"""

import hashlib
import inspect
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from importlib.metadata import Distribution
from itertools import zip_longest
from math import isclose
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import click
import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import askance as ak
from askance.cli import verbs
from askance_collect.respond import draw_bounds, encode

EXAMPLES = Path(__file__).parents[2] / "examples"
GOLDENS = Path(__file__).with_name("goldens.json")
CLIMBED = re.compile("points|band|family|askance ")
"""Ends that are climbed to: a shorter way there may stop a little further on."""

DECIMAL = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
"""Numbers whose last digits may differ from machine to machine."""

Case = tuple[str, Callable[[], Any]]

YN = ak.Frame(["yes", "no"])
FIVE = ak.Frame(["never", "seldom", "at times", "often", "daily"])
LINE = ak.Line(0, 40, 2)
CHANNELS = {
    "warner": lambda: ak.Warner(truth="3/4").channel(YN),
    "warner at 2": lambda: ak.Warner.at_epsilon(2).channel(YN),
    "abstain": lambda: ak.Abstain(truth="3/5", lie="1/10").channel(YN),
    "k-ary": lambda: ak.KAry(truth="2/5").channel(FIVE),
    "k-ary at 1": lambda: ak.KAry.at_epsilon(1).channel(FIVE),
    "abstain of five": lambda: ak.Abstain(truth="1/2", lie="1/20").channel(FIVE),
    "three cards": lambda: ak.mechanisms.Kuk(red_if_yes="7/10", red_if_no="3/10", draws=3).channel(
        YN
    ),
    "crosswise": lambda: ak.mechanisms.Crosswise(harmless="1/4").channel(YN),
    "by hand": lambda: ak.Channel(
        YN, {"a": ["yes"], "b": ["no"], "c": YN.answers}, [[0.6, 0.1, 0.3], [0.2, 0.5, 0.3]]
    ),
}
CUTS = {
    "one cut": lambda: ak.Cuts(number=1).channel(LINE),
    "two cuts": lambda: ak.Cuts(number=2).channel(LINE),
    "ring": lambda: ak.Ring(floor="1/5").channel(LINE),
    "selective": lambda: ak.mechanisms.Selective(floor="1/5", send_chance="4/5").channel(LINE),
    "steps": lambda: ak.Progressive(number=3, floor="1/5").channel(LINE),
}
PEOPLE = np.random.default_rng(7).gamma(4.0, 4.0, 300)


def counts(channel: Any, n: int = 997) -> Any:
    """Tally what n people with uneven shares send, by whole parts of the expected counts."""
    shares = np.arange(1, len(channel.frame.answers) + 1.0)
    messages = shares / shares.sum() @ np.asarray(channel.matrix, dtype=float)
    return ak.Tally(
        channel, dict(zip(channel.reports, np.floor(n * messages).tolist(), strict=True))
    )


def of_channels(_: Path) -> Iterator[Case]:
    """Judge, invert and weigh every channel of named answers."""
    for label, make in CHANNELS.items():
        q = make()
        t, k = counts(q), len(q.frame.answers)
        even = [1 / k] * k
        first, other = q.frame.answers[:2]
        low, high = np.asarray(q.matrix, dtype=float)[:2]
        judged: dict[str, Callable[[], Any]] = {
            "matrix": lambda q=q: q.matrix,
            "local": lambda q=q: ak.local_loss(q).attained,
            "shafer": lambda q=q: ak.privacy.shafer_loss(q).attained,
            "walley": lambda q=q: ak.privacy.walley_loss(q).attained,
            "belief": lambda q=q: ak.privacy.belief_loss(q).attained,
            "plausibility": lambda q=q: ak.privacy.plausibility_loss(q).attained,
            "advantage": lambda q=q: ak.privacy.advantage(q, first_weight="1/3").attained,
            "guessing": lambda q=q: ak.privacy.guessing(q).guarantee.attained,
            "tradeoff": lambda q=q, a=first, b=other: [
                ak.privacy.tradeoff(q, a, b).beta(alpha) for alpha in (0, 0.1, 0.25, 0.5, 0.9, 1)
            ],
            "ten replies": lambda q=q, a=first, b=other: [
                ak.privacy.Ledger().spend(q, times=10).tradeoff(a, b).beta(alpha)
                for alpha in (0.05, 0.3, 0.8)
            ],
            "renyi": lambda low=low, high=high: [
                ak.inference.renyi_divergence(low, high, order) for order in (0.5, 1, 2, 10)
            ],
            "relative entropy": lambda low=low, high=high: ak.inference.relative_entropy(low, high),
            "chernoff": lambda low=low, high=high: ak.inference.chernoff(low, high).exponent,
            "fisher": lambda q=q, even=even: ak.inference.fisher_information(q, even),
            "worth": lambda q=q: ak.design.effective_sample_size(q, 1000),
            "estimate": lambda t=t: _shares(ak.estimate(t)),
            "at 80 %": lambda t=t: _shares(ak.estimate(t, level=0.8)),
            "unbiased": lambda t=t: _shares(ak.inference.moment_estimate(t)),
            "likelihood": lambda t=t: _shares(ak.maximum_likelihood(t)),
            "most likely": lambda t=t: ak.inference.most_likely(t).value,
            "fit": lambda t=t: [test.p_value for test in ak.inference.goodness_of_fit(t).tests],
            "false reports": lambda q=q: ak.inference.manipulation(q, 10, 997).unbiased,
        }
        yield from ((f"{label}: {name}", call) for name, call in judged.items())


def _shares(result: Any) -> list[Any]:
    return [
        result.value,
        result.covariance,
        result.lower,
        result.upper,
        result.effective_sample_size,
    ]


def of_lines(_: Path) -> Iterator[Case]:
    """Judge every law of ranges, send the same people through it, estimate."""
    for label, make in CUTS.items():
        q = make()
        ranges = ak.privatise(q, PEOPLE, rng=11, name="said")
        judged: dict[str, Callable[[], Any]] = {
            "coverage": lambda q=q: ak.privacy.coverage(q).attained,
            "least coverage": lambda q=q: ak.privacy.least_coverage(q).attained,
            "sent": lambda r=ranges: [r.lower[:25], r.upper[:25]],
            "npmle": lambda r=ranges: _law(ak.npmle(r, support=(0, 40))),
        }
        if label in {"one cut", "two cuts", "steps"}:
            judged["line"] = lambda q=q, r=ranges: _line(ak.estimate_line(q, r))
        yield from ((f"{label}: {name}", call) for name, call in judged.items())
    reports = ak.privatise(CUTS["two cuts"](), PEOPLE, rng=11, name="said")
    fit = ak.npmle(reports, support=(0, 40))
    yield "mean between", lambda: ak.inference.moment_bounds(fit, 1, support=(0, 40))
    for name, result in {
        "points": lambda: ak.inference.cdf_intervals(reports, [6, 12, 20, 30]),
        "quantiles": lambda: ak.inference.quantile_intervals(reports, [0.25, 0.5, 0.75]),
        "band": lambda: ak.inference.simultaneous_band(reports),
    }.items():
        yield name, lambda outcome=result: [outcome().lower, outcome().upper]
    yield "family", lambda: ak.fit_family(reports, stats.gamma, fixed={"loc": 0}).value
    once = ak.privatise(CUTS["one cut"](), PEOPLE, rng=11, name="said")
    yield "unbiased mean", lambda: ak.inference.unbiased_mean(once, (0, 40)).value
    half = len(reports.lower) // 2
    parts = {
        "first": ak.Ranges(reports.lower[:half], reports.upper[:half]),
        "rest": ak.Ranges(reports.lower[half:], reports.upper[half:]),
    }
    yield "log-rank", lambda: ak.inference.log_rank_test(parts, rng=3).p_permutation
    yield "Kolmogorov", lambda: ak.inference.kolmogorov_test(parts, rng=3).p_permutation


def _law(fit: Any) -> list[Any]:
    return [fit.lower, fit.upper, fit.mass, fit.cdf(np.arange(0, 41, 5.0))]


def _line(result: Any) -> list[Any]:
    return [result.mean_low, result.mean_high, result.se, result.lower, result.upper, result.cdf]


def of_regressions(_: Path) -> Iterator[Case]:
    """Regress on the same covariates answers and numbers that nobody saw."""
    rng = np.random.default_rng(17)
    x = rng.normal(size=(400, 2))
    selected = np.where(rng.random(400) < 1 / (1 + np.exp(-x[:, 0])), "yes", "no")
    sent_as = [
        a if u < 0.75 else YN.answers[a == "yes"]
        for a, u in zip(selected, rng.random(400), strict=True)
    ]
    q = CHANNELS["warner"]()
    for link in ("logit", "probit", "cloglog"):
        yield (
            f"response {link}",
            lambda link=link: _fit(ak.response_regression(sent_as, x, q, link=link)),
        )
    y = 10 + x @ [3.0, -2.0] + rng.normal(size=400)
    ranges = ak.privatise(ak.Cuts(number=2).channel(ak.Line(0, 20)), y, rng=19, name="said")
    for noise in ("normal", "logistic", "gumbel"):
        yield (
            f"censored {noise}",
            lambda noise=noise: _fit(ak.censored_regression(ranges, x, noise=noise)),
        )


def _fit(result: Any) -> list[Any]:
    return [result.value, result.covariance, result.log_likelihood]


def of_designs(_: Path) -> Iterator[Case]:
    """Choose before asking."""
    for limit in ("1/10", "1/4", "1/2"):
        yield (
            f"optimum at {limit}",
            lambda limit=limit: (
                ak.design.optimal_channel(YN, ak.design.Advantage(limit), reports=3).value
            ),
        )
    for epsilon in (0.5, 1, 3):
        yield (
            f"optimum at ε {epsilon}",
            lambda epsilon=epsilon: (
                ak.design.optimal_channel(FIVE, ak.design.LocalDifferentialPrivacy(epsilon)).value
            ),
        )
        yield (
            f"people at ε {epsilon}",
            lambda epsilon=epsilon: (
                ak.sample_size(
                    ak.Warner.at_epsilon(epsilon).channel(YN), prevalence=0.2, half_width=0.03
                ).people
            ),
        )
    yield "compared", lambda: [row.design_effect for row in ak.compare(YN, epsilon=1).alternatives]
    yield "best cuts", lambda: ak.design.optimal_cuts(stats.gamma(4, scale=4)).variance


def of_verbs(folder: Path) -> Iterator[Case]:
    """Type every verb that prints something that lasts, for each example survey."""
    verb = verbs.get_command(click.Context(verbs), "estimate")
    assert verb is not None
    getattr_result: dict[str, Any] = getattr(inspect.unwrap(verb.callback), "__globals__", {})
    with patch.dict(getattr_result, analyse_deployed=once(getattr_result["analyse_deployed"])):
        yield from _typed_for_each(folder)


def of_groups_and_bounds(folder: Path) -> Iterator[Case]:
    """Type every verb that compares people, bounds what is not known of them, or pools groups."""
    for name, text in COUNTED.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "said.csv").write_text("".join(_table()), encoding="utf-8")
    (folder / "areas.csv").write_text(
        "town,rural\n" + "".join(f"t{index},{index / 8}\n" for index in range(9))
    )
    for written in TYPED:
        words = [str(folder / part) if "." in part[-5:] else part for part in written.split()]
        yield f"askance {written}", lambda words=words: _typed(words, folder)


COUNTED = {
    "few-many.toml": "[few]\nyes = 362\nno = 638\n[many]\nyes = 694\nno = 306\n",
    "one.toml": '"both or neither" = 640\n"just one" = 360\n',
}
GROUPED = (
    "--mechanism few=one-sided:forced_yes=1/4 --mechanism many=one-sided:forced_yes=3/4"
    " few-many.toml"
)
ALONE = "--mechanism crosswise:harmless=1/4 one.toml"
DRAWN = "--mechanism warner:truth=3/4 said.csv --column said --weights w --clusters village"
TYPED = (
    f"compare {GROUPED} --methods",
    f"compare {DRAWN} --group sex --json",
    f"compliance {GROUPED}",
    f"compliance {GROUPED} --model cheating --format html",
    f"compliance {GROUPED} --model sld --methods --json",
    f"compliance {ALONE} --model random --sensitivity 1/5 --steps 2",
    f"compliance {DRAWN} --model sld --by sex --format latex",
    f"bounds {ALONE} --nonresponse --nonrespondents 100 --monotone-selection yes",
    f"bounds {DRAWN} --nonresponse --blank-chance 1/50 --methods",
    f"bounds {ALONE} --false-share 1/20 --format csv",
    f"bounds {DRAWN} --set any=yes,no --set yes=yes --json",
    "small-areas --mechanism warner:truth=3/4 said.csv --column said --by town",
    f"small-areas {DRAWN} --by town --formula ~rural --areas areas.csv --json --methods",
    f"estimate {DRAWN} --by sex --methods",
    f"regress {DRAWN.replace('--column said', '--formula said~sex')} --format latex",
)


def _table() -> Iterator[str]:
    dice = Random(29)
    yield "said,sex,town,village,w\n"
    for index in range(480):
        replies = ("yes", "no", "no", "")[
            0 if dice.random() < 0.4 else 1 + (dice.random() < 0.1) * 2
        ]
        yield f"{replies},{'fm'[index % 2]},t{index % 8},v{index // 12},{1 + index % 3 / 2}\n"


def once(analysed: Callable[..., Any]) -> Callable[..., Any]:
    """Analyse the same reports once for the table and for JSON."""
    result: dict[tuple[str, ...], Any] = {}

    def call(deployed: Any, counts: Any, **chosen: Any) -> Any:
        key = (deployed.form.fingerprint, repr(sorted(chosen.items())))
        if key not in result:
            result[key] = analysed(deployed, counts, **chosen)
        return result[key]

    return call


def _typed_for_each(folder: Path) -> Iterator[Case]:
    shutil.copytree(EXAMPLES / "images", folder / "images")
    for survey in sorted(EXAMPLES.glob("*.toml")):
        path = folder / survey.name
        path.write_bytes(survey.read_bytes())
        form = ak.publish(ak.load_survey(path))
        reports = folder / f"{survey.stem}.jsonl"
        reports.write_text("".join(_reports(form, 400)), encoding="utf-8")
        written = folder / f"{survey.stem}.form.json"
        page = folder / f"{survey.stem}.html"
        yield f"{survey.name}: form", lambda form=form: form.fingerprint
        for verb in (
            ("check", path),
            ("check", path, "--details"),
            ("plan", path, "--json"),
            ("publish", path, "--page", page),
            ("estimate", written, reports, "--json"),
            ("estimate", written, reports),
            ("study", path, "--people", "200", "--times", "2", "--seed", "3", "--json"),
        ):
            if "plan" in verb and survey.stem == "item-count":
                continue  # there is no mechanism to choose
            words = [str(part) for part in verb]
            called = " ".join(words).replace(f"{folder}/", "")
            yield f"askance {called}", lambda words=words: _typed(words, folder)
        yield f"{survey.name}: page", lambda page=page: _digest(page.read_text(encoding="utf-8"))
        board = ak.present.render_board(form, ak.check(form))
        yield f"{survey.name}: board", lambda board=board: _digest(_without_versions(board))


def _reports(form: Any, n: int) -> Iterator[str]:
    dice = Random(23)
    for _ in range(n):
        answers = {}
        for question in form.questions:
            if question.kind == "text":
                answers[question.name] = dice.choice([0, None])
                continue
            draws = tuple(dice.randrange(bound) for bound in draw_bounds(question))
            answers[question.name] = encode(question, _answer(question, dice), draws)
        yield json.dumps(answers) + "\n"


def _answer(question: Any, dice: Random) -> int:
    ticks = getattr(getattr(question, "line", None), "ticks", None)
    first = 1 if question.kind == "number" and question.line.integer else 0
    return first + dice.randrange(ticks if ticks else len(question.answers))


def _typed(words: list[str], folder: Path) -> list[Any]:
    """Give what a verb prints: its words, and its decimal numbers."""
    result = CliRunner().invoke(verbs, words, env={"COLUMNS": "100"})
    assert result.exit_code == 0, (result.output, result.exception)
    assert not ends_blank(result.output), words
    text = result.output.replace(str(folder), "")
    return [_digest(DECIMAL.sub("#", text)), *map(float, DECIMAL.findall(text))]


def ends_blank(text: str) -> list[str]:
    """Give the lines of an output that end with a blank."""
    return [line for line in text.split("\n") if line != line.rstrip()]


def _without_versions(page: str) -> str:
    """Leave out what changes with every version: its number, and the sum of the other page."""
    return re.sub(r"<code>([0-9a-f]{64}|\d+\.\d+\.\w+)</code>", "", page)


def one_version() -> AbstractContextManager[Any]:
    """Tell the same version ever after: what a release says of itself moves no golden."""
    true = Distribution.version.fget
    assert true is not None

    def told(of: Distribution) -> str:
        own = of.metadata["Name"] in ("askance", "askance-collector")
        return "0.1.0" if own else true(of)

    return patch.object(Distribution, "version", property(told))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


PARTS = (of_channels, of_lines, of_regressions, of_designs, of_groups_and_bounds, of_verbs)


def plain(result: Any) -> Any:
    """Write a result as JSON: numbers to twelve digits, in their order."""
    if isinstance(result, str):
        return result
    if isinstance(result, (list, tuple, np.ndarray)):
        return [plain(part) for part in result]
    return float(f"{float(result):.12g}")


def flat(result: Any) -> list[Any]:
    """List the numbers and words of a written result."""
    return (
        [item for part in result for item in flat(part)] if isinstance(result, list) else [result]
    )


def moved(name: str, result: Any, written: Any) -> bool:
    """Say whether a result is another one than was written down."""
    close = 1e-5 if CLIMBED.match(name) else 1e-9
    return any(
        item != other
        if isinstance(item, str) or isinstance(other, str) or None in (item, other)
        else not isclose(item, other, rel_tol=close, abs_tol=close)
        for item, other in zip_longest(flat(plain(result)), flat(written))
    )


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(item, marks=[pytest.mark.long] * (item in (of_verbs, of_groups_and_bounds)))
        for item in PARTS
    ],
)
def test_nothing_moved(part: Callable[[Path], Iterator[Case]], tmp_path: Path) -> None:
    written = json.loads(GOLDENS.read_text(encoding="utf-8"))[part.__name__]
    names = []
    with one_version():
        for name, call in part(tmp_path):
            names.append(name)
            assert not moved(name, call(), written[name]), name
    assert names == list(written)


def test_a_moved_digit_is_seen() -> None:
    assert not moved("one", [1.0, "a"], [1.0, "a"])
    assert moved("one", [1.0 + 1e-8, "a"], [1.0, "a"])
    assert moved("one", [1.0, "b"], [1.0, "a"])
    assert moved("one", [1.0], [1.0, "a"])
    assert moved("band", [0.3, 0.5001], [0.3, 0.5])


def test_a_line_that_ends_with_a_blank_is_seen() -> None:
    assert ends_blank("share  \n  0.3\n\n") == ["share  "]
    assert ends_blank("share\n  0.3\n") == []


def main() -> None:
    """Write down what moved; the rest keeps its digits, as machines differ in the last ones."""
    document = json.loads(GOLDENS.read_text(encoding="utf-8")) if GOLDENS.exists() else {}
    with tempfile.TemporaryDirectory() as folder, one_version():
        written = {
            part.__name__: {
                name: _kept(name, plain(call()), document.get(part.__name__, {}).get(name))
                for name, call in part(Path(folder))
            }
            for part in PARTS
        }
    GOLDENS.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _kept(name: str, result: Any, expected: Any) -> Any:
    return result if expected is None or moved(name, result, expected) else expected


if __name__ == "__main__":
    main()
