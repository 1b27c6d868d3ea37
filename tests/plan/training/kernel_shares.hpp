// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include <ridge/plan/accelerator.hpp>

namespace ridge::plan::train {

// Shares of the dense peaks of a GPU that measured kernels reach: medians over the tables in kernels/ of the
// folder of data (vLLM 0.24, aiconfigurator).
struct kernel_shares {
  double bf16 = 0;       // products with sides of at least 1024
  double fp8 = 0;        // the same
  double attention = 0;  // causal prefill from 4096 tokens, head dimension 128
  int products = 0, attentions = 0;
};

[[nodiscard]] std::optional<kernel_shares> read_kernel_shares(const std::filesystem::path& data,
                                                              std::string_view folder,
                                                              const accelerator& gpu);

// The side of a cube that reaches half of the share of large products in a format: the sum of the three half
// sizes of the measured products of this GPU, or of the nearest, in efficiency.json.
[[nodiscard]] double measured_half_size(std::string_view gpu, std::string_view format);
// Seconds of the shortest of them.
[[nodiscard]] double measured_floor_s(std::string_view gpu, std::string_view format);

}  // namespace ridge::plan::train
