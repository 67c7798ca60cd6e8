//===- Side.cpp -----------------------------------------------------------===//
#include "inspect/Side.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

/// Symbols at one place; a damaged file may have them all there.
constexpr std::ptrdiff_t kMostNamesOfPlace = 32;

Side::Side(const LinkedFile &file, const ChunkTable &chunks,
           const PartTable *parts)
    : file(file), chunks(chunks), parts(parts) {
  const Target &target = *file.target;
  state.machine = file.machine;
  state.flags = file.flags;
  InputHeader header{file.name, file.machine, file.flags, file.osabi};
  std::vector<TargetMessage> ignored; // a link that is long done
  target.configure({}, header, state, ignored);
  fill.append(state.codeFill.begin(), state.codeFill.end());
  // A finished file does not say for which of the machine's cores it is.
  for (const char *cpu : target.cpus) {
    TargetOptions options;
    options.cpu = cpu;
    TargetState other;
    target.configure(options, header, other, ignored);
    fill.append(other.codeFill.begin(), other.codeFill.end());
  }
  for (const BaseSymbol &base : target.baseSymbols) {
    const auto found = find_if(file.symbols, [&](const LinkedFile::Symbol &s) {
      return s.name == base.name && s.section != LinkedFile::kUndefined;
    });
    bases.push_back(found == file.symbols.end() ? 0 : found->value);
  }
  if (file.hasAddresses()) {
    for (uint32_t i = 1; i < file.sections.size(); ++i)
      if (file.sections[i].isLoaded() && file.sections[i].size)
        sectionsByAddress.push_back(i);
    stable_sort(sectionsByAddress, [&](uint32_t x, uint32_t y) {
      return file.sections[x].address < file.sections[y].address;
    });
    for (uint32_t i = 0; i < file.symbols.size(); ++i)
      if (!isMark(file.symbols[i]) &&
          file.symbols[i].section != LinkedFile::kUndefined)
        symbolsByValue.push_back(i);
    stable_sort(symbolsByValue, [&](uint32_t x, uint32_t y) {
      return file.symbols[x].value < file.symbols[y].value;
    });
    for (uint32_t i : symbolsByValue)
      values.push_back(file.symbols[i].value);
  }
  firstRelocation.assign(file.sections.size() + 1, 0);
  for (const LinkedFile::Relocation &relocation : file.relocations)
    ++firstRelocation[relocation.section + 1];
  for (size_t i = 1; i < firstRelocation.size(); ++i)
    firstRelocation[i] += firstRelocation[i - 1];
}

uint32_t Side::sectionAt(uint64_t address, bool atEnd) const {
  // What ends at an address begins below it.
  const uint64_t inside = address - (atEnd && address ? 1 : 0);
  const auto found =
      std::upper_bound(sectionsByAddress.begin(), sectionsByAddress.end(),
                       inside, [&](uint64_t value, uint32_t i) {
                         return value < file.sections[i].address;
                       });
  if (found == sectionsByAddress.begin())
    return Pairs::kNone;
  const LinkedFile::Section &section = file.sections[*std::prev(found)];
  return inside - section.address < section.size ? *std::prev(found)
                                                 : Pairs::kNone;
}

ArrayRef<uint32_t> Side::symbolsAt(uint64_t address) const {
  const auto [begin, end] =
      std::equal_range(values.begin(), values.end(), address);
  return ArrayRef(symbolsByValue)
      .slice(begin - values.begin(), std::min(end - begin, kMostNamesOfPlace));
}

ArrayRef<LinkedFile::Relocation>
Side::relocations(uint32_t section, uint64_t from, uint64_t to) const {
  const auto all =
      ArrayRef(file.relocations)
          .slice(firstRelocation[section],
                 firstRelocation[section + 1] - firstRelocation[section]);
  auto below = [](const LinkedFile::Relocation &r, uint64_t offset) {
    return r.offset < offset;
  };
  const auto begin = std::lower_bound(all.begin(), all.end(), from, below);
  const auto end = std::lower_bound(begin, all.end(), to, below);
  return ArrayRef(begin, end);
}

uint32_t Side::constantAt(uint32_t section, uint64_t offset) const {
  const LinkedFile::Section &in = file.sections[section];
  if (in.isCode() || (in.flags & SHF_WRITE) || offset % kConstantBytes ||
      offset > in.data.size() || kConstantBytes > in.data.size() - offset)
    return 0;
  return support::endian::read32le(in.data.data() + offset);
}

static std::string plus(StringRef name, uint64_t offset) {
  return name.str() + (offset ? "+" + hex(offset) : "");
}

/// A place without a symbol, by its part or else by its section.
std::string Side::partText(uint32_t section, uint64_t offset) const {
  const PartTable::Place *place = parts ? parts->at(section, offset) : nullptr;
  if (!place || parts->isPadding(place->part))
    return plus(file.sections[section].name, offset);
  return plus(parts->text(place->part), offset - place->begin);
}

bool Side::isFill(const Chunk &chunk) const {
  if (chunk.symbol != Pairs::kNone)
    return false;
  if (chunk.part != Pairs::kNone)
    return parts->isPadding(chunk.part);
  const LinkedFile::Section &section = file.sections[chunk.section];
  const ArrayRef<uint8_t> bytes =
      section.data.empty() ? section.data
                           : section.data.slice(chunk.begin, chunk.size);
  return all_of(bytes, [&](uint8_t byte) {
    return byte == 0 || (section.isCode() && is_contained(fill, byte));
  });
}

std::string Side::whereText(uint32_t chunk) const {
  const Chunk &of = chunks.chunks[chunk];
  if (of.part != Pairs::kNone && !parts->isPadding(of.part))
    return "in " + partText(of.section, of.begin);
  auto name = [&](uint32_t other) {
    return file.symbols[chunks.chunks[other].symbol].name.str();
  };
  const uint32_t before = chunks.before(chunk), behind = chunks.behind(chunk);
  if (before != Pairs::kNone && chunks.chunks[before].symbol != Pairs::kNone)
    return "behind " + name(before);
  if (behind != Pairs::kNone && chunks.chunks[behind].symbol != Pairs::kNone)
    return "in front of " + name(behind);
  return "";
}

std::string Side::placeText(uint64_t address) const {
  const uint32_t section = sectionAt(address);
  if (section == Pairs::kNone) {
    for (uint32_t symbol : symbolsAt(address))
      return file.symbols[symbol].name.str();
    return hex(address);
  }
  const uint64_t offset = address - file.sections[section].address;
  const uint32_t at = chunks.at(section, offset);
  if (at == Pairs::kNone)
    return plus(file.sections[section].name, offset);
  if (chunks.chunks[at].symbol == Pairs::kNone)
    return partText(section, offset);
  const Chunk &chunk = chunks.chunks[at];
  return plus(file.symbols[chunk.symbol].name, offset - chunk.begin);
}

std::string Side::text(const Reference &reference) const {
  if (reference.symbol != Pairs::kNone) {
    const LinkedFile::Symbol &symbol = file.symbols[reference.symbol];
    const std::string name = !symbol.name.empty() || !symbol.isIn(file)
                                 ? symbol.name.str()
                                 : file.sections[symbol.section].name.str();
    if (!isMark(symbol) || !reference.address)
      return reference.addend < 0
                 ? name + "-" + hex(-uint64_t(reference.addend))
                 : plus(name, reference.addend);
  }
  return reference.address ? placeText(*reference.address) : "";
}

} // namespace xlink
