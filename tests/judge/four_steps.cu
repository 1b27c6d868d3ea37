// SPDX-License-Identifier: Apache-2.0
#include "four_steps.hpp"

#include "candidates/steps.cuh"

namespace ridge::four_steps {

void launch_passes(const workload& w, stream queue) {
  const auto n = w.target.size();
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  for (int k = 0; k < 4; ++k)
    one_pass<<<blocks, 256, 0, queue>>>(k == 0 ? w.source.data() : w.target.data(), w.target.data(), n, k);
}

}  // namespace ridge::four_steps
