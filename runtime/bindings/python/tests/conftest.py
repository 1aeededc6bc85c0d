"""What tests have in common."""

from pathlib import Path

import pelton
import pytest

ROOT = Path(__file__).resolve().parents[4]
"""The top of the tree."""

RAIN = """
var rain, wet : bool;
root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);
"""

MIXED = """
var sky : {clear, cloudy, storm};
var temp : real;
var n : 2..6;
var late : bool;
root 0.5: [sky = clear] * temp ~ normal(20, 4) * n ~ categorical(0.1, 0.2, 0.3, 0.4)
        * late ~ bernoulli(0.1)
   + 0.3: [sky = cloudy] * temp ~ normal(12, 5) * n ~ categorical(0.4, 0.3, 0.2, 0.1)
        * late ~ bernoulli(0.3)
   + 0.2: [sky = storm] * temp ~ normal(8, 3) * n ~ categorical(0.25, 0.25, 0.25, 0.25)
        * late ~ bernoulli(0.7);
"""

OPEN = """
var a, b, c : bool;
node kind[k in 0..2] = a ~ bernoulli(?) * b ~ bernoulli(?) * c ~ bernoulli(?);
root sum k in 0..2 { ?: kind[k] };
"""


@pytest.fixture
def rain() -> pelton.Circuit:
    """Two truth values with a hidden cause."""
    return pelton.compile(RAIN, precision="double")


@pytest.fixture
def mixed() -> pelton.Circuit:
    """Variables of every kind."""
    return pelton.compile(MIXED, precision="double")


@pytest.fixture
def open_circuit() -> pelton.Circuit:
    """Everything is to be learned."""
    return pelton.compile(OPEN)
