//===- InitialValues.cpp - start-up code that copies from the wrong place -===//
//
// Problem: .data runs in RAM and is stored in flash; start-up code copies it,
// from a symbol of the script. Variables have wrong values on the board, though
// every address in the map is right, if
//
//   load-symbol   the symbol is not where the values are: `_etext` stands in
//                 front of .ARM.exidx, an orphan or padding that was put
//                 between it and .data, or it is .data's address in RAM. All
//                 values are shifted, or RAM is copied to itself.
//   never-copied  another section of this kind (.ccmram, .RamFunc) is stored
//   too,
//                 and start-up code knows .data alone. The section holds what
//                 RAM had before: a call into it ends in a fault.
//   copy-offset   one loop copies several sections, but padding between them is
//                 not the same in flash and RAM: from the second one on values
//                 are shifted.
//
// Method: sections that run elsewhere than they are stored, by address. Such a
// section is reached if a mark (ReferredSymbols) is its load address, or if its
// neighbour below in the same region is reached, no mark ends the copy between
// the two, and both have one distance from address to load address. The range
// of a loop is not known, only its marks.
//
// Silent: programs that refer to no load address, or whose first code is moved
// too, which a loader copies; OVERLAY, whose manager copies; --init-tables;
// sections of which code refers to a symbol with LOADADDR in its expression;
// for never-copied, read-only sections outside of writable regions.
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
    Itself   ///< a mark for its load address is its address
  } state = Alone;
  const ReferredMark *mark = nullptr; ///< of Near and Itself
  OutputId before = {};               ///< the neighbour, of Shifted
};

/// Whether a symbol is called like a place where something is stored.
bool isNamedLikeSource(StringRef name) {
  const std::string lower = name.lower();
  return any_of(
      ArrayRef<StringRef>{"load", "lma", "idata", "rom", "flash", "src",
                          "source", "etext", "image"},
      [&](StringRef word) { return StringRef(lower).contains(word); });
}

/// Padding of at most so many bytes separates an end from what follows it.
constexpr uint64_t kFar = 256;

struct Copies {
  const Link &link;
  const Program &program = link.program;
  const ReferredSymbols &references;
  std::vector<Stored> sections{};

  explicit Copies(const FinishedLink &finished)
      : link(finished.link), references(finished.references()) {
    if (isMovedWhole())
      return;
    findKnown();
    for (const OutputView &out : link.outputs())
      if (isLoaded(out) && out.loadAddress != out.address && !out.overlay)
        sections.push_back({out.id});
    llvm::stable_sort(sections, [&](const Stored &a, const Stored &b) {
      return link.output(a.id).address < link.output(b.id).address;
    });
    const Stored *before = nullptr;
    for (Stored &s : sections) {
      classify(s, before);
      before = &s;
    }
  }
  /// Whether start-up code copies by symbols at all.
  bool anyReached() const {
    return any_of(sections,
                  [](const Stored &s) { return s.state == Stored::Reached; });
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

private:
  StringSet<> known{}; ///< sections of which code refers to a LOADADDR

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
    forEachCommand(program.script, [&](const AssignmentCommand &a) {
      const SymbolId id = program.symbols.find(a.name);
      if (id == kNone || references.of(id).empty())
        return;
      forEachNode(a.value.get(), [&](const Expr &e) {
        if (e.kind == ExprKind::LoadAddr)
          known.insert(e.name);
      });
    });
  }
  uint64_t distance(const OutputView &out) const {
    return out.loadAddress.wrapped() - out.address.wrapped();
  }

  void classify(Stored &s, const Stored *before) const {
    const OutputView out = link.output(s.id);
    const uint64_t load = out.loadAddress.wrapped();
    if (known.contains(out.name) ||
        !references.marksIn(load, load + 1).empty()) {
      s.state = Stored::Reached;
      return;
    }
    if (before && (before->state == Stored::Reached ||
                   before->state == Stored::Shifted)) {
      const OutputView first = link.output(before->id);
      const bool joined =
          first.region == out.region &&
          references
              .marksIn(first.place.end().wrapped(), out.address.wrapped() + 1)
              .empty();
      // One message for all behind the first that is shifted.
      if (joined && (distance(first) == distance(out) ||
                     before->state == Stored::Shifted)) {
        s.state = Stored::Reached;
        return;
      }
      const uint64_t end = out.place.end().wrapped();
      if (joined && first.lmaRegion == out.lmaRegion &&
          !references.marksIn(end, end + 16).empty()) {
        s.state = Stored::Shifted;
        s.before = before->id;
        return;
      }
    }
    findSource(s, out);
  }

  /// A mark that start-up code must take for the load address: it knows where
  /// the section runs.
  void findSource(Stored &s, const OutputView &out) const {
    const uint64_t address = out.address.wrapped(),
                   load = out.loadAddress.wrapped();
    const ArrayRef<ReferredMark> targets =
        references.marksIn(address, address + 1);
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
      for (const ReferredMark &m : references.marksIn(first, last))
        if (m.symbol != kNone && (front.place.loadEnd() <= Address(m.value) ||
                                  (front.loadAddress == Address(m.value) &&
                                   link.symbol(m.symbol).output != q))) {
          s.state = Stored::Near;
          s.mark = &m;
        }
    }
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
};

} // namespace

void checkLoadSymbols(const FinishedLink &finished, Findings &found) {
  if (finished.link.program.initTables != kNone)
    return;
  const Copies copies(finished);
  for (const Stored &s : copies.sections) {
    if (!s.mark)
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
                ? "'" + front.name + "' (" + std::to_string(front.size) +
                      " bytes" + (front.command ? "" : ", an orphan") +
                      ") stands between: all initial values are shifted"
                : std::to_string(
                      out.loadAddress.sizeFrom(Address(s.mark->value))) +
                      " bytes of padding stand between: all initial values "
                      "are shifted");
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
  if (finished.link.program.initTables != kNone)
    return;
  const Copies copies(finished);
  if (!copies.anyReached())
    return;
  for (const Stored &s : copies.sections) {
    const OutputView copied = copies.link.output(s.id);
    if (s.state != Stored::Alone || isReadInPlace(copies.link, copied))
      continue;
    found.add([&] {
      const OutputView out = copies.link.output(s.id);
      const auto other = find_if(copies.sections, [](const Stored &each) {
        return each.state == Stored::Reached;
      });
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
  if (finished.link.program.initTables != kNone)
    return;
  const Copies copies(finished);
  for (const Stored &s : copies.sections) {
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
