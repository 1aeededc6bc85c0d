"""Circuits: compiled, asked, trained and saved."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import Diagnostic, diagnostic
from ._options import as_count, as_seed, fit_options, reading_options, training_rows, watcher
from ._parameters import Parameters
from ._pelton import Core, Rows
from ._pelton import learn_structure as _learn_structure
from ._results import (
    Answer,
    Completions,
    Estimate,
    Marginals,
    Moments,
    Report,
    Size,
    Variable,
    Verdict,
    report,
)
from ._rows import Any2d, rows

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

    from ._options import Callback

_MOST_NAMES = 6


class Circuit:
    """A probabilistic circuit: checked, compiled, and with a value for each parameter.

    Made by :func:`compile`, :func:`load` and :func:`learn_hclt`. Threads may share it: a call
    works on the parameters as they were when it began, and training replaces them when it
    is done.

    Rows are an array of numbers or a list of rows, whose columns are the variables in their
    order; a mapping from names to columns; or a frame of pandas, Polars, or anything else
    that speaks Arrow, by the names of its columns. NaN, None, and masked cells are missing.
    """

    __slots__ = ("__weakref__", "_core", "_report", "_settings")

    _core: Core
    _settings: dict[str, Any]
    _report: Report | None

    def __init__(self) -> None:
        """Refuse: circuits are compiled, loaded or learned."""
        raise TypeError("circuits are made by pelton.compile, pelton.load and pelton.learn_hclt")

    # What it is.

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables, in the order of their columns."""
        return tuple(
            Variable(name, kind, _tuple(categories), bounds, column or name)
            for name, kind, categories, bounds, column in self._core.variables()
        )

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings and notes about the text."""
        return tuple(diagnostic(own) for own in self._core.diagnostics())

    @property
    def size(self) -> Size:
        """How large the circuit is."""
        return Size(*self._core.size())

    @property
    def parameters(self) -> Parameters:
        """All parameters by name, as arrays: read them, and write to them."""
        return Parameters(self._core)

    @property
    def report(self) -> Report | None:
        """What is known of the last training, if there was any."""
        return self._report

    @property
    def log_mass(self) -> float:
        """The logarithm of the circuit's mass, 0 if it is normalized.

        All answers are divided by the mass; only the likelihoods of a circuit that counts
        (all leaves are indicators, all weights are 1) are not, which are numbers of models.
        """
        return self._core.log_mass()

    def property(self, name: str) -> Verdict:
        """Tell what is known of a structural property, such as ``"deterministic"``."""
        return Verdict(*self._core.property(name))

    def __repr__(self) -> str:
        """Say how large the circuit is."""
        size = self.size
        names = [own.name for own in self.variables]
        shown = ", ".join(names if len(names) <= _MOST_NAMES else [*names[:4], f"… {names[-1]}"])
        return f"<pelton.Circuit of {shown}: {size.units} units, {size.parameters} parameters>"

    # Questions.

    def log_likelihood(self, X: Any2d) -> Numbers:
        """Compute the log-probability, or density, of what each row has observed.

        Missing cells are summed out. Impossible rows have -inf.
        """
        return self._core.log_likelihood(rows(X, self._core))

    def conditional(self, X: Any2d, given: Any2d | str) -> Numbers:
        """Compute the log-probability of each row, given other rows or an event.

        Rows of ``given`` go with the rows of the same number. -inf where a row contradicts
        what is given; NaN where that is impossible.
        """
        if isinstance(given, str):
            return self._core.log_conditional_given(rows(X, self._core), given)
        return self._core.log_conditional(rows(X, self._core), rows(given, self._core))

    def query(self, question: str, X: Any2d | None = None) -> Answer:
        """Answer a question such as ``P(rain | wet, temp <= 10)``, exactly.

        With rows, it is answered for each, given also what the row has observed; NaN where
        that is impossible.
        """
        if X is None:
            return Answer(*self._core.query(question))
        log, is_density = self._core.query_rows(question, rows(X, self._core))
        return Answer(log, np.array(is_density, dtype=bool))

    def marginals(self, X: Any2d | None = None, given: str = "") -> Marginals:
        """Tell what every variable is, given each row and an event.

        Without rows there is one, of which nothing is known.
        """
        widths, numbers, log = self._core.marginals(self._evidence(X), given)
        return Marginals([own.name for own in self.variables], widths, numbers, log)

    def map(self, X: Any2d | None = None, given: str = "") -> Completions:
        """Find the most probable values of what each row has not observed, given an event.

        Without rows there is one, of which nothing is known. Exact where the circuit is
        deterministic and where completions are few; else the best of those that were tried.
        """
        values, log, is_exact = self._core.map(self._evidence(X), given)
        return Completions(values, log, np.array(is_exact, dtype=bool))

    def sample(
        self,
        n: int,
        given: Any2d | str | None = None,
        *,
        seed: int | None = None,
    ) -> Numbers:
        """Draw samples of all variables: an array with a row for each.

        ``given`` is an event such as ``"wet, temp <= 10"``, or rows of evidence: then ``n``
        samples are drawn for each row, and the array has the shape (rows, n, variables).
        Equal seeds give equal samples; without one they differ.
        """
        count, number = as_count("n", n), as_seed(seed)
        if given is None or isinstance(given, str):
            return self._core.sample(count, number, given or "")
        return self._core.sample_rows(rows(given, self._core), count, number, "")

    def ask(
        self, question: str, other: Circuit | None = None, **arguments: object
    ) -> dict[str, Any]:
        """Ask a question by its name, such as ``"mi"`` with ``x="rain", y="wet"``.

        Arguments are the options of the command of this name, ``other`` is the second
        circuit of questions about two, and the answer is what the command prints as JSON.
        """
        import json  # noqa: PLC0415 - imports should be quick, and few programs ask so

        core = None if other is None else other._core
        answer: dict[str, Any] = json.loads(self._core.ask(question, json.dumps(arguments), core))
        return answer

    def entropy(self) -> float:
        """Compute the entropy of all variables in nats, exactly.

        Raises :class:`CircuitError` where the circuit is neither deterministic nor small;
        :meth:`estimate_entropy` can do without.
        """
        return self._core.entropy()

    def estimate_entropy(self, n: int = 10_000, *, seed: int | None = None) -> Estimate:
        """Estimate the entropy of all variables from samples."""
        return Estimate(*self._core.estimate_entropy(as_count("n", n), as_seed(seed)))

    def moments(self, given: str = "", *, covariance: bool = False) -> Moments:
        """Compute means and variances of the numeric variables, given an event; exactly."""
        return Moments(*self._core.moments(given, covariance))

    def _evidence(self, data: Any2d | None) -> Any:
        return Rows.nothing(1) if data is None else rows(data, self._core)

    # Training.

    def fit(
        self,
        X: Any2d,
        *,
        valid: Any2d | None = None,
        test: Any2d | None = None,
        weights: ArrayLike | None = None,
        softness: float = 0.0,
        entropy: float = 0.0,
        pseudocount: float = 0.1,
        epochs: int = 100,
        minibatch_epochs: int = 0,
        batch_size: int = 1024,
        step_size: tuple[float, float] = (0.9, 0.1),
        method: str = "auto",
        start: str = "random",
        softening: str = "virtual",
        scale_by_marginal: bool = False,
        pseudocount_per_batch: bool = False,
        patience: int = 4,
        tolerance: float = 1e-6,
        seed: int = 0,
        callback: Callback | None = None,
    ) -> Report:
        """Learn what the text leaves open from rows, and take it over.

        ``valid`` are rows that decide when to stop and which parameters are kept, ``test``
        rows that are looked at once, at the end. ``softness`` is how much of every observed
        cell is noise, ``entropy`` how much the entropy counts beside the likelihood,
        ``pseudocount`` the rows that every vector of probabilities is given in advance.
        ``epochs`` go over all rows at once, after ``minibatch_epochs`` over parts of them.

        ``callback`` is called at the end of every epoch with an :class:`Epoch`; if it
        returns something true the run ends, and what was learned until then is kept. So
        it is after Ctrl-C, which raises KeyboardInterrupt then. If anything else is raised,
        parameters stay as they are.
        """
        options = locals()
        core = self._core
        given = training_rows(rows(X, core), valid, test, weights, core)
        text, interrupt = core.fit(given, fit_options(options), watcher(callback))
        self._report = report(text)
        if interrupt is not None:
            raise interrupt
        return self._report

    # Files and pictures.

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the circuit with its values; the file is replaced whole or not at all.

        As text if the name ends in ``.pcirc``, as a model file, a safe format that holds no
        code, if it ends in ``.pelton`` or has no ending. Other endings are refused: they stand
        for foreign formats, which ``pelton convert`` writes.
        """
        self._core.save(os.fspath(path))

    def to_bytes(self) -> bytes:
        """Give the bytes of a model file, which :func:`from_bytes` reads."""
        return self._core.to_bytes()

    def to_source(self) -> str:
        """Give the text of the circuit with its values.

        The author's where that is possible, else every unit written out.
        """
        return self._core.to_source()

    def to_svg(self) -> str:
        """Draw the circuit: every unit of a small one, families of nodes of a large one."""
        return self._core.to_svg()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def copy(self) -> Circuit:
        """Give a circuit with parameters of its own; what was compiled is shared."""
        return _circuit(self._core.copy(), self._settings, self._report)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Circuit:
        """Give a circuit with parameters of its own."""
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the bytes of a model file."""
        # The file itself says how the text was read.
        settings = {**self._settings, "define": [], "smooth": False, "learn_all": False}
        settings |= {"files": [], "allow_use": []}
        return _unpickle, (self.to_bytes(), settings, self._report)


def compile(
    text: str,
    *,
    threads: int = 0,
    precision: str = "single",
    engine: str = "auto",
    define: Mapping[str, object] | None = None,
    smooth: bool = False,
    learn_all: bool = False,
    effort: float = 1.0,
    files: Mapping[str, str] | None = None,
) -> Circuit:
    """Compile a circuit from text.

    ``threads`` evaluate and learn, as many as there are cores if 0; results do not depend
    on it. ``precision`` is ``"single"`` or ``"double"``. ``define`` gives constants of the
    text other values. ``smooth`` repairs sums that are not smooth. ``learn_all`` lets the
    numbers that the text fixes be learned too. ``effort`` is how long to search for a proof
    of determinism, as a multiple of the usual time. ``files`` are the texts that the circuit
    may ``use``, by name; it reaches no others.

    Raises :class:`CircuitError` if the circuit is wrong.
    """
    if not isinstance(text, str):
        raise TypeError(f"a circuit is compiled from text, not from {type(text).__name__}")
    settings = reading_options(locals())
    return _circuit(Core.compile(text, settings), settings)


def load(
    path: str | os.PathLike[str],
    *,
    threads: int = 0,
    precision: str = "single",
    engine: str = "auto",
    define: Mapping[str, object] | None = None,
    smooth: bool = False,
    learn_all: bool = False,
    effort: float = 1.0,
    allow_use: Iterable[str | os.PathLike[str]] = (),
) -> Circuit:
    """Read a circuit from a file: source, a model file, or a circuit in a foreign format.

    The circuit may ``use`` files below its folder and below the folders that ``allow_use``
    lists. Other options are those of :func:`compile`.
    """
    settings = reading_options(locals())
    return _circuit(Core.load(os.fspath(path), settings), settings)


def from_bytes(
    data: bytes,
    *,
    threads: int = 0,
    precision: str = "single",
    engine: str = "auto",
    define: Mapping[str, object] | None = None,
    smooth: bool = False,
    learn_all: bool = False,
    effort: float = 1.0,
    files: Mapping[str, str] | None = None,
) -> Circuit:
    """Read a circuit from the content of a file.

    Options are those of :func:`compile`.
    """
    settings = reading_options(locals())
    return _circuit(Core.from_bytes(data, settings), settings)


def learn_hclt(
    X: Any2d,
    *,
    valid: Any2d | None = None,
    test: Any2d | None = None,
    weights: ArrayLike | None = None,
    trees: int = 4,
    states: int = 12,
    softness: float = 0.0,
    entropy: float = 0.0,
    pseudocount: float = 0.1,
    epochs: int = 100,
    minibatch_epochs: int = 0,
    batch_size: int = 1024,
    step_size: tuple[float, float] = (0.9, 0.1),
    start: str = "kmeans",
    softening: str = "virtual",
    scale_by_marginal: bool = False,
    pseudocount_per_batch: bool = False,
    patience: int = 4,
    tolerance: float = 1e-6,
    seed: int = 0,
    callback: Callback | None = None,
    threads: int = 0,
    precision: str = "single",
    engine: str = "auto",
) -> Circuit:
    """Learn a circuit from rows alone: a mixture of hidden Chow-Liu trees.

    What a column is, is told from its cells: truth values, small integers, real numbers, and
    texts that are categories. Columns without names are called ``x[0]``, ``x[1]`` and so on.
    ``trees`` are mixed, whose hidden variables have ``states`` each. The other options are
    those of :meth:`Circuit.fit` and :func:`compile`; the circuit has a
    :attr:`~Circuit.report`.
    """
    options = locals()
    sizes = {"trees": as_count("trees", trees), "hidden": as_count("states", states)}
    return _learned("hclt", sizes, options)


def learn_structure(
    X: Any2d,
    learner: str,
    choices: Mapping[str, str | float] | None = None,
    **options: Any,
) -> Circuit:
    """Learn a circuit from rows alone by one of the learners of ``pelton learn``.

    ``learner`` is its name, such as ``"clt"``, and ``choices`` are its own options by their
    names on the command line, such as ``{"trees": 4}``. The other options, and what becomes of
    the columns, are those of :func:`learn_hclt`.
    """
    known = inspect.signature(learn_hclt).parameters
    defaults = {name: own.default for name, own in known.items()}
    unknown = ", ".join(options.keys() - (defaults.keys() - {"X", "trees", "states"}))
    if unknown:
        raise TypeError(f"there is no option {unknown}")
    return _learned(learner, dict(choices or {}), {**defaults, **options, "X": X})


def _learned(learner: str, choices: dict[str, Any], options: dict[str, Any]) -> Circuit:
    settings = reading_options(options)
    fit = fit_options({**options, "method": "auto"})
    valid, test, weights = (options[name] for name in ("valid", "test", "weights"))
    given = training_rows(rows(options["X"]), valid, test, weights, None)
    call = watcher(options["callback"])
    chosen = {name: str(choice) for name, choice in choices.items()}
    core, text = _learn_structure(given, learner, chosen, settings, fit, call)
    return _circuit(core, settings, report(text))


def _circuit(core: Core, settings: dict[str, Any], told: Report | None = None) -> Circuit:
    circuit = object.__new__(Circuit)
    circuit._core, circuit._settings, circuit._report = core, settings, told
    return circuit


def _unpickle(data: bytes, settings: dict[str, Any], told: Report | None) -> Circuit:
    # Pickles of former versions say less.
    settings = {"files": [], "allow_use": [], **settings}
    return _circuit(Core.from_bytes(data, settings), settings, told)


def _tuple(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)
