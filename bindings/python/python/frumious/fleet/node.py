"""The actor that owns a node's cores. What it is given is public, or sealed; what it gives is public, or sealed.

An exception would stand in Ray's logs with its message. So every failure is a result: a code and a line, which hold
no secret.
"""

from __future__ import annotations

import json
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

from .. import _native
from .._groth16 import Proof, full_prove, prove
from ..errors import BadInput, FrumiousError
from .care import keep_from_others, version
from .seal import Seal
from .store import Store


@dataclass(frozen=True)
class Outcome:
    """What became of a job, or of a piece of one."""

    job: str
    proof: str | None = None
    public_signals: str | None = None
    code: str | None = None
    exit_code: int = 0
    message: str = ""


class Prover:
    """Proves on one node."""

    def __init__(self, cores: int) -> None:
        keep_from_others()
        # Of the pool of threads, which is made by the first proof.
        os.environ["RAYON_NUM_THREADS"] = str(cores)
        self._cores = cores
        self._seal: Seal | None = None
        self._store: Store | None = None
        self._keys: dict[str, _native.Key] = {}
        self._cancellations: dict[str, _native.Cancellation] = {}
        self._stopped: deque[str] = deque(maxlen=MOST_STOPPED)
        self._stopping = Lock()

    def hello(self, challenge: str) -> dict[str, str]:
        """The version of this node, and that it has the key of the fleet. The same in all versions."""
        try:
            self._seal = Seal.of_environment()
            self._store = Store()
            return version() | {"key": self._seal.fingerprint(challenge.encode())}
        except Exception as error:
            return {"refused": words(error)}

    def missing(self, digests: list[str]) -> list[str]:
        """Those files that are not here."""
        return [digest for digest in digests if not self._files().has(digest)]

    def write(self, digest: str, offset: int, content: bytes) -> str | None:
        """Takes a piece of a file; the reason if it cannot."""
        try:
            self._files().write(digest, offset, content)
        except Exception as error:
            return words(error)
        return None

    def finish(self, digest: str) -> bool:
        """The file is complete."""
        return self._files().finish(digest)

    def stop(self, job: str) -> None:
        """Nobody wants this proof any more. Called beside `prove`, before it, or after it."""
        with self._stopping:
            self._stopped.append(job)
            if job in self._cancellations:
                self._cancellations[job].cancel()

    def prove(
        self, key: str, generator: str | None, jobs: list[str], message: bytes, limits: tuple[int | None, float | None]
    ) -> list[Outcome]:
        """Proves a batch. The message has the sealed witnesses, or inputs, of the jobs in their order.

        `limits` are the bytes and seconds of the generator.
        """
        try:
            secrets = unpacked(self._open(purpose(key, generator, jobs), message))
            opened = self._key(key)
            files = self._files()
            module = None if generator is None else files.path(generator)
        except Exception as error:
            return [failed(job, error) for job in jobs]

        # Verified here, so that a wrong witness is told from a wrong node.
        def one(job: str, secret: bytes) -> Outcome:
            cancellation = self._begun(job)
            try:
                if module is None:
                    return done(job, prove(opened, secret, cancellation=cancellation))
                memory, seconds = limits
                proof = full_prove(
                    opened,
                    module,
                    text_of(secret),
                    cached=True,
                    max_witness_memory=memory,
                    max_witness_seconds=seconds,
                    cancellation=cancellation,
                )
                return done(job, proof)
            except Exception as error:
                return failed(job, error)
            finally:
                with self._stopping:
                    self._cancellations.pop(job, None)

        lanes = min(self._cores, SMALL_LANES) if opened.domain_size <= SMALL_DOMAIN else 1
        with ThreadPoolExecutor(lanes) as threads:
            return list(threads.map(one, jobs, secrets))

    def _begun(self, job: str) -> _native.Cancellation:
        cancellation = _native.Cancellation()
        with self._stopping:
            self._cancellations[job] = cancellation
            if job in self._stopped:
                cancellation.cancel()
        return cancellation

    def _key(self, digest: str) -> _native.Key:
        if digest not in self._keys:
            self._keys[digest] = _native.Key(self._files().path(digest))
        return self._keys[digest]

    def _open(self, words: str, message: bytes) -> bytes:
        assert self._seal is not None, "hello comes first"
        return self._seal.open(words, message)

    def _sealed(self, words: str, secret: bytes) -> bytes:
        assert self._seal is not None, "hello comes first"
        return self._seal.seal(words, secret)

    def _files(self) -> Store:
        assert self._store is not None, "hello comes first"
        return self._store


def purpose(key: str, generator: str | None, jobs: list[str]) -> str:
    """What a batch is sealed for."""
    return json.dumps(["prove", key, generator, jobs])


def packed(secrets: list[bytes]) -> bytes:
    """Secrets of a batch as one."""
    return b"".join(len(secret).to_bytes(8, "little") + secret for secret in secrets)


def unpacked(content: bytes) -> list[bytes]:
    """The inverse of `packed`, of what was sealed."""
    secrets, start = [], 0
    while start < len(content):
        end = start + 8 + int.from_bytes(content[start : start + 8], "little")
        secrets.append(content[start + 8 : end])
        start = end
    return secrets


def done(job: str, proof: Proof) -> Outcome:
    """Of a proof."""
    return Outcome(job, json.dumps(proof.proof), json.dumps(proof.public_signals))


def failed(job: str, error: Exception) -> Outcome:
    """Of an exception."""
    if isinstance(error, FrumiousError):
        return Outcome(job, code=error.code, exit_code=error.exit_code, message=error.message)
    return Outcome(job, code="internal", exit_code=3, message=words(error))


def is_final(code: str, exit_code: int, has_generator: bool) -> bool:
    """True for a failure that another attempt would repeat. A generator exceeds its limits on every node."""
    return exit_code in (1, 2) or (has_generator and code in GENERATOR_LIMITS)


def text_of(inputs: bytes) -> str:
    """Inputs of a generator."""
    try:
        return inputs.decode()
    except UnicodeDecodeError:
        raise BadInput("the inputs are not UTF-8", "bad_input", 2) from None  # its error has the inputs


def words(error: Exception) -> str:
    """Of an exception. The message of a foreign one may tell a value."""
    return error.message if isinstance(error, FrumiousError) else type(error).__name__


SMALL_DOMAIN = 1 << 14
"""Up to this size several proofs are made at once: one for each core, but at most so many."""
SMALL_LANES = 16
GENERATOR_LIMITS = ("time_limit", "memory_limit")
MOST_STOPPED = 1000
"""Jobs that were stopped, of which a batch may still come: more than two batches have."""
