//===- XS1Thunk.cpp - array bounds that C callers do not pass -----------===//
//
// Problem: XC passes the size of an array that is declared without one
// (`char (&a)[]`) as an argument of its own; C, where the same parameter is a
// `char *`, does not. A function of XC that C calls would take any contents of
// the register or the stack for the size, and trap, or not trap where it
// should.
//
// Method: code between the two passes all ones, a bound that no index exceeds,
// for every array. Arguments are words, four in r0 to r3 and the rest on the
// stack from sp[1] on, where sp[0] is the callee's to save lr in; the bounds
// follow behind all others, in the order of their arrays. Where all fit into
// registers the code sets them and jumps; else it has a frame of its own,
// copies the caller's arguments on the stack and puts the bounds behind it.
//
// Cores with two modes of issue enter every function in their caller's mode,
// and the function's first instruction sets its own: there the code always has
// a frame, its first instruction fills a bundle, and frames keep sp a multiple
// of 8.
//
// The registers and stack words, the frame and the name are those of
// executables of the vendor's linker, and the instructions those of its later
// versions; earlier ones loaded the ones from the constant pool.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace xlink {
namespace {

constexpr uint32_t kArgumentRegisters = 4, kScratch = 11;
/// Two frames of that many words are within reach of an immediate.
constexpr uint32_t kMostWords = 0x7FF0;
constexpr uint32_t kRel16 = 9, kRel20 = 11; ///< relocations of bu and bl
/// Opcodes: with a register in bits 6 to 9, or an immediate in bits 0 to 5 and,
/// behind a prefix, 10 bits more.
constexpr uint32_t kEntsp = 0x7740, kRetsp = 0x77C0, kLdwsp = 0x5C00,
                   kStwsp = 0x5400, kBu = 0x7300, kBl = 0xD000,
                   kPrefix = 0xF000, kMkmsk = 0xA010;

/// How many words a value takes; 0: not known.
uint32_t wordsOf(const PassedValue &value) {
  switch (value.kind) {
  case PassedValue::Address:
  case PassedValue::Handle:
    return 1;
  case PassedValue::Basic:
    if (llvm::is_contained({"ull", "sll", "d", "ld"}, value.code))
      return 2;
    return llvm::is_contained({"b", "uc", "sc", "us", "ss", "ui", "si", "ul",
                               "sl", "ft", "chd", "ck", "t", "swt", "cr"},
                              value.code)
               ? 1
               : 0;
  case PassedValue::Other:
    break;
  }
  return 0;
}

/// Whether the results stay in registers; else their address is passed too.
bool resultsInRegisters(const CallShape &shape) {
  uint32_t words = 0;
  for (const PassedValue &result : shape.results) {
    bool isVoid = result.kind == PassedValue::Basic && result.code == "0";
    if (wordsOf(result) == 0 && !isVoid)
      return false;
    words += wordsOf(result);
  }
  return words <= kArgumentRegisters;
}

void writeCode(uint32_t explicitWords, uint32_t bounds, bool twoModes,
               const TargetState &state, ThunkCode &made) {
  auto half = [&](uint32_t value) {
    made.code.push_back(uint8_t(value));
    made.code.push_back(uint8_t(value >> 8));
  };
  auto emit = [&](uint32_t opcode, uint32_t immediate, bool isLong = false) {
    if (immediate >= 64 || isLong)
      half(kPrefix | immediate >> 6);
    half(opcode | (immediate & 63));
  };
  // mkmsk reg, 32. Formats with two operands keep the low two bits of each
  // apart and the rest in bits 6 to 10, from 27 on; the width of a word is
  // operand 0.
  auto allOnes = [&](uint32_t reg) {
    half(kMkmsk | (27 + (reg >> 2)) << 6 | (reg & 3) << 2);
  };
  const uint32_t words = explicitWords + bounds;
  auto onStack = [](uint32_t all) {
    return all > kArgumentRegisters ? all - kArgumentRegisters : 0;
  };
  made.align = twoModes ? 4 : 2;
  if (onStack(words) != 0 || twoModes) {
    made.stackWords = 1 + onStack(words); // the first for the callee's lr
    if (twoModes)
      made.stackWords += made.stackWords % 2;
    emit(kEntsp, made.stackWords, twoModes);
  }
  for (uint32_t i = 1; i <= onStack(explicitWords); ++i) {
    emit(kLdwsp | kScratch << 6, made.stackWords + i);
    emit(kStwsp | kScratch << 6, i);
  }
  if (onStack(words) > onStack(explicitWords))
    allOnes(kScratch);
  for (uint32_t i = onStack(explicitWords) + 1; i <= onStack(words); ++i)
    emit(kStwsp | kScratch << 6, i);
  for (uint32_t i = explicitWords; i < words && i < kArgumentRegisters; ++i)
    allOnes(i);
  made.reference.type = made.stackWords ? kRel20 : kRel16;
  made.reference.offset = uint32_t(made.code.size());
  made.reference.addend = state.usePlaceBias ? 0 : -4;
  emit(made.stackWords ? kBl : kBu, 0, /*isLong=*/true);
  if (made.stackWords)
    emit(kRetsp, made.stackWords);
}

ThunkCode convert(const CallShape &caller, const CallShape &callee,
                  const TargetState &state) {
  ThunkCode made;
  const std::vector<uint32_t> expected = callee.bounds(),
                              passed = caller.bounds();
  // XC defines no functions with a variable number of arguments.
  if (callee.variadic)
    return made;
  size_t same = 0;
  while (same < expected.size() && same < passed.size() &&
         expected[same] == passed[same])
    ++same;
  if (same == expected.size()) // more arguments behind them do no harm
    return made;
  auto fails = [&](uint32_t parameter, std::string reason) {
    made.failure = {parameter, std::move(reason)};
    return made;
  };
  if (!passed.empty())
    return fails(expected[same],
                 "the caller passes the bounds of other parameters");
  uint32_t words = 0;
  for (uint32_t i = 0; i < callee.parameters.size(); ++i) {
    const uint32_t size = wordsOf(callee.parameters[i]);
    if (size == 0)
      return fails(expected.front(),
                   "how parameter " + std::to_string(i + 1) +
                       " is passed, in front of it, is not known");
    words += size;
  }
  if (!resultsInRegisters(callee))
    return fails(expected.front(),
                 "how the result is passed, in front of it, is not known");
  if (words + expected.size() > kMostWords)
    return fails(expected.front(), "there are too many arguments");
  const bool twoModes = !state.cpu.empty() && state.cpu != "xs1";
  writeCode(words, uint32_t(expected.size()), twoModes, state, made);
  return made;
}

/// "f.coersed..TYPE": of TYPE, each character but letters and digits as a dot
/// and two hexadecimal digits.
std::string thunkName(llvm::StringRef function, llvm::StringRef type) {
  std::string name = (function + ".coersed..").str();
  for (char c : type) {
    if (llvm::isAlnum(c))
      name += c;
    else
      name += "." + llvm::utohexstr(uint8_t(c), /*LowerCase=*/true, 2);
  }
  return name;
}

} // namespace

constinit const ThunkMaker xs1ThunkMaker = {convert, thunkName};

} // namespace xlink
