// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace ridge {

class problem;

// What a problem must do by definition, whoever does it: operations, compulsory bytes, items (tokens,
// requests, samples).
struct work {
  double flop = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  double items = 0;
  [[nodiscard]] double bytes() const { return bytes_read + bytes_written; }
  [[nodiscard]] double intensity() const { return bytes() > 0 ? flop / bytes() : 0; }
};

// |got - expected| <= abs + rel * |expected|; both zero: the same bits.
struct tolerance {
  double abs = 0;
  double rel = 0;
  [[nodiscard]] bool exact() const { return abs == 0 && rel == 0; }
};
[[nodiscard]] inline tolerance exact() { return {}; }
// Two summation orders of `terms` products of random factors whose product has the given scale, in a type of
// unit roundoff u: partial sums grow as sqrt(k), so rounding errors add up to about u * terms * scale /
// sqrt(2) (Higham 2002, section 4.2, in its probabilistic form); the tolerance is eight times u * terms *
// scale.
[[nodiscard]] tolerance accumulation(double terms, double unit_roundoff, double scale = 1);

// A tolerance, or how it follows from the problem: `.within = exact()`, `.within = [](const problem& p) { ...
// }`.
class tolerance_rule {
 public:
  tolerance_rule(tolerance fixed) : of_([fixed](const problem&) { return fixed; }) {}
  template <class F>
    requires std::convertible_to<std::invoke_result_t<F&, const problem&>, tolerance>
  tolerance_rule(F of) : of_(std::move(of)) {}
  [[nodiscard]] tolerance operator()(const problem& p) const { return of_(p); }

 private:
  std::function<tolerance(const problem&)> of_;
};

}  // namespace ridge
