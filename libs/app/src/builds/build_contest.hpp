// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/harness/protocol.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// One variant of one problem, measured by another build and by this program.
struct build_contest {
  std::string experiment{};  // its id
  std::string variant{};
  std::vector<std::string> axes{};  // values of --axis
  std::string other{};              // the program of the other build
  std::string other_name{};         // as it was typed
  std::string label{};              // begins the progress line; empty: none
  harness::protocol protocol{};
  // Six rounds are measured even where the budget of the protocol is shorter, unless they take longer than
  // this; absent: the budget holds as it is.
  std::optional<double> most_s{};
};

// Measures processes of both builds interleaved; the other build is the reference. Throws unavailable where
// one of them cannot measure the variant; interrupted_step.
[[nodiscard]] model::family measure_by_both(const context& program, const build_contest& contest);

}  // namespace ridge::app
