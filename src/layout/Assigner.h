//===- Assigner.h - one address assignment at work ------------------------===//
//
// Private to this room: the state that AddressAssignment.cpp's rounds and
// AssignmentSetup.cpp's preparations share.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_LAYOUT_ASSIGNER_H
#define XLINK_LAYOUT_ASSIGNER_H

#include "model/Link.h"
#include "resolve/Expressions.h"
#include "script/ScriptEvaluator.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

class Assigner final : public EvaluationEnvironment {
public:
  Assigner(Link &link, Expressions &expressions)
      : link(link), expressions(expressions) {}
  void run();

  // EvaluationEnvironment
  ScriptValue dot() override;
  bool insideSection() override { return current != kNone; }
  bool saneExpressions() override { return link.script.saneExpressions; }
  std::optional<ScriptValue> symbol(llvm::StringRef name) override;
  bool defined(llvm::StringRef name) override;
  std::optional<SectionInfo> section(llvm::StringRef name) override;
  uint64_t sectionAddress(uint32_t id) override {
    return link.outputs[id].address;
  }
  std::optional<RegionInfo> region(llvm::StringRef name) override;
  uint64_t constant(ScriptConstant which) override;
  uint64_t sizeOfHeaders() override { return link.headersSize; }
  std::optional<uint64_t> segmentStart(llvm::StringRef name) override;
  void problem(const ScriptLocation &where, std::string text) override;

private:
  void prepare();
  void prepareOutputs();
  void prepareRegions();
  void nameRegions();
  void chooseRegion(OutputSection &out, bool ignored);
  uint32_t regionByAttributes(const OutputSection &out) const;
  void propagateLoadRegions();
  bool effective(const AssignmentCommand &a) const;
  bool takesPlace(const AssignmentCommand &a);
  ScriptValue valueFor(const AssignmentCommand &a);
  bool forcesSection(const OutputSection &out);
  void round();
  void keepAligned();
  std::optional<uint64_t> assign(const AssignmentCommand &a);
  uint64_t check(const AssertCommand &a);
  template <class Statement> void runStatement(Statement &statement);
  void setSymbol(llvm::StringRef name, const ScriptValue &value);
  void placeOutput(OutputId id);
  bool leavesDot(const OutputSection &out);
  void finishSymbols();
  void finishData();
  Position runItems(OutputId id, bool ignored);
  void moveDot(const AssignmentCommand &a, uint64_t to);
  void advance(Position to);
  std::optional<uint64_t> givenAddress(OutputId id);
  uint64_t ownAlignment(const OutputSection &out, uint64_t scriptAlign);
  void setLoadAddress(OutputId id, uint64_t alignment, uint64_t dotDelta,
                      Position dot);
  void advanceRegions(OutputId id);
  void endOverlay(OutputId id);
  void evaluatePhdrs();
  uint64_t number(const Expr *expr, uint64_t otherwise);
  uint64_t alignment(const Expr *expr, uint64_t otherwise);
  std::vector<uint64_t> state() const;
  std::string movingName(const std::vector<uint64_t> &before,
                         const std::vector<uint64_t> &after) const;
  void reportUnsettled(const std::vector<uint64_t> &before,
                       const std::vector<uint64_t> &after);
  std::optional<uint64_t> valueOf(FileId file, uint32_t symbol);
  void collectLinkerSymbols();
  void defineLinkerSymbols();
  std::vector<uint8_t> fillBytes(const FillPattern &pattern);
  void parseOptions();
  void evaluateOptions();
  void findDefinitions();
  void followProvides(llvm::ArrayRef<const AssignmentCommand *> assignments);
  void runItem(OutputSection &out, OutputItem &item, Position &end,
               bool takesMemory);

  Link &link;
  Expressions &expressions;
  Position counter = 0;         ///< the location counter, absolute
  Position start = 0;           ///< where the section `current` begins
  OutputId current = kNone;     ///< the section whose statements run
  Position defaultCursor = 0;   ///< where a section without a region begins
  uint32_t defaultLast = kNone; ///< last section outside any region
  bool marking = false;         ///< finding out which sections hold something
  bool anyMoved = false;        ///< out of a full region, in this round
  bool reporting = false;
  bool finishing = false; ///< addresses stand, symbols get their values
  bool muted = false;     ///< what is evaluated reports in another pass
  /// By output: where dot stands behind it; nothing where it leaves dot alone.
  std::vector<std::optional<Position>> dotBehind;
  llvm::StringMap<OutputId> outputByName;
  llvm::StringMap<uint32_t> regionByName;
  llvm::StringSet<> assigned; ///< names this round has assigned so far
  /// By SymbolId: what inputs define, whatever the script makes of it.
  std::vector<bool> inputDefines;
  /// The PROVIDEs that take place: of those of one name, one.
  llvm::DenseSet<const AssignmentCommand *> provides;
  llvm::StringSet<> needed; ///< names that make a PROVIDE take place
  llvm::StringSet<> given;  ///< names that have a definition, or a PROVIDE
  /// Alignments that were rounded up to a power of two, and said so.
  llvm::DenseSet<const Expr *> roundedUp;
  llvm::StringRef assigning;     ///< the symbol that gets a value
  bool readsItself = false;      ///< its value so far, which no script gave it
  bool readsUnknown = false;     ///< something that has no value yet
  bool firstRound = true;        ///< sections have no addresses and sizes yet
  llvm::StringSet<> waiting;     ///< such symbols: they are assigned at the end
  bool beforeStatements = false; ///< regions and options are being evaluated
  /// An address that an option gives.
  struct OptionAddress {
    ExprPtr value;
    OutputId output = kNone;  ///< of this section, or
    llvm::StringRef segment;  ///< what SEGMENT_START calls it
    bool textSegment = false; ///< -Ttext-segment, --image-base
  };
  std::vector<OptionAddress> optionAddresses;
  /// A symbol of the linker's at the start or end of an output section.
  struct LinkerSymbol {
    SymbolId id;
    OutputId output; ///< kNone: no such section, the value is 0
    bool atEnd;
  };
  std::vector<LinkerSymbol> linkerSymbols;
  std::vector<SymbolId> baseSymbols; ///< parallel to target->baseSymbols
  std::optional<uint64_t> textSegment;
  llvm::StringMap<uint64_t> segments; ///< -Ttext and the like
};

} // namespace xlink
#endif
