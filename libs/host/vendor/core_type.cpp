// SPDX-License-Identifier: Apache-2.0
#include "core_type.hpp"

namespace ridge::vendor {

std::string openblas_core_type(const host::isa_set& names, std::string_view cpu_vendor) {
  const auto has = [&](const char* name) { return names.contains(name); };
  if (has("avx512f") && has("avx512dq") && has("avx512bw") && has("avx512vl")) {
    // Builds of distributions lack the core type of Sapphire Rapids, whose sgemm is that of SkylakeX.
    return has("avx512_bf16") ? "Cooperlake" : "SkylakeX";
  }
  if (has("avx2") && has("fma")) return cpu_vendor == "AuthenticAMD" ? "Zen" : "Haswell";
  return {};
}

}  // namespace ridge::vendor
