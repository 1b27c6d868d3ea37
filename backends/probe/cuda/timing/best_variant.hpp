// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "timing/burst_rate.hpp"

namespace ridge::backends::probe_cuda {

// One variant of the same work. `enqueue` is as for burst_rate, with kernels that write their spans. A
// variant that writes none, or returns 0, is not available in this build or on this GPU.
struct variant {
  std::string name{};
  std::function<double(int rounds)> enqueue{};
  std::function<double(int rounds)> of_zeros{};  // the same work on zeros; empty where that is not measured
};

// `row` with the rate of the fastest of `ways`. At depth `essential` only the first available one is
// measured; otherwise each is measured briefly, for the row's series, and the best one longer and on zeros.
// The row has no value where no variant is available.
[[nodiscard]] model::ceiling best_variant(model::ceiling row, const probe::request& request,
                                          const std::vector<variant>& ways, span_log& clock);

}  // namespace ridge::backends::probe_cuda
