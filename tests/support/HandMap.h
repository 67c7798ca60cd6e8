//===- HandMap.h - maps that no link made ---------------------------------===//
//
//     HandMap made;
//     made.region("rom", 0x1000, 0x400, 0x40).file("a.o");
//     made.output(".text", "AX", 0x1000, 0).part("a.o", ".text", 0x40);
//     made.symbol("main", 0x20);
//
// What is added stands behind what was added before it.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_SUPPORT_HANDMAP_H
#define XLINK_TESTS_SUPPORT_HANDMAP_H

#include "map/LinkMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace xlink::test {

class HandMap {
public:
  explicit HandMap(llvm::StringRef output = "a.elf");

  HandMap &region(llvm::StringRef name, uint64_t origin, uint64_t length,
                  uint64_t used);
  /// A file, "a.o" or "lib.a(m.o)".
  HandMap &file(llvm::StringRef name);
  /// An output section; letters of map/README.md, N: SHT_NOBITS.
  HandMap &output(llvm::StringRef name, llvm::StringRef letters,
                  uint64_t address, uint32_t region = LinkMap::kNoIndex);
  /// An input section of a file; "" for the linker's own.
  HandMap &part(llvm::StringRef file, llvm::StringRef name, uint64_t size);
  HandMap &padding(uint64_t size);
  /// A symbol in the last part, global if its name has no '~' in front.
  HandMap &symbol(llvm::StringRef name, uint64_t size,
                  MapSymbol::Kind kind = MapSymbol::Function);

  LinkMap map;

private:
  MapPart &add(MapPart::Kind kind, uint64_t size);
  llvm::StringRef keep(llvm::StringRef text);
};

} // namespace xlink::test
#endif
