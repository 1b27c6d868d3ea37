// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/clock_probe.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include <fmt/format.h>

#include <ridge/host/isa.hpp>

#include "arithmetic/arithmetic_probe.hpp"
#include "arithmetic/core_clock.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr double clock_time_s = 10e-3, ramp_s = 50e-3, ramp_step_s = 2e-3;
constexpr auto idle = std::chrono::milliseconds(20);
constexpr int steps_beside = 12;

model::ceiling clock_row(sampler& sampler, std::string id, std::string title) {
  core_clock clock(sampler);
  const auto counted = [&] {
    const auto t = clock.step(sampler);
    return timing{1 / clock.last_hz(), t.clean};
  };
  const auto found = sample_rate(sampler.clock(), counted, 1, clock_time_s);
  return {.id = std::move(id),
          .description = std::move(title),
          .unit = "Hz",
          .value = found.value,
          .ci = found.ci,
          .variant = "dependent additions",
          .threads = sampler.threads(),
          .note = found.note,
          .clock_hz = found.value,
          .disturbed = found.disturbed || found.unlike()};
}

std::vector<model::ceiling_point> boost_ramp(sampler& sampler) {
  std::vector<model::ceiling_point> found;
  std::this_thread::sleep_for(idle);
  const auto begin = sampler.clock().now();
  for (double at = 0; at < ramp_s; at = sampler.clock().seconds(sampler.clock().now() - begin)) {
    core_clock clock(sampler);
    clock.step(sampler);
    if (clock.hz() > 0 && at >= ramp_step_s * static_cast<double>(found.size()))
      found.push_back({fmt::format("{:.1f} ms", 1e3 * at), clock.hz()});
  }
  return found;
}

double clock_beside(sampler& sampler, const arithmetic_kernel& kernel) {
  arithmetic_loop loop(sampler, kernel);
  core_clock clock(sampler, kernel.vector_bytes >= 64 && host::has_isa("avx512f") ? beside::wide_vectors
                                                                                  : beside::nothing);
  for (int i = 0; i < steps_beside; ++i) loop.step(sampler), clock.step(sampler);
  return clock.hz();
}

}  // namespace

model::ceiling probe_clock(sampler& sampler, bool ramp) {
  auto series = ramp ? boost_ramp(sampler) : std::vector<model::ceiling_point>{};
  auto found = clock_row(sampler, "cpu.clock", "clock of the cores in use");
  found.series = std::move(series);
  return found;
}

model::ceiling probe_clock_under_load(sampler& sampler) {
  auto found = clock_row(sampler, "cpu.clock_under_load", "lowest clock beside arithmetic of any kind");
  for (const auto type : {number::fp32, number::fp64, number::fp16, number::bf16, number::int8}) {
    for (const auto* kernel : runnable_kernels(type)) {
      const double hz = clock_beside(sampler, *kernel);
      if (hz == 0) continue;
      found.series.push_back({fmt::format("{} {}", name_of(type), kernel->isa), hz});
      if (hz < found.value) found.value = hz, found.ci = {hz, hz}, found.variant = found.series.back().place;
    }
  }
  return found;
}

}  // namespace ridge::backends::probe_host
