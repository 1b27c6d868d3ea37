// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Other ways of measuring the rows of `ridge peak`, written anew after their descriptions: CUB's sum, loops
// in the manner of BabelStream, the driver's copy and fill, and a chase of pointers in the manner of
// gpu-benches.
namespace peers {

// Bytes per second over arrays of `bytes` each: the median of nine timings between events, each of some
// milliseconds.
double cub_sum(std::size_t bytes);
double stream_copy(std::size_t bytes);
double stream_triad(std::size_t bytes);
double stream_dot(std::size_t bytes);
double driver_copy(std::size_t bytes);
double driver_fill(std::size_t bytes);

// Bytes per second from an array in the L2: 20000 blocks read 512 KiB of it each; several blocks read the
// same part at once where the array has fewer parts than blocks that run at once.
double pieces_of_the_cache(std::size_t bytes);

// Seconds per step of one thread through a random cycle over lines of 128 bytes, `p = *p` unrolled 32 times;
// after one lap where the cycle fits the L2.
double chase(std::size_t bytes);

}  // namespace peers
