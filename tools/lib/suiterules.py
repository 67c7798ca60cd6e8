"""Why a link of another linker's test is not tried, and why xlink's result may differ."""
import re

# What linkers define without being asked, each its own.
OWN_SYMBOLS = {"__global_pointer$", "_GLOBAL_OFFSET_TABLE_", "__BSS_END__", "__SDATA_BEGIN__",
               "__DATA_BEGIN__", "__ehdr_start", "__executable_start", "_DYNAMIC"}

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


# What a linker says, and the reason for a result of its own. Those of xlink are documented in
# src/script/README.md and in --help.
SAID = {
    "xlink": [
        (r"does not fit the machine's address space", "addresses beyond 32 bits"),
        (r"would hold \d+ bytes of padding", "more than 128 MB of padding are refused"),
        (r"option '--noinhibit-exec' is not supported", "--noinhibit-exec is refused"),
        (r"option '.*' is not supported", "an option that is refused, with the reason in its message"),
        (r"will not fit in region", "what fits nowhere overflows its last region"),
        (r"(division|remainder of a division) by zero", "a division by zero is an error"),
        (r"Thread-local|thread-local", "TLS sections behind zeros are refused"),
    ],
    "gnu": [
        (r"did you forget -T\?", "GNU ld adds a script that is given without -T to its own"),
        (r"not found for insert", "INSERT of a section of the same file"),
        (r"cannot open linker script file", "GNU ld looks for INCLUDE in the -L before the script alone"),
        (r"not enough room for program headers", "GNU ld wants room for headers"),
        (r"cannot (change output format|represent machine)", "GNU ld for RISC-V has one output format"),
        (r"BFD .* assertion fail", "GNU ld fails in itself"),
        (r"need linked-to section for --gc-sections", "GNU ld refuses orphaned SHF_LINK_ORDER sections"),
        (r"may not be used without -shared", "--no-define-common has no effect"),
    ],
}


def said_so(link):
    """A linker's message tells the reason."""
    for name, texts in SAID.items():
        for pattern, reason in texts:
            if re.search(pattern, link.outcomes[name].said):
                return reason
    return None


def frame_index(link):
    """xlink makes no .eh_frame_hdr: no machine of its own has a reader of it."""
    if any("eh-frame-hdr" in a for a in link.step.arguments):
        return "--eh-frame-hdr has no effect"
    return None


def lines(link, name):
    """What differs from another linker's output where both accept."""
    ours, other = link.outcomes["xlink"], link.outcomes[name]
    return ours.differences(other) if ours.status == 0 and other.status == 0 else []


def hidden_symbols(link):
    """GNU ld leaves hidden symbols global; xlink and lld make them local."""
    names = [re.match(r"symbol (\S+): none against", line) for line in lines(link, "gnu")]
    sources = link.test.text + link.command.text
    if names and all(names) and all(
            re.search(rf"\.(hidden|internal)\s+{re.escape(n.group(1))}", sources) or
            n.group(1).startswith(("__start_", "__stop_")) for n in names):
        return "hidden symbols become local"
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


def both_choices(link):
    """The symbols of both choices of ?: are kept, as with lld."""
    if "--gc-sections" in link.step.arguments and "?" in link.command.text and lines(link, "gnu"):
        return "--gc-sections keeps what either choice of ?: names"
    return None


RULES = [lacking_linker, frame_index, said_so, hidden_symbols, counted_headers, ordered_inputs,
         both_choices]
