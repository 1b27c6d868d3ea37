// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_table_lookup {

// Codes of a row, each of which names an entry of the table.
inline constexpr std::size_t codes_of_row = 16;

// sum[i] = table[code[i]] + table[code[rows + i]] + ... + table[code[15 * rows + i]], added in this order:
// how the distance to a compressed vector is computed. Code j of row i is at j * rows + i.
struct workload {
  input<float> table{};
  input<std::uint8_t> code{};
  output<float> sum{};
};

// The ladders for tables of 16 entries, which registers hold, and of 256.
[[gnu::weak]] ladder<workload> small_cuda();
[[gnu::weak]] ladder<workload> large_cuda();
// Each enqueues the sums on `queue`, four rows a thread, with the table in global memory; read by the
// read-only path; in constant memory, copied there by the call; in shared memory; in shared memory, a copy
// for each lane; in the registers of a warp's lanes (small tables alone).
void launch_global(const workload& w, stream queue);
void launch_read_only(const workload& w, stream queue);
void launch_constant(const workload& w, stream queue);
void launch_shared(const workload& w, stream queue);
void launch_shared_copies(const workload& w, stream queue);
void launch_registers(const workload& w, stream queue);

}  // namespace ridge::experiments::ch07_table_lookup
