//===- SymbolTableWriter.cpp ----------------------------------------------===//
//
// Problem: a symbol table has an entry for nearly every name of the inputs, in
// an order that does not depend on threads. The place of an entry and of its
// name depends on all in front of it.
//
// Method: locals, then hidden globals, which are local in a program, then the
// other globals, each in the order of their files: a global one in the file
// that defines it, or else refers to it first; those of no file stand behind
// all others. The symbols of each file are counted in parallel; a second pass
// writes them.
//
// Cost: two visits of each symbol of a file, and the tables in memory.
//
//===----------------------------------------------------------------------===//
#include "base/ByteOrder.h"
#include "input/ExprFormat.h"
#include "output/Tables.h"
#include "script/ScriptParser.h"
#include <atomic>
#include <cstring>

using namespace llvm;

namespace xlink {

/// Calls fn(section, relocation) for the relocations of a file's sections in
/// the output.
static void
forEachRelocation(const Link &link, const InputFile &file,
                  function_ref<void(SectionId, const Relocation &)> fn) {
  const ParsedObject &object = *file.object;
  for (uint32_t i = 1; i < object.sections.size(); ++i)
    if (link.placed(file.sectionBase + i))
      for (uint32_t r = object.sections[i].relocBegin;
           r < object.sections[i].relocEnd; ++r)
        fn(file.sectionBase + i, object.relocations[r]);
}

namespace {

class SymbolTableBuilder {
public:
  explicit SymbolTableBuilder(const LinkedProgram &output)
      : link(output.link), program(link.program), values(output.values),
        headers(output.layout.headers), keptGroups(output.layout.groups),
        relocatable(program.config.relocatable) {}

  OutputSymbols build() {
    ofFiles.assign(program.symbols.size(), false);
    findSignatures();
    findNeighbours();
    findNeeded();
    findMentioned();
    const size_t files = program.files.size();
    lists.resize(files + 2);
    program.parallel.forEach(files + 1, program.inputBytes, [&](size_t i) {
      if (i > 0)
        lists[i].file = FileId(i - 1);
      collect(lists[i]);
    });
    findOthers();
    collect(lists.back());
    OutputSymbols result;
    placeGroups(result);
    table = &result;
    program.parallel.forEach(lists.size(), program.inputBytes,
                             [&](size_t i) { collect(lists[i]); });
    if (program.config.keepsRelocations())
      for (const auto &[slot, id] : enumerate(program.symbolIds))
        if (id != kNone)
          result.indices.symbols[slot] = byGlobal[id];
    return result;
  }

private:
  /// In the order of the table.
  enum SymbolGroup { Locals, Hidden, Globals, GroupCount };

  /// A symbol that goes into the table.
  struct ListedSymbol {
    StringRef name;
    uint64_t value, size;
    /// symbolBase + index of a file's local, a SymbolId or an OutputId
    uint32_t symbol;
    bool isGlobal; ///< `symbol` is a SymbolId
    uint8_t info, other;
    uint16_t reserved = ELF::SHN_ABS; ///< st_shndx of a symbol in no section
    uint32_t header = 0;              ///< of its section; 0: it is in none
  };

  /// The numbers of symbols of a file; of no file, of those of output sections
  /// and of the script.
  struct FileSymbols {
    FileId file;
    struct Group {
      size_t count = 0, nameBytes = 0; ///< the bytes with their zeros
      size_t index = 0, nameIndex = 0; ///< of the next one in the tables
      bool isFar = false; ///< a section's index needs .symtab_shndx
    } groups[GroupCount];
  };

  /// Whether a byte of an input section is in the output.
  bool isInOutput(SectionId section, uint64_t offset) const {
    return link.placed(section) && !link.isDeadPiece(section, offset);
  }
  bool isNeeded(const InputFile &file, uint32_t symbol) const {
    return !neededLocals.empty() && neededLocals[file.symbolBase + symbol];
  }
  bool isNeeded(SymbolId id) const {
    return neededGlobals.size() && neededGlobals[id];
  }
  /// Whether --keep-symbol names it: no other option leaves it out.
  bool keeps(StringRef name) const {
    return any_of(program.config.keepSymbols, [&](StringRef pattern) {
      return globMatch({pattern, true}, name);
    });
  }

  /// Whether options leave it in, as far as they do not go by its kind.
  bool retains(StringRef name) const {
    return program.config.strip != Strip::All &&
           (!program.retained || program.retained->contains(name));
  }

  /// For symbols in sections that are not in the output: the nearest one that
  /// is, the one before it, or else the one behind it; kNone: there is none.
  void findNeighbours() {
    nearest.resize(headers.size());
    const std::vector<OutputId> order = link.placement.outputsInOrder();
    OutputId last;
    for (OutputId id : order) {
      if (headers[id] && link.output(id).isAlloc())
        last = id;
      nearest[id] = last;
    }
    for (OutputId id : reverse(order)) // the first ones have none before
      nearest[id] = last = nearest[id] == kNone ? last : nearest[id];
  }

  /// Sets the section of a symbol whose value is an address; a symbol in a
  /// section that is not in the output goes to the nearest one that is (GNU
  /// ld). Values of thread-local symbols are offsets in the template, and
  /// values of an object's symbols are offsets in their sections (gABI).
  void place(ListedSymbol &e, OutputId out) const {
    const OutputId home = headers[out] ? out : nearest[out];
    if (home == kNone)
      return;
    e.header = headers[home];
    const OutputId threadLocal = link.info.threadLocalStart;
    if (relocatable)
      e.value -= link.addresses.outputs[home].address.wrapped();
    else if ((e.info & 0xf) == ELF::STT_TLS && threadLocal != kNone)
      e.value -= link.addresses.outputs[threadLocal].address.wrapped();
  }

  /// Finds the symbols that must be in the table in spite of all options,
  /// because relocations, groups and link-time expressions refer to their index
  /// there.
  void findNeeded() {
    if (!program.config.keepsRelocations())
      return;
    neededLocals.assign(program.symbolIds.size(), false);
    neededGlobals.assign(program.symbols.size(), false);
    for (FileId f : program.files.ids()) {
      const InputFile &file = program.files[f];
      for (const ParsedSection &section : file.object->sections) {
        if (section.kind != SectionKind::Expr)
          continue;
        for (uint64_t at = 0; at < section.data().size();
             at += kExprEntrySize) {
          const RawExpr entry(section.bytes + at);
          need(file, entry.result);
          for (unsigned k = 0; k < 3; ++k)
            if (entry.kind(k) == ExprOperandKind::Symbol)
              need(file, entry.operands[k]);
        }
      }
      forEachRelocation(link, file, [&](SectionId, const Relocation &rel) {
        need(file, rel.symbol);
      });
    }
    for (const KeptGroup &kept : keptGroups) {
      const InputFile &file = program.files[kept.file];
      need(file, file.object->groups[kept.group].symbol);
    }
  }

  /// Marks a symbol of a file. The numbers of an unknown operator need not be
  /// indices.
  void need(const InputFile &file, uint32_t symbol) {
    if (symbol >= file.object->symbols.size())
      return;
    const uint32_t slot = file.symbolBase + symbol;
    if (const SymbolId id = program.symbolIds[slot]; id != kNone)
      neededGlobals[id] = true;
    else
      neededLocals[slot] = true;
  }

  /// References of dropped sections do not count (GNU ld). Where relocations
  /// are kept findNeeded() has the names.
  void findMentioned() {
    if (program.config.keepsRelocations() ||
        none_of(program.symbols.ids(), [&](SymbolId id) {
          return program.symbols[id].referenced &&
                 link.symbol(id).kind == SymbolKind::Undefined;
        }))
      return;
    referenced.assign(program.symbols.size(), false);
    program.parallel.forEach(
        program.files.size(), program.inputBytes, [&](size_t f) {
          const InputFile &file = program.files[FileId(f)];
          forEachRelocation(
              link, file, [&](SectionId in, const Relocation &rel) {
                const SymbolId id =
                    program.symbolIds[file.symbolBase + rel.symbol];
                if (id != kNone &&
                    program.symbols[id].kind == SymbolKind::Undefined &&
                    link.symbol(id).kind == SymbolKind::Undefined &&
                    link.keepsByte(in, rel.offset))
                  std::atomic_ref(referenced[id]).store(true);
              });
        });
  }

  /// The name of a group alone matters to a linker, not where its symbol is
  /// (gABI, "Section Groups"): in a section that is gone, or in that of the
  /// group.
  void findSignatures() {
    for (const KeptGroup &kept : keptGroups) {
      const InputFile &file = program.files[kept.file];
      const ParsedGroup &group = file.object->groups[kept.group];
      const uint32_t slot = file.symbolBase + group.symbol;
      bool isThere;
      if (const SymbolId id = program.symbolIds[slot]; id != kNone) {
        const BoundSymbol s = link.symbol(id);
        isThere =
            s.kind != SymbolKind::Defined || isInOutput(s.section, s.value);
      } else {
        const ParsedSymbol &s = file.object->symbols[group.symbol];
        isThere = s.name == group.signature &&
                  (s.place != SymbolPlace::Section ||
                   isInOutput(file.sectionBase + s.section, s.value));
      }
      if (!isThere)
        signatures[slot] = group.signature;
    }
  }

  bool keepLocal(const InputFile &file, uint32_t index) const {
    const ParsedSymbol &sym = file.object->symbols[index];
    if (sym.type == ELF::STT_SECTION || sym.name.empty() ||
        sym.place == SymbolPlace::Undefined ||
        (sym.place == SymbolPlace::Section &&
         !isInOutput(file.sectionBase + sym.section, sym.value)))
      return false;
    if (isNeeded(file, index) || keeps(sym.name))
      return true;
    const Config &config = program.config;
    if (!retains(sym.name) ||
        (config.discard == Discard::All && sym.type != ELF::STT_FILE))
      return false;
    const bool temporary = sym.name.starts_with(".L");
    if (temporary && program.discardsLocals())
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

  /// Whether anything of a file is in the output: local symbols of one that was
  /// collected as a whole, its name too, describe nothing (GNU ld).
  bool takesPart(const InputFile &file) const {
    if (!program.config.gcSections)
      return true;
    for (uint32_t i = 1; i < file.object->sections.size(); ++i)
      if (link.placed(file.sectionBase + i))
        return true;
    return false;
  }

  void collectLocal(FileSymbols &list, const InputFile &file, uint32_t index) {
    const ParsedSymbol &sym = file.object->symbols[index];
    if (!keepLocal(file, index))
      return;
    const uint32_t slot = file.symbolBase + index;
    ListedSymbol e{sym.name, values.address[slot], sym.size, slot,
                   false,    uint8_t(sym.type),    sym.other};
    if (sym.place == SymbolPlace::Section)
      place(e, link.placement.sections[file.sectionBase + sym.section].output);
    add(list, Locals, e);
  }

  /// Whether a reference that nothing satisfies is in the table: a weak one
  /// stays visible as such. In a relocatable output it is all that the next
  /// link has to go by.
  bool showsUndefined(SymbolId id) const {
    if (relocatable && !program.config.gcSections)
      return program.symbols[id].referenced || isNeeded(id);
    return isNeeded(id) || (referenced.size() && referenced[id]);
  }

  void collectGlobal(FileSymbols &list, SymbolId id) {
    const BoundSymbol s = link.symbol(id);
    // -s leaves an object the names by which others know it (GNU ld).
    const bool stays = relocatable && !program.retained;
    if (!stays && !retains(s.name) && !keeps(s.name) && !isNeeded(id))
      return;
    ListedSymbol e{s.name, values.globals[id], s.size, id.index(),
                   true,   uint8_t(s.type),    s.other};
    // The other files of the program may still refer to it.
    bool local = s.isHidden() && !relocatable;
    switch (s.kind) {
    case SymbolKind::Defined:
      if (!isInOutput(s.section, s.value))
        return;
      if (program.config.strip == Strip::Debug && !isNeeded(id) &&
          !(program.sections[s.section].parsed->flags & ELF::SHF_ALLOC))
        return;
      place(e, link.placement.sections[s.section].output);
      break;
    case SymbolKind::Output:
    case SymbolKind::Absolute:
      if (s.output != kNone)
        place(e, s.output);
      break;
    case SymbolKind::Common:
      e.reserved = ELF::SHN_COMMON;
      e.value = s.value; // its alignment
      break;
    default:
      if (!showsUndefined(id))
        return;
      e.reserved = ELF::SHN_UNDEF;
      local = false;
      break;
    }
    uint8_t binding =
        s.binding == ELF::STB_WEAK ? ELF::STB_WEAK : ELF::STB_GLOBAL;
    e.info |= uint8_t((local ? uint8_t(ELF::STB_LOCAL) : binding) << 4);
    e.other |= s.hidden && relocatable && s.visibility == ELF::STV_DEFAULT
                   ? uint8_t(ELF::STV_HIDDEN)
                   : s.visibility;
    add(list, local ? Hidden : Globals, e);
  }

  /// The output sections' own symbols, in the order of their headers.
  void collectSections(FileSymbols &list) {
    if (!program.config.keepsRelocations())
      return;
    for (const OutputView &out : link.outputsInOrder())
      if (headers[out.id])
        add(list, Locals,
            {"", relocatable ? 0 : out.address.wrapped(), 0, out.id.index(),
             false, ELF::STT_SECTION, 0, 0, headers[out.id]});
  }

  /// The symbols of a file: its local ones, and global ones that it defines, or
  /// that nothing defines and it is the first to refer to.
  void collectFile(FileSymbols &list) {
    const InputFile &file = program.files[list.file];
    const bool withLocals = takesPart(file);
    const uint32_t count = uint32_t(file.object->symbols.size());
    constexpr uint32_t kAhead = 8; // their symbols are asked of memory
    for (uint32_t i = 1; i < count; ++i) {
      const uint32_t slot = file.symbolBase + i;
      const SymbolId id = program.symbolIds[slot];
      if (i + kAhead < count)
        if (const SymbolId later = program.symbolIds[slot + kAhead];
            later != kNone)
          __builtin_prefetch(&program.symbols[later]);
      if (withLocals && !signatures.empty())
        if (auto it = signatures.find(slot); it != signatures.end()) {
          add(list, Locals,
              {it->second, values.address[slot], file.object->symbols[i].size,
               slot, false, 0, 0});
          if (id == kNone)
            continue;
        }
      if (id == kNone) {
        if (withLocals)
          collectLocal(list, file, i);
      } else if (const Symbol &s = program.symbols[id];
                 s.file == list.file && s.index == i) {
        ofFiles[id] = true;
        collectGlobal(list, id);
      }
    }
  }

  /// Symbols that only the script or the linker itself defines or mentions, the
  /// names that the script assigns first, in its order. When others were
  /// entered into the symbol table depends on where the script came from.
  void findOthers() {
    auto add = [&](SymbolId id) {
      if (id != kNone && !std::exchange(ofFiles[id], true))
        others.push_back(id);
    };
    link.placement.forEachAssignment(
        [&](const AssignmentCommand &a) { add(program.symbols.find(a.name)); });
    for (SymbolId id : program.symbols.ids())
      add(id);
  }

  /// Adds the symbols of a list.
  void collect(FileSymbols &list) {
    if (list.file != kNone)
      collectFile(list);
    else if (&list == &lists.front())
      collectSections(list);
    else
      for (SymbolId id : others)
        collectGlobal(list, id);
  }

  /// Makes the tables, and finds where the groups of each list begin.
  void placeGroups(OutputSymbols &result) {
    size_t nameBytes = 1;
    bool isFar = false;
    result.count = 1; // with the null symbol
    for (int group = Locals; group < GroupCount; ++group) {
      result.firstGlobal = uint32_t(result.count);
      for (FileSymbols &file : lists) {
        FileSymbols::Group &g = file.groups[group];
        g.index = std::exchange(result.count, result.count + g.count);
        g.nameIndex = std::exchange(nameBytes, nameBytes + g.nameBytes);
        isFar |= g.isFar;
      }
    }
    const size_t entry = elfSizes(program.target->is64).symbol;
    result.symtab.resize_for_overwrite(result.count * entry);
    result.strtab.resize_for_overwrite(nameBytes);
    result.shndx.resize(isFar ? result.count * 4 : 0);
    std::fill_n(result.symtab.data(), entry, 0);
    result.strtab[0] = 0;
    if (!program.config.keepsRelocations())
      return;
    byGlobal.resize(program.symbols.size());
    result.indices.symbols.resize(program.symbolIds.size());
    result.indices.sections.assign(headers.size(), 0);
    for (const auto &[slot, name] : signatures) // threads only set values
      result.indices.signatures[slot] = 0;
  }

  /// Counts a symbol, or, where the tables are there, writes it.
  void add(FileSymbols &list, SymbolGroup group, const ListedSymbol &e) {
    FileSymbols::Group &g = list.groups[group];
    if (table)
      return write(list, g, e);
    ++g.count;
    g.nameBytes += e.name.empty() ? 0 : e.name.size() + 1;
    g.isFar |= e.header >= ELF::SHN_LORESERVE;
  }

  void write(const FileSymbols &list, FileSymbols::Group &g,
             const ListedSymbol &e) {
    const bool is64 = program.target->is64, isBig = program.target->isBig;
    const size_t index = g.index++;
    RecordWriter to(table->symtab.data() + index * elfSizes(is64).symbol, is64,
                    isBig);
    to.number(e.name.empty() ? 0 : uint32_t(g.nameIndex));
    if (!e.name.empty()) {
      std::memcpy(&table->strtab[g.nameIndex], e.name.data(), e.name.size());
      g.nameIndex += e.name.size() + 1;
      table->strtab[g.nameIndex - 1] = 0;
    }
    if (!is64) {
      to.word(e.value);
      to.word(e.size);
    }
    to.byte(e.info);
    to.byte(e.other);
    const bool isFar = e.header >= ELF::SHN_LORESERVE;
    to.half(isFar      ? uint16_t(ELF::SHN_XINDEX)
            : e.header ? uint16_t(e.header)
                       : e.reserved);
    if (is64) {
      to.word(e.value);
      to.word(e.size);
    }
    if (isFar)
      write32(&table->shndx[index * 4], e.header, isBig);
    if (program.config.keepsRelocations())
      noteIndex(list, e, uint32_t(index));
  }

  /// Notes where a symbol of the inputs is in the table.
  void noteIndex(const FileSymbols &list, const ListedSymbol &e,
                 uint32_t index) {
    SymbolIndices &indices = table->indices;
    if (e.isGlobal)
      byGlobal[SymbolId(e.symbol)] = index;
    else if (list.file == kNone)
      indices.sections[OutputId(e.symbol)] = index;
    else if (auto it = indices.signatures.find(e.symbol);
             it != indices.signatures.end())
      it->second = index; // nothing else refers to it
    else
      indices.symbols[e.symbol] = index;
  }

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const IdVector<OutputId, uint32_t> &headers; ///< 0: it has none
  const std::vector<KeptGroup> &keptGroups;
  const bool relocatable;
  /// The output sections' symbols, those of each file, those of no file.
  std::vector<FileSymbols> lists;
  std::vector<SymbolId> others;          ///< global symbols of no file
  OutputSymbols *table = nullptr;        ///< null: symbols are being counted
  IdVector<SymbolId, uint32_t> byGlobal; ///< where they are in the table

  /// Symbols that relocations and the like refer to: locals by symbolBase +
  /// index.
  std::vector<bool> neededLocals;
  IdVector<SymbolId, bool> neededGlobals;
  /// Bytes, of global symbols that a file has in the table.
  IdVector<SymbolId, uint8_t> ofFiles;
  /// Undefined names that a relocation of the output refers to.
  IdVector<SymbolId, uint8_t> referenced;
  /// By symbolBase + index: names of groups with a symbol that has no other
  /// use and would not be in the table. A local one has the name.
  llvm::DenseMap<uint32_t, llvm::StringRef> signatures;
  IdVector<OutputId, OutputId> nearest; ///< see findNeighbours
};

} // namespace

OutputSymbols makeSymbolTable(const LinkedProgram &output) {
  return SymbolTableBuilder(output).build();
}

} // namespace xlink
