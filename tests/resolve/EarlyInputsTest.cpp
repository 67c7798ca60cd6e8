//===- EarlyInputsTest.cpp - objects that are taken while others are parsed
//===//
#include "resolve/InputLoader.h"
#include "support/HandMade.h"
#include "support/TestFiles.h"
#include <atomic>
#include <gmock/gmock.h>
#include <thread>

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// Notes what it is given, and how often two gave something at once.
struct Recorder : EarlyInputs {
  void begin(uint64_t size) override {
    bytes = size;
    ++begun;
  }
  void take(const std::shared_ptr<const ParsedObject> &object) override {
    atOnce += busy.exchange(true);
    names.push_back(object ? object->path : "none");
    std::this_thread::yield();
    busy = false;
  }

  unsigned begun = 0;
  uint64_t bytes = 0;
  std::vector<std::string> names;
  std::atomic<bool> busy{false};
  std::atomic<unsigned> atOnce{0};
};

/// A link of objects, some large and some small, that several threads parse.
struct Loading : HandMade {
  explicit Loading(unsigned threads) {
    program.parallel = Parallel(threads);
    add("ld.a", makeArchive({{"m.o", object(1)}}));
    add("bad.o", {0x7f, 'E', 'L', 'F'});
  }
  static Bytes object(unsigned number) {
    return machineObject("nyuzi",
                         "Sections:\n  - { Name: .data, Type: SHT_PROGBITS, "
                         "Flags: [ SHF_ALLOC, SHF_WRITE ], Size: " +
                             std::to_string(number % 7 ? 64 : 300000) + " }\n");
  }
  void add(const std::string &path, Bytes bytes) {
    files.add(path, contents.emplace_back(std::move(bytes)));
  }
  InputItem &input(const std::string &path) {
    InputItem &item = config.inputs.emplace_back();
    item.text = path;
    return item;
  }
  void objects(unsigned count) {
    for (unsigned i = 0; i < count; ++i, ++made) {
      const std::string path = std::to_string(made) + ".o";
      add(path, object(made));
      input(path);
      expected.push_back(path);
    }
  }
  std::vector<LoadedInput> load(EarlyInputs &early) {
    return InputLoader(program, diag, &files, nullptr).run(early);
  }

  TestFiles files;
  std::deque<Bytes> contents;
  std::vector<std::string> expected;
  unsigned made = 0;
};

TEST(EarlyInputs, ComeInOrderUpToTheFirstArchive) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    Loading l(threads);
    l.objects(60);
    l.input("bad.o");
    l.expected.push_back("none");
    l.objects(30);
    const std::vector<std::string> inFront = l.expected;
    l.input("ld.a");
    l.objects(20);
    Recorder recorder;
    const std::vector<LoadedInput> inputs = l.load(recorder);
    EXPECT_EQ(inputs.size(), 112u);
    EXPECT_EQ(recorder.begun, 1u);
    EXPECT_GT(recorder.bytes, 2u << 20);
    EXPECT_EQ(recorder.atOnce, 0u);
    EXPECT_EQ(recorder.names, inFront) << threads;
    EXPECT_THAT(l.messages(), testing::HasSubstr("bad.o: "));
    for (size_t i = 0; i < 60; ++i)
      EXPECT_EQ(inputs[i].object->path, inFront[i]);
  }
}

TEST(EarlyInputs, MembersOfAWholeArchiveAreInputs) {
  Loading l(2);
  l.objects(2);
  l.input("ld.a").wholeArchive = true;
  l.objects(1);
  Recorder recorder;
  l.load(recorder);
  EXPECT_EQ(l.messages(), "");
  EXPECT_THAT(recorder.names,
              testing::ElementsAre("0.o", "1.o", "ld.a(m.o)", "2.o"));
}

TEST(EarlyInputs, EndInFrontOfWhatIsOnlyOffered) {
  Loading l(2);
  l.objects(3);
  const std::vector<std::string> inFront = l.expected;
  l.objects(1);
  l.config.inputs.back().lazy = true;
  l.objects(1);
  Recorder recorder;
  l.load(recorder);
  EXPECT_EQ(recorder.names, inFront);
}

} // namespace
