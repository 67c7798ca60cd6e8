//===- MergedStringsTest.cpp - many strings, by any number of threads -----===//
//
// What merging promises of each string, asked of so many random ones that all
// its tables have several parts: it can be read where it is said to be, as
// aligned as it was, and nothing stands twice that need not.
//
//===----------------------------------------------------------------------===//
#include "sections/SettleContributions.h"
#include "support/HandLaid.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <random>
#include <set>

using namespace llvm;

namespace xlink::test {
namespace {

/// Files with sections of random strings; of each string, where it stands.
struct Strings {
  Strings(unsigned files, unsigned count, uint64_t unit, uint64_t align)
      : laid("nyuzi", "SECTIONS { .rodata : { *(.rodata) } }"), unit(unit) {
    std::mt19937 random(1);
    for (unsigned f = 0; f < files; ++f) {
      std::string &text = texts.emplace_back();
      for (unsigned i = 0; i < count; ++i) {
        starts.push_back({f, uint32_t(text.size())});
        for (unsigned n = random() % 24 * random() % 24; n; --n) {
          text += char('a' + random() % 2);
          text.append(unit - 1, '\0');
        }
        text.append(unit, '\0');
        while (text.size() % align)
          text += '\0';
      }
    }
    for (unsigned f = 0; f < files; ++f) {
      HandObject &file = laid.file("f" + std::to_string(f) + ".o");
      file.section(".rodata", "aMS", texts[f].size(), align);
      ParsedSection &s = file.object->sections.back();
      s.entsize = unit;
      s.setData(arrayRefFromStringRef(texts[f]));
    }
    laid.place();
  }

  Contributions merge(unsigned threads) {
    laid.program.parallel = Parallel(threads);
    return settleContributions(laid.program, laid.placement, Liveness(), {});
  }
  /// A string with its terminator.
  StringRef at(unsigned file, uint32_t start) const {
    const StringRef text = texts[file];
    uint64_t end = start;
    while (text.substr(end, unit).find_first_not_of('\0') != StringRef::npos)
      end += unit;
    return text.slice(start, end + unit);
  }
  SectionId section(unsigned file) const {
    return laid.program.files[FileId(file)].sectionBase + 1;
  }

  HandLaid laid;
  const uint64_t unit;
  std::deque<std::string> texts; ///< by file
  std::vector<std::pair<unsigned, uint32_t>> starts;
};

/// What a section contributes.
std::string contributed(const Strings &strings,
                        const Contributions &contributions, unsigned file) {
  const Contribution &c = contributions.sections[strings.section(file)];
  std::string text(c.size, '\0');
  for (const KeptRange &r : contributions.cuts[c.cut].kept)
    text.replace(r.to, r.end - r.begin, strings.texts[file], r.begin,
                 r.end - r.begin);
  return text;
}

/// The bytes of the strings that no other one ends in.
uint64_t least(const Strings &strings) {
  std::set<std::string> backwards;
  for (auto [file, start] : strings.starts) {
    const StringRef s = strings.at(file, start).drop_back(strings.unit);
    std::string text = s.str();
    std::reverse(text.begin(), text.end());
    backwards.insert(std::move(text));
  }
  uint64_t size = 0;
  for (auto it = backwards.begin(); it != backwards.end(); ++it)
    if (auto next = std::next(it);
        next == backwards.end() || !StringRef(*next).starts_with(*it))
      size += it->size() + strings.unit;
  return size;
}

void check(Strings &strings, uint64_t align) {
  const Contributions contributions = strings.merge(1);
  const PartialLink partial{strings.laid.program, strings.laid.placement,
                            contributions};
  std::vector<std::string> texts;
  std::vector<uint64_t> begins; // they stand one behind the other
  uint64_t size = 0;
  for (unsigned f = 0; f < strings.texts.size(); ++f) {
    begins.push_back(size);
    size += texts.emplace_back(contributed(strings, contributions, f)).size();
  }
  for (auto [file, start] : strings.starts) {
    const auto byte = partial.whereIs(strings.section(file), start);
    ASSERT_TRUE(byte);
    const StringRef wanted = strings.at(file, start);
    const unsigned home =
        strings.laid.program.sections[byte->section].file.index();
    ASSERT_EQ(StringRef(texts[home]).substr(byte->offset, wanted.size()),
              wanted)
        << file << " " << start;
    ASSERT_EQ((begins[home] + byte->offset) % align, 0u);
  }
  if (align == strings.unit) {
    EXPECT_EQ(size, least(strings));
  }
  for (unsigned threads : {2, 5}) {
    const Contributions other = strings.merge(threads);
    ASSERT_EQ(other.merges.size(), 1u);
    for (unsigned f = 0; f < strings.texts.size(); ++f)
      ASSERT_EQ(contributed(strings, other, f), texts[f]);
    const PartialLink otherParts{strings.laid.program, strings.laid.placement,
                                 other};
    for (auto [file, start] : strings.starts) {
      const auto here = partial.whereIs(strings.section(file), start),
                 there = otherParts.whereIs(strings.section(file), start);
      ASSERT_TRUE(there);
      ASSERT_EQ(there->section, here->section);
      ASSERT_EQ(there->offset, here->offset);
    }
  }
}

TEST(MergedStrings, Few) {
  Strings strings(3, 20, 1, 1);
  check(strings, 1);
}

TEST(MergedStrings, Many) {
  Strings strings(37, 2000, 1, 1);
  check(strings, 1);
}

TEST(MergedStrings, Wide) {
  Strings strings(11, 2000, 2, 2);
  check(strings, 2);
}

TEST(MergedStrings, Aligned) {
  Strings strings(11, 2000, 1, 8);
  check(strings, 8);
}

} // namespace
} // namespace xlink::test
