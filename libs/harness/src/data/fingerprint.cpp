// SPDX-License-Identifier: Apache-2.0
#include "data/fingerprint.hpp"

#include <cmath>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

constexpr std::size_t blocks_per_array = 16;

std::string sums_differ(const std::vector<device::block_sum>& got,
                        const std::vector<device::block_sum>& expected, tolerance within, std::size_t array) {
  for (std::size_t b = 0; b < expected.size(); ++b) {
    const auto &g = got[b], &e = expected[b];
    const double allowed = within.abs * static_cast<double>(e.count) + within.rel * e.sum_abs;
    // Adding up in double rounds as well: one unit of roundoff per element.
    const double rounding = 1e-15 * (e.sum_abs + g.sum_abs) * std::sqrt(static_cast<double>(e.count) + 1);
    if (g.not_finite != e.not_finite) {
      return fmt::format("result {} block {}: {} values are not finite, expected {}", array, b, g.not_finite,
                         e.not_finite);
    }
    if (!(std::fabs(g.sum - e.sum) <= allowed + rounding)) {
      return fmt::format("result {} block {}: sum {:.9g}, expected {:.9g} within {:.3g}", array, b, g.sum,
                         e.sum, allowed);
    }
  }
  return {};
}

}  // namespace

bool is_result(const array_record& array) { return array.use == use::out || array.use == use::inout; }

fingerprint take_fingerprint(const memory& outputs_of, bool exact) {
  fingerprint f;
  for (const auto& a : outputs_of.arrays()) {
    if (!is_result(a)) continue;
    if (exact) {
      f.digests.push_back(outputs_of.where().digest(a.bytes()));
    } else {
      f.sums.push_back(outputs_of.where().block_sums(a.bytes(), a.type, blocks_per_array));
    }
  }
  return f;
}

void enqueue_fingerprint(const memory& outputs_of, bool exact) {
  for (const auto& a : outputs_of.arrays()) {
    if (!is_result(a)) continue;
    if (exact) {
      outputs_of.where().enqueue_digest(a.bytes());
    } else {
      outputs_of.where().enqueue_block_sums(a.bytes(), a.type, blocks_per_array);
    }
  }
}

fingerprint next_fingerprint(const memory& outputs_of, bool exact, taken_results& results) {
  fingerprint f;
  for (const auto& a : outputs_of.arrays()) {
    if (!is_result(a)) continue;
    if (exact) {
      f.digests.push_back(results.digests.at(results.next_digest++));
    } else {
      f.sums.push_back(std::move(results.sums.at(results.next_sums++)));
    }
  }
  return f;
}

std::string disagreement(const fingerprint& got, const fingerprint& expected, tolerance within) {
  for (std::size_t i = 0; i < expected.digests.size(); ++i) {
    if (got.digests[i] != expected.digests[i]) return fmt::format("result {} differs in its bits", i);
  }
  for (std::size_t i = 0; i < expected.sums.size(); ++i) {
    if (auto why = sums_differ(got.sums[i], expected.sums[i], within, i); !why.empty()) return why;
  }
  return {};
}

}  // namespace ridge::harness
