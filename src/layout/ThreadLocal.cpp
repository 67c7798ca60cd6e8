//===- ThreadLocal.cpp ----------------------------------------------------===//
#include "layout/ThreadLocal.h"
#include "layout/SectionTraits.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

void alignThreadLocal(
    Link &link, function_ref<uint64_t(const OutputSection &)> scriptAlign) {
  OutputSection *first = nullptr;
  for (const LayoutCommand &command : link.layout) {
    if (command.output == kNone || !link.outputs[command.output].kept ||
        !(link.outputs[command.output].traits & Tls))
      continue;
    OutputSection &out = link.outputs[command.output];
    if (!first)
      first = &out;
    uint64_t align = std::max(out.align, scriptAlign(out));
    for (SectionId id : out.members)
      if (link.sections[id].placed())
        align = std::max<uint64_t>(align, link.sections[id].align);
    first->align = std::max(first->align, align);
  }
}

std::optional<uint64_t> threadLocalBase(const Link &link) {
  for (const LayoutCommand &command : link.layout)
    if (command.output != kNone && link.outputs[command.output].kept &&
        (link.outputs[command.output].flags & ELF::SHF_TLS))
      return link.outputs[command.output].address;
  return std::nullopt;
}

} // namespace xlink
