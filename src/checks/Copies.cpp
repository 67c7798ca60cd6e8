//===- Copies.cpp ---------------------------------------------------------===//
//
// Problem: load-symbol, never-copied and copy-offset ask which sections
// start-up code copies, and from where.
//
// Method: sections that run elsewhere than they are stored, by address. Such a
// section is reached if a mark (ReferredSymbols) is its load address, or if a
// neighbour below in the same region is reached, both have one distance from
// address to load address, and no mark ends the copy between the two. The end
// of a loop is the first mark behind its begin that the same code refers to:
// marks in front of it are of parts. A mark near the load address, or at the
// end of another section in the same memory and used by the same code as the
// section's address, is taken for a source, unless the loop begins in front of
// the section, as far in RAM as in flash.
//
// Silent: programs that refer to no load address, or that a loader copies:
// their first code is moved too, or a header has LOADADDR, to which no code
// refers; kernels that a page table maps; OVERLAY, whose manager copies;
// --init-tables; sections of which the program has LOADADDR in a value;
// read-only sections outside of writable regions, for which flash may have two
// addresses.
//
// Cost: a sort of these few sections, and for each searches among the marks.
//
//===----------------------------------------------------------------------===//
#include "checks/Copies.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

uint64_t distanceOf(const OutputView &out) {
  return out.loadAddress.wrapped() - out.address.wrapped();
}

LoadOrder::LoadOrder(const Link &link) : link(link) {
  for (const OutputView &out : link.outputs())
    if (isLoaded(out))
      ids.push_back(out.id);
  // Of equal addresses the first is the nearest.
  std::reverse(ids.begin(), ids.end());
  stable_sort(ids, [&](OutputId a, OutputId b) {
    return link.output(a).loadAddress < link.output(b).loadAddress;
  });
}

OutputId LoadOrder::before(const OutputView &out) const {
  auto at = partition_point(ids, [&](OutputId id) {
    return link.output(id).loadAddress <= out.loadAddress;
  });
  while (at != ids.begin())
    if (link.output(*--at).place.loadEnd() <= out.loadAddress)
      return *at;
  return kNone;
}

namespace {

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
/// One loop copies parts with at most so many symbols of their own.
constexpr size_t kMostParts = 1000;
/// Padding of at most so many bytes separates an end from the section behind
/// it.
constexpr uint64_t kFar = 256;
/// Of a page table; machines with one have pages of 4 KB, or of multiples.
constexpr uint64_t kPage = 4096;

struct Classifier {
  const FinishedLink &finished;
  const LoadOrder &order;
  const Link &link = finished.link;
  const Program &program = link.program;
  std::vector<Stored> sections{};

  Classifier(const FinishedLink &finished, const LoadOrder &order)
      : finished(finished), order(order) {
    if (program.initTables != kNone || isMovedWhole())
      return;
    findCodePages();
    for (const OutputView &out : link.outputs())
      if (isLoaded(out) && out.loadAddress != out.address && !out.overlay &&
          ((out.flags & ELF::SHF_EXECINSTR) || !isReadInPlace(link, out)) &&
          !isFixed(out) && !isMapped(out))
        sections.push_back({out.id});
    if (sections.empty())
      return;
    if (hasLoaderHeader()) {
      sections.clear();
      return;
    }
    findKnown();
    findEnds();
    llvm::stable_sort(sections, [&](const Stored &a, const Stored &b) {
      return link.output(a.id).address < link.output(b.id).address;
    });
    const Stored *before = nullptr;
    for (Stored &s : sections) {
      classify(s, before);
      before = &s;
    }
  }

private:
  const ReferredSymbols &references() const { return finished.references(); }
  /// Sections of which code or data has a LOADADDR.
  StringSet<> known{};
  /// Marks at the end of sections that run where they are stored, which are
  /// called like an end of code and constants.
  std::vector<std::pair<OutputId, const ReferredMark *>> ends{};

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
  /// Distances of code in whole pages, without MEMORY.
  DenseSet<uint64_t> codePages{};
  /// Whether a page table maps a section from where it is stored, as it does
  /// the program's code: without MEMORY, and by whole pages.
  bool isMapped(const OutputView &out) const {
    return distanceOf(out) % kPage == 0 &&
           codePages.contains(distanceOf(out) / kPage);
  }
  void findCodePages() {
    if (link.addresses.regions.empty())
      for (const OutputView &out : link.outputs())
        if (isLoaded(out) && (out.flags & ELF::SHF_EXECINSTR) &&
            distanceOf(out) % kPage == 0)
          codePages.insert(distanceOf(out) / kPage);
  }
  static bool isLoadAddress(const Expr &e) {
    return e.kind == ExprKind::LoadAddr;
  }
  /// Whether a section begins with data of the script that have a LOADADDR,
  /// and no code refers to them.
  bool hasLoaderHeader() const {
    return any_of(link.outputs(), [&](const OutputView &out) {
      for (uint32_t k = 0; k < out.items.size(); ++k) {
        const ScriptCommand *c = out.items[k].command;
        if (!c || c->kind != CommandKind::Data || !isLoaded(out) ||
            !anyNode(static_cast<const DataCommand *>(c)->value.get(),
                     isLoadAddress))
          continue;
        const Address at = out.address + link.item(out.section, k).offset;
        return none_of(
            references().marksIn(out.address.wrapped(), at.wrapped() + 1),
            [](const ReferredMark &m) { return m.symbol != kNone; });
      }
      return false;
    });
  }
  void findKnown() {
    const auto note = [&](const ExprPtr &value) {
      forEachNode(value.get(), [&](const Expr &e) {
        if (isLoadAddress(e))
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
    const ArrayRef<ReferredMark> behind =
        references().marksIn(begin + 1, UINT64_MAX).take_front(kMostParts);
    const auto *const end = find_if(behind, [&](const ReferredMark &m) {
      return areUsedTogether(m, source);
    });
    return end == behind.end() ? 0 : end->value;
  }
  /// Whether a mark at the section's load address is where code copies from. An
  /// end of other things may be there too: of unwind tables.
  bool isSource(const ReferredMark &m, ArrayRef<ReferredMark> targets) const {
    return m.symbol == kNone || targets.empty() ||
           readMarkName(program.symbols[m.symbol].name).side != MarkName::End ||
           anyUsedWith(targets, m);
  }

  /// Whether the loop that copies the section below, or a chain of them, may go
  /// on to a section's end: of the marks between the two, none ends it.
  bool mayFollow(const OutputView &out, const Stored &before) const {
    const OutputView first = link.output(before.id);
    const uint64_t end = out.place.end().wrapped();
    const auto isPart = [&](const ReferredMark &m) {
      const OutputId in =
          m.symbol == kNone ? OutputId() : link.symbol(m.symbol).output;
      return in == out.id || (before.follows && in == before.id);
    };
    return (Copies::isReached(before) || before.follows) &&
           first.region == out.region && distanceOf(first) == distanceOf(out) &&
           all_of(references().marksIn(first.place.end().wrapped(),
                                       out.address.wrapped() + 1),
                  isPart) &&
           !references().marksIn(end, end + 16).empty();
  }

  void classify(Stored &s, const Stored *before) const {
    const OutputView out = link.output(s.id);
    const uint64_t address = out.address.wrapped(),
                   load = out.loadAddress.wrapped();
    const ArrayRef<ReferredMark> sources = marksAt(load),
                                 targets = marksAt(address);
    s.follows = before && mayFollow(out, *before);
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
    if (before &&
        (Copies::isReached(*before) || before->state == Stored::Shifted)) {
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
      if ((isInLoop || joined) && (distanceOf(first) == distanceOf(out) ||
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
        std::min(distanceOf(out), -distanceOf(out)) < out.align)
      s.state = Stored::Beside;
    else if (!s.follows)
      findSource(s, out);
    // The end of other things may be the source as well.
    if (!sources.empty() && s.state != Stored::Itself &&
        s.state != Stored::Near)
      s.state = Stored::Reached;
  }

  /// Whether the loop from a mark begins as far in front of the section's
  /// address as in front of its load address.
  bool isInStep(Stored &s, const OutputView &out, const ReferredMark &m) const {
    const uint64_t to = m.value - distanceOf(out);
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
    const OutputId q = order.before(out);
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
    for (const auto &[id, mark] : ends) {
      const OutputView q = link.output(id);
      if (q.place.loadEnd() <= out.loadAddress && mark->value != load &&
          areInOneMemory(q.loadAddress, out.loadAddress) &&
          isUsedWithTarget(*mark) && (!s.mark || s.mark->value < mark->value)) {
        s.state = Stored::Near;
        s.mark = mark;
      }
    }
  }

  /// Fills in `ends`.
  void findEnds() {
    for (const OutputView &q : link.outputs()) {
      if (!isLoaded(q) || q.loadAddress != q.address)
        continue;
      const uint64_t end = q.place.loadEnd().wrapped();
      for (const ReferredMark &m : references().marksIn(end, end + 16))
        if (m.symbol != kNone && isNamedLikeEnd(m) && !isStored(m))
          ends.push_back({q.id, &m});
    }
  }

  /// Whether a mark is called like the end of code and constants, behind which
  /// scripts store initial values, or like their source.
  bool isNamedLikeEnd(const ReferredMark &mark) const {
    const StringRef name = program.symbols[mark.symbol].name;
    return name.contains_insensitive("etext") ||
           name.contains_insensitive("eronly") ||
           (isNamedLikeSource(name) && !name.contains_insensitive("text") &&
            !name.contains_insensitive("rodata") &&
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
    const uint64_t source = first->value + distanceOf(out);
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

Copies::Copies(const FinishedLink &finished)
    : order(finished.link), sections(Classifier(finished, order).sections) {}

const Copies &FinishedLink::copies() const {
  if (!stored)
    stored = std::make_shared<const Copies>(*this);
  return *stored;
}

} // namespace xlink
