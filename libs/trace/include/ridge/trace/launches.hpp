// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

// How work reaches a device: launch calls, delays, queues and graphs.
namespace ridge::trace {

// Summary of exact integers: pNN is the element at rank floor(n * NN / 100) of the sorted durations. All
// values are 0 where count is 0.
struct duration_summary {
  std::uint64_t count = 0;
  nanoseconds sum_ns = 0, min_ns = 0, p50_ns = 0, p95_ns = 0, p99_ns = 0, max_ns = 0;
};
// Returns the summary of `durations`, which are in any order.
[[nodiscard]] duration_summary summary_of(std::vector<nanoseconds> durations);

// The length of one stream's queue of work that is launched and not yet started: +1 at the start of the
// launch call, -1 at the start of the work.
struct stream_queue {
  std::int32_t device = 0, stream = 0;
  std::uint64_t works = 0;  // works whose launch is in the trace
  std::int64_t longest = 0;
  nanoseconds longest_at_ns = 0;
  nanoseconds span_ns = 0;                   // from the first launch to the last start
  nanoseconds at_limit_ns = 0;               // time with at least launch_options::queue_limit waiting
  std::int64_t waiting_item_ns = 0;          // the sum of all waits: mean length times span_ns
  [[nodiscard]] double mean_length() const;  // mean over time; 0 for an empty span
};

// A call that launched several works: a graph.
struct graph_launch {
  event_id call = none;
  std::uint32_t works = 0;
  time_range device{};  // first start to last end of its works
};

// What counts as a short work or a full queue.
struct launch_options {
  bool kernels_only = false;  // leaves copies and fills out
  nanoseconds short_below_ns = 10'000;
  std::int64_t queue_limit = 1024;  // NVIDIA's limit; AMD's is longer
};

// How the works of a window were launched.
struct launch_report {
  time_range window{};                             // counts works that start in it
  std::uint64_t correlated = 0, uncorrelated = 0;  // works with and without a launch in the trace
  std::uint64_t shorter_than_call = 0;             // correlated works shorter than their launch call
  std::uint64_t short_works = 0;                   // correlated works under launch_options::short_below_ns
  std::uint64_t short_of_all = 0;                  // the same for all works
  std::uint64_t before_launch = 0;       // works that begin before their call does, because clocks disagree
  duration_summary call{};               // the call's duration, counted once per work
  duration_summary work{};               // correlated works' durations
  duration_summary delay_after_end{};    // max(0, work's start - call's end)
  duration_summary delay_after_start{};  // max(0, work's start - call's start)
  std::vector<stream_queue> queues{};    // ordered by (device, stream)
  std::int64_t longest_in_flight = 0;    // entries of all queues launched whose works have not all ended
  std::vector<graph_launch> graphs{};    // calls with more than one work, ordered by time
  std::uint64_t graph_works = 0;         // works of such calls, or with a graph's id
  nanoseconds graph_device_ns = 0;       // the sum of their durations
  nanoseconds device_ns = 0;             // the sum of all works' durations
  std::uint64_t opaque_graphs = 0;       // graph launch calls of which no work is in the trace
  std::uint64_t launch_calls = 0;        // distinct calls that launched work, of all threads
  // the thread that spends most time in calls that launched kernels; none where no thread launched any
  track_id busiest_thread = none;
  nanoseconds call_ns = 0;         // union over time, within the window, of those calls of that thread
  std::uint64_t thread_calls = 0;  // its calls that launched work, copies and fills too
  nanoseconds thread_call_ns = 0;  // their union over time, within the window

  // Share of the window that the busiest launching thread spends in calls that launch kernels, 0..1. A call
  // may block where the queue is full: see stream_queue.
  [[nodiscard]] double launch_bound_ratio() const;
  // Share of device time that graphs launched, 0..1.
  [[nodiscard]] double graph_coverage() const;
};

// Returns the launches of all devices or of one. The default window is the first start to the last end of the
// works that count.
[[nodiscard]] launch_report launches_of(const trace& t, std::optional<std::int32_t> device = {},
                                        std::optional<time_range> window = {},
                                        const launch_options& options = {});

}  // namespace ridge::trace
