"""Random sequences in the real window; `REDRAFT_WALKS=1000` makes them more, `REDRAFT_WALK_FROM` begins at a seed."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from driver import Driver
from servers import ScriptedServer
from walks import Walk

WALKS = int(os.environ.get("REDRAFT_WALKS", "60"))
FIRST = int(os.environ.get("REDRAFT_WALK_FROM", "0"))


@pytest.mark.timeout(60 + 2 * WALKS)
def test_whatever_is_done_only_accepted_text_is_kept(
    driver: Driver, server: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    violations = []
    for seed in range(FIRST, FIRST + WALKS):
        walk = Walk(driver, server, tmp_path, seed)
        try:
            walk.run()
        except AssertionError as error:
            violations.append(f"walk {seed}: {str(error).splitlines()[0]}; {', '.join(walk.steps)}")
            driver.application.bench.documents.close(walk.document, ask=False)
        bad = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
        if bad:
            violations.append(f"walk {seed}: {bad[0]}; {', '.join(walk.steps)}")
            caplog.clear()
    assert not violations, f"{len(violations)} of {WALKS}:\n" + "\n".join(violations)
