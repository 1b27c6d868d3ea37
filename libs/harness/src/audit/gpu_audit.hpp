// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <ridge/measure/gpu_trace.hpp>
#include <ridge/model/comparison.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::harness {

// Two calls of one variant on the same member, as a tracer saw them.
struct traced_variant {
  std::string name{};
  int gpus = 1;                            // it declares so many
  std::set<std::uint32_t> streams_made{};  // before the calls; empty where the tracer does not tell
  std::uint64_t stream_calls = 0;          // that made streams until then
  measure::gpu_trace first{}, second{};
  int threads_left = 0;  // that the second call started and left behind
  bool held = true;      // the second call's work could be enqueued on a held queue
};

// The findings of the audit of one variant.
struct variant_audit {
  std::string skipped{};                     // why nothing can be said; empty when something can
  std::vector<model::check> findings{};      // warnings and failures; none: passed
  std::vector<std::string> remarks{};        // worth knowing, no finding
  std::vector<model::kernel_use> kernels{};  // of the second call, the longest first
  double busy_s = 0;                         // seconds in which work of a call ran, the lesser of both calls
};

// Judges a variant: work outside the marks of its calls and undeclared GPUs fail it; streams it never made,
// calls that differ from each other, allocations, new streams, events or contexts, and threads are warnings;
// waiting for the device is only a remark, since waiting is the subject of some bodies.
[[nodiscard]] variant_audit audit_of(const traced_variant& seen);

}  // namespace ridge::harness
