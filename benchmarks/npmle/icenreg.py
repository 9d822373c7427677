"""icenReg, the rival in C++, where R is at hand and icenReg has been built.

It is on no shelf that Python installs from. Given its source, a folder or a tarball,

    python benchmarks/npmle/icenreg.py SOURCE

builds it once beside this file; R with Rcpp, RcppEigen, survival, foreach and coda must be there.
Its positive numbers begin at 0, which stands for a missing lower end.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

LIBRARY = Path(__file__).parent / "build" / "icenreg"
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def present() -> bool:
    return shutil.which("Rscript") is not None and (LIBRARY / "icenReg").is_dir()


def built(source: Path) -> None:
    """Build the source without MLEcens, which it lists and does not use."""
    LIBRARY.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "icenReg"
        if source.is_dir():
            shutil.copytree(source, copy)
        else:
            shutil.unpack_archive(source, scratch)
        about = copy / "DESCRIPTION"
        about.write_text(about.read_text().replace(", MLEcens", ""))
        command = ["R", "CMD", "INSTALL", "--no-docs", "-l", str(LIBRARY), str(copy)]
        subprocess.run(command, check=True, capture_output=True)


def fitted(low: np.ndarray, high: np.ndarray) -> tuple[dict[str, float], np.ndarray, np.ndarray]:
    """Time fits in a fresh process; give the ends of the masses and the masses of the last too."""
    with tempfile.TemporaryDirectory() as scratch:
        np.where(np.isinf(low), 0.0, low).tofile(Path(scratch) / "low")
        high.tofile(Path(scratch) / "high")
        script = str(Path(__file__).with_suffix(".R"))
        command = ["Rscript", script, str(LIBRARY), scratch]
        ran = subprocess.run(
            command, capture_output=True, text=True, check=True, env=os.environ | THREADS
        )
        *spent, peak = map(float, ran.stdout.split())
        measurements = {"first": spent[0], "time": statistics.median(spent), "memory": peak / 1024}
        return measurements, *(np.fromfile(Path(scratch) / name) for name in ("ends", "mass"))


if __name__ == "__main__":
    for script in sys.argv[1:]:
        built(Path(script))
    print(f"icenReg is {'present' if present() else 'not built; give its source'}")
