//===- ScriptKeywords.cpp - the words of the script language --------------===//
//
// Tables of the language's words. The parser uses them, near spellings come
// from them, and tests iterate over them so that every word has a test.
//
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace xlink;

using P = ScriptParser;

ArrayRef<P::Command> P::topCommands() {
  static constexpr Command table[] = {
      {"ASSERT", [](P &p) { return p.parseAssert(); }},
      {"ENTRY", [](P &p) { return p.parseEntry(); }},
      {"EXTERN",
       [](P &p) {
         return p.parseNames(LexMode::Plain, "a symbol", p.script.externs);
       }},
      {"FORCE_COMMON_ALLOCATION",
       [](P &p) { return p.script.forceCommonAllocation = true; }},
      {"FORCE_GROUP_ALLOCATION",
       [](P &p) { return p.script.forceGroupAllocation = true; }},
      {"GROUP",
       [](P &p) {
         return p.expect("(") && p.parseInputs(false, ++p.script.groups);
       }},
      {"HIDDEN", [](P &p) { return p.parseProvide(false, true); }},
      {"INCLUDE", [](P &p) { return p.parseIncludeOf(&P::topStatement); }},
      {"INHIBIT_COMMON_ALLOCATION",
       [](P &p) { return p.script.inhibitCommonAllocation = true; }},
      {"INPUT", [](P &p) { return p.expect("(") && p.parseInputs(false, 0); }},
      {"INSERT", [](P &p) { return p.parseInsert(); }},
      {"LD_FEATURE", [](P &p) { return p.parseFeature(); }},
      {"MEMORY",
       [](P &p) { return p.parseBlock(&P::memoryStatement, "MEMORY"); }},
      {"NOCROSSREFS", [](P &p) { return p.parseNoCrossRefs(false); }},
      {"NOCROSSREFS_TO", [](P &p) { return p.parseNoCrossRefs(true); }},
      {"OUTPUT",
       [](P &p) {
         return p.parseName(LexMode::File, "the name of a file",
                            p.script.output);
       }},
      {"OUTPUT_ARCH", // as the inputs say
       [](P &p) {
         StringRef name;
         return p.parseName(LexMode::File, "an architecture", name);
       }},
      {"OUTPUT_FORMAT", [](P &p) { return p.parseOutputFormat(); }},
      {"PHDRS",
       [](P &p) {
         p.script.hasPhdrs = true;
         return p.parseBlock(&P::phdrStatement, "PHDRS");
       }},
      {"PROVIDE", [](P &p) { return p.parseProvide(true, false); }},
      {"PROVIDE_HIDDEN", [](P &p) { return p.parseProvide(true, true); }},
      {"REGION_ALIAS", [](P &p) { return p.parseRegionAlias(); }},
      {"SEARCH_DIR",
       [](P &p) {
         StringRef name;
         if (!p.parseName(LexMode::File, "the name of a directory", name))
           return false;
         p.script.searchDirs.push_back(name);
         return true;
       }},
      {"SECTIONS", [](P &p) { return p.parseSections(); }},
      {"STARTUP", [](P &p) { return p.parseStartup(); }},
      {"TARGET", // a BFD name for inputs; their headers decide
       [](P &p) {
         StringRef name;
         return p.parseName(LexMode::Plain, "the name of a format", name);
       }},
      {"VERSION",
       [](P &p) {
         return p.error(p.commandWord,
                        "VERSION is not supported: without dynamic "
                        "linking symbols have no versions");
       }},
  };
  return table;
}

ArrayRef<P::Command> P::sectionsCommands() {
  static constexpr Command table[] = {
      {"ASSERT", [](P &p) { return p.parseAssert(); }},
      {"ENTRY", [](P &p) { return p.parseEntry(); }},
      {"HIDDEN", [](P &p) { return p.parseProvide(false, true); }},
      {"INCLUDE", [](P &p) { return p.parseIncludeOf(&P::sectionsStatement); }},
      {"OVERLAY", [](P &p) { return p.parseOverlay(); }},
      {"PROVIDE", [](P &p) { return p.parseProvide(true, false); }},
      {"PROVIDE_HIDDEN", [](P &p) { return p.parseProvide(true, true); }},
  };
  return table;
}

ArrayRef<P::Command> P::bodyCommands() {
  static constexpr Command table[] = {
      {"ASCIZ", [](P &p) { return p.parseAsciz(); }},
      {"ASSERT", [](P &p) { return p.parseAssert(); }},
      {"BYTE", [](P &p) { return p.parseData(1); }},
      {"CONSTRUCTORS", [](P &) { return true; }},
      {"CREATE_OBJECT_SYMBOLS", [](P &) { return true; }},
      {"FILL", [](P &p) { return p.parseFillCommand(); }},
      {"HIDDEN", [](P &p) { return p.parseProvide(false, true); }},
      {"INCLUDE", [](P &p) { return p.parseIncludeOf(&P::bodyStatement); }},
      {"KEEP",
       [](P &p) {
         return p.expect("(") && p.parseInputDescription(/*keep=*/true) &&
                p.expect(")");
       }},
      {"LINKER_VERSION", [](P &) { return true; }},
      {"LONG", [](P &p) { return p.parseData(4); }},
      {"PROVIDE", [](P &p) { return p.parseProvide(true, false); }},
      {"PROVIDE_HIDDEN", [](P &p) { return p.parseProvide(true, true); }},
      {"QUAD", [](P &p) { return p.parseData(8); }},
      {"SHORT", [](P &p) { return p.parseData(2); }},
      {"SQUAD", [](P &p) { return p.parseData(8, /*isSigned=*/true); }},
  };
  return table;
}

/// In the order in which they may stand.
ArrayRef<P::Command> P::sectionAttributes() {
  static constexpr Command table[] = {
      {"AT", [](P &p) { return p.parseParenthesized(p.section->lma); }},
      {"ALIGN", [](P &p) { return p.parseParenthesized(p.section->align); }},
      {"ALIGN_WITH_INPUT",
       [](P &p) { return p.section->alignWithInput = true; }},
      {"SUBALIGN",
       [](P &p) { return p.parseParenthesized(p.section->subalign); }},
      {"ONLY_IF_RO", [](P &p) { return p.parseOnlyIf(Constraint::OnlyIfRO); }},
      {"ONLY_IF_RW", [](P &p) { return p.parseOnlyIf(Constraint::OnlyIfRW); }},
      {"SPECIAL", [](P &p) { return p.parseOnlyIf(Constraint::None); }},
  };
  return table;
}

ArrayRef<P::Function> P::functions() {
  static constexpr Function table[] = {
      {"ABSOLUTE", {ExprKind::Absolute, "e"}},
      {"ADDR", {ExprKind::Addr, "s"}},
      {"ALIGN", {ExprKind::Align1, "e?,e"}},
      {"ALIGNOF", {ExprKind::AlignOf, "s"}},
      {"ASSERT", {ExprKind::Assert, "e,m"}},
      {"BLOCK", {ExprKind::Block, "e"}},
      {"CONSTANT", {ExprKind::Constant, "c"}},
      {"DATA_SEGMENT_ALIGN", {ExprKind::DataSegmentAlign, "e,e"}},
      {"DATA_SEGMENT_END", {ExprKind::DataSegmentEnd, "e"}},
      {"DATA_SEGMENT_RELRO_END", {ExprKind::DataSegmentRelroEnd, "e,e"}},
      {"DEFINED", {ExprKind::Defined, "y"}},
      {"LENGTH", {ExprKind::Length, "r"}},
      {"LOADADDR", {ExprKind::LoadAddr, "s"}},
      {"LOG2CEIL", {ExprKind::Log2Ceil, "e"}},
      {"MAX", {ExprKind::Max, "e,e"}},
      {"MIN", {ExprKind::Min, "e,e"}},
      {"NEXT", {ExprKind::Next, "e"}},
      {"ORIGIN", {ExprKind::Origin, "r"}},
      {"SEGMENT_START", {ExprKind::SegmentStart, "g,e"}},
      {"SIZEOF", {ExprKind::SizeOf, "s"}},
      {"SIZEOF_HEADERS", {ExprKind::SizeOfHeaders, ""}},
      {"sizeof_headers", {ExprKind::SizeOfHeaders, ""}},
  };
  return table;
}

ArrayRef<ScriptWord<OutputType>> P::sectionTypes() {
  static constexpr ScriptWord<OutputType> table[] = {
      {"COPY", OutputType::Copy},       {"DSECT", OutputType::DSect},
      {"INFO", OutputType::Info},       {"NOLOAD", OutputType::NoLoad},
      {"OVERLAY", OutputType::Overlay}, {"READONLY", OutputType::ReadOnly},
      {"TYPE", OutputType::Normal},
  };
  return table;
}

ArrayRef<P::PatternWord> P::patternWords() {
  using W = PatternPart;
  static constexpr PatternWord table[] = {
      {"EXCLUDE_FILE", {W::ExcludeFile}},
      {"INPUT_SECTION_FLAGS", {W::SectionFlags}},
      {"REVERSE", {W::Reverse}},
      {"SORT", {W::Sort, SortKind::Name}},
      {"SORT_BY_ALIGNMENT", {W::Sort, SortKind::Alignment}},
      {"SORT_BY_INIT_PRIORITY", {W::Sort, SortKind::InitPriority}},
      {"SORT_BY_NAME", {W::Sort, SortKind::Name}},
      {"SORT_NONE", {W::Sort, SortKind::None}},
  };
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

std::optional<uint64_t> xlink::sectionFlag(StringRef word) {
  static constexpr P::NumberWord table[] = {
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
  if (const P::NumberWord *known = findIn(word, ArrayRef(table)))
    return known->meaning;
  uint64_t number;
  if (!word.getAsInteger(0, number))
    return number;
  return std::nullopt;
}
