"""Figures for print: what every plot says, how series are told apart, and what words may not do."""

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from cycler import cycler
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.colors import to_rgb

import askance as ak
from askance.channels import MemoisedSymbols
from askance.inference import SupportLaw, estimate_domains, estimate_supports
from askance.present import house_style, save_figure

mpl.use("Agg")

HOSTILE = (
    "$0 to $10,000",
    "a_b^c",
    r"\frac{1}{2}",
    "long " * 40,
    "x" * 200,
    "שלום עולם",
    "مرحبا",
    "😀",
    " ",
    "_private",
)
WARNER = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    pyplot.close("all")


def shares(names: Any = ("yes", "no"), first: int = 40) -> Any:
    channel = ak.KAry.at_epsilon(2).channel(ak.Frame(names))
    return ak.estimate(ak.Tally(channel, {name: first + 5 * i for i, name in enumerate(names)}))


def curve(shift: float = 0) -> Any:
    lower, upper = np.array([[0, 2], [1, 4], [3, 6], [3, 7], [6, 9], [8, 9.5]]).T + shift
    return ak.npmle(ak.Ranges(lower, upper))


def ages() -> Any:
    cuts = ak.RangeChannel(ak.Line(17, 21, 1, "years"), [0, 1, 0])
    return ak.estimate_line(cuts, ak.Ranges([-np.inf, 19], [19, np.inf], counts=[60, 40]))


def regression(scale: float = 1) -> Any:
    rows = [[scale * age, switch] for age in (1, 2, 3, 4) for switch in (0, 1)] * 50
    shares = np.array([0.3, 0.4, 0.4, 0.5, 0.5, 0.6, 0.5, 0.7] * 50)
    reports = np.where(np.random.default_rng(1).random(400) < shares, "yes", "no")
    return ak.response_regression(reports.tolist(), rows, WARNER, terms=["age", "urban"])


def domains(answers: tuple[str, ...], towns: int, minimum: int = 1) -> Any:
    channel = ak.KAry(truth="3/4").channel(ak.Frame(answers))
    counts = {name: 90 - 20 * i for i, name in enumerate(answers)}
    tallies = {f"town {i}": ak.Tally(channel, counts) for i in range(towns)}
    few = {"small": ak.Tally(channel, {"yes": 4}), "smaller": ak.Tally(channel, {"no": 3})}
    return estimate_domains(few | tallies, by="town", minimum=minimum)


def numbers_of_domains() -> Any:
    towns = (("a",), ("b",), ("c",), ("d",))
    estimates = (ages(), ages(), None, None)
    return ak.inference.LineDomains(
        by=("town",), groups=towns, reports=(100, 90, 3, 8), estimates=estimates, minimum=10
    )


def oracle_estimate() -> Any:
    law = SupportLaw(true_positive_rate=Fraction(1, 2), false_positive_rate=Fraction(1, 4))
    return estimate_supports([2600, 3400, 2490, 2740], 10_000, law, labels=list("abcd"))


DRAWS = MemoisedSymbols(classes=2, symbols=2, truth=Fraction(6, 7), again=Fraction(17, 20))
CUTS = ak.Ranges([-np.inf, 4], [6, np.inf], counts=[40, 60])
THREE = "yes", "no", "perhaps"
RESULTS: dict[str, Callable[[], Any]] = {
    "shares": shares,
    "distribution": curve,
    "number": ages,
    "coefficients": regression,
    "effects": lambda: regression().effects(),
    "comparison": lambda: ak.compare(ak.Frame(["yes", "no"]), epsilon=2),
    "curve": lambda: ak.privacy.tradeoff(WARNER, "yes", "no"),
    "points": lambda: ak.inference.cdf_intervals(
        ak.Ranges([-np.inf, 2, -np.inf, 1], [2, np.inf, 3, np.inf]), [1.5, 2.5]
    ),
    "half-width": lambda: ak.sample_size(WARNER, prevalence=0.1, half_width=0.1),
    "power": lambda: ak.sample_size(WARNER, null_prevalence=0.2),
    "plan": lambda: ak.design.plan(ak.Frame(["yes", "no"]), epsilon=1, half_width=0.1),
    "oracles": lambda: ak.design.compare_oracles(answers=9, people=1000, ratio=3),
    "direct": lambda: ak.design.compare_with_direct(
        WARNER, people=500, prevalence="1/5", direct_bias="1/20"
    ),
    "joint": lambda: ak.estimate_joint({"a": WARNER, "b": WARNER}, [[300, 200], [200, 300]]),
    "contamination": lambda: ak.inference.contamination_bounds(
        ak.Tally(WARNER, {"yes": 400, "no": 500}), "1/10"
    ),
    "simultaneous": lambda: ak.inference.simultaneous_frequencies(oracle_estimate()),
    "rounds": lambda: ak.privacy.loss_over_rounds(DRAWS, 6),
    "groups": lambda: domains(THREE[:2], 3, 10),
    "answers by group": lambda: domains(THREE, 3),
    "many groups": lambda: domains(THREE, 7, 10),
    "numbers of groups": numbers_of_domains,
    "inattention": lambda: ak.inference.correct_inattention(
        WARNER,
        WARNER,
        {("yes", "yes"): 40, ("yes", "no"): 60, ("no", "yes"): 30, ("no", "no"): 70},
        anchor_shares={"no": 1},
    ),
    "quantiles": lambda: ak.inference.quantile_intervals(CUTS, [0.25, 0.5]),
    "unbiased mean": lambda: ak.inference.unbiased_mean(CUTS, (0, 10)),
    "survey": lambda: ak.inference.survey_mean(
        ak.inference.SamplingDesign(weights=[1, 2, 1]), [[1.0, 2.0], [3.0, 2.5], [2.0, 4.0]]
    ),
    "average": lambda: ak.inference.functional_interval(
        ak.Ranges([0, 2], [2, 4], counts=[40, 60]), lambda y: y, (0, 4)
    ),
}
BARS = "comparison", "plan", "oracles"
"""What has no legend."""


def legend_of(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize("name", RESULTS)
def test_two_results_on_the_same_axes_are_two_series_with_one_legend(name: str) -> None:
    result = RESULTS[name]()
    ax = result.plot(label="women")
    assert result.plot(ax, label="men", color="black") is ax
    assert ax.get_xlabel()
    assert ax.get_ylabel() or all(tick.get_text() for tick in ax.get_yticklabels())
    if name not in BARS:
        assert [any(label.startswith(word) for label in legend_of(ax)) for word in ("women", "men")]
    assert sum(isinstance(part, mpl.legend.Legend) for part in ax.get_children()) <= 1


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_what_is_drawn_is_a_table_with_names(name: str, backend: str) -> None:
    table = RESULTS[name]().plot_data(backend)
    assert table.columns[0] == "series"
    assert len(table) > 0
    assert all(isinstance(column, str) and column for column in table.columns)
    assert not any(
        table[column].isna().all() for column in table.columns[2:] if backend == "pandas"
    )


NOT_DRAWN = {
    "analysis.EvidenceRate": "a cell of a table that the analyst's page draws",
    "analysis.TickedShare": "a cell of a table that the analyst's page draws",
    "inference.AreaFigure": "a row of FayHerriotEstimates, which are drawn together",
    "inference.TypeShares": "no intervals: its errors are known for some estimators alone",
    "privacy.Attack": "one point of a trade-off function, which is drawn whole",
    "privacy.RepeatedAttack": "one point of a trade-off function, which is drawn whole",
}


def public_results() -> Iterator[tuple[str, type]]:
    for name in ("analysis", "audit", "channels", "design", "inference", "privacy", "study"):
        room = getattr(ak, name)
        for entry in (getattr(room, public) for public in dir(room)):
            if isinstance(entry, type) and is_dataclass(entry) and hasattr(entry, "to_dict"):
                yield f"{name}.{entry.__name__}", entry


def test_every_result_with_an_interval_or_a_curve_is_drawn_or_says_why_not() -> None:
    drawn, missing = set(), set()
    for name, result in public_results():
        if {"plot", "plot_data"} <= {*dir(result)}:
            drawn.add(name)
        elif {"lower", "se", "alpha"} & {*dir(result)}:
            missing.add(name)
    assert missing == set(NOT_DRAWN)
    assert len(drawn) > 40


def test_the_table_has_the_numbers_of_the_result() -> None:
    result = shares()
    table = result.plot_data()
    assert table["answer"].tolist() == ["yes", "no"]
    assert table["share of each answer"].tolist() == result.value.tolist()
    assert table["lower"].tolist() == result.lower.tolist()


def test_a_distribution_has_no_slope() -> None:
    ax = curve().plot()
    for line in ax.lines:
        across, up = np.array(line.get_xydata()).T
        steps = np.isfinite(np.diff(up))
        assert ((np.diff(across) == 0) | (np.diff(up) == 0))[steps].all()
    boxes = [box for box in ax.patches[0].get_path().to_polygons() if len(box)]
    fit = curve()
    assert [np.ptp(box[:, 1]) for box in boxes] == pytest.approx(fit.mass.tolist())
    ends = [(box[:, 0].min(), box[:, 0].max()) for box in boxes]
    assert ends == list(zip(fit.lower, fit.upper, strict=True))


def test_the_series_of_one_name_are_numbered_and_rows_are_shared() -> None:
    ax = shares().plot()
    shares().plot(ax)
    shares(["no", "perhaps"]).plot(ax)
    assert legend_of(ax)[1].endswith("(2)")
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["yes", "no", "perhaps"]
    heights = [line.get_ydata()[0] for line in ax.lines]
    assert len(set(heights)) == len(heights)


def test_a_forest_plot_is_in_standard_deviations_or_as_asked() -> None:
    small, large = regression(), regression(1000)
    first, second = (fit.plot_data().set_index("term") for fit in (small, large))
    assert first.loc["age", "coefficient"] == pytest.approx(second.loc["age", "coefficient"])
    assert first.loc["age", "per"] == pytest.approx(np.std([1, 2, 3, 4]))
    assert first.loc["urban", "per"] == 1
    unit = small.plot_data(per="unit")["coefficient"]
    assert unit[:2].tolist() == small.value[1:].tolist()
    ten = small.plot_data(per={"age": 10})
    assert ten["coefficient"][0] == pytest.approx(10 * small.value[1])
    assert ten["term"][0] == "age, per 10"
    assert "standard deviation" in small.plot().get_xlabel().replace("\n", " ")
    for per in ("metre", {"weight": 1}, {"age": 0}):
        with pytest.raises(ak.errors.InputError, match=r"plot\.per"):
            small.plot(per=per)


def test_the_unit_of_numbers_is_known_or_given() -> None:
    points = RESULTS["points"]()
    assert curve().plot().get_xlabel() == "value"
    assert curve().plot(unit="hours").get_xlabel() == "hours"
    assert points.plot(curve().plot(), unit="hours").get_xlabel() == "hours"
    assert curve().plot(ages().plot()).get_xlabel() == "years"
    assert RESULTS["quantiles"]().plot(unit="$").get_xlabel() == "$, 95 % interval"
    assert numbers_of_domains().plot().get_xlabel() == "mean, years, 95 % interval"


def test_withheld_groups_have_a_row_and_no_mark() -> None:
    groups = domains(THREE[:2], 3, 10)
    table = groups.plot_data().set_index("group")
    assert table.index[0] == "small (withheld)"
    assert np.isnan(table.loc["small (withheld)", "share"])
    assert table.loc["town 2", "lower"] == groups.estimates[4].lower[0]
    assert legend_of(domains(THREE, 3).plot()) == ["small", "smaller", "town 0", "town 1", "town 2"]
    assert len(domains(THREE, 7, 10).plot_data()) == 3 * 10


def test_the_curve_of_a_sample_size_meets_its_aim_at_the_number_of_reports() -> None:
    for size in (RESULTS["half-width"](), RESULTS["power"]()):
        curve = size.plot_data().dropna()
        reached = np.interp(size.reports, curve["reports"], curve["attained"])
        assert reached == pytest.approx(size.attained)


def test_the_curve_of_a_direct_question_crosses_where_both_ways_break_even() -> None:
    comparison = RESULTS["direct"]()
    table = comparison.plot_data().set_index(["series", "people"]).iloc[:, 0]
    gap = table["direct"] - table["randomised"]
    assert np.interp(0, gap, gap.index) == pytest.approx(comparison.break_even, rel=0.01)


def test_the_loss_of_the_last_round_is_that_of_the_result() -> None:
    loss = RESULTS["rounds"]()
    table = loss.plot_data()
    assert table["rounds"].tolist() == [1, 2, 3, 4, 5, 6]
    assert table["epsilon"].tolist()[-1] == loss.epsilon


def words_of(ax: Any) -> list[Any]:
    ticks = [tick for tick in ax.get_yticklabels() if tick.get_text()]
    return [ax.xaxis.label, *ticks, *ax.get_legend().get_texts()]


def test_words_are_never_mathematics_and_never_lost(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ax = shares(HOSTILE).plot(label="$a$ and $b$")
        shares(HOSTILE[:2]).plot(ax, label="_men")
        save_figure(ax, tmp_path / "a.svg")
        save_figure(ax, tmp_path / "a.pdf")
    assert not any(text.get_parse_math() or text.get_usetex() for text in words_of(ax))
    text = "\n".join(
        "".join(node.itertext())
        for node in ElementTree.parse(tmp_path / "a.svg").iter()
        if node.tag.endswith("}text")
    )
    kept = re.sub(r"\s", "", text)
    for words in (*HOSTILE, "$a$ and $b$", "_men"):
        assert re.sub(r"\s", "", words) in kept
    assert b"/Type3" not in (tmp_path / "a.pdf").read_bytes()


@pytest.mark.parametrize("word", ["a\x01b", "a\ufffeb", "a\ud800b"])
def test_what_no_xml_holds_is_replaced(word: str, tmp_path: Path) -> None:
    ax = shares([word, "no"]).plot(label=word)
    save_figure(ax, tmp_path / "a.svg")
    texts = [node.text for node in ElementTree.parse(tmp_path / "a.svg").iter() if node.text]
    assert texts.count("a\ufffdb") == 2


@pytest.mark.parametrize("house", [False, True])
@pytest.mark.parametrize("given_axes", [False, True])
def test_long_words_leave_axes_their_room(house: bool, given_axes: bool) -> None:
    names = [f"{i} " + "long words " * 18 for i in range(3)]
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("error")
        if house:
            style = house_style()
            style.__enter__()
        ax = pyplot.subplots()[1] if given_axes else None
        ax = shares(names).plot(ax, label="word " * 40)
        ax.figure.canvas.draw()
        if house:
            style.__exit__(None, None, None)
    box = ax.get_position()
    assert box.width > 0.4
    assert box.height > 0.25
    frame, figure = ax.get_tightbbox(), ax.figure.bbox
    assert frame.x0 >= -1
    assert frame.x1 <= figure.x1 + 1


def luminance(color: Any) -> float:
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return float(np.dot((0.2126, 0.7152, 0.0722), parts))


def test_series_differ_in_grey() -> None:
    ax = shares().plot()
    for _ in range(4):
        shares().plot(ax)
    looks = {(line.get_color(), line.get_marker()) for line in ax.lines}
    assert len({marker for _, marker in looks}) == 5
    lights = [luminance(color) for color, _ in sorted(looks)]
    assert max(lights) - min(lights) > 0.25
    curves = curve().plot()
    curve(1).plot(curves)
    styles = {line.get_linestyle() for line in curves.lines}
    hatches = {part.get_hatch() for part in curves.patches}
    assert len(styles) == len(hatches) == 2
    for line in (*ax.lines[:3], *curves.lines):
        assert 1.05 / (luminance(line.get_color()) + 0.05) > 3


def test_eight_series_differ_and_none_looks_like_an_open_end() -> None:
    ax = pyplot.subplots()[1]
    for wave in range(8):
        shares(first=40 + wave).plot(ax, label=f"wave {wave}")
    dots = [line for line in ax.lines if line.get_marker() != "None"]
    assert len({(line.get_color(), line.get_marker()) for line in dots}) == 8
    assert not {line.get_marker() for line in dots} & {"<", ">"}


def test_a_marker_on_the_axis_does_not_touch_the_name_of_its_row() -> None:
    ax = shares(["a", "b", "c"], 0).plot()
    ax.figure.canvas.draw()
    (dots,) = ax.lines
    reach = dots.get_markersize() / 2 * ax.figure.dpi / 72
    left = ax.transData.transform((dots.get_xdata()[0], 0))[0] - reach
    assert all(tick.get_window_extent().x1 + reach / 2 < left for tick in ax.get_yticklabels())


def test_effects_are_compared_with_zero_and_shares_are_not() -> None:
    fit = regression()
    charts = (fit.effects().plot(), fit.prevalence().plot())
    zeros = [sum(list(line.get_xdata()) == [0, 0] for line in ax.lines) for ax in charts]
    assert zeros == [1, 0]


def test_the_style_of_the_reader_is_kept() -> None:
    with mpl.rc_context({"axes.prop_cycle": cycler(color=["#123456"])}):
        ax = shares().plot()
    assert ax.lines[0].get_color() == "#123456"
    assert shares().plot(color="red").lines[0].get_color() == "red"


def test_axes_end_where_the_data_do() -> None:
    channel = ak.Warner(truth=1).channel(ak.Frame(["yes", "no"]))
    ax = ak.estimate(ak.Tally(channel, {"yes": 500, "no": 500})).plot()
    low, high = ax.get_xlim()
    assert 0.4 < low < 0.5 < high < 0.6
    assert curve(100).plot().get_xlim()[0] > 99


def test_signs_that_no_font_has_are_named() -> None:
    with pytest.warns(UnicodeWarning, match=r"“\U00012000” \(CUNEIFORM SIGN A\)"):
        shares(["yes", "\U00012000"]).plot()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"color": "no colour"}, "plot.color: got 'no colour'"),
        ({"ax": 3}, "plot.ax: got 'int'"),
        ({"label": 3}, "label"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ak.errors.InputError, match=message):
        shares().plot(**arguments)


def test_rows_and_curves_are_not_mixed() -> None:
    with pytest.raises(ak.errors.InputError, match="got 'axes of curves'; allowed: new axes for"):
        shares().plot(curve().plot())


def test_axes_that_were_cleared_begin_anew() -> None:
    ax = curve().plot()
    ax.clear()
    shares().plot(ax)
    assert len(legend_of(ax)) == 1


@settings(max_examples=5, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12))
def test_any_word_is_drawn_as_it_is(word: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ax = shares([word, f"{word}!"]).plot(label=word)
        ax.figure.canvas.draw()
    labels = [tick.get_text() for tick in ax.get_yticklabels()]
    squeezed = "".join(labels[1].split())
    assert squeezed == "".join(f"{word}!".split())
    pyplot.close(ax.figure)


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "a.xyz", tmp_path / "a", "", tmp_path / "none" / "a.svg"):
        with pytest.raises(ak.errors.InputError, match=r"save_figure\.path"):
            save_figure(shares().plot(), path)
    with pytest.raises(ak.errors.InputError, match=r"save_figure\.figure"):
        save_figure("figure", tmp_path / "a.svg")


def test_a_marker_at_the_end_of_an_axis_is_drawn_entirely() -> None:
    ax = ak.estimate(ak.Tally(WARNER, {"yes": 80, "no": 0})).plot()
    markers = [line for line in ax.lines if len(line.get_xdata()) == 2]
    assert markers[0].get_xdata().tolist() == [1, 0]
    assert not any(line.get_clip_on() for line in markers)


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("(C)[T.one of the longest answers نعم]", "\N{LEFT-TO-RIGHT ISOLATE}"),
        ("نعم (واحد من أطول الأجوبة هنا) [x]", "\N{RIGHT-TO-LEFT ISOLATE}"),
    ],
)
def test_lines_of_right_to_left_words_have_one_direction(name: str, begin: str) -> None:
    channel = ak.Warner(truth="3/4").channel(ak.Frame([name, "no"]))
    _, ax = pyplot.subplots(figsize=(3, 3))
    ak.estimate(ak.Tally(channel, {name: 40, "no": 60})).plot(ax=ax)
    ax.figure.canvas.draw()
    (label,) = [tick.get_text() for tick in ax.get_yticklabels() if "نعم" in tick.get_text()]
    lines = label.split("\n")
    assert len(lines) > 1
    assert {(line[0], line[-1]) for line in lines} == {(begin, "\N{POP DIRECTIONAL ISOLATE}")}
    assert " ".join(line[1:-1].strip() for line in lines) == name
