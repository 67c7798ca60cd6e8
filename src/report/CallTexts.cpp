//===- CallTexts.cpp ------------------------------------------------------===//
#include "report/CallTexts.h"

using namespace llvm;

namespace xlink {

using Node = CallGraph::Node;

std::string nameIn(const CallGraph &graph, Node node) {
  return json::fixUTF8(graph.nameOf(node, CallGraph::Reader::Program));
}

CallPhrase chainPhrase(const CallGraph &graph, const CallChain &chain) {
  CallPhrase phrase;
  json::Array path;
  const size_t last = chain.nodes.size() - 1, all = last + chain.omitted;
  for (size_t i = 0; i <= last; ++i) {
    path.push_back(nameIn(graph, chain.nodes[i]));
    if (i >= kMostNames && i != last)
      continue;
    if (i == last && all > kMostNames)
      phrase.text += " -> (" + std::to_string(all - kMostNames) + " more)";
    phrase.text += (i ? " -> " : "") + graph.nameOf(chain.nodes[i]);
  }
  phrase.json.emplace_back("path", std::move(path));
  if (chain.omitted)
    phrase.json.emplace_back("omittedBeforeLast", uint64_t(chain.omitted));
  return phrase;
}

CallPhrase reasonPhrase(const CallGraph &graph, const UnboundReason &reason) {
  const std::string name = graph.nameOf(reason.node);
  const std::string inFile = nameIn(graph, reason.node);
  const std::string symbol = json::fixUTF8(reason.symbol);
  switch (reason.kind) {
  case UnboundReason::Recursion: {
    if (reason.chain.empty())
      return {"recursion: the value of " + reason.symbol.str() +
                  " depends on itself",
              {{"reason", "recursion"}, {"symbol", symbol}}};
    CallChain chain{reason.chain};
    if (chain.nodes.size() > kMostJsonNames) {
      chain.omitted = chain.nodes.size() - kMostJsonNames - 1;
      chain.nodes[kMostJsonNames] = chain.nodes.back();
      chain.nodes.resize(kMostJsonNames + 1);
    }
    CallPhrase phrase = chainPhrase(graph, chain);
    phrase.text = "recursion " + phrase.text;
    phrase.json.insert(phrase.json.begin(), {"reason", "recursion"});
    return phrase;
  }
  case UnboundReason::Undefined:
    return {"unresolved symbol " + name,
            {{"reason", "unresolved"}, {"symbol", inFile}}};
  case UnboundReason::Unstated:
    return {"nothing stated about " + name,
            {{"reason", "unstated"}, {"function", inFile}}};
  case UnboundReason::Value:
    return {
        name + " depends on the unresolved symbol " + reason.symbol.str(),
        {{"reason", "unresolved"}, {"symbol", symbol}, {"function", inFile}}};
  case UnboundReason::Dynamic:
    return {"dynamic frame of " + name,
            {{"reason", "dynamic"}, {"function", inFile}}};
  case UnboundReason::Indirect: {
    CallPhrase phrase{"indirect call in " + name,
                      {{"reason", "indirect"}, {"function", inFile}}};
    if (const StringRef place = graph[reason.node].indirectPlace;
        !place.empty()) {
      phrase.text += " at " + place.str();
      phrase.json.emplace_back("place", json::fixUTF8(place));
    }
    return phrase;
  }
  }
  return {};
}

} // namespace xlink
