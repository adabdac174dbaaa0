"""Groth16 proofs compatible with snarkjs."""

from ._groth16 import Proof, calculate_witness, full_prove, prove, verify
from ._native import Cancellation, Key
from .errors import BadInput, FrumiousError, Interrupted, Rejected, TryAgain

__all__ = [
    "BadInput",
    "Cancellation",
    "FrumiousError",
    "Interrupted",
    "Key",
    "Proof",
    "Rejected",
    "TryAgain",
    "calculate_witness",
    "full_prove",
    "prove",
    "verify",
]
