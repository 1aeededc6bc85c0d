"""The tutorial and the guide do what they say."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pelton
import pytest
from conftest import ROOT

GUIDE = Path(__file__).resolve().parents[1] / "README.md"
TUTORIAL = ROOT / "examples" / "python" / "tutorial.py"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_tutorial(folder: Path) -> None:
    """Every cell runs, one after the other, and circuits at their ends draw themselves."""
    cells = re.split(r"^# %%", TUTORIAL.read_text(encoding="utf-8"), flags=re.MULTILINE)
    code = [cell for cell in cells if cell.strip() and not cell.startswith(" [markdown]")]
    assert len(code) > 10
    names: dict = {"__name__": "__main__"}
    for cell in code:
        exec(compile(cell, str(TUTORIAL), "exec"), names)
    assert names["weather"]._repr_svg_().startswith("<svg")
    assert (folder / "answers.pelton").exists()


def test_tutorial_as_a_program(tmp_path: Path) -> None:
    """It is a program too."""
    done = subprocess.run(
        [sys.executable, TUTORIAL], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "PC0101" in done.stdout and "epochs" in done.stdout


def test_guide(folder: Path) -> None:
    """Every block of the guide runs, and gives what is written behind it."""
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    test = parser.get_doctest("\n".join(blocks), {}, "README.md", str(GUIDE), 0)
    assert test.examples
    told: list[str] = []
    runner.run(test, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


def test_docstrings() -> None:
    """So do docstrings."""
    assert doctest.testmod(pelton).failed == 0


def test_everything_is_documented() -> None:
    """What is public says what it is, and is in the guide or a part of what is."""
    for name in pelton.__all__:
        own = getattr(pelton, name)
        assert name == "__version__" or own.__doc__, name
        for part in vars(own) if isinstance(own, type) else ():
            member = getattr(own, part, None)
            if callable(member) and not part.startswith("_"):
                assert member.__doc__, f"{name}.{part}"


def test_import_needs_numpy_alone() -> None:
    """Importing loads none of the packages that are optional, and no large module."""
    program = (
        "import sys, numpy; before = set(sys.modules); import pelton; "
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert set(done.stdout.split()) <= {"__future__", "pelton"}
