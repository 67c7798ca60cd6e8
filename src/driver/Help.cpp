//===- Help.cpp - the texts of --help and --version -----------------------===//
//
// Everything here is read from the option table and the machines.
// Some lines are there for programs that ask linkers questions: libtool looks
// for "supported targets:.* elf" in --help, and build systems for "GNU" in the
// version.
//
//===----------------------------------------------------------------------===//

#include "arch/Target.h"
#include "driver/Options.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {
namespace {

constexpr size_t column = 30;
constexpr size_t lineLength = 80;

/// By OptionGroup.
constexpr const char *kGroupTitles[] = {
    "Input", "Output", "Symbols", "Layout", "Reports", "Messages", "Running"};
static_assert(std::size(kGroupTitles) == size_t(OptionGroup::Count_));

/// Appends `text` from `indent` on, breaking lines between words. The current
/// line is `used` long.
void wrap(std::string &out, StringRef text, size_t indent, size_t used) {
  if (used + 1 > indent) {
    out += '\n';
    used = 0;
  }
  out.append(indent - used, ' ');
  size_t at = indent;
  while (!text.empty()) {
    auto [word, rest] = text.split(' ');
    if (at != indent && at + 1 + word.size() > lineLength) {
      out += '\n';
      out.append(indent, ' ');
      at = indent;
    } else if (at != indent) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
    text = rest;
  }
  out += '\n';
}

void line(std::string &out, const std::string &left, StringRef text) {
  out += "  " + left;
  wrap(out, text, column, left.size() + 2);
}

/// One spelling with its value: "-o FILE", "--output=FILE".
std::string show(StringRef word, StringRef value, bool negatable) {
  bool optional = word.consume_back("[=]");
  bool takes = !optional && (word.consume_back("=?") || word.consume_back("="));
  std::string text =
      negatable && word.size() > 1 ? "--[no-]" + word.str() : dashed(word);
  if (takes)
    text.append(word.size() == 1 ? " " : "=").append(value);
  else if (optional && !value.empty())
    text.append(word.size() == 1 ? "[" : "[=").append(value).append("]");
  return text;
}

/// Letters first: "-o FILE, --output=FILE".
std::string showAll(const Option &option, bool negatable) {
  std::string letters, names;
  for (StringRef word : split(option.spellings, ' ')) {
    std::string text = show(word, option.value, negatable);
    std::string &list =
        word.take_front(word.find_first_of("[=")).size() > 1 ? names : letters;
    list += (list.empty() ? "" : ", ") + text;
  }
  if (letters.empty() || names.empty())
    return letters + names;
  return letters + ", " + names;
}

/// Lists options and words of -z that share a reason, once for each reason.
void listByReason(std::string &out, OptionStatus status) {
  MapVector<StringRef, std::string> reasons;
  for (const Option &option : optionTable())
    if (option.status == status)
      for (StringRef word : split(option.spellings, ' '))
        reasons[option.text] +=
            " " + dashed(word.take_front(word.find_first_of("[=")));
  // A no-break stand-in, so that the word stays with its -z.
  for (const ZKeyword &keyword : zKeywordTable())
    if (keyword.status == status)
      reasons[keyword.text] +=
          " -z\x01" + StringRef(keyword.name).rtrim('=').str();
  for (const auto &[reason, list] : reasons) {
    wrap(out, reason.str() + ":", 2, 0);
    const size_t start = out.size();
    wrap(out, StringRef(list).ltrim(), 6, 0);
    std::replace(out.begin() + start, out.end(), '\x01', ' ');
  }
}

} // namespace

std::string helpText(bool all, ArrayRef<std::string> files) {
  std::string out = "Usage: xlink [options] file...\n"
                    "Links ELF objects and archives into an executable.\n"
                    "\n"
                    "Long options may be written with one dash, except those "
                    "that begin with o;\n"
                    "@FILE stands for the arguments in FILE. What compiler "
                    "drivers hand on stands\n"
                    "for itself: -Wl,A,B and -Wm,A,B for A and B, -Xlinker A "
                    "and -Xmapper A for A.\n";
  ArrayRef<Option> table = optionTable().drop_front();
  for (size_t g = 0; g != size_t(OptionGroup::Count_); ++g) {
    out += std::string("\n") + kGroupTitles[g] + ":\n";
    for (size_t i = 0; i != table.size(); ++i) {
      const Option &option = table[i];
      if (option.group != OptionGroup(g) || option.text.empty() ||
          option.status != OptionStatus::Supported)
        continue;
      bool negatable = i + 1 != table.size() && table[i + 1].text.empty();
      line(out, showAll(option, negatable), option.text);
      if (option.name() != "z")
        continue;
      for (const ZKeyword &keyword : zKeywordTable())
        if (keyword.status == OptionStatus::Supported) {
          std::string name(keyword.name);
          line(out, "-z " + name + (name.back() == '=' ? "N" : ""),
               keyword.text);
        }
    }
  }
  if (!all) {
    out +=
        "\nOptions that are accepted and ignored, and those that are refused: "
        "--help-all.\n";
  } else {
    out += "\nAccepted and ignored:\n";
    listByReason(out, OptionStatus::Ignored);
    out += "\nRefused:\n";
    listByReason(out, OptionStatus::Refused);
  }

  out += "\nMachines (-m):\n";
  for (const Target *target : allTargets()) {
    std::string names = target->name;
    for (const char *alias : target->aliases)
      names += std::string(", ") + alias;
    line(out, names, target->description);
    auto list = [&](std::string text, ArrayRef<const char *> words) {
      for (const char *word : words)
        text += std::string(" ") + word;
      if (!words.empty())
        wrap(out, text, column, 0);
    };
    std::vector<const char *> cpus;
    for (const Cpu &cpu : target->cpus)
      cpus.push_back(cpu.name);
    list("--mcpu:", cpus);
    list("-z:", target->zKeywords);
  }
  if (!files.empty())
    wrap(out, "Machine files: " + join(files, ", "), 2, 0);
  out += "\nxlink: supported targets: elf32-little elf64-little\n";
  return out;
}

std::string versionText() {
  return "xlink " XLINK_VERSION " (compatible with GNU linkers)\n";
}

std::string machinesText(ArrayRef<std::string> files) {
  std::string out = "  Supported machines:\n";
  for (const Target *target : allTargets())
    out += std::string("   ") + target->name + "\n";
  for (const std::string &file : files)
    out += "   " + file + "\n";
  return out;
}

} // namespace xlink
