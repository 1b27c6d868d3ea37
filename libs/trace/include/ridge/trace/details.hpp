// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/trace/ids.hpp>

// What events of some categories carry besides their columns. An event's `detail` is the row's index in the
// table of its category. Rows are plain bytes: the sidecar cache writes them as they are.
namespace ridge::trace {

// The detail of category::op. Lists are kept as the trace's JSON text ("[[64, 1024], [1024, 1024], []]"),
// interned.
struct op_detail {
  std::int64_t sequence = -1;        // "Sequence number": joins forward and backward; -1: not recorded
  std::int64_t forward_thread = -1;  // "Fwd thread id"; -1: not recorded
  name_id input_dims = 0;
  name_id input_types = 0;
  name_id input_strides = 0;
  name_id concrete_inputs = 0;
  std::uint32_t collective = none;  // of record_param_comms: into trace::collectives
  std::int32_t stream = -1;         // stream that the operator names (Triton's do); -1: none
};

enum class sync_kind : std::uint8_t { unknown, device, stream, event, stream_wait_event };

// What CUPTI calls 4294967295: a wait that concerns all streams of a context.
inline constexpr std::int32_t every_stream = -2;

// The detail of category::synchronization.
struct sync_detail {
  sync_kind kind = sync_kind::unknown;
  std::int32_t device = -1;
  // the stream that waited or was waited for; -1: not recorded, every_stream: recorded as that of no stream
  std::int32_t stream = -1;
  std::int32_t wait_on_stream = -1;
  std::uint32_t wait_on_correlation = 0;  // correlation of the cudaEventRecord that it waits for
  std::uint32_t event = 0;
};

// A collective as the framework or NCCL describes it; kernels and record_param_comms events point to it.
struct collective {
  std::int64_t in_elements = -1;  // of this rank; -1: not recorded
  std::int64_t out_elements = -1;
  std::int64_t sequence = -1;  // "Seq"
  name_id operation = 0;       // "allreduce", "_allgather_base", "all_to_allv", "broadcast" ...
  name_id dtype = 0;           // "BFloat16"
  name_id group = 0;           // "Process Group Name"
  name_id group_description = 0;
  name_id ranks = 0;             // "Process Group Ranks", JSON text
  std::uint32_t group_size = 0;  // 0: not recorded
  std::int32_t source_rank = -1;
  std::int32_t target_rank = -1;
  std::uint32_t asynchronous = 0;
  std::uint32_t padding = 0;
};

// An allocation (bytes > 0) or release (bytes < 0) by a framework's allocator.
struct memory_event {
  nanoseconds time_ns = 0;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  std::int64_t total_allocated = -1;  // total after this event; -1: not recorded
  std::int64_t total_reserved = -1;
  std::int32_t device = -1;  // -1: host memory
  track_id track = none;
};

// An arrow that the trace draws between two events, other than launch to kernel: forward to backward.
struct flow {
  std::uint64_t id = 0;
  nanoseconds from_ns = 0;
  nanoseconds to_ns = 0;
  track_id from_track = none;
  track_id to_track = none;
};

// One value of a counter; trace::counters names the series.
struct counter_value {
  nanoseconds time_ns = 0;
  double value = 0;
  std::uint32_t series = 0;
  std::uint32_t padding = 0;
};

// One sample of a processor: `stack` into trace::stacks.
struct stack_sample {
  nanoseconds time_ns = 0;
  std::uint64_t weight = 1;  // events or nanoseconds that it stands for
  std::uint32_t stack = none;
  track_id track = none;
};

// A frame below its caller: a path through the tree is a stack.
struct stack_frame {
  std::uint32_t caller = none;
  name_id function = 0;
  name_id module = 0;
};

// One metric of one profiled kernel (Nsight Compute, rocprofiler, CUPTI ranges).
struct kernel_metric {
  double value = 0;
  std::uint32_t kernel = 0;  // into trace::profiled_kernels
  name_id metric = 0;
  name_id unit = 0;
  std::uint32_t padding = 0;
};

}  // namespace ridge::trace
