// SPDX-License-Identifier: Apache-2.0
#include "nvml_gpu_monitor.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

namespace ridge::backends::measure_nvml {
namespace {

template <class T>
std::optional<double> told_number(const result<T>& answer) {
  return answer ? std::optional<double>(*answer) : std::nullopt;
}

// Asks a function that may be missing and may refuse.
template <class T, class Function, class... Before>
std::optional<T> told(Function* function, gpu::nvml_handle handle, Before... before) {
  T answer{};
  if (function == nullptr || function(handle, before..., &answer) != gpu::nvml_success) return std::nullopt;
  return answer;
}

std::string name_of(const gpu::nvml_functions& functions, gpu::nvml_handle handle) {
  std::array<char, 96> text{};
  const bool known =
      functions.name != nullptr &&
      functions.name(handle, text.data(), static_cast<unsigned>(text.size())) == gpu::nvml_success;
  text.back() = '\0';
  return known ? text.data() : "";
}

void read_rates(const gpu::nvml_functions& f, gpu::nvml_handle handle, measure::gpu_reading& reading) {
  constexpr double percent = 0.01, kilobyte = 1e3;
  if (const auto busy = told<gpu::nvml_utilization>(f.utilization, handle)) {
    reading.busy = percent * busy->gpu_percent;
    reading.memory_busy = percent * busy->memory_percent;
  }
  if (const auto memory = told<gpu::nvml_memory>(f.memory, handle)) {
    reading.memory_bytes = static_cast<double>(memory->all_bytes);
    reading.memory_used_bytes = static_cast<double>(memory->used_bytes);
  }
  if (const auto rate = told<unsigned>(f.pcie_throughput, handle, gpu::nvml_pcie_received))
    reading.received_bytes_per_s = kilobyte * *rate;
  if (const auto rate = told<unsigned>(f.pcie_throughput, handle, gpu::nvml_pcie_sent))
    reading.sent_bytes_per_s = kilobyte * *rate;
}

}  // namespace

std::vector<std::string> addresses_below(const std::string& folder) {
  std::vector<std::string> addresses;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    addresses.push_back(entry.path().filename().string());
  std::ranges::sort(addresses);
  return addresses;
}

nvml_gpu_monitor::nvml_gpu_monitor(const result<gpu::nvml_functions>& functions,
                                   const std::vector<std::string>& addresses) {
  if (addresses.empty()) {
    reason_ = "no NVIDIA driver shows a GPU here";
    return;
  }
  if (!functions) {
    reason_ = functions.why().text();
    return;
  }
  functions_ = &*functions;
  for (const auto& address : addresses) {
    auto device = gpu::nvml_device::find(*functions_, address);
    if (device)
      devices_.push_back(*device), traffic_.emplace_back(*functions_, *device);
    else
      reason_ = device.why().text();
  }
  if (!devices_.empty()) reason_.clear();
}

std::vector<measure::gpu_reading> nvml_gpu_monitor::read() {
  std::vector<measure::gpu_reading> all;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const auto& device = devices_[i];
    measure::gpu_reading reading{.name = name_of(*functions_, device.handle()),
                                 .address = device.bus_id(),
                                 .sm_clock_mhz = told_number(device.sm_clock_mhz()),
                                 .most_sm_clock_mhz = told_number(device.max_sm_clock_mhz()),
                                 .memory_clock_mhz = told_number(device.memory_clock_mhz()),
                                 .power_w = told_number(device.power_w()),
                                 .power_limit_w = told_number(device.power_limit_w()),
                                 .temperature_c = told_number(device.temperature_c())};
    if (const auto events = device.clock_events()) reading.throttled_by = events->throttling().words();
    read_rates(*functions_, device.handle(), reading);
    traffic_[i].read(reading);
    all.push_back(std::move(reading));
  }
  return all;
}

std::unique_ptr<measure::gpu_monitor> make_gpu_monitor() {
  const auto addresses = addresses_below("/proc/driver/nvidia/gpus");
  // Without a GPU the library is not even looked for.
  static const result<gpu::nvml_functions> none = error{"no NVIDIA driver shows a GPU here", ""};
  return std::make_unique<nvml_gpu_monitor>(addresses.empty() ? none : gpu::nvml(), addresses);
}

}  // namespace ridge::backends::measure_nvml
