// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

observed optimization(const system_view& of) {
  constexpr auto why = "Code without optimization says nothing of the code that ships.";
  if (of.build.optimized) return fine("optimized", why);
  return invalid("not optimized", why, anywhere("cmake -DCMAKE_BUILD_TYPE=Release, and build again"));
}

observed sanitizer(const system_view& of) {
  constexpr auto why = "A sanitizer checks every access: code runs two to twenty times slower.";
  if (of.build.sanitizer.empty()) return fine("none", why);
  return invalid(of.build.sanitizer, why, anywhere("cmake -DRIDGE_SANITIZE=, and build again"));
}

// Machine code runs on GPUs of the same major capability from its own minor one up (CUDA Programming Guide).
bool runs_on(int code, int gpu) { return code / 10 == gpu / 10 && code <= gpu; }

observed gpu_code(const system_view& of) {
  constexpr auto why =
      "Without machine code for the GPU the driver compiles at the first call, and never for its newest "
      "instructions.";
  if (!of.gpus || of.gpus->gpus.empty() || of.build.gpu_code.empty()) return std::nullopt;
  for (const auto& gpu : of.gpus->gpus) {
    const bool ready =
        std::ranges::any_of(of.build.gpu_code, [&](int code) { return runs_on(code, gpu.capability); });
    if (gpu.capability != 0 && !ready)
      return invalid(
          fmt::format("none for {} (sm_{}); built for sm_{}", gpu.name, gpu.capability,
                      fmt::join(of.build.gpu_code, ", sm_")),
          why, anywhere(fmt::format("cmake -DCMAKE_CUDA_ARCHITECTURES={}, and build again", gpu.capability)));
  }
  return fine(fmt::format("sm_{}", fmt::join(of.build.gpu_code, ", sm_")), why);
}

constexpr std::array all_build_checks{check{"build.optimization", "Optimization", optimization},
                                      check{"build.sanitizer", "Sanitizer", sanitizer},
                                      check{"build.gpu_code", "GPU code", gpu_code}};

}  // namespace

std::span<const check> build_checks() { return all_build_checks; }

}  // namespace ridge::probe
