//===- ScriptTestSupport.cpp ----------------------------------------------===//
#include "script/ScriptTestSupport.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink::test {

std::string Parsed::messages() const {
  std::string result;
  for (const Diagnostic &d : diag.all()) {
    result += d.text + "\n";
    for (const std::string &note : d.notes)
      result += ">>> " + note + "\n";
  }
  return result;
}

std::string Parsed::firstError() const {
  return diag.all().empty() ? "" : diag.all().front().text;
}

std::unique_ptr<Parsed> parse(StringRef text, const Files &files) {
  auto result = std::make_unique<Parsed>();
  auto reader = [&](StringRef name) -> std::optional<IncludedText> {
    auto it = files.find(name.str());
    if (it == files.end())
      return std::nullopt;
    return IncludedText{it->first, it->second};
  };
  result->good =
      parseScript("a.ld", text.str(), reader, result->script, result->diag);
  EXPECT_EQ(result->good, !result->diag.failed());
  return result;
}

//===----------------------------------------------------------------------===//
// Dumps
//===----------------------------------------------------------------------===//

static const char *kindName(ExprKind kind) {
  static const char *const names[] = {
      "number",
      "symbol",
      ".",
      "neg",
      "!",
      "~",
      "*",
      "/",
      "%",
      "+",
      "-",
      "<<",
      ">>",
      "<",
      "<=",
      ">",
      ">=",
      "==",
      "!=",
      "&",
      "^",
      "|",
      "&&",
      "||",
      "?:",
      "ABSOLUTE",
      "ADDR",
      "LOADADDR",
      "SIZEOF",
      "ALIGNOF",
      "DEFINED",
      "ORIGIN",
      "LENGTH",
      "CONSTANT",
      "SIZEOF_HEADERS",
      "ALIGN1",
      "ALIGN2",
      "NEXT",
      "BLOCK",
      "MIN",
      "MAX",
      "LOG2CEIL",
      "SEGMENT_START",
      "DATA_SEGMENT_ALIGN",
      "DATA_SEGMENT_END",
      "DATA_SEGMENT_RELRO_END",
      "ASSERT",
  };
  static_assert(std::size(names) == size_t(ExprKind::Assert) + 1,
                "by position in ExprKind");
  return names[static_cast<unsigned>(kind)];
}

std::string dump(const Expr &e) {
  if (e.kind == ExprKind::Number)
    return "0x" + utohexstr(e.number, true);
  if (e.kind == ExprKind::Symbol)
    return e.name.str();
  if (e.kind == ExprKind::Dot)
    return ".";
  std::string result = std::string("(") + kindName(e.kind);
  if (!e.name.empty())
    result += " " + e.name.str();
  for (const ExprPtr &arg : e.args)
    result += " " + dump(*arg);
  return result + ")";
}

static std::string dump(const FillPattern &fill) {
  if (fill.value)
    return " fill " + dump(*fill.value);
  return fill.bytes.empty() ? "" : " fill bytes " + toHex(fill.bytes, true);
}

static std::string dump(const GlobPattern &glob) {
  return glob.text.str() + (glob.wild ? "~" : "");
}

static std::string dump(const std::vector<GlobPattern> &globs) {
  std::string result;
  for (const GlobPattern &g : globs)
    result.append(" ").append(dump(g));
  return result;
}

static const char *sortName(SortKind kind) {
  static const char *const names[] = {"-", "none", "name", "align", "init"};
  return names[static_cast<unsigned>(kind)];
}

static std::string dump(const ScriptCommand &command);

static std::string dump(const std::vector<CommandPtr> &commands) {
  std::string result;
  for (const CommandPtr &c : commands)
    result += (result.empty() ? "" : "; ") + dump(*c);
  return result;
}

static std::string dumpTail(StringRef region, StringRef lmaRegion,
                            const std::vector<StringRef> &phdrs,
                            const FillPattern &fill) {
  std::string result;
  if (!region.empty())
    result += " >" + region.str();
  if (!lmaRegion.empty())
    result += " AT>" + lmaRegion.str();
  for (StringRef p : phdrs)
    result += " :" + p.str();
  return result + dump(fill);
}

static std::string dump(const OutputSectionCommand &s) {
  static const char *const types[] = {"",      " NOLOAD",  " DSECT",   " COPY",
                                      " INFO", " OVERLAY", " READONLY"};
  std::string result = (s.inOverlay ? "member " : "section ") + s.name.str();
  if (s.isDiscard())
    result += " discard";
  if (s.address)
    result += " at " + dump(*s.address);
  result += types[static_cast<unsigned>(s.type)];
  if (s.typeValue)
    result += " type " + dump(*s.typeValue);
  if (s.lma)
    result += " lma " + dump(*s.lma);
  if (s.align)
    result += " align " + dump(*s.align);
  if (s.subalign)
    result += " subalign " + dump(*s.subalign);
  if (s.alignWithInput)
    result += " align-with-input";
  if (s.constraint != Constraint::None)
    result += s.constraint == Constraint::OnlyIfRO ? " only-ro" : " only-rw";
  return result + " { " + dump(s.commands) + " }" +
         dumpTail(s.region, s.lmaRegion, s.phdrs, s.fill);
}

static std::string dump(const AssignmentCommand &a) {
  return std::string(a.provide ? "provide " : "") +
         (a.hidden ? "hidden " : "") + a.name.str() + " = " + dump(*a.value);
}

static std::string dump(const InputDescription &d) {
  std::string result = d.keep ? "keep " : "";
  if (d.wantedFlags)
    result += "flags 0x" + utohexstr(d.wantedFlags, true) + " ";
  if (d.refusedFlags)
    result += "flags! 0x" + utohexstr(d.refusedFlags, true) + " ";
  for (auto &[name, negated] : d.machineFlags)
    result += (negated ? "flag! " : "flag ") + name.str() + " ";
  if (!d.excludeFiles.empty())
    result += "exclude(" + dump(d.excludeFiles).substr(1) + ") ";
  if (d.fileSort != SortKind::Default)
    result += std::string("sorted-") + sortName(d.fileSort) + " ";
  if (d.fileReverse)
    result += "reverse ";
  if (d.hasArchive)
    result += "[" + dump(d.archive) + " : " + dump(d.member) + "]";
  else
    result += dump(d.file);
  result += "(";
  for (const SectionPattern &p : d.patterns) {
    if (&p != &d.patterns.front())
      result += " ";
    if (!p.excludeFiles.empty())
      result += "exclude(" + dump(p.excludeFiles).substr(1) + ") ";
    if (p.reverse)
      result += "reverse ";
    if (p.outer != SortKind::Default)
      result += std::string(sortName(p.outer)) + ":";
    if (p.inner != SortKind::Default)
      result += std::string(sortName(p.inner)) + ":";
    result += dump(p.name);
  }
  return result + ")";
}

static std::string dump(const ScriptCommand &command) {
  switch (command.kind) {
  case CommandKind::Assignment:
    return dump(static_cast<const AssignmentCommand &>(command));
  case CommandKind::Assert: {
    auto &a = static_cast<const AssertCommand &>(command);
    return "assert " + dump(*a.condition) + " \"" + a.message.str() + "\"";
  }
  case CommandKind::InputDescription:
    return dump(static_cast<const InputDescription &>(command));
  case CommandKind::Data: {
    auto &d = static_cast<const DataCommand &>(command);
    if (!d.value)
      return "bytes " + toHex(d.bytes, true);
    return (d.isSigned ? "sdata" : "data") + std::to_string(d.size) + " " +
           dump(*d.value);
  }
  case CommandKind::Fill:
    return dump(static_cast<const FillCommand &>(command).pattern).substr(1);
  case CommandKind::OutputSection:
    return dump(static_cast<const OutputSectionCommand &>(command));
  case CommandKind::Overlay: {
    auto &o = static_cast<const OverlayCommand &>(command);
    std::string result = "overlay";
    if (o.address)
      result += " at " + dump(*o.address);
    if (o.lma)
      result += " lma " + dump(*o.lma);
    if (o.noCrossRefs)
      result += " nocrossrefs";
    result += " {";
    for (auto &s : o.sections)
      result += " " + dump(*s);
    result += " }" + dumpTail(o.region, o.lmaRegion, o.phdrs, o.fill);
    for (auto &s : o.symbols)
      result += "; " + dump(*s);
    return result;
  }
  case CommandKind::Insert: {
    auto &i = static_cast<const InsertCommand &>(command);
    return std::string("insert ") + (i.after ? "after " : "before ") +
           i.name.str() + " from " + std::to_string(i.firstCommand);
  }
  default:
    return "?";
  }
}

std::string dump(const Script &s) {
  std::string result;
  auto line = [&](const std::string &text) {
    result += (result.empty() ? "" : "\n") + text;
  };
  auto name = [&](const char *what, StringRef text) {
    if (!text.empty())
      line(std::string(what) + " " + text.str());
  };
  name("entry", s.entry);
  name("output", s.output);
  for (const OutputFormatName &row : kOutputFormats)
    if (s.outputFormat == row.format && row.format != OutputFormat::Elf)
      line(std::string("format ") + row.name);
  for (StringRef d : s.searchDirs)
    name("dir", d);
  for (StringRef e : s.externs)
    name("extern", e);
  for (const ScriptInput &i : s.inputs)
    line(std::string("input ") + i.name.str() + (i.startup ? " startup" : "") +
         (i.asNeeded ? " as-needed" : "") +
         (i.group ? " group " + std::to_string(i.group) : ""));
  if (s.forceCommonAllocation)
    line("force-common");
  if (s.forceGroupAllocation)
    line("force-group");
  if (s.inhibitCommonAllocation)
    line("inhibit-common");
  if (s.saneExpressions)
    line("sane-expr");
  for (const MemoryCommand &m : s.memory) {
    std::string text = "region " + m.name.str();
    for (StringRef a : m.aliases)
      text.append("=").append(a.str());
    if (m.hasAttributes)
      text += " flags " + utohexstr(m.flags) + " not " + utohexstr(m.negFlags);
    text += m.wantReadOnly ? " ro" : "";
    text += m.excludeReadOnly ? " !ro" : "";
    text += m.wantLoaded ? " load" : "";
    text += m.excludeLoaded ? " !load" : "";
    line(text + " " + dump(*m.origin) + " " + dump(*m.length));
  }
  for (const PhdrCommand &p : s.phdrs) {
    std::string text = "phdr " + p.name.str() + " ";
    text += dump(*p.type);
    text += p.fileHeader ? " filehdr" : "";
    text += p.programHeaders ? " phdrs" : "";
    if (p.address)
      text += " at " + dump(*p.address);
    if (p.flags)
      text += " flags " + dump(*p.flags);
    line(text);
  }
  for (const NoCrossRefs &n : s.noCrossRefs) {
    std::string text = n.toFirst ? "nocrossrefs-to" : "nocrossrefs";
    for (StringRef section : n.sections)
      text.append(" ").append(section.str());
    line(text);
  }
  if (s.hasSections)
    line("sections");
  if (s.hasPhdrs)
    line("phdrs");
  for (const CommandPtr &c : s.commands)
    line(dump(*c));
  return result;
}

std::string dumpOf(StringRef text, const Files &files) {
  auto parsed = parse(text, files);
  return parsed->good ? dump(parsed->script) : parsed->messages();
}

std::string dumpBody(StringRef text) {
  auto parsed = parse("SECTIONS { .text : { " + text.str() + " } }");
  if (!parsed->good)
    return parsed->messages();
  if (parsed->script.commands.size() != 1)
    return dump(parsed->script);
  return dump(static_cast<OutputSectionCommand &>(*parsed->script.commands[0])
                  .commands);
}

std::string dumpExpression(StringRef text) {
  Script script;
  Diagnostics diag;
  const std::string definition = "x= " + text.str();
  if (auto command = parseDefsym(definition, script, diag))
    return dump(*command->value);
  StringRef message = diag.all().front().text;
  message.consume_front("--defsym");
  return "test" + message.str();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

FakeEnvironment outsideEnvironment() {
  FakeEnvironment env;
  env.sections[".text"] = {1, 0x1000, 0x8000, 0x30, 16};
  env.sections[".data"] = {2, 0x2000, 0x9000, 0x50, 8};
  env.regions["ram"] = {0x10000, 0x4000};
  env.symbols["a"] = ScriptValue::absolute(100);
  env.symbols["b"] = ScriptValue::absolute(7);
  env.symbols["t1"] = ScriptValue::relative(0x10, 1);
  env.symbols["t2"] = ScriptValue::relative(0x18, 1);
  env.symbols["d1"] = ScriptValue::relative(0x4, 2);
  return env;
}

FakeEnvironment insideEnvironment() {
  FakeEnvironment env = outsideEnvironment();
  env.dotValue = ScriptValue::relative(0x24, 1);
  return env;
}

ScriptValue evaluateText(StringRef text, EvaluationEnvironment &env) {
  auto parsed = parse("x = " + text.str() + ";");
  if (!parsed->good) {
    ADD_FAILURE() << parsed->messages();
    return {};
  }
  auto &x = static_cast<AssignmentCommand &>(*parsed->script.commands[0]);
  return evaluate(*x.value, env);
}

std::string show(StringRef text, FakeEnvironment env) {
  ScriptValue v = evaluateText(text, env);
  std::string result = "0x" + utohexstr(v.value, true);
  if (v.kind == ScriptValue::Absolute)
    result = "abs " + result;
  if (v.kind == ScriptValue::Relative)
    result = (v.section == 1 ? ".text+" : ".data+") + result;
  for (const std::string &p : env.problems)
    result += " | " + p;
  return result;
}

} // namespace xlink::test
