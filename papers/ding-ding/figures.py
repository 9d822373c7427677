"""Figure 12: what coverage costs at its best; figure 14: the noise that costs as much.

Both are exact, by quadrature. Scales and laws are ours; the shape of the curves can be compared.

python papers/ding-ding/figures.py [folder]
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import beta, logistic, norm, uniform

import askance as ak
from askance.present.svg import save

ANSWERS = {"normal": norm(), "logistic, standard deviation 1": logistic(0, 3**0.5 / np.pi)}
BOUNDED = {"even": uniform(), "Beta(2, 2)": beta(2, 2), "Beta(2, 5)": beta(2, 5)}
TAUS = np.linspace(0.61, 0.97, 19)
PEOPLE = 1000


def figure_12(ax: Any) -> Any:
    """Draw the standard error of the mean and of E[Y²] at each coverage."""
    for name, law in ANSWERS.items():
        for what, slope in (("E[Y]", None), ("E[Y²]", lambda y: 2 * y)):
            curve = ak.coverage_tradeoff(law, TAUS, slope)
            known = np.isfinite(curve.variance)
            label = f"{what}, {name}"
            (line,) = ax.plot(curve.coverage[known], curve.se(PEOPLE)[known], label=label)
            at, variance = curve.best
            ax.plot(at, (variance / PEOPLE) ** 0.5, "*", markersize=9, color=line.get_color())
    ax.plot([], [], "*", color="0.4", markersize=9, label="Theorem 2's cuts")
    ax.set(xlabel="coverage τ", ylabel=f"standard error, {PEOPLE:,} people", yscale="log")
    ax.legend(fontsize="x-small")
    return ax


def figure_14(ax: Any) -> Any:
    """Draw the ε of Laplace noise with which a mean is as precise as at each coverage."""
    for name, law in BOUNDED.items():
        spread = 1 - ak.coverage(ak.CutLaw(uniform()), law).value
        taus = np.linspace(float(1 - spread) + 1e-6, 0.98, 40)
        ax.plot(taus, [ak.analogous_epsilon(tau, law, (0, 1)) for tau in taus], label=name)
    ax.set(xlabel="coverage τ of one cut", ylabel="ε of Laplace noise, equally precise")
    ax.set_ylim(bottom=0)
    ax.legend(title="answers", fontsize="x-small")
    return ax


def main(folder: Path) -> None:
    """Write both figures."""
    from matplotlib.figure import Figure

    for number, draw in ((12, figure_12), (14, figure_14)):
        figure = Figure(figsize=(6, 4), layout="constrained")
        draw(figure.subplots())
        save(figure, folder / f"figure-{number}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
