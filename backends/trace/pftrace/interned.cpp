// SPDX-License-Identifier: Apache-2.0
#include "interned.hpp"

#include <optional>
#include <utility>

#include <ridge/trace/wire_message.hpp>

namespace ridge::backends::trace_pftrace {
namespace {

// The fields of InternedData that are kept.
std::optional<interned_kind> kind_of_field(std::uint32_t field) {
  switch (field) {
    case 1:
      return interned_kind::category;
    case 2:
      return interned_kind::event_name;
    case 3:
      return interned_kind::annotation_name;
    case 23:
      return interned_kind::context;
    case 24:
      return interned_kind::stage;
    case 29:
      return interned_kind::annotation_text;
    case 1000:
      return interned_kind::kernel;
    case 1001:
      return interned_kind::argument_name;
    default:
      return std::nullopt;
  }
}

// The entry's number is field 1 and its text field 2; a kernel has its readable name in field 3, a context
// its process in field 2.
std::pair<std::uint64_t, interned_entry> read_entry(interned_kind kind, std::string_view message) {
  std::uint64_t number = 0;
  interned_entry entry;
  trace::wire_message fields(message);
  for (trace::wire_field f; fields.next(f);) {
    const bool text = f.type == trace::wire_type::bytes;
    if (f.number == 1 && !text) number = f.value;
    if (f.number == 2 && text && entry.text.empty()) entry.text = f.bytes;
    if (f.number == 3 && text && kind == interned_kind::kernel) entry.text = f.bytes;
    if (f.number == 2 && !text) entry.process = static_cast<std::int32_t>(f.value);
  }
  return {number, entry};
}

}  // namespace

void interned_data::add(std::string_view message) {
  trace::wire_message fields(message);
  for (trace::wire_field f; fields.next(f);) {
    const auto kind = kind_of_field(f.number);
    if (!kind || f.type != trace::wire_type::bytes) continue;
    auto [number, entry] = read_entry(*kind, f.bytes);
    tables_[static_cast<std::size_t>(*kind)].insert_or_assign(number, std::move(entry));
  }
}

void interned_data::clear() {
  for (auto& table : tables_) table.clear();
}

const interned_entry* interned_data::find(interned_kind kind, std::uint64_t number) const {
  const auto& table = tables_[static_cast<std::size_t>(kind)];
  const auto at = table.find(number);
  return at == table.end() ? nullptr : &at->second;
}

std::string_view interned_data::text(interned_kind kind, std::uint64_t number) const {
  const auto* entry = find(kind, number);
  return entry == nullptr ? std::string_view{} : std::string_view(entry->text);
}

}  // namespace ridge::backends::trace_pftrace
