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

// Shares of the datasheet limits that kernels of one class reach, and the time of the shortest kernel.
struct efficiency {
  double floor_s = 3e-6;
  double bandwidth_share =
      0.75;                 // of the memory's bandwidth (the link's for collectives), for large transfers
  double flop_share = 0.6;  // of the dense peak, for large work
  // Sizes at which half of flop_share is reached; 0: no dependence on size. Products: m, n, k; attention:
  // query rows and pairs per query; experts: rows per expert.
  double half_rows = 0, half_columns = 0, half_depth = 0;
};

// One entry of the coefficients in the program.
struct efficiency_entry {
  std::string gpu{}, generation{};
  std::string kernel{};  // "product", "prefill_attention", "decode_attention", "latent_prefill", ...
  std::string format{};  // "bf16", "fp8", ...; empty: any
  efficiency curve{};
  std::int64_t rows = 0;                   // measurements it was fitted to
  double median_error = 0, p90_error = 0;  // |predicted / measured - 1| over them
  std::string source{}, date{};
  bool measured_here = false;  // by `ridge plan measure`, on the user's machine
};

// Coefficients of all GPUs. A GPU without its own uses those of its generation, else those of the nearest
// one.
struct efficiency_catalogue {
  std::vector<efficiency_entry> entries{};
  // An entry and how it was found.
  struct match {
    const efficiency_entry* entry = nullptr;  // null: the assumed values of `efficiency`
    enum class distance : std::uint8_t { own, generation, other, assumed } nearness{distance::assumed};
  };
  // Looks up a kernel and format for a GPU; never fails. The result points into the catalogue.
  [[nodiscard]] match find(const accelerator& gpu, std::string_view kernel, std::string_view format) const;
};

// The coefficients in the program (libs/plan/data/efficiency.json).
[[nodiscard]] const efficiency_catalogue& embedded_efficiencies();
// Reads coefficients from JSON called `name`, and writes them. The error names the member by its JSON
// pointer.
[[nodiscard]] result<efficiency_catalogue> parse_efficiencies(std::string_view text, std::string_view name);
[[nodiscard]] std::string efficiencies_json(const efficiency_catalogue& c);

// Whether the GPU that lends its coefficients is of the same vendor: between vendors nothing was measured
// that tells how far they hold.
[[nodiscard]] bool kernels_of_vendor(const accelerator& gpu, std::string_view lender);

// Kernel times from the datasheet and these coefficients, in seconds: max(FLOP / (peak · share), bytes /
// (bandwidth · share)) + floor. The catalogue must outlive the result.
[[nodiscard]] std::shared_ptr<const kernel_times> analytic_times(
    const accelerator& gpu, const efficiency_catalogue& efficiencies = embedded_efficiencies());

}  // namespace ridge::plan::kernels
