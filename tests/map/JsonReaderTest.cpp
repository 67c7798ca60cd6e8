//===- JsonReaderTest.cpp - what is JSON, and what is not -----------------===//
#include "map/JsonReader.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

/// The messages of a text that is read and thrown away.
std::string readMessages(StringRef text) {
  Diagnostics diag;
  BumpPtrAllocator texts;
  JsonReader json("f", text, texts, diag);
  json.skip();
  json.finish();
  std::string all;
  for (const Diagnostic &d : diag.all())
    all += d.text + "\n";
  EXPECT_EQ(json.failed(), !all.empty());
  return all;
}

TEST(JsonReader, Syntax) {
  EXPECT_EQ(
      readMessages(" {\"a\": [1, -2.5e+3, true, false, null, \"\\u00e4\"]}"),
      "");
  EXPECT_EQ(readMessages(""),
            "f:1:1: no JSON: a value is missing at the end\n");
  EXPECT_EQ(readMessages("{"),
            "f:1:2: no JSON: the name of a member is expected\n");
  EXPECT_EQ(readMessages("{\n  \"a\" 1}"), "f:2:7: no JSON: ':' is expected\n");
  EXPECT_EQ(readMessages("{\"a\":1 \"b\":2}"),
            "f:1:8: no JSON: ',' or '}' is expected\n");
  EXPECT_EQ(readMessages("{\"a\":1,}"),
            "f:1:8: no JSON: the name of a member is expected\n");
  EXPECT_EQ(readMessages("[1 2]"), "f:1:4: no JSON: ',' or ']' is expected\n");
  EXPECT_EQ(readMessages("[1,"),
            "f:1:4: no JSON: a value is missing at the end\n");
  EXPECT_EQ(readMessages("[tru]"), "f:1:2: no JSON: a value is expected\n");
  EXPECT_EQ(readMessages("[01]"), "f:1:2: no JSON: a malformed number\n");
  EXPECT_EQ(readMessages("[1.]"), "f:1:2: no JSON: a malformed number\n");
  EXPECT_EQ(readMessages("[\"a"), "f:1:2: no JSON: the string does not end\n");
  EXPECT_EQ(readMessages("[\"a\\x\"]"),
            "f:1:2: no JSON: an escape in the string means nothing\n");
  EXPECT_EQ(readMessages("[\"a\tb\"]"),
            "f:1:4: no JSON: a control character in a string\n");
  EXPECT_EQ(readMessages("[\n\"\xff\"]"),
            "f:2:2: no JSON: this is not UTF-8\n");
  EXPECT_EQ(readMessages("[] x"),
            "f:1:4: no JSON: something follows the value\n");
}

TEST(JsonReader, Nesting) {
  EXPECT_EQ(readMessages(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_EQ(readMessages(std::string(1000000, '[')),
            "f:1:65: no JSON: values nest deeper than 64\n");
  std::string objects;
  for (int i = 0; i < 100000; ++i)
    objects += "{\"a\":";
  EXPECT_EQ(readMessages(objects),
            "f:1:321: no JSON: values nest deeper than 64\n");
}

TEST(JsonReader, NamesThatStandTwice) {
  EXPECT_EQ(readMessages("{\"a\":{\"b\":1,\"b\":2}}"),
            "f: a.b: stands there twice\n");
  // An escape is another spelling of the same name.
  EXPECT_EQ(readMessages("[0,{\"b\":1,\"\\u0062\":2}]"),
            "f: [1].b: stands there twice\n");
  std::string many = "{\"\":0";
  for (int i = 0; i < 200000; ++i)
    many += ",\"m" + std::to_string(i) + "\":0";
  EXPECT_EQ(readMessages(many + "}"), "");
  EXPECT_EQ(readMessages(many + ",\"m77\":0}"), "f: m77: stands there twice\n");
  EXPECT_EQ(readMessages(many + ",\"\":0}"), "f: stands there twice\n");
}

TEST(JsonReader, Values) {
  Diagnostics diag;
  BumpPtrAllocator texts;
  JsonReader json("f",
                  "[\"a\\n\\u00e4\", \"\", 18446744073709551615, "
                  "\"0xffffffffffffffff\", true, {\"x\": [1]}, false]",
                  texts, diag);
  unsigned i = 0;
  json.array([&] {
    switch (i++) {
    case 0:
      EXPECT_EQ(json.string(), "a\n\xc3\xa4");
      break;
    case 1:
      EXPECT_EQ(json.string(), "");
      break;
    case 2:
      EXPECT_EQ(json.number(), UINT64_MAX);
      break;
    case 3:
      EXPECT_EQ(json.hexNumber(), UINT64_MAX);
      break;
    case 4:
      EXPECT_TRUE(json.boolean());
      break;
    case 5:
      json.skip();
      break;
    case 6:
      EXPECT_FALSE(json.boolean());
      break;
    }
  });
  json.finish();
  EXPECT_EQ(i, 7u);
  EXPECT_FALSE(json.failed());
}

/// The message of one value that is asked for as something that it is not.
template <class Fn> std::string asked(StringRef text, Fn fn) {
  Diagnostics diag;
  BumpPtrAllocator texts;
  JsonReader json("f", text, texts, diag);
  json.array([&] { fn(json); });
  json.finish();
  return diag.all().size() == 1 ? diag.all()[0].text : "not one message";
}

TEST(JsonReader, OtherValuesThanAskedFor) {
  const auto number = [](JsonReader &json) { json.number(); };
  EXPECT_EQ(asked("[{}]", number), "f: [0]: is no number");
  EXPECT_EQ(asked("[1,\"2\"]", number), "f: [1]: is no number");
  EXPECT_EQ(asked("[-1]", number),
            "f: [0]: -1 is no whole number from 0 to 18446744073709551615");
  EXPECT_EQ(asked("[1.5]", number),
            "f: [0]: 1.5 is no whole number from 0 to 18446744073709551615");
  EXPECT_EQ(asked("[18446744073709551616]", number),
            "f: [0]: 18446744073709551616 is no whole number from 0 to "
            "18446744073709551615");
  EXPECT_EQ(asked("[8]", [](JsonReader &json) { json.number(7); }),
            "f: [0]: 8 is no whole number from 0 to 7");
  const auto address = [](JsonReader &json) { json.hexNumber(); };
  EXPECT_EQ(asked("[\"12\"]", address),
            "f: [0]: '12' is no number of up to 64 bits like 0x10a0");
  EXPECT_EQ(asked("[\"0x\"]", address),
            "f: [0]: '0x' is no number of up to 64 bits like 0x10a0");
  EXPECT_EQ(asked("[\"0x10000000000000000\"]", address),
            "f: [0]: '0x10000000000000000' is no number of up to 64 bits like "
            "0x10a0");
  EXPECT_EQ(asked("[12]", address), "f: [0]: is no string");
  EXPECT_EQ(asked("[12]", [](JsonReader &json) { json.boolean(); }),
            "f: [0]: is neither true nor false");
  EXPECT_EQ(asked("[[]]", [](JsonReader &json) { json.object({}, nullptr); }),
            "f: [0]: is no object");
  // What is no JSON at all is told as that.
  EXPECT_EQ(asked("[{\"a\"}]", number), "f:1:6: no JSON: ':' is expected");
}

// What LLVM's parser takes is taken, but for names that stand there twice and
// numbers like "3.", ".5", "01" and "+1"; what it refuses is refused.
TEST(JsonReader, AgreesWithAnotherParser) {
  const std::string whole =
      R"({"a":[1,-2,3.5e-7,0,true,false,null],"b":{"c":"x\"\\\/\n\u12aB","d":[]}, "e" : "\ud834\udd1e"})";
  std::mt19937 random(1);
  const StringRef bytes = "{}[]\",:\\0123456789-+.eEtrufalsn \n\t\xc3\x01";
  unsigned good = 0;
  for (int i = 0; i < 30000; ++i) {
    std::string text = whole;
    for (unsigned n = random() % 4; n; --n) {
      const size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, random() % 4);
      else if (random() % 2)
        text[at] = bytes[random() % bytes.size()];
      else
        text.insert(at, 1, bytes[random() % bytes.size()]);
      if (text.empty())
        break;
    }
    Expected<json::Value> value = json::parse(text);
    const bool accepted = bool(value);
    consumeError(value.takeError());
    const std::string messages = readMessages(text);
    good += accepted;
    if (accepted && (StringRef(messages).contains("stands there twice") ||
                     StringRef(messages).contains("malformed number") ||
                     StringRef(messages).contains("a value is expected")))
      continue;
    ASSERT_EQ(accepted, messages.empty()) << text << "\n" << messages;
  }
  EXPECT_GT(good, 5000u);
}

} // namespace
} // namespace xlink::test
