// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ridge::stats {

// Return adjusted p-values, in the order given. Rejecting where the adjusted p is at most alpha keeps at or
// below alpha the chance of any false rejection (Holm, Scandinavian Journal of Statistics 6, 1979) or the
// expected share of false rejections (Benjamini & Hochberg, JRSS B 57, 1995; for independent or positively
// dependent tests).
[[nodiscard]] std::vector<double> holm(std::span<const double> p);
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p);

// Returns for each comparison the number d by which Holm's procedure divides alpha, so that the interval of
// confidence 1 - alpha/d excludes the hypothesis exactly when Holm rejects it: d is m for the smallest p,
// then m-1, and so on; from the first hypothesis that is not rejected on, all share its divisor. Such
// intervals answer only for the hypothesis that the p-values test; a statement about another bound, or
// coverage of all true values at once, needs d = m throughout.
[[nodiscard]] std::vector<std::size_t> holm_divisors(std::span<const double> p, double alpha);

// Returns a compact letter display: two arms share a letter exactly when they do not differ. `differ` is
// symmetric and called for i < j only. Letters follow the order of the arms, so pass the arms ranked.
// Insert-and-absorb algorithm of H.-P. Piepho, Journal of Computational and Graphical Statistics 13 (2004).
// After "z" and "Z" the letters start again with a prime.
[[nodiscard]] std::vector<std::string> letters(std::size_t arms,
                                               const std::function<bool(std::size_t, std::size_t)>& differ);

}  // namespace ridge::stats
