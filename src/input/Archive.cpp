//===- Archive.cpp - static libraries -------------------------------------===//
//
// An archive is a magic word and a chain of members, each behind a header of 60
// characters that states its size. Three dialects:
//
//   GNU   names of up to 15 characters end in '/'; longer ones are "/123", an
//         offset into the member "//"; the index is "/" (32-bit, big-endian)
//         or "/SYM64/" (64-bit): a count, member offsets, the names.
//   BSD   names of up to 16 characters, or "#1/N": then the contents begin
//         with N bytes of name; the index is "__.SYMDEF": pairs of a name's
//         offset in a string table and a member's offset, little-endian.
//   thin  GNU's with the magic "!<thin>\n": only special members have contents,
//         the names of the others are paths of files.
//
// Method: one walk along the chain checks every header and records its offset;
// then the index, whose offsets must be among these. They ascend, so bisection
// finds an offset; in real archives, whose indices ascend too, it is next to
// the last one.
//
// Threads divide the names of a large GNU index by bytes. One thread walks
// along the members; the others count the names that end in each part, and read
// the pages with the members' headers, the last ones first; then the numbers of
// each part's symbols are known. This way stops at the first fault: the usual
// way finds it again and reports it.
//
// Members begin at even offsets, with a newline in the gap; some vendors' tools
// omit the gap, so a header at the odd offset counts (it ends with a fixed pair
// of characters, which cannot match at both places).
//
//===----------------------------------------------------------------------===//
#include "input/Archive.h"
#include "input/NameTable.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <atomic>
#include <utility>

using namespace llvm;
using namespace llvm::support::endian;

namespace xlink {

namespace {

constexpr size_t kMagicSize = 8;
/// ar_name, ar_date, ar_uid, ar_gid, ar_mode, ar_size, ar_fmag.
constexpr size_t kHeaderSize = 60;
constexpr size_t kNameSize = 16;
constexpr size_t kSizeAt = 48, kSizeDigits = 10;
constexpr size_t kEndAt = 58;
constexpr unsigned kMaxErrors = 10;
/// From here on several threads read an index, each parts of its names.
constexpr size_t kLargeIndex = size_t(1) << 20;
constexpr size_t kIndexPart = size_t(128) << 10;

class ArchiveReader {
public:
  ArchiveReader(StringRef path, ArrayRef<uint8_t> bytes, DiagnosticBuffer &diag,
                const Parallel &parallel)
      : bytes(bytes), diag(diag), parallel(parallel), names(bytes.size()) {
    archive->path = path.str();
  }

  std::unique_ptr<Archive> run(std::shared_ptr<const void> owner);

private:
  /// The kind of the index member.
  enum class IndexKind : uint8_t { None, Gnu32, Gnu64, Bsd32, Bsd64 };

  struct MemberHeader {
    uint64_t offset;        ///< where it stands
    uint64_t size;          ///< as it says
    StringRef field;        ///< ar_name without blanks at its end
    ArrayRef<uint8_t> data; ///< of the member, as far as the archive has it
  };
  static IndexKind gnuIndexKind(StringRef field);
  static IndexKind bsdIndexKind(StringRef name);
  std::optional<MemberHeader> readHeader(uint64_t at);
  bool readMember(uint64_t &at);
  void addMember(const MemberHeader &header);
  bool takeName(const MemberHeader &header, std::string &name,
                ArrayRef<uint8_t> &data);
  std::optional<uint64_t> readNumber(StringRef digits) const;
  bool headerAt(uint64_t at) const;
  bool longName(uint64_t header, StringRef digits, std::string &name);
  void setIndex(uint64_t header, IndexKind kind, ArrayRef<uint8_t> data);
  void walk(uint64_t at);
  bool hasLargeIndex() const;
  template <class Word> void touchHeaders(ArrayRef<uint8_t> words);
  template <class Word> bool readWhileWalking(uint64_t at);
  template <class Word>
  bool readPart(StringRef strings, size_t begin, uint64_t number);
  size_t findMember(uint64_t offset, size_t last) const;
  void readIndex();
  template <class Word> void readGnuIndex();
  template <class Word> void readBsdIndex();
  void addSymbol(uint64_t number, StringRef name, uint64_t memberOffset);

  StringRef text(uint64_t at, size_t size) const {
    return {reinterpret_cast<const char *>(bytes.data() + at), size};
  }
  bool saturated() const { return errors >= kMaxErrors; }
  void error(const Twine &message) {
    if (++errors > kMaxErrors)
      return;
    diag.error((archive->path + ": " + message).str());
    if (errors == kMaxErrors)
      diag.error(archive->path + ": further errors in this file are not shown");
  }
  void headerError(uint64_t header, const Twine &message) {
    error("member header at offset " + hex(header) + ": " + message);
  }
  void indexError(const Twine &message) {
    error("symbol index at offset " + hex(indexHeader) + ": " + message);
  }

  ArrayRef<uint8_t> bytes;
  DiagnosticBuffer &diag;
  const Parallel parallel;
  std::unique_ptr<Archive> archive = std::make_unique<Archive>();
  NameBudget names;
  unsigned errors = 0;

  std::optional<StringRef> longNames; ///< contents of "//"
  IndexKind indexKind = IndexKind::None;
  uint64_t indexHeader = 0; ///< offset of the index's header
  ArrayRef<uint8_t> index;  ///< its contents
  size_t lastMember = 0;    ///< where the last index offset was found
};

/// Decimal digits and then blanks only; nothing else, and no overflow.
std::optional<uint64_t> ArchiveReader::readNumber(StringRef digits) const {
  digits = digits.rtrim(' ');
  if (digits.empty() || digits.size() > 18)
    return std::nullopt;
  uint64_t value = 0;
  for (char c : digits) {
    if (c < '0' || c > '9')
      return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool ArchiveReader::headerAt(uint64_t at) const {
  return at <= bytes.size() && bytes.size() - at >= kHeaderSize &&
         text(at + kEndAt, 2) == "`\n";
}

/// The name at an offset of the table of long names: up to "/\n", or to a
/// newline or NUL, as other tools end it.
bool ArchiveReader::longName(uint64_t header, StringRef digits,
                             std::string &name) {
  // GNU ar writes "/12:345" for the member at 345 of the archive named at 12.
  if (archive->thin && digits.contains(':')) {
    headerError(header, "nested archives in a thin archive are not supported");
    return false;
  }
  std::optional<uint64_t> offset = readNumber(digits);
  if (!offset) {
    headerError(header, "name '/" + digits +
                            "' is not an offset into the name "
                            "table");
    return false;
  }
  if (!longNames) {
    headerError(header, "name '/" + digits +
                            "' refers to a name table, but "
                            "there is none before it");
    return false;
  }
  if (*offset >= longNames->size()) {
    headerError(header, "name offset " + Twine(*offset) +
                            " is beyond the end of the name table (" +
                            hex(longNames->size()) + " bytes)");
    return false;
  }
  StringRef rest = longNames->substr(*offset);
  size_t end = rest.find_first_of(StringRef("\n\0", 2));
  StringRef found = rest.take_front(end);
  if (end != StringRef::npos && rest[end] == '\n')
    found.consume_back("/");
  if (end == StringRef::npos || found.empty()) {
    headerError(header, "name at offset " + Twine(*offset) +
                            " of the name table " +
                            (found.empty() ? "is empty" : "has no end"));
    return false;
  }
  if (!names.take(found.size())) {
    headerError(header, "the names of the members are longer together than the "
                        "archive's size allows");
    return false;
  }
  name = found.str();
  return true;
}

ArchiveReader::IndexKind ArchiveReader::gnuIndexKind(StringRef field) {
  return field == "/"         ? IndexKind::Gnu32
         : field == "/SYM64/" ? IndexKind::Gnu64
                              : IndexKind::None;
}

ArchiveReader::IndexKind ArchiveReader::bsdIndexKind(StringRef name) {
  name.consume_back(" SORTED");
  return name == "__.SYMDEF"      ? IndexKind::Bsd32
         : name == "__.SYMDEF_64" ? IndexKind::Bsd64
                                  : IndexKind::None;
}

void ArchiveReader::setIndex(uint64_t header, IndexKind kind,
                             ArrayRef<uint8_t> data) {
  if (indexKind != IndexKind::None)
    return headerError(header,
                       "a second symbol index; the first is at offset " +
                           hex(indexHeader));
  indexKind = kind;
  indexHeader = header;
  index = data;
}

/// The header at `at`; nothing when the chain cannot be followed any further.
std::optional<ArchiveReader::MemberHeader>
ArchiveReader::readHeader(uint64_t at) {
  auto fail = [&](const Twine &text) {
    headerError(at, text);
    return std::nullopt;
  };
  const uint64_t left = bytes.size() - at;
  if (left < kHeaderSize)
    return fail("the file ends after " + hex(left) + " of " + hex(kHeaderSize) +
                " bytes");
  if (text(at + kEndAt, 2) != "`\n")
    return fail("does not end in a backquote and a newline");
  StringRef sizeText = text(at + kSizeAt, kSizeDigits);
  std::optional<uint64_t> size = readNumber(sizeText);
  if (!size)
    return fail("size '" + sizeText.rtrim(' ') + "' is not a number");
  StringRef field = text(at, kNameSize).rtrim(' ');
  // Only special members have contents in a thin archive.
  const bool special = field == "//" ||
                       gnuIndexKind(field) != IndexKind::None ||
                       bsdIndexKind(field) != IndexKind::None;
  const uint64_t stored = archive->thin && !special ? 0 : *size;
  if (stored > left - kHeaderSize)
    return fail("size " + hex(*size) + " is beyond the end of the file (" +
                hex(bytes.size()) + " bytes)");
  return MemberHeader{at, *size, field, bytes.slice(at + kHeaderSize, stored)};
}

/// Reads the member at `at` and moves on to the next one. False when the chain
/// cannot be followed any further.
bool ArchiveReader::readMember(uint64_t &at) {
  std::optional<MemberHeader> header = readHeader(at);
  if (!header)
    return false;
  at += kHeaderSize + header->data.size();
  if ((at & 1) && !(headerAt(at) && !headerAt(at + 1)))
    at = std::min<uint64_t>(at + 1, bytes.size());
  addMember(*header);
  return true;
}

/// The member of this header: the name table, the index, or another. An error
/// affects this one only.
void ArchiveReader::addMember(const MemberHeader &header) {
  if (header.field == "//") {
    if (longNames)
      headerError(header.offset, "a second name table");
    longNames = toStringRef(header.data);
    return;
  }
  if (IndexKind kind = gnuIndexKind(header.field); kind != IndexKind::None)
    return setIndex(header.offset, kind, header.data);

  std::string name;
  ArrayRef<uint8_t> data = header.data;
  if (!takeName(header, name, data))
    return;
  if (IndexKind kind = bsdIndexKind(name); kind != IndexKind::None)
    return setIndex(header.offset, kind, data);
  if (name.empty())
    return headerError(header.offset, "the member has no name");
  ArchiveMember &member = archive->members.emplace_back();
  member.offset = header.offset;
  member.size = archive->thin ? header.size : data.size();
  member.data = data;
  if (archive->thin) {
    SmallString<128> file(name);
    if (!sys::path::is_absolute(name)) {
      file = sys::path::parent_path(archive->path);
      sys::path::append(file, name);
    }
    member.thinPath = std::string(file);
  }
  member.name = std::move(name);
}

/// The member's name in any of the dialects. BSD's stands in front of the
/// contents and is dropped from `data`.
bool ArchiveReader::takeName(const MemberHeader &header, std::string &name,
                             ArrayRef<uint8_t> &data) {
  StringRef field = header.field;
  if (field.starts_with("#1/")) {
    std::optional<uint64_t> length = readNumber(field.drop_front(3));
    if (archive->thin) {
      headerError(header.offset,
                  "a name of the form '" + field + "' in a thin archive");
      return false;
    }
    if (!length || *length > data.size()) {
      headerError(header.offset,
                  "name length in '" + field +
                      "' is not a number up to the member's size " +
                      hex(header.size));
      return false;
    }
    name = toStringRef(data.take_front(*length)).split('\0').first.str();
    data = data.drop_front(*length);
    return true;
  }
  if (field.consume_front("/"))
    return longName(header.offset, field, name);
  field.consume_back("/");
  name = field.str();
  return true;
}

/// The member whose header stands at an offset, looked for near the one that
/// was found last; the number of members: there is none.
size_t ArchiveReader::findMember(uint64_t offset, size_t last) const {
  const std::vector<ArchiveMember> &members = archive->members;
  for (size_t near : {last, last + 1})
    if (near < members.size() && members[near].offset == offset)
      return near;
  const size_t found =
      std::lower_bound(
          members.begin(), members.end(), offset,
          [](const ArchiveMember &m, uint64_t at) { return m.offset < at; }) -
      members.begin();
  return found < members.size() && members[found].offset == offset
             ? found
             : members.size();
}

void ArchiveReader::addSymbol(uint64_t number, StringRef name,
                              uint64_t memberOffset) {
  const size_t member = findMember(memberOffset, lastMember);
  if (member == archive->members.size())
    return indexError("symbol " + Twine(number) + " (" + name + "): offset " +
                      hex(memberOffset) + " is not that of a member header");
  lastMember = member;
  archive->symbols.push_back(
      {name.data(), uint32_t(name.size()), uint32_t(member)});
}

template <class Word> void ArchiveReader::readGnuIndex() {
  auto word = [&](uint64_t i) {
    return uint64_t(
        read<Word, endianness::big>(index.data() + i * sizeof(Word)));
  };
  if (index.size() < sizeof(Word))
    return indexError("its size " + hex(index.size()) +
                      " is too small for a count");
  uint64_t count = word(0);
  if (count > (index.size() - sizeof(Word)) / sizeof(Word))
    return indexError("its count of " + Twine(count) +
                      " symbols is beyond the end of the index (" +
                      hex(index.size()) + " bytes)");
  ArrayRef<uint8_t> rest = index.drop_front((count + 1) * sizeof(Word));
  StringRef strings(reinterpret_cast<const char *>(rest.data()), rest.size());
  archive->symbols.reserve(count);
  for (uint64_t i = 0; i < count && !saturated(); ++i) {
    size_t end = strings.find('\0');
    if (end == StringRef::npos)
      return indexError("the name of symbol " + Twine(i) +
                        " is beyond the end of the index");
    addSymbol(i, strings.take_front(end), word(i + 1));
    strings = strings.drop_front(end + 1);
  }
}

template <class Word> void ArchiveReader::readBsdIndex() {
  constexpr size_t size = sizeof(Word);
  auto word = [&](uint64_t at) {
    return uint64_t(read<Word, endianness::little>(index.data() + at));
  };
  if (index.size() < 2 * size)
    return indexError("its size " + hex(index.size()) +
                      " is too small for the sizes of its tables");
  uint64_t pairs = word(0);
  if (pairs % (2 * size) != 0 || pairs > index.size() - 2 * size)
    return indexError("its table of symbols has " + hex(pairs) +
                      " bytes, in an index of " + hex(index.size()) + " bytes");
  uint64_t stringSize = word(size + pairs);
  if (stringSize > index.size() - 2 * size - pairs)
    return indexError("its string table has " + hex(stringSize) +
                      " bytes, in an index of " + hex(index.size()) + " bytes");
  NameTable strings;
  if (!strings.assign(index.slice(2 * size + pairs, stringSize)))
    return indexError("its string table does not end in NUL");
  uint64_t count = pairs / (2 * size);
  archive->symbols.reserve(count);
  for (uint64_t i = 0; i < count && !saturated(); ++i) {
    uint64_t nameOffset = word(size + i * 2 * size);
    StringRef name;
    switch (strings.get(nameOffset, names, name)) {
    case NameTable::Result::Ok:
      addSymbol(i, name, word(size + i * 2 * size + size));
      break;
    case NameTable::Result::OutOfRange:
      indexError("symbol " + Twine(i) + ": name offset " + hex(nameOffset) +
                 " is beyond the end of its string table (" +
                 hex(strings.size()) + " bytes)");
      break;
    case NameTable::Result::TooMuch:
      return indexError("its names are longer together than the archive's size "
                        "allows");
    }
  }
}

void ArchiveReader::readIndex() {
  switch (indexKind) {
  case IndexKind::None:
    return;
  case IndexKind::Gnu32:
    return readGnuIndex<uint32_t>();
  case IndexKind::Gnu64:
    return readGnuIndex<uint64_t>();
  case IndexKind::Bsd32:
    return readBsdIndex<uint32_t>();
  case IndexKind::Bsd64:
    return readBsdIndex<uint64_t>();
  }
}

/// Follows the chain from `at` on.
void ArchiveReader::walk(uint64_t at) {
  while (at < bytes.size() && !saturated())
    if (!readMember(at))
      break;
}

bool ArchiveReader::hasLargeIndex() const {
  return parallel.threads() > 1 && index.size() >= kLargeIndex &&
         (indexKind == IndexKind::Gnu32 || indexKind == IndexKind::Gnu64);
}

/// Enters the symbols whose names begin in a part of the names. `number`: of
/// names that end in front of it. False where something is wrong.
template <class Word>
bool ArchiveReader::readPart(StringRef strings, size_t begin, uint64_t number) {
  const size_t end = std::min(begin + kIndexPart, strings.size());
  const uint8_t *offsets = index.data() + sizeof(Word);
  // A name that began in front of it is another part's.
  if (begin != 0 && strings[begin - 1] != 0) {
    begin = strings.find('\0', begin);
    if (begin == StringRef::npos)
      return true;
    ++begin;
    ++number;
  }
  size_t member = 0;
  for (; begin < end && number < archive->symbols.size(); ++number) {
    const size_t stop = strings.find('\0', begin);
    member = findMember(
        read<Word, endianness::big>(offsets + number * sizeof(Word)), member);
    if (stop == StringRef::npos || member == archive->members.size())
      return false;
    archive->symbols[number] = {strings.data() + begin, uint32_t(stop - begin),
                                uint32_t(member)};
    begin = stop + 1;
  }
  return true;
}

/// Reads a byte of each member's header that the words of an index lead to.
template <class Word>
void ArchiveReader::touchHeaders(ArrayRef<uint8_t> words) {
  uint64_t last = 0;
  for (; words.size() >= sizeof(Word); words = words.drop_back(sizeof(Word))) {
    const uint64_t at = read<Word, endianness::big>(words.end() - sizeof(Word));
    if (at != last && at < bytes.size())
      (void)*const_cast<const volatile uint8_t *>(&bytes[at]);
    last = at;
  }
}

/// Follows the chain from `at` on and reads the index, by several threads;
/// false where something is wrong with the index.
template <class Word> bool ArchiveReader::readWhileWalking(uint64_t at) {
  const ArrayRef<uint8_t> own = index;
  const uint64_t count = read<Word, endianness::big>(own.data());
  if (count > (own.size() - sizeof(Word)) / sizeof(Word)) {
    walk(at);
    return false;
  }
  const ArrayRef<uint8_t> words = own.slice(sizeof(Word), count * sizeof(Word));
  const StringRef strings =
      toStringRef(own.drop_front(sizeof(Word) + words.size()));
  std::vector<uint64_t> ends(strings.size() / kIndexPart + 1);
  const size_t wordParts = words.size() / kIndexPart + 1;
  parallel.forEach(1 + ends.size() + wordParts, own.size() * 4, [&](size_t i) {
    if (i == 0)
      return walk(at);
    if (--i < ends.size())
      ends[i] = strings.substr(i * kIndexPart, kIndexPart).count('\0');
    else
      touchHeaders<Word>(
          words.drop_front((wordParts - 1 - (i - ends.size())) * kIndexPart)
              .take_front(kIndexPart));
  });
  uint64_t names = 0;
  for (uint64_t &end : ends)
    names += std::exchange(end, names);
  if (errors || names < count)
    return false;
  archive->symbols.resize(count);
  std::atomic<bool> fine = true;
  parallel.forEach(ends.size(), own.size() * 4, [&](size_t i) {
    if (!readPart<Word>(strings, i * kIndexPart, ends[i]))
      fine = false;
  });
  return fine;
}

std::unique_ptr<Archive> ArchiveReader::run(std::shared_ptr<const void> owner) {
  StringRef magic = text(0, std::min(bytes.size(), kMagicSize));
  archive->thin = magic == "!<thin>\n";
  if (!archive->thin && magic != "!<arch>\n") {
    error("no archive: it does not begin with '!<arch>' or '!<thin>'");
    return nullptr;
  }
  // A GNU index stands in front.
  uint64_t at = kMagicSize;
  const bool more = at < bytes.size() && readMember(at);
  bool isRead = false;
  if (more && hasLargeIndex())
    isRead = indexKind == IndexKind::Gnu32 ? readWhileWalking<uint32_t>(at)
                                           : readWhileWalking<uint64_t>(at);
  else if (more)
    walk(at);
  // Which offsets are right cannot be told when members are missing.
  if (!errors && !isRead) {
    archive->symbols.clear();
    readIndex();
  }
  if (errors)
    return nullptr;
  // An ar that does not know the machine writes an index without a symbol in
  // it: as good as none.
  archive->hasIndex = !archive->symbols.empty();
  archive->owner = std::move(owner);
  return std::move(archive);
}

} // namespace

std::unique_ptr<Archive> parseArchive(StringRef path, ArrayRef<uint8_t> bytes,
                                      std::shared_ptr<const void> owner,
                                      DiagnosticBuffer &diag,
                                      const Parallel &parallel) {
  return ArchiveReader(path, bytes, diag, parallel).run(std::move(owner));
}

} // namespace xlink
