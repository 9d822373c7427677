"""Lets the tests of one file use the host that another has."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
