// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/trace/trace.hpp>

// The contents of a sidecar file: a header, every span of a trace as it lies in memory, the small tables
// behind them, and a checksum of everything at the end. A member that is added to a trace does not compile
// until it is added here.
namespace ridge::trace {

// Where a span stands in the file; spans begin at multiples of 64 bytes.
struct cached_span {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};
inline constexpr int cached_span_count = 22;
inline constexpr std::uint64_t cached_alignment = 64;

struct cache_header {
  std::uint64_t magic = 0x3163747265676469;  // "idgertc1"
  std::uint64_t layout = 0;                  // hash of the layout of rows and tables: layout_hash()
  std::uint64_t key_low = 0, key_high = 0;   // key of the input and of the program that read it
  std::uint64_t file_bytes = 0;
  cached_span facts{};
  cached_span spans[cached_span_count]{};
};

// Changes with the size of any row or table, with any list of names, and with the number given in its source.
[[nodiscard]] std::uint64_t layout_hash();

// Calls visit(span) for every span of a trace, in one order.
template <class Trace, class Visit>
void each_span(Trace& t, Visit visit) {
  auto& [source, quality, epoch_ns, names, tracks, processes, devices, groups, events, works, ops, syncs,
         collectives, memory, flows, counters, counter_values, samples, stacks, profiled_kernels,
         kernel_metrics, storage] = t;
  auto& [ends, text] = names;
  auto& [start_ns, duration_ns, offset, name, track, correlation, external, detail, kind, flags] = events;
  const auto visit_all = [&](auto&... spans) { (visit(spans), ...); };
  visit_all(ends, text, start_ns, duration_ns, offset, name, track, correlation, external, detail, kind,
            flags, works, ops, syncs, collectives, memory, flows, counter_values, samples, stacks,
            kernel_metrics);
}

}  // namespace ridge::trace
