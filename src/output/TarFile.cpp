//===- TarFile.cpp --------------------------------------------------------===//
//
// Problem: an archive that every tar unpacks, the same for the same files, and
// written where a link's other outputs go. LLVM's TarWriter writes to a file of
// the operating system alone.
//
// Method: POSIX's ustar format: a block of 512 bytes describes a file, and its
// bytes fill whole blocks. A name that does not fit there stands in an extended
// header in front of it (pax). No times, owners or modes of the inputs' own.
//
// Cost: each byte is written once.
//
//===----------------------------------------------------------------------===//
#include "output/TarFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdio>
#include <cstring>

using namespace llvm;

namespace xlink {

static constexpr size_t kBlock = 512;

namespace {

/// The header of one member (POSIX.1-1988).
struct TarHeader {
  char name[100], mode[8], owner[8], group[8], size[12], time[12], checksum[8];
  char type, link[100], magic[6], version[2], user[32], groupName[32];
  char device[16], prefix[155], unused[12];
};
static_assert(sizeof(TarHeader) == kBlock);

} // namespace

/// A header of a type: '0' is a file, 'x' more about the next member.
static std::string headerOf(StringRef name, uint64_t size, char type) {
  TarHeader h;
  std::memset(&h, 0, sizeof(h));
  std::memcpy(h.name, name.data(), std::min(name.size(), sizeof(h.name)));
  std::memcpy(h.mode, "0000664", 8);
  std::memcpy(h.owner, "0000000", 8);
  std::memcpy(h.group, "0000000", 8);
  std::snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)size);
  std::memcpy(h.time, "00000000000", 12);
  h.type = type;
  std::memcpy(h.magic, "ustar", 6);
  std::memcpy(h.version, "00", 2);
  std::memset(h.checksum, ' ', sizeof(h.checksum));
  unsigned sum = 0;
  for (size_t i = 0; i < kBlock; ++i)
    sum += reinterpret_cast<const unsigned char *>(&h)[i];
  std::snprintf(h.checksum, sizeof(h.checksum), "%06o", sum);
  return std::string(reinterpret_cast<const char *>(&h), kBlock);
}

/// "LENGTH path=NAME\n". The length counts its own digits.
static std::string pathRecord(StringRef name) {
  const std::string rest = " path=" + name.str() + "\n";
  size_t length = rest.size();
  while (std::to_string(length).size() + rest.size() != length)
    length = std::to_string(length).size() + rest.size();
  return std::to_string(length) + rest;
}

TarFile::TarFile(OutputSink &sink, StringRef path) {
  file = sink.open(path, std::nullopt, /*executable=*/false, error);
}

/// Writes bytes and fills the block.
void TarFile::put(StringRef bytes) {
  if (error.empty() && !bytes.empty())
    error = file->writeAt(size, arrayRefFromStringRef(bytes));
  size += alignTo(bytes.size(), kBlock);
}

void TarFile::add(StringRef name, StringRef bytes) {
  if (!names.insert(name).second)
    return;
  if (name.size() > sizeof(TarHeader::name)) {
    const std::string record = pathRecord(name);
    put(headerOf("path", record.size(), 'x'));
    put(record);
  }
  put(headerOf(name, bytes.size(), '0'));
  put(bytes);
}

std::string TarFile::finish() {
  put(std::string(2 * kBlock, '\0'));
  return error.empty() ? file->commit() : error;
}

} // namespace xlink
