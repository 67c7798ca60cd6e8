"""Objects for benchmarks: one program, written in the form of several machines.

The program has functions in sections of their own, calls within and between
objects, references to variables and strings, tables of function pointers, strings
that objects share and strings that they do not, local and global symbols. Sections,
symbols and relocations are equal in number and order for every machine; what differs
is the instructions' bytes, the relocation types and the class of the file.

The objects are written directly and in bulk: some hundred thousand functions take
seconds.
"""
import os
import struct
from dataclasses import dataclass

CALLS, FILLER_WORDS = 3, 2
SHARED_STRINGS, OWN_STRINGS = 48, 48   # in each object
VARIABLES = 32                         # in each object
POINTERS = 48                          # in each object's table


@dataclass
class Form:
    """A machine's form of the program.

    `call`, `address` and `filler` are code; a call has one relocation at its place, an
    address has two, given as (offset in the code, type).
    """
    machine: int
    is64: bool
    call: bytes
    call_type: int
    call_at: int
    call_bias: int
    address: bytes
    address_types: tuple
    filler: bytes
    pointer_type: int
    pointer_size: int


def words(*values):
    """Little-endian 32-bit words."""
    return struct.pack(f"<{len(values)}I", *values)


FORMS = {
    # call; movehi + or
    "nyuzi": Form(9999, False, words(0xF8000000), 3, 0, 0,
                  words(0x4F000000, 0x00000000), ((0, 4), (4, 5)), words(0), 1, 4),
    # call rel32; two movl $imm32
    "x86-64": Form(62, True, bytes.fromhex("e800000000909090"), 4, 1, -4,
                   bytes.fromhex("b800000000b900000000"), ((1, 10), (6, 10)),
                   bytes.fromhex("90909090"), 1, 8),
    # auipc + jalr; lui + addi
    "riscv32": Form(243, False, words(0x00000097, 0x000080E7), 19, 0, 0,
                    words(0x00000537, 0x00050513), ((0, 26), (4, 27)), words(0x13), 1, 4),
}


class Random:
    """A small generator of numbers that is the same everywhere."""

    def __init__(self, seed):
        self.state = seed * 2654435761 + 1 & 0xFFFFFFFF

    def below(self, limit):
        """A number from 0 to limit - 1."""
        self.state = self.state * 1664525 + 1013904223 & 0xFFFFFFFF
        return (self.state >> 16) % limit


def function_name(obj, function):
    """The first function of all is the entry."""
    return "_start" if obj == function == 0 else f"module{obj}_function{function}"


def is_local(function):
    """One function in four is local to its object."""
    return function % 4 == 3


class ObjectForm:
    """One object of the program in one machine's form."""

    def __init__(self, form, index, objects, functions):
        self.form, self.index = form, index
        self.objects, self.functions = objects, functions
        self.random = Random(index + 1)
        self.strings = bytearray(b"\0")
        self.name_offsets = {}
        self.symbols = []           # (name offset, value, size, info, section)
        self.symbol_index = {}
        self.sections = []          # (name, type, flags, data, link, info, align, entsize)

    def name(self, text):
        """The offset of a new name in the string table."""
        offset = len(self.strings)
        self.strings += text.encode() + b"\0"
        return offset

    def add_symbol(self, name, value, size, info, section):
        """Appends a symbol; returns its index."""
        self.symbols.append((self.name(name) if name else 0, value, size, info, section))
        self.symbol_index[name] = len(self.symbols)
        return len(self.symbols)

    def external(self, name):
        """The index of a global symbol, undefined when it is not ours."""
        return self.symbol_index.get(name) or self.add_symbol(name, 0, 0, 0x10, 0)

    def build(self):
        """The object's bytes."""
        form, pick = self.form, self.random.below
        body = form.call * CALLS + form.address * 2 + form.filler * FILLER_WORDS
        body += bytes(-len(body) % 4)
        calls_end = len(form.call) * CALLS
        code_start = 1
        functions = self.functions
        merged_section = 2 * functions + 1      # each function has a relocation section
        data_section, bss_section = merged_section + 1, merged_section + 3

        # Local symbols first, as ELF demands.
        text, string_offsets = self.string_section()
        string_symbol = self.add_symbol("", 0, 0, 3, merged_section)
        for function in range(functions):
            if is_local(function):
                self.add_symbol(function_name(self.index, function), 0, len(body), 2,
                                code_start + 2 * function)
        local_count = len(self.symbols) + 1
        for function in range(functions):
            if not is_local(function):
                self.add_symbol(function_name(self.index, function), 0, len(body), 0x12,
                                code_start + 2 * function)
        for variable in range(VARIABLES):
            self.add_symbol(f"module{self.index}_variable{variable}", 4 * variable, 4, 0x11,
                            bss_section)

        relocations = []
        for function in range(functions):
            entries = []
            for call in range(CALLS):
                target = self.call_target(function, call)
                entries.append((call * len(form.call) + form.call_at, target, form.call_type,
                                form.call_bias))
            owner = self.index if pick(2) else pick(self.objects)
            variable = self.external(f"module{owner}_variable{pick(VARIABLES)}")
            string = string_offsets[pick(len(string_offsets))]
            for at, kind in form.address_types:
                entries.append((calls_end + at, variable, kind, 0))
            for at, kind in form.address_types:
                entries.append((calls_end + len(form.address) + at, string_symbol, kind, string))
            relocations.append(self.pack_relocations(entries))

        pointers = []
        for pointer in range(POINTERS):
            target = self.external(self.some_global())
            pointers.append((pointer * form.pointer_size, target, form.pointer_type, 0))
        data_relocations = self.pack_relocations(pointers)

        symtab = bss_section + 1
        word = 8 if form.is64 else 4
        for function in range(functions):
            name = ".text." + function_name(self.index, function)
            self.sections.append((name, 1, 6, body, 0, 0, 4, 0))
            self.sections.append((".rela" + name, 4, 0x40, relocations[function], symtab,
                                  code_start + 2 * function, word, self.rela_size()))
        self.sections.append((".rodata.str1.1", 1, 0x32, text, 0, 0, 1, 1))
        self.sections.append((".data", 1, 3, bytes(POINTERS * form.pointer_size), 0, 0, word, 0))
        self.sections.append((".rela.data", 4, 0x40, data_relocations, symtab, data_section, word,
                              self.rela_size()))
        self.sections.append((".bss", 8, 3, 4 * VARIABLES, 0, 0, 4, 0))
        self.sections.append((".symtab", 2, 0, self.pack_symbols(), symtab + 1, local_count, word,
                              24 if form.is64 else 16))
        return self.file()

    def call_target(self, function, call):
        """A function of this object half of the time, perhaps a local one."""
        if call == 0 or self.random.below(2):
            return self.symbol_index[
                function_name(self.index, self.random.below(self.functions))]
        return self.external(self.some_global())

    def some_global(self):
        """The name of a global function anywhere."""
        function = self.random.below(self.functions)
        return function_name(self.random.below(self.objects), function - is_local(function))

    def string_section(self):
        """Strings of this object among strings that every object has."""
        text, offsets = bytearray(), []
        for number in range(SHARED_STRINGS):
            offsets.append(len(text))
            text += f"shared message number {number}\0".encode()
        for number in range(OWN_STRINGS):
            offsets.append(len(text))
            text += f"message {number} of module {self.index}\0".encode()
        return bytes(text), offsets

    def rela_size(self):
        """The size of an SHT_RELA entry."""
        return 24 if self.form.is64 else 12

    def pack_relocations(self, entries):
        """SHT_RELA entries from (offset, symbol, type, addend)."""
        if self.form.is64:
            return b"".join(struct.pack("<QQq", o, s << 32 | t, a) for o, s, t, a in entries)
        return b"".join(struct.pack("<IIi", o, s << 8 | t, a) for o, s, t, a in entries)

    def pack_symbols(self):
        """The symbol table."""
        if self.form.is64:
            pack = struct.Struct("<IBBHQQ").pack
            return bytes(24) + b"".join(pack(n, i, 0, s, v, z) for n, v, z, i, s in self.symbols)
        pack = struct.Struct("<IIIBBH").pack
        return bytes(16) + b"".join(pack(n, v, z, i, 0, s) for n, v, z, i, s in self.symbols)

    def file(self):
        """ELF header, contents, section headers. One string table serves both."""
        is64 = self.form.is64
        names = [self.name(section[0]) for section in self.sections]
        names.append(self.name(".strtab"))
        self.sections.append((".strtab", 3, 0, bytes(self.strings), 0, 0, 1, 0))
        pack = struct.Struct("<IIQQQQIIQQ" if is64 else "<10I").pack
        parts, headers = [], [bytes(64 if is64 else 40)]
        at = 64 if is64 else 52
        for name, (_, kind, flags, data, link, info, align, entsize) in zip(names, self.sections):
            gap = -at % align
            at += gap
            size = data if kind == 8 else len(data)
            headers.append(pack(name, kind, flags, 0, at, size, link, info, align, entsize))
            if kind != 8:
                parts += (bytes(gap), data)
                at += size
            else:
                parts.append(bytes(gap))
        parts.append(bytes(-at % 8))
        at += -at % 8
        count = len(headers)
        ident = b"\x7fELF" + bytes([2 if is64 else 1, 1, 1]) + bytes(9)
        header = struct.pack("<HHIQQQIHHHHHH" if is64 else "<HHIIIIIHHHHHH", 1, self.form.machine,
                             1, 0, 0, at, 0, 64 if is64 else 52, 0, 0, 64 if is64 else 40, count,
                             count - 1)
        return b"".join((ident, header, *parts, *headers))


def generate(machine, directory, objects, functions):
    """Writes the program's objects, and objects.rsp with their names, below
    `directory`. Returns the path of objects.rsp."""
    os.makedirs(directory, exist_ok=True)
    listing = os.path.join(directory, "objects.rsp")
    paths = []
    for index in range(objects):
        path = os.path.join(directory, f"module{index}.o")
        with open(path, "wb") as file:
            file.write(ObjectForm(FORMS[machine], index, objects, functions).build())
        paths.append(path)
    with open(listing, "w", encoding="ascii") as file:
        file.write("\n".join(paths) + "\n")
    return listing
