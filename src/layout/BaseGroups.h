//===- BaseGroups.h - sections addressed from a base symbol ---------------===//
#ifndef XLINK_LAYOUT_BASEGROUPS_H
#define XLINK_LAYOUT_BASEGROUPS_H

#include "model/Link.h"
#include <map>
#include <string>
#include <vector>

namespace xlink {

/// The group of the section of a symbol that `file` names, if it is another one
/// than `base`; else kNone. Symbols that the file defines itself are exempt, as
/// its compiler knew the section: compilers of XC count from cp to constants
/// that they put into the data region. Addresses must be fixed.
uint32_t otherBase(const Link &link, const InputFile &file, uint32_t symbol,
                   uint32_t base);

/// Notes for references that do not reach a base symbol's group: its size, its
/// largest members, and the effect of moving to its end. Each group is measured
/// once for all references.
class BaseGroupNotes {
public:
  explicit BaseGroupNotes(const Link &link) : link(link) {}

  /// `reach`: bytes of the group that the field reaches.
  std::vector<std::string> describe(uint32_t group, uint64_t reach);

private:
  /// The notes that do not depend on the reference.
  struct Measure {
    uint64_t size = 0;
    std::vector<std::string> largest; ///< notes
    bool last = false;                ///< something stands at the end already
  };
  const Measure &measure(uint32_t group);

  const Link &link;
  std::map<uint32_t, Measure> measures; ///< by group
};

} // namespace xlink
#endif
