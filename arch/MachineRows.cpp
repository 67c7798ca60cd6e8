//===- MachineRows.cpp - the rows and tests of a machine file -------------===//
//
//     row      = NUMBER NAME [ ':' BYTES { ',' property } ] ';'
//     property = 'value' VALUE | check | 'bits' move { ',' move }
//              | 'multiple' POWER | 'carry' BIT { BIT } | 'wrap' ('s'|'u')N
//              | 'place' POWER | 'add' | 'sub' | 'halves' | 'big' | 'little'
//              | 'flip' RANGE [ 'unless' BIT ] | 'sign' BIT
//              | 'in-field' [ 'signed' N ] | 'pair' NAME { NAME }
//              | 'weak' MASK CODE | 'data' | 'address' | 'call' | 'branch'
//              | 'or-address' [ BIT ] | 'or-jump' | 'hint' TEXT
//     check    = ('unsigned'|'signed'|'either'|'magnitude'|'low') N
//              | 'limits' NUMBER '..' NUMBER
//     move     = RANGE '->' RANGE
//     RANGE    = BIT | BIT ':' BIT          high first, as in manuals
//     VALUE    = sum | '(' sum ')' '/' POWER | '(' sum ')' '>>' N
//     sum      = ['-'] term { ('+'|'-') term }
//     term     = S | A | P | G | GOT | next [ '(' POWER ')' ]
//              | down '(' P ['+' N] ',' POWER ')'
//              | page '(' S '+' A ',' POWER ')' | BASE
//     test     = 'TEST' NAME ':' { ('S'|'A'|'P'|'G'|'base') NUMBER ',' }
//                HEX '->' ( HEX | 'range' | 'align' | 'place' ) [ 'cpu' NAME ]
//
// '/' must divide; '>>' drops bits. Sums have one of the shapes that
// Formula has. A row without ':' writes nothing.
//
//===----------------------------------------------------------------------===//

#include "arch/MachineReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

/// Where the properties of a row stand, for messages about several of them.
struct MachineReader::RowPlaces {
  MachineToken row, name, bits, check, wrap;
  MachineToken word; ///< of the property that is being read
  std::vector<MachineToken> carries;
  StringSet<> seen; ///< Property::group of those that were read
};

namespace {
enum SumTerm : unsigned {
  kSymbol = 1,
  kAddend = 2,
  kPlace = 4,
  kSlot = 8,
  kBase = 16,
  kPage = 32,
};
constexpr StringRef kShapes =
    "no row computes this; the shapes are S + A, -S - A, S + A - P, "
    "S + A - BASE, G + A, S + A - GOT";
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A term of a sum. `seen`: SumTerm bits; a term stands once.
bool MachineReader::readTerm(RelocationRow &row, bool minus, unsigned &seen) {
  const MachineToken at = in.token();
  const auto name = in.word("a term");
  if (!name)
    return false;
  unsigned term = 0;
  bool wantsMinus = false;
  if (*name == "S" || *name == "A") {
    term = *name == "S" ? kSymbol : kAddend;
    wantsMinus = row.negate;
  } else if (*name == "G") {
    term = kSlot;
  } else if (*name == "P") {
    term = kPlace;
    wantsMinus = true;
  } else if (*name == "next" || *name == "down") {
    term = kPlace;
    wantsMinus = true;
    uint64_t multiple = 1, plus = row.bytes;
    if (*name == "next" && in.accept("(")) {
      const auto power = in.power(128);
      if (!power || !in.expect(")"))
        return false;
      multiple = *power;
      plus += multiple - 1;
    } else if (*name == "down") {
      if (!in.expect("(") || !in.expect("P"))
        return false;
      const auto more =
          in.accept("+") ? in.number(0, 127) : std::optional<uint64_t>(0);
      if (!more || !in.expect(","))
        return false;
      const auto power = in.power(uint64_t(1) << 32);
      if (!power || !in.expect(")"))
        return false;
      multiple = *power;
      plus = *more;
    }
    row.placePlus = uint8_t(plus);
    row.placeDown = uint8_t(Log2_64(multiple));
  } else if (*name == "page") {
    if (!in.expect("(") || !in.expect("S") || !in.expect("+") ||
        !in.expect("A") || !in.expect(","))
      return false;
    const auto power = in.power(uint64_t(1) << 32);
    if (!power || !in.expect(")"))
      return false;
    term = kSymbol | kAddend;
    row.page = uint8_t(Log2_64(*power));
  } else if (name->contains('-')) {
    std::string apart;
    for (char c : *name)
      apart += c == '-' ? std::string(" - ") : std::string(1, c);
    in.problem(at, "unknown term '" + *name + "'; write '" + apart + "'");
    return false;
  } else {
    term = kBase;
    wantsMinus = true;
    rowBases.push_back({row.number, at});
  }
  if ((seen & term) || minus != wantsMinus) {
    in.problem(at, kShapes);
    return false;
  }
  seen |= term;
  return true;
}

bool MachineReader::readValue(RelocationRow &row, const MachineToken &at) {
  const bool inParentheses = in.accept("(");
  unsigned seen = 0;
  bool minus = row.negate = in.accept("-");
  while (readTerm(row, minus, seen)) {
    if (in.is("+") || in.is("-")) {
      minus = in.take().text == "-";
      continue;
    }
    switch (seen) {
    case kSymbol | kAddend:
      row.formula = Formula::Abs;
      break;
    case kSymbol | kAddend | kPlace:
      row.formula = Formula::PcRel;
      break;
    case kSymbol | kAddend | kBase:
      row.formula = Formula::BaseRel;
      break;
    case kSlot | kAddend:
      row.formula = Formula::GotOffset;
      break;
    default:
      in.problem(at, kShapes);
      return false;
    }
    if (row.negate && row.formula != Formula::Abs) {
      in.problem(at, kShapes);
      return false;
    }
    if (!inParentheses)
      return true;
    if (!in.expect(")"))
      return false;
    if (in.accept(">>")) {
      const auto shift = in.number(0, 63);
      if (!shift)
        return false;
      row.shift = uint8_t(*shift);
    } else if (in.accept("/")) {
      const MachineToken number = in.token();
      const auto power = in.number();
      if (!power)
        return false;
      if (!isPowerOf2_64(*power)) {
        in.problem(number, "'/' takes a power of two");
        return false;
      }
      row.shift = row.multiple = uint8_t(Log2_64(*power));
    }
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// BIT or BIT:BIT, of bits below `limit`.
bool MachineReader::readRange(unsigned limit, unsigned &high, unsigned &low) {
  const auto first = in.number(0, limit - 1);
  if (!first)
    return false;
  high = low = unsigned(*first);
  if (!in.accept(":"))
    return true;
  const MachineToken at = in.token();
  const auto second = in.number(0, limit - 1);
  if (!second)
    return false;
  low = unsigned(*second);
  if (low > high) {
    in.problem(at, "the higher bit stands first: write " + Twine(low) + ":" +
                       Twine(high));
    return false;
  }
  return true;
}

void MachineReader::readMoves(RelocationRow &row, RowPlaces &places) {
  places.bits = places.word;
  std::vector<Piece> pieces;
  do {
    unsigned high, low, wordHigh, wordLow;
    const MachineToken value = in.token();
    if (!readRange(64, high, low) || !in.expect("->"))
      return;
    const MachineToken unit = in.token();
    if (!readRange(256, wordHigh, wordLow))
      return;
    auto range = [](unsigned high, unsigned low) {
      return std::to_string(high) +
             (high == low ? "" : ":" + std::to_string(low));
    };
    if (high - low != wordHigh - wordLow) {
      return in.problem(
          unit, "bits " + range(wordHigh, wordLow) + " of the unit are " +
                    Twine(wordHigh - wordLow + 1) + ", " + range(high, low) +
                    " of the value are " + Twine(high - low + 1));
    }
    if (wordHigh >= 8u * row.bytes) {
      in.problem(unit, "bit " + Twine(wordHigh) +
                           " is outside of the unit of " +
                           Twine(unsigned(row.bytes)) + " bytes");
      return;
    }
    for (const Piece &other : pieces)
      if (wordLow < unsigned(other.wordBit) + other.width &&
          other.wordBit <= wordHigh) {
        in.problem(unit, "bit " +
                             Twine(std::max<unsigned>(wordLow, other.wordBit)) +
                             " of the unit receives two bits of the value");
        return;
      }
    if (pieces.size() == 64) {
      in.problem(value, "more than 64 moves");
      return;
    }
    pieces.push_back({uint8_t(low), uint8_t(high - low + 1), uint8_t(wordLow)});
    if (!in.is(","))
      break;
    MachineText ahead = in;
    ahead.take();
    if (!ahead.isNumber()) // another property, not another move
      break;
    in.take();
  } while (true);
  row.pieces = keep(ArrayRef(pieces));
}

const MachineReader::Property MachineReader::kProperties[] = {
    {"value", "value", &MachineReader::readValueProperty},
    {"unsigned", "check", &MachineReader::readCheck},
    {"signed", "check", &MachineReader::readCheck},
    {"either", "check", &MachineReader::readCheck},
    {"magnitude", "check", &MachineReader::readCheck},
    {"low", "check", &MachineReader::readCheck},
    {"limits", "check", &MachineReader::readLimits},
    {"bits", "bits", &MachineReader::readMoves},
    {"multiple", "multiple", &MachineReader::readMultiple},
    {"place", "place", &MachineReader::readPlace},
    {"carry", "carry", &MachineReader::readCarry},
    {"wrap", "wrap", &MachineReader::readWrap},
    {"add", "add", &MachineReader::readFieldOp},
    {"sub", "add", &MachineReader::readFieldOp},
    {"big", "order", &MachineReader::readOrder},
    {"little", "order", &MachineReader::readOrder},
    {"halves", "halves", &MachineReader::readHalves},
    {"flip", "flip", &MachineReader::readFlip},
    {"sign", "sign", &MachineReader::readSign},
    {"in-field", "in-field", &MachineReader::readInField},
    {"pair", "pair", &MachineReader::readPair},
    {"weak", "weak", &MachineReader::readWeak},
    {"data", "use", &MachineReader::readUse},
    {"address", "use", &MachineReader::readUse},
    {"call", "use", &MachineReader::readUse},
    {"branch", "use", &MachineReader::readUse},
    {"or-address", "or-address", &MachineReader::readOrAddress},
    {"or-jump", "or-jump", &MachineReader::readOrJump},
    {"hint", "hint", &MachineReader::readHint},
};

void MachineReader::readValueProperty(RelocationRow &row, RowPlaces &) {
  readValue(row, in.token());
}

void MachineReader::readCheck(RelocationRow &row, RowPlaces &places) {
  row.check = StringSwitch<Check>(places.word.text)
                  .Case("unsigned", Check::Unsigned)
                  .Case("signed", Check::Signed)
                  .Case("either", Check::Either)
                  .Case("magnitude", Check::Magnitude)
                  .Default(Check::LowPart);
  places.check = places.word;
  if (const auto width = in.number(1, 64))
    row.bits = uint8_t(*width);
}

void MachineReader::readLimits(RelocationRow &row, RowPlaces &places) {
  row.check = Check::Limits;
  places.check = places.word;
  const auto low = in.signedNumber();
  if (!low || !in.expect(".."))
    return;
  const MachineToken second = in.token();
  const auto high = in.signedNumber();
  if (high && *low > *high)
    return in.problem(second, "the lower limit stands first");
  row.low = *low;
  row.high = high.value_or(0);
}

void MachineReader::readMultiple(RelocationRow &row, RowPlaces &) {
  if (const auto power = in.power())
    row.multiple = uint8_t(Log2_64(*power));
}

void MachineReader::readPlace(RelocationRow &row, RowPlaces &) {
  if (const auto power = in.power(128))
    row.placeAlign = uint8_t(*power);
}

void MachineReader::readCarry(RelocationRow &row, RowPlaces &places) {
  do {
    places.carries.push_back(in.token());
    const auto carry = in.number(1, 63);
    if (!carry)
      return;
    row.carry |= uint64_t(1) << *carry;
  } while (in.isNumber());
}

void MachineReader::readWrap(RelocationRow &row, RowPlaces &places) {
  places.wrap = places.word;
  const MachineToken at = in.token();
  const auto how = in.word("sN or uN");
  if (!how)
    return;
  unsigned width = 0;
  if (!StringRef("su").contains(how->front()) ||
      how->drop_front().getAsInteger(10, width) || width < 1 || width > 64)
    return in.problem(at, "'wrap' takes s1 to s64 or u1 to u64");
  row.wrapBits = uint8_t(width);
  row.wrapSigned = how->front() == 's';
}

void MachineReader::readFieldOp(RelocationRow &row, RowPlaces &places) {
  row.op = places.word.text == "add" ? FieldOp::Add : FieldOp::Sub;
}

void MachineReader::readOrder(RelocationRow &row, RowPlaces &places) {
  const bool isBig = places.word.text == "big";
  if (row.order == Order::LittleHalves || row.order == Order::BigHalves)
    row.order = isBig ? Order::BigHalves : Order::LittleHalves;
  else
    row.order = isBig ? Order::Big : Order::Little;
}

void MachineReader::readHalves(RelocationRow &row, RowPlaces &) {
  row.order = row.order == Order::Big ? Order::BigHalves : Order::LittleHalves;
}

void MachineReader::readFlip(RelocationRow &row, RowPlaces &) {
  unsigned high, low;
  if (!readRange(64, high, low))
    return;
  row.flip = maskTrailingOnes<uint64_t>(high - low + 1) << low;
  if (in.accept("unless"))
    if (const auto unless = in.number(0, 63))
      row.flipUnless = uint8_t(*unless);
}

void MachineReader::readSign(RelocationRow &row, RowPlaces &) {
  if (const auto bit = in.number(0, 8u * row.bytes - 1))
    row.signBit = uint8_t(*bit);
}

void MachineReader::readInField(RelocationRow &row, RowPlaces &) {
  row.addendBits = 64;
  if (in.accept("signed"))
    if (const auto width = in.number(1, 64))
      row.addendBits = uint8_t(*width);
}

void MachineReader::readPair(RelocationRow &row, RowPlaces &) {
  std::vector<MachineToken> names;
  do {
    names.push_back(in.token());
    if (!in.word("the name of a row"))
      return;
  } while (!in.is(",") && !in.is(";") && names.size() < 64);
  pairs.push_back({row.number, std::move(names)});
}

void MachineReader::readWeak(RelocationRow &row, RowPlaces &places) {
  const auto mask = in.number();
  const auto code = mask ? in.number() : std::nullopt;
  if (!code)
    return;
  if (*code & ~*mask)
    return in.problem(places.word, "CODE has bits outside of MASK");
  row.weakMask = *mask;
  row.weakCode = *code;
}

void MachineReader::readUse(RelocationRow &row, RowPlaces &places) {
  row.use = StringSwitch<Use>(places.word.text)
                .Case("address", Use::Address)
                .Case("call", Use::Call)
                .Case("branch", Use::Branch)
                .Default(Use::Data);
}

void MachineReader::readOrAddress(RelocationRow &row, RowPlaces &) {
  row.takesAddress = true;
  if (in.isNumber())
    if (const auto bit = in.number(0, 8u * row.bytes - 1))
      row.addressBit = uint8_t(*bit);
}

void MachineReader::readOrJump(RelocationRow &row, RowPlaces &) {
  row.alsoJumps = true;
}

void MachineReader::readHint(RelocationRow &row, RowPlaces &) {
  if (const auto hint = in.quoted())
    row.hint = keep(*hint);
}

void MachineReader::readProperty(RelocationRow &row, RowPlaces &places) {
  places.word = in.token();
  if (!in.word("a property"))
    return;
  const Property *property = find_if(kProperties, [&](const Property &p) {
    return p.word == places.word.text;
  });
  if (property == std::end(kProperties)) {
    std::vector<StringRef> words;
    for (const Property &p : kProperties)
      words.push_back(p.word);
    return in.unknown(places.word, "property", words);
  }
  if (!places.seen.insert(property->group).second)
    return in.problem(places.word,
                      "this row already has '" + property->group + "'");
  (this->*property->read)(row, places);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void MachineReader::readRow(bool replaces) {
  RowPlaces places;
  RelocationRow row = {};
  places.row = in.token();
  const auto number = in.number(0, UINT32_MAX);
  if (!number)
    return;
  places.name = in.token();
  const auto name = in.word("the name of a relocation");
  if (!name)
    return;
  row.number = uint32_t(*number);
  row.name = keep(*name);
  row.order = target.isBig ? Order::Big : Order::Little;
  if (in.accept(":")) {
    const auto bytes = in.number(1, 16);
    if (!bytes)
      return;
    row.bytes = uint8_t(*bytes);
    row.formula = Formula::Abs;
    while (!failed() && in.accept(","))
      readProperty(row, places);
    if (failed())
      return;
    checkRow(row, places);
  }
  addRow(row, places, replaces);
}

/// Enters a row by its number and name, in ascending order of numbers.
void MachineReader::addRow(const RelocationRow &row, const RowPlaces &places,
                           bool replaces) {
  const auto at = partition_point(rows, [&](const RelocationRow &other) {
    return other.number < row.number;
  });
  const size_t index = size_t(at - rows.begin());
  const bool known = at != rows.end() && at->number == row.number;
  auto lineText = [&](size_t of) {
    return rowTokens[of].text.empty()
               ? std::string()
               : " (line " + std::to_string(in.lineOf(rowTokens[of])) + ")";
  };
  if (known && !replaces)
    return in.problem(places.row, "number " + Twine(row.number) + " is " +
                                      at->name + "'s already" +
                                      lineText(index));
  if (replaces && !known)
    return in.problem(places.row,
                      "there is no row " + Twine(row.number) + " to replace");
  if (const auto [named, isNew] = rowByName.try_emplace(row.name, row.number);
      !isNew && named->second != row.number)
    return in.problem(places.name, Twine("the name ") + row.name +
                                       " is that of number " +
                                       Twine(named->second));
  if (rows.size() == 4096)
    return in.problem(places.row, "more than 4096 rows");
  if (known) {
    rows[index] = row;
    rowTokens[index] = places.row;
    return;
  }
  if (!extended && index != rows.size())
    return in.problem(places.row,
                      "number " + Twine(row.number) + " stands behind " +
                          Twine(rows.back().number) + ": numbers ascend");
  rows.insert(rows.begin() + index, row);
  rowTokens.insert(rowTokens.begin() + index, places.row);
}

/// "7 and 6", "9, 8 and 3".
static std::string bitList(uint64_t bits) {
  std::vector<std::string> list;
  for (unsigned bit = 64; bit-- != 0;)
    if (bits >> bit & 1)
      list.push_back(std::to_string(bit));
  const std::string last = list.back();
  list.pop_back();
  return list.empty() ? last : join(list, ", ") + " and " + last;
}

/// Completes a row, and checks its properties against each other.
void MachineReader::checkRow(RelocationRow &row, const RowPlaces &places) {
  if (row.pieces.empty() && row.bytes > 8)
    return in.problem(places.name, "a unit of " + Twine(unsigned(row.bytes)) +
                                       " bytes needs 'bits'");
  if (row.pieces.empty()) {
    const Piece whole[] = {{0, uint8_t(8 * row.bytes), 0}};
    row.pieces = keep(ArrayRef(whole));
  }
  uint64_t placed = 0;
  for (const Piece &piece : row.pieces)
    placed |= maskTrailingOnes<uint64_t>(piece.width) << piece.valueBit;
  const unsigned top = Log2_64(placed) + 1; // above the highest placed bit
  if (row.check == Check::None || row.check == Check::Limits)
    row.bits = uint8_t(top);
  for (const MachineToken &carry : places.carries)
    if (unsigned bit;
        !carry.text.getAsInteger(0, bit) && bit >= top + row.shift)
      return in.problem(carry,
                        "'carry " + carry.text + "' is above the value's bits");
  if (row.check != Check::None && row.check != Check::Limits &&
      row.check != Check::LowPart) {
    const uint64_t wanted = maskTrailingOnes<uint64_t>(row.bits) &
                            ~maskTrailingOnes<uint64_t>(countr_zero(placed));
    if (const uint64_t left = wanted & ~placed)
      return in.problem(places.bits.text.empty() ? places.check : places.bits,
                        Twine(row.name) + ": '" + places.check.text + " " +
                            Twine(unsigned(row.bits)) + "' has bits " +
                            Twine(row.bits - 1) + ":0, and 'bits' leaves out " +
                            bitList(left));
    if (target.is64 && row.wrapBits != 0 && row.wrapBits <= row.bits)
      return in.problem(
          places.wrap, Twine("'wrap ") + (row.wrapSigned ? "s" : "u") +
                           Twine(unsigned(row.wrapBits)) + "' before '" +
                           places.check.text + " " + Twine(unsigned(row.bits)) +
                           "' accepts every value; addresses of elf 64 have "
                           "64 bits");
  }
  if ((row.order == Order::LittleHalves || row.order == Order::BigHalves) &&
      row.bytes % 2)
    return in.problem(places.name, "'halves' takes a unit of an even size");
  for (const Piece &piece : row.pieces)
    for (unsigned i = 1; i < piece.width; ++i)
      if (const unsigned bit = piece.valueBit + row.shift + i;
          bit < 64 && row.carry >> bit & 1)
        return in.problem(places.bits, "'carry " + Twine(bit) +
                                           "' is inside of a move: split it");
  if (row.addendBits != 0)
    row.addendBits = std::min<uint8_t>(row.addendBits, row.bits);
}

/// Finds the base that a row names.
void MachineReader::setBase(RelocationRow &row, const MachineToken &at) {
  if (at.text == "GOT" && none_of(bases, [](const Base &base) {
        return base.kind == BaseKind::Got;
      }))
    bases.push_back({BaseKind::Got, "GOT"});
  std::vector<StringRef> names;
  for (const auto &[i, base] : enumerate(baseSymbols)) {
    names.push_back(base.shortName);
    if (at.text == base.shortName) {
      row.baseKind = BaseKind::Flag;
      row.base = uint8_t(i);
      return;
    }
  }
  for (const auto &[i, base] : enumerate(bases)) {
    names.push_back(base.name);
    if (at.text == base.name) {
      row.baseKind = base.kind;
      row.base = uint8_t(i);
      return;
    }
  }
  in.problem(at, "'" + at.text + "' is no base here" +
                     (names.empty() ? "" : "; bases: " + join(names, ", ")));
}

/// Finds the rows and bases that rows name.
void MachineReader::finishRows() {
  auto rowOf = [&](uint32_t number) -> RelocationRow & {
    return *partition_point(
        rows, [&](const RelocationRow &row) { return row.number < number; });
  };
  for (const auto &[number, at] : rowBases)
    setBase(rowOf(number), at);
  for (const auto &[number, names] : pairs) {
    std::vector<uint32_t> numbers;
    for (const MachineToken &at : names) {
      const auto named = rowByName.find(at.text);
      if (named == rowByName.end())
        in.problem(at, "'pair' names " + at.text + ", which is no row here");
      else if (!rowOf(named->second).subtractsPlace())
        in.problem(at, "'pair' names " + at.text + ", which has no '- P'");
      else if (!rowOf(named->second).pair.empty() || named->second == number)
        in.problem(at, "'pair' names " + at.text + ", which has a pair itself");
      else
        numbers.push_back(named->second);
    }
    rowOf(number).pair = keep(ArrayRef(numbers));
  }
  target.bases = keep(ArrayRef(bases));
  target.relocations = keep(ArrayRef(rows));
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

void MachineReader::readTest() {
  MachineTest test = {};
  const MachineToken at = in.token();
  test.line = in.lineOf(at);
  test.column = in.columnOf(at);
  const auto name = in.word("the name of a row");
  if (!name)
    return;
  const auto named = rowByName.find(*name);
  if (named == rowByName.end())
    return in.problem(at, "'" + *name + "' is no row here");
  test.row = named->second;
  const RelocationRow &row = rows[size_t(
      partition_point(
          rows, [&](const RelocationRow &r) { return r.number < test.row; }) -
      rows.begin())];
  if (!in.expect(":"))
    return;
  while (in.is("S") || in.is("A") || in.is("P") || in.is("G") ||
         in.is("base")) {
    const StringRef operand = in.take().text;
    const bool negative = in.accept("-");
    const auto number = in.number();
    if (!number)
      return;
    const uint64_t value = negative ? -*number : *number;
    test.hasAddend |= operand == "A";
    if (operand == "A")
      test.operands.A = int64_t(value);
    else
      (operand == "S"   ? test.operands.S
       : operand == "P" ? test.operands.place
       : operand == "G" ? test.operands.G
                        : test.operands.base) = value;
    if (!in.expect(","))
      return;
  }
  auto unit = [&](std::vector<uint8_t> &bytes) {
    const MachineToken at = in.token();
    if (const auto read = in.hexBytes()) {
      bytes = *read;
      if (bytes.size() != row.bytes)
        in.problem(at, "the unit of " + Twine(row.name) + " has " +
                           Twine(unsigned(row.bytes)) + " bytes, this has " +
                           Twine(bytes.size()));
    }
  };
  unit(test.before);
  if (failed() || !in.expect("->"))
    return;
  if (in.accept("range"))
    test.fault = RelocationFault::Range;
  else if (in.accept("align"))
    test.fault = RelocationFault::Align;
  else if (in.accept("place"))
    test.fault = RelocationFault::PlaceAlign;
  else
    unit(test.after);
  if (failed())
    return;
  if (in.accept("cpu")) {
    const auto cpu = in.word("the cpu's name");
    if (!cpu)
      return;
    test.cpu = keep(*cpu);
  }
  if (machine->tests.size() == 1024)
    return in.problem(at, "more than 1024 TESTs");
  machine->tests.push_back(std::move(test));
}

} // namespace xlink
