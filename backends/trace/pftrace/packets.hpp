// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <ridge/trace/quality.hpp>
#include <ridge/trace/wire_message.hpp>

#include "inflated.hpp"

namespace ridge::backends::trace_pftrace {

// What is read of one TracePacket; messages are empty where it has none.
struct packet {
  std::uint64_t offset = 0;  // in the content; of a compressed one, that of the packet that holds it
  std::optional<std::uint64_t> timestamp{};
  std::optional<std::uint32_t> clock{};
  std::uint32_t sequence = 0;
  bool cleared = false;         // what its sequence gave numbers to is void
  bool needs_interned = false;  // cannot be read without the packets before it
  bool lost_before = false;     // packets of the sequence were lost before it
  std::string_view interned{}, defaults{}, clock_snapshot{}, track_descriptor{}, process_descriptor{};
  std::string_view thread_descriptor{}, track_event{}, render_stage{}, gpu_counters{}, gpu_info{},
      compressed{};
};

[[nodiscard]] packet read_packet(std::string_view message);

// Calls `take` with each packet of a trace, those that packets hold compressed included. Damage ends the
// trace and is counted in `quality`.
template <class Take>
void each_packet(std::string_view content, trace::input_quality* quality, Take take,
                 bool compressed_inside = true, std::uint64_t offset = 0) {
  constexpr std::uint64_t most_inflated = std::uint64_t{64} << 20;
  const auto note = [&](trace::flaw kind, std::uint64_t place, std::string_view text) {
    if (quality != nullptr) quality->add(kind, place, text);
  };
  trace::wire_message fields(content);
  for (trace::wire_field f; fields.next(f);) {
    if (f.number != 1 || f.type != trace::wire_type::bytes) continue;
    auto p = read_packet(f.bytes);
    p.offset = compressed_inside ? static_cast<std::uint64_t>(f.bytes.data() - content.data()) : offset;
    if (p.compressed.empty()) {
      take(p);
    } else if (const auto inner = compressed_inside ? inflated(p.compressed, most_inflated) : std::nullopt) {
      each_packet(*inner, quality, take, false, p.offset);
    } else {
      note(trace::flaw::unreadable_event, p.offset, "compressed packets that are damaged, or over 64 MiB");
    }
  }
  if (fields.damaged())
    note(trace::flaw::truncated, compressed_inside ? fields.position() : offset, "a packet is cut off");
}

}  // namespace ridge::backends::trace_pftrace
