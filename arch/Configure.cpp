//===- Configure.cpp - options and inputs to the state of a link ----------===//
#include "arch/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace xlink {

std::string hexText(uint64_t value) {
  return "0x" + utohexstr(value, /*LowerCase=*/true);
}

/// The cpu of --mcpu. Null when none was given, or one that the machine does
/// not know: the latter adds an error with the valid ones.
static const Cpu *givenCpu(const Target &target, const TargetOptions &options,
                           std::vector<TargetMessage> &messages) {
  if (options.cpu.empty())
    return nullptr;
  std::string valid;
  for (const Cpu &cpu : target.cpus) {
    if (options.cpu == cpu.name)
      return &cpu;
    valid += (valid.empty() ? "" : ", ") + std::string(cpu.name);
  }
  messages.push_back({TargetMessage::Error,
                      "unknown --mcpu value '" + options.cpu + "' for " +
                          target.name +
                          (valid.empty() ? ": this machine has no variants"
                                         : "; valid values: " + valid)});
  return nullptr;
}

const InputHeader *
requireSame(const Twine &property, ArrayRef<InputHeader> headers,
            function_ref<std::optional<uint32_t>(const InputHeader &)> read,
            function_ref<std::string(uint32_t value)> text,
            TargetMessage::Severity severity,
            std::vector<TargetMessage> &messages) {
  const InputHeader *first = nullptr;
  SmallVector<uint32_t, 4> seen; // the first input's value, then reported ones
  for (const InputHeader &header : headers) {
    std::optional<uint32_t> value = read(header);
    if (!value || is_contained(seen, *value))
      continue;
    seen.push_back(*value);
    if (!first) {
      first = &header;
      continue;
    }
    messages.push_back(
        {severity, (property + ": " + first->file + " " + text(seen.front()) +
                    ", " + header.file + " " + text(*value))
                       .str()});
  }
  return first;
}

/// 'A', then a subsection {u32 size, the vendor, {tag 1, u32 size, {the tag, a
/// name}}}, names with their NUL. Sizes count themselves, and the inner one its
/// tag.
std::optional<std::string> attributesIdentity(const Target &target,
                                              ArrayRef<uint8_t> bytes) {
  using support::endian::read32;
  if (!target.attributesVendor)
    return std::nullopt;
  const endianness order = target.isBig ? endianness::big : endianness::little;
  const std::string vendor = target.attributesVendor + std::string(1, '\0');
  auto take = [](ArrayRef<uint8_t> &from, uint64_t size, uint64_t least) {
    if (size < least || size > from.size())
      return false;
    from = from.take_front(size);
    return true;
  };
  if (bytes.size() < 5 || bytes.front() != 'A')
    return std::nullopt;
  bytes = bytes.drop_front();
  if (!take(bytes, read32(bytes.data(), order), 4 + vendor.size()))
    return std::nullopt;
  bytes = bytes.drop_front(4);
  if (toStringRef(bytes.take_front(vendor.size())) != vendor)
    return std::nullopt;
  bytes = bytes.drop_front(vendor.size());
  if (bytes.size() < 5 || bytes.front() != 1 ||
      !take(bytes, read32(bytes.data() + 1, order), 6))
    return std::nullopt;
  bytes = bytes.drop_front(5);
  if (bytes.front() != target.attributesTag)
    return std::nullopt;
  StringRef name = toStringRef(bytes.drop_front());
  size_t end = name.find('\0');
  if (end == StringRef::npos)
    return std::nullopt;
  return name.take_front(end).str();
}

/// The value of a field of e_flags that an object does not have.
constexpr uint32_t kNoValue = ~0u;

/// The value of a field of e_flags; nothing: the object goes with all others.
static std::optional<uint32_t> fieldOf(const FlagsRule &rule, uint32_t flags) {
  if (rule.onlyIf && (flags & *rule.onlyIf) != *rule.onlyIf)
    return kNoValue;
  const uint32_t value = flags & rule.mask;
  return value == rule.any ? std::nullopt : std::optional(value);
}

/// "has version 2", "is for ipu1".
static std::string fieldText(const Target &target, const FlagsRule &rule,
                             uint32_t value) {
  if (value == kNoValue)
    return "has none";
  std::string text = rule.text;
  if (const size_t at = text.find("%d"); at != std::string::npos)
    return text.replace(at, 2, utostr(value >> countr_zero(rule.mask)));
  const size_t at = text.find("%s");
  if (at == std::string::npos)
    return text;
  for (const Cpu &cpu : target.cpus)
    if (cpu.flags == value)
      return text.replace(at, 2, cpu.name);
  return text.replace(at, 2,
                      "the unknown " + StringRef(rule.name).rtrim('s').str() +
                          " " + hexText(value));
}

/// The e_flags of the output. Returns the objects' message about the cpu that
/// they are for if it is none of the machine's: "a.o is for the unknown ...".
static std::string mergeFlags(const Target &target,
                              ArrayRef<InputHeader> headers, TargetState &state,
                              std::vector<TargetMessage> &messages) {
  std::string unknown;
  uint32_t flags = headers.empty() ? target.flags : headers.front().flags;
  for (const FlagsRule &rule : target.flagsRules) {
    const InputHeader *first = requireSame(
        Twine("incompatible ") + rule.name, headers,
        [&](const InputHeader &header) { return fieldOf(rule, header.flags); },
        [&](uint32_t value) { return fieldText(target, rule, value); },
        rule.isError ? TargetMessage::Mismatch : TargetMessage::Warning,
        messages);
    const std::optional<uint32_t> value =
        first ? fieldOf(rule, first->flags) : std::nullopt;
    if (!value || *value == kNoValue)
      continue;
    flags = (flags & ~rule.mask) | *value;
    if (StringRef(rule.text).contains("%s"))
      unknown = (first->file + " " + fieldText(target, rule, *value)).str();
  }
  state.flags = (flags & target.flagsMask) | (target.flags & ~target.flagsMask);
  return unknown;
}

/// The cpu that an object is for; null: it does not say.
static const Cpu *cpuOf(const Target &target, const InputHeader &header,
                        uint32_t flags) {
  if (!target.flagsRules.empty())
    flags &= target.flagsRules.front().mask;
  const auto identity = attributesIdentity(target, header.attributes);
  const auto *found = find_if(target.cpus, [&](const Cpu &cpu) {
    return cpu.flags ? cpu.flags == flags : identity == cpu.name;
  });
  return found == target.cpus.end() ? nullptr : found;
}

/// The cpu of --mcpu, else of the first object that states one, else the first
/// there is.
static const Cpu &chooseCpu(const Target &target, const Cpu *given,
                            ArrayRef<InputHeader> headers, uint32_t flags,
                            const std::string &unknown,
                            std::vector<TargetMessage> &messages) {
  const Cpu *stated = nullptr;
  StringRef file;
  for (const InputHeader &header : headers) {
    if ((stated = cpuOf(target, header, flags))) {
      file = header.file;
      break;
    }
  }
  if (given && stated && given != stated && target.attributesVendor)
    messages.push_back({TargetMessage::Warning,
                        (Twine("incompatible attributes: --mcpu is ") +
                         given->name + ", " + file + " is for " + stated->name)
                            .str()});
  if (given || stated)
    return given ? *given : *stated;
  const Cpu &first = target.cpus.front();
  if (!unknown.empty())
    messages.push_back(
        {TargetMessage::Warning,
         unknown + "; taking " + first.name + ", --mcpu chooses another"});
  return first;
}

void configure(const Target &target, const TargetOptions &options,
               ArrayRef<InputHeader> headers, TargetState &state,
               std::vector<TargetMessage> &messages) {
  state.machine = target.machines.front();
  state.osabi =
      target.osabi && !headers.empty() ? headers.front().osabi : target.osabi;
  state.codeFill.assign(target.codeFill.begin(), target.codeFill.end());
  const std::string unknown = mergeFlags(target, headers, state, messages);
  const Cpu *given = givenCpu(target, options, messages);
  if (target.cpus.empty())
    return;
  const Cpu &cpu =
      target.configure
          ? target.configure(target, options, headers, given, state, messages)
          : chooseCpu(target, given, headers, state.flags, unknown, messages);
  state.cpu = cpu.name;
  state.fieldBase = cpu.base;
  if (!cpu.fill.empty())
    state.codeFill.assign(cpu.fill.begin(), cpu.fill.end());
  state.noCode = cpu.noCode;
  if (cpu.executable.end)
    state.executable = {cpu.executable};
  for (const auto &[name, value] : cpu.defines)
    state.scriptVariables.emplace_back(name, value);
}

} // namespace xlink
