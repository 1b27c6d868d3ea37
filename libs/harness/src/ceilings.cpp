// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/ceilings.hpp>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

// The bandwidth probe's arrays are a good multiple of the nearer caches; much smaller ones may live in those,
// where another ceiling holds.
constexpr double comparable_size = 0.125;

const model::ceiling* row(const model::peak& peak, std::string_view id, int threads) {
  const auto* exact = peak.find(id, threads);
  const auto* found = exact ? exact : peak.find(id);
  return found && found->value > 0 ? found : nullptr;
}

}  // namespace

double ceiling_limit::share(double seconds, double rate) const {
  return by && seconds > 0 && rate > 0 ? amount / rate / seconds : 0;
}

std::string ceiling_limit::label() const {
  return by ? fmt::format("{}, {} thread{}", by->id, by->threads, by->threads == 1 ? "" : "s") : "";
}

ceiling_limit limit_of(const model::peak& peak, model::backend backend, double flop, double bytes,
                       int threads, double array_bytes, dtype arithmetic) {
  const auto* bandwidth = row(peak, backend == model::backend::cpu ? "cpu.triad" : "cuda.copy", threads);
  const auto* multiply_add =
      row(peak, fmt::format("{}.fma.{}", model::name(backend), name(arithmetic)), threads);
  if (bandwidth && array_bytes < comparable_size * bandwidth->size_bytes) bandwidth = nullptr;
  const double moving = bandwidth ? bytes / bandwidth->value : 0;
  const double computing = multiply_add ? flop / multiply_add->value : 0;
  if (moving <= 0 && computing <= 0) return {};
  if (moving >= computing) return {bandwidth, bytes, model::bound::memory};
  return {multiply_add, flop, model::bound::compute};
}

}  // namespace ridge::harness
