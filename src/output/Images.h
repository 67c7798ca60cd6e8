//===- Images.h - files of what is loaded ---------------------------------===//
#ifndef XLINK_OUTPUT_IMAGES_H
#define XLINK_OUTPUT_IMAGES_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/FileLayout.h"
#include "output/OutputFile.h"

namespace xlink {

/// Reports regions that --image names and the script does not have, and a
/// --gap-fill that nothing is filled with. The script must be there.
void checkImages(const Program &program, Diagnostics &diag);

/// Where the gap between two sections of an image is (`before`: the one in
/// front of it, kNone if there is none), and what would close it. Initial
/// values that no AT> sent elsewhere are loaded to where they run: the usual
/// reason.
std::vector<std::string> gapNotes(const Link &link, OutputId before,
                                  OutputId behind);

/// Writes the output of a link that isMadeFromImage; `layout` is layOutFile's.
/// `entry` is where execution begins.
void writeImage(const Link &link, const SymbolValues &values,
                const FileLayout &layout, uint64_t entry, OutputSink &sink,
                Diagnostics &diag);

/// Writes the files that --image asks for, once the output itself was written
/// without errors, as `layout` has it.
void writeRegionImages(const Link &link, const SymbolValues &values,
                       const FileLayout &layout, uint64_t entry,
                       OutputSink &sink, Diagnostics &diag);

} // namespace xlink
#endif
