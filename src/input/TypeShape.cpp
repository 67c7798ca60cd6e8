//===- TypeShape.cpp - types as far as calls and names go -----------------===//
#include "input/TypeString.h"

using namespace llvm;

namespace xlink {

PassedValue TypeString::passedValue(const Node &node) const {
  PassedValue value;
  switch (node.kind) {
  case Kind::Basic:
    value.kind = PassedValue::Basic;
    value.code = node.text;
    break;
  case Kind::Port:
    value.kind = PassedValue::Handle;
    break;
  case Kind::Record:
    if (node.text == "e")
      value.kind = PassedValue::Handle;
    break;
  case Kind::Pointer:
    // Whether XC passes more than the address of a pointer that it checks is
    // not known.
    if (node.text == "p" || node.qualifiers.contains('u'))
      value.kind = PassedValue::Address;
    break;
  case Kind::Reference: {
    value.kind = PassedValue::Address;
    const Node &target = nodes[node.child];
    value.hasBound = target.kind == Kind::Array && target.text.empty() &&
                     target.argument == 0;
    break;
  }
  default:
    break;
  }
  return value;
}

std::optional<CallShape> TypeString::callShape() const {
  const Node &function = nodes[root];
  if (function.kind != Kind::Function)
    return std::nullopt;
  CallShape shape;
  shape.open = function.open;
  shape.variadic = function.variadic;
  for (uint32_t i = function.child; i != kNone; i = nodes[i].next)
    shape.results.push_back(passedValue(nodes[i]));
  for (uint32_t i = function.params; i != kNone; i = nodes[i].next)
    shape.parameters.push_back(passedValue(nodes[i]));
  // `f(void)`
  if (shape.parameters.size() == 1 &&
      shape.parameters[0].kind == PassedValue::Basic &&
      shape.parameters[0].code == "0")
    shape.parameters.clear();
  return shape;
}

/// `parameter`: that of the innermost function which the text is in, from 1.
std::string TypeString::outline(uint32_t index, uint32_t parameter) const {
  const Node &node = nodes[index];
  std::string text;
  if (!node.qualifiers.empty())
    text = node.qualifiers.str() + ":";
  auto list = [&](uint32_t first) {
    uint32_t number = 0;
    for (uint32_t i = first; i != kNone; i = nodes[i].next)
      text += (i == first ? "" : ",") + outline(i, ++number);
  };
  switch (node.kind) {
  case Kind::Basic:
  case Kind::Object:
    return text + node.text.str();
  case Kind::Port:
    return text + "p" + (node.text.empty() ? "" : ":" + node.text.str());
  case Kind::Pointer:
    return text + node.text.str() + "(" + outline(node.child, parameter) + ")";
  case Kind::Reference:
    return text + "&(" + outline(node.child, parameter) + ")";
  case Kind::Array:
    return text + "a(" +
           (node.argument
                ? "!" + std::to_string(int64_t(node.argument) - parameter)
                : node.text.str()) +
           ":" + outline(node.child, parameter) + ")";
  case Kind::BitField:
    return text + "b(" + node.text.str() + ":" +
           outline(node.child, parameter) + ")";
  case Kind::Network:
    return text + node.text.str() + "(" + node.name.str() + ":" +
           outline(node.child, parameter) + ")";
  case Kind::Record:
    return text + node.text.str() + "(){}";
  case Kind::Function:
    text += node.text.str() + "{";
    list(node.child);
    text += "}(";
    list(node.params);
    if (node.variadic)
      text += node.params == kNone ? "va" : ",va";
    return text + ")";
  case Kind::Member:
    break; // part of a record
  }
  return text;
}

std::string TypeString::outline() const { return outline(root, 0); }

} // namespace xlink
