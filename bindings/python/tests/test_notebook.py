"""The cells of the example, one after the other."""

from pathlib import Path
from typing import Any

import pytest
from fixtures import read_json

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_the_cells_of_the_first_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    notebook = read_json(EXAMPLES / "first_proof.ipynb")
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        assert cell["outputs"] == []  # figures of another machine say nothing
        exec("".join(cell["source"]), names)
    assert names["proof"].public_signals == ["33"]
    assert (names["valid"], names["forged"]) == (True, False)
    line = names["axes"].lines[0]
    assert len(line.get_xdata()) == len(names["sizes"]) and all(line.get_ydata() > 0)
