// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::hardware {

// A specified number with the id of its source in the catalogue.
struct figure {
  double value = 0;
  std::string source{};
};

// The units of a multiprocessor: vector lanes (multiply-adds) or matrix units.
enum class unit : std::uint8_t { vector, matrix };

// The peak of one kind of unit with one type. A multiply-add counts two operations. Sparse peaks assume 2:4
// structured sparsity and must not be compared with measurements of dense code.
struct compute_peak {
  std::string dtype{};  // fp64 fp32 tf32 bf16 fp16 fp8 int8 fp4
  hardware::unit unit{hardware::unit::vector};
  std::optional<double> dense_flop_per_s{}, sparse_flop_per_s{};
  std::optional<double> clock_hz{};        // clock at which the vendor states the peaks
  std::optional<double> flop_per_clock{};  // per multiprocessor, dense: the issue limit
  std::string source{};
};

// A link to other GPUs or to the host.
struct link {
  std::string kind{};      // "nvlink", "pcie", "c2c", "xgmi"
  double bytes_per_s = 0;  // all lanes together, one direction
  std::string source{};
};

// The specification of a GPU. Absent figures are unknown.
struct gpu {
  std::string name{};                   // "H200 SXM"
  std::string vendor{};                 // "nvidia", "amd"
  std::vector<std::string> reported{};  // names that the driver reports: "NVIDIA H200"
  std::string pattern{};                // a glob over such names, when memory size and cores decide
  std::string compute_capability{};     // "9.0"
  std::string architecture{};           // "gfx942", where kernels are named for it and no capability tells it
  std::optional<figure> multiprocessors{}, memory_bytes{}, bandwidth_bytes_per_s{}, l2_bytes{};
  std::optional<figure>
      attribute_bandwidth_bytes_per_s{};  // memory clock x bus width as the device reports them
  std::optional<figure> max_clock_hz{}, power_w{},
      shared_bytes_per_clock{};  // the last one per multiprocessor
  std::vector<compute_peak> peaks{};
  std::vector<link> links{};

  // The peak of a type on a kind of unit, and the link of a kind; null when unknown.
  [[nodiscard]] const compute_peak* peak(std::string_view dtype, hardware::unit unit) const;
  [[nodiscard]] const link* link_of(std::string_view kind) const;
};

}  // namespace ridge::hardware
