// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge::probe {

// The state of a GPU as its driver tells it now, as plain data. A value is absent where the driver does not
// tell it.

// What keeps the clock below its maximum.
struct clock_holds {
  bool idle = false;
  bool set_by_user = false;
  bool power_cap = false;
  bool hardware_slowdown = false;  // for heat, for the power brake, or for a moment while clocks change
  bool thermal = false;
  bool power_brake = false;
  bool sync_boost = false;
};

struct row_remapping {
  unsigned corrected = 0, uncorrected = 0;
  bool pending = false;  // takes effect at the next reset
  bool failed = false;
};

struct nvlinks {
  int present = 0;
  int active = 0;
  std::uint64_t errors = 0;  // replays, recoveries and checksum errors of all links, since the driver started
};

// The link of the GPU to the host, at its own end: generations 1 to 6 and lanes.
struct gpu_link {
  int generation = 0, most_generation = 0;
  int width = 0, most_width = 0;
  bool under_load = false;  // read while copies were running: an idle link may rest at a low generation
};

enum class compute_mode : std::uint8_t { shared, prohibited, exclusive_process };
enum class gpu_virtualization : std::uint8_t { none, passthrough, vgpu, host };

struct gpu_condition {
  int index = 0;  // as CUDA numbers it
  std::string name{};
  std::string bus_id{};  // "0000:1b:00.0"
  int capability = 0;    // 90 for 9.0

  std::optional<int> performance_state{};  // 0 the fastest
  std::optional<unsigned> sm_mhz{}, most_sm_mhz{}, application_sm_mhz{}, default_application_sm_mhz{};
  std::optional<unsigned> memory_mhz{}, most_memory_mhz{};
  bool clocks_under_load = false;
  std::optional<clock_holds> holds{};
  std::optional<double> power_violation_s{},
      thermal_violation_s{};  // seconds that the clock was held down, since the driver started
  std::optional<double> power_limit_w{}, default_power_limit_w{}, most_power_limit_w{};
  std::optional<int> temperature_c{}, slowdown_temperature_c{}, memory_temperature_c{};

  std::optional<bool> persistence{}, display{}, mig{};
  std::optional<probe::compute_mode> compute_mode{};
  std::optional<gpu_virtualization> virtualization{};
  std::optional<std::size_t> other_processes{};
  std::optional<int> busy_percent{};

  std::optional<bool> ecc{}, ecc_after_reboot{};
  std::optional<std::uint64_t> ecc_corrected{}, ecc_uncorrected{};  // since the driver started
  std::optional<row_remapping> rows{};
  std::optional<unsigned> retired_pages{};
  std::optional<bool> retirement_pending{};

  std::optional<gpu_link> link{};
  std::optional<std::uint64_t> link_replays{};
  std::optional<probe::nvlinks> nvlinks{};
  std::optional<std::uint64_t> window_bytes{};  // BAR1: bytes of its memory that the bus can address at once
  std::optional<std::uint64_t> memory_bytes{};
};

// Whether one GPU can read the memory of another directly; both are indices.
struct gpu_peers {
  int reader = 0, owner = 0;
  bool access = false;
};

// All GPUs, and what they share.
struct gpu_conditions {
  int driver_cuda = 0;   // the newest CUDA the driver runs: 13000 for 13.0
  int runtime_cuda = 0;  // what this program was built with
  std::vector<gpu_condition> gpus{};
  std::vector<gpu_peers> peers{};
  std::optional<bool> confidential{};
  std::string unreadable{};  // why nothing could be read; empty when it could
};

}  // namespace ridge::probe
