// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "memory/stream_kernels.cuh"

// The loops of streaming kernels over their pieces.
namespace ridge::backends::probe_cuda {

// A block's pieces are first, first + step, ... below `end`, at most `most`.
struct route {
  unsigned pieces, block_step, piece_step, most;
};

// Least blocks per multiprocessor for __launch_bounds__, chosen so that the compiler does not issue fewer
// loads at once to fit more warps.
template <int Threads, int Vectors>
constexpr int resident = std::max(1, (Vectors > 16  ? 256
                                      : Vectors > 8 ? 512
                                                    : 1024) /
                                         Threads);

// Calls body(index of the piece's first vector) for each piece of this block.
template <std::size_t Piece, class Body>
__device__ void for_pieces(const route& way, Body body) {
  unsigned piece = blockIdx.x * way.block_step;
  for (unsigned k = 0; k < way.most && piece < way.pieces; ++k, piece += way.piece_step) body(piece * Piece);
}

// The route of a variant's blocks.
[[nodiscard]] route route_of(const stream_variant& variant, const stream_arrays& arrays, int processors);

// The variants of reading, without bulk copies.
[[nodiscard]] std::span<const stream_variant> read_variants();

}  // namespace ridge::backends::probe_cuda
