// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

namespace ridge::plan::kernels {

// What the collectives of a profile take.
struct profile_links {
  std::function<double(const exchange&)> seconds{};
  std::string source{};  // "collectives.csv", "hardware.yaml", "the catalogue's 31.5 GB/s of PCIe"
};

// Collectives by the first of these that is there:
// - collectives.csv in the folder (collective, ranks, bytes, time_us), for what was measured; linear between
//   sizes, with the utilisation of the last beyond;
// - hardware.yaml in the folder or up to five above it: defaults/link_bw (GiB/s) and link_latency (ns), and
//   those of collective_links/<all_reduce, all_gather, reduce_scatter>, which describe a ring of so many
//   single messages: 2 (n-1) (latency + bytes / n / bandwidth) for all-reduce, half of it for the others;
// - the catalogue's links of the GPU: fitted curves where its collectives were measured or it has links of
// its
//   own, else PCIe through the host's memory (interconnect.hpp).
// The error names file, line and column, or the key.
[[nodiscard]] result<profile_links> links_of_profile(const std::filesystem::path& folder,
                                                     const accelerator& gpu);

}  // namespace ridge::plan::kernels
