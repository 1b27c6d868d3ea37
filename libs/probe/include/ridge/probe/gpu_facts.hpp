// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge::probe {

enum class nvlink_end : std::uint8_t { unknown, gpu, nvswitch };

// One NVLink that is up.
struct nvlink {
  int index = 0;
  int generation = 0;                    // 0: not told
  double bytes_per_s = 0;                // in one direction, protocol included; 0: not told
  nvlink_end end = nvlink_end::unknown;  // what the other end is
  std::string address{};                 // of the other end, "0000:1b:00.0"; empty: not told
  bool operator==(const nvlink&) const = default;
};

// A PCIe link as the driver tells it, for machines whose sysfs does not. 0: not told.
struct gpu_bus {
  int generation = 0, width = 0;
  int max_generation = 0, max_width = 0;
};

// The properties of a model of GPU, equal for all GPUs of that model in one machine.
struct gpu_capability {
  int major = 0, minor = 0;  // compute capability
  int processors = 0;        // SMs
  double memory_bytes = 0;
  double sm_clock_hz = 0;      // at most
  double memory_clock_hz = 0;  // at most; two transfers each
  int memory_bus_bits = 0;
  double l2_bytes = 0;
  double persisting_l2_bytes = 0;
  double shared_per_processor_bytes = 0;
  double shared_per_block_bytes = 0;
  double shared_per_block_at_most_bytes = 0;  // by opt-in
  int registers_per_processor = 0;
  int registers_per_block = 0;
  int threads_per_processor = 0;
  int threads_per_block = 0;
  int blocks_per_processor = 0;
  int copy_engines = 0;
  bool cooperative_launch = false;
  bool clusters = false;
  bool memory_pools = false;
  bool managed_memory = false;  // that both sides may use at once
  bool unified_addressing = false;
  bool pageable_access = false;  // malloc'ed memory by its address
  bool host_page_tables = false;
  bool gpudirect_rdma = false;
  bool integrated = false;  // shares the host's memory
  bool operator==(const gpu_capability&) const = default;
};

struct gpu_facts {
  int index = 0;  // in the CUDA runtime of this process
  std::string name{};
  std::string address{};    // on the PCI bus, "0000:1b:00.0"
  std::string uuid_hash{};  // of its UUID, 16 hexadecimal digits: tells GPUs apart without naming them
  gpu_capability capability{};
  gpu_bus bus{};
  std::string compute_mode{};  // default, prohibited, exclusive process
  bool ecc = false;
  std::optional<int> host_node{};     // nearest NUMA node of the host
  std::optional<bool> persistence{};  // none: NVML does not tell
  std::optional<bool> mig{};
  std::string video_bios{};
  std::vector<nvlink> links{};
  std::vector<int> peers{};  // indices of the GPUs whose memory it may use
};

struct gpu_survey {
  std::string driver{};   // newest CUDA that the driver can do: "13.0"
  std::string runtime{};  // CUDA runtime of this program: "13.0"
  std::vector<gpu_facts> gpus{};
};

}  // namespace ridge::probe
