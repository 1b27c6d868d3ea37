// SPDX-License-Identifier: Apache-2.0
#include "machine/audited_system.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/app/backends.hpp>
#include <ridge/app/version.hpp>
#include <ridge/base/text.hpp>
#include <ridge/harness/code_text.hpp>
#include <ridge/host/gpu_models.hpp>
#include <ridge/host/text_file.hpp>

#include "machine/optimization_flag.hpp"

namespace ridge::app {
namespace {

// Returns the compute capabilities in "sm_80, sm_90a, compute_100" that have machine code, without the letter
// of their special features; none in a build without CUDA.
std::vector<int> gpu_code() {
  std::vector<int> capabilities;
  for (auto one : split(RIDGE_CUDA_ARCHITECTURES, ',')) {
    one = trim(one);
    if (!one.starts_with("sm_")) continue;
    one.remove_prefix(3);
    if (one.ends_with('a') || one.ends_with('f')) one.remove_suffix(1);
    if (const auto number = host::to_number(one)) capabilities.push_back(static_cast<int>(*number));
  }
  return capabilities;
}

std::optional<probe::gpu_conditions> gpu_conditions() {
  const auto read = find_factory<probe::gpu_conditions()>(probe_backends(), "cuda");
  if (read == nullptr || host::gpu_models().empty()) return std::nullopt;
  return read();
}

// Returns each object of the experiments that was not compiled as code that ships is, once.
std::vector<std::string> slow_objects_of(const std::vector<experiment>& experiments) {
  std::vector<std::string> found;
  for (const auto& one : experiments) {
    std::vector<code_facts> objects{one->code};
    for (const auto& variant : one->variants) objects.push_back(variant.code);
    for (const auto& object : objects) {
      const auto fault = harness::fault_of(object);
      if (fault.empty()) continue;
      auto text = fmt::format("{} {}", one->id, fault);
      if (std::ranges::find(found, text) == found.end()) found.push_back(std::move(text));
    }
  }
  return found;
}

}  // namespace

probe::build_facts this_build() {
  const auto flag = optimization_flag(build_flags());
  return {.optimized = optimizes_fully(flag),
          .optimization = std::string(flag),
          .sanitizer = RIDGE_SANITIZERS,
          .gpu_code = gpu_code()};
}

probe::system_view audited_system(host::topology machine) {
  auto made = probe::view_of("/", std::move(machine));
  made.variables = probe::process_variables();
  made.build = this_build();
  return made;
}

probe::system_view watched_system(const std::vector<experiment>& experiments) {
  auto made = audited_system(host::read_topology());
  made.build.experiments = experiments.size();
  made.build.slow_objects = slow_objects_of(experiments);
  made.recent = probe::watch("/", made.machine.allowed, std::chrono::milliseconds(250));
  made.gpus = gpu_conditions();
  return made;
}

}  // namespace ridge::app
