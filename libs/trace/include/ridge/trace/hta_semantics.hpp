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

struct hta_options {
  bool include_last_step = false;  // HTA leaves the last ProfilerStep out unless told otherwise
  bool round_to_us = true;         // start up, end down; HTA_DISABLE_NS_ROUNDING=1 turns it off
};

enum class hta_kernel_type : std::uint8_t { computation, communication, memory, other };

// pandas' describe(): quartiles interpolated, deviation of a sample; NaN where it has none.
struct hta_distribution {
  std::size_t count = 0;
  double mean = 0, deviation = 0, min = 0, p25 = 0, p50 = 0, p75 = 0, max = 0;
};

struct hta_temporal_breakdown {
  nanoseconds idle_ns = 0;
  nanoseconds compute_ns = 0;
  nanoseconds non_compute_ns = 0;
  nanoseconds kernel_ns = 0;  // first start to last end
};

// A state of (communication, computation, memory): exactly these kinds of kernel ran.
struct hta_type_time {
  std::string types{};  // "COMPUTATION overlapping MEMORY"
  nanoseconds sum_ns = 0;
};

struct hta_kernel_time {
  std::string name{};  // "others": what the ten longest of the type leave
  hta_kernel_type type = hta_kernel_type::computation;
  double sum_ns = 0, max_ns = 0, min_ns = 0, mean_ns = 0;
  double deviation_ns = 0;  // 0 for one
};

enum class hta_idle_cause : std::uint8_t { host_wait, kernel_wait, other };

struct hta_idle_time {
  std::int32_t stream = 0;
  hta_idle_cause cause = hta_idle_cause::other;
  nanoseconds sum_ns = 0;
  std::optional<double> share{};  // of the stream's idle time, two decimals
  hta_distribution gaps_ns{};
};

struct hta_launch {
  std::uint32_t correlation = 0;
  nanoseconds cpu_ns = 0;
  nanoseconds gpu_ns = 0;
  nanoseconds delay_ns = 0;
};

struct hta_queue_length {
  std::int32_t stream = 0;
  hta_distribution length{};
};

struct hta_copy_bandwidth {
  std::string name{};  // "Memcpy DtoH", "Memset"
  hta_distribution gb_per_s{};
};

struct hta_figures {
  std::uint64_t events = 0;  // events that HTA keeps
  hta_temporal_breakdown temporal{};
  std::optional<double> overlap_percent{};  // two decimals; empty: no communication
  std::vector<hta_type_time> types{};       // longest first
  std::vector<hta_kernel_time> kernels{};   // by type, then name
  std::vector<hta_idle_time> idle{};        // by stream, then cause
  std::vector<hta_launch> launches{};       // by correlation
  std::vector<hta_queue_length> queues{};   // by stream
  std::vector<hta_copy_bandwidth> copies{};
};

// Of one rank's trace; all devices together, as HTA takes them. A trace without device work gives zeros and
// empty lists.
[[nodiscard]] hta_figures hta_figures_of(const trace& t, const hta_options& options = {});

// Why one of HTA's figures differs from the exact one, in the order in which the causes are removed. The
// causes' nanoseconds add up to the difference.
struct hta_cause {
  std::string what{};       // "rounding shrinks 20123 works by up to 2 us"
  nanoseconds adds_ns = 0;  // to the exact figure
};
struct hta_difference {
  std::string figure{};  // "idle", "compute", "window"
  nanoseconds exact_ns = 0;
  nanoseconds hta_ns = 0;
  std::vector<hta_cause> causes{};  // none for equal figures
};

// Window, idle, compute and the rest (HTA's non_compute) against the exact partition of all devices' works
// taken as one, as HTA takes them.
[[nodiscard]] std::vector<hta_difference> hta_differences(const trace& t, std::span<const work_class> classes,
                                                          const hta_options& options = {});

}  // namespace ridge::trace
