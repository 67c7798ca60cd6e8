"""The linkers of tools/bench: where they are, and how each is told what to do."""
import os
import subprocess
from dataclasses import dataclass

from generate import FORMS
from measure import find_tool

EMULATIONS = {"x86-64": "elf_x86_64", "riscv32": "elf32lriscv"}
LLD_VERSIONS = range(30, 13, -1)


@dataclass(frozen=True)
class Linker:
    """A linker for one form of the program. `one` and `all` are what it is told for one
    thread, and for as many as there are processors."""
    name: str
    form: str
    command: tuple[str, ...]
    one: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    scripts: bool = False      # takes any script
    deep: bool = False         # recursive in --gc-sections

    def arguments(self, threads: str) -> list[str]:
        """The command without inputs and output."""
        return [*self.command, *(self.one if threads == "1" else self.all)]


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


def xlink(path: str, machine: str) -> Linker:
    """xlink for one of its machines."""
    return Linker("xlink", machine, (path, "-m", machine), ("--threads=1",),
                  (f"--threads={processors()}",), scripts=True)


def newest_llds() -> dict[str, str]:
    """The two newest versions of lld, by name; or the one that has no version in its name."""
    paths = ((f"lld {version}", find_tool(f"ld.lld-{version}")) for version in LLD_VERSIONS)
    found = [(name, path) for name, path in paths if path][:2]
    plain = find_tool("ld.lld")
    return dict(found) if found else {"lld": plain} if plain else {}


def version_of(path: str) -> str:
    """The first line that a linker says of its version."""
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return (said.stdout.splitlines() or ["?"])[0]


def forms_for(machine: str, wanted: list[str] | None) -> list[str]:
    """The forms that linkers of several machines link: that of xlink's class."""
    return wanted or ["x86-64" if FORMS[machine].is64 else "riscv32"]


def peers(machine: str, wanted: list[str] | None, mold: str | None) -> list[Linker]:
    """The other linkers that are installed."""
    found = []
    count = processors()
    llds = newest_llds()
    mold = mold or find_tool("mold")
    for form in forms_for(machine, wanted):
        emulation = ("-m", EMULATIONS[form])
        label = "RV32" if form == "riscv32" else "x86-64"
        for name, path in llds.items():
            relax = ("--no-relax",) if form == "riscv32" else ()
            found.append(Linker(f"{name} {label}", form, (path, *emulation, *relax),
                                ("--threads=1",), (f"--threads={count}",)))
        if mold:
            version = version_of(mold).split()[1:2]
            found.append(Linker(" ".join(("mold", *version, label)), form, (mold, *emulation),
                                ("--thread-count=1",), (f"--thread-count={count}",)))
    emulation = ("-m", EMULATIONS["x86-64"])
    gnu, gold = find_tool("ld.bfd"), find_tool("ld.gold", "gold")
    if gnu:
        found.append(Linker("GNU ld x86-64", "x86-64", (gnu, *emulation), scripts=True, deep=True))
    if gold:
        found.append(Linker("gold x86-64", "x86-64", (gold, *emulation), (),
                            ("--threads", f"--thread-count={count}")))
    return found
