// The least link: in the plainest way what every linker does that resolves
// names and relocates, as a measure of how much of a link's time could be
// saved.
//
//   leastlink THREADS SHARE BYTES OUTPUT LISTING
//
// LISTING is a response file; lines that are no absolute paths are ignored.
// SHARE is how much of each archive is needed, BYTES how long the output may
// become, for links that drop sections.
//
// Three passes over the files, dealt out in runs to THREADS threads:
//  1. each file is opened and mapped (or read, when small); names of sections
//     are measured; names of symbols and strings that merge are measured and
//     hashed;
//  2. global names and strings are entered into two tables of hashes;
//  3. sections are copied, their relocations applied by adding a symbol's
//     value, strings that were entered first are copied, symbols and their
//     names written. Long sections without relocations are written from where
//     they are.
//
// Hashes are believed, nothing is checked, sections have no order, strings do
// not share ends, references to strings stay as they are, weak symbols and
// COMDAT groups do not exist, and memory stays where it is. The result is no
// program. A linker that goes about it like this takes longer; one that is
// cleverer at some step saves no more than that step.
//
// It prints seconds by the clock and of processors since main() began, and the
// bytes that it wrote, by which to see that it did its work.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

constexpr size_t kMapFrom = 16384, kRun = 1 << 20, kLong = 32768;

struct Elf32 {
  using Header = Elf32_Ehdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
  using Relocation = Elf32_Rela;
  static uint32_t symbol(const Relocation &r) { return ELF32_R_SYM(r.r_info); }
};

struct Elf64 {
  using Header = Elf64_Ehdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
  using Relocation = Elf64_Rela;
  static uint32_t symbol(const Relocation &r) { return ELF64_R_SYM(r.r_info); }
};

[[noreturn]] void fail(const char *what) {
  perror(what);
  exit(1);
}

uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return uint64_t(product) ^ uint64_t(product >> 64);
}

/// Eight bytes at a time; never 0, which is an empty slot.
uint64_t hashOf(const char *text, size_t size) {
  constexpr uint64_t first = 0x9e3779b97f4a7c15, second = 0xbf58476d1ce4e5b9;
  uint64_t hash = size * first, word;
  for (; size > 8; text += 8, size -= 8) {
    memcpy(&word, text, 8);
    hash = mix(hash ^ word, second);
  }
  word = 0;
  memcpy(&word, text, size);
  return mix(hash ^ word, first) | 1;
}

struct Hash {
  std::atomic<uint64_t> hash;
};
struct HashAndValue : Hash {
  uint64_t value;
};

/// Memory that nobody has touched.
void *fresh(size_t size) {
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fail("memory");
  return memory;
}

/// One thread's memory: what it takes stands side by side, and stays.
class Arena {
public:
  /// Where the next objects go; take() says how many there were.
  template <class T> T *next() {
    if (!at)
      at = static_cast<char *>(fresh(size_t(1) << 36));
    return reinterpret_cast<T *>(at);
  }
  template <class T> T *take(size_t count) {
    T *begin = next<T>();
    at += (count * sizeof(T) + 7) & ~size_t(7);
    return begin;
  }

private:
  char *at = nullptr;
};

/// Hashes, found by linear probing; made for all threads at once.
template <class Slot> class Table {
public:
  void make(size_t count) {
    size_t size = 1024;
    while (size < 2 * count)
      size *= 2;
    mask = size - 1;
    slots = static_cast<Slot *>(fresh(size * sizeof(Slot)));
  }
  /// Writes a part of the memory before anybody reads it, which is cheaper.
  void clear(size_t part, size_t parts) {
    const size_t from = (mask + 1) * part / parts,
                 to = (mask + 1) * (part + 1) / parts;
    memset(static_cast<void *>(&slots[from]), 0, (to - from) * sizeof(Slot));
  }
  /// The slot of a hash, and whether it is new.
  std::pair<Slot *, bool> enter(uint64_t hash) {
    for (size_t i = hash >> 20;; i++) {
      Slot &slot = slots[i & mask];
      uint64_t there = slot.hash.load(std::memory_order_relaxed);
      if (there == hash)
        return {&slot, false};
      if (!there && slot.hash.compare_exchange_strong(there, hash))
        return {&slot, true};
      if (there == hash)
        return {&slot, false};
      if (i - (hash >> 20) > mask)
        fail("no room in a table");
    }
  }
  void prefetch(uint64_t hash) const {
    __builtin_prefetch(&slots[(hash >> 20) & mask], 1);
  }

private:
  Slot *slots = nullptr;
  size_t mask = 0;
};

/// A file, or a member of an archive.
struct Input {
  std::string path;
  const char *data = nullptr;
  size_t size = 0;
  uint64_t *names = nullptr, nameCount = 0; // hashes of global symbols' names
  uint64_t *strings = nullptr,
           stringCount = 0;         // hashes; 0 when another file has it
  HashAndValue **entries = nullptr; // of global symbols
  uint32_t *addresses = nullptr;    // of sections, from the file's begin
  uint64_t sectionCount = 0, copied = 0, base = 0;
};

struct Link {
  std::vector<Input> inputs;
  Arena arena;
  Table<HashAndValue> names;
  Table<Hash> strings;
  std::atomic<size_t> defined = 0, texts = 0, letters = 0, next[3] = {},
                      end = 0;
  size_t bytes = 0, perFile = 0, run = 1;
  int output = -1;
};

void open(Input &input, Arena &arena, int populate = MAP_POPULATE) {
  const int file = ::open(input.path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status))
    fail(input.path.c_str());
  input.size = size_t(status.st_size);
  if (input.size < kMapFrom) {
    char *buffer = arena.take<char>(input.size);
    if (read(file, buffer, input.size) != ssize_t(input.size))
      fail(input.path.c_str());
    input.data = buffer;
  } else {
    void *image =
        mmap(nullptr, input.size, PROT_READ, MAP_PRIVATE | populate, file, 0);
    if (image == MAP_FAILED)
      fail(input.path.c_str());
    input.data = static_cast<const char *>(image);
  }
  close(file);
}

/// What one thread does; `Class` is Elf32 or Elf64.
template <class Class> class Worker {
public:
  Worker(Link &link, size_t number, size_t threads)
      : link(link), number(number), threads(threads) {}

  void run(std::barrier<> &barrier) {
    pass(0, [this](Input &input) { parse(input); });
    barrier.arrive_and_wait();
    if (!number)
      between();
    barrier.arrive_and_wait();
    link.names.clear(number, threads);
    link.strings.clear(number, threads);
    barrier.arrive_and_wait();
    pass(1, [this](Input &input) { enter(input); });
    barrier.arrive_and_wait();
    pass(2, [this](Input &input) { write(input); });
    flush();
  }

private:
  using Section = typename Class::Section;
  using Symbol = typename Class::Symbol;

  template <class Work> void pass(int number, Work work) {
    for (;;) {
      const size_t from = link.next[number].fetch_add(link.run);
      if (from >= link.inputs.size())
        return;
      for (size_t i = from; i < std::min(from + link.run, link.inputs.size());
           i++)
        work(link.inputs[i]);
    }
  }

  /// Tables as long as it takes, and where each file's sections begin. There
  /// are no more different strings than the output has room for.
  void between() {
    link.names.make(link.defined);
    const size_t average = link.texts ? link.letters / link.texts : 1;
    link.strings.make(std::min<size_t>(link.texts, link.bytes / average));
    uint64_t base = 0x1000;
    for (Input &input : link.inputs) {
      input.base = base;
      base += input.copied;
    }
  }

  static const Section *sections(const Input &input, size_t &count) {
    const auto &header =
        *reinterpret_cast<const typename Class::Header *>(input.data);
    const auto *table =
        reinterpret_cast<const Section *>(input.data + header.e_shoff);
    count = header.e_shnum ? header.e_shnum : table[0].sh_size;
    return table;
  }
  static bool isStrings(const Section &s) {
    return s.sh_flags & SHF_MERGE && s.sh_flags & SHF_STRINGS;
  }
  static bool isCopied(const Section &s) {
    return s.sh_type != SHT_NULL && s.sh_type < SHT_LOUSER &&
           s.sh_type != SHT_SYMTAB && s.sh_type != SHT_STRTAB &&
           s.sh_type != SHT_RELA && s.sh_type != SHT_GROUP &&
           s.sh_type != SHT_SYMTAB_SHNDX;
  }

  void parse(Input &input) {
    if (!input.data)
      open(input, arena);
    size_t count;
    const Section *table = sections(input, count);
    const auto &header =
        *reinterpret_cast<const typename Class::Header *>(input.data);
    const uint32_t named =
        header.e_shstrndx == SHN_XINDEX ? table[0].sh_link : header.e_shstrndx;
    const char *sectionNames = input.data + table[named].sh_offset;
    input.addresses = arena.take<uint32_t>(input.sectionCount = count);
    for (size_t i = 0; i < count; i++) {
      const Section &s = table[i];
      if (!isCopied(s))
        continue;
      seen += strlen(sectionNames + s.sh_name);
      if (isStrings(s)) {
        parseStrings(input, input.data + s.sh_offset, s.sh_size);
      } else {
        input.addresses[i] = uint32_t(input.copied);
        input.copied += s.sh_size;
      }
    }
    if (const Section *symtab = symbolTable(table, count))
      parseSymbols(input, *symtab,
                   input.data + table[symtab->sh_link].sh_offset);
    link.texts += input.stringCount;
  }
  void parseStrings(Input &input, const char *at, size_t size) {
    link.letters += size;
    uint64_t *hashes = arena.next<uint64_t>(), count = 0;
    for (const char *end = at + size; at < end;) {
      const size_t length = strlen(at) + 1;
      hashes[count++] = hashOf(at, length);
      at += length;
    }
    // Nothing else is taken between two sections of strings: they are one
    // array.
    arena.take<uint64_t>(count);
    if (!input.strings)
      input.strings = hashes;
    input.stringCount += count;
  }
  void parseSymbols(Input &input, const Section &s, const char *names) {
    const auto *symbols =
        reinterpret_cast<const Symbol *>(input.data + s.sh_offset);
    size_t defined = 0;
    input.nameCount = s.sh_size / sizeof(Symbol) - s.sh_info;
    input.names = arena.take<uint64_t>(input.nameCount);
    for (size_t i = 0; i < input.nameCount; i++) {
      const Symbol &symbol = symbols[s.sh_info + i];
      const char *name = names + symbol.st_name;
      input.names[i] = hashOf(name, strlen(name));
      defined += symbol.st_shndx != SHN_UNDEF;
    }
    link.defined += defined;
  }

  static const Section *symbolTable(const Section *table, size_t count) {
    const auto *found =
        std::find_if(table, table + count,
                     [](const Section &s) { return s.sh_type == SHT_SYMTAB; });
    return found == table + count ? nullptr : found;
  }

  void enter(Input &input) {
    size_t count;
    const Section *table = sections(input, count);
    if (const Section *symtab = symbolTable(table, count))
      enterNames(input, *symtab);
    for (size_t i = 0; i < input.stringCount; i++) {
      if (i + kAhead < input.stringCount)
        link.strings.prefetch(input.strings[i + kAhead]);
      if (!link.strings.enter(input.strings[i]).second)
        input.strings[i] = 0;
    }
  }
  void enterNames(Input &input, const Section &symtab) {
    const auto *symbols =
        reinterpret_cast<const Symbol *>(input.data + symtab.sh_offset);
    input.entries = arena.take<HashAndValue *>(input.nameCount);
    for (size_t i = 0; i < input.nameCount; i++) {
      if (i + kAhead < input.nameCount)
        link.names.prefetch(input.names[i + kAhead]);
      const Symbol &symbol = symbols[symtab.sh_info + i];
      input.entries[i] = link.names.enter(input.names[i]).first;
      if (symbol.st_shndx != SHN_UNDEF)
        input.entries[i]->value = valueOf(input, symbol);
    }
  }
  static uint64_t valueOf(const Input &input, const Symbol &symbol) {
    const bool isPlaced = symbol.st_shndx < input.sectionCount;
    return symbol.st_value +
           (isPlaced ? input.base + input.addresses[symbol.st_shndx] : 0);
  }

  void write(Input &input) {
    size_t count;
    const Section *table = sections(input, count);
    left = link.perFile;
    symtab = symbolTable(table, count);
    const uint64_t *hash = input.strings;
    for (size_t i = 0; i < count; i++) {
      const Section &s = table[i];
      if (!isCopied(s) || s.sh_type == SHT_NOBITS)
        continue;
      if (isStrings(s)) {
        writeStrings(input.data + s.sh_offset, s.sh_size, hash);
        continue;
      }
      const bool relocated = i + 1 < count &&
                             table[i + 1].sh_type == SHT_RELA &&
                             table[i + 1].sh_info == i;
      if (!relocated && s.sh_size >= kLong && s.sh_size <= left) {
        left -= s.sh_size;
        writeOut(input.data + s.sh_offset, s.sh_size);
        continue;
      }
      char *copy = put(input.data + s.sh_offset, s.sh_size);
      if (copy && relocated)
        relocate(input, copy, s.sh_size, table[i + 1]);
    }
    if (symtab)
      writeSymbols(input, input.data + table[symtab->sh_link].sh_offset);
  }
  void writeStrings(const char *at, size_t size, const uint64_t *&hash) {
    for (const char *end = at + size; at < end;) {
      const size_t length = strlen(at) + 1;
      if (*hash++)
        put(at, length);
      at += length;
    }
  }
  void relocate(const Input &input, char *copy, size_t size,
                const Section &rela) {
    using Relocation = typename Class::Relocation;
    const auto *symbols =
        reinterpret_cast<const Symbol *>(input.data + symtab->sh_offset);
    const auto *all =
        reinterpret_cast<const Relocation *>(input.data + rela.sh_offset);
    const size_t count = rela.sh_size / sizeof(Relocation);
    for (size_t i = 0; i < count; i++) {
      if (i + kAhead < count)
        if (uint32_t later = Class::symbol(all[i + kAhead]);
            later >= symtab->sh_info)
          __builtin_prefetch(input.entries[later - symtab->sh_info]);
      const uint32_t number = Class::symbol(all[i]);
      const uint64_t value =
          number < symtab->sh_info
              ? valueOf(input, symbols[number])
              : input.entries[number - symtab->sh_info]->value;
      uint32_t word;
      if (all[i].r_offset + sizeof(word) > size)
        continue;
      memcpy(&word, copy + all[i].r_offset, sizeof(word));
      word += uint32_t(value + all[i].r_addend);
      memcpy(copy + all[i].r_offset, &word, sizeof(word));
    }
  }
  void writeSymbols(const Input &input, const char *names) {
    const auto *symbols =
        reinterpret_cast<const Symbol *>(input.data + symtab->sh_offset);
    for (size_t i = 0; i < input.nameCount; i++) {
      Symbol symbol = symbols[symtab->sh_info + i];
      if (symbol.st_shndx == SHN_UNDEF)
        continue;
      const char *name = names + symbol.st_name;
      symbol.st_value = input.entries[i]->value;
      put(reinterpret_cast<const char *>(&symbol), sizeof(symbol));
      put(name, strlen(name) + 1);
    }
  }

  /// Copies into the buffer; null when this file's share of the output is gone.
  char *put(const char *from, size_t size) {
    if (size > left)
      return nullptr;
    left -= size;
    if (used + size > room) {
      flush();
      if (size > room)
        buffer = arena.take<char>(room = std::max(2 * kRun, size));
    }
    char *to = buffer + used;
    memcpy(to, from, size);
    used += size;
    return to;
  }
  void flush() {
    writeOut(buffer, used);
    used = 0;
  }
  void writeOut(const char *from, size_t size) {
    const size_t at = link.end.fetch_add(size);
    if (pwrite(link.output, from, size, off_t(at)) != ssize_t(size))
      fail("output");
  }

  static constexpr size_t kAhead = 16;

  Link &link;
  const size_t number, threads;
  Arena arena;
  char *buffer = nullptr;
  size_t room = 0, used = 0, left = 0, seen = 0;
  const Section *symtab = nullptr;
};

/// The first `share` of an archive's objects.
void addMembers(Link &link, Input archive, double share) {
  std::vector<Input> members;
  for (size_t at = 8; at + 60 <= archive.size;) {
    const size_t size = strtoul(archive.data + at + 48, nullptr, 10);
    at += 60;
    if (!memcmp(archive.data + at, "\177ELF", 4)) {
      Input &member = members.emplace_back();
      member.data = archive.data + at;
      member.size = size;
    }
    at += size + size % 2;
  }
  members.resize(size_t(double(members.size()) * share));
  std::move(members.begin(), members.end(), std::back_inserter(link.inputs));
}

void readListing(Link &link, const char *path, double share) {
  Input listing;
  listing.path = path;
  open(listing, link.arena);
  std::string_view text(listing.data, listing.size);
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(length + 1);
    if (!line.starts_with('/'))
      continue;
    Input input;
    input.path = line;
    if (line.ends_with(".a")) {
      open(input, link.arena, 0); // few members are needed
      addMembers(link, std::move(input), share);
    } else if (line.ends_with(".o")) {
      link.inputs.push_back(std::move(input));
    }
  }
}

template <class Class> void work(Link &link, size_t threads) {
  std::barrier<> barrier{ptrdiff_t(threads)};
  std::vector<std::thread> others;
  for (size_t i = 1; i < threads; i++)
    others.emplace_back(
        [&, i] { Worker<Class>(link, i, threads).run(barrier); });
  Worker<Class>(link, 0, threads).run(barrier);
  for (std::thread &other : others)
    other.join();
}

} // namespace

int main(int count, char **arguments) {
  const auto begin = std::chrono::steady_clock::now();
  if (count != 6)
    return 2;
  static Link link;
  const size_t threads = strtoul(arguments[1], nullptr, 10);
  const size_t bytes = strtoul(arguments[3], nullptr, 10);
  readListing(link, arguments[5], strtod(arguments[2], nullptr));
  if (link.inputs.empty())
    return 2;
  link.output =
      ::open(arguments[4], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0777);
  if (link.output < 0)
    fail(arguments[4]);
  link.bytes = bytes;
  link.perFile = bytes / link.inputs.size();
  link.run = std::max<size_t>(1, std::min(kRun / (link.perFile + 1),
                                          link.inputs.size() / (8 * threads)));
  if (!link.inputs[0].data)
    open(link.inputs[0], link.arena);
  if (link.inputs[0].data[EI_CLASS] == ELFCLASS64)
    work<Elf64>(link, threads);
  else
    work<Elf32>(link, threads);
  const std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - begin;
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](timeval t) {
    return double(t.tv_sec) + double(t.tv_usec) / 1e6;
  };
  printf("%.6f %.6f %zu\n", taken.count(),
         seconds(usage.ru_utime) + seconds(usage.ru_stime), link.end.load());
  fflush(stdout);
  _exit(0);
}
