//===- SymbolTableWriter.cpp ----------------------------------------------===//
#include "output/SymbolTableWriter.h"
#include "output/Relocatable.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include <cstring>

using namespace llvm;
using namespace llvm::object;

namespace xlink {

namespace {

/// A symbol as it goes into the table.
struct Entry {
  StringRef name;
  uint64_t value, size;
  uint8_t info, other;
  uint32_t section; ///< header index, or a reserved SHN_ value
  bool reserved;    ///< `section` is such a value
};

class Builder {
public:
  Builder(const Link &link, const SymbolValues &values,
          const IdVector<OutputId, uint32_t> &headers, bool wantIndices)
      : link(link), program(link.program), values(values), headers(headers),
        wantIndices(wantIndices), relocatable(link.program.config.relocatable) {
  }
  SymbolTableBytes build();

private:
  void findNeighbours();
  void findNeeded();
  void collectSections(SymbolTableBytes &bytes);
  void collectLocals();
  void collectGlobals();
  /// --keep-symbol: whatever else leaves it out.
  bool keeps(StringRef name) const {
    return any_of(program.config.keepSymbols, [&](StringRef pattern) {
      return globMatch({pattern, true}, name);
    });
  }
  /// Whether options leave it in where nothing says more of its kind.
  bool retains(StringRef name) const {
    return program.config.strip != Strip::All &&
           (!program.retained || program.retained->contains(name));
  }
  bool isNeeded(const InputFile &file, uint32_t symbol) const {
    return !neededLocals.empty() && neededLocals[file.symbolBase + symbol];
  }
  bool isNeeded(SymbolId id) const {
    return neededGlobals.size() && neededGlobals[id];
  }
  bool takesPart(const InputFile &file) const;
  bool isInOutput(const InputFile &file, const ParsedSymbol &sym) const;
  bool keepLocal(const InputFile &file, uint32_t index) const;
  void place(Entry &e, OutputId out) const;
  void countFromTemplate();
  void countFromSections();
  template <class ELFT> void emit(SymbolTableBytes &bytes) const;

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const IdVector<OutputId, uint32_t> &headers;
  const bool wantIndices, relocatable;
  /// What relocations and the like refer to: locals by symbolBase + index.
  std::vector<bool> neededLocals;
  IdVector<SymbolId, bool> neededGlobals;
  IdVector<OutputId, uint32_t> nearest; ///< see findNeighbours
  struct List {
    std::vector<Entry> entries;
    std::vector<uint64_t> keys; ///< Program::symbolKey of each, on request
  };
  void add(List &list, const Entry &entry, uint64_t key) {
    list.entries.push_back(entry);
    if (wantIndices)
      list.keys.push_back(key);
  }
  std::vector<uint32_t> indices() const;
  List sections; ///< without keys
  List locals, globals;
};

} // namespace

/// For symbols in sections that are not in the output: the nearest one that is,
/// the one before it, or else the one behind it; 0: there is none.
void Builder::findNeighbours() {
  nearest.resize(headers.size());
  uint32_t before = 0;
  std::vector<OutputId> first; // nothing stands before them
  for (const OutputView &out : link.outputsInOrder()) {
    if (headers[out.id] && out.isAlloc()) {
      before = headers[out.id];
      for (OutputId id : first)
        nearest[id] = before;
      first.clear();
    } else if (before) {
      nearest[out.id] = before;
    } else {
      first.push_back(out.id);
    }
  }
}

/// Sets the section index; a symbol in a section that is not in the output goes
/// to the nearest one that is (GNU ld), its value is an address all the same.
void Builder::place(Entry &e, OutputId out) const {
  e.section = headers[out] ? headers[out] : nearest[out];
  if (e.section)
    return;
  e.section = ELF::SHN_ABS;
  e.reserved = true;
}

/// By Program::symbolKey, what must be in the table whatever options say.
void Builder::findNeeded() {
  if (!program.config.keepsRelocations())
    return;
  neededLocals.assign(program.symbolIds.size(), false);
  neededGlobals.assign(program.symbols.size(), false);
  forEachNeededSymbol(link, [&](FileId f, uint32_t symbol) {
    const uint64_t key = program.symbolKey(f, symbol);
    if (key & Program::kLocalKey)
      neededLocals[uint32_t(key)] = true;
    else
      neededGlobals[SymbolId(key)] = true;
  });
}

/// Whether the section of a local symbol is in the output.
bool Builder::isInOutput(const InputFile &file, const ParsedSymbol &sym) const {
  const SectionView s = link.section(file.sectionBase + sym.section);
  if (!s.placed() && s.merge == kNone)
    return false;
  return !s.discarded && s.live && s.output != kNone &&
         !link.isDeadPiece(file.sectionBase + sym.section, sym.value);
}

bool Builder::keepLocal(const InputFile &file, uint32_t index) const {
  const ParsedSymbol &sym = file.object->symbols[index];
  if (sym.type == ELF::STT_SECTION || sym.name.empty() ||
      sym.place == SymbolPlace::Undefined ||
      (sym.place == SymbolPlace::Section && !isInOutput(file, sym)))
    return false;
  if (isNeeded(file, index) || keeps(sym.name))
    return true;
  const Config &config = program.config;
  if (!retains(sym.name) ||
      (config.discard == Discard::All && sym.type != ELF::STT_FILE))
    return false;
  const bool temporary = sym.name.starts_with(".L");
  if (temporary && config.discard == Discard::Locals)
    return false;
  if (sym.place != SymbolPlace::Section)
    return true;
  const ParsedSection &home =
      *program.sections[file.sectionBase + sym.section].parsed;
  if (temporary && config.discard == Discard::Default && !relocatable &&
      (home.flags & ELF::SHF_MERGE))
    return false;
  return config.strip != Strip::Debug || (home.flags & ELF::SHF_ALLOC);
}

/// The output sections' own symbols, in the order of their headers.
void Builder::collectSections(SymbolTableBytes &bytes) {
  if (!program.config.keepsRelocations())
    return;
  bytes.sections.assign(headers.size(), 0);
  for (const OutputView &out : link.outputsInOrder()) {
    if (!headers[out.id])
      continue;
    sections.entries.push_back({"", out.address.wrapped(), 0, ELF::STT_SECTION,
                                0, headers[out.id], false});
    bytes.sections[out.id] = uint32_t(sections.entries.size());
  }
}

/// Whether anything of a file is in the output: local symbols of one that was
/// collected as a whole, its name too, describe nothing (GNU ld).
bool Builder::takesPart(const InputFile &file) const {
  for (uint32_t i = 1; i < file.object->sections.size(); ++i)
    if (link.placed(file.sectionBase + i))
      return true;
  return false;
}

void Builder::collectLocals() {
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    const ParsedObject &object = *file.object;
    const bool present = !program.config.gcSections || takesPart(file);
    for (uint32_t i = 1; i < object.symbols.size(); ++i) {
      const ParsedSymbol &sym = object.symbols[i];
      if (!present || sym.binding != ELF::STB_LOCAL || !keepLocal(file, i))
        continue;
      Entry e{sym.name,  values.address[file.symbolBase + i],
              sym.size,  uint8_t(sym.type),
              sym.other, 0,
              false};
      if (sym.place == SymbolPlace::Section) {
        place(e,
              link.placement.sections[file.sectionBase + sym.section].output);
      } else {
        e.section = ELF::SHN_ABS;
        e.reserved = true;
      }
      add(locals, e, Program::kLocalKey | (file.symbolBase + i));
    }
  }
}

/// Globals as inputs mention them first, then as the script assigns them, then
/// the linker's own. When names were entered into the symbol table depends on
/// where the script came from, and the output should not.
static std::vector<SymbolId> globalOrder(const Link &link) {
  const SymbolTable &symbols = link.program.symbols;
  std::vector<SymbolId> byMention(symbols.size(), kNone), order;
  IdVector<SymbolId, bool> seen(symbols.size());
  auto add = [&](SymbolId id) {
    if (id != kNone && !seen[id])
      order.push_back(id);
    if (id != kNone)
      seen[id] = true;
  };
  order.reserve(symbols.size());
  for (SymbolId id : symbols.ids())
    if (const Symbol &s = symbols[id]; s.file != kNone && s.order != kNone)
      byMention[s.order] = id;
  for (SymbolId id : byMention)
    add(id);
  link.placement.forEachAssignment(
      [&](const AssignmentCommand &a) { add(symbols.find(a.name)); });
  for (SymbolId id : symbols.ids())
    add(id);
  return order;
}

/// Whether a reference that nothing satisfies is in the table: a weak one stays
/// visible as such. What another program lacks says nothing of this one. In a
/// relocatable output it is all that the next link has to go by.
static bool showsUndefined(const Program &program, const Symbol &s,
                           bool needed) {
  if (program.config.relocatable)
    return s.referenced || needed;
  return s.referenced && s.file != kNone &&
         !program.files[s.file].object->justSymbols;
}

void Builder::collectGlobals() {
  for (SymbolId id : globalOrder(link)) {
    const BoundSymbol s = link.symbol(id);
    // -s leaves an object the names by which others know it (GNU ld).
    const bool stays = relocatable && !program.retained;
    if (!stays && !retains(s.name) && !keeps(s.name) && !isNeeded(id))
      continue;
    Entry e{s.name,  values.globals[id], s.size, uint8_t(s.type),
            s.other, ELF::SHN_UNDEF,     true};
    const bool hidden = s.hidden || s.visibility == ELF::STV_HIDDEN ||
                        s.visibility == ELF::STV_INTERNAL;
    // The other files of the program may still refer to it.
    bool local = hidden && !relocatable;
    switch (s.kind) {
    case SymbolKind::Defined: {
      const SectionView in = link.section(s.section);
      if (!in.placed() || link.isDeadPiece(s.section, s.value))
        continue;
      if (program.config.strip == Strip::Debug && !isNeeded(id) &&
          !(in.parsed->flags & ELF::SHF_ALLOC))
        continue;
      e.reserved = false;
      place(e, in.output);
      break;
    }
    case SymbolKind::Output:
      e.reserved = false;
      place(e, s.output);
      break;
    case SymbolKind::Absolute:
      e.section = ELF::SHN_ABS;
      break;
    case SymbolKind::Common:
      e.section = ELF::SHN_COMMON;
      e.value = s.value; // its alignment
      break;
    default:
      if (!showsUndefined(program, s, isNeeded(id)))
        continue;
      local = false;
      break;
    }
    uint8_t binding =
        s.binding == ELF::STB_WEAK ? ELF::STB_WEAK : ELF::STB_GLOBAL;
    e.info |= uint8_t((local ? uint8_t(ELF::STB_LOCAL) : binding) << 4);
    e.other |= s.hidden && relocatable && s.visibility == ELF::STV_DEFAULT
                   ? uint8_t(ELF::STV_HIDDEN)
                   : s.visibility;
    add(local ? locals : globals, e, id.index());
  }
}

template <class ELFT> void Builder::emit(SymbolTableBytes &bytes) const {
  using Sym = typename ELFT::Sym;
  bytes.firstGlobal =
      uint32_t(1 + sections.entries.size() + locals.entries.size());
  size_t count = bytes.firstGlobal + globals.entries.size();
  bytes.symtab.resize(count * sizeof(Sym));
  size_t names = 1;
  for (const auto *list : {&locals, &globals})
    for (const Entry &e : list->entries)
      names += e.name.empty() ? 0 : e.name.size() + 1;
  bytes.strtab.resize(names);
  auto *out = reinterpret_cast<Sym *>(bytes.symtab.data()) + 1;
  size_t at = 1, index = 1;
  auto write = [&](const Entry &e) {
    Sym sym;
    std::memset(&sym, 0, sizeof(sym));
    if (!e.name.empty()) {
      sym.st_name = uint32_t(at);
      std::memcpy(bytes.strtab.data() + at, e.name.data(), e.name.size());
      at += e.name.size() + 1;
    }
    sym.st_value = e.value;
    sym.st_size = e.size;
    sym.st_info = e.info;
    sym.st_other = e.other;
    if (!e.reserved && e.section >= ELF::SHN_LORESERVE) {
      sym.st_shndx = ELF::SHN_XINDEX;
      bytes.shndx.resize(count * 4);
      support::endian::write32le(bytes.shndx.data() + index * 4, e.section);
    } else {
      sym.st_shndx = uint16_t(e.section);
    }
    *out++ = sym;
    ++index;
  };
  for (const auto *list : {&sections, &locals, &globals})
    for (const Entry &e : list->entries)
      write(e);
}

/// Values of thread-local symbols are offsets in the template (gABI).
void Builder::countFromTemplate() {
  if (link.facts.threadLocalStart == kNone || relocatable)
    return;
  const uint64_t base =
      link.output(link.facts.threadLocalStart).address.wrapped();
  for (auto *list : {&locals, &globals})
    for (Entry &e : list->entries)
      if ((e.info & 0xf) == ELF::STT_TLS && !e.reserved)
        e.value -= base;
}

/// Values of an object's symbols are offsets in their sections (gABI).
void Builder::countFromSections() {
  if (!relocatable)
    return;
  DenseMap<uint32_t, uint64_t> bases; // by header
  for (const OutputView &out : link.outputs())
    if (headers[out.id])
      bases[headers[out.id]] = out.address.wrapped();
  for (auto *list : {&sections, &locals, &globals})
    for (Entry &e : list->entries)
      if (!e.reserved)
        e.value -= bases.lookup(e.section);
}

/// By symbolBase + index: where the symbol is in the table, 0 for nowhere.
std::vector<uint32_t> Builder::indices() const {
  std::vector<uint32_t> bySlot(program.symbolIds.size());
  IdVector<SymbolId, uint32_t> byGlobal(program.symbols.size());
  uint32_t next = uint32_t(1 + sections.entries.size());
  for (const List *list : {&locals, &globals})
    for (uint64_t key : list->keys) {
      if (key & Program::kLocalKey)
        bySlot[uint32_t(key)] = next++;
      else
        byGlobal[SymbolId(key)] = next++;
    }
  for (size_t slot = 0; slot < bySlot.size(); ++slot)
    if (SymbolId id = program.symbolIds[slot]; id != kNone)
      bySlot[slot] = byGlobal[id];
  return bySlot;
}

SymbolTableBytes Builder::build() {
  SymbolTableBytes bytes;
  findNeighbours();
  findNeeded();
  collectSections(bytes);
  collectLocals();
  collectGlobals();
  countFromTemplate();
  countFromSections();
  if (program.target->is64)
    emit<ELF64LE>(bytes);
  else
    emit<ELF32LE>(bytes);
  if (wantIndices)
    bytes.indices = indices();
  return bytes;
}

SymbolTableBytes buildSymbolTable(const Link &link, const SymbolValues &values,
                                  const IdVector<OutputId, uint32_t> &headers,
                                  bool wantIndices) {
  return Builder(link, values, headers, wantIndices).build();
}

} // namespace xlink
