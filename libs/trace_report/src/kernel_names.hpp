// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::trace_report {

// Returns names of kernels, operators or frames for a column of so many terminal columns, in the order given.
// Frames are as frame_name() tells. Of others parameters, "void"
// and template arguments are left out, but where names would then be alike, the arguments that tell them
// apart stay: "cutlass::Kernel<..s16816gemm_bf16_256x128..>". Equal names stay equal; different ones differ,
// if by nothing else, by a number ("#2").
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t columns);

// Returns whether a name is a frame of the interpreter: "train.py(12): save", "<built-in method item ...>".
[[nodiscard]] bool is_python_frame(std::string_view name);
// Returns a frame's name with its file, line and function, for a column of so many terminal columns; folders
// are what is left out first.
[[nodiscard]] std::string frame_name(std::string_view frame, std::size_t columns);

// Returns a text that is no wider than `columns`, with its middle left out; characters stay whole.
[[nodiscard]] std::string cut_middle(const std::string& text, std::size_t columns);

}  // namespace ridge::trace_report
