// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ridge::backends::probe_host {

enum class number : std::uint8_t { fp32, fp64, fp16, bf16, int8, int16 };
// multiply_add: in every accumulator x <- f x + d, then x <- g x + e, and both again.
// multiply_and_add: x <- m x + d in eight accumulators, three times; y <- d - y in six, four times.
// dot: x <- x + a . b, then x <- x + c . d, and both again, on pairs or fours of narrow numbers.
// tiles: C <- C + A B on four 16 x 16 tiles, from two tiles of A and two of B.
enum class operation : std::uint8_t { multiply_add, multiply_and_add, dot, tiles };

// All data of a kernel. For vectors there are sixteen, one after the other, each as wide as the registers of
// the kernel: accumulators 0 to 11 (0 to 13 for multiply_and_add), then operands. For tiles there are eight:
// C, A and B.
struct alignas(64) operands {
  std::array<std::byte, 8192> bytes{};
};
inline constexpr std::size_t tile_bytes = 1024;

// A loop on registers that does not access memory.
struct arithmetic_kernel {
  number type;
  operation op;
  std::string_view isa;                          // names the row: scalar, sse2, avx2, avx512, amx
  std::array<std::string_view, 2> requires_isa;  // an empty one requires nothing
  int vector_bytes;                              // bytes of one register; 1024 for a tile
  int instructions;                              // computing instructions of a round
  double operations;                             // operations of a round; a multiply-add counts as two
  void (*run)(operands& operands, std::int64_t rounds);
};

// Returns the kernels that are compiled in, the narrowest first for each type. A kernel whose requires_isa
// the CPU lacks must not be run, nor tiles without host::request_amx().
[[nodiscard]] std::span<const arithmetic_kernel> arithmetic_kernels();

void run_bf16_tiles(operands& operands, std::int64_t rounds);
void run_int8_tiles(operands& operands, std::int64_t rounds);

}  // namespace ridge::backends::probe_host
