//===- FileDiff.h - the differences of two linked files -------------------===//
//
// The answer of the subcommand diff, as a value that is then written as text or
// as JSON.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_FILEDIFF_H
#define XLINK_INSPECT_FILEDIFF_H

#include "inspect/References.h"
#include <map>

namespace xlink {

/// Differences that do not count.
struct DiffIgnore {
  bool buildId = false, comment = false, debug = false, symbols = false,
       tables = false;
  std::vector<std::string> sections; ///< sound globs of section names
};

/// A property with two values.
struct ValueDiff {
  std::string property; ///< "entry", "size"
  std::string a, b;
};
/// Adds a property if its values differ.
void addValues(std::vector<ValueDiff> &list, std::string property,
               std::string a, std::string b);

/// The files that have an item.
enum class Presence : uint8_t { Both, OnlyA, OnlyB };

/// Bytes that really differ: a run of them, or a field.
struct PlaceDiff {
  uint64_t offset = 0; ///< in the function or object, of both files
  llvm::ArrayRef<uint8_t> a, b;
  const RelocationRow *row = nullptr; ///< of a field; null: no known field
  int64_t valueA = 0, valueB = 0;
  std::string targetA, targetB; ///< "main+0x4"
  bool probably = false;        ///< no relocation states the field
};

/// A function, an object, or bytes between them, in both files.
struct ContentDiff {
  std::string name; ///< as in the file; empty: nameless bytes
  std::string near; ///< the place of these, "behind main"
  bool function = false;
  uint64_t address[2] = {}, size[2] = {}; ///< in A, in B
  /// Of other sizes: bytes at the beginning and at the end that are equal, or
  /// differ only because of moved targets.
  uint64_t front = 0, back = 0;
  uint64_t real = 0;             ///< bytes that really differ
  uint64_t moved = 0;            ///< bytes that differ because of moved targets
  uint64_t probably = 0;         ///< of `moved`: no relocation states it
  std::vector<PlaceDiff> places; ///< that really differ; sizes are equal
  std::string line; ///< source line of the first place in B, "work.c:12"

  bool resized() const { return size[0] != size[1]; }
  bool changed() const { return resized() || real || !places.empty(); }
};

/// A symbol that differs.
struct SymbolDiff {
  std::string name;
  Presence presence = Presence::Both;
  bool function = false;
  uint64_t value[2] = {}, size[2] = {}; ///< in A, in B
  std::vector<ValueDiff> properties;    ///< type, binding, section ...
  bool undefined = false; ///< in one of the files: it has no value there
  bool common = false;    ///< in one of the files: its value is an alignment
  bool absolute = false;  ///< in both: a number, which cannot move
  bool hasOtherValue() const {
    return presence == Presence::Both && value[0] != value[1] && !undefined &&
           !common;
  }
  bool moved() const { return hasOtherValue() && !absolute; }
};

struct SectionDiff {
  enum Kind : uint8_t { Ordinary, BuildId, Comment, Debug, Table };
  std::string name;
  Presence presence = Presence::Both;
  Kind kind = Ordinary;
  bool ignored = false;                   ///< its differences do not count
  uint64_t address[2] = {}, size[2] = {}; ///< in A, in B
  std::vector<ValueDiff> properties;
  /// The bytes differ, and `contents` does not describe how.
  bool bytesDiffer = false;
  std::string text[2]; ///< build ID, text of .comment
  std::vector<ContentDiff> contents;
  std::vector<SymbolDiff> symbols;
  uint64_t padding[2] = {}; ///< fill of another size, bytes
  uint64_t otherFill = 0;   ///< bytes of fill with another value

  /// Whether the section itself differs, except for contents and symbols.
  bool differsItself() const {
    return presence != Presence::Both || !properties.empty() || bytesDiffer ||
           padding[0] != padding[1] || otherFill;
  }
  /// `withSymbols`: whether those count.
  bool differs(bool withSymbols = true) const;
};

/// The differences of two ELF files.
struct ProgramDiff {
  std::string part; ///< of the containers that they are in
  std::vector<ValueDiff> header;
  std::vector<ValueDiff> segments; ///< property: "LOAD 0: address"
  std::vector<SectionDiff> sections;
  std::vector<SymbolDiff> symbols; ///< absolute and undefined ones
  std::vector<ValueDiff> tables;   ///< order of symbols, places in the file
  bool symbolsIgnored = false, tablesIgnored = false;
};

struct FileDiff {
  std::string fileA, fileB;
  std::vector<ValueDiff> container; ///< format, parts that are no programs
  std::vector<ProgramDiff> programs;
};

/// Numbers of differences that count, by their members in JSON, without those
/// that are 0: empty if no difference counts.
using DiffCounts = std::map<llvm::StringRef, uint64_t>;
DiffCounts countsOf(const FileDiff &diff);

/// Compares two files of one machine.
ProgramDiff comparePrograms(const LinkedFile &a, const LinkedFile &b,
                            const DiffIgnore &ignore);

/// Compares the bytes of two atoms: everything but names and source lines.
ContentDiff compareAtoms(const Side &a, const Atom &x, const Side &b,
                         const Atom &y, const References &references);

/// For people: a summary, then section by section, with limits; "": no
/// difference counts. `demangle`: names as in their language.
std::string diffText(const FileDiff &diff, bool demangle);
/// For programs: everything, in the form of diff.schema.json.
std::string diffJson(const FileDiff &diff);

} // namespace xlink
#endif
