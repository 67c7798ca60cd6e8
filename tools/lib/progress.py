"""Lines that say how far a long run is."""
import os
import sys
import time


class Progress:
    """Writes to standard error what is done, at most one line in some seconds."""

    def __init__(self, seconds=5):
        self.seconds, self.next = seconds, time.monotonic() + seconds

    def show(self, text):
        """Writes the text when it is time to."""
        if time.monotonic() >= self.next:
            print(f"{os.path.basename(sys.argv[0])}: {text} ...", file=sys.stderr, flush=True)
            self.next = time.monotonic() + self.seconds
