// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "double_buffering.hpp"

namespace ridge::experiments::ch01_double_buffering {
namespace {

// As many elements side by side as the compiler may keep in vector registers.
constexpr std::size_t lanes = 16;

float sum_of_squares(std::span<const float> values) {
  std::array<float, lanes> sums{};
  for (std::size_t at = 0; at < values.size(); at += lanes) {
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += values[at + j] * values[at + j];
  }
  float total = 0;
  for (const float s : sums) total += s;
  return total;
}

// Sets target[j] to the polynomial of scale * source[j] by Horner's rule.
void evaluate(std::span<const float> coefficients, float scale, const float* source, float* target) {
  std::array<float, lanes> x{}, y{};
  for (std::size_t j = 0; j < lanes; ++j) x[j] = source[j] * scale;
  for (const float c : coefficients) {
    for (std::size_t j = 0; j < lanes; ++j) y[j] = y[j] * x[j] + c;
  }
  std::ranges::copy(y, target);
}

double gathered(const workload& w, std::size_t i) {
  return w.table[w.order[i / block_floats] * block_floats + i % block_floats];
}

// Returns the scale of the row that begins at element `begin`.
double scale_in_double(const workload& w, std::size_t begin) {
  const auto to = std::min(begin + row_floats, w.result.size());
  double squares = 0;
  for (std::size_t i = begin; i < to; ++i) squares += gathered(w, i) * gathered(w, i);
  return 1 / (8 * std::sqrt(squares / as_real(to - begin)));
}

double value_in_double(const workload& w, std::size_t i, double scale) {
  const double x = gathered(w, i) * scale;
  double y = 0;
  for (const double c : w.coefficients) y = y * x + c;
  return y;
}

}  // namespace

std::span<const float> transfer_row(const workload& w, std::size_t row, std::span<float> buffer) {
  const auto wanted =
      w.order.subspan(row * row_blocks, std::min(row_blocks, w.order.size() - row * row_blocks));
  for (std::size_t b = 0; b < wanted.size(); ++b) {
    const float* from = w.table.data() + wanted[b] * block_floats;
    for (std::size_t j = 0; j < block_floats; ++j) buffer[b * block_floats + j] = from[j];
  }
  return buffer.first(wanted.size() * block_floats);
}

void compute_row(const workload& w, std::size_t row, std::span<const float> values) {
  const float scale =
      1 / (8 * std::sqrt(sum_of_squares(values) / as_float(std::max<std::size_t>(values.size(), 1))));
  float* to = w.result.data() + row * row_floats;
  for (std::size_t at = 0; at < values.size(); at += lanes) {
    evaluate(w.coefficients, scale, values.data() + at, to + at);
  }
}

void compute_in_double(workload& w) {
  for (std::size_t from = 0; from < w.result.size(); from += row_floats) {
    const double scale = scale_in_double(w, from);
    const auto to = std::min(from + row_floats, w.result.size());
    for (std::size_t i = from; i < to; ++i) w.result[i] = as_float(value_in_double(w, i, scale));
  }
}

double element_in_double(const workload& w, std::size_t i) {
  return value_in_double(w, i, scale_in_double(w, i / row_floats * row_floats));
}

}  // namespace ridge::experiments::ch01_double_buffering
