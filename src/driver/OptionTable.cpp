//===- OptionTable.cpp - every option, as data ----------------------------===//
//
// The table covers all options of GNU ld's and lld's manuals. An option is
// supported; or accepted without effect, because drivers and build systems pass
// it unasked and nothing in a static link for these machines depends on it; or
// refused, because the output would not be as it asks.
//
// Looking a name up is a binary search among the sorted spellings.
//
//===----------------------------------------------------------------------===//

#include "arch/Target.h"
#include "checks/CheckTable.h"
#include "driver/Options.h"
#include "output/Checksums.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

void Settings::reject(StringRef value, StringRef why) {
  messages.error("option '" + option + "': '" + value.str() + "' " + why.str());
}

namespace {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <auto Member> void setText(Settings &s, StringRef value) {
  s.config.*Member = value.str();
}
template <std::vector<std::string> Config::*Member>
void addText(Settings &s, StringRef value) {
  (s.config.*Member).push_back(value.str());
}
template <InputItem::Kind Kind> void addInput(Settings &s, StringRef value) {
  s.config.inputs.push_back(
      {Kind, value.str(), s.mode.wholeArchive, s.mode.lazy, s.mode.form});
}
template <bool Begins> void addGroupMark(Settings &s, StringRef) {
  s.config.groupMarks.push_back({s.config.inputs.size(), Begins});
}
void addJustSymbols(Settings &s, StringRef value) {
  InputItem item{InputItem::File, value.str()};
  item.form = InputForm::JustSymbols;
  s.config.inputs.push_back(std::move(item));
}
template <bool Value> void setWholeArchive(Settings &s, StringRef) {
  s.mode.wholeArchive = Value;
}
template <Strip Value> void setStrip(Settings &s, StringRef) {
  s.config.strip = std::max(s.config.strip, Value);
}
/// Switches a group of warnings on or off.
template <WarningGroup Group, bool On>
void setWarnings(Settings &s, StringRef) {
  std::vector<std::string> &off = s.config.disabledWarnings;
  std::erase(off, warningGroupName(Group));
  if (!On)
    off.push_back(warningGroupName(Group));
}

/// Calls fn for the checks of a list of names; without one for all.
void forEachTrap(Settings &s, StringRef list,
                 function_ref<void(std::string)> fn) {
  std::vector<StringRef> names;
  for (const LinkCheck &check : kChecks)
    names.push_back(warningGroupName(check.group));
  if (list.empty())
    for (StringRef name : names)
      fn(name.str());
  for (StringRef name : split(list, ','))
    if (is_contained(names, name)) {
      fn(name.str());
    } else if (!list.empty()) {
      const std::string near = nearestSpelling(name, names);
      s.reject(name, "is no trap; " + (near.empty()
                                           ? "--print-traps lists them"
                                           : "did you mean '" + near + "'?"));
    }
}
template <bool On> void setTraps(Settings &s, StringRef) {
  forEachTrap(s, "", [&](const std::string &name) {
    std::erase(s.config.disabledWarnings, name);
    if (!On)
      s.config.disabledWarnings.push_back(name);
  });
}
void setCheckTraps(Settings &s, StringRef list) {
  setTraps<false>(s, "");
  forEachTrap(s, list, [&](const std::string &name) {
    std::erase(s.config.disabledWarnings, name);
  });
}
void addErrorTraps(Settings &s, StringRef list) {
  forEachTrap(s, list, [&](const std::string &name) {
    if (!is_contained(s.config.errorTraps, name))
      s.config.errorTraps.push_back(name);
  });
}
void setPadImage(Settings &s, StringRef value) {
  uint64_t unit = 0;
  if (!parseNumber(value, unit) || unit == 0 || unit > (1 << 24))
    return s.reject(value, "is not a number of bytes from 1 to 0x1000000");
  s.config.padImage = unit;
}

/// Whether a value is a name or, as with lld, a file, only the link knows.
void setWhyExtract(Settings &s, StringRef value) {
  if (value.empty())
    s.config.whyExtract = true;
  else
    s.config.whyExtractNames.push_back(value.str());
}

/// SYMBOL=BYTES
void addStackLimit(Settings &s, StringRef value) {
  const auto [symbol, text] = value.rsplit('=');
  uint64_t bytes = 0;
  if (symbol.empty() || !parseNumber(text, bytes))
    return s.reject(value, "is not SYMBOL=BYTES with a number");
  s.config.stackLimits.push_back({symbol.str(), bytes});
}

void startLib(Settings &s, StringRef) {
  if (s.mode.lazy)
    s.messages.error("--start-lib inside --start-lib");
  s.mode.lazy = true;
}
void endLib(Settings &s, StringRef) {
  if (!s.mode.lazy)
    s.messages.error("--end-lib without --start-lib");
  s.mode.lazy = false;
}
void popState(Settings &s, StringRef) {
  if (s.savedModes.empty())
    return s.messages.error("--pop-state without --push-state");
  // --start-lib encloses files, it is not a state of theirs.
  s.mode.wholeArchive = s.savedModes.back().wholeArchive;
  s.savedModes.pop_back();
}

void setDefsym(Settings &s, StringRef value) {
  auto [name, expression] = value.split('=');
  if (name.empty() || expression.empty())
    return s.reject(value, "is not SYMBOL=EXPRESSION");
  addInput<InputItem::Defsym>(s, value);
}

void setSectionStart(Settings &s, StringRef value) {
  // Section names may contain anything, addresses have no `=`.
  auto [name, address] = value.rsplit('=');
  if (name.empty() || address.empty())
    return s.reject(value, "is not SECTION=ADDRESS");
  s.config.sectionStart.push_back(
      {name.str(), address.str(), "--section-start"});
}
/// -Ttext places .text.
void setSegment(Settings &s, StringRef value) {
  for (const char *option : {"-Ttext", "-Tdata", "-Tbss"})
    if (s.option == option)
      s.config.sectionStart.push_back(
          {std::string(".") + (option + 2), value.str(), option, option + 2});
}
void setOutput(Settings &s, StringRef value) {
  s.config.output = value.str();
  s.config.outputGiven = true;
}

/// Input and output formats that mean ELF: the word of the machine's own
/// emulation is not checked, since every one of them ends up there.
bool isElfFormat(StringRef value) {
  return value == "default" || value.starts_with("elf");
}
/// -EB, -EL: an error unless the machine has this byte order.
template <bool IsBig> void demandByteOrder(Settings &s, StringRef) {
  s.config.byteOrders.push_back({s.option, IsBig});
}
/// elf32-bigarm, elf32-littlearm and their like.
void demandByteOrderOf(Settings &s, StringRef format) {
  for (bool isBig : {false, true})
    if (isElfFormat(format) && format.contains(isBig ? "big" : "little"))
      s.config.byteOrders.push_back({s.option + "=" + format.str(), isBig});
}
void setInputFormat(Settings &s, StringRef value) {
  demandByteOrderOf(s, value);
  if (value == "binary")
    s.mode.form = InputForm::Binary;
  else if (isElfFormat(value))
    s.mode.form = InputForm::Recognized;
  else
    s.reject(value, "is not a supported input format (elf, binary)");
}
/// Whether some machine has an output format of this name; adds the names of
/// all to `valid`.
bool isContainer(StringRef value, std::string &valid) {
  bool found = false;
  for (const Target *target : allTargets())
    for (const Container *container : target->containers) {
      found |= value == container->name;
      valid += std::string(", ") + container->name;
    }
  return found;
}
/// Finds the format of an image by its name; adds the names of all to `valid`.
std::optional<OutputFormat> imageFormat(StringRef value, std::string &valid) {
  std::optional<OutputFormat> found;
  for (const OutputFormatName &row : kOutputFormats) {
    if (row.format == OutputFormat::Elf)
      continue;
    if (value == row.name)
      found = row.format;
    valid += std::string(valid.empty() ? "" : ", ") + row.name;
  }
  return found;
}
void setOutputFormat(Settings &s, StringRef value) {
  std::string valid = "elf";
  const std::optional<OutputFormat> image = imageFormat(value, valid);
  const bool machines = isContainer(value, valid);
  demandByteOrderOf(s, value);
  if (!machines && !image && !isElfFormat(value))
    return s.reject(value, "is not a supported output format (" + valid + ")");
  s.config.format = image.value_or(OutputFormat::Elf);
  s.config.formatGiven = true;
  s.config.container = machines ? value.str() : "";
}
void addCrc(Settings &s, StringRef value) {
  CrcRequest request;
  auto [symbol, rest] = value.split('=');
  auto [range, kind] = rest.split(',');
  if (symbol.empty() || range.empty())
    return s.reject(value, "is not SYMBOL=REGION[,KIND]");
  request.text = value.str();
  request.symbol = symbol.str();
  if (rest.contains(',')) {
    if (!findCrc(kind))
      return s.reject(kind, "is not a kind of CRC (" + crcNames() + ")");
    request.kind = kind.str();
  }
  if (range.contains(':')) {
    auto [begin, end] = range.split(':');
    uint64_t from = 0, to = 0;
    if (!parseNumber(begin, from) || !parseNumber(end, to) || from >= to)
      return s.reject(range, "is not a range START:END of numbers");
    request.range = {from, to};
  } else {
    request.region = range.str();
  }
  // The code that reads it need not refer to it by name.
  s.config.undefined.push_back(request.symbol);
  s.config.crcs.push_back(std::move(request));
}

void setGapFill(Settings &s, StringRef value) {
  uint64_t byte = 0;
  if (!parseNumber(value, byte) || byte > 0xff)
    return s.reject(value, "is not a byte (0 to 255)");
  s.config.gapFill = uint8_t(byte);
}
void addImage(Settings &s, StringRef value) {
  auto [region, rest] = value.split('=');
  auto [path, format] = rest.rsplit(',');
  if (region.empty() || path.empty())
    return s.reject(value, "is not REGION=FILE[,FORMAT]");
  RegionImage image{region.str(), path.str()};
  // A name with a comma needs a format behind it: otherwise a misspelled format
  // would become part of the name.
  if (rest.contains(',')) {
    std::string valid;
    const std::optional<OutputFormat> found = imageFormat(format, valid);
    if (!found)
      return s.reject(format, "is not a format of images (" + valid + ")");
    image.format = *found;
  }
  s.config.images.push_back(std::move(image));
}
/// An option of a machine's container format, --NAME-option.
void addContainerOption(Settings &s, StringRef value) {
  s.config.containerOptions.emplace_back(StringRef(s.option).ltrim('-').str(),
                                         value.str());
}

void setOptimize(Settings &s, StringRef value) {
  uint64_t level = 1;
  if (!value.empty() && (!parseNumber(value, level) || level > 3))
    return s.reject(value, "is not a level from 0 to 3");
  s.config.optimize = int(level);
}

void setPrintGcSections(Settings &s, StringRef value) {
  s.config.printGcSections = true;
  s.config.gcSectionsFile = value.str();
}

/// Sets the meaning of a word; other words are refused with a list of all.
template <class T>
void choose(Settings &s, StringRef value, T &setting,
            std::initializer_list<std::pair<StringRef, T>> words) {
  std::string all;
  for (const auto &[word, meaning] : words) {
    if (value == word) {
      setting = meaning;
      return;
    }
    all += (all.empty() ? "" : ", ") + word.str();
  }
  s.reject(value, "is none of " + all);
}

/// The form of a report.
template <ReportFormat Config::*Member>
void setFormat(Settings &s, StringRef value) {
  choose<ReportFormat>(
      s, value.empty() ? "text" : value, s.config.*Member,
      {{"text", ReportFormat::Text}, {"json", ReportFormat::Json}});
}

void setSizeAttribution(Settings &s, StringRef value) {
  uint64_t depth = 0;
  if (!value.empty() && (!parseNumber(value, depth) || depth > 1000))
    return s.reject(value, "is not a number of levels");
  s.config.sizeAttribution = unsigned(depth);
}

void setOrphanHandling(Settings &s, StringRef value) {
  choose<OrphanHandling>(s, value, s.config.orphans,
                         {{"place", OrphanHandling::Place},
                          {"warn", OrphanHandling::Warn},
                          {"error", OrphanHandling::Error},
                          {"discard", OrphanHandling::Discard}});
}

void setDebugCompression(Settings &s, StringRef value) {
  choose<DebugCompression>(s, value, s.config.compressDebug,
                           {{"none", DebugCompression::None},
                            {"zlib", DebugCompression::Zlib},
                            {"zlib-gabi", DebugCompression::Zlib},
                            {"zstd", DebugCompression::Zstd}});
}

void setSortSection(Settings &s, StringRef value) {
  choose<SortSection>(
      s, value, s.config.sortSection,
      {{"name", SortSection::Name}, {"alignment", SortSection::Alignment}});
}

void setUnresolved(Settings &s, StringRef value) {
  choose<bool>(s, value, s.ignoreUnresolved,
               {{"report-all", false},
                {"ignore-all", true},
                {"ignore-in-object-files", true},
                {"ignore-in-shared-libs", false}});
}

/// Sets a text that may be given once.
template <std::string Config::*Member>
void setOnce(Settings &s, StringRef value) {
  if (!(s.config.*Member).empty())
    return s.messages.error("option '" + s.option + "' may be given once");
  s.config.*Member = value.str();
}

void setSortCommon(Settings &s, StringRef value) {
  choose<SortCommon>(s, value.empty() ? "descending" : value,
                     s.config.sortCommon,
                     {{"ascending", SortCommon::Ascending},
                      {"descending", SortCommon::Descending}});
}

void setUnique(Settings &s, StringRef value) {
  if (value.empty())
    s.config.uniqueOrphans = true;
  else
    s.config.uniqueSections.push_back(value.str());
}

void setThreads(Settings &s, StringRef value) {
  uint64_t n = 0;
  if (value == "all")
    s.config.threads = 0;
  else if (!parseNumber(value, n) || n == 0 || n > 65536)
    s.reject(value, "is not a number of threads");
  else
    s.config.threads = unsigned(n);
}

void setErrorLimit(Settings &s, StringRef value) {
  uint64_t n = 0;
  if (!parseNumber(value, n))
    return s.reject(value, "is not a number");
  s.config.errorLimit = n;
}

void setColor(Settings &s, StringRef value) {
  choose<bool>(
      s, value.empty() ? "always" : value, s.config.color,
      {{"auto", colorOnTerminal()}, {"always", true}, {"never", false}});
}

void setMessageFormat(Settings &s, StringRef value) {
  choose<MessageFormat>(s, value, s.config.messageFormat,
                        {{"text", MessageFormat::Text},
                         {"json", MessageFormat::Json},
                         {"gcc", MessageFormat::Gcc}});
}

/// One demangler tries all languages, so all other styles mean the same.
void setDemangle(Settings &s, StringRef value) {
  choose<bool>(
      s, value.empty() ? "auto" : value, s.config.demangle,
      {{"auto", true}, {"gnu-v3", true}, {"rust", true}, {"none", false}});
}

void setCpu(Settings &s, StringRef value) {
  s.config.cpu = value.str();
  s.config.cpuForLLVM = false;
}

/// Of LLVM's own options one means the same as --mcpu.
void setLLVMOption(Settings &s, StringRef value) {
  if (value.consume_front("-"))
    value.consume_front("-");
  if (!value.consume_front("mcpu="))
    return;
  s.config.cpu = value.str();
  s.config.cpuForLLVM = true;
}

void setBuildId(Settings &s, StringRef value) {
  if (!value.starts_with("0x") && !value.starts_with("0X"))
    return choose<BuildIdKind>(s, value.empty() ? "sha1" : value,
                               s.config.buildId,
                               {{"none", BuildIdKind::None},
                                {"fast", BuildIdKind::Fast},
                                {"md5", BuildIdKind::Md5},
                                {"sha1", BuildIdKind::Sha1},
                                {"uuid", BuildIdKind::Uuid}});
  std::vector<uint8_t> bytes;
  StringRef digits = value.drop_front(2);
  for (;;) {
    digits = digits.ltrim("-:"); // between bytes (GNU ld)
    if (digits.size() < 2 || !isHexDigit(digits[0]) || !isHexDigit(digits[1]))
      break;
    bytes.push_back(uint8_t(hexFromNibbles(digits[0], digits[1])));
    digits = digits.drop_front(2);
  }
  if (bytes.empty() || !digits.empty())
    return s.reject(value, "is not made of pairs of hexadecimal digits");
  s.config.buildId = BuildIdKind::Given;
  s.config.buildIdBytes = std::move(bytes);
}
void setIcf(Settings &s, StringRef value) {
  choose<IcfLevel>(s, value, s.config.icf,
                   {{"none", IcfLevel::None},
                    {"safe", IcfLevel::Safe},
                    {"all", IcfLevel::All}});
}
void setResponseQuoting(Settings &s, StringRef value) {
  if (value != "posix")
    s.reject(value, "is not supported: response files are quoted as in a "
                    "POSIX shell");
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using enum OptionGroup;
using enum OptionStatus;
using enum FileUse;

/// The two rows of a member of the configuration.
#define SWITCH(NAME, GROUP, MEMBER, TEXT)                                      \
  {NAME, "", GROUP, Supported, TEXT, setTo<&Config::MEMBER>}, {                \
    "no-" NAME, "", GROUP, Supported, "", setTo<&Config::MEMBER, false>        \
  }
/// The two rows of a group of warnings.
#define WARNING(NAME, GROUP, TEXT)                                             \
  {"warn-" NAME, "",   Messages,                                               \
   Supported,    TEXT, setWarnings<WarningGroup::GROUP, true>},                \
  {                                                                            \
    "no-warn-" NAME, "", Messages, Supported, "",                              \
        setWarnings<WarningGroup::GROUP, false>                                \
  }
#define CHECK(NAME, GROUP)                                                     \
  WARNING(NAME, GROUP, checkOf(WarningGroup::GROUP).sentence)

// One row a line where it fits: this is read as a table.
// clang-format off
constexpr Option table[] = {
    {"input", "FILE", Input, Supported, "link FILE: an object, an archive or a linker script", addInput<InputItem::File>, Read},

    // ---- Input ----
    {"machine= m=", "NAME", Input, Supported, "link for this machine: one of those below, or a machine file, FILE.machine or DIR/FILE [that of the first object]", addText<&Config::machines>},
    {"mcpu=", "NAME", Input, Supported, "link for this member of the machine's family", setCpu},
    {"EL", "", Input, Supported, "an error unless the machine is little-endian", demandByteOrder<false>},
    {"EB", "", Input, Supported, "an error unless the machine is big-endian", demandByteOrder<true>},
    {"mllvm=", "OPTION", Input, Supported, "take --mcpu=NAME from OPTION; other options of LLVM are ignored", setLLVMOption},
    {"library= l=", "NAME", Input, Supported, "link libNAME.a, or with :NAME the file NAME, from the library path", addInput<InputItem::Library>},
    {"library-path= L=", "DIR", Input, Supported, "look for libraries and scripts in DIR; =DIR is below the sysroot", addText<&Config::libraryPaths>, Directory},
    {"sysroot=?", "DIR", Input, Supported, "what a leading = or $SYSROOT in a path stands for", setText<&Config::sysroot>, Directory},
    {"script= T=", "FILE", Input, Supported, "lay the output out as this script says", addInput<InputItem::Script>, Read},
    {"default-script= dT=", "FILE", Input, Supported, "take this script instead of the built-in one where no -T does", setText<&Config::defaultScript>, Read},
    {"whole-archive", "", Input, Supported, "link all members of the archives that follow", setWholeArchive<true>},
    {"no-whole-archive", "", Input, Supported, "", setWholeArchive<false>},
    {"start-lib", "", Input, Supported, "treat objects up to --end-lib as members of an archive", startLib},
    {"end-lib", "", Input, Supported, "end what --start-lib began", endLib},
    {"push-state", "", Input, Supported, "remember --whole-archive until --pop-state", [](Settings &s, StringRef) { s.savedModes.push_back(s.mode); }},
    {"pop-state", "", Input, Supported, "return to what --push-state remembered", popState},
    {"format= b=", "FORMAT", Input, Supported, "format of the inputs that follow: elf [default], or binary: bytes for .data, with symbols _binary_FILE_start, _end and _size", setInputFormat},
    {"just-symbols= R=", "FILE", Input, Supported, "take symbols from an executable or object, at their addresses, and nothing else", addJustSymbols, Read},
    {"warn-mismatch", "", Input, Supported, "objects that are not for one and the same member of the family are errors [default]", setTo<&Config::warnMismatch>},
    {"no-warn-mismatch", "", Input, Supported, "link them all the same", setTo<&Config::warnMismatch, false>},

    // ---- Output ----
    {"output= o=", "FILE", Output, Supported, "write the output to FILE [a.out]", setOutput, Written},
    {"oformat=", "FORMAT", Output, Supported, "format of the output: elf [default], binary, ihex, srec, verilog, or one of the machine's own: xe, readmemh", setOutputFormat},
    {"pad-image=", "N", Output, Supported, "images end at an address that is a multiple of N bytes, with the byte of --gap-fill [0] up to there: what flash writes at once", setPadImage},
    {"gap-fill=", "BYTE", Output, Supported, "what stands between sections in images [binary: 0, others: nothing]", setGapFill},
    {"image=", "REGION=FILE[,FORMAT]", Output, Supported, "also write what is loaded into a memory region to FILE, as binary [default], ihex, srec or verilog", addImage, WrittenKeyed},
    {"crc=", "SYMBOL=REGION[,KIND]", Output, Supported, "put a CRC of what is loaded into a memory region, or to addresses START:END, where SYMBOL is; KIND by its catalogue name [CRC-32/ISO-HDLC]", addCrc},
    {"xe-tile=", "NODE,TILE", Output, Supported, "xe: the tile that runs the program [0,0]", addContainerOption},
    {"xe-add=", "NODE,TILE=FILE", Output, Supported, "xe: add a linked program for another tile", addContainerOption, ReadKeyed},
    {"xe-node=", "TYPE", Output, Supported, "xe: type of the nodes, by name or as a JTAG ID 0xN [the usual one of the core]", addContainerOption},
    {"xe-config=", "FILE", Output, Supported, "xe: describe the system by FILE instead of a generated SysConfig", addContainerOption, Read},
    {"readmemh-base=", "ADDR", Output, Supported, "readmemh: the address of the first word of the memory [0]", addContainerOption},
    {"compress-debug-sections=", "TYPE", Output, Supported, "compress debugging sections: none [default], zlib, which is zlib-gabi too, or zstd", setDebugCompression},
    {"strip-all s", "", Output, Supported, "leave out the symbol table and debugging sections", setStrip<Strip::All>},
    {"strip-debug S", "", Output, Supported, "leave out debugging sections", setStrip<Strip::Debug>},
    {"discard-all x", "", Output, Supported, "leave all local symbols out of the symbol table", setTo<&Config::discard, Discard::All>},
    {"discard-locals X", "", Output, Supported, "leave local symbols that begin with .L out of it", setTo<&Config::discard, Discard::Locals>},
    {"discard-none", "", Output, Supported, "keep all local symbols", setTo<&Config::discard, Discard::None>},
    {"ignore-relocations", "", Output, Supported, "leave the fields of relocations as they are in the inputs", setTo<&Config::ignoreRelocations>},
    {"build-id[=]", "STYLE", Output, Supported, "add a note that identifies the output: by a hash of it (sha1 [default], md5, fast), at random (uuid), by these bytes (0xHEX); or none", setBuildId},
    {"dependency-file=", "FILE", Output, Supported, "write the inputs to FILE as a rule of make", setText<&Config::dependencyFile>, Written},

    // ---- Symbols ----
    {"entry= e=", "SYMBOL", Symbols, Supported, "start at SYMBOL or at an address [the machine's]", setText<&Config::entry>},
    {"undefined= u=", "SYMBOL", Symbols, Supported, "treat SYMBOL as referenced, and keep it", addText<&Config::undefined>},
    {"undefined-glob=", "GLOB", Symbols, Supported, "as --undefined, for every symbol whose name matches", addText<&Config::undefinedGlobs>},
    {"require-defined=", "SYMBOL", Symbols, Supported, "as --undefined, and an error when it stays undefined", addText<&Config::requireDefined>},
    {"init=", "SYMBOL", Symbols, Supported, "with --gc-sections keep the definition of SYMBOL, if there is one [_init]", setText<&Config::init>},
    {"fini=", "SYMBOL", Symbols, Supported, "as --init [_fini]", setText<&Config::fini>},
    {"defsym=", "SYMBOL=EXPR", Symbols, Supported, "define SYMBOL", setDefsym},
    {"wrap=", "SYMBOL", Symbols, Supported, "references to SYMBOL mean __wrap_SYMBOL, those to __real_SYMBOL mean SYMBOL", addText<&Config::wrap>},
    SWITCH("allow-multiple-definition", Symbols, allowMultipleDefinition, "let the first of several definitions count"),
    {"define-common d dc dp", "", Symbols, Supported, "give common symbols space in a relocatable output too", setTo<&Config::defineCommon>},
    {"retain-symbols-file=", "FILE", Symbols, Supported, "leave all symbols but those that FILE lists out of the symbol table", setOnce<&Config::retainSymbolsFile>, Read},
    {"keep-symbol=", "GLOB", Symbols, Supported, "leave symbols whose names match in the symbol table, whatever else says that they go", addText<&Config::keepSymbols>},
    {"sort-common[=]", "ORDER", Symbols, Supported, "order of a file's common symbols by alignment: descending [default], ascending", setSortCommon},
    {"unresolved-symbols=", "HOW", Symbols, Supported, "undefined symbols: report-all [default], ignore-all; ignore-in-object-files, which is all of them, or ignore-in-shared-libs, none", setUnresolved},
    {"ignore-unresolved-symbol=", "SYMBOL", Symbols, Supported, "say nothing when SYMBOL is undefined", addText<&Config::ignoreUnresolved>},
    {"no-undefined", "", Symbols, Supported, "report undefined symbols [default]", [](Settings &s, StringRef) { s.ignoreUnresolved = false; }},
    {"warn-unresolved-symbols", "", Symbols, Supported, "report undefined symbols as warnings", [](Settings &s, StringRef) { s.warnUnresolved = true; }},
    {"error-unresolved-symbols", "", Symbols, Supported, "report them as errors [default]", [](Settings &s, StringRef) { s.warnUnresolved = false; }},

    // ---- Layout ----
    {"section-start=", "SECTION=ADDR", Layout, Supported, "place an output section at this address", setSectionStart},
    {"Ttext=", "ADDR", Layout, Supported, "place .text at this address", setSegment},
    {"Tdata=", "ADDR", Layout, Supported, "place .data at this address", setSegment},
    {"Tbss=", "ADDR", Layout, Supported, "place .bss at this address", setSegment},
    {"Ttext-segment=", "ADDR", Layout, Supported, "place the first segment at this address", setText<&Config::textSegment>},
    {"image-base=", "ADDR", Layout, Supported, "place the image at this address", setText<&Config::imageBase>},
    {"nmagic n", "", Layout, Supported, "do not align segments to pages, and let code and data share one", setTo<&Config::paging, Paging::Nmagic>},
    {"no-nmagic", "", Layout, Supported, "", setTo<&Config::paging, Paging::Demand>},
    {"omagic N", "", Layout, Supported, "as -n, and code is writable", setTo<&Config::paging, Paging::Omagic>},
    {"no-omagic", "", Layout, Supported, "", setTo<&Config::paging, Paging::Demand>},
    {"orphan-handling=", "HOW", Layout, Supported, "sections that the script does not name: place [default], warn, error, discard", setOrphanHandling},
    {"relocatable r i Ur", "", Output, Supported, "make an object, input of another link, of all inputs", setTo<&Config::relocatable>},
    {"emit-relocs q", "", Output, Supported, "keep relocations in the program", setTo<&Config::emitRelocations>},
    {"force-group-allocation", "", Output, Supported, "with -r: place members of groups like other sections, and keep no group", setTo<&Config::dissolveGroups>},
    {"unique[=]", "GLOB", Layout, Supported, "give each input section of such a name an output section of its own, whatever patterns the script has; without GLOB: each that no pattern names", setUnique},
    {"O[=] optimize[=]", "LEVEL", Layout, Supported, "0: merge no strings and constants; 1 [default] to 3: merge them", setOptimize},
    SWITCH("gc-sections", Layout, gcSections, "drop sections that nothing reaches"),
    {"rosegment", "", Layout, Supported, "keep constants and code in segments of their own [default]", setTo<&Config::readOnlySegment>},
    {"no-rosegment", "", Layout, Supported, "let constants and code share a segment", setTo<&Config::readOnlySegment, false>},
    {"init-tables", "", Layout, Supported, "make .init_tables, by which start-up code copies and clears sections without knowledge of the script", setTo<&Config::initTables>},
    {"icf=", "HOW", Layout, Supported, "store sections once that are the same: none [default]; safe, code whose address nobody takes; all, whatever is read-only; never pieces of sections", setIcf},
    {"keep-unique=", "SYMBOL", Layout, Supported, "leave the section of SYMBOL alone when others like it are folded", addText<&Config::keepUnique>},
    SWITCH("check-sections", Layout, checkSections, "report sections that overlap [default]"),
    {"z=", "WORD", Layout, Supported, "words of the machine, and those listed below", setZKeyword},

    // ---- Reports ----
    {"Map=", "FILE", Reports, Supported, "write a map of the output to FILE", setText<&Config::mapFile>, Written},
    {"print-map M", "", Reports, Supported, "print the map", setTo<&Config::printMap>},
    {"map-script-lines", "", Reports, Supported, "add the script's line to each pattern of the map", setTo<&Config::mapScriptLines>},
    {"map-by-address", "", Reports, Supported, "order the sections of the map by address, those that take no memory last", setTo<&Config::mapByAddress>},
    {"map-json=", "FILE", Reports, Supported, "write the map to FILE as JSON, for programs", setText<&Config::mapJson>, Written},
    {"html-report=", "FILE", Reports, Supported, "write the map to FILE as a page for a browser", setText<&Config::htmlReport>, Written},
    {"cref", "", Reports, Supported, "add cross references to the map: a table to that of -Map, which part refers to which to that of --map-json", setTo<&Config::cref>},
    {"print-memory-usage[=]", "FORMAT", Reports, Supported, "print how full each memory region is, and of what; FORMAT: text [default], json", setFormat<&Config::memoryUsage>},
    {"print-size-attribution[=]", "DEPTH", Reports, Supported, "print whose the memory is, as a tree of regions, sections, archives, objects, functions; DEPTH: how many levels of it", setSizeAttribution},
    {"answers-json=", "FILE", Reports, Supported, "write the answers of the reports that are asked for to FILE as JSON, for programs", setText<&Config::answersJson>, Written},
    {"print-resource-usage[=]", "FORMAT", Reports, Supported, "print what the entry and every thread need: stack, threads, timers, channel ends; FORMAT: text [default], json", setFormat<&Config::resourceUsage>},
    {"report", "", Reports, Supported, "as --print-memory-usage and --print-resource-usage", [](Settings &s, StringRef) { s.config.memoryUsage = ReportFormat::Text; s.config.resourceUsage = ReportFormat::Text; }},
    {"explain-script[=]", "FORMAT", Reports, Supported, "print each statement of the script with what it took and where that stands; FORMAT: text [default], json", setFormat<&Config::explainScript>},
    {"stack-usage[=]", "FORMAT", Reports, Supported, "print how deep the stacks of the entry, of threads and of --stack-limit can get, by which calls, and what is not known of that; FORMAT: text [default], json", setFormat<&Config::stackUsage>},
    {"stack-usage-files", "", Reports, Supported, "use what -fstack-usage and -fcallgraph-info wrote beside objects: foo.su and foo.ci beside foo.o", setTo<&Config::stackUsageFiles>},
    {"stack-calls=", "FILE", Reports, Supported, "FILE states what calls through pointers reach, in lines 'CALLER: CALLEE, CALLEE ...' with globs behind the colon", setText<&Config::stackCalls>, Read},
    {"stack-limit=", "SYMBOL=BYTES", Reports, Supported, "BYTES of stack are there for SYMBOL and all that it calls: warn when they may not suffice", addStackLimit},
    {"dump-types", "", Reports, Supported, "print the types that the objects state for their symbols", setTo<&Config::dumpTypes>},
    {"print-gc-sections[=]", "FILE", Reports, Supported, "print the sections that --gc-sections drops, or write that to FILE", setPrintGcSections, Written},
    {"no-print-gc-sections", "", Reports, Supported, "", setTo<&Config::printGcSections, false>},
    SWITCH("print-icf-sections", Reports, printIcfSections, "print the sections that --icf folds"),
    {"why-live=", "NAME", Reports, Supported, "print what keeps NAME, a symbol or section or a glob for some, alive: the shortest chain of references from a root", addText<&Config::whyLive>},
    {"why-dead=", "NAME", Reports, Supported, "print why NAME, a symbol or section or a glob for some, is not in the output, and what would keep it", addText<&Config::whyDead>},
    {"why-extract[=]", "NAME", Reports, Supported, "print why archive members take part: all, or those called NAME or with a symbol NAME; a NAME that nothing has is a file, for lld's table", setWhyExtract},
    {"why-placed=", "SECTION", Reports, Supported, "print which pattern or rule put input sections where they are; SECTION: NAME, FILE:(NAME), or a glob", addText<&Config::whyPlaced>},
    {"trace t", "", Reports, Supported, "print the files that are linked", setTo<&Config::trace>},
    {"trace-symbol= y=", "SYMBOL", Reports, Supported, "print where SYMBOL is defined and referenced", addText<&Config::traceSymbols>},
    {"verbose[=]", "", Reports, Supported, "print the script that lays the output out", setTo<&Config::verbose>},
    {"time", "", Reports, Supported, "print how long each phase takes", setTo<&Config::printTime>},
    {"time-trace[=]", "FILE", Reports, Supported, "write that in Chrome's trace format to FILE [default: %.time-trace, % being the output]", [](Settings &s, StringRef value) { s.config.timeTrace = value.empty() ? "%.time-trace" : value.str(); }, Written},
    {"size-budget=", "FILE", Reports, Supported, "refuse a program that takes more than FILE allows: to regions, archives, objects, sections, symbols", setText<&Config::sizeBudget>, Read},
    {"baseline=", "FILE", Reports, Supported, "--size-budget and --html-report also say what changed since FILE, which --map-json wrote", setText<&Config::baseline>, Read},
    {"check-script", "", Reports, Supported, "check the script of -T without objects, and stop: patterns that an earlier one covers, memory regions that overlap, are unused or not declared, names that objects have to define", setTo<&Config::checkScript>},
    {"list-relocations", "", Reports, Supported, "print the machine's relocations, and stop", setTo<&Config::listRelocations>},
    {"print-machine", "", Reports, Supported, "print the machine of -m as a machine file, and stop", setTo<&Config::printMachine>},
    {"print-vectors", "", Reports, Supported, "print each relocation of the machine at and beyond its limits, for an assembler's tests, and stop", setTo<&Config::printVectors>},
    {"check-machine=", "FILE", Reports, Supported, "check a machine file and run its TESTs, and stop", setText<&Config::checkMachine>, Read},

    // ---- Messages ----
    SWITCH("fatal-warnings", Messages, fatalWarnings, "turn warnings into errors"),
    {"no-warnings w", "", Messages, Supported, "print no warnings", setTo<&Config::noWarnings>},
    WARNING("general", General, "warnings that belong to no other group"),
    WARNING("relocation", Relocation, "warnings about relocations"),
    WARNING("flags", Flags, "objects whose flags do not go together"),
    WARNING("expression", Expression, "link-time expressions"),
    WARNING("entry", Entry, "an entry symbol that does not exist"),
    WARNING("script", Script, "patterns that match nothing, KEEP or regions without effect"),
    WARNING("orphan", Orphan, "orphans that fall into a memory region of the script, and those that --orphan-handling=warn finds"),
    SWITCH("warn-unmatched", Messages, warnUnmatched, "patterns of the script that match nothing, every one"),
    {"enable-non-contiguous-regions-warnings", "", Messages, Supported, "sections that --enable-non-contiguous-regions could treat in another way", setTo<&Config::warnNonContiguous>},
    WARNING("symbol", Symbol, "symbols that do not fit each other"),
    SWITCH("warn-common", Messages, warnCommon, "common symbols that meet others of their name, as warnings of the group symbol"),
    WARNING("symbol-ordering", SymbolOrdering, "names in the file of --symbol-ordering-file that order nothing"),
    WARNING("parallel-usage", ParallelUsage, "functions that may run in parallel and use the same global, one of them writing it"),
    SWITCH("error-parallel-usage", Messages, errorParallelUsage, "such functions are errors"),
    WARNING("stack", Stack, "stacks that may not suffice, and malformed files that tell of them"),
    SWITCH("error-stack-limit", Messages, errorStackLimit, "stacks that may not suffice are errors"),
    WARNING("types", Types, "objects that state different types for one symbol"),
    WARNING("type-spelling", TypeSpelling, "types that differ but can mean the same, off by default: one leaves something open"),
#define XLINK_TRAP(group, name, ...) CHECK(name, group),
#include "base/Traps.def"
    {"warn-traps", "", Messages, Supported, "all of the checks from load-range on", setTraps<true>},
    {"no-warn-traps", "", Messages, Supported, "", setTraps<false>},
    {"check-traps=", "LIST", Messages, Supported, "of those checks only the ones in LIST, with commas between them", setCheckTraps},
    {"error-traps[=]", "LIST", Messages, Supported, "findings of the checks in LIST, without it of all, are errors", addErrorTraps},
    {"print-traps", "", Reports, Supported, "print these checks with public reports of programs that failed so, and stop", setTo<&Config::printTraps>},
    {"error-limit=", "N", Messages, Supported, "print at most N errors [20], 0: all", setErrorLimit},
    {"demangle[=]", "STYLE", Messages, Supported, "names in messages and maps as their language has them [default]; STYLE none: as they are in the files", setDemangle},
    {"no-demangle", "", Messages, Supported, "names as they are in the files", setTo<&Config::demangle, false>},
    {"diagnostics-format=", "FORMAT", Messages, Supported, "form of messages: text [default]; gcc: FILE:LINE:COLUMN: error: ..., for editors; json: an object a line, for programs", setMessageFormat},
    SWITCH("warn-rwx-segments", Messages, warnRwx, "warn of segments that are readable, writable and executable"),
    {"error-rwx-segments", "", Messages, Supported, "such segments are errors", [](Settings &s, StringRef) { s.config.warnRwx = s.config.rwxIsError = true; }},
    {"no-error-rwx-segments", "", Messages, Supported, "", setTo<&Config::rwxIsError, false>},
    {"color-diagnostics[=]", "WHEN", Messages, Supported, "colour in messages: auto [default], always, never", setColor},
    {"no-color-diagnostics", "", Messages, Supported, "", setTo<&Config::color, false>},

    // ---- Running ----
    {"help target-help", "", Running, Supported, "print this text", setTo<&Config::help>},
    {"help-all", "", Running, Supported, "print also which options are ignored and refused, and why", [](Settings &s, StringRef) { s.config.help = s.config.helpAll = true; }},
    {"version", "", Running, Supported, "print the version", setTo<&Config::version>},
    {"v", "", Running, Supported, "print the version, and go on", setTo<&Config::versionAndGoOn>},
    {"V", "", Running, Supported, "print version and machines, and go on", [](Settings &s, StringRef) { s.config.versionAndGoOn = s.config.listMachines = true; }},
    {"threads=", "N", Running, Supported, "use at most N threads [as many as there are processors]; a link that runs out of memory begins again with one", setThreads},
    {"no-threads", "", Running, Supported, "use one thread", [](Settings &s, StringRef) { s.config.threads = 1; }},

    // ---- Supported as far as they ask for nothing ----
    {"rsp-quoting=", "STYLE", Input, Ignored, "only posix: response files are quoted as in a POSIX shell", setResponseQuoting},

    {"target2=", "MEANING", Input, Ignored, "drivers for bare-metal Arm pass it; no machine has R_ARM_TARGET2", nullptr},

    // ---- Ignored: options of dynamic linking ----
    {"as-needed no-as-needed Bdynamic dy call_shared Bstatic dn non_shared static add-needed no-add-needed "
     "copy-dt-needed-entries no-copy-dt-needed-entries allow-shlib-undefined no-allow-shlib-undefined",
     "", Input, Ignored, "there are no shared libraries to choose", nullptr},
    {"no-dynamic-linker no-pie no-pic-executable nopie Bsymbolic Bno-symbolic Bsymbolic-functions Bsymbolic-non-weak "
     "Bsymbolic-non-weak-functions Bgroup export-dynamic E no-export-dynamic dynamic-list-data dynamic-list-cpp-new "
     "dynamic-list-cpp-typeinfo undefined-version no-undefined-version default-symver default-imported-symver "
     "enable-new-dtags disable-new-dtags apply-dynamic-relocs no-apply-dynamic-relocs use-android-relr-tags "
     "no-use-android-relr-tags gnu-unique no-gnu-unique warn-textrel no-warn-textrel warn-shared-textrel "
     "warn-ifunc-textrel no-warn-ifunc-textrel",
     "", Output, Ignored, "every output is static", nullptr},
    {"dynamic-linker= I= hash-style= rpath= rpath-link= exclude-libs= version-script= version-exports-section= "
     "dynamic-list= export-dynamic-symbol= export-dynamic-symbol-list= audit= depaudit= P= "
     "spare-dynamic-tags= pack-dyn-relocs= package-metadata[=]",
     "VALUE", Output, Ignored, "every output is static", nullptr},
    {"eh-frame-hdr no-eh-frame-hdr ld-generated-unwind-info no-ld-generated-unwind-info",
     "", Output, Ignored, "nothing on these machines searches such a table", nullptr},

    // ---- Ignored: LTO ----
    {"plugin= plugin-opt= lto= flto[=] flto-partition= fuse-ld= load-pass-plugin= plugin-save-temps fat-lto-objects no-fat-lto-objects "
     "disable-verify save-temps[=] lto-* no-lto-* thinlto-* flto-* opt-remarks-*",
     "VALUE", Input, Ignored, "bitcode is not linked, so there is nothing to optimise", nullptr},

    // ---- Ignored: how things are done here anyway ----
    {"fork no-fork", "", Running, Ignored, "xlink is one process", nullptr},
    {"start-group (", "", Input, Ignored, "archives that refer to each other need no group", addGroupMark<true>},
    {"end-group )", "", Input, Ignored, "archives that refer to each other need no group", addGroupMark<false>},
    {"fxscope", "", Input, Ignored, "what compilers do for it is in the objects", nullptr},
    {"nostdlib", "", Input, Ignored, "no directory is searched that the command line does not name", nullptr},
    {"disable-linker-version", "", Output, Ignored, "LINKER_VERSION of a script adds nothing", nullptr},
    {"no-gdb-index no-debug-names", "", Output, Ignored, "no debugging index is made", nullptr},
    {"no-warn-search-mismatch no-accept-unknown-input-arch",
     "", Input, Ignored, "files of another machine are always an error", nullptr},
    {"architecture= A=", "ARCH", Input, Ignored, "-m names the machine", nullptr},
    {"no-define-common fortran-common no-fortran-common", "", Symbols, Ignored,
     "common symbols are always given space", nullptr},
    {"bp-compression-sort= bp-startup-sort= irpgo-profile=", "VALUE", Layout, Ignored,
     "sections are not ordered for compression or start-up", nullptr},
    {"bp-compression-sort-startup-functions no-bp-compression-sort-startup-functions verbose-bp-section-orderer "
     "branch-to-branch no-branch-to-branch", "", Layout, Ignored,
     "sections are not ordered for compression or start-up, nor branches redirected", nullptr},
    {"no-execute-only xosegment no-xosegment", "", Layout, Ignored,
     "the script decides what shares a segment", nullptr},
    {"relax no-relax relax-gp no-relax-gp toc-optimize no-toc-optimize pcrel-optimize no-pcrel-optimize "
     "optimize-bb-jumps no-optimize-bb-jumps pic-veneer merge-exidx-entries no-merge-exidx-entries",
     "", Layout, Ignored, "code is linked as it was compiled", nullptr},
    {"pmem-wrap-around=", "SIZE", Layout, Ignored, "the rows of the machine say which branches wrap around", nullptr},
    {"call-graph-profile-sort=", "VALUE", Layout, Ignored, "sections are not reordered by profiles", nullptr},
    {"ignore-data-address-equality ignore-function-address-equality", "", Layout, Ignored, "there are no shared libraries whose addresses could differ", nullptr},
    {"dependent-libraries no-dependent-libraries", "", Input, Ignored,
     "libraries are those that the command line and scripts name", nullptr},
    {"print-map-discarded no-print-map-discarded no-print-map-locals", "", Reports, Ignored,
     "the map has its own form", nullptr},
    {"warn-constructors warn-multiple-gp warn-once warn-section-align warn-alternate-em "
     "warn-execstack-objects warn-execstack no-warn-execstack error-execstack no-error-execstack warn-backrefs no-warn-backrefs",
     "", Messages, Ignored, "warnings have groups of their own: --warn-NAME", nullptr},
    {"warn-backrefs-exclude=", "GLOB", Messages, Ignored, "warnings have groups of their own: --warn-NAME", nullptr},
    {"no-keep-memory reduce-memory-overheads traditional-format force-exe-suffix stats map-whole-files "
     "no-map-whole-files mmap-output-file no-mmap-output-file ctf-variables no-ctf-variables "
     "disable-multiple-abs-defs strip-discarded g Qy qmagic",
     "", Running, Ignored, "accepted for compatibility", nullptr},
    {"hash-size= max-cache-size= assert= a= Y= gpsize= G= ctf-share-types= split-stack-adjust-size= "
     "thread-count= time-trace-granularity=",
     "VALUE", Running, Ignored, "accepted for compatibility", nullptr},

    // ---- Refused ----
    {"shared Bshareable", "", Output, Refused, "none of the machines has a dynamic loader; outputs are static executables", nullptr},
    {"pie pic-executable", "", Output, Refused, "none of the machines has a loader that could move an executable; pass -no-pie to the compiler's driver", nullptr},
    {"soname= h= auxiliary= f= filter= F=", "NAME", Output, Refused, "shared libraries cannot be made (--help prints the options)", nullptr},
    {"embedded-relocs", "", Output, Refused, "it is for embedded MIPS programs; -q keeps relocations", nullptr},
    {"be8", "", Output, Refused, "code and data have the byte order of the machine", nullptr},
    {"execute-only", "", Layout, Refused, "the machines do not tell reading from executing", nullptr},
    {"noinhibit-exec", "", Output, Refused, "an output with errors is never written", nullptr},
    {"accept-unknown-input-arch", "", Input, Refused, "files of another machine cannot be linked", nullptr},
    {"no-strip-discarded", "", Symbols, Refused, "symbols of discarded sections have no value", nullptr},
    {"mri-script= c=", "FILE", Input, Refused, "MRI scripts are not supported; -T names a linker script", nullptr},
    {"enable-non-contiguous-regions", "", Layout, Supported, "a section that a region has no room for goes to the next pattern that matches it", setTo<&Config::nonContiguousRegions>},
    {"gc-keep-exported", "", Layout, Refused, "nothing is exported; KEEP in a script and -u keep sections", nullptr},
    {"sort-section=", "ORDER", Layout, Supported, "order of sections in patterns without SORT: name or alignment", setSortSection},
    {"split-by-file[=] split-by-reloc[=]", "SIZE", Layout, Refused, "output sections cannot be split", nullptr},
    {"Trodata-segment= Tldata-segment=", "ADDR", Layout, Refused, "not supported yet; --section-start places single sections", nullptr},
    {"symbol-ordering-file=", "FILE", Layout, Supported, "the sections of the symbols that FILE lists come first, in its order", setText<&Config::symbolOrderingFile>, Read},
    {"section-ordering-file=", "FILE", Layout, Supported, "what FILE, a part of a script, places comes first in the output sections that it names", setOnce<&Config::sectionOrderingFile>, Read},
    {"call-graph-ordering-file= shuffle-sections=", "VALUE", Layout, Refused, "sections are ordered by --symbol-ordering-file and --section-ordering-file", nullptr},
    {"enable-linker-version", "", Output, Refused, "LINKER_VERSION of a script adds nothing; .comment names the linker", nullptr},
    {"compress-sections=", "VALUE", Output, Refused, "sections are not compressed yet", nullptr},
    {"gdb-index debug-names", "", Output, Refused, "debugging indexes are not supported yet", nullptr},
    {"remap-inputs= remap-inputs-file=", "VALUE", Input, Refused, "inputs are not exchanged for others yet", nullptr},
    {"reproduce=", "FILE", Reports, Supported, "pack the inputs and the command line into the tar file FILE", setText<&Config::reproduceFile>},
    {"randomize-section-padding=", "SEED", Layout, Refused, "equal inputs give equal bytes", nullptr},
    {"print-archive-stats= print-symbol-order= error-handling-script=", "FILE", Reports, Refused, "this report is not supported yet", nullptr},
    {"print-output-format print-sysroot", "", Reports, Refused, "this report is not supported", nullptr},
    {"vs-diagnostics", "", Messages, Refused, "--diagnostics-format=gcc writes places for editors", nullptr},
    {"task-link=", "SYMBOL", Symbols, Refused, "task linking is not supported", nullptr},
    {"out-implib= in-implib=", "FILE", Output, Refused, "import libraries are not for these machines", nullptr},
    {"diff[=] diff-ignore= diff-map=", "VALUE", Reports, Refused, "xlink-inspect diff A B compares linked files", nullptr},
    {"compare-maps[=]", "FORMAT", Reports, Refused, "xlink-inspect compare OLD NEW compares maps and linked files", nullptr},
    {"dump-xe=", "FILE", Reports, Refused, "xlink-inspect xe FILE lists it", nullptr},
    {"print-map-locals", "", Reports, Refused, "the map lists no local symbols; --map-json does", nullptr},
    {"check-uleb128 no-check-uleb128 cmse-implib fix-cortex-a53-843419 fix-cortex-a8 target1-abs target1-rel android-memtag-heap android-memtag-stack", "", Output, Refused, "not an option for these machines", nullptr},
    {"add-stdcall-alias compat-implib disable-auto-image-base disable-auto-import "
     "disable-large-address-aware disable-long-section-names disable-reloc-section "
     "disable-runtime-pseudo-reloc disable-stdcall-fixup dll enable-auto-import enable-extra-pe-debug "
     "enable-extra-pep-debug enable-long-section-names enable-reloc-section enable-runtime-pseudo-reloc "
     "enable-stdcall-fixup exclude-all-symbols export-all-symbols insert-timestamp kill-at "
     "large-address-aware leading-underscore no-insert-timestamp no-leading-underscore "
     "warn-duplicate-exports enable-auto-image-base[=] base_file= dll-search-prefix= "
     "exclude-modules-for-implib= exclude-symbols= file-alignment= heap= major-image-version= "
     "major-os-version= major-subsystem-version= minor-image-version= minor-os-version= "
     "minor-subsystem-version= output-def= section-alignment= stack= subsystem= thumb-entry= "
     "support-old-code",
     "VALUE", Output, Refused, "an option of PE; outputs are ELF", nullptr},
    {"android-memtag-mode= power10-stubs[=] no-power10-stubs", "VALUE", Output, Refused, "not an option for these machines", nullptr},
};

// clang-format on

//===----------------------------------------------------------------------===//
// The index
//===----------------------------------------------------------------------===//

struct Spelling {
  StringRef name;
  OptionMatch match;
  bool prefix = false;
};

/// All words of the rows' spellings, sorted by name.
const std::vector<Spelling> &spellings() {
  static const std::vector<Spelling> all = [] {
    std::vector<Spelling> list;
    for (const Option &row : optionTable().drop_front())
      for (StringRef word : split(row.spellings, ' ')) {
        Spelling &s = list.emplace_back();
        s.match.option = &row;
        if (word.consume_back("[=]")) {
          s.match.kind = OptionKind::OptionalValue;
        } else if (word.consume_back("=?")) {
          s.match.kind = OptionKind::Value;
          s.match.mayBeEmpty = true;
        } else if (word.consume_back("=")) {
          s.match.kind = OptionKind::Value;
        } else if (word.consume_back("*")) {
          s.match.kind = OptionKind::OptionalValue;
          s.prefix = true;
        }
        s.name = word;
      }
    sort(list, [](const auto &a, const auto &b) { return a.name < b.name; });
    return list;
  }();
  return all;
}

} // namespace

StringRef Option::name() const {
  StringRef word = StringRef(spellings).split(' ').first;
  return word.take_front(word.find_first_of("[=*"));
}

ArrayRef<Option> optionTable() { return table; }

OptionMatch findOption(StringRef spelling) {
  const auto it = partition_point(
      spellings(), [&](const Spelling &s) { return s.name < spelling; });
  if (it == spellings().end() || it->name != spelling || it->prefix)
    return {};
  return it->match;
}

OptionMatch findOptionByPrefix(StringRef spelling) {
  for (const Spelling &s : spellings())
    if (s.prefix && spelling.starts_with(s.name))
      return s.match;
  return {};
}

std::string dashed(StringRef spelling) {
  // -Map, -Ttext, -EL and -dT are at home with one dash.
  bool one = spelling.size() == 1 || spelling == "dT" ||
             (spelling.front() >= 'A' && spelling.front() <= 'Z');
  return std::string(one ? "-" : "--").append(spelling);
}

std::vector<StringRef> allSpellings() {
  std::vector<StringRef> result;
  for (const Spelling &s : spellings())
    if (!s.prefix)
      result.push_back(s.name);
  return result;
}

} // namespace xlink
