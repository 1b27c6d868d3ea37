// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/category.hpp>
#include <ridge/trace/details.hpp>
#include <ridge/trace/device_work.hpp>
#include <ridge/trace/ids.hpp>
#include <ridge/trace/name_table.hpp>
#include <ridge/trace/quality.hpp>

namespace ridge::trace {

// Properties of an event, as bits.
enum event_flags : std::uint8_t {
  flag_foreign_clock = 1,  // its time cannot belong to this trace
  flag_covers_successors =
      2,  // overlaps more than five later events of its own stream: its duration cannot be true
  flag_overlaps_next =
      4,  // overlaps only the next work of its stream, as programmatic dependent launch allows
  flag_instant = 8,
};

// All events, with one column per field, ordered by (track, start, longest first), so that the parents of an
// event on its track stand before it. An event takes 46 bytes.
struct event_columns {
  std::span<const nanoseconds> start_ns{};
  std::span<const nanoseconds> duration_ns{};
  std::span<const std::uint64_t> offset{};  // offset of the event in the uncompressed input
  std::span<const name_id> name{};
  std::span<const track_id> track{};
  std::span<const std::uint32_t> correlation{};  // correlation id of an API call or device work; 0: none
  std::span<const std::uint32_t> external{};     // "External id"; 0: none
  std::span<const std::uint32_t> detail{};       // row in the table of its category; `none`: no row
  std::span<const category> kind{};
  std::span<const std::uint8_t> flags{};

  // Number of events.
  [[nodiscard]] std::size_t size() const { return start_ns.size(); }
  // End of an event.
  [[nodiscard]] nanoseconds end_ns(event_id e) const { return start_ns[e] + duration_ns[e]; }
};

// What a track's events are.
enum class track_kind : std::uint8_t { thread, python, stream, device, counter, other };

// A row of the timeline: a thread, the interpreter's frames on a thread, or a stream of a device. Its events
// are events[first .. first + count).
struct track {
  track_kind kind = track_kind::thread;
  std::uint32_t process = 0;  // into trace::processes
  std::int64_t thread = 0;    // the thread's id, or the stream's number
  std::int32_t device = -1;   // device of a stream
  std::string name{};         // as in the trace; may be empty
  event_id first = 0;
  std::uint32_t count = 0;
};

// A process of the trace.
struct process {
  std::int64_t id = 0;
  std::string name{};
  std::string labels{};
};

// A device as the trace describes it; zero or empty: not recorded.
struct device_facts {
  std::int32_t id = 0;
  std::string name{};
  std::int64_t memory_bytes = 0;
  int sms = 0;
  int compute_major = 0, compute_minor = 0;
  int warp_size = 0;
  int threads_per_sm = 0;
  int shared_bytes_per_sm = 0;
  int registers_per_sm = 0;
  double memory_bytes_per_s = 0;
  double clock_hz = 0;
};

// A counter whose values were sampled over time.
struct counter_series {
  name_id name = 0;
  std::int32_t device = -1;
  track_id track = none;
};

// A kernel whose counters were collected.
struct profiled_kernel {
  std::int64_t id = 0;
  name_id name = 0;
  name_id device = 0;
  std::int32_t process = 0;
  std::int32_t stream = 0;
  std::uint32_t grid[3]{};
  std::uint32_t block[3]{};
};

// Where a trace comes from.
struct origin {
  std::string path{};
  std::string format{};     // "chrome_json", "nsys_sqlite" ...
  std::string container{};  // "", "gzip", "zstd", "zip", "tar.gz"
  std::string member{};     // name within an archive
  std::string producer{};   // "kineto, CUDA 12.4", "Nsight Systems 2024.6"
  std::string host{};
  std::uint64_t file_bytes = 0;
  std::uint64_t content_bytes = 0;  // uncompressed
  int rank = -1;                    // -1: not recorded
  int world_size = 0;
  bool from_cache = false;
};

// A process group that a distributed trace declares.
struct process_group {
  std::string name{};
  std::string description{};
  std::vector<int> ranks{};
};

// A profile in one form for all profilers. It is immutable once built; `storage` owns the memory that the
// spans refer to.
struct trace {
  origin source{};
  input_quality quality{};
  nanoseconds epoch_ns = 0;  // Unix time of the trace's zero; 0: not known
  name_table names{};
  std::vector<track> tracks{};
  std::vector<process> processes{};
  std::vector<device_facts> devices{};
  std::vector<process_group> groups{};
  event_columns events{};
  std::span<const device_work> works{};  // ordered by (device, start, end)
  std::span<const op_detail> ops{};
  std::span<const sync_detail> syncs{};
  std::span<const collective> collectives{};
  std::span<const memory_event> memory{};  // ordered by time
  std::span<const flow> flows{};
  std::vector<counter_series> counters{};
  std::span<const counter_value> counter_values{};  // ordered by (series, time)
  std::span<const stack_sample> samples{};          // ordered by time
  std::span<const stack_frame> stacks{};
  std::vector<profiled_kernel> profiled_kernels{};
  std::span<const kernel_metric> kernel_metrics{};  // ordered by kernel
  std::shared_ptr<const void> storage{};

  // Name of an event.
  [[nodiscard]] std::string_view name_of(event_id e) const { return names[events.name[e]]; }

  // Returns the devices that did work, ascending.
  [[nodiscard]] std::vector<std::int32_t> working_devices() const;
  // Returns the work of one device, ordered by (start, end); empty for a device without work.
  [[nodiscard]] std::span<const device_work> works_of(std::int32_t device) const;
  // Returns what is known of a device; nullptr where nothing is.
  [[nodiscard]] const device_facts* facts_of(std::int32_t device) const;
};

}  // namespace ridge::trace
