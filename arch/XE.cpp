//===- XE.cpp - the XE container of XMOS devices --------------------------===//
//
// Problem: a board is a chain of nodes (chips), each with tiles (processors
// with a RAM of their own), and every tile runs an ELF executable. What a
// debugger, a flash programmer or a simulator wants is one file with all of
// them, the order to start them, and a description of the board.
//
// Format: "XMOS", a version, then sectors up to one of type 0x5555:
//
//     u16 type, u16 0, u64 length          length 0: nothing follows
//     u8 pad, u8 0 0 0                     from here on counted by length
//     data
//     pad bytes of 0, to a multiple of 4
//     u32 CRC
//
// The sectors stand in the order in which they are carried out: node
// descriptors (routing ID, JTAG ID, user ID), then for each tile its ELF and a
// GOTO (start it; a CALL waits until it is done), then SysConfig, an XML
// description of the system, for the host. An ELF says where it goes as (index
// in the JTAG chain, tile); a descriptor has the number of a Node in SysConfig.
// The generated SysConfig numbers the nodes as they stand in the chain.
//
// Version 2 has CRC-32 (ISO 3309, as zlib) over four zero bytes and everything
// from the sector's header to the last pad byte. Version 1, which tools before
// 12 wrote, shifts the same bytes through the unreflected polynomial, starting
// with 0 and leaving out the very last feedback: found by comparing the sectors
// of published files, all of which it reproduces. Only the listing knows it.
//
//===----------------------------------------------------------------------===//

#include "arch/XE.h"
#include "arch/Configure.h"
#include "arch/SysConfig.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;
using namespace llvm::support;

namespace xlink {
namespace {

enum SectorType : uint16_t {
  kBinary = 1,
  kElf = 2,
  kSysConfig = 3,
  kNodeDescriptor = 4,
  kGoto = 5,
  kCall = 6,
  kXn = 8,
  kProgramInfo = 9,
  kXScope = 12,
  kLast = 0x5555,
};

constexpr const char kMagic[] = "XMOS";
constexpr size_t kFileHeader = 8;    ///< magic and version
constexpr size_t kSectorHeader = 12; ///< type, 0, length
constexpr size_t kAround = 8;        ///< pad count before, CRC behind the data
constexpr size_t kPlace = 12;        ///< u16 node, u16 tile, u64 address

/// Types of nodes that have a name; others are given by their JTAG ID. The IDs
/// are those of published files and data sheets.
struct NodeType {
  const char *option; ///< value of --xe-node
  const char *name;
  const char *cpu; ///< the core, as --mcpu calls it
  uint32_t jtagId;
  unsigned tiles; ///< each of its nodes has
};
/// Of each core the usual type first.
constexpr NodeType kNodeTypes[] = {
    {"l", "XS1-L", "xs1", 0x2633, 1},
    {"g", "XS1-G", "xs1", 0x2731, 4},
    {"xs2", "XS2-A", "xs2", 0x5633, 2},
    {"xs3", "XS3-A", "xs3", 0x6633, 2},
};

/// Node and tile numbers that --xe-tile and --xe-add accept: the SysConfig
/// lists every node up to the last.
constexpr unsigned kMaxNumber = 255;

//===----------------------------------------------------------------------===//
// Checksums
//===----------------------------------------------------------------------===//

/// CRC of version 2 over a sector without its CRC.
uint32_t checksum(ArrayRef<uint8_t> sector) {
  static constexpr uint8_t zeros[4] = {};
  return crc32(crc32(0, zeros), sector);
}

/// CRC of version 1.
uint32_t oldChecksum(ArrayRef<uint8_t> sector) {
  constexpr uint32_t polynomial = 0x04C11DB7;
  uint32_t crc = 0;
  for (size_t i = 0; i != sector.size(); ++i)
    for (unsigned bit = 0; bit != 8; ++bit) {
      bool feedback = crc >> 31;
      crc = crc << 1 | (sector[i] >> bit & 1);
      if (feedback && !(bit == 7 && i + 1 == sector.size()))
        crc ^= polynomial;
    }
  return crc;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Bytes in the making.
class Bytes {
public:
  std::vector<uint8_t> bytes;

  void u16(uint16_t v) { number(v, 2); }
  void u32(uint32_t v) { number(v, 4); }
  void u64(uint64_t v) { number(v, 8); }
  void raw(ArrayRef<uint8_t> data) {
    bytes.insert(bytes.end(), data.begin(), data.end());
  }

private:
  void number(uint64_t v, unsigned size) {
    for (unsigned i = 0; i != size; ++i)
      bytes.push_back(uint8_t(v >> 8 * i));
  }
};

/// Appends a sector whose data is `head` followed by `body`.
void addSector(Bytes &out, SectorType type, ArrayRef<uint8_t> head,
               ArrayRef<uint8_t> body = {}) {
  const uint64_t size = head.size() + body.size();
  const uint8_t pad = uint8_t(-size & 3);
  const size_t start = out.bytes.size();
  out.u16(type);
  out.u16(0);
  out.u64(size + pad + kAround);
  out.u32(pad); // and three zero bytes
  out.raw(head);
  out.raw(body);
  out.bytes.insert(out.bytes.end(), pad, 0);
  out.u32(checksum(ArrayRef<uint8_t>(out.bytes).drop_front(start)));
}

/// A tile's place: node, then tile.
using Tile = std::pair<unsigned, unsigned>;

std::string tileText(Tile tile) {
  return "node " + std::to_string(tile.first) + ", tile " +
         std::to_string(tile.second);
}

/// A program and where it runs.
struct Program {
  std::string name;
  ArrayRef<uint8_t> bytes;
};

/// What the options say.
class Writer {
public:
  Writer(const ContainerRequest &request, std::vector<TargetMessage> &messages)
      : request(request), messages(messages) {}
  std::vector<uint8_t> run();

private:
  void readOptions();
  void readNodeType(StringRef value);
  void readConfig(StringRef path);
  std::optional<Tile> readTile(StringRef option, StringRef value,
                               StringRef form);
  void addProgram(Tile tile, Program program);
  void checkTile(Tile tile, const Program &program);
  void checkProgram(Tile tile, const Program &program);
  void addDescriptor(Bytes &out, const SysConfig::Node &node) const;
  std::string sysConfig() const;
  std::string variable(StringRef name) const;
  void error(const Twine &text) {
    messages.push_back({TargetMessage::Error, text.str()});
  }
  bool hasErrors() const {
    return any_of(messages, [](const TargetMessage &message) {
      return message.severity == TargetMessage::Error;
    });
  }

  const ContainerRequest &request;
  std::vector<TargetMessage> &messages;
  uint32_t jtagId = 0;
  const NodeType *nodeType = nullptr; ///< null: all that is known is jtagId
  Tile ownTile{0, 0};
  std::map<Tile, Program> programs; ///< in the order of their start
  std::optional<ArrayRef<uint8_t>> config;
  SysConfig system; ///< what `config` says
  /// Tiles on each node from the first to the last that is used; nodes and
  /// tiles in between exist, with nothing to run.
  std::vector<unsigned> nodes;
};

void Writer::readNodeType(StringRef value) {
  std::string valid;
  for (const NodeType &type : kNodeTypes) {
    if (value == type.option) {
      nodeType = &type;
      jtagId = type.jtagId;
      return;
    }
    valid += std::string(type.option) + " (" + type.name + "), ";
  }
  if (value.starts_with("0x") && !value.getAsInteger(0, jtagId)) {
    nodeType = nullptr;
    return;
  }
  error("option '--xe-node': '" + value + "' is none of " + valid +
        "0xNNNN (a JTAG ID)");
}

void Writer::readConfig(StringRef path) {
  std::string reason;
  config = request.read(path, reason);
  if (!config)
    return error("cannot open " + path + ": " + reason);
  if (config->empty())
    return error(path + ": the file is empty, where the description of the "
                        "system is expected");
  if (auto read = readSysConfig(toStringRef(*config), reason))
    system = std::move(*read);
  else
    error(path + ": not the description of a system: " + reason);
}

std::optional<Tile> Writer::readTile(StringRef option, StringRef value,
                                     StringRef form) {
  auto [node, tile] = value.split('=').first.split(',');
  Tile result;
  if (node.getAsInteger(10, result.first) ||
      tile.getAsInteger(10, result.second) || result.first > kMaxNumber ||
      result.second > kMaxNumber) {
    error("option '--" + option + "': '" + value + "' is not " + form +
          " with numbers from 0 to " + Twine(kMaxNumber));
    return std::nullopt;
  }
  return result;
}

void Writer::addProgram(Tile tile, Program program) {
  auto [at, isNew] = programs.try_emplace(tile, program);
  if (!isNew)
    error(tileText(tile) + " has two programs: " + at->second.name + " and " +
          program.name);
}

/// Options in order; the last of those that take one value counts.
void Writer::readOptions() {
  for (const NodeType &type : kNodeTypes)
    if (!nodeType && request.state.cpu == type.cpu) {
      nodeType = &type;
      jtagId = type.jtagId;
    }
  for (const ContainerOption &option : request.options)
    if (option.name == "xe-tile")
      if (auto tile = readTile(option.name, option.value, "NODE,TILE"))
        ownTile = *tile;
  addProgram(ownTile, {request.name.str(), request.program});

  for (const ContainerOption &option : request.options) {
    std::string reason;
    if (option.name == "xe-node") {
      readNodeType(option.value);
    } else if (option.name == "xe-config") {
      readConfig(option.value);
    } else if (option.name == "xe-add") {
      const StringRef file = StringRef(option.value).split('=').second;
      const std::optional<Tile> tile =
          readTile(option.name, option.value, "NODE,TILE=FILE");
      if (!tile)
        continue;
      if (file.empty()) {
        error("option '--xe-add': '" + option.value + "' names no file");
        continue;
      }
      if (std::optional<ArrayRef<uint8_t>> bytes = request.read(file, reason))
        addProgram(*tile, {file.str(), *bytes});
      else
        error("cannot open " + file + ": " + reason);
    }
  }
}

std::string Writer::variable(StringRef name) const {
  for (const auto &[known, text] : request.state.scriptVariables)
    if (name == known)
      return text;
  return "0";
}

/// The system must have the tile.
void Writer::checkTile(Tile tile, const Program &program) {
  if (config) {
    if (!system.hasTile(tile.first, tile.second))
      error(program.name + ": " + tileText(tile) +
            " is not in the description of the system");
  } else if (nodeType && tile.second >= nodeType->tiles) {
    error(program.name + ": " + tileText(tile) + " does not exist: a node of " +
          nodeType->name + " has " + Twine(nodeType->tiles) +
          (nodeType->tiles == 1 ? " tile" : " tiles"));
  }
}

/// What every reader of the file takes for granted: an executable of this
/// machine whose segments lie in the tile's RAM.
void Writer::checkProgram(Tile tile, const Program &program) {
  ArrayRef<uint8_t> b = program.bytes;
  const uint8_t *p = b.data();
  uint16_t machine = b.size() < 52 ? 0 : endian::read16le(p + 18);
  if (b.size() < 52 ||
      !toStringRef(b).starts_with("\x7f"
                                  "ELF") ||
      p[ELF::EI_CLASS] != ELF::ELFCLASS32 ||
      p[ELF::EI_DATA] != ELF::ELFDATA2LSB ||
      endian::read16le(p + 16) != ELF::ET_EXEC ||
      (machine != ELF::EM_XCORE && machine != 0xB49E))
    return error(program.name + ": not a linked executable of this machine");
  const uint32_t offset = endian::read32le(p + 28);
  const uint16_t size = endian::read16le(p + 42);
  const uint16_t count = endian::read16le(p + 44);
  if (count &&
      (size != 32 || offset > b.size() || (b.size() - offset) / 32 < count))
    return error(program.name + ": the program headers at offset " +
                 hexText(offset) + " are not in the file");
  uint64_t base = 0, length = 0;
  StringRef(variable("RAM_BASE")).getAsInteger(0, base);
  StringRef(variable("RAM_SIZE")).getAsInteger(0, length);
  for (unsigned i = 0; i != count; ++i) {
    const uint8_t *header = p + offset + 32 * i;
    const uint32_t at = endian::read32le(header + 4);
    const uint32_t address = endian::read32le(header + 12);
    const uint32_t fileSize = endian::read32le(header + 16);
    const uint32_t memSize = endian::read32le(header + 20);
    if (endian::read32le(header) != ELF::PT_LOAD ||
        std::max(memSize, fileSize) == 0)
      continue;
    if (fileSize && (at > b.size() || b.size() - at < fileSize))
      return error(program.name + ": segment " + Twine(i) + " at offset " +
                   hexText(at) + " with " + Twine(fileSize) +
                   " bytes is not in the file");
    // A system of one's own may have other memories.
    if (!config && (address < base || address - base > length ||
                    std::max(memSize, fileSize) > length - (address - base)))
      error(program.name + ": segment " + Twine(i) + " [" + hexText(address) +
            ", " + hexText(uint64_t(address) + std::max(memSize, fileSize)) +
            ") is outside the RAM of " + tileText(tile) + " [" + hexText(base) +
            ", " + hexText(base + length) + ")");
  }
}

/// XSystem > System > Nodes, Connections, JtagChain. No links: a board that has
/// some describes itself with --xe-config.
std::string Writer::sysConfig() const {
  const std::string ram = "<Ram base=\"" + variable("RAM_BASE") + "\" size=\"" +
                          variable("RAM_SIZE") + "\"/>";
  std::string text = "<XSystem>\n  <System>\n    <Nodes>\n", chain;
  for (unsigned node = 0; node != nodes.size(); ++node) {
    const std::string number = std::to_string(node);
    text += "      <Node number=\"" + number + "\" jtagId=\"" +
            hexText(jtagId) + "\">\n        <Switch sLinks=\"0\"/>\n";
    for (unsigned tile = 0; tile != nodes[node]; ++tile)
      text += "        <Processor number=\"" + std::to_string(tile) +
              "\">\n          <MemoryController>\n            " + ram +
              "\n          </MemoryController>\n        </Processor>\n";
    text += "      </Node>\n";
    chain += "      <Node id=\"" + number + "\"/>\n";
  }
  return text +
         "    </Nodes>\n    <Connections>\n    </Connections>\n"
         "    <JtagChain>\n" +
         chain + "    </JtagChain>\n  </System>\n</XSystem>\n";
}

void Writer::addDescriptor(Bytes &out, const SysConfig::Node &node) const {
  Bytes data;
  data.u16(uint16_t(node.number));
  data.u16(0);
  data.u32(node.jtagId);
  data.u32(node.userId);
  addSector(out, kNodeDescriptor, data.bytes);
}

std::vector<uint8_t> Writer::run() {
  readOptions();
  if (hasErrors())
    return {};
  for (const auto &[tile, program] : programs) {
    checkTile(tile, program);
    checkProgram(tile, program);
    if (nodes.size() <= tile.first)
      nodes.resize(tile.first + 1, 1);
    nodes[tile.first] = std::max(nodes[tile.first], tile.second + 1);
  }
  if (hasErrors())
    return {};

  Bytes out;
  static constexpr uint8_t start[kFileHeader] = {'X', 'M', 'O', 'S', 2};
  out.raw(start);
  for (const SysConfig::Node &node : system.nodes)
    addDescriptor(out, node);
  for (unsigned node = 0; !config && node != nodes.size(); ++node)
    addDescriptor(out, {node, jtagId, 0, {}});
  for (const auto &[tile, program] : programs) {
    Bytes place;
    place.u16(uint16_t(tile.first));
    place.u16(uint16_t(tile.second));
    place.u64(0); // the ELF file's own addresses and entry
    addSector(out, kElf, place.bytes, program.bytes);
    addSector(out, kGoto, place.bytes);
  }
  if (config)
    addSector(out, kSysConfig, *config);
  else
    addSector(out, kSysConfig, arrayRefFromStringRef(sysConfig()));
  out.u16(kLast);
  out.u16(0);
  out.u64(0);
  return std::move(out.bytes);
}

std::vector<uint8_t> write(const ContainerRequest &request,
                           std::vector<TargetMessage> &messages) {
  return Writer(request, messages).run();
}

//===----------------------------------------------------------------------===//
// Listing
//===----------------------------------------------------------------------===//

std::string typeName(uint16_t type) {
  switch (type) {
  case kBinary:
    return "binary";
  case kElf:
    return "ELF";
  case kSysConfig:
    return "SysConfig";
  case kNodeDescriptor:
    return "node descriptor";
  case kGoto:
    return "GOTO";
  case kCall:
    return "CALL";
  case kXn:
    return "XN";
  case kProgramInfo:
    return "program info";
  case kXScope:
    return "xSCOPE";
  case kLast:
    return "last";
  }
  return "type " + std::to_string(type);
}

class Lister {
public:
  Lister(ArrayRef<uint8_t> bytes, std::vector<TargetMessage> &messages)
      : bytes(bytes), messages(messages) {}
  ContainerListing run();

private:
  /// Lists the sector at `at` and moves behind it; false at the end, or when
  /// what follows cannot be found.
  bool sector();
  void sectorBody(uint16_t type, size_t bodyAt, uint64_t length);
  void contents(uint16_t type, ArrayRef<uint8_t> data, size_t dataAt);
  void programInside(ArrayRef<uint8_t> elf, size_t elfAt);
  void wholeFile();
  void error(size_t offset, const Twine &text) {
    messages.push_back({TargetMessage::Error,
                        "offset " + hexText(offset) + ": " + text.str()});
  }
  void warn(const Twine &text) {
    messages.push_back({TargetMessage::Warning, text.str()});
  }
  /// Adds a property to the last entry; the listing has words around its value.
  void fact(const char *member, std::string value, StringRef before,
            StringRef after = "") {
    const std::string text = (before + value + after).str();
    listing.entries.back().facts.push_back({member, std::move(value), text});
  }

  ArrayRef<uint8_t> bytes;
  std::vector<TargetMessage> &messages;
  ContainerListing listing;
  size_t at = kFileHeader;
  uint8_t version = 0;
  bool ended = false, hasConfig = false;
  std::set<Tile> loaded, started;
};

/// Data of an ELF sector behind the place.
void Lister::programInside(ArrayRef<uint8_t> elf, size_t elfAt) {
  const uint8_t *p = elf.data();
  if (elf.size() < 52 || !toStringRef(elf).starts_with("\x7f"
                                                       "ELF"))
    return error(elfAt, "the ELF sector holds no ELF file");
  fact("bytes", std::to_string(elf.size()), "", " bytes");
  fact("entry", hexText(endian::read32le(p + 24)), "entry ");
}

void Lister::contents(uint16_t type, ArrayRef<uint8_t> data, size_t dataAt) {
  const bool placed = type == kElf || type == kGoto || type == kCall;
  if ((placed || type == kNodeDescriptor) && data.size() < kPlace)
    return error(dataAt, "the " + typeName(type) + " sector has " +
                             Twine(data.size()) + " bytes of data, not " +
                             (type == kElf ? "at least " : "") + Twine(kPlace));
  const uint8_t *p = data.data();
  std::optional<ContainerPart> &part = listing.entries.back().part;
  if (type == kElf)
    part = {"ELF of " +
                tileText({endian::read16le(p), endian::read16le(p + 2)}),
            data.drop_front(kPlace), /*program=*/true};
  else
    part = {typeName(type), data};
  if (type == kNodeDescriptor) {
    const uint32_t jtagId = endian::read32le(p + 4);
    const NodeType *known = find_if(
        kNodeTypes, [&](const NodeType &of) { return of.jtagId == jtagId; });
    fact("routingId", std::to_string(endian::read16le(p)), "routing ID ");
    fact("jtagId", hexText(jtagId), "JTAG ID ",
         known == std::end(kNodeTypes) ? ""
                                       : std::string(" (") + known->name + ")");
    fact("userId", hexText(endian::read32le(p + 8)), "user ID ");
  }
  if (placed) {
    const Tile tile{endian::read16le(p), endian::read16le(p + 2)};
    const uint64_t address = endian::read64le(p + 4);
    fact("node", std::to_string(tile.first), "node ");
    fact("tile", std::to_string(tile.second), "tile ");
    if (address)
      fact("address", hexText(address), "address ");
    if (type == kElf) {
      if (address)
        error(dataAt + 4, "the address of an ELF sector is not 0");
      loaded.insert(tile);
      programInside(data.drop_front(kPlace), dataAt + kPlace);
    } else {
      started.insert(tile);
      if (!loaded.count(tile))
        error(dataAt, typeName(type) + " for " + tileText(tile) +
                          ", which has no program yet");
    }
  }
  if (placed && type != kElf && data.size() != kPlace)
    error(dataAt, "the " + typeName(type) + " sector has " +
                      Twine(data.size()) + " bytes of data, not " +
                      Twine(kPlace));
  if (type == kSysConfig || type == kXn || type == kXScope) {
    hasConfig |= type == kSysConfig;
    fact("characters", std::to_string(data.size()), "", " characters");
    if (data.empty())
      error(dataAt, "the " + typeName(type) + " sector is empty");
  }
}

bool Lister::sector() {
  const size_t left = bytes.size() - at;
  if (left < kSectorHeader) {
    error(at, "the file ends " +
                  (left ? "inside a sector's header"
                        : std::string("without a sector of type 0x5555")));
    return false;
  }
  const uint8_t *header = bytes.data() + at;
  const uint16_t type = endian::read16le(header);
  const uint64_t length = endian::read64le(header + 4);
  const std::string name = typeName(type);
  listing.entries.push_back({at, name, {}, {}});
  if (endian::read16le(header + 2) != 0)
    error(at + 2, "bytes 2 and 3 of the " + name + " sector are not 0");
  if (length > left - kSectorHeader) {
    error(at + 4, "the " + name + " sector has a length of " + hexText(length) +
                      ", with " + hexText(left - kSectorHeader) +
                      " bytes left in the file");
    return false;
  }
  const size_t contentsAt = at + kSectorHeader;
  at = contentsAt + size_t(length);
  if (type == kLast) {
    ended = true;
    if (length)
      error(contentsAt, "the last sector has contents");
    return false;
  }
  if (length != 0) {
    sectorBody(type, contentsAt, length);
  } else {
    if (type == kElf || type == kGoto || type == kCall || type == kSysConfig ||
        type == kNodeDescriptor)
      error(contentsAt, "the " + name + " sector is empty");
  }
  return true;
}

/// {u8 pad, 3 zero bytes, data, pad bytes, u32 CRC}
void Lister::sectorBody(uint16_t type, size_t bodyAt, uint64_t length) {
  const std::string name = typeName(type);
  ArrayRef<uint8_t> body = bytes.slice(bodyAt, size_t(length));
  if (length < kAround) {
    return error(bodyAt, "the " + name + " sector has " + Twine(length) +
                             " bytes, too few for pad count and CRC");
  }
  const uint8_t pad = body[0];
  const uint64_t padded = length - kAround;
  ArrayRef<uint8_t> covered =
      bytes.slice(bodyAt - kSectorHeader, kSectorHeader + length - 4);
  const uint32_t stored = endian::read32le(body.data() + length - 4);
  const uint32_t computed =
      version == 1 ? oldChecksum(covered) : checksum(covered);
  fact("crc", hexText(stored), "CRC ");
  if (stored != computed)
    error(bodyAt + size_t(length) - 4, "the " + name + " sector has CRC " +
                                           hexText(stored) + ", its contents " +
                                           hexText(computed));
  if (body[1] || body[2] || body[3])
    error(bodyAt + 1,
          "bytes 1 to 3 of the " + name + " sector's contents are not 0");
  if (at % 4)
    error(at, "the " + name + " sector does not end at a multiple of 4");
  if (pad > 3 || pad > padded) {
    return error(bodyAt, "the " + name + " sector has a pad count of " +
                             Twine(unsigned(pad)) + ", of " + Twine(padded) +
                             " bytes");
  }
  const size_t dataAt = bodyAt + 4, dataSize = size_t(padded - pad);
  for (size_t i = 0; i != pad; ++i)
    if (bytes[dataAt + dataSize + i]) {
      error(dataAt + dataSize + i,
            "a pad byte of the " + name + " sector is not 0");
      break;
    }
  contents(type, bytes.slice(dataAt, dataSize), dataAt);
}

/// What no single sector tells.
void Lister::wholeFile() {
  if (at != bytes.size())
    error(at, Twine(bytes.size() - at) + " bytes follow the last sector");
  if (loaded.empty())
    warn("no ELF sector: there is nothing to run");
  for (Tile tile : loaded)
    if (!started.count(tile))
      warn("no GOTO or CALL starts the program of " + tileText(tile));
  if (!hasConfig)
    warn("no SysConfig sector: a simulator does not know the system");
}

ContainerListing Lister::run() {
  if (!toStringRef(bytes).starts_with(kMagic)) {
    error(0, "not an XE file: it does not begin with \"XMOS\"");
    return {};
  }
  if (bytes.size() < kFileHeader) {
    error(bytes.size(), "the file ends inside its header");
    return {};
  }
  version = bytes[4];
  if (version != 1 && version != 2) {
    error(4, "version " + Twine(unsigned(version)) +
                 " of the format is not known; 1 and 2 are");
    return {};
  }
  if (bytes[5] || bytes[6] || bytes[7])
    error(5, "bytes 5 to 7 of the header are not 0");
  listing.title = "XE version " + std::to_string(version) + ", " +
                  std::to_string(bytes.size()) + " bytes";
  while (sector())
    ;
  if (ended)
    wholeFile();
  return std::move(listing);
}

ContainerListing list(ArrayRef<uint8_t> bytes,
                      std::vector<TargetMessage> &messages) {
  return Lister(bytes, messages).run();
}

} // namespace

extern constinit const Container xeContainer = {
    .name = "xe",
    .write = write,
    .list = list,
    .magic = kMagic,
};

} // namespace xlink
