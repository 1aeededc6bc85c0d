"""Parameters of a circuit by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._pelton import Core


class Parameter(NamedTuple):
    """Everything about a parameter."""

    kind: str
    """``"simplex"``, ``"unit"``, ``"positive"``, ``"real"`` or ``"weights"``."""
    values: NDArray[np.float64]
    """Its values; of a ``unit`` parameter the probability."""
    learned: NDArray[np.bool_]
    """Whether each value is learned, or fixed by the text."""


class Parameters(Mapping[str, "NDArray[np.float64]"]):
    """The parameters of a circuit: a mapping from names to arrays.

    An array that is read is a copy that cannot be written to; a parameter is changed as a
    whole, ``circuit.parameters["root.weights"] = [0.3, 0.7]``. Probabilities have to add up
    to 1, and what the text fixes has to stay, unless the circuit was read with
    ``learn_all=True``.
    """

    def __init__(self, core: Core) -> None:
        """Show the parameters of a circuit."""
        self._core = core

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """Give the values of a parameter."""
        return self.describe(name).values

    def __setitem__(self, name: str, values: ArrayLike) -> None:
        """Give a parameter other values."""
        self.update({name: values})

    def __iter__(self) -> Iterator[str]:
        """Go through all names: declared ones first, then those written in place."""
        return iter(self._core.parameters())

    def __len__(self) -> int:
        """Count the parameters."""
        return len(self._core.parameters())

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a parameter of this name."""
        if not isinstance(name, str):
            return False
        try:
            self._core.parameter(name)
        except UsageError:
            return False
        return True

    def __repr__(self) -> str:
        """Show all names."""
        return f"Parameters({', '.join(self)})"

    def describe(self, name: str) -> Parameter:
        """Give a parameter with its kind and with which of its values are learned."""
        try:
            kind, values, learned = self._core.parameter(name)
        except UsageError as error:
            raise UnknownParameterError(error.message, error.diagnostics) from None
        values.flags.writeable = False
        return Parameter(kind, values, np.array(learned, dtype=bool))

    def update(self, values: Mapping[str, ArrayLike]) -> None:
        """Give several parameters other values, all of them or none."""
        self._core.set_parameters([(name, _numbers(name, own)) for name, own in values.items()])


class UnknownParameterError(UsageError, KeyError):
    """The circuit has no parameter of this name."""

    __str__ = UsageError.__str__


def _numbers(name: str, values: Any) -> list[float]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"the values of `{name}` are numbers, not {values!r}") from None
    if array.ndim > 1:
        raise UsageError(f"the values of `{name}` are a vector, not of shape {array.shape}")
    return array.reshape(-1).tolist()
