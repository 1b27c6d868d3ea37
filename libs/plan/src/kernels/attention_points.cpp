// SPDX-License-Identifier: Apache-2.0
#include "attention_points.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "table_file.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr std::size_t most_cells = std::size_t{1} << 18;

struct measured_rows {
  std::array<std::vector<double>, 4> positions{};
  std::vector<double> times_us{};
};

// The context of a prompt, which later versions of the format give as the mean length of a query's keys.
result<std::vector<double>> contexts_of(const table_file& table, const std::vector<double>& chunks) {
  if (table.has("kv_prefill") || !table.has("prefill_key"))
    return table.numbers("kv_prefill", 0, most_tokens);
  auto keys = table.numbers("prefill_key", 0, most_tokens);
  if (!keys) return keys;
  for (std::size_t row = 0; row < keys->size(); ++row)
    (*keys)[row] = std::max(0.0, (*keys)[row] - chunks[row] / 2);
  return keys;
}

// Drops rows in which sequences verify several drafted tokens at once.
result<void> keep_single_queries(const table_file& table, measured_rows& rows) {
  if (!table.has("decode_q_len")) return {};
  const auto queries = table.numbers("decode_q_len", 0, most_tokens);
  if (!queries) return queries.why();
  const auto keep = [&](std::vector<double>& values) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < queries->size(); ++row)
      if ((*queries)[row] <= 1) values[kept++] = values[row];
    values.resize(kept);
  };
  for (auto& values : rows.positions) keep(values);
  keep(rows.times_us);
  return {};
}

result<void> one_kernel(const table_file& table, const std::string& file) {
  if (!table.has("layer")) return {};
  const auto layers = table.texts("layer");
  if (!layers) return layers.why();
  const auto other = std::ranges::find_if(*layers, [&](auto layer) { return layer != layers->front(); });
  if (other == layers->end()) return {};
  return error{fmt::format("{}: layer: several attention kernels were measured, \"{}\" and \"{}\"", file,
                           layers->front(), *other),
               "a model whose layers attend in one way can be stacked; keep the rows of one kernel"};
}

result<measured_rows> rows_of(const std::filesystem::path& file) {
  const auto table = table_file::read(file);
  if (!table) return table.why();
  if (const auto good = one_kernel(*table, file.string()); !good) return good.why();
  measured_rows rows;
  for (const auto axis :
       {attention_points::chunk, attention_points::decodes, attention_points::decode_context}) {
    auto numbers = table->numbers(attention_columns[axis], 0, most_tokens);
    if (!numbers) return numbers.why();
    rows.positions[axis] = std::move(*numbers);
  }
  auto contexts = contexts_of(*table, rows.positions[attention_points::chunk]);
  if (!contexts) return contexts.why();
  rows.positions[attention_points::context] = std::move(*contexts);
  auto times = table->numbers("time_us", 0, most_microseconds);
  if (!times) return times.why();
  rows.times_us = std::move(*times);
  if (const auto good = keep_single_queries(*table, rows); !good) return good.why();
  return rows;
}

std::vector<double> axis_from_zero(std::vector<double> values) {
  values.push_back(0);
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

std::size_t place_on(const std::vector<double>& axis, double value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(axis, value) - axis.begin());
}

// The distinct values of an axis in the rows of prompts, or of sequences, alone.
std::size_t values_alone(const measured_rows& rows, std::size_t axis) {
  const bool of_prompt = axis == attention_points::chunk || axis == attention_points::context;
  const auto& own = rows.positions[of_prompt ? attention_points::chunk : attention_points::decodes];
  const auto& other = rows.positions[of_prompt ? attention_points::decodes : attention_points::chunk];
  std::set<double> values;
  for (std::size_t row = 0; row < own.size(); ++row)
    if (own[row] > 0 && other[row] == 0) values.insert(rows.positions[axis][row]);
  return values.size();
}

result<void> enough(const measured_rows& rows, const std::string& file) {
  for (std::size_t axis = 0; axis < attention_columns.size(); ++axis) {
    const auto values = values_alone(rows, axis);
    if (values >= 2) continue;
    const bool of_prompt = axis == attention_points::chunk || axis == attention_points::context;
    return error{fmt::format("{}: {}: {} of at least 2 values were measured of {} alone", file,
                             attention_columns[axis], values, of_prompt ? "prompts" : "decoding sequences"),
                 of_prompt ? "give rows with n_decode 0" : "give rows with prefill_chunk 0"};
  }
  return {};
}

}  // namespace

std::size_t attention_points::cell(const place& p) const {
  return ((p[0] * axes[1].size() + p[1]) * axes[2].size() + p[2]) * axes[3].size() + p[3];
}

bool attention_points::possible(const place& p) const {
  const bool prompt = p[chunk] > 0, sequences = p[decodes] > 0;
  return (prompt || sequences) && (prompt || p[context] == 0) && sequences == (p[decode_context] > 0);
}

result<attention_points> attention_points::read(const std::filesystem::path& file) {
  constexpr double second_per_us = 1e-6;
  const auto rows = rows_of(file);
  if (!rows) return rows.why();
  if (const auto good = enough(*rows, file.string()); !good) return good.why();
  attention_points points;
  std::size_t cells = 1;
  for (std::size_t axis = 0; axis < points.axes.size(); ++axis) {
    points.axes[axis] = axis_from_zero(rows->positions[axis]);
    cells = std::min(cells * points.axes[axis].size(), most_cells + 1);
  }
  if (cells > most_cells)
    return error{file.string() + ": the values of its four axes make more than 2^18 points",
                 "measure on a grid: the same few values of each axis"};
  points.seconds.assign(cells, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < rows->times_us.size(); ++row) {
    place p{};
    for (std::size_t axis = 0; axis < p.size(); ++axis)
      p[axis] = place_on(points.axes[axis], rows->positions[axis][row]);
    points.seconds[points.cell(p)] = rows->times_us[row] * second_per_us;
  }
  return points;
}

}  // namespace ridge::plan::kernels
