// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

#include "measured_curve.hpp"

namespace ridge::plan::kernels {

// The tables of one GPU and engine: curves over measured sizes, by the properties that identify a kernel.
struct product_table {
  std::vector<double> columns{}, depths{};                         // measured n and k
  std::map<std::pair<double, double>, measured_curve> by_shape{};  // (n, k): over m
};
struct attention_key {
  double heads = 0, kv_heads = 0, head_dim = 0;
  auto operator<=>(const attention_key&) const = default;
};
struct expert_key {
  double hidden = 0, intermediate = 0, top_k = 0, experts = 0, tensor = 0, expert = 0;
  auto operator<=>(const expert_key&) const = default;
};

struct measured_tables {
  std::string engine{};
  std::map<std::string, product_table> products{};                                       // by format
  std::map<std::string, std::map<attention_key, measured_surface>> prefill{}, decode{};  // by cache format
  std::map<std::string, std::map<double, measured_surface>> latent_prefill{},
      latent_decode{};                                                    // then by heads
  std::map<std::string, std::map<expert_key, measured_curve>> experts{};  // by format
  std::map<int, measured_curve> all_reduce{};                             // by ranks, over bytes
  std::map<std::string, std::map<int, measured_curve>> collectives{};     // NCCL: by operation, then ranks
  std::vector<std::string> files{};
};

// Reads all tables of an engine in the folder of a GPU; `engine` "vllm", "trtllm" or "nccl". Files are named
// <engine>_<version>_<kernel>_perf.csv.gz; of several versions the last by name is used.
[[nodiscard]] result<measured_tables> read_tables(const std::filesystem::path& folder,
                                                  const std::string& engine);

}  // namespace ridge::plan::kernels
