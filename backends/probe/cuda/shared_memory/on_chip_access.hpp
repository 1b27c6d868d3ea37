// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::backends::probe_cuda {

// The bytes that the kernels for shared memory, L1 and clusters read. The loads of a thread in one round all
// have different addresses, which move with the round by a step that is an argument of the kernel. The
// compiler can therefore neither move a load out of the loop nor merge two loads.
inline constexpr unsigned on_chip_threads = 1024;  // per block
inline constexpr unsigned loads_per_round = 32;
inline constexpr unsigned round_step = 512;  // in bytes: one warp's loads of 16 bytes per lane

// The offset of a thread's load of 16 bytes within a round, where successive loads are `apart` bytes from
// each other, and the offset of a round, at most `most`, which is round_step times (a power of two minus 1).
constexpr unsigned load_place(unsigned thread, unsigned load, unsigned apart) {
  return 16 * thread + load * apart;
}
constexpr unsigned round_place(unsigned round, unsigned step, unsigned most) { return (round * step) & most; }

inline constexpr unsigned shared_apart = 512, shared_most = 1536;
inline constexpr unsigned shared_bytes =
    load_place(on_chip_threads, loads_per_round - 1, shared_apart) + shared_most;
inline constexpr unsigned l1_apart = 1536, l1_most = 1536;
inline constexpr unsigned l1_bytes = load_place(on_chip_threads, loads_per_round - 1, l1_apart) + l1_most;

// The content of word `index` of the shared memory of a block with that rank in its cluster; outside clusters
// the rank is 0.
constexpr unsigned held_word(unsigned rank, unsigned index) {
  return (rank * 40503u + index + 1) * 2654435761u;
}

}  // namespace ridge::backends::probe_cuda
