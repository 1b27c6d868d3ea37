// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include <ridge/base/result.hpp>

// The functions of NVIDIA's management library (NVML) that Ridge uses: queries only, nothing that changes a
// setting. The toolkit does not always install nvml.h, so the prototypes, layouts and numbers below are
// written anew after NVIDIA's "NVML API Reference Guide" (docs.nvidia.com/deploy/nvml-api) for
// NVML_API_VERSION 13 and compared with the nvml.h of CUDA 13.3.

namespace ridge::gpu {

struct nvml_opaque;
using nvml_handle = nvml_opaque*;  // nvmlDevice_t

// Values of nvmlReturn_t that are treated specially.
inline constexpr int nvml_success = 0;
inline constexpr int nvml_not_supported = 3;
inline constexpr int nvml_no_permission = 4;
inline constexpr int nvml_insufficient_size = 7;
inline constexpr int nvml_driver_not_loaded = 9;
inline constexpr int nvml_gpu_is_lost = 15;
inline constexpr int nvml_version_mismatch = 18;  // library and kernel module differ

inline constexpr int nvml_clock_sm = 1;  // nvmlClockType_t, MHz
inline constexpr int nvml_clock_memory = 2;
inline constexpr int nvml_sensor_gpu = 0;     // nvmlTemperatureSensors_t, degrees Celsius
inline constexpr int nvml_ecc_corrected = 0;  // nvmlMemoryErrorType_t
inline constexpr int nvml_ecc_uncorrected = 1;
inline constexpr int nvml_ecc_volatile = 0;  // nvmlEccCounterType_t: since the driver was loaded
inline constexpr unsigned nvml_field_power_average = 185;  // NVML_FI_DEV_POWER_*, mW, over one second
inline constexpr unsigned nvml_field_power_instant = 186;

// nvmlFieldValue_t: a query for one field by number. `code` is that field's own nvmlReturn_t. The answer is
// in the first bytes of `value` and has the type that `type` names (nvmlValueType_t: 1 unsigned int, 3
// unsigned long long).
struct nvml_field_value {
  unsigned field = 0;
  unsigned scope = 0;
  long long timestamp_us = 0;
  long long latency_us = 0;
  int type = 0;
  int code = 0;
  alignas(8) std::array<std::byte, 8> value{};
};
static_assert(sizeof(nvml_field_value) == 40 && offsetof(nvml_field_value, value) == 32);

// nvmlProcessInfo_v2_t, the entry that versions _v2 and _v3 of the list of processes fill.
struct nvml_process {
  unsigned pid = 0;
  unsigned long long used_bytes = 0;
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};
static_assert(sizeof(nvml_process) == 24 && offsetof(nvml_process, used_bytes) == 8);

// nvmlPciInfo_t.
struct nvml_pci {
  std::array<char, 16> old_bus_id{};
  unsigned domain = 0, bus = 0, device = 0;
  unsigned device_and_vendor = 0, subsystem = 0;
  std::array<char, 32> bus_id{};
};
static_assert(sizeof(nvml_pci) == 68);

inline constexpr int nvml_link_to_gpu = 0;  // nvmlIntNvLinkDeviceType_t
inline constexpr int nvml_link_to_switch = 2;
inline constexpr unsigned nvml_field_nvlink_speed =
    164;                                           // NVML_FI_DEV_NVLINK_GET_SPEED, MB/s; scope is the link
inline constexpr unsigned nvml_most_nvlinks = 64;  // upper bound of link indices that are queried
// NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX and _RX: payload since the driver was loaded, KiB, of the link that
// is the scope or of all together.
inline constexpr unsigned nvml_field_nvlink_sent = 138;
inline constexpr unsigned nvml_field_nvlink_received = 139;
inline constexpr unsigned nvml_all_links = ~0u;
inline constexpr unsigned nvml_field_memory_temperature = 82;  // NVML_FI_DEV_MEMORY_TEMP, unsigned int
inline constexpr int nvml_threshold_slowdown = 1;              // nvmlTemperatureThresholds_t
inline constexpr int nvml_policy_power = 0;                    // nvmlPerfPolicyType_t
inline constexpr int nvml_policy_thermal = 1;
inline constexpr int nvml_link_replays = 0;  // nvmlNvLinkErrorCounter_t
inline constexpr int nvml_link_recoveries = 1;
inline constexpr int nvml_link_checksums = 2;

struct nvml_utilization {  // nvmlUtilization_t
  unsigned gpu_percent = 0;
  unsigned memory_percent = 0;
};

struct nvml_violation {  // nvmlViolationTime_t
  unsigned long long at_us = 0;
  unsigned long long held_ns = 0;
};

struct nvml_window {  // nvmlBAR1Memory_t
  unsigned long long all_bytes = 0;
  unsigned long long free_bytes = 0;
  unsigned long long used_bytes = 0;
};

struct nvml_memory {  // nvmlMemory_t
  unsigned long long all_bytes = 0;
  unsigned long long free_bytes = 0;
  unsigned long long used_bytes = 0;
};

inline constexpr int nvml_pcie_sent = 0;  // nvmlPcieUtilCounter_t
inline constexpr int nvml_pcie_received = 1;

// Metrics between two samples of a GPU (GPM, Hopper and later). A request is an nvmlGpmMetricsGet_t; the
// driver reads as many of its metrics as it counts. Its array is longer than any NVML_GPM_METRIC_MAX so far.
struct nvml_gpm_opaque;
using nvml_gpm_sample = nvml_gpm_opaque*;  // nvmlGpmSample_t
inline constexpr unsigned nvml_gpm_memory_bandwidth =
    10;  // NVML_GPM_METRIC_DRAM_BW_UTIL, percent of the peak

struct nvml_gpm_metric {  // nvmlGpmMetric_t
  unsigned id = 0;
  int code = 0;
  double value = 0;
  std::array<const char*, 3> names{};  // short, long, unit
};
static_assert(sizeof(nvml_gpm_metric) == 40 && offsetof(nvml_gpm_metric, value) == 8);

struct nvml_gpm_request {  // nvmlGpmMetricsGet_t
  unsigned version = 1;
  unsigned count = 0;
  nvml_gpm_sample before = nullptr, after = nullptr;
  std::array<nvml_gpm_metric, 512> metrics{};
};
static_assert(offsetof(nvml_gpm_request, metrics) == 24);

struct nvml_gpm_support {  // nvmlGpmSupport_t
  unsigned version = 1;
  unsigned supported = 0;
};

struct nvml_confidential {  // nvmlConfComputeSystemState_t
  unsigned environment = 0;
  unsigned feature = 0;
  unsigned tools_mode = 0;
};

// NVML's functions; each comment gives the NVML name. A function that the driver's library lacks is null.
// Most return an nvmlReturn_t.
struct nvml_functions {
  using ask_number = int(nvml_handle, unsigned*);
  using ask_large = int(nvml_handle, unsigned long long*);
  using ask_kind = int(nvml_handle, int, unsigned*);

  int (*init)() = nullptr;                                       // nvmlInit_v2
  const char* (*error_string)(int) = nullptr;                    // nvmlErrorString
  int (*version)(char*, unsigned) = nullptr;                     // nvmlSystemGetNVMLVersion
  int (*by_bus_id)(const char*, nvml_handle*) = nullptr;         // nvmlDeviceGetHandleByPciBusId_v2
  ask_kind* clock = nullptr;                                     // nvmlDeviceGetClockInfo
  ask_kind* max_clock = nullptr;                                 // nvmlDeviceGetMaxClockInfo
  ask_kind* temperature = nullptr;                               // nvmlDeviceGetTemperature
  ask_number* power = nullptr;                                   // nvmlDeviceGetPowerUsage
  ask_number* power_limit = nullptr;                             // nvmlDeviceGetEnforcedPowerLimit
  int (*fields)(nvml_handle, int, nvml_field_value*) = nullptr;  // nvmlDeviceGetFieldValues
  ask_large* clock_events = nullptr;                             // nvmlDeviceGetCurrentClocksEventReasons
  ask_large* energy = nullptr;                                   // nvmlDeviceGetTotalEnergyConsumption
  int (*persistence)(nvml_handle, int*) = nullptr;               // nvmlDeviceGetPersistenceMode
  int (*mig)(nvml_handle, unsigned*, unsigned*) = nullptr;       // nvmlDeviceGetMigMode
  int (*ecc_errors)(nvml_handle, int, int, unsigned long long*) = nullptr;  // nvmlDeviceGetTotalEccErrors
  int (*processes)(nvml_handle, unsigned*,
                   nvml_process*) = nullptr;  // nvmlDeviceGetComputeRunningProcesses_v3

  // Identity and links of a GPU.
  using ask_link = int(nvml_handle, unsigned, unsigned*);
  ask_number* pcie_generation = nullptr;                          // nvmlDeviceGetCurrPcieLinkGeneration
  ask_number* pcie_width = nullptr;                               // nvmlDeviceGetCurrPcieLinkWidth
  ask_number* max_pcie_generation = nullptr;                      // nvmlDeviceGetMaxPcieLinkGeneration
  ask_number* max_pcie_width = nullptr;                           // nvmlDeviceGetMaxPcieLinkWidth
  int (*video_bios)(nvml_handle, char*, unsigned) = nullptr;      // nvmlDeviceGetVbiosVersion
  int (*nvlink_state)(nvml_handle, unsigned, int*) = nullptr;     // nvmlDeviceGetNvLinkState
  ask_link* nvlink_version = nullptr;                             // nvmlDeviceGetNvLinkVersion
  int (*nvlink_end)(nvml_handle, unsigned, int*) = nullptr;       // nvmlDeviceGetNvLinkRemoteDeviceType
  int (*nvlink_far)(nvml_handle, unsigned, nvml_pci*) = nullptr;  // nvmlDeviceGetNvLinkRemotePciInfo_v2
  // State that the audit of the environment reads.
  using ask_mode = int(nvml_handle, int*);
  ask_mode* performance_state = nullptr;          // nvmlDeviceGetPerformanceState
  ask_kind* application_clock = nullptr;          // nvmlDeviceGetApplicationsClock
  ask_kind* default_application_clock = nullptr;  // nvmlDeviceGetDefaultApplicationsClock
  ask_number* default_power_limit = nullptr;      // nvmlDeviceGetPowerManagementDefaultLimit
  int (*power_limits)(nvml_handle, unsigned*,
                      unsigned*) = nullptr;   // nvmlDeviceGetPowerManagementLimitConstraints
  ask_kind* temperature_threshold = nullptr;  // nvmlDeviceGetTemperatureThreshold
  int (*violation)(nvml_handle, int, nvml_violation*) = nullptr;  // nvmlDeviceGetViolationStatus
  ask_mode* display = nullptr;                                    // nvmlDeviceGetDisplayActive
  ask_mode* compute_mode = nullptr;                               // nvmlDeviceGetComputeMode
  ask_mode* virtualization = nullptr;                             // nvmlDeviceGetVirtualizationMode
  int (*utilization)(nvml_handle, nvml_utilization*) = nullptr;   // nvmlDeviceGetUtilizationRates
  int (*ecc_mode)(nvml_handle, int*, int*) = nullptr;             // nvmlDeviceGetEccMode
  int (*remapped_rows)(nvml_handle, unsigned*, unsigned*, unsigned*,
                       unsigned*) = nullptr;  // nvmlDeviceGetRemappedRows
  int (*retired_pages)(nvml_handle, int, unsigned*,
                       unsigned long long*) = nullptr;  // nvmlDeviceGetRetiredPages
  ask_mode* retirement_pending = nullptr;               // nvmlDeviceGetRetiredPagesPendingStatus
  ask_number* link_replays = nullptr;                   // nvmlDeviceGetPcieReplayCounter
  int (*nvlink_errors)(nvml_handle, unsigned, int,
                       unsigned long long*) = nullptr;  // nvmlDeviceGetNvLinkErrorCounter
  int (*window)(nvml_handle, nvml_window*) = nullptr;   // nvmlDeviceGetBAR1MemoryInfo
  int (*memory)(nvml_handle, nvml_memory*) = nullptr;   // nvmlDeviceGetMemoryInfo
  int (*name)(nvml_handle, char*, unsigned) = nullptr;  // nvmlDeviceGetName
  ask_kind* pcie_throughput = nullptr;                  // nvmlDeviceGetPcieThroughput, KB/s over 20 ms
  int (*confidential)(nvml_confidential*) = nullptr;    // nvmlSystemGetConfComputeState
  ask_number* memory_bits = nullptr;                    // nvmlDeviceGetMemoryBusWidth
  int (*gpm_support)(nvml_handle, nvml_gpm_support*) = nullptr;  // nvmlGpmQueryDeviceSupport
  int (*gpm_allocate)(nvml_gpm_sample*) = nullptr;               // nvmlGpmSampleAlloc
  int (*gpm_free)(nvml_gpm_sample) = nullptr;                    // nvmlGpmSampleFree
  int (*gpm_sample)(nvml_handle, nvml_gpm_sample) = nullptr;     // nvmlGpmSampleGet
  int (*gpm_metrics)(nvml_gpm_request*) = nullptr;               // nvmlGpmMetricsGet
};

// Returns the number that a field which was answered holds; nothing where its type is none of the unsigned
// ones, or where the driver succeeded without a value (all bits set).
[[nodiscard]] std::optional<double> number_in(const nvml_field_value& field);

// Opens `library` by the rules of the dynamic loader and initializes NVML; the library is never closed.
// Returns its functions, or an error that says what is missing and what to do.
[[nodiscard]] result<nvml_functions> load_nvml(const std::string& library);

// The functions of the driver's library, which is loaded on the first call; later calls return the same
// object. May be called from any thread.
[[nodiscard]] const result<nvml_functions>& nvml();

// Version of the library ("13.580.65.06"), or the reason why it is unknown.
[[nodiscard]] result<std::string> nvml_version(const nvml_functions& functions);

// The error for a `call` that returned `code`: NVML's description of the code, and a remedy where one is
// known.
[[nodiscard]] error nvml_refusal(const nvml_functions& functions, const std::string& call, int code);

}  // namespace ridge::gpu
