// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/counters.hpp>

namespace ridge::trace {

scaled_unit unit_of(std::string_view unit) { return {unit, 1}; }

std::optional<double> kernel_counters::dram_bytes() const { return std::nullopt; }

std::optional<double> kernel_counters::dram_bytes_per_s() const { return std::nullopt; }

std::vector<kernel_counters> counters_of(const trace&, const device_peaks&) { return {}; }

std::optional<double> metric_of(const trace&, std::uint32_t, std::string_view) { return std::nullopt; }

std::vector<sampled_counter> counters_during(const trace&, const device_work&) { return {}; }

}  // namespace ridge::trace
