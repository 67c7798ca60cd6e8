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

class TablePrinter {
public:
  TablePrinter(const Target &target, raw_ostream &out)
      : target(target), out(out) {}

  void run();

private:
  static std::string text(const char *text);
  static std::string number(uint64_t value) { return hexText(value) + "u"; }
  static std::string signedNumber(int64_t value) {
    return "int64_t(" + number(uint64_t(value)) + ")";
  }
  static std::string boolean(bool value) { return value ? "true" : "false"; }
  static std::string range(const NamedRange &range) {
    return "{" + number(range.begin) + ", " + number(range.end) + ", " +
           text(range.name) + "}";
  }
  static std::string optional(const std::optional<uint32_t> &value) {
    return value ? number(*value) : "std::nullopt";
  }
  std::string row(const RelocationRow &row);

  /// Writes an array of initialisers; its name.
  std::string array(StringRef type, const std::vector<std::string> &items);
  template <class T, class F>
  std::string array(StringRef type, ArrayRef<T> list, F item) {
    std::vector<std::string> items;
    for (const T &element : list)
      items.push_back(item(element));
    return array(type, items);
  }
  template <class T> std::string numbers(StringRef type, ArrayRef<T> list) {
    return array(type, list, [](T value) { return number(value); });
  }
  std::string texts(ArrayRef<const char *> list) {
    return array("const char *", list, text);
  }

  void member(StringRef name, std::string value);
  void addIdentity();
  void addFamily();
  void addAddresses();
  void addPolicies();

  const Target &target;
  raw_ostream &out;
  unsigned arrays = 0;
  std::vector<std::pair<std::string, std::string>> members;
};

std::string TablePrinter::text(const char *text) {
  if (!text)
    return "nullptr";
  std::string literal;
  raw_string_ostream os(literal);
  os << '"';
  os.write_escaped(text, /*UseHexEscapes=*/false);
  os << '"';
  return literal;
}

std::string TablePrinter::array(StringRef type,
                                const std::vector<std::string> &items) {
  if (items.empty())
    return "{}";
  const std::string name =
      (target.name + Twine("Array") + Twine(arrays++)).str();
  out << "constexpr " << type << " " << name << "[] = {" << join(items, ", ")
      << "};\n";
  return name;
}

std::string TablePrinter::row(const RelocationRow &row) {
  const std::string pieces = array("Piece", row.pieces, [](const Piece &piece) {
    return "{" + utostr(piece.valueBit) + ", " + utostr(piece.width) + ", " +
           utostr(piece.wordBit) + "}";
  });
  const std::string pair = numbers("uint32_t", row.pair);
  auto cast = [](StringRef type, auto value) {
    return (type + "(" + utostr(unsigned(value)) + ")").str();
  };
  auto small = [](unsigned value) { return utostr(value); };
  // In the order of RelocationRow's members.
  return "{" +
         join_items(
             ", ", small(row.number), text(row.name), small(row.bytes),
             small(row.placeAlign), cast("Formula", row.formula),
             boolean(row.negate), small(row.page),
             cast("BaseKind", row.baseKind), small(row.base),
             small(row.placePlus), small(row.placeDown), small(row.wrapBits),
             boolean(row.wrapSigned), small(row.multiple), small(row.shift),
             number(row.carry), small(row.bits), cast("Check", row.check),
             signedNumber(row.low), signedNumber(row.high), number(row.flip),
             small(row.flipUnless), pieces, small(row.signBit),
             cast("Order", row.order), cast("FieldOp", row.op),
             cast("Use", row.use), text(row.hint), small(row.addendBits),
             boolean(row.takesAddress), small(row.addressBit),
             boolean(row.alsoJumps), pair, number(row.weakMask),
             number(row.weakCode)) +
         "}";
}

/// A member of the Target; the arrays that its value names stand in front.
void TablePrinter::member(StringRef name, std::string value) {
  if (value != "{}") // the default
    members.emplace_back(name, std::move(value));
}

void TablePrinter::addIdentity() {
  member("name", text(target.name));
  member("aliases", texts(target.aliases));
  member("description", text(target.description));
  member("is64", boolean(target.is64));
  member("isBig", boolean(target.isBig));
  member("osabi", number(target.osabi));
  member("flagsMask", number(target.flagsMask));
  member("flags", number(target.flags));
  member("machines", numbers("uint16_t", target.machines));
  member("relocations", array("RelocationRow", target.relocations,
                              [&](const RelocationRow &r) { return row(r); }));
  member("script", text(target.script));
  member("entries", texts(target.entries));
  member("maxPageSize", number(target.maxPageSize));
}

void TablePrinter::addFamily() {
  member("cpus", array("Cpu", target.cpus, [&](const Cpu &cpu) {
           const std::string defines =
               array("std::pair<const char *, const char *>", cpu.defines,
                     [](const auto &define) {
                       return "{" + text(define.first) + ", " +
                              text(define.second) + "}";
                     });
           const std::string fill = numbers("uint8_t", cpu.fill);
           return "{" + text(cpu.name) + ", " + optional(cpu.flags) + ", " +
                  defines + ", " + fill + ", " + number(cpu.base) + ", " +
                  range(cpu.noCode) + ", " + range(cpu.executable) + "}";
         }));
  member("flagsRules",
         array("FlagsRule", target.flagsRules, [](const FlagsRule &rule) {
           return "{" + text(rule.name) + ", " + number(rule.mask) + ", " +
                  optional(rule.onlyIf) + ", " + optional(rule.any) + ", " +
                  boolean(rule.isError) + ", " + text(rule.text) + "}";
         }));
  member("maps", array("AddressMap", target.maps, [](const AddressMap &map) {
           return "{" + number(map.match) + ", " + number(map.mask) + ", " +
                  number(map.clear) + ", " + number(map.shift) + ", " +
                  number(map.keepLow) + "}";
         }));
  member("vendors", array("Vendor", target.vendors, [](const Vendor &vendor) {
           return "{" + number(vendor.number) + ", " + text(vendor.name) + "}";
         }));
}

void TablePrinter::addAddresses() {
  member("baseSymbols",
         array("BaseSymbol", target.baseSymbols, [](const BaseSymbol &base) {
           return "{" + text(base.name) + ", " + number(base.sectionFlag) +
                  ", " + number(base.minAlign) + ", " + text(base.section) +
                  ", " + text(base.lastMark) + ", " + text(base.shortName) +
                  "}";
         }));
  member("bases", array("Base", target.bases, [](const Base &base) {
           return "{BaseKind(" + utostr(unsigned(base.kind)) + "), " +
                  text(base.name) + ", " + text(base.symbol) + ", " +
                  number(base.plus) + "}";
         }));
  member("sectionFlags", array("SectionFlagName", target.sectionFlags,
                               [](const SectionFlagName &flag) {
                                 return "{" + text(flag.name) + ", " +
                                        number(flag.flag) + "}";
                               }));
  member("sectionSymbols", array("SectionSymbol", target.sectionSymbols,
                                 [](const SectionSymbol &symbol) {
                                   return "{" + text(symbol.name) + ", " +
                                          text(symbol.section) + ", " +
                                          boolean(symbol.atEnd) + "}";
                                 }));
}

void TablePrinter::addPolicies() {
  member("noloadInSegments", boolean(target.noloadInSegments));
  member("keepSymbolOnlySections", boolean(target.keepSymbolOnlySections));
  member("gapSectionsHaveBytes", boolean(target.gapSectionsHaveBytes));
  member("segmentFileAlign", number(target.segmentFileAlign));
  member("entrySectionFirst", boolean(target.entrySectionFirst));
  member("codeFill", numbers("uint8_t", target.codeFill));
  member("vectors", texts(target.vectors));
  member("vectorAlign", number(target.vectorAlign));
  member("word", number(target.word));
  member("keepLocalLabels", boolean(target.keepLocalLabels));
  member("prefetchBytes", number(target.prefetchBytes));
  member("codeFillsRegions", boolean(target.codeFillsRegions));
  member("scriptNumbersAbsolute", boolean(target.scriptNumbersAbsolute));
  member("memories", array("Memory", target.memories, [](const Memory &m) {
           return "{" + text(m.name) + ", " + number(m.begin) + ", " +
                  number(m.end) + ", Memory::Holds(" + utostr(m.holds) + "), " +
                  number(m.unit) + ", " + text(m.units) + "}";
         }));
  member("reservations",
         array("Reservation", target.reservations, [](const Reservation &r) {
           return "{Reservation::Kind(" + utostr(r.kind) + "), " +
                  text(r.name) + ", " + text(r.begin) + ", " + text(r.end) +
                  ", " + text(r.size) + ", " + text(r.thread) + ", " +
                  utostr(r.count) + "}";
         }));
  if (target.startAddress)
    member("startAddress", number(*target.startAddress));
  member("startFile", text(target.startFile));
  member("symbolReader", text(target.symbolReader));
  member("stackSizeWithCallees", number(target.stackSizeWithCallees));
  member("attributesType", number(target.attributesType));
  member("attributesVendor", text(target.attributesVendor));
  member("attributesTag", number(target.attributesTag));
  member("ignoredTypes", numbers("uint32_t", target.ignoredTypes));
  member("gotSlotSize", number(target.gotSlotSize));
}

void TablePrinter::run() {
  addIdentity();
  addFamily();
  addAddresses();
  addPolicies();
  out << "constexpr Target " << target.name << "Machine = [] {\n"
      << "  Target t;\n";
  if (*target.behaviour)
    out << "  static_cast<Behaviour &>(t) = " << target.behaviour << ";\n";
  for (const auto &[name, value] : members)
    out << "  t." << name << " = " << value << ";\n";
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
