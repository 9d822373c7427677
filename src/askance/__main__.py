"""The command ``askance``, also as ``python -m askance``; names a missing package in one line."""

import sys

from askance_collect.errors import MissingExtra


def main() -> None:
    """Run the command line, or say how to install it."""
    try:
        from askance.cli.main import main as run
    except ImportError as error:
        if isinstance(error, MissingExtra):
            missing = error.where
        else:
            missing = f"{(error.name or str(error)).partition('.')[0]} is not installed"
        sys.stderr.write(f"askance: {missing}; run: pip install 'askance[all]'\n")
        sys.exit(2)
    run()


if __name__ == "__main__":
    main()
