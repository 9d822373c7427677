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


def run_cells(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
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
        value = _value(last, names)
    outputs_by_cell: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs_by_cell.append(
            {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
        )
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        result = {"execution_count": None, "metadata": {}, "output_type": "execute_result"}
        outputs_by_cell.append({"data": data, **result})
    return outputs_by_cell + [_picture(svg) for svg in _figures()]


def _value(last: ast.Expr | None, names: dict[str, Any]) -> Any:
    return last and eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307


def _figures() -> list[str]:
    """Draw the open figures as text of SVG, and close them."""
    import matplotlib.pyplot as plt

    figures = []
    for number in plt.get_fignums():
        svg_file = io.StringIO()
        about = dict.fromkeys(["Creator", "Date", "Format", "Type"])
        with plt.rc_context({"svg.hashsalt": "askance"}):
            plt.figure(number).savefig(svg_file, format="svg", metadata=about, bbox_inches="tight")
        plt.close(number)
        figures.append(svg_file.getvalue())
    return figures


def _picture(svg: str) -> dict[str, Any]:
    data = {"image/svg+xml": _lines(svg), "text/plain": ["<Figure>"]}
    return {"data": data, "metadata": {}, "output_type": "display_data"}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def rewritten(page: Path) -> str:
    """Run a notebook, and write it with what it shows now."""
    notebook = json.loads(page.read_text(encoding="utf-8"))
    count = 0
    for cell, outputs in zip(notebook["cells"], run_cells(notebook["cells"]), strict=True):
        if cell["cell_type"] == "code":
            count += 1
            cell |= {"execution_count": count, "outputs": outputs}
            for output in outputs:
                if "execution_count" in output:
                    output["execution_count"] = count
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("Agg")
    warnings.simplefilter("error")
    for page in PAGES:
        page.write_text(rewritten(page), encoding="utf-8")
        print(f"wrote {page.relative_to(ROOT)}")
