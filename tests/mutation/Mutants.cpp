//===- Mutants.cpp --------------------------------------------------------===//
//
// Faults are of the kinds that a reader of ELF can fall for: a few random
// bytes, a field of a header, a symbol, a relocation or a group with an extreme
// value, section headers exchanged, the file cut off, an archive's header
// overwritten. To aim, the damage is done with the tests' own idea of where
// tables stand. Some get an option that puts whole objects where an address
// space ends.
//
//===----------------------------------------------------------------------===//
#include "mutation/Mutants.h"
#include "arch/Target.h"
#include "link/Linking.h"
#include "mutation/Extremes.h"
#include "support/StatementObject.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace llvm;

namespace xlink::test {

//===----------------------------------------------------------------------===//
// Specimens
//===----------------------------------------------------------------------===//

static std::optional<uint32_t> flagsOf(StringRef machine) {
  if (machine == "dpu")
    return 0x02800000;
  if (machine == "aphelion")
    return 6;
  return std::nullopt;
}

/// Code with a relocation of each of the types.
static std::string relocated(ArrayRef<unsigned> types) {
  std::string text = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 64, Size: )" +
                     std::to_string(16 * types.size() + 16) + R"( }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
)";
  const char *const symbols[] = {"local", "_start", "'1'", "other"};
  for (size_t i = 0; i < types.size(); ++i)
    text += "      - { Offset: " + std::to_string(16 * i) +
            ", Symbol: " + symbols[i % 4] +
            ", Type: " + std::to_string(types[i]) + " }\n";
  if (types.empty())
    text += "      []\n";
  return text;
}
static const char *const kSymbols = R"(Symbols:
  - { Name: .text, Type: STT_SECTION, Section: .text }
  - { Name: local, Section: .text, Type: STT_FUNC, Size: 16 }
  - { Name: _start, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL }
  - { Name: other, Section: .text, Binding: STB_WEAK }
)";

/// What else an object may hold.
static std::string remainder(StringRef machine) {
  std::string word = machine == "colossus" ? "4" : "1";
  std::string text =
      R"(  - { Name: .group, Type: SHT_GROUP, Info: inlined, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.inlined }, { SectionOrType: .rela.text.inlined } ] }
  - { Name: .text.inlined, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 8, Size: 16 }
  - { Name: .rela.text.inlined, Type: SHT_RELA, Flags: [ SHF_GROUP ], Info: .text.inlined, Relocations: [ { Offset: 8, Symbol: inlined, Type: )" +
      word + R"( } ] }
  - { Name: .rodata.cst4, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE ], AddressAlign: 4, EntSize: 4, Content: '111111112222222211111111' }
  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], AddressAlign: 1, EntSize: 1, Content: '666f6f6261720062617200' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 48 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: .rodata.str, Type: )" +
      word + ", Addend: 7 }, { Offset: 8, Symbol: .rodata.cst4, Type: " + word +
      ", Addend: 4 }, { Offset: 16, Symbol: shared, Type: " + word +
      " }, { Offset: 24, Symbol: maybe, Type: " + word +
      " }, { Offset: 32, Symbol: number, Type: " + word + R"( } ] }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 64 }
  - { Name: .init_array, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
  - { Name: .order, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: .text, AddressAlign: 8, Size: 8 }
  - { Name: .eh_frame, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 8, Content: '1000000000000000017c1f010c1d0000000000001000000018000000000000000000000010000000' }
  - { Name: .debug_info, Type: SHT_PROGBITS, Size: 32 }
  - { Name: .rela.debug_info, Type: SHT_RELA, Info: .debug_info, Relocations: [ { Offset: 0, Symbol: .text, Type: )" +
      word + " }, { Offset: 8, Symbol: inlined, Type: " + word +
      R"( } ] }
  - { Name: .llvm_addrsig, Type: SHT_LLVM_ADDRSIG, Flags: [ SHF_EXCLUDE ], Content: '01' }
)";
  return text;
}

static const char *const kMoreSymbols = R"(Symbols:
  - { Name: .text, Type: STT_SECTION, Section: .text }
  - { Name: local, Section: .text, Type: STT_FUNC, Size: 16 }
  - { Name: .rodata.cst4, Type: STT_SECTION, Section: .rodata.cst4 }
  - { Name: .rodata.str, Type: STT_SECTION, Section: .rodata.str }
  - { Name: .Lname, Section: .data, Value: 4 }
  - { Name: file.c, Type: STT_FILE, Index: SHN_ABS }
  - { Name: _start, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL }
  - { Name: other, Section: .text, Binding: STB_WEAK }
  - { Name: inlined, Section: .text.inlined, Binding: STB_WEAK }
  - { Name: shared, Index: SHN_COMMON, Value: 8, Size: 16, Binding: STB_GLOBAL }
  - { Name: number, Index: SHN_ABS, Value: 64, Binding: STB_GLOBAL }
  - { Name: hidden, Section: .data, Binding: STB_GLOBAL, Other: [ STV_HIDDEN ] }
  - { Name: maybe, Binding: STB_WEAK }
)";

/// The machine's relocation types that reach from .text to .text.
static std::vector<unsigned> workingTypes(const Target &target) {
  std::vector<unsigned> types;
  for (const RelocationRow &row : target.relocations) {
    if (row.formula == Formula::BaseRel && row.base != kFieldBase)
      continue; // wants a symbol of its base's group
    LinkHarness links;
    // Every kind of symbol, as the place in the list decides which it meets.
    unsigned four[] = {row.number, row.number, row.number, row.number};
    links.file("a.o", machineObject(target.name, relocated(four) + kSymbols,
                                    flagsOf(target.name)));
    if (links.link({"a.o"}).status == 0)
      types.push_back(row.number);
  }
  return types;
}

/// Sections that only one machine has.
static std::string special(StringRef machine) {
  if (machine == "xs1")
    return R"(  - { Name: .expr, Type: 0x14, EntSize: 4, Content: '400000000b00000002000000030000000000000042010000000000000100000001000000000000000103000007000000080000000000000000000000' }
  - { Name: .cp.rodata, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 4, Size: 8 }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 8, Size: 8 }
  - { Name: .ctors, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: '', Type: 0x60000000, ShFlags: 0x100046, Info: 1, AddressAlign: 4, Content: '00000000' }
)";
  if (machine == "dpu")
    return R"(  - { Name: .dpu.attributes, Type: 0x70000003, Content: '411400000075706d656d00010a0000000576314100' }
  - { Name: .mram, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
  - { Name: .atomic, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Size: 1 }
)";
  if (machine == "aphelion")
    return R"(  - { Name: .tdata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_TLS ], AddressAlign: 8, Size: 8 }
  - { Name: .tbss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_TLS ], AddressAlign: 8, Size: 8 }
)";
  return "";
}

static void addRealObjects(StringRef machine, std::vector<Specimen> &list) {
  auto add = [&](const std::string &directory,
                 std::initializer_list<const char *> names,
                 std::vector<std::string> options) {
    Specimen s{directory, {}, std::move(options)};
    for (const char *name : names) {
      s.files.push_back({name, readTestFile(std::string(XLINK_TESTDATA "/") +
                                            directory + "/" + name)});
      s.arguments.push_back(name);
    }
    list.push_back(std::move(s));
  };
  if (machine == "nyuzi") {
    add("objects/nyuzi", {"start.o", "classes.o", "classes2.o", "console.o"},
        {"--gc-sections"});
    add("objects/nyuzi", {"start.o", "primes.g.o", "console.o"}, {});
    add("objects/nyuzi", {"start.o", "got.o", "console.o"}, {});
  } else if (machine == "xs1") {
    add("objects/xs1", {"start.o", "work.o", "table.o"}, {});
  } else if (machine == "aphelion") {
    add("demo/aphelion", {"main.o", "util.o"}, {"--gc-sections"});
  } else if (machine == "colossus") {
    add("demo/colossus", {"main.o", "vertex.o"}, {"--gc-sections"});
  } else if (machine == "dpu") {
    add("demo/dpu", {"main.o", "start.o"}, {"--gc-sections"});
  }
}

/// Members stand in files of their own.
static void addThinArchives(StringRef machine, const Bytes &main,
                            const Bytes &rich, std::vector<Specimen> &list) {
  // What is not linked defines the same symbols as what is.
  list.push_back({"thin archive without index, nothing of it linked",
                  {{"lib.a", makeArchive({{"twin.o", main}, {"other.o", rich}},
                                         ArchiveFormat::Thin, false)},
                   {"twin.o", main},
                   {"other.o", rich},
                   {"main.o", main},
                   {"rich.o", rich}},
                  {"lib.a", "rich.o", "main.o"}});
  for (bool index : {true, false})
    list.push_back(
        {"thin archive",
         {{"lib.a", makeArchive({{"lib/rich.o", rich}, {"lib/main.o", main}},
                                ArchiveFormat::Thin, index)},
          {"lib/rich.o", rich},
          {"lib/main.o", main}},
         {"-m", machine.str(), "-u", "main", "lib.a"}});
}

/// Other outputs, and a layout that is not the machine's own.
static void addFormats(StringRef machine, const Bytes &main, const Bytes &rich,
                       std::vector<Specimen> &list) {
  const std::string rom = machine == "dpu"        ? "0x80000000"
                          : machine == "colossus" ? "0x40000"
                                                  : "0x1000";
  const std::string ram = machine == "colossus" ? "0x4a000" : "0xa000";
  const std::string script = R"(ENTRY(_start)
MEMORY {
  rom (rx) : ORIGIN = )" + rom +
                             R"(, LENGTH = 0x8000
  ram (rw) : ORIGIN = )" + ram +
                             R"(, LENGTH = 0x4000
}
SECTIONS {
  .text : { *(.text .text.*) . = ALIGN(8); } > rom
  .rodata : SUBALIGN(8) { *(.rodata .rodata.* .cp.* .order) } > rom
  .data : { data_begin = .; *(.data .dp.* .init_array) } > ram AT > rom
  .bss (NOLOAD) : { *(.bss) *(COMMON) . = . + 8; } > ram
  end = . - 8;
}
)";
  list.push_back({"script",
                  {{"main.o", main},
                   {"rich.o", rich},
                   {"layout.ld", Bytes(script.begin(), script.end())}},
                  {"-T", "layout.ld", "main.o", "rich.o"}});
  list.push_back({"tables for start-up code",
                  {{"main.o", main},
                   {"rich.o", rich},
                   {"layout.ld", Bytes(script.begin(), script.end())}},
                  {"--init-tables", "--crc=main=rom,CRC-16/XMODEM", "-T",
                   "layout.ld", "main.o", "rich.o"}});
  if (machine != "dpu") // its memories are 2 GB apart
    list.push_back({"memory image",
                    {{"main.o", main}, {"rich.o", rich}},
                    {"--oformat=binary", "main.o", "rich.o"}});
  if (machine == "xs1")
    list.push_back({"container",
                    {{"main.o", main}, {"rich.o", rich}},
                    {"--oformat=xe", "main.o", "rich.o"}});
}

/// What else an option reads of objects, or makes of them.
static void addOptions(const Bytes &main, const Bytes &rich,
                       std::vector<Specimen> &list) {
  const std::string order = "main\nrich\n";
  list.push_back(
      {"addresses alone",
       {{"main.o", main}, {"rich.o", rich}},
       {"-R", "rich.o", "--unresolved-symbols=ignore-all", "main.o"}});
  list.push_back({"identified",
                  {{"main.o", main}, {"rich.o", rich}},
                  {"--build-id=sha1", "--compress-debug-sections=zlib",
                   "main.o", "rich.o"}});
  list.push_back(
      {"folded and ordered",
       {{"main.o", main},
        {"rich.o", rich},
        {"order", Bytes(order.begin(), order.end())}},
       {"--icf=all", "--symbol-ordering-file=order", "main.o", "rich.o"}});
}

static Bytes mainObject(StringRef machine) {
  return machineObject(machine,
                       R"(
Sections:
  - { Name: .text.main, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 16 }
  - { Name: .rela.text.main, Type: SHT_RELA, Info: .text.main, Relocations: [ { Offset: 0, Symbol: _start, Type: )" +
                           std::string(machine == "colossus" ? "4" : "1") +
                           R"( } ] }
Symbols:
  - { Name: main, Section: .text.main, Binding: STB_GLOBAL }
  - { Name: _start, Binding: STB_GLOBAL }
)",
                       flagsOf(machine));
}

/// Objects that state what their functions take, do and are.
static Specimen statements() {
  return {"statements",
          {{"a.o", statementObject(R"--(
  code _start f g
  local h
  data x
  result f.nstackwords
  localresult h.nstackwords
  sum f.nstackwords h.nstackwords 4
  max h.nstackwords g.nstackwords 2
  calls _start f
  calls f h
  calls h g
  calls g h
  stack _start 3
  stack g f.nstackwords
  threads _start 2
  timers g 1
  chanends h 1
  parallel f g "a.xc:1"
  parallel g g 2
  writes h x "a.xc:3: use of `%s'\n  x"
  reads g x 4
  passed f x 5
  name h 0 "helper"
  typeinfo f "f{p(f{0}(0))}(s(S){m(a){b(3:si)},m(b){p(s(S){})}},va)"
  typeinfo x "bi:p:32"
  type g 0 "ic(i){m(e){f{e(){m(A){-1}}}(&(a(:c:uc)))}}"
)--")},
           {"b.o", statementObject("typeinfo f \"f{si}(n:chd)\"\n"
                                   "typeinfo x \"u:q(ui)\"\ncalls y f\n"
                                   "code y\nwrites y x 1\nparallel y f 2")}},
          {"--print-resource-usage=json", "--dump-types", "a.o", "b.o"}};
}

/// Objects whose values, code and sections the linker has to make of others'.
static void addComputed(std::vector<Specimen> &list) {
  const auto object = [](StringRef lines) { return statementObject(lines); };
  list.push_back({"sets",
                  {{"a.o", object(R"--(
  code _start f
  result f.maxtimers most total reserved
  localresult known words own
  constant start 7
  element group f.maxtimers f
  element own 3 f
  max f.maxtimers most 2
  setmax most group start
  setsum total own 1
  defined known f.nstackwords
  choice reserved known f.nstackwords 288
  quotient words reserved start
  aligned words words 4
)--")},
                   {"b.o", object("code g\nelement group 9 g\n"
                                  "element group most g\n"
                                  "setsum g.most group 2\nresult g.most")}},
                  {"--gc-sections", "-u", "g", "a.o", "b.o"}});
  list.push_back(
      {"converters",
       {{"a.o", object("code _start\nbl _start f\nlocal g\nbl g h\n"
                       "typeinfo f \"f{si}(p(c:uc),ui)\"\ntypeinfo g \"si\"\n"
                       "type h 0 \"f{0}(si,si,si,p(ui),p(ui))\"")},
        {"b.o", object("code f h\ntypeinfo f \"f{si}(&(a(:c:uc)),ui)\"\n"
                       "type h 0 \"f{0}(si,si,si,&(a(:ui)),&(a(:ui)))\"\n"
                       "result f.nstackwords\nstack f f.nstackwords\n"
                       "sum f.nstackwords 3 4")}},
       {"--gc-sections", "--print-resource-usage", "a.o", "b.o"}});
  list.push_back({"blocks",
                  {{"a.o", object("code _start f g h\nbl _start f\n"
                                  "block f f g\nblock g g h\n"
                                  "padding g 4 0\nbelongs f f\n"
                                  "keptby g f")}},
                  {"--gc-sections", "a.o"}});
}

std::vector<Specimen> specimensOf(StringRef machine) {
  const Target *target = findTarget(machine);
  std::vector<Specimen> list;
  if (!target) {
    ADD_FAILURE() << "no machine " << machine.str();
    return list;
  }
  std::vector<unsigned> types = workingTypes(*target);
  EXPECT_FALSE(types.empty());
  Bytes rich = machineObject(machine,
                             relocated(types) + remainder(machine) +
                                 special(machine) + kMoreSymbols,
                             flagsOf(machine));
  Bytes main = mainObject(machine);
  list.push_back(
      {"objects", {{"main.o", main}, {"rich.o", rich}}, {"main.o", "rich.o"}});
  list.push_back({"collected",
                  {{"main.o", main}, {"rich.o", rich}},
                  {"--gc-sections", "-u", "main", "main.o", "rich.o"}});
  for (auto [name, format, index] :
       {std::tuple("GNU archive", ArchiveFormat::Gnu, true),
        std::tuple("BSD archive", ArchiveFormat::Bsd, true),
        std::tuple("archive without index", ArchiveFormat::Gnu64, false)})
    list.push_back(
        {name,
         {{"lib.a", makeArchive({{"a_member_with_a_long_name.o", rich},
                                 {"main.o", main}},
                                format, index)}},
         {"-m", machine.str(), "-u", "main", "lib.a"}});
  addThinArchives(machine, main, rich, list);
  addFormats(machine, main, rich, list);
  addOptions(main, rich, list);
  addRealObjects(machine, list);
  if (machine == "xs1") {
    list.push_back(statements());
    addComputed(list);
  }
  for (Specimen &s : list) {
    LinkHarness links;
    for (auto &[path, bytes] : s.files)
      links.file(path, bytes);
    Linked linked = links.link(s.arguments);
    EXPECT_EQ(linked.status, 0)
        << machine.str() << ", " << s.name << ": " << linked.errors;
  }
  return list;
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

namespace {

/// splitmix64: the same numbers on every machine and library.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t n) { return n ? next() % n : 0; }
};

class Surgeon {
public:
  Surgeon(Bytes &bytes, Random &random) : bytes(bytes), random(random) {}
  void hurt();

private:
  uint64_t get(uint64_t at, unsigned size) const {
    uint64_t v = 0;
    for (unsigned i = 0; i < size && at + i < bytes.size(); ++i)
      v |= uint64_t(bytes[at + i]) << (8 * i);
    return v;
  }
  void set(uint64_t at, unsigned size, uint64_t v) {
    for (unsigned i = 0; i < size && at + i < bytes.size(); ++i)
      bytes[at + i] = uint8_t(v >> (8 * i));
  }
  uint64_t extreme(uint64_t old);
  void setField(uint64_t at, unsigned size) {
    set(at, size, extreme(get(at, size)));
  }
  bool findObject();
  uint64_t sectionHeader(uint64_t index) const {
    return base + get(base + (is64 ? 40 : 32), is64 ? 8 : 4) +
           index * (is64 ? 64 : 40);
  }
  uint64_t sectionCount() const { return get(base + (is64 ? 60 : 48), 2); }
  /// Offset of a random entry of a random section of one of these types.
  uint64_t entryOf(std::initializer_list<uint32_t> types, unsigned size);
  void flipBytes();
  void fileHeader();
  void sectionField();
  void everySize();
  void exchangeHeaders();
  void symbol();
  void relocation();
  void group();
  void content();
  void cut();
  void archive();

  Bytes &bytes;
  Random &random;
  uint64_t base = 0; ///< of the ELF file that is damaged
  bool is64 = false;
};

} // namespace

uint64_t Surgeon::extreme(uint64_t old) {
  switch (random.below(18)) {
  case 14:
  case 15:
  case 16:
  case 17:
    return nearAnEnd([&](uint64_t n) { return random.below(n); });
  case 0:
    return 0;
  case 1:
    return 1;
  case 2:
    return ~uint64_t(0);
  case 3:
    return 0x7fffffff;
  case 4:
    return 0x80000000;
  case 5:
    return 0xff00 + random.below(0x100);
  case 6:
    return bytes.size();
  case 7:
    return bytes.size() - base - 1;
  case 8:
    return old + 1;
  case 9:
    return old - 1;
  case 10:
    return old << random.below(32);
  case 11:
    return uint64_t(1) << random.below(64);
  case 12:
    return random.below(64);
  default:
    return random.next();
  }
}

/// Chooses an ELF file: the whole one, or one inside an archive.
bool Surgeon::findObject() {
  std::vector<uint64_t> places;
  for (uint64_t at = 0; at + 64 < bytes.size(); ++at)
    if (bytes[at] == 0x7f && bytes[at + 1] == 'E' && bytes[at + 2] == 'L' &&
        bytes[at + 3] == 'F')
      places.push_back(at);
  if (places.empty())
    return false;
  base = places[random.below(places.size())];
  is64 = bytes[base + 4] == ELF::ELFCLASS64;
  return true;
}

uint64_t Surgeon::entryOf(std::initializer_list<uint32_t> types,
                          unsigned size) {
  std::vector<uint64_t> places;
  for (uint64_t i = 0, n = sectionCount(); i < n; ++i) {
    uint64_t header = sectionHeader(i);
    uint32_t type = uint32_t(get(header + 4, 4));
    if (std::find(types.begin(), types.end(), type) == types.end())
      continue;
    uint64_t offset = base + get(header + (is64 ? 24 : 16), is64 ? 8 : 4);
    uint64_t length = get(header + (is64 ? 32 : 20), is64 ? 8 : 4);
    if (length >= size && offset + length <= bytes.size())
      places.push_back(offset + random.below(length / size) * size);
  }
  return places.empty() ? 0 : places[random.below(places.size())];
}

void Surgeon::flipBytes() {
  for (uint64_t n = 1 + random.below(8); n; --n)
    bytes[random.below(bytes.size())] ^= uint8_t(1 + random.below(255));
}

void Surgeon::fileHeader() {
  struct Field {
    uint8_t at, size;
  };
  static const Field fields32[] = {{4, 1},  {5, 1},  {6, 1},  {7, 1},  {16, 2},
                                   {18, 2}, {20, 4}, {32, 4}, {36, 4}, {40, 2},
                                   {46, 2}, {48, 2}, {50, 2}};
  static const Field fields64[] = {{4, 1},  {5, 1},  {6, 1},  {7, 1},  {16, 2},
                                   {18, 2}, {20, 4}, {40, 8}, {48, 4}, {52, 2},
                                   {58, 2}, {60, 2}, {62, 2}};
  const Field &f = (is64 ? fields64 : fields32)[random.below(13)];
  setField(base + f.at, f.size);
}

void Surgeon::sectionField() {
  uint64_t header = sectionHeader(random.below(sectionCount()));
  unsigned field = unsigned(random.below(10));
  if (!is64)
    return setField(header + 4 * field, 4);
  static const uint8_t at[] = {0, 4, 8, 16, 24, 32, 40, 44, 48, 56};
  static const uint8_t size[] = {4, 4, 8, 8, 8, 8, 4, 4, 8, 8};
  setField(header + at[field], size[field]);
}

/// All sections without bytes, or all of COMMON, get one size: what each may
/// have, their sum may not.
void Surgeon::everySize() {
  const uint64_t size =
      random.below(2) ? uint64_t(1) << random.below(64) : extreme(bytes.size());
  const bool common = random.below(2);
  for (uint64_t i = 0, n = sectionCount(); i < n; ++i) {
    const uint64_t header = sectionHeader(i);
    const uint32_t type = uint32_t(get(header + 4, 4));
    if (!common && type == ELF::SHT_NOBITS)
      set(header + (is64 ? 32 : 20), is64 ? 8 : 4, size);
    if (!common || type != ELF::SHT_SYMTAB)
      continue;
    const unsigned entry = is64 ? 24 : 16;
    uint64_t at = base + get(header + (is64 ? 24 : 16), is64 ? 8 : 4);
    const uint64_t end = at + get(header + (is64 ? 32 : 20), is64 ? 8 : 4);
    for (; at < end && at + entry <= bytes.size(); at += entry)
      if (get(at + (is64 ? 6 : 14), 2) == ELF::SHN_COMMON)
        set(at + (is64 ? 16 : 8), is64 ? 8 : 4, size);
  }
}

void Surgeon::exchangeHeaders() {
  uint64_t a = sectionHeader(random.below(sectionCount()));
  uint64_t b = sectionHeader(random.below(sectionCount()));
  for (unsigned i = 0; i < (is64 ? 64u : 40u); ++i)
    if (a + i < bytes.size() && b + i < bytes.size())
      std::swap(bytes[a + i], bytes[b + i]);
}

void Surgeon::symbol() {
  uint64_t entry = entryOf({ELF::SHT_SYMTAB}, is64 ? 24 : 16);
  if (!entry)
    return flipBytes();
  struct Field {
    uint8_t at, size;
  };
  static const Field fields32[] = {{0, 4},  {4, 4},  {8, 4},
                                   {12, 1}, {13, 1}, {14, 2}};
  static const Field fields64[] = {{0, 4}, {8, 8}, {16, 8},
                                   {4, 1}, {5, 1}, {6, 2}};
  const Field &f = (is64 ? fields64 : fields32)[random.below(6)];
  setField(entry + f.at, f.size);
}

void Surgeon::relocation() {
  unsigned word = is64 ? 8 : 4;
  uint64_t entry = entryOf({ELF::SHT_RELA}, 3 * word);
  if (!entry)
    return flipBytes();
  switch (random.below(4)) {
  case 0:
    return setField(entry, word);
  case 1: // the type
    return setField(entry + word, is64 ? 4 : 1);
  case 2: // the symbol
    return setField(entry + word + (is64 ? 4 : 1), is64 ? 4 : 3);
  default:
    return setField(entry + 2 * word, word);
  }
}

void Surgeon::group() {
  uint64_t word = entryOf({ELF::SHT_GROUP, ELF::SHT_SYMTAB_SHNDX}, 4);
  if (!word)
    return flipBytes();
  setField(word, 4);
}

/// Bytes that have a structure of their own: strings, .eh_frame, expressions.
void Surgeon::content() {
  uint64_t at = entryOf(
      {ELF::SHT_PROGBITS, ELF::SHT_STRTAB, 0x14, 0x70000003, 0x60000000}, 4);
  if (!at)
    return flipBytes();
  setField(at, random.below(2) ? 4 : 1);
}

void Surgeon::cut() {
  uint64_t to = random.below(bytes.size());
  // Near the end as often as anywhere.
  if (random.below(2))
    to = bytes.size() - random.below(std::min<uint64_t>(bytes.size(), 200));
  bytes.resize(std::max<uint64_t>(to, 1));
}

void Surgeon::archive() {
  StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  std::vector<uint64_t> headers;
  for (size_t at = text.find("`\n"); at != StringRef::npos;
       at = text.find("`\n", at + 1))
    if (at >= 58)
      headers.push_back(at - 58);
  if (headers.empty() || !text.starts_with("!<"))
    return flipBytes();
  uint64_t header = headers[random.below(headers.size())];
  auto overwrite = [&](uint64_t at, StringRef with) {
    for (size_t i = 0; i < with.size() && at + i < bytes.size(); ++i)
      bytes[at + i] = uint8_t(with[i]);
  };
  static const char *const sizes[] = {"9999999999", "-1        ", "0         ",
                                      "          ", "1         ", "99999     ",
                                      "abc       ", "4294967295"};
  static const char *const names[] = {"/               ", "//              ",
                                      "/0              ", "/999999999999999",
                                      "#1/0            ", "#1/4294967295   ",
                                      "                ", "/SYM64/         ",
                                      "__.SYMDEF       ", "#1/20           "};
  switch (random.below(4)) {
  case 0:
    return overwrite(header + 48, sizes[random.below(std::size(sizes))]);
  case 1:
    return overwrite(header, names[random.below(std::size(names))]);
  case 2: // the index or the name table, if this header begins one
    return setField(header + 60 + 4 * random.below(8), 4);
  default:
    return overwrite(header + 58, "x");
  }
}

void Surgeon::hurt() {
  bool object = findObject();
  switch (object ? random.below(15) : 0) {
  case 0:
    return flipBytes();
  case 14:
    return everySize();
  case 1:
    return fileHeader();
  case 2:
  case 3:
  case 4:
    return sectionField();
  case 5:
    return exchangeHeaders();
  case 6:
  case 7:
    return symbol();
  case 8:
  case 9:
    return relocation();
  case 10:
    return group();
  case 11:
    return content();
  case 12:
    return archive();
  default:
    return cut();
  }
}

uint64_t seedOf(StringRef machine, uint64_t index) {
  return xxh3_64bits(machine) + index;
}

Bytes mutate(const Bytes &original, uint64_t seed) {
  Bytes bytes = original;
  Random random{seed};
  for (uint64_t n = 1 + random.below(3); n && !bytes.empty(); --n)
    Surgeon(bytes, random).hurt();
  return bytes;
}

/// One fault in a text.
static void hurtText(std::string &text, StringRef whole, Random &random) {
  static const char *const words[] = {"0",          "-1",
                                      "4294967296", "18446744073709551615",
                                      "1e400",      "0x",
                                      "99K",        "200%",
                                      "\"",         "\\",
                                      "\\u0000",    "\xff\xfe",
                                      "*",          "[",
                                      "[!",         "{",
                                      "}",          "(((((((",
                                      "<",          ">",
                                      "</script>",  "\t",
                                      ",",          ":",
                                      "::",         "#",
                                      "\r",         "null",
                                      "[]",         "{}",
                                      "\"\"",       "'",
                                      "static",     "dynamic,bounded",
                                      "edge: {",    "__indirect_call",
                                      "region",     "symbol"};
  const size_t at = random.below(text.size());
  const size_t line = text.rfind('\n', at) + 1;
  switch (random.below(9)) {
  case 0:
    text[at] = char(random.next());
    return;
  case 1:
    text.erase(at, random.below(40));
    return;
  case 2:
    text.insert(at, whole.substr(random.below(whole.size()), random.below(60)));
    return;
  case 3: // another word for a number
    if (const size_t from = text.find_first_of("0123456789", at);
        from != std::string::npos)
      text.replace(from, text.find_first_not_of("0123456789", from) - from,
                   words[random.below(std::size(words))]);
    return;
  case 4:
    text.insert(at, words[random.below(std::size(words))]);
    return;
  case 5: // a line twice
    text.insert(line, text.substr(line, text.find('\n', at) + 1 - line));
    return;
  case 6:
    text.erase(line, text.find('\n', at) + 1 - line);
    return;
  case 7:
    if (random.below(4) == 0)
      text.resize(at);
    return;
  default: // deeper, or longer, than anybody writes
    if (random.below(8) == 0)
      text.insert(at, 20000, "[{(*a\n"[random.below(6)]);
  }
}

std::string mutateText(StringRef original, uint64_t seed) {
  std::string text = original.str();
  Random random{seed};
  for (uint64_t n = 1 + random.below(3); n && !text.empty(); --n)
    hurtText(text, original, random);
  return text;
}

Specimen mutantOf(const std::vector<Specimen> &specimens, StringRef machine,
                  uint64_t index) {
  Specimen s = specimens[index % specimens.size()];
  uint64_t seed = seedOf(machine, index);
  Random random{seed};
  // Extreme addresses tell most about what is in order otherwise.
  const bool options = random.below(6) == 0;
  if (options) {
    std::vector<std::string> more =
        extremeOptions([&](uint64_t n) { return random.below(n); });
    s.arguments.insert(s.arguments.begin(), more.begin(), more.end());
  }
  // What keeps relocations reads more of an input than a program needs.
  switch (Random{~seed}.below(8)) {
  case 0:
    s.arguments.insert(s.arguments.begin(), "-r");
    break;
  case 1:
    s.arguments.insert(s.arguments.begin(), "-q");
    break;
  default:
    break;
  }
  Bytes &target = s.files[random.below(s.files.size())].second;
  if (!options || random.below(3) == 0)
    target = mutate(target, seed);
  return s;
}

} // namespace xlink::test
