// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/fill.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/with_dtype.hpp>
#include <ridge/device/generate.hpp>
#include <ridge/device/line.hpp>
#include <ridge/device/shuffle.hpp>

#include "philox_lanes.hpp"

namespace ridge::device {
namespace {

static_assert(std::endian::native == std::endian::little, "the string of random bits is little-endian");

using draw_function = void(std::uint64_t key, std::uint64_t first_group, std::size_t groups,
                           std::uint32_t* out);

constexpr std::size_t tile_words = 2048;  // stays in the first-level cache between drawing and converting

// Draws words [first, first + count) tile by tile; use(words, n) gets them in order, even counts at even
// places.
template <class Use>
void each_tile(draw_function* draw, std::uint64_t key, std::uint64_t first, std::uint64_t count, Use use) {
  alignas(64) std::uint32_t tile[tile_words];
  while (count > 0) {
    const std::size_t skip = first % lane_group;
    const std::size_t n = std::min<std::uint64_t>(count, tile_words - skip);
    draw(key, first / lane_group, (skip + n + lane_group - 1) / lane_group, tile);
    use(tile + skip, n);
    first += n;
    count -= n;
  }
}

template <class T>
void convert_in_float(const line& l, const std::uint32_t* words, std::uint32_t shift, T* target,
                      std::size_t n) {
  const auto offset = static_cast<float>(l.offset), scale = static_cast<float>(l.scale);
  const auto least = static_cast<float>(l.least), most = static_cast<float>(l.most);
  for (std::size_t i = 0; i < n; ++i) {
    const float x = offset + scale * static_cast<float>(static_cast<std::int32_t>(words[i] >> shift));
    const float low = x < least ? least : x;
    target[i] = static_cast<T>(low > most ? most : low);
  }
}

template <class T>
void convert(const line& l, const std::uint32_t* words, std::uint32_t shift, T* target, std::size_t n) {
  if constexpr (!std::is_same_v<T, double>) {
    if (l.in_float) return convert_in_float(l, words, shift, target, n);
  }
  for (std::size_t i = 0; i < n; ++i)
    target[i] = element_on<T>(l, static_cast<std::int32_t>(words[i] >> shift));
}

template <class T>
T whole(std::uint64_t value) {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>)
    return static_cast<T>(value);
  else
    return static_cast<T>(static_cast<float>(value));
}

// The greatest whole number such that the type holds all up to it.
template <class T>
constexpr std::uint64_t greatest_whole() {
  if constexpr (std::is_integral_v<T>) return static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if constexpr (std::is_same_v<T, double>) return std::uint64_t{1} << 53;
  if constexpr (std::is_same_v<T, float>) return std::uint64_t{1} << 24;
  if constexpr (std::is_same_v<T, fp16>) return 1u << 11;
  if constexpr (std::is_same_v<T, bf16>) return 1u << 8;
  return std::is_same_v<T, e4m3> ? 16 : 8;
}

// Writes one array, or a part of it, of type T.
template <class T>
struct writer {
  T* destination;
  std::uint64_t count, key, first, elements;

  void operator()(const normal& d) const {
    const line l = line_of(d, dtype_of<T>);
    if constexpr (!std::is_integral_v<T>) on_line(draw_normals, l, 0);
  }
  void operator()(const uniform& d) const {
    const line l = line_of(d, dtype_of<T>);
    if constexpr (!std::is_integral_v<T>) on_line(draw_words, l, 32 - uniform_bits(dtype_of<T>));
  }
  void operator()(const integers& d) const {
    expects_whole("integers", d.below > 0 && d.below - 1 <= greatest_whole<T>(), d.below);
    if (d.below > std::uint64_t{1} << 32) return wide_integers(d.below);
    each_tile(draw_words, key, first, count,
              [&, out = destination](const std::uint32_t* words, std::size_t n) mutable {
                for (std::size_t i = 0; i < n; ++i) out[i] = whole<T>(words[i] * d.below >> 32);
                out += n;
              });
  }
  void operator()(const constant& d) const { std::fill_n(destination, count, constant_of(d.value)); }
  void operator()(const permutation&) const {
    const std::uint64_t total = elements == 0 ? count : elements;
    expects(first <= total && count <= total - first, "permutation: the part lies inside the whole");
    expects_whole("permutation", total == 0 || total - 1 <= greatest_whole<T>(), total);
    const shuffle place(key, total);
    for (std::uint64_t i = 0; i < count; ++i) destination[i] = whole<T>(place(first + i));
  }
  void operator()(const random_bits&) const {
    expects(std::is_unsigned_v<T>,
            fmt::format("random bits are for unsigned types, not {}", name(dtype_of<T>)));
    std::uint64_t skip = first * sizeof(T) % sizeof(std::uint32_t), bytes = count * sizeof(T);
    const std::uint64_t word = first * sizeof(T) / sizeof(std::uint32_t);
    each_tile(draw_words, key, word, (skip + bytes + 3) / 4,
              [&, out = destination](const std::uint32_t* words, std::size_t n) mutable {
                const std::size_t size = std::min<std::uint64_t>(4 * n - skip, bytes);
                std::memcpy(out, reinterpret_cast<const std::byte*>(words) + skip, size);
                out += size / sizeof(T);
                bytes -= size;
                skip = 0;
              });
  }
  void operator()(const filled_by& d) const {
    expects(first == 0 && (elements == 0 || elements == count),
            "an array filled by a function is filled as a whole");
    expects(d.fill != nullptr, "filled_by names a function");
    d.fill({reinterpret_cast<std::byte*>(destination), count * sizeof(T)}, key);
  }

 private:
  static void expects_whole(std::string_view distribution_name, bool holds, std::uint64_t below) {
    if (holds) return;
    expects(false, fmt::format("{}: {} cannot hold the whole numbers below {}", distribution_name,
                               name(dtype_of<T>), below));
  }
  void on_line(draw_function* draw, const line& l, std::uint32_t shift) const {
    each_tile(draw, key, first, count,
              [&, out = destination](const std::uint32_t* words, std::size_t n) mutable {
                convert(l, words, shift, out, n);
                out += n;
              });
  }
  void wide_integers(std::uint64_t below) const {
    each_tile(draw_words, key, 2 * first, 2 * count,
              [&, out = destination](const std::uint32_t* words, std::size_t n) mutable {
                for (std::size_t i = 0; i < n; i += 2) {
                  *out++ = whole<T>(high_product(words[i] | std::uint64_t{words[i + 1]} << 32, below));
                }
              });
  }
  static T constant_of(double value) {
    if constexpr (std::is_integral_v<T>) {
      constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
      const double past = std::ldexp(1.0, std::numeric_limits<T>::digits);
      expects(value >= least && value < past && std::trunc(value) == value,
              fmt::format("constant: {} is not a value of {}", value, name(dtype_of<T>)));
      return static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, double>) {
      return value;
    } else {
      return static_cast<T>(static_cast<float>(value));
    }
  }
};

}  // namespace

void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
          std::uint64_t first, std::uint64_t whole_count) {
  expects(target.size() % size_of(type) == 0, "fill: the target holds whole elements");
  if (target.empty()) return;
  with_dtype(type, [&]<class T>() {
    std::visit(
        writer<T>{reinterpret_cast<T*>(target.data()), target.size() / sizeof(T), key, first, whole_count},
        d);
  });
}

}  // namespace ridge::device
