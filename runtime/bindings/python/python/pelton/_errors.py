"""What can go wrong, and everything there is to say about it."""

from __future__ import annotations

from typing import Any, NamedTuple


class Span(NamedTuple):
    """A place in a text."""

    file: str
    """What the text is called."""
    line: int
    """Line, from 1."""
    column: int
    """Column in characters, from 1."""
    start: int
    """Bytes from the beginning of the text to the first one of the place."""
    end: int
    """Likewise to the first one behind it."""
    label: str
    """What is to be seen there; may be empty."""
    is_primary: bool
    """Whether this is the place at fault rather than one that explains it."""


class Suggestion(NamedTuple):
    """A repair: all of its edits together."""

    message: str
    """What it does, in one line."""
    edits: tuple[tuple[Span, str], ...]
    """Places, and the text that replaces what stands there."""


class Diagnostic(NamedTuple):
    """One message about a text: what is wrong, where, why, and the way out."""

    code: str
    """The stable code, such as ``PC0103``; ``pelton explain`` has a page on each."""
    severity: str
    """``"error"``, ``"warning"`` or ``"note"``."""
    message: str
    """One sentence that names the thing at fault."""
    spans: tuple[Span, ...]
    """Places, the one at fault first."""
    notes: tuple[str, ...]
    """Facts that help to understand the message."""
    help: str | None
    """The way out, in words."""
    suggestions: tuple[Suggestion, ...]
    """Ways out, as edits."""
    witness: dict[str, bool | int | float | str]
    """An assignment that shows the fault, by variable."""
    rendered: str
    """The message as a terminal shows it, with the text it is about."""

    def __str__(self) -> str:
        """Give the message as a terminal shows it."""
        return self.rendered

    @property
    def span(self) -> Span | None:
        """The place at fault, if the message has one."""
        return next((span for span in self.spans if span.is_primary), None)


class Error(Exception):
    """Why there is no result. All exceptions of this package are such ones."""

    kind = 0
    """The exit code of the command for such an error; 0 if it has none."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        """Tell what went wrong."""
        super().__init__(message, diagnostics)
        self.message = message
        """What went wrong, in one sentence."""
        self.diagnostics = diagnostics
        """What there is to say about the text that is wrong, if one is."""

    def __str__(self) -> str:
        """Give what the command would print."""
        errors = [own.rendered for own in self.diagnostics if own.severity == "error"]
        return "\n".join(errors).rstrip() or self.message

    @property
    def code(self) -> str | None:
        """The code of the first error in the text, if a text is wrong."""
        first = self._first()
        return first and first.code

    @property
    def span(self) -> Span | None:
        """The place of the first error in the text, if a text is wrong."""
        first = self._first()
        return first and first.span

    @property
    def witness(self) -> dict[str, bool | int | float | str]:
        """An assignment that shows the first error; empty if there is none."""
        first = self._first()
        return first.witness if first else {}

    def _first(self) -> Diagnostic | None:
        return next((own for own in self.diagnostics if own.severity == "error"), None)


class CircuitError(Error, ValueError):
    """The circuit is wrong, or does not allow what is asked."""

    kind = 1


class UsageError(Error, ValueError):
    """An argument is wrong, or a file cannot be read or written."""

    kind = 2


class DataError(Error, ValueError):
    """Data do not fit the circuit, or what is given has probability zero."""

    kind = 3

    def __init__(
        self,
        message: str,
        diagnostics: tuple[Diagnostic, ...] = (),
        cell: tuple[int, int, str, str] | None = None,
    ) -> None:
        """Tell what went wrong, and of which cell."""
        super().__init__(message, diagnostics)
        self.args = (message, diagnostics, cell)
        self.row: int | None = cell and cell[0]
        """The row of the cell at fault, from 0."""
        self.column: int | None = cell and cell[1]
        """Its column, from 0."""
        self.variable: str | None = cell and cell[2]
        """The variable that the column is."""
        self.value: str | None = cell and cell[3]
        """What the cell holds, as text."""


class NumericError(Error, ArithmeticError):
    """A result is not a number."""

    kind = 4


class BusyError(Error, RuntimeError):
    """Another call is changing the parameters of this circuit."""


class InternalError(Error, RuntimeError):
    """A fault of this package."""


_KINDS = {
    1: CircuitError,
    2: UsageError,
    3: DataError,
    4: NumericError,
    5: BusyError,
    6: InternalError,
}


def diagnostic(fields: dict[str, Any]) -> Diagnostic:
    """Make a message from its fields."""
    spans = tuple(Span(*own) for own in fields.pop("spans"))
    suggestions = tuple(
        Suggestion(message, tuple((Span(*place), text) for place, text in edits))
        for message, edits in fields.pop("suggestions")
    )
    notes = tuple(fields.pop("notes"))
    return Diagnostic(spans=spans, suggestions=suggestions, notes=notes, **fields)


def make(
    kind: int,
    message: str,
    diagnostics: list[dict[str, Any]],
    cell: tuple[int, int, str, str] | None,
) -> Error:
    """Make the exception of an error."""
    told = tuple(diagnostic(own) for own in diagnostics)
    if cell is not None:
        return DataError(message, told, cell)
    return _KINDS[kind](message, told)
