// SPDX-License-Identifier: Apache-2.0
#include "builds/build_contest.hpp"

#include <fmt/format.h>

#include "builds/build_arms.hpp"
#include "session/contest.hpp"

namespace ridge::app {

model::family measure_by_both(const context& program, const build_contest& contest) {
  build_arms arms({contest.other, "/proc/self/exe"},
                  worker_words(contest.experiment, contest.variant, contest.axes), contest.variant);
  const auto metric = arms.try_each();
  auto family =
      measure_contest(program,
                      {.names = {{contest.other_name, "the other build"}, {"this build", std::string()}},
                       .metrics = {metric},
                       .protocol = contest.protocol,
                       .counted = "rounds of processes",
                       .label = contest.label},
                      arms);
  family.experiment = contest.experiment;
  family.title = fmt::format("{} by two builds, processes interleaved", contest.variant);
  return family;
}

}  // namespace ridge::app
