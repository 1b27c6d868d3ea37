// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

observed optimization(const system_view& system) {
  constexpr auto why = "Times of code without optimization say nothing about the code that ships.";
  const auto& build = system.build;
  const auto fix = anywhere("make run, or cmake -DCMAKE_BUILD_TYPE=Release and build again");
  if (!build.slow_objects.empty())
    return invalid(fmt::format("{}", fmt::join(build.slow_objects, "; ")), why, fix);
  const auto looked_at =
      build.experiments == 0 ? std::string() : fmt::format("; so are {} experiments", build.experiments);
  if (build.optimized) return fine("optimized" + looked_at, why);
  if (build.optimization.empty() || build.optimization == "-O0") return invalid("not optimized", why, fix);
  return warning(fmt::format("not fully optimized ({})", build.optimization), why, fix);
}

observed sanitizer(const system_view& system) {
  constexpr auto why = "A sanitizer checks every access: code runs two to twenty times slower.";
  if (system.build.sanitizer.empty()) return fine("none", why);
  return invalid(system.build.sanitizer, why, anywhere("cmake -DRIDGE_SANITIZE=, and build again"));
}

// Returns whether the code runs on the GPU: machine code runs on GPUs of the same major capability, from its
// own minor one up (CUDA Programming Guide).
bool runs_on(int code, int gpu) { return code / 10 == gpu / 10 && code <= gpu; }

observed gpu_code(const system_view& system) {
  constexpr auto why =
      "Without machine code for the GPU the driver compiles at the first call, and never for its newest "
      "instructions.";
  if (!system.gpus || system.gpus->gpus.empty() || system.build.gpu_code.empty()) return std::nullopt;
  for (const auto& gpu : system.gpus->gpus) {
    const bool ready =
        std::ranges::any_of(system.build.gpu_code, [&](int code) { return runs_on(code, gpu.capability); });
    if (gpu.capability != 0 && !ready)
      return invalid(
          fmt::format("none for {} (sm_{}); built for sm_{}", gpu.name, gpu.capability,
                      fmt::join(system.build.gpu_code, ", sm_")),
          why, anywhere(fmt::format("cmake -DCMAKE_CUDA_ARCHITECTURES={}, and build again", gpu.capability)));
  }
  return fine(fmt::format("sm_{}", fmt::join(system.build.gpu_code, ", sm_")), why);
}

constexpr std::array all_build_checks{check{"build.optimization", "Optimization", optimization},
                                      check{"build.sanitizer", "Sanitizer", sanitizer},
                                      check{"build.gpu_code", "GPU code", gpu_code}};

}  // namespace

std::span<const check> build_checks() { return all_build_checks; }

}  // namespace ridge::probe
