"""Ctrl-C ends long calls."""

import os
import signal
import subprocess
import sys
import time

import pytest

SETUP = """
import signal, sys, time
import numpy as np
import pelton
signal.signal(signal.SIGINT, signal.default_int_handler)
circuit = pelton.compile('''
    var x[0..60] : bool;
    node kind[k in 0..40] = prod i in 0..60 { x[i] ~ bernoulli(?) };
    root sum k in 0..40 { ?: kind[k] };
''', threads=1)
rows = np.broadcast_to(np.zeros(60, np.uint8), (2**27, 60))
some = np.random.default_rng(0).integers(0, 2, (20_000, 60))
before = circuit.to_source()
def ready():
    print("ready", flush=True)
"""

CALLS = {
    "log_likelihood": "circuit.log_likelihood(rows[:3 * 10**7])",
    "conditional": "circuit.conditional(rows[:3 * 10**7], rows[:3 * 10**7])",
    "map": "circuit.map(np.broadcast_to(np.full(60, np.nan), (10**7, 60)))",
    "marginals": "circuit.marginals(rows[:10**7])",
    "sample": "circuit.sample(3 * 10**6)",
    "fit": "circuit.fit(some, epochs=10**6, tolerance=0)",
    "learn_hclt": "pelton.learn_hclt(some, epochs=10**6, tolerance=0)",
}


def interrupted(call: str, after: str = "", before: str = "ready()") -> str:
    """Run a call in a process of its own, interrupt it when ready, and give what it prints then."""
    program = f"""{SETUP}
{before}
try:
    {call}
    print("it ended")
except KeyboardInterrupt:
    print("interrupted")
    {after}
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    try:
        told, _ = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == 0
    return told


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_interrupt(call: str) -> None:
    """A long call ends with KeyboardInterrupt, and the circuit can be used after it."""
    told = interrupted(call, "print(circuit.log_likelihood(some[:5]).shape)")
    assert told == "interrupted\n(5,)\n"


def test_training_keeps_what_was_learned() -> None:
    """Epochs that have ended are not lost."""
    after = "print(circuit.to_source() != before)"
    # However slow the machine is, one epoch has ended when it is interrupted.
    call = "circuit.fit(some, epochs=10**6, tolerance=0, callback=first_epoch)"
    before = "first_epoch = lambda epoch: ready() if epoch.epoch == 1 else None"
    assert interrupted(call, after, before) == "interrupted\nTrue\n"


def test_report_is_that_of_the_interrupted_run() -> None:
    """What is told of the last training is told of the one that Ctrl-C ended."""
    after = "print(circuit.report.stop_reason)"
    call = "circuit.fit(some[:50], epochs=2); " + CALLS["fit"]
    assert interrupted(call, after) == "interrupted\ncancelled\n"
