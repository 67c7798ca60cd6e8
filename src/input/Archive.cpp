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
// finds an offset. A GNU index is the first member: another thread finds its
// names while one walks on.
//
// Cost: linear in the size of headers, names and index; a bisection for each
// symbol of the index.
//
// Members begin at even offsets, with a newline in the gap; some vendors' tools
// omit the gap, so a header at the odd offset counts (it ends with a fixed pair
// of characters, which cannot match at both places).
//
//===----------------------------------------------------------------------===//
#include "input/Archive.h"
#include "input/NameTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <optional>

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

/// The form of the index member.
struct IndexForm {
  bool isBsd;
  size_t wordSize; ///< in bytes
};

std::optional<IndexForm> indexFormOf(StringRef name) {
  return StringSwitch<std::optional<IndexForm>>(name)
      .Case("/", IndexForm{false, 4})
      .Case("/SYM64/", IndexForm{false, 8})
      .Cases("__.SYMDEF", "__.SYMDEF SORTED", IndexForm{true, 4})
      .Cases("__.SYMDEF_64", "__.SYMDEF_64 SORTED", IndexForm{true, 8})
      .Default(std::nullopt);
}

/// Decimal digits and then blanks only; nothing else, and no overflow.
std::optional<uint64_t> readNumber(StringRef digits) {
  uint64_t value;
  return digits.rtrim(' ').getAsInteger(10, value) ? std::nullopt
                                                   : std::optional(value);
}

class ArchiveReader {
public:
  ArchiveReader(StringRef path, ArrayRef<uint8_t> bytes, DiagnosticBuffer &diag,
                const Parallel &parallel)
      : bytes(bytes), diag(diag), parallel(parallel), names(bytes.size()) {
    archive->path = path.str();
  }

  std::unique_ptr<Archive> run(std::shared_ptr<const void> owner) {
    StringRef magic = text(0, std::min(bytes.size(), kMagicSize));
    archive->thin = magic == "!<thin>\n";
    if (!archive->thin && magic != "!<arch>\n") {
      error("no archive: it does not begin with '!<arch>' or '!<thin>'");
      return nullptr;
    }
    uint64_t at = kMagicSize;
    while (!form && at < bytes.size() && !saturated())
      at = readMember(at);
    constexpr size_t kWorkOfByte = 8; // names are short
    parallel.forEach(2, index.size() * kWorkOfByte, [&](size_t i) {
      if (i == 0 && form && !form->isBsd)
        splitNames();
      while (i == 1 && at < bytes.size() && !saturated())
        at = readMember(at);
    });
    // Which offsets are right cannot be told when members are missing.
    if (!errors && form)
      form->isBsd ? readBsdIndex() : readGnuIndex();
    if (errors)
      return nullptr;
    // An ar that does not know the machine writes an index without a symbol in
    // it: as good as none.
    archive->hasIndex = !archive->symbols.empty();
    archive->owner = std::move(owner);
    return std::move(archive);
  }

private:
  struct MemberHeader {
    uint64_t offset;        ///< where it stands
    uint64_t size;          ///< as it says
    StringRef field;        ///< ar_name without blanks at its end
    ArrayRef<uint8_t> data; ///< of the member, as far as the archive has it
  };
  /// Reads the member at `at`; returns where the next one is, or the end.
  uint64_t readMember(uint64_t at) {
    const std::optional<MemberHeader> header = readHeader(at);
    if (!header)
      return bytes.size();
    at += kHeaderSize + header->data.size();
    if ((at & 1) && !(headerAt(at) && !headerAt(at + 1)))
      at = std::min<uint64_t>(at + 1, bytes.size());
    addMember(*header);
    return at;
  }
  /// The header at `at`; nothing when the chain cannot be followed any further.
  std::optional<MemberHeader> readHeader(uint64_t at) {
    auto fail = [&](const Twine &text) {
      headerError(at, text);
      return std::nullopt;
    };
    const uint64_t left = bytes.size() - at;
    if (left < kHeaderSize)
      return fail("the file ends after " + hex(left) + " of " +
                  hex(kHeaderSize) + " bytes");
    if (text(at + kEndAt, 2) != "`\n")
      return fail("does not end in a backquote and a newline");
    StringRef sizeText = text(at + kSizeAt, kSizeDigits);
    std::optional<uint64_t> size = readNumber(sizeText);
    if (!size)
      return fail("size '" + sizeText.rtrim(' ') + "' is not a number");
    StringRef field = text(at, kNameSize).rtrim(' ');
    // Only special members have contents in a thin archive.
    const bool special = field == "//" || indexFormOf(field);
    const uint64_t stored = archive->thin && !special ? 0 : *size;
    if (stored > left - kHeaderSize)
      return fail("size " + hex(*size) + " is beyond the end of the file (" +
                  hex(bytes.size()) + " bytes)");
    return MemberHeader{at, *size, field,
                        bytes.slice(at + kHeaderSize, stored)};
  }
  /// The member of this header: the name table, the index, or another. An error
  /// affects this one only.
  void addMember(const MemberHeader &header) {
    if (header.field == "//") {
      if (longNames)
        headerError(header.offset, "a second name table");
      longNames = toStringRef(header.data);
      return;
    }
    if (const auto found = indexFormOf(header.field))
      return setIndex(header.offset, *found, header.data);

    std::string name;
    ArrayRef<uint8_t> data = header.data;
    if (!takeName(header, name, data))
      return;
    if (const auto found = indexFormOf(name); found && found->isBsd)
      return setIndex(header.offset, *found, data);
    if (name.empty()) {
      headerError(header.offset, "the member has no name");
      return;
    }
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
  bool takeName(const MemberHeader &header, std::string &name,
                ArrayRef<uint8_t> &data) {
    StringRef field = header.field;
    if (field.starts_with("#1/")) {
      std::optional<uint64_t> length = readNumber(field.drop_front(3));
      if (archive->thin)
        return headerError(header.offset, "a name of the form '" + field +
                                              "' in a thin archive");
      if (!length || *length > data.size())
        return headerError(header.offset,
                           "name length in '" + field +
                               "' is not a number up to the member's size " +
                               hex(header.size));
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
  /// The name at an offset of the table of long names: up to "/\n", or to a
  /// newline or NUL, as other tools end it.
  bool longName(uint64_t header, StringRef digits, std::string &name) {
    // GNU ar writes "/12:345" for the member at 345 of the archive named at 12.
    if (archive->thin && digits.contains(':'))
      return headerError(header,
                         "nested archives in a thin archive are not supported");
    std::optional<uint64_t> offset = readNumber(digits);
    if (!offset || !longNames)
      return headerError(
          header, "name '/" + digits +
                      (offset ? "' refers to a name table, but there is none "
                                "before it"
                              : "' is not an offset into the name table"));
    if (*offset >= longNames->size())
      return headerError(header, "name offset " + Twine(*offset) +
                                     " is beyond the end of the name table (" +
                                     hex(longNames->size()) + " bytes)");
    StringRef rest = longNames->substr(*offset);
    size_t end = rest.find_first_of(StringRef("\n\0", 2));
    StringRef found = rest.take_front(end);
    if (end != StringRef::npos && rest[end] == '\n')
      found.consume_back("/");
    if (end == StringRef::npos || found.empty())
      return headerError(
          header, "name at offset " + Twine(*offset) + " of the name table " +
                      (found.empty() ? "is empty" : "has no end"));
    if (!names.take(found.size()))
      return headerError(
          header, "the names of the members are longer together than the "
                  "archive's size allows");
    name = found.str();
    return true;
  }
  bool headerAt(uint64_t at) const {
    return at <= bytes.size() && bytes.size() - at >= kHeaderSize &&
           text(at + kEndAt, 2) == "`\n";
  }
  void setIndex(uint64_t header, IndexForm found, ArrayRef<uint8_t> data) {
    if (form) {
      headerError(header, "a second symbol index; the first is at offset " +
                              hex(indexHeader));
      return;
    }
    form = found;
    wordSize = found.wordSize;
    indexHeader = header;
    index = data;
  }
  /// Finds the names of a GNU index, up to one without an end. Reports nothing:
  /// readGnuIndex() does.
  void splitNames() {
    const size_t words = index.size() / wordSize;
    if (words == 0 || indexWord(0) > words - 1)
      return;
    const uint64_t count = indexWord(0);
    StringRef strings = toStringRef(index.drop_front((count + 1) * wordSize));
    archive->symbols.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
      const size_t end = strings.find('\0');
      if (end == StringRef::npos)
        return;
      archive->symbols.push_back({strings.data(), uint32_t(end), 0});
      strings = strings.drop_front(end + 1);
    }
  }
  void readGnuIndex() {
    if (index.size() < wordSize)
      return indexError("its size " + hex(index.size()) +
                        " is too small for a count");
    const uint64_t count = indexWord(0);
    if (count > (index.size() - wordSize) / wordSize)
      return indexError("its count of " + Twine(count) +
                        " symbols is beyond the end of the index (" +
                        hex(index.size()) + " bytes)");
    for (uint64_t i = 0; i < count && !saturated(); ++i) {
      if (i == archive->symbols.size())
        return indexError("the name of symbol " + Twine(i) +
                          " is beyond the end of the index");
      findMember(i, archive->symbols[i], indexWord(i + 1));
    }
  }
  void readBsdIndex() {
    if (index.size() < 2 * wordSize)
      return indexError("its size " + hex(index.size()) +
                        " is too small for the sizes of its tables");
    const uint64_t pairs = indexWord(0); // in bytes
    if (pairs % (2 * wordSize) != 0 || pairs > index.size() - 2 * wordSize)
      return indexError("its table of symbols has " + hex(pairs) +
                        " bytes, in an index of " + hex(index.size()) +
                        " bytes");
    const uint64_t count = pairs / (2 * wordSize);
    const uint64_t stringSize = indexWord(1 + 2 * count);
    if (stringSize > index.size() - 2 * wordSize - pairs)
      return indexError("its string table has " + hex(stringSize) +
                        " bytes, in an index of " + hex(index.size()) +
                        " bytes");
    NameTable strings;
    if (!strings.assign(index.slice(2 * wordSize + pairs, stringSize)))
      return indexError("its string table does not end in NUL");
    archive->symbols.reserve(count);
    for (uint64_t i = 0; i < count && !saturated(); ++i) {
      const uint64_t nameOffset = indexWord(1 + 2 * i);
      StringRef name;
      switch (strings.get(nameOffset, names, name)) {
      case NameTable::Result::Ok:
        archive->symbols.push_back({name.data(), uint32_t(name.size()), 0});
        findMember(i, archive->symbols.back(), indexWord(2 + 2 * i));
        break;
      case NameTable::Result::OutOfRange:
        indexError("symbol " + Twine(i) + ": name offset " + hex(nameOffset) +
                   " is beyond the end of its string table (" +
                   hex(strings.size()) + " bytes)");
        break;
      case NameTable::Result::TooMuch:
        return indexError(
            "its names are longer together than the archive's size "
            "allows");
      }
    }
  }
  /// The word number `i` of the index, as its dialect has it.
  uint64_t indexWord(uint64_t i) const {
    const endianness order = form->isBsd ? endianness::little : endianness::big;
    const uint8_t *at = index.data() + i * wordSize;
    return wordSize == 8 ? read<uint64_t>(at, order)
                         : read<uint32_t>(at, order);
  }
  /// Sets the member of a symbol. `memberOffset`: of its header.
  void findMember(uint64_t number, ArchiveSymbol &symbol,
                  uint64_t memberOffset) {
    const std::vector<ArchiveMember> &members = archive->members;
    auto isAt = [&](size_t i) {
      return i < members.size() && members[i].offset == memberOffset;
    };
    if (isAt(lastMember + 1)) // indices have the members' order
      ++lastMember;
    else if (!isAt(lastMember))
      lastMember = size_t(partition_point(members,
                                          [&](const ArchiveMember &m) {
                                            return m.offset < memberOffset;
                                          }) -
                          members.begin());
    if (!isAt(lastMember))
      return indexError("symbol " + Twine(number) + " (" + symbol.name() +
                        "): offset " + hex(memberOffset) +
                        " is not that of a member header");
    symbol.member = uint32_t(lastMember);
  }

  StringRef text(uint64_t at, size_t size) const {
    return toStringRef(bytes.slice(at, size));
  }
  bool saturated() const { return errors >= kMaxErrors; }
  void error(const Twine &message) {
    if (++errors > kMaxErrors)
      return;
    diag.error((archive->path + ": " + message).str());
    if (errors == kMaxErrors)
      diag.error(archive->path + ": further errors in this file are not shown");
  }
  /// False, for the caller to return.
  bool headerError(uint64_t header, const Twine &message) {
    error("member header at offset " + hex(header) + ": " + message);
    return false;
  }
  void indexError(const Twine &message) {
    error("symbol index at offset " + hex(indexHeader) + ": " + message);
  }

  ArrayRef<uint8_t> bytes;
  DiagnosticBuffer &diag;
  const Parallel &parallel;
  std::unique_ptr<Archive> archive = std::make_unique<Archive>();
  NameBudget names;
  unsigned errors = 0;

  std::optional<StringRef> longNames; ///< contents of "//"
  std::optional<IndexForm> form;      ///< of the index, if there is one
  size_t lastMember = 0;              ///< of the index's last symbol
  uint64_t indexHeader = 0;           ///< offset of the index's header
  ArrayRef<uint8_t> index;            ///< its contents
  size_t wordSize = 4;                ///< of its words, in bytes
};

} // namespace

std::unique_ptr<Archive> parseArchive(StringRef path, ArrayRef<uint8_t> bytes,
                                      std::shared_ptr<const void> owner,
                                      DiagnosticBuffer &diag,
                                      const Parallel &parallel) {
  return ArchiveReader(path, bytes, diag, parallel).run(std::move(owner));
}

} // namespace xlink
