"""The tutorial and the guide do what they say."""

import doctest
import os
import re
import shutil
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


def snippets(page: Path) -> list[str]:
    """Blocks of Python that are not marked as `tests/src/manual.rs` says."""
    marked = r"^<!-- not run: [^>]*-->\n```.*?^```$"
    text = re.sub(marked, "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_guide(folder: Path) -> None:
    """Every block of the guide runs, and gives what is written behind it."""
    blocks = snippets(GUIDE)
    assert len(blocks) >= 6
    assert all(block.startswith(">>> ") for block in blocks)
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    test = parser.get_doctest("\n".join(blocks), {}, "README.md", str(GUIDE), 0)
    assert test.examples
    told: list[str] = []
    runner.run(test, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


def test_snippets_of_other_pages(folder: Path) -> None:
    """Blocks of Python on all other pages run beside the examples that they speak of."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    pelton.load(ROOT / "examples" / "hmm.pcirc").save(folder / "hmm.pelton")
    rooms = [ROOT / "grammar" / "reference", ROOT / "grammar" / "manual"]
    manual = [page for room in rooms for page in room.glob("*.md")]
    pages = [ROOT / "README.md", *sorted(manual)]
    found = [(page, block) for page in pages for block in snippets(page)]
    for page, block in found:
        names: dict = {}
        exec(compile(block, str(page), "exec"), names)
        if "rain" in names:
            assert names["logs"].round(4).tolist() == [-1.3093, -0.8916]
            assert round(names["rain"], 6) == 0.658537
    assert len(found) == 2


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


def test_looking_around_needs_no_scikit_learn() -> None:
    """Where it is absent, the estimator is too, and nothing fails that lists the module."""
    program = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import inspect, pydoc, pelton\n"
        "assert not hasattr(pelton, 'PeltonDensity')\n"
        "assert 'PeltonDensity' not in dict(inspect.getmembers(pelton))\n"
        "assert 'Circuit' in pydoc.render_doc(pelton)\n"
        "try:\n    from pelton import PeltonDensity\n"
        "except ImportError as error:\n    assert 'pip install scikit-learn' in str(error)\n"
        "else:\n    raise AssertionError\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
