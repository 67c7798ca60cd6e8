//===- SymbolTableWriter.cpp ----------------------------------------------===//
#include "output/SymbolTableWriter.h"
#include "script/ScriptParser.h"
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
        wantIndices(wantIndices) {}
  SymbolTableBytes build();

private:
  void findNeighbours();
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
  bool takesPart(const InputFile &file) const;
  bool keepLocal(const InputFile &file, const ParsedSymbol &sym) const;
  void place(Entry &e, OutputId out) const;
  void countFromTemplate();
  template <class ELFT> void emit(SymbolTableBytes &bytes) const;

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const IdVector<OutputId, uint32_t> &headers;
  const bool wantIndices;
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

bool Builder::keepLocal(const InputFile &file, const ParsedSymbol &sym) const {
  if (sym.type == ELF::STT_SECTION || sym.name.empty())
    return false;
  const bool kept = keeps(sym.name);
  if (!kept && !retains(sym.name))
    return false;
  if (!kept && program.config.discard == Discard::All &&
      sym.type != ELF::STT_FILE)
    return false;
  if (sym.place == SymbolPlace::Undefined)
    return false;
  const bool temporary = !kept && sym.name.starts_with(".L");
  if (temporary && program.config.discard == Discard::Locals)
    return false;
  if (sym.place != SymbolPlace::Section)
    return true;
  const SectionView s = link.section(file.sectionBase + sym.section);
  if (!s.placed() && s.merge == kNone)
    return false;
  if (s.discarded || !s.live || s.output == kNone ||
      link.isDeadPiece(file.sectionBase + sym.section, sym.value))
    return false;
  if (temporary && program.config.discard == Discard::Default &&
      (s.parsed->flags & ELF::SHF_MERGE))
    return false;
  if (program.config.strip == Strip::Debug &&
      !(s.parsed->flags & ELF::SHF_ALLOC))
    return false;
  return true;
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
      if (!present || sym.binding != ELF::STB_LOCAL || !keepLocal(file, sym))
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

void Builder::collectGlobals() {
  for (SymbolId id : globalOrder(link)) {
    const BoundSymbol s = link.symbol(id);
    if (!retains(s.name) && !keeps(s.name))
      continue;
    Entry e{s.name,  values.globals[id], s.size, uint8_t(s.type),
            s.other, ELF::SHN_UNDEF,     true};
    bool local = s.hidden || s.visibility == ELF::STV_HIDDEN ||
                 s.visibility == ELF::STV_INTERNAL;
    switch (s.kind) {
    case SymbolKind::Defined: {
      const SectionView in = link.section(s.section);
      if (!in.placed() || link.isDeadPiece(s.section, s.value))
        continue;
      if (program.config.strip == Strip::Debug &&
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
    default:
      // A weak reference that nothing satisfies stays visible as such.
      // What another program lacks says nothing of this one.
      if (!s.referenced || s.file == kNone ||
          program.files[s.file].object->justSymbols)
        continue;
      local = false;
      break;
    }
    uint8_t binding =
        s.binding == ELF::STB_WEAK ? ELF::STB_WEAK : ELF::STB_GLOBAL;
    e.info |= uint8_t((local ? uint8_t(ELF::STB_LOCAL) : binding) << 4);
    e.other |= s.visibility;
    add(local ? locals : globals, e, id.index());
  }
}

template <class ELFT> void Builder::emit(SymbolTableBytes &bytes) const {
  using Sym = typename ELFT::Sym;
  size_t count = 1 + locals.entries.size() + globals.entries.size();
  bytes.symtab.resize(count * sizeof(Sym));
  bytes.firstGlobal = uint32_t(1 + locals.entries.size());
  size_t names = 1;
  for (const auto *list : {&locals, &globals})
    for (const Entry &e : list->entries)
      names += e.name.size() + 1;
  bytes.strtab.resize(names);
  auto *out = reinterpret_cast<Sym *>(bytes.symtab.data()) + 1;
  size_t at = 1, index = 1;
  auto write = [&](const Entry &e) {
    Sym sym;
    std::memset(&sym, 0, sizeof(sym));
    sym.st_name = uint32_t(at);
    std::memcpy(bytes.strtab.data() + at, e.name.data(), e.name.size());
    at += e.name.size() + 1;
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
  for (const auto *list : {&locals, &globals})
    for (const Entry &e : list->entries)
      write(e);
}

/// Values of thread-local symbols are offsets in the template (gABI).
void Builder::countFromTemplate() {
  if (link.facts.threadLocalStart == kNone)
    return;
  const uint64_t base =
      link.output(link.facts.threadLocalStart).address.wrapped();
  for (auto *list : {&locals, &globals})
    for (Entry &e : list->entries)
      if ((e.info & 0xf) == ELF::STT_TLS && !e.reserved)
        e.value -= base;
}

/// By symbolBase + index: where the symbol is in the table, 0 for nowhere.
std::vector<uint32_t> Builder::indices() const {
  std::vector<uint32_t> bySlot(program.symbolIds.size());
  IdVector<SymbolId, uint32_t> byGlobal(program.symbols.size());
  uint32_t next = 1;
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
  findNeighbours();
  collectLocals();
  collectGlobals();
  countFromTemplate();
  SymbolTableBytes bytes;
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
