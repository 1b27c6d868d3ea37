// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/nvml_device.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/gpu/check.hpp>

namespace ridge::gpu {
namespace {

constexpr const char* newer_driver = "a newer driver may have it";

error missing(const char* name) { return {std::string("this driver's NVML has no ") + name, newer_driver}; }

// Whether an answer is a value: some drivers report success together with NVML_VALUE_NOT_AVAILABLE, all bits
// set.
template <class T>
bool is_a_value(T read) {
  return !std::is_unsigned_v<T> || read != std::numeric_limits<T>::max();
}

template <class T>
result<T> a_value(T read, const char* name) {
  if (is_a_value(read)) return read;
  return error{std::string(name) + " succeeded without a value", newer_driver};
}

template <class T>
result<bool> is_on(const result<T>& mode) {
  if (!mode) return mode.why();
  return *mode == 1;
}

}  // namespace

nvml_device::nvml_device(const nvml_functions& functions, nvml_handle handle, std::string bus_id)
    : functions_(&functions), handle_(handle), bus_id_(std::move(bus_id)) {}

result<nvml_device> nvml_device::find(const nvml_functions& functions, std::string bus_id) {
  if (functions.by_bus_id == nullptr) return missing("nvmlDeviceGetHandleByPciBusId_v2");
  nvml_handle handle = nullptr;
  const int code = functions.by_bus_id(bus_id.c_str(), &handle);
  if (code != nvml_success) {
    return nvml_refusal(functions, "nvmlDeviceGetHandleByPciBusId_v2 of " + bus_id, code);
  }
  return nvml_device(functions, handle, std::move(bus_id));
}

result<nvml_device> nvml_device::current() {
  std::array<char, 32> bus_id{};
  try {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device),
          "cudaDeviceGetPCIBusId");
  } catch (const failure& no_gpu) {
    return no_gpu.why();
  }
  const auto& functions = nvml();
  if (!functions) return functions.why();
  return find(*functions, bus_id.data());
}

template <class T, class F, class... Before>
result<T> nvml_device::ask(F* function, const char* name, Before... before) const {
  if (function == nullptr) return missing(name);
  T value{};
  const int code = function(handle_, before..., &value);
  if (code != nvml_success) return nvml_refusal(*functions_, name, code);
  return a_value(value, name);
}

result<unsigned> nvml_device::sm_clock_mhz() const {
  return ask<unsigned>(functions_->clock, "nvmlDeviceGetClockInfo", nvml_clock_sm);
}

result<unsigned> nvml_device::memory_clock_mhz() const {
  return ask<unsigned>(functions_->clock, "nvmlDeviceGetClockInfo", nvml_clock_memory);
}

result<unsigned> nvml_device::max_sm_clock_mhz() const {
  return ask<unsigned>(functions_->max_clock, "nvmlDeviceGetMaxClockInfo", nvml_clock_sm);
}

result<unsigned> nvml_device::temperature_c() const {
  return ask<unsigned>(functions_->temperature, "nvmlDeviceGetTemperature", nvml_sensor_gpu);
}

result<double> nvml_device::ask_watts(nvml_functions::ask_number* function, const char* name) const {
  const auto milliwatts = ask<unsigned>(function, name);
  if (!milliwatts) return milliwatts.why();
  return *milliwatts * 1e-3;
}

result<double> nvml_device::instant_power_w() const {
  constexpr const char* name = "nvmlDeviceGetFieldValues of the power";
  if (functions_->fields == nullptr) return missing(name);
  nvml_field_value field{.field = nvml_field_power_instant};
  const int code = functions_->fields(handle_, 1, &field);
  if (code != nvml_success) return nvml_refusal(*functions_, name, code);
  if (field.code != nvml_success) return nvml_refusal(*functions_, name, field.code);
  const auto milliwatts = number_in(field);
  if (!milliwatts) return error{std::string(name) + " succeeded without a value", newer_driver};
  return *milliwatts * 1e-3;
}

result<double> nvml_device::power_w() const {
  auto now = instant_power_w();
  return now ? now : average_power_w();
}

result<double> nvml_device::average_power_w() const {
  return ask_watts(functions_->power, "nvmlDeviceGetPowerUsage");
}

result<double> nvml_device::power_limit_w() const {
  return ask_watts(functions_->power_limit, "nvmlDeviceGetEnforcedPowerLimit");
}

result<gpu::clock_events> nvml_device::clock_events() const {
  const auto bits =
      ask<unsigned long long>(functions_->clock_events, "nvmlDeviceGetCurrentClocksEventReasons");
  if (!bits) return bits.why();
  return gpu::clock_events{*bits};
}

result<std::uint64_t> nvml_device::energy_mj() const {
  const auto read = ask<unsigned long long>(functions_->energy, "nvmlDeviceGetTotalEnergyConsumption");
  if (!read) return read.why();
  return std::uint64_t{*read};
}

result<bool> nvml_device::persistence_mode() const {
  return is_on(ask<int>(functions_->persistence, "nvmlDeviceGetPersistenceMode"));
}

result<bool> nvml_device::mig_mode() const {
  constexpr const char* name = "nvmlDeviceGetMigMode";
  if (functions_->mig == nullptr) return missing(name);
  unsigned now = 0, after_reset = 0;
  const int code = functions_->mig(handle_, &now, &after_reset);
  if (code != nvml_success) return nvml_refusal(*functions_, name, code);
  return now == 1;
}

result<gpu::ecc_errors> nvml_device::ecc_errors() const {
  const auto count = [this](int kind) {
    return ask<unsigned long long>(functions_->ecc_errors, "nvmlDeviceGetTotalEccErrors", kind,
                                   nvml_ecc_volatile);
  };
  const auto corrected = count(nvml_ecc_corrected), uncorrected = count(nvml_ecc_uncorrected);
  if (!corrected) return corrected.why();
  if (!uncorrected) return uncorrected.why();
  return gpu::ecc_errors{*corrected, *uncorrected};
}

result<gpu::compute_processes> nvml_device::compute_processes() const {
  constexpr const char* name = "nvmlDeviceGetComputeRunningProcesses";
  if (functions_->processes == nullptr) return missing(name);
  constexpr std::size_t most = 4096;  // bounds the memory that a wrong count could take
  std::vector<nvml_process> listed(16);
  int code = nvml_insufficient_size;
  // The list may grow between two calls; the number of attempts bounds the loop.
  for (int attempt = 0; attempt < 4 && code == nvml_insufficient_size; ++attempt) {
    listed.resize(2 * listed.size());
    auto count = static_cast<unsigned>(listed.size());
    code = functions_->processes(handle_, &count, listed.data());
    if (code == nvml_success) listed.resize(std::min<std::size_t>(count, listed.size()));
    if (code == nvml_insufficient_size) listed.resize(std::clamp<std::size_t>(count, listed.size(), most));
  }
  if (code != nvml_success) return nvml_refusal(*functions_, name, code);
  const auto ours = std::ranges::count(listed, static_cast<unsigned>(getpid()), &nvml_process::pid);
  return gpu::compute_processes{listed.size() - static_cast<std::size_t>(ours), ours > 0};
}

result<gpu::pcie_link> nvml_device::pcie_link() const {
  const auto generation = ask<unsigned>(functions_->pcie_generation, "nvmlDeviceGetCurrPcieLinkGeneration");
  const auto width = ask<unsigned>(functions_->pcie_width, "nvmlDeviceGetCurrPcieLinkWidth");
  const auto most = ask<unsigned>(functions_->max_pcie_generation, "nvmlDeviceGetMaxPcieLinkGeneration");
  const auto widest = ask<unsigned>(functions_->max_pcie_width, "nvmlDeviceGetMaxPcieLinkWidth");
  for (const auto* one : {&generation, &width, &most, &widest}) {
    if (!*one) return one->why();
  }
  return gpu::pcie_link{*generation, *width, *most, *widest};
}

result<std::string> nvml_device::video_bios() const {
  constexpr const char* name = "nvmlDeviceGetVbiosVersion";
  if (functions_->video_bios == nullptr) return missing(name);
  std::array<char, 32> text{};  // NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE
  const int code = functions_->video_bios(handle_, text.data(), static_cast<unsigned>(text.size()));
  if (code != nvml_success) return nvml_refusal(*functions_, name, code);
  return std::string(text.data());
}

gpu::nvlink nvml_device::nvlink_at(unsigned index) const {
  gpu::nvlink link{.index = index};
  const auto& f = *functions_;
  if (f.nvlink_version != nullptr && f.nvlink_version(handle_, index, &link.version) != nvml_success)
    link.version = 0;
  nvml_field_value speed{.field = nvml_field_nvlink_speed, .scope = index};
  if (f.fields != nullptr && f.fields(handle_, 1, &speed) == nvml_success && speed.code == nvml_success)
    link.bytes_per_s = number_in(speed).value_or(0) * 1e6;
  int end = -1;
  if (f.nvlink_end != nullptr && f.nvlink_end(handle_, index, &end) == nvml_success) {
    link.end = end == nvml_link_to_gpu      ? link_end::gpu
               : end == nvml_link_to_switch ? link_end::nvswitch
                                            : link_end::unknown;
  }
  nvml_pci far;
  if (f.nvlink_far != nullptr && f.nvlink_far(handle_, index, &far) == nvml_success)
    link.far_bus_id = fmt::format("{:04x}:{:02x}:{:02x}.0", far.domain, far.bus, far.device);
  return link;
}

result<std::vector<gpu::nvlink>> nvml_device::nvlinks() const {
  constexpr const char* name = "nvmlDeviceGetNvLinkState";
  if (functions_->nvlink_state == nullptr) return missing(name);
  std::vector<gpu::nvlink> up;
  for (unsigned index = 0; index < nvml_most_nvlinks; ++index) {
    int active = 0;
    const int code = functions_->nvlink_state(handle_, index, &active);
    // The first index without a link ends the list; a GPU without NVLink refuses index 0.
    if (code == nvml_no_permission || code == nvml_gpu_is_lost) return nvml_refusal(*functions_, name, code);
    if (code != nvml_success) break;
    if (active == 1) up.push_back(nvlink_at(index));
  }
  return up;
}

}  // namespace ridge::gpu
