// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::plan {

// Finds the GPU of the catalogue by the name that people or drivers use, in any case and with any separators:
// "h100_sxm", "RTX4090", "NVIDIA A100-SXM4-80GB". A name that leaves the form open ("A100": SXM or PCIe, 40
// or 80 GB) gives the first of its family in the catalogue. Every part of the name must belong to the GPU
// ("H100 NVL" is not H100 SXM). The error lists the nearest names. The result points into the catalogue.
[[nodiscard]] result<const hardware::gpu*> gpu_called(const hardware::catalogue& catalogue,
                                                      std::string_view name);

// Architecture generation: "ampere", "ada", "hopper", "blackwell", "turing", "volta", "cdna3", "cdna4" or
// "tpu"; empty when it is not known.
[[nodiscard]] std::string_view generation_of(const hardware::gpu& g);

}  // namespace ridge::plan
