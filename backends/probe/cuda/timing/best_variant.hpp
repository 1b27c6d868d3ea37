// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "timing/burst_rate.hpp"

namespace ridge::backends::probe_cuda {

// One way to do the same work. `enqueue` as burst_rate wants it, by kernels that write their spans: what
// writes none, or returns 0, is a way that this build or GPU has not.
struct variant {
  std::string name{};
  std::function<double(int rounds)> enqueue{};
  std::function<double(int rounds)> of_zeros{};  // the same on zeros; empty: not asked
};

// `row` by the fastest of `ways`: at `essential` the first alone, else each briefly (the row's series), then
// the best at length, and on zeros. No value where no way did any work.
[[nodiscard]] model::ceiling best_variant(model::ceiling row, const probe::request& request,
                                          const std::vector<variant>& ways, span_log& clock);

}  // namespace ridge::backends::probe_cuda
