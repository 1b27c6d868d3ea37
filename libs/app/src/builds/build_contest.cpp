// SPDX-License-Identifier: Apache-2.0
#include "builds/build_contest.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/harness/session.hpp>

#include "builds/build_arms.hpp"
#include "session/contest.hpp"

namespace ridge::app {

model::family measure_by_both(const context& program, const build_contest& contest) {
  build_arms arms({contest.other, "/proc/self/exe"},
                  worker_words(contest.experiment, contest.variant, contest.axes), contest.variant);
  const double start = harness::monotonic_seconds();
  const auto metric = arms.try_each();
  auto protocol = contest.protocol;
  if (contest.most_s) {
    constexpr double fewest_rounds = 8;  // six that count, one each of calibration and warm-up
    const double needed_s = fewest_rounds * (harness::monotonic_seconds() - start);
    if (needed_s > *contest.most_s)
      throw unavailable(fmt::format("six rounds take {}, and {} of the budget were left",
                                    duration_text(needed_s), duration_text(*contest.most_s)),
                        "give more of it: --budget 10min");
    protocol.budget_s = std::max(protocol.budget_s, needed_s);
  }
  auto family =
      measure_contest(program,
                      {.names = {{contest.other_name, "the other build"}, {"this build", std::string()}},
                       .metrics = {metric},
                       .protocol = protocol,
                       .counted = "rounds of processes",
                       .label = contest.label},
                      arms);
  family.experiment = contest.experiment;
  family.title = fmt::format("{} by two builds, processes interleaved", contest.variant);
  return family;
}

}  // namespace ridge::app
