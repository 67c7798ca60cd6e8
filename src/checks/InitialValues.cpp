//===- InitialValues.cpp - start-up code that copies from the wrong place -===//
//
// Problem: .data runs in RAM and is stored in flash; start-up code copies it,
// from a symbol of the script. Variables have wrong values on the board, though
// every address in the map is right, if
//
//   load-symbol   the symbol is not where the values are: `_etext` stands in
//                 front of .ARM.exidx, an orphan or padding that was put
//                 between it and .data, or it is .data's address in RAM. All
//                 values are shifted, or RAM is copied to itself. Or nothing
//                 copies, since the program is loaded to where it runs, and
//                 `.data : AT(_etext)` is rounded in another way than its
//                 address.
//   never-copied  another section of this kind (.ccmram, .RamFunc) is stored
//   too,
//                 and start-up code knows .data alone. The section holds what
//                 RAM had before: a call into it ends in a fault.
//   copy-offset   one loop copies several sections, but padding between them is
//                 not the same in flash and RAM: from the second one on values
//                 are shifted. Or dot is aligned in front of the symbol where
//                 the copy begins in RAM, and its source is the padding.
//
// Method: sections that run elsewhere than they are stored, by address. Such a
// section is reached if a mark (ReferredSymbols) is its load address, or if its
// neighbour below in the same region is reached, no mark ends the copy between
// the two, and both have one distance from address to load address. The range
// of a loop is not known, only its marks: one near the load address, or at the
// end of another section in the same memory and used by the same code as the
// section's address, is taken for its source.
//
// Silent: programs that refer to no load address, or whose first code is moved
// too, which a loader copies; OVERLAY, whose manager copies; --init-tables;
// sections of which the program has LOADADDR in a value; read-only sections
// outside of writable regions, for which flash may have two addresses; for
// never-copied, sections at the same distance behind a section that is
// copied, with a mark at its end.
//
// Cost: a sort of these few sections, and for each two searches among the
// marks.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {
namespace {

/// A section that start-up code has to copy.
struct Stored {
  OutputId id;
  enum State : uint8_t {
    Alone,   ///< nothing refers to where it is stored
    Reached, ///< a mark does, or the loop of its neighbour
    Shifted, ///< that loop has another distance
    Near,    ///< a mark is near
    Itself,  ///< a mark for its load address is its address
    Padded,  ///< the copy goes to behind the padding that it begins with
    Beside   ///< it runs a few bytes beside where it is stored
  } state = Alone;
  const ReferredMark *mark = nullptr; ///< of Near, Itself and Padded
  OutputId before = {};               ///< the neighbour, of Shifted
  uint64_t loopEnd = 0; ///< of Reached: the address up to which its loop copies
};

/// Whether a symbol is called like a place where something is stored.
bool isNamedLikeSource(StringRef name) {
  const std::string lower = name.lower();
  return any_of(
      ArrayRef<StringRef>{"load", "lma", "idata", "rom", "flash", "src",
                          "source", "etext", "image"},
      [&](StringRef word) { return StringRef(lower).contains(word); });
}

/// A symbol is rounded up by less than so many bytes.
constexpr uint64_t kInside = 64;
/// Padding of at most so many bytes separates an end from what follows it.
constexpr uint64_t kFar = 256;

struct Copies {
  const Link &link;
  const Program &program = link.program;
  const FinishedLink &finished;
  std::vector<Stored> sections{};

  explicit Copies(const FinishedLink &finished)
      : link(finished.link), finished(finished) {
    if (program.initTables != kNone || isMovedWhole())
      return;
    for (const OutputView &out : link.outputs())
      if (isLoaded(out) && out.loadAddress != out.address && !out.overlay &&
          ((out.flags & ELF::SHF_EXECINSTR) || !isReadInPlace(link, out)) &&
          !isFixed(out))
        sections.push_back({out.id});
    if (sections.empty())
      return;
    findKnown();
    llvm::stable_sort(sections, [&](const Stored &a, const Stored &b) {
      return link.output(a.id).address < link.output(b.id).address;
    });
    const Stored *before = nullptr;
    for (Stored &s : sections) {
      classify(s, before);
      before = &s;
    }
  }
  static bool isReached(const Stored &s) {
    return s.state == Stored::Reached || s.state == Stored::Padded;
  }
  /// Whether start-up code copies by symbols at all.
  bool anyReached() const { return any_of(sections, isReached); }
  /// Whether a loop that begins in the section below may go on to this one's
  /// end: of the marks between the two, none is the other one's.
  bool mayBeReached(const Stored &s) const {
    if (&s == &sections.front())
      return false;
    const Stored &before = (&s)[-1];
    const OutputView out = link.output(s.id), first = link.output(before.id);
    const uint64_t end = out.place.end().wrapped();
    const auto isOwn = [&](const ReferredMark &m) {
      return m.symbol != kNone && link.symbol(m.symbol).output == out.id;
    };
    return isReached(before) && first.region == out.region &&
           distance(first) == distance(out) &&
           all_of(references().marksIn(first.place.end().wrapped(),
                                       out.address.wrapped() + 1),
                  isOwn) &&
           !references().marksIn(end, end + 16).empty();
  }
  /// The section that is stored directly in front of another one; kNone: there
  /// is none.
  OutputId storedBefore(const OutputView &out) const {
    OutputId before;
    for (const OutputView &other : link.outputs())
      if (isLoaded(other) && other.place.loadEnd() <= out.loadAddress &&
          (before == kNone ||
           link.output(before).loadAddress < other.loadAddress))
        before = other.id;
    return before;
  }

  /// "'.ARM.exidx' (8 bytes, an orphan) stands between: ..."
  std::string betweenText(const ReferredMark &mark,
                          const OutputView &out) const {
    std::vector<std::string> names;
    for (const OutputView &q : link.outputs())
      if (isLoaded(q) && q.loadAddress < out.loadAddress &&
          Address(mark.value) < q.place.loadEnd())
        names.push_back("'" + q.name + "' (" + std::to_string(q.size) +
                        " bytes" + (q.command ? "" : ", an orphan") + ")");
    return join(names, " and ") + (names.size() == 1 ? " stands" : " stand") +
           " between: all initial values are shifted";
  }
  Message besideText(const Stored &s) const {
    const OutputView out = link.output(s.id);
    const bool behind = out.loadAddress < out.address;
    return {sectionText(out) + " is loaded at " + hex(out.loadAddress) +
                ", but runs at " + hex(out.address) + ", " +
                std::to_string(behind ? -distance(out) : distance(out)) +
                " bytes " + (behind ? "behind" : "in front of") +
                " it, and nothing copies it: all initial values are shifted",
            {"the address and AT() are aligned in different ways; without AT() "
             "the section is loaded where it runs"}};
  }
  Message paddedText(const Stored &s) const {
    const OutputView out = link.output(s.id);
    const std::string padding =
        std::to_string(s.mark->value - out.address.wrapped());
    return {sectionText(out) + " begins with " + padding +
                " bytes of padding in flash too, but start-up code copies from "
                "there, " +
                hex(out.loadAddress) + ", to behind it, " +
                markText(program, *s.mark) + ": all initial values are shifted",
            {"referred to by " + placeOf(program, s.mark->from),
             "align the section itself, '" + out.name +
                 " : ALIGN(...)', in place of dot in front of the symbol"}};
  }

private:
  const ReferredSymbols &references() const { return finished.references(); }
  /// Sections of which code or data has a LOADADDR.
  StringSet<> known{};

  /// Whether the script states both addresses as numbers: tools or the hardware
  /// take the bytes there.
  static bool isFixed(const OutputView &out) {
    const auto isNumber = [](const ExprPtr &e) {
      return e && e->kind == ExprKind::Number;
    };
    return out.command && isNumber(out.command->address) &&
           isNumber(out.command->lma);
  }
  /// Whether the code where the program begins runs elsewhere than it is
  /// stored: a loader moves everything.
  bool isMovedWhole() const {
    const SectionId entry =
        program.entrySymbol == kNone
            ? SectionId()
            : link.definitionOf(program.entrySymbol).section;
    if (entry == kNone || !link.placed(entry))
      return false;
    const OutputView out = link.output(link.section(entry).output);
    return out.loadAddress != out.address;
  }
  void findKnown() {
    const auto note = [&](const ExprPtr &value) {
      if (value)
        forEachNode(value.get(), [&](const Expr &e) {
          if (e.kind == ExprKind::LoadAddr)
            known.insert(e.name);
        });
    };
    forEachCommand(
        program.script,
        ScriptVisitor{[&](const AssignmentCommand &a) {
                        const SymbolId id = program.symbols.find(a.name);
                        if (id != kNone && !references().of(id).empty())
                          note(a.value);
                      },
                      [&](const DataCommand &d) { note(d.value); }});
  }
  uint64_t distance(const OutputView &out) const {
    return out.loadAddress.wrapped() - out.address.wrapped();
  }

  /// Whether one section of code, or the script's own tables, refer to both.
  bool areUsedTogether(const ReferredMark &a, const ReferredMark &b) const {
    if (a.from.statement && b.from.statement)
      return true;
    return a.symbol != kNone && b.symbol != kNone &&
           any_of(references().of(a.symbol), [&](const ReferringPlace &from) {
             return any_of(references().of(b.symbol),
                           [&](const ReferringPlace &other) {
                             return other.section == from.section;
                           });
           });
  }
  bool anyUsedWith(ArrayRef<ReferredMark> marks, const ReferredMark &m) const {
    return any_of(marks, [&](const ReferredMark &other) {
      return areUsedTogether(other, m);
    });
  }
  ArrayRef<ReferredMark> marksAt(uint64_t value) const {
    return references().marksIn(value, value + 1);
  }
  /// The end of the loop that copies from a mark to an address: the first mark
  /// behind the address that the same code refers to; 0: there is none.
  uint64_t loopEnd(const ReferredMark &source, uint64_t begin) const {
    for (const ReferredMark &m : references().marksIn(begin + 1, UINT64_MAX))
      if (areUsedTogether(m, source))
        return m.value;
    return 0;
  }
  /// Whether a mark at the section's load address is where code copies from. An
  /// end of other things may be there too: of unwind tables.
  bool isSource(const ReferredMark &m, ArrayRef<ReferredMark> targets) const {
    return m.symbol == kNone || targets.empty() ||
           readMarkName(program.symbols[m.symbol].name).side != MarkName::End ||
           anyUsedWith(targets, m);
  }

  void classify(Stored &s, const Stored *before) const {
    const OutputView out = link.output(s.id);
    const uint64_t address = out.address.wrapped(),
                   load = out.loadAddress.wrapped();
    const ArrayRef<ReferredMark> sources = marksAt(load),
                                 targets = marksAt(address);
    if (known.contains(out.name) || any_of(sources, [&](const ReferredMark &m) {
          return isSource(m, targets);
        })) {
      s.state = Stored::Reached;
      for (const ReferredMark &m : sources)
        if (s.loopEnd == 0 && anyUsedWith(targets, m))
          s.loopEnd = loopEnd(m, address);
      findPadding(s, out);
      return;
    }
    if (before && (isReached(*before) || before->state == Stored::Shifted)) {
      const OutputView first = link.output(before->id);
      const uint64_t end = out.place.end().wrapped();
      const bool isInLoop =
          first.region == out.region && end <= before->loopEnd;
      const bool joined = first.region == out.region &&
                          references()
                              .marksIn(first.place.end().wrapped(), address + 1)
                              .empty();
      s.loopEnd = before->loopEnd;
      // One message for all behind the first that is shifted.
      if ((isInLoop || joined) && (distance(first) == distance(out) ||
                                   before->state == Stored::Shifted)) {
        s.state = Stored::Reached;
        return;
      }
      if ((isInLoop ||
           (joined && !references().marksIn(end, end + 16).empty())) &&
          first.lmaRegion == out.lmaRegion) {
        s.state = Stored::Shifted;
        s.before = before->id;
        return;
      }
      s.loopEnd = 0;
    }
    if (out.command && out.command->lma && !out.command->address &&
        std::min(distance(out), -distance(out)) < out.align)
      s.state = Stored::Beside;
    else
      findSource(s, out);
    // The end of other things may be the source as well.
    if (!sources.empty() && s.state != Stored::Itself &&
        s.state != Stored::Near)
      s.state = Stored::Reached;
  }

  /// Whether the loop from a mark begins as far in front of the section's
  /// address as in front of its load address.
  bool isInStep(Stored &s, const OutputView &out, const ReferredMark &m) const {
    const uint64_t to = m.value - distance(out);
    if (!anyUsedWith(marksAt(to), m))
      return false;
    const uint64_t end = loopEnd(m, to);
    if (Address(end) < out.place.end())
      return false;
    s.loopEnd = end;
    return true;
  }

  /// A mark that start-up code must take for the load address: it knows where
  /// the section runs.
  void findSource(Stored &s, const OutputView &out) const {
    const uint64_t address = out.address.wrapped(),
                   load = out.loadAddress.wrapped();
    const ArrayRef<ReferredMark> targets = marksAt(address);
    if (targets.empty())
      return;
    const OutputId q = storedBefore(out);
    if (q != kNone &&
        out.loadAddress <= link.output(q).place.loadEnd() + kFar) {
      const OutputView front = link.output(q);
      // The load address of another section that is copied is its own.
      const uint64_t first =
          front.loadAddress.wrapped() + (front.loadAddress != front.address);
      const uint64_t last = load + std::min<uint64_t>(out.align, 16);
      for (const ReferredMark &m : references().marksIn(first, last)) {
        if (m.symbol == kNone || m.value == load ||
            (Address(m.value) < front.place.loadEnd() &&
             (front.loadAddress != Address(m.value) ||
              link.symbol(m.symbol).output == q)))
          continue;
        if (anyUsedWith(targets, m)) {
          s.state = Stored::Near;
          s.mark = &m;
        } else if (isInStep(s, out, m)) {
          s.state = Stored::Reached;
          return;
        }
      }
    }
    if (s.state != Stored::Near)
      findEnd(s, out, targets.front());
    if (s.state == Stored::Near)
      return;
    const auto isOther = [&](const ReferredMark &m) {
      return m.symbol != kNone && m.symbol != targets.front().symbol;
    };
    if (none_of(targets, isOther))
      return;
    for (const ReferredMark &m : targets)
      if (m.symbol != kNone &&
          isNamedLikeSource(program.symbols[m.symbol].name)) {
        s.state = Stored::Itself;
        s.mark = &m;
      }
  }

  /// The same with several sections between: the highest mark at the end of one
  /// that code refers to beside the section's address. Or such a mark is among
  /// the first bytes that are stored.
  void findEnd(Stored &s, const OutputView &out,
               const ReferredMark &target) const {
    const auto isUsedWithTarget = [&](const ReferredMark &m) {
      const StringRef name =
          m.symbol == kNone ? "" : program.symbols[m.symbol].name;
      return !name.contains_insensitive("size") &&
             !name.contains_insensitive("len") && areUsedTogether(m, target);
    };
    if (target.symbol == kNone)
      return;
    const uint64_t load = out.loadAddress.wrapped();
    for (const ReferredMark &m : references().marksIn(
             load + 1, load + std::min<uint64_t>(out.size, kInside)))
      if (m.symbol != kNone && isUsedWithTarget(m)) {
        s.state = Stored::Near;
        s.mark = &m;
        return;
      }
    for (const OutputView &q : link.outputs()) {
      if (!isLoaded(q) || q.loadAddress != q.address ||
          q.place.loadEnd() > out.loadAddress ||
          !areInOneMemory(q.loadAddress, out.loadAddress))
        continue;
      const uint64_t end = q.place.loadEnd().wrapped();
      for (const ReferredMark &m : references().marksIn(end, end + 16))
        if (m.symbol != kNone && m.value != load && isNamedLikeEnd(m) &&
            isUsedWithTarget(m) && !isStored(m) &&
            (!s.mark || s.mark->value < m.value)) {
          s.state = Stored::Near;
          s.mark = &m;
        }
    }
  }

  /// Whether a mark is called like the end of code and constants, behind which
  /// scripts store initial values, or like their source.
  bool isNamedLikeEnd(const ReferredMark &mark) const {
    const StringRef name = program.symbols[mark.symbol].name;
    return name.contains_insensitive("etext") ||
           name.contains_insensitive("eronly") ||
           (isNamedLikeSource(name) &&
            readMarkName(name).side != MarkName::End);
  }
  /// Whether a mark is where another section is stored.
  bool isStored(const ReferredMark &mark) const {
    return any_of(sections, [&](const Stored &each) {
      return link.output(each.id).loadAddress == Address(mark.value);
    });
  }
  bool areInOneMemory(Address low, Address high) const {
    const auto &regions = link.addresses.regions;
    return regions.empty() || any_of(regions, [&](const RegionPlace &r) {
             return r.origin <= low && high < r.end();
           });
  }

  /// Whether the bytes that are copied to the section's first mark in RAM are
  /// the padding in front of it.
  void findPadding(Stored &s, const OutputView &out) const {
    const uint64_t address = out.address.wrapped(),
                   end = out.place.end().wrapped();
    const ArrayRef<ReferredMark> marks = references().marksIn(address, end);
    const auto *const first = find_if(marks, [&](const ReferredMark &m) {
      return m.symbol != kNone && link.symbol(m.symbol).output == out.id;
    });
    if (first == marks.end() || first->value == address)
      return;
    const uint64_t source = first->value + distance(out);
    if (!references().marksIn(source, source + 1).empty())
      return;
    const auto isInFront = [&](SectionId id) {
      return link.placed(id) && link.sizeOf(id) != 0 &&
             link.addressOf(id).wrapped() < first->value;
    };
    for (uint32_t k = 0; k < out.items.size(); ++k)
      if (const ScriptCommand *c = out.items[k].command;
          c && c->kind == CommandKind::Data &&
          out.address + link.item(out.section, k).offset <
              Address(first->value))
        return;
    if (any_of(out.members, isInFront))
      return;
    s.state = Stored::Padded;
    s.mark = first;
  }
};

} // namespace

void checkLoadSymbols(const FinishedLink &finished, Findings &found) {
  const Copies copies(finished);
  for (const Stored &s : copies.sections) {
    if (s.state == Stored::Beside)
      found.add([&] { return copies.besideText(s); });
    if (s.state != Stored::Near && s.state != Stored::Itself)
      continue;
    found.add([&] {
      const Program &program = copies.program;
      const OutputView out = copies.link.output(s.id);
      const std::string name =
          program.shownName(program.symbols[s.mark->symbol].name);
      Message m{"'" + out.name + "' is loaded at " + hex(out.loadAddress) +
                ", but start-up code copies from " +
                markText(program, *s.mark) + " (referred to by " +
                placeOf(program, s.mark->from) + ")"};
      const OutputId before = copies.storedBefore(out);
      if (s.state == Stored::Itself) {
        m.notes.push_back("that is where '" + out.name +
                          "' runs: its initial values never leave the flash");
      } else if (before != kNone && Address(s.mark->value) < out.loadAddress) {
        const OutputView front = copies.link.output(before);
        m.notes.push_back(
            Address(s.mark->value) < front.place.loadEnd()
                ? copies.betweenText(*s.mark, out)
                : countOf(out.loadAddress.sizeFrom(Address(s.mark->value)),
                          "byte of padding stands", "bytes of padding stand") +
                      " between: all initial values are shifted");
      } else {
        m.notes.push_back("all initial values are shifted");
      }
      m.notes.push_back("'" + name + " = LOADADDR(" + out.name +
                        ");' in the script is always right");
      return m;
    });
  }
}

void checkNeverCopied(const FinishedLink &finished, Findings &found) {
  const Copies copies(finished);
  if (!copies.anyReached())
    return;
  for (const Stored &s : copies.sections) {
    const OutputView copied = copies.link.output(s.id);
    if (s.state != Stored::Alone || isReadInPlace(copies.link, copied) ||
        copies.mayBeReached(s))
      continue;
    found.add([&] {
      const OutputView out = copies.link.output(s.id);
      const auto other = find_if(copies.sections, Copies::isReached);
      return Message{
          sectionText(out) + " runs at " + hex(out.address) +
              " and is stored at " + hex(out.loadAddress) +
              ", which nothing refers to: start-up code never copies its " +
              std::to_string(out.size) + " bytes",
          {"as it does those of '" + copies.link.output(other->id).name + "'",
           "copy it from a symbol that is LOADADDR(" + out.name +
               "), or join it to a section that is copied"}};
    });
  }
}

void checkCopyOffsets(const FinishedLink &finished, Findings &found) {
  const Copies copies(finished);
  for (const Stored &s : copies.sections) {
    if (s.state == Stored::Padded)
      found.add([&] { return copies.paddedText(s); });
    if (s.state != Stored::Shifted)
      continue;
    found.add([&] {
      const OutputView out = copies.link.output(s.id),
                       first = copies.link.output(s.before);
      const auto gap = [](Address a, Address b) {
        return std::to_string(uint64_t(a.sizeFrom(b)));
      };
      return Message{
          sectionText(out) + " begins " + gap(out.address, first.address) +
              " bytes behind '" + first.name + "' in RAM, but is stored " +
              gap(out.loadAddress, first.loadAddress) +
              " bytes behind it: one loop that copies both shifts its initial "
              "values",
          {"'" + first.name + "' is loaded at " + hex(first.loadAddress) +
               ", '" + out.name + "' at " + hex(out.loadAddress),
           "put both into one output section, or give each symbols and a copy "
           "of its own"}};
    });
  }
}

} // namespace xlink
