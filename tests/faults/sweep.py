#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Lets the files and the memory of a run fail, one call after the other, and looks at what is left.

    tests/faults/sweep.py build/strut build/tests/libraries/libfaults.so --all --keep failures

A preloaded library (preloaded.cc) makes one call fail: a write, open, rename, link, mkdir, fsync, ftruncate or close of a
file in the output directory, or a large allocation. Each fault meets a run in an empty folder, one in the folder of an
earlier run, and one that goes on from a checkpoint. Without --all it is a sample of them, the same every time.

A fault is met soundly if

- the exit code is 1, or it is 0 and each file of a run without faults is there, or named in a NOTE;
- the message is made of sentences, which name a file or the memory, and show nothing from inside;
- no file is half-written, or left under a temporary name;
- a state to go on from that was there before is there;
- `--resume=auto` then ends with the history of a run without faults, to the digit, and with all its files.
"""
import argparse
import collections
import concurrent.futures
import csv
import errno
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fuzz"))
import limits  # noqa: E402

ERRORS = {
    "write": (errno.ENOSPC, errno.EIO, 0),  # 0: one half is written
    "open": (errno.EACCES, errno.EMFILE),
    "rename": (errno.EACCES,),
    "link": (errno.EPERM, errno.ENOSPC),
    "mkdir": (errno.ENOSPC,),
    "fsync": (errno.EIO,),
    "ftruncate": (errno.EIO,),
    "close": (errno.EIO,),
    "allocate": (errno.ENOMEM,),
}
BESIDES = ("basic_string", "unspecified", "std::", "bad_alloc", "what()", "iostream")  # limits.INSIDE has more
LEAST_ALLOCATION = 1024  # bytes: as large as arrays of so small a mesh are


class Sweep:
    def __init__(self, options):
        self.strut, self.library = options.strut.resolve(), options.library.resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
        self.deck = HERE / "fault.prm"
        self.whole = self.folder / "whole"
        self.must_end(self.run(self.whole, "--resume=auto"))
        self.files = {path.name for path in self.whole.iterdir()}
        self.rows = self.history(self.whole)
        self.begun = self.folder / "begun"  # a run to go on from
        self.must_end(self.run(self.begun, "--set", "Optimization / Maximum iterations = 3"))
        # as if it had been killed in design 3, and with a file that a kill has left
        os.rename(self.begun / "checkpoint.before-last.strut", self.begun / "checkpoint.strut")
        (self.begun / "summary.json").unlink()

    def run(self, output, *more, fault=None):
        """Run the deck; with a fault, or with "" to count the calls."""
        command = [str(self.strut), str(self.deck), "--output", str(output), *more]
        environment = {**os.environ, **limits.ENVIRONMENT}
        if fault is not None:
            environment.update(LD_PRELOAD=str(self.library), STRUT_FAULT_FOLDER=str(output),
                               STRUT_FAULT_BEGIN=self.deck.name, STRUT_FAULT_LEAST=str(LEAST_ALLOCATION))
            environment.update(fault)
        try:
            return subprocess.run(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, errors="replace", timeout=300)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -9, "", "no end after 300 s")

    @staticmethod
    def must_end(ended):
        if ended.returncode != 0:
            sys.exit("A run without faults fails:\n" + ended.stdout + ended.stderr)

    @staticmethod
    def history(folder):
        with open(folder / "history.csv", newline="") as file:
            return [{name: value for name, value in row.items() if name != "seconds"} for row in csv.DictReader(file)]

    def prepared(self, scene):
        output = self.folder / f"output-{threading.get_ident()}"
        shutil.rmtree(output, ignore_errors=True)
        if scene != "fresh":
            shutil.copytree(self.whole if scene == "again" else self.begun, output)
        return output, ["--resume"] if scene == "resumed" else []

    def faults(self, scene):
        """Each call of a run without faults, as the variables that make it fail."""
        output, more = self.prepared(scene)
        report = self.folder / "calls"
        report.unlink(missing_ok=True)
        self.must_end(self.run(output, *more, fault={"STRUT_FAULT_REPORT": str(report)}))
        counts = collections.Counter()
        for line in report.read_text().splitlines():
            call, name = line.split(" ", 1)
            counts[call, name] += 1
            for error in ERRORS[call] if counts[call, name] == 1 else ERRORS[call][:1]:
                fault = {"STRUT_FAULT_CALL": call, "STRUT_FAULT_NAME": name, "STRUT_FAULT_ERROR": str(error),
                         "STRUT_FAULT_AT": str(counts[call, name])}
                yield fault
                if error == errno.ENOSPC and call == "write":
                    yield {**fault, "STRUT_FAULT_LASTS": "1"}

    def meet(self, scene, fault):
        """@return what is wrong with how a run meets a fault"""
        output, more = self.prepared(scene)
        ended = self.run(output, *more, fault=fault)
        wrong = list(self.wrong_words(ended, fault["STRUT_FAULT_CALL"]))
        wrong += self.wrong_files(output)
        if scene != "fresh" and not any((output / f"checkpoint{which}.strut").exists()
                                        for which in ("", ".before-last", ".previous")):
            wrong.append("no checkpoint of the earlier run is left")
        if scene == "resumed" and len(self.history(output)) < 2:
            wrong.append("rows of the history before are lost")
        if ended.returncode == 0:
            wrong += self.missing_files(output, ended.stdout)
        text = ended.stdout + ended.stderr
        ended = self.run(output, "--resume=auto")
        if ended.returncode != 0:
            wrong.append(f"the restart has the exit code {ended.returncode}")
            text += "\n--- restart\n" + ended.stdout + ended.stderr
        else:
            wrong += [f"after the restart: {finding}" for finding in
                      [*self.wrong_files(output), *self.missing_files(output, None)]]
            if (output / "history.csv").exists() and self.history(output) != self.rows:
                wrong.append("the restart ends with another history")
            if wrong:
                text += "\n--- restart\n" + ended.stdout + ended.stderr
        return wrong, text

    @staticmethod
    def wrong_words(ended, call):
        text = ended.stdout + ended.stderr
        if ended.returncode not in (0, 1):
            yield f"exit code {ended.returncode}"
        inside = [word for word in (*limits.INSIDE, *BESIDES) if word in text and word != "out of memory"]
        if inside:
            yield f"the message shows '{inside[0]}'"
        if ended.returncode == 1:
            message = ended.stderr.partition("strut: error: ")[2].strip()
            if not message:
                yield "no message"
            elif not re.search(r"[.:)]$", message) or ' ' not in message:
                yield "the message is no sentence"
            if message and "memory" not in message if call == "allocate" else "/" not in message and message:
                yield "the message does not name " + ("the memory" if call == "allocate" else "the file")

    @staticmethod
    def wrong_files(output):
        """@return files that are half-written, or have a temporary name"""
        wrong = []
        for path in sorted(output.rglob("*")) if output.exists() else []:
            if path.is_dir():
                continue
            if ".tmp" in path.name or path.suffix == ".lock":
                wrong.append(f"{path.name} is left")
                continue
            content = path.read_bytes()
            try:
                if path.suffix == ".vtu":
                    whole = content.endswith(b"</AppendedData>\n</VTKFile>\n")
                elif path.suffix == ".pvd":
                    named = re.findall(r'file="([^"]*)"', content.decode())
                    whole = content.endswith(b"</VTKFile>\n") and all((output / name).exists() for name in named)
                elif path.suffix == ".json":
                    whole = json.loads(content) is not None
                elif path.suffix == ".csv":
                    lines = content.decode().split("\n")
                    whole = lines[-1] == "" and len({len(row) for row in csv.reader(lines[:-1])}) == 1 \
                        or path.name == "timing.csv"
                elif path.suffix == ".3mf":
                    whole = zipfile.ZipFile(path).testzip() is None
                elif path.suffix == ".stl":
                    whole = len(content) == 84 + 50 * int.from_bytes(content[80:84], "little")
                elif path.suffix == ".html":
                    whole = content.rstrip().endswith(b"</html>")
                elif path.suffix == ".strut":
                    whole = int.from_bytes(content[16:24], "little") == len(content)
                elif path.name == "original.prm":
                    whole = content.count(b"subsection") == content.count(b"end\n")
                else:
                    whole = content.rstrip().endswith(b"end")
            except Exception as problem:  # whatever a half of a file makes of its reader
                whole = str(problem) == "never"
            if not whole:
                wrong.append(f"{path.name} is not whole")
        return wrong

    def missing_files(self, output, log):
        """@return files of a run without faults that are not there, and not named in the log; with None none of earlier results"""
        there = {path.name for path in output.iterdir()}
        missing = sorted(self.files - there)
        if log is None:  # results that a NOTE has told of before
            missing = [name for name in missing if not re.search("-000[24]", name)]
        else:
            notes = " ".join(line for line in log.splitlines() if "NOTE" in line)
            # a result and its surface are written together
            missing = [name for name in missing if name.removesuffix(".vtu").removesuffix(".stl") not in notes]
        if "history.csv" in there and len(self.history(output)) != len(self.rows):
            missing.append("a row of history.csv")
        return [f"{name} is missing" for name in missing]


def label(scene, fault):
    error = int(fault["STRUT_FAULT_ERROR"])
    return " ".join([scene, fault["STRUT_FAULT_CALL"], fault["STRUT_FAULT_NAME"], fault["STRUT_FAULT_AT"],
                     errno.errorcode[error] if error else "half"] + ["lasting"] * ("STRUT_FAULT_LASTS" in fault))


def sample(names, n):
    """So many of them, in turn of each scene and call, by their checksums."""
    groups = collections.defaultdict(list)
    for name in sorted(names, key=lambda name: zlib.crc32(name.encode())):
        groups[tuple(name.split(" ")[:2])].append(name)
    turns = sorted((place, group) for group in groups for place in range(len(groups[group])))
    return [groups[group][place] for place, group in turns[:n]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strut", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="every call; else a sample")
    parser.add_argument("--sample", type=int, default=45, help="how many")
    parser.add_argument("--only", default="", help="a regular expression for the labels of faults")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--scenes", default="fresh,again,resumed")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the log of each fault that is met badly")
    options = parser.parse_args()
    sweep = Sweep(options)
    faults = {label(scene, fault): (scene, fault) for scene in options.scenes.split(",") for fault in sweep.faults(scene)}
    names = [name for name in faults if re.search(options.only, name)]
    if not options.all:
        names = sample(names, options.sample)
    n_wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, (wrong, text) in zip(names, pool.map(lambda name: sweep.meet(*faults[name]), names)):
            if wrong:
                n_wrong += 1
                print(f"{name}: " + "; ".join(wrong), flush=True)
                if options.keep:
                    options.keep.mkdir(exist_ok=True, parents=True)
                    (options.keep / (name.replace(" ", "-") + ".log")).write_text("\n".join(wrong) + "\n\n" + text)
    print(f"{len(names)} faults of {len(faults)}, {n_wrong} met badly")
    shutil.rmtree(sweep.folder)
    sys.exit(1 if n_wrong else 0)


if __name__ == "__main__":
    main()
