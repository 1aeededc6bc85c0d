"""A fresh folder for one trial, in which it runs the binary and notes faults."""

import os
import shutil
import tempfile

import judge
import process


class Box:
    """What a trial is given. All that it leaves behind is swept away, or kept as a find."""

    def __init__(self, setting, parent):
        self.setting = setting
        self.root = tempfile.mkdtemp(dir=parent)
        self.folder = os.path.join(self.root, "work")
        os.mkdir(self.folder)
        self.inputs = {}
        self.runs = []
        self.found = []
        self.asked = 0
        self.sort = None
        self.reduced = {}

    def path(self, name):
        """Where a file of this trial lies."""
        return os.path.join(self.folder, name)

    def write(self, name, content):
        """An input, which is kept if the trial finds something."""
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogateescape")
        self.inputs[name] = content
        with open(self.path(name), "wb") as file:
            file.write(content)
        return name

    def read(self, name):
        """The bytes of a file, or None."""
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except OSError:
            return None

    def run(self, *words, stdin=b"", judged=True, watch=None, file_size=None, seconds=None, may_say_nan=None):
        """Runs the binary here, and judges the run by the rules that hold for all."""
        words = [str(word) for word in words]
        if isinstance(stdin, str):
            stdin = stdin.encode("utf-8", "surrogateescape")
        limits = process.Limits(seconds=seconds or self.setting.timeout, file_size=file_size)
        run = process.run(self.setting.binary, words, self.folder, limits, stdin, watch)
        run.stdin = stdin
        self.runs.append(run)
        if judged:
            if may_say_nan is None:
                blobs = [*self.inputs.values(), stdin, *(word.encode("utf-8", "replace") for word in words)]
                may_say_nan = not judge.is_nan_free(blobs)
            for fault in judge.faults(run, may_say_nan):
                self.fault(fault, run)
        return run

    def fault(self, text, run=None):
        """Notes that something is wrong, with the run that showed it."""
        self.found.append((text, run))

    def sweep(self):
        """Removes everything."""
        shutil.rmtree(self.root, ignore_errors=True)
