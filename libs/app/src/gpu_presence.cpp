// SPDX-License-Identifier: Apache-2.0
#include "gpu_presence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "exit_code.hpp"

namespace ridge::app {

bool without_missing_gpu(const context& in, std::vector<harness::planned_family>& families,
                         const harness::instruments& with, const harness::run_options& how) {
  const auto on_gpu = std::ranges::count(families, model::backend::cuda, &harness::planned_family::backend);
  if (on_gpu == 0) return true;
  const auto why = harness::gpu_unavailable_because(with);
  if (why.empty()) return true;
  if (how.backend == model::backend::cuda) {
    (void)in.refuse({"no GPU can be used here: " + why, "`ridge doctor` shows what this machine offers"},
                    exit_code::unavailable);
    return false;
  }
  std::erase_if(families, [](const auto& f) { return f.backend == model::backend::cuda; });
  in.tell(fmt::format("{} {} of the GPU skipped: {}\n", paint(in.err, report::tone::doubtful, "ridge:"),
                      on_gpu == 1 ? "1 problem" : fmt::format("{} problems", on_gpu), why));
  return true;
}

}  // namespace ridge::app
