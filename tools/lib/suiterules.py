"""Why a link of another linker's test is not tried, and why xlink's result may differ.

A rule recognises a difference that a README of the project or --help documents (src/script/README.md
where nothing else is said), or a reason why the test cannot be asked of these machines.
"""
import re

# What linkers define without being asked, each its own.
OWN = {"section .got", *(f"symbol {name}" for name in (
    "__global_pointer$", "_GLOBAL_OFFSET_TABLE_", "__BSS_END__", "__SDATA_BEGIN__", "__DATA_BEGIN__",
    "__ehdr_start", "__executable_start", "_DYNAMIC"))}

DYNAMIC = re.compile(r"-?-(shared|Bshareable|pie|pic-executable|static-pie|dynamic-linker|Bsymbolic.*|"
                     r"export-dynamic.*|version-script.*|dynamic-list.*|rpath.*|soname.*|h|Bdynamic|"
                     r"as-needed|no-allow-shlib.*|force-dynamic|auxiliary|filter|f|F|E|pack-dyn.*)(=.*)?$")


def NOT_TRIED(step):
    """The reason why a command is not tried, or None."""
    for word in step.arguments:
        if DYNAMIC.match(word) or word.endswith(".so"):
            return "dynamic linking"
        if re.match(r"-?-(plugin|lto|thinlto|flto|save-temps|opt-)", word):
            return "link-time optimisation"
        if re.match(r"-?-(help|version|v|V)$", word):
            return "prints only"
    return None


def explain(link):
    """The reason for a difference that is known, or None."""
    for rule in RULES:
        reason = rule(link)
        if reason:
            return reason
    return None


def lacking_linker(link):
    """Only one of the two knows the option."""
    gnu, lld = link.outcomes["gnu"], link.outcomes["lld"]
    if gnu.lacks and link.lld:
        return "GNU ld does not know an option or word"
    if lld.lacks and link.gnu:
        return "lld does not know an option or word"
    return None


# Where a linker refuses: its message, and the reason for a result of its own.
SAID = {
    "xlink": [
        (r"does not fit the machine's address space", "addresses beyond 32 bits"),
        (r"would hold \d+ bytes of padding", "more than 128 MB of padding are refused"),
        (r"option '.*' is not supported", "an option that is refused, with the reason in its message"),
        (r"will not fit in region", "what fits nowhere overflows its last region"),
        (r"division (of a remainder )?by zero|remainder of a division by zero",
         "a division by zero is an error"),
        (r"[Tt]hread-local", "TLS sections behind zeros are refused"),
        (r"type of an output section has to be a constant|unknown section type",
         "the type in (TYPE = ...) is a known constant"),
        (r"memory region '.*' is (not declared|declared twice)",
         "a region that is not declared, or twice, is an error"),
        (r"no memory region for section", "GNU ld for RISC-V does not miss the region of a section"),
        (r"did not converge", "symbols that are assigned from each other"),
        (r"no input files", "scripts alone are no link, as with lld"),
        (r"cannot open member", "a member that does not exist is an error, as with lld"),
        (r"option '.*': .* (is none of|needs a value)", "an unknown word of an option is an error"),
    ],
    "gnu": [
        (r"not found for insert", "INSERT of a section of the same file"),
        (r"cannot open linker script file", "GNU ld looks for INCLUDE in the -L before the script alone"),
        (r"not enough room for program headers", "GNU ld wants room for headers"),
        (r"cannot (change output format|represent machine)|target \S+ not found",
         "GNU ld for RISC-V has one output format"),
        (r"need linked-to section for --gc-sections", "GNU ld refuses orphaned SHF_LINK_ORDER sections"),
        (r"sh_link of section .* points to discarded", "what describes a dropped section goes"),
        (r"has both ordered and unordered sections", "SHF_LINK_ORDER sections beside others"),
        (r"may not be used without -shared", "--no-define-common has no effect"),
        (r"nonconstant expression for (fill value|section alignment|load base)",
         "expressions that GNU ld wants to be constant"),
        (r"undefined symbol `__ehdr_start'", "scripts may read __ehdr_start, as with lld"),
        (r"requires a defined symbol root", "the root of -r --gc-sections need not be defined"),
        (r"archive has no index", "an archive without an index is passed over with a warning"),
        (r"hidden symbol .* isn't defined", "an undefined symbol that nothing refers to, as with lld"),
        (r"undefined reference to `_start'", "an entry that is referred to only weakly, as with lld"),
    ],
    "lld": [
        (r"symbol in a discarded section", "archives may replace a definition in a dropped group"),
        (r"string is not null terminated", "strings without an end are not merged"),
    ],
}

# What GNU ld says when it reads a script otherwise, and does not refuse it.
PASSED_OVER = [
    (r"BFD .* assertion fail", "GNU ld fails in itself"),
    (r"ignoring invalid character", "an invalid character is an error, as with lld"),
    (r"unrecognized INPUT_SECTION_FLAG", "INPUT_SECTION_FLAGS takes numbers, as with lld"),
    (r"redeclaration of memory region", "a region that is not declared, or twice, is an error"),
]


def said_so(link):
    """A linker's message tells the reason."""
    for name, texts in SAID.items():
        for pattern, reason in texts:
            if link.outcomes[name].status and re.search(pattern, link.outcomes[name].said):
                return reason
    return next((reason for pattern, reason in PASSED_OVER
                 if re.search(pattern, link.outcomes["gnu"].said)), None)


# A reason; what has to be found among the arguments, in the scripts and sources, and, where both
# accept, in each line that differs from GNU ld's output.
CASES = [
    ("--eh-frame-hdr has no effect", r"eh-frame-hdr", r"", r""),
    ("the value of an option without effect is not read",
     r"-z (start-stop-visibility|common-page-size)=|--verbose=|--(pcrel|toc)-optimize", r"", r""),
    ("--threads=all means all processors", r"--threads=all", r"", r""),
    ("--wrap takes nothing from an archive by itself", r"--wrap.*--start-lib|--start-lib.*--wrap", r"",
     r""),
    ("[ without an end stands for itself, as in scripts", r"--undefined-glob \[$", r"", r""),
    ("-r leaves out unwind records of what is dropped", r"(^| )-r ", r"cfi_startproc",
     r"section \.eh_frame: "),
    ("-r joins mergeable sections of one size and alignment", r"(^| )-r ", r'"\w*M', r"section \S+: "),
    ("-r keeps what __start_ names mean", r"(^| )-r .*--gc-sections", r"__start_",
     r"section [A-Za-z]\w*: .* none$"),
    ("KEEP looks at INPUT_SECTION_FLAGS, as with lld", r"gc-sections",
     r"KEEP\s*\(\s*INPUT_SECTION_FLAGS", r""),
    ("what /DISCARD/ takes keeps nothing, with KEEP neither", r"gc-sections", r"/DISCARD/[^}]*KEEP", r""),
    ("merged constants that have a second place", r"--enable-non-contiguous-regions", r'"\w*M', r""),
    ("ASSERT in PHDRS", r"", r"PHDRS\s*\{[^}]*ASSERT", r""),
    ("a fill behind :PHDR", r"", r"\}\s*:\w+=", r""),
    ("symbol versions are for dynamic linking", r"", r"\.symver", r""),
    (".gnu.warning goes with its symbols", r"", r"\.section\s+\.gnu\.warning,", r""),
]


def known_case(link):
    """The command line and its files are those of a documented difference."""
    arguments = " ".join(link.step.arguments)
    text = link.test.text + link.command.text
    return next((reason for reason, options, words, line in CASES
                 if re.search(options, arguments) and re.search(words, text) and
                 all(re.match(line, given) for given in lines(link, "gnu"))), None)


# What xlink takes though GNU ld and lld do not.
SYNTAX = re.compile(r"EXCLUDE_FILE\s*\([^()]*\)\s*EXCLUDE_FILE|ASSERT\s*\([^;]*\)\s*;|"
                    r"(ORIGIN|LENGTH)=")


def more_syntax(link):
    """GNU ld refuses the script."""
    if link.outcomes["xlink"].status == 0 and "syntax error" in link.outcomes["gnu"].said:
        text = link.command.text
        computed = [re.match(r"symbol (\S+): 0x", line) for line in lines(link, "lld")]
        if link.lld or SYNTAX.search(text):
            return "GNU ld takes less syntax"
        if computed and all(c and re.search(rf"{re.escape(c[1])}\s*=\s*DATA_SEGMENT_ALIGN", text)
                            for c in computed):
            return "DATA_SEGMENT_ALIGN counts as GNU ld's manual says"
    return None


def implicit_script(link):
    """A script among the inputs."""
    if not link.command.scripts and link.command.lays_out():
        return "GNU ld adds a script that is given without -T to its own"
    return None


def lines(link, name):
    """What differs from another linker's output where both accept."""
    ours, other = link.outcomes["xlink"], link.outcomes[name]
    return ours.differences(other) if ours.status == 0 and other.status == 0 else []


def symbols_that_differ(link, ending=""):
    """The names in all lines that differ from GNU ld's output, where these are of symbols and end
    like that; none otherwise."""
    found = [re.match(rf"symbol (\S+): .*{ending}$", line) for line in lines(link, "gnu")]
    return [m[1] for m in found] if all(found) else []


def archive_order(link):
    """An archive's members are on offer to the end."""
    refused = link.outcomes["gnu"].status and "undefined" in link.outcomes["gnu"].said
    if link.lld and link.command.has_archive() and \
            (refused or symbols_that_differ(link, "there against none")):
        return "archives need no groups"
    return None


def hidden_symbols(link):
    """GNU ld leaves hidden symbols global; xlink and lld make them local."""
    names = symbols_that_differ(link, r"against \S+")
    if names and all(link.symbols.get(n, (0, 0))[1] & 3 in (1, 2) or n.startswith(("__start_", "__stop_"))
                     for n in names) and not set(names) & set(link.outcomes["xlink"].elf.symbols):
        return "hidden symbols become local"
    return None


SHN_COMMON = 0xfff2


def common_symbols(link):
    """COMMON symbols that go, or stand in the order in which the inputs mention them."""
    commons = [n for n, (index, _) in link.symbols.items() if index == SHN_COMMON]
    names = symbols_that_differ(link, "none against there")
    if "gc-sections" in " ".join(link.step.arguments) and names and set(names) <= set(commons):
        return "--gc-sections drops COMMON symbols, as with lld"
    ours, other = link.outcomes["xlink"].elf, link.outcomes["gnu"].elf
    if ours and other and set(commons) <= set(ours.symbols) & set(other.symbols) and \
            sorted(commons, key=ours.symbols.get) != sorted(commons, key=other.symbols.get):
        return "COMMON symbols stand as the inputs mention them"
    return None


def outside_of_memory(link):
    """Symbols in sections without SHF_ALLOC count from 0."""
    ours, names = link.outcomes["xlink"].elf, symbols_that_differ(link)
    inside = [n for n in names if n in ours.homes and 0 < ours.homes[n][0] <= len(ours.sections) and
              not ours.sections[ours.homes[n][0] - 1][3] & 2]
    return "symbols in sections without SHF_ALLOC count from 0" if names and inside == names else None


def own_comment(link):
    """A .comment that the script places moves dot by its size, and xlink writes one."""
    ours, other = link.outcomes["xlink"].elf, link.outcomes["gnu"].elf
    names = symbols_that_differ(link, r"0x\w+ against 0x\w+")
    size = next((s[6] for s in ours.sections if s[0] == ".comment"), 0) if ours else 0
    if names and size and ".comment" in link.command.text and \
            all(ours.symbols[n] - other.symbols[n] == size for n in names):
        return "xlink writes a .comment of its own"
    return None


def counted_headers(link):
    """Everything is further on or back by whole program headers."""
    moved = [re.search(r": 0x(\w+).* against 0x(\w+)", line) for line in lines(link, "gnu")]
    if "SIZEOF_HEADERS" in link.command.text and moved and all(moved) and \
            all((int(m.group(1), 16) - int(m.group(2), 16)) % 32 == 0 for m in moved):
        return "another number of headers: no PT_NOTE is made without PHDRS"
    return None


def ordered_inputs(link):
    """Inputs without SHF_LINK_ORDER stand behind those that have it, as with lld."""
    places = [re.match(r"section \S+: (\S+ \S+) .* against (\S+ \S+) ", line)
              for line in lines(link, "gnu") if line.startswith("section")]
    if places and all(p and p.group(1) == p.group(2) for p in places) and \
            re.search(r',\s*"\w*o\w*"', link.test.text):
        return "where inputs without SHF_LINK_ORDER stand"
    return None


def read_by_script(link):
    """The symbols that expressions and data of a script read are kept, as with lld."""
    kept = [m[1] for m in (re.match(r"symbol (\S+): \S+ against none$", line)
                           for line in lines(link, "gnu")) if m]
    if "gc-sections" in " ".join(link.step.arguments) and \
            any(re.search(rf"\b{re.escape(name)}\b", link.command.text) for name in kept):
        return "--gc-sections keeps what scripts read, as with lld"
    return None


RULES = [lacking_linker, known_case, implicit_script, archive_order, said_so, more_syntax,
         hidden_symbols, common_symbols, outside_of_memory, own_comment, counted_headers, ordered_inputs,
         read_by_script]
