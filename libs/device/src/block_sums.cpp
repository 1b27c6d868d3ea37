// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/block_sums.hpp>

#include <algorithm>
#include <limits>

#include <ridge/base/expects.hpp>
#include <ridge/base/with_dtype.hpp>

namespace ridge::device {
namespace {

constexpr std::size_t lanes = 16;

struct partial {
  double sum[lanes] = {}, sum_abs[lanes] = {}, not_finite[lanes] = {};
};

template <class T>
double widened(T x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<double>(static_cast<float>(x));
}

void add(partial& p, std::size_t lane, double x) {
  const double magnitude = x < 0 ? -x : x;
  const bool finite = magnitude <= std::numeric_limits<double>::max();
  p.sum[lane] += finite ? x : 0.0;
  p.sum_abs[lane] += finite ? magnitude : 0.0;
  p.not_finite[lane] += finite ? 0.0 : 1.0;
}

double total(const double (&part)[lanes]) {
  double sum[lanes];
  std::copy_n(part, lanes, sum);
  for (std::size_t width = lanes / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) sum[i] += sum[i + width];
  }
  return sum[0];
}

template <class T>
block_sum sum_of(const T* from, std::size_t count) {
  partial p;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) add(p, lane, widened(from[i + lane]));
  }
  for (; i < count; ++i) add(p, i % lanes, widened(from[i]));
  return {total(p.sum), total(p.sum_abs), count, static_cast<std::uint64_t>(total(p.not_finite))};
}

}  // namespace

std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) {
  expects(blocks > 0, "block_sums: at least one block");
  expects(source.size() % size_of(type) == 0, "block_sums: the source holds whole elements");
  std::vector<block_sum> all(blocks);
  with_dtype(type, [&]<class T>() {
    const auto* from = reinterpret_cast<const T*>(source.data());
    const std::size_t count = source.size() / sizeof(T), part = (count + blocks - 1) / blocks;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t first = std::min(b * part, count);
      all[b] = sum_of(from + first, std::min(part, count - first));
    }
  });
  return all;
}

}  // namespace ridge::device
