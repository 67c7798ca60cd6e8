//===- ExplainScript.cpp - the result of each statement of the script -----===//
//
// Problem: a script is a list of wishes. Its author needs to see which input
// sections each pattern took, where they stand, the values of assignments, and
// the patterns that took nothing.
//
// Method: the statements in the order in which they act, which is that of the
// script but for INSERT and orphans. The placement has the members of each
// statement; those of /DISCARD/ are found by the rules that discarded them.
// Members are counted by file. The text has the first files of a pattern, JSON
// all of them.
//
// Cost: one visit of each statement and each input section.
//
//===----------------------------------------------------------------------===//
#include "layout/Checks.h"
#include "layout/ScriptRun.h"
#include "placement/PatternRules.h"
#include "report/Reports.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {
namespace {

constexpr size_t kMostFiles = 3; ///< of a pattern, in the text

struct ScriptExplainer {
  const Link &link;
  raw_ostream &text;
  json::OStream &json;
  const Program &program = link.program;
  DenseMap<const InputDescription *, std::vector<SectionId>> discarded{};

  void findDiscarded() {
    std::optional<PatternRules> rules;
    for (SectionId id : program.sections.ids(1)) {
      const InputSection &s = program.sections[id];
      if (s.discarded || !s.parsed || !link.placement.sections[id].discarded)
        continue;
      if (!rules)
        rules.emplace(rulesOf(program, link.placement));
      if (const uint32_t rule = rules->first(s, /*keepOnly=*/false);
          rule != kNone)
        discarded[(*rules)[rule].description].push_back(id);
    }
  }

  /// The beginning of each statement: "s.ld:12: .text", in JSON `kind`, its
  /// place and its text.
  void begin(const char *kind, const ScriptLocation &where,
             const std::string &statement) {
    json.attribute("kind", kind);
    if (where.line) {
      text << printable(lineText(where)) << ": ";
      json.attribute("script", json::fixUTF8(where.file));
      json.attribute("line", where.line);
    } else {
      text << printable(locationText(where));
    }
    text << printable(statement);
    json.attribute("text", json::fixUTF8(statement));
  }
  void number(const char *member, const char *before, uint64_t value) {
    text << before << hex(value);
    json.attribute(member, hex(value));
  }
  void inRegion(const char *member, RegionId id) {
    if (id == kNone)
      return;
    const StringRef name = program.script.memory[id.index()].name;
    text << " in " << printable(name);
    json.attribute(member, json::fixUTF8(name));
  }

  void region(RegionId id) {
    const MemoryCommand &m = program.script.memory[id.index()];
    const RegionPlace &place = link.addresses.regions[id];
    begin("region", m.where, m.name.str());
    if (!isUnknown(link, id)) {
      number("address", ": ", place.origin.wrapped());
      text << ".." << hex(place.end());
      json.attribute("length", uint64_t(place.length));
    }
    text << "\n";
  }

  void segment(size_t index) {
    const PhdrCommand &command = program.script.phdrs[index];
    begin("segment", command.where, command.name.str());
    if (index < link.addresses.segments.size()) {
      const Segment &s = link.addresses.segments[index];
      text << ": " << countOf(s.memSize, "byte", "bytes");
      json.attribute("size", uint64_t(s.memSize));
      number("address", " at ", s.address.wrapped());
      if (s.loadAddress != s.address)
        number("loadAddress", ", loaded at ", s.loadAddress.wrapped());
      json.attributeArray("outputSections", [&] {
        for (OutputId id : s.sections) {
          text << (id == s.sections.front() ? ": " : ", ")
               << printable(link.output(id).name);
          json.value(json::fixUTF8(link.output(id).name));
        }
      });
    }
    text << "\n";
  }

  void entry(const ScriptLocation &where) {
    const StringRef name = program.script.entry;
    begin("entry", where, "ENTRY(" + name.str() + ")");
    const SymbolId id = program.symbols.find(name);
    if (program.config.entry) {
      text << ": without effect, as -e is given";
      json.attribute("skipped", true);
    } else if (id != kNone && link.symbol(id).isDefined()) {
      number("value", ": ", link.addressOf(link.symbol(id)));
    }
    text << "\n";
  }

  /// A statement without input sections. `at`: where it stands in an output
  /// section.
  void simple(const ScriptCommand &command, const StatementValue &result,
              std::optional<Address> at) {
    if (command.kind == CommandKind::Assignment) {
      const auto &a = static_cast<const AssignmentCommand &>(command);
      begin("assignment", command.where, assignmentText(a));
      if (result.skipped) {
        const SymbolId id = program.symbols.find(a.name);
        const bool defined = id != kNone && link.symbol(id).isDefined();
        text << ": without effect, as "
             << (defined ? "it is defined already" : "nothing refers to it");
        json.attribute("skipped", true);
      } else {
        number("value", ": ", result.value);
      }
    } else if (command.kind == CommandKind::Assert) {
      const auto &a = static_cast<const AssertCommand &>(command);
      begin("assertion", command.where,
            "ASSERT(" + expressionText(*a.condition) + ")");
      text << (result.value ? ": holds" : ": does not hold");
      json.attribute("holds", result.value != 0);
    } else if (command.kind == CommandKind::Data) {
      const auto &data = static_cast<const DataCommand &>(command);
      begin("data", command.where, dataText(data, result.value));
      if (at)
        number("address", " at ", at->wrapped());
    } else {
      const FillPattern &fill =
          static_cast<const FillCommand &>(command).pattern;
      begin("fill", command.where,
            "FILL 0x" +
                toHex(fillBytes(fill, result.value), /*LowerCase=*/true));
    }
    text << "\n";
  }

  /// The sections that a pattern took, by file.
  void members(ArrayRef<SectionId> taken, bool addressed) {
    struct FileShare {
      SectionId first;
      uint64_t sections = 0;
      Size size;
    };
    MapVector<FileId, FileShare> files;
    uint64_t count = 0, collected = 0;
    Size size;
    Address first = Address(~uint64_t(0)), end;
    for (SectionId id : taken) {
      if (!link.contributions.liveness.lives(id)) {
        ++collected;
        continue;
      }
      const bool placed = link.placed(id);
      const Size bytes =
          placed ? link.sizeOf(id) : Size(program.sections[id].parsed->size);
      FileShare &file = files[program.sections[id].file];
      if (file.sections++ == 0 || file.size == 0)
        file.first = id; // with bytes, if any
      file.size += bytes;
      size += bytes;
      ++count;
      if (placed && addressed) {
        first = std::min(first, link.addressOf(id));
        end = std::max(end, link.addressOf(id) + bytes);
      }
    }
    json.attribute("sections", count);
    json.attribute("size", uint64_t(size));
    json.attribute("collected", collected);
    text << (count ? ": " + countOf(count, "section", "sections") + ", " +
                         countOf(size, "byte", "bytes")
                   : ": takes nothing");
    if (count && addressed && first <= end) {
      number("address", " at ", first.wrapped());
      number("end", "..", end.wrapped());
    }
    if (collected)
      text << "; --gc-sections drops " << collected << " more";
    text << "\n";
    if (count == 0)
      return;
    size_t shown = 0; // sections without bytes are in JSON alone
    json.attributeArray("files", [&] {
      for (const auto &[id, share] : files) {
        json.object([&] {
          const bool listed = share.size != 0;
          raw_ostream &out = listed && shown < kMostFiles ? text : nulls();
          shown += listed;
          out << "      " << countOf(share.size, "byte", "bytes");
          json.attribute("file", json::fixUTF8(program.filePath(id)));
          json.attribute("sections", share.sections);
          json.attribute("size", uint64_t(share.size));
          json.attribute(
              "first",
              json::fixUTF8(program.sections[share.first].parsed->name));
          if (addressed && link.placed(share.first)) {
            const std::string address = hex(link.addressOf(share.first));
            out << " at " << address;
            json.attribute("address", address);
          }
          out << ": " << program.sectionName(share.first);
          if (share.sections > 1)
            out << " and " << share.sections - 1 << " more";
          out << "\n";
        });
      }
    });
    if (shown > kMostFiles)
      text << "      and "
           << countOf(shown - kMostFiles, "more file", "more files") << "\n";
  }

  void pattern(const InputDescription &p, ArrayRef<SectionId> taken,
               bool addressed) {
    begin("pattern", p.where,
          p.keep ? "KEEP(" + patternText(p) + ")" : patternText(p));
    members(taken, addressed);
  }

  void item(const OutputView &out, uint32_t index, bool addressed) {
    const OutputItem &item = out.items[index];
    const ArrayRef<SectionId> taken =
        ArrayRef(out.members).slice(item.begin, item.end - item.begin);
    text << "  ";
    if (item.command && item.command->kind != CommandKind::InputDescription) {
      const ItemPlace &place = link.item(out.section, index);
      return simple(*item.command, place,
                    addressed ? std::optional(out.address + place.offset)
                              : std::nullopt);
    }
    if (item.command)
      return pattern(static_cast<const InputDescription &>(*item.command),
                     taken, addressed);
    begin("orphans", {}, "sections that no pattern names");
    members(taken, addressed);
  }

  void discard(const OutputSectionCommand &command) {
    text << "\n";
    json.attributeArray("statements", [&] {
      for (const CommandPtr &child : command.commands)
        if (child->kind == CommandKind::InputDescription)
          json.object([&] {
            const auto &p = static_cast<const InputDescription &>(*child);
            text << "  ";
            pattern(p, discarded.lookup(&p), /*addressed=*/false);
          });
    });
  }

  void section(const OutputView &out) {
    begin(out.command ? "section" : "orphan",
          out.command ? out.command->where : ScriptLocation(), out.name);
    if (out.command && out.command->isDiscard())
      return discard(*out.command);
    const bool addressed =
        out.kept && out.isAlloc() && !program.config.relocatable;
    json.attribute("size", uint64_t(out.size));
    json.attribute("kept", out.kept);
    text << (out.kept ? ": " + countOf(out.size, "byte", "bytes")
                      : ": not in the output");
    if (addressed) {
      number("address", " at ", out.address.wrapped());
      inRegion("region", out.region);
      if (out.loadAddress != out.address) {
        number("loadAddress", ", loaded at ", out.loadAddress.wrapped());
        inRegion("loadRegion", out.lmaRegion);
      }
    } else if (out.kept && !out.isAlloc()) {
      text << " in the file alone";
    }
    text << (out.command ? "\n" : "; an orphan\n");
    json.attributeArray("statements", [&] {
      for (uint32_t i = 0; i < out.items.size(); ++i)
        json.object([&] { item(out, i, addressed); });
    });
  }

  void run() {
    findDiscarded();
    text << "Script\n";
    json.array([&] {
      for (RegionId id : link.addresses.regions.ids())
        json.object([&] { region(id); });
      for (size_t i = 0; i < program.script.phdrs.size(); ++i)
        json.object([&] { segment(i); });
      if (const auto where =
              wordPlace(program.script, program.script.entry, {});
          where.line)
        json.object([&] { entry(where); });
      const std::vector<LayoutCommand> &layout = link.placement.layout;
      for (size_t i = 0; i < layout.size(); ++i) {
        if (layout[i].output == kNone) {
          json.object([&] {
            simple(*layout[i].command, link.addresses.statements[i], {});
          });
          continue;
        }
        const OutputView out = link.output(layout[i].output);
        if (out.command || out.kept) // else an orphan of which nothing is left
          json.object([&] { section(out); });
      }
    });
  }
};

} // namespace

void explainScript(raw_ostream &text, json::OStream &json, const Link &link) {
  ScriptExplainer{link, text, json}.run();
}

} // namespace xlink
