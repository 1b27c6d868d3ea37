// SPDX-License-Identifier: Apache-2.0
#include "session/gpu_presence.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::app {

std::string leave_out_missing_gpu(std::vector<harness::planned_family>& families,
                                  const harness::instruments& instruments) {
  const auto count = std::ranges::count(families, model::backend::cuda, &harness::planned_family::backend);
  if (count == 0) return {};
  const auto why = harness::gpu_unavailable_because(instruments);
  if (why.empty()) return {};
  std::erase_if(families, [](const auto& f) { return f.backend == model::backend::cuda; });
  return fmt::format("{} problem{} skipped: {}", count, count == 1 ? "" : "s", why);
}

}  // namespace ridge::app
