//===- SymbolTableWriter.cpp ----------------------------------------------===//
//
// Problem: a symbol table has an entry for nearly every name of the inputs, in
// an order that says nothing of threads, and where an entry and its name stand
// depends on all that are in front of it.
//
// Method: locals, then hidden globals, which are local in a program, then the
// other globals. Each of them stand in the order of their files, a global one
// in the file that defines it, or else refers to it first; those of no file
// stand behind all others. A file's symbols, in runs of some thousands, are
// portions of work. First each is looked at, on any thread: which symbols go in
// and as what. Sums over the portions say where each begins. Then some of them
// at a time are rendered, on any thread, among the sections: there need never
// be memory for all of the table.
//
// Cost: two visits of each symbol that goes in, one of each other symbol of a
// file, and 12 bytes in between.
//
//===----------------------------------------------------------------------===//
#include "output/SymbolTableWriter.h"
#include "output/Relocatable.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cstring>
#include <utility>

using namespace llvm;
using namespace llvm::object;

namespace xlink {

namespace {

/// Symbols of inputs that one portion of work looks at.
constexpr size_t kSymbolsOfPortion = 4096;
/// A span has this many symbols, and fewer than a portion more.
constexpr size_t kSymbolsOfSpan = 4096;
/// What deciding about a symbol, or writing it, costs in bytes of work.
constexpr size_t kSymbolWork = 96;

} // namespace

class SymbolTableWriter::Builder {
public:
  /// What is decided about a symbol that goes into the table.
  struct Entry {
    /// symbolBase + index of a file's local, a SymbolId or an OutputId
    uint32_t symbol;
    uint32_t section; ///< header index, or a reserved SHN_ value
    uint8_t info, other;
    bool reserved; ///< `section` is such a value
    bool isGlobal; ///< `symbol` is a SymbolId
  };

  /// Symbols of one kind that a portion of work has, and where they go.
  struct Run {
    std::vector<Entry> entries;
    size_t nameBytes = 0;
    size_t index = 0, nameAt = 0; ///< of the first in the tables
  };

  /// Symbols of a file, or of none, or the output sections' symbols.
  struct Portion {
    FileId file;                 ///< kNone: not of a file
    bool withLocals = false;     ///< the file's local symbols may go in
    uint32_t begin = 0, end = 0; ///< its symbols that are looked at
    /// As they are in the output, where hidden ones are local.
    Run locals, hidden, globals;
    bool extended = false; ///< a section's index needs .symtab_shndx
  };

  /// In the order of the table.
  static constexpr Run Portion::*kRuns[] = {&Portion::locals, &Portion::hidden,
                                            &Portion::globals};

  /// Portions of work whose symbols of one kind are rendered together.
  struct PortionRange {
    Run Portion::*kind;
    size_t begin, end; ///< into the list of portions
    SymbolSpan span;
  };

  /// What a span is rendered into.
  struct SpanBytes {
    MutableArrayRef<uint8_t> symtab, strtab, shndx;
  };

  Builder(const Link &link, const SymbolValues &values,
          const IdVector<OutputId, uint32_t> &headers, bool wantIndices)
      : link(link), program(link.program), values(values), headers(headers),
        wantIndices(wantIndices), relocatable(link.program.config.relocatable) {
  }
  void build();
  template <class ELFT>
  void render(const PortionRange &range, const SpanBytes &to) const;

  bool isExtended = false;
  std::vector<uint32_t> indices;
  DenseMap<uint32_t, uint32_t> signatureIndices; ///< by keys of `signatures`
  IdVector<OutputId, uint32_t> sections;
  std::vector<Portion> portions;
  std::vector<PortionRange> spans;

private:
  void findNeighbours();
  void findNeeded();
  void findMentioned();
  void findSignatures();
  void collectSections();
  void collectFile(Portion &portion);
  void collectOthers(Portion &portion);
  void collectLocal(Portion &portion, const InputFile &file,
                    uint32_t index) const;
  void collectGlobal(Portion &portion, SymbolId id) const;
  bool showsUndefined(SymbolId id) const;
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
  void makePortions();
  bool isInOutput(const InputFile &file, const ParsedSymbol &sym) const;
  bool keepLocal(const InputFile &file, uint32_t index) const;
  void place(Entry &e, OutputId out) const;
  void add(Portion &portion, Run &run, StringRef name,
           const Entry &entry) const;
  void findBases();
  void number();
  uint64_t valueOf(const Entry &e, const Symbol *global) const;
  void divide();
  template <class ELFT>
  void renderRun(const Portion &portion, const Run &run, const SymbolSpan &span,
                 const SpanBytes &to) const;
  std::vector<uint32_t> findIndices();

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const IdVector<OutputId, uint32_t> &headers;
  const bool wantIndices, relocatable;
  /// What relocations and the like refer to: locals by symbolBase + index.
  std::vector<bool> neededLocals;
  IdVector<SymbolId, bool> neededGlobals;
  /// Bytes, of global symbols that a file has in the table.
  IdVector<SymbolId, uint8_t> ofFiles;
  /// Undefined names that a relocation of the output refers to.
  IdVector<SymbolId, uint8_t> referenced;
  /// By symbolBase + index: names of groups whose symbol says no more than that
  /// and would not be in the table. A local one has the name.
  DenseMap<uint32_t, StringRef> signatures;
  IdVector<OutputId, uint32_t> nearest; ///< see findNeighbours
  /// Where values of symbols count from, by header; empty: from 0.
  std::vector<uint64_t> bases;
  uint64_t templateBase = 0; ///< the same of thread-local ones
};

/// For symbols in sections that are not in the output: the nearest one that is,
/// the one before it, or else the one behind it; 0: there is none.
void SymbolTableWriter::Builder::findNeighbours() {
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
void SymbolTableWriter::Builder::place(Entry &e, OutputId out) const {
  e.section = headers[out] ? headers[out] : nearest[out];
  if (e.section)
    return;
  e.section = ELF::SHN_ABS;
  e.reserved = true;
}

/// By Program::symbolKey, what must be in the table whatever options say.
void SymbolTableWriter::Builder::findNeeded() {
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

/// References of dropped sections do not count (GNU ld). Where relocations are
/// kept findNeeded() has the names.
void SymbolTableWriter::Builder::findMentioned() {
  if (program.config.keepsRelocations() ||
      none_of(program.symbols.ids(), [&](SymbolId id) {
        return program.symbols[id].referenced &&
               link.symbol(id).kind == SymbolKind::Undefined;
      }))
    return;
  referenced.assign(program.symbols.size(), false);
  program.parallel.forEach(
      program.files.size(), program.inputBytes / 8, [&](size_t f) {
        const InputFile &file = program.files[FileId(f)];
        const ParsedObject &object = *file.object;
        for (uint32_t i = 1; i < object.sections.size(); ++i) {
          const SectionId section = file.sectionBase + i;
          if (!link.placed(section))
            continue;
          for (uint32_t r = object.sections[i].relocBegin;
               r < object.sections[i].relocEnd; ++r) {
            const Relocation &rel = object.relocations[r];
            const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
            if (id != kNone && link.symbol(id).kind == SymbolKind::Undefined &&
                link.keepsByte(section, rel.offset))
              std::atomic_ref(referenced[id])
                  .store(true, std::memory_order_relaxed);
          }
        }
      });
}

/// The name of a group alone matters to a linker, not where its symbol is
/// (gABI, "Section Groups"): in a section that is gone, or in that of the
/// group.
void SymbolTableWriter::Builder::findSignatures() {
  for (const KeptGroup &kept : keptGroups(link)) {
    const InputFile &file = program.files[kept.file];
    const ParsedGroup &group = file.object->groups[kept.group];
    const uint32_t slot = file.symbolBase + group.symbol;
    bool isThere;
    if (const SymbolId id = program.symbolIds[slot]; id != kNone) {
      const BoundSymbol s = link.symbol(id);
      isThere =
          s.kind != SymbolKind::Defined ||
          (link.placed(s.section) && !link.isDeadPiece(s.section, s.value));
    } else {
      const ParsedSymbol &s = file.object->symbols[group.symbol];
      isThere = s.name == group.signature &&
                (s.place != SymbolPlace::Section || isInOutput(file, s));
    }
    if (!isThere)
      signatures[slot] = group.signature;
  }
}

/// Whether the section of a local symbol is in the output.
bool SymbolTableWriter::Builder::isInOutput(const InputFile &file,
                                            const ParsedSymbol &sym) const {
  const SectionView s = link.section(file.sectionBase + sym.section);
  if (!s.placed() && s.merge == kNone)
    return false;
  return !s.discarded && s.live && s.output != kNone &&
         !link.isDeadPiece(file.sectionBase + sym.section, sym.value);
}

bool SymbolTableWriter::Builder::keepLocal(const InputFile &file,
                                           uint32_t index) const {
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
void SymbolTableWriter::Builder::collectSections() {
  if (!program.config.keepsRelocations())
    return;
  sections.assign(headers.size(), 0);
  for (const OutputView &out : link.outputsInOrder()) {
    if (!headers[out.id])
      continue;
    Run &run = portions.front().locals;
    add(portions.front(), run, "",
        {out.id.index(), headers[out.id], ELF::STT_SECTION, 0, false, false});
    sections[out.id] = uint32_t(run.entries.size());
  }
}

/// Whether anything of a file is in the output: local symbols of one that was
/// collected as a whole, its name too, describe nothing (GNU ld).
bool SymbolTableWriter::Builder::takesPart(const InputFile &file) const {
  if (!program.config.gcSections)
    return true;
  for (uint32_t i = 1; i < file.object->sections.size(); ++i)
    if (link.placed(file.sectionBase + i))
      return true;
  return false;
}

/// Divides all symbols there are into portions of work.
void SymbolTableWriter::Builder::makePortions() {
  std::vector<uint8_t> takePart(program.files.size());
  program.parallel.forEach(
      takePart.size(), program.sections.size() * 8,
      [&](size_t i) { takePart[i] = takesPart(program.files[FileId(i)]); });
  portions.emplace_back(); // of the output sections
  for (FileId id : program.files.ids()) {
    const size_t end = program.files[id].object->symbols.size();
    for (size_t begin = 1; begin < end; begin += kSymbolsOfPortion) {
      Portion &portion = portions.emplace_back();
      portion.file = id;
      portion.withLocals = takePart[id.index()];
      portion.begin = uint32_t(begin);
      portion.end = uint32_t(std::min(begin + kSymbolsOfPortion, end));
    }
  }
  portions.emplace_back(); // of symbols of no file
}

void SymbolTableWriter::Builder::add(Portion &portion, Run &run, StringRef name,
                                     const Entry &entry) const {
  run.entries.push_back(entry);
  run.nameBytes += name.empty() ? 0 : name.size() + 1;
  portion.extended |= !entry.reserved && entry.section >= ELF::SHN_LORESERVE;
}

void SymbolTableWriter::Builder::collectLocal(Portion &portion,
                                              const InputFile &file,
                                              uint32_t index) const {
  const ParsedSymbol &sym = file.object->symbols[index];
  if (!keepLocal(file, index))
    return;
  Entry e{file.symbolBase + index, ELF::SHN_ABS, uint8_t(sym.type),
          uint8_t(sym.other),      true,         false};
  if (sym.place == SymbolPlace::Section) {
    e.reserved = false;
    place(e, link.placement.sections[file.sectionBase + sym.section].output);
  }
  add(portion, portion.locals, sym.name, e);
}

/// The symbols of a file: its local ones, and global ones that it defines, or
/// that nothing defines and it is the first to refer to.
void SymbolTableWriter::Builder::collectFile(Portion &portion) {
  const InputFile &file = program.files[portion.file];
  const SymbolId *ids = &program.symbolIds[file.symbolBase];
  for (uint32_t i = portion.begin; i < portion.end; ++i) {
    if (constexpr uint32_t kAhead = 16;
        i + kAhead < portion.end && ids[i + kAhead] != kNone)
      __builtin_prefetch(&program.symbols[ids[i + kAhead]]);
    if (portion.withLocals && !signatures.empty())
      if (auto it = signatures.find(file.symbolBase + i);
          it != signatures.end()) {
        add(portion, portion.locals, it->second,
            {file.symbolBase + i, ELF::SHN_ABS, 0, 0, true, false});
        if (ids[i] == kNone)
          continue;
      }
    if (const SymbolId id = ids[i]; id == kNone) {
      if (portion.withLocals)
        collectLocal(portion, file, i);
    } else if (const Symbol &s = program.symbols[id];
               s.file == portion.file && s.index == i) {
      ofFiles[id] = true;
      collectGlobal(portion, id);
    }
  }
}

/// What only the script or the linker itself defines or mentions, the names
/// that the script assigns first, in its order. When others were entered into
/// the symbol table depends on where the script came from.
void SymbolTableWriter::Builder::collectOthers(Portion &portion) {
  auto add = [&](SymbolId id) {
    if (id != kNone && !std::exchange(ofFiles[id], true))
      collectGlobal(portion, id);
  };
  link.placement.forEachAssignment(
      [&](const AssignmentCommand &a) { add(program.symbols.find(a.name)); });
  for (SymbolId id : program.symbols.ids())
    add(id);
}

/// Whether a reference that nothing satisfies is in the table: a weak one stays
/// visible as such. In a relocatable output it is all that the next link has to
/// go by.
bool SymbolTableWriter::Builder::showsUndefined(SymbolId id) const {
  if (relocatable && !program.config.gcSections)
    return program.symbols[id].referenced || isNeeded(id);
  return isNeeded(id) || (referenced.size() && referenced[id]);
}

void SymbolTableWriter::Builder::collectGlobal(Portion &portion,
                                               SymbolId id) const {
  const BoundSymbol s = link.symbol(id);
  // -s leaves an object the names by which others know it (GNU ld).
  const bool stays = relocatable && !program.retained;
  if (!stays && !retains(s.name) && !keeps(s.name) && !isNeeded(id))
    return;
  Entry e{id.index(), ELF::SHN_UNDEF, uint8_t(s.type), s.other, true, true};
  // The other files of the program may still refer to it.
  bool local = s.isHidden() && !relocatable;
  switch (s.kind) {
  case SymbolKind::Defined: {
    if (!link.placed(s.section) || link.isDeadPiece(s.section, s.value))
      return;
    if (program.config.strip == Strip::Debug && !isNeeded(id) &&
        !(program.sections[s.section].parsed->flags & ELF::SHF_ALLOC))
      return;
    e.reserved = false;
    place(e, link.placement.sections[s.section].output);
    break;
  }
  case SymbolKind::Output:
    e.reserved = false;
    place(e, s.output);
    break;
  case SymbolKind::Absolute:
    e.section = ELF::SHN_ABS;
    if (s.output != kNone) {
      e.reserved = false;
      place(e, s.output);
    }
    break;
  case SymbolKind::Common:
    e.section = ELF::SHN_COMMON;
    break;
  default:
    if (!showsUndefined(id))
      return;
    local = false;
    break;
  }
  uint8_t binding =
      s.binding == ELF::STB_WEAK ? ELF::STB_WEAK : ELF::STB_GLOBAL;
  e.info |= uint8_t((local ? uint8_t(ELF::STB_LOCAL) : binding) << 4);
  e.other |= s.hidden && relocatable && s.visibility == ELF::STV_DEFAULT
                 ? uint8_t(ELF::STV_HIDDEN)
                 : s.visibility;
  add(portion, local ? portion.hidden : portion.globals, s.name, e);
}

/// Says where the symbols of each portion of work begin, and their names.
void SymbolTableWriter::Builder::number() {
  size_t index = 1, names = 1;
  for (Run Portion::*runs : kRuns)
    for (Portion &portion : portions) {
      Run &run = portion.*runs;
      run.index = index;
      run.nameAt = names;
      index += run.entries.size();
      names += run.nameBytes;
    }
}

/// Values of thread-local symbols are offsets in the template, and values of an
/// object's symbols are offsets in their sections (gABI).
void SymbolTableWriter::Builder::findBases() {
  if (!relocatable) {
    if (link.info.threadLocalStart != kNone)
      templateBase = link.output(link.info.threadLocalStart).address.wrapped();
    return;
  }
  for (const OutputView &out : link.outputs())
    if (const uint32_t header = headers[out.id]) {
      bases.resize(std::max<size_t>(bases.size(), header + 1));
      bases[header] = out.address.wrapped();
    }
}

/// `global`: the symbol, of a local null.
uint64_t SymbolTableWriter::Builder::valueOf(const Entry &e,
                                             const Symbol *global) const {
  if (!global && e.info == ELF::STT_SECTION)
    return relocatable ? 0 : link.output(OutputId(e.symbol)).address.wrapped();
  if (global && e.reserved && e.section == ELF::SHN_COMMON)
    return global->value; // its alignment
  const uint64_t value = e.isGlobal ? values.globals[SymbolId(e.symbol)]
                                    : values.address[e.symbol];
  if (e.reserved)
    return value;
  if (relocatable)
    return value - (e.section < bases.size() ? bases[e.section] : 0);
  return (e.info & 0xf) == ELF::STT_TLS ? value - templateBase : value;
}

/// Divides the table into spans. The null symbol and its name begin the first.
void SymbolTableWriter::Builder::divide() {
  size_t symbol = 0;
  uint64_t name = 0;
  for (Run Portion::*kind : kRuns)
    for (size_t next = 0; next < portions.size();) {
      PortionRange range{kind, next, next, {symbol, 0, name, 0}};
      while (range.end < portions.size() &&
             range.span.symbols < kSymbolsOfSpan) {
        const Run &last = portions[range.end++].*kind;
        range.span.symbols = last.index + last.entries.size() - symbol;
        range.span.nameBytes = last.nameAt + last.nameBytes - name;
      }
      next = range.end;
      symbol += range.span.symbols;
      name += range.span.nameBytes;
      if (range.span.symbols)
        spans.push_back(range);
    }
}

/// Renders the symbols of one kind of a portion of work, and their names.
template <class ELFT>
void SymbolTableWriter::Builder::renderRun(const Portion &portion,
                                           const Run &run,
                                           const SymbolSpan &span,
                                           const SpanBytes &to) const {
  using Sym = typename ELFT::Sym;
  size_t index = run.index - span.symbol;
  uint64_t at = run.nameAt - span.name;
  for (const Entry &e : run.entries) {
    Sym sym;
    std::memset(&sym, 0, sizeof(sym));
    BoundSymbol global;
    StringRef name;
    if (e.isGlobal) {
      global = link.symbol(SymbolId(e.symbol));
      name = global.name;
      sym.st_size = global.size;
    } else if (portion.file != kNone) {
      const InputFile &file = program.files[portion.file];
      const ParsedSymbol &local =
          file.object->symbols[e.symbol - file.symbolBase];
      const auto group = signatures.find(e.symbol);
      name = group != signatures.end() ? group->second : local.name;
      sym.st_size = local.size;
    }
    if (!name.empty()) {
      sym.st_name = uint32_t(span.name + at);
      std::memcpy(to.strtab.data() + at, name.data(), name.size());
      to.strtab[at + name.size()] = 0;
      at += name.size() + 1;
    }
    sym.st_value = valueOf(e, e.isGlobal ? &global : nullptr);
    sym.st_info = e.info;
    sym.st_other = e.other;
    const bool isFar = !e.reserved && e.section >= ELF::SHN_LORESERVE;
    sym.st_shndx = isFar ? uint16_t(ELF::SHN_XINDEX) : uint16_t(e.section);
    if (isExtended)
      support::endian::write32le(to.shndx.data() + index * 4,
                                 isFar ? e.section : 0);
    std::memcpy(to.symtab.data() + index * sizeof(Sym), &sym, sizeof(sym));
    ++index;
  }
}

template <class ELFT>
void SymbolTableWriter::Builder::render(const PortionRange &range,
                                        const SpanBytes &to) const {
  if (range.span.symbol == 0) { // the null symbol
    std::fill_n(to.symtab.begin(), sizeof(typename ELFT::Sym), uint8_t(0));
    std::fill_n(to.shndx.begin(), isExtended ? 4 : 0, uint8_t(0));
    to.strtab.front() = 0;
  }
  for (size_t i = range.begin; i < range.end; ++i)
    renderRun<ELFT>(portions[i], portions[i].*range.kind, range.span, to);
}

/// By symbolBase + index: where the symbol is in the table, 0 for nowhere.
std::vector<uint32_t> SymbolTableWriter::Builder::findIndices() {
  std::vector<uint32_t> bySlot(program.symbolIds.size());
  IdVector<SymbolId, uint32_t> byGlobal(program.symbols.size());
  for (const Portion &portion : ArrayRef(portions).drop_front())
    for (Run Portion::*runs : kRuns) {
      const Run &run = portion.*runs;
      for (size_t i = 0; i < run.entries.size(); ++i) {
        const Entry &e = run.entries[i];
        const uint32_t index = uint32_t(run.index + i);
        if (e.isGlobal)
          byGlobal[SymbolId(e.symbol)] = index;
        else if (signatures.contains(e.symbol))
          signatureIndices[e.symbol] = index; // nothing else refers to it
        else
          bySlot[e.symbol] = index;
      }
    }
  for (size_t slot = 0; slot < bySlot.size(); ++slot)
    if (SymbolId id = program.symbolIds[slot]; id != kNone)
      bySlot[slot] = byGlobal[id];
  return bySlot;
}

void SymbolTableWriter::Builder::build() {
  ofFiles.assign(program.symbols.size(), false);
  findSignatures();
  makePortions();
  findNeighbours();
  findNeeded();
  findMentioned();
  findBases();
  collectSections();
  // Those behind the output sections and in front of the symbols of no file.
  program.parallel.forEach(portions.size() - 2,
                           program.symbolIds.size() * kSymbolWork,
                           [&](size_t i) { collectFile(portions[1 + i]); });
  collectOthers(portions.back());
  number();
  divide();
  isExtended =
      any_of(portions, [](const Portion &portion) { return portion.extended; });
  if (wantIndices)
    indices = findIndices();
}

SymbolTableWriter::SymbolTableWriter(
    const Link &link, const SymbolValues &values,
    const IdVector<OutputId, uint32_t> &headers, bool wantIndices)
    : is64(link.program.target->is64),
      built(std::make_unique<Builder>(link, values, headers, wantIndices)) {
  built->build();
}

SymbolTableWriter::~SymbolTableWriter() = default;

size_t SymbolTableWriter::count() const {
  const Builder::Run &last = built->portions.back().globals;
  return last.index + last.entries.size();
}

uint64_t SymbolTableWriter::nameBytes() const {
  const Builder::Run &last = built->portions.back().globals;
  return last.nameAt + last.nameBytes;
}

size_t SymbolTableWriter::entrySize() const {
  return is64 ? sizeof(ELF64LE::Sym) : sizeof(ELF32LE::Sym);
}

uint32_t SymbolTableWriter::firstGlobal() const {
  return uint32_t(built->portions.front().globals.index);
}

bool SymbolTableWriter::isExtended() const { return built->isExtended; }

const std::vector<uint32_t> &SymbolTableWriter::indices() const {
  return built->indices;
}

uint32_t SymbolTableWriter::signatureIndex(uint32_t slot) const {
  return built->signatureIndices.lookup(slot);
}

const IdVector<OutputId, uint32_t> &SymbolTableWriter::sections() const {
  return built->sections;
}

size_t SymbolTableWriter::spans() const { return built->spans.size(); }

SymbolSpan SymbolTableWriter::span(size_t number) const {
  return built->spans[number].span;
}

void SymbolTableWriter::render(size_t number, MutableArrayRef<uint8_t> symtab,
                               MutableArrayRef<uint8_t> strtab,
                               MutableArrayRef<uint8_t> shndx) const {
  const Builder::PortionRange &range = built->spans[number];
  if (is64)
    built->render<ELF64LE>(range, {symtab, strtab, shndx});
  else
    built->render<ELF32LE>(range, {symtab, strtab, shndx});
}

} // namespace xlink
