//===- Target.h - declarations of a machine -------------------------------===//
//
// A machine is data, read from a machine file: its ELF identity, its relocation
// table, its default script; and some have code beside it, a Behaviour. The
// linker's core knows no machine by name; it reads these structures. This
// directory is a leaf: nothing here includes src/.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_ARCH_TARGET_H
#define XLINK_ARCH_TARGET_H

#include "arch/Relocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xlink {

/// A symbol that marks the start of all content with a section flag (XS1: _cp,
/// SHF_CP). The engine keeps the group together, aligns its first section to
/// the largest alignment in it, and defines the symbol there.
struct BaseSymbol {
  const char *name;
  uint64_t sectionFlag;  ///< sh_flags bit that makes a section a member
  uint32_t minAlign;     ///< lower bound of the group's alignment
  const char *section;   ///< the section it is relative to when it exists
  const char *lastMark;  ///< members whose name contains this come last
  const char *shortName; ///< its name in error texts ("cp")
};

/// A value of another kind that relocations subtract; see BaseKind.
struct Base {
  BaseKind kind;
  const char *name;             ///< its name in rows and error texts
  const char *symbol = nullptr; ///< of kind Symbol
  uint64_t plus = 0;            ///< of kind TlsStart: is added
};

/// Addresses [begin, end), and their name in messages.
struct NamedRange {
  uint64_t begin = 0, end = 0;
  const char *name = "";
};

/// A field of e_flags that all objects must share: (e_flags & mask).
struct FlagsRule {
  const char *name; ///< "ABI": messages begin "incompatible ABI"
  uint32_t mask;
  std::optional<uint32_t> onlyIf; ///< objects without these bits state nothing
  std::optional<uint32_t> any;    ///< a value that goes with every other
  bool isError = true;
  const char *text; ///< of a value: "has version %d", "is for %s"
};

/// A member of a family that --mcpu names.
struct Cpu {
  const char *name;
  std::optional<uint32_t> flags; ///< e_flags of the objects that are for it
  /// `@NAME@` in the built-in script -> text.
  llvm::ArrayRef<std::pair<const char *, const char *>> defines = {};
  llvm::ArrayRef<uint8_t> fill = {}; ///< in the place of Target::codeFill
  uint64_t base = 0;                 ///< of bases of the kind Cpu
  NamedRange noCode = {};            ///< holds no executable sections
  NamedRange executable = {};        ///< holds all of them; empty: anywhere
};

/// Addresses with `(address & mask) == match` become
/// ((address & ~clear) >> shift) + (address & keepLow) in a field.
struct AddressMap {
  uint64_t match, mask, clear;
  uint32_t shift;
  uint64_t keepLow;
};

/// The vendor's rows 192 to 255 count behind a relocation of type `number` at
/// the same place whose symbol has this name.
struct Vendor {
  uint32_t number;
  const char *name;
};

/// What an instruction with `(unit & mask) == code` does to the flow of
/// control.
enum class FlowKind : uint8_t {
  Call,         ///< of the address in its field
  Jump,         ///< to the address in its field
  Return,       ///< to the caller
  PointerCall,  ///< of an address in a register
  RegisterJump, ///< to an address in a register
  Onward,       ///< none: it only looks like one of the others
};
struct FlowRule {
  uint64_t mask, code;
  FlowKind kind;
};

/// A name for a section-flag bit, for INPUT_SECTION_FLAGS and listings.
struct SectionFlagName {
  const char *name;
  uint64_t flag;
};

/// A symbol at the start or end of an output section, defined only when it is
/// referenced and nothing else defines it.
struct SectionSymbol {
  const char *name;
  const char *section;
  bool atEnd;
};

/// Meaning of an operator of the machine's link-time expression section.
enum class ExprOp : uint8_t {
  Statement, ///< states something, assigns nothing
  Add,
  Max,
  Mul,
  Sub,
  AlignUp,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  Divide,
  Defined, ///< 1 when op1 has a value, else 0
  Select,  ///< op2 when op1 is not 0, else op3
  SetMax,  ///< the maximum of op2 and all elements of the set op1
  SetSum,  ///< the sum of op2 and all elements of the set op1
  Element, ///< op1 is an element of the set `result`, if op2 is live
  Assert,
  Block,      ///< the bytes between labels op1 and op2 live with the result
  AlignLabel, ///< the label `result` is aligned to op1, by op2 bytes of padding
  BelongsTo,  ///< the label `result` belongs to the block whose top is op1
  KeptBy,     ///< the section of `result` lives with that of op1
  // The call graph: statements about the function `result`. A source line is
  // text for messages, or a number.
  Calls,       ///< it calls op1
  Passed,      ///< it is given a reference to the global op1; op2: source line
  Reads,       ///< it reads the global op1; op2: source line
  Writes,      ///< it writes the global op1; op2: source line
  StackWords,  ///< its own frame has op1 words
  Threads,     ///< it takes op1 threads, the one it runs in among them
  Timers,      ///< it takes op1 timers
  ChannelEnds, ///< it takes op1 channel ends
  Parallel,    ///< it and op1 may run at the same time; op2: source line
  VisibleName, ///< users know it as op2
  TypeString,  ///< the type of the symbol `result`, as a type string
};
/// Whether an operator gives its result a value.
constexpr bool assigns(ExprOp op) {
  return op >= ExprOp::Add && op <= ExprOp::SetSum;
}
struct ExprOperator {
  uint32_t number;
  ExprOp op;
};

/// Resources of functions in the call graph's statements.
enum class Resource : uint8_t { StackWords, Threads, Timers, ChannelEnds };
constexpr unsigned kResourceCount = 4;

/// Objects may give the needs of a function together with all that it calls as
/// the value of a symbol: the function's name and this suffix.
struct ResourceSymbol {
  Resource resource;
  const char *suffix;
};

/// The fields of an input's ELF header that matter to a link, and attributes.
struct InputHeader {
  llvm::StringRef file; ///< as messages name it
  uint16_t machine = 0;
  uint32_t flags = 0;
  uint8_t osabi = 0;
  /// Text of its note of Target::cpuNoteType, without zeros at the end.
  llvm::StringRef cpu = {};
  /// Content of its section of Target::attributesType; empty: it has none.
  llvm::ArrayRef<uint8_t> attributes = {};
};

/// One of several memories that share a machine's link-time addresses.
struct Memory {
  enum Holds : uint8_t {
    Code,   ///< instructions and nothing else
    Values, ///< data that programs load and store
    Other,  ///< neither
  };
  const char *name;
  uint64_t begin, end; ///< link-time addresses, [begin, end)
  Holds holds;
  uint32_t unit = 1;           ///< bytes of the unit in which it is counted
  const char *units = nullptr; ///< name of these units; null: bytes
};

/// A message of a hook; the core adds the prefix.
struct TargetMessage {
  enum Severity {
    Error,
    Warning,
    Mismatch, ///< inputs do not go together: an error that
              ///< --no-warn-mismatch silences
  } severity;
  std::string text;
};

/// Memory that the run-time of a machine sets aside for a heap or a stack:
/// between two symbols, or from one on for as many bytes as another's value.
struct Reservation {
  enum Kind : uint8_t { Heap, Stack } kind;
  const char *name;           ///< its name in reports
  const char *begin;          ///< the symbol at its start
  const char *end = nullptr;  ///< the symbol behind it, or
  const char *size = nullptr; ///< the symbol whose value is its size in bytes
  /// Of the stack of a thread that runs the entry's code: a word for such
  /// threads.
  const char *thread = nullptr;
  unsigned count = 1; ///< # in the names stands for 0 to count - 1
};

/// Options that only a machine understands.
struct TargetOptions {
  std::string cpu;                    ///< --mcpu=, empty when not given
  std::vector<std::string> zKeywords; ///< words of -z that are the machine's
};

/// Everything about one link that options and e_flags decide. `arch/` itself
/// holds nothing mutable.
struct TargetState {
  std::string cpu;          ///< resolved sub-architecture, empty if none
  uint16_t machine = 0;     ///< e_machine of the output
  uint32_t flags = 0;       ///< e_flags of the output
  uint8_t osabi = 0;        ///< EI_OSABI of the output
  uint64_t fieldBase = 0;   ///< base of the kind Cpu
  bool usePlaceBias = true; ///< false: P is r_offset itself
  /// An assertion of link-time expressions fails when its operand 2 is 0; else
  /// when its result is not 0.
  bool assertsOperand = false;
  llvm::SmallVector<uint8_t, 4> codeFill; ///< filler between code sections
  NamedRange noCode = {};                 ///< holds no executable sections
  /// Where code may stand, ascending; empty: anywhere. See prefetchBytes.
  llvm::SmallVector<NamedRange, 1> executable;
  /// `@NAME@` in the built-in script -> text.
  std::vector<std::pair<std::string, std::string>> scriptVariables;
};

/// An option of a container: its name without dashes ("xe-tile") and its value.
struct ContainerOption {
  std::string name, value;
};

/// The input of Container::write.
struct ContainerRequest {
  llvm::ArrayRef<uint8_t> program; ///< the linked ELF file
  llvm::StringRef name;            ///< its name in messages
  const TargetState &state;
  llvm::ArrayRef<ContainerOption> options; ///< in order
  /// The bytes of a file that an option names, valid as long as the request;
  /// nothing and a reason when it cannot be read.
  llvm::function_ref<std::optional<llvm::ArrayRef<uint8_t>>(
      llvm::StringRef path, std::string &error)>
      read;
};

/// Contents of an entry of a container.
struct ContainerPart {
  std::string name; ///< in messages: "ELF of node 0, tile 1"
  llvm::ArrayRef<uint8_t> bytes;
  bool program = false; ///< `bytes` are an ELF file
};

/// The entries of a container file, in order.
struct ContainerListing {
  /// A property of an entry: its member in JSON, its value (a decimal number
  /// or text), and its text in a listing.
  struct Fact {
    const char *member;
    std::string value, text;
  };
  struct Entry {
    uint64_t offset = 0; ///< in the file
    std::string kind;    ///< "node descriptor"
    std::vector<Fact> facts;
    std::optional<ContainerPart> part; ///< nothing: its contents are damaged
  };
  std::string title; ///< "XE version 2, 1234 bytes"; empty: it is no such file
  std::vector<Entry> entries;
};

/// A file format of a machine's own around finished ELF files: `--oformat NAME`
/// writes it, `xlink-inspect NAME` lists and checks it.
struct Container {
  const char *name; ///< its options begin with it: --NAME-option
  /// The container's bytes. With an error among the messages they mean nothing.
  std::vector<uint8_t> (*write)(const ContainerRequest &request,
                                std::vector<TargetMessage> &messages);
  /// The readable entries of a file; faults go to `messages`. Any bytes are
  /// accepted. Null where such files are not listed.
  ContainerListing (*list)(llvm::ArrayRef<uint8_t> bytes,
                           std::vector<TargetMessage> &messages) = nullptr;
  /// The first bytes of files of this format; null: they have no mark.
  const char *magic = nullptr;
};

// Two languages can declare one function in ways that look alike and pass
// different arguments. Where objects state types, the linker sees it, and the
// machine may have code between caller and callee that makes the call right.

/// A parameter, or a result, in the declaration of one side of a call.
struct PassedValue {
  enum Kind : uint8_t {
    Basic,   ///< `code` is its type string's code ("ull")
    Address, ///< a pointer of C, a reference
    Handle,  ///< a port or an enumeration: a number
    Other,   ///< a structure, a pointer of XC, an interface ...
  } kind = Other;
  llvm::StringRef code;
  /// An array whose size its type leaves open, in a language that passes the
  /// size along.
  bool hasBound = false;
};

/// A function, in the declaration of one side of a call.
struct CallShape {
  bool open = false;     ///< there is no prototype
  bool variadic = false; ///< further arguments may follow
  std::vector<PassedValue> results, parameters;

  /// Parameters, counted from 1, whose sizes are passed behind all of them.
  std::vector<uint32_t> bounds() const {
    std::vector<uint32_t> list;
    for (uint32_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].hasBound)
        list.push_back(i + 1);
    return list;
  }
};

/// Code that is called in a function's place and calls it.
struct ThunkCode {
  std::vector<uint8_t> code; ///< empty: the function can be called itself
  uint32_t align = 1;
  uint32_t stackWords = 0; ///< of the code itself
  /// Where the code refers to the function.
  struct Reference {
    uint32_t offset = 0, type = 0; ///< in the code; number of the relocation
    int64_t addend = 0;
  } reference;
  /// Why there is none although it is needed, and the parameter, counted from
  /// 1, of which the callee would not get the bound.
  struct Failure {
    uint32_t parameter = 0;
    std::string reason;
  };
  std::optional<Failure> failure;
};

/// How a machine makes such code.
struct ThunkMaker {
  ThunkCode (*convert)(const CallShape &caller, const CallShape &callee,
                       const TargetState &state);
  /// The symbol of the code by which callers that state `type` call `function`.
  std::string (*name)(llvm::StringRef function, llvm::StringRef type);
};

/// XS1's, for callers without the bounds that a function of XC expects.
extern const ThunkMaker xs1ThunkMaker;

struct Target;

/// The part of a machine that is code, or data for code of the linker's that
/// one machine needs.
struct Behaviour {
  const char *behaviour =
      ""; ///< its name in machine files; empty: there is none
  llvm::ArrayRef<const char *> zKeywords = {}; ///< words of -z that are its own
  uint64_t retainFlag = 0x200000; ///< SHF_GNU_RETAIN's bit here, 0: none

  // Sections the machine treats in its own way (0: none).
  uint32_t exprSectionType = 0; ///< link-time expressions
  llvm::ArrayRef<ExprOperator> exprOperators = {};
  llvm::ArrayRef<ResourceSymbol> resourceSymbols = {};
  const char *typeSection = nullptr; ///< name of sections with type strings
  /// Unnamed pieces of the section that sh_info names.
  uint32_t pieceSectionType = 0;
  uint64_t removablePieceFlag = 0; ///< only pieces with it may be collected
  /// Notes of this name and type say which member of the family an object is
  /// for (null: none do).
  const char *cpuNoteName = nullptr;
  uint32_t cpuNoteType = 0;
  /// The stacks of the entry and of all that it starts take the rest of
  /// the memory that holds the entry.
  bool stackSharesMemory = false;
  llvm::ArrayRef<const Container *> containers = {}; ///< output formats
  /// For calls that pass less than the callee expects; null: there are none.
  const ThunkMaker *thunkMaker = nullptr;
  /// The cpu of the link, and the parts of its state that are the machine's
  /// own, with messages for inputs that do not go together. `given`: that of
  /// --mcpu, or null.
  const Cpu &(*configure)(const Target &target, const TargetOptions &options,
                          llvm::ArrayRef<InputHeader> headers, const Cpu *given,
                          TargetState &state,
                          std::vector<TargetMessage> &messages) = nullptr;
};

/// A machine. One constant object each, found through the registry. Members
/// that a machine does not mention keep the value given here.
struct Target : Behaviour {
  const char *name = nullptr;                ///< -m name
  llvm::ArrayRef<const char *> aliases = {}; ///< further -m names
  const char *description = nullptr;         ///< for --help and the README
  const char *file = nullptr;                ///< its path; null: built in
  bool is64 = false;                         ///< ELFCLASS64
  bool isBig = false;                        ///< ELFDATA2MSB
  /// e_machine values, the preferred first.
  llvm::ArrayRef<uint16_t> machines = {};
  /// EI_OSABI of an output without objects; where it is not 0, an output with
  /// objects has the first one's.
  uint8_t osabi = 0;
  /// The bits of e_flags that come from objects; the others, and all of an
  /// output without objects, are those of `flags`.
  uint32_t flagsMask = ~0u, flags = 0;
  llvm::ArrayRef<FlagsRule> flagsRules = {};
  llvm::ArrayRef<RelocationRow> relocations = {}; ///< sorted by number
  llvm::ArrayRef<Vendor> vendors = {};
  const char *script = nullptr; ///< default script, with @NAME@ variables
  llvm::ArrayRef<const char *> entries = {}; ///< entry symbols tried in order
  uint64_t maxPageSize = 4;                  ///< default of -z max-page-size
  llvm::ArrayRef<Cpu> cpus = {}; ///< values of --mcpu; the first is the default

  llvm::ArrayRef<BaseSymbol> baseSymbols = {};
  llvm::ArrayRef<Base> bases = {};
  llvm::ArrayRef<AddressMap> maps = {}; ///< the first that matches counts
  llvm::ArrayRef<SectionFlagName> sectionFlags = {};
  llvm::ArrayRef<SectionSymbol> sectionSymbols = {};

  // Segment policy.
  /// (NOLOAD) sections stay in their PT_LOAD, as GNU ld has it.
  bool noloadInSegments = true;
  /// An empty section with a symbol is kept.
  bool keepSymbolOnlySections = false;
  /// A section that only a moving dot makes large has bytes in the file; GNU ld
  /// makes it NOBITS.
  bool gapSectionsHaveBytes = false;
  uint32_t segmentFileAlign = 1; ///< p_filesz is padded to this, at least 1
  /// With the built-in script, the section of the entry symbol comes first in
  /// its output section: execution begins at the image's base.
  bool entrySectionFirst = false;

  // Code.
  llvm::ArrayRef<uint8_t> codeFill = {}; ///< filler between code sections
  /// How far beyond an instruction the processor reads: so many bytes at the
  /// end of executable memory hold no code.
  uint32_t prefetchBytes = 0;
  /// Code that its region has no room for goes to the first region behind it,
  /// among those of further patterns that match it, that has room.
  bool codeFillsRegions = false;
  /// A number that a script assigns to a symbol inside an output section stays
  /// a number, and ORIGIN() an address, as lld has it; GNU ld makes them
  /// offsets in the section. For machines whose scripts are written for lld.
  bool scriptNumbersAbsolute = false;
  /// Its memories, which cover all link-time addresses. Empty: one memory for
  /// everything.
  llvm::ArrayRef<Memory> memories = {};
  /// Heaps and stacks of its usual run-time.
  llvm::ArrayRef<Reservation> reservations = {};
  /// Where execution begins, independent of e_entry, and the file with the code
  /// there.
  std::optional<uint64_t> startAddress = std::nullopt;
  const char *startFile = nullptr;
  /// The program that needs .symtab of the output to load it; null: none.
  const char *symbolReader = nullptr;
  /// Sections that hold the table of interrupt vectors, as globs, and the
  /// table's alignment; 0: the power of two not below its size.
  llvm::ArrayRef<const char *> vectors = {};
  uint64_t vectorAlign = 0;
  llvm::ArrayRef<FlowRule> flows = {}; ///< the first that fits counts
  uint32_t instruction = 0;    ///< bytes of the shortest one; 0: not known
  uint8_t word = 0;            ///< bytes that start-up code copies at once
  bool keepLocalLabels = true; ///< .L symbols go into .symtab

  // Sections.
  /// The bit of a number in .stack_sizes that says: with all callees; 0: none.
  uint64_t stackSizeWithCallees = 0;
  uint32_t attributesType = 0; ///< first object's is kept, later ones dropped
  const char *attributesVendor = nullptr; ///< its tag identifies an object
  uint32_t attributesTag = 0;
  llvm::ArrayRef<uint32_t> ignoredTypes = {}; ///< sections passed over
  uint32_t gotSlotSize = 0; ///< bytes of a GOT slot, 0: no GOT

  /// Whether -m may say this for it.
  bool hasName(llvm::StringRef word) const {
    return word == name || llvm::is_contained(aliases, word);
  }
};

/// The memory that a link-time address is in; null where the machine has but
/// one.
const Memory *memoryAt(const Target &target, uint64_t address);

/// All machines, in the order of the documentation.
llvm::ArrayRef<const Target *> allTargets();
/// By -m name or alias; null when unknown.
const Target *findTarget(llvm::StringRef name);
/// By class, byte order and e_machine; null when unknown.
const Target *findTarget(bool is64, bool isBig, uint16_t machine);

/// "0x40000", for script variables and messages.
std::string hexText(uint64_t value);

/// Options and the headers of all linked objects, in order -> the link's state,
/// with messages for inputs that do not go together.
void configure(const Target &target, const TargetOptions &options,
               llvm::ArrayRef<InputHeader> headers, TargetState &state,
               std::vector<TargetMessage> &messages);

/// The identity that two attributes sections must share ("v1A"), or nothing
/// when the bytes are malformed.
std::optional<std::string> attributesIdentity(const Target &target,
                                              llvm::ArrayRef<uint8_t> bytes);

/// Compares a property of the inputs, such as an ABI version, with that of the
/// first input that has one, and adds a message "PROPERTY: a.o X, b.o Y" for
/// the first input of each other value: one bad library is one message, not one
/// a member. `read` returns nothing for an input that goes with everything;
/// `text` returns the value in words ("has version 2"). Returns the first input
/// that has one, or null.
const InputHeader *requireSame(
    const llvm::Twine &property, llvm::ArrayRef<InputHeader> headers,
    llvm::function_ref<std::optional<uint32_t>(const InputHeader &)> read,
    llvm::function_ref<std::string(uint32_t value)> text,
    TargetMessage::Severity severity, std::vector<TargetMessage> &messages);

} // namespace xlink
#endif
