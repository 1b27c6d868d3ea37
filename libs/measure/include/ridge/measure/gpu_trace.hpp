// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::measure {

enum class gpu_activity_kind : std::uint8_t { kernel, copy, set, allocation, release };
enum class copy_direction : std::uint8_t { none, to_device, to_host, on_device, between_devices, on_host };
enum class memory_kind : std::uint8_t { unknown, pageable, pinned, device, managed };

struct gpu_extent {
  int x = 0, y = 0, z = 0;
  bool operator==(const gpu_extent&) const = default;
};

// One piece of work on a GPU, or one allocation or release of memory. Times of a trace, its calls' included,
// are on one clock whose zero means nothing.
struct gpu_activity {
  gpu_activity_kind kind{gpu_activity_kind::kernel};
  std::string name{};             // of a kernel, shortened for people; else what it is: "copy to device"
  double start_s = 0, end_s = 0;  // equal for allocations and releases: on the host
  int device = 0;                 // as CUDA counts them
  std::uint32_t stream = 0;       // the tracer's number of it
  std::uint32_t graph = 0;        // 0: not launched as part of a graph
  std::uint64_t node = 0;         // of the graph
  gpu_extent grid{}, block{};     // of kernels
  double bytes = 0;               // of all others
  copy_direction direction{copy_direction::none};
  memory_kind from{memory_kind::unknown}, to{memory_kind::unknown};  // of a set and an allocation: `to`
  std::uint32_t call = 0;  // gpu_api_call::id of the call that asked for it

  [[nodiscard]] double seconds() const { return end_s - start_s; }
  [[nodiscard]] bool runs() const {  // on the GPU: takes a place on a stream
    return kind <= gpu_activity_kind::set;
  }
};

// One call of the CUDA runtime, or of the driver by the program itself.
struct gpu_api_call {
  std::string name{};  // "cudaMemcpyAsync"
  double start_s = 0, end_s = 0;
  std::uint32_t thread = 0;
  std::uint32_t id = 0;
};

struct gpu_trace {
  std::vector<gpu_activity> activities{};     // by start
  std::vector<gpu_api_call> calls{};          // by start
  std::vector<std::uint32_t> streams_made{};  // numbers of streams made meanwhile
  std::uint64_t dropped = 0;                  // records lost: the rest proves nothing
};

// Sorts by start, and leaves out the calls that another call of the same thread made: what the driver does
// for the runtime. Activities name the outer call then.
void put_in_order(gpu_trace& trace);

// How often each was called.
[[nodiscard]] std::map<std::string, std::uint64_t> count_by_name(std::span<const gpu_api_call> calls);

// What a call is to an audit.
enum class api_effect : std::uint8_t {
  none,
  allocates,      // memory of the device or pinned, and its release
  makes_objects,  // streams, events, contexts, graphs, libraries; and destroys them
  waits           // the host, for the device
};
[[nodiscard]] api_effect effect_of(std::string_view api_name);

// "void ridge::(anonymous namespace)::copy<(unsigned int)4, float>(float const*, float*)" as "copy<4,
// float>": without its result, namespaces, arguments and casts, cut at 64 characters.
[[nodiscard]] std::string short_kernel_name(std::string_view demangled);

}  // namespace ridge::measure
