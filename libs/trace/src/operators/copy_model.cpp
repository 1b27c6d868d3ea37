// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

constexpr std::array<std::string_view, 6> duplications{"clone", "contiguous", "_to_copy",
                                                       "flip",  "roll",       "stack"};
constexpr std::array<std::string_view, 4> settings{"fill_", "zero_", "uniform_", "normal_"};

bool any_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

op_model moved(double read, double written, number_type type) {
  return {.family = op_family::copy, .bytes = read + written, .written = written, .type = type};
}

// Rows of a table, picked by indices.
std::optional<op_model> rows_model(const op_inputs& inputs, std::size_t table, std::size_t index) {
  if (!inputs.has_tensor(table) || !inputs.has_tensor(index, 0) || bytes_of(inputs.at(table).type) == 0)
    return std::nullopt;
  const auto& d = inputs.dims_of(table);
  const auto row = d[0] > 0 ? count_of(d) / static_cast<double>(d[0]) : 0;
  const auto picked = inputs.at(index).elements();
  return op_model{.family = op_family::embedding,
                  .bytes = inputs.at(index).bytes() + 2 * picked * row * bytes_of(inputs.at(table).type),
                  .written = picked * row * bytes_of(inputs.at(table).type),
                  .type = inputs.at(table).type};
}

}  // namespace

std::optional<op_model> copy_model(std::string_view name, const op_inputs& inputs) {
  const auto& first = inputs.at(0);
  if (name == "copy_" && inputs.has_tensor(0) && inputs.has_tensor(1) && bytes_of(first.type) > 0)
    return moved(inputs.at(1).bytes(), first.bytes(), first.type);
  if (any_of(settings, name) && inputs.has_tensor(0) && bytes_of(first.type) > 0)
    return moved(0, first.bytes(), first.type);
  const auto doubles = any_of(duplications, name) || name == "cat" || name == "_cat";
  if (doubles && !first.tensors.empty() && bytes_of(first.type) > 0)
    return moved(first.bytes(), first.bytes(), first.type);
  if (name == "_foreach_copy_" && bytes_of(first.type) > 0 && !first.tensors.empty())
    return moved(first.bytes(), first.bytes(), first.type);
  return std::nullopt;
}

std::optional<op_model> embedding_model(std::string_view name, const op_inputs& inputs) {
  if (name == "embedding") return rows_model(inputs, 0, 1);
  if (name == "index_select" && inputs.integer(1).value_or(0) == 0) return rows_model(inputs, 0, 2);
  if (name != "embedding_dense_backward" || !inputs.has_tensor(0)) return std::nullopt;
  const auto& gradient = inputs.at(0);
  if (bytes_of(gradient.type) == 0) return std::nullopt;
  return op_model{.family = op_family::embedding,
                  .flops = gradient.elements(),
                  .bytes = inputs.bytes() + 2 * gradient.bytes(),
                  .written = gradient.bytes(),
                  .type = gradient.type};
}

}  // namespace ridge::trace
