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


RULES = [lacking_linker]
