// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/body.hpp>
#include <ridge/stats/special.hpp>

#include "rows.hpp"

namespace ridge::selftest {
namespace {
struct nothing {};
}  // namespace

bool row::pass() const {
  if (!skipped.empty() || !limit) return true;
  return at_least ? value >= *limit : value <= *limit;
}

double false_alarm_limit(int trials) {
  int most = 0;
  while (stats::binomial_cdf(static_cast<std::size_t>(most), static_cast<std::size_t>(trials), 0.05) < 0.99)
    ++most;
  return most;
}

void run_empty_body(std::uint64_t n) {
  nothing w;
  call c{call_resources{}};
  bind_body(w, [](nothing&, call&) {})->run(c, n);
}

}  // namespace ridge::selftest
