"""What xlink's messages are made of, for tools that recognise some of them."""
import re

# Options stand in brackets at the end of a warning: the one that makes it an error, the one that
# switches it off.
OPTIONS = re.compile(r" \[--[a-z-]+(?:, --[a-z-]+)*\]$")


def warning_text(line):
    """The text of a warning: without the program's name before it and the options behind it. None
    for any other line."""
    head = "xlink: warning: "
    return OPTIONS.sub("", line[len(head):]) if line.startswith(head) else None
