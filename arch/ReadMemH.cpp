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
// file: of each PT_LOAD its bytes, then zeros for what has none. The first word
// of the first is a branch to the entry, written over the ELF header, which is
// loaded there and which nobody reads in memory. What differs from elf2hex:
//
//   * Bytes go where they are loaded, to p_paddr; elf2hex takes p_vaddr. With
//     the built-in script they are the same.
//   * Where a script has code and no header at the first word, execution may
//     begin there without a branch. elf2hex writes one all the same, over the
//     program and with the entry there one to itself. Here the code stays, and
//     another entry is an error.
//   * An entry that is out of a branch's reach, or no multiple of 4, is an
//     error; elf2hex cuts it off. So is a segment below the base.
//   * There is no comment with the name of the ELF file, as there is no such
//     file.
//
// Cost: linear in the bytes of memory, nine of text for four of them.
//
//===----------------------------------------------------------------------===//
#include "arch/ReadMemH.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <cstring>

using namespace llvm;

namespace xlink {
namespace {

/// An unconditional branch; its low 25 bits count words from itself on.
constexpr uint32_t kBranch = 0xf6000000;
constexpr int64_t kBranchReach = int64_t(1) << 26; ///< in bytes, either way

/// More zeros than this are a mistake in a script, not a program.
constexpr uint64_t kMaxZeros = uint64_t(128) << 20;

class Writer {
public:
  Writer(const ContainerRequest &request, std::vector<TargetMessage> &messages)
      : request(request), messages(messages) {}
  std::vector<uint8_t> run();

private:
  void error(const Twine &text);
  void readOptions();
  bool readHeaders();
  bool insertBranch(const ELF::Elf32_Phdr &first);
  bool check(const ELF::Elf32_Phdr &segment);
  void writeAddress(uint32_t address);
  void writeBytes(ArrayRef<uint8_t> bytes);

  const ContainerRequest &request;
  std::vector<TargetMessage> &messages;
  std::vector<uint8_t> program; ///< a copy, with the branch in it
  uint32_t base = 0;
  ELF::Elf32_Ehdr header;
  std::vector<ELF::Elf32_Phdr> segments; ///< those that take memory
  uint64_t zeros = 0;                    ///< of all segments
  std::vector<uint8_t> out;
};

std::string hex(uint64_t value) { return "0x" + utohexstr(value, true); }

void Writer::error(const Twine &text) {
  messages.push_back({TargetMessage::Error, text.str()});
}

void Writer::readOptions() {
  for (const ContainerOption &option : request.options)
    if (option.name == "readmemh-base" &&
        StringRef(option.value).getAsInteger(0, base))
      error("option '--readmemh-base': '" + option.value +
            "' is not an address of 32 bits");
}

/// False: this is no file that could be loaded, which the linker never writes.
bool Writer::readHeaders() {
  const ArrayRef<uint8_t> bytes = request.program;
  if (bytes.size() < sizeof(header))
    return false;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const uint64_t size = uint64_t(header.e_phnum) * sizeof(ELF::Elf32_Phdr);
  if (header.e_phoff > bytes.size() || size > bytes.size() - header.e_phoff)
    return false;
  for (uint32_t i = 0; i < header.e_phnum; ++i) {
    ELF::Elf32_Phdr segment;
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    if (segment.p_type != ELF::PT_LOAD || segment.p_memsz == 0)
      continue;
    if (segment.p_offset > bytes.size() ||
        segment.p_filesz > bytes.size() - segment.p_offset)
      return false;
    segments.push_back(segment);
  }
  program.assign(bytes.begin(), bytes.end());
  return true;
}

/// Lets the first word lead to the entry. False: it cannot.
bool Writer::insertBranch(const ELF::Elf32_Phdr &first) {
  const int64_t distance = int64_t(header.e_entry) - int64_t(first.p_vaddr);
  if (distance == 0)
    return true;
  const std::string what = "execution starts at " + hex(first.p_vaddr) +
                           ", where the image begins, but the entry is at " +
                           hex(header.e_entry);
  // Only the header's place is free.
  if (first.p_offset != 0 || first.p_filesz < sizeof(uint32_t)) {
    error(what + ": there is no ELF header to be replaced by a branch");
    return false;
  }
  if (distance % 4 || distance < -kBranchReach || distance >= kBranchReach) {
    error(what + ", which no branch reaches");
    return false;
  }
  const uint32_t word =
      kBranch | (uint32_t(distance / 4) & ((uint32_t(1) << 25) - 1));
  for (unsigned i = 0; i < 4; ++i)
    program[i] = uint8_t(word >> (8 * i));
  return true;
}

/// Whether a segment is made of words of the memory.
bool Writer::check(const ELF::Elf32_Phdr &segment) {
  const std::string what =
      "the segment that is loaded to " + hex(segment.p_paddr);
  if (segment.p_paddr < base)
    error(what + " lies below the base, " + hex(base));
  else if ((segment.p_paddr - base) % 4)
    error(what + " begins inside a word of 4 bytes");
  else
    return true;
  return false;
}

void Writer::writeAddress(uint32_t address) {
  const std::string digits = utohexstr(address / 4, true, 8);
  out.push_back('@');
  out.insert(out.end(), digits.begin(), digits.end());
  out.push_back('\n');
}

/// Words, the last one filled up with zeros.
void Writer::writeBytes(ArrayRef<uint8_t> bytes) {
  for (size_t i = 0, end = (bytes.size() + 3) & ~size_t(3); i < end; ++i) {
    const uint8_t byte = i < bytes.size() ? bytes[i] : 0;
    out.push_back(uint8_t(hexdigit(byte >> 4, true)));
    out.push_back(uint8_t(hexdigit(byte & 15, true)));
    if (i % 4 == 3)
      out.push_back('\n');
  }
}

std::vector<uint8_t> Writer::run() {
  readOptions();
  if (!readHeaders()) {
    error("the program has no headers to load it by");
    return {};
  }
  bool good = segments.empty() || insertBranch(segments.front());
  for (const ELF::Elf32_Phdr &segment : segments) {
    good &= check(segment);
    zeros += segment.p_memsz - std::min(segment.p_memsz, segment.p_filesz);
  }
  if (zeros > kMaxZeros) {
    error("the image would hold " + Twine(zeros) +
          " bytes of zeros for sections without bytes; with --image or "
          "--oformat=verilog it holds none");
    return {};
  }
  if (!good)
    return {};
  for (const ELF::Elf32_Phdr &segment : segments) {
    writeAddress(segment.p_paddr - base);
    const ArrayRef<uint8_t> bytes =
        ArrayRef<uint8_t>(program).slice(segment.p_offset, segment.p_filesz);
    writeBytes(bytes);
    const uint64_t written = alignTo(bytes.size(), 4);
    if (segment.p_memsz > written)
      writeBytes(std::vector<uint8_t>(segment.p_memsz - written));
  }
  return std::move(out);
}

std::vector<uint8_t> write(const ContainerRequest &request,
                           std::vector<TargetMessage> &messages) {
  return Writer(request, messages).run();
}

} // namespace

extern constinit const Container readMemHContainer = {"readmemh", write,
                                                      nullptr};

} // namespace xlink
