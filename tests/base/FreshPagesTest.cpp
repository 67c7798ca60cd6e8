//===- FreshPagesTest.cpp - memory that is about to be filled ------------===//
#include "base/FreshPages.h"
#include "support/PresentPages.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace xlink;
using namespace xlink::test;

namespace {

constexpr size_t kKilobyte = 1 << 10, kMegabyte = 1 << 20;
/// What one step brings in (base/FreshPages.cpp).
constexpr size_t kStep = 256 * kKilobyte;

/// Memory of which the system has handed out nothing yet.
class Fresh {
public:
  explicit Fresh(size_t bytes, int rights = PROT_READ | PROT_WRITE)
      : bytes(bytes),
        first(static_cast<unsigned char *>(
            mmap(nullptr, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
  }
  Fresh(const Fresh &) = delete;
  Fresh &operator=(const Fresh &) = delete;
  ~Fresh() { munmap(first, bytes); }

  unsigned char *at(size_t offset) const { return first + offset; }
  /// The ranges of pages that are there.
  std::vector<std::pair<size_t, size_t>> present() const {
    std::vector<std::pair<size_t, size_t>> ranges;
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    for (size_t at = 0; at < bytes; at += page) {
      if (!isPresent(first + at))
        continue;
      if (ranges.empty() || ranges.back().second != at)
        ranges.push_back({at, at});
      ranges.back().second = at + page;
    }
    return ranges;
  }

private:
  size_t bytes;
  unsigned char *first;
};

using Ranges = std::vector<std::pair<size_t, size_t>>;

struct FreshPages : testing::Test {
  void SetUp() override {
    if (!canBringInPages())
      GTEST_SKIP() << "the system brings in no pages of its own accord";
  }
};

TEST_F(FreshPages, AllOfALargeArrayAreBroughtIn) {
  for (unsigned threads : {1u, 4u}) {
    const Fresh memory(4 * kMegabyte);
    bringIn(Parallel(threads), memory.at(0), 3 * kMegabyte);
    EXPECT_EQ(memory.present(), (Ranges{{0, 3 * kMegabyte}}));
  }
}

TEST_F(FreshPages, ALittleArrayIsLeftAlone) {
  const Fresh memory(kMegabyte);
  bringIn(Parallel(1), memory.at(0), 512 * kKilobyte - 1);
  EXPECT_EQ(memory.present(), Ranges());
}

// What stands beside the array may be nobody's.
TEST_F(FreshPages, PagesOfWhichItHasAPartAreNot) {
  const Fresh memory(2 * kMegabyte);
  bringIn(Parallel(1), memory.at(100), kMegabyte);
  EXPECT_EQ(memory.present(), (Ranges{{4096, kMegabyte}}));
}

TEST_F(FreshPages, NoByteChanges) {
  const Fresh memory(2 * kMegabyte);
  std::fill_n(memory.at(0), 3 * kStep, uint8_t(0xa5));
  bringIn(Parallel(2), memory.at(0), 2 * kMegabyte);
  EXPECT_EQ(memory.present(), (Ranges{{0, 2 * kMegabyte}}));
  EXPECT_EQ(std::count(memory.at(0), memory.at(3 * kStep), 0xa5), 3 * kStep);
  EXPECT_EQ(std::count(memory.at(3 * kStep), memory.at(2 * kMegabyte), 0),
            5 * kStep);
}

TEST_F(FreshPages, MemoryThatTheSystemRefusesIsLeftAlone) {
  const Fresh memory(kMegabyte, PROT_READ);
  bringIn(Parallel(1), memory.at(0), kMegabyte);
  EXPECT_EQ(memory.present(), Ranges());
}

/// As much of a vector as PagesAhead looks at.
struct Growing {
  unsigned char *first;
  size_t count, room;

  unsigned char *data() { return first; }
  size_t size() const { return count; }
  size_t capacity() const { return room; }
};

struct PagesAheadTest : FreshPages {
  PagesAhead pages;
};

TEST_F(PagesAheadTest, SomeAreBroughtInAtATime) {
  const Fresh memory(4 * kMegabyte);
  Growing vector{memory.at(0), 0, 4 * kMegabyte};
  pages.reach(vector, 1);
  EXPECT_EQ(memory.present(), (Ranges{{0, kStep}}));
  vector.count = kStep - 1;
  pages.reach(vector, kStep);
  EXPECT_EQ(memory.present(), (Ranges{{0, kStep}}));
  vector.count = kStep;
  pages.reach(vector, kStep + 1);
  EXPECT_EQ(memory.present(), (Ranges{{0, 2 * kStep}}));
  // A long step is brought in as a whole.
  vector.count = kStep + 1;
  pages.reach(vector, 8 * kStep);
  EXPECT_EQ(memory.present(), (Ranges{{0, 8 * kStep}}));
}

TEST_F(PagesAheadTest, NoneBehindWhatIsReserved) {
  const Fresh memory(2 * kMegabyte);
  Growing vector{memory.at(0), 0, 3 * kStep - 4096};
  for (; vector.count < vector.room; ++vector.count)
    pages.reach(vector, vector.count + 1);
  EXPECT_EQ(memory.present(), (Ranges{{0, 3 * kStep - 4096}}));
  // The next element moves it: nothing is known of where to.
  pages.reach(vector, vector.room + 1);
  EXPECT_EQ(memory.present(), (Ranges{{0, 3 * kStep - 4096}}));
}

// Elements that have moved are there, as somebody wrote them.
TEST_F(PagesAheadTest, AMovedVectorGoesOnBehindItsElements) {
  const Fresh memory(8 * kMegabyte);
  for (size_t place : {4 * kMegabyte, size_t(0)}) {
    Growing vector{memory.at(place), kStep, 3 * kMegabyte};
    pages.reach(vector, kStep + 1);
  }
  EXPECT_EQ(memory.present(),
            (Ranges{{kStep, 2 * kStep},
                    {4 * kMegabyte + kStep, 4 * kMegabyte + 2 * kStep}}));
}

TEST_F(PagesAheadTest, ALittleVectorIsLeftAlone) {
  const Fresh memory(kMegabyte);
  Growing vector{memory.at(0), 0, 512 * kKilobyte - 1};
  for (; vector.count < vector.room; ++vector.count)
    pages.reach(vector, vector.count + 1);
  EXPECT_EQ(memory.present(), Ranges());
}

} // namespace
