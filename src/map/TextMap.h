//===- TextMap.h - maps that linkers write as text ------------------------===//
//
// Problem: the ELF file says which bytes a section has, and not from which
// object or member they came, nor which sections the linker left out. The map
// that the linker wrote beside it does, as text for people.
//
// Method: a reader for each format takes the text line by line and fills in a
// LinkMap through TextMapBuilder: output sections, their parts, files, regions,
// discarded sections. A line that no section can have is an error; lines of
// symbols, patterns and assignments are passed over, as the ELF file and the
// script say more.
//
// Cost: linear in the text, and a sort of each section's parts.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MAP_TEXTMAP_H
#define XLINK_MAP_TEXTMAP_H

#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace xlink {

/// Reads the output of -Map of GNU ld, xlink or lld, which it tells apart by
/// the text. `file` names it in messages, which also have the line: the first
/// that is not of its format is the only error, and the result is nothing.
/// Both must outlive the map, which has no symbols, whose output sections have
/// no types and flags, and whose `output` is `file`.
std::optional<LinkMap> readTextMap(llvm::StringRef file, llvm::StringRef text,
                                   Diagnostics &diag);

/// The lines of a text, and the map that is made from them.
class TextMapBuilder {
public:
  TextMapBuilder(llvm::StringRef file, llvm::StringRef text, Diagnostics &diag)
      : file(file), rest(text), diag(diag) {}

  /// Takes the next line, without its end; false: there is none.
  bool next(llvm::StringRef &line);
  /// An error about the line. The result is false.
  bool fail(const llvm::Twine &text);
  bool addRegion(llvm::StringRef name, uint64_t origin, uint64_t length);
  bool addOutput(llvm::StringRef name, uint64_t address, uint64_t size);
  /// Parts that follow are in no output section.
  void leaveOutput() { inOutput = false; }
  /// A part of the last output section. `from`: "lib.a(m.o)", "a.o", "": none.
  bool addPart(MapPart::Kind kind, llvm::StringRef name, llvm::StringRef from,
               uint64_t address, uint64_t size);
  bool addDiscarded(llvm::StringRef name, llvm::StringRef from, uint64_t size);
  LinkMap finish();

private:
  uint32_t fileOf(llvm::StringRef from);
  void closeOutput();

  llvm::StringRef file, rest;
  Diagnostics &diag;
  uint64_t line = 0;
  bool inOutput = false;
  LinkMap map;
  llvm::StringMap<uint32_t> files; ///< in map.files, by "lib.a(m.o)"
};

// ---- A reader for each format; false: an error was reported ----

/// GnuMap.cpp: GNU ld and xlink.
bool readGnuMap(TextMapBuilder &builder);
/// LldMap.cpp.
bool readLldMap(TextMapBuilder &builder);

} // namespace xlink
#endif
