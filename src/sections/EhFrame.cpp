//===- EhFrame.cpp --------------------------------------------------------===//
//
// Problem: .eh_frame describes all functions of a file in one section. Records
// of functions that are not in the output would describe address 0; each file
// has the same CIE again; and a terminator in the middle hides all later
// records.
//
// Method: an input section may be cut (CutSection): only some ranges of its
// bytes stay, and the linker computes some words in them. So records are chosen
// here, and sizes, addresses of symbols, places of relocations and the bytes
// follow. An FDE stays if the section of its function is in the output. CIEs
// are equal when their bytes are and their relocations name the same things;
// the first of them that is needed stays, and FDEs reach it over section
// boundaries by a word that holds the distance. An unchanged section is not
// cut.
//
// Cost: one visit of each record; one hash of each CIE. Nothing in links
// without .eh_frame.
//
//===----------------------------------------------------------------------===//
#include "input/ElfReader.h"
#include "sections/SettleContributions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

std::vector<EhFrame> readEhFrames(const Program &program,
                                  const Placement &placement,
                                  Diagnostics &diag) {
  std::vector<EhFrame> frames;
  size_t bytes = 0;
  if (none_of(placement.classes,
              [](const SectionClass &c) { return c.unwind; }))
    return frames;
  for (SectionId id : program.sections.ids(1)) {
    if (!placement.classOf(id).unwind)
      continue;
    const InputSection &s = program.sections[id];
    if (placement.sections[id].discarded || s.file == kNone ||
        s.parsed->data().empty() || !(s.parsed->flags & ELF::SHF_ALLOC))
      continue;
    frames.emplace_back().section = id;
    bytes += s.parsed->data().size();
  }
  std::vector<std::optional<EhFrameError>> problems(frames.size());
  program.parallel.forEach(frames.size(), bytes, [&](size_t i) {
    EhFrame &frame = frames[i];
    const InputSection &s = program.sections[frame.section];
    problems[i] = readEhFrame(*program.files[s.file].object, *s.parsed,
                              *program.target, frame);
    if (problems[i])
      frame.records.clear();
  });
  for (size_t i = 0; i < frames.size(); ++i)
    if (const std::optional<EhFrameError> &p = problems[i])
      diag.error([&] {
        return Message{program.place(frames[i].section, p->offset) + ": " +
                       p->text};
      });
  return frames;
}

SectionId describedSection(const Program &program, const EhFrame &frame,
                           const EhRecord &fde) {
  if (fde.function == kNone)
    return kNone;
  const InputFile &file = program.files[program.sections[frame.section].file];
  const Relocation &rel = file.object->relocations[fde.function];
  const ParsedSymbol &sym = file.object->symbols[rel.symbol];
  SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
  if (sym.place == SymbolPlace::Section) {
    // The file describes its own code. When the link took another definition,
    // that one has a record of its own.
    SectionId own = file.sectionBase + sym.section;
    if (id == kNone)
      return own;
    const Symbol &s = program.symbols[id];
    return s.kind == SymbolKind::Defined && s.section == own ? own
                                                             : SectionId(0);
  }
  if (id != kNone && program.symbols[id].kind == SymbolKind::Defined)
    return program.symbols[id].section;
  return kNone;
}

namespace {

/// A CIE among all of one output section.
struct CieId {
  uint32_t frame, record;
};

/// Cuts the .eh_frame sections of one output section.
struct EhFrameCutter {
  const PartialLink &link;
  ArrayRef<EhFrame> all;
  Contributions &contributions;
  const std::vector<uint32_t> frames; ///< into `all`, in output order
  const Program &program = link.program;
  StringMap<CieId> byIdentity{};
  /// For each frame and record: whether it stays, and of an FDE whose CIE it
  /// uses.
  std::vector<std::vector<bool>> stays = {};
  std::vector<std::vector<CieId>> cieOf = {};
  bool terminated = false;

  /// Equal for equal CIEs: bytes, and for each relocation its place, type,
  /// addend and target.
  std::string identity(const EhFrame &frame, const EhRecord &cie) const {
    const InputSection &s = program.sections[frame.section];
    const InputFile &file = program.files[s.file];
    std::string text(
        toStringRef(s.parsed->data().slice(cie.begin, cie.end - cie.begin)));
    raw_string_ostream out(text);
    for (uint32_t r = cie.relocBegin; r < cie.relocEnd; ++r) {
      const Relocation &rel = file.object->relocations[r];
      out << ' ' << rel.offset - cie.begin << ' ' << rel.type << ' '
          << rel.addend;
      const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
      const ParsedSymbol &sym = file.object->symbols[rel.symbol];
      if (id != kNone)
        out << " global " << id.index();
      else if (sym.place == SymbolPlace::Section)
        out << (sym.type == ELF::STT_SECTION ? " section " : " local ")
            << (file.sectionBase + sym.section).index() << ' ' << sym.value;
      else
        out << " absolute " << sym.value;
    }
    return text;
  }

  /// Which FDEs of a frame stay, and which CIEs that takes.
  void choose(uint32_t index) {
    const EhFrame &frame = all[frames[index]];
    const size_t count = frame.records.size();
    stays[index].assign(count, false);
    cieOf[index].assign(count, {kNone, kNone});
    for (uint32_t i = 0; i < count; ++i) {
      const EhRecord &record = frame.records[i];
      if (record.isCie())
        continue;
      SectionId code = describedSection(program, frame, record);
      if (code != kNone &&
          (!link.placed(code) || contributions.sections[code].folded != kNone))
        continue;
      CieId &cie = cieOf[index][record.cie];
      if (cie.frame == kNone) {
        cie = {index, record.cie};
        if (program.config.optimize != 0 && !program.config.relocatable)
          cie =
              byIdentity
                  .try_emplace(identity(frame, frame.records[record.cie]), cie)
                  .first->second;
      }
      stays[index][i] = true;
      cieOf[index][i] = cie;
      stays[cie.frame][cie.record] = true;
    }
  }

  /// Whether the input's bytes are right as they stand.
  bool unchanged(uint32_t index, bool last) const {
    const EhFrame &frame = all[frames[index]];
    const ParsedSection &p = *program.sections[frame.section].parsed;
    if (frame.terminated || (last && terminated))
      return false;
    if (!last && p.size % p.align != 0)
      return false;
    for (uint32_t i = 0; i < frame.records.size(); ++i)
      if (!stays[index][i] ||
          (!frame.records[i].isCie() && cieOf[index][i].frame != index))
        return false;
    return true;
  }

  void cut(uint32_t index, bool last) {
    const EhFrame &frame = all[frames[index]];
    Contribution &s = contributions.sections[frame.section];
    CutSection &cut = contributions.cuts[s.cut];
    Size size;
    const EhRecord *tail = nullptr;
    for (uint32_t i = 0; i < frame.records.size(); ++i) {
      const EhRecord &record = frame.records[i];
      if (!stays[index][i])
        continue;
      if (!cut.kept.empty() && cut.kept.back().end == record.begin)
        cut.kept.back().end = record.end;
      else
        cut.kept.push_back({record.begin, record.end, size});
      if (!record.isCie()) {
        auto [owner, cie] = cieOf[index][i];
        const EhFrame &other = all[frames[owner]];
        cut.words.push_back({size + record.lengthSize, other.section,
                             other.records[cie].begin});
      }
      size += record.end - record.begin;
      tail = &record;
    }
    s.size = size;
    if (last) {
      s.size += terminated ? 4 : 0;
      return;
    }
    // Four bytes of padding would end the table for an unwinder: they go into
    // the last record instead, where zeros are no-operations.
    const Size padding =
        size.alignedTo(program.sections[frame.section].parsed->align) - size;
    if (!tail || padding == 0)
      return;
    s.size += padding;
    uint64_t at = size - (tail->end - tail->begin);
    uint64_t length = tail->end - tail->begin - tail->lengthSize + padding;
    if (tail->lengthSize == 12) // the low half: no record has 4 GiB
      at += program.target->isBig ? 8 : 4;
    cut.words.push_back({at, kNone, length});
  }

  void run() {
    stays.resize(frames.size());
    cieOf.resize(frames.size());
    for (uint32_t i = 0; i < frames.size(); ++i) {
      choose(i);
      terminated |= all[frames[i]].terminated;
    }
    for (uint32_t i = 0; i < frames.size(); ++i) {
      bool last = i + 1 == frames.size();
      if (unchanged(i, last))
        continue;
      contributions.sections[all[frames[i]].section].cut =
          uint32_t(contributions.cuts.size());
      contributions.cuts.emplace_back();
      cut(i, last);
    }
  }
};

} // namespace

void cutEhFrames(const Program &program, const Placement &placement,
                 const std::vector<EhFrame> &all,
                 Contributions &contributions) {
  if (all.empty())
    return;
  const PartialLink link{program, placement, contributions};
  DenseMap<SectionId, uint32_t> frameOf;
  for (uint32_t i = 0; i < all.size(); ++i) {
    // Without records it was in error, or is a lone terminator.
    if (link.placed(all[i].section) &&
        (!all[i].records.empty() || all[i].terminated))
      frameOf[all[i].section] = i;
  }
  for (const OutputSection &out : placement.outputs) {
    std::vector<uint32_t> frames;
    for (SectionId member : out.members)
      if (auto it = frameOf.find(member); it != frameOf.end())
        frames.push_back(it->second);
    if (!frames.empty())
      EhFrameCutter{link, all, contributions, std::move(frames)}.run();
  }
}

} // namespace xlink
