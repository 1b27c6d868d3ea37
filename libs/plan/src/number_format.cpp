// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/number_format.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::plan {
namespace {

// Scales: DeepSeek-V3 (arXiv 2412.19437) section 3.3.2; OCP Microscaling 1.0 section 5; NVFP4: NVIDIA
// TensorRT-LLM; fp8_ds_mla: vLLM, 512 B of fp8, 4 fp32 scales and 64 bf16 of the rope part a token and layer.
constexpr std::array formats{
    number_format{"fp32", 4, 4, "fp32", "IEEE single"},
    number_format{"tf32", 4, 4, "tf32", "single in memory, 10 bits of mantissa in products"},
    number_format{"fp16", 2, 2, "fp16", "IEEE half"},
    number_format{"bf16", 2, 2, "bf16", "bfloat16"},
    number_format{"fp8", 1, 1, "fp8", "fp8, one scale per tensor"},
    number_format{"fp8_block", 1, 1 + 4.0 / 16384, "fp8", "fp8, one fp32 scale per block of 128 x 128"},
    number_format{"mxfp8", 1, 1 + 1.0 / 32, "fp8", "fp8, one e8m0 scale per block of 32"},
    number_format{"int8", 1, 1, "int8", "8-bit integers, one scale a channel"},
    number_format{"int2", 0.25, 0.25, "bf16", "2 bits, no scales"},
    number_format{"int3", 0.375, 0.375, "bf16", "3 bits, no scales"},
    number_format{"int5", 0.625, 0.625, "bf16", "5 bits, no scales"},
    number_format{"int6", 0.75, 0.75, "bf16", "6 bits, no scales"},
    number_format{"int2_g64", 0.25, 0.25 + (16 + 2) / 8.0 / 64, "bf16",
                  "2 bits, a 16-bit scale and a 2-bit zero per group of 64"},
    number_format{"int2_g128", 0.25, 0.25 + (16 + 2) / 8.0 / 128, "bf16",
                  "2 bits, a 16-bit scale and a 2-bit zero per group of 128"},
    number_format{"int3_g64", 0.375, 0.375 + (16 + 3) / 8.0 / 64, "bf16",
                  "3 bits, a 16-bit scale and a 3-bit zero per group of 64"},
    number_format{"int3_g128", 0.375, 0.375 + (16 + 3) / 8.0 / 128, "bf16",
                  "3 bits, a 16-bit scale and a 3-bit zero per group of 128"},
    number_format{"int4_g64", 0.5, 0.5 + (16 + 4) / 8.0 / 64, "bf16",
                  "4 bits, a 16-bit scale and a 4-bit zero per group of 64"},
    number_format{"nf4", 0.5, 0.5 + 4.0 / 64, "bf16", "bitsandbytes: 4 bits, an fp32 scale per group of 64"},
    number_format{"nf4_double", 0.5, 0.5 + 1.0 / 64 + 4.0 / (64 * 256), "bf16",
                  "bitsandbytes: nf4 with its scales in 8 bits"},
    number_format{"int4_g128", 0.5, 0.5 + (16 + 4) / 8.0 / 128, "bf16",
                  "AWQ, GPTQ: 4 bits, a 16-bit scale and a 4-bit zero per group of 128"},
    number_format{"int4_g32", 0.5, 0.5 + 16 / 8.0 / 32, "bf16",
                  "4-bit integers, a 16-bit scale per group of 32"},
    number_format{"mxfp4", 0.5, 0.5 + 1.0 / 32, "fp4", "4 bits, one e8m0 scale per block of 32"},
    number_format{"nvfp4", 0.5, 0.5 + 1.0 / 16, "fp4", "4 bits, one e4m3 scale per block of 16"},
    number_format{"fp4", 0.5, 0.5, "fp4", "4 bits, no scales"},
    number_format{"int4", 0.5, 0.5, "bf16", "4 bits, no scales"},
    number_format{"q4_0", 0.5, 18.0 / 32, "bf16", "ggml: 18 bytes per block of 32"},
    number_format{"q4_1", 0.5, 20.0 / 32, "bf16", "ggml: 20 bytes per block of 32"},
    number_format{"q5_0", 0.625, 22.0 / 32, "bf16", "ggml: 22 bytes per block of 32"},
    number_format{"q5_1", 0.625, 24.0 / 32, "bf16", "ggml: 24 bytes per block of 32"},
    number_format{"q8_0", 1.0, 34.0 / 32, "bf16", "ggml: 34 bytes per block of 32"},
    number_format{"q2_k", 0.25, 84.0 / 256, "bf16", "ggml: 84 bytes per block of 256"},
    number_format{"q3_k", 0.375, 110.0 / 256, "bf16", "ggml: 110 bytes per block of 256"},
    number_format{"q4_k", 0.5, 144.0 / 256, "bf16", "ggml: 144 bytes per block of 256"},
    number_format{"q5_k", 0.625, 176.0 / 256, "bf16", "ggml: 176 bytes per block of 256"},
    number_format{"q6_k", 0.75, 210.0 / 256, "bf16", "ggml: 210 bytes per block of 256"},
    number_format{"iq1_s", 0.125, 50.0 / 256, "bf16", "ggml: 50 bytes per block of 256"},
    number_format{"iq1_m", 0.125, 56.0 / 256, "bf16", "ggml: 56 bytes per block of 256"},
    number_format{"iq2_xxs", 0.25, 66.0 / 256, "bf16", "ggml: 66 bytes per block of 256"},
    number_format{"iq2_xs", 0.25, 74.0 / 256, "bf16", "ggml: 74 bytes per block of 256"},
    number_format{"iq2_s", 0.25, 82.0 / 256, "bf16", "ggml: 82 bytes per block of 256"},
    number_format{"iq3_xxs", 0.375, 98.0 / 256, "bf16", "ggml: 98 bytes per block of 256"},
    number_format{"iq3_s", 0.375, 110.0 / 256, "bf16", "ggml: 110 bytes per block of 256"},
    number_format{"iq4_nl", 0.5, 18.0 / 32, "bf16", "ggml: 18 bytes per block of 32"},
    number_format{"iq4_xs", 0.5, 136.0 / 256, "bf16", "ggml: 136 bytes per block of 256"},
    number_format{"tq1_0", 0.25, 54.0 / 256, "bf16", "ggml: 54 bytes per block of 256"},
    number_format{"tq2_0", 0.25, 66.0 / 256, "bf16", "ggml: 66 bytes per block of 256"},
    number_format{"fp8_mla", 1, 656.0 / 576, "fp8",
                  "vLLM's fp8_ds_mla: 656 B for the 576 elements of a latent row"},
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 23> other_names{{
    {"float32", "fp32"},       {"float", "fp32"},
    {"single", "fp32"},        {"float16", "fp16"},
    {"half", "fp16"},          {"bfloat16", "bf16"},
    {"e4m3", "fp8"},           {"e5m2", "fp8"},
    {"fp8_e4m3", "fp8"},       {"fp8_e5m2", "fp8"},
    {"float8", "fp8"},         {"float8_e4m3fn", "fp8"},
    {"fp8_ds_mla", "fp8_mla"}, {"w8a8", "int8"},
    {"uint8", "int8"},         {"awq", "int4_g128"},
    {"gptq", "int4_g128"},     {"w4a16", "int4_g128"},
    {"e2m1", "fp4"},           {"float4", "fp4"},
    {"fp16_bf16", "bf16"},     {"fp8-block", "fp8_block"},
    {"int4_awq", "int4_g128"},
}};

std::string_view first_name(const std::string& name) {
  const auto at =
      std::ranges::find(other_names, std::string_view(name), &decltype(other_names)::value_type::first);
  return at == other_names.end() ? std::string_view(name) : at->second;
}

error unknown_format(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& f : formats) names.emplace_back(f.name);
  const auto near = nearest_name(lower_case(name.substr(0, 60)), names);
  return {fmt::format("number format \"{}\" is unknown{}", name.substr(0, 60),
                      near ? fmt::format("; did you mean {}?", *near) : ""),
          "formats: " + join(names, ", ")};
}

}  // namespace

std::span<const number_format> number_formats() { return formats; }

result<number_format> number_format_named(std::string_view name) {
  const auto wanted = lower_case(name);
  const auto at = std::ranges::find(formats, first_name(wanted), &number_format::name);
  if (at == formats.end()) return unknown_format(name);
  return *at;
}

}  // namespace ridge::plan
