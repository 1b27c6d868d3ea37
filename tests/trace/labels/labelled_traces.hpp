// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <cli/program.hpp>

namespace ridge::trace::fixtures {

// The diagnosis that a trace should get, and why, as labels.json or second_labels.json says.
struct label {
  std::string file{};
  std::vector<std::string>
      accepts{};  // one of these must be first or second; empty: nothing is wrong with the trace
  std::vector<std::string> must_not{};  // none of these may be an alarm; "*": no alarm at all
  std::string reason{};
  std::string says{};       // part of the accepted finding's text
  bool as_counted = false;  // a table of counters, whose device and operations its author states
  double flops = 0;         // operations of each kernel, as its author states them; 0: not stated
};

// The rows of a group ("labelled", "others") of a file beside this one.
[[nodiscard]] std::vector<label> labels_of(const char* group, const char* file = "labels.json");

// One finding or doubt of `ridge diagnose FILE --json`.
struct said {
  std::string rule{}, text{};
  bool alarm = false;
  double share = 0;
};

// Runs the program on a labelled trace with nothing but what its user would know, and returns what a reader
// meets, in order: alarming doubts, then findings. `failed` is the program's complaint.
struct told {
  std::vector<said> found{};
  std::string failed{};
};
[[nodiscard]] told ask(const cli::scene& folder, const label& l);

}  // namespace ridge::trace::fixtures
