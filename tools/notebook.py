"""Run the notebooks of the docs, cell by cell, and keep what they print and draw.

A cell's last expression is shown as Jupyter shows it, and so is every figure that is open after it.
"""

import ast
import io
import json
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.ipynb"))


def shown(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Run the cells of code in order, in one namespace; give the outputs of each cell.

    A figure that is open before is none of theirs.
    """
    import matplotlib.pyplot as plt

    plt.close("all")
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_outputs(cell, names) if cell["cell_type"] == "code" else [] for cell in cells]


def _outputs(cell: dict[str, Any], names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run one cell: what it printed, the value of its last expression, and its figures."""
    body = ast.parse("".join(cell["source"])).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)  # noqa: S102  our own page
        told = _value(last, names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append(
            {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
        )
    if told is not None:
        data = {"text/plain": _lines(repr(told))}
        result = {"execution_count": None, "metadata": {}, "output_type": "execute_result"}
        found.append({"data": data, **result})
    return found + [_picture(svg) for svg in _figures()]


def _value(last: ast.Expr | None, names: dict[str, Any]) -> Any:
    return last and eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307


def _figures() -> list[str]:
    """Draw the open figures as text of SVG, and close them."""
    import matplotlib.pyplot as plt

    found = []
    for number in plt.get_fignums():
        drawn = io.StringIO()
        about = dict.fromkeys(["Creator", "Date", "Format", "Type"])
        with plt.rc_context({"svg.hashsalt": "askance"}):
            plt.figure(number).savefig(drawn, format="svg", metadata=about, bbox_inches="tight")
        plt.close(number)
        found.append(drawn.getvalue())
    return found


def _picture(svg: str) -> dict[str, Any]:
    told = {"image/svg+xml": _lines(svg), "text/plain": ["<Figure>"]}
    return {"data": told, "metadata": {}, "output_type": "display_data"}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def rewritten(page: Path) -> str:
    """Run a notebook, and write it with what it shows now."""
    notebook = json.loads(page.read_text(encoding="utf-8"))
    count = 0
    for cell, outputs in zip(notebook["cells"], shown(notebook["cells"]), strict=True):
        if cell["cell_type"] == "code":
            count += 1
            cell |= {"execution_count": count, "outputs": outputs}
            for one in outputs:
                if "execution_count" in one:
                    one["execution_count"] = count
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("Agg")
    warnings.simplefilter("error")
    for one in PAGES:
        one.write_text(rewritten(one), encoding="utf-8")
        print(f"wrote {one.relative_to(ROOT)}")
