// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_names.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

bool says_any(std::string_view kernel, std::span<const std::string_view> marks) {
  return std::ranges::any_of(marks,
                             [&](std::string_view mark) { return contains_ignoring_case(kernel, mark); });
}

}  // namespace

bool only_rearranges(std::string_view kernel) {
  constexpr std::array<std::string_view, 7> marks{"transpose",   "permute",  "nchwtonhwc", "nhwctonchw",
                                                  "direct_copy", "reorder_", "im2col"};
  return says_any(kernel, marks);
}

// NVIDIA: the shape of the instruction ("s16816gemm", "h884", "i8816") or the library's word; AMD: "_MI16x16"
// of Tensile, "gtcx" of MIOpen (its generic tensor contraction on xdlops).
bool uses_matrix_units(std::string_view kernel) {
  constexpr std::array<std::string_view, 14> marks{"tensorop", "16816",  "1688", "h884",  "i8816",
                                                   "xmma",     "wgmma",  "hmma", "imma",  "mfma",
                                                   "_mi16x",   "_mi32x", "gtcx", "xdlops"};
  return says_any(kernel, marks);
}

bool multiplies_tf32(std::string_view kernel) {
  constexpr std::array<std::string_view, 3> marks{"tf32", "s1688gemm", "s1688fprop"};
  return says_any(kernel, marks);
}

}  // namespace ridge::trace
