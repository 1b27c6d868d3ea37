// SPDX-License-Identifier: Apache-2.0
#include "fma_probe.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <ridge/base/error.hpp>
#include <ridge/host/isa.hpp>

namespace ridge::backends::probe_host {
namespace {

constexpr double sample_s = 0.4e-3;
constexpr double time_s = 15e-3;

model::ceiling measure(sampler& on, const fma_kernel& kernel) {
  fma_loop loop(on, kernel);
  const auto found = sample_rate(
      on.clock(), [&] { return loop.step(on); }, loop.flop(), time_s);
  loop.check();
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

fma_loop::fma_loop(sampler& on, const fma_kernel& kernel)
    : kernel_(&kernel), states_(static_cast<std::size_t>(on.threads()), fresh_state()) {
  for (auto t = turn(on, rounds_); t.seconds <= sample_s / 8; t = turn(on, rounds_)) rounds_ *= 4;
  const auto t = turn(on, rounds_);
  rounds_ = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(rounds_) * sample_s / std::max(t.seconds, 1e-9)));
}

timing fma_loop::turn(sampler& on, std::int64_t rounds) {
  done_ += rounds;
  return on.time([&](int rank, int) {
    kernel_->run(states_[static_cast<std::size_t>(rank)], rounds, fma_factor, fma_addend);
  });
}

timing fma_loop::step(sampler& on) { return turn(on, rounds_); }

double fma_loop::flop() const {
  return kernel_->flop_per_round() * static_cast<double>(rounds_) * static_cast<double>(states_.size());
}

// The recurrence ends at addend / (1 - factor) whatever the rounding; a kernel that left work out would not
// be there.
void fma_loop::check() const {
  const auto start = fresh_state();
  const auto used = static_cast<std::size_t>(accumulators) * static_cast<std::size_t>(kernel_->lanes);
  for (const auto& state : states_) {
    for (std::size_t i = 0; i < used; ++i) {
      const double wanted = expected_after(static_cast<double>(start.x[i]), done_);
      if (!(std::abs(static_cast<double>(state.x[i]) - wanted) < 1e-2))
        throw failure(
            {"the " + std::string(kernel_->name) + " multiply-add kernel computed a wrong value", ""});
    }
  }
}

std::vector<const fma_kernel*> runnable_fma_kernels() {
  std::vector<const fma_kernel*> found;
  for (const auto& kernel : fma_kernels()) {
    if (kernel.requires_isa.empty() || host::has_isa(kernel.requires_isa)) found.push_back(&kernel);
  }
  return found;
}

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
  for (const auto* kernel : runnable_fma_kernels()) rows.push_back(measure(on, *kernel));
  auto best = *std::ranges::max_element(rows, {}, &model::ceiling::value);
  best.id = "cpu.fma.fp32";
  best.what = "fp32 multiply-adds on registers";
  rows.insert(rows.begin(), best);
  return rows;
}

}  // namespace ridge::backends::probe_host
