// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "run/family_state.hpp"

namespace ridge::harness {

// What the calls of variants take where each variant is alone in a process of its own: with code, memory and
// threads of no other variant, and with nothing of what it is judged by.
struct lone_rounds {
  std::vector<std::vector<double>> seconds{};   // of a call, by measurement and by round; empty: not called
  std::vector<std::string> wrong{};             // by measurement: why its results or its end were wrong
  std::vector<model::failure_kind> failures{};  // by measurement: the kind of that
  std::vector<std::string> signals{};           // by measurement: that ended its process
  std::string skipped{};                        // why there are no rounds; empty otherwise
  // Whether programs that have nothing to do with this one used the processors in most rounds while all
  // variants were stopped. Looked for where a variant has several threads.
  bool others_ran = false;
};

// Takes twelve rounds, up to 32 while ratios are unclear, of a verified family on a host, before anything of
// it is bound in this process: a process for each variant, one call or as many as fill a sample on arrays
// that all of them share with this process, at the same addresses. For every sample this process draws all
// data anew, when the variant has already been called on others, and afterwards reads and compares the
// results; it holds their seconds against its own clock, which sees the switch between processes as well.
// Fewer rounds, three at least, are taken where twelve exceed 5 % of the session's budget or a twentieth of a
// second, whichever is longer. None are taken where three exceed 40 % of it or three quarters of a second,
// where there is one variant, where variants place their arrays differently, or where a sample of threads
// that wake slowly would be one call, because calls change an input or read a file. They end early where the
// family is told to stop.
[[nodiscard]] lone_rounds take_lone_rounds(family_state& family);

}  // namespace ridge::harness
