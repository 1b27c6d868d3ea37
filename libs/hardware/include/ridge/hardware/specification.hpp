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
  double clock_hz = 0;   // at which it is stated; 0: not known or not meant
  bool operator==(const specification&) const = default;
};

// The limit of a row by its id, if there is any: "cuda.read", "cuda.copy", "cuda.triad" (DRAM),
// "cuda.h2d.pinned", "cuda.bidirectional", "cuda.p2p.read" (links), "cuda.fma.fp32" (vector lanes),
// "cuda.mma.bf16", "cuda.mma.bf16.sparse" (matrix units), "cuda.shared.read", "cuda.clock". What follows is a
// variant of the same: "cuda.mma.bf16.zeros".
[[nodiscard]] std::optional<specification> specified(const gpu& gpu, std::string_view ceiling);

// How much of a processor a row was measured on.
struct processor_use {
  int cores = 1;
  int sockets = 1;
  double clock_hz = 0;  // measured beside it; 0: not known
};

// "cpu.read", "cpu.write", "cpu.copy", "cpu.triad" (DRAM of the sockets used); "cpu.fma.fp32" (the fastest
// instruction set), "cpu.fma.fp32.avx2" (that one) at the clock in `use`.
[[nodiscard]] std::optional<specification> specified(const processor& processor, std::string_view ceiling,
                                                     const processor_use& use);

}  // namespace ridge::hardware
