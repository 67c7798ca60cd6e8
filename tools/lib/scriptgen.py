"""Random linker scripts for the objects in testdata/scripts/objects.

A Profile says what scripts are about; generate() makes the script of a seed, with the options
and the files to link it with. The same profile and seed give the same script for ever, as long
as this file stays as it is.

The scripts are such that GNU ld and xlink can be compared; what GNU ld makes of some
combinations depends on chance, so they are not made: see the docstring of tools/fuzz-scripts.
"""
import random
import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Profile:
    """What the scripts of one kind have, as probabilities from 0 to 1."""
    name: str
    about: str
    regions: float = 0.15       # MEMORY
    complete: float = 0         # last sections that take all that is left, so without orphans
    standard: bool = False      # output sections with usual names and contents
    phdrs: float = 0.1          # PHDRS with two PT_LOAD
    lengths: tuple = (0x10000,)  # of regions
    spill: bool = False         # --enable-non-contiguous-regions
    inserts: bool = False       # further scripts with INSERT
    started: bool = False       # -Ttext, --section-start and the like


PROFILES = {p.name: p for p in (
    Profile("orphans", "sections that no pattern takes"),
    Profile("complete", "no orphans: last patterns take what is left", regions=0.3, complete=1),
    Profile("standard", "output sections named .text, .rodata, .data, .bss", regions=0.25,
            complete=0.3, standard=True),
    Profile("regions", "MEMORY, with and without orphans", regions=1, complete=0.5),
    Profile("small-regions", "short regions, with --enable-non-contiguous-regions", regions=1,
            complete=0.7, lengths=(0x30, 0x60, 0xa0, 0x100, 0x400), spill=True, phdrs=0),
    Profile("insert", "INSERT in further scripts", regions=0.25, complete=0.5, inserts=True,
            phdrs=0),
    Profile("started", "-Ttext, -Tdata, -Tbss, --section-start", complete=0.4, standard=True,
            started=True),
    Profile("names", "names that objects, --defsym and the script define at once"),
    Profile("load-regions", "AT> with and without >, addresses, empty sections", regions=1,
            complete=0.2, phdrs=0),
    Profile("ctors", ".ctors and .init_array in each other's outputs"),
    Profile("tls", "thread-local sections"),
    Profile("corners", "unusual names, .gnu.linkonce, BLOCK, lists in brackets"),
    Profile("merge", "statements between mergeable inputs"),
    Profile("archives", "archives on the command line and in the script"),
    Profile("edges", "numbers near the ends of the address space"),
)}


@dataclass
class Section:
    """An output section of a script, as the rules about known differences need it."""
    name: str
    body: list = field(default_factory=list)     # statements, as text
    only_if: bool = False
    header: bool = False


@dataclass
class Case:
    """A script and how to link it."""
    text: str
    inserts: list       # further scripts, in order
    args: list
    files: list
    sections: dict      # Section by name; of scripts with INSERT as well
    before: list = field(default_factory=list)      # arguments before -T
    archives: dict = field(default_factory=dict)    # {name: objects in it}
    line: list = field(default_factory=list)        # all arguments, with -T for the script


# What GNU ld makes itself for x86-64 and xlink for its machines not. It stays empty, but would
# align load addresses, attract orphans and fill regions. GNU ld says of its own sections that
# they belong to the first file, so only a leading statement comes before a pattern `b.o`.
NAMED_AWAY = "*(.got .got.* .plt .plt.* .iplt .igot .igot.* .rela.* .note.gnu.property)"

PATTERNS = [
    "*(.text)", "*(.text .text.*)", "*(.text.hot)", "*(.rodata)", "*(.rodata .rodata.*)",
    "*(.data)", "*(.data .data.*)", "*(.bss)", "*(.bss COMMON)", "*(COMMON)", "*(.vectors)",
    "KEEP(*(.vectors))", "*(.mine)", "*a.o(.text)", "*b.o(.data .bss)",
    "*(EXCLUDE_FILE(*b.o) .rodata)", "*(SORT(.text*))",
    "*(SORT_BY_ALIGNMENT(.data*) SORT(.bss*))", "b.o", "*(.nothing)", "*(.m*)"]
MOVE_OR_DATA = re.compile(r"\. |BYTE|SHORT|LONG|QUAD|FILL")
OBJECT_SYMBOLS = ["a_data", "b_func", "_start", "vectors"]
PLAIN_NAMES = [".o1", ".o2", ".o3", ".o4", ".o5", ".o6", ".o7"]
USUAL_NAMES = [".text", ".data", ".bss", ".rodata", ".mine", ".vectors"]
REST = [(".zt", "*(.text*)"),
        (".zr", "*(.rodata*) *(.vectors) *(.orphan_ro) *(.note*) *(.r.*) *(cident_ro) *(.isr)"),
        (".zc", "*(.orphan_code) *(cident_code)"),
        (".zd", "*(.data*) *(.mine) *(.orphan_rw) *(.init*) *(.ctors*) *(.s.*) *(cident) *(.wx)"
                " *(.sdata)"),
        (".zb", "*(.bss) *(COMMON) *(.orphan_bss) *(.zero) *(.sbss)")]
STARTS = [["-Ttext=0x6000"], ["-Tbss=0xa000"], ["-Tdata=0x7000", "-Tbss=0x8000"],
          ["--section-start=.o2=0x4000", "-Ttext", "0x9000"]]
STARTED_NAMES = [".o1", ".o3", ".text", ".data", ".bss", ".rodata", ".mine", ".orphan_rw",
                 ".fresh"]
SORTS = ["--sort-section=name", "--sort-section=alignment"]


class Generator:
    """Makes the parts of one script."""

    def __init__(self, rng, profile, patterns=PATTERNS, first_symbol=0):
        self.rng, self.profile, self.patterns = rng, profile, patterns
        self.symbols, self.names, self.sections = [], [], {}
        self.last_symbol, self.base, self.lma = first_symbol, 0x10000, 0x900000
        self.memory, self.headers = [], []

    def chance(self, probability):
        """True so often."""
        return self.rng.random() < probability

    def pick(self, *texts):
        """One of several texts."""
        return self.rng.choice(texts)

    def number(self):
        """A small number."""
        return self.pick("1", "2", "4", "8", "16", "0x10", "0x20", "3", "5", "0x40")

    def alignment(self):
        """A power of two."""
        return self.pick("1", "2", "4", "8", "16", "32", "64", "0x100")

    def expression(self, depth=0):
        """An expression of numbers, dot, symbols and sections that are already there."""
        deeper = lambda: self.expression(depth + 1)  # noqa: E731
        kind = self.rng.randrange(14)
        if depth > 2 or kind < 3:
            return self.number()
        if kind == 3 and self.symbols:
            return self.pick(*self.symbols)
        if kind == 4:
            return "."
        if kind in (5, 6, 7) and self.names:
            return f"{('SIZEOF', 'ADDR', 'LOADADDR')[kind - 5]}({self.pick(*self.names)})"
        if kind == 8:
            return f"ALIGN({self.alignment()})"
        if kind == 9:
            return f"ABSOLUTE({deeper()})"
        if kind == 10:
            return f"({deeper()} {self.pick('+', '+', '+', '-', '&', '|')} {deeper()})"
        if kind == 11:
            return f"MAX({deeper()}, {deeper()})"
        if kind == 12:
            return f"ALIGN({deeper()}, {self.alignment()})"
        return self.pick(*OBJECT_SYMBOLS)

    def assignment(self, used=True):
        """An assignment to a new symbol, which further expressions may use."""
        self.last_symbol += 1
        name = f"sy{self.last_symbol}"
        value = "." if self.chance(0.5) else self.expression()
        kind = self.rng.random()
        if kind < 0.1:
            return f"PROVIDE({name} = {value});"
        if kind < 0.15:
            return f"HIDDEN({name} = {value});"
        if used:
            self.symbols.append(name)
        return f"{name} = {value};"

    def body(self, used=True):
        """The statements of an output section."""
        statements = []
        for _ in range(self.rng.randrange(5)):
            kind = self.rng.random()
            if kind < 0.55 or kind >= 0.92:
                statements.append(self.pick(*self.patterns))
            elif kind < 0.7:
                statements.append(self.assignment(used))
            elif kind < 0.78:
                statements.append(f". = ALIGN({self.alignment()});")
            elif kind < 0.84:
                statements.append(f". += {self.number()};")
            elif kind < 0.9:
                word = self.pick("BYTE", "SHORT", "LONG", "QUAD")
                statements.append(f"{word}({self.expression()})")
            else:
                statements.append(f"FILL({self.pick('0xaa', '0x1234', '0')})")
        return statements

    def add(self, name, body, only_if=False, header=""):
        """Notes an output section, and its name for expressions."""
        if not only_if:
            self.names.append(name)
        self.sections[name] = Section(name, body, only_if, bool(header))

    def place(self, probability, again):
        """A region, and perhaps one to load from."""
        if not self.memory or not self.chance(probability):
            return ""
        text = " > " + self.pick(*self.memory)
        return text + (" AT> " + self.pick(*self.memory) if self.chance(again) else "")

    def header(self):
        """A program header. The first section always says one."""
        if self.headers and (not self.sections or self.chance(0.4)):
            return " :" + self.pick(*self.headers)
        return ""

    def section_type(self, name, only_if):
        """The type of an output section, and what its body must begin with: a type that is
        given to a section without bytes, or one that says not to load a section with a
        well-known name, means something else to GNU ld."""
        if self.chance(0.06):
            return " (NOLOAD)", []
        if only_if or not self.chance(0.06):
            return "", []
        kind = self.pick("(READONLY)", "(READONLY)", "(COPY)", "(INFO)", "(TYPE = SHT_PROGBITS)",
                         "(READONLY (TYPE=SHT_NOTE))", "(TYPE = SHT_NOTE)")
        if kind != "(READONLY)" and name in USUAL_NAMES:
            return "", []
        return " " + kind, [f"LONG({self.number()})"] if "TYPE" in kind else []

    def section(self):
        """An output section."""
        usual = self.profile.standard and self.chance(0.5)
        if usual:
            name = self.pick(".text", ".data", ".bss", ".rodata")
        elif self.profile.standard:
            name = self.pick(*PLAIN_NAMES)
        else:
            name = self.pick(*PLAIN_NAMES, *USUAL_NAMES)
        if name in self.sections:
            name, usual = f".x{len(self.sections)}", False
        text, kind = name, self.rng.random()
        if kind < 0.12:
            text += f" ALIGN({self.alignment()})"
        elif kind < 0.2:
            text += f" (. + {self.number()})"
        elif kind < 0.24 and not self.memory:
            self.base += 0x1000
            text += f" {self.base:#x}"
        only_if = self.chance(0.05)
        type_text, begin = self.section_type(name, only_if)
        text += type_text + " :"
        if self.chance(0.1):
            self.lma += 0x1000
            places = [f"{self.lma:#x}", f"ADDR({name}) + 0x800000"]
            if self.names:
                places.append(f"LOADADDR({self.names[-1]}) + SIZEOF({self.names[-1]})")
            text += f" AT({self.pick(*places)})"
        if self.chance(0.12):
            text += f" ALIGN({self.alignment()})"
        if self.chance(0.08) and not self.profile.spill:
            text += f" SUBALIGN({self.alignment()})"
        if only_if:
            text += " " + self.pick("ONLY_IF_RO", "ONLY_IF_RW")
        if usual:
            body = [f"*({name} {name}.*)"] + ["*(COMMON)"] * (name == ".bss")
            end = self.pick("", ". = ALIGN(8);", "assignment")
            body += [self.assignment(not only_if) if end == "assignment" else end] if end else []
        else:
            body = self.body(not only_if)
        body = begin + [s for s in body if not only_if or not MOVE_OR_DATA.match(s)]
        header = self.header()
        text += " { " + " ".join(body) + " }" + self.place(0.8, 0.25) + header
        text += f" ={self.pick('0xff', '0x90', '0x12345678') if self.chance(0.08) else 0}"
        self.add(name, body, only_if, header)
        return text

    def overlay(self):
        """An OVERLAY of up to three members."""
        names = [f".ov{len(self.sections) + i}" for i in range(self.rng.randrange(1, 4))]
        text = "OVERLAY "
        if not self.memory and self.chance(0.5):
            self.base += 0x1000
            text += f"{self.base:#x} "
        text += ": "
        if self.chance(0.4):
            self.lma += 0x1000
            text += f"AT({self.lma:#x}) "
        members = [(name, self.body()) for name in names]
        text += "{ " + " ".join(f"{n} {{ {' '.join(b)} }} =0" for n, b in members) + " }"
        header = self.header()
        text += self.place(0.8, 0.3) + header
        for name, body in members:
            self.add(name, body, header=header)
        return text

    def statement(self):
        """One statement of SECTIONS."""
        kind = self.rng.random()
        if kind < 0.12:
            return self.assignment()
        if kind < 0.17:
            return f". = ALIGN({self.alignment()});"
        if kind < 0.2:
            return f". += {self.number()};"
        if kind < 0.24 and not self.memory:
            self.base += 0x1000
            return f". = {self.base:#x};"
        return self.overlay() if kind < 0.27 else self.section()

    def memory_command(self):
        """MEMORY with up to three regions."""
        self.memory = ["m1", "m2", "m3"][:self.rng.randrange(1, 4)]
        regions = []
        for number, name in enumerate(self.memory, 1):
            attributes = self.pick("", " (rwx)", " (rwx)", " (rwx)", " (rw)", " (!x)")
            origin = 0x100000 * number + self.rng.choice([0, 0, 4, 0x10])
            length = self.rng.choice(self.profile.lengths)
            regions.append(f"{name}{attributes} : ORIGIN = {origin:#x}, LENGTH = {length:#x}")
        if self.profile.spill:
            regions.append("last : ORIGIN = 0x400000, LENGTH = 0x10000")
        return "MEMORY { " + " ".join(regions) + " }\n"

    def script(self):
        """A whole script."""
        text = f"ENTRY({self.pick('_start', 'b_func', 'hot')})\nfrom_script = 5;\n"
        if self.chance(self.profile.regions):
            text += self.memory_command()
        if self.chance(self.profile.phdrs):
            self.headers = ["p1", "p2"]
            text += "PHDRS { p1 PT_LOAD; p2 PT_LOAD; }\n"
        complete = self.chance(self.profile.complete)
        text += "SECTIONS {\n"
        text += f"  /DISCARD/ : {{ {NAMED_AWAY} }}\n"
        for _ in range(self.rng.randrange(1, 8)):
            text += f"  {self.statement()}\n"
        if self.chance(0.3):
            text += f"  {self.assignment()}\n"
        if complete:
            region = " > last" if self.profile.spill else " > m1" if self.memory else ""
            for name, patterns in REST:
                text += f"  {name} : {{ {patterns} }}{region}"
                header = self.header()
                text += f"{header} =0\n"
                self.add(name, [patterns], header=header)
        if self.chance(0.2):
            patterns = self.pick("*(.mine)", "*(.m*)", "*(.nothing)", "*(.vectors)")
            text += f"  /DISCARD/ : {{ {patterns} }}\n"
        text += "}\n"
        if self.chance(0.2):
            text += self.assignment() + "\n"
        if self.chance(0.3):
            for name in self.names:
                text += f"lma_{name[1:]} = LOADADDR({name});\n"
        return text

    def insert(self, number, targets, first):
        """A statement that inserts a few sections and symbols beside a section of the script.
        Before the first one only the last INSERT may be, and only where `first` is true."""
        parts = []
        for _ in range(self.rng.randrange(1, 4)):
            if self.chance(1 / 3):
                parts.append(self.assignment())
                continue
            name = f".i{number}_{len(self.sections)}"
            body = self.body() if self.chance(0.5) else [self.pick(*self.patterns)]
            self.add(name, body)
            parts.append(f"{name} : {{ {' '.join(body)} }} =0")
        where, target = self.pick("AFTER", "BEFORE"), self.pick(*targets)
        if target == targets[0] and not first:
            where = "AFTER"
        return f"SECTIONS {{ {' '.join(parts)} }} INSERT {where} {target};\n"


def options(rng, profile, text):
    """Arguments for a script, and the files. Not with --gc-sections: what xlink keeps and GNU
    ld does not, that is constructors in c.o and symbols of objects that a script uses."""
    args = rng.choice([[], [], [], ["-O0"], ["--defsym=ds=0x1234"]])
    files = rng.choice([["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["b", "a"],
                        ["a", "b", "d"]])
    if profile.spill:
        args = ["--enable-non-contiguous-regions"]
    if profile.started:
        name = rng.choice(STARTED_NAMES)
        args = args + rng.choice(STARTS + [[f"--section-start={name}=0x5000"]])
    if rng.random() < 0.1:
        args = args + [rng.choice(SORTS)]
    uses = re.search(rf"\b({'|'.join(OBJECT_SYMBOLS)})\b", text)
    if rng.random() < 0.2 and "c" not in files and not uses:
        args = args + ["--gc-sections"]
    return args, files


def generate(profile, seed, makers, bits):
    """The case of a seed for an ELF class. `makers` are the generators of profiles that have one
    of their own."""
    rng = random.Random(f"{profile.name} {seed}")
    if profile.name in makers:
        return makers[profile.name](rng, profile, bits).case()
    maker = Generator(rng, profile)
    text = maker.script()
    sections, inserts = dict(maker.sections), []
    if profile.inserts and maker.names:
        other = Generator(rng, profile, [p for p in PATTERNS if p != "b.o"], 100)
        count = rng.choice([1, 1, 2, 3])
        inserts = [other.insert(i, maker.names, i == count - 1) for i in range(count)]
        if rng.random() < 0.5:
            inserts = ["".join(inserts)]
        sections.update(other.sections)
    statements = text.partition("\n")[2] + "".join(inserts)     # without ENTRY
    args, files = options(rng, profile, statements)
    return Case(text, inserts, args, files, sections)
