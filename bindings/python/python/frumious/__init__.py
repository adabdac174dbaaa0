"""Groth16 proofs compatible with snarkjs; ceremonies; Verkle commitments; sums over groups and transforms."""

from . import algebra, ceremony, verkle
from ._groth16 import Proof, calculate_witness, full_prove, prove, verify
from ._native import VERSION as __version__
from ._native import Cancellation, Key
from ._setup import MadeKey, inspect, setup, setup_dev, verification_key
from .errors import BadInput, FrumiousError, Interrupted, Rejected, TryAgain

__all__ = [
    "BadInput",
    "Cancellation",
    "FrumiousError",
    "Interrupted",
    "Key",
    "MadeKey",
    "Proof",
    "Rejected",
    "TryAgain",
    "__version__",
    "algebra",
    "calculate_witness",
    "ceremony",
    "full_prove",
    "inspect",
    "prove",
    "setup",
    "setup_dev",
    "verification_key",
    "verify",
    "verkle",
]
