"""The kinds of attack, by name. Each is a module with `ABOUT`, `SETTLED` and `trial(box, rng, corpus)`."""

import importlib

# How much of the time each kind gets.
SHARES = {
    "files": 8, "data": 4, "engines": 5, "verdicts": 5, "options": 4, "streams": 4, "kills": 4, "disks": 2, "pages": 1,
    "masses": 3, "cells": 2, "leaves": 4,
}


def load(name):
    """The module of a kind."""
    return importlib.import_module(f"kinds.{name}")
