"""`python -m redraft` is the same as `redraft`."""

from __future__ import annotations

import sys

from redraft.cli import main

sys.exit(main())
