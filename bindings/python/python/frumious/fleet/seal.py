"""Witnesses and inputs, sealed before they leave the process: ChaCha20-Poly1305 (RFC 8439).

Each message has a key of its own: HKDF-SHA256 of the operator's key and 32 random bytes, which stand in front. So no
nonce can repeat, however many messages there are. What a message is for is authenticated with it.

The operator's key is in a file that its owner alone may read. The variable FRUMIOUS_FLEET_KEY names it on every
machine. Neither key nor messages in the clear are arguments or results of Ray's tasks.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from ..errors import BadInput
from .engine import required

VARIABLE = "FRUMIOUS_FLEET_KEY"


class Seal:
    """Seals and opens under the operator's key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise BadInput("the key of the fleet is not 64 hexadecimal digits", "bad_input", 2)
        self._key = key
        self._aead = required("cryptography.hazmat.primitives.ciphers.aead")
        self._invalid: type[Exception] = required("cryptography.exceptions").InvalidTag

    def __repr__(self) -> str:
        return "Seal(...)"

    def __reduce__(self) -> str:
        raise TypeError("a key does not travel")

    @classmethod
    def of_environment(cls) -> Seal:
        """With the key in the file that the variable names."""
        named = os.environ.get(VARIABLE)
        if not named:
            raise BadInput(f"{VARIABLE} names no file with the key of the fleet", "not_found", 2)
        return cls(read_key(Path(named)))

    def seal(self, purpose: str, secret: bytes) -> bytes:
        """The message, to be opened for the same purpose."""
        salt = secrets.token_bytes(SALT_BYTES)
        sealed: bytes = self._aead.ChaCha20Poly1305(self._derived(salt)).encrypt(NONCE, secret, purpose.encode())
        return salt + sealed

    def open(self, purpose: str, message: bytes) -> bytes:
        """The secret. Raises `BadInput` if it was sealed under another key, or for another purpose."""
        salt, sealed = message[:SALT_BYTES], message[SALT_BYTES:]
        try:
            secret: bytes = self._aead.ChaCha20Poly1305(self._derived(salt)).decrypt(NONCE, sealed, purpose.encode())
        except (self._invalid, ValueError) as error:
            raise BadInput("a message of the fleet is not sealed with its key", "bad_input", 2) from error
        return secret

    def fingerprint(self, secret: bytes) -> str:
        """A digest to tell inputs apart. Without the key it tells nothing, however few inputs there may be."""
        own = hmac.digest(self._key, b"frumious fleet fingerprint", "sha256")
        return hmac.digest(own, secret, "sha256").hex()

    def _derived(self, salt: bytes) -> bytes:
        # HKDF of RFC 5869 with one block of output.
        extracted = hmac.digest(salt, self._key, hashlib.sha256)
        return hmac.digest(extracted, b"frumious fleet message\x01", hashlib.sha256)


def read_key(path: Path) -> bytes:
    """The key in a file: 64 hexadecimal digits, for its owner alone."""
    try:
        with path.open("rb") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                message = f"{path}: others may read the key of the fleet. Next: chmod 600"
                raise BadInput(message, "permission", 2)
            text = file.read(KEY_BYTES * 4).strip()
        return bytes.fromhex(text.decode("ascii"))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}", "not_found", 2) from error
    except ValueError as error:
        raise BadInput(f"{path}: the key of the fleet is not 64 hexadecimal digits", "bad_input", 2) from error


KEY_BYTES = 32
SALT_BYTES = 32
NONCE = bytes(12)
"""Of a key that seals one message."""
