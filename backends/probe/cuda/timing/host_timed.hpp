// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_cuda {

// What a call costs the host: `calls` of it a sample, and `settle`, which is not timed, after each sample.
struct host_cost {
  std::string id{}, what{};
  int calls = 1;
  std::function<void()> call{};
  std::function<void()> settle{};
};

// A row of the median seconds a call; one sample goes before that does not count.
[[nodiscard]] model::ceiling host_timed(const host_cost& cost, int samples = 21);

}  // namespace ridge::backends::probe_cuda
