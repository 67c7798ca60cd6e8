//===- ScriptTree.h - a parsed linker script ------------------------------===//
//
// The vocabulary of the GNU ld script language as a tree. The parser builds it,
// the layout runs it; it holds no result of a link. A tree owns the text it
// points into.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_SCRIPTTREE_H
#define XLINK_MODEL_SCRIPTTREE_H

#include "base/Config.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace xlink {

/// A place in a script, for messages. `file` points into Script::buffers.
struct ScriptLocation {
  llvm::StringRef file;
  uint32_t line = 0, column = 0; ///< from 1; 0: of the option `file`
};

/// "file:line:column: ", or "option '-Ttext': ", or "" without a location.
std::string locationText(const ScriptLocation &where);

struct Script;
/// Where the script has this word, which points into one of its texts; of
/// another one `otherwise`.
ScriptLocation wordPlace(const Script &script, llvm::StringRef word,
                         const ScriptLocation &otherwise);
/// "memory region 'NAME' is not declared", with the nearest name that is.
std::string undeclaredRegion(const Script &script, llvm::StringRef name);

/// The output section whose input sections are dropped.
inline constexpr llvm::StringLiteral kDiscardName = "/DISCARD/";
/// The name of a file's common symbols in patterns.
inline constexpr llvm::StringLiteral kCommonName = "COMMON";
/// `:NONE` behind an output section: it is in no segment.
inline constexpr llvm::StringLiteral kNoSegmentName = "NONE";

/// The values of CONSTANT().
enum class ScriptConstant : uint8_t { MaxPageSize, CommonPageSize };

/// Operators and functions of expressions (GNU ld manual, "Expressions").
enum class ExprKind : uint8_t {
  Number,
  Symbol,
  Dot,
  // unary
  Negate,
  Not,
  Complement,
  // binary
  Mul,
  Div,
  Mod,
  Add,
  Sub,
  Shl,
  Shr,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Xor,
  Or,
  LogicalAnd,
  LogicalOr,
  // ternary
  Conditional,
  // functions; a section, region or constant name is in `name`
  Absolute,
  Addr,
  LoadAddr,
  SizeOf,
  AlignOf,
  Defined,
  Origin,
  Length,
  Constant,
  SizeOfHeaders,
  Align1,
  Align2,
  Next,
  Block,
  Min,
  Max,
  Log2Ceil,
  SegmentStart,
  DataSegmentAlign,
  DataSegmentEnd,
  DataSegmentRelroEnd,
  Assert,
};

struct Expr {
  ExprKind kind = ExprKind::Number;
  ScriptConstant constantKind = ScriptConstant::MaxPageSize; ///< CONSTANT
  ScriptLocation where;
  uint64_t number = 0;
  /// A symbol, section, region, constant or message of ASSERT; a hexadecimal
  /// number of a fill as written.
  llvm::StringRef name;
  /// Longest path to a leaf. The parser limits it, so that walking a tree by
  /// recursion is safe.
  uint32_t height = 0;
  /// Made of literals alone: GNU ld computes it while it parses, and then it
  /// counts as a literal itself.
  bool constant = false;
  llvm::SmallVector<std::unique_ptr<Expr>, 2> args;
};
using ExprPtr = std::unique_ptr<Expr>;

/// How input sections are ordered within one pattern.
enum class SortKind : uint8_t { Default, None, Name, Alignment, InitPriority };

/// A name pattern: shell wildcards, or plain text when `wild` is false.
struct GlobPattern {
  llvm::StringRef text;
  bool wild = false;
};

/// One section-name pattern inside an input section description.
struct SectionPattern {
  GlobPattern name;
  std::vector<GlobPattern> excludeFiles; ///< EXCLUDE_FILE in front of the name
  SortKind outer = SortKind::Default, inner = SortKind::Default;
  bool reverse = false; ///< REVERSE()
  ScriptLocation where;
  bool isCommon() const { return name.text == kCommonName; }
};

enum class CommandKind : uint8_t {
  Assignment,
  Assert,
  InputDescription,
  Data,
  Fill,
  OutputSection,
  Overlay,
  Insert,
};

/// Base of the statements of a script, of SECTIONS or of an output section.
struct ScriptCommand {
  explicit ScriptCommand(CommandKind k) : kind(k) {}
  virtual ~ScriptCommand() = default;
  CommandKind kind;
  ScriptLocation where;
};
using CommandPtr = std::unique_ptr<ScriptCommand>;

/// sym = expr, sym += expr, PROVIDE(...), HIDDEN(...); name "." moves dot.
/// Compound assignments are stored expanded: a += b is a = a + b.
struct AssignmentCommand : ScriptCommand {
  AssignmentCommand() : ScriptCommand(CommandKind::Assignment) {}
  llvm::StringRef name;
  ExprPtr value;
  bool provide = false, hidden = false;
  llvm::StringRef text; ///< the source text, for the map
  bool isDot() const { return name == "."; }
};

struct AssertCommand : ScriptCommand {
  AssertCommand() : ScriptCommand(CommandKind::Assert) {}
  ExprPtr condition;
  llvm::StringRef message;
};

/// file(patterns), KEEP(...), COMMON.
struct InputDescription : ScriptCommand {
  InputDescription() : ScriptCommand(CommandKind::InputDescription) {}
  GlobPattern file;        ///< the file part; archive:member in the next two
  bool hasArchive = false; ///< the file part had a ':'
  GlobPattern archive;     ///< left of ':', text empty: not in an archive
  GlobPattern member;      ///< right of ':', text empty: any member
  SortKind fileSort = SortKind::Default; ///< SORT(file)(...)
  bool fileReverse = false;
  std::vector<GlobPattern> excludeFiles; ///< EXCLUDE_FILE(...) file(...)
  /// Empty: the file's remaining sections.
  std::vector<SectionPattern> patterns;
  bool keep = false;
  /// INPUT_SECTION_FLAGS: the flags that a section has to have, and those that
  /// it must not have ("!" in front), of numbers and of the names that all
  /// machines share.
  uint64_t wantedFlags = 0, refusedFlags = 0;
  /// The other names there, with "negated": the machine's own, or unknown.
  std::vector<std::pair<llvm::StringRef, bool>> machineFlags;
  llvm::StringRef text;
};

/// BYTE, SHORT, LONG, QUAD, SQUAD (size 1..8), ASCIZ (bytes).
struct DataCommand : ScriptCommand {
  DataCommand() : ScriptCommand(CommandKind::Data) {}
  unsigned size = 0;
  bool isSigned = false; ///< SQUAD
  ExprPtr value;         ///< null for ASCIZ
  std::string bytes;     ///< ASCIZ text with its NUL
};

/// A fill pattern: an expression (4 bytes, big-endian) or a hex string of any
/// length as written.
struct FillPattern {
  ExprPtr value;
  std::vector<uint8_t> bytes; ///< non-empty: written as a long hex number
  explicit operator bool() const { return value || !bytes.empty(); }
};
struct FillCommand : ScriptCommand {
  FillCommand() : ScriptCommand(CommandKind::Fill) {}
  FillPattern pattern;
};

enum class OutputType : uint8_t {
  Normal,
  NoLoad,
  DSect,
  Copy,
  Info,
  Overlay,
  ReadOnly,
};
enum class Constraint : uint8_t { None, OnlyIfRO, OnlyIfRW };

/// The part behind the closing brace of an output section or OVERLAY.
struct SectionTail {
  llvm::StringRef region, lmaRegion;  ///< > and AT>
  std::vector<llvm::StringRef> phdrs; ///< :name ...
  FillPattern fill;                   ///< =fill
};

/// name [address] [(type)] : [AT(lma)] ... { commands } >region ...
struct OutputSectionCommand : ScriptCommand, SectionTail {
  OutputSectionCommand() : ScriptCommand(CommandKind::OutputSection) {}
  llvm::StringRef name;
  ExprPtr address; ///< null: dot
  OutputType type = OutputType::Normal;
  ExprPtr typeValue; ///< TYPE = expr, a number also for SHT_NAME; null: none
  ExprPtr lma;       ///< AT(expr)
  ExprPtr align, subalign;
  bool alignWithInput = false;
  Constraint constraint = Constraint::None;
  std::vector<CommandPtr> commands;
  bool isDiscard() const { return name == kDiscardName; }
  bool inOverlay = false; ///< a member of an OVERLAY
};

/// OVERLAY [start] : [NOCROSSREFS] [AT(lma)] { sections } ...
struct OverlayCommand : ScriptCommand, SectionTail {
  OverlayCommand() : ScriptCommand(CommandKind::Overlay) {}
  ExprPtr address, lma;
  bool noCrossRefs = false;
  std::vector<std::unique_ptr<OutputSectionCommand>> sections;
  /// PROVIDE(__load_start_NAME = LOADADDR(NAME)) and __load_stop_NAME for each
  /// member, NAME without the characters that C does not allow in names.
  std::vector<std::unique_ptr<AssignmentCommand>> symbols;
};

/// INSERT AFTER|BEFORE name: moves the statements of its own SECTIONS.
struct InsertCommand : ScriptCommand {
  InsertCommand() : ScriptCommand(CommandKind::Insert) {}
  bool after = true;
  llvm::StringRef name;
  /// Script::commands[firstCommand .. this command's own index) are moved.
  uint32_t firstCommand = 0;
};

/// MEMORY { name (attr) : ORIGIN = expr, LENGTH = expr }
struct MemoryCommand {
  llvm::StringRef name;
  std::vector<llvm::StringRef> aliases; ///< REGION_ALIAS
  ScriptLocation where;
  uint64_t flags = 0, negFlags = 0; ///< SHF_* wanted, or excluded with !
  bool wantReadOnly = false, excludeReadOnly = false; ///< attribute r
  bool wantLoaded = false, excludeLoaded = false;     ///< attributes i and l
  bool hasAttributes = false;
  ExprPtr origin, length;
};

/// PHDRS { name type [FILEHDR] [PHDRS] [AT(addr)] [FLAGS(n)] }
struct PhdrCommand {
  llvm::StringRef name;
  ScriptLocation where;
  ExprPtr type; ///< a number also for PT_NAME
  bool fileHeader = false, programHeaders = false;
  ExprPtr address, flags;
};

struct NoCrossRefs {
  std::vector<llvm::StringRef> sections;
  bool toFirst = false; ///< NOCROSSREFS_TO
  ScriptLocation where;
};

/// A file a script asks for: INPUT, GROUP, AS_NEEDED, STARTUP.
struct ScriptInput {
  llvm::StringRef name;  ///< "-lfoo" for libraries
  bool startup = false;  ///< STARTUP: goes first
  bool asNeeded = false; ///< inside AS_NEEDED
  uint32_t group = 0;    ///< the number of its GROUP, from 1; 0: in none
  ScriptLocation where;
};

/// One or several script files, parsed. All `-T` of a link end in one tree.
struct Script {
  /// Top level and SECTIONS content, in order.
  std::vector<CommandPtr> commands;
  /// --section-ordering-file: output sections with statements that go in front
  /// of those of their namesakes, and the other statements.
  std::vector<CommandPtr> ordering;
  std::vector<MemoryCommand> memory;
  std::vector<PhdrCommand> phdrs;
  std::vector<NoCrossRefs> noCrossRefs;
  std::vector<ScriptInput> inputs;
  uint32_t groups = 0; ///< how many GROUPs
  std::vector<llvm::StringRef> searchDirs;
  std::vector<llvm::StringRef> externs; ///< EXTERN
  /// Segments that some SEGMENT_START asks for: options that give them an
  /// address leave the placing to the script (GNU ld).
  std::vector<llvm::StringRef> segmentStarts;
  llvm::StringRef entry;  ///< ENTRY, empty: none
  llvm::StringRef output; ///< OUTPUT
  /// OUTPUT_FORMAT's first name: every one but "binary" means ELF.
  OutputFormat outputFormat = OutputFormat::Elf;
  bool hasSections = false; ///< a SECTIONS command was seen
  bool hasPhdrs = false;
  bool forceCommonAllocation = false;
  bool inhibitCommonAllocation = false;
  bool forceGroupAllocation = false;
  /// It has a syntax error, so a part of it is not known.
  bool misread = false;
  bool saneExpressions = false; ///< LD_FEATURE("SANE_EXPR")
  /// Texts the tree points into, and strings made while parsing.
  std::vector<std::shared_ptr<const std::string>> buffers;
  /// The files, as messages call them, and their texts.
  struct SourceText {
    llvm::StringRef file, text;
  };
  std::vector<SourceText> texts;
};

} // namespace xlink
#endif
