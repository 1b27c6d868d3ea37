// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::backends::probe_cuda {

// A step x * factor + addend of a chain, whose values converge to addend / (1 - factor); for host and device
// code.
struct fp32_step {
  using value = float;
  static constexpr float factor = 1.0f - 0x1p-10f, addend = 0x1p-11f;
  [[nodiscard]] static constexpr float seed(unsigned index) {
    return 1.0f + static_cast<float>(index) / 37.0f;
  }
};

struct fp64_step {
  using value = double;
  static constexpr double factor = 1.0 - 0x1p-10, addend = 0x1p-11;
  [[nodiscard]] static constexpr double seed(unsigned index) {
    return 1.0 + static_cast<double>(index) / 37.0;
  }
};

}  // namespace ridge::backends::probe_cuda
