"""Real linker scripts: finding them, taking them apart, and objects that fit them.

A script is kept as its text; what is known of it are places in that text. Outline is the tree
of what can be taken out (statements, patterns, names, regions), so a reduced script is the text
without some places. make_inputs() reads the patterns and expressions of a script and makes
objects and archives with sections of the names that it asks for and symbols that it reads.

The reader of scripts here is an approximation that knows no more than it needs; it shares
nothing with the linker's.
"""
import collections
import mmap
import os
import re
import struct
import subprocess
import tempfile
import zlib
from dataclasses import dataclass, field

from elf import SHT_NOBITS, SHT_PROGBITS, ObjectWriter
from elfcompare import Elf

SUFFIXES = re.compile(r"\.(ld|lds|x|lk|lcf|ldscript|ld\.S|lds\.S|ld\.in|lds\.in|ld\.h)$")
NONE = 0            # the relocation that does nothing, on every machine
NOTE, INIT, FINI, PREINIT = 7, 14, 15, 16
WRITE, ALLOC, EXEC, TLS = 1, 2, 4, 0x400
CALLS = ("PROVIDE|PROVIDE_HIDDEN|HIDDEN|ASSERT|ENTRY|EXTERN|OUTPUT|OUTPUT_FORMAT|OUTPUT_ARCH|"
         "TARGET|INPUT|GROUP|STARTUP|SEARCH_DIR|REGION_ALIAS|NOCROSSREFS|NOCROSSREFS_TO|AS_NEEDED|"
         "LD_FEATURE|BYTE|SHORT|LONG|QUAD|SQUAD|FILL|ASCIZ|INCLUDE|LINKER_VERSION")
CALL = re.compile(rf"\b({CALLS})\s*\(")
# With a blank behind it, a name may have `=` and `-` in it.
ASSIGN = re.compile(r'("[^"]*"|[^\s(){};,"]*[\w.$](?=\s+(?:[-+*/&|^]|<<|>>)?=(?!=))|'
                    r'[^\s(){};,="]+?)\s*([-+*/&|^]|<<|>>)?=(?!=)')
PLAIN = re.compile(r"(CONSTRUCTORS|CREATE_OBJECT_SYMBOLS|FORCE_COMMON_ALLOCATION|"
                   r"INHIBIT_COMMON_ALLOCATION|FORCE_GROUP_ALLOCATION)\b")
NAMES_OF_SECTIONS = re.compile(
    r"\b(ORIGIN|LENGTH|SIZEOF|ADDR|LOADADDR|ALIGNOF|DEFINED|CONSTANT|org|len)\s*\(\s*([^()]*)\)")
KEYWORDS = set("""ABSOLUTE ALIGN ALIGNOF ADDR AT ASSERT BLOCK BYTE CONSTANT CONSTRUCTORS COPY
 DATA_SEGMENT_ALIGN DATA_SEGMENT_END DATA_SEGMENT_RELRO_END DEFINED DSECT FILL GROUP HIDDEN INFO
 INPUT KEEP LENGTH LOADADDR LOG2CEIL LONG MAX MIN NEXT NOLOAD ONLY_IF_RO ONLY_IF_RW ORIGIN
 OVERLAY PROVIDE PROVIDE_HIDDEN QUAD READONLY SEGMENT_START SHORT SIZEOF SIZEOF_HEADERS SORT
 SQUAD SUBALIGN TYPE ASCIZ FLAGS PHDRS FILEHDR org len o l ORIGIN LENGTH""".split())


class Unusable(Exception):
    """A script that cannot be linked here, and why."""


# ---- Text --------------------------------------------------------------------
def masked(text):
    """The text with blanks for comments, of the same length."""
    # `*dir/*(.text)` is a name with an asterisk, not the beginning of a comment.
    return re.sub(r'((?<![\w*])/\*|/\*(?!\s*\()).*?(\*/|\Z)|"[^"\n]*"|(?m:^|(?<=\s))#[^\n]*',
                  lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]),
                  text, flags=re.S)


def without_strings(text):
    """The text with blanks for strings."""
    return re.sub(r'"[^"\n]*"', lambda m: " " * len(m[0]), text)


def fingerprint(text):
    """What is left of a script without comments, blanks and numbers."""
    text = re.sub(r"\s+", "", re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[kKmM]?\b", "0", masked(text)))
    return zlib.crc32(text.encode()), len(text)


def closing(text, at):
    """The place behind the bracket that closes the one at a place."""
    depth = 0
    for found in re.compile(r'[(){}]|"[^"\n]*"').finditer(text, at):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    raise Unusable("brackets do not match")


# ---- Finding scripts ---------------------------------------------------------
class Library:
    """The scripts below a folder. What stands directly below it are repositories: a file that
    a script includes by name may be anywhere in its own."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.by_name = collections.defaultdict(list)
        self.paths, self.lost, self.memories = [], [], {}
        for root, folders, files in os.walk(self.folder):
            folders.sort()
            for name in sorted(files):
                path = os.path.join(root, name)
                self.by_name[name].append(path)
                if SUFFIXES.search(name):
                    self.paths.append(path)

    def repository(self, path):
        """The folder directly below ours that a file is in."""
        return os.path.relpath(path, self.folder).split(os.sep)[0] + os.sep

    def find(self, name, user):
        """The file that another names, or None: beside it, above it, then anywhere in its
        repository, the nearest first."""
        place = os.path.dirname(user)
        while place.startswith(self.folder):
            if os.path.isfile(os.path.join(place, name)):
                return os.path.join(place, name)
            place = os.path.dirname(place)
        found = [p for p in self.by_name[os.path.basename(name)]
                 if self.repository(p) == self.repository(user)]
        return max(found, key=lambda p: len(os.path.commonpath([p, user])), default=None)

    def load(self, path):
        """The whole text of a script: preprocessed, with what it includes in it. Afterwards
        `lost` has the names of what is not there: made when the program is built."""
        self.lost = []
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if re.search(r"@\w+@", masked(text)):
            raise Unusable("a template")
        if re.search(r'^\s*#\s*(include\s*["<]|endif\b|define\s+\w+)', text, re.M):
            text = self.preprocess(path)
        return self.inlined(text, path, 0)

    def inlined(self, text, path, depth):
        """The text with the files that INCLUDE names."""
        if depth > 8:
            raise Unusable("INCLUDE of itself")
        result, last = [], 0
        for found in re.finditer(r'\bINCLUDE\s+"?([^\s";]+)"?\s*;?', masked(text)):
            name = self.find(found[1], path)
            result.append(text[last:found.start()])
            if name:
                result.append(self.included(name, depth + 1))
            else:
                self.lost.append(found[1])
            last = found.end()
        return "".join(result) + text[last:]

    def included(self, path, depth):
        """The text of an included file."""
        with open(path, encoding="utf-8", errors="replace") as file:
            return self.inlined(file.read(), path, depth)

    def preprocess(self, path):
        """The text that cpp makes of a script. Headers that are not there are empty."""
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        folders = {os.path.dirname(path)}
        with tempfile.TemporaryDirectory() as empty:
            for _ in range(30):
                done = subprocess.run(
                    ["cpp", "-P", "-undef", "-nostdinc", "-x", "assembler-with-cpp",
                     "-DLINKER_SCRIPT", *(f"-I{f}" for f in sorted(folders)), f"-I{empty}", "-"],
                    capture_output=True, text=True, input=text, timeout=20)
                lost = re.search(r"fatal error: (\S+): No such file", done.stderr)
                if not lost:
                    break
                found = self.find(lost[1], path)
                if found and found.endswith(lost[1]) and found[:-len(lost[1])] not in folders:
                    folders.add(found[:-len(lost[1])])
                else:
                    self.lost.append(lost[1])
                    os.makedirs(os.path.dirname(os.path.join(empty, lost[1])), exist_ok=True)
                    open(os.path.join(empty, lost[1]), "wb").close()
        if done.returncode:
            errors = re.findall(r"error: (.*)", done.stderr)
            raise Unusable("cpp: " + (errors or ["fails"])[0])
        return done.stdout

    def companion(self, path, needed):
        """The text of a script beside another, with nothing but MEMORY for it, or ""."""
        near = [p for p in self.paths if self.repository(p) == self.repository(path) and p != path]
        near.sort(key=lambda p: (-len(os.path.commonpath([p, path])), p))
        for other in near[:40]:
            text, regions = self.regions_of(other)
            if needed <= regions:
                return text
        return ""

    def regions_of(self, path):
        """The text of a script with nothing but MEMORY, and its regions; else nothing."""
        if path not in self.memories:
            lost, self.memories[path] = self.lost, ("", set())
            try:
                text = masked(self.load(path))
                if "SECTIONS" not in text:
                    self.memories[path] = text, set(declared_regions(text))
            except Unusable:
                pass
            self.lost = lost
        return self.memories[path]


# ---- The outline of a script -------------------------------------------------
@dataclass
class Node:
    """A part of a script that can be taken out: a place in its text."""
    kind: str
    start: int
    end: int
    children: list = field(default_factory=list)
    name: str = ""
    body: tuple = (0, 0)        # between the braces


def outline(text):
    """The parts of a script."""
    return statements(text, 0, len(text), "top")


def statements(text, at, end, level):
    """The parts between two places. A level is "top", "sections" or "body"."""
    nodes = []
    while True:
        while at < end and text[at] in " \t\r\n;,":
            at += 1
        if at >= end:
            return nodes
        node = statement(text, at, end, level)
        nodes.append(node)
        at = max(node.end, at + 1)


def statement(text, at, end, level):
    """The part that begins at a place."""
    command = re.compile(r"(MEMORY|PHDRS|SECTIONS|VERSION)\s*\{").match(text, at)
    if command and level == "top":
        behind = closing(text, command.end() - 1)
        node = Node(command[1], at, behind, [], "", (command.end(), behind - 1))
        if command[1] == "SECTIONS":
            node.children = statements(text, *node.body, "sections")
        elif command[1] != "VERSION":
            part = r"[^\s:;][^:;]*:[^:;]*?(?=[^\s,:]+\s*(?:\([^()]*\))?\s*:|\Z)" \
                if command[1] == "MEMORY" else r"[^\s;][^;]*;"
            inside = text[slice(*node.body)]
            node.children = [Node("region", node.body[0] + m.start(), node.body[0] + m.end())
                             for m in re.finditer(part, inside, re.S)]
        return node
    assign = ASSIGN.match(text, at)
    if assign and assign.end() <= end:
        behind = text.find(";", at, end)
        return Node("assignment", at, end if behind < 0 else behind + 1, [], assign[1])
    call = CALL.match(text, at)
    if call:
        behind = closing(text, call.end() - 1)
        return Node(call[1], at, behind + (text[behind:behind + 1] == ";"), [], call[1],
                    (call.end(), behind - 1))
    plain = PLAIN.match(text, at)
    if plain:
        return Node("word", at, plain.end())
    insert = re.compile(r"INSERT\s+(AFTER|BEFORE)\s+[^\s;]+\s*;?").match(text, at)
    if insert:
        return Node("INSERT", at, insert.end())
    if level == "body":
        return input_pattern(text, at, end)
    if level == "top":
        word = re.compile(r"[^\s;]+").match(text, at)
        return Node("word", at, word.end())
    return output_section(text, at, end)


def input_pattern(text, at, end):
    """A pattern of an output section: KEEP (...), FILE (...), FILE, or [ NAMES ]."""
    if text[at] == "[":
        behind = text.find("]", at, end) + 1
        return Node("pattern", at, behind or end)
    found = re.compile(r'("[^"]*"|[^\s(){};"]+)').match(text, at)
    behind = found.end() if found else at + 1
    while True:
        bracket = re.compile(r"\s*\(").match(text, behind, end)
        if not bracket:
            break
        behind = closing(text, bracket.end() - 1)
        if found and found[0] == "EXCLUDE_FILE":
            name = re.compile(r"\s*[^\s(){};]+").match(text, behind, end)
            behind = name.end() if name else behind
            found = None
            continue
        break
    node = Node("pattern", at, behind)
    inside = re.compile(r"(?<=[\s(])[^\s(){};,]+(?=[\s),])").finditer(text, at, behind)
    node.children = [Node("name", m.start(), m.end()) for m in inside
                     if text[m.end():behind].lstrip()[:1] != "("]
    if len(node.children) < 2:
        node.children = []
    return node


def output_section(text, at, end):
    """An output section, or an overlay, with all that stands behind it."""
    opening = at
    while opening < end and text[opening] != "{":
        opening = closing(text, opening) if text[opening] == "(" else opening + 1
    if opening >= end:
        return Node("rest", at, end)
    name = re.compile(r'"[^"]*"|[^\s:(]+').match(text, at)
    behind = closing(text, opening)
    node = Node("section", at, behind, [], name[0] if name else "", (opening + 1, behind - 1))
    overlay = node.name == "OVERLAY"
    node.children = statements(text, *node.body, "sections" if overlay else "body")
    for found in re.compile(r"\b(SUBALIGN|ALIGN|AT|BLOCK)\s*\(").finditer(text, at, opening):
        node.children.append(Node("attribute", found.start(), closing(text, found.end() - 1)))
    trailer = re.compile(r"\s*(AT\s*>\s*[^\s{}:;=,]+|>\s*[^\s{}:;=,]+|:\s*[^\s{}:;=,>]+|"
                         r"=\s*(\((?:[^()]|\([^()]*\))*\)|[^\s{};,]+)|,)")
    while True:
        found = trailer.match(text, behind, end)
        if not found:
            break
        if found[1] not in (",", "=0"):
            node.children.append(Node("trailer", found.start(1), found.end()))
        behind = found.end()
    node.end = behind
    return node


def walk(nodes):
    """All parts, parents first."""
    for node in nodes:
        yield node
        yield from walk(node.children)


def zero_filled(text):
    """The text with a fill of zeros for each output section without a fill: what code is filled
    with otherwise is the machine's."""
    for node in reversed([n for n in walk(outline(text)) if n.kind == "section"]):
        if "=" not in text[node.body[1]:node.end] and \
                node.name not in ("/DISCARD/", "OVERLAY"):
            end = len(text[:node.end].rstrip(", \t\n"))
            text = text[:end] + " =0" + text[end:]
    return text


def without_commas(text):
    """The text with blanks for commas in patterns."""
    for node in walk(outline(text)):
        if node.kind == "pattern":
            text = text[:node.start] + text[node.start:node.end].replace(",", " ") + \
                text[node.end:]
    return text


def cut(text, nodes):
    """The text without some parts, and without the lines that this leaves empty."""
    letters = list(text)
    for node in nodes:
        for i in range(node.start, node.end):
            if letters[i] != "\n":
                letters[i] = " "
    return re.sub(r"(?m)^[ \t;]*\n", "", re.sub(r"[ \t]+(?=\n)", "", "".join(letters)))


# ---- What a script asks for --------------------------------------------------
def declared_regions(text):
    """Names in MEMORY and REGION_ALIAS."""
    names = []
    for node in outline(text):
        if node.kind == "MEMORY":
            inside = text[slice(*node.body)]
            names += re.findall(
                r"([^\s,:(){}=]+)\s*(?:\([^()]*\))?\s*:\s*(?:ORIGIN|org|o)\b", inside)
        elif node.kind == "REGION_ALIAS":
            names.append(text[slice(*node.body)].split(",")[0].strip(' "\t'))
    return names


def used_regions(text):
    """Names of regions that sections, ORIGIN, LENGTH and aliases use."""
    nodes, used = list(walk(outline(text))), []
    for node in nodes:
        if node.kind == "trailer" and ">" in text[node.start:node.end]:
            used.append(text[node.start:node.end].split(">")[1].strip())
        elif node.kind == "REGION_ALIAS":
            used.append(text[slice(*node.body)].split(",")[1].strip(' "\t\n'))
    used += re.findall(r"\b(?:ORIGIN|LENGTH)\s*\(\s*([^\s()]+)\s*\)", without_strings(text))
    return list(dict.fromkeys(used))


@dataclass
class Wish:
    """Input sections that a script asks for: of files (globs), by names (globs)."""
    output: str
    file: str
    names: list
    excluded: list


def wishes(text):
    """The patterns of a script, in order."""
    found, holders = [], []

    def visit(nodes, output):
        for node in nodes:
            if node.kind == "section":
                visit(node.children, node.name)
            elif node.kind == "pattern" and output:
                holders.append((text[node.start:node.end], output))
            else:
                visit(node.children, output)

    visit(outline(text), "")
    for body, output in holders:
        body = body.replace('"', "")
        if body.startswith("["):
            body = "*(" + body[1:-1] + ")"
        excluded = [f for m in re.findall(r"\bEXCLUDE_FILE\s*\(([^()]*)\)", body)
                    for f in re.split(r"[\s,]+", m) if f]
        body = re.sub(r"\bEXCLUDE_FILE\s*\([^()]*\)", " ", body).strip()
        keep = re.match(r"KEEP\s*\((.*)\)$", body, re.S)
        body = keep[1].strip() if keep else body
        file, _, rest = body.partition("(")
        file = file.strip()
        if re.match(r"SORT\w*$", file):
            file, _, rest = rest.partition(")")
            rest = rest.partition("(")[2]
        rest = re.sub(r"\b(SORT\w*|REVERSE|INPUT_SECTION_FLAGS)\s*\(", " ", rest)
        names = [n for n in re.split(r"[\s(),]+", rest) if n and not n.startswith("SHF_")]
        found.append(Wish(output, file, names, excluded))
    return found


def concrete(glob):
    """A name that a pattern takes."""
    glob = re.sub(r"\[[!^]([^\]]*)\]", "9", glob)
    glob = re.sub(r"\[([^\]])[^\]]*\]", r"\1", glob)
    return glob.replace("?", "q").replace("*", "x1")


def file_name(glob):
    """A file name that a pattern of files takes, or "" when it takes any."""
    glob = glob.strip()
    if re.match(r"\*?(\.o|\.obj|\.a|\.a:|\.a:\*|:\*|\*|:)?$", glob) or glob.startswith("/"):
        return ""
    archive, colon, member = glob.partition(":")
    if colon:
        member = re.sub(r"\.\*$", ".o", member).lstrip("*")
        return concrete(re.sub(r"^\*+(?!/)", "", archive)) + ":" + concrete(member or "member.o")
    return concrete(re.sub(r"^\*+(?!/)", "", glob)) if glob.strip("*") else ""


CLASSES = [   # name of a section -> type, flags; the first that fits
    (r"\.(comment|gnu\.attributes|gnu\.build|ARM\.attributes|riscv\.attributes|"
     r"reginfo|gptab|indent|xt\.|xtensa\.info|gnu\.lto|gnu\.linkonce\.w|PPC\.EMB\.apuinfo)",
     SHT_PROGBITS, 0),
    (r"\.(tbss|tcommon|gnu\.linkonce\.tb)", SHT_NOBITS, ALLOC | WRITE | TLS),
    (r"\.(tdata|gnu\.linkonce\.td)", SHT_PROGBITS, ALLOC | WRITE | TLS),
    (r"\.preinit_array", PREINIT, ALLOC | WRITE),
    (r"\.init_array", INIT, ALLOC | WRITE),
    (r"\.fini_array", FINI, ALLOC | WRITE),
    (r"\.note", NOTE, ALLOC),
    (r"\.data\.init\.enter|.*(ccfg|binary_info)", SHT_PROGBITS, ALLOC),
    (r"\.sdata2", SHT_PROGBITS, ALLOC),
    (r"\.(ctors|dtors|jcr|data|sdata|tm_clone|gnu\.linkonce\.(d|s|s2)\b)", SHT_PROGBITS,
     ALLOC | WRITE),
    (r"\.gnu\.linkonce\.(b|sb|sb2)\b", SHT_NOBITS, ALLOC | WRITE),
    (r"\.gnu\.linkonce\.t\b", SHT_PROGBITS, ALLOC | EXEC),
    (r"\.gnu\.linkonce\.", SHT_PROGBITS, ALLOC),
    (r".*(bss|noinit|stack|heap|uninit|zero|NonCacheable$)", SHT_NOBITS, ALLOC | WRITE),
    (r"\.?(rodata|srodata|rdata|lit|const|gcc_except|ARM\.ex)", SHT_PROGBITS, ALLOC),
    (r".*(text|init\b|fini\b|vector|isr|reset|boot|code|entry|start|literal|func|stub)",
     SHT_PROGBITS, ALLOC | EXEC),
    (r".*(rodata|const|\bro\b|_ro\b|table|config|id)", SHT_PROGBITS, ALLOC),
]
# Made by GNU ld itself, or with a format of their own.
NOT_MADE = re.compile(r"\.(debug|stab|line|mdebug|zdebug|got|plt|igot|iplt|rel\.|rela|rel$|"
                      r"dyn(amic|sym|str)|hash|gnu\.hash|"
                      r"gnu\.version|interp|opd|stub|eh_frame|note\.gnu\.|gnu\.warning|symtab|"
                      r"strtab|shstrtab|glink|branch_lt|MIPS\.|sframe)|COMMON$|\.scommon$")


def kind_of(name, output):
    """Type and flags of a section, from its name, else from where the script puts it."""
    for text in (name, output):
        for expression, kind, flags in CLASSES:
            if re.match(expression, text, re.I):
                return kind, flags
    return SHT_PROGBITS, ALLOC | WRITE


def defined_names(text):
    """Names that a script assigns, and those of them under PROVIDE."""
    names, provided = set(), set()
    for node in walk(outline(text)):
        if node.kind == "assignment":
            names.add(node.name.strip('"'))
        elif node.kind in ("PROVIDE", "PROVIDE_HIDDEN", "HIDDEN"):
            name = text[slice(*node.body)].partition("=")[0].strip(' "\t\n')
            names.add(name)
            if node.kind != "HIDDEN":
                provided.add(name)
    return names - {"."}, provided


def identifiers(expression):
    """Names of symbols in an expression."""
    expression = NAMES_OF_SECTIONS.sub(" 0 ", without_strings(expression))
    expression = re.sub(r"(?<![\w.$])[0-9][\w]*", " ", expression)
    return [n for n in re.findall(r"[A-Za-z_.$][\w.$]*", expression)
            if n not in KEYWORDS and n != "."]


def read_names(text):
    """Names that expressions of a script read: (in MEMORY, elsewhere)."""
    memory, rest = [], []
    tested = set(re.findall(r"\bDEFINED\s*\(\s*([^\s()]+)", text))

    def visit(nodes, level):
        for node in nodes:
            inside = text[slice(*node.body)]
            if node.kind == "MEMORY":
                for part in re.findall(r"(?:ORIGIN|LENGTH|\borg\b|\blen\b|\bo\b|\bl\b)\s*=([^,:]*?"
                                       r"(?=,|\Z|\n|[\w.]+\s*(?:\([^()]*\))?\s*:(?!\s*\())"
                                       r"|[^,\n]*)", inside):
                    memory.extend(identifiers(part))
            elif node.kind == "assignment":
                rest.extend(identifiers(text[node.start:node.end].partition("=")[2]))
                if re.search(r"[-+*/&|^<>]=", text[node.start:node.end]) and node.name != ".":
                    rest.append(node.name)
            elif node.kind in ("PROVIDE", "PROVIDE_HIDDEN", "HIDDEN"):
                rest.extend(identifiers(inside.partition("=")[2]))
            elif node.kind in ("ASSERT", "BYTE", "SHORT", "LONG", "QUAD", "SQUAD", "FILL"):
                rest.extend(identifiers(inside))
            elif node.kind == "section":
                head = text[node.start + len(node.name):node.body[0] - 1]
                rest.extend(identifiers(re.sub(r"\(\s*(NOLOAD|COPY|INFO|OVERLAY|DSECT|READONLY)"
                                               r"\s*\)|TYPE\s*=\s*\w+", "", head)))
                visit(node.children, "section")
            else:
                visit(node.children, "")

    visit(outline(text), "")
    return ([n for n in dict.fromkeys(memory) if n not in tested],
            [n for n in dict.fromkeys(rest) if n not in tested])


# ---- Making objects ----------------------------------------------------------
def number_of(text):
    """A number that follows from a name and nothing else."""
    return zlib.crc32(text.encode())


@dataclass(frozen=True)
class Form:
    """How objects of one kind look: for GNU ld and for xlink."""
    name: str
    is64: bool
    machine: int
    word: int       # number of the absolute relocation that fills a word


FORMS = {"elf32": (Form("x32", False, 62, 10), Form("nyuzi", False, 9999, 1)),
         "elf64": (Form("x86-64", True, 62, 1), Form("aphelion", True, 0xA9E1, 1))}


@dataclass
class Inputs:
    """The files to link, in order, as {name: object}; an object is a list of sections
    (name, type, flags, align, size, symbol) and further symbols."""
    objects: dict = field(default_factory=dict)      # name or archive:member -> sections
    common: list = field(default_factory=list)       # (name, size, align), in a.o
    absolute: dict = field(default_factory=dict)     # name -> value, in a.o
    labels: list = field(default_factory=list)       # defined in the first code of a.o
    wanted: list = field(default_factory=list)       # referred to by a.o
    defsyms: list = field(default_factory=list)      # options
    libraries: set = field(default_factory=set)      # named as -lNAME by the script


def section_shape(file, name, output, small):
    """Type, flags, alignment and size of a section."""
    kind, flags = kind_of(name, output)
    number = number_of(file + name)
    align, size = (1, 2, 4, 4, 8, 16)[number % 6], 3 + number // 7 % 45
    if small:
        align, size = min(align, 4), 1 + size % 7
    if kind in (INIT, FINI, PREINIT) or re.match(r"\.(ctors|dtors)", name):
        align, size = 8, 8
    if kind == NOTE:
        align, size = 4, 20
    if flags & EXEC:
        align, size = max(align, 4), size + -size % 4
    if re.match(r"\.ARM\.ex|\.binary_info", name):
        align, size = 4, 8
    if name.startswith(".boot2") or name.startswith(".boot_stage2"):
        align, size = 4, 0x100 if file == "a.o" else 0
    return kind, flags, align, size


def value_for(name, of_region=False):
    """A plausible value of a symbol that a script reads, perhaps for a region."""
    if of_region and re.search(r"siz|len", name, re.I) and not re.search("stack|heap", name, re.I):
        return 0x10000
    if re.search(r"siz|len|stack|heap|align|count|num|max|min", name, re.I):
        return 0x400
    return 0x10000 + number_of(name) % 0x100 * 0x100


def make_inputs(text, small=False, left_out=(), only_alloc=False):
    """Inputs for a script. `small` makes fewer and smaller sections; no sections are made for
    the output sections in `left_out`; `only_alloc` makes none without SHF_ALLOC."""
    inputs = Inputs()
    files = {"a.o": {}} if small else {"a.o": {}, "b.o": {}}
    asked = [w for w in wishes(text) if w.output not in left_out]
    taken = set()
    for wish in asked:
        plain = [concrete(n) for n in wish.names if n != "*" and not NOT_MADE.match(n)]
        name = file_name(wish.file)
        others = [file_name(x) for x in wish.excluded]
        if name and len(files) < 40:
            if not small or name not in files:
                for section_name in (plain or [".data.any"])[:1 if small else 4]:
                    files.setdefault(name, {}).setdefault(section_name, wish.output)
        elif not name:
            for section_name in plain:
                taken.add(section_name)
                for own in ("a.o", "b.o"):
                    if own in files and (own == "a.o" or number_of(section_name) % 3):
                        files[own].setdefault(section_name, wish.output)
        for other in others:
            if other and plain and len(files) < 40 and not small:
                files.setdefault(other, {}).setdefault(plain[0], wish.output)
        if "COMMON" in wish.names and not inputs.common:
            inputs.common = [("common_1", 12, 8)]
    outputs = {w.output for w in asked}
    for usual in (".text", ".rodata", ".data", ".bss"):
        if usual in outputs or not small:
            if usual not in left_out:
                files["a.o"].setdefault(usual, usual)
    for name, names in files.items():
        if any(other.startswith(name + "/") for other in files):
            continue
        sections = []
        for section_name, output in names.items():
            shape = section_shape(name, section_name, output, small)
            if only_alloc and not shape[1] & ALLOC:
                continue
            symbol = "" if shape[1] & TLS else \
                re.sub(r"\W", "_", f"{name}__{section_name}")
            sections.append((section_name, *shape, symbol))
        inputs.objects[name] = sections
    symbols_of(text, inputs)
    return inputs


def symbols_of(text, inputs):
    """Fills in the symbols of Inputs, and the files that commands of a script name."""
    defined, _ = defined_names(text)
    made = {s[-1] for sections in inputs.objects.values() for s in sections}
    memory, rest = read_names(text)
    first = True
    for node in outline(text) + [c for n in outline(text) for c in n.children]:
        inside = text[slice(*node.body)] if node.kind != "section" else ""
        if node.kind in ("ENTRY", "EXTERN"):
            for name in re.split(r"[\s,]+", inside.strip()):
                name = name.strip('"')
                if name and name not in defined and name not in inputs.labels:
                    inputs.labels.append(name)
        elif node.kind in ("INPUT", "GROUP", "STARTUP"):
            for name in re.split(r"[\s,()]+", inside):
                library = name.startswith("-l")
                if not name or name == "AS_NEEDED":
                    continue
                name = f"lib{name[2:]}.a" if library else name.strip('"')
                inputs.libraries.add(name)
                key = name + ":any.o" if name.endswith(".a") else name
                if not any(o == name or o.startswith(name + ":") for o in inputs.objects):
                    inputs.objects[key] = [(".text", *section_shape(key, ".text", "", True),
                                            re.sub(r"\W", "_", key))]
    for name in memory:
        if name not in defined:
            value = (0x100000 if re.search(r"siz|len", name, re.I) else
                     0x10000000 + len(inputs.defsyms) * 0x1000000)
            inputs.defsyms.append(f"--defsym={name}={value:#x}")
            defined.add(name)
    for name in rest:
        if name not in defined and name not in inputs.labels and name not in made:
            if memory:      # what MEMORY reads may come from it, and is needed early
                inputs.defsyms.append(f"--defsym={name}={value_for(name, True):#x}")
            else:
                inputs.absolute[name] = value_for(name)
    inputs.wanted = sorted(n for n in defined if re.match(r"[\w.$]+$", n) and
                           not any(n == d.split("=")[1] for d in inputs.defsyms))


def contents(name, file, size):
    """Bytes of a section."""
    if name.startswith(".note"):
        return struct.pack("<III", 4, 4, 1) + b"abc\0" + struct.pack("<I", number_of(file))
    seed = number_of(file + name)
    return bytes(1 + (seed >> i % 24 & 0x7f) + i % 3 for i in range(size))


def write_object(form, path, name, sections, inputs=None, members=()):
    """Writes one object; with Inputs, the one that has its symbols."""
    writer = ObjectWriter(form.machine, form.is64)
    word = 8 if form.is64 else 4
    refer = list(inputs.wanted) if inputs else []
    code = False
    for section_name, kind, flags, align, size, symbol in sections:
        writer.section(section_name, flags, align, kind)
        if symbol:
            writer.label(symbol, kind=1)
        if kind == SHT_NOBITS:
            writer.reserve(size)
            continue
        if inputs and flags & EXEC and not code:
            code = True
            for label in inputs.labels:
                writer.label(label)
        if kind in (INIT, FINI, PREINIT) or re.match(r"\.(ctors|dtors)", section_name):
            target = symbol
            for _ in range(size // word):
                writer.relocate(form.word, target, 1)
                writer.emit(bytes(word))
        else:
            writer.emit(contents(section_name, name, size))
    if inputs:
        add_symbols(form, writer, inputs, refer + list(members), word)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    writer.write(path)


def add_symbols(form, writer, inputs, refer, word):
    """Symbols of a.o, and words with the values of symbols in a section that takes them."""
    if inputs.labels and not any(n in writer._symbols for n in inputs.labels):
        for label in inputs.labels:
            writer.absolute(label, 0x1000)
    for name, size, align in inputs.common:
        writer.common(name, size, align)
    for name, value in inputs.absolute.items():
        writer.absolute(name, value)
    writable = [s for s in writer.sections if s.flags & ALLOC and s.type == SHT_PROGBITS and
                not s.name.startswith((".gnu.linkonce", ".ctors", ".dtors")) and
                not s.flags & TLS]
    # Start-up code refers to a script's symbols.
    holder = next((s for s in writable if s.flags & EXEC), writable[0] if writable else None)
    if holder is None:
        writer.section(".debug_words", 0, 1)
        holder = writer.current
    # Values are of no interest here: they are compared as symbols. So nothing is added to what
    # may have little room.
    writer.current = holder
    for name in refer:
        holder.relocations.append((0, NONE, name, 0))


def archive(path, members):
    """Writes an archive, with an index, of (name, bytes, symbols)."""
    names, long_names = [], b""
    for name, _, _ in members:
        names.append(f"/{len(long_names)}" if len(name) > 15 else name + "/")
        long_names += (name + "/\n").encode() if len(name) > 15 else b""

    def header(name, size):
        return f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{size:<10}`\n".encode()

    def padded(data):
        return data + b"\n" * (len(data) % 2)

    symbols = [(s, i) for i, m in enumerate(members) for s in m[2]]
    strings = b"".join(s.encode() + b"\0" for s, _ in symbols)
    index_size = 4 + 4 * len(symbols) + len(strings)
    at = 8 + 60 + index_size + index_size % 2
    if long_names:
        at += 60 + len(long_names) + len(long_names) % 2
    places = []
    for _, data, _ in members:
        places.append(at)
        at += 60 + len(data) + len(data) % 2
    index = struct.pack(f">I{len(symbols)}I", len(symbols), *(places[i] for _, i in symbols))
    with open(path, "wb") as file:
        file.write(b"!<arch>\n" + header("/", index_size) + padded(index + strings))
        if long_names:
            file.write(header("//", len(long_names)) + padded(long_names))
        for name, (_, data, _) in zip(names, members):
            file.write(header(name, len(data)) + padded(data))


def write_inputs(form, folder, inputs):
    """Writes all files for one linker; returns the arguments that name them."""
    archives, order = collections.OrderedDict(), []
    wanted = []
    for name, sections in inputs.objects.items():
        place, colon, member = name.partition(":")
        if not colon and name.endswith(".a"):
            place, colon, member = name, ":", "member.o"
        if colon:
            archives.setdefault(place, []).append((os.path.basename(member), sections))
            wanted += [s[-1] for s in sections if s[-1]][:1]
    for name, sections in inputs.objects.items():
        if ":" in name or name.endswith(".a"):
            continue
        main = name == "a.o"
        write_object(form, os.path.join(folder, name), name, sections,
                     inputs if main else None, wanted if main else ())
        if name not in inputs.libraries:
            order.append(name)
    for place, members in archives.items():
        made, path = [], os.path.join(folder, place)
        for name, sections in members:
            write_object(form, path + ".member", place + name, sections)
            with open(path + ".member", "rb") as file:
                made.append((name, file.read(), [s[-1] for s in sections if s[-1]]))
        archive(path, made)
        if place not in inputs.libraries:
            order.append(place)
    return order


# ---- Reading what was linked -------------------------------------------------
class Image(Elf):
    """What a linked file says of its memory. The file is mapped: a script may leave gigabytes
    between two sections. `instead` has bytes to take instead of a section's own."""

    def __init__(self, path):
        super().__init__(path)
        self.instead = {}

    def read(self, path):
        with open(path, "rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def alloc(self):
        sections, flags = super().alloc(), {s[0]: s[3] for s in self.sections}
        for name, (address, size, lma, data) in sections.items():
            if data is None and flags.get(name, 0) & TLS:
                lma = "any"     # in no PT_LOAD, or by chance in one that covers the address
            sections[name] = (address, size, lma, self.instead.get(name, data))
        return sections
