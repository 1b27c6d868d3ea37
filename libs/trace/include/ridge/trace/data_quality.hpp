// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Counts of what a trace holds. No analysis can report on what is 0 here.
struct trace_contents {
  std::uint64_t works = 0;           // kernels, copies, fills
  std::uint64_t launched_works = 0;  // works whose launch is in the trace
  std::uint64_t kernels = 0;
  std::uint64_t shaped_kernels = 0;  // kernels whose grid is recorded
  std::uint64_t copies = 0, sized_copies = 0;
  std::uint64_t api_calls = 0, graph_launches = 0;
  std::uint64_t ops = 0, shaped_ops = 0;  // operators, and those whose inputs' shapes are recorded
  // Operators that were recorded and are not there any more, by the numbers that recorders give them in
  // turn; 0 where hardly any number is missing, or all that are missing lie together.
  std::uint64_t removed_ops = 0;
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

// A reason to trust a trace less.
struct doubt {
  std::string reason{};  // "the file ends early"
  double factor = 1;     // what the trust is multiplied by, 0..1
};

// How far a trace can be trusted, and what it can tell.
struct data_quality {
  trace_contents has{};
  time_range window{};          // first start to last end of all events
  nanoseconds overhead_ns = 0;  // union of the profiler's own work
  std::vector<doubt> doubts{};
  double factor = 1;  // the product of the doubts' factors

  [[nodiscard]] double overhead_share() const;  // share of the window, 0..1
  [[nodiscard]] bool tells_launches() const;    // whether the launch of at least half of the works is known
};

// Returns the contents of the trace and every reason to doubt it.
[[nodiscard]] data_quality data_quality_of(const trace& t);

}  // namespace ridge::trace
