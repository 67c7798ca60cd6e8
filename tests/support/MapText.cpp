//===- MapText.cpp --------------------------------------------------------===//
#include "support/MapText.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string index(uint32_t value) {
  return value == LinkMap::kNoIndex ? "-" : std::to_string(value);
}
FormattedNumber digits(uint64_t value) {
  return format_hex_no_prefix(value, 1);
}

void symbolLine(raw_ostream &out, const char *what, const MapSymbol &s) {
  out << what << s.name << ' ' << digits(s.address) << ' ' << s.size << " kind "
      << int(s.kind) << " local " << s.local << " weak " << s.weak << '\n';
}

void regionLines(raw_ostream &out, const MapRegion &r) {
  out << "region " << r.name << ' ' << digits(r.origin) << " length "
      << r.length << " used " << r.used << " load " << r.loadOnly << " builtin "
      << r.builtin << '\n';
  for (const MapReservation &v : r.reservations)
    out << "  reservation " << v.name << ' ' << int(v.kind) << ' '
        << digits(v.address) << ' ' << v.size << '\n';
}

void outputLines(raw_ostream &out, const LinkMap &map, const MapOutput &o) {
  out << "output " << o.name << ' ' << digits(o.address) << " load "
      << digits(o.loadAddress) << " size " << o.size << " align " << o.align
      << " type " << o.type << " flags " << digits(o.flags) << " region "
      << index(o.region) << " load " << index(o.loadRegion) << '\n';
  for (uint32_t i = 0; i < o.parts; ++i) {
    const MapPart &p = map.parts[o.firstPart + i];
    out << "  part " << int(p.kind) << ' ' << p.name << " file "
        << index(p.file) << ' ' << digits(p.address) << ' ' << p.size
        << " align " << p.align << " pattern " << index(p.pattern) << " cause '"
        << p.cause << "' live " << int(p.live) << " from " << index(p.liveFrom)
        << '\n';
    for (uint32_t s = 0; s < p.symbols; ++s)
      symbolLine(out, "    symbol ", map.symbols[p.firstSymbol + s]);
  }
}

} // namespace

std::string textOf(const LinkMap &map) {
  std::string text;
  raw_string_ostream out(text);
  out << map.machine << ' ' << map.output << ' ' << map.addressBits << " entry "
      << map.entryName << ' ' << digits(map.entry) << '\n';
  for (const MapRegion &r : map.regions)
    regionLines(out, r);
  for (const MapInput &f : map.files)
    out << "file " << f.path << '(' << f.member << ") "
        << (f.symbol.empty() ? "-" : f.symbol) << ' ' << index(f.neededBy)
        << " from " << f.source << '\n';
  for (const MapPattern &p : map.patterns)
    out << "pattern " << p.script << ':' << p.line << ' ' << p.text << '\n';
  for (const MapOutput &o : map.outputs)
    outputLines(out, map, o);
  for (const MapSymbol &s : map.absolutes)
    symbolLine(out, "absolute ", s);
  for (const MapReference &r : map.references)
    out << "reference " << r.from << ' ' << r.to << ' ' << r.count << ' '
        << r.call << '\n';
  for (const MapDiscarded &d : map.discarded)
    out << "discarded " << int(d.reason) << ' ' << d.name << " file "
        << index(d.file) << ' ' << d.size << '\n';
  for (const MapRelocationCount &r : map.relocations)
    out << "relocation " << r.type << " " << r.count << '\n';
  for (const MapStack &s : map.stacks) {
    out << "stack " << s.root << ' ' << s.kind << ' ' << s.bytes << " bounded "
        << s.bounded << " limit " << s.limit;
    for (const MapStack::Frame &f : s.path)
      out << ' ' << f.function << ':'
          << (f.bytes ? std::to_string(*f.bytes) : "?");
    out << '\n';
  }
  return text;
}

} // namespace xlink::test
