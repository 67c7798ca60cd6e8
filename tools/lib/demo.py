"""Links sample objects of every machine and checks the result word by word.

    demo.py XLINK TESTDATA OUTDIR

For each machine: the command line, then the output's header and two relocations with their
arithmetic and the words before and after. OUTDIR/words.txt has sections, symbols and all
relocations. They come from the input objects; the values that they should have are computed here,
by tools/lib/machines.py, from the addresses in the output.
Beyond the words shown, every byte of every copied section is compared. The exit
status is 1 when anything differs.
"""
import os
import subprocess
import sys
from dataclasses import dataclass, field

import elf
from elf import (SHF_ALLOC, SHF_EXCLUDE, SHF_EXECINSTR, SHF_MERGE, SHF_WRITE, SHN_ABS, SHN_COMMON,
                 SHN_UNDEF, SHT_NOBITS, SHT_PROGBITS, STB_LOCAL, STB_WEAK, STT_FILE, STT_SECTION)
from machines import MACHINES, RULES, Place


@dataclass
class Program:
    """One link of the demonstration."""
    machine: str
    title: str
    directory: str        # below testdata
    objects: list
    options: list = field(default_factory=list)
    # What is known beforehand, whatever the addresses of everything else.
    symbols: dict = field(default_factory=dict)
    flags: int = 0        # e_flags


PROGRAMS = [
    Program("xs1", "every relocated field of the ABI, and link-time expressions", "objects/xs1",
            ["start.o", "work.o", "table.o"],
            symbols={"_start": 0x10000, "main.nstackwords": 347, "remote.nstackwords": 300,
                     "pick": 5, "span": 3, "table.globound": 3}),
    Program("nyuzi", "compiled C: function sections, COMMON, weak, strings",
            "objects/nyuzi", ["start.o", "tables.o", "tables2.o", "console.o"],
            symbols={"_start": 0x1000}),
    Program("nyuzi", "a global offset table", "objects/nyuzi",
            ["start.o", "got.o", "console.o"]),
    Program("aphelion", "near and far calls, addresses in four instructions",
            "demo/aphelion", ["main.o", "util.o"], flags=6),
    Program("dpu", "four memories, two relocations in one instruction", "demo/dpu",
            ["main.o", "start.o"], symbols={"__bootstrap": 0x80000000, "lock": 0xF00000C8,
                                            "samples": 0x08000000}, flags=0x02800000),
    Program("colossus", "jumps, a worker, packed pointers", "demo/colossus",
            ["main.o", "vertex.o"], symbols={"_start": 0x4C000}, flags=0x21),
]
SHOWN = 2    # relocations of each program on standard output
TMEM = {0x01: 0x40000, 0x02: 0x4C000, 0x21: 0x4C000}  # Colossus: base by e_flags


class Failures:
    """Counts checks and failures; `words` is the file of all that was looked at."""

    def __init__(self, words):
        self.words = words
        self.checked = self.failed = 0

    def detail(self, text):
        """A line that only the file has."""
        print(text, file=self.words)

    def show(self, text):
        """A line of the file and of standard output."""
        print(text)
        self.detail(text)

    def check(self, good, text):
        """Prints `text` unless `good`."""
        self.checked += 1
        if not good:
            self.failed += 1
            self.show(f"  WRONG: {text}")
        return good


def unit_text(data, step):
    """The bytes of a storage unit as numbers of `step` bytes, or as one if 0."""
    step = step or max(len(data), 1)
    return " ".join(f"{int.from_bytes(data[i:i + step], 'little'):0{2 * step}x}"
                    for i in range(0, len(data), step))


def flag_text(flags):
    """"WAX" with the bits that are set."""
    return "".join(letter for bit, letter in
                   ((SHF_WRITE, "W"), (SHF_ALLOC, "A"), (SHF_EXECINSTR, "X")) if flags & bit)


class LinkCheck:
    """The objects of a program, and where the linker put what they hold."""

    def __init__(self, program, inputs, output, failures):
        self.program, self.inputs, self.output, self.failures = program, inputs, output, failures
        self.rules = RULES[program.machine]
        self.globals = {s.name: s for s in output.symbols
                        if s.bind != STB_LOCAL and s.section != SHN_UNDEF}
        self.locals = {s.name: s for s in output.symbols
                       if s.bind == STB_LOCAL and s.section == SHN_ABS and s.type != STT_FILE}
        # What the linker defines for its own use may be local in the output.
        known = {s.name for obj in inputs for s in obj.symbols if s.section != SHN_UNDEF}
        self.globals.update((s.name, s) for s in output.symbols
                            if s.name and s.bind == STB_LOCAL and s.name not in known)
        self.definer = self._definers()
        self.base = {}    # (object, section index) -> address in the output
        self.claimed = []
        self.shown = 0    # relocations so far
        for obj in inputs:
            self._locate_by_symbols(obj)
        for obj in inputs:
            self._locate_by_contents(obj)

    def _definers(self):
        """Which object's definition of each global counts: the first strong one."""
        definer = {}
        for obj in self.inputs:
            for symbol in obj.symbols:
                if symbol.bind == STB_LOCAL or symbol.section in (SHN_UNDEF, SHN_COMMON):
                    continue
                old = definer.get(symbol.name)
                if old is None or old[1].bind == STB_WEAK and symbol.bind != STB_WEAK:
                    definer[symbol.name] = (obj, symbol)
        return definer

    def _claim(self, obj, index, address):
        self.base[obj.path, index] = address
        size = obj.sections[index].size
        if size:
            self.claimed.append((address, address + size))

    def _locate_by_symbols(self, obj):
        """A global symbol's address in the output tells where its section is."""
        for symbol in obj.symbols:
            key = (obj.path, symbol.section)
            if symbol.section >= SHN_ABS or symbol.section == SHN_UNDEF or key in self.base:
                continue
            if self.definer.get(symbol.name) != (obj, symbol) or symbol.name not in self.globals:
                continue
            if obj.sections[symbol.section].flags & SHF_MERGE:
                continue
            self._claim(obj, symbol.section, self.globals[symbol.name].value - symbol.value)

    def _locate_by_contents(self, obj):
        """What has no symbol is found by its bytes, but for those that relocations
        change."""
        for index, section in enumerate(obj.sections):
            if (obj.path, index) in self.base or section.type != SHT_PROGBITS or not section.size:
                continue
            if not section.flags & SHF_ALLOC or section.flags & (SHF_MERGE | SHF_EXCLUDE):
                continue
            if section.name == ".eh_frame":
                continue    # cut into records, see show_frames()
            fixed = [True] * section.size
            for reloc in obj.relocations(index):
                size = self.rules[reloc.type].size
                fixed[reloc.offset:reloc.offset + size] = [False] * size
            for out in self.output.sections:
                found = self._find(section, fixed, out)
                if found is not None:
                    self._claim(obj, index, found)
                    break

    def _find(self, section, fixed, out):
        """Where `out` holds the section's fixed bytes in a place that is still free."""
        if out.type != SHT_PROGBITS or out.flags & 7 != section.flags & 7:
            return None
        step = max(section.align, 1)
        for offset in range(-out.address % step, out.size - section.size + 1, step):
            address = out.address + offset
            end = address + section.size
            if any(address < b and a < end for a, b in self.claimed):
                continue
            if all(not keep or out.data[offset + i] == section.data[i]
                   for i, keep in enumerate(fixed)):
                return address
        return None

    def symbol_values(self, obj, reloc):
        """The possible values of S, with a text for the symbol. There is more than
        one only for a string that the output holds several times."""
        symbol = obj.symbols[reloc.symbol]
        if symbol.bind != STB_LOCAL:
            if symbol.name in self.globals:
                return [self.globals[symbol.name].value], symbol.name
            return ([0] if symbol.bind == STB_WEAK else []), symbol.name
        if symbol.section == SHN_ABS:
            return [self.locals[symbol.name].value], symbol.name
        section = obj.sections[symbol.section]
        name = section.name if symbol.type == STT_SECTION else symbol.name
        if section.flags & SHF_MERGE:
            # Merged: S + A is wherever the same string stands now.
            start = symbol.value + reloc.addend
            piece = section.data[start:section.data.index(b"\0", start) + 1]
            values = [out.address + at - reloc.addend for out in self.output.sections
                      if out.type == SHT_PROGBITS and out.flags & SHF_ALLOC
                      for at in occurrences(out.data, piece)]
            return values, f"{name} {piece[:-1].decode()!r}"
        base = self.base.get((obj.path, symbol.section))
        return ([] if base is None else [base + symbol.value]), name

    def bases(self):
        """The values that the output's symbols and header give to the named bases."""
        found = {"tmem": TMEM.get(self.output.flags & 0xFF, 0)}
        for short, name in (("cp", "_cp"), ("dp", "_dp")):
            if name in self.globals:
                found[short] = self.globals[name].value
        return found

    def got_offset(self, value):
        """The offset of the slot that holds `value` from the start of .got."""
        for out in self.output.sections:
            if out.name == ".got":
                for offset in range(0, out.size, 4):
                    if int.from_bytes(out.data[offset:offset + 4], "little") == value:
                        return offset
        return None

    def show_section(self, obj, index):
        """Checks a section, and prints its relocations with their arithmetic."""
        section = obj.sections[index]
        label = f"{os.path.basename(obj.path)}:({section.name})"
        base = self.base.get((obj.path, index))
        if base is None:
            self.failures.check(False, f"{label} is nowhere in the output")
            return
        after = self.output.bytes_at(base, section.size)
        if not self.failures.check(after is not None, f"{label}: the image ends before its end"):
            return
        expected = bytearray(section.data)
        lines = []
        for reloc in obj.relocations(index):
            rule = self.rules[reloc.type]
            span = slice(reloc.offset, reloc.offset + rule.size)
            values, name = self.symbol_values(obj, reloc)
            before = section.data[span]
            outcome = None
            for value in values:
                place = Place(value, reloc.addend, base + reloc.offset + rule.bias, self.bases(),
                              alloc=bool(section.flags & SHF_ALLOC))
                if "G" in rule.formula:
                    place.G = self.got_offset(value)
                    if place.G is None:
                        continue
                V = rule.value(place)
                unit = rule.deposit(int.from_bytes(expected[span], "little"), V)
                patched = unit.to_bytes(rule.size, "little")
                field_only = rule.deposit(int.from_bytes(after[span], "little"), V)
                good = field_only == int.from_bytes(after[span], "little")
                if outcome is None or good:
                    outcome = (place, V, patched, good)
                if good:
                    break
            if outcome is None:
                self.failures.check(False, f"{label}+{reloc.offset:#x}: no value for {name}")
                continue
            place, V, patched, good = outcome
            expected[span] = patched
            lines.append((base + reloc.offset, rule, name, place, V, before, after[span], good))
        for address, rule, name, place, V, before, now, good in lines:
            self.failures.check(good, f"{label} at {address:#x}: the field does not hold {V:#x}")
            tell = self.failures.show if self.shown < SHOWN else self.failures.detail
            self.shown += 1
            tell(f"    {address:#010x} {rule.name:26} {name}")
            tell(f"      S {place.S:#x}  A {place.A}  P {place.P:#x}{extra(rule, place)}:  "
                 f"{rule.formula} = {V if -10 < V < 10 else hex(V)}   "
                 f"{unit_text(before, rule.word)} -> {unit_text(now, rule.word)}"
                 f"{'' if good else '   WRONG'}")
        self.failures.check(bytes(expected) == after,
                            f"{label}: bytes differ from {expected.hex()}, they are {after.hex()}")

    def show_frames(self, obj, index):
        """Checks call frame records. The linker may join equal CIEs and drop records of
        dropped functions, so each is looked up by the function that it describes."""
        section, label = obj.sections[index], f"{os.path.basename(obj.path)}:(.eh_frame)"
        frames = next((s for s in self.output.sections if s.name == ".eh_frame"), None)
        if not self.failures.check(frames is not None, "there is no .eh_frame"):
            return
        written = {}  # initial location -> (CIE, rest of the FDE)
        for _, cie, rest in frame_descriptions(frames.data):
            written[int.from_bytes(rest[:4], "little")] = (cie, rest)
        relocations = {reloc.offset: reloc for reloc in obj.relocations(index)}
        for at, cie, rest in frame_descriptions(section.data):
            reloc = relocations[at + 8]
            rule = self.rules[reloc.type]
            values, name = self.symbol_values(obj, reloc)
            start = rule.value(Place(values[0], reloc.addend, 0)) if values else None
            found = self.failures.check(start in written, f"{label}: no FDE for {name}")
            if not found:
                continue
            self.failures.check(written[start][0].rstrip(b"\0") == cie.rstrip(b"\0"),
                                f"{label}: the FDE for {name} has another CIE")
            self.failures.check(written[start][1][4:] == rest[4:],
                                f"{label}: the FDE for {name} differs")
            self.failures.detail(f"    FDE        {rule.name:26} {name}")
            self.failures.detail(
                f"      S {values[0]:#x}  A {reloc.addend}:  {rule.formula} = {start:#x}   "
                f"{unit_text(rest[:4], 4)} -> {unit_text(written[start][1][:4], 4)}")

    def show(self):
        """Prints and checks the whole output."""
        out, program, check = self.output, self.program, self.failures.check
        self.failures.show(
            f"  ELF{64 if out.is64 else 32}, machine {out.machine} ({out.machine:#x}), "
            f"flags {out.flags:#x}, entry {out.entry:#x}")
        check(out.machine in MACHINES[program.machine], "e_machine")
        check(out.type == elf.ET_EXEC, "e_type is not ET_EXEC")
        check(out.flags == program.flags, f"e_flags are not {program.flags:#x}")

        self.failures.detail("  sections")
        for section in out.sections[1:]:
            address = f"{section.address:#010x}" if section.flags & SHF_ALLOC else " " * 10
            self.failures.detail(f"    {section.name:20} {address} size {section.size:#8x} "
                                 f"{flag_text(section.flags)}")
        self.failures.detail("  symbols")
        for symbol in sorted(self.globals.values(), key=lambda s: (s.section == SHN_ABS, s.value)):
            where = "absolute" if symbol.section >= SHN_ABS else out.sections[symbol.section].name
            self.failures.detail(
                f"    {symbol.value:#010x} size {symbol.size:#6x} {symbol.name} ({where})")
        for name, value in program.symbols.items():
            if check(name in self.globals, f"there is no symbol {name}"):
                check(self.globals[name].value == value, f"{name} is not {value:#x}")

        self.failures.detail("  relocated words")
        for obj in self.inputs:
            for index, section in enumerate(obj.sections):
                if section.type == SHT_PROGBITS and section.flags & SHF_ALLOC and section.size \
                        and not section.flags & (SHF_MERGE | SHF_EXCLUDE):
                    if section.name == ".eh_frame":
                        self.failures.detail(f"   {os.path.basename(obj.path)}:({section.name})")
                        self.show_frames(obj, index)
                        continue
                    if obj.relocations(index):
                        self.failures.detail(
                            f"   {os.path.basename(obj.path)}:({section.name}) at "
                            f"{self.base.get((obj.path, index), 0):#x}")
                    self.show_section(obj, index)


def frame_descriptions(data):
    """(offset, its CIE, the bytes from the initial location on) of each FDE."""
    at = 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        if size == 0:
            break
        back = int.from_bytes(data[at + 4:at + 8], "little")
        if back:
            cie = at + 4 - back
            cie_size = int.from_bytes(data[cie:cie + 4], "little")
            yield at, data[cie + 4:cie + 4 + cie_size], data[at + 8:at + 4 + size]
        at += 4 + size


def extra(rule, place):
    """The base or the slot that the formula names."""
    for name, value in place.bases.items():
        if name in rule.formula:
            return f"  {name} {value:#x}"
    return f"  G {place.G:#x}" if "G" in rule.formula else ""


def shortest(path):
    """`path` as it is, or relative when that stays below the current directory."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def occurrences(data, piece):
    """All offsets of `piece` in `data`."""
    at = data.find(piece)
    while at >= 0:
        yield at
        at = data.find(piece, at + 1)


def run(xlink, testdata, outdir):
    """All programs; returns the exit status."""
    with open(os.path.join(outdir, "words.txt"), "w", encoding="utf-8") as words:
        failures = Failures(words)
        for number, program in enumerate(PROGRAMS, 1):
            output = shortest(os.path.join(outdir, f"{number}-{program.machine}.elf"))
            link(xlink, testdata, program, output, failures)
    print(f"tools/demo: {failures.checked} checks, {failures.failed} failed; "
          f"all words are in {shortest(words.name)}")
    return 1 if failures.failed else 0


def link(xlink, testdata, program, output, failures):
    """One program, its link and the checks of its output."""
    objects = [os.path.join(testdata, program.directory, name) for name in program.objects]
    command = [shortest(xlink), "-m", program.machine, *program.options, *objects, "-o", output]
    failures.show(f"==== {program.machine}: {program.title}")
    failures.show("  $ " + " ".join(command))
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    for line in (done.stdout + done.stderr).splitlines():
        failures.show("  " + line)
    if not failures.check(done.returncode == 0, f"exit status {done.returncode}"):
        return
    inputs = [elf.ElfFile(path) for path in objects]
    check = LinkCheck(program, inputs, elf.ElfFile(output), failures)
    check.show()
    print(f"    {check.shown} relocations, every byte compared")


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:4]))
