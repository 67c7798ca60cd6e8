//===- MachineCompiler.cpp - machine files as constant tables -------------===//
//
// A program of the build: it reads the file of a machine that is built in and
// writes its Target as C++, so that a link spends no time on reading it.
//
//===----------------------------------------------------------------------===//

#include "arch/MachineFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace xlink;

namespace {

// Values as C++.
std::string value(const std::string &code) { return code; }
std::string value(const char *text) {
  if (!text)
    return "nullptr";
  std::string literal;
  raw_string_ostream os(literal);
  os << '"';
  os.write_escaped(text, /*UseHexEscapes=*/false);
  os << '"';
  return literal;
}
template <std::integral T> std::string value(T number) {
  if constexpr (std::is_same_v<T, bool>)
    return number ? "true" : "false";
  else if constexpr (std::is_signed_v<T>)
    return "int64_t(" + hexText(uint64_t(number)) + "u)";
  else
    return hexText(number) + "u";
}
template <class T> std::string value(const std::optional<T> &number) {
  return number ? value(*number) : "std::nullopt";
}
std::string value(const NamedRange &range) {
  return "{" + value(range.begin) + ", " + value(range.end) + ", " +
         value(range.name) + "}";
}
template <class T> std::string enumerator(StringRef type, T number) {
  return (type + "(" + utostr(unsigned(number)) + ")").str();
}
template <class... T> std::string braces(const T &...members) {
  return "{" + join_items(", ", value(members)...) + "}";
}
class TablePrinter {
public:
  TablePrinter(const Target &target, raw_ostream &out)
      : target(target), out(out) {}

  void run();

private:
  /// Writes an array; the name of that, or "{}" of an empty one.
  template <class T, class F>
  std::string array(StringRef type, ArrayRef<T> list, F item) {
    std::vector<std::string> items;
    for (const T &element : list)
      items.push_back(item(element));
    if (items.empty())
      return "{}";
    const std::string name =
        (target.name + Twine("Array") + Twine(arrays++)).str();
    out << "constexpr " << type << " " << name << "[] = {" << join(items, ", ")
        << "};\n";
    return name;
  }
  template <class T> std::string array(StringRef type, ArrayRef<T> list) {
    return array(type, list, [](T item) { return value(item); });
  }
  std::string row(const RelocationRow &row);
  /// A member of the Target; the arrays that its value names stand in front.
  template <class T> void member(StringRef name, const T &member) {
    if (std::string code = value(member); code != "{}") // the default
      members.emplace_back(name, std::move(code));
  }
  void addIdentity();
  void addLists();
  void addPolicies();

  const Target &target;
  raw_ostream &out;
  unsigned arrays = 0;
  std::vector<std::pair<std::string, std::string>> members;
};

/// In the order of RelocationRow's members.
std::string TablePrinter::row(const RelocationRow &row) {
  const std::string pieces = array("Piece", row.pieces, [](const Piece &piece) {
    return braces(piece.valueBit, piece.width, piece.wordBit);
  });
  const std::string pair = array("uint32_t", row.pair);
  return braces(row.number, row.name, row.bytes, row.placeAlign,
                enumerator("Formula", row.formula), row.negate, row.page,
                enumerator("BaseKind", row.baseKind), row.base, row.placePlus,
                row.placeDown, row.wrapBits, row.wrapSigned, row.multiple,
                row.shift, row.carry, row.bits, enumerator("Check", row.check),
                row.low, row.high, row.flip, row.flipUnless, pieces,
                row.signBit, enumerator("Order", row.order),
                enumerator("FieldOp", row.op), enumerator("Use", row.use),
                row.hint, row.addendBits, row.addendSigned, row.takesAddress,
                row.addressBit, row.alsoJumps, pair, row.weakMask, row.weakCode,
                row.alignsBehind);
}

void TablePrinter::addIdentity() {
  member("name", target.name);
  member("aliases", array("const char *", target.aliases));
  member("description", target.description);
  member("is64", target.is64);
  member("isBig", target.isBig);
  member("osabi", target.osabi);
  member("flagsMask", target.flagsMask);
  member("flags", target.flags);
  member("machines", array("uint16_t", target.machines));
  member("relocations", array("RelocationRow", target.relocations,
                              [&](const RelocationRow &r) { return row(r); }));
  member("script", target.script);
  member("entries", array("const char *", target.entries));
  member("maxPageSize", target.maxPageSize);
}

void TablePrinter::addLists() {
  member("cpus", array("Cpu", target.cpus, [&](const Cpu &cpu) {
           const std::string defines =
               array("std::pair<const char *, const char *>", cpu.defines,
                     [](const auto &d) { return braces(d.first, d.second); });
           return braces(cpu.name, cpu.flags, defines,
                         array("uint8_t", cpu.fill), cpu.base, cpu.noCode,
                         cpu.executable);
         }));
  member("flagsRules",
         array("FlagsRule", target.flagsRules, [](const FlagsRule &r) {
           return braces(r.name, r.mask, r.onlyIf, r.any, r.isError, r.text);
         }));
  member("maps", array("AddressMap", target.maps, [](const AddressMap &m) {
           return braces(m.match, m.mask, m.clear, m.shift, m.keepLow);
         }));
  member("vendors", array("Vendor", target.vendors, [](const Vendor &v) {
           return braces(v.number, v.name);
         }));
  member("baseSymbols",
         array("BaseSymbol", target.baseSymbols, [](const BaseSymbol &b) {
           return braces(b.name, b.sectionFlag, b.minAlign, b.section,
                         b.lastMark, b.shortName);
         }));
  member("bases", array("Base", target.bases, [](const Base &b) {
           return braces(enumerator("BaseKind", b.kind), b.name, b.symbol,
                         b.plus);
         }));
  member("sectionFlags",
         array("SectionFlagName", target.sectionFlags,
               [](const auto &f) { return braces(f.name, f.flag); }));
  member("sectionSymbols",
         array("SectionSymbol", target.sectionSymbols, [](const auto &s) {
           return braces(s.name, s.section, s.atEnd);
         }));
  member("memories", array("Memory", target.memories, [](const Memory &m) {
           return braces(m.name, m.begin, m.end,
                         enumerator("Memory::Holds", m.holds), m.unit, m.units);
         }));
  member("reservations",
         array("Reservation", target.reservations, [](const Reservation &r) {
           return braces(enumerator("Reservation::Kind", r.kind), r.name,
                         r.begin, r.end, r.size, r.thread, r.count);
         }));
}

void TablePrinter::addPolicies() {
  member("noloadInSegments", target.noloadInSegments);
  member("keepSymbolOnlySections", target.keepSymbolOnlySections);
  member("gapSectionsHaveBytes", target.gapSectionsHaveBytes);
  member("segmentFileAlign", target.segmentFileAlign);
  member("entrySectionFirst", target.entrySectionFirst);
  member("codeFill", array("uint8_t", target.codeFill));
  member("vectors", array("const char *", target.vectors));
  member("vectorAlign", target.vectorAlign);
  member("word", target.word);
  member("keepLocalLabels", target.keepLocalLabels);
  member("prefetchBytes", target.prefetchBytes);
  member("codeFillsRegions", target.codeFillsRegions);
  member("scriptNumbersAbsolute", target.scriptNumbersAbsolute);
  member("startAddress", target.startAddress);
  member("startFile", target.startFile);
  member("symbolReader", target.symbolReader);
  member("stackSizeWithCallees", target.stackSizeWithCallees);
  member("attributesType", target.attributesType);
  member("attributesVendor", target.attributesVendor);
  member("attributesTag", target.attributesTag);
  member("ignoredTypes", array("uint32_t", target.ignoredTypes));
  member("gotSlotSize", target.gotSlotSize);
}

void TablePrinter::run() {
  addIdentity();
  addLists();
  addPolicies();
  out << "constexpr Target " << target.name << "Machine = [] {\n"
      << "  Target t;\n";
  if (*target.behaviour)
    out << "  static_cast<Behaviour &>(t) = " << target.behaviour << ";\n";
  for (const auto &[name, code] : members)
    out << "  t." << name << " = " << code << ";\n";
  out << "  return t;\n}();\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    errs() << "usage: xlink-machinec FILE OUTPUT\n";
    return 2;
  }
  const auto file = MemoryBuffer::getFile(argv[1]);
  if (!file) {
    errs() << argv[1] << ": " << file.getError().message() << "\n";
    return 1;
  }
  std::vector<MachineProblem> problems;
  const std::unique_ptr<Machine> machine = readMachine(
      (*file)->getBuffer(), /*builtIn=*/true,
      [](StringRef, bool) -> const Target * { return nullptr; }, problems);
  for (const MachineProblem &problem : problems)
    errs() << argv[1] << ":" << problem.line << ":" << problem.column
           << ": error: " << problem.text << "\n";
  if (!machine)
    return 1;
  std::error_code error;
  raw_fd_ostream out(argv[2], error);
  if (!error)
    TablePrinter(machine->target, out).run();
  return error ? 1 : 0;
}
