// SPDX-License-Identifier: Apache-2.0
#include "session/gpu_presence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/host/gpu_models.hpp>

namespace ridge::app {

std::string gpu_missing_because(const harness::instruments& instruments) {
  if (instruments.open_gpu && host::gpu_models().empty()) return "no NVIDIA driver shows a GPU here";
  return harness::gpu_unavailable_because(instruments);
}

std::string leave_out_missing_gpu(std::vector<harness::planned_family>& families,
                                  const harness::instruments& instruments) {
  const auto count = std::ranges::count(families, model::backend::cuda, &harness::planned_family::backend);
  if (count == 0) return {};
  const auto why = gpu_missing_because(instruments);
  if (why.empty()) return {};
  std::erase_if(families, [](const auto& f) { return f.backend == model::backend::cuda; });
  return fmt::format("{} problem{} skipped: {}", count, count == 1 ? "" : "s", why);
}

}  // namespace ridge::app
