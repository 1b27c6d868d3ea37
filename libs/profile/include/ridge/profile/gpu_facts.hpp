// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ridge::profile {

// What the collectors of all processes record about the GPUs and about themselves.
struct gpu_facts {
  std::map<int, std::string> devices{};  // by number: a JSON object, as in Kineto's deviceProperties
  int driver_version = 0;                // 13000 for 13.0; 0: not recorded
  int runtime_version = 0;
  std::uint64_t processes = 0;     // number of processes in which a collector ran
  std::uint64_t records_lost = 0;  // records lost by CUPTI or by the collector
  std::vector<std::string> failures{};
};

// Reads the collectors' files of facts; lines that cannot be read are skipped.
[[nodiscard]] gpu_facts read_gpu_facts(const std::vector<std::string>& files);

}  // namespace ridge::profile
