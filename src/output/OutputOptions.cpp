//===- OutputOptions.cpp --------------------------------------------------===//
#include "output/OutputOptions.h"

using namespace llvm;

namespace xlink {

static void checkImages(const Program &program, Diagnostics &diag) {
  const Config &config = program.config;
  std::string names;
  for (const MemoryCommand &region : program.script.memory)
    names += (names.empty() ? "" : ", ") + region.name.str();
  for (const RegionImage &image : config.images)
    if (program.regionNamed(image.region) == kNone)
      diag.error("option '--image': there is no memory region '" +
                     image.region + "'",
                 {names.empty() ? "the script has no MEMORY"
                                : "the script has the regions " + names});
  if (config.gapFill && config.images.empty() && config.crcs.empty() &&
      program.output.format == OutputFormat::Elf)
    diag.warn(WarningGroup::General,
              "option '--gap-fill' has no effect without --image, --crc or an "
              "--oformat of images");
}

static void checkCrcRegions(const Program &program, Diagnostics &diag) {
  for (const CrcRequest &request : program.config.crcs)
    if (!request.range && program.regionNamed(request.region) == kNone)
      diag.error("option '--crc=" + request.text +
                 "': " + undeclaredRegion(program.script, request.region));
}

/// False: the link ends here.
static bool checkRelocatable(const Program &program, Diagnostics &diag) {
  const Config &config = program.config;
  const uint64_t before = diag.errorCount();
  if (!config.relocatable)
    return true;
  if (program.output.format != OutputFormat::Elf || !config.container.empty())
    diag.error("option '-r': only an ELF file holds relocations; leave out "
               "'--oformat'");
  const std::pair<bool, const char *> forPrograms[] = {
      {!config.images.empty(), "--image"},
      {!config.crcs.empty(), "--crc"},
      {config.initTables, "--init-tables"},
      {config.icf != IcfLevel::None, "--icf"},
  };
  for (auto [given, option] : forPrograms)
    if (given)
      diag.error(std::string("option '-r': what it makes has no addresses yet; "
                             "leave '") +
                 option + "' to the link of the program");
  const bool anyRoot = config.entry || !config.undefined.empty() ||
                       !config.undefinedGlobs.empty() ||
                       !config.requireDefined.empty() ||
                       !program.script.externs.empty();
  if (config.gcSections && !anyRoot)
    diag.error("option '--gc-sections': with -r nothing says what to keep; "
               "name it by -e or -u");
  return diag.errorCount() == before;
}

bool checkOutputOptions(const Program &program, Diagnostics &diag) {
  checkImages(program, diag);
  checkCrcRegions(program, diag);
  return checkRelocatable(program, diag);
}

} // namespace xlink
