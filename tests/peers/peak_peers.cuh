// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// How others measure what `ridge peak` measures, rewritten from their descriptions: CUB's sum, loops as in
// BabelStream, the driver's copy and fill, and a pointer chase as in gpu-benches.
namespace peers {

// Return bytes per second over arrays of so many bytes: the median of nine timings between events, each of
// some milliseconds.
double cub_sum(std::size_t bytes);
double stream_copy(std::size_t bytes);
double stream_triad(std::size_t bytes);
double stream_dot(std::size_t bytes);
double driver_copy(std::size_t bytes);
double driver_fill(std::size_t bytes);

// The same for an array in the L2: 20000 blocks each read 512 KiB of it; where it has fewer such pieces than
// blocks run at once, several read the same piece.
double pieces_of_the_cache(std::size_t bytes);

// Returns the seconds per step of one thread through a random cycle over lines of 128 bytes, `p = *p`
// unrolled 32 times; after a lap where it fits the L2.
double chase(std::size_t bytes);

}  // namespace peers
