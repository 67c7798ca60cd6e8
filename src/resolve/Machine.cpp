//===- Machine.cpp --------------------------------------------------------===//
#include "resolve/Machine.h"
#include "base/ByteOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// The file's attributes section; empty: it has none.
static ArrayRef<uint8_t> attributesOf(const ParsedObject &object,
                                      uint32_t type) {
  if (type != 0)
    for (const ParsedSection &section : object.sections)
      if (section.type == type)
        return section.data();
  return {};
}

/// The headers of all inputs that name a machine.
static std::vector<InputHeader> headersOf(const Program &program) {
  std::vector<InputHeader> headers;
  for (const InputFile &file : program.files) {
    const ParsedObject &object = *file.object;
    if (!object.isBinary)
      headers.push_back({object.path, object.machine, object.flags,
                         object.osabi, object.cpu,
                         attributesOf(object, program.target->attributesType)});
  }
  return headers;
}

void configureMachine(Program &program, Diagnostics &diag) {
  const Target &target = *program.target;
  TargetOptions options;
  // Drivers tell LLVM of a cpu that is none of this machine's linker.
  if (!program.config.cpuForLLVM || !target.cpus.empty())
    options.cpu = program.config.cpu;
  for (const std::string &word : program.config.zKeywords) {
    if (is_contained(target.zKeywords, word))
      options.zKeywords.push_back(word);
    else
      diag.warn(WarningGroup::General,
                "unknown -z keyword '" + word + "' ignored");
  }
  for (const auto &[option, isBig] : program.config.byteOrders)
    if (isBig != target.isBig)
      diag.error("option '" + option + "' is for a " + orderName(isBig) +
                 " machine, but " + target.name + " is " +
                 orderName(target.isBig));
  const std::vector<InputHeader> headers = headersOf(program);
  std::vector<TargetMessage> messages;
  configure(target, options, headers, program.state, messages);
  for (TargetMessage &m : messages)
    switch (m.severity) {
    case TargetMessage::Mismatch:
      if (!program.config.warnMismatch)
        break;
      [[fallthrough]];
    case TargetMessage::Error:
      diag.error(std::move(m.text));
      break;
    case TargetMessage::Warning:
      diag.warn(WarningGroup::Flags, std::move(m.text));
      break;
    }
  if (target.symbolReader && program.config.strip == Strip::All &&
      program.output.format == OutputFormat::Elf)
    diag.warn(WarningGroup::General,
              std::string("-s leaves out .symtab, which ") +
                  target.symbolReader + " reads: it will not load the output");
}

void mergeAttributes(Program &program, Diagnostics &diag) {
  const uint32_t type = program.target->attributesType;
  if (type == 0)
    return;
  std::string firstFile;
  SmallVector<std::string, 2> seen; // the first one's, then those reported
  bool any = false;
  for (InputSection &s : program.sections) {
    if (s.discarded || !s.parsed || s.parsed->type != type)
      continue;
    std::optional<std::string> identity =
        program.target->attributesVendor
            ? attributesIdentity(*program.target, s.parsed->data())
            : std::string();
    const std::string file = program.fileName(s.file);
    if (!identity)
      diag.error(file + ":(" + s.parsed->name.str() +
                 "): malformed attributes");
    else if (seen.empty())
      firstFile = file;
    else if (!is_contained(seen, *identity) && program.config.warnMismatch)
      diag.warn(WarningGroup::Flags, "incompatible attributes: " + firstFile +
                                         " is for " + seen.front() + ", " +
                                         file + " is for " + *identity);
    if (identity && !is_contained(seen, *identity))
      seen.push_back(*identity);
    s.discarded = any;
    any = true;
  }
}

void dropStripped(Program &program) {
  if (program.config.strip == Strip::None)
    return;
  for (InputSection &s : program.sections)
    if (s.parsed && !(s.parsed->flags & ELF::SHF_ALLOC) &&
        (s.parsed->name.starts_with(".debug") ||
         s.parsed->name.starts_with(".zdebug") ||
         s.parsed->name.starts_with(".stab")))
      s.discarded = true;
}

} // namespace xlink
