//===- DwarfForms.cpp -----------------------------------------------------===//
#include "debug/DwarfForms.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace xlink {

void forEachUnit(StringRef section, function_ref<void(const DwarfUnit &)> fn) {
  const DataExtractor data(section, true, 8);
  for (uint64_t next = 0; next < section.size();) {
    DwarfUnit unit = {next, 0, 0, dwarf::DWARF32};
    DataExtractor::Cursor at(next);
    uint64_t length = data.getU32(at);
    if (length == dwarf::DW_LENGTH_DWARF64) {
      unit.format = dwarf::DWARF64;
      length = data.getU64(at);
    }
    unit.begin = at.tell();
    const bool whole = bool(at) && length <= section.size() - unit.begin;
    consumeError(at.takeError());
    if (!whole)
      return;
    next = unit.end = unit.begin + length;
    fn(unit);
  }
}

bool readForm(DataExtractor &data, DataExtractor::Cursor &at, uint64_t form,
              dwarf::FormParams params, AttributeValue &value) {
  using namespace dwarf;
  if (form == DW_FORM_indirect)
    form = data.getULEB128(at);
  if (form > UINT16_MAX)
    return false;
  if (const auto size = getFixedFormByteSize(Form(form), params)) {
    if (*size == 1 || *size == 2 || *size == 4 || *size == 8)
      value.number = data.getUnsigned(at, *size);
    else
      data.skip(at, *size);
    return bool(at);
  }
  switch (form) {
  case DW_FORM_sdata:
    value.number = uint64_t(data.getSLEB128(at));
    break;
  case DW_FORM_udata:
  case DW_FORM_ref_udata:
  case DW_FORM_strx:
  case DW_FORM_addrx:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx:
  case DW_FORM_GNU_addr_index:
  case DW_FORM_GNU_str_index:
    value.number = data.getULEB128(at);
    break;
  case DW_FORM_string:
    value.bytes = data.getCStrRef(at);
    break;
  case DW_FORM_block1:
    value.bytes = data.getBytes(at, data.getU8(at));
    break;
  case DW_FORM_block2:
    value.bytes = data.getBytes(at, data.getU16(at));
    break;
  case DW_FORM_block4:
    value.bytes = data.getBytes(at, data.getU32(at));
    break;
  case DW_FORM_block:
  case DW_FORM_exprloc:
    value.bytes = data.getBytes(at, data.getULEB128(at));
    break;
  default:
    return false;
  }
  return bool(at);
}

} // namespace xlink
