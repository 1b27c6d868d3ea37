// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace ridge::host {

using isa_set = std::set<std::string, std::less<>>;

// Returns the instruction sets that this CPU has and whose registers this kernel saves, read once. The names
// are those of /proc/cpuinfo: sse2 sse4_2 avx avx2 fma f16c avx_vnni avx512f avx512bw avx512dq avx512vl
// avx512_vnni avx512_bf16 avx512_fp16 amx_tile amx_bf16 amx_int8; on AArch64 neon, fp16, dotprod, bf16, i8mm,
// sve, sve2.
[[nodiscard]] const isa_set& isa_names();

// Returns whether the CPU and the operating system support an instruction set of this name.
[[nodiscard]] bool has_isa(std::string_view name);

// Return the widest of avx512f, avx2 (with fma) and sse2, or of sve and neon; else "scalar".
[[nodiscard]] std::string_view widest_vector_isa();
[[nodiscard]] std::string_view widest_vector_isa(const isa_set& names);

// Requests the permission that a process needs to use AMX tiles (Linux arch_prctl, ARCH_REQ_XCOMP_PERM).
// Returns whether it was given; false on a machine without AMX. The permission makes the saved state of a
// thread 8 KiB larger, so request it only when AMX is used.
[[nodiscard]] bool request_amx();

}  // namespace ridge::host
