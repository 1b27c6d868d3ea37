// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ridge::hardware {

// Operations per clock of one core with one instruction set; a multiply-add counts two.
struct core_rate {
  std::string isa{};    // "scalar", "avx2", "avx512", "avx512_vnni", "amx_bf16", "neon", ...
  std::string dtype{};  // as for GPUs
  double flop_per_clock = 0;
  std::string source{};
};

// The memory of one socket, fully populated.
struct memory_channels {
  int channels = 0;
  double transfers_per_s = 0;
  double bytes_per_transfer = 8;
  std::optional<double> bandwidth_bytes_per_s{};  // when the vendor states only the product
  std::string source{};
  // Bandwidth of all channels of one socket in B/s; empty when it is not known.
  [[nodiscard]] std::optional<double> bytes_per_s() const;
};

// The family and model numbers of CPUID.
struct processor_identity {
  int family = 0;
  int model = 0;
  bool operator==(const processor_identity&) const = default;
};

// A generation of processors.
struct processor {
  std::string name{};                 // "EPYC Turin"
  std::string vendor{};               // as CPUID gives it: "AuthenticAMD", "GenuineIntel"; "ARM"
  std::vector<std::string> models{};  // globs over model names
  std::vector<processor_identity> identities{};
  memory_channels memory{};
  std::vector<core_rate> rates{};
};

}  // namespace ridge::hardware
