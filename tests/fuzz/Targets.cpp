//===- Targets.cpp - the table of targets ---------------------------------===//
//
// Bounds are for the slowest build, with sanitizers, on a machine that does
// other things as well: some twenty times what sound inputs take. What they
// are about is growth: a run that takes time or room beyond any proportion to
// its input.
//
//===----------------------------------------------------------------------===//
#include "fuzz/Targets.h"
#include "fuzz/LinkTargets.h"

using namespace llvm;

namespace xlink::test {

namespace {

constexpr Bounds kLink = {2, 1e-4, uint64_t(64) << 20, 4096};
constexpr Bounds kMachine = {1, 1e-3, uint64_t(16) << 20, 4096};
constexpr Bounds kReader = {0.5, 2e-5, uint64_t(1) << 20, 1024};

template <const char *Machine> void oneObject(FuzzInput input) {
  fuzzObject(Machine, input);
}
template <const char *Machine> void threeObjects(FuzzInput input) {
  fuzzObjects(Machine, input);
}

constexpr char kXs1[] = "xs1", kNyuzi[] = "nyuzi", kAphelion[] = "aphelion",
               kDpu[] = "dpu", kColossus[] = "colossus",
               kBigNyuzi[] = "big-nyuzi", kBigAphelion[] = "big-aphelion";

constexpr FuzzTarget kTargets[] = {
    {"object-xs1", InputForm::Objects, kLink, oneObject<kXs1>},
    {"object-nyuzi", InputForm::Objects, kLink, oneObject<kNyuzi>},
    {"object-aphelion", InputForm::Objects, kLink, oneObject<kAphelion>},
    {"object-dpu", InputForm::Objects, kLink, oneObject<kDpu>},
    {"object-colossus", InputForm::Objects, kLink, oneObject<kColossus>},
    {"object-big-nyuzi", InputForm::Objects, kLink, oneObject<kBigNyuzi>},
    {"objects-xs1", InputForm::Objects, kLink, threeObjects<kXs1>},
    {"objects-nyuzi", InputForm::Objects, kLink, threeObjects<kNyuzi>},
    {"objects-aphelion", InputForm::Objects, kLink, threeObjects<kAphelion>},
    {"objects-dpu", InputForm::Objects, kLink, threeObjects<kDpu>},
    {"objects-colossus", InputForm::Objects, kLink, threeObjects<kColossus>},
    {"objects-big-aphelion", InputForm::Objects, kLink,
     threeObjects<kBigAphelion>},
    {"relocatable", InputForm::Objects, kLink, fuzzRelocatable},
    {"archive", InputForm::Archive, kLink, fuzzArchive},
    {"script", InputForm::Text, kLink, fuzzScript},
    {"machine", InputForm::Text, kMachine, fuzzMachine},
    {"response", InputForm::Text, kReader, fuzzResponse},
    {"map", InputForm::Text, kReader, fuzzMap},
    {"linker-map", InputForm::Text, kReader, fuzzLinkerMap},
    {"notes", InputForm::Text, kReader, fuzzNotes},
    {"types", InputForm::Text, kReader, fuzzTypes},
    {"names", InputForm::Text, kReader, fuzzNames},
    {"system", InputForm::Text, kReader, fuzzSystem},
    {"xe", InputForm::Binary, kReader, fuzzXe},
    {"lines", InputForm::Binary, kReader, fuzzLines},
    {"diff", InputForm::Objects, kLink, fuzzDiff},
};

} // namespace

ArrayRef<FuzzTarget> fuzzTargets() { return kTargets; }

} // namespace xlink::test
