//===- ToolProcess.cpp ----------------------------------------------------===//
//
// Problem: a test wants to know which system calls the tool makes and how much
// memory it really used. A child's rusage cannot tell the latter: Linux counts
// the memory of the process that forked it, before exec, too.
//
// Method: the child is traced. At PTRACE_EVENT_EXIT its memory is still there,
// and VmHWM in /proc is that of the new image alone.
//
//===----------------------------------------------------------------------===//
#include "support/ToolProcess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xlink::test {

//===----------------------------------------------------------------------===//
// Directories
//===----------------------------------------------------------------------===//

TemporaryDirectory::TemporaryDirectory() {
  const char *base = getenv("TMPDIR");
  root = std::string(base && *base ? base : "/tmp") + "/xlink-test-XXXXXX";
  if (!mkdtemp(root.data()))
    ADD_FAILURE() << "no temporary directory: " << strerror(errno);
}

/// Files of a directory and of those in it, as paths below it.
static std::vector<std::string> namesIn(const std::string &directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator
           it(directory, error, /*follow_symlinks=*/false),
       end;
       it != end && !error; it.increment(error))
    if (it->type() != llvm::sys::fs::file_type::directory_file)
      names.push_back(it->path().substr(directory.size() + 1));
  std::sort(names.begin(), names.end());
  return names;
}

TemporaryDirectory::~TemporaryDirectory() {
  llvm::sys::fs::remove_directories(root);
}

void TemporaryDirectory::write(const std::string &name,
                               const Bytes &bytes) const {
  llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path(name)));
  FILE *f = fopen(path(name).c_str(), "wb");
  // The bytes of an empty file are nowhere.
  if (!f || (!bytes.empty() &&
             fwrite(bytes.data(), 1, bytes.size(), f) != bytes.size()))
    ADD_FAILURE() << path(name) << ": " << strerror(errno);
  if (f)
    fclose(f);
}

void TemporaryDirectory::write(const std::string &name,
                               const std::string &text) const {
  write(name, Bytes(text.begin(), text.end()));
}

bool TemporaryDirectory::exists(const std::string &name) const {
  struct stat st;
  return lstat(path(name).c_str(), &st) == 0;
}

std::string TemporaryDirectory::read(const std::string &name) const {
  std::string text;
  if (FILE *f = fopen(path(name).c_str(), "rb")) {
    char buffer[1 << 16];
    while (size_t n = fread(buffer, 1, sizeof buffer, f))
      text.append(buffer, n);
    fclose(f);
  }
  return text;
}

std::string TemporaryDirectory::list() const {
  std::string text;
  for (const std::string &name : namesIn(root))
    text += (text.empty() ? "" : " ") + name;
  return text;
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

static void setLimit(int what, uint64_t value) {
  rlimit limit{rlim_t(value), rlim_t(value)};
  if (value)
    setrlimit(decltype(RLIMIT_AS)(what), &limit);
}

/// In the child: becomes the tool. Only async-signal-safe calls.
[[noreturn]] static void becomeTool(const char *directory,
                                    std::vector<char *> &argv,
                                    const char *messages,
                                    const ToolLimits &limits) {
  int fd = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int null = open("/dev/null", O_RDONLY);
  if (fd < 0 || null < 0 || chdir(directory) != 0)
    _exit(126);
  dup2(null, 0);
  dup2(fd, 1);
  dup2(fd, 2);
  close(fd);
  close(null);
  setLimit(RLIMIT_AS, limits.addressSpace);
  setLimit(RLIMIT_CPU, limits.seconds);
  setLimit(RLIMIT_CORE, 0);
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0)
    raise(SIGSTOP);
  execv(argv[0], argv.data());
  _exit(127);
}

static uint64_t peakOf(pid_t pid) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/status", int(pid));
  uint64_t kilobytes = 0;
  if (FILE *f = fopen(name, "r")) {
    char line[256];
    while (fgets(line, sizeof line, f))
      if (sscanf(line, "VmHWM: %lu", &kilobytes) == 1)
        break;
    fclose(f);
  }
  return kilobytes << 10;
}

/// Follows the stopped child to its end, and whatever it has started.
static void observe(pid_t child, const ToolLimits &limits, ToolRun &run,
                    int &status, rusage &usage) {
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC |
                 PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                 PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL;
  ptrace(PTRACE_SETOPTIONS, child, nullptr, options);
  run.observed = true;
  const auto go = limits.countCalls ? PTRACE_SYSCALL : PTRACE_CONT;
  bool running = false;         // the tool's image, no longer the fork
  std::map<pid_t, bool> inCall; // a call has two stops
  ptrace(PTRACE_CONT, child, nullptr, 0);
  for (;;) {
    int now = 0;
    rusage used{};
    pid_t pid = wait4(-1, &now, __WALL, &used);
    if (pid < 0 && errno == EINTR)
      continue;
    if (pid < 0)
      return;
    if (WIFEXITED(now) || WIFSIGNALED(now)) {
      if (pid == child) {
        status = now;
        usage = used;
      }
      continue;
    }
    int signal = WSTOPSIG(now), event = now >> 16, pass = 0;
    if (signal == (SIGTRAP | 0x80)) {
      bool &inside = inCall[pid];
      inside = !inside;
      run.systemCalls += running && inside;
    } else if (event == PTRACE_EVENT_EXEC) {
      running = true;
      inCall[pid] = true; // execve's second stop is to come
    } else if (event == PTRACE_EVENT_EXIT) {
      if (pid == child)
        run.peakBytes = peakOf(pid);
    } else if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK ||
               event == PTRACE_EVENT_VFORK) {
      ++run.threads;
    } else if (signal != SIGSTOP && signal != SIGTRAP) {
      pass = signal;
    }
    ptrace(running ? go : PTRACE_CONT, pid, nullptr, pass);
  }
}

ToolRun runTool(const TemporaryDirectory &directory,
                std::vector<std::string> arguments, ToolLimits limits) {
  std::vector<std::string> words = {buildDirectory() + "/xlink"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  // Not among the files of the link.
  std::string messages = directory.name() + ".messages";

  ToolRun run;
  pid_t child = fork();
  if (child == 0)
    becomeTool(directory.name().c_str(), argv, messages.c_str(), limits);
  if (child < 0) {
    ADD_FAILURE() << "fork: " << strerror(errno);
    return run;
  }
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, WUNTRACED, &usage) < 0 && errno == EINTR)
    ;
  if (WIFSTOPPED(status))
    observe(child, limits, run, status, usage);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  auto seconds = [](const timeval &t) {
    return double(t.tv_sec) + double(t.tv_usec) / 1e6;
  };
  run.faults = uint64_t(usage.ru_minflt);
  run.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  if (FILE *f = fopen(messages.c_str(), "rb")) {
    char buffer[1 << 14];
    while (size_t n = fread(buffer, 1, sizeof buffer, f))
      run.messages.append(buffer, n);
    fclose(f);
  }
  unlink(messages.c_str());
  if (run.status == 126 || run.status == 127)
    ADD_FAILURE() << words.front() << " could not be run";
  return run;
}

} // namespace xlink::test
