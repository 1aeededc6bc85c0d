"""Threads that share a circuit."""

import multiprocessing
import os
import threading
import time

import numpy as np
import pelton
import pytest

TEXT = """
var x[0..40] : bool;
node kind[k in 0..8] = prod i in 0..40 { x[i] ~ bernoulli(?) };
root sum k in 0..8 { ?: kind[k] };
"""


def run(*works) -> None:
    """Run functions at once, and raise what any of them raises."""
    failures: list[BaseException] = []

    def guarded(work) -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    if failures:
        raise failures[0]


def test_evaluation_while_training() -> None:
    """Every evaluation sees the old parameters or the new ones, never a mixture."""
    circuit = pelton.compile(TEXT, threads=1)
    rows = np.random.default_rng(0).integers(0, 2, (500, 40)).astype(np.float32)
    seen = {circuit.log_likelihood(rows).tobytes()}
    states = set(seen)
    done = threading.Event()

    def train() -> None:
        try:
            for seed in range(6):
                circuit.fit(rows, epochs=4, seed=seed)
                states.add(circuit.log_likelihood(rows).tobytes())
        finally:
            done.set()

    def watch() -> None:
        while not done.is_set():
            seen.add(circuit.log_likelihood(rows).tobytes())

    run(train, watch, watch)
    assert len(states) == 7
    assert seen <= states


def test_one_change_at_a_time() -> None:
    """Two that train one circuit: one of them is told to wait; nothing is lost."""
    circuit = pelton.compile(TEXT, threads=1)
    rows = np.random.default_rng(0).integers(0, 2, (200, 40))
    inside, go_on = threading.Event(), threading.Event()

    def train() -> None:
        circuit.fit(rows, epochs=2, callback=lambda _: inside.set() or (go_on.wait(60) and False))

    def disturb() -> None:
        assert inside.wait(60)
        try:
            with pytest.raises(pelton.BusyError, match="another call"):
                circuit.fit(rows)
            with pytest.raises(pelton.BusyError):
                circuit.parameters["root.weights"] = np.full(8, 1 / 8)
            circuit.log_likelihood(rows)
            circuit.copy().fit(rows, epochs=1)
        finally:
            go_on.set()

    run(train, disturb)
    assert circuit.report is not None


def test_the_lock_is_released() -> None:
    """Other threads of Python run while one computes."""
    circuit = pelton.compile(TEXT, threads=1)
    rows = np.random.default_rng(0).integers(0, 2, (400_000, 40)).astype(np.uint8)
    ticks = []
    done = threading.Event()

    def compute() -> None:
        circuit.log_likelihood(rows)
        done.set()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    run(compute, tick)
    assert len(ticks) > 3


def test_same_results_in_threads() -> None:
    """Many threads that evaluate give what one gives."""
    circuit = pelton.compile(TEXT)
    rows = np.random.default_rng(0).integers(0, 2, (3000, 40))
    wanted = circuit.log_likelihood(rows)
    results: list[np.ndarray] = []
    run(*[lambda: results.append(circuit.log_likelihood(rows)) for _ in range(6)])
    assert len(results) == 6 and all((own == wanted).all() for own in results)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes_work() -> None:
    """A fork copies no thread but its own; a child makes its own and does not wait for others."""
    circuit = pelton.compile(TEXT, threads=3)
    rows = np.random.default_rng(0).integers(0, 2, (20_000, 40)).astype(np.float32)
    before = circuit.log_likelihood(rows)
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()

    def child() -> None:
        again = circuit.log_likelihood(rows)
        learned = pelton.compile(TEXT, threads=3)
        learned.fit(rows, epochs=1)
        queue.put((again == before).all() and np.isfinite(learned.log_likelihood(rows)).all())

    process = context.Process(target=child)
    process.start()
    process.join(60)
    is_alive = process.is_alive()
    process.kill()
    assert not is_alive and process.exitcode == 0
    assert queue.get()
