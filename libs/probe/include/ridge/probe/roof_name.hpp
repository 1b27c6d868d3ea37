// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ridge/model/roofline.hpp>

namespace ridge::probe {

// The roof that a ceiling's id names.
struct roof_name {
  model::roof_kind kind{model::roof_kind::bandwidth};
  std::string level{}, access{};  // "DRAM", "read"
  std::string dtype{}, units{};   // "bf16", "matrix"
};

// Returns the roof that a ceiling's id names. Ids are read by prefix, so that new rows appear: "cuda.read" is
// DRAM, "cuda.l2.read" L2, "cpu.copy.l1" L1, "cuda.copy.h2d" the host's link, "cuda.mma.bf16" matrix units,
// "cpu.fma.fp32" vector lanes. Returns nothing for rows of one instruction set ("cpu.fma.fp32.avx2") and for
// ceilings that are no roof.
[[nodiscard]] std::optional<roof_name> roof_of(std::string_view ceiling);

// Returns the level's place in the order from the fastest level outwards: shared, L1, L2, L3, DRAM, host.
// Unknown levels come last.
[[nodiscard]] int rank_of_level(std::string_view level);

}  // namespace ridge::probe
