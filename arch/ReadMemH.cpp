//===- ReadMemH.cpp - Nyuzi's memory images for $readmemh -----------------===//
//
// Problem: the hardware model, the FPGA and the emulator of Nyuzi fill their
// memory from a text of words, and begin to execute at its first word, whatever
// the ELF file says.
//
// Format: Verilog's $readmemh for a memory of 32-bit words. `@ADDRESS` counts
// words; behind it is one word a line, eight digits, in the order of its bytes
// in memory: 0x12345678 stands there as 78563412, and the models swap it back.
//
// Method: the words are those that the tool chain's elf2hex takes from the ELF
// file: of each PT_LOAD its bytes, then zeros up to p_memsz. The first word
// of the first is a branch to the entry, written over the ELF header, which is
// loaded there and is not read in memory. Differences from elf2hex:
//
//   * Bytes go where they are loaded, to p_paddr; elf2hex takes p_vaddr. With
//     the built-in script they are the same.
//   * Where no header is loaded, as with scripts that leave no room for it and
//     programs without read-only data, elf2hex writes the branch over the first
//     instruction, and with the entry there it is one to itself. Here the code
//     stays. If it begins behind the base, the branch stands alone at the base;
//     if it begins there, it must be the entry.
//   * An entry that is out of a branch's reach, or no multiple of 4, is an
//     error; elf2hex cuts it off. So is a segment below the base.
//   * There is no comment with the name of the ELF file, as there is no such
//     file.
//
// Cost: linear in the bytes of memory, nine of text for four of them.
//
//===----------------------------------------------------------------------===//
#include "arch/Containers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {
namespace {

/// An unconditional branch; its low 25 bits count words from itself on.
constexpr uint32_t kBranch = 0xf6000000;
constexpr uint32_t kOffset = 0x1ffffff;
constexpr int64_t kBranchReach = int64_t(1) << 26; ///< in bytes, either way

/// More zeros than this are a mistake in a script, not a program.
constexpr uint64_t kMaxZeros = uint64_t(128) << 20;

using ElfSegment = Elf32Program::Segment;

class ReadMemHWriter {
public:
  ReadMemHWriter(const ContainerRequest &request,
                 std::vector<TargetMessage> &messages)
      : request(request), messages(messages), program(request.program.vec()),
        elf(program) {}

  std::vector<uint8_t> run() {
    for (const ContainerOption &option : request.options)
      if (option.name == "readmemh-base" &&
          StringRef(option.value).getAsInteger(0, base))
        error("option '--readmemh-base': '" + option.value +
              "' is not an address of 32 bits");
    std::vector<ElfSegment> segments; // those that take memory
    bool isWhole = elf.hasSegments;
    for (const ElfSegment &segment : elf.segments)
      if (segment.p_type == ELF::PT_LOAD && segment.p_memsz != 0) {
        isWhole &= elf.contents(segment).has_value();
        segments.push_back(segment);
      }
    if (!isWhole) { // the linker never writes such a file
      error("the program has no headers to load it by");
      return {};
    }
    bool good = segments.empty() || insertBranch(segments.front());
    uint64_t zeros = 0; // of all segments
    for (const ElfSegment &segment : segments) {
      good &= check(segment);
      zeros += segment.p_memsz -
               std::min<uint32_t>(segment.p_memsz, segment.p_filesz);
    }
    if (zeros > kMaxZeros)
      good =
          error("the image would hold " + Twine(zeros) +
                " bytes of zeros for sections without bytes; with --image or "
                "--oformat=verilog it holds none");
    if (!good)
      return {};
    for (const ElfSegment &segment : segments) {
      writeAddress(segment.p_paddr - base);
      writeBytes(*elf.contents(segment));
      const uint64_t written = alignTo(segment.p_filesz, 4);
      if (segment.p_memsz > written)
        writeBytes(std::vector<uint8_t>(segment.p_memsz - written));
    }
    return std::move(out);
  }

private:
  bool error(const Twine &text) {
    messages.push_back({TargetMessage::Error, text.str()});
    return false;
  }

  /// Lets the first word lead to the entry. False: it cannot.
  bool insertBranch(const ElfSegment &first) {
    const uint32_t entry = elf.header->e_entry;
    const bool overHeader =
        first.p_offset == 0 && first.p_filesz >= sizeof(uint32_t);
    const bool alone = !overHeader && first.p_paddr > base;
    // Where the branch runs, by the addresses of the program.
    const uint32_t from =
        alone ? first.p_vaddr - (first.p_paddr - base) : first.p_vaddr;
    const int64_t distance = int64_t(entry) - int64_t(from);
    if (distance == 0)
      return true;
    const std::string start = "execution starts at " + hexText(from) +
                              ", but the entry is at " + hexText(entry);
    if (!overHeader && !alone)
      return error(start +
                   ": there is no ELF header to be replaced by a branch");
    if (distance % 4 || distance < -kBranchReach || distance >= kBranchReach)
      return error(start + ", which no branch reaches");
    uint8_t word[4];
    support::endian::write32le(word,
                               kBranch | (uint32_t(distance / 4) & kOffset));
    if (alone) {
      writeAddress(0);
      writeBytes(word);
    } else {
      llvm::copy(word, program.begin());
    }
    return true;
  }

  /// Whether a segment is made of words of the memory.
  bool check(const ElfSegment &segment) {
    const std::string text =
        "the segment that is loaded to " + hexText(segment.p_paddr);
    if (segment.p_paddr < base)
      return error(text + " lies below the base, " + hexText(base));
    if ((segment.p_paddr - base) % 4)
      return error(text + " begins inside a word of 4 bytes");
    return true;
  }

  void writeAddress(uint32_t address) {
    out.push_back('@');
    for (int shift = 28; shift >= 0; shift -= 4)
      out.push_back(uint8_t(hexdigit((address / 4) >> shift & 15, true)));
    out.push_back('\n');
  }

  /// Words, the last one filled up with zeros.
  void writeBytes(ArrayRef<uint8_t> bytes) {
    for (size_t i = 0, end = alignTo(bytes.size(), 4); i < end; ++i) {
      const uint8_t byte = i < bytes.size() ? bytes[i] : 0;
      out.push_back(uint8_t(hexdigit(byte >> 4, true)));
      out.push_back(uint8_t(hexdigit(byte & 15, true)));
      if (i % 4 == 3)
        out.push_back('\n');
    }
  }

  const ContainerRequest &request;
  std::vector<TargetMessage> &messages;
  std::vector<uint8_t> program; ///< a copy, with the branch in it
  const Elf32Program elf;
  uint32_t base = 0;
  std::vector<uint8_t> out;
};

std::vector<uint8_t> writeReadMemH(const ContainerRequest &request,
                                   std::vector<TargetMessage> &messages) {
  return ReadMemHWriter(request, messages).run();
}

} // namespace

extern constinit const Container readMemHContainer = {"readmemh",
                                                      writeReadMemH};

} // namespace xlink
