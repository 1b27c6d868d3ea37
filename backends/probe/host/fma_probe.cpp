// SPDX-License-Identifier: Apache-2.0
#include "fma_probe.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <ridge/base/error.hpp>
#include <ridge/host/isa.hpp>

namespace ridge::backends::probe_host {
namespace {

constexpr double sample_s = 0.4e-3;  // shorter than a time slice, so that a busy machine leaves some whole
constexpr double time_s = 15e-3;

// The recurrence ends at addend / (1 - factor) whatever the rounding; a kernel that left work out would not
// be there.
void check(const fma_state& state, const fma_kernel& kernel, std::int64_t rounds) {
  const auto start = fresh_state();
  for (std::size_t i = 0; i < static_cast<std::size_t>(accumulators) * static_cast<std::size_t>(kernel.lanes);
       ++i) {
    const double wanted = expected_after(static_cast<double>(start.x[i]), rounds);
    const bool right = std::abs(static_cast<double>(state.x[i]) - wanted) < 1e-2;
    if (!right)
      throw failure({"the " + std::string(kernel.name) + " multiply-add kernel computed a wrong value", ""});
  }
}

std::int64_t rounds_for(sampler& on, const fma_kernel& kernel, std::vector<fma_state>& states) {
  std::int64_t rounds = 4096;
  while (true) {
    const auto t = on.time([&](int rank, int) {
      kernel.run(states[static_cast<std::size_t>(rank)], rounds, fma_factor, fma_addend);
    });
    if (t.seconds > sample_s / 8)
      return static_cast<std::int64_t>(static_cast<double>(rounds) * sample_s / t.seconds);
    rounds *= 4;
  }
}

model::ceiling measure(sampler& on, const fma_kernel& kernel) {
  std::vector<fma_state> states(static_cast<std::size_t>(on.threads()), fresh_state());
  const auto rounds = std::max<std::int64_t>(1, rounds_for(on, kernel, states));
  std::ranges::fill(states, fresh_state());
  int samples = 0;
  const auto once = [&] {
    ++samples;
    return on.time([&](int rank, int) {
      kernel.run(states[static_cast<std::size_t>(rank)], rounds, fma_factor, fma_addend);
    });
  };
  const double work = kernel.flop_per_round() * static_cast<double>(rounds * on.threads());
  const auto found = sample_rate(on.clock(), once, work, time_s);
  for (const auto& state : states) check(state, kernel, rounds * samples);
  return {.id = "cpu.fma.fp32." + std::string(kernel.name),
          .what = "fp32 multiply-adds on registers, " + std::string(kernel.name),
          .unit = "FLOP/s",
          .value = found.value,
          .ci = found.ci,
          .variant = std::string(kernel.name),
          .threads = on.threads(),
          .note = found.note};
}

}  // namespace

fma_state fresh_state() {
  fma_state state;
  for (std::size_t i = 0; i < state.x.size(); ++i)
    state.x[i] = 1.0f + std::sqrt(static_cast<float>(i)) / 37.0f;
  return state;
}

double expected_after(double start, std::int64_t rounds) {
  const double factor = static_cast<double>(fma_factor), end = static_cast<double>(fma_addend) / (1 - factor);
  return end + (start - end) * std::pow(factor, static_cast<double>(rounds));
}

std::vector<model::ceiling> probe_fma(sampler& on) {
  std::vector<model::ceiling> rows;
  for (const auto& kernel : fma_kernels()) {
    if (kernel.requires_isa.empty() || host::has_isa(kernel.requires_isa))
      rows.push_back(measure(on, kernel));
  }
  auto best = *std::ranges::max_element(rows, {}, &model::ceiling::value);
  best.id = "cpu.fma.fp32";
  best.what = "fp32 multiply-adds on registers";
  rows.insert(rows.begin(), best);
  return rows;
}

}  // namespace ridge::backends::probe_host
