// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::measure {

// The kinds of activities; `set` fills memory with a value.
enum class gpu_activity_kind : std::uint8_t { kernel, copy, set, allocation, release };
enum class copy_direction : std::uint8_t { none, to_device, to_host, on_device, between_devices, on_host };
enum class memory_kind : std::uint8_t { unknown, pageable, pinned, device, managed };

// The size of a grid or a block in three dimensions.
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
  memory_kind source{memory_kind::unknown};
  memory_kind destination{memory_kind::unknown};  // also the memory of a set and an allocation
  std::uint32_t call = 0;                         // gpu_api_call::id of the call that asked for it

  // Returns how long it took.
  [[nodiscard]] double seconds() const { return end_s - start_s; }
  // Returns whether it runs on the GPU, in the order of a stream; allocations and releases do not.
  [[nodiscard]] bool runs() const { return kind <= gpu_activity_kind::set; }
};

// One call of the CUDA runtime, or of the driver where the program itself calls it.
struct gpu_api_call {
  std::string name{};  // "cudaMemcpyAsync"
  double start_s = 0, end_s = 0;
  std::uint32_t thread = 0;
  std::uint32_t id = 0;
};

// Everything that a tracer recorded.
struct gpu_trace {
  std::vector<gpu_activity> activities{};     // by start
  std::vector<gpu_api_call> calls{};          // by start
  std::vector<std::uint32_t> streams_made{};  // numbers of the streams made while it recorded
  std::uint64_t dropped = 0;                  // number of lost records; above 0 the rest is no evidence
};

// Sorts activities and calls by start, and removes calls that another call of the same thread made: what the
// driver does for the runtime. Activities then name the outer call.
void put_in_order(gpu_trace& trace);

// Returns how often each function was called.
[[nodiscard]] std::map<std::string, std::uint64_t> count_by_name(std::span<const gpu_api_call> calls);

// What a call does, as far as an audit asks.
enum class api_effect : std::uint8_t {
  none,
  allocates,      // allocates or frees device memory or pinned memory
  makes_objects,  // makes or destroys streams, events, contexts, graphs or libraries
  waits           // makes the host wait for the device
};
// Returns what a call of this name does: effect_of("cudaMalloc") is `allocates`. Unknown names have no
// effect.
[[nodiscard]] api_effect effect_of(std::string_view api_name);

// Returns a kernel's name without its result, namespaces, arguments and casts, cut at 64 characters: "void
// ridge::(anonymous namespace)::copy<(unsigned int)4, float>(float const*, float*)" becomes "copy<4, float>".
[[nodiscard]] std::string short_kernel_name(std::string_view demangled);

}  // namespace ridge::measure
