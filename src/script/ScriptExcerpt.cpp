//===- ScriptExcerpt.cpp - the line of a script in a message --------------===//
//
// Problem: the parser shows the current line. Later problems (a region that is
// not declared, an assertion, a pattern that matches nothing) are reported by
// passes that hold a ScriptLocation and no text, in dozens of places.
//
// Method: these messages begin with the location. After the link, one pass over
// the messages that will be shown adds the line to those that begin with a file
// of the script. So no pass knows of excerpts, and a link without messages does
// nothing.
//
// Cost: a search for the line's start for each shown message.
//
//===----------------------------------------------------------------------===//
#include "base/DiagnosticFormat.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

std::vector<std::string> scriptExcerpt(StringRef line, size_t column) {
  constexpr size_t width = 150;
  size_t from =
      column > width / 2 && line.size() > width ? column - width / 2 : 0;
  std::string shown, caret;
  for (size_t i = from; i < line.size() && i < from + width; ++i) {
    unsigned char c = line[i];
    shown += c < 0x20 || c == 0x7f ? ' ' : line[i];
    if (i < column && (c & 0xc0) != 0x80) // one column a UTF-8 character
      caret += ' ';
  }
  if (StringRef(shown).trim().empty())
    return {};
  return {std::move(shown), caret + '^'};
}

void showScriptLines(const Script &script, std::vector<Diagnostic> &messages) {
  for (Diagnostic &message : messages) {
    if (message.severity == Severity::Note || hasExcerpt(message))
      continue;
    const MessagePlace place = placeInText(message.text);
    if (!place.column)
      continue;
    for (const Script::SourceText &source : script.texts)
      if (source.file == place.file) {
        StringRef text = source.text;
        for (uint32_t line = 1; line < place.line; ++line)
          text = text.split('\n').second;
        text = text.take_until([](char c) { return c == '\n' || c == '\r'; });
        message.excerpt = scriptExcerpt(text, place.column - 1);
        break;
      }
  }
}

} // namespace xlink
