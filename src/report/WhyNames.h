//===- WhyNames.h - what a question is about ------------------------------===//
#ifndef XLINK_REPORT_WHYNAMES_H
#define XLINK_REPORT_WHYNAMES_H

#include "base/SpellingHints.h"
#include "model/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// Something that a question names.
struct WhyTarget {
  enum Kind : uint8_t {
    Global,  ///< `symbol`
    Local,   ///< a local symbol: `name` in `section`
    Section, ///< `section`
    Member,  ///< `file`, which an archive, or --start-lib, brought
    Unused,  ///< `member`, which did not join the link
  } kind = Global;
  SymbolId symbol = {};
  SectionId section = {}; ///< of a symbol: its home, kNone without one
  uint64_t offset = 0;    ///< of a symbol: in its home
  FileId file = {};
  uint32_t member = 0;       ///< into Program::unusedMembers
  llvm::StringRef name = {}; ///< of a symbol, as in the file

  bool isSymbol() const { return kind <= Local; }
};

/// Finds what questions name: symbols by their names, mangled or not, with the
/// parameters or without; sections by "NAME" or "FILE:(NAME)"; archive members
/// by "ARCHIVE(MEMBER)" or "MEMBER". Any of them may be a glob; directories in
/// front of files may be left out.
class WhyNames {
public:
  /// Kinds of things that a question may be about.
  enum Wanted : unsigned {
    Symbols = 1,
    Sections = 2,
    Members = 4,
    Unused = 8,
    SymbolsOtherwise = 16, ///< where nothing else has the name
  };

  explicit WhyNames(const Program &program) : program(program) {}
  /// In the order of the link, each once. A plain section name counts where it
  /// begins with a dot, or where no symbol has that name.
  std::vector<WhyTarget> find(llvm::StringRef question, unsigned wanted);
  /// Whether it names a symbol or an archive member, be it unused.
  bool knowsInput(llvm::StringRef question) {
    return !find(question, Symbols | Members | Unused).empty();
  }
  /// "nothing in this link is called 'mian'; did you mean 'main'?"
  std::string unknownText(llvm::StringRef question, unsigned wanted);

private:
  /// A text, and what it names.
  struct Name {
    llvm::StringRef text;
    uint32_t target;
    bool plainSection = false; ///< "NAME"
    bool fullSection = false;  ///< "FILE:(NAME)": a glob has to look like it
    bool hasPath = false;      ///< it begins with that of a file
  };
  void collect();
  void index();
  void findPlain(llvm::StringRef question,
                 llvm::function_ref<void(const Name &)> take);
  static bool matches(const Name &name, llvm::StringRef glob);
  void addSymbols();
  void addSections();
  void addMembers();
  void addName(llvm::StringRef text);
  void addSymbol(const WhyTarget &target);
  bool isIdle(const WhyTarget &target, unsigned wanted) const;
  llvm::StringRef save(const std::string &text) {
    return llvm::StringRef(text).copy(texts);
  }

  const Program &program;
  llvm::BumpPtrAllocator texts;
  std::vector<WhyTarget> targets; ///< in the order of the link
  std::vector<Name> names;
  /// Into `names`, those of files without directories.
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> exact;
  std::optional<SpellingHints> hints;
};

} // namespace xlink
#endif
