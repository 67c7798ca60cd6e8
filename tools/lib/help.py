"""The answer of tools that do not use argparse to -h and --help."""
import os
import sys


def answer_help(text):
    """Prints the text, a tool's own description, and ends the process with 0 when an argument
    is -h or --help. To be called before anything that needs inputs or other programs."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        try:
            print(text.strip())
            sys.stdout.flush()
        except BrokenPipeError:  # the reader has enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
