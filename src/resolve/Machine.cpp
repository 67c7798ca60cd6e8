//===- Machine.cpp --------------------------------------------------------===//
#include "resolve/Machine.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

void configureMachine(Link &link) {
  const Target &target = *link.target;
  TargetOptions options;
  options.cpu = link.config.cpu;
  for (const std::string &word : link.config.zKeywords) {
    bool known = false;
    for (const char *own : target.zKeywords)
      known |= word == own;
    if (known)
      options.zKeywords.push_back(word);
    else
      link.diag.warn(WarningGroup::General,
                     "unknown -z keyword '" + word + "' ignored");
  }
  std::vector<InputHeader> headers;
  for (const InputFile &file : link.files)
    headers.push_back({file.object->path, file.object->machine,
                       file.object->flags, file.object->osabi});
  link.state.machine = target.machines.front();
  std::vector<TargetMessage> messages;
  if (target.configure)
    target.configure(options, headers, link.state, messages);
  for (TargetMessage &m : messages) {
    if (m.severity == TargetMessage::Error)
      link.diag.error(std::move(m.text));
    else
      link.diag.warn(WarningGroup::Flags, std::move(m.text));
  }
}

void mergeAttributes(Link &link) {
  const uint32_t type = link.target->attributesType;
  if (type == 0)
    return;
  std::string first, firstFile;
  bool seen = false;
  for (InputSection &s : link.sections) {
    if (s.discarded || !s.parsed || s.parsed->type != type)
      continue;
    std::optional<std::string> identity =
        link.target->attributesIdentity
            ? link.target->attributesIdentity(s.parsed->data)
            : std::string();
    std::string file = link.fileName(s.file);
    if (!identity)
      link.diag.error(file + ":(" + s.parsed->name.str() +
                      "): malformed attributes");
    else if (!seen)
      first = *identity;
    else if (*identity != first)
      link.diag.error("incompatible attributes: " + firstFile + " is for " +
                      first + ", " + file + " is for " + *identity);
    if (seen)
      s.discarded = true;
    else
      firstFile = file;
    seen = true;
  }
}

void dropStripped(Link &link) {
  if (link.config.strip == Strip::None)
    return;
  for (InputSection &s : link.sections)
    if (s.parsed && !(s.parsed->flags & ELF::SHF_ALLOC) &&
        (s.parsed->name.starts_with(".debug") ||
         s.parsed->name.starts_with(".zdebug") ||
         s.parsed->name.starts_with(".stab")))
      s.discarded = true;
}

} // namespace xlink
