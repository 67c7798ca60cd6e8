//===- CallTexts.cpp ------------------------------------------------------===//
#include "report/CallTexts.h"

using namespace llvm;

namespace xlink {

using Node = CallGraph::Node;

CallChain shortened(ArrayRef<Node> nodes, size_t most) {
  CallChain chain;
  chain.nodes = nodes.take_front(most).vec();
  if (nodes.size() > most) {
    chain.omitted = nodes.size() - most - 1;
    chain.nodes.push_back(nodes.back());
  }
  return chain;
}

std::string chainText(const CallGraph &graph, const CallChain &chain) {
  std::string text;
  for (size_t i = 0; i < chain.nodes.size(); ++i) {
    if (i)
      text += " -> ";
    if (chain.omitted && i + 1 == chain.nodes.size())
      text += "(" + std::to_string(chain.omitted) + " more) -> ";
    text += graph.nameOf(chain.nodes[i]);
  }
  return text;
}

std::string reasonText(const CallGraph &graph, const UnboundReason &reason) {
  switch (reason.kind) {
  case UnboundReason::Recursion:
    if (reason.chain.empty())
      return "recursion: the value of " + reason.symbol.str() +
             " depends on itself";
    return "recursion " + chainText(graph, shortened(reason.chain, kMostNames));
  case UnboundReason::Undefined:
    return "unresolved symbol " + graph.nameOf(reason.node);
  case UnboundReason::Unstated:
    return "nothing stated about " + graph.nameOf(reason.node);
  case UnboundReason::Value:
    return graph.nameOf(reason.node) + " depends on the unresolved symbol " +
           reason.symbol.str();
  case UnboundReason::Dynamic:
    return "dynamic frame of " + graph.nameOf(reason.node);
  case UnboundReason::Indirect:
    return "indirect call in " + graph.nameOf(reason.node) +
           (reason.place.empty() ? "" : " at " + reason.place);
  }
  return "";
}

std::string nameIn(const CallGraph &graph, Node node) {
  return json::fixUTF8(graph.nameOf(node, CallGraph::Reader::Program));
}

JsonMembers chainMembers(const CallGraph &graph, const CallChain &chain) {
  JsonMembers members;
  json::Array path;
  for (Node node : chain.nodes)
    path.push_back(nameIn(graph, node));
  members.emplace_back("path", std::move(path));
  if (chain.omitted)
    members.emplace_back("omittedBeforeLast", uint64_t(chain.omitted));
  return members;
}

JsonMembers reasonMembers(const CallGraph &graph, const UnboundReason &reason) {
  switch (reason.kind) {
  case UnboundReason::Recursion: {
    JsonMembers members = {{"reason", "recursion"}};
    if (reason.chain.empty())
      members.emplace_back("symbol", json::fixUTF8(reason.symbol));
    else
      for (auto &member :
           chainMembers(graph, shortened(reason.chain, kMostJsonNames)))
        members.push_back(std::move(member));
    return members;
  }
  case UnboundReason::Undefined:
    return {{"reason", "unresolved"}, {"symbol", nameIn(graph, reason.node)}};
  case UnboundReason::Unstated:
    return {{"reason", "unstated"}, {"function", nameIn(graph, reason.node)}};
  case UnboundReason::Value:
    return {{"reason", "unresolved"},
            {"symbol", json::fixUTF8(reason.symbol)},
            {"function", nameIn(graph, reason.node)}};
  case UnboundReason::Dynamic:
    return {{"reason", "dynamic"}, {"function", nameIn(graph, reason.node)}};
  case UnboundReason::Indirect: {
    JsonMembers members = {{"reason", "indirect"},
                           {"function", nameIn(graph, reason.node)}};
    if (!reason.place.empty())
      members.emplace_back("place", json::fixUTF8(reason.place));
    return members;
  }
  }
  return {};
}

} // namespace xlink
