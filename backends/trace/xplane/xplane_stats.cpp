// SPDX-License-Identifier: Apache-2.0
#include "xplane_stats.hpp"

#include <charconv>
#include <map>

namespace ridge::backends::trace_xplane {
namespace {

using stat_function = void (*)(const stat_value&, event_stats&);

std::uint32_t narrow_id(std::int64_t id) {
  return id < 0 || id >= std::numeric_limits<std::uint32_t>::max() ? 0 : static_cast<std::uint32_t>(id);
}

template <std::string_view event_stats::*Field>
void text_of(const stat_value& s, event_stats& e) {
  e.*Field = s.text;
}

template <std::uint32_t event_stats::*Field>
void id_of(const stat_value& s, event_stats& e) {
  e.*Field = narrow_id(s.whole);
}

// A context is written as "$$1", so that viewers show it as a text.
void context_of(const stat_value& s, event_stats& e) {
  auto digits = s.text;
  while (digits.starts_with('$')) digits.remove_prefix(1);
  std::from_chars(digits.data(), digits.data() + digits.size(), e.context);
  if (s.text.empty()) e.context = narrow_id(s.whole);
}

const std::map<std::string_view, stat_function>& stat_functions() {
  using e = event_stats;
  static const std::map<std::string_view, stat_function> all{
      {"correlation_id", id_of<&e::correlation>},
      {"context_id", context_of},
      {"cuda_graph_id", id_of<&e::graph>},
      {"cuda_graph_node_id",
       [](const stat_value& s, e& out) { out.graph_node = static_cast<std::uint64_t>(s.whole); }},
      {"step_num", [](const stat_value& s, e& out) { out.step = s.whole; }},
      {"bytes_transferred", [](const stat_value& s, e& out) { out.bytes = s.whole; }},
      {"step_name", text_of<&e::step_name>},
      {"hlo_op", text_of<&e::hlo_op>},
      {"hlo_module", text_of<&e::hlo_module>},
      {"kernel_details", text_of<&e::kernel_details>},
      {"memcpy_details", text_of<&e::copy_details>},
      {"Memset_details", text_of<&e::fill_details>},
      {"memset_details", text_of<&e::fill_details>},
      {"memalloc_details", text_of<&e::allocation_details>},
      {"MemFree_details", text_of<&e::allocation_details>},
      {"MemoryResidency_details", text_of<&e::allocation_details>},
      {"theoretical_occupancy_pct", [](const stat_value& s, e& out) { out.occupancy_percent = s.real; }},
      {"counter_value", [](const stat_value& s, e& out) { out.counter = s.real; }},
      {"_p", [](const stat_value& s, e& out) { out.producer.id = s.whole; }},
      {"_pt", [](const stat_value& s, e& out) { out.producer.type = s.whole; }},
      {"_c", [](const stat_value& s, e& out) { out.consumer.id = s.whole; }},
      {"_ct", [](const stat_value& s, e& out) { out.consumer.type = s.whole; }}};
  return all;
}

}  // namespace

stat_reader::stat_reader(const plane& p) : plane_(p) {
  for (const auto& [id, name] : p.stat_names) {
    const auto at = stat_functions().find(name);
    if (at != stat_functions().end()) readers_.emplace(id, at->second);
  }
}

void stat_reader::read(std::string_view message, event_stats& stats) const {
  const auto s = read_stat(message, plane_.stat_names);
  const auto at = readers_.find(s.id);
  if (at != readers_.end()) at->second(s, stats);
}

const event_stats& stat_reader::of_kind(std::int64_t kind) {
  const auto [at, fresh] = of_kinds_.try_emplace(kind);
  if (!fresh) return at->second;
  const auto known = plane_.kinds.find(kind);
  if (known != plane_.kinds.end()) {
    for (const auto message : known->second.stats) read(message, at->second);
  }
  return at->second;
}

}  // namespace ridge::backends::trace_xplane
