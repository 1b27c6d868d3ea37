// SPDX-License-Identifier: Apache-2.0
#include "communication/told_collective.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <ridge/base/text.hpp>
#include <ridge/trace/collectives.hpp>

namespace ridge::trace {
namespace {

const collective* collective_at(const trace& t, event_id e) {
  if (e == none || t.events.kind[e] != category::op) return nullptr;
  const auto detail = t.events.detail[e];
  const auto row = detail < t.ops.size() ? t.ops[detail].collective : none;
  return row < t.collectives.size() ? &t.collectives[row] : nullptr;
}

// Frameworks' own ranges around a launch; other operators hold words like "gather" that mean something else.
bool names_collective(std::string_view event) {
  return event.starts_with("nccl:") || event.starts_with("c10d::") || event.starts_with("rccl:");
}

// The nearest event around the launch that names a collective; parents stand before their children. How far
// back is bounded, so that a thread's longest event does not cost a search of all of it.
event_id around_launch(const trace& t, const device_work& w) {
  constexpr event_id reach = 256;
  if (w.launch == none) return none;
  const auto start = t.events.start_ns[w.launch];
  const auto first = t.tracks[t.events.track[w.launch]].first;
  for (auto e = w.launch; e > first && w.launch - e < reach; --e) {
    const auto parent = e - 1;
    if (t.events.end_ns(parent) <= start) continue;
    if (collective_at(t, parent) != nullptr || names_collective(t.name_of(parent))) return parent;
  }
  return none;
}

const collective* collective_of(const trace& t, const device_work& w, event_id around) {
  if (w.collective < t.collectives.size()) return &t.collectives[w.collective];
  if (const auto* of_op = collective_at(t, w.op)) return of_op;
  return collective_at(t, around);
}

std::optional<std::int64_t> bytes_of_collective(const trace& t, const collective& c) {
  const auto element = bytes_of_dtype(t.names[c.dtype]);
  const auto elements = std::max(c.in_elements, c.out_elements);
  if (!element || elements < 0) return std::nullopt;
  return *element * elements;
}

void take_kind_of(told_collective& told, const trace& t, event_id e) {
  if (e == none || !names_collective(t.name_of(e))) return;
  const auto kind = collective_kind_of(t.name_of(e));
  if (kind == collective_kind::unknown) return;
  told.kind = kind;
  told.by_framework = true;
}

void take(told_collective& told, const trace& t, const collective& c) {
  told.operation = t.names[c.operation];
  told.group = t.names[c.group];
  told.ranks = t.names[c.ranks];
  told.dtype = t.names[c.dtype];
  told.sequence = c.sequence;
  told.group_size = c.group_size;
  told.bytes = bytes_of_collective(t, c);
  told.by_framework = true;
  const auto kind = collective_kind_of(told.operation);
  if (kind != collective_kind::unknown) told.kind = kind;
}

}  // namespace

std::optional<std::int64_t> bytes_of_dtype(std::string_view dtype) {
  const auto colon = dtype.rfind(':');
  const auto plain = lower_case(colon == std::string_view::npos ? dtype : dtype.substr(colon + 1));
  if (plain.starts_with("float8")) return 1;
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 26> sizes{{
      {"byte", 1},           {"char", 1},    {"bool", 1},   {"int8", 1},     {"uint8", 1},
      {"int8_t", 1},         {"uint8_t", 1}, {"half", 2},   {"bfloat16", 2}, {"float16", 2},
      {"short", 2},          {"int16", 2},   {"float", 4},  {"float32", 4},  {"int", 4},
      {"int32", 4},          {"uint32", 4},  {"tf32", 4},   {"double", 8},   {"float64", 8},
      {"long", 8},           {"int64", 8},   {"uint64", 8}, {"long int", 8}, {"complexfloat", 8},
      {"complexdouble", 16},
  }};
  const auto* at = std::ranges::find(sizes, plain, &std::pair<std::string_view, std::int64_t>::first);
  return at == sizes.end() ? std::nullopt : std::optional(at->second);
}

told_collective told_of(const trace& t, const device_work& w, const communication_names& names) {
  const auto kernel = t.names[w.name];
  const auto around = around_launch(t, w);
  told_collective told{.kind = names.kind_of(kernel)};
  if (const auto* c = collective_of(t, w, around); c != nullptr && c->operation != 0) {
    take(told, t, *c);
  } else {
    take_kind_of(told, t, w.op);
    take_kind_of(told, t, around);
  }
  if (told.operation.empty())
    told.operation = told.kind == collective_kind::unknown ? kernel : name(told.kind);
  return told;
}

}  // namespace ridge::trace
