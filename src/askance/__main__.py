"""Run ``python -m askance`` as the command ``askance``."""

from askance.cli.main import main

if __name__ == "__main__":
    main()
