// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Atomic additions (of one; of a pair of ones for f16x2 and bf16x2) and compare-and-swap.
enum class atomic_op : std::uint8_t { u32, u64, f32, f64, f16x2, bf16x2, cas };
inline constexpr std::array atomic_ops{atomic_op::u32,   atomic_op::u64,    atomic_op::f32, atomic_op::f64,
                                       atomic_op::f16x2, atomic_op::bf16x2, atomic_op::cas};
// The operation's name in ids: "u32", "bf16x2", "cas".
[[nodiscard]] std::string_view name(atomic_op op);

// The words that threads access: a thread's access number `access` is to word (thread * multiplier + access *
// step) & mask of the target.
struct address_pattern {
  std::string_view name;
  unsigned multiplier, step, mask;
};
inline constexpr std::array address_patterns{
    address_pattern{"1 M addresses", 1, 270336, (1u << 20) - 1},
    address_pattern{"private addresses", 1, 0, (1u << 20) - 1},
    address_pattern{"1 M addresses, scattered", 2654435761u, 40503, (1u << 20) - 1},
    address_pattern{"1 K addresses", 1, 32, (1u << 10) - 1},
    address_pattern{"same line", 1, 0, 15},
    address_pattern{"same address", 0, 0, 0},
};
inline constexpr std::size_t target_bytes = std::size_t{8} << 20;

// Each function enqueues a kernel and returns its number of atomic operations. `target` is target_bytes of
// device memory. With `returning` the old values are requested (atom), otherwise not (red); cas always
// requests them.
double update_atomically(const kernel_call& call, atomic_op op, void* target, const address_pattern& pattern,
                         bool returning);
// One thread, whose operations each depend on the result of the previous one.
double update_one_after_another(const kernel_call& call, void* target);
// Additions of u32 in shared memory: all threads to one word where `same`, else each lane to its own bank.
double update_shared(const kernel_call& call, bool same);

}  // namespace ridge::backends::probe_cuda
