// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_cuda {

// The measurement of a call's cost on the host: a sample is `calls` calls, followed by `settle`, which is not
// timed.
struct host_cost {
  std::string id{}, description{};
  int calls = 1;
  std::function<void()> call{};
  std::function<void()> settle{};
};

// A row with the median seconds per call of `samples` samples, after one that is not counted.
[[nodiscard]] model::ceiling host_timed(const host_cost& cost, int samples = 21);

}  // namespace ridge::backends::probe_cuda
