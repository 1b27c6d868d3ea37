// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/measure/gpu_tracer.hpp>

#include "cupti_functions.hpp"

namespace ridge::backends::measure_cupti {

// A tracer by CUPTI's activity records: kernels, also those in graphs node by node, copies, memory sets,
// allocations, streams and API calls. CUPTI is attached once per process and stays until the process ends, so
// all tracers of a process share their records.
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

// Opens CUPTI and makes it record, once per process; returns the same result afterwards.
[[nodiscard]] const result<cupti_functions>& attached_cupti();

}  // namespace ridge::backends::measure_cupti
