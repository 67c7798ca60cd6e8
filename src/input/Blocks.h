//===- Blocks.h - sections cut where parts of them may go -----------------===//
#ifndef XLINK_INPUT_BLOCKS_H
#define XLINK_INPUT_BLOCKS_H

#include "arch/Target.h"
#include "model/ObjectFile.h"
#include <memory>

namespace xlink {

/// The object with every elimination block (ExprOp::Block) as a section of its
/// own, or `object` itself if no block can be cut out.
std::shared_ptr<const ParsedObject>
cutBlocks(std::shared_ptr<const ParsedObject> object, const Target &target);

} // namespace xlink
#endif
