//===- DebugCompression.cpp - --compress-debug-sections -------------------===//
//
// Problem: debugging information is most of a file, and nobody loads it.
//
// Method: where a section's bytes stand in the file depends on how many those
// in front of it are. So sections that only describe the program are rendered
// and compressed before the file is laid out, each by a thread of its own; the
// file then holds these bytes (gABI, "Compressed sections"). In all else the
// sections are what they were: for scripts and maps they have the size that
// they have for debuggers. What is not smaller compressed stays as it is
// (GNU ld).
//
// Cost: debugging sections are held in memory and rendered twice: what their
// relocations have to say is said when all others' is.
//
//===----------------------------------------------------------------------===//
#include "output/DebugCompression.h"
#include "output/Relocator.h"
#include "output/SectionBytes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Compression.h"
#include <cstring>

using namespace llvm;

namespace xlink {

static bool isCompressible(const OutputView &out) {
  return out.hasBytes() && !out.isAlloc() &&
         StringRef(out.name).starts_with(".debug_");
}

/// The header in front of the compressed bytes.
template <class ELFT>
static std::vector<uint8_t> headerOf(const OutputView &out, uint32_t type) {
  typename ELFT::Chdr header;
  std::memset(&header, 0, sizeof(header));
  header.ch_type = type;
  header.ch_size = out.size;
  header.ch_addralign = out.align;
  std::vector<uint8_t> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

/// A section compressed, with its header; nothing where that is no gain.
static std::vector<uint8_t> compressed(const Link &link, const OutputView &out,
                                       ArrayRef<uint8_t> bytes) {
  const bool zstd = link.program.config.compressDebug == DebugCompression::Zstd;
  const uint32_t type = zstd ? ELF::ELFCOMPRESS_ZSTD : ELF::ELFCOMPRESS_ZLIB;
  std::vector<uint8_t> result = link.program.target->is64
                                    ? headerOf<object::ELF64LE>(out, type)
                                    : headerOf<object::ELF32LE>(out, type);
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
  if (link.program.config.compressDebug == DebugCompression::None ||
      link.program.output.format != OutputFormat::Elf)
    return result;
  IdVector<OutputId, bool> wanted(link.placement.outputs.size());
  IdVector<OutputId, std::vector<uint8_t>> bytes(wanted.size());
  std::vector<OutputId> ids;
  Size total;
  for (const OutputView &out : link.outputsInOrder())
    if (isCompressible(out)) {
      wanted[out.id] = true;
      ids.push_back(out.id);
      total += out.size;
    }
  const Relocator relocator(link, values);
  const SectionBytes sections(link, values, wanted, relocator);
  // A layout with such gaps or members is an error that the writer reports.
  if (sections.stray() || sections.padding() > kMaxPadding)
    return result;
  for (OutputId id : ids)
    bytes[id].resize(link.output(id).size);
  const std::vector<FileChunk> &chunks = sections.chunks();
  link.program.parallel.forEach(chunks.size(), total, [&](size_t i) {
    const FileChunk &chunk = chunks[i];
    RelocationProblems reportedLater;
    sections.render(chunk,
                    MutableArrayRef<uint8_t>(bytes[chunk.output])
                        .slice(chunk.begin, chunk.end - chunk.begin),
                    reportedLater);
  });
  link.program.parallel.forEach(ids.size(), total, [&](size_t i) {
    bytes[ids[i]] = compressed(link, link.output(ids[i]), bytes[ids[i]]);
  });
  for (OutputId id : ids)
    if (!bytes[id].empty())
      result.emplace(id, std::move(bytes[id]));
  return result;
}

} // namespace xlink
