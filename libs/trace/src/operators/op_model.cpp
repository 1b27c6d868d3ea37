// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/op_model.hpp>

#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {

std::string_view name(op_family f) {
  constexpr std::array<std::string_view, 11> names{"gemm",          "convolution", "attention",   "moe",
                                                   "normalisation", "softmax",     "elementwise", "reduction",
                                                   "embedding",     "copy",        "optimizer"};
  return names.at(static_cast<std::size_t>(f));
}

std::optional<op_model> model_of(const op_call& call) {
  constexpr std::array<family_model*, 11> families{
      gemm_model,        convolution_model, attention_model, moe_model,  normalisation_model, softmax_model,
      elementwise_model, reduction_model,   embedding_model, copy_model, optimizer_model};
  const auto space = call.name.rfind("::");
  const auto name = space == std::string_view::npos ? call.name : call.name.substr(space + 2);
  const op_inputs in(call);
  for (auto* const family : families) {
    if (auto model = family(name, in)) return model;
  }
  return std::nullopt;
}

std::optional<op_model> model_of(const trace& t, event_id op) {
  if (op >= t.events.size() || t.events.kind[op] != category::op) return std::nullopt;
  const auto row = t.events.detail[op];
  if (row == none) return std::nullopt;
  const auto& detail = t.ops[row];
  return model_of({.name = t.name_of(op),
                   .input_dims = t.names[detail.input_dims],
                   .input_types = t.names[detail.input_types],
                   .concrete_inputs = t.names[detail.concrete_inputs]});
}

}  // namespace ridge::trace
