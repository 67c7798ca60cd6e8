//===- ScriptKeywords.cpp - the words of the script language --------------===//
//
// Tables of the language's words. The parser uses them, near spellings come
// from them, and the tests iterate over scriptKeywords() so that every word has
// a test.
//
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace xlink;

using P = ScriptParser;

ArrayRef<P::Command> P::topCommands() {
  static constexpr Command table[] = {
      {"ASSERT", &P::parseAssert},
      {"ENTRY", &P::parseEntry},
      {"EXTERN", &P::parseExtern},
      {"FORCE_COMMON_ALLOCATION", &P::parseForceCommon},
      {"FORCE_GROUP_ALLOCATION", &P::parseForceGroup},
      {"GROUP", &P::parseGroup},
      {"HIDDEN", &P::parseHidden},
      {"INCLUDE", &P::parseIncludeTop},
      {"INHIBIT_COMMON_ALLOCATION", &P::parseInhibitCommon},
      {"INPUT", &P::parseInput},
      {"INSERT", &P::parseInsert},
      {"LD_FEATURE", &P::parseFeature},
      {"MEMORY", &P::parseMemory},
      {"NOCROSSREFS", &P::parseNoCrossRefs},
      {"NOCROSSREFS_TO", &P::parseNoCrossRefsTo},
      {"OUTPUT", &P::parseOutput},
      {"OUTPUT_ARCH", &P::parseOutputArch},
      {"OUTPUT_FORMAT", &P::parseOutputFormat},
      {"PHDRS", &P::parsePhdrs},
      {"PROVIDE", &P::parseProvide},
      {"PROVIDE_HIDDEN", &P::parseProvideHidden},
      {"REGION_ALIAS", &P::parseRegionAlias},
      {"SEARCH_DIR", &P::parseSearchDir},
      {"SECTIONS", &P::parseSections},
      {"STARTUP", &P::parseStartup},
      {"TARGET", &P::parseTarget},
      {"VERSION", &P::parseVersion},
  };
  return table;
}

ArrayRef<P::Command> P::sectionsCommands() {
  static constexpr Command table[] = {
      {"ASSERT", &P::parseAssert},
      {"ENTRY", &P::parseEntry},
      {"HIDDEN", &P::parseHidden},
      {"INCLUDE", &P::parseIncludeSections},
      {"OVERLAY", &P::parseOverlay},
      {"PROVIDE", &P::parseProvide},
      {"PROVIDE_HIDDEN", &P::parseProvideHidden},
  };
  return table;
}

ArrayRef<P::Command> P::bodyCommands() {
  static constexpr Command table[] = {
      {"ASCIZ", &P::parseAsciz},
      {"ASSERT", &P::parseAssert},
      {"BYTE", &P::parseByte},
      {"CONSTRUCTORS", &P::parseNothing},
      {"CREATE_OBJECT_SYMBOLS", &P::parseNothing},
      {"FILL", &P::parseFillCommand},
      {"HIDDEN", &P::parseHidden},
      {"INCLUDE", &P::parseIncludeBody},
      {"KEEP", &P::parseKeep},
      {"LINKER_VERSION", &P::parseNothing},
      {"LONG", &P::parseLong},
      {"PROVIDE", &P::parseProvide},
      {"PROVIDE_HIDDEN", &P::parseProvideHidden},
      {"QUAD", &P::parseQuad},
      {"SHORT", &P::parseShort},
      {"SQUAD", &P::parseSquad},
  };
  return table;
}

/// In the order in which they may stand.
ArrayRef<P::Command> P::sectionAttributes() {
  static constexpr Command table[] = {
      {"AT", &P::parseAt},
      {"ALIGN", &P::parseAlign},
      {"ALIGN_WITH_INPUT", &P::parseAlignWithInput},
      {"SUBALIGN", &P::parseSubAlign},
      {"ONLY_IF_RO", &P::parseOnlyIfRO},
      {"ONLY_IF_RW", &P::parseOnlyIfRW},
      {"SPECIAL", &P::parseSpecial},
  };
  return table;
}

ArrayRef<P::Function> P::functions() {
  using A = Arguments;
  static constexpr Function table[] = {
      {"ABSOLUTE", ExprKind::Absolute, A::One},
      {"ADDR", ExprKind::Addr, A::Section},
      {"ALIGN", ExprKind::Align1, A::OneOrTwo},
      {"ALIGNOF", ExprKind::AlignOf, A::Section},
      {"ASSERT", ExprKind::Assert, A::Assertion},
      {"BLOCK", ExprKind::Block, A::One},
      {"CONSTANT", ExprKind::Constant, A::Constant},
      {"DATA_SEGMENT_ALIGN", ExprKind::DataSegmentAlign, A::Two},
      {"DATA_SEGMENT_END", ExprKind::DataSegmentEnd, A::One},
      {"DATA_SEGMENT_RELRO_END", ExprKind::DataSegmentRelroEnd, A::Two},
      {"DEFINED", ExprKind::Defined, A::Symbol},
      {"LENGTH", ExprKind::Length, A::Region},
      {"LOADADDR", ExprKind::LoadAddr, A::Section},
      {"LOG2CEIL", ExprKind::Log2Ceil, A::One},
      {"MAX", ExprKind::Max, A::Two},
      {"MIN", ExprKind::Min, A::Two},
      {"NEXT", ExprKind::Next, A::One},
      {"ORIGIN", ExprKind::Origin, A::Region},
      {"SEGMENT_START", ExprKind::SegmentStart, A::Segment},
      {"SIZEOF", ExprKind::SizeOf, A::Section},
      {"SIZEOF_HEADERS", ExprKind::SizeOfHeaders, A::None},
      {"sizeof_headers", ExprKind::SizeOfHeaders, A::None},
  };
  return table;
}

ArrayRef<P::SectionType> P::sectionTypes() {
  static constexpr SectionType table[] = {
      {"COPY", OutputType::Copy},       {"DSECT", OutputType::DSect},
      {"INFO", OutputType::Info},       {"NOLOAD", OutputType::NoLoad},
      {"OVERLAY", OutputType::Overlay}, {"READONLY", OutputType::ReadOnly},
      {"TYPE", OutputType::Normal},
  };
  return table;
}

ArrayRef<P::ConstantWord> P::constants() {
  static constexpr ConstantWord table[] = {
      {"COMMONPAGESIZE", ScriptConstant::CommonPageSize},
      {"MAXPAGESIZE", ScriptConstant::MaxPageSize},
  };
  return table;
}

ArrayRef<P::PatternWord> P::patternWords() {
  using W = PatternPart;
  static constexpr PatternWord table[] = {
      {"EXCLUDE_FILE", W::ExcludeFile},
      {"INPUT_SECTION_FLAGS", W::SectionFlags},
      {"REVERSE", W::Reverse},
      {"SORT", W::Sort, SortKind::Name},
      {"SORT_BY_ALIGNMENT", W::Sort, SortKind::Alignment},
      {"SORT_BY_INIT_PRIORITY", W::Sort, SortKind::InitPriority},
      {"SORT_BY_NAME", W::Sort, SortKind::Name},
      {"SORT_NONE", W::Sort, SortKind::None},
  };
  return table;
}

// Words that messages ask for come first.
ArrayRef<StringRef> P::originWords() {
  static constexpr StringRef table[] = {"ORIGIN", "org", "o"};
  return table;
}

ArrayRef<StringRef> P::lengthWords() {
  static constexpr StringRef table[] = {"LENGTH", "len", "l"};
  return table;
}

ArrayRef<StringRef> P::phdrWords() {
  static constexpr StringRef table[] = {"AT", "FILEHDR", "FLAGS", "PHDRS"};
  return table;
}

ArrayRef<P::NumberWord> P::segmentTypes() {
  static constexpr NumberWord table[] = {
      {"PT_NULL", ELF::PT_NULL},
      {"PT_LOAD", ELF::PT_LOAD},
      {"PT_DYNAMIC", ELF::PT_DYNAMIC},
      {"PT_INTERP", ELF::PT_INTERP},
      {"PT_NOTE", ELF::PT_NOTE},
      {"PT_SHLIB", ELF::PT_SHLIB},
      {"PT_PHDR", ELF::PT_PHDR},
      {"PT_TLS", ELF::PT_TLS},
      {"PT_GNU_STACK", ELF::PT_GNU_STACK},
      {"PT_GNU_EH_FRAME", ELF::PT_GNU_EH_FRAME},
      {"PT_GNU_RELRO", ELF::PT_GNU_RELRO},
      {"PT_GNU_PROPERTY", ELF::PT_GNU_PROPERTY},
  };
  return table;
}

ArrayRef<P::NumberWord> P::typeWords() {
  static constexpr NumberWord table[] = {
      {"SHT_PROGBITS", ELF::SHT_PROGBITS},
      {"SHT_STRTAB", ELF::SHT_STRTAB},
      {"SHT_NOTE", ELF::SHT_NOTE},
      {"SHT_NOBITS", ELF::SHT_NOBITS},
      {"SHT_INIT_ARRAY", ELF::SHT_INIT_ARRAY},
      {"SHT_FINI_ARRAY", ELF::SHT_FINI_ARRAY},
      {"SHT_PREINIT_ARRAY", ELF::SHT_PREINIT_ARRAY},
  };
  return table;
}

ArrayRef<P::NumberWord> P::sectionFlags() {
  static constexpr NumberWord table[] = {
      {"SHF_WRITE", ELF::SHF_WRITE},
      {"SHF_ALLOC", ELF::SHF_ALLOC},
      {"SHF_EXECINSTR", ELF::SHF_EXECINSTR},
      {"SHF_MERGE", ELF::SHF_MERGE},
      {"SHF_STRINGS", ELF::SHF_STRINGS},
      {"SHF_INFO_LINK", ELF::SHF_INFO_LINK},
      {"SHF_LINK_ORDER", ELF::SHF_LINK_ORDER},
      {"SHF_OS_NONCONFORMING", ELF::SHF_OS_NONCONFORMING},
      {"SHF_GROUP", ELF::SHF_GROUP},
      {"SHF_TLS", ELF::SHF_TLS},
      {"SHF_COMPRESSED", ELF::SHF_COMPRESSED},
      {"SHF_GNU_RETAIN", ELF::SHF_GNU_RETAIN},
      {"SHF_EXCLUDE", ELF::SHF_EXCLUDE},
  };
  return table;
}

std::optional<uint64_t> xlink::sectionFlag(StringRef word) {
  if (const P::NumberWord *known = findIn(word, P::sectionFlags()))
    return known->number;
  uint64_t number;
  if (!word.getAsInteger(0, number))
    return number;
  return std::nullopt;
}

ArrayRef<StringRef> P::otherWords() {
  static constexpr StringRef table[] = {"AFTER", "AS_NEEDED", "BEFORE",
                                        kCommonName, kDiscardName};
  return table;
}

ArrayRef<StringRef> xlink::scriptKeywords() {
  static const std::vector<StringRef> all = [] {
    std::vector<StringRef> words;
    for (auto table : {P::topCommands(), P::sectionsCommands(),
                       P::bodyCommands(), P::sectionAttributes()})
      for (const P::Command &c : table)
        words.push_back(c.name);
    for (const P::Function &f : P::functions())
      words.push_back(f.name);
    for (const P::SectionType &t : P::sectionTypes())
      words.push_back(t.name);
    for (const P::PatternWord &w : P::patternWords())
      words.push_back(w.name);
    for (auto table :
         {P::originWords(), P::lengthWords(), P::phdrWords(), P::otherWords()})
      words.insert(words.end(), table.begin(), table.end());
    sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
  }();
  return all;
}
