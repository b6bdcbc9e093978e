"""Prints docs/settings.md: the settings of the editor and of the plugins that come with it. `make docs` runs it."""

from __future__ import annotations

import sys

from redraft.core.config.reference import settings_reference
from redraft.host.discovery import Origin, discover
from redraft.host.headless import schema_with


def settings_page() -> str:
    """The whole page."""
    bundled = [plugin.manifest for plugin in discover().plugins if plugin.origin is Origin.BUNDLED]
    return settings_reference(schema_with(bundled))


if __name__ == "__main__":
    sys.stdout.write(settings_page())
