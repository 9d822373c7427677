"""Put the source, which lies above this folder, into the wheel; editable installs read it there."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SourceAbove(BuildHookInterface[Any]):
    """Name the package's source where a wheel is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the package and its licence to what is built."""
        if version == "standard":
            build_data["force_include"] |= {
                "../src/askance_collect": "askance_collect",
                "../LICENSE": "askance_collect/LICENSE",
            }
