"""What an ELF file puts into memory, and how two such files differ.

Shared by the tools that link the same objects with several linkers: the objects are YAML files
in testdata/scripts/objects, which yaml2obj turns into x32 or x86-64 for GNU ld and lld, and into
Nyuzi (ELF32) or Aphelion (ELF64) for xlink. Only the class, e_machine and the number of the
absolute relocation as wide as an address differ.
"""
import os
import re
import shutil
import struct
import subprocess
from dataclasses import dataclass

from machines import ADDRESS_TYPES, MACHINES, RULES

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "testdata", "scripts")


@dataclass(frozen=True)
class Class:
    """An ELF class: how each linker is asked for it, and the macros of its objects."""
    bits: int
    gnu: str            # -m of GNU ld and lld
    xlink: str          # -m of xlink
    macros: dict        # {folder of objects: {macro: text}}


def macros(bits, machine, relocation):
    """What yaml2obj is told of a machine."""
    return {"CLASS": f"ELFCLASS{bits}", "MACHINE": str(machine), "ABS32": str(relocation)}


def machine_class(name):
    """The class of one of our machines, with objects for xlink alone."""
    kind = ADDRESS_TYPES[name]
    bits = 8 * RULES[name][kind].size
    return Class(bits, "", name, {"xlink": macros(bits, MACHINES[name][0], kind)})


def both_classes(gnu, relocation, name):
    """The class of one of our machines, with objects for the others as well."""
    ours = machine_class(name)
    return Class(ours.bits, gnu, name,
                 {"gnu": macros(ours.bits, "EM_X86_64", relocation), **ours.macros})


CLASSES = {32: both_classes("elf32_x86_64", "R_X86_64_32", "nyuzi"),
           64: both_classes("elf_x86_64", "R_X86_64_64", "aphelion")}


def tool(*names):
    """The first of several program names that exists, or None."""
    for name in names:
        path = shutil.which(name) or (name if os.path.exists(name) else None)
        if path:
            return path
    return None


# Of each class: the header behind e_ident, a program header, a section header, a symbol. The
# fields of ELF64 that stand elsewhere are put into the order of ELF32.
LAYOUTS = {1: ("<HHIIIIIHHHHHH", "<8I", "<10I", "<IIIBBH"),
           2: ("<HHIQQQIHHHHHH", "<IIQQQQQQ", "<IIQQQQIIQQ", "<IBBHQQ")}


class Elf:
    """What a little-endian ELF file says of its memory."""

    def __init__(self, path):
        self.b = b = self.read(path)
        wide = b[4] == 2
        self.mask = (1 << (64 if wide else 32)) - 1
        header, segment, section, symbol = (struct.Struct(s) for s in LAYOUTS[b[4]])
        self.kind, self.machine, _, self.entry, phoff, shoff, _, _, _, phnum, _, shnum, strndx = \
            header.unpack_from(b, 16)
        self.phdrs = [segment.unpack_from(b, phoff + segment.size * i) for i in range(phnum)]
        if wide:
            self.phdrs = [(p[0], *p[2:7], p[1], p[7]) for p in self.phdrs]
        raw = [section.unpack_from(b, shoff + section.size * i) for i in range(shnum)]
        self.sections = [(self.text(raw[strndx][4] + s[0]),) + s for s in raw[1:]]
        self.symbols, self.homes = {}, {}  # values of those defined; st_shndx and st_other of all
        for name, *s in self.sections:
            if s[1] != 2:
                continue
            strings = raw[s[6]][4]
            for entry in symbol.iter_unpack(b[s[4]:s[4] + s[5]]):
                if wide:
                    n, info, other, shndx, value, size = entry
                else:
                    n, value, size, info, other, shndx = entry
                if info >> 4:
                    name = self.text(strings + n)
                    self.homes[name] = shndx, other
                    if shndx:
                        self.symbols[name] = value

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def text(self, at):
        return self.b[at:self.b.find(b"\0", at)].decode()

    def lma(self, address, size, offset, nobits):
        """Load address of a section, through the PT_LOAD that covers it. Members of overlays
        share addresses: then the place in the file decides; without bytes nothing does."""
        found = [((paddr + address - vaddr) & self.mask, off + address - vaddr)
                 for t, off, vaddr, paddr, filesz, memsz, flags, align in self.phdrs
                 if t == 1 and vaddr <= address and
                 address + size <= vaddr + (memsz if nobits else filesz)]
        if len({lma for lma, _ in found}) > 1:
            if nobits:
                return "any"
            found = [f for f in found if f[1] == offset] or found
        return f"{found[0][0]:#x}" if found else "none"

    def alloc(self):
        """{name: (address, size, LMA, bytes or None)} of allocated, non-empty sections. Of
        several with one name, in the order of addresses, the second is called NAME#2."""
        result, count = {}, {}
        for name, n, kind, flags, addr, off, size, *rest in sorted(self.sections,
                                                                   key=lambda s: s[4]):
            if flags & 2 and size:
                count[name] = count.get(name, 0) + 1
                if count[name] > 1:
                    name += f"#{count[name]}"
                data = self.b[off:off + size] if kind != 8 else None
                result[name] = (addr, size, self.lma(addr, size, off, kind == 8), data)
        return result


def structure_faults(elf, machine):
    """What is wrong with the structure of a linked file, as lines. Addresses that a script gives
    need not be aligned."""
    faults = []
    size, limit = len(elf.b), elf.mask + 1
    if elf.kind != 2 or elf.machine != machine:
        faults.append(f"e_type {elf.kind}, e_machine {elf.machine}")
    for index, (kind, offset, vaddr, paddr, filesz, memsz, _, align) in enumerate(elf.phdrs):
        what = f"segment {index}"
        if offset + filesz > size:
            faults.append(f"{what} ends beyond the file")
        if filesz > memsz:
            faults.append(f"{what} is larger in the file than in memory")
        if max(vaddr + memsz, paddr + filesz) > limit:
            faults.append(f"{what} ends beyond the address space")
        if kind == 1 and filesz and (offset - vaddr) % max(align, 1):
            faults.append(f"{what} is not congruent to its place in the file")
    for name, _, kind, flags, address, offset, length, link, *_ in elf.sections:
        if kind != 8 and offset + length > size:
            faults.append(f"section {name} ends beyond the file")
        if flags & 2 and address + length > limit:
            faults.append(f"section {name} ends beyond the address space")
        if link > len(elf.sections):
            faults.append(f"section {name} is linked with one that does not exist")
    return faults


def unloaded(elf):
    """The names of sections with bytes that no PT_LOAD loads to their addresses."""
    def loaded(address, offset, size):
        return any(kind == 1 and vaddr <= address and address + size <= vaddr + filesz and
                   offset - at == address - vaddr
                   for kind, at, vaddr, _, filesz, *_ in elf.phdrs)
    return [name for name, _, kind, flags, address, offset, size, *_ in elf.sections
            if flags & 2 and size and kind != 8 and not loaded(address, offset, size)]


def digest(data):
    """FNV-1a, 64 bits, of bytes without the zeros at their end."""
    h = 0xcbf29ce484222325
    for b in data.rstrip(b"\0"):
        h = (h ^ b) * 0x100000001b3 & 0xffffffffffffffff
    return h


def describe(elf):
    """{key: text} of all that is compared."""
    lines = {}
    for name, (addr, size, lma, data) in elf.alloc().items():
        lines[f"section {name}"] = f"{addr:#x} {size:#x} {lma} {digest(data or b''):016x}"
    for name, value in elf.symbols.items():
        lines[f"symbol {name}"] = f"{value:#x}"
    lines["entry"] = f"{elf.entry:#x}"
    return lines


def compare(ours, theirs, ignored=()):
    """Differences between two linked files, as lines."""
    lines = []
    a, b = describe(ours), describe(theirs)
    for key in sorted(set(a) | set(b)):
        x, y = a.get(key), b.get(key)
        if x and y and " any " in x + y:
            x, y = (re.sub(r"^(\S+ \S+) \S+ ", r"\1 any ", t) for t in (x, y))
        if x != y and key not in ignored:
            lines.append(f"{key}: {x or 'missing'} against {y or 'missing'}")
    return lines


def llvm_tool(name, *others):
    """The path of one of LLVM's tools, or else of another, or None."""
    return tool(*(text for version in (19, 20, 21, 22) for text in
                  (f"{name}-{version}", f"/usr/lib/llvm-{version}/bin/{name}")), name, *others)


def find_yaml2obj():
    """The path of yaml2obj, or None."""
    return llvm_tool("yaml2obj")


def take_option(arguments, name):
    """Removes an option and its value from the arguments; returns the value or None."""
    if name not in arguments:
        return None
    at = arguments.index(name)
    value = " ".join(arguments[at + 1:at + 2])
    del arguments[at:at + 2]
    return value


def find_gnu_ld(path=None):
    """The path of GNU ld, by default the one in PATH, or None. Prints its version: of others than
    2.44 some layouts differ."""
    ld = tool(path) if path else tool("ld.bfd", "ld")
    if ld:
        version = subprocess.run([ld, "--version"], capture_output=True, text=True, check=True)
        print(f"{ld}: {version.stdout.splitlines()[0]}", flush=True)
    return ld and os.path.abspath(ld)


def find_ar():
    """The path of an ar for any machine, or None."""
    return llvm_tool("llvm-ar", "ar")


def make_archive(ar, folder, name, members):
    """Makes an archive of objects in a folder, named without their .o."""
    subprocess.run([ar, "rcsD", name, *(m + ".o" for m in members)], check=True, cwd=folder)


def build_objects(yaml2obj, folder, elf_class):
    """Makes gnu/NAME.o and xlink/NAME.o below a folder, of all YAML files, for a class."""
    names = sorted(f[:-5] for f in os.listdir(os.path.join(DATA, "objects"))
                   if f.endswith(".yaml"))
    for form, values in elf_class.macros.items():
        os.makedirs(os.path.join(folder, form))
        for name in names:
            subprocess.run([yaml2obj, *(f"-D{macro}={text}" for macro, text in values.items()),
                            os.path.join(DATA, "objects", name + ".yaml"), "-o",
                            os.path.join(folder, form, name + ".o")], check=True)
