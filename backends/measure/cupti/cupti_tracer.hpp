// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/measure/gpu_tracer.hpp>

#include "cupti_functions.hpp"

namespace ridge::backends::measure_cupti {

// Records activities by CUPTI: kernels, kernels of graphs node by node, copies, sets, memory, streams and
// calls. CUPTI belongs to the process, so all tracers of a process share what they record; the first one
// attaches it, and it stays attached until the process ends.
class cupti_tracer final : public measure::gpu_tracer {
 public:
  explicit cupti_tracer(const result<cupti_functions>& attached);
  std::string_view unavailable_because() const override { return reason_; }
  void start() override;
  measure::gpu_trace stop() override;

 private:
  const cupti_functions* cupti_ = nullptr;  // null where unavailable
  std::string reason_{};
};

// Opens CUPTI and starts recording, once in a process; returns its functions or why there are none.
[[nodiscard]] const result<cupti_functions>& attached_cupti();

}  // namespace ridge::backends::measure_cupti
