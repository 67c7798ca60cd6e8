"""The cases of testdata/scripts: what tools/compare-scripts says of their comments."""
import os, re, subprocess

from elfcompare import DATA, make_archive


def allowed(text):
    """Keys that may differ."""
    return {f"{kind} {name}" for kind, name in
            re.findall(r"/\* allow: (section|symbol) (\S+): .*? \*/", text)}


class Case:
    def __init__(self, name):
        self.name, self.path = name, os.path.join(DATA, name + ".ld")
        self.text = text = open(self.path).read()
        self.args = " ".join(re.findall(r"/\* args: (.*?) \*/", text)).split()
        self.files = (re.findall(r"/\* files: (.*?) \*/", text) or ["a b"])[0].split()
        self.archives = [x.split() for x in re.findall(r"/\* archive: (.*?) \*/", text)]
        self.fails = "/* fails */" in text
        self.only_xlink = "/* only xlink: " in text
        self.differs64 = "/* ELF64 differs: " in text
        self.classes = [32] if "/* only ELF32: " in text else [32, 64]

    def link(self, linker, folder, out, ar):
        """Status and messages of one link."""
        for name, *members in self.archives:
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))
            make_archive(ar, folder, name, members)
        try:
            r = subprocess.run(linker + ["-T", self.path, "-o", out] + self.args
                               + [f if "." in f else f + ".o" for f in self.files],
                               capture_output=True, text=True, cwd=folder, timeout=20)
        except subprocess.TimeoutExpired:
            return -1, "timeout"
        return r.returncode, r.stderr
