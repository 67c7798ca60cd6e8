//===- SysConfig.cpp - descriptions of boards, for XE containers ----------===//
//
// The subset of XML that such files use: elements with attributes, comments,
// declarations; text between elements is passed over. The meaning of an element
// follows from the names of the elements around it.
//
//===----------------------------------------------------------------------===//

#include "arch/Containers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {
namespace {

/// The value of an attribute; nothing when it is not there.
std::optional<StringRef> attribute(StringRef attributes, StringRef name) {
  while (true) {
    auto [key, rest] = attributes.split('=');
    rest = rest.ltrim();
    if (rest.empty())
      return std::nullopt;
    const char quote = rest.front();
    const size_t end = rest.find(quote, 1);
    if ((quote != '"' && quote != '\'') || end == StringRef::npos)
      return std::nullopt;
    if (key.trim() == name)
      return rest.substr(1, end - 1);
    attributes = rest.drop_front(end + 1);
  }
}

/// Where the element that begins at text[0], a '<', ends: at a '>' outside of
/// quotes.
size_t endOfTag(StringRef text) {
  char quote = 0;
  for (size_t i = 1; i < text.size(); ++i) {
    if (quote)
      quote = text[i] == quote ? 0 : quote;
    else if (text[i] == '"' || text[i] == '\'')
      quote = text[i];
    else if (text[i] == '>')
      return i;
  }
  return StringRef::npos;
}

class SysConfigReader {
public:
  explicit SysConfigReader(StringRef xml) : rest(xml) {}

  std::optional<SysConfig> run(std::string &error) {
    bool good = true;
    for (size_t at; good && (at = rest.find('<')) != StringRef::npos;) {
      rest = rest.drop_front(at);
      const bool comment = rest.starts_with("<!--");
      const size_t end = comment ? rest.find("-->") : endOfTag(rest);
      if (end == StringRef::npos) {
        good = fail("the file ends inside an element");
        break;
      }
      good = comment || tag(rest.substr(1, end - 1));
      rest = rest.drop_front(end + (comment ? 3 : 1));
    }
    if (good && complete())
      return std::move(config);
    error = fault;
    return std::nullopt;
  }

private:
  bool fail(const Twine &text) {
    fault = text.str();
    return false;
  }

  /// Reads an attribute of the element.
  bool number(StringRef name, uint32_t &value, bool optional = false) {
    std::optional<StringRef> text = attribute(attributes, name);
    if (!text)
      return optional || fail("a " + element + " has no " + name);
    if (text->trim().getAsInteger(0, value))
      return fail(name + " '" + *text + "' of a " + element +
                  " is not a number");
    return true;
  }

  /// The same, at the end of a list.
  bool append(StringRef name, std::vector<uint32_t> &list) {
    return number(name, list.emplace_back());
  }

  /// Takes an element whose names around it are in `path` already.
  bool open() {
    StringRef inside = path;
    if (!inside.consume_front("/XSystem/System/"))
      return true;
    if (inside == "Nodes/Node") {
      SysConfig::Node &node = config.nodes.emplace_back();
      return number("number", node.number) && number("jtagId", node.jtagId) &&
             number("userId", node.userId, /*optional=*/true);
    }
    if (inside == "Nodes/Node/Processor")
      return append("number", config.nodes.back().tiles);
    if (inside == "Nodes/GlxNode")
      return append("number", config.others);
    if (inside == "JtagChain/Node")
      return append("id", config.chain);
    hasChain |= inside == "JtagChain";
    return true;
  }

  /// The text between '<' and '>'.
  bool tag(StringRef text) {
    if (text.starts_with("?") || text.starts_with("!"))
      return true;
    if (text.consume_front("/")) {
      auto [outer, inner] = StringRef(path).rsplit('/');
      if (path.empty() || inner != text.trim())
        return fail("'</" + text + ">' ends an element that is not open");
      path.resize(outer.size());
      return true;
    }
    const bool empty = text.consume_back("/");
    element = text.take_until([](char c) { return isSpace(c); });
    attributes = text.drop_front(element.size());
    const size_t outside = path.size();
    path += "/" + element.str();
    if (!open())
      return false;
    if (empty)
      path.resize(outside);
    return true;
  }

  /// Whether the elements are a whole description.
  bool complete() {
    if (!path.empty())
      return fail("element '" + StringRef(path).rsplit('/').second +
                  "' is not closed");
    if (config.nodes.empty())
      return fail("it has no XSystem > System > Nodes > Node");
    if (!hasChain)
      return fail("it has no XSystem > System > JtagChain");
    for (uint32_t number : config.chain)
      if (!is_contained(config.others, number) &&
          none_of(config.nodes, [&](const SysConfig::Node &node) {
            return node.number == number;
          }))
        return fail("JtagChain names node " + Twine(number) +
                    ", which is not among Nodes");
    return true;
  }

  StringRef rest;
  std::string path; ///< names of the open elements, each behind a slash
  StringRef element, attributes; ///< of the element that was opened last
  SysConfig config;
  bool hasChain = false;
  std::string fault;
};

} // namespace

bool SysConfig::hasTile(uint32_t index, uint32_t tile) const {
  if (index >= chain.size())
    return false;
  for (const Node &node : nodes)
    if (node.number == chain[index])
      return is_contained(node.tiles, tile);
  return false;
}

std::optional<SysConfig> readSysConfig(StringRef xml, std::string &error) {
  return SysConfigReader(xml).run(error);
}

} // namespace xlink
