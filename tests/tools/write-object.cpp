//===- write-object.cpp - objects for link tests from short descriptions --===//
//
//   write-object calls MACHINE FILE OUT        a call graph (CallObject.h)
//   write-object statements FILE OUT [TYPE]    XS1 statements
//   (StatementObject.h);
//                                              TYPE: the section type of
//                                              .typeinfo
//
//===----------------------------------------------------------------------===//
#include "support/CallObject.h"
#include "support/StatementObject.h"
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace xlink::test;

static std::string textOf(const std::string &path) {
  const Bytes bytes = readTestFile(path);
  return std::string(bytes.begin(), bytes.end());
}

int main(int argc, char **argv) {
  // A description that cannot be read fails as it does in a unit test.
  testing::GTEST_FLAG(throw_on_failure) = true;
  testing::InitGoogleTest(&argc, argv);
  const std::vector<std::string> words(argv + 1, argv + argc);
  Bytes object;
  std::string out;
  if (words.size() == 4 && words[0] == "calls") {
    object = callObject(words[1], textOf(words[2]));
    out = words[3];
  } else if ((words.size() == 3 || words.size() == 4) &&
             words[0] == "statements") {
    object =
        words.size() == 3
            ? statementObject(textOf(words[1]))
            : statementObject(textOf(words[1]),
                              uint32_t(strtoul(words[3].c_str(), nullptr, 0)));
    out = words[2];
  } else {
    fputs("usage: write-object calls MACHINE FILE OUT\n"
          "       write-object statements FILE OUT [TYPE]\n",
          stderr);
    return 2;
  }
  FILE *file = fopen(out.c_str(), "wb");
  if (!file || fwrite(object.data(), 1, object.size(), file) != object.size() ||
      fclose(file) != 0) {
    perror(out.c_str());
    return 1;
  }
  return 0;
}
