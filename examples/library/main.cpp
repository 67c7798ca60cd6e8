// Links as the command line says, keeps the outputs in memory, and prints the symbols:
// ./link -m nyuzi start.o tables.o -o out.elf
#include "driver/Driver.h"
#include <cstdio>

int main(int argc, char **argv) {
  xlink::MemorySink memory; // outputs by name; without a sink: files
  xlink::ObjectCache cache; // objects parsed once, for all links that share it
  xlink::LinkRequest request;
  request.arguments.assign(argv + 1, argv + argc);
  request.sink = &memory;
  request.cache = &cache;
  request.wantSymbols = true;

  xlink::LinkResult result = xlink::link(request);
  for (const xlink::Diagnostic &d : result.diagnostics)
    std::fputs(formatDiagnostic(d, result.format, result.color).c_str(), stderr);
  if (result.status != 0)
    return result.status;
  for (const xlink::LinkedSymbol &s : result.symbols)
    std::printf("%#llx %s\n", (unsigned long long)s.value, s.name.c_str());
  for (const auto &[name, bytes] : memory.files)
    std::printf("%s: %zu bytes\n", name.c_str(), bytes.size());
}
