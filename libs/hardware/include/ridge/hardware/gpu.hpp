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

// Which units of a multiprocessor do it: the vector lanes (multiply-adds) or the matrix units.
enum class unit : std::uint8_t { vector, matrix };

// What one kind of unit does with one type. A multiply-add is two operations; sparse: with 2:4 structured
// sparsity, never comparable with measurements of dense code.
struct compute_peak {
  std::string dtype{};  // fp64 fp32 tf32 bf16 fp16 fp8 int8 fp4
  hardware::unit unit{hardware::unit::vector};
  std::optional<double> dense_flop_per_s{}, sparse_flop_per_s{};
  std::optional<double> clock_hz{};        // at which the vendor states the peaks
  std::optional<double> flop_per_clock{};  // of one multiprocessor, dense: the issue limit
  std::string source{};
};

struct link {
  std::string kind{};      // "nvlink", "pcie", "c2c", "xgmi"
  double bytes_per_s = 0;  // of all lanes of it, one direction
  std::string source{};
};

// A GPU as sold. What is absent is unknown.
struct gpu {
  std::string name{};                   // "H200 SXM"
  std::string vendor{};                 // "nvidia", "amd"
  std::vector<std::string> reported{};  // names that its driver gives it: "NVIDIA H200"
  std::string pattern{};                // a glob over such names, where size and cores must decide
  std::string compute_capability{};     // "9.0"
  std::optional<figure> multiprocessors{}, memory_bytes{}, bandwidth_bytes_per_s{}, l2_bytes{};
  std::optional<figure> attribute_bandwidth_bytes_per_s{};  // memory clock x bus width, as the device tells
  std::optional<figure> max_clock_hz{}, power_w{}, shared_bytes_per_clock{};  // the last of a multiprocessor
  std::vector<compute_peak> peaks{};
  std::vector<link> links{};

  [[nodiscard]] const compute_peak* peak(std::string_view dtype, hardware::unit unit) const;  // or null
  [[nodiscard]] const link* link_of(std::string_view kind) const;                             // or null
};

}  // namespace ridge::hardware
