// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include <ridge/harness/counting.hpp>

namespace ridge {

class problem;

// Compulsory bytes of a problem, told apart by direction so that they cannot be mixed up. They add up.
struct read_bytes {
  double value = 0;
  friend read_bytes operator+(read_bytes a, read_bytes b) { return {a.value + b.value}; }
};
struct written_bytes {
  double value = 0;
  friend written_bytes operator+(written_bytes a, written_bytes b) { return {a.value + b.value}; }
};

// Bytes of an array of elements of T with these extents: reads<float>(rows, columns). Throws failure where
// there are more elements than a process can hold.
template <class T, std::convertible_to<std::size_t>... Extents>
[[nodiscard]] read_bytes reads(std::size_t first, Extents... others) {
  return {static_cast<double>(product(first, others..., sizeof(T)))};
}
// The same for an array that is written.
template <class T, std::convertible_to<std::size_t>... Extents>
[[nodiscard]] written_bytes writes(std::size_t first, Extents... others) {
  return {static_cast<double>(product(first, others..., sizeof(T)))};
}

// What a problem must do by definition, whichever variant does it: operations, compulsory bytes, items
// (tokens, requests, samples).
struct work {
  double flop = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  double items = 0;

  // Work that only moves bytes; operations and items may be added to it:
  //   work::streaming(reads<float>(2 * n), writes<float>(n)).with_flop(p.real("n"))
  [[nodiscard]] static work streaming(read_bytes read, written_bytes written) {
    return {.flop = 0, .bytes_read = read.value, .bytes_written = written.value, .items = 0};
  }
  // The same work with so many operations.
  [[nodiscard]] work with_flop(double operations) const {
    work more = *this;
    more.flop = operations;
    return more;
  }
  // The same work with so many items.
  [[nodiscard]] work with_items(double count) const {
    work more = *this;
    more.items = count;
    return more;
  }

  // Bytes in both directions, and operations per byte (0 where there are no bytes).
  [[nodiscard]] double bytes() const { return bytes_read + bytes_written; }
  [[nodiscard]] double intensity() const { return bytes() > 0 ? flop / bytes() : 0; }
};

// |got - expected| <= abs + rel * |expected|; both zero: the same bits.
struct tolerance {
  double abs = 0;
  double rel = 0;
  // Whether only the same bits agree.
  [[nodiscard]] bool exact() const { return abs == 0 && rel == 0; }
};
// The tolerance that only the same bits meet.
[[nodiscard]] inline tolerance exact() { return {}; }
// The tolerance between two summation orders of `terms` products of random factors whose product has the
// given scale, in a type of unit roundoff u. Partial sums of random sign grow as sqrt(k), so rounding errors
// add up to about u * terms * scale / sqrt(2) (Higham 2002, section 4.2, in its probabilistic form); the
// tolerance is eight times u * terms * scale. It does not hold for terms of one sign, whose partial sums grow
// as k: state a relative tolerance for those.
[[nodiscard]] tolerance accumulation(double terms, double unit_roundoff, double scale = 1);

// A tolerance, or how it follows from the problem: `.within = exact()`, `.within = [](const problem& p) { ...
// }`.
class tolerance_rule {
 public:
  tolerance_rule(tolerance fixed) : rule_([fixed](const problem&) { return fixed; }) {}
  template <class F>
    requires std::convertible_to<std::invoke_result_t<F&, const problem&>, tolerance>
  tolerance_rule(F rule) : rule_(std::move(rule)) {}
  [[nodiscard]] tolerance operator()(const problem& p) const { return rule_(p); }

 private:
  std::function<tolerance(const problem&)> rule_;
};

}  // namespace ridge
