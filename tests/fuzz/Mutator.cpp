//===- Mutator.cpp --------------------------------------------------------===//
//
// libFuzzer's own mutations rarely leave an ELF file whole: most of what they
// change is refused by the first check. So most changes here keep to fields and
// tables: headers of sections, symbols, relocations, groups, contents, names.
// Contents may grow: they move to the end of their file. The machine of an
// object and its flags mostly stay, for another one ends the link at once.
//
// Texts are left to libFuzzer and its dictionary, but for slices that are
// repeated: they find what takes more than its length in time.
//
//===----------------------------------------------------------------------===//
#include "fuzz/Mutator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Compression.h"
#include <algorithm>
#include <cstring>
#include <random>

using namespace llvm;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

namespace xlink::test {

namespace {

constexpr size_t kOptions = 8;

class Mutator {
public:
  Mutator(Bytes &bytes, size_t most, unsigned seed)
      : bytes(bytes), most(most), random(seed) {}

  void objects();
  void archive();
  void text();

private:
  uint64_t below(uint64_t n) { return n ? random() % n : 0; }
  bool oneIn(uint64_t n) { return below(n) == 0; }

  uint64_t get(uint64_t at, unsigned size) const {
    uint64_t v = 0;
    for (unsigned i = 0; i < size && at + i < bytes.size(); ++i)
      v |= uint64_t(bytes[at + i]) << 8 * (isBig ? size - 1 - i : i);
    return v;
  }
  void set(uint64_t at, unsigned size, uint64_t v) {
    for (unsigned i = 0; i < size && at + i < bytes.size(); ++i)
      bytes[at + i] = uint8_t(v >> 8 * (isBig ? size - 1 - i : i));
  }
  uint64_t unusual(uint64_t old);
  void setField(uint64_t at, unsigned size) {
    set(at, size, unusual(get(at, size)));
  }

  // Of the ELF file that is changed.
  struct Section {
    uint64_t header, type, offset, size; ///< offset: in the whole input
  };
  bool findObject();
  unsigned headerSize() const { return is64 ? 64 : 40; }
  uint64_t sectionHeader(uint64_t index) const {
    return base + get(base + (is64 ? 40 : 32), word) + index * headerSize();
  }
  uint64_t sectionCount() const { return get(base + (is64 ? 60 : 48), 2); }
  Section section(uint64_t index) const;
  /// A random one of a type, or of any that has bytes; size 0: there is none.
  Section anySection(std::initializer_list<uint32_t> types);
  /// Where an entry of the section begins.
  uint64_t entryOf(const Section &section, unsigned size) {
    return section.offset + below(section.size / size) * size;
  }
  /// Puts new contents behind all others of the file.
  void setContents(const Section &section, const uint8_t *data, size_t size);

  void change();
  void options();
  void fileHeader();
  void sectionField();
  void sectionKind();
  void copyHeader();
  void addHeader();
  void everySize();
  void symbol();
  void symbolName();
  void relocation();
  void moreEntries();
  void wordOf(std::initializer_list<uint32_t> types);
  void contributions();
  void compress();
  void blind();

  Bytes &bytes;
  const size_t most;
  std::minstd_rand random;
  uint64_t base = 0, end = 0; ///< of the ELF file
  bool is64 = false, isBig = false;
  unsigned word = 4;
};

uint64_t Mutator::unusual(uint64_t old) {
  static const uint64_t ends[] = {0, uint64_t(1) << 31, uint64_t(1) << 32,
                                  uint64_t(1) << 63};
  static const uint64_t away[] = {0, 1, 4, 8, 16, 0x40, 0x1000};
  switch (below(14)) {
  case 0:
    return 0;
  case 1:
    return old + 1;
  case 2:
    return old - 1;
  case 3:
    return bytes.size() - base;
  case 4:
    return 0xff00 + below(0x100);
  case 5:
    return old << below(32);
  case 6:
    return uint64_t(1) << below(64);
  case 7:
    return random();
  case 8:
  case 9:
    return ends[below(4)] - away[below(7)];
  default:
    return below(40);
  }
}

/// Chooses an ELF file of the input.
bool Mutator::findObject() {
  std::vector<uint64_t> places;
  for (uint64_t at = 0; at + 64 < bytes.size(); ++at)
    if (std::memcmp(&bytes[at],
                    "\x7f"
                    "ELF",
                    4) == 0)
      places.push_back(at);
  if (places.empty())
    return false;
  const size_t which = below(places.size());
  base = places[which];
  end = which + 1 < places.size() ? places[which + 1] : bytes.size() - kOptions;
  is64 = bytes[base + 4] == ELF::ELFCLASS64;
  isBig = bytes[base + 5] == ELF::ELFDATA2MSB;
  word = is64 ? 8 : 4;
  return sectionCount() != 0;
}

Mutator::Section Mutator::section(uint64_t index) const {
  const uint64_t header = sectionHeader(index);
  Section s = {header, get(header + 4, 4),
               base + get(header + (is64 ? 24 : 16), word),
               get(header + (is64 ? 32 : 20), word)};
  if (s.offset > end || s.size > end - s.offset ||
      header + headerSize() > bytes.size() || s.type == ELF::SHT_NOBITS)
    s.size = 0;
  return s;
}

Mutator::Section Mutator::anySection(std::initializer_list<uint32_t> types) {
  std::vector<Section> found;
  for (uint64_t i = 1, n = std::min<uint64_t>(sectionCount(), 256); i < n; ++i)
    if (const Section s = section(i);
        s.size && (types.size() == 0 || std::find(types.begin(), types.end(),
                                                  s.type) != types.end()))
      found.push_back(s);
  return found.empty() ? Section{0, 0, 0, 0} : found[below(found.size())];
}

void Mutator::setContents(const Section &s, const uint8_t *data, size_t size) {
  if (bytes.size() + size + 8 > most)
    return;
  Bytes added(data, data + size);
  added.insert(added.begin(), (8 - (end - base) % 8) % 8, 0);
  const uint64_t at = end + added.size() - size;
  bytes.insert(bytes.begin() + end, added.begin(), added.end());
  end += added.size();
  set(s.header + (is64 ? 24 : 16), word, at - base);
  set(s.header + (is64 ? 32 : 20), word, size);
}

void Mutator::options() {
  if (bytes.size() < kOptions)
    return;
  const uint64_t bit = below(8 * kOptions);
  bytes[bytes.size() - kOptions + bit / 8] ^= uint8_t(1 << bit % 8);
}

void Mutator::fileHeader() {
  static const uint8_t at32[] = {7, 32, 36, 46, 48, 50};
  static const uint8_t at64[] = {7, 40, 48, 58, 60, 62};
  static const uint8_t size[] = {1, 4, 4, 2, 2, 2};
  const uint64_t which = below(6);
  if (oneIn(8)) // what ends most links
    return setField(base + 4 + below(16), 1);
  setField(base + (is64 ? at64 : at32)[which], size[which]);
}

void Mutator::sectionField() {
  const uint64_t header = sectionHeader(below(sectionCount()));
  const uint64_t field = below(10);
  static const uint8_t at[] = {0, 4, 8, 16, 24, 32, 40, 44, 48, 56};
  static const uint8_t size[] = {4, 4, 8, 8, 8, 8, 4, 4, 8, 8};
  if (!is64)
    return setField(header + 4 * field, 4);
  setField(header + at[field], size[field]);
}

/// Types and flags that mean something.
void Mutator::sectionKind() {
  static const uint32_t types[] = {
      1,    2,          3,          4,          7,          8,
      9,    14,         15,         16,         17,         18,
      0x14, 0x60000000, 0x6fff4c03, 0x6fff4c0a, 0x6ffffff5, 0x70000003};
  const uint64_t header = sectionHeader(below(sectionCount()));
  if (oneIn(3))
    return set(header + 4, 4, types[below(std::size(types))]);
  static const uint32_t flags[] = {
      1,     2,     4,     0x10,       0x20,       0x40,      0x80,
      0x100, 0x200, 0x400, 0x800,      0x100000,   0x200000,  0x80000000,
      3,     6,     0x32,  0x20000000, 0x10000000, 0x40000000};
  set(header + 8, word, get(header + 8, word) ^ flags[below(std::size(flags))]);
}

/// One header over another, or both exchanged.
void Mutator::copyHeader() {
  const uint64_t a = sectionHeader(below(sectionCount()));
  const uint64_t b = sectionHeader(below(sectionCount()));
  const unsigned size = headerSize();
  if (a == b || a + size > bytes.size() || b + size > bytes.size())
    return;
  const Bytes copy(bytes.begin() + b, bytes.begin() + b + size);
  if (oneIn(2))
    std::memcpy(&bytes[b], &bytes[a], size);
  std::memcpy(&bytes[a], copy.data(), size);
}

/// A further section, which is the copy of another.
void Mutator::addHeader() {
  const uint64_t count = sectionCount(), from = sectionHeader(0);
  const uint64_t size = headerSize();
  if (from > end || count * size > end - from ||
      bytes.size() + (count + 1) * size + 8 > most)
    return;
  Bytes table(bytes.begin() + from, bytes.begin() + from + count * size);
  const uint64_t copied = below(count) * size;
  const Bytes one(table.begin() + copied, table.begin() + copied + size);
  table.insert(table.end(), one.begin(), one.end());
  table.insert(table.begin(), (8 - (end - base) % 8) % 8, 0);
  set(base + (is64 ? 40 : 32), word,
      end - base + table.size() - (count + 1) * size);
  set(base + (is64 ? 60 : 48), 2, count + 1);
  bytes.insert(bytes.begin() + end, table.begin(), table.end());
}

/// What each section may have, their sum may not.
void Mutator::everySize() {
  const uint64_t size = unusual(uint64_t(1) << below(64));
  for (uint64_t i = 1, n = sectionCount(); i < n; ++i)
    if (const uint64_t header = sectionHeader(i);
        get(header + 4, 4) == ELF::SHT_NOBITS)
      set(header + (is64 ? 32 : 20), word, size);
}

void Mutator::symbol() {
  const unsigned size = is64 ? 24 : 16;
  const Section table = anySection({ELF::SHT_SYMTAB});
  if (table.size < size)
    return;
  const uint64_t at = entryOf(table, size);
  static const uint8_t at32[] = {4, 8, 12, 13, 14, 14};
  static const uint8_t at64[] = {8, 16, 4, 5, 6, 6};
  static const uint8_t sizes32[] = {4, 4, 1, 1, 2, 2};
  static const uint8_t sizes64[] = {8, 8, 1, 1, 2, 2};
  const uint64_t field = below(6);
  const uint64_t place = at + (is64 ? at64 : at32)[field];
  if (field == 4)
    return set(place, 2, below(sectionCount()));
  if (field == 2 && oneIn(2))
    return set(place, 1, below(3) << 4 | below(7));
  setField(place, (is64 ? sizes64 : sizes32)[field]);
}

/// The name of another symbol, or an offset near it.
void Mutator::symbolName() {
  const unsigned size = is64 ? 24 : 16;
  const Section table = anySection({ELF::SHT_SYMTAB});
  if (table.size < size)
    return;
  const uint64_t name = get(entryOf(table, size), 4);
  set(entryOf(table, size), 4, name + (oneIn(4) ? below(3) : 0));
}

void Mutator::relocation() {
  const Section table = anySection({ELF::SHT_RELA, ELF::SHT_REL});
  const unsigned size = table.type == ELF::SHT_RELA ? 3 * word : 2 * word;
  if (table.size < size)
    return;
  const uint64_t at = entryOf(table, size);
  switch (below(6)) {
  case 0:
    return set(at, word, oneIn(3) ? unusual(get(at, word)) : below(64));
  case 1:
  case 2: // the type
    return set(at + word, is64 ? 4 : 1, below(oneIn(4) ? 256 : 48));
  case 3: // the symbol
    return set(at + word + (is64 ? 4 : 1), is64 ? 4 : 3, below(24));
  case 4: // another entry
    if (const uint64_t other = entryOf(table, size); other != at)
      std::memcpy(&bytes[at], &bytes[other], size);
    return;
  default:
    if (size == 3 * word)
      setField(at + 2 * word, word);
  }
}

/// A table of entries with one of them once more.
void Mutator::moreEntries() {
  const Section table =
      anySection({ELF::SHT_RELA, ELF::SHT_SYMTAB, ELF::SHT_GROUP, 0x14});
  const uint64_t size = table.type == ELF::SHT_SYMTAB ? (is64 ? 24 : 16)
                        : table.type == ELF::SHT_RELA ? 3 * word
                                                      : 4;
  if (table.size < size || table.size > 1 << 14)
    return;
  Bytes copy(bytes.begin() + table.offset,
             bytes.begin() + table.offset + table.size);
  const uint64_t at = entryOf(table, size);
  const Bytes entry(bytes.begin() + at, bytes.begin() + at + size);
  const uint64_t times = oneIn(16) ? below(200) : 1;
  for (uint64_t n = 0; n < times; ++n)
    copy.insert(copy.end(), entry.begin(), entry.end());
  setContents(table, copy.data(), copy.size());
}

void Mutator::wordOf(std::initializer_list<uint32_t> types) {
  if (const Section s = anySection(types); s.size >= 4)
    setField(entryOf(s, 4), 4);
}

/// libFuzzer's mutations and words of its dictionary, inside of a section.
void Mutator::contributions() {
  const Section s = anySection({});
  if (!s.size || s.size > 1 << 14)
    return;
  const size_t room = size_t(s.size) + (oneIn(2) ? 24 : 0);
  Bytes copy(bytes.begin() + s.offset, bytes.begin() + s.offset + s.size);
  copy.resize(room);
  const size_t size = LLVMFuzzerMutate(copy.data(), size_t(s.size), room);
  if (size > s.size)
    return setContents(s, copy.data(), size);
  std::memcpy(&bytes[s.offset], copy.data(), size);
  set(s.header + (is64 ? 32 : 20), word, size);
}

void Mutator::compress() {
  const Section s = anySection({ELF::SHT_PROGBITS});
  if (!s.size || s.size > 1 << 14)
    return;
  const ArrayRef<uint8_t> plain(&bytes[s.offset], size_t(s.size));
  const bool zstd = oneIn(2);
  SmallVector<uint8_t> packed;
  if (zstd)
    compression::zstd::compress(plain, packed);
  else
    compression::zlib::compress(plain, packed);
  Bytes whole(is64 ? 24 : 12);
  const auto put = [&](size_t at, uint64_t v) {
    for (unsigned i = 0; i < word; ++i)
      whole[at + i] = uint8_t(v >> (8 * i));
  };
  whole[0] = zstd ? 2 : 1;
  put(is64 ? 8 : 4, plain.size() + (oneIn(4) ? below(3) - 1 : 0));
  put(is64 ? 16 : 8, uint64_t(1) << below(5));
  whole.insert(whole.end(), packed.begin(), packed.end());
  set(s.header + 8, word, get(s.header + 8, word) | ELF::SHF_COMPRESSED);
  setContents(s, whole.data(), whole.size());
}

/// Whatever libFuzzer does with the whole input.
void Mutator::blind() {
  const size_t size = bytes.size();
  bytes.resize(most);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), size, most));
}

void Mutator::change() {
  switch (below(24)) {
  case 0:
    return fileHeader();
  case 1:
  case 2:
  case 3:
    return sectionField();
  case 4:
  case 5:
    return sectionKind();
  case 6:
    return copyHeader();
  case 7:
    return addHeader();
  case 8:
    return everySize();
  case 9:
  case 10:
  case 11:
    return symbol();
  case 12:
    return symbolName();
  case 13:
  case 14:
  case 15:
    return relocation();
  case 16:
    return moreEntries();
  case 17:
    return wordOf({ELF::SHT_GROUP, ELF::SHT_SYMTAB_SHNDX, 0x14});
  case 18:
    return wordOf({ELF::SHT_PROGBITS, ELF::SHT_NOTE, 0x60000000, 0x70000003});
  case 19:
    return compress();
  default:
    return contributions();
  }
}

void Mutator::objects() {
  for (uint64_t n = 1 + below(3); n; --n) {
    if (oneIn(6))
      options();
    else if (oneIn(10) || !findObject())
      blind();
    else
      change();
  }
}

/// Fields of an archive's headers, its index and its names.
void Mutator::archive() {
  if (oneIn(3) && findObject())
    return change();
  if (oneIn(6))
    return options();
  std::vector<size_t> headers;
  for (size_t at = 58; at + 1 < bytes.size(); ++at)
    if (bytes[at] == '`' && bytes[at + 1] == '\n')
      headers.push_back(at - 58);
  if (headers.empty() || oneIn(3))
    return blind();
  static const char *const sizes[] = {"9999999999", "-1        ", "0         ",
                                      "          ", "1         ", "99999     ",
                                      "abc       ", "4294967295"};
  static const char *const names[] = {
      "/               ", "//              ", "/0              ",
      "/999999999999999", "#1/0            ", "#1/4294967295   ",
      "                ", "/SYM64/         ", "__.SYMDEF       ",
      "#1/20           ", "__.SYMDEF_64    ", "/7              "};
  const size_t header = headers[below(headers.size())];
  const auto put = [&](size_t at, const char *text) {
    for (; *text && at < bytes.size(); ++text)
      bytes[at++] = uint8_t(*text);
  };
  switch (below(5)) {
  case 0:
    return put(header + 48, sizes[below(std::size(sizes))]);
  case 1:
    return put(header, names[below(std::size(names))]);
  case 2:
    return put(header + 48 + below(3), below(2) ? "1" : "9");
  default:
    return setField(header + 60 + 4 * below(8), 4);
  }
}

/// A slice of it again and again.
void Mutator::text() {
  const size_t from = size_t(below(bytes.size()));
  const size_t length =
      1 + size_t(below(std::min<size_t>(bytes.size() - from, 24)));
  const size_t room = most - bytes.size();
  const size_t times = std::min<size_t>(room / length, 1 + below(2000));
  const Bytes slice(bytes.begin() + from, bytes.begin() + from + length);
  Bytes repeated;
  for (size_t n = 0; n < times; ++n)
    repeated.insert(repeated.end(), slice.begin(), slice.end());
  bytes.insert(bytes.begin() + from, repeated.begin(), repeated.end());
}

} // namespace

size_t mutateInput(InputForm form, uint8_t *data, size_t size, size_t most,
                   unsigned seed) {
  const bool isText = form == InputForm::Text || form == InputForm::Binary;
  if (size == 0 || (isText && seed % 256))
    return LLVMFuzzerMutate(data, size, most);
  Bytes bytes(data, data + size);
  Mutator mutator(bytes, most, seed + 1);
  if (isText)
    mutator.text();
  else if (form == InputForm::Archive)
    mutator.archive();
  else
    mutator.objects();
  bytes.resize(std::min(bytes.size(), most));
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

} // namespace xlink::test
