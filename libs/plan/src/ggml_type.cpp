// SPDX-License-Identifier: Apache-2.0
#include "ggml_type.hpp"

#include <algorithm>

namespace ridge::plan {
namespace {

// The numbers of ggml.h, and the sizes of the blocks of ggml-common.h.
constexpr ggml_type ggml_types[] = {
    {0, "fp32", 1, 4},        {1, "fp16", 1, 2},        {2, "q4_0", 32, 18},      {3, "q4_1", 32, 20},
    {6, "q5_0", 32, 22},      {7, "q5_1", 32, 24},      {8, "q8_0", 32, 34},      {9, "q8_1", 32, 36},
    {10, "q2_k", 256, 84},    {11, "q3_k", 256, 110},   {12, "q4_k", 256, 144},   {13, "q5_k", 256, 176},
    {14, "q6_k", 256, 210},   {15, "q8_k", 256, 292},   {16, "iq2_xxs", 256, 66}, {17, "iq2_xs", 256, 74},
    {18, "iq3_xxs", 256, 98}, {19, "iq1_s", 256, 50},   {20, "iq4_nl", 32, 18},   {21, "iq3_s", 256, 110},
    {22, "iq2_s", 256, 82},   {23, "iq4_xs", 256, 136}, {24, "i8", 1, 1},         {25, "i16", 1, 2},
    {26, "i32", 1, 4},        {27, "i64", 1, 8},        {28, "f64", 1, 8},        {29, "iq1_m", 256, 56},
    {30, "bf16", 1, 2},       {34, "tq1_0", 256, 54},   {35, "tq2_0", 256, 66},   {39, "mxfp4", 32, 17},
    {40, "nvfp4", 64, 36},
};

}  // namespace

std::optional<ggml_type> ggml_type_of(std::uint32_t number) {
  const auto* at = std::ranges::find(ggml_types, number, &ggml_type::number);
  return at == std::end(ggml_types) ? std::nullopt : std::optional(*at);
}

}  // namespace ridge::plan
