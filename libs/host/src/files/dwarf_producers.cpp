// SPDX-License-Identifier: Apache-2.0
// By the DWARF standard, versions 2 to 5: section 7.5 (units, abbreviations, forms) and 6.1.2 (address
// ranges).
#include "files/dwarf_producers.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace ridge::host {
namespace {

constexpr std::uint64_t tag_compile_unit = 0x11, tag_skeleton_unit = 0x4a, at_producer = 0x25;

// Forms of values (DW_FORM_...) that are read here, or whose length is their own.
namespace form {
constexpr std::uint64_t addr = 0x01, block2 = 0x03, block4 = 0x04, string = 0x08, block = 0x09, block1 = 0x0a,
                        sdata = 0x0d, strp = 0x0e, udata = 0x0f, ref_addr = 0x10, ref_udata = 0x15,
                        sec_offset = 0x17, exprloc = 0x18, strx = 0x1a, addrx = 0x1b, line_strp = 0x1f,
                        implicit_const = 0x21, loclistx = 0x22, rnglistx = 0x23;
}  // namespace form

// Bytes of the forms that always have as many: data1, flag, ref1, strx1, addrx1; data2, ref2, strx2, addrx2;
// strx3, addrx3; data4, ref4, strx4, addrx4; data8, ref8, ref_sig8; data16; flag_present and implicit_const
// have none.
const std::map<std::uint64_t, std::size_t> fixed_bytes{
    {0x0b, 1}, {0x0c, 1}, {0x11, 1}, {0x25, 1}, {0x29, 1},  {0x05, 2}, {0x12, 2},
    {0x26, 2}, {0x2a, 2}, {0x27, 3}, {0x2b, 3}, {0x06, 4},  {0x13, 4}, {0x28, 4},
    {0x2c, 4}, {0x07, 8}, {0x14, 8}, {0x20, 8}, {0x1e, 16}, {0x19, 0}, {form::implicit_const, 0}};

struct unit_header {
  std::uint64_t version = 0, abbreviations = 0;
  std::size_t offset_size = 4, address_size = 8;
};

using attributes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // name, form

// Reads past a value of a form; false for a form that it does not know.
bool skip_value(byte_reader& in, std::uint64_t of, const unit_header& unit) {
  if (const auto fixed = fixed_bytes.find(of); fixed != fixed_bytes.end()) {
    in.skip(fixed->second);
    return true;
  }
  switch (of) {
    case form::addr:
      in.skip(unit.address_size);
      return true;
    case form::strp:
    case form::line_strp:
    case form::sec_offset:
      in.skip(unit.offset_size);
      return true;
    case form::ref_addr:
      in.skip(unit.version == 2 ? unit.address_size : unit.offset_size);
      return true;
    case form::string:
      in.text();
      return true;
    case form::block1:
      in.skip(in.value(1));
      return true;
    case form::block2:
      in.skip(in.value(2));
      return true;
    case form::block4:
      in.skip(in.value(4));
      return true;
    case form::block:
    case form::exprloc:
      in.skip(in.leb128());
      return true;
    default:
      break;
  }
  constexpr std::uint64_t numbers[] = {form::sdata, form::udata,    form::ref_udata, form::strx,
                                       form::addrx, form::loclistx, form::rnglistx};
  if (std::ranges::find(numbers, of) == std::end(numbers)) return false;
  in.leb128();
  return true;
}

// Returns the attributes of an abbreviation whose tag is that of a unit; nothing for any other.
std::optional<attributes> unit_attributes(std::string_view abbreviations, std::uint64_t offset,
                                          std::uint64_t wanted) {
  if (offset >= abbreviations.size()) return std::nullopt;
  byte_reader in(abbreviations, static_cast<std::size_t>(offset));
  while (in.good()) {
    const auto code = in.leb128();
    if (code == 0) return std::nullopt;
    const auto tag = in.leb128();
    in.skip(1);  // whether it has children
    attributes all;
    for (;;) {
      const auto name = in.leb128(), of = in.leb128();
      if (of == form::implicit_const) in.leb128();
      if ((name == 0 && of == 0) || !in.good()) break;
      all.emplace_back(name, of);
    }
    if (code != wanted) continue;
    if (tag != tag_compile_unit && tag != tag_skeleton_unit) return std::nullopt;
    return all;
  }
  return std::nullopt;
}

// Returns the text of a value; nothing for a form that needs more sections.
std::optional<std::string> text_value(byte_reader& in, std::uint64_t of, const unit_header& unit,
                                      const elf_file& file) {
  if (of == form::string) return std::string(in.text());
  if (of != form::strp && of != form::line_strp) return std::nullopt;
  const auto texts = file.section(of == form::strp ? ".debug_str" : ".debug_line_str");
  const auto at = in.value(unit.offset_size);
  if (!texts || at >= texts->size()) return std::nullopt;
  return std::string(byte_reader(*texts, static_cast<std::size_t>(at)).text());
}

// Reads the length that begins units and tables; returns the size of offsets.
std::size_t read_length(byte_reader& in, std::uint64_t& length) {
  length = in.value(4);
  if (length != 0xffffffffu) return 4;
  length = in.value(8);
  return 8;
}

unit_header read_header(byte_reader& in, std::size_t offset_size) {
  unit_header unit{.offset_size = offset_size};
  unit.version = in.value(2);
  if (unit.version >= 5) {
    const auto type = in.value(1);
    unit.address_size = static_cast<std::size_t>(in.value(1));
    unit.abbreviations = in.value(offset_size);
    if (type == 4 || type == 5) in.skip(8);                // skeleton and split units: an id
    if (type == 2 || type == 6) in.skip(8 + offset_size);  // units of types
  } else {
    unit.abbreviations = in.value(offset_size);
    unit.address_size = static_cast<std::size_t>(in.value(1));
  }
  return unit;
}

// Returns the producer of the unit whose first entry is read next; nothing where it cannot be read, an empty
// text where the entry is not that of a compilation unit.
std::optional<std::string> producer_of(byte_reader& in, const unit_header& unit,
                                       std::string_view abbreviations, const elf_file& file) {
  const auto all = unit_attributes(abbreviations, unit.abbreviations, in.leb128());
  if (!all) return std::string();
  for (const auto& [name, of] : *all) {
    if (name == at_producer) return text_value(in, of, unit, file);
    if (!skip_value(in, of, unit)) return std::nullopt;
  }
  return std::string();
}

}  // namespace

std::vector<compilation_unit> compilation_units(const elf_file& file, bool& whole) {
  std::vector<compilation_unit> found;
  const auto units = file.section(".debug_info"), abbreviations = file.section(".debug_abbrev");
  whole = units && abbreviations;
  for (std::size_t begin = 0; whole && begin < units->size();) {
    byte_reader in(*units, begin);
    std::uint64_t length = 0;
    const auto offset_size = read_length(in, length);
    const auto next = in.offset() + static_cast<std::size_t>(length);
    const auto unit = read_header(in, offset_size);
    whole = in.good() && length > 0 && unit.version >= 2 && unit.version <= 5;
    if (!whole) break;
    const auto producer = producer_of(in, unit, *abbreviations, file);
    whole = producer.has_value() && in.good();
    if (whole && !producer->empty() && !producer->starts_with("GNU AS")) found.push_back({begin, *producer});
    begin = next;
  }
  return found;
}

std::optional<std::uint64_t> unit_at(const elf_file& file, std::uint64_t address) {
  const auto table = file.section(".debug_aranges");
  for (std::size_t begin = 0; table && begin < table->size();) {
    byte_reader in(*table, begin);
    std::uint64_t length = 0;
    const auto offset_size = read_length(in, length);
    const auto end = in.offset() + static_cast<std::size_t>(length);
    in.skip(2);
    const auto unit = in.value(offset_size);
    const auto address_size = static_cast<std::size_t>(in.value(1));
    in.skip(1);
    if (!in.good() || length == 0 || address_size == 0 || address_size > 8) break;
    const auto pair = 2 * address_size;
    if (const auto odd = (in.offset() - begin) % pair; odd != 0) in.skip(pair - odd);
    while (in.good() && in.offset() + pair <= end) {
      const auto first = in.value(address_size), size = in.value(address_size);
      if (size > 0 && address >= first && address - first < size) return unit;
    }
    begin = end;
  }
  return std::nullopt;
}

}  // namespace ridge::host
