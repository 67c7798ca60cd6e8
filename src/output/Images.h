//===- Images.h - outputs that are no ELF files ---------------------------===//
#ifndef XLINK_OUTPUT_IMAGES_H
#define XLINK_OUTPUT_IMAGES_H

#include "output/Writer.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Bytes that are loaded one behind the other.
struct ImageBlock {
  Address address; ///< load address of the first
  llvm::ArrayRef<uint8_t> bytes;
  OutputId output = {}; ///< the section, for messages; kNone: filler

  Address end() const { return address + bytes.size(); }
};

/// The contents of a file, whatever its format.
struct Image {
  llvm::StringRef name; ///< of the file, which S-records hold
  Address begin;        ///< of the first byte, where a format needs one
  uint64_t entry = 0;   ///< where execution begins, 0: it does not say
  uint8_t fill = 0;     ///< between blocks, where a format has bytes there
  std::vector<ImageBlock> blocks = {}; ///< by address, disjoint
};

/// A format of images.
struct ImageFormat {
  OutputFormat format;
  const char *title; ///< in messages
  Address end;       ///< of the addresses that it has
  bool hasGaps;      ///< between blocks it has nothing; else filler
  std::vector<uint8_t> (*write)(const Image &image);
};

/// The row of a format; null for ELF, which holds more than an image.
const ImageFormat *findImageFormat(OutputFormat format);

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

/// Reports an --oformat that the link's machine does not have, and options of a
/// container that is not written.
void checkContainer(const Program &program, Diagnostics &diag);

/// Links to memory, hands the ELF file to the machine's container
/// (Target::containers), a file that a machine boots, and writes its result.
/// Files named by its options come from `fs`; returns those that were read.
std::vector<std::string> writeContainer(const LinkedProgram &output,
                                        OutputSink &sink,
                                        llvm::vfs::FileSystem *fs,
                                        Diagnostics &diag);

/// Reports regions that --image and --crc name and the script does not have, a
/// --gap-fill without effect, and options that do not go together with -r:
/// formats without relocations, those that need addresses, and --gc-sections
/// without a root. The script must be there. False: the link ends here.
bool checkOutputOptions(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
