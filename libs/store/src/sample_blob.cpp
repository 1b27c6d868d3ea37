// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/sample_blob.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include <ridge/base/expects.hpp>

namespace ridge::store {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are copied as they lie in memory");

struct head {
  std::uint8_t version = 1;
  std::uint8_t columns = 0;
  std::uint16_t zero = 0;
  std::uint32_t count = 0;
};

template <class T>
void append(std::vector<std::byte>& out, const T* data, std::size_t n) {
  const auto at = out.size();
  out.resize(at + n * sizeof(T));
  if (n) std::memcpy(out.data() + at, data, n * sizeof(T));
}

template <class T>
std::uint8_t column_bit(const std::vector<T>& column, std::size_t count, std::uint8_t bit) {
  expects(column.empty() || column.size() == count,
          "series: block, position and marked are as long as value, or empty");
  return column.empty() ? std::uint8_t{0} : bit;
}

// Takes n values from the front of `bytes`; returns false when there are fewer.
template <class T>
bool take(std::span<const std::byte>& bytes, std::vector<T>& column, std::size_t n) {
  if (bytes.size() / sizeof(T) < n) return false;
  column.resize(n);
  if (n) std::memcpy(column.data(), bytes.data(), n * sizeof(T));
  bytes = bytes.subspan(n * sizeof(T));
  return true;
}

}  // namespace

std::vector<std::byte> encode(const model::series& samples) {
  const auto n = samples.value.size();
  expects(n <= std::numeric_limits<std::uint32_t>::max(), "series: more than 2^32 samples");
  const auto columns =
      column_bit(samples.block, n, 1) | column_bit(samples.position, n, 2) | column_bit(samples.marked, n, 4);
  const head top{.columns = static_cast<std::uint8_t>(columns), .count = static_cast<std::uint32_t>(n)};
  std::vector<std::byte> out;
  out.reserve(sizeof top + n * 14);
  append(out, &top, 1);
  append(out, samples.value.data(), n);
  append(out, samples.block.data(), samples.block.size());
  append(out, samples.position.data(), samples.position.size());
  append(out, samples.marked.data(), samples.marked.size());
  return out;
}

result<void> decode(std::span<const std::byte> bytes, model::series& decoded) {
  const error damaged{"samples are damaged", "the run cannot be read whole; its comparisons still can"};
  head top;
  if (bytes.size() < sizeof top) return damaged;
  std::memcpy(&top, bytes.data(), sizeof top);
  if (top.version != 1) return error{"samples were written by a newer ridge", "read them with that version"};
  bytes = bytes.subspan(sizeof top);
  const auto wanted = [&](unsigned bit) -> std::size_t { return top.columns & bit ? top.count : 0; };
  const bool whole = take(bytes, decoded.value, top.count) && take(bytes, decoded.block, wanted(1)) &&
                     take(bytes, decoded.position, wanted(2)) && take(bytes, decoded.marked, wanted(4)) &&
                     bytes.empty();
  if (!whole) return damaged;
  return {};
}

}  // namespace ridge::store
