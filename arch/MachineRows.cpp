//===- MachineRows.cpp - the rows and tests of a machine file -------------===//
//
//     row      = NUMBER NAME [ ':' BYTES { ',' property }
//                            | 'align-hint' TEXT | 'refused' TEXT ] ';'
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
// Formula has. A row without ':' writes nothing: with 'align-hint' it warns
// where the bytes behind its filler are not aligned (R_RISCV_ALIGN), with
// 'refused' it is an error; TEXT says what to do.
//
//===----------------------------------------------------------------------===//

#include "arch/MachineReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

/// A row that is being read, and the places of its properties for messages
/// about several of them.
struct MachineReader::Row : RelocationRow {
  MachineToken start, nameToken, bitsToken, checkToken, wrapToken;
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
};
constexpr StringRef kShapes =
    "no row computes this; the shapes are S + A, -S - A, S + A - P, "
    "S + A - BASE, G + A, S + A - GOT, with next, next(N) or down(P + N, N) as "
    "P, and (SUM) / N or (SUM) >> N; a rounding constant is 'carry BIT', other "
    "constants are in the addend";
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Behind `next` and `down`: the numbers of P.
bool MachineReader::readPlace(Row &row, bool isNext) {
  uint64_t multiple = 1, plus = row.bytes;
  if (isNext && in.accept("(")) {
    if (!in.power(multiple, 128) || !in.expect(")"))
      return false;
    plus += multiple - 1;
  } else if (!isNext) {
    plus = 0;
    if (!parts("(", "P") || (in.accept("+") && !in.number(0, 127, plus)) ||
        !in.expect(",") || !in.power(multiple, uint64_t(1) << 32) ||
        !in.expect(")"))
      return false;
  }
  row.placePlus = uint8_t(plus);
  row.placeDown = uint8_t(Log2_64(multiple));
  return true;
}

/// A term of a sum. `seen`: SumTerm bits; a term stands once.
bool MachineReader::readTerm(Row &row, bool minus, unsigned &seen) {
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
  } else if (*name == "P" || *name == "next" || *name == "down") {
    term = kPlace;
    wantsMinus = true;
    if (*name != "P" && !readPlace(row, *name == "next"))
      return false;
  } else if (*name == "page") {
    uint64_t size = 0;
    if (!parts("(", "S", "+", "A", ",") || !in.power(size, uint64_t(1) << 32) ||
        !in.expect(")"))
      return false;
    term = kSymbol | kAddend;
    row.page = uint8_t(Log2_64(size));
  } else if (name->contains('-')) {
    SmallVector<StringRef> apart;
    name->split(apart, '-');
    in.problem(at, "unknown term '" + *name + "'; write '" +
                       join(apart, " - ") + "'");
    return false;
  } else if (!isDigit(name->front())) {
    term = kBase;
    wantsMinus = true;
    rowBases.push_back({row.number, at});
  }
  if (term == 0 || (seen & term) || minus != wantsMinus) {
    in.problem(at, kShapes);
    return false;
  }
  seen |= term;
  return true;
}

void MachineReader::readValue(Row &row) {
  const MachineToken at = in.token();
  const bool inParentheses = in.accept("(");
  unsigned seen = 0;
  bool minus = row.negate = in.accept("-");
  do {
    if (!readTerm(row, minus, seen))
      return;
    minus = in.is("-");
  } while (in.accept("+") || in.accept("-"));
  if (seen == (kSymbol | kAddend))
    row.formula = Formula::Abs;
  else if (seen == (kSymbol | kAddend | kPlace) && !row.negate)
    row.formula = Formula::PcRel;
  else if (seen == (kSymbol | kAddend | kBase) && !row.negate)
    row.formula = Formula::BaseRel;
  else if (seen == (kSlot | kAddend) && !row.negate)
    row.formula = Formula::GotOffset;
  else
    return in.problem(at, kShapes);
  if (inParentheses && in.expect(")"))
    readShift(row);
}

/// '/' or '>>' behind a sum.
void MachineReader::readShift(Row &row) {
  if (in.accept(">>")) {
    in.number(0, 63, row.shift);
  } else if (in.accept("/")) {
    const MachineToken at = in.token();
    uint64_t power = 0;
    if (!part(power))
      return;
    if (!isPowerOf2_64(power))
      return in.problem(at, "'/' takes a power of two");
    row.shift = row.multiple = uint8_t(Log2_64(power));
  }
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// BIT or BIT:BIT, of bits below `limit`.
bool MachineReader::readRange(unsigned limit, unsigned &high, unsigned &low) {
  if (!in.number(0, limit - 1, high))
    return false;
  low = high;
  if (!in.accept(":"))
    return true;
  const MachineToken at = in.token();
  if (!in.number(0, limit - 1, low))
    return false;
  if (low <= high)
    return true;
  in.problem(at,
             "the higher bit stands first, and bit 0 is the lowest: write " +
                 Twine(low) + ":" + Twine(high));
  return false;
}

bool MachineReader::readMove(Row &row, std::vector<Piece> &pieces) {
  unsigned high, low, wordHigh, wordLow;
  const MachineToken value = in.token();
  if (!readRange(64, high, low) || !in.expect("->"))
    return false;
  const MachineToken unit = in.token();
  if (!readRange(256, wordHigh, wordLow))
    return false;
  auto range = [](unsigned high, unsigned low) {
    return std::to_string(high) +
           (high == low ? "" : ":" + std::to_string(low));
  };
  const auto twice = find_if(pieces, [&](const Piece &other) {
    return wordLow < unsigned(other.wordBit) + other.width &&
           other.wordBit <= wordHigh;
  });
  if (high - low != wordHigh - wordLow)
    in.problem(unit, "bits " + range(wordHigh, wordLow) + " of the unit are " +
                         Twine(wordHigh - wordLow + 1) + ", " +
                         range(high, low) + " of the value are " +
                         Twine(high - low + 1));
  else if (wordHigh >= 8u * row.bytes)
    in.problem(unit, "bit " + Twine(wordHigh) + " is outside of the unit of " +
                         Twine(unsigned(row.bytes)) + " bytes");
  else if (twice != pieces.end())
    in.problem(unit, "bit " +
                         Twine(std::max<unsigned>(wordLow, twice->wordBit)) +
                         " of the unit receives two bits of the value");
  else if (pieces.size() == 64)
    in.problem(value, "more than 64 moves");
  else
    pieces.push_back({uint8_t(low), uint8_t(high - low + 1), uint8_t(wordLow)});
  return !failed();
}

void MachineReader::readMoves(Row &row) {
  row.bitsToken = row.word;
  std::vector<Piece> pieces;
  while (readMove(row, pieces) && in.is(",")) {
    MachineText ahead = in;
    ahead.take();
    if (!ahead.isNumber()) // another property, not another move
      break;
    in.take();
  }
  row.pieces = keep(ArrayRef(pieces));
}

void MachineReader::readCarry(Row &row) {
  do {
    row.carries.push_back(in.token());
    unsigned bit = 0;
    if (!in.number(1, 63, bit))
      return;
    row.carry |= uint64_t(1) << bit;
  } while (in.isNumber());
}

void MachineReader::readWrap(Row &row) {
  row.wrapToken = row.word;
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

void MachineReader::readPair(Row &row) {
  std::vector<MachineToken> names;
  do {
    names.push_back(in.token());
    if (!in.word("the name of a row"))
      return;
  } while (!in.is(",") && !in.is(";") && names.size() < 64);
  pairs.push_back({row.number, std::move(names)});
}

static bool isBig(Order order) {
  return order == Order::Big || order == Order::BigHalves;
}
static bool hasHalves(Order order) {
  return order == Order::LittleHalves || order == Order::BigHalves;
}
static Order orderOf(bool big, bool halves) {
  return big ? (halves ? Order::BigHalves : Order::Big)
             : (halves ? Order::LittleHalves : Order::Little);
}

void MachineReader::readCheck(Row &row) {
  row.checkToken = row.word;
  row.check =
      Check(llvm::find(kCheckWords, row.word.text) - std::begin(kCheckWords));
  in.number(1, 64, row.bits);
}

void MachineReader::readLimits(Row &row) {
  row.check = Check::Limits;
  row.checkToken = row.word;
  if (!in.signedNumber(row.low) || !in.expect(".."))
    return;
  const MachineToken second = in.token();
  if (in.signedNumber(row.high) && row.low > row.high)
    in.problem(second, "the lower limit stands first");
}

void MachineReader::readFlip(Row &row) {
  unsigned high, low;
  if (!readRange(64, high, low))
    return;
  row.flip = maskTrailingOnes<uint64_t>(high - low + 1) << low;
  if (in.accept("unless"))
    in.number(0, 63, row.flipUnless);
}

const MachineReader::Property MachineReader::kProperties[] = {
    {"value", "value", [](MachineReader &r, Row &row) { r.readValue(row); }},
    {"unsigned", "check", [](MachineReader &r, Row &row) { r.readCheck(row); }},
    {"signed", "check", [](MachineReader &r, Row &row) { r.readCheck(row); }},
    {"either", "check", [](MachineReader &r, Row &row) { r.readCheck(row); }},
    {"magnitude", "check", [](MachineReader &r, Row &row) { r.readCheck(row); }},
    {"low", "check", [](MachineReader &r, Row &row) { r.readCheck(row); }},
    {"limits", "check", [](MachineReader &r, Row &row) { r.readLimits(row); }},
    {"bits", "bits", [](MachineReader &r, Row &row) { r.readMoves(row); }},
    {"multiple", "multiple",
     [](MachineReader &r, Row &row) {
       uint64_t size = 1;
       r.in.power(size, uint64_t(1) << 32);
       row.multiple = uint8_t(Log2_64(size));
     }},
    {"place", "place",
     [](MachineReader &r, Row &row) {
       uint64_t size = 1;
       r.in.power(size, 128);
       row.placeAlign = uint8_t(size);
     }},
    {"carry", "carry", [](MachineReader &r, Row &row) { r.readCarry(row); }},
    {"wrap", "wrap", [](MachineReader &r, Row &row) { r.readWrap(row); }},
    {"add", "add", [](MachineReader &, Row &row) { row.op = FieldOp::Add; }},
    {"sub", "add", [](MachineReader &, Row &row) { row.op = FieldOp::Sub; }},
    {"big", "order",
     [](MachineReader &, Row &row) {
       row.order = orderOf(true, hasHalves(row.order));
     }},
    {"little", "order",
     [](MachineReader &, Row &row) {
       row.order = orderOf(false, hasHalves(row.order));
     }},
    {"halves", "halves",
     [](MachineReader &, Row &row) {
       row.order = orderOf(isBig(row.order), true);
     }},
    {"flip", "flip", [](MachineReader &r, Row &row) { r.readFlip(row); }},
    {"sign", "sign",
     [](MachineReader &r, Row &row) {
       r.in.number(0, 8u * row.bytes - 1, row.signBit);
     }},
    {"in-field", "in-field",
     [](MachineReader &r, Row &row) {
       row.addendBits = 64;
       row.addendSigned = r.in.accept("signed");
       if (row.addendSigned)
         r.in.number(1, 64, row.addendBits);
     }},
    {"pair", "pair", [](MachineReader &r, Row &row) { r.readPair(row); }},
    {"weak", "weak",
     [](MachineReader &r, Row &row) {
       if (r.parts(row.weakMask, row.weakCode) && (row.weakCode & ~row.weakMask))
         r.in.problem(row.word, "CODE has bits outside of MASK");
     }},
    {"data", "use", [](MachineReader &, Row &row) { row.use = Use::Data; }},
    {"address", "use",
     [](MachineReader &, Row &row) { row.use = Use::Address; }},
    {"call", "use", [](MachineReader &, Row &row) { row.use = Use::Call; }},
    {"branch", "use", [](MachineReader &, Row &row) { row.use = Use::Branch; }},
    {"or-address", "or-address",
     [](MachineReader &r, Row &row) {
       row.takesAddress = true;
       if (r.in.isNumber())
         r.in.number(0, 8u * row.bytes - 1, row.addressBit);
     }},
    {"or-jump", "or-jump",
     [](MachineReader &, Row &row) { row.alsoJumps = true; }},
    {"hint", "hint",
     [](MachineReader &r, Row &row) { r.part(Quoted{row.hint}); }},
};

void MachineReader::readProperty(Row &row) {
  row.word = in.token();
  if (!in.word("a property"))
    return;
  const Property *property =
      lookUp(ArrayRef(kProperties), row.word, "property");
  if (!property)
    return;
  if (!row.seen.insert(property->group).second)
    return in.problem(row.word,
                      "this row already has '" + property->group + "'");
  property->read(*this, row);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void MachineReader::readRow(bool replaces) {
  Row row;
  row.start = in.token();
  if (!in.number(0, 65535, row.number)) // tables are indexed by it
    return;
  row.nameToken = in.token();
  const auto name = in.word("the name of a relocation");
  if (!name)
    return;
  row.name = keep(*name);
  rowNames.insert(*name);
  row.order = orderOf(target.isBig, false);
  if (in.accept(":")) {
    if (!in.number(1, 16, row.bytes))
      return;
    row.formula = Formula::Abs;
    while (!failed() && in.accept(","))
      readProperty(row);
    if (!failed())
      checkRow(row);
    if (failed())
      return;
  } else if (in.isNumber()) {
    return in.problem(in.token(), "expected ':' and the bytes of the unit");
  } else if ((row.alignsBehind = in.accept("align-hint")) ||
             in.accept("refused")) {
    if (!part(Quoted{row.hint}))
      return;
  }
  addRow(row, replaces);
}

/// Enters a row by its number and name, in ascending order of numbers.
void MachineReader::addRow(const Row &row, bool replaces) {
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
    return in.problem(row.start, "number " + Twine(row.number) + " is " +
                                     at->name + "'s already" + lineText(index));
  if (replaces && !known)
    return in.problem(row.start,
                      "there is no row " + Twine(row.number) + " to replace");
  if (const auto [named, isNew] = rowByName.try_emplace(row.name, row.number);
      !isNew && named->second != row.number)
    return in.problem(row.nameToken, Twine("the name ") + row.name +
                                         " is that of number " +
                                         Twine(named->second));
  if (rows.size() == 4096)
    return in.problem(row.start, "more than 4096 rows");
  if (known) {
    rows[index] = row;
    rowTokens[index] = row.start;
    return;
  }
  if (!extended && index != rows.size())
    return in.problem(row.start,
                      "number " + Twine(row.number) + " stands behind " +
                          Twine(rows.back().number) + ": numbers ascend");
  rows.insert(rows.begin() + index, row);
  rowTokens.insert(rowTokens.begin() + index, row.start);
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
void MachineReader::checkRow(Row &row) {
  if (row.pieces.empty() && row.bytes > 8)
    return in.problem(row.nameToken, "a unit of " + Twine(unsigned(row.bytes)) +
                                         " bytes needs 'bits'");
  if (hasHalves(row.order) && row.bytes % 2)
    return in.problem(row.nameToken, "'halves' takes a unit of an even size");
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
  for (const MachineToken &carry : row.carries) {
    unsigned bit = 0;
    carry.text.getAsInteger(0, bit);
    if (bit >= top + row.shift)
      return in.problem(carry,
                        "'carry " + carry.text + "' is above the value's bits");
    for (const Piece &piece : row.pieces)
      if (const unsigned low = piece.valueBit + row.shift;
          low < bit && bit < low + piece.width)
        return in.problem(carry, "'carry " + carry.text +
                                     "' is inside of a move: split it");
  }
  checkBits(row, placed);
  if (row.addendBits != 0)
    row.addendBits = std::min(row.addendBits, row.bits);
}

/// Whether the field has the bits of the check and no others, and the check can
/// fail.
void MachineReader::checkBits(Row &row, uint64_t placed) {
  if (row.check == Check::Magnitude && row.signBit == kNoBit)
    return in.problem(row.checkToken, "'magnitude' takes a 'sign BIT' beside "
                                      "it");
  for (const Piece &piece : row.pieces)
    if (row.signBit != kNoBit && row.signBit >= piece.wordBit &&
        row.signBit < piece.wordBit + piece.width)
      return in.problem(row.nameToken,
                        "bit " + Twine(unsigned(row.signBit)) +
                            " of the unit receives the sign and a bit of the "
                            "value");
  if (row.check == Check::None || row.check == Check::Limits ||
      row.check == Check::LowPart)
    return;
  const std::string check =
      ("'" + row.checkToken.text + " " + Twine(unsigned(row.bits)) + "'").str();
  const uint64_t wanted = maskTrailingOnes<uint64_t>(row.bits) &
                          ~maskTrailingOnes<uint64_t>(countr_zero(placed));
  if (const uint64_t left = wanted & ~placed)
    in.problem(row.bitsToken.text.empty() ? row.checkToken : row.bitsToken,
               Twine(row.name) + ": " + check + " has bits " +
                   Twine(row.bits - 1) + ":0, and 'bits' leaves out " +
                   bitList(left));
  else if (const uint64_t above =
               placed & ~maskTrailingOnes<uint64_t>(row.bits);
           above && !row.bitsToken.text.empty())
    in.problem(row.bitsToken, Twine(row.name) + ": " + check + " has bits " +
                                  Twine(row.bits - 1) +
                                  ":0, and 'bits' takes " + bitList(above) +
                                  ", too; a field that is wider than its "
                                  "values has 'limits'");
  else if (target.is64 && row.wrapBits != 0 && row.wrapBits <= row.bits)
    in.problem(row.wrapToken, Twine("'wrap ") + (row.wrapSigned ? "s" : "u") +
                                  Twine(unsigned(row.wrapBits)) + "' before " +
                                  check +
                                  " accepts every value; addresses of elf 64 "
                                  "have 64 bits");
}

/// The row of a number; null: there is none.
RelocationRow *MachineReader::rowOf(uint32_t number) {
  const auto at = partition_point(
      rows, [&](const RelocationRow &row) { return row.number < number; });
  return at != rows.end() && at->number == number ? &*at : nullptr;
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
                     (names.empty() ? "" : "; bases: " + join(names, ", ")) +
                     "; a place is P, next, next(N) or down(P + N, N)");
}

/// Turns the rows of the extended machine, which has the other byte order:
/// those that state no order of their own.
void MachineReader::turnRows() {
  for (RelocationRow &row : rows)
    if (isBig(row.order) == extended->isBig)
      row.order = orderOf(target.isBig, hasHalves(row.order));
}

/// Finds the rows and bases that rows name.
void MachineReader::finishRows() {
  for (const auto &[number, at] : rowBases)
    if (RelocationRow *row = rowOf(number))
      setBase(*row, at);
  for (const auto &[number, names] : pairs) {
    std::vector<uint32_t> numbers;
    for (const MachineToken &at : names) {
      const auto named = rowByName.find(at.text);
      const RelocationRow *row =
          named == rowByName.end() ? nullptr : rowOf(named->second);
      const StringRef fault = !row                     ? "is no row here"
                              : !row->subtractsPlace() ? "has no '- P'"
                              : !row->pair.empty() || row->number == number
                                  ? "has a pair itself"
                                  : "";
      if (!row && rowNames.contains(at.text))
        continue; // its own problem is reported
      if (!fault.empty())
        in.problem(at, "'pair' names " + at.text + ", which " + fault);
      else
        numbers.push_back(row->number);
    }
    if (RelocationRow *row = rowOf(number))
      row->pair = keep(ArrayRef(numbers));
  }
  target.bases = keep(ArrayRef(bases));
  target.relocations = keep(ArrayRef(rows));
  for (const MachineToken &at : rowTokens)
    machine->rowLines.push_back(at.text.empty() ? 0 : in.lineOf(at));
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Bytes of a row's unit.
bool MachineReader::readUnit(const RelocationRow &row,
                             std::vector<uint8_t> &bytes) {
  const MachineToken at = in.token();
  const auto read = in.hexBytes();
  if (!read)
    return false;
  bytes = *read;
  if (bytes.size() == row.bytes)
    return true;
  in.problem(at, "the unit of " + Twine(row.name) + " has " +
                     Twine(unsigned(row.bytes)) + " bytes, this has " +
                     Twine(bytes.size()));
  return false;
}

void MachineReader::readTest() {
  MachineTest test = {};
  const MachineToken at = in.token();
  test.line = in.lineOf(at);
  test.column = in.columnOf(at);
  const auto name = in.word("the name of a row");
  if (!name)
    return;
  const auto named = rowByName.find(*name);
  const RelocationRow *known =
      named == rowByName.end() ? nullptr : rowOf(named->second);
  if (!known && rowNames.contains(*name)) { // whose problem is reported
    while (!in.is(";") && !in.is("}") && !in.atEnd())
      in.take();
    return;
  }
  if (!known)
    return in.problem(at, "'" + *name + "' is no row here");
  const RelocationRow &row = *known;
  test.row = row.number;
  RelocationOperands &ops = test.operands;
  const struct {
    StringRef word;
    uint64_t &operand;
  } operands[] = {
      {"S", ops.S}, {"P", ops.place}, {"G", ops.G}, {"base", ops.base}};
  if (!in.expect(":"))
    return;
  for (;;) {
    const auto *operand =
        find_if(operands, [&](const auto &o) { return in.is(o.word); });
    uint64_t addend = 0;
    const bool isAddend = operand == std::end(operands);
    if (isAddend && !in.is("A"))
      break;
    in.take();
    const bool negative = in.accept("-");
    uint64_t &value = isAddend ? addend : operand->operand;
    if (!part(value) || !in.expect(","))
      return;
    value = negative ? -value : value;
    if (isAddend)
      ops.A = int64_t(value);
    test.hasAddend |= isAddend;
  }
  if (!readUnit(row, test.before) || !in.expect("->"))
    return;
  if (in.accept("range"))
    test.fault = RelocationFault::Range;
  else if (in.accept("align"))
    test.fault = RelocationFault::Align;
  else if (in.accept("place"))
    test.fault = RelocationFault::PlaceAlign;
  else if (!readUnit(row, test.after))
    return;
  if (!optional("cpu", test.cpu))
    return;
  if (machine->tests.size() == 1024)
    return in.problem(at, "more than 1024 TESTs");
  machine->tests.push_back(std::move(test));
}

} // namespace xlink
