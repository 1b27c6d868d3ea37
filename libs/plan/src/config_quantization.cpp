// SPDX-License-Identifier: Apache-2.0
#include "config_quantization.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::plan {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string by_dtype(const config_members& m) {
  const auto name = m.text({"torch_dtype", "dtype"});
  if (name == "float16") return "fp16";
  return name == "float32" ? "fp32" : "bf16";
}

// The format that a name implies: "nvfp4-pack-quantized", "FP8_PB_WO", "W4A16_AWQ".
std::string by_name(const std::string& name) {
  if (has(name, "nvfp4")) return "nvfp4";
  if (has(name, "mxfp4")) return "mxfp4";
  if (has(name, "mxfp8")) return "mxfp8";
  if (has(name, "fp8_pb")) return "fp8_block";
  if (has(name, "fp8") || has(name, "float-quantized")) return "fp8";
  if (has(name, "w4a16") || has(name, "awq") || has(name, "gptq")) return "int4_g128";
  return has(name, "int8") || has(name, "w8a8") ? "int8" : "";
}

std::string by_bits(const config_members& weights, std::int64_t bits) {
  if (bits == 4 && weights.text({"type"}) == "float") return "nvfp4";
  if (bits == 4) return weights.count_or({"group_size"}, 128) == 32 ? "int4_g32" : "int4_g128";
  if (bits != 8) return "";
  if (weights.text({"type"}) == "int") return "int8";
  return weights.text({"strategy"}) == "block" ? "fp8_block" : "fp8";
}

// The weights of the first group.
std::string by_groups(const config_members& q) {
  const auto groups = q.inside("config_groups");
  for (const auto& [name, group] : groups.object().items()) {
    const auto weights = groups.inside(name).inside("weights");
    if (weights.object().empty()) continue;
    auto format = by_name(lower_case(groups.inside(name).text({"format"})));
    const auto bits = weights.count_or({"num_bits"}, 0);
    const bool says = format == "nvfp4" || format.starts_with("mx");
    return says ? format : by_bits(weights, bits);
  }
  return "";
}

std::string by_method(const config_members& q, const std::string& method) {
  if (method == "fp8" || method == "fbgemm_fp8") return q.has("weight_block_size") ? "fp8_block" : "fp8";
  if (method == "mxfp4") return "mxfp4";
  if (method == "awq" || method == "gptq" || method == "auto-round")
    return q.count_or({"bits", "w_bit"}, 4) == 8 ? "int8" : "int4_g128";
  if (method == "bitsandbytes") return q.flag({"load_in_4bit", "_load_in_4bit"}) ? "int4" : "int8";
  if (auto format = by_name(lower_case(q.text({"format"}))); format == "nvfp4" || format == "mxfp4")
    return format;
  if (auto format = by_name(lower_case(q.text({"quant_algo"}))); !format.empty()) return format;
  return by_groups(q);
}

// Whether attention is among the modules that are not quantized.
bool spares_attention(const config_members& q) {
  for (const auto* list : {"modules_to_not_convert", "ignore", "exclude_modules"}) {
    if (!q.is_list(list)) continue;
    for (const auto& name : q.words(list))
      if (has(name, "self_attn.*") || has(name, "self_attn*") || has(name, ".self_attn")) return true;
  }
  return false;
}

}  // namespace

weight_storage read_weight_storage(const config_members& m) {
  const auto q = m.inside("quantization_config");
  if (q.object().empty()) return {by_dtype(m), false, by_dtype(m)};
  const auto method = lower_case(q.text({"quant_method", "quantization_method"}));
  auto format = by_method(q, method);
  if (format.empty()) {
    m.findings().doubt(fmt::format("quantization_config of \"{}\" is not understood; weights taken as {}",
                                   method.substr(0, 40), by_dtype(m)));
    return {by_dtype(m), false, by_dtype(m)};
  }
  if (m.text({"expert_dtype"}) == "fp4" && format.starts_with("fp8")) return {"mxfp4", true, format};
  return {std::move(format), spares_attention(q), by_dtype(m)};
}

}  // namespace ridge::plan
