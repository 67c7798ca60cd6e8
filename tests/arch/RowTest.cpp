//===- RowTest.cpp - what must hold for every row of every machine
//---------===//

#include "Machines.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <random>
#include <set>

using namespace xlink;
using namespace llvm;

namespace {

using Bits = std::vector<bool>;

/// The container bits a row owns; fails when two of its pieces meet.
Bits ownedBits(const RelocationRow &row) {
  Bits owned(8 * row.bytes);
  auto own = [&](unsigned bit) {
    ASSERT_LT(bit, owned.size());
    EXPECT_FALSE(owned[bit]) << "bit " << bit << " is written twice";
    owned[bit] = true;
  };
  for (const Piece &piece : row.pieces)
    for (unsigned i = 0; i < piece.width; ++i)
      own(piece.wordBit + i);
  if (row.signBit != kNoBit)
    own(row.signBit);
  return owned;
}

bool bitOf(const uint8_t *bytes, unsigned bit) {
  return bytes[bit / 8] >> (bit % 8) & 1;
}

/// Limits of V by the meaning of the check, apart from fieldLimits.
struct Limits {
  bool any = true;
  __extension__ __int128 min = 0, max = 0;
};
Limits limitsOf(const RelocationRow &row) {
  __extension__ __int128 one = 1;
  auto full = one << row.bits, half = one << (row.bits ? row.bits - 1 : 0);
  switch (row.check) {
  case Check::None:
  case Check::LowPart:
    return {};
  case Check::Unsigned:
    return {false, 0, full - 1};
  case Check::Signed:
    return {false, -half, half - 1};
  case Check::Either:
    return {false, -half, full - 1};
  case Check::Magnitude:
    return {false, -(full - 1), full - 1};
  case Check::Limits:
    return {false, row.low, row.high};
  }
  return {};
}

/// Some values that the row accepts, the extremes among them.
std::vector<int64_t> sampleValues(const RelocationRow &row) {
  std::mt19937_64 random(row.number + 1);
  std::vector<int64_t> values{0, 1};
  Limits limits = limitsOf(row);
  if (limits.any) {
    uint64_t mask =
        row.bits == 64 ? ~uint64_t(0) : (uint64_t(1) << row.bits) - 1;
    values.push_back(mask);
    for (int i = 0; i < 50; ++i)
      values.push_back(random() & mask);
    return values;
  }
  values.push_back(int64_t(limits.min));
  values.push_back(int64_t(limits.max));
  uint64_t count = uint64_t(limits.max - limits.min) + 1;
  for (int i = 0; i < 50; ++i)
    values.push_back(int64_t(limits.min) + int64_t(random() % count));
  return values;
}

/// Operands whose sum is V times the scale, wherever the row looks for it.
RelocationOperands operandsFor(const RelocationRow &row, const Target &target,
                               const TargetState &state, int64_t V) {
  RelocationOperands ops;
  ops.alloc = false; // the address map has its own test
  ops.place = 0x40000000;
  ops.base = 0x10000;
  uint64_t sum = uint64_t(V) << row.shift;
  switch (row.formula) {
  case Formula::None:
    break;
  case Formula::Abs:
  case Formula::GotOffset:
    ops.A = sum;
    break;
  case Formula::PcRel:
    ops.S = evaluate(row, target, state, ops).P;
    ops.A = sum;
    break;
  case Formula::BaseRel:
    ops.S = row.usesBaseSymbol() ? ops.base : state.fieldBase;
    ops.A = sum;
    break;
  }
  return ops;
}

template <class Function> void forEachRow(Function function) {
  for (const Target *target : allTargets())
    for (const RelocationRow &row : target->relocations) {
      SCOPED_TRACE(row.name);
      function(*target, row);
    }
}

TEST(Rows, AreSortedByNumberWithUniqueNames) {
  for (const Target *target : allTargets()) {
    SCOPED_TRACE(target->name);
    ASSERT_FALSE(target->relocations.empty());
    std::set<std::string> names;
    for (size_t i = 0; i < target->relocations.size(); ++i) {
      const RelocationRow &row = target->relocations[i];
      if (i) {
        EXPECT_LT(target->relocations[i - 1].number, row.number);
      }
      EXPECT_TRUE(names.insert(row.name).second) << row.name;
      EXPECT_TRUE(StringRef(row.name).starts_with("R_"));
      EXPECT_LT(row.number, 256u); // what an Elf32_Rela has room for
    }
  }
}

TEST(Rows, PiecesLieInsideTheUnitAndApart) {
  forEachRow([](const Target &, const RelocationRow &row) {
    EXPECT_LE(row.bytes, 16);
    EXPECT_EQ(row.formula == Formula::None, row.bytes == 0);
    EXPECT_EQ(row.formula == Formula::None, row.pieces.empty());
    EXPECT_EQ(row.check == Check::Magnitude, row.signBit != kNoBit);
    EXPECT_TRUE(isPowerOf2_32(row.placeAlign));
    ownedBits(row);
  });
}

TEST(Rows, PiecesCoverTheValue) {
  forEachRow([](const Target &, const RelocationRow &row) {
    Bits covered(row.bits);
    for (const Piece &piece : row.pieces) {
      ASSERT_GE(piece.width, 1);
      ASSERT_LE(piece.valueBit + piece.width, row.bits);
      for (unsigned i = 0; i < piece.width; ++i)
        covered[piece.valueBit + i] = true;
    }
    EXPECT_EQ(std::count(covered.begin(), covered.end(), false), 0);
  });
}

TEST(Rows, AcceptTheirExtremesAndNothingBeyond) {
  forEachRow([](const Target &target, const RelocationRow &row) {
    TargetState state = configured(target).state;
    Limits limits = limitsOf(row);
    auto published = fieldLimits(row);
    EXPECT_EQ(limits.any, !published);
    auto faultOf = [&](int64_t V) {
      return evaluate(row, target, state, operandsFor(row, target, state, V))
          .fault;
    };
    if (limits.any) {
      for (int64_t V : sampleValues(row))
        EXPECT_EQ(faultOf(V), RelocationFault::None) << V;
      return;
    }
    EXPECT_EQ(published->first, int64_t(limits.min));
    EXPECT_EQ(published->second, int64_t(limits.max));
    EXPECT_EQ(faultOf(limits.min), RelocationFault::None);
    EXPECT_EQ(faultOf(limits.max), RelocationFault::None);
    EXPECT_EQ(faultOf(limits.min - 1), RelocationFault::Range);
    EXPECT_EQ(faultOf(limits.max + 1), RelocationFault::Range);
  });
}

TEST(Rows, ValueOfAnAcceptedSumIsItself) {
  forEachRow([](const Target &target, const RelocationRow &row) {
    if (row.formula == Formula::None || row.check == Check::LowPart)
      return;
    TargetState state = configured(target).state;
    for (int64_t V : sampleValues(row)) {
      RelocationOutcome outcome =
          evaluate(row, target, state, operandsFor(row, target, state, V));
      // What was reduced modulo 2^32 is equal in the field, not as a number.
      uint64_t mask = row.bits >= 32 ? 0xffffffff : (1u << row.bits) - 1;
      EXPECT_EQ(outcome.V & mask, V & mask);
    }
  });
}

TEST(Rows, DemandMultiplesOfTheirScale) {
  forEachRow([](const Target &target, const RelocationRow &row) {
    if (!row.shift)
      return;
    TargetState state = configured(target).state;
    for (int64_t off = 1; off < int64_t(1) << row.shift; off *= 2) {
      RelocationOperands ops = operandsFor(row, target, state, 3);
      ops.A += off;
      EXPECT_EQ(evaluate(row, target, state, ops).fault,
                row.dropsBits() ? RelocationFault::None
                                : RelocationFault::Align);
    }
  });
}

TEST(Rows, DemandTheirPlacesAlignment) {
  forEachRow([](const Target &target, const RelocationRow &row) {
    TargetState state = configured(target).state;
    for (unsigned off = 1; off < row.placeAlign; ++off) {
      RelocationOperands ops = operandsFor(row, target, state, 1);
      ops.place += off;
      EXPECT_EQ(evaluate(row, target, state, ops).fault,
                RelocationFault::PlaceAlign);
    }
  });
}

TEST(Rows, TouchTheirBitsAlone) {
  constexpr size_t guard = 16;
  forEachRow([](const Target &, const RelocationRow &row) {
    Bits owned = ownedBits(row);
    std::mt19937_64 random(42);
    for (int64_t V : sampleValues(row))
      for (int filling = 0; filling < 3; ++filling) {
        uint8_t before[16 + 2 * guard], after[sizeof before];
        for (uint8_t &byte : before)
          byte = filling == 0 ? 0 : filling == 1 ? 0xff : random();
        std::memcpy(after, before, sizeof after);
        deposit(row, V, after + guard);
        EXPECT_EQ(std::memcmp(before, after, guard), 0);
        EXPECT_EQ(std::memcmp(before + guard + row.bytes,
                              after + guard + row.bytes, guard),
                  0);
        for (unsigned bit = 0; bit < owned.size(); ++bit) {
          if (!owned[bit]) {
            EXPECT_EQ(bitOf(before + guard, bit), bitOf(after + guard, bit))
                << "bit " << bit;
          }
        }
      }
  });
}

TEST(Rows, GiveTheirValueBack) {
  forEachRow([](const Target &, const RelocationRow &row) {
    for (int64_t V : sampleValues(row))
      for (int filling = 0; filling < 2; ++filling) {
        uint8_t unit[16];
        std::memset(unit, filling ? 0xff : 0, sizeof unit);
        deposit(row, V, unit);
        int64_t got = extractField(row, unit);
        if (row.formula == Formula::None) {
          EXPECT_EQ(got, 0);
        } else if (row.check == Check::Either || row.check == Check::None) {
          // Two numbers share a pattern here: the field reads as signed.
          unsigned unused = 64 - row.bits;
          EXPECT_EQ(uint64_t(got) << unused, uint64_t(V) << unused);
          EXPECT_EQ(got, int64_t(uint64_t(got) << unused) >> unused);
        } else {
          EXPECT_EQ(got, V);
        }
      }
  });
}

TEST(Rows, AreFoundByNumber) {
  for (const Target *target : allTargets()) {
    SCOPED_TRACE(target->name);
    for (uint32_t number = 0; number < 300; ++number) {
      const RelocationRow *expected = nullptr;
      for (const RelocationRow &row : target->relocations)
        if (row.number == number)
          expected = &row;
      EXPECT_EQ(findRelocation(*target, number), expected);
      EXPECT_EQ(relocationName(*target, number),
                expected ? expected->name
                         : "unknown relocation type " + std::to_string(number));
    }
    EXPECT_EQ(findRelocation(*target, ~0u), nullptr);
  }
}

TEST(Rows, AreAllListed) {
  for (const Target *target : allTargets()) {
    std::string text = listRelocations(*target);
    EXPECT_EQ(size_t(std::count(text.begin(), text.end(), '\n')),
              target->relocations.size() + 1);
    for (const RelocationRow &row : target->relocations)
      EXPECT_NE(text.find(std::string(row.name)), std::string::npos);
  }
}

// What is changed changes the sum if, and only if, the formula has it as term.
TEST(Rows, SayWhatTheirSumIsMadeOf) {
  for (const Target *target : allTargets())
    for (const RelocationRow &row : target->relocations) {
      if (!row.hasField())
        continue;
      RelocationOperands ops;
      ops.S = 0x1000, ops.A = 0x20, ops.place = 0x400;
      ops.base = 0x80, ops.G = 0x40;
      ops.alloc = false;
      TargetState state;
      state.fieldBase = 0xc0;
      auto sum = [&] { return evaluate(row, *target, state, ops).sum; };
      const int64_t before = sum();
      auto counts = [&](uint64_t &operand) {
        operand += 0x100;
        const bool changed = sum() != before;
        operand -= 0x100;
        return changed;
      };
      EXPECT_EQ(counts(ops.S), row.addsSymbol()) << row.name;
      EXPECT_EQ(counts(ops.place), row.subtractsPlace()) << row.name;
      EXPECT_EQ(counts(ops.G), row.addsSlot()) << row.name;
      EXPECT_EQ(counts(ops.base), row.usesBaseSymbol()) << row.name;
      EXPECT_EQ(counts(ops.base) || counts(state.fieldBase),
                row.subtractsBase())
          << row.name;
      EXPECT_EQ(row.isPlainSum(), row.addsSymbol() && before == 0x1020)
          << row.name;
      const RelocationOutcome out = evaluate(row, *target, state, ops);
      if (!row.addsSymbol() || out.fault != RelocationFault::None ||
          row.dropsBits() || row.check == Check::LowPart ||
          row.check == Check::None)
        continue;
      uint8_t unit[16] = {};
      deposit(row, out.V, unit);
      EXPECT_TRUE(is_contained(solutions(row, *target, state, ops, unit),
                               ops.S + uint64_t(ops.A)))
          << row.name;
    }
}

} // namespace
