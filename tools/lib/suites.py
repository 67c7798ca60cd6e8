"""Other linkers' tests, as commands that several linkers can be given.

Read are: tests of binutils (NAME.d with #source, #as and #ld, and what NAME.exp assembles, compiles
and links by itself), and tests for lit (RUN lines) that assemble, compile, split files, make archives
and link. Programs that look at outputs are passed over: outputs are compared with each other, not
with what the tests expect. So it does not matter for which targets a test is expected to pass.
"""
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field

import rv32

# Programs that read what was linked, or say nothing about links.
LOOKERS = {"FileCheck", "llvm-readelf", "llvm-readobj", "llvm-objdump", "llvm-nm", "llvm-dwarfdump",
           "count", "cmp", "diff", "grep", "cat", "ls", "od", "wc", "test", "llvm-size", "sed", "sort",
           "obj2yaml", "llvm-dis", "head", "tail", "tr", "awk", "true", "filecheck", "readelf",
           "objdump", "nm", "run", "size", "sleep", "chmod", "fgrep", "egrep", "[", "elfcopy"}
LIT_FILES = (".test", ".s", ".ll", ".c", ".cpp", ".lds")


@dataclass
class Step:
    """A command: its program's name, arguments, text of standard input, where its output goes."""
    name: str
    arguments: list
    fails: bool = False
    stdin: str = None
    redirect: str = None
    append: bool = False


@dataclass
class Test:
    name: str                    # path below the suite
    path: str
    steps: list = field(default_factory=list)
    reason: str = None           # why it is not tried

    @property
    def text(self):
        """Its own file and its sources."""
        home = os.path.dirname(self.path)
        paths = [self.path] + [os.path.join(home, re.sub("%[pS]", home, a))
                               for s in self.steps for a in s.arguments if a.endswith(".s")]
        return "\n".join(open(p, encoding="utf-8", errors="replace").read() for p in paths
                         if os.path.isfile(p))


def read_binutils(path, name):
    """The steps of a .d file: sources become dumpN.o, which are linked."""
    text = open(path, encoding="utf-8", errors="replace").read()
    head, lines = {}, re.findall(r"^#\s?(\w+):[ \t]*(.*)$", text, re.MULTILINE)
    for key, value in lines:
        head.setdefault(key, []).append(value.strip())
    test = Test(name, path)
    if "ld" not in head:
        test.reason = "no link"
        return test
    folder, inputs = os.path.dirname(path), []
    options = " ".join(head.get("as", []))
    for number, value in enumerate(head.get("source", [os.path.basename(path)[:-2] + ".s"])):
        source, *own = value.split()
        test.steps.append(Step("as", [*shlex.split(options), *own, os.path.join(folder, source), "-o",
                                      f"%T/dump{number}.o"]))
        inputs.append(f"%T/dump{number}.o")
    after = head.get("ld_after_inputfiles", [""])[0]
    for value in head["ld"][:1]:
        value = value.replace("$srcdir/$subdir", folder).replace("$srcdir", os.path.dirname(folder))
        value = re.sub(r"\$(BFD_ELF_)?\w+", "", value)
        test.steps.append(Step("link", [*shlex.split(value), *inputs, *shlex.split(after), "-o", "%T/out",
                                        "-L", folder], "error" in head))
    return test


def read_exp(path, name):
    """The steps that a .exp file takes outside of loops and conditions; None where it links nothing."""
    text = re.sub(r"\\\n\s*", " ", open(path, encoding="utf-8", errors="replace").read())
    folder = os.path.dirname(path)
    known = {"srcdir": os.path.dirname(folder), "subdir": os.path.basename(folder)}
    test = Test(name, path, [Step("mkdir", ["tmpdir"])])

    def value(word):
        return re.sub(r"\$(\w+)", lambda m: known.get(m[1], ""), word)

    for line in text.splitlines():
        variable = re.match(r'set (\w+) "([^"]*)"', line)
        if variable:
            known[variable[1]] = value(variable[2])
        for command, rest in re.findall(
                r'\[(ld_assemble|ld_compile|ld_link|run_host_cmd "\$ld")\s+([^\]]*)\]', line):
            given = [value(w.strip('"')) for w in re.findall(r'"[^"]*"|\S+', rest)]
            if command == "ld_assemble" and len(given) == 3:
                test.steps.append(Step("as", [given[1], "-o", given[2]]))
            elif command == "ld_compile" and len(given) == 3:
                test.steps.append(Step("clang", ["-c", given[1], "-o", given[2]]))
            elif command == "ld_link" and len(given) > 2:
                test.steps.append(Step("link", [*shlex.split(" ".join(given[2:])), "-o", given[1]]))
            elif command.startswith("run") and given:
                test.steps.append(Step("link", shlex.split(given[0])))
    return test if len(test.steps) > 1 and any(s.name == "link" for s in test.steps) else None


def run_lines(text):
    """The commands of RUN lines, continued ones joined."""
    lines, open_line = [], ""
    for line in re.findall(r"^.*?RUN:[ \t]*(.*)$", text, re.MULTILINE):
        open_line += line
        if open_line.endswith("\\"):
            open_line = open_line[:-1]
            continue
        lines.append(open_line)
        open_line = ""
    return lines


def words(line):
    """The words of a shell command, operators among them; a word in quotes is none."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)


def commands(line):
    """[[words of a stage] of a pipe] of each command."""
    result = [[[]]]
    for word in words(line):
        if word in ("&&", ";", "||"):
            result.append([[]])
        elif word == "|":
            result[-1].append([])
        else:
            result[-1][-1].append(word)
    return [[stage for stage in pipe if stage] for pipe in result]


def step_of(stage, stdin):
    """The step of one stage of a pipe; None: it only looks at what was linked."""
    redirect, append, arguments, at = None, False, [], 0
    while at < len(stage):
        word = stage[at]
        if word in (">", ">>"):
            if arguments and arguments[-1] in ("1", "2") and at:
                arguments.pop()
            redirect, append = stage[at + 1] if at + 1 < len(stage) else None, word == ">>"
            at += 1
        elif word in (">&", "<", "&>", "&"):
            if word == ">&" and arguments and arguments[-1] in ("1", "2"):
                arguments.pop()
            at += 1
        else:
            arguments.append(word)
        at += 1
    fails = False
    while arguments and (arguments[0] in ("not", "%not", "env", "--crash", "ulimit", "%python") or
                         re.match(r"\w+=", arguments[0])):
        fails |= arguments[0] in ("not", "%not")
        arguments.pop(0)
    if not arguments:
        return None
    name, *rest = arguments
    name = os.path.basename(name.lstrip("%"))
    return Step(name, rest, fails, stdin, redirect, append)


def read_lit(path, name):
    """The steps of a test for lit, or None where it has no RUN line."""
    text = open(path, encoding="utf-8", errors="replace").read()
    if "RUN:" not in text:
        return None
    test = Test(name, path)
    for line in run_lines(text):
        line = re.sub(r"%(clangopts|clangxxopts|clanggopts|linkopts|linkgopts|linkdriveropts)\b", "",
                      line)
        try:
            pipes = commands(line)
        except ValueError:
            test.steps.append(Step("?", []))
            continue
        for pipe in pipes:
            stdin = None
            for stage in pipe:
                step = step_of(stage, stdin)
                stdin = None
                if not step or step.name in LOOKERS:
                    continue
                if step.name in ("echo", "printf") and not step.redirect:
                    stdin = echoed(step)
                    continue
                test.steps.append(step)
    return test


def echoed(step):
    """What echo and printf write."""
    text = " ".join(a for a in step.arguments if a not in ("-e", "-n"))
    if step.name == "printf" or "-e" in step.arguments:
        text = text.replace("\\n", "\n").replace("\\t", "\t")
    return text + ("" if step.name == "printf" or "-n" in step.arguments else "\n")


def tests_below(folder):
    """The tests of a suite, in the order of their names."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in ("Inputs", ".git"))
        for file in sorted(files):
            path = os.path.join(where, file)
            name = os.path.relpath(path, folder)
            reader = read_binutils if file.endswith(".d") else read_exp if file.endswith(".exp") else \
                read_lit if file.endswith(LIT_FILES) else None
            test = reader and reader(path, name)
            if test:
                yield test


# --- inputs -------------------------------------------------------------------------------------

class Skipped(Exception):
    """A step cannot be taken; the text says why."""


def split_file(path, folder):
    """Writes the parts of a file, each behind a line that names it."""
    parts = re.split(r"^(?:#|//|;|--|<!--|/\*)?-{3} (\S+).*\n", open(path, encoding="utf-8", errors="replace",
                     newline="").read(), flags=re.MULTILINE)
    for name, text in zip(parts[1::2], parts[2::2]):
        target = os.path.join(folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8", newline="") as file:
            file.write(text)


class Tree:
    """The files of a test as one linker gets them, in a folder of its own."""

    def __init__(self, test, folder, tools, nyuzi, made):
        """`made` holds what the trees of one test have in common: objects, by their sources."""
        self.test, self.folder, self.tools, self.nyuzi = test, folder, tools, nyuzi
        self.made = made
        self.cwd, self.broken = folder, {}
        os.makedirs(folder, exist_ok=True)

    def text(self, word):
        """A word with lit's names replaced."""
        home = os.path.dirname(self.test.path)
        for name, value in (("%/s", self.test.path), ("%/S", home), ("%/p", home), ("%/t", "%t"),
                            ("%{/t:regex_replacement}", "%t"), ("%%", "%")):
            word = word.replace(name, value)
        word = re.sub(r"%t(?![a-z])", self.folder + "/t", word)
        word = re.sub(r"%t(?=mp|est)", self.folder + "/t", word)
        return re.sub(r"%([sSpT])(?![a-zA-Z])", lambda m: {"s": self.test.path, "T": self.folder}.get(
            m.group(1), home), word)

    def place(self, word):
        """The path that a word names."""
        path = os.path.join(self.cwd, self.text(word))
        return os.path.normpath(path)

    def inside(self, word):
        """The same, which must be of this tree."""
        path = self.place(word)
        if not path.startswith(self.folder + "/"):
            raise Skipped("writes outside of its folder")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def take(self, step):
        """Does a step that makes inputs."""
        action = getattr(self, "do_" + step.name.replace("-", "_").replace(".", "_"), None)
        if not action:
            raise Skipped(f"runs {step.name}")
        action(step)

    def do_echo(self, step):
        with open(self.inside(step.redirect), "a" if step.append else "w", encoding="utf-8") as file:
            file.write(self.text(echoed(step)))

    do_printf = do_echo

    def do_rm(self, step):
        for word in step.arguments:
            if not word.startswith("-"):
                path = self.inside(word) if self.place(word) != self.folder else None
                if path and os.path.isdir(path):
                    shutil.rmtree(path)
                elif path and os.path.lexists(path):
                    os.unlink(path)

    def do_mkdir(self, step):
        for word in step.arguments:
            if not word.startswith("-"):
                os.makedirs(self.inside(word), exist_ok=True)

    def do_touch(self, step):
        for word in step.arguments:
            open(self.inside(word), "ab").close()

    def do_cd(self, step):
        self.cwd = self.inside(step.arguments[0]) if self.place(step.arguments[0]) != self.folder \
            else self.folder
        os.makedirs(self.cwd, exist_ok=True)

    def do_cp(self, step):
        source, target = [w for w in step.arguments if not w.startswith("-")][:2]
        target = self.inside(target)
        if os.path.isdir(target):
            target = os.path.join(target, os.path.basename(self.place(source)))
        try:
            shutil.copyfile(self.place(source), target)
        except OSError as error:
            raise Skipped("copies what is not there") from error

    def do_split_file(self, step):
        folder = self.inside(step.arguments[1])
        os.makedirs(folder, exist_ok=True)
        split_file(self.place(step.arguments[0]), folder)

    def do_llvm_mc(self, step):
        options, source, output, words_left = [], None, None, list(step.arguments)
        on_x86 = bool(re.search(r"x86|i[36]86", " ".join(step.arguments)))
        while words_left:
            word = words_left.pop(0)
            if word == "-o":
                output = words_left.pop(0)
            elif word.startswith(("-I", "--I")):
                options += [word if len(word) > 2 else "-I" + self.place(words_left.pop(0))]
            elif re.match(r"--?defsym", word):
                value = word.partition("=")[2] or words_left.pop(0)
                options += ["--defsym", value]
            elif word in ("-g", "--compress-debug-sections"):
                options.append(word)
            elif word in ("-triple", "--triple", "-arch", "-mattr", "-mcpu", "-I"):
                words_left[:1] = []
            elif not word.startswith("-") or word == "-":
                source = word
        if not output:
            raise Skipped("assembles to nowhere")
        self.assemble(source, output, options, step.stdin, on_x86)

    def do_as(self, step):
        arguments = list(step.arguments)
        output = arguments.pop()
        arguments.pop()
        source = arguments.pop()
        options = [a for a in arguments if re.match(r"--defsym|\w+=|--compress", a)]
        self.assemble(source, output, options, None)

    def assemble(self, source, output, options, stdin, align_bytes=False):
        if stdin is None and source:
            try:
                with open(self.place(source), "rb") as file:
                    text = file.read()
            except OSError as error:
                raise Skipped("assembles what is not there") from error
        else:
            text = self.text(stdin or "").encode()
        home = os.path.dirname(self.place(source)) if source and source != "-" else self.cwd
        key = (text.replace(self.folder.encode(), b""), *options)
        self.make(output, key, lambda path: rv32.assemble(self.tools["as"], text, path, options,
                                                          (home,), align_bytes))

    def do_clang(self, step):
        output, options, sources, words_left = None, [], [], list(step.arguments)
        if "-c" not in words_left:
            raise Skipped("links through a compiler")
        while words_left:
            word = words_left.pop(0)
            if word == "-o":
                output = words_left.pop(0)
            elif word in ("-target", "--target", "-x", "-Xclang"):
                words_left.pop(0)
            elif word.startswith(("-flto", "-fpic", "-fPIC", "-fpie")):
                raise Skipped(f"compiled with {word}")
            elif re.match(r"-(f(no-)?(function-sections|data-sections|common)|O.?$|g$|D|std=|I)", word):
                options.append(word)
            elif not word.startswith("-"):
                sources.append(word)
        if len(sources) != 1:
            raise Skipped("compiles several files at once")
        source = self.place(sources[0])
        output = output or os.path.splitext(os.path.basename(source))[0] + ".o"
        if source.endswith((".s", ".S")):
            self.assemble(source, output, [], None)
        else:
            with open(source, "rb") as file:
                key = (file.read(), *options)
            self.make(output, key, lambda path: rv32.compile_c(self.tools["clang"], source, path,
                                                               options))

    do_clangxx = do_clang

    def make(self, output, key, maker):
        """Makes an object that the linker of this tree reads."""
        path = self.inside(output)
        if key not in self.made:
            try:
                maker(path)
                with open(path, "rb") as file:
                    self.made[key] = rv32.make_plain(file.read())
            except rv32.Unusable as error:
                self.made[key] = str(error)
        data = self.made[key]
        if isinstance(data, str):
            self.broken[path] = data
            raise Skipped(data)
        with open(path, "wb") as file:
            file.write(rv32.to_nyuzi(data) if self.nyuzi else data)

    def do_llvm_ar(self, step):
        arguments = [self.text(a) for a in step.arguments]
        for path in arguments[2:]:
            if os.path.join(self.cwd, path) in self.broken:
                self.broken[self.inside(arguments[1])] = "a member is not made"
                raise Skipped(self.broken[os.path.join(self.cwd, path)])
        self.inside(arguments[1])
        done = subprocess.run([self.tools["ar"], *arguments], cwd=self.cwd, capture_output=True,
                              check=False)
        if done.returncode:
            raise Skipped("ar refuses")

    do_ar = do_llvm_ar
