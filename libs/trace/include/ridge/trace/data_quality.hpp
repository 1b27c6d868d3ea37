// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What a trace holds, by counting: what is 0 here no analysis can tell.
struct trace_contents {
  std::uint64_t works = 0;           // kernels, copies, fills
  std::uint64_t launched_works = 0;  // with their launch in the trace
  std::uint64_t kernels = 0;
  std::uint64_t shaped_kernels = 0;  // kernels whose grid is told
  std::uint64_t copies = 0, sized_copies = 0;
  std::uint64_t api_calls = 0, graph_launches = 0;
  std::uint64_t ops = 0, shaped_ops = 0;  // operators, and those whose inputs' shapes are told
  std::uint64_t annotations = 0;
  std::uint64_t python_frames = 0;
  std::uint64_t synchronizations = 0;
  std::uint64_t overheads = 0;
  std::uint64_t os_calls = 0;
  std::uint64_t collectives = 0;
  std::uint64_t profiled_kernels = 0;  // with hardware counters
  std::uint64_t samples = 0;           // of processors' stacks
  std::uint64_t memory_events = 0;
  friend bool operator==(const trace_contents&, const trace_contents&) = default;
};

// A reason to believe a trace less.
struct doubt {
  std::string what{};  // "the file ends early"
  double factor = 1;   // by how much less, 0..1
};

// How far a trace can be believed, and what it can tell.
struct data_quality {
  trace_contents has{};
  time_range window{};          // of all events
  nanoseconds overhead_ns = 0;  // union of the profiler's own work
  std::vector<doubt> doubts{};
  double factor = 1;  // the product of the doubts' factors

  [[nodiscard]] double overhead_share() const;  // of the window, 0..1
  [[nodiscard]] bool tells_launches() const;    // of at least half of the device's work
};

[[nodiscard]] data_quality data_quality_of(const trace& t);

}  // namespace ridge::trace
