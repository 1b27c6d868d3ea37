// SPDX-License-Identifier: Apache-2.0
#include "tracks.hpp"

#include <ridge/trace/wire_message.hpp>

namespace ridge::backends::trace_pftrace {
namespace {

using trace::wire_field;
using trace::wire_type;

void describe_counter(track_info& info, std::string_view message) {
  info.is_counter = true;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.type != wire_type::varint) continue;
    if (f.number == 4) info.unit = f.whole();
    if (f.number == 5) info.counts_on = f.value != 0;
  }
}

// Process and thread numbers are written as 32 bits, negative ones as 64.
std::int64_t number_of(const wire_field& f) { return static_cast<std::int32_t>(f.value); }

}  // namespace

void tracks::describe_process(track_info& info, std::string_view message) {
  std::string_view name;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number == 1 && f.type == wire_type::varint) info.process = number_of(f);
    if (f.number == 6 && f.type == wire_type::bytes) name = f.bytes;
  }
  if (info.process && !name.empty()) process_names_.insert_or_assign(*info.process, std::string(name));
}

void tracks::describe_thread(track_info& info, std::string_view message) {
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number == 1 && f.type == wire_type::varint) info.process = number_of(f);
    if (f.number == 2 && f.type == wire_type::varint) info.thread = f.whole();
    if (f.number == 5 && f.type == wire_type::bytes) info.name = f.bytes;
  }
  if (!info.thread) info.thread = 0;
}

void tracks::add(std::string_view message) {
  track_info told;
  std::uint64_t uuid = 0;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    const bool bytes = f.type == wire_type::bytes;
    if (f.number == 1 && !bytes) uuid = f.value;
    if (f.number == 5 && !bytes) told.parent = f.value;
    // name, static_name and atrace_name
    if ((f.number == 2 || f.number == 10 || f.number == 13) && bytes) told.name = f.bytes;
    if (f.number == 3 && bytes) describe_process(told, f.bytes);
    if (f.number == 4 && bytes) describe_thread(told, f.bytes);
    if (f.number == 8 && bytes) describe_counter(told, f.bytes);
  }
  auto& info = infos_[uuid];
  if (told.name.empty()) told.name = info.name;
  info = told;
}

void tracks::add_process(std::string_view message) {
  track_info unused;
  describe_process(unused, message);
}

// The UUID is made of the numbers, beyond those that writers hash.
std::uint64_t tracks::add_thread(std::string_view message) {
  track_info told;
  describe_thread(told, message);
  const auto uuid = ~(static_cast<std::uint64_t>(told.process.value_or(0)) << 32 ^
                      static_cast<std::uint64_t>(*told.thread));
  infos_[uuid] = told;
  return uuid;
}

std::int64_t tracks::process_of(std::uint64_t uuid) const {
  constexpr int deepest = 64;  // parents may form a ring
  for (int depth = 0; depth < deepest; ++depth) {
    const auto at = infos_.find(uuid);
    if (at == infos_.end()) return 0;
    if (at->second.process) return *at->second.process;
    if (uuid == at->second.parent) return 0;
    uuid = at->second.parent;
  }
  return 0;
}

trace::track_id tracks::host_track(std::uint64_t uuid) {
  auto& known = infos_[uuid];
  if (known.made) return *known.made;
  const auto process = builder_.process(process_of(uuid));
  const auto kind = known.thread ? trace::track_kind::thread : trace::track_kind::other;
  const auto number = known.thread.value_or(static_cast<std::int64_t>(uuid));
  known.made = builder_.track_of(kind, process, number);
  if (!known.name.empty()) builder_.facts().tracks[*known.made].name = known.name;
  return *known.made;
}

void tracks::name_processes() {
  for (auto& p : builder_.facts().processes) {
    const auto at = process_names_.find(p.id);
    if (at != process_names_.end()) p.name = at->second;
  }
}

}  // namespace ridge::backends::trace_pftrace
