//===- ResolveSymbols.h - resolution of inputs that are parsed ------------===//
#ifndef XLINK_TESTS_RESOLVESYMBOLS_H
#define XLINK_TESTS_RESOLVESYMBOLS_H

#include "resolve/Resolver.h"

namespace xlink::test {

/// Resolves the symbols of inputs as a link does whose loader has them.
inline void resolveSymbols(Program &program, llvm::ArrayRef<LoadedInput> inputs,
                           InputLoader &loader, Diagnostics &diag) {
  const auto resolver = makeResolver(program, loader, diag);
  resolver->begin(inputs, /*bytes=*/0);
  for (uint32_t i = 0; i < inputs.size(); ++i)
    resolver->take(i);
  resolver->finish();
}

} // namespace xlink::test
#endif
