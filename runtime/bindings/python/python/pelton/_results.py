"""What questions and training are answered with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Truths = NDArray[np.bool_]


class Answer(NamedTuple):
    """The answer to one question, or to one for each row."""

    log: Any
    """Natural logarithm of the probability, or density; an array for rows."""
    is_density: Any
    """Whether it is a density, with respect to real variables that have exact values."""

    @property
    def value(self) -> Any:
        """The probability, or density, itself."""
        return np.exp(self.log)

    def __float__(self) -> float:
        """Give the probability, or density, itself."""
        return float(np.exp(self.log))


class Marginals(Mapping[str, "Numbers"]):
    """What every variable is, given each row of evidence, by the variable's name.

    An array has a row for each row of evidence, and a column for each value of the domain
    with its probability. Domains with too many values have two columns: mean and standard
    deviation. Rows whose evidence is impossible are not numbers.
    """

    def __init__(self, names: list[str], widths: list[int], numbers: Numbers, log: Numbers):
        """Cut the numbers of all variables into those of each."""
        ends = np.cumsum([0, *widths])
        self._parts = {
            name: numbers[:, start:end]
            for name, start, end in zip(names, ends[:-1], ends[1:], strict=True)
        }
        self.log_evidence = log
        """The logarithm of the probability of each row's evidence."""

    def __getitem__(self, name: str) -> Numbers:
        """Give the numbers of a variable."""
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names of variables."""
        return iter(self._parts)

    def __len__(self) -> int:
        """Count the variables."""
        return len(self._parts)

    def __repr__(self) -> str:
        """Say how many rows there are, and which variables."""
        return f"Marginals({len(self.log_evidence)} rows of {', '.join(self)})"


class Completions(NamedTuple):
    """The most probable completion of each row of evidence."""

    values: Numbers
    """A row for each row of evidence, with a value for each variable."""
    log: Numbers
    """The logarithm of each completion's probability, or density, given the evidence.

    Infinite, beside values that are NaN, where the density grows without bound: no completion
    is the most probable one there.
    """
    is_exact: Truths
    """Whether no completion is more probable, or only none that was tried."""


class Moments(NamedTuple):
    """Means, variances and covariances of the variables; categories have none (NaN)."""

    mean: Numbers
    """The mean of each; of a ``bool`` variable the probability that it is true."""
    variance: Numbers
    """The variance of each."""
    covariance: Numbers | None
    """The covariances of all pairs, if they were asked for."""


class Estimate(NamedTuple):
    """An amount that was estimated from samples."""

    nats: float
    """The amount in nats."""
    standard_error: float
    """Its standard error."""


class Variable(NamedTuple):
    """A random variable of a circuit."""

    name: str
    """Its name, with indices for a member of an array: ``x[3]``."""
    kind: str
    """``"bool"``, ``"categories"``, ``"range"``, ``"nat"`` or ``"real"``."""
    categories: tuple[str, ...] | None
    """The names of its values; in arrays of numbers, their positions stand for them."""
    bounds: tuple[int, int] | None
    """The first value of a range, and the first one behind it."""
    column: str
    """The name of its column in frames."""


class Size(NamedTuple):
    """How large a circuit is."""

    units: int
    """Units of any kind."""
    edges: int
    """Edges from sums and products to their children."""
    parameters: int
    """Numbers of all parameters, fixed or learned."""
    free_parameters: int
    """Degrees of freedom of what is learned."""


class Verdict(NamedTuple):
    """What is known of a property."""

    verdict: str
    """``"proven"``, ``"refuted"`` or ``"unknown"``."""
    reason: str | None
    """Why it is unknown."""

    def __bool__(self) -> bool:
        """Tell whether the property is proven."""
        return self.verdict == "proven"


class Epoch(NamedTuple):
    """One pass over the training data and what it did."""

    phase: str
    """``"mle"``, ``"minibatch"`` or ``"fullbatch"``."""
    epoch: int
    """Its number in the run, from 1."""
    seconds: float
    """Time since the run began."""
    train_ll: float
    """Mean log-likelihood of the training data as the pass saw them."""
    valid_ll: float | None
    """Mean log-likelihood of the validation data after it."""
    objective: float | None
    """What is maximised, with the parameters from before the pass."""


class Report(NamedTuple):
    """What is known of a training run that has ended."""

    epochs: tuple[Epoch, ...]
    """All epochs."""
    best_epoch: int
    """The epoch whose parameters were kept."""
    stop_reason: str
    """``"closed_form"``, ``"converged"``, ``"validation"``, ``"epochs"`` or ``"cancelled"``."""
    train_ll: float | None
    """Mean log-likelihood of the possible training rows."""
    valid_ll: float | None
    """The same of validation rows."""
    test_ll: float | None
    """The same of test rows."""
    zero_rows: tuple[int, int | None, int | None]
    """Rows of probability zero: of training, validation and test."""
    entropy: float | None
    """Entropy of observed and hidden variables together, where it is defined."""
    method: str
    """``"mle"`` or ``"em"``."""
    notes: tuple[str, ...]
    """What one should know: rows left out, parameters at a bound."""

    def __repr__(self) -> str:
        """Say in one line how the run went."""
        likelihoods = [f"train_ll={_short(self.train_ll)}"]
        if self.valid_ll is not None:
            likelihoods.append(f"valid_ll={_short(self.valid_ll)}")
        if self.test_ll is not None:
            likelihoods.append(f"test_ll={_short(self.test_ll)}")
        told = ", ".join(likelihoods)
        return f"Report({self.method}, {len(self.epochs)} epochs, {told}, {self.stop_reason})"


def _short(number: float | None) -> str:
    return "nan" if number is None else f"{number:.6g}"


def report(text: str) -> Report:
    """Make a report of its text."""
    import json  # noqa: PLC0415 - imports should be quick, and few programs train

    told = json.loads(text)
    epochs = tuple(
        Epoch(**{**own, "train_ll": np.nan if own["train_ll"] is None else own["train_ll"]})
        for own in told["epochs"]
    )
    zero_rows = tuple(told[f"{name}_zero_rows"] for name in ("train", "valid", "test"))
    return Report(
        epochs=epochs,
        best_epoch=told["best_epoch"],
        stop_reason=told["stop_reason"],
        train_ll=told["train_ll"],
        valid_ll=told["valid_ll"],
        test_ll=told["test_ll"],
        zero_rows=zero_rows,
        entropy=told["entropy"],
        method=told["options"]["method"],
        notes=tuple(told["notes"]),
    )
