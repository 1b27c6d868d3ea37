// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// How others measure what `ridge peak` does, written anew after their descriptions: CUB's sum, loops in the
// manner of BabelStream, the driver's copy and fill, and a chase of pointers in the manner of gpu-benches.
namespace peers {

// Bytes a second over arrays of so many bytes: the median of nine timings between events, each of some
// milliseconds.
double cub_sum(std::size_t bytes);
double stream_copy(std::size_t bytes);
double stream_triad(std::size_t bytes);
double stream_dot(std::size_t bytes);
double driver_copy(std::size_t bytes);
double driver_fill(std::size_t bytes);

// The same of an array in the L2: 20000 blocks, each reading 512 KiB of it, several the same at a time where
// it has fewer such pieces than fit at once.
double pieces_of_the_cache(std::size_t bytes);

// Seconds a step of one thread through a random cycle over lines of 128 bytes, `p = *p` unrolled 32 times;
// after a lap where it fits the L2.
double chase(std::size_t bytes);

}  // namespace peers
