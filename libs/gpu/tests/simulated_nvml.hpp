// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <ridge/gpu/nvml.hpp>

namespace ridge::gpu {

// One GPU behind NVML's functions, whose every answer a test can set or refuse. One at a time: the functions
// are plain pointers and find it through `now`.
class simulated_nvml {
 public:
  simulated_nvml() { now = this; }
  ~simulated_nvml() { now = nullptr; }
  simulated_nvml(const simulated_nvml&) = delete;
  simulated_nvml& operator=(const simulated_nvml&) = delete;

  std::string bus_id = "0000:1b:00.0";
  std::string version = "13.580.65.06";
  std::map<std::string, int> refused{};  // a member's name in nvml_functions, and the code it returns
  unsigned sm_mhz = 1755, memory_mhz = 3201, max_sm_mhz = 1980, celsius = 51;
  unsigned average_mw = 400'000, limit_mw = 700'000;
  unsigned long long instant_mw = 412'500;
  int instant_type = 1, instant_code = nvml_success;
  unsigned long long events = 0x4, energy_mj = 1'000'000, corrected = 2, uncorrected = 1;
  int persistence = 1;
  unsigned mig = 0;
  std::vector<unsigned> pids{static_cast<unsigned>(getpid())};
  std::function<void()> before_processes{};
  unsigned pcie_generation = 1, pcie_width = 16;  // idle, of 5 at most
  std::string video_bios = "96.00.BC.00.01";
  std::vector<int> nvlinks{1, 0, 1};  // whether each is up
  int nvlink_end = nvml_link_to_switch;
  unsigned nvlink_mb_per_s = 26562;
  unsigned long long sent_kib = 1'000'000, received_kib = 500'000;  // over all NVLinks
  long long now_us = 1'000'000;                                     // the driver's clock
  unsigned gpm = 1, max_memory_mhz = 2619, memory_bits = 5120;
  double memory_percent = 40;  // of the peak bandwidth
  int samples = 0;             // that were allocated and not freed

  [[nodiscard]] nvml_functions functions() const;

 private:
  static int answer(const char* name) {
    const auto at = now->refused.find(name);
    return at == now->refused.end() ? nvml_success : at->second;
  }
  template <class T>
  static int give(const char* name, T value, T* destination) {
    const int code = answer(name);
    if (code == nvml_success) *destination = value;
    return code;
  }
  static int list(unsigned* count, nvml_process* entries);
  static int fill(nvml_field_value* field);
  void add_traffic(nvml_functions& functions) const;
  void add_links(nvml_functions& functions) const;

  static inline simulated_nvml* now = nullptr;
};

inline int simulated_nvml::list(unsigned* count, nvml_process* entries) {
  if (now->before_processes) now->before_processes();
  const auto room = *count;
  *count = static_cast<unsigned>(now->pids.size());
  if (const int code = answer("processes"); code != nvml_success) return code;
  if (room < now->pids.size()) return nvml_insufficient_size;
  for (std::size_t i = 0; i < now->pids.size(); ++i) entries[i] = {.pid = now->pids[i]};
  return nvml_success;
}

inline int simulated_nvml::fill(nvml_field_value* field) {
  if (const int code = answer("fields"); code != nvml_success) return code;
  if (field->field == nvml_field_nvlink_speed) {
    field->type = 1;
    field->code = field->scope < now->nvlinks.size() ? nvml_success : nvml_not_supported;
    std::memcpy(field->value.data(), &now->nvlink_mb_per_s, 4);
    return nvml_success;
  }
  if (field->field == nvml_field_nvlink_sent || field->field == nvml_field_nvlink_received) {
    const auto& kib = field->field == nvml_field_nvlink_sent ? now->sent_kib : now->received_kib;
    field->type = 3;
    field->timestamp_us = now->now_us;
    field->code = answer("nvlink_counters");
    std::memcpy(field->value.data(), &kib, sizeof kib);
    return nvml_success;
  }
  field->type = now->instant_type;
  field->code = field->field == nvml_field_power_instant ? now->instant_code : nvml_not_supported;
  if (field->code == nvml_success) std::memcpy(field->value.data(), &now->instant_mw, 8);
  return nvml_success;
}

inline void simulated_nvml::add_links(nvml_functions& functions) const {
  functions.pcie_generation = [](nvml_handle, unsigned* n) { return give("pcie", now->pcie_generation, n); };
  functions.pcie_width = [](nvml_handle, unsigned* n) { return give("pcie", now->pcie_width, n); };
  functions.max_pcie_generation = [](nvml_handle, unsigned* n) { return give("pcie", 5u, n); };
  functions.max_pcie_width = [](nvml_handle, unsigned* n) { return give("pcie", 16u, n); };
  functions.video_bios = [](nvml_handle, char* text, unsigned room) {
    const int code = answer("video_bios");
    if (code == nvml_success) std::strncpy(text, now->video_bios.c_str(), room - 1);
    return code;
  };
  functions.nvlink_state = [](nvml_handle, unsigned link, int* active) {
    constexpr int invalid_argument = 2;
    if (link >= now->nvlinks.size()) return invalid_argument;
    return give("nvlinks", now->nvlinks[link], active);
  };
  functions.nvlink_version = [](nvml_handle, unsigned, unsigned* n) { return give("nvlink_version", 4u, n); };
  functions.nvlink_end = [](nvml_handle, unsigned, int* kind) {
    return give("nvlink_end", now->nvlink_end, kind);
  };
  functions.nvlink_far = [](nvml_handle, unsigned, nvml_pci* destination) {
    return give("nvlink_far", nvml_pci{.domain = 0, .bus = 0xc3, .device = 1}, destination);
  };
}

inline void simulated_nvml::add_traffic(nvml_functions& functions) const {
  functions.memory_bits = [](nvml_handle, unsigned* n) { return give("memory_bits", now->memory_bits, n); };
  functions.gpm_support = [](nvml_handle, nvml_gpm_support* support) {
    return give("gpm_support", now->gpm, &support->supported);
  };
  functions.gpm_allocate = [](nvml_gpm_sample* sample) {
    if (const int code = answer("gpm_allocate"); code != nvml_success) return code;
    ++now->samples;
    *sample = reinterpret_cast<nvml_gpm_sample>(new int(0));
    return nvml_success;
  };
  functions.gpm_free = [](nvml_gpm_sample sample) {
    --now->samples;
    delete reinterpret_cast<int*>(sample);
    return nvml_success;
  };
  functions.gpm_sample = [](nvml_handle, nvml_gpm_sample sample) {
    *reinterpret_cast<int*>(sample) = 1;
    return answer("gpm_sample");
  };
  functions.gpm_metrics = [](nvml_gpm_request* asked) {
    constexpr int invalid_argument = 2;
    const auto is_taken = [](nvml_gpm_sample sample) { return *reinterpret_cast<int*>(sample) == 1; };
    if (asked->count != 1 || asked->before == asked->after || !is_taken(asked->before) ||
        !is_taken(asked->after) || asked->metrics[0].id != nvml_gpm_memory_bandwidth)
      return invalid_argument;
    asked->metrics[0].code = answer("gpm_metric");
    return give("gpm_metrics", now->memory_percent, &asked->metrics[0].value);
  };
}

inline nvml_functions simulated_nvml::functions() const {
  nvml_functions f;
  f.init = [] { return answer("init"); };
  f.error_string = [](int code) { return code == nvml_not_supported ? "Not Supported" : "Refused"; };
  f.version = [](char* destination, unsigned room) {
    const int code = answer("version");
    if (code == nvml_success) std::strncpy(destination, now->version.c_str(), room - 1);
    return code;
  };
  f.by_bus_id = [](const char* id, nvml_handle* destination) {
    static int gpu = 0;
    if (id != now->bus_id) return 6;  // NVML_ERROR_NOT_FOUND
    return give("by_bus_id", reinterpret_cast<nvml_handle>(&gpu), destination);
  };
  f.clock = [](nvml_handle, int kind, unsigned* destination) {
    return give("clock", kind == nvml_clock_sm ? now->sm_mhz : now->memory_mhz, destination);
  };
  f.max_clock = [](nvml_handle, int kind, unsigned* destination) {
    return give("max_clock", kind == nvml_clock_sm ? now->max_sm_mhz : now->max_memory_mhz, destination);
  };
  f.temperature = [](nvml_handle, int, unsigned* destination) {
    return give("temperature", now->celsius, destination);
  };
  f.power = [](nvml_handle, unsigned* destination) { return give("power", now->average_mw, destination); };
  f.power_limit = [](nvml_handle, unsigned* destination) {
    return give("power_limit", now->limit_mw, destination);
  };
  f.fields = [](nvml_handle, int, nvml_field_value* field) { return fill(field); };
  f.clock_events = [](nvml_handle, unsigned long long* destination) {
    return give("clock_events", now->events, destination);
  };
  f.energy = [](nvml_handle, unsigned long long* destination) {
    return give("energy", now->energy_mj, destination);
  };
  f.persistence = [](nvml_handle, int* destination) {
    return give("persistence", now->persistence, destination);
  };
  f.mig = [](nvml_handle, unsigned* current, unsigned*) { return give("mig", now->mig, current); };
  f.ecc_errors = [](nvml_handle, int kind, int, unsigned long long* destination) {
    return give("ecc_errors", kind == nvml_ecc_corrected ? now->corrected : now->uncorrected, destination);
  };
  f.processes = [](nvml_handle, unsigned* count, nvml_process* entries) { return list(count, entries); };
  add_links(f);
  add_traffic(f);
  return f;
}

}  // namespace ridge::gpu
