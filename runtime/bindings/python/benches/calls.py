"""What calls through Python cost.

`python benches/calls.py [WHEEL]`, with a release build installed. Ten thousand rows of four
hidden chains with 12 states and 69 variables (42,528 parameters), by one thread: calls of
the package and of the library itself take turns, so that both see the same machine, and the
fastest of each are compared. Then a single row of a tiny circuit, and how long the import
takes beyond NumPy's own.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pelton

RUNS = 40

CHAINS = """
var x[0..69] : bool;
node h[t in 0..4, i in 0..69, k in 0..12] =
    if i == 68 { x[i] ~ bernoulli(?) }
    else { x[i] ~ bernoulli(?) * sum j in 0..12 { ?: h[t, i + 1, j] } };
root sum t in 0..4, k in 0..12 { ?: h[t, 0, k] };
"""


def compare(circuit: pelton.Circuit, rows: np.ndarray) -> tuple[float, float]:
    """Give the fastest call of the library and of the package."""
    library, package = [], []
    for run in range(2 * RUNS):
        # Who comes second finds the rows in the cache, so that they take turns.
        if (run + run // 2) % 2 == 0:
            library.append(circuit._core.seconds(rows))
        else:
            start = time.perf_counter()
            circuit.log_likelihood(rows)
            package.append(time.perf_counter() - start)
    return min(library), min(package)


def single_row() -> float:
    """Give the time of a call with one row of a tiny circuit."""
    circuit = pelton.compile("var a, b : bool; root a ~ bernoulli(0.3) * b ~ bernoulli(0.6);")
    row = np.array([[1.0, 0.0]])
    times = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(1000):
            circuit.log_likelihood(row)
        times.append((time.perf_counter() - start) / 1000)
    return min(times)


def import_time() -> float:
    """Give the time of the import beyond that of NumPy, each in a new process."""
    program = (
        "import time, numpy; start = time.perf_counter(); import pelton; "
        "print(time.perf_counter() - start)"
    )
    found = [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(15)]
    return statistics.median(found)


def main() -> None:
    """Print all figures."""
    random = np.random.default_rng(0)
    kind = random.random((2000, 1)) < 0.5
    train = (random.random((2000, 69)) < np.where(kind, 0.7, 0.2)).astype(np.uint8)
    circuit = pelton.compile(CHAINS, threads=1)
    circuit.fit(train, epochs=1)
    rows = circuit.sample(10_000, seed=1).astype(np.float32)
    library, package = compare(circuit, rows)
    print(f"parameters                  {circuit.size.parameters:>12,}")
    print(f"10,000 rows, library        {library * 1e3:>9.2f} ms")
    print(f"10,000 rows, Python         {package * 1e3:>9.2f} ms")
    print(f"ratio                       {package / library:>9.3f}")
    print(f"one row of a tiny circuit   {single_row() * 1e6:>9.2f} µs")
    print(f"import beyond NumPy         {import_time() * 1e3:>9.2f} ms")
    for wheel in map(Path, sys.argv[1:]):
        print(f"wheel                       {wheel.stat().st_size / 1e6:>9.2f} MB")


if __name__ == "__main__":
    main()
