//===- Links.cpp ----------------------------------------------------------===//
//
// An output is kept as far as it is small: of a larger one only the size is
// checked.
//
//===----------------------------------------------------------------------===//
#include "fuzz/Links.h"
#include "arch/MachineFile.h"
#include "input/ElfReader.h"
#include "inspect/Inspect.h"
#include "map/LinkMapJson.h"
#include "support/TestFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace llvm;

namespace xlink::test {

namespace {

/// Nothing in an input is a reason for a larger output.
constexpr uint64_t kMostOutput = uint64_t(160) << 20;
constexpr uint64_t kKept = uint64_t(4) << 20;

/// Holds what is written as far as kKept; checks that it lies inside.
class FuzzSink : public OutputSink {
public:
  struct Held {
    bool committed = false, grows = false, outside = false;
    uint64_t size = 0;
    Bytes bytes; ///< its first kKept
  };
  std::map<std::string, Held> files; ///< by path

  std::unique_ptr<OutputFile> open(StringRef path, std::optional<uint64_t> size,
                                   bool, std::string &) override {
    Held &held = files[path.str()];
    held = Held();
    held.grows = !size;
    held.size = size.value_or(0);
    held.bytes.resize(std::min(held.size, kKept));
    struct File : OutputFile {
      Held &held;
      explicit File(Held &held) : held(held) {}
      std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
        if (held.grows && offset <= UINT64_MAX - bytes.size()) {
          held.size = std::max(held.size, offset + bytes.size());
          held.bytes.resize(std::min(held.size, kKept));
        }
        held.outside |= offset > held.size || bytes.size() > held.size - offset;
        if (offset < held.bytes.size()) {
          bytes = bytes.take_front(held.bytes.size() - offset);
          std::copy(bytes.begin(), bytes.end(), held.bytes.begin() + offset);
        }
        return "";
      }
      std::string commit() override {
        held.committed = true;
        return "";
      }
    };
    return std::make_unique<File>(held);
  }
};

/// In a tree of sizes each line is the sum of those below it.
void checkSums(const json::Object &line) {
  const json::Array *below = line.getArray("children");
  if (!below || below->empty())
    return;
  uint64_t sum = 0;
  for (const json::Value &child : *below) {
    const json::Object *o = child.getAsObject();
    const json::Value *bytes = o ? o->get("bytes") : nullptr;
    if (!bytes || !bytes->getAsUINT64())
      return trouble("a line of the size attribution has no bytes");
    sum += *bytes->getAsUINT64();
    checkSums(*o);
  }
  const json::Value *bytes = line.get("bytes");
  if (!bytes || bytes->getAsUINT64() != sum)
    trouble("sizes do not add up");
}

void checkJson(StringRef path, StringRef text, bool linked) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return trouble(path.str() + ": " + toString(value.takeError()));
  const json::Object *o = value->getAsObject();
  if (!o)
    return trouble(path.str() + " is no object");
  if (const json::Object *tree = o->getObject("sizeAttribution"))
    checkSums(*tree);
  // That of a link that failed may tell of sections beyond the address space.
  if (!linked || o->getString("format") != "xlink map")
    return;
  Diagnostics diag;
  if (!readLinkMap(path, text, diag))
    trouble(path.str() + ": " + diag.all()[0].text);
}

/// No name gets out of the blocks that hold the page's data.
void checkPage(StringRef text, bool linked) {
  if (text.count("<script") != 4 || text.count("</script") != 4)
    trouble("a page has other scripts than its own");
  for (const char *id : {"map", "baseline", "names"}) {
    const std::string head =
        "<script type=\"application/json\" id=\"" + std::string(id) + "\">";
    const StringRef block = text.split(head).second.split("</script>").first;
    if (block.contains('<'))
      trouble("data of a page has a tag");
    if (!block.empty())
      checkJson(id, block, linked);
  }
}

/// What is wrong with the outputs of a link.
void checkOutputs(const FuzzSink &sink, const FuzzedLink &link, int status) {
  for (const auto &[path, held] : sink.files) {
    noteOutput(held.size);
    if (held.outside)
      trouble("bytes outside of " + path);
    if (held.size > kMostOutput)
      trouble(path + " has " + std::to_string(held.size) + " bytes");
    if (!held.committed || held.size > kKept)
      continue;
    const StringRef text = textOf(held.bytes);
    if (path == "out") {
      if (link.isElf)
        for (const std::string &flaw : flawsOf(held.bytes, link.rules))
          trouble("the output is broken: " + flaw);
    } else if (StringRef(path).ends_with(".json")) {
      checkJson(path, text, status == 0);
    } else if (StringRef(path).ends_with(".html")) {
      checkPage(text, status == 0);
    }
  }
}

} // namespace

FuzzedResult linkChecked(const FuzzedLink &link) {
  TestFiles fs;
  for (const auto &[path, bytes] : link.files)
    fs.add(path, bytes);
  FuzzSink sink;
  LinkRequest request;
  request.arguments = {"--threads=1", "--warn-traps", "-o", "out"};
  request.arguments.insert(request.arguments.end(), link.arguments.begin(),
                           link.arguments.end());
  request.fileSystem = &fs;
  request.sink = &sink;
  request.wantSymbols = true;
  const LinkResult done = xlink::link(request);

  FuzzedResult result;
  result.status = done.status;
  unsigned errors = 0;
  for (const Diagnostic &d : done.diagnostics) {
    errors += d.severity == Severity::Error;
    if (d.text.empty())
      trouble("a message without text");
    result.text += d.text + "\n";
  }
  if (done.status != (errors ? 1 : 0))
    trouble("status " + std::to_string(done.status) + " with " +
            std::to_string(errors) + " errors");
  const auto out = sink.files.find("out");
  const bool written = out != sink.files.end() && out->second.committed;
  if (done.status != 0 && written)
    trouble("a link that failed has an output");
  if (done.status == 0 && !written && !done.outputs.empty() &&
      done.outputs[0] == "out")
    trouble("a link without errors has no output");
  checkOutputs(sink, link, done.status);
  if (done.status == 0 && written) {
    result.imageIsWhole = out->second.size <= kKept;
    result.image = std::move(out->second.bytes);
  }
  return result;
}

void checkFinished(ArrayRef<uint8_t> file, StringRef script) {
  const Bytes out(file.begin(), file.end());
  const Bytes text(script.begin(), script.end());
  TestFiles fs; // refers to them
  fs.add("out", out);
  fs.add("s.ld", text);
  std::vector<std::string> arguments = {"checks", "--json", "out"};
  if (!script.empty())
    arguments.insert(arguments.end(), {"-T", "s.ld"});
  const InspectResult all = inspect(arguments, &fs);
  arguments.push_back("--check-traps=image-gap,never-copied");
  for (const InspectResult &result : {all, inspect(arguments, &fs)})
    if (result.status != kTrouble)
      checkJson("checks", result.text, /*linked=*/true);
    else if (result.diagnostics.empty())
      trouble("checks of a file fail without a message");
}

WithOptions splitOptions(ArrayRef<uint8_t> input) {
  WithOptions result;
  const size_t count = std::min<size_t>(input.size(), 8);
  for (size_t i = 0; i < count; ++i)
    result.options |= uint64_t(input[input.size() - count + i]) << (8 * i);
  result.bytes = input.drop_back(count);
  return result;
}

std::vector<Bytes> splitObjects(ArrayRef<uint8_t> input, size_t most) {
  std::vector<Bytes> files;
  const StringRef text = textOf(input);
  size_t begin = 0;
  while (files.size() < most) {
    const size_t next = files.size() + 1 < most ? text.find("\x7f"
                                                            "ELF",
                                                            begin + 1)
                                                : StringRef::npos;
    const StringRef file = text.slice(begin, next);
    files.emplace_back(file.begin(), file.end());
    if (next == StringRef::npos)
      break;
    begin = next;
  }
  return files;
}

/// A number near the end of an address space.
static std::string extreme(uint64_t bits) {
  static const uint64_t ends[] = {0, uint64_t(1) << 31, uint64_t(1) << 32,
                                  uint64_t(1) << 63};
  static const uint64_t away[] = {0, 4, 0x40, 0x1000};
  const uint64_t end = ends[bits & 3], distance = away[bits >> 2 & 3];
  return std::to_string(bits & 16 ? end + distance : end - distance);
}

void addOptions(FuzzedLink &link, uint64_t bits) {
  static const char *const texts[] = {"--gc-sections",
                                      "--icf=all",
                                      "--emit-relocs",
                                      "-O2",
                                      "-Map=map.txt",
                                      "--cref",
                                      "--print-memory-usage=json",
                                      "--print-size-attribution",
                                      "--stack-usage",
                                      "--map-json=map.json",
                                      "--why-live=*",
                                      "--why-dead=*",
                                      "--why-extract=*",
                                      "--why-placed=*",
                                      "--html-report=page.html",
                                      "--answers-json=answers.json",
                                      "--print-gc-sections",
                                      "--build-id=sha1",
                                      "--compress-debug-sections=zlib",
                                      "--init-tables",
                                      "--strip-debug",
                                      "-s",
                                      "-X",
                                      "-x",
                                      "--dump-types",
                                      "--print-resource-usage",
                                      "--sort-section=alignment",
                                      "--sort-common",
                                      "--stack-limit=main=4",
                                      "--fatal-warnings",
                                      "--icf=safe",
                                      "--orphan-handling=warn",
                                      "--allow-multiple-definition",
                                      "--unique",
                                      "-N",
                                      "--warn-type-spelling",
                                      "--wrap=main",
                                      "--trace-symbol=main",
                                      "--undefined-glob=*",
                                      "--whole-archive",
                                      "-O0",
                                      "--dependency-file=out.d",
                                      "--diagnostics-format=json",
                                      "--verbose"};
  for (size_t i = 0; i < std::size(texts); ++i)
    if (bits >> i & 1)
      link.option(texts[i]);
  // What is the rule here and the exception elsewhere: most links of damaged
  // objects would fail of it.
  if (!(bits >> 44 & 1))
    link.option("--unresolved-symbols=ignore-all");
  if (bits >> 45 & 1) {
    link.option("--no-check-sections");
    link.rules.apart = false;
  }
  if (bits >> 62 & 1)
    link.option("--explain-script=json");
  if (bits >> 63 & 1)
    link.option("--print-map");
  static const char *const formats[] = {"binary", "ihex", "srec", "verilog"};
  if (bits >> 46 & 1) {
    link.option(std::string("--oformat=") + formats[bits >> 47 & 3]);
    link.isElf = false;
  }
  static const char *const forms[] = {
      "-Ttext=", "-Tdata=",       "--section-start=.bss=", "--defsym=main=",
      "-e",      "--image-base=", "-Ttext-segment=",       "-z max-page-size="};
  if (const uint64_t word = bits >> 49 & 0xff)
    link.option(forms[word & 7] + extreme(word >> 3));
}

std::string machineOf(ArrayRef<uint8_t> object) {
  if (const std::optional<ElfIdentity> id = readIdentity(object))
    if (const Target *target = findTarget(id->is64, false, id->machine))
      return std::string(id->isBig ? "big-" : "") + target->name;
  return "";
}

void setMachine(FuzzedLink &link, StringRef machine) {
  std::string name = machine.str();
  if (machine.consume_front("big-")) {
    name = "big.machine";
    std::string text = printMachine(*findTarget(machine));
    text.replace(text.find(" little "), StringRef(" little ").size(), " big ");
    // Code of a machine that is built in is for little-endian files.
    if (const size_t at = text.find("  behaviour "); at != std::string::npos)
      text.insert(at, "#");
    link.files.emplace_back(name, Bytes(text.begin(), text.end()));
  }
  link.option("-m");
  link.option(name);
}

} // namespace xlink::test
