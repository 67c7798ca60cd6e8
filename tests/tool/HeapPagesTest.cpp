//===- HeapPagesTest.cpp - pages of heaps, before they are needed --------===//
#include "driver/HeapPages.h"
#include "support/PresentPages.h"
#include "support/ToolProcess.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <latch>
#include <malloc.h>
#include <memory>
#include <new>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

namespace xlink::test {
namespace {

using Block = std::unique_ptr<unsigned char[]>;

/// What the system says of the range in which an address is: /proc/self/smaps,
/// "VmFlags" (Documentation/filesystems/proc.rst of Linux).
std::string flagsAt(const void *address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool isIn = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin, end;
    if (sscanf(line.c_str(), "%zx-%zx ", &begin, &end) == 2)
      isIn = at >= begin && at < end;
    else if (isIn && line.starts_with("VmFlags:"))
      return line + " ";
  }
  ADD_FAILURE() << "no range has " << address;
  return "";
}

struct HeapPages : testing::Test {
  void SetUp() override {
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0)
      GTEST_SKIP() << "the system has no large pages";
    if (!canBringInPages())
      GTEST_SKIP() << "the system is older than Linux 5.14";
    // As the tool does: heaps begin as long as they can become.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, 62 << 20);
  }
  /// Heaps that other tests have used have their pages already.
  static void inNewProcess(llvm::function_ref<void()> body) {
    EXPECT_EQ(inOwnProcess([&] {
                body();
                fflush(stdout);
                return int(HasFailure());
              }),
              0);
  }
  static void inNewThread(llvm::function_ref<void()> body) {
    std::thread(body).join();
  }
  /// Some megabytes, and their last block.
  static unsigned char *allocate(std::vector<Block> &blocks) {
    for (int i = 0; i < 800; ++i)
      blocks.emplace_back(new unsigned char[10'000]);
    return blocks.back().get();
  }
  static void expectLargeOnesAhead() {
    std::vector<Block> blocks;
    const unsigned char *last = allocate(blocks);
    EXPECT_THAT(flagsAt(last), HasSubstr(" hg "));
    EXPECT_TRUE(isPresent(last + (200 << 10)));
  }
  /// Of 100, the share of blocks behind which there are pages already when they
  /// are allocated.
  static size_t shareAhead(size_t count) {
    std::vector<Block> blocks;
    size_t ahead = 0;
    for (size_t i = 0; i < count; ++i) {
      blocks.emplace_back(new unsigned char[10'000]);
      ahead += isPresent(blocks.back().get() + (40 << 10));
    }
    return ahead * 100 / count;
  }
};

TEST_F(HeapPages, AThreadsHeapGetsLargeOnesAhead) {
  inNewProcess([] {
    bringInHeapPages(PageSize::Large, 1h);
    inNewThread(expectLargeOnesAhead);
  });
}

TEST_F(HeapPages, TheMainHeapToo) {
  inNewProcess([] {
    bringInHeapPages(PageSize::Large, 1h);
    expectLargeOnesAhead();
  });
}

TEST_F(HeapPages, SmallOnesComeAheadToo) {
  inNewProcess([] {
    bringInHeapPages(PageSize::Small, 0ns);
    inNewThread([] {
      std::vector<Block> blocks;
      const unsigned char *last = allocate(blocks);
      EXPECT_THAT(flagsAt(last), Not(HasSubstr(" hg ")));
      EXPECT_TRUE(isPresent(last + (60 << 10)));
    });
    std::vector<Block> blocks;
    EXPECT_TRUE(isPresent(allocate(blocks) + (60 << 10)));
    // Which several threads will write to, each bringing in its part.
    const Block shared(new unsigned char[8 << 20]);
    EXPECT_FALSE(isPresent(shared.get() + (4 << 20)));
  });
}

TEST_F(HeapPages, TheMainHeapIsFollowedAsItGrows) {
  inNewProcess([] {
    mallopt(M_TOP_PAD, 4 << 20);
    bringInHeapPages(PageSize::Small, 1h);
    EXPECT_GT(shareAhead(4'000), 75u);
  });
}

// 120 MB are more than a heap holds.
TEST_F(HeapPages, SoIsTheNextHeap) {
  for (PageSize size : {PageSize::Small, PageSize::Large})
    inNewProcess([size] {
      bringInHeapPages(size, 1h);
      inNewThread([] { EXPECT_GT(shareAhead(12'000), 90u); });
    });
}

// Small blocks go to the thread that has freed one last, whose heap ever it is.
TEST_F(HeapPages, AThreadMayGetABlockOfAnotherHeapFirst) {
  inNewProcess([] {
    bringInHeapPages(PageSize::Small, 1h);
    void *volatile others = operator new(100);
    inNewThread([&] {
      operator delete(others);
      void *volatile first = operator new(100);
      EXPECT_EQ(first, others);
      EXPECT_GT(shareAhead(2'000), 75u);
    });
  });
}

TEST_F(HeapPages, ALargeBlockIsThereWhole) {
  inNewProcess([] {
    bringInHeapPages(PageSize::Large, 1h);
    inNewThread([] {
      const Block block(new unsigned char[20 << 20]);
      // The first of a heap has been touched, and stays in small ones.
      for (size_t at = 2 << 20; at < 20 << 20; at += 1 << 20)
        EXPECT_TRUE(isPresent(block.get() + at)) << at;
    });
  });
}

// Each page is late where no time is allowed.
TEST_F(HeapPages, BehindTheFirstLateOneAreSmallOnes) {
  inNewProcess([] {
    bringInHeapPages(PageSize::Large, 0ns);
    inNewThread([] {
      std::vector<Block> blocks;
      const unsigned char *last = allocate(blocks);
      EXPECT_THAT(flagsAt(last), HasSubstr(" nh "));
      EXPECT_TRUE(isPresent(last + (60 << 10)));
    });
    // Also for those that had no part in it.
    std::vector<Block> blocks;
    EXPECT_THAT(flagsAt(allocate(blocks)), Not(HasSubstr(" hg ")));
  });
}

TEST_F(HeapPages, NobodyAsksForLargeOnesUnasked) {
  inNewProcess([] {
    inNewThread([] {
      std::vector<Block> blocks;
      const unsigned char *last = allocate(blocks);
      EXPECT_THAT(flagsAt(last), Not(HasSubstr(" hg ")));
    });
  });
}

struct Sizes : HeapPages, testing::WithParamInterface<PageSize> {};
INSTANTIATE_TEST_SUITE_P(HeapPages, Sizes,
                         testing::Values(PageSize::Small, PageSize::Large));

/// Blocks of all sizes, each full of a byte of its own.
class Blocks {
public:
  explicit Blocks(unsigned seed) : state(seed) {}
  void allocate(int count) {
    for (int i = 0; i < count; ++i) {
      state = state * 1'664'525 + 1'013'904'223;
      const size_t size = 1 + (state >> 8) % (size_t(16) << (state >> 28));
      all.push_back(
          {Block(new unsigned char[size]), size, uint8_t(state >> 3)});
      memset(all.back().block.get(), all.back().value, size);
    }
  }
  /// Gives every second one back.
  void thinOut() {
    std::vector<One> kept;
    for (size_t i = 0; i < all.size(); i += 2)
      kept.push_back(std::move(all[i]));
    all = std::move(kept);
  }
  bool areWhole() const {
    for (const One &one : all)
      for (size_t i = 0; i < one.size; ++i)
        if (one.block[i] != one.value)
          return false;
    return true;
  }

private:
  struct One {
    Block block;
    size_t size;
    uint8_t value;
  };
  std::vector<One> all;
  uint32_t state;
};

// Who frees a block of another thread's heap may be the next to get it.
TEST_P(Sizes, BlocksGoFromThreadToThread) {
  inNewProcess([] {
    constexpr int threads = 4;
    bringInHeapPages(GetParam(), 1h);
    std::vector<Blocks> blocks;
    for (unsigned i = 0; i < threads; ++i)
      blocks.emplace_back(i);
    for (int round = 0; round < 6; ++round) {
      std::latch all(threads);
      std::vector<std::thread> running;
      for (int i = 0; i < threads; ++i)
        running.emplace_back([&, i] {
          all.arrive_and_wait();
          Blocks &mine = blocks[size_t((i + round) % threads)];
          mine.thinOut();
          mine.allocate(400);
        });
      for (std::thread &thread : running)
        thread.join();
      for (const Blocks &one : blocks)
        EXPECT_TRUE(one.areWhole());
    }
  });
}

TEST_F(HeapPages, WhoCannotHaveMemoryAsksTheHandler) {
  inNewProcess([] {
    static int asked = 0;
    std::set_new_handler([] {
      if (++asked == 3)
        _exit(0);
    });
    volatile auto block = operator new(size_t(1) << 60);
    FAIL() << block;
  });
}

/// What is read from a file with this text.
bool givesBack(const std::string &text) {
  const TemporaryDirectory directory;
  directory.write("order", text);
  return givesFreeMemoryBack(directory.path("order").c_str());
}

TEST(FreeMemory, IsGivenBackFromAnOrderOn) {
  EXPECT_TRUE(givesBack("9\n"));
  EXPECT_TRUE(givesBack("0\n"));
  EXPECT_TRUE(givesBack("10"));
  EXPECT_FALSE(givesBack("-1\n"));
  EXPECT_FALSE(givesBack("4294967295\n"));
  EXPECT_FALSE(givesBack("\n"));
  EXPECT_FALSE(givesBack(""));
  EXPECT_FALSE(givesBack("order\n"));
  EXPECT_FALSE(givesFreeMemoryBack("/there is/no such file"));
}

} // namespace
} // namespace xlink::test
