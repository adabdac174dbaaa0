"""Which nodes go on working, with nodes that are made up."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from frumious.fleet import crew
from frumious.fleet.crew import MOST_LOSSES, Crew
from frumious.fleet.engine import Lost


@pytest.mark.parametrize("has_worked", [True, False])
def test_a_node_that_works_between_its_losses_is_kept(has_worked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "LOOK_SECONDS", 0.0)
    node = SimpleNamespace(id="node", cores=1)
    told: list[dict[str, object]] = []
    left = 3 * MOST_LOSSES

    def attend(_: Any) -> None:
        nonlocal left
        left -= 1
        lost = Lost("gone")
        lost.has_worked = has_worked
        if left:
            raise lost

    def jobs_left() -> int:
        is_refused = not has_worked and left == 2 * MOST_LOSSES
        return 0 if is_refused and not made._at_work else left

    made = Crew(cast(Any, SimpleNamespace(nodes=lambda: [node])), told.append, 60.0, attend)
    made.work(jobs_left)
    lost = [event for event in told if event["state"] == "lost"]
    assert len(lost) == (3 * MOST_LOSSES - 1 if has_worked else MOST_LOSSES)
    assert ("node" in made._refused) is not has_worked
