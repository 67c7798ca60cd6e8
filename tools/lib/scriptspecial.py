"""Generators of scripts about one thing each, for profiles of tools/lib/scriptgen.py.

A Generator of scriptgen makes what scripts usually have. Those here make what takes objects or
options of its own: names that are defined twice, archives, constructors, thread-local sections,
addresses near the ends of the address space.
"""
import re

from scriptgen import NAMED_AWAY, OBJECT_SYMBOLS, Case, Generator

DISCARD = f"  /DISCARD/ : {{ {NAMED_AWAY} }}\n"


class Special(Generator):
    """Makes a whole case."""

    def __init__(self, rng, profile, bits):
        super().__init__(rng, profile)
        self.bits = bits
        self.args, self.before, self.files = [], [], ["a", "b"]
        self.archives, self.line = {}, []

    def some(self, texts, probability=0.5):
        """Some of several texts, in their order."""
        return [text for text in texts if self.chance(probability)]

    def shuffled(self, texts, least=0):
        """Some of several texts, in any order."""
        return self.rng.sample(texts, self.rng.randrange(least, len(texts) + 1))

    def ended(self, text):
        """A script with its end. With --gc-sections xlink keeps what a script names."""
        if any(name in text.partition("\n")[2] for name in OBJECT_SYMBOLS):
            self.args = [a for a in self.args if a != "--gc-sections"]
        return text + "}\n"

    def case(self):
        """The whole case."""
        text = self.script()
        return Case(text, [], self.args, self.files, self.sections, self.before, self.archives,
                    self.line)


class Names(Special):
    """Names that objects, --defsym and the script define at once."""
    OBJECTS = ["v1", "v2", "v3", "v4", "v5", "v6", "v7"]
    OTHERS = ["d1", "d2", "q1", "q2", "q3", "q4"]

    def __init__(self, rng, profile, bits):
        super().__init__(rng, profile, bits)
        self.files = rng.choice([["n1", "n2"], ["n2", "n1"], ["a", "b", "n1"], ["n1", "n3"],
                                 ["n2", "n3"], ["n3", "n2"], ["n1", "n2", "n3"],
                                 ["a", "n2", "b"]])
        self.changed, self.provided, self.referred = {"v5", "v7"}, set(), set()
        self.chained = rng.choice([[], ["v6", "q1"], ["q2", "q1"], ["v6", "q3", "q1", "q2"]])
        self.chains = list(self.chained)
        if "n1" in self.files and "n2" in self.files:
            self.files = [f for f in self.files if f != "n3"]

    def name(self):
        return self.pick(*self.OBJECTS, *self.OBJECTS, *self.OTHERS)

    def value(self, low="1", high="2"):
        """One of two values, by what DEFINED says of a name."""
        name, kind = self.name(), self.rng.random()
        if kind < 0.45:
            return f"DEFINED({name}) ? {high} : {low}"
        if kind < 0.55:
            return f"!DEFINED({name}) ? {high} : {low}"
        if kind < 0.65:
            return f"DEFINED({name}) && DEFINED({self.name()}) ? {high} : {low}"
        return self.pick(low, high)

    def guarded(self, name=""):
        """The value of a name where it has one."""
        name = name or self.name()
        if self.chance(0.03) and name not in self.provided:
            self.referred.add(name)     # GNU ld would provide it whatever the objects define
            return name
        return f"(DEFINED({name}) ? {name} : {self.number()})"

    def assign(self):
        """An assignment of one of many forms. A name that is assigned from itself is not
        provided as well: GNU ld puts off such an assignment, and provides the name first. Names
        of a chain have no other definition: the first of two PROVIDEs counts, but not where its
        value is not known yet."""
        name = self.pick(*(n for n in self.OBJECTS + self.OTHERS
                           if n not in self.chained and (n != "v3" or "a" not in self.files)))
        other = self.pick(*(n for n in self.OBJECTS + self.OTHERS if n != name))
        value = self.pick(self.number(), ".", self.guarded(other), f"{self.guarded(other)} + 1",
                          f"{self.guarded(other)} + {self.number()}", self.value(),
                          f"ABSOLUTE({self.guarded(other)})")
        kind = self.rng.random()
        if kind < 0.45 and name not in self.referred and (name not in self.changed or name in ("v5", "v7")):
            again = name in self.provided
            self.provided.add(name)
            if again:
                return f"PROVIDE({name} = {self.number()});"
            if kind < 0.2:
                return f"PROVIDE({name} = {value});"
            if kind < 0.3 and "v3" not in value:
                return f"PROVIDE({name} = {value}); PROVIDE({name} = {self.number()});"
            if kind < 0.4 and len(self.chains) > 1:
                first, second = self.chains.pop(), self.chains.pop()
                return f"PROVIDE({first} = {second}); PROVIDE({second} = {self.number()});"
            return f"PROVIDE_HIDDEN({name} = {value});"
        if kind < 0.5:
            return f"HIDDEN({name} = {value});"
        if kind < 0.68 and name not in self.provided:
            self.changed.add(name)
            if kind < 0.54 and name in self.OBJECTS[:4]:
                return f"{name} = {name} + 1;"
            if kind < 0.58 and name in self.OBJECTS[:4]:
                return f"{name} {self.pick('+=', '-=', '|=')} {self.number()};"
            return f"{name} = DEFINED({name}) ? {name} : {self.number()};"
        return f"{name} = {value};"

    def body(self, used=True):
        parts = []
        for _ in range(self.rng.randrange(1, 5)):
            kind = self.rng.random()
            if kind < 0.4:
                bss = "*(.bss)" if "n3" in self.files else "*(.bss COMMON)"
                parts.append(self.pick("*(.text*)", "*(.data*)", "*(.refs*)", bss, "*(.rodata*)"))
            elif kind < 0.7:
                parts.append(self.assign())
            elif kind < 0.8:
                parts.append(f"BYTE({self.value()})")
            elif kind < 0.88:
                parts.append(f"FILL({self.pick('0x11', '0x2233', '(0x22)')}); . += 3;")
            else:
                parts.append(f". = ALIGN({self.value('4', '32')});")
        return parts

    def section(self):
        name = f".o{len(self.sections) + 1}"
        text = name
        kind = self.rng.random()
        if kind < 0.15 and not self.memory:
            self.base += 0x1000
            text += f" ({self.value(f'{self.base:#x}', f'{self.base + 0x400:#x}')})"
        elif kind < 0.3:
            text += f" ALIGN({self.value('8', '64')})"
        text += " :"
        if self.chance(0.15):
            self.lma += 0x1000
            text += f" AT({self.value(f'{self.lma:#x}', f'{self.lma + 0x400:#x}')})"
        if self.chance(0.1):
            # GNU ld sees names there that the section itself assigns.
            text += f" SUBALIGN(DEFINED({self.pick('v1', 'v4', 'd1', 'nothing')}) ? 32 : 8)"
        body = self.body()
        fill = self.pick("0x90", "(0x90)") if self.chance(0.1) else "0"
        self.add(name, body)
        return f"{text} {{ {' '.join(body)} }}{self.place(0.8, 0.25)} ={fill}"

    def script(self):
        text = "ENTRY(_start)\nfrom_script = 5;\n"
        for name in self.some(["d1", "d2", "v1", "v5", "v7"], 0.25):
            target = self.before if self.chance(0.5) else self.args
            target.append(f"--defsym={name}={self.number()}")
        if "a" not in self.files:
            self.args.append("--defsym=_start=0")
        head, middle, tail = ([self.assign() for _ in range(self.rng.choice([0, 0, 1, 2, 3]))]
                              for _ in range(3))
        if self.chance(0.35):
            self.memory = ["m1", "m2"]
            head.insert(self.rng.randrange(len(head) + 1),
                        "MEMORY {"
                        f" m1 : ORIGIN = {self.value('0x100000', '0x180000')},"
                        f" LENGTH = {self.value('0x1000', '0x2000')}"
                        f" m2 : ORIGIN = {self.value('0x200000', '0x280000')},"
                        f" LENGTH = {self.value('0x1000', '0x2000')} }}")
        text += "".join(f"{s}\n" for s in head) + "SECTIONS {\n" + DISCARD
        for _ in range(self.rng.randrange(1, 5)):
            text += f"  {self.section() if self.chance(0.7) else self.assign()}\n"
        for statement in middle:
            text += f"  {statement}\n"
        text += "}\n"
        if self.chance(0.15):
            text += f'ASSERT({self.value("0", "1")}, "asserted")\n'
        # Without a definition all that refer to it are refused.
        tail += [f"PROVIDE({name} = {self.number()});" for name in ("v5", "v7", "b_func")
                 if self.chance(0.95) and name not in self.provided | self.referred]
        text += "".join(f"{s}\n" for s in tail)
        if re.search(r"\bv3 [-+|]?=", text):
            # A COMMON symbol that something else defines leaves an empty section for GNU ld.
            text = text.replace("*(.bss COMMON)", "*(.bss)")
        return text


class LoadRegions(Special):
    """AT> without >, beside addresses, types and empty sections."""

    def section(self):
        name = self.pick(".o1", ".o2", ".o3", ".o4", ".text", ".data", ".bss", ".rodata")
        if name in self.sections:
            name = f".x{len(self.sections)}"
        text = name
        kind = self.rng.random()
        region = self.pick(*self.memory) if self.chance(0.45) else ""
        if kind < 0.35:
            self.base += 0x1000
            where = self.base
            if region:
                where = 0x100000 * int(region[1]) + self.rng.choice([0x10, 0x40, 0x400, 0x1000])
            text += f" {where:#x}"
        elif kind < 0.45:
            text += f" ALIGN({self.alignment()})"
        usual = name in (".text", ".data", ".bss", ".rodata")
        if self.chance(0.15) and not usual:
            text += " (NOLOAD)"
        text += " :"
        kind = self.rng.random()
        if kind < 0.08:
            self.lma += 0x1000
            text += f" AT({self.lma:#x})"
        elif kind < 0.2:
            text += " ALIGN(32)"
        kind = self.rng.random()
        if kind < 0.15:
            body = []
        elif kind < 0.25:
            body = ["*(.nothing)"]
        elif kind < 0.3:
            body = [". = .;"]
        elif kind < 0.35:
            body = [". = ALIGN(16);"]
        elif usual:
            body = [f"*({name}*)"] + ["*(COMMON)"] * (name == ".bss")
        else:
            body = self.body()
        text += " { " + " ".join(body) + " }"
        text += f" > {region}" if region else ""
        if self.chance(0.6) and " AT(" not in text:
            text += " AT> " + self.pick(*self.memory)
        text += f" ={self.pick('0xff', '0') if self.chance(0.1) else 0}"
        self.add(name, body)
        return text

    def script(self):
        self.files = self.rng.choice([["a", "b"], ["a", "b", "c"], ["a", "b", "i"],
                                      ["a", "b", "j"], ["b", "a", "d"]])
        self.args = self.rng.choice([[], [], ["--no-check-sections"]])
        return super().script()


class Constructors(Special):
    """Inputs .ctors and .init_array in each other's outputs, sorted and not."""
    INPUTS = [".ctors", ".ctors.*", ".dtors", ".dtors.*", ".init_array", ".init_array.*",
              ".fini_array", ".fini_array.*", ".preinit_array", ".ctors*", ".init_array*"]

    def pattern(self):
        names = self.shuffled(self.INPUTS, 1)[:3]
        kind = self.rng.random()
        if kind < 0.5:
            sort = self.pick("SORT", "SORT_BY_INIT_PRIORITY", "SORT_BY_INIT_PRIORITY",
                             "SORT_BY_NAME", "SORT_BY_ALIGNMENT", "SORT_NONE")
            names = [f"{sort}({name})" if self.chance(0.8) else name for name in names]
        if self.chance(0.2):
            names.insert(0, f"EXCLUDE_FILE({self.pick('*x1.o', '*x2.o')})")
            if names[1].startswith("S"):
                names[1] = ".ctors.00100"
        file = self.pick("*", "*", "*", "*x1.o", "*x2.o")
        text = f"{file}({' '.join(names)})"
        return f"KEEP({text})" if self.chance(0.3) else text

    def section(self):
        name = self.pick(".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors",
                         ".data", ".o1", ".o2")
        if name in self.sections:
            name = f".x{len(self.sections)}"
        body = []
        for _ in range(self.rng.randrange(1, 5)):
            kind = self.rng.random()
            body.append(self.pattern() if kind < 0.7 else self.assignment() if kind < 0.85 else
                        f". = ALIGN({self.pick('4', '8', '16')});" if kind < 0.95 else
                        f"LONG({self.number()})")
        self.add(name, body)
        return f"{name} : {{ {' '.join(body)} }} =0"

    def script(self):
        self.files = self.rng.choice([["a", "b", "x1", "x2"], ["a", "b", "x2", "x1"],
                                      ["a", "b", "x1"], ["x1", "a", "b", "c"]])
        self.args = self.rng.choice([[], [], [], ["--sort-section=name"]])
        text = "ENTRY(_start)\nSECTIONS {\n" + DISCARD
        for _ in range(self.rng.randrange(1, 5)):
            text += f"  {self.section() if self.chance(0.85) else self.assignment()}\n"
        return text + "}\n"


class Threads(Special):
    """Thread-local sections."""

    def expression(self, *arguments):
        """Without ADDR: for GNU ld a section that it names comes into being there, and when that
        is between .tdata and .tbss, the one is not aligned for the other."""
        while "ADDR" in (text := super().expression(*arguments)):
            pass
        return text

    def section(self):
        name = self.pick(".tdata", ".tbss", ".tdata", ".tbss", ".data", ".bss", ".text")
        if name in self.sections:
            name = f".x{len(self.sections)}"
        mine = {".tdata": ["*(.tdata*)", "*(.tdata .tdata.*)", "*t1.o(.tdata*)", "*(.tdata)"],
                ".tbss": ["*(.tbss*)", "*(.tbss .tbss.*)", "*(.tbss)", "*t2.o(.tbss*)"],
                ".text": ["*(.text*)", "*(.rodata*)"],
                ".bss": ["*(.bss COMMON)", "*(.bss)"]}.get(name, ["*(.data*)", "*(.mine)"])
        body = [self.pick(*(p for p in mine if p[:5] not in ("*t1.o", "*t2.o")
                            or p[1:3] in self.files))]
        if self.chance(0.3):
            body.insert(self.rng.randrange(2), self.assignment())
        if self.chance(0.15):
            body.append(f". = ALIGN({self.alignment()});")
        text = name
        kind = self.rng.random()
        if kind < 0.1:
            text += f" ALIGN({self.alignment()})"
        elif kind < 0.15 and not self.memory:
            self.base += 0x1000
            text += f" {self.base:#x}"
        text += " :"
        if self.chance(0.1):
            text += f" ALIGN({self.alignment()})"
        self.add(name, body)
        return f"{text} {{ {' '.join(body)} }}{self.place(0.8, 0.3)} =0"

    def script(self):
        self.files = self.rng.choice([["a", "b", "t1", "t2"], ["t2", "a", "b", "t1"],
                                      ["a", "b", "t1"], ["a", "b", "t2"]])
        text = "ENTRY(_start)\n"
        if self.chance(self.profile.regions):
            text += self.memory_command()
        text += "SECTIONS {\n" + DISCARD
        sections = [self.section() for _ in range(self.rng.randrange(1, 6))]
        if self.chance(0.7):
            # As they stand in programs: nothing between the two.
            sections = [".tdata : { *(.tdata .tdata.*) } =0", ".tbss : { *(.tbss .tbss.*) } =0"] \
                + [s for s in sections if not s.startswith(".t") or s.startswith(".text")]
        # GNU ld counts from .tdata, also what stands before it.
        at = next((i for i, s in enumerate(sections) if s.startswith(".tbss")), None)
        if at is not None and not any(s.startswith(".tdata") for s in sections[:at]):
            sections.insert(at, f".t{len(sections)} : {{ *(.tdata*) }} =0")
        for section in sections:
            text += f"  {section}\n"
            if self.chance(0.3):
                text += f"  {self.assignment()}\n"
        return text + "}\n"


class Corners(Special):
    """Unusual names, .gnu.linkonce, lists in brackets, BLOCK, empty sections."""
    OUTPUTS = [".relocate", ".rel.own", ".rela.own", ".rel", ".rel.dyn", ".o1", ".o2", ".data",
               ".text", ".rodata", ".stab"]

    def assignment(self, used=True):
        if self.chance(0.25):
            self.last_symbol += 1
            name = self.pick(f"__sy{self.last_symbol}-tag", f"a-{self.last_symbol}",
                             f'"sy{self.last_symbol}=x"', f"sy{self.last_symbol}~q")
            return f"{name} = {self.pick('.', self.number(), 'ABSOLUTE(.)')};"
        return super().assignment(used)

    def body(self, used=True):
        parts = []
        for _ in range(self.rng.choice([0, 1, 1, 2, 3])):
            kind = self.rng.random()
            if kind < 0.3:
                parts.append(self.pick("*(.gnu.linkonce.*)", "*(.gnu.linkonce.t.*)",
                                       "*(.gnu.linkonce.d.*)", "*w2.o(.gnu.linkonce.*)",
                                       "*(.text .gnu.linkonce.t.*)", "*w1.o(.gnu.linkonce.t.f)"))
            elif kind < 0.5:
                parts.append(self.pick("*(.stab)", "[ .stab ]", "[ .stab .stab.excl ]",
                                       "[ .text .text.* ]", "KEEP([ .stab ])", "[ .data ]"))
            elif kind < 0.6:
                parts.append(self.pick("*(.relocate*)", "*(.rel.*)", "*(.rel*)", "*(.rela.own)"))
            elif kind < 0.8:
                parts.append(self.pick(*self.patterns))
            elif kind < 0.9:
                parts.append(self.assignment(used))
            else:
                parts.append(f". = ALIGN({self.alignment()});")
        return parts

    def section(self):
        name = self.pick(*self.OUTPUTS)
        if name in self.sections:
            name = f".x{len(self.sections)}"
        text, kind = name, self.rng.random()
        if kind < 0.2:
            text += f" BLOCK({self.alignment()})"
        elif kind < 0.3:
            text += f" ALIGN({self.alignment()})"
        text += " :"
        if self.chance(0.15):
            text += f" ALIGN({self.alignment()})"
        if self.chance(0.05):
            text += f" SUBALIGN({self.alignment()})"
        body = self.body()
        if self.chance(0.2):
            body = [self.pick("*(.z1)", "*(.z*)", "*(.empty_kept)", "KEEP(*(.z1))",
                              "KEEP(*(.empty))")]
        self.add(name, body)
        return f"{text} {{ {' '.join(body)} }}{self.place(0.8, 0.25)} =0"

    def script(self):
        self.files = self.rng.choice([["a", "b", "w1", "w2"], ["w2", "a", "w1", "b"],
                                      ["a", "w1", "b", "i"], ["a", "b", "j", "i", "w2"],
                                      ["a", "b", "c", "w1"]])
        self.args = self.rng.choice([[], [], [], ["--gc-sections"]]) if "c" not in self.files \
            else []
        text = "ENTRY(_start)\nfrom_script = 5;\n"
        if self.chance(self.profile.regions):
            text += self.memory_command()
        text += "SECTIONS {\n" + \
            DISCARD.replace(".rela.*", ".rela.dyn .rela.got .rela.iplt .rela.plt .rela.bss")
        for _ in range(self.rng.randrange(1, 7)):
            text += f"  {self.section() if self.chance(0.8) else self.assignment()}\n"
        return self.ended(text)


class Archives(Special):
    """Archives on the command line and in the script."""
    MEMBERS = {"libx.a": ["b", "c"], "liby.a": ["e", "d", "j"], "libz.a": ["n3", "n1"]}

    def pattern(self):
        library = self.pick("libx.a", "libx.a", "liby.a", "libz.a", "lib*.a", "*libx.a", "*.a")
        sections = self.pick(".text", ".text*", ".data .bss", "*", "COMMON", ".rodata*",
                             ".text.d_used", "SORT(.text*)")
        member = self.pick("b.o", "d.o", "*b.o", "?.o", "j.o", "")
        kind = self.rng.random()
        if kind < 0.4:
            text = f"{library}:{member}({sections})"
        elif kind < 0.55:
            text = f"{library}:({sections})"
        elif kind < 0.8:
            # GNU ld opens what a pattern names where the script stands, and takes nothing out of
            # an archive there when no object came before.
            exact = self.behind or library in self.whole
            text = f"{'' if exact else '*'}{library}({sections})"
        elif kind < 0.9:
            text = f"*(EXCLUDE_FILE({library}:{member}) {sections.split()[0]})" \
                if "(" not in sections and sections != "COMMON" else "*(.text*)"
        else:
            text = f":b.o({sections})"
        return f"KEEP({text})" if self.chance(0.15) else text

    def __init__(self, rng, profile, bits):
        super().__init__(rng, profile, bits)
        self.behind = rng.random() < 0.35       # -T behind the objects
        self.whole = []                         # what stands between --whole-archive
        self.patterns = [p for p in self.patterns if p != "b.o"]

    def body(self, used=True):
        return [self.pattern() if self.chance(0.6) else self.pick(*self.patterns)
                for _ in range(self.rng.randrange(1, 4))]

    def script(self):
        self.archives = self.MEMBERS
        names = ["libx.a"] + [n for n in ("liby.a", "libz.a") if self.chance(0.4)]
        self.rng.shuffle(names)
        objects = ["a.o"] + self.some(
            ["d.o"] if "libz.a" in names or self.behind else ["n2.o", "d.o"], 0.2)
        self.rng.shuffle(objects)
        head, whole, libraries, wanted = "", [], [], []
        if self.behind and self.chance(0.2):
            wanted = ["--whole-archive"]
        for name in names:
            spelled = name if self.chance(0.7) else f"-l{name[3:-2]}"
            if self.behind and self.chance(0.6):
                head += self.pick(f"INPUT({spelled})\n", f"GROUP({spelled})\n",
                                  f"GROUP({spelled} {spelled})\n", f"INPUT(./{name})\n")
            elif self.chance(0.35):
                whole += ["--whole-archive", spelled, "--no-whole-archive"]
            elif self.chance(0.9):
                libraries.append(spelled)
        if self.behind:
            self.line = ["-L."] + objects + whole + libraries + wanted + ["-T"]
        else:
            self.whole = whole
            self.line = ["-L.", "-T"] + (whole + objects if self.chance(0.5) else
                                         objects + whole) + libraries
        if self.chance(0.3):
            self.line.insert(0, f"--undefined={self.pick('d_used', 'common_e', 'v3')}")
        text = "ENTRY(_start)\nfrom_script = 5;\n" + head
        text += "SECTIONS {\n" + DISCARD
        for _ in range(self.rng.randrange(1, 5)):
            name = f".o{len(self.sections) + 1}"
            body = self.body()
            self.add(name, body)
            text += f"  {name} : {{ {' '.join(body)} }} =0\n"
        if self.chance(0.25):
            # Without .data: a relocation that writes nothing refers to it, an error for GNU ld.
            pattern = self.pattern()
            if "*)" not in pattern and ".data" not in pattern or ".rodata*" in pattern:
                text += f"  /DISCARD/ : {{ {pattern} }}\n"
        return text + "}\nPROVIDE(v5 = 2); PROVIDE(v7 = 3);\n"


def near_limit(rng, limits):
    """A number of 64 bits near one of several limits, modulo 2^64."""
    offsets = [0, 0, -1, 1, -4, 4, -0x10, 0x10, -0x20, -0x40, 0x40, -0x100, -0x1000, 0x1000,
               -0x2000, -0x10000]
    return f"{(rng.choice(limits) + rng.choice(offsets)) % (1 << 64):#x}"


class Edges(Special):
    """Addresses and sizes near 0, 2^31, 2^32 and the end of the address space. Sections with
    bytes are small, so that no file is large."""

    def near(self):
        """A number near a limit."""
        return near_limit(self.rng, [0, 1 << 31, 1 << (self.bits - 1), 1 << self.bits,
                                     1 << self.bits, 1 << 32, 1 << 31])

    def section(self):
        name = f".o{len(self.sections) + 1}"
        text, kind = name, self.rng.random()
        address = kind < 0.35 and not self.memory
        if address:
            text += f" {self.near()}"
        elif kind < 0.45:
            text += f" ALIGN({self.pick('1', '0x1000', '0x10000', '0x80000000')})"
        text += " :"
        if self.chance(0.15):
            text += f" AT({self.near()})"
        if self.chance(0.1):
            text += f" SUBALIGN({self.pick('1', '64', '0x1000')})"
        body = []
        for _ in range(self.rng.randrange(0, 4)):
            kind = self.rng.random()
            body.append(
                self.pick("*(.text*)", "*(.data*)", "*(.rodata*)", "*(.mine)", "*(.bss COMMON)")
                if kind < 0.5 else self.assignment() if kind < 0.65 else
                f". = {self.pick('0x10', '0x20', '0x40', '0x100', '0x1000')};"
                if kind < 0.8 else f". += {self.pick('1', '0x10', '0x40', '0x1000')};")
        self.add(name, body)
        return f"{text} {{ {' '.join(body)} }}{self.place(0.8, 0.2)} =0"

    def expression(self, depth=0):
        if self.chance(0.3):
            return self.near()
        return super().expression(depth)

    def script(self):
        self.files = self.rng.choice([["a", "b"], ["b", "a"], ["a", "b", "i"]])
        if self.chance(0.2):
            # Code has a filler of the machine's, so it begins aligned.
            near = f"{int(self.near(), 16) & ~15:#x}"
            self.args = [self.pick("-Ttext=", "-Tdata=", "-Tbss=", "--section-start=.o1=",
                                   "--section-start=.mine=") + near]
        text = "ENTRY(_start)\n"
        if self.chance(0.3):
            self.memory = ["m1", "m2"]
            text += "MEMORY {"
            for name in self.memory:
                origin = self.near()
                length = self.pick("0x10", "0x100", "0x1000", "0x2000", "0x10000", self.near())
                text += f" {name} : ORIGIN = {origin}, LENGTH = {length}"
            text += " }\n"
        text += "SECTIONS {\n" + DISCARD
        for _ in range(self.rng.randrange(1, 5)):
            kind = self.rng.random()
            if kind < 0.2 and not self.memory:
                text += f"  . = {self.near()};\n"
            elif kind < 0.25:
                text += f"  . += {self.near()};\n"
            elif kind < 0.4:
                text += f"  {self.assignment()}\n"
            else:
                text += f"  {self.section()}\n"
        return text + "}\n"


class Merging(Special):
    """Statements between mergeable inputs."""
    INPUTS = ["*(.rodata*)", "*(.rodata.str1.1)", "*(.rodata.str1.*)", "*(.rodata.cst*)",
              "*(.rodata.str1.4)", "*FILE.o(.rodata*)", "*FILE.o(.rodata.str1.1)",
              "*FILE.o(.rodata.cst*)", "*(.rodata.other*)", "*(SORT(.rodata*))",
              "*(.rodata.cst8)", "*(.ptr*)", "*(.text*)", "*(.data*)"]

    def body(self, used=True):
        parts = []
        for _ in range(self.rng.randrange(1, 7)):
            kind = self.rng.random()
            if kind < 0.6:
                file = self.pick(*(f for f in self.files if f[0] == "m"))
                parts.append(self.pick(*self.INPUTS).replace("FILE", file))
            elif kind < 0.8:
                parts.append(self.assignment(used))
            elif kind < 0.9:
                parts.append(f". = ALIGN({self.pick('2', '4', '8', '16')});")
            else:
                parts.append(self.pick(f"BYTE({self.number()})", f"LONG({self.number()})",
                                       ". += 1;", ". += 3;"))
        return parts

    def script(self):
        self.files = self.rng.choice([["a", "b", "m1", "m2"], ["m2", "m1", "a", "b"],
                                      ["a", "b", "m1", "m2", "m3"], ["m1", "m3", "m2", "a", "b"],
                                      ["m3", "a", "m1", "b"]])
        self.args = self.rng.choice([[], ["-O1"], ["-O2"], ["-O2"], ["--gc-sections"]])
        text = "ENTRY(_start)\n"
        if self.chance(0.2):
            text += self.memory_command()
        text += "SECTIONS {\n" + DISCARD
        for _ in range(self.rng.randrange(1, 5)):
            name = self.pick(".rodata", ".o1", ".o2", ".o3", ".text")
            if name in self.sections:
                name = f".x{len(self.sections)}"
            body = self.body()
            subalign = f" SUBALIGN({self.alignment()})" if self.chance(0.05) else ""
            self.add(name, body)
            text += f"  {name} :{subalign} {{ {' '.join(body)} }}{self.place(0.8, 0.25)} =0\n"
            if self.chance(0.2):
                text += f"  {self.assignment()}\n"
        return self.ended(text)


MAKERS = {"merge": Merging, "names": Names, "load-regions": LoadRegions, "ctors": Constructors, "tls": Threads,
          "corners": Corners, "archives": Archives, "edges": Edges}
