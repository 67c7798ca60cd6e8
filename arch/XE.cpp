//===- XE.cpp - the XE container of XMOS devices --------------------------===//
//
// Problem: a board is a chain of nodes (chips), each with tiles (processors
// with a RAM of their own), and every tile runs an ELF executable. A debugger,
// a flash programmer or a simulator wants one file with all of them, the order
// to start them, and a description of the board.
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

#include "arch/Containers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;
using namespace llvm::support::endian;

namespace xlink {
namespace {

enum : uint16_t {
  kElf = 2,
  kSysConfig = 3,
  kNodeDescriptor = 4,
  kGoto = 5,
  kLast = 0x5555,
};

/// A type of sectors.
struct SectorType {
  uint16_t number;
  const char *name;
  bool placed = false;    ///< its data begin with the place of a tile
  bool isText = false;    ///< its data are characters
  bool needsData = false; ///< it means nothing without data
};
constexpr SectorType kSectorTypes[] = {
    {1, "binary"},
    {kElf, "ELF", /*placed=*/true, false, true},
    {kSysConfig, "SysConfig", false, /*isText=*/true, true},
    {kNodeDescriptor, "node descriptor", false, false, /*needsData=*/true},
    {kGoto, "GOTO", true, false, true},
    {6, "CALL", true, false, true},
    {8, "XN", false, true},
    {9, "program info"},
    {12, "xSCOPE", false, true},
    {kLast, "last"},
};

constexpr const char kMagic[] = "XMOS";
constexpr size_t kFileHeader = 8;    ///< magic and version
constexpr size_t kSectorHeader = 12; ///< type, 0, length
constexpr size_t kAround = 8;        ///< pad count before, CRC behind the data
/// A place: u16 node, u16 tile, u64 address. A node descriptor is as long.
constexpr size_t kPlace = 12;

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

/// The place of a tile: node, then tile.
using Tile = std::pair<unsigned, unsigned>;

std::string tileText(Tile tile) {
  return "node " + std::to_string(tile.first) + ", tile " +
         std::to_string(tile.second);
}

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

/// The little-endian bytes of numbers, each in its type's width.
template <class... Numbers> std::string bytesOf(Numbers... numbers) {
  std::string text;
  raw_string_ostream os(text);
  Writer writer(os, endianness::little);
  (writer.write(numbers), ...);
  return text;
}

/// Appends a sector whose data is `head` followed by `body`.
void addSector(std::string &out, uint16_t type, StringRef head,
               StringRef body = "") {
  const uint64_t size = head.size() + body.size();
  const uint32_t pad = -size & 3; // and three zero bytes
  const size_t start = out.size();
  out += bytesOf(type, uint16_t(0), uint64_t(size + pad + kAround), pad);
  out += head;
  out += body;
  out.append(pad, '\0');
  out += bytesOf(
      checksum(arrayRefFromStringRef(StringRef(out).drop_front(start))));
}

/// A program and its name in messages.
struct TileProgram {
  std::string name;
  ArrayRef<uint8_t> bytes;
};

class XeWriter {
public:
  XeWriter(const ContainerRequest &request,
           std::vector<TargetMessage> &messages)
      : request(request), messages(messages) {}

  std::vector<uint8_t> run() {
    readOptions();
    if (failed)
      return {};
    for (const auto &[tile, program] : programs) {
      checkTile(tile, program);
      checkProgram(tile, program);
      if (config)
        continue;
      while (system.nodes.size() <= tile.first)
        system.nodes.push_back({uint32_t(system.nodes.size()), jtagId, 0, {0}});
      std::vector<uint32_t> &tiles = system.nodes[tile.first].tiles;
      while (tiles.size() <= tile.second)
        tiles.push_back(uint32_t(tiles.size()));
    }
    if (failed)
      return {};

    std::string out = kMagic + bytesOf(uint32_t(2)); // the version
    for (const SysConfig::Node &node : system.nodes)
      addSector(out, kNodeDescriptor,
                bytesOf(uint16_t(node.number), uint16_t(0), node.jtagId,
                        node.userId));
    for (const auto &[tile, program] : programs) {
      // No address: the ELF file has its own, and an entry.
      const std::string place =
          bytesOf(uint16_t(tile.first), uint16_t(tile.second), uint64_t(0));
      addSector(out, kElf, place, toStringRef(program.bytes));
      addSector(out, kGoto, place);
    }
    addSector(out, kSysConfig,
              config ? toStringRef(*config).str() : sysConfig());
    out += bytesOf(kLast, uint16_t(0), uint64_t(0));
    return {out.begin(), out.end()};
  }

private:
  void error(const Twine &text) {
    failed = true;
    messages.push_back({TargetMessage::Error, text.str()});
  }

  void readNodeType(StringRef value) {
    std::string valid;
    for (const NodeType &type : kNodeTypes) {
      if (value == type.option) {
        nodeType = &type;
        jtagId = type.jtagId;
        return;
      }
      valid += std::string(type.option) + " (" + type.name + "), ";
    }
    if (value.starts_with("0x") && !value.getAsInteger(0, jtagId))
      nodeType = nullptr;
    else
      error("option '--xe-node': '" + value + "' is none of " + valid +
            "0xNNNN (a JTAG ID)");
  }

  void readConfig(StringRef path) {
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

  std::optional<Tile> readTile(StringRef option, StringRef value,
                               StringRef form) {
    auto [node, tile] = value.split('=').first.split(',');
    Tile result;
    if (!node.getAsInteger(10, result.first) &&
        !tile.getAsInteger(10, result.second) && result.first <= kMaxNumber &&
        result.second <= kMaxNumber)
      return result;
    error("option '--" + option + "': '" + value + "' is not " + form +
          " with numbers from 0 to " + Twine(kMaxNumber));
    return std::nullopt;
  }

  /// The value of --xe-add.
  void readProgram(StringRef value) {
    const StringRef file = value.split('=').second;
    const std::optional<Tile> tile =
        readTile("xe-add", value, "NODE,TILE=FILE");
    if (!tile)
      return;
    if (file.empty())
      return error("option '--xe-add': '" + value + "' names no file");
    std::string reason;
    if (std::optional<ArrayRef<uint8_t>> bytes = request.read(file, reason))
      addProgram(*tile, {file.str(), *bytes});
    else
      error("cannot open " + file + ": " + reason);
  }

  void addProgram(Tile tile, TileProgram program) {
    auto [at, isNew] = programs.try_emplace(tile, program);
    if (!isNew)
      error(tileText(tile) + " has two programs: " + at->second.name + " and " +
            program.name);
  }

  /// Options in order; the last of those that take one value counts.
  void readOptions() {
    for (const NodeType &type : kNodeTypes)
      if (!nodeType && request.state.cpu == type.cpu) {
        nodeType = &type;
        jtagId = type.jtagId;
      }
    Tile ownTile{0, 0};
    for (const ContainerOption &option : request.options)
      if (option.name == "xe-tile")
        if (auto tile = readTile(option.name, option.value, "NODE,TILE"))
          ownTile = *tile;
    addProgram(ownTile, {request.name.str(), request.program});

    for (const ContainerOption &option : request.options)
      if (option.name == "xe-node")
        readNodeType(option.value);
      else if (option.name == "xe-config")
        readConfig(option.value);
      else if (option.name == "xe-add")
        readProgram(option.value);
  }

  std::string variable(StringRef name) const {
    for (const auto &[known, text] : request.state.scriptVariables)
      if (name == known)
        return text;
    return "0";
  }

  /// The system must have the tile.
  void checkTile(Tile tile, const TileProgram &program) {
    if (config) {
      if (!system.hasTile(tile.first, tile.second))
        error(program.name + ": " + tileText(tile) +
              " is not in the description of the system");
    } else if (nodeType && tile.second >= nodeType->tiles) {
      error(program.name + ": " + tileText(tile) +
            " does not exist: a node of " + nodeType->name + " has " +
            Twine(nodeType->tiles) +
            (nodeType->tiles == 1 ? " tile" : " tiles"));
    }
  }

  /// Readers of the file expect an executable of this machine whose segments
  /// lie in the tile's RAM.
  void checkProgram(Tile tile, const TileProgram &program) {
    const Elf32Program elf(program.bytes);
    if (!elf.header || elf.header->e_type != ELF::ET_EXEC ||
        (elf.header->e_machine != ELF::EM_XCORE &&
         elf.header->e_machine != 0xB49E))
      return error(program.name + ": not a linked executable of this machine");
    if (!elf.hasSegments)
      return error(program.name + ": the program headers at offset " +
                   hexText(elf.header->e_phoff) + " are not in the file");
    uint64_t base = 0, length = 0;
    StringRef(variable("RAM_BASE")).getAsInteger(0, base);
    StringRef(variable("RAM_SIZE")).getAsInteger(0, length);
    for (const auto &[i, segment] : enumerate(elf.segments)) {
      const uint64_t address = segment.p_paddr;
      const uint64_t size =
          std::max<uint32_t>(segment.p_memsz, segment.p_filesz);
      if (segment.p_type != ELF::PT_LOAD || size == 0)
        continue;
      const std::string text = program.name + ": segment " + std::to_string(i);
      if (!elf.contents(segment))
        return error(text + " at offset " + hexText(segment.p_offset) +
                     " with " + Twine(uint32_t(segment.p_filesz)) +
                     " bytes is not in the file");
      // A system of one's own may have other memories.
      if (!config && (address < base || address - base > length ||
                      size > length - (address - base)))
        error(text + " [" + hexText(address) + ", " + hexText(address + size) +
              ") is outside the RAM of " + tileText(tile) + " [" +
              hexText(base) + ", " + hexText(base + length) + ")");
    }
  }

  /// XSystem > System > Nodes, Connections, JtagChain. No links: a board that
  /// has some describes itself with --xe-config.
  std::string sysConfig() const {
    const std::string ram = "<Ram base=\"" + variable("RAM_BASE") +
                            "\" size=\"" + variable("RAM_SIZE") + "\"/>";
    std::string text = "<XSystem>\n  <System>\n    <Nodes>\n", chain;
    for (const SysConfig::Node &node : system.nodes) {
      const std::string number = std::to_string(node.number);
      text += "      <Node number=\"" + number + "\" jtagId=\"" +
              hexText(node.jtagId) + "\">\n        <Switch sLinks=\"0\"/>\n";
      for (uint32_t tile : node.tiles)
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

  const ContainerRequest &request;
  std::vector<TargetMessage> &messages;
  bool failed = false;
  uint32_t jtagId = 0;
  const NodeType *nodeType = nullptr;   ///< null: only jtagId is known
  std::map<Tile, TileProgram> programs; ///< in the order of their start
  std::optional<ArrayRef<uint8_t>> config;
  /// The contents of `config`; or else all nodes and tiles up to the last that
  /// is used.
  SysConfig system;
};

std::vector<uint8_t> writeXe(const ContainerRequest &request,
                             std::vector<TargetMessage> &messages) {
  return XeWriter(request, messages).run();
}

//===----------------------------------------------------------------------===//
// Listing
//===----------------------------------------------------------------------===//

class XeLister {
public:
  XeLister(ArrayRef<uint8_t> bytes, std::vector<TargetMessage> &messages)
      : bytes(bytes), messages(messages) {}

  ContainerListing run() {
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

private:
  void error(size_t offset, const Twine &text) {
    messages.push_back({TargetMessage::Error,
                        "offset " + hexText(offset) + ": " + text.str()});
  }
  void sectorError(size_t offset, const Twine &text) {
    error(offset, "the " + name + " sector " + text);
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

  /// Data of an ELF, a GOTO or a CALL.
  void tileContents(ArrayRef<uint8_t> data, size_t dataAt) {
    const uint8_t *p = data.data();
    const Tile tile{read16le(p), read16le(p + 2)};
    const uint64_t address = read64le(p + 4);
    fact("node", std::to_string(tile.first), "node ");
    fact("tile", std::to_string(tile.second), "tile ");
    if (address)
      fact("address", hexText(address), "address ");
    if (type.number != kElf) {
      started.insert(tile);
      if (!loaded.count(tile))
        error(dataAt,
              name + " for " + tileText(tile) + ", which has no program yet");
      if (data.size() != kPlace)
        sectorError(dataAt, "has " + Twine(data.size()) +
                                " bytes of data, not " + Twine(kPlace));
      return;
    }
    if (address)
      error(dataAt + 4, "the address of an ELF sector is not 0");
    loaded.insert(tile);
    const ArrayRef<uint8_t> elf = data.drop_front(kPlace);
    listing.entries.back().part = {"ELF of " + tileText(tile), elf,
                                   /*program=*/true};
    if (elf.size() < sizeof(ELF::Elf32_Ehdr) ||
        !toStringRef(elf).starts_with(ELF::ElfMagic))
      return error(dataAt + kPlace, "the ELF sector holds no ELF file");
    fact("bytes", std::to_string(elf.size()), "", " bytes");
    fact("entry", hexText(read32le(elf.data() + 24)), "entry ");
  }

  void contents(ArrayRef<uint8_t> data, size_t dataAt) {
    const bool isNode = type.number == kNodeDescriptor;
    if ((type.placed || isNode) && data.size() < kPlace)
      return sectorError(
          dataAt, "has " + Twine(data.size()) + " bytes of data, not " +
                      (type.number == kElf ? "at least " : "") + Twine(kPlace));
    listing.entries.back().part = {name, data};
    if (isNode) {
      const uint8_t *p = data.data();
      const uint32_t jtagId = read32le(p + 4);
      const NodeType *known = find_if(
          kNodeTypes, [&](const NodeType &of) { return of.jtagId == jtagId; });
      fact("routingId", std::to_string(read16le(p)), "routing ID ");
      fact("jtagId", hexText(jtagId), "JTAG ID ",
           known == std::end(kNodeTypes)
               ? ""
               : std::string(" (") + known->name + ")");
      fact("userId", hexText(read32le(p + 8)), "user ID ");
    }
    if (type.placed)
      tileContents(data, dataAt);
    if (type.isText) {
      hasConfig |= type.number == kSysConfig;
      fact("characters", std::to_string(data.size()), "", " characters");
      if (data.empty())
        sectorError(dataAt, "is empty");
    }
  }

  /// Lists the sector at `at` and moves behind it; false at the end, or when
  /// the next one cannot be found.
  bool sector() {
    const size_t left = bytes.size() - at;
    if (left < kSectorHeader) {
      error(at, left ? "the file ends inside a sector's header"
                     : "the file ends without a sector of type 0x5555");
      return false;
    }
    const uint8_t *header = bytes.data() + at;
    const uint64_t length = read64le(header + 4);
    type = {read16le(header), nullptr};
    name = "type " + std::to_string(type.number);
    for (const SectorType &known : kSectorTypes)
      if (known.number == type.number) {
        type = known;
        name = known.name;
      }
    listing.entries.push_back({at, name, {}, {}});
    if (read16le(header + 2) != 0)
      error(at + 2, "bytes 2 and 3 of the " + name + " sector are not 0");
    if (length > left - kSectorHeader) {
      sectorError(at + 4, "has a length of " + hexText(length) + ", with " +
                              hexText(left - kSectorHeader) +
                              " bytes left in the file");
      return false;
    }
    const size_t contentsAt = at + kSectorHeader;
    at = contentsAt + size_t(length);
    if (type.number == kLast) {
      ended = true;
      if (length)
        error(contentsAt, "the last sector has contents");
      return false;
    }
    if (length != 0)
      sectorBody(contentsAt, length);
    else if (type.needsData)
      sectorError(contentsAt, "is empty");
    return true;
  }

  /// {u8 pad, 3 zero bytes, data, pad bytes, u32 CRC}
  void sectorBody(size_t bodyAt, uint64_t length) {
    if (length < kAround)
      return sectorError(bodyAt, "has " + Twine(length) +
                                     " bytes, too few for pad count and CRC");
    const size_t crcAt = at - 4, dataAt = bodyAt + 4;
    const uint8_t pad = bytes[bodyAt];
    const ArrayRef<uint8_t> covered =
        bytes.slice(bodyAt - kSectorHeader, kSectorHeader + length - 4);
    const uint32_t stored = read32le(bytes.data() + crcAt);
    const uint32_t computed =
        version == 1 ? oldChecksum(covered) : checksum(covered);
    fact("crc", hexText(stored), "CRC ");
    if (stored != computed)
      sectorError(crcAt, "has CRC " + hexText(stored) + ", its contents " +
                             hexText(computed));
    if (bytes[bodyAt + 1] || bytes[bodyAt + 2] || bytes[bodyAt + 3])
      error(bodyAt + 1,
            "bytes 1 to 3 of the " + name + " sector's contents are not 0");
    if (at % 4)
      sectorError(at, "does not end at a multiple of 4");
    const uint64_t padded = length - kAround;
    if (pad > 3 || pad > padded)
      return sectorError(bodyAt, "has a pad count of " + Twine(unsigned(pad)) +
                                     ", of " + Twine(padded) + " bytes");
    for (size_t i = crcAt - pad; i != crcAt; ++i)
      if (bytes[i]) {
        error(i, "a pad byte of the " + name + " sector is not 0");
        break;
      }
    contents(bytes.slice(dataAt, size_t(padded - pad)), dataAt);
  }

  /// The rules for all sectors together.
  void wholeFile() {
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

  ArrayRef<uint8_t> bytes;
  std::vector<TargetMessage> &messages;
  ContainerListing listing;
  size_t at = kFileHeader;
  uint8_t version = 0;
  SectorType type = {}; ///< of the sector at hand
  std::string name;     ///< its type's name
  bool ended = false, hasConfig = false;
  std::set<Tile> loaded, started;
};

ContainerListing listXe(ArrayRef<uint8_t> bytes,
                        std::vector<TargetMessage> &messages) {
  return XeLister(bytes, messages).run();
}

} // namespace

extern constinit const Container xeContainer = {
    .name = "xe",
    .write = writeXe,
    .list = listXe,
    .magic = kMagic,
};

} // namespace xlink
