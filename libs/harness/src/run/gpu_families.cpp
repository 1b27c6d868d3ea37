// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/gpu_families.hpp>

#include <ridge/harness/measure_family.hpp>

#include "child/in_child.hpp"
#include "run/control_sessions.hpp"
#include "run/gpu_process.hpp"

namespace ridge::harness {

void fields(auto& visit, record_of<control_trials> auto& x) {
  visit("skipped", x.skipped);
  visit("intervals", x.intervals);
  visit("ratios", x.ratios);
}

std::vector<model::family> verify_gpu_families(std::span<const planned_family> families,
                                               const instruments& equipment, const run_options& options) {
  return on_gpu(families, equipment, verify_family, options);
}

control_trials gpu_control_trials(const planned_family& family, std::string_view variant,
                                  const instruments& equipment, const run_options& options,
                                  double seconds_each, std::size_t trials) {
  if (!equipment.open_gpu) return {.skipped = "this build has no GPU backend"};
  const auto try_them = [&] {
    const auto gpu = equipment.open_gpu();
    return control_of(family, variant, gpu_instruments(equipment, gpu), options, seconds_each, trials);
  };
  auto seen = in_child<control_trials>(try_them, gpu_process_limit_s);
  return seen ? *seen.value : control_trials{.skipped = seen.why};
}

std::string gpu_unavailable_because(const instruments& equipment) {
  if (!equipment.open_gpu) return "this build has no GPU backend";
  const auto opened = in_child<std::string>([&] { return std::string(equipment.open_gpu().device->name()); },
                                            gpu_process_limit_s);
  return opened ? std::string{} : opened.why;
}

}  // namespace ridge::harness
