//===- DebugCompression.cpp - --compress-debug-sections -------------------===//
//
// Problem: debugging information is most of a file, and is not loaded.
//
// Method: the place of a section in the file depends on the sizes of those in
// front of it. So debugging sections are rendered and compressed before the
// file is laid out, each by a thread of its own; the file then holds these
// bytes (gABI, "Compressed sections"). Scripts and maps show the uncompressed
// sizes. A section that is not smaller compressed stays as it is (GNU ld).
//
// Cost: debugging sections are held in memory and rendered twice: errors of
// their relocations are reported with all others'.
//
//===----------------------------------------------------------------------===//
#include "base/ByteOrder.h"
#include "output/FileLayout.h"
#include "output/Relocator.h"
#include "output/SectionBytes.h"
#include "llvm/Support/Compression.h"

using namespace llvm;

namespace xlink {

/// A section compressed, with its header; empty where that is no gain.
static std::vector<uint8_t> compressed(const Link &link, const OutputView &out,
                                       ArrayRef<uint8_t> bytes) {
  const bool zstd = link.program.config.compressDebug == DebugCompression::Zstd;
  const Target &target = *link.program.target;
  std::vector<uint8_t> result(elfSizes(target.is64).compression);
  RecordWriter header(result.data(), target.is64, target.isBig);
  header.number(zstd ? ELF::ELFCOMPRESS_ZSTD : ELF::ELFCOMPRESS_ZLIB);
  if (target.is64)
    header.number(0); // ch_reserved
  header.word(out.size);
  header.word(out.align);
  SmallVector<uint8_t, 0> packed;
  if (zstd)
    compression::zstd::compress(bytes, packed);
  else
    compression::zlib::compress(bytes, packed);
  if (result.size() + packed.size() >= bytes.size())
    return {};
  result.insert(result.end(), packed.begin(), packed.end());
  return result;
}

CompressedSections compressDebugSections(const Link &link,
                                         const SymbolValues &values) {
  CompressedSections result;
  const Program &program = link.program;
  if (program.config.compressDebug == DebugCompression::None ||
      program.output.format != OutputFormat::Elf)
    return result;
  IdVector<OutputId, bool> wanted(link.placement.outputs.size());
  std::vector<OutputId> ids;
  for (const OutputView &out : link.outputsInOrder())
    if (out.hasBytes() && !out.isAlloc() &&
        StringRef(out.name).starts_with(".debug_")) {
      wanted[out.id] = true;
      ids.push_back(out.id);
    }
  const Relocator relocator(link, values);
  const SectionBytes sections(link, values, wanted, relocator);
  // A layout with such gaps or members is an error that the writer reports.
  if (!sections.strayMember().empty() || sections.padding() > kMaxPadding)
    return result;
  std::vector<std::vector<uint8_t>> packed(ids.size());
  program.parallel.forEach(ids.size(), program.inputBytes, [&](size_t i) {
    const OutputView out = link.output(ids[i]);
    std::vector<uint8_t> bytes(out.size);
    RelocationProblems reportedLater;
    for (const FileChunk &chunk : sections.chunks())
      if (chunk.output == out.id)
        sections.render(chunk,
                        MutableArrayRef<uint8_t>(bytes).slice(
                            chunk.begin, chunk.end - chunk.begin),
                        reportedLater);
    packed[i] = compressed(link, out, bytes);
  });
  for (auto [id, bytes] : zip(ids, packed))
    if (!bytes.empty())
      result.emplace(id, std::move(bytes));
  return result;
}

} // namespace xlink
