// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::plan {

// What planning asks of a GPU of the catalogue, in plain numbers; every peak is dense.
struct accelerator {
  std::string name{};  // "H100 SXM"
  std::string
      generation{};  // "ampere" "ada" "hopper" "blackwell" "turing" "cdna3" "cdna4": who shares efficiencies
  struct peak {
    std::string dtype{};
    double flop_per_s = 0;  // dense, matrix units
  };
  std::vector<peak> peaks{};
  double bandwidth_bytes_per_s = 0;
  double memory_bytes = 0;
  double power_w = 0;               // 0: unknown
  double scale_up_bytes_per_s = 0;  // NVLink or xGMI, one direction, all links; PCIe where there is none
  double host_bytes_per_s = 0;      // PCIe or C2C, one direction; 0: unknown
  int scale_up_size = 8;  // GPUs that reach each other by it: 72 of a GB200 rack, 1 without such links
  std::string source{};   // "H100 SXM: accelerators (2026-08-22)"

  // Dense peak of products in this type; a type that the matrix units lack runs in the next wider that they
  // have (fp8 on A100: bf16). 0: nothing known.
  [[nodiscard]] double peak_flop_per_s(std::string_view compute_type) const;
};

// "H100", "h100 sxm", "NVIDIA H100 80GB HBM3", "H100_SXM" -> H100 SXM. The error lists the nearest names, or
// what figure the catalogue lacks (a GPU without memory or bandwidth cannot be planned with).
[[nodiscard]] result<accelerator> accelerator_named(const hardware::catalogue& in, std::string_view name);

}  // namespace ridge::plan
