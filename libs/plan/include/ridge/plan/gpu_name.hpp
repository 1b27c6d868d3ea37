// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::plan {

// The GPU of the catalogue that people and drivers mean by this name, in any case and with any separators:
// "h100_sxm", "RTX4090", "NVIDIA A100-SXM4-80GB". Where only the form is open ("A100": SXM or PCIe, 40 or
// 80 GB), the catalogue's first of that family. Every part of the name must be one of the GPU's ("H100 NVL"
// is no H100 SXM). The error lists the nearest names.
[[nodiscard]] result<const hardware::gpu*> gpu_called(const hardware::catalogue& in, std::string_view name);

// "ampere" "ada" "hopper" "blackwell" "turing" "volta" "cdna3" "cdna4"; empty: not known.
[[nodiscard]] std::string_view generation_of(const hardware::gpu& g);

}  // namespace ridge::plan
