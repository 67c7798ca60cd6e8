//===- Config.h - the values of the command line --------------------------===//
//
// One value per link, filled by driver/Options and read by every pass. It holds
// words, not meanings: files are names, expressions are text.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_CONFIG_H
#define XLINK_BASE_CONFIG_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xlink {

/// The form in which an input is read.
enum class InputForm : uint8_t {
  Recognized,  ///< as its first bytes say
  Binary,      ///< -b binary: bytes for .data, whatever they are
  JustSymbols, ///< --just-symbols: addresses, no contents
};

/// One positional input in command-line order, with the modes in force there.
struct InputItem {
  enum Kind : uint8_t {
    File,    ///< a path; object, archive or script, decided by its contents
    Library, ///< -l NAME or -l :FILE (text without the -l)
    Script,  ///< -T FILE
    Defsym,  ///< --defsym NAME=EXPR, whole text
  } kind = File;
  std::string text;
  bool wholeArchive = false; ///< inside --whole-archive
  bool lazy = false;         ///< inside --start-lib
  InputForm form = InputForm::Recognized;
};

/// --start-group or --end-group, which only the map tells of.
struct GroupMark {
  size_t at; ///< it stands in front of that input, or at the end
  bool begins;
};

enum class Strip : uint8_t { None, Debug, All };
/// Which local symbols stay out of the symbol table.
enum class Discard : uint8_t {
  Default, ///< .L* symbols of mergeable sections (GNU ld's and lld's default)
  None,    ///< --discard-none
  Locals,  ///< -X: all .L*
  All,     ///< -x: every local symbol
};
enum class OrphanHandling : uint8_t { Place, Warn, Error, Discard };
/// --sort-section: how patterns without a SORT of their own order sections.
enum class SortSection : uint8_t { None, Name, Alignment };
/// --sort-common: the order of a file's common symbols, by alignment.
enum class SortCommon : uint8_t { None, Ascending, Descending };
/// The loader that segments are made for.
enum class Paging : uint8_t {
  Demand, ///< pages: permissions and alignment decide
  Nmagic, ///< -n: sections loaded at one distance share a segment
  Omagic, ///< -N: that, and code is writable
};
/// --icf: which identical sections are stored once.
enum class IcfLevel : uint8_t {
  None,
  Safe, ///< code whose address is not taken
  All,  ///< all read-only sections
};
/// --build-id: the number in the note.
enum class BuildIdKind : uint8_t {
  None,
  Fast, ///< 8 bytes of a fast hash of the output
  Md5,  ///< its MD5
  Sha1, ///< its SHA-1
  Uuid, ///< 16 random bytes
  Given ///< by the command line
};
/// How a report is printed, if it is.
enum class ReportFormat : uint8_t { None, Text, Json };
/// --compress-debug-sections.
enum class DebugCompression : uint8_t { None, Zlib, Zstd };
/// --diagnostics-format: how messages are printed.
enum class MessageFormat : uint8_t { Text, Json, Gcc };
enum class UnresolvedPolicy : uint8_t { Error, Warn, Ignore };
/// --stack-limit: bytes for the stack of a function and all that it calls.
struct StackLimit {
  std::string symbol;
  uint64_t bytes;
};

/// The format of the output, or of a file beside it.
enum class OutputFormat : uint8_t { Elf, Binary, IntelHex, SRecord, Verilog };

/// A format and its name, which is objcopy's too.
struct OutputFormatName {
  OutputFormat format;
  const char *name;
};
inline constexpr OutputFormatName kOutputFormats[] = {
    {OutputFormat::Elf, "elf"},         {OutputFormat::Binary, "binary"},
    {OutputFormat::IntelHex, "ihex"},   {OutputFormat::SRecord, "srec"},
    {OutputFormat::Verilog, "verilog"},
};

/// A file beside the output with the loaded bytes of a memory region.
struct RegionImage {
  std::string region, path;
  OutputFormat format = OutputFormat::Binary;
};

/// --crc: a check of loaded bytes, for the program to compare.
struct CrcRequest {
  std::string text;   ///< the option's value, for messages
  std::string symbol; ///< where it goes
  std::string region; ///< of this region, or of
  /// load addresses: the first one, and the one behind the last.
  std::optional<std::pair<uint64_t, uint64_t>> range;
  std::string kind = "CRC-32/ISO-HDLC";
};

/// An address that the command line gives to an output section.
struct SectionStart {
  std::string section, address; ///< name; text of the address
  const char *option;           ///< for messages
  /// Its name in SEGMENT_START: "text", "data", "bss"; a script that asks for
  /// that places the section itself. Empty: --section-start.
  const char *segment = "";
};

struct Config {
  // Inputs and outputs.
  /// -m, in order; none: that of the first object.
  std::vector<std::string> machines;
  std::string executable; ///< beside which machine files are; empty: none
  std::string cpu;        ///< --mcpu
  /// Options that demand a byte order, and whether that is big-endian.
  std::vector<std::pair<std::string, bool>> byteOrders;
  bool cpuForLLVM = false; ///< by -mllvm, for machines that know cpus only
  std::vector<InputItem> inputs;         ///< in order
  std::vector<GroupMark> groupMarks;     ///< in order
  std::vector<std::string> libraryPaths; ///< -L, as written ("=dir" too)
  std::string sysroot;                   ///< --sysroot, put before "=" paths
  std::string defaultScript; ///< -dT: in the built-in script's place
  std::string output = "a.out";
  bool outputGiven = false; ///< -o: a script's OUTPUT does not count
  OutputFormat format = OutputFormat::Elf;
  bool formatGiven = false; ///< --oformat: nor its OUTPUT_FORMAT
  /// --oformat NAME of a machine's own, around the ELF file; empty: none.
  std::string container;
  /// Options of such formats, name without dashes and value, in order.
  std::vector<std::pair<std::string, std::string>> containerOptions;
  uint64_t padImage =
      1; ///< --pad-image: what the end of images is a multiple of
  std::optional<uint8_t> gapFill;  ///< --gap-fill: in images, between sections
  std::vector<RegionImage> images; ///< --image, in order
  std::vector<CrcRequest> crcs;    ///< --crc, in order

  // Symbols.
  std::optional<std::string> entry;           ///< -e
  std::vector<std::string> undefined;         ///< -u
  std::vector<std::string> undefinedGlobs;    ///< --undefined-glob
  std::vector<std::string> requireDefined;    ///< --require-defined
  std::string init = "_init", fini = "_fini"; ///< --init, --fini
  std::vector<std::string> wrap;              ///< --wrap
  std::vector<std::string> ignoreUnresolved;  ///< --ignore-unresolved-symbol
  std::string retainSymbolsFile;              ///< --retain-symbols-file
  std::vector<std::string> keepSymbols;       ///< --keep-symbol: globs
  bool warnCommon = false;                    ///< --warn-common
  bool allowMultipleDefinition = false;
  bool defineCommon = false; ///< -d: COMMON is allocated with -r too
  UnresolvedPolicy unresolved = UnresolvedPolicy::Error;
  Strip strip = Strip::None;
  Discard discard = Discard::Default;

  // Layout.
  std::vector<SectionStart> sectionStart; ///< in order, the last one counts
  std::optional<std::string> textSegment; ///< -Ttext-segment
  std::optional<std::string> imageBase;   ///< --image-base
  std::optional<uint64_t> maxPageSize;
  Paging paging = Paging::Demand;
  bool separateCode = true;    ///< a segment for each change of permissions
  bool readOnlySegment = true; ///< between constants and code too
  OrphanHandling orphans = OrphanHandling::Place;
  SortSection sortSection = SortSection::None;
  SortCommon sortCommon = SortCommon::None;
  std::string symbolOrderingFile;  ///< --symbol-ordering-file
  std::string sectionOrderingFile; ///< --section-ordering-file
  IcfLevel icf = IcfLevel::None;
  bool printIcfSections = false;
  std::vector<std::string> keepUnique;     ///< --keep-unique
  bool uniqueOrphans = false;              ///< --unique: each on its own
  std::vector<std::string> uniqueSections; ///< --unique=GLOB
  BuildIdKind buildId = BuildIdKind::None;
  std::vector<uint8_t> buildIdBytes; ///< --build-id=0xHEX
  bool initTables = false;           ///< --init-tables: for start-up code
  bool nonContiguousRegions = false; ///< sections move on when a region is full
  int optimize = 1;                  ///< -O: 0 merges nothing
  bool gcSections = false;
  bool startStopGc = false; ///< __start_ and __stop_ symbols keep nothing
  bool printGcSections = false;
  std::string gcSectionsFile; ///< --print-gc-sections=FILE
  bool checkSections = true;
  bool warnRwx = false;     ///< --warn-rwx-segments
  bool rwxIsError = false;  ///< --error-rwx-segments, beside warnRwx
  bool warnMismatch = true; ///< inputs that do not go together are errors

  /// -z dead-reloc-in-nonalloc: GLOB and value, the last that matches counts.
  std::vector<std::pair<std::string, uint64_t>> deadReferences;
  DebugCompression compressDebug = DebugCompression::None;
  bool ignoreRelocations = false; ///< fields keep the bytes of the inputs
  bool relocatable = false;       ///< -r: the output is input of another link
  bool emitRelocations = false;   ///< -q: a program that keeps them
  bool dissolveGroups = false;    ///< --force-group-allocation: no groups in -r

  /// Whether the output holds all that a further link or a tool needs to move
  /// parts of it.
  bool keepsRelocations() const { return relocatable || emitRelocations; }

  // Machine words.
  std::vector<std::string> zKeywords;

  // Running.
  unsigned threads = 0;               ///< 0: as many as the machine has
  std::optional<uint64_t> errorLimit; ///< default 20; 0: no limit
  bool fatalWarnings = false;
  bool noWarnings = false;
  /// Names of warning groups. Correct programs too have types that differ where
  /// one object leaves them open: that group is on only by request.
  std::vector<std::string> disabledWarnings = {"type-spelling"};
  /// Groups of checks/ whose findings are errors beside those that always are.
  std::vector<std::string> errorTraps;
  bool printTraps = false; ///< --print-traps
  /// Conflicts of parallel functions are errors.
  bool errorParallelUsage = false;
  bool warnUnmatched = false;     ///< of every pattern that matches nothing
  bool warnNonContiguous = false; ///< where sections could have moved on
  bool color = false;
  MessageFormat messageFormat = MessageFormat::Text; ///< --diagnostics-format
  bool demangle = true;  ///< names that people read, as their language has them
  bool verbose = false;  ///< --verbose: print the script in use
  bool trace = false;    ///< -t: print input files
  std::string mapFile;   ///< -Map
  bool printMap = false; ///< -M
  ReportFormat resourceUsage = ReportFormat::None; ///< --print-resource-usage
  bool dumpTypes = false;                          ///< --dump-types
  bool cref = false; ///< --cref: cross references in the maps

  // Answers.
  bool mapScriptLines = false; ///< --map-script-lines: where each pattern is
  bool mapByAddress = false;   ///< --map-by-address: sections in that order
  std::string mapJson;         ///< --map-json
  std::string htmlReport;      ///< --html-report
  std::string answersJson;     ///< --answers-json: those asked for, in one file
  std::string baseline;        ///< --baseline: an older --map-json
  std::string sizeBudget;      ///< --size-budget
  /// --print-size-attribution: how many levels, 0 being all.
  std::optional<unsigned> sizeAttribution;
  ReportFormat memoryUsage = ReportFormat::None; ///< --print-memory-usage
  std::vector<std::string> whyLive, whyDead, whyPlaced;
  bool whyExtract = false; ///< --why-extract: of all archive members
  std::vector<std::string> whyExtractNames; ///< --why-extract=NAME
  ReportFormat explainScript = ReportFormat::None;
  ReportFormat stackUsage = ReportFormat::None;
  bool stackUsageFiles = false; ///< --stack-usage-files: .su, .ci
  std::string stackCalls;       ///< --stack-calls
  std::vector<StackLimit> stackLimits;
  bool errorStackLimit = false; ///< an excess is an error
  bool printTime = false;       ///< --time
  std::string timeTrace;        ///< --time-trace

  std::string dependencyFile; ///< --dependency-file
  std::string reproduceFile;  ///< --reproduce
  /// For --reproduce: the command line, (option, value) in order, where the
  /// inputs themselves have an empty name.
  std::vector<std::pair<std::string, std::string>> arguments;
  /// Response files, and the values of options that name a file to read.
  std::vector<std::string> namedFiles;
  std::vector<std::string> traceSymbols; ///< -y

  // Modes that end early.
  bool help = false;
  bool helpAll = false; ///< with the options that are ignored and refused
  bool version = false; ///< --version: print and stop
  bool versionAndGoOn = false; ///< -v / -V: print, link if there are inputs
  std::string checkMachine;    ///< --check-machine
  bool printMachine = false;   ///< --print-machine
  bool printVectors = false;   ///< --print-vectors
  bool listMachines = false;   ///< -V: the version names the machines
  bool listRelocations = false;
  bool checkScript = false; ///< --check-script
};

} // namespace xlink
#endif
