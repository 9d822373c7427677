"""An interpreter of its own for the libraries that a benchmark compares with."""

import subprocess
import sys
from pathlib import Path


def peers(topic: Path) -> Path:
    """Give the Python of ``<topic>/.venv``, made from its requirements.txt where missing."""
    environment = topic / ".venv"
    python, wanted = environment / "bin" / "python", topic / "requirements.txt"
    stamp = environment / wanted.name
    if not stamp.exists() or stamp.read_text() != wanted.read_text():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(environment)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(wanted)], check=True)
        stamp.write_text(wanted.read_text())
    return python
