// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/ceilings.hpp>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

// The arrays of the bandwidth probe are several times as large as the nearer caches; much smaller arrays may
// fit into those, where another ceiling applies.
constexpr double comparable_size = 0.125;

const model::ceiling* row(const model::peak& peak, std::string_view id, int threads) {
  const auto* exact = peak.find(id, threads);
  const auto* found = exact ? exact : peak.find(id);
  return found && found->value > 0 ? found : nullptr;
}

std::string compute_id(model::backend backend, arithmetic type) {
  const bool matrix_unit =
      backend == model::backend::cuda && type != arithmetic::fp32 && type != arithmetic::fp64;
  return fmt::format("{}.{}.{}", model::name(backend), matrix_unit ? "mma" : "fma", name(type));
}

}  // namespace

ceiling_reading stored_reading(const model::ceiling& row) {
  ceiling_reading reading{.rate = row.value, .ci = row.ci};
  if (row.ci.hi < row.value) reading.ci = {row.value, row.value};  // stored without an interval
  if (row.disturbed) reading.disturbed = "it was measured on a busy machine";
  return reading;
}

double ceiling_limit::share(double seconds, double rate) const {
  return ceiling && seconds > 0 && rate > 0 ? amount / rate / seconds : 0;
}

std::string ceiling_limit::label() const {
  if (!ceiling) return "";
  if (ceiling->id.starts_with("cuda.")) return ceiling->id;  // all of the GPU, always
  return fmt::format("{}, {} thread{}", ceiling->id, ceiling->threads, ceiling->threads == 1 ? "" : "s");
}

ceiling_limit limit_of(const model::peak& peak, model::backend backend, double flop, double bytes,
                       int threads, double array_bytes, emulation multiplied) {
  const auto* bandwidth = row(peak, backend == model::backend::cpu ? "cpu.triad" : "cuda.copy", threads);
  const auto* products = row(peak, compute_id(backend, multiplied.type), threads);
  if (bandwidth && array_bytes < comparable_size * bandwidth->size_bytes) bandwidth = nullptr;
  const double moving = bandwidth ? bytes / bandwidth->value : 0;
  const double amount = flop * multiplied.products;
  const double computing = products ? amount / products->value : 0;
  if (moving <= 0 && computing <= 0) return {};
  if (moving >= computing) return {bandwidth, bytes, model::bound::memory};
  return {products, amount, model::bound::compute};
}

ceiling_limit limit_of(const model::peak& peak, const model::measurement& m, double array_bytes,
                       emulation multiplied) {
  return limit_of(peak, m.backend, m.flop, m.bytes_moved, m.threads, array_bytes, multiplied);
}

}  // namespace ridge::harness
