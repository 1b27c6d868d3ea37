// SPDX-License-Identifier: Apache-2.0
#include "layer_tables.hpp"

#include <algorithm>
#include <iterator>

#include "table_file.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr double second_per_us = 1e-6;

}  // namespace

double measured_line::seconds(double position) const {
  if (points_.empty()) {
    return 0;
  }
  auto above = points_.lower_bound(position);
  if (above == points_.begin()) {
    return above->second;
  }
  if (above == points_.end()) {
    --above;
    if (above == points_.begin()) {
      return above->second;
    }
  }
  const auto below = std::prev(above);
  const auto share = (position - below->first) / (above->first - below->first);
  return below->second + share * (above->second - below->second);
}

result<lines_by_layer> read_layer_lines(const std::filesystem::path& file, const std::string& count) {
  auto table = table_file::read(file);
  if (!table) {
    return table.why();
  }
  const auto layers = table->texts("layer");
  const auto counts = table->numbers(count);
  const auto times = table->numbers("time_us");
  for (const auto* column : {&counts, &times}) {
    if (!*column) {
      return column->why();
    }
  }
  if (!layers) {
    return layers.why();
  }
  lines_by_layer lines;
  for (std::size_t row = 0; row < layers->size(); ++row) {
    lines[std::string{(*layers)[row]}].add((*counts)[row], (*times)[row] * second_per_us);
  }
  return lines;
}

result<std::map<double, measured_line>> read_expert_lines(const std::filesystem::path& file) {
  auto table = table_file::read(file);
  if (!table) {
    return table.why();
  }
  const auto tokens = table->numbers("tokens");
  const auto experts = table->numbers("activated_experts");
  const auto times = table->numbers("time_us");
  for (const auto* column : {&tokens, &experts, &times}) {
    if (!*column) {
      return column->why();
    }
  }
  std::map<double, measured_line> lines;
  for (std::size_t row = 0; row < tokens->size(); ++row) {
    lines[(*experts)[row]].add((*tokens)[row], (*times)[row] * second_per_us);
  }
  return lines;
}

bracket bracket_of(const std::vector<double>& axis, double position) {
  if (axis.size() < 2 || position <= axis.front()) {
    return {};
  }
  const auto above = std::min(std::ranges::lower_bound(axis, position), axis.end() - 1);
  const auto below = above - 1;
  return {.below = static_cast<std::size_t>(below - axis.begin()),
          .above = static_cast<std::size_t>(above - axis.begin()),
          .share = (position - *below) / (*above - *below)};
}

}  // namespace ridge::plan::kernels
