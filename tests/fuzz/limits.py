# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Runs a program under limits of time, memory and output, and says how it ended.

For the fuzzers beside this file. Python's standard library alone.
"""
import os
import resource
import signal
import subprocess
import tempfile
from dataclasses import dataclass

# The tests that run the program set these as well; and one thread per run.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMP_NUM_THREADS": "1",
}

# Words that a message for a user never contains.
INSIDE = ("terminate called", "did not foresee", "stacktrace", "backtrace", "deal.II reports", "out of memory")

# How a run may end. Every other end is a defect.
GOOD = ("accepted", "refused")


@dataclass
class Limits:
    cpu_seconds: int = 20  # of the processor, so that a busy machine makes no hang
    wall_seconds: int = 200  # for a program that waits instead of computing
    megabytes: int = 3000  # of memory that it may write to
    output_bytes: int = 8000  # of the message on stderr
    file_megabytes: int = 64  # of each file that it writes, its output among them


@dataclass
class Ended:
    how: str  # accepted, refused, or what went wrong
    code: int
    output: str  # the beginning of stdout
    message: str  # the beginning of stderr

    @property
    def good(self):
        return self.how in GOOD


def _limit(limits):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 1))
        # Not RLIMIT_AS: a GPU's driver reserves far more addresses than it uses.
        size = limits.megabytes << 20
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
        size = limits.file_megabytes << 20
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return apply


def _classify(code, message, message_bytes, limits, program):
    if code in (-signal.SIGXCPU, -signal.SIGKILL):  # SIGKILL: a second after SIGXCPU
        return "hang"
    if code == -signal.SIGXFSZ:
        return "endless output"
    if code < 0 or code > 128:
        return "signal"
    if code not in (0, 1):
        return "exit code"
    if message_bytes > limits.output_bytes:
        return "long message"
    if any(word in message for word in INSIDE):
        return "inside shown"
    if code == 0:
        return "accepted"
    return "refused" if f"{program}: error:" in message else "no message"


def run(command, folder, limits=Limits(), program="strut"):
    """Runs the command in the folder. `program`: the name in front of its messages."""
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        child = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env={**os.environ, **ENVIRONMENT},
            preexec_fn=_limit(limits),
            start_new_session=True,
        )
        try:
            code, late = child.wait(limits.wall_seconds), False
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)  # its children, too: it has a session of its own
            code, late = child.wait(), True

        def text_of(stream):
            stream.seek(0)
            return stream.read(2 * limits.output_bytes).decode("utf-8", "replace")

        message_bytes = stderr.seek(0, os.SEEK_END)
        message = text_of(stderr)
        how = "hang" if late else _classify(code, message, message_bytes, limits, program)
        return Ended(how, code, text_of(stdout), message)
