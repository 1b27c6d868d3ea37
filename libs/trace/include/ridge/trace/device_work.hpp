// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include <ridge/trace/category.hpp>
#include <ridge/trace/ids.hpp>

namespace ridge::trace {

// The direction of a copy.
enum class copy_kind : std::uint8_t {
  unknown,
  host_to_device,
  device_to_host,
  device_to_device,
  peer_to_peer,
  host_to_host
};
// The kind of memory on one side of a copy.
enum class memory_kind : std::uint8_t { unknown, pageable, pinned, device, array, managed };

// One kernel, copy or fill, as the device ran it. Rows of trace::works are ordered by (device, start, end),
// so that the work of a device is one span.
struct device_work {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  std::int64_t bytes = 0;  // of a copy or fill
  std::uint64_t graph_node = 0;
  name_id name = 0;
  std::int32_t device = 0;
  std::int32_t stream = 0;
  std::uint32_t context = 0;
  std::uint32_t process = 0;      // index of the process that launched it, in trace::processes
  std::uint32_t correlation = 0;  // together with `process` identifies the launch; 0: not recorded
  std::uint32_t external = 0;     // the operator's id ("External id"); 0: not recorded
  std::uint32_t graph = 0;        // 0: not from a graph, or not recorded
  event_id event = none;
  event_id launch = none;           // the API call that launched it
  event_id op = none;               // the operator it belongs to
  std::uint32_t collective = none;  // into trace::collectives
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint32_t shared_bytes = 0;  // static and dynamic, per block
  std::uint32_t local_bytes = 0;   // local memory per thread
  std::uint16_t registers = 0;     // per thread
  float blocks_per_sm = std::numeric_limits<float>::quiet_NaN();
  float warps_per_sm = std::numeric_limits<float>::quiet_NaN();
  float occupancy = std::numeric_limits<float>::quiet_NaN();  // estimated by the profiler, 0..1
  float gb_per_s = std::numeric_limits<float>::quiet_NaN();   // of a copy or fill, as the profiler records it
  category kind = category::kernel;
  copy_kind copy = copy_kind::unknown;
  memory_kind source = memory_kind::unknown;
  memory_kind destination = memory_kind::unknown;
  std::uint8_t flags = 0;  // as event_flags of its event

  // Length of the work in nanoseconds.
  [[nodiscard]] nanoseconds duration_ns() const { return end_ns - start_ns; }
};

}  // namespace ridge::trace
