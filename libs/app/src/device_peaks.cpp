// SPDX-License-Identifier: Apache-2.0
#include "device_peaks.hpp"

#include <fmt/format.h>

#include <ridge/hardware/catalogue.hpp>

#include "targets.hpp"

namespace ridge::app {
namespace {

const hardware::gpu* gpu_of(const trace::trace& t) {
  const auto devices = t.working_devices();
  const auto* facts = t.facts_of(devices.empty() ? 0 : devices.front());
  if (facts == nullptr) return nullptr;
  return hardware::catalogue::embedded().find_gpu(
      {.name = facts->name,
       .compute_capability = fmt::format("{}.{}", facts->compute_major, facts->compute_minor),
       .multiprocessors = facts->sms,
       .memory_bytes = static_cast<double>(facts->memory_bytes)});
}

}  // namespace

trace::device_peaks peaks_of(const hardware::gpu& gpu) {
  trace::device_peaks peaks{.name = gpu.name, .source = "datasheet"};
  if (gpu.bandwidth_bytes_per_s) peaks.bytes_per_s = gpu.bandwidth_bytes_per_s->value;
  if (gpu.multiprocessors) peaks.sms = static_cast<int>(gpu.multiprocessors->value);
  for (const auto& p : gpu.peaks) {
    const auto type = static_cast<std::size_t>(trace::number_type_of(p.dtype));
    auto& rates = p.unit == hardware::unit::matrix ? peaks.matrix_flop_per_s : peaks.vector_flop_per_s;
    if (p.dense_flop_per_s) rates.at(type) = *p.dense_flop_per_s;
  }
  return peaks;
}

result<trace::device_peaks> peaks_for(const trace::trace& t, const std::string& gpu) {
  if (gpu.empty()) {
    const auto* known = gpu_of(t);
    return known == nullptr ? trace::device_peaks{} : peaks_of(*known);
  }
  if (const auto* named = hardware::catalogue::embedded().gpu_named(gpu)) return peaks_of(*named);
  std::vector<std::string> names;
  for (const auto& g : hardware::catalogue::embedded().data().gpus) names.push_back(g.name);
  return unknown_name("GPU", gpu, names, "the catalogue knows " + fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace ridge::app
