// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::plan {

// The figures of one GPU of the hardware catalogue that planning needs, in plain numbers. All peaks are
// dense.
struct accelerator {
  std::string name{};        // "H100 SXM"
  std::string generation{};  // "ampere" "ada" "hopper" "blackwell" "turing" "cdna3" "cdna4" "tpu"; GPUs of
                             // one generation share efficiencies
  std::string vendor{};      // "nvidia", "amd", "google"; empty: not known
  struct peak {
    std::string dtype{};
    double flop_per_s = 0;  // dense, matrix units
  };
  std::vector<peak> peaks{};
  double bandwidth_bytes_per_s = 0;
  double memory_bytes = 0;
  double power_w = 0;               // 0: unknown
  int multiprocessors = 0;          // 0: unknown
  double scale_up_bytes_per_s = 0;  // NVLink or xGMI, one direction, all links together; PCIe without them
  double host_bytes_per_s = 0;      // PCIe or C2C, one direction; 0: unknown
  int scale_up_size = 8;            // GPUs that these links connect: 72 in a GB200 rack, 1 without such links
  std::string source{};             // "H100 SXM: accelerators (2026-08-22)"

  // Dense peak of matrix products in this type, in FLOP/s. A type that the matrix units lack runs in the next
  // wider type that they have (fp8 on A100: bf16). 0 when no such peak is known.
  [[nodiscard]] double peak_flop_per_s(std::string_view compute_type) const;
  // Whether measured kernels can stand for its own: not on a TPU, which runs other programs.
  [[nodiscard]] bool can_be_timed() const { return generation != "tpu" && peak_flop_per_s("bf16") > 0; }
};

// Finds a GPU by any usual spelling: "H100", "h100 sxm", "NVIDIA H100 80GB HBM3" and "H100_SXM" all give H100
// SXM. The error lists the nearest names, or names the figure that the catalogue lacks: planning needs the
// size and the bandwidth of the memory.
[[nodiscard]] result<accelerator> accelerator_named(const hardware::catalogue& catalogue,
                                                    std::string_view name);

}  // namespace ridge::plan
