// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

namespace ridge::plan::kernels {

// How much of the datasheet kernels of one class reach, and what the shortest costs.
struct efficiency {
  double floor_s = 3e-6;
  double bandwidth_share = 0.75;  // of memory's (of the link's, for collectives) by large transfers
  double flop_share = 0.6;        // of the dense peak by large work
  // Sizes at which half of flop_share is reached. Products: m, n, k; attention: query rows, pairs a query;
  // experts: rows of one expert. 0: at any size.
  double half_rows = 0, half_columns = 0, half_depth = 0;
};

// One entry of the shipped coefficients.
struct efficiency_entry {
  std::string gpu{}, generation{};
  std::string kernel{};  // "product", "prefill_attention", "decode_attention", "latent_prefill", ...
  std::string format{};  // "bf16", "fp8", ...; empty: any
  efficiency curve{};
  std::int64_t rows = 0;                   // measurements behind it
  double median_error = 0, p90_error = 0;  // |predicted / measured - 1| over them
  std::string source{}, date{};
};

// Coefficients of all GPUs; a GPU without its own takes those of its generation, else of the nearest one.
struct efficiency_catalogue {
  std::vector<efficiency_entry> entries{};
  // Never fails: with nothing in reach the assumed curve above. `borrowed` tells how far it looked.
  struct match {
    const efficiency_entry* entry = nullptr;  // null: assumed
    enum class distance : std::uint8_t { own, generation, other, assumed } from{distance::assumed};
  };
  [[nodiscard]] match find(const accelerator& gpu, std::string_view kernel, std::string_view format) const;
};

// Those inside the program (libs/plan/data/efficiency.json).
[[nodiscard]] const efficiency_catalogue& embedded_efficiencies();
// The error names the member as a JSON pointer.
[[nodiscard]] result<efficiency_catalogue> parse_efficiencies(std::string_view text, std::string_view name);
[[nodiscard]] std::string efficiencies_json(const efficiency_catalogue& c);

// Kernel times from the datasheet and these coefficients: max(FLOP / (peak · share), bytes / (bandwidth ·
// share)) + floor. The catalogue must outlive it.
[[nodiscard]] std::shared_ptr<const kernel_times> analytic_times(
    const accelerator& gpu, const efficiency_catalogue& with = embedded_efficiencies());

}  // namespace ridge::plan::kernels
