// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::backends::probe_cuda {

// Which bytes the kernels of shared memory, L1 and clusters read. A thread's loads of a round are all of
// different places, and the whole moves with the round by a step that is known when the kernel runs and not
// before: no compiler can take a load out of the loop or make one of two.
inline constexpr unsigned on_chip_threads = 1024;  // of a block
inline constexpr unsigned loads_a_round = 32;
inline constexpr unsigned round_step = 512;  // bytes: of one warp's 16 a lane

// Of 16 bytes a thread whose loads are `apart` bytes from each other; rounds begin at up to `most` beyond the
// first, which is round_step times a power of two less 1.
constexpr unsigned load_place(unsigned thread, unsigned load, unsigned apart) {
  return 16 * thread + load * apart;
}
constexpr unsigned round_place(unsigned round, unsigned step, unsigned most) { return (round * step) & most; }

inline constexpr unsigned shared_apart = 512, shared_most = 1536;
inline constexpr unsigned shared_bytes =
    load_place(on_chip_threads, loads_a_round - 1, shared_apart) + shared_most;
inline constexpr unsigned l1_apart = 1536, l1_most = 1536;
inline constexpr unsigned l1_bytes = load_place(on_chip_threads, loads_a_round - 1, l1_apart) + l1_most;

// What word `index` of the shared memory of a cluster's block of that rank holds; outside clusters rank 0.
constexpr unsigned held_word(unsigned rank, unsigned index) {
  return (rank * 40503u + index + 1) * 2654435761u;
}

}  // namespace ridge::backends::probe_cuda
