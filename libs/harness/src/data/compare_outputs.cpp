// SPDX-License-Identifier: Apache-2.0
#include "data/compare_outputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/base/with_dtype.hpp>

#include "data/keyed_member.hpp"

#include "data/fingerprint.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t shown_at_most = 5;

template <class T>
double element_at(const std::byte* bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

double value_at(std::span<const std::byte> bytes, dtype type, std::size_t index) {
  return with_dtype(type, [&]<class T>() { return element_at<T>(bytes.data(), index); });
}

bool is_poison(std::span<const std::byte> bytes, dtype type, std::size_t index) {
  const auto element = bytes.subspan(index * size_of(type), size_of(type));
  return std::ranges::all_of(element, [](std::byte b) { return b == std::byte{0xff}; });
}

double allowed_difference(double expected, tolerance within) {
  return within.abs + within.rel * std::fabs(expected);
}

bool agrees(double got, double expected, tolerance within) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::fabs(got - expected) <= allowed_difference(expected, within);
}

// What arrays without a wrong element have in common with what is expected.
struct agreement {
  double max_abs = 0;                              // the largest difference
  double largest = 0;                              // the largest value expected
  double squared_error = 0, squared_expected = 0;  // sums over all elements
};

// Returns the agreement of two arrays in one quick look; nothing where an element is wrong or not finite.
std::optional<agreement> agreement_of(std::span<const std::byte> got, std::span<const std::byte> expected,
                                      dtype type, tolerance within) {
  return with_dtype(type, [&]<class T>() -> std::optional<agreement> {
    agreement seen;
    bool all = true;
    // Sums side by side, which need not wait for each other.
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> errors{}, sizes{};
    for (std::size_t i = 0; i < expected.size() / sizeof(T); ++i) {
      const double value = element_at<T>(expected.data(), i), size = std::fabs(value);
      const double difference = std::fabs(element_at<T>(got.data(), i) - value);
      // False where one of them is not finite.
      all &= difference <= within.abs + within.rel * size && size <= std::numeric_limits<double>::max();
      seen.max_abs = seen.max_abs < difference ? difference : seen.max_abs;
      seen.largest = seen.largest < size ? size : seen.largest;
      errors[i % lanes] += difference * difference;
      sizes[i % lanes] += size * size;
    }
    seen.squared_error = std::accumulate(errors.begin(), errors.end(), 0.0);
    seen.squared_expected = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    return all ? std::optional(seen) : std::nullopt;
  });
}

// Collects what is wrong with one array.
class array_difference {
 public:
  array_difference(std::size_t array, std::span<const std::byte> got, dtype type)
      : array_(array), got_(got), type_(type) {}

  void look(std::size_t index, double expected, tolerance within) {
    const double got = value_at(got_, type_, index);
    ++looked_;
    if (std::isfinite(got) && std::isfinite(expected)) {
      max_abs_ = std::max(max_abs_, std::fabs(got - expected));
      largest_ = std::max(largest_, std::fabs(expected));
      squared_error_ += (got - expected) * (got - expected);
      squared_expected_ += expected * expected;
    }
    if (agrees(got, expected, within)) return;
    if (wrong_++ >= shown_at_most) return;
    shown_ +=
        fmt::format("{}[{}] {}", shown_.empty() ? "" : "; ", index, wrong_element(index, expected, within));
  }

  // All elements were looked at elsewhere, and none is wrong.
  void add(const agreement& seen, std::size_t count) {
    looked_ += count;
    max_abs_ = std::max(max_abs_, seen.max_abs);
    largest_ = std::max(largest_, seen.largest);
    squared_error_ += seen.squared_error;
    squared_expected_ += seen.squared_expected;
  }

  void add_to(output_difference& all) const {
    all.compared += looked_;
    all.max_abs = std::max(all.max_abs, max_abs_);
    all.squared_error += squared_error_;
    all.squared_expected += squared_expected_;
    if (largest_ > 0) all.max_rel = std::max(all.max_rel, max_abs_ / largest_);
    if (wrong_ == 0 || !all.why.empty()) return;
    all.why = fmt::format("result {}: {} of {} elements are wrong: {}", array_, wrong_, looked_, shown_);
  }

 private:
  // Says what the element is and should be, and beside their difference the one that is allowed.
  [[nodiscard]] std::string wrong_element(std::size_t index, double expected, tolerance within) const {
    const double got = value_at(got_, type_, index);
    if (is_poison(got_, type_, index)) return fmt::format("was never written, expected {:.9g}", expected);
    auto values = fmt::format("{:.9g}, expected {:.9g}", got, expected);
    if (!std::isfinite(got) || !std::isfinite(expected)) return values;
    return fmt::format("{} (differs by {:.3g}, allowed {:.3g})", values, std::fabs(got - expected),
                       allowed_difference(expected, within));
  }

  std::size_t array_;
  std::span<const std::byte> got_;
  dtype type_;
  std::size_t looked_ = 0, wrong_ = 0;
  double max_abs_ = 0, largest_ = 0, squared_error_ = 0, squared_expected_ = 0;
  std::string shown_;
};

array_copy on_host(const memory& arrays, const array_record& a) {
  array_copy copy(a.bytes().size());
  arrays.where().copy_to_host(copy, a.bytes());
  return copy;
}

}  // namespace

void copy_results(const memory& arrays, result_bytes& copy, std::optional<std::uint64_t> pieces_key) {
  std::size_t next = 0;
  for (const auto& a : arrays.arrays()) {
    if (!is_result(a)) continue;
    if (next == copy.size()) copy.emplace_back();
    auto& target = copy[next++];
    const auto pieces = looked_at(arrays, a, pieces_key);
    std::size_t bytes = 0;
    for (const auto piece : pieces) bytes += piece.size();
    target.resize(bytes);
    auto room = std::span(target);
    for (const auto piece : pieces) {
      arrays.where().copy_to_host(room.first(piece.size()), piece);
      room = room.subspan(piece.size());
    }
  }
}

result_bytes copy_results(const memory& arrays) {
  result_bytes all;
  copy_results(arrays, all);
  return all;
}

results_in_place::results_in_place(const memory& arrays) {
  if (!arrays.where().on_host()) copies_ = copy_results(arrays);
  if (!copies_.empty()) views_ = views_of(copies_);
  for (const auto& a : arrays.arrays()) {
    if (copies_.empty() && is_result(a)) views_.emplace_back(a.bytes());
  }
}

result_views views_of(const result_bytes& results) { return {results.begin(), results.end()}; }

void put_results(const result_bytes& results, memory& arrays) {
  std::size_t next = 0;
  for (const auto& a : arrays.arrays()) {
    if (is_result(a)) arrays.where().copy_from_host(a.bytes(), results.at(next++));
  }
}

output_difference compare_outputs(const result_bytes& got, const memory& expected, tolerance within) {
  return compare_outputs(views_of(got), expected, results_in_place(expected).views(), within);
}

output_difference compare_outputs(const result_views& got, const memory& shapes, const result_views& expected,
                                  tolerance within) {
  output_difference all;
  std::size_t result = 0;
  for (const auto& shape : shapes.arrays()) {
    if (!is_result(shape)) continue;
    const auto& ours = got.at(result);
    const auto& theirs = expected.at(result);
    const std::size_t count = theirs.size() / size_of(shape.type);
    array_difference difference(result++, ours, shape.type);
    const bool same_bits =
        ours.size() == theirs.size() && std::memcmp(ours.data(), theirs.data(), ours.size()) == 0;
    if (same_bits && within.exact()) {
      all.compared += count;
    } else if (const auto seen = agreement_of(ours, theirs, shape.type, within)) {
      difference.add(*seen, count);
    } else {
      for (std::size_t k = 0; k < count; ++k) difference.look(k, value_at(theirs, shape.type, k), within);
    }
    difference.add_to(all);
    // -0 and 0, or two NaNs: equal as numbers, not as bits.
    if (within.exact() && !same_bits && all.why.empty())
      all.why = fmt::format("result {} differs in its bits", result - 1);
  }
  return all;
}

bool accepts_zeros(const memory& expected, tolerance within) {
  return accepts_zeros(expected, results_in_place(expected).views(), within);
}

bool accepts_zeros(const memory& shapes, const result_views& expected, tolerance within) {
  constexpr std::size_t enough_elements = 64;
  std::size_t elements = 0, result = 0;
  bool all_zero = true;
  for (const auto& array : shapes.arrays()) {
    if (!is_result(array)) continue;
    const auto& bytes = expected.at(result++);
    for (std::size_t i = 0; i < array.count; ++i) {
      const double value = value_at(bytes, array.type, i);
      if (!agrees(0, value, within)) return false;
      all_zero = all_zero && value == 0;
    }
    elements += array.count;
  }
  return elements >= enough_elements && !all_zero;
}

output_difference compare_samples(const memory& got, const std::function<double(std::size_t)>& element,
                                  tolerance within, std::uint64_t seed, std::size_t samples) {
  output_difference all;
  const auto first = std::ranges::find_if(got.arrays(), is_result);
  if (first == got.arrays().end() || first->count == 0) return all;
  const auto ours = on_host(got, *first);
  array_difference difference(0, ours, first->type);
  // Both ends are always looked at: there whoever divides the work wrongly goes wrong first.
  const auto place = [&](std::size_t i) -> std::size_t {
    if (first->count <= samples) return i;
    return i < 2 ? i * (first->count - 1) : mix_keys(seed, i) % first->count;
  };
  for (std::size_t i = 0; i < std::min(samples, first->count); ++i) {
    const auto index = place(i);
    difference.look(index, element(index), within);
  }
  difference.add_to(all);
  return all;
}

}  // namespace ridge::harness
