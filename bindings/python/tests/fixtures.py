"""Files of the workspace's tests, and circuits that are compiled elsewhere."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

CRATES = Path(__file__).resolve().parents[3] / "crates"
DATA = CRATES / "snarkjs/tests/data"
GRAPHS = CRATES / "witness/tests/data/graphs"
BLS = DATA / "bls12_381"


def read_json(path: Path) -> Any:
    return json.loads(path.read_text())


def vector(name: str) -> Any:
    """A file of test vectors beside the repository, or in the folder that `FRUMIOUS_VECTORS` names."""
    given = os.environ.get("FRUMIOUS_VECTORS", CRATES.parents[1] / "shared/vectors")
    path = Path(given) / "verkle" / f"{name}.json"
    if not path.is_file():
        assert os.environ.get("CI") != "true", f"{path} is missing"
        pytest.skip(f"{path} is missing")
    return read_json(path)


def circuit(name: str) -> tuple[Path, Path, Any]:
    """The constraints, the module and the inputs of a circuit that circom compiled.

    `FRUMIOUS_CIRCOM_MODULES` names the folder of all circuits, as for the tests of the crate `witness`.
    """
    given = os.environ.get("FRUMIOUS_CIRCOM_MODULES")
    if given is None:
        pytest.skip("FRUMIOUS_CIRCOM_MODULES names no folder of compiled circuits")
    folder = Path(given) / name
    if not folder.is_dir():
        assert os.environ.get("CI") != "true", f"{folder} is missing"
        pytest.skip(f"{folder} is missing")
    [r1cs], [module] = folder.glob("*.r1cs"), folder.glob("*_js/*.wasm")
    return r1cs, module, read_json(folder / "input.json")
