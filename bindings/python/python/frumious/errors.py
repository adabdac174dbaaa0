"""Exceptions: one class for each exit code of docs/json.md, and one for what was asked to stop."""


class FrumiousError(Exception):
    """A task did not do its work. Programs go by `code`; the message may change."""

    def __init__(self, message: str, code: str, exit_code: int) -> None:
        super().__init__(message, code, exit_code)
        self.message = message
        self.code = code
        self.exit_code = exit_code

    def __str__(self) -> str:
        return self.message


class Rejected(FrumiousError):
    """An invalid proof, or inputs that do not satisfy the circuit."""


class BadInput(FrumiousError):
    """A bad argument or file: the same call fails again."""


class TryAgain(FrumiousError):
    """No memory, no room, no permission: the same call may work later."""


class Interrupted(TryAgain):
    """A `Cancellation` stopped it."""


_BY_EXIT_CODE: dict[int, type[FrumiousError]] = {1: Rejected, 2: BadInput, 3: TryAgain}


def of_code(code: str, exit_code: int, message: str) -> FrumiousError:
    """The exception for a code."""
    kind = Interrupted if code == "interrupted" else _BY_EXIT_CODE.get(exit_code, FrumiousError)
    return kind(message, code, exit_code)
