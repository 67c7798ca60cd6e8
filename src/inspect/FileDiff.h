//===- FileDiff.h - what differs between two linked files -----------------===//
//
// The differences of two files as a value: found once, then told as text or as
// JSON.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_FILEDIFF_H
#define XLINK_INSPECT_FILEDIFF_H

#include "inspect/LinkedFile.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace xlink {

struct KnownParts;

/// Which differences do not count.
struct DiffIgnore {
  bool buildId = false, comment = false, debug = false, symbols = false,
       tables = false;
  std::vector<std::string> sections; ///< sound globs of section names
};

/// One property that has two values.
struct ValueDiff {
  std::string what; ///< "entry", "size"
  std::string a, b;
};

/// Who is in which file.
enum class Presence : uint8_t { Both, OnlyA, OnlyB };

/// Bytes that really differ: a run of them, or a field.
struct PlaceDiff {
  uint64_t offset = 0; ///< in the function or object, of both files
  llvm::ArrayRef<uint8_t> a, b;
  /// The field that the bytes are; null: nobody knows of one.
  const RelocationRow *row = nullptr;
  int64_t valueA = 0, valueB = 0;
  std::string targetA, targetB; ///< what it refers to, "main+0x4"
  bool probably = false;        ///< no relocation tells of the field
};

/// A function, an object, or bytes between them, in both files.
struct ContentDiff {
  std::string name; ///< as in the file; empty: nobody's bytes
  std::string near; ///< of these: where they are, "behind main"
  bool function = false;
  bool padding = false; ///< nobody's, and a map says why
  uint64_t addressA = 0, addressB = 0;
  uint64_t sizeA = 0, sizeB = 0;
  /// Where the sizes differ: bytes at the beginning and at the end that are
  /// equal, or differ only because of moved targets.
  uint64_t front = 0, back = 0;
  uint64_t real = 0;     ///< bytes that really differ
  uint64_t moved = 0;    ///< bytes that differ because of moved targets
  uint64_t probably = 0; ///< of `moved`: without a relocation that says so
  std::vector<PlaceDiff> places; ///< that really differ; sizes are equal
  /// Strings or constants that linkers order as they like: which of them only
  /// one file has, `real` being their bytes.
  bool merged = false;
  std::vector<std::string> onlyA, onlyB;
  std::string line; ///< source line of the first place in B, "work.c:12"

  bool resized() const { return sizeA != sizeB; }
  /// The same strings or constants in another order: nothing really differs.
  bool reordered() const { return merged && !real && !resized(); }
  bool changed() const {
    return resized() || real || !places.empty() || merged;
  }
};

/// A symbol that is not the same in both files.
struct SymbolDiff {
  std::string name;
  Presence presence = Presence::Both;
  bool function = false;
  uint64_t valueA = 0, valueB = 0, sizeA = 0, sizeB = 0;
  std::vector<ValueDiff> properties; ///< type, binding, section ...
  bool undefined = false; ///< in one of the files: it has no value there
  bool common = false;    ///< in one of the files: its value is an alignment
  bool absolute = false;  ///< in both: a number, which cannot move
  bool hasOtherValue() const {
    return presence == Presence::Both && valueA != valueB && !undefined &&
           !common;
  }
  bool moved() const { return hasOtherValue() && !absolute; }
};

struct SectionDiff {
  enum Kind : uint8_t { Ordinary, BuildId, Comment, Debug, Table };
  std::string name;
  Presence presence = Presence::Both;
  Kind kind = Ordinary;
  bool ignored = false; ///< it differs, and the user does not want to know
  uint64_t addressA = 0, addressB = 0, sizeA = 0, sizeB = 0;
  std::vector<ValueDiff> properties;
  /// The bytes differ, and are not told by function or object.
  bool bytesDiffer = false;
  std::string contentsA, contentsB; ///< build ID, text of .comment
  std::vector<ContentDiff> contents;
  std::vector<SymbolDiff> symbols;
  uint64_t paddingA = 0, paddingB = 0; ///< fill of another size, bytes
  uint64_t otherFill = 0; ///< bytes of fill that are other fill in B

  /// `withSymbols`: whether those count.
  bool differs(bool withSymbols = true) const;
};

/// The differences of two ELF files.
struct ProgramDiff {
  std::string part; ///< of the containers that they are in
  std::vector<ValueDiff> header;
  std::vector<ValueDiff> segments; ///< what: "LOAD 0: address"
  std::vector<SectionDiff> sections;
  std::vector<SymbolDiff> symbols; ///< absolute and undefined ones
  std::vector<ValueDiff> tables;   ///< order of symbols, places in the file
  bool symbolsIgnored = false, tablesIgnored = false;
  bool comparable =
      true; ///< false: machines differ, nothing else was looked at
};

struct FileDiff {
  std::string fileA, fileB;
  std::vector<ValueDiff> container; ///< the format, parts that are no programs
  std::vector<ProgramDiff> programs;
};

/// What there is of a kind, of all sections.
struct DiffCounts {
  uint64_t functionsChanged = 0, objectsChanged = 0, unnamedChanged = 0;
  uint64_t reordered = 0; ///< merged strings or constants, all there in both
  uint64_t grew = 0, shrank = 0;
  uint64_t moved = 0, added = 0, removed = 0, altered = 0; ///< symbols
  uint64_t revalued = 0;                                   ///< absolute ones
  uint64_t header = 0, segments = 0, sections = 0, tables = 0, container = 0;
  uint64_t real = 0, movedBytes = 0, probably = 0;
  /// Whether there is a difference that counts.
  bool any() const;
};
DiffCounts countsOf(const FileDiff &diff);

/// What a count is called.
struct DiffCount {
  uint64_t DiffCounts::*value;
  const char *member;     ///< in JSON
  const char *one, *many; ///< in text; null: it is of bytes
};
/// All of them, in the order of text.
llvm::ArrayRef<DiffCount> diffCounts();

/// For people: a summary, then section by section, with limits. "" where
/// nothing differs that counts. `demangle`: names as their language has them.
std::string diffText(const FileDiff &diff, bool demangle);
/// For programs: everything, in the form of diff.schema.json.
std::string diffJson(const FileDiff &diff);

/// Compares two files of any machine. `known`: what their maps say, or null.
ProgramDiff comparePrograms(const LinkedFile &a, const LinkedFile &b,
                            const DiffIgnore &ignore,
                            const KnownParts *known = nullptr);

} // namespace xlink
#endif
