//===- Side.cpp -----------------------------------------------------------===//
#include "inspect/Side.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

/// Symbols of one value; a damaged file may have one value for all.
constexpr std::ptrdiff_t kMostSymbolsAtAddress = 32;

Side::Side(const LinkedFile &file, const AtomTable &table)
    : file(file), table(table) {
  const Target &target = *file.target;
  state.machine = file.machine;
  state.flags = file.flags;
  const InputHeader header{file.name, file.machine, file.flags, file.osabi};
  std::vector<TargetMessage> ignored; // the link has reported them
  configure(target, {}, header, state, ignored);
  fill.append(state.codeFill.begin(), state.codeFill.end());
  // A finished file does not name the machine's core that it is for.
  for (const Cpu &cpu : target.cpus) {
    TargetOptions options;
    options.cpu = cpu.name;
    TargetState other;
    configure(target, options, header, other, ignored);
    fill.append(other.codeFill.begin(), other.codeFill.end());
  }
  for (const BaseSymbol &base : target.baseSymbols) {
    const auto found = find_if(file.symbols, [&](const ElfSymbol &s) {
      return s.name == base.name && s.section != LinkedFile::kUndefined;
    });
    bases.push_back(found == file.symbols.end() ? 0 : found->value);
  }
  if (!file.hasAddresses())
    return;
  for (uint32_t i = 1; i < file.sections.size(); ++i)
    if (file.sections[i].isLoaded() && file.sections[i].size)
      sectionsByAddress.push_back(i);
  stable_sort(sectionsByAddress, [&](uint32_t x, uint32_t y) {
    return file.sections[x].address < file.sections[y].address;
  });
  for (uint32_t i = 0; i < file.symbols.size(); ++i)
    if (!file.symbols[i].isMark() &&
        file.symbols[i].section != LinkedFile::kUndefined)
      symbolsByValue.push_back(i);
  stable_sort(symbolsByValue, [&](uint32_t x, uint32_t y) {
    return file.symbols[x].value < file.symbols[y].value;
  });
}

uint32_t Side::sectionAt(uint64_t address, bool atEnd) const {
  // A section that ends at an address begins below it.
  const uint64_t inside = address - (atEnd && address ? 1 : 0);
  const auto found = partition_point(sectionsByAddress, [&](uint32_t i) {
    return file.sections[i].address <= inside;
  });
  if (found == sectionsByAddress.begin())
    return kNoIndex;
  const ElfSection &section = file.sections[*std::prev(found)];
  return inside - section.address < section.size ? *std::prev(found) : kNoIndex;
}

uint32_t Side::atomAt(uint64_t address) const {
  const uint32_t section = sectionAt(address);
  return section == kNoIndex
             ? section
             : table.at(section, address - file.sections[section].address);
}

ArrayRef<uint8_t> Side::bytesOf(const Atom &atom) const {
  const ArrayRef<uint8_t> data = file.sections[atom.section].data;
  return data.empty() ? data : data.slice(atom.begin, atom.size);
}

ArrayRef<uint32_t> Side::symbolsAt(uint64_t address) const {
  const auto begin = partition_point(symbolsByValue, [&](uint32_t i) {
    return file.symbols[i].value < address;
  });
  auto end = begin;
  while (end != symbolsByValue.end() && file.symbols[*end].value == address &&
         end - begin < kMostSymbolsAtAddress)
    ++end;
  return ArrayRef(symbolsByValue)
      .slice(begin - symbolsByValue.begin(), end - begin);
}

ArrayRef<ElfRelocation> Side::relocations(uint32_t section, uint64_t from,
                                          uint64_t to) const {
  auto first = [&](uint64_t offset) {
    return partition_point(file.relocations,
                           [&](const ElfRelocation &r) {
                             return std::tie(r.section, r.offset) <
                                    std::tie(section, offset);
                           }) -
           file.relocations.begin();
  };
  const size_t begin = first(from);
  return ArrayRef(file.relocations)
      .slice(begin, std::max<size_t>(first(to), begin) - begin);
}

FieldTarget Side::targetOf(const ElfRelocation &relocation) const {
  FieldTarget to{relocation.symbol, relocation.addend, std::nullopt};
  const ElfSymbol *symbol =
      to.symbol == kNoIndex ? nullptr : &file.symbols[to.symbol];
  if (file.hasAddresses() &&
      (!symbol || symbol->section != LinkedFile::kCommon))
    to.address = (symbol ? symbol->value : 0) + uint64_t(relocation.addend);
  return to;
}

bool Side::isFill(const Atom &atom) const {
  if (atom.symbol != kNoIndex)
    return false;
  const bool code = file.sections[atom.section].isCode();
  return all_of(bytesOf(atom), [&](uint8_t byte) {
    return byte == 0 || (code && is_contained(fill, byte));
  });
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static std::string plus(StringRef name, uint64_t offset) {
  return name.str() + (offset ? "+" + hex(offset) : "");
}

std::string Side::whereText(uint32_t atom) const {
  auto nameOf = [&](uint32_t other) {
    const uint32_t symbol =
        other == kNoIndex ? other : table.atoms[other].symbol;
    return symbol == kNoIndex ? StringRef() : file.symbols[symbol].name;
  };
  if (const StringRef name = nameOf(table.before(atom)); !name.empty())
    return "behind " + name.str();
  if (const StringRef name = nameOf(table.behind(atom)); !name.empty())
    return "in front of " + name.str();
  return "";
}

std::string Side::placeText(uint64_t address) const {
  const uint32_t section = sectionAt(address);
  if (section == kNoIndex) {
    for (uint32_t symbol : symbolsAt(address))
      return file.symbols[symbol].name.str();
    return hex(address);
  }
  const uint64_t offset = address - file.sections[section].address;
  const uint32_t at = table.at(section, offset);
  if (at == kNoIndex || table.atoms[at].symbol == kNoIndex)
    return plus(file.sections[section].name, offset);
  const Atom &atom = table.atoms[at];
  return plus(file.symbols[atom.symbol].name, offset - atom.begin);
}

std::string Side::text(const FieldTarget &target) const {
  if (target.symbol != kNoIndex) {
    const ElfSymbol &symbol = file.symbols[target.symbol];
    const std::string name = !symbol.name.empty() || !symbol.isIn(file)
                                 ? symbol.name.str()
                                 : file.sections[symbol.section].name.str();
    if (!symbol.isMark() || !target.address)
      return target.addend < 0 ? name + "-" + hex(-uint64_t(target.addend))
                               : plus(name, target.addend);
  }
  return target.address ? placeText(*target.address) : "";
}

} // namespace xlink
