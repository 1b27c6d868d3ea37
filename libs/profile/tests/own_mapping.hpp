// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/profile/cpu_sampler.hpp>

// Functions of this program that symbols are looked up for.
extern "C" {
[[gnu::noinline]] inline int ridge_marked_inner(int x) { return x * 3 + 1; }
[[gnu::noinline]] inline int ridge_marked_outer(int x) { return ridge_marked_inner(x) + 2; }
}

namespace ridge::profile {

inline constexpr auto marked_inner = ridge_marked_inner;
inline constexpr auto marked_outer = ridge_marked_outer;

inline std::uint64_t address_of(int (*function)(int)) { return reinterpret_cast<std::uint64_t>(function); }

// Where this program's code stands, as if a process with that number had it.
[[nodiscard]] mapping_made own_mapping(pid_t process);

}  // namespace ridge::profile
