//===- WhyProgram.h - a program to ask questions about --------------------===//
#ifndef XLINK_TESTS_LINK_WHYPROGRAM_H
#define XLINK_TESTS_LINK_WHYPROGRAM_H

#include "link/Linking.h"

namespace xlink::test {

/// main.o, lib.a with work.o, table.o and spare.o, and s.ld:
///
///   _start -> work() (lib.a(work.o), C++) -> table (lib.a(table.o))
///   unused -> old -> forgotten, and ring_a <-> ring_b, which nothing needs
///   .vectors is in a KEEP; inline_f is in a group that main.o and work.o have
LinkHarness whyProgram();

/// What a link printed, which must succeed without a warning.
std::string answersOf(const LinkHarness &links,
                      std::vector<std::string> arguments);

/// An object with functions f0, f1 and so on, `count` of them in sections of
/// their own, of which each refers to the next.
Bytes chainObject(unsigned count);

/// Expects that a.json of a link is what the file in testdata/answers has.
void expectAnswers(const Linked &linked, const std::string &file);

} // namespace xlink::test
#endif
