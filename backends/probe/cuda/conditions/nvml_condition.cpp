// SPDX-License-Identifier: Apache-2.0
#include "conditions/nvml_condition.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <ridge/gpu/clock_events.hpp>

namespace ridge::backends::probe_cuda {
namespace {

using gpu::nvml_functions;
using gpu::nvml_handle;

// The answer of an NVML function, which writes it to its last argument; nothing where the function is missing
// or fails, or where an unsigned answer has all bits set.
template <class T, class F, class... Before>
std::optional<T> told(F* function, Before... before) {
  T value{};
  if (function == nullptr || function(before..., &value) != gpu::nvml_success) return std::nullopt;
  if constexpr (std::is_unsigned_v<T>) {
    if (value == std::numeric_limits<T>::max()) return std::nullopt;
  }
  return value;
}

std::optional<bool> told_on(nvml_functions::ask_mode* function, nvml_handle device) {
  const auto mode = told<int>(function, device);
  return mode ? std::optional(*mode == 1) : std::nullopt;
}

std::optional<double> told_watts(nvml_functions::ask_number* function, nvml_handle device) {
  const auto milliwatts = told<unsigned>(function, device);
  return milliwatts ? std::optional(*milliwatts * 1e-3) : std::nullopt;
}

std::optional<int> as_int(std::optional<unsigned> value) {
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

void read_clocks(const nvml_functions& f, nvml_handle device, probe::gpu_condition& condition) {
  condition.performance_state = told<int>(f.performance_state, device);
  constexpr int unknown_state = 32;  // NVML_PSTATE_UNKNOWN
  if (condition.performance_state == unknown_state) condition.performance_state.reset();
  condition.sm_mhz = told<unsigned>(f.clock, device, gpu::nvml_clock_sm);
  condition.most_sm_mhz = told<unsigned>(f.max_clock, device, gpu::nvml_clock_sm);
  condition.memory_mhz = told<unsigned>(f.clock, device, gpu::nvml_clock_memory);
  condition.most_memory_mhz = told<unsigned>(f.max_clock, device, gpu::nvml_clock_memory);
}

void read_holds(const nvml_functions& f, nvml_handle device, probe::gpu_condition& condition) {
  using events = gpu::clock_events;
  const auto bits = told<unsigned long long>(f.clock_events, device);
  condition.holds.reset();
  if (!bits) return;
  const auto has = [&](std::uint64_t bit) { return (*bits & bit) != 0; };
  condition.holds = {.idle = has(events::idle_bit),
                     .set_by_user = has(events::clocks_set_bit),
                     .power_cap = has(events::power_cap_bit),
                     .hardware_slowdown = has(events::hardware_slowdown_bit),
                     .thermal = has(events::thermal_slowdown_bit | events::hardware_thermal_slowdown_bit),
                     .power_brake = has(events::power_brake_bit),
                     .sync_boost = has(events::sync_boost_bit)};
}

void read_link(const nvml_functions& f, nvml_handle device, probe::gpu_condition& condition) {
  const auto generation = told<unsigned>(f.pcie_generation, device),
             width = told<unsigned>(f.pcie_width, device);
  const auto most_generation = told<unsigned>(f.max_pcie_generation, device);
  const auto most_width = told<unsigned>(f.max_pcie_width, device);
  condition.link.reset();
  if (!generation || !width || !most_generation || !most_width) return;
  condition.link = {.generation = static_cast<int>(*generation),
                    .most_generation = static_cast<int>(*most_generation),
                    .width = static_cast<int>(*width),
                    .most_width = static_cast<int>(*most_width)};
}

void read_power(const nvml_functions& f, nvml_handle device, probe::gpu_condition& condition) {
  condition.power_limit_w = told_watts(f.power_limit, device);
  condition.default_power_limit_w = told_watts(f.default_power_limit, device);
  unsigned least = 0, most = 0;
  if (f.power_limits != nullptr && f.power_limits(device, &least, &most) == gpu::nvml_success)
    condition.most_power_limit_w = most * 1e-3;
  const auto held_s = [&](int policy) -> std::optional<double> {
    const auto violation = told<gpu::nvml_violation>(f.violation, device, policy);
    if (!violation) return std::nullopt;
    return static_cast<double>(violation->held_ns) * 1e-9;
  };
  condition.power_violation_s = held_s(gpu::nvml_policy_power);
  condition.thermal_violation_s = held_s(gpu::nvml_policy_thermal);
}

void read_heat(const nvml_functions& f, nvml_handle device, probe::gpu_condition& condition) {
  condition.temperature_c = as_int(told<unsigned>(f.temperature, device, gpu::nvml_sensor_gpu));
  condition.slowdown_temperature_c =
      as_int(told<unsigned>(f.temperature_threshold, device, gpu::nvml_threshold_slowdown));
  gpu::nvml_field_value field{.field = gpu::nvml_field_memory_temperature};
  constexpr int unsigned_int = 1;
  if (f.fields == nullptr || f.fields(device, 1, &field) != gpu::nvml_success) return;
  if (field.code != gpu::nvml_success || field.type != unsigned_int) return;
  unsigned celsius = 0;
  std::memcpy(&celsius, field.value.data(), sizeof celsius);
  if (celsius > 0) condition.memory_temperature_c = static_cast<int>(celsius);
}

std::optional<probe::compute_mode> compute_mode_of(std::optional<int> mode) {
  if (!mode) return std::nullopt;
  constexpr int shared = 0, prohibited = 2;  // nvmlComputeMode_t; 1 and 3 are exclusive
  return *mode == shared       ? probe::compute_mode::shared
         : *mode == prohibited ? probe::compute_mode::prohibited
                               : probe::compute_mode::exclusive_process;
}

// nvmlGpuVirtualizationMode_t: 0 none, 1 passed through, 2 a virtual GPU, 3 and 4 host of virtual GPUs.
std::optional<probe::gpu_virtualization> virtualization_of(std::optional<int> mode) {
  if (!mode || *mode < 0) return std::nullopt;
  constexpr int hosts = 3;
  return static_cast<probe::gpu_virtualization>(std::min(*mode, hosts));
}

void read_sharing(const nvml_functions& f, nvml_handle device, probe::gpu_condition& condition) {
  condition.persistence = told_on(f.persistence, device);
  condition.display = told_on(f.display, device);
  condition.compute_mode = compute_mode_of(told<int>(f.compute_mode, device));
  condition.virtualization = virtualization_of(told<int>(f.virtualization, device));
  unsigned now = 0, later = 0;
  if (f.mig != nullptr && f.mig(device, &now, &later) == gpu::nvml_success) condition.mig = now == 1;
  if (const auto busy = told<gpu::nvml_utilization>(f.utilization, device))
    condition.busy_percent = static_cast<int>(busy->gpu_percent);
}

// The number of retired pages over both causes. Asked without a buffer the driver returns the count alone,
// with success or with "insufficient size".
std::optional<unsigned> retired_pages(const nvml_functions& f, nvml_handle device) {
  if (f.retired_pages == nullptr) return std::nullopt;
  unsigned sum = 0;
  for (const int cause : {0, 1}) {
    unsigned count = 0;
    const int code = f.retired_pages(device, cause, &count, nullptr);
    if (code != gpu::nvml_success && code != gpu::nvml_insufficient_size) return std::nullopt;
    sum += count;
  }
  return sum;
}

void read_memory(const nvml_functions& f, nvml_handle device, probe::gpu_condition& condition) {
  int now = 0, later = 0;
  if (f.ecc_mode != nullptr && f.ecc_mode(device, &now, &later) == gpu::nvml_success) {
    condition.ecc = now == 1;
    condition.ecc_after_reboot = later == 1;
  }
  const auto errors = [&](int kind) {
    return told<unsigned long long>(f.ecc_errors, device, kind, gpu::nvml_ecc_volatile);
  };
  condition.ecc_corrected = errors(gpu::nvml_ecc_corrected);
  condition.ecc_uncorrected = errors(gpu::nvml_ecc_uncorrected);
  unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
  if (f.remapped_rows != nullptr &&
      f.remapped_rows(device, &corrected, &uncorrected, &pending, &failed) == gpu::nvml_success)
    condition.rows = {corrected, uncorrected, pending != 0, failed != 0};
  condition.retired_pages = retired_pages(f, device);
  condition.retirement_pending = told_on(f.retirement_pending, device);
  if (const auto window = told<gpu::nvml_window>(f.window, device))
    condition.window_bytes = window->all_bytes;
}

// Counts the NVLinks; the driver refuses the query for a link that does not exist.
void read_nvlinks(const nvml_functions& f, nvml_handle device, probe::gpu_condition& condition) {
  if (f.nvlink_state == nullptr) return;
  probe::nvlinks seen;
  for (unsigned link = 0; link < gpu::nvml_most_nvlinks; ++link) {
    int active = 0;
    if (f.nvlink_state(device, link, &active) != gpu::nvml_success) continue;
    ++seen.present;
    if (active != 1) continue;
    ++seen.active;
    for (const int kind : {gpu::nvml_link_replays, gpu::nvml_link_recoveries, gpu::nvml_link_checksums})
      seen.errors += told<unsigned long long>(f.nvlink_errors, device, link, kind).value_or(0);
  }
  condition.nvlinks = seen;
}

}  // namespace

void read_condition(const nvml_functions& functions, nvml_handle device, probe::gpu_condition& condition) {
  read_clocks(functions, device, condition);
  condition.application_sm_mhz = told<unsigned>(functions.application_clock, device, gpu::nvml_clock_sm);
  condition.default_application_sm_mhz =
      told<unsigned>(functions.default_application_clock, device, gpu::nvml_clock_sm);
  read_holds(functions, device, condition);
  read_power(functions, device, condition);
  read_heat(functions, device, condition);
  read_sharing(functions, device, condition);
  read_memory(functions, device, condition);
  read_link(functions, device, condition);
  condition.link_replays = told<unsigned>(functions.link_replays, device);
  read_nvlinks(functions, device, condition);
}

void read_under_load(const nvml_functions& functions, nvml_handle device, probe::gpu_condition& condition) {
  read_clocks(functions, device, condition);
  read_holds(functions, device, condition);
  read_link(functions, device, condition);
  condition.clocks_under_load = true;
  if (condition.link) condition.link->under_load = true;
}

std::optional<bool> read_confidential(const nvml_functions& functions) {
  const auto state = told<gpu::nvml_confidential>(functions.confidential);
  return state ? std::optional(state->feature != 0) : std::nullopt;
}

}  // namespace ridge::backends::probe_cuda
