// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ridge/hardware/gpu.hpp>
#include <ridge/hardware/processor.hpp>

namespace ridge::hardware {

// The specified limit of a ceiling.
struct specification {
  double value = 0;
  std::string unit{};    // "FLOP/s", "B/s", "Hz"
  std::string source{};  // an id of the catalogue
  double clock_hz = 0;   // clock at which it is stated; 0: not known or not applicable
  bool operator==(const specification&) const = default;
};

// The specified limit of a measured ceiling by its id; empty when there is none. Ids: "cuda.read",
// "cuda.copy", "cuda.triad" (DRAM), "cuda.h2d.pinned", "cuda.bidirectional", "cuda.p2p.read" (links),
// "cuda.fma.fp32" (vector lanes), "cuda.mma.bf16", "cuda.mma.bf16.sparse" (matrix units), "cuda.shared.read",
// "cuda.clock". A further part names a variant of the same ceiling: "cuda.mma.bf16.zeros".
[[nodiscard]] std::optional<specification> specified(const gpu& gpu, std::string_view ceiling);

// The part of a processor on which a ceiling was measured.
struct processor_use {
  int cores = 1;
  int sockets = 1;
  double clock_hz = 0;  // measured at the same time; 0: not known
};

// The same for a processor: "cpu.read", "cpu.write", "cpu.copy", "cpu.triad" (DRAM of the sockets used);
// "cpu.fma.fp32" (the fastest instruction set), "cpu.fma.fp32.avx2" (that one) at the clock in `use`.
[[nodiscard]] std::optional<specification> specified(const processor& processor, std::string_view ceiling,
                                                     const processor_use& use);

}  // namespace ridge::hardware
