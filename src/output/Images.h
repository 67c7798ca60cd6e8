//===- Images.h - files of loaded bytes -----------------------------------===//
#ifndef XLINK_OUTPUT_IMAGES_H
#define XLINK_OUTPUT_IMAGES_H

#include "output/Writer.h"

namespace xlink {

/// Where the gap between two sections of an image is (`before`: the one in
/// front of it, kNone if there is none), and a way to close it. Initial values
/// that no AT> sent elsewhere are loaded to where they run: the usual reason.
std::vector<std::string> gapNotes(const Link &link, OutputId before,
                                  OutputId behind);

/// Writes the output of a link that isMadeFromImage.
void writeImage(const LinkedProgram &output, OutputSink &sink,
                Diagnostics &diag);

/// Writes the files that --image asks for, once the output itself was written
/// without errors.
void writeRegionImages(const LinkedProgram &output, OutputSink &sink,
                       Diagnostics &diag);

} // namespace xlink
#endif
