//===- LinkTables.cpp -----------------------------------------------------===//
//
// Problem: a relocation says "place, symbol, addend" with the numbers of its
// input; in an output that keeps it, the place has moved, the symbol has
// another index or none at all, and a section's symbol is now that of the
// output section. The indices in expressions and groups change likewise.
//
// Method: output sections are walked with their members, in parallel. A symbol
// that is in the output's table keeps its addend. A section's, or one without a
// name, becomes the symbol of the output section that it is in, and the
// distance goes into the addend. A reference to something dropped has no
// relocation any more: its field holds the value that a program has there.
// Tables are RELA even if the inputs had REL: not every field has room for an
// addend.
//
// Expressions keep their order and their unknown operators; entries that refer
// to something outside of the output go. CopiedStrings are copied as entries
// name them, and the whole string table of an object at most once, so that
// entries that share a long string do not multiply it.
//
// Cost: linear in relocations and entries.
//
//===----------------------------------------------------------------------===//
#include "base/ByteOrder.h"
#include "input/ExprFormat.h"
#include "output/Relocator.h"
#include "output/Tables.h"
#include "sections/SettleContributions.h"
#include <cstring>

using namespace llvm;
using llvm::support::endian::read32le;
using llvm::support::endian::write32le;

namespace xlink {

namespace {

/// The symbol and addend of a relocation in the output.
struct Referent {
  uint32_t symbol; ///< index in the symbol table
  int64_t addend;
};

/// Strings of one object in the output's string table.
class CopiedStrings {
public:
  /// `begin`: where `to` begins in the output's string table.
  CopiedStrings(StringRef from, SmallVectorImpl<uint8_t> &to, uint64_t begin)
      : from(from), to(to), begin(begin) {}
  /// The index there of the string at `offset`; any other number stays.
  uint32_t indexOf(uint32_t offset) {
    if (offset >= from.size())
      return offset;
    if (whole)
      return *whole + offset;
    auto [it, isNew] = known.try_emplace(offset, end());
    if (!isNew)
      return it->second;
    const StringRef text = from.drop_front(offset).split('\0').first;
    copied += text.size() + 1;
    if (copied > from.size()) {
      whole = end();
      to.insert(to.end(), from.begin(), from.end());
      return *whole + offset;
    }
    to.insert(to.end(), text.begin(), text.end());
    to.push_back(0);
    return it->second;
  }

private:
  uint32_t end() const { return uint32_t(begin + to.size()); }

  const StringRef from;
  SmallVectorImpl<uint8_t> &to;
  const uint64_t begin;
  DenseMap<uint64_t, uint32_t> known; ///< wider keys: it reserves two of them
  uint64_t copied = 0;
  std::optional<uint32_t> whole; ///< where the table as a whole was copied
};

class LinkTableBuilder {
public:
  LinkTableBuilder(const LinkedProgram &output, const OutputSymbols &symbols,
                   Diagnostics &diag)
      : link(output.link), program(link.program), values(output.values),
        layout(output.layout), symbols(symbols), indices(symbols.indices),
        diag(diag), relocator(link, values) {}

  LinkTables build() {
    LinkTables tables;
    addRelocations(tables);
    addGroups(tables);
    addStatements(tables);
    // ELF32_R_SYM has 24 bits.
    const uint64_t count = symbols.count;
    if (!program.target->is64 && count > 1 << 24)
      diag.error("the output would have " + std::to_string(count) +
                 " symbols; relocations of an ELF32 file count up to 16777216");
    const uint64_t names = symbols.strtab.size() + tables.strings.size();
    if (names > UINT32_MAX)
      diag.error("the names of the output's symbols would have " +
                 std::to_string(names) +
                 " bytes; an ELF file counts up to 4294967295");
    return tables;
  }

private:
  // Relocations.

  /// The address of a relocation's place; nothing where that was cut out.
  std::optional<uint64_t> placeOf(SectionId id, const Relocation &rel) const {
    if (const unsigned word = reversedWordSize(link, id)) {
      const RelocationRow *row = findRelocation(*program.target, rel.type);
      const uint64_t at =
          row && row->bytes
              ? reversedOffset(rel.offset, link.section(id).size, word)
              : rel.offset;
      return (link.addressOf(id) + at).wrapped();
    }
    if (!link.keepsByte(id, rel.offset))
      return std::nullopt;
    return link.addressOf(id, rel.offset);
  }

  /// An address as a distance from the symbol of its output section.
  Referent inOutput(OutputId output, uint64_t address) const {
    const uint64_t base = link.output(output).address.wrapped();
    return {indices.sections[output], int64_t(address - base)};
  }

  /// Nothing for a reference to something that is not in the output.
  std::optional<Referent> referentOf(const InputFile &file,
                                     const Relocation &rel,
                                     bool describesOnce) const {
    if (rel.symbol == 0)
      return Referent{0, rel.addend};
    const RelocationTarget found = relocator.targetOf(file, rel, describesOnce);
    if (found.kind == ValueKind::Discarded || found.beyond)
      return std::nullopt; // the latter is reported where the field is computed
    if (found.kind == ValueKind::Merged)
      return inOutput(link.placement.sections[found.holder].output, found.S);
    const uint32_t slot = file.symbolBase + rel.symbol;
    const ParsedSymbol &sym = file.object->symbols[rel.symbol];
    if (const uint32_t index = indices.symbols[slot])
      return Referent{index, rel.addend};
    if (program.symbolIds[slot] != kNone || sym.place != SymbolPlace::Section)
      return Referent{0, int64_t(values.address[slot] + uint64_t(rel.addend))};
    Referent at =
        inOutput(link.placement.sections[file.sectionBase + sym.section].output,
                 values.address[slot]);
    at.addend = int64_t(uint64_t(at.addend) + uint64_t(rel.addend));
    return at;
  }

  /// Appends the relocations of an input section.
  void collect(SectionId id, SmallVectorImpl<uint8_t> &table,
               DiagnosticBuffer &problems) const {
    const SectionView s = link.section(id);
    if (s.file == kNone || !s.placed())
      return;
    const Target &target = *program.target;
    const InputFile &file = program.files[s.file];
    // A place counts from the section's start in an object (gABI).
    const uint64_t base = program.config.relocatable
                              ? link.output(s.output).address.wrapped()
                              : 0;
    const bool once = relocator.describesOnce(*s.parsed);
    for (uint32_t r = s.parsed->relocBegin; r < s.parsed->relocEnd; ++r) {
      const Relocation &rel = file.object->relocations[r];
      const std::optional<uint64_t> place = placeOf(id, rel);
      const std::optional<Referent> referent = referentOf(file, rel, once);
      if (!place || !referent)
        continue;
      // An input's addend counts modulo 2^32; the distance of a symbol from its
      // section does not.
      const int64_t distance =
          int64_t(uint64_t(referent->addend) - uint64_t(rel.addend));
      const bool isFar = referent->symbol && !isInt<32>(distance);
      if (!target.is64 &&
          (isFar || rel.addend < INT32_MIN || rel.addend > int64_t(UINT32_MAX)))
        problems.error(program.place(id, rel.offset) + ": the addend " +
                       std::to_string(isFar ? referent->addend : rel.addend) +
                       " does not fit into the relocations of the output");
      const size_t at = table.size();
      table.resize_for_overwrite(at + elfSizes(target.is64).rela);
      RecordWriter entry(table.data() + at, target.is64, target.isBig);
      entry.word(*place - base);
      entry.word(target.is64 ? uint64_t(referent->symbol) << 32 | rel.type
                             : referent->symbol << 8 | (rel.type & 0xff));
      entry.word(uint64_t(referent->addend));
    }
  }

  void addRelocations(LinkTables &tables) const {
    std::vector<OutputId> outputs;
    TableList found;
    for (const OutputView &out : link.outputsInOrder()) {
      if (!layout.headers[out.id])
        continue;
      outputs.push_back(out.id);
      Table &table = found.emplace_back();
      table.name = ".rela" + out.name;
      table.type = ELF::SHT_RELA;
      table.align = program.addressSize();
      table.entsize = elfSizes(program.target->is64).rela;
      table.flags = ELF::SHF_INFO_LINK | (out.flags & ELF::SHF_GROUP);
      table.info = layout.headers[out.id];
    }
    std::vector<DiagnosticBuffer> problems(found.size());
    program.parallel.forEach(found.size(), program.inputBytes, [&](size_t i) {
      for (SectionId id : link.placement.outputs[outputs[i]].members)
        collect(id, found[i].bytes, problems[i]);
    });
    for (DiagnosticBuffer &some : problems)
      diag.append(std::move(some));
    for (Table &table : found)
      if (!table.bytes.empty())
        tables.others.push_back(std::move(table));
  }

  // Groups.

  /// Where a symbol of an input is in the output's table; 0: nowhere.
  uint32_t indexOf(const InputFile &file, uint32_t symbol) const {
    if (const uint32_t index = indices.symbols[file.symbolBase + symbol])
      return index;
    const ParsedSymbol &sym = file.object->symbols[symbol];
    if (sym.place != SymbolPlace::Section || sym.type != ELF::STT_SECTION)
      return 0;
    const SectionId section = file.sectionBase + sym.section;
    return link.placed(section)
               ? indices.sections[link.placement.sections[section].output]
               : 0;
  }

  /// A group lists its sections and their relocation tables (gABI, "Section
  /// Groups").
  void addGroups(LinkTables &tables) const {
    DenseMap<uint32_t, uint32_t> relocationsOf; // by header
    for (uint32_t i = 0; i < tables.others.size(); ++i)
      relocationsOf[tables.others[i].info] = layout.sectionCount + i;
    for (const KeptGroup &kept : layout.groups) {
      const InputFile &file = program.files[kept.file];
      const ParsedGroup &group = file.object->groups[kept.group];
      std::vector<uint32_t> words = {group.comdat ? uint32_t(ELF::GRP_COMDAT)
                                                  : 0};
      for (uint32_t member : group.members) {
        const SectionId id = file.sectionBase + member;
        const uint32_t header =
            link.placed(id) ? layout.headers[link.placement.sections[id].output]
                            : 0;
        if (header == 0)
          continue;
        words.push_back(header);
        if (auto it = relocationsOf.find(header); it != relocationsOf.end())
          words.push_back(it->second);
      }
      Table table{".group", ELF::SHT_GROUP,
                  SmallVector<uint8_t, 0>(words.size() * 4)};
      for (size_t i = 0; i < words.size(); ++i)
        write32(table.bytes.data() + 4 * i, words[i], program.target->isBig);
      table.align = table.entsize = 4;
      table.info = indices.signatures.lookup(file.symbolBase + group.symbol);
      if (table.info == 0)
        table.info = indexOf(file, group.symbol);
      tables.groups.push_back(std::move(table));
    }
  }

  // Expressions and types.

  /// Gives an entry of five words the output's indices; false: it refers to
  /// something that is not in the output.
  bool renumber(const InputFile &file, CopiedStrings &strings,
                uint8_t *entry) const {
    const RawExpr raw(entry);
    auto symbol = [&](uint32_t index, uint8_t *to) {
      if (index == 0)
        return true;
      // An unknown operator's number need not be one; it names none here too.
      const uint32_t now = index < file.object->symbols.size()
                               ? indexOf(file, index)
                               : UINT32_MAX;
      write32le(to, now);
      return now != 0;
    };
    if (!symbol(raw.result, entry + 4))
      return false;
    for (unsigned k = 0; k < 3; ++k) {
      uint8_t *to = entry + 8 + 4 * k;
      if (raw.kind(k) == ExprOperandKind::Symbol &&
          !symbol(raw.operands[k], to))
        return false;
      if (raw.kind(k) == ExprOperandKind::String)
        write32le(to, strings.indexOf(raw.operands[k]));
    }
    return true;
  }

  void addStatements(LinkTables &tables) {
    Table expressions, types;
    auto take = [](Table &table, const ParsedSection &from) {
      if (table.name.empty()) {
        table.name = from.name.str();
        table.type = from.type;
      }
      table.align = 4; // words; the alignment of inputs is not checked
    };
    for (const InputFile &file : program.files) {
      CopiedStrings strings(file.object->symbolStrings, tables.strings,
                            symbols.strtab.size());
      for (const ParsedSection &section : file.object->sections) {
        if (section.kind == SectionKind::Expr) {
          take(expressions, section);
          for (uint64_t at = 0; at < section.data().size();
               at += kExprEntrySize) {
            uint8_t entry[kExprEntrySize];
            std::memcpy(entry, section.data().data() + at, kExprEntrySize);
            if (renumber(file, strings, entry))
              expressions.bytes.insert(expressions.bytes.end(), entry,
                                       entry + kExprEntrySize);
          }
        } else if (section.kind == SectionKind::Types) {
          take(types, section);
          const size_t begin = types.bytes.size();
          types.bytes.insert(types.bytes.end(), section.data().begin(),
                             section.data().end());
          for (size_t at = begin; at < types.bytes.size(); at += 4)
            write32le(types.bytes.data() + at,
                      strings.indexOf(read32le(types.bytes.data() + at)));
        }
      }
    }
    for (Table *table : {&expressions, &types})
      if (!table->bytes.empty())
        tables.others.push_back(std::move(*table));
  }

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const FileLayout &layout;
  const OutputSymbols &symbols;
  const SymbolIndices &indices;
  Diagnostics &diag;
  const Relocator relocator;
};

} // namespace

LinkTables buildLinkTables(const LinkedProgram &output,
                           const OutputSymbols &symbols, Diagnostics &diag) {
  return LinkTableBuilder(output, symbols, diag).build();
}

} // namespace xlink
