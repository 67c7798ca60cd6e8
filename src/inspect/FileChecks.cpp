//===- FileChecks.cpp -----------------------------------------------------===//
//
// A check of checks/ runs on a file (FileLink) if the file has its facts.
// The others are about things that are gone: dropped sections, archives,
// the input sections of a pattern. A check that finds something because nothing
// refers to it needs the relocations that --emit-relocs keeps.
//
//===----------------------------------------------------------------------===//
#include "inspect/FileChecks.h"
#include "base/MappedFile.h"
#include "inspect/FileLink.h"
#include "map/LinkMapJson.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink {

namespace {

/// Why a check cannot run, or "".
std::string reasonAgainst(const LinkCheck &check, const FileLink &link,
                          const FileCheckOptions &options) {
  switch (check.file) {
  case FileNeeds::Nothing:
    return "";
  case FileNeeds::Script:
    return options.scripts.empty() ? "needs -T SCRIPT" : "";
  case FileNeeds::Relocations:
    return link.hasRelocations() ? ""
                                 : "needs relocations: link with --emit-relocs";
  case FileNeeds::Vectors:
    return link.program.target->vectors.empty()
               ? "the machine says of no section that it is an interrupt table"
               : "";
  case FileNeeds::Request:
    return options.groups.empty() ? std::string("needs --check-traps=") +
                                        warningGroupName(check.group)
                                  : "";
  case FileNeeds::Link:
    return "a finished file does not show it";
  }
  return "";
}

bool readScripts(const FileCheckOptions &options, vfs::FileSystem *fs,
                 Script &script, Diagnostics &diag) {
  for (const std::string &path : options.scripts) {
    std::string error;
    const auto open = [&](StringRef name) -> std::optional<IncludedText> {
      const auto buffer = openFile(fs, name.str(), error);
      if (!buffer)
        return std::nullopt;
      return IncludedText{name.str(), buffer->getBuffer().str()};
    };
    if (std::optional<IncludedText> text = open(path))
      parseScript(path, std::move(text->text), open, script, diag);
    else
      diag.error("cannot open linker script " + path + ": " + error);
  }
  return !diag.failed();
}

} // namespace

std::optional<FileCheckResult> checkFile(const LinkedFile &file,
                                         const FileCheckOptions &options,
                                         vfs::FileSystem *fs,
                                         Diagnostics &diag) {
  if (!file.hasAddresses()) {
    diag.error(file.name + ": is an object, no finished program");
    return std::nullopt;
  }
  FileLink link(file);
  link.config.demangle = options.demangle;
  if (!readScripts(options, fs, link.program.script, diag) ||
      !link.build(!options.scripts.empty(), diag))
    return std::nullopt;
  // For the one check that is about images.
  link.program.output.format = OutputFormat::Binary;
  FileCheckResult result;
  result.file = file.name;
  result.machine = file.target->name;
  Diagnostics found;
  Diagnostics::Policy policy;
  for (const LinkCheck &check : kChecks) {
    const char *name = warningGroupName(check.group);
    const bool wanted =
        options.groups.empty() || is_contained(options.groups, name);
    const std::string reason = reasonAgainst(check, link, options);
    if (wanted && !reason.empty())
      result.unchecked.push_back({name, reason});
    else if (wanted)
      result.checked.push_back(name);
    if (!wanted || !reason.empty())
      policy.disabledGroups.push_back(name);
  }
  found.setPolicy(policy);
  runChecks(link.finished(), found);
  result.findings = found.all();
  showScriptLines(link.program.script, result.findings);
  return result;
}

std::string checksText(const FileCheckResult &result) {
  std::string text;
  for (const Diagnostic &d : result.findings) {
    text += Diagnostics::severityText(d, /*color=*/false) + d.text + " [" +
            warningGroupName(d.group) + "]\n";
    for (const std::string &line : d.excerpt)
      text += line + "\n";
    for (const std::string &note : d.notes)
      text += ">>> " + note + "\n";
  }
  return text;
}

std::string checksJson(const FileCheckResult &result) {
  return jsonAnswer("xlink checks", [&](json::OStream &json) {
    json.attribute("file", json::fixUTF8(result.file));
    json.attribute("machine", result.machine);
    json.attributeArray("findings", [&] {
      for (const Diagnostic &d : result.findings)
        json.object([&] {
          json.attribute("group", warningGroupName(d.group));
          json.attribute("severity",
                         d.severity == Severity::Error ? "error" : "warning");
          json.attribute("text", json::fixUTF8(d.text));
          json.attributeArray("notes", [&] {
            for (const std::string &note : d.notes)
              json.value(json::fixUTF8(note));
          });
        });
    });
    json.attributeArray("checked", [&] {
      for (const char *name : result.checked)
        json.value(name);
    });
    json.attributeObject("unchecked", [&] {
      for (const auto &[name, reason] : result.unchecked)
        json.attribute(name, reason);
    });
  });
}

} // namespace xlink
