// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/nvml.hpp>

#include <dlfcn.h>

#include <cstring>
#include <initializer_list>
#include <limits>

#include <fmt/format.h>

namespace ridge::gpu {
namespace {

constexpr const char* get_driver = "install NVIDIA's driver (libnvidia-ml.so.1 comes with it)";

// Takes the first of `names` that the library has: newest first.
template <class F>
void find(void* library, F*& function, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (function == nullptr) function = reinterpret_cast<F*>(dlsym(library, name));
  }
}

void find_condition(void* library, nvml_functions& f) {
  find(library, f.performance_state, {"nvmlDeviceGetPerformanceState"});
  find(library, f.application_clock, {"nvmlDeviceGetApplicationsClock"});
  find(library, f.default_application_clock, {"nvmlDeviceGetDefaultApplicationsClock"});
  find(library, f.default_power_limit, {"nvmlDeviceGetPowerManagementDefaultLimit"});
  find(library, f.power_limits, {"nvmlDeviceGetPowerManagementLimitConstraints"});
  find(library, f.temperature_threshold, {"nvmlDeviceGetTemperatureThreshold"});
  find(library, f.violation, {"nvmlDeviceGetViolationStatus"});
  find(library, f.display, {"nvmlDeviceGetDisplayActive"});
  find(library, f.compute_mode, {"nvmlDeviceGetComputeMode"});
  find(library, f.virtualization, {"nvmlDeviceGetVirtualizationMode"});
  find(library, f.utilization, {"nvmlDeviceGetUtilizationRates"});
  find(library, f.ecc_mode, {"nvmlDeviceGetEccMode"});
  find(library, f.remapped_rows, {"nvmlDeviceGetRemappedRows"});
  find(library, f.retired_pages, {"nvmlDeviceGetRetiredPages"});
  find(library, f.retirement_pending, {"nvmlDeviceGetRetiredPagesPendingStatus"});
  find(library, f.link_replays, {"nvmlDeviceGetPcieReplayCounter"});
  find(library, f.nvlink_errors, {"nvmlDeviceGetNvLinkErrorCounter"});
  find(library, f.window, {"nvmlDeviceGetBAR1MemoryInfo"});
  find(library, f.memory, {"nvmlDeviceGetMemoryInfo"});
  find(library, f.name, {"nvmlDeviceGetName"});
  find(library, f.pcie_throughput, {"nvmlDeviceGetPcieThroughput"});
  find(library, f.confidential, {"nvmlSystemGetConfComputeState"});
  find(library, f.memory_bits, {"nvmlDeviceGetMemoryBusWidth"});
  find(library, f.gpm_support, {"nvmlGpmQueryDeviceSupport"});
  find(library, f.gpm_allocate, {"nvmlGpmSampleAlloc"});
  find(library, f.gpm_free, {"nvmlGpmSampleFree"});
  find(library, f.gpm_sample, {"nvmlGpmSampleGet"});
  find(library, f.gpm_metrics, {"nvmlGpmMetricsGet"});
}

nvml_functions functions_of(void* library) {
  nvml_functions f;
  find(library, f.init, {"nvmlInit_v2"});
  find(library, f.error_string, {"nvmlErrorString"});
  find(library, f.version, {"nvmlSystemGetNVMLVersion"});
  find(library, f.by_bus_id, {"nvmlDeviceGetHandleByPciBusId_v2"});
  find(library, f.clock, {"nvmlDeviceGetClockInfo"});
  find(library, f.max_clock, {"nvmlDeviceGetMaxClockInfo"});
  find(library, f.temperature, {"nvmlDeviceGetTemperature"});
  find(library, f.power, {"nvmlDeviceGetPowerUsage"});
  find(library, f.power_limit, {"nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetPowerManagementLimit"});
  find(library, f.fields, {"nvmlDeviceGetFieldValues"});
  find(library, f.clock_events,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  find(library, f.energy, {"nvmlDeviceGetTotalEnergyConsumption"});
  find(library, f.persistence, {"nvmlDeviceGetPersistenceMode"});
  find(library, f.mig, {"nvmlDeviceGetMigMode"});
  find(library, f.ecc_errors, {"nvmlDeviceGetTotalEccErrors"});
  find(library, f.processes,
       {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});

  find(library, f.pcie_generation, {"nvmlDeviceGetCurrPcieLinkGeneration"});
  find(library, f.pcie_width, {"nvmlDeviceGetCurrPcieLinkWidth"});
  find(library, f.max_pcie_generation, {"nvmlDeviceGetMaxPcieLinkGeneration"});
  find(library, f.max_pcie_width, {"nvmlDeviceGetMaxPcieLinkWidth"});
  find(library, f.video_bios, {"nvmlDeviceGetVbiosVersion"});
  find(library, f.nvlink_state, {"nvmlDeviceGetNvLinkState"});
  find(library, f.nvlink_version, {"nvmlDeviceGetNvLinkVersion"});
  find(library, f.nvlink_end, {"nvmlDeviceGetNvLinkRemoteDeviceType"});
  find(library, f.nvlink_far, {"nvmlDeviceGetNvLinkRemotePciInfo_v2"});
  find_condition(library, f);
  return f;
}

template <class T>
std::optional<double> first_bytes(const nvml_field_value& field) {
  T value{};
  std::memcpy(&value, field.value.data(), sizeof value);
  return value == std::numeric_limits<T>::max() ? std::nullopt : std::optional(static_cast<double>(value));
}

std::string words_for(const nvml_functions& functions, int code) {
  const char* said = functions.error_string == nullptr ? nullptr : functions.error_string(code);
  return fmt::format("{} (code {})", said == nullptr ? "it refused" : said, code);
}

std::string remedy_for(int code) {
  switch (code) {
    case nvml_no_permission:
      return "run it as a user who may ask the driver (see the rights of /dev/nvidiactl)";
    case nvml_driver_not_loaded:
      return "load NVIDIA's driver (modprobe nvidia); a container must be started with the GPU";
    case nvml_gpu_is_lost:
      return "see dmesg for an Xid; the GPU needs a reset or a restart of the machine";
    case nvml_version_mismatch:
      return "the driver was updated while loaded: restart the machine";
    default:
      return "";
  }
}

}  // namespace

std::optional<double> number_in(const nvml_field_value& field) {
  switch (field.type) {
    case 1:
      return first_bytes<unsigned>(field);
    case 2:
      return first_bytes<unsigned long>(field);
    case 3:
      return first_bytes<unsigned long long>(field);
    default:
      return std::nullopt;
  }
}

error nvml_refusal(const nvml_functions& functions, const std::string& call, int code) {
  return {call + " failed: " + words_for(functions, code), remedy_for(code)};
}

result<nvml_functions> load_nvml(const std::string& library) {
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* said = dlerror();
    return error{fmt::format("NVML cannot be loaded ({})", said == nullptr ? library : said), get_driver};
  }
  const auto found = functions_of(opened);
  if (found.init == nullptr || found.by_bus_id == nullptr) {
    return error{fmt::format("{} has no nvmlInit_v2 or no nvmlDeviceGetHandleByPciBusId_v2", library),
                 get_driver};
  }
  if (const int code = found.init(); code != nvml_success) return nvml_refusal(found, "nvmlInit_v2", code);
  return found;
}

const result<nvml_functions>& nvml() {
  static const auto loaded = load_nvml("libnvidia-ml.so.1");
  return loaded;
}

result<std::string> nvml_version(const nvml_functions& functions) {
  constexpr const char* call = "nvmlSystemGetNVMLVersion";
  if (functions.version == nullptr) return error{fmt::format("this NVML has no {}", call), get_driver};
  std::array<char, 80> text{};  // NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE
  const int code = functions.version(text.data(), static_cast<unsigned>(text.size()));
  if (code != nvml_success) return nvml_refusal(functions, call, code);
  return std::string(text.data());
}

}  // namespace ridge::gpu
