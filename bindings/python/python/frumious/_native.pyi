from typing import Any, Self, final

from ._types import File, Found, Path, Progress

__all__ = [
    "Cancellation",
    "VERSION",
    "Key",
    "assemble",
    "calculate_witness",
    "codes",
    "contribute",
    "create_powers",
    "fft",
    "inspect_file",
    "key_layout",
    "msm",
    "partial_sum",
    "prepare_powers",
    "prove_alone_for_tests",
    "prove_inputs",
    "prove_witness",
    "quotient_vector",
    "scalars_of_h",
    "serve_child",
    "setup",
    "verification_key",
    "verify",
    "verify_key",
    "verify_powers",
    "verkle_commit",
    "verkle_prove",
    "verkle_update",
    "verkle_verify",
]

VERSION: str

@final
class Cancellation:
    def __new__(cls) -> Self: ...
    def cancel(self) -> None: ...

@final
class Key:
    def __new__(cls, key: File) -> Self: ...
    @property
    def curve(self) -> str: ...
    @property
    def n_wires(self) -> int: ...
    @property
    def n_public(self) -> int: ...
    @property
    def domain_size(self) -> int: ...
    @property
    def contributed(self) -> bool: ...
    @property
    def predicted_memory(self) -> int: ...

def codes() -> list[tuple[str, int]]: ...
def prove_witness(
    key: Key,
    witness: File,
    options: dict[str, Any],
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> tuple[str, str]: ...
def prove_inputs(
    key: Key,
    generating: dict[str, Any],
    options: dict[str, Any],
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> tuple[str, str]: ...
def calculate_witness(
    generating: dict[str, Any],
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> bytes: ...
def verify(key: str, public_signals: str, proof: str, uncontributed: bool) -> bool: ...
def serve_child() -> None: ...
def setup(
    options: dict[str, Any],
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> tuple[int, int, int, str | None]: ...
def verification_key(key: File) -> tuple[str, str | None]: ...
def inspect_file(path: Path) -> str: ...
def contribute(
    contributing: dict[str, Any],
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> tuple[bytes, int, int]: ...
def verify_key(
    files: tuple[Path | None, Path | None, Path, Path],
    max_exponent: int,
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> tuple[bytes, list[Found]]: ...
def verify_powers(
    powers: Path,
    max_exponent: int,
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> tuple[int, int, bool, list[Found]]: ...
def create_powers(
    new: Path,
    power: int,
    curve: str,
    replace: bool,
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> None: ...
def prepare_powers(
    files: tuple[Path, Path],
    max_memory: int | None,
    replace: bool,
    cancellation: Cancellation | None,
    progress: Progress | None,
) -> None: ...
def msm(
    kind: tuple[str, str],
    points: memoryview,
    scalars: memoryview,
    cancellation: Cancellation | None,
) -> bytes: ...
def fft(
    kind: tuple[str, str],
    values: memoryview,
    inverse: bool,
    cancellation: Cancellation | None,
) -> None: ...
def verkle_commit(values: memoryview) -> bytes: ...
def verkle_update(
    commitment: memoryview,
    places: memoryview,
    old: memoryview,
    new: memoryview,
) -> bytes: ...
def verkle_prove(
    label: bytes,
    commitments: memoryview,
    values: memoryview,
    places: memoryview,
    cancellation: Cancellation | None,
) -> bytes: ...
def verkle_verify(
    label: bytes,
    commitments: memoryview,
    values: memoryview,
    places: memoryview,
    proof: memoryview,
) -> bool: ...
def key_layout(key: Key) -> list[tuple[str, int, int, int]]: ...
def partial_sum(
    key: Key,
    part: str,
    first: int,
    scalars: bytes,
    cancellation: Cancellation | None,
) -> bytes: ...
def quotient_vector(
    key: Key,
    witness: File,
    name: str,
    cancellation: Cancellation | None,
) -> bytes: ...
def scalars_of_h(
    curve: str,
    vectors: tuple[bytes, bytes, bytes],
    cancellation: Cancellation | None,
) -> bytes: ...
def assemble(
    key: Key,
    sums: dict[str, bytes],
    public: bytes,
    randomness: bytes | None,
    cancellation: Cancellation | None,
) -> tuple[str, str]: ...
def prove_alone_for_tests(key: Key, witness: File, randomness: bytes) -> str: ...
