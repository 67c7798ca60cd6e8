//===- FileLink.h - a finished file as the link that made it --------------===//
//
// Problem: checks/ finds likely mistakes in a Link. A finished file of any
// linker has the facts that most of them read: sections with addresses and load
// addresses, symbols, and perhaps relocations and a script. A second copy of
// each check for files would soon differ from the first.
//
// Method: the file becomes the values of a link, and the checks run as they
// are. It is one input. Each loaded section is an output section, with itself
// as its member; code is cut at its symbols, so that a reference has a function
// around it. A script gives regions, output sections of the same names their
// statements, and its symbols the values that the file has for them; without
// one, symbols without type and size are those that a script assigned, and
// neighbours are in one memory. References are the relocations that the linker
// kept. A file without any has words that are the value of such a symbol: those
// show that something refers to it, but nothing shows that nothing does.
//
// Cost: linear in the file.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_FILELINK_H
#define XLINK_INSPECT_FILELINK_H

#include "checks/CheckTable.h"
#include "inspect/LinkedFile.h"
#include "llvm/ADT/StringSet.h"

namespace xlink {

/// Lives as long as the file.
class FileLink {
public:
  explicit FileLink(const LinkedFile &file);
  FileLink(const FileLink &) = delete;

  Config config;
  Program program{config};

  /// Makes the values, with the script in `program` if `hasScript`. False: the
  /// script's regions cannot be computed from the file's symbols.
  bool build(bool hasScript, Diagnostics &diag);
  const FinishedLink &finished() const { return *whole; }
  /// Whether the linker kept relocations.
  bool hasRelocations() const { return !file.relocations.empty(); }

private:
  void cutSections();
  void addSymbols();
  void addRelocations();
  void addWords();
  void enterSymbols();
  /// Whether a symbol is in its section: GNU ld counts others from one too.
  bool isInside(const ElfSymbol &symbol) const;
  bool isAssigned(const ElfSymbol &symbol) const;
  void describeMemory();
  void describeSections();
  void placeSections();
  void placeStatements();
  void placeRegions();
  uint32_t partAt(uint32_t section, uint64_t offset) const;
  /// The region that holds all of some bytes, kNone: none does.
  RegionId regionOf(uint64_t address, uint64_t size) const;
  bool holds(RegionId region, uint64_t address, uint64_t size) const;

  const LinkedFile &file;
  std::shared_ptr<ParsedObject> object = std::make_shared<ParsedObject>();
  /// By section of the file: its parts among the object's sections.
  struct Parts {
    uint32_t first = 0, count = 0;
  };
  std::vector<Parts> parts;
  llvm::StringSet<> assigned; ///< names that the script assigns
  bool scripted = false;
  std::vector<uint32_t> fileSections; ///< by output section

  Placement placement;
  Contributions contributions;
  OutputInfo info;
  Addresses addresses;
  SymbolValues values;
  std::optional<Link> link;
  std::optional<FinishedLink> whole;
};

} // namespace xlink
#endif
