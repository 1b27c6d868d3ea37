// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/trace.hpp>

// The figures that Holistic Trace Analysis 0.6.1 (facebookresearch, commit f4d0062) gives for a trace, by its
// own definitions, and why they differ from the exact ones. Times are nanoseconds; with rounding they are
// whole microseconds, as HTA prints them.
namespace ridge::trace {

// Settings of Holistic Trace Analysis.
struct hta_options {
  bool include_last_step = false;     // HTA leaves the last ProfilerStep out by default
  bool round_to_us = true;            // start up, end down; HTA_DISABLE_NS_ROUNDING=1 turns it off
  nanoseconds short_gap_ns = 30'000;  // a shorter idle time between two works of a stream is kernel_wait
  std::size_t names_shown = 10;       // HTA's num_kernels
  double sums_shown = 0.8;            // its duration_ratio
  bool memory_kernels = true;         // whether copies and fills are a type of kernel
};

enum class hta_kernel_type : std::uint8_t { computation, communication, memory, other };

// The values of pandas' describe(): interpolated quartiles and the deviation of a sample; NaN where pandas
// has none.
struct hta_distribution {
  std::size_t count = 0;
  double mean = 0, deviation = 0, min = 0, p25 = 0, p50 = 0, p75 = 0, max = 0;
};

// HTA's temporal breakdown.
struct hta_temporal_breakdown {
  nanoseconds idle_ns = 0;
  nanoseconds compute_ns = 0;
  nanoseconds non_compute_ns = 0;
  nanoseconds kernel_ns = 0;  // first start to last end
};

// A state of (computation, communication, memory): exactly these kinds of kernel ran.
struct hta_type_time {
  std::string types{};  // "COMPUTATION overlapping MEMORY"
  nanoseconds sum_ns = 0;
};

// A kernel by name; of a type with more names than hta_options::names_shown HTA gives the sum four times and
// no deviation, and folds what lies past that number or past the quantile hta_options::sums_shown of the
// running sums into "others".
struct hta_kernel_time {
  std::string name{};
  hta_kernel_type type = hta_kernel_type::computation;
  double sum_ns = 0, max_ns = 0, min_ns = 0, mean_ns = 0;
  double deviation_ns = 0;  // 0 for one
};

enum class hta_idle_cause : std::uint8_t { host_wait, kernel_wait, other };

// Idle time of one stream with one cause.
struct hta_idle_time {
  std::int32_t stream = 0;
  hta_idle_cause cause = hta_idle_cause::other;
  nanoseconds sum_ns = 0;
  std::optional<double> share{};   // of the stream's idle time
  hta_distribution gaps_us{};      // from the end of the work before it in order of starts; may be negative
  std::uint64_t first_offset = 0;  // of the stream's first work in the file: HTA lists streams by it
};

// One launch call and the work that it launched.
struct hta_launch {
  std::uint32_t correlation = 0;
  nanoseconds cpu_ns = 0;
  nanoseconds gpu_ns = 0;
  nanoseconds delay_ns = 0;  // from the call's end to the work's start, at least 0
  bool of_memory = false;    // cudaMemcpyAsync and cudaMemsetAsync
  bool of_mtia = false;

  // Returns whether it is what HTA calls a short kernel: the call took longer than the work, and at most 50
  // us.
  [[nodiscard]] bool is_short() const { return gpu_ns < cpu_ns && cpu_ns <= 50'000; }
};

// Works that wait in a stream, at each call that adds one and each start that takes one out. HTA sorts equal
// times in no fixed order: here calls come first, so that its mean may be lower by up to `open_order`.
struct hta_queue_length {
  std::int32_t stream = 0;
  hta_distribution length{};
  double open_order = 0;
};

// Rates of the copies that run at each start and end where the sum is above zero. Of equal times ends come
// first; HTA's order is not fixed, and each of `ties` starts may then count once more, with its predecessor's
// rate on top.
struct hta_copy_bandwidth {
  std::string name{};  // "Memcpy DtoH", "Memset"
  hta_distribution gb_per_s{};
  std::size_t ties = 0;  // starts at the time of another's end
};

// All figures of HTA for one trace.
struct hta_figures {
  std::uint64_t works = 0;  // number of works that HTA takes as device work
  hta_temporal_breakdown temporal{};
  std::optional<double> overlap_percent{};  // empty: no communication
  std::vector<hta_type_time> types{};       // longest first
  std::vector<hta_kernel_time> kernels{};   // by type, then name
  std::vector<hta_idle_time> idle{};        // by stream, then cause
  std::vector<hta_launch> launches{};       // in the order of the calls in the file
  std::vector<hta_queue_length> queues{};   // by stream
  std::vector<hta_copy_bandwidth> copies{};
};

// Returns the types of several ranks together, as HTA shows them, longest first.
[[nodiscard]] std::vector<hta_type_time> hta_types_of(std::span<const hta_figures> ranks);

// Returns the figures of one rank's trace, all devices together, as HTA takes them. A trace without device
// work gives zeros and empty lists.
[[nodiscard]] hta_figures hta_figures_of(const trace& t, const hta_options& options = {});

}  // namespace ridge::trace
