// SPDX-License-Identifier: Apache-2.0
#include "config_quantization.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/base/text.hpp>
#include <ridge/plan/number_format.hpp>

namespace ridge::plan {
namespace {

using nlohmann::json;
using format_found = std::optional<stored_format>;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

stored_format named_format(std::string_view name) {
  const auto known = number_format_named(name);
  return known ? stored_format{std::string(known->name), known->bytes_per_element} : stored_format{};
}

stored_format by_dtype(const config_members& m) {
  const auto name = m.text({"torch_dtype", "dtype"});
  if (name.empty() && !m.has("quantization_config"))
    m.findings().doubt("torch_dtype is not given; weights taken as bf16");
  if (!name.empty() && name != "bfloat16" && name != "float16" && name != "float32")
    m.findings().doubt(
        fmt::format("torch_dtype \"{}\" is not understood; taken as bf16", name.substr(0, 40)));
  return named_format(name == "float16" ? "fp16" : name == "float32" ? "fp32" : "bf16");
}

// Integers of `bits` in groups that share a 16-bit scale and, unless they are symmetric, an offset of
// `offset_bits`; group 0: a whole channel. Nothing for other than 1 to 8 bits.
format_found integers(std::int64_t bits, std::int64_t group, std::int64_t offset_bits) {
  if (bits < 1 || bits > 8) return std::nullopt;
  constexpr double of_byte = 8;
  const double scales =
      group > 0 ? static_cast<double>(16 + offset_bits) / of_byte / static_cast<double>(group) : 0;
  const auto whole = fmt::format("int{}", bits), grouped = fmt::format("int{}_g{}", bits, group);
  return stored_format{number_format_named(grouped) ? grouped : whole,
                       static_cast<double>(bits) / of_byte + scales};
}

// The number of a member that may be -1 for "a whole channel".
std::int64_t group_of(const config_members& q, std::int64_t otherwise) {
  const auto at = q.object().find("group_size");
  if (at != q.object().end() && at->is_number_integer() && *at == -1) return 0;
  return q.count_or({"group_size", "q_group_size"}, otherwise);
}

// The format that a name implies: "nvfp4-pack-quantized", "FP8_PB_WO", "W4A16_AWQ", "Int4WeightOnlyConfig".
format_found by_name(const std::string& name) {
  if (has(name, "w4a8_nvfp4") || has(name, "nvfp4")) return named_format("nvfp4");
  if (has(name, "mxfp4")) return named_format("mxfp4");
  if (has(name, "mxfp8")) return named_format("mxfp8");
  if (has(name, "fp8_pb")) return named_format("fp8_block");
  if (has(name, "w4a16") || has(name, "w4a8") || has(name, "awq") || has(name, "gptq"))
    return named_format("int4_g128");
  if (has(name, "fp8") || has(name, "float8") || has(name, "float-quantized")) return named_format("fp8");
  if (has(name, "int8") || has(name, "w8a8") || has(name, "w8a16")) return named_format("int8");
  if (has(name, "int4")) return named_format("int4_g128");
  return std::nullopt;
}

format_found fp8_of(const config_members& q) {
  const auto block = q.numbers("weight_block_size");
  if (block.size() != 2 || block[0] < 1 || block[1] < 1)
    return named_format(q.has("weight_block_size") ? "fp8_block" : "fp8");
  constexpr double scale_bytes = 4;
  return stored_format{"fp8_block",
                       1 + scale_bytes / static_cast<double>(block[0]) / static_cast<double>(block[1])};
}

// The weights of a group of compressed-tensors.
format_found by_bits(const config_members& weights) {
  const auto bits = weights.count_or({"num_bits"}, 0);
  const auto group = group_of(weights, 0);
  if (weights.text({"type"}) == "float") {
    if (bits == 4) return named_format(group == 32 ? "mxfp4" : "nvfp4");
    if (bits != 8) return std::nullopt;
    if (group == 32) return named_format("mxfp8");
    return named_format(weights.text({"strategy"}) == "block" ? "fp8_block" : "fp8");
  }
  return integers(bits, group, weights.flag({"symmetric"}, true) ? 0 : bits);
}

format_found of_group(const config_members& group) {
  if (auto format = by_name(lower_case(group.text({"format"})));
      format && (format->name == "nvfp4" || format->name.starts_with("mx")))
    return format;
  if (auto format = by_bits(group.inside("weights"))) return format;
  return by_name(lower_case(group.text({"quant_algo"})));
}

// Adds the modules of a list; those whose names are not understood become a doubt.
void add_names(module_list& list, const config_members& q, std::string_view member) {
  for (const auto& name : q.words(member))
    if (!list.add(name))
      q.findings().doubt(fmt::format("quantization_config: {}: \"{}\" is not understood and was passed over",
                                     member, name.substr(0, 80)));
}

// A target is a class of modules ("Linear"), a name, or a regular expression.
bool is_class(const std::string& target) {
  return !target.starts_with("re:") && !target.empty() && target.front() >= 'A' && target.front() <= 'Z' &&
         !has(target, ".") && !has(target, "*");
}

void read_groups(const config_members& q, weight_scheme& s) {
  const auto groups = q.inside("config_groups");
  for (const auto& [name, content] : groups.object().items()) {
    if (!content.is_object()) continue;
    const auto group = groups.inside(name);
    const auto format = of_group(group);
    if (!format) {
      q.findings().doubt(fmt::format("quantization_config: the weights of {} are not understood; taken as {}",
                                     name.substr(0, 40), s.plain.name));
      continue;
    }
    const auto targets = group.words("targets");
    module_list list;
    for (const auto& target : targets)
      if (is_class(target) || !list.add(target)) s.usual = *format;
    if (targets.empty() || std::ranges::all_of(targets, is_class)) s.usual = *format;
    if (!list.empty()) s.named.emplace_back(std::move(list), *format);
  }
}

// TensorRT Model Optimizer: one format per module. Modules of the same format become one list.
void read_module_formats(const config_members& q, weight_scheme& s) {
  const auto modules = q.inside("quantized_layers");
  for (const auto& [name, content] : modules.object().items()) {
    const auto algorithm = content.is_object() ? content.value("quant_algo", json()) : json();
    const auto format = by_name(lower_case(algorithm.is_string() ? algorithm.get<std::string>() : ""));
    if (!format) {
      q.findings().doubt(fmt::format("quantization_config: the format of {} is not understood; taken as {}",
                                     name.substr(0, 60), s.plain.name));
      continue;
    }
    auto at = std::ranges::find(s.named, *format, &std::pair<module_list, stored_format>::second);
    if (at == s.named.end()) at = s.named.insert(s.named.end(), {module_list(), *format});
    at->first.add(name);
  }
}

format_found of_integers(const config_members& q, const stored_format& plain) {
  const auto bits = q.count_or({"bits", "w_bit", "nbits", "wbits"}, 4);
  if (bits >= 16) return plain;
  const bool symmetric = q.object().contains("zero_point") && !q.flag({"zero_point"});
  return integers(bits, group_of(q, 128), symmetric ? 0 : bits);
}

// GPTQModel: regular expressions with "+:" for other bits and "-:" for none. AutoRound: names.
void read_exceptions(const config_members& q, weight_scheme& s) {
  for (const std::string member : {"dynamic", "extra_config"}) {
    const auto all = q.inside(member);
    for (const auto& [name, content] : all.object().items()) {
      const bool expression = name.starts_with("+:") || name.starts_with("-:");
      module_list list;
      const bool read = expression                              ? list.add_expression(name.substr(2))
                        : member == "dynamic" || has(name, "(") ? list.add_expression(name)
                                                                : list.add(name);
      const auto format =
          name.starts_with("-:") ? format_found(s.plain) : of_integers(all.inside(name), s.plain);
      if (read && format)
        s.named.emplace_back(std::move(list), *format);
      else
        q.findings().doubt(
            fmt::format("quantization_config: {}: \"{}\" is not understood and was passed over", member,
                        name.substr(0, 80)));
    }
  }
}

// HQQ: 16-bit scales and offsets; of 3 bits, ten share a word of 32.
format_found hqq_of(const config_members& q) {
  const auto nested = q.inside("quant_config").inside("weight_quant_params");
  const auto& p = nested.object().empty() ? q : nested;
  auto format = integers(p.count_or({"nbits", "bits"}, 4), group_of(p, 64), 16);
  if (format && p.count_or({"nbits", "bits"}, 4) == 3) format->bytes += 0.4 - 0.375;
  return format;
}

void read_hqq_modules(const config_members& q, weight_scheme& s) {
  const auto modules = q.inside("quant_config");
  if (modules.has("weight_quant_params")) return;
  for (const auto& [name, content] : modules.object().items()) {
    if (!content.is_object()) continue;
    const auto inner = modules.inside(name);
    const auto p = inner.has("weight_quant_params") ? inner.inside("weight_quant_params") : inner;
    module_list list;
    list.add(name);
    if (auto format = hqq_of(p)) s.named.emplace_back(std::move(list), *format);
  }
  if (!s.named.empty()) s.usual = s.plain;
}

// torchao: the name of a class of settings, or of a function.
format_found torchao_of(const config_members& q) {
  const auto settings = q.inside("quant_type").inside("default");
  const auto name = lower_case(settings.text({"_type"}) + q.text({"quant_type"}));
  const auto group =
      std::max(group_of(settings.inside("_data"), 0), group_of(q.inside("quant_type_kwargs"), 0));
  if (has(name, "int4")) return integers(4, group > 0 ? group : 128, 16);
  return by_name(name);
}

format_found bitsandbytes_of(const config_members& q) {
  if (!q.flag({"load_in_4bit", "_load_in_4bit"})) return named_format("int8");
  return named_format(q.flag({"bnb_4bit_use_double_quant"}) ? "nf4_double" : "nf4");
}

format_found quark_of(const config_members& q) {
  const auto weight = q.inside("global_quant_config").inside("weight");
  const auto type = lower_case(weight.text({"dtype"}));
  if (type == "fp4") return named_format("mxfp4");
  return by_name(type);
}

bool is_integer_method(std::string_view method) {
  constexpr std::string_view methods[] = {"awq",       "gptq",       "auto-round",  "intel/auto-round",
                                          "gptqmodel", "awq_marlin", "gptq_marlin", "auto_round",
                                          "inc"};
  return std::ranges::find(methods, method) != std::end(methods);
}

format_found by_method(const config_members& q, const std::string& method, const stored_format& plain) {
  if (method == "fp8" || method == "fbgemm_fp8" || method == "deepspeedfp") return fp8_of(q);
  if (method == "mxfp4") return named_format("mxfp4");
  if (is_integer_method(method)) return of_integers(q, plain);
  if (method == "hqq") return hqq_of(q);
  if (method == "torchao") return torchao_of(q);
  if (method == "bitsandbytes") return bitsandbytes_of(q);
  if (method == "quark") return quark_of(q);
  if (method == "eetq") return named_format("int8");
  if (method == "bitnet") return named_format("int2");
  if (method == "quanto") return by_name(lower_case(q.text({"weights"})));
  if (auto format = by_name(lower_case(q.text({"quant_algo"})))) return format;
  if (auto format = by_name(lower_case(q.text({"format"})));
      format && (format->name == "nvfp4" || format->name == "mxfp4"))
    return format;
  return std::nullopt;
}

// What can still be said of a method that is not known: its bits.
format_found guessed(const config_members& q, const std::string& method, const stored_format& plain) {
  const auto& all = q.object();
  for (const auto* name : {"bits", "nbits", "w_bit", "num_bits"}) {
    const auto at = all.find(name);
    if (at == all.end() || !at->is_number()) continue;
    const auto bits = at->get<double>();
    if (!(bits >= 1 && bits <= 8)) continue;
    q.findings().doubt(fmt::format(
        "quantization_config of \"{}\" is not understood; weights taken as {} bits without scales",
        method.substr(0, 40), bits));
    return stored_format{fmt::format("int{}", static_cast<int>(bits)), bits / 8};
  }
  q.findings().doubt(fmt::format("quantization_config of \"{}\" is not understood; weights taken as {}",
                                 method.substr(0, 40), plain.name));
  return std::nullopt;
}

void read_lists(const config_members& q, const std::string& method, weight_scheme& s) {
  for (const auto* member : {"modules_to_not_convert", "ignore", "exclude_modules", "ignored_layers",
                             "exclude", "llm_int8_skip_modules", "skip_modules"})
    if (q.is_list(member)) add_names(s.spared, q, member);
  if (method == "gptq" || method == "gptqmodel" || method == "auto-round") read_exceptions(q, s);
  if (!q.inside("layer_quant_config").object().empty())
    q.findings().doubt(
        "quantization_config: layer_quant_config was not read; all layers taken as the usual one");
  if (q.inside("sparsity_config").text({"format"}).find("24") != std::string::npos)
    q.findings().doubt("quantization_config: 2:4 sparse weights are counted as dense");
}

}  // namespace

weight_scheme read_weight_scheme(const config_members& m) {
  const auto q = m.inside("quantization_config");
  weight_scheme s{.plain = by_dtype(m)};
  s.usual = s.plain;
  if (q.object().empty()) return s;
  const auto method = lower_case(q.text({"quant_method", "quantization_method"}));
  auto format = by_method(q, method, s.plain);
  if (format) s.usual = *format;
  read_groups(q, s);
  read_module_formats(q, s);
  if (method == "hqq") read_hqq_modules(q, s);
  if (!format && s.named.empty() && s.usual == s.plain) format = guessed(q, method, s.plain);
  if (format && s.usual == s.plain && s.named.empty()) s.usual = *format;
  s.quantized = s.usual != s.plain || !s.named.empty();
  read_lists(q, method, s);
  const bool linear = method == "compressed-tensors" || method.starts_with("modelopt");
  s.heads = linear || q.flag({"lm_head"});
  if (m.text({"expert_dtype"}) == "fp4" && s.usual.name.starts_with("fp8")) s.experts = named_format("mxfp4");
  return s;
}

}  // namespace ridge::plan
