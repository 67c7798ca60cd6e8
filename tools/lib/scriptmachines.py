"""Random scripts on every machine: what xlink may make of them when nothing says what it should.

The cases are those of tools/lib/scriptgen.py, of which some have numbers near 0, 2^31, 2^32, 2^63
and 2^64 in the place of others: in addresses, sizes, alignments, regions, data and arguments. xlink
must link each, and then the file must be sound, or refuse it with an error and leave no file. It
must not say that it cannot write: nothing here gives it a reason to, as it refuses what needs
more than 128 MiB of padding. Built with sanitizers, it must not have them say anything.
"""
import dataclasses
import functools
import os
import random
import re
import resource
import struct
import subprocess
from dataclasses import dataclass, field

from elfcompare import Elf, machine_class, structure_faults, unloaded
from machines import MACHINES
from scriptcase import Worker, command_line, make_case
from scriptspecial import near_limit

MOST_BYTES = 160 << 20   # of an output
SECONDS = 60             # of a link
LIMITS = [0, 1 << 31, 1 << 32, 1 << 63, 1 << 64]
SHARES = [0, 0.03, 0.1, 0.4]     # of the numbers of a case
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-f]+|\d+)(?![\w.])")


@dataclass
class Outcome:
    """What became of a case: `linked`, `refused`, or `faulty` for the reasons in `lines`."""
    kind: str
    lines: list = field(default_factory=list)


def to_the_limits(case, rng):
    """The case with some of its numbers near limits."""
    share = rng.choice(SHARES)
    replaced = functools.partial(NUMBER.sub, lambda found: near_limit(
        rng, LIMITS) if rng.random() < share else found.group())
    lists = {name: [replaced(text) for text in getattr(case, name)]
             for name in ("inserts", "before", "args", "line")}
    return dataclasses.replace(case, text=replaced(case.text), **lists)


def faults_of(case, path, machine):
    """What is wrong with an output. What is loaded is up to a script with PHDRS."""
    try:
        elf = Elf(path)
        faults = structure_faults(elf, MACHINES[machine][0])
        if "PHDRS" not in case.text:
            faults += [f"no segment loads section {name}" for name in unloaded(elf)]
        return faults
    except (OSError, ValueError, LookupError, struct.error) as error:
        return [f"cannot read the output: {error!r}"]


def judge(case, status, messages, path, machine):
    """The Outcome of a link that ended with a status and messages."""
    said = messages.splitlines()
    if status not in (0, 1):
        return Outcome("faulty", [f"status {status}", *said])
    if "Sanitizer" in messages or "runtime error" in messages:
        return Outcome("faulty", said)
    errors = [line for line in said if line.startswith("xlink: error: ")]
    if (status == 0) == bool(errors):
        return Outcome("faulty", [f"status {status} and {len(errors)} errors", *said])
    if status:
        if os.path.exists(path):
            return Outcome("faulty", ["a failed link left an output", *said])
        if any("cannot write" in line for line in errors):
            return Outcome("faulty", said)
        return Outcome("refused")
    faults = faults_of(case, path, machine)
    return Outcome("faulty" if faults else "linked", faults)


class MachineWorker(Worker):
    """Links cases with xlink alone."""

    def __init__(self, xlink, folder):
        super().__init__(folder)
        self.xlink = xlink
        # Who ignores SIGXFSZ, as Python does, gets an error for what is too large.
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))

    def run(self, task):
        """The case of a seed for a machine, and its Outcome."""
        name, seed, machine = task
        case = to_the_limits(make_case(name, seed, machine_class(machine).bits),
                             random.Random(f"limits {name} {seed}"))
        out = os.path.join(self.own, "out")
        if os.path.exists(out):
            os.remove(out)
        command = [self.xlink, "-m", machine, "-o", out, "-Map", out + ".map", "--cref",
                   *command_line(case, self.write(case))]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS,
                                  cwd=os.path.join(self.folder, machine, "xlink"),
                                  restore_signals=False)
        except subprocess.TimeoutExpired:
            return case, Outcome("faulty", [f"takes more than {SECONDS} seconds"])
        messages = done.stderr.decode(errors="replace")
        return case, judge(case, done.returncode, messages, out, machine)
