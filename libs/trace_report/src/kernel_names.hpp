// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::trace_report {

// Returns names of kernels for a column of so many terminal columns, in the order given. Parameters, "void"
// and template arguments are left out, but where names would then be alike, the arguments that tell them
// apart stay: "cutlass::Kernel<..s16816gemm_bf16_256x128..>". Equal names stay equal; different ones differ,
// if by nothing else, by a number ("#2").
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t columns);

}  // namespace ridge::trace_report
